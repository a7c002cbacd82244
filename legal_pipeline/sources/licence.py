"""The permitted uses of a source's texts.

Not here: the step that leaves texts out of an export.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Licence:
    """`may_export`: whether texts of the source may be redistributed outside the index (`chunks.jsonl`, Akoma Ntoso files, publishing)."""

    name: str
    terms: str
    may_export: bool

    @property
    def hints(self) -> dict[str, object]:
        """Return the licence as hints for every file of the source."""
        return {"licence": self.name, "may_export": self.may_export}
