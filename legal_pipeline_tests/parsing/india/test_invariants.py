"""Whatever is thrown at the Indian formats: spans nest, parsing is deterministic, JSON is faithful, and only typed errors come out."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.india import (
    act_text,
    acts_json,
    india_code_lino,
    india_code_markdown,
    judgment_rr,
    judgment_text,
)
from legal_pipeline_tests.examples import examples

LINES = st.sampled_from(
    [
        "",
        "(1) A pilot shall",
        "(a) anchor;",
        "(i) sail;",
        "(ii) row;",
        "(iii) drift;",
        "(b) land.",
        "(1A) More.",
        "(2) Else.",
        "(aa) x",
        "Provided that he may,--",
        "Provided further that",
        "Explanation 1.--So",
        "Explanation.",
        "Illustrations",
        "(h) h;",
        "(j) j;",
        "Exception.--No",
        '"tide" means water',
        '(c) "ebb" includes--',
        "^1[inserted",
        "]",
        "^2***",
        "^1[^2***];",
        "^*",
        "plain words go on",
        "### Footnotes",
        "1. Subs. by Act 3 of 1951, s. 3 (w.e.f. 1-4-1951).",
        "2. Ins. by s. 4, ibid.",
        "*. Vide notification",
        "## Section 2 - Else.",
        "## Section 2A - [Repealed.]",
        "## Page 2",
        "CHAPTER II",
        "THE FIRST SCHEDULE",
        "3. Penalty.—Whoever",
        "Section 4. Dues",
        "[x] Rep. by Act 1 of 1900.",
        "12.",
        "JUDGMENT",
        "[1] He said",
        "2. “It is so",
        "A. B. RAO, J.",
        "The appeal is dismissed.\tFacts",
        "VERSUS",
        "ISSUES",
        "Issue No. 1:",
        "\x0c",
        "é\u200bx",
    ]
)
FORMATS = (india_code_markdown, india_code_lino, acts_json, act_text, judgment_rr, judgment_text)


def check(source: SourceFile, format: str) -> None:
    try:
        document = registry.parse(source, format)
    except ParseError:
        return
    check_tree(document)
    assert Document.loads(document.dumps()) == document
    assert registry.parse(source, format).dumps() == document.dumps()
    raw = source.text
    for offset, _ in document.offset_map:
        position = document.raw_offset(offset)
        assert position is not None
        assert document.text[offset] == raw[position]


@examples(80)
@given(st.lists(LINES, max_size=40))
def test_section_bodies(lines: list[str]) -> None:
    head = '---\ntitle: "The Pilots Act, 1931"\n---\n\n## Section 1 - Pilots.\n\n'
    for joint in ("\n", "\n\n"):
        check(SourceFile("pilots.md", (head + joint.join(lines)).encode()), india_code_markdown.NAME)


@examples(80)
@given(st.lists(LINES, min_size=1, max_size=40))
def test_lines_as_every_text_format(lines: list[str]) -> None:
    for joint in ("\n", "\n\n"):
        source = SourceFile("x.txt", ("THE PILOTS ACT, 1931\n" + joint.join(lines)).encode())
        for module in (act_text, judgment_text, judgment_rr):
            check(source, module.NAME)


@examples(60)
@given(
    st.recursive(
        st.none() | st.integers() | LINES,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(LINES, inner, max_size=4),
        max_leaves=12,
    )
)
def test_any_json_is_an_act_or_a_typed_error(value: object) -> None:
    check(SourceFile("x.json", json.dumps(value).encode()), acts_json.NAME)


@examples(60)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_document_or_a_typed_error(data: bytes) -> None:
    for module in FORMATS:
        check(SourceFile("x", data), module.NAME)
