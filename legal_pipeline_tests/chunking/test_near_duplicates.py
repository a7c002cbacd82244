"""Near-duplicates: what is flagged, what is not, and that nothing of it depends on chance."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.near_duplicates import (
    THRESHOLD,
    Sketches,
    earliest_repeats,
    jaccard,
    process_hashes,
    shingle_hashes,
    shingles,
    sketch,
)
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking.english import prose
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.real_documents import existing

Row = dict[str, str]


def row(name: str, text: str) -> Row:
    return {"chunk_id": name, "chunk_text": text}


def near_duplicates(rows: list[Row], threshold: float = THRESHOLD) -> dict[str, str]:
    sketches = sketch(rows, threshold)
    names, everything = sketches.chunk_ids, np.ones(len(sketches.chunk_ids), np.bool_)
    found = earliest_repeats([sketches], due=everything, new=everything, before={}, threshold=threshold)
    return {names[position]: names[earlier] for position, earlier in found.items()}


def test_a_text_with_another_name_and_date_repeats_the_first() -> None:
    order = f"The board orders Keeper Moyo to light the lamp by 3 May 2099. {prose(30)}"
    rows = [
        row("first", order),
        row("other", f"The keeper appeals. {prose(12, 400)}"),
        row("again", order.replace("Moyo", "Ncube").replace("3 May", "9 June")),
        row("third", order.upper() + " Costs follow."),
    ]
    assert near_duplicates(rows) == {"again": "first", "third": "first"}


def test_punctuation_case_and_white_space_do_not_count() -> None:
    assert near_duplicates([row("a", "The lamp, lit at DUSK!"), row("b", "the lamp\nlit at dusk")]) == {"b": "a"}


def test_texts_without_words_and_short_ones_are_no_duplicates_of_each_other() -> None:
    assert near_duplicates([row("a", "— § —"), row("b", "…"), row("c", "Repealed."), row("d", "Omitted.")]) == {}


def test_the_threshold_is_a_similarity_of_shingle_sets() -> None:
    words = [f"w{number}" for number in range(104)]
    changed = [*words[:50], "x", *words[51:]]
    left, right = shingle_hashes(" ".join(words)), shingle_hashes(" ".join(changed))
    assert left.size == 100
    assert jaccard(left, right) == pytest.approx(95 / 105)
    rows = [row("a", " ".join(words)), row("b", " ".join(changed))]
    assert near_duplicates(rows, threshold=0.90) == {"b": "a"}
    assert near_duplicates(rows, threshold=0.91) == {}


def test_generated_text_is_not_compared_with_its_source() -> None:
    text = prose(8)
    assert near_duplicates([row("a", text), {**row("b", text), "generator": "rules"}, row("c", text)]) == {"c": "a"}


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30).map(" ".join), max_size=12))
@examples(60)
def test_whatever_is_flagged_is_similar_and_stands_before(texts: list[str]) -> None:
    rows = [row(str(number), text) for number, text in enumerate(texts)]
    found = near_duplicates(rows)
    assert found == near_duplicates(rows)
    for name, earlier in found.items():
        assert int(earlier) < int(name)
        assert jaccard(shingle_hashes(texts[int(name)]), shingle_hashes(texts[int(earlier)])) >= THRESHOLD
    for (first, left), (second, right) in itertools.combinations(enumerate(texts), 2):
        if left == right:
            assert str(second) in found, (first, second)


@pytest.fixture
def charters(corpus: Path) -> list[Row]:
    """The articles of the two African Union treaties, one chunk each."""
    rows = []
    for path in existing(corpus / "zw" / "akn_html", "akn_aa-au_act_*.html"):
        document = parse(SourceFile(path.name, path.read_bytes()))
        for found in chunk(document, RouterOptions("statute_boundary")).chunks:
            if found.generator is None:
                rows.append({name: getattr(found, name) for name in ("chunk_id", "chunk_text", "document_id")})
    assert len({found["document_id"] for found in rows}) == 2
    return rows


@pytest.mark.corpus
def test_treaties_that_share_a_form_but_not_their_words_are_not_flagged(charters: list[Row]) -> None:
    """The nearest articles of the two are those on deposit and registration: 0.42."""
    assert near_duplicates(charters) == {}
    near = near_duplicates(charters, threshold=0.4)
    by_id = {found["chunk_id"]: found for found in charters}
    assert len(near) == 1
    ((later, earlier),) = near.items()
    assert by_id[later]["document_id"] != by_id[earlier]["document_id"]
    assert "deposited" in by_id[later]["chunk_text"]
    assert "deposited" in by_id[earlier]["chunk_text"]


@pytest.mark.corpus
def test_a_second_reading_with_a_wrong_word_in_a_hundred_is_found_whole(charters: list[Row]) -> None:
    chance = random.Random(7)

    def misread(text: str) -> str:
        words = re.split(r"( +)", text)
        for at in range(chance.randrange(100), len(words), 200):  # every second entry is white space
            words[at] = "mrsread"
        return "".join(words)

    long = [found for found in charters if len(found["chunk_text"].split()) >= 60]
    copies = [row(f"copy-{found['chunk_id']}", misread(found["chunk_text"])) for found in long]
    found = near_duplicates([*charters, *copies])
    right = sum(found.get(f"copy-{original['chunk_id']}") == original["chunk_id"] for original in long)
    assert len(long) > 30
    assert right >= 0.95 * len(long)
    assert all(name.startswith("copy-") for name in found)


def test_the_first_chunk_of_a_group_repeats_one_of_the_group_before() -> None:
    order = f"The board orders Keeper Moyo to light the lamp. {prose(30)}"
    groups = [sketch([row("a", prose(20, 7)), row("b", order)], THRESHOLD), sketch([row("c", order)], THRESHOLD)]
    every = np.ones(3, np.bool_)
    assert earliest_repeats(groups, due=every, new=every, before={}) == {2: 1}


def test_a_repeat_is_found_behind_many_candidates_that_are_not_similar() -> None:
    texts = [np.arange(at, at + 10) for at in range(0, 600, 20)]
    texts += [texts[25], texts[3]]
    signs = np.array([np.full(128, words[0] % 251) for words in texts], np.uint8)
    made = Sketches([str(at) for at in range(32)], np.zeros((32, 1), np.uint64), signs, texts.__getitem__)
    every = np.ones(32, np.bool_)
    assert earliest_repeats([made], due=every, new=every, before={}) == {30: 25, 31: 3}


def test_a_chunk_that_is_due_is_compared_with_all_before_it_and_another_with_the_new_ones_before_its_own() -> None:
    order = prose(30)
    made = sketch([row(name, order) for name in "abcd"], THRESHOLD)
    none = np.zeros(4, np.bool_)
    third = np.array([False, False, True, False])
    assert earliest_repeats([made], due=third, new=none, before={}) == {2: 0}
    assert earliest_repeats([made], due=none, new=third, before={3: 3}) == {3: 2}
    # it is known to repeat the second, which is before the new one
    assert earliest_repeats([made], due=none, new=third, before={3: 1}) == {}
    assert earliest_repeats([made], due=none, new=none, before={3: 3}) == {}


def test_a_text_of_a_few_words_is_one_shingle_and_the_order_of_words_counts() -> None:
    assert shingles("Light the lamp") == {("light", "the", "lamp")}
    assert shingles("a b c d e") == {tuple("abcde")}
    assert shingles("a b c d e f") == {tuple("abcde"), tuple("bcdef")}
    for text in ("a b c d e f g", "a b c"):
        own, turned = process_hashes(text), process_hashes(" ".join(reversed(text.split())))
        assert own.size == len(shingles(text))
        assert jaccard(own, turned) == 0.0


def test_of_two_chunks_with_one_id_the_first_is_compared() -> None:
    made = sketch([row("a", "The lamp is lit at dusk."), row("a", "The horn sounds in fog.")], THRESHOLD)
    assert list(made.chunk_ids) == ["a"]
    assert np.array_equal(made.shingles(0), shingle_hashes("The lamp is lit at dusk."))
