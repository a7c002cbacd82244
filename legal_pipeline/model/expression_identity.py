"""The stated identity of an expression, and the check whether two expressions can be of one work.

Not here: the choice of the current expression (`stages.raw_documents`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from legal_pipeline.model.document import Document

#: Words of a title that distinguish laws: shorter words (of, the, lag, om) occur in all titles.
_WORD = re.compile(r"[^\W\d_]{4,}")
#: Share of the shorter title's words in the longer title if both are of one work: titles are cut, inflected and amended.
_SHARED_WORDS = 0.5


@dataclass(frozen=True)
class ExpressionIdentity:
    """The identity that a text states; "" for missing facts. `item` is the key of its source item."""

    title: str = ""
    number: str = ""
    jurisdiction: str = ""
    format: str = ""
    item: str = ""

    @classmethod
    def of(cls, document: Document, item: str = "") -> ExpressionIdentity:
        return cls(document.title, str(document.number or ""), str(document.jurisdiction or ""), document.format, item)

    @classmethod
    def load(cls, row: Mapping[str, str] | None) -> ExpressionIdentity | None:
        """Return the identity from its JSON; fields of another release are left out."""
        return None if row is None else cls(**{name: row.get(name, "") for name in cls.__dataclass_fields__})

    def dump(self) -> dict[str, str]:
        return asdict(self)

    def differences(self, held: ExpressionIdentity) -> list[str]:
        """Return the contradictions to `held`, in words; empty if both can be of one work.

        The same file as before may state another title or have another format: laws are renamed, and publishers change their files. Another
        file may not.
        """
        names = ["number", "jurisdiction"] if self.item and self.item == held.item else list(_SAME)
        return [
            f"its {name} is {getattr(self, name)!r}, the document's is {getattr(held, name)!r}"
            for name in names
            if getattr(self, name) and getattr(held, name) and not _SAME[name](getattr(self, name), getattr(held, name))
        ]


def _same_title(first: str, other: str) -> bool:
    words = [set(_WORD.findall(unicodedata.normalize("NFKC", title).casefold())) for title in (first, other)]
    shorter = min(map(len, words))
    return shorter == 0 or len(words[0] & words[1]) / shorter >= _SHARED_WORDS


def _same_letters(first: str, other: str) -> bool:
    first, second = (re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold() for text in (first, other))
    return first.endswith(second) or second.endswith(first)  # a number with its series and without


_SAME = {"title": _same_title, "number": _same_letters, "jurisdiction": _same_letters, "format": str.__eq__}
