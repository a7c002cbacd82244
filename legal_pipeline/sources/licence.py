"""What a source allows to be done with its texts.

Not here: the step that keeps texts out of an export.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Licence:
    """`may_export`: whether texts of the source may be handed on outside the index (`chunks.jsonl`, Akoma Ntoso files, publishing)."""

    name: str
    terms: str
    may_export: bool

    @property
    def hints(self) -> dict[str, object]:
        """As hints that go with every file of the source."""
        return {"licence": self.name, "may_export": self.may_export}
