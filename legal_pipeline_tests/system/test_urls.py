"""No password of a URL is shown, however the URL is written; a URL that can be read in two ways is refused before any library reads it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from legal_pipeline.cli.diagnosis import diagnose
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.database import Database, dagster_url, psycopg_url
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.http import HttpClient
from legal_pipeline.stores.qdrant_server import QdrantServerStore
from legal_pipeline.system.urls import check_database_url, render_url

SECRET = "hunter2"

MALFORMED = [
    f"postgresql://u:a%{SECRET}@host/db",
    f"postgresql://u:{SECRET}%@host/db",
    f"postgresql://u:%zz{SECRET}@host/db",
    f"postgresql://u:a@{SECRET}@host/db",
    f"postgresql://u:a/{SECRET}@host/db",
    f"postgresql://u:12/{SECRET}@host/db",
    f"postgresql://u:a/{SECRET}?x@host/db",
    f"postgresql://u:a b{SECRET}@host/db",
    f"postgresql://u:{SECRET}@ho st/db",
    f"postgresql://u:{SECRET}@[::1/db",
    f"postgresql://u:{SECRET}@host]/db",
    f"postgresql://u:{SECRET}@host:po{SECRET}rt/db",
    f"postgresql://u:{SECRET}@host:5432:{SECRET}/db",
    f"postgresql://u:{SECRET}@host/db?password",
    f"postgresql://u:{SECRET}@host/db?password={SECRET}&x",
    f"postgresql://u:{SECRET}@host/a/b",
    f"postgresql://u:{SECRET}@host/db#{SECRET}",
    f"postgresql://u:{SECRET}@host\u2100name/db",
    f"postgresql://u:{SECRET}\n@host/db",
    f"postgresql://{SECRET}",
    f"postgresql://host/db?pass%77ord={SECRET}",
    f"postgresql:/u:{SECRET}@host/db",
    f"postgresql//u:{SECRET}@host/db",
    f"postgresql:u:{SECRET}@host/db",
    f"u:{SECRET}@host/db",
    f"host=h user=u password={SECRET}",
    f"POSTGRESQL://u:{SECRET}@host/db",
    f"mysql://u:{SECRET}@host/db",
    SECRET,
]
#: Of a user, a database or a host alone no program can know that it is a password.
READABLE = {f"postgresql://{SECRET}"}

WELL_FORMED = {
    f"postgresql://u:{SECRET}@host:5432/db": "postgresql://u:***@host:5432/db",
    f"postgresql+psycopg2://u:{SECRET}:x@host/db": "postgresql+psycopg2://u:***@host/db",
    f"postgresql://u:%40{SECRET}@host/db": "postgresql://u:***@host/db",
    f"postgresql://u:{SECRET}@h1:1,h2:2/db": "postgresql://u:***@h1:1,h2:2/db",
    f"postgresql://u:{SECRET}@[::1]:5432/db": "postgresql://u:***@[::1]:5432/db",
    f"postgresql://host/db?user=u&password={SECRET}": "postgresql://host/db?user=***&password=***",
    f"postgresql://host/db?sslmode=require&Password={SECRET}": "postgresql://host/db?sslmode=require&Password=***",
    f"postgresql://u@host/db?sslpassword={SECRET}": "postgresql://u@host/db?sslpassword=***",
    "postgresql://postgres:@/postgres?host=/tmp/sockets": "postgresql://postgres:@/postgres?host=/tmp/sockets",
    f"postgresql://u:{SECRET}@%2Ftmp%2Fsockets/db": "postgresql://u:***@%2Ftmp%2Fsockets/db",
}


def told(error: BaseException) -> str:
    """Everything that a traceback of `error` can show, its hidden contexts too."""
    parts = []
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            parts += [str(each), repr(each), *traceback.format_exception_only(each)]
            waiting += [each.__cause__, each.__context__]
    return "\n".join(parts)


@pytest.mark.parametrize("url", MALFORMED)
def test_nothing_of_a_malformed_url_but_its_scheme_is_shown(url: str) -> None:
    assert SECRET not in render_url(url) or url in READABLE


@pytest.mark.parametrize(("url", "shown"), WELL_FORMED.items())
def test_a_url_is_shown_without_its_secrets_and_is_used_as_it_is(url: str, shown: str) -> None:
    assert render_url(url) == shown
    assert check_database_url(url) == url


@pytest.mark.parametrize("url", [url for url in MALFORMED if url not in READABLE])
@pytest.mark.parametrize("use", [Database, psycopg_url, dagster_url], ids=["Database", "psycopg", "Dagster"])
def test_a_malformed_database_url_is_refused_without_its_secrets(url: str, use: Callable[[str], object]) -> None:
    with pytest.raises(ConfigurationError, match="expected postgresql://") as caught:
        use(url)
    assert SECRET not in told(caught.value)


@pytest.mark.parametrize("url", [url for url in MALFORMED if url not in READABLE])
def test_no_wrong_setting_is_repeated(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", url)
    with pytest.raises(ConfigurationError, match="LEGAL_PIPELINE_DATABASE_URL") as caught:
        load_settings()
    assert SECRET not in str(caught.value)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:{SECRET}@127.0.0.1:1/db",
        f"postgresql://127.0.0.1:1/db?password={SECRET}",
        f"postgresql://u:%25{SECRET}@no-such-host.invalid/db",
        f"postgresql://u:{SECRET}@127.0.0.1:99999/db",
        f"postgresql://u:{SECRET}@127.0.0.1:1/db?no_such_option=1",
        f"postgresql://u:{SECRET}@127.0.0.1:1/db?sslmode=nonsense",
        f"postgresql://u:{SECRET}@127.0.0.1:1/db?connect_timeout=soon",
    ],
)
def test_a_database_that_cannot_be_reached_is_named_without_its_password(url: str, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, database_url=url)
    with pytest.raises(ConfigurationError, match="cannot be used") as caught:
        Database.open(settings)
    assert SECRET not in told(caught.value)
    assert SECRET not in repr(settings)
    assert all(
        SECRET not in finding.detail for finding in diagnose(settings) if finding.part in ("database", "pgvector")
    )


def test_an_embedded_database_is_used_by_its_own_url(settings: Settings) -> None:
    with Database.open(settings) as database:
        assert check_database_url(database.url) == database.url
        assert render_url(database.url) == database.place


@pytest.mark.parametrize(
    "url",
    [
        f"http://reader:a@{SECRET}@host",
        f"http://reader:a/{SECRET}@host",
        f"http://reader:{SECRET}@host:port",
        f"http://reader:{SECRET}@[::1",
        f"http://reader:{SECRET}#x@host",
        f"ftp://reader:{SECRET}@host",
        f"http://reader:{SECRET}@",
        f"http://reader:{SECRET}@ho st",
        f"reader:{SECRET}@host",
        f"http://{SECRET}/x@host",
    ],
)
def test_a_malformed_address_is_refused_without_its_secrets(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (
        HttpClient,
        QdrantServerStore.connect,
        lambda url: load_settings(qdrant_url=url),
        lambda url: load_settings(laws_africa_url=url),
        lambda url: load_settings(anthropic_base_url=url),
    ):
        with pytest.raises(ConfigurationError) as caught:
            use(url)
        assert SECRET not in str(caught.value)
        assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_settings_show_no_secret(tmp_path: Path) -> None:
    settings = load_settings(
        home=tmp_path,
        database_url=f"postgresql://u:{SECRET}@host/db?password={SECRET}",
        qdrant_url=f"https://reader:{SECRET}@qdrant.example.org:6333",
        qdrant_api_key=SECRET,
        anthropic_api_key=SECRET,
        anthropic_base_url=f"https://host.example.org/?key={SECRET}",
        laws_africa_token=SECRET,
        laws_africa_url=f"https://{SECRET}@host.example.org/v3",
        warehouse=f"sftp://u:{SECRET}@host/folder",
    )
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)


def test_every_setting_that_is_a_secret_by_its_name_is_held_as_one() -> None:
    secret = ("key", "token", "password", "secret", "database_url")
    for name, field in Settings.model_fields.items():
        if name.endswith(secret):
            assert SecretStr in getattr(field.annotation, "__args__", (field.annotation,)), name


def test_a_warehouse_is_named_without_a_password() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Warehouse(f"nosuch://u:{SECRET}@host/folder")
    assert SECRET not in told(caught.value)
