"""Signatures, recitals and lists of notes around the provisions of a law, as lists of blocks."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.notes import with_notes
from legal_pipeline.parsing.recogniser.recitals import find_recitals
from legal_pipeline.parsing.recogniser.repeated_words import places_of, repeated_at
from legal_pipeline.parsing.recogniser.signatures import signature_start
from legal_pipeline.parsing.registry import parse

_LAST = ["Article 9", "The lamp burns at night."]


def signed(*lines: str, language: str = "eng") -> int:
    """Number of the lines that are the signature."""
    blocks = [Block(text) for text in (*_LAST, *lines)]
    start = signature_start(blocks, 0, len(blocks), language)
    return 0 if start is None else len(blocks) - start


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (("Harbour, 3 May 2031", "Ada Keeper", "Minister of Lamps"), 3),
        (("Dated this 3rd day of May 2031", "Ada Keeper"), 2),
        (("Ada Keeper", "3 May 2031"), 2),
        (("Ada Keeper", "Approved: 3 May 2031"), 2),
        (("Ada Keeper", "Minister of Lamps"), 0),  # no date
        (("Amended 3 May 2031",), 0),  # a remark on the provision
        (("harbour, 3 May 2031", "Ada Keeper"), 0),
        (("It enters into force on 3 May 2031", "Ada Keeper"), 0),
        (("Harbour, 3 May 2031", "the keeper of the lamps"), 0),
        (("Harbour, 3 May 2031", "Ada Keeper", "The lamps of all harbours burn at night."), 0),
        (("Harbour, 3 May 2031", "Ada K."), 2),
        (("Harbour, 3 May 2031", "/Ada Keeper"), 2),
        (("Harbour, 3 May 2031", *(f"Keeper {chr(65 + number)}" for number in range(9))), 10),
        (("Harbour, 3 May 2031", *(f"Keeper {chr(65 + number)}" for number in range(10))), 0),
        (("Harbour, 3 May 2031", "Keeper " * 18), 0),
        ((f"Harbour, 3 May 2031 {'and so on ' * 7}", "Ada Keeper"), 0),
        (("The harbour town of lamps, 3 May 2031", "Ada Keeper"), 0),
    ],
)
def test_a_signature_is_a_place_and_a_date_with_names_below_the_last_sentence(
    lines: tuple[str, ...], count: int
) -> None:
    assert signed(*lines) == count


def test_what_is_above_a_signature_ends_as_a_sentence_and_is_not_the_label_of_the_provision() -> None:
    blocks = [Block("Article 9"), Block("Harbour, 3 May 2031"), Block("Ada Keeper")]
    assert signature_start(blocks, 0, 3, "eng") is None
    blocks = [Block("The lamp burns."), Block("Harbour, 3 May 2031"), Block("Ada Keeper")]
    assert signature_start(blocks, 0, 3, "eng") == 1
    assert signature_start(blocks, 1, 3, "eng") is None
    listed = [*blocks[:2], Block("Ada Keeper", depth=1)]
    assert signature_start(listed, 0, 3, "eng") is None


def recitals(*texts: str, listed: frozenset[int] = frozenset()) -> list[tuple[str, int, int]]:
    return list(find_recitals([Block(text) for text in texts], len(texts), listed))


def test_recitals_are_numbered_from_one_below_a_colon() -> None:
    texts = ("Whereas:", "(1) Lamps burn.", "They burn at night.", "(2) Oil is dear.", "(4) No.", "(3) Wicks end.")
    assert recitals(*texts) == [("1", 1, 3), ("2", 3, 5), ("3", 5, 6)]
    assert recitals("Whereas", *texts[1:]) == []
    assert recitals("Whereas:", "(1) Lamps burn.", "They burn.") == []
    assert recitals(*texts, listed=frozenset({3})) == []
    assert find_recitals([Block(text) for text in texts], 3, frozenset()) == ()
    table = [Block("Whereas:"), Block("(1) Lamps", kind="table"), Block("(2) Oil", kind="table")]
    assert find_recitals(table, 3, frozenset()) == ()


def kinds(*blocks: Block) -> tuple[str, int]:
    """The kinds of the blocks, t for text, n for a note, r for a rule; and the index of the first note."""
    found, start = with_notes(blocks)
    return "".join({"text": "t", "footnote": "n", "running": "r", "table": "a"}[block.kind] for block in found), start


_MARKED = Block("The lamp¹ burns at the pier² each night.")


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([_MARKED, Block("1. Or a lantern."), Block("2. Or a quay.")], ("tnn", 1)),
        ([_MARKED, Block("¹ Or a lantern."), Block("² Or a quay.")], ("tnn", 1)),
        ([_MARKED, Block("1. Or a lantern.")], ("tt", 2)),
        ([_MARKED, Block("———"), Block("1. Or a lantern.")], ("trn", 1)),
        ([_MARKED, Block("———"), Block("3. Or a lantern.")], ("ttt", 3)),
        ([Block("The lamp burns."), Block("———"), Block("1. Or a lantern.")], ("ttt", 3)),
        ([_MARKED, Block("1. Or a lantern."), Block("It is lit."), Block("2. Or a quay.")], ("tnnn", 1)),
        ([_MARKED, Block("1. Or a lantern."), *[Block("It is lit.")] * 3, Block("2. Or a quay.")], ("tnnnnn", 1)),
        ([_MARKED, Block("1. Or a lantern."), *[Block("It is lit.")] * 4, Block("2. Or a quay.")], ("t" * 7, 7)),
        ([_MARKED, Block("1. Or a lantern."), Block("2. Or a quay."), Block("3. Or.")], ("tttt", 4)),
        ([_MARKED, Block("1. Or a lantern.", kind="table"), Block("1. A."), Block("2. B.")], ("tann", 2)),
        ([Block("A.", level=1), Block("B", kind="footnote"), Block("C", kind="footnote")], ("tnn", 0)),
        ([Block("A."), Block("B", kind="footnote")], ("tn", 2)),
        ([Block("B", kind="footnote")], ("n", 1)),
        ([Block("2[(c) oil] and 3[oil]"), Block("1. A."), Block("2. B."), Block("3. C.")], ("tttt", 4)),
        ([Block("1[(c) oil] and date2 and 3[oil]"), Block("1. A."), Block("2. B."), Block("3. C.")], ("tnnn", 1)),
    ],
)
def test_notes_at_the_end_are_those_whose_marks_are_in_the_text(blocks: list[Block], expected: tuple[str, int]) -> None:
    assert kinds(*blocks) == expected


def repeated(index: int, *texts: str) -> list[int]:
    words = [tuple(text.lower().split()) for text in texts]
    return repeated_at(index, words, places_of(words))


@pytest.mark.parametrize(
    ("texts", "index", "expected"),
    [
        (("1 Scope", "2 Fees", "1 Scope", "2 Fees", "1 Scope of it"), 0, [0, 4]),
        (("Part 1", "General", "x y", "Part 1", "General", "y z"), 1, [0, 3]),
        (("2 Short title", "x", "Short title and more"), 0, [2, 2]),
        (("2 Fees", "x", "Fees and more"), 0, []),
        (("2 Fees", "x", "Fees"), 0, [2, 2]),
        (("2 Interpretation of words", "x", "Section 2 Interpretation of words"), 0, [2, 2]),
        (("Section 2 Interpretation of words", "x", "Sec 2 Interpretation of words"), 0, [2, 2]),
        (("Section 2 Interpretation of words", "x", "Sec 2 Interpretation of terms"), 0, []),
        (("Scope", "x", "Scope"), 0, []),
    ],
)
def test_the_words_of_a_heading_in_a_list_are_found_again_in_the_text(
    texts: tuple[str, ...], index: int, expected: list[int]
) -> None:
    assert repeated(index, *texts) == expected


def test_each_recital_has_its_number_its_paragraphs_and_the_table_in_it() -> None:
    recitals_of = "<p>Whereas:</p><p>(1) The lamps of the piers are old.</p><p>Some are broken.</p>" + (
        "<table><tr><td>Pier</td><td>Lamps</td></tr><tr><td>North</td><td>7</td></tr></table><p>(2) The piers are dark.</p>"
    )
    articles = "".join(
        f"<h3>Article {number}</h3><p>The keeper lights lamp {number} of the pier at dusk.</p>"
        for number in range(1, 5)
    )
    page = f"<html><body><h1>Regulation on lamps</h1>{recitals_of}{articles}</body></html>"
    document = parse(SourceFile("lamps.html", page.encode(), hints={"doc_type": "regulation"}))
    found = [node for node in document.nodes if node.type == "recital"]
    assert [(node.num, [child.type for child in node.children]) for node in found] == [("1", ["table"]), ("2", [])]
    assert document.text_of(found[0]).startswith("(1) The lamps of the piers are old.\n\nSome are broken.")
    assert document.text_of(found[1]) == "(2) The piers are dark."


def test_notes_with_the_look_of_headings_are_none() -> None:
    found, _ = with_notes([_MARKED, Block("1. Or a lantern.", level=3), Block("2. Or a quay.", level=3)])
    assert [(block.kind, block.level) for block in found[1:]] == [("footnote", 0)] * 2
