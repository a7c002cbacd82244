"""Statutes in the markdown of se-lex/sfs: YAML front matter, `## 1 kap.`, `### rubrik`, `#### 2 a §`, links in the running text.

The export has known damage (lost bodies, headings that contain numbers of EU acts); certain cases are repaired, others give a warning.
Not here: other markdown (`parsing.generic.markdown`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import FrontMatter, has_front_matter, read_front_matter
from legal_pipeline.parsing.markdown_blocks import MarkdownBlock, markdown_blocks
from legal_pipeline.parsing.sweden.blocks import ACT_NUMBER, CHAPTER, Blocks
from legal_pipeline.parsing.sweden.header import StatuteHeader, iso_date
from legal_pipeline.parsing.sweden.writer import StatuteWriter

NAME = "selex_markdown"
VERSION = "4"

_FRONT = re.compile(r"^beteckning:\s*\S+", re.MULTILINE)
_SECTION = re.compile(r"(\d+(?:\s?[a-z])?)\s?§")
#: A heading that ends with a § sign and begins with text from another place.
_POLLUTED = re.compile(r"(?P<rest>.*?)\s(?P<sign>\d{1,3}(?:\s[a-z])?\s?§)$", re.DOTALL)
_SUBDIVISION = re.compile(r"(?P<num>[IVX]+)\s+(?P<heading>[A-ZÅÄÖ].*)")
_GROUP_HEADING_CHARS = 120
#: A number with too many digits, where the export removed the separators ("nr 19074593").
_RUN_TOGETHER = re.compile(r"\bnr \d{7,}")


def sniff(source: SourceFile) -> float:
    head = source.head
    return CERTAIN if has_front_matter(head) and _FRONT.search(head[:4_000]) and "\nrubrik:" in head[:4_000] else NO


def parse(source: SourceFile) -> Document:
    """Parse the file. Raises `EmptyDocumentError`, which names the statute, when the export contains front matter only."""
    text = source.text
    front = read_front_matter(text)
    number = front.text("beteckning")
    title = front.text("rubrik") or ""
    if number is None:
        raise ParseError("no beteckning in the front matter", position="line 1", expected="beteckning: 1977:1160")
    listed = list(markdown_blocks(text[front.end :], text.count("\n", 0, front.end) + 1))
    if not any(block.kind != "heading" for block in listed):
        raise EmptyDocumentError(
            f"SFS {number} ({title}) holds front matter and no text of the statute",
            position=f"line {text.count(chr(10), 0, front.end) + 1}",
            expected="headings such as '#### 1 §' with text below them",
        )
    builder = DocumentBuilder()
    statute = _Statute(builder)
    statute.read(listed)
    warnings = (*statute.warnings, *statute.blocks.warnings)
    return _header(number, title, front).document(
        builder, source, warnings=warnings, requires_manual_review=bool(warnings)
    )


def _header(number: str, title: str, front: FrontMatter) -> StatuteHeader:
    acts = front.values.get("andringsforfattningar")
    metadata: dict[str, Any] = {
        "department": front.text("departement"),
        "issued": iso_date(front.text("utfardad_datum")),
        "in_force": iso_date(front.text("ikraft_datum")),
        "repealed": iso_date(front.text("upphavd_datum", "upphor_datum")),
        "published": iso_date(front.text("publicerad_datum")),
        "expires": iso_date(front.text("tidsbegransad_datum")),
        "preparatory_works": front.text("forarbeten"),
        "pdf_url": front.text("pdf_url"),
    }
    if isinstance(acts, list):
        metadata["amending_acts"] = [
            {
                "number": f"SFS {act['beteckning']}",
                "title": act.get("rubrik"),
                "in_force": iso_date(act.get("ikraft_datum")),
                "notes": act.get("anteckningar"),
            }
            for act in acts
            if isinstance(act, dict) and act.get("beteckning")
        ]
    return StatuteHeader(number, title, metadata)


def section_key(sign: str) -> tuple[int, str]:
    """Return the sort key of a § in its chapter: `2 b §` -> (2, "b")."""
    match = re.match(r"(\d+)\s?([a-z]?)", sign)
    return (int(match[1]), match[2]) if match else (0, "")


class _Statute:
    """Feed the writer block by block; a damaged heading is judged by the blocks around it."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self.warnings: list[str] = []
        self.blocks = Blocks(StatuteWriter(builder))
        self._last = (0, "")
        self._first_in_chapter = True
        self._highest = 0
        self._ended = True

    def read(self, listed: Sequence[MarkdownBlock]) -> None:
        for index, block in enumerate(listed):
            following = listed[index + 1] if index + 1 < len(listed) else None
            if block.kind == "heading":
                self._heading(block, _next_sections(listed, index))
            elif block.kind == "table":
                self.blocks.table([row.split(" | ") for row in block.text.split("\n")])
            elif block.kind == "footnote":
                self.blocks.flush().aside("footnote", block.text, block.num)
            elif ACT_NUMBER.fullmatch(block.text) and self.blocks.writer.inside("transitional"):
                self.blocks.act(block.text)
            elif self._is_group_heading(block, following):
                self.blocks.heading(block.text)
            else:
                for line in block.text.split("\n"):
                    self.blocks.paragraph(f"{block.marker} {line}" if block.marker else line)
                if _RUN_TOGETHER.search(block.text):
                    self._warn(block, "numbers in the text ran together; the text is damaged")
            self._ended = block.kind == "heading" or block.text.endswith((".", ")"))
        self.blocks.finish()

    def _warn(self, block: MarkdownBlock, what: str) -> None:
        self.warnings.append(f"line {block.line}: {what}")

    def _heading(self, block: MarkdownBlock, following: Iterator[str]) -> None:
        text = block.text
        if block.level == 1:
            return
        if match := _SECTION.fullmatch(text):
            self._section(match.group(), block)
        elif block.level == 4 and (match := _POLLUTED.fullmatch(text)):
            sign, key = match["sign"], section_key(match["sign"])
            after = next(following, None)
            sure = self._last < key and (after is None or key < section_key(after) or section_key(after) <= self._last)
            state = "recovered" if sure else "uncertain: it does not fit between its neighbours"
            self._warn(
                block,
                f"the heading of {sign} holds words that belong elsewhere ({match['rest'][:60]!r}); the number is {state}",
            )
            self.blocks.flush().aside("remark", match["rest"])
            self._section(sign, block)
        elif block.level == 4 and not CHAPTER.fullmatch(text):
            self._warn(block, f"a heading of a § without a number: {text[:60]!r}")
            self.blocks.heading(text)
        elif match := _SUBDIVISION.fullmatch(text):
            self.blocks.flush().division(match["num"], match["heading"], text, level=2)
        else:
            if CHAPTER.fullmatch(text):
                self._last, self._first_in_chapter = (0, ""), True
            self.blocks.heading(text)

    def _section(self, sign: str, block: MarkdownBlock) -> None:
        key = section_key(sign)
        if key == self._last:
            self._warn(block, f"{sign} occurs twice in its chapter; the export does not say which wording is in force")
        elif key < self._last:
            self._warn(block, f"{sign} comes after {self._last[0]} {self._last[1]}".rstrip() + " §")
        elif key[0] > self._last[0] + 1 and not (self._first_in_chapter and key[0] == self._highest + 1):
            lost = f"{self._last[0] + 1} §" if key[0] == self._last[0] + 2 else f"{self._last[0] + 1}–{key[0] - 1} §§"
            self._warn(block, f"{lost} missing before {sign}: repealed, or lost in the export")
        self._first_in_chapter, self._highest = False, key[0]
        self._last = key
        self.blocks.section(sign)

    def _is_group_heading(self, block: MarkdownBlock, following: MarkdownBlock | None) -> bool:
        """Whether a short line without a full stop between a finished stycke and the next § is a heading that the export did not mark."""
        text = block.text
        return (
            block.kind == "paragraph"
            and self._ended
            and following is not None
            and following.kind == "heading"
            and following.level == 4
            and len(text) <= _GROUP_HEADING_CHARS
            and text[0].isupper()
            and (text[-1].isalpha() or text.endswith("m.m."))
        )


def _next_sections(listed: Sequence[MarkdownBlock], index: int) -> Iterator[str]:
    """Yield the signs of the undamaged §§ after `index` in the same chapter."""
    for block in listed[index + 1 :]:
        if block.kind == "heading" and CHAPTER.fullmatch(block.text):
            return
        if block.kind == "heading" and _SECTION.fullmatch(block.text):
            yield block.text


FORMAT = Format(NAME, "Statute in se-lex markdown", sniff, parse, VERSION)
