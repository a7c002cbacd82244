"""How fast files are parsed and cut into chunks, whether the time grows with their size, and what memory that takes.

`python -m legal_pipeline_tests.benchmarks.parsing ../shared/corpus/world [--megabytes 5]`. Three tables: MB of text per second of processor
time by format; how many times the time of n the work over 2n and 4n takes, of a file of each format whose content is repeated up to 4n =
`--megabytes`; and the files that are not read, with the reason. Figures depend on the machine. Not a test, and not here: embedding, which
strategies that cut by meaning need (a cheap stand-in for the model answers them, and its time is not counted), and what a process loads
once: before anything is timed, the smallest file of each folder is read.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.stages.chunks import NEVER_CHUNKED, options_for
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.resized import resized


class Untimed(ByWords):
    """In place of the model; remembers the time that it took."""

    seconds = 0.0

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        begin = time.process_time()
        made = super().embed_passages(texts)
        self.seconds += time.process_time() - begin
        return made

    embed_queries = embed_passages


@dataclass(frozen=True)
class Read:
    """A file that was read. `text` is in bytes of UTF-8; `parsing` and `cutting` are seconds of processor time."""

    path: Path
    format: str
    size: int
    text: int
    chunks: int
    parsing: float
    cutting: float

    @property
    def seconds(self) -> float:
        return self.parsing + self.cutting


def read(path: Path, data: bytes, format: str | None = None) -> Read:
    """Raises `LegalPipelineError` where the file is not read or not cut."""
    model = Untimed()
    begin = time.process_time()
    document = parse(SourceFile(path.name, data, hints={"number": "2099:10"}), format)
    parsed = time.process_time()
    chunks = 0
    if document.doc_type not in NEVER_CHUNKED:
        (cut,) = chunk_batch([document], [options_for(document, None)], lambda _: EmbedderAsEncoder(model))
        if isinstance(cut, Exception):
            raise cut
        chunks = len(cut.chunks)
    seconds = time.process_time() - parsed - model.seconds
    size = len(document.text.encode())
    return Read(path, document.format, len(data), size, chunks, parsed - begin, seconds)


def read_folder(folder: Path) -> tuple[list[Read], dict[Path, LegalPipelineError]]:
    """What is read of a folder, and why the rest is not."""
    found, refused = [], {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "FORMAT.md":
            try:
                found.append(read(path, path.read_bytes()))
            except LegalPipelineError as error:
                refused[path] = error
    return found, refused


def load_once(folder: Path) -> None:
    """Load models, word lists and the grammars of countries, which a process does once."""
    read(Path("warm.md"), b"# Fyrar\n\nThe keeper shall light the lamp at dusk and watch it until the sun has risen.\n")
    for inner in {path.parent for path in folder.rglob("*") if path.is_file()}:
        smallest = min((path for path in inner.iterdir() if path.is_file()), key=lambda path: path.stat().st_size)
        with contextlib.suppress(LegalPipelineError):
            read(smallest, smallest.read_bytes())


def smallest_by_format(found: Sequence[Read]) -> list[Read]:
    """One file of each format, whose parts are not much larger than a provision."""
    by_format: dict[str, Read] = {}
    for one in sorted(found, key=lambda one: -one.size):
        by_format[one.format] = one
    return sorted(by_format.values(), key=lambda one: one.format)


def print_speed(found: Sequence[Read]) -> None:
    print(f"{'format':22} {'files':>5} {'text MB':>8} {'chunks':>7} {'parse s':>8} {'chunk s':>8} {'MB/s':>6}")
    for format, group in itertools.groupby(sorted(found, key=lambda one: one.format), lambda one: one.format):
        _print_sum(format, list(group))
    _print_sum("all", found)


def _print_sum(name: str, found: Sequence[Read]) -> None:
    text, seconds = sum(one.text for one in found) / 1e6, sum(one.seconds for one in found)
    parsing, cutting = sum(one.parsing for one in found), sum(one.cutting for one in found)
    chunks = sum(one.chunks for one in found)
    print(f"{name:22} {len(found):5} {text:8.2f} {chunks:7,} {parsing:8.2f} {cutting:8.2f} {text / seconds:6.2f}")


def print_growth(one: Read, most: int) -> None:
    make = resized(one.path.read_bytes())
    if make is None:
        print(f"{one.format:22} {one.path.name}: content that cannot be repeated")
        return
    try:
        n, double, fourfold = (read(one.path, make(size), one.format) for size in (most // 4, most // 2, most))
    except LegalPipelineError as error:
        print(f"{one.format:22} {one.path.name}: repeated, it is refused: {str(error)[:100]}")
        return
    growth = " ".join(f"{larger.parsing / n.parsing:5.2f}" for larger in (double, fourfold))
    cut_growth = " ".join(f"{larger.cutting / max(n.cutting, 1e-4):5.2f}" for larger in (double, fourfold))
    rate = fourfold.text / 1e6 / fourfold.seconds
    print(
        f"{one.format:22} {fourfold.size / 1e6:7.2f} {growth}  {cut_growth} {rate:6.2f} {peak_memory():8.0f}  {one.path.name}",
        flush=True,
    )


def peak_memory() -> float:
    """Megabytes that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--megabytes", type=float, default=5.0, help="size of the largest repeated file; 0: none is made"
    )
    chosen = options.parse_args()
    load_once(chosen.folder)
    before = peak_memory()
    found, refused = read_folder(chosen.folder)
    print(f"load {os.getloadavg()[0]:.1f}; MB of text per second of processor time")
    print_speed(found)
    print(f"peak memory {peak_memory():.0f} MB, of which {before:.0f} MB before the first file")
    if chosen.megabytes:
        most = int(chosen.megabytes * 1e6)
        print(f"\n{'format':22} {'4n, MB':>7} parse 2n 4n    cut 2n 4n   MB/s  peak MB")
        for one in smallest_by_format(found):
            print_growth(one, most)
    print(f"\n{len(refused)} files are not read:")
    for path, error in refused.items():
        print(f"  {path.relative_to(chosen.folder)}: {type(error).__name__}: {str(error)[:110]}")


if __name__ == "__main__":
    main()
