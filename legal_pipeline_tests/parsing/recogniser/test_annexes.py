"""Annexes whose heading names what they belong to: they are no text of the last provision."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_PROVISIONS = "".join(
    "§ {}\nAlpha beta gamma delta epsilon zeta eta theta iota kappa lambda mi ni xi.\n" for _ in range(4)
)


def _read(text: str, language: str) -> Document:
    return parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act", "language": language}))


def _law(word: str, end: str, language: str) -> Document:
    provisions = "".join(
        f"{word.format(number)} Alpha {number} beta gamma delta epsilon zeta eta theta iota kappa lambda mi ni xi.\n\n"
        for number in range(1, 5)
    )
    return _read(f"Lex\n\n{provisions}{end}", language)


def _schedules(document: Document) -> list[Node]:
    return [node for node in document.nodes if node.type == "schedule"]


@pytest.mark.parametrize(
    ("language", "word", "heading", "num"),
    [
        ("cs", "§ {}", "Příloha č. 1 k vyhlášce č. 512/2031 Sb.", "1"),
        ("cs", "§ {}", "Příloha k zákonu č. 512/2031 Sb.", None),
        ("sk", "§ {}", "Príloha č. 1 k zákonu č. 512/2031 Z. z.", "1"),
        ("hu", "{}. §", "1. melléklet a 2031. évi XL. törvényhez", "1"),
        ("hu", "{}. §", "Melléklet az 5/2031. (V. 7.) rendelethez", None),
        ("pl", "§ {}.", "Załącznik nr 1 do rozporządzenia Ministra Latarń", "1"),
        ("pl", "Art. {}.", "Załącznik do ustawy z dnia 5 maja 2031 r.", None),
        ("de", "§ {}", "Anlage 1 zu § 3 Abs. 2", "1"),
        ("de", "§ {}", "Anlage 1 (zu § 3)", "1"),
        ("nl", "Artikel {}.", "Bijlage als bedoeld in artikel 3", None),
        ("fr", "Article {}.", "Annexe I à l’arrêté du 5 mai 2031", "I"),
        ("sv", "{} §", "Bilaga 1 till förordningen om fyrar", "1"),
        ("bg", "Чл. {}.", "Приложение № 1 към чл. 3", "1"),
        ("ru", "Статья {}.", "Приложение № 1 к Закону о маяках", "1"),
        ("en", "{}. Lamps.—", "Schedule [s. 2]", None),
        ("en", "{}. Lamps.—", "Schedule\t[ss. 2 & 3]", None),
        ("en", "{}. Lamps.—", "SCHEDULE [Section 3]", None),
        ("en", "{}. Lamps.—", "FIRST SCHEDULE [Section 3]", "1"),
    ],
)
def test_the_heading_of_an_annex_may_name_what_it_belongs_to(
    language: str, word: str, heading: str, num: str | None
) -> None:
    document = _law(word, f"{heading}\nTau\n1. sigma\n2. omikron\n", language)
    (schedule,) = _schedules(document)
    assert (schedule.num, schedule.heading) == (num, "Tau")
    assert "omikron" in document.text_of(schedule)
    assert "sigma" not in document.text_of([node for node in document.provisions() if node.num == "4"][-1])


def test_an_annex_without_a_number_may_follow_the_transitional_provisions() -> None:
    end = "Přechodná ustanovení\n\nStará lucerna svítí do konce roku 2032.\n\nPříloha k zákonu č. 512/2031 Sb.\n\nSeznam lucern.\n"
    document = _law("§ {}", end, "cs")
    assert [node.type for node in document.nodes][-2:] == ["transitional", "schedule"]
    assert "Seznam lucern." in document.text_of(document.nodes[-1])


def test_the_next_annexes_have_the_next_numbers() -> None:
    end = "".join(
        f"Příloha č. {number} k vyhlášce č. 5/2031 Sb.\n\n{text}.\n\n"
        for number, text in enumerate(("Alfa", "Beta", "Gama", "Delta"), start=1)
    )
    assert [node.num for node in _schedules(_law("§ {}", end, "cs"))] == ["1", "2", "3", "4"]


def test_the_heading_of_an_annex_follows_a_full_line_without_a_blank_line() -> None:
    text = _PROVISIONS.format(*range(1, 5)) + "Příloha č. 1 k vyhlášce č. 5/2031 Sb.\nTau\n1. sigma\n"
    (schedule,) = _schedules(_read(f"Lex\n\n{text}", "cs"))
    assert (schedule.num, schedule.heading) == ("1", "Tau")


@pytest.mark.parametrize(
    "sentence",
    [
        "Příloha č. 1 k vyhlášce stanoví vzor.",
        "Příloha č. 1 k vyhlášce č. 5/2031 Sb., která stanoví vzor;",
        "Příloha č. 7 k vyhlášce č. 5/2031 Sb.",
    ],
)
def test_a_sentence_about_an_annex_heads_none(sentence: str) -> None:
    assert not _schedules(_law("§ {}", f"{sentence}\n\nAlfa beta.\n", "cs"))


def test_an_annex_before_the_next_section_is_text() -> None:
    end = "Příloha č. 1 k vyhlášce č. 5/2031 Sb.\n\nse zrušuje.\n\n§ 5 Alfa.\n\n§ 6 Beta.\n"
    assert not _schedules(_law("§ {}", end, "cs"))


def test_a_word_for_a_division_in_a_list_heads_none() -> None:
    """The Hungarian word for address is that for title."""
    document = _law("{}. §", "1. melléklet a 2031. évi XL. törvényhez\nAdatok\n1. név\n2. cím\n3. szám\n", "hu")
    assert not [node for node in document.walk() if node.type == "title"]


def test_a_heading_in_capitals_is_above_the_first_paragraph_of_a_schedule() -> None:
    sections = "".join(f"{number}. Duty {number}\nThe keeper shall light lamp {number}.\n" for number in range(1, 5))
    end = "FIRST SCHEDULE\n[Section 4.]\nPROVISIONS AS TO THE MEETINGS OF ALL KEEPERS\n1. Place\nIt meets there.\n2. Time\nIt meets then.\n"
    (schedule,) = _schedules(_read(f"THE LAMP KEEPERS ACT\n\n{sections}\n{end}", "en"))
    assert schedule.heading == "PROVISIONS AS TO THE MEETINGS OF ALL KEEPERS"
    assert [(node.num, node.heading) for node in schedule.children if node.num] == [("1", "Place"), ("2", "Time")]


_MADDE = "MADDE {} –"


def test_a_reference_to_an_annex_behind_the_number_of_an_item_is_no_annex() -> None:
    items = "1) Ek-II’nin 2 nci maddesinde belirtilen denetim,\n\n2) Ek-4’te belirtilen fener.\n\n"
    document = _law(_MADDE, items + "MADDE 5 – Bu Yönetmelik yürürlüğe girer.", "tr")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert _schedules(document) == []


@pytest.mark.parametrize(
    ("heading", "num", "shown"),
    [
        ("Ek-1\n\nFENERLER", "1", "FENERLER"),
        ("EK - II. FENERLER", "II", "FENERLER"),
        ("Ek– 2\n\nFENERLER", "2", "FENERLER"),
    ],
)
def test_a_dash_may_be_between_the_word_of_an_annex_and_its_number(heading: str, num: str, shown: str) -> None:
    (schedule,) = _schedules(_law(_MADDE, f"{heading}\n\nFener gece yanar, gündüz söner.", "tr"))
    assert (schedule.num, schedule.heading) == (num, shown)


def test_headed_points_of_an_annex_below_articles_are_no_sections() -> None:
    points = "\n\n".join(f"{number}. Lamp of pier {number}\n\nThe lamp burns at night." for number in range(1, 6))
    document = _law("Article {}.", f"ANNEX I\n\nLAMPS\n\n{points}", "en")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]
