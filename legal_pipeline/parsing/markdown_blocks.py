"""Markdown as a flat sequence of blocks without their inline marks.

The subset of CommonMark and GitHub tables in legal texts. Not here: the meaning of a heading or a list (the parsers).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.parsing.blocks import bold_lead
from legal_pipeline.parsing.html5 import table_rows
from legal_pipeline.parsing.struck_numbers import kept_numbers
from legal_pipeline.text.markup import STRUCK, space_for_struck, with_decoded_references, with_raised_figures
from legal_pipeline.text.normalise import one_line, unwrap

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t\u00a0]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ITEM = re.compile(r"([ \t]*)(?:([-*+•–])|(\d{1,4}|[a-zåäöA-Z]|[ivxl]{2,6})([.)]))[ \t]+(?=\S)")
#: What programs write behind a heading as the name of its place: `## Fees {#fees .unnumbered}`.
_HEADING_NAME = re.compile(r"[ \t]*\{[ \t]*[#.][^{}]*\}[ \t]*$")
_HTML_TABLE = re.compile(r"[ \t]*<table\b", re.IGNORECASE)
_HTML_TABLE_END = re.compile(r"</table\s*>", re.IGNORECASE)
_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]\s]+)\]:[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{1,}:?[ \t]*(?:\|[ \t]*:?-{1,}:?[ \t]*)*\|?[ \t]*$")

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:[ \t]+\"[^\"]*\")?\)")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:[ \t]+\"[^\"]*\")?\)")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
# Each pattern stops at the next sign of its kind, so that a sign without a partner does not cause a search of the whole rest.
_CODE = re.compile(r"(`+)([^`]+)\1")
_STRONG = re.compile(r"\*\*(?=\S)((?:[^*]|\*(?!\*))+)(?<=\S)\*\*|__(?=\S)((?:[^_]|_(?!_))+)(?<=\S)__")
#: Strong words in italics: `***Fees:***`.
_STRONG_EMPHASIS = re.compile(r"(?<!\*)\*{3}(?=[^\s*])([^*]+)(?<=[^\s*])\*{3}(?!\*)")
#: Strong words with a space before the sign that ends them, which Markdown does not end there: `**Art. 8 ** Register`, `**Art. ****8**`.
_STRONG_TO_SPACE = re.compile(r"\*\*(?=\S)((?:[^*]|\*(?!\*))+?)(?<=\S)[ \t]+\*\*(?:[ \t]+|(?=\*\*\S)|(?=[^*]*\Z))")
#: The same with a space behind the sign that begins them: `**Art.**** 8**`.
_STRONG_FROM_SPACE = re.compile(r"(?<=\S)\*\*([ \t]+(?:[^*]|\*(?!\*))+)(?<=\S)\*\*")
#: Emphasised words next to others, of which the signs between look like one of strong words: `*Art. 8.**Duty on oil*`.
_EMPHASIS_TWICE = re.compile(r"(?<![*\w])\*(?=[^\s*])([^*]+[.:)])\*\*(?=[^\s*])([^*]+)(?<=\S)\*(?!\*)")
#: How deep strong words may lie in others, as they seem to in `**Art. 29 **and** 30**`.
_MOST_NESTED = 2
#: Words on both sides of the signs of strong words, long enough not to be the two halves of one word.
_LONG_WORD_FIRST, _LONG_WORD_LAST = re.compile(r"[^\W\d_]{5}"), re.compile(r"[^\W\d_]{5}\Z")
_SENTENCE_FIRST = re.compile(r"[^\W\d_a-zà-öø-ÿ][a-zà-öø-ÿ]")
_WORDS_BEGIN = re.compile(r"[§\w]")
_WORD_FIRST, _WORD_LAST = re.compile(r"[^\W\d_]{2}"), re.compile(r"[^\W\d_]{3}\Z")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?![\w_])"
)
#: The letters of an inserted provision in italics: `Art. 15*a*`. Emphasis is not searched inside words otherwise: `2*3*4` is a product.
_ITALIC_SUFFIX = re.compile(r"(?<=\d)\*([^\W\d_]{1,12})\*(?![\w*])")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>~])")
_FOOTNOTE_MARK = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_HTML_TAG = re.compile(
    r"</?(?:br|b|i|u|em|strong|ins|sub|sup|small|span|div|p|a|center|details|summary)\b[^<>]*>", re.IGNORECASE
)
#: A line that begins, and one that ends, with the tag of a paragraph: texts made from pages keep these, without blank lines between.
_PARAGRAPH_TAG = re.compile(r"\s*</?(?:p|div|center|details|summary)\b[^<>]*>", re.IGNORECASE)
_PARAGRAPH_END = re.compile(r"</(?:p|div|center|details|summary)\s*>\s*\Z", re.IGNORECASE)
#: Struck words within one paragraph; three tildes open a code block.
_STRUCK = re.compile(
    r"(?<!~)~~(?=[^\s~])(?P<words>(?:[^~\n]|~(?!~)|\n(?![ \t]*\n))+)(?<=\S)~~(?!~)"
    rf"|<(?P<tag>{'|'.join(sorted(STRUCK))})\b[^<>]*>(?P<marked>(?:[^<\n]|\n(?![ \t]*\n))*)</(?P=tag)\s*>",
    re.IGNORECASE,
)
#: A line, and the marks before its words.
_LINE = re.compile(r"(?P<mark>[ \t]*(?:#{1,6}[ \t]+|[-+*][ \t]+|\*\*)?)[^\n]+")
#: Maximum number of lines of a table row whose cells wrap.
_WRAPPED_LINES = 20
_INLINE = re.compile(r"[\[`*_\\<&]")
#: Minimum share of the lines with the mark of a quotation in a text that is indented as a whole.
_QUOTED_SHARE = 0.9


@dataclass(frozen=True)
class MarkdownBlock:
    """One block; `kind` is heading, paragraph, item, table, quotation, code or footnote.

    `text` is canonical (one line; for tables and code, one line per row). `level` is the heading's level or the item's depth from 0;
    `num` the item's number or the footnote's label; `marker` the item's own mark as in the text (`1.`, `a)`, `-`).
    `line` counts from 1; `links_only`: the raw text was one link into the same document; `bold`: a paragraph in bold; `lead`: its first
    words in bold, if others are not; `marks`: the labels of the footnotes that the text refers to.
    """

    kind: str
    text: str
    level: int = 0
    num: str | None = None
    marker: str = ""
    line: int = 1
    links_only: bool = False
    bold: bool = False
    lead: str = ""
    marks: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Return `text` without inline marks: links and images become their words, emphasis and code lose their signs, character references
    such as `&nbsp;` become characters."""
    if not _INLINE.search(text):
        return text
    text = _IMAGE.sub(_image_words, text)
    # Markdown has no links inside links, but generated texts have them: "[2 och [3 §](#k1.3)](#k1)".
    while (unwrapped := _LINK.sub(_link_words, text)) != text:
        text = unwrapped
    text = _FOOTNOTE_MARK.sub("", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = with_raised_figures(text)
    text = _HTML_TAG.sub(lambda match: " " if match.group()[1:3].lower() == "br" else "", text)
    text = _CODE.sub(r"\2", text)
    if "**" in text or "__" in text:
        text = without_strong_signs(_EMPHASIS_TWICE.sub(r"*\1* *\2*", text))
    text = _ITALIC_SUFFIX.sub(r"\1", text)
    text = _EMPHASIS.sub(lambda match: match.group(1) or match.group(2), text)
    return with_decoded_references(_ESCAPE.sub(r"\1", text)).strip()


def without_strong_signs(text: str) -> str:
    """Return `text` without the signs of strong words; signs inside a word or a number join its halves: `**Art. 1****0**`."""
    text = _STRONG_TO_SPACE.sub(r"\1 ", text)
    for _ in range(_MOST_NESTED):
        text = _STRONG.sub(_strong_words, text)
    return _STRONG_FROM_SPACE.sub(r"\1", text)


def _image_words(match: re.Match[str]) -> str:
    """Return the words of an image, apart from the words or the image next to it."""
    text, start, end = match.string, match.start(), match.end()
    is_glued_before = start > 0 and text[start - 1].isalnum()
    is_glued_after = text[end : end + 1].isalnum() or text[end : end + 1] == "!"
    return f"{' ' * is_glued_before}{match[1]}{' ' * is_glued_after}"


def _link_words(match: re.Match[str]) -> str:
    """Return the words of a link, apart from the words next to it: programs that export pages lose the spaces around links."""
    text, words = match.string, match[1]
    before, after = match.start() - 1, match.end()
    while before >= 0 and text[before] in "*_":
        before -= 1
    while after < len(text) and text[after] in "*_":
        after += 1
    bare = words.strip("*_")
    # "[§ 3](#3)a § 4" is not section 3a; "[note](#n)s" is one word, and "oil[1](#1)" has the mark of a note.
    is_citation = any(character.isdigit() for character in bare)
    is_mark = bare.isdigit() and before == match.start() - 1
    glued_before = before >= 0 and text[before].isalnum() and _WORDS_BEGIN.match(bare) is not None and not is_mark
    glued_after = after < len(text) and text[after].isalpha() and bare[-1:].isalnum()
    apart_before = glued_before and (is_citation or before < match.start() - 1)
    apart_after = glued_after and (is_citation or after > match.end())
    return f"{' ' * apart_before}{words}{' ' * apart_after}"


def _strong_words(match: re.Match[str]) -> str:
    """Return strong words, apart from the words on both sides of them: exports lose spaces there too. On one side they may be half of a
    compound."""
    words: str = match[1] or match[2]
    text, start, end = match.string, match.start(), match.end()
    is_long = _LONG_WORD_FIRST.match(words) is not None and _LONG_WORD_LAST.search(words[-20:]) is not None
    is_glued = (
        _WORD_LAST.search(text[max(start - 20, 0) : start]) is not None and _WORD_FIRST.match(text, end) is not None
    )
    # "**Art. 3**The boat": a capital and a small letter begin the text, a capital alone may be the letter of the number.
    is_number = words[-1] in "0123456789º°" and _SENTENCE_FIRST.match(text, end) is not None
    return f" {words} " if is_long and is_glued else f"{words} " if is_number else words


def without_struck(text: str, source: SourceFile) -> str:
    """Return `text` without its struck words, which are recorded in `source` for the document's list; line numbers do not change.

    The number of a struck provision is kept if the note of its repeal is not struck.
    """
    struck: list[str] = []
    kept = _kept_of_struck(text)

    def left(match: re.Match[str]) -> str:
        words = match["words"] or match["marked"] or ""
        if number := kept.get(match.start()):
            struck.append(one_line(plain(words)).removeprefix(number).lstrip())
            return f"{number} "
        struck.append(one_line(plain(words)))
        space = space_for_struck(
            text[max(match.start() - 1, 0) : match.start()], words, text[match.end() : match.end() + 1]
        )
        return "\n" * words.count("\n") or space

    text_left = _STRUCK.sub(left, text)
    source.memo[STRUCK_WORDS] = [words for words in struck if words]
    return text_left


def _kept_of_struck(text: str) -> dict[int, str]:
    """Return the offset of struck words at the beginning of a line -> the number in them that is kept."""
    if _STRUCK.search(text) is None:
        return {}
    lines = []
    for line in _LINE.finditer(text):
        match = _STRUCK.match(text, line.end("mark"), line.end())
        words = text[match.end() if match else line.end("mark") : line.end()]
        lines.append((line.end("mark"), (match["words"] or match["marked"] or "") if match else "", words))
    numbers = kept_numbers([(one_line(plain(struck)), plain(_STRUCK.sub("", words))) for _, struck, words in lines])
    return {start: number for (start, _, _), number in zip(lines, numbers, strict=True) if number}


def table_row(line: str) -> str:
    """Return a table row as canonical text: cells joined by ` | `, without the outer bars."""
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|"))
    if cells and not cells[-1].strip():
        cells.pop()
    return " | ".join(one_line(plain(cell)) for cell in cells).strip()


def markdown_blocks(text: str, first_line: int = 1) -> Iterator[MarkdownBlock]:
    """Yield the blocks of `text` that have words, in order. HTML comments and thematic breaks are left out, nothing else."""
    if "<!--" in text:
        text = _without_comments(text)
    has_marks = _FOOTNOTE_MARK.search(text) is not None
    lines = _without_indentation(text.split("\n"))
    index = 0
    while index < len(lines):
        if not lines[index].strip():
            index += 1
            continue
        start, at = index, first_line + index
        found, index = next(read for reader in _READERS if (read := reader(lines, index, at)) is not None)
        # a quotation without words may refer to a footnote
        blocks = [block for block in found if block.text or block.kind == "quotation"]
        if has_marks and blocks:
            marks = tuple(_FOOTNOTE_MARK.findall("\n".join(lines[start:index])))
            blocks[-1] = dataclasses.replace(blocks[-1], marks=marks)
        yield from blocks


def _without_indentation(lines: list[str]) -> list[str]:
    """Return `lines`; without the marks of a quotation if nearly all lines have one: a program wrote a text that is indented as a whole."""
    written = [line for line in lines if line.strip()]
    quoted = sum(line.startswith(">") for line in written)
    if quoted < _QUOTED_SHARE * len(written) or not written:
        return lines
    return [line.removeprefix(">").removeprefix(" ") if line.startswith(">") else line for line in lines]


def notes_in_place(blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return `blocks` with each footnote below the text that refers to it, before the next heading.

    A footnote to which no mark refers stays where it is, with its label. A heading is left out if all the text below it has moved.
    """
    labels = Counter(block.num for block in blocks if block.kind == "footnote")
    marked = {mark for block in blocks for mark in block.marks}
    waiting = {
        block.num: block
        for block in blocks
        if block.kind == "footnote" and block.num in marked and labels[block.num] == 1
    }
    moving = frozenset(waiting)
    found: list[MarkdownBlock] = []
    notes: list[MarkdownBlock] = []
    for index, block in enumerate(blocks):
        if block.kind == "footnote" and block.num in moving:
            continue
        if block.kind == "heading":
            found += notes
            notes = []
            if _heads_only_notes(blocks, index, moving):
                continue
        elif block.kind == "footnote":
            block = dataclasses.replace(block, text=f"{block.num} {block.text}")
        found.append(block)
        referring = [block]
        while referring:
            new = [waiting.pop(mark) for mark in referring.pop().marks if mark in waiting]
            notes += new
            referring += new
    return [*found, *notes, *waiting.values()]


def _heads_only_notes(blocks: Sequence[MarkdownBlock], index: int, moving: frozenset[str | None]) -> bool:
    """Whether below the heading at `index` there are footnotes with the labels `moving`, and nothing else."""
    end = index + 1
    while end < len(blocks) and blocks[end].kind == "footnote" and blocks[end].num in moving:
        end += 1
    return end > index + 1 and (end == len(blocks) or blocks[end].kind == "heading")


#: The blocks that begin at a line, and the index of the line after them.
_Read = tuple[list[MarkdownBlock], int]


def _code(lines: list[str], index: int, at: int) -> _Read | None:
    fence = _FENCE.match(lines[index])
    if fence is None:
        return None
    end = index + 1
    while end < len(lines) and not lines[end].strip().startswith(fence.group(1)):
        end += 1
    body = "\n".join(row.rstrip() for row in lines[index + 1 : end]).strip("\n")
    return [MarkdownBlock("code", body, line=at)], end + 1


def _heading(lines: list[str], index: int, at: int) -> _Read | None:
    heading = _HEADING.match(lines[index])
    if heading is None:
        return None
    words = one_line(plain(_HEADING_NAME.sub("", heading.group(2) or "")))
    return [MarkdownBlock("heading", words, len(heading.group(1)), line=at)], index + 1


def _table(lines: list[str], index: int, at: int) -> _Read | None:
    line, rule = lines[index], lines[index + 1] if index + 1 < len(lines) else ""
    if "|" not in line or "-" not in rule or not _TABLE_RULE.match(rule):
        return None
    rows = [table_row(line)]
    is_closed = line.rstrip().endswith("|")
    index += 2
    while index < len(lines) and "|" in lines[index]:
        whole, index = _whole_row(lines, index, is_closed)
        rows.append(table_row(whole))
    return [_table_of(rows, at)], index


def _html_table(lines: list[str], index: int, at: int) -> _Read | None:
    """Read a table that is written in HTML, up to the line with its end."""
    if not _HTML_TABLE.match(lines[index]):
        return None
    end = next((place for place in range(index, len(lines)) if _HTML_TABLE_END.search(lines[place])), None)
    if end is None:
        return None
    table = LexborHTMLParser("\n".join(lines[index : end + 1])).css_first("table")
    rows = [" | ".join(plain(cell) for cell in row) for row in table_rows(table)] if table is not None else []
    return [_table_of(rows, at)], end + 1


def _table_of(rows: Sequence[str], at: int) -> MarkdownBlock:
    return MarkdownBlock("table", "\n".join(row for row in rows if row.replace("|", "").strip()), line=at)


def _thematic_break(lines: list[str], index: int, at: int) -> _Read | None:
    return ([], index + 1) if _RULE.match(lines[index]) else None


def _quotation(lines: list[str], index: int, at: int) -> _Read | None:
    end = index
    while end < len(lines) and lines[end].lstrip().startswith(">"):
        end += 1
    if end == index:
        return None
    rows = (row.lstrip()[1:] for row in lines[index:end])
    parts = [list(part) for has_words, part in itertools.groupby(rows, lambda row: bool(row.strip())) if has_words]
    return [MarkdownBlock("quotation", plain(unwrap(part)[0]), line=at) for part in parts], end


def _footnote(lines: list[str], index: int, at: int) -> _Read | None:
    note = _FOOTNOTE.match(lines[index])
    if note is None:
        return None
    rows, end = _paragraph(lines, index)
    rows[0] = rows[0][note.end() :]
    if not rows[0].strip() and len(rows) > 1 and not rows[1][:1].isspace():
        return [], index + 1  # an empty note: the next line is the next paragraph
    return [MarkdownBlock("footnote", plain(unwrap(rows)[0]), num=note.group(1), line=at)], end


def _item(lines: list[str], index: int, at: int) -> _Read | None:
    line = lines[index]
    item = _ITEM.match(line)
    if item is None:
        return None
    rows, end = _paragraph(lines, index, in_list=True)
    raw = line[item.end() :].strip()
    rows[0] = line[item.end() :]
    words = plain(unwrap(rows)[0])
    depth = len(item.group(1).expandtabs(4)) // 2
    marker = item.group(2) or f"{item.group(3)}{item.group(4)}"
    links_only = len(rows) == 1 and bool(re.fullmatch(r"\[[^\]]*\]\(#[^)]*\)", raw))
    return [MarkdownBlock("item", words, depth, item.group(3), marker, at, links_only)], end


def _running_text(lines: list[str], index: int, at: int) -> _Read:
    rows, end = _paragraph(lines, index)
    underline = _SETEXT.match(lines[end]) if end < len(lines) else None
    words = one_line(plain(unwrap(rows)[0]))
    if underline and words:
        return [MarkdownBlock("heading", words, 1 if underline.group(1)[0] == "=" else 2, line=at)], end + 1
    parts = _by_weight("\n".join(rows).rstrip()) if "**" in rows[0] or "__" in rows[0] else []
    is_bold = len(rows) == 1 and bool(parts) and parts[0][1] and parts[-1][1]
    return [MarkdownBlock("paragraph", words, line=at, bold=is_bold, lead=bold_lead(parts))], end


def _by_weight(text: str) -> list[tuple[str, bool]]:
    """Return the plain words of `text` in parts, each with whether it is in bold."""
    parts, end = list[tuple[str, bool]](), 0
    text = _STRONG_EMPHASIS.sub(r"**\1**", text)
    for strong in _STRONG.finditer(text):
        parts += [(plain(text[end : strong.start()]), False), (plain(strong.group()), True)]
        end = strong.end()
    return [part for part in [*parts, (plain(text[end:]), False)] if part[0]]


#: Tried in this order; the last reader accepts any line.
_READERS = (_code, _heading, _table, _html_table, _thematic_break, _quotation, _footnote, _item, _running_text)


def _whole_row(lines: list[str], index: int, is_closed: bool) -> tuple[str, int]:
    """Return the table row at `index` and the index after it.

    If rows end with a bar (`is_closed`), a row without a bar at its end continues on the lines up to the next bar at a line end.
    """
    if is_closed and not lines[index].rstrip().endswith("|"):
        for end in range(index + 1, min(index + _WRAPPED_LINES, len(lines))):
            if not lines[end].strip() or lines[end].lstrip().startswith("|"):
                break
            if lines[end].rstrip().endswith("|"):
                return " ".join(line.strip() for line in lines[index : end + 1]), end + 1
    return lines[index], index + 1


def _without_comments(text: str) -> str:
    """Return `text` without HTML comments, with unchanged line numbers; a comment that is never closed stays as text."""
    parts: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += (text[position:start], "\n" * text.count("\n", start, end))
        position = end + 3
    return "".join([*parts, text[position:]])


def _paragraph(lines: list[str], index: int, *, in_list: bool = False) -> tuple[list[str], int]:
    """Return the lines of the paragraph at `index`, and the index of the line after them."""
    end = index + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip() or _HEADING.match(line) or _FENCE.match(line) or line.lstrip().startswith(">"):
            break
        if _SETEXT.match(line) or _RULE.match(line) or _FOOTNOTE.match(line):
            break
        if _PARAGRAPH_TAG.match(line) or _PARAGRAPH_END.search(lines[end - 1]):
            break
        if (item := _ITEM.match(line)) and (
            in_list or item.group(2) in ("-", "*", "+", "•") or item.group(3) in ("1", "a")
        ):
            break
        end += 1
    return lines[index:end], end
