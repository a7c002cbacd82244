"""Converts the elements of a publisher to elements of Akoma Ntoso, by the rules of a profile.

Not here: the model of a rule (`profiles.profile`), identity and metadata (`profiles.documents`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set

from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.reader import DRAFTING, RUN_IN
from legal_pipeline.akn.vocabulary import REMARKS
from legal_pipeline.building.xml import local_name
from legal_pipeline.parsing.html5 import INLINE as INLINE_TAGS
from legal_pipeline.parsing.html5 import UNSEEN
from legal_pipeline.parsing.profiles.nesting import CLOSES, RANK, RANKS, grouped, nested, quoted
from legal_pipeline.parsing.profiles.profile import BREAK, CHILDREN, GROUP, INLINE, SKIP, Margin, Profile, Rule, Value
from legal_pipeline.parsing.profiles.values import amendments_of, bare, found, text_of, value_of
from legal_pipeline.text.markup import HEADINGS, with_xml_references
from legal_pipeline.text.normalise import one_line

#: Elements that are left out if they are empty: publishers write them even without content.
_NEVER_EMPTY = frozenset(
    {"preface", "preamble", "conclusions", "quotedStructure", "longTitle", "authorialNote", REMARKS}
)
#: HTML elements that always end a line. Whether an element unknown to HTML ends a line depends on the text beside it.
_BLOCK_TAGS = HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "ul",
}  # fmt: skip
_TABLE_TAGS = frozenset({"table", "caption", "tr", "td", "th"})
#: Elements of Akoma Ntoso that may be inside a line of text.
_IN_LINE = frozenset({"b", "i", "span", "authorialNote", "remark", REMARKS, "ref", "br"})
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WORD = re.compile(r"\w")
#: The hexadecimal code of a character of Unicode's first plane, without its surrogates.
_CODE = re.compile(r"(?!D[89A-F])[0-9A-F]{4}", re.IGNORECASE)
_NAMESPACED_ELEMENTS = etree.XPath("descendant-or-self::*[namespace-uri()]")
_WITH_NAMESPACED_ATTRIBUTES = etree.XPath("descendant-or-self::*[@*[namespace-uri()]]")


def local_tree(root: etree._Element) -> etree._Element:
    """Remove the namespaces of elements and attributes in place, so that a profile names them as the documentation does; return `root`."""
    for element in found(_NAMESPACED_ELEMENTS, root):
        element.tag = local_name(element)
    for element in found(_WITH_NAMESPACED_ATTRIBUTES, root):
        for key in [key for key in element.keys() if key[0] == "{"]:  # noqa: SIM118 - `in element` are its children
            value = str(element.attrib.pop(key))
            name = str(key).rpartition("}")[2]
            if name not in element.attrib:
                element.set(name, value)
    return root


def with_superscripts(root: etree._Element) -> etree._Element:
    """Replace raised digits by superscript characters, so that § 46<sup>5</sup> is not § 465; return `root`."""
    for element in root.iter("sup", "SUP", "Superior"):
        if len(element) == 0 and (element.text or "").isdigit():
            element.text = (element.text or "").translate(_RAISED)
    return root


def parted(root: etree._Element, names: Set[str]) -> etree._Element:
    """Insert a space between an element of `names` and a neighbour of another name if their words would join; return `root`."""
    for element in root.iter(*names) if names else ():
        for before, after in ((element.getprevious(), element), (element, element.getnext())):
            if before is None or after is None or before.tail or before.tag == after.tag:
                continue
            if text_of(before)[-1:].isalnum() and text_of(after)[:1].isalnum():
                before.tail = " "
    return root


def with_characters(root: etree._Element, characters: Mapping[str, str]) -> etree._Element:
    """Replace the elements named in `characters` by their characters; return `root`.

    `@CODE` is the character whose hexadecimal code the attribute `CODE` states; an element without such a code has no character.
    """
    for element in root.iterdescendants(*characters) if characters else ():
        character = characters[str(element.tag)]
        if character.startswith("@"):
            code = element.get(character[1:], "")
            character = chr(int(code, 16)) if _CODE.fullmatch(code) else ""
        element.tail = character + (element.tail or "")
    etree.strip_elements(root, *characters, with_tail=False)
    return root


def with_margins(root: etree._Element, margins: Mapping[str, Margin]) -> etree._Element:
    """Move the margin notes in the text of elements to elements `margin` after the text; return `root`."""
    for element in root.iter(*margins) if margins else ():
        margin = margins[str(element.tag)]
        lines = [(line, margin.note.match(line)) for line in (element.text or "").split("\n")]
        if notes := [match[2] for _, match in lines if match]:
            element.text = "\n".join(match[1] if match else line for line, match in lines)
            for part in margin.begins.split(" ".join(notes)):
                if part.strip():
                    etree.SubElement(element, "margin").text = part.strip()
    return root


def with_lines(root: etree._Element, at: etree.XPath | None) -> etree._Element:
    """Convert the lines separated by `br` in the elements at `at` to elements `line`; return `root`.

    Links in a line are replaced by their text; the line gets the `name` of the first link that has one.
    """
    for element in found(at, root) if at is not None else ():
        line = etree.Element("line")
        line.text, element.text = element.text, None
        lines = [line]
        for child in list(element):
            if child.tag == "br":
                line = etree.Element("line")
                line.text = child.tail
                lines.append(line)
            elif child.tag in HEADINGS:
                line = etree.Element("line")
                line.text, child.tail = child.tail, None
                lines += [child, line]
            else:
                line.append(child)
        element[:] = lines
        for line in lines:
            name = next((link.get("name") for link in line.iter("a") if link.get("name")), None)
            if name is not None:
                line.set("name", name)
            etree.strip_tags(line, "a")
    return root


def with_pages(root: etree._Element, names: Set[str]) -> etree._Element:
    """Parse the HTML source in the text of elements of `names` into elements; return `root`."""
    for element in root.iter(*names) if names else ():
        if element.text and "<" in element.text:
            page, element.text = element.text, None
            add_html(element, page)
    return root


def add_html(element: etree._Element, page: str) -> None:
    """Parse HTML source to the text and the elements of `element`, which is empty."""
    for body in etree.HTML(f"<body>{with_xml_references(page)}</body>").iter("body"):
        element.text = body.text
        element.extend(list(body))


class Converter:
    """Converts one document."""

    def __init__(self, profile: Profile, root: etree._Element, language: str) -> None:
        self._profile = profile
        self._language = language
        self._is_page = profile.container != "xml"
        #: Elements that are always inline, and those that are never inline.
        self._inline = profile.inline | INLINE_TAGS if self._is_page else profile.inline
        self._blocks = _BLOCK_TAGS if self._is_page else frozenset()
        rules = profile.rules
        self._rules = {element: rules[number] for element, number in profile.index.first_rules(root).items()}
        self._taken: set[etree._Element] = set()
        #: The last text of each value, by `id()`: values that are the same for all elements are read once.
        self._read_values: dict[int, str | None] = {}
        self._left_out = {element for element, rule in self._rules.items() if rule.name == SKIP}
        #: The elements that contain the document.
        self._parts = [root] if profile.content is None else found(profile.content, root)

    def elements(self) -> list[Element | str]:
        """Return the content of the document, in order."""
        return self._nested([item for part in self._parts for item in self._read(part)])

    def shown_text(self) -> str:
        """Return all text that the file shows, words separated as printed, without elements that a rule skips.

        Call it before `elements`, which removes numbers and headings from the tree.
        """
        parts: list[str] = []
        for part in self._parts:
            self._show(part, parts)
        return "".join(parts)

    def _show(self, element: etree._Element, parts: list[str]) -> None:
        rule = self._rules.get(element)
        if (rule is None or rule.name != SKIP) and not (self._is_page and element.tag in UNSEEN):
            edge = " " if self._parts_words(element, rule) else ""
            parts += (edge, element.text or "")
            for child in element.iterchildren(etree.Element):
                self._show(child, parts)
            parts.append(edge)
        parts.append(element.tail or "")

    def _parts_words(self, element: etree._Element, rule: Rule | None) -> bool:
        """Whether the element separates words: a line ends where it begins and where it ends."""
        if rule is None:
            return element.tag == "br" or not self._is_inline(element)
        return rule.name not in (INLINE, "i")

    def _read(self, element: etree._Element) -> list[Element | str]:
        if element in self._taken:
            return []
        rule = self._rules.get(element)
        if rule is not None:
            return self._by_rule(element, rule)
        name = str(element.tag)
        if self._is_page and name in UNSEEN:
            return []
        if name == "br":
            return [" "]
        content = self._content(element)
        if self._is_page and name in _TABLE_TAGS:
            return [Element(name, content=content)]
        if self._is_inline(element):
            return [Element("span", content=content)] if not _has_blocks(content) else content
        return content if _has_blocks(content) else [Element("p", content=content)]

    def _is_inline(self, element: etree._Element) -> bool:
        """Whether the element is part of a line of text: by the profile, by HTML, or because text is beside it."""
        parent = element.getparent()
        if element.tag in self._inline:
            return True
        if element.tag in self._blocks or parent is None:
            return False
        before = element.getprevious()
        beside = (before.tail if before is not None else parent.text) or ""
        return bool(beside.strip() or (element.tail or "").strip())

    def _content(self, element: etree._Element) -> list[Element | str]:
        content: list[Element | str] = [text] if (text := element.text) else []
        for child in element:
            if isinstance(child.tag, str):
                content += self._read(child)
            if tail := child.tail:
                content.append(tail)
        return content

    def _by_rule(self, element: etree._Element, rule: Rule) -> list[Element | str]:
        if rule.name == SKIP:
            return []
        if rule.name == BREAK:
            return [" "]
        cited = value_of(element, rule.cited, self._language) if rule.cited is not None else None
        heads = [
            self._head(element, name, value, rule) if value is not None else None
            for name, value in (("num", rule.num), ("heading", rule.heading))
        ]
        first = _cut(element, rule.first.pattern, self._left_out) if rule.first is not None else None
        content = self._content(element)
        if rule.lines is not None and content and isinstance(content[0], str):
            # the publisher formatted the paragraphs with line ends
            content[:1] = [Element("p", content=[text]) for text in rule.lines.split(content[0]) if text.strip()]
        if rule.first is not None and first:
            number = self._named("num", first, rule)
            rank = {RANK: str(rule.first.rank)}
            content = [Element(rule.first.name, attributes=rank, content=[number, *content])]
        if rule.name == CHILDREN:
            return [] if _is_empty_head(element, content, self._taken) else content
        if rule.name == GROUP:
            return grouped(self._nested(content))
        if rule.name == INLINE:
            return [Element("span", content=content)]
        if cited is not None:
            # Without a printed number in the source, the element is empty.
            printed = heads[0].content if heads[0] is not None else []
            heads[0] = Element("num", attributes={"value": cited}, content=printed)
        if rule.name in _NEVER_EMPTY and not Element(rule.name, content=content).text().strip():
            return []
        return [self._result(element, rule, heads, content)]

    def _result(
        self, element: etree._Element, rule: Rule, heads: Sequence[Element | None], content: list[Element | str]
    ) -> Element:
        """Return `element` as an element of Akoma Ntoso by `rule`, number and heading first; a remark outside a line becomes one."""
        result = Element(rule.name, content=[head for head in heads if head is not None])
        if rule.name == "num" or (rule.num is not None and rule.num.pattern is not None and heads[0] is None):
            result.attributes["value"] = self._number(content)
        if rule.name == "num" and rule.printed:
            content = [rule.printed.format(one_line("".join(_texts(content))))]
        if rule.flat and rule.rest:
            content = [Element(rule.rest, content=content)] if any(map(str.strip, _texts(content))) else []
        elif rule.flat and not rule.num:
            content = [Element("num", attributes={"value": self._number(content)}, content=content)]
        result.content.extend(content if rule.flat else self._nested(content))
        result.fields |= self._values(element, rule.fields)
        if attributes := self._values(element, rule.attributes):
            result.fields["attributes"] = attributes
        if rule.amendments and (amendments := amendments_of(element, rule.amendments, self._language)):
            result.fields["amendments"] = amendments
        if rule.drafting:
            result.attributes[DRAFTING] = f"{self._profile.jurisdiction} {rule.drafting}"
        if rule.run_in:
            result.attributes[RUN_IN] = "yes"
        if rule.flat:
            rank = float(rule.rank(element)) if rule.rank is not None else RANKS.get(rule.name, 9)
            result.attributes[RANK] = str(rank)
        elif rule.rank is not None:
            result.attributes[CLOSES] = str(float(rule.rank(element)))
        return Element("p", content=[result]) if rule.name == "remark" and not self._is_inline(element) else result

    def _number(self, content: Sequence[Element | str]) -> str:
        return bare("".join(_texts(content)), self._language) or ""

    def _values(self, element: etree._Element, values: Mapping[str, Value]) -> dict[str, str]:
        """Return those of `values` that `element` has, by name."""
        read = self._read_values
        for value in values.values():
            if not value.is_absolute or id(value) not in read:
                read[id(value)] = value_of(element, value, self._language)
        return {name: text for name, value in values.items() if (text := read[id(value)]) is not None}

    def _nested(self, content: list[Element | str]) -> list[Element | str]:
        quotes = self._profile.quotes
        return nested(quoted(content, *quotes) if quotes else content)

    def _head(self, element: etree._Element, name: str, value: Value, rule: Rule) -> Element | None:
        """Remove the number or heading that the rule finds in `element` from its text and return it; None if there is none."""
        if value.pattern is not None:
            items = [item for at in value.at for item in found(at, element) if isinstance(item, etree._Element)]
            for item in items:
                if text := _cut(item, value.pattern, self._left_out):
                    return self._named(name, text, rule)
            if items and value.otherwise is None:
                return None  # a number later in the text is not that of the provision
        holders = [] if value.pattern is not None else _holders(element, value)
        if any(item is not element and _follows_text(item) for item in holders):
            return None
        if not holders:
            text = value_of(element, value, self._language)
            return self._named(name, text, rule) if text else None
        content: list[Element | str] = []
        for item in holders:
            content.extend([" ", *self._content(item)])
            self._taken.update(item.iter(etree.Element))
        if name == "num":
            number = self._named(name, "".join(_texts(content)), rule)
            inside = (part for item in content if isinstance(item, Element) for part in item.walk())
            number.content += [part for part in inside if part.name == "authorialNote"]
            return number
        return Element(name, content=content)

    def _named(self, name: str, text: str, rule: Rule) -> Element:
        line = one_line(text)
        if name != "num":
            return Element(name, content=[line])
        number = bare(line, self._language) or line.rstrip(" .:-–—")
        return Element(name, attributes={"value": number}, content=[(rule.printed or "{}").format(line)])


def _cut(element: etree._Element, pattern: re.Pattern[str], left_out: Container[etree._Element]) -> str | None:
    """Remove the match of `pattern` at the beginning of the text of `element` and return it; None if it does not match."""
    for holder, is_behind in _places_of_text(element, left_out):
        text = (holder.tail if is_behind else holder.text) or ""
        if not text.strip():
            continue
        match = pattern.match(text.lstrip())
        if match is None:
            return None
        rest = text.lstrip()[match.end() :]
        if is_behind:
            holder.tail = rest
        else:
            holder.text = rest
        return match[0]
    return None


def _places_of_text(
    element: etree._Element, left_out: Container[etree._Element]
) -> Iterator[tuple[etree._Element, bool]]:
    """Yield (holder, whether the text is its tail) for each place in `element` that may contain text, in order."""
    yield element, False
    for child in element.iterchildren(etree.Element):
        if child not in left_out:
            yield from _places_of_text(child, left_out)
        yield child, True


def _holders(element: etree._Element, value: Value) -> list[etree._Element]:
    """Return the elements that contain the value: of the first path that finds any, all if `joined`, else the first."""
    for at in value.at:
        items = [item for item in found(at, element) if isinstance(item, etree._Element) and one_line(text_of(item))]
        if items:
            return items if value.joined else items[:1]
    return []


def _follows_text(element: etree._Element) -> bool:
    """Whether words precede the element in its line: then it cannot be moved to the front."""
    parent = element.getparent()
    before = [item.tail for item in element.itersiblings(preceding=True)]
    return any(_WORD.search(text or "") for text in [*before, parent.text if parent is not None else ""])


def _is_empty_head(element: etree._Element, content: Sequence[Element | str], taken: Set[etree._Element]) -> bool:
    """Whether `element` contained only a number and heading: at most punctuation remains."""
    return any(child in taken for child in element) and not any(_WORD.search(text) for text in _texts(content))


def _has_blocks(content: Sequence[Element | str]) -> bool:
    return any(not isinstance(item, str) and item.name not in _IN_LINE for item in content)


def _texts(content: Sequence[Element | str]) -> Iterator[str]:
    for item in content:
        if isinstance(item, str):
            yield item
        elif item.name != "authorialNote":
            yield from _texts(item.content)
