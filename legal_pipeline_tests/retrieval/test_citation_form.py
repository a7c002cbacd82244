"""Rules of how a hit is cited."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.citations.printed import numbered_act
from legal_pipeline.retrieval.citation_form import act_of, citation_of, division_of

AML = {"title": "Arbetsmiljölag (1977:1160)", "number": "SFS 1977:1160", "jurisdiction": "se", "doc_type": "act"}
LABOUR = {"title": "Labour Act", "number": "Act 16 of 1985", "jurisdiction": "zw", "work_uri": "/akn/zw/act/1985/16"}
CFR = {
    "title": "8 CFR 204.5", "number": "8 CFR 204.5", "jurisdiction": "us", "work_uri": "us/cfr/t8/p204/s204.5", "section": "Section 204.5",
    "eid": "sec_204.5",
}  # fmt: skip


@pytest.mark.parametrize(
    ("payload", "citation"),
    [
        ({**AML, "chapter": "2", "section": "3 §"}, "2 kap. 3 § arbetsmiljölagen (1977:1160)"),
        ({**AML, "title": "Arbetsmiljölag", "section": "3 a §"}, "3 a § arbetsmiljölagen (1977:1160)"),
        ({**AML, "path": "bilaga.1", "schedule": "1"}, "bilaga 1 till arbetsmiljölagen (1977:1160)"),
        ({**AML, "path": "overgangsbest.1991:677"}, "övergångsbestämmelserna (1991:677) till arbetsmiljölagen (1977:1160)"),
        (
            {**AML, "title": "Lag (1982:80) om anställningsskydd", "number": "SFS 1982:80", "section": "7 §"},
            "7 § lagen (1982:80) om anställningsskydd",
        ),
        (
            {**AML, "title": "Lag om anställningsskydd", "number": "SFS 1982:80", "section": "7 §"},
            "7 § lagen (1982:80) om anställningsskydd",
        ),
        (
            {"title": "Kungörelse (1974:152) om beslutad ny regeringsform", "number": "SFS 1974:152", "jurisdiction": "se",
             "work_uri": "/akn/se/act/sfs/1974/152", "chapter": "8", "section": "2 §"},
            "8 kap. 2 § regeringsformen (1974:152)",
        ),
        (
            {"title": "Systematiskt arbetsmiljöarbete", "number": "AFS 2023:1", "jurisdiction": "se", "section": "5 §"},
            "5 § Systematiskt arbetsmiljöarbete (AFS 2023:1)",
        ),
        ({**LABOUR, "section": "Section 12A — Retrenchment"}, "Labour Act [Chapter 28:01], s. 12A"),
        (
            {"title": "The Companies Act, 2013", "number": "Act 18 of 2013", "jurisdiction": "in", "section": "Section 2 — Definitions"},
            "The Companies Act, 2013 (Act 18 of 2013), s. 2",
        ),
        ({"title": "Indian Penal Code", "number": "Act 45 of 1860", "jurisdiction": "in", "section": "Chapter 2 > Section 8"},
         "Indian Penal Code (Act 45 of 1860), s. 8"),
        *(
            (
                {"title": f"The Harbour Lamps {kind} 2031", "jurisdiction": country, "section": "Section 3", "eid": "sec_3"},
                f"The Harbour Lamps {kind} 2031, {word} 3",
            )
            for country in ("gb", "ie")
            for kind, word in (("Regulations", "reg."), ("Rules", "r."), ("Order", "art."), ("Act", "s."))
        ),
        (CFR, "8 C.F.R. § 204.5"),
        (
            {**CFR, "subdivisions": ["sec_204.5__subsec_h__para_3", "sec_204.5__subsec_h__para_3__item_v"]},
            "8 C.F.R. § 204.5(h)(3)",
        ),
        ({"jurisdiction": "us", "work_uri": "/akn/us/act/usc/t8/s1153", "section": "Section 1153 — Allocation"}, "8 U.S.C. § 1153"),
        ({"jurisdiction": "us", "work_uri": "/akn/us-dc/act/code/51-101", "section": "Section 51-101 — Terms."}, "D.C. Code § 51-101"),
        (
            {"jurisdiction": "us", "title": "Lighthouse Act", "number": "Public Law 95-604", "section": "Section 101 — definitions"},
            "Lighthouse Act, Pub. L. 95-604, § 101",
        ),
        (
            {"jurisdiction": "fr", "title": "Code de la justice pénale des mineurs", "section": "Article L11-3"},
            "article L. 11-3 du code de la justice pénale des mineurs",
        ),
        (
            {"jurisdiction": "fr", "title": "Constitution du 4 octobre 1958", "section": "Article 49"},
            "article 49 de la Constitution du 4 octobre 1958",
        ),
        ({"jurisdiction": "de", "work_uri": "/akn/de/act/arbzg", "title": "Arbeitszeitgesetz", "section": "Section 5"}, "§ 5 ArbZG"),
        (
            {"doc_type": "judgment", "jurisdiction": "zw", "title": "A v. B", "neutral_citation": "[2025] ZWHHC 304", "para_id": "14-16"},
            "A v. B, [2025] ZWHHC 304, paras 14–16",
        ),
        (
            {"doc_type": "judgment", "jurisdiction": "in", "title": "A v. B", "citation": "2024 INSC 640", "para_id": "[Para 12]"},
            "A v. B, 2024 INSC 640, para 12",
        ),
        (
            {"doc_type": "judgment", "language": "deu", "title": "BGH", "number": "IX ZR 123/17", "para_id": "[Paras 3-4]"},
            "BGH, IX ZR 123/17, Rn. 3–4",
        ),
        (
            {"doc_type": "judgment", "language": "fra", "title": "Arrêt", "number": "C-345/17", "para_id": "[Paras 3-4]"},
            "Arrêt, C-345/17, points 3–4",
        ),
        ({"doc_type": "judgment", "title": "A v. B", "citation": "2024 INSC 640", "path": "Header"}, "A v. B, 2024 INSC 640, Header"),
        ({"title": "Notes", "path": "md.chunk1", "jurisdiction": "und"}, "Notes, md.chunk1"),
        ({"title": "Lampengesetz", "section": "Article 1 bis 6", "jurisdiction": "de"}, "Art. 1 bis 6 Lampengesetz"),
    ],
)  # fmt: skip
def test_a_hit_is_cited_as_lawyers_do(payload: dict[str, Any], citation: str) -> None:
    assert citation_of(payload) == citation


def test_the_whole_work_is_cited_without_the_provision() -> None:
    assert act_of({**AML, "chapter": "2", "section": "3 §", "path": "kap2.§3"}) == "arbetsmiljölagen (1977:1160)"
    assert act_of({**LABOUR, "section": "Section 12A", "path": "Part II > Section 12A"}) == "Labour Act [Chapter 28:01]"


@pytest.mark.parametrize(
    ("language", "title", "act"),
    [
        ("eng", "Bank Act", "Bank Act"),
        ("fra", "Loi sur les banques", "Loi sur les banques"),
        ("fra", "Loi concernant les banques", "Loi concernant les banques"),
    ],
)
def test_an_act_in_another_language_of_its_country_has_its_name_in_that_language(
    language: str, title: str, act: str
) -> None:
    payload = {"jurisdiction": "ca", "language": language, "title": title, "work_uri": "/akn/ca/act/b-1.01"}
    assert act in citation_of({**payload, "section": "Section 3", "eid": "sec_3"})


def test_a_title_that_contains_its_number_is_not_given_it_again() -> None:
    assert numbered_act({"title": "Lamp Act 5 of 2031", "number": "5 of 2031"}) == "Lamp Act 5 of 2031"
    assert numbered_act({"title": "Lamp Act", "number": "5 of 2031"}) == "Lamp Act (5 of 2031)"
    assert numbered_act({"number": "5 of 2031"}) == "5 of 2031"


@pytest.mark.parametrize(
    ("fields", "citation"),
    [
        ({"title": "A v. B [2031] ZWHHC 4", "neutral_citation": "[2031] ZWHHC 4"}, "A v. B [2031] ZWHHC 4, para 3"),
        ({"neutral_citation": "[2031] ZWHHC 4"}, "[2031] ZWHHC 4, para 3"),
        ({"title": "A v. B"}, "A v. B, para 3"),
    ],
)
def test_a_judgment_is_cited_with_what_is_known_and_with_nothing_twice(fields: dict[str, str], citation: str) -> None:
    assert citation_of({"doc_type": "judgment", "jurisdiction": "zw", "para_id": "[Para 3]", **fields}) == citation


def test_a_chapter_is_cited_in_the_form_of_its_country_if_it_has_a_number() -> None:
    assert division_of({**AML, "chapter": "2"}, "chapter", "2") == "2 kap. arbetsmiljölagen (1977:1160)"
    assert division_of({**AML, "chapter": "2"}, "chapter", None) == "arbetsmiljölagen (1977:1160), Chapter"
    assert division_of(LABOUR, "part", "II") == "Labour Act [Chapter 28:01], Part II"


@pytest.mark.parametrize(
    ("code", "place", "cited"),
    [
        ("gb", {"section": "Article 3", "part": "2", "eid": "part_2__art_3"}, "art. 3"),
        ("gb", {"section": "Article 3", "schedule": "1", "eid": "sched_1__art_3"}, "Sch. 1 art. 3"),
        ("gb", {"section": "Article 3", "schedule": "1", "part": "2", "eid": "sched_1__part_2__art_3"}, "Sch. 1 Pt. 2 art. 3"),
        # a schedule that has no number
        ("gb", {"section": "Article 3", "eid": "sched__art_3"}, "art. 3"),
        # a section of an article, at any depth, and one of a chapter
        ("de", {"section": "Section 5", "path": "Chapter 1 > Article 229 > Section 5"}, "Art. 229 § 5"),
        ("de", {"section": "Section 5", "path": "Article 229 > Section 5"}, "Art. 229 § 5"),
        ("de", {"section": "Section 5", "path": "Chapter 1 > Section 5"}, "§ 5"),
        ("de", {"section": "Section 5"}, "§ 5"),
        # a country that has one word for all provisions
        ("us", {"section": "Article 3", "eid": "art_3"}, "§ 3"),
    ],
)  # fmt: skip
def test_a_provision_is_cited_with_the_schedule_or_article_above_it(
    code: str, place: dict[str, str], cited: str
) -> None:
    found = citation_of({"title": "Lamps Act", "doc_type": "act", "jurisdiction": code, **place})
    assert found.replace("Lamps Act", "").strip(" ,") == cited
