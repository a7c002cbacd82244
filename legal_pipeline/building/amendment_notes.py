"""Notes at a provision about the act that made, replaced or repealed it, and the date since which its wording is valid.

The forms of the notes are in the data of their countries (`amendment_notes`). Not here: amendments in mark-up (the readers), remarks in
square brackets (`building.editorial`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.model.document import Amendment, Document, Node
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.normalise import one_line

_PROVISIONS = frozenset({"section", "article"})
_WORD = re.compile(r"\w+")
#: The number of a footnote: "12 Fassung gemäss", "(1)<L 2014-01-06/36".
_NOTE_NUMBER = re.compile(r"\A[^\w<]*(?:\d+[^\w<]*)?")


@dataclass(frozen=True)
class _Form:
    """The form of notes in one language: `statement` matches the start of a statement about one act, with a group for each action."""

    statement: re.Pattern[str]
    actions: Mapping[str, str]
    act: re.Pattern[str]
    since: re.Pattern[str]
    #: The notes are in the text of the provision and not in footnotes.
    in_text: bool

    def says_only(self, text: str) -> bool:
        """Whether the footnote `text` begins with a statement, behind its number."""
        return self.statement.match(_NOTE_NUMBER.sub("", text)) is not None


def state_amendments(document: Document) -> None:
    """Add the facts of notes to the nodes of `document`: `amendments`, and `status` of repealed nodes without text.

    A provision is valid since the latest day in its notes (`valid_from`), unless its source states another day. A footnote that contains
    only such a note becomes a `remark`, which is not text of the law. Otherwise a provision would seem to be amended when an amendment of
    another provision gives its footnotes other numbers.
    """
    form = _form(jurisdiction(document.jurisdiction), document.language)
    if form is None:
        return
    for provision in own_provisions(document.nodes):
        noted = [(provision, document.text_of(provision))] if form.in_text else _footnotes(document, provision)
        days = []
        for node, text in noted:
            statements = list(_statements(form, text, document.language))
            known = set(node.amendments)
            node.amendments += tuple(item for item in dict.fromkeys(statements) if item.by and item not in known)
            days += [item.date for item in statements if item.date]
            if statements and statements[-1].action == "repealed" and _is_bare(document, node):
                node.status = "repealed"
        provision.valid_from = provision.valid_from or max(days, default=None)
        for note in (node for node in provision.walk() if node.type == "footnote"):
            if form.says_only(document.text_of(note)):
                note.type = "remark"


def own_provisions(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the sections and articles in `nodes` that are not quoted from another law, without those inside them."""
    for node in nodes:
        if node.type in _PROVISIONS:
            yield node
        elif node.type != "quotation":
            yield from own_provisions(node.children)


def _footnotes(document: Document, node: Node, spoken_of: Node | None = None) -> Iterator[tuple[Node, str]]:
    """Yield the notes in `node`, each with the innermost numbered node that contains it."""
    spoken_of = node if node.num or spoken_of is None else spoken_of
    for child in node.children:
        if child.type == "footnote":
            yield spoken_of, document.text_of(child)
        elif child.type != "quotation":
            yield from _footnotes(document, child, spoken_of)


def _statements(form: _Form, text: str, language: str) -> Iterator[Amendment]:
    """Yield the statements of `text`, each as an amendment; `by` is "" in a statement that names no act."""
    starts = list(form.statement.finditer(text))
    ends = [*(match.start() for match in starts[1:]), len(text)]
    for match, end in zip(starts, ends, strict=False):
        said = text[match.start() : end]
        act, since = form.act.search(said), form.since.search(said)
        day = first_date(one_line(since["date"]), language, "day first") if since is not None else None
        yield Amendment(one_line(act["by"]) if act is not None else "", day, form.actions[match.lastgroup or ""])


def _is_bare(document: Document, node: Node) -> bool:
    """Return whether `node` contains only its number, a word before it, and notes."""
    position, words = node.start, []
    for note in (child for child in node.walk() if child.type == "footnote"):
        words += _WORD.findall(document.text[position : note.start])
        position = note.end
    words += _WORD.findall(document.text[position : node.end])
    return len([word for word in words if word not in _WORD.findall(node.num or "")]) <= 1


@functools.cache
def _form(country: Jurisdiction, language: str) -> _Form | None:
    data = country.section("amendment_notes").get(language)
    if data is None:
        return None
    actions = {f"action{index}": action for index, action in enumerate(data["actions"])}
    statement = "|".join(f"(?P<{name}>{data['actions'][action]})" for name, action in actions.items())
    return _Form(
        re.compile(statement),
        actions,
        re.compile(data["act"]),
        re.compile(data["since"]),
        bool(data.get("in_text")),
    )
