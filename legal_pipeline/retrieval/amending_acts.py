"""The acts that amend the provision of a hit: amending acts are read at query time and never chunked.

Not here: the storage of acts (`registry.registry`) and the parsing of their enacting words (`parsing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.retrieval.hit import HitAmendment
from legal_pipeline.stores.store import Payload

_PARTS = re.compile(r"(\d+)\s*([a-zåäö]?)")

#: A provision that an act names: {chapter, section, action}, missing keys omitted (`Document.metadata` of an amending act).
NamedProvision = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReadAct:
    """An amending act and the provisions that its enacting words name."""

    act: AmendingAct
    provisions: Sequence[NamedProvision]


def amendments_of(
    payload: Payload, acts: Iterable[ReadAct], *, or_any_unnamed: bool = False
) -> tuple[HitAmendment, ...]:
    """Return the `acts` (of the hit's base law, in their order) that name the hit's provision; all acts if the hit is not a provision.

    `or_any_unnamed`: also the acts whose provisions are not known, as they may amend any.
    The act that the provision's own note names as its last amendment is included even if it is not in `acts`, or names no provisions.
    """
    chapter, section = _compact(payload.get("chapter")), _compact(_number(payload.get("section")))
    noted = str(payload.get("amended_by") or "")
    found = []
    for read in acts:
        touching = [provision for provision in read.provisions if not section or _touches(provision, chapter, section)]
        is_unnamed = or_any_unnamed and not read.provisions
        if touching or not section or is_unnamed or read.act.document_number == noted:
            actions = dict.fromkeys(provision["action"] for provision in touching if provision.get("action"))
            found.append(
                HitAmendment(
                    read.act.document_number,
                    read.act.title,
                    read.act.in_force_date.isoformat() if read.act.in_force_date else None,
                    tuple(_cited(provision) for provision in read.provisions),
                    ", ".join(actions) or None,
                )
            )
    if section and noted and all(provision.number != noted for provision in found):
        own = (item for item in reversed(payload.get("amendment_history") or ()) if item.get("by") == noted)
        last: Mapping[str, str] = next(own, {})
        found.append(HitAmendment(noted, None, last.get("date"), (), last.get("action")))
    return tuple(found)


def _touches(named: NamedProvision, chapter: str, section: str) -> bool:
    if "chapter" in named and chapter and _compact(named["chapter"]) != chapter:
        return False
    if "section" not in named:
        return bool(chapter)
    first, _, last = named["section"].partition("–")
    if not last:
        return _compact(first) == section
    # "6 a–8 c": the list does not show which lettered provisions exist
    return _key(first) <= _key(section) <= _key(last)


def _cited(named: NamedProvision) -> str:
    chapter = f"{named['chapter']} kap." if named.get("chapter") else ""
    section = f"{named['section']} §" if named.get("section") else ""
    return " ".join(part for part in (chapter, section) if part)


def _number(section: object) -> str:
    """`3 a §` -> `3 a`, `Section 12A — Retrenchment` -> `12A`."""
    plain = str(section or "").partition(" — ")[0].removesuffix("§").strip()
    return plain.rpartition("Section ")[2] if "Section " in plain else plain


def _compact(number: object) -> str:
    return "".join(str(number or "").split()).lower()


def _key(number: str) -> tuple[int, str]:
    match = _PARTS.match(number.strip().lower())
    return (int(match[1]), match[2]) if match else (0, "")
