"""An erased judgment: its words stand in no file and no table any more, nor after later runs; and what was said of others stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest
from dagster import DagsterInstance
from psycopg import sql
from pydantic import SecretStr

from legal_pipeline.corpus_assets.chunk_report import make_chunk_report
from legal_pipeline.corpus_assets.chunks_jsonl import export_path, write_chunks_jsonl
from legal_pipeline.defs.erasing import erase_document
from legal_pipeline.defs.launch import ingest_source
from legal_pipeline.defs.partitions import NAME
from legal_pipeline.erasure import lift
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry import bundles
from legal_pipeline.registry.bundles import Member
from legal_pipeline.registry.listing import look_up
from legal_pipeline.registry.subscriptions import Subscriptions, Wanted
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.http import AnswerCache, Remembered
from legal_pipeline.sources.registry import answers_folder
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.defs.test_runs import Log
from legal_pipeline_tests.enrichment.anthropic_server import KEY, AnthropicServer
from legal_pipeline_tests.small_laws import write_law

pytestmark = pytest.mark.slow

JUDGMENT, LAW = "in-judgment-dom", "se-sfs-2024-1"
#: Of the parties and of the facts; nowhere else.
WORDS = ("zyxwarin", "quelmord", "brimtallow")


def write_judgment(folder: Path, name: str = "dom.txt") -> Path:
    text = (REPOSITORY / "data/sample/in/judgment-keeper-v-lights-board.txt").read_text("utf-8")
    path = folder / name
    path.write_text(text.replace("RAMAN NAIR", "ZYXWARIN QUELMORD").replace("lighthouse", "brimtallow"), "utf-8")
    (folder / f"{name}.meta.json").write_text(json.dumps({"jurisdiction": "in"}), "utf-8")
    return path


@pytest.fixture
def indexed(request: pytest.FixtureRequest, make_settings: Callable[..., Settings], folder: Path) -> Iterator[Settings]:
    """A judgment and a law through every asset, in one run or (1) in two, with answers of Claude, exports, a subscription that waits, and
    answers of a source."""
    per_run = getattr(request, "param", 125)
    with AnthropicServer() as server:
        settings = make_settings(
            anthropic_api_key=SecretStr(KEY), anthropic_base_url=server.url, enrich=None, partitions_per_run=per_run
        )
        write_judgment(folder)
        write_law(folder, 1)
        ingest(settings, folder)
        with Pipeline.open(settings) as pipeline:
            write_chunks_jsonl(pipeline.registry, pipeline.warehouse, prepared(export_path(settings.home)))
            make_chunk_report(pipeline.resources)
            subscriptions = Subscriptions(pipeline.registry.database)
            since = datetime.now(UTC) - timedelta(1)
            one = subscriptions.create(None, "https://hooks.example.org", Wanted(since=since))
            document = look_up(pipeline.registry.database, JUDGMENT)
            assert document is not None
            subscriptions.note(one, document, ["change 0"])
        cache = AnswerCache(answers_folder(settings))
        cache.put("https://courts.example/list", Remembered(b"Zyxwarin Quelmord v Lights Board", "1", None))
        cache.close()
        yield settings


def prepared(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def ingest(settings: Settings, folder: Path) -> Log:
    log = Log()
    ingest_source(settings, DirectorySource(folder), report=log)
    assert not log.failed
    return log


def places(settings: Settings) -> set[str]:
    """Tables of the database and kinds of files of the home that hold one of the words."""
    return {*_tables(settings), *_files(settings.home)}


def _tables(settings: Settings) -> Iterator[str]:
    with psycopg.connect(settings.database_url_text) as connection:
        names = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
        for (name,) in names:
            statement = sql.SQL("select exists (select from {} as one where one::text ~* %s)").format(
                sql.Identifier(name)
            )
            row = connection.execute(statement, ("|".join(WORDS),)).fetchone()
            if row is not None and row[0]:
                yield name


def _files(home: Path) -> Iterator[str]:
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes().lower()
            if path.suffix == ".zip":
                data = b" ".join(_content(name, member) for name, member in bundles.load(path.read_bytes()).items())
            if any(word.encode() in data for word in WORDS):
                yield path.relative_to(home).parts[0]


def _content(name: str, member: Member) -> bytes:
    content = member.content()
    if name.endswith(".arrows"):
        content = str(pa.ipc.open_stream(content).read_all().to_pylist()).encode()
    return f"{name} {member.stamp} ".lower().encode() + content.lower()


def paid_answers(settings: Settings) -> int:
    """Answers about the judgment, whose words the stand-in for Claude does not repeat."""
    with psycopg.connect(settings.database_url_text) as connection:
        row = connection.execute(
            "select count(*) from llm_requests where document_id = %s and answer is not null", (JUDGMENT,)
        ).fetchone()
        assert row is not None
        return int(row[0])


def hits(settings: Settings, query: str) -> set[str]:
    with Pipeline.open(settings) as pipeline:
        return {hit.document_id for hit in pipeline.search(query, limit=20)}


def test_an_erased_judgment_is_nowhere_and_stays_away(
    indexed: Settings, folder: Path, instance: DagsterInstance
) -> None:
    before = places(indexed)
    assert before >= {"warehouse", "export", "answers", "source_documents", "event_logs"}
    assert any(name.startswith("legal_chunks") for name in before)
    assert paid_answers(indexed) > 0
    assert JUDGMENT in hits(indexed, "Zyxwarin Quelmord")
    done = erase_document(indexed, JUDGMENT, "decision 7 of the court")
    assert done.points > 0
    assert (places(indexed), paid_answers(indexed)) == (set(), 0)
    assert JUDGMENT not in instance.get_dynamic_partitions(NAME)
    assert not [path for path in indexed.home.rglob(f"*{JUDGMENT}*") if "sources" not in path.parts]
    # its source still has it, under its key and under another one
    for name in ("dom.txt", "avgörande.txt"):
        write_judgment(folder, name)
        found = ingest(indexed, folder).found
        assert found is not None
        assert found.new == ()
        assert name in {Path(key).name for key in found.erased}
        assert places(indexed) == set()
    assert hits(indexed, "Vägföreningen ska hålla vägen framkomlig") == {LAW}
    with Pipeline.open(indexed) as pipeline:
        assert pipeline.registry.items_of_documents([LAW])[LAW]
        with pipeline.registry.database.connection() as connection:
            row = connection.execute(
                "select reason, (select count(*) from subscription_messages) as messages from erasures"
            ).fetchone()
            assert row == {"reason": "decision 7 of the court", "messages": 0}
        lift(pipeline, [JUDGMENT])
    for name in ("avgörande.txt", "avgörande.txt.meta.json"):  # or the same judgment would be found under either name
        (folder / name).unlink()
    ingest(indexed, folder)
    assert JUDGMENT in hits(indexed, "Zyxwarin Quelmord")


@pytest.mark.parametrize("indexed", [1], indirect=True)
def test_an_erasure_that_was_killed_is_finished_by_the_next(indexed: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the step behind the stores, and at the one before the registry."""
    for step in ("delete_files", "PracticeAreaLeaves"):
        with monkeypatch.context() as patch:
            patch.setattr(f"legal_pipeline.erasure.{step}", _killed)
            with pytest.raises(KeyboardInterrupt):
                erase_document(indexed, JUDGMENT, "decision 7")
    erase_document(indexed, JUDGMENT, "decision 7")
    assert places(indexed) == set()


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_is_not_there_or_in_work_is_not_erased(indexed: Settings) -> None:
    with pytest.raises(DocumentError, match="not in the registry"):
        erase_document(indexed, "nothing", "a request")
    with Pipeline.open(indexed) as pipeline:
        pipeline.registry.set_status(JUDGMENT, "processing")
        with pytest.raises(DocumentError, match="was not erased"):
            lift(pipeline, [JUDGMENT])
    with pytest.raises(ConfigurationError, match="processing"):
        erase_document(indexed, JUDGMENT, "a request")
