"""Courts and headings of American opinions, read from `opinion_vocabulary.toml`.

Not here: reading an opinion (`usa.opinion_text`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.model.slug import slug
from legal_pipeline.system.data_files import data_file

#: Maximum length of the line with which a judge's opinion begins.
_OPENING_CHARS = 200
#: The number before a heading; a colon or the call of a footnote behind it.
_NUMBER = re.compile(r"^(?:[IVX]{1,5}|[A-Z]|\d{1,2})[.)]\s+|\s*[:*†]$")
#: A heading that announces no part: a mark alone, or a mark and a title of at most so many words, which does not end as a sentence.
_MARKED = re.compile(r"(?:[IVX]{1,5}|[A-H])(?:[.)]?|[.)]\s+[^\W\d_a-z].*[\w)?’'\"”])")
_MARKED_WORDS = 20


@dataclass(frozen=True)
class Court:
    code: str
    name: str
    doc_type: str


class OpinionVocabulary:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.courts = [
            (
                re.compile(row["pattern"]),
                Court(row.get("code", ""), row.get("name", ""), row.get("doc_type", "precedent_case")),
                row.get("circuit", False),
            )
            for row in data["courts"]
        ]
        self.circuits = [
            (re.compile(rf"FOR THE\s+({name})(?:\s+CIRCUIT)?", re.IGNORECASE), number)
            for name, number in data["circuits"].items()
        ]
        self.headings: list[tuple[re.Pattern[str], str]] = [
            (re.compile(row["pattern"], re.IGNORECASE), row["type"]) for row in data["headings"]
        ]
        self.openings: list[tuple[re.Pattern[str], str]] = [
            (re.compile(row["pattern"]), row["type"]) for row in data["openings"]
        ]

    def court(self, head: str) -> Court | None:
        """Return the court named first at the beginning of a text; a circuit has its number (`ca9`)."""
        found = [
            (match.start(), court if court.code else _named(match.group(), court), circuit)
            for pattern, court, circuit in self.courts
            if (match := pattern.search(head))
        ]
        if not found:
            return None
        _, court, circuit = min(found, key=lambda row: row[0])
        if circuit:
            for pattern, number in self.circuits:
                if match := pattern.search(head):
                    name = f"{court.name} for the {match.group(1).title()} Circuit"
                    return Court(f"{court.code}{number}", name, court.doc_type)
        return court

    def heading(self, line: str) -> str | None:
        """Return the node type of the text under the heading `line`; None if `line` is not a heading of an opinion."""
        words = _NUMBER.sub("", _NUMBER.sub("", line.strip()))
        if not words or len(words) > 120 or words[-1] in ".,;":
            return None
        upper = words.isupper()
        for pattern, node_type in self.headings:
            if pattern.fullmatch(words) or (upper and pattern.fullmatch(words.title())):
                return node_type if upper else None
        return None

    def is_marked(self, line: str) -> bool:
        """Whether `line` is a heading inside a part, "II" or "A. The claim against the harbor"; it may announce no part."""
        return len(line.split()) <= _MARKED_WORDS and _MARKED.fullmatch(line.strip()) is not None

    def opening(self, line: str) -> str | None:
        """Return the node type of the opinion that begins with `line`, such as "JUSTICE X, dissenting."; None if none begins."""
        if len(line) > _OPENING_CHARS:
            return None
        return next((node_type for pattern, node_type in self.openings if pattern.fullmatch(line)), None)


def _named(line: str, court: Court) -> Court:
    """Return the court of a state, whose name is the line itself."""
    name = " ".join(line.split()).removeprefix("IN THE ")
    return Court(slug(name), name, court.doc_type)


@functools.cache
def opinion_vocabulary() -> OpinionVocabulary:
    return OpinionVocabulary(data_file(__package__, "opinion_vocabulary.toml"))
