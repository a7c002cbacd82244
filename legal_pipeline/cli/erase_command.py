"""`legal-pipeline erase`: delete a document that must not be kept from every place. Not here: the deletion (`erasure`, `defs.erasing`)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.terminal import print_answer


def erase(
    document_id: Annotated[str, typer.Argument(help="The id of the document.")],
    reason: Annotated[
        str,
        typer.Option(
            help="Why, for the record of erasures: a decision or a request. Needed except with --lift. Do not repeat names or text of "
            "the document."
        ),
    ] = "",
    lift: Annotated[
        bool, typer.Option("--lift", help="End an erasure: the next poll of its source indexes the document again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Delete a document from stores, warehouse, history, paid answers, registry and Dagster. It is not indexed again.

    The file of its source is not changed. An erased document can be restored only from its source.
    """
    from legal_pipeline.defs.erasing import erase_document
    from legal_pipeline.erasure import lift as lift_erasures
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.settings import load_settings

    if lift:
        with Pipeline.open(load_settings()) as pipeline:
            lift_erasures(pipeline, [document_id])
        text = f"{document_id}: the erasure has ended; the next poll of its source indexes the document again"
        print_answer({"lifted": document_id}, text, as_json)
        return
    if not reason.strip():
        raise ConfigurationError(f"{document_id} was not erased: state the reason for the record, with --reason")
    done = erase_document(load_settings(), document_id, reason.strip())
    text = f"erased: {done.points} points left the stores, {len(done.rebuilt)} collections were built anew"
    print_answer(asdict(done), text, as_json)
