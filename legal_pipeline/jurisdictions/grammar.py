"""The grammar and the citation form of a country: modules in its folder if it has them, else made from its data.

Not here: the grammars that many countries share (`citations`).
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from legal_pipeline.citations import chained, from_data, sections_and_acts
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.mention import UNSAID, Mention
from legal_pipeline.errors import ConfigurationError

COMMON_LAW = "common law"
_FAMILIES = {COMMON_LAW: sections_and_acts.scanner, chained.FAMILY: chained.scanner}


def scanner_of(country: Country, folder: Path | None) -> Scanner | None:
    """Return the scanner of `country`: from its `citations.py`, else from its data; None if it has neither.

    Raises `ConfigurationError` for a module without `scanner`.
    """
    own = own_function(country, folder, "citations.py", "scanner")
    if own is not None:
        found: Scanner = own()
        return found
    family = country.section("citations").get("family")
    if family in _FAMILIES:
        return _FAMILIES[family](country)
    return from_data.scanner(country) if country.section("provisions") else None


def with_other_law(own: Scanner, also: Iterable[Scanner], text: str) -> list[Mention]:
    """Return the mentions that `own` finds in `text`, with the mentions of known works that `also` find, in text order.

    Of two mentions at one place, that of a known work is kept; of two such mentions the longer. A provision of a work that the sentence has
    named ("Article 8(1) ECHR … Art 8(2)"), or of the last named work of a kind ("Article 8 of that Directive"), is kept if `own` finds
    there the same provision without a named work.
    """
    found = list(own(text))
    for scan in also:
        found = _joined(
            found,
            [
                mention
                for mention in scan(text)
                if (mention.work.by in ("uri", "unsaid") and mention.work.uri)
                or (mention.work.by in ("short", "earlier", "own") and mention.work.name and mention.eids)
            ],
        )
    return found


def _joined(own: list[Mention], others: list[Mention]) -> list[Mention]:
    """Return both lists in text order. It walks them in parallel, because a code has thousands of each."""
    own = sorted(own, key=lambda mention: (mention.start, mention.end))
    out: list[Mention] = []
    at = 0
    for other in others:
        while at < len(own) and own[at].end <= other.start:
            out.append(own[at])
            at += 1
        behind = at
        while behind < len(own) and own[behind].start < other.end:
            behind += 1
        rivals, length = own[at:behind], other.end - other.start
        if any(rival.work.by == "uri" and rival.work.uri and rival.end - rival.start >= length for rival in rivals):
            continue
        if other.work.by != "uri" and not any(rival.work == UNSAID and rival.eids == other.eids for rival in rivals):
            continue
        # mentions of one range have the same words: all of them are kept
        out.append(_with_paragraphs(other, rivals))
        own[at:behind] = [rival for rival in rivals if not (rival.start < other.end and other.start < rival.end)]
    return sorted([*out, *own[at:]], key=lambda mention: (mention.start, mention.end))


def _with_paragraphs(other: Mention, rivals: Iterable[Mention]) -> Mention:
    """Return `other` with the levels of the country's own reading if that has a paragraph where `other` has a point: "art. 6 nr. 1"."""
    own = next(
        (rival.eids for rival in rivals if rival.start >= other.start and rival.end <= other.end and rival.eids), ()
    )
    pairs = list(zip(own, other.eids, strict=False))
    if len(own) != len(other.eids) or any(one != two.replace("__item_", "__subsec_", 1) for one, two in pairs):
        return other
    return replace(other, eids=own)


def own_function(country: Country, folder: Path | None, file: str, name: str) -> Callable[..., Any] | None:
    """Return the function `name` of the module `file` for `country`; None if its folder has no such module. Raises as `scanner_of` does.

    The module is loaded by its path: `in` is a keyword, so no import statement can name that folder.
    """
    if folder is None or not (folder / file).is_file():
        return None
    path = folder / file
    spec = importlib.util.spec_from_file_location(f"legal_pipeline_{folder.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    found: Callable[..., Any] | None = getattr(module, name, None)
    if found is None:
        raise ConfigurationError(f"{path}: no function `{name}` (expected: one that takes the country)")
    return functools.partial(found, country)
