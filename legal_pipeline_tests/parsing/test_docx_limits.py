"""Word files made to do harm: they end in a typed error or a document, soon and small, and no text is lost or doubled on the way."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from docx.oxml import parse_xml

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError
from legal_pipeline.parsing.docx_text import word_paragraphs
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth
from legal_pipeline_tests.parsing.test_docx import numbered, word

_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def element(xml: str) -> Any:
    """`xml` with the namespace of Word declared on its first element."""
    tag = xml.split(">", 1)[0].split(" ", 1)[0]
    return parse_xml(xml.replace(tag, f"{tag} {_NAMESPACE}", 1))


def texts(source: SourceFile) -> list[str]:
    return [item.text for item in word_paragraphs(source)]


def rewritten(source: SourceFile, part: str, change: Callable[[str], str]) -> SourceFile:
    """`source` with the XML of one part changed."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(source.data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for item in old.infolist():
            data = old.read(item)
            new.writestr(item.filename, change(data.decode("utf-8")).encode("utf-8") if item.filename == part else data)
    return SourceFile(source.name, stream.getvalue())


def with_list(form: str, start: str, text: str = "%1.", level: str = "0") -> Callable[[Any], None]:
    def fill(document: Any) -> None:
        root = document.part.numbering_part.element
        root.insert(0, element(
            f'<w:abstractNum w:abstractNumId="77"><w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>'
            f'<w:lvlText w:val="{text}"/></w:lvl></w:abstractNum>'
        ))  # fmt: skip
        root.append(element('<w:num w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
        numbered(document, "The toll is due.", "77", level)

    return fill


def test_styles_based_on_each_other_end_where_the_circle_closes() -> None:
    def fill(document: Any) -> None:
        for name, base in (("A", "B"), ("B", "A")):
            document.styles.element.append(element(
                f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:basedOn w:val="{base}"/></w:style>'
            ))  # fmt: skip
        document.add_paragraph("The toll is due.", style="A")
        document.add_paragraph("A raft pays half.", style="B")

    assert texts(word(fill)) == ["The toll is due.", "A raft pays half."]


def test_a_number_is_inherited_through_a_chain_of_styles() -> None:
    def fill(document: Any) -> None:
        with_list("decimal", "4")(document)
        number = '<w:pPr><w:numPr><w:numId w:val="77"/></w:numPr></w:pPr>'
        for name, rest in (("A", number), ("B", '<w:basedOn w:val="A"/>'), ("C", '<w:basedOn w:val="B"/>')):
            document.styles.element.append(
                element(f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/>{rest}</w:style>')
            )
        document.add_paragraph("A raft pays half.", style="C")

    assert [(item.number, item.text) for item in word_paragraphs(word(fill))] == [
        ("4.", "The toll is due."),
        ("5.", "A raft pays half."),
    ]


@pytest.mark.parametrize("form", ["lowerLetter", "upperRoman", "decimal"])
@pytest.mark.parametrize("start", ["2600000000000", "32768", "-1", "9" * 5000])
def test_a_list_that_begins_beyond_what_word_can_print_is_refused(form: str, start: str) -> None:
    with pytest.raises(LimitExceededError, match="a list that begins at"):
        parse(word(with_list(form, start)))


def test_a_list_that_word_can_print_is_read() -> None:
    (paragraph,) = word_paragraphs(word(with_list("upperRoman", "32767")))
    assert paragraph.number == "M" * 32 + "DCCLXVII."


def test_a_printed_number_is_short() -> None:
    for text in ("x" * 256, "%1" * 200):
        with pytest.raises(LimitExceededError, match="a number of"):
            parse(word(with_list("lowerLetter", "30", text)))


def test_a_list_has_nine_levels() -> None:
    assert [item.number for item in word_paragraphs(word(with_list("decimal", "1", "%9", level="8")))] == ["1"]
    # A level that does not exist has no number; on the way to it none is counted.
    assert [item.number for item in word_paragraphs(word(with_list("decimal", "1", level="99999999")))] == [""]


def test_an_entity_of_its_own_is_refused_as_in_xml() -> None:
    source = word(lambda document: document.add_paragraph("The toll is NOT due."))

    def declare(xml: str) -> str:
        head, body = xml.split("?>", 1)
        return f'{head}?><!DOCTYPE w:document [<!ENTITY n "not">]>{body.replace("NOT", "&n;")}'

    with pytest.raises(ParseError, match="declares a document type") as caught:
        parse(rewritten(source, "word/document.xml", declare))
    assert caught.value.position == "/word/document.xml"


def test_a_table_inside_a_table_stands_once() -> None:
    def fill(document: Any) -> None:
        outer = document.add_table(rows=2, cols=2)
        outer.cell(0, 0).text = "Barge"
        inner = outer.cell(0, 1).add_table(rows=2, cols=1)
        inner.cell(0, 0).text = "by day"
        deepest = inner.cell(1, 0).add_table(rows=1, cols=1)
        deepest.cell(0, 0).text = "by night"
        outer.cell(1, 0).text = "Raft"

    (table,) = word_paragraphs(word(fill))
    assert table.lines == ("Barge | by day by night", "Raft |")


def test_rows_and_cells_in_content_controls_are_read() -> None:
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    row = f"<w:tr>{cell.format('Barge')}<w:sdt><w:sdtContent>{cell.format('2 dollars')}</w:sdtContent></w:sdt></w:tr>"

    def fill(document: Any) -> None:
        document.element.body.insert(
            0, element(f"<w:tbl>{row}<w:sdt><w:sdtContent>{row}</w:sdtContent></w:sdt></w:tbl>")
        )

    (table,) = word_paragraphs(word(fill))
    assert table.lines == ("Barge | 2 dollars", "Barge | 2 dollars")


def test_a_text_box_stands_once_and_apart() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>A boxed note.</w:t></w:r></w:p></w:txbxContent>"
    choice = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f'<mc:Choice Requires="wps">{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>'
    )

    def fill(document: Any) -> None:
        document.element.body.insert(0, element(f"<w:p><w:r><w:t>The toll is due.</w:t>{choice}</w:r></w:p>"))

    assert texts(word(fill)) == ["The toll is due. A boxed note."]


def with_sections(number: int) -> SourceFile:
    def fill(document: Any) -> None:
        document.sections[0].header.paragraphs[0].text = "Canal Tolls Act"
        for index in range(number):
            document.add_paragraph(f"The toll is {index}.")
            # A break without headers of its own: it goes on with those of the section before it.
            document.paragraphs[-1]._p.get_or_add_pPr().append(
                element('<w:sectPr><w:type w:val="nextPage"/></w:sectPr>')
            )

    return word(fill)


def test_headers_of_sections_take_time_in_proportion_to_the_sections() -> None:
    found = texts(with_sections(3))
    assert found == ["The toll is 0.", "The toll is 1.", "The toll is 2.", "Canal Tolls Act"]

    def make(number: int) -> Callable[[], object]:
        source = with_sections(number)
        return lambda: word_paragraphs(source)

    assert growth(make, 120) < NEARLY_LINEAR


def with_note(references: int, note: str, kind: str = "footnote") -> SourceFile:
    def fill(document: Any) -> None:
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        xml = (
            f'<w:{kind}s {_NAMESPACE}><w:{kind} w:id="2"><w:p><w:r><w:t>{note}</w:t></w:r></w:p></w:{kind}></w:{kind}s>'
        )
        part = Part(
            PackURI(f"/word/{kind}s.xml"),
            f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml",
            xml.encode(),
            document.part.package,
        )
        document.part.relate_to(part, f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s")
        for _ in range(references):
            paragraph = document.add_paragraph("The toll is due.")
            paragraph._p.append(element(f'<w:r><w:{kind}Reference w:id="2"/></w:r>'))

    return word(fill)


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_note_stands_once_however_often_it_is_referred_to(kind: str) -> None:
    found = word_paragraphs(with_note(3, "See the schedule.", kind))
    assert [item.footnotes for item in found] == [("See the schedule.",), (), ()]


def test_a_note_in_a_table_and_in_an_act_is_kept() -> None:
    def fill(document: Any) -> None:
        for line, bold in (("An Act to levy tolls.", False), ("1 Title", True), ("A toll.", False), ("2 Tolls", True)):
            document.add_paragraph().add_run(line).bold = bold
        table = document.add_table(rows=1, cols=1)
        table.cell(0, 0).text = "Barge"
        table.cell(0, 0).paragraphs[0]._p.append(element('<w:r><w:footnoteReference w:id="2"/></w:r>'))

    source = with_note(0, "See the schedule.")
    act = word(fill)
    with zipfile.ZipFile(io.BytesIO(act.data)) as archive:
        body = archive.read("word/document.xml").decode("utf-8")
    document = parse(rewritten(source, "word/document.xml", lambda _: body))
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert "See the schedule." in document.text


def test_a_note_of_a_table_stands_once_although_text_in_one_cell_divides_the_table() -> None:
    def fill(document: Any) -> None:
        table = document.add_table(rows=3, cols=2)
        table.cell(0, 0).text, table.cell(0, 1).text = "Barge", "two pence"
        table.cell(0, 0).paragraphs[0]._p.append(element('<w:r><w:footnoteReference w:id="2"/></w:r>'))
        cell = table.cell(1, 0).merge(table.cell(1, 1))
        cell.text = "The tolls are due at noon."
        for line in ("The keeper of the lock collects them.", "He gives a receipt."):
            cell.add_paragraph(line)
        table.cell(2, 0).text, table.cell(2, 1).text = "Raft", "one penny"

    source = with_note(0, "Also a barge without a load.")
    with zipfile.ZipFile(io.BytesIO(word(fill).data)) as archive:
        body = archive.read("word/document.xml").decode("utf-8")
    found = word_paragraphs(rewritten(source, "word/document.xml", lambda _: body))
    assert [(item.lines[0], item.footnotes) for item in found if item.kind == "table"] == [
        ("Barge | two pence", ("Also a barge without a load.",)),
        ("Raft | one penny", ()),
    ]


def test_an_archive_that_grows_a_hundredfold_is_refused_unread() -> None:
    source = word(lambda document: document.add_paragraph("The toll is due."))
    with pytest.raises(LimitExceededError, match="unpack to"):
        parse(rewritten(source, "word/document.xml", lambda xml: xml.replace("<w:p>", "<w:p/>" * 500_000 + "<w:p>", 1)))


def test_the_text_of_a_document_is_no_longer_than_its_xml() -> None:
    source = word(with_list("decimal", "1", "%1" + "x" * 250))
    line = '<w:p><w:pPr><w:numPr><w:numId w:val="77"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    many = rewritten(source, "word/document.xml", lambda xml: xml.replace("<w:sectPr", line * 8000 + "<w:sectPr", 1))
    with pytest.raises(LimitExceededError, match="a text of more than"):
        word_paragraphs(many)


def test_a_wrong_call_in_our_own_code_is_a_defect_and_not_a_broken_file(monkeypatch: pytest.MonkeyPatch) -> None:
    source = word(lambda document: document.add_paragraph("The toll is due."))
    monkeypatch.setattr("legal_pipeline.parsing.docx_text.one_line", lambda: "takes no text")
    with pytest.raises(TypeError):
        word_paragraphs(source)


def test_a_word_file_without_a_body_is_refused() -> None:
    source = word(lambda document: document.add_paragraph("The toll is due."))
    empty = rewritten(source, "word/document.xml", lambda xml: xml.replace("w:body", "w:other"))
    with pytest.raises(ParseError, match="no body"):
        word_paragraphs(empty)


@pytest.mark.parametrize("start", ["1", "4"])
def test_a_list_that_begins_on_its_second_level_has_the_first_number_of_the_first(start: str) -> None:
    def fill(document: Any) -> None:
        levels = "".join(
            f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
            for level, text in enumerate(("%1.", "%1.%2."))
        )
        root = document.part.numbering_part.element
        root.insert(0, element(f'<w:abstractNum w:abstractNumId="77">{levels}</w:abstractNum>'))
        root.append(element('<w:num w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
        numbered(document, "The toll is due.", "77", "1")

    assert [item.number for item in word_paragraphs(word(fill))] == [f"{start}.{start}."]
