"""A unit of a judgment: a heading or a paragraph, with its part, and what the model of roles reads of it.

Not here: finding the parts (`roles`, which needs numpy, and `announced_roles`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from legal_pipeline.text.sentences import sentence_spans

_ISSUE_NUMBER = re.compile(
    r"(?:issue|point|question)s?(?:\s+no\.?)?\s*[:.-]?\s*\(?(?P<num>\d+|[ivx]+|[a-z])\)?(?=\W|$)", re.I
)


@dataclass
class Unit:
    """A piece of text with one role: a heading (`announces` is the part that it names, if any), or a paragraph."""

    text: str
    heading: bool = False
    announces: str | None = None
    role: str = "motivation"

    @property
    def title(self) -> str:
        return self.text.strip(" :")

    @property
    def issue_number(self) -> str | None:
        """The number `1` of a heading "Issue No. 1: …"."""
        match = _ISSUE_NUMBER.match(self.text) if self.heading and self.announces == "issue" else None
        return match["num"] if match else None


@dataclass(frozen=True)
class Evidence:
    """The text of a block, the part announced by the heading `distance` characters above it, and the part if it is certain (`fixed`)."""

    text: str
    announced: str | None = None
    distance: int = 0
    fixed: str | None = None

    @property
    def sentences(self) -> list[str]:
        return [self.text[start:end] for start, end in sentence_spans(self.text, "eng")] or [self.text]
