"""Rules of the plain layout, on short texts written for these tests."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node, check_tree
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.sweden.header import StatuteHeader
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline_tests.examples import examples

HEADER = StatuteHeader(number="2031:7", title="Lag (2031:7) om vindskydd")


def parsed(text: str) -> Document:
    source = SourceFile("vindskydd.txt", text.encode("utf-8"))
    document = parse_statute_text(source.text, HEADER, source)
    check_tree(document)
    return document


def numbers(document: Document, type: str = "section") -> list[str | None]:
    return [node.num for node in document.walk() if node.type == type]


def texts(document: Document, type: str) -> list[str]:
    return [document.text_of(node) for node in document.walk() if node.type == type]


def only(document: Document, type: str) -> Node:
    nodes = [node for node in document.walk() if node.type == type]
    assert len(nodes) == 1
    return nodes[0]


# -- what is a section and what is not -----------------------------------------------------------------------------------


def test_a_reference_at_a_line_start_is_not_a_section() -> None:
    document = parsed(
        "1 § Vindskydd ska underhållas enligt 5, 17 och\n14 §§ samt 9 kap. 3 §.\n\n"
        "2 § Den som avses i\n1 § och i de anslutande föreskrifterna får medge undantag.\n"
    )
    assert numbers(document) == ["1", "2"]


def test_an_enumeration_of_provisions_of_another_act_is_not_sections() -> None:
    document = parsed(
        "4 § Följande bestämmelser gäller inte för vindskydd:\n\n12 § om föredragning,\n\n15 och 16 §§ om jäv, och\n\n"
        "29 § om ärendeförteckning.\n\n5 § Lagen gäller i hela landet.\n"
    )
    assert numbers(document) == ["4", "5"]
    assert numbers(document, "subsection") == ["1", "2", "3", "4", "1"]


def test_a_section_right_under_its_heading_and_a_sentence_is_found() -> None:
    document = parsed(
        "7 § Taket ska vara tätt.\nLag (2032:1).\nSärskilda krav\n8 § Golvet ska vara torrt.\n\n9 § Dörrar får saknas.\n"
    )
    assert numbers(document) == ["7", "8", "9"]
    assert texts(document, "heading") == ["Särskilda krav"]


def test_letters_of_a_section_are_normalised_and_its_sign_stands_in_the_section_only() -> None:
    document = parsed("2a § Virket ska vara torrt.\n\n2\xa0b § Spik får användas.\n")
    assert numbers(document) == ["2 a", "2 b"]
    assert texts(document, "section") == ["2 a § Virket ska vara torrt.", "2 b § Spik får användas."]
    assert texts(document, "subsection") == ["Virket ska vara torrt.", "Spik får användas."]


def test_a_missing_space_after_the_sign_hides_no_section() -> None:
    document = parsed(
        "4 § Lagen gäller.\n\n4 b §Vindskydd ska målas.\n\n5 §/Träder i kraft I:2032-01-01/\nTak ska tjäras.\n"
    )
    assert numbers(document) == ["4", "4 b", "5"]
    assert document.text.startswith("4 § Lagen gäller.\n\n4 b § Vindskydd ska målas.")


def test_a_closing_formula_after_a_repealed_section_is_no_part_of_it() -> None:
    document = parsed(
        "8 § Lagen gäller.\n\n9 § upphävd genom lag (2032:9).\n\nTill yttermera visso har Vi detta underskrivit.\n"
    )
    assert [node.type for node in document.nodes] == ["section", "section", "subsection"]
    assert document.nodes[-1].status == "in_force"


def test_old_acts_write_the_sign_before_the_number() -> None:
    document = parsed("§ 1. Hvar och en må bygga.\n\n§ 2. upphävd genom lag (1979:935).\n\n§ 3. Ingen må rifva.\n")
    assert numbers(document) == ["1", "2", "3"]
    assert [node.status for node in document.provisions()] == ["in_force", "repealed", "in_force"]


def test_two_wordings_of_one_section_keep_their_dates_and_get_their_own_eids() -> None:
    document = parsed(
        "3 § /Upphör att gälla U:2032-07-01/\nVeden ska staplas.\n\n3 § /Träder i kraft I:2032-07-01/\nVeden ska klyvas.\n"
    )
    old, new = document.provisions()
    assert (old.valid_to, new.valid_from) == ("2032-07-01", "2032-07-01")
    assert (old.eid, new.eid) == ("sec_3", "sec_3-2")
    assert texts(document, "subsection") == ["Veden ska staplas.", "Veden ska klyvas."]
    assert texts(document, "remark") == ["/Upphör att gälla U:2032-07-01/", "/Träder i kraft I:2032-07-01/"]


def test_a_mark_alone_between_blank_lines_belongs_to_the_section_or_chapter_below_it() -> None:
    document = parsed(
        "1 § Veden ska staplas.\n\n/Träder i kraft I:2032-07-01/\n\n2 § Veden ska klyvas.\n\n"
        "/Träder i kraft I:2033-07-01/\n\n2 kap. Eldstäder\n\n1 § Eldstäder ska muras.\n"
    )
    assert [node.valid_from for node in document.provisions()] == [None, "2032-07-01", None]
    assert texts(document, "subsection") == ["Veden ska staplas.", "Veden ska klyvas.", "Eldstäder ska muras."]
    chapter = only(document, "chapter")
    assert (chapter.num, chapter.heading, chapter.valid_from) == ("2", "Eldstäder", "2033-07-01")


def test_a_condition_stands_where_no_date_is_known() -> None:
    document = parsed("1 § /Träder i kraft I:den dag som regeringen bestämmer/\nLagen gäller.\n")
    assert only(document, "section").valid_from == "den dag som regeringen bestämmer"


def test_the_act_that_ends_a_chapter_is_an_amendment() -> None:
    document = parsed(
        "5 kap. /Kapitlet upphör att gälla U:2033-01-01 genom lag (2032:44)./\nEldstäder\n\n1 § Eldstäder ska muras.\n"
    )
    chapter = only(document, "chapter")
    assert (chapter.num, chapter.heading, chapter.valid_to) == ("5", "Eldstäder", "2033-01-01")
    assert [(a.by, a.action) for a in chapter.amendments] == [("SFS 2032:44", "repealed")]


@pytest.mark.parametrize("words", ["Har upphävts genom lag (2032:9).", "har upphört att gälla genom lag (2032:9)."])
def test_repealed_sections_and_chapters_keep_a_node(words: str) -> None:
    document = parsed(
        f"1 kap. Inledning\n\n1 § Lagen gäller.\n\n2 § {words}\n\n2 kap. {words}\n\n3 kap. Slut\n\n1 § Lagen slutar.\n"
    )
    sections = {(node.eid, node.status) for node in document.provisions()}
    assert ("chp_1__sec_2", "repealed") in sections
    chapters = [(node.num, node.status, node.heading) for node in document.walk() if node.type == "chapter"]
    assert chapters == [("1", "in_force", "Inledning"), ("2", "repealed", None), ("3", "in_force", "Slut")]
    repealed = [node for node in document.walk() if node.status == "repealed"]
    assert all([(a.by, a.action) for a in node.amendments] == [("SFS 2032:9", "repealed")] for node in repealed)


def test_several_repealed_sections_in_one_line_are_one_node() -> None:
    document = parsed("4 § Lagen gäller.\n\n5 och 6 §§ upphävda genom lag (2032:9).\n\n7 § Lagen slutar.\n")
    assert numbers(document) == ["4", "5 och 6", "7"]


# -- marks ---------------------------------------------------------------------------------------------------------------


def test_an_amendment_mark_is_a_remark_beside_the_stycke_also_when_wrapped() -> None:
    document = parsed("1 § Vindskydd är till för alla. Lag\n(2032:192).\n")
    section = only(document, "section")
    assert [(a.by, a.action) for a in section.amendments] == [("SFS 2032:192", "amended")]
    assert [(child.type, document.text_of(child)) for child in section.children] == [
        ("subsection", "Vindskydd är till för alla."),
        ("remark", "Lag (2032:192)."),
    ]


def test_a_mark_after_the_last_item_ends_item_and_stycke_before_it() -> None:
    document = parsed(
        "1 § Vindskydd ska ha\n\n1. tak, och\n\n2. golv. Förordning (2032:24).\n\n2 § Virket ska vara torrt.\n"
    )
    assert texts(document, "item") == ["1. tak, och", "2. golv."]
    assert texts(document, "subsection")[0].endswith("2. golv.")
    assert texts(document, "remark") == ["Förordning (2032:24)."]


def test_a_mark_inside_a_list_does_not_end_the_list() -> None:
    document = parsed("1 § Vindskydd ska ha\n\n1. tak, Lag (2032:24).\n\n2. golv.\n")
    subsection = only(document, "subsection")
    assert [child.type for child in subsection.children] == ["item", "remark", "item"]


def test_a_mark_without_a_space_before_it_leaves_the_text_whole() -> None:
    document = parsed(
        "1 § Vindskydd ska ha tak.Lag (2032:24).\n\n2 § Skyddet ska ha\n\n1. golv, och\n\n2. dörr.Lag (2032:25).\n"
    )
    assert texts(document, "subsection") == ["Vindskydd ska ha tak.", "Skyddet ska ha\n\n1. golv, och\n\n2. dörr."]
    assert texts(document, "item") == ["1. golv, och", "2. dörr."]
    assert texts(document, "remark") == ["Lag (2032:24).", "Lag (2032:25)."]


# -- lists, headings, tables -------------------------------------------------------------------------------------------------


def test_lists_nest_by_their_markers() -> None:
    document = parsed(
        "1 § Bidrag lämnas för\n\n1. byggande av\n\na) tak,\n\nb) väggar som är\n\n"
        "- höga, eller\n\n- låga, och\n\n1 a. målning, och\n\n2. rivning.\n"
    )
    tree = [(node.num, len(ancestors)) for node, ancestors in document.walk_with_ancestors() if node.type == "item"]
    assert tree == [("1", 2), ("a", 3), ("b", 3), (None, 4), (None, 4), ("1 a", 2), ("2", 2)]


def test_headings_over_headings_are_underrubriker_until_the_chapter_ends() -> None:
    document = parsed(
        "1 kap. Inledning\n\nAllmänt\n\nSyfte\n\n1 § Lagen skyddar.\n\n"
        "Ord\n\n2 § Vind är luft.\n\n2 kap. Bygge\n\nVirke\n\n1 § Virke är trä.\n"
    )
    levels = [(document.text_of(n), n.attributes["level"]) for n in document.walk() if "level" in n.attributes]
    assert levels == [("Allmänt", 1), ("Syfte", 2), ("Ord", 2), ("Virke", 1)]


def test_a_sentence_that_ends_on_an_abbreviation_is_no_heading() -> None:
    document = parsed(
        "1 § Lagen gäller.\n\nBestämmelser om straff finns i lagen (2030:2) om straff m.m.\n\n2 § Lagen slutar.\n"
    )
    assert texts(document, "heading") == []


def test_columns_set_with_spaces_or_tabs_are_table_rows() -> None:
    document = parsed(
        "1 § Avgiften är följande.\n\nSkydd                   Avgift\n\nVindskydd med tak       12 kronor per\n"
        "och golv                natt\n\nTält\t\t\t3 kronor\n\nVem som betalar\n\n2 § Den som sover betalar.\n"
    )
    assert texts(document, "table") == [
        "Skydd | Avgift\nVindskydd med tak och golv | 12 kronor per natt\nTält | 3 kronor"
    ]
    assert only(document, "table").role == "TABLE"
    assert texts(document, "heading") == ["Vem som betalar"]


def test_two_cells_of_a_line_that_wraps_never_share_a_column() -> None:
    document = parsed(
        "1 § Avgiften är följande.\n\nSkydd              Avgift              Betalas\n"
        "                 per natt   till värden\n\n2 § Den som sover betalar.\n"
    )
    assert texts(document, "table") == ["Skydd | Avgift per natt | Betalas till värden"]


def test_three_spaces_in_running_text_make_no_table() -> None:
    document = parsed(
        "1 § För år räknat utgör beloppet etthundratjugo procent av det gällande   prisbasbeloppet\n"
        "enligt de föreskrifter som regeringen meddelar för varje kalenderår i efterhand.\n"
    )
    assert texts(document, "table") == []
    assert "gällande prisbasbeloppet" in document.text


# -- the parts of an Act ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "num"),
    [("AVD. II BYGGE", "II"), ("AVDELNING I. BYGGE", "I"), ("ANDRA AVDELNINGEN\n\nBYGGE", "2"), ("AVD. B  BYGGE", "B")],
)
def test_divisions_in_all_their_styles(line: str, num: str) -> None:
    document = parsed(f"{line}\n\n1 Kap. Virke\n\n1 § Virke är trä.\n\n2 kap. Spik\n\n1 § Spik är järn.\n")
    division = only(document, "division")
    assert division.num == num
    assert "BYGGE" in (division.heading or "")
    assert [child.num for child in division.children if child.type == "chapter"] == ["1", "2"]


def test_a_chapter_number_over_its_title_takes_the_title_as_its_name() -> None:
    document = parsed("1 Kap.\n\nAllmänt\n\n1 § Lagen gäller.\n")
    assert only(document, "chapter").heading == "Allmänt"


def test_a_list_of_divisions_within_a_section_is_text() -> None:
    document = parsed(
        "1 § Lagen har följande delar.\n\nAVDELNING I. BYGGE\n\n1 kap. - Virke\n\n2 kap. - Spik\n\n2 § Lagen gäller.\n"
    )
    assert numbers(document) == ["1", "2"]
    assert numbers(document, "division") == []


def test_transitional_provisions_stand_under_their_acts_and_a_schedule_ends_them() -> None:
    document = parsed(
        "1 § Lagen gäller.\n\nÖvergångsbestämmleser\n\n2031:7\n\n1. Lagen träder i kraft.\n\n2. Äldre skydd får stå kvar.\n\n"
        "2032:9\n\nÄldre föreskrifter gäller.\n\nBilaga 1 Mått\n\nTaket är två meter.\n"
    )
    acts = [node for node in document.walk() if node.type == "transitional" and node.num]
    assert [node.num for node in acts] == ["2031:7", "2032:9"]
    roles = {node.role for act in acts for node in act.walk() if node.type in ("item", "subsection")}
    assert roles == {"TRANSITION_PROVISION"}
    schedule = only(document, "schedule")
    assert (schedule.num, schedule.heading) == ("1", "Mått")


def test_a_second_paragraph_of_a_transitional_point_belongs_to_the_point() -> None:
    document = parsed(
        "1 § Lagen gäller.\n\nÖvergångsbestämmelser\n\n2031:7\n\n1. Lagen träder i kraft.\n\n2. Äldre skydd får stå kvar om\n\n"
        "a) taket är tätt.\n\nDetta gäller inte tält. Lag (2032:9).\n\n3. Avgifter betalas i efterhand.\n"
    )
    act = next(node for node in document.walk() if node.num == "2031:7")
    points = [(child.type, child.num) for child in act.children if child.type != "heading"]
    assert points == [("item", "1"), ("item", "2"), ("remark", None), ("item", "3")]
    assert texts(document, "paragraph") == ["Detta gäller inte tält."]


def test_an_act_number_alone_on_its_line_begins_transitional_provisions_without_a_heading() -> None:
    document = parsed("1 § Lagen gäller.\n\n2031:7\n\nDenna lag träder i kraft den 1 juli 2031.\n")
    assert [node.num for node in document.walk() if node.type == "transitional"] == [None, "2031:7"]


def test_a_heading_named_transitional_provisions_over_a_section_is_a_heading() -> None:
    document = parsed("1 § Lagen gäller.\n\nÖvergångsbestämmelser\n\n2 § Äldre skydd får stå kvar.\n")
    assert numbers(document) == ["1", "2"]
    assert numbers(document, "transitional") == []


def test_treaty_articles_have_their_headings() -> None:
    document = parsed(
        "1 § Avtalet gäller som lag.\n\nBilaga\n\nAvtal om vind\n\n"
        "Artikel 1\n\nOmfattning\n\n1. Avtalet gäller vind.\n\nArtikel 2\n\nDet gäller inte storm.\n"
    )
    articles = [node for node in document.walk() if node.type == "article"]
    assert [(node.num, node.heading) for node in articles] == [("1", "Omfattning"), ("2", None)]
    assert only(document, "schedule").heading == "Avtal om vind"


def test_a_paragraph_between_the_points_of_a_treaty_is_of_the_point_before_it() -> None:
    document = parsed(
        "Artikel 1\n\n1. Avtalet gäller vind.\n\nMed vind avses luft.\n\n2. Det gäller inte storm.\n\n"
        "Artikel 2\n\nAvtalet träder i kraft i morgon.\n"
    )
    assert [(node.num, document.text_of(node)) for node in document.walk() if node.type == "item"] == [
        ("1", "1. Avtalet gäller vind.\n\nMed vind avses luft."),
        ("2", "2. Det gäller inte storm."),
    ]


def test_an_act_without_sections_is_stycken() -> None:
    document = parsed("Regeringen fastställer följande belopp.\n\nBeloppet är sju kronor.\n")
    assert [node.type for node in document.nodes] == ["subsection", "subsection"]


def test_what_stands_before_the_first_section_is_the_preamble() -> None:
    document = parsed("Vi förordnar härmed som följer.\n\n1 § Lagen gäller.\n")
    assert [node.type for node in document.nodes] == ["preamble", "section"]


def test_numbers_that_run_backwards_are_reported() -> None:
    document = parsed("16 § Ett.\n\n7 § Sju.\n\n18 § Arton.\n")
    assert numbers(document) == ["16", "7", "18"]
    assert any("7 §" in warning for warning in document.warnings)


# -- invariants ------------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(
            "1 § ",
            "2 a § ",
            "§ 3. ",
            "1 kap. ",
            "AVD. I ",
            "Bilaga ",
            "Övergångsbestämmelser",
            "2031:7",
            "Artikel 2",
            "I  Ord",
            "V ",
        ),
        *(
            "1. ",
            "a) ",
            "- ",
            "(i) ",
            "\n",
            "\n\n",
            "\t",
            "   ",
            "     ",
            "\xa0",
            "§§",
            "5 och 6 §§ upphävda",
            "kap.",
            "/",
            "/r4/ ",
        ),
        *("Lag (2031:1).", "/Upphör att gälla U:2031-01-01/", "/Rubriken träder i kraft I:2031-01-01/"),
        *("Har upphävts genom lag (2031:1).", "Ord", "ord", "ord.", "ord-", "Följande:"),
    ]
)


@examples(400)
@given(st.lists(PIECES, min_size=1, max_size=25))
def test_any_text_gives_a_tree_and_loses_no_character(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not text.strip():
        return
    document = parsed(text)

    def letters(value: str) -> Counter[str]:
        # Hyphens at line ends and the bars between cells are the two things that canonical text may change.
        return Counter(re.sub(r"[\s|-]+", "", value))

    assert letters(document.text) == letters(text)
    assert list(document.offset_map) == sorted(document.offset_map)


def test_up_to_three_spaces_behind_a_section_sign_are_no_table() -> None:
    document = parsed("1 §   Den som reser ska få vila.\n\n2 §   Vindskydd ska stå öppna.\n\n3 a §  Ved ska finnas.")
    assert numbers(document) == ["1", "2", "3 a"]
    assert texts(document, "subsection")[0] == "Den som reser ska få vila."


@pytest.mark.parametrize(
    "head", ["Lag (2099:2) om båkar", "SFS nr: 2099:2\nUtfärdad: 2098-03-07\nRubrik: Lag (2099:2) om båkar"]
)
def test_a_statute_of_a_single_section_is_a_statute(head: str) -> None:
    document = registry.parse(SourceFile("bak.txt", f"{head}\n\n1 § Båken ska målas röd.\n".encode()))
    assert document.document_id == "se-sfs-2099-2"
    assert [node.num for node in document.provisions()] == ["1"]


def test_a_note_that_quotes_a_section_is_no_statute() -> None:
    note = "Om båkar\n\nI lagen (2099:2) om båkar står följande.\n\n1 § Båken ska målas röd.\n"
    assert registry.parse(SourceFile("not.txt", note.encode())).document_id != "se-sfs-2099-2"


def test_the_header_of_the_register_is_no_part_of_the_title_without_a_blank_line_before_it() -> None:
    header = "SFS nr: 2031:7\nDepartement/myndighet: Kustdepartementet\nUtfärdad: 2031-01-02"
    sections = "".join(f"{number} § Fyr nummer {number} ska lysa om natten.\n\n" for number in range(1, 4))
    text = f"Lag (2031:7)\nom fyrar\n{header}\n\n{sections}"
    document = registry.parse(SourceFile("lag.txt", text.encode()))
    assert document.title == "Lag (2031:7) om fyrar"
    assert "Kustdepartementet" in document.text


_QUOTING = """1 § Varje hamn har en fyr.

2 § I hamnlagen (2020:3) ska det införas två nya paragrafer av följande lydelse:

”{first} § Oljan är fri.

{second} § Veken betalas av vaktaren.{mark}

3 § En vaktare som släcker fyren om natten döms till böter.

4 § Regeringen får meddela föreskrifter.
"""


@pytest.mark.parametrize(("first", "second"), [("3", "4"), ("2 a", "2 b"), ("12", "13")])
def test_sections_of_another_statute_in_quotation_marks_stay_in_the_section_that_quotes_them(
    first: str, second: str
) -> None:
    document = parsed(_QUOTING.format(first=first, second=second, mark="”"))
    sections = list(document.provisions())
    assert [section.num for section in sections] == ["1", "2", "3", "4"]
    assert document.text_of(sections[1]).endswith("Veken betalas av vaktaren.”")


def test_a_mark_that_is_not_closed_hides_no_section() -> None:
    text = _QUOTING.format(first="2 a", second="2 b", mark="")
    document = parsed(f"{text}\n5 § Fyren ”lyser”. Den heter Nord.”\n\n6 § Den är röd.\n")
    assert [section.num for section in document.provisions()][-4:] == ["3", "4", "5", "6"]


def test_an_article_above_the_sections_is_not_in_the_preamble() -> None:
    enacted = "Vi har antagit följande lag om fyrarna vid kusten och deras skötsel i riket."
    document = parsed(f"{enacted}\n\nArtikel 1\n\nFyren är röd.\n\n1 § Bojen är grön.\n\n2 § Pricken är vit.\n")
    assert [node.type for node in document.nodes] == ["preamble", "article", "section", "section"]


def test_a_mark_of_a_heading_dates_the_heading_and_not_its_chapter() -> None:
    chapter = "/Rubriken upphör att gälla U:2099-07-01/ 2 kap. Bojar\n\n1 § Bojen är röd."
    document = parsed(f"1 kap. Fyrar\n\n1 § Fyren är röd.\n\n{chapter}\n")
    (found,) = (node for node in document.nodes if node.num == "2")
    heading = next(child for child in found.children if child.type == "heading")
    assert (found.valid_to, heading.valid_to) == (None, "2099-07-01")


def test_a_heading_with_two_marks_keeps_its_words() -> None:
    heading = "2 kap. Bojar /Rubriken upphör att gälla U:2099-07-01/ och prickar /Rubriken träder i kraft I:2031-01-01/"
    document = parsed(f"1 kap. Fyrar\n\n1 § Fyren är röd.\n\n{heading}\n\n1 § Bojen är röd.\n")
    assert next(node for node in document.nodes if node.num == "2").heading == "Bojar och prickar"


def test_a_section_with_a_letter_follows_the_one_that_quotes() -> None:
    text = _QUOTING.format(first="12", second="13", mark="”").replace("\n3 §", "\n2 a §").replace("\n4 §", "\n3 §")
    assert [section.num for section in parsed(text).provisions()] == ["1", "2", "2 a", "3"]


def test_transitional_provisions_behind_a_schedule_without_articles_are_no_heading_of_a_treaty() -> None:
    treaty = "Bilaga 1\n\nArtikel 1\n\nParterna ska hålla en fyr vid kusten.\n\nBilaga 2\n\nFyrarnas namn är Nord och Syd.\n\n"
    document = parsed(
        f"1 § Fyren är röd.\n\n2 § Bojen är grön.\n\n{treaty}Övergångsbestämmelser\n\nDenna lag träder i kraft i dag.\n"
    )
    assert [(node.type, node.num) for node in document.nodes][-3:] == [
        ("schedule", "1"),
        ("schedule", "2"),
        ("transitional", None),
    ]
