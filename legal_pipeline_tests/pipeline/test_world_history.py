"""Official texts of other countries on a day: consolidated acts of the EU, a constitution in three versions, articles with own days."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline_tests.pipeline.conftest import Bench
from legal_pipeline_tests.pipeline.test_history import Open, opened

pytestmark = pytest.mark.corpus
__all__ = ["opened"]


def take(bench: Bench, corpus: Path, name: str, *files: str) -> None:
    """Runs the files one after the other in the place `name`, as a source that publishes a new text does."""
    for file in files:
        (bench.folder / name).write_bytes((corpus / "world" / file).read_bytes())
        bench.ingest()
        assert bench.failures == {}


def cited(bench: Bench, day: str, query: str) -> Hit | None:
    hits = bench.pipeline.search(query, filters=SearchFilters(as_of=datetime.date.fromisoformat(day)), passage_tokens=0)
    return next((hit for hit in hits if hit.score_parts["citation"]), None)


def wording(corpus: Path, file: str, number: str) -> str:
    """The provision as the file has it, in words alone."""
    path = corpus / "world" / file
    document = parse(SourceFile(path.name, path.read_bytes()))
    node = next(node for node in document.provisions() if node.num == number)
    return " ".join(document.text_of(node).split())


Day = tuple[str, str | None]


@pytest.mark.parametrize(
    ("name", "files", "query", "number", "days"),
    [
        (
            "sfdr.xhtml",
            ("eu/versions/32019R2088_before.xhtml", "eu/versions/32019R2088_after.xhtml"),
            "Article 20 of Regulation (EU) 2019/2088",
            "20",
            (("2021-01-01", "eu/versions/32019R2088_before.xhtml"), ("2024-06-01", "eu/versions/32019R2088_after.xhtml")),
        ),
        (
            "sfdr.xhtml",
            ("eu/versions/32019R2088_before.xhtml", "eu/versions/32019R2088_after.xhtml"),
            "Article 18a of Regulation (EU) 2019/2088",
            "18a",
            (("2021-01-01", None), ("2024-06-01", "eu/versions/32019R2088_after.xhtml")),
        ),
        (
            "eidas.xhtml",
            ("eu/versions/32014R0910_before.xhtml", "eu/versions/32014R0910_after.xhtml"),
            "Article 19 of Regulation (EU) No 910/2014",
            "19",
            (("2024-06-01", "eu/versions/32014R0910_before.xhtml"), ("2024-11-01", None)),
        ),
        (
            "ps.xml",
            (
                "ee/constitution_OLDEST_12846827.xml",
                "ee/constitution_PREV_127042011002.xml",
                "ee/constitution_115052015002.xml",
            ),
            "põhiseaduse § 127",
            "127",
            (
                ("2009-01-01", "ee/constitution_OLDEST_12846827.xml"),
                ("2013-01-01", "ee/constitution_PREV_127042011002.xml"),
                ("2020-01-01", "ee/constitution_115052015002.xml"),
            ),
        ),
    ],
)  # fmt: skip
def test_a_provision_reads_on_a_day_as_the_text_of_that_day(
    corpus: Path, opened: Open, name: str, files: tuple[str, ...], query: str, number: str, days: tuple[Day, ...]
) -> None:
    bench = opened(stores="qdrant")
    take(bench, corpus, name, *files)
    for day, file in days:
        hit = cited(bench, day, query)
        if file is None:
            assert hit is None, day
        else:
            assert hit is not None, day
            assert " ".join(str(hit.payload["chunk_text"]).split()) in wording(corpus, file, number)


def test_an_article_with_a_day_of_its_own_is_not_law_before_it(corpus: Path, opened: Open) -> None:
    bench = opened(stores="qdrant")
    take(bench, corpus, "grondwet.xml", "nl/sample-constitution.xml")
    query = "artikel 1 Grondwet"
    now = cited(bench, "2024-01-01", query)
    assert now is not None
    assert now.payload["valid_from"] == "2023-02-22"
    assert cited(bench, "2020-01-01", query) is None
    older = cited(bench, "2020-01-01", "artikel 2 Grondwet")
    assert older is not None
    assert older.payload["valid_from"] == "2018-12-21"
