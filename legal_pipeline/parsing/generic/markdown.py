"""Markdown of any origin: a law that the recogniser finds, otherwise headings become structure and everything else blocks.

Not here: markdown in which a publisher marks provisions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.parsing.blocks import ASIDE_TYPES
from legal_pipeline.parsing.front_matter import has_front_matter, read_front_matter, with_definitions
from legal_pipeline.parsing.generic.judgment import recognise_judgment
from legal_pipeline.parsing.generic.law import law_document, recognise_law, text_document
from legal_pipeline.parsing.generic.plain_text import is_plain_text
from legal_pipeline.parsing.generic.stated import stated_facts, stated_metadata
from legal_pipeline.parsing.generic.stated_provision import provision_document
from legal_pipeline.parsing.generic.titles import lacks_subject, without_gazette
from legal_pipeline.parsing.markdown_blocks import MarkdownBlock, markdown_blocks, notes_in_place, without_struck
from legal_pipeline.parsing.readers.markdown import blocks_of_markdown
from legal_pipeline.parsing.recogniser.recognise import VERSION as RECOGNISER

NAME = "markdown"
VERSION = f"16.{RECOGNISER}"

#: In a wrapped plain text "# 7125-16, as amended" is the number of a by-law, and not a heading.
_MARKS = re.compile(
    r"^(?: {0,3}#{1,6}[ \t]+(?!\d+-\d+, )\S|[*+] .*\n[*+] |\|.*\|[ \t]*\n\|?[ \t]*:?-+:?[ \t]*\|)", re.MULTILINE
)
#: Lists with dashes, which plain texts have too.
_DASHES = re.compile(r"^- .*\n- ", re.MULTILINE)
#: Strong words at the beginning of a line, and quoted lines: a file named as markdown may have no other syntax.
_STRONG = re.compile(r"^ {0,3}(?:\*\*|__)[^\s*_][^\n]*?(?:\*\*|__)", re.MULTILINE)
_QUOTED = re.compile(r"^> [^\n]*\n>", re.MULTILINE)
#: Headings and strong words that a program escaped; a file with at least so many of them, and no others, is read without backslashes.
_ESCAPED, _FEWEST_ESCAPED = re.compile(r"^(?:(?:\\#)+ |(?:\\\*){2})\S", re.MULTILINE), 3
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
#: Markdown may contain single HTML elements; a file with one of these tags is an HTML or XML document.
#: Not "<?xml:namespace", which pages made by Word leave inside texts.
_PAGE = re.compile(r"<(?:(?:!doctype|html|body)\b|\?xml\s)", re.IGNORECASE)
_INLINE_HTML = re.compile(r"<[^<>\n]*>")
_CONTAINER = re.compile(r"</?(?:div|section|article|span)\b[^<>]*>", re.IGNORECASE)
_NAMES = (".md", ".markdown")
#: A heading that names its kind and number: "Part II Penalties", "Kapitel 3", "2 kap. Beslut".
_LABEL = re.compile(
    r"(?:(?P<word>part|del|chapter|kapitel|avdelning|division)\s+(?P<num>\d+[a-z]?|[ivxlc]+|[a-z])\b|(?P<kap>\d+(?:\s?[a-z])?)\s+kap\.)"
    r"[\s.:–-]*",
    re.IGNORECASE,
)
_LABEL_TYPES = {"part": "part", "del": "part", "avdelning": "division", "division": "division"}
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.)]?\s+(?=\S)")
_CONTENTS = re.compile(r"(?:table of )?contents|innehåll(?:sförteckning)?|inhalt|sommaire", re.IGNORECASE)


def sniff(source: SourceFile) -> float:
    """Return at most `POSSIBLE`: a specific format that looks like markdown takes precedence."""
    head = _unescaped(source.head)
    if keeps_containers(source):
        return POSSIBLE
    if head.lstrip().startswith("<") or _PAGE.search(head) or not is_plain_text(_INLINE_HTML.sub("", head)):
        return NO
    is_marked = has_front_matter(head) or _MARKS.search(head) is not None
    is_named = source.name.lower().endswith(_NAMES) and any(marks.search(head) for marks in (_STRONG, _QUOTED, _DASHES))
    return POSSIBLE if is_marked or is_named else NO


def _unescaped(text: str) -> str:
    """Return `text` without the backslashes of a program that escaped all marks of a file: "\\#\\# Lamps", "\\*\\*Article 1\\*\\*"."""
    is_escaped = len(_ESCAPED.findall(text)) >= _FEWEST_ESCAPED and not (_MARKS.search(text) or _STRONG.search(text))
    return _ESCAPE.sub(r"\1", text) if is_escaped else text


def keeps_containers(source: SourceFile) -> bool:
    """Whether the file is named as markdown, has its syntax, and begins with tags of the HTML page that it was made from: `div`, `section`,
    `article`, `span`, or a table."""
    head = source.head
    if not source.name.lower().endswith(_NAMES) or not head.lstrip().startswith("<") or _PAGE.search(head):
        return False
    is_marked = _MARKS.search(head) is not None or _STRONG.search(head) is not None
    return is_marked and is_plain_text(_INLINE_HTML.sub("", _CONTAINER.sub("", head)).lstrip())


def structure_levels(levels: Sequence[int]) -> dict[int, str]:
    """Return the node type of each heading level: the two outermost levels are structure, the others stay headings.

    >>> structure_levels([2, 3, 3, 4])
    {2: 'chapter', 3: 'subchapter'}
    """
    return dict(zip(sorted(set(levels)), ("chapter", "subchapter"), strict=False))


def parse(source: SourceFile) -> Document:
    """Return a law, or text under headings. Raises `EmptyDocumentError` for a file without text or with front matter only."""
    text = _unescaped(source.text)
    front = with_definitions(read_front_matter(text), text)
    first_line = text.count("\n", 0, front.end) + 1
    body = without_struck(text[front.end :], source)
    blocks = notes_in_place(list(markdown_blocks(body, first_line)))
    if not blocks:
        raise EmptyDocumentError(
            "no text below the front matter" if front.values else "no text",
            expected="at least one heading or paragraph",
        )
    said = stated_facts(source, front)
    stated_type = front.text("doc_type", "document_type") or source.hints.get("doc_type")
    as_stated = {**said, "doc_type": stated_type, "rank": said["doc_type"]}
    read = blocks_of_markdown(blocks)
    if (judgment := recognise_judgment(source, read, as_stated, stated_metadata(front))) is not None:
        return judgment
    recognition = recognise_law(read, as_stated)
    if (provision := provision_document(source, front, read, recognition, said, stated_metadata(front))) is not None:
        return provision
    if recognition.builder is not None:
        code = recognition.language or UNDETERMINED
        stated = said["title"] or ""
        named = without_gazette(stated, code)
        # a number alone is not the title: the subject may be printed
        is_number = named != stated and lacks_subject(named, code)
        said = {**said, "title": None if is_number else named}
        return law_document(source, recognition, said, stated_metadata(front), named)
    headings = [block for block in blocks if block.kind == "heading"]
    levels = [block.level for block in headings]
    builder = DocumentBuilder()
    if blocks[0].kind == "heading" and levels.count(levels[0]) == 1 and levels[0] == min(levels):
        builder.heading(blocks[0].text, attributes={"level": levels[0]})
        blocks, levels = blocks[1:], levels[1:]
    _write(builder, blocks, structure_levels(levels))
    title = headings[0].text if headings else None
    return text_document(source, builder, said, recognition, title, stated_metadata(front))


def _write(builder: DocumentBuilder, blocks: Sequence[MarkdownBlock], levels: Mapping[int, str]) -> None:
    open_levels: list[int] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        index += 1
        if block.kind == "heading":
            while open_levels and open_levels[-1] >= block.level:
                open_levels.pop()
                builder.close()
            items = _items_from(blocks, index)
            if _CONTENTS.fullmatch(block.text) and items and all(item.links_only for item in items):
                with builder.node("toc", heading=block.text):
                    builder.heading(block.text, attributes={"level": block.level})
                    _add_list(builder, items)
                index += len(items)
            elif block.level in levels:
                _open_structure(builder, block, levels[block.level])
                open_levels.append(block.level)
            else:
                builder.heading(block.text, attributes={"level": block.level})
        elif block.kind == "item":
            items = _items_from(blocks, index - 1)
            is_contents = len(items) > 1 and all(item.links_only for item in items)
            with builder.node("toc" if is_contents else "block"):
                _add_list(builder, items)
            index += len(items) - 1
        else:
            builder.block(block.text, ASIDE_TYPES.get(block.kind, "block"), block.num)


def _open_structure(builder: DocumentBuilder, block: MarkdownBlock, kind: str) -> None:
    num, name = None, block.text
    if label := _LABEL.match(block.text):
        kind = _LABEL_TYPES.get((label["word"] or "").lower(), "chapter")
        num, name = label["num"] or label["kap"], block.text[label.end() :] or block.text
    elif number := _NUMBERED.match(block.text):
        num, name = number.group(1), block.text[number.end() :]
    builder.open(kind, num, name, attributes={"level": block.level})
    builder.heading(block.text, attributes={"level": block.level})


def _items_from(blocks: Sequence[MarkdownBlock], index: int) -> list[MarkdownBlock]:
    """Return the items of the list that begins at `index`. At the outermost level, 1 or `a` begins another list."""
    items: list[MarkdownBlock] = []
    for position in range(
        index, len(blocks)
    ):  # no slice: in a text with a heading on every line it would copy the rest for each heading
        block = blocks[position]
        if block.kind != "item" or (items and block.level == items[0].level and block.num in ("1", "a")):
            break
        items.append(block)
    return items


def _add_list(builder: DocumentBuilder, items: Sequence[MarkdownBlock]) -> None:
    """Add one line per item; the node of an inner item is inside the node of its outer item."""
    outermost = builder.depth
    levels: list[int] = []
    for position, item in enumerate(items):
        while levels and levels[-1] >= item.level:
            levels.pop()
        builder.close_to(outermost + len(levels))
        builder.open("item", item.num)
        levels.append(item.level)
        mark = "-" if item.num is None else item.marker
        builder.add(f"{mark} {item.text}", separator="\n" if position else "\n\n")
    builder.close_to(outermost)


FORMAT = Format(NAME, "Markdown with or without YAML front matter", sniff, parse, VERSION)
