"""A format: a name, a rule that recognises it, and a function that parses it.

Not here: the list of formats (`parsing.registry`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document

#: Every chunk has the title of its document. A page whose mark-up makes the whole text its title would be stored once for each chunk.
MAX_TITLE_CHARS = 2_000

#: Scores of a sniffing rule. A format is chosen from POSSIBLE upwards; a lower score only lists it as "closest".
CERTAIN, LIKELY, POSSIBLE, NEAR, NO = 1.0, 0.8, 0.5, 0.2, 0.0


@dataclass(frozen=True)
class Format:
    """`sniff` reads the content, never only the file name, and returns a score from `NO` to `CERTAIN` (values between them are allowed).

    `version` is raised whenever the parser's output changes for any input: this makes earlier results stale.
    """

    name: str
    description: str
    sniff: Callable[[SourceFile], float]
    read: Callable[[SourceFile], Document]
    version: str = "1"

    def parse(self, source: SourceFile) -> Document:
        """Return the document that `read` makes, with the name and version of this format; errors name the file and this format.

        A title of more than `MAX_TITLE_CHARS` is cut at a word.
        """
        try:
            document = self.read(source)
        except ParseError as error:
            error.document = error.document or source.name
            error.format = error.format or self.name
            raise
        if len(document.title) > MAX_TITLE_CHARS:
            document = replace(document, title=document.title[:MAX_TITLE_CHARS].rpartition(" ")[0] + "…")
        return document if document.format else replace(document, format=self.name, parser_version=self.version)

    @property
    def container(self) -> str:
        """Return the kind of files that the end of the name states (`akn_xml`): json, xml, html, pdf, docx; text for other names."""
        ending = self.name.rpartition("_")[2].replace("jsonl", "json")
        return ending if ending in ("json", "xml", "html", "pdf", "docx") else "text"
