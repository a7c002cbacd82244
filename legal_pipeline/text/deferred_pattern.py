"""A regular expression that is compiled when it is first used.

The grammars of all countries and languages have thousands of patterns, which take seconds to compile; one text or query needs few of them.
Not here: the patterns.
"""

from __future__ import annotations

import functools
import re
import sys

from legal_pipeline.errors import ConfigurationError

#: Number of characters of a wrong pattern that its error shows.
_SHOWN = 200


class DeferredPattern:
    """The regular expression `pattern`, from the data of a country or language.

    Raises `ConfigurationError` when it is first used, if it is not a regular expression.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @functools.cached_property
    def _compiled(self) -> re.Pattern[str]:
        try:
            return re.compile(self.pattern)
        except re.error as error:
            shown = self.pattern[:_SHOWN]
            raise ConfigurationError(
                f"{shown!r} in the data of a country or language is not a regular expression: {error}"
            ) from error

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._compiled.match(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._compiled.search(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._compiled.fullmatch(text, start, end)
