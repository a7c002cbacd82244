"""The number in the title of an act of the Union itself, in any language, "COUNCIL REGULATION (EC) No 1/2003 of …", and in the first line
of a consolidated text.

Not here: numbers of acts in running text (`citations`).
"""

from __future__ import annotations

import functools
import re

from legal_pipeline.citations.country import Country
from legal_pipeline.jurisdictions.eu.citations import (
    NUMBER_FIRST,
    NUMBERS,
    OF_UNION,
    SIGN,
    institutions,
    kinds_of_acts,
)
from legal_pipeline.jurisdictions.eu.member_states import act_uri

#: Kind of act -> its letter in CELEX numbers.
_LETTERS = {"regulation": "R", "directive": "L", "decision": "D", "recommendation": "H"}
#: Without an abbreviation of the Union, the number may be that of another act.
_OF_UNION = re.compile(rf"\((?:{OF_UNION})\b|/(?:{OF_UNION})\b", re.IGNORECASE)

#: The first line of a consolidated text: "1998F0699 — DE — 05.07.2001 — 001.001".
_COVER = re.compile(r"0?(?P<act>\d{4}[A-Z]{1,2}\d{4}) — [A-Z]{2} — (?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d{4})\b")


def work_of_title(country: Country, title: str) -> str | None:
    """Return the CELEX number of the act whose title this is; None for the title of another act, also if it names an act of the Union.

    For the first line of a consolidated text it is the number of this wording, which states its day: `01998F0699-20010705`.
    """
    if cover := _COVER.match(title):
        return "0{act}-{year}{month}{day}".format_map(cover.groupdict())
    matches = (pattern.match(title) for pattern in _patterns(country))
    return next(
        (_celex(act_uri(found.groupdict())) for found in matches if found and _OF_UNION.search(found.group())), None
    )


def _celex(uri: str) -> str:
    kind, year, number = uri.split("/")[-3:]
    return f"3{year}{_LETTERS[kind]}{int(number):04}"


@functools.cache
def _patterns(country: Country) -> tuple[re.Pattern[str], ...]:
    kinds = kinds_of_acts(country)
    # the institution behind the word for the act; the title of an act that implements another has a second such word
    words = rf"(?:(?!{re.sub('[?]P<[a-z]+>', '?:', kinds)})[^\W\d_]\S* ){{0,6}}?"
    named = rf"(?>{institutions(country)}){kinds}\S* {words}(?:\(\w+(?:, ?Euratom)?\) )?{SIGN}{NUMBERS}"
    behind = rf"(?:[^\W\d_]\S* ){{0,6}}?{NUMBER_FIRST}"
    return tuple(re.compile(form, re.IGNORECASE) for form in (named, behind))
