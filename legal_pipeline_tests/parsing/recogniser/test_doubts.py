"""A law in which provisions may be missing has a warning; a whole law has none."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse

_TEXT = "The keeper of the harbour lights the lamp at dusk and puts it out at dawn. "


def law(first: int, last: int, repeated: dict[int, int] | None = None) -> list[str]:
    times = repeated or {}
    return [f"Article {number}\n\n{_TEXT * times.get(number, 2)}" for number in range(first, last + 1)]


def warnings_of(*parts: str) -> tuple[str, ...]:
    return parse(SourceFile("law.txt", "\n\n".join(parts).encode())).warnings


def test_a_whole_law_has_no_warning() -> None:
    assert warnings_of("LAMPS LAW", *law(1, 20)) == ()


@pytest.mark.parametrize(
    ("parts", "warning"),
    [
        (["LAMPS LAW", *law(7, 20)], "the first provision found is 7"),
        (["LAMPS LAW", *(_TEXT * 6 for _ in range(40)), *law(1, 8)], "of the text is before the first provision, 1"),
        (["LAMPS LAW", *law(1, 20, {9: 200})], "of the text is in one provision, 9"),
        (["LAMPS LAW", *law(1, 6), *law(9, 20)], "numbers are missing between 6 and 9"),
    ],
)
def test_provisions_that_may_be_missing_are_a_warning(parts: list[str], warning: str) -> None:
    (found,) = warnings_of(*parts)
    assert warning in found


def numbered(first: int, last: int) -> list[str]:
    return [f"**{number}. Lamp of class {number}**\n\n{_TEXT}" for number in range(first, last + 1)]


@pytest.mark.parametrize(
    ("schedule", "warning"),
    [
        (numbered(1, 30), "30 provisions, 1 to 30, are in a schedule and 12 in the body"),
        (numbered(13, 40), "28 provisions, 13 to 40, are in a schedule and 12 in the body"),
    ],
)
def test_provisions_of_a_schedule_that_may_be_the_bodys_are_a_warning(schedule: list[str], warning: str) -> None:
    text = "\n\n".join(["# LAMPS ACT", *numbered(1, 12), "# SCHEDULE", *schedule])
    assert any(
        warning in found for found in parse(SourceFile("law.md", text.encode(), hints={"doc_type": "act"})).warnings
    )


def test_a_shorter_schedule_has_no_warning() -> None:
    text = "\n\n".join(["# LAMPS ACT", *numbered(1, 12), "# SCHEDULE", *numbered(1, 5)])
    assert parse(SourceFile("law.md", text.encode(), hints={"doc_type": "act"})).warnings == ()


@pytest.mark.parametrize(("first", "is_missing"), [("2", False), ("3", True)])
def test_a_law_may_count_its_inserted_articles_from_two_on(first: str, is_missing: bool) -> None:
    inserted = [f"Article {number}-{first}\n\n{_TEXT * 2}" for number in (3, 7, 12)]
    articles = law(1, 20)
    for place, article in zip((12, 7, 3), reversed(inserted), strict=True):
        articles.insert(place, article)
    assert any("missing" in warning for warning in warnings_of("LAMPS LAW", *articles)) is is_missing


def test_an_inserted_article_1_shows_that_others_are_missing() -> None:
    articles = law(1, 20)
    for place, number in ((15, "15-1"), (12, "12-2"), (7, "7-2"), (3, "3-2")):
        articles.insert(place, f"Article {number}\n\n{_TEXT * 2}")
    (warning,) = warnings_of("LAMPS LAW", *articles)
    assert "3 and 3-2, 7 and 7-2, 12 and 12-2" in warning
