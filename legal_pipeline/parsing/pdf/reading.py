"""Reads pages and scans of a PDF in a separate process with limited memory.

The process is started for the first PDF, reused for the next ones, and ended with this process. Not here: the code that runs in it
(`pdf.reader_process`).
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from legal_pipeline import errors
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError
from legal_pipeline.parsing.pdf.glyphs import Page
from legal_pipeline.parsing.pdf.messages import page_from_json, receive, scan_from_json, send
from legal_pipeline.parsing.pdf.ocr import OcrPage

#: Signals that end the process when PDFium gets no more memory; SIGKILL is sent by the operating system.
_OUT_OF_MEMORY = frozenset({signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGKILL})
_PACKAGES = Path(errors.__file__).parent.parent


def read_pdf(source: SourceFile) -> tuple[list[Page], dict[int, OcrPage]]:
    """Return the pages of `source` in order, and the OCR results of scanned pages by page number.

    Raises `LimitExceededError` for a file that needs more memory than the limits allow, `ParseError` for a file that crashes PDFium,
    and the errors of `glyphs` and `ocr`.
    """
    source.check_size()
    answer = _PROCESS.ask(source)
    if "pages" not in answer:
        _fail(answer, source)
    scans = [scan_from_json(scan) for scan in answer["scans"]]
    return [page_from_json(page) for page in answer["pages"]], {scan.number: scan for scan in scans}


def close() -> None:
    """End the reader process; the next PDF starts another."""
    _PROCESS.close()


class _ReaderProcess:
    """The reader process, started on demand and again after it has ended."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the reader process after a fork; it belongs to the parent. Two processes on one pipe would read each other's answers."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, source: SourceFile) -> dict[str, Any]:
        """Return the answer of the process; if it ended without an answer, `{"failure": "ended", "code": exit code}`."""
        header = {
            "name": source.name,
            "language": source.hints.get("language"),
            "max_bytes": source.limits.max_bytes,
            "memory": source.limits.max_pdf_memory,
            "path": os.environ.get("PATH", ""),
        }
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                send(process.stdin, header, source.data)
            answer = receive(process.stdout)
            if answer is not None and not answer[0]["last"]:
                return answer[0]
            self._process = None
            process.stdin.close()
            process.stdout.close()
            code = process.wait()
            return answer[0] if answer is not None else {"failure": "ended", "code": code}

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            path = os.pathsep.join(filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH"))))
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "legal_pipeline.parsing.pdf.reader_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C goes only to this process, which then ends the reader process
            )
        return self._process

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def _fail(answer: Mapping[str, Any], source: SourceFile) -> NoReturn:
    """Raise the error that `answer` describes."""
    if answer["failure"] == "typed":
        kind = getattr(errors, answer["type"])
        error = kind.__new__(kind)
        error.args = (answer["text"],)
        vars(error).update(answer["fields"])
        raise error
    if answer["failure"] == "defect":
        defect = getattr(builtins, answer["type"], RuntimeError)(answer["text"])
        defect.add_note(f"In the process that reads PDF files:\n{answer['trace']}")
        raise defect
    code = answer.get("code", 0)
    if answer["failure"] == "ended" and -code not in _OUT_OF_MEMORY:
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise ParseError(f"PDFium did not survive the file ({how})", expected="a readable PDF")
    raise LimitExceededError(
        "reading the file takes more memory than it may",
        expected=f"at most {source.limits.max_pdf_memory:,} bytes (LEGAL_PIPELINE_MAX_PDF_MEMORY_BYTES)",
    )


_PROCESS = _ReaderProcess()
atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.forget)
