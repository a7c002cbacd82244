"""How fast files are parsed and cut into chunks, whether the time grows with their size, and what memory that takes.

`python -m legal_pipeline_tests.benchmarks.parsing ../shared/corpus/world [--megabytes 5]`. Three tables: MB of text per second of processor
time by format; how many times the time of n the work over 2n and 4n takes, of a file of each format whose content is repeated up to 4n =
`--megabytes`; and the files that are not read, with the reason. Figures depend on the machine. Not a test, and not here: embedding, which
strategies that cut by meaning need (a cheap stand-in for the model answers them, and its time is not counted).
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree, html

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.stages.chunks import NEVER_CHUNKED, options_for
from legal_pipeline_tests.replay import ByWords

#: An element stands for the content of its file when it holds so much of its text, and none of its children does.
_SHARE = 0.6


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
        (cut,) = chunk_batch([document], [options_for(document, None)], lambda: EmbedderAsEncoder(model))
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


def repeated(data: bytes) -> Callable[[int], bytes] | None:
    """Makes the file with its content so many times, in the same frame; None for a kind of file that cannot be repeated."""
    head = data[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if head.startswith((b"%PDF", b"PK")):
        return None
    if head.startswith((b"{", b"[")):
        return _repeated_json(data)
    if not head.startswith(b"<"):
        return lambda times: b"\n\n".join([data] * times)
    is_page = b"<html" in head.lower() and not head.startswith(b"<?xml")
    try:
        parser = html.HTMLParser(huge_tree=True) if is_page else etree.XMLParser(huge_tree=True, resolve_entities=False)
        tree = etree.ElementTree(etree.fromstring(data, parser))
    except etree.XMLSyntaxError:
        return None
    return lambda times: _repeated_tree(tree, times, is_page=is_page)


def _repeated_tree(tree: etree._ElementTree, times: int, *, is_page: bool) -> bytes:
    tree = copy.deepcopy(tree)
    content = _content(tree.getroot())
    children = list(content)
    for _ in range(times - 1):
        content.extend(copy.deepcopy(children))
    return bytes(etree.tostring(tree, encoding="utf-8", method="html" if is_page else "xml"))


def _content(element: etree._Element) -> etree._Element:
    """The innermost element that holds most of the text by itself."""
    length = _length(element)
    while (inner := next((child for child in element if _length(child) > _SHARE * length), None)) is not None:
        element = inner
    return element


def _length(element: etree._Element) -> int:
    return sum(map(len, element.itertext()))


def _repeated_json(data: bytes) -> Callable[[int], bytes] | None:
    """With the longest list, as it is written, so many times."""
    loaded = json.loads(data)
    lists = [value for value in (loaded.values() if isinstance(loaded, dict) else ()) if isinstance(value, list)]
    longest = max(lists, key=lambda value: len(json.dumps(value)), default=None)
    if longest is None:
        return None
    items = list(longest)

    def make(times: int) -> bytes:
        longest[:] = items * times
        return json.dumps(loaded, ensure_ascii=False).encode()

    return make


def largest_by_format(found: Sequence[Read], most: int) -> Iterator[Read]:
    """The largest file of each format with at most `most` bytes, else its smallest file."""
    by_format = defaultdict(list)
    for one in found:
        by_format[one.format].append(one)
    for _, files in sorted(by_format.items()):
        yield max(
            (one for one in files if one.size <= most),
            key=lambda one: one.size,
            default=min(files, key=lambda one: one.size),
        )


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
    make = repeated(one.path.read_bytes())
    if make is None:
        print(f"{one.format:22} {one.path.name}: content that cannot be repeated")
        return
    times = max(1, round(most / 4 / one.size))
    try:
        n, double, fourfold = (read(one.path, make(factor * times), one.format) for factor in (1, 2, 4))
    except LegalPipelineError as error:
        print(f"{one.format:22} {one.path.name}: repeated, it is refused: {str(error)[:100]}")
        return
    parse_growth = f"{double.parsing / n.parsing:5.2f} {fourfold.parsing / n.parsing:5.2f}"
    cut_growth = f"{double.cutting / n.cutting:5.2f} {fourfold.cutting / n.cutting:5.2f}"
    rate = fourfold.text / 1e6 / fourfold.seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{one.format:22} {fourfold.size / 1e6:7.2f} {parse_growth} {cut_growth}  {rate:6.2f} {peak:6.0f}  {one.path.name}",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--megabytes", type=float, default=5.0, help="size of the largest repeated file; 0: none is made"
    )
    chosen = options.parse_args()
    # models and word lists are loaded once for each process
    read(Path("warm.md"), b"# Fyrar\n\nThe keeper shall light the lamp at dusk and watch it until the sun has risen.\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    found, refused = read_folder(chosen.folder)
    print(f"load {os.getloadavg()[0]:.1f}; MB of text per second of processor time")
    print_speed(found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"peak memory {peak:.0f} MB, of which {before:.0f} MB before the first file")
    if chosen.megabytes:
        most = int(chosen.megabytes * 1e6)
        print(f"\n{'format':22} {'4n, MB':>7} parse 2n, 4n cut 2n, 4n   MB/s  peak MB")
        for one in largest_by_format(found, most // 4):
            print_growth(one, most)
    print(f"\n{len(refused)} files are not read:")
    for path, error in refused.items():
        print(f"  {path.relative_to(chosen.folder)}: {type(error).__name__}: {str(error)[:110]}")


if __name__ == "__main__":
    main()
