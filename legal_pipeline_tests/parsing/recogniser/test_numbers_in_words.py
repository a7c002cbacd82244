"""Headings whose number is a word, above twenty too; own sentences about lamps."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.recogniser.words import words_of
from legal_pipeline.parsing.registry import parse

#: By language: the title, four headings of divisions that follow each other, and a provision with its number.
LAWS = {
    "deu": (
        "Lampengesetz",
        (
            "Zwanzigster Abschnitt",
            "Einundzwanzigster Abschnitt",
            "Zweiundzwanzigster Abschnitt",
            "Dreißigster Abschnitt",
        ),
        "§ {n} Lampe\n\nWer eine Lampe besitzt, muss sie am Morgen löschen.",
    ),
    "ces": (
        "Zákon o lampách",
        ("ČÁST DVACÁTÁ", "ČÁST DVACÁTÁ PRVNÍ", "ČÁST DVACÁTÁ DRUHÁ", "ČÁST TŘICÁTÁ"),
        "§ {n} Lampa\n\nKdo má lampu, musí ji ráno zhasnout.",
    ),
    "slk": (
        "Zákon o lampách",
        ("ČASŤ DVADSIATA", "ČASŤ DVADSIATA PRVÁ", "ČASŤ DVADSIATA DRUHÁ", "ČASŤ TRIDSIATA"),
        "§ {n} Lampa\n\nKto má lampu, musí ju ráno zhasnúť.",
    ),
    "fra": (
        "Loi sur les lampes",
        ("Titre vingtième", "Titre vingt et unième", "Titre vingt-deuxième", "Titre trentième"),
        "Article {n}\n\nCelui qui possède une lampe doit l'éteindre le matin.",
    ),
    "pol": (
        "Ustawa o lampach",
        ("DZIAŁ DWUDZIESTY", "DZIAŁ DWUDZIESTY PIERWSZY", "DZIAŁ DWUDZIESTY DRUGI", "DZIAŁ TRZYDZIESTY"),
        "Art. {n}.\n\nKto ma lampę, musi ją rano zgasić.",
    ),
    "spa": (
        "Ley de lámparas",
        ("TÍTULO VIGÉSIMO", "TÍTULO VIGÉSIMO PRIMERO", "TÍTULO VIGESIMOSEGUNDO", "TÍTULO TRIGÉSIMO"),
        "Artículo {n}.\n\nQuien tenga una lámpara debe apagarla por la mañana.",
    ),
    "ita": (
        "Legge sulle lampade",
        ("Titolo ventesimo", "Titolo ventunesimo", "Titolo ventiduesimo", "Titolo trentesimo"),
        "Articolo {n}\n\nChi possiede una lampada deve spegnerla al mattino.",
    ),
    "eng": (
        "Lamps Act",
        ("Part Twentieth", "Part Twenty-first", "Part Twenty-second", "Part Thirtieth"),
        "Section {n}\n\nA person who has a lamp must put it out in the morning.",
    ),
    "swe": (
        "Lag om lampor",
        ("Tjugonde avdelningen", "Tjugoförsta avdelningen", "Tjugoandra avdelningen", "Trettionde avdelningen"),
        "{n} §\n\nDen som har en lampa ska släcka den på morgonen.",
    ),
}


@pytest.mark.parametrize("code", LAWS)
def test_a_division_above_the_twentieth_has_its_number(code: str) -> None:
    title, heads, provision = LAWS[code]
    parts = [
        f"## {head}\n\n" + "\n\n".join(f"### {provision.format(n=2 * place + below)}" for below in (1, 2))
        for place, head in enumerate(heads)
    ]
    document = parse(SourceFile("law.md", "\n\n".join([f"# {title}", *parts]).encode(), hints={"language": code}))
    assert [(node.num, len(node.children) > 1) for node in document.nodes if node.type != "heading"] == [
        (number, True) for number in ("20", "21", "22", "30")
    ]
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 9)]


#: By language: the headings of the first four divisions and of a high one, and the text of a provision.
_COUNTED = {
    "eng": ("CHAPTER ONE", "CHAPTER TWO", "CHAPTER THREE", "CHAPTER TWENTY-ONE"),
    "deu": ("TEIL EINS", "TEIL ZWEI", "TEIL DREI", "TEIL ZWÖLF"),
    "fra": ("Titre un", "Titre deux", "Titre trois", "Titre dix-sept"),
    "spa": ("TÍTULO UNO", "TÍTULO DOS", "TÍTULO TRES", "TÍTULO DIECISÉIS"),
    "ita": ("PARTE UNO", "PARTE DUE", "PARTE TRE", "PARTE VENTI"),
    "swe": ("AVDELNING ETT", "AVDELNING TVÅ", "AVDELNING TRE", "AVDELNING TJUGO"),
}
_HIGH = {"eng": "21", "deu": "12", "fra": "17", "spa": "16", "ita": "20", "swe": "20"}


@pytest.mark.parametrize("code", _COUNTED)
@pytest.mark.parametrize("mark", ["## ", ""])
def test_divisions_are_counted_with_numbers_in_words(code: str, mark: str) -> None:
    title, _, provision = LAWS[code]
    blocks = [f"# {title}" if mark else title.upper()]
    for place, head in enumerate(_COUNTED[code]):
        blocks += [f"{mark}{head}", f"{mark}Lampa {place}"]
        blocks += [f"{'### ' if mark else ''}{provision.format(n=3 * place + below)}" for below in (1, 2, 3)]
    name = "law.md" if mark else "law.txt"
    document = parse(SourceFile(name, "\n\n".join(blocks).encode(), hints={"language": code}))
    divisions = [node for node in document.nodes if node.type != "heading"]
    assert [(node.num, node.heading) for node in divisions] == [
        (number, f"Lampa {place}") for place, number in enumerate(("1", "2", "3", _HIGH[code]))
    ]
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 13)]


def test_a_sentence_that_begins_with_a_counted_part_is_text() -> None:
    articles = [f"Article {number}\n\nThe lamp burns at night." for number in range(1, 7)]
    articles[2] += "\n\nPart one of the harbour is closed at night, and part two is open."
    document = parse(SourceFile("law.txt", "\n\n".join(["LAMPS ACT", *articles]).encode()))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 7)]
    assert not [node for node in document.nodes if node.type == "part"]


def test_a_language_without_words_of_its_own_has_those_of_english() -> None:
    number = words_of("xho").number("Twenty-first")
    assert number is not None
    assert number.text == "21"


@pytest.mark.parametrize("first", ["Article ler. –", "Article l er :"])
def test_the_first_article_in_a_scanned_text_has_a_letter_for_its_figure(first: str) -> None:
    articles = "\n\n".join(f"Article {number}. – La lampe {number} brûle la nuit au port." for number in range(2, 6))
    text = f"Loi sur les lampes\n\n{first} La lampe du port brûle la nuit.\n\n{articles}\n"
    document = parse(SourceFile("loi.txt", text.encode(), hints={"language": "fr"}))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
