"""`legal-pipeline search`: its options, and the call of the pipeline.

Not here: the search (`retrieval.search`, `Pipeline.search`) and the output of hits (`hit_presentation`).
"""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.errors import ConfigurationError


class Level(StrEnum):
    """The part of the document around a hit that is printed."""

    SECTION = "section"
    CHAPTER = "chapter"
    ACT = "act"


def _day(help: str) -> Any:
    return typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help=help)


_SEVERAL = "repeatable"


_Jurisdictions = Annotated[
    list[str] | None,
    typer.Option(help=f"Code of a country or of a part of one, such as se, eu, us or us-dc; {_SEVERAL}."),
]
_Types = Annotated[
    list[str] | None, typer.Option("--type", help=f"act, regulation, agency_regulation, judgment, …; {_SEVERAL}.")
]
_Strategies = Annotated[
    list[str] | None, typer.Option(help=f"The chunking strategy that made the chunk, or raptor; {_SEVERAL}.")
]
_ChunkTypes = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Type of the chunk: statutory_text, definition, holding, raptor_summary, …; {_SEVERAL}. "
        "An unknown type is an error that lists all."
    ),
]
_Criteria = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Immigration decisions of the US only: criterion that an argument is about (awards, judging, …); {_SEVERAL}."
    ),
]
_Standards = Annotated[
    list[str] | None,
    typer.Option(help=f"Immigration decisions of the US only: legal standard that the chunk defines; {_SEVERAL}."),
]
_Winning = Annotated[
    bool | None,
    typer.Option(
        "--winning/--not-winning",
        help="Immigration decisions of the US only: only (or no) arguments that won on appeal.",
    ),
]
_Fold = Annotated[
    bool,
    typer.Option(
        "--fold/--unfold",
        help="List near-duplicates from other documents and the same provision in other languages below one hit, or show each as a hit.",
    ),
]
_PassageTokens = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=10_000,
        help="Show the provisions before and after each hit, up to this number of tokens together with the hit; "
        "0: hits alone. Default: LEGAL_PIPELINE_PASSAGE_TOKENS.",
    ),
]


def search(
    query: Annotated[str, typer.Argument(help="Words, or a citation: `2 kap. 3 § AML`, `s. 12A Labour Act`.")],
    jurisdiction: _Jurisdictions = None,
    doc_type: _Types = None,
    strategy: _Strategies = None,
    chunk_type: _ChunkTypes = None,
    language: Annotated[list[str] | None, typer.Option(help=f"ISO 639-3: swe, eng, fra; {_SEVERAL}.")] = None,
    court: Annotated[
        list[str] | None,
        typer.Option(help=f"A court, by its name in the field `court` of the payload of `search --json`; {_SEVERAL}."),
    ] = None,
    decided_since: Annotated[datetime | None, _day("Judgments of this day and later.")] = None,
    decided_until: Annotated[datetime | None, _day("Judgments of this day and earlier.")] = None,
    criterion: _Criteria = None,
    legal_standard: _Standards = None,
    winning: _Winning = None,
    in_force: Annotated[datetime | None, _day("Only present wordings that were law on this day.")] = None,
    as_of: Annotated[
        datetime | None, _day("The wordings of this day, also superseded ones, each with its validity interval.")
    ] = None,
    document: Annotated[list[str] | None, typer.Option(help=f"Only this document id; {_SEVERAL}.")] = None,
    with_amendments: Annotated[
        bool, typer.Option("--with-amendments", help="Show the acts that amend the provision of each hit.")
    ] = False,
    context: Annotated[Level | None, typer.Option(help="Show the section, chapter or Act around each hit.")] = None,
    fold: _Fold = True,
    passage_tokens: _PassageTokens = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="Hits to show, at most.")] = 10,
    as_json: Json = False,
) -> None:
    """Find provisions. Shows citation, path, offsets, score and snippet of each hit; a cited provision comes first."""
    from legal_pipeline.cli.hit_presentation import print_hits
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.reading.law_reader import LawReader
    from legal_pipeline.reading.unresolved import unresolved
    from legal_pipeline.reading.viewer import OWNER
    from legal_pipeline.retrieval.filters import SearchFilters
    from legal_pipeline.settings import load_settings

    if not query.strip():
        raise ConfigurationError("the query is empty")
    settings = load_settings()
    if as_of is not None and not settings.history:
        raise ConfigurationError(
            "--as-of needs the superseded wordings, which LEGAL_PIPELINE_HISTORY=false leaves out of the index: unset it and call "
            "`legal-pipeline reconcile --repair`"
        )
    filters = SearchFilters(
        jurisdictions=tuple(value.lower() for value in jurisdiction or ()),
        doc_types=tuple(doc_type or ()),
        strategies=tuple(strategy or ()),
        chunk_types=tuple(chunk_type or ()),
        languages=tuple(value.lower() for value in language or ()),
        courts=tuple(court or ()),
        criterion_tags=tuple(criterion or ()),
        legal_standards=tuple(legal_standard or ()),
        document_ids=tuple(document or ()),
        is_winning_argument=winning,
        decided_since=_date(decided_since),
        decided_until=_date(decided_until),
        in_force=_date(in_force),
        as_of=_date(as_of),
    )
    with Pipeline.open(settings) as pipeline:
        hits = pipeline.search(
            query,
            limit=limit,
            filters=filters,
            fold_duplicates=fold,
            passage_tokens=passage_tokens,
            amendments=with_amendments,
            context=context.value if context is not None else None,
        )
        access = LawReader(pipeline).access(OWNER)
        for document_id in filters.document_ids if not hits else ():
            access.work(document_id)  # an id that no document has is an error, not an empty answer
        missed = unresolved(access, query, hits, filters)
    print_hits(query, hits, as_json, as_of=_date(as_of), unresolved=missed)


def _date(given: datetime | None) -> date | None:
    return given.date() if given is not None else None
