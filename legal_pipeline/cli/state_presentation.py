"""Output of the commands on the whole index: its state, reconciliation, purge and export.

Not here: the output of an ingest and of single documents (`presentation`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legal_pipeline.cli.presentation import counted, first_names, print_later_texts, simple_table
from legal_pipeline.stages.raw_documents import waits_for_its_day
from legal_pipeline.system.terminal import Terminal, print_answer, print_json, say

if TYPE_CHECKING:
    from legal_pipeline.corpus_assets.chunks_jsonl import Exported
    from legal_pipeline.processing.generations import State
    from legal_pipeline.reconcile import Reconciliation
    from legal_pipeline.registry.listing import Listed
    from legal_pipeline.registry.registry import SourceDocument
    from legal_pipeline.views.akn_files import AknFiles


def print_status(
    counts: Mapping[str, int],
    unfinished: Sequence[SourceDocument],
    collections: Sequence[State],
    without_chunks: Sequence[Listed],
    missing_at_source: Sequence[Listed],
    as_json: bool,
    later_texts: Mapping[str, date],
    left_out: Mapping[str, int] | None = None,
    unknown_courts: Mapping[str, int] | None = None,
) -> None:
    """Print the state of the index. `unfinished`: documents that failed or wait; `without_chunks`: completed documents that have none;
    `missing_at_source`: documents that their source does not list any more, and that are not removed yet; `later_texts`: the first day
    after today of which a document has a text; `left_out`: folder -> number of its files that patterns left out at its last poll;
    `unknown_courts`: court -> number of its judgments whose country is not known."""
    reasons = {
        status: [
            {"document_id": row.document_id, "error": row.last_error} for row in unfinished if row.status == status
        ]
        for status in ("failed", "waiting")
    }
    if as_json:
        print_json(
            {
                "documents": dict(counts),
                **reasons,
                "later_texts": {document_id: str(day) for document_id, day in later_texts.items()},
                "left_out": dict(left_out or {}),
                "missing": [row.document_id for row in missing_at_source],
                "unknown_courts": dict(unknown_courts or {}),
                "without_chunks": [row.document_id for row in without_chunks],
                "collections": [
                    {
                        "store": collection.store,
                        "alias": collection.alias,
                        "collection": collection.generation.name,
                        "live": collection.generation.live,
                        "model": collection.generation.model.name,
                        "dimension": collection.generation.dimension,
                        "documents": collection.documents,
                        "missing": list(collection.missing),
                    }
                    for collection in collections
                ],
            }
        )
        return
    table = simple_table("state", "documents")
    for state, number in counts.items():
        table.add_row("removed" if state == "tombstoned" else state, str(number))
    Terminal().print(table)
    for status, rows in reasons.items():
        for row in rows:
            say(f"{status}: {row['document_id']}: {row['error']}", style="red" if status == "failed" else "yellow")
    print_later_texts(later_texts, except_of={row.document_id for row in unfinished if waits_for_its_day(row)})
    for collection in collections:
        # a name for people: without the hashes of the model's files, which --json has
        model, missing = re.sub(r"@[^,\s]+", "", collection.generation.model.name), collection.missing
        place = f"{collection.store} {collection.generation.name}: {counted(collection.documents, 'document')}"
        if collection.generation.live:
            say(f"{place}, searched with {model}")
        else:
            named = "".join(f", {document_id}" for document_id in missing[:3])
            say(f"{place} with {model}, not searched yet: {len(missing)} missing{named}")
    for folder, number in (left_out or {}).items():
        say(f"left out of {folder} by patterns: {counted(number, 'file')}")
    if missing_at_source:
        text = f"{counted(len(missing_at_source), 'document')} missing at the source, removed if a later poll does not list it either: "
        say(f"{text}{first_names(row.document_id for row in missing_at_source)}", style="yellow")
    if unknown_courts:
        total = counted(sum(unknown_courts.values()), "judgment")
        courts = first_names(f"{court or 'no court named'} ({count})" for court, count in unknown_courts.items())
        text = f"{total} of courts whose country is not known: {courts}. State it in a sidecar file, or with `ingest --jurisdiction`."
        say(text, style="yellow")
    if without_chunks:
        named = first_names(f"{row.document_id} ({row.doc_type})" for row in without_chunks)
        text = f"{counted(len(without_chunks), 'completed document')} without chunks, in no collection: {named}"
        say(f"{text}. Amending acts are never cut.")


def print_exported(target: Path, exported: Exported, as_json: bool) -> None:
    text = (
        f"{target}: {counted(exported.chunks, 'chunk')} of {counted(exported.documents, 'document')}, "
        f"{counted(exported.near_duplicates, 'near-duplicate')}{_withheld(exported.withheld)}"
    )
    print_answer({"file": str(target), **asdict(exported)}, text, as_json)


def print_purged(deleted: Mapping[str, int], dropped: Sequence[str], as_json: bool) -> None:
    if as_json:
        print_json({"purged": dict(deleted), "dropped": list(dropped)})
        return
    for name in dropped:
        say(f"collection {name} dropped")
    for document_id, points in deleted.items():
        say(f"{document_id}: {points} points deleted")
    if not deleted:
        say("nothing to purge: no source has removed a document")


def print_reconciliation(found: Reconciliation, after: Reconciliation | None, as_json: bool) -> None:
    """Print the differences; `after`: those that are left after a repair."""
    if as_json:
        print_json({"found": _reconciliation(found), "left": None if after is None else _reconciliation(after)})
        return
    left = found if after is None else after
    for difference in left.differences:
        say(f"{difference.document_id}: {'/'.join(difference.asset_key)} {difference.reason}: {difference.detail}")
    for word, ids in (
        ("failed", left.failed),
        ("forgotten: has waited for its run for more than a day", left.forgotten),
        ("tree of summaries to be made", left.areas),
    ):
        for one_id in ids:
            say(f"{one_id}: {word}")
    for collection in left.damaged:
        say(f"{collection}: damaged; `legal-pipeline reconcile --repair` builds it anew from the warehouse")
    for collection, points in left.unclaimed.items():
        say(f"{collection}: {counted(points, 'point')} of no document, which searches do not show")
    if left.filing:
        say("judgments wait for their practice area")
    repaired = "" if after is None else f" ({len(found.differences)} before the repair)"
    say(
        f"{counted(left.documents, 'document')} ({left.compared} opened), {counted(len(left.differences), 'difference')}{repaired}"
        + "".join(f", {what}" for what in _also_left(left))
    )
    if left.failed:
        say("`legal-pipeline status` shows why documents failed")


def _also_left(left: Reconciliation) -> Iterator[str]:
    """Yield what besides differences makes the exit code 1."""
    for number, noun, what in (
        (len(left.failed), "document", " failed"),
        (len(left.forgotten), "document", " forgotten"),
        (len(left.areas), "tree", " to be made"),
        (len(left.damaged), "damaged collection", ""),
        (sum(left.unclaimed.values()), "point", " of no document"),
    ):
        if number:
            yield f"{counted(number, noun)}{what}"
    if left.filing:
        yield "judgments without a practice area"


def _reconciliation(found: Reconciliation) -> dict[str, Any]:
    return {**asdict(found), "counts": found.counts(), "clean": found.is_clean}


def print_files(written: AknFiles, as_json: bool) -> None:
    if as_json:
        print_json({"files": [str(file) for file in written.files], "withheld": written.withheld})
        return
    for file in written.files:
        say(str(file))
    say(f"{counted(len(written.files), 'file')}{_withheld(written.withheld)}")


def _withheld(number: int) -> str:
    """Return the end of a line that says how many documents an export leaves out."""
    return (
        f"; {counted(number, 'document')} withheld: {'its' if number == 1 else 'their'} source forbids it"
        if number
        else ""
    )
