"""The embedding model of each language: the setting, and the embedders that it names.

Not here: models (`embedding.registry`), the language of a text, and the storage of vectors of several models (`stores`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.errors import ConfigurationError

#: Name of the vector of a table's first model, or of the only model.
FIRST_VECTOR = "dense"

#: Stands for every language that the table does not name.
_OTHER = "*"

_ENTRY = re.compile(r"\s*(\*|[a-z]{3})\s*=\s*(\S.*?)\s*")
_MOST_IN_A_NAME = 32


@dataclass(frozen=True)
class ModelTable:
    """`by_language`: (ISO 639-3, model) in the order of the setting; `other`: the model of every other language."""

    by_language: tuple[tuple[str, str], ...]
    other: str

    @classmethod
    def parse(cls, setting: str) -> ModelTable:
        """Parse `eng=all-MiniLM-L6-v2,*=multilingual-e5-small` as a table, any other text as one model. Raises ConfigurationError for a
        table that names a language twice or has no model for the other languages (`*`)."""
        entries = [_ENTRY.fullmatch(part) for part in setting.split(",")]
        if not any(entries):
            return cls((), setting)
        pairs = [(entry[1], entry[2]) for entry in entries if entry is not None]
        models = dict(pairs)
        if None in entries or len(models) != len(pairs) or _OTHER not in models:
            raise ConfigurationError(
                f"{setting!r} is not a table of embedding models: expected LANGUAGE=MODEL with commas between them, each language (ISO "
                f"639-3) once, and {_OTHER}=MODEL for the others, such as eng=all-MiniLM-L6-v2,{_OTHER}=multilingual-e5-small"
            )
        if len(set(models.values())) == 1:
            return cls((), models[_OTHER])
        return cls(tuple((language, model) for language, model in pairs if language != _OTHER), models[_OTHER])

    def __str__(self) -> str:
        """Return the text of the setting."""
        if not self.by_language:
            return self.other
        return ",".join(f"{language}={model}" for language, model in (*self.by_language, (_OTHER, self.other)))

    def map(self, work: Callable[[str], str]) -> ModelTable:
        """Return the table with `work` applied to each model."""
        return ModelTable(tuple((language, work(model)) for language, model in self.by_language), work(self.other))

    def open(self, open_embedder: Callable[[str], Embedder]) -> Embedders:
        """Open the embedders; `open_embedder` is called once per model."""
        opened = {
            model: open_embedder(model) for model in dict.fromkeys((*dict(self.by_language).values(), self.other))
        }
        if len({embedder.name for embedder in opened.values()}) == 1:
            return Embedders({}, opened[self.other])
        return Embedders({language: opened[model] for language, model in self.by_language}, opened[self.other])


@dataclass(frozen=True)
class Embedders:
    """`by_language`: ISO 639-3 -> embedder; `other`: the embedder of every other language."""

    by_language: Mapping[str, Embedder]
    other: Embedder

    @property
    def name(self) -> str:
        """Names everything that determines a vector; with one embedder it is that embedder's name."""
        if not self.by_language:
            return self.other.name
        named = [(language, embedder.name) for language, embedder in self.by_language.items()]
        return ",".join(f"{language}={name}" for language, name in (*named, (_OTHER, self.other.name)))

    @functools.cached_property
    def by_vector(self) -> dict[str, Embedder]:
        """Name of a vector -> its embedder, the first model first. Raises ConfigurationError if two models get the same vector name."""
        found: dict[str, Embedder] = {}
        for embedder in (*self.by_language.values(), self.other):
            if embedder.name in (known.name for known in found.values()):
                continue
            name = f"{FIRST_VECTOR}_{_short(embedder.name)}" if found else FIRST_VECTOR
            if name in found:
                raise ConfigurationError(
                    f"two embedding models have the name {_short(embedder.name)}: rename one's folder"
                )
            found[name] = embedder
        return found

    @property
    def dimension(self) -> int:
        """Dimension of the first vector."""
        return self.by_vector[FIRST_VECTOR].dimension

    @property
    def further(self) -> tuple[tuple[str, int], ...]:
        """(name, dimension) of each vector except the first, sorted by name."""
        return tuple(
            sorted((name, embedder.dimension) for name, embedder in self.by_vector.items() if name != FIRST_VECTOR)
        )

    def of(self, language: str) -> Embedder:
        return self.by_language.get(language, self.other)

    def named(self, embedder: Embedder) -> list[str]:
        """Return the languages for which the table names the embedder."""
        return [language for language, used in self.by_language.items() if used.name == embedder.name]

    def vector_of(self, language: str) -> str:
        """Return the name of the vector of texts in the language."""
        name = self.of(language).name
        return next(vector for vector, embedder in self.by_vector.items() if embedder.name == name)


def _short(name: str) -> str:
    """Return the part before `@` of an embedder's name, in the form of a column name."""
    model = name.partition("@")[0].rpartition("/")[2]
    return re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[-_MOST_IN_A_NAME:]
