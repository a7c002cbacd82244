"""Known works of a country by the names that lawyers use, from the table `works` of its data.

Not here: identities that a citation itself contains ("Act 5 of 2019"), which the grammars make.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from legal_pipeline.citations.country import Country


def names(country: Country, use: str = "names") -> dict[str, str]:
    """Return name -> work URI. `use`: "names" (anywhere in a text), "behind_provision" (only there), "in_queries", "chapter", "code".

    If several works have a name, the first counts. A name is followed by its other spellings: each row of `citations.spellings` has a
    `pattern` and what stands `instead` of it.
    """
    rows = country.section("citations").get("spellings", ())
    found: dict[str, str] = {}
    for uri, known in country.section("works").items():
        for name in known.get(use, ()):
            for written in _spellings(name, rows):
                found.setdefault(written, uri)
    return found


def shared_names(country: Country) -> dict[str, tuple[str, ...]]:
    """Return work URI -> its abbreviations that several works have: "Ow" of the Omgevingswet and of the Opiumwet."""
    rows = {uri: known.get("behind_provision", ()) for uri, known in country.section("works").items()}
    several = {name for name, count in Counter(name for row in rows.values() for name in set(row)).items() if count > 1}
    return {uri: found for uri, row in rows.items() if (found := tuple(name for name in row if name in several))}


def _spellings(name: str, rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return `name` and its other spellings; a row also applies to the spellings of the rows before it."""
    found = [name]
    for row in rows:
        found += [re.sub(row["pattern"], row["instead"], each) for each in found]
    return list(dict.fromkeys(found))
