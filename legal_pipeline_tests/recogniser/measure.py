"""Precision and recall of provision numbers, and the share of them that stand in the right division.

Not here: the documents that are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from legal_pipeline.languages.language import language
from legal_pipeline.model.document import Document, Node

_DIVISIONS = ("division", "part", "chapter", "subchapter", "title", "book", "subpart", "schedule", "section", "article")
#: Akoma Ntoso prints words and notes beside the numbers of some publishers.
_WORDS = re.compile(
    r"^[^\W\d]{2,}\.?\s+(?=[\dIVXLC])|\s+(?:luku|osa|kap\.?|titel|kapitel|abschnitt)\.?$|^§+\s*|\s*§$", re.I
)
_NOTE = re.compile(r"^(\d+ ?[a-z]{0,2})\s+\*?\s?[A-ZÄÖÜ][^\d].*$", re.S)
_SIGNS = re.compile(r"[\s.:*º°\])(\[]")


@dataclass(frozen=True)
class Counts:
    """Of the `expected` provisions and the `found` ones, how many have the same number (`hits`) and the same parent too (`placed`)."""

    expected: int = 0
    found: int = 0
    hits: int = 0
    placed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.expected + other.expected, self.found + other.found, self.hits + other.hits, self.placed + other.placed
        )

    @property
    def precision(self) -> float:
        return self.hits / self.found if self.found else float(not self.expected)

    @property
    def recall(self) -> float:
        return self.hits / self.expected if self.expected else 1.0

    @property
    def parents(self) -> float:
        return self.placed / self.hits if self.hits else 1.0


def compare(expected: Document, found: Document) -> Counts:
    """Both as multisets of numbers, and of numbers with that of the nearest numbered division around them."""
    right, ours = provisions(expected.nodes), provisions(found.nodes)
    words = language(expected.language).ordinals
    right, ours = _in_digits(right, words), _in_digits(ours, words)
    hits = sum((Counter(num for num, _ in right) & Counter(num for num, _ in ours)).values())
    return Counts(len(right), len(ours), hits, sum((Counter(right) & Counter(ours)).values()))


def _in_digits(rows: list[tuple[str, str]], ordinals: Mapping[str, int]) -> list[tuple[str, str]]:
    """Numbers in words and with the mark of an ordinal as digits: parsers print the first article as "1", "1er" and "premier"."""
    return [(_digits(num, ordinals), _digits(parent, ordinals)) for num, parent in rows]


def _digits(num: str, ordinals: Mapping[str, int]) -> str:
    marked = re.sub(r"^(\d+|[ivxlc]+)(?:er|re|ère|ème|-a)$", r"\1", num)
    return marked if marked != num else str(ordinals.get(num, num))


def provisions(nodes: Iterable[Node], parent: str = "") -> list[tuple[str, str]]:
    """(number, number of the nearest numbered division) of the innermost sections and articles, in order."""
    found: list[tuple[str, str]] = []
    for node in nodes:
        number = plain_number(node.num)
        if node.type in ("section", "article") and number and not _holds_provisions(node):
            found.append((number, parent))
            continue
        found.extend(provisions(node.children, number if node.type in _DIVISIONS and number else parent))
    return found


def _holds_provisions(node: Node) -> bool:
    return any(child.type in ("section", "article") and child.num for child in node.walk() if child is not node)


def plain_number(num: str | None) -> str:
    """The number without words, notes and signs, in lower case.

    >>> plain_number("Chapitre 1er"), plain_number("2 a §"), plain_number("1 luku")
    ('1er', '2a', '1')
    """
    text = _NOTE.sub(r"\1", _WORDS.sub("", (num or "").strip()))
    return _SIGNS.sub("", text).casefold()
