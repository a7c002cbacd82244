"""Cache of files derived from a model's files: in a hidden folder next to them, or under the home folder if that is not writable.

Safe if several processes create the same entry at once. Not here: the entries (`openvino_conversion`, `admission`).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.served_model import ServedModel
from legal_pipeline.errors import ConfigurationError

#: Hidden, so that the hash of a model's folder leaves it out.
_BESIDE = ".legal_pipeline"


class ModelCache:
    """Folders and files by name, next to the model and under `home`."""

    def __init__(self, model: ModelFiles | ServedModel, home: Path) -> None:
        below = home / "models" / hashlib.sha256(model.name.encode()).hexdigest()[:16]
        self._places = (model.directory / _BESIDE, below) if isinstance(model, ModelFiles) else (below,)

    def find(self, name: str) -> Path | None:
        """Return the path of an existing entry, or None."""
        return next((place / name for place in self._places if (place / name).exists()), None)

    def make(self, name: str, work: Callable[[Path], None]) -> Path:
        """Return the folder `name`; if it does not exist, `work` fills it. One process works, others wait for it. A folder is complete or
        does not exist, even if the process is killed."""
        if (found := self.find(name)) is not None:
            return found
        place = self._writable()
        with (place / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (found := self.find(name)) is not None:
                return found
            unfinished = Path(tempfile.mkdtemp(prefix=f"{name}.", dir=place))
            try:
                work(unfinished)
                unfinished.chmod(0o755)
                unfinished.rename(place / name)
            except BaseException:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
            return place / name

    def write_text(self, name: str, text: str) -> None:
        """Write the file `name` atomically; do nothing if no place is writable."""
        with contextlib.suppress(OSError, ConfigurationError):
            place = self._writable()
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=place, delete=False) as file:
                file.write(text)
            os.chmod(file.name, 0o644)
            os.replace(file.name, place / name)

    def _writable(self) -> Path:
        for place in self._places:
            with contextlib.suppress(OSError):
                place.mkdir(parents=True, exist_ok=True)
                if os.access(place, os.W_OK):
                    return place
        raise ConfigurationError(
            f"what is made of the embedding model cannot be kept in {' or '.join(map(str, self._places))}"
        )
