"""HTML pages without a known mark-up: indexed, never with their tags as text, without the furniture of the site."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.readers.html import page_blocks
from legal_pipeline.parsing.registry import parse

_RULE = "La autoridad resuelve la solicitud dentro de treinta días. La resolución se notifica a las partes interesadas."
_NAVIGATION = "".join(f'<li><a href="/page{number}">Servicio {number}</a></li>' for number in range(12))


def page(body: str, encoding: str = "utf-8", head: str = "") -> Document:
    return parse(SourceFile("page.html", f"<html><head>{head}</head><body>{body}</body></html>".encode(encoding)))


def articles(count: int) -> str:
    return "".join(f"<p><b>Artículo {number}.</b> {_RULE}</p>" for number in range(1, count + 1))


def test_a_page_without_any_known_mark_is_indexed_without_its_tags() -> None:
    document = page("<p>Some page</p>")
    assert document.format == "generic_html"
    assert document.text == "Some page"


def test_a_page_of_bare_line_breaks_has_its_articles() -> None:
    text = "<br><br>".join(f"Artículo {number}<br>{_RULE}" for number in range(1, 8))
    document = page(text)
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 8)]
    assert "<" not in document.text


def test_navigation_and_footer_are_left_out_and_listed() -> None:
    document = page(
        f"<nav><ul>{_NAVIGATION}</ul></nav><main><h1>Ley de muestras</h1>{articles(9)}</main>"
        "<footer><p>Imprimir esta página</p></footer>"
    )
    assert len(list(document.provisions())) == 9
    assert "Servicio" not in document.text
    assert "Imprimir" not in document.text
    assert any("Servicio 3" in text for text in document.metadata["left_out"])
    assert any("furniture of the page" in warning for warning in document.warnings)


def test_a_line_with_the_number_of_a_provision_is_never_left_out() -> None:
    document = page(f"<main>{articles(6)}</main><footer><p>Artículo 7. {_RULE}</p></footer>")
    assert [node.num for node in document.provisions()][-1] == "7"


def test_a_page_that_is_mostly_furniture_must_be_looked_at() -> None:
    document = page(
        f"<nav><ul>{_NAVIGATION}</ul></nav><main><h1>Aviso</h1><p>El texto del aviso es breve y termina aquí.</p></main>"
    )
    if document.metadata.get("left_out"):
        assert document.requires_manual_review


def test_hidden_text_and_scripts_are_left_out() -> None:
    document = page(f'<script>var a = "x";</script><p style="display: none">geheim</p>{articles(4)}')
    assert "geheim" not in document.text
    assert "var a" not in document.text


def test_a_numbered_item_that_is_a_link_is_still_one() -> None:
    html = "<ol><li><a href='#a'>Edad</a></li><li>Domicilio</li></ol>"
    found = [item.block for item in page_blocks(SourceFile("p.html", f"<html><body>{html}</body></html>".encode()))]
    assert [(block.text, block.is_link) for block in found] == [("1. Edad", True), ("2. Domicilio", False)]


def test_numbers_of_ordered_lists_stand_in_the_text() -> None:
    document = page(f"{articles(4)}<p>Son requisitos:</p><ol type='a'><li>edad</li><li>domicilio</li></ol>")
    assert "a) edad" in document.text
    assert "b) domicilio" in document.text


def test_a_table_of_values_is_a_table_and_a_table_for_layout_is_text() -> None:
    document = page(
        f"<table><tr><td>{articles(4)}</td></tr></table><table><tr><th>Clase</th><th>Tasa</th></tr><tr><td>A</td><td>5</td></tr></table>"
    )
    assert len(list(document.provisions())) == 4
    assert "A | 5" in document.text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("iso-8859-2", "Każdy może złożyć wniosek. Środki ochrony są wyłączone w ciągu miesiąca."),
        ("cp1250", "Soud rozhodne usnesením. Účastník řízení může podat žádost o přezkoumání."),
        ("cp1252", "La résolution est notifiée aux intéressés. Le présent arrêté entre en vigueur."),
    ],
)
def test_old_encodings_are_found(encoding: str, text: str) -> None:
    declared = page(
        f"<p>{text}</p>", encoding, f'<meta http-equiv="Content-Type" content="text/html; charset={encoding}">'
    )
    assert declared.text == text


def test_polish_in_iso_8859_2_is_found_without_a_declaration() -> None:
    text = "Każdy może złożyć wniosek. Środki ochrony są wyłączone w ciągu miesiąca."
    assert page(f"<p>{text}</p>", "iso-8859-2").text == text


def test_an_amending_law_has_its_own_articles_and_not_those_that_it_quotes() -> None:
    quoted = f"<p>„Artículo 90 bis. {_RULE}</p><p>Artículo 90 ter. {_RULE}”</p>"
    document = page(
        f"<p>Artículo 1. {_RULE}</p><p>Artículo 2. Se añaden los siguientes artículos:</p>{quoted}<p>Artículo 3. {_RULE}</p>"
        f"<p>Artículo 4. {_RULE}</p>"
    )
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]


def test_an_annex_without_a_number_ends_the_last_article() -> None:
    document = page(f"{articles(4)}<h2>ANEXO</h2><p>Lista de las tasas que se aplican en cada caso.</p>")
    (annex,) = [node for node in document.walk() if node.type == "schedule"]
    assert "Lista de las tasas" in document.text_of(annex)
    assert "Lista" not in document.text_of(list(document.provisions())[-1])


def test_a_numbered_list_begins_with_the_number_that_it_states() -> None:
    document = page(f"{articles(4)}<p>Son requisitos:</p><ol start='4'><li>edad</li><li>domicilio</li></ol>")
    assert document.text.endswith("4. edad\n\n5. domicilio")


def test_numbers_that_a_style_sheet_prints_from_an_attribute_are_those_of_the_items() -> None:
    items = "".join(f"<li data-no='{number}'><p>{text}</p></li>" for number, text in ((7, "La luz"), (8, "b) El faro")))
    document = page(f"{articles(4)}<p>Son requisitos:</p><ol>{items}</ol>")
    assert document.text.endswith("7. La luz\n\n8. b) El faro")


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="canonical" href="https://www.legislation.gov.uk/ukpga/2031/5/section/2">',
        '<meta property="og:url" content="https://www.legislation.gov.uk/ukpga/2031/5">',
        '<meta name="dc.identifier" content="http://www.legislation.gov.uk/id/ukpga/2031/5">',
        "<!-- saved from url=(0042)https://www.legislation.gov.uk/ukpga/2031/5 -->",
    ],
)
def test_the_address_of_a_page_names_its_country_and_not_the_work(head: str) -> None:
    body = "".join(f"<p>{number}. The lamp of pier {number} is lit at dusk.</p>" for number in range(1, 8))
    document = page(f"<h1>Lamps Act 2031</h1>{body}", head=head)
    assert (document.jurisdiction, document.work_uri, document.document_id) == ("gb", None, "doc-page")
    assert (
        page(
            f"<h1>Lamps Act 2031</h1>{body}", head='<link rel="canonical" href="https://lamps.example/2">'
        ).jurisdiction
        == "xx"
    )


def test_rows_of_a_number_and_its_text_are_paragraphs() -> None:
    rows = "".join(f"<tr><td>({letter})</td><td>the lamp of harbour {letter};</td></tr>" for letter in "abc")
    articles = "".join(
        f"<p>Article {number}</p><p>The keeper lights:</p><table>{rows}</table>" for number in range(1, 5)
    )
    document = parse(SourceFile("lamps.html", f"<h1>Lamps Act 2031</h1>{articles}".encode()))
    assert not any(node.type == "table" for node in document.walk())
    assert document.text.count("(b) the lamp of harbour b;") == 4


@pytest.mark.parametrize("style", ['class="wide"', 'style="text-align: center"', 'align="center"'])
def test_a_page_that_centres_all_its_text_has_no_headings_by_that(style: str) -> None:
    articles = "".join(
        f"<p>Article {number}</p><p>The keeper lights lamp {number} at dusk.</p><p>Lamp {number} burns.</p>"
        for number in range(1, 5)
    )
    page = f"<style>.wide {{text-align: center}}</style><div {style}><h1>Lamps Act 2031</h1>{articles}</div>"
    document = parse(SourceFile("lamps.html", page.encode()))
    first = next(node for node in document.walk() if node.type == "article")
    assert document.text_of(first) == "Article 1\n\nThe keeper lights lamp 1 at dusk.\n\nLamp 1 burns."


def test_text_inside_a_centred_element_may_have_another_alignment() -> None:
    page = """<div style="text-align: center"><h1>Lamps Act 2031</h1><div align="left">
    <p>Article 1</p><p>The keeper lights the lamp at dusk and watches it.</p>
    <p>Article 2</p><p>The keeper may sleep by day.</p><p style="text-align: center">Last rules</p>
    <p>Article 3</p><p>This Act ends.</p></div></div>"""
    document = parse(SourceFile("lamps.html", page.encode()))
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert "Last rules" in headings
    assert "The keeper may sleep by day." not in headings


_SKIP = '<div><a href="#content">Al contenido</a></div><div><a href="/"><img alt="Portal de leyes" src="logo.png"></a></div>'
_MENU = '<ul id="nav"><li>Leyes</li><li>Decretos</li></ul><div class="printBar"><a>Imprimir</a> <a>PDF</a></div>'
_END = '<div><a href="/aviso">Aviso legal</a> | <a href="/datos">Datos</a></div><div>© 2031 Puerto</div><div><a href="#">Subir</a></div>'


@pytest.mark.parametrize(
    "around", ["<form method='post'>%s</form>", "<aside>%s</aside>", "<div role='dialog'>%s</div>", "%s"]
)
def test_menus_are_left_out_of_a_page_that_is_inside_a_form(around: str) -> None:
    document = page(around % f"{_SKIP}{_MENU}<div id='content'><h1>Ley de faroles</h1>{articles(9)}</div>{_END}")
    assert document.title == "Ley de faroles"
    assert document.text.startswith("Ley de faroles")
    assert document.text.endswith(_RULE)
    left_out = " ".join(document.metadata["left_out"])
    assert all(
        word in left_out for word in ("contenido", "Portal", "Leyes", "Decretos", "Imprimir", "Aviso", "©", "Subir")
    )


@pytest.mark.parametrize(
    "line",
    [
        "<p align='center'><a href='/7'><b>LEY 7</b></a></p>",
        "<p><a href='/7'>Ley 7 de 2031</a></p>",
        "<p><a href='/7'>Artículo 1.</a> La ley.</p>",
        "<p>Publicada en el Boletín del Puerto.</p>",
    ],
)
def test_a_title_that_is_a_link_is_kept(line: str) -> None:
    document = page(f"{_SKIP}{line}{articles(9)}")
    assert re.sub("<.*?>", "", line).strip() in document.text


def test_a_link_at_the_end_that_names_an_act_is_kept() -> None:
    document = page(
        f"<h1>Ley de faroles</h1>{articles(9)}<p><a href='/7'>Ley 7 de 2031</a></p><p><a href='#'>Subir</a></p>"
    )
    assert document.text.endswith("Ley 7 de 2031")


@pytest.mark.parametrize("name", ["menu", "nav"])
def test_an_element_that_is_named_a_menu_and_contains_the_law_is_none(name: str) -> None:
    document = page(f"<div class='{name}'><h1>Ley de faroles</h1>{articles(9)}</div>")
    assert len(list(document.provisions())) == 9
    assert "Ley de faroles" in document.text


def test_what_only_screen_readers_speak_is_no_text() -> None:
    body = "".join(
        f"<h5><span class='sr-only'>Artículo número {number},</span><span aria-hidden='true'>Artículo {number}</span></h5><p>{_RULE}</p>"
        for number in range(1, 8)
    )
    document = page(f"<h3 class='onlyScreenreader'>Texto</h3>{body}")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 8)]
    assert "número" not in document.text
    assert "Texto" not in document.text
    assert document.metadata["beside_text"][:2] == ["Texto", "Artículo número 1,"]
    assert not any("lacks" in warning for warning in document.warnings)


def test_a_long_text_for_screen_readers_is_kept() -> None:
    document = page(f"<div class='visually-hidden'><p>{_RULE}</p></div>{articles(4)}")
    assert document.text.count(_RULE) == 5


def test_a_table_with_the_year_of_the_act_above_its_title_is_kept() -> None:
    head = "<table><tr><td>MINISTERIO DEL PUERTO</td><td>Núm. 7 de 2031</td></tr></table>"
    assert (
        "Núm. 7 de 2031"
        in page(f"<nav><ul>{_NAVIGATION}</ul></nav>{head}<main><h1>Ley de faroles</h1>{articles(9)}</main>").text
    )


def test_a_page_with_contents_in_numbered_lists_and_marks_of_notes_has_the_sections_of_its_text() -> None:
    titles = ["Citation", "Lamps", "Keepers", "Fees", "Review", "Offences"]
    entries = "".join(
        f"<li><p><a>{number}.</a></p><p><a>{title}</a></p></li>" for number, title in enumerate(titles, 1)
    )
    contents = f"<ol><li><p><a>PART 1</a></p><p><a>General</a></p><ol>{entries}</ol></li><li>Signature</li></ol>"
    sections = "".join(
        f"<h3>{title}</h3><p>{number}. The keeper lights lamp {number} of the harbour at dusk.</p>"
        if title != "Review"
        else "<h3><sup>F3</sup>Review</h3><p>5.<sup>F3</sup>. . . . . . . . .</p><p>Textual Amendments</p>"
        "<p>F3Reg. 5 omitted (1.4.2031) by virtue of The Lamps (Amendment) Regulations 2031 (S.I. 2031/614), regs. 1, 2(4)</p>"
        for number, title in enumerate(titles, 1)
    )
    page = f"<html><body><h1>The Lamps Regulations 2030</h1>{contents}<h2>PART 1 General</h2>{sections}</body></html>"
    document = parse(SourceFile("page.html", page.encode()))
    found = [(node.num, node.heading, node.status) for node in document.provisions()]
    assert found == [
        (str(number), title, "repealed" if title == "Review" else "in_force") for number, title in enumerate(titles, 1)
    ]


def test_links_to_schedules_with_a_letter_are_text_and_links_to_notes_are_marks() -> None:
    sections = "".join(
        f"<p>{number}. The keeper lights lamp {number} of the harbour at dusk.</p>" for number in range(2, 8)
    )
    page = (
        "<html><body><h1>Lamps Act 2031</h1><p>1. <a href='#commentary-2'>F2</a>Schedule <a href='#schedule-B1'>B1</a> lists the lamps.</p>"
        f"{sections}<h2>Schedule B1</h2><p>The lamps of the harbour.</p><p>F2 Words inserted by Act 5 of 2032.</p></body></html>"
    )
    document = parse(SourceFile("page.html", page.encode()))
    assert "1. Schedule B1 lists the lamps." in document.text
    assert document.metadata["beside_text"] == ["F2"]
