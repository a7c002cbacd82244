"""Articles that contain sections: "Art. 4 § 2" is a section of article 4, and neither a heading nor a section of the law."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.stages.chunks import options_for
from legal_pipeline_tests.by_words import ByWords

_TEXT = "Der Wärter zündet die Lampe bei Einbruch der Dunkelheit an."


def act(*parts: str) -> Document:
    text = "\n\n".join(["# Einführungsgesetz zum Lampengesetzbuch", *parts])
    return parse(SourceFile("eglgb.md", text.encode(), hints={"jurisdiction": "de"}))


def article(number: int, *sections: str) -> str:
    """An article with text of its own if it has no sections."""
    return "\n\n".join([f"## Art {number} - Lampen der Klasse {number}", *(sections or (_TEXT,))])


def section(number: int | str, text: str = _TEXT) -> str:
    return f"## § {number} Lampen\n\n{text}"


def places(document: Document) -> list[str]:
    return [
        " > ".join(f"{node.type} {node.num}" for node in (*above, node))
        for node, above in document.walk_with_ancestors()
        if node.type in ("section", "article", "division", "subchapter")
    ]


def test_the_sections_of_an_article_are_inside_it() -> None:
    document = act(*map(article, (1, 2, 3)), article(4, section(1), section("1a"), section(2)), article(5))
    assert places(document) == [
        "article 1", "article 2", "article 3", "article 4", "article 4 > section 1", "article 4 > section 1a",
        "article 4 > section 2", "article 5",
    ]  # fmt: skip
    assert not document.warnings


def test_a_heading_among_the_sections_of_an_article_does_not_end_it() -> None:
    sections = ["### Erster Abschnitt - Häfen", section(1), section(2), "### Zweiter Abschnitt - Flüsse", section(3)]
    document = act(*map(article, (1, 2, 3)), article(4, *sections), "## Zweiter Abschnitt - Schluss", article(5))
    assert [place for place in places(document) if "section" in place] == [
        f"article 4 > section {number}" for number in (1, 2, 3)
    ]
    assert places(document)[-2:] == ["division 2", "division 2 > article 5"]


def test_sections_that_begin_anew_in_several_articles_are_inside_them() -> None:
    sections = tuple(map(section, range(1, 37)))
    document = act(article(7), article(97, *sections), article(101, *sections[:4]), article(116))
    assert places(document) == [
        "article 7", "article 97", *(f"article 97 > section {number}" for number in range(1, 37)), "article 101",
        *(f"article 101 > section {number}" for number in range(1, 5)), "article 116",
    ]  # fmt: skip


def test_articles_beside_the_one_that_contains_all_sections_are_provisions() -> None:
    sections = tuple(map(section, range(1, 12)))
    document = act(article(1, *sections), *map(article, (2, 3)))
    assert [node.eid for node in document.provisions()] == [
        *(f"dvs_1__sec_{number}" for number in range(1, 12)), "art_2", "art_3",
    ]  # fmt: skip
    assert not document.warnings


def test_articles_in_a_row_above_the_one_with_the_sections_are_no_list_of_divisions() -> None:
    empty = ["## Art 1 -", "## Art 2 bis 5 -"]
    document = act(*empty, article(6, *map(section, range(1, 6))), article(7))
    assert [node.eid for node in document.provisions()] == [
        *(f"dvs_6__sec_{number}" for number in range(1, 6)),
        "art_7",
    ]


def test_sections_go_on_in_the_next_article_and_may_be_repealed() -> None:
    repealed = [f"## § {number} (weggefallen)" for number in (1, 4)]
    document = act(
        *map(article, (1, 2, 3)),
        article(4, repealed[0], section(2), section(3), repealed[1]),
        article(5, section(5), section(6)),
        *map(article, range(6, 10)),
    )
    assert [node.eid for node in document.provisions() if node.type == "section"] == [
        "art_4__sec_1", "art_4__sec_2", "art_4__sec_3", "art_4__sec_4", "art_5__sec_5", "art_5__sec_6",
    ]  # fmt: skip
    assert not [place for place in places(document) if place.startswith("division")]


def test_a_repealed_section_between_articles_does_not_head_the_next_article() -> None:
    document = act(*map(article, (1, 2)), "## § 13 (weggefallen)", *map(article, (3, 4)))
    assert [node.eid for node in document.provisions()] == ["art_1", "art_2", "art_3", "art_4"]


def test_a_later_section_below_the_level_of_its_article_is_inside_it() -> None:
    document = act(*map(article, (1, 2)), article(3, f"### § 3\n\n{_TEXT}"), *map(article, (4, 5)))
    assert [node.eid for node in document.provisions()] == ["art_1", "art_2", "art_3", "art_3__sec_3", "art_4", "art_5"]


def test_a_section_directly_above_an_article_is_a_heading() -> None:
    document = act("## § 1 Häfen", article(1), article(2), "## § 2 Flüsse", article(3), article(4))
    assert [place.rpartition(" > ")[2] for place in places(document) if "article" in place] == [
        f"article {number}" for number in (1, 2, 3, 4)
    ]
    assert not [place for place in places(document) if "section" in place.rpartition(" > ")[2]]


def test_each_section_of_an_article_is_a_chunk_with_the_article_above_it() -> None:
    document = act(*map(article, (1, 2, 3)), article(4, _TEXT, section(1), section(2)), article(5))
    (cut,) = chunk_batch([document], [options_for(document, None)], lambda _: EmbedderAsEncoder(ByWords()))
    assert not isinstance(cut, Exception)
    chunks = {chunk.path: chunk for chunk in cut.chunks}
    assert [path for path in chunks if path.startswith("Article 4")] == [
        "Article 4", "Article 4 > Section 1", "Article 4 > Section 2",
    ]  # fmt: skip
    assert chunks["Article 4 > Section 2"].eid == "art_4__sec_2"
    assert "Article 4: Lampen der Klasse 4 > Section 2" in chunks["Article 4 > Section 2"].contextual_header
    assert "§" not in chunks["Article 4"].chunk_text
    assert _TEXT in chunks["Article 4"].chunk_text


def test_the_official_xml_has_the_sections_inside_their_article() -> None:
    def norm(label: str, text: str) -> str:
        return (
            f"<norm><metadaten><jurabk>LGBEG</jurabk><enbez>{label}</enbez><titel>Lampen</titel></metadaten>"
            f"<textdaten><text><Content><P>{text}</P></Content></text></textdaten></norm>"
        )

    head = "<norm><metadaten><jurabk>LGBEG</jurabk><langue>Einführungsgesetz zum Lampengesetzbuch</langue></metadaten></norm>"
    labels = ("Art 1", "Art 2", "§ 1", "§ 2", "Art 3")
    body = "".join(norm(label, _TEXT) for label in labels)
    text = f'<?xml version="1.0"?><dokumente builddate="20300101000000" doknr="BJNR1">{head}{body}</dokumente>'
    assert places(parse(SourceFile("lgbeg.xml", text.encode()))) == [
        "article 1", "article 2", "article 2 > section 1", "article 2 > section 2", "article 3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "number", "after"),
    [
        ("Art 4 bis 7 - (weggefallen)", "4 bis 7", 8),
        ("Art 4 und 5 (weggefallen)", "4 und 5", 6),
        ("Art 4 u. Art 5 - (weggefallen)", "4 u. Art 5", 6),
    ],
)
def test_a_range_of_articles_with_a_remark_is_one_article(label: str, number: str, after: int) -> None:
    document = act(*map(article, (1, 2, 3)), f"## {label}", article(after))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", number, str(after)]
    assert not document.warnings


def test_a_range_in_roman_numerals_is_one_article() -> None:
    articles = [f"## Art {number}\n\n{_TEXT}" for number in ("I", "II", "III", "VIII", "IX")]
    document = act(*articles[:3], "## Art IV bis Art VII - (weggefallen)", *articles[3:])
    assert [node.num for node in document.provisions()] == ["I", "II", "III", "IV bis Art VII", "VIII", "IX"]
    assert not document.warnings


def test_a_long_article_of_short_sections_raises_no_doubt() -> None:
    long = "\n\n".join([_TEXT] * 12)
    sections = [section(number, long) for number in range(1, 11)]
    document = act(*map(article, range(1, 11)), article(11, *sections), article(12))
    assert not document.warnings


_WATCH = "The keeper lights the lamp at dusk and watches it until the sun has risen."


@pytest.mark.parametrize(
    ("article_label", "first", "second"),
    [
        ("Art. {}º\n\n", "§ 1º", "§ 2º"),
        ("Art. {}.\n\n", "§ 1.", "§ 2."),
        ("Art. {}. ", "§ 1.", "§ 2."),
        ("Art. {}. ", "§ 1er.", "§ 2."),
        ("Art. {}: ", "§ 1:", "§ 2:"),
    ],
)
def test_signs_with_numbers_inside_an_article_are_its_subsections(article_label: str, first: str, second: str) -> None:
    articles = (
        f"{article_label.format(number)}{first} {_WATCH}\n\nI - by night;\n\nII - by day.\n\n"
        f"{second} § 1 applies to rivers.\n\n§ 5 applies to ports."
        for number in range(1, 5)
    )
    document = parse(
        SourceFile("lamps.txt", "\n\n".join(["Loi sur les phares", *articles]).encode(), hints={"language": "fra"})
    )
    found = [node.eid for node in document.walk() if (node.eid or "").startswith("art_3__subsec")]
    inside = [f"art_3__subsec_1__para_{number}" for number in ("i", "ii")]
    assert found == ["art_3__subsec_1", *inside, "art_3__subsec_2"]
    assert "§ 5 applies" in document.text_of(next(node for node in document.walk() if node.eid == "art_3"))


def test_paragraphs_counted_with_the_sign_in_each_article_are_not_provisions_also_with_inserted_ones() -> None:
    """A print without spaces behind its numbers, as word processors of the 2000s exported them."""
    lines = [
        "USTAWA",
        "z dnia 3 maja 2031 r.",
        "o latarniach",
        "Art.1.§1.Latarnik zapala lampę o zmierzchu.",
        "§1a.W czasie mgły zapala ją wcześniej:",
        "1)w porcie;",
        "2)na rzece.",
        "§1b.Zarząd prowadzi dziennik.",
        "§2.Olej dostarcza zarząd.",
        "Art.2.Lampa pali się do świtu.",
        "Art.3.",
        "§1.Kto gasi lampę, podlega grzywnie.",
        "§2.Grzywnę nakłada zarząd.",
        "Art.4.Ustawa wchodzi w życie po ogłoszeniu.",
    ]
    document = parse(SourceFile("latarnie.txt", "\n".join(lines).encode()))
    [first, second, third, fourth] = document.provisions()
    assert [(node.type, node.num) for node in (first, second, third, fourth)] == [
        ("article", str(n)) for n in range(1, 5)
    ]
    inside = [(node.type, node.num) for node in first.walk() if node.num and node is not first]
    assert inside == [
        ("subsection", "1"), ("subsection", "1a"), ("paragraph", "1"), ("paragraph", "2"), ("subsection", "1b"), ("subsection", "2"),
    ]  # fmt: skip
    assert [node.num for node in third.children if node.type == "subsection"] == ["1", "2"]
