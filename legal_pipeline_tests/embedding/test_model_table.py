"""A model per language: the setting, which model reads what, and the names of models and vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_table import FIRST_VECTOR, Embedders, ModelTable
from legal_pipeline.embedding.registry import durable_setting, open_embedder
from legal_pipeline.errors import ConfigurationError
from legal_pipeline_tests.embedding.named import Named

TABLE = "eng=all-MiniLM-L6-v2,*=multilingual-e5-small"


def opened(setting: str) -> Embedders:
    """Embedders that have nothing but a name, the dimension of which is the length of the model's."""
    return ModelTable.parse(setting).open(lambda model: Named(f"{model}@1/float32", len(model)))


@pytest.mark.parametrize("setting", ["all-MiniLM-L6-v2", "BAAI/bge-m3", "/models/a=b,c", "./models/eng=a"])
def test_one_name_is_one_model(setting: str) -> None:
    assert ModelTable.parse(setting) == ModelTable((), setting)
    embedders = opened(setting)
    assert embedders.name == embedders.of("swe").name == f"{setting}@1/float32"
    assert (list(embedders.by_vector), embedders.further) == ([FIRST_VECTOR], ())


def test_a_table_names_the_model_of_each_language() -> None:
    embedders = opened(f"swe=small, {TABLE}")
    assert [embedders.of(language).name.partition("@")[0] for language in ("swe", "eng", "fra", "")] == [
        "small", "all-MiniLM-L6-v2", "multilingual-e5-small", "multilingual-e5-small",
    ]  # fmt: skip
    assert embedders.name == ("swe=small@1/float32,eng=all-MiniLM-L6-v2@1/float32,*=multilingual-e5-small@1/float32")


def test_each_model_has_a_vector_and_the_first_ones_is_the_first() -> None:
    embedders = opened("swe=BAAI/bge-m3,nob=BAAI/bge-m3,*=multilingual-e5-small")
    assert list(embedders.by_vector) == ["dense", "dense_multilingual_e5_small"]
    assert [embedders.vector_of(language) for language in ("swe", "nob", "eng")] == [
        "dense", "dense", "dense_multilingual_e5_small",
    ]  # fmt: skip
    assert (embedders.dimension, embedders.further) == (11, (("dense_multilingual_e5_small", 21),))


@pytest.mark.parametrize("setting", ["eng=a,swe=a,*=a", "*=a"])
def test_a_table_of_one_model_is_that_model(setting: str) -> None:
    assert ModelTable.parse(setting) == ModelTable((), "a")


def test_two_settings_that_open_one_model_are_one_model() -> None:
    embedders = ModelTable.parse("eng=a,*=b").open(lambda _: Named("same@1", 2))
    assert (embedders.name, embedders.further) == ("same@1", ())


@pytest.mark.parametrize("setting", ["eng=a", "eng=a,eng=b,*=c", "eng=a,bge-m3", "eng=,*=a", "eng=a,english=b,*=c"])
def test_a_table_with_a_gap_is_refused_with_an_example(setting: str) -> None:
    with pytest.raises(ConfigurationError, match=r"expected LANGUAGE=MODEL .* such as eng=all-MiniLM-L6-v2"):
        ModelTable.parse(setting).open(lambda model: Named(model, 2))


def test_two_models_of_one_short_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="rename one's folder"):
        _ = opened("eng=x,swe=/one/law,*=/other/law").by_vector


def test_a_table_opens_the_same_models_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path)
    assert durable_setting(f"swe=own,{TABLE}") == f"swe={tmp_path / 'own'},{TABLE}"
    assert durable_setting(str(ModelTable.parse(TABLE))) == TABLE


def test_the_packaged_models_make_the_expected_table() -> None:
    made: list[str] = []

    def opening(model: str) -> Embedder:
        made.append(model)
        return open_embedder(model)

    embedders = ModelTable.parse(TABLE).open(opening)
    assert made == ["all-MiniLM-L6-v2", "multilingual-e5-small"]
    assert embedders.further == (("dense_multilingual_e5_small", 384),)
