"""`legal-pipeline reconcile`: what it prints and with which code it ends, before and after a repair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline_tests.cli.commands import command_here
from legal_pipeline_tests.small_laws import write_law


@pytest.mark.slow
def test_what_differs_is_named_and_ends_with_1_until_it_is_repaired(settings: Settings, tmp_path: Path) -> None:
    environment = {"LEGAL_PIPELINE_DATABASE_URL": settings.database_url_text, "LEGAL_PIPELINE_ENRICH": "none"}
    write_law(tmp_path / "laws", 1)
    assert command_here("ingest", tmp_path / "laws", home=settings.home, **environment).returncode == 0
    assert command_here("reconcile", home=settings.home, **environment).returncode == 0

    warehouse, document_id = Warehouse(settings.warehouse_root), "se-sfs-2024-1"
    warehouse.delete(("chunks",), document_id)
    found = command_here("reconcile", home=settings.home, **environment)
    assert found.returncode == 1
    assert b"se-sfs-2024-1: chunks missing: no file" in found.stdout
    assert not warehouse.exists(("chunks",), document_id)

    repaired = command_here("reconcile", "--repair", "--json", home=settings.home, **environment)
    assert repaired.returncode == 0, repaired.stderr
    told = json.loads(repaired.stdout)
    assert (told["found"]["counts"], told["left"]["clean"]) == ({"missing chunks": 1}, True)
    assert warehouse.exists(("chunks",), document_id)

    (tmp_path / "laws" / "broken.bin").write_bytes(bytes(range(256)))
    assert command_here("ingest", tmp_path / "laws", home=settings.home, **environment).returncode == 1
    failed = command_here("reconcile", "--repair", home=settings.home, **environment)
    assert failed.returncode == 1
    last = failed.stdout.decode().splitlines()[-2:]
    assert last[0].startswith("2 documents (")
    assert last[0].endswith(" opened), 0 differences (0 before the repair), 1 document failed")
    assert last[1] == "`legal-pipeline status` shows why documents failed"
