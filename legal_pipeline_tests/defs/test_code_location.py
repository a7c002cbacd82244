"""A team takes the assets into a code location of its own: in Python, and as components of a project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import AssetKey, DagsterInstance, Definitions, build_sensor_context, load_from_defs_folder
from dagster.components.core.component_tree import ComponentTreeException

from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import GROUPS, build_definitions
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs import team_code_location
from legal_pipeline_tests.defs.graphql import Partitions, graph
from legal_pipeline_tests.defs.test_runs import register_all
from legal_pipeline_tests.small_laws import write_bad, write_law

MADE = {"law/raw_documents", "law/canonical_documents", "law/cross_references", "law/chunks"}
WORDS = AssetKey(["team", "word_counts"])

PROJECT = {
    "pyproject.toml": """
        [tool.dg]
        directory_type = "project"
        [tool.dg.project]
        root_module = "team_law"
        """,
    "team_law/__init__.py": "",
    "team_law/defs/__init__.py": "",
    "team_law/defs/law/defs.yaml": """
        type: legal_pipeline.defs.components.LegalPipeline
        attributes:
          key_prefix: [law]
          only: [documents, strategies, chunks]
          settings:
            home: "{{ env.TEAM_HOME }}"
        """,
    "team_law/defs/statutes/defs.yaml": """
        type: legal_pipeline.defs.components.LegalSource
        attributes:
          source: directory
          path: ../../../texts
          exclude: [README.md, "*.xlsx"]
          key_prefix: [law]
        """,
    "team_law/defs/riksdagen/defs.yaml": """
        type: legal_pipeline.defs.components.LegalSource
        attributes:
          source: riksdagen
          key_prefix: [law]
        """,
}


def keys(definitions: Definitions) -> set[str]:
    return {key.to_user_string() for key in definitions.resolve_asset_graph().get_all_asset_keys()}


def test_an_asset_of_a_team_is_made_from_chunks_behind_a_prefix(
    make_settings: Callable[..., Settings], folder: Path, instance: DagsterInstance
) -> None:
    settings = make_settings()
    write_law(folder, 1)
    write_law(folder, 2)
    write_bad(folder)
    with Pipeline.open(settings) as pipeline:
        documents = register_all(pipeline, folder)
    instance.add_dynamic_partitions(partitions.NAME, documents)
    definitions = team_code_location.code_location(
        settings=settings, resources={"pipeline": PipelineResource(loaded=settings)}
    )
    job = definitions.resolve_job_def("process_document")
    assert not job.execute_in_process(
        instance=instance, tags=partitions.range_tags(documents), raise_on_error=False
    ).success
    with graph(instance, team_code_location.__name__, "defs") as shown:
        assert shown.partitions("law", "raw_documents") == Partitions(materialized=3, failed=0, materializing=0)
        assert shown.partitions("law", "canonical_documents") == Partitions(materialized=2, failed=1, materializing=0)
        assert shown.partitions("law", "chunks") == Partitions(materialized=2, failed=0, materializing=0)
        assert {sync.status for name, sync in shown.sync("se-sfs-2024-1").items() if name in MADE} == {"FRESH"}
    assert not set(instance.all_asset_keys()) & {AssetKey("chunks"), AssetKey("canonical_documents")}

    everything = definitions.resolve_implicit_global_asset_job_def()
    for law in ("se-sfs-2024-1", "se-sfs-2024-2"):
        assert everything.execute_in_process(instance=instance, partition_key=law, asset_selection=[WORDS]).success
    words = definitions.load_asset_value(WORDS, instance=instance, partition_key="se-sfs-2024-1")
    chunks = definitions.load_asset_value(AssetKey(["law", "chunks"]), instance=instance, partition_key="se-sfs-2024-1")
    assert words["chunk_id"].to_pylist() == chunks["chunk_id"].to_pylist() != []
    assert min(words["words"].to_pylist()) > 0


def test_only_the_groups_that_are_asked_for_come_with_what_needs_no_others() -> None:
    definitions = build_definitions(key_prefix="law", only=["documents", "strategies", "chunks"], source_sensors=False)
    assert {key.split("/")[0] for key in keys(definitions)} == {"law"}
    assert {"law/chunks", "law/chunks/paragraf", "law/source_items"} < keys(definitions)
    assert not {"law/chunk_embeddings", "law/reconciliation", "law/chunks_jsonl"} & keys(definitions)
    repository = definitions.get_repository_def()
    jobs = {job.name for job in repository.get_all_jobs() if not job.name.startswith("__")}
    assert jobs == {"process_document", "parse_and_chunk", "check_corpus"}
    assert not repository.sensor_defs


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_can_be_taken_alone(group: str) -> None:
    build_definitions(key_prefix=["our", "law"], only=[group]).get_repository_def()


def test_a_group_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"chunk.*expected one or more of documents, chunks"):
        build_definitions(only=["chunk"])


def test_the_example_of_the_docs_is_the_one_that_is_tested(repository: Path) -> None:
    page = (repository / "docs/guides/code-location.md").read_text(encoding="utf-8")
    example = Path(team_code_location.__file__).read_text(encoding="utf-8").split('"""\n', 1)[1].strip()
    assert example in page
    for name in ("law", "statutes"):
        assert _dedent(PROJECT[f"team_law/defs/{name}/defs.yaml"]) in page, name


def _dedent(text: str) -> str:
    lines = text.strip("\n").rstrip().splitlines()
    return "\n".join(line[8:] for line in lines)


@pytest.fixture
def project(
    tmp_path: Path, make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Settings]:
    settings = make_settings()
    for name, text in PROJECT.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_dedent(text) if text else "", encoding="utf-8")
    write_law(tmp_path / "project/texts", 1)
    (tmp_path / "project/texts/README.md").write_text("# Our laws", encoding="utf-8")
    write_law(tmp_path / "project/texts", 2)
    monkeypatch.setenv("TEAM_HOME", str(settings.home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", settings.database_url_text)
    monkeypatch.syspath_prepend(tmp_path / "project")
    for name in [name for name in sys.modules if name.partition(".")[0] == "team_law"]:  # of another test's folder
        monkeypatch.delitem(sys.modules, name)
    return tmp_path / "project", settings


def test_a_project_has_the_pipeline_and_its_sources_as_components(
    project: tuple[Path, Settings], instance: DagsterInstance
) -> None:
    root, settings = project
    definitions = load_from_defs_folder(path_within_project=root)
    assert {"law/chunks", "law/source_items"} < keys(definitions)
    repository = definitions.get_repository_def()
    assert {sensor.name for sensor in repository.sensor_defs} == {"statutes", "riksdagen"}
    resource = definitions.resources["pipeline"]
    assert resource.settings.home == settings.home
    with build_sensor_context(instance, repository_def=repository, resources={"pipeline": resource}) as context:
        found = repository.get_sensor_def("statutes").evaluate_tick(context)
    (request,) = found.run_requests
    assert request.tags.items() >= partitions.range_tags(["se-sfs-2024-1", "se-sfs-2024-2"]).items()


LAW_YAML, STATUTES_YAML, RIKSDAGEN_YAML = (f"{name}/defs.yaml" for name in ("law", "statutes", "riksdagen"))


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (LAW_YAML, "home:", "removal_grace_seconds: soon #", "settings: removal_grace_seconds: Input should be a valid integer"),
        (LAW_YAML, "home:", "sensor_interval: 60 #", "settings: sensor_interval is not a setting: did you mean sensor_interval_seconds"),
        (LAW_YAML, "home:", "LEGAL_PIPELINE_HOME: x #", "settings: LEGAL_PIPELINE_HOME is not a setting: did you mean home"),
        (LAW_YAML, "home:", "database_url: x #", "settings: database_url is a secret"),
        (LAW_YAML, "home:", "forced_strategy: nonsense #", "settings: LEGAL_PIPELINE_FORCED_STRATEGY: "),
        (LAW_YAML, "documents, strategies", "document", ".*only=.* expected one or more of documents, "),
        (STATUTES_YAML, "source: directory", "source: folder", "source: 'folder' is unknown, expected one of directory, "),
        (STATUTES_YAML, "path: ../../../texts", "path: defs.yaml", "path: .*defs.yaml is not a folder"),
        (STATUTES_YAML, "README.md", '"!"', "exclude: '!' is not a pattern of files"),
        (STATUTES_YAML, "source: directory", "source: docs_jsonl", "source docs_jsonl: expected no `exclude`"),
        (RIKSDAGEN_YAML, "source: riksdagen", "source: docs_jsonl", "source docs_jsonl: expected `path`"),
    ],
)  # fmt: skip
def test_a_wrong_setting_of_a_component_is_named_when_the_project_is_loaded(
    project: tuple[Path, Settings], file: str, old: str, new: str, told: str
) -> None:
    root, _ = project
    path = root / "team_law/defs" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(ComponentTreeException) as raised:
        load_from_defs_folder(path_within_project=root / "team_law")
    assert re.search(f"^{path}: {told}", str(raised.value.__cause__))


def test_a_setting_of_the_pipeline_holds_for_its_definitions(project: tuple[Path, Settings]) -> None:
    root, _ = project
    path = root / "team_law/defs" / LAW_YAML
    path.write_text(path.read_text("utf-8").replace("settings:", "settings:\n    asset_owner: team:law"), "utf-8")
    graph_of = load_from_defs_folder(path_within_project=root).resolve_asset_graph()
    assert graph_of.get(AssetKey(["law", "chunks"])).owners == ["team:law"]


def test_dg_lists_the_components(repository: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [Path(sys.executable).with_name("dg"), "list", "components", "--json"],
        cwd=repository,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "legal_pipeline.defs.components.LegalPipeline" in result.stdout, result.stderr
    assert "legal_pipeline.defs.components.LegalSource" in result.stdout
