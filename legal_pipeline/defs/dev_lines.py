"""The output of Dagster's processes as `legal-pipeline dev` shows it: no debug lines, partitions by name, no terminal control sequences.

Not here: the processes (`defs.launch`), and Dagster's own log, which has all lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from legal_pipeline.system.visible import visible

#: Start of a line of Dagster's console logger: time, logger, level; in a run then job, run, process, op, kind of event, and the message.
_HEAD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} - \S+ - (?P<level>[A-Z]+) - ")
_MADE = re.compile(r" - (?P<run>[0-9a-f]{8})[0-9a-f-]{28} - \d+ - \S+ - ASSET_MATERIALIZATION - (?P<made>.*)")
#: Colours, which Dagster's logger writes if it detects a terminal.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def shown_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines to show.

    Continuation lines follow their first line; a materialization is shown, although Dagster logs it as DEBUG.
    """
    hidden = False
    for line in lines:
        plain = _COLOUR.sub("", line.rstrip("\r\n"))
        if head := _HEAD.match(plain):
            hidden = head["level"] == "DEBUG"
            if hidden and (made := _MADE.search(plain)):
                yield visible(f"{plain[:19]} run {made['run']}: {made['made']}")
        if not hidden:
            yield visible(plain)
