"""A block of a judgment as the model of roles sees it. Not here: the model (`roles`), which needs numpy."""

from __future__ import annotations

from dataclasses import dataclass

from legal_pipeline.text.sentences import sentence_spans


@dataclass(frozen=True)
class Evidence:
    """One block as this module sees it: its text, the part that the heading `distance` characters above it announces, and the part that
    is certain."""

    text: str
    announced: str | None = None
    distance: int = 0
    fixed: str | None = None

    @property
    def sentences(self) -> list[str]:
        return [self.text[start:end] for start, end in sentence_spans(self.text, "eng")] or [self.text]
