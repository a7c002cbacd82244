"""Every Indian file of the corpus, and section numbers equal to the files' own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.parts import join_parts
from legal_pipeline_tests.real_documents import existing

pytestmark = pytest.mark.corpus


def parse(path: Path) -> Document:
    return registry.parse(SourceFile(path.name, path.read_bytes()))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions()]


def headings_of(*paths: Path) -> list[str]:
    return [num for path in paths for num in re.findall(r"^## Section (\w+) - ", path.read_text("utf-8"), re.M)]


def test_every_text_file_parses_or_fails_as_its_notes_predict(corpus: Path) -> None:
    failed = {}
    for path in existing(corpus / "in", "**/*"):
        if not path.is_file() or path.name == "FORMAT.md" or path.suffix == ".pdf":
            continue
        try:
            document = parse(path)
        except ParseError as error:
            failed[path.name] = str(error)
            continue
        assert document.jurisdiction == "in", path.name
        assert Document.loads(document.dumps()) == document, path.name
    assert failed.keys() == {"hma.json"}
    assert "CSV table" in failed["hma.json"]


@pytest.mark.parametrize(
    "name",
    [
        "the-right-to-information-act-2005.en.part-001.md",
        "the-sale-of-goods-act-1930.en.part-001.md",
        "the-bharatiya-nyaya-sanhita-2023.en.part-001.md",
        "the-companies-act-2013.en.part-001.md",
        "the-companies-act-2013.en.part-006.md",
    ],
)
def test_section_numbers_are_the_files_own(corpus: Path, name: str) -> None:
    path = corpus / "in/indiacode_md" / name
    assert numbers(parse(path)) == headings_of(path)


def test_the_contract_act_is_one_work_over_its_parts_and_equals_its_cache(corpus: Path) -> None:
    folder = corpus / "in/indiacode_md"
    paths = existing(folder, "the-indian-contract-act-1872.en.part-*.md")
    whole = join_parts([parse(path) for path in paths])
    assert numbers(whole) == headings_of(*paths)
    assert len(numbers(whole)) == 268
    assert whole.document_id == "in-act-1872-9"
    cached = parse(folder / "the-indian-contract-act-1872.lino")
    assert [cached.text_of(node) for node in cached.provisions()] == [
        whole.text_of(node) for node in whole.provisions()
    ]
    assert sum(node.status == "repealed" for node in whole.provisions()) == 76


@pytest.mark.parametrize(
    ("name", "document_id", "last", "inserted"),
    [("ipc", "in-act-1860-45", 511, 64), ("iea", "in-act-1872-1", 167, 17), ("nia", "in-act-1881-26", 148, 8)],
)
def test_json_acts_keep_every_section_and_the_inserted_ones(
    corpus: Path, name: str, document_id: str, last: int, inserted: int
) -> None:
    path = corpus / f"in/acts_json/{name}.json"
    rows = json.loads(path.read_text("utf-8"))
    document = parse(path)
    found = numbers(document)
    assert found == [str(row.get("Section", row.get("section"))) for row in rows]
    assert [num for num in found if num and num.isdigit()] == [str(number) for number in range(1, last + 1)]
    assert sum(not (num or "").isdigit() for num in found) == inserted
    assert document.document_id == document_id


def test_no_mark_of_the_conversion_is_left_in_a_provision(corpus: Path) -> None:
    for path in existing(corpus / "in/indiacode_md", "*.en.part-*.md"):
        document = parse(path)
        assert not re.search(r"\^\d|\*\*\*", document.text), path.name


def test_hindi_with_a_broken_font_map_is_pages_that_a_person_must_look_at(corpus: Path) -> None:
    document = parse(corpus / "in/indiacode_md/the-acquired-territories-merger-act-1960.hi.part-001.md")
    assert document.requires_manual_review
    assert (document.language, document.document_id) == ("hin", "in-act-1960-64-hin")
    assert [node.num for node in document.nodes] == ["1", "2", "3", "4", "5"]


def test_the_offset_map_leads_every_character_to_the_file(corpus: Path) -> None:
    for path in (*existing(corpus / "in", "**/*.md"), *existing(corpus / "in", "**/*.txt")):
        if path.name == "FORMAT.md":
            continue
        document = parse(path)
        raw = SourceFile(path.name, path.read_bytes()).text
        wrong = [
            offset
            for offset, character in enumerate(document.text)
            if not character.isspace() and raw[document.raw_offset(offset) or 0] != character
        ]
        assert len(wrong) == 0, (path.name, document.text[wrong[0] - 40 : wrong[0] + 10])


def test_cause_titles_give_court_judges_parties_and_date(corpus: Path) -> None:
    document = parse(corpus / "in/judgments_pdf/insc2024_1.pypdf.txt")
    assert (document.document_id, document.work_uri) == ("in-judgment-insc-2024-640", "/akn/in/judgment/insc/2024/640")
    assert document.title == "A. B. Govardhan v. P. Ragothaman"
    assert document.metadata["court"] == "Supreme Court of India"
    assert document.metadata["judges"] == ["Hima Kohli", "Ahsanuddin Amanullah"]
    assert document.metadata["date_decided"] == "2024-08-29"
    assert [node.num for node in document.provisions()] == [str(number) for number in range(2, 39)]


def test_labels_beside_sentences_leave_no_trace(corpus: Path) -> None:
    path = corpus / "in/judgments_rr/dev/2009_B_16.txt"
    bare = "\n".join(line.rsplit("\t", 1)[0] + "\tFacts" for line in path.read_text("utf-8").split("\n") if line)
    other = registry.parse(SourceFile(path.name, bare.encode()))
    document = parse(path)
    assert (document.text, document.nodes) == (other.text, other.nodes)
