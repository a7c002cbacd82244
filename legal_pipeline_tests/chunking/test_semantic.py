"""`semantic`: Max-Min boundaries against the formula, the percentile variant, the cap, the overlap, and small chunks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from legal_pipeline.chunking import semantic
from legal_pipeline.chunking.chunk import Segment
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.pieces import Pieces, headings_with_text, sentence_pieces
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.chunking.strategy import Tools
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.max_min_transcription import max_min, max_min_and_margin
from legal_pipeline_tests.chunking.plain import HashEncoder, Part, document
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.real_documents import documents, swedish_bulk

#: float64 sums in another order differ by less; only made-up vectors come as close to a threshold, or lie on it.
ROUNDING = 1e-12

#: Sentences of a real document that the model reads in about two seconds.
SHORT = 135

_WORDS = [
    "the",
    "keeper",
    "lights",
    "lamp",
    "at",
    "dusk",
    "and",
    "counts",
    "every",
    "ship",
    "that",
    "passes",
    "rock",
    "in",
    "fog",
]
_sentence = st.lists(st.sampled_from(_WORDS), min_size=2, max_size=30).map(
    lambda words: f"{' '.join(words)}.".capitalize()
)
_text = st.lists(st.lists(_sentence, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=12)


def unit(rows: Any) -> NDArray[np.float32]:
    matrix = np.asarray(rows, dtype=np.float64)
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


def forced(made: Document, **parameters: Any) -> Any:
    return chunk(made, RouterOptions("semantic", parameters={"semantic": parameters}), HashEncoder)


def long_text(sentences: int) -> Document:
    return document(
        "\n\n".join(
            " ".join(f"Ship {10 * block + line} passed the rock and the keeper wrote it down." for line in range(10))
            for block in range(sentences // 10)
        )
    )


@given(
    st.integers(1, 60), st.integers(2, 16), st.integers(0, 2**32 - 1), st.floats(0.0, 1.0), st.floats(0.1, 1.2),
    st.floats(0.5, 2.0), st.floats(0.0, 3.0),
)  # fmt: skip
@examples(300)
def test_boundaries_are_those_of_the_formula_on_any_vectors(
    count: int, dimension: int, seed: int, hard: float, c: float, init: float, drift: float
) -> None:
    rng = np.random.default_rng(seed)
    # Neighbours alike, as sentences of one topic are: pure noise would never form a cluster.
    rows = np.cumsum(rng.normal(size=(count, dimension)), axis=0) + drift * rng.normal(size=dimension)
    vectors = unit(rows + 1e-3)
    expected, margin = max_min_and_margin(vectors.astype(np.float64).tolist(), hard, c, init)
    assume(margin > ROUNDING)
    assert semantic.max_min(vectors, hard, c, init) == expected


def real_texts(corpus: Path) -> list[tuple[str, list[str]]]:
    """(name, all sentences) of real documents. Of the versions of one text only one: they share most decisions."""
    folders = ("in/judgments_rr", "in/judgments_text", "tagged", "zw/zimlii_json", "us/excerpts")
    chosen = [
        *(pair for folder in folders for pair in documents(corpus, folder)),
        *itertools.islice(documents(corpus, "histories/fr_constitution_1958"), 1),
        *itertools.islice(swedish_bulk(corpus), 45),
    ]
    return [(name, semantic.pieces(made, Segment("semantic", "test", ((0, len(made.text)),)))) for name, made in chosen]


def assert_equal_to_the_formula(texts: Sequence[tuple[str, list[str]]]) -> None:
    """On every sentence of every document, however close a decision is."""
    from legal_pipeline.embedding.registry import open_embedder

    vectors = open_embedder().embed_passages([sentence for _, found in texts for sentence in found]).vectors
    position = clusters = 0
    for name, found in texts:
        part = vectors[position : position + len(found)]
        position += len(found)
        expected = max_min(part.astype(np.float64).tolist())
        assert semantic.max_min(part) == expected, name
        clusters += len(expected)
    assert len(texts) < clusters < position, "the documents neither fell apart nor stayed whole"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("each", [8, pytest.param(1, marks=pytest.mark.heavy)])
def test_boundaries_are_those_of_the_formula_on_fifty_whole_documents(corpus: Path, each: int) -> None:
    """Every fourth of them in `make test`: their sentences are embedded."""
    texts = [(name, found) for name, found in real_texts(corpus) if len(found) <= SHORT]
    assert len(texts) >= 50
    assert_equal_to_the_formula(texts[::each])


@pytest.mark.corpus
@pytest.mark.heavy
def test_boundaries_are_those_of_the_formula_on_long_documents(corpus: Path) -> None:
    texts = [(name, found) for name, found in real_texts(corpus) if len(found) > SHORT]
    assert max(len(found) for _, found in texts) > 4000
    assert_equal_to_the_formula(texts)


def test_the_second_sentence_is_judged_by_init_times_its_similarity() -> None:
    pair = unit([[1.0, 0.0], [0.45, (1 - 0.45**2) ** 0.5]])
    assert semantic.max_min(pair, hard=0.6, init=1.5) == [0]  # 1.5 · 0.45 > 0.6
    assert semantic.max_min(pair, hard=0.6, init=1.0) == [0, 1]


def test_a_cluster_closes_where_the_best_similarity_falls_below_the_threshold() -> None:
    vectors = unit([[1, 0, 0], [1, 0.1, 0], [0.95, 0.15, 0], [0, 1, 0], [0, 1, 0.1]])
    assert semantic.max_min(vectors) == [0, 3]
    assert semantic.max_min(vectors[:0]) == []


def test_percentile_splits_below_the_25th_percentile_of_neighbours() -> None:
    angles = np.cumsum([0.0, 0.1, 0.1, 1.2, 0.1, 0.1, 0.1, 0.9, 0.1])
    vectors = unit(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    assert semantic.percentile(vectors) == [0, 3, 7]
    assert semantic.percentile(vectors[:1]) == [0]
    assert semantic.percentile(vectors[:0]) == []


def test_an_unknown_variant_and_missing_vectors_are_configuration_errors() -> None:
    made = long_text(20)
    with pytest.raises(ConfigurationError, match="max_min"):
        forced(made, variant="guess")
    with pytest.raises(ConfigurationError, match="vector for each"):
        semantic.chunk(made, Segment("semantic", "test", ((0, len(made.text)),)), Tools())


@pytest.mark.parametrize("variant", ["max_min", "percentile"])
def test_no_chunk_has_more_than_a_thousand_tokens_and_none_but_a_last_resort_under_a_hundred(variant: str) -> None:
    result = forced(long_text(600), variant=variant, hard=-1.0)
    assert len(result.chunks) > 3
    assert max(row.num_tokens for row in result.chunks) <= 1000
    assert all(row.num_tokens >= 100 for row in result.chunks)


def test_small_chunks_merge_into_a_neighbour_when_both_fit() -> None:
    pieces = Pieces(((0, 1), (2, 3), (4, 5), (6, 7)), (40, 200, 30, 950))
    assert semantic._merge_small(pieces, [(0, 1), (1, 2), (2, 3), (3, 4)], 1000) == [(0, 3), (3, 4)]


@pytest.mark.parametrize("variant", ["max_min", "percentile"])
@given(_text)
@examples(40)
def test_overlap_is_whole_sentences_and_ten_to_twenty_percent_where_sentences_allow(
    variant: str, blocks: list[str]
) -> None:
    made = document("\n\n".join(blocks))
    result = forced(made, variant=variant, hard=-1.0)
    sentences = semantic._sentences(made, Segment("semantic", "test", ((0, len(made.text)),)))
    starts = {start for start, _ in sentences.spans}
    for before, after in itertools.pairwise(result.chunks):
        assert after.start_char in starts
        common = made.text[after.start_char : max(before.end_char, after.start_char)]
        assert count_tokens(common) <= 0.21 * before.num_tokens + 1
        assert before.start_char < after.start_char
        assert before.end_char < after.end_char


def test_overlap_is_there_and_in_its_range_between_capped_chunks() -> None:
    made = long_text(600)
    result = forced(made, hard=-1.0)
    shares = []
    for before, after in itertools.pairwise(result.chunks):
        shares.append(count_tokens(made.text[after.start_char : before.end_char]) / before.num_tokens)
    assert shares
    assert all(0.10 <= share <= 0.20 for share in shares), shares


def test_same_input_same_chunks(tmp_path: Path) -> None:
    made = long_text(100)
    dumps: list[Sequence[str]] = [[row.dumps() for row in forced(made).chunks] for _ in range(2)]
    assert dumps[0] == dumps[1]


def test_hard_is_that_of_the_model_and_the_papers_for_an_unknown_one() -> None:
    from legal_pipeline.embedding.registry import open_embedder

    calibrated = semantic.calibrated_hard(open_embedder().name)
    assert calibrated != semantic.HARD
    assert semantic.calibrated_hard("never-seen@0123") == semantic.calibrated_hard(None) == semantic.HARD


def test_headings_at_the_end_of_a_group_go_to_the_next_one_that_has_room() -> None:
    made = document("Lights burn.", Part("heading", "Fog"), Part("heading", "Night"), "Bells ring.")
    found = sentence_pieces(made, [(0, len(made.text))], 100)
    assert found.texts(made) == ["Lights burn.", "Fog", "Night", "Bells ring."]
    assert headings_with_text(made, found, [(0, 3), (3, 4)], 100) == [(0, 1), (1, 4)]
    assert headings_with_text(made, found, [(0, 1), (1, 3), (3, 4)], 100) == [(0, 1), (1, 4)]
    assert headings_with_text(made, found, [(0, 3), (3, 4)], sum(found.tokens[3:])) == [(0, 3), (3, 4)]
    assert headings_with_text(made, found, [(0, 4)], 100) == [(0, 4)]
