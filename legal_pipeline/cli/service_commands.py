"""`legal-pipeline serve`, `mcp` and `keys …`: the HTTP API, the MCP server, and API keys.

Not here: the service (`service`) and the storage of keys (`registry.api_keys`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.cli.usage import Commands
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.extras import extra
from legal_pipeline.system.terminal import print_json, say

if TYPE_CHECKING:
    from legal_pipeline.registry.api_keys import ApiKeys

keys = typer.Typer(cls=Commands, help="API keys of the service.", no_args_is_help=True, suggest_commands=False)


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on. On one that others reach, every request needs an API key.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the API.")] = 8000,
    require_keys: Annotated[
        bool, typer.Option("--require-keys", help="Ask for a key on the loopback address too, as behind a proxy.")
    ] = False,
) -> None:
    """Serve the web page and the HTTP API of the index, until interrupted: search, provisions, versions, citations, changes."""
    from legal_pipeline.settings import load_settings

    with extra("service", "the service"):
        from legal_pipeline.service import app
    app.serve(load_settings(), host=host, port=port, needs_key=require_keys)


def mcp() -> None:
    """Run the MCP server over standard input and output, for an assistant on this machine. It sees all documents."""
    from legal_pipeline.reading.law_reader import LawReader
    from legal_pipeline.reading.viewer import OWNER
    from legal_pipeline.settings import load_settings

    with extra("service", "the service"):
        from legal_pipeline.service.mcp_server import make_mcp_server
    with LawReader.open(load_settings()) as reader, contextlib.suppress(KeyboardInterrupt):
        make_mcp_server(reader, lambda _: OWNER).run("stdio")


@keys.command()
def create(
    name: Annotated[str, typer.Argument(help="Whose key it is, for people.")],
    scope: Annotated[list[str] | None, typer.Option(help="read (default) or admin; repeatable.")] = None,
    audience: Annotated[
        list[str] | None, typer.Option(help="Sees documents of this `metadata.audience` too; repeatable.")
    ] = None,
    per_minute: Annotated[int, typer.Option(min=1, help="Requests per minute, at most.")] = 600,
    as_json: Json = False,
) -> None:
    """Make a key and print it, only this once."""
    with _opened() as known:
        key, text = known.create(
            name, scopes=scope or ("read",), audiences=audience or (), requests_per_minute=per_minute
        )
    if as_json:
        print_json({**asdict(key), "key": text})
        return
    say(text)
    say(f"key {key.key_id} of {key.name}; it is not kept and cannot be shown again", error=True)


@keys.command("list")
def list_keys(as_json: Json = False) -> None:
    """List the keys, without their secrets."""
    with _opened() as known:
        found = known.all()
    if as_json:
        print_json([asdict(key) for key in found])
        return
    for key in found:
        state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else f"{key.requests_per_minute} per minute"
        sees = f", audiences {', '.join(key.audiences)}" if key.audiences else ""
        say(f"{key.key_id}  {key.name}  {', '.join(key.scopes)}{sees}  {state}")
    if not found:
        say("there are no keys; `legal-pipeline keys create NAME` makes one")


@keys.command()
def revoke(key_id: Annotated[str, typer.Argument(help="The id of the key, as `keys list` shows it.")]) -> None:
    """Revoke a key: its next request is refused."""
    with _opened() as known:
        if not known.revoke(key_id):
            raise ConfigurationError(
                f"the key {key_id!r} does not exist or is revoked; `legal-pipeline keys list` shows them"
            )
    say(f"key {key_id} revoked")


@contextlib.contextmanager
def _opened() -> Iterator[ApiKeys]:
    from legal_pipeline.registry.api_keys import ApiKeys
    from legal_pipeline.registry.database import Database
    from legal_pipeline.settings import load_settings

    with Database.open(load_settings()) as database:
        yield ApiKeys(database)
