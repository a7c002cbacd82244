"""Read the text above a judgment of any court: court, case number, parties, date, judge, neutral citation; make its identity.

Not here: the nodes (`structure`), and cause titles in the form of one country.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.jurisdictions.countries import country_named
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNKNOWN_COUNTRY, document_id
from legal_pipeline.parsing.judgment.structure import Outline
from legal_pipeline.text.dates import first_date

_COURT = re.compile(r"(?:\bIN THE|^THE)\s+(?P<court>[A-Z][A-Za-z’' ,]*?COURT\b[A-Za-z’' ,()]*)", re.IGNORECASE)
_DIVISION = re.compile(r"\bDIVISION\b|\bHELD AT\b", re.IGNORECASE)
_CASE_NUMBER = re.compile(r"\bCASE\s+N(?:O|UMBER|R)S?\b\.?\s*:?\s*(?P<number>[A-Z]{0,4}\s?\d[\w/.-]*)", re.IGNORECASE)
_CITATION = re.compile(r"\[(?P<year>\d{4})\]\s+(?P<court>[A-Z]{3,8})\s+(?P<number>\d+)")
_DATE = re.compile(
    r"\b(?:DATE|DELIVERED|HANDED DOWN|DECIDED)\b[^\d]{0,30}(?P<date>\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}\s+[A-Za-z]+\s+\d{4})",
    re.IGNORECASE,
)
_JUDGE = re.compile(r"^(?P<name>[A-Z][A-Z’'. -]{2,40}?),?\s+(?P<office>AJA|JA|DJP|JP|AJ|CJ|ACJ|DCJ|J|P)\s*(?::|\(|$)")
_ROLE = re.compile(
    r"[\s.…,]+(?:(?:first|second|1st|2nd)\s+)?(?:appellant|respondent|applicant|petitioner|plaintiff|defendant)s?\W*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"^in the (?:matter|appeal|application)\b.*\bbetween\b", re.IGNORECASE)
_TITLE = re.compile(r"^(?:J\s*U\s*D\s*G\s*M\s*E\s*N\s*T|R\s*U\s*L\s*I\s*N\s*G|O\s*R\s*D\s*E\s*R)\b", re.IGNORECASE)


def signs_of_a_judgment(start: Sequence[str], numbered: int) -> int:
    """Return how many of four signs of a judgment a text has; two signs are sufficient in a file of unknown layout.

    The signs: a court, parties or a case number, the word JUDGMENT alone, and at least three numbered paragraphs (`numbered` is
    their number in the whole text).
    """
    return sum(
        (
            any(_COURT.search(text) for text in start[:10]),
            any(_BETWEEN.match(text) or _CASE_NUMBER.search(text) for text in start),
            any(_TITLE.match(text) for text in start),
            numbered >= 3,
        )
    )


def country_of(source: SourceFile, texts: Sequence[str]) -> str:
    """Return the code of the court's country: from the hint `jurisdiction`, else from the first lines, else `xx`."""
    return str(source.hints.get("jurisdiction") or "") or country_named(" ".join(texts[:15])) or UNKNOWN_COUNTRY


def judgment_document(
    builder: DocumentBuilder,
    source: SourceFile,
    outline: Outline,
    texts: Sequence[str],
    *,
    country: str,
) -> Document:
    """Return the judgment in `builder`; its id is its neutral citation, else the case number, else the hash of the file."""
    header = [line for block in outline.header for line in block.text.split("\n")] or texts[:15]
    metadata = read_cause_title(header, texts)
    citation = next((match for text in texts[:20] if (match := _CITATION.search(text))), None)
    parts: tuple[str, ...]
    if citation is not None:
        parts = (citation["court"].lower(), citation["year"], citation["number"])
    else:
        parts = ("case", str(metadata.get("case_number") or source.sha256[:12]))
    title = source.hints.get("title") or metadata.get("title") or texts[0][:200]
    return builder.document(
        source,
        document_id=document_id(country, "judgment", *parts),
        title=str(title),
        jurisdiction=country,
        doc_type="judgment",
        language=str(source.hints.get("language") or "eng"),
        number=citation.group() if citation else metadata.get("case_number"),
        work_uri="/".join(("/akn", country, "judgment", *parts)) if citation else None,
        as_of_date=metadata.get("date_decided") or source.hints.get("as_of_date"),
        metadata={key: value for key, value in metadata.items() if key != "title"}
        | {"neutral_citation": citation.group() if citation else None},
    )


def read_cause_title(header: Sequence[str], texts: Sequence[str]) -> dict[str, Any]:
    """Return court, case number, date, judge and parties, as far as the text before the body contains them."""
    start = list(texts[:25])
    court = next(((index, match) for index, text in enumerate(start) if (match := _COURT.search(text))), None)
    name = None
    if court is not None:
        name = court[1]["court"].strip()
        following = start[court[0] + 1] if court[0] + 1 < len(start) else ""
        if _DIVISION.search(following) and len(following) < 120:
            name = f"{name}, {following.strip()}"
    date = next((match["date"] for text in start if (match := _DATE.search(text))), None)
    judge = next((match for text in [*start, *texts[-8:]] if (match := _JUDGE.match(text))), None)
    number = next((match["number"] for text in start if (match := _CASE_NUMBER.search(text))), None)
    parties = _parties(start)
    return {
        "court": name,
        "case_number": number,
        "date_decided": first_date(date.replace("/", "-"), "eng") if date else None,
        "judges": [f"{judge['name'].title()} {judge['office']}"] if judge else None,
        "parties": {"applicant": parties[0], "respondent": parties[1]} if parties else None,
        "title": " v ".join(parties) if parties else None,
    }


def _parties(lines: Sequence[str]) -> tuple[str, str] | None:
    between = next((index for index, line in enumerate(lines) if _BETWEEN.match(line)), None)
    if between is None:
        return None
    rest = [line.strip(" :") for line in lines[between + 1 :]]
    middle = next((index for index, line in enumerate(rest[:8]) if line.lower() in ("and", "v", "vs", "versus")), None)
    if not middle or middle + 1 >= len(rest):
        return None
    return _ROLE.sub("", rest[0]), _ROLE.sub("", rest[middle + 1])
