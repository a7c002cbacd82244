"""Single files, written so that a reader sees the old file or the complete new file, also after a kill.

Not here: the warehouse's files (`registry.warehouse`).
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from legal_pipeline.errors import ConfigurationError


@contextlib.contextmanager
def replacing(target: Path, *, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a file that replaces `target` when the block ends, and is deleted if the block raises. `mode`: its permissions.

    A link stays, and the file that it names is replaced. Raises `ConfigurationError` if the folder is not writable, or if `target` is
    something else than a file: a device in /dev would be replaced for all programs of the machine.
    """
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise ConfigurationError(f"{target} cannot be written: it is not a regular file")
    target = target.resolve()
    try:
        with tempfile.NamedTemporaryFile("wb", dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, mode)
                os.replace(file.name, target)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(file.name)
                raise
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror or error}") from error
