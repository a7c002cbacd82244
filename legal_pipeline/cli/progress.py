"""Progress of a run on standard error: on a terminal a bar per stage, otherwise a line at intervals.

Not here: the result (`presentation.Report`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from legal_pipeline.pipeline import ASSETS
from legal_pipeline.processing.stage import Failed, StageEvent
from legal_pipeline.stages import chunks
from legal_pipeline.system.terminal import Terminal

#: Minimum seconds between two lines about the same stage.
_LINE_SECONDS = 5.0

_STAGES = frozenset(key for key in ASSETS if len(key) == 1)


class StageProgress:
    """Follows the events of runs over `documents` documents (0: unknown). Stages follow each other, once per run.

    The time between two events counts for the stage of the later event. `clock` returns seconds.
    """

    def __init__(
        self, documents: int, terminal: Terminal | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._documents = documents
        self._terminal = terminal or Terminal(stderr=True)
        self._clock = clock
        self._last_event = self._last_line = clock()
        self._stage: str | None = None
        self._done: Counter[str] = Counter()
        self._chunks: Counter[str] = Counter()
        self._seconds: Counter[str] = Counter()
        self._chunks_of: dict[str, int] = {}
        self._failed = 0
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        if self._terminal.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
            self._bars = Progress(*columns, console=self._terminal)
            self._bars.start()

    def event(self, event: StageEvent) -> None:
        now = self._clock()
        stage = event.asset_key[-1]
        if isinstance(event, Failed):
            self._failed += 1
        elif event.asset_key in _STAGES:
            if stage != self._stage:
                self._end_stage()
                self._stage = stage
            if event.asset_key == chunks.KEY:
                self._chunks_of[event.document_id] = int(event.metadata.get("chunks", 0))
            self._done[stage] += 1
            self._chunks[stage] += self._chunks_of.get(event.document_id, 0)
            self._seconds[stage] += now - self._last_event  # type: ignore[assignment]
            self._show(stage, now)
        self._last_event = now

    def close(self) -> None:
        """Print the final state of the last stage, and release the terminal."""
        self._end_stage()
        self._stage = None
        if self._bars is not None:
            self._bars.stop()

    def _show(self, stage: str, now: float) -> None:
        state = self._state(stage, in_progress=True)
        if self._bars is not None:
            if stage not in self._tasks:
                self._tasks[stage] = self._bars.add_task(stage, total=None, state="")
            total = max(self._documents - self._failed, self._done[stage]) if self._documents else None
            self._bars.update(self._tasks[stage], total=total, completed=self._done[stage], state=state)
        elif now - self._last_line >= _LINE_SECONDS:
            self._print(state, now)

    def _end_stage(self) -> None:
        if self._stage is None:
            return
        state = self._state(self._stage, in_progress=False)
        if self._bars is not None:
            self._bars.update(self._tasks[self._stage], state=state)
        else:
            self._print(state, self._clock())

    def _print(self, state: str, now: float) -> None:
        self._last_line = now
        self._terminal.print(Text(f"{self._stage}: {state}"), soft_wrap=True)

    def _state(self, stage: str, *, in_progress: bool) -> str:
        done, chunks_done, seconds = self._done[stage], self._chunks[stage], float(self._seconds[stage])
        parts = [f"{done:,} of {self._documents:,} documents" if self._documents else f"{done:,} documents"]
        if chunks_done:
            parts.append(f"{chunks_done:,} chunks")
        if chunks_done and seconds:
            parts.append(f"{chunks_done / seconds:,.0f} chunks/s")
        left = self._documents - self._failed - done
        if in_progress and left > 0:
            parts.append(f"{timedelta(seconds=round(left * seconds / done))} left")
        return ", ".join(parts)
