"""PDF: running text in reading order, everything else behind it, and the structure of the text's own parser."""

import functools
import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import LIKELY, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.pdf import document as pdf_document
from legal_pipeline.parsing.sweden.official_print import parse_swedish_print
from legal_pipeline_tests.parsing.invariants import checked
from legal_pipeline_tests.real_documents import existing

LAYOUT = ("running_header", "running_footer", "page_number", "footnote")


def parse(path: Path) -> Document:
    return checked(SourceFile(path.name, path.read_bytes()))


def flow(document: Document) -> str:
    return document.text[: document.metadata["pages"][-1]["end"]]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text.casefold())


def recall(reference: str, found: str) -> float:
    """Share of the reference's words that the text has. The reference extractions leave words divided at line ends as two: a pair that
    makes one word of the text counts as found."""
    have = Counter(words(found))
    known = words(reference)
    hits = index = 0
    while index < len(known):
        pair = known[index] + known[index + 1] if index + 1 < len(known) else ""
        if have[known[index]] > 0:
            have[known[index]] -= 1
            hits += 1
        elif pair and have[pair] > 0:
            have[pair] -= 1
            hits += 2
            index += 1
        index += 1
    return hits / max(len(known), 1)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("pdf", "reference"),
    [
        ("in/judgments_pdf/insc2024_1.pdf", "in/judgments_pdf/insc2024_1.pypdf.txt"),
        ("in/judgments_pdf/insc2024_10.pdf", "in/judgments_pdf/insc2024_10.pypdf.txt"),
        ("in/judgments_pdf/insc2024_55.pdf", "in/judgments_pdf/insc2024_55.pypdf.txt"),
        ("se/agency/AFS-2011-19.pdf", "se/agency/AFS-2011-19.pdftext.txt"),
        ("se/amendment_pdfs/SFS2000-764-rkrattsdb.pdf", "se/amendment_pdfs/SFS2000-764.pdftext.txt"),
        ("se/amendment_pdfs/SFS2003-365-rkrattsdb.pdf", "se/amendment_pdfs/SFS2003-365.pdftext.txt"),
        ("se/amendment_pdfs/SFS2010-1225-rkrattsdb.pdf", "se/amendment_pdfs/SFS2010-1225.pdftext.txt"),
        ("se/amendment_pdfs/SFS2022-1109.pdf", "se/amendment_pdfs/SFS2022-1109.pdftext.txt"),
        ("se/amendment_pdfs/SFS2023-349.pdf", "se/amendment_pdfs/SFS2023-349.pdftext.txt"),
        ("se/amendment_pdfs/SFS2025-1458.pdf", "se/amendment_pdfs/SFS2025-1458.pdftext.txt"),
    ],
)
def test_the_words_of_an_independent_extraction_are_there(corpus: Path, pdf: str, reference: str) -> None:
    assert recall((corpus / reference).read_text(), parse(corpus / pdf).text) >= 0.98


@pytest.mark.corpus
def test_no_running_header_or_page_number_stands_in_the_flow(corpus: Path) -> None:
    for path in existing(corpus, "**/*.pdf"):
        document = parse(path)
        text = flow(document)
        layout = [node for node in document.nodes if node.type in LAYOUT]
        assert all(node.start >= len(text) for node in layout)
        assert "Page 2 of" not in text
        assert not re.search(r"\n\n\d{1,3}\n\n", text), path.name
        headers = {
            document.text_of(node)
            for node in layout
            if node.type.startswith("running") and len(document.text_of(node)) > 6
        }
        for row in document.metadata["pages"]:
            page = text[row["start"] : row["end"]].strip()
            first, last = page.split("\n\n")[0], page.split("\n\n")[-1]
            assert not {first, last} & headers, (path.name, row)


@pytest.mark.corpus
def test_pages_cover_the_flow_and_every_footer_knows_its_page(corpus: Path) -> None:
    document = parse(corpus / "in" / "judgments_pdf" / "insc2024_19.pdf")
    table = document.metadata["pages"]
    assert [row["number"] for row in table] == list(range(1, 27))
    assert all(left["end"] == right["start"] for left, right in itertools.pairwise(table))
    first = next(document.provisions())
    assert [row["number"] for row in table if row["start"] < first.end and row["end"] > first.start] == [1, 2]
    footers = [node for node in document.nodes if node.type == "running_footer"]
    assert [node.attributes["page"] for node in footers[:3]] == [1, 2, 3]


@pytest.mark.corpus
@pytest.mark.parametrize(("number", "paragraphs"), [(1, 30), (2, 24), (10, 13), (19, 38), (55, 20), (57, 27)])
def test_indian_judgments_have_their_numbered_paragraphs(corpus: Path, number: int, paragraphs: int) -> None:
    document = parse(corpus / "in" / "judgments_pdf" / f"insc2024_{number}.pdf")
    numbers = [int(node.num) for node in document.provisions() if node.num and node.num.isdigit()]
    assert document.doc_type == "judgment"
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert numbers[-1] >= paragraphs


@pytest.mark.corpus
def test_an_amending_act_has_the_sections_that_it_announces(corpus: Path) -> None:
    for path in existing(corpus / "se" / "amendment_pdfs", "*.pdf"):
        document = parse(path)
        assert document.metadata["base_law"]
        assert document.doc_type == "amendment"
        year, serial = re.findall(r"\d+", path.stem)[:2]
        assert document.document_id == f"se-sfs-{year}-{serial}"
        chapters = {
            (next((a.num for a in ancestors if a.type == "chapter"), ""), node.num)
            for node, ancestors in document.walk_with_ancestors() if node.type == "section"
        }  # fmt: skip
        announced = {
            (row.get("chapter", ""), row["section"]) for row in document.metadata.get("provisions", ())
            if row["action"] in ("amended", "inserted") and "section" in row
        }  # fmt: skip
        assert announced <= chapters
        assert not document.requires_manual_review


@pytest.mark.corpus
def test_footnotes_leave_the_text_and_keep_their_place(corpus: Path) -> None:
    document = parse(corpus / "se" / "amendment_pdfs" / "SFS2022-1109.pdf")
    notes = {node.num: node for node in document.nodes if node.type == "footnote"}
    assert document.text_of(notes["3"]) == "Senaste lydelse 2018:126."
    assert document.text[: notes["3"].attributes["anchor"]].rstrip().endswith("1 kap.\n\n2 §")
    assert "2 §3" not in document.text


@pytest.mark.corpus
def test_agency_regulations_have_all_their_sections(corpus: Path) -> None:
    folder = corpus / "se" / "agency"
    assert [node.num for node in parse(folder / "AFS-2023-1.pdf").provisions()] == [
        str(number) for number in range(1, 17)
    ]
    assert [node.num for node in parse(folder / "NFS-2021-6.pdf").provisions()] == [
        str(number) for number in range(1, 8)
    ]
    assert [node.num for node in parse(folder / "SRVFS-1993-6.pdf").provisions()] == ["1", "2", "3"]


@pytest.mark.corpus
def test_a_broken_font_mapping_asks_for_review(corpus: Path) -> None:
    document = parse(corpus / "in" / "indiacode_md" / "h198868.hindi.pdf")
    assert document.requires_manual_review
    assert document.metadata["text_quality"]["garbled"] > 0.02
    assert document.language == "hin"


def minimal_pdf(extra: str = "", content: bytes = b"") -> bytes:
    """A PDF of one page with `content` as its drawing instructions; `extra` goes into the trailer."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Filter /Standard /V 1 /R 2 /O (0123456789abcdef0123456789abcdef) /U (0123456789abcdef0123456789abcdef) /P -4 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        extra.encode(),
        start,
    )


def test_an_encrypted_file_says_so() -> None:
    data = minimal_pdf("/Encrypt 6 0 R /ID [(a) (b)]")
    with pytest.raises(ParseError, match="encrypted"):
        registry.parse(SourceFile("x.pdf", data))


def test_a_cut_off_file_and_a_damaged_one_are_errors() -> None:
    data = minimal_pdf(content=b"BT /F1 12 Tf 20 200 Td (Clocks shall ring.) Tj ET")
    with pytest.raises(TruncatedDocumentError):
        registry.parse(SourceFile("x.pdf", data[:40]))
    with pytest.raises(ParseError):
        registry.parse(SourceFile("x.pdf", b"%PDF-1.4\n" + b"\x00garbage" * 50 + b"%%EOF"))


def test_a_page_with_nothing_on_it_is_empty() -> None:
    with pytest.raises(EmptyDocumentError):
        registry.parse(SourceFile("x.pdf", minimal_pdf()))


def test_wrapped_lines_are_one_paragraph_and_a_gap_ends_it() -> None:
    drawing = b"BT /F1 12 Tf 14 TL 20 250 Td (The keeper of the tower shall see to it that the) Tj"
    drawing += b" T* (clocks ring at noon and at mid-) Tj T* (night.) Tj ET"
    drawing += b" BT /F1 12 Tf 20 180 Td (Nobody may stop the bells of the old tower.) Tj ET"
    document = registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing)))
    assert document.text.split("\n\n") == [
        "The keeper of the tower shall see to it that the clocks ring at noon and at midnight.",
        "Nobody may stop the bells of the old tower.",
    ]


def test_the_title_of_a_note_is_its_first_heading_and_not_the_text_above_it() -> None:
    drawing = b"BT /F1 10 Tf 20 280 Td (This copy was printed for the keeper of the tower.) Tj ET"
    drawing += b" BT /F1 18 Tf 20 240 Td (Bells of the Tower) Tj ET"
    drawing += b" BT /F1 10 Tf 12 TL 20 200 Td (Nobody may stop the bells of the old tower while the) Tj"
    drawing += b" T* (clocks ring, and nobody may ring them at night.) Tj ET"
    assert registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing))).title == "Bells of the Tower"


def test_words_below_a_drawn_line_are_struck_out_and_listed() -> None:
    """The first line strikes "shall not"; the others underline, rule off a table, are as wide as the column, and rule off a cell (they
    begin or end with its words)."""
    drawing = b"BT /F1 12 Tf 14 TL 20 250 Td (Clocks shall not) Tj 100 0 Td (ring at noon.) Tj ET"
    drawing += b" 59 253.6 m 108 253.6 l S 120 248 m 190 248 l S 20 262 m 190 262 l S 5 254 m 280 254 l S"
    drawing += b" 120 254 m 280 254 l S 5 254 m 186 254 l S"
    document = registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing)))
    assert document.text == "Clocks ring at noon."
    assert document.warnings[0] == "2 words that the source shows struck out are left out: 'shall not', …"


def test_words_of_a_negative_type_size_are_struck_out_too() -> None:
    drawing = (
        b"BT /F1 -12 Tf -1 0 0 -1 20 250 Tm (Clocks shall not) Tj ET BT /F1 12 Tf 120 250 Td (ring at noon.) Tj ET"
    )
    document = registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing + b" 59 253.6 m 108 253.6 l S")))
    assert document.text == "Clocks ring at noon."


def test_a_dash_that_lost_its_space_is_an_item_of_a_list_with_such_dashes() -> None:
    paragraphs = [
        "Förordning om fyrar;", "utfärdad den 4 mars 2031.", "Regeringen föreskriver följande.",
        "1 § Fyrens olja ska vara märkt", "– H317 röd,", "–H334 grön.", "2 § Fyren släcks i gryningen.", "–Nattens ljus är vitt.",
    ]  # fmt: skip
    document = parse_swedish_print(SourceFile("x.pdf", b"-"), paragraphs, [False] * len(paragraphs), ["SFS 2031:77"])
    assert document is not None
    items = [document.text_of(node) for node in document.walk() if node.type == "item"]
    assert items == ["– H317 röd,", "– H334 grön."]


def test_of_formats_that_are_equally_sure_the_first_reads_the_running_text() -> None:
    def read(source: SourceFile, title: str) -> Document:
        builder = DocumentBuilder()
        builder.block(source.text, "block")
        fields = {"jurisdiction": "gb", "doc_type": "act", "language": "eng"}
        return builder.document(source, document_id="a", title=title, **fields)

    formats = [
        Format(name, name, lambda _: LIKELY, functools.partial(read, title=name)) for name in ("first", "second")
    ]
    source = SourceFile("x.pdf", minimal_pdf(content=b"BT /F1 12 Tf 20 200 Td (Clocks shall ring.) Tj ET"))
    document = pdf_document.parse(source, formats)
    assert (document.text, document.title) == ("Clocks shall ring.", "first")


@pytest.mark.parametrize(
    ("size", "matrix", "step", "rotate"),
    [
        (-12, "-1 0 0 -1", (0, -14), 0),
        (12, "0 1 -1 0", (14, 0), 0),
        (12, "0 1 -1 0", (14, 0), 90),
        (12, "0 -1 1 0", (-14, 0), 270),
        (12, "-1 0 0 -1", (0, 14), 180),
    ],
    ids=["twice", "up", "up, on a turned page", "down", "upside down"],
)
def test_a_page_with_turned_text_is_read_in_the_order_of_its_lines(
    size: int, matrix: str, step: tuple[int, int], rotate: int
) -> None:
    lines = [
        "The keeper of the tower shall see to it that the",
        "clocks ring at noon and at midnight, and that",
        "nobody stops the bells of the tower.",
    ]
    place = {"0 1 -1 0": (100, 10), "0 -1 1 0": (200, 290)}.get(matrix, (10 if size < 0 else 290, 150))
    drawing = "".join(
        f"BT /F1 {size} Tf {matrix} {place[0] + number * step[0]} {place[1] + number * step[1]} Tm ({line}) Tj ET "
        for number, line in enumerate(lines)
    )
    data = minimal_pdf(content=drawing.encode()).replace(b"/Type /Page /", b"/Type /Page /Rotate %d /" % rotate)
    assert registry.parse(SourceFile("x.pdf", data)).text == " ".join(lines)


def test_words_in_bold_before_their_text_are_the_heading_of_the_provision() -> None:
    """The heading of the second rule goes on in the next line."""
    rules = [
        ("Rule 4.1 Lamps.", "", "The keeper lights the lamp."),
        ("Rule 4.2 Duties of the", "keeper.", "He trims the wick."),
        ("Rule 4.3 Fees.", "", "A boat pays."),
    ]
    drawing, y = "", 260
    for first, second, text in rules:
        drawing += f"BT /F2 10 Tf 10 {y} Td ({first}) Tj ET "
        x = 10 + 6 * len(first)
        if second:
            y, x = y - 12, 60
            drawing += f"BT /F2 10 Tf 10 {y} Td ({second}) Tj ET "
        drawing += f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET "
        y -= 40
    document = registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing.encode()), hints={"doc_type": "act"}))
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("4.1", "Lamps"),
        ("4.2", "Duties of the keeper"),
        ("4.3", "Fees"),
    ]


def _characters(text: str, gaps: dict[int, float]) -> bytes:
    """Drawing instructions with a text object for each character, also for a space; `gaps`: by index, how far a space moves the rest."""
    drawing, place = b"", 20.0
    for index, char in enumerate(text):
        drawing += f"BT /F1 12 Tf {place:.2f} 250 Td ({char}) Tj ET ".encode()
        place += gaps.get(index, 3.3) if char == " " else 6.67
    return drawing


def test_a_space_that_is_a_text_object_of_its_own_is_read_where_it_is_narrow() -> None:
    text = "bend nose and aged bone"  # letters of one width
    narrow = {index: 1.2 for index, char in enumerate(text) if char == " "}
    assert registry.parse(SourceFile("x.pdf", minimal_pdf(content=_characters(text, narrow)))).text == text


def test_an_empty_text_object_inside_a_word_is_no_space() -> None:
    drawing = _characters("bone", {}).replace(b"(n) Tj ET ", b"(n) Tj ET BT /F1 12 Tf 40 250 Td ( ) Tj ET ")
    assert registry.parse(SourceFile("x.pdf", minimal_pdf(content=drawing))).text == "bone"
