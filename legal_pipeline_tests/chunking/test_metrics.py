"""Figures of a document's chunks, against figures counted by hand."""

from __future__ import annotations

import base64
import itertools
import json
from pathlib import Path

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.histogram import histogram_markdown, histogram_png
from legal_pipeline.chunking.metrics import Spread, is_empty, measure
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.english import english, prose, section
from legal_pipeline_tests.chunking.plain import Part
from legal_pipeline_tests.chunking.plain import document as plain_document

PNG = b"\x89PNG\r\n\x1a\n"


def act() -> Document:
    def write(builder: DocumentBuilder) -> None:
        section(builder, "1", "Oil", prose(60))
        with builder.node("part", "II", "Gas"):
            section(builder, "2", "Gas", "2. Gas is not oil.")
            with builder.node("section", "3", "Electricity"):
                builder.add("3. Electricity")
            with builder.node("section", "4", "Wax", status="repealed"):
                builder.add("4. Wax")

    return english(write)


def rows(document: Document, strategy: str = "sliding_window") -> list[dict[str, object]]:
    return [row.to_row() for row in chunk(document, RouterOptions(strategy)).chunks]


def test_sizes_and_overlap_are_those_of_the_chunks() -> None:
    document = act()
    found = rows(document)
    metrics = measure(found, document)
    assert metrics.chunks == len(found) == metrics.by_strategy["sliding_window"]
    tokens = sorted(row["num_tokens"] for row in found)
    assert (metrics.tokens.minimum, metrics.tokens.maximum) == (tokens[0], tokens[-1])
    pairs = [after for after in found if "overlap_tokens" in after["metadata"]]
    assert metrics.overlapping_pairs == len(pairs) >= 3
    assert 0.15 <= metrics.overlap.minimum <= metrics.overlap.mean <= metrics.overlap.maximum <= 0.20
    assert sum(metrics.overlap_boundaries.values()) == len(pairs)
    json.dumps(metrics.to_json())


def test_overlap_is_counted_where_no_strategy_recorded_it() -> None:
    document = act()
    found = rows(document)
    stripped = [{**row, "metadata": {}} for row in found]
    recorded, counted = measure(found), measure(stripped)
    assert counted.overlapping_pairs == recorded.overlapping_pairs
    assert counted.overlap.mean == pytest.approx(recorded.overlap.mean, abs=0.005)


def test_structural_chunks_do_not_overlap() -> None:
    metrics = measure(rows(act(), "statute_boundary"))
    assert (metrics.overlapping_pairs, metrics.overlap.maximum) == (0, 0)


def test_an_empty_section_is_an_anomaly_and_a_repealed_or_a_short_one_is_not() -> None:
    document = act()
    empty = [item for item in measure(rows(document), document).anomalies if item.kind == "empty section"]
    assert [item.where for item in empty] == ["part_ii__sec_3"]


def test_small_and_large_windows_and_extremely_long_sections_are_anomalies() -> None:
    (row, *_) = rows(act())
    odd = [
        {**row, "path": "Section 7", "num_tokens": 40},
        {**row, "path": "Section 8", "chunk_text": "x" * 5001},
        *({**row, "path": f"Section 9#{part}", "num_tokens": 600} for part in range(2, 20)),
    ]
    found = {(item.kind, item.where) for item in measure(odd).anomalies}
    assert found == {
        ("under 100 tokens", "Section 7"),
        ("over 5,000 characters", "Section 8"),
        ("extremely long section", "Section 9"),
    }


def test_a_document_without_chunks_has_figures_too() -> None:
    metrics = measure([])
    assert (metrics.chunks, metrics.tokens, metrics.anomalies) == (0, Spread(0, 0, 0, 0, 0), ())


def test_the_histogram_is_a_png_that_markdown_shows_and_equal_sizes_give_equal_bytes() -> None:
    picture = histogram_png([100, 200, 200, 512], "zw-act-2099-7 costs $5")
    assert picture.startswith(PNG)
    assert picture == histogram_png([100, 200, 200, 512], "zw-act-2099-7 costs $5")
    assert picture != histogram_png([100, 200, 300, 512], "zw-act-2099-7 costs $5")
    markdown = histogram_markdown([row["num_tokens"] for row in rows(act())], "Lighthouses Act")
    head, _, encoded = markdown.partition("base64,")
    assert head == "![tokens per chunk](data:image/png;"
    assert base64.b64decode(encoded.removesuffix(")")).startswith(PNG)
    assert histogram_png([], "nothing").startswith(PNG)


@pytest.mark.corpus
def test_the_labour_act_has_windows_near_the_target_and_overlap_in_its_band(corpus: Path) -> None:
    path = corpus / "zw" / "zimlii_json" / "zw-1985-16.json"
    document = parse(SourceFile(path.name, path.read_bytes()))
    found = rows(document)
    metrics = measure(found, document)
    assert 300 <= metrics.tokens.median <= 512
    assert 0.15 <= metrics.overlap.minimum <= metrics.overlap.maximum <= 0.20
    real = sum(after["start_char"] < before["end_char"] for before, after in itertools.pairwise(found))
    assert metrics.overlapping_pairs == real > 30


def test_a_spread_has_the_value_that_five_in_a_hundred_pass() -> None:
    assert Spread.of([5, 1, 3]) == Spread(1, 3, 3, 5, 5)
    assert Spread.of(range(99, -1, -1)) == Spread(0, 49.5, 49.5, 95, 99)
    assert Spread.of([7]) == Spread(7, 7, 7, 7, 7)


def made(seq: int, text: str, *spans: tuple[int, int], **more: object) -> dict[str, object]:
    return {
        "seq": seq, "chunk_text": text, "start_char": spans[0][0], "spans": list(spans), "num_tokens": 200,
        "strategy": "sliding_window", "chunk_type": "statutory_text", "path": f"Section {seq}", **more,
    }  # fmt: skip


def test_an_overlap_is_what_the_spans_of_the_chunk_before_share_with_the_next() -> None:
    text = "The lamp is lit.\nThe horn sounds."
    before, after = made(1, text, (0, 16), (20, 36)), made(2, "is lit.", (10, 60))
    for rows_in_any_order in ([before, after], [after, before]):
        found = measure(rows_in_any_order)
        assert found.overlapping_pairs == 1
        assert found.overlap.maximum == count_tokens(text[-22:]) / 200
    # neither a chunk that only begins where the other ends nor a second wording overlaps it
    assert measure([before, made(2, "x", (36, 60))]).overlapping_pairs == 0
    assert measure([before, made(2, text, (0, 16), (20, 36))]).overlapping_pairs == 0
    assert measure([before, {**after, "strategy": "semantic"}]).overlapping_pairs == 0


def test_only_windows_are_held_to_a_minimum_and_any_chunk_may_be_oversized() -> None:
    odd = [
        made(1, "x", (0, 1), strategy="paragraf", num_tokens=3),
        made(2, "x", (1, 2), strategy="paragraf", metadata={"oversized": True}),
        made(3, "x", (2, 3), num_tokens=100),
        made(4, "x", (3, 4), num_tokens=99),
    ]
    assert [(item.kind, item.where) for item in measure(odd).anomalies] == [
        ("oversized", "Section 2"),
        ("under 100 tokens", "Section 4"),
    ]


@pytest.mark.parametrize(
    ("text", "children", "expected"),
    [
        ("Section 3", [Part("heading", "Lamps"), Part("remark", "Inserted by Act 7.")], True),
        ("Section 3", [Part("heading", "Lamps"), Part("block", "They are lit.")], False),
        ("Section 3 It is lit.", [], False),
        ("Article 3A", [], True),
    ],
)
def test_a_section_of_its_number_heading_and_remarks_is_empty(text: str, children: list[Part], expected: bool) -> None:
    number = text.split()[1]
    document = plain_document(Part("section", text, number, "Lamps" if children else None, children))
    assert is_empty(document, document.nodes[0]) == expected
