"""Acts and cases in a country's data: by names (`works`), and by numbers that a pattern reads (`citations.numbers`).

A row of `numbers` has a `pattern` with named groups and the `work`, the form of the URI that is filled from them. MONTH in a pattern
matches any name of a month in `month_languages`; the group `month` becomes two digits, as `day` does. ORDINAL matches any ordinal of the
row's language `ordinals`; the group `ordinal` becomes its number. `values` translates the text of a group; in the URI a group is in lower
case and without accents. `work` is empty for numbers from which no URI can be made.
`kind` is "act" unless the row states "case". `supplements` is the URI of the work to which a protocol belongs: of "Article 8 and Article 1
of Protocol No. 1", Article 8 is an article of that work. Not here: the words around an Act (`from_data`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.model import Kind
from legal_pipeline.languages.language import language
from legal_pipeline.model.slug import slug
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.dates import months

#: A pattern that matches nothing.
NEVER = r"(?!)"

_GROUP = re.compile(r"\(\?P<(\w+)>")


@dataclass(frozen=True, slots=True)
class NumberedWork:
    """A form in which works are numbered: `pattern`, and the form of the URI made from its groups; None where no URI can be made."""

    pattern: str
    uri: Callable[[Mapping[str, str | None]], str | None]
    kind: Kind = "act"
    supplements: str | None = None


def numbered_works(country: Country) -> tuple[NumberedWork, ...]:
    """Return the rows of `citations.numbers`. Raises `KeyError` if a row lacks a group of its `work`, `re.error` for a bad pattern."""
    names: dict[str, str] = {}
    for code in country.section("citations").get("month_languages", ()):
        names |= months(code)
    return tuple(_numbered(row, names) for row in country.section("citations").get("numbers", ()))


def _numbered(row: Mapping[str, Any], names: Mapping[str, str]) -> NumberedWork:
    ordinals = language(row["ordinals"]).all_ordinals if "ordinals" in row else {}
    pattern: str = (
        row["pattern"]
        .replace("MONTH", rf"{any_of(either_case(names))}\.?")
        .replace("ORDINAL", any_of(either_case(ordinals)))
    )
    # An unknown group name fails here, when the country is loaded, and not while a document is read.
    row["work"].format(**re.compile(pattern).groupindex)
    values: Mapping[str, Mapping[str, str]] = row.get("values", {})

    def uri(groups: Mapping[str, str | None]) -> str | None:
        read = {}
        for name, value in groups.items():
            written = value or ""
            if name == "month":
                written = names.get(written.rstrip(".").lower(), written)
            if name == "ordinal" and written:
                written = str(ordinals[written.lower()])
            if name in ("day", "month"):
                written = written.zfill(2)
            read[name] = slug(values.get(name, {}).get(written, written))
        pieces = row["work"].format(**read).split("/") if row["work"] else ()
        return None if not pieces else "/" + "/".join(piece.strip("-") for piece in pieces if piece.strip("-"))

    return NumberedWork(pattern, uri, row.get("kind", "act"), row.get("supplements"))


def in_group(name: str, pattern: str) -> str:
    """Return `pattern` as the group `name`; its own groups get that name as a prefix, so that several patterns fit into one expression."""
    return rf"(?P<{name}>{_GROUP.sub(lambda group: f'(?P<{name}_{group[1]}>', pattern)})"


def without_groups(pattern: str) -> str:
    """Return `pattern` with unnamed groups, for a search that only finds where a citation may begin."""
    return _GROUP.sub("(?:", pattern)


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of `words`; without words, a pattern that matches nothing."""
    return f"(?:{alternation(words) or NEVER})"


def either_case(words: Iterable[str]) -> tuple[str, ...]:
    """Return `words` as given and with a capital, as at the start of a sentence."""
    listed = tuple(words)
    return (*listed, *(word.capitalize() for word in listed))
