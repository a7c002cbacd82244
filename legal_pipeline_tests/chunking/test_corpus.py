"""Every promise of the chunk table on every real document, as the router decides; and strategies forced upon documents of all kinds."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from legal_pipeline.chunking.chunk import ChunkedDocument
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.plain import HashEncoder
from legal_pipeline_tests.real_documents import documents

pytestmark = pytest.mark.corpus

#: Strategies whose neighbours may repeat text, with the largest share of the chunk before.
OVERLAP = {"semantic": 0.20, "recursive_semantic": 0.20, "sliding_window": 0.20, "llm_plan": 0.20}
MAY_BE_OVERSIZED = {("paragraf", "statutory_text"), ("judgment_structural", "reasoning")}


def check(made: Document, result: ChunkedDocument, where: str) -> None:
    text = made.text
    covering = [row for row in result.chunks if row.parent_chunk_id is None]
    for row in result.chunks:
        if row.generator is None:
            assert row.chunk_text == "\n".join(text[start:end] for start, end in row.spans), (where, row.path)
        assert row.num_tokens == count_tokens(row.chunk_text), (where, row.path)
        oversized = row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS > MAX_TOKENS
        assert bool(row.metadata.get("oversized")) == oversized, (where, row.path)
        assert not oversized or (row.strategy, row.chunk_type) in MAY_BE_OVERSIZED, (where, row.path)
        assert row.metadata["route_reason"], where
    starts = [row.start_char for row in result.chunks]
    assert starts == sorted(starts), where
    assert [row.seq for row in result.chunks] == list(range(len(starts))), where
    assert not gaps(text, [span for row in covering for span in row.spans], result.exclusions), where
    assert result.coverage == 1.0, where
    assert all(item.reason for item in result.exclusions), where
    for values in ([(row.strategy, row.path) for row in result.chunks], [row.chunk_id for row in result.chunks]):
        assert len(set(values)) == len(values), where
    for before, after in itertools.pairwise(covering):
        if after.start_char >= before.end_char or len(before.spans) > 1 or len(after.spans) > 1:
            continue
        assert before.strategy == after.strategy, (where, after.path)
        most = OVERLAP.get(after.strategy, 0.0)
        common = count_tokens(text[after.start_char : before.end_char])
        assert common <= most * before.num_tokens + 2, (where, after.path, common, before.num_tokens)


#: Versions of a history differ in a few sections.
@pytest.mark.parametrize(
    ("folder", "each"),
    [
        ("in", 1),
        ("zw", 3),
        pytest.param("zw", 1, marks=pytest.mark.heavy),
        ("us", 1),
        ("tagged", 1),
        ("histories", 5),
        pytest.param("histories", 1, marks=pytest.mark.heavy),
    ],
)
def test_every_promise_holds_on_every_document(corpus: Path, folder: str, each: int) -> None:
    checked = 0
    for where, made in documents(corpus, folder, each):
        check(made, chunk(made, RouterOptions(), HashEncoder), where)
        checked += 1
    assert checked


@pytest.mark.parametrize(
    "strategy", ["statute_boundary", "page_level", "markdown_merge", "recursive_semantic", "semantic", "sliding_window"]
)
def test_every_promise_holds_when_a_strategy_is_forced(corpus: Path, strategy: str) -> None:
    folders = ("in/acts_json", "in/judgments_text", "zw/akn_html", "us/excerpts", "tagged")
    checked = 0
    for folder in folders:
        for where, made in itertools.islice(documents(corpus, folder), 3):
            check(made, chunk(made, RouterOptions(strategy), HashEncoder), where)
            checked += 1
    assert checked >= len(folders)


def test_the_same_file_gives_the_same_bytes_in_any_company(corpus: Path) -> None:
    from legal_pipeline.chunking.cut import chunk_batch

    made = [document for _, document in itertools.islice(documents(corpus, "in/judgments_rr"), 4)]
    together = chunk_batch(made, RouterOptions("semantic"), HashEncoder)
    for document, result in zip(made, together, strict=True):
        assert not isinstance(result, Exception)
        alone = chunk(document, RouterOptions("semantic"), HashEncoder)
        assert [row.dumps() for row in alone.chunks] == [row.dumps() for row in result.chunks]
