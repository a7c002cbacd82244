"""The MCP server: tools for a language model that call `LawReader`. They only read, and their answers are compact (`compact`).

Not here: the answers (`reading`), and authentication over HTTP (`mcp_over_http`).
"""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError

from legal_pipeline.errors import DefectError, LegalPipelineError
from legal_pipeline.reading.answers import Amendment, Answer
from legal_pipeline.reading.law_reader import MAX_QUOTE, MAX_TEXT, LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.query_text import MAX_QUERY
from legal_pipeline.service.compact import NOTICE, compact

ViewerOf = Callable[[Context], Viewer]

#: Default and maximum number of tokens in an answer.
_TOKENS, _MOST_TOKENS = 3000, 20_000

_INSTRUCTIONS = f"""Statutes, regulations and judgments of an index, with the wording of every day that is known.
Search with search_law, then cite by the `citation` of an answer and its `source_url`. A provision is named by its `id` (document,
`~`, eid) or by a citation as lawyers write it. Before you quote, check the quote with verify_quote. Tell the user of
`pending_amendments`, of a later text that is not law yet (`later_text_from`), of a wording that is not in force now (`interval`), and of a
citation that the index cannot answer (`unresolved`: the hits below it are other provisions). {NOTICE}"""

_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Named = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="Id of a provision (`<document id>~<eid>`), or a citation with its Act.",
    ),
]
NamedOrDocument = Annotated[
    str, Field(min_length=1, max_length=500, description="Id of a document or provision, or a citation with its Act.")
]
DocumentId = Annotated[str, Field(min_length=1, max_length=200, description="Id of a document, as answers give it.")]
AsOf = Annotated[date | None, Field(description="Day (YYYY-MM-DD) whose law is asked for; without it the latest text.")]
Jurisdictions = Annotated[
    list[str], Field(max_length=50, description="Country codes in lower case (ISO 3166); empty: all.")
]
MaxTokens = Annotated[int, Field(ge=200, le=_MOST_TOKENS, description="Length of the answer, in tokens, at most.")]


class PendingAmendments(Answer):
    """The answer of `amendments_of`."""

    pending_amendments: list[Amendment]


class LawServer(MCPServer[Any]):
    """An MCP server that answers invalid arguments with the names of the valid ones."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        known = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f"there is no tool {name!r}; there are {', '.join(known)}")
        expected = _expected(known[name])
        if unknown := sorted(arguments.keys() - known[name].get("properties", {}).keys()):
            raise ToolError(f"{name} has no argument {', '.join(map(repr, unknown))}; its arguments are {expected}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                wrong = "; ".join(
                    f"{'.'.join(str(part) for part in detail['loc'])}: {detail['msg']}"
                    for detail in error.__cause__.errors(include_input=False, include_url=False)
                )
                raise ToolError(f"{name}: {wrong}; its arguments are {expected}") from error.__cause__
            raise


def _expected(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    return ", ".join(f"{name} (required)" if name in required else name for name in schema.get("properties", {}))


def make_mcp_server(reader: LawReader, viewer_of: ViewerOf) -> LawServer:
    """Return the server for `reader`; `viewer_of` returns the viewer of a call."""
    server = LawServer(
        name="legal-pipeline",
        title="legal_pipeline",
        instructions=_INSTRUCTIONS,
        version=importlib.metadata.version("legal-pipeline"),
        log_level="WARNING",
    )
    tools = _Tools(reader, viewer_of)
    for tool in (
        tools.search_law,
        tools.get_provision,
        tools.get_outline,
        tools.diff_provision,
        tools.resolve_citations,
        tools.verify_quote,
        tools.cited_by,
        tools.amendments_of,
        tools.recent_changes,
        tools.coverage,
    ):
        server.add_tool(_answering(tool), annotations=_READ_ONLY, structured_output=False)
    return server


def _answering(tool: Callable[..., str]) -> Callable[..., str]:
    """Wrap `tool`: errors of the library reach the model as sentences; a defect is only logged."""

    @functools.wraps(tool)
    def answer(*arguments: Any, **named: Any) -> str:
        try:
            return tool(*arguments, **named)
        except DefectError:
            raise
        except LegalPipelineError as error:
            raise ToolError(str(error)) from error

    return answer


class _Tools:
    """The tools. A model sees their docstrings and arguments."""

    def __init__(self, reader: LawReader, viewer_of: ViewerOf) -> None:
        self._reader = reader
        self._viewer_of = viewer_of

    def search_law(
        self,
        context: Context,
        query: Annotated[
            str, Field(min_length=1, max_length=MAX_QUERY, description="Words, a question, or a citation.")
        ],
        jurisdictions: Jurisdictions = [],  # noqa: B006 - copied by pydantic
        as_of: AsOf = None,
        limit: Annotated[int, Field(ge=1, le=30, description="Hits, at most.")] = 5,
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """Find provisions and judgments by meaning, words or citation. A cited provision comes first."""
        filters = SearchFilters(jurisdictions=tuple(jurisdictions), as_of=as_of)
        return compact(
            self._reader.search(query, filters=filters, limit=limit, viewer=self._viewer_of(context)), max_tokens
        )

    def get_provision(
        self, context: Context, provision: Named, as_of: AsOf = None, max_tokens: MaxTokens = _TOKENS
    ) -> str:
        """The text of a provision, now or on a day, with its citation, source, interval and pending amendments."""
        return compact(self._reader.provision(provision, as_of=as_of, viewer=self._viewer_of(context)), max_tokens)

    def get_outline(
        self, context: Context, document: DocumentId, as_of: AsOf = None, max_tokens: MaxTokens = _TOKENS
    ) -> str:
        """The chapters and provisions of a document, with the ids to ask for them."""
        return compact(self._reader.outline(document, as_of=as_of, viewer=self._viewer_of(context)), max_tokens)

    def diff_provision(
        self,
        context: Context,
        provision: Named,
        first_day: Annotated[date, Field(description="YYYY-MM-DD.")],
        second_day: Annotated[date, Field(description="YYYY-MM-DD.")],
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """The differences of the wordings of a provision on two days, word by word."""
        found = self._reader.diff(provision, first_day, second_day, viewer=self._viewer_of(context))
        return compact(found, max_tokens)

    def resolve_citations(
        self,
        context: Context,
        text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT, description="A text that cites.")],
        jurisdictions: Jurisdictions = [],  # noqa: B006
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """Every citation in a text with the provision of the index that it means, or the reason why there is none."""
        found = self._reader.resolve(text, jurisdictions=jurisdictions, viewer=self._viewer_of(context))
        return compact(found, max_tokens)

    def verify_quote(
        self,
        context: Context,
        quote: Annotated[
            str, Field(min_length=1, max_length=MAX_QUOTE, description="The quote; `…` stands for words left out.")
        ],
        provision: Named,
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """Whether a provision contains a quote word for word, in which of its wordings, and how the nearest wording differs."""
        return compact(self._reader.verify(quote, provision, viewer=self._viewer_of(context)), max_tokens)

    def cited_by(
        self,
        context: Context,
        cited: NamedOrDocument,
        limit: Annotated[int, Field(ge=1, le=200, description="Places, at most.")] = 30,
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """The provisions and judgments of the index that cite a provision or a document."""
        return compact(self._reader.cited_by(cited, limit=limit, viewer=self._viewer_of(context)), max_tokens)

    def amendments_of(self, context: Context, amended: NamedOrDocument, max_tokens: MaxTokens = _TOKENS) -> str:
        """The acts that amend a provision or a document and are not consolidated into its text yet."""
        found = self._reader.amendments_of(amended, viewer=self._viewer_of(context))
        return compact(PendingAmendments(pending_amendments=found), max_tokens)

    def recent_changes(
        self,
        context: Context,
        since: Annotated[date, Field(description="The first day that counts, YYYY-MM-DD.")],
        jurisdictions: Jurisdictions = [],  # noqa: B006
        changed: Annotated[
            str | None, Field(max_length=500, description="Only this document or provision, by id or citation.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=100, description="Documents, at most.")] = 20,
        max_tokens: MaxTokens = _TOKENS,
    ) -> str:
        """The changes of the law in the index since a day, and corrections of its texts, in words, latest first."""
        viewer = self._viewer_of(context)
        found = self._reader.changes(since, jurisdictions=jurisdictions, id=changed, limit=limit, viewer=viewer)
        return compact(found, max_tokens)

    def coverage(self, context: Context, max_tokens: MaxTokens = _TOKENS) -> str:
        """The content of the index by jurisdiction, and how recent it is. Call it before you state that there is no such law."""
        return compact(self._reader.coverage(viewer=self._viewer_of(context)), max_tokens)
