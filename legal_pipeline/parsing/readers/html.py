"""Reads an HTML page of any origin into blocks, as a browser would show it.

Tags never become text; elements that a browser hides are left out. Not here: finding page furniture (`readers.furniture`), and pages
with a profile for their markup (`parsing.profiles`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import LimitExceededError
from legal_pipeline.parsing.blocks import Block, bold_lead, noted_column, numbered_rows
from legal_pipeline.parsing.html5 import (
    INLINE,
    LINE_BREAK,
    canonical_line,
    elements,
    list_kind,
    list_marker,
    raise_figures,
    read_loose_html,
    table_rows,
    take_struck_from_page,
)
from legal_pipeline.parsing.readers.page_styles import Styles, style_of, styles_of_classes

_UNSEEN = frozenset({"head", "script", "style", "template", "title", "noscript", "iframe", "object", "svg", "select", "option", "input",
                     "textarea"})  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: Elements that contain navigation, forms and the frame of a site. One that contains most of the page is not apart: some sites put the
#: whole page into a form.
_APART = frozenset({"nav", "aside", "form", "button", "menu", "dialog", "footer"})
_APART_ROLES = frozenset(
    {"navigation", "search", "banner", "contentinfo", "complementary", "menu", "dialog", "alertdialog", "button"}
)
#: Words in the class or the id of an element that programs of web sites give to their menus.
_MENU_NAMES = frozenset(
    {"nav", "navbar", "globalnav", "subnav", "topnav", "navigation", "menu", "submenu", "breadcrumb", "breadcrumbs", "crumbs", "toolbar",
     "toolbox", "langbar", "printbar", "skip", "skipnav", "skiplink", "skiplinks", "accesskeys", "cookie", "cookies", "cookiebar"}
)  # fmt: skip
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MOST = 0.5
#: A larger share of the page is not a menu.
_MENU_SHARE = 0.2
#: Classes of what only screen readers speak: the number of a provision in words, in addition to its figures.
_SPOKEN = frozenset(
    {"sr-only", "sronly", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "screenreader", "screen-reader",
     "onlyscreenreader", "only-screenreader", "element-invisible"}
)  # fmt: skip
_SPOKEN_WORDS = 15
#: The mark of a note on an amendment: "F3", "C12".
_LETTERED_MARK = re.compile(r"[A-Z]\d{1,4}")
#: Elements of such marks: raised, or links to a note. A link to a schedule ("Schedule B1") is text.
_MARKS = "sup, a[href^='#'][href*='note'], a[href^='#'][href*='comment']"
#: Name in `SourceFile.memo` of the texts that only screen readers speak, and of the marks of notes.
BESIDE_TEXT = "words beside the text of the page"
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ALIGNED = re.compile(r"text-align\s*:\s*(?P<side>\w+)", re.IGNORECASE)
_FOOTNOTE = re.compile(r"foot-?note|fussnote|endnote", re.IGNORECASE)
#: "1.", "(a)", "§ 3"; "PART 1" as the whole block.
_STARTS_NUMBERED = re.compile(r"\(?\w{1,5}[.)]|[-–—•*§]|[^\W\d_]{3,}\.?\s(?:\d{1,4}[A-Z]?|[IVXLC]+)\Z")
#: The number of an item in an element of its own: "(1)", "4a.".
_NUMBER_ALONE = re.compile(r"\(?\w{1,5}[.)]")
#: A number in an element of its own at the beginning of a line, before a letter or before a word with a capital: pages set such numbers
#: apart by a style ("4A." "Fees", "(a)" "the owner", "§ 5" "Fees").
_STOPPED_APART = re.compile(r"\s*\(?(?:\d{1,4}[A-Za-z]{0,2}|[a-z]{1,4}|[A-Z])[.)]")
_PLAIN_APART = re.compile(r"\s*(?:§+\s?|[^\W\d_]{1,12}\.?\s)?\d{1,4}[A-Za-z]{0,2}")
#: A word in capitals, "SCHEDULE", before one with a capital, "Lamps to be lit".
_CAPITALS_APART = re.compile(r"\s*[^\W\d_a-z]{4,}")
_WORD_WITH_CAPITAL = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]{2}")
#: Number of characters that contain the head of a page.
_HEAD_CHARS = 100_000
_OWN_ADDRESS = (
    "link[rel='canonical'], meta[property='og:url'], meta[name='DC.identifier' i], meta[name='dcterms.identifier' i]"
)
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{4}\)(?P<address>\S+) -->")
#: Name in `SourceFile.memo` of the page without struck words and with raised digits.
_AS_READ = "page as read"
#: Name in `SourceFile.memo` of the parsed head of the page.
_HEAD = "page head"
#: Level of the headings that marginal notes in a table become.
_NOTE_LEVEL = 6
#: A cell with more characters than this contains page text, not a value.
_CELL_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a page; `apart`: it is in navigation, a form or the frame of the site. `shown`: its text without a generated list
    marker, which the source does not contain. `in_menu`: it is in an element of navigation, or named as a menu; `linked`: at least half
    of its words are links, or it is only an image."""

    block: Block
    apart: bool
    shown: str
    in_menu: bool = False
    linked: bool = False


@dataclass(slots=True)
class _Place:
    """Properties that a block inherits from the elements around it; `styles` are those of the page's classes."""

    styles: Styles = field(default_factory=dict)
    #: Number of characters of the page.
    size: int = 0

    level: int = 0
    depth: int = 0
    marker: str = ""
    bold: bool = False
    italic: bool = False
    centred: bool = False
    apart: bool = False
    in_menu: bool = False
    footnote: bool = False
    quoted: bool = False


@dataclass(slots=True)
class _Line:
    """Text collected for one block: parts as (text, bold, italic, linked). `styles`: of the page's classes. `in_links`: number of
    characters of the links to any place, and of images."""

    styles: Styles
    parts: list[tuple[str, bool, bool, bool]] = field(default_factory=list)
    in_links: int = 0

    @property
    def is_linked(self) -> bool:
        return 2 * self.in_links >= sum(_size(text) for text, _, _, _ in self.parts) > 0


def page_blocks(source: SourceFile) -> list[PageBlock]:
    """Return the blocks of the page in order.

    Raises `TruncatedDocumentError` for a page that ends inside a tag, `LimitExceededError` for elements nested too deeply.
    """
    page = read_loose_html(source.text)
    if page.body is None:
        return []
    take_struck_from_page(page, source)
    source.memo[BESIDE_TEXT] = [*_take_spoken(page), *_take_marks(page)]
    if raise_figures(page) or source.memo[STRUCK_WORDS] or source.memo[BESIDE_TEXT]:
        source.memo[_AS_READ] = page.html
    place = _Place(styles_of_classes(page), _size(page.body.text(deep=True)))
    found = list(_walk(page.body, place, source, 0))
    if not _is_centred(found):
        return found
    return [dataclasses.replace(item, block=dataclasses.replace(item.block, centred=False)) for item in found]


def _take_spoken(page: LexborHTMLParser) -> list[str]:
    """Remove what only screen readers speak from `page`; return the texts."""
    spoken = []
    for node in page.css("[class]"):
        named = (node.attributes.get("class") or "").casefold().split()
        text = canonical_line(node.text(deep=True) or "") if not _SPOKEN.isdisjoint(named) else ""
        if text and len(text.split()) <= _SPOKEN_WORDS:
            spoken.append(text)
            node.decompose()
    return spoken


def _size(text: str) -> int:
    return sum(map(len, text.split()))


def _is_centred(found: Sequence[PageBlock]) -> bool:
    """Whether most of the text is centred: then it is the style of the page, and not that of headings."""
    sizes = [(len(item.block.text), item.block.centred) for item in found]
    return 2 * sum(size for size, is_centred in sizes if is_centred) > sum(size for size, _ in sizes)


def page_as_read(source: SourceFile) -> str:
    """Return the HTML of a page without struck words and with raised digits. Call it after `page_blocks`."""
    return str(source.memo.get(_AS_READ) or source.text)


def page_title(source: SourceFile) -> str | None:
    """Return the `title` of the page, None if it has none."""
    node = _head(source).css_first("title")
    return (canonical_line(node.text(deep=True) or "") or None) if node is not None else None


def page_addresses(source: SourceFile) -> list[str]:
    """Return the addresses that the page states as its own: in its head, and where browsers write them into saved pages."""
    stated = [
        node.attributes.get("href") or node.attributes.get("content") or "" for node in _head(source).css(_OWN_ADDRESS)
    ]
    return [*stated, *(match["address"] for match in _SAVED_FROM.finditer(source.text, 0, _HEAD_CHARS))]


def _head(source: SourceFile) -> LexborHTMLParser:
    """Return the head of the page, parsed once."""
    if _HEAD not in source.memo:
        source.memo[_HEAD] = LexborHTMLParser(source.text[:_HEAD_CHARS])
    page: LexborHTMLParser = source.memo[_HEAD]
    return page


def _walk(node: LexborNode, place: _Place, source: SourceFile, depth: int) -> Iterator[PageBlock]:
    if depth > source.limits.max_depth:
        raise LimitExceededError(f"elements nested {depth} deep", expected=f"at most {source.limits.max_depth} levels")
    line = _Line(place.styles)
    child = node.child
    while child is not None:
        tag = child.tag or "-"
        following = child.next
        if tag == "-text":
            line.parts.append((child.text_content or "", place.bold, place.italic, False))
        elif tag[0] in "-!" or tag in _UNSEEN or _is_hidden(child):
            pass
        elif tag == "br":
            # Some pages separate paragraphs by line breaks.
            yield from _finish(line, place)
            line = _Line(place.styles)
        elif tag in INLINE and not _holds_blocks(child):
            _collect(child, line, place.bold, place.italic, False)
        else:
            yield from _finish(line, place)
            line = _Line(place.styles)
            yield from _element(child, tag, place, source, depth)
        child = following
    yield from _finish(line, place)


def _element(node: LexborNode, tag: str, place: _Place, source: SourceFile, depth: int) -> Iterator[PageBlock]:
    if tag == "table" and (noted := _noted_rows(node)):
        for note, text_cell in noted:
            if heading := canonical_line(note.text(deep=True) or ""):
                yield PageBlock(Block(heading, level=_NOTE_LEVEL), place.apart, heading)
            yield from _walk(text_cell, _inside(text_cell, "td", place), source, depth + 1)
        return
    if tag == "table" and (rows := _data_rows(node)) is not None:
        if paragraphs := numbered_rows(rows):
            yield from (PageBlock(Block(text), place.apart, text) for text in paragraphs)
            return
        text = "\n".join(" | ".join(cell for cell in row) for row in rows)
        if filled := [row.strip() for row in text.split("\n") if row.replace("|", "").strip()]:
            yield PageBlock(Block("\n".join(filled), "table"), place.apart, text)
        return
    inside = _inside(node, tag, place)
    if tag in ("ol", "ul"):
        yield from _list(node, inside, source, depth)
    else:
        yield from _walk(node, inside, source, depth + 1)


def _inside(node: LexborNode, tag: str, place: _Place) -> _Place:
    attributes = node.attributes
    style = style_of(node, place.styles)
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    aligned = _ALIGNED.search(style)
    side = (aligned["side"] if aligned is not None else attributes.get("align") or "").lower()
    is_named = tag not in ("html", "body") and not _MENU_NAMES.isdisjoint(
        part.lower() for part in _NAME_PARTS.findall(named)
    )
    role = attributes.get("role") or ""
    is_apart, is_menu = tag in _APART or role in _APART_ROLES, tag == "nav" or role == "navigation" or is_named
    share = _size(node.text(deep=True)) / max(1, place.size) if is_apart or is_menu else 0.0
    return _Place(
        place.styles,
        place.size,
        level=_HEADINGS.get(tag, place.level),
        depth=place.depth,
        bold=place.bold or tag in ("b", "strong", "th") or bool(_BOLD.search(style)),
        italic=place.italic or tag in ("i", "em"),
        centred=tag == "center" or (side == "center" if side else place.centred),
        apart=place.apart or (is_apart and share <= _MOST),
        in_menu=place.in_menu or (is_menu and share <= _MENU_SHARE),
        footnote=place.footnote or bool(_FOOTNOTE.search(named)),
        quoted=place.quoted or tag == "blockquote",
    )


def _list(node: LexborNode, place: _Place, source: SourceFile, depth: int) -> Iterator[PageBlock]:
    kind = list_kind(node)
    number = _stated_number(node, "start", 1) - 1
    attribute = _margin_numbers(node) if kind == "1" else None
    for child in elements(node):
        if child.tag != "li":
            yield from _element(child, child.tag or "div", place, source, depth + 1)
            continue
        if _is_hidden(child):
            continue
        number = _stated_number(child, attribute or "value", number + 1)
        inside = _inside(child, "li", place)
        inside.depth = place.depth + 1
        blocks = _walk(child, inside, source, depth + 1)
        first = next(blocks, None)
        if first is None:
            continue
        is_numbered = attribute is None and _STARTS_NUMBERED.match(first.block.text) is not None
        if kind != "-" and first.block.kind == "text" and not is_numbered:
            numbered = dataclasses.replace(first.block, text=f"{list_marker(number, kind)} {first.block.text}")
            first = dataclasses.replace(first, block=numbered)
        yield from _with_number(first, blocks)


def _margin_numbers(node: LexborNode) -> str | None:
    """Return the attribute with the numbers that a style sheet prints beside the items: a data attribute that counts on from list to list
    or stands beside items with numbers of their own. Without one, the items have the numbers that HTML gives them."""
    items = [child for child in elements(node) if child.tag == "li"]
    names = {name for name in (items[0].attributes if items else ()) if name.startswith("data-")}
    for name in sorted(names):
        numbers = [_stated_number(item, name, 0) for item in items]
        if numbers[0] and numbers == list(range(numbers[0], numbers[0] + len(items))):
            own = any(_STARTS_NUMBERED.match(item.text(deep=True).lstrip()) for item in items)
            return name if own or numbers[0] > 1 else None
    return None


def _with_number(first: PageBlock, blocks: Iterator[PageBlock]) -> Iterator[PageBlock]:
    """Yield the blocks of a list item; a number that is alone in its first block is written before the text of the next."""
    after = next(blocks, None)
    is_alone = _NUMBER_ALONE.fullmatch(first.block.text) is not None
    if is_alone and after is not None and after.block.kind == "text" and not _NUMBER_ALONE.match(after.block.text):
        text = f"{first.block.text} {after.block.text}"
        yield dataclasses.replace(after, block=dataclasses.replace(after.block, text=text, lead=""))
    else:
        yield first
        if after is not None:
            yield after
    yield from blocks


def _stated_number(node: LexborNode, attribute: str, otherwise: int) -> int:
    """Return the number of a list item that the page states in `attribute`."""
    value = node.attributes.get(attribute) or ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else otherwise


def _collect(node: LexborNode, line: _Line, bold: bool, italic: bool, linked: bool) -> None:
    """Add the text of an inline element to `line`, with its style; `br` becomes `LINE_BREAK`."""
    style = style_of(node, line.styles)
    tag = node.tag or ""
    bold = bold or tag in ("b", "strong") or bool(_BOLD.search(style))
    italic = italic or tag in ("i", "em")
    linked = linked or (tag == "a" and (node.attributes.get("href") or "").startswith("#"))
    if tag == "a" and "name" not in node.attributes:
        line.in_links += _size(node.text(deep=True))
    if tag == "img":
        alt = node.attributes.get("alt") or ""
        line.in_links += _size(alt)
        # An image of one letter is an initial: it belongs to the word after it.
        line.parts.append((alt if len(alt) == 1 else f" {alt} ", bold, italic, linked))
    child = node.child
    while child is not None:
        inner = child.tag or "-"
        if inner == "-text":
            line.parts.append((child.text_content or "", bold, italic, linked))
        elif inner == "br":
            line.parts.append((LINE_BREAK, bold, italic, linked))
        elif inner[0] not in "-!" and inner not in _UNSEEN and not _is_hidden(child):
            _collect(child, line, bold, italic, linked)
        child = child.next


def _finish(line: _Line, place: _Place) -> Iterator[PageBlock]:
    """Yield the blocks of the collected text, one per line."""
    pieces: list[list[tuple[str, bool, bool, bool]]] = [[]]
    for text, bold, italic, linked in line.parts:
        for index, part in enumerate(text.split(LINE_BREAK)):
            if index:
                pieces.append([])
            pieces[-1].append((part, bold, italic, linked))
    for piece in map(_with_number_apart, pieces):
        text = canonical_line("".join(part for part, _, _, _ in piece))
        if not text:
            continue
        looks = [(bold, italic, linked) for part, bold, italic, linked in piece if part.strip(" \t\r\n\xa0.,;:()[]")]
        yield PageBlock(
            Block(
                text,
                "footnote" if place.footnote else "text",
                level=place.level,
                depth=place.depth,
                bold=bool(looks) and all(bold for bold, _, _ in looks),
                italic=bool(looks) and all(italic for _, italic, _ in looks),
                centred=place.centred,
                is_link=bool(looks) and all(linked for _, _, linked in looks),
                is_quoted=place.quoted,
                lead=bold_lead([(part, bold) for part, bold, _, _ in piece]),
            ),
            place.apart,
            text,
            place.in_menu,
            line.is_linked,
        )


def _with_number_apart(piece: list[tuple[str, bool, bool, bool]]) -> list[tuple[str, bool, bool, bool]]:
    """Return the parts of a line with a space behind a number that an element of its own holds, if the line begins with it."""
    written = [index for index, (text, *_) in enumerate(piece) if text.strip()][:2]
    if len(written) < 2 or written[1] > written[0] + 1:
        return piece
    (number, *style), following = piece[written[0]], piece[written[1]][0]
    is_number = (_STOPPED_APART.fullmatch(number) and following[0].isalpha()) or (
        (_PLAIN_APART.fullmatch(number) or _CAPITALS_APART.fullmatch(number)) and _WORD_WITH_CAPITAL.match(following)
    )
    if not is_number:
        return piece
    bold, italic, linked = style
    return [*piece[: written[0]], (f"{number} ", bold, italic, linked), *piece[written[1] :]]


def _noted_rows(table: LexborNode) -> list[tuple[LexborNode, LexborNode]]:
    """Return (note, text) of the rows of a table that puts marginal notes beside numbered provisions; nothing for any other table."""
    if len(table.css("table")) > 1:
        return []
    rows = [[cell for cell in elements(row) if cell.tag in ("td", "th")] for row in table.css("tr")]
    column = noted_column([[[canonical_line(cell.text(deep=True) or "")] for cell in row] for row in rows])
    return [(row[1 - column], row[column]) for row in rows] if column is not None else []


def _data_rows(table: LexborNode) -> list[list[str]] | None:
    """Return the rows of a table of values, None for a layout table: one cell per row, headings, nested tables or much text in a cell."""
    # A selector matches the table itself too.
    if len(table.css("table")) > 1 or table.css_first("h1, h2, h3, h4, h5, h6") is not None:
        return None
    rows = table_rows(table)
    if not rows or max(len(row) for row in rows) < 2 or any(len(cell) > _CELL_CHARS for row in rows for cell in row):
        return None
    return rows


def _take_marks(page: LexborHTMLParser) -> list[str]:
    """Remove the marks of notes with a letter ("F3" before "Lamp keepers") from `page`; return those that a note below repeats."""
    found = [(node, (node.text(deep=True) or "").strip()) for node in page.css(_MARKS)]
    marks = [(node, text) for node, text in found if _LETTERED_MARK.fullmatch(text)]
    whole = (page.body.text(deep=True) or "") if marks and page.body is not None else ""
    taken = [(node, text) for node, text in marks if whole.count(text) > 1]
    for node, _ in taken:
        node.decompose()
    return [text for _, text in taken]


def _holds_blocks(node: LexborNode) -> bool:
    """Whether an inline element contains block elements, as `font` and `span` do in old pages."""
    return any(
        (part.tag or "-")[0] not in "-!" and part.tag not in INLINE
        for part in node.traverse(include_text=False)
        if part.tag != "br"
    )


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or ""))
