"""The words with which a country's statutes name their divisions, provisions and items, from the section `legalize` of its data.

Not here: the use of a matching line (`legalize.markdown`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.jurisdictions.jurisdiction import countries as known_countries

#: Heading marks of markdown and the emphasis that some exports put around a heading.
_MARKUP = re.compile(r"^#{1,6}\s+|\*\*|^__|__$")


@dataclass(frozen=True)
class Label:
    """A line that names a division or provision: its node type, its depth (from 0), number and heading."""

    type: str
    rank: int
    num: str | None
    heading: str | None


@dataclass(frozen=True)
class Vocabulary:
    language: str
    jurisdiction: str
    ranks: Mapping[str, str]
    levels: tuple[tuple[str, re.Pattern[str]], ...]
    provisions: tuple[tuple[str, re.Pattern[str]], ...]
    items: tuple[re.Pattern[str], ...]
    paragraphs: re.Pattern[str] | None

    def level(self, line: str) -> Label | None:
        """Return the division that `line` opens: the whole line must match."""
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
    """Return `line` without heading marks and emphasis."""
    return _MARKUP.sub("", line.strip()).strip()


def countries() -> tuple[str, ...]:
    """Return the codes of the countries that have a vocabulary, sorted."""
    return tuple(country.code for country in known_countries() if country.section("legalize"))


def vocabulary(code: str) -> Vocabulary | None:
    """Return the vocabulary of a country (ISO 3166, lower case), None without a vocabulary."""
    return _vocabulary(jurisdiction(code))


@functools.cache
def _vocabulary(country: Jurisdiction) -> Vocabulary | None:
    data = country.section("legalize")
    if not data:
        return None

    number = data.get("number", "")

    def compiled(entries: list[dict[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((entry["type"], re.compile(entry["pattern"].replace("{number}", number))) for entry in entries)

    paragraphs = data.get("paragraphs", {}).get("pattern")
    return Vocabulary(
        language=data["language"],
        jurisdiction=country.code,
        ranks=data.get("ranks", {}),
        levels=compiled(data["levels"]),
        provisions=compiled(data["provisions"]),
        items=tuple(re.compile(entry["pattern"]) for entry in data.get("items", [])),
        paragraphs=re.compile(paragraphs) if paragraphs else None,
    )
