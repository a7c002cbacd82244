"""What one format is: a name, a rule that recognises it, and a function that parses it.

Not here: the list of formats (`parsing.registry`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document

#: Scores of a sniffing rule. A format is chosen from POSSIBLE upwards; below it is only named as "closest".
CERTAIN, LIKELY, POSSIBLE, NEAR, NO = 1.0, 0.8, 0.5, 0.2, 0.0


@dataclass(frozen=True)
class Format:
    """`sniff` looks at content, never at the file name alone, and returns one of the scores above (values between are fine).

    `version` is raised whenever the parser's output changes for any input: it makes what was parsed before stale.
    """

    name: str
    description: str
    sniff: Callable[[SourceFile], float]
    parse: Callable[[SourceFile], Document]
    version: str = "1"

    @property
    def container(self) -> str:
        """What the format is written in, after its name (`akn_xml`): json, xml, html, pdf, docx, else text."""
        ending = self.name.rpartition("_")[2].replace("jsonl", "json")
        return ending if ending in ("json", "xml", "html", "pdf", "docx") else "text"
