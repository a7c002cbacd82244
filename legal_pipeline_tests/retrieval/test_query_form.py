"""Queries that are written less carefully than a text. Not here: citations in the form of texts (`test_citation_query`)."""

from __future__ import annotations

import pytest

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.query_form import as_written

_CONSTITUTIONS = {
    "/akn/cl/act/242302": "cl",
    "/akn/co/act/constitucion/1991": "co",
    "/akn/in/act/1949/constitution": "in",
    "/akn/be/act/constitution/1994-02-17": "be",
    "/akn/fr/act/constitution/1958-10-05/legitext000006071194": "fr",
    "/akn/lu/act/constitution/1868-10-17/n1": "lu",
}


@pytest.mark.parametrize(
    ("query", "work", "address"),
    [
        ("art 9 ley 1581 de 2012", "/akn/co/act/ley/2012/1581", "art_9"),
        ("art. 9 Ley 1581/2012", "/akn/co/act/ley/2012/1581", "art_9"),
        ("art 5 alin 1 din legea 190/2018", "/akn/ro/act/lege/2018/190", "art_5__subsec_1"),
        ("6:162 BW", "/akn/nl/act/bwbr0005289", "art_162"),
        ("BW 6:162", "/akn/nl/act/bwbr0005289", "art_162"),
        ("Awb 3:2", "/akn/nl/act/bwbr0005537", "art_3-2"),
        ("RL 21:1", "/akn/fi/act/1889/39-001", "chp_21__sec_1"),
        ("GG 20", "/akn/de/act/gg", "art_20"),
        ("B-VG 7", "/akn/at/act/10000138", "art_7"),
        ("BGB 823", "/akn/de/act/bgb", "sec_823"),
        ("415 kc", "/akn/pl/act/du/1964/93", "art_415"),
        ("§ 8a sgb 8", "/akn/de/act/sgb-viii", "sec_8a"),
        ("§ 24 Abs 2 Nr 3 SGB II", "/akn/de/act/sgb-ii", "sec_24__subsec_2__item_3"),
        ("art 6 abs 1 lit f dsgvo", "/akn/eu/act/regulation/2016/679", "art_6__subsec_1__item_f"),
        ("art 8 cpv 2 Cost.", "/akn/ch/act/1999/404", "art_8__subsec_2"),
        ("sch 1 para 5 dpa 2018", "/akn/gb/act/ukpga/2018/12", "sched_1__para_5"),
        ("lov-1918-05-31-4-§36", "/akn/no/act/lov/1918-05-31/4", "sec_36"),
        ("Bunreacht Art 40.3", "/akn/ie/act/1937/constitution", "art_40__subsec_3"),
        ("art 21 constitution of india", "/akn/in/act/1949/constitution", "art_21"),
    ],
)
def test_a_provision_is_found_without_full_stops_and_words(query: str, work: str, address: str) -> None:
    places = read_citations(query).places
    assert address in {
        "__".join((*place.containers, place.provision or "", *place.below)) for place in places if work in place.works
    }


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("art 15 constitución", {"cl", "co"}),
        ("article 1er de la Constitution", {"be", "fr", "lu"}),
    ],
)
def test_an_article_of_a_constitution_is_not_that_of_a_country_that_needs_no_name(query: str, meant: set[str]) -> None:
    works = {work for place in read_citations(query).places for work in place.works}
    assert {_CONSTITUTIONS[work] for work in works & _CONSTITUTIONS.keys()} == meant


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("§ 22 LAS", "sec_22"),
        ("LAS § 22", "sec_22"),
        ("paragraf 22 LAS", "sec_22"),
        ("22 paragrafen LAS", "sec_22"),
        ("7 § 2 st LAS", "sec_7__subsec_2"),
        ("vad säger § 12 i anställningsskyddslagen om uppsägning", "sec_12"),
        ("kap 2 § 3 AML", "chp_2__sec_3"),
        ("kapitel 2 paragraf 3 a arbetsmiljölagen", "chp_2__sec_3a"),
        ("2 kap § 3 AML", "chp_2__sec_3"),
        ("2 kapitlet 3 § AML", "chp_2__sec_3"),
    ],
)
def test_swedish_chapters_and_sections_are_read_in_any_order(query: str, address: str) -> None:
    (place,) = (place for place in read_citations(query).places if "/akn/se/" in "".join(place.works))
    assert "__".join((*place.containers, place.provision or "", *place.below)) == address


def test_a_list_behind_the_sign_names_each_section() -> None:
    places = read_citations("§ 7 och 9 LAS").places
    assert [(place.works, place.provision) for place in places] == [
        (("/akn/se/act/sfs/1982/80",), "sec_7"),
        (("/akn/se/act/sfs/1982/80",), "sec_9"),
    ]


@pytest.mark.parametrize("query", ["§ 7", "§ 7 KSchG", "§ 5 des Arbeitszeitgesetzes"])
def test_the_sign_before_a_number_is_not_swedish_without_a_swedish_act(query: str) -> None:
    assert not any(
        "se" in place.jurisdictions or "/akn/se/" in "".join(place.works) for place in read_citations(query).places
    )


@pytest.mark.parametrize(
    ("query", "work", "provision"),
    [
        ("2 kap 3 § arbetsmiljolagen", "/akn/se/act/sfs/1977/1160", "sec_3"),
        ("articulo 19 constitucion", "/akn/cl/act/242302", "art_19"),
        ("paragraf 2910 obcanskeho zakoniku", "/akn/cz/act/2012/89", "sec_2910"),
        ("artykul 415 kodeksu cywilnego", "/akn/pl/act/du/1964/93", "art_415"),
        ("articolul 16 constitutie", "/akn/ro/act/constitutie/1991/1991-11-21", "art_16"),
        ("pykala 6 perustuslaki", "/akn/fi/act/1999/731", "sec_6"),
    ],
)
def test_a_provision_is_found_without_accents(query: str, work: str, provision: str) -> None:
    assert provision in {place.provision for place in read_citations(query).places if work in place.works}


@pytest.mark.parametrize(
    ("query", "provisions"),
    [
        ("articulo 19 conſtitucion", {"art_19"}),
        ("artıculo 19 constitucıon", set()),
        ("artykul 5 \u212aodeksu", {"art_5"}),
    ],
)
def test_letters_that_only_look_like_others_are_left_as_they_are(query: str, provisions: set[str]) -> None:
    assert {place.provision for place in read_citations(query).places} == provisions


@pytest.mark.parametrize("query", ["art. 1.349 Codul civil", "art 1349 din Codul civil"])
def test_a_number_is_found_with_and_without_the_sign_of_its_thousands(query: str) -> None:
    assert {place.provision for place in read_citations(query).places} == {"art_1349", "art_1.349"}


@pytest.mark.parametrize(
    ("query", "works"),
    [
        ("§ 2 vyhlášky 240/2016", {"/akn/cz/act/2016/240", "/akn/sk/act/2016/240"}),
        ("§ 2 vyhl. č. 240/2016 Sb.", {"/akn/cz/act/2016/240"}),
        ("§ 2 vyhlášky 240/2016 Z. z.", {"/akn/sk/act/2016/240"}),
    ],
)
def test_a_decree_in_a_query_may_be_without_its_collection(query: str, works: set[str]) -> None:
    places = read_citations(query).places
    assert {work for place in places for work in place.works} == works
    assert {place.provision for place in places} == {"sec_2"}


@pytest.mark.parametrize(
    ("code", "query", "text"),
    [
        ("de", "art 6 abs.1 lit f", "art. 6 abs. 1 lit. f"),
        ("de", "Art. 6 der Absicht nr", "Art. 6 der Absicht nr"),
        ("gb", "s 9 and reg 4", "s. 9 and reg. 4"),
        ("se", "2 kap 3 § art 4", "2 kap 3 § art 4"),
    ],
)
def test_an_abbreviation_before_a_number_gets_its_full_stop(code: str, query: str, text: str) -> None:
    assert as_written(query, jurisdiction(code)) == f" {text}"


@pytest.mark.parametrize(
    ("query", "work", "provision"),
    [
        ("regulation (eu) 2016/679 article 6", "eu/act/regulation/2016/679", "art_6"),
        ("regulation (ec) no 810/2009 art 5", "eu/act/regulation/2009/810", "art_5"),
        ("decision (cfsp) 2031/145 art 1", "eu/act/decision/2031/145", "art_1"),
        ("framework decision 2002/584 article 4", "eu/act/decision/2002/584", "art_4"),
        ("recommendation 2003/361 article 2", "eu/act/recommendation/2003/361", "art_2"),
        ("s 189 Harbour Lamps Act 66 of 1995", "za/act/1995/66", "sec_189"),
        ("companies act 71 of 2008 section 66", "za/act/2008/71", "sec_66"),
        ("section 66 of act 71 of 2008", "zw/act/2008/71", "sec_66"),
        ("24 & 25 Vict c 100 s 20", "gb/act/ukpga/vict/24-25/100", "sec_20"),
        ("art 36B Regulated Activities Order", "gb/act/uksi/2001/544", "art_36b"),
        ("2031 c 7, s 5(b)", "gb/act/ukpga/2031/7", "sec_5"),
        ("section 5 of 2031 chapter 7", "gb/act/ukpga/2031/7", "sec_5"),
        ("asp 2031/7 s 5", "gb-sct/act/asp/2031/7", "sec_5"),
    ],
)
def test_numbers_of_acts_are_read_without_capitals(query: str, work: str, provision: str) -> None:
    places = read_citations(query).places
    assert (f"/akn/{work}", provision) in {(each, place.provision) for place in places for each in place.works}


@pytest.mark.parametrize(
    "query", ["Sch 1 para 2 Human Rights Act 1998", "paragraph 2 of Schedule 1 to the Human Rights Act 1998"]
)
def test_a_paragraph_of_a_schedule_is_never_a_section_of_the_act(query: str) -> None:
    read = read_citations(query)
    assert read.otherwise is not None
    assert {(place.containers, place.provision) for place in (*read.places, *read.otherwise.places)} == {
        (("sched_1",), "para_2")
    }


def test_a_chapter_of_the_statutes_of_another_country_is_not_a_british_act() -> None:
    works = {work for place in read_citations("SC 2031 c 7 s 5").places for work in place.works}
    assert not any("ukpga" in work for work in works)


def test_the_number_of_an_act_counts_more_than_a_title_that_others_have() -> None:
    works = {work for place in read_citations("companies act 71 of 2008 section 66").places for work in place.works}
    assert {work.partition("/act/")[2] for work in works} == {"2008/71"}


@pytest.mark.parametrize(
    ("query", "work", "provision"),
    [
        ("section four of the Theft Act 1968", "gb/act/ukpga/1968/60", "sec_4"),
        ("section one of the theft act 1968", "gb/act/ukpga/1968/60", "sec_1"),
        ("article onze du code civil", "fr/act/code/code-civil", "art_11"),
        ("artículo veinte de la constitución", "cl/act/242302", "art_20"),
    ],
)
def test_a_number_may_be_a_word(query: str, work: str, provision: str) -> None:
    places = read_citations(query).places
    assert (f"/akn/{work}", provision) in {(each, place.provision) for place in places for each in place.works}


@pytest.mark.parametrize(
    "query", ["quel article un employeur doit-il citer", "which section one should read about lamps"]
)
def test_one_is_also_an_article(query: str) -> None:
    assert read_citations(query).places == ()


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("nrs 812.020", "sec_812.020"),
        ("ORS 838.010(1)(b)", "sec_838.010__subsec_1__para_b"),
        ("§ 812.020", "sec_812.020"),
        ("sec. 432b.140", "sec_432b.140"),
        ("Fla. Stat. § 782.04", "sec_782.04"),
        ("rcw 9a.36.011", "sec_9a.36.011"),
    ],
)
def test_a_section_of_a_code_of_a_state_is_found_in_any_country(query: str, address: str) -> None:
    (found,) = read_citations(query).places
    assert ("__".join((found.provision or "", *found.below)), found.works) == (address, ())
    assert not found.jurisdictions or set(found.jurisdictions) == {"us", "xx"}


def test_federal_regulations_keep_their_title() -> None:
    (found,) = read_citations("8 CFR § 1003.101").places
    assert "us/cfr/t8/p1003" in found.works


@pytest.mark.parametrize("query", ["artículo 18-B ley del faro", "artículo 18-b ley del faro", "art. 18-B"])
def test_the_letter_behind_a_hyphen_belongs_to_the_article(query: str) -> None:
    assert {place.provision for place in read_citations(query, ("mx", "es", "ar", "pe")).places} == {"art_18b"}
