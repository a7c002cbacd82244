"""Rules of search, with the default model and small invented acts, on every store."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.errors import QueryError
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.filters import in_force
from legal_pipeline.retrieval.fusion import RRF_K, document_shares, reciprocal_ranks
from legal_pipeline.retrieval.hit import DISCLAIMER, REVIEW, Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.retrieval.snippet import make_snippet
from legal_pipeline.stores import bm25
from legal_pipeline.stores.store import AnyOf, Point, VectorStore
from legal_pipeline.text.tokens import count_tokens

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

NAME = "legal_chunks"
ACTS = {
    "se-sfs-1999-1": ("Badplatslag (1999:1)", "SFS 1999:1"),
    "se-sfs-1999-2": ("Bryggförordning (1999:2)", "SFS 1999:2"),
    "se-sfs-1999-3": ("Lag (1999:3) om båtar", "SFS 1999:3"),
}
PROVISIONS = [
    ("se-sfs-1999-1", "1", "1 §", "Denna lag gäller allmänna badplatser vid hav och sjö.", {}),
    ("se-sfs-1999-1", "2", "3 §", "Kommunen ska ta prov på vattnet vid varje badplats innan säsongen börjar.", {}),
    ("se-sfs-1999-1", "2", "4 §", "Vid varje badplats ska det finnas livboj och stege.", {"valid_to": "2010-01-01"}),
    ("se-sfs-1999-2", "2", "3 §", "En brygga ska besiktigas vart femte år.", {}),
    ("se-sfs-1999-2", "2", "3 a §", "Besiktningen utförs av den som länsstyrelsen har godkänt.", {}),
    ("se-sfs-1999-3", None, "3 §", "Båtens ägare ansvarar för att den är förtöjd.", {"requires_manual_review": True}),
    (
        "se-sfs-1999-3",
        None,
        "9 §",
        "Livboj ska finnas i båten.",
        {"requires_manual_review": True, "retrieval_weight": 0.5},
    ),
]


@pytest.fixture(scope="module")
def store(empty_store: VectorStore, embedder: Embedder) -> VectorStore:
    empty_store.ensure_collection(NAME, embedder.dimension)
    for document_id in ACTS:
        empty_store.replace_document(NAME, document_id, _points(document_id, embedder))
    return empty_store


def _points(document_id: str, embedder: Embedder) -> list[Point]:
    title, number = ACTS[document_id]
    rows = [row for row in PROVISIONS if row[0] == document_id]
    texts = [f"{title} > {section}\n\n{text}" for _, _, section, text, _ in rows]
    vectors = embedder.embed_passages(texts).vectors
    points = []
    for seq, ((_, chapter, section, text, extra), embedded, vector) in enumerate(
        zip(rows, texts, vectors, strict=True)
    ):
        work = f"/akn/se/act/sfs/{number.removeprefix('SFS ').replace(':', '/')}"
        eid = f"sec_{section[:-2].replace(' ', '')}"
        payload: dict[str, Any] = {
            "work_uri": work, "work_uris": [work], "provisions": [eid], "eid": f"chp_{chapter}__{eid}" if chapter else eid,
            "chunk_id": f"{document_id}/{section}", "title": title, "number": number, "chapter": chapter, "section": section,
            "chunk_text": text, "jurisdiction": "se", "language": "swe", "path": f"kap{chapter or 0}.§{section[:-2]}",
            "start_char": 10, "end_char": 10 + len(text), "source_sha256": "ab", "row_hash": "1", "retrieval_weight": 1.0, "seq": seq,
            "num_tokens": count_tokens(text), **extra,
        }  # fmt: skip
        points.append(Point(point_id(payload["chunk_id"]), document_id, vector, embedded, "swe", payload))
    return points


def test_a_query_that_is_no_text_or_too_long_is_refused(store: VectorStore, embedder: Embedder) -> None:
    for query in ("livboj \udcc3", "fyr\0", "a" * 4001):
        with pytest.raises(QueryError):
            find(store, embedder, query)


def find(
    store: VectorStore, embedder: Embedder, query: str, collection: str = "legal_chunks", **options: Any
) -> list[Hit]:
    return search(query, View(store, lambda: embedder, collection), **options)


def test_the_cited_provision_of_the_named_act_comes_first(store: VectorStore, embedder: Embedder) -> None:
    for query, citation in (
        ("2 kap. 3 § bryggförordningen", "2 kap. 3 § bryggförordningen (1999:2)"),
        ("2 kap. 3 § badplatslagen", "2 kap. 3 § badplatslagen (1999:1)"),
        ("2 kap. 3a § bryggförordningen", "2 kap. 3 a § bryggförordningen (1999:2)"),
        ("3 § lagen om båtar", "3 § lagen (1999:3) om båtar"),
        ("SFS 1999:3 förtöjd", "3 § lagen (1999:3) om båtar"),
    ):
        assert find(store, embedder, query)[0].citation == citation


def test_without_an_act_the_cited_provisions_of_all_acts_come_first(store: VectorStore, embedder: Embedder) -> None:
    hits = find(store, embedder, "2 kap. 3 §")
    assert {hit.citation for hit in hits[:2]} == {
        "2 kap. 3 § badplatslagen (1999:1)",
        "2 kap. 3 § bryggförordningen (1999:2)",
    }
    assert [hit.score_parts["citation"] > 0 for hit in hits] == [True, True] + [False] * (len(hits) - 2)
    assert find(store, embedder, "2 kap. 3 § prov på vattnet")[0].document_id == "se-sfs-1999-1"


def test_the_same_provision_of_another_act_is_no_answer_to_an_act_that_is_not_here(
    store: VectorStore, embedder: Embedder
) -> None:
    assert all(hit.score_parts["citation"] == 0 for hit in find(store, embedder, "2 kap. 3 § skollagen"))


def test_a_name_known_in_one_country_finds_the_act_of_another_that_the_index_has(
    store: VectorStore, embedder: Embedder
) -> None:
    """Only the Act with this title is in the index; the words of section 17 are nearer to the query."""
    store.ensure_collection("shared_name", embedder.dimension)
    texts = {
        "17": "Data protection and the Act: data protection registers.",
        "25": "Records are kept lawfully and fairly.",
    }
    vectors = embedder.embed_passages(list(texts.values())).vectors
    points = []
    for seq, ((number, text), vector) in enumerate(zip(texts.items(), vectors, strict=True)):
        payload = {
            "chunk_id": f"ke/{number}", "title": "Data Protection Act, 2019", "number": "Act 24 of 2019", "jurisdiction": "ke",
            "language": "eng", "work_uris": ["/akn/ke/act/2019/24"], "provisions": [f"sec_{number}"], "eid": f"sec_{number}",
            "seq": seq, "chunk_index": seq, "chunk_text": text, "row_hash": "1", "path": f"s{number}", "section": number,
            "start_char": 0, "end_char": len(text), "source_sha256": "ab",
        }  # fmt: skip
        points.append(Point(point_id(str(payload["chunk_id"])), "ke-act-2019-24", vector, text, "eng", payload))
    store.upsert("shared_name", points)
    hits = find(store, embedder, "s. 25 Data Protection Act", collection="shared_name")
    assert hits[0].chunk_id == "ke/25"


def test_the_beginning_of_a_long_act_comes_first_where_only_the_act_is_cited(
    store: VectorStore, embedder: Embedder
) -> None:
    """No word of it is in the query, and the ids of its chunks go the other way."""
    store.ensure_collection("long_act", embedder.dimension)
    vector = np.eye(1, embedder.dimension, dtype=np.float32)[0]
    points = []
    for seq in range(400):
        payload = {
            "chunk_id": f"long/{seq}", "title": "Fyrlag (1999:9)", "number": "SFS 1999:9", "jurisdiction": "se", "language": "swe",
            "work_uris": ["/akn/se/act/sfs/1999/9"], "seq": seq, "chunk_index": seq, "chunk_text": "Fyren lyser.", "row_hash": "1",
            "path": f"§{seq + 1}", "section": f"{seq + 1} §", "start_char": 0, "end_char": 12, "source_sha256": "ab",
        }  # fmt: skip
        points.append(Point(str(uuid.UUID(int=1000 - seq)), "se-sfs-1999-9", vector, "Fyren lyser.", "swe", payload))
    store.upsert("long_act", points)

    def no_model() -> Embedder:
        pytest.fail("a bare citation needs no model")

    hits = search("SFS 1999:9", View(store, no_model, "long_act"), limit=5)
    assert [hit.path for hit in hits] == [f"§{number}" for number in range(1, 6)]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("bilaga 2 till fyrlagen (1999:9)", "sched_2"),
        ("1999:9 bilaga 2", "sched_2"),
        ("bilaga 3 till fyrlagen (1999:9)", "sched_3__art_1"),
    ],
)
def test_the_text_of_a_cited_schedule_comes_first(
    query: str, path: str, store: VectorStore, embedder: Embedder
) -> None:
    """No word of it is in the query, 300 other chunks have them all, and it is in no chapter; the third has articles of its own."""
    store.ensure_collection("schedules", embedder.dimension)
    vector = np.eye(1, embedder.dimension, dtype=np.float32)[0]
    points = []
    eids = [*(f"sec_{number}" for number in range(300)), "sched_1", "sched_2", "sched_3__art_1"]
    for seq, eid in enumerate(eids):
        number = eid[6] if eid.startswith("sched") else None
        text = "Fyrlagen har bilaga 2 (1999:9), bilaga 3." if number is None else "Lyktor av glas."
        own = eid.rpartition("__")[2]
        payload = {
            "chunk_id": f"lamp/{seq}", "title": "Fyrlag (1999:9)", "number": "SFS 1999:9", "jurisdiction": "se", "language": "swe",
            "work_uris": ["/akn/se/act/sfs/1999/9"], "eid": eid, "provisions": None if own.startswith("sched") else [own], "seq": seq,
            "schedule": number, "chunk_text": text, "row_hash": "1", "path": eid, "start_char": 0, "end_char": len(text),
            "source_sha256": "ab",
        }  # fmt: skip
        points.append(Point(str(uuid.UUID(int=5000 + seq)), "se-sfs-1999-9", vector, text, "swe", payload))
    store.upsert("schedules", points)
    (hit,) = search(query, View(store, lambda: embedder, "schedules"), limit=1)
    assert hit.path == path


def test_an_act_whose_title_names_another_is_found_by_its_title(empty_store: VectorStore, embedder: Embedder) -> None:
    """The regulation that the title names is not in the index, or has no such section."""
    titles = {
        "lu": "Loi du 4 mai 2031 portant mise en œuvre du règlement (UE) 2031/7",
        "ie": "Digital Services Act 2031",
        "fr": "Loi relative aux phares",
    }
    for name in ("titles", "titles_and_regulation"):
        empty_store.ensure_collection(name, embedder.dimension)
        vector = np.eye(1, embedder.dimension, dtype=np.float32)[0]
        rows = [(country, title, f"/akn/{country}/act/loi/2031/5") for country, title in titles.items()]
        rows += [("eu", "Digital Services Act", "/akn/eu/act/regulation/2022/2065")] * (name != "titles")
        points = []
        for country, title, work in rows:
            eid = "sec_3" if country == "ie" else "art_3"
            payload = {
                "chunk_id": country, "title": title, "jurisdiction": country, "language": "eng", "work_uris": [work], "eid": eid,
                "provisions": [eid], "seq": 1, "chunk_text": "Lamps.", "row_hash": "1", "path": eid, "start_char": 0, "end_char": 6,
                "source_sha256": "ab",
            }  # fmt: skip
            points.append(Point(point_id(country), f"{country}-x", vector, "Lamps.", "eng", payload))
        empty_store.upsert(name, points)
        for country, query in (("lu", f"art. 3, {titles['lu']}"), ("ie", f"{titles['ie']}, s. 3")):
            hits = search(query, View(empty_store, lambda: embedder, name), limit=5)
            assert [hit.chunk_id for hit in hits if hit.score_parts["citation"]] == [country]


def test_words_find_their_provision_and_are_highlighted(store: VectorStore, embedder: Embedder) -> None:
    hit = find(store, embedder, "livbojar och stegar")[0]
    assert hit.citation == "2 kap. 4 § badplatslagen (1999:1)"
    assert [hit.snippet[a:b] for a, b in hit.highlights] == ["livboj", "stege"]
    assert hit.score == pytest.approx(hit.score_parts["rrf"])
    assert {"dense", "bm25", "dense_rank", "bm25_rank"} <= hit.score_parts.keys()
    assert asdict(hit)["end_char"] == 10 + len(hit.snippet)


def test_a_degraded_scan_weighs_less_and_carries_the_disclaimer(store: VectorStore, embedder: Embedder) -> None:
    hits = {hit.chunk_id: hit for hit in find(store, embedder, "livboj i båten")}
    scan = hits["se-sfs-1999-3/9 §"]
    assert scan.disclaimer == DISCLAIMER
    assert scan.score == pytest.approx(scan.score_parts["rrf"] / 2)
    assert hits["se-sfs-1999-1/4 §"].disclaimer is None
    assert hits["se-sfs-1999-3/3 §"].disclaimer == REVIEW, "this one is not a scan"


def test_all_filters_hold_for_every_hit(store: VectorStore, embedder: Embedder) -> None:
    only = (AnyOf("document_id", ("se-sfs-1999-3",)),)
    assert {hit.document_id for hit in find(store, embedder, "2 kap. 3 § badplats", filters=only)} == {"se-sfs-1999-3"}
    sections = {hit.chunk_id for hit in find(store, embedder, "livboj", filters=in_force(datetime.date(2010, 1, 1)))}
    assert "se-sfs-1999-1/4 §" not in sections
    sections = {hit.chunk_id for hit in find(store, embedder, "livboj", filters=in_force(datetime.date(2009, 12, 31)))}
    assert "se-sfs-1999-1/4 §" in sections


def test_an_empty_query_finds_nothing(store: VectorStore, embedder: Embedder) -> None:
    assert find(store, embedder, "  ") == []
    assert len(find(store, embedder, "livboj", limit=2)) == 2


def test_reciprocal_rank_fusion_adds_the_reciprocals_of_the_ranks() -> None:
    parts = reciprocal_ranks({"dense": ["a", "b"], "bm25": ["b"]})
    first, second = 1 / (RRF_K + 1), 1 / (RRF_K + 2)
    assert parts == {"a": {"dense": first}, "b": {"dense": second, "bm25": first}}


def test_a_document_counts_by_what_its_candidates_score_together() -> None:
    documents = {"a": "one", "b": "other", "c": "other"}
    assert document_shares({"a": 0.3, "b": 0.2, "c": 0.2}, documents) == pytest.approx({"one": 0.75, "other": 1.0})
    assert document_shares({}, {}) == {}


def test_provisions_stand_beside_their_hit_and_are_no_other(store: VectorStore, embedder: Embedder) -> None:
    alone = find(store, embedder, "livboj och stege vid badplats")
    assert alone[0].chunk_id == "se-sfs-1999-1/4 §"
    assert all(hit.neighbours == () for hit in alone)
    passages = find(store, embedder, "livboj och stege vid badplats", passage_tokens=1000)
    assert passages[0].chunk_id == alone[0].chunk_id
    assert [one.chunk_id for one in passages[0].neighbours] == ["se-sfs-1999-1/1 §", "se-sfs-1999-1/3 §"]
    assert passages[0].neighbours[1].citation == "2 kap. 3 § badplatslagen (1999:1)"
    assert passages[0].neighbours[1].payload["chunk_text"] == PROVISIONS[1][3]
    shown = [one for hit in passages for one in (hit.chunk_id, *(beside.chunk_id for beside in hit.neighbours))]
    assert sorted(shown) == sorted(f"{row[0]}/{row[2]}" for row in PROVISIONS)
    degraded = next(hit for hit in passages if hit.document_id == "se-sfs-1999-3")
    assert [hit.disclaimer for hit in (degraded, *degraded.neighbours) if hit.chunk_id.endswith("9 §")] == [DISCLAIMER]


def test_filters_hold_beside_a_hit_too(store: VectorStore, embedder: Embedder) -> None:
    day = in_force(datetime.date(2010, 1, 1))
    hit = find(store, embedder, "prov på vattnet vid badplats", filters=day, passage_tokens=1000)[0]
    assert (hit.chunk_id, [one.chunk_id for one in hit.neighbours]) == ("se-sfs-1999-1/3 §", ["se-sfs-1999-1/1 §"])


def test_a_cited_provision_is_a_hit_of_its_own(store: VectorStore, embedder: Embedder) -> None:
    hits = find(store, embedder, "2 kap. 3 § och 3 a § bryggförordningen", passage_tokens=1000)
    assert {(hit.chunk_id, hit.neighbours) for hit in hits[:2]} == {
        ("se-sfs-1999-2/3 §", ()),
        ("se-sfs-1999-2/3 a §", ()),
    }


def test_a_snippet_shows_the_densest_stretch_of_a_long_text() -> None:
    text = "Inledande ord. " * 40 + "Här står livbojen och stegen. " + "Avslutande ord. " * 40
    snippet = make_snippet(text, "swe", bm25.query_terms("livboj stege", ["swe"]), length=100)
    assert [snippet.text[a:b] for a, b in snippet.highlights] == ["livbojen", "stegen"]
    assert len(snippet.text) <= 100
    assert text[snippet.start : snippet.start + len(snippet.text)] == snippet.text
    assert make_snippet(text, "swe", frozenset(), length=50).start == 0


def test_of_stretches_with_as_many_words_the_first_is_shown() -> None:
    text = (
        "Inledande ord. " * 20
        + "Här står livbojen. "
        + "Mellanliggande ord. " * 20
        + "Där står livbojen. "
        + "Sista ord. " * 20
    )
    snippet = make_snippet(text, "swe", bm25.query_terms("livboj", ["swe"]), length=100)
    assert [snippet.start + start for start, _ in snippet.highlights] == [text.index("livbojen")]


def test_a_cited_provision_counts_independently_of_the_other_provisions_of_its_act(
    empty_store: VectorStore, embedder: Embedder
) -> None:
    """Section 3 of the second Act answers a little better; the first Act has twenty other provisions with the words of the query."""
    empty_store.ensure_collection("cited_shares", embedder.dimension)
    vector = np.eye(1, embedder.dimension, dtype=np.float32)[0]
    points = []
    texts = {("1", 3): "Livbojen finns.", ("2", 3): "Livbojen finns vid bryggan."}
    texts |= {("1", section): f"Livbojen {section} finns vid bryggan." for section in range(4, 24)}
    for (act, section), text in texts.items():
        payload = {
            "chunk_id": f"{act}/{section}", "title": f"Lag {act}", "jurisdiction": "se", "language": "swe",
            "provisions": [f"sec_{section}"], "work_uris": [f"/akn/se/act/sfs/1999/{act}"],
            "eid": f"sec_{section}", "seq": section, "chunk_text": text, "row_hash": "1",
            "path": f"§{section}", "start_char": 0, "end_char": len(text), "source_sha256": "ab",
        }  # fmt: skip
        points.append(Point(point_id(payload["chunk_id"]), f"se-sfs-1999-{act}", vector, text, "swe", payload))
    empty_store.upsert("cited_shares", points)
    hits = search("3 § livbojen vid bryggan", View(empty_store, lambda: embedder, "cited_shares"))
    assert [hit.chunk_id for hit in hits[:2]] == ["2/3", "1/3"]
    assert [hit.score_parts["document_share"] for hit in hits[:2]] == [1.0, 1.0]


def test_a_chunk_counts_by_the_nearest_of_the_questions_that_it_answers(
    empty_store: VectorStore, embedder: Embedder
) -> None:
    query = "Vem ska hålla badplatsen ren?"
    texts = (query, "Vem ska hålla stranden ren?", "När blir vattnet prov taget?")
    chunks = {"a": "Kommunen ska städa.", "b": "Livboj ska finnas."}
    for name, rows in (("answers", [(key, key, text) for key, text in chunks.items()]),
                       ("questions", [(str(at), "aba"[at], text) for at, text in enumerate(texts)])):  # fmt: skip
        empty_store.ensure_collection(name, embedder.dimension)
        points = []
        for (key, chunk, text), vector in zip(
            rows, embedder.embed_passages([row[2] for row in rows]).vectors, strict=True
        ):
            payload = {
                "chunk_id": key, "source_chunk_id": chunk, "chunk_text": text, "jurisdiction": "se", "language": "swe", "row_hash": "1",
                "title": "Badlag", "start_char": 0, "end_char": len(text), "source_sha256": "ab",
            }  # fmt: skip
            points.append(Point(point_id(f"{name}/{key}"), "se-sfs-1999-1", vector, text, "swe", payload))
        empty_store.upsert(name, points)
    hits = search(query, View(empty_store, lambda: embedder, "answers", "questions"), limit=2)
    asked = {hit.chunk_id: (hit.score_parts["question_rank"], hit.score_parts["question"]) for hit in hits}
    assert asked["a"] == (1, pytest.approx(1.0, abs=1e-3))
    assert asked["b"][0] == 2
