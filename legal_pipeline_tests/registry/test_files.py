"""Files that users name as the output of a command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.files import replacing


def test_what_is_not_a_file_is_not_replaced(tmp_path: Path) -> None:
    """As a superuser a command could replace /dev/null."""
    target = tmp_path / "pipe"
    os.mkfifo(target)
    with pytest.raises(ConfigurationError, match="not a regular file"), replacing(target) as file:
        file.write(b"x")
    assert target.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    target = tmp_path / "link"
    target.symlink_to(tmp_path / "kept" / "file")
    for content in (b"first", b"second"):
        with replacing(target) as file:
            file.write(content)
        assert target.is_symlink()
        assert (tmp_path / "kept" / "file").read_bytes() == content
