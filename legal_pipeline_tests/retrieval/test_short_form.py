"""Queries of nothing but the name of an act and numbers. Not here: queries with the words of a citation (`test_query_form`)."""

from __future__ import annotations

import datetime

import pytest

from legal_pipeline.jurisdictions.jurisdiction import countries
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.cited import citedness
from legal_pipeline.retrieval.short_form import citation_in_full
from legal_pipeline_tests.short_queries import scores

_SE, _NL, _NO, _FR = "/akn/se/act/sfs/", "/akn/nl/act/bwbr000", "/akn/no/act/lov/", "/akn/fr/act/code/code-"
_BE, _PL, _CH = "/akn/be/act/loi/", "/akn/pl/act/du/", "/akn/ch/act/"


@pytest.mark.parametrize(
    ("query", "work", "address"),
    [
        # the name in lower case, before, behind and between the numbers
        ("burlg 7 abs 3 satz 2", "/akn/de/act/burlg", "sec_7__subsec_3"),
        ("27 abs 1 satz 2 nr 3 sgb v", "/akn/de/act/sgb-v", "sec_27__subsec_1__item_3"),
        ("336c or abs 1 lit b", f"{_CH}27/317-321-377", "art_336c__subsec_1__item_b"),
        ("kschg 1 abs 3 s 1 hs 2", "/akn/de/act/kschg", "sec_1__subsec_3"),
        ("zpo § 256 abs 1", "/akn/de/act/zpo", "sec_256__subsec_1"),
        # full stops and spaces of names left out
        ("c civ 1240", f"{_FR}civil", "art_1240"),
        ("c civ 1843-4", f"{_FR}civil", "art_1843-4"),
        ("co 271a al 1 let e", f"{_CH}27/317-321-377", "art_271a__subsec_1__item_e"),
        ("kpa 156 § 1 pkt 2", f"{_PL}1960/168", "art_156__subsec_1__item_2"),
        ("art 10 abs 1 z 6 bvg", "/akn/at/act/10000138", "art_10__subsec_1__item_6"),
        ("strl 321 første ledd", f"{_NO}2005-05-20/28", "sec_321__subsec_1"),
        # written together
        ("baunvo 4 abs3 nr1", "/akn/de/act/baunvo", "sec_4__subsec_3__item_1"),
        ("äb7:1", f"{_SE}1958/637", "chp_7__sec_1"),
        ("awb3:2", f"{_NL}5537", "art_3-2"),
        # levels without words
        ("gdpr 6 1 f", "/akn/eu/act/regulation/2016/679", "art_6__subsec_1__para_f"),
        ("directive 2006/112 art 132 1 c", "/akn/eu/act/directive/2006/112", "art_132__subsec_1__para_c"),
        ("mrg 30 2 z 3", "/akn/at/act/10002531", "sec_30__subsec_2__item_3"),
        ("stgb 211 ii", "/akn/de/act/stgb", "sec_211__subsec_2"),
        ("29 ii bv", f"{_CH}1999/404", "art_29__subsec_2"),
        ("8 cfr 204.5 h 3 iv", "us/cfr/t8/p204/s204.5", "sec_204.5__subsec_h__para_3__item_iv"),
        ("frcp 12b6", "/akn/us/act/frcp", "rule_12__subsec_b__para_6"),
        ("203(b)(2) INA", "/akn/us/act/usc/t8/s1153", "sec_1153__subsec_b__para_2"),
        ("dsgvo 17 iii b", "/akn/eu/act/regulation/2016/679", "art_17__subsec_3__para_b"),
        ("rgpd 83 § 5 a", "/akn/eu/act/regulation/2016/679", "art_83__subsec_5__para_a"),
        ("hma 13 1 ia", "/akn/in/act/1955/25", "sec_13__subsec_1__para_ia"),
        ("cfr 8 208.13 b 2", "us/cfr/t8/p208/s208.13", "sec_208.13__subsec_b__para_2"),
        # a letter, or a letter before the number, belongs to the number
        ("fpl 7 a", f"{_SE}1971/291", "sec_7a"),
        ("r 421-1 cja", f"{_FR}de-justice-administrative", "art_r421-1"),
        ("art l 1152-1 ctrav", f"{_FR}du-travail", "art_l1152-1"),
        ("ceseda l 423 23", f"{_FR}de-l-entree-et-du-sejour-des-etrangers-et-du-droit-d-asile", "art_l423-23"),
        ("cgi 885 o bis", f"{_FR}general-des-impots", "art_885obis"),
        ("l442-1 ii c com", f"{_FR}de-commerce", "art_l442-1__para_2"),
        # chapters and sections
        ("brb 24:1", f"{_SE}1962/700", "chp_24__sec_1"),
        ("6:2 a fb", f"{_SE}1949/381", "chp_6__sec_2a"),
        ("rb 42 kap 5", f"{_SE}1942/740", "chp_42__sec_5"),
        ("lou 13 kap 3§ 1 st 3", f"{_SE}2016/1145", "chp_13__sec_3__subsec_1__item_3"),
        ("rf 2:6 st 2", f"{_SE}1974/152", "chp_2__sec_6__subsec_2"),
        ("bw 7:669 lid 3 sub g", f"{_NL}5290", "art_669__subsec_3__item_g"),
        ("wvv 5:153", f"{_BE}2019-03-23/2019a40586", "art_5-153"),
        ("kap 4 par 20 ub", f"{_SE}1981/774", "chp_4__sec_20"),
        ("arbeidsmiljøloven 2a-1", f"{_NO}2005-06-17/62", "sec_2a-1"),
        ("wer vi.45", f"{_BE}2013-02-28/2013a11134", "art_vi.45"),
        ("labour act 28:01 s 12c 1 a", "/akn/zw/act/1985/16", "sec_12c__subsec_1__para_a"),
        ("28:01 s 89 2", "/akn/zw/act/1985/16", "sec_89__subsec_2"),
        # numbers of acts without the word for them
        ("loi 78-17 art 82", "/akn/fr/act/loi/1978/17", "art_82"),
        ("rti act sec 8 1 j", "/akn/in/act/2005/22", "sec_8__subsec_1__para_j"),
    ],
)
def test_a_name_and_numbers_are_a_provision(query: str, work: str, address: str) -> None:
    places = read_citations(query).places
    assert address in {
        "__".join((*place.containers, place.provision or "", *place.below)) for place in places if work in place.works
    }


@pytest.mark.parametrize(
    ("query", "works"),
    [
        # an abbreviation of several countries is not less of one because its form of citation is shorter
        ("cpc 700", {f"{_CH}2010/262", f"{_FR}de-procedure-civile", "/akn/in/act/1908/5"}),
        ("stgb 263a", {"/akn/at/act/10002296", f"{_CH}54/757-781-799", "/akn/de/act/stgb"}),
        ("s 85 constitution zimbabwe", {"/akn/zw/act/2013/constitution"}),
        ("art 226 constitution of india", {"/akn/in/act/1949/constitution"}),
        ("art 45 gdpr switzerland", {"/akn/eu/act/regulation/2016/679"}),
    ],
)
def test_it_is_of_each_country_that_has_such_a_name_or_of_the_one_named_behind_it(query: str, works: set[str]) -> None:
    assert {place.works[0] for place in read_citations(query).places if place.works} == works


@pytest.mark.parametrize(
    "query",
    [
        "fyrtårnsloven 36 stk 1",
        "36 stk 1 fyrtårnsloven",
        "lov om fyrtårnsloven 36 stk 1",
        "fyrtårnsloven 1988 36 stk 1",
    ],
)
def test_a_word_that_ends_as_acts_do_is_the_name_of_an_act_without_data(query: str) -> None:
    (place,) = read_citations(query, ["dk"]).places
    assert (place.works, place.provision, place.below, place.names_unknown) == ((), "sec_36", ("subsec_1",), True)


@pytest.mark.parametrize(
    ("query", "is_cited"),
    [
        ("§ 2 Laternengesetz", True),
        ("laternengesetz 2 abs 1", True),
        ("§ 2 LatG", True),
        ("§ 2 Kerzengesetz", False),
        ("§ 2", False),
    ],
)
def test_an_act_of_an_unknown_country_is_found_by_its_title(query: str, is_cited: bool) -> None:
    payload = {"jurisdiction": "xx", "language": "deu", "provisions": ["sec_2"], "title": "Laternengesetz (LatG)"}
    found = citedness({"own": payload}, read_citations(query), datetime.date(2032, 1, 1))
    assert bool(found) == is_cited


@pytest.mark.parametrize(
    "query",
    [
        "las 1982",
        "bgb 2 jahre frist",
        "avtl 36 månader",
        "kl. 12:30",
        "or 41 persons",
        "lov om fyrtårn bilag 2",
        "bilag 2 fyrtårnsloven",
        "bgb",
    ],
)
def test_other_words_years_and_times_are_not_numbers_of_provisions(query: str) -> None:
    assert not any(place.provision for place in read_citations(query, ["se", "de", "ch", "no"]).places)


@pytest.mark.parametrize("query", ["bgb 823 (" * 400, "§ " * 2000 + "bgb", "bgb " * 900, "§", "823", ""])
def test_what_is_not_a_name_and_a_number_is_nothing(query: str) -> None:
    assert not any(citation_in_full(query[:4000], country) for country in countries())


def test_queries_of_another_author_are_read_at_least_as_well_as_before() -> None:
    found = scores().values()
    assert sum(score.provisions for score in found) >= 177
    assert sum(score.levels for score in found) >= 174
