"""Documents of legislation.gov.uk by its feeds, from a local server that serves the corpus' own feed and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline.sources.legislation_gov_uk import LegislationGovUkSource, Series, days, series
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.source import ListingError
from legal_pipeline_tests.sources.api_server import ApiServer, Request, Response, as_xml

ENTRY = "<entry>(.*?)</entry>"


class Site:
    """Two pages of the feed of a year, the second a copy of the first with other numbers, and the texts of `texts` by path;
    `series` is the feed of all years."""

    def __init__(self, feed: str, texts: dict[str, str]) -> None:
        head, tail = feed[: feed.index("<entry>")], "</feed>"
        entries = re.findall(ENTRY, feed, re.DOTALL)
        self.first = feed
        more = [entry.replace("/ukpga/2018/", "/ukpga/2018/1") for entry in entries[:14]]
        last = re.sub(r'<link rel="next"[^>]*>', "", head)
        self.second = last + "".join(f"<entry>{entry}</entry>" for entry in more) + tail
        self.series = ""
        self.texts = texts

    def __call__(self, request: Request) -> Response:
        if request.path == "/ukpga/2018/data.feed":
            return as_xml(self.second if request.query.get("page") == "2" else self.first)
        text = self.series if request.path == "/ukpga/data.feed" else self.texts.get(request.path)
        return as_xml(text) if text is not None else Response(404)


@pytest.fixture
def site(corpus: Path) -> Site:
    folder = corpus / "world" / "uk"
    act = (folder / "sample-human-rights-1998.xml").read_text("utf-8")
    return Site(
        (folder / "sample-atom-ukpga-2018.xml").read_text("utf-8"),
        {"/ukpga/1998/42/data.xml": act, "/ukpga/1998/42/2020-01-01/data.xml": act, "/ukpga/1998/43/data.xml": act},
    )


@pytest.fixture
def server(site: Site) -> Iterator[ApiServer]:
    with ApiServer(site) as running:
        yield running


@pytest.fixture
def source(server: ApiServer, quick: RequestPolicy) -> Iterator[LegislationGovUkSource]:
    client = HttpClient(server.url, policy=quick)
    yield LegislationGovUkSource(client, series("ukpga/2018"))
    client.close()


def test_every_page_of_a_year_is_listed(source: LegislationGovUkSource) -> None:
    listing = source.list()
    assert len(listing.items) == 34
    assert listing.scope == ("ukpga/2018/",)
    first = next(item for item in listing.items if item.key == "ukpga/2018/34.xml")
    assert first.stamp == "2024-05-04T05:12:10Z"
    assert first.hints["title"].startswith("Homes (Fitness for Human Habitation)")


def test_a_series_is_listed_by_the_years_that_have_documents(
    server: ApiServer, site: Site, quick: RequestPolicy
) -> None:
    years = re.sub(r' total="\d+"', ' total="0"', site.first)
    site.series = re.sub(r'(year="(?:2018|2017)"[^>]*) total="0"', r'\1 total="34"', years)
    site.texts["/ukpga/2017/data.feed"] = site.second.replace("/ukpga/2018/", "/ukpga/2017/")
    client = HttpClient(server.url, policy=quick)
    listed = list(LegislationGovUkSource(client, series("ukpga")).slices())
    client.close()
    assert [(part.cursor, len(part.items)) for part in listed] == [("ukpga/2018", 34), ("ukpga/2017", 0)]
    assert "14 documents of 35" in listed[1].doubt


def test_a_change_in_any_year_of_a_series_is_listed(server: ApiServer, site: Site, quick: RequestPolicy) -> None:
    site.series = re.sub(
        r'(year="2017"[^>]*) total="\d+"', r'\1 total="14"', re.sub(r' total="\d+"', ' total="0"', site.first)
    )
    site.series = re.sub(r'(year="2018"[^>]*) total="0"', r'\1 total="34"', site.series)
    feed = site.second.replace("/ukpga/2018/", "/ukpga/2017/")
    site.texts["/ukpga/2017/data.feed"] = re.sub(r'(year="2017"[^>]*) total="\d+"', r'\1 total="14"', feed)
    client = HttpClient(server.url, policy=quick)
    changed = LegislationGovUkSource(client, series("ukpga")).changes("")
    client.close()
    assert {item.key.split("/")[1] for item in changed.items} == {"2017", "2018"}


def test_a_year_whose_feed_is_empty_is_in_doubt(source: LegislationGovUkSource, site: Site) -> None:
    site.first = re.sub(r"<entry>.*</entry>|<link rel=\"next\"[^>]*>", "", site.first, flags=re.DOTALL)
    site.first = re.sub(r' total="\d+"', ' total="0"', site.first)
    (part,) = source.slices()
    assert "0 documents of 0" in part.doubt


def test_a_document_of_another_year_in_a_feed_is_not_believed(source: LegislationGovUkSource, site: Site) -> None:
    site.second = site.second.replace("/id/ukpga/2018/1", "/id/ukpga/2017/1")
    with pytest.raises(ListingError, match="the feed of ukpga/2018 lists"):
        source.list()


def test_what_was_changed_since_a_time_is_listed_alone(source: LegislationGovUkSource) -> None:
    everything = source.list().items
    latest = max(item.stamp for item in everything)
    listing = source.changes(latest)
    assert {item.stamp for item in listing.items} == {latest}
    assert listing.scope == ()


def test_a_feed_that_lacks_a_page_is_in_doubt(source: LegislationGovUkSource, site: Site) -> None:
    site.first = re.sub(r'<link rel="next"[^>]*>', "", site.first)
    (part,) = source.slices()
    assert "20 documents of 34" in part.doubt


@pytest.mark.parametrize("fault", [Response(500), as_xml("<feed"), as_xml("<html/>")])
def test_a_failed_feed_is_no_empty_list(source: LegislationGovUkSource, server: ApiServer, fault: Response) -> None:
    server.faults = [fault, fault]
    with pytest.raises(ListingError):
        source.list()


def test_a_document_is_fetched_as_it_reads_now_and_on_a_day(source: LegislationGovUkSource, server: ApiServer) -> None:
    now = source.fetch(source.item("ukpga/1998/42.xml"))
    then = source.fetch(source.item("ukpga/1998/42@2020-01-01.xml"))
    assert parse(now).document_id == parse(then).document_id == "gb-act-ukpga-1998-42"
    assert (now.hints.get("as_of_date"), then.hints["as_of_date"]) == (None, "2020-01-01")
    assert server.paths == ["/ukpga/1998/42/data.xml", "/ukpga/1998/42/2020-01-01/data.xml"]


def test_another_document_than_asked_for_is_refused(source: LegislationGovUkSource) -> None:
    with pytest.raises(DocumentError, match="ukpga/1998/42"):
        source.fetch(source.item("ukpga/1998/43.xml"))


def test_a_document_that_is_gone_says_so(source: LegislationGovUkSource) -> None:
    with pytest.raises(FetchError) as raised:
        source.fetch(source.item("ukpga/1998/99.xml"))
    assert raised.value.status == 404


def test_days_are_keys_of_their_own(server: ApiServer, quick: RequestPolicy) -> None:
    client = HttpClient(server.url, policy=quick)
    listing = LegislationGovUkSource(client, [Series("ukpga", "2018")], days=days("2020-01-01,2024-01-01")).list()
    client.close()
    assert len(listing.items) == 102
    own = [item.key for item in listing.items if item.key.startswith("ukpga/2018/34")]
    assert own == [f"ukpga/2018/34{day}.xml" for day in ("", "@2020-01-01", "@2024-01-01")]


@pytest.mark.parametrize("text", ["", "UK Acts", "ukpga/18", "ukpga,,uksi/x"])
def test_series_are_checked(text: str) -> None:
    with pytest.raises(ConfigurationError, match="LEGISLATION_GOV_UK_SERIES"):
        series(text)


def test_days_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="LEGISLATION_GOV_UK_DAYS"):
        days("2020-13-01")


def test_series_are_the_same_in_capitals() -> None:
    assert series("UKPGA/2018,ukpga/2018, Asp") == (Series("ukpga", "2018"), Series("asp"))


def test_a_later_page_need_not_state_the_number_of_documents_again(source: LegislationGovUkSource, site: Site) -> None:
    assert "facetYear" in site.second
    site.second = re.sub(r"<leg:facetYear\b[^>]*/>", "", site.second)
    assert "facetYear " not in site.second
    assert len(source.list().items) == 34
    site.second = re.sub(r"<entry>.*?</entry>", "", site.second, count=1, flags=re.DOTALL)
    with pytest.raises(ListingError, match="33 documents of 34"):
        source.list()


def test_a_text_that_does_not_say_which_document_it_is_is_handed_out(
    source: LegislationGovUkSource, site: Site
) -> None:
    site.texts["/ukpga/1998/43/data.xml"] = re.sub(
        r' DocumentURI="[^"]*"', "", site.texts["/ukpga/1998/43/data.xml"], count=1
    )
    assert source.fetch(source.item("ukpga/1998/43.xml")).name == "ukpga-1998-43.xml"
