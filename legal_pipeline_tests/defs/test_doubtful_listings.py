"""Listings that shrink, contradict themselves or hold an item that is never handed out: each API through its sensor, on a real instance."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from dagster import DagsterInstance
from pydantic import SecretStr

from legal_pipeline.defs.sensors import Cursor, poll_remote
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline.sources.following import Position
from legal_pipeline_tests.defs.watch import Watch, complete
from legal_pipeline_tests.sources.api_server import (
    TOKEN,
    Api,
    ApiServer,
    EcfrApi,
    LawsAfricaApi,
    Request,
    Response,
    RiksdagenApi,
    as_json,
)
from legal_pipeline_tests.sources.test_ecfr import SECTION, version
from legal_pipeline_tests.sources.test_laws_africa import ACT, work
from legal_pipeline_tests.sources.test_riksdagen import statute

AT_ONCE = 1e-9
PLACES = ("na", "zw")
#: A source in trouble for good: the pause that it asks for keeps the test short.
BROKEN = Response(500, b"broken", (("Retry-After", "0"),))


def riksdagen() -> RiksdagenApi:
    return RiksdagenApi([statute(2023, number) for number in (1, 2, 3, 4)] + [statute(2019, 77), statute(2019, 78)])


def ecfr() -> EcfrApi:
    sections = [("204", f"204.{number}") for number in (1, 2, 3, 4)] + [("214", "214.1"), ("214", "214.2")]
    return EcfrApi(
        {name: SECTION.format(number=name, node=node) for node, (_, name) in enumerate(sections)},
        [version(name, "2017-01-01", part=part) for part, name in sections],
    )


def laws_africa() -> LawsAfricaApi:
    numbers = [("na", number) for number in (1, 2, 3, 4)] + [("zw", 7), ("zw", 8)]
    uris = [f"/akn/{place}/act/2001/{number}" for place, number in numbers]
    return LawsAfricaApi(
        {uri: work(uri, "2001-01-01") for uri in uris},
        {f"{uri}/eng@2001-01-01": ACT.format(work=uri, day="2001-01-01") for uri in uris},
    )


def _shrink_riksdagen(api: RiksdagenApi, keep: Callable[[int], bool]) -> None:
    api.statutes = [one for one in api.statutes if one.year == 2019 or keep(int(one.number))]


def _shrink_ecfr(api: EcfrApi, keep: Callable[[int], bool]) -> None:
    api.versions = [row for row in api.versions if row["part"] == "214" or keep(int(row["identifier"][-1]))]


def _shrink_laws_africa(api: LawsAfricaApi, keep: Callable[[int], bool]) -> None:
    api.works = {uri: row for uri, row in api.works.items() if "/zw/" in uri or keep(int(uri[-1]))}


def _lists(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of an answer that states a total, if it is a page of a listing."""
    return next((body[name] for name in ("dokumentlista", "meta") if name in body), body if "count" in body else None)


@dataclass(frozen=True)
class Remote:
    """A source in two slices, of four items and of two.

    `shrink` keeps those of the first slice whose number is accepted; `rows`, `total` and `stamp` are the names that a page holds them
    under; `broken` is in the request for one of the four.
    """

    name: str
    make: Callable[[], Any]
    shrink: Callable[[Any, Callable[[int], bool]], None]
    rows: str
    total: str
    stamp: str
    broken: str
    changes: dict[str, Any]
    path: str = ""


REMOTES = (
    Remote("riksdagen", riksdagen, _shrink_riksdagen, "dokument", "@traffar", "systemdatum", "sfs-2023-1.json", {}),
    Remote(
        "ecfr", ecfr, _shrink_ecfr, "content_versions", "result_count", "issue_date", "section=204.1",
        {"ecfr_parts": "8/204,8/214"}, "/api/versioner/v1",
    ),
    Remote(
        "laws_africa", laws_africa, _shrink_laws_africa, "results", "count", "updated_at", "act/2001/1/eng@2001-01-01.xml",
        {"laws_africa_token": SecretStr(TOKEN), "laws_africa_places": "na,zw"}, "/v3",
    ),
)  # fmt: skip


@pytest.fixture(params=REMOTES, ids=lambda remote: remote.name)
def remote(request: pytest.FixtureRequest) -> Remote:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def api(remote: Remote) -> Any:
    return remote.make()


@pytest.fixture
def server(api: Any) -> Iterator[ApiServer]:
    with ApiServer(api) as running:
        if isinstance(api, LawsAfricaApi):
            api.address = running.url
        yield running


@pytest.fixture
def watch(
    make_settings: Callable[..., Settings], instance: DagsterInstance, server: ApiServer, remote: Remote
) -> Watch:
    """A poll behind the end of the source begins again with all of it."""
    settings = make_settings(
        **{f"{remote.name}_url": f"{server.url}{remote.path}"},
        source_requests_per_second=10_000,
        source_timeout_seconds=5,
        source_pass_hours=AT_ONCE,
        **remote.changes,
    )
    return Watch(instance, settings, functools.partial(poll_remote, name=remote.name))


@pytest.fixture
def pipeline(make_settings: Callable[..., Settings]) -> Iterator[Pipeline]:
    with Pipeline.open(make_settings()) as opened:
        yield opened


def alive(pipeline: Pipeline) -> int:
    return len(pipeline.registry.documents())


def altered(api: Api, alter: Callable[[Request, dict[str, Any]], None]) -> Api:
    """The API with its JSON answers changed before they are sent."""

    def answer(request: Request) -> Response:
        response = api(request)
        if response.status != 200 or not response.body.startswith(b"{"):
            return response
        body = json.loads(response.body)
        alter(request, body)
        return as_json(body)

    return answer


def test_a_listing_that_shrinks_to_a_half_removes_only_what_two_looks_missed(
    watch: Watch, api: Any, remote: Remote, pipeline: Pipeline
) -> None:
    watch.poll()
    complete(pipeline)
    assert alive(pipeline) == 6
    whole = vars(api).copy()
    remote.shrink(api, lambda number: number > 2)
    watch.poll()
    assert alive(pipeline) == 6
    shrunk = vars(api).copy()
    vars(api).update(whole)
    watch.poll()
    vars(api).update(shrunk)
    watch.poll()
    assert alive(pipeline) == 6, "what came back in between is missed for the first time again"
    watch.poll()
    assert alive(pipeline) == 4


def test_a_slice_that_shrinks_to_nothing_is_not_believed_and_the_slices_behind_it_go_on(
    watch: Watch, api: Any, remote: Remote, pipeline: Pipeline
) -> None:
    watch.poll()
    complete(pipeline)
    remote.shrink(api, lambda number: False)
    _add_to_the_second_slice(api)
    for _ in range(6):
        watch.poll()
    assert alive(pipeline) == 7


def test_a_source_that_shrinks_to_nothing_is_not_believed(
    watch: Watch, server: ApiServer, remote: Remote, api: Any, pipeline: Pipeline
) -> None:
    watch.poll()
    complete(pipeline)

    def emptied(request: Request, body: dict[str, Any]) -> None:
        page = _lists(body)
        if page is not None and "titles" not in body:
            page[remote.total] = "0"
            (page if remote.rows in page else body)[remote.rows] = []
            body["next"] = None

    server.api = altered(api, emptied)
    for _ in range(6):
        watch.poll()
    assert alive(pipeline) == 6
    assert pipeline.registry.counts() == {"completed": 6}


def test_a_total_that_disagrees_with_the_pages_removes_nothing(
    watch: Watch, server: ApiServer, remote: Remote, api: Any, pipeline: Pipeline
) -> None:
    watch.poll()
    complete(pipeline)
    remote.shrink(api, lambda number: number > 2)

    def disagrees(request: Request, body: dict[str, Any]) -> None:
        page = _lists(body)
        if page is not None and remote.total in page and "rm" not in request.query:
            page[remote.total] = str(int(page[remote.total]) + 2)

    server.api = altered(api, disagrees)
    for _ in range(8):
        watch.poll()
    assert alive(pipeline) == 6


def test_an_item_that_is_listed_twice_with_two_stamps_loses_nothing(
    watch: Watch, server: ApiServer, remote: Remote, api: Any, pipeline: Pipeline
) -> None:
    watch.poll()
    complete(pipeline)

    def twice(request: Request, body: dict[str, Any]) -> None:
        page = body.get("dokumentlista", body)
        held = page.get(remote.rows) or []
        listed = held if isinstance(held, list) else [held]
        if listed:
            page[remote.rows] = [*listed, {**listed[0], remote.stamp: "2016-01-01"}]

    server.api = altered(api, twice)
    for _ in range(4):
        watch.poll()
    assert alive(pipeline) == 6
    assert pipeline.registry.counts() == {"completed": 6}


def test_an_item_that_is_never_handed_out_keeps_no_other_waiting(
    watch: Watch, server: ApiServer, remote: Remote, api: Any, pipeline: Pipeline
) -> None:
    def answer(request: Request) -> Response:
        asked = f"{request.path}?" + "&".join(f"{name}={value}" for name, value in request.query.items())
        return BROKEN if remote.broken in asked and "versions" not in asked else api(request)

    server.api = answer
    seen = set()
    for _ in range(6):
        seen |= {document for group in watch.asked() for document in group}
        complete(pipeline)
    assert len(seen) == 5
    assert alive(pipeline) == 5
    server.api = api
    for _ in range(4):
        seen |= {document for group in watch.asked() for document in group}
    assert len(seen) == 6, "the next pass asks for it again"


def test_a_pass_that_cannot_go_on_where_it_was_begins_again(watch: Watch, pipeline: Pipeline) -> None:
    watch.cursor = Cursor(
        Position("a part that is not followed any more", "2017-01-01", "2024-01-01T00:00:00+00:00")
    ).dumps()
    watch.poll()
    assert alive(pipeline) == 6


def _add_to_the_second_slice(api: Any) -> None:
    if isinstance(api, RiksdagenApi):
        api.statutes.append(statute(2019, 79))
    elif isinstance(api, EcfrApi):
        api.sections["214.3"] = SECTION.format(number="214.3", node=9)
        api.versions.append(version("214.3", "2017-01-01", part="214"))
    else:
        uri = "/akn/zw/act/2001/9"
        api.works[uri] = work(uri, "2001-01-01")
        api.expressions[f"{uri}/eng@2001-01-01"] = ACT.format(work=uri, day="2001-01-01")
