"""Acts of the European Union by CELEX number, from a local server that serves the corpus' own consolidated texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.eurlex import EurLexSource, acts, languages
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.source import ListingError
from legal_pipeline_tests.sources.api_server import ApiServer, Request, Response, as_json

ACT = "32019R2088"
BEFORE, AFTER = "02019R2088-20200712", "02019R2088-20240109"


class Office:
    """Answers queries with `texts` (CELEX -> time of change) and gives each text in any language."""

    def __init__(self, bodies: dict[str, bytes]) -> None:
        self.bodies = bodies
        self.languages: list[str] = []  # of the texts that were asked for
        self.texts = {text: f"2024-01-1{index}T08:00:00Z" for index, text in enumerate(bodies)}

    def __call__(self, request: Request) -> Response:
        if request.path == "/webapi/rdf/sparql":
            assert ACT in request.query["query"]
            return as_json({"results": {"bindings": [row(text, at) for text, at in self.texts.items()]}})
        body = self.bodies.get(request.path.rpartition("/")[2])
        self.languages.append(request.query["language"])
        return Response(200, body) if body is not None else Response(404)


def row(celex: str, modified: str) -> dict[str, Any]:
    return {"celex": {"type": "literal", "value": celex}, "modified": {"type": "literal", "value": modified}}


@pytest.fixture
def office(corpus: Path) -> Office:
    folder = corpus / "world" / "eu" / "versions"
    before, after = (folder / f"{ACT}_{name}.xhtml" for name in ("before", "after"))
    return Office({ACT: before.read_bytes(), BEFORE: before.read_bytes(), AFTER: after.read_bytes()})


@pytest.fixture
def server(office: Office) -> Iterator[ApiServer]:
    with ApiServer(office) as running:
        yield running


@pytest.fixture
def source(server: ApiServer, quick: RequestPolicy) -> Iterator[EurLexSource]:
    client = HttpClient(server.url, policy=quick)
    yield EurLexSource(client, acts(ACT))
    client.close()


def test_an_act_is_listed_with_its_consolidated_texts(source: EurLexSource) -> None:
    listing = source.list()
    assert [item.key for item in listing.items] == [f"{ACT}/{text}.eng.xhtml" for text in (BEFORE, AFTER, ACT)]
    assert listing.scope == (f"{ACT}/",)


def test_a_new_consolidated_text_is_a_change(source: EurLexSource, office: Office) -> None:
    since = max(office.texts.values())
    office.texts["02019R2088-20250701"] = "2025-07-02T08:00:00Z"
    assert [item.key for item in source.changes(since).items] == [
        f"{ACT}/{AFTER}.eng.xhtml",
        f"{ACT}/02019R2088-20250701.eng.xhtml",
    ]


def test_a_text_without_a_time_of_change_has_the_stamp_of_its_date_and_of_several_times_the_latest(
    source: EurLexSource, server: ApiServer
) -> None:
    dated = {"celex": {"value": BEFORE}, "date": {"value": "2020-07-12"}}
    times = ("2024-01-12T08:00:00Z", "2024-01-10T08:00:00Z")
    server.faults = [as_json({"results": {"bindings": [*(row(ACT, time) for time in times), dated]}})]
    assert [item.stamp for item in source.list().items] == ["2020-07-12", "2024-01-12T08:00:00Z"]


def test_every_text_is_listed_and_fetched_in_each_language(
    server: ApiServer, office: Office, quick: RequestPolicy
) -> None:
    client = HttpClient(server.url, policy=quick)
    source = EurLexSource(client, acts(ACT), languages=languages("eng,fra"))
    listed = [item.key for item in source.list().items]
    assert listed == [f"{ACT}/{text}.{name}.xhtml" for text in (BEFORE, AFTER, ACT) for name in ("eng", "fra")]
    file = source.fetch(source.item(f"{ACT}/{AFTER}.fra.xhtml"))
    client.close()
    assert (file.name, file.hints["language"]) == (f"{AFTER}.fra.xhtml", "fra")
    assert office.languages == ["fra"]


def test_texts_of_two_dates_are_texts_of_one_work(source: EurLexSource, office: Office) -> None:
    documents = [parse(source.fetch(source.item(f"{ACT}/{text}.eng.xhtml"))) for text in (BEFORE, AFTER)]
    assert office.languages == ["eng", "eng"]
    assert {document.document_id for document in documents} == {"eu-act-regulation-2019-2088"}
    assert [document.as_of_date for document in documents] == ["2020-07-12", "2024-01-09"]


def test_an_act_that_the_office_does_not_know_is_in_doubt(source: EurLexSource, office: Office) -> None:
    office.texts = {}
    (part,) = source.slices()
    assert f"{ACT} is not known" in part.doubt


def test_another_text_than_asked_for_is_refused(source: EurLexSource, office: Office, corpus: Path) -> None:
    office.bodies[AFTER] = (corpus / "world" / "eu" / "32016R0679.xhtml").read_bytes()
    with pytest.raises(DocumentError, match="does not name 02019R2088"):
        source.fetch(source.item(f"{ACT}/{AFTER}.eng.xhtml"))


def test_a_text_that_is_not_there_is_gone(source: EurLexSource) -> None:
    with pytest.raises(FetchError) as raised:
        source.fetch(source.item(f"{ACT}/02019R2088-20991231.eng.xhtml"))
    assert raised.value.status == 404


@pytest.mark.parametrize(
    "fault", [Response(500), as_json({}), as_json({"results": {"bindings": 3}}), Response(200, b"<html>")]
)
def test_a_failed_query_is_no_empty_list(source: EurLexSource, server: ApiServer, fault: Response) -> None:
    server.faults = [fault, fault]
    with pytest.raises(ListingError):
        source.list()


def test_settings_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="EURLEX_ACTS"):
        acts("GDPR")
    with pytest.raises(ConfigurationError, match="EURLEX_LANGUAGES"):
        languages("en")
    assert languages("eng, FRA,eng") == ("eng", "fra")
    assert acts("32016r0679,32016R0679(01)") == ("32016R0679", "32016R0679(01)")


def test_the_text_of_the_official_journal_need_not_name_its_own_number(source: EurLexSource, office: Office) -> None:
    office.bodies[ACT] = b"<html><body><p>REGULATION on the disclosure of lights</p></body></html>"
    file = source.fetch(source.item(f"{ACT}/{ACT}.eng.xhtml"))
    assert file.data == office.bodies[ACT]
    assert "as_of_date" not in file.hints


def test_an_act_is_listed_with_its_own_texts_alone_and_must_be_among_them(
    source: EurLexSource, server: ApiServer
) -> None:
    others = [row("32019R2088R(01)", "2024-01-10T08:00:00Z"), row(BEFORE, "2024-01-10T08:00:00Z")]
    server.faults = [as_json({"results": {"bindings": found}}) for found in ([row(ACT, "2024-01-09"), *others], others)]
    assert [item.key for item in source.list().items] == [f"{ACT}/{text}.eng.xhtml" for text in (BEFORE, ACT)]
    (part,) = source.slices()
    assert (f"{ACT} is not known" in part.doubt, part.items) == (True, ())


def test_a_consolidated_text_has_the_day_from_which_it_holds_and_names_the_act_as_its_work(
    source: EurLexSource,
) -> None:
    hints = source.fetch(source.item(f"{ACT}/{AFTER}.eng.xhtml")).hints
    assert (hints["as_of_date"], hints["work_uri"], hints["jurisdiction"]) == ("2024-01-09", ACT, "eu")
    assert (hints["licence"], hints["may_export"]) == (source.licence.name, True)


@pytest.mark.parametrize(
    "key", [f"3x/{ACT}.eng.xhtml", f"{ACT}/3x.eng.xhtml", f"{ACT}/{ACT}.en.xhtml", f"{ACT}.eng.xhtml"]
)
def test_a_key_of_another_make_is_not_asked_for(source: EurLexSource, server: ApiServer, key: str) -> None:
    with pytest.raises(DocumentError, match="not a key"):
        source.item(key)
    assert server.requests == []
