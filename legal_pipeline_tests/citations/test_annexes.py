"""Annexes and schedules as the countries write them, and what looks like a section and is not. The sentences are our own."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction


def cited(code: str, text: str) -> list[tuple[str, str | None, str | None]]:
    return [(found.raw, found.work_uri, found.eid) for found in find(text, jurisdiction(code))]


@pytest.mark.parametrize(
    ("code", "text", "raw", "work", "eid"),
    [
        ("pl", "Wykaz zawiera załącznik nr 2 do Kodeksu pracy.", "załącznik nr 2 do Kodeksu pracy", "/akn/pl/act/du/1974/141", "sched_2"),
        ("nl", "Zie bijlage 2 bij de Opiumwet.", "bijlage 2 bij de Opiumwet", "/akn/nl/act/bwbr0001941", "sched_2"),
        ("dk", "Se bilag 3 til straffeloven.", "bilag 3 til straffeloven", "/akn/dk/act/lta/1930/126", "sched_3"),
        ("no", "Sjå vedlegg I til straffelova.", "vedlegg I til straffelova", "/akn/no/act/lov/2005-05-20/28", "sched_i"),
        ("cz", "Viz příloha č. 2 k zákonu č. 40/2009 Sb.", "příloha č. 2 k zákonu č. 40/2009 Sb.", "/akn/cz/act/2009/40", "sched_2"),
        (
            "sk",
            "Pozri prílohu č. 2 k zákonu č. 300/2005 Z. z.",
            "prílohu č. 2 k zákonu č. 300/2005 Z. z.",
            "/akn/sk/act/2005/300",
            "sched_2",
        ),
        ("ee", "Vt põhiseaduse lisa 2.", "põhiseaduse lisa 2", "/akn/ee/act/pohiseadus", "sched_2"),
        ("fi", "Rikoslain liite 2 koskee lyhtyjä.", "Rikoslain liite 2", "/akn/fi/act/1889/39-001", "sched_2"),
        ("ro", "A se vedea anexa nr. 2 la Legea nr. 31/1990.", "anexa nr. 2 la Legea nr. 31/1990", "/akn/ro/act/lege/1990/31", "sched_2"),
        ("lv", "Sk. Krimināllikuma 2. pielikumu.", "Krimināllikuma 2. pielikumu", "/akn/lv/act/likumi/88966", "sched_2"),
        ("ch", "Vgl. Anhang 1 der Bundesverfassung.", "Anhang 1 der Bundesverfassung", "/akn/ch/act/1999/404", "sched_1"),
        ("at", "Vgl. Anlage 2 zum StGB.", "Anlage 2 zum StGB", "/akn/at/act/10002296", "sched_2"),
        ("be", "Zie bijlage 2 bij het Strafwetboek.", "bijlage 2 bij het Strafwetboek", "/akn/be/act/loi/1867-06-08/1867060850", "sched_2"),
        (
            "fr",
            "Voir l'annexe 4-2 du code de commerce.",
            "annexe 4-2 du code de commerce",
            "/akn/fr/act/code/code-de-commerce",
            "sched_4-2",
        ),
        (
            "gb",
            "See Schedule B1 to the Insolvency Act 1986.",
            "Schedule B1 to the Insolvency Act 1986",
            "/akn/gb/act/ukpga/1986/45",
            "sched_b1",
        ),
        (
            "gb",
            "See Sch. B1 para. 43(6) IA 1986.",
            "Sch. B1 para. 43(6) IA 1986",
            "/akn/gb/act/ukpga/1986/45",
            "sched_b1__para_43__subsec_6",
        ),
        (
            "gb",
            "See section A6 of the Insolvency Act 1986.",
            "section A6 of the Insolvency Act 1986",
            "/akn/gb/act/ukpga/1986/45",
            "sec_a6",
        ),
    ],
)  # fmt: skip
def test_an_annex_is_cited_with_its_act(code: str, text: str, raw: str, work: str, eid: str) -> None:
    assert cited(code, text) == [(raw, work, eid)]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("pl", "Powód złożył załącznik nr 3 i załącznik nr 4."),
        ("nl", "De brief is gevoegd als bijlage 4."),
        ("dk", "Sagsøgeren fremlagde bilag 7."),
        ("no", "Klageren la fram vedlegg 3."),
        ("cz", "Žalobce předložil přílohu č. 3."),
        ("sk", "Žalobca predložil prílohu č. 3."),
        ("ee", "Hageja esitas lisa 4."),
        ("fi", "Kantaja esitti liitteen 4."),
        ("ro", "Reclamantul a depus anexa nr. 4."),
        ("lv", "Prasītājs iesniedza 4. pielikumu."),
        ("ch", "Die Klägerin legte Anhang 4 vor."),
        ("at", "Die Klägerin legte Anlage 4 vor."),
        ("be", "De eiser legde bijlage 4 neer."),
        ("fr", "Le demandeur produit l'annexe 4."),
    ],
)
def test_an_exhibit_of_a_party_is_not_an_annex_of_an_act(code: str, text: str) -> None:
    assert cited(code, text) == []


@pytest.mark.parametrize("code", ["gb", "ie", "in", "za"])
def test_the_s_of_a_genitive_or_postcode_is_not_a_section(code: str) -> None:
    assert cited(code, "The keeper's 3 lamps, the State’s 12 ports, and the office in London SE1 4AB.") == []
    assert [eid for _, _, eid in cited(code, "The keeper's duty, s 3 of the Act.")] == ["sec_3"]


@pytest.mark.parametrize(
    ("code", "text", "raw", "work", "eid"),
    [
        (
            "gb",
            "See paragraph 3 of Part 2 of the Schedule to the Human Rights Act 1998.",
            "paragraph 3 of Part 2 of the Schedule to the Human Rights Act 1998",
            "/akn/gb/act/ukpga/1998/42",
            "sched_1__part_2__para_3",
        ),
        (
            "eu",
            "As Article 2 of the Annex to Recommendation 2003/999/EC says.",
            "Article 2 of the Annex to Recommendation 2003/999/EC",
            "/akn/eu/act/recommendation/2003/999",
            "sched_1__art_2",
        ),
        ("de", "Siehe die Anlage zum GKG.", "die Anlage zum GKG", "/akn/de/act/gkg", "sched_1"),
        (
            "fr",
            "Voir l'annexe du code de la route.",
            "l'annexe du code de la route",
            "/akn/fr/act/code/code-de-la-route",
            "sched_1",
        ),
    ],
)
def test_the_only_schedule_of_an_act_has_no_number(code: str, text: str, raw: str, work: str, eid: str) -> None:
    assert cited(code, text) == [(raw, work, eid)]


@pytest.mark.parametrize(
    ("code", "text"),
    [("gb", "the exemption in Part 4 of the Schedule"), ("de", "die Anlage des Gutachtens"), ("nl", "zie de bijlage")],
)
def test_without_an_act_it_is_only_that_of_the_document(code: str, text: str) -> None:
    assert cited(code, text) == []
