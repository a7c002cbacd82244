"""What a citation is, and what a grammar may know of the document that it reads.

Not here: how citations are found (one grammar per jurisdiction) and how eids are made (`citations.provisions`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

#: provision: a place in an Act; act: an Act as such; case: a decision; preparatory: a bill or report; amendment: the mark that
#: names the act which last changed a provision ("Lag (2022:1109).").
Kind = Literal["provision", "act", "case", "preparatory", "amendment"]

#: Types of eid segments that are cited by their own number; whatever hangs below them is told by numbers alone.
_OWN_NUMBER = frozenset({"sec", "art", "chp", "part", "rule", "sched", "dvs", "title", "book"})
_PROVISION = ("sec_", "art_", "rule_")


@dataclass(frozen=True, slots=True)
class Citation:
    """One target cited in `text[start:end]`, which is `raw`.

    A list ("2, 4–6 och 8 §§") gives a citation per target, each with the stretch that names it; targets of a range share theirs.
    `work_uri` is None where the Act is not known. `eid` is None where a whole work is cited; otherwise the provision *as cited*
    (`sec_3__subsec_2`), or, where it lies in the citing document, exactly as that document names it (`chp_2__sec_3__subsec_2`).
    """

    start: int
    end: int
    raw: str
    work_uri: str | None
    eid: str | None
    kind: Kind


@dataclass(frozen=True)
class CitingDocument:
    """What relative references ("denna lag", "sub-section (2) above") are resolved with.

    `provisions` are (eid, start, end) of the document's nodes in document order, as far down as the tree goes.
    """

    work_uri: str | None
    doc_type: str = "act"
    provisions: Sequence[tuple[str, int, int]] = ()

    @property
    def is_judgment(self) -> bool:
        return self.doc_type in ("judgment", "precedent_case", "appeal_decision")

    def provision_at(self, offset: int) -> str | None:
        """eid of the section or article that holds `offset`."""
        starts, spans = self._sections
        index = bisect.bisect_right(starts, offset) - 1
        if index < 0 or offset >= spans[index][2]:
            return None
        return spans[index][0]

    def node_at(self, offset: int) -> str | None:
        """eid of the innermost node that holds `offset`, or of its section where the tree ends there."""
        starts, spans = self._nodes
        index = bisect.bisect_right(starts, offset) - 1
        for eid, _, end in reversed(spans[max(0, index - 200) : index + 1]):
            if offset < end:
                return eid
        return self.provision_at(offset)

    def resolve(self, eid: str, near: str | None = None) -> str:
        """The document's own name of a provision cited as `eid`: `sec_3` is `chp_2__sec_3`, `sec_18__item_1` is
        `sec_18__subsec_1__item_1`.

        Where several fit, the one that shares most with `near` wins; still several, or none: the name of the provision alone is
        resolved and the rest stands as cited. What is not known at all comes back as it was.
        """
        return resolve_eid(eid, self._by_number, near)

    def between(self, first: str, last: str) -> list[str]:
        """eids of the provisions from `first` to `last` on the same level, both included; empty when either is not known."""
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
    def _sections(self) -> tuple[list[int], list[tuple[str, int, int]]]:
        spans = [item for item in self.provisions if item[0].rpartition("__")[2].startswith(_PROVISION)]
        spans.sort(key=lambda item: item[1])
        return [item[1] for item in spans], spans

    @cached_property
    def _nodes(self) -> tuple[list[int], list[tuple[str, int, int]]]:
        spans = sorted(self.provisions, key=lambda item: (item[1], -item[2]))
        return [item[1] for item in spans], spans

    @cached_property
    def _order(self) -> dict[str, int]:
        return {eid: index for index, (eid, _, _) in enumerate(self.provisions)}

    @cached_property
    def _by_number(self) -> dict[tuple[str, str], list[str]]:
        return index_eids(eid for eid, _, _ in self.provisions)


def index_eids(eids: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """eids by what their last segment is cited as, for `resolve_eid`."""
    index: dict[tuple[str, str], list[str]] = {}
    for eid in eids:
        index.setdefault(_key(eid.rpartition("__")[2]), []).append(eid)
    return index


def resolve_eid(eid: str, index: dict[tuple[str, str], list[str]], near: str | None = None) -> str:
    """`eid` as cited, in the names of the work whose eids `index` holds (`index_eids`); see `CitingDocument.resolve`."""
    segments = [_key(segment) for segment in eid.split("__")]
    found = [name for name in index.get(segments[-1], ()) if _holds(name, segments)]
    if len(found) > 1 and near is not None:
        shared = [_shared(name, near) for name in found]
        best = max(shared)
        found = [name for name, score in zip(found, shared, strict=True) if score == best]
    if len(found) > 1:
        shortest = min(name.count("__") for name in found)
        found = [name for name in found if name.count("__") == shortest]
    if len(found) == 1:
        return found[0]
    head, _, tail = eid.rpartition("__")
    if not head or segments[-1][0] in _OWN_NUMBER:
        return eid
    return f"{resolve_eid(head, index, near)}__{tail}"


def _key(segment: str) -> tuple[str, str]:
    kind, _, number = segment.partition("_")
    return (kind if kind in _OWN_NUMBER else "", number)


def _holds(name: str, segments: list[tuple[str, str]]) -> bool:
    """Whether the cited segments stand in `name` in their order; nothing but containers may precede the first provision."""
    parts = iter([_key(segment) for segment in name.split("__")])
    return all(any(part == segment for part in parts) for segment in segments)


def _shared(name: str, near: str) -> int:
    count = 0
    for one, other in zip(name.split("__"), near.split("__"), strict=False):
        if one != other:
            break
        count += 1
    return count
