"""The taxonomy of practice areas, and the text of a judgment as a leaf of its area's tree (RAPTOR, Sarthi et al., ICLR 2024).

A leaf is made from the judgment's own chunks: first the headnote and the decision, then the questions, the facts and the reasons, up to
`LEAF_TOKENS`. Not here: the classification (an `Enricher`), the storage of leaves (`registry.practice_area_leaves`), the trees
(`corpus_assets.practice_area_trees`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.model import identity
from legal_pipeline.system.data_files import data_file

#: Incremented when the content of a leaf changes for the same judgment.
VERSION = "1"

#: Twenty leaves are 30,000 tokens at most: a request of a few cents, far below every model's context.
LEAF_TOKENS = 1500

#: Chunk types by priority, for judgments that do not fit. The header is left out: its title and court are in the leaf's first line.
_BY_WEIGHT = ("headnote", "holding", "order", "issue", "facts", "reasoning")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Leaf:
    """The input of the summary of a judgment's node. `chunk_ids` are the chunks in `text`."""

    document_id: str
    title: str
    court: str | None
    year: str | None
    text: str
    chunk_ids: tuple[str, ...]
    source_sha256: str
    requires_manual_review: bool

    @property
    def hash(self) -> str:
        """Return the hash of all that the summary shows of the judgment, and of the chunk ids that its node names."""
        return identity.input_hash("practice area leaf", VERSION, self.title, self.text, list(self.chunk_ids))


def taxonomy() -> dict[str, dict[str, Any]]:
    """Return area -> `description` (shown to a language model) and `keywords` (used to score a text without a language model)."""
    return data_file(__package__, "practice_areas.toml")


def practice_areas() -> dict[str, str]:
    """Return area -> description, for `PracticeAreaRequest.areas`."""
    return {name: str(area["description"]) for name, area in data_file(__package__, "practice_areas.toml").items()}


def leaf_of(chunks: Sequence[Row]) -> Leaf:
    """Return the leaf of a judgment with these chunk rows (at least one)."""
    first = chunks[0]
    metadata = first["metadata"]
    decided = metadata.get("date_decided")
    # propositions and other derived chunks repeat the text of their parent chunk
    own = [row for row in chunks if row["parent_chunk_id"] is None and row["chunk_type"] != "header"] or list(chunks)
    shown = _shown(own)
    about = ", ".join(part for part in (metadata.get("title"), metadata.get("court"), decided) if part)
    return Leaf(
        document_id=first["document_id"],
        title=metadata.get("title") or first["document_id"],
        court=metadata.get("court"),
        year=str(decided)[:4] if decided else None,
        text="\n".join(part for part in (about, *(row["chunk_text"] for row in shown)) if part),
        chunk_ids=tuple(row["chunk_id"] for row in shown),
        source_sha256=first["source_sha256"],
        requires_manual_review=any(row["requires_manual_review"] for row in shown),
    )


def _shown(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that fit, chosen by priority, in text order; the shortest row if none fits."""
    weight = {chunk_type: rank for rank, chunk_type in enumerate(_BY_WEIGHT)}
    room = LEAF_TOKENS
    chosen: list[int] = []
    for index in sorted(range(len(rows)), key=lambda at: (weight.get(rows[at]["chunk_type"], len(weight)), at)):
        if rows[index]["num_tokens"] <= room:
            room -= rows[index]["num_tokens"]
            chosen.append(index)
    return [rows[index] for index in sorted(chosen)] or [min(rows, key=lambda row: int(row["num_tokens"]))]
