"""What a run through the pipeline asks Claude for: an Act at first, nothing when nothing changed, and what an amendment touched."""

from __future__ import annotations

import json

import pytest

from legal_pipeline.stages import chunks, context_prefixes, quim_questions, raptor_summaries
from legal_pipeline_tests.enrichment.anthropic_server import Received, data_blocks, task_of
from legal_pipeline_tests.enrichment.claude_bench import ENRICHMENTS, ClaudeBench
from legal_pipeline_tests.pipeline.lighthouse_act import act

LAW = "se-sfs-2099-20"


def asked(bench: ClaudeBench) -> dict[str, list[Received]]:
    """The requests since the last call, by task."""
    by_task: dict[str, list[Received]] = {}
    for received in bench.server.received:
        by_task.setdefault(task_of(received.body), []).append(received)
    bench.server.received.clear()
    return by_task


def named(received: Received) -> list[str]:
    """The chunks that a request asks about."""
    return [json.loads(line)["chunk_id"] for line in data_blocks(received.text)[-1].split("\n")]


def chunk_ids(bench: ClaudeBench) -> dict[str, str]:
    return {row["path"]: row["chunk_id"] for row in bench.rows(chunks.KEY, LAW)}


@pytest.mark.slow
def test_sixty_sections_are_one_request_then_none_and_an_amendment_asks_for_what_it_touched(
    bench: ClaudeBench,
) -> None:
    bench.write("fyr.txt", act())
    first = bench.run(assets=None)
    assert first.failures == {}
    ids = chunk_ids(bench)
    assert len(ids) == 60
    requests = asked(bench)
    assert {task: len(found) for task, found in requests.items()} == {"prefixes": 1, "summary": 7, "questions": 2}
    assert named(requests["prefixes"][0]) == list(ids.values())
    assert sorted(one for page in requests["questions"] for one in named(page)) == sorted(ids.values())

    second = bench.run(assets=None)
    assert second.failures == {}
    assert asked(bench) == {}
    assert all(event.reused for event in second.events)

    bench.write("fyr.txt", act({(3, 4): "Bemanningen ska ha ledigt vartannat dygn."}))
    third = bench.run(assets=None)
    assert third.failures == {}
    changed = chunk_ids(bench)["kap3.§4"]
    assert changed not in ids.values()
    requests = asked(bench)
    assert {task: len(found) for task, found in requests.items()} == {"prefixes": 1, "summary": 2, "questions": 1}
    assert named(requests["prefixes"][0]) == named(requests["questions"][0]) == [changed]
    chapter, whole = (received.text.split("\n")[0] for received in requests["summary"])
    assert chapter == 'Document: "Lag om fyrplatser (SFS 2099:20) > Kap 3: Bemanning"'
    assert whole == 'Document: "Lag om fyrplatser (SFS 2099:20)"'
    assert "ledigt vartannat dygn" in requests["summary"][0].text
    bench.assert_accounts_agree(first, second, third)
    bench.assert_nothing_is_lost()


def test_each_document_and_asset_says_what_was_paid_for_it(bench: ClaudeBench) -> None:
    for number in (1, 2):
        bench.write(f"{number}.txt", act(number=f"2099:{number}", chapters=number + 1))
    run = bench.run(llm_concurrency=1)
    assert run.failures == {}
    for key, requests in (
        (context_prefixes.KEY, (1, 1)), (raptor_summaries.KEY, (3, 4)), (quim_questions.KEY, (1, 1)),
    ):  # fmt: skip
        done = run.done(key)
        metadata = [done[f"se-sfs-2099-{number}"].metadata for number in (1, 2)]
        assert tuple(one["requests"] for one in metadata) == requests
        for one in metadata:
            dollars = (one["input_tokens"] * 0.10 + one["output_tokens"] * 0.50) / 1e6
            assert one["cost_usd"] == pytest.approx(dollars, abs=1e-8)
            assert (one["cache_read_tokens"], one["cache_write_tokens"]) == (0, 0)
    again = bench.run()
    assert all("cost_usd" not in event.metadata for key in ENRICHMENTS for event in again.done(key).values())
    bench.assert_accounts_agree(run, again)


def test_what_the_cache_saved_is_reported(bench: ClaudeBench) -> None:
    """A document of more chunks than a page holds: its text is written to the cache once and read for the other pages."""
    sections = "\n\n".join(f"{n} § Fyrvakten på plats {n} ska föra dagbok över skift {n}." for n in range(1, 401))
    bench.write("lag.txt", f"Lag (2099:30) om dagböcker\n\n{sections}\n")
    run = bench.run(enrich="prefixes", llm_concurrency=1)
    assert run.failures == {}
    metadata = run.done(context_prefixes.KEY)["se-sfs-2099-30"].metadata
    assert metadata["requests"] == 2
    assert metadata["cache_read_tokens"] == metadata["cache_write_tokens"] > 4000
    bench.assert_accounts_agree(run)
