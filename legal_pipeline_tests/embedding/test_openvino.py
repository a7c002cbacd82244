"""The packaged model by OpenVINO: torch is never imported, the vectors are torch's, and the graph is converted once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding import packaged_model
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.openvino_backend import compiled_model
from legal_pipeline.embedding.openvino_conversion import GRAPH, NotConvertibleError, graph_of
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.errors import ConfigurationError
from legal_pipeline_tests import processes

TEXTS = [
    "The employer shall take all measures needed to prevent ill health.",
    "3 § Tillsyn utövas av länsstyrelsen.",
    "lag",
    "",
    " ".join(f"{n} § Den som driver verksamheten ska föra journal nummer {n}." for n in range(1, 90)),
    "Ο νόμος ορίζει τις προϋποθέσεις της άδειας.",
    *(f"{n} § Vägen ska hållas öppen i {n} dagar." + " Väghållaren ska underrättas." * (n % 9) for n in range(40)),
]


#: The compact one is heavy: `test_embedder` compares it to the other.
PRECISIONS = pytest.mark.parametrize("precision", ["float32", pytest.param("bfloat16", marks=pytest.mark.heavy)])


@pytest.fixture(scope="module")
def by_torch() -> Embedder:
    return open_embedder(options=BackendOptions("torch"))


@PRECISIONS
def test_vectors_are_those_of_torch_to_a_cosine_of_0_9999(by_torch: Embedder, precision: str) -> None:
    options = BackendOptions("openvino", precision=precision)  # type: ignore[arg-type]
    ours, expected = open_embedder(options=options).embed_passages(TEXTS), by_torch.embed_passages(TEXTS)
    assert (ours.vectors * expected.vectors).sum(axis=1).min() >= 0.9999
    assert (ours.embedded_tokens, ours.total_tokens) == (expected.embedded_tokens, expected.total_tokens)


@PRECISIONS
def test_a_text_has_the_same_vector_in_every_batch_and_with_any_number_of_threads(precision: str) -> None:
    options = BackendOptions("openvino", precision=precision)  # type: ignore[arg-type]
    one, two = (open_embedder(options=options, threads=threads) for threads in (1, 2))
    together = one.embed_passages(TEXTS).vectors
    backwards = two.embed_passages(TEXTS[::-1]).vectors[::-1]
    alone = np.concatenate([two.embed_passages([text]).vectors for text in TEXTS[:5]])
    tolerance = 1e-6 if precision == "float32" else 0.0
    assert np.abs(together - backwards).max() <= tolerance
    assert np.abs(together[:5] - alone).max() <= tolerance


@pytest.mark.heavy
def test_the_number_of_threads_follows_the_share_within_one_call() -> None:
    asked: list[int] = []

    def threads() -> int:
        asked.append(1 + len(asked) % 2)
        return asked[-1]

    texts = [f"{number} § Vägen ska hållas öppen." for number in range(600)]
    vectors = open_embedder(threads=threads).embed_passages(texts).vectors
    assert {1, 2} == set(asked)
    assert np.abs(vectors - open_embedder(threads=1).embed_passages(texts).vectors).max() < 1e-5


def test_embedders_of_a_process_share_the_compiled_model() -> None:
    first = open_embedder(threads=1).embed_passages(["lag"]).vectors
    compiled = compiled_model.cache_info().misses
    assert (open_embedder(threads=1).embed_passages(["lag"]).vectors == first).all()
    assert compiled_model.cache_info().misses == compiled


def run_python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_packaged_model_imports_neither_torch_nor_what_reports_to_the_maker_of_openvino() -> None:
    code = (
        "import sys; from legal_pipeline.embedding.registry import open_embedder\n"
        "e = open_embedder(); e.embed_passages(['lag'])\n"
        "loaded = {name for name, module in sys.modules.items() if module is not None}\n"
        "print(e.backend.description.split()[0], sorted({'torch', 'transformers', 'sentence_transformers', 'openvino_telemetry'} & loaded))"
    )
    assert run_python(code) == "openvino []"


@pytest.fixture
def copied(tmp_path: Path) -> ModelFiles:
    """The packaged model in a folder without a cache."""
    folder = tmp_path / "model"
    shutil.copytree(packaged_model.packaged_model_directory(), folder, ignore=shutil.ignore_patterns(".legal_pipeline"))
    return ModelFiles(folder, "copied", "0" * 64)


class Conversions:
    """In place of the conversion, which takes ten seconds: remembers where it was to write, and writes something or fails."""

    def __init__(self, error: ConfigurationError | None = None) -> None:
        self.folders: list[Path] = []
        self._error = error

    def __call__(self, files: ModelFiles, folder: Path) -> None:
        self.folders.append(folder)
        (folder / GRAPH).write_text("graph", encoding="utf-8")
        if self._error is not None:
            raise self._error


def test_a_graph_is_converted_once_and_kept_beside_the_model_and_out_of_its_hash(
    copied: ModelFiles, tmp_path: Path
) -> None:
    convert, cache = Conversions(), ModelCache(copied, tmp_path / "home")
    before = ModelFiles(copied.directory, "copied").name
    graph = graph_of(copied, cache, convert)
    assert graph.is_relative_to(copied.directory)
    assert graph == graph_of(copied, ModelCache(copied, tmp_path / "home"), convert)
    assert len(convert.folders) == 1
    assert not convert.folders[0].exists(), "it is renamed when it is whole"
    assert ModelFiles(copied.directory, "copied").name == before


def test_a_graph_is_of_its_weights(copied: ModelFiles, tmp_path: Path) -> None:
    other = ModelFiles(copied.directory, "copied", "1" * 64)
    graphs = {graph_of(files, ModelCache(files, tmp_path / "home"), Conversions()) for files in (copied, other)}
    assert len(graphs) == 2


def test_where_the_model_cannot_be_written_the_graph_is_under_the_home(copied: ModelFiles, tmp_path: Path) -> None:
    (copied.directory / ".legal_pipeline").write_text("in the way", encoding="utf-8")
    graph = graph_of(copied, ModelCache(copied, tmp_path / "home"), Conversions())
    assert graph.is_relative_to(tmp_path / "home" / "models")


def test_a_conversion_that_was_killed_leaves_nothing_and_is_made_again(copied: ModelFiles, tmp_path: Path) -> None:
    cache, killed = ModelCache(copied, tmp_path / "home"), Conversions(ConfigurationError("ended with code -9"))
    with pytest.raises(ConfigurationError, match="code -9"):
        graph_of(copied, cache, killed)
    assert not killed.folders[0].exists()
    assert graph_of(copied, cache, Conversions()).is_file()


def test_a_model_that_does_not_convert_is_tried_once_and_run_by_torch_which_is_said(
    copied: ModelFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    unfit = Conversions(NotConvertibleError("no such operation"))
    files = ModelFiles(copied.directory, "model")
    for _ in range(2):
        with pytest.raises(NotConvertibleError, match="no such operation"):
            graph_of(files, ModelCache(files, tmp_path / "home"), unfit)
    assert len(unfit.folders) == 1
    embedder = open_embedder(str(files.directory))
    assert embedder.embed_passages(["lag"]).vectors.shape == (1, 384)
    assert "no such operation: a slower backend or precision is used instead" in caplog.text
    with pytest.raises(NotConvertibleError):
        open_embedder(str(files.directory), BackendOptions("openvino")).embed_passages(["lag"])


@pytest.mark.slow
@pytest.mark.heavy
def test_a_folder_that_is_no_model_is_said_to_be_none_by_the_conversion(copied: ModelFiles, tmp_path: Path) -> None:
    (copied.directory / "config.json").write_text('{"model_type": "nothing"}', encoding="utf-8")
    with pytest.raises(NotConvertibleError, match="cannot be converted"):
        graph_of(copied, ModelCache(copied, tmp_path / "home"))


_CONVERT = (
    "import sys; from pathlib import Path\n"
    "from legal_pipeline.embedding.model_cache import ModelCache; from legal_pipeline.embedding.model_files import ModelFiles\n"
    "import time\n"
    "def work(folder):\n"
    "    print('worked', end=' '); (folder / 'a').write_text('x'); time.sleep(1); (folder / 'b').write_text('x')\n"
    "files = ModelFiles(Path(sys.argv[1]), 'm', 'w' * 16)\n"
    "made = ModelCache(files, Path(sys.argv[1])).make('graph', work)\n"
    "print(sorted(path.name for path in made.iterdir()))"
)


def test_of_two_processes_that_want_a_graph_at_once_one_makes_it_and_both_have_it_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _CONVERT, str(tmp_path)]
    both = [processes.start(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate(timeout=120)[0].strip() for process in both)
    assert said == ["['a', 'b']", "worked ['a', 'b']"]


def test_options_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="not on cuda"):
        open_embedder(options=BackendOptions("openvino", device="cuda"))
    with pytest.raises(ConfigurationError, match="no precision float16"):
        open_embedder(options=BackendOptions("openvino", precision="float16")).embed_passages(["lag"])


@pytest.mark.heavy
def test_threads_that_embed_at_once_do_not_wait_for_one_another_and_have_the_same_vectors() -> None:
    embedder = open_embedder()
    alone = embedder.embed_passages(TEXTS).vectors
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: embedder.embed_passages(TEXTS).vectors, range(12)))
    assert all(np.array_equal(vectors, alone) for vectors in found)
