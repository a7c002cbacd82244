"""Which numbers are those of provisions: letters that are Roman numerals too, three numbers, items of amending articles; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(text: str) -> Document:
    return parse(SourceFile("law.md", text.encode()))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type in ("section", "article")]


def test_letters_that_are_roman_numerals_too_are_letters_behind_the_letter_before_them() -> None:
    letters = "ABCDEFGHIJKLM"
    articles = "\n\n".join(f"## {letter}) cikk\nA {letter} lámpát az őr minden este meggyújtja." for letter in letters)
    roman = "\n\n".join(
        f"## {number}. cikk\nAz őr a {number} lámpát is eloltja." for number in ("I", "II", "III", "IV", "V")
    )
    document = read(f"# Törvény a lámpákról\n\n{articles}\n\n# Jogok\n\n{roman}\n")
    assert numbers(document) == [*letters, "I", "II", "III", "IV", "V"]
    assert not any("missing" in warning for warning in document.warnings)


def ordinance(first: str = "This Ordinance shall be known as the Lamp Ordinance of the Town of Moor.") -> str:
    parts = ["# Lamp Ordinance"]
    for part, divisions in ((1, 2), (2, 3)):
        parts.append(f"## {part}. LAMPS OF PIER {part}")
        for division in range(1, divisions + 1):
            parts.append(f"### {part}.{division} KEEPERS")
            parts += [
                f"#### {part}.{division}.{section} Duty {section}\n\nThe keeper trims lamp {section} every evening before sunset."
                for section in range(1, 4)
            ]
    text = "\n\n".join(parts)
    return text.replace("The keeper trims lamp 1 every evening before sunset.", first, 1)


def test_the_sections_of_an_ordinance_have_three_numbers() -> None:
    document = read(ordinance())
    sections = [
        f"{part}.{division}.{section}"
        for part, most in ((1, 2), (2, 3))
        for division in range(1, most + 1)
        for section in (1, 2, 3)
    ]
    assert numbers(document) == sections
    assert next(node.heading for node in document.walk() if node.num == "2.3.3") == "Duty 3"


@pytest.mark.parametrize(
    "text",
    [
        ordinance("The keeper of the first lamp is paid by the town."),  # a manual
        ordinance().replace(".3 Duty", ".7 Duty"),  # numbers that do not follow each other
    ],
)
def test_a_manual_with_three_numbers_and_numbers_without_order_are_no_sections(text: str) -> None:
    assert not any(number and number.count(".") == 2 for number in numbers(read(text)))


def test_the_user_may_state_that_a_text_with_three_numbers_is_a_law() -> None:
    text = ordinance("The keeper of the first lamp is paid by the town.")
    assert numbers(parse(SourceFile("law.md", text.encode(), hints={"doc_type": "regulation"})))[0] == "1.1.1"


def test_the_items_of_an_amending_article_are_its_paragraphs_although_they_are_more_than_the_articles() -> None:
    items = "\n\n".join(
        f"{n}. Sửa đổi, bổ sung Điều {n + 3} như sau:\n\n“Điều {n + 3}. Đèn biển\n\nNgười gác đèn thắp đèn số {n}.”"
        for n in range(1, 71)
    )
    document = read(
        f"# LUẬT SỬA ĐỔI LUẬT ĐÈN BIỂN\n\nĐiều 1. Sửa đổi, bổ sung một số điều của Luật Đèn biển\n\n{items}\n\n"
        "Điều 2. Hiệu lực thi hành\n\nLuật này có hiệu lực thi hành từ ngày 01 tháng 01 năm 2031.\n"
    )
    assert numbers(document) == ["1", "2"]
    first = next(node for node in document.walk() if node.type == "article")
    assert [node.num for node in first.walk() if node.type == "paragraph"] == [str(n) for n in range(1, 71)]


def test_the_number_of_an_article_may_be_in_brackets_as_translations_of_arabic_laws_print_it() -> None:
    lines = ["LAMP LAW", "PART (1) KEEPERS"]
    for number in range(1, 5):
        lines += [
            f"Article ({number}):",
            "The keeper lights the lamp at dusk.",
            "(1) He keeps a log as Article (2) of this Law says.",
        ]
    document = parse(SourceFile("lamps.txt", "\n\n".join(lines).encode()))
    assert [(node.type, node.num) for node in document.provisions()] == [("article", str(n)) for n in range(1, 5)]
    assert [node.num for node in document.walk() if node.type == "part"] == ["1"]


def test_the_letter_of_an_inserted_section_may_be_behind_a_hyphen() -> None:
    numbers = ["1", "2", "3", "3-A", "3-B", "4", "5"]
    lines = [
        "THE LAMP ACT, 2031",
        *(
            f"{number}. Lamp {place}.—The keeper lights the lamp {place} at dusk."
            for place, number in enumerate(numbers)
        ),
    ]
    for text in ("\n\n".join(lines), "\n".join(lines)):
        document = parse(SourceFile("lamps.txt", text.encode(), hints={"doc_type": "act"}))
        assert [node.num for node in document.provisions()] == numbers


def test_paragraphs_that_count_anew_in_the_articles_of_an_approved_code_are_not_the_provisions() -> None:
    duties = ("uždega žibintą", "rašo žurnalą", "perka alyvą", "dažo duris", "valo stiklą", "šeria šunį")
    approval = (("tvirtinimas", "patvirtinamas"), ("įsigaliojimas", "galioja"), ("taikymas", "taikomas"))
    approving = "\n\n".join(
        f"**{number} straipsnis. Kodekso {title}**\n\nŽibintų kodeksas {words} nuo vasaros ir visiems uostams."
        for number, (title, words) in enumerate(approval, start=1)
    )
    code = "\n\n".join(
        f"**{article} straipsnis. Žibintininko pareiga {duties[article % 6]}**\n\n"
        + "\n\n".join(
            f"{place}\\. Žibintininkas {article} dieną {duty} ir prižiūri uostą."
            for place, duty in enumerate(duties, start=1)
        )
        for article in range(1, 25)
    )
    title = "**LIETUVOS RESPUBLIKOS**\n\n**ŽIBINTŲ KODEKSO PATVIRTINIMO ĮSTATYMAS**"
    document = read(f"{title}\n\n{approving}\n\n**I SKYRIUS**\n\n**BENDROSIOS NUOSTATOS**\n\n{code}\n")
    assert numbers(document) == ["1", "2", "3", *(str(number) for number in range(1, 25))]
