"""The country data that `citations` uses: code, data tables and grammar. Not here: the countries (`jurisdictions`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from legal_pipeline.citations.mention import Mention

#: Finds the mentions of a text, in text order; `citations.resolve` finds their targets in a document.
Scanner = Callable[[str], Iterable[Mention]]


class Country(Protocol):
    """A country as its citations are read. One object per code: patterns compiled from its data are cached per object."""

    @property
    def code(self) -> str: ...

    def __hash__(self) -> int: ...

    @property
    def scanner(self) -> Scanner | None:
        """Return the scanner for the country's citations; None for a country without a grammar."""

    @property
    def languages(self) -> Sequence[str]:
        """Return the languages of its law (ISO 639-3), the language of its first official text first."""
        ...

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a table of the country's data; empty where it has no such table."""
        ...
