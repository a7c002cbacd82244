"""Facts about documents from the hints of their source items (`source_items.hints`), for many documents at once.

Not here: the items themselves (`registry.registry`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.registry.coming_expressions import LATER_TEXTS, today
from legal_pipeline.registry.database import Database


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a document, as far as its source or its sidecar states it: address, licence, last consolidated amending act."""

    source_url: str | None = None
    licence: str | None = None
    consolidated_through: str | None = None


UNKNOWN = Provenance()


def act_order(act: str) -> tuple[int, ...]:
    """Return the sort key of acts of one series: the numbers in `2025:10`, which is later than `2025:9`; () if there are none."""
    return tuple(int(number) for number in re.findall(r"\d+", act))


def base_laws_of(database: Database, document_ids: Sequence[str]) -> set[str]:
    """Return the numbers of the laws that the documents state they amend."""
    rows = database.rows(
        """select max(hints->>'base_law') as law from source_items
           where document_id = any(%s) and hints ? 'base_law' and missing_since is null group by document_id""",
        (list(document_ids),),
    )
    return {row["law"] for row in rows}


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """`removed_on`: the day (ISO) on which the source of a document was found to have removed it. `later_text_from`: the first day (ISO)
    after today of which its source has a text; that text is not indexed yet."""

    provenance: Provenance = UNKNOWN
    removed_on: str | None = None
    later_text_from: str | None = None


def facts_of(database: Database, document_ids: Sequence[str]) -> dict[str, DocumentFacts]:
    """Return the facts of each of the documents. Its provenance is of items still in their source.

    Address and licence are of one item: one that has both, else one with a licence. The amending act is the last that any item states
    whose text has begun. A document that is being renamed was removed by no source.
    """
    rows = database.rows(
        f"""select distinct on (asked.document_id) asked.document_id, coalesce(i.url, i.hints->>'source_url') as source_url,
               i.hints->>'licence' as licence,
               array_agg(i.hints->>'consolidated_through') filter (where i.as_of_date is null or i.as_of_date <= %(today)s)
                   over (partition by asked.document_id) as consolidated_through,
               (select d.tombstoned_at from source_documents d where d.document_id = asked.document_id and not exists (
                   select from document_aliases a where a.old_id = d.document_id)) as tombstoned_at,
               later.day as later_day
           from unnest(%(ids)s::text[]) as asked (document_id) left join ({LATER_TEXTS}) later using (document_id)
               left join source_items i on i.document_id = asked.document_id and i.missing_since is null
           order by asked.document_id, i.hints->>'licence' is null, coalesce(i.url, i.hints->>'source_url') is null, i.source,
               i.item_key, i.location""",  # noqa: S608
        {"ids": list(document_ids), "today": today()},
    )
    return {
        row["document_id"]: DocumentFacts(
            Provenance(row["source_url"], row["licence"], _last_act(row["consolidated_through"])),
            row["tombstoned_at"].date().isoformat() if row["tombstoned_at"] is not None else None,
            row["later_day"].isoformat() if row["later_day"] is not None else None,
        )
        for row in rows
    }


def _last_act(acts: Sequence[str | None] | None) -> str | None:
    return max((act for act in acts or () if act), key=act_order, default=None)


def provenances(database: Database, document_ids: Sequence[str]) -> dict[str, Provenance]:
    """Return the provenance of each of the documents; see `facts_of`."""
    return {name: facts.provenance for name, facts in facts_of(database, document_ids).items()}


def withheld(database: Database, sources: Sequence[str]) -> set[str]:
    """Return documents that must not be redistributed: they come from one of `sources`, or an item forbids it (`may_export`)."""
    rows = database.rows(
        """select distinct document_id from source_items
           where document_id is not null and (source = any(%s) or hints->'may_export' = 'false'::jsonb)""",
        (list(sources),),
    )
    return {row["document_id"] for row in rows}


def audiences(database: Database) -> dict[str, list[frozenset[str]]]:
    """Return restricted documents -> the audience of each of their items that names an audience (`metadata.audience`).

    An audience that is neither a name nor a list of names matches no reader. Items that vanished from their source are included.
    """
    rows = database.rows(
        """select document_id, hints->'metadata'->'audience' as audience from source_items
           where document_id is not null and hints->'metadata' ? 'audience'"""
    )
    found: dict[str, list[frozenset[str]]] = {}
    for row in rows:
        named = row["audience"] if isinstance(row["audience"], list) else [row["audience"]]
        group = frozenset(name for name in named if isinstance(name, str) and name)
        found.setdefault(row["document_id"], []).append(group)
    return found
