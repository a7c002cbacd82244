"""`proposition`: every definition of an Act as a sentence that stands by itself, counted by hand on six real Acts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking import proposition
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.cut import chunk, chunk_batch
from legal_pipeline.chunking.proposition import without_emphasis
from legal_pipeline.chunking.router import RouterOptions, route
from legal_pipeline.chunking.strategy import Proposed, Unresolved
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import collapse
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline_tests.chunking.conftest import statute
from legal_pipeline_tests.chunking.plain import Part
from legal_pipeline_tests.chunking.plain import document as plain_document
from legal_pipeline_tests.chunking.promises import check_promises
from legal_pipeline_tests.examples import examples


def act(heading: str, entries: list[tuple[str | None, str]], warnings: tuple[str, ...] = ()) -> Document:
    """An Act of two sections; section 2 holds the entries, numbered ones as sub-sections."""
    builder = DocumentBuilder()
    with builder.node("section", "1", "Title"):
        builder.add("1. This Act is the Kites Act, 2099.")
    with builder.node("section", "2", heading):
        builder.heading(f"2. {heading}")
        for number, text in entries:
            if number is None:
                builder.add(text)
            else:
                with builder.node("subsection", number):
                    builder.add(f"({number}) {text}")
    return builder.document(
        SourceFile("act.txt", b"not read by a chunker"),
        document_id="in-act-2099-1",
        title="The Kites Act, 2099",
        jurisdiction="in",
        doc_type="act",
        language="eng",
        warnings=warnings,
    )


def propositions(result: ChunkedDocument) -> list[Chunk]:
    return [row for row in result.chunks if row.strategy == "proposition"]


def terms(document: Document) -> list[list[str]]:
    return [row.metadata["terms"] for row in propositions(chunk(document))]


def test_a_definition_becomes_a_sentence_that_stands_by_itself() -> None:
    document = act(
        "Definitions", [("1", '"kite" means a frame that the wind carries;'), ("2", '"tail" includes a ribbon.')]
    )
    result = chunk(document)
    check_promises(document, result)
    first, second = propositions(result)
    assert first.chunk_text == 'Under section 2(1) of The Kites Act, 2099, "kite" means a frame that the wind carries.'
    assert second.chunk_text == 'Under section 2(2) of The Kites Act, 2099, "tail" includes a ribbon.'
    assert (first.path, first.chunk_type, first.generator) == ("Section 2(1): kite", "definition", "rules")
    assert document.text[first.start_char : first.end_char] == '(1) "kite" means a frame that the wind carries;'


def test_the_section_stays_whole_and_is_the_parent_of_its_propositions() -> None:
    document = act("Definitions", [("1", '"kite" means a frame;'), ("2", '"tail" means a ribbon.')])
    result = chunk(document)
    (section,) = [row for row in result.chunks if row.path == "Section 2"]
    assert section.strategy == "statute_boundary"
    assert '"kite"' in section.chunk_text
    assert '"tail"' in section.chunk_text
    assert {row.parent_chunk_id for row in propositions(result)} == {section.chunk_id}
    assert section.parent_chunk_id is None


def test_two_names_of_one_thing_are_one_definition() -> None:
    assert terms(act("Definitions", [("1", '"kite" or "flyer", with its grammatical variations, means a frame;')])) == [
        ["kite", "flyer"]
    ]


def test_a_definition_lasts_to_the_next_one() -> None:
    entries = [
        (None, "In this Act—"),
        (None, "“kite” means—"),
        (None, "(a) a frame; or"),
        (None, "“tail” means a ribbon."),
    ]
    rows = propositions(chunk(act("Interpretation", entries)))
    assert [row.metadata["terms"] for row in rows] == [["kite"], ["tail"]]
    assert "(a) a frame" in rows[0].chunk_text


@pytest.mark.parametrize(
    "following",
    [
        "(2) The keeper shall fly no kite by night.",
        "3. The keeper shall fly no kite by night.",
        "The Minister may make rules on flags.",
        "PART 2 FLAGS",
    ],
)
def test_a_definition_does_not_hold_the_rule_behind_it(following: str) -> None:
    entries = [
        (None, text)
        for text in ("“kite” means—", "(a) a frame; or", "(b) a bag that—", "(i) flies,", "(ii) glides.", following)
    ]
    (row,) = propositions(chunk(act("Interpretation", entries)))
    assert row.chunk_text.endswith("(ii) glides.")


@pytest.mark.parametrize(
    "following", ["but no balloon.", "It is a kite even if the frame is broken.", "(b) a bag.", "(i) of wood; and"]
)
def test_a_definition_holds_what_goes_on_with_it(following: str) -> None:
    entries = [
        (None, text)
        for text in ("“kite” means—", "(a) a frame that is:" if "(i)" in following else "(a) a frame.", following)
    ]
    (row,) = propositions(chunk(act("Interpretation", entries)))
    assert following.rstrip(".; and") in row.chunk_text


def test_a_list_of_a_definition_may_have_capitals() -> None:
    entries = [(None, text) for text in ("“kite” means—", "(A) A frame.", "(B) A bag.", "“tail” means a ribbon.")]
    kite, tail = propositions(chunk(act("Definitions", entries)))
    assert kite.chunk_text.endswith("“kite” means—\n\n(A) A frame.\n\n(B) A bag.")
    assert tail.metadata["terms"] == ["tail"]


def test_a_numbered_definition_ends_at_the_next_number_of_its_list() -> None:
    entries = [
        (None, text)
        for text in ("(3) “kite” means a frame.", "(4) A kite is let fly by day.", "(5) “tail” means a ribbon.")
    ]
    assert [
        row.chunk_text.partition(", ")[2].partition(", ")[2]
        for row in propositions(chunk(act("Interpretation", entries)))
    ] == [
        "“kite” means a frame.",
        "“tail” means a ribbon.",
    ]


def test_a_paragraph_that_includes_something_defines_no_term() -> None:
    entries = [
        ("1", "“kite” means a frame."),
        ("2", "In this Act: it flies."),
        (None, "This section includes kites without a tail."),
    ]
    assert terms(act("Interpretation", entries)) == [["kite"]]


def test_terms_that_are_not_quoted_are_found_in_the_old_forms() -> None:
    entries: list[tuple[str | None, str]] = [
        ("a", "When one person lets a kite fly, he is said to make a signal;"),
        ("b", "The person who sees it is called the watcher;"),
        ("c", "A signal that nobody sees is said to be void;"),
        ("d", "A signal that is answered is a conversation."),
    ]
    assert terms(act("Interpretation-clause", entries)) == [["signal"], ["watcher"], ["void"], ["conversation"]]


def test_a_section_without_a_telling_heading_needs_three_definitional_sentences() -> None:
    two = [("1", '"kite" means a frame;'), ("2", '"tail" means a ribbon;')]
    assert terms(act("Kites", two)) == []
    assert len(terms(act("Kites", [*two, ("3", '"wind" means moving air.')]))) == 3


def test_quoted_words_that_nothing_defines_are_no_definitions() -> None:
    entries = [("1", 'The keeper shall write "danger", "fog" and "wreck" on the board.')]
    assert terms(act("Warnings", entries)) == []


def test_a_repealed_definition_is_none() -> None:
    assert terms(
        act("Definitions", [(None, '"kite" [definition repealed by Act 2 of 2100]'), (None, '"tail" means a ribbon.')])
    ) == [["tail"]]


def test_words_defined_elsewhere_name_no_term() -> None:
    entries = [
        ("1", '"kite" means a frame;'),
        ("2", "words and expressions used but not defined shall have the meanings in the Winds Act."),
    ]
    assert terms(act("Definitions", entries)) == [["kite"]]


def test_a_number_inside_the_line_of_another_is_a_definition_of_its_own() -> None:
    rows = propositions(chunk(act("Definitions", [("1", '"kite" means a frame; (2) "tail" means a ribbon;')])))
    assert [row.path for row in rows] == ["Section 2(1): kite", "Section 2(2): tail"]
    assert "ribbon" not in rows[0].chunk_text


def test_a_suspected_truncation_is_flagged_on_the_definition_that_it_cut() -> None:
    warnings = ("section 2 was probably cut off at 8,000 characters by the source",)
    rows = propositions(
        chunk(act("Definitions", [("1", '"kite" means a frame;'), ("2", '"tail" means a rib')], warnings))
    )
    assert [row.metadata.get("suspected_truncation") for row in rows] == [None, True]
    assert all(row.metadata["section_suspected_truncation"] for row in rows)


def test_forcing_propositions_still_covers_the_document() -> None:
    document = act("Definitions", [("1", '"kite" means a frame;')])
    result = chunk(document, RouterOptions("proposition"))
    check_promises(document, result)
    assert len(propositions(result)) == 1


def test_a_definition_over_the_limit_gives_several_propositions_of_one_source() -> None:
    meaning = " ".join(f"frame {n} of wood, bamboo, or any other light material;" for n in range(300))
    document = act("Definitions", [("1", f'"kite" means {meaning}')])
    result = chunk(document)
    check_promises(document, result)
    rows = propositions(result)
    assert [row.path for row in rows[:2]] == ["Section 2(1): kite", "Section 2(1): kite#2"]
    assert len({row.spans for row in rows}) == 1


def test_a_swedish_list_of_terms_is_cited_by_chapter_and_paragraph() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.chapter("1", "Inledande bestämmelser", "1 kap. Inledande bestämmelser")
        writer.heading("Definitioner")
        writer.section("2 §")
        writer.stycke("I denna lag avses med")
        writer.item("1.", "fyr: ett torn med en lampa, och")
        writer.item("2.", "fyrvakt: den som tänder lampan.")

    rows = propositions(chunk(statute(write)))
    assert [row.path for row in rows] == ["kap1.§2: fyr", "kap1.§2: fyrvakt"]
    assert rows[0].chunk_text.endswith("fyr: ett torn med en lampa.")
    assert rows[0].chunk_text.startswith("Enligt 1 kap. 2 § ")


def test_a_reference_with_avses_i_is_no_definition() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("De fyrar som avses i 3 § ska: lysa, tuta och blinka. Med dem som avses i 4 § gäller detsamma.")

    assert propositions(chunk(statute(write))) == []


_term = st.sampled_from(["kite", "tail", "line of silk", "wind"])
_verb = st.sampled_from(["means", "includes", "denotes", "shall have the meaning of"])


@given(st.lists(st.tuples(_term, _verb), min_size=1, max_size=12))
@examples(60)
def test_one_proposition_per_definition_in_text_order(found: list[tuple[str, str]]) -> None:
    entries = [(str(n), f'"{term}" {verb} thing number {n};') for n, (term, verb) in enumerate(found, start=1)]
    document = act("Definitions", list(entries))
    result = chunk(document)
    check_promises(document, result)
    assert [row.metadata["terms"] for row in propositions(result)] == [[term] for term, _ in found]


# -- real Acts, counted by hand ----------------------------------------------------------------------------------------


def of(corpus: Path, name: str, place: str) -> list[Chunk]:
    """Propositions of the provisions whose path begins with `place`."""
    path = corpus / name
    document = parse(SourceFile(path.name, path.read_bytes()))
    result = chunk(document)
    check_promises(document, result)
    rows = [row for row in propositions(result) if row.path.startswith(place)]
    for row in rows:
        source = collapse("\n".join(document.text[start:end] for start, end in row.spans))
        for term in row.metadata["terms"]:
            assert collapse(term) in source
            assert collapse(term) in collapse(row.chunk_text)
    return rows


@pytest.mark.corpus
def test_contract_act_section_2_has_ten_defining_clauses(corpus: Path) -> None:
    rows = of(corpus, "in/indiacode_md/the-indian-contract-act-1872.en.part-001.md", "Section 2(")
    assert [(row.path.split(":")[0], row.metadata["terms"]) for row in rows] == [
        ("Section 2(a)", ["proposal"]),
        ("Section 2(b)", ["accepted", "promise"]),
        ("Section 2(c)", ["promisor", "promisee"]),
        ("Section 2(d)", ["consideration"]),
        ("Section 2(e)", ["agreement"]),
        ("Section 2(f)", ["reciprocal promises"]),
        ("Section 2(g)", ["void"]),
        ("Section 2(h)", ["contract"]),
        ("Section 2(i)", ["voidable contract"]),
        ("Section 2(j)", ["void"]),
    ]


#: Chapter II of the Penal Code: sections 6 and 7 say how definitions are read, 13, 15 and 16 are repealed, 34 to 38 are rules of
#: liability; 10 defines two words and 23 four in sentences of their own, 33, 43 and 49 two in one sentence.
IPC = """he; singular number; man; woman; person; public; servant of Government; Government; India; Judge; Court of Justice; public servant;
movable property; Wrongful gain; Wrongful loss; Gaining wrongfully; Losing wrongfully; dishonestly; fraudulently; reason to believe;
possession; counterfeit; document; electronic record; valuable security; a will; acts done; act, omission; voluntarily; offence;
special law; local law; illegal, legally bound to do; injury; life; death; animal; vessel; year, month; section; oath; good faith;
harbour"""


@pytest.mark.corpus
def test_penal_code_chapter_2_has_43_definitions(corpus: Path) -> None:
    expected = [item.split(", ") for item in collapse(IPC).split("; ")]
    assert len(expected) == 43
    assert [row.metadata["terms"] for row in of(corpus, "in/acts_json/ipc.json", "Chapter 2 > ")] == expected


@pytest.mark.corpus
def test_bns_section_2_has_38_defining_clauses_and_three_definitions_inside_them(corpus: Path) -> None:
    rows = of(corpus, "in/indiacode_md/the-bharatiya-nyaya-sanhita-2023.en.part-001.md", "Section 2(")
    inside = [row.path for row in rows if ")(" in row.path or "Explanation" in row.path]
    assert inside == [
        "Section 2(10), Explanation: transgender",
        "Section 2(24)(b): offence",
        "Section 2(28), Explanation (c): election",
    ]
    # Clause (39) refers to the Acts that define other words.
    clauses = [row.path.split(":")[0] for row in rows if row.path not in inside]
    assert clauses == [f"Section 2({number})" for number in range(1, 39)]


@pytest.mark.corpus
def test_companies_act_section_2_has_94_defining_clauses_and_six_definitions_inside_them(corpus: Path) -> None:
    rows = of(corpus, "in/indiacode_md/the-companies-act-2013.en.part-001.md", "Section 2(")
    inside = [row for row in rows if "Explanation" in row.path]
    assert [row.metadata["terms"][0] for row in inside] == [
        "significant influence",
        "joint venture",
        "company",
        "the investing company or the venturer of a company",
        "company",
        "layer",
    ]
    # Clause (49) is omitted and (95) refers to other Acts; (94A) was inserted.
    numbers = [str(number) for number in range(1, 95) if number != 49] + ["94A"]
    assert [row.path.split(":")[0] for row in rows if row not in inside] == [f"Section 2({n})" for n in numbers]


#: Labour Act: 38 quoted terms, of which certified, Chairman, code, Deputy Chairman and employment board are repealed.
LABOUR = """accreditation proceedings; agent union; appropriate trade union; assessor; association dues; casual work;
certificate of registration; check-off scheme; collective bargaining agreement; collective job action; compulsory arbitration;
contractor; designated agent; disciplined force; dispute; dispute of interest; dispute of right; employee; employer;
employers organization; employment agency; employment code; employment council; employment officer; equal remuneration; federation;
fixed date; forced labour; HIV/AIDS status; Labour Court; labour officer; legal practitioner; managerial employee"""


@pytest.mark.corpus
def test_labour_act_section_2_has_33_definitions_and_the_last_was_cut_off(corpus: Path) -> None:
    rows = of(corpus, "zw/zimlii_json/zw-1985-16.json", "Part I > Section 2:")
    assert [row.metadata["terms"] for row in rows] == [[term] for term in collapse(LABOUR).split("; ")]
    assert [row.metadata["terms"][0] for row in rows if row.metadata.get("suspected_truncation")] == [
        "managerial employee"
    ]


CONSUMER = """accreditation; accredited consumer protection advocacy group; Commission; business; complainant; consumer;
consumer agreement; consumer contract; consumer dispute; court; defect; direct marketing; dispute; goods; hazard; importer; inspector;
investigator; intermediary; juristic person; market; Minister; price; producer; promote; regulatory authority; retailer; services;
service provider; supplier; transaction"""


@pytest.mark.corpus
def test_consumer_protection_act_section_2_has_31_definitions(corpus: Path) -> None:
    rows = of(corpus, "zw/importer_html/zw-cpa.html", "Part I > Section 2(1):")
    assert [row.metadata["terms"] for row in rows] == [[term] for term in collapse(CONSUMER).split("; ")]


def left_to_a_model(document: Document) -> list[str]:
    segments, _ = route(document)
    return [
        item.text
        for segment in segments
        if segment.strategy == "proposition"
        for item in proposition.unresolved(document, segment)
    ]


def test_lines_of_a_definitions_section_in_which_rules_found_nothing_are_left_to_a_model() -> None:
    document = act(
        "Definitions",
        [
            (None, "In this Act, unless the context otherwise requires,—"),
            ("1", '"kite" means a frame that the wind carries;'),
            ("2", "a kite has flown when it has been in the air for as long as a tea is brewed;"),
            ("3", '"tail" [definition repealed by section 3 of Act 17 of 2098];'),
            (
                "4",
                "words and expressions used and not defined in this Act but defined in the Wind Act have that meaning;",
            ),
            ("5", "a short one."),
        ],
    )
    assert left_to_a_model(document) == [
        "(2) a kite has flown when it has been in the air for as long as a tea is brewed;\n(5) a short one."
    ]


def test_nothing_is_left_to_a_model_outside_of_sections_headed_as_definitions() -> None:
    entries: list[tuple[str | None, str]] = [
        (str(number), f'"kite {number}" means a frame that the wind carries;') for number in range(1, 5)
    ]
    document = act(
        "Kites", [*entries, ("5", "a kite has flown when it has been in the air for as long as a tea is brewed.")]
    )
    assert len(propositions(chunk(document))) == 4
    assert left_to_a_model(document) == []


def test_propositions_of_a_model_stand_beside_those_of_the_rules_and_name_it() -> None:
    document = act(
        "Definitions",
        [
            ("1", '"kite" means a frame;'),
            ("2", "a kite has flown when it has been in the air for as long as a tea is brewed;"),
        ],
    )

    class Model:
        def propose(self, asked: Sequence[Unresolved]) -> list[tuple[Proposed, ...]]:
            return [
                (
                    Proposed(
                        "flown",
                        f"Under {item.citation} of the Act, a kite has flown: see there.",
                        1,
                        1,
                        "2",
                        "a model/1",
                    ),
                )
                for item in asked
            ]

    (result,) = chunk_batch([document], RouterOptions(), proposer=Model())
    assert isinstance(result, ChunkedDocument)
    check_promises(document, result)
    by_rules, by_model = propositions(result)
    assert (by_rules.path, by_rules.generator) == ("Section 2(1): kite", "rules")
    assert (by_model.path, by_model.generator) == ("Section 2(2): flown", "a model/1")
    assert document.text[by_model.start_char : by_model.end_char].startswith("(2) a kite has flown")
    assert by_model.parent_chunk_id == by_rules.parent_chunk_id


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('"**lamp**" means a light', '"lamp" means a light'),
        ("**Lamps Act** of the __Isles__", "Lamps Act of the Isles"),
        ("2 ** 3 and a * b and snake__case", "2 ** 3 and a * b and snake__case"),
    ],
)
def test_signs_of_emphasis_are_not_in_a_proposition(text: str, plain: str) -> None:
    assert without_emphasis(text) == plain


def test_a_term_and_an_act_set_in_bold_are_words_in_the_proposition() -> None:
    body = 'In this Act, "**lamp**" means any light that burns at **night**;'
    made = plain_document(Part("section", body, "2", "Definitions"), title="**Lamps Act**")
    rows = [row for row in chunk(made).chunks if row.strategy == "proposition"]
    assert rows
    assert all("**" not in row.chunk_text for row in rows)
    assert "lamp" in rows[0].chunk_text
