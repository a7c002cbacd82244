"""Acts of known structure: forty chosen by the hash of their paths, half for development and half held back, and three dozens chosen later.

The figures of the half that was held back are known by now, so that it is not blind any more. The later ones were written down here
before anybody measured them.
Not here: rendering and counting.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.real_documents import existing

_FOLDERS = ("histories", "in", "se", "us", "world", "zw")
#: Formats that read structure from words, not from mark-up, cannot say what is right.
_GUESSING = ("generic_html", "markdown", "plain_text", "pdf", "docx")
_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xml", ".json", ".md"})
_LAWS = frozenset({"act", "regulation", "agency_regulation", "constitution"})
_MINIMUM, _MOST_CHARS = 5, 800_000
_COUNT = 40
#: The next Act by the same rule of each jurisdiction that has one left, and a second one of the Union.
_FRESH = (
    "in/indiacode_md/the-bharatiya-nyaya-sanhita-2023.en.part-001.md",
    "se/rkrattsbaser_json/sfs-2010-800.json",
    "us/ecfr_xml/title-3-part-101-2024-05-17.xml",
    "world/ch/sample-regulation.xml",
    "world/eu/31958R0001_cons.xhtml",
    "world/eu/versions/32019R2088_after.xhtml",
    "world/nl/sample-constitution.xml",
    "world/no/sample-penal-code.xml",
    "world/uk/sample-welsh-anaw-2014-4.xml",
    "zw/akn_html/akn_za_act_1979_70_eng@2020-10-22.html",
    "zw/akn_xml/tz-swahili-act.akn3.xml",
    "zw/importer_html/zw-cpa.html",
)
#: Works that are in no other list; where a jurisdiction has none left, a short one, and the first wording of a constitution of which a
#: later one is in another list.
_FOURTH = (
    "histories/fr_constitution_1958/v001.md",
    "in/acts_json/ipc.json",
    "in/indiacode_md/the-right-to-information-act-2005.en.part-001.md",
    "se/agency/AFS-2023-2.canonical.html",
    "se/rkrattsbaser_html/sfs-1974-152.tom-2022-1600.html",
    "us/uslm/COMPS-1649.xml",
    "world/be/sample-ordinary-law.html",
    "world/de/gii-gg.xml",
    "world/eu/32016R0679.xhtml",
    "world/pl/sample-ustawa-2024-1976.html",
    "world/uk/sample-human-rights-1998.xml",
    "zw/zimlii_json/zw-2004-23.json",
)
#: Works of no other list, and of the countries that have none left, the last consolidation and an amending act.
_FIFTH = (
    "in/indiacode_md/the-indian-contract-act-1872.en.part-001.md",
    "in/indiacode_md/the-indian-contract-act-1872.en.part-002.md",
    "se/agency/NFS-2015-2.canonical.html",
    "se/rkrattsbaser_html/sfs-2010-477.tom-2020-822.html",
    "se/rkrattsbaser_json/sfs-1920-405.json",
    "se/selex_md/sfs-2010-900.md",
    "us/uslm/115publ16-uslm.xml",
    "world/ee/amendment_103012025003.xml",
    "world/eu/versions/32014R0910_after.xhtml",
    "world/pl/sample-rozporzadzenie-simple-2024-1984.html",
    "zw/zimlii_json/zw-1861-5.json",
    "zw/zimlii_json/zw-1998-12.json",
)
_LISTED = {"fresh": _FRESH, "fourth": _FOURTH, "fifth": _FIFTH}
Half = Literal["development", "held back", "fresh", "fourth", "fifth"]


@dataclass(frozen=True)
class Act:
    """A law as its own format reads it, and the half of the list that it is in."""

    path: str
    document: Document
    half: Half


def acts(corpus: Path, half: Half) -> list[Act]:
    """The Acts of `half`, in the order of the list."""
    if half in _LISTED:
        return [Act(name, _read(corpus / name), half) for name in _LISTED[half]]
    return [act for act in _forty(corpus) if act.half == half]


def _forty(corpus: Path) -> list[Act]:
    """Forty Acts, as evenly over the jurisdictions as they allow; of several files of one work the first by hash."""
    by_country: dict[str, list[tuple[str, str, Document]]] = defaultdict(list)
    works: set[str] = set()
    for order, path, document in sorted(_candidates(corpus), key=lambda row: row[0]):
        if document.document_id not in works:
            works.add(document.document_id)
            by_country[document.jurisdiction].append((order, path, document))
    chosen: list[tuple[str, str, Document]] = []
    while len(chosen) < _COUNT and any(by_country.values()):
        for country in sorted(by_country):
            if by_country[country] and len(chosen) < _COUNT:
                chosen.append(by_country[country].pop(0))
    # Each country's Acts go to both halves by turns.
    turns: dict[str, int] = defaultdict(int)
    found = []
    for _, path, document in chosen:
        turns[document.jurisdiction] += 1
        found.append(Act(path, document, "development" if turns[document.jurisdiction] % 2 else "held back"))
    return found


def _candidates(corpus: Path) -> Iterator[tuple[str, str, Document]]:
    for folder in _FOLDERS:
        for path in existing(corpus / folder, "**/*"):
            if path.suffix not in _SUFFIXES or path.name == "FORMAT.md":
                continue
            try:
                document = _read(path)
            except LegalPipelineError:
                continue
            name = str(path.relative_to(corpus))
            numbered = [node for node in document.provisions() if node.type in ("section", "article")]
            if (
                document.doc_type in _LAWS
                and document.format not in _GUESSING
                and len(numbered) >= _MINIMUM
                and len(document.text) <= _MOST_CHARS
            ):
                yield hashlib.sha256(name.encode()).hexdigest(), name, document


def _read(path: Path) -> Document:
    return parse(SourceFile(path.name, path.read_bytes()))
