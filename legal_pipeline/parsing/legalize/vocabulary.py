"""The words by which a country's statutes name their divisions, provisions and items, read from `vocabulary/<country>.toml`.

Not here: what is done with a line that matches (`legalize.markdown`).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

#: Heading marks of markdown and the emphasis that some exports put around a heading.
_MARKUP = re.compile(r"^#{1,6}\s+|\*\*|^__|__$")


@dataclass(frozen=True)
class Label:
    """A line that names a division or provision: its node type, how deep it stands (levels count from 0), number and heading."""

    type: str
    rank: int
    num: str | None
    heading: str | None


@dataclass(frozen=True)
class Vocabulary:
    country: str
    language: str
    jurisdiction: str
    ranks: Mapping[str, str]
    levels: tuple[tuple[str, re.Pattern[str]], ...]
    provisions: tuple[tuple[str, re.Pattern[str]], ...]
    items: tuple[re.Pattern[str], ...]
    paragraphs: re.Pattern[str] | None

    def level(self, line: str) -> Label | None:
        """The division that `line` opens: the whole line must be its name."""
        return self._label(self.levels, line)

    def provision(self, line: str) -> Label | None:
        return self._label(self.provisions, line)

    def _label(self, patterns: tuple[tuple[str, re.Pattern[str]], ...], line: str) -> Label | None:
        for rank, (node_type, pattern) in enumerate(patterns):
            if match := pattern.fullmatch(line):
                found = match.groupdict()
                num = found.get("num") or found.get("ordinal") or found.get("roman")
                heading = found.get("heading") or found.get("title")
                return Label(node_type, rank, num.strip() if num else None, heading.strip() if heading else None)
        return None


def plain(line: str) -> str:
    """`line` without heading marks and emphasis."""
    return _MARKUP.sub("", line.strip()).strip()


def countries() -> tuple[str, ...]:
    """Countries that have a vocabulary, sorted."""
    folder = importlib.resources.files(__package__).joinpath("vocabulary")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


@functools.cache
def vocabulary(country: str) -> Vocabulary | None:
    """The vocabulary of a country (ISO 3166, lower case), None where there is none."""
    if country not in countries():
        return None
    data = tomllib.loads(
        importlib.resources.files(__package__).joinpath("vocabulary", f"{country}.toml").read_text(encoding="utf-8")
    )

    def compiled(entries: list[dict[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((entry["type"], re.compile(entry["pattern"])) for entry in entries)

    paragraphs = data.get("paragraphs", {}).get("pattern")
    return Vocabulary(
        country=country,
        language=data["language"],
        jurisdiction=data["jurisdiction"],
        ranks=data.get("ranks", {}),
        levels=compiled(data["levels"]),
        provisions=compiled(data["provisions"]),
        items=tuple(re.compile(entry["pattern"]) for entry in data.get("items", [])),
        paragraphs=re.compile(paragraphs) if paragraphs else None,
    )
