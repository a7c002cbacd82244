"""Every real file parses, or fails with the error that the notes of its folder (FORMAT.md) predict. Nothing else may happen.

Not here: what is in the documents (the tests of each format).
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import (
    CompanionFileError,
    EmptyDocumentError,
    ParseError,
    TruncatedDocumentError,
    UnknownFormatError,
)
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.stated_sections import found_sections, stated_sections
from legal_pipeline_tests.parsing.invariants import check_invariants, load
from legal_pipeline_tests.real_documents import existing

FOLDERS = ("se", "in", "zw", "us", "tagged", "histories")

pytestmark = pytest.mark.corpus


@dataclass(frozen=True)
class Predicted:
    """A failure that must happen: for files of this pattern, exactly this type of error, whose message holds these words."""

    files: str
    error: type[ParseError]
    message: str
    reason: str


PREDICTED = (
    Predicted("in/acts_json/hma.json", ParseError, "CSV table", "in/FORMAT: broken upstream, a CSV pushed through a JSON converter"),
    Predicted("se/selex_md/sfs-1982-80.md", EmptyDocumentError, "front matter", "se/FORMAT: holds only front matter, body lost"),
    Predicted("se/selex_md/sfs-2012-210.md", EmptyDocumentError, "front matter", "se/FORMAT: holds only front matter, body lost"),
    Predicted("se/ferenda_old/*.register.html", EmptyDocumentError, "no text of a statute", "se/FORMAT: a change register"),
    Predicted("se/ferenda_old/sfst_structure_cases.jsonl", UnknownFormatError, "", "se/FORMAT: micro cases for tests, no document"),
    Predicted("se/canonical_json_silver/sfs-1971-703.parser.json", UnknownFormatError, "", "no section: the other parser found none"),
    Predicted("se/bulk/*.jsonl.gz", ParseError, "gzip", "se/FORMAT: 500 Acts packed; they are read from the archive by other tests"),
    Predicted("se/FORMAT.md", TruncatedDocumentError, "", "a note that quotes the tags of Swedish pages without closing them"),
    Predicted("zw/akn_html/sample_unconstitutional_provisions.json", UnknownFormatError, "", "an enrichment about documents, not one"),
    Predicted("us/dc_xml/title-51-index.xml", CompanionFileError, "index", "us/FORMAT: an index that includes its sections by XInclude"),
    Predicted("tagged/derived/*.gold.json", UnknownFormatError, "", "tagged/FORMAT: gold of the files beside it"),
    Predicted("histories/**/MANIFEST.json", UnknownFormatError, "", "histories/FORMAT: the list of versions"),
    Predicted("histories/**/amendment_register.json", UnknownFormatError, "", "histories/FORMAT: ground truth of what changed"),
)  # fmt: skip


def files(corpus: Path) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in existing(corpus / folder, "**/*") if path.is_file())


@pytest.fixture(scope="module")
def outcomes(corpus: Path) -> dict[str, Document | Exception]:
    """What became of every file, by its path in the corpus. 10 s for 238 files, PDF included, on two cores."""
    found: dict[str, Document | Exception] = {}
    for path in files(corpus):
        try:
            found[path.relative_to(corpus).as_posix()] = parse(load(path))
        except Exception as error:
            found[path.relative_to(corpus).as_posix()] = error
    return found


def predicted(name: str) -> Predicted | None:
    return next((entry for entry in PREDICTED if fnmatch.fnmatch(name, entry.files.replace("**", "*"))), None)


def test_every_file_parses_or_fails_as_its_notes_predict(outcomes: dict[str, Document | Exception]) -> None:
    wrong = []
    for name, outcome in outcomes.items():
        entry = predicted(name)
        if entry is None:
            if isinstance(outcome, Exception):
                wrong.append(f"{name}: {type(outcome).__name__}: {outcome}")
        elif type(outcome) is not entry.error or entry.message not in str(outcome):
            wrong.append(f"{name}: {outcome!r:.200} in place of {entry.error.__name__} ({entry.reason})")
    assert not wrong, "\n".join(wrong)
    assert len(outcomes) > 200


def test_every_predicted_failure_is_met(outcomes: dict[str, Document | Exception]) -> None:
    met = {predicted(name) for name in outcomes}
    assert set(PREDICTED) <= met


def test_errors_name_the_document_and_unknown_formats_at_most_three_others(
    outcomes: dict[str, Document | Exception],
) -> None:
    for name, outcome in outcomes.items():
        if isinstance(outcome, ParseError):
            assert outcome.document.startswith(Path(name).name), name
        if isinstance(outcome, UnknownFormatError):
            assert 1 <= len(outcome.closest) <= 3, name


def test_a_text_without_its_number_parses_when_a_sidecar_gives_it(corpus: Path) -> None:
    for path in existing(corpus / "histories/se_pairs/1967-837_patentlag", "*.txt"):
        document = parse(
            SourceFile(path.name, path.read_bytes(), hints={"number": "1967:837", "title": "Patentlag (1967:837)"})
        )
        check_invariants(document)
        assert document.document_id == "se-sfs-1967-837"
        assert found_sections(document) > 100


def test_spans_nest_text_is_canonical_and_json_leads_back(outcomes: dict[str, Document | Exception]) -> None:
    for name, document in outcomes.items():
        if isinstance(document, Document):
            try:
                check_invariants(document)
            except AssertionError as error:
                raise AssertionError(name) from error


@pytest.mark.slow
@pytest.mark.parametrize("per_format", [1, pytest.param(1000, marks=pytest.mark.heavy)])
def test_parsing_twice_gives_the_same_bytes(
    corpus: Path, outcomes: dict[str, Document | Exception], per_format: int
) -> None:
    read: Counter[str] = Counter()
    for name, document in outcomes.items():
        if isinstance(document, Document) and read[document.format] < per_format:
            read[document.format] += 1
            assert parse(load(corpus / name)).dumps() == document.dumps(), name
    assert len(read) >= 25


def test_every_document_has_a_language_and_a_quality_score(outcomes: dict[str, Document | Exception]) -> None:
    languages = {name: doc.language for name, doc in outcomes.items() if isinstance(doc, Document)}
    #: A form of field names and capitals, 56 words.
    assert [name for name, language in languages.items() if language == "und"] == ["zw/akn_xml/judgment.bluebell.txt"]
    assert {languages[name] for name in languages if name.startswith("se/")} == {"swe"} | (
        {"eng"} if "se/FORMAT.md" in languages else set()
    )
    assert languages["tagged/pe_050-2006-GR-APURIMAC-CR.ocr.md"] == "spa"
    for name, document in outcomes.items():
        if isinstance(document, Document):
            assert 0 <= document.metadata["quality_score"] <= 1, name
            assert document.requires_manual_review or document.metadata["quality_score"] >= 0.98, name


def test_the_garbled_hindi_texts_are_flagged(outcomes: dict[str, Document | Exception]) -> None:
    for name, document in outcomes.items():
        if ("hindi" in name or ".hi." in name) and isinstance(document, Document):
            assert document.requires_manual_review, name
            assert document.metadata["quality_score"] < 0.9, name


#: Found is not what the source marks, and rightly so.
DIFFERENCES = {
    "se/canonical_html/sfs-1977-1160.canonical.html": "3 chap. 3 a §, 8 chap. 5 a § and 6 a § have no mark of their own",
    "se/riksdagen_html/sfs-1977-1160.tom-2025-732.riksdagen.html": "3 chap. 3 a §, 8 chap. 5 a § and 6 a § have no anchor",
    "se/selex_md/sfs-1977-1160.md": "3 headings polluted upstream with EU numbers hold a § each (se/FORMAT)",
    "zw/importer_html/footnotes.html": "one section of the schedule has no class",
    "zw/zimlii_json/zw-2004-23.json": "one entry holds the preamble",
}


def test_sections_found_are_those_that_the_source_marks(
    corpus: Path, outcomes: dict[str, Document | Exception]
) -> None:
    compared, wrong = 0, []
    for name, document in outcomes.items():
        if not isinstance(document, Document):
            continue
        expected = stated_sections(load(corpus / name), document.format)
        compared += expected is not None
        if expected is not None and (found_sections(document) != expected) != (name in DIFFERENCES):
            wrong.append(f"{name}: {found_sections(document)} found, {expected} marked")
    assert not wrong, "\n".join(wrong)
    assert compared > 90
