"""Files are made larger by repeating the parts of the element that holds their text."""

from __future__ import annotations

from legal_pipeline_tests.resized import resized


def test_a_page_that_begins_inside_its_body_can_be_repeated() -> None:
    make = resized(
        b"<div id='act'><p>The keeper lights the lamp.<br>At dusk.</p><p>The keeper rests at dawn.</p></div>"
    )
    assert make is not None
    assert make(1_000).count(b"lights the lamp") >= 5


def test_a_file_whose_text_stands_in_one_element_is_repeated_by_the_elements_around_it() -> None:
    make = resized(
        b"<?xml version='1.0'?><act><head><no>7</no></head><page>&lt;p>The keeper lights the lamp.&lt;/p></page></act>"
    )
    assert make is not None
    assert make(1_000).count(b"lights the lamp") >= 5


def test_xml_that_is_cut_off_is_not_repeated() -> None:
    assert resized(b"<?xml version='1.0'?><act><p>The keeper lights") is None
