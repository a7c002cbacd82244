"""Questions to a small index: provisions on a day, versions, differences, citations, quotes, changes, and what a reader may not see."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError, NotFoundError, QueryError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.texts import Text
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.indexed_laws import CITING, FIRST, LAW, NOTE, ROAD, SECOND, THIRD, WITHHELD, run

SECTION = f"{LAW}~sec_3"
STRANGER = Viewer(frozenset(), may_read_withheld=False)
OF_THE_FIRM = Viewer(frozenset({"firm-a"}), may_read_withheld=False)


def test_a_provision_is_the_wording_of_the_day_that_is_asked_for(reader: LawReader) -> None:
    days = ("2001-01-01", "2010-05-31", "2010-06-01", "2030-01-01")
    texts = [reader.provision(SECTION, as_of=date.fromisoformat(day)).text for day in days]
    assert texts == [f"3 § {text}" for text in (FIRST, FIRST, SECOND, THIRD)]
    now = reader.provision(SECTION)
    assert (now.text, now.interval.valid_from, now.interval.valid_to) == (f"3 § {THIRD}", "2020-06-01", None)
    assert now.citation == "3 § lagen (2099:10) om fyrvakter"


def test_before_the_first_text_nothing_is_known_and_the_error_says_what_is(reader: LawReader) -> None:
    with pytest.raises(
        NotFoundError, match="not law on 1999-12-31; known wordings: sec_3 from 2001-01-01 to 2010-06-01"
    ):
        reader.provision(SECTION, as_of=date(1999, 12, 31))


@pytest.mark.parametrize("id", ["nothing", "nothing~sec_1", f"{LAW}~sec_99", "~", "\ud800", f"{LAW}~\x00", "../..~x"])
def test_an_unknown_id_is_a_typed_error(reader: LawReader, id: str) -> None:
    with pytest.raises((NotFoundError, QueryError)):
        reader.provision(id)


@pytest.mark.parametrize("citation", ["3 § lagen (2099:10)", "SFS 2099:10 3 §", "3 § lagen om fyrvakter"])
def test_a_citation_leads_to_its_provision(reader: LawReader, citation: str) -> None:
    assert reader.provision(citation).id == SECTION


def test_versions_are_all_wordings_in_their_order(reader: LawReader) -> None:
    found = reader.versions(SECTION).versions
    assert [(one.text, one.interval.valid_from, one.interval.valid_to) for one in found] == [
        (f"3 § {FIRST}", "2001-01-01", "2010-06-01"),
        (f"3 § {SECOND}", "2010-06-01", "2020-06-01"),
        (f"3 § {THIRD}", "2020-06-01", None),
    ]


def test_a_difference_of_two_days_is_spans_of_both_texts(reader: LawReader) -> None:
    found = reader.diff(SECTION, date(2005, 1, 1), date(2015, 1, 1))
    assert found.changed
    assert found.before is not None
    assert found.after is not None
    assert [(span.kind, span.second) for span in found.spans or () if span.kind != "equal"] == [
        ("insert", "tre gånger")
    ]
    for span in found.spans or ():
        assert (found.before.text or "")[span.first_start : span.first_end] == span.first
        assert (found.after.text or "")[span.second_start : span.second_end] == span.second
    assert not reader.diff(SECTION, date(2012, 1, 1), date(2015, 1, 1)).changed
    assert not reader.diff(f"{LAW}~sec_1", date(2005, 1, 1), date(2015, 1, 1)).changed
    came = reader.diff(SECTION, date(1990, 1, 1), date(2015, 1, 1))
    assert (came.changed, came.before, came.spans) == (True, None, None)


def test_a_document_differs_by_provisions(reader: LawReader) -> None:
    found = reader.document_diff(LAW, date(2005, 1, 1), date(2025, 1, 1))
    assert found.summary == "3 § ändrad"
    assert [(one.kind, one.eid, one.before, one.after) for one in found.changes] == [("changed", "sec_3", FIRST, THIRD)]
    with pytest.raises(NotFoundError, match="the first known one is of 2001-01-01"):
        reader.document_diff(LAW, date(1990, 1, 1), date(2025, 1, 1))


def test_an_outline_names_each_provision(reader: LawReader) -> None:
    assert [node.id for node in reader.outline(LAW).nodes] == [f"{LAW}~sec_{number}" for number in (1, 2, 3)]


def test_a_pending_amendment_stands_with_its_provision_and_its_document(reader: LawReader) -> None:
    assert [one.number for one in reader.provision(f"{ROAD}~sec_2").pending_amendments] == ["SFS 2025:10"]
    assert reader.provision(f"{ROAD}~sec_1").pending_amendments == []
    assert [one.in_force_date for one in reader.amendments_of(ROAD)] == ["2025-03-01"]
    assert [one.number for one in reader.document(ROAD).pending_amendments] == ["SFS 2025:10"]


def test_every_citation_of_a_text_is_resolved_or_says_why_not(reader: LawReader) -> None:
    text = "Enligt 5 § gäller annat. Så även enligt 3 § lagen (2099:10), 9 § samma lag och 2 § lagen (1999:1)."
    found = reader.resolve(text).citations
    assert [text[one.start : one.end] for one in found] == [
        "5 §",
        "3 § lagen (2099:10)",
        "9 § samma lag",
        "2 § lagen (1999:1)",
    ]
    assert [one.provision.id if one.provision else one.reason for one in found] == [
        "the text does not say of which work, or under a name that is not known",
        SECTION,
        "the latest text of the work has no such provision",
        "the index does not hold this work",
    ]
    with pytest.raises(QueryError, match="characters"):
        reader.resolve("x" * 50_001)


@pytest.mark.parametrize("code", ["Sweden", "x" * 5000, "../se", "\x00", ""])
def test_what_is_not_a_country_code_is_refused(reader: LawReader, code: str) -> None:
    for ask in (
        lambda: reader.resolve("3 § lagen (2099:10)", jurisdictions=[code]),
        lambda: reader.documents(jurisdictions=[code]),
        lambda: reader.changes(date(2020, 1, 1), jurisdictions=[code]),
    ):
        with pytest.raises(ConfigurationError, match="jurisdiction"):
            ask()


def test_a_country_may_be_named_by_another_code(reader: LawReader) -> None:
    yesterday = date.today() - timedelta(1)
    assert reader.changes(yesterday, jurisdictions=["swe"]) == reader.changes(yesterday, jurisdictions=["se"])
    assert reader.documents(jurisdictions=["swe"]) == reader.documents(jurisdictions=["se"])
    answers = [
        reader.search("77 § lagen (2099:10)", filters=SearchFilters(jurisdictions=(code,))).unresolved
        for code in ("swe", "se")
    ]
    assert answers[0] == answers[1] != []


def test_a_text_full_of_citations_is_not_the_citation_of_a_provision(reader: LawReader) -> None:
    with pytest.raises(NotFoundError, match="more than one provision"):
        reader.provision(", ".join(f"{number} § lagen (2099:10)" for number in range(1, 40)))


def test_a_paragraph_of_a_judgment_is_cited_as_one(reader: LawReader) -> None:
    (judgment,) = reader.documents(doc_types=["judgment"]).documents
    (paragraph,) = [
        node for top in reader.outline(judgment.document_id).nodes for node in (top, *top.children) if node.num == "3"
    ]
    cited = reader.provision(paragraph.id or "")
    assert cited.citation.endswith("para 3")
    assert "High Court upheld the fine" in (cited.text or "")


@pytest.mark.parametrize(
    ("quote", "verdict", "since"),
    [
        ("mistluren ljuda fyra  gånger\ni minuten", "current", ["2020-06-01"]),
        ("mistluren ljuda tre gånger", "superseded", ["2010-06-01"]),
        ("ska mistluren ljuda", "current", ["2001-01-01", "2010-06-01", "2020-06-01"]),
        ("Vid dimma … minuten.", "current", ["2020-06-01"]),
        ("mistluren ljuda tre gånger i minuten", "differs", ["2020-06-01"]),
    ],
)  # fmt: skip
def test_a_quote_is_found_in_the_wordings_that_say_it(
    reader: LawReader, quote: str, verdict: str, since: list[str]
) -> None:
    found = reader.verify(quote, SECTION)
    assert (found.verdict, [one.interval.valid_from for one in found.versions]) == (verdict, since)
    if verdict == "differs":
        (span,) = found.versions[0].differences
        assert (span.kind, quote[span.first_start : span.first_end], span.second) == ("replace", "tre", "fyra")


def test_of_wordings_that_are_equally_near_to_a_quote_the_one_in_force_is_shown(reader: LawReader) -> None:
    (nearest,) = reader.verify("ska mistluren tjuta", SECTION).versions
    assert (nearest.is_current, nearest.interval.valid_from) == (True, "2020-06-01")


def test_who_cites_a_provision(reader: LawReader) -> None:
    assert {place.document_id for place in reader.cited_by(SECTION).places} == {CITING, NOTE}
    assert {place.provision_id for place in reader.cited_by(SECTION, viewer=STRANGER).places} == {f"{CITING}~sec_1"}
    assert reader.cited_by(f"{LAW}~sec_1").places == []


def test_what_a_provision_cites_is_resolved(reader: LawReader) -> None:
    (cited,) = reader.cites(f"{CITING}~sec_1").citations
    assert (cited.raw, cited.resolved, cited.provision and cited.provision.id) == ("3 § lagen (2099:10)", True, SECTION)
    text = reader.text(CITING).text
    assert text is not None
    assert text[cited.start : cited.end] == cited.raw
    (own,) = reader.cites(f"{CITING}~sec_2").citations
    assert (own.raw, own.document_id, own.provision) == ("denna lag", CITING, None)
    assert reader.cites(CITING).citations == [cited, own]
    assert reader.cites(f"{LAW}~sec_1").citations == []


def test_a_text_comes_in_stretches_of_whole_lines(reader: LawReader) -> None:
    whole = reader.text(LAW)
    found, start = "", 0
    while start < whole.characters:
        stretch = reader.text(LAW, start=start, limit=60)
        assert stretch.text is not None
        # a line longer than the limit is cut
        assert stretch.text.endswith("\n") or "\n" not in stretch.text or stretch.end == whole.characters
        found, start = found + stretch.text, stretch.end
    assert found == whole.text
    assert THIRD in found
    old = reader.text(LAW, as_of=date(2005, 1, 1)).text
    assert old is not None
    assert FIRST in old


def test_a_chunk_is_explained_to_those_who_may_see_it(reader: LawReader) -> None:
    (hit, *_) = reader.search("2 § lagen (2099:10) om fyrvakter").hits
    found = reader.explain(hit.chunk_id)
    assert (found.provision_id, found.text) == (f"{LAW}~sec_2", hit.text)
    assert found.route == [(found.strategy, found.reason)]
    assert found.source_text_matches
    beside = [one and one.provision_id for one in (found.before, found.after)]
    assert beside == [f"{LAW}~sec_1", SECTION]
    similar = [one.similarity or 0 for one in found.nearest]
    assert similar == sorted(similar, reverse=True)
    assert found.chunk_id not in [one.chunk_id for one in found.nearest]
    note = next(hit for hit in reader.search("hemliga råd").hits if hit.origin.document_id == NOTE)
    near = {one.document_id for one in reader.explain(hit.chunk_id, viewer=STRANGER).nearest}
    assert NOTE not in near
    for chunk in (note.chunk_id, "nothing"):
        with pytest.raises(NotFoundError, match="no published chunk has the id"):
            reader.explain(chunk, viewer=STRANGER)
    kept_back = next(hit for hit in reader.search("Handbok om mistlurar").hits if hit.origin.document_id == WITHHELD)
    assert reader.explain(kept_back.chunk_id).text is not None
    assert reader.explain(kept_back.chunk_id, viewer=STRANGER).text is None


def test_a_firms_note_is_seen_by_the_firm_alone(reader: LawReader) -> None:
    def seen(viewer: Viewer) -> dict[str, bool]:
        searched = reader.search("råd om mistluren före gryningen", viewer=viewer, limit=20).model_dump_json()
        listed = reader.documents(viewer=viewer).model_dump_json()
        feed = reader.changes(date.today() - timedelta(1), viewer=viewer).model_dump_json()
        citing = reader.cited_by(LAW, viewer=viewer).model_dump_json()
        counted = reader.coverage(viewer=viewer).documents == reader.coverage().documents
        seen = {
            name: NOTE in text
            for name, text in (("search", searched), ("list", listed), ("feed", feed), ("citing", citing))
        }
        return {**seen, "counts": counted, "text": "hemliga" in searched}

    assert set(seen(OF_THE_FIRM).values()) == {True}
    assert set(seen(STRANGER).values()) == {False}
    assert set(seen(Viewer(frozenset({"firm-b"}))).values()) == {False}
    assert reader.document(NOTE, viewer=OF_THE_FIRM).origin.title == "Råd om mistlurar"
    for ask in (reader.document, reader.outline, reader.cited_by):
        with pytest.raises(NotFoundError) as hidden:
            ask(NOTE, viewer=STRANGER)
        with pytest.raises(NotFoundError) as absent:
            ask(NOTE.replace("firm", "form"), viewer=STRANGER)
        assert str(hidden.value).replace(NOTE, "") == str(absent.value).replace(NOTE.replace("firm", "form"), "")


def test_a_text_that_its_source_forbids_to_hand_on_is_found_and_not_shown(reader: LawReader) -> None:
    query = "handbokens skyddade text om talg"

    def shown(viewer: Viewer) -> list[tuple[str | None, bool]]:
        hits = reader.search(query, limit=20, viewer=viewer).hits
        return [(hit.text, hit.text_withheld) for hit in hits if hit.origin.document_id == WITHHELD]

    assert shown(STRANGER) == [(None, True)]
    assert "talg" not in reader.search(query, viewer=STRANGER).model_copy(update={"query": ""}).model_dump_json()
    ((text, is_withheld),) = shown(Viewer())
    assert "talg" in (text or "")
    assert not is_withheld


def test_answers_say_where_their_text_comes_from(reader: LawReader) -> None:
    for origin in (reader.provision(f"{CITING}~sec_1").origin, reader.search("1 § lagen (2099:11)").hits[0].origin):
        assert (origin.source_url, origin.licence) == ("https://laws.example/2099/11", "CC0")


def test_a_search_as_of_a_day_shows_its_wording(reader: LawReader) -> None:
    found = reader.search("3 § lagen (2099:10)", filters=SearchFilters(as_of=date(2005, 1, 1)))
    assert (found.hits[0].text, found.hits[0].is_cited, found.as_of) == (f"3 § {FIRST}", True, "2005-01-01")


def test_documents_come_in_pages(reader: LawReader) -> None:
    everything = [one.document_id for one in reader.documents().documents]
    pages, cursor = [], None
    while True:
        page = reader.documents(limit=2, cursor=cursor)
        pages += [one.document_id for one in page.documents]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert pages == everything == sorted(everything)
    assert {one.document_id for one in reader.documents(doc_types=["amendment"]).documents} == {"se-sfs-2025-10"}


def test_changes_come_in_pages_the_latest_first(reader: LawReader) -> None:
    today = date.today() - timedelta(1)
    everything = reader.changes(today).changes
    law = [one for one in everything if one.document_id == LAW]
    assert [(one.kind, one.summary, one.provisions, one.holds_from) for one in law] == [
        ("changed", "3 § ändrad", [SECTION], "2020-06-01"),
        ("changed", "3 § ändrad", [SECTION], "2010-06-01"),
        ("added", "", [], "2001-01-01"),
    ]
    pages, cursor = [], None
    while True:
        page = reader.changes(today, limit=1, cursor=cursor)
        pages += page.changes
        cursor = page.next_cursor
        if cursor is None:
            break
    assert pages == everything
    assert [one.holds_from for one in reader.changes(today, id=SECTION).changes] == ["2020-06-01", "2010-06-01"]
    assert reader.changes(date.today() + timedelta(1)).changes == []
    with pytest.raises(QueryError, match="cursor"):
        reader.changes(today, cursor="???")


def test_one_reader_serves_several_threads(reader: LawReader) -> None:
    days = [date(2005, 1, 1), date(2015, 1, 1), date(2025, 1, 1)] * 6
    with ThreadPoolExecutor(6) as pool:
        texts = list(pool.map(lambda day: reader.provision(SECTION, as_of=day).text, days))
    assert texts == [f"3 § {text}" for text in (FIRST, SECOND, THIRD)] * 6


def test_a_hit_says_that_its_text_is_not_the_words_of_the_document(pipeline: Pipeline, folder: Path) -> None:
    name = "the-lighthouse-keepers-act-2098.en.part-001.md"
    shutil.copy(Path(__file__).parents[2] / "data" / "sample" / "in" / name, folder)
    run(pipeline, folder)
    hits = LawReader(pipeline).search("what does lantern mean").hits
    rewritten = {hit.path for hit in hits if hit.is_rewritten}
    assert "Section 2(b): lantern" in rewritten
    assert all(": " in path for path in rewritten)
    assert len(rewritten) < len(hits)


def test_a_citation_in_the_form_of_a_country_that_is_not_indexed_is_not_dropped(reader: LawReader) -> None:
    (found,) = reader.resolve("Nach § 12 BetrVG ist der Betriebsrat zu hören.").citations
    assert (found.raw, found.jurisdiction, found.reason) == ("§ 12 BetrVG", "de", "the index does not hold this work")
    assert reader.resolve("Nach § 12 BetrVG ist er zu hören.", jurisdictions=["se"]).citations == []


@pytest.fixture
def lamps(pipeline: Pipeline, folder: Path) -> LawReader:
    """An index of Acts whose names no country's data have: of two countries, and two of one title."""

    def write(name: str, title: str, jurisdiction: str) -> None:
        sections = "\n\n".join(f"{number}. Lamps\n\nThe keeper shall light lamp {number}." for number in (1, 2, 3, 4))
        (folder / f"{name}.txt").write_text(f"{title}\n\n{sections}\n", "utf-8")
        described = {"jurisdiction": jurisdiction, "doc_type": "act", "language": "eng", "title": title}
        (folder / f"{name}.txt.meta.json").write_text(json.dumps(described), "utf-8")

    write("harbour", "Harbour Lights Act 2096", "zw")
    write("lights", "Lights Act", "zw")
    write("buoys-ke", "Buoys Act", "ke")
    write("buoys-ug", "Buoys Act", "ug")
    write("companies", "Companies Act", "zw")
    (folder / "tarna.txt").write_text(
        "Tärnskyddslag (2099:7)\n\n1 § Tärnan är fredad.\n\n2 § Ägg får ligga.\n", "utf-8"
    )
    run(pipeline, folder)
    return LawReader(pipeline)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The keeper is bound by s. 4 of the Harbour Lights Act 2096.", "Harbour Lights Act 2096"),
        ("Under section 4 of the Harbour Lights Act, 2096 he is bound.", "Harbour Lights Act 2096"),
        ("Under the Harbour Lights Act 2096, s. 4 he is bound.", "Harbour Lights Act 2096"),
        ("He is bound (Harbour Lights Act 2096, s. 4).", "Harbour Lights Act 2096"),
        ("He is bound by s. 4 of the Lights Act.", "Lights Act"),
        ("Enligt 2 § tärnskyddslagen gäller annat.", "Tärnskyddslag (2099:7)"),
        ("Enligt tärnskyddslagen 2 § gäller annat.", "Tärnskyddslag (2099:7)"),
    ],
)
def test_an_act_that_only_its_title_in_the_index_names_is_resolved(lamps: LawReader, text: str, title: str) -> None:
    (found,) = lamps.resolve(text).citations
    assert found.resolved
    assert found.document_id is not None
    document = lamps.document(found.document_id).origin
    assert (document.title, found.work_uri) == (title, document.work_uri)
    assert found.provision is not None
    assert found.provision.eid in ("sec_4", "sec_2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s. 4 of the Harbour Lights Act 1996", "not say of which work"),
        ("s. 4 of the Old Lights Act", "not say of which work"),
        ("It repeals the Lights Act. By s. 4 he is bound.", "not say of which work"),
        ("s. 44 of the Harbour Lights Act 2096", "has no such provision"),
        ("s. 4 of the Buoys Act", "several works of the index have this name: "),
        ("section 4 of the Companies Act 2014 (Ireland)", "the index does not hold this work"),
    ],
)
def test_another_title_is_not_resolved(lamps: LawReader, text: str, reason: str) -> None:
    (found,) = lamps.resolve(text, jurisdictions=["ie"] if "Ireland" in text else []).citations
    assert not found.resolved
    assert found.reason is not None
    assert reason in found.reason


@pytest.mark.parametrize("code", ["ug", "uga"])
def test_a_jurisdiction_decides_between_acts_of_one_title(lamps: LawReader, code: str) -> None:
    (found,) = lamps.resolve("s. 4 of the Buoys Act", jurisdictions=[code]).citations
    assert found.document_id is not None
    assert (found.resolved, lamps.document(found.document_id).origin.jurisdiction) == (True, "ug")


def test_the_provision_of_a_level_is_the_innermost_one() -> None:
    section = Part("section", "", "4", children=(Part("subsection", "(1) Light it.", "1"),))
    made = document(Part("article", "", "1", children=(section,)))
    inner = next(node.eid for node in made.walk() if node.type == "subsection")
    assert Text(made, "").provision_of(str(inner)) == next(node.eid for node in made.walk() if node.type == "section")


def test_a_change_names_the_provision_that_it_removed(pipeline: Pipeline, folder: Path) -> None:
    sections = [f"{number} § Fyrvakten ska föra liggare {number}." for number in range(1, 4)]
    for day, kept in (
        ("2001-01-01", sections),
        ("2010-06-01", [sections[0], sections[2]]),
        ("2020-06-01", [sections[0], "3 § Ny."]),
    ):
        (folder / "fyr.txt").write_text("\n\n".join(("Lag (2099:10) om fyrvakter", *kept)), "utf-8")
        (folder / "fyr.txt.meta.json").write_text(json.dumps({"as_of_date": day}), "utf-8")
        run(pipeline, folder)
    found = LawReader(pipeline).changes(date.today() - timedelta(1)).changes
    assert [(change.holds_from, change.provisions) for change in found] == [
        ("2020-06-01", [f"{LAW}~sec_3"]),
        ("2010-06-01", [f"{LAW}~sec_2"]),
        ("2001-01-01", []),
    ]
