"""Provisions that only say that they were repealed, in several languages and readers. Own texts."""

from __future__ import annotations

import pytest

from legal_pipeline.building.repeals import is_repeal
from legal_pipeline.building.source import SourceFile
from legal_pipeline.citations import EidIndex
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline.parsing.recogniser.repealed_ranges import repealed_range
from legal_pipeline.parsing.registry import parse

_KEYS = {"words", "by", "law", "ranges", "omitted", "notes", "subjects", "history"}
_ENGLISH = """THE LANTERN ACT, 2031

An Act about lanterns.

1. Short title

This Act may be cited as the Lantern Act, 2031.

2. [Repealed by Act 5 of 2040]

3. Duties of keepers

A keeper shall light the lantern at dusk.

4. Repealed

5. Repeals

Repealed by this section are the Torch Acts. Torches remain the property of keepers.

6. Fees

[Omitted by section 3 of Act 2 of 2035]

7. Offences

Who puts out a lantern commits an offence.
"""
_GERMAN = """# Laternengesetz

## § 1 Zweck

Dieses Gesetz regelt die Laternen der Häfen und ihre Pflege.

## § 2 (aufgehoben)

## § 3 Wärter

(aufgehoben durch Gesetz vom 3. Mai 2031)

## § 4 Aufgehobene Vorschriften

Aufgehoben werden die Vorschriften über Fackeln.
"""
_SWEDISH = """# Lyktlag (2031:7)

## 1 §

Lyktan ska tändas i skymningen av den som vaktar hamnen.

## 2 §

Har upphävts genom lag (2040:5).

## 3 §

Lyktor som har upphävts genom lag får inte tändas.
"""
_FINNISH = """# Lyhtylaki

## 1 §

Lyhty on sytytettävä hämärässä satamassa, ja vartija huolehtii siitä.

## 2 §

2 § on kumottu L:lla 3.5.2031/7.

## 3 §

Tällä lailla kumottuja säännöksiä sovelletaan lyhtyihin.
"""


def repealed(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type in PROVISIONS and node.status == "repealed"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lantern.txt", _ENGLISH, ["2", "4", "6"]),
        ("laternen.md", _GERMAN, ["2", "3"]),
        ("lyktor.md", _SWEDISH, ["2"]),
        ("lyhdyt.md", _FINNISH, ["2"]),
    ],
)
def test_a_provision_that_only_says_so_is_repealed(name: str, text: str, expected: list[str]) -> None:
    assert repealed(parse(SourceFile(name, text.encode()))) == expected


@pytest.mark.parametrize(
    "remark",
    [
        "(Repealed 5 of 2040 s. 7)",
        "(Repealed L.N. 5 of 2040)",
        "Repealed. [Repealed Nov. 8, 2040.]",
        "[2031 c.211 §1; repealed by 2040 c.489 §9]",
    ],
)
def test_remarks_of_publishers_name_the_act_in_forms_of_their_own(remark: str) -> None:
    text = _ENGLISH.replace("[Repealed by Act 5 of 2040]", remark)
    assert repealed(parse(SourceFile("lantern.txt", text.encode()))) == ["2", "4", "6"]


def test_the_word_of_the_provision_may_be_behind_its_number() -> None:
    articles = "".join(f"{number} straipsnis. Žibintas\n\nŽibintą uždega sargas {number}.\n\n" for number in (1, 2, 3))
    text = f"ŽIBINTŲ ĮSTATYMAS\n\n{articles}4 straipsnis. Neteko galios nuo 2040-01-01.\n\n5 straipsnis. Baudos\n\nBauda.\n"
    found = parse(SourceFile("zibintai.txt", text.encode(), hints={"doc_type": "act", "language": "lit"}))
    assert repealed(found) == ["4"]


def test_a_remark_with_law_behind_it_is_law() -> None:
    text = _ENGLISH.replace(
        "[Repealed by Act 5 of 2040]", "Repealed by Act 5 of 2040. Fees that are due remain payable."
    )
    assert repealed(parse(SourceFile("lantern.txt", text.encode()))) == ["4", "6"]


def test_the_words_are_data_of_every_language() -> None:
    stated = [code for code in known_languages() if language(code).section("repealed")]
    assert stated == list(known_languages())
    for code in stated:
        assert {"words", "by"} <= set(language(code).section("repealed")) <= _KEYS


_LAMPS = (
    "<h1>LEI Nº 7, DE 3 DE MAIO DE 2031</h1><p>Art. 1º Esta Lei dispõe sobre as lanternas do porto.</p>"
    "<p>Art. 2º Considera-se:</p><p>I - lanterna: a luz do cais;</p><p>II - guarda: a pessoa que acende;</p><p>III - (VETADO).</p>"
    "<p>Art. 3º O guarda acende a lanterna ao anoitecer.</p>%s"
    "<p>Art. 5º O guarda mantém um livro.</p><p>Art. 6º Esta Lei entra em vigor na data de sua publicação.</p>"
)


def by_number(document: Document) -> dict[str | None, str]:
    return {node.num: document.text_of(node) for node in document.walk() if node.type in PROVISIONS}


def test_a_struck_provision_keeps_its_number_before_the_note_of_its_repeal() -> None:
    page = _LAMPS % "<p><strike>Art. 4º A lanterna será verde.</strike> <a>(Revogado pela Lei nº 9, de 2032)</a></p>"
    document = parse(SourceFile("lanternas.html", page.encode()))
    texts = by_number(document)
    assert list(texts) == ["1", "2", "3", "4", "5", "6"]
    assert texts["3"] == "Art. 3º O guarda acende a lanterna ao anoitecer."
    assert texts["4"] == "Art. 4º (Revogado pela Lei nº 9, de 2032)"
    assert repealed(document) == ["4"]
    assert document.metadata["struck"] == ["A lanterna será verde."]
    assert not any("lost" in warning for warning in document.warnings)


@pytest.mark.parametrize(
    "line", ["~~Art. 4º A lanterna será verde.~~ (%s)", "<s>Art. 4º A lanterna será verde.</s> [(%s)](#n)"]
)
def test_so_it_does_in_markdown(line: str) -> None:
    articles = [
        f"Art. {number}º O guarda acende a lanterna {number}."
        if number != 4
        else line % "Revogado pela Lei nº 9, de 2032"
        for number in range(1, 7)
    ]
    document = parse(SourceFile("lanternas.md", "\n\n".join(["# LEI Nº 7, DE 3 DE MAIO DE 2031", *articles]).encode()))
    assert by_number(document)["4"] == "Art. 4º (Revogado pela Lei nº 9, de 2032)"
    assert repealed(document) == ["4"]
    assert document.metadata["struck"] == ["A lanterna será verde."]


def test_an_item_that_is_only_a_remark_stays_in_its_article() -> None:
    document = parse(SourceFile("lanternas.html", (_LAMPS % "").encode()))
    assert by_number(document)["2"].endswith("III - (VETADO).")


@pytest.mark.parametrize(
    "line",
    [
        # the wording in force has the number
        "<p><s>Art. 4º A lanterna será verde.</s> (Revogado pela Lei nº 8)</p><p>Art. 4º A lanterna será azul.</p>",
        # what is left is no note of a repeal
        "<p><s>Art. 4º A lanterna será verde.</s> (Redação dada pela Lei nº 8)</p>",
        "<p><s>Art. 4º A lanterna será verde.</s> A multa é de dez moedas (revogado).</p>",
        "<p><s>A lanterna será verde.</s> (Revogado pela Lei nº 8)</p>",
    ],
)
def test_no_number_is_kept_of_other_struck_words(line: str) -> None:
    document = parse(SourceFile("lanternas.html", (_LAMPS % line).encode()))
    assert [number for number, text in by_number(document).items() if "Revogado" in text or "verde" in text] in (
        [],
        ["3"],
    )
    assert repealed(document) == []


def test_the_number_of_a_repealed_part_of_a_provision_is_kept() -> None:
    parts = "<p><s>§ 1º A luz é azul.</s> (Revogado pela Lei nº 8)</p><p>§ 2º A luz é verde.</p>"
    document = parse(SourceFile("lanternas.html", (_LAMPS % parts).encode()))
    assert "§ 1º (Revogado pela Lei nº 8)" in by_number(document)["3"]


def test_words_in_capitals_below_a_number_are_not_the_heading_of_the_next() -> None:
    text = (
        "LEGGE 3 maggio 2031, n. 7\n\nArt. 1\n\n(Oggetto)\n\n1. La presente legge tutela le lanterne del porto.\n\nArt. 2\n\n"
        "((ARTICOLO ABROGATO DALLA L. 2 GIUGNO 2033, N. 8))\n\nArt. 3\n\n(Guardiani)\n\n1. Il guardiano accende la lanterna.\n\n"
        "Art. 4\n\n(Entrata in vigore)\n\n1. La presente legge entra in vigore domani.\n"
    )
    document = parse(SourceFile("lanterne.txt", text.encode()))
    assert by_number(document)["2"].endswith("N. 8))")
    assert repealed(document) == ["2"]


_KEEPERS = "A keeper shall light the lantern of the harbour at dusk and put it out at dawn."
_HEADS = (
    "Short title",
    "Interpretation",
    "Duties of keepers",
    "Licence",
    "",
    "",
    "",
    "Fees",
    "Offences",
    "Penalties",
    "Saving",
)


def act_with(*lines: str) -> Document:
    """Return an Act of 11 sections with `lines` in the place of sections 5 to 7."""
    sections = [f"{number}. {head}\n\n{_KEEPERS}" for number, head in enumerate(_HEADS, 1) if head]
    text = "\n\n".join(["THE LANTERN ACT, 2031", "An Act about lanterns.", *sections[:4], *lines, *sections[4:]])
    return parse(SourceFile("lantern.txt", text.encode()))


@pytest.mark.parametrize(
    "line",
    [
        "5 to 7. Repealed by Act 5 of 2040.",
        "5, 6 and 7. Repealed by 2040 c. 5",
        "5.–7. [Repealed]",
        "Sections 5 to 7 repealed.",
        "[Sections 5 to 7 repealed by Act 5 of 2040.]",
    ],
)
def test_provisions_that_were_repealed_together_are_found_by_each_number(line: str) -> None:
    document = act_with(line)
    (together,) = [node for node in document.provisions() if node.status == "repealed"]
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", together.num, "8", "9", "10", "11"]
    index = EidIndex(node.eid for node in document.walk() if node.eid)
    assert {index.resolve(f"sec_{number}") for number in (5, 6, 7)} == {together.eid}
    assert (index.resolve("sec_8"), index.resolve("sec_12")) == ("sec_8", "sec_12")


def test_numbers_of_provisions_that_a_consolidation_leaves_out_may_have_the_reason_behind_them() -> None:
    document = act_with(
        "5, 6. Omitted (amends or repeals other Acts).  2031, c. 5, ss. 5, 6.", "7. Omitted (enacts short title)."
    )
    assert [node.num for node in document.provisions()][3:7] == ["4", "5–6", "7", "8"]


_LAWS = {
    "deu": ("Laternengesetz\n\nVom 3. Mai 2031", "§ {n}\n\nDer Wärter zündet die Laterne {n} an."),
    "spa": ("LEY DE FAROLES", "Artículo {n}. El guardián enciende el farol {n}."),
    "fra": ("LOI SUR LES LANTERNES", "Article {n}\n\nLe gardien allume la lanterne {n} du port."),
}


@pytest.mark.parametrize(
    ("code", "line", "numbers"),
    [
        ("deu", "§§ 4 bis 6 (weggefallen)", "4 bis 6"),
        ("deu", "§§ 4–6\n(aufgehoben)", "4–6"),
        ("deu", "§§ 4, 5, 6 (aufgehoben)", "4–6"),
        ("spa", "Artículos 4 a 6. Derogados.", "4 a 6"),
        ("spa", "Artículos 4 al 6.- (Derogados)", "4 al 6"),
        ("fra", "Articles 4 à 6 (abrogés)", "4 à 6"),
    ],
)
def test_so_they_are_in_other_languages(code: str, line: str, numbers: str) -> None:
    head, law = _LAWS[code]
    text = "\n\n".join([head, *(line if n == 4 else law.format(n=n) for n in (1, 2, 3, 4, 7, 8, 9))])
    document = parse(SourceFile("lanterns.txt", text.encode()))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", numbers, "7", "8", "9"]
    assert repealed(document) == [numbers]
    (together,) = [node for node in document.provisions() if node.num == numbers]
    kind = (together.eid or "").partition("_")[0]
    assert EidIndex(node.eid for node in document.provisions() if node.eid).resolve(f"{kind}_5") == together.eid


@pytest.mark.parametrize(
    "line",
    [
        "5, 7. (Repealed)",
        "5, 6, 9. (Repealed)",
        "5-7. (Repealed)",
        "Sections 5 to 7 apply.",
        "5 to 7. Lanterns are lit.",
    ],
)
def test_other_numbers_are_not_those_of_one_provision(line: str) -> None:
    assert not any((node.num or "").startswith("5") and node.num != "5" for node in act_with(line).provisions())


def test_a_provision_without_text_is_repealed_if_a_table_of_amendments_says_so() -> None:
    table = "Tableau des modifications\n\nArt. 2 modifié 03.05.2031 2031_7\n\nArt. 3 abrogé 03.05.2031 2031_7"
    texts = [
        "Le gardien allume la lanterne du port.",
        "Le gardien l'éteint.",
        "…",
        "Le gardien tient un carnet.",
        "La loi entre en vigueur.",
    ]
    law = "\n\n".join(f"Art. {number} * {text}" for number, text in enumerate(texts, 1))
    document = parse(SourceFile("lanternes.txt", f"Loi sur les lanternes\n\n{law}\n\n{table}".encode()))
    assert repealed(document) == ["3"]


def test_notes_on_amendments_behind_the_statement_are_no_law() -> None:
    notes = "Section Amendments with date in force (d/m/y)\n\n2040, c. 5, Sched. 1, s. 11 (3) - 15/12/2040"
    text = _ENGLISH.replace("[Repealed by Act 5 of 2040]", f"Repealed: 2040, c. 5, Sched. 1, s. 11 (3).\n\n{notes}")
    assert repealed(parse(SourceFile("lantern.txt", text.encode()))) == ["2", "4", "6"]


@pytest.mark.parametrize("heading", ["PART II\n\n[Repealed]", "PART II\n\n(Repealed by Act 5 of 2040)"])
def test_a_part_without_provisions_is_repealed(heading: str) -> None:
    parts = [
        f"PART I\n\nKEEPERS\n\n1. Keepers\n\n{_KEEPERS}\n\n2. Duties\n\n{_KEEPERS}",
        heading,
        f"PART III\n\nFEES\n\n3. Fees\n\n{_KEEPERS}",
    ]
    document = parse(
        SourceFile("lantern.txt", "\n\n".join(["THE LANTERN ACT, 2031", *parts, f"4. Fines\n\n{_KEEPERS}"]).encode())
    )
    assert [(node.num, node.status) for node in document.walk() if node.type == "part"] == [
        ("I", "in_force"), ("II", "repealed"), ("III", "in_force"),
    ]  # fmt: skip
    assert repealed(document) == []


@pytest.mark.parametrize(
    "line",
    [
        "Утратила силу.",
        "Утратила силу. - Федеральный закон от 03.05.2041 N 7-ФЗ.",
        "Сборы\n\nСноска. Статья 3 исключена Законом от 03.05.2041 № 7.",
    ],
)
def test_the_words_of_a_note_may_stand_where_a_heading_does(line: str) -> None:
    articles = ["Статья 1. Цель\n\nЗакон охраняет фонари порта.", "Статья 2. Смотритель\n\nСмотритель зажигает фонарь."]
    text = "\n\n".join(
        ["ЗАКОН О ФОНАРЯХ", *articles, f"Статья 3. {line}", "Статья 4. Штраф\n\nШтраф уплачивается в порту."]
    )
    assert repealed(parse(SourceFile("fonari.txt", text.encode()))) == ["3"]


def test_a_chapter_whose_heading_says_so_is_repealed_and_the_next_is_not() -> None:
    parts = ["## Abschnitt 1 Allgemeines\n\n### § 1 Zweck\n\nDer Wärter zündet die Laterne an.", "## Abschnitt 2 (weggefallen)",
             "## Abschnitt 3 Gebühren\n\n### § 5 Gebühr (aufgehoben)\n\n### § 6 Strafe\n\nWer sie löscht, zahlt."]  # fmt: skip
    document = parse(SourceFile("laternen.md", "\n\n".join(["# Laternengesetz", *parts]).encode()))
    assert [node.status for node in document.walk() if node.type == "division"] == ["in_force", "repealed", "in_force"]
    assert repealed(document) == ["5"]


@pytest.mark.parametrize(
    ("code", "note"),
    [
        ("eng", "Repealed LR 45/2032 s4."),
        ("eng", "Repealed 2032 c5 s7."),
        ("eng", "Repealed by Acts 2032, 97th Leg., R.S., Ch. 7 (H.B. 49), Sec. 5(3), eff. September 1, 2032."),
        ("spa", "Se deroga por el art. 17.3 de la Ley 5/2032, de 23 de diciembre. Ref. BOE-A-2032-456"),
    ],
)
def test_a_repeal_may_cite_the_provision_of_the_act_that_repeals(code: str, note: str) -> None:
    assert is_repeal(note, (code,))


def test_the_note_with_the_mark_of_a_provision_without_text_states_its_repeal() -> None:
    law = (
        "Legge sulle lampade del porto\n\nArt. 1 Scopo\n\nLa presente legge disciplina le lampade del porto.\n\n"
        "Art. 2[1] …\n\nArt. 3 Custode\n\nIl custode accende le lampade.\n\nArt. 4[2] …\n\n"
        "Art. 5 Entrata in vigore\n\nLa legge entra in vigore il 1° luglio 2031.\n\n"
        "[1]\n    Art. abrogato dalla L 10.12.2038; in vigore dal 1.3.2039 - BU 2039, 71.\n\n"
        "[2]\n    Art. modificato dalla L 10.12.2038; in vigore dal 1.3.2039 - BU 2039, 71.\n"
    )
    document = parse(SourceFile("lampade.txt", law.encode()))
    assert [node.num for node in document.provisions() if node.status == "repealed"] == ["2"]


_SWISS = """<html lang="fr"><body><h1>Ordonnance sur les lampes du port</h1>
<h6><b>Art. 1</b> Objet</h6><p>La présente ordonnance règle l’usage des lampes du port et de leurs huiles.</p>
<h6><b>Art. 1</b><i>a</i><sup><a href="#n1">1</a></sup> Gardiens</h6><p>Le gardien allume la lampe.</p>
<p id="n1" class="footnote"><sup>1</sup> Introduit par le ch. I de l’O du 3 mai 2031.</p>
<h6><a><b>Art. 2</b><sup></sup></a><a href="#n2">2</a></h6>
<p id="n2" class="footnote"><sup>2</sup> Abrogé par le ch. I de l’O du 3 mai 2031 (RO <b>2031</b> 7).</p>
<h6><b>Art. 3</b> Taxe</h6><p>La taxe est fixée selon l’<a href="#a1">art. 1</a>.</p></body></html>"""
_HUNGARIAN = """<html lang="hu"><body><h1>2031. évi VII. törvény</h1><h2>a lámpákról</h2>
<div><span>1. §</span> <span>E törvény hatálya kiterjed a kikötő valamennyi lámpájára.</span></div>
<div><span>1/A. §</span><a href="#l1"><sup>1</sup></a> <span>A lámpás meggyújtja a lámpát.</span></div>
<div><span>2. §</span><a href="#l2"><sup>2</sup></a> </div><div><span>3. §</span> <span>A lámpa fénye zöld.</span></div>
<div><span>4–6. §</span><a href="#l3"><sup>3</sup></a> </div><div><span>7. §</span> <span>Ez a törvény ma lép hatályba.</span></div>
<div><p id="l1"><sup>1</sup> Az 1/A. §-t a 2033. évi II. törvény 4. §-a iktatta be.</p>
<p id="l2"><sup>2</sup> A 2. §-t a 2033. évi II. törvény 5. §-a hatályon kívül helyezte.</p>
<p id="l3"><sup>3</sup> A 4–6. § a 2033. évi II. törvény 6. §-a alapján hatályát vesztette.</p></div></body></html>"""
_OLD_TEXT = """<html lang="fr"><body><h1>Décret n° 2031-7 relatif aux lampes du port</h1>
<p>Article 1</p><p>Le présent décret s’applique aux lampes du port.</p>
<p>Article 2 (abrogé)</p><p>Abrogé par Décret n°2033-5 - art. 4</p><p>Les lampes sont inventoriées avant le 1er mai 2032.</p>
<p>Article 3 (lampes abrogées)</p><p>Les lampes sont vertes.</p><p>Article 4</p><p>Le gardien allume les lampes.</p></body></html>"""


@pytest.mark.parametrize(
    ("page", "numbers", "gone"),
    [
        (_SWISS, ["1", "1a", "2", "3"], ["2"]),
        (_HUNGARIAN, ["1", "1/A", "2", "3", "4–6", "7"], ["2", "4–6"]),
        (_OLD_TEXT, ["1", "2", "3", "4"], ["2"]),
    ],
)
def test_the_mark_of_a_note_is_no_part_of_a_number_and_the_note_or_a_remark_beside_it_states_the_repeal(
    page: str, numbers: list[str], gone: list[str]
) -> None:
    document = parse(SourceFile("law.html", page.encode()))
    assert [node.num for node in document.provisions()] == numbers
    assert repealed(document) == gone


@pytest.mark.parametrize(
    ("code", "line", "found"),
    [
        ("deu", "§§ 5-7 (aufgehoben)", ("5–7", ("§ 5 (aufgehoben)", "5. (aufgehoben)"))),
        ("deu", "§ 5-7 (aufgehoben)", None),  # section 7 of chapter 5
        ("deu", "§§ 4, 5, 6 (aufgehoben)", ("4–6", ("§ 4 (aufgehoben)", "4. (aufgehoben)"))),
        ("deu", "§§ 4, 6 (aufgehoben)", None),  # § 5 is in force
        ("eng", "8, 9 (Repealed)", ("8–9", ("8 (Repealed)",))),
    ],
)
def test_a_list_of_numbers_is_one_range_only_if_none_is_missing(code: str, line: str, found: object) -> None:
    both = repealed_range(line, code)
    assert (None if both is None else (both.number.text, both.as_single)) == found
