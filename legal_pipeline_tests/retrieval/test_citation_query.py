"""Rules of citations in queries."""

from __future__ import annotations

import pytest

from legal_pipeline.retrieval.citation_query import Citation, read_citation
from legal_pipeline.stores.store import AnyOf


@pytest.mark.parametrize(
    ("query", "chapter", "section", "number"),
    [
        ("2 kap. 3 §", "2", "3", None),
        ("2 kap 3 § arbetsmiljölagen", "2", "3", None),
        ("3 §", None, "3", None),
        ("vad säger 12 a § om uppsägning", None, "12 a", None),
        ("2 a kap. 4b § skollagen", "2 a", "4 b", None),
        ("SFS 1977:1160", None, None, "1977:1160"),
        ("2 kap. 3 § lagen (1982:80) om anställningsskydd", "2", "3", "1982:80"),
        ("6 kap. 17§", "6", "17", None),
    ],
)
def test_swedish_forms(query: str, chapter: str | None, section: str | None, number: str | None) -> None:
    found = read_citation(query)
    assert found is not None
    assert (found.chapter, found.section, found.number) == (chapter, section, number)


@pytest.mark.parametrize("query", ["arbetsgivarens ansvar", "3 år och 2 månader", "kl. 12:30", "sida 1977", ""])
def test_words_and_numbers_alone_are_no_citation(query: str) -> None:
    assert read_citation(query) is None


def test_a_section_letter_is_not_the_first_letter_of_a_word() -> None:
    found = read_citation("2 kap. 3 § arbetsmiljölagen")
    assert found is not None
    assert found.words == ("arbetsmiljölagen",)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("3 § arbetsmiljölagen", "Arbetsmiljölag (1977:1160)"),
        ("3 § arbetsmiljölagens krav", "Arbetsmiljölag (1977:1160)"),
        ("3 § Arbetsmiljölag", "Arbetsmiljölag"),
        ("3 § lagen om anställningsskydd", "Lag (1982:80) om anställningsskydd"),
        ("1 § brottsbalken", "Brottsbalk (1962:700)"),
        ("4 § djurskyddsförordningens regler", "Djurskyddsförordning (2019:66)"),
    ],
)
def test_an_act_is_named_in_any_inflection(query: str, title: str) -> None:
    found = read_citation(query)
    assert found is not None
    assert found.names(title) > 0
    assert found.names("Skollag (2010:800)") == 0


def test_the_longer_title_is_the_better_name() -> None:
    found = read_citation("3 § lagen om anställningsskydd")
    assert found is not None
    assert found.names("Lag (1982:80) om anställningsskydd") > found.names("Lag (1900:1)")


def test_an_act_that_is_not_known_here_is_still_seen_as_one() -> None:
    for query in ("3 § skollagen", "1 § regeringsformens", "2 § SFS 1999:1"):
        found = read_citation(query)
        assert found is not None
        assert found.names_an_act


def test_words_that_only_end_like_an_act_name_none() -> None:
    for query in ("3 § aktiebolagen", "3 § förslagen", "3 § krav på skyddsombud"):
        found = read_citation(query)
        assert found is not None
        assert not found.names_an_act


def test_conditions_cover_every_way_a_section_is_written() -> None:
    assert Citation("se", chapter="2", section="3 a", number="1977:1160").conditions() == (
        AnyOf("jurisdiction", ("se",)),
        AnyOf("section", ("3 a §", "3 a", "3a §", "3a")),
        AnyOf("chapter", ("2",)),
        AnyOf("number", ("1977:1160", "SFS 1977:1160")),
    )
