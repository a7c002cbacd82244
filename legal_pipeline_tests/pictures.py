"""Takes the pictures of the documentation (`python -m legal_pipeline_tests.pictures dagster|web`, needs `chromium`).

`dagster`: from the real UI. It starts the webserver and the daemon as `legal-pipeline dev` does, lets the folder's sensor index eight laws,
amends one law, empties another and requests a backfill, which fails for that document alone. `web`: from the pages of `legal-pipeline
serve`, over the sample corpus, with one Act in three wordings. Not here: the pages that show the pictures.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.service.gate import Gate
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.browser import chromium
from legal_pipeline_tests.indexed_laws import run
from legal_pipeline_tests.serving_thread import served
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import Dagster, lineage_path, serving, wait_for

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
LAWS = 8
AMENDED, EMPTIED = 3, 5
#: A page must be read in well under a second.
MAX_BYTES = 150_000
WINDOW = (1600, 900)
GRAPH_WINDOW = (1700, 1500)
WEB_WINDOW = (1280, 860)
#: Virtual time for a page to ask for its data and to draw itself, in milliseconds.
DRAWING = 30_000
_SAMPLE = Path(__file__).resolve().parent.parent / "data" / "sample"
_ACT = "in/the-lighthouse-keepers-act-2098.en.part-001.md"
#: The Act of the sample, as three of its texts state the fine.
_WORDINGS = (
    ("2001-07-01", "two thousand rupees"),
    ("2012-04-01", "ten thousand rupees"),
    (
        "2021-01-01",
        "twenty-five thousand rupees, or with imprisonment for a term which may extend to three months, or with both",
    ),
)
_SIDECAR = {"source_url": "https://laws.example/acts/2098/71", "licence": "CC BY 4.0"}


def main() -> None:
    """Write the pictures to docs/images. Raises `SystemExit` without Chromium."""
    browser = chromium()
    takers = {"dagster": of_dagster, "web": of_the_web_page}
    if browser is None or sys.argv[1:] not in [[name] for name in takers]:
        sys.exit(
            "usage: python -m legal_pipeline_tests.pictures dagster|web; needs chromium (apt-get install chromium)"
        )
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        takers[sys.argv[1]](browser, Path(name))


def of_the_web_page(browser: str, home: Path) -> None:
    """Five pages over the sample corpus."""
    laws = home / "laws"
    shutil.copytree(_SAMPLE, laws)
    settings = load_settings(home=home / "data", stores="qdrant", enrich="none")
    with Pipeline.open(settings) as pipeline:
        for day, fine in _WORDINGS:
            # without its footnote, which dates a substitution to a day to come
            text = (_SAMPLE / _ACT).read_text("utf-8").partition("### Footnotes")[0]
            text = text.replace("^1[", "").replace("ten thousand rupees.]", f"{fine}.")
            (laws / _ACT).write_text(text, "utf-8")
            (laws / f"{_ACT}.meta.json").write_text(json.dumps({**_SIDECAR, "as_of_date": day}), "utf-8")
            run(pipeline, laws)
        reader = LawReader(pipeline)
        with served(reader, Gate(ApiKeys(pipeline.registry.database), needs_key=False)) as address:
            for picture, path in web_pages(reader):
                (IMAGES / f"web_{picture}.png").write_bytes(taken(browser, f"{address}{path}", home, WEB_WINDOW))


def web_pages(reader: LawReader) -> Iterator[tuple[str, str]]:
    """Names of pictures with the paths of their pages."""
    question = "who must light the lamp of a lighthouse"
    found = reader.search(question)
    hit = next(hit for hit in found.hits if hit.provision_id and hit.provision_id.endswith("sec_4"))
    section = hit.provision_id
    yield "search", f"/?{urlencode({'q': question})}"
    yield "document", f"/documents/{hit.origin.document_id}"
    yield "provision", f"/provisions/{section}"
    yield "comparison", f"/provisions/{section}/compare?from={_WORDINGS[0][0]}&to={_WORDINGS[-1][0]}"
    yield "chunk", f"/chunks/{hit.chunk_id}"


def of_dagster(browser: str, home: Path) -> None:
    """The assets in the UI, and how a document changes and fails."""
    laws = home / "laws"
    settings = load_settings(
        home=home / "data", source_directory=laws, sensor_interval_seconds=5, removal_grace_seconds=0
    )
    for number in range(1, LAWS + 1):
        write_law(laws, number)
    with serving(settings, home) as server:
        for picture, path in history(server, laws):
            address = f"http://127.0.0.1:{server.port}{path}"
            window = GRAPH_WINDOW if picture == "asset_graph" else WINDOW
            (IMAGES / f"{picture}.png").write_bytes(taken(browser, address, home, window))


def history(server: Dagster, laws: Path) -> Iterator[tuple[str, str]]:
    """Eight laws are indexed, one is amended, one emptied, and a backfill fails for it; names of pictures with the paths of their pages."""
    wait_for("eight laws", lambda: server.stats("qdrant_chunks")["numMaterialized"] == LAWS, 300)
    yield "asset_graph", lineage_path()
    write_law(laws, AMENDED, "\n2 a § Vägföreningen ska underhålla vägens diken.\n")
    changed = {"path": ["canonical_documents"]}
    wait_for("the amendment", lambda: "2 a §" in str(server.query(_CHANGES, key=changed, ids=[_id(AMENDED)])), 120)
    yield "materialization", f"/assets/canonical_documents?view=partitions&partition={_id(AMENDED)}"
    (laws / write_law(laws, EMPTIED).name).write_bytes(b"")
    wait_for("the empty file", lambda: server.stats("raw_documents")["numFailed"] == 1, 120)
    yield "failed_partition", f"/assets/raw_documents?view=partitions&partition={_id(EMPTIED)}"
    backfill = server.backfill(server.document_assets(), [_id(number) for number in range(1, LAWS + 1)])
    wait_for("the backfill", lambda: server.backfill_status(backfill), 300)
    yield "failed_backfill", f"/runs/b/{backfill}"


def taken(browser: str, address: str, folder: Path, window: tuple[int, int]) -> bytes:
    """A picture of the page at `address`, in 64 colours so that it stays small."""
    file = folder / "picture.png"
    subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder / 'browser'}",
         f"--window-size={window[0]},{window[1]}", f"--virtual-time-budget={DRAWING}", f"--screenshot={file}", address],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    small = io.BytesIO()
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(64).save(small, "PNG", optimize=True)
    assert small.tell() <= MAX_BYTES, f"{address}: {small.tell():,} bytes"
    return small.getvalue()


def _id(number: int) -> str:
    return f"se-sfs-2024-{number}"


_CHANGES = """
query Changes($key: AssetKeyInput!, $ids: [String!]) {
  assetNodeOrError(assetKey: $key) {
    ... on AssetNode { assetMaterializations(partitions: $ids, limit: 1) { metadataEntries { label ... on TextMetadataEntry { text } } } }
  }
}
"""


if __name__ == "__main__":
    main()
