"""The cause title of an Indian judgment: court, case, parties, judges, date and citations. The titles are our own."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.parsing.india.cause_title import read_cause_title, title_of

SHIP = [
    "REPORTABLE",
    "IN THE SUPREME COURT OF INDIA",
    "CIVIL APPELLATE JURISDICTION",
    "CIVIL APPEAL NO. 123 OF 2031",
    "(arising out of S.L.P. (C) No. 9 of 2030)",
    "RAVI MENON",
    "12 Pier Road, Kochi",
    "… Appellant(s)",
    "VERSUS",
    "Port Trust of Kochi",
    "and others",
    "Harbour Bhavan",
    "… Respondent Nos. 1-3",
    "WITH",
    "2031 INSC 45",
]
SIGNED = ["……J.", "(A. B. RAO)", "……J.", "[C. Devi]", "NEW DELHI; MAY 4, 2031."]


def read(*header: str, signature: list[str] | None = None) -> dict[str, Any]:
    return read_cause_title(header, signature or [])


def test_a_cause_title_is_read_from_the_court_to_the_signatures() -> None:
    found = read(*SHIP, signature=SIGNED)
    assert (found["court"], found["court_level"]) == ("Supreme Court of India", "supreme")
    assert (found["case_type"], found["case_number"]) == ("Civil Appeal", "CIVIL APPEAL NO. 123 OF 2031")
    assert found["parties"] == {
        "first": "RAVI MENON", "second": "Port Trust of Kochi and others",
        "first_role": "Appellant", "second_role": "Respondent",
    }  # fmt: skip
    assert (found["judges"], found["bench"]) == (["A. B. Rao", "C. Devi"], {"strength": 2})
    assert (found["date_decided"], found["reportable"]) == ("2031-05-04", True)
    assert title_of(found) == "Ravi Menon v. Port Trust of Kochi and others"


def test_nothing_is_guessed() -> None:
    assert read("The lamp was dark.") == {}
    assert title_of({}) is None
    assert "parties" not in read("VERSUS", "Port Trust", "Respondent")
    assert "parties" not in read("Ravi Menon", "Appellant", "VERSUS")


@pytest.mark.parametrize(
    ("line", "court", "level"),
    [
        ("IN THE HIGH COURT OF KERALA AT ERNAKULAM", "High Court of Kerala at Ernakulam", "high"),
        ("BEFORE THE NATIONAL GREEN TRIBUNAL", "National Green Tribunal", "tribunal"),
        ("Before the State Consumer Disputes Redressal Commission", "State Consumer Disputes Redressal Commission", "commission"),
        ("IN THE COURT OF THE DISTRICT JUDGE", "Court of the District Judge", "district"),
    ],
)  # fmt: skip
def test_every_level_of_courts_is_known(line: str, court: str, level: str) -> None:
    found = read(line, "The lamp was dark.")
    assert (found["court"], found["court_level"]) == (court, level)


def test_a_court_that_hears_an_appeal_from_another_is_the_higher_one() -> None:
    found = read("From the High Court of Kerala", "IN THE SUPREME COURT", "OF INDIA")
    assert found["court_level"] == "supreme"


@pytest.mark.parametrize(
    ("header", "signature", "judges"),
    [
        (["CORAM: Hon'ble Mr. Justice A. Rao, Ms. C. Devi, Member"], ["(D. Menon)"], ["D. Menon"]),
        (["CORAM: Justice A. Rao, J. Justice C. Devi, J."], [], ["A. Rao", "C. Devi"]),
        (["A. B. RAO, J.", "C. DEVI, C.J.I."], [], ["A. B. Rao", "C. Devi"]),
        (["A. B. RAO, J.", "A. B. RAO, J."], [], ["A. B. Rao"]),
    ],
)
def test_judges_are_those_who_signed_else_the_bench_else_who_speaks(
    header: list[str], signature: list[str], judges: list[str]
) -> None:
    assert read(*header, signature=signature)["judges"] == judges


@pytest.mark.parametrize(
    ("header", "signature", "date"),
    [
        (["Date of decision: 4.5.2031"], ["NEW DELHI; MAY 6, 2031."], "2031-05-04"),
        (["Date of decision: soon", "Pronounced on 5 May 2031"], [], "2031-05-05"),
        ([], ["April 3 , 2031", "(A. Rao)", "May 6,2031"], "2031-05-06"),
        (["Heard in May"], ["(A. Rao)"], None),
    ],
)
def test_the_date_is_the_stated_one_else_the_last_at_the_end(
    header: list[str], signature: list[str], date: str | None
) -> None:
    assert read(*header, signature=signature).get("date_decided") == date


def test_the_name_of_a_party_ends_at_its_address_and_below_its_role() -> None:
    found = read(
        "In the matter of", "CIVIL SUIT NO. 7 OF 2031", "", "M/s Lamps", "Private Limited", "Plot 9", "Petitioner",
        "v.", "1. Union of India", "Block C", "Respondents", "Mr. Rao for the petitioner",
    )  # fmt: skip
    assert (found["parties"]["first"], found["parties"]["first_role"]) == ("M/s Lamps Private Limited", "Petitioner")
    assert (found["parties"]["second"], found["parties"]["second_role"]) == ("1. Union of India", "Respondent")


def test_a_role_beside_the_name_is_no_part_of_it() -> None:
    found = read("Ravi Menon … Appellant", "versus", "Port Trust … Respondent", "Nobody")
    assert found["parties"] == {
        "first": "Ravi Menon", "second": "Port Trust", "first_role": "Appellant", "second_role": "Respondent",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reportable"),
    [("NON-REPORTABLE", False), ("NON REPORTABLE", False), ("REPORTABLE", True), ("Reported", None)],
)
def test_a_judgment_is_reportable_if_it_says_so(line: str, reportable: bool | None) -> None:
    assert read(line).get("reportable") is reportable


def test_each_parallel_citation_is_named_once() -> None:
    found = read("(2031) 4 SCC 12", "AIR 2031 SC 5 and (2031)  4 SCC 12")
    assert found["parallel_citations"] == ["(2031) 4 SCC 12", "AIR 2031 SC 5"]
