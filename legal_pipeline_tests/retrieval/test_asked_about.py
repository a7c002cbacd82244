"""Questions that name a country ask about its law, whatever language it is in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.jurisdictions.countries import countries_asked_about, unions_of
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, AnyOf, Condition, Model, Point
from legal_pipeline_tests.embedding.named import Named

MEANINGS = {"lamp": 0, "lampan": 0, "lykta": 0, "fee": 1, "avgift": 1, "charge": 1}
QUESTION = "When must the keeper of a lighthouse{} light the lamp in the evening?"
LAW = [
    *(("gb", "eng", f"The lamp number {number} is lit at dusk.") for number in range(8)),
    *(("in", "eng", f"A lamp of {number} candles burns at the fort.") for number in range(8)),
    ("se", "swe", "Fyrens lykta brinner från skymningen."),
    ("se", "swe", "En avgift om 3 kronor tas ut."),
]


class Index:
    def __init__(self, folder: Path, embedders: Embedders, law: Sequence[tuple[str, str, str]] = LAW) -> None:
        self.store, self.embedders = QdrantEdgeStore(folder), embedders
        model = Model(embedders.name, "", embedders.further)
        self.store.ensure_collection("chunks", embedders.dimension, model)
        points = []
        for number, (jurisdiction, language, text) in enumerate(law):
            payload = {
                "chunk_id": f"{jurisdiction}/{number}", "chunk_text": text, "language": language,
                "jurisdiction": jurisdiction.partition("-")[0], ROW_HASH: str(number),
            }  # fmt: skip
            if "-" in jurisdiction:
                payload["subdivision"] = jurisdiction
            vector = embedders.of(language).embed_passages([text]).vectors[0]
            using = embedders.vector_of(language)
            points.append(Point(point_id(str(number)), jurisdiction, vector, text, language, payload, using))
        self.store.upsert("chunks", points)

    def law_of(self, query: str, filters: tuple[Condition, ...] = (), limit: int = 5) -> list[str]:
        hits = search(query, View(self.store, lambda: self.embedders, "chunks"), limit=limit, filters=filters)
        return [str(hit.payload["jurisdiction"]) for hit in hits]


TWO = Embedders({"eng": Named("english@1", 4, MEANINGS)}, Named("many@1", 6, MEANINGS))
ONE = Embedders({}, Named("many@1", 6, MEANINGS))


@pytest.mark.parametrize("embedders", [ONE, TWO], ids=["one model", "two models"])
def test_the_law_of_the_country_that_a_question_names_comes_first(tmp_path: Path, embedders: Embedders) -> None:
    index = Index(tmp_path, embedders)
    assert index.law_of(QUESTION.format(" in Sweden"))[0] == "se"
    assert index.law_of(QUESTION.format(" in India"))[:3] == ["in"] * 3
    assert index.law_of(QUESTION.format(" in Britain"))[:3] == ["gb"] * 3


def test_the_law_of_other_countries_is_among_the_hits_too(tmp_path: Path) -> None:
    hits = Index(tmp_path, ONE).law_of(QUESTION.format(" in Britain"), limit=12)
    assert {"in", "se"} & set(hits)
    assert set(hits[:8]) == {"gb"}


def test_the_law_of_a_union_is_among_the_first_hits_for_its_member(tmp_path: Path) -> None:
    union = ("eu", "eng", "The lamp of the union is lit at dusk.")
    hits = Index(tmp_path, TWO, [*LAW, union]).law_of(QUESTION.format(" in Sweden"))
    assert {"se", "eu"} <= set(hits[:4])
    assert "eu" not in Index(tmp_path / "other", TWO, [*LAW, union]).law_of(QUESTION.format(" in Britain"))


@pytest.mark.parametrize("member", ["Poland", "Spain", "Portugal", "Budapest"])
def test_a_member_without_law_in_the_index_has_the_law_of_its_union(tmp_path: Path, member: str) -> None:
    union = ("eu", "eng", "Candles are lit in the union.")
    index = Index(tmp_path, TWO, [*LAW, union])
    assert index.law_of(QUESTION.format(f" in {member}"))[0] == "eu"
    assert index.law_of(QUESTION.format(" in Norway"))[0] != "eu"


@pytest.mark.parametrize("kind", ["definition", "preamble", "transitional"])
def test_a_question_finds_a_provision_before_what_stands_beside_it(tmp_path: Path, kind: str) -> None:
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection("chunks", ONE.dimension, Model(ONE.name, "", ONE.further))
    points = []
    for name, chunk_type in (("a", kind), ("b", "statutory_text")):
        text = f"The lamp {name} is lit."
        payload = {
            "chunk_id": name,
            "document_id": name,
            "path": name,
            "chunk_text": text,
            "chunk_type": chunk_type,
            "language": "eng",
        }
        (vector,) = ONE.other.embed_passages([text]).vectors
        points.append(Point(point_id(name), name, vector, text, "eng", {**payload, ROW_HASH: name}))
    store.upsert("chunks", points)

    def found(query: str) -> list[str]:
        hits = search(query, View(store, lambda: ONE, "chunks"))
        return [str(hit.payload["chunk_id"]) for hit in hits]

    assert found("When is the lamp lit?") == ["b", "a"]
    assert found("lamp lit") == ["a", "b"]


def test_the_law_of_a_member_that_has_no_folder_comes_before_that_of_its_union(tmp_path: Path) -> None:
    law = [*LAW, ("eu", "eng", "The lamp of the union is lit."), ("es", "spa", "La lámpara lamp.")]
    assert Index(tmp_path, ONE, law).law_of(QUESTION.format(" in Spain"))[:2] == ["es", "eu"]


@pytest.mark.parametrize(
    ("codes", "unions"),
    [(("se",), ("eu",)), (("hu",), ("eu",)), (("es-ct",), ("eu",)), (("gb",), ()), (("de", "eu"), ()), ((), ())],
)
def test_the_unions_of_a_country(codes: tuple[str, ...], unions: tuple[str, ...]) -> None:
    assert unions_of(codes) == unions


def test_the_name_of_the_country_is_not_part_of_what_is_embedded(tmp_path: Path) -> None:
    asked = Named("many@1", 6, MEANINGS)
    index = Index(tmp_path, Embedders({}, asked))
    index.law_of("Must the lamp of an Indian fort burn in India at night?")
    index.law_of("Must the lamp burn at night in Mumbai?")
    index.law_of("India?")
    index.law_of("Must the lamp of a Norwegian fort burn at night?")
    assert asked.queries == [
        "Must the lamp of an fort burn in at night?",
        "Must the lamp burn at night in ?",
        "India?",
        "Must the lamp of a Norwegian fort burn at night?",
    ]


def test_a_country_without_law_in_the_index_is_not_asked_for(tmp_path: Path) -> None:
    index = Index(tmp_path, ONE)
    assert index.law_of(QUESTION.format(" in Norway")) == index.law_of(QUESTION.format(""))


def test_a_filter_says_more_than_the_question(tmp_path: Path) -> None:
    only = (AnyOf("jurisdiction", ("gb",)),)
    assert set(Index(tmp_path, ONE).law_of(QUESTION.format(" in India"), only)) == {"gb"}


@pytest.mark.parametrize("place", ["us", "us-dc"])
def test_a_citation_is_read_in_the_forms_of_the_country_whose_part_is_searched(tmp_path: Path, place: str) -> None:
    """A number after "§" alone cites a section of a German statute, but none of an American one: then the meaning is searched too."""
    index = Index(tmp_path, ONE, [("us-dc", "eng", "The charge is 3 dollars.")])
    assert index.law_of("§ 5 fee", SearchFilters(jurisdictions=(place,)).conditions()) == ["us"]


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("Can a British judge strike out a statute?", ("gb",)),
        ("Gilt das auch für schwedische Firmen in Österreich?", ("at", "se")),
        ("Est-ce permis au Luxembourg ?", ("lu",)),
        ("Svenska regler om farligt avfall, gäller de?", ("se",)),
        ("Who polishes the lamp?", ()),
        ("Finns det pengar att få?", ()),
        ("Does Norwegianisation matter?", ("no",)),
        ("Is it the same in the EU?", ("eu",)),
        ("Who lights the lamps of Bombay?", ("in",)),
        ("Vem tänder Göteborgs fyrar?", ("se",)),
        ("May a shop in Norway sell lamps from Paris?", ("no",)),
        ("Is it nice to be reading in the bath?", ()),
        ("Gäller det också för spanska butiker på Malta?", ("es", "mt")),
        ("Darf ein ungarischer Händler das?", ("hu",)),
        ("Est-ce permis en Grèce ou pour une entreprise portugaise ?", ("gr", "pt")),
        ("Vem tänder fyren i Lissabon?", ("pt",)),
    ],
)
def test_a_country_is_named_by_noun_and_adjective_in_several_languages(query: str, codes: tuple[str, ...]) -> None:
    assert next(iter(countries_asked_about(query)), ()) == codes
