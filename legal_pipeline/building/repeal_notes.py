"""The forms of notes that say that a provision was repealed or omitted, in one language: "(Repealed: 2009, c. 33, s. 11)".

The parts of a note, of which only the words of repeal are always there: words of the publisher ("Note:"), the provision, the words of
repeal, then the act and the day. Not here: which nodes contain only such notes (`building.repeals`).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.languages.language import PROVISION_KINDS, Language, ProvisionKind, language
from legal_pipeline.text.alternation import alternation

_OPENING, _CLOSING = "([{<（【〔［《〈", ")]}>）】〕］》〉"
#: A letter, a figure or an opening bracket.
_FIRST_SIGN = re.compile(rf"[^\W_]|[{re.escape(_OPENING)}]")
#: A word that may begin a sentence; not the month in "vom 3. Januar 2031" and "eff. July 1", nor the word behind an initial.
_BEHIND_STOP = re.compile(
    r"(?<![\s.(]\w)(?:\.(?!(?<=\d\.)\s+[^\W\d_]+\s+\d{4})\s+|[。۔।]\s*)(?P<word>[^\W\d_]++)(?!\.?\s\d)"
)
#: A year, a date or a number of an act.
_CITED = re.compile(r"\d{4}|\d\s?[/.-]\s?\d|[º°№]\s?\d")
#: Words with at most so many letters stand in citations of acts ("s.", "of", "eff.", "Pub. L.").
_SHORT = 4
#: Least share of words with digits in a line of citations: "2031, c. 7, Sched. 1, s. 11 (3) - 15/12/2031".
_FIGURES = 0.4
_LONGEST_TAIL = 400
_NUMBER = r"\d[\w.-]{0,8}"
_DIGITS = re.compile(r"\d+")
_PROVISIONS: tuple[ProvisionKind, ...] = ("article", "section")
#: "(1.4.2031)" behind the word of repeal.
_DATED = re.compile(r"\A\s?\([^()]{0,60}\d{4}[^()]{0,60}\)")


@dataclass(frozen=True)
class NoteForm:
    """Compiled patterns: `opening` matches a note up to its words of repeal, `ending` these words at its end, `by` the words that may
    follow them ("by Act 5 of 2031"). `noted` matches a statement about a provision inside a line, with its number (`first`, and `last` of
    a range). `history` matches the beginning of other notes on amendments. `law` matches a verb that only a provision has, and no note."""

    opening: re.Pattern[str]
    ending: re.Pattern[str]
    by: re.Pattern[str]
    noted: re.Pattern[str]
    history: re.Pattern[str]
    law: re.Pattern[str]

    def status_in(self, text: str, number: str | None = None) -> str | None:
        """Return "repealed" or "omitted" if `text` says that of the provision `number` and nothing else; else None."""
        inside, outside = _bracketed(text)
        said = text if inside is None else inside
        match = self.opening.match(said)
        if match is None or not self._speaks_of(match, number):
            return None
        rest = said[match.end() :]
        is_named = self._number(match) is not None and inside is None and not match["note"]
        if re.search(r"\w", rest):
            is_law = inside is None and (_goes_on_with_law(rest) or self.law.search(rest) is not None)
            goes_on = self.by.match(_DATED.sub("", rest)) is not None and not is_law
            in_brackets = inside is not None and (not rest[0].isspace() or bool(re.search(r"\d", rest)))
            if len(rest) > _LONGEST_TAIL or not (goes_on or in_brackets or _is_citation(rest)):
                return None
        elif is_named:  # "Section 7 is repealed." may be what an amending provision does
            return None
        if not self.is_history(outside) and self.status_in(outside, number) is None:
            return None
        return _status_of(match)

    def status_begun(self, note: str) -> str | None:
        """Return the status in the first words of `note`, which stands for a provision without text; None if they state none."""
        match = self.opening.match(note)
        return _status_of(match) if match else None

    def status_ended(self, note: str) -> str | None:
        """Return the status in the last words of `note`, as in languages that set the verb last; None if they state none."""
        match = self.ending.search(note)
        return _status_of(match) if match else None

    def status_noted(self, line: str, number: str) -> str | None:
        """Return the status of the provision `number` that a note in `line` states, None if it states none."""
        for match in self.noted.finditer(line):
            if self._speaks_of(match, number):
                return _status_of(match)
        return None

    def is_history(self, text: str) -> bool:
        """Whether `text` has no words except those of notes on amendments and citations of acts."""
        outer = text.strip()
        while outer and (parts := _bracketed(outer))[0] is not None:
            outer = parts[1].strip()
        if not re.search(r"[^\W\d_]", outer) or self.history.match(outer) is not None:
            return True
        words = re.findall(r"\w+", outer)
        figures = sum(any(map(str.isdigit, word)) for word in words)
        return figures >= _FIGURES * len(words) and _is_citation(": " + outer)

    @classmethod
    def _speaks_of(cls, match: re.Match[str], number: str | None) -> bool:
        """Whether a note that names a provision names `number`."""
        named = cls._number(match)
        if named is None or number is None:
            return True
        first, last, own = (_bare(text or "") for text in (named, match["last"], number))
        if first == own or (last and own.startswith(first) and own.endswith(last)):
            return True
        start, at, end = (int(each.group()) if each else -1 for each in map(_DIGITS.match, (first, own, last)))
        return bool(last) and 0 <= start <= at <= end

    @staticmethod
    def _number(match: re.Match[str]) -> str | None:
        return match["first"] or match["before"]


@functools.cache
def note_form(code: str) -> NoteForm | None:
    """Return the form of notes in the language `code` (ISO 639-3), None if its data has none."""
    known = language(code)
    data = known.section("repealed")
    if not data:
        return None
    states, provisions = _states(data), _names(known, _PROVISIONS)
    subjects = data.get("subjects", ())
    names = "|".join((provisions, _names(known, PROVISION_KINDS), *subjects))
    noted = "|".join((provisions, *subjects))
    joins = alternation([*known.section("provisions").get("joins", ()), *data.get("ranges", ())]) or "(?!)"
    more = rf"(?:\s?(?:,|[-–—]|(?i:{joins})(?!\w))\s?(?:(?i:{names})\.?\s?)?"
    behind = rf"(?i:{names})(?![^\W\d])\.?(?:\s?(?P<first>{_NUMBER}){more}(?P<last>{_NUMBER}))*)?"
    before = rf"(?P<before>{_NUMBER})\s?(?i:{names})(?![^\W\d])"
    note = rf"(?i:{alternation(data.get('notes', ())) or '(?!)'})(?!\w)"
    by = "|".join(data["by"])
    history = [*data.get("history", ()), *filter(None, [known.section("provisions").get("history")])]
    return NoteForm(
        re.compile(rf"\W*(?P<note>{note}\W*)?(?:(?:{behind}|{before})\W{{0,4}})?{states}", re.DOTALL),
        re.compile(rf"(?<!\w){states}\W*\Z"),
        re.compile(rf"\W{{0,4}}(?i:{by})(?:(?<!\w)|(?!\w))", re.DOTALL),
        re.compile(
            rf"(?<!\w)(?i:{noted})\.?\s?(?P<first>{_NUMBER})(?P<before>(?!))?{more}(?P<last>{_NUMBER}))*\W{{1,12}}{states}"
        ),
        re.compile("|".join(history) or "(?!)", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{alternation(data.get('law', ())) or '(?!)'})(?!\w)"),
    )


def _states(data: Mapping[str, Any]) -> str:
    """Return the pattern of the words that say what became of a provision."""
    forms = {"repealed": data.get("words", ()), "omitted": data.get("omitted", ())}
    listed = [rf"(?P<{status}>(?i:{'|'.join(words)}))" for status, words in forms.items() if words]
    return rf"(?:{'|'.join(listed)})(?!\w)"


def _status_of(match: re.Match[str]) -> str:
    return next(status for status in ("repealed", "omitted") if match.groupdict().get(status))


def _names(known: Language, kinds: Sequence[ProvisionKind]) -> str:
    words = {word.rstrip(".") for kind in kinds for word in known.provision_words(kind)}
    return rf"§§?|(?:{alternation(sorted(words)) or '(?!)'})(?!\w)"


def _bracketed(text: str) -> tuple[str | None, str]:
    """Return what the first brackets around the beginning of `text` contain, None if it begins with none, and what is behind them."""
    first = _FIRST_SIGN.search(text)
    if first is None or first[0] not in _OPENING:
        return None, ""
    start = first.start()
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] in _OPENING) - (text[index] in _CLOSING)
        if depth == 0:
            return text[start + 1 : index], text[index + 1 :]
    return text[start + 1 :], ""


def _is_citation(rest: str) -> bool:
    """Whether `rest` only cites acts and days: ": 2009, c. 33, Sched. 1, s. 11 (3).", ", G.O. 21 de noviembre de 2018".

    A statement goes on with a sign before the citation, or a full stop, behind which every word is short, in capitals or has a digit.
    """
    body = rest.lstrip(" \n\"'”’»*")
    is_cited = (_DIGITS if body[:1] in _OPENING else _CITED).search(body) is not None
    if not is_cited or len(body) > _LONGEST_TAIL or body[0].isalnum():
        return False
    if body[0] in ",;–—-/" and not _goes_on_with_law(body):
        return True
    words = re.findall(r"\w+", body)
    return all(len(word) <= _SHORT or not word.islower() or any(map(str.isdigit, word)) for word in words)


def _goes_on_with_law(text: str) -> bool:
    """Whether a further sentence begins in `text`: "Repealed by Act 5 of 2031. Fees that are due remain payable."."""
    words = (match["word"] for match in _BEHIND_STOP.finditer(text))
    return any(len(word) >= _SHORT and (word.istitle() or word.lower() == word.upper()) for word in words)


def _bare(number: str) -> str:
    return re.sub(r"\W", "", unicodedata.normalize("NFKC", number)).casefold()
