"""Small laws of our own through the real model and store: the command, what it writes, and what it keeps."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.evaluation.baselines import BASELINES, FIXED_CHARACTERS, Baseline, fixed_characters
from legal_pipeline.evaluation.metrics import METRICS
from legal_pipeline.evaluation.vector_cache import CachedEmbedder
from legal_pipeline_tests.cli.commands import command_here
from legal_pipeline_tests.evaluation.laws import harbours, lighthouses


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    folder = tmp_path / "laws"
    folder.mkdir()
    (folder / "fyrar.txt").write_text(lighthouses(), "utf-8")
    (folder / "hamnar.txt").write_text(harbours(), "utf-8")
    return folder


class Counting:
    """The real model; counts the texts that it was given."""

    def __init__(self) -> None:
        self._inner = open_embedder()
        self.name, self.dimension, self.max_tokens = self._inner.name, self._inner.dimension, self._inner.max_tokens
        self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.texts += len(texts)
        return self._inner.embed_passages(texts)

    embed_queries = embed_passages


def test_a_text_is_embedded_once_and_its_vector_outlives_the_process(tmp_path: Path) -> None:
    model = Counting()
    first = CachedEmbedder(model, tmp_path)
    made = first.embed_passages(["fyr", "hamn", "fyr"])
    first.close()
    assert model.texts == 2
    second = CachedEmbedder(model, tmp_path)
    again = second.embed_passages(["hamn", "fyr", "fyr"])
    second.close()
    assert model.texts == 2
    assert (again.vectors == made.vectors[[1, 0, 0]]).all()
    assert again.total_tokens == (made.total_tokens[1], made.total_tokens[0], made.total_tokens[0])
    (file,) = tmp_path.glob("*.sqlite")
    with sqlite3.connect(file) as rows:
        assert rows.execute("select count(*) from vectors").fetchone() == (2,)


def test_windows_of_characters_hold_the_whole_text() -> None:
    text = lighthouses()
    spans = list(fixed_characters(text))
    assert all(end - start <= FIXED_CHARACTERS for start, end in spans)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


def test_the_command_reports_every_layer_beside_the_baselines(laws: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("plot.png", "queries.jsonl")}
    ended = command_here(
        "evaluate", "citations", laws, "--json", "--plot", files["plot.png"], "--queries-out", files["queries.jsonl"],
        home=tmp_path / "home",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr.decode()
    found = json.loads(ended.stdout)
    scores = {(score["system"], score["mode"]): score for score in found["scores"]}
    for system in ("structural, text alone", "structural + header", f"fixed {FIXED_CHARACTERS} characters"):
        for mode in ("dense", "dense + BM25", "passages"):
            score = scores[system, mode]
            assert (score["group"], score["queries"]) == ("swe", 3)
            assert set(score["figures"]) == set(METRICS)
            assert all(one["low"] <= one["mean"] <= one["high"] for one in score["figures"].values())
    # the words of a query stand in one section alone, so that words find what it asks for
    assert scores["structural + header", "dense + BM25"]["figures"]["recall@5"]["mean"] == 1
    assert scores["structural + header", "dense"]["gain"] is not None
    queries = [json.loads(line) for line in files["queries.jsonl"].read_text("utf-8").splitlines()]
    assert len(queries) == 3
    assert all(query["answers"] for query in queries)
    assert files["plot.png"].read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_measured_says_which_extra_it_needs(laws: Path, tmp_path: Path) -> None:
    missing = [one.name for one in BASELINES if not one.installed]
    if not missing:
        pytest.skip("the extra `benchmarks` is installed")
    ended = command_here("evaluate", "citations", laws, "--markdown", home=tmp_path / "home")
    assert ended.returncode == 0, ended.stderr.decode()
    for stream in (ended.stdout.decode(), ended.stderr.decode()):
        assert "extra `benchmarks` of this package" in stream
        assert all(name in stream for name in missing)
    assert "structural + header" in ended.stdout.decode()


def test_the_tables_for_a_terminal_show_whole_figures(laws: Path, tmp_path: Path) -> None:
    ended = command_here(
        "evaluate", "citations", laws, "--system", "structural + header + prefix", "--system", "fixed 500 characters",
        home=tmp_path / "home", COLUMNS="80",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr.decode()
    shown = ended.stdout.decode()
    assert "…" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert [line.split() for line in shown.splitlines() if line.startswith("system")] == [
        ["system", "search", "hits@5", "recall@5", "mismatch@5", "mrr@10"]
    ]
    assert len(re.findall(r"(?: +\d\.\d{3}){4} *$", shown, re.MULTILINE)) == 6  # two systems, three kinds of search
    assert "--markdown" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "citations", "nowhere"), b"nowhere"),
        (("evaluate", "citations", ".", "--strategy", "nonsense"), b"nonsense"),
        (("evaluate", "aila-statutes", "."), b"AILA"),
        (("evaluate", "nonsense", "."), b"nonsense"),
    ],
)
def test_a_wrong_call_ends_with_2_and_names_what_is_wrong(
    arguments: tuple[str, ...], said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = command_here(*arguments, home=tmp_path / "home")
    assert ended.returncode == 2
    assert said in ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("baseline", [one for one in BASELINES if one.module], ids=lambda one: one.name)
def test_the_spans_of_other_chunkers_are_those_of_the_text(baseline: Baseline) -> None:
    if not baseline.installed:
        pytest.skip(f"{baseline.module} is not installed (extra `benchmarks`)")
    text = lighthouses()
    spans = list(baseline.load()(text))
    assert len(spans) > 2
    held = sum(len("".join(text[start:end].split())) for start, end in spans)
    assert held == len("".join(text.split()))
