"""The corpus-wide assets over what the pipeline made."""

from __future__ import annotations

import json

from dagster import materialize

from legal_pipeline.defs.corpus_assets import chunk_report, chunks_jsonl
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline_tests.pipeline.conftest import Bench, Law, bench, law  # noqa: F401


def test_the_export_and_the_report_hold_every_chunk(bench: Bench, law: Law) -> None:  # noqa: F811
    bench.write("fyr.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.ingest()
    settings = bench.pipeline.resources.settings
    result = materialize([chunks_jsonl, chunk_report], resources={"pipeline": PipelineResource(loaded=settings)})
    assert result.success
    lines = (settings.home / "export" / "chunks.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["section_path"] for line in lines] == ["kap0.§1", "kap0.§2"]
    (event,) = result.asset_materializations_for_node("chunk_report")
    assert event.metadata["chunks"].value == 2
    assert event.metadata["lowest_coverage"].value == 1.0
    assert "data:image/png;base64," in str(event.metadata["histogram"].value)
