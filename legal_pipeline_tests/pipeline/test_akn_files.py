"""Documents leave the pipeline as Akoma Ntoso and read back the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.cli.state_presentation import print_files
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.views.akn_files import write_akn_files
from legal_pipeline_tests.pipeline.conftest import Bench, Law


def test_every_parsed_document_is_written_and_reads_back_the_same(bench: Bench, law: Law, tmp_path: Path) -> None:
    for number in ("2099:10", "2099:11"):
        bench.write(f"{number[-2:]}.txt", law(number, "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.ingest()
    registry, warehouse = bench.pipeline.registry, bench.pipeline.warehouse
    files = write_akn_files(registry, warehouse, tmp_path / "akn").files
    assert [file.name for file in files] == ["se-sfs-2099-10.xml", "se-sfs-2099-11.xml"]
    document = parse(SourceFile(files[0].name, files[0].read_bytes()))
    assert document.document_id == "se-sfs-2099-10"
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert write_akn_files(registry, warehouse, tmp_path / "one", ["se-sfs-2099-11"]).files == (
        tmp_path / "one" / files[1].name,
    )


def test_an_unknown_document_is_refused_before_anything_is_written(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="se-sfs-1-1"):
        write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "akn", ["se-sfs-1-1"])
    assert not (tmp_path / "akn").exists()


def test_a_folder_that_cannot_be_made_is_a_configuration_error(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    with pytest.raises(ConfigurationError):
        write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "file")


def test_notes_are_written_and_withheld_documents_are_counted(
    bench: Bench, law: Law, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("note.md", "# Lamps\n\n## Oil\n\nKeep the oil in the shed.\n")
    bench.write("kept.txt", law("2099:12", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.write("kept.txt.meta.json", '{"may_export": false}')
    bench.ingest()
    written = write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "akn")
    (file,) = written.files
    assert (file.name, written.withheld) == ("doc-note.xml", 1)
    assert parse(SourceFile(file.name, file.read_bytes())).text == "Lamps\n\nOil\n\nKeep the oil in the shed."
    for ids in (["se-sfs-2099-12"], ["doc-note", "se-sfs-2099-12"]):
        with pytest.raises(DocumentError, match="se-sfs-2099-12: its source forbids that it is handed on"):
            write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "one", ids)
    assert not (tmp_path / "one").exists()
    print_files(written, as_json=False)
    assert capsys.readouterr().out.splitlines() == [str(file), "1 file; 1 document withheld: its source forbids it"]
