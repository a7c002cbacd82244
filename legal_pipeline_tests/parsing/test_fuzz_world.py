"""Files of every format of the world that the registry reads, damaged, cut off and doubled: a document or a typed error, in linear time.

A profile that is added is covered without a change here: the formats are found by reading the corpus. Not here: samples of our own and
documents made to hurt (`test_fuzz`).
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth
from legal_pipeline_tests.parsing.damage import damaged
from legal_pipeline_tests.parsing.test_fuzz import attempt
from legal_pipeline_tests.resized import resized

pytestmark = pytest.mark.corpus

#: Bytes of the smallest of the three sizes whose times are compared.
_GROWN = 16_000
#: Bytes of a seed: the rest of a code is more of the same.
_SEED = 40_000
#: Formats whose time once grew with the square of a large file (a value read from the root for each provision, `preceding::` in a selector,
#: an eId counted from 1 at each use), and the smallest size at which it showed.
_LARGE = {"ris_xml": 150_000, "isb_html": 250_000, "gii_xml": 150_000}
_HINTS = {"number": "2099:10", "title": "An Act"}


@functools.cache
def seeds(corpus: Path) -> dict[str, tuple[str, bytes]]:
    """Format -> (name, content) of its smallest file, made smaller where it is large."""
    found: dict[str, tuple[str, bytes]] = {}
    for path in sorted((corpus / "world").rglob("*"), key=lambda path: path.stat().st_size):
        if not path.is_file() or path.name == "FORMAT.md":
            continue
        source = SourceFile(path.name, path.read_bytes(), hints=_HINTS)
        try:
            format = detect(source).name
            if format not in found:
                parse(source, format)
                found[format] = path.name, source.data
        except ParseError:
            continue
    return {format: (name, _small(data)) for format, (name, data) in found.items()}


def _small(data: bytes) -> bytes:
    make = resized(data) if len(data) > _SEED else None
    return make(_SEED) if make is not None else data


def test_the_world_has_files_of_many_formats(corpus: Path) -> None:
    assert len(seeds(corpus)) >= 10


def test_damaged_files_of_the_world_give_a_document_or_a_typed_error(corpus: Path) -> None:
    by_name = dict(seeds(corpus).values())

    @examples(150)
    @given(damaged(by_name))
    def run(data: bytes) -> None:
        attempt("damaged file", data)

    run()


def test_cut_off_doubled_and_interleaved_files_give_a_document_or_a_typed_error(corpus: Path) -> None:
    for format, (name, data) in seeds(corpus).items():
        for number, changed in enumerate(_changed(data, random.Random(format))):
            attempt(f"{name}, change {number}", changed, format)


def _changed(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """Cut off inside and outside of a tag; twice in a row; without its tags at one place; with a tail of elements put before its head."""
    middle = chance.randrange(len(data) // 4, len(data))
    tag = data.find(b">", middle)
    yield data[:middle]
    yield data[: tag + 1]
    yield data + data
    yield data[:middle] + data[middle : middle + 4000].replace(b"<", b" ") + data[middle + 4000 :]
    yield data[: len(data) // 4] + data[middle:] + data[len(data) // 4 :]


def test_every_format_of_the_world_is_read_in_linear_time(corpus: Path) -> None:
    grown = {}
    for format, (name, data) in seeds(corpus).items():
        make = resized(data)
        if make is not None and not _is_refused(name, make(4 * _GROWN), format):
            grown[format] = growth(
                lambda n, make=make, name=name, format=format: _reading(make(n), name, format), _GROWN
            )
    assert len(grown) >= 8
    assert {format: round(times, 1) for format, times in grown.items() if times >= NEARLY_LINEAR} == {}


def test_large_files_of_formats_with_many_rules_are_read_in_linear_time(corpus: Path) -> None:
    grown = {}
    for format, size in _LARGE.items():
        name, data = seeds(corpus)[format]
        make = resized(data)
        assert make is not None
        grown[format] = growth(lambda n, make=make, name=name, format=format: _reading(make(n), name, format), size)
    assert {format: round(times, 1) for format, times in grown.items() if times >= NEARLY_LINEAR} == {}


def _is_refused(name: str, data: bytes, format: str) -> bool:
    """Whether the same parts again and again are too little of a document: numbers that do not grow, more sections than are stated."""
    try:
        parse(SourceFile(name, data, hints=_HINTS), format)
    except ParseError:
        return True
    return False


def _reading(data: bytes, name: str, format: str) -> Callable[[], object]:
    return lambda: parse(SourceFile(name, data, hints=_HINTS), format)
