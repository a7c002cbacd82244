"""Swedish statutes from the Riksdag's open data (`data.riksdagen.se`): lists by year, one JSON answer with HTML per statute.

Not here: reading the HTML (`parsing.sweden.riksdagen_html`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import DocumentError, EmptyDocumentError
from legal_pipeline.parsing.json_source import check_characters
from legal_pipeline.parsing.sweden import riksdagen_html, sfst_text
from legal_pipeline.settings import Settings
from legal_pipeline.sources.http import HttpClient, OpenClient
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.remote import changed_only, fetched, listed_json, number, rows, slice_or_doubt, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem, UnknownCursorError

NAME = "riksdagen"

#: Official texts have no copyright (9 § upphovsrättslagen); the Riksdag requires that its open data be named as the source.
LICENCE = Licence(
    "Riksdagens öppna data", "https://www.riksdagen.se/sv/dokument-och-lagar/riksdagens-oppna-data/", True
)

_PAGE = 100
#: The server answers page 101 with 400, even if there are more statutes.
_LAST_PAGE = 100
#: The oldest statute in force is the building code of 1736; earlier years are polled only while statutes are missing from the count.
_FIRST_YEAR = 1600
#: Numbers of supplements contain more than digits.
_KEY = re.compile(r"(sfs-(\d{4})-([^/\\\x00-\x1f]{1,60}))\.json")


class RiksdagenSource:
    """All statutes (`doktyp=sfs`). Keys are `sfs-1977-1160.json`, stamps are `systemdatum`.

    A stamp may change for thousands of statutes in a day without a change of text: the fetched file is only the statute's HTML, so its
    bytes stay the same.
    """

    name = NAME
    licence = LICENCE

    def __init__(self, client: HttpClient, *, limits: Limits | None = None, today: date | None = None) -> None:
        self._client = client
        self._limits = limits or Limits()
        self._today = today

    def list(self) -> Listing:
        """Return all years.

        Raises `ListingError` for a failed or contradictory answer, and if the years together do not have every statute.
        """
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield a listing per year, latest first, each complete in itself; `after` is the cursor of the last listing seen.

        Raises `ListingError`.

        The listing after the last year is doubtful if the years together do not have every statute.
        """
        yield from self._years(self._total(), *self._start(after))

    def changes(self, since: str) -> Listing:
        """Return statutes changed at or after `since` (a `systemdatum`, `2025-06-17 04:32:10`).

        The listing has no information about others.
        """
        found: list[SourceItem] = []
        for page in range(1, _LAST_PAGE + 1):
            answer = self._page(page, {"sort": "systemdatum", "sortorder": "desc"})
            items = self._items(answer)
            new = [item for item in items if item.stamp >= since]
            found += new
            if len(new) < len(items) or page >= self._pages(answer):
                return changed_only(self.name, found)
        raise ListingError(
            f"{self.name}: more than {_PAGE * _LAST_PAGE:,} statutes changed since {since}: list all of them"
        )

    def item(self, key: str) -> SourceItem:
        """Return the statute at `key` as listed now."""
        match = _KEY.fullmatch(key)
        if match is None:
            raise DocumentError("is not a key of this source", document=key)
        try:
            found = self._items(self._page(1, {"rm": match[2], "nr": match[3]}))
        except ListingError as error:
            raise DocumentError(str(error), document=key) from None
        return next((item for item in found if item.key == key), SourceItem(key, key, url=self._url(match[1])))

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the statute's HTML, or its text if the source has no HTML.

        Raises `FetchError`, or `DocumentError` for another statute's answer, an empty answer, and an answer with half a character in it.
        """
        match = _KEY.fullmatch(item.key)
        if match is None:
            raise DocumentError("is not a key of this source", document=item.key)
        dok_id = match[1]
        path = f"/dokument/{quote(dok_id)}.json"
        answer = fetched(item.key, lambda: self._client.get(path, accept="application/json"))
        body = fetched(item.key, answer.json)
        check_characters(body, document=item.key)
        status = _object(body, "dokumentstatus", item.key)
        document = _object(status, "dokument", item.key)
        if str(document.get("dok_id", "")).lower() != dok_id:
            raise DocumentError(f"the answer is about {document.get('dok_id')!r:.40}", document=item.key)
        html, text = (str(document.get(name) or "") for name in ("html", "text"))
        if not html.strip() and not text.strip():
            raise EmptyDocumentError("neither html nor text", document=item.key, expected="the statute's text")
        ending, data, format = ("html", html, riksdagen_html.NAME) if html.strip() else ("txt", text, sfst_text.NAME)
        return SourceFile(
            name=f"{dok_id}.{ending}",
            data=data.encode("utf-8"),
            url=self._url(dok_id),
            fetched_at=answer.fetched_at,
            hints={**_hints(document, status), "format": format},
            limits=self._limits,
        )

    # -- lists ----------------------------------------------------------------------------------------------------------

    def _start(self, after: str) -> tuple[int, int]:
        """Return (first year, number of statutes seen before)."""
        if not after:
            # acts are numbered before their year begins: those of January are issued in December
            return (self._today or datetime.now(UTC).date()).year + 1, 0
        year, _, seen = after.partition(":")
        if not (year.isdigit() and seen.isdigit()):
            raise UnknownCursorError(f"{self.name}: {after!r} is not a cursor of this source")
        return int(year) - 1, int(seen)

    def _years(self, total: int, first: int, seen: int) -> Iterator[Listing]:
        for year in range(first, _FIRST_YEAR - 1, -1):
            # counted again: a statute that was published meanwhile would stand for one of an older year
            if seen >= total and seen >= (total := self._total()):
                break
            part = slice_or_doubt(self.name, functools.partial(self._year, year), f"sfs-{year}-", cursor="")
            seen += len(part.items)
            yield replace(part, cursor=f"{year}:{seen}")
        if seen != total and seen != self._total():
            doubt = f"{self.name}: the years hold {seen:,} statutes of {total:,}"
            yield Listing(self.name, (), cursor=f"{_FIRST_YEAR}:{seen}", doubt=doubt)

    def _year(self, year: int) -> Sequence[SourceItem]:
        found: dict[str, SourceItem] = {}
        page = pages = 1
        total = 0
        while page <= pages:
            # in the order of dates, which do not change with the stamp: pages must not shift during the listing
            answer = self._page(page, {"rm": str(year), "sort": "datum", "sortorder": "asc"})
            total, pages = self._count(answer), self._pages(answer)
            if pages > _LAST_PAGE:
                raise ListingError(f"{self.name}: {year} has {pages} pages, and no more than {_LAST_PAGE} can be read")
            items = self._items(answer)
            if any(not item.key.startswith(f"sfs-{year}-") for item in items):
                raise DoubtfulListingError(f"{self.name}: the list of {year} holds statutes of other years")
            found.update((item.key, item) for item in items)
            page += 1
        if len(found) != total:
            raise DoubtfulListingError(f"{self.name}: the list of {year} holds {len(found)} statutes of {total}")
        return list(found.values())

    def _total(self) -> int:
        total = self._count(self._page(1, {"sort": "systemdatum", "sortorder": "desc"}))
        if total == 0:
            raise ListingError(f"{self.name}: the listing is empty")
        return total

    def _page(self, page: int, selection: dict[str, str]) -> dict[str, Any]:
        params = {"doktyp": "sfs", "utformat": "json", "sz": str(_PAGE), "p": str(page), **selection}
        body = listed_json(self.name, self._client, "/dokumentlista/", params)
        answer = body.get("dokumentlista")
        if not isinstance(answer, dict):
            raise ListingError(f"{self.name}: the answer has no dokumentlista")
        return answer

    def _count(self, answer: dict[str, Any]) -> int:
        return number(answer.get("@traffar"), source=self.name, what="@traffar")

    def _pages(self, answer: dict[str, Any]) -> int:
        return max(number(answer.get("@sidor"), source=self.name, what="@sidor"), -(-self._count(answer) // _PAGE))

    def _items(self, answer: dict[str, Any]) -> Sequence[SourceItem]:
        found = rows(answer.get("dokument"), source=self.name, what="dokument")
        if not found and self._count(answer):
            raise DoubtfulListingError(f"{self.name}: a page without statutes, of {self._count(answer)}")
        return [self._listed_item(row) for row in found]

    def _listed_item(self, row: dict[str, Any]) -> SourceItem:
        dok_id = str(row.get("dok_id") or row.get("id") or "").lower()
        if not _KEY.fullmatch(f"{dok_id}.json"):
            raise ListingError(
                f"{self.name}: {dok_id!r:.40} in the list of statutes is not the id of a statute (expected: such as sfs-2010-110); the "
                "next poll asks again"
            )
        return SourceItem(
            f"{dok_id}.json", f"{dok_id}.json", stamp=str(row.get("systemdatum") or ""), url=self._url(dok_id)
        )

    def _url(self, dok_id: str) -> str:
        return self._client.address(f"/dokument/{quote(dok_id)}.html")


def _object(value: dict[str, Any], name: str, document: str) -> dict[str, Any]:
    found = value.get(name)
    if not isinstance(found, dict):
        raise DocumentError(f"the answer has no {name}", document=document)
    return found


def _hints(document: dict[str, Any], status: dict[str, Any]) -> dict[str, Any]:
    """Return the answer's facts in addition to the text, without dates that change with the stamp: the statute would seem changed.

    The source gives no date of the expression; the text states the last consolidated amending act.
    """
    details = {
        str(row.get("kod")): str(row["text"]).strip()
        for row in _details(status)
        if row.get("kod") and str(row.get("text") or "").strip()
    }
    given = {
        "number": document.get("beteckning"),
        "title": document.get("titel"),
        "jurisdiction": "se",
        "language": "swe",
        "metadata": details,
    }
    return {**{name: value for name, value in given.items() if value}, **LICENCE.hints}


def _details(status: dict[str, Any]) -> list[dict[str, Any]]:
    for name in ("dokuppgift", "dokumentuppgift"):
        group = status.get(name)
        if isinstance(group, dict) and group:
            found = group.get("uppgift")
            return [row for row in (found if isinstance(found, list) else [found]) if isinstance(row, dict)]
    return []


def opened(settings: Settings, client: OpenClient, limits: Limits) -> RiksdagenSource:
    """Open the source (see `sources.registry`)."""
    return RiksdagenSource(client(settings.riksdagen_url), limits=limits)
