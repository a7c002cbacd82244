"""Types of settings that say what they expect if a value is wrong. Not here: the form of addresses (`system.urls`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.urls import check_web_address

_DEVICE = re.compile(r"auto|cpu|mps|cuda(?::\d+)?")


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


def check_device(value: str) -> str:
    """Return `value` if it names a device as torch does."""
    if not _DEVICE.fullmatch(value):
        raise ValueError(f"{value} is not a device: expected auto, cpu, cuda, cuda:1 or mps")
    return value


def check_file(path: Path) -> Path:
    """Return `path` unless it is a folder; a file that does not exist may still come."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder, expected a file")
    return path


def comma_separated(value: str) -> tuple[str, ...]:
    """Return the parts of a setting that has commas between them, without blanks and empty parts."""
    return tuple(filter(None, map(str.strip, value.split(","))))


def checked(check: Callable[[str], str], value: str) -> str:
    """Return `value` after `check`; a refusal is raised as a validation error of the field."""
    try:
        return check(value)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None


Cron = Annotated[str, AfterValidator(check_cron)]
Owner = Annotated[str, AfterValidator(check_owner)]
Device = Annotated[str, AfterValidator(check_device)]
FilePath = Annotated[Path, AfterValidator(check_file)]
Folder = Annotated[Path, AfterValidator(check_folder)]
WebAddress = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    AfterValidator(lambda value: checked(check_web_address, value)),
]
