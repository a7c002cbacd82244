"""Legislation of African countries from the Laws.Africa API (v3): one Akoma Ntoso file per expression.

Not here: reading the XML (`akn.xml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.settings import Settings
from legal_pipeline.sources.http import HttpClient, OpenClient
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.remote import changed_only, fetched, listed_json, number, rows, slices, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem
from legal_pipeline.system.checks import comma_separated

NAME = "laws_africa"

#: The mark-up is licensed only for non-commercial use, and the API's terms forbid redistribution of its content.
LICENCE = Licence("CC BY-NC-SA 4.0, Laws.Africa API terms", "https://laws.africa/terms", False)

_MOST_PAGES = 10_000
_PLACE = re.compile(r"[a-z]{2}(?:-[a-z0-9-]{1,40})?")
_EXPRESSION = re.compile(
    r"(/akn/(?P<place>[a-z]{2}(?:-[a-z0-9-]+)?)(?:/[A-Za-z0-9_][A-Za-z0-9_.,()-]*)+)/(?P<language>[a-z]{3})@(?P<date>\d{4}-\d{2}-\d{2})"
)
_WORK = re.compile(r"/akn/[a-z]{2}(?:-[a-z0-9-]+)?(?:/[A-Za-z0-9_][A-Za-z0-9_.,()-]*){2,}")


def authorization(token: SecretStr) -> dict[str, str]:
    """Return the header that the API requires."""
    return {"Authorization": f"Token {token.get_secret_value()}"}


def places(text: str) -> tuple[str, ...]:
    """Parse `zw,za-cpt` to codes of places. Raises `ConfigurationError`."""
    found = tuple(dict.fromkeys(comma_separated(text.lower())))
    if not all(_PLACE.fullmatch(place) for place in found):
        raise ConfigurationError(f"LEGAL_PIPELINE_LAWS_AFRICA_PLACES: {text!r}: expected codes such as zw,za-cpt")
    return found


class LawsAfricaSource:
    """All expressions, past ones too, of the works of `places`, in `language` if a work has it.

    Keys are expression URIs (`/akn/zw/act/1985/16/eng@2020-01-01.xml`); the stamp is the work's `updated_at`.
    """

    name = NAME
    licence = LICENCE

    def __init__(
        self, client: HttpClient, places: Sequence[str], *, language: str = "eng", limits: Limits | None = None
    ) -> None:
        self._client = client
        self._places = tuple(places)
        self._language = language
        self._limits = limits or Limits()

    def list(self) -> Listing:
        """Return all places. Raises `ListingError`, also for a place without works."""
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield a listing per place, in order; `after` is the cursor of the last listing seen. A place without works is doubtful."""
        return slices(self.name, {place: f"/akn/{place}/" for place in self._places}, self._everything, after)

    def changes(self, since: str) -> Listing:
        """Return expressions of works updated at or after `since` (an ISO time); the listing has no information about others."""
        found: list[SourceItem] = []
        for place in self._places:
            found += self._items(self._works(place, {"updated_at__gte": since} if since else {}))
        return changed_only(self.name, found)

    def item(self, key: str) -> SourceItem:
        """Return the expression at `key`, ready to be fetched, without a request for its stamp."""
        return SourceItem(key, key, url=self._client.address(quote(_uri(key))))

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the expression's Akoma Ntoso XML.

        Raises `FetchError`, `ParseError` for truncated XML, `DocumentError` if the answer is another expression.
        """
        uri = _uri(item.key)
        answer = fetched(item.key, lambda: self._client.get(f"{quote(uri, safe='/@')}.xml", accept="application/xml"))
        match = _EXPRESSION.fullmatch(uri)
        assert match is not None
        file = SourceFile(
            name=f"{uri.removeprefix('/akn/').replace('/', '-')}.xml",
            data=answer.data,
            url=self._client.address(quote(uri, safe="/@")),
            fetched_at=answer.fetched_at,
            hints={
                **({"title": item.hints["title"]} if item.hints.get("title") else {}),
                "work_uri": match[1],
                "as_of_date": match["date"],
                "language": match["language"],
                "jurisdiction": match["place"].partition("-")[0],
                "format": akn_xml.NAME,
                **LICENCE.hints,
            },
            limits=self._limits,
        )
        stated = _stated_expression(file)
        if stated is not None and stated != uri:
            raise DocumentError(
                f"the answer is the document {stated[:200]}, expected {uri}; `legal-pipeline reconcile --repair` asks again",
                document=item.key,
            )
        return file

    # -- lists ----------------------------------------------------------------------------------------------------------

    def _everything(self, place: str) -> Sequence[SourceItem]:
        works = self._works(place, {})
        if not works:
            raise DoubtfulListingError(f"{self.name}: {place} is empty")
        return self._items(works)

    def _works(self, place: str, selection: Mapping[str, str]) -> Sequence[dict[str, Any]]:
        found: dict[tuple[str, str, str], dict[str, Any]] = {}
        address, params = f"/places/{place}/work-expressions", dict(selection)
        seen: set[str] = set()
        count = 0
        for _ in range(_MOST_PAGES):
            body = listed_json(self.name, self._client, address, params)
            count = number(body.get("count"), source=self.name, what="count")
            for row in rows(body.get("results"), source=self.name, what="results"):
                uri = str(row.get("frbr_uri") or "")
                if not _WORK.fullmatch(uri) or not uri.startswith(f"/akn/{place}/"):
                    raise ListingError(f"{self.name}: {uri!r:.100} is not a work of {place}")
                found[uri, str(row.get("language")), str(row.get("expression_date"))] = row
            following = body.get("next")
            if not following:
                break
            address, params = str(following), {}
            if address in seen:
                raise DoubtfulListingError(f"{self.name}: the pages of {place} go round in a circle")
            seen.add(address)
        if len(found) != count:
            raise DoubtfulListingError(f"{self.name}: the listing of {place} holds {len(found)} works of {count}")
        return list(found.values())

    def _items(self, works: Iterable[dict[str, Any]]) -> Sequence[SourceItem]:
        by_work: dict[str, list[dict[str, Any]]] = {}
        for row in works:
            by_work.setdefault(str(row["frbr_uri"]), []).append(row)
        return [item for work, stated in by_work.items() for item in self._expressions(work, stated)]

    def _expressions(self, work: str, works: Sequence[dict[str, Any]]) -> Iterator[SourceItem]:
        """Yield the expressions in one language: two languages of one date would be two texts of one document."""
        stated = [expression for row in works for expression in (row, *self._earlier(row))]
        updated = max(str(row.get("updated_at") or "") for row in works)
        languages = sorted({str(expression.get("language") or "") for expression in stated})
        language = self._language if self._language in languages else languages[-1]
        by_date = {
            str(expression.get("expression_date") or ""): expression
            for expression in stated
            if str(expression.get("language") or "") == language
        }
        for day, expression in sorted(by_date.items()):
            uri = f"{work}/{language}@{day}"
            if not _EXPRESSION.fullmatch(uri):
                raise ListingError(f"{self.name}: an expression of {work} without language or date")
            yield SourceItem(
                f"{uri}.xml",
                f"{uri}.xml",
                stamp=updated,
                url=self._client.address(quote(uri, safe="/@")),
                hints={"title": str(expression.get("title") or works[0].get("title") or "")},
            )

    def _earlier(self, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for point in rows(row.get("points_in_time"), source=self.name, what="points_in_time"):
            for expression in rows(point.get("expressions"), source=self.name, what="expressions"):
                yield {"expression_date": point.get("date"), **expression}


def _uri(key: str) -> str:
    uri = key.removesuffix(".xml")
    if not key.endswith(".xml") or _EXPRESSION.fullmatch(uri) is None:
        raise DocumentError("is not a key of this source", document=key)
    return uri


def _stated_expression(file: SourceFile) -> str | None:
    """Return the expression that the file states it is, if it states it completely."""
    root = parse_xml(file)
    for level in root.iter("{*}FRBRExpression"):
        for uri in level.iter("{*}FRBRuri"):
            value = uri.get("value", "")
            if _EXPRESSION.fullmatch(value):
                return value
    return None


def opened(settings: Settings, client: OpenClient, limits: Limits) -> LawsAfricaSource:
    """Open the source (see `sources.registry`). Raises `ConfigurationError` without a token."""
    if settings.laws_africa_token is None:
        raise ConfigurationError("LEGAL_PIPELINE_LAWS_AFRICA_TOKEN is not set: Laws.Africa cannot be asked")
    return LawsAfricaSource(
        client(settings.laws_africa_url, authorization(settings.laws_africa_token)),
        places(settings.laws_africa_places),
        language=settings.laws_africa_language,
        limits=limits,
    )
