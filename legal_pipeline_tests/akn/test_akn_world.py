"""Akoma Ntoso of four publishers: which work it is, when it holds, and every provision and word of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words

#: File: document id, jurisdiction, number, date from which the text holds, provisions. The counts are those of `world/FORMAT.md`.
FILES = {
    "ch/sample-constitution.xml": ("ch-act-1999-404", "ch", "SR 101", "2024-03-03", 232),
    "ch/sample-regulation.xml": ("ch-act-2026-51", "ch", "SR 444.21", "2026-03-01", 13),
    "fi/sample-constitution.xml": ("fi-act-1999-731", "fi", "731/1999", "2018-10-15", 131),
    "lu/sample-constitution.xml": ("lu-act-constitution-1868-10-17-n1", "lu", "n1", "1868-10-25", 121),
    "ch/sample-with-tables.xml": ("ch-act-1991-1184-1184-1184", "ch", "SR 642.11", "2026-01-01", 240),
    "fi/sample-code.xml": ("fi-act-1999-132", "fi", "132/1999", "2025-08-01", 227),
    "lu/sample-ordinary-law.xml": ("lu-act-loi-2022-05-27-a250", "lu", "a250", "2022-09-01", 27),
    "uk_judgments/ewhc_admin_2017_3364.xml": (
        "gb-judgment-ewhc-admin-2017-3364",
        "gb",
        "[2017] EWHC 3364 (Admin)",
        "2017-12-20",
        106,
    ),
    "uk_judgments/ewfc_2017_83.xml": ("gb-judgment-ewfc-2017-83", "gb", "[2017] EWFC 83", "2017-12-21", 9),
}


def read(corpus: Path, name: str) -> tuple[SourceFile, Document]:
    path = corpus / "world" / name
    source = SourceFile(path.name, path.read_bytes())
    return source, parse(source)


@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_the_work_that_its_publisher_says(corpus: Path, name: str) -> None:
    source, document = read(corpus, name)
    found = (
        document.document_id,
        document.jurisdiction,
        document.number,
        document.as_of_date,
        sum(1 for _ in document.provisions()),
    )
    assert found == FILES[name]
    assert lost_words(source, document) == []
    assert not document.requires_manual_review


@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
def test_footnotes_are_as_many_as_the_source_has(corpus: Path, name: str) -> None:
    source, document = read(corpus, name)
    stated = sum(1 for item in parse_xml(source).iter(etree.Element) if etree.QName(item).localname == "authorialNote")
    found = Counter(node.type for node in document.walk())
    assert found["footnote"] + found["remark"] == stated  # a note that only names the amending act is a remark


@pytest.mark.corpus
def test_titles_are_names_and_not_identifiers(corpus: Path) -> None:
    titles = [read(corpus, name)[1].title for name in FILES if not name.startswith("lu/sample-ordinary")]
    assert titles == [
        "Bundesverfassung der Schweizerischen Eidgenossenschaft vom 18. April 1999",
        "Verordnung vom 28. Januar 2026 über die Kommission für historisch belastetes Kulturerbe (VKHBK)",
        "Suomen perustuslaki",
        "Constitution du Grand-Duché de Luxembourg.",
        "Bundesgesetz vom 14. Dezember 1990 über die direkte Bundessteuer (DBG)",
        "Alueidenkäyttölaki",
        "Corbiere Ltd & Ors, R (On the Application Of) v Secretary Of State For Justice & Ors",
        "Y v Z & Ors",
    ]
