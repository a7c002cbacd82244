"""The places that cite a work, when documents are written and removed. Not here: what a reader shows of them (`test_law_reader`)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from legal_pipeline.reading.citing import CitingIndex
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.stages.cross_references import KEY

LAW = "/akn/se/act/sfs/2099/10"


def cites(*works: str) -> pa.Table:
    rows = len(works)
    return pa.table(
        {
            "eid": ["sec_1"] * rows, "start": list(range(rows)), "end": list(range(1, rows + 1)), "raw": ["lagen"] * rows,
            "target_work_uri": list(works), "target_eid": ["sec_3"] * rows, "kind": ["provision"] * rows,
        }
    )  # fmt: skip


def test_a_document_that_is_removed_or_written_anew_no_longer_cites_what_it_cited(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    index = CitingIndex(warehouse)
    for document_id in ("se-sfs-2099-20", "se-sfs-2099-30", "se-sfs-2099-40"):
        warehouse.write_table(KEY, document_id, cites(LAW))
    assert [place.document_id for place in index.places([LAW])] == [
        "se-sfs-2099-20",
        "se-sfs-2099-30",
        "se-sfs-2099-40",
    ]
    warehouse.delete(KEY, "se-sfs-2099-20")
    warehouse.write_table(KEY, "se-sfs-2099-30", cites("/akn/se/act/sfs/2099/11"))
    assert [place.document_id for place in index.places([LAW])] == ["se-sfs-2099-40"]
