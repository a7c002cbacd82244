"""What a dry run foresees, beside what the same run then asks, is billed and writes into its journal."""

from __future__ import annotations

import json
import math
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.cli import app as cli
from legal_pipeline.cli.dry_run import DryRun, dry_run
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.registration import register
from legal_pipeline.registry.registry import Registry
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.enrichment.anthropic_server import task_of
from legal_pipeline_tests.enrichment.claude_bench import ClaudeBench
from legal_pipeline_tests.pipeline.lighthouse_act import act


def foreseen(bench: ClaudeBench) -> DryRun:
    return dry_run(bench.settings, DirectorySource(bench.folder))


def test_a_dry_run_foresees_the_requests_and_nearly_the_tokens_of_the_run(bench: ClaudeBench) -> None:
    factor = model_price(bench.settings.llm_model).tokens_per_o200k
    bench.server.tokens = lambda text: math.ceil(count_tokens(text) * factor)
    for number, chapters in ((1, 2), (2, 4), (3, 6)):
        bench.write(f"{number}.txt", act(number=f"2099:{number}", chapters=chapters))
    before = foreseen(bench)
    assert bench.server.received == []
    assert bench.runs == 0
    run = bench.run()
    assert run.failures == {}

    assert (before.documents, before.chunks) == (3, 120)
    total, paid = before.estimate.total, bench.journalled(run.id)
    asked = [task_of(received.body) for received in bench.server.received]
    by_task = {str(task): cost.requests for task, cost in before.estimate.tasks.items()}
    assert by_task == {
        "context_prefixes": asked.count("prefixes"), "summarise": asked.count("summary"), "questions": asked.count("questions"),
    }  # fmt: skip
    assert total.requests == paid.requests
    # the server's summaries are shorter than a model's: the summary of an Act is asked with less text than was foreseen
    assert paid.input_tokens < total.input_tokens < 1.06 * paid.input_tokens
    assert paid.output_tokens < total.output_tokens < 1.65 * paid.output_tokens
    assert total.batched_usd == pytest.approx(total.plain_usd / 2)


def test_a_dry_run_writes_nothing_and_needs_no_key_and_no_database(
    bench: ClaudeBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("lag.txt", act(chapters=2))
    (bench.folder / "trasig.html").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    home = bench.folder.parent / "untouched"
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    monkeypatch.setattr(sys, "argv", ["legal-pipeline", "ingest", str(bench.folder), "--dry-run", "--json"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 1, "a file could not be read"
    shown = json.loads(capsys.readouterr().out)
    assert (shown["documents"], shown["chunks"]) == (1, 20)
    assert set(shown["estimate"]["tasks"]) == {"context_prefixes", "summarise", "questions"}
    assert list(shown["unreadable"]) == ["trasig.html"]
    assert not home.exists()
    with bench.database.connection() as connection:
        row = connection.execute("select count(*) as n from source_documents").fetchone()
    assert row == {"n": 0}


def test_a_table_for_people_says_that_it_is_an_estimate(
    bench: ClaudeBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("lag.txt", act(chapters=2))
    monkeypatch.setattr(sys, "argv", ["legal-pipeline", "ingest", str(bench.folder), "--dry-run"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert "An estimate" in shown
    assert {"context_prefixes", "summarise", "questions", "total"} <= {line.split(" ")[0] for line in shown.split("\n")}


def test_a_dry_run_counts_the_documents_that_registration_finds(bench: ClaudeBench, repository: Path) -> None:
    """Several documents in one file among them, whichever there are."""
    source = DirectorySource(repository / "data" / "sample")
    found = register(source, Registry(bench.database), grace=timedelta(0))
    before = dry_run(bench.settings, source)
    assert before.documents + len(before.unreadable) == len(found.new)
    assert before.unreadable.keys() == found.unreadable.keys()


def test_a_text_of_a_future_day_waits_in_a_dry_run_and_is_not_a_failure(
    bench: ClaudeBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("lag.txt", act(chapters=2))
    bench.write("lag.txt.meta.json", json.dumps({"as_of_date": "2999-01-01"}))
    monkeypatch.setattr(sys, "argv", ["legal-pipeline", "ingest", str(bench.folder), "--dry-run"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    assert "dated 2999-01-01, in the future" in " ".join(capsys.readouterr().out.split())


APPEAL = """U.S. Citizenship and Immigration Services
Non-Precedent Decision of the Administrative Appeals Office

In Re: 31415926

The Director of the Texas Service Center denied the petition, concluding that the record did not establish that the Petitioner meets
three of the evidentiary criteria. The matter is now before us on appeal. We will sustain the appeal.

The Director found that serving once on a panel of judges does not show acclaim, and denied the petition on that ground.

On appeal, the Petitioner submits letters of the organisers. The record shows that the Petitioner judged 500 entries in an
international competition in 2023 and chaired its jury. We conclude that the Petitioner has established the criterion of judging.
"""


def test_plans_and_their_verification_are_foreseen(bench: ClaudeBench) -> None:
    bench.write("appeal_decision_sustained.txt", APPEAL)
    bench.write(
        "appeal_decision_sustained.txt.meta.json",
        json.dumps({"profile": "immigration", "doc_type": "appeal_decision", "jurisdiction": "us"}),
    )
    bench.settings = bench.settings.model_copy(update={"enrich": None})
    before = foreseen(bench)
    assert before.unreadable == {}
    tasks = {str(task): cost.requests for task, cost in before.estimate.tasks.items()}
    assert (tasks["chunk_plan"], tasks["verify_plan"]) == (1, 1)
