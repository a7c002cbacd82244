"""A folder as a source: what is listed, what is passed over, and what is reported instead of read."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from legal_pipeline.building.source import Limits
from legal_pipeline.errors import DocumentError, LimitExceededError, UnsafeNameError
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import ListingError, SourceItem
from legal_pipeline.system.file_patterns import FilePatterns


def names(source: DirectorySource) -> list[str]:
    return [item.name for item in source.list().items]


def only(source: DirectorySource) -> SourceItem:
    (item,) = source.list().items
    return item


def test_files_are_listed_sorted_and_recursively(folder: Path) -> None:
    for name in ("b.txt", "a.txt", "under/c.txt", "under/lag ö.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("1 § Text.")
    assert names(DirectorySource(folder)) == ["a.txt", "b.txt", "under/c.txt", "under/lag ö.html"]


def test_hidden_and_temporary_files_and_sidecars_are_no_items(folder: Path) -> None:
    (folder / ".git").mkdir()
    for name in (
        ".git/config",
        ".DS_Store",
        "~$lag.docx",
        "#lag.html#",
        "lag.html.part",
        "lag.html~",
        "a.TMP",
        "lag.html",
        "lag.html.meta.json",
    ):
        (folder / name).write_text("{}")
    (folder / ".link").symlink_to(folder / "none")
    assert names(DirectorySource(folder)) == ["lag.html"]


def test_files_that_match_a_pattern_are_left_out_with_their_sidecars_and_said(folder: Path) -> None:
    for name in ("README.md", "a.txt", "a.txt.meta.json", "b.xlsx", "b.xlsx.meta.json", ".hidden.xlsx", "under/README.md", "under/c.txt",
                 "drafts/deep/d.txt", "under/drafts", "keep.xlsx"):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    source = DirectorySource(folder, exclude=["/README.md", "*.xlsx", "*.json", "drafts/", "!keep.xlsx"])
    listing = source.list()
    assert [item.name for item in listing.items] == [
        "a.txt",
        "keep.xlsx",
        "under/README.md",
        "under/c.txt",
        "under/drafts",
    ]
    assert listing.left_out == tuple(f"{folder}/{name}" for name in ("README.md", "b.xlsx", "drafts/"))
    assert listing.left_out_by_scope == {f"{folder}/": 3}
    (page,) = source.pages(max_seconds=3_600)
    assert (page.items, page.left_out) == (listing.items, listing.left_out)


def test_pages_tell_each_file_that_is_left_out_once(folder: Path) -> None:
    for number in range(10):
        (folder / f"{number}.{'md' if number % 3 else 'txt'}").write_text("x")
    source = DirectorySource(folder, exclude=["*.md"])
    pages = list(source.pages(max_seconds=0))
    assert len(pages) > 1
    assert sorted(key for page in pages for key in page.left_out) == list(source.list().left_out)
    for page in pages:  # also when a poll goes on from there
        assert page.between is not None
        later = [key for page in source.pages(page.between[0], max_seconds=0) for key in page.left_out]
        assert later == [key for key in source.list().left_out if key > page.between[0]]


def test_a_named_file_that_matches_is_left_out_too(folder: Path) -> None:
    (folder / "README.md").write_text("x")
    listing = DirectorySource(folder / "README.md", exclude=["*.md"]).list()
    assert (listing.items, listing.left_out) == ((), (f"{folder}/README.md",))


def test_a_file_that_cannot_be_an_item_is_no_error_if_it_is_left_out(folder: Path) -> None:
    (folder / "link.md").symlink_to("/etc/hostname")
    (folder / "law.txt.meta.json").write_text("{}")
    assert names(DirectorySource(folder, exclude=["link.*", "*.meta.json"])) == []


@pytest.mark.parametrize("pattern", ["!", "# notes", "a\\", "/"])
def test_a_pattern_that_matches_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="is not a pattern of files"):
        FilePatterns(["*.md", pattern])


def test_a_file_is_the_same_item_by_itself_and_in_its_folder(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    in_folder, alone = only(DirectorySource(folder)), only(DirectorySource(folder / "a.txt"))
    assert (in_folder.key, in_folder.stamp) == (alone.key, alone.stamp)


def test_a_listing_covers_only_where_it_looked(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    listing = DirectorySource(folder / "a.txt").list()
    assert listing.covers(str(folder / "a.txt"))
    assert not listing.covers(str(folder / "b.txt"))
    assert DirectorySource(folder).list().covers(str(folder / "b.txt"))
    assert not DirectorySource(folder).list().covers(f"{folder}-other/b.txt")


def test_a_folder_that_is_not_there_is_an_error_and_not_an_empty_listing(folder: Path) -> None:
    with pytest.raises(ListingError, match="cannot be listed"):
        DirectorySource(folder / "none").list()
    assert DirectorySource(folder).list().items == ()


@pytest.mark.parametrize(
    "name",
    ["..\\..\\x.html", "a\\..\\x.html", "%2e%2e%2fx.html", "..%2Fx.html", "%252e%252e%252fx.html", "%25252e%25252e%25252fx.html",
     "．．\\x.html", "\u2025", "x\n.html", "x\u2066lmth.", "x\u2069lmth.",
     "x\x1b[2J.html",
     "x\u202elmth.", b"x\xff.html"],
)  # fmt: skip
def test_a_name_that_leads_out_or_cannot_be_shown_is_reported_and_not_read(folder: Path, name: str | bytes) -> None:
    path = os.path.join(os.fsencode(folder), name if isinstance(name, bytes) else name.encode())
    with open(path, "wb") as stream:
        stream.write(b"text")
    source = DirectorySource(folder)
    item = only(source)
    assert isinstance(item.error, UnsafeNameError)
    assert (item.key + item.name + str(item.error)).isprintable()
    assert item.stamp == str(item.error), "another reason is another state of the item"
    with pytest.raises(UnsafeNameError):
        source.fetch(item)
    assert str(source.item(item.key).error) == str(item.error)  # a run reads the item again by its key


@pytest.mark.parametrize("name", [b"d\xffp", b"two\nlines"])
def test_a_folder_whose_name_cannot_be_a_key_is_not_listed(folder: Path, name: bytes) -> None:
    inner = Path(os.fsdecode(os.path.join(os.fsencode(folder), name)))
    inner.mkdir()
    (inner / "a.txt").write_text("text")
    for path in (inner, inner / "a.txt"):
        with pytest.raises(ListingError, match="rename the folder") as refused:
            DirectorySource(path).list()
        assert str(refused.value).isprintable()
    with pytest.raises(ListingError, match="rename the folder"):
        next(DirectorySource(inner).pages())


@pytest.mark.parametrize(
    "name", ["1 kap. 2 §.txt", "100%.txt", "a..b.txt", "Lag (1977:1160) – ändring.html", "अधिनियम.txt"]
)
def test_an_unusual_but_harmless_name_is_read(folder: Path, name: str) -> None:
    (folder / name).write_text("text")
    source = DirectorySource(folder)
    item = only(source)
    assert item.name == name
    assert source.fetch(item).data == b"text"


def test_a_link_out_of_the_folder_is_reported_and_not_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "nowhere.txt").symlink_to(tmp_path / "none")
    items = DirectorySource(folder).list().items
    assert [item.name for item in items] == ["link.txt", "linked", "nowhere.txt"]
    assert all(isinstance(item.error, UnsafeNameError) for item in items)


def test_links_within_the_folder_do_not_make_a_file_two_items(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    (folder / "b.txt").symlink_to(folder / "a.txt")
    (folder / "loop").symlink_to(folder)
    assert names(DirectorySource(folder)) == ["a.txt"]


def test_a_link_to_itself_fails_alone(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "there").symlink_to(folder / "back")
    (folder / "back").symlink_to(folder / "there")
    items = {item.name: item.error for item in DirectorySource(folder).list().items}
    assert items.pop("a.txt") is None
    assert {name: type(error) for name, error in items.items()} == dict.fromkeys(
        ("back", "loop.txt", "there"), UnsafeNameError
    )


def test_a_folder_that_is_a_link_to_itself_cannot_be_listed(folder: Path) -> None:
    (folder / "loop").symlink_to(folder / "loop")
    with pytest.raises(ListingError, match="loop cannot be listed"):
        DirectorySource(folder / "loop").list()


@pytest.mark.parametrize("length", [245, 246, 255])
def test_a_file_whose_name_leaves_no_room_for_a_sidecar_is_read_without_one(folder: Path, length: int) -> None:
    (folder / "a.txt").write_text("x")
    name = "f" * (length - 4) + ".txt"
    (folder / name).write_text("1 § Text.")
    source = DirectorySource(folder)
    items = {item.name: item for item in source.list().items}
    assert set(items) == {"a.txt", name}
    assert source.fetch(items[name]).data == "1 § Text.".encode()


def test_a_file_exchanged_for_a_link_after_the_listing_is_not_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "a.txt").write_text("x")
    source = DirectorySource(folder)
    item = only(source)
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(UnsafeNameError):
        source.fetch(item)


def test_a_pipe_is_reported_and_does_not_hang(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    item = only(DirectorySource(folder))
    assert isinstance(item.error, UnsafeNameError)
    assert "not a regular file" in item.stamp, "another reason is another state of the item"


def test_a_pipe_in_the_place_of_a_listed_file_is_refused_and_does_not_hang(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    source = DirectorySource(folder)
    item = only(source)
    (folder / "a.txt").unlink()
    os.mkfifo(folder / "a.txt")
    with ThreadPoolExecutor(1) as pool:
        fetching = pool.submit(source.fetch, item)
        try:
            with pytest.raises(UnsafeNameError, match="not a regular file"):
                fetching.result(5)
        finally:
            os.close(os.open(folder / "a.txt", os.O_RDWR))  # lets a thread go on that waits for a writer


def test_a_file_gone_since_the_listing_is_a_document_error(folder: Path) -> None:
    (folder / "a.txt").write_text("x")
    source = DirectorySource(folder)
    item = only(source)
    (folder / "a.txt").unlink()
    with pytest.raises(DocumentError, match=r"a\.txt: cannot be read"):
        source.fetch(item)


def test_a_file_over_the_limit_is_not_read_into_memory(folder: Path) -> None:
    with (folder / "a.txt").open("wb") as stream:
        stream.truncate(10**12)  # sparse: reading it would end the process
    source = DirectorySource(folder, limits=Limits(max_bytes=1000))
    with pytest.raises(LimitExceededError, match="MAX_DOCUMENT_BYTES"):
        source.fetch(only(source))


@pytest.mark.corpus
def test_a_real_folder_is_listed_whole_and_twice_the_same(corpus: Path) -> None:
    source = DirectorySource(corpus / "se")
    listing = source.list()
    files = [path for path in (corpus / "se").rglob("*") if path.is_file()]
    assert len(listing.items) == len(files) > 50
    assert source.list() == listing


def test_a_folder_that_cannot_be_read_fails_alone_and_what_it_held_is_not_gone(folder: Path) -> None:
    """As an account that is not root, in a process of its own."""
    folder.chmod(0o755)
    for name in ("a.txt", "closed/b.txt", "open/c.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x")
    (folder / "unreadable.txt").write_text("x")
    (folder / "unreadable.txt").chmod(0o000)
    (folder / "closed").chmod(0o000)
    code = f"""if True:
        import os
        from pathlib import Path
        from legal_pipeline.errors import DocumentError
        from legal_pipeline.sources.directory import DirectorySource
        DirectorySource(Path({str(folder / "open")!r})).list()  # what is read once, while this account can read it
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        source = DirectorySource(Path({str(folder)!r}))
        listing = source.list()
        for item in listing.items:
            try:
                source.fetch(item)
                print(item.name, "read")
            except DocumentError as error:
                print(item.name, str(error))
        print([listing.covers({str(folder)!r} + "/" + name) for name in ("closed/b.txt", "open/c.txt")])
        (page,) = source.pages(max_seconds=3_600)
        print([page.covers({str(folder)!r} + "/" + name) for name in ("closed/b.txt", "open/c.txt")])
        print([item.name for page in source.pages() for item in page.items] == [item.name for item in listing.items])
    """
    # what lies above the folder is pytest's own, and closed to others
    above = [parent for parent in folder.parents if parent.stat().st_mode & 0o005 != 0o005]
    modes = {parent: parent.stat().st_mode for parent in above}
    try:
        for parent in above:
            parent.chmod(0o755)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    finally:
        for parent, mode in modes.items():
            parent.chmod(mode)
        (folder / "closed").chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "a.txt read",
        "closed/ closed/: the folder cannot be read: Permission denied",
        "open/c.txt read",
        "unreadable.txt unreadable.txt: cannot be read: Permission denied",
        "[False, True]",
        "[False, True]",
        "True",
    ]


def test_what_a_publisher_puts_beside_a_text_says_which_work_it_is(tmp_path: Path) -> None:
    (tmp_path / "lamps.html").write_text("<html></html>")
    (tmp_path / "lamps.meta.json").write_text(
        '{"displayAddress": "Dz.U. 2099 poz. 7", "ELI": "DU/2099/7", "title": "Ustawa o lampach"}'
    )
    source = DirectorySource(tmp_path)
    items = source.list().items
    assert [item.name for item in items] == ["lamps.html"]
    assert source.fetch(items[0]).hints == {
        "title": "Ustawa o lampach",
        "number": "Dz.U. 2099 poz. 7",
        "work_uri": "/akn/pl/act/du/2099/7",
        "jurisdiction": "pl",
    }
    before = items[0].stamp
    (tmp_path / "lamps.meta.json").write_text(
        '{"displayAddress": "Dz.U. 2099 poz. 8", "ELI": "DU/2099/8", "title": "Ustawa o lampach"}'
    )
    assert source.list().items[0].stamp != before


def test_a_file_that_is_named_itself_is_not_left_out_by_a_pattern_of_its_folder(folder: Path) -> None:
    (folder / "drafts").mkdir()
    for name in ("1.txt", "2.txt"):
        (folder / "drafts" / name).write_text("1 § Text.")
    source = DirectorySource([folder, folder / "drafts" / "1.txt"], exclude=["drafts/*.txt"])
    listing = source.list()
    assert [item.key for item in listing.items] == [f"{folder}/drafts/1.txt"]
    assert listing.left_out == (f"{folder}/drafts/2.txt",)


def test_a_folder_that_holds_the_index_is_refused_unless_the_index_is_in_a_hidden_folder(folder: Path) -> None:
    source = DirectorySource(folder)
    for name in ("index", "under/index", ".index", ".hidden/index", "index.tmp"):
        (folder / name).mkdir(parents=True)
    for name in (".index", ".hidden/index", "index.tmp"):
        source.verify_outside(folder / name)
    source.verify_outside(folder.parent)
    second = DirectorySource([folder.parent / "a", folder])
    for name in ("index", "under/index", "index that the first run will make"):
        for refused in (source, second):
            with pytest.raises(ListingError, match="contains the home of the index"):
                refused.verify_outside(folder / name)


def test_a_file_as_large_as_the_limit_is_read(folder: Path) -> None:
    (folder / "a.txt").write_text("x" * 1000)
    source = DirectorySource(folder, limits=Limits(max_bytes=1000))
    assert len(source.fetch(only(source)).data) == 1000
