"""Sidecar files in a folder: the hints that they give, and what is wrong with one. Not here: what is listed (`test_directory`)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from legal_pipeline.errors import DocumentError, ParseError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.sources.test_directory import names, only


@pytest.mark.parametrize(
    ("beside", "expected"),
    [(["act.txt"], "the name act.txt.meta.json"), ([], "a file act beside it"), (["act.tmp"], "a file act beside it")],
)
def test_a_sidecar_without_its_document_is_reported(folder: Path, beside: list[str], expected: str) -> None:
    for name in [*beside, "act.meta.json"]:
        (folder / name).write_text("{}")
    source = DirectorySource(folder)
    (item,) = (item for item in source.list().items if item.name == "act.meta.json")
    with pytest.raises(DocumentError, match=f"is a sidecar file without its document .*{expected}"):
        source.fetch(item)
    assert source.item(item.key).error is not None


def test_a_sidecar_is_not_a_document_if_it_is_named_alone(folder: Path) -> None:
    (folder / "act.txt").write_text("text")
    (folder / "act.txt.meta.json").write_text("{}")
    assert names(DirectorySource(folder)) == ["act.txt"]
    source = DirectorySource(folder / "act.txt.meta.json")
    item = only(source)
    with pytest.raises(DocumentError, match=r"describes act\.txt"):
        source.fetch(item)


def test_the_stamp_changes_with_the_file_and_with_its_sidecar(folder: Path) -> None:
    path = folder / "a.txt"
    path.write_text("x")
    os.utime(path, (1, 1))
    source = DirectorySource(folder)
    first = only(source).stamp
    path.write_text("y")
    os.utime(path, (1, 1))  # as a copy that keeps the times does
    second = only(source).stamp
    (folder / "a.txt.meta.json").write_text("{}")
    assert len({first, second, only(source).stamp}) == 3


def test_a_sidecar_gives_hints(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    (folder / "a.txt.meta.json").write_text(
        '{"jurisdiction": "uk", "as_of_date": "2024-01-31", "source_url": "https://ex.org", "metadata": {"k": 1}}'
    )
    source = DirectorySource(folder)
    file = source.fetch(only(source))
    assert file.hints == {
        "jurisdiction": "gb", "as_of_date": "2024-01-31", "source_url": "https://ex.org", "metadata": {"k": 1},
    }  # fmt: skip
    assert file.url == "https://ex.org"


def test_a_file_in_a_folder_knows_its_path_and_a_wrong_sidecar_is_named_by_its_own(folder: Path) -> None:
    (folder / "under").mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / "under" / name).write_text("x")
    (folder / "under" / "b.txt.meta.json").write_text("[1]")
    source = DirectorySource(folder)
    first, second = source.list().items
    assert source.fetch(first).hints == {"path": "under/a.txt"}
    with pytest.raises(ParseError, match=r"^under/b\.txt\.meta\.json") as caught:
        source.fetch(second)
    assert caught.value.document == "under/b.txt.meta.json"


def test_a_sidecar_may_be_as_long_as_the_limit_and_no_longer(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    source = DirectorySource(folder)
    for length, is_read in ((1_000_000, True), (1_000_001, False)):
        (folder / "a.txt.meta.json").write_text('{"title": "Lamps"}'.ljust(length))
        if is_read:
            assert source.fetch(only(source)).hints["title"] == "Lamps"
        else:
            with pytest.raises(ParseError, match="at most 1,000,000"):
                source.fetch(only(source))


def test_a_file_was_fetched_when_its_sidecar_says_so_else_when_it_was_last_changed(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    os.utime(folder / "a.txt", (86_400, 86_400))
    source = DirectorySource(folder)
    assert source.fetch(only(source)).fetched_at == "1970-01-02T00:00:00+00:00"
    (folder / "a.txt.meta.json").write_text('{"fetched_at": "2026-01-02T03:04:05+00:00"}')
    assert source.fetch(only(source)).fetched_at == "2026-01-02T03:04:05+00:00"


def test_a_sidecar_whose_document_id_has_no_effect_is_named_in_a_warning(folder: Path) -> None:
    sidecar = Path(f"{write_law(folder, 1)}.meta.json")
    for stated, warnings in (("an-id-of-mine", 1), ("se-sfs-2024-1", 0)):
        sidecar.write_text(f'{{"document_id": "{stated}"}}')
        source = DirectorySource(folder)
        document = parse(source.fetch(only(source)))
        assert document.document_id == "se-sfs-2024-1"
        assert sum("document_id 'an-id-of-mine' has no effect" in warning for warning in document.warnings) == warnings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"jurisdicton": "se"}', "jurisdicton"),
        ('{"jurisdiction": "Sverige"}', "jurisdiction"),
        ('{"as_of_date": "31/1"}', "as_of_date"),
        ('{"document_id": "../x"}', "document_id"),
        ('{"doc_type": "statute"}', "doc_type: .*'statute' is none of act, "),
        ('{"parts": 3}', "parts"),  # it would have no effect
        ("[1]", "file"),
        ("{", "file"),
        ("\xff", "file"),
        ('{"title": "Act \\u0000"}', "title, character 4: U.0000"),
        ('{"metadata": {"a": [1, "\\u0000"]}}', r"metadata\.a\[1\], character 0: U.0000"),
        ('{"metadata": {"a\\u0000": 1}}', r"a key of metadata, character 1: U.0000"),
        ('{"title": "Act \\ud800"}', "hex escape at line 1 column"),
    ],
)
def test_a_wrong_sidecar_fails_its_document_and_names_the_field(folder: Path, text: str, said: str) -> None:
    (folder / "a.txt").write_text("x")
    (folder / "a.txt.meta.json").write_bytes(text.encode("latin-1"))
    source = DirectorySource(folder)
    with pytest.raises(ParseError, match=said):
        source.fetch(only(source))


def test_the_sidecar_of_a_user_stands_before_the_file_of_a_publisher(tmp_path: Path) -> None:
    (tmp_path / "lamps.html").write_text("<html></html>")
    (tmp_path / "lamps.meta.json").write_text('{"ELI": "DU/2099/7", "title": "Ustawa o lampach"}')
    (tmp_path / "lamps.html.meta.json").write_text('{"title": "Lamps Act"}')
    source = DirectorySource(tmp_path)
    assert [source.fetch(item).hints for item in source.list().items] == [{"title": "Lamps Act"}]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("jurisdicton", "unknown field 'jurisdicton': did you mean jurisdiction?"),
        ("keeper", "unknown field 'keeper': put other facts into `metadata`"),
    ],
)
def test_the_error_of_a_misspelt_field_of_a_sidecar_names_the_nearest_known_field(
    folder: Path, field: str, message: str
) -> None:
    Path(f"{write_law(folder, 1)}.meta.json").write_text(f'{{"{field}": "se"}}')
    source = DirectorySource(folder)
    (item,) = source.list().items
    with pytest.raises(ParseError, match=re.escape(message)):
        source.fetch(item)
