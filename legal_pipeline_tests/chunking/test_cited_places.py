"""By which citations chunks are found. Not here: how queries are matched with them (`retrieval`)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from legal_pipeline.chunking.cited_places import work_uris
from legal_pipeline.parsing.registry import parse
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.chunks import cut_batch
from legal_pipeline_tests.chunking.plain import Part, document


class _NoEncoder:
    """The strategies of a statute ask for no vectors."""

    name = "none"

    def encode(self, texts: Any) -> Any:
        return np.ones((len(texts), 2), dtype=np.float32)


def test_the_numbered_paragraphs_of_a_schedule_are_its_provisions(corpus: Path) -> None:
    source = DirectorySource(corpus / "world" / "uk" / "sample-human-rights-1998.xml")
    document = parse(source.fetch(source.list().items[0]))
    (chunked,) = cut_batch([document], None, lambda _: _NoEncoder())
    assert not isinstance(chunked, Exception)
    provisions = {
        chunk.eid: chunk.metadata.get("provisions") for chunk in chunked.chunks if chunk.eid and "sched_" in chunk.eid
    }
    assert provisions["sched_2"] == [f"para_{number}" for number in range(1, 8)]
    # a schedule of articles is cited by these: what stands below them is not a provision
    articles = [names or [] for eid, names in provisions.items() if eid.startswith("sched_1__")]
    assert articles
    assert all(name.startswith("art_") for names in articles for name in names)


def test_a_judgment_is_found_by_its_parallel_citations() -> None:
    reports = ["(2031) 4 SCC 117", "AIR 2031 SC 902"]
    judgment = dataclasses.replace(
        document(Part("block", "The keeper lit the lamp.")),
        jurisdiction="in",
        metadata={"citation": "2031 INSC 212", "parallel_citations": reports},
    )
    uris = set(work_uris(judgment))
    for citation in ("2031 INSC 212", *reports):
        assert uris & {uri for place in read_citations(citation).places for uri in place.works}, citation


def test_an_act_with_a_number_of_its_publisher_is_found_by_its_own(corpus: Path) -> None:
    source = DirectorySource(corpus / "world" / "cl" / "bcn-ley-21180-1138479.xml")
    uris = work_uris(parse(source.fetch(source.list().items[0])))
    assert uris == ["/akn/cl/act/1138479", "/akn/cl/act/ley/21180"]
    for query in ("artículo 1 de la Ley N° 21.180", "art. 1 ley 21180"):
        places = read_citations(query).places
        assert {place.provision for place in places if uris[1] in place.works} == {"art_1"}
