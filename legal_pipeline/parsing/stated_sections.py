"""Count the sections of a source from its own marks, without the parser, to check a parsed tree.

The marks of each format are in `stated_sections.toml`; those of a country's own formats are in its data (section `stated_sections`).
Not here: parsing, and the result of different numbers (`parsing.completeness`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.jurisdictions.countries import joined_section
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.system.data_files import data_file

_SECTIONS = ("section", "article")


def stated_sections(source: SourceFile, format: str) -> int | None:
    """Return the number of sections that `source` marks or states; None if its format has no marks that can be counted without parsing.

    Raises the errors of reading JSON and XML; a source already parsed as `format` raises no error.
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
    """Count sections and articles of the tree, including repealed provisions; without any, the numbered paragraphs of a judgment."""
    types = [node.type for node in document.provisions()]
    sections = sum(type in _SECTIONS for type in types)
    return sections or len(types)


@functools.cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    return data_file(__package__, "stated_sections.toml") | joined_section("stated_sections")
