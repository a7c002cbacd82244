"""Convert a sentence-transformers model to an OpenVINO graph: inputs are token ids and attention mask, output is one pooled vector per row.
With a question adapter, a third input of one number switches it on (1) or off (0).

The conversion needs torch and runs in a child process (`python -m`), so that this process need not import torch. The graph is stored in the
model's cache, under the hash of the model. Not here: running it (`openvino_backend`).
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path

from legal_pipeline.embedding.child_process import run_apart
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.openvino_runtime import openvino
from legal_pipeline.embedding.question_adapter import Switch, adapt, adapter_hash, read_adapter
from legal_pipeline.errors import ConfigurationError

#: Incremented when the conversion changes.
_VERSION = 1

GRAPH = "model.xml"

#: Exit code if the model itself cannot be converted, so that another attempt would fail too.
_NOT_CONVERTIBLE = 3


class NotConvertibleError(ConfigurationError):
    """The model cannot be converted to a graph; torch may still run it."""


def convert_apart(files: ModelFiles, folder: Path) -> None:
    """Write the graph into `folder` in a child process. Raises NotConvertibleError; ConfigurationError if the process failed otherwise."""
    code, last = run_apart(__name__, str(files.directory), str(folder / GRAPH), str(files.adapter or ""))
    if code == 0 and (folder / GRAPH).is_file():
        return
    if code == _NOT_CONVERTIBLE:
        raise NotConvertibleError(f"the embedding model {files.model} cannot be converted for OpenVINO: {last}")
    raise ConfigurationError(
        f"the conversion of the embedding model {files.model} for OpenVINO ended with code {code}: {last}"
    )


def graph_of(files: ModelFiles, cache: ModelCache, convert: Callable[[ModelFiles, Path], None] = convert_apart) -> Path:
    """Return the file of the graph, converted at the first use. Raises NotConvertibleError, without an attempt if it failed before."""
    name = f"openvino-{_key(files)}"
    failed = f"{name}.failed"
    if (reason := cache.find(failed)) is not None:
        raise NotConvertibleError(reason.read_text("utf-8"))
    try:
        return cache.make(name, lambda folder: convert(files, folder)) / GRAPH
    except NotConvertibleError as error:
        cache.write_text(failed, str(error))
        raise


def _key(files: ModelFiles) -> str:
    adapter = (adapter_hash(files.adapter),) if files.adapter else ()
    said = (files.weights, importlib.metadata.version("openvino"), _VERSION, *adapter)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _convert(directory: str, target: str, adapter: str) -> None:
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(directory, device="cpu", local_files_only=True).eval()
    is_half = next(model.parameters()).dtype == torch.float16
    model.float()  # traced in the precision of the computation; weights in half precision are stored in half precision again

    switch = Switch()
    if adapter:
        adapt(model[0].auto_model, read_adapter(Path(adapter)), switch)

    class Sentence(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(
            self, input_ids: torch.Tensor, attention_mask: torch.Tensor, factor: torch.Tensor | None = None
        ) -> torch.Tensor:
            if factor is not None:
                switch.factor = factor
            vectors: torch.Tensor = self.model({"input_ids": input_ids, "attention_mask": attention_mask})[
                "sentence_embedding"
            ]
            return vectors

    ids = torch.randint(10, 100, (2, 7))
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0  # with only ones, the trace would leave the mask out
    ov = openvino()
    factor = (torch.ones(1),) if adapter else ()
    graph = ov.convert_model(Sentence(), example_input=(ids, mask, *factor))
    for given, name in zip(
        graph.inputs, ("input_ids", "attention_mask", "is_question")[: 2 + len(factor)], strict=True
    ):
        given.tensor.set_names({name})
        given.node.set_partial_shape(ov.PartialShape([1] if name == "is_question" else [-1, -1]))
    graph.validate_nodes_and_infer_types()
    ov.save_model(graph, target, compress_to_fp16=is_half)


def main() -> int:
    try:
        _convert(*sys.argv[1:])
    except OSError:
        raise  # for example a full disk: another attempt may succeed
    except Exception as error:
        sys.stderr.write(f"{type(error).__name__}: {' '.join(str(error).split())[:500]}\n")
        return _NOT_CONVERTIBLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
