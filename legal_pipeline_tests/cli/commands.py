"""Calls of `legal-pipeline`, from outside or in this process. Not here: what the commands say (the tests)."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from legal_pipeline.cli.app import main


def command(*arguments: str | Path, home: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process: for tests of streams, encodings, signals, and of what is left behind."""
    return subprocess.run(
        [sys.executable, "-m", "legal_pipeline.cli.app", *map(str, arguments)],
        env={**os.environ, "LEGAL_PIPELINE_HOME": str(home), **environment},
        capture_output=True,
        timeout=120,
    )


def command_here(*arguments: str | Path, home: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in this process, which has imported the library (1 to 3 s of processor time): for tests of what it says and does."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        mock.patch.dict(os.environ, {"LEGAL_PIPELINE_HOME": str(home), **environment}),
        mock.patch.object(sys, "argv", ["legal-pipeline", *map(str, arguments)]),
        mock.patch.object(
            logging.root, "handlers", []
        ),  # those of pytest, which `main` would leave in place of its own
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    said, warned = (stream.buffer.getvalue() for stream in (output, errors))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, ended.value.code, said, warned)
