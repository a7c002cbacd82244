"""The types of citations: a reference, and the parts of a document that a resolver uses.

Not here: finding citations (one scanner per jurisdiction) and making eids (`citations.provisions`).
"""

from __future__ import annotations

import bisect
import itertools
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from legal_pipeline.model.identity import JUDGMENTS

#: provision: a place in an Act; act: an Act as such; case: a decision; preparatory: a bill or report; amendment: the mark that
#: names the act which last changed a provision ("Lag (2022:1109).").
Kind = Literal["provision", "act", "case", "preparatory", "amendment"]

#: Types of eid segments that are cited by their own number; segments below them are cited by numbers alone.
_OWN_NUMBER = frozenset({"sec", "art", "chp", "part", "rule", "reg", "sched", "dvs", "title", "book"})
#: Levels that a letter or a roman numeral may name.
_LETTERED_LEVELS = frozenset({"subsec", "para", "item", "lbl"})
#: Kinds of the numbered paragraphs below a provision: the publishers of a country name them differently.
_PARAGRAPHS = frozenset({"subsec", "para"})
_PROVISION = ("sec_", "art_", "rule_")
#: "art_12-bis"
_HYPHEN = re.compile(r"(?<=\d)-(?=[a-z])")
#: "art_8a10", "art_4u-art5", "sec_10to12": provisions that were repealed together.
_RANGE = re.compile(r"(?P<first>\d{1,4})[a-z]{1,5}(?:-[a-z]{1,5})?(?P<last>\d{1,4})")
_VALUE = re.compile(r"\d{1,4}")
#: Words by which the provisions of an instrument are cited; in its tree they may be sections.
_OF_INSTRUMENTS = ("rule", "reg", "art")


@dataclass(frozen=True, slots=True)
class Reference:
    """One target cited in `text[start:end]`, which is `raw`.

    A list ("2, 4–6 och 8 §§") gives a reference per target, each with the words that name it; targets of a range share their words.
    `work_uri` is None where the Act is not known. `eid` is None where a whole work is cited; otherwise the provision *as cited*
    (`sec_3__subsec_2`), or, if it is in the citing document, exactly as that document names it (`chp_2__sec_3__subsec_2`).
    `within` is the citing section or article, None outside of provisions; a reference in the number or heading of a provision counts as
    inside that provision.
    """

    start: int
    end: int
    raw: str
    work_uri: str | None
    eid: str | None
    kind: Kind
    within: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the fields that chunks have."""
        return {name: getattr(self, name) for name in ("start", "end", "raw", "work_uri", "eid", "kind")}

    def row(self, document_id: str) -> dict[str, Any]:
        """Return a row of the table `cross_references`, in the order of its columns."""
        cited = {"document_id": document_id, "eid": self.within, "start": self.start, "end": self.end, "raw": self.raw}
        return {**cited, "target_work_uri": self.work_uri, "target_eid": self.eid, "kind": self.kind}


@dataclass(frozen=True)
class CitingDocument:
    """The data about the citing document that resolves relative references ("denna lag", "sub-section (2) above").

    `provisions` are (eid, start, end) of the document's nodes in document order, down to the deepest nodes.
    """

    work_uri: str | None
    doc_type: str = "act"
    provisions: Sequence[tuple[str, int, int]] = ()

    @property
    def is_judgment(self) -> bool:
        return self.doc_type in JUDGMENTS

    def provision_at(self, offset: int) -> str | None:
        """Return the eid of the section or article that contains `offset`."""
        return self._sections.innermost(offset)

    def opens(self, offset: int) -> bool:
        """Whether a section or article begins at `offset`: "Section 12. Title" there is its own heading."""
        return self._sections.begins(offset)

    def node_at(self, offset: int) -> str | None:
        """Return the eid of the innermost node that contains `offset`, or of its section where the tree ends there."""
        return self._nodes.innermost(offset)

    def resolve(self, eid: str, near: str | None = None) -> str:
        """Return the document's own name of a provision cited as `eid`: `sec_3` is `chp_2__sec_3`, `sec_18__item_1` is
        `sec_18__subsec_1__item_1`. If several match, it is the name that shares most with `near`; see `EidIndex.resolve`."""
        return self._index.resolve(eid, near)

    def holds(self, eid: str) -> bool:
        """Whether the document has a node of this name."""
        return eid in self._order

    def lacks(self, eid: str) -> bool:
        """Whether the document has provisions, but not the section or article of `eid`: then "section 376" without an Act belongs to
        another Act."""
        return bool(self.provisions) and _own_part(eid) not in self._order

    def between(self, first: str, last: str) -> list[str]:
        """Return the eids of the provisions from `first` to `last` on the same level, both included; empty when either is not known."""
        order = self._order
        if first not in order or last not in order or order[first] > order[last]:
            return []
        parent = first.rpartition("__")[0]
        return [
            eid
            for eid, _, _ in self.provisions[order[first] : order[last] + 1]
            if eid.rpartition("__")[0] == parent and eid.rpartition("__")[2].startswith(_PROVISION)
        ]

    @cached_property
    def _sections(self) -> NestedSpans:
        return NestedSpans(item for item in self.provisions if item[0].rpartition("__")[2].startswith(_PROVISION))

    @cached_property
    def _nodes(self) -> NestedSpans:
        return NestedSpans(self.provisions)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {eid: index for index, (eid, _, _) in enumerate(self.provisions)}

    @cached_property
    def _index(self) -> EidIndex:
        return EidIndex(eid for eid, _, _ in self.provisions)


class NestedSpans:
    """Finds the innermost span of a tree, given as (eid, start, end), that contains an offset.

    Each span knows its parent span, so that a search takes at most as many steps as the tree is deep: an item may have any number
    of siblings before it.
    """

    def __init__(self, spans: Iterable[tuple[str, int, int]]) -> None:
        self._spans = sorted(spans, key=lambda span: (span[1], -span[2]))
        self._starts = [start for _, start, _ in self._spans]
        self._around: list[int] = []  # index of the parent of each span, -1 for none
        open_spans: list[int] = []
        for index, (_, start, _) in enumerate(self._spans):
            while open_spans and self._spans[open_spans[-1]][2] <= start:
                open_spans.pop()
            self._around.append(open_spans[-1] if open_spans else -1)
            open_spans.append(index)

    def innermost(self, offset: int) -> str | None:
        """Return the eid of the innermost span that contains `offset`, None if no span does."""
        index = bisect.bisect_right(self._starts, offset) - 1
        while index >= 0 and offset >= self._spans[index][2]:
            index = self._around[index]
        return self._spans[index][0] if index >= 0 else None

    def begins(self, offset: int) -> bool:
        """Whether a span begins at `offset`."""
        index = bisect.bisect_left(self._starts, offset)
        return index < len(self._starts) and self._starts[index] == offset


class EidIndex:
    """The eids of one work, to find the eid that a citation means.

    A citation names sections and levels below them, seldom the Parts and chapters above: these may be missing from it, and so may
    levels between (a point of a § whose stycke is not counted). Below a section `(i)` may be a paragraph or an item. If the citations name
    the work (`is_named`), its regulation 3 is section 3 if it has no regulations; in its own text a regulation may be another's.
    """

    def __init__(self, eids: Iterable[str], *, is_named: bool = False) -> None:
        self._is_named = is_named
        self._containers: dict[tuple[str, str], list[str]] = {}
        self._below: dict[str, list[str]] = {}
        self._all: set[str] = set()
        for eid in eids:
            self._all.add(eid)
            own = _own_part(eid)
            if own == eid:
                self._containers.setdefault(_key(eid.rpartition("__")[2]), []).append(eid)
            elif own:
                self._below.setdefault(own, []).append(eid)
        self._kinds = {kind for kind, _ in self._containers}
        self._ranges = [
            (kind, int(match["first"]), int(match["last"]), names)
            for (kind, number), names in self._containers.items()
            if (match := _RANGE.fullmatch(number))
        ]

    def resolve(self, eid: str, near: str | None = None) -> str:
        """Return the name of `eid` in this work. If several match, the name that shares most with `near` wins; if still several match, or
        none, only the certain part of the name is resolved and the rest stays as cited."""
        eid = self._in_own_kind(eid) if self._is_named else eid
        own = _own_part(eid)
        if not own:
            return eid
        section = self._beside(own, near)
        if section is None:
            segments = [_key(segment) for segment in own.split("__")]
            found = self._containers.get(segments[-1], [])
            if len(segments) > 1:
                found = [name for name in found if name.endswith(own)] or [
                    name for name in found if _holds(name, segments)
                ]
            section = _only(found or self._ranged(*segments[-1]), near)
        if section is None:
            return eid
        cited = tail = self._in_own_paragraphs(section, eid[len(own) + 2 :])
        if (name := f"{section}__{tail}" if tail else section) in self._all:
            return name
        below = self._below.get(section, ())
        while tail:
            wanted = [_key(segment) for segment in tail.split("__")]
            inside = [
                name
                for name in below
                if _key(name.rpartition("__")[2]) == wanted[-1] and _holds(name[len(section) + 2 :], wanted)
            ]
            if (node := _only(inside, near)) is not None:
                return node + cited[len(tail) :]
            tail = tail.rpartition("__")[0]
        return section + eid[len(own) :]

    def _in_own_paragraphs(self, section: str, tail: str) -> str:
        """Return the levels `tail` below `section`, the first by the work's own name of numbered paragraphs: "Art. 62 Abs. 4" is paragraph
        4 of an article that has paragraphs and no subsections."""
        kind, _, number = tail.partition("__")[0].partition("_")
        if kind not in _PARAGRAPHS or not number[:1].isdigit():
            return tail
        (other,) = _PARAGRAPHS - {kind}
        has_kind = any(name.startswith(f"{section}__{kind}_") for name in self._below.get(section, ()))
        return tail if has_kind or f"{section}__{other}_{number}" not in self._all else other + tail[len(kind) :]

    def _ranged(self, kind: str, number: str) -> list[str]:
        """Return the names of the provisions that have one number together, among them `number`: article 9 of the repealed "8 a 10"."""
        digits = _VALUE.match(number)
        value = int(digits.group()) if digits else -1
        return [
            name
            for other, first, last, names in self._ranges
            if other == kind and first <= value <= last
            for name in names
        ]

    def _in_own_kind(self, eid: str) -> str:
        """Return a provision of an instrument as a section, if the work has none of its kind."""
        kind, _, rest = eid.partition("_")
        return eid if kind not in _OF_INSTRUMENTS or kind in self._kinds else f"sec_{rest}"

    def _beside(self, own: str, near: str | None) -> str | None:
        """Return `own` in the chapter of `near`, or in an ancestor of that chapter: the usual case, found without comparing all candidates
        (a large code has 117 sections with one number)."""
        around = near or ""
        while around:
            around = around.rpartition("__")[0]
            name = f"{around}__{own}" if around else own
            if name in self._all:
                return name
        return None


def _only(found: list[str], near: str | None) -> str | None:
    """Return the best match of `found`, or None where it is ambiguous."""
    if len(found) > 1 and near is not None:
        shared = [_shared(name, near) for name in found]
        best = max(shared)
        found = [name for name, score in zip(found, shared, strict=True) if score == best]
    if len(found) > 1:
        shortest = min(name.count("__") for name in found)
        found = [name for name in found if name.count("__") == shortest]
    return found[0] if len(found) == 1 else None


def _own_part(eid: str) -> str:
    """Return `eid` down to the last segment that is cited by its own number (section, chapter); empty where there is none."""
    segments = eid.split("__")
    while segments and segments[-1].partition("_")[0] not in _OWN_NUMBER:
        segments.pop()
    return "__".join(segments)


def beneath(eid: str, below: str) -> str:
    """Return the provision of `eid` with the levels `below`, in place of the levels that `eid` has from the first of them on.

    >>> beneath("sec_7__subsec_1__item_2", "subsec_2"), beneath("chp_2__sec_7__subsec_1", "para_a")
    ('sec_7__subsec_2', 'chp_2__sec_7__subsec_1__para_a')
    >>> beneath("sec_7__para_a", "item_aa"), beneath("sec_7__para_a", "item_ii")
    ('sec_7__item_aa', 'sec_7__para_a__item_ii')
    """
    own = _own_part(eid)
    kind, _, number = below.partition("_")
    kept = [] if not below else eid[len(own) + 2 :].split("__")
    kinds = [level.partition("_")[0] for level in kept]
    # "(aA)" after "(a)": both are letters, and no numeral below a letter
    if kind == "item" and kinds[-1:] == ["para"] and not number[:1].isdigit() and not set(number) <= set("ivxl"):
        kept.pop()
    return "__".join(part for part in (own, *kept[: kinds.index(kind) if kind in kinds else None], below) if part)


def _key(segment: str) -> tuple[str, str]:
    """Return the key by which a segment is matched. A letter or numeral may be a paragraph or an item, in print or in the tree; a digit
    may not, because nodes without a number are counted in digits. Publishers that name their nodes may write a hyphen before letters."""
    kind, _, number = segment.partition("_")
    number = _HYPHEN.sub("", number) if "-" in number else number
    return ("" if kind in _LETTERED_LEVELS and not number[:1].isdigit() else kind, number)


def _holds(name: str, segments: list[tuple[str, str]]) -> bool:
    """Whether `name` contains the cited segments in their order."""
    parts = iter([_key(segment) for segment in name.split("__")])
    return all(any(part == segment for part in parts) for segment in segments)


def _shared(name: str, near: str) -> int:
    """Return how many segments both names begin with."""
    return sum(itertools.takewhile(bool, map(operator.eq, name.split("__"), near.split("__"))))
