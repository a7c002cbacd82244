"""The web page over HTTP and in a headless Chromium: what each page shows, errors in words, keys, hostile text, accessibility.

One index, one pair of servers and one browser for all tests. Not here: the answers behind the pages (`reading/test_law_reader.py`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx
import pytest
from lxml import html

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.service.gate import Gate
from legal_pipeline.settings import Settings
from legal_pipeline_tests import browser as browsers
from legal_pipeline_tests.indexed_laws import ARABIC, CITING, HOSTILE, LAW, NOTE, ROAD, WITHHELD
from legal_pipeline_tests.serving_thread import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SECTION = f"{LAW}~sec_3"
COMPARED = f"/provisions/{SECTION}/compare?from=2005-01-01&to=2025-01-01"


class Web:
    """`open` asks for no key of the owner, `closed` asks everybody for one; `keys` by the name of their readers."""

    def __init__(self, open_: str, closed: str, keys: dict[str, str]) -> None:
        self.open, self.closed, self.keys = open_, closed, keys

    def get(self, path: str, *, reader: str | None = None, accept: str = "text/html", **query: str) -> httpx.Response:
        """From the open server; with the key of `reader` in the cookie."""
        cookies = {"legal_pipeline_key": self.keys[reader]} if reader else {}
        with httpx.Client(base_url=self.open, cookies=cookies, headers={"Accept": accept}, timeout=30) as client:
            return client.get(path, params=query or None)


@pytest.fixture(scope="module")
def web(law_index: Settings) -> Iterator[Web]:
    with contextlib.ExitStack() as stack:
        pipeline = stack.enter_context(Pipeline.open(law_index))
        keys = ApiKeys(pipeline.registry.database)
        made = {
            "stranger": keys.create("stranger")[1],
            "firm": keys.create("firm", audiences=["firm-a"])[1],
            "slow": keys.create("slow", requests_per_minute=1)[1],
        }
        reader = LawReader(pipeline)
        addresses = [stack.enter_context(served(reader, Gate(keys, needs_key=needs))) for needs in (False, True)]
        yield Web(addresses[0], addresses[1], made)


def shown(response: httpx.Response) -> str:
    """The words of a page."""
    return " ".join(html.fromstring(response.text).find("body").text_content().split())


def test_a_search_marks_the_words_and_shows_the_source(web: Web) -> None:
    page = web.get("/", q="mistluren dimma", jurisdiction="se", type="act")
    assert page.status_code == 200
    tree = html.fromstring(page.text)
    assert "mistluren" in {mark.text for mark in tree.iter("mark")}
    links = tree.xpath("//ol[@class='hits']//h3/a/@href")
    assert f"/provisions/{SECTION}" in links
    assert all(link.startswith("/provisions/se-") for link in links)
    assert tree.xpath("//input[@name='jurisdiction'][@value='se']/@checked")
    (source,) = {str(link) for link in tree.xpath("//ol[@class='hits']//a[@rel='external']/@href")}
    assert source == "https://laws.example/2099/11"
    assert "Pending amendment: SFS 2025:10" in shown(web.get("/", q="vägen framkomlig", type="act"))


def test_a_search_names_the_citations_that_no_hit_answers(web: Web) -> None:
    assert "§ 12 BetrVG was not found: the index has no BetrVG." in shown(web.get("/", q="§ 12 BetrVG"))
    page = html.fromstring(web.get("/", q="99 § lagen (2099:10)").text)
    assert page.xpath("//p[@class='warning']/a/@href") == [f"/documents/{LAW}"]


def test_a_search_as_of_a_day_leads_to_the_wording_of_that_day(web: Web) -> None:
    tree = html.fromstring(web.get("/", q="3 § lagen (2099:10)", as_of="2011-01-01", in_force="").text)
    link = tree.xpath("//ol[@class='hits']//h3/a/@href")[0]
    assert link == f"/provisions/{SECTION}?as_of=2011-01-01"
    assert "ljuda tre gånger." in shown(web.get(link))


def test_a_provision_has_its_history_and_what_cites_it(web: Web) -> None:
    page = web.get(f"/provisions/{SECTION}")
    tree, words = html.fromstring(page.text), shown(page)
    assert "fyra gånger i minuten" in words
    assert tree.xpath("//ol[@class='timeline']/li//time/@datetime") == [
        "2020-06-01", "2010-06-01", "2020-06-01", "2001-01-01", "2010-06-01",
    ]  # fmt: skip
    assert len(tree.xpath("//li[@aria-current='true']")) == 1
    assert tree.xpath("//input[@id='permalink']/@value") == [f"{web.open}/provisions/{SECTION}?as_of=2020-06-01"]
    assert "3 § lagen (2099:10) om fyrvakter" in tree.xpath("//input[@id='citation']/@value")[0]
    assert f"/provisions/{CITING}~sec_1" in tree.xpath("//section[@aria-labelledby='cited']//a/@href")
    for fact in ("Source", "Licence", "Consolidated through"):
        assert fact in words
    assert tree.xpath("//div[@class='law']/@lang") == ["sv"]


def test_what_a_provision_cites_leads_there(web: Web) -> None:
    tree = html.fromstring(web.get(f"/provisions/{CITING}~sec_1").text)
    assert tree.xpath("//section[@aria-labelledby='cites']//a/@href") == [f"/provisions/{SECTION}"]


def test_a_pending_amendment_stands_on_provision_and_document(web: Web) -> None:
    for path in (f"/provisions/{ROAD}~sec_2", f"/documents/{ROAD}"):
        assert "Not consolidated into this text yet: SFS 2025:10" in shown(web.get(path))


def test_two_wordings_stand_side_by_side_with_the_changes_marked(web: Web) -> None:
    tree = html.fromstring(web.get(COMPARED).text)
    assert tree.xpath("//div[@class='sides']//ins/text()") == ["fyra gånger i minuten"]
    assert tree.xpath("//div[@class='sides']//del") == []
    sides = [one.text_content() for one in tree.xpath("//div[@class='sides']//div[@class='law']")]
    assert sides == ["3 § Vid dimma ska mistluren ljuda.", "3 § Vid dimma ska mistluren ljuda fyra gånger i minuten."]
    same = web.get(f"/provisions/{SECTION}/compare", **{"from": "2021-01-01", "to": "2022-01-01"})
    assert "The wording is the same on both days." in shown(same)
    absent = web.get(f"/provisions/{SECTION}/compare", **{"from": "1990-01-01", "to": "2022-01-01"})
    assert "It was not law on this day." in shown(absent)


def test_a_document_has_its_outline_its_texts_and_its_comparison(web: Web) -> None:
    page = web.get(f"/documents/{LAW}")
    tree = html.fromstring(page.text)
    assert tree.xpath("//nav[@class='outline']//a/@href") == [f"/provisions/{LAW}~sec_{number}" for number in (1, 2, 3)]
    citing = tree.xpath("//section[@aria-labelledby='cited']//a/@href")
    assert f"/provisions/{CITING}~sec_1" in citing
    assert not [link for link in citing if LAW in link]
    assert f"/documents/{LAW}?as_of=2010-06-01" in tree.xpath("//ol[@class='timeline']//a/@href")
    assert "3 § Vid dimma ska mistluren ljuda." in shown(web.get(f"/documents/{LAW}/text", as_of="2005-01-01"))
    compared = html.fromstring(web.get(f"/documents/{LAW}/compare", **{"from": "2005-01-01", "to": "2025-01-01"}).text)
    assert compared.xpath("//div[@class='sides']//ins/text()") == ["fyra gånger i minuten"]


def test_changes_have_a_feed_and_coverage_its_counts(web: Web) -> None:
    changes = web.get("/changes", jurisdiction="se")
    tree = html.fromstring(changes.text)
    (feed,) = tree.xpath("//link[@rel='alternate']/@href")
    assert "application/atom+xml" in web.get(feed).headers["content-type"]
    assert "3 § ändrad" in shown(changes)
    assert f"/documents/{ROAD}" in tree.xpath("//h3/a/@href")
    covered = html.fromstring(web.get("/coverage").text)
    assert covered.xpath("//tbody/tr/th/text()") == ["AE", "IN", "SE"]
    listed = html.fromstring(web.get("/documents", jurisdiction="ae").text)
    assert listed.xpath("//tbody//a/@href") == [f"/documents/{ARABIC}"]


def test_a_chunk_says_why_it_was_cut_so_and_what_is_near(web: Web) -> None:
    found = html.fromstring(web.get("/", q="3 § lagen (2099:10)").text)
    words = shown(web.get(found.xpath("//a[starts-with(@href, '/chunks/')]/@href")[0]))
    for fact in ("Strategy", "Route of the document", "Nearest by vector", "cosine 0.", "Beside it", "Parser"):
        assert fact in words
    assert web.get("/chunks/nothing").status_code == 404


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/nothing", 404, "Not found"),
        ("/documents/nothing", 404, "no document of this id is indexed"),
        (f"/provisions/{SECTION}?as_of=1999-12-31", 404, "known wordings: sec_3 from 2001-01-01"),
        ("/?q=x&as_of=31+January", 422, "Dates are written 2024-01-31"),
        ("/?q=x&as_of=2020-01-01&in_force=2020-01-01", 400, "expected one of them"),
        ("/?q=x&type=novel", 400, "is not known"),
        (f"/provisions/{SECTION}/compare", 422, "from: Field required"),
        ("/changes?cursor=nothing", 400, "is not one that an answer gave"),
    ],
)
def test_an_error_is_a_page_in_plain_words(web: Web, path: str, status: int, told: str) -> None:
    page = web.get(path)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert told in shown(page)


def test_an_index_of_nothing_is_a_page_in_plain_words_too(settings: Settings) -> None:
    with (
        Pipeline.open(settings, database_timeout=1) as pipeline,
        served(LawReader(pipeline), Gate(ApiKeys(pipeline.registry.database), needs_key=False)) as address,
        httpx.Client(base_url=address, headers={"Accept": "text/html"}) as client,
    ):
        assert "0 documents" in shown(client.get("/"))
        found = client.get("/?q=lamp")
        assert (found.status_code, "retry-after" in found.headers) == (503, True)
        assert "The index does not answer" in shown(found)
        assert "nothing was indexed" in shown(found)


def test_programs_get_problems_and_no_pages(web: Web) -> None:
    for path, accept in (("/v1/nothing", "text/html"), ("/nothing", "*/*"), ("/v1/provisions/x~y", "text/html")):
        assert web.get(path, accept=accept).headers["content-type"] == "application/problem+json"
    paths = web.get("/openapi.json").json()["paths"]
    assert not {path for path in paths if not path.startswith(("/v1/", "/healthz", "/metrics"))}


def test_every_answer_has_a_strict_policy(web: Web) -> None:
    for path in ("/", "/nothing", "/style.css", "/sign-in", f"/provisions/{SECTION}"):
        headers = web.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';")
        assert "unsafe" not in policy
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
    tree = html.fromstring(web.get(f"/documents/{HOSTILE}").text)
    assert tree.xpath("//script | //style | //@*[name() = 'style' or starts-with(name(), 'on')]") == []


@pytest.mark.parametrize(
    "probe", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "\ufffe\u202e"]
)
def test_hostile_queries_and_ids_stay_text(web: Web, probe: str) -> None:
    for path, query in (("/", {"q": probe}), ("/", {"q": "x", "document": probe}), ("/sign-in", {"next": probe})):
        page = web.get(path, **query)
        assert page.status_code in (200, 400)
        assert not html.fromstring(page.text).xpath("//script | //img")
    for path in ("/documents/", "/provisions/", "/chunks/"):
        page = web.get(path + quote(probe))
        assert page.status_code in (400, 404)
        assert not html.fromstring(page.text).xpath("//script | //img")


def test_hostile_documents_stay_text(web: Web) -> None:
    page = web.get(f"/documents/{HOSTILE}/text")
    assert "<script>document.title = 'owned'</script>" in shown(page)
    for path in (
        f"/documents/{HOSTILE}",
        f"/documents/{HOSTILE}/text",
        "/?q=lyktan+ska+brinna",
        "/documents",
        "/changes",
    ):
        tree = html.fromstring(web.get(path).text)
        assert not tree.xpath("//script | //img | //main//*[@onerror] | //i")
        assert not [link for link in tree.xpath("//@href") if link.startswith("javascript:")]
    assert "javascript:alert('source')" in shown(page)  # as text: the source is not hidden
    assert "49" not in shown(page)


def test_a_text_written_from_right_to_left_has_language_and_direction(web: Web) -> None:
    law = html.fromstring(web.get(f"/documents/{ARABIC}/text").text).xpath("//div[@class='law']")[0]
    assert (law.get("lang"), law.get("dir")) == ("ar", "auto")


def test_a_text_that_must_not_be_handed_on_is_not_shown(web: Web) -> None:
    assert "smörjs med talg" in web.get(f"/documents/{WITHHELD}/text").text
    found = web.get("/", reader="stranger", q="Handbok om mistlurar")
    chunk = html.fromstring(found.text).xpath(
        f"//li[.//a[contains(@href, '{WITHHELD}')]]//a[starts-with(@href, '/chunks/')]/@href"
    )
    assert chunk
    for path in ("/?q=Handbok+om+mistlurar", f"/documents/{WITHHELD}/text", f"/documents/{WITHHELD}", chunk[0]):
        page = web.get(path, reader="stranger")
        assert page.status_code == 200
        assert "talg" not in page.text
    assert "Not shown: the source forbids" in shown(web.get(f"/documents/{WITHHELD}/text", reader="stranger"))


def test_a_firms_note_has_no_page_for_others(web: Web) -> None:
    assert web.get(f"/documents/{NOTE}", reader="firm").status_code == 200
    chunk = html.fromstring(web.get("/", reader="firm", q="hemliga råd provas varje måndag").text).xpath(
        f"//li[.//a[contains(@href, '{NOTE}')]]//a[starts-with(@href, '/chunks/')]/@href"
    )[0]
    for path in (f"/documents/{NOTE}", f"/documents/{NOTE}/text", chunk):
        assert web.get(path, reader="stranger").status_code == 404
    for path in ("/documents", "/changes", "/?q=hemliga+råd+provas", f"/provisions/{SECTION}"):
        assert "Råd om" not in web.get(path, reader="stranger").text


def test_signing_in_keeps_the_key_where_no_script_and_no_other_site_reaches_it(web: Web) -> None:
    with httpx.Client(base_url=web.closed, headers={"Accept": "text/html"}, timeout=30) as client:
        asked = client.get(f"/documents/{LAW}")
        assert asked.status_code == 401
        assert html.fromstring(asked.text).xpath("//input[@name='next']/@value") == [f"/documents/{LAW}"]
        wrong = client.post("/sign-in", data={"key": "lpk_wrong", "next": "/"})
        assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
        assert "not a valid API key" in shown(wrong)
        elsewhere = client.post(
            "/sign-in", data={"key": web.keys["stranger"]}, headers={"Origin": "https://evil.example"}
        )
        assert (elsewhere.status_code, "set-cookie" in elsewhere.headers) == (403, False)
        sent = client.post("/sign-in", data={"key": web.keys["stranger"]}, headers={"Sec-Fetch-Site": "cross-site"})
        assert (sent.status_code, "set-cookie" in sent.headers) == (403, False)
        right = client.post("/sign-in", data={"key": web.keys["stranger"], "next": f"/documents/{LAW}"})
        assert (right.status_code, right.headers["location"]) == (303, f"/documents/{LAW}")
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "expires" not in cookie.lower()
        assert client.get(f"/documents/{LAW}").status_code == 200
        # the cookie is not a key of the API: another site's form could send it there
        assert client.get("/v1/coverage").status_code == 401
        for address in ("https://evil.example", "//evil.example", "/\\evil.example"):
            away = client.post("/sign-in", data={"key": web.keys["stranger"], "next": address})
            assert away.headers["location"] == "/"
        assert client.post("/sign-out").status_code == 303
        assert client.get(f"/documents/{LAW}").status_code == 401


def test_a_key_that_asks_too_fast_is_told_to_wait(web: Web) -> None:
    pages = [web.get("/coverage", reader="slow") for _ in range(2)]
    assert pages[1].status_code == 429
    assert pages[1].headers["retry-after"]
    assert "ask again in" in shown(pages[1])


def test_the_style_is_kept_by_browsers_until_it_changes(web: Web) -> None:
    (style,) = html.fromstring(web.get("/").text).xpath("//link[@rel='stylesheet']/@href")
    answer = web.get(style)
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert "url(" not in answer.text
    assert web.get("/").headers["cache-control"] == "private, no-cache"


# in a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if lacking := browsers.missing():
        pytest.skip(lacking)
    with browsers.opened() as browser:
        yield browser


@pytest.fixture
def context(web: Web, chromium: Browser) -> Iterator[BrowserContext]:
    """Notes every request and every dialog of its pages: none leaves the server, none opens."""
    with contextlib.closing(chromium.new_context(base_url=web.open)) as context:
        requests: list[str] = []
        context.on("request", lambda request: requests.append(request.url))
        context.on("dialog", lambda dialog: pytest.fail(dialog.message))
        yield context
        assert requests
        assert [url for url in requests if not url.startswith(f"{web.open}/")] == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.mark.browser
def test_search_open_as_of_and_compare_without_a_script(web: Web, chromium: Browser) -> None:
    with contextlib.closing(chromium.new_context(base_url=web.open, java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto("/")
        page.fill("#q", "3 § lagen (2099:10) om fyrvakter")
        page.click("form.search .query button")
        page.click(f"a[href='/provisions/{SECTION}']")
        assert page.inner_text("div.law") == "3 § Vid dimma ska mistluren ljuda fyra gånger i minuten."
        page.fill("#as_of", "2011-01-01")
        page.click("form:has(#as_of) button")
        assert page.inner_text("div.law") == "3 § Vid dimma ska mistluren ljuda tre gånger."
        page.select_option("#from", "2001-01-01")
        page.select_option("#to", "2010-06-01")
        page.click("form.compare button")
        assert page.inner_text(".sides ins") == "tre gånger"


@pytest.mark.browser
def test_the_keyboard_alone_leads_from_the_search_to_a_provision(page: Page) -> None:
    page.goto("/changes")
    page.keyboard.press("Tab")
    assert page.inner_text(":focus") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.locator("main:focus").count() == 1
    page.goto("/")
    assert page.locator("#q:focus").count() == 1  # a reader can write at once
    page.keyboard.type("3 § lagen (2099:10) om fyrvakter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator("ol.hits :focus").count():
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/provisions/{SECTION}")


@pytest.mark.browser
def test_hostile_text_runs_nothing_in_a_browser(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    probe = "<script>document.title='owned'</script>"
    for path in (
        f"/documents/{HOSTILE}",
        f"/documents/{HOSTILE}/text",
        f"/?q={probe}",
        f"/documents/{probe}",
        "/documents",
    ):
        page.goto(path)
        assert "owned" not in page.title() or "<script>" in page.title()
        assert page.locator("script, main img").count() == 0
    assert said == [] or all("404" in text for text in said)


#: The pages, with what makes one of another kind.
PAGES = (
    "/", "/?q=mistluren", "/?q=xyzzy&type=judgment", f"/documents/{LAW}", f"/documents/{LAW}/text", f"/documents/{ROAD}",
    f"/documents/{LAW}/compare?from=2005-01-01&to=2025-01-01", f"/provisions/{SECTION}", f"/provisions/{ROAD}~sec_2?as_of=2025-01-01",
    COMPARED, "/changes", "/coverage", "/documents", "/sign-in", "/nothing", f"/documents/{ARABIC}/text",
)  # fmt: skip


@pytest.mark.browser
def test_no_page_has_a_serious_accessibility_finding(web: Web, chromium: Browser) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    # axe is a script, which the pages' own policy would not run
    with contextlib.closing(chromium.new_context(base_url=web.open, bypass_csp=True)) as context:
        context.add_init_script(axe.Axe().axe_script)
        page = context.new_page()

        def findings(**options: object) -> list[tuple[str, str, str]]:
            run = "options => axe.run(options).then(found => found.violations)"
            found = page.evaluate(run, {"resultTypes": ["violations"], **options})
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            return [(page.url, one["id"], one["nodes"][0]["html"]) for one in serious]

        chunk = html.fromstring(web.get("/", q="mistluren").text).xpath("//a[starts-with(@href, '/chunks/')]/@href")[0]
        found = []
        for path in (*PAGES, chunk):
            page.emulate_media(color_scheme="light")
            page.goto(path)
            found += findings()
            # light and dark differ in their colours alone
            page.emulate_media(color_scheme="dark")
            found += findings(runOnly=["color-contrast"])
        assert found == []
        page.evaluate("document.body.innerHTML = '<p style=\"color: #ccc; background: #fff\">pale</p><input>'")
        assert {"color-contrast", "label"} <= {name for _, name, _ in findings()}


@pytest.mark.browser
def test_a_narrow_window_does_not_scroll_sideways(web: Web, chromium: Browser) -> None:
    with contextlib.closing(chromium.new_context(base_url=web.open, viewport={"width": 360, "height": 700})) as context:
        page = context.new_page()
        for path in PAGES:
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


@pytest.mark.browser
def test_a_printed_provision_is_its_text_without_forms(page: Page, tmp_path: Path) -> None:
    page.goto(f"/provisions/{SECTION}")
    page.emulate_media(media="print")
    assert page.locator("form:visible, header.site:visible").count() == 0
    assert page.locator("div.law:visible").count() == 1
