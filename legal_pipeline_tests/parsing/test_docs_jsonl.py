"""docs.jsonl: one line is one document with a content tree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError
from legal_pipeline.model.document import NODE_TYPES, Document
from legal_pipeline.parsing import docs_jsonl
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline_tests.parsing.invariants import check_invariants

ACT: dict[str, Any] = {
    "doc_id": "canal_tolls_act_2016",
    "doc_type": "act",
    "title": "Canal Tolls Act",
    "language": "eng",
    "source_url": "https://zimlii.org/akn/zw/act/1991/4/eng@2016-12-31",
    "content": [
        {"type": "part", "num": "I", "heading": "Tolls", "children": [
            {"type": "section", "num": "12A", "heading": "Barges",
             "text": "(1) A barge pays— (a) a toll; or (b) a bond. (2) A raft pays nothing."},
            {"type": "section", "num": "13", "heading": "Rafts", "children": [
                {"type": "subsection", "num": "1", "text": "A raft floats."},
                {"type": "table", "rows": [["Raft", "free"], ["Barge", ""]]},
            ]},
        ]},
        {"type": "schedule", "num": "1", "heading": "Rates", "children": ["One dollar."]},
    ],
}  # fmt: skip
JUDGMENT: dict[str, Any] = {
    "doc_id": "judgment_2025_zwhhc_304",
    "doc_type": "judgment",
    "title": "Rafter v The State",
    "language": "en",
    "jurisdiction": "zw",
    "metadata": {
        "court": "High Court of Zimbabwe",
        "neutral_citation": "[2025] ZWHHC 304",
        "date_decided": "2025-05-14",
    },
    "content": {
        "headnote": "Tolls: a raft is no barge.",
        "body": [
            {"type": "paragraph", "num": 14, "text": "The raft floated."},
            {"type": "paragraph", "num": 15, "text": "[15] The appeal fails."},
        ],
    },
}


def document(data: Any) -> Document:
    result = docs_jsonl.FORMAT.parse(SourceFile("line", json.dumps(data).encode()))
    check_invariants(result)
    return result


def test_the_content_tree_becomes_the_node_tree() -> None:
    found = document(ACT)
    assert [(node.type, node.num, node.eid) for node in found.provisions()] == [
        ("section", "12A", "part_i__sec_12a"),
        ("section", "13", "part_i__sec_13"),
    ]
    assert [node.type for node in found.nodes] == ["part", "schedule"]
    (table,) = [node for node in found.walk() if node.type == "table"]
    assert found.text_of(table) == "Raft | free\nBarge |"


def test_flat_text_of_a_section_is_cut_along_its_numbers() -> None:
    section = next(document(ACT).provisions())
    assert [(child.type, child.num) for child in section.children if child.num] == [
        ("subsection", "1"),
        ("subsection", "2"),
    ]
    assert [child.num for child in section.children[1].children] == ["a", "b"]


def test_a_number_that_the_text_lacks_is_written_and_one_that_it_has_is_not_repeated() -> None:
    assert "(1) A raft floats." in document(ACT).text
    found = document(JUDGMENT)
    assert "[14] The raft floated.\n\n[15] The appeal fails." in found.text


def test_a_judgment_has_a_headnote_and_numbered_paragraphs() -> None:
    found = document(JUDGMENT)
    assert [(node.type, node.num) for node in found.nodes] == [
        ("headnote", None),
        ("numbered_paragraph", "14"),
        ("numbered_paragraph", "15"),
    ]
    assert (found.document_id, found.work_uri) == ("zw-judgment-zwhhc-2025-304", "/akn/zw/judgment/zwhhc/2025/304")
    assert (found.language, found.as_of_date, found.metadata["court"]) == (
        "eng",
        "2025-05-14",
        "High Court of Zimbabwe",
    )


def test_the_address_tells_work_and_version() -> None:
    found = document(ACT)
    assert (found.document_id, found.as_of_date, found.metadata["doc_id"]) == (
        "zw-act-1991-4",
        "2016-12-31",
        "canal_tolls_act_2016",
    )


def test_a_file_is_split_into_its_lines() -> None:
    lines = "\n".join(json.dumps(item) for item in (ACT, JUDGMENT, ACT)) + "\n\n"
    items = list(docs_jsonl.split(SourceFile("docs.jsonl", lines.encode())))
    assert [item.name for item in items] == [
        "docs.jsonl#canal-tolls-act-2016",
        "docs.jsonl#judgment-2025-zwhhc-304",
        "docs.jsonl#canal-tolls-act-2016-2",
    ]
    assert [docs_jsonl.FORMAT.parse(item).doc_type for item in items] == ["act", "judgment", "act"]
    assert items[0].sha256 == items[2].sha256


def test_a_broken_line_does_not_pass_for_a_shorter_file() -> None:
    with pytest.raises(ParseError, match="line 2"):
        list(docs_jsonl.split(SourceFile("docs.jsonl", json.dumps(ACT).encode() + b'\n{"doc_id": ')))


def test_a_whole_file_is_no_single_document() -> None:
    lines = "\n".join(json.dumps(item) for item in (ACT, JUDGMENT))
    with pytest.raises(ParseError, match="several documents"):
        docs_jsonl.FORMAT.parse(SourceFile("docs.jsonl", lines.encode()))


def test_an_id_that_looks_like_the_second_of_another_loses_no_line() -> None:
    lines = "\n".join(json.dumps({**ACT, "doc_id": name}) for name in ("lamps", "lamps", "lamps-2"))
    names = [item.name for item in docs_jsonl.split(SourceFile("docs.jsonl", lines.encode()))]
    assert names == ["docs.jsonl#lamps", "docs.jsonl#lamps-2", "docs.jsonl#lamps-2-2"]


def test_content_decides_the_format() -> None:
    assert detect(SourceFile("anything.txt", json.dumps(ACT).encode())).name == "docs_jsonl"


def test_a_line_of_docs_jsonl_without_content_is_an_error_that_names_it() -> None:
    line = json.dumps({key: value for key, value in ACT.items() if key != "content"})
    with pytest.raises(ParseError, match="no content"):
        parse(SourceFile("docs.jsonl#a", line.encode()))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"title": ""}, ParseError, "title"),
        ({"doc_type": "poem"}, ParseError, "poem"),
        ({"content": None}, ParseError, "no content"),
        ({"content": []}, EmptyDocumentError, "no text"),
        ({"content": [{"type": "stanza", "text": "x"}]}, ParseError, r"content\[0\]"),
        ({"content": [{"type": "part", "children": [{"type": "section", "text": 5}]}]}, ParseError, r"children\[0\]"),
    ],
)
def test_what_the_schema_does_not_allow_is_a_typed_error_that_says_where(
    change: dict[str, Any], error: type[ParseError], words: str
) -> None:
    with pytest.raises(error, match=words):
        document(ACT | change)


def test_a_tree_that_is_too_deep_is_refused() -> None:
    node: dict[str, Any] = {"type": "item", "text": "x"}
    for _ in range(250):
        node = {"type": "item", "children": [node]}
    with pytest.raises(LimitExceededError):
        document(ACT | {"content": [node]})


def test_the_schema_knows_only_node_types_of_the_model() -> None:
    types = docs_jsonl.schema()["$defs"]["node"]["anyOf"][1]["properties"]["type"]["enum"]
    assert set(types) - NODE_TYPES == {"text"}


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\uDFFF", "\\ud800x\\udc00"])
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("title", "title, character 5"),
        ("court", "court, character 5"),
        ("text", r"content\[0\]\.children\[1\]\.children\[0\]\.text, character 5"),
        ("key", "a key, character 5"),
    ],
)
def test_what_is_no_character_is_refused_and_its_place_named(name: str, place: str, escape: str) -> None:
    marked = json.loads(json.dumps(ACT))
    if name == "text":
        marked["content"][0]["children"][1]["children"][0]["text"] = "Canal~ tolls."
    elif name == "key":
        marked["Canal~"] = 1
    else:
        marked[name] = "Canal~ tolls."
    data = json.dumps(marked).replace("~", escape).encode()
    with pytest.raises(ParseError, match=rf"{place}: \[docs_jsonl\] U\+(0000|D[89A-F]\w\w) is not a character"):
        docs_jsonl.FORMAT.parse(SourceFile("docs.jsonl#1", data))


def test_a_pair_of_surrogates_is_one_character() -> None:
    data = json.dumps({**ACT, "title": "Canal \U0001f6a3 Tolls Act"}).encode()
    assert b"\\ud83d" in data
    assert "\U0001f6a3" in docs_jsonl.FORMAT.parse(SourceFile("docs.jsonl#1", data)).title


def test_a_paragraph_inside_a_paragraph_of_a_judgment_is_not_cited_by_itself() -> None:
    inner = [
        {"type": "paragraph", "num": "a", "text": "It sank."},
        {"type": "paragraph", "num": "b", "text": "It rose."},
    ]
    body = [{"type": "paragraph", "num": 14, "text": "The raft floated.", "children": inner}]
    found = document({**JUDGMENT, "content": {"body": body}})
    assert [(node.type, node.num) for node in found.provisions()] == [("numbered_paragraph", "14")]
    assert [(node.type, node.num) for node in found.walk() if node.num in ("a", "b")] == [
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]
