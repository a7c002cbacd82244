"""Which documents a look at a folder makes new, changed or gone."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.cli.state_presentation import print_status
from legal_pipeline.erasure import erase
from legal_pipeline.errors import ParseError
from legal_pipeline.pipeline import ASSETS
from legal_pipeline.registration import Registration, register
from legal_pipeline.registry.document_versions import read_versions
from legal_pipeline.registry.listing import missing_at_source
from legal_pipeline.sources import directory
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.following import Listed
from legal_pipeline.sources.source import ListingError, SourceItem
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
ID = "se-sfs-2099-10"


def line(number: int, *texts: str) -> str:
    content: list[dict[str, Any]] = [
        {"type": "section", "num": str(index), "heading": "Lamps", "text": text}
        for index, text in enumerate(texts, start=1)
    ]
    return json.dumps(
        {
            "doc_id": f"lamp-{number}",
            "doc_type": "act",
            "title": f"Lamp Act {number}",
            "jurisdiction": "zw",
            "language": "en",
            "source_url": f"/akn/zw/act/2099/{number}/eng@1999-01-01",
            "content": content,
        }
    )


def text_of(bench: Bench, document_id: str = ID) -> str:
    rows = bench.pipeline.warehouse.read_table(("chunks",), document_id).to_pylist()
    return "\n".join(row["chunk_text"] for row in rows)


def test_a_moved_file_keeps_its_document(bench: Bench, law: Law) -> None:
    path = bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    path.unlink()
    assert bench.register().tombstoned == ()
    bench.write("arkiv/fyrlagen.txt", law("2099:10", *TEXTS))
    found = bench.ingest()
    assert (found.tombstoned, found.to_run) == ((), (ID,))
    assert bench.failures == {}
    assert bench.points_written == 0


def test_a_file_that_takes_up_another_document_leaves_its_old_one_to_the_other_files(bench: Bench, law: Law) -> None:
    bench.write("a.txt", law("2099:10", *TEXTS))
    bench.write("b.txt", law("2099:10", *TEXTS[:2]))
    bench.ingest()
    assert ID in bench.failures
    bench.write("b.txt", law("2099:11", *TEXTS))
    found = bench.ingest()
    assert (found.new, found.changed, found.tombstoned) == (("se-sfs-2099-11",), (ID,), ())
    assert bench.failures == {}


def test_an_unreadable_file_that_becomes_readable_gives_up_its_placeholder(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", "")
    (placeholder,) = bench.ingest().new
    assert placeholder in bench.failures
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    found = bench.ingest()
    assert (found.new, found.tombstoned) == ((ID,), (placeholder,))
    bench.write("fyr.txt", "")
    found = bench.ingest()
    assert (found.new, found.changed, found.tombstoned) == ((), (ID,), ())
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    assert bench.ingest().changed == (ID,)
    assert (bench.failures, bench.embedder.texts) == ({}, [])


def test_an_older_text_does_not_take_the_place_of_a_newer_one_that_cannot_be_read(bench: Bench) -> None:
    def text(second: str) -> str:
        return f"# Lag (2099:10) om fyrvakter\n\n## 1 §\n\n{TEXTS[0]}\n\n## 2 §\n\n{second}\n"

    for year, second in ((2000, "Fyren får tändas."), (2001, "Fyren ska tändas.")):
        bench.write(f"{year}.md", text(second))
        bench.write(f"{year}.md.meta.json", json.dumps({"as_of_date": f"{year}-01-01", "document_id": ID}))
    bench.ingest()
    assert "Fyren ska tändas." in text_of(bench)
    bench.write("2001.md", "")
    bench.ingest()
    assert "empty" in str(bench.failures[ID])
    assert "Fyren ska tändas." in text_of(bench)


def test_a_changed_sidecar_is_a_new_revision(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt.meta.json", json.dumps({"strategy": "markdown_merge"}))
    assert bench.ingest().changed == (ID,)
    assert bench.done("chunks", "markdown_merge")[ID].metadata["chunks"] > 0
    versions = read_versions(bench.pipeline.registry.database, [ID])[ID]
    assert [name for name in versions if name.startswith("chunks/")] == ["chunks/markdown_merge"]
    (bench.folder / "fyr.txt.meta.json").unlink()
    assert bench.ingest().changed == (ID,)
    assert bench.done("chunks", "paragraf")[ID].metadata["chunks"] == 3


def test_what_the_user_says_of_an_unchanged_file_counts_and_lasts(bench: Bench) -> None:
    path = bench.write("minne.md", "# Om fyrar\n\nEn anteckning om fyrarna vid kusten och deras vakter.\n")
    (document_id,) = bench.ingest().new
    assert bench.ingest(doc_type="guidance").changed == (document_id,)
    assert bench.pipeline.registry.documents(ids=[document_id])[0].doc_type == "guidance"
    assert bench.ingest(doc_type="guidance").changed == ()
    path.write_text(path.read_text("utf-8") + "\nOch ett tillägg om mistlurarna.\n", "utf-8")
    assert bench.ingest().changed == (document_id,)
    assert bench.pipeline.registry.documents(ids=[document_id])[0].doc_type == "guidance"


def test_each_line_of_docs_jsonl_is_a_document(bench: Bench) -> None:
    first, second = line(1, "Every lamp shall be lit at dusk."), line(2, "No lamp shall be put out before dawn.")
    bench.write("docs.jsonl", f"{first}\n{second}\n")
    found = bench.ingest()
    assert bench.failures == {}
    assert found.new == ("zw-act-2099-1", "zw-act-2099-2")
    assert "before dawn" in text_of(bench, "zw-act-2099-2")

    bench.write("docs.jsonl", f"{line(3, 'A lamp is any light.')}\n{second.replace('dawn', 'sunrise')}\n")
    found = bench.ingest()
    assert (found.new, found.changed, found.tombstoned) == (("zw-act-2099-3",), ("zw-act-2099-2",), ("zw-act-2099-1",))
    assert bench.failures == {}
    assert "before sunrise" in text_of(bench, "zw-act-2099-2")


def test_an_unchanged_line_of_a_changed_docs_jsonl_is_not_computed_again(bench: Bench) -> None:
    first, second = line(1, "Every lamp shall be lit at dusk."), line(2, "No lamp shall be put out before dawn.")
    bench.write("docs.jsonl", f"{first}\n{second}\n")
    bench.ingest()
    bench.write("docs.jsonl", f"{second}\n{first}\n{line(3, 'A lamp is any light.')}\n")
    found = bench.ingest()
    assert (found.new, found.changed) == (("zw-act-2099-3",), ())
    assert bench.done("raw_documents")["zw-act-2099-1"].reused


def test_a_damaged_docs_jsonl_removes_nothing(bench: Bench) -> None:
    first, second = line(1, "Every lamp shall be lit at dusk."), line(2, "No lamp shall be put out before dawn.")
    bench.write("docs.jsonl", f"{first}\n{second}\n")
    bench.ingest()
    bench.write("docs.jsonl", f"{first}\n{second[:80]}\n")
    assert bench.ingest().tombstoned == ()
    assert {key: type(error) for key, error in bench.failures.items()} == {
        "zw-act-2099-1": ParseError,
        "zw-act-2099-2": ParseError,
    }
    assert all("line 2" in str(error) for error in bench.failures.values())


def test_a_part_that_comes_in_during_a_run_waits_for_a_run_of_its_own(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.register()
    events = bench.pipeline.run([ID])
    next(events)
    bench.write("fyr.txt", law("2099:10", *TEXTS[:2]))
    bench.register()
    list(events)
    (document,) = bench.pipeline.registry.documents(ids=[ID])
    assert (document.status, document.revision) == ("pending", 2)


@pytest.mark.parametrize("last", ["chunks", "qdrant_chunks"])
def test_a_run_of_a_part_of_the_way_completes_nothing(bench: Bench, law: Law, last: str) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt", law("2099:10", *TEXTS[:2]))
    bench.register()
    list(bench.pipeline.run([ID], [key for key in ASSETS if key[-1] in (last, "chunk_embeddings")]))
    assert bench.pipeline.registry.documents(ids=[ID])[0].status == "pending"


def test_what_another_process_registers_during_the_look_is_listed(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))

    class Slow(DirectorySource):
        def fetch(self, item: SourceItem) -> SourceFile:
            bench.register()
            return super().fetch(item)

    found = register(Slow(bench.folder), bench.pipeline.registry, grace=timedelta(0))
    assert (found.new, found.changed, found.listed) == ((), (), (ID,))


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800"])
@pytest.mark.parametrize("name", ["doc_id", "title", "source_url", "text"])
def test_a_line_with_what_is_no_character_fails_alone_and_names_the_place(bench: Bench, name: str, escape: str) -> None:
    poisoned = line(2, "Lamps shall burn.").replace(
        {"doc_id": "lamp-2", "title": "Lamp Act 2", "source_url": "/akn/zw/act/2099/2", "text": "Lamps shall"}[name],
        f"Lamp {escape}",
    )
    bench.write("docs.jsonl", "\n".join([line(1, "Lamps shall burn."), poisoned, line(3, "Lamps shall burn.")]))
    found = bench.ingest()
    ((_, reason),) = found.unreadable.items()
    assert "is not a character" in reason
    assert f"{name}, character 5" in reason
    assert bench.pipeline.registry.counts() == {"completed": 2, "failed": 1}


NOTE = "# {0}\n\nThe keeper of the {0} lights the lamp at dusk and puts it out in the morning of every day.\n"


def ids(bench: Bench) -> list[str]:
    return sorted(document.document_id for document in bench.pipeline.registry.documents())


def test_two_files_of_one_name_in_two_folders_are_two_documents(bench: Bench) -> None:
    for name in ("lock", "light"):
        bench.write(f"{name}/index.md", NOTE.format(name))
    bench.ingest()
    assert bench.failures == {}
    assert ids(bench) == ["doc-light-index", "doc-lock-index"]
    bench.write("lock/index.md", NOTE.format("lock") + "\nThe keeper sleeps by day.\n")
    bench.ingest()
    assert bench.failures == {}
    assert ids(bench) == ["doc-light-index", "doc-lock-index"]


def test_a_document_keeps_its_id_when_a_folder_above_is_looked_at(bench: Bench) -> None:
    path = bench.write("lock/index.md", NOTE.format("lock"))
    registry = bench.pipeline.registry
    register(DirectorySource(path.parent), registry, grace=timedelta(0))
    assert ids(bench) == ["doc-index"]
    bench.write("lock/index.md", NOTE.format("lock") + "\nThe keeper sleeps by day.\n")
    bench.ingest()
    assert bench.failures == {}
    assert ids(bench) == ["doc-index"]


def test_a_file_that_could_not_be_read_at_first_is_named_after_its_folder_like_any_other(bench: Bench) -> None:
    bench.write("lock/index.md", "")
    bench.register()
    bench.write("lock/index.md", NOTE.format("lock"))
    bench.register()
    assert ids(bench) == ["doc-lock-index"]


def test_lines_that_cannot_be_read_are_a_failure_each(bench: Bench) -> None:
    poisoned = [line(number, "Lamps shall burn.").replace("Lamps shall", "Lamps \\ud800") for number in (1, 2)]
    bench.write("docs.jsonl", "\n".join([*poisoned, line(3, "Lamps shall burn.")]))
    found = bench.register()
    assert (len(found.new), len(found.unreadable)) == (3, 2)


def test_a_document_whose_item_left_in_a_poll_that_was_killed_is_tombstoned_by_the_next(bench: Bench, law: Law) -> None:
    gone, _ = (bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS)) for number in (10, 11))
    bench.register()
    gone.unlink()
    bench.pipeline.registry.forget_items("files", [str(gone)])
    assert bench.register().tombstoned == (ID,)
    assert bench.register().tombstoned == ()


def test_an_erased_document_hides_no_other_of_its_file(bench: Bench) -> None:
    first, second = line(1, "Every lamp shall be lit at dusk."), line(2, "No lamp shall be put out before dawn.")
    bench.write("docs.jsonl", f"{first}\n{second}\n")
    bench.ingest()
    erase(bench.pipeline, "zw-act-2099-1", "a request")
    bench.write("docs.jsonl", f"{first}\n{second.replace('dawn', 'sunrise')}\n")
    found = bench.register()
    assert (found.changed, found.erased) == (("zw-act-2099-2",), ())
    bench.write("docs.jsonl", f"{first}\n{second.replace('dawn', 'noon')}\n")
    assert bench.register().changed == ("zw-act-2099-2",)


def test_an_erased_file_that_could_not_be_read_hides_no_other_file_that_cannot_be_read(bench: Bench, law: Law) -> None:
    source = DirectorySource(bench.folder, limits=Limits(max_bytes=100))
    bench.write("long.txt", law("2099:10", *TEXTS))
    (first,) = register(source, bench.pipeline.registry, grace=timedelta()).unreadable
    erase(bench.pipeline, first, "a request")
    bench.write("longer.txt", law("2099:11", *TEXTS, *TEXTS))
    found = register(source, bench.pipeline.registry, grace=timedelta())
    assert [name.rsplit("/")[-1] for name in found.erased] == ["long.txt"]
    assert len(found.unreadable) == 1
    assert first not in found.unreadable


def test_a_folder_whose_only_file_is_of_an_erased_document_is_not_empty(bench: Bench, law: Law) -> None:
    erased, beside = (bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS)) for number in (10, 11))
    bench.ingest()
    erase(bench.pipeline, ID, "a decision")
    assert bench.register().erased == (str(erased),)
    beside.unlink()
    for tombstoned in ((), ("se-sfs-2099-11",), ()):
        found = register(
            DirectorySource(bench.folder), bench.pipeline.registry, grace=timedelta(), allow_empty_listing=False
        )
        assert (found.erased, found.tombstoned) == ((str(erased),), tombstoned)


def test_the_files_of_the_last_page_may_all_be_removed(bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "PAGE_ITEMS", 1)  # a page for each file
    first, last = (bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS)) for number in (10, 11))
    source = DirectorySource(bench.folder)

    def poll(after: str | None = None) -> list[Registration]:
        pages = [Listed(source, page) for page in source.pages(after)]
        assert pages
        return [register(page, bench.pipeline.registry, grace=timedelta(), allow_empty_listing=False) for page in pages]

    poll()
    last.unlink()
    poll()
    assert {document for found in poll() for document in found.tombstoned} == {"se-sfs-2099-11"}
    first.unlink()
    (bench.folder / ".mounted").touch()  # a disk that is not mounted leaves its folder empty, but for hidden files
    for after in (None, str(first)):
        with pytest.raises(ListingError, match="is empty, and held 1 item at"):
            poll(after)


def test_status_tells_documents_that_are_missing_removed_and_purged(
    bench: Bench, law: Law, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("a.txt", law("2099:10", *TEXTS))
    gone = bench.write("b.txt", law("2099:11", *TEXTS))
    bench.ingest()
    registry = bench.pipeline.registry

    def status() -> tuple[dict[str, int], list[str], str]:
        missing = missing_at_source(registry.database)
        print_status(registry.counts(), [], [], [], missing, as_json=False, later_texts={})
        return registry.counts(), [document.document_id for document in missing], capsys.readouterr().out

    assert status()[:2] == ({"completed": 2}, [])
    gone.unlink()
    bench.register(grace=3600)
    counts, missing, printed = status()
    assert (counts, missing) == ({"completed": 2}, ["se-sfs-2099-11"])
    assert (
        "1 document missing at the source, removed if a later poll does not list it either: se-sfs-2099-11" in printed
    )
    assert bench.register().tombstoned == ("se-sfs-2099-11",)
    assert status()[:2] == ({"completed": 1, "tombstoned": 1}, [])
    bench.pipeline.purge()
    assert status()[:2] == ({"completed": 1, "purged": 1}, [])
