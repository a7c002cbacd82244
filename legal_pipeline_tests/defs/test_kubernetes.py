"""What the Helm values name exists here: the module, the environment variables, the tag and its value."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.jobs import KIND_TAG
from legal_pipeline.settings import Settings


@pytest.fixture
def values(repository: Path) -> Any:
    return yaml.safe_load((repository / "deploy" / "kubernetes" / "values.yaml").read_text())


def test_the_code_server_loads_a_module_of_this_package(values: Any) -> None:
    (deployment,) = values["dagster-user-deployments"]["deployments"]
    flag, module = deployment["dagsterApiGrpcArgs"]
    assert flag == "--python-module"
    assert find_spec(module) is not None


def test_the_variables_are_settings(values: Any) -> None:
    (deployment,) = values["dagster-user-deployments"]["deployments"]
    known = {Settings.environment_name(field) for field in Settings.model_fields}
    assert set(deployment["env"]) <= known


def test_every_limited_tag_is_one_that_a_job_has(values: Any, settings: Settings) -> None:
    limits = values["dagsterDaemon"]["runCoordinator"]["config"]["queuedRunCoordinator"]["tagConcurrencyLimits"]
    jobs = build_definitions(settings=settings).get_repository_def().get_all_jobs()
    assert {limit["key"] for limit in limits} == {KIND_TAG}
    assert {limit["value"] for limit in limits} == {"enrich", "embed", "publish"}
    assert {limit["value"] for limit in limits} <= {job.tags.get(KIND_TAG) for job in jobs}
