"""What two expressions are compared by: every provision, heading and schedule with its text free of number signs and marks.

Not here: the comparison (`model.diff`) and its history (`model.versions`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from legal_pipeline.model import identity
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Amendment, Document, Node

#: Nodes that own text of their own; what stands in none of them belongs to the document as such.
UNITS = frozenset((*STRUCTURE, *PROVISIONS, "schedule", "transitional", "preamble", "longtitle"))
#: Matter of the publisher and of the page, which is not law.
_MARKS = frozenset({"remark", "page_number", "running_header", "running_footer"})
_DOCUMENT = "document"
_RESTARTS = 0.1
_REPEALED = frozenset({"repealed", "omitted"})

#: What may stand before a number: signs ("§ 6"), or signs and one word ("Article 6", "Sec. 6."); and after it ("6 §").
_BEFORE_NUMBER = (re.compile(r"\W*[^\W\d_]+\.?\s+\W*"), re.compile(r"\W*"))
_AFTER_NUMBER = re.compile(r"(?!\w)(?:\s*§+)?[\s.:)\]\-–—]*")
_SPACES = re.compile(r"\s*")
#: Signs that publishers of the same text set differently.
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        "\u00ad": None,
    }
)

#: (type, number, or heading where there is none) of every unit from the outermost in.
Key = tuple[tuple[str, str], ...]
#: (valid_from, valid_to, status) of a provision and of its parts that have any.
Validity = tuple[tuple[str | None, str | None, str], ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """One provision (or what stands between provisions) as it reads in one expression.

    `text` is its spans of the document's text, joined by a newline: without the number sign, editorial marks, and what belongs to
    provisions inside it. White space is collapsed, so that equal wordings have equal texts. `spans` are character offsets. `eid` is
    empty for the text that stands in no unit. `key` is its place: two wordings of one number have the same.
    """

    eid: str
    type: str
    num: str | None
    heading: str | None
    key: Key
    spans: tuple[tuple[int, int], ...]
    text: str
    validity: Validity
    amendments: tuple[Amendment, ...] = ()

    @property
    def text_hash(self) -> str:
        """8 hex digits (`identity.text_hash`)."""
        return identity.text_hash(self.text)

    @property
    def valid_from(self) -> str | None:
        return self.validity[0][0]

    @property
    def valid_to(self) -> str | None:
        return self.validity[0][1]

    @property
    def status(self) -> str:
        return self.validity[0][2]

    @property
    def is_provision(self) -> bool:
        return self.type in PROVISIONS

    @property
    def is_structure(self) -> bool:
        return self.type in STRUCTURE

    @property
    def repealed(self) -> bool:
        """A place kept for a number that no longer holds law ("57 a § Har upphävts genom lag (2024:796).")."""
        return self.status in _REPEALED

    @property
    def folded(self) -> str:
        """The text with dashes, quotation marks and spaces as one publisher or another might set them."""
        return self.text.translate(_TYPOGRAPHY).replace(" ", "")


def wordings(document: Document) -> list[Wording]:
    """All wordings of `document` in document order, the text in no unit first (where there is any)."""
    root = Node(_DOCUMENT, 0, len(document.text), children=list(document.nodes))
    found: list[Wording] = []
    # an explicit stack: a treaty in a schedule may nest deeper than Python's own
    stack: list[tuple[Node, Key]] = [(root, ())]
    while stack:
        node, parents = stack.pop()
        key = parents if node is root else (*parents, (node.type, _name(node)))
        inner, holes, validity, amendments = _own(node)
        begin = _after_leading(holes, node.start, document.text) if node.type in PROVISIONS else node.start
        spans = _without(begin + (0 if node is root else _label_length(document, node, begin)), node.end, holes)
        spans = tuple(span for span in (_trimmed(document.text, *span) for span in spans) if span[0] < span[1])
        text = identity.collapse("\n".join(document.text[start:end] for start, end in spans))
        if node is not root or text:
            found.append(
                Wording(node.eid or "", node.type, node.num, node.heading, key, spans, text, validity, amendments)
            )
        stack.extend((unit, key) for unit in reversed(inner))
    return found


def repeated_numbers(found: Iterable[Wording]) -> tuple[set[tuple[str, str]], set[str]]:
    """((type, number) that stand in more than one place, types whose numbers start anew in each chapter) of one expression.

    A stray repeat makes no such work: the share of repeated numbers decides.
    """
    places: dict[tuple[str, str], set[Key]] = defaultdict(set)
    for wording in found:
        if wording.num:
            places[wording.type, normal_number(wording.num)].add(wording.key)
    repeated = {number for number, keys in places.items() if len(keys) > 1}
    all_of = Counter(type for type, _ in places)
    return repeated, {
        type for type, count in Counter(type for type, _ in repeated).items() if count >= _RESTARTS * all_of[type]
    }


def normal_number(num: str | None) -> str:
    """`2 A` and `2a` are the same number."""
    return "".join((num or "").split()).casefold()


def _name(node: Node) -> str:
    if node.num:
        return normal_number(node.num)
    return identity.collapse(node.heading or "").casefold()


def _own(node: Node) -> tuple[list[Node], list[tuple[int, int]], Validity, tuple[Amendment, ...]]:
    """(units directly inside, spans that are not the node's own text, validity of its own parts, amendments)."""
    inner: list[Node] = []
    holes: list[tuple[int, int]] = []
    validity: list[tuple[str | None, str | None, str]] = [(node.valid_from, node.valid_to, node.status)]
    amendments = dict.fromkeys(node.amendments)
    stack = list(reversed(node.children))
    while stack:
        child = stack.pop()
        if child.type in UNITS or child.type in _MARKS:
            holes.append((child.start, child.end))
            if child.type in UNITS:
                inner.append(child)
            else:
                amendments |= dict.fromkeys(child.amendments)
            continue
        if child.valid_from or child.valid_to or child.status != "in_force":
            validity.append((child.valid_from, child.valid_to, child.status))
        amendments |= dict.fromkeys(child.amendments)
        stack.extend(reversed(child.children))
    return inner, holes, tuple(validity), tuple(amendments)


def _after_leading(holes: list[tuple[int, int]], start: int, text: str) -> int:
    """Where the text begins after the marks that stand before the number sign ("/Träder i kraft I:2025-07-01/ 1 § …")."""
    for low, high in holes:
        if text[start:low].strip():
            break
        start = max(start, high)
    return start


def _label_length(document: Document, node: Node, start: int) -> int:
    """Characters of the number sign of `node` at `start` ("2 a § ", "Article 34", "4. ")."""
    number = normal_number(node.num)
    if not number:
        return 0
    for before in _BEFORE_NUMBER:
        match = before.match(document.text, start, node.end)
        at = _after_number(document.text, match.end(), node.end, number) if match else None
        if at is not None and (after := _AFTER_NUMBER.match(document.text, at, node.end)):
            return after.end() - start
    return 0


def _after_number(text: str, at: int, end: int, number: str) -> int | None:
    """Where `number` ends that begins at `at`, whatever spaces stand in it; None where another text begins there."""
    for sign in number:
        space = _SPACES.match(text, at, end)
        at = space.end() if space else at
        if at >= end or text[at].casefold() != sign:
            return None
        at += 1
    return at


def _without(start: int, end: int, holes: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    spans = []
    for low, high in holes:
        if low > start:
            spans.append((start, low))
        start = max(start, high)
    if start < end:
        spans.append((start, end))
    return tuple(spans)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
