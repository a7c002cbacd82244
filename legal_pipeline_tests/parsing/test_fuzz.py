"""Damaged files: a document whose promises hold, or one of the typed errors; quickly, and in little memory.

`make test` draws the same damage every time, `make test-all` new and more (`examples`). A defect that is found here becomes
a test of its own beside its parser.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import detect, formats, parse
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.parsing.damage import damaged, nasty
from legal_pipeline_tests.parsing.invariants import check_invariants
from legal_pipeline_tests.parsing.samples import SAMPLES
from legal_pipeline_tests.real_documents import existing

#: The promise is 2 s per 100 KB. CI machines are shared and may be this much slower; a file under 100 KB is allowed what 100 KB are.
SECONDS_PER_100_KB, CI_FACTOR = 2.0, 3.0
#: Hints as a sidecar may hold them: with them the parsers get past "no number" and into the text.
HINTS = {"number": "2099:10", "cfr_title": "7", "title": "An Act"}
MEMORY = 500_000_000


def attempt(name: str, data: bytes, format: str | None = None) -> Document | None:
    """The document with its promises checked, None after a typed error. Anything else, and a breach of the time limit, fails the test."""
    source = SourceFile(name, data, hints=HINTS)
    # a PDF is read in a process of its own; of all else processor time is counted, which a busy machine changes little
    clock = time.perf_counter if data.startswith(b"%PDF") else time.process_time
    started = clock()
    try:
        document = parse(source, format)
    except ParseError:
        document = None
    seconds = clock() - started
    allowed = SECONDS_PER_100_KB * max(1.0, len(data) / 100_000) * CI_FACTOR
    assert seconds < allowed, f"{name} as {format}: {seconds:.1f} s for {len(data):,} bytes"
    if document is not None:
        check_invariants(document)
    return document


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    warm()


def warm() -> None:
    """Models are loaded once per process (a second), which is not part of the time of a document."""
    parse(SourceFile("warm", b"The keeper shall light the lamp at dusk and watch it until the sun has risen."))


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_seeds_themselves_parse(name: str) -> None:
    assert attempt(name, SAMPLES[name]) is not None


@examples(800)
@given(damaged(SAMPLES))
def test_damaged_samples_give_a_document_or_a_typed_error(data: bytes) -> None:
    attempt("damaged sample", data)


def test_a_page_with_a_control_character_and_a_soft_hyphen_is_read_by_every_profile() -> None:
    page = '<html><body><div class="norm">(1) The lamp\x01 is\x0c lit at du\xadsk&#2;.</div></body></html>'
    for format in formats():
        attempt("control characters", page.encode(), format)


@examples(450)
@given(damaged(SAMPLES), st.sampled_from(sorted(formats())))
def test_damaged_samples_read_as_any_format_give_a_document_or_a_typed_error(data: bytes, format: str) -> None:
    attempt("damaged sample", data, format)


@pytest.mark.corpus
def test_damaged_real_files_give_a_document_or_a_typed_error(corpus: Path) -> None:
    @examples(150, thorough=8000)
    @given(damaged(real_files(corpus)))
    def run(data: bytes) -> None:
        attempt("damaged file", data)

    run()


@pytest.mark.corpus
def test_damaged_pdf_and_word_files_give_a_document_or_a_typed_error(corpus: Path) -> None:
    @examples(150)
    @given(damaged(binary_files(corpus)))
    def run(data: bytes) -> None:
        attempt("damaged file", data)

    run()


@functools.cache
def real_files(corpus: Path) -> dict[str, bytes]:
    """The smallest and the largest text file of every format that the corpus holds, of those that are read."""
    by_format: dict[str, list[Path]] = {}
    for path in existing(corpus, "[hituz]*/**/*") + existing(corpus, "se/*/*"):
        if not path.is_file() or path.suffix in (".pdf", ".docx", ".gz") or "histories/us" in path.as_posix():
            continue
        with contextlib.suppress(ParseError):
            by_format.setdefault(detect(SourceFile(path.name, path.read_bytes())).name, []).append(path)
    chosen = set()
    for paths in by_format.values():
        paths.sort(key=lambda path: (path.stat().st_size, path))
        for order in (paths, reversed(paths)):
            chosen |= set(itertools.islice(filter(_is_read, order), 1))
    return {path.name: path.read_bytes() for path in sorted(chosen)}


def _is_read(path: Path) -> bool:
    try:
        parse(SourceFile(path.name, path.read_bytes()))
    except ParseError:
        return False
    return True


@functools.cache
def binary_files(corpus: Path) -> dict[str, bytes]:
    paths = sorted(existing(corpus, "*/*/*.pdf"), key=lambda path: path.stat().st_size)
    return {path.name: path.read_bytes() for path in (*paths[:4], *existing(corpus, "zw/*/*.docx"))}


@pytest.mark.heavy
@pytest.mark.parametrize("format", sorted(formats()))
def test_every_parser_reads_or_refuses_every_document_made_to_hurt_in_time(format: str) -> None:
    for name, data in nasty().items():
        attempt(name, data, format)


_LIMITED = """
import resource, sys
from legal_pipeline_tests.parsing import damage
from legal_pipeline_tests.parsing.test_fuzz import attempt, warm

warm()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
for name, data in {**damage.nasty(), "zip bomb": damage.zip_bomb()}.items():
    for format in (None, *sys.argv[2:]):
        try:
            attempt(name, data, format)
        except (MemoryError, AssertionError) as error:
            print(f"{name} as {format}: {error!r}")
"""


@pytest.mark.waits
@pytest.mark.parametrize("formats", [(), pytest.param(("akn_xml", "importer_html", "docx"), marks=pytest.mark.heavy)])
def test_documents_made_to_hurt_are_read_or_refused_in_time_and_in_less_than_500_mb(
    repository: Path, formats: tuple[str, ...]
) -> None:
    """In a process of its own that may not grow by more, nor use more than 120 s of processor time in all; `timeout` only ends a hang."""
    command = [sys.executable, "-c", _LIMITED, str(MEMORY), *formats]
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr[-2000:]
