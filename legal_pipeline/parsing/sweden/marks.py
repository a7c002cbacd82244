"""Editorial marks of the Swedish registers: amendment marks, temporal marks, and the words for a repeal.

Not here: the place of the marks in the tree (`parsing.sweden.writer`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from legal_pipeline.model.document import Amendment

_KINDS = r"(?:Lag|Förr?ordning|Kungörelse|Tillkännagivande|Kungl\.\s+kungörelse|Kungl\.\s+förordning)"
_ONE = rf"{_KINDS}\s?\(\s?(?:SFS\s)?(?:\d{{4}}:\d+(?:\s?s\.?\s?\d+)?)(?:\s?,\s?\d{{4}}:\d+)*(?:\)|$)"
#: One or more amendment marks at the very end of a block; some sources set them in slashes or brackets.
_TRAILING = re.compile(rf"(?:^|(?<=[\s.,:;)/]))[/(]?{_ONE}(?:[.,;]?\s+(?:och\s+)?{_ONE})*\s?[.,;]?[/)]?\s?\.?$")
_NUMBER = re.compile(r"\d{4}:\d+(?:\s?s\.?\s?\d+)?")
_TEMPORAL = re.compile(
    r"/(?P<scope>[^/:\d]{0,40}?)\s*(?P<verb>[Uu]pphör att gälla|[Tt]räder i kraft)\s+(?P<sign>[UI])\s?:\s?(?P<when>[^/]{3,200}?)\s*/"
)
_BY_ACT = re.compile(r"\s*genom\s+\w+\s+\(?(\d{4}:\d+)\)?\.?$")
#: `/r4/` before a heading is a layout code of the register.
_LAYOUT = re.compile(r"/r\d/")
LAYOUT = "layout"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_REPEALED = re.compile(
    r"(?:(?:Paragrafen|Kapitlet|Avdelningen|Bilagan)\s+)?"
    r"(?:[Hh]ar\s+(?:upphävts?|upphört\s+att\s+gälla)|[Uu]pphävd|[Uu]pphävts|[Uu]pphävda|[Uu]pphävt|[Hh]a\s+upphävts)\b(?P<rest>[^§]{0,200})$"
)
#: Maximum number of characters after the words of a repeal; with more text the provision still has content.
_REPEALED_REST = 160


@dataclass(frozen=True, slots=True)
class TemporalMark:
    """`/Upphör att gälla U:2024-11-01/` at `start`..`end` of a block: the text ends (`ends`) or begins at `when` (an ISO date or words)."""

    start: int
    end: int
    ends: bool
    when: str
    by: str | None
    scope: str

    @property
    def amendment(self) -> Amendment | None:
        if self.by is None:
            return None
        date = self.when if _ISO_DATE.fullmatch(self.when) else None
        return Amendment(by=self.by, date=date, action="repealed" if self.ends else "amended")


def sfs(number: str) -> str:
    return f"SFS {number}"


def trailing_amendments(text: str) -> tuple[int, tuple[Amendment, ...]]:
    """Return (offset of the amendment marks at the end of `text`, their amendments); (len(text), ()) without a mark.

    >>> trailing_amendments("Avgiften är 800 kronor. Förordning (2008:24).")
    (24, (Amendment(by='SFS 2008:24', date=None, action='amended'),))
    """
    if ")" not in text[-3:] and not text[-1:].isdigit():
        return len(text), ()
    from_ = max(len(text) - 160, 0)
    match = _TRAILING.search(text, from_)
    if match is None:
        return len(text), ()
    return match.start(), tuple(Amendment(sfs(n), action="amended") for n in _NUMBER.findall(match.group()))


def temporal_marks(text: str) -> list[TemporalMark]:
    """Return all temporal marks of a block, in order."""
    if "/" not in text:
        return []
    found = []
    for match in _TEMPORAL.finditer(text):
        when, by = match["when"].strip(), None
        if act := _BY_ACT.search(when):
            when, by = when[: act.start()], sfs(act[1])
        if date := _ISO_DATE.match(when):
            when = date.group()
        found.append(
            TemporalMark(
                match.start(), match.end(), match["sign"] == "U", when.strip(" ."), by, match["scope"].strip().lower()
            )
        )
    return found


def leading_marks(text: str) -> tuple[list[TemporalMark], int]:
    """Return (temporal marks at the beginning of a block, offset of the text after them)."""
    if not text.startswith("/"):
        return [], 0
    marks: list[TemporalMark] = []
    position = 0
    temporal = temporal_marks(text)
    while True:
        mark = next((mark for mark in temporal if mark.start == position), None)
        if mark is None and (layout := _LAYOUT.match(text, position)):
            mark = TemporalMark(layout.start(), layout.end(), ends=False, when="", by=None, scope=LAYOUT)
        if mark is None:
            return marks, position
        marks.append(mark)
        position = mark.end
        while position < len(text) and text[position] == " ":
            position += 1


def repealed_by(text: str) -> tuple[bool, tuple[Amendment, ...]]:
    """Return (whether `text` only records the repeal of the provision, the repealing acts).

    >>> repealed_by("Har upphävts genom lag (1988:942).")
    (True, (Amendment(by='SFS 1988:942', date=None, action='repealed'),))
    """
    match = _REPEALED.match(text)
    if match is None or len(match["rest"]) > _REPEALED_REST:
        return False, ()
    return True, tuple(Amendment(sfs(n), action="repealed") for n in _NUMBER.findall(match["rest"]))
