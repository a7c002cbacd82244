"""Patterns of files to leave out of a folder, as `.gitignore` has them. Not here: walking a folder (`sources.directory`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator

from legal_pipeline.system.checks import comma_separated

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class FilePatterns:
    """Patterns in the syntax of `.gitignore`; of several that match a name, the last one decides.

    Raises `ValueError` for a pattern that is invalid, or that `.gitignore` takes for a comment.
    """

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        self._spec = _spec(tuple(patterns))

    def match(self, name: str) -> bool:
        """Return whether a file is left out. `name` is relative to the folder that is read; that of a folder ends in `/`."""
        return self._spec is not None and self._spec.match_file(name)


def excluded(setting: str, beside: Iterable[str] | None) -> tuple[str, ...]:
    """Return the patterns of a setting, and those in addition to it."""
    return (*comma_separated(setting), *(beside or ()))


def check_patterns(value: str) -> str:
    """Return `value`, patterns with commas between them. Raises `ValueError` for one that can match nothing."""
    FilePatterns(comma_separated(value))
    return value


Patterns = Annotated[str, AfterValidator(check_patterns)]


def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec

    for pattern in patterns:
        try:
            found = GitIgnoreSpec.from_lines([pattern], backend="simple")
        except ValueError as error:
            raise ValueError(f"{pattern!r} is not a pattern of files: {error}") from None
        if all(part.include is None for part in found.patterns):
            raise ValueError(f"{pattern!r} is not a pattern of files: it matches none")
    return GitIgnoreSpec.from_lines(patterns, backend="simple")
