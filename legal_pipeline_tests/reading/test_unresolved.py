"""A citation that the index cannot answer is reported with its reason; the hits below it stay."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.viewer import OWNER, Viewer
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline_tests.indexed_laws import LAW, NOTE, run


@pytest.mark.parametrize(
    ("query", "citation", "reason"),
    [
        ("§ 12 BetrVG", "§ 12 BetrVG", "the index has no BetrVG"),
        ("3 § lagen (2098:7)", "3 § lagen (2098:7)", "the index has no document with this number"),
        ("26 I&N Dec. 884", "26 I&N Dec. 884", "the index has no 26 I&N Dec. 884"),
        ("s. 5 of the Theft Act 1968", "s. 5 of the Theft Act 1968", "the index has no Theft Act 1968"),
        (
            "s. 5 of the Lamp Trades Act 1968",
            "s. 5 of the Lamp Trades Act 1968",
            "the index has no document of this name",
        ),
        ("§ 12 PflBG", "§ 12 PflBG", "the index has no document of this name"),
    ],
)
def test_a_citation_of_a_work_that_is_not_indexed_is_unresolved(
    reader: LawReader, query: str, citation: str, reason: str
) -> None:
    (found,) = reader.search(query).unresolved
    assert (found.kind, found.citation, found.reason, found.document_id) == ("not_indexed", citation, reason, None)


@pytest.mark.parametrize("query", ["99 § lagen (2099:10)", "99 § lagen om fyrvakter"])
def test_a_provision_that_its_act_does_not_have_is_unresolved(reader: LawReader, query: str) -> None:
    (found,) = reader.search(query).unresolved
    assert (found.kind, found.document_id) == ("no_such_provision", LAW)
    assert found.reason == "Lag (2099:10) om fyrvakter has no such provision; it has 3 sections, 1 to 3"


def test_a_provision_that_the_filters_leave_out_is_unresolved(reader: LawReader) -> None:
    (found,) = reader.search("3 § lagen (2099:10)", filters=SearchFilters(as_of=date(1999, 1, 1))).unresolved
    assert (found.kind, found.document_id) == ("left_out", LAW)


@pytest.mark.parametrize(
    "query", ["3 § lagen (2099:10)", "3 § lagen om fyrvakter", "lagen (2099:10)", "vem ska vara vaken?", "3 §"]
)
def test_a_citation_with_its_provision_among_the_hits_is_resolved(reader: LawReader, query: str) -> None:
    assert reader.search(query).unresolved == []


def test_an_article_that_only_a_default_gives_to_a_constitution_is_not_missed(reader: LawReader) -> None:
    answer = reader.search("what does Article 21 protect?", filters=SearchFilters(jurisdictions=("in",)))
    assert answer.unresolved == []


def test_each_citation_of_a_query_counts(reader: LawReader) -> None:
    answer = reader.search("skillnaden mellan 3 § lagen (2099:10) och 5 § lagen (2098:7)")
    assert [citation.citation for citation in answer.unresolved] == ["5 § lagen (2098:7)"]
    assert answer.hits[0].is_cited


def test_an_act_whose_title_names_another_answers_for_itself(pipeline: Pipeline, folder: Path) -> None:
    for title, count in (
        ("Lag (2099:10) om fyrvakter", 3),
        ("Lag (2097:6) om tillämpning av lagen (2099:10) om fyrvakter", 6),
    ):
        sections = (f"{number} § Fyrvakten ska föra liggare {number}." for number in range(1, count + 1))
        (folder / f"{count}.txt").write_text("\n\n".join((title, *sections)), "utf-8")
    run(pipeline, folder)
    reader, citation = LawReader(pipeline), "5 § lagen om tillämpning av lagen (2099:10) om fyrvakter"
    answer = reader.search(citation)
    assert (answer.hits[0].text, answer.hits[0].is_cited) == ("5 § Fyrvakten ska föra liggare 5.", True)
    assert answer.unresolved == []
    assert reader.provision(citation).text == "5 § Fyrvakten ska föra liggare 5."


def test_an_act_known_by_its_number_alone_is_indexed(pipeline: Pipeline, folder: Path) -> None:
    articles = (f"## Artículo {number}\n\nEl farero encenderá la lámpara {number}." for number in range(1, 5))
    (folder / "ley.md").write_text("\n\n".join(("# Ley 4/2039, de 20 de junio, de faros", *articles)), "utf-8")
    (folder / "ley.md.meta.json").write_text('{"jurisdiction": "es", "number": "4/2039"}', "utf-8")
    run(pipeline, folder)
    answer = LawReader(pipeline).search("art. 4.2 Ley 4/2039")
    assert (answer.hits[0].is_cited, answer.hits[0].provision_id) == (True, "es-4-2039~art_4")
    assert answer.unresolved == []
    missing = LawReader(pipeline).search("art. 4.2 Ley 5/2039").unresolved
    assert "not_indexed" in {citation.kind for citation in missing}


def test_a_repealed_provision_is_unresolved(pipeline: Pipeline, folder: Path) -> None:
    sections = ("1 § Denna lag gäller bojar.", "2 § Har upphävts genom lag (2098:4).", "3 § Bojen ska vara röd.")
    (folder / "boj.txt").write_text("\n\n".join(("Lag (2097:5) om bojar", *sections)), "utf-8")
    run(pipeline, folder)
    (found,) = LawReader(pipeline).search("2 § lagen (2097:5)").unresolved
    assert (found.kind, found.document_id) == ("repealed", "se-sfs-2097-5")
    assert found.reason.startswith("Lag (2097:5) om bojar has it as repealed")


@pytest.fixture
def buoys(pipeline: Pipeline, folder: Path) -> LawReader:
    sections = (
        "1 § Bojen ska vara röd.\n\nDen får vara grön.\n\nDen ska ha ljus.",
        "2 § Bojen ska ha\n\n1. ljus,\n\n2. klocka.",
    )
    (folder / "boj.txt").write_text("\n\n".join(("Lag (2097:6) om bojar", *sections)) + "\n", "utf-8")
    run(pipeline, folder)
    return LawReader(pipeline)


def test_a_level_that_the_provision_does_not_have_is_unresolved(buoys: LawReader) -> None:
    answer = buoys.search("1 § sjunde stycket lagen (2097:6)")
    (found,) = answer.unresolved
    assert (found.kind, found.document_id) == ("no_such_provision", "se-sfs-2097-6")
    assert found.reason == "1 § lagen (2097:6) om bojar has no level 7 below it; it has 1 to 3"
    assert answer.hits[0].is_cited


@pytest.mark.parametrize(
    "query",
    [
        "1 § tredje stycket lagen (2097:6)",
        "1 § fjärde stycket lagen (2097:6)",
        "2 § första stycket 2 lagen (2097:6)",
        "1 § sjunde stycket",
    ],
)
def test_a_level_that_the_provision_has_or_may_have_is_resolved(buoys: LawReader, query: str) -> None:
    assert buoys.search(query).unresolved == []


@pytest.fixture
def terns(pipeline: Pipeline, folder: Path) -> LawReader:
    """An index of Acts that no country's data name: a Swedish one in chapters, a Zimbabwean one, and an Act read as notes."""
    swedish = (
        "Tärnskyddslag (2099:7)",
        "1 kap. Inledning",
        "1 § Denna lag gäller tärnor.",
        "2 § Tärnan är fredad.",
        "2 kap. Bon",
        "1 § Bon får inte störas.",
        "2 § Ägg får inte plockas.",
    )
    (folder / "tarna.txt").write_text("\n\n".join(swedish) + "\n", "utf-8")
    zimbabwean = (
        "Gull Wardens Act",
        "1. Short title\n\nThis Act may be cited as the Gull Wardens Act.",
        "2. Duty of the warden\n\nThe warden shall count the gulls before sunset.",
        "3. Offence\n\nA person who disturbs a gull shall be guilty of an offence.",
    )
    (folder / "gull.txt").write_text("\n\n".join(zimbabwean) + "\n", "utf-8")
    described = '{"jurisdiction": "zw", "doc_type": "act", "language": "eng", "title": "Gull Wardens Act"}'
    (folder / "gull.txt.meta.json").write_text(described, "utf-8")
    (folder / "tern.md").write_text("# Tern Act 2093\n\n## About terns\n\nTerns nest on the breakwater.\n", "utf-8")
    run(pipeline, folder)
    return LawReader(pipeline)


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("2 kap. 1 § tärnskyddslagen", SearchFilters(doc_types=("regulation",))),
        ("2 kap. 1 § tärnskyddslagen", SearchFilters(languages=("eng",))),
        ("2 kap. 1 § tärnskyddslagen", SearchFilters(jurisdictions=("zw",))),
        ("tärnskyddslagen 2 kap. 1 §", SearchFilters(document_ids=("zw-gull",))),
        ("s. 2 Gull Wardens Act", SearchFilters(jurisdictions=("se",))),
        ("s. 2 Gull Wardens Act", SearchFilters(jurisdictions=("in",))),
        ("s. 2 Gull Wardens Act", SearchFilters(doc_types=("regulation",))),
    ],
)
def test_a_provision_of_an_act_known_by_its_title_that_the_filters_leave_out_is_left_out(
    terns: LawReader, query: str, filters: SearchFilters
) -> None:
    assert terns.search(query).unresolved == []
    (found,) = terns.search(query, filters=filters).unresolved
    assert found.kind == "left_out"
    assert found.document_id is not None
    title = terns.document(found.document_id).origin.title
    assert found.reason == f"{title} has it, but the filters of this search leave it out"


def test_a_provision_that_no_indexed_act_has_is_not_left_out_by_filters(terns: LawReader) -> None:
    filters = SearchFilters(doc_types=("regulation",))
    (missing,) = terns.search("s. 9 Gull Wardens Act", filters=filters).unresolved
    assert (missing.kind, missing.reason.rpartition("; ")[2]) == ("no_such_provision", "it has 3 sections, 1 to 3")
    (unknown,) = terns.search("s. 9 Puffin Wardens Act", filters=filters).unresolved
    assert unknown.kind == "not_indexed"


def test_an_act_that_was_read_without_provisions_has_no_such_provision(terns: LawReader) -> None:
    (found,) = terns.search("s. 1 Tern Act 2093").unresolved
    assert (found.kind, found.reason) == (
        "no_such_provision",
        "Tern Act 2093 has no such provision; its text was read without provisions",
    )


@pytest.mark.parametrize(
    ("query", "extent"),
    [
        ("99 § tärnskyddslagen", "4 sections in 2 chapters"),
        ("2 kap. 99 § tärnskyddslagen", "2 sections in this chapter, 1 to 2"),
        ("9 kap. 1 § tärnskyddslagen", "4 sections in 2 chapters"),
    ],
    ids=["numbers that begin again in each chapter", "chapter of the Act", "no chapter of the Act"],
)
def test_an_act_says_which_provisions_it_has(terns: LawReader, query: str, extent: str) -> None:
    (found,) = terns.search(query).unresolved
    assert found.reason == f"Tärnskyddslag (2099:7) has no such provision; it has {extent}"


def test_a_hidden_document_is_not_named(reader: LawReader) -> None:
    filters, stranger = SearchFilters(doc_types=("act",)), Viewer(frozenset())
    ((known,), (told,)) = (
        reader.search("99 § lagen, Råd om mistlurar", filters=filters, viewer=viewer).unresolved
        for viewer in (OWNER, stranger)
    )
    assert (known.kind, known.document_id) == ("no_such_provision", NOTE)
    assert (told.kind, told.document_id) == ("not_indexed", None)


def test_a_title_that_the_rules_of_its_language_compare_is_known_where_the_filters_leave_it_out(
    pipeline: Pipeline, folder: Path
) -> None:
    sections = (
        "제1조(목적) 이 법은 등대에 적용한다.",
        "제2조(의무) 등대지기는 등을 켜야 한다.",
        "제3조(벌칙) 벌금은 십만원으로 한다.",
    )
    act = "\n\n".join(("등대 관리법", *sections)) + "\n"
    (folder / "lamp.txt").write_text(act, "utf-8")
    described = '{"jurisdiction": "kr", "doc_type": "act", "language": "kor", "title": "등대 관리법"}'
    (folder / "lamp.txt.meta.json").write_text(described, "utf-8")
    run(pipeline, folder)
    reader = LawReader(pipeline)
    assert reader.search("등대관리법 제2조").unresolved == []
    (found,) = reader.search("등대관리법 제2조", filters=SearchFilters(doc_types=("regulation",))).unresolved
    assert found.kind == "left_out"
