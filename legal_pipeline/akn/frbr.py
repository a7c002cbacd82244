"""FRBR URIs of Akoma Ntoso: `/akn/za/act/1979/70/eng@2020-10-22` as identity, language and date.

Not here: what stands behind them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from legal_pipeline.model.identity import document_id

_URI = re.compile(
    r"(?:https?://[^/\s]+)?(?:/akn)?/(?P<country>[a-z]{2})(?:-(?P<locality>[^/]+))?/(?P<type>[A-Za-z]+)/(?P<rest>[^!~\s]+)"
)
_EXPRESSION = re.compile(r"(?P<language>[a-z]{3})(?:[@:](?P<date>\d{4}-\d{2}-\d{2})?)?")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")

_REGULATIONS = frozenset(
    {"by-law", "bylaw", "regulation", "regulations", "rules", "order", "ordinance-regulation", "si", "statutory-instrument", "gn",
     "ln", "government-notice", "legal-notice", "proclamation", "notice"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frbr:
    """The parts of an FRBR URI. `work_uri` always begins with `/akn/`; `date` is that of the expression."""

    country: str
    locality: str | None
    type: str
    parts: tuple[str, ...]
    language: str | None = None
    date: str | None = None

    @property
    def place(self) -> str:
        return f"{self.country}-{self.locality}" if self.locality else self.country

    @property
    def work_uri(self) -> str:
        return "/".join(("/akn", self.place, self.type, *self.parts))

    @property
    def document_id(self) -> str:
        return document_id(self.place, self.type, *self.parts)

    @property
    def doc_type(self) -> str:
        """One of the document types of the chunk table."""
        subtypes = {part.lower() for part in self.parts[:-1]}
        if self.type == "judgment":
            return "judgment"
        if self.type != "act":
            return "other"
        if "constitution" in subtypes or self.parts[-1] == "constitution":
            return "constitution"
        return "regulation" if subtypes & _REGULATIONS else "act"

    @property
    def year(self) -> str | None:
        return next((part for part in self.parts if _DATE.fullmatch(part)), None)

    @property
    def number(self) -> str:
        """`Act 70 of 1979`, or the last part where it is a name."""
        last, year = self.parts[-1], self.year
        if year and last != year and last[:1].isdigit() and self.type == "act":
            return f"Act {last} of {year[:4]}" if len(self.parts) == 2 else f"{self.parts[0]} {last} of {year[:4]}"
        return last


def parse_frbr(uri: str) -> Frbr | None:
    """The parts of `uri`, None when it is no FRBR URI.

    >>> parse_frbr("/za/act/1979/70/eng@2020-10-22").document_id
    'za-act-1979-70'
    """
    match = _URI.match(uri.strip())
    if match is None:
        return None
    parts = [part for part in match["rest"].split("/") if part]
    language = date = None
    for index, part in enumerate(parts):
        expression = _EXPRESSION.fullmatch(part)
        if expression is not None and index >= 2:
            language, date = expression["language"], expression["date"]
            parts = parts[:index]
            break
    if not parts:
        return None
    return Frbr(match["country"], match["locality"], match["type"], tuple(parts), language, date)
