"""Checks of free disk space before writing, and of errors caused by a full disk.

Memory-mapped files are sparse: on a full disk a write to them ends the process with SIGBUS, without an error. So the space is checked
before. Not here: writing.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path

from legal_pipeline.errors import ConfigurationError, DiskFullError, causes

_FULL = (errno.ENOSPC, errno.EDQUOT)
#: PostgreSQL's error code for a full disk (`disk_full`).
_SQLSTATE = "53100"
#: Messages of libraries that report a full disk with a text and no code.
_WORDS = ("no space left on device", "disk quota exceeded")


def has_space(folder: Path, needed: int) -> bool:
    """Return whether `needed` bytes are free on the disk of `folder`, which need not exist yet."""
    return shutil.disk_usage(_existing(folder)).free >= needed


def verify_space(folder: Path, needed: int) -> None:
    """Raise `DiskFullError` unless `needed` bytes are free on the disk of `folder`, which need not exist yet."""
    if not has_space(folder, needed):
        free = shutil.disk_usage(_existing(folder)).free
        raise DiskFullError(
            f"{folder}: {free / 1e6:,.0f} MB are free on its disk, {needed / 1e6:,.0f} MB are needed. Free some space and run the same "
            "command again: it goes on from there"
        )


def verify_reserve(folder: Path, needed: int) -> None:
    """Check like `verify_space`, by allocating the space and releasing it: this also detects a quota."""
    verify_space(folder, needed)
    place = _existing(folder)
    if not needed or not os.access(place, os.W_OK):
        return
    try:
        with tempfile.TemporaryFile(dir=place) as reserve:
            os.posix_fallocate(reserve.fileno(), 0, needed)
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFullError(
                f"{folder}: {needed / 1e6:,.0f} MB are needed and cannot be had: {error.strerror}"
            ) from error
        # the file system cannot reserve space: its reported free space is used


def is_disk_full(error: BaseException) -> bool:
    """Return whether `error`, or one of its causes, reports a full disk."""
    for cause in causes(error):
        if isinstance(cause, DiskFullError) or (isinstance(cause, OSError) and cause.errno in _FULL):
            return True
        if getattr(cause, "sqlstate", None) == _SQLSTATE or any(word in str(cause).lower() for word in _WORDS):
            return True
    return False


def verify_writable(root: str) -> None:
    """Make the folder of the warehouse. Raises `ConfigurationError` if it cannot be written; an object store answers for itself."""
    if "://" in root:
        return
    try:
        Path(root).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFullError(f"the warehouse in {root} cannot be written: {error.strerror}") from error
        raise ConfigurationError(f"the warehouse in {root} cannot be written: {error.strerror or error}") from error


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())
