"""What every chunked document keeps, on generated statutes: hypothesis looks for the one that breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline_tests.chunking.conftest import statute
from legal_pipeline_tests.chunking.plain import HashEncoder
from legal_pipeline_tests.chunking.promises import check_promises
from legal_pipeline_tests.chunking.test_corpus import check
from legal_pipeline_tests.examples import examples

_WORDS = [
    "fyren",
    "ska",
    "lysa",
    "§",
    "2 kap.",
    "vakten",
    "enligt",
    "lagen",
    "(2099:10)",
    "i",
    "dimma",
    "10 000 kronor",
]
_text = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=40).map(lambda words: " ".join(words) + ".")
_marked = st.tuples(_text, st.sampled_from(["", " Lag (2099:55).", " Förordning (2100:1)."])).map("".join)

_event: st.SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.tuples(st.just("division"), st.integers(1, 3)),
    st.tuples(st.just("chapter"), st.integers(1, 4)),
    st.tuples(st.just("heading"), st.sampled_from(["Om fyrar", "Vakt", "Tillsyn m.m."])),
    st.tuples(st.just("section"), st.integers(1, 9), _marked, st.lists(_marked, max_size=3)),
    st.tuples(st.just("repealed"), st.integers(1, 9)),
    st.tuples(st.just("stycke"), _marked),
    st.tuples(st.just("table"), st.lists(_text, min_size=1, max_size=3)),
    st.tuples(st.just("schedule"), _text),
    st.tuples(st.just("transitional"), _text),
)


def write(writer: StatuteWriter, events: list[tuple[Any, ...]]) -> None:
    for event in events:
        kind, *rest = event
        if kind == "division":
            writer.division(str(rest[0]), "Fyrar", f"AVD. {rest[0]} FYRAR")
        elif kind == "chapter":
            writer.chapter(str(rest[0]), "Vakt", f"{rest[0]} kap. Vakt")
        elif kind == "heading":
            writer.heading(rest[0])
        elif kind == "section":
            writer.section(f"{rest[0]} §")
            writer.stycke(rest[1])
            for number, text in enumerate(rest[2], start=1):
                writer.item(f"{number}.", text)
        elif kind == "repealed":
            writer.section(f"{rest[0]} §")
            writer.stycke("Har upphävts genom lag (2099:56).")
        elif kind == "stycke":
            writer.stycke(rest[0])
        elif kind == "table":
            writer.table([[cell, "x"] for cell in rest[0]])
        elif kind == "schedule":
            writer.schedule("1", None, "Bilaga 1")
            writer.stycke(rest[0])
        else:
            writer.transitional("Övergångsbestämmelser")
            writer.transitional_act("2099:55")
            writer.stycke(rest[0])


_events = st.lists(_event, min_size=1, max_size=25).map(
    lambda events: [("section", 1, "Fyren ska lysa i mörker och i dimma.", []), *events]
)


@given(_events)
@examples(150)
def test_every_promise_holds_on_generated_statutes(events: list[tuple[Any, ...]]) -> None:
    document = statute(lambda writer: write(writer, events))
    result = chunk(document)
    check_promises(document, result)
    assert [row.dumps() for row in chunk(document).chunks] == [row.dumps() for row in result.chunks]


@given(_events)
@examples(60)
def test_the_same_document_forced_into_markdown_merge_keeps_the_promises_too(events: list[tuple[Any, ...]]) -> None:
    document = statute(lambda writer: write(writer, events))
    result = chunk(document, RouterOptions("markdown_merge"))
    assert not gaps(document.text, [span for row in result.chunks for span in row.spans], result.exclusions)
    assert {row.strategy for row in result.chunks} == {"markdown_merge"}


@pytest.mark.parametrize(
    "strategy",
    sorted(set(STRATEGIES) - {"markdown_merge", "proposition"}),  # one above, the other covers nothing
)
@given(_events)
@examples(25)
def test_every_strategy_keeps_the_text_whole_within_its_limits(strategy: str, events: list[tuple[Any, ...]]) -> None:
    document = statute(lambda writer: write(writer, events))
    result = chunk(document, RouterOptions(strategy), HashEncoder)
    check(document, result, strategy)
    again = chunk(document, RouterOptions(strategy), HashEncoder)
    assert [row.dumps() for row in again.chunks] == [row.dumps() for row in result.chunks]


def test_ids_survive_text_inserted_earlier_in_the_act() -> None:
    def act(*extra: str) -> Document:
        def write(writer: StatuteWriter) -> None:
            writer.section("1 §")
            writer.stycke("Fyren ska lysa.")
            for text in extra:
                writer.stycke(text)
            writer.section("2 §")
            writer.stycke("Vakten ska vara vaken.")

        return statute(write)

    before, after = chunk(act()).chunks[-1], chunk(act("Vid dimma ska den också tuta.")).chunks[-1]
    assert before.start_char != after.start_char
    assert (before.chunk_id, before.input_hash) == (after.chunk_id, after.input_hash)


def test_an_unknown_strategy_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="markdown_merge"):
        RouterOptions("no such strategy")


@pytest.mark.parametrize("run", ["[" * 10_000, ")(" * 5_000, "⟦" * 10_000, "漢" * 10_000])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_run_without_a_space_is_cut_and_flagged_instead_of_failing_its_document(strategy: str, run: str) -> None:
    def events(writer: StatuteWriter) -> None:
        write(writer, [("section", 1, f"Fyren {run} ska lysa.", []), ("section", 2, "Vakten ska vara vaken.", [])])

    document = statute(events)
    result = chunk(document, RouterOptions(strategy), HashEncoder)
    assert gaps(document.text, [span for row in result.chunks for span in row.spans], result.exclusions) == []
    large = [row for row in result.chunks if row.num_tokens > 1500]
    assert all(row.metadata["oversized"] for row in large)
    if not large:  # the run is in more than one chunk
        assert sum(row.requires_manual_review for row in result.chunks) >= 2
        assert any("cut inside a word" in warning for warning in result.warnings)
