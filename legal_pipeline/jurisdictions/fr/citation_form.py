"""The citation form of a French provision: `article L. 423-4 du code de la justice pénale des mineurs`, `article 2 de l'ordonnance …`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.printed import provision_number, schedule_of, with_path

_LETTER_CODE = re.compile(r"^(L[OP]?|[RDA]\*?)\.? ?(?=\d)")


def citation_of(country: Country, payload: Mapping[str, Any]) -> str:
    """Return the citation of a point's text; without a provision, the act and the path within it."""
    title, number = str(payload.get("title") or ""), provision_number(payload)
    provisions = country.section("provisions")
    if number is not None:
        provision = str(provisions["art"]["cite"].format(number=_LETTER_CODE.sub(r"\g<1>. ", number)))
    elif (schedule := schedule_of(provisions, payload)) is not None:
        provision = schedule
    else:
        return with_path(title, payload)
    if not title:
        return provision
    first = title if title.startswith("Constitution") else title[:1].lower() + title[1:]
    masculine = re.match(r"(?:code|décret|livre|règlement)\b", first)
    of = "du " if masculine else "de l'" if first[:1] in "aeioué" else "de la "
    return f"{provision} {of}{first}"
