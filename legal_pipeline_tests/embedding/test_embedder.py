"""Rules of the default embedder, with the packaged model itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding import packaged_model
from legal_pipeline.embedding.embedder import Embedder, unit_rows, verify_unit
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.embedding.torch_backend import TorchBackend
from legal_pipeline.errors import ConfigurationError, EmbeddingError

SHORT = "The employer shall take all measures needed to prevent ill health."
LONG = " ".join(
    f"{n} § Den som driver verksamheten ska föra journal nummer {n} över provtagning." for n in range(1, 120)
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder()


def test_vectors_are_finite_and_of_unit_length(embedder: Embedder) -> None:
    result = embedder.embed_passages([SHORT, LONG, ""])
    assert result.vectors.shape == (3, 384)
    assert result.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(result.vectors, axis=1), 1.0, atol=1e-5)


def test_no_text_gives_an_empty_array_of_the_right_shape(embedder: Embedder) -> None:
    result = embedder.embed_passages([])
    assert result.vectors.shape == (0, 384)
    assert len(result) == 0


def test_all_tokens_of_a_text_longer_than_the_model_reads_are_embedded(embedder: Embedder) -> None:
    result = embedder.embed_passages([SHORT, LONG])
    assert result.total_tokens[1] > 4 * embedder.max_tokens
    assert result.embedded_tokens == result.total_tokens


def test_the_end_of_a_long_text_moves_its_vector(embedder: Embedder) -> None:
    one, other = embedder.embed_passages(
        [LONG, LONG + " The Governor may appoint a Commissioner of Oaths." * 10]
    ).vectors
    assert float(one @ other) < 0.999


def test_the_order_of_a_batch_does_not_change_its_vectors(embedder: Embedder) -> None:
    texts = [SHORT, LONG, "lag", "3 § Tillsyn utövas av länsstyrelsen.", LONG[:700], SHORT * 3]
    forward = embedder.embed_passages(texts).vectors
    backward = embedder.embed_passages(texts[::-1]).vectors[::-1]
    alone = np.concatenate([embedder.embed_passages([text]).vectors for text in texts])
    assert np.abs(forward - backward).max() < 1e-5
    assert np.abs(forward - alone).max() < 1e-5


def test_what_means_the_same_is_nearer_than_what_does_not(embedder: Embedder) -> None:
    query, near, far = embedder.embed_passages(
        ["duty of the employer to prevent accidents", SHORT, "Import of seed potatoes is taxed by weight."]
    ).vectors
    assert query @ near > query @ far + 0.2


def test_the_name_is_known_without_torch_and_says_model_weights_and_windowing_and_no_backend() -> None:
    code = (
        "import sys; from legal_pipeline.embedding.registry import open_embedder; e = open_embedder();"
        "print(e.name, e.dimension, e.max_tokens, 'torch' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert out == ["all-MiniLM-L6-v2@53aa51172d142c89/float32/windows-1", "384", "256", "False"]
    for options in (BackendOptions("torch"), BackendOptions("openvino", precision="bfloat16")):
        assert open_embedder(options=options).name == out[0]


def test_the_default_model_needs_no_network() -> None:
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise RuntimeError('network')\n"
        "socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse\n"
        "from legal_pipeline.embedding.registry import open_embedder\n"
        "print(open_embedder().embed_passages(['lag']).vectors.shape)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "(1, 384)", done.stderr


def test_a_changed_file_of_the_default_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="not the published file"):
        packaged_model.verify_files(tmp_path, {"config.json": "0" * 64})
    with pytest.raises(ConfigurationError, match=r"no file model\.safetensors"):
        packaged_model.verify_files(tmp_path, {"model.safetensors": packaged_model.WEIGHTS_SHA256})


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(BackendOptions("torch"), marks=pytest.mark.heavy),
        # its graph and its reference vectors are made first, in two processes that import torch: 20 s of processor time
        pytest.param(BackendOptions(), marks=pytest.mark.heavy),
    ],
    ids=lambda options: options.backend,
)
def test_a_model_can_be_a_folder_and_its_name_follows_its_content(tmp_path: Path, options: BackendOptions) -> None:
    folder = tmp_path / "own-model"
    shutil.copytree(packaged_model.packaged_model_directory(), folder)
    own, packaged = open_embedder(str(folder), options), open_embedder(options=options)
    assert own.name.startswith("own-model@")
    assert np.abs(own.embed_passages([SHORT]).vectors - packaged.embed_passages([SHORT]).vectors).max() < 1e-6
    before = own.name
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")
    assert open_embedder(str(folder)).name != before


def test_a_model_that_is_nowhere_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="not a folder"):
        open_embedder(str(tmp_path / "missing"))
    with pytest.raises(ConfigurationError, match="neither a folder nor"):
        open_embedder("nobody/such-model", offline=True)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError):
        open_embedder(str(tmp_path / "empty")).embed_passages(["lag"])


def test_a_model_of_another_dimension_than_promised_is_refused() -> None:
    folder = packaged_model.packaged_model_directory()
    wrong = ModelEmbedder(ModelFiles(folder, "m", "w", (385, 256)), lambda: TorchBackend(folder))
    with pytest.raises(ConfigurationError, match="dimension 384, expected 385"):
        wrong.embed_passages(["lag"])


def test_bfloat16_stays_close_to_float32(embedder: Embedder) -> None:
    two_windows = LONG[:1_000]  # no more: some processors have no bfloat16 and are slow
    texts = [SHORT, two_windows, "3 § Tillsyn utövas av länsstyrelsen."]
    half = open_embedder(options=BackendOptions("torch", precision="bfloat16")).embed_passages(texts).vectors
    assert np.allclose(np.linalg.norm(half, axis=1), 1.0, atol=1e-5)
    assert (half * embedder.embed_passages(texts).vectors).sum(axis=1).min() > 0.99


def test_vectors_that_are_not_finite_or_not_of_unit_length_are_refused() -> None:
    with pytest.raises(EmbeddingError, match="row 1"):
        unit_rows(np.array([[1.0, 0.0], [np.nan, 0.0]]), model="m")
    with pytest.raises(EmbeddingError, match="row 0"):
        unit_rows(np.zeros((1, 2)), model="m")
    with pytest.raises(EmbeddingError, match="length 2"):
        verify_unit(np.array([[2.0, 0.0]], dtype=np.float32), dimension=2, model="m")
    with pytest.raises(EmbeddingError, match="expected"):
        verify_unit(np.ones((1, 3), dtype=np.float32), dimension=2, model="m")
