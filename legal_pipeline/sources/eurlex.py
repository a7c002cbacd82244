"""Acts of the European Union from the Publications Office: each with its text in the Official Journal and its consolidated texts by date.

Listed by SPARQL (ontology CDM), fetched from `resource/celex` in one language. Not here: reading the XHTML (the profiles `eurlex_*`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.settings import Settings
from legal_pipeline.sources.http import HttpClient, OpenClient
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.remote import changed_only, fetched, listed_json, rows, slices, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem
from legal_pipeline.system.checks import comma_separated

NAME = "eurlex"

LICENCE = Licence(
    "EUR-Lex, Commission Decision 2011/833/EU", "https://eur-lex.europa.eu/content/legal-notice/legal-notice.html", True
)

_SPARQL = "/webapi/rdf/sparql"
_ACT = re.compile(r"3\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?")
_TEXT = re.compile(r"(?:3\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?|0\d{4}[A-Z]{1,2}\d{4}-(?P<day>\d{8}))")
_LANGUAGE = re.compile(r"[a-z]{3}")
_KEY = re.compile(r"(?P<act>3[^/]+)/(?P<text>[03][^/.]+)\.(?P<language>[a-z]{3})\.xhtml")
_QUERY = """PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>
PREFIX cmr: <http://publications.europa.eu/ontology/cdm/cmr#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT DISTINCT ?celex ?date ?modified WHERE {{
  ?act cdm:resource_legal_id_celex "{celex}"^^xsd:string .
  {{ BIND(?act AS ?text) }} UNION {{ ?text cdm:act_consolidated_consolidates_resource_legal ?act }}
  ?text cdm:resource_legal_id_celex ?celex .
  OPTIONAL {{ ?text cdm:work_date_document ?date }}
  OPTIONAL {{ ?text cmr:lastModificationDate ?modified }}
}} ORDER BY ?celex"""


def acts(text: str) -> tuple[str, ...]:
    """Parse `32016R0679,32014R0596` to CELEX numbers of acts. Raises `ConfigurationError`."""
    pieces = tuple(dict.fromkeys(comma_separated(text.upper())))
    if not pieces or not all(_ACT.fullmatch(piece) for piece in pieces):
        raise ConfigurationError(f"LEGAL_PIPELINE_EURLEX_ACTS: {text!r}: expected CELEX numbers such as 32016R0679")
    return pieces


def languages(text: str) -> tuple[str, ...]:
    """Parse `eng,fra` to ISO 639-3 codes. Raises `ConfigurationError`."""
    pieces = tuple(dict.fromkeys(comma_separated(text.lower())))
    if not pieces or not all(_LANGUAGE.fullmatch(piece) for piece in pieces):
        raise ConfigurationError(
            f"LEGAL_PIPELINE_EURLEX_LANGUAGES: {text!r}: expected codes of ISO 639-3 such as eng,fra"
        )
    return pieces


class EurLexSource:
    """The texts of `acts` in each of `languages`.

    Keys are `32016R0679/02016R0679-20160504.eng.xhtml`, stamps the time at which the Publications Office changed its record of the text,
    else the text's date.
    """

    name = NAME
    licence = LICENCE

    def __init__(
        self,
        client: HttpClient,
        acts: Sequence[str],
        *,
        languages: Sequence[str] = ("eng",),
        limits: Limits | None = None,
    ) -> None:
        self._client = client
        self._acts = tuple(acts)
        self._languages = tuple(languages)
        self._limits = limits or Limits()

    def list(self) -> Listing:
        """Return all acts. Raises `ListingError`, also for an act that the office does not know."""
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        """Yield a listing per act; `after` is the cursor of the last listing seen. An act without texts is doubtful."""
        return slices(self.name, {act: f"{act}/" for act in self._acts}, self._texts, after)

    def changes(self, since: str) -> Listing:
        """Return texts whose stamp is `since` or later; the listing has no information about others."""
        found = [item for act in self._acts for item in self._texts(act)]
        return changed_only(self.name, [item for item in found if item.stamp >= since])

    def item(self, key: str) -> SourceItem:
        """Return the text at `key`, without a request for its stamp."""
        _, text, _ = _read_key(key)
        return SourceItem(key, key, url=self._client.address(f"/resource/celex/{text}"))

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the text's XHTML. Raises `FetchError`, and `DocumentError` for an answer that is another text."""
        act, text, language = _read_key(item.key)
        answer = fetched(
            item.key,
            lambda: self._client.get(
                f"/resource/celex/{text}", {"language": language}, accept="application/xhtml+xml, text/html;q=0.9"
            ),
        )
        day = text.partition("-")[2]
        if day and text.partition("-")[0].encode() not in answer.data[:20_000]:
            raise DocumentError(f"the answer does not name {text}", document=item.key)
        return SourceFile(
            name=f"{text}.{language}.xhtml",
            data=answer.data,
            url=self._client.address(f"/resource/celex/{act}"),
            fetched_at=answer.fetched_at,
            hints={
                "work_uri": act,
                "jurisdiction": "eu",
                "language": language,
                **({"as_of_date": f"{day[:4]}-{day[4:6]}-{day[6:]}"} if day else {}),
                **LICENCE.hints,
            },
            limits=self._limits,
        )

    def _texts(self, act: str) -> Sequence[SourceItem]:
        query = _QUERY.format(celex=act)
        body = listed_json(
            self.name, self._client, _SPARQL, {"query": query, "format": "application/sparql-results+json"}
        )
        results = body.get("results")
        if not isinstance(results, dict):
            raise ListingError(f"{self.name}: the answer about {act} has no results")
        stamps: dict[str, str] = {}
        for row in rows(results.get("bindings"), source=self.name, what="bindings"):
            text = _value(row, "celex")
            if _TEXT.fullmatch(text):
                stamps[text] = max(stamps.get(text, ""), _value(row, "modified") or _value(row, "date"))
        if act not in stamps:
            raise DoubtfulListingError(f"{self.name}: {act} is not known")
        return [
            SourceItem(key, key, stamp=stamp, url=self._client.address(f"/resource/celex/{text}"))
            for text, stamp in stamps.items()
            for language in self._languages
            for key in [f"{act}/{text}.{language}.xhtml"]
        ]


def _value(row: dict[str, Any], name: str) -> str:
    held = row.get(name)
    return str(held.get("value") or "") if isinstance(held, dict) else ""


def _read_key(key: str) -> tuple[str, str, str]:
    match = _KEY.fullmatch(key)
    if match is None or not _ACT.fullmatch(match["act"]) or not _TEXT.fullmatch(match["text"]):
        raise DocumentError("is not a key of this source", document=key)
    return match["act"], match["text"], match["language"]


def opened(settings: Settings, client: OpenClient, limits: Limits) -> EurLexSource:
    """Open the source (see `sources.registry`). Raises `ConfigurationError` without acts."""
    return EurLexSource(
        client(settings.eurlex_url),
        acts(settings.eurlex_acts),
        languages=languages(settings.eurlex_languages),
        limits=limits,
    )
