"""From a setting to an embedder. A new kind of embedder is a module and a line here.

Not here: the implementations.
"""

from __future__ import annotations

from pathlib import Path

from legal_pipeline.embedding import packaged_model
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.sentence_transformer import Precision, SentenceTransformerEmbedder, Threads
from legal_pipeline.errors import ConfigurationError

#: The setting's value for the packaged model; an empty setting means the same.
DEFAULT_MODEL = packaged_model.NAME


def open_embedder(
    model: str | None = None, *, precision: Precision = "float32", threads: Threads = None, offline: bool = False
) -> Embedder:
    """The embedder for `model`: nothing or `all-MiniLM-L6-v2` for the packaged one, else a folder, else a name on the model hub.

    Loads no model. A hub name is looked up among the downloaded models first and fetched only if it is not there and `offline` is
    false. Raises ConfigurationError if it cannot be found.
    """
    if not model or model == DEFAULT_MODEL:
        return SentenceTransformerEmbedder(
            packaged_model.packaged_model_directory(),
            model=packaged_model.NAME,
            weights=packaged_model.WEIGHTS_SHA256,
            dimension=packaged_model.DIMENSION,
            max_tokens=packaged_model.MAX_TOKENS,
            precision=precision,
            threads=threads,
        )
    path = Path(model).expanduser()
    if path.is_dir():
        return SentenceTransformerEmbedder(path, model=path.name, precision=precision, threads=threads)
    if path.is_absolute() or model.startswith(("./", "../", "~")):
        raise ConfigurationError(f"the embedding model {model} is not a folder")
    directory, revision = _hub_snapshot(model, offline=offline)
    return SentenceTransformerEmbedder(directory, model=model, weights=revision, precision=precision, threads=threads)


def durable_setting(model: str) -> str:
    """`model` as it opens the same embedder from any working directory."""
    path = Path(model).expanduser()
    return str(path.resolve()) if model != DEFAULT_MODEL and path.is_dir() else model


def _hub_snapshot(model: str, *, offline: bool) -> tuple[Path, str]:
    """(folder, revision) of a hub model; the folder of a snapshot is named after its commit."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    unused = ["*.onnx", "onnx/*", "openvino/*", "*.h5", "*.ot", "*.msgpack", "*.gguf"]
    try:
        directory = Path(snapshot_download(model, local_files_only=True, ignore_patterns=unused))
    except (LocalEntryNotFoundError, OSError, ValueError) as missing:
        if offline:
            raise ConfigurationError(
                f"the embedding model {model} is neither a folder nor among the downloaded models, and the hub is switched off"
            ) from missing
        try:
            directory = Path(snapshot_download(model, ignore_patterns=unused))
        except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
            raise ConfigurationError(
                f"the embedding model {model} is neither a folder nor could it be fetched from the hub: {error}"
            ) from error
    return directory, directory.name
