"""Expressions of African legislation from the Laws.Africa API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from legal_pipeline.errors import ConfigurationError, DocumentError, TruncatedDocumentError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline.sources.laws_africa import LICENCE, LawsAfricaSource, authorization, places
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.source import Listing, ListingError
from legal_pipeline_tests.sources.api_server import TOKEN, ApiServer, LawsAfricaApi, Response, as_json

LIGHTS = "/akn/zw/act/1985/16"

ACT = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><meta><identification source="#us">
<FRBRWork><FRBRthis value="{work}/!main"/><FRBRuri value="{work}"/><FRBRalias value="Lights Act" name="title"/>
<FRBRdate date="1985-05-01" name="Generation"/><FRBRauthor href=""/><FRBRcountry value="zw"/></FRBRWork>
<FRBRExpression><FRBRthis value="{work}/eng@{day}/!main"/><FRBRuri value="{work}/eng@{day}"/>
<FRBRdate date="{day}" name="Generation"/><FRBRauthor href=""/><FRBRlanguage language="eng"/></FRBRExpression>
</identification></meta><body>
<section eId="sec_1"><num>1.</num><heading>Short title</heading><content><p>This Act may be cited as the Lights Act.</p></content></section>
<section eId="sec_2"><num>2.</num><heading>Keepers</heading><content><p>A keeper shall keep the light.</p></content></section>
</body></act></akomaNtoso>"""


def work(
    uri: str, *days: str, updated: str = "2024-01-10T08:00:00Z", languages: tuple[str, ...] = ("eng",)
) -> dict[str, Any]:
    return {
        "frbr_uri": uri,
        "title": "Lights Act",
        "language": languages[0],
        "expression_date": days[-1],
        "expression_frbr_uri": f"{uri}/{languages[0]}@{days[-1]}",
        "points_in_time": [
            {
                "date": day,
                "expressions": [
                    {"language": language, "title": "Lights Act", "expression_date": day} for language in languages
                ],
            }
            for day in days
        ],
        "amendments": [],
        "repeal": None,
        "updated_at": updated,
    }


@pytest.fixture
def api() -> LawsAfricaApi:
    days = ("1985-05-01", "2020-01-01")
    works = {LIGHTS: work(LIGHTS, *days)} | {
        uri: work(uri, "2001-01-01") for uri in (f"/akn/zw/act/2001/{number}" for number in range(1, 5))
    }
    return LawsAfricaApi(works, {f"{LIGHTS}/eng@{day}": ACT.format(work=LIGHTS, day=day) for day in days})


@pytest.fixture
def server(api: LawsAfricaApi) -> Iterator[ApiServer]:
    with ApiServer(api) as running:
        api.address = running.url
        yield running


@pytest.fixture
def source(server: ApiServer, quick: RequestPolicy) -> Iterator[LawsAfricaSource]:
    client = HttpClient(f"{server.url}/v3", policy=quick, headers=authorization(SecretStr(TOKEN)))
    yield LawsAfricaSource(client, ["zw"])
    client.close()


def keys(listing: Listing) -> list[str]:
    return [item.key for item in listing.items]


def test_every_expression_of_every_page_is_listed(source: LawsAfricaSource) -> None:
    listing = source.list()
    assert keys(listing) == [
        f"{LIGHTS}/eng@1985-05-01.xml",
        f"{LIGHTS}/eng@2020-01-01.xml",
        *(f"/akn/zw/act/2001/{number}/eng@2001-01-01.xml" for number in range(1, 5)),
    ]
    assert listing.scope == ("/akn/zw/",)
    assert {item.stamp for item in listing.items} == {"2024-01-10T08:00:00Z"}


def test_a_work_is_listed_in_one_language(source: LawsAfricaSource, api: LawsAfricaApi) -> None:
    api.works = {
        LIGHTS: work(LIGHTS, "2020-01-01", languages=("sna", "eng")),
        "/akn/zw/act/2001/1": work("/akn/zw/act/2001/1", "2001-01-01", languages=("sna",)),
    }
    assert keys(source.list()) == ["/akn/zw/act/1985/16/eng@2020-01-01.xml", "/akn/zw/act/2001/1/sna@2001-01-01.xml"]


def test_changes_are_those_updated_since(source: LawsAfricaSource, api: LawsAfricaApi) -> None:
    api.works[LIGHTS]["updated_at"] = "2024-02-01T08:00:00Z"
    listing = source.changes("2024-01-31T00:00:00Z")
    assert keys(listing) == [f"{LIGHTS}/eng@1985-05-01.xml", f"{LIGHTS}/eng@2020-01-01.xml"]
    assert not listing.covers("/akn/zw/act/2001/1/eng@2001-01-01.xml")
    assert source.changes("2025-01-01T00:00:00Z").items == ()


@pytest.mark.parametrize("order", [1, -1])
def test_a_work_in_two_rows_has_the_expressions_of_both_and_the_later_stamp(
    source: LawsAfricaSource, server: ApiServer, order: int
) -> None:
    """The API has a row per language; an expression of an earlier point in time may leave its date to the point."""
    first = work(LIGHTS, "1985-05-01", updated="2024-01-10T08:00:00Z", languages=("sna",))
    second = work(LIGHTS, "1990-07-01", "2020-01-01", updated="2024-02-01T08:00:00Z")
    for point in second["points_in_time"]:
        del point["expressions"][0]["expression_date"]
    server.faults = [as_json({"count": 2, "next": None, "results": [second, first][::order]})]
    items = source.list().items
    assert [item.key for item in items] == [f"{LIGHTS}/eng@{day}.xml" for day in ("1990-07-01", "2020-01-01")]
    assert {item.stamp for item in items} == {"2024-02-01T08:00:00Z"}


def test_changes_are_those_of_every_place(server: ApiServer, api: LawsAfricaApi, quick: RequestPolicy) -> None:
    uri = "/akn/za-cpt/act/by-law/2001/3"
    api.works[uri] = work(uri, "2001-01-01")
    api.expressions[f"{uri}/eng@2001-01-01"] = ACT.format(work=uri, day="2001-01-01")
    client = HttpClient(f"{server.url}/v3", policy=quick, headers=authorization(SecretStr(TOKEN)))
    source = LawsAfricaSource(client, ["zw", "za-cpt"])
    assert len(source.changes("2024-01-01T00:00:00Z").items) == 7
    assert source.fetch(source.item(f"{uri}/eng@2001-01-01.xml")).hints["jurisdiction"] == "za"
    client.close()


@pytest.mark.parametrize(
    "fault",
    [
        as_json({}),
        as_json({"count": 0, "next": None, "results": []}),
        as_json({"count": 5, "next": None, "results": []}),
        as_json({"count": 1, "next": None, "results": [work("/akn/za/act/1996/1", "1996-01-01")]}),
        as_json({"count": 1, "next": None, "results": [work(LIGHTS, "1996-01-01"), work(LIGHTS + "a", "1996-01-01")]}),
        as_json({"count": 1, "next": None, "results": [{"frbr_uri": "/akn/za/act/1996/1"}]}),
        as_json({"count": 1, "next": None, "results": [{"frbr_uri": LIGHTS, "language": "eng"}]}),
        as_json({"count": 1, "next": "http://other.example/v3", "results": []}),
        Response(401, TOKEN.encode()),
        Response(429, headers=(("Retry-After", "9999"),)),
        Response(200, b'{"count": 5', missing=40),
    ],
)
def test_an_answer_that_cannot_be_believed_is_no_empty_listing(
    source: LawsAfricaSource, server: ApiServer, fault: Response
) -> None:
    server.faults = [fault] * 2
    with pytest.raises(ListingError) as caught:
        source.list()
    assert TOKEN not in str(caught.value)


def test_pages_in_a_circle_come_to_an_end(source: LawsAfricaSource, server: ApiServer, api: LawsAfricaApi) -> None:
    circle = {"count": 9, "next": f"{server.url}/v3/places/zw/work-expressions?page=2", "results": []}
    server.api = lambda request: as_json(circle)
    with pytest.raises(ListingError, match="in a circle"):
        source.list()


def test_a_wrong_token_is_refused_and_not_repeated(server: ApiServer, quick: RequestPolicy) -> None:
    client = HttpClient(f"{server.url}/v3", policy=quick, headers=authorization(SecretStr("wrong-5f2c")))
    with pytest.raises(ListingError, match="HTTP 401") as caught:
        LawsAfricaSource(client, ["zw"]).list()
    assert "wrong-5f2c" not in str(caught.value)
    client.close()


def test_an_expression_is_handed_out_as_xml_that_the_parser_reads(source: LawsAfricaSource) -> None:
    file = source.fetch(source.item(f"{LIGHTS}/eng@1985-05-01.xml"))
    document = parse(file, file.hints["format"])
    assert (document.format, document.document_id, document.as_of_date) == ("akn_xml", "zw-act-1985-16", "1985-05-01")
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert (document.title, document.language) == ("Lights Act", "eng")
    assert source.fetch(source.list().items[0]).hints["title"] == "Lights Act"


def test_a_place_without_works_is_in_doubt(source: LawsAfricaSource, api: LawsAfricaApi) -> None:
    api.works = {}
    (part,) = source.slices()
    assert (part.doubt, part.items) == ("laws_africa: zw is empty", ())


def test_its_texts_may_not_be_exported(source: LawsAfricaSource) -> None:
    file = source.fetch(source.item(f"{LIGHTS}/eng@1985-05-01.xml"))
    assert not LICENCE.may_export
    assert (file.hints["licence"], file.hints["may_export"]) == (LICENCE.name, False)


def test_xml_that_is_cut_off_is_not_handed_out(source: LawsAfricaSource, api: LawsAfricaApi) -> None:
    uri = f"{LIGHTS}/eng@2020-01-01"
    api.expressions[uri] = api.expressions[uri][:-200]
    with pytest.raises(TruncatedDocumentError):
        source.fetch(source.item(f"{uri}.xml"))


def test_another_expression_is_not_handed_out(source: LawsAfricaSource, api: LawsAfricaApi) -> None:
    api.expressions[f"{LIGHTS}/eng@2020-01-01"] = api.expressions[f"{LIGHTS}/eng@1985-05-01"]
    with pytest.raises(DocumentError, match="the answer is"):
        source.fetch(source.item(f"{LIGHTS}/eng@2020-01-01.xml"))


def test_an_expression_that_is_gone_says_so(source: LawsAfricaSource) -> None:
    with pytest.raises(FetchError) as caught:
        source.fetch(source.item("/akn/zw/act/1999/1/eng@1999-01-01.xml"))
    assert caught.value.status == 404


@pytest.mark.parametrize(
    "key", ["/akn/zw/../../admin/eng@2020-01-01.xml", "//other.example/eng@2020-01-01.xml", "zw.xml"]
)
def test_a_key_of_another_make_is_not_asked_for(source: LawsAfricaSource, server: ApiServer, key: str) -> None:
    with pytest.raises(DocumentError, match="not a key"):
        source.item(key)
    assert server.requests == []


def test_places_are_codes() -> None:
    assert places("ZW, za-cpt,zw") == ("zw", "za-cpt")
    with pytest.raises(ConfigurationError, match="LAWS_AFRICA_PLACES"):
        places("../zw")


def test_an_expression_has_its_own_date_and_title_and_else_those_of_its_point_and_work(
    source: LawsAfricaSource, api: LawsAfricaApi
) -> None:
    row = work(LIGHTS, "1985-05-01", "2001-07-01", "2020-01-01")
    first, second, third = row["points_in_time"]
    del first["expressions"][0]["expression_date"], first["expressions"][0]["title"]
    second["expressions"][0]["expression_date"] = "2001-08-01"
    third["expressions"][0]["title"] = "Lights Act as amended"
    api.works = {LIGHTS: row}
    assert {item.key: item.hints["title"] for item in source.list().items} == {
        f"{LIGHTS}/eng@1985-05-01.xml": "Lights Act",
        f"{LIGHTS}/eng@2001-08-01.xml": "Lights Act",
        f"{LIGHTS}/eng@2020-01-01.xml": "Lights Act as amended",
    }


def test_a_work_without_the_language_asked_for_is_listed_in_one_of_its_own(
    source: LawsAfricaSource, api: LawsAfricaApi
) -> None:
    api.works = {LIGHTS: work(LIGHTS, "1985-05-01", "2020-01-01", languages=("sna", "nde"))}
    assert keys(source.list()) == [f"{LIGHTS}/sna@1985-05-01.xml", f"{LIGHTS}/sna@2020-01-01.xml"]


def test_a_text_that_does_not_say_which_expression_it_is_is_handed_out(
    source: LawsAfricaSource, api: LawsAfricaApi
) -> None:
    uri = f"{LIGHTS}/eng@2020-01-01"
    api.expressions[uri] = api.expressions[uri].replace(f'<FRBRuri value="{uri}"/>', "")
    assert source.fetch(source.item(f"{uri}.xml")).hints["as_of_date"] == "2020-01-01"
