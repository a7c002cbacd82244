"""Open the embedder of a setting.

Not here: the choice of the backend (`embedding.choice`) and its opening (`embedding.backends`).
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from legal_pipeline.embedding import packaged_e5, packaged_model
from legal_pipeline.embedding.backend import Threads
from legal_pipeline.embedding.backends import Backends
from legal_pipeline.embedding.choice import choices
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.model_table import Embedders, ModelTable
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.question_adapter import adapter_of
from legal_pipeline.embedding.served_model import ServedModel
from legal_pipeline.embedding.server import Server
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings, default_home

#: The setting's value for the packaged model; an empty setting means the same.
DEFAULT_MODEL = packaged_model.NAME

#: Models that are installed with this package; a folder with such a name is ignored.
PACKAGED = (packaged_model.NAME, packaged_e5.NAME)


def open_embedder(
    model: str | None = None,
    options: BackendOptions = BackendOptions(),
    *,
    threads: Threads = None,
    offline: bool = False,
    home: Path | None = None,
) -> ModelEmbedder:
    """Return the embedder for `model`: None or the name of a packaged model, else a folder, else a name on the model hub.

    Loads no model. A hub name is first searched among the downloaded models, and downloaded only if it is missing and `offline` is
    false; with an embedding server it is never downloaded. Files derived from the model are stored next to it, or under `home` (default:
    that of the settings) if that is not writable. Raises ConfigurationError if the model cannot be found or `options` contradict each
    other.
    """
    found = choices(options)
    home = home or default_home()
    served = found[0].backend == "http"
    described = _served_or_files(model, options, home) if served else model_files(model, offline=offline, home=home)
    backends = Backends(described, options, ModelCache(described, home), threads)
    by_processor = [choice for choice in found if choice.device == "cpu"]
    alone = found[0].device in ("cpu", "server") or options.device != "auto" or options.backend != "auto"
    # the switch of the adapter in a graph of OpenVINO costs passages 5 to 12 % of their time
    if described.adapter is not None and by_processor and by_processor[0].backend == "openvino":
        plain = dataclasses.replace(backends, model=dataclasses.replace(described, adapter=None))
        return ModelEmbedder(described, lambda: plain.open(found), lambda: backends.open(by_processor))
    return ModelEmbedder(
        described, lambda: backends.open(found), None if alone else lambda: backends.open(by_processor)
    )


def configured_embedder(settings: Settings, *, threads: Threads = None) -> ModelEmbedder:
    """Return the embedder of settings that name one model."""
    return open_embedder(settings.embedding_model, options_of(settings), threads=threads, home=settings.home)


def configured_embedders(settings: Settings) -> Embedders:
    """Return the embedders that the settings name."""
    return ModelTable.parse(settings.embedding_model).open(
        lambda model: configured_embedder(settings.model_copy(update={"embedding_model": model}))
    )


def options_of(settings: Settings) -> BackendOptions:
    """Return the backend options of the settings."""
    server = None
    if settings.embedding_url is not None:
        key = settings.embedding_key
        server = Server(
            settings.embedding_url,
            settings.embedding_served_name or "",
            key.get_secret_value() if key is not None else None,
            revision=settings.embedding_revision,
            max_tokens=settings.embedding_max_tokens,
            batch=settings.embedding_batch,
            concurrency=settings.embedding_concurrency,
            timeout_seconds=settings.embedding_timeout_seconds,
        )
    return BackendOptions(settings.embedding_backend, settings.embedding_device, settings.embedding_precision, server)


def model_files(model: str | None = None, *, offline: bool = False, home: Path | None = None) -> ModelFiles:
    """Return the files of `model`; see `open_embedder`."""
    if model == packaged_e5.NAME:
        return packaged_e5.e5_files(home or default_home())
    if not model or model == DEFAULT_MODEL:
        return ModelFiles(
            packaged_model.packaged_model_directory(),
            packaged_model.NAME,
            packaged_model.WEIGHTS_SHA256,
            (packaged_model.DIMENSION, packaged_model.MAX_TOKENS),
            adapter_of(packaged_model.NAME),
        )
    path = Path(model).expanduser()
    if path.is_dir():
        return ModelFiles(path, path.name)
    if path.is_absolute() or model.startswith(("./", "../", "~")):
        raise ConfigurationError(f"the embedding model {model} is not a folder")
    directory, revision = _hub_snapshot(model, offline=offline)
    return ModelFiles(directory, model, revision)


def _served_or_files(model: str | None, options: BackendOptions, home: Path) -> ModelFiles | ServedModel:
    """Return the model's files if they are on this machine, for its tokenizer and its name; else the served model. A server runs the model
    without our question adapter."""
    try:
        return dataclasses.replace(model_files(model, offline=True, home=home), adapter=None)
    except ConfigurationError:
        if model is None or options.server is None:
            raise
        return ServedModel(model, options.server.revision, options.server.max_tokens)


def languages_of(name: str) -> frozenset[str] | None:
    """Return the languages (ISO 639-3) that the model of an embedder's name is for; None if it is for many, or if that is not known."""
    is_packaged = name.partition("@")[0].rpartition("/")[2] == packaged_model.NAME
    return packaged_model.LANGUAGES if is_packaged else None


def durable_setting(setting: str) -> str:
    """Return `setting`, one model or a table, in a form that opens the same embedders from any working directory."""
    return str(ModelTable.parse(setting).map(_durable))


def _durable(model: str) -> str:
    path = Path(model).expanduser()
    return str(path.resolve()) if model not in PACKAGED and path.is_dir() else model


def _hub_snapshot(model: str, *, offline: bool) -> tuple[Path, str]:
    """Return (folder, revision) of a hub model; the folder of a snapshot is named after its commit."""
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
