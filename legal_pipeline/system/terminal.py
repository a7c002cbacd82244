"""Terminal output for people and for machines, without characters that control the terminal.

Other people write the documents, and so every name, path and error may quote them. Not here: the displayed content (`presentation`).
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Span, Text

from legal_pipeline.system.visible import visible, visible_json, visible_parts


class Terminal(Console):
    """A rich console that shows control characters as escapes; strings are text and never markup."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, "highlight": False, **options})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        # before the text is wrapped, so that lines have the visible length
        if isinstance(renderable, Text):
            renderable = visible_text(renderable)
        elif isinstance(renderable, str):
            renderable = visible(renderable)
        elif isinstance(renderable, Table):
            for column in renderable.columns:
                column._cells = [visible_text(cell) if isinstance(cell, Text) else cell for cell in column._cells]
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def visible_text(text: Text) -> Text:
    """Return `text` with its styles, and escapes in place of control characters."""
    parts = visible_parts(text.plain)
    if not parts:
        return text

    def moved(offset: int) -> int:
        return offset + sum(len(escape) - (end - start) for start, end, escape in parts if end <= offset)

    shown = text.copy()
    shown.plain = visible(text.plain)
    shown.spans = [Span(moved(span.start), moved(span.end), span.style) for span in text.spans]
    return shown


def say(text: str, *, style: str = "", error: bool = False) -> None:
    """Print a line for people, on standard error with `error`; on a terminal in `style`, a style of rich."""
    if style:
        Terminal(stderr=error).print(Text(text, style=style), soft_wrap=True)
    else:
        print(visible(text), file=sys.stderr if error else sys.stdout)


def print_json(value: Any) -> None:
    """Print `value` as a line of JSON."""
    print_json_text(json.dumps(value, ensure_ascii=False, default=str))


def print_answer(value: Any, text: str, as_json: bool) -> None:
    """Print the answer of a command: `value` for machines, `text` for people."""
    if as_json:
        print_json(value)
    else:
        say(text)


def print_json_text(text: str) -> None:
    """Print a JSON text."""
    print(visible_json(text))


def say_traceback(error: BaseException) -> None:
    """Print the traceback of a defect on standard error; its message may quote a document."""
    say("".join(traceback.format_exception(error)).rstrip("\n"), error=True)


class VisibleLog(logging.StreamHandler[IO[str]]):
    """Log lines on standard error, in Python's format without a handler."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))
