"""Sections of the Code of Federal Regulations from the eCFR's versioner (`www.ecfr.gov/api/versioner/v1`).

Not here: reading the XML (`parsing/profiles/ecfr.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote

from lxml import etree

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.errors import ConfigurationError, DocumentError, ParseError
from legal_pipeline.settings import Settings
from legal_pipeline.sources.http import HttpClient, OpenClient, Params
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.remote import changed_only, fetched, listed_json, rows, slices, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem
from legal_pipeline.system.checks import comma_separated

NAME = "ecfr"

LICENCE = Licence("Public domain (17 U.S.C. 105)", "https://www.ecfr.gov/reader-aids/ecfr-developer-resources", True)

#: Format of its files.
_FORMAT = "ecfr_xml"
_PAGE = 1000
_MOST_PAGES = 100
_PART = re.compile(r"(\d{1,2})/(\d+[A-Za-z]?)")
_KEY = re.compile(r"title-(\d{1,2})/part-(\d+[A-Za-z]?)/(section|appendix)-([^/\x00-\x1f]{1,200})\.xml")
_KINDS = ("section", "appendix")


@dataclass(frozen=True)
class Part:
    """A part of a title: `8/204`."""

    title: str
    part: str

    @property
    def prefix(self) -> str:
        return f"title-{self.title}/part-{self.part}/"


def parts(text: str) -> tuple[Part, ...]:
    """Parse `8/204,8/214` to parts. Raises `ConfigurationError`."""
    found = [_PART.fullmatch(piece) for piece in comma_separated(text)]
    if any(match is None for match in found):
        raise ConfigurationError(f"LEGAL_PIPELINE_ECFR_PARTS: {text!r}: expected title/part, as in 8/204,8/214")
    return tuple(Part(match[1], match[2]) for match in found if match is not None)


class EcfrSource:
    """The present sections (and appendices) of `parts`.

    Keys are `title-8/part-204/section-204.5.xml`; stamps are the dates of the latest version in the title. A section that its latest
    version removed is not listed.
    """

    name = NAME
    licence = LICENCE

    def __init__(self, client: HttpClient, parts: Sequence[Part], *, limits: Limits | None = None) -> None:
        self._client = client
        self._parts = tuple(parts)
        self._limits = limits or Limits()

    def list(self) -> Listing:
        """Return all parts. Raises `ListingError`, also for an empty part."""
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield a listing per part, in order; `after` is the cursor of the last listing seen. An empty part is doubtful."""
        current = self._current_dates()
        parts = {part.prefix: part for part in self._parts}
        prefixes = {prefix: prefix for prefix in parts}
        yield from slices(self.name, prefixes, lambda prefix: self._in_force(parts[prefix], current), after)

    def changes(self, since: str) -> Listing:
        """Return sections with a version issued on or after the day of `since` (a stamp, or an ISO date).

        It has no information about others.
        """
        current = self._current_dates()
        found: list[SourceItem] = []
        for part in self._parts:
            changed = self._versions(part, {"issue_date[gte]": since.partition(":")[0]} if since else None)
            found += self._items(part, changed, self._date_of(part, current))
        return changed_only(self.name, found)

    def item(self, key: str) -> SourceItem:
        """Return the section at `key` as listed now. Raises `DocumentError` if the source does not have it, or cannot be reached."""
        part, kind, identifier = _read_key(key)
        try:
            versions = self._versions(part, {kind: identifier})
            items = self._items(part, versions, self._date_of(part, self._current_dates()))
        except ListingError as error:
            raise DocumentError(str(error), document=key) from None
        found = next((item for item in items if item.key == key), None)
        if found is None:
            raise DocumentError("is not in force any more", document=key)
        return found

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the XML of the section alone, also if the answer has it inside its part.

        Raises `FetchError`, `ParseError` for truncated XML, `DocumentError` if the section is not in it.
        """
        part, kind, identifier = _read_key(item.key)
        if "date" not in item.hints:
            item = self.item(item.key)
        path = f"/full/{quote(str(item.hints['date']))}/title-{part.title}.xml"
        params = {"part": part.part, kind: identifier}
        answer = fetched(item.key, lambda: self._client.get(path, params, accept="application/xml"))
        name = f"{part.prefix.replace('/', '-')}{kind}-{identifier}.xml"
        data = _division(SourceFile(name, answer.data, limits=self._limits), kind, identifier)
        return SourceFile(
            name=name,
            data=data,
            url=item.url,
            fetched_at=answer.fetched_at,
            hints={
                "number": f"{part.title} CFR {identifier}",
                "title": item.hints.get("title") or f"{part.title} CFR {identifier}",
                "as_of_date": item.hints["as_of_date"],
                "cfr_title": part.title,
                "jurisdiction": "us",
                "format": _FORMAT,
                **LICENCE.hints,
            },
            limits=self._limits,
        )

    # -- lists ----------------------------------------------------------------------------------------------------------

    def _current_dates(self) -> dict[str, str]:
        """Return the day up to which each title is complete: a request for a later day gets 404."""
        body = listed_json(self.name, self._client, "/titles.json")
        found = rows(body.get("titles"), source=self.name, what="titles")
        if not found:
            raise ListingError(
                f"{self.name}: the listing of titles is empty; no document is removed, and the next poll asks again"
            )
        return {str(row.get("number")): str(row["up_to_date_as_of"]) for row in found if row.get("up_to_date_as_of")}

    def _date_of(self, part: Part, current: dict[str, str]) -> str:
        stated = current.get(part.title, "")
        try:
            return date.fromisoformat(stated).isoformat()
        except ValueError:
            raise ListingError(f"{self.name}: title {part.title} has no date up to which it is complete") from None

    def _versions(self, part: Part, selection: Params | None = None) -> Sequence[dict[str, Any]]:
        """Return the rows of all pages. Raises if the server repeats a page, or returns fewer rows than it counts."""
        found: list[dict[str, Any]] = []
        seen: set[str] = set()
        for page in range(1, _MOST_PAGES + 1):
            params = {"part": part.part, **(selection or {}), **({"page": page} if page > 1 else {})}
            body = listed_json(self.name, self._client, f"/versions/title-{part.title}.json", params)
            if "content_versions" not in body:
                raise ListingError(f"{self.name}: the answer has no content_versions")
            versions = rows(body["content_versions"], source=self.name, what="content_versions")
            new = [row for row in versions if repr(sorted(row.items())) not in seen]
            if versions and not new:
                raise DoubtfulListingError(
                    f"{self.name}: page {page} of the versions of title {part.title} is page 1 again; no document is removed, and the "
                    "next poll asks again"
                )
            seen.update(repr(sorted(row.items())) for row in new)
            found += new
            if len(versions) < _PAGE:
                _check_count(body, len(found))
                return found
        raise ListingError(f"{self.name}: more than {_MOST_PAGES} pages of versions of title {part.title}")

    def _in_force(self, part: Part, current: dict[str, str]) -> Sequence[SourceItem]:
        items = self._items(part, self._versions(part), self._date_of(part, current))
        if not items:
            raise DoubtfulListingError(f"{self.name}: {part.title} CFR part {part.part} is empty")
        return items

    def _items(self, part: Part, versions: Sequence[dict[str, Any]], current: str) -> Sequence[SourceItem]:
        latest: dict[tuple[str, str], dict[str, Any]] = {}
        for row in versions:
            kind, identifier = str(row.get("type") or "section"), str(row.get("identifier") or "").strip()
            if str(row.get("part") or part.part) != part.part or kind not in _KINDS:
                continue
            if not identifier or not row.get("issue_date"):
                raise ListingError(f"{self.name}: a version without identifier or issue_date")
            if str(row["issue_date"]) > current:  # announced; a request for it gets 404
                continue
            held = latest.get((kind, identifier))
            if held is None or _order(row) >= _order(held):
                latest[kind, identifier] = row
        return [
            self._listed_item(part, kind, identifier, row, current)
            for (kind, identifier), row in latest.items()
            if not _is_true(row.get("removed"))
        ]

    def _listed_item(self, part: Part, kind: str, identifier: str, row: dict[str, Any], current: str) -> SourceItem:
        key = f"{part.prefix}{kind}-{identifier}.xml"
        amended, issued = str(row.get("amendment_date") or row["issue_date"]), str(row["issue_date"])
        return SourceItem(
            key,
            key,
            stamp=f"{issued}:{amended}",
            url=f"https://www.ecfr.gov/on/{issued}/title-{part.title}/{kind}-{quote(identifier)}",
            hints={"date": current, "as_of_date": amended, "title": str(row.get("name") or "").strip()},
        )


def _read_key(key: str) -> tuple[Part, str, str]:
    match = _KEY.fullmatch(key)
    if match is None:
        raise DocumentError("is not a key of this source", document=key)
    return Part(match[1], match[2]), match[3], match[4]


def _order(row: dict[str, Any]) -> tuple[str, str]:
    return str(row["issue_date"]), str(row.get("amendment_date") or "")


def _is_true(value: Any) -> bool:
    return value is True or str(value).lower() == "true"


def _check_count(body: dict[str, Any], found: int) -> None:
    meta = body.get("meta")
    stated = meta.get("result_count") if isinstance(meta, dict) else None
    if stated is not None and str(stated) != str(found):
        raise DoubtfulListingError(f"{NAME}: the listing holds {found} versions of {stated}")


def _division(source: SourceFile, kind: str, identifier: str) -> bytes:
    """Return the requested division, taken out of the part that may contain it."""
    root = parse_xml(source)
    wanted = [
        element
        for element in root.iter("DIV8", "DIV9")
        if element.get("TYPE", "").lower() == kind and element.get("N", "").replace("§", "").strip() == identifier
    ]
    if len(wanted) != 1:
        raise ParseError(
            f"{len(wanted)} divisions of that number",
            document=source.name,
            format=_FORMAT,
            expected=f"one {kind} {identifier}",
        )
    division = wanted[0]
    division.tail = None
    return etree.tostring(division, encoding="utf-8", xml_declaration=True)


def opened(settings: Settings, client: OpenClient, limits: Limits) -> EcfrSource:
    """Open the source (see `sources.registry`)."""
    return EcfrSource(client(settings.ecfr_url), parts(settings.ecfr_parts), limits=limits)
