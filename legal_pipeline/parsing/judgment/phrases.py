"""The phrases that distinguish the parts of a judgment: the common lists (`common.toml`) and the lists of a country.

A country's lists are the section `judgments` of its data. Not here: the weights of the phrases (`roles`), their use (`structure`).
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.languages.language import language
from legal_pipeline.system.data_files import data_file

#: In the lists a space matches any white space, and ` ?` matches any white space or none.
_SPACE = re.compile(r" (\?)?")
REQUIRED, OPTIONAL = r"\s+", r"\s*"
#: A capital letter, except in an escape such as `\W`.
_CAPITAL = re.compile(r"(?<!\\)[A-Z]")

#: Maximum number of words of a title: "Submissions on behalf of the appellant" is a title.
#: "The question which arose therein was" begins a wrapped sentence.
_TITLE_WORDS = 6

_NOTHING = re.compile(r"(?!)")
#: Letters set apart, "R E L A T Ó R I O".
_SPACED_LETTERS = re.compile(r"\W*[^\W\d_](?: [^\W\d_]){2,}\W*")
#: The title of a decision on its cover has at most this many words; the titles in the data of other languages than English may name the
#: court too, "HÖGSTA DOMSTOLENS DOM", so that only a single word is surely one.
_COVER_WORDS, _COVER_WORDS_ELSEWHERE = 3, 1
#: The mark of a part above its text, "II.", "B)".
_MARK_ALONE = re.compile(r"\W*(?P<mark>[IVX]{1,5}|[A-H])[.)]?\W*")
#: The number of a paragraph and the mark of a point before its first words: "[5] ", "9 1. ", "aa) ", "– ".
_POINT = re.compile(r"(?:[\[({]?¶?\s?\d{1,3}(?:\.\d{1,2})*[\])}.]{0,2}[\s–-]+|\(?[a-z]{1,3}\)\s+|[–—-]\s+)*")

#: Every role of a block in the body.
ROLES = ("background", "arguments", "issue", "motivation", "decision")


@dataclass(frozen=True)
class Cue:
    """The phrases of one list, `name`, which was written for `role`.

    `strength` is its weight for that role before fitting; the fitted model has a weight for each role. `pattern` is searched in text in
    lower case, and the lists are written so: a search that ignores case takes 1.6 times as long.
    """

    role: str
    name: str
    strength: float
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Phrases:
    """Compiled lists of one country. `headings` are matched against whole headings, cues anywhere in a block.

    Languages without cues have lists for single places: `division` is the number of a heading in words ("SEGUNDO.-"), `grounds` a heading
    over facts and reasons, `narrates`, `argues` and `disposes` how a paragraph begins that tells the facts, an argument or the order,
    `opens` how the first paragraph of a part begins that has no heading ("Considérant que"). `cover_titles` are the titles above the body.
    """

    headings: tuple[tuple[str, re.Pattern[str]], ...]
    cues: tuple[Cue, ...]
    headnote_begins: re.Pattern[str]
    cover_titles: re.Pattern[str]
    opinion_begins: re.Pattern[str] = _NOTHING
    dissent: re.Pattern[str] = _NOTHING
    judge_line: re.Pattern[str] = _NOTHING
    body_begins: re.Pattern[str] = _NOTHING
    appendix_begins: re.Pattern[str] = _NOTHING
    division: re.Pattern[str] = _NOTHING
    grounds: re.Pattern[str] = _NOTHING
    narrates: re.Pattern[str] = _NOTHING
    argues: re.Pattern[str] = _NOTHING
    disposes: re.Pattern[str] = _NOTHING
    opens: tuple[tuple[str, re.Pattern[str]], ...] = ()

    @property
    def has_cues(self) -> bool:
        """Whether the words of a paragraph can show its part; else only headings do."""
        return bool(self.cues)

    def heading_role(self, text: str) -> str | None:
        """Return the role that a heading announces, or None for another kind of heading."""
        bare = re.sub(r"^\W*(?:(?:[IVXLC]+|[A-Z])[.)]|\d{1,2}[.)]?)\s+", "", text)
        bare = close_letters(self.division.sub("", bare, count=1)).strip(" .:-–—*_[]")
        return next((role for role, pattern in self.headings if pattern.fullmatch(bare)), None)

    def is_cover_title(self, text: str) -> bool:
        """Whether a block above the body is the title of the decision, of its order or of its headnote."""
        closed = close_letters(text).strip(" .:*_[]")
        most = _COVER_WORDS if self.has_cues else _COVER_WORDS_ELSEWHERE
        return len(closed.split()) <= most and self.cover_titles.fullmatch(closed) is not None

    def is_division(self, text: str) -> bool:
        """Whether a heading has a number in words, or is only a number or letter."""
        return self.division.match(text) is not None or mark_alone(text) is not None

    def opening_role(self, text: str) -> str | None:
        """Return the role of the part that a paragraph opens with its first words; None without such words."""
        return next((role for role, words in self.opens if self.begins(words, text)), None)

    def begins(self, words: re.Pattern[str], text: str) -> bool:
        """Whether `words`, one of the lists, match the first words of a paragraph behind its number."""
        return words.match(without_number(text)) is not None

    def is_title(self, text: str) -> bool:
        """Whether a line or paragraph is a heading usual in judgments, though it is not in capitals, such as "Discussion"."""
        return (
            len(text.split()) <= _TITLE_WORDS
            and text[:1].isupper()
            and text[-1:].isalnum()
            and self.heading_role(text) is not None
        )


def close_letters(text: str) -> str:
    """Return `text` without the spaces between its letters if all of them are set apart.

    >>> close_letters("V O T O :")
    'VOTO:'
    """
    return text.replace(" ", "") if _SPACED_LETTERS.fullmatch(text) else text


def without_number(text: str) -> str:
    """Return a paragraph without its number and the mark of a point before its first words."""
    return _POINT.sub("", text, count=1)


def mark_alone(text: str) -> str | None:
    """Return the Roman number or capital letter that a block is, without its stop; None for another text."""
    match = _MARK_ALONE.fullmatch(text)
    return match["mark"] if match else None


def load_phrases(code: str, language_code: str = "eng") -> Phrases:
    """Return the lists for the country `code` (ISO 3166 in lower case); a country without lists has the common lists.

    These are English. Another language has the headings in `[judgments.headings]` of its data, and no other list.
    """
    headings = language(language_code).section("judgments").get("headings")
    return _phrases(jurisdiction(code)) if headings is None else _headings_alone(language_code)


@functools.cache
def _headings_alone(language_code: str) -> Phrases:
    section = language(language_code).section("judgments")
    return Phrases(
        tuple((role, any_of(items)) for role, items in section["headings"].items()),
        (),
        headnote_begins=any_of([rf"\W*(?:{item})\W*\Z" for item in section.get("headnote", ())]),
        cover_titles=any_of([*section.get("title", ()), *section.get("headnote", ())]),
        opens=tuple((role, any_of(items)) for role, items in section.get("opens", {}).items()),
        **{name: any_of(section.get(name, ())) for name in ("division", "grounds", "narrates", "argues", "disposes")},
    )


@functools.cache
def _phrases(country: Jurisdiction) -> Phrases:
    merged = copy.deepcopy(data_file(__package__, "common.toml"))
    own = country.section("judgments")
    lists = jurisdiction(own["same_as"]).section("judgments") if "same_as" in own else own
    _merge(merged, {name: lists[name] for name in merged if name in lists})
    headings = tuple((role, any_of(items)) for role, items in merged["headings"].items())
    cues = tuple(
        Cue(role, name, float(merged["strength"].get(name, 1)), cue_pattern(items))
        for role, lists in merged["cues"].items()
        for name, items in lists.items()
    )
    lines = merged["lines"]
    return Phrases(
        headings,
        cues,
        opinion_begins=any_of(lines["opinion_begins"], ignore_case=False),
        dissent=any_of(lines["dissent"]),
        judge_line=any_of(lines["judge_line"], ignore_case=False),
        body_begins=any_of(lines["body_begins"]),
        headnote_begins=any_of(lines["headnote_begins"]),
        cover_titles=any_of([*lines["body_begins"], *lines["headnote_begins"], *lines["beside_titles"]]),
        appendix_begins=any_of(lines.get("appendix_begins", [])),
    )


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = [*into.get(key, []), *value]


def cue_pattern(items: list[str]) -> re.Pattern[str]:
    """Return the pattern of a cue. Raises `ConfigurationError` for a capital letter, which text in lower case never matches."""
    if capital := next((item for item in items if _CAPITAL.search(item)), None):
        raise ConfigurationError(f"judgments.cues: {capital!r} has a capital letter (expected: lower case)")
    return re.compile(rf"(?<!\w){any_of(items, ignore_case=False).pattern}")


def any_of(items: Sequence[str], *, ignore_case: bool = True, in_lines: bool = False) -> re.Pattern[str]:
    """Return one pattern for all phrases; a space matches any white space, and an empty list matches nothing.

    `in_lines`: `^` and `$` match at each line."""
    if not items:
        return _NOTHING
    body = "|".join(f"(?:{_SPACE.sub(lambda match: OPTIONAL if match[1] else REQUIRED, item)})" for item in items)
    return re.compile(f"(?:{body})", (re.IGNORECASE if ignore_case else 0) | (re.MULTILINE if in_lines else 0))
