"""Options of several commands.

Not here: the commands (`cli`, `search_command`).
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer


def _for_machines(value: bool) -> bool:
    if value and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, independent of the terminal
    return value


Json = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.", callback=_for_machines)]
