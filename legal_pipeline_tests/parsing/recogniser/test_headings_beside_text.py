"""Headings in bold in the line of their text: in web pages, markdown and Word files, by an element and by the page's own styles."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_SPANISH = (
    (
        "Artículo 1. Objeto.",
        "La presente ley regula los faros de la costa y el servicio de sus guardianes.",
    ),
    ("Artículo 2. Ámbito de aplicación.", "Esta ley se aplica a todos los faros que alumbran la costa."),
    ("Artículo 3. Guardianes.", "1. El guardián enciende la lámpara al anochecer."),
    ("", "2. El guardián vigila la lámpara hasta el amanecer."),
    ("Artículo 4.", "Quien apague la lámpara pagará una multa de cien monedas."),
)
_TITLE = "Ley 9 de 2031, de faros y balizas"


def word_file(folder: Path) -> bytes:
    document, path = docx.Document(), folder / "ley.docx"
    document.add_heading(_TITLE, 1)
    for heading, text in _SPANISH:
        paragraph = document.add_paragraph()
        paragraph.add_run(heading).bold = True
        paragraph.add_run(f" {text}")
    document.save(str(path))
    return path.read_bytes()


def of_format(suffix: str, folder: Path) -> bytes:
    if suffix == "docx":
        return word_file(folder)
    bold, line = ("<b>{}</b>", "<p>{} {}</p>") if suffix == "html" else ("**{}**", "{} {}")
    lines = [line.format(bold.format(heading) if heading else "", text) for heading, text in _SPANISH]
    head = f"<h1>{_TITLE}</h1>" if suffix == "html" else f"# {_TITLE}"
    return "\n\n".join([head, *lines]).encode()


def provisions(document: Document) -> list[Node]:
    return [node for node in document.walk() if node.type in ("article", "section")]


@pytest.mark.parametrize("suffix", ["html", "md", "docx"])
def test_words_in_bold_behind_a_number_are_the_heading_and_the_rest_is_text(suffix: str, tmp_path: Path) -> None:
    document = parse(SourceFile(f"ley.{suffix}", of_format(suffix, tmp_path)))
    found = provisions(document)
    assert [(node.num, node.heading) for node in found] == [
        ("1", "Objeto"),
        ("2", "Ámbito de aplicación"),
        ("3", "Guardianes"),
        ("4", None),
    ]
    assert [node.eid for node in found[2].children if node.type == "paragraph"] == ["art_3__para_1", "art_3__para_2"]
    assert document.text_of(found[0]) == "Artículo 1. Objeto.\n\n" + _SPANISH[0][1]


def test_a_term_in_bold_is_not_a_heading_if_the_sentence_goes_on() -> None:
    page = "<h1>Lamps Act 2031</h1>" + "".join(
        f"<p>Section {number}. <b>Lamp</b> {number} means a light on the coast, and the keeper lights it at dusk.</p>"
        for number in range(1, 6)
    )
    document = parse(SourceFile("act.html", page.encode()))
    assert [node.heading for node in provisions(document)] == [None] * 5


_STYLED = """<html><head><style>
<!-- p.Head, div.Head {{text-align: center}}
span.Lead {{mso-style-name: Lead; font-weight: bold}} -->
</style></head><body><p class="Head">CHAPTER 812 - LAMPS OF THE HARBOR</p>
<p>NRS 812.010 <span class="{0}">Definitions.</span> As used in this chapter, a lamp is a light.</p>
<p>(Added to NRS by 2031, 77)</p>
<p>NRS 812.020 <span class="{0}">Duties of keeper; hours.</span></p>
<p>1. The keeper shall light each lamp at dusk.</p><p>2. The keeper may sleep by day.</p>
<p>(Added to NRS by 2031, 77; A 2033, 9)</p>
<p>NRS 812.030 <span class="{0}">Penalties.</span> A person who puts out a lamp shall pay.</p>
<p>NRS 812.040 <span class="{0}">Inspector.</span> The inspector shall visit each lamp.</p></body></html>"""


def test_a_class_that_the_page_makes_bold_is_bold() -> None:
    document = parse(SourceFile("chapter.html", _STYLED.format("Lead").encode()))
    assert [(node.num, node.heading) for node in provisions(document)] == [
        ("812.010", "Definitions"),
        ("812.020", "Duties of keeper; hours"),
        ("812.030", "Penalties"),
        ("812.040", "Inspector"),
    ]
    assert document.title == "CHAPTER 812 - LAMPS OF THE HARBOR"
    inner = _STYLED.replace("span.Lead {{", "@media print {{ span.Lead {{").format("Lead")
    assert provisions(parse(SourceFile("chapter.html", inner.encode())))[0].heading == "Definitions"
    unclosed = _STYLED.replace("span.Lead", "/* span.Lead").format("Lead")
    assert [node.heading for node in provisions(parse(SourceFile("chapter.html", unclosed.encode())))] == [None] * 4
    plain = parse(SourceFile("chapter.html", _STYLED.format("Other").encode()))
    assert [node.heading for node in provisions(plain)] == [None] * 4


def test_the_source_of_a_section_in_brackets_is_its_text_and_not_the_heading_of_the_next() -> None:
    document = parse(SourceFile("chapter.html", _STYLED.format("Lead").encode()))
    first, second, *_ = provisions(document)
    assert document.text_of(first).endswith("(Added to NRS by 2031, 77)")
    assert document.text_of(second).endswith("(Added to NRS by 2031, 77; A 2033, 9)")


def test_a_sentence_before_its_source_in_square_brackets_is_not_the_heading_of_the_next_section() -> None:
    text = """CHAPTER 812 - LAMPS OF THE HARBOR

812.010 Definitions.

As used in this chapter, a lamp is a light. [2031 c.7 §1]

812.020 Penalties.

A person who puts out a lamp shall pay 50 crowns. [2031 c.7 §2]

812.030 Inspector.

(1) The inspector shall visit each lamp once a year.

(2) The inspector shall write a report. [2031 c.7 §3]
"""
    document = parse(SourceFile("chapter.txt", text.encode()))
    _, penalties, inspector = provisions(document)
    assert document.text_of(penalties).endswith("50 crowns. [2031 c.7 §2]")
    assert inspector.heading == "Inspector"


def test_a_subsection_beside_its_heading_in_bold_is_above_its_paragraphs() -> None:
    page = "<p>CHAPTER 812 - LAMPS</p>" + "".join(
        f"<p><b>812.0{number}0 Keeper {number}; hours.</b> (1) The keeper shall:</p><p>(a) Light it; and</p>"
        "<p>(b) Watch it.</p><p>(2) The keeper may sleep by day.</p>"
        for number in range(1, 4)
    )
    document = parse(SourceFile("chapter.html", page.encode()))
    section = provisions(document)[0]
    assert [(node.eid or "").rpartition("812.010")[2] for node in document.walk() if node.type == "paragraph"][:2] == [
        "__subsec_1__para_a",
        "__subsec_1__para_b",
    ]
    assert section.heading == "Keeper 1; hours"
