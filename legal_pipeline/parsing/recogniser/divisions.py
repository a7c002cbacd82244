"""Headings of parts, chapters and schedules: which labels are headings, and how the divisions lie within each other.

Not here: the provisions that stand in them (`recogniser.sequence`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import FAIR, HEADING_CHARS, STRONG, Label, is_heading_like
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS

#: From the outermost in, where the document does not say otherwise.
_RANKS = (
    "book",
    "part",
    "title",
    "subtitle",
    "division",
    "chapter",
    "section",
    "subchapter",
    "subpart",
    "subsection",
    "article",
    "paragraph",
)
#: Node types of divisions; what provisions are called is a division here.
NODE_TYPES = {"book": "book", "part": "part", "title": "title", "subtitle": "subchapter", "division": "division", "chapter": "chapter",
              "section": "subchapter", "subchapter": "subchapter", "subpart": "subpart", "subsection": "subpart",
              "article": "division", "paragraph": "subpart"}  # fmt: skip
#: A division without the look of a heading is no longer than this.
_PLAIN_CHARS = 160


def division_labels(labels: Sequence[Label], blocks: Sequence[Block], provision_kind: str | None) -> list[Label]:
    """The labels that head a division or a schedule, in order; `provision_kind` is what the provisions are called."""
    found: list[Label] = []
    last: dict[str, Label] = {}
    for label in labels:
        kind = division_kind(label, provision_kind)
        if kind is None or label.strength < FAIR:
            continue
        block = blocks[label.index]
        if len(block.text) > HEADING_CHARS and not block.level:
            continue
        if not is_heading_like(block) and not _reads_as_division(label, block, last.get(kind)):
            continue
        last[kind] = label
        found.append(label)
    return found


def division_kind(label: Label, provision_kind: str | None) -> str | None:
    """The kind of division that `label` can head, None for a provision and for a number alone."""
    kinds = [kind for kind in label.kinds if kind != provision_kind]
    return kinds[0] if kinds and provision_kind not in label.kinds else None


def _reads_as_division(label: Label, block: Block, before: Label | None) -> bool:
    """Whether a block without any look of a heading heads a division: a sign parts its number from its words, nothing stands behind
    the number, or it is the next number of its kind."""
    text = block.text
    if text.endswith((";", ",", ":")) or (text.endswith(".") and len(text) > 100) or len(text) > _PLAIN_CHARS:
        return False
    if label.strength >= STRONG:
        return not text.endswith(".") or len(text) < 60
    value = label.number.value
    following = before is not None and 0 < value - before.number.value <= 3
    return (following or value <= 2) and not text.endswith(".")


def is_closing(kind: str) -> bool:
    return kind in CLOSING_KINDS


def ranks(divisions: Sequence[tuple[Label, str]], blocks: Sequence[Block]) -> Mapping[str, int]:
    """How deep each kind of division lies, 0 for the outermost: by the levels of their headings where the format marks different
    ones, else by what begins anew in what, else by the usual order of the words."""
    kinds = list(dict.fromkeys(kind for _, kind in divisions if not is_closing(kind)))
    levels: dict[str, Counter[int]] = defaultdict(Counter)
    for label, kind in divisions:
        levels[kind][blocks[label.index].level] += 1
    usual = {kind: levels[kind].most_common(1)[0][0] for kind in kinds}
    if kinds and len(set(usual.values())) == len(kinds) and 0 not in usual.values():
        ordered = sorted(kinds, key=lambda kind: usual[kind])
        return {kind: index for index, kind in enumerate(ordered)}
    inside = _restarts(divisions)
    ordered = sorted(kinds, key=_RANKS.index)
    # One exchange of neighbours each: a document that turns the usual order round says so by numbers that begin anew.
    for index in range(len(ordered) - 1):
        outer, inner = ordered[index], ordered[index + 1]
        if inside[outer, inner] >= 2 and inside[outer, inner] > 2 * inside[inner, outer]:
            ordered[index], ordered[index + 1] = inner, outer
    return {kind: index for index, kind in enumerate(ordered)}


def _restarts(divisions: Sequence[tuple[Label, str]]) -> Counter[tuple[str, str]]:
    """(inner, outer) -> how often the numbers of `inner` begin anew directly behind a heading of `outer`."""
    found: Counter[tuple[str, str]] = Counter()
    seen: dict[str, int] = {}
    for position, (label, kind) in enumerate(divisions):
        if kind in seen and label.number.is_first:
            found.update((kind, other) for other, place in seen.items() if place > seen[kind])
        seen[kind] = position
    return found
