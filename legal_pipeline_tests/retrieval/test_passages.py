"""What stands beside a hit, on payloads alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pytest

from legal_pipeline.retrieval.passages import BESIDE_WEIGHT, REACH, passages, with_beside
from legal_pipeline.stores.store import AnyOf, Condition, Either, Not, Payload


def chunk(seq: int, tokens: int = 100, document: str = "act", **more: Any) -> Payload:
    return {"chunk_id": f"{document}/{seq}", "document_id": document, "seq": seq, "num_tokens": tokens, **more}


class Held:
    """Chunks that answer conditions as a store does, and how often they were asked."""

    def __init__(self, chunks: Iterable[Payload]) -> None:
        self.chunks = list(chunks)
        self.calls = 0

    def __call__(self, conditions: Sequence[Condition], limit: int) -> list[Payload]:
        self.calls += 1
        found = [one for one in self.chunks if all(_holds(one, condition) for condition in conditions)]
        assert len(found) <= limit
        return found


def _holds(values: Payload, condition: Condition) -> bool:
    if isinstance(condition, Not):
        return not _holds(values, condition.condition)
    if isinstance(condition, Either):
        return any(all(_holds(values, one) for one in each) for each in condition.alternatives)
    assert isinstance(condition, AnyOf)
    return values.get(condition.field) in condition.values


def shown(
    hits: Sequence[Payload],
    held: Held,
    tokens: int,
    limit: int = 10,
    cited: Sequence[str] = (),
    scored: Mapping[int, float] = MappingProxyType({}),
) -> dict[str, list[int]]:
    """Hit -> numbers of what stands beside it; `scored` are chunks of "act"."""
    found = passages(
        hits,
        lambda one: one,
        limit,
        tokens,
        held,
        scored=[(chunk(seq), score) for seq, score in scored.items()],
        apart=lambda one: one["chunk_id"] in cited,
    )
    return {str(one.item["chunk_id"]): [int(each["seq"]) for each in one.beside] for one in found}


def test_a_passage_grows_to_both_sides_and_stays_within_its_tokens() -> None:
    held = Held(chunk(seq) for seq in range(20))
    assert shown([held.chunks[10]], held, 512) == {"act/10": [8, 9, 11, 12]}
    assert shown([held.chunks[0]], held, 300) == {"act/0": [1, 2]}
    assert shown([held.chunks[10]], held, 100) == {"act/10": []}
    assert shown([chunk(10, tokens=2000)], held, 512) == {"act/10": []}


def test_a_passage_is_the_run_that_scores_most() -> None:
    held = Held(chunk(seq) for seq in range(20))
    hit = [held.chunks[10]]
    assert shown(hit, held, 300, scored={10: 0.05, 8: 0.01}) == {"act/10": [8, 9]}
    assert shown(hit, held, 300, scored={10: 0.05, 8: 0.01, 11: 0.02}) == {"act/10": [9, 11]}
    assert shown(hit, held, 300, scored={10: 0.05, 13: 0.04}) == {"act/10": [9, 11]}  # no room for it
    wide = Held(chunk(seq, tokens=250 if seq == 9 else 100) for seq in range(20))
    assert shown([wide.chunks[10]], wide, 400) == {"act/10": [11, 12, 13]}
    assert shown([wide.chunks[10]], wide, 400, scored={9: 0.01}) == {"act/10": [9]}


def test_what_stands_beside_a_hit_counts_for_it() -> None:
    held = Held(chunk(seq) for seq in range(40))
    hits = [held.chunks[seq] for seq in (5, 20, 35)]
    alone = {5: 0.050, 20: 0.048, 35: 0.040}
    assert list(shown(hits, held, 300, scored=alone)) == ["act/5", "act/20", "act/35"]
    together = {**alone, 21: 0.030, 36: 0.015}
    assert list(shown(hits, held, 300, scored=together)) == ["act/20", "act/5", "act/35"]
    assert list(shown(hits, held, 100, scored=together)) == ["act/5", "act/20", "act/35"]  # no room for it
    # what is cited comes first by itself
    assert list(shown(hits, held, 300, scored=together, cited=["act/5"])) == ["act/5", "act/20", "act/35"]
    found = passages(
        hits,
        lambda one: one,
        3,
        300,
        held,
        scored=[(chunk(seq), score) for seq, score in together.items()],
        apart=lambda _: False,
    )
    assert [one.beside_score for one in found] == [0.030, 0.0, 0.015]
    assert with_beside(0.048, 0.03) == pytest.approx(0.048 + BESIDE_WEIGHT * 0.03)


def test_a_definition_counts_like_the_best_of_its_document_and_a_summary_does_not() -> None:
    held = Held(chunk(seq) for seq in range(20))
    definition = chunk(3, strategy="proposition", chunk_id="definition")
    summary = chunk(1, strategy="raptor", chunk_id="summary")
    hits = [
        summary,
        definition,
        held.chunks[5],
        chunk(4, document="other", strategy="proposition", chunk_id="of another"),
    ]
    scored = [(summary, 0.051), (definition, 0.050), (held.chunks[5], 0.048), (held.chunks[6], 0.040), (hits[3], 0.049)]
    found = passages(hits, lambda one: one, 4, 300, held, scored=scored, apart=lambda _: False)
    assert [(one.item["chunk_id"], one.beside_score) for one in found] == [
        ("definition", 0.04),
        ("act/5", 0.04),
        ("summary", 0.0),
        ("of another", 0.0),
    ]


def test_nothing_is_fetched_for_hits_that_stand_alone_and_are_not_shown() -> None:
    held = Held(chunk(seq, document=document) for document in ("act", "other", "third") for seq in range(20))
    hits = [one for one in held.chunks if one["seq"] == 5]
    shown(hits, held, 300, limit=1, scored={5: 0.05})
    assert held.calls == 1


def test_what_does_not_fit_ends_its_side_alone() -> None:
    held = Held(chunk(seq, tokens=900 if seq == 6 else 50) for seq in range(9))
    assert shown([held.chunks[5]], held, 300) == {"act/5": [0, 1, 2, 3, 4]}


def test_no_chunk_is_shown_twice_and_the_first_hit_has_it() -> None:
    held = Held(chunk(seq) for seq in range(20))
    hits = [held.chunks[seq] for seq in (5, 6, 8, 15)]
    assert shown(hits, held, 300) == {"act/5": [4, 6], "act/8": [7, 9], "act/15": [14, 16]}
    assert shown(hits, held, 300, limit=2) == {"act/5": [4, 6], "act/8": [7, 9]}


def test_a_hit_that_is_shown_is_not_beside_the_next_one() -> None:
    held = Held(chunk(seq) for seq in range(20))
    hits = [held.chunks[seq] for seq in (5, 6)]
    scored = {5: 0.05, 3: 0.04, 6: 0.03}
    assert shown(hits, held, 300, scored=scored) == {"act/5": [3, 4], "act/6": [7, 8]}


def test_a_hit_that_is_shown_in_the_place_of_another_has_its_neighbours_too() -> None:
    held = Held(chunk(seq) for seq in range(40))
    hits = [held.chunks[seq] for seq in (5, 6, 30)]
    assert shown(hits, held, 300, limit=2) == {"act/5": [4, 6], "act/30": [29, 31]}


def test_what_comes_last_stays_behind_whatever_stands_beside_it() -> None:
    held = Held(chunk(seq) for seq in range(40))
    hits = [held.chunks[seq] for seq in (30, 5)]
    scored = [(chunk(5), 0.05), (chunk(6), 0.04), (chunk(30), 0.01)]
    found = passages(
        hits,
        lambda one: one,
        2,
        300,
        held,
        scored=scored,
        apart=lambda _: False,
        last=lambda one: one["seq"] == 5,
    )
    assert [passage.item["chunk_id"] for passage in found] == ["act/30", "act/5"]


def test_a_definition_counts_like_the_best_hit_of_its_document_and_not_the_last() -> None:
    held = Held(chunk(seq) for seq in range(40))
    definition = chunk(3, strategy="proposition", chunk_id="definition")
    hits = [held.chunks[5], held.chunks[30], definition]
    scored = [(held.chunks[5], 0.05), (held.chunks[6], 0.04), (held.chunks[30], 0.03), (definition, 0.02)]
    found = passages(hits, lambda one: one, 3, 300, held, scored=scored, apart=lambda _: False)
    assert {passage.item["chunk_id"]: passage.beside_score for passage in found} == {
        "act/5": 0.04,
        "act/30": 0.0,
        "definition": 0.04,
    }


def test_what_is_cited_is_never_beside_another() -> None:
    held = Held(chunk(seq) for seq in range(20))
    hits = [held.chunks[5], held.chunks[6], held.chunks[9]]
    assert shown(hits, held, 300, cited=["act/5", "act/6"]) == {"act/5": [3, 4], "act/6": [7, 8], "act/9": [10, 11]}


def test_definitions_summaries_and_superseded_wordings_stand_beside_nothing() -> None:
    aside = [
        chunk(3, strategy="proposition", chunk_id="p"),
        chunk(4, strategy="raptor", chunk_id="r"),
        chunk(6, superseded=True, chunk_id="s"),
    ]
    held = Held([*aside, chunk(2), chunk(5, strategy="paragraf"), chunk(7)])
    assert shown([held.chunks[4]], held, 512) == {"act/5": [2, 7]}
    assert shown(aside, held, 512) == {"p": [], "r": [], "s": []}


def test_a_document_is_asked_once_and_another_act_is_not_looked_into() -> None:
    held = Held([*(chunk(seq) for seq in range(60)), *(chunk(seq, document="other") for seq in range(60))])
    hits = [held.chunks[seq] for seq in (5, 30, 55)]
    assert shown(hits, held, 10_000) == {
        f"act/{seq}": [at for at in range(max(0, seq - REACH), min(60, seq + REACH + 1)) if at != seq]
        for seq in (5, 30, 55)
    }
    assert held.calls == 1


def test_a_neighbour_counts_far_behind_the_beginning_of_the_document_too() -> None:
    held = Held(chunk(seq) for seq in range(60))
    scored = {40: 1.0, 20: 1.0, 21: 5.0}
    assert list(shown([chunk(40), chunk(20)], held, 300, scored=scored)) == ["act/20", "act/40"]


def test_a_hit_without_a_place_in_its_document_has_no_neighbours() -> None:
    placeless = {name: value for name, value in chunk(3).items() if name != "seq"}
    assert shown([placeless], Held(chunk(seq) for seq in range(6)), 1_000) == {"act/3": []}


def test_a_neighbour_at_the_end_of_the_reach_counts_and_one_behind_it_does_not() -> None:
    held = Held(chunk(seq, tokens=10) for seq in range(40))
    for seq, score in ((20 - REACH, 0.03), (20 + REACH, 0.03), (20 + REACH + 1, 0.0)):
        scored = [(chunk(20), 0.05), (chunk(seq), 0.03)]
        (found,) = passages([held.chunks[20]], lambda one: one, 1, 1_000, held, scored=scored, apart=lambda _: False)
        assert found.beside_score == score
