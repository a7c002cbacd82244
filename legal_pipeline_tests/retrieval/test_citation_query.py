"""Rules of citations in queries."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.retrieval.act_names import named_works, names_an_act, title_length
from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations, read_citations
from legal_pipeline.retrieval.cited import citedness, is_meant


def place(query: str, *jurisdictions: str) -> CitedPlace:
    (found,) = read_citations(query, jurisdictions).places
    return found


AML, LAS = "/akn/se/act/sfs/1977/1160", "/akn/se/act/sfs/1982/80"
LABOUR, IPC, BNS = "/akn/zw/act/1985/16", "/akn/in/act/1860/45", "/akn/in/act/2023/45"
JUVENILE, CONSTITUTION = (
    "/akn/fr/act/code/2019-09-14/legitext000039086952",
    "/akn/fr/act/constitution/1958-10-05/legitext000006071194",
)


@pytest.mark.parametrize(
    ("query", "work", "address"),
    [
        ("2 kap. 3 § arbetsmiljölagen", AML, "chp_2__sec_3"),
        ("2 kap 3 § aml", AML, "chp_2__sec_3"),
        ("AML 2 kap. 3 a §", AML, "chp_2__sec_3a"),
        ("arbetsmiljölagens 2 kap. 3 § andra stycket 1", AML, "chp_2__sec_3__subsec_2__item_1"),
        ("7 § LAS", LAS, "sec_7"),
        ("LAS 7", LAS, "sec_7"),
        ("7 § lagen (1982:80) om anställningsskydd", LAS, "sec_7"),
        ("8 kap. 2 § RF", "/akn/se/act/sfs/1974/152", "chp_8__sec_2"),
        ("AFS 2023:1 5 §", "/akn/se/act/afs/2023/1", "sec_5"),
        ("Section 12A of the Labour Act", LABOUR, "sec_12a"),
        ("section 12a labour act", LABOUR, "sec_12a"),
        ("s. 12A(1)(a) Labour Act [Chapter 28:01]", LABOUR, "sec_12a__subsec_1__para_a"),
        ("Labour Act [Chapter 28:01], s. 12A", LABOUR, "sec_12a"),
        ("u/s 302 IPC", IPC, "sec_302"),
        ("302 ipc", IPC, "sec_302"),
        ("Section 302 of the Indian Penal Code, 1860", IPC, "sec_302"),
        ("section 103 BNS", BNS, "sec_103"),
        ("Companies Act 2013 section 2(68)", "/akn/in/act/2013/18", "sec_2__subsec_68"),
        ("Companies Act 1956 section 10", "/akn/in/act/1956/1", "sec_10"),
        ("8 U.S.C. § 1153(b)(1)(A)", "/akn/us/act/usc/t8/s1153", "sec_1153__subsec_b__para_1__item_a"),
        ("INA § 203(b)(1)(A)", "/akn/us/act/usc/t8/s1153", "sec_1153__subsec_b__para_1__item_a"),
        ("d.c. code 51-101", "/akn/us-dc/act/code/51-101", "sec_51-101"),
        ("article L. 11-1 du code de la justice pénale des mineurs", JUVENILE, "art_l11-1"),
        ("article l11-1 CJPM", JUVENILE, "art_l11-1"),
        ("§ 5 ArbZG", "/akn/de/act/arbzg", "sec_5"),
        ("§ 433 Abs. 1 BGB", "/akn/de/act/bgb", "sec_433__subsec_1"),
        ("[2025] ZWHHC 304 para 14", "/akn/zw/judgment/zwhhc/2025/304", "para_14"),
        ("EuGH C-345/17, EU:C:2019:123, Rn. 6", "/akn/eu/judgment/cjeu/c-345-17", "para_6"),
        ("arrêt du 12 mars 2019, C-345/17, point 4", "/akn/eu/judgment/cjeu/c-345-17", "para_4"),
        ("4A_123/2018 E. 2", "/akn/ch/judgment/bger/2018/4a-123", "para_2"),
        ("ECLI:NL:RBAMS:2019:1234, r.o. 4.1", "/akn/nl/judgment/rbams/2019/1234", "para_4.1"),
        ("BGH, Urteil vom 12. März 2019 – IX ZR 123/17, Rn. 7", "/akn/de/judgment/bgh/2017/ix-zr-123", "para_7"),
        ("2022 FCA 99 para 4", "/akn/ca/judgment/fca/2022/99", "para_4"),
        ("BGH IX ZR 123/17 § 7", "/akn/de/judgment/bgh/2017/ix-zr-123", "para_7"),
        ("A1P1", "/akn/coe/act/echr/protocol-1", "art_1"),
        ("Article 1 of Protocol No. 1 ECHR", "/akn/coe/act/echr/protocol-1", "art_1"),
        ("Art. 4 7. ZP EMRK", "/akn/coe/act/echr/protocol-7", "art_4"),
        ("Article 6 § 3 (c) ECHR", "/akn/coe/act/echr", "art_6__subsec_3__para_c"),
        ("Keeper v. Ruritania, no. 12345/28, § 7", "/akn/coe/judgment/echr/12345-28", "para_7"),
        ("Cass. 1re civ., 12 mai 2031, n° 29-22.111, § 4", "/akn/fr/judgment/cass/29-22.111", "para_4"),
        ("23 Cdo 1234/2018 bod 3", "/akn/cz/judgment/ns/23-cdo-1234-2018", "para_3"),
        ("5 As 12/2019-34, bod 7", "/akn/cz/judgment/nss/5-as-12-2019", "para_7"),
    ],
)
def test_a_place_of_a_known_work(query: str, work: str, address: str) -> None:
    found = place(query)
    assert found.works[0] == work
    assert "__".join((*found.containers, found.provision or "", *found.below)) == address


@pytest.mark.parametrize(
    ("query", "provision"),
    [
        ("sec. 1-102", "sec_1-102"),
        ("section 2-102 of the Code of the City of Lampton", "sec_2-102"),
        ("Lampton Municipal Code § 9.04.030", "sec_9.04.030"),
        ("LMC 9.04.030", "sec_9.04.030"),
    ],
)
def test_a_section_of_the_code_of_a_city_is_meant_in_documents_of_its_country_and_of_none(
    query: str, provision: str
) -> None:
    places = [item for item in read_citations(query).places if item.provision == provision]
    assert [set(item.jurisdictions) for item in places] in ([{"us", "xx"}], [set()])


@pytest.mark.parametrize("query", ["the rent of 12.05.2031 was 1.234.567", "lamps of 10.000.000"])
def test_dates_and_amounts_are_not_sections_of_a_code(query: str) -> None:
    assert read_citations(query).places == ()


@pytest.mark.parametrize(
    "query", ["8 CFR 204.5(h)(3)(v)", "8 CFR § 204.5(h)(3)(v)", "8 C.F.R. § 204.5(h)(3)(v)", "8 cfr 204.5(h)(3)(v)"]
)
def test_a_section_of_the_cfr_may_stand_in_a_document_of_its_part(query: str) -> None:
    assert place(query) == CitedPlace(
        ("us/cfr/t8/p204/s204.5", "us/cfr/t8/p204"), (), "sec_204.5", ("subsec_h", "para_3", "item_v")
    )


@pytest.mark.parametrize(
    ("query", "work"),
    [
        ("26 I&N Dec. 884", "/akn/us/judgment/i-n-dec/26/884"),
        ("26 i&n dec 884", "/akn/us/judgment/i-n-dec/26/884"),
        ("Matter of Dhanasar", "/akn/us/judgment/i-n-dec/26/884"),
        ("[2025] ZWHHC 304", "/akn/zw/judgment/zwhhc/2025/304"),
        ("2025 zwhhc 304", "/akn/zw/judgment/zwhhc/2025/304"),
        ("2024 INSC 818", "/akn/in/judgment/insc/2024/818"),
        ("SFS 1977:1160", AML),
        ("1977:1160", AML),
        ("arbetsmiljölagen", AML),
    ],
)
def test_a_whole_work(query: str, work: str) -> None:
    found = read_citations(query)
    assert found.is_bare
    assert found.places == (CitedPlace((work,)),)


def test_a_decision_is_found_under_the_name_of_its_report_and_of_its_docket() -> None:
    assert place("596 F.3d 1115").works == ("/akn/us/judgment/f-3d/596/1115", "/akn/us/judgment/ca9/2010/07-56774")


@pytest.mark.parametrize(
    "query",
    [
        "arbetsgivarens ansvar",
        "3 år och 2 månader",
        "kl. 12:30",
        "sida 1977",
        "",
        "freedom of speech under the Constitution",
    ],
)
def test_words_and_numbers_alone_are_no_citation(query: str) -> None:
    assert read_citations(query).places == ()


@pytest.mark.parametrize("query", ["2 kap. 3 §", "vad säger 2 kap. 3 § om uppsägning"])
def test_a_place_of_no_named_work_is_meant_where_it_is_cited_so(query: str) -> None:
    assert read_citations(query).places == (CitedPlace((), ("chp_2",), "sec_3", jurisdictions=("se",)),)
    assert place("Section 12A") == CitedPlace((), (), "sec_12a")


def test_a_jurisdiction_that_is_asked_for_reads_alone() -> None:
    assert place("Section 12 of the Companies Act", "in").works == ("/akn/in/act/2013/18",)
    assert place("Section 12 of the Companies Act", "zw").works == ("/akn/zw/act/1951/47",)
    assert {one.works for one in read_citations("Section 12 of the Companies Act").places} == {
        ("/akn/in/act/2013/18",),
        ("/akn/zw/act/1951/47",),
    }


def test_a_name_that_countries_share_means_the_act_of_each_and_of_one_where_it_is_asked() -> None:
    query = "article 49 de la Constitution"
    assert place(query, "fr").works[0] == CONSTITUTION
    assert {CONSTITUTION, "/akn/lu/act/constitution/1868-10-17/n1"} <= {
        one.works[0] for one in read_citations(query).places
    }


def test_a_part_of_a_longer_citation_of_another_country_is_not_a_place() -> None:
    assert {one.jurisdictions for one in read_citations("2 kap. 3 §").places} == {("se",)}


def test_a_citation_that_several_countries_read_alike_is_a_place_beside_a_longer_one() -> None:
    alone = {place for place in read_citations("article 3").places if place.provision == "art_3"}
    beside = {place.provision for place in read_citations("article 1234 et article 3").places}
    assert alone
    assert {"art_1234", "art_3"} <= beside


@pytest.mark.parametrize("query", ["art. 12", "Art. 12", "article 12"])
def test_an_article_alone_is_that_of_every_country_that_writes_it_so(query: str) -> None:
    places = [place for place in read_citations(query).places if place.provision == "art_12"]
    written = {code for place in places for code in place.jurisdictions}
    assert {"be", "fr", "lu", "eu"} <= written
    if query != "article 12":
        assert {"de", "pl", "ro", "nl", "no", "cl"} <= written


def test_a_list_names_each_of_its_places() -> None:
    found = read_citations("Sections 34 and 302 IPC")
    assert {(one.works, one.provision) for one in found.places} == {((IPC,), "sec_34"), ((IPC,), "sec_302")}


def test_an_act_that_is_not_known_here_is_still_seen_as_one() -> None:
    for query in (
        "3 § badplatslagen",
        "3 § strandtidslagen",
        "7 § XYZL",
        "Section 4 of the Tacit Hypothec Amendment Act",
        "section 4 of the beach act",
    ):
        assert read_citations(query).names_an_act
    for query in ("3 § aktiebolagen", "3 § förslagen", "3 § krav på skyddsombud", "section 5 duty to act honestly"):
        assert not read_citations(query).names_an_act
    assert not names_an_act("krav på underlagen", jurisdiction("se"))


def test_the_name_of_another_charter_names_an_act() -> None:
    assert names_an_act("article 8 of the UN Charter", jurisdiction("eu"))
    assert not names_an_act("article 8 on charter flights", jurisdiction("eu"))


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("3 § badplatslagens krav", "Badplatslag (1999:1)"),
        ("3 § Badplatslag", "Badplatslag"),
        ("3 § lagen om båtar", "Lag (1999:3) om båtar"),
        ("4 § djurskyddsförordningens regler", "Djurskyddsförordning (2019:66)"),
        ("4 § djurskyddsforordningens regler", "Djurskyddsförordning (2019:66)"),
        ("§ 3 zakon o majacich", "Zákon o majácích"),
        ("Section 4 of the tacit hypothec amendment act", "Tacit Hypothec Amendment Act"),
        ("section 1 of the Beaches Act, 1999", "The Beaches Act, 1999"),
    ],
)
def test_an_act_is_named_by_its_title_in_any_inflection(query: str, title: str) -> None:
    assert title_length(query, title) > 0
    assert title_length(query, "Skollag (2010:800)") == 0


def test_the_longer_title_is_the_better_name_and_another_year_another_act() -> None:
    query = "3 § lagen om båtar"
    assert title_length(query, "Lag (1999:3) om båtar") > title_length(query, "Lag (1900:1)")
    assert title_length("section 1 of the Beaches Act 1999", "The Beaches Act, 2004") == 0


def test_a_name_of_two_letters_must_be_written_as_one() -> None:
    assert {work.uri for work in named_works("3 § RF", jurisdiction("se"))} == {"/akn/se/act/sfs/1974/152"}
    assert named_works("3 § rf", jurisdiction("se")) == ()


@pytest.mark.parametrize(
    ("query", "work", "provision"),
    [
        ("Gw art 57a", "/akn/nl/act/bwbr0001840", "art_57a"),
        ("SR 101 Art. 5a", "/akn/ch/act/1999/404", "art_5a"),
    ],
)
def test_an_article_of_a_named_act_is_not_lost_to_a_country_that_reads_it_longer_without_the_act(
    query: str, work: str, provision: str
) -> None:
    assert CitedPlace((work,), (), provision) in read_citations(query).places
    assert all(place.provision for place in read_citations(query).places)


def test_a_provision_is_out_of_force_on_its_last_date_and_in_force_on_its_first() -> None:
    dates = {
        "ended": {"valid_to": "2030-01-02"},
        "ends tomorrow": {"valid_to": "2030-01-03"},
        "began": {"valid_from": "2030-01-02"},
        "begins tomorrow": {"valid_from": "2030-01-03"},
    }
    points = {name: {"provisions": ["sec_3"], "jurisdiction": "zw", **of} for name, of in dates.items()}
    cited = QueryCitations((CitedPlace((), provision="sec_3", jurisdictions=("zw",)),))
    found = citedness(points, cited, datetime.date(2030, 1, 2))
    assert {name for name, one in found.items() if one.out_of_force} == {"ended", "begins tomorrow"}
    assert found.keys() == points.keys()


def test_of_the_parts_of_a_section_the_one_with_the_innermost_cited_level_is_the_most_exact() -> None:
    held = {
        "first": ["sec_3__subsec_1", "sec_3__subsec_2", "sec_3__subsec_2__para_a"],
        "second": ["sec_3__subsec_2", "sec_3__subsec_2__para_b"],
        "third": ["sec_3__subsec_3"],
    }
    points = {
        name: {
            "document_id": "zw-1",
            "eid": "sec_3",
            "provisions": ["sec_3"],
            "jurisdiction": "zw",
            "subdivisions": names,
        }
        for name, names in held.items()
    }
    cited = QueryCitations((CitedPlace((), provision="sec_3", below=("subsec_2", "para_b"), jurisdictions=("zw",)),))
    found = citedness(points, cited, datetime.date(2030, 1, 2))
    assert {name: one.exactness for name, one in found.items()} == {"first": 2, "second": 3, "third": 1}


@pytest.mark.parametrize("held", [None, ["heading"]])
def test_of_the_chunks_of_an_article_the_cited_section_is_the_most_exact(held: list[str] | None) -> None:
    """The chunk of the article has only its heading, in the fields of the chunk or not."""

    def chunk(eid: str) -> dict[str, object]:
        below = [f"{eid}__{name}" for name in held] if held else None
        act = {"document_id": "de-1", "jurisdiction": "de", "title": "Lampengesetz"}
        return {**act, "eid": eid, "provisions": ["art_4"], "subdivisions": below}

    points = {eid: chunk(eid) for eid in ("dvs_1__art_4", "dvs_1__art_4__sec_1", "dvs_1__art_4__sec_2")}
    found = citedness(points, read_citations("Art. 4 § 2 Lampengesetz"), datetime.date(2032, 1, 1))
    assert max(found, key=lambda eid: found[eid].exactness) == "dvs_1__art_4__sec_2"
    assert [one.exactness for eid, one in found.items() if eid != "dvs_1__art_4__sec_2"] == [1, 1]
    found = citedness(points, read_citations("Art. 4 Lampengesetz"), datetime.date(2032, 1, 1))
    assert found.keys() == points.keys()


def test_a_citation_in_the_title_of_the_act_is_not_the_cited_provision() -> None:
    title = "Verordnung zur Durchführung des § 6 Abs. 5 des Lampengesetzes"
    points = {
        number: {"eid": f"sec_{number}", "provisions": [f"sec_{number}"], "jurisdiction": "de", "title": title}
        for number in ("3", "6")
    }
    day = datetime.date(2032, 1, 1)
    assert citedness(points, read_citations(f"§ 3 {title}"), day).keys() == {"3"}
    assert citedness(points, read_citations(f"§ 6 {title}"), day).keys() == {"6"}
    assert citedness(points, read_citations("§ 3 und § 6 der Lampenverordnung"), day).keys() == set()


def test_an_article_of_an_act_of_a_country_without_data_is_of_the_act_with_the_number_or_of_none() -> None:
    def article(number: str, law: str) -> dict[str, object]:
        return {"provisions": [f"art_{number}"], "jurisdiction": "pt", "title": f"Lei n.º {law}"}

    points = {"3": article("3", "7/2031"), "4": article("4", "7/2031"), "other": article("3", "17/2031")}
    day = datetime.date(2032, 1, 1)
    assert citedness(points, read_citations("artigo 3.º da Lei n.º 7/2031"), day).keys() == {"3"}
    assert citedness(points, read_citations("artigo 3.º da Lei n.º 8/2031"), day).keys() == set()
    assert citedness(points, read_citations("artigo 3.º"), day).keys() == {"3", "other"}


@pytest.mark.parametrize(
    ("query", "country", "meant"),
    [
        ("§ 3 LampG", "de", {"abbreviation"}),
        ("§ 3 LampG 2031", "de", {"abbreviation"}),
        ("§ 3 LampG 2030", "de", set()),
        ("§ 3 Lampengesetz", "de", {"bracket"}),
        ("§ 3 LV-DFV", "de", {"hyphen"}),
        ("§ 3 lampg", "de", {"abbreviation", "bracket", "hyphen", "other"}),
        ("fyrloven § 3", "no", {"bracket"}),
    ],
)
def test_an_act_is_named_by_the_short_name_that_it_states_itself(query: str, country: str, meant: set[str]) -> None:
    stated = {
        "abbreviation": ("Gesetz über Lampen", "LampG 2031"),
        "bracket": ("Lov om fyr (fyrloven)" if country == "no" else "Gesetz über Licht (Lampengesetz - LiG)", "7"),
        "hyphen": ("Verordnung über den Dienst (LV-DFV)", ""),
        "other": ("Gesetz über Türme", "II 3"),
    }
    points = {
        name: {"provisions": ["sec_3"], "jurisdiction": country, "title": title, "number": number}
        for name, (title, number) in stated.items()
    }
    assert citedness(points, read_citations(query, [country]), datetime.date(2032, 1, 1)).keys() == meant


def test_a_name_of_acts_of_several_countries_means_each_of_them() -> None:
    places = read_citations("section 3 of the Divorce Act").places
    assert CitedPlace((), (), "sec_3") in places, "of any country whose act has this title"
    assert ("/akn/ca/act/d-3.4",) in {place.works for place in places}


@pytest.mark.parametrize("query", ["article 5 de la loi fiscale", "article 5 av lagen", "article 5 des statuts"])
def test_an_article_of_an_act_in_another_language_is_not_one_of_an_english_country(query: str) -> None:
    places = read_citations(query).places
    assert not any(work.startswith("/akn/in/") for place in places for work in place.works)
    assert not any(place.provision == "art_5" and not place.jurisdictions for place in places)


def test_an_article_is_a_section_only_where_the_law_is_also_in_french() -> None:
    places = read_citations("article 49").places
    assert {place.jurisdictions for place in places if place.provision == "sec_49"} == {("ca",)}


def test_a_section_of_an_act_that_the_index_lacks_cites_no_section_of_another_act() -> None:
    payload = {"jurisdiction": "de", "language": "deu", "provisions": ["sec_12"], "eid": "sec_12"}
    points = {"lamp": {**payload, "title": "Lampengesetz (LampG)"}, "port": {**payload, "title": "Hafenordnung"}}
    day = datetime.date(2032, 1, 1)
    assert citedness(points, read_citations("§ 12 LaternG"), day).keys() == set()
    assert citedness(points, read_citations("§ 12 LampG"), day).keys() == {"lamp"}
    assert citedness(points, read_citations("§ 12"), day).keys() == {"lamp", "port"}


@pytest.mark.parametrize(
    "title", ["Ausführung der Verordnung (AB-SBV) (Stand 2030)", "Ausführung (AB‑SBV)", "Ausführung (AB-SBV)"]
)
def test_an_abbreviation_with_a_hyphen_names_the_act_that_states_it(title: str) -> None:
    payload = {"jurisdiction": "ch", "language": "deu", "provisions": ["art_2"]}
    points = {"own": {**payload, "title": title}, "other": {**payload, "title": "Verordnung (SBV)"}}
    found = citedness(points, read_citations("Art. 2 AB-SBV"), datetime.date(2032, 1, 1))
    assert found.keys() == {"own"}


def test_a_known_abbreviation_at_the_beginning_of_a_longer_one_is_not_its_act() -> None:
    assert all(not place.works for place in read_citations("Art. 2 LV-DFV").places)
    assert any(place.works for place in read_citations("Art. 2 LV").places)


@pytest.mark.parametrize(
    ("query", "title", "is_cited"),
    [
        ("s. 25 Data Protection Act", "The Data Protection Act, 2019", True),
        ("section 25 of the Data Protection Act", "Data Protection Act (No. 24 of 2019)", True),
        ("section 25 of the Labour Act", "Labour Act, 2007", True),
        ("s. 25 Data Protection Act 2018", "Data Protection Act, 2019", False),
        ("s. 25 Data Protection Act", "Personal Data Protection Act 2010", False),
        ("section 25 of the Indian Penal Code", "Penal Code", False),
    ],
)
def test_a_provision_of_an_act_that_the_index_lacks_is_that_of_the_act_with_just_this_title(
    query: str, title: str, is_cited: bool
) -> None:
    payload = {"jurisdiction": "ke", "language": "eng", "provisions": ["sec_25"], "eid": "sec_25", "title": title}
    found = citedness({"other": payload}, read_citations(query), datetime.date(2032, 1, 1))
    assert set(found) == ({"other"} if is_cited else set())


def test_the_known_act_comes_before_another_with_its_title() -> None:
    payload = {"language": "eng", "provisions": ["sec_25"], "eid": "sec_25"}
    points = {
        "known": {**payload, "jurisdiction": "gb", "work_uris": ["/akn/gb/act/ukpga/2018/12"]},
        "other": {**payload, "jurisdiction": "ke", "title": "Data Protection Act, 2019"},
    }
    found = citedness(points, read_citations("s. 25 Data Protection Act"), datetime.date(2032, 1, 1))
    assert set(found) == {"known"}


def test_a_number_that_a_law_prints_raised_is_found_as_people_write_it() -> None:
    provisions = {place.provision for place in read_citations("Статья 67.1").places if "rus" in place.languages}
    assert provisions == {"art_67.1", "art_67-1"}
    assert "art_6-2" not in {place.provision for place in read_citations("Article 6.2 GDPR").places}


def test_a_name_and_a_number_may_have_a_comma_between_them() -> None:
    assert [place.provision for place in read_citations("IPC, 302").places] == ["sec_302"]


def test_a_chapter_with_a_letter_is_the_cited_one_however_it_is_written() -> None:
    place = CitedPlace(("/akn/se/act/sfs/2031/1",), containers=("chp_2a",), provision="sec_3")
    payload = {"work_uris": list(place.works), "provisions": ["sec_3"], "eid": "sec_3", "chapter": "2 A"}
    assert is_meant(payload, place)
    assert not is_meant(payload | {"chapter": "2"}, place)


def test_an_act_named_beside_a_number_that_its_country_does_not_read_is_searched_in() -> None:
    places = read_citations("art. 5 arbetsmiljölagen").places
    assert CitedPlace(("/akn/se/act/sfs/1977/1160",)) in [replace(place, works=place.works[:1]) for place in places]


def test_a_regulation_may_be_a_section_in_the_index() -> None:
    places = read_citations("regulation 3(2) of the Working Time Regulations 1998").places
    found = {(place.provision, place.below) for place in places if "/akn/gb/act/uksi/1998/1833" in place.works}
    assert found == {("reg_3", ("subsec_2",)), ("sec_3", ("subsec_2",))}


def test_the_year_of_a_title_is_not_the_number_of_a_rule() -> None:
    assert read_citations("harbour regulations 2031").places == ()


@pytest.mark.parametrize("country", ["Kenya", "Singapore", "California"])
def test_an_act_of_another_country_is_not_that_which_is_known_by_its_name(country: str) -> None:
    """Many countries have a penal code."""
    places = read_citations(f"{country} Penal Code section 203").places
    assert [(place.works, place.provision, place.names_unknown) for place in places] == [((), "sec_203", True)]
    assert {place.works for place in read_citations("Indian Penal Code section 203").places} == {(IPC,)}


def test_a_long_sentence_does_not_ask_for_the_act_that_it_names() -> None:
    words = "lampor " * 12
    assert read_citations(f"SFS 1977:1160 {words}").places != ()
    assert read_citations(f"SFS 1977:1160 {words} fyrar").places == ()


def test_a_word_of_four_letters_beside_a_citation_is_searched_for_and_a_shorter_one_is_not() -> None:
    assert read_citations("3 § arbetsmiljölagen nu och då").is_bare
    assert not read_citations("3 § arbetsmiljölagen krav").is_bare


def test_a_query_with_one_citation_alone_and_others_is_bare_if_all_of_it_is_cited() -> None:
    found = read_citations("2 kap. 3 § och 4 kap. 5 § arbetsmiljölagen")
    assert {place.provision for place in found.places} >= {"sec_3", "sec_5"}
    assert found.is_bare
