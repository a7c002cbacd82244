"""A file that is joined from parts has exactly their bytes, whatever of it is copied from the file before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from legal_pipeline.registry.joined_files import Joined, write
from legal_pipeline.registry.warehouse import Warehouse

ASSET = ("chunks_jsonl",)
LINES = {name: f"line of {name}\n".encode() * (number + 1) for number, name in enumerate("abcdef")}


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("abcdef", 0),
        ("abxcdef", 1),  # one more in between
        ("acdf", 0),  # some are gone
        ("fedcba", 0),
        ("cdab", 0),
        ("xabcyefz", 3),
        ("", 0),
    ],
)
def test_parts_that_did_not_change_are_copied_to_their_new_places(tmp_path: Path, order: str, made: int) -> None:
    warehouse, target, asked = Warehouse(tmp_path / "w"), tmp_path / "chunks.jsonl", list[str]()

    def part(name: str) -> Callable[[], bytes]:
        def make() -> bytes:
            asked.append(name)
            return LINES.get(name, b"new\nlines\n")

        return make

    assert write(warehouse, ASSET, target, {name: part(name) for name in "abcdef"}) == Joined(21, 6)
    asked.clear()
    for again in (made, 0):
        joined = write(warehouse, ASSET, target, {name: part(name) for name in order})
        whole = b"".join(LINES.get(name, b"new\nlines\n") for name in order)
        assert target.read_bytes() == whole
        assert joined == Joined(whole.count(b"\n"), again)
    assert len(asked) == made
