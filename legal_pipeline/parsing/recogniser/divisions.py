"""Headings of parts, chapters and schedules: selects the labels that are headings, and orders the kinds of divisions by depth.

Not here: the provisions inside them (`recogniser.sequence`).
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from legal_pipeline.numbering.styles import SIGN
from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.headings import is_heading_like
from legal_pipeline.parsing.recogniser.labels import (
    FAIR,
    STRONG,
    Divisions,
    Label,
    Labels,
)
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, DIVISION_KINDS, PROVISION_KINDS, Words

#: Node types of divisions.
NODE_TYPES = {
    "book": "book",
    "part": "part",
    "division": "division",
    "title": "title",
    "chapter": "chapter",
    "subdivision": "subchapter",
}
#: With more kinds than this, only their usual order is used.
_ORDERED_KINDS = 6
#: Maximum length of the heading of a division that does not look like a heading, in characters.
_PLAIN_CHARS = 160
#: The same, if its number is the next of its kind.
_LONG_CHARS = 400
#: "chapitre P-38.9, r. 2", "CHAPTER L.7": the number of a law in a collection of laws.
_NUMBER_OF_LAW = re.compile(r"\W*[^\W\d_]+ [A-Z]{1,2}[-.]\d+(?:\.\d+)*(?:, ?[^\W\d_]\. ?\d+(?:\.\d+)*)?\W*\Z")
_ABBREVIATION = re.compile(r"[^\W\d_]{1,4}\.\s?\d")
_DASHES = ("-", "–", "—")
#: A heading may end with an abbreviation: "Commencement etc.", "Ikrafttræden m.v."
ABBREVIATED = re.compile(r"(?<![^\W\d_])(?:(?:[^\W\d_]\.\s?){2,}|etc\.)$")


def division_labels(labels: Labels, blocks: Blocks, provision_kind: str | None) -> list[Label]:
    """Return the labels that head a division or a schedule, in order; `provision_kind` is the kind of the provisions."""
    found: list[Label] = []
    last: dict[str, Label] = {}
    for position, label in enumerate(labels):
        kind = division_kind(label, provision_kind)
        if kind is None or label.strength < FAIR:
            continue
        block = blocks[label.index]
        if label.is_provision and (_ABBREVIATION.match(block.text) or block.text[0].islower()):
            continue  # "S. 12 in force from 1 May" is a note on section 12, "section 12." an item of a list
        if not found and _numbers_the_law(label, labels, blocks):
            continue
        before = last.get(kind)
        if not block.is_styled and _is_item(labels, position):
            continue  # "2. cím" between "1. név" and "3. adószám"
        if not block.is_styled and SIGN in block.text[: label.end] and _is_among_its_kind(labels, position):
            continue  # "§ 2. The keeper pays." is a paragraph of an article
        if (
            not is_heading_like(block)
            and not _is_followed(label, labels, position, blocks, before)
            and not _reads_as_division(label, block, before)
        ):
            continue
        last[kind] = label
        found.append(label)
    return found


def without_other_kinds(labels: Labels) -> list[Label]:
    """Return `labels`, in which a word with two meanings (a provision in some countries, a division in others) means a division only.

    This is done for a kind of provisions if more labels have a word that means nothing else, if these have all numbers of the labels with
    the word of two meanings too (not so for "SECTION 1." before "SEC. 2."), and if the latter are alone on their lines."""
    names: set[str] = set()
    for kind in PROVISION_KINDS:
        named = [label for label in labels if kind in label.kinds and label.strength >= FAIR]
        sure = [label.number.place for label in named if _is_sure(label)]
        unsure = [label for label in named if not _is_sure(label)]
        if len(sure) > len(unsure) > 0 and all(label.alone and label.number.place in sure for label in unsure):
            names.add(kind)
    return [
        label
        if _is_sure(label)
        else dataclasses.replace(label, kinds=tuple(kind for kind in label.kinds if kind not in names))
        for label in labels
    ]


def _is_sure(label: Label) -> bool:
    """Whether the word of a label names nothing but provisions."""
    return set(label.kinds) <= set(PROVISION_KINDS)


def _numbers_the_law(label: Label, labels: Labels, blocks: Blocks) -> bool:
    """Whether the block is the number of the whole law in a collection, and no other of its kind has such a number."""
    alike = [other for other in labels if other.kinds == label.kinds and _NUMBER_OF_LAW.match(blocks[other.index].text)]
    return len(alike) == 1 and alike[0].index == label.index


def _is_among_its_kind(labels: Labels, position: int) -> bool:
    """Whether the block directly before or after that of the label begins with a label of the same kind."""
    label = labels[position]
    near = labels[max(position - 2, 0) : position + 3]
    return any(other.kinds == label.kinds and abs(other.index - label.index) == 1 for other in near)


def _is_item(labels: Labels, position: int) -> bool:
    """Whether the block of a label whose number is before its word is an item of a list: the block directly before or after it begins
    with the number before or after, and no word."""
    label = labels[position]
    if not label.style.startswith("behind") or label.number.series:
        return False
    near = [other for other in labels[max(position - 3, 0) : position + 4] if abs(other.index - label.index) == 1]
    worded = {other.index for other in near if other.kinds}
    bare = [other for other in near if not other.kinds and other.index not in worded]
    return any(
        label.number.follows(other.number) == 0
        if other.index < label.index
        else other.number.follows(label.number) == 0
        for other in bare
    )


def division_kind(label: Label, provision_kind: str | None) -> str | None:
    """Return the kind of division or schedule that `label` can head, None for a provision and for a number without a word."""
    if provision_kind in label.kinds:
        return None
    if closing := [kind for kind in CLOSING_KINDS if kind in label.kinds]:
        return closing[0]
    named = [kind for kind in DIVISION_KINDS if kind in label.kinds]
    if named:
        return named[0]
    # An article above sections, or a section above articles.
    return label.kinds[0] if label.is_provision else None


def _reads_as_division(label: Label, block: Block, before: Label | None) -> bool:
    """Whether a block that does not look like a heading heads a division.

    It must be short and not end as a sentence, and its label must be strong, or its number must follow `before` or be one of the first
    two. A dash after the label is enough.
    """
    text = block.text
    most = _LONG_CHARS if label.strength >= STRONG and _is_next(label, before) else _PLAIN_CHARS
    if text.endswith((";", ",", ":")) or len(text) > most:
        return False
    if text[: label.end].rstrip().endswith(_DASHES):  # "Section II. - The organs."
        return True
    ends = text.endswith(".") and not ABBREVIATED.search(text)
    if label.strength >= STRONG:
        return not ends or (len(text) < 60 and (SIGN not in text[: label.end] or _is_next(label, before)))
    value = label.number.value
    following = before is not None and label.number.key > before.number.key and value - before.number.value <= 3
    return (following or value <= 2) and not ends


def _is_followed(label: Label, labels: Labels, position: int, blocks: Blocks, before: Label | None) -> bool:
    """Whether the block is directly above another label and does not end as a sentence: then it heads provisions.

    A heading whose number follows `before`, the last of its kind, may be long, because the text of a provision ends as a sentence.
    """
    text = blocks[label.index].text
    following = next((other for other in labels[position + 1 : position + 3] if other.index > label.index), None)
    if text.endswith((";", ":", ".")) or following is None or following.strength < FAIR:
        return False
    if _is_next(label, before) and following.index == label.index + 1 and len(text) <= _LONG_CHARS:
        return True
    return len(text) <= _PLAIN_CHARS and not text.endswith(",") and following.index <= label.index + 2


def _is_next(label: Label, before: Label | None) -> bool:
    return label.number.is_first if before is None else label.number.follows(before.number) == 0


def without_repeated(
    divisions: Divisions, contents: Sequence[tuple[int, int]], provisions: Sequence[int]
) -> list[tuple[Label, str]]:
    """Return `divisions` without those that are repeated behind a table of contents, with no provision before it: "CHAPTER 45", contents,
    "CHAPTER 45". `provisions` are the indices of the first blocks of provisions, in order."""
    left: list[tuple[Label, str]] = []
    for (label, kind), following in itertools.zip_longest(divisions, divisions[1:]):
        if following is not None and following[1] == kind and following[0].number == label.number:
            between = range(label.index, following[0].index)
            is_empty = bisect.bisect(provisions, between.start) == bisect.bisect(provisions, between.stop)
            if is_empty and any(start in between for start, _ in contents):
                continue
        left.append((label, kind))
    return left


def without_counted(labels: Labels, words: Words) -> list[Label]:
    """Return `labels` without schedules whose number is that of a section: "3 Schedules" behind "2 Commencement" is section 3.

    In a language that prints the number of a schedule before the word, the label is kept.
    """
    found: list[Label] = []
    section: Label | None = None  # the last number without a word
    for label, following in itertools.zip_longest(labels, labels[1:]):
        if label.kinds:
            is_schedule = label.style.startswith("behind") and not set(label.kinds).isdisjoint(CLOSING_KINDS)
            is_counted = following is not None and following.index == label.index and not following.kinds
            follows = section is not None and label.number.follows(section.number) == 0
            if is_schedule and is_counted and follows and words.number_first.isdisjoint(label.kinds):
                continue
        elif not found or found[-1].index != label.index:
            section = label
        found.append(label)
    return found


def ranks(divisions: Divisions, blocks: Blocks, provisions: Sequence[int]) -> Mapping[str, int]:
    """Return the depth of each kind of division, 0 for the outermost.

    If the format gives each kind a heading level of its own, the levels decide. Otherwise a kind is inside another if it comes directly
    below it and begins its numbers anew there; then the kind that begins first is outside; then the usual order of the words decides.
    `provisions` holds the indices of the blocks that begin a provision.
    """
    kinds = list(dict.fromkeys(kind for _, kind in divisions))
    levels: dict[str, Counter[int]] = defaultdict(Counter)
    for label, kind in divisions:
        levels[kind][blocks[label.index].level] += 1
    usual = {kind: levels[kind].most_common(1)[0][0] for kind in kinds}
    if kinds and len(set(usual.values())) == len(kinds) and 0 not in usual.values():
        ordered = sorted(kinds, key=lambda kind: usual[kind])
        return {kind: index for index, kind in enumerate(ordered)}
    outside = _outside(divisions, provisions)
    first = _begins_inside(divisions)
    # Headings with a number alone are inside those with a word and a number.
    usually = sorted(kinds, key=_usual_place)
    # `max` returns the first of the best orders, which is nearest to the usual one; six kinds have 720 orders.
    orders: Iterable[tuple[str, ...]] = [tuple(usually)]
    if len(usually) <= _ORDERED_KINDS:
        orders = itertools.permutations(usually)
    best = max(
        orders,
        key=lambda order: tuple(
            sum(found[pair] for pair in itertools.combinations(order, 2)) for found in (outside, first)
        ),
    )
    return {kind: index for index, kind in enumerate(best)}


def _usual_place(kind: str) -> int:
    if kind in PROVISION_KINDS:  # an article above sections
        return DIVISION_KINDS.index("division")
    return DIVISION_KINDS.index(kind) if kind in DIVISION_KINDS else len(DIVISION_KINDS)


def _begins_inside(divisions: Divisions) -> Counter[tuple[str, str]]:
    """Return (outer, inner) -> 1 if `inner` begins, with its first number, after `outer`: the outermost kind begins the document."""
    found: Counter[tuple[str, str]] = Counter()
    seen: dict[str, None] = {}
    for label, kind in divisions:
        if kind not in seen:
            found.update((other, kind) for other in seen if label.number.is_first)
            seen[kind] = None
    return found


def _outside(divisions: Divisions, provisions: Sequence[int]) -> Counter[tuple[str, str]]:
    """Return (outer, inner) -> how often a heading of `inner` is directly below one of `outer`, or its numbers restart in it."""
    found: Counter[tuple[str, str]] = Counter()
    seen: dict[str, int] = {}
    before: tuple[Label, str] | None = None
    for position, (label, kind) in enumerate(divisions):
        if before is not None and before[1] != kind:
            first = bisect.bisect_right(provisions, before[0].index)
            if first == len(provisions) or provisions[first] > label.index:
                found[before[1], kind] += 1
        if kind in seen and label.number.is_first:
            found.update((other, kind) for other, place in seen.items() if place > seen[kind])
        seen[kind] = position
        before = label, kind
    return found
