"""Rerankers: a small cross-encoder that the test makes, and a server on this machine, each behind a real search."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.errors import ConfigurationError, RerankingError, RerankingUnavailableError
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.reranking import CrossEncoderReranker, HttpReranker, Reranker, open_reranker
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.settings import Settings
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import ROW_HASH, Point
from legal_pipeline_tests.embedding.named import Named

TEXTS = [
    "The keeper lights the lamp.",
    "A fee is paid for the lamp.",
    "The boat is moored.",
    "The lamp is cleaned at noon.",
]


@pytest.fixture
def store(tmp_path: Path) -> QdrantEdgeStore:
    made = QdrantEdgeStore(tmp_path / "store")
    made.ensure_collection("chunks", 4)
    model = Named("words@1", 4, {"lamp.": 0, "fee": 1})
    points = []
    for number, (text, vector) in enumerate(zip(TEXTS, model.embed_passages(TEXTS).vectors, strict=True)):
        payload = {
            "chunk_id": str(number), "chunk_text": text, "title": "Lighthouse Act", "language": "eng", ROW_HASH: str(number),
            "work_uris": ["/akn/zz/act/1999/1"], "eid": f"sec_{number}", "section": f"{number} §",
        }  # fmt: skip
        points.append(Point(point_id(str(number)), "act", vector, text, "eng", payload))
    made.upsert("chunks", points)
    return made


def found(store: QdrantEdgeStore, query: str, reranker: Reranker | None) -> list[Hit]:
    model: Embedder = Named("words@1", 4, {"lamp": 0, "fee": 1})
    return search(query, View(store, lambda: model, "chunks", reranker=reranker), limit=4)


class Server:
    """Answers `/rerank` with what `answer` makes of (query, texts); `status` is that of its next answers, last to first."""

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.status: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                outer.keys.append(self.headers.get("Authorization"))
                content = json.dumps(answer(body)).encode()
                self.send_response(outer.status.pop() if outer.status else 200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/rerank"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[dict[str, Any]], Any]], Server]]:
    servers: list[Server] = []

    def make(answer: Callable[[dict[str, Any]], Any]) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


def _by_boat(texts: Sequence[str]) -> list[tuple[int, float]]:
    """(index, score), worst first: what moors boats is best, longer texts are worse."""
    scores = [(at, 9.0 if "boat" in text else -float(len(text))) for at, text in enumerate(texts)]
    return sorted(scores, key=lambda pair: pair[1])


def as_tei(body: dict[str, Any]) -> Any:
    return [{"index": at, "score": score} for at, score in _by_boat(body["texts"])]


def as_jina(body: dict[str, Any]) -> Any:
    return {"results": [{"index": at, "relevance_score": score} for at, score in _by_boat(body["documents"])]}


@pytest.mark.parametrize("answer", [as_tei, as_jina], ids=["TEI", "Jina"])
def test_the_servers_order_is_that_of_the_hits(store: QdrantEdgeStore, serve: Any, answer: Any) -> None:
    plain = found(store, "who lights the lamp at noon", None)
    server = serve(answer)
    hits = found(store, "who lights the lamp at noon", HttpReranker(server.url, key="rerank-test-7d1"))
    assert hits[0].payload["chunk_text"] == "The boat is moored."
    assert [hit.score_parts["rerank"] for hit in hits] == sorted(
        (hit.score_parts["rerank"] for hit in hits), reverse=True
    )
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in plain])
    assert server.keys == ["Bearer rerank-test-7d1"]
    (body,) = server.bodies
    assert body["query"] == "who lights the lamp at noon"
    assert body["texts"][0] == f"Lighthouse Act\n{plain[0].payload['chunk_text']}"


def test_a_bare_citation_asks_no_reranker(store: QdrantEdgeStore, serve: Any) -> None:
    server = serve(as_tei)
    found(store, "2 kap. 3 §", HttpReranker(server.url))
    assert server.bodies == []


def test_a_passing_failure_is_asked_again(store: QdrantEdgeStore, serve: Any) -> None:
    server = serve(as_tei)
    server.status = [200, 503]
    assert found(store, "the lamp", HttpReranker(server.url))[0].payload["chunk_text"] == "The boat is moored."
    assert len(server.bodies) == 2


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(RerankingUnavailableError, match=r"127\.0\.0\.1"):
        HttpReranker("http://127.0.0.1:9/rerank", timeout_seconds=1).scores("lamp", ["text"])


def test_a_refusal_names_the_status_and_shows_no_password(serve: Any) -> None:
    server = serve(lambda _: {"error": "no such key"})
    server.status = [401]
    address = server.url.replace("http://", "http://user:secret-word@")
    with pytest.raises(ConfigurationError, match="401") as caught:
        HttpReranker(address).scores("lamp", ["text"])
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"result": []},
        [{"index": 0, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 0, "score": 2.0}],
        [{"index": 0, "score": 1.0}, {"index": 1, "score": None}],
        [{"index": 0, "score": 1.0}, {"index": 1, "score": float("nan")}],
        "scores",
    ],
)
def test_an_answer_that_is_not_one_score_for_each_text_is_an_error(serve: Any, answer: Any) -> None:
    with pytest.raises(RerankingError):
        HttpReranker(serve(lambda _: answer).url).scores("lamp", ["one", "two"])


def save_cross_encoder(folder: Path, scores: int) -> Path:
    """Save a cross-encoder of two layers with weights by chance, as sentence-transformers saves one; return its folder."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = sorted({word.strip(".").lower() for text in TEXTS for word in text.split()})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *words, "who", "lighthouse", "act"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, num_labels=scores, initializer_range=1.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder / "plain")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder / "plain")
    CrossEncoder(str(folder / "plain")).save_pretrained(str(folder / "saved"))
    return folder / "saved"


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("model"), scores=1)


def test_a_models_order_is_that_of_the_hits(store: QdrantEdgeStore, cross_encoder: Path) -> None:
    reranker = CrossEncoderReranker(str(cross_encoder))
    hits = found(store, "who lights the lamp", reranker)
    texts = [f"Lighthouse Act\n{text}" for text in TEXTS]
    expected = sorted(zip(reranker.scores("who lights the lamp", texts), TEXTS, strict=True), reverse=True)
    assert len({score for score, _ in expected}) == len(TEXTS)
    assert [hit.payload["chunk_text"] for hit in hits] == [text for _, text in expected]


def test_a_model_that_is_not_there_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing-here"):
        CrossEncoderReranker(str(tmp_path / "nothing-here")).scores("lamp", ["text"])


def test_a_model_with_several_scores_for_a_text_is_a_wrong_setting(tmp_path: Path) -> None:
    reranker = CrossEncoderReranker(str(save_cross_encoder(tmp_path, scores=3)))
    with pytest.raises(ConfigurationError, match="gives 3 numbers for a text"):
        reranker.scores("lamp", ["text"])


def test_the_setting_says_which_reranker_there_is(tmp_path: Path) -> None:
    def opened(name: str | None) -> Reranker | None:
        return open_reranker(Settings(home=tmp_path, reranker=name))

    assert opened(None) is None
    assert isinstance(opened("https://rerank.example/rerank"), HttpReranker)
    assert isinstance(opened("BAAI/bge-reranker-v2-m3"), CrossEncoderReranker)
