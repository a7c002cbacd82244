"""Tagged notes: blocks and tags as in the gold files; bullets of lists and of OCR noise do not switch the mode."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node, check_tree
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.tagged import notes
from legal_pipeline.parsing.tagged.blocks import Signs, paragraph_numbers, read_signs
from legal_pipeline.parsing.tagged.blocks import blocks as cut
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.parsing.invariants import checked

LONG = "The tenant paid the rent for the tower in every month of the year and kept the receipts. " * 3


def parse(text: str, name: str = "note.txt") -> Document:
    return checked(SourceFile(name, text.encode()))


def blocks(document: Document) -> list[Node]:
    return [node for node in document.walk() if node.type == "block"]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["insc2024_19.bullet_tag", "insc2024_2.noisy", "insc2024_57.tag_only"])
def test_blocks_and_tags_equal_the_gold(corpus: Path, name: str) -> None:
    folder = corpus / "tagged" / "derived"
    document = parse((folder / f"{name}.txt").read_text(), f"{name}.txt")
    gold = json.loads((folder / f"{name}.gold.json").read_text())["blocks"]
    assert document.format == "tagged_notes"
    found = [
        (" ".join(document.text_of(node).split()), node.attributes["tag"], node.attributes["paras"])
        for node in blocks(document)
    ]
    assert found == [
        (" ".join(row["text"].split()), row["tag"], [str(number) for number in row["paras"]]) for row in gold
    ]
    assert "[Para" not in document.text
    assert "■" not in document.text


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["pe_005-2022-GRL-GOB.md", "pe_050-2006-GR-APURIMAC-CR.ocr.md"])
def test_list_bullets_and_ocr_noise_do_not_switch_the_mode(corpus: Path, name: str) -> None:
    source = SourceFile(name, (corpus / "tagged" / name).read_bytes())
    assert registry.detect(source).name != "tagged_notes"
    assert not notes.read_signs(source.text).bullets_open_sections
    assert "■" in registry.parse(source).text


@pytest.mark.corpus
def test_a_headnote_keeps_its_header_apart_and_names_four_paragraphs(corpus: Path) -> None:
    path = corpus / "tagged" / "scr_headnote_subrata_choudhury_2024-12-SCR-1.txt"
    document = parse(path.read_text(), path.name)
    assert document.nodes[0].type == "header"
    assert blocks(document)[0].attributes["paras"] == ["27", "31", "32", "34"]
    assert document.metadata["date_decided"] == "2024-11-05"


def test_bullets_without_tags_open_blocks_when_they_hold_the_text() -> None:
    document = parse(f"■ {LONG}\n\n■ {LONG}\n\nA second paragraph of the block.\n\n■ {LONG}")
    assert (document.metadata["mode"], len(blocks(document))) == ("bullet", 3)
    assert "A second paragraph" in document.text_of(blocks(document)[1])


def test_one_tag_covers_the_paragraphs_before_it() -> None:
    document = parse(f"{LONG}\n\n{LONG} [Paras 3, 4]\n\n{LONG}\n\n{LONG}\n\n{LONG} [Paras 12 to 14]\n")
    assert [node.attributes["paras"] for node in blocks(document)] == [["3", "4"], ["12", "13", "14"]]


def test_tags_that_close_no_block_are_no_lost_words() -> None:
    text = "■ The keeper must light the lamp at dusk.\n\n[Para 4]\n\n" + "[Paras 5 to 7]\n\n" * 30
    document = parse(text)
    assert document.text.strip() == "The keeper must light the lamp at dusk."


def test_a_tag_within_a_sentence_is_a_reference() -> None:
    assert registry.detect(SourceFile("x.txt", f"{LONG} As [Para 4] says, {LONG}\n".encode())).name != "tagged_notes"


def test_pins_of_the_reports_are_kept_beside_the_tag() -> None:
    node = blocks(parse(f"{LONG}[Para 9][599-C-D]\n{LONG}\n[para  10 ]\n"))
    assert node[0].attributes["pins"] == ["599-C-D"]
    assert node[1].attributes["para_id"] == "[para 10]"


def test_a_range_written_backwards_is_two_numbers() -> None:
    assert paragraph_numbers("14 to 12") == ("14", "12")


@examples(80)
@given(
    st.lists(
        st.sampled_from([f"■ {LONG}", f"{LONG}[Para 2]", "[Paras 1, 2]", "■", "", "x", "[Para 3][12-A]"]),
        min_size=1,
        max_size=12,
    )
)
def test_spans_nest_and_no_text_is_lost(pieces: list[str]) -> None:
    text = f"{LONG} [Para 1]\n" + "\n".join(pieces)
    document = notes.parse(SourceFile("x.txt", text.encode()))
    check_tree(document)
    assert document == notes.parse(SourceFile("x.txt", text.encode()))
    assert document.text.count("receipts.") == text.count("receipts.")


def signs(
    tags: int = 0, closing: int = 0, tagged: float = 0.0, bullets: int = 0, bulleted: float = 0.0, chars: float = 0.0
) -> Signs:
    return Signs(tags, closing, tagged, bullets, bulleted, chars)


@pytest.mark.parametrize(
    ("found", "are_sections"),
    [
        (signs(bullets=2, bulleted=0.5, chars=150), True),
        (signs(bullets=2, bulleted=0.4, chars=150), False),
        (signs(bullets=2, bulleted=0.5, chars=149), False),
        (signs(bullets=1, bulleted=0.9, chars=900), False),
        (signs(closing=2, bullets=2, chars=50), True),
        (signs(closing=2, bullets=2, chars=49), False),
        (signs(closing=1, bullets=2, chars=50), False),
        (signs(closing=2, bullets=1, chars=50), False),
        (signs(), False),
    ],
)
def test_bullets_open_sections_if_they_are_long_and_hold_most_of_the_text(found: Signs, are_sections: bool) -> None:
    assert found.bullets_open_sections is are_sections


@pytest.mark.parametrize(
    ("found", "close"),
    [
        (signs(tags=1, closing=1, tagged=0.5), True),
        (signs(tags=5, closing=3, tagged=0.5), True),
        (signs(tags=5, closing=2, tagged=0.9), False),
        (signs(tags=1, closing=1, tagged=0.4), False),
        (signs(), False),
    ],
)
def test_tags_close_blocks_if_most_end_a_line_and_the_last_is_not_near_the_beginning(found: Signs, close: bool) -> None:
    assert found.tags_close_blocks is close


def test_the_signs_of_a_note_are_counted() -> None:
    text = "The lamp burns [Para 1].\nAs [Para 9] says, it is lit.\n■ Oil is dear.\n\n■ Wick\n"
    found = read_signs(text)
    assert (found.tags, found.closing_tags, found.bullets, found.median_bullet_chars) == (2, 1, 2, 10.0)
    assert found.tagged_share == pytest.approx(text.index("]", 3) / len(text.strip()), abs=0.03)
    assert read_signs("") == signs()


def test_a_block_ends_at_its_tag_or_before_the_next_bullet() -> None:
    text = "One. [Para 1]\n■ Two [Paras 2, 4 to 5] [12-A]\n■ Three\n. Four"
    found = [(text[block.start : block.end], block.paras, block.pins) for block in cut(text, use_bullets=True)]
    assert found == [("One.", ("1",), ()), ("Two", ("2", "4", "5"), ("12-A",)), ("Three\n. Four", (), ())]
    found = [(text[block.start : block.end], block.paras, block.pins) for block in cut(text, 5, use_bullets=False)]
    assert found == [("Two", ("2", "4", "5"), ("12-A",)), ("Three\n. Four", (), ())]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [("3 and 5 & 7", "3 5 7"), ("3-5", "3 4 5"), ("5-5", "5"), ("3A", "3A"), ("3.1", "3.1"), ("3, 3", "3"), ("1 to 501", "1 501"),
     ("1 to 500", None)],
)  # fmt: skip
def test_numbers_of_a_tag_are_written_out(numbers: str, expected: str | None) -> None:
    found = paragraph_numbers(numbers)
    assert len(found) == 500 if expected is None else " ".join(found) == expected


def test_a_header_has_two_keys_and_at_most_two_other_lines() -> None:
    head = "Keeper v. Harbor\nCourt: High Court\nDate of Judgement: May 4, 2031\n"
    note = f"{LONG}[Para 1]\n\n{LONG}[Para 2]\n"
    document = parse(f"{head}\n{note}")
    assert (document.title, document.metadata["court"], document.metadata["date_decided"]) == (
        "Keeper v. Harbor", "High Court", "2031-05-04",
    )  # fmt: skip
    assert document.nodes[0].type == "header"
    for other in (head.replace("Court: High Court\n", ""), f"a\nb\n{head}"):
        assert parse(f"{other}\n{note}").nodes[0].type == "block"
    assert parse(f"a\n{head}\n{note}").nodes[0].type == "header"
    undated = parse(head.replace("May 4, 2031", "soon") + f"\n{note}")
    assert undated.metadata["date_decided"] == "soon"
