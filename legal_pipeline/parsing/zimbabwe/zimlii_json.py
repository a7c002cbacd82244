"""ZimLII statutes as JSON: one flattened line per section, split again into sub-sections, paragraphs, provisos and remarks.

Not here: the layout of a provision's text (`building.provision_body`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.editorial import REMARK, is_repeal_remark, read_remark
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.provision_body import write_body
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.text.normalise import one_line

NAME = "zimlii_json"
VERSION = "3"

#: Maximum number of characters of a section in these files: the scraper cuts longer text.
_CUT_LENGTH = 8000

_LEVEL = re.compile(r"(Chapter|Part|Division|Schedule)\s+([A-Z0-9]+)\Z", re.IGNORECASE)
_ENACTED = re.compile(r"\b(?:be it (?:therefore )?enacted|enacted by the (?:parliament|president))\b", re.IGNORECASE)
_SCHEDULE = re.compile(
    r"(?<=[.\]”;:] )(?P<name>(?:(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth) )?Schedules?)"
    r" (?P<of>\((?:sections?|paragraphs?) [^()]*(?:\([^()]*\)[^()]*)*\))",
    re.IGNORECASE,
)
_NEXT_SCHEDULE = re.compile(r"(?:(?<=\s)|\A)" + _SCHEDULE.pattern.removeprefix(r"(?<=[.\]”;:] )"), re.IGNORECASE)
#: Headings of the next provisions, which the scraper left at the end of a section.
_HEADINGS = re.compile(
    r"(?:(?<=[.;:\]”)—] )|\A)(?:[A-Z] [–—-] [A-Z][^.;\[\]]{2,120} )?(?:Chapter|Part) [IVXLC]+[A-Z]? [–—-] (?=[A-Za-z])"
)
_LETTERED = re.compile(r"(?<=[.\]”] )(?P<num>[A-Z]) [–—-] (?P<heading>[A-Z][^.;:\[\]]{2,120})\Z")
_CITED = re.compile(r"(?:cited|known) as the .{3,150}?\[\s*Chapter\s+(?P<chapter>\d+:\d+)\s*\]")
_ID = r"([a-z]{2})-(\d{4})-(\w+)"
_NAMED = re.compile(rf'"id"\s*:\s*"{_ID}"')
_NOTE = re.compile(r"\bNote: [^.]*\.")
_HEADED = frozenset({"chapter", "part", "division"})


@dataclass(frozen=True, slots=True)
class _Provision:
    num: str
    heading: str
    text: str
    path: tuple[tuple[str, str], ...]
    truncated: bool
    position: str


def sniff(source: SourceFile) -> float:
    head = source.head.lstrip()
    # collections of other countries have the same keys, but name their works otherwise
    is_named = "/akn/" in head or "/akn/" in (source.url or "") or _NAMED.search(head) is not None
    if head.startswith("{") and '"provisions"' in head and '"provision_ref"' in head and is_named:
        return CERTAIN
    return NEAR if head[:1] in "{[" and head and ("provision" in head or "frbr_uri" in head) else NO


def parse(source: SourceFile) -> Document:
    """Parse one Act. Raises `ParseError` for other JSON, `EmptyDocumentError` for an Act without text."""
    data = parse_json(source)
    provisions = _provisions(data)
    frbr = _identity(data, source)
    builder = DocumentBuilder()
    warnings: list[str] = []
    body = [item for item in provisions if not _is_schedule(item)]
    preamble = [item for item in body if _is_preamble(item, body)]
    body = [item for item in body if item not in preamble]
    for item in preamble:
        text, _ = _without_headings(item, body[0] if body else None)
        with builder.node("preamble"):
            builder.add(text)
        warnings.append(f"provision {item.num} at {item.position} holds the preamble; it is not a section")
    schedules_text = _write_body_sections(builder, body, preamble[-1] if preamble else None)
    _write_schedules(builder, schedules_text, [item for item in provisions if _is_schedule(item)])
    truncated = [item.num for item in provisions if item.truncated]
    warnings += [f"section {num} was probably cut off at {_CUT_LENGTH:,} characters by the source" for num in truncated]
    year, issued = frbr.year, _stated(data, "issued_date")
    cited = next((match["chapter"] for item in body[:3] if (match := _CITED.search(item.text))), None)
    return builder.document(
        source,
        document_id=frbr.document_id,
        title=str(data.get("title") or source.hints.get("title") or frbr.number),
        jurisdiction=frbr.country,
        doc_type=frbr.doc_type,
        language=frbr.language or "eng",
        number=frbr.number,
        work_uri=frbr.work_uri,
        as_of_date=frbr.date or source.hints.get("as_of_date"),
        requires_manual_review=bool(truncated),
        warnings=tuple(warnings),
        metadata={
            # If only the year is known, the register states the first of January.
            "date_enacted": issued if issued is not None and not issued.endswith("-01-01") else None,
            "year_enacted": int(year[:4]) if year and year[:4].isdigit() else None,
            "chapter": f"Chapter {cited}" if cited else None,
            "temporal_status": _stated(data, "status"),
            "url": _stated(data, "url"),
        },
    )


def _stated(data: dict[str, Any], name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) else None


def _provisions(data: Any) -> list[_Provision]:
    rows = data.get("provisions") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise ParseError("no list `provisions`", position="top level", expected="a ZimLII statute")
    found: list[_Provision] = []
    for index, row in enumerate(rows):
        where = f"provisions[{index}]"
        if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("section", "content")):
            raise ParseError("a provision without `section` or `content`", position=where, expected="strings")
        num, heading, text = one_line(row["section"]), one_line(str(row.get("title") or "")), one_line(row["content"])
        prefix = f"{num}. {heading}".rstrip()
        if text.startswith(prefix):
            text = text[len(prefix) :].strip()
        if not text and not heading:
            continue
        path = tuple(
            (match.group(1).lower(), match.group(2))
            for part in str(row.get("chapter") or "").split(",")
            if (match := _LEVEL.match(part.strip()))
        )
        found.append(_Provision(num, heading, text, path, len(row["content"]) >= _CUT_LENGTH, where))
    if not found:
        raise EmptyDocumentError("no provision has text", expected="sections")
    return found


def _identity(data: dict[str, Any], source: SourceFile) -> WorkIdentity:
    for value in (_stated(data, "url"), source.url):
        if value is not None and (frbr := read_work_uri(value)) is not None:
            return frbr
    match = re.fullmatch(_ID, str(data.get("id") or ""))
    if match is None:
        raise ParseError("neither `url` nor `id` names the work", expected="/akn/zw/act/…")
    return WorkIdentity(match.group(1), None, "act", (match.group(2), match.group(3)))


def _is_schedule(item: _Provision) -> bool:
    return bool(item.path) and item.path[0][0] == "schedule"


def _is_preamble(item: _Provision, body: Sequence[_Provision]) -> bool:
    """Whether `item` is a preamble scraped as a section: its recitals quote the number of a section, and it has the enacting formula."""
    return not item.heading and bool(_ENACTED.search(item.text)) and sum(other.num == item.num for other in body) > 1


def _write_body_sections(builder: DocumentBuilder, body: Sequence[_Provision], before: _Provision | None) -> str:
    """Write parts, chapters and sections; return the text of the schedules after the last section."""
    path: tuple[tuple[str, str], ...] = ()
    headings = _without_headings(before, body[0])[1] if before and body else ""
    tail = ""
    for index, item in enumerate(body):
        following = body[index + 1] if index + 1 < len(body) else None
        if item.path != path:
            headings = _enter(builder, path, item.path, headings)
            path = item.path
        elif _LETTERED.search(f". {headings}"):
            _lettered(builder, headings)
            headings = ""
        text, found = _without_headings(item, following)
        if following is None and (match := _SCHEDULE.search(text)):
            text, tail = text[: match.start()].rstrip(), text[match.start() :]
        _section(builder, item, text)
        headings = f"{headings} {found}".strip()
    if headings:
        builder.heading(headings)
    builder.close_to(0)
    return tail


def _section(builder: DocumentBuilder, item: _Provision, text: str) -> None:
    with builder.node("section", item.num, item.heading or None) as section:
        builder.heading(f"{item.num}. {item.heading}".rstrip())
        if text:
            write_body(builder, [text], inline=True)
        if item.truncated:
            section.attributes["truncated"] = True
        if is_repeal_remark(text):
            section.status = "repealed"


def _without_headings(item: _Provision, following: _Provision | None) -> tuple[str, str]:
    """Return (text of `item`, the headings of the next provisions that the source left at its end)."""
    text = item.text
    if following is None:
        return text, ""
    for match in _HEADINGS.finditer(text, max(0, len(text) - 600)):
        return text[: match.start()].rstrip(), text[match.start() :]
    if following.path != item.path and following.path:
        kind, num = following.path[0]
        plain = re.search(rf"(?<=[:—] ){kind} {num} [A-Z][^.;]{{2,80}}\Z", text, re.IGNORECASE)
        if plain:
            return text[: plain.start()].rstrip(), plain.group()
    lettered = _LETTERED.search(text)
    if lettered is not None:
        return text[: lettered.start()].rstrip(), lettered.group()
    return text, ""


def _enter(
    builder: DocumentBuilder, old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]], headings: str
) -> str:
    """Close the levels that end and open the new levels with headings from `headings`; return the unused rest of `headings`."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    builder.close_to(same)
    rest = headings
    for kind, num in new[same:]:
        found = re.search(rf"(?<!\S){kind} {num}\b(?: [–—-])?\s*", rest, re.IGNORECASE)
        if found is None:
            builder.open(kind if kind in _HEADED else "division", num)
            continue
        skipped = rest[: found.start()].strip()
        if skipped:
            builder.heading(skipped)
        others = "|".join(rf"{a.capitalize()} {b}\b" for a, b in new)
        end = re.search(rf"\s(?:{others})|\sNote: |\s[A-Z] [–—-] |\s\[", rest[found.end() :])
        stop = found.end() + end.start() if end else len(rest)
        heading = rest[found.end() : stop].strip()
        builder.open(kind if kind in _HEADED else "division", num, heading or None)
        builder.heading(f"{found.group().strip()} {heading}".strip())
        rest = _remarks(builder, rest[stop:].strip())
        # The page shows the heading twice: in the table of contents and in its place.
        again = re.match(rf"{kind} {num} {re.escape(heading)}\s*", rest, re.IGNORECASE)
        rest = rest[again.end() :] if again else rest
    if _LETTERED.search(f". {rest}"):
        _lettered(builder, rest)
        return ""
    return rest


def _remarks(builder: DocumentBuilder, rest: str) -> str:
    """Write editorial brackets and notes at the start of `rest` as remarks of the open node; return the remaining text."""
    while match := (REMARK.match(rest) or _NOTE.match(rest)):
        remark = read_remark(match.group())
        start, end = builder.add(match.group())
        amendments = remark.amendments if remark else ()
        builder.remark(start, end, amendments)
        if builder.current is not None:
            builder.current.amendments += amendments
        rest = rest[match.end() :].strip()
    return rest


def _lettered(builder: DocumentBuilder, text: str) -> None:
    """Write a division headed by a letter (`B – Sexual crimes`), or a heading without a level."""
    builder.close_through("division")
    match = re.fullmatch(r"([A-Z]) [–—-] (.+)", text)
    if match is None:
        builder.heading(text)
        return
    builder.open("division", match.group(1), match.group(2))
    builder.heading(text)


def _write_schedules(builder: DocumentBuilder, tail: str, items: Sequence[_Provision]) -> None:
    names = list(dict.fromkeys(item.path[0] for item in items))
    matches = list(_NEXT_SCHEDULE.finditer(tail))
    if len(matches) == 1 and len(names) == 1:
        # The heading is after the last section; the content was scraped as separate sections.
        with builder.node("schedule", names[0][1], tail[matches[0].end() :].strip() or None):
            builder.heading(tail)
            for item in items:
                _section(builder, item, item.text)
        return
    ends = [*(match.start() for match in matches[1:]), len(tail)]
    for match, end in zip(matches, ends, strict=False):
        name, text = match["name"], tail[match.end() : end].strip()
        with builder.node("schedule", name.partition(" ")[0] if " " in name else None, name):
            builder.heading(f"{name} {match['of']}")
            if text:
                write_body(builder, [text], inline=True)
    for kind, num in names:
        with builder.node("schedule", num):
            builder.heading(f"{kind.capitalize()} {num}")
            for item in items:
                if item.path[0] == (kind, num):
                    _section(builder, item, item.text)


FORMAT = Format(NAME, "ZimLII statute as JSON (provisions with flattened content)", sniff, parse, VERSION)
