"""A folder read page by page: where a page begins and ends, and what changes it. Not here: what is listed (`test_directory`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.sources import directory
from legal_pipeline.sources.directory import DirectorySource


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "lagar"
    root.mkdir()
    return root


def test_the_pages_of_a_folder_are_its_listing_wherever_one_begins(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "PAGE_ITEMS", 3)
    for number in range(40):
        path = folder / ("", "under", "under/lag ö", "under-a", "under.b")[number % 5] / f"{number % 7}-{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (folder / "x\n.html").write_text("x")
    source = DirectorySource(folder)
    listed = [item.key for item in source.list().items]
    pages = list(source.pages(max_seconds=3_600))
    assert len(pages) > 5
    assert [item.key for page in pages for item in page.items] == listed
    bounds = [page.between for page in pages if page.between is not None]
    assert (bounds[0][0], bounds[-1][1]) == source.range
    assert [until for _, until in bounds[:-1]] == [after for after, _ in bounds[1:]]
    assert all(page.covers(item.key) for page in pages for item in page.items)
    assert not any(page.covers(after) for page, (after, _) in zip(pages, bounds, strict=True))
    for key in listed:
        behind = [item.key for page in source.pages(key) for item in page.items]
        assert behind == [later for later in listed if later > key]


def test_a_new_file_changes_one_page(folder: Path) -> None:
    for number in range(3000):
        (folder / f"{number:04}.txt").touch()
    source = DirectorySource(folder)
    before = {(page.between, page.fingerprint) for page in source.pages(max_seconds=3_600)}
    (folder / "1500a.txt").touch()
    after = {(page.between, page.fingerprint) for page in source.pages(max_seconds=3_600)}
    assert len(before) > 3
    assert len(before - after) == 1
    # the path of the new file may be one that ends a page (one of 256): then the page is two
    assert len(after - before) == 1 + len(after) - len(before)


def test_a_changed_file_changes_its_page(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    (before,) = DirectorySource(folder).pages(max_seconds=3_600)
    (folder / "a.txt").write_text("another")
    (after,) = DirectorySource(folder).pages(max_seconds=3_600)
    assert before.between == after.between
    assert before.fingerprint != after.fingerprint


def test_a_page_has_no_more_than_so_many_files_wherever_their_keys_end_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "PAGE_ITEMS", 1 << 31)
    monkeypatch.setattr(directory, "MAX_PAGE_ITEMS", 10)
    for number in range(25):
        (folder / f"{number:02}.txt").touch()
    assert [len(page.items) for page in DirectorySource(folder).pages(max_seconds=3_600)] == [10, 10, 5]


def test_a_folder_without_files_is_one_page_whatever_page_is_asked_for(folder: Path) -> None:
    source = DirectorySource(folder)
    for after in (None, source.range[0], f"{folder}/b.txt"):
        (page,) = source.pages(after)
        assert (page.items, page.between, page.is_empty) == ((), source.range, True)
    (folder / "a.txt").write_text("x")
    (page,) = source.pages(f"{folder}/b.txt")
    assert (page.items, page.between, page.is_empty) == ((), (f"{folder}/b.txt", source.range[1]), False)
