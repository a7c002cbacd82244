"""Passages and queries: each gets the prompt that the model's own configuration names, before every window, and the name says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from legal_pipeline.embedding import packaged_model
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles, Prompts
from legal_pipeline.embedding.windows import Window

PROMPTS = {"query": "query: ", "passage": "passage: "}
LONG = " ".join(f"{n} § Den som driver verksamheten ska föra journal nummer {n}." for n in range(1, 60))


class Reader:
    """A backend that remembers what it was given to read."""

    description = "none"
    dimension = 2

    def __init__(self) -> None:
        self.read: list[Window] = []

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> np.ndarray[Any, Any]:
        self.read = list(windows)
        return np.tile(np.float32([1, 0]), (len(windows), 1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small files of the packaged model."""
    source = packaged_model.packaged_model_directory()
    for name in ("tokenizer.json", "config.json", "sentence_bert_config.json", "modules.json"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    return tmp_path


def configure(folder: Path, **values: object) -> ModelFiles:
    (folder / "config_sentence_transformers.json").write_text(json.dumps(values), encoding="utf-8")
    return ModelFiles(folder, "e5")


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        ({}, Prompts()),
        ({"prompts": PROMPTS}, Prompts("passage: ", "query: ")),
        ({"prompts": {"query": "q ", "document": "d ", "passage": "p "}}, Prompts("d ", "q ")),
        ({"prompts": {"query": "q ", "document": None}}, Prompts("", "q ")),
        ({"prompts": {"all": "a "}, "default_prompt_name": "all"}, Prompts("a ", "a ")),
        ({"prompts": {"query": "q "}, "default_prompt_name": None}, Prompts("", "q ")),
    ],
)
def test_prompts_are_those_that_sentence_transformers_would_take(
    folder: Path, configured: dict[str, object], expected: Prompts
) -> None:
    assert configure(folder, **configured).prompts == expected


def test_prompts_are_part_of_the_name_and_a_model_without_any_keeps_its_name(folder: Path) -> None:
    names = [
        ModelFiles(configure(folder, **said).directory, "e5", "w" * 64).name for said in ({}, {"prompts": PROMPTS})
    ]
    assert names[0] == f"e5@{'w' * 16}/float32/windows-1"
    assert names[1].startswith(f"{names[0]}/prompts-")


def test_every_window_of_a_passage_and_of_a_query_has_its_prompt_and_fits(folder: Path) -> None:
    reader = Reader()
    embedder = ModelEmbedder(configure(folder, prompts=PROMPTS), lambda: reader)
    for embed, prompt in ((embedder.embed_passages, "passage: "), (embedder.embed_queries, "query: ")):
        made = embed([LONG, "lag"])
        assert len(reader.read) > 3
        assert all(window.text.startswith(prompt) for window in reader.read)
        assert "".join(window.text.removeprefix(prompt) for window in reader.read) == f"{LONG}lag"
        assert max(len(window.ids) for window in reader.read) <= embedder.max_tokens
        assert made.embedded_tokens == made.total_tokens
        without = ModelEmbedder(configure(folder), Reader).embed_passages([LONG, "lag"])
        assert made.total_tokens == without.total_tokens, "a prompt is not part of the text"


def test_a_text_that_fits_only_without_its_prompt_is_read_to_its_end(folder: Path) -> None:
    reader = Reader()
    files = configure(folder, prompts=PROMPTS)
    ModelEmbedder(files, lambda: reader).embed_passages(["law " * number for number in range(240, 260)])
    tokenizer = files.tokenizer()
    counted = [len(tokens) for tokens in tokenizer.tokenize([window.text for window in reader.read])]
    assert [len(window.ids) - tokenizer.special_tokens for window in reader.read] == counted


def test_a_query_and_a_question_open_no_backend_for_passages(folder: Path) -> None:
    reader = Reader()
    embedder = ModelEmbedder(configure(folder, prompts=PROMPTS), lambda: pytest.fail("opened"), lambda: reader)
    embedder.embed_queries(["uppsägning"])
    embedder.embed_questions(["får hyresvärden säga upp mig?"])
    assert [window.text for window in reader.read] == ["query: får hyresvärden säga upp mig?"]


class FirstWindow(Reader):
    """Gives the first window another direction than the rest."""

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> np.ndarray[Any, Any]:
        self.read = list(windows)
        return np.float32([[1, 0], *[[0, 1]] * (len(windows) - 1)])


def test_a_window_counts_in_the_vector_of_its_text_by_its_tokens(folder: Path) -> None:
    reader = FirstWindow()
    made = ModelEmbedder(configure(folder), lambda: reader).embed_passages([f"{LONG} Föreskrifter."])
    first, *rest = [window.seen for window in reader.read]
    assert len({first, *rest}) > 1
    expected = np.array([first, sum(rest)]) / np.hypot(first, sum(rest))
    np.testing.assert_allclose(made.vectors[0], expected, atol=1e-6)
