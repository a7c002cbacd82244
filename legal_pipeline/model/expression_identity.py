"""What an expression says that it is, and whether two expressions can be of one work.

Not here: which expression is current (`stages.raw_documents`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from legal_pipeline.model.document import Document

#: Words of a title that tell laws apart: shorter ones (of, the, lag, om) stand in all of them.
_WORD = re.compile(r"[^\W\d_]{4,}")
#: So much of the shorter title stands in the longer one when both are of one work: titles are cut, inflected and amended.
_SHARED_WORDS = 0.5


@dataclass(frozen=True)
class ExpressionIdentity:
    """ "" for what the text does not say. `item` names the item that it came from."""

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
        """From its JSON; what another release added to it is left out."""
        return None if row is None else cls(**{name: row.get(name, "") for name in cls.__dataclass_fields__})

    def dump(self) -> dict[str, str]:
        return asdict(self)

    def differences(self, held: ExpressionIdentity) -> list[str]:
        """What it says otherwise than `held`, in words; empty where both can be of one work.

        A file that made the document before may give it another title or be written in another format: laws are renamed, and publishers
        change their files. Another file may not.
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


_SAME = {
    "title": _same_title,
    "number": _same_letters,
    "jurisdiction": _same_letters,
    "format": str.__eq__,
}
