"""The work of a provision cited without a work: the work named before in the sentence, or the work after the next provision.

Not here: finding mentions (`from_data`), and the contents of the citing document (`resolve`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from legal_pipeline.citations.mention import SECTION, UNSAID, Mention, Work, known

#: Main kinds of provision: a work has only one of them. Its chapters and schedules may be cited too.
_MAIN_KINDS = frozenset({"sec", "art", "rule", "reg"})
#: Longest sentence in characters. Without a limit, thousands of numbers in one line would each be compared with the whole line.
_LONGEST = 2_000
#: A possible end of a sentence: a full stop before a capital, unless the word before it is an abbreviation.
_MAY_END = re.compile(r"(?P<word>[^\W\d_][\w.]*)?(?:[.!?][”»\")\]]*\s+(?=[^\W\d_])|\n)")


@dataclass(frozen=True, slots=True)
class SentenceRules:
    """The parts of a country's data that describe how sentences name works."""

    #: Words whose full stop does not end a sentence.
    abbreviations: frozenset[str]
    #: Words after a provision that name what it belongs to; then it is not of the work named before.
    of_something: re.Pattern[str]
    #: The kind of provision assumed for a work named without a provision: the country's first kind.
    first_kind: str
    #: Beginnings of eids of provisions that belong to the Act last named in the sentence.
    of_last: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Last:
    """The work named last (`uri` None for an unknown work), the kind of provision that it was cited by, and the position."""

    uri: str | None
    kind: str
    end: int


def with_unsaid_works(found: Iterable[Mention], text: str, rules: SentenceRules) -> Iterator[Mention]:
    """Yield the mentions `found` in `text`; a provision without a named work gets the work that its sentence names.

    That is the work named before ("§ 823 BGB … § 826"), or else the work of the next provision ("§ 823 Abs. 1 neben § 826 BGB").
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
        if waiting and _is_aside(mention):
            waiting.append(mention)
            continue
        if waiting:
            yield from _released(waiting, mention)
        if mention.work.by in ("uri", "own") and mention.kind != "case":
            kind = _kind(mention)
            last = _Last(mention.work.uri, kind if kind in _MAIN_KINDS else rules.first_kind, mention.end)
        yield mention
    yield from waiting


def _is_aside(mention: Mention) -> bool:
    """Whether a mention says nothing about the work of the provisions around it: a case, or a level of the citing provision."""
    return mention.kind == "case" or mention.work == SECTION


def _kind(mention: Mention) -> str:
    return mention.eids[0].partition("_")[0] if mention.eids else ""


def _of_last(mention: Mention, last: _Last | None, rules: SentenceRules, text: str) -> Mention:
    """Give a provision the work named before in its sentence: as a default outside documents, for a recital in documents too."""
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
    """Whether the work of a provision may follow the next provision: its sentence has named no work for its kind before."""
    if _kind(mention) not in _MAIN_KINDS or rules.of_something.match(text, mention.end):
        return False
    return (
        last is None
        or last.kind != _kind(mention)
        or _ends_sentence(rules.abbreviations, text, last.end, mention.start)
    )


def _continues(before: Mention, mention: Mention, rules: SentenceRules, text: str) -> bool:
    is_other = _kind(mention) != _kind(before) and not _is_aside(mention) and not _is_aside(before)
    return not is_other and not _ends_sentence(rules.abbreviations, text, before.end, mention.start)


def _released(waiting: list[Mention], next_one: Mention | None = None) -> Iterator[Mention]:
    """Yield and clear the mentions of `waiting`, as provisions of the work of `next_one` if that work is known."""
    uri = next_one.work.uri if next_one is not None and next_one.work.by == "uri" else None
    for mention in waiting:
        is_alike = uri and next_one is not None and mention.work == UNSAID and _kind(mention) == _kind(next_one)
        yield replace(mention, work=Work("unsaid", uri)) if is_alike else mention
    waiting.clear()


def _ends_sentence(abbreviations: frozenset[str], text: str, start: int, end: int) -> bool:
    """Whether a sentence ends in `text[start:end]`. A distance greater than the longest sentence counts as a sentence end."""
    if end - start > _LONGEST:
        return True
    for match in _MAY_END.finditer(text, start, end):
        word = match["word"] or ""
        if match[0][-1] == "\n" or (
            text[match.end()].isupper() and len(word) != 1 and word.lower() not in abbreviations
        ):
            return True
    return False
