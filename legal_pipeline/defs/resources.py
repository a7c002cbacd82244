"""The resource `pipeline`: opens the pipeline for an op, a sensor or a check, and lets the command line observe a run.

Not here: the pipeline's own resources (`processing.stage.Resources`), and the IO manager (`defs.io_manager`).
"""

# no `from __future__ import annotations`: Dagster reads the types of the fields
import contextlib
import difflib
from collections.abc import Iterator
from typing import Any, Protocol

from dagster import ConfigurableResource, ResourceDependency
from pydantic import Field, SecretStr

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline, verify_settings
from legal_pipeline.processing.stage import StageEvent
from legal_pipeline.settings import Settings, load_settings


class Pipelines(Protocol):
    """The interface of the resource `pipeline`; the command line passes an implementation that keeps its pipeline open."""

    @property
    def settings(self) -> Settings: ...

    def open(self) -> contextlib.AbstractContextManager[Pipeline]: ...

    def observe(self, event: StageEvent) -> None:
        """Called with each event of a run, after Dagster has it."""


class PipelineResource(ConfigurableResource["PipelineResource"]):
    """Opens a pipeline per run, sensor tick or check.

    Its settings are `loaded`, else those of the process with `overrides`. Raises `ConfigurationError` for an override that is not a
    setting, or is a secret, because Dagster stores and shows configuration.
    """

    overrides: dict[str, Any] = Field(
        default={},
        description="Settings by name (docs/reference/settings.md, without LEGAL_PIPELINE_) over those of the environment.",
    )
    loaded: ResourceDependency[Settings | None] = None  # type: ignore[assignment]

    @property
    def settings(self) -> Settings:
        # not cached: a code server is long-lived, and the process that starts a run reads `.env`
        return self.loaded if self.loaded is not None else overridden(self.overrides, "resource pipeline: overrides")

    @contextlib.contextmanager
    def open(self) -> Iterator[Pipeline]:
        with Pipeline.open(self.settings) as pipeline:
            yield pipeline

    def observe(self, event: StageEvent) -> None:
        """Do nothing: no command observes the runs of Dagster's own processes."""


def overridden(overrides: dict[str, Any], place: str) -> Settings:
    """Return the settings of the process with `overrides`; `place` is where the user wrote them (a resource, a `defs.yaml`).

    Raises `ConfigurationError`, which names `place`, for an override that is not a setting, has a wrong value, or is a secret.
    """
    for name in overrides:
        field = Settings.model_fields.get(name)
        if field is None:
            plain = name.lower().removeprefix("legal_pipeline_")
            near = difflib.get_close_matches(plain, Settings.model_fields, n=1)
            expected = f"did you mean {near[0]}?" if near else "docs/reference/settings.md lists them"
            raise ConfigurationError(f"{place}: {name} is not a setting: {expected}")
        if SecretStr in getattr(field.annotation, "__args__", (field.annotation,)):
            raise ConfigurationError(
                f"{place}: {name} is a secret, and Dagster shows configuration: "
                f"set {Settings.environment_name(name)} in the environment"
            )
    try:
        settings = load_settings(**overrides)
        verify_settings(settings)
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error}") from None
    return settings
