"""Acts of the Union in formats without metadata: their title states the number; own sentences."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.parsing.registry import parse


def work_of(title: str) -> str | None:
    read = jurisdiction("eu").work_of_title
    assert read is not None
    return read(title)


@pytest.mark.parametrize(
    ("title", "work"),
    [
        ("REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL", "regulation/2031/77"),
        ("COUNCIL REGULATION (EC) No 1/2003 of 16 December 2002", "regulation/2003/1"),
        ("COMMISSION IMPLEMENTING REGULATION (EU) 2031/5 of 3 May", "regulation/2031/5"),
        ("COUNCIL DIRECTIVE 93/13/EEC of 5 April 1993", "directive/1993/13"),
        ("COMMISSION IMPLEMENTING REGULATION (EU) 2015/1998 of 5 November 2015", "regulation/2015/1998"),
        ("COMMISSION REGULATION (EC) 2014/1998", "regulation/1998/2014"),
        ("REGULATION (EU) 2011/305 OF THE EUROPEAN PARLIAMENT", "regulation/2011/305"),
        ("REGULATION (EU) No 305/2011 OF THE EUROPEAN PARLIAMENT", "regulation/2011/305"),
        ("COUNCIL REGULATION (EEC) No 1408/71 of 14 June 1971", "regulation/1971/1408"),
        ("COUNCIL DECISION 2014/145/CFSP", "decision/2014/145"),
        ("COUNCIL DECISION (CFSP) 2014/145", "decision/2014/145"),
        ("DURCHFÜHRUNGSVERORDNUNG (EU) 2031/5 DER KOMMISSION", "regulation/2031/5"),
        ("RÈGLEMENT D'EXÉCUTION (UE) 2031/5", "regulation/2031/5"),
        ("EUROPAPARLAMENTETS OCH RÅDETS FÖRORDNING (EU) 2031/77", "regulation/2031/77"),
        ("EUROPA-PARLAMENTETS OG RÅDETS FORORDNING (EU) 2031/77", "regulation/2031/77"),
        ("EUROOPAN PARLAMENTIN JA NEUVOSTON ASETUS (EU) 2031/77", "regulation/2031/77"),
        ("EIROPAS PARLAMENTA UN PADOMES REGULA (ES) 2031/77", "regulation/2031/77"),
        ("ROZPORZĄDZENIE PARLAMENTU EUROPEJSKIEGO I RADY (UE) 2031/77", "regulation/2031/77"),
        ("NAŘÍZENÍ EVROPSKÉHO PARLAMENTU A RADY (EU) 2031/77", "regulation/2031/77"),
        ("AZ EURÓPAI PARLAMENT ÉS A TANÁCS (EU) 2031/77 RENDELETE", "regulation/2031/77"),
    ],
)
def test_the_title_of_an_act_names_the_act(title: str, work: str) -> None:
    read = read_work_uri(work_of(title) or "")
    assert read is not None
    assert read.work_uri == f"/akn/eu/act/{work}"


@pytest.mark.parametrize(
    "title",
    [
        "Lov om regulation (EU) 2031/77",
        "Corrigendum to Regulation (EU) 2031/77",
        "Act to implement Regulation (EU) 2031/77",
        "Lag (2031:5) med kompletterande bestämmelser till förordning (EU) 2031/77",
        "Verordnung zur Durchführung der Verordnung (EU) 2031/77",
        "Règlement grand-ducal relatif au règlement (UE) 2031/77",
        "Regulation 5/2031",
        "Lamps Act 2031",
    ],
)
def test_the_title_of_another_act_does_not(title: str) -> None:
    assert work_of(title) is None


_REGULATION = """REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL

of 1 May 2031

THE EUROPEAN PARLIAMENT AND THE COUNCIL OF THE EUROPEAN UNION,

Whereas:

(1) Lamps guide ships along the coast of the Union.

They do so at night.

(2) A keeper should watch each lamp.

HAVE ADOPTED THIS REGULATION:

Article 1

Subject matter

This Regulation lays down rules on lamps.

Article 2

Keepers

1. A keeper shall light the lamp at dusk:

(1) on the coast;

(2) on the islands.

Article 3

Entry into force

This Regulation shall enter into force on 1 June 2031.
"""


def test_a_regulation_in_plain_text_is_the_work_of_its_title_and_has_its_recitals() -> None:
    document = parse(SourceFile("lamps.txt", _REGULATION.encode()))
    assert (document.document_id, document.jurisdiction) == ("eu-act-regulation-2031-77", "eu")
    assert document.work_uri == "/akn/eu/act/regulation/2031/77"
    assert (document.number, document.doc_type) == ("regulation 2031/77", "regulation")
    recitals = [node for node in document.walk() if node.type == "recital"]
    assert [(node.eid, document.text_of(node)) for node in recitals] == [
        ("rec_1", "(1) Lamps guide ships along the coast of the Union.\n\nThey do so at night."),
        ("rec_2", "(2) A keeper should watch each lamp."),
    ]
    assert [node.num for node in document.walk() if node.type == "article"] == ["1", "2", "3"]


def test_what_the_user_states_counts_before_the_title() -> None:
    stated = parse(SourceFile("lamps.txt", _REGULATION.encode(), hints={"jurisdiction": "no"}))
    assert (stated.jurisdiction, stated.work_uri) == ("no", None)


def test_numbers_in_brackets_above_a_law_are_no_recitals_without_words_that_announce_them() -> None:
    text = _REGULATION.replace("Whereas:\n\n", "")
    assert not any(node.type == "recital" for node in parse(SourceFile("lamps.txt", text.encode())).walk())


def test_a_consolidated_text_without_marks_has_the_work_and_day_of_its_first_line_and_the_title_below_its_first_mark() -> (
    None
):
    lines = [
        "2031R0077 — EN — 05.07.2033 — 001.001",
        "This file is meant as a tool for documentation",
        "▼B",
        "LAMP REGULATION",
    ]
    page = "".join(f'<p style="text-align: center; font-weight: bold">{line}</p>' for line in lines)
    articles = "".join(
        f'<p style="text-align: center">Article {number}</p><p>The keeper lights the lamp at dusk.</p>'
        for number in (1, 2, 3)
    )
    document = parse(SourceFile("lamps.html", f"<html><body>{page}{articles}</body></html>".encode()))
    assert (document.document_id, document.as_of_date) == ("eu-act-regulation-2031-77", "2033-07-05")
    assert document.title == "LAMP REGULATION"
    assert len(list(document.provisions())) == 3
