"""Finds the rule of a profile that selects an element: simple CSS is tested on each element by its name, other selectors run as XPath.

XPath is slower: libxml2 compares every pair of elements if a selector has a comma, counts all elements before a first child, and walks
the whole document for each selector of a profile. Not here: the conversion of the elements (`profiles.elements`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from lxml import etree
from lxml.cssselect import CSSSelector

#: One element of a selector: its name, and conditions on id, classes, attributes and position.
_TEST = r"\[(?P<key>[\w-]+)(?P<compared>[\^*]?)=(?P<value>'[^']*'|\"[^\"]*\"|[\w-]+)\]"
_CONDITION = re.compile(
    rf"(?P<sign>[.#])(?P<name>[\w-]+)|(?P<negated>:not\()?{_TEST}|:(?P<first>first-child|first-of-type)"
)
_UNNAMED_TEST = re.sub(r"\?P<\w+>", "?:", _TEST)
_COMPOUND = re.compile(
    rf"(?P<tag>[\w-]+)?(?P<conditions>(?:[.#][\w-]+|{_UNNAMED_TEST}|:not\({_UNNAMED_TEST}\)|:first-child|:first-of-type)*)"
)
#: A sign or space between two elements of a selector, or an element; a quoted value may contain such signs.
_TOKEN = re.compile(r"\s*(?P<sign>[,>])\s*|(?P<space>\s+)|(?P<compound>(?:\[[^\]]*\]|[^\s,>\[])+)")

_Condition = Callable[[etree._Element], bool]


@dataclass(frozen=True)
class _Compound:
    """`tag.class[key=value]` below `outer`; with `is_child`, directly below."""

    tag: str | None
    classes: frozenset[str]
    conditions: Sequence[_Condition]
    outer: _Compound | None = None
    is_child: bool = False

    def selects(self, element: etree._Element) -> bool:
        return (
            (self.tag is None or element.tag == self.tag)
            and (not self.classes or self.classes.issubset((element.get("class") or "").split()))
            and self.selects_named(element)
        )

    def selects_named(self, element: etree._Element) -> bool:
        """Whether the selector matches an element whose name and classes already match."""
        for condition in self.conditions:
            if not condition(element):
                return False
        return self.outer is None or self._stands_below(element, self.outer)

    def _stands_below(self, element: etree._Element, outer: _Compound) -> bool:
        above = element.getparent()
        while above is not None and not outer.selects(above):
            above = None if self.is_child else above.getparent()
        return above is not None


@dataclass(frozen=True)
class Selector:
    """A selector: `compounds` holds the last element of each alternative; if it is empty, `xpath` selects."""

    text: str
    xpath: etree.XPath
    compounds: Sequence[_Compound] = ()


class RuleIndex:
    """Finds the rule of each element of a document: the first rule whose selectors select it.

    `rules` holds the selectors of each rule, in the order of the rules.
    """

    def __init__(self, rules: Sequence[Sequence[Selector]]) -> None:
        self._paths: list[tuple[int, etree.XPath]] = []
        #: (number of the rule, compound) by the name of the selected element, None for any name.
        self._compounds: dict[str | None, list[tuple[int, _Compound]]] = {}
        for number, selectors in enumerate(rules):
            for selector in selectors:
                if not selector.compounds:
                    self._paths.append((number, selector.xpath))
                for compound in selector.compounds:
                    self._compounds.setdefault(compound.tag, []).append((number, compound))

    def first_rules(self, root: etree._Element) -> dict[etree._Element, int]:
        """Return the number of the rule of each element in `root` that has a rule."""
        rules: dict[etree._Element, int] = {}
        for number, path in reversed(self._paths):
            rules.update(dict.fromkeys(cast("list[etree._Element]", path(root)), number))
        by_name: dict[tuple[str, str | None], list[tuple[int, _Compound]]] = {}
        for element in root.iter(etree.Element):
            name = (str(element.tag), element.get("class"))
            compounds = by_name.get(name)
            if compounds is None:
                compounds = by_name[name] = self._of_name(*name)
            for number, compound in compounds:
                if compound.selects_named(element):
                    rules[element] = min(number, rules.get(element, number))
                    break
        return rules

    def _of_name(self, tag: str, classes: str | None) -> list[tuple[int, _Compound]]:
        """Return (number of the rule, compound) for compounds that may select an element of this name and classes, sorted by number."""
        names = frozenset((classes or "").split())
        rows = [*self._compounds.get(tag, ()), *self._compounds.get(None, ())]
        return sorted((row for row in rows if row[1].classes <= names), key=lambda row: row[0])


def css_selector(text: str) -> Selector:
    """Return the selector for the CSS `text`. Raises `ValueError` if it is not valid CSS."""
    # Element names of the document have no namespace any more, so CSS names match them directly.
    return Selector(text, CSSSelector(text, translator="xml"), _compounds(text) or ())


def _compounds(text: str) -> list[_Compound] | None:
    """Return the alternatives of a selector; None if it uses more than names, ids, classes, attributes and simple positions."""
    found: list[_Compound] = []
    last: _Compound | None = None
    is_child = False
    end = 0
    for token in _TOKEN.finditer(text.strip()):
        if token.start() != end or (token["sign"] and last is None):
            return None
        end = token.end()
        if token["sign"] == ",":
            found, last = [*found, cast("_Compound", last)], None
        elif token["sign"] == ">":
            is_child = True
        elif token["compound"]:
            last = _compound(token["compound"], last, is_child)
            if last is None:
                return None
            is_child = False
    return [*found, last] if last is not None and end == len(text.strip()) else None


def _compound(text: str, outer: _Compound | None, is_child: bool) -> _Compound | None:
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    parts = list(_CONDITION.finditer(match["conditions"]))
    classes = frozenset(part["name"] for part in parts if part["sign"] == ".")
    return _Compound(
        match["tag"], classes, [_condition(part) for part in parts if part["sign"] != "."], outer, is_child
    )


def _condition(part: re.Match[str]) -> _Condition:
    if part["first"]:
        return _is_first_child if part["first"] == "first-child" else _is_first_of_type
    key, value = ("id", part["name"]) if part["sign"] else (part["key"], part["value"].strip("'\""))
    compare = {"^": str.startswith, "*": str.__contains__}.get(part["compared"] or "", str.__eq__)
    if part["compared"] and not value:
        return lambda element: False
    if part["negated"]:
        return lambda element: not compare(element.get(key) or "", value)
    return lambda element: (stated := element.get(key)) is not None and compare(stated, value)


def _is_first_child(element: etree._Element) -> bool:
    return next(element.itersiblings(etree.Element, preceding=True), None) is None


def _is_first_of_type(element: etree._Element) -> bool:
    return next(element.itersiblings(str(element.tag), preceding=True), None) is None
