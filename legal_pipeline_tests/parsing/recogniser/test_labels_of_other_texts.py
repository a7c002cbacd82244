"""Labels in texts of other kinds than Acts: rules of procedure, laws written as lists, and wordings quoted with one mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_TEXT = "The keeper of the harbour lights the lamp at dusk and puts it out at dawn."


def read(name: str, *parts: str) -> Document:
    return parse(SourceFile(name, "\n\n".join(parts).encode()))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions()]


@pytest.mark.parametrize("word", ["RULE", "Rule", "Regulation"])
def test_rules_and_regulations_are_sections(word: str) -> None:
    document = read("rules.txt", "HARBOUR RULES", *(f"{word} {number}\n\n{_TEXT}" for number in range(1, 9)))
    assert numbers(document) == [str(number) for number in range(1, 9)]


def test_a_reference_to_a_rule_is_not_a_section() -> None:
    provisions = [f"Section {number}\n\n{_TEXT}\n\nRule {number} applies to the lamp." for number in range(1, 9)]
    assert numbers(read("act.txt", "HARBOUR ACT", *provisions)) == [str(number) for number in range(1, 9)]


def test_a_heading_of_rules_and_the_notes_on_rules_are_no_sections() -> None:
    provisions = [f"{number}. (1) {_TEXT}\n\n(2) {_TEXT}" for number in range(1, 9)]
    provisions[6] = "7. Rules.\n\nThe Board makes rules for the lamps of the harbour."
    notes = [f"Rule {number} provides that the keeper lights lamp {number}." for number in range(1, 9)]
    text = "\n\n".join(["HARBOUR ACT", "PART I", *provisions, "EXPLANATORY STATEMENT", *notes])
    document = parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act"}))
    assert numbers(document) == [str(number) for number in range(1, 9)]


def test_articles_that_are_items_of_a_list_are_articles() -> None:
    items = [
        f"- **Artículo {number}**\n  El guarda del puerto enciende la lámpara al anochecer." for number in range(1, 9)
    ]
    document = read("ley.md", "# Ley del puerto", "\n".join(items))
    assert numbers(document) == [str(number) for number in range(1, 9)]


def test_notes_above_a_list_of_the_provisions_that_they_are_about_are_not_a_law() -> None:
    notes = "\n\n".join(
        f"The keeper was asked on day {day} why the lamp was dark, and gave no reason." for day in range(20)
    )
    text = f"{notes}\n\nArticle 6(1) LAMPS\n\nArticle 7 LAMPS\n\nArticle 9 LAMPS"
    assert parse(SourceFile("notes.txt", text.encode())).doc_type == "other"
    law = "\n\n".join(f"Article {number}\n\nThe keeper lights lamp {number}." for number in (6, 7, 9))
    assert parse(SourceFile("law.txt", law.encode())).doc_type == "act"


def test_a_list_of_references_is_not_a_list_of_articles() -> None:
    articles = [f"## Article {number}\n\n{_TEXT}" for number in range(1, 9)]
    notes = "- Article 3 of the Lamps Act\n- Article 9 of the Ports Act"
    assert numbers(read("law.md", "# Harbour law", *articles, notes)) == [str(number) for number in range(1, 9)]


@pytest.mark.parametrize(
    "reference", ["§ {0} der Lampenordnung", "Artikel {0} der Lampenordnung", "Artikel II Nr. {0}"]
)
def test_the_items_of_a_list_that_begin_with_a_reference_are_no_provisions(reference: str) -> None:
    sections = [f"## § {number} Lampen\n\nDer Wärter zündet die Lampe {number} an." for number in range(1, 9)]
    items = [f"{number}.  {reference.format(number + 20)} ist nicht anzuwenden.\n" for number in range(1, 7)]
    sections[3] += "\n\nFür den Hafen gilt:\n\n" + "\n\n".join(items)
    document = read("gesetz.md", "# Gesetz über die Lampen des Hafens", *sections)
    assert numbers(document) == [str(number) for number in range(1, 9)]
    assert not document.warnings


def test_a_section_whose_text_begins_with_a_number_is_one_where_the_number_precedes_the_sign() -> None:
    sections = [f"{number}. § {number + 15} éven aluli gyermek a lámpát nem gyújtja meg." for number in range(1, 9)]
    document = read("torveny.txt", "1998. évi XX. törvény a kikötő lámpáiról", *sections)
    assert numbers(document) == [str(number) for number in range(1, 9)]


def test_a_quoted_wording_without_a_closing_mark_hides_no_article_behind_it() -> None:
    """The wording of article 3 has no closing mark, and that of article 5 has."""
    parts = [f"Artículo {number}. El guarda del puerto enciende la lámpara número {number}." for number in range(1, 9)]
    parts.insert(5, "“Artículo 5. La guarda del puerto enciende la lámpara.\n\nLa apaga al alba.”")
    parts.insert(3, "“Artículo 3. La guarda del puerto enciende la lámpara.\n\nLa apaga al alba.")
    assert numbers(read("ley.txt", "LEY DEL PUERTO", *parts)) == [str(number) for number in range(1, 9)]


def test_the_articles_of_a_quotation_with_definitions_are_not_those_of_the_law() -> None:
    quoted = (
        "“Article 20. In this law:\n\n“lamp” means any lamp;\n\n(a) of glass; or\n\n(b) of iron;\n\n“keeper” means a person.\n\n"
        "Article 21. The keeper lights the lamp.”"
    )
    parts = [f"Article {number}. The keeper changes lamp {number} of the harbour." for number in range(1, 9)]
    document = read(
        "law.txt", "HARBOUR LAW", *parts[:4], "Article 5. The following articles are inserted:", quoted, *parts[5:]
    )
    assert numbers(document) == [str(number) for number in range(1, 9)]


def _heading(number: str) -> str:
    return (
        f"NRS {number} Presumptions concerning the keeping of lamp {number} in a harbour whose keeper is absent or ill; exceptions "
        "for lamps of glass, of iron and of wood; regulations of the Board of Harbours, fees."
    )


def test_sections_of_a_code_have_its_abbreviation_before_their_numbers() -> None:
    """Their headings, which the contents repeat, are as long as sentences; 10B.0655 is between 10B.065 and 10B.066."""
    sections = [
        "10B.010",
        "10B.020",
        "10B.030",
        "10B.065",
        "10B.0655",
        "10B.066",
        "10B.0662",
        "10B.06625",
        "10B.070",
        "10B.080",
    ]
    contents = [f"<p>{_heading(number)}</p>" for number in sections]
    law = [f"<p>{_heading(number)}</p><p>1. {_TEXT}</p><p>2. See NRS 10B.010.</p>" for number in sections]
    page = f"<html><body><p>CHAPTER 10B - LAMPS</p>{''.join(contents)}<p>_________</p>{''.join(law)}</body></html>"
    document = parse(SourceFile("code.html", page.encode()))
    assert numbers(document) == sections
    assert document.warnings == ()


def test_a_law_that_cites_a_code_is_not_read_as_that_code() -> None:
    provisions = [f"Section {number}\n\n{_TEXT}\n\nNRS 10B.0{number}0 applies to the lamp." for number in range(1, 9)]
    assert numbers(read("act.txt", "HARBOUR ACT", *provisions)) == [str(number) for number in range(1, 9)]


def test_a_label_with_a_dash_begins_a_provision_below_a_long_heading() -> None:
    """A heading as long as a line does not look as if it ended."""
    wrapped = (
        "Fener bekçisi akşam olunca limandaki bütün fenerleri yakar ve sabah olunca\n"
        "onları söndürür; bekçinin görevleri yönetmelikle ayrıca düzenlenir."
    )
    parts = [
        f"Limandaki fenerlerin yakılması ve söndürülmesi ile bekçilerin bütün işleri\nMadde {number} – {wrapped}"
        for number in range(1, 13)
    ]
    document = parse(SourceFile("kanun.txt", ("FENER KANUNU\n" + "\n".join(parts)).encode()))
    assert numbers(document) == [str(number) for number in range(1, 13)]


def test_a_paragraph_with_one_bold_line_is_no_bold_paragraph() -> None:
    """Some programs mark a line of each section as bold, others none: all are the sections of one bill."""
    sections = [
        f"**{number}. The keeper of the lamp of the harbour of class {number} is**\nthe person whom the Board names as its keeper."
        if number % 3
        else f"{number}. The keeper of the lamp of the harbour of class {number} is the person whom the Board names."
        for number in range(1, 13)
    ]
    text = "\n\n".join(["# HARBOUR BILL", "**PART I**", *sections[:6], "**PART II**", *sections[6:]])
    document = parse(SourceFile("bill.md", text.encode(), hints={"doc_type": "act"}))
    assert numbers(document) == [str(number) for number in range(1, 13)]


def test_sections_of_a_chapter_of_a_code_have_its_number() -> None:
    sections = ["165.002", "165.005", "165.007", "165.013", "165.017", "165.022", "165.100"]
    contents = [f"{number} Lamp of class {number}" for number in sections]
    law = [f"{number} Lamp of class {number}. (1) {_TEXT}\n\n(2) {_TEXT}" for number in sections]
    document = read("chapter.txt", "Chapter 165 — Lamps", *contents, *law)
    assert numbers(document) == sections


def test_numbers_of_acts_before_their_notes_are_no_sections_of_a_code() -> None:
    """The last page of a consolidated act names the acts that changed it."""
    provisions = [
        f"{number} § Hamnvakten ska tända lyktan på kvällen och släcka den på morgonen." for number in range(1, 13)
    ]
    notes = [
        f"AFS {2010 + number}:{number + 10}\n\nDenna författning träder i kraft den 1 juli." for number in range(1, 7)
    ]
    assert numbers(read("foreskrift.txt", "FÖRESKRIFTER OM HAMNAR", *provisions, *notes)) == [
        str(number) for number in range(1, 13)
    ]


def test_headings_inside_a_law_that_is_quoted_as_a_whole_are_those_of_its_articles() -> None:
    """The heading of its first article, which the publisher made, is above the mark."""
    quoted = [
        f"## Artículo {number}\n\nEl guarda del puerto enciende la lámpara número {number}." for number in range(2, 9)
    ]
    text = "\n\n".join(
        [
            "# Ley del puerto",
            "Apruébase la siguiente ley:",
            '## Artículo 1\n\n"Artículo 1°.- El guarda del puerto enciende la lámpara.',
            *quoted[:-1],
            quoted[-1] + '"',
        ]
    )
    assert numbers(read("ley.md", text)) == [str(number) for number in range(1, 9)]


def test_a_bill_with_a_longer_explanation_in_another_language_is_read_in_its_own() -> None:
    explanation = "The purpose of this bill is to keep the harbours of the islands open at night, when ships wait for the morning."
    text = "Pemilik hendaklah menyalakan lampu pelabuhan sebelum matahari terbenam, kerana kapal memerlukan cahaya itu."
    sections = [f"Seksyen {number}. Lampu {number}\n\n{text}" for number in range(1, 13)]
    document = read("bill.txt", "A BILL", *[explanation] * 20, *sections)
    assert numbers(document) == [str(number) for number in range(1, 13)]
    assert document.language == "msa"


@pytest.mark.parametrize(("opens", "closes"), [('"', "”"), ("“", '"'), ("“", "”"), ('"', '"')])
def test_a_quotation_ends_with_a_mark_of_another_form_too(opens: str, closes: str) -> None:
    wording = f"{opens}Artículo 2.- Los barcos pagan.\n\nLa tasa se paga en el puerto.{closes}"
    rules = [f"Artículo {number}.- La autoridad fija la tasa {number}." for number in range(1, 9)]
    rules.insert(2, f"Artículo modificado por la Ley 31, cuyo texto es el siguiente:\n\n{wording}")
    later = f"{opens}La autoridad fija la tasa.\n\nLa tasa es anual.{'”' if opens == '“' else opens}"
    rules.insert(7, f"Párrafo modificado, cuyo texto es el siguiente:\n\n{later}")
    text = "# Ley de puertos\n\n" + "\n\n".join(rules)
    document = parse(SourceFile("ley.md", text.encode(), hints={"doc_type": "act", "language": "es"}))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 9)]


def _amending_act(own: Sequence[str], set_out: Mapping[str, Sequence[str]], *, before: str = "") -> str:
    """An Act whose articles `own` are headings; `set_out`: under an article, the articles of another law, which are lines."""

    def article(number: str) -> str:
        lines = "".join(f"\n\n**Art. {other}.**\n\nLamp {other} burns at night." for other in set_out.get(number, ()))
        return f"### Art. {number}.\n\nThe Harbour Act is changed as follows:{lines}"

    return f"# Act on lamps\n\n{before}" + "\n\n".join(map(article, own))


@pytest.mark.parametrize(
    ("own", "set_out"),
    [
        (["1", "2", "3"], {"2": ["16"], "3": ["17"]}),
        (["1", "2", "3"], {"1": ["13", "14", "185"]}),
        (["1", "2"], {"1": ["3", "4", "5", "6"]}),
        (["I", "II", "III"], {"1": [], "I": ["4", "4bis", "5"]}),
        (["I", "II", "III"], {"II": ["188", "189", "190"]}),
        # the numbers of the other law are those of articles before
        (["1", "2", "3", "4", "5", "6"], {"5": ["1", "2"]}),
    ],
)
def test_articles_of_another_law_between_headings_are_text_of_the_article(
    own: Sequence[str], set_out: Mapping[str, Sequence[str]]
) -> None:
    document = parse(SourceFile("act.md", _amending_act(own, set_out).encode()))
    assert [node.num for node in document.provisions()] == own
    holder, others = next((number, others) for number, others in set_out.items() if others)
    text = document.text_of(next(node for node in document.provisions() if node.num == holder))
    assert all(f"Lamp {number} burns" in text for number in others)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        # articles behind the last heading go on the law
        (_amending_act(["1", "2", "3"], {"3": ["5", "6", "7"]}), ["1", "2", "3", "5", "6", "7"]),
        # the law that approves a treaty has its own articles in bold, and only those of the treaty are headings
        (
            _amending_act(
                ["1", "2", "3"], {}, before="**ART. 1** The treaty is approved.\n\n**ART. 2** It is printed.\n\n"
            ),
            ["1", "2", "1", "2", "3"],
        ),
        # a heading is missing: the numbers count, and not the look
        (_amending_act(["1", "2", "5"], {"2": ["3", "4"]}), ["1", "2", "3", "4", "5"]),
    ],
)
def test_articles_that_are_not_headings_are_provisions_where_the_headings_alone_do_not_count(
    text: str, numbers: Sequence[str]
) -> None:
    assert [node.num for node in parse(SourceFile("act.md", text.encode())).provisions()] == numbers


def test_a_numeral_of_another_series_is_not_the_second_number_of_an_article() -> None:
    articles = [f"## Article {number}\n\n{_TEXT}" for number in range(1, 9)]
    articles[2] = f"## Article 3 and XIV\n\n{_TEXT}"
    assert numbers(read("law.md", "# Harbour law", *articles)) == [str(number) for number in range(1, 9)]


@pytest.mark.parametrize(
    ("language", "label", "reference"),
    [
        ("en", "Section {}. The keeper lights the lamp.", "Section 9 of the Ports Act applies to the lamp."),
        ("fr", "Article {}. Le gardien allume la lampe.", "Article 9 du code des ports, applicable à la lampe."),
        ("de", "§ {}. Der Wärter zündet die Lampe an.", "§ 9 des Hafengesetzes gilt für die Lampe."),
        ("sv", "{} § Vakten tänder lampan.", "9 § i hamnlagen gäller för lampan."),
        ("ja", "第{}条　灯台の管理者は、夕刻に灯火を点ずる。", "第九条の規定は、港の灯火に準用する。"),
        ("ko", "제{}조(등불) 관리자는 저녁에 등불을 켠다.", "제9조의 규정은 항구의 등불에 준용한다."),
    ],
)
def test_a_reference_with_the_number_after_the_last_provision_is_not_a_provision(
    language: str, label: str, reference: str
) -> None:
    text = "\n\n".join(["HARBOUR ACT", *(label.format(number) for number in range(1, 9)), reference])
    document = parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act", "language": language}))
    assert numbers(document) == [str(number) for number in range(1, 9)]
    (last,) = (node for node in document.provisions() if node.num == "8")
    assert document.text_of(last).endswith(reference)


def test_a_law_whose_articles_all_read_as_references_has_them_all() -> None:
    articles = [f"第{number}条　第{number}座灯塔的看守人应当在黄昏点灯，在黎明熄灯。" for number in "一二三四五六七八"]
    text = "\n\n".join(["灯塔法", *articles])
    document = parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act", "language": "zh"}))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 9)]


def test_a_quotation_that_the_last_note_closes_ends_before_the_next_article() -> None:
    quoted = [
        "## „ČÁST ČTVRTÁ",
        "#### LAMPY",
        "##### § 26",
        "Lampy^7) svítí v noci.",
        "#### Přístavy",
        "##### § 27",
        "Přístav platí.",
    ]
    own = ["## ČÁST DRUHÁ", "#### Účinnost", "##### Čl. II", "Tato vyhláška nabývá účinnosti dnem vyhlášení."]
    text = [
        "# Vyhláška o lampách",
        "##### Čl. I",
        "Doplňuje se část čtvrtá, která zní:",
        *quoted,
        *own,
        "^7) Zákon č. 7/2031 Sb., o lampách.“.",
    ]
    document = parse(SourceFile("lampy.md", "\n\n".join(text).encode(), hints={"doc_type": "act", "language": "cs"}))
    assert [(node.type, node.num) for node in document.provisions()] == [("article", "I"), ("article", "II")]
    assert "§ 27" in document.text_of(next(node for node in document.provisions() if node.num == "I"))


def test_sections_behind_the_first_article_of_which_none_is_a_first_one_are_those_of_the_law_that_it_changes() -> None:
    sections = [f"##### § 63{letter}\n\nLampy svítí v noci." for letter in "abcdef"]
    own = [
        "##### Čl. I\n\nZákon o lampách se mění takto:",
        *sections,
        "##### Čl. II\n\nTento zákon nabývá účinnosti dnem vyhlášení.",
    ]
    document = parse(SourceFile("zakon.md", "\n\n".join(["# Zákon o změně", *own]).encode(), hints={"language": "cs"}))
    assert [(node.type, node.num) for node in document.provisions()] == [("article", "I"), ("article", "II")]


def test_a_section_that_is_printed_before_the_one_that_it_follows_is_a_section() -> None:
    sections = [f"##### § {number}\n\nLampa {number} svítí v noci." for number in (1, 2, 3, 5, 4)]
    document = parse(
        SourceFile("zakon.md", "\n\n".join(["# Zákon o lampách", *sections]).encode(), hints={"language": "cs"})
    )
    assert [(node.num, document.text_of(node).split()[3]) for node in document.provisions()] == [
        (str(number), str(number)) for number in (1, 2, 3, 5, 4)
    ]


def test_a_quotation_without_a_closing_mark_ends_before_the_article_in_which_another_opens() -> None:
    def change(number: int, closes: str) -> str:
        return f'##### Article {number}\n\nSection {number} reads:\n\n"Section {number} The lamp burns.\n\nIt is red.{closes}'

    articles = [change(1, '".'), change(2, ""), change(3, '".'), change(4, '".')]
    document = parse(
        SourceFile("act.md", "\n\n".join(["# Lamps Amendment Law", *articles]).encode(), hints={"language": "en"})
    )
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]
