"""Judgments in any language: whether a text is one, its country and its cover, by the words of languages and countries.

`[judgments]` of a language has the words: `court` (a line that names a court), `title` (a whole line that names the decision),
`signs` (other signs of a cover), `number` (the case number), `decided` (a line with the day of the decision), `name` (a line
with the name that the court gives to the case), `parties` (see `parties`), `paragraph` (before the
number of a cited paragraph) and `headings` (a list per part). In `[judgments]` of a country, `courts` are the names of its courts,
`others` lines of a cover whose number is that of another judgment's case, and `several_decisions` says that a
case may have several decisions under its number. Not here: English covers (`plain_text`, `cause_title`), the parts (`structure`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline import citations
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.jurisdictions.jurisdiction import described, jurisdiction
from legal_pipeline.languages.language import language
from legal_pipeline.model.identity import UNKNOWN_COUNTRY
from legal_pipeline.parsing.judgment.paragraph_numbers import MINIMUM
from legal_pipeline.parsing.judgment.parties import read_parties
from legal_pipeline.parsing.judgment.phrases import Phrases, any_of, close_letters, load_phrases
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.language import detect_language

ENGLISH = "eng"
#: The cover is in this many texts at the beginning; a line of it is at most this long.
_COVER_TEXTS, _LINE_CHARS = 40, 150
#: The name of a court at the beginning of a sentence is within this many characters.
_COURT_CHARS = 60
#: A line with place and day, at the end, is at most this long.
_DAY_CHARS = 80
#: Place and day are in this many texts at the end.
_END_TEXTS = 8
#: The court is named in one of this many lines.
_FIRST_LINES = 15
#: Minimum number of signs besides the name of a court. A part that a heading announces is a sign, too.
_MIN_SIGNS = 2
#: Number of different parts that show a judgment without a title.
_PARTS_ALONE = 3
#: Without the name of a court, one in so many texts has the number of a paragraph.
_EACH_NUMBERED = 3
_PARAGRAPH = re.compile(r"\[?(\d{1,4})[\].)]?(?=\s|\Z)")
#: The language is read from this many characters.
_LANGUAGE_CHARS = 6000
#: A statute has numbered provisions. A judgment may list provisions on its cover; below, fewer than this many texts begin with one.
_MAX_PROVISIONS = 3
_ECLI = re.compile(r"ECLI:[A-Z]{2}:\w{1,7}:\d{4}:[\w.]{1,25}")
_LABEL = re.compile(r"^[^\W\d_]+:[\s|]*(?=\S)")
#: The place of a court in the line below its name: "TRIBUNAL ADMINISTRATIF", "DE RENNES".
_PLACE_BELOW = re.compile(r"(?:[^\W\d_a-z]{1,3} |D[’'])[^\W\d_a-z]{3}[^a-z\d]{0,38}")
#: The spaces of "12. 3. 2031".
_SPACED_DAY = re.compile(r"(?<=\d)\.\s(?=\d)")
_PART = re.compile(r"\s*[,:|]\s+|\s+[–—-]\s+")
_PROVISION = re.compile(
    r"(?:§+|art(?:icle|[ií]culo|igo|icolo|ikel|ykuł)?\.?)\s?(?P<number>\d+)|\d+ (?:kap\.|§)", re.IGNORECASE
)


class _Words:
    """The words of a language, from `[judgments]` of its data."""

    def __init__(self, code: str, section: Mapping[str, Any]) -> None:
        self.court = any_of(section["court"])
        self.title = any_of(section["title"])
        self.signs = [any_of([sign], in_lines=True) for sign in section["signs"]]
        self.numbers = [any_of([number], in_lines=True) for number in section["number"]]
        self.decided = any_of(section.get("decided", ()))
        self.name = any_of(section.get("name", ()), ignore_case=False)
        self.phrases = load_phrases(UNKNOWN_COUNTRY, code)


def judgment_language(texts: Sequence[str]) -> str | None:
    """Return the language (ISO 639-3) of a judgment that `texts`, its paragraphs and lines, are; None if they are none that is known.

    English judgments are recognised by `plain_text.looks_like_a_judgment`.
    """
    found = detect_language("\n".join(texts)[:_LANGUAGE_CHARS]).code
    words = _words(found) if found else None
    if words is None:
        return None
    cover = _lines(texts)
    titled = any(words.title.fullmatch(line) for line in cover)
    # "Acuerdo de la Primera Sala de la Suprema Corte …": a title, and the court in a sentence
    in_sentence = titled and any(words.court.search(text) for text in texts[:_FIRST_LINES])
    parts = _announced(texts, words.phrases)
    is_named = _court(cover, words) or _deciding_court(texts, words) or in_sentence or _has_ecli(cover)
    if not is_named and not (len(parts) >= _PARTS_ALONE and _are_numbered(texts)):
        return None
    if sum(_PROVISION.match(text) is not None for text in _above_points(texts, words, titled)) >= _MAX_PROVISIONS:
        return None
    head = "\n".join(cover)
    signs = titled + sum(bool(sign.search(head)) for sign in words.signs)
    return found if parts and signs + len(parts) >= _MIN_SIGNS else None


def names_itself(texts: Sequence[str], phrases: Phrases, code: str) -> bool:
    """Whether a line of the cover is the title of a decision or its ECLI, or headings announce at least `_PARTS_ALONE` parts.

    A note on a judgment names its court and number and may have a heading "Facts", but it has neither.
    """
    words = _words(code)
    title = phrases.body_begins.match if words is None else words.title.fullmatch
    cover = _lines(texts)
    if any(title(line) for line in cover) or _has_ecli(cover):
        return True
    return len(_announced(texts, phrases)) >= _PARTS_ALONE


def _has_ecli(cover: Sequence[str]) -> bool:
    """Whether a line is an ECLI alone: notes on a judgment have it in a sentence."""
    return any(_ECLI.fullmatch(line) for line in cover)


def _are_numbered(texts: Sequence[str]) -> bool:
    """Whether at least one text in three is, or begins with, the next number of a paragraph: a judgment whose publisher shows its court
    elsewhere. A note on a judgment may have a short list."""
    number = 0
    for text in texts:
        match = _PARAGRAPH.match(text)
        number += match is not None and int(match[1]) == number + 1
    return number * _EACH_NUMBERED >= len(texts) and number >= MINIMUM


def _above_points(texts: Sequence[str], words: _Words, titled: bool) -> Sequence[str]:
    """Return the texts below the cover and above the points of the order, which may be articles ("Article 1er : Le jugement est annulé.").

    An act announces its articles too ("Arrête :"): the heading is that of an order if the cover has the title of a decision, or a heading
    above it announces reasons. The points below it count from 1.
    """
    roles = [(at, words.phrases.heading_role(text)) for at, text in enumerate(texts) if len(text) <= _LINE_CHARS]
    order = max((at for at, role in roles if role == "decision"), default=len(texts))
    first = next((match for text in texts[order:] if (match := _PROVISION.match(text))), None)
    is_order = first is not None and first["number"] == "1"
    is_order = is_order and (titled or any(role == "motivation" for at, role in roles if at < order))
    return texts[_COVER_TEXTS : order if is_order else len(texts)]


def _announced(texts: Sequence[str], phrases: Phrases) -> set[str]:
    """Return the parts that headings announce."""
    return {role for text in texts if len(text) <= _LINE_CHARS and (role := phrases.heading_role(text)) is not None}


def court_country(texts: Sequence[str]) -> str | None:
    """Return the country whose court the first lines name; None if no country's data name it."""
    first = [part for line in _lines(texts)[:_FIRST_LINES] for part in _parts(line)]
    # "Nejvyšší soud rozhodl v senátě …": a court that the cover names only in a sentence is at its beginning
    first += [text.strip()[:_COURT_CHARS] for text in texts[:_FIRST_LINES] if len(text) > _LINE_CHARS]
    first += texts[:_FIRST_LINES]  # else anywhere in a sentence: "Acuerdo de la Primera Sala de la Suprema Corte …"
    return next((country for part in first for country, courts in _courts() if courts.search(part)), None)


def own_number(header: Sequence[str], country: str) -> tuple[str, WorkIdentity | None] | None:
    """Return the first number of a case above the body, and the judgment of `country` if it identifies one; None without a number.

    Later numbers are those of other judgments: of the court below, or cited.
    """
    found = citations.find("\n".join(_lines(header)), jurisdiction(country))
    own = next((reference for reference in found if reference.kind == "case"), None)
    if own is None:
        return None
    others = any_of(jurisdiction(country).section("judgments").get("others", ()), ignore_case=False)
    is_other = any(others.search(line.strip()) for text in header for line in text.split("\n"))
    work = read_work_uri(own.work_uri) if own.work_uri and not is_other else None
    return own.raw, work if work is not None and work.country == country else None


def read_cover(header: Sequence[str], texts: Sequence[str], code: str) -> dict[str, Any]:
    """Return court, case number, date, parties and title of a judgment in a language other than English, each None if the text does not
    show it.

    `header` is the text above the body. One of the last `texts` may have place and day, and one of the first the labelled day.
    """
    words = _words(code)
    cover = _lines(header)
    if words is None:
        return dict.fromkeys(("court", "case_number", "date_decided", "parties", "title"))
    numbers = (pattern.search("\n".join(cover)) for pattern in words.numbers)
    last = [line for line in _lines(texts[-_END_TEXTS:]) if len(line) <= _DAY_CHARS]
    labelled = [line for line in [*cover, *_lines(texts), *last] if words.decided.search(line)]
    dated = [_SPACED_DAY.sub(".", line) for line in (*labelled, *cover, *reversed(last))]
    parties = read_parties(header, code, lambda line: _is_above_parties(line, words))
    name = next((match["name"] for line in cover if (match := words.name.fullmatch(line))), None)
    return {
        "court": _court(cover, words) or _deciding_court(header, words),
        "case_number": next((match["number"].strip() for match in numbers if match), None),
        "date_decided": next((day for line in dated if (day := first_date(line, code, "day first"))), None),
        "parties": {"applicant": parties.first, "respondent": parties.second} if parties else None,
        "title": name or (parties.title if parties else None),
    }


def _is_above_parties(line: str, words: _Words) -> bool:
    """Whether a line of the cover is the title, or names the number of a case or, with its first words, a court."""
    named = words.title.fullmatch(line) or words.court.search(line[:_COURT_CHARS])
    return bool(named or any(number.search(line) for number in words.numbers))


def names_court(text: str, code: str) -> bool:
    """Whether `text` names a court, by the words of the language."""
    words = _words(code)
    return words is not None and words.court.search(text) is not None


def _court(cover: Sequence[str], words: _Words) -> str | None:
    """Return the first part of a line that names a court. A sentence does not."""
    for index, line in enumerate(cover):
        part = next((part for part in _parts(line) if words.court.search(part)), None) if line[-1] not in ".;" else None
        if part is not None:
            below = cover[index + 1] if index + 1 < len(cover) and line.endswith(part) else ""
            return f"{part} {below}" if part.isupper() and _PLACE_BELOW.fullmatch(below) else part
    return None


def _deciding_court(texts: Sequence[str], words: _Words) -> str | None:
    """Return the court with which a text of the cover begins, "Nejvyšší soud rozhodl v senátě …": such a cover has no line for it."""
    named = (words.court.match(text.strip()) for text in texts[:_COVER_TEXTS])
    return next((match.group() for match in named if match), None)


def _parts(line: str) -> list[str]:
    """Return the parts of a line between signs, without a label at its beginning ("Gericht: BGH")."""
    return [part for part in _PART.split(_LABEL.sub("", line)) if part]


def _lines(texts: Sequence[str]) -> list[str]:
    lines = [line.strip() for text in texts[:_COVER_TEXTS] for line in text.split("\n")]
    return [close_letters(line) for line in lines if line and len(line) <= _LINE_CHARS]


@functools.cache
def _words(code: str) -> _Words | None:
    section = language(code).section("judgments")
    return _Words(code, section) if section else None


@functools.cache
def _courts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    named = ((country.code, country.section("judgments").get("courts", ())) for country in described())
    return tuple((code, any_of(courts, ignore_case=False)) for code, courts in named if courts)
