"""The work of a provision that a sentence cites without one: the work named before them, or the one behind the next provision.

Not here: how mentions are found (`from_data`), and what stands in the citing document (`resolve`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from legal_pipeline.citations.mention import UNSAID, Mention, Work, known

#: Kinds of provision of which a work has one; its chapters and schedules stand beside them.
_MAIN_KINDS = frozenset({"sec", "art", "rule", "reg"})
#: In characters. Without a bound, thousands of numbers in one line would each be compared with all of it.
_LONGEST = 2_000
#: Where a sentence may end: a full stop before a capital, unless the word before it is an abbreviation.
_MAY_END = re.compile(r"(?P<word>[^\W\d_][\w.]*)?(?:[.!?][”»\")\]]*\s+(?=[^\W\d_])|\n)")


@dataclass(frozen=True, slots=True)
class SentenceRules:
    """What of a country's data says how sentences name works."""

    #: Words whose full stop ends no sentence.
    abbreviations: frozenset[str]
    #: What says that a provision is of something; then it is not of the work named before.
    of_something: re.Pattern[str]
    #: The kind of provision that a work has whose provisions have not been cited: the country's first.
    first_kind: str
    #: Beginnings of the eids of provisions that are of the Act last named in the sentence.
    of_last: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Last:
    """The work last named, None for one that is not known; the kind of provision that it was cited by, and where."""

    uri: str | None
    kind: str
    end: int


def with_unsaid_works(found: Iterable[Mention], text: str, rules: SentenceRules) -> Iterator[Mention]:
    """The mentions `found` in `text`, those of no named work with the work that their sentence names.

    That is the one named before ("§ 823 BGB … § 826"), or else the one of the next provision ("§ 823 Abs. 1 neben § 826 BGB").
    """
    last: _Last | None = None
    waiting: list[Mention] = []
    for mention in found:
        if mention.work == UNSAID:
            mention = _of_last(mention, last, rules, text)
        if waiting and not _continues(waiting[-1], mention, rules, text):
            yield from _released(waiting)
        if mention.work == UNSAID and _may_wait(mention, last, rules, text):
            waiting.append(mention)
            continue
        if waiting and mention.kind == "case":
            waiting.append(mention)
            continue
        if waiting:
            yield from _released(waiting, mention)
        if mention.work.by in ("uri", "own") and mention.kind != "case":
            kind = _kind(mention)
            last = _Last(mention.work.uri, kind if kind in _MAIN_KINDS else rules.first_kind, mention.end)
        yield mention
    yield from waiting


def _kind(mention: Mention) -> str:
    return mention.eids[0].partition("_")[0] if mention.eids else ""


def _of_last(mention: Mention, last: _Last | None, rules: SentenceRules, text: str) -> Mention:
    """A provision of no named work: outside of a document it is of the work that the sentence has named; a recital is so anywhere."""
    if last is None or last.uri is None or rules.of_something.match(text, mention.end):
        return mention
    if _ends_sentence(rules.abbreviations, text, last.end, mention.start):
        return mention
    if mention.eids[0].startswith(rules.of_last):
        return replace(mention, work=known(last.uri))
    return (
        replace(mention, work=Work("unsaid", last.uri)) if _kind(mention) not in _MAIN_KINDS - {last.kind} else mention
    )


def _may_wait(mention: Mention, last: _Last | None, rules: SentenceRules, text: str) -> bool:
    """Whether the work of a provision may stand behind the next one: its sentence has named none for its kind before it."""
    if _kind(mention) not in _MAIN_KINDS or rules.of_something.match(text, mention.end):
        return False
    return (
        last is None
        or last.kind != _kind(mention)
        or _ends_sentence(rules.abbreviations, text, last.end, mention.start)
    )


def _continues(before: Mention, mention: Mention, rules: SentenceRules, text: str) -> bool:
    is_other = mention.kind != "case" and _kind(mention) != _kind(before) and before.kind != "case"
    return not is_other and not _ends_sentence(rules.abbreviations, text, before.end, mention.start)


def _released(waiting: list[Mention], next_one: Mention | None = None) -> Iterator[Mention]:
    """The mentions of `waiting`, which is empty afterwards, as provisions of the work of `next_one` where that has a known one."""
    uri = next_one.work.uri if next_one is not None and next_one.work.by == "uri" else None
    for mention in waiting:
        is_alike = uri and next_one is not None and mention.work == UNSAID and _kind(mention) == _kind(next_one)
        yield replace(mention, work=Work("unsaid", uri)) if is_alike else mention
    waiting.clear()


def _ends_sentence(abbreviations: frozenset[str], text: str, start: int, end: int) -> bool:
    """Whether a sentence ends in `text[start:end]`. What is further away than a sentence is long counts as another one."""
    if end - start > _LONGEST:
        return True
    for match in _MAY_END.finditer(text, start, end):
        word = match["word"] or ""
        if match[0][-1] == "\n" or (
            text[match.end()].isupper() and len(word) != 1 and word.lower() not in abbreviations
        ):
            return True
    return False
