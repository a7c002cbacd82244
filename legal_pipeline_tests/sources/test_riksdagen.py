"""Statutes from the Riksdag's open data, with all that its API does unexpectedly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from legal_pipeline.errors import DocumentError, EmptyDocumentError, ParseError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.following import Position, follow
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.riksdagen import LICENCE, RiksdagenSource
from legal_pipeline.sources.source import ListingError, SourceItem
from legal_pipeline_tests.sources.api_server import ApiServer, Request, Response, RiksdagenApi, Statute, as_json

PAGE = """<h2>Fyrlag ({number})</h2>

<b>SFS nr</b>:
{number}<br>

<b>Departement/myndighet</b>:
Infrastrukturdepartementet <br>

<b>Utfärdad</b>:
2019-05-02 <br>

<b>Ändrad</b>:
t.o.m. SFS 2023:311<br>

<hr>
<div><a class="paragraf" name="P1"><b>1 §</b></a> &nbsp;&nbsp;Denna lag gäller fyrar längs rikets kuster.<p><a name="P1S2"></a></p>

Lagen gäller inte fyrskepp.<p><a name="P1S3"></a></p><a class="paragraf" name="P2"><b>2 §</b></a> &nbsp;&nbsp;En fyr ska
 vara tänd från solnedgång till soluppgång.<p><a name="P2S2"></a></p></div>"""


def statute(year: int, number: int, **more: str) -> Statute:
    name = f"{year}:{number}"
    return Statute(year, str(number), f"Fyrlag ({name})", PAGE.format(number=name), **more)


def replaced(response: Response, old: str, new: str) -> Response:
    return replace(response, body=response.body.replace(old.encode(), new.encode()))


@pytest.fixture
def api() -> RiksdagenApi:
    return RiksdagenApi([statute(2023, number) for number in range(1, 231)] + [statute(2019, 77), statute(1977, 3)])


@pytest.fixture
def server(api: RiksdagenApi) -> Iterator[ApiServer]:
    with ApiServer(api) as running:
        yield running


@pytest.fixture
def source(server: ApiServer, quick: RequestPolicy) -> Iterator[RiksdagenSource]:
    client = HttpClient(server.url, policy=quick)
    yield RiksdagenSource(client, today=date(2024, 3, 1))
    client.close()


def test_the_listing_holds_every_statute_of_every_page_and_year(source: RiksdagenSource, server: ApiServer) -> None:
    listing = source.list()
    assert len(listing.items) == 232
    assert [item.key for item in listing.items] == sorted(item.key for item in listing.items)
    assert listing.covers("sfs-2023-9999.json")
    assert {request.query.get("rm") for request in server.requests} >= {"2023", "2019", "1977"}
    assert all(int(request.query["p"]) <= 100 for request in server.requests)


def test_a_single_hit_is_an_object_and_still_an_item(source: RiksdagenSource) -> None:
    assert source.item("sfs-2019-77.json").stamp == "2024-01-05 04:11:00"


def test_years_without_statutes_cover_nothing(source: RiksdagenSource) -> None:
    slices = {part.cursor.partition(":")[0]: part for part in source.slices()}
    assert slices["2019"].scope == ("sfs-2019-",)
    assert slices["2020"].scope == ()


def test_a_listing_goes_on_behind_its_cursor(source: RiksdagenSource, server: ApiServer) -> None:
    slices = source.slices()
    cursor = next(part.cursor for part in slices if part.items)
    assert cursor == "2023:230"
    server.requests.clear()
    rest = list(source.slices(cursor))
    assert [item.key for part in rest for item in part.items] == ["sfs-2019-77.json", "sfs-1977-3.json"]
    assert not any(part.doubt for part in rest)
    assert not any(request.query.get("rm") == "2023" for request in server.requests)


@pytest.mark.parametrize(
    "fault",
    [
        as_json({}),
        as_json({"dokumentlista": {}}),
        as_json({"dokumentlista": {"@traffar": "0", "@sidor": "0"}}),
        as_json({"dokumentlista": {"@traffar": "many", "@sidor": "1"}}),
        as_json({"dokumentlista": {"@traffar": "232", "@sidor": "3"}}),
        as_json([]),
        Response(200, b"<html>Driftstopp</html>"),
        Response(400, b""),
        Response(429, headers=(("Retry-After", "9999"),)),
    ],
)
def test_an_answer_that_cannot_be_believed_is_no_empty_listing(
    source: RiksdagenSource, server: ApiServer, fault: Response
) -> None:
    server.faults = [fault]
    if b'"232"' in fault.body:
        server.faults = [None, fault]  # the first list of a year, not the count
    with pytest.raises(ListingError):
        source.list()


def test_a_list_that_lost_a_year_is_no_listing(source: RiksdagenSource, server: ApiServer) -> None:
    nothing = as_json({"dokumentlista": {"@traffar": "0", "@sidor": "0"}})
    server.faults = [None, None, None, nothing]  # the count, 2025, 2024, then 2023
    with pytest.raises(ListingError, match="hold 2 statutes of 232"):
        source.list()


def test_a_statute_that_is_published_during_the_listing_does_not_end_it_early(
    source: RiksdagenSource, api: RiksdagenApi, server: ApiServer
) -> None:
    slices = source.slices()
    next(slices)  # 2025; the statutes were counted before
    api.statutes = [*api.statutes, statute(2024, 9)]
    found = {item.key for part in slices for item in part.items}
    assert {"sfs-2024-9.json", "sfs-1977-3.json"} <= found


def test_a_page_that_repeats_another_is_noticed(source: RiksdagenSource, api: RiksdagenApi, server: ApiServer) -> None:
    api.statutes = api.statutes[:230]
    whole = server.api
    server.api = lambda request: whole(
        request if request.query.get("p") == "1" else type(request)(request.path, {**request.query, "p": "1"}, {})
    )
    with pytest.raises(ListingError, match="holds 100 statutes of 230"):
        source.list()


def test_changes_are_read_only_as_far_back_as_asked(
    source: RiksdagenSource, api: RiksdagenApi, server: ApiServer
) -> None:
    api.statutes[7].systemdatum = "2024-02-01 04:00:00"
    listing = source.changes("2024-01-31 00:00:00")
    assert [item.key for item in listing.items] == ["sfs-2023-8.json"]
    assert not listing.covers("sfs-2019-77.json")
    assert len(server.requests) == 1


def test_changes_are_all_pages_of_what_was_touched_since_and_at_that_moment(
    source: RiksdagenSource, api: RiksdagenApi
) -> None:
    for found in api.statutes[:150]:
        found.systemdatum = "2024-02-01 04:00:00"
    assert len(source.changes("2024-02-01 04:00:00").items) == 150


def test_a_page_count_that_is_too_low_loses_no_statute(
    source: RiksdagenSource, api: RiksdagenApi, server: ApiServer
) -> None:
    server.api = lambda request: replaced(api(request), '"@sidor": "3"', '"@sidor": "1"')
    assert len(source.list().items) == 232


def test_a_statute_that_is_published_during_the_listing_is_no_contradiction(
    source: RiksdagenSource, api: RiksdagenApi
) -> None:
    slices = source.slices()
    first = next(part for part in slices if part.items)
    api.statutes.append(statute(1977, 4))
    rest = list(slices)
    assert [part.doubt for part in rest if part.doubt] == []
    assert len(first.items) + sum(len(part.items) for part in rest) == 233


def test_an_id_in_capitals_is_that_of_the_statute(
    source: RiksdagenSource, api: RiksdagenApi, server: ApiServer
) -> None:
    server.api = lambda request: replaced(api(request), '"sfs-', '"SFS-')
    item = source.item("sfs-2019-77.json")
    assert (item.key, item.stamp) == ("sfs-2019-77.json", "2024-01-05 04:11:00")
    assert source.fetch(item).name == "sfs-2019-77.html"


def test_what_changes_in_a_part_that_was_listed_already_is_listed_behind_all_parts(
    source: RiksdagenSource, api: RiksdagenApi
) -> None:
    parts = follow(source, Position(), now=datetime(2024, 3, 1, tzinfo=UTC), again=timedelta(days=7))
    first = next(item.key for part, _ in parts for item in part.items)
    for found in api.statutes:
        is_first = f"{found.dok_id}.json" == first
        found.systemdatum = "2024-02-10 04:00:00" if is_first else "2024-02-20 04:00:00"
    *_, (changed, _) = parts
    assert first in {item.key for item in changed.items}


def test_a_mass_touch_changes_every_stamp_and_no_file(source: RiksdagenSource, api: RiksdagenApi) -> None:
    before = source.list()
    first = [source.fetch(item) for item in before.items[:3]]
    api.touch_all("2024-02-20 03:00:00")
    after = source.list()
    assert all(old.stamp != new.stamp for old, new in zip(before.items, after.items, strict=True))
    second = [source.fetch(item) for item in after.items[:3]]
    assert [(file.sha256, file.hints) for file in first] == [(file.sha256, file.hints) for file in second]


@pytest.mark.parametrize("name", ["dokuppgift", "dokumentuppgift"])
def test_a_statute_is_handed_out_as_html_that_the_parser_reads(
    source: RiksdagenSource, api: RiksdagenApi, name: str
) -> None:
    api.details_name = name
    file = source.fetch(source.item("sfs-2019-77.json"))
    document = parse(file, file.hints["format"])
    assert (document.format, document.document_id, document.number) == (
        "riksdagen_html",
        "se-sfs-2019-77",
        "SFS 2019:77",
    )
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert file.hints["number"] == "2019:77"
    assert file.hints["metadata"] == {"utfardad": "2019-12-19"}
    assert file.hints["licence"] == LICENCE.name


def test_a_statute_without_html_is_handed_out_as_text(source: RiksdagenSource, api: RiksdagenApi) -> None:
    api.statutes[-1].html = " \n"
    api.statutes[-1].title = ""
    api.statutes[-1].text = "1 § Denna lag gäller båkar.\n\n2 § En båk ska vara röd.\n\n3 § Båkar får inte flyttas.\n"
    file = source.fetch(source.item("sfs-1977-3.json"))
    document = parse(file, file.hints["format"])
    assert document.document_id == "se-sfs-1977-3"
    assert "title" not in file.hints
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]


def test_a_statute_that_is_gone_says_so(source: RiksdagenSource) -> None:
    with pytest.raises(FetchError) as caught:
        source.fetch(source.item("sfs-1999-1.json"))
    assert (caught.value.status, caught.value.transient) == (404, False)


def test_a_failure_of_the_source_may_pass(source: RiksdagenSource, server: ApiServer) -> None:
    item = source.item("sfs-2019-77.json")
    server.faults = [Response(503)] * 2
    with pytest.raises(FetchError) as caught:
        source.fetch(item)
    assert caught.value.transient


@pytest.mark.parametrize("body", [{}, {"dokumentstatus": {}}, {"dokumentstatus": {"dokument": {"dok_id": "sfs-1-1"}}}])
def test_an_answer_about_nothing_or_something_else_is_no_statute(
    source: RiksdagenSource, server: ApiServer, body: dict[str, object]
) -> None:
    item = source.item("sfs-2019-77.json")
    server.faults = [as_json(body)]
    with pytest.raises(DocumentError):
        source.fetch(item)


def test_a_statute_with_a_character_that_is_none_names_the_place(api: RiksdagenApi, source: RiksdagenSource) -> None:
    statute = api.statutes[0]
    statute.html = "<p>1 § \x00</p>"
    item = source.item(f"{statute.dok_id}.json")
    with pytest.raises(ParseError, match=r"dokumentstatus\.dokument\.html, character 7: U\+0000"):
        source.fetch(item)


def test_a_statute_without_words_is_not_handed_out(source: RiksdagenSource, api: RiksdagenApi) -> None:
    api.statutes[-1].html = " "
    with pytest.raises(EmptyDocumentError):
        source.fetch(source.item("sfs-1977-3.json"))


@pytest.mark.parametrize("key", ["../secrets.json", "sfs-2019-77", "sfs-2019-../77.json"])
def test_a_key_of_another_make_is_not_asked_for(source: RiksdagenSource, server: ApiServer, key: str) -> None:
    with pytest.raises(DocumentError, match="not a key"):
        source.item(key)
    assert server.requests == []


def test_a_row_may_name_its_statute_by_another_field(source: RiksdagenSource, server: ApiServer) -> None:
    row = {"id": "sfs-2019-77", "systemdatum": "2024-01-02 03:04:05"}
    server.faults = [as_json({"dokumentlista": {"@traffar": "1", "@sidor": "1", "dokument": row}})]
    assert source.item("sfs-2019-77.json").stamp == "2024-01-02 03:04:05"


def test_a_statute_and_a_supplement_of_the_same_number_are_kept_apart(
    source: RiksdagenSource, server: ApiServer
) -> None:
    found = [{"id": f"sfs-2019-77{end}", "systemdatum": f"2024-01-0{day}"} for day, end in ((1, " s.1"), (2, ""))]
    answers = [{"@traffar": str(len(rows)), "@sidor": "1", "dokument": rows} for rows in (found, found[:1])]
    server.faults = [as_json({"dokumentlista": answer}) for answer in answers]
    assert [source.item("sfs-2019-77.json").stamp for _ in answers] == ["2024-01-02", ""]


def test_facts_stand_under_the_name_that_has_any_and_those_without_a_name_or_a_text_are_left_out(
    source: RiksdagenSource, server: ApiServer
) -> None:
    facts = [{"kod": "utfardad", "text": " 2019-12-19 "}, {"kod": "upphavd", "text": " "}, {"kod": "", "text": "x"}]
    text = {"dok_id": "sfs-2019-77", "html": PAGE.format(number="2019:77")}
    status = {"dokument": text, "dokuppgift": {}, "dokumentuppgift": {"uppgift": [*facts, None]}}
    server.faults = [as_json({"dokumentstatus": status})]
    assert source.fetch(SourceItem("sfs-2019-77.json", "")).hints["metadata"] == {"utfardad": "2019-12-19"}


@pytest.mark.parametrize("pages", [100, 101])
def test_a_year_may_have_as_many_pages_as_the_server_turns(
    source: RiksdagenSource, server: ApiServer, pages: int
) -> None:
    """Its pages may be shorter than those asked for."""

    def answer(request: Request) -> Response:
        row = {"id": f"sfs-2025-{request.query['p']}", "systemdatum": "2024-01-02"}
        return as_json({"dokumentlista": {"@traffar": str(pages), "@sidor": str(pages), "dokument": row}})

    server.api = answer
    if pages == 100:
        assert len(source.list().items) == 100
    else:
        with pytest.raises(ListingError, match="2025 has 101 pages, and no more than 100"):
            source.list()


def test_a_list_with_more_statutes_than_it_counts_is_in_doubt(source: RiksdagenSource, server: ApiServer) -> None:
    found = [{"id": f"sfs-2025-{number}", "systemdatum": "2024-01-02"} for number in (1, 2)]
    server.faults = [None, as_json({"dokumentlista": {"@traffar": "1", "@sidor": "1", "dokument": found}})]
    assert "the list of 2025 holds 2 statutes of 1" in next(source.slices()).doubt
