"""Read HTML pages as browsers do (Lexbor) and check that they are not truncated; inline text and tables of a page.

Not here: the meaning of the elements (one module per format), XML and XHTML (`building.xml`).
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import LimitExceededError, TruncatedDocumentError
from legal_pipeline.numbering.numerals import letters, roman
from legal_pipeline.parsing.struck_numbers import kept_numbers
from legal_pipeline.text.markup import HEADINGS, STRUCK, STRUCK_STYLE, raised_figure, space_for_struck
from legal_pipeline.text.normalise import unwrap

#: Elements whose end tag HTML requires, and html and body, which real pages always close.
CONTAINERS = HEADINGS | {
    "html", "body", "article", "main", "section", "div", "footer", "header", "nav", "table", "ul", "ol", "dl", "pre",
}  # fmt: skip
#: Elements inside a line of text, which do not separate words.
INLINE = frozenset({"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins",
                    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
                    "wbr"})  # fmt: skip
#: Elements whose content browsers do not show.
UNSEEN = frozenset({"head", "script", "style", "template", "title"})
_STRUCK = ", ".join([*sorted(STRUCK), f'[style*="{STRUCK_STYLE}"]'])
_TAGS = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?:script|style)\b.*?(?:</(?:script|style)\s*>|\Z)|<(/?)("
    + "|".join(sorted(CONTAINERS))
    + r")\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)
_PAGE_OPENS = re.compile(r"<(?:html|body)\b", re.IGNORECASE)
_PAGE_CLOSES = re.compile(r"</(?:html|body)\s*>", re.IGNORECASE)
#: The beginning of a page in XML, and an empty element in it that is none in HTML.
_XHTML = re.compile(r"\ufeff?\s*<\?xml\b|[^<]*(?:<!doctype[^<>]*>\s*)?<html\b[^<>]*\bxmlns=", re.IGNORECASE)
_EMPTY_ELEMENT = re.compile(
    r"<(a|b|big|div|em|i|li|p|s|small|span|strong|sub|sup|td|th|u)\b([^<>]*?)\s*/>", re.IGNORECASE
)
_ANY_TAG = re.compile(r"<[^<>]*>")
_SENTENCE_ENDS = (".", "!", "?", ";", ":", ")", "]", "”", "“", '"', "»", "’")
#: Number of characters in which the last words of a page are looked for.
_LAST_CHARS = 2_000
#: The time of the parser grows with the square of the depth: 50,000 open elements take it six seconds.
_MOST_OPEN = 5_000
LINE_BREAK = "\u2028"
_BREAKS = re.compile(f"[{LINE_BREAK}]")
#: Two spaces, or a line break, are where a source wrapped its lines.
_WRAP = re.compile(r"\n|  +")


def read_html(source: SourceFile) -> LexborHTMLParser:
    """Return the page. Raises `TruncatedDocumentError`, which names the unclosed element, and `LimitExceededError` for deep nesting."""
    text = source.text
    _check_last_tag(text)
    stack = _unclosed(text, source.limits.max_depth)
    if stack:
        tag, at = stack[-1]
        raise TruncatedDocumentError(
            f"<{tag}> at character {at:,} is not closed",
            position=f"character {len(text):,} of {len(text):,}",
            expected=f"</{tag}>",
        )
    return LexborHTMLParser(_with_end_tags(text))


def read_loose_html(text: str) -> LexborHTMLParser:
    """Return a page whose elements need not be closed.

    Raises `TruncatedDocumentError` for a page that ends inside a tag, `LimitExceededError` for nesting that would take the parser minutes.
    """
    _check_last_tag(text)
    if text.count("<") > _MOST_OPEN:
        _unclosed(text, _MOST_OPEN)
    return LexborHTMLParser(_with_end_tags(text))


def _with_end_tags(text: str) -> str:
    """Return XHTML with an end tag behind each empty element, `<a id="n"/>`: in HTML it would contain what follows. Other pages stay."""
    return _EMPTY_ELEMENT.sub(r"<\1\2></\1>", text) if _XHTML.match(text) else text


def check_page_end(text: str) -> None:
    """Raise `TruncatedDocumentError` if a page opens `html` or `body`, closes neither, and ends inside a container or a sentence."""
    if _PAGE_OPENS.search(text) is None or _PAGE_CLOSES.search(text) is not None:
        return
    open_at_end = [tag for tag, _ in _unclosed(text, _MOST_OPEN) if tag not in ("html", "body")]
    end = html.unescape(_ANY_TAG.sub("", text[-_LAST_CHARS:])).rstrip()
    if open_at_end or not end.endswith(_SENTENCE_ENDS):
        raise TruncatedDocumentError(
            f"the page ends inside {f'<{open_at_end[-1]}>' if open_at_end else 'a sentence'}: {end[-40:]!r}",
            position=f"character {len(text):,} of {len(text):,}",
            expected="</html>",
        )


def _check_last_tag(text: str) -> None:
    """Raise `TruncatedDocumentError` if the page ends inside a tag."""
    at = text.rfind("<")
    if at > text.rfind(">") and re.match(r"<[!/a-zA-Z]", text[at:]):
        raise TruncatedDocumentError(
            f"the page ends inside the tag {text[at : at + 20]!r}", position=f"character {at:,}", expected="'>'"
        )


def _unclosed(text: str, limit: int) -> list[tuple[str, int]]:
    """Return (tag, character) of the containers that are open at the end. Raises `LimitExceededError` if more than `limit` are open."""
    stack: list[tuple[str, int]] = []
    for match in _TAGS.finditer(text):
        if match.group(2) is None:
            continue
        tag = match.group(2).lower()
        if not match.group(1):
            stack.append((tag, match.start()))
            if len(stack) > limit:
                raise LimitExceededError(
                    f"elements nested {len(stack):,} deep",
                    position=f"character {match.start():,}",
                    expected=f"at most {limit:,} levels",
                )
        elif any(name == tag for name, _ in stack):
            while stack.pop()[0] != tag:
                pass
    return stack


def list_kind(node: LexborNode) -> str:
    """Return the numbering of a list: `1`, `a`, `A`, `i`, or `-` without numbers."""
    if node.tag == "ul":
        return "-"
    return "i" if any("roman" in name for name in classes(node)) else node.attributes.get("type") or "1"


def list_marker(index: int, kind: str) -> str:
    """Return the mark that HTML shows for item `index` (from 1) of a list of this `kind`; every other kind has a dash."""
    if kind == "1":
        return f"{index}."
    if kind in ("a", "A"):
        return f"{letters(index).upper() if kind == 'A' else letters(index)})"
    return f"{roman(index)})" if kind == "i" else "-"


def elements(node: LexborNode) -> Iterator[LexborNode]:
    """Yield child elements in order, without the text between them."""
    child = node.child
    while child is not None:
        if (child.tag or "-")[0] not in "-!":
            yield child
        child = child.next


def flow(node: LexborNode, apart: str | None = None) -> Iterator[list[str] | LexborNode]:
    """Yield the content of `node` in order: the lines of each run of text with its inline elements, and the elements between the runs.

    No text of `node` is left out; a reader that takes the runs and every element loses nothing. Inline elements of the class `apart`
    end a run as other elements do.
    """
    run: list[str] = []
    child = node.child
    while child is not None:
        following, tag = child.next, child.tag or "-"
        if tag == "-text":
            run.append(child.text_content or "")
        elif _is_inline(child, apart):
            run.append(child.text(deep=True) or "")
        elif tag[0] not in "-!" and tag not in UNSEEN:
            if lines := text_lines("".join(run)):
                yield lines
            run.clear()
            yield child
        child = following
    if lines := text_lines("".join(run)):
        yield lines


def _is_inline(node: LexborNode, apart: str | None) -> bool:
    return all(part.tag in INLINE and apart not in classes(part) for part in node.traverse(include_text=False))


def leaf_lines(node: LexborNode) -> Iterator[str]:
    """Yield every line of text in `node` once, in order, at any depth."""
    for part in flow(node):
        if isinstance(part, list):
            yield from part
        else:
            yield from leaf_lines(part)


def classes(node: LexborNode) -> frozenset[str]:
    return frozenset((node.attributes.get("class") or "").split())


def take_struck_from_page(page: LexborHTMLParser, source: SourceFile) -> None:
    """Remove struck words from the page and record them in `source` for the document's list of struck words.

    The number of a struck provision is kept if the note of its repeal is not struck.
    """
    struck: list[str] = []
    kept = _kept_of_struck(page)
    outermost = [node for node in page.css(_STRUCK) if not any(map(_is_struck, _around(node)))]
    for node in outermost:
        words = node.text(deep=True) or ""
        if number := kept.get(node.mem_id):
            node.insert_before(f"{number} ")
            words = words.lstrip().removeprefix(number)
        before, after = ((item.text(deep=True) or "") if item is not None else "" for item in (node.prev, node.next))
        if space := space_for_struck(before, words, after):
            node.insert_before(space)
        if line := canonical_line(words):
            struck.append(line)
    for node in outermost:
        node.decompose()
    source.memo[STRUCK_WORDS] = struck


def _kept_of_struck(page: LexborHTMLParser) -> dict[int, str]:
    """Return the memory id of struck elements at the beginning of a line -> the number in them that is kept."""
    if page.body is None or page.body.css_first(_STRUCK) is None:
        return {}
    lines: list[tuple[LexborNode | None, list[str]]] = []
    block = -1
    for node in page.body.traverse(include_text=True):
        if node.tag != "-text":
            block = -1 if node.tag == "br" else block
            continue
        text = node.text_content or ""
        if not text.strip():
            continue
        above = list(_around(node))
        struck = next(filter(_is_struck, reversed(above)), None)
        around = next((item.mem_id for item in above if item.tag not in INLINE), -1)
        if around != block:
            lines.append((struck, []))
        block = around
        if struck is None:
            lines[-1][1].append(text)
    first = [((struck.text(deep=True) or "") if struck is not None else "", "".join(words)) for struck, words in lines]
    numbers = kept_numbers(first)
    return {
        struck.mem_id: number
        for (struck, _), number in zip(lines, numbers, strict=True)
        if struck is not None and number
    }


def _around(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around `node`, from the innermost outwards."""
    while (above := node.parent) is not None:
        yield above
        node = above


def raise_figures(page: LexborHTMLParser) -> bool:
    """Write the figures of `<sup>`, and of links to notes that join the text before them, as raised characters, so that they do not join
    the number before them. Return whether there were any."""
    found = False
    for select in (_links_to_notes, lambda page: page.css("sup")):
        for node in select(page):
            if raised := raised_figure(node.text(deep=True) or ""):
                node.replace_with(raised)
                found = True
    return found


def _links_to_notes(page: LexborHTMLParser) -> list[LexborNode]:
    """Return the links that are only figures, directly behind a letter or a figure, and lead to a text that begins with these figures."""
    links = [
        node for node in page.css("a[href^='#']") if raised_figure(node.text(deep=True) or "") and _joins_text(node)
    ]
    targets = {node.attributes.get("id"): node for node in page.css("[id]")} if links else {}
    found = []
    for node in links:
        target = targets.get((node.attributes.get("href") or "")[1:])
        begins = re.match(r"\W*(\d+)", target.text(deep=True) or "") if target is not None else None
        if begins is not None and begins[1] == (node.text(deep=True) or "").strip():
            found.append(node)
    return found


def _joins_text(node: LexborNode) -> bool:
    """Whether no white space is between `node` and the letter or figure before it."""
    if node.parent is not None and node.parent.tag == "sup":
        return False
    before = node.prev
    while before is not None and not (before.text(deep=True) or before.text_content or ""):
        before = before.prev
    said = (before.text(deep=True) or before.text_content or "") if before is not None else ""
    return said[-1:].isalnum()


def _is_struck(node: LexborNode) -> bool:
    return node.tag in STRUCK or STRUCK_STYLE in (node.attributes.get("style") or "")


def prepare_inline(page: LexborHTMLParser, source: SourceFile) -> None:
    """Remove struck words, replace `br` by the mark that `lines_of` expects, and pictures by their description.

    The description of a picture may be law ("Förbjudet").
    """
    take_struck_from_page(page, source)
    for node in page.css("br"):
        node.replace_with(LINE_BREAK)
    for node in page.css("img"):
        node.replace_with(node.attributes.get("alt") or "")


def lines_of(node: LexborNode) -> list[str]:
    """Return the text of `node`, one canonical line per `br`."""
    return text_lines(node.text(deep=True) or "")


def text_lines(raw: str) -> list[str]:
    return [line for part in _BREAKS.split(raw) if (line := canonical_line(part))]


def canonical_line(raw: str) -> str:
    """Return one line of canonical text; words hyphenated where the source wrapped its lines are joined."""
    return unwrap(_WRAP.split(raw))[0] if "\n" in raw or "  " in raw else unwrap([raw])[0]


def inline_text(node: LexborNode) -> str:
    """Return the text of `node` as one canonical line."""
    return " ".join(lines_of(node))


def table_rows(table: LexborNode) -> list[list[str]]:
    """Return rows of cells, caption first; a cell that spans columns or rows has its text once, where it begins."""
    rows: list[list[str]] = []
    for part in elements(table):
        if part.tag == "caption":
            rows.append([block_text(part)])
        elif part.tag == "tr":
            rows.append(_cells(part))
        elif part.tag in ("thead", "tbody", "tfoot"):
            rows.extend(_cells(row) for row in elements(part) if row.tag == "tr")
    return [row for row in rows if any(row)]


def _cells(row: LexborNode) -> list[str]:
    return [block_text(cell) for cell in elements(row) if cell.tag in ("td", "th")]


_BLOCKS = HEADINGS | {
    "br", "p", "ol", "ul", "li", "div", "dl", "dt", "dd", "table", "tr", "td", "th", "figure", "figcaption",
}  # fmt: skip


def block_text(node: LexborNode) -> str:
    """Return the text of a node with blocks on one line; a space separates blocks, and the lines that `br` ends."""
    parts: list[str] = []
    places: Counter[int] = Counter()  # items so far, by list: counting again for each item is quadratic
    for child in node.traverse(include_text=True):
        if child.tag == "-text":
            parts.append(child.text_content or "")
        elif child.tag in _BLOCKS:
            parts.append(LINE_BREAK)
            if child.tag == "li" and child.parent is not None:
                places[child.parent.mem_id] += 1
                parts.append(f"{list_marker(places[child.parent.mem_id], list_kind(child.parent))} ")
    return " ".join(text_lines("".join(parts)))
