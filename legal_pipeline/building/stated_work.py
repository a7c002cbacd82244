"""Finds the work URI of a law from its own number, title or address, so that citations in other documents lead to it.

The number or title is read as a citation in the form of its country (`citations.numbers`). A number alone may be too short for this: the
rows of `citations.stated` then say how it is cited. In each, `pattern` matches the whole number, and `instead` is the citation, in which
{title} is the law's title: "c. 41" becomes "Lamps Act 2039 (c. 41)". `doc_types` restricts a row to types of documents, `other_titles` is a
pattern of titles that the row is not for. Not here: ids, which contain the number as it is written (`parsing.generic.identity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import STATUTES, country_and_part

#: Document types of laws: the number of another text may be that of a law which it is about.
_LAWS = STATUTES - {"amendment"}
#: The number of a law is printed above or below its title; behind that it may be the number of an act that amends it.
_FIRST_LINES, _NUMBER_CHARS = 3, 40
_DIGITS = re.compile(r"\d+")


def printed_number(document: Document) -> str | None:
    """Return the first line above the provisions that may be nothing but the law's number: "Act No. 7 of 2031"."""
    first = next(iter(document.provisions()), None)
    lines = document.text[: first.start].split("\n") if first is not None else ()
    printed = [line.strip(" []()*.") for line in lines if line.strip()][:_FIRST_LINES]
    numbers = (line for line in printed if len(line) <= _NUMBER_CHARS and _DIGITS.search(line))
    return next((line for line in numbers if line not in document.title), None)


def stated_work(code: str, doc_type: str, number: str | None, title: str, address: str | None) -> str | None:
    """Return the URI of the work in the jurisdiction `code`, from `address` (a stated one), else `number`, else the beginning of `title`.

    None for a text that is not a law, and if nothing names a work of this country. A title with another number than the stated one is not
    read: it may be that of an act which amends another.
    """
    if doc_type not in _LAWS:
        return None
    base = country_and_part(code, None)["jurisdiction"]
    country, number = jurisdiction(code), (number or "").strip()
    addressed = read_work_uri(address) if address else None
    works = chain(
        [addressed] if addressed is not None else [],
        (work for start, work in _cited_at_end(number, number, country) if start == 0),
        (
            work
            for text in _completed(number, title, doc_type, country)
            for _, work in _cited_at_end(text, number, country)
        ),
        (work for start, _, work in _cited(title, number, country) if start == 0),
    )
    return next((work.work_uri for work in works if work.country == base), None)


def _cited_at_end(text: str, number: str, country: Jurisdiction) -> Iterator[tuple[int, WorkIdentity]]:
    """Yield the work of an address, or of a citation of `number` at the end of `text`, with the offset where it begins."""
    if (addressed := read_work_uri(text)) is not None:
        yield 0, addressed
    for start, end, work in _cited(text, number, country):
        if end >= len(text.rstrip(" ).")):
            yield start, work


def _completed(number: str, title: str, doc_type: str, country: Jurisdiction) -> Iterator[str]:
    """Yield the citations that the rows of `citations.stated` make of a number."""
    for row in country.section("citations").get("stated", ()):
        match = re.fullmatch(row["pattern"], number)
        if match is None or doc_type not in row.get("doc_types", (doc_type,)):
            continue
        if "other_titles" not in row or not re.search(row["other_titles"], title):
            yield match.expand(row["instead"]).replace("{title}", title)


def _cited(text: str, number: str, country: Jurisdiction) -> Iterator[tuple[int, int, WorkIdentity]]:
    """Yield (start, end, work) of each act that `text` cites by a number with the digits of `number`."""
    digits = set(_DIGITS.findall(number))
    # A number at the beginning of a line is a heading, not a citation.
    for citation in find(f" {text}", country):
        work = read_work_uri(citation.work_uri) if citation.kind == "act" and citation.work_uri else None
        own = set(_DIGITS.findall(citation.raw))
        if work is not None and own and digits <= own:
            yield citation.start - 1, citation.end - 1, work
