"""Identity of the parts and sections of the Code of Federal Regulations.

Not here: their text (`usa.ecfr_xml`, `usa.cfr_text`).
"""

from __future__ import annotations

import re

from legal_pipeline.model.document import Amendment
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.text.dates import first_date

#: "[42 FR 65131, Dec. 30, 1977, as amended at 55 FR 46037, Nov. 1, 1990; ...]"
_FR_CITATION = re.compile(r"(?P<by>\d+ (?:FR|F\.R\.) \d+)(?:, (?P<date>[A-Z][a-z]+\.? \d{1,2}, \d{4}))?")


def section_identity(title: str, section: str) -> tuple[str, str]:
    """Return (document id, work URI) of a section: ("8", "204.5") -> (`us-cfr-8-204.5`, `us/cfr/t8/p204/s204.5`)."""
    return document_id("us", "cfr", title, section), f"us/cfr/t{title}/p{section.partition('.')[0]}/s{section}"


def part_identity(title: str, part: str) -> tuple[str, str]:
    """Return (document id, work URI) of a part: ("3", "101") -> (`us-cfr-3-101`, `us/cfr/t3/p101`)."""
    return document_id("us", "cfr", title, part), f"us/cfr/t{title}/p{part}"


def appendix_identity(title: str, appendix: str) -> tuple[str, str]:
    """Return (document id, work URI): ("8", "Appendix A to Part 1003") -> (`us-cfr-8-appendix-a-to-part-1003`, `us/cfr/t8/…`)."""
    return document_id("us", "cfr", title, appendix), f"us/cfr/t{title}/{slug(appendix)}"


def title_identity(title: str) -> tuple[str, str]:
    """Return (document id, work URI) of a whole title."""
    return document_id("us", "cfr", "title", title), f"us/cfr/t{title}"


def source_amendments(citation: str) -> tuple[Amendment, ...]:
    """Return the Federal Register documents named in a source citation; the first enacted the text, the others amended it."""
    found: list[Amendment] = []
    for match in _FR_CITATION.finditer(citation):
        action = "inserted" if not found else "amended"
        found.append(Amendment(match.group("by"), first_date(match.group("date") or "", "eng", "month first"), action))
    return tuple(found)
