"""A PDF is read in a process of its own, within its memory; whatever becomes of that process, the next file is read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import psutil
import pytest

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError
from legal_pipeline.parsing.pdf import reading
from legal_pipeline.parsing.registry import parse

SMALL = Limits(max_pdf_memory=200_000_000)


def pdf(content: bytes, filters: str = "/FlateDecode") -> SourceFile:
    """One page with `content`, packed already, in Helvetica."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        f"<</Filter {filters}/Length {len(content)}>>stream\n".encode() + content + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    data, places = b"%PDF-1.7\n", []
    for number, item in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 6\n0000000000 65535 f \n%btrailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        len(data),
    )
    return SourceFile("page.pdf", data + end, limits=SMALL)


def packed(text: bytes, times: int = 1) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(text) for _ in range(times)) + packer.flush()


GOOD = pdf(packed(b"BT /F 12 Tf 72 700 Td (The keeper shall light the lamp at dusk and watch it.) Tj ET"))


@pytest.fixture(autouse=True)
def _ended() -> None:
    """Each test begins without a process, so that its memory is that of its own files."""
    reading.close()


#: Reads a file in a process that has no other children, and says what the largest of its children had in memory, in bytes.
_PEAK = """
import resource, sys
from legal_pipeline.errors import LimitExceededError
from legal_pipeline.parsing.pdf import reading
from legal_pipeline.parsing.registry import parse
from legal_pipeline.building.source import Limits, SourceFile
try:
    parse(SourceFile("page.pdf", open(sys.argv[1], "rb").read(), limits=Limits(max_pdf_memory=int(sys.argv[2]))))
except LimitExceededError:
    reading.close()
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


@pytest.mark.parametrize(("megabytes", "times_packed"), [pytest.param(600, 1, marks=pytest.mark.heavy), (900, 2)])
def test_a_stream_that_unpacks_beyond_the_limit_is_a_typed_error(
    megabytes: int, times_packed: int, tmp_path: Path
) -> None:
    content = packed(b" " * 1_000_000, megabytes)
    for _ in range(1, times_packed):
        content = packed(content)
    bomb = pdf(content, f"[{'/FlateDecode' * times_packed}]")
    assert len(bomb.data) < 700_000
    with pytest.raises(LimitExceededError, match="more memory than it may") as caught:
        parse(bomb)
    assert "LEGAL_PIPELINE_MAX_PDF_MEMORY_BYTES" in str(caught.value)
    assert caught.value.document == "page.pdf"
    (tmp_path / "page.pdf").write_bytes(bomb.data)
    asked = [sys.executable, "-c", _PEAK, str(tmp_path / "page.pdf"), str(SMALL.max_pdf_memory)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 500_000_000
    assert parse(GOOD).text == "The keeper shall light the lamp at dusk and watch it."


def reader() -> psutil.Process:
    """The process that reads the PDF files of this one."""
    (found,) = (
        process
        for process in psutil.Process().children()
        if "legal_pipeline.parsing.pdf.reader_process" in process.cmdline()
    )
    return found


def test_one_process_reads_many_files() -> None:
    parse(GOOD)
    first = reader().pid
    parse(GOOD)
    assert reader().pid == first


def test_a_process_that_is_gone_is_started_again() -> None:
    parse(GOOD)
    process = reader()
    process.kill()
    # its parent can reap it only once its last thread is gone
    while process.status() != psutil.STATUS_ZOMBIE or len(os.listdir(f"/proc/{process.pid}/task")) > 1:
        time.sleep(0.01)
    assert parse(GOOD).text.startswith("The keeper")


def test_a_process_that_has_grown_ends_before_the_next_file() -> None:
    """The page unpacks to 150 MB, which PDFium keeps in part; whether the process goes on or not, each file has its answer."""
    large = SourceFile("page.pdf", pdf(packed(b" " * 1_000_000, 150)).data)
    for _ in range(3):
        with pytest.raises(EmptyDocumentError):
            parse(large)
        assert parse(GOOD).text.startswith("The keeper")


@pytest.mark.parametrize(("sign", "kind"), [(signal.SIGSEGV, ParseError), (signal.SIGKILL, LimitExceededError)])
def test_how_the_process_ended_decides_what_is_said(sign: signal.Signals, kind: type[ParseError]) -> None:
    with pytest.raises(kind) as caught:
        reading._fail({"failure": "ended", "code": -sign}, GOOD)
    assert type(caught.value) is kind


def test_typed_errors_and_defects_cross_the_boundary() -> None:
    with pytest.raises(ParseError) as caught:
        parse(SourceFile("broken.pdf", GOOD.data[:200]))
    assert (caught.value.document, caught.value.format) == ("broken.pdf", "pdf")
    assert str(caught.value).startswith("broken.pdf, byte 200: [pdf] the file ends before")
    with pytest.raises(TypeError) as defect:
        reading._fail({"failure": "defect", "type": "TypeError", "text": "wrong call", "trace": "File x"}, GOOD)
    assert "File x" in defect.value.__notes__[0]


def test_the_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    (tmp_path / "page.pdf").write_bytes(GOOD.data)
    program = (
        "import os, pathlib, psutil\n"
        "from legal_pipeline.parsing.pdf import reading\n"
        "from legal_pipeline.building.source import SourceFile\n"
        f"reading.read_pdf(SourceFile('page.pdf', pathlib.Path({str(tmp_path / 'page.pdf')!r}).read_bytes()))\n"
        "print(psutil.Process().children()[0].pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    child = int(found.stdout)
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "(zombie)" in Path(f"/proc/{child}/status").read_text("ascii"):
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the process outlived the one that started it")
