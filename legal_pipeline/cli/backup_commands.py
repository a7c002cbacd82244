"""`legal-pipeline backup` and `restore`. Not here: the archive (`registry.backup`)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.system.terminal import print_answer


def backup(
    file: Annotated[Path, typer.Argument(help="The archive to write (.tar.gz); an old one is replaced as a whole.")],
    as_json: Json = False,
) -> None:
    """Write registry, paid answers, manifests and warehouse to one file. Stores and exports are left out: they are rebuilt."""
    from legal_pipeline.registry.backup import write_backup
    from legal_pipeline.settings import load_settings

    done = write_backup(load_settings(), file)
    size = f"{done.files:,} files of {done.bytes / 1e6:,.1f} MB before packing"
    print_answer(asdict(done), f"{file}: {done.documents:,} documents, {size}", as_json)


def restore(
    file: Annotated[Path, typer.Argument(help="An archive that `backup` wrote.")],
    as_json: Json = False,
) -> None:
    """Put a backup back into an empty registry and warehouse. The archive is checked before anything is written."""
    from legal_pipeline.registry.backup import restore_backup
    from legal_pipeline.settings import load_settings

    done = restore_backup(load_settings(), file)
    text = f"{done.documents:,} documents of {done.made_at}; `legal-pipeline reconcile --repair` builds the stores"
    print_answer(asdict(done), text, as_json)
