"""Make an Act's document from its sections, for all formats of India Code text.

Not here: reading each format (`india_code_markdown`, `india_code_lino`, `acts_json`, `act_text`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.identity import ActIdentity
from legal_pipeline.parsing.india.section_body import name_nodes
from legal_pipeline.parsing.india.section_starts import NUMBERED

#: Maximum number of sections that a warning lists.
_NAMED = 8

#: Languages in which Acts are published.
_LANGUAGES = ("eng", "hin")


def act_language(stated: object) -> str:
    """Return the ISO 639-3 code of the language that a source states; English without a statement or for any other language."""
    code = iso_639_3(str(stated or "eng"))
    return code if code in _LANGUAGES else "eng"


def act_document(
    builder: DocumentBuilder,
    source: SourceFile,
    *,
    title: str,
    identity: ActIdentity,
    language: str,
    metadata: dict[str, Any] | None = None,
    warnings: tuple[str, ...] = (),
    requires_manual_review: bool = False,
) -> Document:
    """Close the builder and return the Act with its identity and the metadata common to all formats.

    Sections that only the printed arrangement of sections has are a warning and need a review.
    """
    builder.close_to(0)
    name_nodes(builder.nodes)
    if missing := _only_arranged(builder):
        named = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
        warnings = (*warnings, f"{len(missing)} sections of the arrangement of sections are not in the text: {named}")
    return builder.document(
        source,
        document_id=identity.document_id,
        work_uri=identity.work_uri,
        number=identity.citation,
        title=title,
        jurisdiction="in",
        doc_type="act",
        language=language,
        metadata={
            "act_name": title,
            "act_number": f"{identity.number} of {identity.year}" if identity.number else None,
            "year": identity.year,
            "replaced_by": identity.replaced_by,
            **(metadata or {}),
        },
        warnings=warnings,
        requires_manual_review=requires_manual_review or bool(missing),
    )


def _only_arranged(builder: DocumentBuilder) -> list[str]:
    """Return the numbers of sections in the arrangement of sections that no section of the tree has."""
    nodes = [node for top in builder.nodes for node in top.walk()]
    found = {node.num for node in nodes if node.type == "section"}
    printed = [builder.text[node.start : node.end] for node in nodes if node.type == "toc"]
    arranged = (match["num"] for text in printed for line in text.split("\n") if (match := NUMBERED.match(line)))
    return [num for num in dict.fromkeys(arranged) if num not in found]
