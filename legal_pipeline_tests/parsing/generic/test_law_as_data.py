"""Laws as data: JSON, JSON lines and tables whose objects or rows are provisions."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, UnknownFormatError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.generic import law_as_data
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline.parsing.split import split
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.sources.directory import DirectorySource

SCOPE = "This Act applies to every lamp that is lit at sea."
DUSK = "The keeper shall light the lamp at dusk."
FEE = "The fee is ten crowns."
NUMBERED = ((1, SCOPE), (2, DUSK), (3, FEE))


def read(value: Any, name: str = "lamps.json", **hints: Any) -> Document:
    data = value if isinstance(value, str) else json.dumps(value)
    return parse(SourceFile(name, data.encode(), hints=hints))


def provisions(document: Document) -> list[tuple[str, str | None, str | None, str]]:
    """(type, number, heading, text below the heading) of each provision."""
    found = []
    for node in document.walk():
        if node.type in ("section", "article"):
            found.append((node.type, node.num, node.heading, document.text_of(node).partition("\n\n")[2]))
    return found


def above(document: Document, eid: str) -> list[tuple[str, str | None, str | None]]:
    """The divisions above a provision, outermost first."""

    def path(nodes: tuple[Node, ...] | list[Node]) -> list[Node] | None:
        for node in nodes:
            if node.eid == eid:
                return []
            if (inner := path(node.children)) is not None:
                return [node, *inner]
        return None

    return [(node.type, node.num, node.heading) for node in path(document.nodes) or []]


def test_articles_in_a_list_are_those_of_the_law_that_the_object_names() -> None:
    document = read(
        {
            "title": "Lamps Act 2031",
            "language": "en",
            "date_enacted": "2031-05-02",
            "articles": [
                {"number": "1", "title": "Scope", "text": SCOPE},
                {
                    "number": "2",
                    "title": "Words",
                    "text": "Lamp means a light.\n(a) A lantern is one.\n(b) A candle is not.",
                },
                {"number": "2a", "title": "Dusk", "text": DUSK},
            ],
        }
    )
    assert (document.title, document.doc_type, document.language) == ("Lamps Act 2031", "act", "eng")
    assert document.metadata["date_enacted"] == "2031-05-02"
    assert [found[:3] for found in provisions(document)] == [
        ("article", "1", "Scope"), ("article", "2", "Words"), ("article", "2a", "Dusk"),
    ]  # fmt: skip
    assert {"art_2__para_a", "art_2__para_b"} <= {node.eid for node in document.walk()}
    assert document.warnings == ()


def test_divisions_stand_above_their_provisions_with_their_headings() -> None:
    chapters = [
        {"number": "1", "title": "Scope", "articles": [{"article_number": "1", "heading": "Sea", "content": SCOPE}]},
        {"number": "2", "title": "Keepers", "articles": [{"article_number": "2", "heading": "Dusk", "content": DUSK}]},
    ]
    document = read({"name": "Lamps Code", "parts": [{"number": "I", "title": "General", "chapters": chapters}]})
    assert document.title == "Lamps Code"
    assert [found[1] for found in provisions(document)] == ["1", "2"]
    assert above(document, "part_i__chp_2__art_2") == [("part", "I", "General"), ("chapter", "2", "Keepers")]


def test_a_label_as_title_is_the_number_and_a_list_with_headings_is_a_division() -> None:
    articles = [{"id": 1, "title": "Article 1", "content": SCOPE}, {"id": 2, "title": "Article 2", "content": DUSK}]
    parts = [
        {"title": "Part I: General", "articles": articles},
        {"title": "Of fees", "articles": [{"id": 3, "title": "Article 3", "content": FEE}]},
    ]
    document = read(
        {"preamble": {"title": "Preamble", "content": "We light lamps."}, "headlines": parts}, "lamps-law.json"
    )
    assert document.title == "Lamps law"
    assert [found[:3] for found in provisions(document)] == [
        ("article", "1", None), ("article", "2", None), ("article", "3", None),
    ]  # fmt: skip
    assert above(document, "part_i__art_1") == [("part", "I", "General")]
    assert [node.heading for node in document.nodes if node.type == "division"] == ["Of fees"]
    assert document.text.startswith("Preamble\n\nWe light lamps.\n\nPart I: General\n\nArticle 1\n\n")


def test_a_title_may_begin_with_the_label() -> None:
    articles = [{"title": f"Article {number}. Words", "text": text} for number, text in NUMBERED]
    document = read({"title": "Lamps", "articles": articles})
    assert [found[:3] for found in provisions(document)] == [
        ("article", str(number), "Words") for number, _ in NUMBERED
    ]
    assert document.text.startswith("Article 1. Words\n\nThis Act applies")


def test_keys_may_end_with_one_language() -> None:
    articles = [{"number": str(number), "titleEn": "Words", "text_en": text} for number, text in NUMBERED]
    document = read(
        {"preamble": {"titleEn": "Preamble", "paragraphs": [{"value": "We light lamps."}]}, "articles": articles}
    )
    assert provisions(document)[0][1:3] == ("1", "Words")
    assert document.text.startswith("Preamble\n\nWe light lamps.")
    assert document.title == "Lamps"
    both = [{**article, "titleFr": "Mots", "text_fr": "Les lampes."} for article in articles]
    with pytest.raises(UnknownFormatError):
        read({"title": "Lamps", "articles": both})


def test_the_chapter_of_a_provision_may_be_an_object() -> None:
    chapters = [{"code": "I", "title": "General"}, {"code": "II", "title": "Keepers"}]
    rows = [
        {"section_number": str(number), "heading": "Words", "chapter": chapters[number // 3], "text": text}
        for number, text in NUMBERED
    ]
    document = read({"act_name": "Lamps Act", "sections": rows})
    assert above(document, "chp_i__sec_2") == [("chapter", "I", "General")]
    assert above(document, "chp_ii__sec_3") == [("chapter", "II", "Keepers")]
    assert document.warnings == ()


def test_texts_that_are_no_provisions_keep_their_place_and_number() -> None:
    rules = [
        {"number": "2032:7", "text": "In force on 1 January 2033.", "role": "TRANSITION"},
        {"number": None, "text": "The old fees end."},
    ]
    sections = [{"number": str(number), "paragraphs": [{"number": 1, "text": text}]} for number, text in NUMBERED]
    document = read(
        {
            "title": "Lamps",
            "documentType": "OTHER_LAW",
            "chapters": [{"number": None, "sections": sections}],
            "rules_of_time": rules,
        }
    )
    assert document.doc_type == "act"
    assert [node.type for node in document.nodes[:3]] == ["section"] * 3
    assert document.text.endswith("2032:7 In force on 1 January 2033.\n\nThe old fees end.")


def test_a_tree_of_children_with_stated_types() -> None:
    sections = [{"type": "section", "number": "1", "text": SCOPE}, {"type": "section", "number": "2", "text": DUSK}]
    law = {"type": "law", "title": "Lamps", "children": [{"type": "chapter", "number": "1", "children": sections}]}
    assert [found[:2] for found in provisions(read(law))] == [("section", "1"), ("section", "2")]


@pytest.mark.parametrize(
    "value",
    [
        {"Lamps Act": {"Section 1": SCOPE, "Section 2": DUSK, "Section 3": FEE}},
        {"act_title": "Lamps Act", "sections": {"1": SCOPE, "2": {"paragraphs": {"0": DUSK}}, "3": {"text": FEE}}},
        [{"act": "Lamps Act", "section": str(number), "text": text} for number, text in NUMBERED],
        "\n".join(json.dumps({"law": "Lamps Act", "section_number": number, "text": text}) for number, text in NUMBERED),
        [{"law": "Lamps Act", "section": f"Section {number}", "text": text} for number, text in NUMBERED],
    ],
    ids=["keys with labels", "keys with numbers", "rows", "lines", "labels"],
)  # fmt: skip
def test_other_shapes_of_the_same_law(value: Any) -> None:
    document = read(value)
    assert document.title == "Lamps Act"
    assert provisions(document) == [
        ("section", "1", None, SCOPE), ("section", "2", None, DUSK), ("section", "3", None, FEE),
    ]  # fmt: skip


def test_rows_of_a_table_with_the_chapters_that_they_name() -> None:
    table = f"act,chapter,chapter_title,section,heading,text\nLamps Act,1,General,1,Scope,{SCOPE}\nLamps Act,2,Keepers,2,Dusk,{DUSK}\n"
    document = read(table, "lamps.csv")
    assert document.title == "Lamps Act"
    assert [found[1:] for found in provisions(document)] == [("1", "Scope", SCOPE), ("2", "Dusk", DUSK)]
    assert above(document, "chp_2__sec_2") == [("chapter", "2", "Keepers")]


def test_parts_of_a_provision_have_their_numbers_in_brackets() -> None:
    parts = [
        {"number": "1", "text": "A lamp is lit."},
        {"number": "2", "text": "It burns", "items": [{"number": "a", "text": "a candle at dusk;"}]},
    ]
    law = {"title": "Lamps", "sections": [{"number": "1", "text": SCOPE}, {"number": "2", "subsections": parts}]}
    document = read(law)
    assert provisions(document)[1][3] == "(1) A lamp is lit.\n\n(2) It burns\n\n(a) a candle at dusk;"
    assert "sec_2__subsec_2__para_a" in {node.eid for node in document.walk()}


def test_mark_up_in_a_text_is_read_and_not_shown() -> None:
    law = {
        "title": "Lamps",
        "sections": [{"number": "1", "text": SCOPE}, {"number": "2", "html": "<p>(1) A &amp; B.</p><p>(2) C.</p>"}],
    }
    assert provisions(read(law))[1][3] == "(1) A & B.\n\n(2) C."


def test_a_repealed_provision_a_note_and_a_text_of_a_chapter_are_kept() -> None:
    sections = [
        {"number": "1", "text": SCOPE, "notes": "Amended by Act 5 of 2032."},
        {"number": "2", "title": "Oil", "text": "", "status": "repealed"},
    ]
    document = read(
        {"title": "Lamps", "chapters": [{"number": "1", "title": "Sea", "text": "Words above.", "sections": sections}]}
    )
    by_eid = {node.eid: node for node in document.walk()}
    assert by_eid["chp_1__sec_2"].status == "repealed"
    assert "Words above." in document.text
    assert [document.text_of(node) for node in document.walk() if node.type == "footnote"] == [
        "Amended by Act 5 of 2032."
    ]


def test_values_that_are_not_text_are_counted_and_not_shown() -> None:
    row = {
        "text": f"{SCOPE} " * 4,
        "embedding": [0.1, 0.2],
        "tags": ["lamp"],
        "summary_of_editor": "It is about lamps. " * 10,
    }
    document = read({"title": "Lamps", "sections": [{"number": str(number), **row} for number in range(1, 9)]})
    assert "about lamps" not in document.text
    assert document.warnings == ("1,520 characters of values that are not text were left out: summary_of_editor",)


@pytest.mark.parametrize(
    "value",
    [
        {"title": "News", "articles": [{"title": "Fire", "text": SCOPE}, {"title": "Rain", "text": DUSK}]},
        {"name": "Shop", "items": [{"number": "1", "text": SCOPE}, {"number": "2", "text": DUSK}]},
        {"title": "Lamps", "sections": [{"number": "1", "text": SCOPE}]},
        {"title": "Lamps", "sections": [{"number": str(number), "title": "Scope"} for number in range(1, 9)]},
        [{"law": "Lamps", "article": "IV", "section": str(number), "text": SCOPE} for number in range(1, 4)],
        {"title": "Talk", "sections": [{"number": str(number), "text": SCOPE} for number in (9, 3, 7, 1)]},
    ],
    ids=["articles without numbers", "numbers of no provision", "one", "no text", "sections of articles", "no order"],
)
def test_other_data_is_not_a_law(value: Any) -> None:
    with pytest.raises(UnknownFormatError):
        detect(SourceFile("other.json", json.dumps(value).encode()))


@pytest.mark.parametrize("name", ["acts.csv", "acts.json"])
def test_a_file_of_several_laws_has_a_document_for_each(name: str) -> None:
    rows = [("Lamps Act", "1", SCOPE), ("Boats Act", "1", FEE), ("Lamps Act", "2", DUSK)]
    if name.endswith("csv"):
        data = "act,section,text\n" + "".join(f"{act},{number},{text}\n" for act, number, text in rows)
    else:
        laws = {act: [{"number": n, "text": text} for other, n, text in rows if other == act] for act, _, _ in rows}
        data = json.dumps([{"title": act, "sections": sections} for act, sections in laws.items()])
    parts = split(SourceFile(name, data.encode()))
    assert list(parts) == ["lamps-act", "boats-act"]
    documents = [parse(part, part.hints["format"]) for part in parts.values()]
    assert [(document.title, document.document_id) for document in documents] == [
        ("Lamps Act", "doc-acts-lamps-act"), ("Boats Act", "doc-acts-boats-act"),
    ]  # fmt: skip
    assert [found[1] for found in provisions(documents[0])] == ["1", "2"]


@pytest.mark.parametrize(
    "data", [b"act,section,text\nLamps,1,a,b,c\nLamps,2,d,e,f\n", b'{"a":' * 400 + b"1" + b"}" * 400]
)
def test_damaged_data_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        parse(SourceFile("lamps.csv" if data.startswith(b"act") else "lamps.json", data))


def test_texts_under_unknown_keys_of_a_paragraph_are_counted() -> None:
    paragraphs = [{"number": "1", "text": f"{SCOPE} " * 4, "wording": "It is lit. " * 12}]
    document = read(
        {"title": "Lamps", "sections": [{"number": str(number), "paragraphs": paragraphs} for number in (1, 2)]}
    )
    assert document.warnings == ("264 characters of values that are not text were left out: wording",)


def test_an_amended_row_changes_the_document_of_its_law_alone(database: Database, tmp_path: Path) -> None:
    registry = Registry(database)
    table = "act,section,text\nLamps Act,1,It is lit.\nBoats Act,1,It floats.\nBoats Act,2,It has two oars.\n"
    (tmp_path / "acts.csv").write_text(table)
    first = register(DirectorySource(tmp_path), registry, grace=timedelta(0))
    assert sorted(first.new) == ["doc-acts-boats-act", "doc-acts-lamps-act"]
    (tmp_path / "acts.csv").write_text(table.replace("two", "four"))
    second = register(DirectorySource(tmp_path), registry, grace=timedelta(0))
    assert (second.new, second.changed, second.tombstoned) == ((), ("doc-acts-boats-act",), ())


def test_the_format_named_for_other_data_says_what_it_expects() -> None:
    with pytest.raises(ParseError, match="number and text of a provision"):
        parse(SourceFile("a.json", b'{"a": "b"}'), "law_as_data")


def test_lines_of_several_laws_are_split_and_a_list_with_anything_else_is_not() -> None:
    rows = [{"act": act, "section": "1", "text": text} for act, text in (("Lamps", SCOPE), ("Boats", FEE))]
    lines = "\n".join(map(json.dumps, rows))
    assert list(split(SourceFile("acts.json", lines.encode()))) == ["lamps", "boats"]
    for whole in ([*rows, "more"], [], rows[:1]):
        assert list(split(SourceFile("acts.json", json.dumps(whole).encode()))) == [""]


def test_an_object_whose_keys_are_numbers_is_a_law() -> None:
    document = read({str(number): text for number, text in [*NUMBERED, (4, "Oil is bought."), (5, "Fees are paid.")]})
    assert [found[:2] for found in provisions(document)] == [("section", str(number)) for number in (1, 2, 3, 4, 5)]


def test_a_chapter_may_have_one_article_under_its_number() -> None:
    document = read({"title": "Lampen", "chapters": [{"title": "Lamps", "articles": {"1": NUMBERED[0][1]}},
                                                     {"title": "Fees", "articles": {"2": NUMBERED[1][1]}}]})  # fmt: skip
    assert [found[:2] for found in provisions(document)] == [("article", "1"), ("article", "2")]


def test_lines_of_a_text_are_text() -> None:
    articles = [{"number": str(number), "textlines": [text, "It applies by day too."]} for number, text in NUMBERED]
    document = read({"title": "Lamps", "sections": articles})
    assert document.text.count("It applies by day too.") == len(NUMBERED)
    assert not document.warnings


def test_the_court_of_a_judgment_under_jurisdiction_is_no_country() -> None:
    articles = [{"number": str(number), "text": text} for number, text in NUMBERED]
    assert read({"title": "Lamps", "jurisdiction": "High Court", "articles": articles}).jurisdiction == "xx"
    assert read({"title": "Lamps", "jurisdiction": "se", "articles": articles}).jurisdiction == "se"


def test_the_text_once_more_without_accents_is_neither_read_nor_missing() -> None:
    texts = [
        (number, f"Le gardien du phare numéro {number} allume la lampe à la tombée de la nuit et l'éteint.")
        for number in range(1, 5)
    ]
    plain = str.maketrans("éà", "ea")
    articles = [
        {"article_number": number, "text": text, "text_for_search": text.translate(plain)} for number, text in texts
    ]
    document = read({"title": "Loi sur les phares", "articles": articles})
    assert document.text.count("gardien") == len(texts)
    assert not document.warnings
    other = [
        {**article, "text_for_search": "The keeper lights the lamp at dusk and puts it out at dawn. " * 3}
        for article in articles
    ]
    with pytest.raises(UnknownFormatError):
        read({"title": "Loi sur les phares", "articles": other})


def test_rows_of_one_law_may_be_its_chapters() -> None:
    chapters = [
        {
            "id": roman,
            "name": f"Chapter {roman}",
            "articles": [{"id": str(n), "name": "Lamps", "paragraphs": [{"content": DUSK}]} for n in ns],
        }
        for roman, ns in (("I", (1, 2, 3)), ("II", (4, 5)), ("III", (6, 7)))
    ]
    document = parse(SourceFile("lamps.json", json.dumps(chapters).encode()))
    assert [found[:2] for found in provisions(document)] == [("article", str(n)) for n in range(1, 8)]
    with pytest.raises(UnknownFormatError):
        parse(SourceFile("lamps.json", json.dumps([*chapters, *chapters]).encode()))


def test_the_chapters_of_one_law_are_not_parted_into_laws() -> None:
    chapters = [
        {"name": f"Chapter {roman}", "articles": [{"id": str(n), "paragraphs": [{"content": DUSK}]} for n in ns]}
        for roman, ns in (("I", (1, 2, 3)), ("II", (4, 5, 6)))
    ]
    assert law_as_data.split(SourceFile("lamps.json", json.dumps(chapters).encode())) == {}
    again = [chapters[0], {**chapters[0], "name": "Boats Act"}]
    assert len(law_as_data.split(SourceFile("lamps.json", json.dumps(again).encode()))) == 2


def test_rows_that_count_from_one_are_provisions() -> None:
    rows = [{"id": str(n), "chapter": {"id": "1", "title": "Lamps"}, "text": DUSK} for n in range(1, 8)]
    document = parse(SourceFile("lamps.json", json.dumps(rows).encode()))
    assert [found[1] for found in provisions(document)] == [str(n) for n in range(1, 8)]
    others = [{**row, "id": str(7 * n)} for n, row in enumerate(rows, 60)]
    with pytest.raises(UnknownFormatError):
        parse(SourceFile("lamps.json", json.dumps(others).encode()))


def test_the_number_of_a_paragraph_is_printed_before_its_first_text_alone() -> None:
    paragraph = {
        "number": "1",
        "text": "The keeper lights the lamp at dusk.",
        "proviso": {"text": "Provided that fog is dusk."},
    }
    articles = [{"number": str(number), "paragraphs": [paragraph]} for number in (1, 2, 3)]
    document = read({"title": "Lamps", "articles": articles})
    assert document.text.count("(1) The keeper") == 3
    assert "(1) Provided" not in document.text
    assert document.text.count("Provided that") == 3


def test_rows_of_a_data_set_that_have_ids_are_no_law() -> None:
    rows = [{"id": n, "title": f"Theft of lamps {n}", "text": DUSK} for n in range(1, 12)]
    with pytest.raises(UnknownFormatError):
        parse(SourceFile("statutes.json", json.dumps(rows).encode()))


def test_a_division_may_have_its_label_as_name_and_a_section_may_be_a_division_of_articles() -> None:
    def article(number: int) -> dict[str, Any]:
        return {"number": str(number), "paragraphs": [f"The keeper lights lamp {number} at dusk.", "He keeps a log."]}

    value = {
        "name": "Law No. 13.31",
        "title": "Law on Lamps",
        "chapters": [
            {"name": "Chapter One", "title": "Keepers", "articles": [article(1), article(2)]},
            {
                "name": "Chapter Two",
                "title": "Harbours",
                "sections": [{"name": "First Section", "title": "Piers", "articles": [article(3), article(4)]}],
            },
        ],
    }
    document = read(value)
    assert [(node.type, node.num) for node in document.provisions()] == [("article", str(n)) for n in range(1, 5)]
    divisions = [
        (node.type, node.num, node.heading) for node in document.walk() if node.type in ("chapter", "division")
    ]
    assert divisions == [("chapter", "1", "Keepers"), ("chapter", "2", "Harbours"), ("division", "1", "Piers")]
    assert "Chapter One Keepers" in document.text
    assert "First Section Piers" in document.text


def test_the_country_of_a_law_as_data_is_the_one_that_it_names() -> None:
    texts = [f"The Republic of Kenya keeps lamp {number} of Kenya." for number in range(1, 4)]
    rows = [{"article": str(number), "text": text} for number, text in enumerate(texts, 1)]
    assert read(rows, jurisdiction=None).jurisdiction == "ke"
    assert read(rows, jurisdiction="ug").jurisdiction == "ug"


def test_the_number_of_a_paragraph_is_printed_before_the_first_of_its_lines() -> None:
    articles = [
        {"number": str(number), "paragraphs": [{"number": "1", "text": [SCOPE, FEE]}, {"number": "2", "text": [DUSK]}]}
        for number in (1, 2, 3)
    ]
    document = read({"title": "Lamps", "articles": articles})
    assert document.text.count(f"(1) {SCOPE}\n\n{FEE}\n\n(2) {DUSK}") == 3


_ARTICLES = [{"number": str(number), "text": f"{text} {SCOPE}"} for number, text in NUMBERED]


def test_the_title_that_is_stated_first_is_that_of_the_law() -> None:
    assert read({"title": "Lamps Act", "data": {"title": "Export 7", "articles": _ARTICLES}}).title == "Lamps Act"


@pytest.mark.parametrize(("size", "is_text"), [(400, True), (399, False)])
def test_a_value_of_four_hundred_characters_beside_the_provisions_is_text(size: int, is_text: bool) -> None:
    said = ("The lamps of the harbour are old. " * 20)[: size - 1] + "."
    articles = [{**article, "text": article["text"] * 5} for article in _ARTICLES]
    document = read({"title": "Lamps Act", "announcement": said, "articles": articles})
    assert (said in document.text) is is_text


@pytest.mark.parametrize(("size", "is_named"), [(100, True), (99, False)])
def test_a_value_of_a_hundred_characters_beside_a_provision_is_left_out_with_a_warning(
    size: int, is_named: bool
) -> None:
    said = ("Keepers know about oil. " * 9)[: size - 1] + "x"
    articles = [{**_ARTICLES[0], "zebra": said}, *_ARTICLES[1:]]
    warnings = read({"title": "Lamps Act", "articles": articles}).warnings
    assert [warning for warning in warnings if "zebra" in warning] == [
        "100 characters of values that are not text were left out: zebra"
    ] * is_named


def test_a_number_that_a_text_states_comes_before_its_key() -> None:
    articles = [{**article, "text": {"1": {"number": "1a", "text": FEE}}} for article in _ARTICLES]
    document = read({"title": "Lamps Act", "articles": articles})
    assert document.text.count(f"(1a) {FEE}") == 3
