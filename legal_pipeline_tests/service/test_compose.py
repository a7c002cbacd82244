"""The compose file and its image: what they name exists here. Docker itself is not run: it is not where the tests run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import click
import pytest
import typer
import yaml

from legal_pipeline.cli.app import app
from legal_pipeline.settings import Settings

_OF_OTHERS = {"postgres": r"POSTGRES_(USER|DB|PASSWORD)", "qdrant": r"QDRANT__[A-Z_]+"}


@pytest.fixture
def folder(repository: Path) -> Path:
    return repository / "deploy/compose"


@pytest.fixture
def compose(folder: Path) -> Any:
    return yaml.safe_load((folder / "compose.yaml").read_text("utf-8"))


def validated(file: Path) -> subprocess.CompletedProcess[str]:
    """`file` compared with the JSON schema of the Compose Specification."""
    pytest.importorskip("check_jsonschema", reason="needs `pip install check-jsonschema`, of the extra `dev`")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_the_file_is_one_of_the_compose_specification(folder: Path, tmp_path: Path) -> None:
    found = validated(folder / "compose.yaml")
    assert found.returncode == 0, found.stdout
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((folder / "compose.yaml").read_text("utf-8").replace("healthcheck:", "health:"), "utf-8")
    assert validated(wrong).returncode == 1


def test_every_variable_is_a_setting_or_one_of_the_image(compose: Any) -> None:
    known = {Settings.environment_name(field) for field in Settings.model_fields}
    for name, service in compose["services"].items():
        for variable in service["environment"]:
            assert variable in known or re.fullmatch(_OF_OTHERS.get(name, "$"), variable), (name, variable)


def test_every_secret_comes_from_the_environment(compose: Any, folder: Path) -> None:
    pattern = (folder / ".env.example").read_text("utf-8")
    for service in compose["services"].values():
        for variable, value in service["environment"].items():
            if re.search(r"KEY|PASSWORD|DATABASE_URL", variable):
                assert value is None or "${" in value, variable
    asked = set(re.findall(r"\$\{(\w+)", (folder / "compose.yaml").read_text("utf-8"))) | {"ANTHROPIC_API_KEY"}
    assert asked == set(re.findall(r"^#? ?([A-Z_]+)=", pattern, re.MULTILINE))


def test_every_command_is_one_of_ours(compose: Any) -> None:
    program: Any = typer.main.get_command(app)
    ours = {name: service["command"] for name, service in compose["services"].items() if "build" in service}
    assert set(ours) == {"service", "dagster"}
    for command in ours.values():
        assert command[0] == "legal-pipeline"
        program.get_command(click.Context(program), command[1]).make_context(command[1], command[2:])


def test_every_service_is_checked_keeps_its_data_and_is_reached_from_this_machine_only(compose: Any) -> None:
    for name, service in compose["services"].items():
        assert service["healthcheck"]["test"], name
        assert any(volume.split(":")[0] in compose["volumes"] for volume in service["volumes"]), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), name


class Answering(BaseHTTPRequestHandler):
    """A server whose health is `status`."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path in ("/healthz", "/readyz", "/server_info") else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def answering() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize(("name", "port"), [("service", 8000), ("dagster", 3000), ("qdrant", 6333)])
def test_a_health_check_tells_who_is_well(
    compose: Any, answering: HTTPServer, monkeypatch: pytest.MonkeyPatch, name: str, port: int
) -> None:
    command = compose["services"][name]["healthcheck"]["test"]
    here = [part.replace(str(port), str(answering.server_port)) for part in command[1:]]
    assert here != command[1:]
    here[0] = {"python": sys.executable}.get(here[0], here[0])
    ended = [subprocess.run(here, capture_output=True, timeout=30).returncode]
    monkeypatch.setattr(Answering, "status", 503)
    ended.append(subprocess.run(here, capture_output=True, timeout=30).returncode)
    assert ended == [0, 1]


def test_the_image_has_what_the_wheel_is_built_from_and_runs_as_nobody_else(repository: Path, tmp_path: Path) -> None:
    lines = (repository / "deploy/Dockerfile").read_text("utf-8").splitlines()
    for line in lines:
        if line.startswith("COPY "):
            *sources, target = line.split()[1:]
            for source in map(repository.joinpath, sources):
                if source.is_dir():
                    shutil.copytree(source, tmp_path / target)
                else:
                    shutil.copy(source, tmp_path / target)
    build = "import hatchling.build; print(hatchling.build.build_wheel('.'))"
    built = subprocess.run([sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stderr[-2000:]
    extras = re.search(r"'\.\[([\w,]+)\]'", "\n".join(lines))
    assert extras is not None
    assert {"service"} <= set(extras[1].split(","))
    ignored = (repository / ".dockerignore").read_text("utf-8").splitlines()
    assert {".venv", ".git", "data/*", "!data/sample", "**/.env"} <= set(ignored)
    commands = [line.split()[0] for line in lines if line and line[0].isupper()]
    assert commands.index("USER") > max(index for index, command in enumerate(commands) if command == "RUN")
