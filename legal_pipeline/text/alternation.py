"""Writes a regular expression for any of a list of words.

Not here: which words those are, which is data of a country or a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

#: A pattern that matches nothing; a search for it ends at once.
NEVER = r"\A(?!)"


def alternation(items: Iterable[str], letter: Callable[[str], str] = re.escape) -> str:
    """Return a pattern for any of `items`, the longest first if an item begins another; `letter` writes the pattern of one character.

    The pattern is a prefix tree: `re` tries the branches of a plain alternation in turn, which costs a second per megabyte with a
    hundred names. Without items it is empty.
    """
    tree: dict[str, Any] = {}
    for item in items:
        node = tree
        for character in item:
            node = node.setdefault(letter(character), {})
        node[""] = {}
    return _branch(tree)


def _branch(tree: dict[str, Any]) -> str:
    ends = "" in tree
    branches = []
    for prefix, below in sorted(tree.items()):
        if prefix:
            while len(below) == 1 and "" not in below:
                following, below = next(iter(below.items()))
                prefix += following
            branches.append(prefix + _branch(below))
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return f"{body}?" if ends else body
