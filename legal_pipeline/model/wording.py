"""The units of comparison of two expressions: every provision, heading and schedule with its text, without number signs and marks.

Not here: comparing them (`model.diff`) and their history (`model.versions`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from legal_pipeline.model import identity
from legal_pipeline.model.document import GONE, PROVISIONS, STRUCTURE, Amendment, Document, Node
from legal_pipeline.text.spans import subtract, trim

#: Nodes with a text of their own; text in none of them belongs to the document itself.
UNITS = frozenset((*STRUCTURE, *PROVISIONS, "schedule", "transitional", "preamble", "longtitle"))
#: Content of the publisher and of the page, which is not law.
_MARKS = frozenset({"remark", "page_number", "running_header", "running_footer"})
_DOCUMENT = "document"
_RESTARTS = 0.1

#: Text that may precede a number: signs ("§ 6"), or signs and one word ("Article 6", "Sec. 6."); and follow it ("6 §").
_BEFORE_NUMBER = (re.compile(r"\W*[^\W\d_]+\.?\s+\W*"), re.compile(r"\W*"))
_AFTER_NUMBER = re.compile(r"(?!\w)(?:\s*§+)?[\s.:)\]\-–—]*")
_SPACES = re.compile(r"\s*")
#: Signs that publishers of the same text print differently.
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        "\u00ad": None,
    }
)

#: (type, number, or heading if there is none) of every unit from the outermost inwards.
Key = tuple[tuple[str, str], ...]
#: (valid_from, valid_to, status) of a provision and of its parts that have any.
Validity = tuple[tuple[str | None, str | None, str], ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """The text of one provision (or the text between provisions) in one expression.

    `text` is its spans of the document's text, joined by a newline: without the number sign, editorial marks, and text of provisions inside
    it. White space is collapsed, so that equal wordings have equal texts. `spans` are character offsets. `eid` is empty for the text
    outside all units. `key` is its place: two wordings of one number have the same key.
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
        """Return 8 hex digits (`identity.text_hash`)."""
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
        """Whether it is the placeholder of a number that no longer contains law ("57 a § Har upphävts genom lag (2024:796).")."""
        return self.status in GONE

    @property
    def is_live_provision(self) -> bool:
        return self.is_provision and not self.repealed

    @property
    def folded(self) -> str:
        """Return the text without the differences in dashes, quotation marks and spaces between publishers."""
        return self.text.translate(_TYPOGRAPHY).replace(" ", "")


def wordings(document: Document) -> list[Wording]:
    """Return all wordings of `document` in document order, the text outside all units first (if there is any)."""
    root = Node(_DOCUMENT, 0, len(document.text), children=list(document.nodes))
    found: list[Wording] = []
    # an explicit stack: a treaty in a schedule may nest deeper than Python's recursion limit
    stack: list[tuple[Node, Key]] = [(root, ())]
    while stack:
        node, parents = stack.pop()
        key = parents if node is root else (*parents, (node.type, _name(node)))
        inner, holes, validity, amendments = _own(node)
        begin = _after_leading(holes, node.start, document.text) if node.type in PROVISIONS else node.start
        begin += 0 if node is root else _label_length(document, node, begin)
        spans = trim(document.text, subtract((begin, node.end), holes))
        text = identity.collapse("\n".join(document.text[start:end] for start, end in spans))
        if node is not root or text:
            found.append(
                Wording(node.eid or "", node.type, node.num, node.heading, key, spans, text, validity, amendments)
            )
        stack.extend((unit, key) for unit in reversed(inner))
    return found


def repeated_numbers(found: Iterable[Wording]) -> tuple[set[tuple[str, str]], set[str]]:
    """Return ((type, number) that are in more than one place, types whose numbers restart in each chapter) of one expression.

    A single repeated number does not count as a restart: the share of repeated numbers decides.
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
    """Return the number in a normal form: `2 A` and `2a` are equal."""
    return "".join((num or "").split()).casefold()


def _name(node: Node) -> str:
    return normal_number(node.num) if node.num else identity.collapse(node.heading or "").casefold()


def _own(node: Node) -> tuple[list[Node], list[tuple[int, int]], Validity, tuple[Amendment, ...]]:
    """Return (units directly inside, spans that are not the node's own text, validity of its own parts, amendments)."""
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
    """Return the start of the text after the marks that precede the number sign ("/Träder i kraft I:2025-07-01/ 1 § …")."""
    for low, high in holes:
        if text[start:low].strip():
            break
        start = max(start, high)
    return start


def _label_length(document: Document, node: Node, start: int) -> int:
    """Return the length in characters of the number sign of `node` at `start` ("2 a § ", "Article 34", "4. ")."""
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
    """Return the end of `number` if it begins at `at`, with any spaces inside it; None if there is another text."""
    for sign in number:
        space = _SPACES.match(text, at, end)
        at = space.end() if space else at
        if at >= end or text[at].casefold() != sign:
            return None
        at += 1
    return at
