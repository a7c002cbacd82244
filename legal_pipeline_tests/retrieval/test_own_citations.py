"""The citation that a hit shows finds the hit: it is read back as the place of its chunk. Payloads are our own."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from legal_pipeline.retrieval.citation_form import citation_of
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.cited import citedness


def _chunk(code: str, work: str, title: str, eid: str, **more: Any) -> dict[str, Any]:
    kind, _, number = eid.rpartition("__")[2].partition("_")
    section = {"sec": f"Section {number}", "art": f"Article {number}"}.get(kind)
    provision = {"section": section, "provisions": [f"{kind}_{number.replace(' ', '')}"]} if section else {}
    uri = f"/akn/{code}/act/{work}"
    return {
        "jurisdiction": code, "work_uri": uri, "work_uris": [uri], "title": title, "doc_type": "act", "language": "eng",
        "eid": eid.replace(" ", ""), **provision, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("chunk", "shown"),
    [
        (
            _chunk("lv", "likumi/57980", "Latvijas Republikas Satversme", "art_1"),
            "1. pants Latvijas Republikas Satversme",
        ),
        (
            _chunk("li", "lgbl/1921/15", "Verfassung", "art_13ter"),
            "Art. 13ter Verfassung des Fürstentums Liechtenstein",
        ),
        (_chunk("cl", "242302", "Constitución", "art_56 bis"), "artículo 56 bis Constitución Política de la República"),
        (_chunk("cz", "2031/7", "Zákon č. 7/2031 Sb.", "art_ii", section="Article II"), "čl. II Zákon č. 7/2031 Sb."),
        (
            _chunk(
                "de",
                "lampeg",
                "Lampengesetz",
                "art_97a__sec_5",
                path="Article 97a > Section 5",
                provisions=["art_97a", "sec_5"],
            ),
            "Art. 97a § 5 Lampengesetz",
        ),
        (
            _chunk("ro", "hotarare/2031/1590", "HOTĂRÂRE nr. 1.590 din 28 mai 2031", "art_i", section="Article I"),
            "art. I HOTĂRÂRE nr. 1.590 din 28 mai 2031",
        ),
        (
            _chunk("ro", "lege/2031/7", "LEGE nr. 7 din 4 mai 2031", "art_133-1", section="Article 133^1"),
            "art. 133^1 LEGE nr. 7 din 4 mai 2031",
        ),
        (
            _chunk("ad", "decret/2031/7", "Decret 7/2031, del 4-5-2031", "art_unic", section="Article únic"),
            "article únic Decret 7/2031, del 4-5-2031",
        ),
        (
            _chunk("ad", "llei/2031/7", "Llei 7/2031, del 4 de maig", "sched_iva", schedule="IVA", path="Schedule IVA"),
            "annex IVA Llei 7/2031, del 4 de maig",
        ),
        (
            _chunk("tz", "2031/7", "Lamp Act", "sec_4", number="Act 7 of 2031"),
            "Lamp Act (Act 7 of 2031), s. 4",
        ),
        (
            _chunk("us", "pl/131/5", "LAMP ACT OF 2031", "sec_4", number="Public Law 131-5"),
            "LAMP ACT OF 2031, Pub. L. 131-5, § 4",
        ),
        (
            _chunk(
                "se",
                "sfs/2031/7",
                "Fyrförordning (2031:7)",
                "sched_2",
                number="2031:7",
                schedule="2",
                path="bilaga.2@2032-01-01",
            ),
            "bilaga 2 till fyrförordningen (2031:7)",
        ),
        (
            _chunk("se", "afs/2031/7", "Fyrarbete", "sched_1", number="AFS 2031:7", schedule="1", path="bilaga.1#3"),
            "bilaga 1 till Fyrarbete (AFS 2031:7)",
        ),
        (
            _chunk("eu", "regulation/2014/596", "Regulation", "sched_ii", schedule="II", path="Schedule II#2"),
            "Annex II Market Abuse Regulation",
        ),
        (
            _chunk("de", "btmg", "Betäubungsmittelgesetz", "sched_iii", schedule="III", path="Schedule III"),
            "Anlage III BtMG",
        ),
        (
            _chunk(
                "fr",
                "code/code-general-des-impots",
                "Code général des impôts",
                "art_17dbis",
                section="Article 17 D bis",
            ),
            "article 17 D bis du code général des impôts",
        ),
        (
            _chunk("fr", "code/x", "Code des phares et des balises", "art_r-115-6", section="Article R*115-6"),
            "article R*. 115-6 du code des phares et des balises",
        ),
        (
            _chunk("fr", "code/y", "Code du domaine des phares", "art_r1", section="Article R1"),
            "article R. 1 du code du domaine des phares",
        ),
        (_chunk("ee", "7", "Majakaseadus", "sec_7-2", section="Section 7²"), "Majakaseadus § 7²"),
        (_chunk("nl", "bwbr0001840", "Grondwet", "art_v", section="Article V"), "art. V Grondwet"),
        (_chunk("ar", "ley/25449", "Convenciones", "art_iv", section="Article IV"), "artículo IV Convenciones"),
        (_chunk("pe", "7", "Ley de faros", "art_i", section="Article I"), "artículo I Ley de faros"),
        (
            _chunk("lu", "loi/2031/7", "Loi du 3 mai 2031", "art_unique", section="Article unique"),
            "art. unique, Loi du 3 mai 2031",
        ),
        (
            _chunk("sk", "2031/7", "Zákon č. 7/2031 Z. z. o majákoch", "art_ii", section="Article II"),
            "čl. II Zákon č. 7/2031 Z. z. o majákoch",
        ),
        (
            _chunk("ie", "1981/3", "Lamps Act 1981", "sched_b", schedule="B", path="Schedule B"),
            "Lamps Act 1981, Sch. B",
        ),
        (
            _chunk("gb", "ukpga/1998/42", "Human Rights Act 1998", "sched_1__art_8", schedule="1"),
            "Human Rights Act 1998, Sch. 1 art. 8",
        ),
        (
            _chunk("gb", "ukpga/1998/42", "Human Rights Act 1998", "sched_1__part_ii__art_1", schedule="1", part="II"),
            "Human Rights Act 1998, Sch. 1 Pt. II art. 1",
        ),
        (
            _chunk("pl", "du/2031/7", "Ustawa o latarniach", "sched_2", schedule="2", path="Schedule 2#3"),
            "załącznik nr 2 Ustawa o latarniach",
        ),
        (_chunk("us", "bill/131/hr5", "Lamp Act", "sec_4"), "Lamp Act, § 4"),
        (
            _chunk("fr", "loi/2031/7", "Loi relative aux phares", "sched_2", schedule="2", path="Schedule 2"),
            "annexe 2 de la loi relative aux phares",
        ),
        (
            _chunk("dk", "lta/2031/7", "Lov om fyrtårne", "sched_2", schedule="2", path="Schedule 2"),
            "Lov om fyrtårne bilag 2",
        ),
        (
            _chunk("aa", "charter/2031/7", "African Charter on Harbour Lights", "art_5"),
            "African Charter on Harbour Lights, art. 5",
        ),
        (
            _chunk("lu", "loi/2031/7", "Loi du 7 mai 2031 portant organisation des phares", "art_3"),
            "art. 3, Loi du 7 mai 2031 portant organisation des phares",
        ),
        (
            _chunk("be", "loi/2031/7", "Loi modifiant la loi-programme (I) des phares", "art_3"),
            "art. 3, Loi modifiant la loi-programme (I) des phares",
        ),
    ],
)
def test_the_citation_of_a_hit_is_read_back_as_its_place(chunk: dict[str, Any], shown: str) -> None:
    assert citation_of(chunk) == shown
    other = {**chunk, "eid": "sec_99", "provisions": ["sec_99"], "schedule": None}
    found = citedness({"own": chunk, "other": other}, read_citations(shown), datetime.date(2032, 1, 1))
    assert list(found) == ["own"]
