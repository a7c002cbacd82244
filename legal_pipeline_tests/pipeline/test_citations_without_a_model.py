"""A query that is nothing but a citation is answered without the embedding model, and a search in words without torch."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.indexed_laws import own_database, run
from legal_pipeline_tests.pipeline.conftest import Bench
from legal_pipeline_tests.pipeline.lighthouse_act import act
from legal_pipeline_tests.stores.qdrant_http_server import QdrantHttpServer

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

#: Runs the command and prints which libraries of models its process imported.
_COMMAND = """
import sys
from legal_pipeline.cli.app import main
try:
    main()
finally:
    names = {name for name, module in sys.modules.items() if module is not None}
    print(*sorted({"torch", "openvino", "sentence_transformers"} & names), file=sys.stderr)
"""


class ModelOpenedError(AssertionError):
    """The embedder was opened."""


def no_model(_: Settings) -> Embedder:
    raise ModelOpenedError


@pytest.fixture(params=["edge", "server", "pgvector"])
def without_model(bench: Bench, request: pytest.FixtureRequest) -> Iterator[Pipeline]:
    """A pipeline over an Act in one store, which cannot open a model."""
    with QdrantHttpServer().listening() as url:
        old = bench.pipeline.resources
        chosen = {
            "stores": "pgvector" if request.param == "pgvector" else "qdrant",
            "qdrant_url": url if request.param == "server" else None,
        }
        resources = dataclasses.replace(old, settings=old.settings.model_copy(update=chosen))
        writing = dataclasses.replace(bench, pipeline=Pipeline(resources, old.registry.database))
        writing.write("fyr.txt", act(chapters=2))
        writing.ingest()
        assert writing.failures == {}
        searching = dataclasses.replace(resources, make_embedder=no_model)
        yield Pipeline(searching, old.registry.database)


def test_a_bare_citation_opens_no_model_and_words_beside_it_do(without_model: Pipeline) -> None:
    for query, path in (("2 kap. 4 § SFS 2099:20", "kap2.§4"), ("1 kap. 2 §", "kap1.§2"), ("SFS 2099:20", "Summary")):
        first, *others = without_model.search(query)
        assert first.path.startswith(path)
        assert first.score_parts["citation"] > 0
        assert others, "words rank what stands behind it"
    (hit,) = without_model.search("2 kap. 4 § SFS 2099:20", limit=1)
    assert hit.neighbours, "what stands beside it is found without a vector"
    with pytest.raises(ModelOpenedError):
        without_model.search("2 kap. 4 § SFS 2099:20 fyrvaktens lykta")


@pytest.fixture(scope="module")
def indexed(postgres: EmbeddedPostgres, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The settings of an Act in both stores, for all searches."""
    with own_database(postgres, template) as url:
        folder, home = tmp_path_factory.mktemp("laws"), tmp_path_factory.mktemp("home")
        settings = load_settings(home=home, database_url=url, enrich="none", qdrant_url=None)
        (folder / "fyr.txt").write_text(act(chapters=2), "utf-8")
        with Pipeline.open(settings) as pipeline:
            run(pipeline, folder)
        yield settings


@pytest.mark.parametrize("stores", ["qdrant", "pgvector"])
@pytest.mark.parametrize(("query", "imported"), [("2 kap. 3 §", []), ("vem får släcka lyktan", ["openvino"])])
def test_the_process_of_a_search_imports_no_torch_and_nothing_of_a_model_for_a_citation(
    indexed: Settings, query: str, imported: list[str], stores: str
) -> None:
    environment = {
        "LEGAL_PIPELINE_HOME": str(indexed.home),
        "LEGAL_PIPELINE_DATABASE_URL": indexed.database_url_text,
        "LEGAL_PIPELINE_STORES": stores,
        # a machine with a GPU would choose torch
        "LEGAL_PIPELINE_EMBEDDING_DEVICE": "cpu",
    }
    done = subprocess.run(
        [sys.executable, "-c", _COMMAND, "search", query, "--json"],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hits"]
    assert done.stderr.splitlines()[-1].split() == imported
