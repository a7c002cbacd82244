"""Output of `legal-pipeline search`: hits for people, and for machines the JSON of `retrieval/search.schema.json`.

Text of documents is printed as text, never as markup. Not here: the other commands (`presentation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from rich.text import Text

from legal_pipeline.reading.answers import UnresolvedCitation
from legal_pipeline.retrieval.hit import Context, Hit, HitAmendment
from legal_pipeline.retrieval.snippet import SNIPPET_LENGTH
from legal_pipeline.system.terminal import Terminal, print_json, say

#: Format of a validity start that no source states, by its basis (`stages.superseded_chunks`).
_BEGINNINGS = {"attested": "{} at the latest", "seen": "{} at the latest", "year_of_act": "some day after {}"}


def print_hits(
    query: str,
    hits: Sequence[Hit],
    as_json: bool,
    as_of: date | None = None,
    unresolved: Sequence[UnresolvedCitation] = (),
) -> None:
    """Print hits, and before them the citations of the query that they do not answer. With `as_of` the hits are the law of that day, and
    each is printed with the interval of its wording."""
    if as_json:
        print_json(answer(query, hits, as_of, unresolved))
        return
    say(f"\n{query}", style="bold")
    for citation in unresolved:
        say(f"not found: {citation.citation}: {citation.reason}", style="bold red")
    if not hits:
        say("nothing found; `legal-pipeline status` shows what is indexed")
    for number, hit in enumerate(hits, start=1):
        for line in _lines(number, hit, as_of):
            Terminal().print(line, soft_wrap=True)


def answer(
    query: str, hits: Sequence[Hit], as_of: date | None = None, unresolved: Sequence[UnresolvedCitation] = ()
) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    asked = {"query": query, **({"as_of": as_of.isoformat()} if as_of is not None else {})}
    missed = [citation.model_dump() for citation in unresolved]
    return {**asked, "unresolved": missed, "hits": [asdict(hit) for hit in hits]}


def _lines(number: int, hit: Hit, as_of: date | None) -> Iterator[Text]:
    head = Text(f"{number}. {hit.citation}", style="bold cyan")
    head.append(f"  {hit.document_id} {hit.path}  {hit.start_char}..{hit.end_char}  {hit.score:.4f}", style="dim")
    yield head
    if as_of is not None:
        yield Text(f"   {interval_of(hit.payload)}", style="green")
    body = Text(hit.snippet.replace("\n", " "))
    for start, end in hit.highlights:
        body.stylize("bold yellow", start, end)
    yield Text("   ") + body
    if hit.is_rewritten:
        yield Text("   rewritten: not the words of the source", style="dim")
    if hit.source_url:
        yield Text(f"   {hit.source_url}" + (f", fetched {hit.fetched_at}" if hit.fetched_at else ""), style="dim")
    if hit.removed_on:
        yield Text(f"   removed from its source (seen {hit.removed_on})", style="bold red")
    if hit.later_text_from:
        yield Text(f"   a text of {hit.later_text_from} is known and not law yet", style="magenta")
    if hit.disclaimer:
        yield Text(f"   {hit.disclaimer}", style="red")
    if hit.neighbours:
        yield Text(f"   beside it: {', '.join(neighbour.path for neighbour in hit.neighbours)}", style="dim")
    yield from (
        Text(f"   = {duplicate.citation}  {duplicate.document_id}", style="dim") for duplicate in hit.duplicates
    )
    for other in hit.other_languages:
        yield Text(f"   {other.language}: {other.citation}  {other.document_id} {other.path}", style="dim cyan")
        yield Text("   " + _beginning(other.text))
    yield from (
        Text(f"   not consolidated yet: {_amendment(act)}", style="bold magenta") for act in hit.pending_amendments
    )
    yield from (
        Text(f"   not consolidated yet in {beside.path}: {_amendment(act)}", style="magenta")
        for beside in hit.neighbours
        for act in beside.pending_amendments
    )
    if hit.amendments is not None:
        yield from (Text(f"   amended by {_amendment(amendment)}", style="magenta") for amendment in hit.amendments)
    if hit.context is not None:
        yield from _context(hit.context)


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET_LENGTH else f"{line[:SNIPPET_LENGTH].rsplit(' ', 1)[0]} …"


def _amendment(amendment: HitAmendment) -> str:
    parts = [
        amendment.number,
        amendment.title or "",
        f"in force {amendment.in_force_date}" if amendment.in_force_date else "",
        amendment.action or "",
    ]
    return ", ".join(part for part in parts if part) + (
        f": {', '.join(amendment.provisions)}" if amendment.provisions else ""
    )


def _context(context: Context) -> list[Text]:
    cut = ", the part around the hit" if context.truncated else ""
    head = Text(f"   {context.citation}  {context.start_char}..{context.end_char}{cut}", style="bold")
    return [head, *(Text(f"   | {line}") for line in context.text.split("\n") if line)]


def interval_of(payload: Mapping[str, Any]) -> str:
    """Return the known validity interval of a wording: `law from 2018-04-21 to 2022-07-25`; the last day is not included."""
    since, until = payload.get("valid_from"), payload.get("valid_to")
    if since is not None:
        since = _BEGINNINGS.get(str(payload.get("valid_from_basis")), "{}").format(since)
    if until is not None and payload.get("valid_to_basis"):
        until = f"{until} at the latest"
    return f"law from {since or 'an unknown day'} " + (f"to {until}" if until else "on")
