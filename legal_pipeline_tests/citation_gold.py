"""How well the grammars read citation gold that somebody else wrote.

`python -m legal_pipeline_tests.citation_gold [codes] [--gold FOLDER] [--search CORPUS] [--wrong]` prints a table per country: precision and
recall of spans with their targets, of all sentences and of those held back, and the queries whose citation is read as expected. `--gold` is
a folder with a file per country, for gold that does not stand here; without it, every set of `citations/gold/independent*` is read, and the
last table adds the sets up. `--search` indexes the files that hold the cited provisions and counts the queries whose first hit is the
provision. Not here: the gold, and the test that holds what was reached.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline import citations
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.embedding.model_table import FIRST_VECTOR
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.jurisdictions.by_language import reader_of
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.model.identity import UNKNOWN_COUNTRY
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.citation_query import CitedPlace, read_citations
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.chunks import cut_batch, embedding_text
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Point, VectorStore
from legal_pipeline_tests.citations.gold_sentences import GoldSentence, Target, gold_sentences
from legal_pipeline_tests.real_documents import existing

_GOLD = Path(__file__).parent / "citations" / "gold"
#: Gold of languages, whose files also hold the laws that their queries cite.
LANGUAGES = _GOLD / "languages"
#: Sets of gold, each by an author who had not read the grammars.
FOLDERS = (*existing(_GOLD, "independent*"), LANGUAGES)
_COLLECTION = "citation_gold"
#: Two grammars may name a letter or a number below a paragraph differently; which one it is says the number.
_ONE_KIND = frozenset({"para", "item", "point", "litra", "nr"})


@dataclass(frozen=True)
class Score:
    """Citations found as marked, found but not marked, and marked but not found, with the sentences that differ."""

    found: int
    false: int
    missed: int
    wrong: tuple[tuple[GoldSentence, frozenset[Target]], ...]

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.false) if self.found + self.false else 1.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed) if self.found + self.missed else 1.0


@dataclass(frozen=True)
class Query:
    """A query that cites `eid` (None: the work) of the work with the URI `work`, which the corpus file `file` holds.

    `file_work`: the work has no URI that a query could know; it is the one that `file` holds."""

    text: str
    work: str
    eid: str | None
    file: str
    file_work: bool = False
    held: bool = False


def score(folder: Path, code: str, *, held: bool | None = None) -> Score:
    """Compare the grammar of `code` with its sentences: all, or only those held back (or not)."""
    found = false = missed = 0
    wrong = []
    for sentence in gold_sentences(f"{folder}/{code}"):
        if held not in (None, sentence.held):
            continue
        cited = citations.find(sentence.text, _reader(folder, code), sentence.document)
        got = frozenset(_comparable((i.start, i.end, i.work_uri, i.eid)) for i in cited if i.start >= sentence.start)
        expected = frozenset(map(_comparable, sentence.targets))
        found, false, missed = found + len(got & expected), false + len(got - expected), missed + len(expected - got)
        if got != expected:
            wrong.append((sentence, got))
    return Score(found, false, missed, tuple(wrong))


def queries(folder: Path, code: str) -> list[Query]:
    data = _data(folder, code)
    works: dict[str, str] = data["works"]
    if folder == LANGUAGES:
        return [
            Query(
                item["text"],
                "",
                item["eid"],
                _law_file(code, item["work"], data),
                file_work=True,
                held=item.get("held", False),
            )
            for item in data["query"]
        ]
    return [
        Query(item["text"], works.get(item["work"], item["work"]), item.get("eid"), item["file"])
        for item in data["query"]
    ]


def reads_as_expected(query: Query) -> bool:
    """Whether the query is understood as naming the provision of the work."""
    return any(_is_meant(place, query) for place in read_citations(query.text).places)


@dataclass(frozen=True)
class Indexed:
    """A file as an index holds it: the document, and a row and a point of each of its chunks."""

    document_id: str
    rows: Sequence[dict[str, Any]]
    points: Sequence[Point]


def first_hits(
    asked: Sequence[Query], files: Sequence[Indexed], store: VectorStore, embedder: Embedder
) -> dict[str, str | None]:
    """Query -> what its first hit is (document and path), of those whose first hit is not the expected provision."""
    store.ensure_collection(_COLLECTION, embedder.dimension)
    if points := [each for file in files for each in file.points]:
        store.upsert(_COLLECTION, points)
    by_id = {row["chunk_id"]: row for file in files for row in file.rows}
    failed = {}
    with store.session(_COLLECTION, "searching"):
        for query in asked:
            hits = search(query.text, View(store, lambda: embedder, _COLLECTION), limit=1)
            row = by_id[hits[0].chunk_id] if hits else None
            if row is None or not _holds(row, query):
                failed[query.text] = f"{row['document_id']} {row['path']}" if row else None
    return failed


def search_apart(folder: Path, code: str, corpus: Path, embedder: Embedder) -> dict[str, str | None]:
    """`first_hits` of the country's queries, on stores that are gone afterwards.

    Files that no format reads are not indexed; their queries fail. Two files of one work are two expressions, and an index has one of
    them: each is indexed with the others once, for its own queries.
    """
    asked = queries(folder, code)
    if folder == LANGUAGES:
        with tempfile.TemporaryDirectory() as place:
            write_laws(code, Path(place))
            return _search_in(asked, Path(place), embedder)
    return _search_in(asked, corpus, embedder)


def _search_in(asked: Sequence[Query], corpus: Path, embedder: Embedder) -> dict[str, str | None]:
    failed: dict[str, str | None] = {}
    for files in _indexes({corpus / query.file for query in asked}, embedder):
        own = [query for query in asked if corpus / query.file in files]
        with tempfile.TemporaryDirectory() as place, contextlib.closing(QdrantEdgeStore(Path(place))) as store:
            failed |= first_hits(own, [file for file in files.values() if file is not None], store, embedder)
    return failed


def write_laws(code: str, place: Path) -> None:
    """Write the laws of a language's gold to `place`: a file per law, with front matter only where the law has it."""
    for name, law in _data(LANGUAGES, code)["laws"].items():
        labels = {number: law["label"].format(n=number) for number in law["numbers"]} | law.get("labels", {})
        articles = [labels[number] + law["body"].format(n=number) for number in law["numbers"]]
        front = (
            f"---\ntitle: {law['title']}\nlanguage: {code}\njurisdiction: {law['front']}\n---\n"
            if "front" in law
            else ""
        )
        (place / _law_file(code, name, _data(LANGUAGES, code))).write_text(
            "\n\n".join((f"{front}{law['title']}", *articles)) + "\n", "utf-8"
        )


def reached(folder: Path, code: str) -> dict[str, Any]:
    """The bounds that the country's gold file sets: least precision, recall and numbers of queries."""
    bounds: dict[str, Any] = _data(folder, code)["reached"]
    return bounds


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m legal_pipeline_tests.citation_gold")
    parser.add_argument("codes", nargs="*", help="countries; all of a set if none is named")
    parser.add_argument(
        "--search", metavar="CORPUS", type=Path, help="index the corpus files and search for the queries"
    )
    parser.add_argument(
        "--wrong", action="store_true", help="show the open sentences that differ (those held back stay unseen)"
    )
    parser.add_argument(
        "--gold", metavar="FOLDER", type=Path, help="the gold to read, instead of every set that stands here"
    )
    options = parser.parse_args(arguments)
    folders = (options.gold.resolve(),) if options.gold else FOLDERS
    if unknown := set(options.codes).difference(*map(codes_of, folders)):
        parser.error(f"no set has a file for {', '.join(sorted(unknown))}")
    for folder in folders:
        if codes := [code for code in codes_of(folder) if not options.codes or code in options.codes]:
            sys.stdout.write(f"{folder.name}\n")
            sys.stdout.writelines(_table(folder, codes, options.search, wrong=options.wrong))
    sys.stdout.writelines(_sums([folder for folder in folders if folder != LANGUAGES], options.codes))


def codes_of(folder: Path) -> list[str]:
    """The countries that a set has a file for."""
    return [file.stem for file in existing(folder, "*.toml")]


def _table(folder: Path, codes: Iterable[str], corpus: Path | None, *, wrong: bool) -> Iterator[str]:
    yield "country  sentences       precision recall   held: precision recall   queries read   first hit\n"
    for code in codes:
        everything, held, asked = score(folder, code), score(folder, code, held=True), queries(folder, code)
        count = sum(1 for _ in gold_sentences(f"{folder}/{code}"))
        failed = search_apart(folder, code, corpus, open_embedder()) if corpus else {}
        first = f"{len(asked) - len(failed)}/{len(asked)}" if corpus else ""
        yield (
            f"{code:8} {count:9} {everything.precision:15.3f} {everything.recall:6.3f} {held.precision:17.3f} {held.recall:6.3f}"
            f" {sum(map(reads_as_expected, asked)):11}/{len(asked)} {first:>11}\n"
        )
        if wrong:
            yield from _differences(score(folder, code, held=False))
            shown = [query for query in asked if not query.held]
            yield from (f"  query not read: {query.text}\n" for query in shown if not reads_as_expected(query))
            yield from (f"  first hit of {q.text!r}: {failed[q.text]}\n" for q in shown if q.text in failed)


def _sums(folders: Sequence[Path], codes: Sequence[str]) -> Iterator[str]:
    """The sets of a country together: a set alone has few citations."""
    yield "all sets\ncountry  sets       precision recall   held: precision recall\n"
    for code in sorted({code for folder in folders for code in codes_of(folder) if not codes or code in codes}):
        of_code = [folder for folder in folders if code in codes_of(folder)]
        everything, held = (_sum_of([score(folder, code, held=held) for folder in of_code]) for held in (None, True))
        yield (
            f"{code:8} {len(of_code):4} {everything.precision:15.3f} {everything.recall:6.3f} {held.precision:17.3f} {held.recall:6.3f}\n"
        )


def _sum_of(scores: Sequence[Score]) -> Score:
    found, false, missed = (sum(counts) for counts in zip(*((s.found, s.false, s.missed) for s in scores), strict=True))
    return Score(found, false, missed, tuple(sentence for score in scores for sentence in score.wrong))


def _indexes(files: Iterable[Path], embedder: Embedder) -> list[dict[Path, Indexed | None]]:
    """The files, None for those that are not read, in as many indexes as one document has files."""
    indexes: list[dict[Path, Indexed | None]] = [{}]
    for path in sorted(files):
        file = _indexed(path, embedder)
        if file is None:
            indexes[0][path] = None
            continue
        for index in indexes:
            if all(other is None or other.document_id != file.document_id for other in index.values()):
                index[path] = file
                break
        else:
            indexes.append({path: file})
    return indexes


@functools.lru_cache(maxsize=16)  # the sets of a country ask about the same files
def _indexed(path: Path, embedder: Embedder) -> Indexed | None:
    """A file with the vectors of the headers of its chunks; None if no format reads it."""
    source = DirectorySource(path)
    try:
        document = parse(source.fetch(source.list().items[0]))
    except LegalPipelineError:
        return None
    (chunked,) = cut_batch([document], None, lambda _: EmbedderAsEncoder(embedder))
    if isinstance(chunked, Exception):
        raise chunked
    rows = [{**chunk.to_row(), "context_prefix": None, "cited_as": document.work_uri} for chunk in chunked.chunks]
    vectors = embedder.embed_passages([row["contextual_header"] or row["path"] for row in rows]).vectors
    points = [
        point(row, embedding_text(row, None), StoredVector(vector, FIRST_VECTOR, ""))
        for row, vector in zip(rows, vectors, strict=True)
    ]
    return Indexed(document.document_id, rows, points)


def _holds(row: dict[str, Any], query: Query) -> bool:
    """Whether a chunk is of the cited provision: its work and the number of its article, section, recital or schedule paragraph."""
    if not query.file_work and row["cited_as"] != query.work:
        return False
    if query.file_work and row["source_file"] != query.file:
        return False
    if query.eid is None:
        return True
    wanted = _provision(query.eid)
    metadata = row.get("metadata") or {}
    lists = (row.get(name) or metadata.get(name) or () for name in ("eids", "subdivisions", "provisions"))
    own = str(row.get("eid") or "")
    named = {str(eid) for eids in lists for eid in eids}
    # a paragraph of a schedule is named by itself, the schedule by the chunk
    held = {own, *named, *(f"{own}__{each}" for each in named)}
    return any(set(wanted) <= set(eid.split("__")) for eid in held)


def _provision(eid: str) -> list[str]:
    """Segments that make the provision: `sched_2__para_1` and `chp_2__sec_6` whole, of `art_6__subsec_1` the article."""
    parts = eid.split("__")
    return parts[:2] if parts[0].startswith(("sched_", "chp_")) else parts[:1]


def _is_meant(place: CitedPlace, query: Query) -> bool:
    if place.works if query.file_work else query.work not in place.works:
        return False
    cited = [*place.containers, *([place.provision] if place.provision else []), *place.below]
    return [_level(part) for part in cited] == [_level(part) for part in (query.eid or "").split("__") if part]


def _comparable(target: Target) -> Target:
    start, end, work, eid = target
    return start, end, work, "__".join(map(_level, eid.split("__"))) if eid else None


def _level(segment: str) -> str:
    kind, _, number = segment.partition("_")
    return f"item_{number}" if kind in _ONE_KIND else segment


def _differences(compared: Score) -> Iterator[str]:
    for sentence, got in compared.wrong:
        yield f"  {sentence.text}\n"
        for label, targets in (
            ("missed", frozenset(map(_comparable, sentence.targets)) - got),
            ("false", got - frozenset(map(_comparable, sentence.targets))),
        ):
            for start, end, work, eid in sorted(targets, key=str):
                yield f"    {label}: {sentence.text[start:end]!r} {work} {eid}\n"


def _law_file(code: str, name: str, data: dict[str, Any]) -> str:
    """The name of the file of a law: Markdown if it states what it is, else plain text."""
    return f"{code}-{name}.{'md' if 'front' in data['laws'][name] else 'txt'}"


def _reader(folder: Path, code: str) -> Jurisdiction:
    return reader_of(UNKNOWN_COUNTRY, code) if folder == LANGUAGES else jurisdiction(code)


def _data(folder: Path, code: str) -> dict[str, Any]:
    return tomllib.loads((folder / f"{code}.toml").read_text("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
