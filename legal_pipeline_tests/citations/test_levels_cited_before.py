"""Levels and provisions that refer to what was cited before them. The sentences are our own. Not here: lists."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline_tests.citations.test_lists_and_back_references import cited


@pytest.mark.parametrize(
    ("code", "text", "eids"),
    [
        ("de", "Er haftet aus § 831 Abs. 1 BGB, wegen Abs. 2 aber nicht.", ["sec_831__subsec_1", "sec_831__subsec_2"]),
        ("de", "Nach § 831 BGB und Absatz 2 Satz 1 derselben Vorschrift.", ["sec_831", "sec_831__subsec_2"]),
        (
            "fr",
            "Selon l'article 1104 du code civil, le second alinéa de cet article est clair.",
            ["art_1104", "art_1104__subsec_2"],
        ),
        ("nl", "Artikel 3:40 BW geldt, ook het tweede lid van dat artikel.", ["art_40", "art_40__subsec_2"]),
        ("no", "Avtaleloven § 36 gjelder, og annet ledd særlig.", ["sec_36", "sec_36__subsec_2"]),
        ("no", "Avtaleloven § 36 gjelder, men bestemmelsens annet ledd ikke.", ["sec_36", "sec_36__subsec_2"]),
        (
            "gb",
            "Section 3 of the Bail Act 1976 and subsection (2) of that section apply.",
            ["sec_3", "sec_3__subsec_2"],
        ),
        # of a contract, of an annex, and in another paragraph
        ("de", "Nach § 831 BGB und Absatz 2 des Mietvertrags.", ["sec_831"]),
        ("de", "Nach § 831 BGB und Anlage 3 Absatz 2.", ["sec_831"]),
        ("de", "Nach § 831 BGB.\nAbsatz 2 gilt nicht.", ["sec_831"]),
    ],
)
def test_a_level_without_a_provision_is_of_the_provision_cited_before_it(code: str, text: str, eids: list[str]) -> None:
    found = cited(code, text)
    assert [eid for *_, eid in found] == eids
    assert len({work for _, work, _ in found}) == 1


def test_in_an_act_a_level_without_a_provision_is_of_the_citing_one_if_it_has_it() -> None:
    text = "§ 4\n(1) Es gilt § 2 sinngemäß.\n(2) Absatz 1 gilt nicht, Absatz 9 auch nicht."
    nodes = (("sec_2", 0, 0), ("sec_4", 0, len(text)), ("sec_4__subsec_1", 4, 31), ("sec_4__subsec_2", 32, len(text)))
    found = find(text, jurisdiction("de"), CitingDocument("/akn/de/act/xyz", "act", nodes))
    assert [(citation.work_uri, citation.eid) for citation in found] == [
        ("/akn/de/act/xyz", eid) for eid in ("sec_2", "sec_4__subsec_1")
    ]


def test_a_level_in_a_provision_that_cites_another_work_may_be_of_that_work() -> None:
    text = "24. Section 4 of the Bail Act 1997 is amended in subsection (1)."
    law = CitingDocument("/akn/ie/act/2031/1", "act", (("sec_24", 0, len(text)), ("sec_24__subsec_1", 4, len(text))))
    assert [found.eid for found in find(text, jurisdiction("ie"), law)] == ["sec_4"]


def test_the_number_of_a_level_at_the_beginning_of_its_line_is_not_cited() -> None:
    assert cited("dk", "Efter straffeloven § 4 gælder stk. 2.\nStk. 2. Reglerne gælder.")[1:] == [
        ("stk. 2", "/akn/dk/act/lta/1930/126", "sec_4__subsec_2")
    ]


def test_a_provision_without_a_work_does_not_name_one_for_later_citations() -> None:
    """Only a citation with its Act says with which Act a § is meant."""
    text = "3 § lagen (2099:10) och 5 § gäller. Domstolen prövade 5 § lagen (2098:1). Enligt 5 § är det så."
    found = find(text, jurisdiction("se"), CitingDocument(None, "judgment"))
    acts = [((item.work_uri or "").removeprefix("/akn/se/act/sfs/"), item.eid) for item in found]
    assert acts == [("2099/10", "sec_3"), ("2099/10", "sec_5"), ("2098/1", "sec_5"), ("2098/1", "sec_5")]


@pytest.mark.parametrize(
    ("named", "work"),
    [("1 kap. 5 §", "/akn/se/act/sfs/2099/10"), ("5 §", None)],
    ids=["in chapters", "without chapters"],
)
def test_a_chapter_is_of_the_act_named_before_if_that_has_chapters(named: str, work: str | None) -> None:
    text = f"enligt {named} lagen (2099:10) och 2 kap. gäller"
    *_, last = find(text, jurisdiction("se"), CitingDocument(None, "judgment"))
    assert (last.work_uri, last.eid) == (work, "chp_2")


def test_an_indian_number_has_a_letter_after_a_hyphen_and_a_second_section_after_a_slash() -> None:
    assert [eid for *_, eid in cited("in", "under S. 11(6-A) and Sections 302/34, 323/34, 307/149 I. P. C.")] == [
        "sec_11__subsec_6a", "sec_302", "sec_34", "sec_323", "sec_34", "sec_307", "sec_149",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "eids"),
    [
        ("de", "Vgl. §§ 119 f. BGB.", ["sec_119", "sec_120"]),
        ("de", "Vgl. §§ 812 ff., 823 f. BGB.", ["sec_812", "sec_823", "sec_824"]),
        ("de", "Vgl. § 5 Abs. 1 f. UWG.", ["sec_5__subsec_1", "sec_5__subsec_2"]),
        ("ch", "Vgl. Art. 41 f. OR.", ["art_41", "art_42"]),
    ],
)
def test_f_adds_the_next_one(code: str, text: str, eids: list[str]) -> None:
    assert [eid for *_, eid in cited(code, text)] == eids


_DECREE = [(f"sec_{number}", (number - 1) * 40, number * 40) for number in range(1, 5)]
_CODE = [("art_1", 0, 100), ("art_1__subsec_1", 0, 50), ("art_1__subsec_2", 50, 100), ("art_2", 100, 160)]


@pytest.mark.parametrize(
    ("text", "held", "eids"),
    [
        ("Stosuje się § 3 ust. 1 i § 4 oraz § 9.", _DECREE, ["sec_3__subsec_1", "sec_4"]),
        ("W sprawach § 3 i 4 orzeka minister.", _DECREE, ["sec_3", "sec_4"]),
        ("Przepis § 2 stosuje się.", _CODE, ["art_1__subsec_2"]),
        ("Przepis § 9 stosuje się.", _CODE, []),
    ],
)
def test_a_polish_paragraph_is_a_level_of_the_article_or_a_section_of_the_decree(
    text: str, held: list[tuple[str, int, int]], eids: list[str]
) -> None:
    document = CitingDocument("/akn/pl/act/du/2031/7", "act", held)
    assert [reference.eid for reference in find(f"  {text}", jurisdiction("pl"), document)] == eids


def test_a_subsection_that_the_section_lacks_is_not_the_section_of_that_number() -> None:
    document = CitingDocument("/akn/gb/act/ukpga/2031/7", "act", [("sec_1", 0, 60), ("sec_4", 60, 90)])
    assert find("  The keeper under subsection (4) lights it.", jurisdiction("gb"), document) == []
