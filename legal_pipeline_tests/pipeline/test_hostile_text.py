"""A document with control characters on its way through the pipeline: every view of it shows them as escapes."""

from __future__ import annotations

import json

import pytest

from legal_pipeline.cli.hit_presentation import print_hits
from legal_pipeline.cli.presentation import Report, print_explanation
from legal_pipeline.cli.state_presentation import print_status
from legal_pipeline.registry.listing import without_chunks
from legal_pipeline.views.explanation import explain
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.system.test_terminal import HOSTILE, OBEYED


@pytest.mark.parametrize("as_json", [False, True], ids=["for people", "for machines"])
def test_nothing_of_a_document_is_obeyed_by_the_terminal(
    bench: Bench, law: Law, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("lag.txt", law("2099:10", f"Fyrvakten ska vara vaken. {HOSTILE}", title=f"om {HOSTILE}"))
    bench.write("trasig.html", f"<html><body>{HOSTILE}</body>")
    bench.ingest()
    report = Report(as_json)
    for event in bench.events:
        report.event(event)
    report.finish()
    registry = bench.pipeline.registry
    print_status(
        registry.counts(),
        registry.documents(),
        bench.pipeline.collections(),
        without_chunks(registry.database),
        without_chunks(registry.database),
        as_json,
        {},
    )
    hits = bench.pipeline.search("Vem ska vara vaken?")
    print_hits(f"vaken {HOSTILE}", hits, as_json)
    print_explanation(explain(bench.pipeline.resources, hits[0].chunk_id), as_json)
    out, error = capsys.readouterr()
    assert "lampa" in out
    assert not OBEYED.search(out + error)
    if as_json:
        answers = [json.loads(line) for line in out.splitlines()]
        assert answers[2]["query"] == f"vaken {HOSTILE}"
        assert "\x1b[31mvakt" in answers[2]["hits"][0]["snippet"]
