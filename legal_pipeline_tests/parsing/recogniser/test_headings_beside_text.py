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


def headings(text: str, name: str = "law.txt") -> list[tuple[str | None, str | None]]:
    return [(node.num, node.heading) for node in provisions(parse(SourceFile(name, text.encode())))]


_REGULATIONS = """HARBOUR LAMPS REGULATIONS 2031

In exercise of the powers conferred by section 9 of the Harbour Act 2030, the Minister makes the following Regulations:

Citation

1. These Regulations are the Harbour Lamps Regulations 2031.

Duties of the keeper

2. The keeper must

(a) light the lamp; and

(b) watch it.

Licences

3. A licence is valid for 2 years.

Fees

4. The fee is ten coins.

Offence

5. Any person who contravenes regulation 2 shall be guilty of an offence.
"""


def test_a_line_above_each_number_is_the_heading_and_not_the_words_behind_the_number() -> None:
    document = parse(SourceFile("lamps.txt", _REGULATIONS.encode()))
    assert [(node.num, node.heading) for node in provisions(document)] == [
        ("1", "Citation"),
        ("2", "Duties of the keeper"),
        ("3", "Licences"),
        ("4", "Fees"),
        ("5", "Offence"),
    ]
    assert document.text_of(provisions(document)[1]).startswith("2.\n\nThe keeper must\n\n(a)")


def test_headings_of_groups_of_provisions_are_not_those_of_single_provisions() -> None:
    text = _REGULATIONS.replace("Licences\n\n", "").replace("Fees\n\n", "")
    assert [heading for _, heading in headings(text)][2:] == [None, None, None]


def test_the_enacting_words_above_the_first_provision_are_not_its_heading() -> None:
    text = _REGULATIONS.replace("Citation\n\n", "").replace(
        "the Minister makes the following Regulations:", "I enact as follows:—"
    )
    assert headings(text)[0] == ("1", None)


_CROATIAN = """ZAKON

O SVJETILJKAMA

I. OPĆE ODREDBE

Predmet Zakona

Članak 1.

Ovim se Zakonom uređuju svjetiljke u lukama.

Pojmovi

Članak 2.

Svjetiljka je svjetlo na obali.

Članak 3.

(brisan)

Čuvar

Članak 4.

Čuvar pali svjetiljku u sumrak.

Stupanje na snagu

Članak 5.

Ovaj Zakon stupa na snagu osmoga dana.
"""


def test_a_line_above_a_number_alone_on_its_line_is_the_heading() -> None:
    expected = ["Predmet Zakona", "Pojmovi", None, "Čuvar", "Stupanje na snagu"]
    assert [heading for _, heading in headings(_CROATIAN)] == expected


def test_a_line_below_a_number_alone_stays_the_heading() -> None:
    text = "".join(
        f"Article {number}\n\nLamp {number}\n\nThe keeper lights lamp {number} at dusk.\n\n" for number in range(1, 5)
    )
    assert headings(f"Lamps Law\n\n{text}") == [(str(number), f"Lamp {number}") for number in range(1, 5)]


_DELETED = """Act on Harbour Lamps

(Purpose)
Article 1  The purpose of this Act is to ensure that lamps burn.

(Definitions)
Article 2  (1) The term "lamp" as used in this Act means a light on the quay.
(2) The term "keeper" means a person who lights lamps.

Article 3  Deleted

Articles 4 and 5  Deleted

(Orders)
Article 6  The governor may order a keeper to light a lamp.

(Fines)
Article 7  A person who puts out a lamp is punished by a fine.

Article 8  This Act comes into effect tomorrow.
"""


def test_a_heading_in_brackets_above_a_number_is_not_text_of_a_deleted_article() -> None:
    document = parse(SourceFile("lamps.txt", _DELETED.encode()))
    found = provisions(document)
    assert [(node.num, node.heading) for node in found] == [
        ("1", "(Purpose)"),
        ("2", "(Definitions)"),
        ("3", None),
        ("4 and 5", None),
        ("6", "(Orders)"),
        ("7", "(Fines)"),
        ("8", None),
    ]
    assert [node.num for node in found if node.status == "repealed"] == ["3", "4 and 5"]


def test_a_range_goes_on_as_a_sentence() -> None:
    text = _DELETED.replace("Articles 4 and 5  Deleted", "Articles 4 and 5  Deleted words are restored by this Act.")
    assert "4 and 5" not in [num for num, _ in headings(text)]


def test_words_in_brackets_behind_most_numbers_are_headings() -> None:
    texts = {
        "Purpose": "The purpose of this Act is light.",
        "Keepers": "(1) A keeper lights lamps.",
        "Fines": "A fine is paid.",
    }
    text = "".join(f"Article {place} ({heading}) {said}\n\n" for place, (heading, said) in enumerate(texts.items(), 1))
    assert headings(f"LAMPS PROMOTION ACT\n\n{text}") == [("1", "Purpose"), ("2", "Keepers"), ("3", "Fines")]


def test_a_note_of_an_amendment_in_brackets_is_no_heading_and_not_cut() -> None:
    notes = ("", "(Изм. – ДВ, бр. 5 от 2040 г.) ", "(Нов – ДВ, бр. 5 от 2040 г.) ", "(Доп. – ДВ, бр. 5 от 2040 г.) ")
    text = "".join(f"Чл. {place}. {note}Пазачът пали лампата вечер.\n\n" for place, note in enumerate(notes, 1))
    document = parse(
        SourceFile("lamps.txt", f"ЗАКОН ЗА ЛАМПИТЕ\n\n{text}Чл. 5. (Отм. – ДВ, бр. 5 от 2040 г.)\n".encode())
    )
    assert [(node.num, node.heading) for node in provisions(document)] == [
        (str(number), None) for number in range(1, 6)
    ]
    assert (
        document.text_of(provisions(document)[1]) == "Чл. 2. (Изм. – ДВ, бр. 5 от 2040 г.) Пазачът пали лампата вечер."
    )
    assert provisions(document)[4].status == "repealed"


_CANADIAN = """<html lang="en"><body><h1>Harbour Lamps Act</h1><h2>Short Title</h2>
<p>Marginal note:Short title</p><p><strong>1</strong> This Act may be cited as the Harbour Lamps Act.</p><h2>Interpretation</h2>
<p>Marginal note:Definitions</p><p><strong>2</strong> The following definitions apply in this Act.</p>
<p><strong>3</strong> [Repealed, 2032, c. 5, s. 6]</p><p><strong>4 to 6</strong> [Repealed, 2032, c. 5, s. 7]</p>
<p>Marginal note:Keepers</p><p><strong>7</strong> <strong>(1)</strong> The Minister may designate any person as a keeper.</p>
<p><strong>8 and 9</strong> [Amendments]</p><h2>Offence</h2>
<p>Marginal note:Offence</p><p><strong>10</strong> Every person who puts out a lamp is guilty of an offence.</p>
<p>Marginal note:Order in council</p><p><strong>*11</strong> This Act comes into force on a day to be fixed by order.</p>
<p>* [Note: Act in force January 1, 2031.]</p></body></html>"""


def test_headings_with_a_label_and_ranges_with_a_remark() -> None:
    document = parse(SourceFile("lamps.html", _CANADIAN.encode()))
    found = provisions(document)
    assert [(node.num, node.heading) for node in found] == [
        ("1", "Short title"),
        ("2", "Definitions"),
        ("3", None),
        ("4 to 6", None),
        ("7", "Keepers"),
        ("8 and 9", None),
        ("10", "Offence"),
        ("11", "Order in council"),
    ]
    assert [node.num for node in found if node.status == "repealed"] == ["3", "4 to 6"]
    assert document.text_of(found[-1]).startswith("*11\n\nThis Act comes into force")


def test_two_numbers_without_a_remark_behind_them_are_not_a_range() -> None:
    page = _CANADIAN.replace("[Amendments]", "lamps burn on each quay.")
    assert [node.num for node in provisions(parse(SourceFile("lamps.html", page.encode())))][4:6] == ["7", "8"]


def test_notes_on_amendments_below_a_section_are_no_sections() -> None:
    sections = "".join(
        f"<h5><span>{number}</span> Lamps {number}</h5><p>The keeper lights lamp {number}.</p>"
        f"<div>Section {number}: amended, on 1 July 2041, by section 5 of the Lamps Amendment Act 2041.</div>"
        for number in range(1, 5)
    )
    page = f"<html><body><h1>Lamps Act 2031</h1><p>This Act may be cited as the Lamps Act 2031.</p>{sections}</body></html>"
    document = parse(SourceFile("lamps.html", page.encode()))
    found = [node for node in document.walk() if node.type == "section"]
    assert [(node.num, node.heading) for node in found] == [(str(number), f"Lamps {number}") for number in range(1, 5)]
    assert all("lights lamp" in document.text_of(node) for node in found)


def test_a_reference_in_small_letters_at_the_beginning_of_a_line_is_no_article() -> None:
    text = (
        "LEY DE FAROS\n\nArtículo 1o.- El faro es de la Nación y se entiende por:\n\nII. Guardián: la persona que señala el\n"
        "artículo 3o. de esta Ley, y\n\nIII. Faro: la luz del puerto.\n\nArtículo 2o.- El guardián enciende el faro.\n\n"
        "Artículo 3o.- Nadie apaga el faro.\n"
    )
    document = parse(SourceFile("faros.txt", text.encode()))
    assert [node.num for node in document.walk() if node.type == "article"] == ["1", "2", "3"]


def test_a_heading_in_brackets_below_a_number_may_begin_with_a_small_letter() -> None:
    law = (
        "ZAKON\n\no pristaniških svetilkah\n\n1. člen\n\n(vsebina zakona)\n\nTa zakon ureja svetilke v pristaniščih.\n\n"
        "2. člen\n\n(pomen izrazov)\n\nSvetilka je luč na pomolu.\n\n3. člen\n\n(črtan)\n\n"
        "4. člen\n\n(nadzor)\n\nNadzor opravlja občina.\n"
    )
    assert headings(law) == [("1", "(vsebina zakona)"), ("2", "(pomen izrazov)"), ("3", None), ("4", "(nadzor)")]


def test_a_heading_in_brackets_may_cite_a_law_with_its_year() -> None:
    law = (
        "LEGGE REGIONALE 7 agosto 2031 n. 21\n\nArt. 1 (Finalità)\n\nLa Regione protegge le lampade.\n\n"
        "Art. 2 (Modifica all'articolo 20 della l.r. 16/2029)\n\nAll'articolo 20 la parola lume è soppressa.\n\n"
        "Art. 3 (Norma finanziaria)\n\nLa presente legge non comporta oneri.\n\n"
        "Art. 4 (Entrata in vigore)\n\nLa presente legge entra in vigore il giorno seguente.\n"
    )
    assert [heading for _, heading in headings(law)] == [
        "(Finalità)", "(Modifica all'articolo 20 della l.r. 16/2029)", "(Norma finanziaria)", "(Entrata in vigore)",
    ]  # fmt: skip


def test_the_number_of_an_amending_act_before_a_heading_is_not_part_of_it() -> None:
    law = (
        "<p><b>1 §.</b> <i>Syfte</i></p><p>Lagen gäller hamnens lyktor.</p><p><b>2 §. (2031/22)</b> <i>Plan</i></p>"
        "<p>Det finns en plan för varje lykta.</p><p><b>3 §.</b> <i>Ikraftträdande</i></p><p>Lagen träder i kraft genast.</p>"
    )
    assert headings(f"<html><body><h1>Lag om lyktor</h1>{law}</body></html>", "law.html") == [
        ("1", "Syfte"), ("2", "Plan"), ("3", "Ikraftträdande"),
    ]  # fmt: skip


_TURKISH = "\n\n".join(
    f"***{heading}:***\n\n**Madde {number} –** Bekçi {number} numaralı feneri her akşam yakar."
    for number, heading in enumerate(("Amaç", "Tanımlar", "Fenerler", "Yürürlük"), 1)
)
_FINNISH = (
    "#### 1 § (7.5.2031/77)\n\n**Tarkoitus**\n\nLain tarkoituksena on valo.\n\n#### 2 §\n\n**Lyhdyt**\n\nLyhty on vihreä.\n\n"
    "#### 2 a § (7.5.2031/77)\n\n**Sumu**\n\nLyhty palaa sumussa.\n\n#### 3 §\n\n**Voimaantulo**\n\nLaki tulee voimaan heti."
)
_NOTED = "".join(
    f"<p>{heading}</p><p><strong>{number}.</strong> The keeper lights lamp {number} at dusk.</p><p class='footnote'>[1{number}/2032]</p>"
    for number, heading in enumerate(("Short title", "Lamps", "Keepers", "Bees"), 1)
)


@pytest.mark.parametrize(
    ("law", "name", "found"),
    [
        (f"**FENERLER KANUNU**\n\n{_TURKISH}", "law.md", ["Amaç", "Tanımlar", "Fenerler", "Yürürlük"]),
        (f"# Laki lyhdyistä\n\n{_FINNISH}", "law.md", ["Tarkoitus", "Lyhdyt", "Sumu", "Voimaantulo"]),
        (
            f"<html lang='en'><body><h1>Lamps Act 2031</h1>{_NOTED}<p>This Act may be cited as the Lamps Act 2031.</p></body></html>",
            "law.html",
            ["Short title", "Lamps", "Keepers", "Bees"],
        ),
    ],
)
def test_headings_in_bold_italics_below_an_amended_number_and_behind_a_note(
    law: str, name: str, found: list[str]
) -> None:
    assert [heading for _, heading in headings(law, name)] == found


@pytest.mark.parametrize("label", ["§ {}. {}.", "Section {}. {}.", "Article {}. {}.", "{}. {}."])
def test_a_heading_of_few_words_may_end_as_a_sentence_above_the_text(label: str) -> None:
    headings = ["Purpose", "Scope of the law", "Lamps", "Fees and fines", "Entry into force"]
    text = "The keeper shall light the lamp at dusk and watch it until the sun has risen."
    provisions = "\n\n".join(f"{label.format(number, heading)}\n\n{text}" for number, heading in enumerate(headings, 1))
    document = parse(SourceFile("lamps.txt", f"LAMPS LAW 2031\n\n{provisions}".encode(), hints={"doc_type": "act"}))
    assert [node.heading for node in document.provisions()] == headings
    assert all(document.text_of(node).endswith(text) for node in document.provisions())


def test_a_short_sentence_above_further_ones_is_not_a_heading_where_most_provisions_begin_with_long_ones() -> None:
    text = "The keeper shall light the lamp at dusk and watch it until the sun has risen."
    firsts = ["The keeper pays.", text, text, text]
    provisions = "\n\n".join(f"§ {number}. {first}\n\n{text}" for number, first in enumerate(firsts, 1))
    document = parse(SourceFile("lamps.txt", f"LAMPS LAW 2031\n\n{provisions}".encode(), hints={"doc_type": "act"}))
    assert [node.heading for node in document.provisions()] == [None] * 4


def test_a_rule_is_no_title() -> None:
    page = "<html><body><p><b>________</b></p><p><b>Rules of the harbour</b></p><p>Ships wait at the lamp.</p></body></html>"
    assert parse(SourceFile("page.html", page.encode())).title == "Rules of the harbour"
