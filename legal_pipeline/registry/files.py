"""Files that a user asked for, written so that a reader sees the old one or the whole new one.

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
    """A file to write to that takes the place of `target` when the block ends, and leaves no trace when it raises. `mode`: who may read it.

    Raises `ConfigurationError` where the folder cannot be written to.
    """
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
