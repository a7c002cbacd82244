"""The input of a parser: names, paths, encodings, struck words and limits of files, and formats over them."""

from __future__ import annotations

import pytest

from legal_pipeline.building.format import CERTAIN, Format
from legal_pipeline.building.source import STRUCK_WORDS, Limits, SourceFile
from legal_pipeline.building.xml import (
    furniture_warning,
    is_one_element,
    parse_html,
    parse_xml,
    struck_in_html,
    take_struck,
)
from legal_pipeline.errors import (
    EmptyDocumentError,
    LegalPipelineError,
    LimitExceededError,
    ParseError,
    TruncatedDocumentError,
)
from legal_pipeline.model.document import Document, Node


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("laws/some-act_2012.html", "Some act 2012"),
        ("reg-2016-679.xml", "Reg 2016-679"),
        ("Act No 7 ON lamps.v2.txt", "Act No 7 ON lamps v2"),
        ("lamps", "Lamps"),
        (".html", "Html"),
        ("_.html", "_.html"),
    ],
)
def test_a_title_is_made_of_the_words_of_a_name(name: str, words: str) -> None:
    assert SourceFile(name, b"x").name_in_words == words


def test_later_hints_count_and_a_path_is_stated_or_the_name() -> None:
    file = SourceFile("a.txt", b"x", hints={"title": "Lamps", "language": "eng"}).with_hints(title="Horns")
    assert file.hints == {"title": "Horns", "language": "eng"}
    assert [file.path, file.with_hints(path="under/a.txt").path] == ["a.txt", "under/a.txt"]


def test_the_head_of_bytes_that_are_no_text_is_empty() -> None:
    assert SourceFile("a.bin", b"").head == ""
    assert SourceFile("a.txt", b"x" * 70_000).head == "x" * 64_000


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", EmptyDocumentError, "empty"),
        (b"<a>" + b"x" * 200 + b"</a>", LimitExceededError, "207 bytes"),
        (b'<?xml version="1.0" encoding="utf-8"?>'.ljust(101), LimitExceededError, "101 bytes"),
        (b"<a><b><c/></b></a>", LimitExceededError, "nested 3 deep"),
        (b"<a><b></b>", TruncatedDocumentError, "ends early"),
        (b"<a><b></c></a>", ParseError, "not well-formed XML"),
        (b'<!DOCTYPE a [<!ENTITY l "lamp">]><a>x</a>', ParseError, "declares entities"),
        (b'<?xml version="1.0" encoding="idna"?><a>x</a>', ParseError, "unknown encoding 'idna'"),
        (b'<?xml version="1.0" encoding="latin-9x"?><a>x</a>', ParseError, "unknown encoding 'latin-9x'"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><a>§</a>'.encode(), ParseError, "the bytes are UTF-8"),
        (b'<?xml version="1.0" encoding="utf-8"?><a>\xa7</a>', ParseError, "byte 41"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, error: type[ParseError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        parse_xml(SourceFile("a.xml", data, limits=Limits(max_bytes=100, max_depth=2)))
    assert caught.value.document == "a.xml"
    assert isinstance(caught.value, LegalPipelineError)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<?xml version="1.0" encoding="iso-8859-1"?><a>§</a>'.encode("latin-1"), "§"),
        (b'<?xml version="1.0" encoding="iso-8859-1"?><a>s</a>', "s"),
        (b"<!DOCTYPE a><a><b>x</b></a>", "x"),
        ("<a>e\u0301</a>".encode(), "é"),
    ],
)
def test_a_file_in_the_encoding_that_it_states_is_read(data: bytes, text: str) -> None:
    root = parse_xml(SourceFile("a.xml", data, limits=Limits(max_depth=2)))
    assert "".join(root.itertext()) == text


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("<lamp>x</lamp>\n", True),
        ("\ufeff<lamp a='1'>x</lamp>", True),
        ("<p>x</p>", False),
        ("<lamp>x", False),
        ("x", False),
    ],
)
def test_a_file_is_one_element_from_its_first_tag_to_its_last(text: str, is_one: bool) -> None:
    assert is_one_element(SourceFile("a", text.encode())) == is_one


@pytest.mark.parametrize(
    ("html", "text", "struck"),
    [
        ("<p>A lamp <del>or horn</del> burns.</p>", "A lamp  burns.", ["or horn"]),
        ("<p>A <i>lamp</i><del> or horn </del><b>burns</b>.</p>", "A lamp burns.", ["or horn"]),
        ("<p>A lamp<del>s</del> burns.</p>", "A lamp burns.", ["s"]),
        (
            "<p><s>No <del>red</del></s>lamp <span style='text-decoration:line-through'>x</span>burns.</p>",
            "lamp burns.",
            ["No red", "x"],
        ),
    ],
)
def test_struck_words_are_taken_out_and_noted(html: str, text: str, struck: list[str]) -> None:
    file = SourceFile("a.html", f"<html><body>{html}</body></html>".encode())
    file.memo[STRUCK_WORDS] = ["of an earlier reader"]
    root = parse_html(file)
    take_struck(struck_in_html(root), file)
    assert ("".join(root.itertext()), file.memo[STRUCK_WORDS]) == (text, struck)


def test_a_warning_of_furniture_has_its_words_and_their_share() -> None:
    assert furniture_warning(["Menu of the site", "Top"], 0.25) == (
        "5 words (25%) were left out as furniture of the page: 'Menu of the site', …"
    )


def read(title: str, **fields: str) -> Document:
    def document(_: SourceFile) -> Document:
        return Document(
            "xx-lamps",
            "Lit.",
            (Node("section", 0, 4),),
            title,
            "xx",
            "act",
            "eng",
            **{"format": "", "parser_version": "", **fields},
        )  # type: ignore[arg-type]

    return Format("lamps_jsonl", "Lamps", lambda _: CERTAIN, document, "7").parse(SourceFile("a.txt", b"x"))


def test_a_document_has_the_name_of_its_format_and_a_long_title_is_cut_at_a_word() -> None:
    plain, own = read("Lamps"), read("Lamps", format="own_xml", parser_version="2")
    assert [(found.format, found.parser_version) for found in (plain, own)] == [("lamps_jsonl", "7"), ("own_xml", "2")]
    assert read("x" * 2_000).title == "x" * 2_000
    assert read("lamp " * 401).title == ("lamp " * 400).rstrip() + "…"
    kinds = {
        name: Format(name, "", lambda _: CERTAIN, lambda _: plain).container for name in ("a_jsonl", "a_pdf", "a_md")
    }
    assert kinds == {"a_jsonl": "json", "a_pdf": "pdf", "a_md": "text"}


def test_an_error_keeps_the_name_that_it_has_of_a_part() -> None:
    def refuse(file: SourceFile) -> Document:
        raise ParseError("no text", document=file.hints.get("part"), format=file.hints.get("inner"))

    refusing = Format("lamps_xml", "Lamps", lambda _: CERTAIN, refuse)
    for hints, named in (({}, ("a.txt", "lamps_xml")), ({"part": "a.txt#7", "inner": "own"}, ("a.txt#7", "own"))):
        with pytest.raises(ParseError) as caught:
            refusing.parse(SourceFile("a.txt", b"x", hints=hints))
        assert (caught.value.document, caught.value.format) == named


def test_an_element_far_deeper_than_any_text_is_a_limit_and_no_fault_of_the_file() -> None:
    with pytest.raises(LimitExceededError, match="at most 200 levels"):
        parse_xml(SourceFile("a.xml", b"<a>" * 5_000 + b"</a>" * 5_000))
