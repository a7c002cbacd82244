"""The rights of a reader: which documents it may see, and whether it may read texts whose source forbids redistribution.

A document whose metadata names an `audience` (a name, or a list of names; in its sidecar file or its line of `docs.jsonl`) is visible
only to readers of that audience. The audience is read from the registry for every question, so that a change applies at once. Not here:
API keys (`registry.api_keys`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.corpus_assets.practice_area_trees import tree_id
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import audiences, withheld
from legal_pipeline.registry.registry import Registry
from legal_pipeline.sources.registry import WITHHELD


@dataclass(frozen=True, slots=True)
class Viewer:
    """`audiences`: the audiences that the reader belongs to; None: it sees every document. `may_read_withheld`: it may read texts whose
    source forbids redistribution."""

    audiences: frozenset[str] | None = None
    may_read_withheld: bool = True


#: The user who runs the pipeline.
OWNER = Viewer()


@dataclass(frozen=True, slots=True)
class Visibility:
    """The restrictions of a viewer. `hidden`: ids of documents (former ids too) and of practice area summaries made from them."""

    hidden: frozenset[str]
    withheld: frozenset[str]

    @classmethod
    def of(cls, viewer: Viewer, registry: Registry) -> Visibility:
        database = registry.database
        hidden: frozenset[str] = frozenset()
        if viewer.audiences is not None:
            allowed = viewer.audiences
            # a reader must belong to the audience of every item of a document
            closed = [
                key for key, groups in audiences(database).items() if not all(allowed & group for group in groups)
            ]
            names = registry.aliases.names(closed) if closed else []
            hidden = frozenset([*names, *_summaries(database, closed)])
        kept_back = frozenset() if viewer.may_read_withheld else frozenset(withheld(database, WITHHELD))
        return cls(hidden, kept_back)


def _summaries(database: Database, closed: Sequence[str]) -> list[str]:
    """Return the summaries of all practice areas if a closed judgment is filed: it may have been in another area when they were made."""
    if not closed:
        return []
    with database.connection() as connection:
        rows = connection.execute(
            """select distinct area from practice_area_leaves
               where exists (select from practice_area_leaves where document_id = any(%s))""",
            (list(closed),),
        ).fetchall()
    return [tree_id(row["area"]) for row in rows]
