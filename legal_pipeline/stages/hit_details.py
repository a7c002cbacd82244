"""What a reader may ask for beside a hit: the acts that amend its provision, and the text that it stands in.

Not here: what of it belongs to a hit (`retrieval.amending_acts`, `retrieval.context`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from legal_pipeline.corpus import identity
from legal_pipeline.corpus.registry import AmendingAct
from legal_pipeline.errors import DocumentError
from legal_pipeline.retrieval.amending_acts import ReadAct, amendments_of
from legal_pipeline.retrieval.context import context_of
from legal_pipeline.retrieval.hit import ContextLevel, Hit
from legal_pipeline.stages import canonical_documents, practice_area_trees
from legal_pipeline.stages.stage import Batch, Resources


def with_amendments(resources: Resources, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the acts of the registry that amend their provisions, in the order in which they come into force."""
    batch = Batch([], resources)

    @functools.cache
    def acts(base_law: str) -> tuple[ReadAct, ...]:
        return tuple(_read(batch, act) for act in resources.registry.amendments_of(base_law))

    return [replace(hit, amendments=amendments_of(hit.payload, acts(str(hit.payload.get("number"))))) for hit in hits]


def with_context(resources: Resources, hits: Sequence[Hit], level: ContextLevel) -> list[Hit]:
    """The hits with the text of `level` around them; without it where the document has changed since it was indexed, and for the summary
    of a practice area, which stands in no document."""
    batch = Batch([], resources)
    trees = {hit.document_id: practice_area_trees.is_tree(batch, hit.document_id) for hit in hits}
    return [
        hit
        if trees[hit.document_id]
        else replace(hit, context=context_of(hit, level, canonical_documents.load(batch, hit.document_id)))
        for hit in hits
    ]


def _read(batch: Batch, act: AmendingAct) -> ReadAct:
    series, _, number = act.document_number.partition(" ")
    document_id, _ = identity.swedish_identity(series, number)
    try:
        document = canonical_documents.load(batch, document_id)
    except DocumentError:
        return ReadAct(
            act, ()
        )  # recorded by an earlier run whose tables are gone: the act is known, its provisions are not
    return ReadAct(act, document.metadata.get("provisions") or ())
