"""The wheel: what it holds, and that it works away from the checkout."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from legal_pipeline.settings import Settings, shipped_path
from legal_pipeline_tests import processes
from legal_pipeline_tests.webserver import Dagster, wait_for

#: What a checkout has in its root and `ingest`, `dev` and `demo` read.
SHIPPED = ("dagster.yaml", "workspace.yaml", "data/sample")


@pytest.fixture(scope="session")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the build backend of `pyproject.toml`, in an environment that has it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build; hatchling.build.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=repository, check=True, timeout=120)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's packages, over the libraries of the environment of the tests."""
    target = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run(list(map(str, install)), check=True, timeout=120)
    return target


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Where the user stands: a folder of his own."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def environment(settings: Settings, python_path: Path | None = None) -> dict[str, str]:
    """A database of the test's, and nothing else that configures this package or Dagster."""
    ours = ("LEGAL_PIPELINE_", "DAGSTER_", "PYTHONPATH", "QDRANT_", "ANTHROPIC_")
    found = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    found[Settings.environment_name("database_url")] = settings.database_url_text
    return found if python_path is None else found | {"PYTHONPATH": str(python_path)}


def run(
    command: Sequence[str | Path], folder: Path, settings: Settings, python_path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment(settings, python_path),
        capture_output=True,
        text=True,
        timeout=550,
    )


def check_demo(ended: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert ended.returncode == 0, ended.stderr[-4000:]
    assert "Traceback" not in ended.stderr
    assert "2 kap. 3 §" in ended.stdout
    assert "s. 4  in-act-2098-71" in ended.stdout  # in English too
    assert "legal-pipeline ingest FOLDER" in ended.stdout
    # what it wrote is where its user stands, and nowhere else
    assert {path.name for path in (folder / "data").iterdir()} >= {"warehouse", "dagster"}


def test_every_file_of_the_package_is_in_the_wheel(repository: Path, wheel: Path) -> None:
    """Among them what no import would miss: SQL, migrations, vocabularies, prompts, schemas."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "legal_pipeline"],
        cwd=repository, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    expected = {name for name in tracked if name and (repository / name).is_file()}
    for name in SHIPPED:
        found = [path for path in (repository / name).rglob("*") if path.is_file()] or [repository / name]
        expected |= {f"legal_pipeline/shipped/{path.relative_to(repository)}" for path in found}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
    assert held == expected


def test_a_checkout_reads_its_own_files(repository: Path) -> None:
    assert [shipped_path(name) for name in SHIPPED] == [repository / name for name in SHIPPED]


@pytest.mark.slow
@pytest.mark.waits
def test_the_wheel_runs_the_demo_away_from_the_checkout(installed: Path, settings: Settings, elsewhere: Path) -> None:
    where = [sys.executable, "-c", "import legal_pipeline; print(legal_pipeline.__file__)"]
    assert run(where, elsewhere, settings, installed).stdout.startswith(str(installed))
    check_demo(run([sys.executable, "-m", "legal_pipeline.cli.app", "demo"], elsewhere, settings, installed), elsewhere)


@pytest.mark.heavy
def test_the_wheel_serves_the_ui_away_from_the_checkout(installed: Path, settings: Settings, elsewhere: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = processes.start(
        [sys.executable, "-m", "legal_pipeline.cli.app", "dev", "--port", str(port)],
        cwd=elsewhere,
        env=environment(settings, installed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    process = psutil.Process(started.pid)
    try:
        server = Dagster(port, process)
        assets = wait_for("the UI", lambda: started.poll() is not None or server.document_assets(), 120)
        assert ["raw_documents"] in assets
        process.send_signal(signal.SIGINT)
        assert started.wait(60) == 0
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            for left in [*process.children(recursive=True), process]:
                left.kill()


@pytest.mark.heavy
def test_the_wheel_installs_into_an_empty_environment(
    repository: Path, wheel: Path, settings: Settings, tmp_path: Path, elsewhere: Path
) -> None:
    binaries = tmp_path / "environment" / "bin"
    venv.create(binaries.parent, with_pip=True)
    constraints = repository / "constraints.txt"
    install = [binaries / "python", "-m", "pip", "install", "--quiet", "--constraint", constraints, wheel]
    subprocess.run(list(map(str, install)), check=True, timeout=1800)
    check_demo(run([binaries / "legal-pipeline", "demo"], elsewhere, settings), elsewhere)
    ended = run([binaries / "legal-pipeline", "doctor"], elsewhere, settings)
    assert ended.returncode == 0, ended.stdout + ended.stderr
