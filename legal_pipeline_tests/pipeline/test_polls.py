"""A poll of a source, without the runs that follow it: what an item is registered as, and what a result of two polls says."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import Limits
from legal_pipeline.registration import Registration, Renamings, identify, register
from legal_pipeline.registry.coming_expressions import later_texts, reached
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.following import Listed
from legal_pipeline.sources.source import ListingError

LAW = "Lag (2099:{number}) om fyrvakter\n\n1 § En fyrvakt ska vara vaken.\n"
NOTE = "A keeper lights the lamp at dusk.\n\nThe lamp burns until dawn.\n"
DAY = timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "laws"
    (root / "under").mkdir(parents=True)
    return root


def write(folder: Path, *numbers: int) -> None:
    for number in numbers:
        (folder / f"{number}.txt").write_text(LAW.format(number=number), "utf-8")


def identified(
    folder: Path, held: RegisteredItem | None = None, given: Mapping[str, Any] = {}, **limits: int
) -> RegisteredItem:
    """The only item of the folder, which was registered as `held`."""
    source = DirectorySource(folder, limits=Limits(**limits))
    (item,) = source.list().items
    ((record, _),) = identify(source, item, [held] if held is not None else [], given)
    return record


# -- one item ---------------------------------------------------------------------------------------------------------


def test_what_the_user_said_lasts_and_what_the_user_says_now_wins(folder: Path) -> None:
    (folder / "under" / "note.txt").write_text(NOTE, "utf-8")
    held = RegisteredItem("files", "key", "doc", given={"title": "Old title", "language": "eng"})
    now = identified(folder, held, {"title": "New title"})
    assert now.given == {"title": "New title", "language": "eng"}
    assert now.hints["title"] == "New title"


def test_a_path_is_a_fact_only_if_it_says_more_than_the_name(folder: Path) -> None:
    (folder / "under" / "note.txt").write_text(NOTE, "utf-8")
    found = identified(folder)
    assert found.hints["path"] == "under/note.txt"
    below = identified(folder / "under")
    assert "path" not in below.hints
    assert "path" not in identified(folder / "under", below).hints
    assert identified(folder, below).document_id == below.document_id, "it keeps its id when a folder above is polled"
    assert identified(folder / "under", found).hints["path"] == "under/note.txt"
    unread = replace(below, error="cannot be read")
    assert identified(folder, unread).hints["path"] == "under/note.txt"


def test_an_item_that_cannot_be_read_any_more_keeps_what_it_held_under_its_new_stamp(folder: Path) -> None:
    write(folder, 1)
    held = replace(
        identified(folder), part=2, parts=3, as_of_date=date(2031, 1, 1), stamp="old", url="https://old.example"
    )
    unread = identified(folder, held, max_bytes=10)
    assert (unread.document_id, unread.part, unread.parts, unread.as_of_date) == (
        "se-sfs-2099-1",
        2,
        3,
        held.as_of_date,
    )
    assert (unread.url, unread.sha256) == (None, "")
    assert unread.stamp not in ("old", "")
    assert "MAX_DOCUMENT_BYTES" in str(unread.error)


def test_new_items_that_cannot_be_read_have_ids_of_their_own_with_the_end_of_their_names(tmp_path: Path) -> None:
    ids = set()
    for name in ("first", "second"):
        folder = tmp_path / name / ("long-" * 30)
        folder.mkdir(parents=True)
        (folder / "lighthouses.txt").write_text(NOTE, "utf-8")
        ids.add(str(identified(tmp_path / name, max_bytes=10).document_id))
    assert len(ids) == 2
    assert all("lighthouses.txt" in name for name in ids)


# -- two polls --------------------------------------------------------------------------------------------------------


def test_two_polls_as_one_name_each_document_once_by_what_matters_most() -> None:
    first = Registration(new=("a", "b"), changed=("c",), listed=("d", "e"), left=1, left_out=("x",), erased=("k",))
    later = Registration(
        new=("d",),
        changed=("a", "e"),
        listed=("a", "c", "f"),
        tombstoned=("b",),
        settled=False,
        left=2,
        erased=("j", "k"),
    )
    both = first.and_then(later)
    assert (both.new, both.changed, both.listed, both.tombstoned) == (("a", "d"), ("c", "e"), ("f",), ("b",))
    assert (both.left, both.left_out, both.erased) == (3, ("x",), ("j", "k"))
    assert (both.complete, both.settled) == (True, False)
    assert both.to_run == ("a", "c", "d", "e")


def test_a_source_held_nothing_if_no_item_was_listed_removed_unanswered_or_erased() -> None:
    assert Registration(left_out=("x",)).found_nothing
    for found in ({"listed": ("a",)}, {"tombstoned": ("a",)}, {"unanswered": {"a": "gone"}}, {"erased": ("a",)}):
        assert not Registration(**found).found_nothing  # type: ignore[arg-type]


# -- with a registry --------------------------------------------------------------------------------------------------


@pytest.fixture
def registry(database: Database) -> Registry:
    return Registry(database)


def poll(folder: Path, registry: Registry, *, exclude: tuple[str, ...] = (), **options: Any) -> Registration:
    return register(DirectorySource(folder, exclude=exclude), registry, **{"grace": timedelta(0), **options})


def test_a_poll_whose_time_is_over_registers_one_item_and_not_those_first_that_were_asked_for_in_vain(
    folder: Path, registry: Registry
) -> None:
    write(folder, 1, 2, 3)
    over = time.monotonic() - 1
    found = poll(folder, registry, deadline=over, in_vain=5)
    assert (found.new, found.left, found.complete) == (("se-sfs-2099-3",), 2, False)
    assert poll(folder, registry, deadline=over).new == ("se-sfs-2099-1",)
    assert poll(folder, registry).new == ("se-sfs-2099-2",)


def test_what_a_user_says_of_a_document_in_a_run_is_read_by_a_later_poll(folder: Path, registry: Registry) -> None:
    write(folder, 1)
    poll(folder, registry)
    said = {"source_url": "https://law.example/1"}
    assert poll(folder, registry, hints=said, in_flight=["se-sfs-2099-1"]).to_run == ()
    assert poll(folder, registry, hints=said).changed == ("se-sfs-2099-1",)
    assert poll(folder, registry, hints=said).to_run == ()


def test_a_source_that_has_only_files_that_are_left_out_says_so(folder: Path, registry: Registry) -> None:
    write(folder, 1, 2)
    poll(folder, registry)
    with pytest.raises(ListingError, match="has only files that are left out, and held 2 items at the last poll"):
        poll(folder, registry, exclude=("*.txt",), allow_empty_listing=False)
    (folder / "2.txt").unlink()
    for _ in range(2):
        poll(folder, registry)
    (folder / "1.txt").unlink()
    with pytest.raises(ListingError, match="is empty, and held 1 item at the last poll"):
        poll(folder, registry, allow_empty_listing=False)


def test_a_document_that_loses_one_of_its_files_has_the_hash_of_the_other(folder: Path, registry: Registry) -> None:
    write(folder, 1)
    alone = registry_hash(folder, registry)
    (folder / "copy.txt").write_text(LAW.format(number=1), "utf-8")
    assert registry_hash(folder, registry) != alone
    (folder / "copy.txt").unlink()
    poll(folder, registry)
    found = poll(folder, registry)
    assert (found.changed, found.tombstoned) == (("se-sfs-2099-1",), ())
    assert registry_hash(folder, registry) == alone


def registry_hash(folder: Path, registry: Registry) -> str:
    poll(folder, registry)
    document = registry.document("se-sfs-2099-1")
    assert document is not None
    return document.source_sha256


def test_a_text_of_a_day_to_come_is_that_of_its_own_document(folder: Path, registry: Registry) -> None:
    lines = [
        {"doc_id": name, "doc_type": "act", "title": name, "jurisdiction": "zw", "language": "en",
         "source_url": f"/akn/zw/act/2099/{number}/eng@{day}",
         "content": [{"type": "section", "num": "1", "heading": "Lamps", "text": "A lamp is lit."}]}
        for number, (name, day) in enumerate({"now": "1999-01-01", "later": "2999-01-01"}.items(), start=1)
    ]  # fmt: skip
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert len(poll(folder, registry).new) == 2
    assert list(later_texts(registry.database).values()) == [date(2999, 1, 1)]
    assert reached(registry.database, date(2999, 1, 1)) == list(later_texts(registry.database))


def test_a_document_is_renamed_only_if_all_of_its_bytes_are_read_as_one_other_document(registry: Registry) -> None:
    def begins(now: list[RegisteredItem], *, error: str | None = None, text_hash: str | None = "t") -> bool:
        name = f"old-{len(registry.documents(tombstoned=None))}"
        before = RegisteredItem("files", name, name, sha256="aa", error=error)
        registry.register(before)
        registry.describe(name, text_hash=text_hash)
        renamings = Renamings()
        renamings.note([before], now)
        return renamings.begin(registry, name)

    other = RegisteredItem("files", "x", "new-1", sha256="aa")
    assert begins([other])
    assert not begins([replace(other, sha256="bb")]), "the file holds another text now"
    assert not begins([]), "the file holds nothing now"
    assert not begins([other], error="it could not be read"), "nobody knows which text it held"
    assert not begins([other], text_hash=None), "nothing was made of it"


def test_a_poll_with_time_reads_all_items_also_those_that_were_asked_for_in_vain(
    folder: Path, registry: Registry
) -> None:
    write(folder, 1, 2, 3)
    found = poll(folder, registry, in_vain=2)
    assert (len(found.new), found.left, found.complete, found.settled) == (3, 0, True, True)
    write(folder, 4, 5)
    assert not poll(folder, registry, deadline=time.monotonic() - 1).settled


def test_two_new_files_of_one_document_are_one_new_document(folder: Path, registry: Registry) -> None:
    write(folder, 1)
    (folder / "copy.txt").write_text(LAW.format(number=1), "utf-8")
    found = poll(folder, registry)
    assert (found.new, found.changed, found.listed) == (("se-sfs-2099-1",), (), ())


def test_a_document_whose_file_is_gone_or_holds_another_is_not_listed(folder: Path, registry: Registry) -> None:
    write(folder, 1, 2, 3)
    poll(folder, registry)
    (folder / "1.txt").unlink()
    (folder / "2.txt").write_text(LAW.format(number=4), "utf-8")
    found = poll(folder, registry)
    assert (found.new, found.listed, found.tombstoned) == (("se-sfs-2099-4",), ("se-sfs-2099-3",), ("se-sfs-2099-2",))


def test_a_file_that_was_written_again_with_the_same_text_changes_nothing(folder: Path, registry: Registry) -> None:
    write(folder, 1, 2)
    poll(folder, registry)
    write(folder, 1)
    found = poll(folder, registry)
    assert (found.to_run, found.listed) == ((), ("se-sfs-2099-1", "se-sfs-2099-2"))


def test_what_the_user_said_lasts_in_a_list_of_changes(folder: Path, registry: Registry) -> None:
    write(folder, 1)
    source = DirectorySource(folder)
    poll(folder, registry, hints={"source_url": "https://law.example/1"})
    changes = Listed(source, replace(source.list(), scope=()))
    found = register(changes, registry, grace=timedelta(0))
    assert (found.to_run, found.listed) == ((), ("se-sfs-2099-1",))
    write(folder, 1)
    changes = Listed(source, replace(source.list(), scope=()))
    assert register(changes, registry, grace=timedelta(0)).to_run == ()
    (item,) = registry.items("files")
    assert item.given == {"source_url": "https://law.example/1"}


def test_an_erased_file_is_named_by_every_poll_that_lists_it(folder: Path, registry: Registry) -> None:
    write(folder, 1, 2)
    poll(folder, registry)
    erasures = Erasures(registry.database)
    erasures.record(["se-sfs-2099-1"], "a court order")
    erasures.erase(["se-sfs-2099-1"], trees=[], chunks=[], numbers=[])
    (folder / "copy.txt").write_text(LAW.format(number=1), "utf-8")
    for _ in range(2):
        found = poll(folder, registry)
        assert [Path(key).name for key in found.erased] == ["1.txt", "copy.txt"]
        assert (found.new, found.listed) == ((), ("se-sfs-2099-2",))
