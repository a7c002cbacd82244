"""Types of settings that say what they expect if a value is wrong. Not here: addresses (`system.urls`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator


def check_cron(value: str) -> str:
    """Return `value` if it has the fields of cron; Dagster checks what they mean."""
    if len(value.split()) != 5 and not value.startswith("@"):
        raise ValueError(f"{value} is not cron: expected five fields, such as 0 5 * * * for every day at 05:00")
    return value


def check_owner(value: str) -> str:
    """Return `value` if it names a person or a team."""
    if not value.startswith("team:") and "@" not in value:
        raise ValueError(f"{value} is not an owner: expected an e-mail address, or team: and a name")
    return value


def check_folder(path: Path) -> Path:
    """Return `path` if it is a folder or can become one."""
    existing = next((place for place in (path, *path.absolute().parents) if os.path.lexists(place)), None)
    if existing is not None and not existing.is_dir():
        raise ValueError(f"{existing} is not a folder")
    return path


Cron = Annotated[str, AfterValidator(check_cron)]
Owner = Annotated[str, AfterValidator(check_owner)]
Folder = Annotated[Path, AfterValidator(check_folder)]
