"""Decides whether a hyphen at a line end belongs to its word: by the document's own words, then by a list of words.

Not here: joining lines (`text.normalise`).
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from legal_pipeline.system.data_files import data_file

#: `\b` and the possessive runs read each letter of a long word once.
_COMPOUND = re.compile(r"\b\w++(?:[-\u2010\u2011]\w++)+")
_WORD = re.compile(r"\w+")
_HYPHEN = re.compile(r"[-\u2010\u2011]")


#: The words of a document in lower case, and the pairs of words that a hyphen joins inside a line.
_Words = tuple[frozenset[str], frozenset[tuple[str, str]]]


def _collect(text: str) -> _Words:
    compounds = (_HYPHEN.split(compound) for compound in _COMPOUND.findall(text))
    pairs = frozenset(pair for parts in compounds for pair in itertools.pairwise(parts))
    return frozenset(_WORD.findall(text)), pairs


_words: ContextVar[Callable[[], _Words] | None] = ContextVar(
    "words of the document whose lines are joined", default=None
)


@contextlib.contextmanager
def words_of(text: Callable[[], str]) -> Iterator[None]:
    """During the block, the words of `text()` decide which hyphens at line ends stay. `text` is called at most once."""
    token = _words.set(functools.cache(lambda: _collect(text().casefold())))
    try:
        yield
    finally:
        _words.reset(token)


def keeps_hyphen(stem: str, after: str) -> bool:
    """Return whether the hyphen between `stem`, the last word of a line, and `after`, the next line, belongs to the word.

    It does if the document never contains the joined word but contains the hyphenated word inside a line, or if a list of words has it. A
    single letter is never divided from its word: its hyphen stays.

    >>> keeps_hyphen("e", "postadress"), keeps_hyphen("self", "governance of"), keeps_hyphen("mål", "nings")
    (True, True, False)
    """
    found = _WORD.match(after)
    if found is None:
        return False
    stem, rest = stem.casefold(), found.group().casefold()
    words = _words.get()
    if words is not None:
        single, pairs = words()
        if stem + rest in single:
            return False
        if (stem, rest) in pairs:
            return True
    return len(stem) == 1 or f"{stem}-{rest}".startswith(_beginnings())


@functools.cache
def _beginnings() -> tuple[str, ...]:
    return tuple(data_file(__package__, "hyphenated.toml")["beginnings"])
