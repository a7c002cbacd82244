"""Known works of a country by the names that lawyers use, from the table `works` of its data.

Not here: identities that a citation itself contains ("Act 5 of 2019"), which the grammars make.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from legal_pipeline.citations.country import Country


def names(country: Country, use: str = "names") -> dict[str, str]:
    """Return name -> work URI. `use`: "names" (anywhere in a text), "behind_provision" (only there), "in_queries", "chapter", "code".

    A name is followed by its other spellings: each row of `citations.spellings` has a `pattern` and what stands `instead` of it.
    """
    rows = country.section("citations").get("spellings", ())
    return {
        written: uri
        for uri, known in country.section("works").items()
        for name in known.get(use, ())
        for written in _spellings(name, rows)
    }


def _spellings(name: str, rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return `name` and its other spellings; a row also applies to the spellings of the rows before it."""
    found = [name]
    for row in rows:
        found += [re.sub(row["pattern"], row["instead"], each) for each in found]
    return list(dict.fromkeys(found))


def alternation(items: Iterable[str]) -> str:
    """Return a pattern for any of `items`, the longest first if an item begins another. It is a prefix tree: `re` tries the branches of a
    plain alternation in turn, which costs a second per megabyte with a hundred names."""
    tree: dict[str, Any] = {}
    for item in items:
        node = tree
        for character in item:
            node = node.setdefault(character, {})
        node[""] = {}
    return _branch(tree)


def _branch(tree: dict[str, Any]) -> str:
    ends = "" in tree
    branches = []
    for character, below in sorted(tree.items()):
        if character:
            prefix = re.escape(character)
            while len(below) == 1 and "" not in below:
                character, below = next(iter(below.items()))
                prefix += re.escape(character)
            branches.append(prefix + _branch(below))
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return f"{body}?" if ends else body
