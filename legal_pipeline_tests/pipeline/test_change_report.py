"""The sentence about a changed law, from events made by hand. Not here: the words for the changes themselves (`model/test_diff`)."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.errors import ParseError
from legal_pipeline.processing.stage import Failed, Materialized
from legal_pipeline.views.change_report import ChangeReport

CHANGED = {"changes": "2 § ändrad"}


def made(asset: str, document_id: str = "xx-1", *, reused: bool = False, **metadata: Any) -> Materialized:
    return Materialized(tuple(asset.split("/")), document_id, "v", {}, metadata, reused)


def report(*events: Materialized | Failed) -> ChangeReport:
    found = ChangeReport()
    for event in events:
        found.add(event)
    return found


def test_the_sentence_names_the_change_and_the_work_that_was_done_for_it() -> None:
    events = [
        made("canonical_documents", **CHANGED, amending_acts=[{"act": "SFS 2031:7"}]),
        made("context_prefixes", asked=1, requests=1),
        made("raptor_summaries", asked=2, requests=2),
        made("quim_questions", asked=0, requests=0),
        made("chunk_embeddings", embedded_chunks=3),
    ]
    summary = "2 § ändrad; 3 chunks re-embedded, 1 context prefix, 2 summaries, 3 requests"
    found = report(*events)
    assert found.change("xx-1") == summary
    assert found.changes() == {
        "xx-1": {
            "summary": summary,
            "chunk_embeddings_embedded_chunks": 3,
            "context_prefixes_asked": 1,
            "raptor_summaries_asked": 2,
            "requests": 3,
            "amending_acts": [{"act": "SFS 2031:7"}],
        }
    }


@pytest.mark.parametrize(
    ("others", "summary"),
    [
        ([], "2 § ändrad; 0 chunks re-embedded, 0 requests"),
        ([made("chunk_embeddings", embedded=4)], "2 § ändrad; 0 chunks re-embedded, 0 requests"),
        (
            [made("chunk_embeddings", embedded_chunks=1), made("quim_questions", asked=1, requests=1)],
            "2 § ändrad; 1 chunk re-embedded, 1 chunk asked about again, 1 request",
        ),
    ],
)
def test_what_was_not_done_is_not_named_except_that_no_chunk_was_embedded(
    others: list[Materialized], summary: str
) -> None:
    assert report(made("canonical_documents", **CHANGED), *others).change("xx-1") == summary


def test_a_document_whose_text_did_not_change_is_not_reported_and_each_other_one_is() -> None:
    found = report(
        made("canonical_documents", "xx-1", **CHANGED),
        made("canonical_documents", "xx-2", reused=True, **CHANGED),
        made("canonical_documents", "xx-3"),
        made("chunk_embeddings", "xx-4", embedded_chunks=3),
        Failed(("canonical_documents",), "xx-5", ParseError("cut off", document="xx-5")),
        made("canonical_documents", "xx-6", changes="3 § upphävd"),
        made("chunk_embeddings", "xx-6", embedded_chunks=2),
    )
    assert {name: facts["summary"] for name, facts in found.changes().items()} == {
        "xx-1": "2 § ändrad; 0 chunks re-embedded, 0 requests",
        "xx-6": "3 § upphävd; 2 chunks re-embedded, 0 requests",
    }
    assert [found.change(name) for name in ("xx-2", "xx-3", "xx-4", "xx-5", "xx-7")] == [None] * 5
