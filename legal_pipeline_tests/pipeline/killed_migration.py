"""Moves a warehouse of the earlier layout in a process that kills itself: `python -m … ROOT EVENT NUMBER`.

EVENT is of Python's audit (`os.rename`, `os.remove`); the process ends before the next one after NUMBER of them below ROOT.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.registry.warehouse_migration import migrate


def kill_migration(root: Path, event: str, number: int) -> None:
    """Start the process and wait until it has killed itself."""
    command = [sys.executable, "-m", "legal_pipeline_tests.pipeline.killed_migration", str(root), event, str(number)]
    code = subprocess.run(command, cwd=Path(__file__).resolve().parents[2], check=False).returncode
    assert code == -signal.SIGKILL, (event, number, code)


def main(root: str, event: str, number: str) -> None:
    left = int(number)

    def hook(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if name == event and root in str(arguments):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    migrate(Warehouse(root))


if __name__ == "__main__":
    main(*sys.argv[1:])
