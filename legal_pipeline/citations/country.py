"""What this room needs of a country: its code, its data and its grammar. `jurisdictions` has the countries themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from legal_pipeline.citations.mention import Mention

#: Finds what a text cites, in text order; what that means in a document is for `citations.resolve`.
Scanner = Callable[[str], Iterable[Mention]]


class Country(Protocol):
    """A country as its citations are read. One object per code: what is compiled from its data is cached by it."""

    @property
    def code(self) -> str: ...

    def __hash__(self) -> int: ...

    @property
    def scanner(self) -> Scanner | None:
        """How its lawyers cite; None where that is not known."""

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of its data; empty where it has none."""
        ...
