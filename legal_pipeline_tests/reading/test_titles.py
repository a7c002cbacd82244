"""Documents that a query names by their titles: which of several titles counts, and those that the reader may not see."""

from __future__ import annotations

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.titles import IndexedTitles
from legal_pipeline.retrieval.citation_query import QueryCitations
from legal_pipeline.settings import Settings
from legal_pipeline_tests.indexed_laws import LAW, ROAD

_QUERY = QueryCitations((), text="lag om fyrvakter och lag om skötsel av enskild väg")


def test_the_longest_title_that_the_reader_may_see_is_that_of_the_query(law_index: Settings) -> None:
    with Pipeline.open(law_index) as pipeline:
        titles = IndexedTitles(pipeline.registry.database)
        assert [found.document_id for found in titles.named(_QUERY, hidden=())] == [ROAD]
        assert [found.document_id for found in titles.named(_QUERY, hidden={ROAD})] == [LAW]
