"""The phrases that tell the parts of a judgment apart: lists per jurisdiction in TOML files beside this module.

Not here: how they are weighed (`roles`) and what becomes of them (`structure`).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from dataclasses import dataclass
from typing import Any

#: In the lists a space is any white space, and ` ?` is any or none.
_SPACE = re.compile(r" (\?)?")
REQUIRED, OPTIONAL = r"\s+", r"\s*"

#: Every role that a block of the body can have.
ROLES = ("background", "arguments", "issue", "motivation", "decision")

#: Lists that jurisdictions use beside the common one.
_FILES = {"in": ("common", "in"), "zw": ("common", "africa"), "za": ("common", "africa"), "us": ("common", "us")}


@dataclass(frozen=True)
class Cue:
    """A phrase and what it says: `weight` is a log-odds in favour of `role`."""

    role: str
    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Phrases:
    """Compiled lists of one jurisdiction. `headings` are matched against whole headings, cues anywhere in a block."""

    headings: tuple[tuple[str, re.Pattern[str]], ...]
    cues: tuple[Cue, ...]
    opinion_begins: re.Pattern[str]
    dissent: re.Pattern[str]
    judge_line: re.Pattern[str]
    body_begins: re.Pattern[str]
    headnote_begins: re.Pattern[str]
    appendix_begins: re.Pattern[str]

    def heading_role(self, text: str) -> str | None:
        """What a heading announces, or None for a heading of another kind."""
        bare = re.sub(r"^\W*(?:[IVXLC]+|\d{1,2}|[A-Z])[.)]\s+", "", text).strip(" .:-–—*_[]")
        return next((role for role, pattern in self.headings if pattern.fullmatch(bare)), None)


@functools.cache
def load_phrases(jurisdiction: str) -> Phrases:
    """The lists for `jurisdiction` (`in`, `zw`, …); one without a list of its own is read with the common one."""
    merged: dict[str, Any] = {}
    for name in _FILES.get(jurisdiction, ("common",)):
        _merge(
            merged, tomllib.loads(importlib.resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))
        )
    headings = tuple((role, _any(items)) for role, items in merged["headings"].items())
    cues = []
    for role, groups in merged["cues"].items():
        for group in groups:
            cues.append(Cue(role, float(group["weight"]), _any(group["phrases"], words=True)))
    lines = merged["lines"]
    return Phrases(
        headings,
        tuple(cues),
        opinion_begins=_any(lines["opinion_begins"], ignore_case=False),
        dissent=_any(lines["dissent"]),
        judge_line=_any(lines["judge_line"], ignore_case=False),
        body_begins=_any(lines["body_begins"]),
        headnote_begins=_any(lines["headnote_begins"]),
        appendix_begins=_any(lines.get("appendix_begins", [])),
    )


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = [*into.get(key, []), *value]


def _any(items: list[str], *, words: bool = False, ignore_case: bool = True) -> re.Pattern[str]:
    """One pattern for all phrases; a space stands for any white space, and nothing matches an empty list."""
    if not items:
        return re.compile(r"(?!)")
    body = "|".join(f"(?:{_SPACE.sub(lambda match: OPTIONAL if match[1] else REQUIRED, item)})" for item in items)
    return re.compile(rf"(?<!\w)(?:{body})" if words else f"(?:{body})", re.IGNORECASE if ignore_case else 0)
