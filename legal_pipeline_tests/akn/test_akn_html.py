"""Akoma Ntoso as HTML: names from classes, eIds from `data-eId`, identity from the cover page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.akn import html as akn_html
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import IncompleteDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.invariants import check_invariants, checked, parsed

COVER = """<div class="coverpage"><div class="place-name">Zambia</div><h1>Canal Tolls Act</h1>
<h2>Act 4 of 1991</h2><ul><li>Assented to on
8 June 1991</li><li>[This is the version of this document from 2 January 2014.]</li></ul></div>"""
BODY = """<span class="akn-akomaNtoso"><span class="akn-act"><span class="akn-body">
<section class="akn-section" data-eId="sec_5A">
<h3>5A. Barges</h3><section class="akn-subsection" data-eId="sec_5A__subsec_1"><span class="akn-num">(1)</span> <span class="akn-content">
<span class="akn-p">A <b>barge</b> pays a <a class="akn-ref" href="#x">toll</a>.</span>
<span class="akn-p"><span class="akn-remark">[subsection
amended by section 1 of <a class="akn-ref">Act 7 of 2005</a>]</span></span></span></section></section></span></span></span>"""


def document(html: str = COVER + BODY) -> Document:
    result = akn_html.FORMAT.parse(SourceFile("page.html", html.encode()))
    check_invariants(result)
    return result


def nodes(found: Document, kind: str) -> list[Node]:
    return [node for node in found.walk() if node.type == kind]


def test_a_heading_line_is_number_and_heading() -> None:
    (section,) = nodes(document(), "section")
    assert (section.num, section.heading, section.eid) == ("5A", "Barges", "sec_5A")


def test_inline_elements_are_text_and_remarks_are_nodes() -> None:
    found = document()
    (subsection,) = nodes(found, "subsection")
    assert found.text_of(subsection).startswith("(1) A barge pays a toll.")
    assert [item.by for item in subsection.amendments] == ["Act 7 of 2005"]
    assert len(nodes(found, "remark")) == 1


def test_the_cover_page_tells_work_version_and_dates_and_is_no_provision() -> None:
    found = document()
    assert (found.document_id, found.as_of_date, found.title) == ("zm-act-1991-4", "2014-01-02", "Canal Tolls Act")
    assert found.metadata["date_assented"] == "1991-06-08"
    assert found.nodes[0].type == "header"


def test_a_chapter_line_is_cut_at_its_break() -> None:
    html = (
        BODY.replace("<h3>5A. Barges</h3>", "")
        .replace('class="akn-section" data-eId="sec_5A"', 'class="akn-chapter" data-eId="chp_2"')
        .replace('<section class="akn-subsection"', '<h2>Chapter 2<br>Barges</h2><section class="akn-subsection"', 1)
    )
    (chapter,) = nodes(document(COVER + html), "chapter")
    assert (chapter.num, chapter.heading) == ("2", "Barges")


def test_html_without_marks_of_a_document_is_a_typed_error() -> None:
    with pytest.raises(ParseError, match="marked"):
        akn_html.FORMAT.parse(SourceFile("page.html", b'<p class="akn-p">Text</p>'))


@pytest.mark.corpus
def test_the_divorce_act(corpus: Path) -> None:
    (path,) = (corpus / "zw" / "akn_html").glob("akn_za_act_1979_70*.html")
    found = parsed(path)
    sections = [node.num for node in found.provisions()]
    assert sections == ["1", "2", "3", "4", "5", "5A", *[str(number) for number in range(6, 20)]]
    assert (found.document_id, found.as_of_date, found.language) == ("za-act-1979-70", "2020-10-22", "eng")
    assert Counter(node.type for node in found.walk())["remark"] == 26
    (schedule,) = nodes(found, "schedule")
    assert found.text_of(nodes(found, "table")[0]).startswith("No. and year of law | Short title | Extent of repeal\n")
    assert schedule.start <= nodes(found, "table")[0].start


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "articles"), [("charter", 53), ("pact", 23)])
def test_articles_of_the_african_union(corpus: Path, name: str, articles: int) -> None:
    (path,) = (corpus / "zw" / "akn_html").glob(f"akn_aa-au_act_{name}*.html")
    assert [node.num for node in parsed(path).provisions()] == [str(number) for number in range(1, articles + 1)]


@pytest.mark.corpus
def test_footnotes_of_every_kind_of_heading_and_cell_are_found(corpus: Path) -> None:
    found = parsed(corpus / "zw" / "importer_html" / "footnotes.html")
    assert len(nodes(found, "footnote")) == 27


def test_a_page_below_front_matter_is_read_and_its_work_is_that_of_the_front_matter() -> None:
    front = "---\nfrbr_uri: /akn/za-xy01/act/by-law/2031/lamps\nlanguage: eng\ntoc:\n- title: Preface of many words\n  url: lamps\n---\n"
    page = (
        '<div><span class="akn-akomaNtoso"><article class="akn-act"><section class="akn-section" id="sec_1"><h3>1. Lamps</h3>'
        '<span class="akn-content"><span class="akn-p">The keeper lights the lamp at dusk.</span></span></section></article></span></div>'
    )
    document = checked(SourceFile("index.md", (front + page).encode()))
    assert document.work_uri == "/akn/za-xy01/act/by-law/2031/lamps"
    assert document.language == "eng"
    assert "Preface" not in document.text
    assert document.warnings == ()


_SITE = """<html><body><nav>Judgments Gazettes</nav><div class="toc"><ul><li>1. Lamps</li><li>2. Bees</li></ul></div>
<la-akoma-ntoso frbr-expression-uri="/akn/ke/act/2031/7/eng@2032-05-07"><div class="coverpage"><h1>Harbour Lamps Act</h1></div>
<article class="akn-doc"><section class="akn-part"><h2>Part I – LAMPS</h2>
<section class="akn-section"><h3>1. Lamps</h3><span class="akn-p">The keeper lights each lamp at dusk.</span></section>
<section class="akn-section"><h3>2A. Bees</h3><span class="akn-p">No hive stands below a lamp.</span></section></section></article>
</la-akoma-ntoso>CUT<footer><p>Cited documents: the Wells Act of many counties and towns</p></footer></body></html>"""


def test_what_a_site_has_around_the_element_of_the_law_is_its_furniture() -> None:
    document = checked(SourceFile("lamps.html", _SITE.replace("CUT", "").encode()))
    assert (document.work_uri, document.doc_type) == ("/akn/ke/act/2031/7", "act")
    assert [(node.num, node.heading) for node in nodes(document, "part")] == [("I", "LAMPS")]
    assert [(node.num, node.heading) for node in document.provisions()] == [("1", "Lamps"), ("2A", "Bees")]
    assert document.metadata["left_out"] == [
        "Judgments Gazettes", "1. Lamps 2. Bees", "Cited documents: the Wells Act of many counties and towns",
    ]  # fmt: skip
    words = len(document.text.split())
    assert f"16 words ({16 / (16 + words):.0%}) were left out as furniture of the page" in document.warnings[-1]


def test_a_page_that_lacks_law_is_refused_although_a_site_is_around_it() -> None:
    law = " ".join(f"lamp{chr(97 + number)}" for number in range(26))
    for outside in (
        f'<span class="akn-p">{law}</span>',
        f'<section class="akn-section"><h3>3. Oil</h3>{law}</section>',
    ):
        with pytest.raises(IncompleteDocumentError):
            parse(SourceFile("lamps.html", _SITE.replace("CUT", outside).encode()))
    with pytest.raises(IncompleteDocumentError, match="lacks"):
        parse(SourceFile("lamps.html", _SITE.replace("CUT", f"<p>{law}</p>").replace("la-akoma-ntoso", "div").encode()))
    with pytest.raises(TruncatedDocumentError):
        parse(SourceFile("lamps.html", _SITE[: _SITE.index("No hive")].encode()))


_LAW = '<span class="akn-akomaNtoso"><span class="akn-act"><span class="akn-p">A barge pays.</span></span></span>'
_STATED = '<la-akoma-ntoso frbr-expression-uri="/akn/ke/act/2031/7/eng@2032-05-07">{}</la-akoma-ntoso>'


@pytest.mark.parametrize(
    ("html", "name", "url", "hint", "work", "day", "language"),
    [
        (_STATED.format(_LAW), "a.html", "https://x.example/akn/ke/act/2031/8", "/akn/ke/act/2031/9",
         "/akn/ke/act/2031/7", "2032-05-07", "eng"),
        (_LAW, "a.html", "https://x.example/akn/ke/act/2031/8/swa@2033-01-02", "/akn/ke/act/2031/9/eng",
         "/akn/ke/act/2031/9", None, "eng"),
        (_LAW, "a.html", "https://x.example/akn/ke/act/2031/8/swa@2033-01-02", "", "/akn/ke/act/2031/8", "2033-01-02", "swa"),
        (_LAW, "ke_act_2031_6_swa@2033-01-03.html", None, "", "/akn/ke/act/2031/6", "2033-01-03", "swa"),
        (_LAW, "lamps_swa@2031.html", None, "", None, None, "swa"),
        (_LAW, "lamps.html", None, "", None, None, "und"),
        (COVER + _STATED.format(_LAW), "a.html", None, "", "/akn/zm/act/1991/4", "2014-01-02", "eng"),
    ],
)  # fmt: skip
def test_the_work_is_that_of_the_cover_page_else_of_the_first_address_that_names_one(
    html: str, name: str, url: str | None, hint: str, work: str | None, day: str | None, language: str
) -> None:
    hints = {"work_uri": hint, "title": "Lamps"} if hint else {"title": "Lamps"}
    found = akn_html.FORMAT.parse(SourceFile(name, html.encode(), url=url, hints=hints))
    assert (found.work_uri, found.as_of_date, found.language) == (work, day, language)
    assert found.metadata.get("year_enacted") == (int(work.split("/")[4]) if work else None)
    assert found.title == ("Canal Tolls Act" if COVER in html else "Lamps")
    assert ("the source does not say which work it is" in found.warnings) == (work is None)


def test_struck_words_of_a_page_are_left_out_and_listed() -> None:
    found = document(COVER + BODY.replace(">barge<", '>barge <span class="akn-del">or raft</span><'))
    assert "raft" not in found.text
    assert found.metadata["struck"] == ["or raft"]


def test_the_paragraphs_of_a_judgment_on_a_page_are_cited_by_themselves() -> None:
    paragraph = (
        '<span class="akn-paragraph"><span class="akn-num">[{0}]</span><span class="akn-p">Reason {0}.</span></span>'
    )
    html = f'<span class="akn-judgment">{paragraph.format(1)}{paragraph.format(2)}</span>'
    found = document(html)
    assert [(node.type, node.num) for node in found.nodes] == [("numbered_paragraph", "1"), ("numbered_paragraph", "2")]
    assert found.doc_type == "judgment"


def test_a_title_keeps_all_words_behind_its_break_and_one_in_a_cross_heading_is_not_cut() -> None:
    html = (
        '<span class="akn-act"><section class="akn-chapter" data-eid="chp_2"><h2>Chapter 2<br>Tolls <i>and</i> dues</h2>'
        '<span class="akn-crossHeading"><h3>5. Barges</h3></span>'
        '<section class="akn--wide akn-section" data-eid="sec_5"><h3>5. Rafts</h3><span class="akn-p">A raft pays'
        '<span class="akn-noteRef--marker">*</span>.</span><table id="t9"><tr><td>Raft</td></tr></table></section></section></span>'
    )
    found = document(html)
    assert [(node.type, node.num, node.heading) for node in found.walk() if node.heading] == [
        ("chapter", "2", "Tolls and dues"),
        ("section", "5", "Rafts"),
    ]
    assert found.text.split("\n\n")[1:] == ["5. Barges", "5. Rafts", "A raft pays.", "Raft"]
    assert [node.eid for node in nodes(found, "table")] == ["sec_5__table_1"]
