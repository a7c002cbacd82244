"""A folder with every kind of bad file: the good one is searchable, each bad one is reported."""

from __future__ import annotations

from pathlib import Path

from legal_pipeline.errors import (
    EmptyDocumentError,
    LimitExceededError,
    ParseError,
    TruncatedDocumentError,
    UnsafeNameError,
)
from legal_pipeline_tests.pipeline.conftest import Bench, Law

PAGE = """<!DOCTYPE html>
<html><head><title>Regeringskansliets rättsdatabaser</title></head><body>
<div class="result-inner-box"><span class="bold">SFS-nummer</span> 2099:13</div>
<div class="result-box-text body-text">1 &#167; Fyren ska lysa.

2 &#167; Vakten ska vara"""


def test_each_bad_file_is_a_typed_error_and_the_good_one_is_searchable(bench: Bench, law: Law) -> None:
    bench.write("good.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.write("empty.html", "")
    (bench.folder / "binary.html").write_bytes(bytes(range(256)) * 40)
    bench.write("truncated.html", PAGE)
    bench.write("line.txt", "fyr " * 12_500_000)
    (bench.folder / "..%2F..%2Fsecret.html").write_text("x", "utf-8")
    bench.ingest()
    kinds = sorted(type(error).__name__ for error in bench.failures.values())
    assert kinds == [
        "EmptyDocumentError",
        "LimitExceededError",
        "ParseError",
        "TruncatedDocumentError",
        "UnsafeNameError",
    ], {key: str(error) for key, error in bench.failures.items()}
    for error in bench.failures.values():
        assert isinstance(
            error, EmptyDocumentError | LimitExceededError | ParseError | TruncatedDocumentError | UnsafeNameError
        )
        assert str(error).count(":") >= 1, "says where and what"
    assert bench.points_written == 2
    assert bench.pipeline.registry.counts() == {"completed": 1, "failed": 5}


def test_a_link_that_leads_out_of_the_folder_is_not_followed(bench: Bench, law: Law, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(law("2099:14", "Hemlig fyr."), "utf-8")
    (bench.folder / "link.txt").symlink_to(outside)
    bench.write("good.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.ingest()
    assert [type(error) for error in bench.failures.values()] == [UnsafeNameError]
    assert bench.pipeline.registry.document("se-sfs-2099-14") is None
