"""Citations of countries that are data alone, as their lawyers write them: one or two of each, of our own making."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.entities import find_entities
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.countries import country_named, country_of_law
from legal_pipeline.jurisdictions.jurisdiction import countries, jurisdiction

GDPR = "/akn/eu/act/regulation/2016/679"


@pytest.mark.parametrize(
    ("code", "text", "work", "eid"),
    [
        ("eu", "Article 6(1)(f) GDPR", GDPR, "art_6__subsec_1__para_f"),
        ("eu", "Art. 6 Abs. 1 lit. f DSGVO", GDPR, "art_6__subsec_1__item_f"),
        ("eu", "artikel 6.1 f dataskyddsförordningen", GDPR, "art_6__subsec_1__item_f"),
        ("eu", "artikel 6.1 i dataskyddsförordningen", GDPR, "art_6__subsec_1"),
        ("eu", "point (f) of Article 6(1) of Regulation (EU) 2016/679", GDPR, "art_6__subsec_1__item_f"),
        ("eu", "l'article 6, paragraphe 1, point f), du RGPD", GDPR, "art_6__subsec_1__item_f"),
        ("eu", "recital 47 of Regulation (EU) 2016/679", GDPR, "rec_47"),
        ("eu", "Annex I to Regulation (EU) No 596/2014", "/akn/eu/act/regulation/2014/596", "sched_i"),
        ("eu", "the act 32014R0910", "/akn/eu/act/regulation/2014/910", None),
        ("gb", "under s. 170(1) DPA 2018", "/akn/gb/act/ukpga/2018/12", "sec_170__subsec_1"),
        ("gb", "para. 5 of Sch. 1 to the DPA 2018", "/akn/gb/act/ukpga/2018/12", "sched_1__para_5"),
        ("gb", "in [2017] EWHC 3364 (Admin)", "/akn/gb/judgment/ewhc-admin/2017/3364", None),
        ("gb", "s. 2 of the Lighthouses (Scotland) Act 2010 (2010 asp 13)", "/akn/gb-sct/act/asp/2010/13", "sec_2"),
        ("gb", "section 3 of 2021 asc 1", "/akn/gb-wls/act/asc/2021/1", "sec_3"),
        ("gb", "as amended by 2011 nawm 3", "/akn/gb-wls/act/mwa/2011/3", None),
        ("gb", "under 2011 c. 9 (N.I.)", "/akn/gb-nir/act/nia/2011/9", None),
        ("gb", "under 1954 c. 33 (N.I.)", "/akn/gb-nir/act/apni/1954/33", None),
        ("gb", "article 4 of S.I. 1986/595 (N.I. 4)", "/akn/gb-nir/act/nisi/1986/595", "art_4"),
        ("gb", "regulation 5 of S.S.I. 2012/89", "/akn/gb-sct/act/ssi/2012/89", "reg_5"),
        ("gb", "regulation 5 of SI 2019/419", "/akn/gb/act/uksi/2019/419", "reg_5"),
        ("ch", "l'art. 12 Cst.", "/akn/ch/act/1999/404", "art_12"),
        ("ch", "nach Art. 8 Abs. 2 BV", "/akn/ch/act/1999/404", "art_8__subsec_2"),
        ("no", "etter straffeloven § 321 annet ledd", "/akn/no/act/lov/2005-05-20/28", "sec_321__subsec_2"),
        ("no", "lov 20. mai 2005 nr. 28 om straff § 321", "/akn/no/act/lov/2005-05-20/28", "sec_321"),
        ("nl", "volgens art. 3:40 BW", "/akn/nl/act/bwbr0005291", "art_40"),
        ("nl", "in art. 8:1 Awb", "/akn/nl/act/bwbr0005537", "art_8-1"),
        ("dk", "efter straffelovens § 244, stk. 1", "/akn/dk/act/lta/1930/126", "sec_244__subsec_1"),
        ("fi", "sekä perustuslain 10 §:n 2 momentin", "/akn/fi/act/1999/731", "sec_10__subsec_2"),
        ("fi", "laki 412/1974 2 luvun 1 §", "/akn/fi/act/1974/412", "chp_2__sec_1"),
        ("fi", "rikoslain 21 luvun 1 ja 2 §:ssä", "/akn/fi/act/1889/39-001", "chp_21__sec_2"),
        (
            "fi",
            "rikoslain 21 luvun 3 a §:n 2 momentin 3 kohta",
            "/akn/fi/act/1889/39-001",
            "chp_21__sec_3a__subsec_2__item_3",
        ),
        ("dk", "lov nr. 502 af 23/05/2018 § 5", "/akn/dk/act/lta/2018/502", "sec_5"),
        ("dk", "§ 3 i LBK nr 1145 af 14/12/2023", "/akn/dk/act/lta/2023/1145", "sec_3"),
        ("ie", "in section 3(1) of the Data Protection Act 2018", "/akn/ie/act/2018/7", "sec_3__subsec_1"),
        ("be", "volgens art. 5.69 BW", "/akn/be/act/loi/2022-04-28/2022a32058", "art_5.69"),
        ("be", "volgens art. 1382 oud BW", "/akn/be/act/loi/1804-03-21/1804032150", "art_1382"),
        ("lu", "l'article 11 de la Constitution", "/akn/lu/act/constitution/1868-10-17/n1", "art_11"),
        ("at", "nach § 1295 Abs. 1 ABGB", "/akn/at/act/10001622", "sec_1295__subsec_1"),
        ("cz", "podle čl. 10 odst. 2 Ústavy", "/akn/cz/act/1993/1", "art_10__subsec_2"),
        ("sk", "podľa zákona č. 300/2005 Z. z.", "/akn/sk/act/2005/300", None),
        ("sk", "podľa § 2 zákona č. 455/1991 Zb.", "/akn/sk/act/1991/455", "sec_2"),
        ("sk", "§ 12 zákona 311/2001", "/akn/sk/act/2001/311", "sec_12"),
        ("sk", "§ 2 vyhl. č. 240/2016 Z.z.", "/akn/sk/act/2016/240", "sec_2"),
        ("cz", "§ 12 zákona 89/2012", "/akn/cz/act/2012/89", "sec_12"),
        ("cz", "dle § 12 zák. č. 89/2012 Sb.", "/akn/cz/act/2012/89", "sec_12"),
        ("pl", "na podstawie art. 148 § 1 k.k.", "/akn/pl/act/du/1997/553", "art_148__subsec_1"),
        ("lv", "saskaņā ar Satversmes 91. panta pirmo daļu", "/akn/lv/act/likumi/57980", "art_91__subsec_1"),
        ("ca", "s. 91(2) of the Constitution Act, 1867", "/akn/ca/act/constitution/1867", "sec_91__subsec_2"),
        ("ca", "R.S.C. 1985, c. C-46, s. 718.2(e)", "/akn/ca/act/c-46", "sec_718.2__para_e"),
        ("ca", "RSC 1985, c C-46, s 718.2(e)", "/akn/ca/act/c-46", "sec_718.2__para_e"),
        ("ca", "SOR/96-433, s. 4", "/akn/ca/act/sor/96-433", "sec_4"),
        ("ca", "l’art. 718.2 du Code criminel", "/akn/ca/act/c-46", "sec_718.2"),
        ("ca", "l’alinéa 718.2e) du Code criminel", "/akn/ca/act/c-46", "sec_718.2__para_e"),
        (
            "ca",
            "le sous-alinéa 8(1)b)(ii) de la Loi sur les brevets",
            "/akn/ca/act/p-4",
            "sec_8__subsec_1__para_b__item_ii",
        ),
        ("ca", "L.R.C. (1985), ch. A-1, par. 4(1)", "/akn/ca/act/a-1", "sec_4__subsec_1"),
        ("ca", "paragraph 7(1)(a) of the Privacy Act", "/akn/ca/act/p-21", "sec_7__subsec_1__para_a"),
        ("ca", "s. 7 of the Charter", "/akn/ca/act/constitution/1982", "sec_7"),
        ("ca", "section B.01.001 of C.R.C., c. 870", "/akn/ca/act/crc/870", "sec_b.01.001"),
        ("ca", "section 4 of the Harbour Lamps Regulations, SOR/96-332", "/akn/ca/act/sor/96-332", "sec_4"),
        ("ca", "l’article 4 du Règlement sur les ports (DORS/96-332)", "/akn/ca/act/sor/96-332", "sec_4"),
        ("ca", "S.C. 2019, c. 10, s. 5", "/akn/ca/act/2019/10", "sec_5"),
        ("ca", "in 2015 CSC 5", "/akn/ca/judgment/scc/2015/5", None),
        ("cl", "el artículo 19 de la Constitución", "/akn/cl/act/242302", "art_19"),
        ("be", "l'article 1er de la Constitution", "/akn/be/act/constitution/1994-02-17", "art_1"),
        ("be", "l'article premier de la Constitution", "/akn/be/act/constitution/1994-02-17", "art_1"),
        ("lu", "l'article 1er de la Constitution", "/akn/lu/act/constitution/1868-10-17/n1", "art_1"),
        ("ch", "l'art. 1er Cst.", "/akn/ch/act/1999/404", "art_1"),
        ("eu", "l'article premier, paragraphe 2, du RGPD", GDPR, "art_1__subsec_2"),
        ("fr", "les articles 1er à 3 du code civil", "/akn/fr/act/code/code-civil", "art_3"),
        ("ad", "l'article 1r de la Constitució", "/akn/ad/act/constitucio/1993", "art_1"),
        ("co", "los artículos 1o. y 2o. de la Ley 1581 de 2012", "/akn/co/act/ley/2012/1581", "art_2"),
        ("co", "los artículos primero y segundo de la Ley 1581 de 2012", "/akn/co/act/ley/2012/1581", "art_2"),
        ("co", "el artículo 5o bis de la Ley 1581 de 2012", "/akn/co/act/ley/2012/1581", "art_5bis"),
        ("ar", "el artículo 1.º de la Ley 25.326", "/akn/ar/act/ley/25326", "art_1"),
        ("cl", "el artículo 4 de la ley N° 18.700", "/akn/cl/act/ley/18700", "art_4"),
        ("pl", "art. 6 ust. 1 lit. f RODO", GDPR, "art_6__subsec_1__item_f"),
        ("pl", "art. 148 § 1 k.k. oraz § 2", "/akn/pl/act/du/1997/553", "art_148__subsec_2"),
        ("pl", "§ 3 ust. 1 rozporządzenia Ministra Latarni", None, "sec_3__subsec_1"),
        ("ee", "VÕS § 208 lg 1 p 2", "/akn/ee/act/vos", "sec_208__subsec_1__item_2"),
        ("ee", "TsÜS-i § 86", "/akn/ee/act/tsus", "sec_86"),
        ("ee", "PS § 12", "/akn/ee/act/pohiseadus", "sec_12"),
        ("ro", "art. 1.349 alin. (1) din Codul civil", "/akn/ro/act/lege/2009/287", "art_1.349__subsec_1"),
        ("no", "lov 10. februar 1967 om fyr § 17", "/akn/no/act/lov/1967-02-10", "sec_17"),
        ("dk", "straffelovens §§ 36 og 38 c. Det", "/akn/dk/act/lta/1930/126", "sec_38c"),
    ],
)
def test_a_citation_names_the_provision_of_its_work(code: str, text: str, work: str | None, eid: str | None) -> None:
    found = find(f"Siehe {text}", jurisdiction(code))
    assert (work, eid) in {(reference.work_uri, reference.eid) for reference in found}


def test_a_paragraph_of_a_contract_is_not_a_provision() -> None:
    assert find("Leien følger av § 4 i leiekontrakten.", jurisdiction("no")) == []
    assert find("as stated in schedule 2 to the contract.", jurisdiction("gb")) == []


def test_a_decree_without_its_collection_may_be_that_of_a_town() -> None:
    assert find("podle vyhlášky č. 5/2003 města", jurisdiction("cz")) == []
    assert find("podľa vyhlášky č. 5/2003 mesta", jurisdiction("sk")) == []


@pytest.mark.parametrize(
    ("code", "text", "eids"),
    [
        ("be", "l'article 174, alinéa 1er, deuxième phrase", ["art_174__subsec_1"]),
        ("fr", "l'article premier bis du code civil", [None]),
        ("cl", "el artículo primero transitorio y el artículo 3° transitorio", []),
        ("co", "los artículos 5, segundo supuesto, y 7", ["art_5"]),
    ],
)
def test_a_number_word_that_counts_something_else_is_not_an_article(
    code: str, text: str, eids: list[str | None]
) -> None:
    assert [reference.eid for reference in find(f"Siehe {text}", jurisdiction(code))] == eids


def test_acts_of_the_union_are_read_in_texts_of_states() -> None:
    for code, text in (("de", "nach Art. 5 Abs. 1 lit. a DSGVO"), ("no", "etter GDPR artikkel 5 nr. 1 bokstav a")):
        (found,) = find(text, jurisdiction(code))
        assert (found.work_uri, found.eid) == (GDPR, "art_5__subsec_1__item_a")


def test_the_data_of_every_country_compile() -> None:
    for country in countries():
        assert country.scanner is None or list(country.scanner("")) == []


def test_courts_without_patterns_are_found_by_their_names() -> None:
    text = "The Supreme Court of the United Kingdom allowed the appeal."
    (court,) = find_entities(text, jurisdiction("gb"), "eng", ())
    assert court == (4, 39, "courts", "Supreme Court of the United Kingdom")


@pytest.mark.parametrize(
    "text", ["TÜRKİYE CUMHURİYETİ ANAYASASI", "Türkiye Cumhuriyeti Anayasası", "Republic of TURKEY"]
)
def test_a_country_is_named_in_turkish_capitals(text: str) -> None:
    assert country_named(text) == "tr"


def test_a_word_with_another_i_is_not_the_name_of_a_country() -> None:
    assert country_named("Malı olan herkes bildirir. Mali Malı.") == "ml"
    assert country_named("Malı olan herkes bildirir.") is None


def test_the_country_that_a_text_names_most_often_is_its_own_and_the_first_of_two() -> None:
    assert country_named("Ships from Norway pay in Kenya. Kenya keeps the lamps.") == "ke"
    assert country_named("Ships from Norway pay in Kenya.") == "no"
    assert country_named("The china in the harbour.") is None


@pytest.mark.parametrize(
    ("text", "language", "country"),
    [
        ("Die Lampe brennt in Deutschland. Jede deutsche Lampe zählt.", "deu", "de"),
        ("Die Lampe brennt in Österreich. Jede österreichische Lampe zählt.", "deu", "at"),
        ("A luz de Brasil. O farol do Brasil brilha.", "por", "br"),
        ("Le phare de la Guinée brûle, en Guinée et en Guinée. La langue française.", "fra", "gn"),
        ("Lanternele din România ard. Farul românesc arde în România.", "ron", "ro"),
        ("The lamps of Kenya burn in Kenya.", "eng", "ke"),
        # laws of members name their union, and a ferry law the countries where the ships come from
        ("Fyren i Sverige. En svensk fyr. Europeiska unionen, EU, EU, EU, EU.", "swe", "se"),
        ("Ships from Kenya and of Kenya, from Uganda.", "eng", None),
        ("The lamps burn in Kenya.", "eng", None),
        # a country in which nobody speaks the language of the law
        ("Les phares du Zimbabwe brûlent au Zimbabwe.", "fra", None),
        ("The keeper lights the lamp.", "eng", None),
        # English adjectives of peoples and places in other countries
        ("A child of an Indian tribe. The Indian tribe, the Indian child.", "eng", None),
        ("The lamps of Spanish Fork burn in Utah, and Spanish Fork City in Utah is dark. Utah.", "eng", "us"),
        ("Las leyes españolas y los faros españoles rigen aún.", "spa", None),
        ("Indian lamps burn in India, and Indian lamps are bright.", "eng", "in"),
        # scripts without spaces between words
        ("在中华人民共和国点灯，中华人民共和国的灯塔。", "zho", "cn"),
        ("বাংলাদেশের বাতিঘর এবং বাংলাদেশ সরকার।", "ben", "bd"),
        ("대한민국의 등대와 대한민국에서 켜는 등.", "kor", "kr"),
    ],
)
def test_a_law_is_of_the_country_that_it_names_far_more_often_than_others(
    text: str, language: str, country: str | None
) -> None:
    assert country_of_law(text, language) == country
