"""The systems that are measured: the pipeline's chunks with one layer after another, single strategies, and the baselines.

Not here: cutting (`cutting`, `baselines`) and searching (`run`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from legal_pipeline.chunking.chunk import Chunk, Span, embedded_text
from legal_pipeline.evaluation.baselines import BASELINES, Baseline
from legal_pipeline.evaluation.cutting import Cuts
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import chunk_id, sha256_hex
from legal_pipeline.text.tokens import count_tokens

Family = Literal["layer", "strategy", "baseline"]


@dataclass(frozen=True, slots=True)
class Entry:
    """The indexed form of a chunk: its vector and its words are those of `embedded`. `verbatim` as in `metrics.Ranked`; `in_order`: it is
    a piece of the text in its order; an additional definition or summary is not."""

    chunk_id: str
    document: Document
    spans: tuple[Span, ...]
    text: str
    embedded: str
    tokens: int
    strategy: str = ""
    path: str = ""
    weight: float = 1.0
    verbatim: bool = True
    in_order: bool = True


@dataclass(frozen=True)
class Index:
    """Entries, and questions as (chunk id, question) that represent their chunks."""

    entries: list[Entry]
    questions: list[tuple[str, str]]


@dataclass(frozen=True)
class System:
    """`base` is the system that this system extends. `dense`: whether it is also measured without BM25."""

    name: str
    family: Family
    index: Callable[[Cuts], Index]
    base: str | None = None
    dense: bool = True


def layers() -> tuple[System, ...]:
    """Return systems of the router's chunks: their text alone, then with headers, prefixes, summaries and questions."""
    text, header = "structural, text alone", "structural + header"
    return (
        _layer(text, None, header=False),
        _layer(header, text),
        _layer(f"{header} + prefix", header, prefixes=True),
        _layer(f"{header} + summaries", header, summaries=True),
        _layer(f"{header} + questions", header, questions=True),
        _layer(f"{header} + prefix + summaries + questions", header, prefixes=True, summaries=True, questions=True),
    )


def _layer(
    name: str,
    base: str | None,
    *,
    header: bool = True,
    prefixes: bool = False,
    summaries: bool = False,
    questions: bool = False,
) -> System:
    def index(cuts: Cuts) -> Index:
        entries = _entries(cuts, None, header=header, prefixes=prefixes)
        return Index([*entries, *(_summaries(cuts) if summaries else ())], cuts.questions if questions else [])

    return System(name, "layer", index, base, dense=not questions)


def strategies(names: Iterable[str]) -> tuple[System, ...]:
    """Return a system per strategy: every document cut by that strategy, with headers."""

    def system(name: str) -> System:
        return System(f"{name} + header", "strategy", lambda cuts: Index(_entries(cuts, name), []))

    return tuple(map(system, names))


def baselines() -> tuple[tuple[System, ...], tuple[str, ...]]:
    """Return (the installed baselines, the names of the others)."""
    found = tuple(
        System(baseline.name, "baseline", _baseline(baseline)) for baseline in BASELINES if baseline.installed
    )
    return found, tuple(baseline.name for baseline in BASELINES if not baseline.installed)


def _entries(cuts: Cuts, strategy: str | None, *, header: bool = True, prefixes: bool = False) -> list[Entry]:
    prefix_of = cuts.prefixes if prefixes else {}
    return [
        _entry(document, chunk, header, prefix_of.get(chunk.chunk_id))
        for document, found in cuts.chunks(strategy)
        for chunk in found
    ]


def _entry(document: Document, chunk: Chunk, header: bool, prefix: str | None) -> Entry:
    embedded = embedded_text(chunk.contextual_header, prefix, chunk.chunk_text) if header else chunk.chunk_text
    return Entry(
        chunk.chunk_id, document, chunk.spans, chunk.chunk_text, embedded, chunk.num_tokens, chunk.strategy, chunk.path,
        chunk.retrieval_weight,
        in_order=chunk.parent_chunk_id is None,
    )  # fmt: skip


def _summaries(cuts: Cuts) -> list[Entry]:
    return [
        Entry(
            chunk_id(summary.document.document_id, "raptor", str(summary.number), 0, 0, summary.text),
            summary.document,
            summary.spans,
            summary.text,
            embedded_text(summary.header, None, summary.text),
            count_tokens(summary.text),
            "raptor",
            verbatim=False,
            in_order=False,
        )
        for summary in cuts.summaries
    ]


def _baseline(baseline: Baseline) -> Callable[[Cuts], Index]:
    def index(cuts: Cuts) -> Index:
        split = baseline.load()
        return Index(
            [window for document in cuts.documents for window in _windows(document, list(split(document.text)))], []
        )

    def _windows(document: Document, spans: Sequence[Span]) -> Iterable[Entry]:
        for start, end in spans:
            text = document.text[start:end]
            key = sha256_hex(f"{document.document_id}/{start}/{end}")[:16]
            yield Entry(key, document, ((start, end),), text, text, count_tokens(text))

    return index
