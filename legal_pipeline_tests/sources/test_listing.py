"""What a listing says of its source: which keys it covers, whether the source is empty, and what it left out."""

from __future__ import annotations

import pytest

from legal_pipeline.errors import DocumentError
from legal_pipeline.sources.exchange import HttpError
from legal_pipeline.sources.remote import FetchError, fetched, number, rows, slices, whole
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, SourceItem, UnknownCursorError

_LAMP = SourceItem("b/lamp", "lamp")


@pytest.mark.parametrize(
    ("listing", "is_empty", "is_part"),
    [
        (Listing("files", ()), True, False),
        (Listing("files", (_LAMP,)), False, False),
        (Listing("files", (_LAMP,), ()), False, True),
        (Listing("files", (), ("b/",), between=("b/", "b0")), True, True),
        (Listing("files", (), ("b/",), between=("b/lamp", "b0")), False, True),
        (Listing("files", (_LAMP,), ("b/",), between=("b/", "b0")), False, True),
    ],
)
def test_a_source_is_empty_if_its_listing_or_its_first_page_is(listing: Listing, is_empty: bool, is_part: bool) -> None:
    assert (listing.is_empty, listing.is_part) == (is_empty, is_part)


def test_a_page_covers_the_keys_behind_its_first_up_to_its_last_that_could_be_polled() -> None:
    page = Listing("files", (), ("b/",), between=("b/c", "b/m"), closed=("b/h/",))
    covered = [key for key in ("a/d", "b/c", "b/d", "b/h/x", "b/i", "b/m", "b/n") if page.covers(key)]
    assert covered == ["b/d", "b/i", "b/m"]
    assert page.ranges == (("b/c", "b/m"),)


def test_a_listing_of_two_folders_has_two_ranges_and_counts_what_each_leaves_out() -> None:
    listing = Listing("files", (), ("a/", "b/"), left_out=("a/x", "a/y", "b/z"))
    assert listing.left_out_by_scope == {"a/": 2, "b/": 1}
    assert [low for low, _ in listing.ranges] == ["a/", "b/"]
    assert all(low <= f"{low}\U0010fffe" <= high for low, high in listing.ranges)


def test_slices_go_on_behind_the_cursor_and_a_cursor_that_is_gone_is_an_error() -> None:
    def after(cursor: str) -> list[str]:
        found = slices(
            "archive", {part: f"{part}/" for part in "abcd"}, lambda part: [SourceItem(f"{part}/1", part)], cursor
        )
        return [part.cursor for part in found]

    assert [after(cursor) for cursor in ("", "a", "c", "d")] == [list("abcd"), list("bcd"), ["d"], []]
    with pytest.raises(UnknownCursorError, match="'x' is not a cursor"):
        after("x")


def test_a_whole_listing_has_every_slice_and_no_doubt() -> None:
    parts = [Listing("archive", (SourceItem(f"{part}/1", part),), (f"{part}/",)) for part in "ba"]
    listing = whole("archive", parts)
    assert ([item.key for item in listing.items], listing.scope) == (["a/1", "b/1"], ("b/", "a/"))
    with pytest.raises(DoubtfulListingError, match="a page without statutes"):
        whole("archive", [*parts, Listing("archive", (), ("c/",), doubt="a page without statutes")])
    with pytest.raises(ListingError, match="archive: the listing is empty"):
        whole("archive", [Listing("archive", (), ("c/",))])


def test_a_failed_request_for_an_item_keeps_its_status_and_whether_it_may_pass() -> None:
    def refused() -> None:
        raise HttpError("GET law.example/7: HTTP 503", status=503, transient=True)

    with pytest.raises(FetchError, match="HTTP 503") as caught:
        fetched("7.xml", refused)
    assert (caught.value.status, caught.value.transient, caught.value.document) == (503, True, "7.xml")
    assert isinstance(caught.value, DocumentError)


def test_a_list_may_be_nothing_or_one_object_and_a_count_digits() -> None:
    lamp = {"id": "lamp"}
    assert [rows(value, source="s", what="w") for value in (None, "", lamp, [lamp])] == [[], [], [lamp], [lamp]]
    assert [number(value, source="s", what="w") for value in (7, " 7 ", "0")] == [7, 7, 0]
    for wrong in (None, True, 7.0, "-7", "", "٧"):
        with pytest.raises(ListingError, match="s: w is missing or no number"):
            number(wrong, source="s", what="w")
    for wrong in ("lamp", [lamp, 3]):
        with pytest.raises(ListingError, match="expected a list of objects"):
            rows(wrong, source="s", what="w")
