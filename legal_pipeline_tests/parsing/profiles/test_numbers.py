"""Every provision of an official file stands in the tree with its number, heading and division, compared to patterns over the raw text.

The patterns (`numbers.toml`) do not know the profiles: they say what the mark-up states, in its order.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from legal_pipeline.model.document import Document, Node
from legal_pipeline.text.normalise import one_line
from legal_pipeline_tests.parsing.profiles.test_world import read
from legal_pipeline_tests.real_documents import existing

_PATTERNS = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text("utf-8"))
_SIGNS = re.compile(r"\A(?:§+|Art\.?)\s*|[\s.]+\Z")


@pytest.mark.parametrize("files", sorted(_PATTERNS))
def test_provisions_have_the_numbers_headings_and_divisions_of_the_raw_text(corpus: Path, files: str) -> None:
    patterns = _PATTERNS[files]
    for path in existing(corpus / "world", files):
        source, document = read(corpus, str(path.relative_to(corpus / "world")))
        stated = list(_stated(source.text, patterns))
        assert stated, path
        assert list(_found(document, patterns)) == stated


def _stated(text: str, patterns: Mapping[str, str]) -> Iterator[tuple[str, str | None, str | None]]:
    """(number, heading, number of the division) of each provision that the raw text marks."""
    if "left_out" in patterns:
        text = re.sub(patterns["left_out"], "", text)
    places = [(match.start(), match) for match in re.finditer(patterns["provision"], text, re.DOTALL)]
    divisions = [(match.start(), match) for match in re.finditer(patterns.get("division", r"\A(?!)"), text)]
    division: str | None = None
    for _, match in sorted([*places, *divisions], key=lambda place: place[0]):
        if match.re.groups == 1:
            division = match[1]
        else:
            yield _bare(match[1]), _plain(match[2] or "") or None, division


def _found(document: Document, patterns: Mapping[str, str]) -> Iterator[tuple[str | None, str | None, str | None]]:
    def walk(node: Node, division: str | None) -> Iterator[tuple[str | None, str | None, str | None]]:
        if node.type == patterns["type"]:
            yield node.num, node.heading, division
        inside = node.num if node.type == patterns.get("division_type") else division
        for child in node.children:
            yield from walk(child, inside)

    for node in document.nodes:
        yield from walk(node, None)


def _plain(raw: str) -> str:
    return one_line(html.unescape(re.sub(r"<[^>]+>", "", raw)))


def _bare(raw: str) -> str:
    return _SIGNS.sub("", _plain(raw))
