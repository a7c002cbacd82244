"""Word files: what Word prints is in the text, and judgments, Acts and other documents are told apart."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.parsing import docx as docx_format
from legal_pipeline.parsing.docx_text import word_paragraphs
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.invariants import check_invariants, parsed


def word(fill: Callable[[Any], None]) -> SourceFile:
    document = docx.Document()
    fill(document)
    stream = io.BytesIO()
    document.save(stream)
    return SourceFile("file.docx", stream.getvalue())


def judgment(document: Any) -> None:
    for line in (
        "IN THE HIGH COURT OF ZIMBABWE",
        "CASE NO: HC 12/25",
        "DATE: 14 May 2025",
        "[2025] ZWHHC 304",
        "In the matter between:",
        "CANAL COMPANY",
        "and",
        "JOHN RAFTER",
        "JUDGMENT",
        "MOYO J:",
        "[1] The applicant owns a canal and asks for tolls.",
        "[2] The respondent says that his raft is no barge.",
        "[3] I find that a raft floats, and a toll is due.",
        "[4] The application is granted with costs.",
    ):
        document.add_paragraph(line)


def test_a_judgment_has_its_numbered_paragraphs_and_its_cause() -> None:
    document = docx_format.FORMAT.parse(word(judgment))
    check_invariants(document)
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]
    assert (document.document_id, document.doc_type, document.as_of_date) == (
        "zw-judgment-zwhhc-2025-304",
        "judgment",
        "2025-05-14",
    )
    assert document.work_uri == "/akn/zw/judgment/zwhhc/2025/304"


def test_a_heading_of_a_judgment_is_a_heading_and_no_text_of_the_paragraph_before() -> None:
    def fill(document: Any) -> None:
        judgment(document)
        document.add_heading("Costs of the raft", level=2)
        document.add_paragraph("[5] The raftsman pays them.")

    document = docx_format.FORMAT.parse(word(fill))
    assert [document.text_of(node) for node in document.walk() if node.type == "heading"][-1] == "Costs of the raft"
    assert not [node for node in document.provisions() if "Costs of the raft" in document.text_of(node)]
    assert document.title == "CANAL COMPANY v JOHN RAFTER"
    assert document.metadata["court"] == "HIGH COURT OF ZIMBABWE"
    assert document.metadata["judges"] == ["Moyo J"]


_TRIBUNAL = (
    "Neutral Citation Number: [2021] UKFTT 00077 (GRC)",
    "Appeal Number: CB/2021/0012",
    "Decision given on: 3 May 2021",
    "First-Tier Tribunal",
    "(General Regulatory Chamber)",
    "Between:",
    "ANNA BARGEE",
    "Appellant:",
    "- and -",
    "Respondent",
    "THE TOLL COMMISSIONER",
    "Before: Judge Rafter",
    "Date of hearing: 30 April 2021",
    "REASONS",
)
_PARAGRAPHS = tuple(f"{number}. The barge paid toll {number} at the lock." for number in range(1, 9))


def test_a_usual_heading_of_a_judgment_needs_no_style() -> None:
    def fill(document: Any) -> None:
        judgment(document)
        document.paragraphs[-1].insert_paragraph_before("Conclusion")

    document = docx_format.FORMAT.parse(word(fill))
    assert [node.heading for node in document.nodes if node.type == "decision"] == ["Conclusion"]


def test_a_decision_of_a_tribunal_in_word_is_a_judgment_and_not_an_act() -> None:
    document = docx_format.FORMAT.parse(
        word(lambda file: [file.add_paragraph(line) for line in (*_TRIBUNAL, *_PARAGRAPHS)])
    )
    assert [node.num for node in document.provisions()] == list("12345678")
    assert (document.document_id, document.number) == ("gb-judgment-ukftt-grc-2021-77", "[2021] UKFTT 77 (GRC)")
    assert (document.title, document.as_of_date) == ("ANNA BARGEE v THE TOLL COMMISSIONER", "2021-05-03")
    assert document.metadata["court"] == "First-Tier Tribunal, (General Regulatory Chamber)"
    assert document.metadata["case_number"] == "CB/2021/0012"


def test_parties_of_a_judgment_may_be_cells_of_a_table() -> None:
    def fill(file: Any) -> None:
        for line in ("Case No: 9/21", "IN THE HIGH COURT OF JUSTICE", "Date: 13/02/2021", "Between :"):
            file.add_paragraph(line)
        table = file.add_table(rows=3, cols=2)
        for row, cells in enumerate((("ANNA BARGEE", "Claimant"), ("- and -", ""), ("THE LOCK COMPANY", "Defendant"))):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        for line in ("JUDGMENT", *_PARAGRAPHS):
            file.add_paragraph(line)

    document = docx_format.FORMAT.parse(word(fill))
    assert (document.title, document.as_of_date) == ("ANNA BARGEE v THE LOCK COMPANY", "2021-02-13")


def test_a_table_that_only_places_the_text_on_the_page_is_read_as_paragraphs() -> None:
    def fill(file: Any) -> None:
        table = file.add_table(rows=3, cols=2)
        for column, text in enumerate(("Lock court", "LC 7/21")):
            table.cell(0, column).text = text
        cell = table.cell(1, 0).merge(table.cell(1, 1))
        cell.text = "The lock keeper asks for a toll."
        cell.add_paragraph("The bargee says that she paid.")
        inner = cell.add_table(rows=1, cols=2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "toll", "paid"
        cell.add_paragraph("The toll was paid.")
        table.cell(2, 0).text, table.cell(2, 1).text = "Costs", "none"

    found = word_paragraphs(word(fill))
    assert [(item.kind, item.lines) for item in found] == [
        ("table", ("Lock court | LC 7/21",)),
        ("paragraph", ("The lock keeper asks for a toll.",)),
        ("paragraph", ("The bargee says that she paid.",)),
        ("table", ("toll | paid",)),
        ("paragraph", ("The toll was paid.",)),
        ("table", ("Costs | none",)),
    ]
    assert docx_format.FORMAT.parse(word(fill)).title == "Lock court | LC 7/21"


def test_the_citation_of_the_decision_under_appeal_is_not_that_of_the_judgment() -> None:
    lines = ["IN THE COURT OF APPEAL", "ON APPEAL FROM THE HIGH COURT OF JUSTICE", "[2020] EWHC 88 (Admin)", "Between:"]
    lines += ["ANNA BARGEE", "Appellant", "and", "THE LOCK COMPANY", "Respondent", "JUDGMENT", *_PARAGRAPHS]
    document = docx_format.FORMAT.parse(word(lambda file: [file.add_paragraph(line) for line in lines]))
    assert (document.doc_type, document.number, document.work_uri) == ("judgment", None, None)


def numbered(document: Any, text: str, number: str, level: str = "0") -> None:
    paragraph = document.add_paragraph(text)
    properties = paragraph._p.get_or_add_pPr()
    numbering = OxmlElement("w:numPr")
    for name, value in (("w:ilvl", level), ("w:numId", number)):
        element = OxmlElement(name)
        element.set(qn("w:val"), value)
        numbering.append(element)
    properties.append(numbering)


def with_numbering(document: Any, restart: str | None = None) -> None:
    """Lists of two levels, `[%1]` and `(%2)`: 77, and 78, which begins at 9. `restart` is the `lvlRestart` of the second level."""
    root = document.part.numbering_part.element
    abstract = OxmlElement("w:abstractNum")
    abstract.set(qn("w:abstractNumId"), "77")
    for level, (form, text) in enumerate((("decimal", "[%1]"), ("lowerLetter", "(%2)"))):
        entry = OxmlElement("w:lvl")
        entry.set(qn("w:ilvl"), str(level))
        for name, value in (("w:start", "1"), ("w:numFmt", form), ("w:lvlText", text)):
            element = OxmlElement(name)
            element.set(qn("w:val"), value)
            entry.append(element)
        if level and restart is not None:
            entry.append(_with(OxmlElement("w:lvlRestart"), "w:val", restart))
        abstract.append(entry)
    root.insert(0, abstract)
    for name in ("77", "78"):
        number = _with(OxmlElement("w:num"), "w:numId", name)
        number.append(_with(OxmlElement("w:abstractNumId"), "w:val", "77"))
        if name == "78":
            override = _with(OxmlElement("w:lvlOverride"), "w:ilvl", "0")
            override.append(_with(OxmlElement("w:startOverride"), "w:val", "9"))
            number.append(override)
        root.append(number)


def _with(element: Any, name: str, value: str) -> Any:
    element.set(qn(name), value)
    return element


@pytest.mark.parametrize(("alignment", "is_centred"), [("start", False), ("end", False), ("center", True)])
def test_every_alignment_of_word_is_read(alignment: str, is_centred: bool) -> None:
    def fill(document: Any) -> None:
        mark = OxmlElement("w:jc")
        mark.set(qn("w:val"), alignment)
        document.add_paragraph("The lamp is lit at dusk.")._p.get_or_add_pPr().append(mark)

    (found,) = word_paragraphs(word(fill))
    assert found.centred is is_centred


def test_automatic_numbers_are_counted_as_word_prints_them() -> None:
    def fill(document: Any) -> None:
        with_numbering(document)
        for text, level in (("One.", "0"), ("First.", "1"), ("Second.", "1"), ("Two.", "0"), ("Again.", "1")):
            numbered(document, text, "77", level)

    found = [(item.number, item.text) for item in word_paragraphs(word(fill))]
    assert found == [("[1]", "One."), ("(a)", "First."), ("(b)", "Second."), ("[2]", "Two."), ("(a)", "Again.")]


def test_a_list_that_restarts_sets_the_numbers_of_the_lists_behind_it() -> None:
    def fill(document: Any) -> None:
        with_numbering(document)
        for text, number in (("One.", "77"), ("Nine.", "78"), ("Ten.", "78"), ("Eleven.", "77")):
            numbered(document, text, number)

    assert [item.number for item in word_paragraphs(word(fill))] == ["[1]", "[9]", "[10]", "[11]"]


@pytest.mark.parametrize(("restart", "last"), [(None, "(a)"), ("1", "(a)"), ("0", "(b)")])
def test_a_level_counts_on_below_the_next_heading_if_the_file_says_so(restart: str | None, last: str) -> None:
    def fill(document: Any) -> None:
        with_numbering(document, restart)
        for text, level in (("Lamps", "0"), ("Lit.", "1"), ("Oil", "0"), ("Kept.", "1")):
            numbered(document, text, "77", level)

    assert [item.number for item in word_paragraphs(word(fill))] == ["[1]", "(a)", "[2]", last]


def test_a_hyphen_that_breaks_no_line_is_in_the_text_and_among_the_words_of_the_source() -> None:
    def fill(document: Any) -> None:
        document.add_paragraph("The well").runs[0]._r.append(OxmlElement("w:noBreakHyphen"))
        document.paragraphs[-1].add_run("known lamp is lit at dusk by its keeper.")

    assert (parse(word(fill)).text[:14], parse(word(fill)).warnings) == ("The well-known", ())


def test_struck_out_and_hidden_text_is_not_read_and_inserted_text_is() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("A toll is ")
        for tag, text in (("w:del", "not "), ("w:ins", "always ")):
            change = OxmlElement(tag)
            run = OxmlElement("w:r")
            piece = OxmlElement("w:delText" if tag == "w:del" else "w:t")
            piece.text = text
            piece.set(qn("xml:space"), "preserve")
            run.append(piece)
            change.append(run)
            paragraph._p.append(change)
        paragraph.add_run("due.")
        paragraph.add_run(" Draft note.").font.hidden = True

    assert [item.text for item in word_paragraphs(word(fill))] == ["A toll is always due."]


@pytest.mark.parametrize(("wrapper", "is_read"), [("w:sdt", True), ("w:ins", True), ("w:del", False)])
def test_paragraphs_inside_a_content_control_or_an_inserted_block_are_read_and_deleted_ones_are_not(
    wrapper: str, is_read: bool
) -> None:
    def fill(document: Any) -> None:
        document.add_paragraph("A toll is due.")
        wrapped, content = OxmlElement(wrapper), OxmlElement("w:sdtContent")
        wrapped.append(content)
        content.append(document.add_paragraph("The keeper collects it.")._p)
        document.element.body.insert(1, wrapped)

    read = [item.text for item in word_paragraphs(word(fill))]
    assert read == ["A toll is due.", *(["The keeper collects it."] if is_read else [])]


def test_a_cell_with_a_label_above_a_heading_is_read_as_paragraphs() -> None:
    def fill(document: Any) -> None:
        for number in range(1, 6):
            table = document.add_table(rows=1, cols=3)
            table.cell(0, 0).text = f"Artigo {number}.º"
            table.cell(0, 0).add_paragraph(f"Faróis do porto {number}")
            document.add_paragraph("O farol é aceso de noite e apagado de dia pelo guarda do porto.")

    document = docx_format.FORMAT.parse(word(fill))
    assert [(node.num, node.heading) for node in document.provisions()] == [
        (str(number), f"Faróis do porto {number}") for number in range(1, 6)
    ]


def test_tables_are_rows_of_cells() -> None:
    def fill(document: Any) -> None:
        document.add_paragraph("The tolls are:")
        table = document.add_table(rows=2, cols=2)
        for row, cells in enumerate((("Barge", "2 dollars"), ("Raft", ""))):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text

    document = docx_format.FORMAT.parse(word(fill))
    (node,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(node) == "Barge | 2 dollars\nRaft |"


def toll_act(document: Any) -> None:
    for text, bold in (
        ("No. 4/1991", True), ("ZIMBABWE", True), ("An Act to levy tolls.", False), ("PART I", True), ("1 Short title", True),
        ("This Act may be cited as the Canal Tolls Act.", False), ("2 Tolls", True), ("(1) A barge pays—", False),
        ("(a) a toll.", False),
    ):  # fmt: skip
        document.add_paragraph().add_run(text).bold = bold


def test_an_act_in_word_has_its_hierarchy() -> None:
    document = docx_format.FORMAT.parse(word(toll_act))
    assert (document.document_id, document.format) == ("zw-act-1991-4", "docx")
    assert [(node.type, node.num) for node in document.walk() if node.num] == [
        ("part", "I"), ("section", "1"), ("section", "2"), ("subsection", "1"), ("paragraph", "a"),
    ]  # fmt: skip


def contract(document: Any) -> None:
    for text, bold in (
        ("LAMP SUPPLY AGREEMENT", False), ("BETWEEN the Harbour and the Keeper. IT IS AGREED:", False), ("1. DEFINITIONS", True),
        ("1.1 In this Agreement a lamp is an oil lamp.", False), ("2. SUPPLY", True), ("2.1 The Keeper supplies ten lamps.", False),
        ("3. LAW", True), ("3.1 This Agreement is governed by the law of Zimbabwe.", False),
    ):  # fmt: skip
        document.add_paragraph().add_run(text).bold = bold


def test_a_contract_is_no_act_of_the_country_whose_law_governs_it() -> None:
    document = docx_format.FORMAT.parse(word(contract))
    assert (document.document_id, document.doc_type, document.jurisdiction) == ("doc-file", "other", "xx")


@pytest.mark.parametrize("kind", ["other", "regulation", "guidance", "judgment"])
@pytest.mark.parametrize("fill", [contract, judgment, toll_act])
def test_a_stated_type_and_country_are_those_of_the_document(fill: Callable[[Any], None], kind: str) -> None:
    document = docx_format.FORMAT.parse(word(fill).with_hints(doc_type=kind, jurisdiction="nz"))
    if kind != "judgment" or fill is judgment:
        assert document.doc_type == kind
    assert document.jurisdiction == "nz"


def test_headers_and_footers_of_an_act_are_kept_and_are_no_text_of_a_section() -> None:
    def fill(document: Any) -> None:
        section = document.sections[0]
        section.header.paragraphs[0].text, section.footer.paragraphs[0].text = "Canal Tolls Act", "Printed at Chegutu"
        for text, bold in (
            ("ZIMBABWE", True), ("An Act to levy tolls.", False), ("1 Short title", True),
            ("This Act may be cited as the Canal Tolls Act.", False), ("2 Tolls", True), ("A barge pays a toll.", False),
        ):  # fmt: skip
            document.add_paragraph().add_run(text).bold = bold

    document = docx_format.FORMAT.parse(word(fill))
    assert [document.text_of(node) for node in document.nodes if node.type == "running_header"] == [
        "Canal Tolls Act",
        "Printed at Chegutu",
    ]
    assert document.text_of(document.nodes[-1]) == "2 Tolls\n\nA barge pays a toll."


def test_a_corrected_note_stays_the_same_document() -> None:
    def note(document: Any) -> None:
        document.add_heading("Tolls of the canal")
        document.add_paragraph("A barge pays the keeper of the lock.")

    def corrected(document: Any) -> None:
        note(document)
        document.add_paragraph("A raft pays half.")

    assert {docx_format.FORMAT.parse(word(fill)).document_id for fill in (note, corrected)} == {"doc-file"}


def test_a_corrected_judgment_without_a_citation_stays_the_same_document() -> None:
    def bare(document: Any, end: str) -> None:
        judgment(document)
        for paragraph in document.paragraphs:
            if paragraph.text.startswith(("CASE NO", "[2025]", "DATE")):
                paragraph.clear()
        document.add_paragraph(end)

    found = [
        docx_format.FORMAT.parse(word(lambda document, end=end: bare(document, end))) for end in ("MOYO J", "Moyo J")
    ]
    assert [document.document_id for document in found] == ["zw-judgment-case-file"] * 2


def test_an_empty_file_is_a_typed_error() -> None:
    with pytest.raises(EmptyDocumentError):
        docx_format.FORMAT.parse(word(lambda document: None))


def test_a_broken_archive_is_a_typed_error() -> None:
    data = word(judgment).data
    with pytest.raises(TruncatedDocumentError):
        docx_format.FORMAT.parse(SourceFile("file.docx", data[: len(data) // 2]))


def test_an_archive_that_is_no_word_file_is_a_typed_error() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    with pytest.raises(ParseError):
        docx_format.FORMAT.parse(SourceFile("file.docx", stream.getvalue()))


def test_an_archive_that_unpacks_to_too_much_is_refused_unread() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 5_000_000)
    with pytest.raises(LimitExceededError):
        docx_format.FORMAT.parse(SourceFile("file.docx", stream.getvalue(), limits=Limits(max_bytes=1_000_000)))


@pytest.mark.corpus
def test_the_johannesburg_judgment(corpus: Path) -> None:
    document = parsed(corpus / "zw" / "judgments" / "zagpjhc_judgment.docx")
    assert (document.doc_type, document.jurisdiction, document.as_of_date) == ("judgment", "za", "2020-11-02")
    assert document.title == "THE STATE v VINCENZO PIETROPAOLO"
    assert document.metadata["case_number"] == "SS076/2018"
    assert document.metadata["court"].startswith("HIGH COURT OF SOUTH AFRICA, GAUTENG LOCAL DIVISION")
    assert document.metadata["judges"] == ["Mokgoatlheng J"]
    assert "GUILTY AS CHARGED" in document.text


def test_line_breaks_of_a_pasted_page_separate_its_provisions() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph()
        for number in range(1, 7):
            paragraph.add_run(f"Article {number}. The keeper lights lamp {number} at dusk.").add_break()

    document = docx_format.parse(word(fill))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 7)]


def draft(document: Any) -> None:
    """A draft regulation: amended wordings are in bold, and a line break separates an article from its heading."""
    document.add_paragraph("REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL")
    for number, heading in enumerate(("Subject matter", "Scope", "Definitions", "Entry into force"), 1):
        article = document.add_paragraph()
        article.add_run(f"Article {number}")
        article.add_run().add_break()
        article.add_run(heading)
        for point in (1, 2, 3):
            text = f"{point}. Chapter {number} of this Regulation applies to all keepers of lamps on the coast."
            document.add_paragraph().add_run(text).bold = number < 4


def test_articles_in_word_are_provisions_and_amended_paragraphs_in_bold_are_no_headings() -> None:
    document = docx_format.FORMAT.parse(word(draft))
    check_invariants(document)
    articles = [node for node in document.walk() if node.type in ("article", "section")]
    assert [(node.eid, node.heading) for node in articles] == [
        ("art_1", "Subject matter"),
        ("art_2", "Scope"),
        ("art_3", "Definitions"),
        ("art_4", "Entry into force"),
    ]
    for article in articles:
        assert [node.num for node in article.children if node.type == "paragraph"] == ["1", "2", "3"]
    assert document.document_id == "eu-act-regulation-2031-77"


def in_tables(document: Any) -> None:
    """Each recital and point in a table of its own, with its number in the first cell, as programs that export pages write them."""

    def row(number: str, text: str) -> None:
        cells = document.add_table(1, 2).rows[0].cells
        cells[0].text, cells[1].text = number, text

    document.add_paragraph("COUNCIL REGULATION (EC) No 77/2003")
    document.add_paragraph("Whereas:")
    row("(1)", "Lamps guide ships along the coast.")
    row("(2)", "A keeper should watch each lamp.")
    for number in (1, 2, 3):
        document.add_paragraph(f"Article {number}")
        document.add_paragraph("The keeper shall:")
        row("(a)", "light the lamp; and")
        row("(b)", "watch it.")
    table = document.add_table(1, 2).rows[0].cells
    table[0].text, table[1].text = "Lamp", "Harbour"


def test_a_table_that_puts_numbers_beside_their_text_is_paragraphs() -> None:
    document = docx_format.FORMAT.parse(word(in_tables))
    check_invariants(document)
    assert [node.eid for node in document.walk() if node.type == "recital"] == ["rec_1", "rec_2"]
    points = [node.eid for node in document.walk() if (node.eid or "").startswith("art_") and node.num in ("a", "b")]
    assert points == [f"art_{number}__para_{letter}" for number in (1, 2, 3) for letter in "ab"]
    assert [document.text_of(node) for node in document.walk() if node.type == "table"] == ["Lamp | Harbour"]
