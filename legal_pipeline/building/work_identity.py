"""Reads the work from a URI, and makes the ids of a work and of its text in one language; no other module makes them.

URIs of Akoma Ntoso have their own rule; those of publishers (ELI, legislation.gov.uk, CELEX) have forms in the data of their country
(`identifiers`). Not here: ids of texts without a work (`parsing.generic.identity`), citations.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, jurisdiction
from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.identity import MAX_ID_CHARS, UNDETERMINED, document_id
from legal_pipeline.model.slug import slug

#: Kinds of documents in URIs: a path that begins with two letters is an address of Akoma Ntoso only if one of these follows.
_KINDS = frozenset(
    {"act", "bill", "judgment", "judgement", "doc", "statement", "amendment", "amendmentlist", "debate", "debatereport", "officialgazette",
     "documentcollection", "collection", "portion", "by-law", "bylaw", "regulation", "gn", "government-notice"}
)  # fmt: skip
_AKN = re.compile(
    r"(?:^|/)akn/(?P<country>[a-z]{2,3})(?:-(?P<locality>[^/]+))?/(?P<type>[A-Za-z-]+)/(?P<rest>[^!~\s?#]+)"
)
_SHORT = re.compile(
    r"(?:https?://[^/\s]+)?/(?P<country>[a-z]{2})(?:-(?P<locality>[^/]+))?/(?P<type>[A-Za-z-]+)/(?P<rest>[^!~\s?#]+)"
)
_EXPRESSION = re.compile(r"(?P<language>[a-z]{3})(?:[@:](?P<date>\d{4}-\d{2}-\d{2})?[^/]*)?")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
#: Subtypes that are regulations in any country; a country's own subtypes are in its data (`work_types`).
_REGULATIONS = frozenset(
    {"by-law", "bylaw", "regulation", "regulations", "rules", "order", "ordinance-regulation", "si", "statutory-instrument", "gn",
     "ln", "government-notice", "legal-notice", "proclamation", "notice"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorkIdentity:
    """The parts of a work's URI, `/akn/<country>[-<locality>]/<type>/<parts>`.

    `language` (ISO 639-3) and `date` (ISO) are those of the expression in the URI, None if it names none.

    >>> WorkIdentity("ch", None, "act", ("1999", "404")).document_id
    'ch-act-1999-404'
    """

    country: str
    locality: str | None
    type: str
    parts: tuple[str, ...]
    language: str | None = None
    date: str | None = None
    #: The document type and the form of the number according to the country's data; "" if it has none.
    stated_type: str = field(default="", compare=False)
    stated_number: str = field(default="", compare=False)
    #: The id behind the code of the country, by the country's data; "" if it has none.
    stated_id: str = field(default="", compare=False)

    @property
    def place(self) -> str:
        return f"{self.country}-{self.locality}" if self.locality else self.country

    @property
    def work_uri(self) -> str:
        return "/".join(("/akn", self.place, self.type, *self.parts))

    @property
    def document_id(self) -> str:
        """Return the id of the work in its country's first language; `in_language` makes the ids of the other languages."""
        return document_id(self.place, *([self.stated_id] if self.stated_id else [self.type, *self.parts]))

    @property
    def doc_type(self) -> str:
        """Return the document type of the chunk table."""
        if self.stated_type:
            return self.stated_type
        subtypes = {part.lower() for part in self.parts[:-1]}
        if self.type == "judgment":
            return "judgment"
        if self.type.lower() in _REGULATIONS:
            return "regulation"
        if self.type != "act":
            return "other"
        if "constitution" in subtypes or self.parts[-1] == "constitution":
            return "constitution"
        types: Mapping[str, str] = jurisdiction(self.country).section("work_types")
        stated = next((types[part] for part in self.parts[:-1] if part in types), None)
        return stated or ("regulation" if subtypes & _REGULATIONS else "act")

    @property
    def year(self) -> str | None:
        return next((part for part in self.parts if _DATE.fullmatch(part)), None)

    @property
    def number(self) -> str:
        """Return the number in the form of the country's data, else `Act 70 of 1979`, `gn 5 of 1990`, or the last part if it is a name."""
        if self.stated_number:
            return self.stated_number
        last, year = self.parts[-1], self.year
        if year and last != year and last[:1].isdigit() and self.type != "judgment":
            kind = self.parts[0] if len(self.parts) > 2 else "Act" if self.type == "act" else self.type
            return f"{kind} {last} of {year[:4]}"
        return last


def read_work_uri(uri: str) -> WorkIdentity | None:
    """Return the work in `uri`, with language and date if it has them; None for a URI of unknown form.

    The country is never derived only from the first segment of a path: `/id/ewfc/2017/83` is not Indonesian.

    >>> read_work_uri("/za/act/1979/70/eng@2020-10-22").document_id
    'za-act-1979-70'
    """
    uri = uri.strip()
    return next(_published(uri), None) or _akoma_ntoso(uri)


def languages(country: str) -> Sequence[str]:
    """Return ISO 639-3 codes of the languages in which a country's law is published, that of its first official text first.

    For a locality they are those of its country; empty if they are not known.
    """
    return jurisdiction(country).languages


def in_language(work_id: str, country: str, language: str) -> str:
    """Return `work_id` with the language as suffix, unless it is the first of the country, unknown, or already there.

    >>> in_language("ch-act-1999-404", "ch", "fra"), in_language("ch-act-1999-404", "ch", "deu")
    ('ch-act-1999-404-fra', 'ch-act-1999-404')
    """
    known = languages(country)
    if not known or language in (UNDETERMINED, "", known[0]) or work_id.endswith(f"-{language}"):
        return work_id
    return f"{work_id[: MAX_ID_CHARS - len(language) - 1].rstrip('-.')}-{language}"


def _akoma_ntoso(uri: str) -> WorkIdentity | None:
    match = _AKN.search(uri)
    if match is None:
        match = _SHORT.match(uri)
        if match is None or match["type"].lower() not in _KINDS:
            return None
    parts = [part for part in match["rest"].split("/") if part]
    language = date = None
    for index, part in enumerate(parts):
        expression = _EXPRESSION.fullmatch(part)
        if expression is not None and index >= 2:
            language, date = expression["language"], expression["date"]
            parts = parts[:index]
            break
    if len(parts) > 1 and parts[-1] == "main":  # the main part of the work, in version 2
        parts.pop()
    if not parts:
        return None
    kind = match["type"].replace("judgement", "judgment")  # one work, whichever way its publisher spells the type
    return WorkIdentity(match["country"], match["locality"], kind, tuple(parts), language, date)


@dataclass(frozen=True)
class _Shape:
    """A form of URIs: `uri` matches from the start; `work`, `number` and `id` are filled from its groups, in which `values` replaces words
    (a name in capitals: the group in capitals)."""

    country: str
    uri: re.Pattern[str]
    work: str
    number: str = ""
    id: str = ""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Parts of the country (ISO 3166-2, in lower case) by the text that a group matches.
    localities: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    doc_type: str = ""

    def read(self, uri: str) -> WorkIdentity | None:
        match = self.uri.match(uri)
        if match is None:
            return None
        groups = {name: value or "" for name, value in match.groupdict().items()}
        locality = next((table[groups[name]] for name, table in self.localities.items() if groups[name] in table), None)
        for name, table in self.values.items():
            groups[name] = table.get(groups[name], groups[name])
        pieces = [slug(piece) for piece in self.work.format(**groups).split("/")]
        kind, *parts = [piece for piece in pieces if piece]
        groups |= {name.upper(): value.upper() for name, value in groups.items()}
        language = iso_639_3(groups["language"]) if groups.get("language") else None
        date = _iso(groups.get("date", ""))
        number, own_id = self.number.format(**groups), self.id.format(**groups)
        return WorkIdentity(self.country, locality, kind, tuple(parts), language, date, self.doc_type, number, own_id)


def _iso(date: str) -> str | None:
    digits = date.replace("-", "")
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if len(digits) == 8 and digits.isdigit() else None


def _published(uri: str) -> Iterator[WorkIdentity]:
    for country in countries():
        for shape in _shapes(country):
            if (found := shape.read(uri)) is not None:
                yield found


@functools.cache
def _shapes(country: Jurisdiction) -> tuple[_Shape, ...]:
    rows: Sequence[Mapping[str, Any]] = country.data.get("identifiers", ())
    return tuple(_Shape(country.code, **{**row, "uri": re.compile(row["uri"])}) for row in rows)
