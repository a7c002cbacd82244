"""The parties of a judgment in another language than English, and the name of a case in the title of a page: "A gegen B", "A v. B".

The words are data (`[judgments.parties]` of a language): `against` (between the names; the first is that of the title), `opening` (the
line above the first name), `first` and `second` (labels of the parties), `sentences` (patterns with the groups `first` and `second`).
Not here: English covers (`cause_title`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.parsing.judgment.phrases import any_of

#: The line between the parties of an English cover.
AGAINST = frozenset({"v", "v.", "vs", "vs.", "vrs", "vrs.", "versus"})
#: The parties are in this many lines at the beginning; a name is in one of this many lines and has at most this many characters.
_LINES, _PARTY_LINES, _NAME_CHARS = 80, 3, 160
#: What follows a name: where a person lives, what a company is, its number, "[…], represented by …".
_BEHIND_NAME = re.compile(
    r",\s*(?=[^\W\d_A-ZÀ-ÖØ-ÞĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮÁÉÍÝÚ]|\d|\*|$)|\s+[|–—]\s.*|\s\((?=[^()]*\)$).*|[,:;]$"
)
#: A number or a dash before a name; a name begins with a capital, a bracket of an anonymous name or a quotation mark.
_BEFORE_NAME = re.compile(r"\A(?:\(?\d{1,2}[.)]\)?|[-–—•])\s+")
_NAME = re.compile(r"\[\w|[„“\"«<]?[^\W\d_a-zß-öø-ÿ]")
#: The title of a page names the case, its citation and its site: "A v B [2031] EWCA Civ 9 (7 May 2031)", "2031 BCCA 9 | A v. B | Courts".
_SITE = re.compile(r"\s+(?:[|»›·–—]|::)\s+|\s+-\s+")
_CITED = re.compile(
    r",?\s+(?:\[\d{4}\]|\((?:\d|.{0,20}\d{4}\))|\d{4} [A-Z]{2,}|\d{1,4} [A-Z][\w.]* \d|n[o°]s?\.? ?\d|"
    r"\([^()]{1,80} of \d{4}\)|ECLI:).*|\s+\([^()]*\)$"
)
#: The side of a party behind its name, "Harbour Board (Respondent)", and what stands before the names, "CASE OF A v. B".
_SIDE = re.compile(
    r"\s*\((?:(?:first|second|third|\d(?:st|nd|rd|th)|cross)[ -]?)*"
    r"(?:appellant|respondent|applicant|petitioner|plaintiff|claimant|defendant)s?(?:[/ -](?:cross-?)?(?:appellant|respondent)s?)*\)",
    re.IGNORECASE,
)
_CASE_OF = re.compile(r"\A(?:in the )?case of (?=\S)", re.IGNORECASE)


@dataclass(frozen=True)
class Parties:
    """The first names of both sides, and the word between them."""

    first: str
    second: str
    against: str

    @property
    def title(self) -> str:
        return f"{self.first} {self.against} {self.second}"


class _Words:
    """The words of a language, from `[judgments.parties]` of its data."""

    def __init__(self, section: Mapping[str, Any]) -> None:
        self.against = any_of(section["against"])
        self.written: str = section.get("written", section["against"][0])
        self.opening, self.first, self.second = (
            any_of(section.get(name, ())) for name in ("opening", "first", "second")
        )
        self.sentences = [any_of([item], ignore_case=False) for item in section.get("sentences", ())]


def read_parties(header: Sequence[str], code: str, is_above: Callable[[str], bool] = lambda _: False) -> Parties | None:
    """Return the parties that the text above the body names, by their labels, by the line between them or in a sentence.

    `is_above`: whether a line is one of those above the parties, as the number of the case; they have no opening everywhere.
    """
    words = _words(code)
    if words is None:
        return None
    lines = [line.strip() for text in header for line in text.split("\n") if line.strip()][:_LINES]
    found = _labelled(lines, words) or _parted(lines, words, is_above) or _in_sentence(header, words)
    return Parties(*found, words.written) if found is not None else None


def case_name(title: str) -> str | None:
    """Return the name of the case in the title of a page, without its citation and the name of the site; None if it names none.

    >>> case_name("Keeper v Harbour Board [2031] EWCA Civ 9 (7 May 2031)")
    'Keeper v Harbour Board'
    """
    for part in _SITE.split(title):
        name = _CITED.sub("", without_roles(part.strip()))
        if (match := _against_in_titles().search(name)) and match.start() > 0 and match.end() < len(name):
            return name
    return None


def without_roles(name: str) -> str:
    """Return the name of a case without the sides of its parties and without "Case of" before them.

    >>> without_roles("CASE OF KEEPER (Appellant) v. HARBOUR BOARD (Respondent)")
    'KEEPER v. HARBOUR BOARD'
    """
    return _CASE_OF.sub("", _SIDE.sub("", name), count=1)


def _labelled(lines: Sequence[str], words: _Words) -> tuple[str, str] | None:
    first, second = (_below_label(lines, label) for label in (words.first, words.second))
    return (first, second) if first and second else None


def _below_label(lines: Sequence[str], label: re.Pattern[str]) -> str | None:
    """Return the name behind or below the first line that is a label."""
    for index, line in enumerate(lines):
        if (match := label.match(line)) is None:
            continue
        rest = line[match.end() :]
        if not rest.strip(" :|"):
            return next((name for below in lines[index + 1 : index + 3] if (name := _name(below))), None)
        if rest.lstrip().startswith((":", "|")):
            return _name(rest.lstrip(" :|"))
    return None


def _parted(lines: Sequence[str], words: _Words, is_above: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the first names below the opening, or the lines above the parties, and below the line "against"."""
    bare = [line.strip(" |:,.-–—") for line in lines]
    middle = next((index for index, line in enumerate(bare) if words.against.fullmatch(line)), None)
    if middle is None:
        return None
    opening = max((index for index, line in enumerate(bare[:middle]) if words.opening.fullmatch(line)), default=None)
    if opening is None:
        opening = max((index for index, line in enumerate(lines[:middle]) if is_above(line)), default=middle)
    first = next((name for line in lines[opening + 1 : middle][:_PARTY_LINES] if (name := _name(line))), None)
    second = next((name for line in lines[middle + 1 :][:_PARTY_LINES] if (name := _name(line))), None)
    return (first, second) if first and second else None


def _in_sentence(header: Sequence[str], words: _Words) -> tuple[str, str] | None:
    texts = [" ".join(text.split()) for text in (*header, " ".join(header))]
    for match in (match for text in texts for sentence in words.sentences if (match := sentence.search(text))):
        first, second = (_name(match[side][:1].upper() + match[side][1:]) for side in ("first", "second"))
        if first and second:
            return first, second
    return None


def _name(line: str) -> str | None:
    name = _BEHIND_NAME.split(_BEFORE_NAME.sub("", line.strip(" |")), maxsplit=1)[0].strip(" ,;:")
    return name if _NAME.match(name) and ":" not in name and len(name) <= _NAME_CHARS else None


@functools.cache
def _words(code: str) -> _Words | None:
    section = language(code).section("judgments").get("parties")
    return _Words(section) if section else None


@functools.cache
def _against_in_titles() -> re.Pattern[str]:
    """Return the pattern of the words between the names of parties in all languages, between spaces."""
    of_languages = [language(code).section("judgments").get("parties", {}) for code in known_languages()]
    words = [
        *map(re.escape, sorted(AGAINST)),
        *(word for section in of_languages for word in section.get("against", ())),
    ]
    return any_of([f" (?:{word}) " for word in words])
