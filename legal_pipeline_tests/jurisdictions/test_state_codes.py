"""Citations of the codes and court rules of American states, in texts and in queries; own sentences."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.retrieval.act_names import names_an_act, spelled_out
from legal_pipeline.retrieval.citation_query import read_citations

_CITED = [
    ("Iowa Code § 714.16(2)(a)", ["sec_714.16__subsec_2__para_a"]),
    ("Iowa Code section 714.16", ["sec_714.16"]),
    ("Ohio Revised Code 2903.01", ["sec_2903.01"]),
    ("R.C. 2903.01", ["sec_2903.01"]),
    ("Revised Code of Washington § 9A.32.030", ["sec_9a.32.030"]),
    ("RCW 9A.32.030", ["sec_9a.32.030"]),
    ("N.Y. Penal Law § 125.25", ["sec_125.25"]),
    ("New York Labor Law section 195(1)", ["sec_195__subsec_1"]),
    ("CPLR 3212(b)", ["sec_3212__subsec_b"]),
    ("Cal. Penal Code §§ 187, 189 and 190.2(a)", ["sec_187", "sec_189", "sec_190.2__subsec_a"]),
    ("Cal. Bus. & Prof. Code § 17200", ["sec_17200"]),
    ("Cal. Code Civ. Proc., § 335.1", ["sec_335.1"]),
    ("Code Civ. Proc., § 437c, subd. (c)", ["sec_437c__subsec_c"]),
    ("Pen. Code, § 187, subd. (a)", ["sec_187__subsec_a"]),
    ("Tex. Civ. Prac. & Rem. Code Ann. § 16.003", ["sec_16.003"]),
    ("Tex. R. Civ. P. 166a(c)", ["rule_166a__subsec_c"]),
    ("Md. Code Ann., Crim. Law § 3-202", ["sec_3-202"]),
    ("Mass. Gen. Laws ch. 93A, § 2(a)", ["sec_2__subsec_a"]),
    ("M.G.L. c. 93A, § 2", ["sec_2"]),
    ("735 ILCS 5/2-615", ["sec_2-615"]),
    ("Minn. Stat. § 609.185, subd. 1(a)", ["sec_609.185__subsec_1__para_a"]),
    ("42 Pa. Cons. Stat. § 9711", ["sec_9711"]),
    ("18 Pa.C.S. § 2502", ["sec_2502"]),
    ("13 V.S.A. § 2301", ["sec_2301"]),
    ("Me. Rev. Stat. tit. 17-A, § 201", ["sec_201"]),
    ("17-A M.R.S. § 201-A", ["sec_201a"]),
    ("N.J.S.A. 2C:11-3", ["sec_2c-11-3"]),
    ("N.H. Rev. Stat. Ann. § 630:1-a", ["sec_630-1a"]),
    ("Conn. Gen. Stat. § 53a-54a", ["sec_53a-54a"]),
    ("Ind. Code § 35-42-1-1", ["sec_35-42-1-1"]),
    ("Ga. Code Ann. § 16-5-1 (2031)", ["sec_16-5-1"]),
    ("La. Civ. Code Ann. art. 2315", ["art_2315"]),
    ("Nev. Rev. Stat. 200.030 and 200.033", ["sec_200.030", "sec_200.033"]),
    ("U.C.C. § 2-207(2)", ["sec_2-207__subsec_2"]),
]


@pytest.mark.parametrize(("citation", "eids"), _CITED)
def test_it_is_found_in_a_text(citation: str, eids: list[str]) -> None:
    found = find(f"The court reads {citation}; the keeper does not.", jurisdiction("us"))
    assert [reference.eid for reference in found] == eids
    assert {reference.work_uri for reference in found} == {None}


@pytest.mark.parametrize(("citation", "eids"), [case for case in _CITED if len(case[1]) == 1])
def test_a_query_means_it_and_no_section_of_another_country(citation: str, eids: list[str]) -> None:
    places = read_citations(citation).places
    assert "__".join((f"{places[0].provision}", *places[0].below)) == eids[0]
    assert places[0].jurisdictions == ()
    assert not places[0].works


@pytest.mark.parametrize(
    "text",
    [
        "Texas Laws 1995-96 were repealed.",
        "He read the Iowa Code at noon.",
        "Ohio State 21-14 Michigan",
        "Code 5 of Washington",
    ],
)
def test_it_is_not_found_without_a_number_of_a_section(text: str) -> None:
    assert find(text, jurisdiction("us")) == []


def test_a_section_of_another_code_is_not_one_of_the_citing_code() -> None:
    """Several codes of a state count from 1; the only code of a state is the citing one."""
    us = jurisdiction("us")
    text = "Sec. 11.13. Lamps are free.\n\nSee Tex. Penal Code § 11.13 and Tex. Tax Code § 11.13."
    assert [reference.work_uri for reference in find(text, us)] == [None, None]


def test_small_letters_are_enough_in_a_query() -> None:
    assert read_citations("iowa code 714.16").places[0].provision == "sec_714.16"
    assert read_citations("dc code 22-2101").places[0].works == ("/akn/us-dc/act/code/22-2101",)


def test_the_only_code_of_a_state_is_known_by_its_number() -> None:
    """The title of a document with some of its sections is that of a chapter; a code of several is known by its name."""
    us = jurisdiction("us")
    assert not read_citations("Iowa Code § 714.16").names_an_act
    assert not names_an_act("Code of Virginia § 18.2-32", us)
    assert read_citations("Cal. Penal Code § 187").names_an_act


def test_abbreviations_in_a_name_are_written_out_for_titles() -> None:
    assert spelled_out("Cal. Pen. Code, § 187") == "California Penal Code, § 187"
    assert spelled_out("Cal. Code Civ. Proc., § 335.1") == "California Code of Civil Procedure, § 335.1"
    assert read_citations("N.Y. Lab. Law § 195").text == "New York Labor Law § 195"


def test_a_non_breaking_hyphen_is_a_hyphen() -> None:
    (found,) = find("The court reads Haw. Rev. Stat. § 453\u20111.5(a).", jurisdiction("us"))
    assert (found.raw, found.eid) == ("Haw. Rev. Stat. § 453\u20111.5(a)", "sec_453-1.5__subsec_a")
