"""The federal rules of procedure and of evidence by their title. Not here: citations of their rules (`citations`)."""

from __future__ import annotations

import re

from legal_pipeline.citations.country import Country
from legal_pipeline.jurisdictions.us.citations import FEDERAL_RULES, federal_rules

_TITLE = re.compile(rf"(?:the )?({FEDERAL_RULES})", re.IGNORECASE)


def work_of_title(country: Country, title: str) -> str | None:
    """Return the URI of the federal rules with this title; None for any other title."""
    match = _TITLE.fullmatch(title.strip(" ."))
    return federal_rules(match[1]) if match is not None else None
