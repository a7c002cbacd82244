"""Headings of parts, chapters and schedules: which labels are headings, and how the divisions lie within each other.

Not here: the provisions that stand in them (`recogniser.sequence`).
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import FAIR, HEADING_CHARS, STRONG, Label, is_heading_like
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, DIVISION_KINDS, PROVISION_KINDS

#: Node types of divisions.
NODE_TYPES = {
    "book": "book",
    "part": "part",
    "division": "division",
    "title": "title",
    "chapter": "chapter",
    "subdivision": "subchapter",
}
#: A division without the look of a heading is no longer than this.
_PLAIN_CHARS = 160


def division_labels(labels: Sequence[Label], blocks: Sequence[Block], provision_kind: str | None) -> list[Label]:
    """The labels that head a division or a schedule, in order; `provision_kind` is what the provisions are called."""
    found: list[Label] = []
    last: dict[str, Label] = {}
    for position, label in enumerate(labels):
        kind = division_kind(label, provision_kind)
        if kind is None or label.strength < FAIR:
            continue
        block = blocks[label.index]
        if len(block.text) > HEADING_CHARS and not block.level:
            continue
        is_followed = _is_followed(label, labels, position, blocks)
        if not is_heading_like(block) and not is_followed and not _reads_as_division(label, block, last.get(kind)):
            continue
        last[kind] = label
        found.append(label)
    return found


def division_kind(label: Label, provision_kind: str | None) -> str | None:
    """The kind of division or schedule that `label` can head, None for a provision and for a number alone."""
    if provision_kind in label.kinds:
        return None
    if closing := [kind for kind in CLOSING_KINDS if kind in label.kinds]:
        return closing[0]
    named = [kind for kind in DIVISION_KINDS if kind in label.kinds]
    if named:
        return named[0]
    # An article over sections, a section over articles.
    return "division" if any(kind in label.kinds for kind in PROVISION_KINDS) else None


def _reads_as_division(label: Label, block: Block, before: Label | None) -> bool:
    """Whether a block without any look of a heading heads a division: a sign parts its number from its words, nothing stands behind
    the number, or it is the next number of its kind."""
    text = block.text
    if text.endswith((";", ",", ":")) or (text.endswith(".") and len(text) > 100) or len(text) > _PLAIN_CHARS:
        return False
    if label.strength >= STRONG:
        return not text.endswith(".") or len(text) < 60
    value = label.number.value
    following = before is not None and label.number.key > before.number.key and value - before.number.value <= 3
    return (following or value <= 2) and not text.endswith(".")


def _is_followed(label: Label, labels: Sequence[Label], position: int, blocks: Sequence[Block]) -> bool:
    """Whether the next label stands right behind a short block: what heads provisions is followed by one."""
    text = blocks[label.index].text
    if len(text) > _PLAIN_CHARS or text.endswith((";", ",", ":", ".")):
        return False
    following = next((other for other in labels[position + 1 : position + 3] if other.index > label.index), None)
    return following is not None and following.strength >= FAIR and following.index <= label.index + 2


def is_closing(kind: str) -> bool:
    return kind in CLOSING_KINDS


def ranks(
    divisions: Sequence[tuple[Label, str]], blocks: Sequence[Block], provisions: Sequence[int]
) -> Mapping[str, int]:
    """How deep each kind of division lies, 0 for the outermost: by the levels of their headings where the format marks different
    ones, else by what stands directly below what and begins anew in what, else by the usual order of the words. `provisions` are the
    indices of the blocks that begin one."""
    kinds = list(dict.fromkeys(kind for _, kind in divisions))
    levels: dict[str, Counter[int]] = defaultdict(Counter)
    for label, kind in divisions:
        levels[kind][blocks[label.index].level] += 1
    usual = {kind: levels[kind].most_common(1)[0][0] for kind in kinds}
    if kinds and len(set(usual.values())) == len(kinds) and 0 not in usual.values():
        ordered = sorted(kinds, key=lambda kind: usual[kind])
        return {kind: index for index, kind in enumerate(ordered)}
    outside = _outside(divisions, provisions)
    ordered = sorted(kinds, key=DIVISION_KINDS.index)
    # A document that turns the usual order round says so; as many exchanges of neighbours as there are pairs are enough.
    for _ in ordered:
        for index in range(len(ordered) - 1):
            outer, inner = ordered[index], ordered[index + 1]
            if outside[inner, outer] > outside[outer, inner]:
                ordered[index], ordered[index + 1] = inner, outer
    return {kind: index for index, kind in enumerate(ordered)}


def _outside(divisions: Sequence[tuple[Label, str]], provisions: Sequence[int]) -> Counter[tuple[str, str]]:
    """(outer, inner) -> how often a heading of `inner` stands directly below one of `outer`, or its numbers begin anew in it."""
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
