"""Sources by name, opened from the settings."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from legal_pipeline.building.source import Limits
from legal_pipeline.errors import ConfigurationError, DocumentError, LimitExceededError, UnsafeNameError
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.settings import Settings
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource
from legal_pipeline.sources.registry import WITHHELD, Sources, answers_folder
from legal_pipeline_tests.sources.api_server import TOKEN, ApiServer, EcfrApi, LawsAfricaApi, Response, RiksdagenApi
from legal_pipeline_tests.sources.test_ecfr import SECTION, version
from legal_pipeline_tests.sources.test_laws_africa import ACT, LIGHTS, work
from legal_pipeline_tests.sources.test_riksdagen import statute


def configured(**values: Any) -> Settings:
    return Settings(_env_file=None, source_requests_per_second=100, **values)  # type: ignore[call-arg]


def test_a_file_of_a_folder_is_fetched_by_its_key(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(b"A note.")
    with Sources(configured(), limits=Limits()) as sources:
        assert sources.fetch("files", str(path)).data == b"A note."
        with pytest.raises(DocumentError):
            sources.fetch("files", str(tmp_path / "gone.txt"))


def test_a_link_in_the_place_of_a_file_does_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_bytes(b"A secret.")
    (tmp_path / "laws").mkdir()
    (tmp_path / "laws" / "note.txt").symlink_to(tmp_path / "secret.txt")
    with Sources(configured(), limits=Limits()) as sources, pytest.raises(UnsafeNameError, match="leads out"):
        sources.fetch("files", str(tmp_path / "laws" / "note.txt"))


def test_requests_have_the_limits_and_the_name_of_the_settings_and_answers_are_kept(tmp_path: Path) -> None:
    api = RiksdagenApi([statute(2019, 77)])
    settings = {
        "home": tmp_path,
        "source_user_agent": "lamps/1 (keeper@lamps.example)",
        "source_retry_after_seconds": 7,
    }
    with (
        ApiServer(api, etags=True) as server,
        Sources(configured(riksdagen_url=server.url, **settings), limits=Limits()) as sources,
        Sources(configured(riksdagen_url=server.url, **settings, max_document_bytes=50), limits=Limits()) as narrow,
    ):
        for _ in range(2):
            sources.fetch("riksdagen", "sfs-2019-77.json")
        assert {request.headers["user-agent"] for request in server.requests} == {"lamps/1 (keeper@lamps.example)"}
        assert ["if-none-match" in request.headers for request in server.requests] == [False, True]
        assert answers_folder(configured(home=tmp_path)).is_dir()
        server.faults = [Response(429, headers=(("Retry-After", "8"),))]
        with pytest.raises(DocumentError, match="at most 7 are allowed"):
            sources.fetch("riksdagen", "sfs-2019-77.json")
        server.etags = False
        with pytest.raises(LimitExceededError, match="more than 50 bytes"):
            narrow.fetch("riksdagen", "sfs-2019-77.json")


def test_connections_end_with_the_sources_and_a_source_is_opened_again() -> None:
    with ApiServer(RiksdagenApi([statute(2019, 77)])) as server:
        sources = Sources(configured(riksdagen_url=server.url), limits=Limits())
        for _ in range(2):
            with sources:
                sources.fetch("riksdagen", "sfs-2019-77.json")
            port = int(server.url.rpartition(":")[2])
            open_connections = [
                found for found in psutil.Process().net_connections("tcp") if found.raddr and found.raddr.port == port
            ]
            assert [found.status for found in open_connections if found.status == "ESTABLISHED"] == []


def test_a_line_of_a_file_is_fetched_as_it_reads_now_and_keeps_its_stamp_while_line_and_sidecar_do(
    tmp_path: Path,
) -> None:
    path = tmp_path / "docs.jsonl"
    lamps, horns = ('{"doc_id": "lamps", "text": "Lit."}', '{"doc_id": "horns", "text": "Blown."}')

    def stamps() -> dict[str, str]:
        return {item.name: item.stamp for item in DocsJsonlSource(path).list().items}

    path.write_text(f"{lamps}\n{horns}\n", "utf-8")
    before = stamps()
    with Sources(configured(), limits=Limits()) as sources:
        assert b"Lit." in sources.fetch("docs_jsonl", f"{path}#lamps").data
        path.write_text(f"{horns}\n{lamps.replace('Lit', 'Dark')}\n", "utf-8")
        assert b"Dark." in sources.fetch("docs_jsonl", f"{path}#lamps").data
    rewritten = stamps()
    assert [name for name in before if before[name] != rewritten[name]] == ["lamps"]
    (tmp_path / "docs.jsonl.meta.json").write_text('{"licence": "open"}', "utf-8")
    described = stamps()
    assert not set(described.values()) & set(rewritten.values())
    for day in ("2031-01-01", "2031-02-01"):  # the whole file was fetched again
        said = f'{{"licence": "open", "fetched_at": "{day}T00:00:00+00:00"}}'
        (tmp_path / "docs.jsonl.meta.json").write_text(said, "utf-8")
        assert stamps() == described


def test_an_item_of_an_api_is_fetched_by_its_key() -> None:
    with (
        ApiServer(RiksdagenApi([statute(2019, 77)])) as server,
        Sources(configured(riksdagen_url=server.url), limits=Limits()) as sources,
    ):
        assert sources.fetch("riksdagen", "sfs-2019-77.json").name == "sfs-2019-77.html"
        assert server.paths == ["/dokument/sfs-2019-77.json"]
        assert sources.remote("riksdagen") is sources.remote("riksdagen")


def test_a_mass_touch_changes_no_document(database: Database) -> None:
    registry = Registry(database)
    api = RiksdagenApi([statute(2023, number) for number in range(1, 13)])
    with (
        ApiServer(api) as server,
        Sources(configured(riksdagen_url=server.url), limits=Limits()) as sources,
    ):
        source = sources.remote("riksdagen")
        assert len(register(source, registry, grace=timedelta()).new) == 12
        api.touch_all("2024-02-20 03:00:00")
        touched = register(source, registry, grace=timedelta())
        assert (touched.to_run, len(touched.listed), touched.unreadable) == ((), 12, {})
        api.statutes[3].html = api.statutes[3].html.replace("solnedgång", "skymning")
        api.touch_all("2024-02-21 03:00:00")
        assert register(source, registry, grace=timedelta()).changed == ("se-sfs-2023-4",)


def test_a_section_of_an_api_is_fetched_by_its_key() -> None:
    api = EcfrApi({"204.5": SECTION.format(number="204.5", node=1)}, [version("204.5", "2017-01-01")])
    with (
        ApiServer(api) as server,
        Sources(configured(ecfr_url=f"{server.url}/api/versioner/v1"), limits=Limits()) as sources,
    ):
        file = sources.fetch("ecfr", "title-8/part-204/section-204.5.xml")
        assert file.hints["as_of_date"] == "2017-01-01"


def test_the_token_of_the_settings_is_sent() -> None:
    day = "2020-01-01"
    api = LawsAfricaApi({LIGHTS: work(LIGHTS, day)}, {f"{LIGHTS}/eng@{day}": ACT.format(work=LIGHTS, day=day)})
    with ApiServer(api) as server:
        settings = configured(
            laws_africa_url=f"{server.url}/v3",
            laws_africa_token=TOKEN,
            laws_africa_places="zw",
            max_document_bytes=5_000,
        )
        with Sources(settings, limits=Limits()) as sources:
            assert sources.fetch("laws_africa", f"{LIGHTS}/eng@{day}.xml").data.startswith(b"<akomaNtoso")
            assert len(sources.remote("laws_africa").list().items) == 1


def test_a_source_that_lacks_its_settings_says_which() -> None:
    with Sources(configured(), limits=Limits()) as sources:
        with pytest.raises(ConfigurationError, match="LAWS_AFRICA_TOKEN"):
            sources.remote("laws_africa")
        with pytest.raises(
            ConfigurationError, match="expected ecfr, eurlex, laws_africa, legislation_gov_uk, riksdagen"
        ):
            sources.remote("unknown")
        with pytest.raises(DocumentError, match="no source named 'unknown'"):
            sources.fetch("unknown", "a")


def test_what_a_source_forbids_is_known_by_its_name() -> None:
    assert WITHHELD == ("laws_africa",)
