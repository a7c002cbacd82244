"""Optional parts of the package and the extras that install them. Not here: the extras themselves (`pyproject.toml`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from legal_pipeline.errors import ConfigurationError


@contextlib.contextmanager
def extra(name: str, part: str) -> Iterator[None]:
    """Run a block that imports `part`, whose packages the extra `name` installs; raise `ConfigurationError` if they are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("legal_pipeline"):
            raise
        raise ConfigurationError(
            f"{part} needs the package {error.name}: install legal-pipeline with its extra `{name}`"
        ) from error
