"""The process that runs PDFium: it reads one file after another, and the operating system limits its memory.

A few bytes of deflate data can unpack to gigabytes inside PDFium, which aborts its process when it gets no more memory. Therefore PDFium
runs in this separate process: `python -m legal_pipeline.parsing.pdf.reader_process`. Not here: starting it and its client (`pdf.reading`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.pdf.glyphs import open_pdf, read_pages
from legal_pipeline.parsing.pdf.messages import SCAN_CHARACTERS, page_to_json, receive, send
from legal_pipeline.parsing.pdf.ocr import read_scanned_page

#: The process exits when it has grown by more than this since its start: the limit would leave less memory for the next file.
_KEPT_BYTES = 200_000_000
_SECONDS_BETWEEN_LOOKS = 1.0


def main() -> None:
    """Answer requests from standard input on standard output until the input or the parent process ends."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output printed by libraries must not mix with the answers
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    first = _size()
    while (request := receive(requests)) is not None:
        header, data = request
        os.environ["PATH"] = header["path"]  # the current PATH of the parser, to find Tesseract
        _limit_memory(int(header["memory"]))
        try:
            answer = _read(header, data)
        except MemoryError:
            answer = {"failure": "memory"}
        except Exception as error:
            answer = _failure(error)
        _limit_memory(None)
        # Report it, otherwise the next request would be sent to a process that is exiting.
        is_last = _size() - first > _KEPT_BYTES
        try:
            send(answers, {**answer, "last": is_last})
        except BrokenPipeError:
            return
        if is_last:
            return


def _read(header: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    source = SourceFile(header["name"], data, limits=Limits(max_bytes=header["max_bytes"]))
    with open_pdf(source) as pdf:
        pages = read_pages(pdf)
        scans = [
            read_scanned_page(pdf, page.number, header["language"])
            for page in pages
            if page.characters < SCAN_CHARACTERS and page.has_images
        ]
    return {"pages": [page_to_json(page) for page in pages], "scans": [dataclasses.asdict(scan) for scan in scans]}


def _failure(error: Exception) -> dict[str, Any]:
    """Return the error as JSON data from which the parser's process creates it again."""
    name = type(error).__name__
    if isinstance(error, LegalPipelineError):
        return {"failure": "typed", "type": name, "text": str(error.args[0]), "fields": dict(vars(error))}
    return {"failure": "defect", "type": name, "text": str(error), "trace": traceback.format_exc()}


def _limit_memory(more: int | None) -> None:
    """Limit the growth of this process and its children to `more` bytes; None removes the limit. No effect on Windows."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = hard if more is None else _size() + more
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS rejects limits that it does not enforce
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _size() -> int:
    """Return the bytes of address space in use; 0 if the system does not report them."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _end_with_parent(parent: int) -> None:
    """Exit when the parent process has ended, even in the middle of a file."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(0)


if __name__ == "__main__":
    main()
    sys.exit(0)
