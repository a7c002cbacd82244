"""Legislation of the United Kingdom from legislation.gov.uk: Atom feeds by series and year, one CLML file per document and point in time.

The feeds are described at https://legislation.github.io/data-documentation/formats/atom.html. Not here: reading the XML (the profile
`clml_xml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from lxml import etree

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.errors import ConfigurationError, DocumentError, ParseError
from legal_pipeline.settings import Settings
from legal_pipeline.sources.http import HttpClient, OpenClient
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.remote import changed_only, fetched, listed, number, slices, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem
from legal_pipeline.system.checks import comma_separated

NAME = "legislation_gov_uk"

LICENCE = Licence(
    "Open Government Licence v3.0", "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/", True
)

_FORMAT = "clml_xml"
_ATOM = "{http://www.w3.org/2005/Atom}"
_FACET = "{http://www.legislation.gov.uk/namespaces/legislation}facetYear"
_MOST_PAGES = 1_000
_SERIES = re.compile(r"([a-z]{3,6})(?:/(\d{4}))?")
_ENTRY = re.compile(r"https?://[^/]+/id/(?P<path>(?P<series>[a-z]{3,6})/(?P<year>\d{4})/\d+)")
_KEY = re.compile(r"(?P<path>[a-z]{3,6}/\d{4}/\d+)(?:@(?P<day>\d{4}-\d{2}-\d{2}))?\.xml")


@dataclass(frozen=True)
class Series:
    """Documents of one kind (`ukpga`, `uksi`, `asp`, …), of one year or of all."""

    name: str
    year: str = ""


def series(text: str) -> tuple[Series, ...]:
    """Parse `ukpga,uksi/2024` to series. Raises `ConfigurationError`."""
    pieces = list(dict.fromkeys(comma_separated(text.lower())))
    found = [_SERIES.fullmatch(piece) for piece in pieces]
    if not pieces or not all(found):
        raise ConfigurationError(
            f"LEGAL_PIPELINE_LEGISLATION_GOV_UK_SERIES: {text!r}: expected series such as ukpga,uksi/2024"
        )
    return tuple(Series(match[1], match[2] or "") for match in found if match)


def days(text: str) -> tuple[str, ...]:
    """Parse `2020-01-01,2024-01-01` to days. Raises `ConfigurationError`."""
    try:
        return tuple(date.fromisoformat(piece).isoformat() for piece in dict.fromkeys(comma_separated(text)))
    except ValueError as error:
        raise ConfigurationError(
            f"LEGAL_PIPELINE_LEGISLATION_GOV_UK_DAYS: {error} (expected: days such as 2020-01-01)"
        ) from None


class LegislationGovUkSource:
    """The documents of `series`: their present texts, and their texts on each of `days`.

    Keys are `ukpga/2018/34.xml` and `ukpga/2018/34@2020-01-01.xml`, stamps the times of the last change in the feed.
    """

    name = NAME
    licence = LICENCE

    def __init__(
        self, client: HttpClient, series: Sequence[Series], *, days: Sequence[str] = (), limits: Limits | None = None
    ) -> None:
        self._client = client
        self._series = tuple(series)
        self._days = tuple(days)
        self._limits = limits or Limits()

    def list(self) -> Listing:
        """Return all series. Raises `ListingError`."""
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield a listing per series and year; `after` is the cursor of the last listing seen. A year without documents is doubtful."""
        places = (f"{series.name}/{year}" for series in self._series for year in self._years(series))
        yield from slices(self.name, {place: f"{place}/" for place in places}, self._documents, after)

    def changes(self, since: str) -> Listing:
        """Return documents changed at or after `since` (a time of the feed); the listing has no information about others."""
        found = [
            item
            for series in self._series
            for year in self._years(series)
            for item in self._documents(f"{series.name}/{year}")
        ]
        return changed_only(self.name, [item for item in found if item.stamp >= since])

    def item(self, key: str) -> SourceItem:
        """Return the document at `key`, without a request for its stamp."""
        return SourceItem(key, key, url=self._client.address(self._address(key)))

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the document's CLML. Raises `FetchError`, `ParseError` for truncated XML, `DocumentError` for another document."""
        address = self._address(item.key)
        answer = fetched(item.key, lambda: self._client.get(f"{address}/data.xml", accept="application/xml"))
        match = _KEY.fullmatch(item.key)
        assert match is not None
        file = SourceFile(
            name=item.key.replace("/", "-"),
            data=answer.data,
            url=self._client.address(address),
            fetched_at=answer.fetched_at,
            hints={
                "jurisdiction": "gb",
                "format": _FORMAT,
                **({"as_of_date": match["day"]} if match["day"] else {}),
                **LICENCE.hints,
            },
            limits=self._limits,
        )
        stated = str(parse_xml(file).get("DocumentURI", ""))
        asked = f"https://www.legislation.gov.uk/{match['path']}"
        if stated and read_work_uri(stated) != read_work_uri(asked):
            raise DocumentError(
                f"the answer is the document {stated[:200]}, expected {asked}; `legal-pipeline reconcile --repair` asks again",
                document=item.key,
            )
        return file

    def _address(self, key: str) -> str:
        match = _KEY.fullmatch(key)
        if match is None:
            raise DocumentError("is not a key of this source", document=key)
        return f"/{match['path']}" + (f"/{match['day']}" if match["day"] else "")

    # -- feeds ----------------------------------------------------------------------------------------------------------

    def _years(self, series: Series) -> Sequence[str]:
        """Return the years of a series that have documents, latest first."""
        if series.year:
            return [series.year]
        rows = self._feed(f"/{series.name}/data.feed").iter(_FACET)
        found = {str(row.get("year")) for row in rows if str(row.get("total") or "0") != "0"}
        if not found:
            raise ListingError(f"{self.name}: the feed of {series.name} names no years")
        return sorted(found, reverse=True)

    def _documents(self, place: str) -> Sequence[SourceItem]:
        stamps: dict[str, tuple[str, str]] = {}
        total = None
        for page in range(1, _MOST_PAGES + 1):
            feed = self._feed(f"/{place}/data.feed" + (f"?page={page}" if page > 1 else ""))
            year = place.partition("/")[2]
            total = next((row.get("total") for row in feed.iter(_FACET) if row.get("year") == year), total)
            for entry in feed.iter(f"{_ATOM}entry"):
                path = _ENTRY.fullmatch(entry.findtext(f"{_ATOM}id", "").strip())
                if path is None or f"{path['series']}/{path['year']}" != place:
                    raise ListingError(
                        f"{self.name}: the feed of {place} lists {entry.findtext(f'{_ATOM}id', '')!r:.100}"
                    )
                stamps[path["path"]] = (
                    entry.findtext(f"{_ATOM}updated", "").strip(),
                    entry.findtext(f"{_ATOM}title", "").strip(),
                )
            if not any(link.get("rel") == "next" for link in feed.iter(f"{_ATOM}link")):
                break
        stated = number(total, source=self.name, what="total") if total is not None else len(stamps)
        if not stamps or len(stamps) != stated:
            raise DoubtfulListingError(f"{self.name}: the feed of {place} holds {len(stamps)} documents of {stated}")
        return [item for path, (stamp, title) in stamps.items() for item in self._listed(path, stamp, title)]

    def _listed(self, path: str, stamp: str, title: str) -> Iterator[SourceItem]:
        for key in (f"{path}.xml", *(f"{path}@{day}.xml" for day in self._days)):
            address = self._client.address(self._address(key))
            yield SourceItem(key, key, stamp=stamp, url=address, hints={"title": title} if title else {})

    def _feed(self, address: str) -> etree._Element:
        answer = listed(self.name, lambda: self._client.get(address, accept="application/atom+xml"))
        try:
            return parse_xml(SourceFile(address, answer.data, limits=self._limits))
        except ParseError as error:
            raise ListingError(f"{self.name}: {error}") from None


def opened(settings: Settings, client: OpenClient, limits: Limits) -> LegislationGovUkSource:
    """Open the source (see `sources.registry`). Raises `ConfigurationError` without series."""
    return LegislationGovUkSource(
        client(settings.legislation_gov_uk_url),
        series(settings.legislation_gov_uk_series),
        days=days(settings.legislation_gov_uk_days),
        limits=limits,
    )
