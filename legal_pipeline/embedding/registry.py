"""From a setting to an embedder. A new kind of backend is a module and a line here.

Not here: the implementations, and which backend is chosen (`embedding.choice`).
"""

from __future__ import annotations

import logging
from pathlib import Path

from legal_pipeline.embedding import packaged_model
from legal_pipeline.embedding.backend import Backend, Threads
from legal_pipeline.embedding.choice import Choice, choose, torch_choice
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.openvino_backend import OpenVinoBackend
from legal_pipeline.embedding.openvino_conversion import NotConvertibleError, graph_of
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.torch_backend import TorchBackend
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings, default_home

#: The setting's value for the packaged model; an empty setting means the same.
DEFAULT_MODEL = packaged_model.NAME

_log = logging.getLogger(__name__)


def open_embedder(
    model: str | None = None,
    options: BackendOptions = BackendOptions(),
    *,
    threads: Threads = None,
    offline: bool = False,
    home: Path | None = None,
) -> Embedder:
    """The embedder for `model`: nothing or `all-MiniLM-L6-v2` for the packaged one, else a folder, else a name on the model hub.

    Loads no model. A hub name is looked up among the downloaded models first and fetched only if it is not there and `offline` is
    false. What is made of the model's files is kept beside them, or under `home` (the settings' default) where they cannot be written.
    Raises ConfigurationError if the model cannot be found or `options` do not go together.
    """
    files = model_files(model, offline=offline)
    choice = choose(options)
    cache = ModelCache(files, home or default_home())
    return ModelEmbedder(files, lambda: _open_backend(files, choice, options, cache, threads))


def configured_embedder(settings: Settings, *, model: str | None = None, threads: Threads = None) -> Embedder:
    """The embedder that the settings name; `model` in place of theirs."""
    return open_embedder(model or settings.embedding_model, options_of(settings), threads=threads, home=settings.home)


def options_of(settings: Settings) -> BackendOptions:
    return BackendOptions(settings.embedding_backend, settings.embedding_device, settings.embedding_precision)


def model_files(model: str | None = None, *, offline: bool = False) -> ModelFiles:
    """Where the files of `model` are; see `open_embedder`."""
    if not model or model == DEFAULT_MODEL:
        return ModelFiles(
            packaged_model.packaged_model_directory(),
            packaged_model.NAME,
            packaged_model.WEIGHTS_SHA256,
            (packaged_model.DIMENSION, packaged_model.MAX_TOKENS),
        )
    path = Path(model).expanduser()
    if path.is_dir():
        return ModelFiles(path, path.name)
    if path.is_absolute() or model.startswith(("./", "../", "~")):
        raise ConfigurationError(f"the embedding model {model} is not a folder")
    directory, revision = _hub_snapshot(model, offline=offline)
    return ModelFiles(directory, model, revision)


def _open_backend(
    files: ModelFiles, choice: Choice, options: BackendOptions, cache: ModelCache, threads: Threads
) -> Backend:
    if choice.backend == "openvino":
        try:
            graph = graph_of(files, cache)
        except NotConvertibleError as error:
            if not choice.is_free:
                raise
            _log.warning("%s: torch runs it, some times slower", error)
            choice = torch_choice(options, str(error))
        else:
            return OpenVinoBackend(graph, precision=choice.precision, pad_token=files.pad_token, threads=threads)
    return TorchBackend(
        files.directory,
        device=choice.device,
        precision=choice.precision,
        pad_token=files.pad_token,
        threads=threads,
    )


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
