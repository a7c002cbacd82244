"""The MCP server over both transports, asked by the SDK's own client."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import BaseModel

from legal_pipeline.reading.answers import Outline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.service.compact import NOTICE, compact
from legal_pipeline.settings import Settings
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests import documentation, mcp_conversation
from legal_pipeline_tests.indexed_laws import ARABIC, FIRST, LAW, NOTE, ROAD, WITHHELD
from legal_pipeline_tests.mcp_conversation import SECTION, talk_of_a_quote, told
from legal_pipeline_tests.service.conftest import Server

TOOLS = {
    "search_law", "get_provision", "get_outline", "diff_provision", "resolve_citations", "verify_quote", "cited_by", "amendments_of",
    "recent_changes", "coverage",
}  # fmt: skip

Conversation = Callable[[Client], Awaitable[None]]


def over_http(server: Server, reader: str, conversation: Conversation) -> None:
    async def talk() -> None:
        async with opened(server, reader) as client:
            await conversation(client)

    asyncio.run(talk())


@contextlib.asynccontextmanager
async def opened(server: Server, reader: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {server.keys[reader]}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{server.address}/mcp", http_client=http)) as client,
    ):
        yield client


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert content.type == "text"
    return content.text


def test_tools_are_described_and_only_read(server: Server) -> None:
    async def look(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        for tool in tools:
            assert tool.description
            assert tool.annotations is not None
            assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, False)
            for name, schema in tool.input_schema["properties"].items():
                assert schema.get("description"), (tool.name, name)

    over_http(server, "stranger", look)


def test_a_search_names_the_citations_that_no_hit_answers(server: Server) -> None:
    async def ask(client: Client) -> None:
        found = await told(client, "search_law", query="§ 12 BetrVG")
        assert found["unresolved"] == [
            {"citation": "§ 12 BetrVG", "kind": "not_indexed", "reason": "the index has no BetrVG"}
        ]

    over_http(server, "stranger", ask)


def test_a_conversation_that_needs_several_tools_over_http(server: Server) -> None:
    async def talk(client: Client) -> None:
        assert await talk_of_a_quote(client)

    over_http(server, "stranger", talk)


def test_the_same_conversation_over_standard_input_and_output(law_index: Settings, tmp_path: Path) -> None:
    async def talk() -> str:
        async with Client(mcp_conversation.command(law_index, tmp_path)) as client:
            # it is the owner's, who sees everything
            assert (await told(client, "get_outline", document=NOTE))["origin"]["document_id"] == NOTE
            return await talk_of_a_quote(client)

    found = asyncio.run(asyncio.wait_for(talk(), 60))
    written = documentation.generated("conversation")
    assert written == mcp_conversation.markdown(found), (
        "run `python -m legal_pipeline_tests.documentation conversation`"
    )


def test_the_other_tools_answer(server: Server) -> None:
    async def ask(client: Client) -> None:
        resolved = await told(client, "resolve_citations", text="Se 3 § lagen (2099:10) och 9 § samma lag.")
        assert [one["resolved"] for one in resolved["citations"]] == [True, False]
        assert [node["id"] for node in (await told(client, "get_outline", document=LAW))["nodes"]][2] == SECTION
        assert (await told(client, "cited_by", cited=SECTION))["places"][0]["target"] == SECTION
        assert (await told(client, "amendments_of", amended=ROAD))["pending_amendments"][0]["number"] == "SFS 2025:10"
        changes = await told(client, "recent_changes", since="2020-01-01", changed=SECTION)
        assert [one["holds_from"] for one in changes["changes"]] == ["2020-06-01", "2010-06-01"]
        assert (await told(client, "coverage"))["documents"] >= 4

    over_http(server, "stranger", ask)


def test_tools_take_days_countries_and_limits(server: Server) -> None:
    async def ask(client: Client) -> None:
        search = {"query": "mistluren dimma", "limit": 30}
        first = (await told(client, "search_law", **search, as_of="2005-01-01"))["hits"]
        assert f"3 § {FIRST}" in [hit.get("text") for hit in first]
        abroad = (await told(client, "search_law", **search, jurisdictions=["ae"]))["hits"]
        assert {hit["origin"]["document_id"] for hit in abroad} == {ARABIC}
        assert len((await told(client, "search_law", query="mistluren dimma", limit=2))["hits"]) == 2
        assert (await told(client, "get_provision", provision=SECTION, as_of="2005-01-01"))["text"] == f"3 § {FIRST}"
        assert (await told(client, "get_outline", document=LAW, as_of="2005-01-01"))["as_of"] == "2005-01-01"
        differing = await told(
            client, "diff_provision", provision=SECTION, first_day="2025-01-01", second_day="2005-01-01"
        )
        assert differing["after"]["text"] == f"3 § {FIRST}"
        citing = {"text": "Se 3 § lagen (2099:10).", "jurisdictions": ["zm"]}
        assert "citations" not in await told(client, "resolve_citations", **citing)
        assert len((await told(client, "cited_by", cited=SECTION, limit=1))["places"]) == 1
        changes = await told(client, "recent_changes", since="2020-01-01", jurisdictions=["ae"])
        assert [change["document_id"] for change in changes["changes"]] == [ARABIC]
        latest = await told(client, "recent_changes", since="2020-01-01", limit=1)
        assert {change["document_id"] for change in latest["changes"]} == {LAW}

    over_http(server, "firm", ask)


def test_wrong_arguments_are_answered_with_the_right_names(server: Server) -> None:
    async def ask(client: Client) -> None:
        names = "its arguments are provision (required), as_of, max_tokens"
        assert await refused(client, "get_provision", id=SECTION) == f"get_provision has no argument 'id'; {names}"
        assert names in await refused(client, "get_provision")
        assert "as_of" in await refused(client, "get_provision", provision=SECTION, as_of="yesterday")
        assert "search_law" in await refused(client, "search")
        assert "known wordings: sec_3 from 2001-01-01" in await refused(
            client, "get_provision", provision=SECTION, as_of="1999-01-01"
        )

    over_http(server, "stranger", ask)


def test_each_key_sees_its_own(server: Server) -> None:
    async def count(client: Client) -> None:
        seen.append((await told(client, "coverage"))["documents"])
        hits = (await told(client, "search_law", query="råd om mistluren och handbok", limit=20))["hits"]
        ids.append({hit["origin"]["document_id"] for hit in hits})
        texts.append([hit.get("text") for hit in hits if hit["origin"]["document_id"] == WITHHELD])

    seen: list[int] = []
    ids: list[set[str]] = []
    texts: list[list[str | None]] = []
    for reader in ("stranger", "firm", "admin"):
        over_http(server, reader, count)
    assert seen == [seen[0], seen[0] + 1, seen[0] + 1]
    assert [NOTE in found for found in ids] == [False, True, True]
    assert [text is None for found in texts for text in found] == [True, True, False]


def test_without_a_key_there_is_no_mcp_server(server: Server) -> None:
    answer = httpx.post(f"{server.address}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("most", [200, 400, 1000])
def test_an_answer_has_as_many_tokens_as_it_may(law_index: Settings, most: int) -> None:
    with LawReader.open(law_index) as reader:
        long: list[BaseModel] = [reader.search("mistluren", limit=10), reader.versions(SECTION)]
        nodes = reader.outline(LAW).nodes
        long.append(Outline(nodes=nodes * 100, pending_amendments=[], origin=reader.outline(LAW).origin))
    for answer in long:
        text = compact(answer, most)
        assert count_tokens(text) <= most or most == 200
        assert json.loads(text)["notice"] == NOTICE
    assert json.loads(compact(long[-1], most))["left_out"]["nodes"] > 100
