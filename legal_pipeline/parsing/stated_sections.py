"""How many sections a source says it has, counted on its own marks and not by the parser: what a parsed tree can be held against.

The marks of each format stand in `stated_sections.toml`, those of a country's own formats in its data (section `stated_sections`).
Not here: parsing, and what is done when the numbers differ.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.jurisdictions.countries import joined_section
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.json_source import parse_json

_SECTIONS = ("section", "article")


def stated_sections(source: SourceFile, format: str) -> int | None:
    """The number of sections that `source` marks or states, None where its format marks none that can be counted without parsing.

    Raises what reading JSON and XML raises; a source that was parsed as `format` before gives no error.
    """
    rule = _rules().get(format)
    if rule is None:
        return None
    if "number" in rule:
        found = re.search(rule["number"], source.text)
        return int(found[1]) if found is not None else None
    if "pattern" in rule:
        return sum(1 for _ in re.finditer(rule["pattern"], source.text)) or None
    if "items" in rule:
        value = parse_json(source)
        items = value.get(rule["items"]) if rule["items"] and isinstance(value, dict) else value
        return len(items) if isinstance(items, list) else None
    return int(float(str(parse_xml(source).xpath(rule["xpath"])))) or None


def found_sections(document: Document) -> int:
    """Sections and articles of the tree, repealed ones included; numbered paragraphs of judgments where it has neither."""
    types = [node.type for node in document.provisions()]
    sections = sum(type in _SECTIONS for type in types)
    return sections or len(types)


@functools.cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    shared = tomllib.loads(importlib.resources.files(__package__).joinpath("stated_sections.toml").read_text("utf-8"))
    return shared | joined_section("stated_sections")
