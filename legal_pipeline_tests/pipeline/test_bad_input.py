"""A folder with every kind of bad file: the good one is searchable, each bad one is reported."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import (
    EmptyDocumentError,
    LimitExceededError,
    ParseError,
    TruncatedDocumentError,
    UnsafeNameError,
)
from legal_pipeline.processing.stage import RunOptions
from legal_pipeline.registration import register
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import SourceItem
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


def test_a_text_that_breaks_off_does_not_replace_the_whole_one(bench: Bench, law: Law) -> None:
    whole = law("2099:10", *(f"Fyren {number} ska tändas i skymningen och vaktas hela natten." for number in range(9)))
    bench.write("fyr.txt", whole)
    bench.ingest()
    bench.write("fyr.txt", whole[: whole.index("vaktas hela", len(whole) // 2) + 9])
    bench.ingest()
    (error,) = bench.failures.values()
    assert isinstance(error, TruncatedDocumentError)
    assert "characters are missing" in str(error)
    assert bench.points_written == 0
    bench.ingest(RunOptions(force=True))
    assert not bench.failures


def test_a_law_that_loses_its_last_provisions_is_taken(bench: Bench, law: Law) -> None:
    sections = [f"Fyren {number} ska tändas i skymningen och vaktas hela natten." for number in range(9)]
    bench.write("fyr.txt", law("2099:10", *sections))
    bench.ingest()
    bench.write("fyr.txt", law("2099:10", *sections[:5]))
    bench.ingest()
    assert not bench.failures


def test_a_link_that_leads_out_of_the_folder_is_not_followed(bench: Bench, law: Law, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(law("2099:14", "Hemlig fyr."), "utf-8")
    (bench.folder / "link.txt").symlink_to(outside)
    bench.write("good.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.ingest()
    assert [type(error) for error in bench.failures.values()] == [UnsafeNameError]
    assert bench.pipeline.registry.document("se-sfs-2099-14") is None


@pytest.mark.parametrize("encoding", ["undefined", "rot13", "idna", "no-such-encoding"])
def test_a_file_in_an_encoding_that_cannot_be_read_fails_alone(bench: Bench, law: Law, encoding: str) -> None:
    (bench.folder / "bad.xml").write_bytes(
        f'<?xml version="1.0" encoding="{encoding}"?><akomaNtoso>§</akomaNtoso>'.encode()
    )
    bench.write("good.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    found = bench.ingest()
    assert [type(error) for error in bench.failures.values()] == [ParseError]
    assert "bad.xml" in next(iter(found.unreadable.values()))
    assert bench.pipeline.registry.counts() == {"completed": 1, "failed": 1}


class _Breaks(DirectorySource):
    """A folder of which reading one file meets an error that nobody foresaw."""

    def __init__(self, folder: Path, error: Exception) -> None:
        super().__init__(folder)
        self._error = error

    def fetch(self, item: SourceItem) -> SourceFile:
        if item.name == "bad.txt":
            raise self._error
        return super().fetch(item)


@pytest.mark.parametrize("error", [KeyError("h\ud800"), UnicodeError("x\x00"), RecursionError(), MemoryError()])
def test_an_error_that_nobody_foresaw_is_a_defect_of_its_document_alone(
    bench: Bench, law: Law, error: Exception
) -> None:
    for name, number in (("a.txt", "2099:10"), ("bad.txt", "2099:11"), ("z.txt", "2099:12")):
        bench.write(name, law(number, "En fyrvakt ska vara vaken."))
    registry = bench.pipeline.registry
    found = register(_Breaks(bench.folder, error), registry, grace=timedelta(0))
    assert {"se-sfs-2099-10", "se-sfs-2099-12"} < set(found.new)
    ((document_id, reason),) = found.unreadable.items()
    assert type(error).__name__ in reason
    (item,) = registry.items_of_documents([document_id])[document_id]
    assert item.error is not None
    assert type(error).__name__ in item.error


class _OddFile(SourceFile):
    @property
    def text(self) -> str:
        raise KeyError("a defect of a parser")


def test_a_defect_of_a_parser_is_one_of_its_document_alone(bench: Bench, law: Law) -> None:
    class Odd(DirectorySource):
        def fetch(self, item: SourceItem) -> SourceFile:
            file = super().fetch(item)
            return _OddFile(file.name, file.data, hints={"format": "plain_text"}) if item.name == "bad.txt" else file

    for name, number in (("a.txt", "2099:10"), ("bad.txt", "2099:11"), ("z.txt", "2099:12")):
        bench.write(name, law(number, "En fyrvakt ska vara vaken."))
    found = register(Odd(bench.folder), bench.pipeline.registry, grace=timedelta(0))
    assert {"se-sfs-2099-10", "se-sfs-2099-12"} < set(found.new)
    ((_, reason),) = found.unreadable.items()
    assert "a defect of a parser" in reason


def test_a_machine_in_trouble_is_not_written_down_as_a_bad_file(bench: Bench, law: Law) -> None:
    bench.write("bad.txt", law("2099:11", "En fyrvakt ska vara vaken."))
    found = register(
        _Breaks(bench.folder, OSError(24, "Too many open files")), bench.pipeline.registry, grace=timedelta(0)
    )
    assert (found.new, found.unreadable, found.complete) == ((), {}, False)
    assert bench.register().new == ("se-sfs-2099-11",)


def test_what_the_registry_cannot_hold_fails_alone(bench: Bench, law: Law) -> None:
    class Addressed(DirectorySource):
        def fetch(self, item: SourceItem) -> SourceFile:
            file = super().fetch(item)
            return file.with_hints(title="half a character: \ud800") if item.name == "bad.txt" else file

    for name, number in (("a.txt", "2099:10"), ("bad.txt", "2099:11"), ("z.txt", "2099:12")):
        bench.write(name, law(number, "En fyrvakt ska vara vaken."))
    found = register(Addressed(bench.folder), bench.pipeline.registry, grace=timedelta(0))
    assert {"se-sfs-2099-10", "se-sfs-2099-12"} < set(found.new)
    assert len(found.unreadable) == 1
    assert found.complete


def test_every_way_of_being_unreadable_at_once_leaves_the_good_file_searchable(bench: Bench, law: Law) -> None:
    bench.write("good.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    (bench.folder / "loop.txt").symlink_to(bench.folder / "loop.txt")
    bench.write("f" * 251 + ".txt", law("2099:11", "Fyren ska lysa."))
    (bench.folder / "bad.xml").write_bytes(b'<?xml version="1.0" encoding="undefined"?><a/>')
    bench.ingest()
    assert bench.pipeline.registry.counts() == {"completed": 2, "failed": 2}
