"""The names that a text gives to works as it goes on: abbreviations in brackets, and titles that it repeats without their number.

Not here: the patterns of such names, and the names in a country's data (`works`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class NamesGiven:
    """What the text has said so far. Works that have one name differ in their `meaning`: a year, or a URI."""

    meanings: dict[str, set[str]] = field(default_factory=dict)

    def add(self, name: str, meaning: str = "") -> None:
        self.meanings.setdefault(name, set()).add(meaning)

    def is_clear(self, name: str) -> bool:
        """Whether the text has given `name` to a work, and to no other."""
        return len(self.meanings.get(name, ())) == 1

    def is_ambiguous(self, name: str) -> bool:
        """Whether the text has given `name` to several works."""
        return len(self.meanings.get(name, ())) > 1

    def meaning(self, name: str) -> str | None:
        """Return the meaning of a clear name; None for a name that is not given, or ambiguous."""
        return next(iter(self.meanings[name])) if self.is_clear(name) else None
