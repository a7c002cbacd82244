"""Acts that change other acts, and the text of an act with a mark of a quotation that nobody closed; own sentences."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse


def numbers(text: str, **hints: str) -> list[tuple[str, str | None]]:
    document = parse(SourceFile("law.md", text.encode(), hints=hints))
    return [(node.type, node.num) for node in document.provisions()]


def test_the_points_of_an_amending_act_are_not_its_provisions_where_articles_are_missing() -> None:
    """A later act repealed article II: three articles, and far more points than articles."""
    points = "\n\n".join(
        f"{number}.\n\nV § {number} ods. 1 sa slovo „lampa“ nahrádza slovom „lampáš“." for number in range(1, 175)
    )
    articles = (
        f"##### Čl. I\n\nZákon č. 5/2031 Z. z. o lampách sa mení takto:\n\n{points}",
        "##### Čl. III\n\nPredseda vlády vyhlási úplné znenie zákona o lampách.",
        "##### Čl. IV\n\nTento zákon nadobúda účinnosť 1. mája 2032.",
    )
    law = "\n\n".join(["# Zákon, ktorým sa mení zákon o lampách", *articles])
    assert numbers(law, doc_type="act", jurisdiction="sk") == [("article", "I"), ("article", "III"), ("article", "IV")]


def _rules(first: int, last: int, mark: str = "") -> str:
    return "\n\n".join(f"{mark}{number}. The keeper lights lamp {number} at dusk." for number in range(first, last))


#: Laws whose sections have no word, and articles that are not their provisions; the numbers of the sections.
SECTIONS = {
    "they go on from one article to the next": (
        f"## Article I\n\n{_rules(1, 40)}\n\n## Article II\n\n{_rules(40, 80)}",
        79,
    ),
    "they are above the article": (f"{_rules(1, 41)}\n\n## Article 1\n\n{_rules(1, 4)}", 40),
    "they are headings": (f"## Article I\n\n{_rules(1, 61, '### ')}", 60),
    "the article is a sentence": (f"Article 1 of the Treaty is in force as follows.\n\n{_rules(1, 61)}", 60),
}


@pytest.mark.parametrize("why", SECTIONS)
def test_sections_without_a_word_are_provisions_if(why: str) -> None:
    law, last = SECTIONS[why]
    found = numbers(f"# Lamps Act 2031\n\n{law}", doc_type="act")
    assert found[:last] == [("section", str(number)) for number in range(1, last + 1)]


def _articles(*numbered: int) -> str:
    said = "El guardián enciende la lámpara cada noche y la apaga al alba."
    texts = {3: f'"{said}', 6: f'{said}"'}  # a mark that opens in article 3, and a later one that could close it
    return "\n\n".join(f"##### ARTÍCULO {number}.—\n\n{texts.get(number, said)}" for number in numbered)


def test_articles_between_two_stray_marks_are_provisions_where_their_numbers_would_be_missing() -> None:
    law = f"# Ley de lámparas\n\n{_articles(*range(1, 10))}"
    assert numbers(law, doc_type="act", jurisdiction="ar") == [("article", str(number)) for number in range(1, 10)]


def test_quoted_articles_that_lead_to_no_own_number_are_quoted() -> None:
    law = f"# Ley de lámparas\n\n{_articles(1, 2, 3, 4, 5, 6)}\n\n##### ARTÍCULO 4.—\n\nEsta ley rige desde hoy."
    assert numbers(law, doc_type="act", jurisdiction="ar") == [("article", str(number)) for number in range(1, 5)]


def test_quoted_articles_between_which_numbers_are_missing_are_quoted() -> None:
    said = "El guardián enciende la lámpara cada noche y la apaga al alba."
    quoted = f'"{said}\n\n##### ARTÍCULO 4.—\n\n{said}\n\n##### ARTÍCULO 6.—\n\n{said}"'
    law = f"# Ley de lámparas\n\n{_articles(1, 2)}\n\n##### ARTÍCULO 3.—\n\n{quoted}\n\n{_articles(7, 8)}"
    assert numbers(law, doc_type="act", jurisdiction="ar") == [("article", number) for number in "12378"]


def test_quoted_sections_that_follow_quoted_sections_are_quoted() -> None:
    """Section 7 leads from section 6 to section 8, but sections 6 and 8 are quoted too."""
    said = "Strážce rozsvítí lampu za soumraku a zhasne ji za svítání."
    quoted = (
        f"##### „§ 5\n\n{said}\n\n##### § 6\n\n{said}“",
        f"„(4) {said}\n\n##### § 7\n\n{said}“",
        f"„(2) {said}\n\n##### § 8\n\n{said}“",
    )
    points = "\n\n".join(f"{place}. V zákoně zní:\n\n{text}" for place, text in enumerate(quoted, 1))
    law = f"# Zákon o lampách\n\n##### Čl. I\n\n{points}\n\n##### Čl. II\n\n{said}\n\n##### Čl. III\n\n{said}"
    document = parse(SourceFile("law.md", law.encode(), hints={"doc_type": "act", "jurisdiction": "cz"}))
    assert [(node.type, node.num) for node in document.nodes if node.num] == [
        ("article", "I"),
        ("article", "II"),
        ("article", "III"),
    ]


_VERMONT = """No. 7. An act relating to the lamps of the harbor.

It is hereby enacted by the General Assembly of the State of Atlantis:

Sec. 1. FINDINGS

The General Assembly finds that lamps go out.

Sec. 2. 24 V.S.A. chapter 9 is amended to read:

CHAPTER 9. LAMPS

§ 5.3. LIGHTING

(a) The keeper lights the lamp at dusk.

§ 8.5. WATCH

(a) The keeper watches the lamp.

Sec. 2a. REDESIGNATION

Chapter 10 is redesignated as chapter 11.

Sec. 3. EFFECTIVE DATE

This act shall take effect on passage.
"""
_CALIFORNIA = """An act to amend sections of the Harbors Code, relating to lamps.

The people of the State of Atlantis do enact as follows:

SECTION 1. Section 1798.100 of the Harbors Code is amended to read:

1798.100. (a) The keeper lights the lamp at dusk.

(b) The keeper watches the lamp.

SEC. 2. Section 1798.105 of the Harbors Code is amended to read:

1798.105. The keeper may sleep by day.

SEC. 3. This act takes effect on the first day of May.
"""


@pytest.mark.parametrize(
    ("act", "own"), [(_VERMONT, ["1", "2", "2a", "3"]), (_CALIFORNIA, ["1", "2", "3"])], ids=["sign", "no word"]
)
def test_a_new_wording_without_quotation_marks_is_text_of_the_section_that_announces_it(
    act: str, own: list[str]
) -> None:
    document = parse(SourceFile("act.txt", act.encode()))
    assert [node.num for node in document.provisions()] == own
    assert "number_gaps" not in document.metadata
    assert {node.type for node in document.nodes[-2].children} <= {"heading", "quotation"}
    assert "quotation" in {node.type for node in document.walk()}
    assert "paragraph" not in {node.type for node in document.walk()}


def test_a_sentence_that_is_the_long_title_is_the_title() -> None:
    assert parse(SourceFile("act.txt", _VERMONT.encode())).title == "No. 7. An act relating to the lamps of the harbor."


def test_sections_of_a_code_with_the_sign_are_no_federal_regulations() -> None:
    """Without the title of the Code of Federal Regulations, the sections may be of any code."""
    text = "§ 5.3. LIGHTING\n\n(a) The keeper lights the lamp.\n\n(b) The keeper watches it.\n\n(c) The keeper may sleep.\n"
    assert parse(SourceFile("lamps.txt", text.encode())).format == "plain_text"


_NORWEGIAN = [
    "<h3>§ 1-1. Formål</h3><p>Loven skal sikre at lyktene i havnen lyser om natten.</p>",
    "<h3>§ 1-2. Vokter</h3><p>Vokteren skal:</p><blockquote><p>a) tenne lykten,</p><p>b) slukke lykten.</p></blockquote>",
    "<h3>§ 2-1. Gebyr</h3><p>Styret fastsetter gebyret for lyktene.</p>",
    "<h3>§ 2-2. Endringer i andre lover</h3><p>1. I lov om fyr skal ny § 8 a lyde:</p>"
    "<blockquote><p>§ 8 a. <em>Lykter</em></p><p>Loven gjelder ikke lykter.</p></blockquote><p>2. – – –</p>",
]  # fmt: skip


def test_a_provision_in_an_element_for_quotations_is_that_of_another_law_but_a_list_in_one_is_not() -> None:
    page = f"<html lang='no'><body><h1>Lov om lykter i havnen</h1>{''.join(_NORWEGIAN)}</body></html>"
    document = parse(SourceFile("lykter.html", page.encode()))
    assert [node.num for node in document.provisions()] == ["1-1", "1-2", "2-1", "2-2"]
    quoted = [document.text_of(node) for node in document.walk() if node.type == "quotation"]
    assert quoted == ["§ 8 a. Lykter", "Loven gjelder ikke lykter."]


@pytest.mark.parametrize(("opens", "closes"), [("“", "”"), ("‘‘", "’’")])
def test_sections_in_marks_that_are_typed_twice_are_quoted(opens: str, closes: str) -> None:
    law = (
        "The Lamp (Amendment) Act, 2031\n\nIt is hereby enacted as follows:-\n\n"
        "1. (1) This Act may be called the Lamp (Amendment) Act, 2031.\n\n"
        "2. In the Lamp Act, for section 8, the following section 8 shall be substituted, namely:-\n\n"
        f"{opens}8. Wicks.- The keeper trims the wicks.\n\n(2) The board pays for them.{closes}.\n\n"
        "3. In the said Act, after section 11, the following sections shall be inserted, namely:-\n\n"
        f"{opens}11A. Oil.- The board pays for the oil.\n\n11B. Fees.- The fee is due at dusk.{closes}.\n"
    )
    document = parse(SourceFile("act.txt", law.encode()))
    assert [node.num for node in document.walk() if node.type == "section"] == ["1", "2", "3"]
