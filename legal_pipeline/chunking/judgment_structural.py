"""`judgment_structural`: a judgment cut into the parts that lawyers cite.

Header, headnote, facts (split between paragraphs above the budget of 1,500 tokens less header and prefix), one chunk per issue with all
of its reasoning (whole up to 3,000 tokens, flagged `oversized` above 1,500; a longer one is split as facts are, `#2`), the holding always
its own chunk, the order, and every dissent or separate opinion in separate chunks, tagged with its judge. Reasoning without an issue is
packed by paragraphs (`Body > Paras 14-16`). Counsel's arguments are `issue` with `judgment_part = "arguments"`: the chunk table has no
separate type for them. No parameters, no overlap. Not here: which block is which part (`parsing.judgment`); the words that distinguish an
order from the holding (`judgment_structural.toml`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, document_header, shorten
from legal_pipeline.chunking.packing import MAX_TOKENS, budget, fits
from legal_pipeline.chunking.provisions import UniquePaths, text_spans
from legal_pipeline.chunking.splitting import split
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import Document, Node
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.spans import trim

#: Maximum tokens (with header and prefix) of an issue with its reasoning in one chunk: half of the reasoning could mislead a reader.
MAX_ISSUE_TOKENS = 3000

#: A block of signatures is left out up to this many characters; a longer block holds more than names.
MAX_SIGNATURE = 600

#: Node type -> (chunk type, name in the path; None where only the paragraphs name it).
_PARTS: dict[str, tuple[str, str | None]] = {
    "header": ("header", "Header"),
    "headnote": ("headnote", "Headnote"),
    "background": ("facts", "Facts"),
    "arguments": ("issue", "Arguments"),
    "motivation": ("reasoning", "Body"),
    "numbered_paragraph": ("reasoning", "Body"),
    "signature": ("order", "Signature"),
}


@dataclass
class _Issue:
    """Consecutive statements of issues, and the reasoning about them."""

    statements: list[Node]
    reasoning: list[Node] = field(default_factory=list)
    number: int = 1

    @property
    def nodes(self) -> list[Node]:
        return [*self.statements, *self.reasoning]

    @property
    def is_reasoned(self) -> bool:
        return bool(self.reasoning) or any(_holds_reasoning(node) for node in self.statements)

    @property
    def name(self) -> str:
        numbers = [node.num for node in self.statements if node.num]
        if len(numbers) > 1:
            return f"Issues {numbers[0]}-{numbers[-1]}"
        return f"Issue {numbers[0] if numbers else self.number}"

    @property
    def heading(self) -> str | None:
        return self.statements[0].heading if len(self.statements) == 1 else None


@dataclass(frozen=True)
class _Place:
    """The place of drafts: the separate opinion that they belong to, None for the opinion of the court."""

    path: str = ""
    judge: str | None = None
    kind: str | None = None


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts of the segment's parts and the exclusions (signatures)."""
    cutter = _Cutter(document, tools.holes(document))
    cutter.opinion([node for node, _ in segment.nodes], _Place())
    cutter.drafts.sort(key=lambda draft: draft.spans[0])
    return cutter.drafts, cutter.exclusions


class _Cutter:
    """Collects the drafts of one document."""

    def __init__(self, document: Document, holes: Sequence[Span]) -> None:
        self._document = document
        self._holes = holes
        self._paths = UniquePaths()
        self._title = document_header(document)
        self.drafts: list[Draft] = []
        self.exclusions: list[Exclusion] = []

    def opinion(self, nodes: Sequence[Node], place: _Place) -> None:
        """Add the drafts of one opinion. An issue holds all reasoning up to the next issue or the decision."""
        issue: _Issue | None = None
        issues = 0
        for node in _with_stated_issues(self._document, nodes):
            if node.type == "issue":
                if issue is None or issue.is_reasoned:
                    self._issue(issue, place)
                    issues += 1
                    issue = _Issue([], number=issues)
                issue.statements.append(node)
            elif issue is not None and _continues(issue, node):
                issue.reasoning.append(node)
            elif node.type == "dissent":
                self._issue(issue, place)
                issue = None
                self._separate(node)
            elif node.type == "decision":
                self._issue(issue, place)
                issue = None
                self._decision(node, place)
            elif node.type == "signature" and node.end - node.start <= MAX_SIGNATURE:
                self.exclusions.extend(Exclusion(*span, "signatures") for span in self._spans([node]))
            else:
                chunk_type, name = _PARTS.get(node.type, ("reasoning", "Body"))
                self._packed(node, self._spans([node]), chunk_type, name, place)
        self._issue(issue, place)

    def _separate(self, node: Node) -> None:
        judge = node.attributes.get("judge") or node.heading
        kind = node.attributes.get("kind")
        label = "Dissent" if kind != "separate" else "Opinion"
        place = _Place(f"{label} ({judge})" if judge else label, judge, kind)
        parts = [child for child in node.children if child.type in _PARTS or child.type in ("issue", "decision")]
        position = node.start
        for part in [*parts, None]:
            edge = part.start if part is not None else node.end
            if self._document.text[position:edge].strip():
                beside = _slice(Node("motivation", node.start, node.end, children=node.children), position, edge)
                self._packed(beside, self._spans([beside]), "dissent", None, place)
            position = part.end if part is not None else edge
        self.opinion(parts, place)

    def _issue(self, issue: _Issue | None, place: _Place) -> None:
        if issue is None or not (spans := self._spans(issue.nodes)):
            return
        reasoned = issue.is_reasoned
        name = f"{issue.name}: {issue.heading}" if issue.heading else issue.name
        header = self._header(place, name)
        limit = budget(header)
        # A block that states an issue without reasoning is split as any text; a question and its answer stay together while they fit.
        stays_whole = reasoned and fits(self._document.text, spans, limit + MAX_ISSUE_TOKENS - MAX_TOKENS)
        parts = [spans] if stays_whole else split(self._document, _whole(issue.nodes), spans, limit)
        path = self._paths.name(_joined(place.path, issue.name))
        for number, part in enumerate(parts, start=1):
            self._draft(
                part, "reasoning" if reasoned else "issue", path if number == 1 else f"{path}#{number}", header, place,
                issue.statements[0], _paragraphs(issue.nodes, part), may_be_oversized=stays_whole, part_name="issue",
                issue=issue.heading or issue.name,
            )  # fmt: skip

    def _decision(self, node: Node, place: _Place) -> None:
        """Add the holding, and the order after it: the last paragraphs that only dispose of the case."""
        pieces = _paragraph_spans(self._document, node)
        order = _phrases("order")
        cut = len(pieces)
        while cut > 1 and any(pattern.search(self._document.text[slice(*pieces[cut - 1])]) for pattern in order):
            cut -= 1
        edge = pieces[cut][0] if cut < len(pieces) else node.end
        spans = self._spans([node])
        for part, chunk_type, name in (
            (_clip(spans, node.start, edge), "holding", "Holding"),
            (_clip(spans, edge, node.end), "order", "Order"),
        ):
            if part := trim(self._document.text, part):
                self._packed(node, part, chunk_type, name, place, by_paragraph=False)

    def _packed(
        self,
        node: Node,
        spans: tuple[Span, ...],
        chunk_type: str,
        name: str | None,
        place: _Place,
        *,
        by_paragraph: bool = True,
    ) -> None:
        """Add drafts of a part that may be split: between paragraphs, and inside a paragraph only where it alone is over the budget."""
        if not spans:
            return
        header = self._header(place, name if name != "Body" else None)
        whole = Node("motivation", node.start, node.end, children=[node]) if node.type == "numbered_paragraph" else node
        before = first = ""
        repeat = 1
        for part in split(self._document, whole, spans, budget(header)):
            paragraphs = _paragraphs([whole], part)
            # In another judge's opinion "Body" adds nothing: `Dissent (Kelly, J.) > Paras 14-16`.
            part_label = None if place.path and name == "Body" else name
            label = _joined(place.path, part_label, _paragraph_label(paragraphs) if by_paragraph else None) or "Body"
            repeat = repeat + 1 if label == before else 1
            if repeat == 1:
                first = self._paths.name(label)
            before = label
            path = first if repeat == 1 else f"{first}#{repeat}"
            self._draft(part, chunk_type, path, header, place, node, paragraphs, part_name=_part_name(node, chunk_type))

    def _draft(
        self, spans: tuple[Span, ...], chunk_type: str, path: str, header: str, place: _Place, node: Node,
        paragraphs: Sequence[Node], *, part_name: str, may_be_oversized: bool = False, issue: str | None = None,
    ) -> None:  # fmt: skip
        starting = next((item for item in paragraphs if item.start >= spans[0][0]), None)
        self.drafts.append(
            Draft(
                spans=spans,
                chunk_type="dissent" if place.path else chunk_type,
                path=path,
                header=header,
                anchor=starting.start if starting is not None else node.start,
                eid=starting.eid if starting is not None else node.eid,
                may_be_oversized=may_be_oversized,
                metadata={
                    "judgment_part": part_name,
                    "para_id": _para_id(paragraphs),
                    "issue": issue,
                    "heading": node.heading,
                    "judges": [place.judge] if place.judge else None,
                    "opinion": place.kind if place.path else None,
                },
            )
        )

    def _spans(self, nodes: Sequence[Node]) -> tuple[Span, ...]:
        return text_spans(self._document, nodes, self._holes)

    def _header(self, place: _Place, name: str | None) -> str:
        return shorten(SEPARATOR.join(part for part in (self._title, place.path, name) if part))


def _holds_reasoning(node: Node) -> bool:
    return any(child.type == "motivation" for child in node.children)


def _continues(issue: _Issue, node: Node) -> bool:
    """Whether `node` belongs to the discussion of the issue: reasoning, facts given after the question, and counsel's arguments after the
    court has begun to reason. Submissions between the question and the reasoning are chunks by themselves."""
    if _is_closed(issue):
        return False
    return node.type in ("motivation", "background") or (node.type == "arguments" and bool(issue.reasoning))


def _with_stated_issues(document: Document, nodes: Sequence[Node]) -> list[Node]:
    """Return `nodes`; where the parser found no issue, a paragraph that states the question to be decided becomes an issue."""
    if any(node.type == "issue" for node in nodes):
        return list(nodes)
    states = _phrases("states_issue")
    out: list[Node] = []
    for node in nodes:
        stated = [
            child
            for child in node.children
            if node.type in ("background", "arguments", "motivation")
            and child.type == "numbered_paragraph"
            and any(pattern.search(document.text, child.start, child.end) for pattern in states)
        ]
        position = node.start
        for child in stated:
            start = _with_headings_above(node, child, position)
            if start > position:
                out.append(_slice(node, position, start))
            out.append(Node("issue", start, child.end, children=[child]))
            position = child.end
        if position < node.end:
            out.append(_slice(node, position, node.end) if stated else node)
    return out


def _with_headings_above(node: Node, child: Node, floor: int) -> int:
    """Return where the headings directly above `child` begin, or its own start if it has none."""
    start = child.start
    for above in reversed([item for item in node.children if floor <= item.start < child.start]):
        if above.type != "heading":
            break
        start = above.start
    return start


def _slice(node: Node, start: int, end: int) -> Node:
    children = [child for child in node.children if start <= child.start and child.end <= end]
    return Node(node.type, start, end, heading=node.heading if start == node.start else None, children=children)


def _is_closed(issue: _Issue) -> bool:
    """Whether the issue's node contains its reasoning: such an issue is complete, and later reasoning belongs to no issue."""
    return any(_holds_reasoning(node) for node in issue.statements)


def _whole(nodes: Sequence[Node]) -> Node:
    return Node("issue", nodes[0].start, nodes[-1].end, children=list(nodes))


def _part_name(node: Node, chunk_type: str) -> str:
    if chunk_type in ("holding", "order"):
        return chunk_type
    return "motivation" if node.type == "numbered_paragraph" else node.type


def _joined(*parts: str | None) -> str:
    return SEPARATOR.join(part for part in parts if part)


def _paragraphs(nodes: Sequence[Node], spans: Sequence[Span]) -> list[Node]:
    """Return the numbered paragraphs of `nodes` whose text is in the spans (which are in text order), in order."""
    if not spans:
        return []
    low, high = spans[0][0], spans[-1][1]
    found: list[Node] = []

    def look(node: Node) -> None:
        if node.start >= high or node.end <= low:
            return
        if node.type == "numbered_paragraph" and any(node.start < end and start < node.end for start, end in spans):
            found.append(node)
        # Children are in text order: the search stops early, because judgments can have thousands of paragraphs.
        children = node.children
        for index in range(bisect.bisect_right(children, low, key=lambda child: child.end), len(children)):
            if children[index].start >= high:
                break
            look(children[index])

    for node in nodes:
        look(node)
    return found


def _paragraph_label(paragraphs: Sequence[Node]) -> str | None:
    number = _para_id(paragraphs)
    return None if number is None else f"Paras {number}" if "-" in number else f"Para {number}"


def _para_id(paragraphs: Sequence[Node]) -> str | None:
    """`14-16`, `14`."""
    numbers = [node.num for node in paragraphs if node.num]
    if not numbers:
        return None
    return numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _paragraph_spans(document: Document, node: Node) -> list[Span]:
    """Return the spans of the numbered paragraphs of a part, and of its blocks outside them."""
    taken = [(item.start, item.end) for item in node.children if item.type == "numbered_paragraph"]
    out = list(taken)
    position = node.start
    for start, end in [*taken, (node.end, node.end)]:
        for block in re.finditer(r"\S(?:.|\n(?!\n))*", document.text[position:start]):
            out.append((position + block.start(), position + block.end()))
        position = end
    return sorted(out)


def _clip(spans: Sequence[Span], low: int, high: int) -> tuple[Span, ...]:
    return tuple((max(start, low), min(end, high)) for start, end in spans if start < high and end > low)


@functools.cache
def _phrases(name: str) -> tuple[re.Pattern[str], ...]:
    phrases = data_file(__package__, "judgment_structural.toml")[name]
    return tuple(re.compile(phrase, re.IGNORECASE) for phrase in phrases)


STRATEGY = Strategy("judgment_structural", "3", chunk)
