"""What an asset of a bucket is reported as, from the state of the bucket in the registry."""

from __future__ import annotations

from legal_pipeline.defs.reports import BucketState
from legal_pipeline.pipeline import STRATEGIES
from legal_pipeline.registry.buckets import Content, Unfinished
from legal_pipeline.stages import canonical_documents, chunks, raw_documents

KEY = "files/3"
UNFINISHED = (
    Unfinished("act-1", "failed", "canonical_documents: the text ends inside a paragraph"),
    Unfinished("act-2", "waiting", "chunks: waiting for Message Batch b-1"),
    Unfinished("act-3", "failed", "chunks/paragraf: no chunk"),
)
STATE = BucketState(
    4,
    "items-1",
    {"raw_documents": Content(4, "raw-1"), "canonical_documents": Content(3, "canonical-1")},
    UNFINISHED,
)


def test_an_asset_has_the_version_of_its_documents_and_those_of_its_inputs() -> None:
    raw = STATE.materialized(raw_documents.KEY, KEY)
    assert raw is not None
    assert (raw.data_version, raw.input_versions, raw.reused) == ("raw-1", {"source_items": "items-1"}, True)
    canonical = STATE.materialized(canonical_documents.KEY, KEY)
    assert canonical is not None
    assert canonical.input_versions == {"raw_documents": "raw-1"}
    assert canonical.metadata["documents"] == 3


def test_an_input_at_which_a_document_failed_has_the_version_that_is_known_of_it() -> None:
    for old, inputs in (("raw-0", {"raw_documents": "raw-0"}), (None, {})):
        canonical = STATE.materialized(canonical_documents.KEY, KEY, {raw_documents.KEY: old})
        assert canonical is not None
        assert canonical.input_versions == inputs


def test_documents_that_failed_or_wait_are_counted_at_each_asset_and_named_at_their_own() -> None:
    canonical = STATE.materialized(canonical_documents.KEY, KEY)
    assert canonical is not None
    assert (canonical.metadata["failed"], canonical.metadata["waiting"]) == (2, 1)
    assert [row["document"] for row in canonical.metadata["not_made"]] == ["act-1"]
    assert canonical.metadata["not_made"][0]["status"] == "failed"
    raw = STATE.materialized(raw_documents.KEY, KEY)
    assert raw is not None
    assert raw.metadata["not_made"] == []


def test_an_empty_bucket_has_every_asset_but_the_chunks_of_strategies() -> None:
    empty = BucketState(0, "items-0", {}, ())
    made = empty.materialized(chunks.KEY, KEY)
    assert made is not None
    assert (made.data_version, made.metadata["documents"]) == ("items-0", 0)
    assert [empty.materialized(strategy, KEY) for strategy in STRATEGIES] == [None] * len(STRATEGIES)
    assert STATE.materialized(chunks.KEY, KEY) is None, "none of its documents has chunks"
