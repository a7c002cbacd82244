"""How the rules of a profile convert elements: where a number and a heading are taken from, and what the file shows."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.profiles.documents import read, shown_text
from legal_pipeline.parsing.profiles.nesting import quoted
from legal_pipeline.parsing.profiles.profile import read_profile

_PROFILE = read_profile(
    "lamps.toml",
    r"""name = "lamps_xml"
title = "Lamps"
documentation = "own"
jurisdiction = "gb"
language = "eng"
marks = ["<lamps"]
inline = ["i", "n", "h"]
[work]
uri = "/akn/gb/act/2031/7"
title = "'Lamps'"
[[rules]]
select = "s"
as = "section"
num = "n"
heading = "h"
[[rules]]
select = "whole"
as = "section"
heading = { at = "h", joined = true }
[[rules]]
select = "cut"
as = "section"
num = { at = ".", pattern = '\d+\.' }
[[rules]]
select = "menu"
as = "skip"
why = "of the page"
[[rules]]
select = "note"
as = "authorialNote"
[[rules]]
select = "h + mark"
as = "crossHeading"
[[rules]]
select = "i"
as = "i"
""",
)


def source(content: str) -> SourceFile:
    return SourceFile("lamps.xml", f"<lamps>{content}</lamps>".encode())


def document(content: str) -> Document:
    return read(source(content), _PROFILE)


def only(content: str) -> tuple[Node, str]:
    found = document(content)
    (node,) = (node for node in found.walk() if node.type == "section")
    return node, found.text


@pytest.mark.parametrize(
    ("content", "num", "heading", "text"),
    [
        ("<s><n>5.</n><h>Oil</h><p>A lamp burns.</p></s>", "5", "Oil", "5. Oil\n\nA lamp burns."),
        ("<s>See <n>5.</n> of the list.</s>", None, None, "See 5. of the list."),
        ("<s><i/>See <n>5.</n> of the list.</s>", None, None, "See 5. of the list."),
        ("<s>— <n>5.</n> A lamp burns.</s>", "5", None, "5. — A lamp burns."),
        ("<s><n>Annex.</n> A lamp burns.</s>", "Annex", None, "Annex. A lamp burns."),
        ("<s><n>5<note>Of oil.</note>.</n> A lamp burns.</s>", "5", None, "5. A lamp burns.\n\nOf oil."),
        ("<s><h>Oil</h><h>Fish</h><p>A lamp burns.</p></s>", None, "Oil", "Oil\n\nFish\n\nA lamp burns."),
        (
            "<whole><h>Oil</h><h>of fish</h><p>A lamp burns.</p></whole>",
            None,
            "Oil of fish",
            "Oil of fish\n\nA lamp burns.",
        ),
        ("<cut><menu>9. Up</menu>5. A lamp burns.</cut>", "5", None, "5. A lamp burns."),
        ("<cut><i>5.</i> A lamp burns.</cut>", "5", None, "5. A lamp burns."),
        ("<cut>A lamp of 5. burns.</cut>", None, None, "A lamp of 5. burns."),
    ],
)
def test_a_number_and_a_heading_are_those_at_the_beginning(
    content: str, num: str | None, heading: str | None, text: str
) -> None:
    node, whole = only(content)
    assert (node.num, node.heading, whole) == (num, heading, text)


def test_a_selector_of_neighbours_selects_what_is_directly_behind() -> None:
    found = document("<p>a</p><h>b</h><mark>c</mark><mark>d</mark>")
    assert [found.text[node.start : node.end] for node in found.walk() if node.type == "heading"] == ["c"]


def test_what_a_file_shows_has_the_words_behind_what_is_left_out_and_no_space_within_a_word() -> None:
    shown = shown_text(source("<s><n>5.</n><p>A l<i>am</i>p</p><menu>Up</menu> burns.</s>"), _PROFILE)
    assert shown.split() == ["5.", "A", "lamp", "burns."]


def test_a_mark_that_closes_nothing_opens_nothing() -> None:
    names = [item if isinstance(item, str) else item.name for item in quoted(["a”", "“b", "c”", "d"], "“", "”")]
    assert names == ["a”", "quotedStructure", "d"]
