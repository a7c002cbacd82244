"""Wrong calls of the command line: an unknown command or option is answered with the nearest known name.

Not here: the commands (`cli`) and invalid values, which each option checks itself.
"""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterable
from typing import Any

import typer
from typer.core import TyperGroup

from legal_pipeline.errors import ConfigurationError

#: Minimum similarity (`difflib` ratio) of a suggested name; without a similar name all known names are listed.
_NEAR = 0.4
#: The form of a day in the words of the C library, as Typer shows it.
_DATE_FORMATS = re.compile(r"does not match the formats? '%Y-%m-%d'")


class Commands(TyperGroup):
    """The commands. An interrupt is raised as `typer.Abort`; Typer itself would end the command with 130 and no message."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except Exception as error:
            error.unknown_command = args[0]  # type: ignore[attr-defined]
            raise
        parameters: list[Any] = [] if command is None else command.params
        if "" in rest and any("Path" in parameter.bare_type() for parameter in parameters):
            # Python reads an empty path as the current folder, and an unset variable of a shell becomes one
            raise ConfigurationError(f"an argument of {name} is empty: expected the path of a file or folder")
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise typer.Abort() from error


def usage_message(error: Exception) -> str | None:
    """Return the message for a wrong call, None if `error` is something else."""
    show = getattr(error, "show", None)
    if show is None:
        return None
    context = getattr(error, "ctx", None)
    unknown = getattr(error, "option_name", None)
    if context is not None and unknown is not None and hasattr(error, "possibilities"):
        error.possibilities = ()
        error.message = f"No such option: {unknown}. {_suggestion(unknown, _options(context), 'Options')}"  # type: ignore[attr-defined]
    elif context is not None and (named := getattr(error, "unknown_command", None)) is not None:
        error.message = f"No such command: {named}. {_suggestion(named, context.command.commands, 'Commands')}"  # type: ignore[attr-defined]
    message = getattr(error, "message", "").removeprefix("Value error, ")
    error.message = _DATE_FORMATS.sub("is not a date (expected: YYYY-MM-DD)", message)  # type: ignore[attr-defined]
    out = io.StringIO()
    show(file=out)
    return out.getvalue().rstrip("\n")


def _options(context: Any) -> list[str]:
    return [name for option in context.command.get_params(context) if option.param_type_name == "option"
            for name in (*option.opts, *option.secondary_opts)]  # fmt: skip


def _suggestion(unknown: str, known: Iterable[str], kind: str) -> str:
    names = list(known)
    if nearest := nearest_name(unknown, names):
        return f"Did you mean {nearest}?"
    return f"{kind}: {', '.join(names)}"


def nearest_name(unknown: str, known: Iterable[str]) -> str | None:
    """Return the name in `known` most similar to `unknown`, None if none is similar. A name that begins with `unknown` is preferred."""
    bare = {name.lstrip("-"): name for name in known}
    wanted = unknown.lstrip("-").lower()
    if begun := [name for name in bare if len(wanted) > 1 and name.startswith(wanted)]:
        return bare[min(begun, key=len)]
    found = difflib.get_close_matches(wanted, bare, n=1, cutoff=_NEAR)
    return bare[found[0]] if found else None
