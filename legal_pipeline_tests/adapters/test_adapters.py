"""The adapters inside the real frameworks, over `LawReader` and over `Client`. A framework that is not installed is skipped."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from legal_pipeline.adapters.passages import Passage, passage_of, passages
from legal_pipeline.client import Client
from legal_pipeline.reading.answers import WITHHELD_NOTE
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.settings import Settings
from legal_pipeline_tests.indexed_laws import CITING, LAW, ROAD, SECOND, THIRD, WITHHELD
from legal_pipeline_tests.serving_thread import served_index

QUERY = "3 § lagen (2099:10)"
EXTRAS = {"langchain": "langchain_core", "llama_index": "llama_index.core", "haystack": "haystack"}


def needed(module: str, extra: str) -> Any:
    return pytest.importorskip(module, reason=f"needs `pip install 'legal-pipeline[{extra}]'`")


@pytest.fixture(scope="module")
def client(law_index: Settings) -> Iterator[Client]:
    with (
        served_index(law_index, needs_key=True) as running,
        Client(running.url, key=running.keys["stranger"]) as opened,
    ):
        yield opened


@pytest.fixture(scope="module", params=["reader", "client"])
def reader(request: pytest.FixtureRequest, law_index: Settings, client: Client) -> Iterator[LawReader | Client]:
    if request.param == "client":
        yield client
        return
    with LawReader.open(law_index) as opened:
        yield opened


@pytest.fixture
def expected(reader: LawReader | Client) -> Passage:
    """The first passage, of which every adapter makes its own type."""
    (first,) = passages(reader, QUERY, 1, {})
    assert first.text == f"3 § {THIRD}"
    return first


def test_each_passage_has_the_citations_that_the_index_cannot_answer(reader: LawReader | Client) -> None:
    found = passages(reader, "3 § lagen (2099:10) och 5 § lagen (2098:7)", 2, {})
    expected = ["5 § lagen (2098:7): the index has no document with this number"]
    assert [passage.metadata["unresolved"] for passage in found] == [expected, expected]


def test_a_passage_has_what_one_cites_it_by(client: Client) -> None:
    (hit,) = client.search("1 § lagen (2099:11)", limit=1).hits
    metadata = passage_of(hit).metadata
    told = {name: metadata[name] for name in ("provision_id", "document_id", "source_url", "licence", "is_cited")}
    assert told == {
        "provision_id": f"{CITING}~sec_1",
        "document_id": CITING,
        "source_url": "https://laws.example/2099/11",
        "licence": "CC0",
        "is_cited": True,
    }
    assert metadata["citation"].startswith("1 § ")
    (changed,) = client.search(QUERY, limit=1, as_of=date(2015, 1, 1)).hits
    then = passage_of(changed)
    assert then.text == f"3 § {SECOND}"
    assert (then.metadata["valid_from"], then.metadata["valid_to"]) == ("2010-06-01", "2020-06-01")
    (pending,) = client.search("2 § lagen (2024:7)", limit=1).hits
    assert passage_of(pending).metadata["pending_amendments"] == ["SFS 2025:10"]
    assert pending.origin.document_id == ROAD


def test_a_text_that_must_not_be_handed_on_is_a_note(client: Client) -> None:
    (found,) = passages(client, "handbok om mistlurar", 1, {"document_ids": [WITHHELD]})
    assert (found.text, found.metadata["text_withheld"]) == (WITHHELD_NOTE, True)


def test_langchain(reader: LawReader | Client, expected: Passage) -> None:
    needed("langchain_core", "langchain")
    from langchain_core.runnables import RunnableLambda

    from legal_pipeline.adapters.langchain import LawRetriever

    retriever = LawRetriever(reader=reader, limit=2)
    found = retriever.invoke(QUERY)
    assert len(found) == 2
    assert (found[0].id, found[0].page_content) == (expected.id, expected.text)
    assert found[0].metadata == {**expected.metadata, "score": expected.score}
    chain = retriever | RunnableLambda(lambda documents: [document.metadata["citation"] for document in documents])
    assert chain.invoke(QUERY)[0] == expected.metadata["citation"]
    assert asyncio.run(retriever.ainvoke(QUERY)) == found


def test_llama_index(reader: LawReader | Client, expected: Passage, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("llama_index.core", "llamaindex")
    monkeypatch.setattr("llama_index.core.global_tokenizer", str.split)  # its own is fetched from the network
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    from legal_pipeline.adapters.llama_index import LawRetriever

    retriever = LawRetriever(reader, limit=2)
    first, _ = retriever.retrieve(QUERY)
    assert (first.node.node_id, first.text, first.score) == (expected.id, expected.text, expected.score)
    assert first.metadata == expected.metadata
    assert asyncio.run(retriever.aretrieve(QUERY))[0].node == first.node
    answer = RetrieverQueryEngine.from_args(retriever, llm=MockLLM()).query(QUERY)
    assert answer.source_nodes[0].node == first.node
    assert expected.text in str(answer)  # the stand-in model repeats its prompt


def test_haystack(reader: LawReader | Client, expected: Passage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    needed("haystack", "haystack")
    from haystack import Pipeline
    from haystack.components.builders import PromptBuilder

    from legal_pipeline.adapters.haystack import LawRetriever

    pipeline = Pipeline()
    pipeline.add_component("law", LawRetriever(reader, limit=2))
    template = "{% for document in documents %}{{ document.meta.citation }}: {{ document.content }}\n{% endfor %}"
    pipeline.add_component("prompt", PromptBuilder(template=template, required_variables=["documents"]))
    pipeline.connect("law.documents", "prompt.documents")
    ran = pipeline.run({"law": {"query": QUERY}}, include_outputs_from={"law"})
    first, _ = ran["law"]["documents"]
    assert (first.id, first.content, first.score, first.meta) == (
        expected.id,
        expected.text,
        expected.score,
        expected.metadata,
    )
    assert ran["prompt"]["prompt"].startswith(f"{expected.metadata['citation']}: {expected.text}\n")


def test_options_reach_the_search(client: Client, law_index: Settings) -> None:
    needed("langchain_core", "langchain")
    from legal_pipeline.adapters.langchain import LawRetriever

    day = date(2015, 1, 1)
    over_http = LawRetriever(reader=client, limit=1, options={"as_of": day, "document_ids": [LAW]})
    with LawReader.open(law_index) as opened:
        filters = SearchFilters(as_of=day, document_ids=(LAW,))
        in_process = LawRetriever(reader=opened, limit=1, options={"filters": filters})
        for retriever in (over_http, in_process):
            assert [document.page_content for document in retriever.invoke("mistluren")] == [f"3 § {SECOND}"]


@pytest.mark.parametrize(("module", "framework"), EXTRAS.items())
def test_a_missing_extra_is_named(module: str, framework: str) -> None:
    code = (
        f"import sys; sys.modules[{framework!r}] = None\n"
        "from legal_pipeline.errors import ConfigurationError\n"
        f"try:\n    import legal_pipeline.adapters.{module}\n"
        "except ConfigurationError as error:\n    print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=dict(os.environ)
    )
    assert f"its extra `{module.replace('_', '')}`" in told.stdout
