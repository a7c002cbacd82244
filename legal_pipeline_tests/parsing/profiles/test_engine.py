"""What the engine of profiles promises whatever the format, on small texts of our own in the mark-up of real publishers."""

from __future__ import annotations

import pytest
from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import CompanionFileError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.profiles.elements import local_tree
from legal_pipeline.parsing.profiles.nesting import grouped
from legal_pipeline.parsing.registry import parse

_LILEX = """<html><head><link href="../../css/lgbl-2-html.css"><meta name="description" content="Gesetz über Brücken"></head>
<body><div><table><tr><td>Liechtensteinisches Landesgesetzblatt</td></tr><tr><td>Jahrgang 2001</td><td>Nr. 7</td></tr></table></div>
<div class="tit1m">I. Hauptstück</div><div class="tit1">Bau</div><div class="art">Art. 1<div class="abs">{}</div></div></body></html>"""

_ISB = """<?xml version="1.0"?><act><metadata><title>Bridges Act 2001</title><number>7</number><year>2001</year>
<dateofenactment>20010301</dateofenactment></metadata><body><sect id="SEC1"><number>1.</number><title><p><b>Amendment</b></p></title>
{}</sect></body></act>"""

_GII = """<?xml version="1.0"?><dokumente builddate="20240102030405" doknr="BJNR1">
<norm><metadaten><jurabk>BrG</jurabk><langue>Gesetz über Brücken</langue></metadaten><textdaten/></norm>
<norm><metadaten><gliederungseinheit><gliederungskennzahl>010</gliederungskennzahl><gliederungsbez>Teil 1</gliederungsbez>
<gliederungstitel>Bau</gliederungstitel></gliederungseinheit></metadaten></norm>
<norm><metadaten><gliederungseinheit><gliederungskennzahl>010010</gliederungskennzahl><gliederungsbez>Kapitel 1</gliederungsbez>
<gliederungstitel>Pfeiler</gliederungstitel></gliederungseinheit></metadaten></norm>
<norm><metadaten><enbez>§ 1</enbez><titel>Höhe</titel></metadaten><textdaten><text><Content><P>(1) Pfeiler haben<DL><DT>1.</DT>
<DD><LA>eine Höhe<DL><DT>a)</DT><DD><LA>von 9 m<SUP>2</SUP>,</LA></DD></DL></LA></DD><DT>2.</DT><DD><LA>einen Fuß.</LA></DD></DL></P>
<P>(2) Mehr gilt nicht.</P></Content></text></textdaten></norm>
<norm><metadaten><gliederungseinheit><gliederungskennzahl>020</gliederungskennzahl><gliederungsbez>Teil 2</gliederungsbez>
<gliederungstitel>Schluss</gliederungstitel></gliederungseinheit></metadaten></norm>
<norm><metadaten><enbez>§ 2</enbez><titel>(weggefallen)</titel></metadaten></norm></dokumente>"""

_JUSTEL = (
    "<html><title>Justel</title><body><p class='list-item--title'>1 MAI 2001. - Loi (ejustice)</p>"
    "<a id='link-text' href='https://www.ejustice.just.fgov.be/eli/loi/2001/05/01/2001000001/justel'></a>"
    "<div id='list-title-3'><h2 id='text' class='list-title'>Texte</h2>{}</div></body></html>"
)


def read(text: str) -> Document:
    return parse(SourceFile("sample", text.encode()))


def texts(document: Document, kind: str) -> list[str]:
    return [document.text[node.start : node.end] for node in document.walk() if node.type == kind]


def outline(document: Document) -> list[tuple[int, str, str | None]]:
    """(depth, type, number) of divisions, provisions and lists."""
    rows: list[tuple[int, str, str | None]] = []

    def walk(node: Node, depth: int) -> None:
        if node.type != "heading":
            rows.append((depth, node.type, node.num))
        for child in node.children:
            walk(child, depth + 1)

    for node in document.nodes:
        walk(node, 0)
    return rows


def test_a_number_further_on_in_the_text_is_not_that_of_the_provision() -> None:
    document = read(_LILEX.format("Brücken werden gebaut (Art. 79 und 80); mehr nicht."))
    assert [node.num for node in document.walk() if node.type == "subsection"] == [None]
    assert texts(document, "subsection") == ["Brücken werden gebaut (Art. 79 und 80); mehr nicht."]


def test_a_raised_digit_is_not_a_digit_of_the_number_before_it() -> None:
    assert "§ 46⁵" in read(_LILEX.format("Siehe § 46<sup>5</sup>.")).text


def test_paragraphs_between_quotation_marks_are_no_provisions() -> None:
    document = read(
        _ISB.format(
            '<p class="-2 8 0">(1) The Act is amended by inserting:</p><p class="-3 17 0"><odq/>(2) New law.</p>'
            '<p class="-3 17 0">(3) More.<cdq/>.</p><p class="-3 11 0">(2) This is ours.</p>'
        )
    )
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["1", "2"]
    assert texts(document, "quotation") == ["“(2) New law.\n\n(3) More.”."]
    assert texts(document, "subsection")[1] == "(2) This is ours."


def test_quotation_marks_that_are_never_closed_swallow_nothing() -> None:
    document = read(_ISB.format('<p class="-3 17 0"><odq/>Lost mark.</p><p class="-3 11 0">(1) This is ours.</p>'))
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["1"]
    assert not texts(document, "quotation")


def test_a_lost_quotation_mark_swallows_no_article() -> None:
    line = "<A NAME='Art.{0}'>Art.</A> <A HREF='#x'> {0}</A>. {1}<BR><BR>"
    text = line.format(1, "Est inséré :<BR>&quot; § 2. Autre loi.<BR>§ 3. Encore.&quot;") + line.format(
        2, "Un &quot; perdu."
    )
    document = read(_JUSTEL.format(text + line.format(3, "Fin.<BR>§ 2. De la loi.")))
    assert [node.num for node in document.walk() if node.type == "article"] == ["1", "2", "3"]
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["2"]
    assert len(texts(document, "quotation")) == 1


def test_lost_quotation_marks_of_two_articles_are_not_a_pair() -> None:
    line = "<A NAME='Art.{0}'>Art.</A> <A HREF='#x'> {0}</A>. {1}<BR><BR>"
    text = "".join(
        line.format(number, words)
        for number, words in enumerate(("Un &quot; perdu.", "Milieu.<BR>§ 2. De la loi.", "Encore un &quot; perdu."), 1)
    )
    document = read(_JUSTEL.format(text))
    assert [node.num for node in document.walk() if node.type == "article"] == ["1", "2", "3"]
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["2"]
    assert not texts(document, "quotation")


def test_a_defined_term_in_quotation_marks_is_no_law_of_another_act() -> None:
    document = read(_ISB.format('<p class="-2 8 0"><odq/>bridge<cdq/> means a way over water;</p>'))
    assert not texts(document, "quotation")


def test_norms_on_one_level_are_put_into_their_divisions_and_lists_into_one_another() -> None:
    document = read(_GII)
    assert outline(document) == [
        (0, "part", "1"), (1, "chapter", "1"), (2, "section", "1"), (3, "subsection", "1"), (4, "item", "1"), (5, "item", "a"),
        (4, "item", "2"), (3, "subsection", "2"), (0, "part", "2"), (1, "section", "2"),
    ]  # fmt: skip
    assert [node.status for node in document.walk() if node.type == "section"] == ["in_force", "repealed"]
    assert "m²" in document.text


def test_a_file_that_stands_beside_a_document_is_refused_as_what_it_is() -> None:
    page = '<html><title>Lilex - Gesetzesdatenbank</title><body><table class="table lgbl grau"></table></body></html>'
    with pytest.raises(CompanionFileError, match="versions in LILEX"):
        read(page)


def test_the_heading_of_a_group_of_several_provisions_is_above_them_and_that_of_a_single_one_its_own() -> None:
    def names(count: int) -> list[str]:
        provisions = [Element("section", content=[Element("num", content=[str(number)])]) for number in range(count)]
        group = grouped([Element("heading", content=["Lamps"]), *provisions])
        return [item.name if isinstance(item, Element) else item for item in group]

    assert names(1) == ["section"]
    assert names(2) == ["crossHeading", "section", "section"]


def test_an_attribute_of_another_namespace_does_not_take_the_place_of_the_element_s_own() -> None:
    root = local_tree(etree.fromstring('<act xmlns:x="urn:x" id="own" x:id="other" x:lang="de"/>'))
    assert dict(root.attrib) == {"id": "own", "lang": "de"}


def test_text_directly_behind_the_label_of_a_box_is_read() -> None:
    document = read(_JUSTEL.format("Dispositions communes.<br><a name='Art.1'>Article 1</a>. Les ponts sont ouverts."))
    assert document.text.startswith("Dispositions communes.")
    assert [node.num for node in document.provisions()] == ["1"]
