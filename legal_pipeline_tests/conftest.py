"""Fixtures that every test may use. Not here: fixtures of a single area (in that area's own conftest)."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import psycopg
import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.parsing.pdf import reading
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.registry.migrations import migrate
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests import processes, temporary_files
from legal_pipeline_tests.counting import RememberingEmbedder
from legal_pipeline_tests.examples import register_profiles
from legal_pipeline_tests.indexed_laws import make_index, own_database

REPOSITORY = Path(__file__).resolve().parent.parent

# One model for all languages, in this process and in those that tests start: the second model of the default costs seconds in
# each. Tests of several models name them, and `pipeline/test_default_models.py` takes the default.
os.environ["LEGAL_PIPELINE_EMBEDDING_MODEL"] = "all-MiniLM-L6-v2"
_OF_THE_TESTS = ("LEGAL_PIPELINE_CORPUS", "LEGAL_PIPELINE_EMBEDDING_MODEL")

#: The developer's own configuration must not reach a test: it would write into a real store.
_CONFIGURATION = ("QDRANT_URL", "QDRANT_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")


register_profiles()  # before pytest reads `--hypothesis-profile`

_IN_MEMORY = pytest.StashKey[Path | None]()


def pytest_configure(config: pytest.Config) -> None:
    # each worker would rewrite the assertions of all modules anew, and each of hundreds of processes compile the library
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    config.stash[_IN_MEMORY] = temporary_files.keep_in_memory()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that mostly wait, or a worker of pytest-xdist is alone with one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for garbage after the import of the tests and not during it. Take the modules and tests, which live as long as the session,
    out of what every later search goes through, and search less often: a fourth of the processor time of tests that parse."""
    gc.disable()
    collected = yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
    return collected


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus != pytest.ExitCode.OK:
        session.config.stash[_IN_MEMORY] = None  # for whoever looks into a failure, until the next session begins


def pytest_unconfigure(config: pytest.Config) -> None:
    if folder := config.stash.get(_IN_MEMORY, None):
        temporary_files.remove(folder)


@pytest.fixture(scope="session", autouse=True)
def _processes_die_with_the_session() -> Iterator[None]:
    with processes.swept_session():
        yield


@pytest.fixture(scope="module", autouse=True)
def _no_process_outlives_its_module(_processes_die_with_the_session: None) -> Iterator[None]:
    before = {process.pid for process in processes.left_of_session()}
    yield
    reading.close()  # a PDF process is kept for the next PDF, and would be here until the session ends
    deadline = time.monotonic() + 5
    while left := [process for process in processes.left_of_session() if process.pid not in before]:
        if time.monotonic() > deadline:
            names = [" ".join(process.cmdline()) for process in left]
            for process in left:
                process.kill()
            pytest.fail(f"processes outlive their tests: {names}")
        time.sleep(0.1)


@pytest.fixture(autouse=True)
def _processes_die_with_their_test() -> Iterator[None]:
    with processes.ended():
        yield


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real texts; tests that need it skip where it is not there."""
    path = Path(os.environ.get("LEGAL_PIPELINE_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
    if not path.is_dir():
        pytest.skip(f"the corpus of real texts is not at {path}; set LEGAL_PIPELINE_CORPUS")
    return path


@pytest.fixture(scope="session")
def model() -> Embedder:
    """The packaged model for English, which embeds each text once in a session."""
    return RememberingEmbedder(open_embedder())


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """One embedded server for all tests of the session; each test that asks for `settings` gets a database of its own in it."""
    # not under pytest's own folder: another session of root's closes that to the account that the server runs under
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder:
        with processes.kept():
            server = EmbeddedPostgres(Path(folder) / "postgres").start()
        with server:
            with psycopg.connect(server.url, autocommit=True) as connection:
                # no power cut matters to it, and waiting for the disk is half the time of many tests; databases of a second need no vacuum
                for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
                    connection.execute(f"alter system set {setting} = off".encode())
                connection.execute("select pg_reload_conf()")
            yield server


def database_url(postgres: EmbeddedPostgres, name: str) -> str:
    return postgres.url.replace("@/postgres?", f"@/{name}?")


@pytest.fixture(scope="session")
def template(postgres: EmbeddedPostgres) -> str:
    """The name of a database with pgvector and this package's tables; the databases of tests are copies of it."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("create database template_of_tests")
    url = database_url(postgres, "template_of_tests")
    migrate(url, place=url, extension=True)
    return "template_of_tests"


NewDatabase = Callable[..., str]


@pytest.fixture
def new_database(postgres: EmbeddedPostgres, template: str) -> Iterator[NewDatabase]:
    """Makes a database with the tables of this package, or with those of another template, and gives its URL; all of them are dropped
    after the test."""
    made: list[str] = []

    def make(template: str = template) -> str:
        made.append(f"test_{os.getpid()}_{uuid.uuid4().hex}")
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(f"create database {made[-1]} template {template} strategy file_copy".encode())
        return database_url(postgres, made[-1])

    yield make
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        for name in made:
            connection.execute(f"drop database if exists {name} with (force)".encode())


@pytest.fixture
def settings(new_database: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with a temporary home and an empty database; nothing of the environment but what they name."""
    for name in list(os.environ):
        if name in _CONFIGURATION or (name.startswith("LEGAL_PIPELINE_") and name not in _OF_THE_TESTS):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)  # no `.env` of the checkout
    return load_settings(home=tmp_path / "home", database_url=new_database())


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    with Database.open(settings) as opened:
        yield opened


@pytest.fixture(scope="session")
def law_index(
    postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """The settings of one small index (`indexed_laws`) for all tests that only ask it."""
    with own_database(postgres, template) as url:
        settings = load_settings(
            home=tmp_path_factory.mktemp("home"), database_url=url, stores="qdrant", enrich="none", qdrant_url=None
        )
        make_index(settings, tmp_path_factory.mktemp("laws"))
        yield settings
