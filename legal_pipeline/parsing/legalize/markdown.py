"""Legalize markdown: one consolidated statute; its divisions and articles are marked by headings or only by their words.

An article that occurs twice (the publisher left an older wording in the file) is kept twice, each with its own eid.
Not here: the words of a country (`legalize.vocabulary`).
"""

from __future__ import annotations

import re
from collections import defaultdict

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.model.identity import assign_eids, document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.front_matter import FrontMatter, has_front_matter, read_front_matter
from legal_pipeline.parsing.generic.identity import iso_date
from legal_pipeline.parsing.legalize.vocabulary import Vocabulary, countries, plain, vocabulary
from legal_pipeline.text.normalise import unwrap

NAME = "legalize_markdown"
VERSION = "7"

_KEYS = ("identifier", "country", "rank")
_HEADING = r"#{1,6}[^\S\n]+\S[^\n]*"
#: A heading, or a run of lines between blank lines and headings.
_BLOCK = re.compile(rf"{_HEADING}|[^\n]*\S[^\n]*(?:\n(?!{_HEADING})[^\n]*\S[^\n]*)*")
_SHORT_HEADING = re.compile(r"(?:#{1,6}\s+\S.*|\*\*[^*]+\*\*)")
_QUOTED = re.compile(r"«[^»]*(?:»[^»«]{0,3})?")


def sniff(source: SourceFile) -> float:
    """Certain when the front matter has the keys of this format and names a country with a vocabulary."""
    if not has_front_matter(source.head):
        return NO
    try:
        front = read_front_matter(source.head)
    except ParseError:
        return NO
    if not all(front.text(key) for key in _KEYS):
        return NO
    return CERTAIN if (front.text("country") or "").lower() in countries() else NEAR


def parse(source: SourceFile) -> Document:
    """Parse the file. Raises `ParseError` for a country without vocabulary, `EmptyDocumentError` for front matter without a text."""
    text = source.text
    front = read_front_matter(text)
    country = (front.text("country") or "").lower()
    words = vocabulary(country)
    identifier = front.text("identifier")
    if words is None or identifier is None:
        raise ParseError(
            f"front matter with country {country!r} and identifier {identifier!r}",
            position="front matter",
            expected=f"an identifier and one of the countries {', '.join(countries())}",
        )
    writer = _Writer(words)
    for block in _BLOCK.finditer(text, front.end):
        writer.add(block.group(), block.start())
    if not writer.builder.position:
        raise EmptyDocumentError("no text below the front matter", expected="articles")
    return _document(source, writer, front, words, identifier)


def _document(source: SourceFile, writer: _Writer, front: FrontMatter, words: Vocabulary, identifier: str) -> Document:
    rank = front.text("rank") or ""
    published = front.text("publication_date") or ""
    kind = slug(rank).removesuffix(f"-{words.jurisdiction}") or "act"
    address = [words.jurisdiction, "act", kind, iso_date(published), slug(identifier)]
    writer.builder.close_to(0)
    repeated = name_wordings(writer.builder.nodes)
    warning = f"{len(repeated)} provisions have more than one wording: {', '.join(repeated[:10])}"
    title = front.text("title") or identifier
    return writer.builder.document(
        source,
        document_id=document_id(words.jurisdiction, identifier),
        work_uri="/".join(("/akn", *filter(None, address))),
        title=title,
        number=identifier,
        jurisdiction=words.jurisdiction,
        doc_type=words.ranks.get(rank, "act"),
        language=words.language,
        as_of_date=iso_date(front.text("last_updated")) or source.hints.get("as_of_date"),
        metadata={
            "rank": rank or None,
            "status": front.text("status"),
            "date_published": published or None,
            "date_enacted": iso_date(front.text("enactment_date")),
            "canonical_citation": title,
            "source_url": front.text("source"),
        },
        warnings=[warning] if repeated else [],
    )


class _Writer:
    """Feed the builder block by block; `_ranks` are the levels of the open divisions, `_items` the depths of the open items."""

    def __init__(self, words: Vocabulary) -> None:
        self.builder = DocumentBuilder()
        self._words = words
        self._ranks: list[int] = []
        self._provision: Node | None = None
        self._subsections = 0
        self._items: list[int] = []

    def add(self, block: str, offset: int) -> None:
        lines = block.split("\n")
        if len(lines) == 1 and self._add_label(block, offset):
            return
        if all(line.lstrip().startswith("|") for line in lines):
            self._add_table(lines)
            return
        for line in lines:
            self._add_line(line, offset)
            offset += len(line) + 1

    def _add_label(self, line: str, offset: int) -> bool:
        """Write a heading (title, division, provision or sub-heading inside a provision); return False for other lines."""
        text, pairs = unwrap([plain(line)], [offset + line.find(plain(line)[:1])])
        is_title, is_bold = line.startswith("# "), line.strip().startswith("**")
        if is_title:
            self._close_provision()
        elif not is_bold and (label := self._words.level(text)):
            self._close_provision()
            while self._ranks and self._ranks[-1] >= label.rank:
                self._ranks.pop()
                self.builder.close()
            self.builder.open(label.type, label.num, label.heading)
            self._ranks.append(label.rank)
        elif not is_bold and (label := self._words.provision(text)):
            self._close_provision()
            self._provision = self.builder.open(label.type, label.num, label.heading)
        elif _SHORT_HEADING.fullmatch(line.strip()) and len(text) < 300:
            self._close_items()
        else:
            return False
        self.builder.heading(text, offsets=pairs, attributes={"level": 1} if is_title else {})
        return True

    def _close_provision(self) -> None:
        self.builder.close_to(len(self._ranks))
        self._provision, self._subsections, self._items = None, 0, []

    def _close_items(self) -> None:
        self.builder.close_to(len(self._ranks) + (self._provision is not None))
        self._items = []

    def _add_line(self, line: str, offset: int) -> None:
        """Write one alinéa: a subsection, an item under the subsection above it, or a quotation of another text."""
        text, pairs = unwrap([line], [offset])
        if not text:
            return
        if self._provision is None or _QUOTED.fullmatch(text):
            self.builder.block(text, "block" if self._provision is None else "quotation", offsets=pairs)
            return
        for depth, pattern in enumerate(self._words.items):
            if match := pattern.match(text):
                while self._items and self._items[-1] >= depth:
                    self._items.pop()
                    self.builder.close()
                num = match.groupdict().get("num")
                self.builder.open("item", num.replace("°", "").strip() if num else None)
                self._items.append(depth)
                self.builder.add(text, offsets=pairs)
                return
        self._close_items()
        if self._words.paragraphs is None:
            self._subsections += 1
            self.builder.open("subsection", str(self._subsections))
        elif (match := self._words.paragraphs.match(text)) and match["num"] is not None:
            self.builder.open("subsection", match["num"])
        self.builder.add(text, offsets=pairs)

    def _add_table(self, lines: list[str]) -> None:
        self._close_items()
        rows = [" | ".join(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
        rows = [row for row in rows if row.strip(" |-:")]
        if rows:
            self.builder.block("\n".join(rows), "table")


def name_wordings(nodes: list[Node]) -> list[str]:
    """Give provisions that occur more than once under one parent separate eids that cannot be confused with another number.

    `L11-1` twice gives `art_l11-1` and `art_l11-1.2`: with a hyphen the second would read as the number L11-1-2. Returns the
    repeated numbers; `attributes` hold `wording` and `wordings`.
    """
    repeated: list[str] = []
    renamed: list[tuple[Node, str]] = []

    def visit(siblings: list[Node]) -> None:
        by_number: dict[tuple[str, str], list[Node]] = defaultdict(list)
        for node in siblings:
            if node.num and node.type in ("article", "section", "preamble", "schedule"):
                by_number[node.type, node.num].append(node)
            visit(node.children)
        for (_, number), wordings in by_number.items():
            if len(wordings) > 1:
                repeated.append(number)
                for index, node in enumerate(wordings, 1):
                    node.attributes |= {"wording": index, "wordings": len(wordings)}
                    if index > 1:
                        renamed.append((node, number))
                        node.num = f"{number}.{index}"

    visit(nodes)
    assign_eids(nodes)
    for node, number in renamed:
        node.num = number
    return repeated


FORMAT = Format(NAME, "Legalize markdown of civil-law statutes", sniff, parse, VERSION)
