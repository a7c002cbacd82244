"""Regulations, Code sections and decisions as plain text: lines joined, headers aside, hierarchy recovered."""

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.usa.opinion_text import noise_share
from legal_pipeline.parsing.usa.paragraph_text import read_paragraphs
from legal_pipeline_tests.parsing.invariants import checked

OPINION = """              FOR PUBLICATION
      UNITED STATES COURT OF APPEALS
          FOR THE SECOND CIRCUIT
 ADA CLOCKMAKER,
       Plaintiff-Appellant,
                                     No. 21-1234
 v.
 TOWER BOARD,
       Defendant-Appellee.
 Filed May 3, 2021
 Before: Ann Smith and Bo Jones, Circuit Judges.
 OPINION
 The plaintiff repairs clocks in the tower and asks that the board pays for the immi-
 gration of her apprentice, who has lived abroad since the year in which the tower was
 412                  CLOCKMAKER v. TOWER BOARD
 built and whose papers were never asked for before.
 We affirm.
 DISSENT
 I would reverse.
"""


def parse(text: str, name: str = "x.txt") -> Document:
    return checked(SourceFile(name, text.encode()))


def test_a_page_header_does_not_cut_a_sentence() -> None:
    document = parse(OPINION)
    assert (
        "the immigration of her apprentice, who has lived abroad since the year in which the tower was built and"
        in document.text
    )
    header = next(node for node in document.nodes if node.type == "running_header")
    assert (header.num, document.text_of(header)) == ("412", "412 CLOCKMAKER v. TOWER BOARD")


def test_an_opinion_knows_its_court_docket_date_and_parts() -> None:
    document = parse(OPINION)
    assert (document.document_id, document.doc_type) == ("us-judgment-ca2-21-1234", "precedent_case")
    assert (document.metadata["date_decided"], document.metadata["judges"]) == ("2021-05-03", ["Ann Smith", "Bo Jones"])
    assert [node.type for node in document.nodes if node.type != "running_header"] == [
        "header",
        "motivation",
        "dissent",
    ]


@pytest.mark.corpus
def test_the_real_opinion_keeps_its_order_and_opinion_apart(corpus: Path) -> None:
    path = corpus / "us" / "excerpts" / "kazarian_2010_opening_EXCERPT.txt"
    document = parse(path.read_text(), path.name)
    assert [(node.type, node.heading) for node in document.nodes if node.heading] == [
        ("decision", "ORDER"),
        ("motivation", "OPINION"),
    ]
    assert document.document_id == "us-judgment-ca9-07-56774"
    assert "published at 580 F.3d 1030 (9th Cir. 2009), is withdrawn" in document.text
    assert "KAZARIAN v. USCIS" not in document.text[: document.nodes[2].end]


@pytest.mark.corpus
def test_a_noisy_scan_of_an_appeal_asks_for_review(corpus: Path) -> None:
    path = corpus / "us" / "excerpts" / "aao_2009_geoscience_OCR_EXCERPT.txt"
    document = parse(path.read_text(), path.name)
    assert (document.doc_type, document.requires_manual_review) == ("appeal_decision", True)
    assert noise_share((corpus / "us" / "excerpts" / "8cfr_204.5_h_EXCERPT.txt").read_text()) < 0.005


@pytest.mark.corpus
def test_a_cfr_excerpt_that_begins_at_h_nests_under_h(corpus: Path) -> None:
    path = corpus / "us" / "excerpts" / "8cfr_204.5_h_EXCERPT.txt"
    document = parse(path.read_text(), path.name)
    assert (document.document_id, document.work_uri) == ("us-cfr-8-204.5", "us/cfr/t8/p204/s204.5")
    items = [node.eid for node in document.walk() if node.type == "item"]
    assert items == [f"sec_204.5__subsec_h__para_3__item_{num}" for num in ("i", "ii", "iii", "iv", "v")]
    definition = next(node for node in document.walk() if node.type == "definition")
    assert definition.attributes["term"] == "Extraordinary ability"


@pytest.mark.corpus
def test_a_code_section_in_markdown_nests_by_the_statute_ladder(corpus: Path) -> None:
    path = corpus / "us" / "excerpts" / "8usc_1153_b1_EXCERPT.md"
    document = parse(path.read_text(), path.name)
    assert (document.document_id, document.as_of_date) == ("us-usc-8-1153", "2025-08-11")
    eids = {node.eid for node in document.walk()}
    assert "sec_1153__subsec_b__para_1__item_b__item_iii__item_iii" in eids
    assert "worldwide level specified in section 1151(d) of this title for" in document.text


def test_two_designators_of_one_level_in_a_line_are_neighbours() -> None:
    text = "(1)(1)8 CFR 204.5\n§ 204.5 Petitions for lamps.\n(h) Keepers.\n(1) A keeper may file a petition.\n(2) A lamp is a light.\n"
    document = registry.parse(SourceFile("cfr.txt", text.encode()))
    first, second = [node for node in document.walk() if node.type == "paragraph"][:2]
    assert (first.num, second.num) == ("1", "1")
    assert first.end <= second.start


def test_an_opinion_without_a_page_header_has_the_parties_of_its_caption_as_title() -> None:
    line = next(line for line in OPINION.splitlines() if line.lstrip().startswith("412"))
    assert parse(OPINION).title == "CLOCKMAKER v. TOWER BOARD"
    assert parse(OPINION.replace(f"{line}\n", "")).title == "ADA CLOCKMAKER v. TOWER BOARD"


def test_sections_of_one_file_lie_beside_each_other() -> None:
    text = (
        "8 CFR 204.5\n\n§ 204.5 Petitions for lamps.\n\n(a) A keeper may file a petition.\n\n"
        "§ 204.6 Petitions for bells.\n\n(a) A ringer may file a petition.\n"
    )
    document = registry.parse(SourceFile("cfr.txt", text.encode()))
    sections = {node.num: document.text_of(node) for node in document.nodes if node.type == "section"}
    assert list(sections) == ["204.5", "204.6"]
    assert "ringer" not in sections["204.5"]


_SUPREME_COURT = """SUPREME COURT OF THE UNITED STATES

No. 21-9876

ADA CLOCKMAKER, PETITIONER v. TOWER BOARD

ON WRIT OF CERTIORARI TO THE UNITED STATES COURT OF APPEALS FOR THE NINTH CIRCUIT

[June 14, 2031]

JUSTICE PENDULUM delivered the opinion of the Court.

The question presented is whether a board that stops a clock without notice violates the Due Process Clause.

I

The Board stopped the clock on March 3, 2029.

It is so ordered.

JUSTICE SPRING, with whom JUSTICE WEIGHT joins, dissenting.

I would affirm.
"""


def test_an_opinion_begins_where_a_justice_delivers_it_and_a_dissent_where_a_justice_dissents() -> None:
    document = parse(_SUPREME_COURT)
    assert document.title == "ADA CLOCKMAKER v. TOWER BOARD"
    assert document.metadata["date_decided"] == "2031-06-14"
    header, opinion, dissent = document.nodes
    assert (header.type, opinion.type, dissent.type) == ("header", "motivation", "dissent")
    assert document.text_of(opinion).startswith("JUSTICE PENDULUM delivered")
    assert document.text_of(opinion).endswith("It is so ordered.")
    assert dissent.heading == "JUSTICE SPRING, with whom JUSTICE WEIGHT joins, dissenting."


_OF_A_STATE = """IN THE SUPREME COURT OF CALIFORNIA

ADA CLOCKMAKER,
Plaintiff and Appellant,
v.
TOWER BOARD,
Defendant and Respondent.

S123456

May 12, 2031

Opinion of the Court by Pendulum, J.

This case concerns the winding of clocks.

I. LEGAL STANDARD

Clocks are wound at noon.

II. DISPOSITION

The judgment of the Court of Appeal is affirmed.
"""


def test_a_court_of_a_state_is_named_by_its_line() -> None:
    document = parse(_OF_A_STATE)
    assert (document.doc_type, document.jurisdiction) == ("precedent_case", "us")
    assert document.metadata["court"] == "SUPREME COURT OF CALIFORNIA"
    assert (document.title, document.metadata["date_decided"]) == ("ADA CLOCKMAKER v. TOWER BOARD", "2031-05-12")
    assert [node.type for node in document.nodes] == ["header", "motivation", "motivation", "decision"]


_SLIP = """[Cite as State ex rel. Keeper v. Harbor, Slip Opinion No. 2031-Ohio-9.]

                                 NOTICE

      This slip opinion is subject to formal revision.

   THE STATE EX REL. KEEPER, APPELLANT, v. THE CITY OF HARBOR, APPELLEE.

  (No. 2030-0811—Submitted March 12, 2031—Decided September 5, 2031.)
\f                         SUPREME COURT OF OHIO

      {¶ 1} The keeper asked for the logs of the lamp.

                              II. ANALYSIS

      A. Standard of review

      {¶ 2} We review the law de novo.

      B. Whether the logs are public

      {¶ 3} They are kept by the harbor.
"""


def test_a_court_at_the_top_of_a_page_is_named_and_a_slip_opinion_has_its_citation() -> None:
    document = parse(_SLIP)
    assert document.metadata["court"] == "SUPREME COURT OF OHIO"
    assert (document.title, document.number) == ("State ex rel. Keeper v. Harbor", "2031-Ohio-9")
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert headings == ["II. ANALYSIS", "A. Standard of review", "B. Whether the logs are public"]


_COLUMNS = """                      UNITED STATES COURT OF APPEALS
                          FOR THE NINTH CIRCUIT

      ANNA KEEPER,                            No. 31-35482
               Plaintiff-Appellant,         D.C. No. 3:29-cv-05719
       v.                                         OPINION
      HARBOR CO.,
               Defendant-Appellee.

         Before: Ada Lamp, Bo Wick, and Cy Oil, Circuit Judges.
      2                 KEEPER V. HARBOR CO.

                                 SUMMARY*

      The panel reversed.

                                  OPINION

      WICK, Circuit Judge:

                                    I

      The lamp was dark.

                  A. The Claim Against the Harbor

      A harbor keeps its lamps.
"""


def test_an_opinion_in_columns_has_its_number_its_name_and_headings_that_are_marks() -> None:
    document = parse(_COLUMNS)
    assert (document.title, document.number) == ("KEEPER V. HARBOR CO.", "31-35482")
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert headings == ["SUMMARY*", "OPINION", "I", "A. The Claim Against the Harbor"]


def test_a_small_number_alone_on_a_line_is_a_page_number_and_a_large_one_is_text() -> None:
    small, large = (
        read_paragraphs(f"the lamp of the keeper is lit\n{number}\nat night by the sea\n") for number in (3, 40)
    )
    assert small.beside == [("page_number", "3", "3")]
    assert [item.text for item in small.paragraphs] == ["the lamp of the keeper is lit at night by the sea"]
    assert large.beside == []


def test_a_citation_on_a_line_of_its_own_is_inside_its_paragraph() -> None:
    lines = [
        "The court of appeals held in the case of the keeper of the lamp,",
        "580 F.3d 1030",
        "Keeper v. Board, that lamps burn.",
    ]
    assert [item.text for item in read_paragraphs("\n".join(lines)).paragraphs] == [" ".join(lines)]
