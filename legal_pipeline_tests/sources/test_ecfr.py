"""Sections of the Code of Federal Regulations from the eCFR's versioner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from legal_pipeline.errors import (
    ConfigurationError,
    DocumentError,
    LimitExceededError,
    ParseError,
    TruncatedDocumentError,
)
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.ecfr import EcfrSource, Part, parts
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.source import ListingError
from legal_pipeline_tests.sources.api_server import ApiServer, EcfrApi, Response, as_json, as_xml

SECTION = """<DIV8 N="{number}" NODE="8:1.0.1.2.{node}" TYPE="SECTION">
<HEAD>§ {number} Petitions for lighthouse keepers.</HEAD>
<P>(a) <I>General.</I> A petition is filed by the keeper of the light.</P>
<P>(1) It names the light & its height.</P>
<P>(b) The fee is paid on filing.</P>
<CITA TYPE="N">[56 FR 60905, Nov. 29, 1991]</CITA>
</DIV8>""".replace("&", "&amp;")


def version(identifier: str, issued: str, **more: Any) -> dict[str, Any]:
    return {
        "date": issued,
        "amendment_date": issued,
        "issue_date": issued,
        "identifier": identifier,
        "name": f"§ {identifier} Petitions for lighthouse keepers.",
        "part": "204",
        "substantive": True,
        "removed": False,
        "title": "8",
        "type": "section",
        **more,
    }


@pytest.fixture
def api() -> EcfrApi:
    return EcfrApi(
        {
            number: SECTION.format(number=number, node=index)
            for index, number in enumerate(("204.1", "204.5", "204.51"))
        },
        [
            version("204.5", "2017-01-01"),
            version("204.5", "2023-03-30", amendment_date="2023-04-02"),
            version("204.1", "2017-01-01"),
            version("204.51", "2017-01-01"),
            version("204.9", "2017-01-01"),
            version("204.9", "2020-05-01", removed=True),
            version("204.1", "2031-01-01"),
        ],
    )


@pytest.fixture
def server(api: EcfrApi) -> Iterator[ApiServer]:
    with ApiServer(api) as running:
        yield running


@pytest.fixture
def source(server: ApiServer, quick: RequestPolicy) -> Iterator[EcfrSource]:
    client = HttpClient(f"{server.url}/api/versioner/v1", policy=quick)
    yield EcfrSource(client, parts("8/204"))
    client.close()


def test_each_section_is_listed_once_with_its_latest_version(source: EcfrSource) -> None:
    listing = source.list()
    assert {item.key: item.stamp for item in listing.items} == {
        "title-8/part-204/section-204.1.xml": "2017-01-01:2017-01-01",
        "title-8/part-204/section-204.5.xml": "2023-03-30:2023-04-02",
        "title-8/part-204/section-204.51.xml": "2017-01-01:2017-01-01",
    }
    assert listing.covers("title-8/part-204/section-204.9.xml")
    assert not listing.covers("title-8/part-2040/section-2040.1.xml")


def test_a_version_that_is_only_announced_is_not_current(source: EcfrSource, server: ApiServer) -> None:
    item = source.item("title-8/part-204/section-204.1.xml")
    assert item.hints["as_of_date"] == "2017-01-01"
    source.fetch(item)
    assert "/full/2024-06-01/title-8.xml" in server.paths[-1]


def test_a_version_of_the_last_complete_day_is_current(source: EcfrSource, api: EcfrApi) -> None:
    api.versions.append(version("204.1", api.up_to_date))
    assert source.item("title-8/part-204/section-204.1.xml").hints["as_of_date"] == api.up_to_date


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_versions_issued_on_one_day_the_later_amendment_is_current(
    source: EcfrSource, api: EcfrApi, order: int
) -> None:
    api.versions = [version("204.1", "2020-05-01", amendment_date=day) for day in ("2020-05-02", "2020-06-01")][::order]
    assert [item.hints["as_of_date"] for item in source.list().items] == ["2020-06-01"]


def test_a_version_without_a_day_of_its_amendment_counts_from_the_day_of_its_issue(
    source: EcfrSource, api: EcfrApi
) -> None:
    api.versions = [version("204.1", "2020-05-01", amendment_date=None)]
    (item,) = source.list().items
    assert (item.stamp, item.hints["as_of_date"]) == ("2020-05-01:2020-05-01", "2020-05-01")


@pytest.mark.parametrize("removed", [True, "true"])
def test_a_section_that_was_removed_is_not_listed_in_whatever_form_the_server_says_so(
    source: EcfrSource, api: EcfrApi, removed: object
) -> None:
    api.versions.append(version("204.5", "2024-01-01", removed=removed))
    assert "title-8/part-204/section-204.5.xml" not in {item.key for item in source.list().items}


def test_an_appendix_is_listed_and_fetched_beside_the_section_of_its_number(
    source: EcfrSource, api: EcfrApi, server: ApiServer
) -> None:
    api.versions = [version("204.1", "2017-01-01"), version("204.1", "2018-01-01", type="appendix")]
    appendix, section = source.list().items
    assert appendix.key == "title-8/part-204/appendix-204.1.xml"
    table = '<DIV9 N="§ 204.1" TYPE="APPENDIX"><HEAD>Appendix</HEAD><P>Heights of lights.</P></DIV9>'
    both = as_xml(f'<DIV5 N="204" TYPE="PART">{SECTION.format(number="204.1", node=1)}{table}</DIV5>')
    server.faults = [both, both]
    assert b"Heights of lights." in source.fetch(appendix).data
    assert b"Heights of lights." not in source.fetch(section).data


def test_versions_of_all_pages_count(source: EcfrSource, api: EcfrApi) -> None:
    api.versions = [version(f"204.{number}", "2018-01-01") for number in range(1, 2_301)]
    assert len(source.list().items) == 2_300


def test_a_server_that_does_not_turn_the_page_is_not_believed(source: EcfrSource, api: EcfrApi) -> None:
    api.versions = [version(f"204.{number}", "2018-01-01") for number in range(1, 1_301)]
    api.turns_pages = False
    with pytest.raises(ListingError, match="page 1 again"):
        source.list()


def test_a_server_that_gives_fewer_versions_than_it_counts_is_not_believed(
    source: EcfrSource, server: ApiServer
) -> None:
    server.faults = [
        None,
        as_json({"content_versions": [version("204.1", "2017-01-01")], "meta": {"result_count": "7"}}),
    ]
    with pytest.raises(ListingError, match="1 versions of 7"):
        source.list()


def test_changes_are_those_issued_since(source: EcfrSource, server: ApiServer) -> None:
    listing = source.changes("2023-01-01")
    assert [item.key for item in listing.items] == ["title-8/part-204/section-204.5.xml"]
    assert not listing.covers("title-8/part-204/section-204.1.xml")
    assert server.requests[-1].query["issue_date[gte]"] == "2023-01-01"


def test_changes_since_a_stamp_are_those_of_its_day_too_and_of_every_part(
    server: ApiServer, api: EcfrApi, quick: RequestPolicy
) -> None:
    api.versions += [version("205.1", "2023-03-30", part="205")]
    client = HttpClient(f"{server.url}/api/versioner/v1", policy=quick)
    listing = EcfrSource(client, [Part("8", "204"), Part("8", "205")]).changes("2023-03-30:2023-04-02")
    client.close()
    assert [item.key for item in listing.items] == [
        "title-8/part-204/section-204.5.xml",
        "title-8/part-205/section-205.1.xml",
    ]


def test_parts_are_listed_one_by_one_behind_the_cursor(server: ApiServer, quick: RequestPolicy) -> None:
    client = HttpClient(f"{server.url}/api/versioner/v1", policy=quick)
    source = EcfrSource(client, [Part("8", "100"), Part("8", "204")])
    with pytest.raises(ListingError, match="part 100 is empty"):
        source.list()
    assert [part.scope for part in source.slices("title-8/part-100/")] == [("title-8/part-204/",)]
    with pytest.raises(ListingError, match="not a cursor"):
        list(source.slices("title-9/part-1/"))
    client.close()


def test_a_busy_server_is_waited_for(source: EcfrSource, server: ApiServer) -> None:
    server.faults = [Response(503, headers=(("Retry-After", "0"),))]
    assert len(source.list().items) == 3


@pytest.mark.parametrize(
    "fault",
    [
        as_json({}),
        as_json({"titles": []}),
        as_json({"titles": [{"number": 9, "up_to_date_as_of": "2024-06-01"}]}),
        as_json({"titles": [{"number": 8, "up_to_date_as_of": None}]}),
        as_json({"titles": "none"}),
        Response(404, b""),
        Response(503, headers=(("Retry-After", "7200"),)),
    ],
)
def test_an_answer_that_cannot_be_believed_is_no_empty_listing(
    source: EcfrSource, server: ApiServer, fault: Response
) -> None:
    server.faults = [fault]
    with pytest.raises(ListingError):
        source.list()


@pytest.mark.parametrize("body", [{}, {"content_versions": []}, {"content_versions": [{"part": "204"}]}])
def test_a_part_without_versions_is_no_empty_part(
    source: EcfrSource, server: ApiServer, body: dict[str, object]
) -> None:
    server.faults = [None, as_json(body)]
    with pytest.raises(ListingError):
        source.list()


def test_a_section_reads_the_same_bare_and_inside_its_part(source: EcfrSource, api: EcfrApi) -> None:
    item = source.item("title-8/part-204/section-204.5.xml")
    bare = source.fetch(item)
    api.wrapped = True
    assert source.fetch(item).data == bare.data
    document = parse(bare, bare.hints["format"])
    assert (document.format, document.document_id, document.as_of_date) == ("ecfr_xml", "us-cfr-8-204.5", "2023-04-02")
    assert document.work_uri == "us/cfr/t8/p204/s204.5"
    assert (bare.hints["licence"], bare.hints["may_export"]) == (source.licence.name, True)
    assert bare.hints["title"] == "§ 204.5 Petitions for lighthouse keepers."
    nameless = source.item("title-8/part-204/section-204.5.xml")
    assert source.fetch(replace(nameless, hints={**nameless.hints, "title": ""})).hints["title"] == "8 CFR 204.5"
    assert "names the light & its height" in document.text


def test_another_section_in_the_answer_or_the_same_twice_is_not_handed_out(
    source: EcfrSource, api: EcfrApi, server: ApiServer
) -> None:
    item = source.item("title-8/part-204/section-204.5.xml")
    for section, message in ((api.sections["204.51"], "0 divisions"), (api.sections["204.5"] * 2, "2 divisions")):
        server.faults = [as_xml(f"<DIV5>{section}</DIV5>")]
        with pytest.raises(ParseError, match=message):
            source.fetch(item)


def test_xml_that_is_cut_off_is_not_handed_out(source: EcfrSource, api: EcfrApi) -> None:
    item = source.item("title-8/part-204/section-204.5.xml")
    api.sections["204.5"] = api.sections["204.5"][:150]
    with pytest.raises(TruncatedDocumentError):
        source.fetch(item)


def test_a_section_above_the_limit_says_so(server: ApiServer, quick: RequestPolicy) -> None:
    client = HttpClient(f"{server.url}/api/versioner/v1", policy=RequestPolicy(**{**vars(quick), "max_bytes": 3_000}))
    source = EcfrSource(client, parts("8/204"))
    item = source.item("title-8/part-204/section-204.5.xml")
    server.faults = [Response(200, b"<DIV8>" + b"x" * 4_000)]
    with pytest.raises(LimitExceededError, match="3,000 bytes"):
        source.fetch(item)
    client.close()


def test_a_day_that_the_title_does_not_hold_yet_is_not_found(source: EcfrSource, api: EcfrApi) -> None:
    item = source.item("title-8/part-204/section-204.5.xml")
    api.up_to_date = "2024-05-01"
    with pytest.raises(FetchError) as caught:
        source.fetch(item)
    assert caught.value.status == 404


def test_a_removed_section_has_no_item(source: EcfrSource) -> None:
    with pytest.raises(DocumentError, match="not in force"):
        source.item("title-8/part-204/section-204.9.xml")


def test_parts_are_written_as_title_and_part() -> None:
    assert parts(" 8/204, 22/41 ") == (Part("8", "204"), Part("22", "41"))
    with pytest.raises(ConfigurationError, match="ECFR_PARTS"):
        parts("8:204")


def test_a_part_may_have_a_letter() -> None:
    assert parts("17/240a") == (Part("17", "240a"),)


def test_versions_of_other_parts_and_of_what_is_no_section_are_not_listed(
    source: EcfrSource, server: ApiServer
) -> None:
    versions = [
        version("204.1", "2017-01-01"),
        version("205.1", "2017-01-01", part="205"),
        version("204", "2017-01-01", type="part"),
    ]
    server.faults = [None, as_json({"content_versions": versions})]
    assert [item.key for item in source.list().items] == ["title-8/part-204/section-204.1.xml"]


@pytest.mark.parametrize("removed", [True, False])
def test_of_two_versions_of_one_day_the_one_that_the_server_gives_last_is_current(
    source: EcfrSource, api: EcfrApi, removed: bool
) -> None:
    api.versions = [
        version("204.1", "2020-05-01", removed=not removed),
        version("204.1", "2020-05-01", removed=removed),
        version("204.2", "2020-05-01"),
    ]
    listed = {item.key.rpartition("-")[2] for item in source.list().items}
    assert listed == ({"204.2.xml"} if removed else {"204.1.xml", "204.2.xml"})


def test_changes_are_asked_for_on_every_page(source: EcfrSource, api: EcfrApi) -> None:
    old = [version(f"204.{number}", "2017-01-01") for number in range(1, 1_100)]
    api.versions = [*old, *(version(f"204.{number}", "2023-05-01") for number in range(2_001, 3_011))]
    assert len(source.changes("2023-01-01").items) == 1_010


def test_a_title_without_a_day_is_named_if_a_part_of_it_is_asked_for(source: EcfrSource, server: ApiServer) -> None:
    dated, undated = {"number": 8, "up_to_date_as_of": "2024-06-01"}, {"number": 9, "up_to_date_as_of": None}
    server.faults = [as_json({"titles": [undated, {"number": 10}, dated]})]
    assert len(source.list().items) == 3
    server.faults = [as_json({"titles": [{**undated, "number": 8}]})]
    with pytest.raises(ListingError, match="title 8 has no date"):
        source.list()
