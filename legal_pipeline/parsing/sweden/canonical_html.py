"""Statutes, agency regulations and amending acts in the "legal-document" markup: `section.kapitel`, `a.paragraf`, `p.text`, and the
older `section.ann`, `div.N2`, `h3.paragraph` with `span.kapitel`. Not here: the Riksdag's own pages (`parsing.sweden.riksdagen_html`),
and the provisions that an amending act names (`parsing.sweden.amending_act`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.parsing.html5 import (
    block_text,
    classes,
    elements,
    flow,
    inline_text,
    leaf_lines,
    lines_of,
    list_kind,
    list_marker,
    prepare_inline,
    read_html,
    table_rows,
)
from legal_pipeline.parsing.sweden.amending_act import amending_metadata
from legal_pipeline.parsing.sweden.blocks import ACT_NUMBER, CHAPTER, Blocks
from legal_pipeline.parsing.sweden.identity import document_type, split_number
from legal_pipeline.parsing.sweden.work_identity import swedish_document
from legal_pipeline.parsing.sweden.writer import ALLMANT_RAD, StatuteWriter
from legal_pipeline.text.dates import commencement, first_date

NAME = "canonical_html"
VERSION = "3"

_ROOT = re.compile(r"<article\b[^>]*\bclass=\"(?:legal-document|sfs)\"[^>]*>")
_MARKS = re.compile(r"class=\"(?:lovhead|paragraf|kapitel-rubrik|kapitel|paragraph|element-body annzone|back)\"")
_HEADINGS = {"h2": 1, "h3": 1, "h4": 2, "h5": 3, "h6": 3}
_CHAPTER_ID = re.compile(r"_K(\d+)\s*([a-z]?)$", re.IGNORECASE)
_AGENCY_NUMBER = re.compile(r"[A-ZÅÄÖ]{2,8} \d{4}:\d+")
_AGENCY_MARK = re.compile(rf"\({_AGENCY_NUMBER.pattern}(?: ?[/,] ?{_AGENCY_NUMBER.pattern})*\)\.?")
_ISSUED = re.compile(r"(?:Utfärdad|beslutade?d?e?|meddelade?)\s+(?:den\s+)?(?P<date>\d{1,2} \w+ \d{4})", re.IGNORECASE)
#: The class of the sign of a §.
_SIGN = "paragraf"
_NAME = re.compile(r"[A-ZÅÄÖ][\w.’'-]*(?:[ -][A-ZÅÄÖa-zåäö][\w.’'-]*){1,4}")


def sniff(source: SourceFile) -> float:
    head = source.head
    if _ROOT.search(head):
        # One statute in five has no marked §.
        return CERTAIN if _MARKS.search(head) else LIKELY
    return LIKELY if '<a class="paragraf" id="' in head and 'class="text"' in head else NO


def parse(source: SourceFile) -> Document:
    """Parse the page. Raises `TruncatedDocumentError`, `ParseError` without a number, `EmptyDocumentError` without a body."""
    page = read_html(source)
    root = page.css_first("article") or page.body
    if root is None:
        raise EmptyDocumentError("no element", expected="<article class=legal-document>")
    footnotes = _take_footnotes(page)
    prepare_inline(page, source)
    number, title = _head(root, source)
    series, digits = number
    builder = DocumentBuilder()
    blocks = Blocks(StatuteWriter(builder))
    body = _Body(blocks, has_sections=page.css_first("h3.paragraph, a.paragraf") is not None)
    body.read(root)
    blocks.finish()
    for num, text in footnotes:
        builder.block(f"{num}) {text}" if num else text, "footnote", num)
    doc_type = document_type(title, series, digits)
    issued = _ISSUED.search(builder.text[:20_000])
    enacting = " ".join(body.opening)
    metadata = {
        "issued": first_date(issued["date"], "swe") if issued else None,
        "in_force": commencement(_own_transitional(builder, series, digits), "swe"),
        **(amending_metadata(title, enacting) if doc_type == "amendment" else {}),
    }
    return swedish_document(
        builder, source, series, digits, title=title, doc_type=doc_type, warnings=blocks.warnings, metadata=metadata
    )


def _own_transitional(builder: DocumentBuilder, series: str, digits: str) -> str:
    """Return the transitional provisions of the statute itself, without those of the acts that amended it."""
    text = builder.text
    for node in builder.nodes:
        if node.type == "transitional":
            acts = [child for child in node.children if child.type == "transitional"]
            own = [child for child in acts if (child.num or "").startswith((digits, f"{series} {digits}"))]
            if own or not acts:
                return " ".join(text[part.start : part.end] for part in own or [node])
    return ""


def _head(root: LexborNode, source: SourceFile) -> tuple[tuple[str, str], str]:
    """Return ((series, number), title) from `div.lovhead`, else from the id of the article and the first heading."""
    lines = [text for node in root.css("div.lovhead h1 p.text") if (text := inline_text(node))]
    if not lines and (heading := root.css_first("h1")) is not None:
        lines = lines_of(heading)
    numbered = split_number(lines[0]) if lines else None
    if numbered is None and (found := re.match(r"([A-ZÅÄÖ-]+?)(\d{4})-(\d+)", root.attributes.get("id") or "")):
        numbered = (found[1], f"{found[2]}:{found[3]}")
    if numbered is None:
        raise ParseError(
            "no number of the statute", position="div.lovhead h1", expected="a line such as SFS 1977:1160 or AFS 2023:1"
        )
    title = (
        lines[1]
        if len(lines) > 1
        else str(source.hints.get("title") or " ".join(lines) or f"{numbered[0]} {numbered[1]}")
    )
    return numbered, title


def _take_footnotes(page: LexborHTMLParser) -> list[tuple[str | None, str]]:
    """Return (number, text) of every footnote, in order, and remove the notes and their marks from the page."""
    notes: list[tuple[str | None, str]] = []
    for listing in page.css("dl.footnote-content"):
        num: str | None = None
        for part in elements(listing):
            if part.tag == "dt":
                num = inline_text(part).strip(" )") or None
            elif part.tag == "dd" and (text := block_text(part)):
                notes.append((num, text))
        listing.decompose()
    for mark in page.css("sup.footnote, sup.footnote-ref"):
        if text := (mark.attributes.get("title") or "").strip():
            notes.append((mark.attributes.get("data-note"), " ".join(text.split())))
        mark.decompose()
    return notes


class _Body:
    """Read the article from top to bottom into blocks."""

    def __init__(self, blocks: Blocks, *, has_sections: bool) -> None:
        self.blocks = blocks
        self.opening: list[str] = []
        self._before_sections = has_sections
        self._role: str | None = None
        self._schedule_title = False

    def read(self, root: LexborNode) -> None:
        for part in flow(root, _SIGN):
            if isinstance(part, list):
                self._lines(part)
            elif "lovhead" in classes(part):
                self._head(part)
            else:
                self._node(part)

    def _head(self, node: LexborNode) -> None:
        """Write the text in the head of the statute that is neither its number nor its title."""
        for part in flow(node):
            if isinstance(part, list):
                self._enacting(part)
            elif part.tag != "h1":
                self._enacting(leaf_lines(part))

    def _children(self, node: LexborNode) -> None:
        for part in flow(node, _SIGN):
            if isinstance(part, list):
                self._lines(part)
            else:
                self._node(part)

    def _lines(self, lines: list[str]) -> None:
        """Write text that is not inside a paragraph element."""
        if self._before_sections and not self.blocks.writer.builder.open_nodes:
            self._enacting(lines)
        else:
            self._texts(lines)

    def _node(self, node: LexborNode) -> None:
        tag, names = node.tag, classes(node)
        if names & {"toc", "chapter-toc", "sfstoc"} or tag == "nav":
            self._contents(node)
        elif (tag == "h3" and "paragraph" in names) or (tag == "a" and _SIGN in names):
            self._section(node)
        elif tag in _HEADINGS:
            self._heading(node, tag)
        elif "preamble" in names or "general-provisions-preamble" in names:
            self._enacting(leaf_lines(node))
        elif tag == "section" and "kapitel" in names:
            self._chapter(node)
        elif "allmanna-rad" in names:
            self._guidance(node)
        elif tag == "p":
            self._paragraph(node, names)
        elif tag in ("ol", "ul"):
            self._list(node)
        elif tag == "table":
            self._schedule_title = False
            self.blocks.table(table_rows(node))
        elif tag == "dl":
            self._definitions(node, names)
        else:
            self._children(node)

    # -- elements of an article --------------------------------------------------------------------------------------------

    def _enacting(self, lines: Iterable[str]) -> None:
        """Write the words before the provisions: who made the decision, when, and under which power."""
        for line in lines:
            if not self.blocks.writer.inside("preamble"):
                self.blocks.flush().preamble()
            self.opening.append(line)
            self.blocks.paragraph(line)

    def _section(self, node: LexborNode) -> None:
        chapter = node.css_first("span.kapitel")
        if chapter is not None:
            words = inline_text(chapter)
            chapter.decompose()
            if not self._is_in_chapter(words):
                self.blocks.heading(words)
        self._before_sections = self._schedule_title = False
        anchor = node.css_first("a.paragraf") if node.tag != "a" else None
        if sign := inline_text(anchor if anchor is not None else node):
            self.blocks.section(sign)
        if anchor is not None:
            anchor.decompose()
            self._texts(leaf_lines(node))

    def _is_in_chapter(self, words: str) -> bool:
        """Whether the chapter before a § sign ("2 kap.") is the open chapter; an amending act names its chapters only there."""
        named = CHAPTER.match(words)
        opened = [node.num for node in self.blocks.writer.builder.open_nodes if node.type == "chapter"]
        return bool(opened) and (named is None or " ".join(named["num"].split()) in opened)

    def _heading(self, node: LexborNode, tag: str) -> None:
        text = " ".join(lines_of(node))
        if not text:
            return
        self.blocks.flush().close_preamble()
        self.blocks.heading(text, _HEADINGS[tag])
        open_nodes = self.blocks.writer.builder.open_nodes
        self._schedule_title = bool(open_nodes) and open_nodes[-1].type == "schedule" and open_nodes[-1].heading is None

    def _chapter(self, node: LexborNode) -> None:
        """Write a chapter. Without a heading in the markup (amending acts), the number comes from its id: "2 kap." as in the print."""
        self.blocks.flush().close_preamble()
        if node.css_first(".kapitel-rubrik") is None:
            found = _CHAPTER_ID.search(node.attributes.get("id") or "")
            first = next(elements(node), None)
            own_heading = first is not None and first.tag in _HEADINGS and "paragraph" not in classes(first)
            if found and not own_heading:
                self.blocks.heading(f"{found[1]} {found[2]} kap.".replace("  ", " "))
        self._children(node)

    def _guidance(self, node: LexborNode) -> None:
        """Write allmänna råd (general guidance, not binding); their role distinguishes them from rules."""
        before, self._role = self._role, ALLMANT_RAD
        self._children(node)
        self.blocks.flush()
        self._role = before

    def _paragraph(self, node: LexborNode, names: frozenset[str]) -> None:
        text_lines = lines_of(node)
        if not text_lines:
            return
        whole = " ".join(text_lines)
        strong = [child.tag for child in elements(node)] == ["strong"] and whole == inline_text(next(elements(node)))
        if self.blocks.writer.inside("transitional"):
            if "sfs-number" in names or (ACT_NUMBER.fullmatch(whole) and (strong or not self._role)):
                self.blocks.act(whole)
                return
            if strong and _NAME.fullmatch(whole):
                self.blocks.flush().aside("signature", whole)
                return
        if _AGENCY_MARK.fullmatch(whole) and (section := self.blocks.writer.provision):
            # An agency's mark, `(NFS 2019:2 / NFS 2019:3)`, names the acts that amended the §.
            mark = self.blocks.flush().remark(whole)
            mark.amendments = tuple(Amendment(number, action="amended") for number in _AGENCY_NUMBER.findall(whole))
            section.amendments = (*section.amendments, *mark.amendments)
            return
        if self._schedule_title and strong:
            self.blocks.flush().subheading(whole)
        elif self._before_sections and not self.blocks.writer.builder.open_nodes:
            self._enacting(leaf_lines(node))
        else:
            self._texts(text_lines)
        self._schedule_title = False

    def _texts(self, lines: Iterable[str]) -> None:
        for line in lines:
            if self.blocks.writer.inside("preamble"):
                self.opening.append(line)
            self.blocks.paragraph(line, role=self._role)

    def _list(self, node: LexborNode) -> None:
        self._schedule_title = False
        kind = list_kind(node)
        start = node.attributes.get("start") or ""
        index = int(start) - 1 if start.isdigit() else 0
        for item in flow(node, _SIGN):
            if isinstance(item, list):
                self._lines(item)
                continue
            if item.tag != "li":
                self._node(item)
                continue
            value = item.attributes.get("value") or ""
            index = int(value) if value.isdigit() else index + 1
            self._item(item, list_marker(index, kind))

    def _item(self, item: LexborNode, mark: str) -> None:
        """Write an `li`: its first text carries the mark; further paragraphs and lists are inside it."""
        is_first = True
        for part in flow(item, _SIGN):
            if not isinstance(part, list) and part.tag not in ("p", "div"):
                # An unclosed list contains everything after it, including headings and §§.
                self._node(part)
                continue
            for line in part if isinstance(part, list) else leaf_lines(part):
                self.blocks.paragraph(line, role=self._role, marker=mark if is_first else None, continues=not is_first)
                is_first = False

    def _definitions(self, node: LexborNode, names: frozenset[str]) -> None:
        """Write terms with their meanings, one stycke each; in `dl.in-force` the term is the act and the meaning its provisions."""
        is_in_force = "in-force" in names
        term = ""
        for part in flow(node):
            if isinstance(part, list) or part.tag not in ("dt", "dd"):
                self._texts(filter(None, [term]))
                term = ""
                self._lines(part) if isinstance(part, list) else self._definitions(part, names)
            elif part.tag == "dt" and is_in_force:
                self.blocks.act(block_text(part))
            elif part.tag == "dt":
                self._texts(filter(None, [term]))
                term = block_text(part)
            elif not is_in_force:
                self._texts([f"{term} {block_text(part)}".strip()])
                term = ""
            elif part.css_first("p, ol, ul") is None:
                self._texts([block_text(part)])
            else:
                self._children(part)
        self._texts(filter(None, [term]))

    def _contents(self, node: LexborNode) -> None:
        if entries := list(leaf_lines(node)):
            self.blocks.flush().aside("toc", "\n".join(entries))


FORMAT = Format(NAME, "Statute, agency regulation or amending act in legal-document HTML", sniff, parse, VERSION)
