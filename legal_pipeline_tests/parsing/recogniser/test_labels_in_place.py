"""Labels that stand in quotation marks, in tables and at the end of long headings: which of them are provisions and divisions."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.recognise import recognise
from legal_pipeline.parsing.recogniser.signs import Stated
from legal_pipeline.parsing.registry import parse

_BODY = "The keeper of the lamps lights them at dusk. The keeper writes down in a book when each of them was lit."


def read(text: str) -> Document:
    return parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act", "language": "en"}))


def articles(first: int, last: int) -> str:
    return "\n\n".join(f"Article {number}. {_BODY}" for number in range(first, last + 1))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type == "article"]


def parts(document: Document) -> list[tuple[str | None, str | None]]:
    return [
        (node.num, parents[-1].num if parents else None)
        for node, parents in document.walk_with_ancestors()
        if node.type == "article"
    ]


def test_a_law_in_quotation_marks_has_its_first_article() -> None:
    document = read(f'The Assembly has adopted this law:\n\n"{articles(1, 6)}".\n')
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]
    first = next(node for node in document.provisions() if node.num == "1")
    assert document.text_of(first) == f'"Article 1. {_BODY}'


def test_a_quoted_article_of_another_law_is_not_a_provision() -> None:
    law = articles(1, 3).replace(_BODY, f'In the other law the following is put in:\n\n"Article 1. {_BODY}"', 1)
    assert numbers(read(law)) == ["1", "2", "3"]


@pytest.mark.parametrize("kept", ["Article {0}({1})\n\nArticle {1}", "Article {0}", "Article {0}({1}) |"])
def test_a_list_of_the_provisions_of_a_former_law_has_none(kept: str) -> None:
    rows = "\n\n".join(kept.format(number, number + 1) for number in range(1, 9))
    document = read(f"{articles(1, 6)}\n\nANNEX I\n\nCorrelation table\n\nThis law\n\n{rows}\n")
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]


def test_articles_of_an_annexed_convention_are_provisions() -> None:
    document = read(f"{articles(1, 6)}\n\nANNEX I\n\nConvention on lamps\n\n{articles(1, 6)}\n")
    assert parts(document) == [
        *((str(number), None) for number in range(1, 7)),
        *((str(number), "I") for number in range(1, 7)),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "Chapter {}. - Of the keepers of the lamps and of those who stand in for them.",
        "Chapter {} Keeping of lamps etc.",
        "Chapter {}: "
        + "Lamps that stand on the shore and lamps that stand on rocks in the sea and are lit every night " * 2,
    ],
)
def test_a_heading_of_a_division_may_be_long_and_end_with_a_stop(heading: str) -> None:
    note = "Put in by law 7 of 2031, in force from the first day of May of that year."
    text = "\n\n".join(f"{heading.format(n).strip()}\n\n{note}\n\n{articles(2 * n - 1, 2 * n)}" for n in range(1, 5))
    assert parts(read(text)) == [(str(number), str((number + 1) // 2)) for number in range(1, 9)]


def test_a_sentence_that_begins_with_the_next_chapter_is_not_a_heading() -> None:
    text = f"Chapter 1 Lamps\n\n{articles(1, 3)}\n\nChapter 2 Boats are not lit by the keeper.\n\n{articles(4, 6)}"
    assert {part for _, part in parts(read(text))} == {"1"}


def test_a_provision_in_two_wordings_and_a_chapter_have_their_remarks_behind_or_before_the_number() -> None:
    until, since = "/Upphör att gälla U:2031-05-01/", "/Träder i kraft I:2031-05-01/"
    sections = [f"{n} § Fyr nummer {n} ska lysa om natten." for n in range(1, 7)]
    sections[2:3] = [f"3 § {until} Fyren ska släckas.", f"3 § {since} Fyren ska lysa."]
    text = "\n\n".join(
        ["1 kap. Fyrar", *sections, f"{since} 2 kap. Bojar", "1 § Bojar ska vara röda.", "2 § Bojar ska flyta."]
    )
    document = parse(SourceFile("lag.txt", text.encode(), hints={"doc_type": "act", "language": "sv"}), "plain_text")
    found = [(node.num, parents[-1].num) for node, parents in document.walk_with_ancestors() if node.type == "section"]
    assert found == [*((num, "1") for num in "1233456"), ("1", "2"), ("2", "2")]


def test_a_chapter_has_its_letter_and_a_list_item_is_not_one() -> None:
    chapters = (
        "Chapter 1. Lamps",
        "Chapter 1 a. Small lamps",
        "Chapter 2 a The boats",
        "Article 7 a. boats that carry lamps;",
    )
    text = "\n\n".join(f"{heading}\n\n{articles(2 * n - 1, 2 * n)}" for n, heading in enumerate(chapters[:3], 1))
    assert parts(read(f"{text}\n\n{chapters[3]}")) == [
        ("1", "1"), ("2", "1"), ("3", "1 a"), ("4", "1 a"), ("5", "2 a"), ("6", "2 a"), ("7", "2 a"),
    ]  # fmt: skip


def test_notes_on_sections_and_items_that_name_them_are_no_divisions() -> None:
    sections = "\n\n".join(f"{n}. Lamp {n}\n\n(1) {_BODY}\n\n(2) {_BODY}" for n in range(1, 7))
    extra = "Part 1;\n\nsection 3.\n\nS. 2 in force on the first day of May"
    document = read(f"An Act to light lamps.\n\n{sections}\n\n{extra}\n\n7. End\n\nThis Act ends.\n")
    assert [node.num for node in document.walk() if node.type == "division"] == []


def test_sections_that_a_schedule_quotes_from_the_middle_of_another_law_are_not_provisions() -> None:
    quoted = "\n\n".join(f"Article {n}. {_BODY}" for n in (41, 42, 57))
    document = read(f"{articles(1, 6)}\n\nANNEX I\n\nNotes\n\n{quoted}\n")
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]


def test_transitional_articles_of_another_series_stand_outside_the_last_chapter() -> None:
    text = "\n\n".join(f"Artikel {n} Een ieder heeft recht op licht." for n in range(1, 7))
    added = "\n\n".join(f"Artikel {n} Vervallen" for n in ("I", "II", "III", "IV"))
    added += "\n\nArtikel V 1. Artikel 3 vervalt."
    source = f"Hoofdstuk 1 Licht\n\n{text}\n\nAdditionele artikelen\n\n{added}\n"
    document = parse(SourceFile("wet.txt", source.encode(), hints={"doc_type": "act", "language": "nl"}))
    found = [(node.num, parents[-1].type) for node, parents in document.walk_with_ancestors() if node.type == "article"]
    assert found == [
        *((str(n), "chapter") for n in range(1, 7)),
        *((num, "transitional") for num in ("I", "II", "III", "IV", "V")),
    ]


def test_ordinals_with_a_word_between_and_small_letters_number_divisions() -> None:
    text = "\n\n".join(f"{n}. Taa {n}\n\nKila taa itawashwa usiku na mtunzaji wa taa." for n in range(1, 5))
    text = "Sura ya Kwanza Taa\n\n" + text.replace("3. Taa", "Sura ya Pili Meli\n\n3. Taa")
    document = parse(SourceFile("sheria.txt", text.encode(), hints={"doc_type": "act", "language": "sw"}))
    assert [(n.type, n.num) for n in document.walk() if n.type == "chapter"] == [("chapter", "1"), ("chapter", "2")]
    lettered = f"sub-part a: right to light\n\n{articles(1, 3)}\n\nsub-part b: right to dark\n\n{articles(4, 6)}"
    assert parts(read(lettered)) == [*((str(n), "a") for n in range(1, 4)), *((str(n), "b") for n in range(4, 7))]


def test_a_section_behind_a_remark_in_brackets_is_found_in_close_print() -> None:
    """Where no blank line parts the sections, and the one before ends with its source and not with a stop."""
    line = "Fyren ska vara tänd från skymning till gryning under alla årets dagar och nätter"
    sections = "".join(
        f"{number} § {line}\noch ha en låga som syns från havet och från land när det är klart. (LFS 2031:{number})\n"
        for number in range(1, 7)
    )
    last = "Om det behövs ska fyren även ha en klocka enligt bestämmelsen om klockor i\n3 § första stycket."
    text = f"Föreskrifter om fyrar\n\n{sections}{last}"
    document = parse(SourceFile("fs.txt", text.encode(), hints={"doc_type": "act", "language": "sv"}), "plain_text")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 7)]


def test_a_section_alone_below_a_heading_in_close_print_is_found() -> None:
    line = "Fyren ska vara tänd från skymning till gryning under alla årets dagar och nätter"
    heading = "Särskilda krav för fyrar på klippor och för vissa andra fyrar som står i havet"
    sections = "".join(f"{heading}\n{number} a §\n\n{line}\nenligt {number} §.\n\n" for number in range(1, 7))
    text = f"Föreskrifter om fyrar\n\n{sections}"
    document = parse(SourceFile("fs.txt", text.encode(), hints={"doc_type": "act", "language": "sv"}), "plain_text")
    assert [node.num for node in document.provisions()] == [f"{number} a" for number in range(1, 7)]


def test_a_chapter_with_a_small_letter_or_a_heading_in_small_letters_is_a_chapter() -> None:
    text = f"CHAPTER IV On lamps\n\n{articles(1, 2)}\n\nCHAPTER IVa\n\n{articles(3, 4)}\n\nCHAPTER V on oil\n\n{articles(5, 6)}\n"
    assert [parent for _, parent in parts(read(text))] == ["IV", "IV", "IVa", "IVa", "V", "V"]


def test_points_in_small_letters_are_not_the_sections_of_an_act() -> None:
    points = "\n\n".join(f"{number}) in section {number} the words are replaced;" for number in range(1, 7))
    document = read(f"In the Lamps Act these changes are made:\n\n{points}\n")
    assert not list(document.provisions())


def test_two_sections_before_one_sign_are_one_provision() -> None:
    sections = "".join(f"{number} § Fyren lyser om natten.\n\n" for number in (1, 2, 3))
    text = f"Lag om fyrar\n\n{sections}4 och 5 §§ har upphört att gälla.\n\n6 § Fyren släcks i gryningen.\n"
    document = parse(SourceFile("law.txt", text.encode(), hints={"language": "sv"}), "plain_text")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4 och 5", "6"]


def _placed(document: Document) -> list[tuple[str | None, str | None]]:
    """(number, number or heading of the division or schedule around it) of each section."""
    return [
        (node.num, (parents[-1].num or parents[-1].heading) if parents else None)
        for node, parents in document.walk_with_ancestors()
        if node.type == "section"
    ]


def test_headed_sections_of_a_schedule_are_provisions_of_it() -> None:
    rules = "\n\n".join(f"{number}. Rule of lamp {number}\n\n(1) {_BODY}" for number in range(1, 6))
    sections = "\n\n".join(f"{number}. Section on lamp {number}\n\n(1) {_BODY}" for number in range(1, 9))
    document = read(f"Lamps Act\n\n{sections}\n\nSchedule (Sections 2 and 5) Rules of the lamps\n\n{rules}\n")
    assert _placed(document) == [
        *((str(number), None) for number in range(1, 9)),
        *((str(number), "(Sections 2 and 5) Rules of the lamps") for number in range(1, 6)),
    ]
    two = f"FIRST SCHEDULE\n\n{rules}\n\nSECOND SCHEDULE\n\n{rules}"
    assert _placed(read(f"Lamps Act\n\n{sections}\n\n{two}\n"))[8:] == [
        *((str(number), "1") for number in range(1, 6)),
        *((str(number), "2") for number in range(1, 6)),
    ]


@pytest.mark.parametrize(
    "row", ["{0}. Name of lamp {0}\n\n..........", "{0}. North pier {0}", "{0}. The lamp of pier {0}."]
)
def test_fields_of_a_form_and_rows_of_a_list_are_not_sections(row: str) -> None:
    rows = "\n\n".join(row.format(number) for number in range(1, 7)).replace("..........", "__________")
    sections = "\n\n".join(f"{number}. Section on lamp {number}\n\n(1) {_BODY}" for number in range(1, 9))
    document = read(f"Lamps Act\n\n{sections}\n\nFIRST SCHEDULE\n\n{rows}\n")
    assert _placed(document) == [(str(number), None) for number in range(1, 9)]


@pytest.mark.parametrize(
    ("division", "number"),
    [
        ("PART {0}", "{0}. {1}"), ("{0}. KEEPERS", "{0}. {1}"),
        ("ORDER {0}\n\nKEEPERS", "{0}. {1}"), ("Part {0}—Keepers", "{0} Lamp\n\n{1}"),
        ("CHAPTER {0}\n\nKeepers", "Article {0}\n\n{1}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("layout", ["\n\n", "\n"], ids=["blank lines", "no blank lines"])
def test_numbers_that_begin_anew_have_the_division_above_them_as_parent(
    division: str, number: str, layout: str
) -> None:
    lines = ["Harbour Lamps Act", "Be it enacted as follows:"]
    for roman in ("I", "II", "III"):
        lines.append(division.format(roman))
        lines.extend(number.format(count, _BODY) for count in range(1, 5))
    document = read("\n\n".join(lines).replace("\n\n", layout))
    found = [
        (node.num, parents[-1].num) for node, parents in document.walk_with_ancestors() if node in document.provisions()
    ]
    assert found == [(str(count), roman) for roman in ("I", "II", "III") for count in range(1, 5)]


def test_an_unknown_word_with_a_number_is_not_a_division_where_the_numbers_go_on() -> None:
    sections = [f"{number}. Lamp {number}\n\n{_BODY}" for number in range(1, 7)]
    document = read("\n\n".join(["Harbour Lamps Act", "ORDER I", *sections[:3], "ORDER II", *sections[3:]]))
    assert _placed(document) == [(str(number), None) for number in range(1, 7)]


@pytest.mark.parametrize("layout", ["\n\n", "\n"])
@pytest.mark.parametrize("heading", ["ORDER {}\n\nLAMPS", "ORDER {} – LAMPS", "ORDER {}. LAMPS"])
@pytest.mark.parametrize("number", ["Rule {} Lamps", "Rule {}", "Rule {}.", "{}. Lamps"])
def test_rules_that_begin_anew_in_each_order_are_rules_of_this_order(heading: str, number: str, layout: str) -> None:
    counts = {"1": 2, "2": 3, "3": 3}
    lines = ["Harbour Lamps Rules"]
    for order, count in counts.items():
        lines.append(heading.format(order))
        lines += [f"{number.format(rule)}\n\n{_BODY}" for rule in range(1, count + 1)]
    document = read("\n\n".join(lines).replace("\n\n", layout))
    found = [
        (node.num, parents[-1].num) for node, parents in document.walk_with_ancestors() if node in document.provisions()
    ]
    assert found == [(str(rule), order) for order, count in counts.items() for rule in range(1, count + 1)]


def test_pages_are_no_divisions_of_rules_that_go_on() -> None:
    rules = [f"Rule {number} Lamps\n\n{_BODY}" for number in range(1, 7)]
    document = read("\n\n".join(["Harbour Lamps Rules", "PAGE 1", *rules[:3], "PAGE 2", *rules[3:]]))
    assert _placed(document) == [(str(number), None) for number in range(1, 7)]


@pytest.mark.parametrize("words", ["Lamps Act, whole", "Lamps Act"])
def test_a_row_of_labels_and_few_words_is_a_row_of_a_table(words: str) -> None:
    document = read(f"Repealed are:\n\nArticle 5\t{words}\nArticle 6\t{words}\nArticle 7\t{words}\n")
    (table,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(table).splitlines() == [f"Article {number} | {words}" for number in (5, 6, 7)]


@pytest.mark.parametrize(
    ("language", "article", "chapter", "paragraphs"),
    [
        ("fr", "Art. {0}. Le phare {0} est allumé la nuit.", "CHAPITRE {0}", ("§ 1er.", "§ 2.", "§ 3.")),
        ("pl", "Art. {0}. Latarnia {0} świeci w nocy.", "Rozdział {0}", ("§ 1.", "§ 2.")),
        ("pt", "Art. {0}º O farol {0} brilha de noite.", "CAPÍTULO {0}", ("§ 1º", "§ 2º", "§ 3º")),
    ],
)
def test_paragraphs_of_an_article_that_are_named_with_a_sign_are_not_sections(
    language: str, article: str, chapter: str, paragraphs: tuple[str, ...]
) -> None:
    sentence = article.partition("{0}")[2].partition(" ")[2].format(7)
    blocks = [
        block
        for number in range(1, 13)
        for block in (
            *([chapter.format(number // 4 + 1)] if number % 4 == 1 else ()),
            article.format(number),
            *(f"{sign} {sentence}" for sign in paragraphs),
        )
    ]
    document = parse(SourceFile("law.txt", "\n\n".join(blocks).encode(), hints={"language": language}), "plain_text")
    assert numbers(document) == [str(number) for number in range(1, 13)]
    assert {node.type for node in document.nodes} == {"chapter"}
    assert [node.type for node in document.walk() if node.type == "division"] == []


def test_articles_counted_in_words_are_kept_apart_without_blank_lines() -> None:
    words = ("primero", "segundo", "tercero", "cuarto", "quinto", "sexto")
    lines = "\n".join(f"Artículo {word}.- El guarda enciende la luz al anochecer y la apaga al alba." for word in words)
    document = parse(SourceFile("ley.txt", lines.encode(), hints={"language": "es"}), "plain_text")
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]


def test_a_quoted_article_that_no_other_article_continues_is_text_of_the_article_that_quotes_it() -> None:
    quoted = f"Until then this provision of the old law applies:\n\nArticle 2\n\n{_BODY}"
    document = read(f"{articles(1, 8)}\n\n{quoted}\n")
    assert numbers(document) == [str(number) for number in range(1, 9)]
    eighth = next(node for node in document.provisions() if node.num == "8")
    assert "old law applies" in document.text_of(eighth)


def test_an_index_of_subjects_is_not_text_of_the_last_article() -> None:
    document = read(f"{articles(1, 6)}\n\nIndex\n\nDusk 2, 5\n\nKeeper 1, 3\n\nLamps 1\n")
    sixth = next(node for node in document.provisions() if node.num == "6")
    assert "Dusk" not in document.text_of(sixth)
    assert [node.heading for node in document.nodes if node.type == "schedule"] == ["Index"]


def test_a_mark_that_closes_a_quotation_on_a_line_of_its_own_opens_none() -> None:
    first, second = (
        '" 4° lamps of the harbour and of the river\n\n" ;',
        '" 4° lamps of bridges ;\n\n5° lamps of roads ".',
    )
    quoted = {2: f"This is put in:\n\n{first}", 6: f"This is put in:\n\n{second}"}
    text = "\n\n".join(f"Article {number}. {quoted.get(number, _BODY)}" for number in range(1, 9))
    assert numbers(read(text)) == [str(number) for number in range(1, 9)]


def test_articles_that_a_portuguese_law_inserts_into_another_are_quoted_up_to_the_mark_of_the_new_wording() -> None:
    lines = [
        "LEI Nº 9.001, DE 3 DE MAIO DE 2021",
        "Altera a Lei nº 77, de 2 de abril de 1999, sobre os faróis.",
        "O Congresso Nacional decreta e eu sanciono a seguinte Lei:",
        "Art. 1º A Lei nº 77, de 2 de abril de 1999, passa a vigorar com as seguintes alterações:",
        '"Art. 4º O faroleiro acende a luz ao anoitecer.',
        "§ 1º A chama é branca.",
        "§ 2º O vidro é limpo.",
        '..........................................................................................." (NR)',
        '"Art. 5º-A. O faroleiro guarda o óleo." (NR)',
        "Art. 2º O faroleiro que não acender a luz paga multa.",
        "§ 1º A multa é paga em dobro na reincidência.",
        "§ 2º O juiz pode reduzir a multa.",
        "Art. 3º Esta Lei entra em vigor na data de sua publicação.",
    ]
    document = parse(SourceFile("lei.txt", "\n\n".join(lines).encode()))
    assert [(node.type, node.num) for node in document.provisions()] == [
        ("article", "1"),
        ("article", "2"),
        ("article", "3"),
    ]
    second = next(node for node in document.provisions() if node.num == "2")
    assert "O juiz pode reduzir a multa." in document.text_of(second)


@pytest.mark.parametrize("opening", ["(1) This Act is the Lamps Act 2098.", "The Wicks Act is amended in section 4—"])
def test_a_short_provision_in_bold_belongs_to_the_sequence(opening: str) -> None:
    long = "The keeper shall light the lamp at dusk and shall put it out at dawn. " * 4
    texts = [f"{number}. {opening if number in (1, 4) else long}" for number in range(1, 7)]
    blocks = [Block("Lamps Act 2098", level=1), *(Block(text, bold=len(text) < 100) for text in texts)]
    found = recognise(blocks, language="eng", stated=Stated.TYPE)
    assert found.builder is not None
    assert [node.num for node in found.builder.nodes if node.type == "section"] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("label", ["LeuchtG § {number}", "LG Art {number}", "HfLG Art. {number}"])
def test_the_abbreviation_of_the_law_may_precede_a_label(label: str) -> None:
    text = "\n\n".join(
        f"{label.format(number=number)}\n\n(1) Die Leuchte {number} brennt im Hafen jede Nacht von Anfang bis Ende."
        for number in ("1", "2", "2a", "3", "4", "5")
    )
    document = parse(SourceFile("gesetz.txt", f"Leuchtengesetz\n\n{text}".encode()))
    assert [node.num for node in document.provisions()] == ["1", "2", "2a", "3", "4", "5"]
    assert document.warnings == ()


def test_the_number_of_a_law_in_a_collection_is_not_its_first_chapter() -> None:
    body = "\n\n".join(f"CHAPTER {number}\n\nLAMPS\n\nArticle {number}. {_BODY}" for number in range(1, 5))
    document = read(f"CHAPTER L.7\n\nLamps Act\n\n{body}\n")
    assert [node.num for node in document.nodes if node.type == "chapter"] == ["1", "2", "3", "4"]
    assert document.title == "Lamps Act"


def test_chapters_with_letters_and_numbers_are_chapters() -> None:
    body = "\n\n".join(f"PART A-{number}\n\nArticle {number}. {_BODY}" for number in range(1, 5))
    assert len([node for node in read(body).nodes if node.type == "part"]) == 4


def test_the_mark_of_a_note_behind_the_number_of_an_inserted_chapter_is_not_part_of_it() -> None:
    articles = [f"Art. {number}. Latarnik zapala latarnię {number} o zmierzchu." for number in ("1", "2", "2a", "3")]
    heads = ["Rozdział 1\n\nPrzepisy ogólne", "", "Rozdział 2a4)\n\nKsięga lamp", "Rozdział 3\n\nPrzepisy końcowe"]
    text = "\n\n".join(part for pair in zip(heads, articles, strict=True) for part in pair if part)
    document = parse(SourceFile("latarnie.txt", f"USTAWA\n\no latarniach\n\n{text}\n".encode()))
    assert [node.num for node in document.walk() if node.type == "chapter"] == ["1", "2a", "3"]
