"""How a source behind an API is followed over time: full passes in slices, changes between them, and where a poll goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from legal_pipeline.building.source import SourceFile
from legal_pipeline.sources.following import Position, follow, stay
from legal_pipeline.sources.remote import changed_only, slice_of, slices, whole
from legal_pipeline.sources.source import Listing, ListingError, SourceItem

NOW = datetime(2031, 3, 9, tzinfo=UTC)
WEEK = timedelta(days=7)


@dataclass
class Archive:
    """Two parts, each with items by key and stamp; `is_away`: changes cannot be listed."""

    parts: dict[str, dict[str, str]] = field(
        default_factory=lambda: {"a": {"a/1": "2031-01-01"}, "b": {"b/1": "2031-02-01"}}
    )
    is_away: bool = False
    asked: list[str] = field(default_factory=list)

    name = "archive"

    def items(self, part: str) -> list[SourceItem]:
        return [SourceItem(key, key, stamp=stamp) for key, stamp in self.parts[part].items()]

    def list(self) -> Listing:
        return whole(self.name, self.slices())

    def slices(self, after: str = "") -> Iterator[Listing]:
        return slices(self.name, {part: f"{part}/" for part in self.parts}, self.items, after)

    def changes(self, since: str) -> Listing:
        self.asked.append(since)
        if self.is_away:
            raise ListingError("no answer")
        found = [item for part in self.parts for item in self.items(part)]
        return changed_only(self.name, [item for item in found if item.stamp >= since])

    def item(self, key: str) -> SourceItem:
        return SourceItem(key, key)

    def fetch(self, item: SourceItem) -> SourceFile:
        return SourceFile(item.name, b"")


def keys(archive: Archive, position: Position, now: datetime = NOW) -> tuple[list[list[str]], Position]:
    """The keys of each listing from `position` on, and the position behind them."""
    found = [
        ([item.key for item in part.items], after) for part, after in follow(archive, position, now=now, again=WEEK)
    ]
    return [part for part, _ in found], found[-1][1]


def test_after_a_full_pass_changes_are_asked_for_from_the_latest_stamp_seen_until_the_next_pass() -> None:
    archive = Archive()
    first, position = keys(archive, Position())
    assert first == [["a/1"], ["b/1"], ["a/1", "b/1"]]
    archive.parts["a"]["a/2"] = "2031-03-01"
    changed, position = keys(archive, position)
    assert changed == [["a/2", "b/1"]]
    assert keys(archive, position)[0] == [["a/2"]]
    assert archive.asked == ["2031-01-01", "2031-02-01", "2031-03-01"]
    again, _ = keys(archive, position, NOW + WEEK)
    assert again[:2] == [["a/1", "a/2"], ["b/1"]]


def test_changes_that_cannot_be_listed_are_asked_for_from_the_same_stamp_again() -> None:
    archive = Archive()
    _, position = keys(archive, Position())
    archive.is_away = True
    ((doubtful, after),) = follow(archive, position, now=NOW, again=WEEK)
    assert (doubtful.doubt, doubtful.scope, after) == ("no answer", (), position)


def test_a_pass_that_takes_longer_than_the_time_between_passes_comes_to_its_end() -> None:
    archive = Archive()
    _, position = next(follow(archive, Position(), now=NOW, again=WEEK))
    assert (position.after, position.since) == ("a", "2031-01-01")
    rest, position = keys(archive, position, NOW + 2 * WEEK)
    assert rest == [["b/1"], ["a/1", "b/1"]]
    assert position.after is None


def test_a_poll_that_cannot_go_on_stays_where_it_was_in_the_pass_that_it_is_in() -> None:
    before = Position(after=None, since="2031-02-01", pass_began="2031-03-01", in_vain=2)
    first = Position(after="a", since="2031-03-05", pass_began="2031-03-09")
    assert stay(before, first) == Position(after="", pass_began="2031-03-09"), "the first slice begins the pass"
    second = Position(after="b", since="2031-03-05", pass_began="2031-03-09")
    assert stay(first, second) == first
    changes = Position(after=None, since="2031-03-08", pass_began="2031-03-09")
    assert stay(second, changes) == Position(after=None, since="2031-03-05", pass_began="2031-03-09")


def test_an_empty_slice_shows_of_no_item_that_it_is_gone() -> None:
    assert slice_of("archive", [], "a/", cursor="a").scope == ()
    assert slice_of("archive", [SourceItem("a/1", "1")], "a/", cursor="a").scope == ("a/",)


def test_a_source_that_answers_again_has_no_requests_in_vain_any_more() -> None:
    archive = Archive()
    in_vain = Position(after="a", since="2031-01-01", pass_began=NOW.isoformat(), in_vain=2)
    positions = [after for _, after in follow(archive, in_vain, now=NOW, again=WEEK)]
    assert [(position.after, position.in_vain) for position in positions] == [("b", 0), (None, 0)]
    waiting = Position(after=None, since="2031-01-01", pass_began=NOW.isoformat(), in_vain=2)
    assert [after.in_vain for _, after in follow(archive, waiting, now=NOW, again=WEEK)] == [0]


def test_a_full_pass_begins_again_when_the_time_between_two_has_gone_by() -> None:
    archive = Archive()
    done = Position(after=None, since="2031-01-01", pass_began=NOW.isoformat())
    listed, _ = keys(archive, done, NOW + WEEK - timedelta(seconds=1))
    assert len(listed) == 1
    listed, position = keys(archive, done, NOW + WEEK)
    assert len(listed) == 3
    assert position.pass_began == (NOW + WEEK).isoformat()
    archive.parts["a"]["a/1"] = "2031-02-15"
    keys(archive, Position(after=None, since="2031-01-01", pass_began=NOW.isoformat()), NOW + WEEK)
    assert archive.asked[-1] == "2031-02-15", "what was listed in the pass is not asked for again"


def test_a_pass_whose_next_part_is_unknown_begins_again() -> None:
    archive = Archive()
    unknown = Position(after="z", since="2031-02-01", pass_began=NOW.isoformat(), in_vain=2)
    listed, position = keys(archive, unknown)
    assert listed == [["a/1"], ["b/1"], ["a/1", "b/1"]]
    assert (position.after, position.in_vain) == (None, 0)
