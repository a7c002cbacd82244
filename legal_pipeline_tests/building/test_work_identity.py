"""URIs of publishers name works; ids of works carry the language where it is not the country's first."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import in_language, languages, read_work_uri
from legal_pipeline.jurisdictions.jurisdiction import countries
from legal_pipeline.languages.language import codes
from legal_pipeline.model.identity import MAX_ID_CHARS
from legal_pipeline.parsing.registry import parse


@pytest.mark.parametrize(
    ("uri", "work", "kind", "number"),
    [
        ("/akn/za/act/1979/70", "/akn/za/act/1979/70", "act", "Act 70 of 1979"),
        ("/akn/zm/act/1979", "/akn/zm/act/1979", "act", "1979"),
        ("/akn/zm/act/main", "/akn/zm/act/main", "act", "main"),
        ("/akn/za/act/constitution/1996/108", "/akn/za/act/constitution/1996/108", "constitution", "constitution 108 of 1996"),
        ("/akn/za/act/1996/constitution", "/akn/za/act/1996/constitution", "constitution", "constitution"),
        ("/akn/za/act/Regulation/1996/8", "/akn/za/act/Regulation/1996/8", "regulation", "Regulation 8 of 1996"),
        ("/akn/za/act/1996/regulation", "/akn/za/act/1996/regulation", "act", "regulation"),
        ("/akn/za/GN/1996/8", "/akn/za/GN/1996/8", "regulation", "GN 8 of 1996"),
        ("/akn/za/act/1996-05-04/8", "/akn/za/act/1996-05-04/8", "act", "Act 8 of 1996"),
        ("/akn/gb/act/wales/wsi/2031/7", "/akn/gb/act/wales/wsi/2031/7", "regulation", "wales 7 of 2031"),
        ("https://zimlii.org/en/akn/zw/act/1999/12", "/akn/zw/act/1999/12", "act", "Act 12 of 1999"),
        ("/zw/act/si/1999/12", "/akn/zw/act/si/1999/12", "regulation", "si 12 of 1999"),
        ("/akn/za-cpt/act/by-law/2013/canals", "/akn/za-cpt/act/by-law/2013/canals", "regulation", "canals"),
        ("/akn/za-cpt/by-law/2013/4", "/akn/za-cpt/by-law/2013/4", "regulation", "by-law 4 of 2013"),
        ("/akn/tz/act/government-notice/1990/55", "/akn/tz/act/government-notice/1990/55", "regulation",
         "government-notice 55 of 1990"),
        ("https://fedlex.data.admin.ch/eli/cc/2019/77/20240303/main-text", "/akn/ch/act/2019/77", "act", "Act 77 of 2019"),
        ("https://www.fedlex.admin.ch/eli/oc/2019/77/fr", "/akn/ch/act/2019/77", "act", "Act 77 of 2019"),
        ("/akn/fi/act/statute-consolidated/2001/55/fin@20180817/!main", "/akn/fi/act/2001/55", "act", "55/2001"),
        ("http://data.finlex.fi/eli/sd/2001/55/ajantasa/2018-10-05/swe", "/akn/fi/act/2001/55", "act", "55/2001"),
        ("http://data.legilux.public.lu/eli/etat/leg/rgd/2020/01/02/a1/jo", "/akn/lu/act/reglement-grand-ducal/2020-01-02/a1",
         "regulation", "a1"),
        ("https://caselaw.nationalarchives.gov.uk/id/ewhc/ch/2019/7", "/akn/gb/judgment/ewhc-ch/2019/7", "judgment", "7"),
        ("https://caselaw.nationalarchives.gov.uk/uksc/2019/7", "/akn/gb/judgment/uksc/2019/7", "judgment", "7"),
        ("https://lovdata.no/eli/lov/2005/05/20/28", "/akn/no/act/lov/2005-05-20/28", "act", "lov 2005-05-20 nr. 28"),
        ("https://lovdata.no/dokument/NL/lov/1967-02-10", "/akn/no/act/lov/1967-02-10", "act", "lov 1967-02-10"),
        ("http://www.legislation.gov.uk/id/uksi/2001/9", "/akn/gb/act/uksi/2001/9", "regulation", "uksi 9 of 2001"),
        ("https://www.legislation.gov.uk/ukpga/Geo6/11-12/66", "/akn/gb/act/ukpga/geo6/11-12/66", "act", "66"),
        ("https://www.ejustice.just.fgov.be/eli/wet/2022/04/28/2022A32058/justel", "/akn/be/act/loi/2022-04-28/2022a32058", "act",
         "loi 2022-04-28/2022A32058"),
        ("https://www.legislation.gov.uk/asp/2010/13/section/2", "/akn/gb-sct/act/asp/2010/13", "act", "asp 13 of 2010"),
        ("https://www.legislation.gov.uk/asc/2021/1", "/akn/gb-wls/act/asc/2021/1", "act", "asc 1 of 2021"),
        ("https://www.legislation.gov.uk/id/nia/2011/9", "/akn/gb-nir/act/nia/2011/9", "act", "nia 9 of 2011"),
        ("https://www.legislation.gov.uk/apni/1954/33", "/akn/gb-nir/act/apni/1954/33", "act", "apni 33 of 1954"),
        ("https://www.legislation.gov.uk/ssi/2012/89", "/akn/gb-sct/act/ssi/2012/89", "regulation", "ssi 89 of 2012"),
        ("http://data.europa.eu/eli/dir/2003/88/oj", "/akn/eu/act/directive/2003/88", "act", "directive 2003/88"),
        ("32003L0088", "/akn/eu/act/directive/2003/88", "act", "directive 2003/88"),
        ("32002F0999", "/akn/eu/act/decision/2002/999", "act", "decision 2002/999"),
        ("02008E0999-20100101", "/akn/eu/act/decision/2008/999", "act", "decision 2008/999"),
        ("http://data.europa.eu/eli/joint_action/2008/999/oj", "/akn/eu/act/decision/2008/999", "act", "decision 2008/999"),
        ("http://data.europa.eu/eli/dec_framw/2002/999/oj", "/akn/eu/act/decision/2002/999", "act", "decision 2002/999"),
        ("http://data.europa.eu/eli/reco/2003/361/oj", "/akn/eu/act/recommendation/2003/361", "act", "recommendation 2003/361"),
        ("32003H0361", "/akn/eu/act/recommendation/2003/361", "act", "recommendation 2003/361"),
        ("https://eur-lex.europa.eu/legal-content/SV/TXT/?uri=CELEX:62012CJ0131", "/akn/eu/judgment/cjeu/c-131-12",
         "judgment", "C-131/12"),
    ],
)  # fmt: skip
def test_a_uri_names_its_work(uri: str, work: str, kind: str, number: str) -> None:
    found = read_work_uri(uri)
    assert found is not None
    assert (found.work_uri, found.doc_type, found.number) == (work, kind, number)


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.org/id/court/2017/83",
        "/id/court/2017/83",
        "/no/2020/1",
        "https://example.org/de/eli/cc/1999/1",
        "",
        "act",
    ],
)
def test_the_first_segment_of_a_path_is_not_taken_for_a_country(uri: str) -> None:
    assert read_work_uri(uri) is None


@pytest.mark.parametrize(
    ("uri", "language", "date"),
    [
        ("/akn/za/act/1979/70/afr@2020-10-22", "afr", "2020-10-22"),
        ("https://fedlex.data.admin.ch/eli/cc/2019/77/20240303/it", "ita", "2024-03-03"),
        ("https://www.legislation.gov.uk/anaw/2014/4/2020-01-31/welsh", "cym", "2020-01-31"),
        ("http://data.europa.eu/eli/reg/2016/679/2016-05-04/swe", "swe", "2016-05-04"),
        ("02014R0910-20241018", None, "2024-10-18"),
        ("/akn/fi/act/statute-consolidated/2001/55/fin@20180817", "fin", None),
    ],
)
def test_a_uri_of_an_expression_names_language_and_date(uri: str, language: str | None, date: str | None) -> None:
    found = read_work_uri(uri)
    assert found is not None
    assert (found.language, found.date) == (language, date)


def test_only_other_languages_than_the_first_are_suffixes() -> None:
    assert in_language("ch-act-1999-404", "ch", "deu") == "ch-act-1999-404"
    assert in_language("ch-act-1999-404", "ch", "ita") == "ch-act-1999-404-ita"
    assert in_language("ch-act-1999-404-ita", "ch", "ita") == "ch-act-1999-404-ita"
    assert in_language("ch-act-1999-404", "ch", "und") == "ch-act-1999-404"
    assert in_language("xx-act-1", "xx", "ita") == "xx-act-1"
    assert len(in_language("a" * MAX_ID_CHARS, "ch", "ita")) == MAX_ID_CHARS


def test_languages_of_all_countries_are_codes_of_three_letters() -> None:
    known = {*codes().values(), "roh", "nob", "nno", "sot", "ssw", "ltz", "mlt", "kin"}
    for country in countries():
        assert set(languages(country.code)) <= known, country.code


def test_one_act_in_two_languages_is_two_documents_of_one_work() -> None:
    xml = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><meta><identification source="#x">
    <FRBRWork><FRBRuri value="/akn/za/act/2013/4"/></FRBRWork>
    <FRBRExpression><FRBRuri value="/akn/za/act/2013/4/{0}@2014-01-02"/>
    <FRBRlanguage language="{0}"/></FRBRExpression></identification></meta>
    <body><section eId="sec_1"><num>1.</num><content><p>{1}</p></content></section></body></act></akomaNtoso>"""
    english, afrikaans = (
        parse(SourceFile("canals.xml", xml.format(language, text).encode()))
        for language, text in (("eng", "A barge pays."), ("afr", "’n Skuit betaal."))
    )
    assert (english.document_id, afrikaans.document_id) == ("za-act-2013-4", "za-act-2013-4-afr")
    assert english.work_uri == afrikaans.work_uri == "/akn/za/act/2013/4"


@pytest.mark.parametrize(
    ("year", "number"),
    [("1964", "40/1964 Zb."), ("1992", "40/1992 Zb."), ("1993", "40/1993 Z. z."), ("2031", "40/2031 Z. z.")],
)
def test_a_slovak_act_has_the_collection_of_its_year(year: str, number: str) -> None:
    work = read_work_uri(f"https://www.slov-lex.sk/pravne-predpisy/SK/ZZ/{year}/40/")
    assert work is not None
    assert (work.work_uri, work.number) == (f"/akn/sk/act/{year}/40", number)


def test_a_press_summary_is_another_document_than_its_judgment() -> None:
    judgment = read_work_uri("https://caselaw.nationalarchives.gov.uk/id/uksc/2022/14")
    summary = read_work_uri("https://caselaw.nationalarchives.gov.uk/id/uksc/2022/14/press-summary/1")
    assert judgment is not None
    assert summary is not None
    assert judgment.document_id == "gb-judgment-uksc-2022-14"
    assert (summary.document_id, summary.doc_type) == ("gb-doc-press-summary-uksc-2022-14-1", "other")


@pytest.mark.parametrize("uri", ["/akn/za/judgement/2008/53-07", "/za/judgement/2008/53-07/main"])
def test_a_judgement_in_the_other_spelling_is_a_judgment(uri: str) -> None:
    work = read_work_uri(uri)
    assert work is not None
    assert (work.document_id, work.doc_type) == ("za-judgment-2008-53-07", "judgment")
