"""`legal-pipeline partitioning`: show or change the partitions of a home. Not here: the change (`defs.switching`)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.system.terminal import print_answer, print_json, say


def partitioning(
    to: Annotated[
        str | None, typer.Argument(help="`documents` or `buckets`. Left out: show the partitioning.", metavar="TO")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or change how documents are divided into Dagster's partitions: one per document, or buckets of many documents.

    Buckets are LEGAL_PIPELINE_BUCKETS per source. No document is processed, and nothing leaves the registry, warehouse or stores. Then set
    LEGAL_PIPELINE_PARTITIONING and start `dev` again: runs and sensors refuse to work while the settings say otherwise.
    """
    from legal_pipeline.defs.partitioning import of_buckets
    from legal_pipeline.defs.switching import present_partitioning, switch_partitioning
    from legal_pipeline.settings import load_settings

    settings = load_settings()
    if to is None:
        present = present_partitioning(settings)
        text = "none yet: the home is empty" if present is None else str(present)
        print_answer({"partitioning": text, "buckets": present and present.buckets}, text, as_json)
        return
    if to not in ("documents", "buckets"):
        raise typer.BadParameter(f"{to!r} is none of documents, buckets")
    done = switch_partitioning(settings, of_buckets(settings.buckets if to == "buckets" else None))
    if as_json:
        print_json(asdict(done))
        return
    say(
        f"{done.before} -> {done.after}: {done.added:,} partitions added with {done.events:,} events, {done.removed:,} removed; "
        f"{done.failed:,} failed documents are due again"
    )
    if settings.partitioning != to:
        say(f"now set LEGAL_PIPELINE_PARTITIONING={to} and start `legal-pipeline dev` again")
