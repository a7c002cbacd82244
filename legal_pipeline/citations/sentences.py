"""The work of a provision cited without a work: the work named before in the sentence, or the work after the next provision.

Not here: finding mentions (`from_data`), and the contents of the citing document (`resolve`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from legal_pipeline.citations.mention import UNKNOWN, Mention, Work
from legal_pipeline.languages.language import language

#: Main kinds of provision: a work has only one of them. Its chapters and schedules may be cited too.
_MAIN_KINDS = frozenset({"sec", "art", "rule", "reg"})
#: How a work is named that provisions after it may belong to.
_NAMED = frozenset({"uri", "own", "short", "earlier"})
#: Longest sentence in characters. Without a limit, thousands of numbers in one line would each be compared with the whole line.
_LONGEST = 2_000
#: Number of characters before a provision in which another work is looked for.
_LONGEST_CLAUSE = 300
#: A provision with at most one word before its number, and a work after it.
_WORK_BEHIND = re.compile(r"(?:[^\W\d]{1,9}\.?|§{1,2})? ?\d\S*(?: \S+)*? [^\W\d]{2}")
_WITH_CHAPTER = re.compile(r"\d[a-z]?:\d")
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
    of_last: tuple[str, ...] = ()
    #: Words that name a work of which a scanner makes no mention; the work named before does not go on after them.
    other_work: re.Pattern[str] | None = None
    #: Words that join a provision to the next one as an entry of a list; then both are of the work that follows the list.
    list_joins: re.Pattern[str] = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class _Last:
    """The work named last, known or not, the kind of provision that it was cited by, and the position."""

    work: Work
    kind: str
    end: int
    #: Whether it was cited by a section alone: a work whose sections are counted by chapters is not.
    has_no_chapters: bool = False


def abbreviations(codes: Sequence[str]) -> frozenset[str]:
    """Return the abbreviations of languages, without their full stop, in lower case."""
    groups = (group for code in codes for group in language(code).section("abbreviations").values())
    return frozenset(word.rstrip(".").lower() for group in groups for word in group)


def with_unsaid_works(found: Iterable[Mention], text: str, rules: SentenceRules) -> Iterator[Mention]:
    """Yield the mentions `found` in `text`; a provision without a named work gets the work that its sentence names.

    That is the work named before ("§ 823 BGB … § 826"), or else the work of the next provision ("§ 823 Abs. 1 neben § 826 BGB"). For an
    entry of a list it is the work after the list ("s. 4 of the Land Act and s. 3 or, alternatively, s. 2 of the Sale Act").
    """
    last: _Last | None = None
    waiting: list[Mention] = []
    for mention in found:
        was_open = _is_open(mention)
        if was_open:
            mention = _of_last(mention, last, rules, text)
        if waiting and not _continues(waiting[-1], mention, rules, text):
            yield from _released(waiting)
        if (was_open and _may_wait(mention, last, rules, text)) or (waiting and _is_aside(mention)):
            waiting.append(mention)
            continue
        if waiting:
            yield from _released(waiting, mention, _listed_with(mention, waiting, rules, text))
        if mention.work.by in _NAMED and mention.kind != "case":
            kind = _kind(mention)
            last = _Last(
                mention.work.main, kind if kind in _MAIN_KINDS else rules.first_kind, mention.end, kind == "sec"
            )
        yield mention
    yield from waiting


def _is_open(mention: Mention) -> bool:
    """Whether the mention names no work, and none is its default."""
    is_unsaid = mention.work.by in ("unsaid", "bare") and mention.work.uri is None and mention.work.before is None
    return is_unsaid and not mention.may_be_exhibit


def _is_aside(mention: Mention) -> bool:
    """Whether a mention says nothing about the work of the provisions around it: a case, or a level of the citing provision."""
    return mention.kind == "case" or mention.work.by == "section"


def _kind(mention: Mention) -> str:
    return mention.eids[0].partition("_")[0] if mention.eids else ""


def _of_last(mention: Mention, last: _Last | None, rules: SentenceRules, text: str) -> Mention:
    """Give a provision the work named before in its sentence: as a default outside documents, for a recital in documents too."""
    if rules.other_work is not None and _names_another(text, last, mention, rules, rules.other_work):
        return replace(mention, work=replace(mention.work, before=UNKNOWN))
    if of := rules.of_something.match(text, mention.end):
        # "Article 5 of Protocol (No 2)": a name, if a word with a capital follows
        is_named = last is not None and text[of.end() : of.end() + 1].isupper()
        return replace(mention, work=replace(mention.work, before=UNKNOWN)) if is_named else mention
    if last is None or last.work == UNKNOWN or last.work.by == "own":
        return mention
    if _ends_sentence(rules.abbreviations, text, last.end, mention.start):
        return mention
    if last.has_no_chapters and _kind(mention) == "chp":
        return mention
    if mention.eids[0].startswith(rules.of_last):
        return replace(mention, work=last.work)
    if _kind(mention) in _MAIN_KINDS - {last.kind}:
        return mention
    return replace(mention, work=mention.work.near(last.work))


def _names_another(
    text: str, last: _Last | None, mention: Mention, rules: SentenceRules, other_work: re.Pattern[str]
) -> bool:
    """Whether the sentence names a work after `last` that the grammar does not know."""
    start = max(last.end if last is not None else 0, mention.start - _LONGEST_CLAUSE)
    names = other_work.finditer(text, start, mention.start)
    return any(not _ends_sentence(rules.abbreviations, text, name.end(), mention.start) for name in names)


def _may_wait(mention: Mention, last: _Last | None, rules: SentenceRules, text: str) -> bool:
    """Whether the work of a provision may follow the next provision: it is in a list, or its sentence has named no work for its kind
    before."""
    if not _is_open(mention):
        return rules.list_joins.match(text, mention.end) is not None
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


def _released(waiting: list[Mention], next_one: Mention | None = None, listed: int = 0) -> Iterator[Mention]:
    """Yield and clear the mentions of `waiting`, as provisions of the work of `next_one` if that work is known: those without a work, and
    the last `listed`."""
    uri = next_one.work.main.uri if next_one is not None and next_one.work.by == "uri" else None
    for left, mention in zip(range(len(waiting), 0, -1), waiting, strict=True):
        is_alike = uri and next_one is not None and _kind(mention) == _kind(next_one)
        is_of_next = is_alike and next_one is not None and (_is_open(mention) or left <= listed)
        yield (replace(mention, work=replace(mention.work, uri=uri, before=None)) if is_of_next else mention)
    waiting.clear()


def _listed_with(mention: Mention, waiting: Sequence[Mention], rules: SentenceRules, text: str) -> int:
    """Return how many of the last mentions of `waiting` are in a list that ends with `mention`, which has its work behind it."""
    if _WORK_BEHIND.match(mention.raw) is None:
        return 0
    pairs = zip(reversed(waiting), (mention, *reversed(waiting)), strict=False)
    joined = (
        counts_by_chapters(before.raw) == counts_by_chapters(mention.raw)
        and rules.list_joins.fullmatch(text, before.end, after.start) is not None
        for before, after in pairs
    )
    return sum(itertools.takewhile(bool, joined))


def counts_by_chapters(words: str) -> bool:
    """Whether `words` have a number with that of its book or chapter before a colon ("8:75"), as all provisions of its work have then."""
    return _WITH_CHAPTER.search(words) is not None


def paragraph_start(text: str, position: int) -> int:
    """Return the offset where the line that contains `position` begins."""
    return text.rfind("\n", 0, position) + 1


def sentence_start(rules: SentenceRules, text: str, position: int) -> int:
    """Return the offset where the sentence that contains `position` begins, or one after which no sentence ends before `position`."""
    start = max(paragraph_start(text, position), position - _LONGEST)
    for match in _MAY_END.finditer(text, start, position):
        if _ends_sentence(rules.abbreviations, text, match.start(), match.end() + 1):
            start = match.end()
    return start


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
