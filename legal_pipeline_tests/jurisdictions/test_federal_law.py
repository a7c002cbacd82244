"""Federal rules (their title is their work), titles of the code that have a name, and rules of state courts; own sentences."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.annotate import read_annotations
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.parsing.registry import parse
from legal_pipeline.retrieval.citation_form import citation_of
from legal_pipeline.retrieval.citation_query import read_citations


@pytest.mark.parametrize(
    ("title", "work"),
    [
        ("FEDERAL RULES OF EVIDENCE", "/akn/us/act/fre"),
        ("Federal Rules of Civil Procedure", "/akn/us/act/frcp"),
        ("The Federal Rules of Bankruptcy Procedure", "/akn/us/act/frbp"),
    ],
)
def test_their_title_is_their_work(title: str, work: str) -> None:
    text = f"{title}\n\nARTICLE I. GENERAL PROVISIONS\n\n" + "\n\n".join(
        f"Rule {number}. Lamps of Class {number}\n\nThe court lights the lamp at dusk." for number in range(101, 107)
    )
    document = parse(SourceFile("rules.txt", text.encode()))
    assert (document.jurisdiction, document.work_uri) == ("us", work)


def test_a_comment_on_them_is_not_their_work() -> None:
    read = jurisdiction("us").work_of_title
    assert read is not None
    assert read("Federal Rules of Evidence Manual for Keepers") is None


_CITED = [
    ("Fed. R. Evid. 403", "/akn/us/act/fre", "rule_403"),
    ("FRE 403", "/akn/us/act/fre", "rule_403"),
    ("Federal Rule of Evidence 801(d)(2)(E)", "/akn/us/act/fre", "rule_801__subsec_d__para_2__item_e"),
    ("FRCP 12(b)(6)", "/akn/us/act/frcp", "rule_12__subsec_b__para_6"),
    ("F.R.C.P. 12(b)(6)", "/akn/us/act/frcp", "rule_12__subsec_b__para_6"),
    ("Rule 12(b)(6) of the Federal Rules of Civil Procedure", "/akn/us/act/frcp", "rule_12__subsec_b__para_6"),
    ("Rule 26(b)(1), Fed. R. Civ. P.", "/akn/us/act/frcp", "rule_26__subsec_b__para_1"),
    ("Fed. R. Crim. P. 11(c)(1)(C)", "/akn/us/act/frcrp", "rule_11__subsec_c__para_1__item_c"),
    ("Fed. R. App. P. 4(a)", "/akn/us/act/frap", "rule_4__subsec_a"),
    ("Fed. R. Bankr. P. 3001(c)", "/akn/us/act/frbp", "rule_3001__subsec_c"),
    ("I.R.C. § 501(c)(3)", "/akn/us/act/usc/t26/s501", "sec_501__subsec_c__para_3"),
    ("26 U.S.C. § 199A(b)(1)", "/akn/us/act/usc/t26/s199A", "sec_199a__subsec_b__para_1"),
    ("IRC § 1031(a)", "/akn/us/act/usc/t26/s1031", "sec_1031__subsec_a"),
    ("section 61(a) of the Internal Revenue Code of 1986", "/akn/us/act/usc/t26/s61", "sec_61__subsec_a"),
    ("Internal Revenue Code § 4980H", "/akn/us/act/usc/t26/s4980H", "sec_4980h"),
    ("section 362(a) of the Bankruptcy Code", "/akn/us/act/usc/t11/s362", "sec_362__subsec_a"),
    ("Bankruptcy Code § 546(e)", "/akn/us/act/usc/t11/s546", "sec_546__subsec_e"),
]


@pytest.mark.parametrize(("citation", "work", "eid"), _CITED)
def test_a_provision_is_found_in_a_text(citation: str, work: str, eid: str) -> None:
    text = f"The keeper relies on {citation} and asks for a new lamp."
    (reference,) = find(text, jurisdiction("us"))
    assert (reference.raw, reference.work_uri, reference.eid) == (citation, work, eid)


@pytest.mark.parametrize(("citation", "work", "eid"), _CITED)
def test_a_provision_is_found_by_a_query(citation: str, work: str, eid: str) -> None:
    place = read_citations(citation).places[0]
    assert (place.works, "__".join((place.provision, *place.below))) == ((work,), eid)


@pytest.mark.parametrize(
    ("query", "eid"),
    [
        ("Iowa R. Evid. 5.403", "sec_5.403"),
        ("Iowa Ct. R. 45.2(1)", "sec_45.2__subsec_1"),
        ("Rule 32:1.7(a)", "sec_32-1.7__subsec_a"),
    ],
)
def test_a_rule_of_a_state_court_has_the_number_of_its_chapter(query: str, eid: str) -> None:
    places = read_citations(query).places
    assert {place.works for place in places} == {()}
    assert eid in ["__".join((place.provision, *place.below)) for place in places]


def test_such_a_rule_is_printed_with_its_whole_number() -> None:
    payload = {
        "jurisdiction": "us",
        "title": "Lamp Rules",
        "section": "Section 32:1.7 — Conflicts",
        "eid": "sec_32-1.7",
    }
    assert citation_of(payload) == "Lamp Rules, § 32:1.7"


def test_a_rule_with_the_number_of_its_chapter_is_one_of_the_citing_rules() -> None:
    rules = [f"Rule 45.{n} Lamps. The keeper lights lamp {n} as rule 45.3 provides." for n in range(1, 7)]
    document = parse(
        SourceFile("rules.txt", "\n\n".join(["CHAPTER 45", *rules]).encode(), hints={"jurisdiction": "us"})
    )
    references = read_annotations(document).references
    assert {reference.eid for reference in references} == {"chp_45__sec_45.3"}


@pytest.mark.parametrize("page", ["12345", "12,345"])
def test_a_page_of_the_federal_register_is_one_document_with_and_without_a_comma(page: str) -> None:
    (cited,) = find(f"The rule at 86 Fed. Reg. {page} applies.", jurisdiction("us"))
    assert cited.work_uri == "/akn/us/doc/fed-reg/86/12345"
