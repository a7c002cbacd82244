"""Rules of entities and dates: values are ISO dates and canonical courts, and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.chunking.entities import KINDS, Entity, EntityKind, entities_within, find_entities
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.countries import date_order
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.text.dates import dates
from legal_pipeline_tests.examples import examples


def entities_of(text: str, code: str, language: str) -> list[Entity]:
    country = jurisdiction(code)
    return find_entities(text, country, language, find(text, country))


def entities(text: str, code: str, language: str) -> dict[EntityKind, list[str]]:
    return entities_within(entities_of(text, code, language), [(0, len(text))])


@pytest.mark.parametrize(
    ("language", "jurisdiction", "text", "expected"),
    [
        ("swe", "se", "Lagen träder i kraft den 1 juli 2010 och gäller t.o.m. 2012-06-30.", ["2010-07-01", "2012-06-30"]),
        ("eng", "zw", "On 12 March 2019, and again on the 3rd day of May, 2020.", ["2019-03-12", "2020-05-03"]),
        ("eng", "in", "By 1st April, 1950 or 12.03.1961 or 7-9-1995.", ["1950-04-01", "1961-03-12", "1995-09-07"]),
        ("eng", "us", "Decided March 28, 1938; filed Dec. 30, 1977; due 01/02/2019.", ["1938-03-28", "1977-12-30", "2019-01-02"]),
        ("eng", "in", "It was paid on 01/02/2019.", ["2019-02-01"]),
        ("fra", "fr", "Le 1er janvier 2020 et le 23 mars 2019.", ["2020-01-01", "2019-03-23"]),
        ("deu", "de", "Am 3. Mai 2019 und bis zum 31.12.2020.", ["2019-05-03", "2020-12-31"]),
        ("spa", "pe", "Lima, 12 de marzo de 2019.", ["2019-03-12"]),
        ("hin", "in", "यह 12 मार्च 2019 को लागू हुआ।", ["2019-03-12"]),
    ],
)  # fmt: skip
def test_dates_have_iso_values(language: str, jurisdiction: str, text: str, expected: list[str]) -> None:
    assert [entity.iso for entity in dates(text, language, date_order(jurisdiction))] == expected


@pytest.mark.parametrize(
    "text",
    ["on 01/02/2019", "31 June 2019", "2019-02-30", "section 12 of 2019", "version 1.2.2019.4", "May 2019", "12/13/14"],
)
def test_a_date_that_is_not_certain_is_left_out(text: str) -> None:
    assert list(dates(text, "eng")) == []


def test_seed_examples_of_a_judgment() -> None:
    text = (
        "The legal principles in Shumba and Others v The State [2025] ZWHHC 304 were restated by MAKARAU JP in the High Court at Harare "
        "on 14 May 2025; s 198(3) of the Criminal Procedure and Evidence Act [Chapter 9:07] applies. Chief Justice Malaba agreed."
    )
    found = entities(text, "zw", "eng")
    assert found == {
        "dates": ["2025-05-14"],
        "statute_refs": ["s 198(3) of the Criminal Procedure and Evidence Act [Chapter 9:07]"],
        "case_refs": ["[2025] ZWHHC 304"],
        "courts": ["High Court of Zimbabwe"],
        "people": ["MAKARAU JP", "Chief Justice Malaba"],
        "places": ["Harare"],
        "parties": ["Shumba and Others v The State"],
    }


def test_a_bill_is_no_statute_that_a_text_names() -> None:
    found = entities("Jfr prop. 2030/31:5 s. 12 och 1 § miljöbalken.", "se", "swe")
    assert (found["statute_refs"], found["case_refs"]) == (["1 § miljöbalken"], [])


def test_a_form_that_could_be_many_courts_is_none() -> None:
    found = entities(
        "The High Court of Judicature at Bombay differed; the High Court erred. The Supreme Court reversed.",
        "in",
        "eng",
    )
    assert found["courts"] == ["High Court of Judicature at Bombay", "Supreme Court of India"]


def test_the_bench_is_named_without_its_titles_in_swedish() -> None:
    found = entities("Högsta domstolen (justitieråden Anna Berg, Per von Essen och Lars Öst) i Stockholm.", "se", "swe")
    assert found["people"] == ["Anna Berg", "Per von Essen", "Lars Öst"]
    assert found["courts"] == ["Högsta domstolen"]
    assert found["places"] == ["Stockholm"]


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ("In Ram Prasad vs. State of U.P. & Ors., (2014) 9 SCC 737, it was held", ["Ram Prasad vs. State of U.P. & Ors."]),
        ("See Moyo v Ncube 1990 (1) ZLR 172. Dube v Sibanda is to the same effect.", ["Moyo v Ncube", "Dube v Sibanda"]),
        ("They live in Karoi. Ncube v The State followed.", ["Ncube v The State"]),
        ("M/s. Anand Traders Pvt. Ltd. v. Union of India and Another", ["M/s. Anand Traders Pvt. Ltd. v. Union of India and Another"]),
        ("section 5 v section 6, and chapter v of the report", []),
        ("Moyo v Ncube In the High Court. Dube v Sibanda The court held", ["Moyo v Ncube", "Dube v Sibanda"]),
        ("of the lamp v Ncube. Dube v Sibanda", ["Dube v Sibanda"]),
    ],
)  # fmt: skip
def test_parties_begin_and_end_with_the_cause_title(text: str, parties: list[str]) -> None:
    assert entities(text, "in", "eng")["parties"] == parties


def test_institutions_of_justice_are_not_people() -> None:
    assert entities("Access to Justice Department and Justice Act; the Justice Minister.", "zw", "eng")["people"] == []


def test_a_chunk_has_the_entities_inside_its_spans_only() -> None:
    text = "Enligt 1 § miljöbalken den 1 juli 2010.\nEnligt 2 § brottsbalken den 2 juli 2010.\nI Stockholm."
    found = entities_of(text, "se", "swe")
    first_end, last_start = text.index("\n"), text.rindex("\n") + 1
    inside = entities_within(found, [(0, first_end), (last_start, len(text))])
    assert inside["dates"] == ["2010-07-01"]
    assert inside["statute_refs"] == ["1 § miljöbalken"]
    assert inside["places"] == ["Stockholm"]
    cut = entities_within(found, [(0, text.index("miljö"))])
    assert cut["statute_refs"] == []


def test_a_jurisdiction_without_lists_still_has_its_dates_and_every_key() -> None:
    found = entities("Lima, 12 de marzo de 2019.", "pe", "spa")
    assert set(found) == set(KINDS)
    assert found["dates"] == ["2019-03-12"]


PIECES = [
    "A v B", " v ", "Justice ", "Ram ", "den 1 juli ", "2010", ".", "\n", "the ", "CORAM: ", "12/", "High Court of ", "(", "Co. ",
]  # fmt: skip


@examples(100)
@given(
    st.lists(st.sampled_from(PIECES), max_size=20).map("".join),
    st.sampled_from(["se", "in", "zw", "us", "fr", "de", "pe"]),
)
def test_mentions_are_spans_in_order(text: str, code: str) -> None:
    position = 0
    for entity in entities_of(text, code, "eng"):
        assert position <= entity.start < entity.end <= len(text)
        position = entity.start
        assert entity.value
