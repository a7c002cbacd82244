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


def test_a_provision_after_words_of_an_amendment_is_of_the_amended_work() -> None:
    text = "　" * 12 + "항만법 일부를 다음과 같이 개정한다. 제3조 중 등불을 등대로 한다."
    assert _cited(text, "kor", _ACT) == [("제3조", None, "art_3")]
    assert _cited("　" * 12 + "제3조 중 등불", "kor", _ACT) == [("제3조", _ACT.work_uri, "art_3")]


def test_the_label_of_a_provision_is_not_a_citation_and_a_reference_at_a_line_start_is() -> None:
    assert _cited("第三条　灯をともす。", "jpn", CitingDocument("/akn/xx/act/1", "act", [("art_3", 0, 20)])) == []
    assert _cited("第三条の規定は、", "jpn", CitingDocument("/akn/xx/act/1", "act", [("art_3", 0, 20)])) != []


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
