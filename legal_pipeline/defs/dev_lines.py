"""What `legal-pipeline dev` shows of what Dagster's processes say: no debugging, each partition by its name, nothing a terminal obeys.

Not here: the processes (`defs.launch`), and Dagster's own log, which keeps everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from legal_pipeline.system.visible import visible

#: How a line of Dagster's console logger begins: time, logger, level; of a run then job, run, process, op, kind of event, and what it says.
_HEAD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} - \S+ - (?P<level>[A-Z]+) - ")
_MADE = re.compile(r" - (?P<run>[0-9a-f]{8})[0-9a-f-]{28} - \d+ - \S+ - ASSET_MATERIALIZATION - (?P<made>.*)")
#: Colours, which Dagster's logger writes where it believes itself on a terminal.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def shown_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines to show. What continues a line goes with it; a materialization is shown, though Dagster calls it debugging."""
    hidden = False
    for line in lines:
        plain = _COLOUR.sub("", line.rstrip("\r\n"))
        if head := _HEAD.match(plain):
            hidden = head["level"] == "DEBUG"
            if hidden and (made := _MADE.search(plain)):
                yield visible(f"{plain[:19]} run {made['run']}: {made['made']}")
        if not hidden:
            yield visible(plain)
