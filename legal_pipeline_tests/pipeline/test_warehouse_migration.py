"""A home of a release with a file per asset and document is opened: everything is moved, whenever the process is killed."""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch
from legal_pipeline.reconcile import reconcile
from legal_pipeline.registry.bundles import load
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.registry.warehouse_migration import LAYOUT, MARK, migrate
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.pipeline.earlier_layout import write_earlier_layout
from legal_pipeline_tests.pipeline.killed_migration import kill_migration

LAW, TEXTS = "se-sfs-2099-10", ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.")

#: (what the process is about to do, how often it has done so before)
POINTS = (("os.rename", 0), ("os.rename", 3), ("os.remove", 0), ("os.remove", 12), ("os.rename", 8))


@pytest.fixture
def amended(bench: Bench, law: Law) -> Bench:
    """Two laws, one of them with an earlier expression and a superseded chunk."""
    bench.write("10.txt", law("2099:10", *TEXTS))
    bench.write("11.txt", law("2099:11", *TEXTS, title="om båkar"))
    bench.ingest()
    bench.write("10.txt", law("2099:10", "En fyrvakt får sova.", TEXTS[1]))
    bench.ingest()
    assert not bench.failures
    return bench


def contents(warehouse: Warehouse) -> dict[str, object]:
    """Everything in the warehouse: tables by their rows, since the names inside of lists are those of Parquet or of Arrow."""
    found: dict[str, object] = {}
    for path in warehouse.files():
        for name, member in load(Path(warehouse.root, path).read_bytes()).items():
            content, stamp = member.content(), json.loads(member.stamp) if member.stamp is not None else None
            if not name.endswith(".arrows"):
                found[f"{path} {name}"] = (stamp, content)
                continue
            table = pa.ipc.open_stream(content).read_all()
            if name.startswith("expressions/") and name.endswith("context_prefixes.arrows"):
                # an earlier release stored them as a column of the chunks
                table, stamp = table.select(["chunk_id", "prefix"]), None
            found[f"{path} {name}"] = (stamp, table.column_names, table.to_pylist())
    return found


def test_a_home_of_an_earlier_release_is_equal_to_a_fresh_one_whenever_the_move_was_killed(
    amended: Bench, tmp_path: Path
) -> None:
    fresh = amended.pipeline.warehouse
    expected = contents(fresh)
    earlier = tmp_path / "earlier"
    write_earlier_layout(fresh, earlier)
    assert len(Warehouse(earlier).files()) == 2 * 17 + 2
    for event, number in POINTS:
        root = tmp_path / "killed"
        shutil.copytree(earlier, root)
        kill_migration(root, event, number)
        warehouse = Warehouse(root)
        assert warehouse.read_file(MARK) is None
        for path in [path for path in warehouse.files() if path.endswith(".zip")][:1]:
            warehouse.write_file(path, b"")  # the power failed too
        assert migrate(warehouse) > 0
        assert contents(warehouse) == expected, (event, number)
        assert warehouse.files() == fresh.files()
        assert not list(root.rglob(".writing-*"))
        assert migrate(warehouse) == 0
        shutil.rmtree(root)


def test_an_opened_home_of_an_earlier_release_has_nothing_to_make(amended: Bench, tmp_path: Path) -> None:
    root = Path(amended.pipeline.warehouse.root)
    write_earlier_layout(amended.pipeline.warehouse, tmp_path / "earlier")
    shutil.rmtree(root)
    shutil.copytree(tmp_path / "earlier", root)
    Pipeline.open(amended.pipeline.resources.settings).close()
    assert reconcile(amended.pipeline).is_clean
    amended.ingest()
    assert (amended.embedder.texts, amended.enricher.prefix_requests) == ([], [])
    batch = Batch([LAW], amended.pipeline.resources)
    first, second = (expressions.load(batch, LAW, known.expression) for known in expressions.index(batch, LAW))
    assert ("vara vaken" in first.text, "får sova" in second.text) == (True, True)


def test_a_reader_that_may_not_write_opens_a_home_of_this_release(tmp_path: Path) -> None:
    Warehouse(tmp_path).write_json(("provision_versions",), LAW, "{}")
    code = (
        "import os, sys\n"
        "from legal_pipeline.registry.warehouse import Warehouse\n"
        "from legal_pipeline.registry.warehouse_migration import migrate\n"
        "def hook(event, arguments):\n"
        "    if event == 'open' and sys.argv[1] in str(arguments[0]) and arguments[2] & os.O_CREAT:\n"
        "        raise PermissionError(13, 'read only')\n"
        "sys.addaudithook(hook)\n"
        "print(migrate(Warehouse(sys.argv[1])))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("0\n", 0), done.stderr
    assert Warehouse(tmp_path).read_file(MARK) is None
    assert migrate(Warehouse(tmp_path)) == 0
    assert Warehouse(tmp_path).read_file(MARK) == LAYOUT


def test_a_file_that_cannot_be_read_stays_and_is_named(
    amended: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path / "earlier"
    write_earlier_layout(amended.pipeline.warehouse, root)
    unreadable, foreign = root / "raw_documents" / f"{LAW}.parquet", root / "notes" / "a.json"
    unreadable.write_bytes(b"PAR1")
    foreign.parent.mkdir()
    foreign.write_text("{}")
    with caplog.at_level(logging.WARNING):
        migrate(Warehouse(root))
    assert foreign.exists()
    assert f"raw_documents/{LAW}.parquet cannot be read" in caplog.text
    assert unreadable.exists()
    assert not Warehouse(root).exists(("raw_documents",), LAW)
    assert Warehouse(root).exists(("chunks",), LAW)
