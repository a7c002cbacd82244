"""Run one of our modules in a child process, which imports torch instead of this process. Not here: the work of the module."""

from __future__ import annotations

import os
import subprocess
import sys


def run_apart(module: str, *arguments: str) -> tuple[int, str]:
    """Return (exit code, last line of standard error). The child process has the same packages, and no access to the model hub."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    return done.returncode, (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
