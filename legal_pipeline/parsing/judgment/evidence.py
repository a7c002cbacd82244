"""A block of a judgment as input of the model of roles. Not here: the model (`roles`), which needs numpy."""

from __future__ import annotations

from dataclasses import dataclass

from legal_pipeline.text.sentences import sentence_spans


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
