"""What the engine without a language model says of provisions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.plan_rules import plan_by_rules
from legal_pipeline.enrichment.enricher import (
    Part,
    Passage,
    PracticeAreaRequest,
    PrefixRequest,
    PropositionRequest,
    QuestionRequest,
    SummaryRequest,
    Task,
    VerifyRequest,
)
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.enrichment.parts import split_into_parts
from legal_pipeline.enrichment.passages import Places
from legal_pipeline.enrichment.practice_areas import practice_areas
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.examples import examples

ENGINE = ExtractiveEnricher()

SWEDISH = Passage(
    "a",
    "Fyrlag (SFS 2099:1) > Kap 2: Tillstånd > 3 §",
    "3 § Den som sköter en fyr ska ha tillstånd av Fyrnämnden. Ansökan ska lämnas inom trettio dagar. Den som med uppsåt släcker en "
    "fyr döms till böter. Med fyr avses i denna lag ett torn med fast ljus.",
    "kap2.§3",
    "statutory_text",
    ("Tillstånd",),
)
ENGLISH = Passage(
    "b",
    "Lighthouse Act (Act 9 of 2099) > Part II > Section 7: Keepers",
    "(1) Every keeper shall record the hours of light in a log. (2) The Board may inspect the log at any time. (3) Any person who "
    "destroys the log shall be liable to a fine. (4) An appeal shall be lodged within thirty days.",
    "Part II > Section 7",
    "statutory_text",
    ("Keepers of lights",),
)


def prefix(passage: Passage, title: str, language: str) -> str:
    (answer,) = ENGINE.context_prefixes([PrefixRequest("d", title, language, (Part("", (passage,)),))]).answers
    return answer.text


def questions(passage: Passage, title: str, language: str) -> tuple[str, ...]:
    (answer,) = ENGINE.questions([QuestionRequest("d", title, language, (passage,))]).answers
    return answer.questions


def test_a_prefix_says_where_the_provision_stands_and_what_it_does() -> None:
    said = prefix(SWEDISH, "Fyrlag (SFS 2099:1)", "swe")
    assert said.startswith(
        "3 § i Fyrlag (SFS 2099:1), under Tillstånd. Här finns en definition, en straffbestämmelse och en tidsfrist."
    )
    said = prefix(ENGLISH, "Lighthouse Act (Act 9 of 2099)", "eng")
    assert said.startswith("Section 7 of Lighthouse Act (Act 9 of 2099), under Keepers of lights, Keepers.")
    assert "a penalty" in said


def test_questions_ask_for_definitions_penalties_deadlines_and_duties_first() -> None:
    assert questions(SWEDISH, "Fyrlag", "swe") == (
        "Vad avses med fyr i Fyrlag?",
        "Vilket straff döms den som med uppsåt släcker en fyr till?",
        "Vilken tidsfrist gäller för tillstånd?",
        "Måste den som sköter en fyr ha tillstånd av Fyrnämnden?",
        "Vad gäller om tillstånd enligt Fyrlag?",
    )
    assert questions(ENGLISH, "the Act", "eng")[:4] == (
        "What is the punishment for any person who destroys the log?",
        "What is the time limit for keepers?",
        "Must every keeper record the hours of light in a log?",
        "Must an appeal be lodged within thirty days?",
    )


def test_a_ban_is_no_permission() -> None:
    passage = Passage("c", "Fyrlag > 1 §", "1 § Fyrvaktaren får inte släcka ljuset före gryningen.")
    asked = questions(passage, "Fyrlag", "swe")
    assert asked[0] == "Får fyrvaktaren släcka ljuset före gryningen?"
    assert len([question for question in asked if "inte släcka" in question and question.startswith("Får")]) == 0
    assert "ett förbud" in prefix(passage, "Fyrlag", "swe")


def test_a_number_is_not_the_end_of_a_question() -> None:
    passage = Passage("c", "Fyrlag > 1 §", "1 § Nämnden får ändra villkor som anges i 2 kap. 1 § för en enskild fyr.")
    assert (
        questions(passage, "Fyrlag", "swe")[0] == "Får nämnden ändra villkor som anges i 2 kap. 1 § för en enskild fyr?"
    )


def test_a_language_without_forms_is_asked_about_by_its_headings_alone() -> None:
    text = "Der Leuchtturmwärter hat das Licht bei Dämmerung zu entzünden."
    passage = Passage("d", "Leuchtturmgesetz > § 4: Licht", f"§ 4 Licht\n\n{text}", headings=("Betrieb",))
    asked = questions(passage, "Leuchtturmgesetz", "deu")
    assert len(asked) >= 3
    words = set(re.findall(r"\w+", " ".join(asked)))
    assert words <= set(re.findall(r"\w+", f"{text} Leuchtturmgesetz § 4 Licht licht der Betrieb"))


def test_a_provision_without_headings_is_asked_about_in_its_own_words() -> None:
    passage = Passage("c", "Fyrlag > 9 §", "9 § Ljuset lyser över hela viken under vintern.")
    assert "Var står det att ljuset lyser över hela viken under vintern?" in questions(passage, "Fyrlag", "swe")


@examples(60)
@given(st.text(max_size=400), st.text(max_size=60), st.sampled_from(["swe", "eng", "fra", "xx"]))
def test_any_text_gives_prefixes_within_bounds_and_different_questions(text: str, heading: str, language: str) -> None:
    passage = Passage("x", f"Act > 1: {heading}", text, headings=(heading,))
    answered = ENGINE.questions([QuestionRequest("d", "Act", language, (passage,))])
    assert len(answered.answers) + len(answered.unanswered) == 1
    for answer in answered.answers:
        assert 3 <= len(answer.questions) <= 5
        assert len(set(answer.questions)) == len(answer.questions)
    assert count_tokens(prefix(passage, "Act", language)) <= 100


def test_a_summary_is_sentences_of_its_texts_in_their_order_within_its_budget() -> None:
    texts = (
        "1 § Fyren ska vara tänd under dygnets mörka timmar. Fyren får inte släckas utan tillstånd av nämnden.",
        "2 § Nämnden prövar ansökan om tillstånd att släcka fyren. Tillståndet gäller i högst ett år.",
        "3 § Båtar som passerar fyren ska hålla till höger om märket.",
    )
    (answer,) = ENGINE.summarise([SummaryRequest("d", "n", 1, "Fyrlag", "swe", texts, 60)]).answers
    assert count_tokens(answer.text) <= 60
    source = " ".join(texts)
    sentences = [sentence for sentence in re.split(r"(?<=\.) ", answer.text) if sentence]
    places = [source.index(sentence) for sentence in sentences]
    assert len(places) >= 2
    assert places == sorted(places)
    assert "Nämnden prövar" in answer.text or "Fyren får inte släckas" in answer.text, "what the texts have in common"


def test_a_summary_has_no_rest_of_a_sentence_that_began_on_another_line() -> None:
    texts = (
        "The keeper shall light the lamp of the harbour at dusk.",
        "and shall light the lamp of the harbour again at dawn.",
    )
    (answer,) = ENGINE.summarise([SummaryRequest("d", "n", 1, "Lamp Act", "eng", texts, 60)]).answers
    assert answer.text == texts[0]


def test_texts_without_a_sentence_give_their_beginning_and_none_is_unanswered() -> None:
    done = ENGINE.summarise(
        [
            SummaryRequest("d", "n", 1, "T", "eng", ("lamp | oil",), 50),
            SummaryRequest("d", "m", 1, "T", "eng", ("",), 50),
        ]
    )
    assert [answer.text for answer in done.answers] == ["lamp | oil"]
    assert [one.id for one in done.unanswered] == ["m"]


def test_propositions_are_those_of_the_rules_and_say_where_they_stand() -> None:
    text = (
        '2. In this Act— (a) "keeper" means a person who tends a light; (b) "light" includes a lantern and its tower.'
    )
    request = PropositionRequest("d", "r", "Lighthouse Act", "Section 2", "eng", text)
    done = ENGINE.propositions([request])
    assert done.unanswered == ()
    for answer in done.answers:
        source = text[answer.start : answer.end]
        assert answer.term.strip('"') in source
        assert answer.term.strip('"') in answer.text


def test_plans_are_those_of_the_rules() -> None:
    request = acts.plan_request("d")
    (answer,) = ENGINE.chunk_plan([request]).answers
    assert answer.plan == plan_by_rules(request.document)
    assert (answer.document_id, answer.plan.generator) == ("d", "rules")


def test_what_rules_cannot_answer_is_unanswered_with_the_reason() -> None:
    (one,) = ENGINE.classify_document([acts.document_request("d")]).unanswered
    assert (one.id, "language model" in one.reason) == ("d", True)
    request = acts.plan_request("d")
    (plan,) = ENGINE.chunk_plan([request]).answers
    (one,) = ENGINE.verify_plan([VerifyRequest(request.document, plan.plan)]).unanswered
    assert (one.id, "language model" in one.reason) == ("d", True)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        (
            "The accused was convicted of theft and sentenced to imprisonment. The appeal against sentence fails.",
            "criminal",
        ),
        ("The employer dismissed the employee without a hearing; the trade union referred the matter.", "labour"),
        ("The tenant was evicted by the landlord although the lease had not ended.", "property"),
        ("Arbetsgivaren har sagt upp arbetstagaren och uppsägningen har ogiltigförklarats.", "labour"),
        ("Nothing here says what it is about.", "other"),
    ],
)
def test_a_judgment_belongs_to_the_area_that_most_of_its_words_are_of(text: str, area: str) -> None:
    request = PracticeAreaRequest("d", "", "eng", text, practice_areas())
    (answer,) = ENGINE.classify_practice_area([request]).answers
    assert answer.label == area


def test_every_task_has_a_generator() -> None:
    assert {ENGINE.generator(task).name for task in Task} == {"extractive"}


def read(path: Path) -> Document:
    return parse(SourceFile(path.name, path.read_bytes()))


@pytest.mark.corpus
def test_headings_over_a_group_stand_above_its_sections(corpus: Path) -> None:
    document = read(corpus / "se" / "riksdagen_html" / "sfs-1977-1160.tom-2025-732.riksdagen.html")
    places = Places(document)
    sections = {node.eid: places.at(node.start).headings for node in document.provisions()}
    assert sections["chp_7__sec_1"] == ("Tillsyn",)
    assert sections["chp_8__sec_1"] == ("Påföljder", "Ansvar")
    assert sections["chp_8__sec_6"] == ("Påföljder", "Sanktionsavgift")
    assert sections["chp_9__sec_1"] == ("Överklagande",)


def test_a_document_over_the_limit_goes_by_division_then_by_chapter() -> None:
    from legal_pipeline.model.document import Node

    text = "\n\n".join(f"{chapter} kap. " + "Fyren lyser över viken. " * 20 for chapter in range(1, 5))
    starts = [text.index(f"{chapter} kap.") for chapter in range(1, 5)]
    ends = [*(start - 2 for start in starts[1:]), len(text)]
    chapters = [
        Node("chapter", start, end, num=str(i)) for i, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]
    divisions = (
        Node("division", 0, chapters[1].end, num="I", children=chapters[:2]),
        Node("division", chapters[2].start, len(text), num="II", children=chapters[2:]),
    )
    document = Document("d", text, divisions, "T", "se", "act", "swe", "f", "1")
    passages = [(start, Passage(str(i), "", "")) for i, start in enumerate(starts)]
    whole = count_tokens(text)
    assert [part.label for part in split_into_parts(document, passages, whole)] == [""]
    assert [part.label for part in split_into_parts(document, passages, whole * 2 // 3)] == [
        "division I",
        "division II",
    ]
    parts = split_into_parts(document, passages[1:], whole // 3)
    assert [part.label for part in parts] == ["chapter 2", "chapter 3", "chapter 4"]
    assert [[one.chunk_id for one in part.passages] for part in parts] == [["1"], ["2"], ["3"]]
    small = split_into_parts(document, passages, 20)
    assert all(count_tokens(part.text) <= 20 for part in small)
    assert sorted(one.chunk_id for part in small for one in part.passages) == ["0", "1", "2", "3"]


def area(text: str, *areas: str) -> str:
    request = PracticeAreaRequest("d", "", "eng", text, dict.fromkeys(areas, ""))
    (answer,) = ENGINE.classify_practice_area([request]).answers
    return answer.label


def test_an_area_is_one_of_those_asked_for_and_a_word_counts_at_most_three_times() -> None:
    often = "Lease, lease, lease, lease, lease. The employer owes the employee wages and a dismissal."
    assert area(often, "labour", "property", "other") == "labour"
    assert area(often, "property", "other", "tax") == "property"
    assert area("Nothing.", "other", "tax") == "other"
    assert area("Nothing.", "labour", "tax") == "tax"
    assert area("ENVIRONMENTAL law of waters.", "environment", "other") == "environment"
    assert area("The watering of lawns.", "environment", "other") == "other"


def test_the_questions_of_every_chunk_of_every_request_are_answered_or_named_as_missing() -> None:
    short = Passage("c", "", "Lit.", "", "statutory_text")
    requests = [
        QuestionRequest("d", "Lighthouse Act", "eng", (ENGLISH, short)),
        QuestionRequest("e", "Fyrlag", "swe", (SWEDISH,)),
    ]
    done = ENGINE.questions(requests)
    assert [(answer.document_id, answer.chunk_id) for answer in done.answers] == [("d", "b"), ("e", "a")]
    assert [(item.document_id, item.id) for item in done.unanswered] == [("d", "c")]


def test_definitions_are_found_in_every_request_and_cited_by_their_section() -> None:
    text = '2. In this Act—\n(a) "keeper" means a person who tends a light;\n(b) "light" includes a lantern.'
    requests = [
        PropositionRequest(name, name, "Lighthouse Act", f"Part I > {name}", "eng", text)
        for name in ("Section 2", "Section 4")
    ]
    answers = ENGINE.propositions(requests).answers
    found = [(answer.request_id, answer.term, text[answer.start : answer.end]) for answer in answers]
    assert all(answer.text.startswith(f"Under {answer.request_id.lower()} of ") for answer in answers)
    assert [(name, term) for name, term, _ in found] == [
        (name, term) for name in ("Section 2", "Section 4") for term in ("keeper", "light")
    ]
    assert [source.startswith(f'({letter}) "') for (_, _, source), letter in zip(found, "abab", strict=True)] == [
        True
    ] * 4
