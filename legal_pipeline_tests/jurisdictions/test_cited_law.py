"""The country of a law by the acts that it cites, and its identity by the number in its title; own sentences."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.jurisdictions.cited_law import country_of_citations
from legal_pipeline.parsing.generic.law import identity_of_title
from legal_pipeline.parsing.registry import parse


def citing(numbers: list[str], form: str) -> str:
    return " ".join(f"Fyrvakten följer {form.format(number)}." for number in numbers)


@pytest.mark.parametrize(
    ("text", "language", "country"),
    [
        (citing(["2031:7", "2031:8", "2032:9"], "lagen ({}) om fyrar"), "swe", "se"),
        (citing(["2031:7", "2031:8", "2031:8"], "lagen ({}) om fyrar"), "swe", None),
        ("Práce podle zákona č. 7/2031 Sb., zákona č. 8/2031 Sb. a zákona č. 9/2032 Sb. trvá.", "ces", "cz"),
        # Spain, Colombia and others number their acts alike
        ("Véase la Ley 7 de 2031, la Ley 8 de 2031 y la Ley 9 de 2032.", "spa", None),
    ],
)
def test_a_law_that_cites_three_acts_of_one_country_is_of_that_country(
    text: str, language: str, country: str | None
) -> None:
    assert country_of_citations(text, language) == country


def test_a_law_that_cites_acts_of_two_countries_is_of_the_one_that_it_cites_three_times_as_often() -> None:
    swedish = citing([f"2031:{number}" for number in range(1, 7)], "lagen ({}) om fyrar")
    finnish = citing(["7/2031", "8/2031", "9/2031"], "lagen om fyrar ({})")
    assert country_of_citations(finnish, "swe") == "fi"
    assert country_of_citations(f"{swedish} {finnish}", "swe") is None
    assert country_of_citations(f"{swedish} {citing(['7/2031', '8/2031'], 'lagen om fyrar ({})')}", "swe") == "se"


@pytest.mark.parametrize(
    ("title", "language", "document_id", "number"),
    [
        ("Lag (2099:8) om fyrar", "swe", "se-sfs-2099-8", "SFS 2099:8"),
        ("Fyrlag (2099:8)", "swe", "se-sfs-2099-8", "SFS 2099:8"),
        ("Zákon č. 8/2031 Sb., o majácích", "ces", "cz-act-2031-8", "8/2031 Sb."),
        ("Zákon č. 8/2031 Z. z. o majákoch", "slk", "sk-act-2031-8", "8/2031 Z. z."),
        ("LOV-2031-06-17-62", "nob", "no-act-lov-2031-06-17-62", "lov 2031-06-17 nr. 62"),
        ("Laki 8/2031", "fin", "fi-act-2031-8", "8/2031"),
    ],
)
def test_the_number_in_a_title_names_the_work(title: str, language: str, document_id: str, number: str) -> None:
    found = identity_of_title({"language": language}, title)
    assert (found["jurisdiction"], found["document_id"], found["number"]) == (document_id[:2], document_id, number)


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Föreskrifter om ändring i lagen (2099:8) om fyrar", "swe"),  # the number of another work
        ("Fyrlagen", "swe"),
        ("Ley 8/2031, de faros", "spa"),
    ],
)
def test_a_title_without_the_number_of_its_own_act_names_no_work(title: str, language: str) -> None:
    assert identity_of_title({"language": language}, title) == {}


_LAW = "# Lag (2099:8) om fyrar\n\n" + "\n\n".join(
    f"### {number} §\n\nFyrvakten tänder lykta {number} varje kväll och släcker den i gryningen."
    for number in (1, 2, 3)
)


@pytest.mark.parametrize(
    ("hints", "identity"),
    [
        ({}, ("se-sfs-2099-8", "se", "SFS 2099:8", "/akn/se/act/sfs/2099/8")),
        # a stated number makes the id
        ({"number": "2099:8"}, ("se-2099-8", "se", "2099:8", "/akn/se/act/sfs/2099/8")),
        ({"number": "SFS 2099:8"}, ("se-sfs-2099-8", "se", "SFS 2099:8", "/akn/se/act/sfs/2099/8")),
        ({"jurisdiction": "fi"}, ("doc-fyrar", "fi", None, None)),
    ],
)
def test_a_swedish_law_in_markdown_is_the_work_that_its_title_names(
    hints: dict[str, str], identity: tuple[str, str, str | None, str | None]
) -> None:
    document = parse(SourceFile("fyrar.md", _LAW.encode(), hints=hints))
    assert (document.document_id, document.jurisdiction, document.number, document.work_uri) == identity


def test_a_stated_number_that_is_not_that_of_the_title_stays() -> None:
    document = parse(SourceFile("fyrar.md", _LAW.encode(), hints={"number": "FFS 2100:1"}))
    assert (document.number, document.work_uri) == ("FFS 2100:1", None)


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("მუხლი {0}. მცველი ყოველ საღამოს ანთებს {0} ფარანს ნავსადგურში და იცავს მას დილამდე.", "ge"),
        ("მუხლი {0}. მცველი ყოველ საღამოს ანთებს {0} ფარანს ნავსადგურში (Armenia) და იცავს მას დილამდე.", "am"),
        ("Stranka {0}.\n\nČlen {0}\n\nČuvaj vsak večer prižge svetilko {0} v pristanišču in jo varuje do jutra.", "xx"),
    ],
)
def test_a_law_in_the_language_of_one_country_is_of_it_unless_it_names_another(text: str, country: str) -> None:
    law = "\n\n".join(text.format(number) for number in range(1, 9))
    assert parse(SourceFile("law.txt", law.encode())).jurisdiction == country
