"""Finds the rule of a profile that selects an element: simple CSS is tested on each element by its name, other selectors run as XPath.

XPath is slower: libxml2 compares every pair of elements if a selector has a comma, counts all elements before a first child, and walks
the whole document for each selector of a profile. Not here: the conversion of the elements (`profiles.elements`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import cssselect.parser as css
from lxml import etree
from lxml.cssselect import CSSSelector

_Condition = Callable[[etree._Element], bool]
_COMPARISONS: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda stated, expected: stated == expected,
    "^=": lambda stated, expected: stated.startswith(expected),
    "*=": lambda stated, expected: expected in stated,
}


@dataclass(frozen=True)
class _Compound:
    """`tag.class[key=value]` below `outer`; with `is_child`, directly below."""

    tag: str | None
    classes: frozenset[str] = frozenset()
    conditions: tuple[_Condition, ...] = ()
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
        if self.outer is None:
            return True
        above = element.getparent()
        while above is not None and not self.outer.selects(above):
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
    return Selector(text, CSSSelector(text, translator="xml"), _compounds(text))


def _compounds(text: str) -> list[_Compound]:
    """Return the alternatives of a selector; none if it uses more than names, ids, classes, attributes and simple positions."""
    try:
        return [_compound(alternative.parsed_tree) for alternative in css.parse(text)]
    except NotImplementedError:
        return []


def _compound(tree: css.Tree) -> _Compound:
    """Return the last element that `tree` selects. Raises `NotImplementedError` for a selector that needs XPath."""
    if isinstance(tree, css.Element):
        return _Compound(tree.element)
    if isinstance(tree, css.CombinedSelector):
        if tree.combinator not in (" ", ">"):
            raise NotImplementedError
        outer, is_child = _compound(tree.selector), tree.combinator == ">"
        return replace(_compound(tree.subselector), outer=outer, is_child=is_child)
    if isinstance(tree, css.Class):
        inner = _compound(tree.selector)
        return replace(inner, classes=inner.classes | {tree.class_name})
    condition = _condition(tree)
    inner = _compound(tree.selector)
    return replace(inner, conditions=(*inner.conditions, condition))


def _condition(tree: css.Tree) -> _Condition:
    match tree:
        case css.Hash(id=name):
            return lambda element: element.get("id") == name
        case css.Pseudo(ident="first-child"):
            return lambda element: next(element.itersiblings(etree.Element, preceding=True), None) is None
        case css.Pseudo(ident="first-of-type"):
            return lambda element: next(element.itersiblings(str(element.tag), preceding=True), None) is None
        case css.Negation(subselector=inner):
            negated = _compound(inner)
            return lambda element: not negated.selects(element)
        case css.Attrib(attrib=key, operator="exists"):
            return lambda element: key in element.attrib
        case css.Attrib(attrib=key, operator="=" | "^=" | "*=" as operator, value=css.Token(value=value)):
            if operator != "=" and not value:
                return lambda element: False
            compare, expected = _COMPARISONS[operator], str(value)
            return lambda element: (stated := element.get(key)) is not None and compare(stated, expected)
    raise NotImplementedError
