"""Structural strategies beside other chunkers, one thread, one run: `python -m legal_pipeline_tests.benchmarks.peers CORPUS`.

The peers are the extra `benchmarks`. Everyone gets the same canonical texts, the same tokenizer (tiktoken o200k_base) and chunks of at
most 1,400 tokens, and delivers chunks with their token counts. Two lines are ours. `strategies with counts` is what the peers do, and no
less: from a parsed document and the structural strategy chosen for its body to chunks with text, spans, path, contextual header and token
count, all of the text that is not excluded, all limits kept. `finished rows` is all of chunking: choosing the strategy, propositions, ids,
hashes, metadata, the checks of coverage and order. Parsing, entities and cross-references are counted for no one. Processor time, the best
of the rounds for each, everyone in turn in every round, in groups of fifty documents as a run takes them (ours are tokenised one behind
the other, then cut); nothing is remembered from one round for the next. Not a test: figures depend on the machine.
"""

from __future__ import annotations

import argparse
import functools
import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from legal_pipeline.chunking.chunk import Draft
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.outline import excluded_spans
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions, body_segments, cut_nodes, route
from legal_pipeline.chunking.strategy import Tools
from legal_pipeline.model.document import Document
from legal_pipeline.text import tokens
from legal_pipeline_tests.real_documents import documents, swedish_bulk

STRUCTURAL = ("paragraf", "statute_boundary", "judgment_structural")
BY_MEANING = frozenset({"semantic", "recursive_semantic"})
LIMIT = 1_400
ROUNDS = 5
#: The yardstick, and the two lines of ours.
TIKTOKEN, STRATEGIES_WITH_COUNTS, FINISHED_ROWS = "tiktoken alone", "strategies with counts", "finished rows"

Chosen = tuple[Document, str]
Work = Callable[[Sequence[Chosen]], None]


def structured(corpus: Path, every: int) -> list[Chosen]:
    """Every `every`th document of which a structural strategy cuts the body, with that strategy."""
    found = [
        document
        for folder in ("in/acts_json", "in/indiacode_md", "in/judgments_rr", "zw", "se")
        for _, document in documents(corpus, folder)
    ]
    found += [document for _, document in swedish_bulk(corpus)]
    kept = []
    for document in found[::every]:
        used = {segment.strategy for segment in route(document)[0]}
        if not used & BY_MEANING:
            kept += [(document, strategy) for strategy in STRUCTURAL if strategy in used]
    return kept


def counted_chunks(document: Document, strategy: str) -> list[tuple[Draft, str, int]]:
    """(spans with path and header, text, tokens) of each chunk that `strategy` makes of the body; the steps of
    `legal_pipeline.chunking.cut` without router, propositions and assembly."""
    holes = excluded_spans(document)
    nodes = cut_nodes(document, strategy, holes)
    drafts = [
        draft
        for segment in body_segments(document, strategy, "chosen", nodes, holes)
        for draft in STRATEGIES[segment.strategy].chunk(document, segment, Tools())[0]
    ]
    texts = ["\n".join([document.text[start:end] for start, end in draft.spans]) for draft in drafts]
    return list(zip(drafts, texts, tokens.count_many(texts), strict=True))


def peers() -> dict[str, Callable[[str], object]]:
    """A function per peer that is installed, from text to chunks."""
    encoding = tokens.encoding()
    encode = encoding.encode_ordinary
    found: dict[str, Callable[[str], object]] = {TIKTOKEN: encode}
    try:
        import semchunk

        chunker = semchunk.chunkerify(lambda text: len(encode(text)), LIMIT, memoize=False)
        found["semchunk"] = chunker
    except ImportError:
        print("semchunk is not installed")
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(
            chunk_size=LIMIT, chunk_overlap=0, length_function=lambda text: len(encode(text))
        )
        found["langchain-text-splitters"] = splitter.split_text
    except ImportError:
        print("langchain-text-splitters is not installed")
    try:
        from chonkie import RecursiveChunker

        recursive = RecursiveChunker(tokenizer=encoding, chunk_size=LIMIT)
        found["chonkie (recursive)"] = recursive.chunk
    except ImportError:
        print("chonkie is not installed")
    return found


def contenders() -> dict[str, Work]:
    """What each does with a group of documents and their strategies, by name."""
    found: dict[str, Work] = {STRATEGIES_WITH_COUNTS: strategies_with_counts, FINISHED_ROWS: finished_rows}
    for name, cut in peers().items():
        found[name] = functools.partial(each_text, cut)
    return found


def strategies_with_counts(group: Sequence[Chosen]) -> None:
    for document, strategy in group:
        counted_chunks(document, strategy)


def finished_rows(group: Sequence[Chosen]) -> None:
    chunk_batch([document for document, _ in group], RouterOptions())


def each_text(cut: Callable[[str], object], group: Sequence[Chosen]) -> None:
    for document, _ in group:
        cut(document.text)


def measure(chosen: list[Chosen]) -> dict[str, float]:
    """Seconds of processor time by contender."""
    works = contenders()
    tokens.count_tokens("the vocabulary is loaded before anyone is timed")
    gc.collect()
    gc.freeze()  # documents and imported packages stay; walking them in every collection is no one's work
    seconds = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            tokens.forget_counts()
            started = time.process_time()
            work(chosen)
            seconds[name] = min(seconds[name], time.process_time() - started)
    return seconds


def table(chosen: list[Chosen], seconds: dict[str, float]) -> str:
    size = sum(len(document.text.encode()) for document, _ in chosen) / 1e6
    ours = seconds[STRATEGIES_WITH_COUNTS], seconds[FINISHED_ROWS]
    lines = [
        f"{len(chosen)} documents, {size:.1f} MB",
        "",
        f"| | MB/s | {STRATEGIES_WITH_COUNTS}, against it | {FINISHED_ROWS}, against it |",
        "|---|--:|--:|--:|",
    ]
    for name, spent in sorted(seconds.items(), key=lambda item: item[1]):
        lines.append(f"| {name} | {size / spent:.1f} | {spent / ours[0]:.2f} | {spent / ours[1]:.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, help="only every Nth document, for a quick look")
    arguments = parser.parse_args()
    chosen = structured(arguments.corpus, arguments.every)
    print(table(chosen, measure(chosen)))


if __name__ == "__main__":
    main()
