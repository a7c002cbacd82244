"""The formats of Swedish publishers. Not here: the formats themselves."""

from __future__ import annotations

from legal_pipeline.parsing.countries import CountryFormats
from legal_pipeline.parsing.sweden import (
    amendment_text,
    canonical_html,
    riksdagen_html,
    rkrattsbaser_html,
    rkrattsbaser_json,
    selex_markdown,
    sfst_html,
    sfst_text,
)
from legal_pipeline.parsing.sweden.official_print import parse_swedish_print

COUNTRY = CountryFormats(
    "se",
    1,
    (
        rkrattsbaser_html.FORMAT,
        rkrattsbaser_json.FORMAT,
        sfst_html.FORMAT,
        sfst_text.FORMAT,
        riksdagen_html.FORMAT,
        canonical_html.FORMAT,
        selex_markdown.FORMAT,
        amendment_text.FORMAT,
    ),
    parse_swedish_print,
)
