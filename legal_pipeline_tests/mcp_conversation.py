"""A conversation of an assistant with the MCP server: as the tests hold it over both transports, and as docs/guides/mcp.md shows it.

Not here: the texts of the index (`indexed_laws`).
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.service.compact import NOTICE
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.indexed_laws import LAW, SECOND, THIRD, make_index
from legal_pipeline_tests.serving_thread import environment

SECTION = f"{LAW}~sec_3"


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The answer of a call that went well."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    (content,) = result.content
    assert content.type == "text"
    answer: dict[str, Any] = json.loads(content.text)
    assert next(iter(answer.items())) == ("notice", NOTICE)
    return answer


async def talk_of_a_quote(client: Client) -> str:
    """What an assistant does that is asked whether the law still says what an old brief quotes. Returns the transcript."""
    lines: list[str] = []

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await told(client, tool, **arguments)
        lines.append(f"{tool} {_written(arguments)}\n{_written(answer)}\n")
        return answer

    found = await call("search_law", query="3 § lagen (2099:10)", limit=1)
    provision = found["hits"][0]["provision_id"]
    assert provision == SECTION
    checked = await call("verify_quote", quote=SECOND, provision=provision)
    assert (checked["verdict"], checked["versions"][0]["interval"]["valid_to"]) == ("superseded", "2020-06-01")
    changed = await call("diff_provision", provision=provision, first_day="2015-01-01", second_day="2025-01-01")
    assert changed["after"]["text"] == f"3 § {THIRD}"
    assert [span["second"] for span in changed["spans"] if span["kind"] == "replace"] == ["fyra"]
    return "\n".join(lines)


def made() -> str:
    """The transcript over standard input and output, of an index of its own."""
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        with EmbeddedPostgres(home / "postgres").start() as server:
            settings = load_settings(
                home=home, database_url=server.url, stores="qdrant", enrich="none", qdrant_url=None
            )
            make_index(settings, home / "laws")
            return markdown(asyncio.run(_over_standard_input(settings, home)))


async def _over_standard_input(settings: Settings, folder: Path) -> str:
    """`talk_of_a_quote` with `legal-pipeline mcp`, started in `folder`."""
    async with Client(command(settings, folder)) as client:
        return await talk_of_a_quote(client)


def markdown(transcript: str) -> str:
    return f"```text\n{transcript}```"


def command(settings: Settings, folder: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "legal_pipeline.cli.app", "mcp"],
        env=environment(settings),
        cwd=str(folder),
    )


def _written(value: Any) -> str:
    lines = textwrap.wrap(json.dumps(value, ensure_ascii=False), 130, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)
