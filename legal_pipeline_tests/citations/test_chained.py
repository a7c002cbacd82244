"""Citations of languages that print a sign before a number and a word behind it."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.by_language import language_readers, of_language, reader_of

_ACT = CitingDocument(
    "/akn/xx/act/1",
    "act",
    [("art_1", 0, 10), ("art_2", 10, 400), ("art_2__subsec_1", 10, 200), ("art_3", 400, 500), ("art_4", 500, 600)],
)


def _cited(text: str, code: str, document: CitingDocument | None = None) -> list[tuple[str, str | None, str | None]]:
    reader = of_language(code)
    assert reader is not None
    return [(found.raw, found.work_uri, found.eid) for found in find(text, reader, document)]


def test_a_level_alone_is_of_the_citing_provision_or_of_the_one_cited_last() -> None:
    own = _ACT.work_uri
    assert _cited(f"{'　' * 12}第一項の規定", "jpn", _ACT) == [("第一項", own, "art_2__subsec_1")]
    assert _cited(f"{'　' * 12}第三条及び同条第二項の規定", "jpn", _ACT)[1] == ("同条第二項", own, "art_3__subsec_2")
    assert _cited(f"{'　' * 12}前条第一項の規定", "jpn", _ACT) == []


def test_an_article_may_be_inserted_behind_one_that_is_inserted() -> None:
    assert _cited("灯台法第三条の二の三第一項", "jpn") == [("第三条の二の三第一項", None, "art_3-2-3__subsec_1")]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("jpn", "灯台法第三条、第五条及び第七条", ["art_3", "art_5", "art_7"]),
        ("jpn", "灯台法第三条第一項及び第二項", ["art_3__subsec_1", "art_3__subsec_2"]),
        ("jpn", "灯台法第三条第一項第一号及び第三項", ["art_3__subsec_1__item_1", "art_3__subsec_3"]),
        ("jpn", "灯台法第三条第二項、第五条第一項及び第三項", ["art_3__subsec_2", "art_5__subsec_1", "art_5__subsec_3"]),
        ("kor", "등대법 제3조제1항 및 제2항", ["art_3__subsec_1", "art_3__subsec_2"]),
        ("zho", "灯塔法第三条第一款和第二款", ["art_3__subsec_1", "art_3__subsec_2"]),
    ],
)  # fmt: skip
def test_an_entry_of_a_list_has_the_levels_above_it_that_the_entry_before_has(
    code: str, text: str, expected: list[str]
) -> None:
    assert [eid for _, _, eid in _cited(text, code)] == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("jpn", "灯台法第三条から第五条まで", ["art_3", "art_4", "art_5"]),
        ("jpn", "灯台法第三条から第五条", ["art_3", "art_4", "art_5"]),
        ("kor", "등대법 제3조의2부터 제3조의4까지", ["art_3-2", "art_3-3", "art_3-4"]),
        (
            "jpn",
            "灯台法第三条第一項第二号から第四号まで",
            [f"art_3__subsec_1__item_{number}" for number in (2, 3, 4)],
        ),
        # the numbers between provisions of different levels are not known
        ("jpn", "灯台法第三条第一項から第五条まで", ["art_3__subsec_1", "art_5"]),
        ("jpn", "灯台法第三条第一項から第五条第三項まで", ["art_3__subsec_1", "art_5__subsec_3"]),
    ],
)
def test_a_range_has_the_numbers_between_its_ends_and_all_of_its_words(
    code: str, text: str, expected: list[str]
) -> None:
    found = _cited(text, code)
    assert [eid for _, _, eid in found] == expected
    assert {raw for raw, _, _ in found} == {text[text.index("第" if code == "jpn" else "제") :]}


def test_what_does_not_follow_directly_is_no_entry_of_the_list_and_of_no_other_work() -> None:
    own = _ACT.work_uri
    for text, work in (("まず灯台法第一条及び第三条", None), ("まず灯台法第一条の灯及び第三条", own)):
        assert _cited(f"{'　' * 12}{text}", "jpn", _ACT) == [("第一条", None, "art_1"), ("第三条", work, "art_3")]
    # an article is not below the level that begins a list
    assert _cited(f"{'　' * 12}第三条及び同条第二項、第四条", "jpn", _ACT)[-1] == ("第四条", own, "art_4")


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("kor", "민법 제750조 1항", "art_750__subsec_1"),
        ("jpn", "民法七百九条一項二号", "art_709__subsec_1__item_2"),
        # only articles are inserted behind others
        ("jpn", "灯台法第三条第二項の二", "art_3__subsec_2"),
    ],
)
def test_the_levels_behind_an_article_need_no_sign_and_are_not_inserted(code: str, text: str, expected: str) -> None:
    assert [eid for _, _, eid in _cited(text, code)] == [expected]


def test_a_list_goes_on_behind_a_range() -> None:
    raws = [(raw, eid) for raw, _, eid in _cited("灯台法第三条から第五条まで及び第七条", "jpn")]
    assert raws == [*(("第三条から第五条まで", f"art_{number}") for number in (3, 4, 5)), ("第七条", "art_7")]


def test_a_provision_after_words_of_an_amendment_is_of_the_amended_work() -> None:
    text = "　" * 12 + "항만법 일부를 다음과 같이 개정한다. 제3조 중 등불을 등대로 한다."
    assert _cited(text, "kor", _ACT) == [("제3조", None, "art_3")]
    assert _cited("　" * 12 + "제3조 중 등불", "kor", _ACT) == [("제3조", _ACT.work_uri, "art_3")]


def test_the_label_of_a_provision_is_not_a_citation_and_a_reference_at_a_line_start_is() -> None:
    assert _cited("第三条　灯をともす。", "jpn", CitingDocument("/akn/xx/act/1", "act", [("art_3", 0, 20)])) == []
    for text in ("第三条の規定は、", "第三条、第四条　", "第三条第一項　"):
        assert _cited(text, "jpn", CitingDocument("/akn/xx/act/1", "act", [("art_3", 0, 20)])) != []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("zho", "第三次会议有十条意见"),
        ("jpn", "第三者が十条駅に着いた"),
        ("kor", "예산은 5조 원이다"),
        ("rus", "часть 2 договора, пункт выдачи 3"),
        ("tha", "มี 20 หน้า"),
    ],
)
def test_numbers_that_are_no_citation_are_left_out(code: str, text: str) -> None:
    assert _cited(text, code) == []


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("kor", "이 경우 민법 750조를 적용한다", "art_750"),
        ("jpn", "民法七百九条を適用する", "art_709"),
        ("zho", "依照民法典五百条", "art_500"),
    ],
)
def test_an_article_directly_behind_a_law_needs_no_sign(code: str, text: str, expected: str) -> None:
    assert [eid for _, _, eid in _cited(text, code)] == [expected]


def test_a_country_with_a_grammar_reads_its_own_texts_and_others_are_read_by_language() -> None:
    assert reader_of("se", "rus").code == "se"
    assert reader_of("xx", "rus") is reader_of("kz", "rus") is of_language("rus")
    assert of_language("deu") is None
    assert len(language_readers()) == 11
