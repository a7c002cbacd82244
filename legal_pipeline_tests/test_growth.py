"""What is long takes long in proportion: parsers and chunkers whose work once grew with the square of the text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.provisions import UniquePaths
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.normalise import joins_without_space, unwrap
from legal_pipeline_tests.growth import NEARLY_LINEAR, allowed, check_seconds, growth
from legal_pipeline_tests.parsing.samples import SAMPLES


def test_equal_paths_are_told_apart_without_counting_anew() -> None:
    def make(number: int) -> Callable[[], object]:
        def work() -> list[str]:
            paths = UniquePaths()
            return [paths.name("§3") for _ in range(number)]

        return work

    assert make(4)() == ["§3", "§3-2", "§3-3", "§3-4"]
    assert growth(make, 1000) < NEARLY_LINEAR


def test_a_path_that_a_source_gives_is_never_given_again() -> None:
    paths = UniquePaths()
    assert [paths.name(path) for path in ("§3", "§3-2", "§3", "§3", "§3-2", "§3")] == [
        "§3",
        "§3-2",
        "§3-3",
        "§3-4",
        "§3-2-2",
        "§3-5",
    ]


def test_a_long_word_before_a_hyphen_at_a_line_end_is_looked_at_once() -> None:
    def make(number: int) -> Callable[[], object]:
        lines = ["x" * number + " mål-", "nings arbete"]
        return lambda: unwrap(lines)

    assert growth(make, 5000) < NEARLY_LINEAR
    assert unwrap(["för mål-", "nings arbete"])[0] == "för målnings arbete"
    assert joins_without_space("a-b-EG-", "fördraget") == "a-b-EG-"


def uslm(number: int) -> bytes:
    section = '<section><num value="7">SEC. 7.</num><content>The lamp is lit.</content></section>'
    return SAMPLES["uslm_xml"].replace(b"</section>", b"</section>" + number * section.encode(), 1)


def list_in_a_cell(number: int) -> bytes:
    table = f"<table><tr><td><ul>{'<li>olja</li>' * number}</ul></td></tr></table>"
    return SAMPLES["canonical_page"].replace(b"<ol class", f"{table}<ol class".encode(), 1)


def titles_of_contents(number: int) -> bytes:
    line = '<p style="margin:0">{}</p>'
    contents = "".join(line.format("CONTENTS") + line.format(f"1. Oil {index}") for index in range(number))
    begin, end = (
        "".join(map(line.format, texts)) for texts in (("An Act", "<b>PART I</b>"), ("<b>1. Oil</b>", "A lamp."))
    )
    return f"<html><body>{begin}{contents}{end}</body></html>".encode()


@pytest.mark.parametrize(("page", "number"), [(uslm, 4000), (list_in_a_cell, 1000), (titles_of_contents, 1500)])
def test_pages_are_parsed_in_proportion_to_their_length(page: Callable[[int], bytes], number: int) -> None:
    def make(length: int) -> Callable[[], object]:
        source = SourceFile("long", page(length))
        return lambda: parse(source)

    assert growth(make, number) < NEARLY_LINEAR


def test_sections_of_one_number_are_chunked_in_proportion_to_their_number() -> None:
    section = '<h3 class="paragraph"><a class="paragraf" id="SFS2099-10_K1_P3">3 §</a></h3><p class="text">Fyren ska lysa.</p>'

    def make(number: int) -> Callable[[], object]:
        page = SAMPLES["canonical_page"].replace(
            b'<ol class="list">', section.encode() * number + b'<ol class="list">', 1
        )
        document = parse(SourceFile("long", page))
        return lambda: chunk(document)

    assert growth(make, 1500) < NEARLY_LINEAR


def test_the_parts_of_a_long_opinion_are_chunked_in_proportion_to_their_number() -> None:
    def make(number: int) -> Callable[[], object]:
        paragraphs = "".join(f"\n\nThe board appeals against the order {index}.\n" for index in range(number))
        document = parse(SourceFile("long", SAMPLES["opinion_text"] + paragraphs.encode()))
        return lambda: chunk(document)

    assert growth(make, 10_000) < NEARLY_LINEAR


def test_a_limit_in_seconds_is_that_of_the_reference_machine() -> None:
    assert 1 <= allowed(1.0) < 50, "this machine is not fifty times slower than the reference"
    check_seconds(0.9, 1.0)
    with pytest.raises(AssertionError, match=r"a parser took 100\.00 s, at most"):
        check_seconds(100, 1.0, "a parser")
