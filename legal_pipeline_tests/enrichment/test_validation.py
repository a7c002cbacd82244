"""Which answers may be used."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.enrichment import validation
from legal_pipeline.enrichment.answer_schema import SCHEMAS, mismatch
from legal_pipeline.enrichment.enricher import Generator, Task
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import a_prefix

BY = Generator("model", "1")


def prefixes(*pairs: tuple[str, str]) -> validation.Checked[Any]:
    answer = {"prefixes": [{"chunk_id": name, "prefix": text} for name, text in pairs]}
    return validation.check_prefixes(answer, ["a", "b"], document_id="d", generator=BY)


def test_a_prefix_has_fifty_to_a_hundred_tokens() -> None:
    good = a_prefix({"preview": "x"})
    words = good.split()
    assert 50 <= count_tokens(good) <= 100
    assert set(prefixes(("a", good), ("b", " ".join(words[:20]))).rejected) == {"b"}
    assert set(prefixes(("a", good), ("b", f"{good} {good}")).rejected) == {"b"}
    assert "tokens" in prefixes(("a", good), ("b", "short")).rejected["b"]


def test_a_prefix_is_one_line_without_control_characters() -> None:
    good = a_prefix({"preview": "x"})
    checked = prefixes(("a", good.replace(" ", "\n", 3) + "\0\ud83d"), ("b", good))
    assert checked.accepted["a"].text == good


def test_every_id_that_was_asked_for_is_accepted_or_rejected_and_no_other() -> None:
    good = a_prefix({"preview": "x"})
    checked = prefixes(("a", good), ("unknown", good))
    assert set(checked.accepted) == {"a"}
    assert set(checked.rejected) == {"b"}


@pytest.mark.parametrize(
    "given",
    [
        ["What is a record?", "Who keeps the record?"],
        ["What is a record?"] * 5,
        ["What is a record?", "Who keeps it?", "It is kept for three years."],
        ["What?", "Who keeps the record?", "How long is it kept?"],
        [f"Who keeps record number {n}?" for n in range(6)],
        ["Who keeps " + "the record of " * 100 + "work?", "How long is it kept?", "When is it made?"],
    ],
    ids=["two", "repeated", "statement", "too short", "six", "too long"],
)
def test_questions_are_three_to_five_different_real_questions(given: list[str]) -> None:
    answer = {"chunks": [{"chunk_id": "a", "questions": given}]}
    assert validation.check_questions(answer, ["a"], document_id="d", generator=BY).rejected


def test_a_summary_stays_within_its_budget() -> None:
    text = "The Act binds employers. " * 10
    tokens = count_tokens(text.strip())
    for budget, fits in ((tokens, True), (tokens - 1, False)):
        checked = validation.check_summary(
            {"summary": text}, ["n"], document_id="d", budget_tokens=budget, generator=BY
        )
        assert bool(checked.accepted) is fits
    assert validation.check_summary({"summary": " "}, ["n"], document_id="d", budget_tokens=9, generator=BY).rejected


def proposition(**changes: Any) -> str | None:
    given = {
        "term": "employer",
        "number": "a",
        "first_line": 3,
        "last_line": 3,
        "text": 'Under Section 2(a) of the Safety Act 1998, "employer" means a person who has another person work for pay '
        "for more than 30 days.",
    } | changes
    request = acts.proposition_request("act")
    checked = validation.check_propositions(
        {"definitions": [given]}, [request.request_id], request=request, generator=BY
    )
    return checked.rejected.get(request.request_id)


def test_a_proposition_that_its_source_bears_out_is_accepted() -> None:
    assert proposition() is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"term": "contractor"}, "do not contain the term"),
        (
            {"text": "Under Section 2 of the Safety Act 1998 a person who has another work for 30 days."},
            "contain its term",
        ),
        ({"text": "Under Section 2(a) of the Safety Act 1998, employer means one who employs for 60 days."}, "60"),
        ({"text": "Under Section 7 of the Safety Act 1998, employer means one who employs."}, "7"),
        (
            {"text": "Under Section 2, employer means a person who has another person work for 30 days."},
            "Act is not named",
        ),
        ({"text": "In the Safety Act, employer means a person who has another person work."}, "section is not named"),
        ({"first_line": 0}, "are not lines"),
        ({"last_line": 99}, "are not lines"),
        ({"first_line": 4, "last_line": 4}, "do not contain the term"),
        ({"number": "q"}, "number of the definition"),
    ],
)
def test_a_proposition_with_anything_its_source_lacks_is_refused(changes: dict[str, Any], reason: str) -> None:
    assert reason in (proposition(**changes) or "accepted")


def test_numbers_are_the_same_however_they_are_grouped() -> None:
    request = acts.proposition_request("act", '(a) "sum" means 1 500 crowns;')
    text = 'Under Section 2 of the Safety Act 1998, "sum" means 1,500 crowns.'
    given = {"term": "sum", "number": "a", "first_line": 1, "last_line": 1, "text": text}
    checked = validation.check_propositions({"definitions": [given]}, ["r"], request=request, generator=BY)
    assert checked.accepted


def plan(
    *chunks: tuple[int, int],
    excluded: tuple[tuple[int, int], ...] = (),
    doc_type: str = "appeal_decision",
    **extra: Any,
) -> str | None:
    request = acts.plan_request("d", doc_type=doc_type)
    entry = {
        "section": None,
        "level": None,
        "criterion_tag": "judging",
        "legal_standard": None,
        "is_winning_argument": True,
    }
    answer = {
        "strategy": "by argument",
        "chunk_plan": [{"start_line": first, "end_line": last, **entry, **extra} for first, last in chunks],
        "excluded": [{"start_line": first, "end_line": last, "reason": "background"} for first, last in excluded],
    }
    assert mismatch(answer, SCHEMAS[Task.CHUNK_PLAN]) is None
    return validation.check_plan(answer, ["d"], request=request, generator=BY).rejected.get("d")


def test_a_plan_that_holds_every_line_once_is_accepted() -> None:
    assert plan((3, 4), (5, 5), excluded=((1, 1), (2, 2))) is None


@pytest.mark.parametrize(
    ("reason", "arguments", "extra"),
    [
        ("lines 3 to 6 of 5", ((3, 6),), {"excluded": ((1, 1), (2, 2))}),
        ("lines 0 to 5 of 5", ((0, 5),), {}),
        ("line 4 is planned twice", ((1, 4), (4, 5)), {}),
        ("line 2 is planned twice", ((2, 5),), {"excluded": ((1, 2),)}),
        ("is in no chunk, from line 2 on", ((3, 5),), {"excluded": ((1, 1),)}),
        ("no chunks", (), {"excluded": ((1, 5),)}),
        ("'fame' is not known", ((1, 5),), {"criterion_tag": "fame"}),
        ("criterion_tag is null", ((1, 5),), {"doc_type": "precedent_case", "is_winning_argument": False}),
        ("not a winning argument", ((1, 5),), {"is_winning_argument": False}),
        ("holds no winning argument", ((1, 5),), {"doc_type": "regulation"}),
        ("at most 200 characters", ((1, 5),), {"section": "Section A " * 21}),
        ("at most 200 characters", ((1, 5),), {"legal_standard": "A standard " * 21}),
        ("level is 1 to 9", ((1, 5),), {"level": 0}),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(
    reason: str, arguments: tuple[tuple[int, int], ...], extra: dict[str, Any]
) -> None:
    assert reason in (plan(*arguments, **extra) or "accepted")


def test_a_verdict_covers_every_chunk_once() -> None:
    def verdict(*numbers: int) -> validation.Checked[Any]:
        rows = [{"chunk": number, "denied": number == 2, "reason": "The Director said so."} for number in numbers]
        return validation.check_verdict({"chunks": rows}, ["d"], document_id="d", chunks=2, generator=BY)

    assert verdict(2, 1).accepted["d"].denied == {1: "The Director said so."}
    for wrong in ((1,), (1, 2, 3), (1, 1), (1, 2, 2)):
        assert verdict(*wrong).rejected


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([], "$ does not fit `type`: object"),
        ({}, "$ does not fit `required`: ['prefixes']"),
        ({"prefixes": {}}, "$.prefixes does not fit `type`: array"),
        ({"prefixes": [{"chunk_id": "a"}]}, "$.prefixes[0] does not fit `required`"),
        ({"prefixes": [{"chunk_id": 1, "prefix": "x"}]}, "$.prefixes[0].chunk_id does not fit `type`: string"),
        ({"prefixes": [], "note": "x"}, "$ does not fit `additionalProperties`"),
    ],
)
def test_an_answer_of_another_shape_is_refused(answer: Any, problem: str) -> None:
    assert problem in (mismatch(answer, SCHEMAS[Task.CONTEXT_PREFIXES]) or "")


@pytest.mark.parametrize("number", [True, 1.0, "1"])
def test_a_line_number_is_an_integer(number: object) -> None:
    assert mismatch({"chunks": [{"chunk": number, "denied": True, "reason": ""}]}, SCHEMAS[Task.VERIFY_PLAN])


@pytest.mark.parametrize(("words", "is_accepted"), [(49, False), (50, True), (100, True), (101, False)])
def test_a_prefix_of_exactly_the_fewest_or_the_most_tokens_is_accepted(words: int, is_accepted: bool) -> None:
    text = " ".join(["lamp"] * words)
    assert count_tokens(text) == words
    assert ("a" in prefixes(("a", text)).accepted) is is_accepted


@pytest.mark.parametrize("count", [3, 5])
def test_the_fewest_and_the_most_questions_are_accepted_and_may_be_short(count: int) -> None:
    given = ["Who is it?", *(f"Who keeps record number {number}?" for number in range(count - 1))]
    checked = validation.check_questions(
        {"chunks": [{"chunk_id": "a", "questions": given}]}, ["a"], document_id="d", generator=BY
    )
    assert checked.accepted["a"].questions == tuple(given)


def test_a_plan_may_list_its_chunks_in_any_order_with_the_longest_names_and_the_deepest_level() -> None:
    assert plan((5, 5), (3, 4), excluded=((1, 1), (2, 2)), section="S" * 200, level=9) is None
    assert "level is 1 to 9" in (plan((1, 5), level=10) or "")
    assert "at most 200" in (plan((1, 5), section="S" * 201) or "")


def test_of_an_answer_with_a_wrong_definition_the_others_stay_usable_with_their_lines() -> None:
    request = acts.proposition_request("act", '(a) "sum" means\n1500 crowns;\n(b) "day" means a day.')
    text = 'Under Section 2 of the Safety Act 1998, "sum" means 1500 crowns.'
    right = {"term": "sum", "number": None, "first_line": 1, "last_line": 2, "text": text}
    wrong = {**right, "first_line": 3, "last_line": 3}
    checked = validation.check_propositions({"definitions": [wrong, right]}, ["r"], request=request, generator=BY)
    assert checked.rejected == {"r": "definition 1: its lines do not contain the term"}
    (usable,) = checked.usable["r"]
    assert request.text[usable.start : usable.end] == '(a) "sum" means\n1500 crowns;'


def test_a_definition_may_have_the_last_line_and_a_number_from_its_own_number() -> None:
    request = acts.proposition_request("act", "Terms:\n(12) “day” means a day.")
    text = "Under Section 2(12) of the Safety Act 1998, “day” means a day."
    given = {"term": "Day", "number": "12", "first_line": 2, "last_line": 2, "text": text}
    checked = validation.check_propositions({"definitions": [given]}, ["r"], request=request, generator=BY)
    assert [item.number for item in checked.accepted["r"]] == ["12"]


def test_a_label_is_one_of_the_list_without_the_spaces_around_it() -> None:
    def label(text: str) -> validation.Checked[Any]:
        return validation.check_label({"label": text}, ["d"], document_id="d", labels={"tax": "Tax"}, generator=BY)

    assert label(" tax\n").accepted["d"].label == "tax"
    assert label("Tax").rejected == {"d": "the answer is not in the list"}


def test_a_denied_chunk_without_a_reason_is_still_denied() -> None:
    rows = [{"chunk": 1, "denied": True, "reason": " "}, {"chunk": 2, "denied": False, "reason": "It is won."}]
    checked = validation.check_verdict({"chunks": rows}, ["d"], document_id="d", chunks=2, generator=BY)
    assert checked.accepted["d"].denied == {0: "denied argument"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('Under Section 2 of the one of 1998, "employer" means a person who has another work.', None),
        ('Under section 2 of the SAFETY law, "Employer" means a person who has another work.', None),
        ('Under Section 2 of an Act, "employer" means a person who has another work.', "Act is not named"),
        ('Under Section 2 of the Safety Act 1998, "employer" means a person. ' + "It works. " * 400, "more than 1000"),
    ],
)
def test_a_proposition_may_name_its_act_by_a_word_or_the_year_and_is_not_endless(text: str, reason: str | None) -> None:
    found = proposition(text=text)
    assert found is None if reason is None else reason in (found or "accepted")
