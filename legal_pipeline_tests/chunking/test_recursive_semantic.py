"""`recursive_semantic`: one vector per piece, the merge and cut, the paper's rules one by one, and what holds for both."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from legal_pipeline.chunking import recursive_semantic
from legal_pipeline.chunking.chunk import Segment
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.chunking.pieces import Pieces
from legal_pipeline.chunking.recursive_semantic import merged, paper_groups, raised
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.chunking.strategy import Tools
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.plain import HashEncoder, Part, document
from legal_pipeline_tests.examples import examples

_WORDS = [
    "the",
    "harbour",
    "master",
    "enters",
    "each",
    "ship",
    "in",
    "a",
    "book",
    "unless",
    "fog",
    "hides",
    "its",
    "flag",
    "from",
    "him",
]
_sentence = st.lists(st.sampled_from(_WORDS), min_size=3, max_size=40).map(
    lambda words: f"{' '.join(words)}.".capitalize()
)
_blocks = st.lists(st.lists(_sentence, min_size=1, max_size=25).map(" ".join), min_size=1, max_size=15)


def directions(*angles: float) -> NDArray[np.float32]:
    """Unit vectors in the plane, angles in degrees."""
    radians = np.radians(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def pieces(*tokens: int, characters: int = 100) -> Pieces:
    """Pieces of these tokens, each of `characters` characters and one blank apart."""
    spans = tuple((at * (characters + 1), at * (characters + 1) + characters) for at in range(len(tokens)))
    return Pieces(spans, tokens)


def sentences(*characters: int) -> Pieces:
    ends = list(itertools.accumulate(size + 1 for size in characters))
    return Pieces(
        tuple((end - size - 1, end - 1) for size, end in zip(characters, ends, strict=True)),
        tuple(size // 4 for size in characters),
    )


def options(variant: str) -> RouterOptions:
    return RouterOptions("recursive_semantic", parameters={"recursive_semantic": {"variant": variant}})


def harbour_rules(blocks: int) -> Document:
    return document(
        *(f"Rule {number} says that ship {number} waits outside until the pilot comes." for number in range(blocks))
    )


@pytest.mark.parametrize("variant", ["merge", "paper"])
def test_every_piece_of_a_batch_is_embedded_once_in_one_call(variant: str) -> None:
    made = [harbour_rules(40), harbour_rules(7)]
    encoder = HashEncoder()
    results = chunk_batch(made, options(variant), lambda _: encoder)
    assert all(not isinstance(result, Exception) for result in results)
    assert len(encoder.calls) == 1
    expected = [f"Rule {number} says that ship {number} waits outside until the pilot comes." for number in range(40)]
    assert encoder.calls[0] == expected + expected[:7]


def test_neighbours_merge_above_the_similarity_and_within_the_budget() -> None:
    alike = directions(0, 10, 20, 80)
    assert merged(pieces(10, 10, 10, 10), alike, 0.75, 100) == [(0, 3), (3, 4)]
    assert merged(pieces(10, 10, 10, 10), alike, 0.75, 25) == [(0, 2), (2, 3), (3, 4)]
    exactly = np.array([[1.0, 0.0], [0.75, np.sqrt(1 - 0.75**2)]], dtype=np.float32)
    assert merged(pieces(10, 10), exactly, float(exactly[0] @ exactly[1]), 100) == [(0, 1), (1, 2)], "above, not at"


def test_what_is_alike_for_one_model_is_not_for_another() -> None:
    """Sentences at a cosine of 0.85 to their neighbour, which in multilingual-e5-small unrelated ones reach too."""
    made = harbour_rules(4)
    vectors = directions(*(31.8 * number for number in range(4)))

    def chunks(model: str, **parameters: float) -> int:
        tools = Tools(vectors, {"minimum": 0, **parameters}, model=model)
        segment = Segment("recursive_semantic", "test", ((0, len(made.text)),))
        drafts, _ = recursive_semantic.chunk(made, segment, tools)
        return len(drafts)

    assert chunks("never-seen@1") < chunks("multilingual-e5-small@1") == 4
    assert chunks("multilingual-e5-small@1", similarity=0.75) == chunks("never-seen@1")


def test_a_buffer_is_compared_by_the_length_weighted_mean_of_its_parts() -> None:
    vectors = directions(0, 40, 75)
    # Mean at 36 degrees when the second part is long: 39 degrees to the next; at 4 degrees when the first is: 71.
    assert merged(pieces(10, 90, 10), vectors, 0.75, 500) == [(0, 3)]
    assert merged(pieces(90, 10, 10), vectors, 0.75, 500) == [(0, 2), (2, 3)]


def test_what_is_over_the_budget_is_cut_at_its_lowest_similarity() -> None:
    vectors = directions(0, 5, 60, 65, 70)
    assert recursive_semantic._within(pieces(30, 30, 30, 30, 30), vectors, (0, 5), 100) == [(0, 2), (2, 5)]
    assert recursive_semantic._within(pieces(30, 30, 30, 30, 30), vectors, (0, 5), 70) == [(0, 2), (2, 3), (3, 5)]


def test_what_is_under_the_minimum_joins_the_more_similar_neighbour() -> None:
    sizes = pieces(200, 20, 200)
    groups = [(0, 1), (1, 2), (2, 3)]
    assert raised(sizes, directions(0, 60, 80), groups, 100, 1000) == [(0, 1), (1, 3)]
    assert raised(sizes, directions(50, 60, 90), groups, 100, 1000) == [(0, 2), (2, 3)]
    assert raised(sizes, directions(0, 0, 0), groups, 100, 1000) == [(0, 2), (2, 3)], "a tie: the one before"
    assert raised(pieces(200, 20, 150), directions(0, 0, 0), groups, 100, 1000) == [(0, 1), (1, 3)], "or the smaller"
    assert raised(sizes, directions(0, 60, 80), groups, 20, 1000) == groups, "under, not at"
    assert raised(pieces(), np.zeros((0, 2), dtype=np.float32), [], 100, 1000) == []


def test_a_small_group_takes_the_neighbour_that_it_fits_with_and_stays_where_it_fits_with_none() -> None:
    groups = [(0, 1), (1, 2), (2, 3)]
    assert raised(pieces(95, 20, 70), directions(60, 60, 0), groups, 50, 100) == [(0, 1), (1, 3)]
    assert raised(pieces(95, 20, 95), directions(60, 60, 60), groups, 50, 100) == groups


def test_the_smallest_goes_first_so_that_no_chunk_swallows_its_neighbours_one_by_one() -> None:
    found = raised(pieces(*([20] * 60)), directions(*([0] * 60)), [(at, at + 1) for at in range(60)], 100, 1000)
    assert all(5 <= stop - first <= 12 for first, stop in found), found


def test_the_minimum_counts_tokens_and_can_be_switched_off() -> None:
    made = harbour_rules(40)
    alone = {"recursive_semantic": {"similarity": 2.0, "minimum": 0}}
    (apart,) = chunk_batch([made], RouterOptions("recursive_semantic", parameters=alone), HashEncoder)
    (joined,) = chunk_batch([made], RouterOptions("recursive_semantic"), HashEncoder)
    assert not isinstance(apart, Exception)
    assert not isinstance(joined, Exception)
    assert len(apart.chunks) == 40
    assert all(row.num_tokens >= recursive_semantic.MINIMUM for row in joined.chunks)


def test_headings_and_the_block_under_them_are_one_piece() -> None:
    made = document(
        Part("heading", "Part A"), Part("heading", "Pilots"), "A pilot boards outside the reef.", "He brings a chart.",
        Part("heading", "Tugs"),
    )  # fmt: skip
    encoder = HashEncoder()
    (result,) = chunk_batch([made], RouterOptions("recursive_semantic"), lambda _: encoder)
    assert not isinstance(result, Exception)
    assert encoder.calls == [["Part A\n\nPilots\n\nA pilot boards outside the reef.", "He brings a chart.", "Tugs"]]


def test_a_heading_that_does_not_fit_with_its_block_stays_a_piece() -> None:
    made = document(Part("heading", "Pilots"), "A pilot boards outside the reef.")
    found = recursive_semantic.block_pieces(made, [(0, len(made.text))], 8)
    assert recursive_semantic._with_headings(made, found, 8) == found


def test_the_paper_splits_first_at_15_000_characters_on_sentences() -> None:
    found = sentences(*([4_000] * 8))
    assert recursive_semantic._by_characters(found, (0, 8), 15_000) == [(0, 3), (3, 6), (6, 8)]


def test_the_paper_breaks_above_the_95th_percentile_of_distances() -> None:
    angles = [*range(21), *range(60, 81)]  # one leap among 41 steps of one degree
    found = sentences(*([40] * len(angles)))
    groups = recursive_semantic._recurse(found, directions(*angles), (0, len(angles)), 95.0)
    assert groups == [(0, 21), (21, 42)]


def test_the_paper_cuts_pieces_over_1_500_characters_again_with_the_percentile_three_lower() -> None:
    angles = [0, 1, 2, 30, 31, 32, 90, 91, 92]
    small = recursive_semantic._recurse(sentences(*([100] * 9)), directions(*angles), (0, 9), 95.0)
    assert small == [(0, 6), (6, 9)]  # 605 characters: it fits
    large = recursive_semantic._recurse(sentences(*([400] * 9)), directions(*angles), (0, 9), 95.0)
    assert (0, 3) in large
    assert (3, 6) in large  # 2,405 characters: cut again, at the next greatest leap


def test_the_paper_stops_where_nothing_moves() -> None:
    alike = directions(0, 0, 0, 0)
    assert recursive_semantic._recurse(sentences(*([900] * 4)), alike, (0, 4), 95.0) == [(0, 4)]


def test_the_paper_merges_pieces_under_350_characters_into_the_more_similar_neighbour() -> None:
    found = sentences(400, 100, 400)
    groups = [(0, 1), (1, 2), (2, 3)]
    assert recursive_semantic._absorb_small(found, directions(0, 60, 80), groups) == [(0, 1), (1, 3)]
    assert recursive_semantic._absorb_small(found, directions(50, 60, 90), groups) == [(0, 2), (2, 3)]
    assert recursive_semantic._absorb_small(found, directions(0, 0, 0), groups) == [(0, 2), (2, 3)], "a tie"


def test_the_paper_ends_with_a_split_at_2_500_characters() -> None:
    found = sentences(*([900] * 6))
    groups = paper_groups(found, directions(0, 0, 0, 0, 0, 0))
    assert groups == [(0, 2), (2, 4), (4, 6)]


@pytest.mark.parametrize("variant", ["merge", "paper"])
@given(_blocks)
@examples(40)
def test_what_holds_for_every_document(variant: str, blocks: list[str]) -> None:
    made = document(*blocks)
    (result,) = chunk_batch([made], options(variant), HashEncoder)
    assert not isinstance(result, Exception)
    for row in result.chunks:
        assert row.chunk_text == "\n".join(made.text[start:end] for start, end in row.spans)
        assert row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS <= MAX_TOKENS
        assert not row.metadata.get("oversized")
    assert not gaps(made.text, [span for row in result.chunks for span in row.spans], result.exclusions)
    for before, after in itertools.pairwise(result.chunks):
        assert (before.start_char, before.end_char) < (after.start_char, after.end_char)
        common = made.text[after.start_char : max(before.end_char, after.start_char)]
        assert count_tokens(common) <= 0.21 * before.num_tokens + 1


def test_overlap_is_ten_to_twenty_percent_where_there_is_any() -> None:
    made = document(
        *(" ".join(f"The pilot boards ship {10 * block + line} at noon." for line in range(3)) for block in range(120))
    )
    (result,) = chunk_batch(
        [made],
        RouterOptions("recursive_semantic", parameters={"recursive_semantic": {"similarity": -1.0}}),
        HashEncoder,
    )
    assert not isinstance(result, Exception)
    shares = [
        count_tokens(made.text[after.start_char : before.end_char]) / before.num_tokens
        for before, after in itertools.pairwise(result.chunks)
    ]
    assert shares
    assert all(0.10 <= share <= 0.20 for share in shares), shares


def test_an_unknown_variant_is_a_configuration_error() -> None:
    (result,) = chunk_batch([harbour_rules(3)], options("folklore"), HashEncoder)
    assert isinstance(result, ConfigurationError)
