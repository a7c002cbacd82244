"""Notes of publishers at a provision become its amendments, its dates and its status."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.building.amendment_notes import state_amendments
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Amendment, Document, Node
from legal_pipeline.parsing.registry import parse

_META = (
    '<meta><identification source="#x"><FRBRWork><FRBRthis value="https://fedlex.data.admin.ch/eli/cc/2099/4"/>'
    '<FRBRuri value="https://fedlex.data.admin.ch/eli/cc/2099/4"/><FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/>'
    '<FRBRcountry value="ch"/></FRBRWork><FRBRExpression><FRBRthis value="https://fedlex.data.admin.ch/eli/cc/2099/4/{code}"/>'
    '<FRBRuri value="https://fedlex.data.admin.ch/eli/cc/2099/4/{code}"/><FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/>'
    '<FRBRlanguage language="{language}"/></FRBRExpression></identification></meta>'
)


def swiss(articles: str, code: str = "de", language: str = "deu") -> Document:
    body = f'<act name="act">{_META.format(code=code, language=language)}<body>{articles}</body></act>'
    page = f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">{body}</akomaNtoso>'
    return parse(SourceFile("leuchttuerme.xml", page.encode()))


def note(text: str) -> str:
    return f"<authorialNote><p>{text}</p></authorialNote>"


def article(num: str, head: str = "", text: str = "Der Turm leuchtet.", behind: str = "") -> str:
    content = f'<paragraph eId="art_{num}/para"><content><p>{text}{behind}</p></content></paragraph>' if text else ""
    return f'<article eId="art_{num}"><num><b>Art. {num}</b>{head}</num>{content}</article>'


def first(document: Document, type: str = "article") -> Node:
    return next(node for node in document.walk() if node.type == type)


@pytest.mark.parametrize(
    ("code", "language", "text", "amendment"),
    [
        ("de", "deu", "Eingefügt durch Ziff. I des BG vom 3. Mai 2090, in Kraft seit 1. Febr. 2091 (AS 2090 77; BBl 2089 5).",
         Amendment("AS 2090 77", "2091-02-01", "inserted")),
        ("de", "deu", "Fassung gemäss Anhang Ziff. 3 des BG vom 3. Mai 2090, in Kraft seit 1. Jan. 2091 (AS 2090 77 81).",
         Amendment("AS 2090 77", "2091-01-01", "substituted")),
        ("fr", "fra", "Introduit par le ch. I de la LF du 3 mai 2090, en vigueur depuis le 1er janv. 2091 (RO 2090 77; FF 2089 5).",
         Amendment("RO 2090 77", "2091-01-01", "inserted")),
        ("it", "ita", "Nuovo testo giusta il n. I della LF del 3 maggio 2090, in vigore dal 1° gennaio 2091 (RU 2090 77; FF 2089 5).",
         Amendment("RU 2090 77", "2091-01-01", "substituted")),
    ],
)  # fmt: skip
def test_a_note_at_an_article_says_its_act_its_day_and_what_was_done(
    code: str, language: str, text: str, amendment: Amendment
) -> None:
    node = first(swiss(article("1", note(text)), code, language))
    assert (node.amendments, node.valid_from, node.status) == ((amendment,), amendment.date, "in_force")


def test_each_sentence_of_a_note_is_an_amendment_and_the_last_day_counts() -> None:
    text = (
        "Eingefügt durch Art. 2 der V vom 5. Juni 2080 (AS 2080 9). "
        "Fassung gemäss Ziff. I der V vom 3. Mai 2090, in Kraft seit 1. Jan. 2091 (AS 2090 77)."
    )
    node = first(swiss(article("1", note(text))))
    assert [(item.by, item.date, item.action) for item in node.amendments] == [
        ("AS 2080 9", None, "inserted"),
        ("AS 2090 77", "2091-01-01", "substituted"),
    ]
    assert node.valid_from == "2091-01-01"


def test_an_article_that_is_only_a_note_of_its_repeal_is_repealed() -> None:
    repealed = note("Aufgehoben durch Ziff. I des BG vom 3. Mai 2090, mit Wirkung seit 1. Jan. 2091 (AS 2090 77).")
    document = swiss(article("1", repealed, text="") + article("2"))
    assert [node.status for node in document.walk() if node.type == "article"] == ["repealed", "in_force"]


def test_a_repealed_sentence_does_not_repeal_its_paragraph() -> None:
    text = note(
        "Zweiter Satz aufgehoben durch Ziff. I des BG vom 3. Mai 2090, mit Wirkung seit 1. Jan. 2091 (AS 2090 77)."
    )
    document = swiss(article("1", behind=text))
    assert first(document).status == first(document, "paragraph").status == "in_force"
    assert first(document).amendments == (Amendment("AS 2090 77", "2091-01-01", "amended"),)
    assert first(document).valid_from == "2091-01-01"


def test_a_note_about_something_else_says_nothing_of_the_article() -> None:
    node = first(swiss(article("1", note("Berichtigt. Siehe auch Art. 7 der V vom 3. Mai 2090 (AS 2090 77)."))))
    assert (node.amendments, node.valid_from) == ((), None)


_JUSTEL = """<html><head><title>Justel</title></head><body><a id="link-text" href="https://www.ejustice.just.fgov.be/eli/loi/2099/01/02/2099000004/justel">x</a>
<p class="list-item--title">2 JANVIER 2099. - Loi sur les phares</p><div id="list-title-3"><h2 id="text" class="list-title">Texte</h2>
<A NAME='Art.1er'></A>Article 1er. Un phare brille.<BR>
  <A NAME='Art.2'></A>Art. 2. &lt;Inséré par L 2099-05-03/12, art. 1;
<b> En vigueur : </b> 01-06-2099&gt;
Le gardien veille. [<sup>1</sup> Il lit.]<sup>1</sup><BR>  ----------<BR>
  (1)&lt;L 2101-02-03/07, art. 4, 002; En vigueur : 13-08-2101&gt;<BR>
</div></body></html>"""


def test_notes_in_the_text_of_an_article_are_its_amendments() -> None:
    document = parse(SourceFile("phares.html", _JUSTEL.encode()))
    one, two = [node for node in document.walk() if node.type == "article"]
    assert (one.amendments, one.valid_from) == ((), None)
    assert [(item.by, item.date, item.action) for item in two.amendments] == [
        ("L 2099-05-03/12", "2099-06-01", "inserted"),
        ("L 2101-02-03/07", "2101-08-13", "amended"),
    ]
    assert two.valid_from == "2101-08-13"


def noted(text: str, said: str, **fields: Any) -> Node:
    """Return article 1 with `text` and a footnote `said`, after its notes were read."""
    written = f"{text}\n{said}"
    footnote = Node("footnote", len(text) + 1, len(written))
    node = Node("article", 0, len(written), "1", children=[footnote], **fields)
    state_amendments(Document("ch-lamps", written, (node,), "Lamps", "ch", "act", "deu", "plain_text", "1"))
    return node


_INSERTED = "Eingefügt durch Ziff. I des BG vom 3. Mai 2080, in Kraft seit 1. Jan. 2081 (AS 2080 9). "
_REPEALED = "Aufgehoben durch Ziff. I des BG vom 3. Mai 2090, mit Wirkung seit 1. Jan. 2091 (AS 2090 77). "


@pytest.mark.parametrize(("said", "status"), [(_INSERTED + _REPEALED, "repealed"), (_REPEALED + _INSERTED, "in_force")])
def test_the_last_sentence_of_the_note_at_an_empty_article_decides_whether_it_is_repealed(
    said: str, status: str
) -> None:
    assert noted("Art. 1", said).status == status


def test_a_day_that_the_source_states_is_kept_beside_the_days_of_notes() -> None:
    assert noted("Art. 1 Lampen leuchten.", _INSERTED, valid_from="2085-01-01").valid_from == "2085-01-01"


def test_an_amendment_that_the_source_marks_is_not_listed_again_by_its_note() -> None:
    known = Amendment("AS 2080 9", "2081-01-01", "inserted")
    assert noted("Art. 1 Lampen leuchten.", _INSERTED, amendments=(known,)).amendments == (known,)


def test_a_note_in_a_paragraph_is_about_the_paragraph() -> None:
    written = "Art. 1\n2 Lampen leuchten.\n" + _INSERTED.strip()
    start = written.index("Eingefügt")
    paragraph = Node("subsection", 7, len(written), "2", children=[Node("footnote", start, len(written))])
    article = Node("article", 0, len(written), "1", children=[paragraph])
    state_amendments(Document("ch-lamps", written, (article,), "Lamps", "ch", "act", "deu", "plain_text", "1"))
    assert (len(article.amendments), len(paragraph.amendments), article.valid_from) == (0, 1, "2081-01-01")


def test_a_note_in_law_that_a_provision_quotes_is_not_about_the_provision() -> None:
    said = "Fassung gemäss Ziff. I des BG vom 3. Mai 2090, in Kraft seit 1. Febr. 2091 (AS 2090 77)."
    builder = DocumentBuilder()
    with builder.node("article", "1") as article, builder.node("quotation"):
        with builder.node("article", "9") as quoted:
            builder.block("Art. 9 Der Turm leuchtet.", "block")
            builder.block(said, "footnote")
        builder.block(said, "footnote")
    with builder.node("quotation"), builder.node("article", "8") as outside:
        builder.block("Art. 8 Der Turm leuchtet.", "block")
        builder.block(said, "footnote")
    source = SourceFile("leuchttuerme.txt", b"x")
    state_amendments(
        builder.document(
            source, document_id="ch-act-1", title="Türme", jurisdiction="ch", doc_type="act", language="deu"
        )
    )
    assert [(node.valid_from, node.amendments) for node in (article, quoted, outside)] == [(None, ())] * 3
