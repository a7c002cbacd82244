"""What a reader may ask for beside a hit: the acts that amend its provision, and the text that it stands in.

Not here: what of it belongs to a hit (`retrieval.amending_acts`, `retrieval.context`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from legal_pipeline.corpus import identity
from legal_pipeline.corpus.document import Document
from legal_pipeline.corpus.item_hints import consolidated_through
from legal_pipeline.corpus.registry import AmendingAct
from legal_pipeline.errors import DocumentError
from legal_pipeline.retrieval.amending_acts import ReadAct, amendments_of
from legal_pipeline.retrieval.context import context_of
from legal_pipeline.retrieval.hit import ContextLevel, Hit, HitAmendment
from legal_pipeline.stages import canonical_documents, expressions, practice_area_trees
from legal_pipeline.stages.stage import Batch, Resources

_NUMBER = re.compile(r"\b(\d{4}):(\d+)")


def with_amendments(resources: Resources, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the acts of the registry that amend their provisions, in the order in which they come into force."""
    acts = _acts(resources)
    return [replace(hit, amendments=amendments_of(hit.payload, acts(_law(hit)))) for hit in hits]


def with_pending(resources: Resources, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the acts that amend their provisions and are not worked into the text yet: nothing is stored of it, so that such an
    act rebuilds nothing, and the mark is gone with the consolidated text.

    An act is worked in when it is no later than the last one that the text says it holds, that the provision's own note names, or, where
    neither says anything, than the law itself.
    """
    acts = _acts(resources)
    through = consolidated_through(resources.registry.database, sorted({hit.document_id for hit in hits}))
    return [replace(hit, pending_amendments=_pending(hit, acts, through.get(hit.document_id))) for hit in hits]


def _pending(hit: Hit, acts: Callable[[str], Sequence[ReadAct]], through: str | None) -> tuple[HitAmendment, ...]:
    if hit.payload.get("superseded"):
        return ()
    held = max(_order(text) for text in (through, hit.payload.get("amended_by"), _law(hit)))
    later = [read for read in acts(_law(hit)) if _order(read.act.document_number) > held]
    numbers = {read.act.document_number for read in later}
    return tuple(one for one in amendments_of(hit.payload, later) if one.number in numbers)


def _law(hit: Hit) -> str:
    return str(hit.payload.get("number"))


def _order(number: object) -> tuple[int, int]:
    """`SFS 2025:732` -> (2025, 732), by which acts are numbered as they are issued; (0, 0) for what names none."""
    found = _NUMBER.search(str(number or ""))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _acts(resources: Resources) -> Callable[[str], tuple[ReadAct, ...]]:
    """Acts by the law that they amend, each read once."""
    batch = Batch([], resources)

    @functools.cache
    def acts(base_law: str) -> tuple[ReadAct, ...]:
        return tuple(_read(batch, act) for act in resources.registry.amendments_of(base_law))

    return acts


def with_context(resources: Resources, hits: Sequence[Hit], level: ContextLevel) -> list[Hit]:
    """The hits with the text of `level` around them; without it where the document has changed since it was indexed, and for the summary
    of a practice area, which stands in no document."""
    batch = Batch([], resources)
    trees = {hit.document_id: practice_area_trees.is_tree(batch, hit.document_id) for hit in hits}
    return [
        hit if trees[hit.document_id] else replace(hit, context=context_of(hit, level, _document(batch, hit)))
        for hit in hits
    ]


def _document(batch: Batch, hit: Hit) -> Document:
    """The text that the hit's offsets count in: a superseded wording stands in the expression that it was law in."""
    expression = hit.payload.get("expression")
    if expression is not None:
        return expressions.load(batch, hit.document_id, str(expression))
    return canonical_documents.load(batch, hit.document_id)


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
