"""Filters of a search: kinds of documents and chunks, courts, dates, and the law in force on a day.

A value that cannot occur in the index is refused, so that a misspelt filter does not give an empty result. Not here: how a store applies
conditions (`stores`).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace

from legal_pipeline.chunking.chunk import CHUNK_TYPES
from legal_pipeline.chunking.plan import criteria
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.countries import usual_code
from legal_pipeline.model.identity import DOC_TYPES
from legal_pipeline.retrieval.query_text import verify_text
from legal_pipeline.stores.store import AnyOf, Condition, DateRange, Either, Not
from legal_pipeline.text.dates import iso

#: Payload field of a superseded wording that is kept for its history.
SUPERSEDED = "superseded"

_SUMMARY = "raptor_summary"
_JURISDICTION = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,3})?")
_LANGUAGE = re.compile(r"[a-z]{3}")


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Each field that is given must match; of several values, any one. `excluded_document_ids` are documents that are never shown.

    `in_force` keeps the provisions in force on that day by the wording that the index holds today. `as_of` searches the wordings of that
    day: it includes superseded wordings (`SUPERSEDED`, present when history is kept), and excludes summaries, which are of today's wording.
    Without a day a search shows the wordings that the index holds today: those in force, those pending, and those of repealed Acts, which
    are still applied to earlier facts, and must be found by their citation. A jurisdiction is a country, with all of its parts, or a part
    of one (`us-dc`), by the code that documents have for it. Raises ConfigurationError for a value that no document can
    have, and its subclass QueryError for a value that is not text.
    """

    jurisdictions: tuple[str, ...] = ()
    doc_types: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    chunk_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    courts: tuple[str, ...] = ()
    criterion_tags: tuple[str, ...] = ()
    legal_standards: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    excluded_document_ids: tuple[str, ...] = ()
    is_winning_argument: bool | None = None
    decided_since: datetime.date | None = None
    decided_until: datetime.date | None = None
    in_force: datetime.date | None = None
    as_of: datetime.date | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            for value in getattr(self, field.name) if isinstance(getattr(self, field.name), tuple) else ():
                verify_text(f"the filter `{field.name}`", value)
        _check_known("document type", self.doc_types, DOC_TYPES)
        _check_known("strategy", self.strategies, {*STRATEGIES, "raptor"})
        _check_known("chunk type", self.chunk_types, CHUNK_TYPES)
        if self.criterion_tags:
            _check_known("criterion", self.criterion_tags, criteria())
        object.__setattr__(self, "jurisdictions", usual_jurisdictions(self.jurisdictions))
        _check_form("language", self.languages, _LANGUAGE, "an ISO 639-3 code: swe, eng, fra")
        since, until = self.decided_since, self.decided_until
        if since is not None and until is not None and since > until:
            raise ConfigurationError(
                f"decided since {since} and until {until}: the first day must not be after the last"
            )
        if self.in_force is not None and self.as_of is not None:
            raise ConfigurationError("in_force and as_of name a day each; expected one of them")

    def excluding(self, document_ids: Collection[str]) -> SearchFilters:
        """Return these filters with these documents excluded."""
        return replace(self, excluded_document_ids=(*self.excluded_document_ids, *document_ids))

    def conditions(self) -> tuple[Condition, ...]:
        """Return the filters as conditions for a store."""
        named = {
            "doc_type": self.doc_types, "strategy": self.strategies,
            "chunk_type": self.chunk_types, "language": self.languages, "court": self.courts,
            "criterion_tag": self.criterion_tags, "legal_standard": self.legal_standards, "document_id": self.document_ids,
        }  # fmt: skip
        found: list[Condition] = [AnyOf(name, values) for name, values in named.items() if values]
        found += _in_jurisdictions(self.jurisdictions)
        if self.excluded_document_ids:
            found.append(Not(AnyOf("document_id", self.excluded_document_ids)))
        if self.is_winning_argument is not None:
            winning = AnyOf("is_winning_argument", (True,))
            found.append(winning if self.is_winning_argument else Not(winning))
        if self.decided_since is not None or self.decided_until is not None:
            found.append(DateRange("date_decided", since=iso(self.decided_since), until=iso(self.decided_until)))
        if self.in_force is not None:
            found += in_force(self.in_force)
        if self.as_of is not None:
            found += in_force(self.as_of)
            found.append(Not(AnyOf("chunk_type", (_SUMMARY,))))
        else:
            found.append(Not(AnyOf(SUPERSEDED, (True,))))
        return tuple(found)


def usual_jurisdictions(codes: Sequence[str]) -> tuple[str, ...]:
    """Return countries, and parts of countries, by the codes that documents have for them: `gb` for `uk`. Raises ConfigurationError for a
    text that is not a code."""
    for code in codes:
        verify_text("the jurisdiction", code)
    _check_form("jurisdiction", codes, _JURISDICTION, "a country code: se, in, zw, us, us-dc")
    return tuple(map(usual_code, codes))


def _in_jurisdictions(codes: Sequence[str]) -> list[Condition]:
    """Return the condition that a point is of one of the countries, or of one of the parts of a country (`us-dc`)."""
    parts = tuple(code for code in codes if "-" in code)
    whole = tuple(code for code in codes if "-" not in code)
    either = [AnyOf(name, values) for name, values in (("jurisdiction", whole), ("subdivision", parts)) if values]
    return [Either(tuple((each,) for each in either))] if len(either) > 1 else [*either]


def in_force(at: datetime.date) -> tuple[Condition, ...]:
    """Return conditions on points in force at `at`: neither the provision nor its Act begins later or has ended by then.

    `valid_to` is the first day on which a provision no longer applies, `repealed` the first such day of an Act. Each of them may be a
    condition in words instead of a date: a provision that begins on such a condition is not in force yet, one that ends on it still is.
    A provision whose source gives no date is in force as long as its Act is.
    """
    day = at.isoformat()
    return (
        DateRange("valid_from", until=day, or_absent=True),
        Not(DateRange("valid_to", until=day)),
        DateRange("in_force", until=day, or_absent=True),
        Not(DateRange("repealed", until=day)),
    )


def jurisdictions_of(filters: Sequence[Condition]) -> tuple[str, ...]:
    """Return the jurisdictions that the filters allow; empty if they allow all."""
    alternatives = (given.alternatives if isinstance(given, Either) else ((given,),) for given in filters)
    conditions = (condition for each in alternatives for alternative in each for condition in alternative)
    allowed = (
        condition.values
        for condition in conditions
        if isinstance(condition, AnyOf) and condition.field in ("jurisdiction", "subdivision")
    )
    return tuple(str(value) for values in allowed for value in values)


def _check_known(what: str, values: tuple[str, ...], known: Collection[str]) -> None:
    for value in values:
        if value not in known:
            raise ConfigurationError(f"{what} {value!r} is not known; known are {', '.join(sorted(known))}")


def _check_form(what: str, values: Sequence[str], form: re.Pattern[str], expected: str) -> None:
    for value in values:
        if not form.fullmatch(value):
            raise ConfigurationError(f"{what} {value!r} is none; expected {expected}")
