"""Documents of a generic format: the identity that hints or front matter state, and laws that the recogniser finds.

Not here: reading the blocks, and the text of a document that is not a law (each format does both).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.stated_work import stated_work
from legal_pipeline.building.work_identity import WorkIdentity, in_language, read_work_uri
from legal_pipeline.jurisdictions.cited_law import countries_of_forms, country_of_citations
from legal_pipeline.jurisdictions.countries import country_of_language, country_of_law
from legal_pipeline.jurisdictions.jurisdiction import countries
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED, UNKNOWN_COUNTRY
from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.generic.identity import (
    doc_type,
    generic_document_id,
    language_code,
    language_warning,
    stated_language,
)
from legal_pipeline.parsing.generic.kinds import type_of_title
from legal_pipeline.parsing.generic.titles import printed_title
from legal_pipeline.parsing.recogniser.one_provision import OneProvision
from legal_pipeline.parsing.recogniser.recognise import Recognition, recognise
from legal_pipeline.parsing.recogniser.signs import Stated

#: Document types of laws.
_LAWS = frozenset({"act", "regulation", "agency_regulation", "constitution"})
#: Number of the first lines of a law that may name its work, and of the characters in which they are.
_FIRST_LINES, _BEGINNING = 3, 2_000
_STATED = {"doc_type": Stated.TYPE, "rank": Stated.RANK}


def recognise_law(blocks: Blocks, said: Mapping[str, Any]) -> Recognition:
    """Return the result of the recogniser for `blocks`; `said` holds hints and front matter.

    It reads `language`, `doc_type`, `rank` (a publisher's word for a kind of law), `usual_language` (used if the text is too short to
    detect its language) and `page_title` (of a web page).

    If the text is not in the script of the stated language, that language is ignored, with a warning.
    """
    text = "\n".join(block.text for block in blocks)
    code = stated_language(said, text)
    recognition = recognise(
        blocks,
        language=None if code == UNDETERMINED else code,
        usual_language=said.get("usual_language"),
        stated=stated_law(said),
        page_title=str(said.get("page_title") or ""),
    )
    return dataclasses.replace(recognition, warnings=(*language_warning(said, text), *recognition.warnings))


def stated_law(said: Mapping[str, Any]) -> Stated:
    """Return how `said` states that the document is a law: by its type, by a rank, or not at all."""
    return next((stated for key, stated in _STATED.items() if doc_type(said.get(key)) in _LAWS), Stated.NOTHING)


def law_document(
    source: SourceFile,
    recognition: Recognition,
    said: Mapping[str, Any],
    metadata: Mapping[str, Any] | None = None,
    other_title: str | None = None,
    **fields: Any,
) -> Document:
    """Return the document of a recognised law: its title is that in `said`, else the printed one, `other_title` or the file name; its type
    is that in `said`, else the one that the title names, else `act`."""
    builder = recognition.builder
    assert builder is not None
    if recognition.one is not None:
        said = _of_one_provision(said, recognition.one, builder)
    first = None if said.get("title") else printed_title(builder, recognition.language) or other_title
    title = str(said.get("title") or first or "")
    kind = said.get("doc_type") or type_of_title(title, said.get("jurisdiction")) or "act"
    said = {**said, "language": recognition.language, "doc_type": kind}
    # a consolidated text of the Union names its work in a line above the title, a page with a short title below it
    lines = [line for line in builder.text[:_BEGINNING].split("\n") if line][:_FIRST_LINES]
    identities = (identity_of_title(said, line) for line in (title, *lines))
    said = {**said, **next(filter(None, identities), {})}
    country = shown_country(said, builder.text, recognition.language or UNDETERMINED)
    return text_document(source, builder, said, recognition, first, metadata, country=country, **fields)


def shown_country(said: Mapping[str, Any], text: str, language: str) -> str | None:
    """Return the country that the text of a law shows, None if `said` states one or the text shows none surely."""
    if said.get("jurisdiction"):
        return None
    return country_of_law(text, language) or country_of_citations(text, language) or country_of_language(language)


def _of_one_provision(said: Mapping[str, Any], one: OneProvision, builder: DocumentBuilder) -> dict[str, Any]:
    """Return `said` for a page with one provision: its title is the line with the provision's number, unless another is stated than the
    heading in this line; its type is that of the code."""
    node = next(node for top in builder.nodes for node in top.walk() if node.type == one.kind)
    line = builder.text[node.start : node.end].partition("\n")[0]
    stated = str(said.get("title") or "")
    return {
        **said,
        "title": line if stated.casefold() in line.casefold() else stated,
        "doc_type": said.get("doc_type") or one.doc_type,
    }


def identity_of_title(said: Mapping[str, Any], title: str) -> dict[str, Any]:
    """Return the identity of the work that the act's title states, if nothing else states it: "REGULATION (EU) 2031/77 OF …".

    Beside a stated number, with which the id is made, it is only the country; another number than the title's is that of another work.
    """
    if said.get("work_uri") or said.get("document_id"):
        return {}
    known, language = str(said.get("jurisdiction") or "").lower(), language_code(said.get("language"))
    for code, uri in _works_of_title(title, language):
        work = read_work_uri(uri) if known in ("", UNKNOWN_COUNTRY, code) else None
        if work is not None and said.get("number"):
            return {"jurisdiction": code} if _has_figures(work, str(said["number"])) else {}
        if work is not None:
            return {
                "jurisdiction": code,
                "work_uri": work.work_uri,
                "document_id": in_language(work.document_id, code, language),
                "number": work.number,
                "doc_type": work.doc_type,
                "as_of_date": said.get("as_of_date") or work.date,
            }
    return {}


def _works_of_title(title: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield (country, URI or published number) of the act with this title: by the rule of a country, else by the number at its start, in
    the form of one country only."""
    for country in countries():
        if country.work_of_title is not None and (uri := country.work_of_title(title)) is not None:
            yield country.code, uri
    named = [
        (country.code, uri)
        for country in countries_of_forms(language)
        if (uri := stated_work(country.code, "act", None, title, None)) is not None
    ]
    if len(named) == 1:
        yield named[0]


def _has_figures(work: WorkIdentity, number: str) -> bool:
    """Whether `number` has the figures of the work's number."""
    return sorted(re.findall(r"\d+", number)) == sorted(re.findall(r"\d+", work.number))


def text_document(
    source: SourceFile,
    builder: DocumentBuilder,
    said: Mapping[str, Any],
    recognition: Recognition | None = None,
    heading: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    warnings: Sequence[str] = (),
    requires_manual_review: bool = False,
    country: str | None = None,
) -> Document:
    """Return the document of `builder` with the identity that `said` (hints and front matter) states.

    Its title is that in `said`, else `heading`, else the file name. `country`: the country that its text shows, where `said` states
    none; an amendment may change it, so it is not part of the id.
    """
    jurisdiction = str(said.get("jurisdiction") or UNKNOWN_COUNTRY).lower()
    number = said.get("number")
    return builder.document(
        source,
        document_id=generic_document_id(source.path, said, jurisdiction, number),
        work_uri=said.get("work_uri"),
        title=str(said.get("title") or heading or source.name_in_words),
        number=number,
        jurisdiction=country or jurisdiction,
        doc_type=doc_type(said.get("doc_type")),
        language=stated_language(said, builder.text),
        as_of_date=said.get("as_of_date"),
        metadata={**(metadata or {}), **(recognition.metadata if recognition is not None else {})},
        warnings=(*warnings, *(recognition.warnings if recognition is not None else ())),
        requires_manual_review=requires_manual_review,
    )
