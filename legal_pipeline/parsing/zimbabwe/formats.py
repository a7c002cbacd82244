"""The formats of Zimbabwean publishers. Not here: the formats themselves."""

from __future__ import annotations

from legal_pipeline.parsing.countries import CountryFormats
from legal_pipeline.parsing.zimbabwe import zimlii_json

COUNTRY = CountryFormats("zw", 3, (zimlii_json.FORMAT,))
