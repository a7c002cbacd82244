"""The record: an entry of hashes per text, document and query. Not here: how an entry is made."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path

from legal_pipeline_tests.golden.documents import Entry

_RECORD = Path(__file__).parent / "record.json"

Record = dict[str, Entry]


@functools.cache
def recorded() -> Record:
    found: Record = json.loads(_RECORD.read_text("utf-8"))
    return found


def write(record: Record) -> None:
    lines = (f"{json.dumps(key)}: {json.dumps(record[key], ensure_ascii=False)}" for key in sorted(record))
    _RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def differences(old: Record, new: Record) -> Iterator[str]:
    """A line for each entry that differs, with what was and what is."""
    for key in sorted(old.keys() | new.keys()):
        before, now = old.get(key, {}), new.get(key, {})
        changed = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
        if changed:
            yield f"{key}: " + ", ".join(f"{name} {before.get(name)} -> {now.get(name)}" for name in changed)
