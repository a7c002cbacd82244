"""The formats of publishers in the United States. Not here: the formats themselves."""

from __future__ import annotations

from legal_pipeline.parsing.countries import CountryFormats
from legal_pipeline.parsing.usa import cfr_text, opinion_text, usc_markdown

COUNTRY = CountryFormats("us", 4, (usc_markdown.FORMAT, cfr_text.FORMAT, opinion_text.FORMAT))
