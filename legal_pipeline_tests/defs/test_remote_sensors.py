"""The sensors of the sources behind APIs and of docs.jsonl, on a real instance and against servers that speak the APIs."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance, DagsterRunStatus, SensorResult

from legal_pipeline.defs import partitions
from legal_pipeline.defs.sensors import Cursor, poll_docs_jsonl, poll_folder, poll_remote
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.claims import Claims
from legal_pipeline.settings import Settings
from legal_pipeline.sources.following import Position
from legal_pipeline_tests.defs.watch import Watch, any_job, complete
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.sources.api_server import ApiServer, Response, RiksdagenApi
from legal_pipeline_tests.sources.test_riksdagen import statute

AT_ONCE = 1e-9


@pytest.fixture
def api() -> RiksdagenApi:
    return RiksdagenApi([statute(2023, number) for number in range(1, 7)] + [statute(2019, 77)])


@pytest.fixture
def server(api: RiksdagenApi) -> Iterator[ApiServer]:
    with ApiServer(api) as running:
        yield running


@pytest.fixture
def follow(
    make_settings: Callable[..., Settings], instance: DagsterInstance, server: ApiServer
) -> Callable[..., Watch]:
    def make(**changes: object) -> Watch:
        settings = make_settings(
            riksdagen_url=server.url,
            source_requests_per_second=100,
            source_timeout_seconds=5,
            partitions_per_run=4,
            **changes,
        )
        return Watch(instance, settings, functools.partial(poll_remote, name="riksdagen"))

    return make


@pytest.fixture
def pipeline(make_settings: Callable[..., Settings]) -> Iterator[Pipeline]:
    with Pipeline.open(make_settings()) as opened:
        yield opened


def skipped(watch: Watch) -> str:
    result = watch.poll()
    assert isinstance(result, SensorResult)
    assert not result.run_requests
    assert result.skip_reason is not None
    return str(result.skip_reason.skip_message)


def test_all_of_a_source_is_run_in_ranges_and_then_what_changes_alone(
    follow: Callable[..., Watch], api: RiksdagenApi, server: ApiServer, pipeline: Pipeline
) -> None:
    watch = follow()
    assert watch.asked() == [
        ("se-sfs-2019-77", "se-sfs-2023-1", "se-sfs-2023-2", "se-sfs-2023-3"),
        ("se-sfs-2023-4", "se-sfs-2023-5", "se-sfs-2023-6"),
    ]
    complete(pipeline)
    asked = len(server.requests)
    assert "nothing to run" in skipped(watch)
    # one page of what was touched last, and the statutes on it only if their stamp is another one
    assert len(server.requests) == asked + 1
    api.statutes[2].html = api.statutes[2].html.replace("solnedgång", "skymning")
    api.statutes[2].systemdatum = "2024-02-01 03:00:00"
    assert watch.asked() == [("se-sfs-2023-3",)]
    complete(pipeline)
    assert watch.asked() == []


def test_a_killed_run_of_what_changed_is_asked_for_again(
    follow: Callable[..., Watch], api: RiksdagenApi, pipeline: Pipeline, instance: DagsterInstance
) -> None:
    watch = follow()
    watch.poll()
    complete(pipeline)
    api.statutes[2].html = api.statutes[2].html.replace("solnedgång", "skymning")
    api.statutes[2].systemdatum = "2024-02-01 03:00:00"
    assert watch.asked() == [("se-sfs-2023-3",)]
    # its run goes on while others of the source change, and then is over without a word
    with Claims(pipeline.registry.database) as claims:
        claims.take(["se-sfs-2023-3"], due=True)
        run = instance.create_run_for_job(
            any_job(), status=DagsterRunStatus.STARTED, tags=partitions.range_tags(["se-sfs-2023-3"])
        )
        api.statutes[4].html = api.statutes[4].html.replace("solnedgång", "skymning")
        api.statutes[4].systemdatum = "2024-02-02 03:00:00"
        assert watch.asked() == [("se-sfs-2023-5",)]
    instance.delete_run(run.run_id)
    assert ("se-sfs-2023-3",) in watch.asked()


def test_a_mass_touch_asks_for_no_run(follow: Callable[..., Watch], api: RiksdagenApi, pipeline: Pipeline) -> None:
    watch = follow()
    watch.poll()
    complete(pipeline)
    api.touch_all("2024-05-01 03:00:00")
    assert "nothing to run" in skipped(watch)


def test_what_is_gone_is_seen_when_everything_is_read_again(
    follow: Callable[..., Watch], api: RiksdagenApi, pipeline: Pipeline
) -> None:
    follow().poll()
    complete(pipeline)
    del api.statutes[0]
    often = follow(source_pass_hours=AT_ONCE)
    for _ in range(2):
        often.poll()
    assert {document.document_id for document in pipeline.registry.documents()} == {
        "se-sfs-2019-77", *(f"se-sfs-2023-{number}" for number in range(2, 7))
    }  # fmt: skip


@pytest.mark.parametrize(
    "fault",
    [
        Response(503, b"busy", (("Retry-After", "3600"),)),
        Response(200, b"{}"),
        Response(200, b"<html>"),
        Response(401, b""),
    ],
)
def test_a_listing_that_fails_or_is_empty_changes_nothing(
    follow: Callable[..., Watch], server: ApiServer, pipeline: Pipeline, fault: Response
) -> None:
    follow().poll()
    complete(pipeline)
    watch = follow(source_pass_hours=AT_ONCE)
    for _ in range(3):
        server.faults = [fault] * 5
        assert "riksdagen" in skipped(watch)
    assert pipeline.registry.counts() == {"completed": 7}


def test_a_look_that_is_broken_off_goes_on_with_the_slice_that_it_had_reached(
    follow: Callable[..., Watch], server: ApiServer, pipeline: Pipeline
) -> None:
    watch = follow()
    # the count, the years up to 2023 with its six statutes, and then no answer
    years = sum(1 for _ in range(2023, _this_year() + 2))
    server.faults = [None] * (1 + years + 6) + [Response(500)] * 20
    assert [document for group in watch.asked() for document in group] == [f"se-sfs-2023-{n}" for n in range(1, 7)]
    complete(pipeline)
    server.faults.clear()
    asked = len(server.requests)
    assert watch.asked() == [("se-sfs-2019-77",)]
    assert not any(request.query.get("rm") == "2023" for request in server.requests[asked:])


def _this_year() -> int:
    from datetime import UTC, datetime

    return datetime.now(UTC).year


def test_a_source_without_its_settings_says_so(
    instance: DagsterInstance, make_settings: Callable[..., Settings]
) -> None:
    watch = Watch(instance, make_settings(), functools.partial(poll_remote, name="laws_africa"))
    assert "LEGAL_PIPELINE_LAWS_AFRICA_TOKEN" in skipped(watch)


def test_a_changed_line_of_docs_jsonl_concerns_its_document_alone(
    instance: DagsterInstance, make_settings: Callable[..., Settings], tmp_path: Path, pipeline: Pipeline
) -> None:
    path = tmp_path / "docs.jsonl"
    write_docs(path, {"a": "Lamps shall be lit.", "b": "Horns shall be blown.", "c": "Flags shall be raised."})
    watch = Watch(instance, make_settings(docs_jsonl=path), poll_docs_jsonl)
    (group,) = watch.asked()
    assert len(group) == 3
    complete(pipeline)
    write_docs(path, {"a": "Lamps shall be lit.", "b": "Horns shall be sounded.", "c": "Flags shall be raised."})
    ((changed,),) = watch.asked()
    assert changed in group
    complete(pipeline)
    for content in ("", '{"doc_id": "a"'):
        path.write_text(content)
        assert "cannot be listed" in skipped(watch)
    assert pipeline.registry.counts() == {"completed": 3}
    path.unlink()
    assert "cannot be listed" in skipped(watch)


def write_docs(path: Path, rules: dict[str, str]) -> None:
    rows = [
        {
            "doc_id": f"act-{name}", "doc_type": "act", "title": f"Harbour {name.upper()} Act", "jurisdiction": "zw", "language": "eng",
            "content": [{"type": "section", "num": "1", "heading": "Duty", "text": rule}],
        }
        for name, rule in rules.items()
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_an_amending_act_asks_for_its_base_law_alone(
    instance: DagsterInstance, make_settings: Callable[..., Settings], folder: Path, pipeline: Pipeline
) -> None:
    for number in (1, 2, 3):
        write_law(folder, number)
    watch = Watch(instance, make_settings(), poll_folder)
    watch.poll()
    complete(pipeline)
    write_amendment(folder, base=2)
    assert sorted(watch.asked()) == [("se-sfs-2024-2",), ("se-sfs-2025-10",)]
    complete(pipeline)
    assert watch.asked() == []


def test_the_consolidated_text_that_comes_with_its_amending_act_is_run_once(
    instance: DagsterInstance, make_settings: Callable[..., Settings], folder: Path, pipeline: Pipeline
) -> None:
    for number in (1, 2):
        write_law(folder, number)
    watch = Watch(instance, make_settings(), poll_folder)
    watch.poll()
    complete(pipeline)
    write_amendment(folder, base=2)
    write_law(folder, 2, "Föreningen får ta ut avgift. Lag (2025:10).\n")
    assert sorted(watch.asked()) == [("se-sfs-2024-2",), ("se-sfs-2025-10",)]
    (base,) = pipeline.registry.documents(ids=["se-sfs-2024-2"])
    assert (base.revision, base.attempt) == (2, 0)


def write_amendment(folder: Path, base: int) -> None:
    """The print of an act that amends 2 § of one of the laws."""
    title = f"Lag om ändring i lagen (2024:{base}) om skötsel av enskild väg {base}"
    (folder / "andring.txt").write_text(
        f"Svensk författningssamling SFS 2025:10 {title}; Utfärdad den 6 februari 2025 "
        f"Enligt riksdagens beslut föreskrivs att 2 § lagen (2024:{base}) om skötsel av enskild väg {base} ska ha följande lydelse. "
        "2 § Vägföreningen ska hålla vägen framkomlig under hela året. Föreningen får ta ut avgift. "
        "Denna lag träder i kraft den 1 mars 2025. På regeringens vägnar ANNA EK Bo Alm (Landsbygdsdepartementet)",
        encoding="utf-8",
    )


def test_a_cursor_reads_back() -> None:
    cursor = Cursor(Position("a", "b", "c"), 7)
    assert Cursor.loads(cursor.dumps()) == cursor
    assert Cursor.loads(None) == Cursor()
