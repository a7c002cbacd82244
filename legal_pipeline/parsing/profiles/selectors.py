"""Which elements a selector of a profile selects: CSS by an index of the document's elements, everything else by XPath.

An index, because libxml2 compares each element with each where a selector has a comma, counts all elements before a first child, and
walks the whole document for each of the selectors of a profile. Not here: what is done with the elements (`profiles.elements`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from lxml import etree
from lxml.cssselect import CSSSelector

#: One element of a selector: a name, and what its id, classes and attributes must be.
_COMPOUND = re.compile(
    r"(?P<tag>[\w-]+)?(?P<conditions>(?:[.#][\w-]+|\[[\w-]+\^?=(?:'[^']*'|\"[^\"]*\"|[\w-]+)\]|:first-child)*)"
)
_CONDITION = re.compile(
    r"(?P<sign>[.#])(?P<name>[\w-]+)|\[(?P<key>[\w-]+)(?P<start>\^?)=(?P<value>'[^']*'|\"[^\"]*\"|[\w-]+)\]|(?P<first>:first-child)"
)
#: What stands between two elements of a selector; a quoted value may hold such signs.
_TOKEN = re.compile(r"\s*(?P<sign>[,>])\s*|(?P<space>\s+)|(?P<compound>(?:\[[^\]]*\]|[^\s,>\[])+)")

_Condition = Callable[[etree._Element], bool]


@dataclass(frozen=True)
class _Compound:
    """`tag.class[key=value]`. `keys`: attributes that the element has; `is_child`: it stands right below the one before it."""

    tag: str | None
    classes: frozenset[str]
    conditions: Sequence[_Condition]
    keys: Sequence[str] = ()
    is_child: bool = False

    def matches(self, element: etree._Element) -> bool:
        if self.tag is not None and element.tag != self.tag:
            return False
        if self.classes and not self.classes.issubset((element.get("class") or "").split()):
            return False
        return all(condition(element) for condition in self.conditions)


@dataclass(frozen=True)
class Selector:
    """`xpath` selects where `chains` (the alternatives of a selector, each from the outermost element to the selected one) are empty."""

    text: str
    xpath: etree.XPath
    chains: Sequence[Sequence[_Compound]] = ()


class ElementIndex:
    """The elements of a document by name, by class and by attribute, in the order of the document."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._by_tag: dict[str, list[etree._Element]] = {}
        self._by_class: dict[str, list[etree._Element]] = {}
        self._by_key: dict[str, list[etree._Element]] = {}
        self._all: list[etree._Element] = list(root.iter(etree.Element))
        for element in self._all:
            self._by_tag.setdefault(str(element.tag), []).append(element)
            if names := element.get("class"):
                for name in set(names.split()):
                    self._by_class.setdefault(name, []).append(element)

    def select(self, selector: Selector) -> Iterable[etree._Element]:
        """Each selected element, at least once."""
        if not selector.chains:
            return cast("list[etree._Element]", selector.xpath(self._root))
        return (element for chain in selector.chains for element in self._by_chain(chain))

    def _by_chain(self, chain: Sequence[_Compound]) -> Iterator[etree._Element]:
        last = chain[-1]
        candidates = self._all if last.tag is None else self._by_tag.get(last.tag, [])
        for name in last.classes:
            candidates = min(candidates, self._by_class.get(name, []), key=len)
        for key in last.keys:
            candidates = min(candidates, self._with(key), key=len)
        return (element for element in candidates if last.matches(element) and _stands_below(element, chain))

    def _with(self, key: str) -> list[etree._Element]:
        if key not in self._by_key:
            self._by_key[key] = [element for element in self._all if element.get(key) is not None]
        return self._by_key[key]


def css_selector(text: str) -> Selector:
    """The selector that `text`, CSS, is. Raises `ValueError` for what is not CSS."""
    # The document's own namespace was taken off its names, so plain names of CSS are what they seem.
    return Selector(text, CSSSelector(text, translator="xml"), _chains(text) or ())


def _chains(text: str) -> list[list[_Compound]] | None:
    """The alternatives of a selector; None where it says more than names, classes, attributes and where elements stand."""
    chains: list[list[_Compound]] = [[]]
    is_child = False
    end = 0
    for token in _TOKEN.finditer(text.strip()):
        if token.start() != end:
            return None
        end = token.end()
        if token["sign"] == ",":
            chains.append([])
        elif token["sign"] == ">":
            is_child = True
        elif token["compound"]:
            compound = _compound(token["compound"], is_child)
            if compound is None:
                return None
            chains[-1].append(compound)
            is_child = False
    return chains if end == len(text.strip()) and all(chains) else None


def _compound(text: str, is_child: bool) -> _Compound | None:
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    classes: set[str] = set()
    conditions: list[_Condition] = []
    keys: list[str] = []
    for part in _CONDITION.finditer(match["conditions"]):
        if part["sign"] == ".":
            classes.add(part["name"])
        elif part["sign"] == "#":
            conditions.append(_has_value("id", part["name"]))
            keys.append("id")
        elif part["first"]:
            conditions.append(_is_first_child)
        else:
            value = part["value"].strip("'\"")
            keys.append(part["key"])
            conditions.append(_begins_with(part["key"], value) if part["start"] else _has_value(part["key"], value))
    return _Compound(match["tag"], frozenset(classes), conditions, keys, is_child)


def _has_value(key: str, value: str) -> _Condition:
    return lambda element: element.get(key) == value


def _begins_with(key: str, value: str) -> _Condition:
    return lambda element: bool(value) and (element.get(key) or "").startswith(value)


def _is_first_child(element: etree._Element) -> bool:
    return next(element.itersiblings(etree.Element, preceding=True), None) is None


def _stands_below(element: etree._Element, chain: Sequence[_Compound]) -> bool:
    """Whether the elements above `element` are those that the chain names before its last."""
    if len(chain) == 1:
        return True
    outer = chain[:-1]
    above = element.iterancestors()
    if chain[-1].is_child:
        parent = next(above, None)
        return parent is not None and outer[-1].matches(parent) and _stands_below(parent, outer)
    return any(outer[-1].matches(parent) and _stands_below(parent, outer) for parent in above)
