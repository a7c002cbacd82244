"""Changes between two expressions, as a sentence for lawyers: "2 kap. 3 § ändrad, 2 kap. 3 a § ny, 5 kap. upphävt".

The words come from the language's data (section `changes`). Not here: finding the changes (`model.diff`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.languages.language import language
from legal_pipeline.model.diff import Change, Diff
from legal_pipeline.model.wording import Key, Wording, normal_number, repeated_numbers

_FALLBACK = "eng"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def describe(diff: Diff, *, limit: int | None = None) -> str:
    """Return the changes of `diff` in the language of the work, in text order; `limit`: maximum number, then the number of further ones.

    A chapter that was added or removed as a whole is reported in place of its provisions. A parent is named only if numbers restart in
    each.
    """
    words = _words(diff.language)
    whole = {kind: _whole_structures(diff, kind) for kind in ("added", "removed")}
    reported = [change for change in diff.changes if not _is_reported_by_parent(change, whole)]
    citer = Citer(diff, words)
    phrases = [_phrase(change, citer, words) for change in reported[:limit]]
    if not phrases:
        return str(words["nothing"])
    if len(reported) > len(phrases):
        phrases.append(words["more"].format(count=len(reported) - len(phrases)))
    return str(words["join"]).join(phrases)


class Citer:
    """Cites a wording of either expression: `2 kap. 3 §`, or `57 a §` if section numbers do not restart."""

    def __init__(self, diff: Diff, words: Mapping[str, Any] | None = None) -> None:
        self._words = words or _words(diff.language)
        self._by_key: dict[Key, Wording] = {}
        for pair in diff.pairs:
            self._by_key |= {wording.key: wording for wording in (pair.before, pair.after) if wording is not None}
        self._ambiguous: set[tuple[str, str]] = set()
        self._restarting: set[str] = set()
        # each expression separately: a number that moved is in one place in each and is not ambiguous
        for side in ([pair.before for pair in diff.pairs], [pair.after for pair in diff.pairs]):
            repeated, restarting = repeated_numbers(wording for wording in side if wording is not None)
            self._ambiguous |= repeated
            self._restarting |= restarting

    def __call__(self, wording: Wording) -> str:
        own = self._own(wording)
        if wording.type not in self._restarting and (wording.type, normal_number(wording.num)) not in self._ambiguous:
            return own
        parent = self._by_key.get(wording.key[:-1])
        if parent is None or not parent.key:
            return own
        return str(self._words["within"].format(inner=own, outer=self(parent)))

    def _own(self, wording: Wording) -> str:
        cite = self._words["cite"].get(wording.type)
        if wording.num:
            return str(cite.format(num=wording.num)) if cite else f"{wording.type} {wording.num}"
        return wording.heading or str(self._words["unnumbered"].get(wording.type, wording.type))


def _phrase(change: Change, cite: Citer, words: Mapping[str, Any]) -> str:
    subject = change.subject
    form: str = change.kind
    if change.wording:
        form = f"{form}_wording"
    elif change.typographic:
        form = "typographic"
    elif form == "changed" and subject.is_structure:
        form = "heading"
    by_type = words["words"].get(subject.type, {})
    pattern: str = by_type.get(form) or words["words"][form]
    if form == "moved" and change.before is not None and cite(change.before) != cite(subject):
        pattern = words["words"]["renumbered"]
    phrase = pattern.format(cite=cite(subject), old=cite(change.before) if change.before else "")
    if change.kind in ("added", "changed") and subject.valid_from and _DATE.fullmatch(subject.valid_from):
        phrase = f"{phrase} {words['since'].format(date=subject.valid_from)}"
    return phrase


def _whole_structures(diff: Diff, kind: str) -> set[Key]:
    """Return the keys of structures that were added or removed together with every wording under them."""
    found = {
        change.subject.key
        for change in diff.changes
        if change.kind == kind and change.subject.is_structure and not change.wording
    }
    for pair in diff.pairs:
        here, there = (pair.after, pair.before) if kind == "added" else (pair.before, pair.after)
        if here is not None and there is not None and not there.repealed and not here.repealed:
            found.difference_update(here.key[:depth] for depth in range(1, len(here.key)))
    return found


def _is_reported_by_parent(change: Change, whole: dict[str, set[Key]]) -> bool:
    """Return whether a structure around the wording was added or removed as a whole."""
    key = (change.before or change.subject).key if change.kind == "removed" else change.subject.key
    return any(key[:depth] in whole.get(change.kind, ()) for depth in range(1, len(key)))


def _words(code: str) -> Mapping[str, Any]:
    """Return the words for changes in the language `code`; the English words if it has none."""
    return language(code).section("changes") or language(_FALLBACK).section("changes")
