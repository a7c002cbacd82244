"""Struck words are not law: they are left out of the text and listed; inserted words are law, and no words are glued together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words

_MARKED = "The fee is <del>ten crowns</del><ins>twenty crowns</ins> a day."
_META = (
    '<meta><identification source="#x"><FRBRWork><FRBRthis value="/akn/zw/act/2099/4/!main"/><FRBRuri value="/akn/zw/act/2099/4"/>'
    '<FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/><FRBRcountry value="zw"/></FRBRWork><FRBRExpression>'
    '<FRBRthis value="/akn/zw/act/2099/4/eng@2099-01-01/!main"/><FRBRuri value="/akn/zw/act/2099/4/eng@2099-01-01"/>'
    '<FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/><FRBRlanguage language="eng"/></FRBRExpression></identification></meta>'
)


def _akn(words: str) -> SourceFile:
    return SourceFile(
        "fees.xml",
        f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act">{_META}<body><section eId="sec_1">'
        f"<num>1.</num><heading>Fee</heading><content><p>{words}</p></content></section></body></act></akomaNtoso>".encode(),
    )


def _page(words: str) -> SourceFile:
    return SourceFile("fees.html", f"<html><body><h1>Fees</h1><p>{words}</p></body></html>".encode())


def _note(words: str) -> SourceFile:
    return SourceFile("fees.md", f"# Fees\n\n{words}\n\n- one\n- two\n".encode())


_CLML = """<Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation" DocumentURI="http://www.legislation.gov.uk/ukpga/2099/4">
<ukm:Metadata xmlns:ukm="http://www.legislation.gov.uk/namespaces/metadata" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Fees Act 2099</dc:title></ukm:Metadata><Primary><Body><P1group><Title>Fee</Title><P1><Pnumber>1</Pnumber><P1para><Text>%s</Text>
</P1para></P1></P1group></Body></Primary></Legislation>"""


def _clml(words: str) -> SourceFile:
    return SourceFile("fees.xml", (_CLML % words).encode())


_STRUCK = [
    _page(_MARKED),
    _page(_MARKED.replace("del", "strike").replace("ins", "u")),
    _page(_MARKED.replace("<del>", '<span style="text-decoration: line-through">').replace("</del>", "</span>")),
    _akn(_MARKED),
    _note(_MARKED),
    _note(_MARKED.replace("<del>", "~~").replace("</del>", "~~ ")),
    _clml(_MARKED.replace("del", "Repeal").replace("ins", "Addition")),
]


@pytest.mark.parametrize("source", _STRUCK, ids=["html", "strike", "style", "akn", "markdown-tags", "markdown", "clml"])
def test_struck_words_are_listed_and_not_read(source: SourceFile) -> None:
    document = parse(source)
    assert "The fee is twenty crowns a day." in document.text
    assert document.metadata["struck"] == ["ten crowns"]
    assert any(warning.startswith("2 words that the source shows struck out") for warning in document.warnings)
    assert lost_words(source, document) == []
    assert not document.requires_manual_review


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("The <ins>new</ins><del>old</del> fee.", "The new fee."),
        ("The <del>old</del> fee.", "The fee."),
        ("The new<del> and old </del>fee.", "The new fee."),
        ("The fee is 10<del>0</del><ins>5</ins> crowns.", "The fee is 105 crowns."),
        ("The light<ins>house</ins>s.", "The lighthouses."),
        ("The fee<del>.</del><ins>, if any.</ins>", "The fee, if any."),
        ("The fee<del> is <del>ten</del> crowns</del>.", "The fee."),
    ],
)
def test_no_words_are_glued_where_words_were_struck(words: str, read: str) -> None:
    for source in (_page(words), _akn(words)):
        assert read in parse(source).text
    if words.count("<del>") == 1:
        assert read in parse(_note(words)).text


@pytest.mark.parametrize(
    "words",
    [
        'The fee<span style="text-decoration: line-through"> is <del>ten</del> crowns</span>.',
        'The fee<del> is <span style="text-decoration: line-through">ten</span> crowns</del>.',
    ],
)
def test_words_struck_out_twice_are_listed_once(words: str) -> None:
    assert parse(_page(words)).metadata["struck"] == ["is ten crowns"]


def test_a_repeal_that_holds_for_a_part_of_the_country_keeps_its_words() -> None:
    source = _clml('The fee is <Repeal RetainText="true">ten crowns</Repeal><Addition>twenty crowns</Addition> a day.')
    document = parse(source)
    assert "The fee is ten crowns twenty crowns a day." in document.text
    assert "struck" not in document.metadata
    assert lost_words(source, document) == []


def test_dots_for_words_that_the_publisher_took_out_are_text() -> None:
    assert (
        "The fee<dots> is due".replace("<dots>", " . . . .")
        in parse(_clml("The fee<Repeal> . . . .</Repeal> is due.")).text
    )


def test_a_document_that_is_mostly_struck_out_requires_review() -> None:
    document = parse(_page("A fee.</p><p><s>" + "A fee of ten crowns is due on every day. " * 9 + "</s>"))
    assert document.requires_manual_review


def test_signs_of_struck_words_without_a_partner_are_text() -> None:
    assert "between 5~~10 crowns" in parse(_note("The fee is between 5~~10 crowns.")).text


def test_word_files_list_what_change_tracking_deleted_and_what_is_set_struck_through(tmp_path: Path) -> None:
    file = docx.Document()
    file.add_heading("Fees", 1)
    paragraph = file.add_paragraph("The fee is")
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraph._p.append(
        parse_xml(f'<w:del xmlns:w="{space}"><w:r><w:delText xml:space="preserve"> ten </w:delText></w:r></w:del>')
    )
    paragraph.add_run("twenty crowns ")
    paragraph.add_run("or more ").font.strike = True
    paragraph.add_run("a day.")
    file.save(str(tmp_path / "fees.docx"))
    document = parse(SourceFile("fees.docx", (tmp_path / "fees.docx").read_bytes()))
    assert "The fee is twenty crowns a day." in document.text
    assert document.metadata["struck"] == ["ten", "or more"]


def test_words_struck_out_in_a_footnote_of_a_word_file_are_listed_too(tmp_path: Path) -> None:
    file = docx.Document()
    paragraph = file.add_paragraph("The fee is twenty crowns.")
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraph._p.append(parse_xml(f'<w:r xmlns:w="{space}"><w:footnoteReference w:id="2"/></w:r>'))
    notes = (
        f'<w:footnotes xmlns:w="{space}"><w:footnote w:id="2"><w:p><w:r><w:t xml:space="preserve">Raised from </w:t></w:r>'
        '<w:r><w:rPr><w:strike/></w:rPr><w:t xml:space="preserve">nine </w:t></w:r><w:r><w:t>ten.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), file.part.package)
    file.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes")
    file.save(str(tmp_path / "fees.docx"))
    document = parse(SourceFile("fees.docx", (tmp_path / "fees.docx").read_bytes()))
    assert "Raised from ten." in document.text
    assert document.metadata["struck"] == ["nine"]


def test_a_document_that_requires_review_still_does_if_it_has_a_few_struck_words() -> None:
    source = SourceFile("fees.txt", b"The fee is twenty crowns a day.")
    source.memo[STRUCK_WORDS] = ["ten"]
    builder = DocumentBuilder()
    builder.block("The fee is twenty crowns a day.", "block")
    document = builder.document(
        source,
        document_id="xx-fees",
        title="Fees",
        jurisdiction="xx",
        doc_type="act",
        language="eng",
        requires_manual_review=True,
    )
    assert document.requires_manual_review


@pytest.mark.parametrize(("source", "inner"), [(_page, "s"), (_akn, "del")])
def test_struck_words_inside_struck_words_are_listed_once(source: Callable[[str], SourceFile], inner: str) -> None:
    document = parse(source(f"The fee is <del>ten <{inner}>good</{inner}> crowns</del> twenty crowns a day."))
    assert document.metadata["struck"] == ["ten good crowns"]
    assert "The fee is twenty crowns a day." in document.text


@pytest.mark.parametrize("source", [_page, _akn])
def test_a_struck_space_between_a_word_in_bold_and_the_next_word_still_parts_them(
    source: Callable[[str], SourceFile],
) -> None:
    document = parse(source("The <b>old</b><del> and tired </del>keeper sleeps."))
    assert "The old keeper sleeps." in document.text
