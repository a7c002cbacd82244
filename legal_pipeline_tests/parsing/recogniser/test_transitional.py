"""Transitional, additional and final provisions have headings of their own: they are no text of the last article."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.recogniser.words import words_of
from legal_pipeline.parsing.registry import parse

_ARTICLES = "\n\n".join(f"Artículo {number}.\n\nEl faro número {number} arde de noche." for number in range(1, 5))


def _read(text: str, language: str = "es") -> Document:
    return parse(SourceFile("ley.txt", text.encode(), hints={"doc_type": "act", "language": language}))


def _articles(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type == "article"]


@pytest.mark.parametrize(
    ("heading", "num", "shown"),
    [
        ("Disposición transitoria primera", "1", "Disposición transitoria primera"),
        ("DISPOSICION ADICIONAL SEXTA.", "6", "DISPOSICION ADICIONAL SEXTA."),
        ("Disposición final segunda. Entrada en vigor.", "2", "Entrada en vigor."),
        ("Disposición derogatoria única. Faros viejos.", "única", "Faros viejos."),
        ("DISPOSICIONES TRANSITORIAS", None, "DISPOSICIONES TRANSITORIAS"),
    ],
)
def test_a_numbered_disposition_is_no_text_of_the_last_article(heading: str, num: str | None, shown: str) -> None:
    document = _read(f"Ley de faros\n\n{_ARTICLES}\n\n{heading}\n\nLos faros viejos arden un año más.\n")
    assert _articles(document) == ["1", "2", "3", "4"]
    (found,) = [node for node in document.nodes if node.type == "transitional"]
    assert (found.num, found.heading) == (num, shown)
    assert "un año más" in document.text_of(found)


def test_a_sentence_that_begins_with_these_words_is_text() -> None:
    sentence = "Disposición transitoria primera y todas las demás son leyes de los faros de la costa"
    document = _read(f"Ley de faros\n\n{_ARTICLES}\n\n{sentence}\n")
    assert not [node for node in document.walk() if node.type == "transitional"]


def test_the_law_that_publishes_another_goes_on_behind_its_transitional_provisions() -> None:
    """Article 1 publishes a text of four articles; articles 2 and 3 stand behind its transitional provisions."""
    outer = "Artículo 1º.- Publíquese el texto que sigue.\n\n"
    end = "Artículo 2º.- Comuníquese.\n\nArtículo 3º.- Archívese.\n"
    document = _read(f"Ley\n\n{outer}{_ARTICLES}\n\nDISPOSICIONES TRANSITORIAS\n\nLos faros viejos arden.\n\n{end}")
    assert _articles(document) == ["1", "1", "2", "3", "4", "2", "3"]
    fourth = [node for node in document.provisions() if node.num == "4"][-1]
    assert "faros viejos" not in document.text_of(fourth)


def test_capitals_without_accents_are_the_same_words() -> None:
    chapters = "".join(
        f"CAPITULO {name}\n\nDe los faros\n\nArtículo {number}.- El faro {number} arde.\n\n"
        for number, name in enumerate(("PRIMERO", "SEGUNDO", "TERCERO", "CUARTO", "QUINTO", "SEXTO", "SEPTIMO"), 1)
    )
    document = _read(f"Ley de faros\n\n{chapters}")
    assert [node.num for node in document.nodes if node.type == "chapter"] == [str(number) for number in range(1, 8)]


def test_a_transitional_provision_inside_the_law_does_not_end_it() -> None:
    """It stands below an article whose paragraphs are called "§", and the next article follows."""
    articles = [f"Article {number}. Le phare numéro {number} est allumé la nuit." for number in range(1, 9)]
    articles[3] += (
        "\n\n§ 1er. Le gardien l'allume.\n\n§ 2. Le maire l'éteint.\n\nDisposition transitoire\n\n§ 3. Le vieux phare reste éteint."
    )
    text = "Loi des phares\n\n" + "\n\n".join(articles)
    document = _read(text, "fr")
    assert _articles(document) == [str(number) for number in range(1, 9)]
    assert not [node for node in document.walk() if node.type == "transitional"]


def test_sections_from_one_on_behind_the_last_chapter_are_not_its_sections() -> None:
    chapters = "".join(
        f"Kapitel {chapter} Von den Türmen\n\n" + "".join(f"§ {number} Der Turm leuchtet.\n\n" for number in (1, 2, 3))
        for chapter in (1, 2)
    )
    rest = "".join(f"§ {number} Alte Türme leuchten weiter.\n\n" for number in (1, 2))
    document = _read(f"Gesetz über Türme\n\n{chapters}Übergangsbestimmungen\n\n{rest}", "de")
    (chapter,) = [node for node in document.nodes if node.type == "chapter" and node.num == "2"]
    assert [node.num for node in chapter.children if node.type == "section"] == ["1", "2", "3"]
    (transitional,) = [node for node in document.nodes if node.type == "transitional"]
    assert [node.num for node in transitional.children if node.type == "section"] == ["1", "2"]


def test_catalan_dispositions_above_the_twentieth_are_numbered_in_words_with_hyphens() -> None:
    articles = "\n\n".join(f"Article {number}\n\nEl far número {number} crema cada nit." for number in range(1, 5))
    words = ("Vintena", "Vint-i-unena", "Vint-i-dosena")
    last = "\n\n".join(f"{word}.- Els fars vells cremen un any més." for word in words)
    document = _read(f"Llei de fars\n\n{articles}\n\nDisposicions transitòries\n\n{last}\n", "ca")
    (found,) = [node for node in document.nodes if node.type == "transitional"]
    assert [node.num for node in found.walk() if node.type == "article"] == ["20", "21", "22"]


@pytest.mark.parametrize(
    ("language", "word", "headings"),
    [
        ("bg", "Чл.", ("Допълнителни разпоредби", "ПРЕХОДНИ И ЗАКЛЮЧИТЕЛНИ РАЗПОРЕДБИ")),
        ("fr", "Art.", ("Dispositions transitoires", "Dispositions finales et transitoires")),
    ],
)
def test_paragraphs_behind_the_last_article_are_provisions_of_their_own(
    language: str, word: str, headings: tuple[str, str]
) -> None:
    articles = "".join(f"{word} {number}. Alpha beta {number}.\n\n" for number in range(1, 5))
    first, second = headings
    text = f"Lex\n\n{articles}{first}\n\n§ 1. Gamma.\n\n§ 2. Delta.\n\n{second}\n\n§ 3. Epsilon.\n\n§ 4. Zeta.\n"
    document = _read(text, language)
    assert _articles(document) == ["1", "2", "3", "4"]
    found = [node for node in document.nodes if node.type == "transitional"]
    assert [[node.num for node in division.children if node.num] for division in found] == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    "remark", ["<Act No. 512, Jun. 30, 2031>", "*<Act No. 512, Jun. 30, 2031>*", "<Law No. 5 of 2031>", "[Extract]"]
)
def test_a_heading_of_transitional_provisions_may_name_the_law_that_they_belong_to(remark: str) -> None:
    articles = "".join(f"**Article {number} (Lamp)** The keeper lights lamp {number}.\n\n" for number in range(1, 5))
    last = "".join(f"**Article {number} (Date)** Rule {number} of the addenda.\n\n" for number in (1, 2))
    text = (
        f"# LAMP ACT\n\n{articles}## ADDENDUM {remark}\n\nThis Act enters into force.\n\n## ADDENDA {remark}\n\n{last}"
    )
    document = parse(SourceFile("lamp.md", text.encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.nodes if node.type == "article"] == ["1", "2", "3", "4"]
    found = [node for node in document.nodes if node.type == "transitional"]
    assert [node.heading for node in found] == [f"{word} {remark.strip('*')}" for word in ("ADDENDUM", "ADDENDA")]
    assert [node.num for node in found[1].children if node.type == "article"] == ["1", "2"]


def test_the_heading_of_the_last_article_is_no_heading_of_transitional_provisions() -> None:
    articles = "".join(f"Article {number}\n\nLamps\n\nThe keeper lights lamp {number}.\n\n" for number in range(1, 5))
    document = _read(f"Lamp Act\n\n{articles}Article 5\n\nTransitional provisions\n\nOld lamps burn.\n", "en")
    assert not [node for node in document.walk() if node.type == "transitional"]
    assert "Old lamps" in document.text_of(list(document.provisions())[-1])


_TURKISH = """FENER KANUNU

Amaç
MADDE 1- (1) Bu Kanun fenerleri düzenler.

Bekçi
MADDE 2- (1) Bekçi feneri yakar.

Yönetmelik
EK MADDE 1- (1) Bakanlık yönetmelik çıkarır.

Geçiş
GEÇİCİ MADDE 1- (1) Eski fenerler bir yıl yanar.

Bekçiler
Geçici Madde 2 – Eski bekçiler çalışır. Geçici madde 1 hükümleri saklıdır.

Yürürlük
MADDE 3- (1) Bu Kanun yayımı tarihinde yürürlüğe girer.

Yürütme
MADDE 4- (1) Bu Kanunu Bakan yürütür.
"""


def test_turkish_additional_and_provisional_articles_have_numbers_of_their_own() -> None:
    document = _read(_TURKISH, "tr")
    articles = [node for node in document.provisions() if node.type == "article"]
    assert [node.num for node in articles] == ["1", "2", "Ek 1", "Geçici 1", "Geçici 2", "3", "4"]
    assert len({node.eid for node in articles}) == len(articles)
    assert articles[2].heading == "Yönetmelik"
    assert [child.num for child in articles[3].children if child.type == "subsection"] == ["1"]
    assert not document.warnings


def test_turkish_provisional_articles_below_a_heading_at_the_end_are_articles() -> None:
    end = "Geçici hükümler\n\nGeçici Madde 1 – Eski fenerler yanar.\n\nGeçici Madde 2 – Eski bekçiler çalışır.\n"
    articles = "".join(f"Madde {number} – Fener {number} yanar.\n\n" for number in range(1, 5))
    document = _read(f"Fener Kanunu\n\n{articles}{end}", "tr")
    assert _articles(document) == ["1", "2", "3", "4", "Geçici 1", "Geçici 2"]


def test_a_reference_to_a_turkish_provisional_article_is_text() -> None:
    text = _TURKISH.replace("GEÇİCİ MADDE 1- (1) Eski", "Geçici madde 1 hükümleri saklıdır. Eski")
    assert "Geçici 1" not in _articles(_read(text, "tr"))


def test_numbers_in_words_below_a_numbered_disposition_are_its_paragraphs() -> None:
    changes = "Uno. El artículo 4 queda sin efecto.\n\nDos. Queda suprimido el artículo 9.\n"
    document = _read(
        f"Ley de faros\n\n{_ARTICLES}\n\nDisposición final primera. Cambios.\n\nLa Ley 9 cambia:\n\n{changes}"
    )
    assert _articles(document) == ["1", "2", "3", "4"]
    (found,) = [node for node in document.nodes if node.type == "transitional"]
    assert [node.num for node in found.children if node.type == "paragraph"] == ["1", "2"]


def test_the_articles_of_a_decree_around_the_law_that_it_issues_are_not_those_of_the_law() -> None:
    law = "\n\n".join(f"Artículo {number}. El faro número {number} arde de noche." for number in range(1, 13))
    above = "ARTÍCULOS PRIMERO A SEXTO. ……….\n\nARTÍCULO SÉPTIMO. Se expide la Ley de Faros:\n\nLEY DE FAROS"
    below = (
        "DISPOSICIONES DE VIGENCIA TEMPORAL\n\nARTÍCULO OCTAVO. Los faros viejos arden.\n\nARTÍCULO NOVENO. Hay aceite."
    )
    document = _read(f"LEY DE FAROS\n\nDECRETO\n\n{above}\n\n{law}\n\n{below}\n")
    own = [node for node in document.nodes if node.type == "article"]
    assert [node.num for node in own] == [str(number) for number in range(1, 13)]
    (transitional,) = [node for node in document.nodes if node.type == "transitional"]
    assert transitional.heading == "DISPOSICIONES DE VIGENCIA TEMPORAL"
    assert [node.num for node in transitional.children if node.type == "article"] == ["8", "9"]


def test_the_sole_article_of_the_decree_above_the_law_that_it_issues_is_none_of_the_law() -> None:
    law = "\n\n".join(f"Artículo {number}. El faro número {number} arde de noche." for number in range(1, 13))
    document = _read(
        f"LEY DE FAROS\n\nDECRETO\n\nARTÍCULO ÚNICO.- Se expide la Ley de Faros.\n\nLEY DE FAROS\n\n{law}\n"
    )
    assert _articles(document) == [str(number) for number in range(1, 13)]


@pytest.mark.parametrize("marks", ['""', "“”"])
def test_a_law_that_its_decree_quotes_as_a_whole_is_no_quotation(marks: str) -> None:
    law = "\n\n".join(f"Artículo {number}. El faro número {number} arde de noche." for number in range(1, 13))
    enacted = f"{marks[0]}El Congreso decreta:\n\nLEY DE FAROS\n\n{law}\n\nTRANSITORIOS\n\nPrimero. Rige mañana.\n\nRúbricas.{marks[1]}"
    document = _read(f"LEY DE FAROS\n\nDECRETO\n\n{enacted}\n")
    assert [node.num for node in document.nodes if node.type == "article"] == [str(number) for number in range(1, 13)]


def test_articles_in_words_that_announce_nothing_are_provisions() -> None:
    document = _read(f"Ley de faros\n\nArtículo primero. Hay faros.\n\nREGLAMENTO\n\n{_ARTICLES}\n")
    assert _articles(document) == ["1", "1", "2", "3", "4"]


def test_the_articles_of_the_decrees_that_amended_a_law_are_not_its_own() -> None:
    heading = "ARTÍCULOS TRANSITORIOS DE DECRETOS DE REFORMA"
    decree = "DECRETO por el que se reforma la Ley.\n\nARTÍCULO PRIMERO.- Se reforma el artículo 2.\n\nARTÍCULO SEGUNDO.- Se deroga."
    own = "TRANSITORIOS\n\nPrimero. Esta Ley entrará en vigor mañana.\n\nSegundo. Se derogan las leyes viejas."
    document = _read(f"LEY DE FAROS\n\n{_ARTICLES}\n\n{own}\n\n{heading}\n\n{decree}\n")
    assert _articles(document) == ["1", "2", "3", "4", "1", "2"]
    assert [node.heading for node in document.nodes if node.type == "transitional"] == ["TRANSITORIOS", heading]


@pytest.mark.parametrize("mark", ["### ", "###\u00a0"])
def test_ordinals_alone_number_the_articles_below_the_heading_of_transitional_provisions(mark: str) -> None:
    articles = [f"{mark}Artículo {number}\n\nEl faro número {number} arde de noche." for number in range(1, 5)]
    ordinals = ("PRIMERA", "SEGUNDA", "TERCERA")
    closing = [f"{mark}{word}\n\nEl faro viejo arde un año más." for word in ordinals]
    text = "\n\n".join(["# Ley de faros", *articles, "# DISPOSICIONES TRANSITORIAS", *closing])
    document = parse(SourceFile("ley.md", text.encode()))
    (found,) = [node for node in document.nodes if node.type == "transitional"]
    assert [node.num for node in found.children if node.type == "article"] == ["1", "2", "3"]


@pytest.mark.parametrize("word", ["VIGÉSIMOSÉPTIMA", "VIGESIMOSÉPTIMA", "vigesimoseptima"])
def test_an_ordinal_may_lack_some_of_its_accents(word: str) -> None:
    assert words_of("spa").ordinal(word) == 27
