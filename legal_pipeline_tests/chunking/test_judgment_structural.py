"""`judgment_structural`: what is one chunk, what may be split, and how it agrees with people on real judgments."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking import plain
from legal_pipeline_tests.chunking.promises import check_promises
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.parsing.judgment.agreement import (
    ROLE_OF_LABEL,
    ROLES,
    Agreement,
    majority_baseline,
    read_folder,
)
from legal_pipeline_tests.real_documents import existing

LONG = "The lamp of the lighthouse was found dark on the night of the storm, and nobody had been told. " * 9

Part = tuple[str, str | None, list[str]]


def keeper_v_board(builder: DocumentBuilder) -> Document:
    return builder.document(
        SourceFile("judgment.txt", b"not read by a chunker"),
        document_id="xx-judgment-1",
        title="Keeper v. Harbour Board",
        jurisdiction="in",
        doc_type="judgment",
        language="eng",
        metadata={"judges": ["Byrne", "Kelly"]},
    )


def judgment(parts: list[Part], dissent: list[Part] | None = None) -> Document:
    """A judgment of (node type, number or heading, paragraphs); paragraphs are numbered through."""
    builder = DocumentBuilder()
    number = 0

    def write(parts: list[Part]) -> None:
        nonlocal number
        for kind, name, paragraphs in parts:
            with builder.node(kind, name if kind == "issue" else None):
                for paragraph in paragraphs:
                    if kind in ("header", "headnote", "signature"):
                        builder.add(paragraph)
                        continue
                    number += 1
                    with builder.node("numbered_paragraph", str(number)):
                        builder.add(f"{number}. {paragraph}")

    write(parts)
    if dissent is not None:
        builder.open("dissent", None, "KELLY, J.", attributes={"judge": "Kelly, J.", "kind": "dissenting"})
        write(dissent)
        builder.close_to(0)
    return keeper_v_board(builder)


PARTS: list[Part] = [
    ("header", None, ["HIGH COURT OF THE ISLES", "Keeper v. Harbour Board"]),
    ("background", None, ["The keeper slept.", "The ship struck the rock."]),
    ("arguments", None, ["Counsel for the keeper says that the bell was broken."]),
    ("motivation", None, ["A keeper owes care to ships."]),
    ("issue", "1", ["Whether a keeper may sleep."]),
    ("motivation", None, [LONG] * 9),
    ("issue", "2", ["Whether the board should have mended the bell."]),
    ("motivation", None, ["It should, for bells are for fog."]),
    ("decision", None, ["We hold that the board is liable.", "The appeal is allowed.", "No order as to costs."]),
    ("signature", None, ["BYRNE, J."]),
]


def by_path(result: ChunkedDocument) -> dict[str, Chunk]:
    return {row.path: row for row in result.chunks}


def test_a_judgment_is_cut_into_the_parts_that_lawyers_cite() -> None:
    document = judgment(PARTS)
    result = chunk(document)
    check_promises(document, result)
    assert [(row.path, row.chunk_type) for row in result.chunks] == [
        ("Header", "header"),
        ("Facts > Paras 1-2", "facts"),
        ("Arguments > Para 3", "issue"),
        ("Body > Para 4", "reasoning"),
        ("Issue 1", "reasoning"),
        ("Issue 2", "reasoning"),
        ("Holding", "holding"),
        ("Order", "order"),
    ]
    assert [item.reason for item in result.exclusions] == ["signatures"]


def test_what_is_too_long_for_signatures_is_text() -> None:
    result = chunk(judgment([*PARTS[:-1], ("signature", None, ["BYRNE, J.", LONG])]))
    check_promises(judgment([*PARTS[:-1], ("signature", None, ["BYRNE, J.", LONG])]), result)
    assert result.exclusions == ()
    assert "BYRNE, J." in result.chunks[-1].chunk_text


def test_an_issue_with_its_reasoning_stays_whole_up_to_3000_tokens_and_is_flagged() -> None:
    issue = by_path(chunk(judgment(PARTS)))["Issue 1"]
    assert 1500 < issue.num_tokens <= 3000
    assert issue.metadata["oversized"] is True
    assert issue.metadata["para_id"] == "5-14"


def test_a_longer_issue_is_cut_between_its_numbered_paragraphs() -> None:
    document = judgment([("issue", "1", ["Whether a keeper may sleep."]), ("motivation", None, [LONG] * 30)])
    result = chunk(document)
    check_promises(document, result)
    assert [row.path for row in result.chunks] == ["Issue 1", "Issue 1#2", "Issue 1#3", "Issue 1#4", "Issue 1#5"]
    starts = {node.start for node in document.provisions()}
    assert {row.start_char for row in result.chunks[1:]} <= starts
    assert all(row.num_tokens <= 1500 and not row.metadata.get("oversized") for row in result.chunks)
    assert {row.parent_chunk_id for row in result.chunks} == {None}
    assert {row.metadata["issue"] for row in result.chunks} == {"Issue 1"}


def test_a_single_paragraph_above_the_limit_is_cut_at_sentences() -> None:
    document = judgment([("issue", "1", ["Whether a keeper may sleep."]), ("motivation", None, [LONG * 20])])
    result = chunk(document)
    check_promises(document, result)
    assert len(result.chunks) > 2
    assert all(row.num_tokens <= 1500 for row in result.chunks)
    assert all(row.chunk_text.rstrip().endswith(".") for row in result.chunks)


def test_facts_above_the_limit_are_split_between_paragraphs() -> None:
    parts: list[Part] = [("background", None, [LONG] * 16), ("decision", None, ["We allow the appeal."])]
    document = judgment(parts)
    rows = [row for row in chunk(document).chunks if row.chunk_type == "facts"]
    assert len(rows) > 1
    starts = {node.start for node in document.provisions()}
    assert all(row.start_char in starts for row in rows)
    assert not any(row.metadata.get("oversized") for row in rows)


def test_reasoning_without_an_issue_is_packed_by_paragraphs() -> None:
    document = judgment([("motivation", None, [LONG] * 12), ("decision", None, ["We allow the appeal."])])
    paths = [row.path for row in chunk(document).chunks]
    assert paths[0].startswith("Body > Paras 1-")
    assert paths[-1] == "Holding"
    assert len(paths) > 2


def test_the_holding_stands_alone_and_what_only_disposes_is_the_order() -> None:
    rows = by_path(chunk(judgment(PARTS)))
    assert (
        rows["Holding"].chunk_text.startswith("16. We hold")
        or "We hold that the board is liable." in rows["Holding"].chunk_text
    )
    assert "bell" not in rows["Holding"].chunk_text
    assert rows["Order"].chunk_text.endswith("No order as to costs.")
    disposed: list[Part] = [
        ("decision", None, ["We hold that the board is liable.", "Pending applications fall.", "No order as to costs."])
    ]
    assert by_path(chunk(judgment(disposed)))["Order"].chunk_text.startswith("2. Pending")


def test_a_decision_that_only_disposes_is_still_the_holding() -> None:
    document = judgment([("motivation", None, ["Bells ring."]), ("decision", None, ["No order as to costs."])])
    assert [row.chunk_type for row in chunk(document).chunks] == ["reasoning", "holding"]


def test_submissions_between_an_issue_and_its_reasoning_are_a_chunk_of_their_own() -> None:
    parts: list[Part] = [
        ("issue", None, ["Whether a keeper may sleep."]),
        ("arguments", None, ["Counsel says that he may."]),
        ("motivation", None, ["He may not."]),
        ("arguments", None, ["Counsel also pleads the fog."]),
        ("motivation", None, ["Fog is no excuse."]),
        ("decision", None, ["We dismiss the appeal."]),
    ]
    document = judgment(parts)
    result = chunk(document)
    check_promises(document, result)
    rows = by_path(result)
    assert rows["Issue 1"].metadata["para_id"] == "1-5"
    assert "says that he may" not in rows["Issue 1"].chunk_text
    assert "Fog is no excuse" in rows["Issue 1"].chunk_text
    assert rows["Arguments > Para 2"].chunk_type == "issue"


def test_issues_listed_together_share_the_reasoning_that_answers_them() -> None:
    parts: list[Part] = [
        ("issue", "1", ["Whether a keeper may sleep."]),
        ("issue", "2", ["Whether a bell must ring."]),
        ("motivation", None, ["Neither."]),
        ("decision", None, ["We dismiss the appeal."]),
    ]
    assert [row.path for row in chunk(judgment(parts)).chunks] == ["Issues 1-2", "Holding"]


def test_an_issue_without_reasoning_is_split_as_any_text() -> None:
    rows = chunk(judgment([("issue", None, [LONG] * 10), ("decision", None, ["We dismiss the appeal."])])).chunks
    assert [(row.path, row.chunk_type) for row in rows[:-1]] == [("Issue 1", "issue"), ("Issue 1#2", "issue")]


def test_issues_without_numbers_are_counted_and_hold_the_facts_that_follow_the_question() -> None:
    parts: list[Part] = [
        ("issue", None, ["Whether a keeper may sleep."]),
        ("background", None, ["He slept at dusk."]),
        ("motivation", None, ["He may not."]),
        ("issue", None, ["Whether a bell must ring."]),
        ("motivation", None, ["It must."]),
    ]
    rows = chunk(judgment(parts)).chunks
    assert [(row.path, row.metadata["para_id"]) for row in rows] == [("Issue 1", "1-3"), ("Issue 2", "4-5")]


def test_reasoning_after_an_issue_that_holds_its_own_or_after_another_opinion_belongs_to_no_issue() -> None:
    whole = plain.Part(
        "issue", "Whether a keeper may sleep.", "1", children=(plain.Part("motivation", "He may not sleep."),)
    )
    dissent = plain.Part("dissent", "I would let him sleep.", attributes={"judge": "Kelly, J."})
    later = plain.Part("motivation", "The bell must ring.")
    open_issue = [plain.Part("issue", "Whether a keeper may sleep.", "1"), plain.Part("motivation", "He may not.")]
    for parts in ([whole, later], [*open_issue, dissent, later]):
        rows = chunk(plain.document(*parts, doc_type="judgment")).chunks
        assert (rows[0].path, rows[-1].path) == ("Issue 1", "Body")
        assert rows[-1].chunk_text == "The bell must ring."


def test_a_question_in_a_paragraph_is_no_issue_beside_one_that_the_parser_found() -> None:
    parts: list[Part] = [
        ("background", None, ["The only question that arises for our consideration is whether he may sleep."]),
        ("issue", "1", ["Whether a keeper may sleep."]),
        ("motivation", None, ["He may not."]),
    ]
    assert [row.path for row in chunk(judgment(parts)).chunks] == ["Facts > Para 1", "Issue 1"]


def test_a_heading_directly_above_a_stated_question_is_in_the_issue() -> None:
    facts = plain.Part("numbered_paragraph", "1. The keeper slept.", "1")
    stated = "2. The only question that arises for our consideration is whether he may."
    question = [plain.Part("heading", "The question"), plain.Part("numbered_paragraph", stated, "2")]
    made = plain.document(plain.Part("background", children=[facts, *question]), doc_type="judgment")
    assert [row.chunk_text for row in chunk(made).chunks] == ["1. The keeper slept.", f"The question\n\n{stated}"]


def test_an_opinion_that_is_not_a_dissent_is_named_as_one_and_keeps_its_kind() -> None:
    opinion = plain.Part("dissent", "I agree.", attributes={"judge": "Kelly, J.", "kind": "separate"})
    made = plain.document(plain.Part("motivation", "He may not."), opinion, doc_type="judgment")
    row = chunk(made).chunks[-1]
    assert (row.path, row.metadata["opinion"]) == ("Opinion (Kelly, J.)", "separate")


def test_an_order_below_the_numbered_paragraphs_of_a_decision_is_the_order() -> None:
    held = plain.Part("numbered_paragraph", "1. We hold that the board is liable.", "1")
    decision = plain.Part("decision", children=[held, plain.Part("block", "No order as to costs.")])
    rows = chunk(plain.document(decision, doc_type="judgment")).chunks
    assert [(row.path, row.chunk_text) for row in rows] == [
        ("Holding", "1. We hold that the board is liable."),
        ("Order", "No order as to costs."),
    ]


def test_the_parts_of_a_long_paragraph_are_counted_and_each_chunk_has_the_eid_of_what_begins_in_it() -> None:
    rows = chunk(
        judgment([("background", None, [LONG * 8, "He slept."]), ("motivation", None, ["He may not."])])
    ).chunks
    assert [(row.path, row.eid) for row in rows[:2]] == [
        ("Facts > Para 1", "background_1__para_1"),
        ("Facts > Paras 1-2", "background_1__para_2"),
    ]
    longer = chunk(judgment([("background", None, [LONG * 20]), ("motivation", None, ["He may not."])])).chunks
    assert [row.path for row in longer[:3]] == ["Facts > Para 1", "Facts > Para 1#2", "Facts > Para 1#3"]


def test_a_paragraph_that_says_what_falls_to_be_decided_is_an_issue_where_the_parser_found_none() -> None:
    parts: list[Part] = [
        (
            "background",
            None,
            ["The keeper slept.", "The only question that arises for our consideration is whether he may."],
        ),
        ("motivation", None, ["He may not.", "Nobody may."]),
        ("decision", None, ["We dismiss the appeal."]),
    ]
    rows = by_path(chunk(judgment(parts)))
    assert rows["Issue 1"].metadata["para_id"] == "2-4"


def test_the_question_before_another_court_is_no_issue() -> None:
    parts: list[Part] = [
        ("background", None, ["The question before the High Court was whether a keeper may sleep."]),
        ("motivation", None, ["He may not."]),
        ("decision", None, ["We dismiss the appeal."]),
    ]
    assert [row.path for row in chunk(judgment(parts)).chunks] == ["Facts > Para 1", "Body > Para 2", "Holding"]


def test_a_dissent_has_chunks_of_its_own_tagged_with_its_judge() -> None:
    document = judgment(
        PARTS, [("motivation", None, ["I am unable to agree."]), ("decision", None, ["I would dismiss."])]
    )
    result = chunk(document)
    check_promises(document, result)
    rows = [row for row in result.chunks if row.chunk_type == "dissent"]
    assert [row.path for row in rows] == ["Dissent (Kelly, J.) > Para 20", "Dissent (Kelly, J.) > Holding"]
    assert all(row.metadata["judges"] == ["Kelly, J."] for row in rows)
    assert by_path(result)["Holding"].metadata["judges"] == ["Byrne", "Kelly"]


def test_words_of_a_dissent_beside_its_parts_are_in_its_chunks() -> None:
    builder = DocumentBuilder()
    with builder.node("motivation"):
        builder.add("A keeper owes care to ships.")
    builder.open("dissent", None, "KELLY, J.", attributes={"judge": "Kelly, J.", "kind": "dissenting"})
    builder.block("I have read the opinion of the court with regret.", "block")
    with builder.node("decision"):
        builder.add("I would dismiss.")
    builder.block("The ship was to blame.", "block")
    builder.close_to(0)
    document = keeper_v_board(builder)
    result = chunk(document)
    check_promises(document, result)
    text = "\n".join(row.chunk_text for row in result.chunks if row.path.startswith("Dissent"))
    assert [words in text for words in ("with regret", "would dismiss", "to blame")] == [True] * 3


_kind = st.sampled_from(["background", "arguments", "issue", "motivation", "decision"])
_parts = st.lists(
    st.tuples(_kind, st.none(), st.lists(st.sampled_from(["He slept.", LONG, "No order as to costs.", LONG * 4]), min_size=1, max_size=4)),
    min_size=1,
    max_size=9,
)  # fmt: skip


@given(_parts, st.none() | _parts)
@examples(60)
def test_every_promise_holds_on_generated_judgments(parts: list[Part], dissent: list[Part] | None) -> None:
    document = judgment([*parts, ("decision", None, ["We allow the appeal."])], dissent)
    result = chunk(document)
    check_promises(document, result)
    assert [row.dumps() for row in chunk(document).chunks] == [row.dumps() for row in result.chunks]


# -- real judgments ----------------------------------------------------------------------------------------------------

#: Read by hand, by the numbers of the paragraphs: (the issue, the reasoning that answers it, the holding). Paragraph 24 of the
#: Purohit bail judgment both reasons and grants bail, paragraph 22 of 2024 INSC 780 ("Accordingly, we are of the …") sums
#: the reasoning up and rules: they are in neither list.
ANNOTATED = {
    "in/judgments_text/sample_judgment2.txt": (5, range(15, 24), [26]),
    "in/judgments_pdf/insc2024_2.pdf": (7, range(8, 22), [23]),
    "in/judgments_pdf/insc2024_19.pdf": (17, range(18, 37), [37, 38]),
}


@pytest.mark.corpus
@pytest.mark.parametrize("name", ANNOTATED)
def test_no_paragraph_of_an_issues_reasoning_is_split_and_the_holding_stands_alone(corpus: Path, name: str) -> None:
    issue, reasoning, holding = ANNOTATED[name]
    path = corpus / name
    document = parse(SourceFile(path.name, path.read_bytes()))
    result = chunk(document)
    check_promises(document, result)
    paragraphs = {node.num: node for node in document.provisions()}

    def held_by(number: int) -> set[str]:
        node = paragraphs[str(number)]
        return {row.path for row in result.chunks for low, high in row.spans if low < node.end and node.start < high}

    held = [held_by(number) for number in (issue, *reasoning)]
    assert all(len(paths) == 1 and next(iter(paths)).partition("#")[0] == "Issue 1" for paths in held)
    whole = sum(row.num_tokens for row in result.chunks if row.path.partition("#")[0] == "Issue 1")
    assert (set.union(*held) == {"Issue 1"}) == (whole <= 3000)
    assert {path for number in holding for path in held_by(number)} == {"Holding"}
    (row,) = [row for row in result.chunks if row.chunk_type == "holding"]
    first = paragraphs[str(min(holding))]
    assert row.start_char >= paragraphs[str(max(reasoning))].end
    assert row.end_char >= first.end


#: What a chunk says a sentence is; the labels put the question into the reasoning.
ROLE_OF_CHUNK = {
    "facts": "facts", "issue": "ratio", "reasoning": "ratio", "holding": "decision", "order": "decision", "dissent": "ratio",
}  # fmt: skip


def chunk_agreement(folder: Path) -> Agreement:
    """The labelled sentences against the type of the chunk that each came to stand in."""
    counts: Counter[tuple[str, str]] = Counter()
    for path in existing(folder, "*.txt"):
        source = SourceFile(path.name, path.read_bytes())
        document = parse(source, "india_judgment_sentences")
        roles = [
            (span, "arguments" if row.metadata["judgment_part"] == "arguments" else ROLE_OF_CHUNK.get(row.chunk_type, "none"))
            for row in chunk(document).chunks
            for span in row.spans
        ]  # fmt: skip
        offsets = {raw: at for at, raw in document.offset_map}
        position = 0
        for line in source.text.split("\n"):
            sentence, tab, label = line.rpartition("\t")
            at = offsets.get(position + len(sentence) - len(sentence.lstrip()))
            if tab and sentence.strip() and at is not None:
                found = next((role for (low, high), role in roles if low <= at < high), "none")
                counts[ROLE_OF_LABEL[label.strip()], found] += 1
            position += len(line) + 1
    return Agreement(counts)


@pytest.mark.corpus
def test_chunks_agree_with_labelled_facts_ratio_and_decision_far_above_the_most_frequent_role(corpus: Path) -> None:
    folder = corpus / "in" / "judgments_rr" / "dev"
    found = chunk_agreement(folder)
    print(
        {role: (round(found.recall(role), 2), round(found.precision(role), 2)) for role in ROLES},
        round(found.overall, 3),
    )
    assert found.overall >= majority_baseline(read_folder(folder)).overall + 0.15
    assert min(found.f1(role) for role in ("facts", "ratio", "decision")) >= 0.70
