"""The input of a parser: the bytes of one source item, its other known facts, and the limits that apply.

Not here: the origin of the bytes (`sources`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field, replace
from typing import Any

from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.text.encoding import decode

#: Separators of words in a file name; a sign between digits does not separate ("2016-679").
_NAME_BREAKS = re.compile(r"_|(?<!\d)[-.]|[-.](?!\d)")
#: The name in `SourceFile.memo` for the struck-out words of the file: a list of texts, in order.
STRUCK_WORDS = "struck words"


@dataclass(frozen=True)
class Limits:
    """Maximum sizes of a document. The defaults are at least ten times what the corpus needs."""

    max_bytes: int = 40_000_000
    max_line_chars: int = 10_000_000
    max_depth: int = 200
    #: Maximum bytes for reading a PDF in addition to the process itself; the corpus needs 60 million.
    max_pdf_memory: int = 1_000_000_000


@dataclass(frozen=True)
class SourceFile:
    """One source item.

    `hints` are facts from a user or a metadata sidecar (jurisdiction, doc_type, title, as_of_date, …); a parser prefers facts in the
    document itself and uses the hints otherwise.
    """

    name: str
    data: bytes
    url: str | None = None
    fetched_at: str | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    limits: Limits = Limits()

    def with_hints(self, **hints: Any) -> SourceFile:
        return replace(self, hints={**self.hints, **hints})

    @property
    def path(self) -> str:
        """Return the item's path below its source's root; its name if the path is not stated.

        The id of a text that does not state its work is made of this path, so that two such texts have two ids.
        """
        return str(self.hints.get("path") or self.name)

    @property
    def name_in_words(self) -> str:
        """Return a title for a text that states none: `some-act_2012.html` gives "Some act 2012"."""
        name = self.name.rpartition("/")[2]
        words = " ".join(_NAME_BREAKS.sub(" ", name.rpartition(".")[0] or name).split())
        return words[:1].upper() + words[1:] if words else self.name

    @functools.cached_property
    def sha256(self) -> str:
        return sha256_hex(self.data)

    @functools.cached_property
    def text(self) -> str:
        """Return the decoded text in NFC with LF line ends; raises `EmptyDocumentError`, `LimitExceededError` or `ParseError`."""
        self.check_size()
        text, _ = decode(self.data, document=self.name)
        limit, position = self.limits.max_line_chars, 0
        for line in text.split("\n") if len(text) > limit else ():
            if len(line) > limit:
                raise LimitExceededError(
                    f"a line of {len(line):,} characters",
                    document=self.name,
                    position=f"character {position}",
                    expected=f"at most {limit:,} (LEGAL_PIPELINE_MAX_LINE_CHARS)",
                )
            position += len(line) + 1
        return text

    @functools.cached_property
    def memo(self) -> dict[str, Any]:
        """Return cached results of readers about the file, by a name that the reader chooses."""
        return {}

    def check_size(self) -> None:
        if not self.data:
            raise EmptyDocumentError("the file is empty", document=self.name, expected="text")
        if len(self.data) > self.limits.max_bytes:
            raise LimitExceededError(
                f"{len(self.data):,} bytes",
                document=self.name,
                expected=f"at most {self.limits.max_bytes:,} (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)",
            )

    @functools.cached_property
    def head(self) -> str:
        """Return the first 64,000 characters, or "" for bytes that are not text: the input of sniffing rules."""
        try:
            return self.text[:64_000]
        except ParseError:
            return ""
