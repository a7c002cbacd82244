"""Switches a home to partitions of one document in a process that kills itself: `python -m … DATABASE_URL HOME STATEMENT NUMBER`.

The process ends before the statement number NUMBER that begins with STATEMENT in Dagster's storage.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy.engine import Engine

from legal_pipeline.defs.partitioning import Partitioning
from legal_pipeline.defs.switching import switch_partitioning
from legal_pipeline.settings import Settings, load_settings


def kill_switch(settings: Settings, statement: str, number: int) -> None:
    """Start the process and wait until it has killed itself."""
    arguments = [settings.database_url_text, str(settings.home), statement, str(number)]
    command = [sys.executable, "-W", "ignore", "-m", "legal_pipeline_tests.defs.killed_switch", *arguments]
    code = subprocess.run(command, cwd=Path(__file__).resolve().parents[2], check=False).returncode
    assert code == -signal.SIGKILL, (statement, number, code)


def main(database_url: str, home: str, statement: str, number: str) -> None:
    left = int(number)

    def count(connection: Any, cursor: Any, text: str, *_: Any) -> None:
        nonlocal left
        left -= text.lower().startswith(statement)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sqlalchemy.event.listen(Engine, "before_cursor_execute", count)
    switch_partitioning(load_settings(home=Path(home), database_url=database_url), Partitioning())


if __name__ == "__main__":
    main(*sys.argv[1:])
