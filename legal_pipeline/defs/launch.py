"""Runs a job in the process of a command, and starts the UI and the daemon, with the embedded PostgreSQL if no database is configured.

Not here: the commands (`cli`), and the jobs (`defs.jobs`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import IO, Any, Protocol

from dagster import AssetKey, DagsterInstance, Failure, JobDefinition
from dagster._core.storage.noop_compute_log_manager import NoOpComputeLogManager
from pydantic import SecretStr

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.corpus_assets.practice_areas import KEY as FILING_KEY
from legal_pipeline.defs import partitions, practice_areas
from legal_pipeline.defs.dev_lines import shown_lines
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.launcher import host_tags
from legal_pipeline.defs.partitioning import partitioning as partitioning_of
from legal_pipeline.defs.process_tree import die_with_parent, end_marked
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.defs.storage import EVENT_BATCH
from legal_pipeline.errors import DiskFullError, LegalPipelineError
from legal_pipeline.pipeline import Pipeline, verify_settings
from legal_pipeline.processing.stage import Deferred, Failed, StageEvent
from legal_pipeline.registration import Registration, register
from legal_pipeline.registry.coming_expressions import later_texts
from legal_pipeline.registry.disk_space import is_disk_full, verify_reserve, verify_space, verify_writable
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.registry.practice_area_leaves import PracticeAreaLeaves
from legal_pipeline.renaming import begin_renamings
from legal_pipeline.settings import Settings, checkout_path, shipped_path
from legal_pipeline.sources.source import ListingError, Source
from legal_pipeline.system.interrupts import SIGNALS, Interrupts, watching
from legal_pipeline.system.ports import verify_port_free
from legal_pipeline.system.terminal import say

#: The environment variable that marks all processes of one `serve`.
_MARK = "LEGAL_PIPELINE_SERVED_BY"
#: Maximum seconds until an interrupted run has ended: it finishes its current text, request or statement.
_RUN_SECONDS = 30


class Report(Protocol):
    """Receives the progress of an ingest."""

    def registration(self, found: Registration) -> None: ...

    def later_texts(self, days: Mapping[str, date]) -> None: ...

    def event(self, event: StageEvent) -> None: ...


class _OpenPipeline:
    """One pipeline for all runs of a command, so that the model is loaded once; `error` is the unexpected error that ended a run."""

    def __init__(self, pipeline: Pipeline, report: Report) -> None:
        self.settings = pipeline.resources.settings
        self._pipeline = pipeline
        self._report = report
        self.interrupts = Interrupts()
        self.error: BaseException | None = None
        self.failed = 0

    @contextlib.contextmanager
    def open(self) -> Iterator[Pipeline]:
        try:
            yield self._pipeline
        except BaseException as error:
            self.error = error
            raise

    def observe(self, event: StageEvent) -> None:
        self.failed += isinstance(event, Failed) and not isinstance(event, Deferred)
        self._report.event(event)
        self.interrupts.check()


def ingest_source(
    settings: Settings,
    source: Source,
    *,
    report: Report,
    hints: Mapping[str, Any] | None = None,
    strategy: str | None = None,
    force: bool = False,
    accept: bool = False,
) -> None:
    """Register the items of `source` and run their documents as Dagster runs in this process, `partitions_per_run` documents per run.

    `accept`: the user confirms that the items belong to their documents, even if the texts name other works. Documents that fail are
    reported, not raised; raises `ConfigurationError` or `ListingError` if nothing can be run at all.
    """
    verify_settings(settings)
    verify_reserve(settings.home, settings.min_free_bytes)
    verify_writable(settings.warehouse_root)
    with (
        _full_disk_in_words(settings),
        embedded_services(settings) as settings,
        dagster_instance(settings) as instance,
        Pipeline.open(settings) as pipeline,
    ):
        partitioning = partitioning_of(settings)
        partitioning.verify(pipeline.registry.database)
        found = register(
            source,
            pipeline.registry,
            grace=timedelta(seconds=settings.removal_grace_seconds),
            in_flight=partitions.Runs(instance, partitioning).documents,
            hints=hints,
            accept=accept,
            allow_empty_listing=False,
        )
        if found.found_nothing:
            raise ListingError("nothing to ingest: no file was found that is not hidden, temporary or left out")
        report.registration(found)
        renamed = begin_renamings(pipeline.resources, found.listed)
        wanted = sorted({*found.new, *found.changed, *found.listed, *renamed.values()} - {*found.tombstoned, *renamed})
        report.later_texts(later_texts(pipeline.registry.database, wanted))
        run_documents(instance, pipeline, wanted, report=report, strategy=strategy, force=force)
        update_practice_areas(instance, pipeline, report=report)


def run_documents(
    instance: DagsterInstance,
    pipeline: Pipeline,
    document_ids: list[str],
    *,
    report: Report,
    job_name: str = "process_document",
    strategy: str | None = None,
    force: bool = False,
    assets: Sequence[tuple[str, ...]] | None = None,
) -> None:
    """Run a job over documents in this process, one Dagster run per range of `partitions_per_run` documents.

    `assets`: only these of the job's assets.
    """
    settings = pipeline.resources.settings
    partitioning = partitioning_of(settings)
    by_key = partitioning.keys_of(pipeline.registry, document_ids)
    partitions.add(instance, by_key.keys())
    resource = _OpenPipeline(pipeline, report)
    job = _job(settings, resource, job_name)
    order = instance.get_dynamic_partitions(partitions.NAME)
    config = {"force": force, **({"strategy": strategy} if strategy else {})}
    selection = None if assets is None else [AssetKey(key) for key in assets]
    groups = partitions.ranges(by_key, order, settings.partitions_per_run, by_key)
    with pipeline.kept_open() if len(groups) > 1 else contextlib.nullcontext():
        for group in groups:
            verify_space(settings.home, settings.min_free_bytes)
            ops = partitioning.run_config(documents=[name for key in group for name in by_key[key]], **config)["ops"]
            _execute(instance, job, resource, group, ops, selection)
    partitions.remove_renamed(instance, pipeline.registry.aliases, partitioning)


def update_practice_areas(
    instance: DagsterInstance, pipeline: Pipeline, *, report: Report, refresh_roots: bool = False
) -> None:
    """File the judgments that are due and make the stale trees in this process, as the sensor requests it."""
    leaves = PracticeAreaLeaves(pipeline.registry.database)
    settings = pipeline.resources.settings
    if not (refresh_roots or leaves.due() or leaves.gone()) or "summaries" not in settings.enrichments:
        return
    resource = _OpenPipeline(pipeline, report)
    filing = {FILING_KEY[0]: {"config": {"everything": refresh_roots}}}
    _execute(instance, _job(settings, resource, practice_areas.FILING_JOB), resource, (), filing)
    areas = practice_area_trees.stale(pipeline.resources, roots=refresh_roots)
    order = practice_areas.areas.get_partition_keys()
    config = {practice_areas.TREES_OP: {"config": {"refresh_roots": refresh_roots}}}
    job = _job(settings, resource, practice_areas.TREES_JOB)
    for group in partitions.ranges(areas, order, len(order)):
        _execute(instance, job, resource, group, config)


def _execute(
    instance: DagsterInstance,
    job: JobDefinition,
    resource: _OpenPipeline,
    group: Sequence[str],
    ops: Mapping[str, Any],
    selection: Sequence[AssetKey] | None = None,
) -> None:
    """Execute one run over the partitions of `group`. Document failures are in the report; raises any other error that ended the run."""
    resource.failed = 0
    with watching() as resource.interrupts:
        try:
            result = job.execute_in_process(
                instance=instance,
                tags={**host_tags(), **(partitions.range_tags(group) if len(group) > 1 else {})},
                partition_key=group[0] if len(group) == 1 else None,
                # Dagster's own log of the run is kept in the instance
                run_config={"ops": dict(ops), "loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                asset_selection=selection,
                raise_on_error=False,
            )
        finally:
            # independent of Dagster's reaction: an error, a failed run, or nothing
            resource.interrupts.check()
    if resource.error is not None and not isinstance(resource.error, Failure):
        raise resource.error
    if not result.success and not resource.failed:
        # an unexpected error between Dagster and us: without this check, an ingest would report success for a failed run
        reasons = [event.message or event.event_type_value for event in result.all_events if event.is_failure]
        raise LegalPipelineError(
            f"the Dagster run {result.run_id} failed although no document did: {'; '.join(reasons)}"
        )


@contextlib.contextmanager
def _full_disk_in_words(settings: Settings) -> Iterator[None]:
    """Raise `DiskFullError` for any error that a full disk has caused in the block."""
    try:
        yield
    except DiskFullError:
        raise
    except Exception as error:
        if not is_disk_full(error):
            raise
        raise DiskFullError(
            f"the disk of {settings.home} is full. What was finished is kept: free some space and run the same command again"
        ) from error


def _job(settings: Settings, resource: Pipelines, name: str) -> JobDefinition:
    return build_definitions(settings=settings, resources={"pipeline": resource}).resolve_job_def(name)


@contextlib.contextmanager
def embedded_services(settings: Settings) -> Iterator[Settings]:
    """Return `settings` with a database URL; the embedded server runs during the block if no database is configured.

    The URL is also set in this process' environment, where Dagster's storage and every child process read it.
    """
    name = Settings.environment_name("database_url")
    with contextlib.ExitStack() as stack:
        if settings.database_url is None:
            server = stack.enter_context(EmbeddedPostgres(settings.home / "postgres"))
            settings = settings.model_copy(update={"database_url": SecretStr(server.url)})
        before = os.environ.get(name)
        os.environ[name] = settings.database_url_text
        try:
            yield settings
        finally:
            if before is None:
                del os.environ[name]
            else:
                os.environ[name] = before


@contextlib.contextmanager
def dagster_instance(settings: Settings) -> Iterator[DagsterInstance]:
    """Open the Dagster instance of `dagster.yaml`; call within `embedded_services`."""
    from dagster._core.instance.ref import InstanceRef

    os.environ.setdefault(*EVENT_BATCH)  # Dagster reads it at each event
    home, config = _dagster_home(settings)
    # runs in this process print nothing; the processes that would capture their output end with a traceback on an interrupt
    silent = {"compute_logs": {"module": NoOpComputeLogManager.__module__, "class": NoOpComputeLogManager.__name__}}
    with DagsterInstance.from_ref(
        InstanceRef.from_dir(str(home), config_dir=str(config), overrides=silent)
    ) as instance:
        yield instance


def serve(settings: Settings, *, host: str = "127.0.0.1", port: int = 3000) -> int:
    """For `legal-pipeline dev`: run Dagster's UI and daemon with the embedded PostgreSQL until interrupted; return the exit code.

    No process is left running: runs in progress are interrupted, and the next start runs them again. Raises `ConfigurationError` before
    anything starts if a setting is wrong or the port is in use.
    """
    verify_settings(settings)
    verify_port_free(host, port)
    with embedded_services(settings) as settings, _Forwarding(*SIGNALS) as forwarding:
        mark = uuid.uuid4().hex
        command = [sys.executable, "-m", "dagster", "dev", "-w", str(shipped_path("workspace.yaml"))]
        process = forwarding.process = subprocess.Popen(
            [*command, "-h", host, "-p", str(port)],
            env={**process_environment(settings), _MARK: mark},
            cwd=checkout_path(),  # an installed package runs in its user's working directory
            start_new_session=True,  # one interrupt, from this process: a second one from the terminal would interrupt the shutdown
            preexec_fn=die_with_parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="backslashreplace",
        )
        shown = threading.Thread(target=_show, args=(process.stdout, forwarding), daemon=True)
        shown.start()
        try:
            code = process.wait()
        finally:
            # Dagster does not end its code servers, and these do not end their runs
            end_marked(_MARK, mark, timeout=_RUN_SECONDS)
            shown.join(_RUN_SECONDS)
    return 0 if code in (0, -signal.SIGINT, -signal.SIGTERM, 130) else code


def _show(lines: IO[str], forwarding: _Forwarding) -> None:
    for line in shown_lines(lines):
        if not forwarding.interrupted:  # the tracebacks of interrupted processes have no information
            with contextlib.suppress(OSError):  # the reader of the output is gone; the processes must not wait for it
                say(line)
                sys.stdout.flush()


def process_environment(settings: Settings) -> dict[str, str]:
    """Return the environment of a Dagster process that must use exactly these settings, and the instance of `dagster_instance`."""
    environment = dict([EVENT_BATCH]) | os.environ
    for field in settings.model_fields_set | {"home"}:
        value = getattr(settings, field)
        if value is not None:
            environment[Settings.environment_name(field)] = _as_variable(value)
    home, config = _dagster_home(settings)
    if home != config:
        link = home / "dagster.yaml"
        target = config / "dagster.yaml"
        if not (link.is_symlink() and link.readlink() == target):
            link.unlink(missing_ok=True)
            link.symlink_to(target)
    environment["DAGSTER_HOME"] = str(home)
    return environment


def _as_variable(value: Any) -> str:
    """Return a setting in the form that is read from the environment: mappings as JSON."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return json.dumps(value) if isinstance(value, dict) else str(value)


def _dagster_home(settings: Settings) -> tuple[Path, Path]:
    """Return (folder for logs and artefacts, folder of `dagster.yaml`): DAGSTER_HOME, else a folder under `home` with our own file."""
    if own := os.environ.get("DAGSTER_HOME"):
        return Path(own), Path(own)
    config = shipped_path("dagster.yaml").parent
    home = settings.home / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    return home, config


class _Forwarding:
    """Passes signals on to `process` as an interrupt.

    It starts before the process does: a process that inherits an ignored interrupt (a shell's background job) could never be stopped.
    """

    def __init__(self, *numbers: signal.Signals) -> None:
        self._numbers = numbers
        self._before: dict[signal.Signals, Any] = {}
        self.process: subprocess.Popen[str] | None = None
        self.interrupted = False

    def __enter__(self) -> _Forwarding:
        for number in self._numbers:
            self._before[number] = signal.signal(number, self._forward)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _forward(self, *_: object) -> None:
        if self.process is None:
            raise KeyboardInterrupt
        if not self.interrupted:
            self.interrupted = True
            say("stopping: runs in progress are interrupted, and done again at the next start")
            self.process.send_signal(signal.SIGINT)
