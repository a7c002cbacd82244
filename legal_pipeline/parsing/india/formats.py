"""The formats of Indian publishers. Not here: the formats themselves."""

from __future__ import annotations

from legal_pipeline.parsing.countries import CountryFormats
from legal_pipeline.parsing.india import (
    act_text,
    acts_json,
    india_code_lino,
    india_code_markdown,
    judgment_rr,
    judgment_spans,
    judgment_text,
)

COUNTRY = CountryFormats(
    "in",
    2,
    (
        india_code_markdown.FORMAT,
        india_code_lino.FORMAT,
        acts_json.FORMAT,
        judgment_rr.FORMAT,
        judgment_spans.FORMAT,
        judgment_text.FORMAT,
        act_text.FORMAT,
    ),
)
