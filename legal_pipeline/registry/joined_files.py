"""A file joined from the lines of many parts: parts that did not change are copied from the file before, by the system.

What the file is joined from is recorded in the warehouse. Not here: the lines (`corpus_assets.chunks_jsonl`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import IO

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.files import replacing
from legal_pipeline.registry.warehouse import Warehouse


@dataclass(frozen=True)
class Joined:
    """`lines` of the whole file; `made`: the number of parts that were made, not copied."""

    lines: int
    made: int


@dataclass(frozen=True)
class _Part:
    """The part `name` of a file, `size` bytes from `begin` on."""

    name: str
    begin: int
    size: int
    lines: int

    @property
    def end(self) -> int:
        return self.begin + self.size


def write(warehouse: Warehouse, asset: Sequence[str], target: Path, parts: Mapping[str, Callable[[], bytes]]) -> Joined:
    """Write `target` from `parts` in their order: each is named by the hash of everything that its lines are made from.

    Readers see the old file or the complete new file. A file that something else wrote or changed is made anew. Raises
    `ConfigurationError` if the folder is not writable.
    """
    # one record for each place that the file is written to
    folder, record = (*asset, "files"), sha256_hex(str(target.absolute()))[:32]
    former = _former_parts(warehouse, folder, record, target)
    joined: list[_Part] = []
    made = 0
    with replacing(target) as file:
        source = target.open("rb") if former else None
        try:
            waiting: list[_Part] = []  # parts that follow one another in the file before: one copy
            for name, make in parts.items():
                begin = joined[-1].end if joined else 0
                known = former.get(name)
                if known is not None:
                    if waiting and waiting[-1].end != known.begin:
                        _copy(source, file, waiting)
                    waiting.append(known)
                    joined.append(_Part(name, begin, known.size, known.lines))
                else:
                    _copy(source, file, waiting)
                    data = make()
                    file.write(data)
                    joined.append(_Part(name, begin, len(data), data.count(b"\n")))
                    made += 1
            _copy(source, file, waiting)
        finally:
            if source is not None:
                source.close()
    # after the file: a record that is not of this file is not used
    text = json.dumps({"file": _state(target), "parts": [astuple(part) for part in joined]})
    warehouse.write_json(folder, record, text)
    return Joined(sum(part.lines for part in joined), made)


def _former_parts(warehouse: Warehouse, folder: Sequence[str], record: str, target: Path) -> dict[str, _Part]:
    """Return the parts of the present file by name; empty if there is no file, or if it is not the recorded one."""
    try:
        known = json.loads(warehouse.read_json(folder, record))
        if known["file"] != _state(target):
            return {}
        return {part[0]: _Part(*part) for part in known["parts"]}
    except (DocumentError, OSError, ValueError, KeyError, TypeError):
        return {}


def _state(target: Path) -> list[int]:
    status = target.stat()
    return [status.st_ino, status.st_size, status.st_mtime_ns]


def _copy(source: IO[bytes] | None, file: IO[bytes], parts: list[_Part]) -> None:
    """Append the bytes of `parts`, which follow one another in `source`, and empty the list."""
    if not parts or source is None:
        return
    source.seek(parts[0].begin)
    left = parts[-1].end - parts[0].begin
    parts.clear()
    # Linux: within the system, and without a copy where the file system shares blocks
    if hasattr(os, "copy_file_range"):
        file.flush()
        try:
            while left > 0 and (done := os.copy_file_range(source.fileno(), file.fileno(), left, source.tell())):
                left -= done
                source.seek(done, os.SEEK_CUR)
            file.seek(0, os.SEEK_END)
        except OSError:
            file.seek(0, os.SEEK_END)  # not between these file systems: the rest is copied below
    while left > 0:
        data = source.read(min(left, 1 << 20))
        if not data:
            raise OSError("the file before became shorter while it was copied")
        file.write(data)
        left -= len(data)
