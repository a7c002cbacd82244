"""What stands beside a hit, on payloads alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.retrieval.passages import REACH, passages
from legal_pipeline.stores.store import AnyOf, Condition, Not, Payload


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
    assert isinstance(condition, AnyOf)
    return values.get(condition.field) in condition.values


def shown(
    hits: Sequence[Payload], held: Held, tokens: int, limit: int = 10, cited: Sequence[str] = ()
) -> dict[str, list[int]]:
    found = passages(hits, lambda one: one, limit, tokens, held, apart=lambda one: one["chunk_id"] in cited)
    return {str(hit["chunk_id"]): [int(one["seq"]) for one in beside] for hit, beside in found}


def test_a_passage_grows_to_both_sides_and_stays_within_its_tokens() -> None:
    held = Held(chunk(seq) for seq in range(20))
    assert shown([held.chunks[10]], held, 512) == {"act/10": [8, 9, 11, 12]}
    assert shown([held.chunks[0]], held, 300) == {"act/0": [1, 2]}
    assert shown([held.chunks[10]], held, 100) == {"act/10": []}
    assert shown([chunk(10, tokens=2000)], held, 512) == {"act/10": []}


def test_what_does_not_fit_ends_its_side_alone() -> None:
    held = Held(chunk(seq, tokens=900 if seq == 6 else 50) for seq in range(9))
    assert shown([held.chunks[5]], held, 300) == {"act/5": [0, 1, 2, 3, 4]}


def test_no_chunk_is_shown_twice_and_the_first_hit_has_it() -> None:
    held = Held(chunk(seq) for seq in range(20))
    hits = [held.chunks[seq] for seq in (5, 6, 8, 15)]
    assert shown(hits, held, 300) == {"act/5": [4, 6], "act/8": [7, 9], "act/15": [14, 16]}
    assert shown(hits, held, 300, limit=2) == {"act/5": [4, 6], "act/8": [7, 9]}


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
