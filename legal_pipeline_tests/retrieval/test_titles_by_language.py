"""A title in a query by the rules of its language."""

from __future__ import annotations

import pytest

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
