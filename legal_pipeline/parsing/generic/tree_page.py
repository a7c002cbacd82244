"""Writes a tree of elements with unknown names, of XML or JSON, as an HTML page: what is a line of text becomes a block of the page.

An element is inside a line if text usually stands beside elements of its name; every other element is a line or contains lines. A number in
an element of its own is written before the text that it numbers. Facts about the text (days, addresses, keys of databases) are left out.
Not here: reading the page (`readers.html`), and XML whose elements are known (`parsing.profiles`).
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from legal_pipeline.building.xml import local_name
from legal_pipeline.parsing.generic.data_labels import DATA
from legal_pipeline.parsing.generic.provisions_in_data import KINDS
from legal_pipeline.parsing.generic.stated import fact_key
from legal_pipeline.parsing.html5 import INLINE
from legal_pipeline.parsing.profiles.elements import add_html
from legal_pipeline.text.markup import HEADINGS, tags
from legal_pipeline.text.normalise import one_line

#: Names that have the meaning of HTML in most vocabularies: always a line, or lines.
_LINES = HEADINGS | {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "table", "blockquote", "br"}
#: Beginnings of the names of elements with facts about the text, and the vocabulary for such facts.
_META, _RDF = ("meta", "teiheader"), "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_NOTE = re.compile(r"foot-?note|fussnote|endnote", re.IGNORECASE)
#: A whole text that is a day, an address or a key of a database.
_FACT = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:T\S+|Z|[+-]\d{2}:\d{2})?|https?://\S+|/\S+/\S*|\d{5,}|true|false|(?-i:[YN])|(?=\S*\d)\S+_\S+|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}",
    re.IGNORECASE,
)
#: A whole text that numbers what follows: "1", "(a)", "§ 1.", "Art. 5 bis", "1. gr.", "I. peatükk"; `num` is the number.
_LABEL = re.compile(
    r"(?:(?:[^\W\d_]{1,14}\.?\s|§+\s?)(?=[\dIVXLC§]))?[(\[]?"
    r"(?P<num>\d{1,4}(?:[.\-/]\d{1,3})*(?:\s?[a-zA-Z]{1,3}(?![^\W\d_]))?|(?:[IVXLC]{1,7}|[ivxlc]{1,5}|[a-zA-Z])(?![^\W\d_]))"
    r"[.)\]:º°ª]*(?:\s[^\W\d_]{1,10}\.?)?"
)
#: A number behind a word as a whole text, "Article IV", and at the beginning of one, "Section 2. Lamps".
_WORDED = re.compile(r"[^\W\d_]{2,14}\.?\s(?:\d{1,4}[A-Za-z]{0,2}|[IVXLC]{1,7})\.?")
LABELLED = re.compile(r"(?:[^\W\d_]{1,14}\.?\s|§+\s?)\d{1,4}\b")
#: A number without a sign or a word beside it.
_BARE = re.compile(r"\d{1,4}[a-zA-Z]{0,2}|[a-z]{1,2}|[ivxlc]{1,5}|[A-Z]")
_FIGURES = re.compile(r"\d{1,4}")
_PARTS = re.compile(r"[.\-/]")
#: Minimum number of provisions with a bare number, and the minimum share of them whose numbers grow: schedules begin again
#: with 1. Elements with more than the larger share have precedence.
_MIN_NUMBERED, _GROWING_SHARE, _SURE_SHARE = 3, 0.3, 0.5
#: A whole text that is the word for a provision before its number: "Artikel", "§".
_KIND = re.compile(r"[^\W\d_]{2,14}\.?|§+")
_AFTER_KIND = re.compile(r"\d|[IVXLC]+\b")
#: Tags of HTML as some publishers write them in data: "[[p]]", "[[/p]]".
_BRACKETED = re.compile(r"\[\[(/?(?:p|b|i|u|br|ul|ol|li|table|tr|td|h[1-6]))\]\]")
#: Maximum number of characters of a number.
_NUMBER_CHARS = 12
#: Number of elements on each side in which a number is printed again.
_NEAR = 10
#: Maximum number of characters of the number and the heading of a provision in one element.
_HEAD_CHARS = 200
_SENTENCE_ENDS = (".", ";", ":", ",")
#: Number of texts that may print the number of an element: the word, the number, the heading.
_FIRST_TEXTS = 3
#: Words in the names of attributes that hold the number of an element, and its heading.
_NUMBERS = frozenset({*DATA["number"], "n", "name", "key", "marker", "prefix"}) - {"code"}
_HEADINGS = frozenset({*DATA["heading"], "caption", "description"})
#: A line break before a line that begins further to the right than the others, or behind an empty line: a new paragraph.
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_INDENTED = re.compile(r"\n(?=( +)\S)")


@dataclass
class TreePage:
    """`html`: the page; `facts`: texts left out as facts about the law, by the names of their elements; `values`: the texts of names that
    only one element has; `left_out`: all texts that the page does not show."""

    html: str
    facts: dict[str, str]
    values: dict[str, str]
    left_out: list[str]


def page_of(root: etree._Element) -> TreePage:
    """Return the page of a tree."""
    writer = _Writer(_line_elements(root), _numbered_throughout(root))
    writer.write(root)
    writer.end()
    lines = "\n".join(writer.lines)
    return TreePage(f"<html><body>\n{lines}\n</body></html>", writer.facts, _values(root), writer.left_out)


def _values(root: etree._Element) -> dict[str, str]:
    """Return the texts of elements without others, by the names that only one such element has."""
    named: dict[str, list[str]] = {}
    for element in root.iter(etree.Element):
        if not len(element) and (text := one_line(element.text or "")):
            named.setdefault(local_name(element), []).append(text)
    return {name: texts[0] for name, texts in named.items() if len(texts) == 1}


def text_of(root: etree._Element) -> str:
    """Return all text of a tree, of pages inside it without their tags; elements that are lines separate words."""
    lines = _line_elements(root)
    parts: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        is_apart = element in lines or (not len(element) and not element.text)
        parts.append(" " if is_apart else "")
        text = (element.text if event == "start" else element.tail) or ""
        page = page_in(text) if event == "start" and not len(element) else None
        parts.append(text if page is None else LexborHTMLParser(page).text(separator=" "))
    return "".join(parts)


def page_in(text: str) -> str | None:
    """Return the HTML that a text of the tree is; None for a text without tags."""
    page = _BRACKETED.sub(r"<\1>", text)
    return page if tags(page) else None


def _line_elements(root: etree._Element) -> set[etree._Element]:
    """Return the elements that are lines or contain lines; the others are inside a line."""
    in_lines = _names_in_lines(root)
    lines: set[etree._Element] = set()
    for element in reversed(list(root.iter(etree.Element))):  # what an element contains comes before it
        name = local_name(element)
        is_line = name.lower() in _LINES or name not in in_lines or _is_meta(element)
        if name.lower() not in INLINE and (is_line or any(child in lines for child in _elements(element))):
            lines.add(element)
    return lines


def _names_in_lines(root: etree._Element) -> set[str]:
    """Return the names of the elements that usually have text beside them."""
    parts, beside_text = Counter[str](), Counter[str]()
    for parent in root.iter(etree.Element):
        children = list(_elements(parent))
        has_text = bool((parent.text or "").strip()) or any((child.tail or "").strip() for child in parent)
        if has_text or len(children) > 1:
            for child in children:
                parts[local_name(child)] += 1
                beside_text[local_name(child)] += has_text
    return {name for name, number in parts.items() if 2 * beside_text[name] > number}


def _numbered_throughout(root: etree._Element) -> str | None:
    """Return the name of the elements whose bare numbers grow through the whole text, which are the provisions; None without such elements.

    What is numbered inside them is printed with brackets.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for element in root.iter(etree.Element):
        text = one_line(element.text or "")
        figures = _FIGURES.match(text) if _BARE.fullmatch(text) else None
        if figures is None or len(element) or any(map(_is_meta, element.iterancestors())):
            continue
        numbered = _numbered_by(element)
        if numbered is not None and local_name(numbered).lower() not in _LINES:
            found.setdefault(local_name(numbered), []).append((int(figures[0]), text[figures.end() :]))
    growing = {name: _growing(numbers) for name, numbers in found.items()}
    shares = {name: growing[name] / len(numbers) for name, numbers in found.items() if growing[name] >= _MIN_NUMBERED}
    return max(
        (name for name, share in shares.items() if share >= _GROWING_SHARE),
        key=lambda name: (shares[name] >= _SURE_SHARE, growing[name] * shares[name]),
        default=None,
    )


def _growing(numbers: Sequence[tuple[int, str]]) -> int:
    """Return the length of the longest part of `numbers`, with gaps, in which each is larger than the one before."""
    ends: list[tuple[int, str]] = []
    for number in numbers:
        at = bisect.bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)


def _numbered_by(number: etree._Element) -> etree._Element | None:
    """Return the element that an element with a number alone numbers: the nearest one with other text; None if the number is not its
    first text."""
    element = number
    while (parent := element.getparent()) is not None:
        if (parent.text or "").strip() or any(map(_has_text, element.itersiblings(preceding=True))):
            return None
        if (element.tail or "").strip() or any(map(_has_text, element.itersiblings())):
            return parent
        element = parent
    return None


def _is_printed_again(element: etree._Element, text: str) -> bool:
    """Whether `element` has a number that another element beside it prints: "1" for programs, "§ 1." for readers."""
    if len(element) or len(text) > _NUMBER_CHARS:
        return False
    following = element.getnext()
    is_sign = not text.isalnum() or not text.isascii()
    if is_sign and following is not None and one_line(following.text or "").startswith(f"{text} "):
        return True
    if not _BARE.fullmatch(text):
        return False
    near = itertools.chain(
        itertools.islice(element.itersiblings(preceding=True), _NEAR), itertools.islice(element.itersiblings(), _NEAR)
    )
    texts = (one_line(beside.text or "") for beside in near if not len(beside))
    return any(other != text and _prints(other, text) for other in texts)


def _prints(text: str, number: str) -> bool:
    """Whether `text` begins with `number`, perhaps behind a word or a sign, or as the last part of a number: "§ 1011.5 Fees" for 1011-5."""
    last = re.escape(_PARTS.split(number)[-1])
    return (
        re.match(rf"(?:[^\W\d_]{{1,14}}\.?\s|§+\s?|[제第]\s?)?[(\[]?(?:\d{{1,4}}[.\-/])*{last}(?![a-zA-Z\d])", text)
        is not None
    )


def _has_text(element: etree._Element) -> bool:
    return any(map(str.strip, map(str, element.itertext()))) or bool((element.tail or "").strip())


def _elements(parent: etree._Element) -> Iterator[etree._Element]:
    return (child for child in parent if isinstance(child.tag, str))


def _is_meta(element: etree._Element) -> bool:
    return local_name(element).lower().startswith(_META) or element.tag.startswith(f"{{{_RDF}}}")


@dataclass
class _Writer:
    """Writes the lines of a page. `provision`: the name of the elements that are numbered throughout; `open`: how many are around the
    next line; `waiting`: numbers that stand before it."""

    line_elements: set[etree._Element]
    provision: str | None
    open: int = 0
    lines: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def write(self, element: etree._Element) -> None:
        name = local_name(element)
        if _is_meta(element):
            self._leave_out(element)
        elif name.lower() == "table":
            self.end()
            self.lines.append(etree.tostring(_plain(element), encoding="unicode", with_tail=False, method="html"))
        elif head := self._head(element):
            self.end()
            self.lines.append(_line(escape(head)))
        else:
            self._write_content(element, name)

    def end(self) -> None:
        """Write the numbers that wait as a line of their own."""
        if self.waiting:
            self.lines.append(_line(" ".join(map(escape, self.waiting))))
            self.waiting = []

    def _write_content(self, element: etree._Element, name: str) -> None:
        self._write_attributes(element)
        if not len(element) and (page := page_in(element.text or "")) is not None:
            add_html(copied := etree.Element(element.tag), page)
            element = copied
            self.line_elements |= _line_elements(element)
        opening = "<div class='footnote'>" if _NOTE.search(name) else ""
        self.open += name == self.provision
        if opening:
            self.end()
            self.lines.append(opening)
        line: list[str] = [escape(element.text or "")]
        for child in _elements(element):
            if child in self.line_elements:
                self._write_line("".join(line), element)
                line = []
                self.write(child)
                line.append(escape(child.tail or ""))
            else:
                line.append(self._inline(child))
        self._write_line("".join(line), element)
        self.open -= name == self.provision
        if opening:
            self.end()
            self.lines.append("</div>")

    def _write_attributes(self, element: etree._Element) -> None:
        """Write the number and the heading that attributes of `element` state, if its text does not begin with them."""
        attributes = {str(key).rpartition("}")[2]: one_line(str(value)) for key, value in element.items()}
        stated = {word: value for key, value in attributes.items() for word in fact_key(key).split("_")}
        numbers = [value for word, value in stated.items() if word in _NUMBERS and _LABEL.fullmatch(value)]
        numbers += [value for word, value in stated.items() if word in _HEADINGS and _WORDED.fullmatch(value)]
        number = next(iter(numbers), None)
        texts = (text for text in map(one_line, map(str, element.itertext())) if text)
        first = " ".join(itertools.islice(texts, _FIRST_TEXTS)) if number is not None else ""
        if number is None or not first:
            return
        if number[:1].isdigit() and _BARE.fullmatch(number) and fact_key(local_name(element)) in KINDS:
            number = f"{local_name(element).capitalize()} {number}"
        heading = next((value for word, value in stated.items() if word in _HEADINGS and value and value != number), "")
        label = _LABEL.fullmatch(number)
        if label is not None and _prints(first, label["num"]):
            number = ""
        if _FACT.fullmatch(heading) or _LABEL.fullmatch(heading) or heading.casefold() in first.casefold():
            heading = ""
        if heading:
            self.end()
            self.lines.append(_line(escape(f"{number} {heading}".strip())))
        elif number:
            self.end()
            self.waiting.append(number)

    def _inline(self, element: etree._Element) -> str:
        """Return an element inside a line, with the text behind it."""
        name = local_name(element).lower()
        name = name if name in INLINE - {"a", "img"} else "span"
        text = escape(element.text or "") + "".join(map(self._inline, _elements(element)))
        tail = element.tail or ""
        is_number = tail[:1].isupper() and _LABEL.fullmatch(one_line(element.text or "")) is not None
        return f"{f'<{name}>{text}</{name}>' if text else ' '}{' ' if is_number else ''}{escape(tail)}"

    def _head(self, element: etree._Element) -> str | None:
        """Return the number and the heading of a provision that an element with elements contains; None for other elements."""
        if (element.text or "").strip() or any(
            _is_meta(child) or any(inner in self.line_elements for inner in _elements(child))
            for child in _elements(element)
        ):
            return None
        texts = [one_line("".join(map(str, child.itertext()))) for child in _elements(element)]
        texts = [text for text in texts if text]
        size = sum(map(len, texts))
        if len(texts) < 2 or size > _HEAD_CHARS or any((child.tail or "").strip() for child in element):
            return None
        is_numbered = _LABEL.fullmatch(texts[0]) or (_KIND.fullmatch(texts[0]) and _LABEL.fullmatch(texts[1]))
        rest = texts[1:] if _LABEL.fullmatch(texts[0]) else texts[2:]
        if not is_numbered or any(text.endswith(_SENTENCE_ENDS) or _FACT.fullmatch(text) for text in rest):
            return None
        return " ".join(texts)

    def _write_line(self, html: str, element: etree._Element) -> None:
        if not html or html.isspace():
            return
        for part in [html] if len(element) else _paragraphs(html):
            text = one_line(re.sub(r"<[^<>]*>", "", part))
            if not text:
                continue
            if _FACT.fullmatch(text):
                self.facts.setdefault(local_name(element), text)
                self.left_out.append(text)
            elif _is_printed_again(element, text):
                self.left_out.append(text)
            elif _LABEL.fullmatch(text):
                self._wait(text, element)
            elif not self.waiting and _KIND.fullmatch(text):
                self.waiting.append(text)
            else:
                is_heading = len(self.waiting) == 1 and _KIND.fullmatch(self.waiting[0])
                if is_heading or (self.waiting and _WORDED.fullmatch(self.waiting[-1]) and LABELLED.match(text)):
                    self.end()  # a heading of one word, or "Title I" above "Art. 1. The keeper …"
                self.lines.append(_line(" ".join([*map(escape, self.waiting), part])))
                self.waiting = []

    def _wait(self, label: str, element: etree._Element) -> None:
        """Let the number `label` of `element` wait for its text."""
        numbered = _numbered_by(element)
        is_inner = self.open > 0 and numbered is not None and local_name(numbered) != self.provision
        if is_inner and _BARE.fullmatch(label):
            label = f"({label})"
        is_after_number = bool(self.waiting) and _LABEL.fullmatch(self.waiting[-1]) is not None
        if (is_after_number and not (is_inner and len(self.waiting) == 1)) or (
            not is_after_number and not _AFTER_KIND.match(label)
        ):
            self.end()
        self.waiting.append(label)

    def _leave_out(self, element: etree._Element) -> None:
        for inner in element.iter(etree.Element):
            if text := one_line(inner.text or ""):
                self.facts.setdefault(local_name(inner), text)
        self.left_out += filter(None, map(one_line, map(str, element.itertext())))


def _paragraphs(html: str) -> list[str]:
    """Return the paragraphs of a text whose lines are set by spaces; a text without such lines is one paragraph."""
    if "\n" not in html.strip():
        return [html]
    paragraphs = []
    for part in _EMPTY_LINE.split(html.strip("\n")):
        indents = [len(found[1]) for found in _INDENTED.finditer(part)]
        flush = part.count("\n") - len(indents)
        least = 0 if flush else min(indents, default=0)
        start = 0
        for found in _INDENTED.finditer(part):
            if len(found[1]) > least:
                paragraphs.append(part[start : found.start()])
                start = found.start()
        paragraphs.append(part[start:])
    return paragraphs


def _plain(element: etree._Element) -> etree._Element:
    """Return a copy of a table with plain names."""
    copied = etree.fromstring(etree.tostring(element, with_tail=False))
    for inner in copied.iter(etree.Element):
        inner.tag = local_name(inner).lower()
    return copied


def _line(html: str) -> str:
    return f"<div>{html}</div>"
