"""Converts JSON to a tree of elements, so that the same rules apply: HTML fragments by kind and depth, or objects by their keys.

Not here: the meaning of the elements (the profiles).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.parsing.profiles.elements import add_html
from legal_pipeline.parsing.profiles.profile import Profile
from legal_pipeline.text.markup import with_xml_characters


def json_tree(source: SourceFile, profile: Profile) -> etree._Element:
    """Return the tree of `source`: of fragments if the profile has `options`, else an element per key and an `item` per list entry.

    Raises `ParseError` if the JSON does not have the form that the profile states.
    """
    value = parse_json(source)
    try:
        return _fragments(value, profile.options) if profile.options else plain_tree("document", value)
    except (ValueError, KeyError, TypeError) as error:
        raise ParseError(
            f"not the JSON of this format: {error!r}", expected=str(profile.options.get("items", "an object"))
        ) from error


def _fragments(value: Any, options: Mapping[str, str]) -> etree._Element:
    """Return one element per fragment, named by its kind, inside the fragment that contains it; its string values are attributes."""
    root = etree.Element("document")
    open_elements: list[tuple[int, etree._Element]] = [(-1, root)]
    for item in value[options["items"]]:
        depth = int(item[options["depth"]])
        while open_elements[-1][0] >= max(depth, 0):
            open_elements.pop()
        element = etree.SubElement(open_elements[-1][1], item[options["kind"]])
        for key, text in item.items():
            if isinstance(text, str) and key != options["html"]:
                element.set(key, with_xml_characters(text))
        if html := item.get(options["html"]):
            add_html(etree.SubElement(element, "text"), html)
        open_elements.append((depth, element))
    return root


def plain_tree(name: str, value: Any) -> etree._Element:
    """Return an element `name` with an element per key and an `item` per list entry. Raises no error for a value of JSON."""
    element = etree.Element(name)
    waiting: list[tuple[etree._Element, Any]] = [(element, value)]
    while waiting:
        parent, held = waiting.pop()
        if isinstance(held, dict):
            rows = [(str(key), row) for key, row in held.items()]
        elif isinstance(held, list):
            rows = [("item", row) for row in held]
        else:
            parent.text = None if held is None else with_xml_characters(str(held))
            continue
        for key, row in rows:
            plain = key.isidentifier() and key.isascii()
            child = etree.SubElement(parent, key if plain else "item", {} if plain else {"key": key})
            waiting.append((child, row))
    return element
