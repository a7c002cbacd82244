"""What the UI asks of Dagster, answered by the real GraphQL schema over the real definitions in this process. Not here: the tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dagster import DagsterInstance
from dagster._core.test_utils import in_process_test_workspace
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._core.workspace.context import WorkspaceRequestContext
from dagster_graphql.test.utils import execute_dagster_graphql

from legal_pipeline.definitions import build_definitions

_STALENESS = """
query Staleness($keys: [AssetKeyInput!], $partition: String!) {
  assetNodes(assetKeys: $keys) {
    assetKey { path }
    staleStatus(partition: $partition)
    staleCauses(partition: $partition) { key { path } category reason dependency { path } }
  }
}
"""

_PARTITIONS = """
query Partitions($keys: [AssetKeyInput!]) {
  assetNodes(assetKeys: $keys) { partitionStats { numMaterialized numFailed numMaterializing } }
}
"""


def definitions() -> Any:
    """What the workspace loads: built anew with each `graph`, as a code server that is started again does it."""
    return build_definitions()


@dataclass(frozen=True)
class Sync:
    """`status` is FRESH, STALE ("Unsynced" in the UI) or MISSING; `causes` are (category, asset that it comes from)."""

    status: str
    causes: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Partitions:
    """How many partitions of an asset are in each state."""

    materialized: int
    failed: int
    materializing: int


class Graph:
    """The workspace as the webserver holds it."""

    def __init__(self, context: WorkspaceRequestContext) -> None:
        self._context = context

    def query(self, text: str, **variables: Any) -> Any:
        result = execute_dagster_graphql(self._context, text, variables)
        assert not result.errors, result.errors
        return result.data

    def sync(self, document_id: str) -> dict[str, Sync]:
        """Of every asset of a document."""
        nodes = self.query("{ assetNodes { assetKey { path } partitionDefinition { name } } }")["assetNodes"]
        keys = [
            {"path": node["assetKey"]["path"]}
            for node in nodes
            if (node["partitionDefinition"] or {}).get("name") == "documents"
        ]
        found = self.query(_STALENESS, keys=keys, partition=document_id)["assetNodes"]
        return {
            "/".join(node["assetKey"]["path"]): Sync(
                node["staleStatus"],
                frozenset(
                    (cause["category"], "/".join((cause["dependency"] or cause["key"])["path"]))
                    for cause in node["staleCauses"]
                ),
            )
            for node in found
        }

    def partitions(self, *key: str) -> Partitions:
        """As the lineage graph counts them."""
        node = self.query(_PARTITIONS, keys=[{"path": list(key)}])["assetNodes"][0]["partitionStats"]
        return Partitions(node["numMaterialized"], node["numFailed"], node["numMaterializing"])


@contextlib.contextmanager
def graph(instance: DagsterInstance, module: str = __name__, attribute: str = "definitions") -> Iterator[Graph]:
    """The workspace of the code location that `attribute` of `module` is."""
    origin = LoadableTargetOrigin(executable_path=None, module_name=module, attribute=attribute, working_directory=None)
    with in_process_test_workspace(instance, origin) as context:
        yield Graph(context)
