"""The recogniser on laws of the corpus whose mark-up is taken away: what the whole measurement found must not get worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.recogniser.measure import compare, plain_number
from legal_pipeline_tests.recogniser.renderings import bare_html

#: A law of each drafting style: sections in chapters, articles in titles, numbers alone with and without parts.
_LAWS = (
    "se/rkrattsbaser_html/sfs-2017-30.tom-2024-90.html",
    "histories/fr_constitution_1958/v026.md",
    "in/acts_json/nia.json",
    "zw/importer_html/tz-cap1.html",
    "world/fi/sample-constitution.xml",
    "world/ch/sample-constitution.xml",
    "world/nl/sample-rijkswet.xml",
)


@pytest.mark.corpus
@pytest.mark.parametrize("path", _LAWS)
@pytest.mark.parametrize("headings", [True, False])
def test_provisions_and_their_divisions_are_found_without_mark_up(corpus: Path, path: str, headings: bool) -> None:
    expected = parse(SourceFile(Path(path).name, (corpus / path).read_bytes()))
    page = bare_html(expected, headings=headings).encode()
    found = parse(SourceFile("act.html", page, hints={"doc_type": "act"}), "generic_html")
    counts = compare(expected, found)
    assert counts.expected >= 5
    assert counts.precision >= 0.98
    assert counts.recall >= 0.98
    assert counts.parents >= 0.95


def test_numbers_are_compared_without_words_and_signs() -> None:
    assert [plain_number(num) for num in ("Art. 5", "2 a §", "1 luku", "Teil II", "12.", None)] == [
        "5",
        "2a",
        "1",
        "ii",
        "12",
        "",
    ]
