"""Components: the pipeline, and each source that it follows, as a `defs.yaml` in a team's own Dagster project.

`dg list components` finds them where this package is installed. Not here: the definitions (`defs.graph`, `defs.sensors`).
"""

# no `from __future__ import annotations`: Dagster reads the types of the attributes
import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dagster import Component, ComponentLoadContext, DefaultSensorStatus, Definitions, Model, Resolvable
from pydantic import Field

from legal_pipeline.defs import sensors
from legal_pipeline.defs.asset_keys import AssetKeys
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.resources import PipelineResource, overridden
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.registry import REMOTE_NAMES
from legal_pipeline.system.checks import check_file, check_folder
from legal_pipeline.system.file_patterns import FilePatterns

#: Sources that are a local path, and all source names.
_DIRECTORY = "directory"
_LOCAL = (_DIRECTORY, "docs_jsonl")
_SOURCES = (*_LOCAL, *REMOTE_NAMES)

_PREFIX = "Names before the keys of the pipeline's assets."


@contextlib.contextmanager
def _naming(folder: Path) -> Iterator[None]:
    """Name the component in a `folder` in the errors of its settings."""
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(f"{folder}/defs.yaml: {error}") from None


class LegalPipeline(Component, Model, Resolvable):
    """The assets of legal documents, with their checks, jobs, schedules and sensors. Each source is a separate component: `LegalSource`."""

    key_prefix: list[str] = Field(default=[], description=_PREFIX)
    only: list[str] | None = Field(
        default=None, description="Groups of assets to take: documents, chunks, … All of them where left out."
    )
    settings: dict[str, Any] = Field(
        default={},
        description="Settings by name over those of the environment (docs/reference/settings.md); no secrets.",
    )

    def build_defs(self, context: ComponentLoadContext) -> Definitions:
        with _naming(context.path):
            return build_definitions(
                key_prefix=self.key_prefix,
                only=self.only,
                source_sensors=False,
                settings=overridden(self.settings, "settings"),
                resources={"pipeline": PipelineResource(overrides=self.settings)},
            )


class LegalSource(Component, Model, Resolvable):
    """A source that a sensor follows: a folder, a file with a document in each line (`docs.jsonl`), or a national register."""

    source: str = Field(
        description=f"What is followed: {', '.join(_SOURCES)}. What a register needs to know (parts, places, a token) are settings.",
    )
    path: str | None = Field(
        default=None,
        description="The folder or file of `directory` and `docs_jsonl`, from the folder of this `defs.yaml` on.",
    )
    exclude: list[str] = Field(
        default=[],
        description="Files that are left out of the folder of `directory`: patterns of `.gitignore`, in addition to those of the settings.",
    )
    name: str | None = Field(default=None, description="Name of the sensor; the folder's where left out.")
    key_prefix: list[str] = Field(default=[], description=_PREFIX)

    def build_defs(self, context: ComponentLoadContext) -> Definitions:
        with _naming(context.path):
            evaluation = self._evaluation(context.path)
        sensor = sensors.source_sensor(
            load_settings(),
            self.name or context.path.name,
            f"Follows {self.path or self.source}: new, changed and removed documents.",
            evaluation,
            DefaultSensorStatus.RUNNING,
            AssetKeys.behind(self.key_prefix),
        )
        return Definitions(sensors=[sensor])

    def _evaluation(self, folder: Path) -> Any:
        if self.source not in _SOURCES:
            raise ConfigurationError(f"source: {self.source!r} is unknown, expected one of {', '.join(_SOURCES)}")
        is_local = self.source in _LOCAL
        if is_local != (self.path is not None):
            raise ConfigurationError(f"source {self.source}: expected {'' if is_local else 'no '}`path`")
        if self.exclude and self.source != _DIRECTORY:
            raise ConfigurationError(f"source {self.source}: expected no `exclude`, which is for `{_DIRECTORY}`")
        if self.path is None:
            return functools.partial(sensors.poll_remote, name=self.source)
        path = (folder / self.path).resolve()
        if self.source != _DIRECTORY:
            _verify("path", check_file, path)
            return functools.partial(sensors.poll_docs_jsonl, path=path)
        _verify("path", check_folder, path)
        _verify("exclude", FilePatterns, self.exclude)
        return functools.partial(sensors.poll_folder, folder=path, exclude=tuple(self.exclude))


def _verify(attribute: str, check: Callable[[Any], object], value: Any) -> None:
    try:
        check(value)
    except ValueError as error:
        raise ConfigurationError(f"{attribute}: {error}") from None
