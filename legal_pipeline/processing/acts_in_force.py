"""Find when the acts that amend a work took effect: from registers, from the amending acts themselves, from transitional provisions.

Not here: the use of these dates (`stages.provision_versions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.jurisdictions.series import default_series
from legal_pipeline.model.document import Document
from legal_pipeline.model.versions import act_number
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.text.dates import commencement

_ACT_NUMBER = re.compile(r"\d{4}:\d+")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def acts_in_force(expressions: Iterable[Document], acts: Iterable[AmendingAct] = ()) -> dict[str, str]:
    """Return number of the act -> ISO date.

    The work's register (`amending_acts` in its metadata) has priority, then the amending act itself, then the transitional provisions in
    the consolidated text ("2018:126: Denna lag träder i kraft den 21 april 2018").
    """
    registered: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for document in expressions:
        for act in document.metadata.get("amending_acts") or ():
            if _ISO_DATE.fullmatch(str(act.get("in_force"))):
                registered[act["number"]] = act["in_force"]
        series = default_series(jurisdiction(document.jurisdiction))
        for node in document.walk():
            if node.type == "transitional" and node.num and _ACT_NUMBER.fullmatch(node.num):
                date = commencement(document.text[node.start : node.end], document.language)
                if date is not None:
                    repeated[f"{series} {node.num}".strip()] = date
    own = {act.document_number: act.in_force_date.isoformat() for act in acts if act.in_force_date is not None}
    return {**repeated, **own, **registered}


def original_since(document: Document) -> str | None:
    """Return the date from which wordings without an amendment mark were in force: that of the Act.

    None if the publisher marks no amendments, so that a missing mark means nothing, and if the Act was reprinted, because a reprint drops
    the older marks.
    """
    since = document.metadata.get("in_force")
    if document.metadata.get("reprint") or not any(node.amendments for node in document.provisions()):
        return None
    return str(since) if since and _ISO_DATE.fullmatch(str(since)) else None


def reprinted_by(document: Document, in_force: dict[str, str]) -> str | None:
    """Return a date by which the Act was reprinted: its wordings without a mark were in force from then on, if not before. Else None."""
    reprint = document.metadata.get("reprint")
    if not reprint or not any(node.amendments for node in document.provisions()):
        return None
    number = act_number(str(reprint))
    return in_force.get(str(reprint)) or (f"{number[0] + 1}-01-01" if number else None)
