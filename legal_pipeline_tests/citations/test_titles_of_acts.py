"""Acts named by a title with a number, a title without its year, and titles inside longer titles."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_LAMPS = "gb/act/ukpga/2031/5"
_FSMA = "gb/act/ukpga/2000/8"


def cited(text: str, code: str = "gb") -> list[tuple[str, str | None, str | None]]:
    """(words, work without `/akn/`, eid) of the references in `text`."""
    found = find(text, jurisdiction(code))
    return [
        (text[each.start : each.end], (each.work_uri or "").removeprefix("/akn/") or None, each.eid) for each in found
    ]


@pytest.mark.parametrize(
    ("text", "work", "eid"),
    [
        ("See section 5 of the Harbour Lamps Act 2031 (c. 5).", _LAMPS, "sec_5"),
        ("See section 5(2) of the Harbour Lamps Act 2031 (c 5).", _LAMPS, "sec_5__subsec_2"),
        ("The Harbour Lamps Act 2031 (c. 5), section 4, says so.", _LAMPS, "sec_4"),
        ("Inserted by Harbour Lamps Act 2031 (c. 5), s. 5; S.I. 2032/7, art. 3(2)", _LAMPS, "sec_5"),
        ("See section 1 of the Quays (Scotland) Act 2031 (asp 2).", "gb-sct/act/asp/2031/2", "sec_1"),
        ("See section 1 of the Quays (Wales) Act 2031 (asc 3).", "gb-wls/act/asc/2031/3", "sec_1"),
        (
            "See Article 5 of the Quays and Piers (Northern Ireland) Order 1998 (SI 1998/9162 (N.I. 21)).",
            "gb-nir/act/nisi/1998/9162",
            "art_5",
        ),
        ("See section 2 of the Lamps Act 1931 (21 & 22 Geo. 5 c. 20).", "gb/act/ukpga/geo5/21-22/20", "sec_2"),
        ("See section 36 of the Law of Property Act, 1925.", "gb/act/ukpga/geo5/15-16/20", "sec_36"),
        ("See Sched. 3 to the Housing Act 1985.", "gb/act/ukpga/1985/68", "sched_3"),
        (
            "See rule 37 of Schedule 1 to the Harbour Courts (Procedure) Regulations 2031 (SI 2031/40).",
            "gb/act/uksi/2031/40",
            "sched_1__para_37",
        ),
        ("They relied on A1P1 alone.", "coe/act/echr/protocol-1", "art_1"),
        ("CPR 3.4(2)(a) allows it.", "gb/act/cpr", "rule_3.4__subsec_2__para_a"),
    ],
)  # fmt: skip
def test_the_number_behind_a_title_names_the_act(text: str, work: str, eid: str) -> None:
    assert (work, eid) in [found[1:] for found in cited(text)]


def test_brackets_of_a_number_belong_to_its_citation() -> None:
    assert cited("The Harbour Lamps Act 2031 (c. 5), section 4, says so.") == [("(c. 5), section 4", _LAMPS, "sec_4")]


def test_a_chapter_of_two_reigns_is_not_read_in_part() -> None:
    assert cited("It was 7 Will. 4 & 1 Vict. c. 26 then.") == []


@pytest.mark.parametrize(
    "title",
    [
        "Financial Services and Markets Act 2000 (Lamps) Order 2031",
        "FSMA 2000 (Lamps) (Amendment No. 2) Regulations 2031",
    ],
)
def test_an_instrument_under_an_act_is_not_the_act(title: str) -> None:
    assert _FSMA not in {
        work for _, work, _ in cited(f"See article 36 of the {title}. The {title}, article 4, says so.")
    }
    assert ("gb/act/uksi/2031/7", "art_36") in [
        found[1:] for found in cited(f"See article 36 of the {title} (SI 2031/7).")
    ]
    assert (_FSMA, "sec_36") in [found[1:] for found in cited("See section 36 of the FSMA 2000 (now repealed).")]


def test_a_title_without_its_year_is_the_act_named_before() -> None:
    text = "Section 1 of the Theft Act 1968 applies, not section 2 of the Fraud Act 2006. Section 3 of the Theft Act is not in issue."
    assert cited(text)[-1] == ("Section 3 of the Theft Act", "gb/act/ukpga/1968/60", "sec_3")


@pytest.mark.parametrize(
    "text",
    [
        "Section 1 of the Housing Act 1985 and section 2 of the Housing Act 1988. Section 3 of the Housing Act is not in issue.",
        "Section 1 of the Theft Act 1968. Section 3 of the Theft Act 2031 is not in issue.",
        "Section 1 of the Fraud Act 2006. Section 3 of the Theft Act is not in issue.",
    ],
)
def test_a_title_that_may_be_another_act_names_none(text: str) -> None:
    assert cited(text)[-1][1:] == (None, "sec_3")


def test_a_name_without_a_year_is_not_an_act_of_another_year() -> None:
    text = "Section 6 of the Human Rights Act binds it. Section 3 of the Human Rights Act 2031 does not."
    assert [work for _, work, _ in cited(text)] == ["gb/act/ukpga/1998/42", None]


@pytest.mark.parametrize(
    ("code", "text", "work", "eid"),
    [
        ("za", "See section 5(1) of the Harbour Lamps Act 7 of 2031.", "za/act/2031/7", "sec_5__subsec_1"),
        ("zw", "See section 5 of the Harbour Lamps Act, No. 7 of 2031.", "zw/act/2031/7", "sec_5"),
        ("gh", "See section 5 of the Harbour Lamps Act, 2031 (Act 992).", "gh/act/2031/992", "sec_5"),
        ("za", "Section 1 of the Harbour Lamps Act 7 of 2031 (HLA). Section 6 of the HLA.", "za/act/2031/7", "sec_6"),
        ("za", "The Harbour Lamps Act 7 of 2031 applies. Section 6 of the Harbour Lamps Act.", "za/act/2031/7", "sec_6"),
        ("za", "See s 25(2) of the Constitution.", "za/act/1996/constitution", "sec_25__subsec_2"),
        ("ke", "See Article 27 of the Constitution of Kenya, 2010.", "ke/act/2010/constitution", "art_27"),
        ("in", "Section 1 of the Uttar Pradesh Act, 57 of 2031, and s. 2 there.", None, "sec_1"),
        (
            "ie",
            "See regulation 5 of the Companies Act 2014 (Lamps) Regulations 2031 (S.I. No. 147 of 2031).",
            "ie/act/si/2031/147",
            "reg_5",
        ),
        ("ie", "Section 1 of the Succession Act 1965. Section 2 of the Companies Act 2014. Section 3 of the Succession Act.",
         "ie/act/1965/27", "sec_3"),
        ("ie", "Section 1 of the Companies Act 2014. Section 3 of the Lamp Act.", None, "sec_3"),
        ("za", "Section 1 of the Pier Act 1 of 1973. Section 2 of the Pier Act 2 of 2008. Section 3 of the Pier Act.", None, "sec_3"),
        ("za", "Section 1 of the Pier Act 1 of 1973 (PA). Section 3 of the XYZ.", None, "sec_3"),
    ],
)  # fmt: skip
def test_acts_by_number_or_by_a_name_given_before(code: str, text: str, work: str | None, eid: str) -> None:
    assert (work, eid) in [found[1:] for found in cited(text, code)]


def test_a_title_does_not_begin_before_a_preposition() -> None:
    assert cited("Repeal of Act 7 of 2031", "zw") == [("Act 7 of 2031", "zw/act/2031/7", None)]


@pytest.mark.parametrize(
    ("text", "work", "eid"),
    [
        ("See Article 1 of Council Decision (CFSP) 2031/145.", "decision/2031/145", "art_1"),
        ("See Article 3 of Common Position 2001/999/CFSP.", "decision/2001/999", "art_3"),
        ("See Joint Action 98/999/JHA.", "decision/1998/999", None),
        ("See Article 2 of Commission Recommendation 2003/999/EC.", "recommendation/2003/999", "art_2"),
        ("Siehe Art. 2 der Empfehlung 2003/999/EG.", "recommendation/2003/999", "art_2"),
        ("Voir l'article 3 de la position commune 2001/999/PESC.", "decision/2001/999", "art_3"),
        ("Se artikel 3 i rekommendation (EU) 2031/9.", "recommendation/2031/9", "art_3"),
        ("See 32002F0999.", "decision/2002/999", None),
    ],
)
def test_acts_of_the_union_of_every_kind(text: str, work: str, eid: str | None) -> None:
    assert (f"eu/act/{work}", eid) in [found[1:] for found in cited(text, "eu")]
