"""Transitional, additional and final provisions have headings of their own: they are no text of the last article."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
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
