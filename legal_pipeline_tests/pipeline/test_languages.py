"""One Act in two languages: two documents of one work, each with its own dates, and one hit in a search."""

from __future__ import annotations

import datetime

import pytest

from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline_tests.pipeline.conftest import Bench

GERMAN, FRENCH = "ch-act-2001-7", "ch-act-2001-7-fra"
TEXTS = {
    "de": [
        "Wer mit einem Kahn durch die Schleuse fährt, zahlt dem Schleusenwärter den Zoll, den der Bundesrat für das Jahr festlegt.",
        "Der Schleusenwärter zündet die Laterne an der Einfahrt an, sobald die Sonne untergegangen ist, und löscht sie am Morgen.",
    ],
    "fr": [
        "Quiconque passe l’écluse avec une barque paie à l’éclusier le péage que le Conseil fédéral fixe pour l’année en cours.",
        "L’éclusier allume la lanterne placée à l’entrée dès que le soleil est couché et l’éteint au matin de chaque journée.",
    ],
}


def act(language: str, date: str, *texts: str) -> str:
    """The Act in a language as Fedlex publishes it, one article per text; `date` is written with and without hyphens in its metadata."""
    uri = f"https://fedlex.data.admin.ch/eli/cc/2001/7/{date.replace('-', '')}"
    articles = "".join(
        f'<article eId="art_{number}"><num>Art. {number}</num><paragraph eId="art_{number}/para"><content><p>{text}</p></content>'
        "</paragraph></article>"
        for number, text in enumerate(texts, start=1)
    )
    return f"""<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="publicLaw"><meta><identification source="#x">
    <FRBRWork><FRBRuri value="{uri}"/><FRBRcountry value="CH"/><FRBRname xml:lang="de" value="Bundesgesetz über die Schleusen"/>
    <FRBRname xml:lang="fr" value="Loi fédérale sur les écluses"/></FRBRWork><FRBRExpression><FRBRuri value="{uri}/{language}"/>
    <FRBRdate date="{date}" name="jolux:dateApplicability"/><FRBRlanguage language="{language}"/></FRBRExpression></identification></meta>
    <body>{articles}</body></act></akomaNtoso>"""


@pytest.fixture
def canals(bench: Bench) -> Bench:
    for language in ("de", "fr"):
        bench.write(f"{language}/act.xml", act(language, "2001-01-01", *TEXTS[language]))
    bench.ingest()
    assert bench.failures == {}
    return bench


def test_texts_in_two_languages_are_two_documents_of_one_work(canals: Bench) -> None:
    documents = {document.document_id: document for document in canals.pipeline.registry.documents()}
    assert set(documents) == {GERMAN, FRENCH}
    assert {document.work_uri for document in documents.values()} == {"/akn/ch/act/2001/7"}
    assert documents[FRENCH].title == "Loi fédérale sur les écluses"


def test_a_provision_in_the_other_language_stands_under_the_hit(canals: Bench) -> None:
    filters = SearchFilters(chunk_types=("statutory_text",))
    first, *rest = canals.pipeline.search("l’éclusier allume la lanterne", filters=filters, passage_tokens=0)
    assert (first.document_id, first.payload["eid"], first.payload["language"]) == (FRENCH, "art_2", "fra")
    (other,) = first.other_languages
    assert (other.document_id, other.language) == (GERMAN, "deu")
    assert "Der Schleusenwärter zündet die Laterne" in other.text
    assert all(hit.payload["eid"] != "art_2" for hit in rest)


def test_one_language_can_be_asked_for_and_each_shown_by_itself(canals: Bench) -> None:
    search = canals.pipeline.search
    statutory = ("statutory_text",)
    german = search("l’éclusier allume la lanterne", filters=SearchFilters(chunk_types=statutory, languages=("deu",)))
    assert {hit.document_id for hit in german} == {GERMAN}
    assert all(not hit.other_languages for hit in german)
    each = search(
        "l’éclusier allume la lanterne",
        filters=SearchFilters(chunk_types=statutory),
        fold_duplicates=False,
        passage_tokens=0,
    )
    assert {hit.document_id for hit in each} == {GERMAN, FRENCH}


def test_versions_are_followed_per_language(canals: Bench) -> None:
    later = "Wer mit einem Kahn durch die Schleuse fährt, zahlt nichts mehr, weil der Zoll für alle Schleusen des Landes aufgehoben ist."
    canals.write("de/act-2003.xml", act("de", "2003-03-03", later, TEXTS["de"][1]))
    canals.ingest()
    assert canals.failures == {}
    batch = Batch([GERMAN, FRENCH], canals.pipeline.resources)
    dates = {name: [one.as_of_date for one in expressions.index(batch, name)] for name in (GERMAN, FRENCH)}
    assert dates == {GERMAN: ["2001-01-01", "2003-03-03"], FRENCH: ["2001-01-01"]}
    assert {name for name, event in canals.done("canonical_documents").items() if not event.reused} == {GERMAN}

    def on(day: str, language: str) -> str:
        filters = SearchFilters(
            as_of=datetime.date.fromisoformat(day), languages=(language,), chunk_types=("statutory_text",)
        )
        hits = canals.pipeline.search("Schleuse Kahn Zoll écluse barque péage", filters=filters, passage_tokens=0)
        return next(str(hit.payload["chunk_text"]) for hit in hits if hit.payload["eid"] == "art_1")

    assert TEXTS["de"][0] in on("2002-01-01", "deu")
    assert later in on("2004-01-01", "deu")
    assert TEXTS["fr"][0] in on("2004-01-01", "fra")
