"""A title in a query by the rules of its language."""

from __future__ import annotations

import pytest

from legal_pipeline.retrieval.act_names import title_length
from legal_pipeline.retrieval.titles_by_language import length_in_language


@pytest.mark.parametrize(
    ("code", "title", "query"),
    [
        ("zho", "中华人民共和国灯塔法", "根据灯塔法第三条"),
        ("jpn", "灯台法（令和三年法律第九十号）", "灯台法の第三条"),
        ("kor", "등대법 시행령", "등대법시행령 제3조"),
        ("rus", "Маячный кодекс Российской Федерации", "ст. 8 МК РФ"),
        ("rus", "Федеральный закон «О портовых сборах»", "ст. 4 закона о портовых сборах"),
        ("srp", "Закон о светионицима", "član 4 Zakona o svetionicima"),
        ("heb", "חוק המגדלורים, התשפ״א–2021", "סעיף 3 לחוק המגדלורים"),
        ("tha", "พระราชบัญญัติประภาคาร พ.ศ. ๒๕๖๔", "พ.ร.บ. ประภาคาร มาตรา 5"),
    ],
)
def test_a_query_names_the_title(code: str, title: str, query: str) -> None:
    assert length_in_language(query, title, code) > 0


@pytest.mark.parametrize(
    ("code", "title", "query"),
    [
        ("zho", "灯塔法", "灯塔法实施条例第三条"),
        ("zho", "塔法", "灯塔法第三条"),
        ("jpn", "灯台法", "灯台法施行令第三条"),
        ("kor", "등대법", "등대법시행령 제3조"),
        ("rus", "Уголовный кодекс", "ст. 8 Уголовно-процессуального кодекса"),
        ("deu", "Lampengesetz", "§ 3 Lampengesetz"),
    ],
)
def test_a_part_of_a_longer_name_is_not_the_title(code: str, title: str, query: str) -> None:
    assert length_in_language(query, title, code) == 0


@pytest.mark.parametrize(
    ("code", "title", "query"),
    [
        ("pol", "Ustawa z dnia 4 maja 2031 r. o latarniach", "art. 3 ustawy o latarniach"),
        ("pol", "Ustawa z dnia 4 maja 2031 r. o latarniach", "art. 3 ustawy z 04.05.2031 o latarniach"),
        ("pol", "Ustawa z dnia 4 maja 2031 r. o latarniach", "art. 3 ustawy z 2031 r. o latarniach"),
        ("fra", "Loi du 4 mai 2031 relative aux phares (LPh)", "art. 3 de la loi relative aux phares"),
        ("fra", "LOI N° 31-583 DU 4 MAI 2031 RELATIVE AUX PHARES", "article 3 loi relative aux phares"),
        (
            "fra",
            "Loi du 4 mai 2031 relative aux phares",
            "article 3 de la loi modifiée du 4 mai 2031 relative aux phares",
        ),
        (
            "fra",
            "Loi du 4 mai 2031 portant : 1° création des phares ; 2° autres choses",
            "loi portant création des phares",
        ),
        ("deu", "Bundesgesetz vom 4. Mai 2031 über Leuchttürme (LTG)", "Art. 3 des Bundesgesetzes über Leuchttürme"),
        ("spa", "Ley 7/2031, de 4 de mayo, de los Faros", "artículo 3 de la Ley de los Faros"),
        ("cat", "Llei 7/2031, del 4 de maig, dels fars", "article 3 de la Llei dels fars"),
        ("cat", "Decret 7/2031, del 4-5-2031, dels fars", "article 3 del Decret dels fars"),
        ("por", "Lei n.º 7/2031, de 4 de maio, que regula os faróis", "artigo 3.º da lei que regula os faróis"),
        ("ita", "Legge 4 maggio 2031, n. 7 recante norme sui fari", "art. 3 legge recante norme sui fari"),
        ("ces", "Zákon č. 7/2031 Sb., o majácích", "§ 3 zákona o majácích"),
        ("slk", "Zákon o majákoch", "§ 3 zákona č. 7/2031 Z. z. o majákoch"),
        ("ron", "LEGE nr. 7 din 4 mai 2031 privind farurile", "art. 3 din Legea privind farurile"),
        ("dan", "Lov om fyr", "§ 3 i lov nr. 7 af 04/05/2031 om fyr"),
        ("nob", "Lov om fyr (fyrloven)", "§ 3 lov 4. mai 2031 nr. 7 om fyr"),
        ("lit", "LIETUVOS RESPUBLIKOS ŠVYTURIŲ KODEKSAS", "švyturių kodekso 3 straipsnis"),
        ("est", "Tuletorniseadus", "tuletorniseaduse § 3"),
        ("bul", "Закон за фаровете", "чл. 3 от Закона за фаровете"),
    ],
)
def test_a_query_may_leave_out_the_number_and_the_day_or_name_them(code: str, title: str, query: str) -> None:
    assert title_length(query, title, code) > 0


@pytest.mark.parametrize(
    ("code", "title", "query"),
    [
        ("pol", "Ustawa z dnia 4 maja 2031 r. o latarniach", "art. 3 ustawy z 04.05.2030 o latarniach"),
        ("fra", "Loi du 4 mai 2031", "article 3 de la loi"),
        ("fra", "Loi du 4 mai 2031 relative aux phares", "article 3 de la loi relative aux bouées"),
        ("ron", "LEGE nr. 7 din 4 mai 2031", "art. 3 din lege"),
    ],
)
def test_another_year_is_another_act_and_a_kind_of_act_is_not_a_name(code: str, title: str, query: str) -> None:
    assert title_length(query, title, code) == 0


@pytest.mark.parametrize(
    ("code", "title", "query", "length"),
    [
        ("rus", "Закон о портах", "ст. 4 закона о порту", 3),
        ("rus", "Закон о портах", "ст. 4 закона о портретах", 0),
        ("rus", "Закон о суд", "ст. 4 закона о судах", 0),
        ("rus", "(Закон о маяках)", "ст. 4 закона о маяках", 3),
        ("heb", "חוק המגדלורים", "סעיף 3 לחוק המגדלור", 0),
        ("pol", "Kodeks karny", "art. 5 KK", 0),
        ("rus", "Кодекс", "ст. 8 К РФ", 0),
        ("rus", "", "ст. 8 МК РФ", 0),
        ("", "Lamps Act", "s. 8 Lamps Act", 0),
    ],
)
def test_only_the_endings_of_long_words_differ_and_only_where_the_language_has_them(
    code: str, title: str, query: str, length: int
) -> None:
    assert length_in_language(query, title, code) == length
