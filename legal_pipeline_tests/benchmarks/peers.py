"""Structural strategies beside other chunkers, one thread, one run: `python -m legal_pipeline_tests.benchmarks.peers CORPUS`.

The peers are the extra `benchmarks`. Everyone gets the same canonical texts, the same tokenizer (tiktoken o200k_base) and chunks of at
most 1,400 tokens. Peers deliver texts and token counts. Ours delivers finished rows, and all of that is counted: routing, cutting, spans,
paths, headers, token counts, ids, hashes, metadata, the checks of coverage and order, and propositions. Parsing, entities and
cross-references are counted for no one. A text is tokenised once per run and nothing of it is remembered for the next run. Not a test:
figures depend on the machine.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import route
from legal_pipeline.corpus.document import Document
from legal_pipeline.text import tokens
from legal_pipeline_tests.real_documents import documents, swedish_bulk

STRUCTURAL = frozenset({"paragraf", "statute_boundary", "judgment_structural"})
LIMIT = 1_400


def structured(corpus: Path) -> list[Document]:
    """Documents of which structural strategies cut the body."""
    found = [
        document
        for folder in ("in/acts_json", "in/indiacode_md", "in/judgments_rr", "zw", "se")
        for _, document in documents(corpus, folder)
    ]
    found += [document for _, document in swedish_bulk(corpus)]
    kept = []
    for document in found:
        used = {segment.strategy for segment in route(document)[0]}
        if used & STRUCTURAL and not used & {"semantic", "recursive_semantic"}:
            kept.append(document)
    return kept


def contenders() -> dict[str, Callable[[str], object]]:
    """A function per peer that is installed, from text to chunks."""
    encoding = tokens.encoding()
    encode = encoding.encode_ordinary
    found: dict[str, Callable[[str], object]] = {"tiktoken alone": encode}
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


def main(corpus: Path) -> None:
    made = structured(corpus)
    size = sum(len(document.text.encode()) for document in made) / 1e6
    tokens.count_tokens("the vocabulary is loaded before anyone is timed")
    peers = contenders()
    gc.collect()
    gc.freeze()  # the documents stay; walking them in every collection is no one's work
    seconds: dict[str, list[float]] = {"legal_pipeline": [], **{name: [] for name in peers}}
    for _ in range(3):
        tokens.forget_counts()
        seconds["legal_pipeline"].append(_timed(lambda: [chunk(document) for document in made]))
        for name, cut in peers.items():
            seconds[name].append(_timed(lambda cut=cut: [cut(document.text) for document in made]))  # type: ignore[misc]
    ours = size / min(seconds["legal_pipeline"])
    print(f"{len(made)} documents, {size:.1f} MB")
    for name, times in seconds.items():
        speed = size / min(times)
        print(f"{name:26} {speed:6.2f} MB/s   legal_pipeline is at {ours / speed:.2f} of it")


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main(Path(sys.argv[1]))
