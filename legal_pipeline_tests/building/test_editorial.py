"""Remarks of editors in brackets. The remarks are our own."""

from __future__ import annotations

import pytest

from legal_pipeline.building.editorial import is_repeal_remark, read_remark


def test_each_act_of_a_remark_has_the_action_before_it() -> None:
    remark = read_remark("[subs. (2) INSERTED by Act 7 of 2005 and substituted by Act 12/2011]")
    assert remark is not None
    assert remark.subject == "subsection"
    assert [(each.by, each.action) for each in remark.amendments] == [
        ("Act 7 of 2005", "inserted"),
        ("Act 12 of 2011", "substituted"),
    ]


@pytest.mark.parametrize(
    "text", ["[Chapter 28:01]", "[section ınserted by Act 7 of 2005]", "[section inſerted by Act 7 of 2005]"]
)
def test_a_bracket_without_an_action_is_not_a_remark(text: str) -> None:
    assert read_remark(text) is None


@pytest.mark.parametrize(
    ("text", "is_repeal"),
    [
        ("[section amended by Act 3 of 2030 and repealed by Act 5 of 2031]", True),
        ("[section repealed by Act 3 of 2030 and inserted by Act 5 of 2031]", False),
    ],
)
def test_the_last_act_of_a_remark_decides_whether_the_provision_is_repealed(text: str, is_repeal: bool) -> None:
    assert is_repeal_remark(text) is is_repeal


def test_an_act_before_the_first_action_does_not_hide_the_act_behind_it() -> None:
    remark = read_remark("[section of Act 3 of 2030 amended by Act 5 of 2031]")
    assert remark is not None
    assert [(item.by, item.action) for item in remark.amendments] == [("Act 5 of 2031", "amended")]


@pytest.mark.parametrize(
    ("text", "subject", "amendments"),
    [
        ("[Note: see Act 5 of 2031]", "note", []),
        ("[ please note that section 3 was amended by Act 5 of 2031]", "note", []),
        ("[Chapter amended by Act 5 of 2031]", None, []),
        ("[para. deleted by chapter 12:07]", "paragraph", [("Chapter 12:07", "omitted")]),
        ("[paragraph Replaced by Act No. 7A of 2005]", "paragraph", [("Act 7A of 2005", "substituted")]),
    ],
)
def test_a_remark_has_a_subject_and_its_acts_and_a_note_has_none(
    text: str, subject: str | None, amendments: list[tuple[str, str]]
) -> None:
    remark = read_remark(text)
    found = None if remark is None else (remark.subject, [(item.by, item.action) for item in remark.amendments])
    assert found == (None if subject is None else (subject, amendments))


def test_a_paragraph_that_was_deleted_is_repealed() -> None:
    assert is_repeal_remark(" [paragraph deleted by Act 7 of 2005] ")
    assert not is_repeal_remark("[Note: it was deleted by Act 7 of 2005]")
