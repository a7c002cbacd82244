"""Damaged African sources: a document or a typed error, quickly, and never anything else."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.akn import html as akn_html
from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.parsing import docs_jsonl, importer_html
from legal_pipeline.parsing.zimbabwe import zimlii_json
from legal_pipeline_tests.akn.test_akn_html import BODY, COVER
from legal_pipeline_tests.akn.test_akn_xml import AKN3, META, SECTION
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.growth import NEARLY_LINEAR, at_most, best_of_three, check_seconds, growth
from legal_pipeline_tests.parsing.invariants import check_invariants
from legal_pipeline_tests.parsing.test_docs_jsonl import ACT
from legal_pipeline_tests.parsing.test_importer_html import FRONT, page
from legal_pipeline_tests.parsing.zimbabwe.test_zimlii_json import section

SAMPLES = (
    f'<akomaNtoso xmlns="{AKN3}"><act name="act">{META}<body>{SECTION}</body></act></akomaNtoso>'.encode(),
    (COVER + BODY).encode(),
    page(*FRONT, "=PART I=", "*1 Tolls*", "(1) A barge pays—", "(a) a toll; or", "(i) a bond;", "“toll” means money."),
    json.dumps(
        {
            "id": "zw-1991-4",
            "title": "Act",
            "provisions": [section("1", "Tolls", "(1) A barge pays— (a) a toll; (b) [x] .", "Part I")],
        }
    ).encode(),
    json.dumps(ACT).encode(),
)
PARSERS = (
    akn_xml.FORMAT.parse,
    akn_html.FORMAT.parse,
    importer_html.FORMAT.parse,
    zimlii_json.FORMAT.parse,
    docs_jsonl.FORMAT.parse,
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sample cut off, spliced with another, or with bytes changed."""
    data = draw(st.sampled_from(SAMPLES))
    start, end = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return data[:end]
    if kind == 1:
        return data[:start] + data[end:]
    if kind == 2:
        return data[:start] + draw(st.sampled_from(SAMPLES))[end:]
    return data[:start] + draw(st.binary(max_size=8)) + data[start + 1 :]


@examples(300)
@given(damaged())
def test_damaged_files_give_a_document_or_a_typed_error(data: bytes) -> None:
    for parse in PARSERS:
        with at_most(1), contextlib.suppress(ParseError):
            check_invariants(parse(SourceFile("damaged", data)))


NUMBERS = ("(1)", "(2)", "(a)", "(b)", "(i)", "(ii)", "(v)", "(x)", "A.", "3.", "Provided that", "“toll” means",
           "[paragraph repealed by Act 2 of 2001 ]",
           "subsection", "a toll;", "is due.", "in terms of—", "and", ",")  # fmt: skip


@examples(200)
@given(st.lists(st.sampled_from(NUMBERS), max_size=60))
def test_any_order_of_numbers_gives_a_tree_that_nests_and_loses_no_word(words: list[str]) -> None:
    text = " ".join(words)
    data = {"id": "zw-1991-4", "title": "Act", "provisions": [section("1", "Tolls", text)]}
    document = zimlii_json.FORMAT.parse(SourceFile("act.json", json.dumps(data).encode()))
    check_invariants(document)
    assert document.text.split() == f"1. Tolls {text}".split()
    paragraphs = importer_html.FORMAT.parse(
        SourceFile("act.html", page(*FRONT, "*1 Tolls*", "Due.", *[word for word in words if word]))
    )
    check_invariants(paragraphs)


def test_a_section_of_a_hundred_thousand_characters_is_read_in_linear_time() -> None:
    def source(points: int) -> SourceFile:
        text = " ".join(
            f"({number}) A barge pays— (a) a toll; (b) a bond— (i) here; (ii) there." for number in range(1, points)
        )
        data = {"id": "zw-1991-4", "title": "Act", "provisions": [section("1", "Tolls", text)]}
        return SourceFile("act.json", json.dumps(data).encode())

    def reading(points: int) -> Callable[[], object]:
        read = source(points)
        return lambda: zimlii_json.FORMAT.parse(read)

    limit = 2 * len(source(1500).data) / 100_000
    check_seconds(best_of_three(reading(1500), enough=limit), limit)
    assert growth(reading, 190) < NEARLY_LINEAR
