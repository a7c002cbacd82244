"""`retrieval_evaluation` in a real run, over what the pipeline indexed."""

from __future__ import annotations

from pathlib import Path

import pytest
from dagster import DagsterInstance, materialize

from legal_pipeline.defs.evaluation_asset import AS_INDEXED, retrieval_evaluation
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline_tests.evaluation.laws import harbours, lighthouses
from legal_pipeline_tests.pipeline.conftest import Bench, bench  # noqa: F401


def test_the_asset_shows_tables_and_a_picture_of_the_index_beside_the_baselines(bench: Bench) -> None:  # noqa: F811
    bench.write("fyrar.txt", lighthouses())
    bench.write("hamnar.txt", harbours())
    bench.ingest()
    assert not bench.failures
    settings = bench.pipeline.resources.settings
    with DagsterInstance.ephemeral() as instance:
        result = materialize(
            [retrieval_evaluation], resources={"pipeline": PipelineResource(loaded=settings)}, instance=instance
        )
    assert result.success
    (event,) = result.asset_materializations_for_node("retrieval_evaluation")
    table = str(event.metadata["citations"].value)
    for system in (AS_INDEXED, "structural + header", "fixed 500 characters"):
        assert f"| {system} |" in table
    assert "data:image/png;base64," in str(event.metadata["citations plot"].value)
    assert event.metadata["citations queries"].value == 3
    assert event.metadata["citations swe recall@10"].value == 1.0
    assert (Path(settings.home) / "evaluation").is_dir()


def test_an_index_without_anything_to_ask_fails_and_says_so(bench: Bench) -> None:  # noqa: F811
    settings = bench.pipeline.resources.settings
    with pytest.raises(Exception, match="no queries"):
        materialize([retrieval_evaluation], resources={"pipeline": PipelineResource(loaded=settings)})
