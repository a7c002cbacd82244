"""JSON of unknown fields whose law is one of its values; own samples."""

from __future__ import annotations

import json

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, UnknownFormatError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import detect, parse

_SECTIONS = [f"Section {number}. The keeper lights lamp {number} at dusk and watches it." for number in range(1, 13)]
TEXT = "\n\n".join(_SECTIONS)
PAGE = "<div>" + "".join(f"<p>{section}</p>" for section in _SECTIONS) + "</div>"


def read(value: object) -> Document:
    return parse(SourceFile("answer.json", json.dumps(value).encode(), hints={"path": "laws/answer.json"}))


@pytest.mark.parametrize("text", [TEXT, PAGE])
def test_the_text_is_read_and_the_values_beside_it_are_facts_about_it(text: str) -> None:
    document = read(
        {"code": None, "data": {"act": {"title": "Lamp Act 2031", "language": "en", "clerk": "E. Moor", "body": text}}}
    )
    assert [node.num for node in document.walk() if node.type == "section"] == [str(number) for number in range(1, 13)]
    assert (document.title, document.language) == ("Lamp Act 2031", "eng")
    assert (document.metadata["clerk"], document.metadata["text_at"]) == ("E. Moor", "data.act.body")


def test_the_file_may_be_one_string() -> None:
    document = read(TEXT)
    assert [node.num for node in document.walk() if node.type == "section"] == [str(number) for number in range(1, 13)]
    assert (document.text.count("\\n"), document.metadata["text_at"]) == (0, "$")


def test_a_text_that_begins_with_a_quotation_mark_is_no_json() -> None:
    document = parse(SourceFile("note.txt", f'"Keep the lamp lit," says the Act.\n\n{TEXT}'.encode()))
    assert "text_at" not in document.metadata


def test_the_source_of_the_document_is_the_file_and_its_offsets_are_not_those_of_the_file() -> None:
    data = json.dumps({"body": TEXT}).encode()
    source = SourceFile("answer.json", data)
    document = parse(source)
    assert (document.source_sha256, document.source_file, document.offset_map) == (source.sha256, "answer.json", ())


def test_a_text_with_and_without_mark_up_is_one_text() -> None:
    document = read(
        {"title": "Lamp Act", "plain": TEXT, "html": PAGE.replace("</div>", "<p>Made at the pier.</p></div>")}
    )
    assert document.metadata["text_at"] == "html"
    assert "Made at the pier." in document.text


def test_copies_of_a_text_lie_beside_each_other_and_not_in_another_part() -> None:
    page = PAGE.replace("</div>", "<p>Made at the pier.</p></div>")
    assert read({"data": {"plain": TEXT, "html": page}}).metadata["text_at"] == "data.html"
    with pytest.raises(UnknownFormatError):
        read({"data": {"plain": TEXT}, "earlier": {"html": page}})


@pytest.mark.parametrize(
    "value",
    [
        {"laws": [{"body": TEXT}, {"body": TEXT.replace("dusk", "dawn")}]},
        {"laws": [{"since": "2031-01-01", "body": TEXT}, {"since": "2032-01-01", "body": TEXT}]},
        {"body": TEXT, "reasons": "The lamps of the pier were out for a week. " * 12},
        {"remark": TEXT, "rows": [{"name": f"Lamp {number} of the harbour"} for number in range(100)]},
        {"title": "Lamp Act", "number": 7},
        [{"body": TEXT}, {"body": TEXT}],
    ],
)
def test_several_texts_other_data_and_facts_alone_are_refused(value: object) -> None:
    with pytest.raises(UnknownFormatError, match=r"JSON of unknown fields.*docs\.jsonl"):
        read(value)


def test_an_error_in_the_text_says_where_the_text_is() -> None:
    with pytest.raises(ParseError, match=r"answer\.json, data\.body, .*ends inside the tag"):
        read({"data": {"body": PAGE + "<p cla"}})


def test_words_that_only_the_second_copy_has_are_counted() -> None:
    document = read({"plain": TEXT + "\n\nMade at the pier.", "html": PAGE.replace("<p>", "<p>The text: ")})
    assert document.metadata["text_at"] == "html"
    assert "3 words of plain are not in html, which was read" in document.warnings
    assert document.requires_manual_review


def test_of_facts_with_the_same_key_the_nearest_counts_and_none_is_lost() -> None:
    document = read({"title": "Answer 7", "data": {"title": "Lamp Act", "body": TEXT, "more": {"title": "Pier Act"}}})
    assert document.title == "Lamp Act"
    assert (document.metadata["$.title"], document.metadata["$.data.more.title"]) == ("Answer 7", "Pier Act")


def test_json_that_holds_a_page_is_not_read_as_the_page() -> None:
    """The mark of a country's pages stands in it; read as the page it lost all its other words."""
    page = '<p><b>SFS nr</b>: 2099:10<br></p><hr><div><a class="paragraf" name="P1"></a>1 § Fyren ska lysa.</div>'
    with pytest.raises(UnknownFormatError):
        detect(SourceFile("answer.json", json.dumps({"status": {"act": {"html": page}}}).encode()))


_ABOUT = {
    f"note_{number}": f"The clerk of the harbour has read page {number} of the register. " * 3 for number in range(12)
}


def test_a_key_that_names_the_text_makes_more_facts_beside_it_possible() -> None:
    """A collection repeats its own facts in each file, however short the law is."""
    with pytest.raises(UnknownFormatError):
        read({"remark": TEXT, **_ABOUT})
    document = read({"title_raw": "Lamp Act, 2031", "content_raw": TEXT, **_ABOUT})
    assert (document.title, document.metadata["text_at"]) == ("Lamp Act, 2031", "content_raw")


def test_a_long_passage_that_a_fact_quotes_is_no_second_law() -> None:
    long_text = "\n\n".join([TEXT, *(section.replace("lamp", "buoy") for section in _SECTIONS * 8)])
    passage = "The keeper sees to the boats of the harbour at night. " * 8
    document = read({"content": long_text, "found": [{"passage": passage}]})
    assert document.metadata["text_at"] == "content"
    assert document.metadata["passage"] == passage
    with pytest.raises(UnknownFormatError):
        read({"remark": long_text, "found": [{"passage": passage}]})


@pytest.mark.parametrize("stated", ["bn", "jpn", "el"])
def test_a_stated_language_in_whose_script_the_text_is_not_has_no_effect_but_a_warning(stated: str) -> None:
    document = read({"language": stated, "content": TEXT})
    assert (document.language, document.doc_type) == ("eng", "act")
    assert f"the stated language, {stated}, has no effect: the text is not in its script" in document.warnings


@pytest.mark.parametrize("stated", ["fr", "swa", "xx"])
def test_a_stated_language_in_the_script_of_the_text_stays(stated: str) -> None:
    assert not any("has no effect" in warning for warning in read({"language": stated, "content": TEXT}).warnings)


def test_a_fact_that_the_text_states_comes_before_the_one_beside_it() -> None:
    text = f"---\ntitle: Lamp Act\nin_force: 2031-05-01\n---\n\n# Lamp Act\n\n{TEXT}\n"
    document = read({"in_force": "2030-01-01", "clerk": "E. Moor", "body": text})
    assert (document.metadata["in_force"], document.metadata["clerk"]) == ("2031-05-01", "E. Moor")


_DUTIES = ("lights the lamp", "keeps a log", "buys the oil", "paints the door", "trims the wick", "feeds the dog")
_LINES = [f"Section {number}. The keeper {_DUTIES[number % 6]} on day {number}." for number in range(1, 13)]
_PAGES = ["\n".join(_LINES[:5]), "\n".join(_LINES[5:9]), "\n".join(_LINES[9:])]


@pytest.mark.parametrize(
    "pages",
    [
        _PAGES,
        [{"page": number, "text": text} for number, text in enumerate(_PAGES, start=1)],
        [{"page_number": number, "width": 595.2, "content": text} for number, text in enumerate(_PAGES, start=1)],
    ],
    ids=["strings", "objects", "objects with facts"],
)
def test_the_pages_of_a_print_are_one_text(pages: object) -> None:
    document = read({"file_name": "lamps.pdf", "num_pages": 3, "pages": pages})
    assert [node.num for node in document.walk() if node.type == "section"] == [str(number) for number in range(1, 13)]
    assert document.metadata["text_at"] == "pages"


def test_a_list_of_one_record_is_the_record() -> None:
    document = read([{"model": "laws.law", "pk": 7, "fields": {"title": "Lamp Act 2031", "content": TEXT}}])
    assert document.title == "Lamp Act 2031"
    assert sum(node.type == "section" for node in document.walk()) == 12


def test_the_number_of_a_by_law_at_the_beginning_of_a_line_makes_no_markdown_of_a_print() -> None:
    pages = [_PAGES[0], _PAGES[1] + " He keeps By-law\n# 7125-16, as amended, until it ends.", _PAGES[2]]
    document = read({"pages": pages})
    assert document.format == "plain_text"
    assert sum(node.type == "section" for node in document.walk()) == 12
