"""What is asked of all countries at once, or of any: their names, how they write dates, and tables that each adds a part to.

Not here: the loader of a country's data (`jurisdictions.jurisdiction`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from legal_pipeline.jurisdictions.jurisdiction import countries, jurisdiction
from legal_pipeline.text.dates import NumericOrder


def date_order(code: str) -> NumericOrder:
    """How dates in numbers alone are written in the country `code`; "" where it is not known."""
    return cast("NumericOrder", jurisdiction(code).data.get("date_order", ""))


def country_codes() -> Mapping[str, str]:
    """Names of countries as their statutes and judgments print them, to their codes."""
    return {str(name): country.code for country in countries() for name in country.data.get("names", ())}


def country_named(text: str) -> str | None:
    """The code of the country that `text` names most often, of several the first; None where it names none.

    An Act names its own country, and others once in a while.
    """
    codes = country_codes()
    found: dict[str, int] = {}
    folded = {name.casefold(): code for name, code in codes.items()}
    names = "|".join(map(re.escape, codes))
    for match in re.finditer(rf"\b(?:{names})\b", text, re.IGNORECASE) if names else ():
        code = folded[match.group().casefold()]
        found[code] = found.get(code, 0) + 1
    return max(found, key=found.__getitem__, default=None)


def held_by(work_uri: str) -> str | None:
    """The work in whose document this one may stand: a section of a code, in its part. None for all others."""
    for pattern in (country.data.get("held_by") for country in countries()):
        if pattern and (match := re.match(pattern, work_uri)):
            return match[1]
    return None


def joined_section(name: str) -> dict[str, Any]:
    """A section to which each country adds entries of its own."""
    return {key: value for country in countries() for key, value in country.section(name).items()}
