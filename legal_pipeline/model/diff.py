"""Two expressions of one work, compared provision by provision: added, removed, changed, renumbered, moved, valid at other times.

Not here: the text of a provision (`model.wording`), the sentence for lawyers (`model.describe`), and comparing more than two
expressions (`model.versions`).
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.model.wording import Key, Wording, normal_number, repeated_numbers, wordings

Kind = Literal["added", "removed", "changed", "renumbered", "moved", "validity"]

#: A shorter text ("Repealed.", "Gäller ej.") may occur under any number and does not show where it came from.
_TELLING_LENGTH = 30
#: Wordings of one number are matched by similarity up to this many pairs, beyond that in their order: similarity costs milliseconds each.
_LIKENESS_PAIRS = 100


@dataclass(frozen=True, slots=True)
class Pair:
    """A wording before and its successor; one of them is None if it has no counterpart."""

    before: Wording | None
    after: Wording | None


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one wording.

    `removed` may have an `after`: the placeholder of a repealed number. `wording` is true if the number itself is in both expressions and
    only one of its several wordings was added or removed. `typographic`: the words are the same, dashes or quotes differ.
    """

    kind: Kind
    before: Wording | None
    after: Wording | None
    wording: bool = False
    typographic: bool = False

    @property
    def subject(self) -> Wording:
        """Return the wording that the change is reported under: the new wording, or the old one of a removed provision."""
        subject = self.before if self.kind == "removed" and self.before is not None else self.after
        assert subject is not None
        return subject

    @property
    def prior_eids(self) -> tuple[str, ...]:
        """Return the former eid of the provision, if it differs from the present eid."""
        if self.before is None or self.after is None or self.before.eid == self.after.eid:
            return ()
        return (self.before.eid,)

    def to_json(self) -> dict[str, Any]:
        subject = self.subject
        out: dict[str, Any] = {"kind": self.kind, "eid": subject.eid, "type": subject.type, "num": subject.num}
        if self.wording:
            out["wording"] = True
        if self.typographic:
            out["typographic"] = True
        if self.prior_eids:
            out["prior_eids"] = list(self.prior_eids)
        out["before"], out["after"] = _side(self.before), _side(self.after)
        return out


@dataclass(frozen=True, slots=True)
class Diff:
    """Changes in the order of the later expression, removed wordings at their former place.

    `pairs` are all wordings, also unchanged ones.
    """

    document_id: str
    language: str
    pairs: tuple[Pair, ...]
    changes: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def provisions(self) -> tuple[Change, ...]:
        """Return the changes of nodes that are cited by themselves: neither headings nor schedules."""
        return tuple(change for change in self.changes if change.subject.is_provision)

    @property
    def changed_eids(self) -> tuple[str, ...]:
        """Return the eids of the provisions that changed, each with its former eid if that differs."""
        eids = (eid for change in self.provisions for eid in (change.subject.eid, *change.prior_eids))
        return tuple(dict.fromkeys(eids))

    @property
    def acts(self) -> tuple[str, ...]:
        """Return the amending acts in the later wordings that the earlier ones do not name, in the order of the text."""
        named: dict[str, None] = {}
        for change in self.changes:
            known = {amendment.by for amendment in change.before.amendments} if change.before else set()
            after = change.after.amendments if change.after else ()
            named |= dict.fromkeys(amendment.by for amendment in after[-1:] if amendment.by not in known)
        return tuple(named)

    def to_json(self) -> dict[str, Any]:
        return {"document_id": self.document_id, "changes": [change.to_json() for change in self.changes]}


def diff(before: Document, after: Document, *, same_work: bool = False) -> Diff:
    """Compare two expressions of one work; raises `ConfigurationError` for expressions that state different works.

    `same_work`: the user confirms that they are of one work, even if they state different works. A text that states neither a number nor a
    work has an id made of its file name, so it is compared without this confirmation.
    White space, editorial marks and front matter are not part of the text: a difference in them is not a change.
    """
    both_state = all(document.number or document.work_uri for document in (before, after))
    if before.document_id != after.document_id and both_state and not same_work:
        raise ConfigurationError(
            f"{before.document_id} ({before.title}) and {after.document_id} ({after.title}) are different works; "
            "a diff compares two expressions of one (--same-work: they are)"
        )
    old, new = wordings(before), wordings(after)
    pairs = _in_order(old, new, _matched(old, new))
    staying = {
        pair.after.key
        for pair in pairs
        if pair.before and pair.after and pair.before.key == pair.after.key and not pair.after.repealed
    }
    changes = [change for pair in pairs if (change := _change(pair, staying)) is not None]
    return Diff(after.document_id, after.language, tuple(pairs), tuple(changes))


def _change(pair: Pair, staying: set[Key]) -> Change | None:
    before, after = pair.before, pair.after
    if before is None:
        assert after is not None
        if after.repealed:
            return Change("removed", None, after)
        return Change("added", None, after, wording=after.is_provision and after.key in staying)
    if after is None:
        return Change("removed", before, None, wording=before.is_live_provision and before.key in staying)
    if before.repealed != after.repealed:
        return Change("removed" if after.repealed else "added", before, after)
    if before.text != after.text:
        return Change("changed", before, after, typographic=before.folded == after.folded)
    if before.key != after.key:
        same = normal_number(before.num) == normal_number(after.num)
        return Change("moved" if same else "renumbered", before, after)
    return Change("validity", before, after) if before.validity != after.validity else None


def _matched(old: list[Wording], new: list[Wording]) -> list[tuple[int, int]]:
    """Return the indexes of matching wordings, the most certain matches first; each wording is used once."""
    rest_old, rest_new = dict.fromkeys(range(len(old))), dict.fromkeys(range(len(new)))
    matched: list[tuple[int, int]] = []

    def take(found: Iterable[tuple[int, int]]) -> None:
        for a, b in found:
            if a in rest_old and b in rest_new:
                del rest_old[a], rest_new[b]
                matched.append((a, b))

    def by(name: Callable[[Wording], Hashable | None], *, alone: bool) -> None:
        left, right = _grouped(old, rest_old, name), _grouped(new, rest_new, name)
        for key, before in left.items():
            after = right.get(key, [])
            if not alone or len(before) == len(after) == 1:
                take(zip(before, after, strict=False))

    by(lambda item: (item.key, item.text, item.validity), alone=False)
    by(lambda item: (item.key, item.text), alone=False)
    # Before a number counts as changed: its text may have moved to another number to make room ("nuvarande 57 a § betecknas 57 b §").
    by(
        lambda item: (item.type, item.text) if item.is_provision and len(item.text) >= _TELLING_LENGTH else None,
        alone=True,
    )
    by(
        lambda item: (item.key, item.valid_from, item.valid_to) if item.valid_from or item.valid_to else None,
        alone=True,
    )
    left, right = _grouped(old, rest_old, lambda item: item.key), _grouped(new, rest_new, lambda item: item.key)
    for key, before in left.items():
        take(_by_likeness(old, new, before, right.get(key, [])))
    # If numbers do not restart in a work, its article 34 is article 34 under any title.
    (twice_old, restart_old), (twice_new, restart_new) = repeated_numbers(old), repeated_numbers(new)
    twice, restarts = twice_old | twice_new, restart_old | restart_new
    by(
        lambda item: (
            name if item.is_provision and item.type not in restarts and (name := _number(item)) not in twice else None
        ),
        alone=True,
    )
    return matched


def _by_likeness(
    old: list[Wording], new: list[Wording], before: list[int], after: list[int]
) -> Iterable[tuple[int, int]]:
    if len(before) == len(after) == 1 or len(before) * len(after) > _LIKENESS_PAIRS:
        return zip(before, after, strict=False)
    scores = []
    for at, a in enumerate(before):
        matcher = difflib.SequenceMatcher(autojunk=False)
        matcher.set_seq2(old[a].text.split())
        for to, b in enumerate(after):
            matcher.set_seq1(new[b].text.split())
            scores.append((-matcher.quick_ratio(), abs(at - to), a, b))
    return [(a, b) for _, _, a, b in sorted(scores)]


def _grouped(
    items: list[Wording], rest: Iterable[int], name: Callable[[Wording], Hashable | None]
) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index in rest:
        if (key := name(items[index])) is not None:
            groups[key].append(index)
    return groups


def _number(item: Wording) -> tuple[str, str]:
    return item.type, normal_number(item.num)


def _in_order(old: list[Wording], new: list[Wording], matched: list[tuple[int, int]]) -> list[Pair]:
    """Return the pairs in the order of `new`; a removed wording follows its former predecessor."""
    old_of = {b: a for a, b in matched}
    new_of = dict(matched)
    gone: dict[int, list[Wording]] = defaultdict(list)
    last = -1
    for index, item in enumerate(old):
        if index in new_of:
            last = new_of[index]
        else:
            gone[last].append(item)
    pairs = [Pair(item, None) for item in gone[-1]]
    for index, item in enumerate(new):
        pairs.append(Pair(old[old_of[index]] if index in old_of else None, item))
        pairs.extend(Pair(lost, None) for lost in gone[index])
    return pairs


def _side(wording: Wording | None) -> dict[str, Any] | None:
    if wording is None:
        return None
    names = ("eid", "text", "text_hash", "spans", "status", "valid_from", "valid_to")
    return {name: getattr(wording, name) for name in names} | {"spans": [list(span) for span in wording.spans]}
