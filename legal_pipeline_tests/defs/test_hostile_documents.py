"""Documents that attack whoever reads about them, through the sensor and a run: what GraphQL gives the UI is plain text and safe links."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dagster import DagsterInstance

from legal_pipeline.defs.launch import run_documents
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.graphql import graph
from legal_pipeline_tests.defs.test_runs import Log
from legal_pipeline_tests.defs.watch import Watch
from legal_pipeline_tests.sources.test_riksdagen import PAGE

SCRIPT = "<script>alert(1)<\u2215script>"
TERMINAL = "\x1b[31m\x1b]0;owned\x07\x9b2J"
BIDI = "\u202egnp.exe\u2066"
TITLE = f'<img src=x onerror=alert(1)><a href="javascript:alert(2)">Lag</a> {SCRIPT}{BIDI}'
#: Written as a page must: what the parser reads is the attack itself.
LAW = (
    PAGE.format(number="2024:66")
    .replace("Fyrlag", html.escape(TITLE))
    .replace(
        "Lagen gäller inte fyrskepp.",
        html.escape(f"Lagen gäller {SCRIPT} {BIDI} {TERMINAL} [vägar](javascript:alert(4)). {'[' * 10_000}"),
    )
)

_EVENTS = """
query Events($keys: [AssetKeyInput!]) {
  assetNodes(assetKeys: $keys) {
    assetMaterializations { description tags { key value } metadataEntries { ...Entry } }
    assetObservations { description tags { key value } metadataEntries { ...Entry } }
  }
}
fragment Entry on MetadataEntry {
  __typename label
  ... on UrlMetadataEntry { url }
}
"""
#: What the UI renders as it is written: no mark-down, which becomes HTML, and no notebook.
PLAIN = {
    "TextMetadataEntry", "IntMetadataEntry", "FloatMetadataEntry", "BoolMetadataEntry", "NullMetadataEntry", "JsonMetadataEntry",
    "TableMetadataEntry", "PathMetadataEntry", "UrlMetadataEntry", "TimestampMetadataEntry",
}  # fmt: skip


def write_hostile(folder: Path) -> None:
    """A law whose name, title, text and metadata are attacks, and a file whose name is refused."""
    name = f"lag {SCRIPT}.html"
    (folder / name).write_text(LAW, encoding="utf-8")
    about = {"title": TITLE, "source_url": "javascript:alert(document.domain)", "metadata": {SCRIPT: TITLE}}
    (folder / f"{name}.meta.json").write_text(json.dumps(about), encoding="utf-8")
    (folder / f"trasig {SCRIPT}{TERMINAL}{BIDI}.html").write_text(LAW, encoding="utf-8")


def entries(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind in ("assetMaterializations", "assetObservations"):
        for event in node[kind]:
            yield from event["metadataEntries"]


def test_a_hostile_document_ends_its_run_and_shows_no_markup_and_no_link_that_runs_a_script(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path
) -> None:
    write_hostile(folder)
    settings = make_settings()
    asked = sorted(document for group in Watch(instance, settings).asked() for document in group)
    assert len(asked) == 2
    assert all(document.isascii() and document.isprintable() and "<" not in document for document in asked)
    with Pipeline.open(settings) as pipeline:
        log = Log()
        run_documents(instance, pipeline, asked, report=log, job_name="parse_and_chunk")
        (bad,) = log.failed
        chunked = {event.document_id for event in log.events if event.asset_key == ("chunks",)}
    assert (chunked, {*chunked, bad}) == ({"se-sfs-2024-66"}, set(asked))
    assert all(run.is_finished for run in instance.get_runs())
    with graph(instance) as dagster:
        keys = [
            {"path": node["assetKey"]["path"]}
            for node in dagster.query("{ assetNodes { assetKey { path } } }")["assetNodes"]
        ]
        nodes = dagster.query(_EVENTS, keys=keys)["assetNodes"]
    shown = [entry for node in nodes for entry in entries(node)]
    kinds = {entry["label"]: entry["__typename"] for entry in shown}
    assert (kinds["source"], kinds["title"], kinds["reason"]) == ("TextMetadataEntry",) * 3, (
        "no address of a script is a link"
    )
    assert {entry["__typename"] for entry in shown} <= PLAIN
    links = [entry["url"] for entry in shown if entry["__typename"] == "UrlMetadataEntry"]
    assert all(link.startswith(("http://", "https://")) for link in links)
