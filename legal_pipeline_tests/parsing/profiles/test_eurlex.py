"""The formats of the Publications Office of the European Union, on small texts of our own in its mark-up."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import CompanionFileError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_RECORD = """<BIB.INSTANCE><DOCUMENT.REF FILE="x.doc.xml"><COLL>L</COLL><NO.OJ>7</NO.OJ><YEAR>2031</YEAR><LG.OJ>EN</LG.OJ></DOCUMENT.REF>
<DATE ISO="20310302">20310302</DATE><LG.DOC>EN</LG.DOC><PAGE.FIRST>9</PAGE.FIRST>{}</BIB.INSTANCE>"""
_NUMBER = "<NO.DOC FORMAT='YN'><NO.CURRENT>55</NO.CURRENT><YEAR>2031</YEAR></NO.DOC>"
_TITLE = (
    "<TITLE><TI><P><HT TYPE='UC'>Regulation</HT> (EU) 2031/55 of the Council</P><P>on street lamps</P></TI></TITLE>"
)
_ARTICLES = """<ENACTING.TERMS><DIVISION><TITLE><TI><P>SECTION 1</P><P>LAMPS OF PART</P></TI></TITLE>
<ARTICLE IDENTIFIER="001"><TI.ART>Article 1<HT TYPE="NORMAL"><NOTE TYPE="FOOTNOTE"><P>See the declaration.</P></NOTE></HT></TI.ART>
<STI.ART>Scope</STI.ART><PARAG IDENTIFIER="001.001"><NO.PARAG>1.</NO.PARAG>
<ALINEA><P>A <QUOT.START CODE="2018"/>lamp<QUOT.END CODE="2019"/> has:</P>
<LIST TYPE="alpha"><ITEM><NP><NO.P>(a)</NO.P><TXT>a foot;</TXT></NP></ITEM></LIST></ALINEA></PARAG></ARTICLE></DIVISION>
<ARTICLE IDENTIFIER="002"><TI.ART>Article 2</TI.ART>
<ALINEA><P>The following article is inserted:</P><QUOT.S LEVEL="1">
<ARTICLE IDENTIFIER="003A">
<TI.ART>Article 3a</TI.ART><ALINEA>Text of another act.</ALINEA></ARTICLE></QUOT.S></ALINEA></ARTICLE></ENACTING.TERMS>"""
_ANNEX = """<CONS.ANNEX><TITLE><TI><P>ANNEX</P></TI><STI><P>Heights</P></STI></TITLE><CONTENTS><TBL COLS="2"><CORPUS>
<BLK><TI.BLK>Lamps of iron</TI.BLK><STI.BLK>of the old town</STI.BLK><ROW>
<CELL COL="1">Foot</CELL><CELL COL="2">1 m</CELL></ROW></BLK></CORPUS></TBL></CONTENTS></CONS.ANNEX>"""
_CONSOLIDATED = f"""<CONS.ACT><INFO.CONSLEG CONSLEG.REF="2031R0055" START.DATE="20320401"/><CONS.DOC>{_RECORD.format("")}
<FAM.COMP><BIB.DATA>{_TITLE}</BIB.DATA></FAM.COMP>{_TITLE}<PREAMBLE><PREAMBLE.INIT/></PREAMBLE>{_ARTICLES}{_ANNEX}</CONS.DOC></CONS.ACT>"""
_ACT = f"""<ACT>{_RECORD.format(_NUMBER)}{_TITLE}<PREAMBLE><GR.CONSID><CONSID><NP><NO.P>(1)</NO.P><TXT>Streets are dark.</TXT></NP></CONSID>
</GR.CONSID></PREAMBLE>{_ARTICLES}</ACT>"""


def read(text: str, name: str = "sample") -> Document:
    return parse(SourceFile(name, text.encode()))


def kinds(document: Document, *types: str) -> list[tuple[str, str | None, str | None]]:
    return [(node.type, node.num, node.heading) for node in document.walk() if node.type in types]


def test_formex_of_a_consolidated_act_gives_its_articles_and_annex() -> None:
    document = read(_CONSOLIDATED)
    assert (document.document_id, document.as_of_date) == ("eu-act-regulation-2031-55", "2032-04-01")
    assert document.title == "Regulation (EU) 2031/55 of the Council on street lamps"
    assert kinds(document, "subchapter", "part", "article", "subsection", "item", "schedule") == [
        ("subchapter", "1", "LAMPS OF PART"),
        ("article", "1", "Scope"),
        ("subsection", "1", None),
        ("item", "a", None),
        ("article", "2", None),
        ("schedule", "ANNEX", "Heights"),
    ]


def test_formex_loses_no_word_of_footnotes_in_numbers_rows_without_cells_and_quotation_marks() -> None:
    document = read(_CONSOLIDATED)
    assert document.warnings == ()
    for words in ("See the declaration.", "A ‘lamp’ has:", "Lamps of iron\nof the old town\nFoot | 1 m"):
        assert words in document.text


def test_formex_in_an_envelope_is_the_same_act() -> None:
    enclosed, plain = read(f"<collected>{_CONSOLIDATED}</collected>"), read(_CONSOLIDATED)
    assert (enclosed.document_id, enclosed.as_of_date) == (plain.document_id, plain.as_of_date)
    assert (enclosed.text, enclosed.nodes) == (plain.text, plain.nodes)


def test_the_title_of_the_one_sequence_of_a_formex_annex_is_its_heading() -> None:
    sequence = "<GR.SEQ LEVEL='1'><TITLE><TI><P>Heights</P></TI></TITLE><P>Two metres.</P></GR.SEQ>"
    annex = f"<CONS.ANNEX><TITLE><TI><P>ANNEX</P></TI></TITLE><CONTENTS>{sequence}{{}}</CONTENTS></CONS.ANNEX>"
    one, two = (
        read(_CONSOLIDATED.replace(_ANNEX, annex.format(more))) for more in ("", sequence.replace("Heights", "Widths"))
    )
    assert kinds(one, "schedule") == [("schedule", "ANNEX", "Heights")]
    assert kinds(two, "schedule") == [("schedule", "ANNEX", None)]
    assert "Widths" in two.text


def test_formex_of_the_official_journal_has_the_number_of_its_act_and_recitals() -> None:
    document = read(_ACT)
    assert (document.work_uri, document.number) == ("/akn/eu/act/regulation/2031/55", "regulation 2031/55")
    assert kinds(document, "recital", "article") == [
        ("recital", "1", None),
        ("article", "1", "Scope"),
        ("article", "2", None),
    ]


def test_an_annex_in_a_file_of_its_own_is_not_the_act() -> None:
    annex = _ANNEX.replace("CONS.ANNEX", "ANNEX").replace("<ANNEX>", f"<ANNEX>{_RECORD.format('')}", 1)
    document = read(annex)
    assert (document.document_id, document.title) == ("eu-doc-oj-l-2031-7-9", "ANNEX Heights")
    assert kinds(document, "schedule") == [("schedule", "ANNEX", "Heights")]


def test_a_list_of_the_files_of_a_publication_is_not_a_document() -> None:
    with pytest.raises(CompanionFileError, match="list of the files"):
        read('<DOC><PUBLICATION.REF FILE="NA"><COLL>L</COLL></PUBLICATION.REF><FMX/></DOC>', "x.doc.xml")


_OJ = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>L_1</title></head><body><table><tbody><tr><td><p class="oj-hd-ti">Official
Journal</p></td><td><p class="oj-hd-lg">EN</p></td></tr></tbody></table><table><tbody><tr><td><p class="oj-hd-{0}">2031/55</p></td>
<td><p class="oj-hd-date">4.3.2031</p></td></tr></tbody></table><div class="eli-container"><div class="eli-main-title" id="tit_1">
<p class="oj-doc-ti">{1} (EU) 2031/55 of the Council</p></div><div id="pbl_1"><div class="eli-subdivision" id="rct_1"><table><tbody><tr>
<td><p class="oj-normal">(1)</p></td><td><p class="oj-normal">Streets are dark.</p></td></tr></tbody></table></div></div>
<div class="eli-subdivision" id="art_1"><p class="oj-ti-art">Article 1</p>
<p class="oj-normal">Lamps are lit.</p></div></div></body></html>"""


@pytest.mark.parametrize(
    "number", ["oj", "uniq"], ids=["pages of an issue", "one act a publication, since October 2023"]
)
def test_both_heads_of_the_official_journal_are_known(number: str) -> None:
    document = read(_OJ.format(number, "Regulation"))
    assert (document.document_id, document.as_of_date) == ("eu-act-regulation-2031-55", "2031-03-04")
    assert kinds(document, "recital", "article") == [("recital", "1", None), ("article", "1", None)]
    assert "Official" not in document.text


@pytest.mark.parametrize(
    "title", ["Corrigendum to Regulation", "Rectificatif au règlement", "Berichtigung der Verordnung"]
)
def test_a_corrigendum_is_not_a_text_of_the_act_that_it_corrects(title: str) -> None:
    document = read(_OJ.format("oj", title))
    assert document.work_uri == "/akn/eu/act/regulation/2031/55/corrigendum/2031-03-04"


_OLD = """<html><head><title>L_1</title></head><body><table><tr><td><p class="hd-date">21.4.1993</p></td>
<td><p class="hd-lg">EN</p></td>
<td><p class="hd-oj">L 95/29</p></td></tr></table>{}<p class="normal">THE COUNCIL,</p><p class="ti-art"><span>Article 1</span></p>
<p class="normal">1.   Lamps are lit.</p><p class="ti-art">Article 2</p><p class="normal">End.</p>
<p class="normal">Done at Brussels, 1993.</p>
<p class="doc-ti">ANNEX</p><p class="normal">Heights.</p></body></html>"""


@pytest.mark.parametrize(
    ("title", "work"),
    [
        (["COUNCIL DIRECTIVE 93/55/EEC", "of 17 May 1993"], "directive/1993/55"),
        (["Regulation (EEC) No 1408/71 of the Council"], "regulation/1971/1408"),
        (["COUNCIL DECISION", "of 17 May 2009", "on lamps", "(2009/55/EU)"], "decision/2009/55"),
    ],
)
def test_a_page_of_the_official_journal_without_containers_has_its_articles(title: list[str], work: str) -> None:
    document = read(_OLD.format("".join(f'<p class="doc-ti">{line}</p>' for line in title)))
    assert (document.work_uri, document.title) == (f"/akn/eu/act/{work}", " ".join(title))
    found = kinds(document, "preamble", "article", "subsection", "signature", "schedule")
    assert [(kind, number) for kind, number, _ in found] == [
        ("preamble", None),
        ("article", "1"),
        ("subsection", "1"),
        ("article", "2"),
        ("signature", None),
        ("schedule", "ANNEX"),
    ]


def test_a_consolidated_act_may_have_its_title_beside_the_sign_of_the_basic_act() -> None:
    document = read(
        """<html><body><p class="reference">2031L0055 — EN — 01.04.2032 — 002.001</p><p class="disclaimer">A tool.</p><table><tr>
        <td><p class="arrow"><a title="32031L0055">►B</a></p></td><td><p class="title-doc-first">COUNCIL DIRECTIVE 2031/55/EU</p>
        <p class="title-doc-first">of 2 March 2031</p></td></tr></table><p class="title-article-norm">Article 1</p>
        <p class="norm">Lamps are lit.</p></body></html>"""
    )
    assert (document.document_id, document.as_of_date) == ("eu-act-directive-2031-55", "2032-04-01")
    assert document.title == "COUNCIL DIRECTIVE 2031/55/EU of 2 March 2031"


_DIVIDED = [
    ("part", "ONE", "1"), ("title", "I", "I"), ("chapter", "1", "1"), ("subchapter", "1", "1"), ("subchapter", "2", "2"),
    ("chapter", "2", "2"), ("title", "II", "II"), ("part", "TWO", "2"),
]  # fmt: skip
_WORDS = {"part": "PART", "title": "TITLE", "chapter": "CHAPTER", "subchapter": "SECTION"}


@pytest.mark.parametrize(
    ("head", "recital", "division", "article"),
    [
        (
            '<table><tr><td><p class="hd-date">5.6.2012</p></td><td><p class="hd-oj">L 1</p></td></tr></table>'
            '<p class="doc-ti">REGULATION (EU) No 55/2012</p>'
            '<p class="normal">THE COUNCIL,</p>',
            '<table><col width="4%"/><col width="96%"/><tbody><tr><td><p class="normal">({})</p></td>'
            '<td><p class="normal">{}</p></td></tr></tbody></table>',
            '<p class="ti-section-1">{}</p><p class="ti-section-2">{}</p>',
            '<p class="ti-art">Article {}</p><p class="normal">{}</p>',
        ),
        (
            '<p class="reference">2012R0055 — EN — 01.04.2013 — 002.001</p><p class="disclaimer">A tool.</p>'
            '<p class="title-doc-first">REGULATION (EU) No 55/2012</p><div class="preamble"><p class="norm">THE COUNCIL,</p></div>',
            '<table><tr><td><p class="norm">({})</p></td><td><p class="norm">{}</p></td></tr></table>',
            '<p class="title-division-1">{}</p><p class="title-division-2">{}</p>',
            '<p class="title-article-norm">Article {}</p><p class="norm">{}</p>',
        ),
    ],
)
def test_divisions_and_recitals_of_a_page_without_ids_have_their_kind(
    head: str, recital: str, division: str, article: str
) -> None:
    body = [recital.format(number, f"Lamp {number} burns.") for number in (1, 2)]
    for number, (kind, word, _) in enumerate(_DIVIDED, 1):
        body += [
            division.format(f"{_WORDS[kind]} {word}", f"Lamps {number}"),
            article.format(number, f"Lamp {number} is lit."),
        ]
    document = read(f"<html><body>{head}{''.join(body)}</body></html>")
    found = [node for node in document.walk() if node.type in _WORDS]
    assert [(node.type, node.num, node.heading) for node in found] == [
        (kind, number, f"Lamps {place}") for place, (kind, _, number) in enumerate(_DIVIDED, 1)
    ]
    assert [number for _, number, _ in kinds(document, "recital")] == ["1", "2"]
    assert [node.eid for node in document.provisions()][5:8] == [
        "part_1__title_i__chp_1__subchp_1__art_4", "part_1__title_i__chp_1__subchp_2__art_5", "part_1__title_i__chp_2__art_6",
    ]  # fmt: skip


_FLAT = """<html><head><meta name="DC.language" content="FR"><meta name="DC.description" content="Directive 80/55/CEE">
<meta name="DC.identifier" scheme="URI" content="http://europa.eu.int/do?uri=CELEX:{}:FR:HTML"></head><body><div id="TexteOnly"><p>
<TXT_TE><p>LE CONSEIL,</p><p>Article premier</p><p>Les lampes sont allumées.</p><p>Article 2</p><p>Fin.</p></TXT_TE></div></body></html>"""


def test_the_first_article_in_words_is_an_article_of_a_flat_page() -> None:
    document = read(_FLAT.format("31980L0055"))
    assert [number for _, number, _ in kinds(document, "article")] == ["1", "2"]


def test_a_treaty_is_named_by_its_celex_number() -> None:
    assert read(_FLAT.format("12002E308")).document_id == "eu-act-treaty-12002e308-fra"


def test_a_page_may_begin_with_its_article() -> None:
    document = read(_FLAT.format("12002E308").replace("<p>LE CONSEIL,</p><p>Article premier</p>", "<p>Article 308</p>"))
    assert [number for _, number, _ in kinds(document, "article")] == ["308", "2"]


_PAGE = """<!DOCTYPE html><html lang="en"><head><title>L_203100055EN.xml</title></head><body>%s</body></html>"""
_OF_JOURNAL = """<div><table><tr><td><p class="oj-hd-date">2.3.2031</p></td><td><p class="oj-hd-oj">L 7/9</p></td></tr></table></div>
<div class="eli-container"><div class="eli-main-title"><p class="oj-doc-ti">COMMISSION REGULATION (EU) 2031/55</p>
<p class="oj-doc-ti">on street lamps</p></div><div class="eli-subdivision" id="art_1"><p class="oj-ti-art">Article 1</p>
<p class="oj-normal">Lamps shall be lit at dusk.</p></div></div>"""


def test_the_frame_of_the_site_around_a_saved_act_is_no_text() -> None:
    frame = "<header><a href='/'>EUR-Lex</a> Quick search</header><div id='docHtml'>%s</div><div class='footer'><a>Top</a></div>"
    saved, alone = read(_PAGE % (frame % _OF_JOURNAL)), read(_PAGE % _OF_JOURNAL)
    assert saved.format == alone.format == "eurlex_oj_html"
    assert saved.text == alone.text
    assert saved.warnings == alone.warnings == ()
