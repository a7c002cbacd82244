"""Pages and scans of a PDF, read in a process of its own that may only use so much memory.

The process is started with the first PDF and kept for the next ones; it ends with this one. Not here: what it does
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
from legal_pipeline.parsing.pdf.glyphs import NAME, Page
from legal_pipeline.parsing.pdf.messages import page_from_json, receive, scan_from_json, send
from legal_pipeline.parsing.pdf.ocr import OcrPage

#: Ways in which PDFium ends a process that is refused memory; the system's own is SIGKILL.
_OUT_OF_MEMORY = frozenset({signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGKILL})
_PACKAGES = Path(errors.__file__).parent.parent


def read_pdf(source: SourceFile) -> tuple[list[Page], dict[int, OcrPage]]:
    """The pages of `source` in order, and what was read off those that are scans, by page number.

    Raises `LimitExceededError` for a file that needs more memory than the limits allow, `ParseError` for one that PDFium does not survive,
    and what `glyphs` and `ocr` raise.
    """
    source.check_size()
    answer = _PROCESS.ask(source)
    if "pages" not in answer:
        _fail(answer, source)
    scans = [scan_from_json(scan) for scan in answer["scans"]]
    return [page_from_json(page) for page in answer["pages"]], {scan.number: scan for scan in scans}


def close() -> None:
    """End the process that reads; the next PDF starts another."""
    _PROCESS.close()


class _ReaderProcess:
    """The process, started when it is needed and again when it ended."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Leave the process to the one that this one was forked from: two that write into a pipe would read each other's answers."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, source: SourceFile) -> dict[str, Any]:
        """The answer of the process; one that it did not give says how the process ended."""
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
                start_new_session=True,  # Ctrl-C is for the process that asked, which then ends this one
            )
        return self._process

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def _fail(answer: Mapping[str, Any], source: SourceFile) -> NoReturn:
    """Raise the error that `answer` tells of."""
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
        raise ParseError(
            f"PDFium did not survive the file ({how})", document=source.name, format=NAME, expected="a readable PDF"
        )
    raise LimitExceededError(
        "reading the file takes more memory than it may",
        document=source.name,
        format=NAME,
        expected=f"at most {source.limits.max_pdf_memory:,} bytes (LEGAL_PIPELINE_MAX_PDF_MEMORY_BYTES)",
    )


_PROCESS = _ReaderProcess()
atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.forget)
