"""Amending acts: the provisions their enacting words name, and the text of official prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import check_tree
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.amending_act import amending_metadata, named_provisions
from legal_pipeline.parsing.sweden.identity import base_law, document_type
from legal_pipeline.parsing.sweden.official_print import parse_swedish_print

PRINT = (
    "1 1 2 3 4 Svensk författningssamling Lag om ändring i brygglagen (2099:21); utfärdad den 3 maj 2100. Enligt riksdagens "
    "beslut 1 föreskrivs i fråga om brygglagen (2099:21) 2 dels att 1 kap. 4 § ska upphöra att gälla, dels att 1 kap. 2 § och "
    "2 kap. 1 § ska ha följande lydelse. 1 kap. 2 §3 Avgiften fastställs av hamn- och bryggnämn- den efter samråd enligt 3 kap. "
    "1 Prop. 2099/00:1, bet. 2099/00:SU1, rskr. 2099/00:2. 2 Lagen omtryckt 2099:30. 3 Senaste lydelse 2099:31. SFS 2100:4 "
    "Utkom från trycket den 12 maj 2100 2 SFS 2100:4 1 § andra stycket. 2 kap. 1 § Den som inte betalar ska lämna bryggan. "
    "Denna lag träder i kraft den 1 juli 2100. På regeringens vägnar IDA BRYGGA Ove Kaj (Sjödepartementet)"
)


def printed(text: str) -> SourceFile:
    return SourceFile("print.txt", text.encode())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("föreskrivs att 3 kap. 2 a § lagen ska ha följande lydelse.", [("3", "2 a", "amended")]),
        ("föreskrivs att 2, 4 och 6 b §§ ska upphöra att gälla.", [("", "2", "repealed"), ("", "4", "repealed"), ("", "6 b", "repealed")]),
        ("föreskrivs att det ska införas nya paragrafer, 3 kap. 7–7 b §§, av följande lydelse.",
         [("3", "7", "inserted"), ("3", "7 a", "inserted"), ("3", "7 b", "inserted")]),
        ("föreskrivs att 4 kap. 1–3 §§ ska ha följande lydelse.", [("4", "1", "amended"), ("4", "2", "amended"), ("4", "3", "amended")]),
        ("föreskrivs att 3 kap. 2 § och 4 § samt 5 kap. 1 § ska ha följande lydelse.",
         [("3", "2", "amended"), ("3", "4", "amended"), ("5", "1", "amended")]),
        ("föreskrivs att 3 kap. 2 § och rubriken närmast före 3 kap. 2 § ska ha följande lydelse.", [("3", "2", "amended")]),
        ("dels att 1 kap. 9 § ska upphöra att gälla, dels att i 2 kap. 3 § ordet ”bro” ska bytas ut mot ”brygga”.",
         [("1", "9", "repealed"), ("2", "3", "substituted")]),
        ("dels att nuvarande 1 kap. 7 § ska betecknas 1 kap. 6 §, dels att 8 § ska ha följande lydelse.",
         [("1", "7", "renumbered"), ("1", "6", "renumbered"), ("", "8", "amended")]),
    ],
)  # fmt: skip
def test_enacting_words_name_provisions_and_what_happens_to_them(
    words: str, expected: list[tuple[str, str, str]]
) -> None:
    assert [(p.get("chapter", ""), p["section"], p["action"]) for p in named_provisions(words)] == expected


@pytest.mark.parametrize(
    ("listed", "sections"),
    [
        ("6 kap. 1–2 a §§", ["1", "2", "2 a"]),
        ("6 kap. 3–5 b §§", ["3", "4", "5", "5 a", "5 b"]),
        ("6 kap. 6 a–8 §§", ["6 a", "7", "8"]),
    ],
)
def test_a_range_that_ends_or_begins_with_a_letter_is_written_out(listed: str, sections: list[str]) -> None:
    named = named_provisions(f"Riksdagen föreskriver att {listed} ska ha följande lydelse.")
    assert [(entry["chapter"], entry["section"]) for entry in named] == [("6", section) for section in sections]


def test_a_print_with_such_a_range_has_all_its_sections() -> None:
    words = PRINT.replace("1 kap. 2 § och 2 kap. 1 §", "1 kap. 1–2 a §§").replace(
        "1 kap. 2 §3 Avgiften", "1 kap. 1 § Bryggan är öppen. 2 § Bryggan är röd. 2 a § Avgiften"
    )
    act = parse(printed(words.replace("2 kap. 1 § Den som", "Den som")))
    assert [node.eid for node in act.provisions()] == ["chp_1__sec_1", "chp_1__sec_2", "chp_1__sec_2a"]
    assert not act.warnings


def test_a_range_between_letters_of_different_numbers_is_kept_as_written() -> None:
    assert [p["section"] for p in named_provisions("föreskrivs att 6 a–8 c §§ ska upphöra att gälla.")] == ["6 a–8 c"]


def test_the_base_law_of_an_amendment_to_an_amendment_is_the_act_behind_both() -> None:
    assert base_law("Lag om ändring i lagen (2100:9) om ändring i brygglagen (2099:21)") == "SFS 2099:21"
    assert base_law("Föreskrifter om ändring i Fyrnämndens föreskrifter (ÖFS 2099:4) om säkerhet") == "ÖFS 2099:4"
    assert base_law("Brygglag (2099:21)") is None
    assert amending_metadata("Lag om ändring i brygglagen (2099:21)", "") == {"base_law": "SFS 2099:21"}


def test_types_by_series_and_title() -> None:
    assert document_type("Fyrnämndens föreskrifter om säkerhet", "ÖFS", "2099:4") == "agency_regulation"
    assert (
        document_type("Föreskrifter om ändring i Fyrnämndens föreskrifter (ÖFS 2099:4)", "ÖFS", "2100:1") == "amendment"
    )
    assert document_type("Bryggförordning (2099:22)", "SFS", "2099:22") == "regulation"


def test_a_print_loses_its_pages_notes_and_broken_words() -> None:
    act = parse(printed(PRINT))
    check_tree(act)
    assert (act.document_id, act.doc_type, act.format) == ("se-sfs-2100-4", "amendment", "amendment_text")
    sections = [act.text_of(node) for node in act.provisions()]
    assert sections == [
        "2 § Avgiften fastställs av hamn- och bryggnämnden efter samråd enligt 3 kap. 1 § andra stycket.",
        "1 § Den som inte betalar ska lämna bryggan.",
    ]
    assert act.metadata["issued"] == "2100-05-03"
    assert (act.metadata["in_force"], act.metadata["base_law"]) == ("2100-07-01", "SFS 2099:21")
    assert [node.num for node in act.nodes if node.type == "footnote"] == ["1", "2", "3"]
    assert not act.warnings


def test_an_announced_section_that_is_not_there_is_reported() -> None:
    act = parse(printed(PRINT.replace("2 kap. 1 § Den som", "Den som")))
    assert act.warnings == ("2 kap. 1 § is announced and not found in the print",)
    assert act.requires_manual_review


def test_a_print_without_its_end_is_truncated_and_one_without_a_title_refused() -> None:
    with pytest.raises(TruncatedDocumentError, match="commencement"):
        parse(printed(PRINT[: PRINT.index("Denna lag träder")]))
    with pytest.raises(ParseError, match="no title"):
        parse(printed("Svensk författningssamling SFS 2100:4"), "amendment_text")


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "base", "in_force", "sections"),
    [
        ("SFS2000-764", "SFS 1977:1160", "2001-01-01", 7),
        ("SFS2003-365", "SFS 1977:1160", "2003-07-21", 21),
        ("SFS2008-934", "SFS 1977:1160", "2009-01-01", 13),
        ("SFS2010-1225", "SFS 1977:1160", "2011-01-01", 1),
        ("SFS2022-1109", "SFS 1977:1160", "2022-07-25", 9),
        ("SFS2023-349", "SFS 1977:1160", "2023-07-02", 1),
        ("SFS2025-1458", "SFS 2011:13", "2026-01-15", 2),
    ],
)
def test_every_announced_section_of_a_real_print_is_found(
    corpus: Path, name: str, base: str, in_force: str, sections: int
) -> None:
    act = parse(SourceFile(name, (corpus / f"se/amendment_pdfs/{name}.pdftext.txt").read_bytes()))
    check_tree(act)
    assert (act.doc_type, act.metadata["base_law"], act.metadata["in_force"]) == ("amendment", base, in_force)
    assert sum(1 for _ in act.provisions()) == sections
    assert not act.warnings
    assert "SFS 2" not in act.text


def test_a_print_in_which_no_announced_section_is_found_keeps_its_text_and_says_so() -> None:
    words = PRINT.replace("1 kap. 2 §3 Avgiften", "Avgiften").replace("stycket. 2 kap. 1 § Den", "stycket. Den")
    document = parse(printed(words))
    assert "Den som inte betalar ska lämna bryggan." in document.text
    assert sum("is announced and not found" in warning for warning in document.warnings) >= 2


def test_an_announced_new_section_that_the_print_lacks_is_reported() -> None:
    paragraphs = [
        "Lag om ändring i brygglagen (2099:21); utfärdad den 3 maj 2100.",
        "Härigenom föreskrivs att det ska införas nya paragrafer, 2 kap. 3 a och 3 b §§, av följande lydelse.",
        "2 kap.",
        "3 a § Bryggan ska ha en stege.",
        "Denna lag träder i kraft den 1 juli 2100.",
    ]
    act = parse_swedish_print(SourceFile("SFS2100-4.pdf", b""), paragraphs, [False] * 5, ["SFS 2100:4"])
    assert act is not None
    assert [node.num for node in act.provisions()] == ["3 a"]
    assert act.warnings == ("2 kap. 3 b § is announced and not found in the print",)
    assert act.requires_manual_review


@pytest.mark.parametrize(
    ("named", "words", "sections"),
    [
        (
            "1 kap. 2 § och 2 kap. 1 §",
            "1 kap. 2 § Avgiften följer 1 kap. 2 § Hamnlagen. 2 kap. 1 § Bryggan är röd.",
            ["2 § Avgiften följer 1 kap. 2 § Hamnlagen.", "1 § Bryggan är röd."],
        ),
        (
            "1 kap. 2 § och 2 kap. 1 §",
            "1 kap. 2 § Avgiften är hög. Färgen på bryggor 2 kap. 1 § Bryggan är röd.",
            ["2 § Avgiften är hög. Färgen på bryggor", "1 § Bryggan är röd."],
        ),
        ("2 och 3 §§", "2 § Avgiften är hög. 3 § Bryggan är röd.", ["2 § Avgiften är hög.", "3 § Bryggan är röd."]),
        ("2 och 3 §§", "2 § Detta gäller: 3 § Bryggan är röd.", ["2 § Detta gäller:", "3 § Bryggan är röd."]),
        ("2 och 3 §§", "2 § Av 3 § Hamnlagen följer mer. 3 § Bryggan är röd.",
         ["2 § Av 3 § Hamnlagen följer mer.", "3 § Bryggan är röd."]),
    ],
)  # fmt: skip
def test_the_sections_of_a_print_are_the_announced_ones_where_they_begin(
    named: str, words: str, sections: list[str]
) -> None:
    act = parse(
        printed(
            "Svensk författningssamling SFS 2100:4 Lag om ändring i brygglagen (2099:21); utfärdad den 3 maj 2100. "
            f"Härigenom föreskrivs att {named} brygglagen (2099:21) ska ha följande lydelse. {words} "
            "Denna lag träder i kraft den 1 juli 2100."
        ),
        "amendment_text",
    )
    assert [act.text_of(node) for node in act.provisions()] == sections
    assert not act.warnings


@pytest.mark.parametrize(
    ("printed_as", "instead"),
    [
        ("2100 2 SFS 2100:4 1 §", "2100 SFS 2100:4 2 1 §"),
        ("12 maj 2100", "12 maj 2100 Elanders Sverige AB, Stockholm 2031"),
    ],
)
def test_a_page_number_behind_the_header_and_two_imprints_are_not_text(printed_as: str, instead: str) -> None:
    assert printed_as in PRINT
    expected, found = (parse(printed(text)) for text in (PRINT, PRINT.replace(printed_as, instead)))
    assert found.text == expected.text
