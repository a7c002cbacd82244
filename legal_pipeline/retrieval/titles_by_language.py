"""The title of an act in a query, by the rules of its language: inflected, without spaces, or as initials (`[titles]`).

Not here: titles that a query repeats word by word (`retrieval.act_names`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.languages.language import language

_WORD = re.compile(r"[^\W\d_]+")
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|[«»“”„\"《》〈〉「」『』]")
#: An abbreviation: a word with two capitals, or more.
_INITIALS = re.compile(r"(?<!\w)(?=(?:\w*[^\W\d_a-zа-яёђјљњћџѓѕќ]){2})[^\W\d_]{2,6}(?!\w)")
#: The rules by which a language compares; without one of them, titles are compared word by word.
_RULES = frozenset({"joined", "inflected", "initials", "prefixes", "letters", "spellings"})
#: Words may differ in this many letters at their end; words of so few letters are not inflected.
_ENDING, _UNINFLECTED = 3, 3


def has_rules(code: str) -> bool:
    """Whether titles in the language `code` are compared by rules of the language, and not word by word."""
    return not _RULES.isdisjoint(language(code).section("titles"))


@functools.lru_cache(maxsize=4096)
def shortened(title: str, code: str) -> str:
    """Return the title without the parts that a citation in the language `code` leaves out, as its number and date."""
    for pattern in language(code).section("titles").get("dropped", ()):
        title = re.sub(pattern, "", title, flags=re.IGNORECASE)
    return title


@functools.lru_cache(maxsize=4096)
def length_in_language(query: str, title: str, code: str) -> int:
    """Return how much of the query is the title of an act in the language `code`: a number of words, or of characters where the language
    prints no spaces between words; 0 if the query does not contain the title, or the language has no rules."""
    if not has_rules(code):
        return 0
    rules = language(code).section("titles")
    bare = " ".join(_BRACKETED.sub(" ", _spelled(shortened(title, code), rules)).split()) or title
    if rules.get("joined"):
        return len(bare) if _standing_in(query, bare, rules) else 0
    wanted, words = _words(bare, rules), _words(query, rules)
    if any(
        all(_is_form_of(word, other, rules) for word, other in zip(words[at:], wanted, strict=False))
        for at in range(len(words) - len(wanted) + 1)
    ):
        return len(wanted)
    return int(bool(rules.get("initials")) and _has_initials(query, wanted, rules))


def _spelled(text: str, rules: Mapping[str, Any]) -> str:
    for short, full in rules.get("spellings", {}).items():
        text = text.replace(short, full)
    return text


def _standing_in(query: str, title: str, rules: Mapping[str, Any]) -> bool:
    """Whether `query` contains the title, in whatever spacing, between other signs or the words of `before` and `behind`."""
    before = "|".join(f"(?<={re.escape(word)})" for word in rules.get("before", ()))
    spaced = r"\s*".join(map(re.escape, title.replace(" ", "")))
    behind = rules.get("behind") or "(?!)"
    pattern = rf"(?:(?<!\w){f'|{before}' if before else ''}){spaced}(?=\W*(?:{behind}|[\s,，、]|$))"
    return re.search(pattern, _spelled(query, rules)) is not None


def _words(text: str, rules: Mapping[str, Any]) -> Sequence[str]:
    letters = str.maketrans(rules.get("letters", {}))
    return [word.translate(letters) for word in _WORD.findall(text.casefold())]


def _is_form_of(word: str, other: str, rules: Mapping[str, Any]) -> bool:
    if word == other:
        return True
    if any(word == f"{prefix}{other}" for prefix in rules.get("prefixes", ())):
        return True
    if not rules.get("inflected") or min(len(word), len(other)) <= _UNINFLECTED:
        return False
    stem = max(_UNINFLECTED, max(len(word), len(other)) - _ENDING)
    return word[:stem] == other[:stem]


def _has_initials(query: str, wanted: Sequence[str], rules: Mapping[str, Any]) -> bool:
    letters = str.maketrans(rules.get("letters", {}))
    initials = "".join(word[0] for word in wanted)
    return any(found.casefold().translate(letters) == initials for found in _INITIALS.findall(query))
