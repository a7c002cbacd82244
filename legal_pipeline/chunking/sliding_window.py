"""`sliding_window`: windows of about 512 tokens with real overlap, inside sections, for Acts and judgments.

Target 512 tokens (640 to end a sentence or keep a list whole), minimum 100 if the text has so many, never over 5,000 characters.
Boundaries: section > paragraph > sentence > clause > word; lists, tables and quotations of up to 512 tokens are kept whole, headings
stay with the text that follows. Each window but a section's first repeats 15-20 % of the previous window's tokens (as near as possible
to 20 % for legislation, 15 % for a headnote), from a sentence if one begins there, else a clause, else a word: `overlap_boundary`.
Neighbouring sections under 256 tokens in one Part merge to 512, with all `paths`. Paths: `Part II > Section 12A`, `Headnote > Part 2`,
`Body > Paras 14-18`. Not here: the windows themselves (`chunking.windows`).
"""

from __future__ import annotations

import bisect
import itertools
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, document_header
from legal_pipeline.chunking.outline import TIER_2, excluded_spans, has_provisions, outermost
from legal_pipeline.chunking.packing import budget
from legal_pipeline.chunking.pieces import heading_starts
from legal_pipeline.chunking.provisions import UniquePaths, read_units
from legal_pipeline.chunking.splitting import QUALIFIERS
from legal_pipeline.chunking.statute_boundary import breadcrumb, label, named
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.chunking.windows import Passage, Sizes, Window, windows
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.model.identity import JUDGMENTS
from legal_pipeline.text.spans import join_adjacent, subtract, trim, within
from legal_pipeline.text.tokens import count_spans

#: Tokens under which a section may merge with its neighbours; characters under which text outside the sections is left out.
SHORT = 256
MINIMUM_CHARS = 20

#: Shares of the previous window's tokens: every overlap is in the band, as near to the document type's share as boundaries allow.
LEGISLATION, HEADNOTE, BODY = 0.20, 0.15, 0.175

_BODY_TYPES = {
    "background": "facts", "arguments": "facts", "issue": "issue", "motivation": "reasoning", "decision": "order", "dissent": "dissent",
}  # fmt: skip
#: Parts of a judgment that share no window with another part, and their paths and chunk types.
_APART = {"headnote": ("Headnote", "headnote"), "header": ("Header", "header"), "dissent": ("Dissent", "dissent")}
_STATUTE_TYPES = {
    "transitional": "transitional",
    "schedule": "schedule_entry",
    "preamble": "preamble",
    "header": "header",
}
_WITH_LISTS = frozenset(
    (*PROVISIONS, "subsection", "paragraph", "item", "definition", "proviso", "explanation", "quotation", "block")
)

#: "In this section—", "Discussion:-": a line that announces the next one.
_LEAD = re.compile(r"[:—–]-?[ \t]*\n+(?=\S)")

_log = logging.getLogger(__name__)


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts in text order and the exclusions. Parameters: `target` and `minimum` (tokens), `cap` (characters)."""
    sizes = Sizes(**{name: tools.parameters[name] for name in ("target", "minimum", "cap") if name in tools.parameters})
    exclusions: list[Exclusion] = []
    if document.doc_type in JUDGMENTS:
        sections = _judgment(document, segment)
    else:
        sections, exclusions = _statute(document, segment, sizes)
    tree = _Tree(document)
    paths = UniquePaths(document.as_of_date)
    return [draft for section in sections for draft in _drafts(document, section, sizes, tree, paths)], exclusions


@dataclass(frozen=True)
class _Section:
    """A text that windows are cut from: `path` and `header` without numbers, `spans` its text, `nodes` the provisions in it."""

    path: str
    header: str
    spans: tuple[Span, ...]
    chunk_type: str
    anchor: int
    share: float
    nodes: tuple[Node, ...] = ()
    above: tuple[Node, ...] = ()
    paths: tuple[str, ...] = ()
    validity: tuple[str | None, str | None] = (None, None)
    numbered: bool = False

    @property
    def is_provision(self) -> bool:
        return bool(self.nodes) and self.nodes[0].type in PROVISIONS


class _Tree:
    """The nodes of a document that the windows need: lists to keep whole, headings, numbered paragraphs. Read once per document."""

    def __init__(self, document: Document) -> None:
        self.starts = heading_starts(document)
        self.whole: list[Span] = []
        self.tied: list[Span] = []
        self.headings: list[Span] = []
        self.sections: list[int] = []
        self.paragraphs = [node for node, _ in outermost(document, PROVISIONS)]
        self.roles = [node for node, _ in outermost(document, _BODY_TYPES)]
        for node, ancestors in document.walk_with_ancestors():
            if node.type in ("table", "quotation"):
                self.whole.append((node.start, node.end))
            elif node.type == "heading":
                self.headings.append((node.start, node.end))
            if node.type in _BODY_TYPES or (node.heading and not ancestors):
                self.sections.append(node.start)
            if node.type in _WITH_LISTS:
                self._lists(node)

    def _lists(self, node: Node) -> None:
        entries: list[Node] = []
        for child in [*node.children, None]:
            if child is not None and child.type in ("item", "paragraph"):
                entries.append(child)
                continue
            if len(entries) > 1:
                self.whole.append((entries[0].start, entries[-1].end))
                self.tied.append((node.start, entries[-1].end))
            entries = []
        for before, child in zip([None, *node.children], node.children, strict=False):
            if child.type in QUALIFIERS:
                self.tied.append((before.start if before is not None else node.start, child.end))


def _statute(document: Document, segment: Segment, sizes: Sizes) -> tuple[list[_Section], list[Exclusion]]:
    """Return a section per provision, merged where they are short, and a section per run of text outside the provisions."""
    nodes, fragments = _statute_nodes(document, segment)
    units, exclusions = read_units(document, replace(segment, nodes=nodes), excluded_spans(document))
    paths = UniquePaths(document.as_of_date)
    found = []
    for unit in units:
        node = unit.node
        if not unit.spans or (
            node.heading and document.text[unit.spans[0][0] : unit.spans[-1][1]].strip() == node.heading
        ):
            _log.warning("%s: %s has no text", document.document_id, _name(node))
        if not unit.spans:
            continue
        above = tuple(ancestor for ancestor in unit.ancestors if ancestor.type in STRUCTURE)
        crumbs = [document_header(document), *map(breadcrumb, above)]
        if node.type != "block":
            crumbs.append(breadcrumb(node))
        found.append(
            _Section(
                path=paths.name(SEPARATOR.join([*map(label, above), _name(node)]), unit.validity[0], "condition"),
                header=SEPARATOR.join(crumbs),
                spans=unit.spans,
                chunk_type="statutory_text" if node.type in PROVISIONS else _STATUTE_TYPES.get(node.type, "markdown"),
                anchor=node.start,
                share=LEGISLATION,
                nodes=(node,),
                above=above,
                validity=unit.validity,
            )
        )  # fmt: skip
    return list(_merged(document, found, sizes)), [*exclusions, *fragments]


def _statute_nodes(
    document: Document, segment: Segment
) -> tuple[tuple[tuple[Node, tuple[Node, ...]], ...], list[Exclusion]]:
    """Return the nodes of the segment's spans (its own nodes if it has no spans), and a `block` for each run of text outside nodes."""
    scope = list(segment.spans)
    nodes = [] if scope else list(segment.nodes)
    if scope and has_provisions(document):
        nodes = [
            (node, ancestors)
            for node, ancestors in outermost(document, (*PROVISIONS, *TIER_2, "heading"))
            if within(scope, node.start)
        ]
    structures = [(node, above) for node, above in document.walk_with_ancestors() if node.type in STRUCTURE]
    edges = {edge for node, _ in structures for edge in (node.start, node.end)}
    edges |= {
        right.start
        for left, right in itertools.pairwise(document.nodes)
        if (left.type == "header") != (right.type == "header")
    }
    taken = sorted((node.start, node.end) for node, _ in nodes)
    fragments = []
    for span in scope:
        for start, end in trim(document.text, subtract(span, taken)):
            cuts = [start, *sorted(edge for edge in edges if start < edge < end), end]
            for low, high in trim(document.text, itertools.pairwise(cuts)):
                if high - low < MINIMUM_CHARS and nodes:
                    fragments.append(Exclusion(low, high, "a fragment under 20 characters"))
                    continue
                above = [pair for pair in structures if pair[0].start <= low and high <= pair[0].end]
                ancestors = (*above[-1][1], above[-1][0]) if above else ()
                in_header = any(node.type == "header" and node.start <= low < node.end for node in document.nodes)
                nodes.append((Node("header" if in_header else "block", low, high), ancestors))
    nodes.sort(key=lambda pair: (pair[0].start, pair[0].end))
    return tuple(nodes), fragments


def _merged(document: Document, sections: Sequence[_Section], sizes: Sizes) -> Iterator[_Section]:
    """Yield short neighbours of one Part and equal validity joined up to the target; a section under the minimum joins a neighbour."""
    groups: list[tuple[list[_Section], int]] = []
    longest = 0
    for section in sections:
        size = count_spans(document.text, section.spans)
        before, total = groups[-1] if groups else ([], 0)
        if (
            before
            and _belong_together(before[-1], section)
            and total + 1 + size <= sizes.target
            and ((size < SHORT and longest < SHORT) or min(size, total) < sizes.minimum)
        ):
            groups[-1] = ([*before, section], total + 1 + size)
            longest = max(longest, size)
        else:
            groups.append(([section], size))
            longest = size
    for group, _ in groups:
        yield group[0] if len(group) == 1 else _union(document, group)


def _belong_together(left: _Section, right: _Section) -> bool:
    return (
        left.is_provision
        and right.is_provision
        and left.above == right.above
        and left.validity == right.validity
        and left.nodes[0].type == right.nodes[0].type
    )


def _union(document: Document, group: Sequence[_Section]) -> _Section:
    first = group[0].nodes[0]
    numbers = _numbers([section.nodes[0] for section in group])
    above = [label(node) for node in group[0].above]
    before = group[0].header.removesuffix(SEPARATOR + breadcrumb(first))
    return replace(
        group[0],
        path=SEPARATOR.join([*above, numbers]),
        header=f"{before}{SEPARATOR}{numbers}",
        spans=join_adjacent(document.text, [span for section in group for span in section.spans]),
        nodes=tuple(node for section in group for node in section.nodes),
        paths=tuple(section.path for section in group),
    )


def _numbers(nodes: Sequence[Node]) -> str:
    """`Sections 12A-13`; `Sections 36, 39` where the numbers are not consecutive."""
    first = nodes[0]
    if not all(node.num for node in nodes):
        return " + ".join(label(node) for node in nodes)
    runs: list[list[Node]] = []
    for node in nodes:
        if runs and 0 <= _leading(node) - _leading(runs[-1][-1]) <= 1:
            runs[-1].append(node)
        else:
            runs.append([node])
    numbers = ", ".join(f"{run[0].num}-{run[-1].num}" if len(run) > 1 else str(run[0].num) for run in runs)
    return f"{label(first).removesuffix(f' {first.num}')}s {numbers}"


def _leading(node: Node) -> float:
    """Return the number that a section's number begins with, -inf without digits: such a section continues no run of numbers."""
    digits = re.match(r"\d+", node.num or "")
    return int(digits[0]) if digits else float("-inf")


def _judgment(document: Document, segment: Segment) -> list[_Section]:
    """Return headnote, header and each dissent as separate sections, and the rest as one body."""
    holes = excluded_spans(document)
    scope = sorted(segment.spans or ((node.start, node.end) for node, _ in segment.nodes))
    apart = [node for node, _ in outermost(document, _APART) if within(scope, node.start)]
    header = document_header(document)
    sections = []
    for node in apart:
        name, chunk_type = _APART[node.type]
        sections.append(
            _Section(
                path=name,
                header=f"{header}{SEPARATOR}{name}",
                spans=trim(document.text, subtract((node.start, node.end), holes)),
                chunk_type=chunk_type,
                anchor=node.start,
                share=HEADNOTE if node.type == "headnote" else BODY,
                nodes=(node,),
                numbered=node.type == "dissent",
            )
        )
    out_of_body = sorted([*holes, *((node.start, node.end) for node in apart)])
    spans = trim(document.text, [part for span in scope for part in subtract(span, out_of_body)])
    sections.append(_Section("Body", header, spans, "reasoning", spans[0][0] if spans else 0, BODY, numbered=True))
    return [section for section in sections if section.spans]


def _drafts(document: Document, section: _Section, sizes: Sizes, tree: _Tree, paths: UniquePaths) -> Iterator[Draft]:
    passage = Passage(document.text, section.spans)
    low, high = section.spans[0][0], section.spans[-1][1]

    def inside(spans: list[Span]) -> list[Span]:
        return [passage.range(start, end) for start, end in spans if start < high and end > low]

    headings = [(start, _line_after(passage.text, end) + 1) for start, end in inside(tree.headings)]
    leads = [(match.start(), match.end() + 1) for match in _LEAD.finditer(passage.text)]
    room = min(sizes.target, budget(section.header) * 4 // 5)
    cut = windows(
        passage,
        document.language,
        replace(sizes, target=room, overlap=section.share),
        sections=[passage.offset(at) for at in tree.sections if low < at < high],
        whole=[*inside(tree.whole), *headings, *leads],
        tied=inside(tree.tied),
    )
    names = _Names(section, paths)
    for window in cut:
        spans = passage.spans(window.start, window.end)
        if not spans:
            continue
        paragraphs = _paragraphs(tree, spans) if section.numbered else []
        path = names.name(paragraphs, len(cut))
        anchor = paragraphs[0].start if paragraphs else section.anchor
        if section.numbered and not paragraphs:
            anchor = tree.starts[bisect.bisect_right(tree.starts, spans[0][0]) - 1]
        yield Draft(
            spans=spans,
            chunk_type=_chunk_type(section, tree, spans),
            path=path,
            header=section.header if not section.numbered else f"{section.header}{SEPARATOR}{path.partition('#')[0]}",
            anchor=anchor,
            eid=section.nodes[0].eid if section.nodes else (paragraphs[0].eid if paragraphs else None),
            valid_from=section.validity[0],
            valid_to=section.validity[1],
            metadata=_metadata(section, paragraphs, window),
        )


class _Names:
    """Paths of the windows of one section: `#k` for the k-th window of a name, `Headnote > Part 2` where parts are counted."""

    def __init__(self, section: _Section, paths: UniquePaths) -> None:
        self._section = section
        self._base = paths.name(section.path)
        self._counts: Counter[str] = Counter()
        self._parts = 0

    def name(self, paragraphs: Sequence[Node], total: int) -> str:
        name = self._base
        if paragraphs:
            first, last = paragraphs[0].num, paragraphs[-1].num
            name += f" > Para {first}" if first == last else f" > Paras {first}-{last}"
        elif self._section.numbered or self._section.chunk_type == "headnote":
            self._parts += 1
            if total > 1:
                return f"{name} > Part {self._parts}"
        self._counts[name] += 1
        return name if self._counts[name] == 1 else f"{name}#{self._counts[name]}"


def _paragraphs(tree: _Tree, spans: Sequence[Span]) -> list[Node]:
    """Return the numbered paragraphs that the spans overlap."""
    found: list[Node] = []
    for start, end in spans:
        index = max(0, bisect.bisect_right(tree.paragraphs, start, key=lambda node: node.start) - 1)
        while index < len(tree.paragraphs) and tree.paragraphs[index].start < end:
            node = tree.paragraphs[index]
            if node.end > start and node.num and node not in found[-1:]:
                found.append(node)
            index += 1
    return found


def _chunk_type(section: _Section, tree: _Tree, spans: Sequence[Span]) -> str:
    """Return the section's chunk type; in a judgment's body, the type of the part that holds most of the window."""
    if section.path != "Body":
        return section.chunk_type
    shares: Counter[str] = Counter()
    for node in tree.roles:
        for start, end in spans:
            shares[_BODY_TYPES[node.type]] += max(0, min(end, node.end) - max(start, node.start))
    best = max(shares, key=lambda kind: shares[kind], default=section.chunk_type)
    return best if shares[best] else section.chunk_type


def _metadata(section: _Section, paragraphs: Sequence[Node], window: Window) -> dict[str, object]:
    nodes = section.nodes if section.is_provision else paragraphs
    provisions = section.nodes if section.is_provision else ()
    alone = provisions[0] if len(provisions) == 1 else None
    amendments = [item for node in provisions for item in node.amendments]
    above = {node.type: node for node in section.above}
    numbers: dict[str, object] = {kind: above[kind].num for kind in ("part", "chapter", "division") if kind in above}
    return {
        **numbers,
        "section": "; ".join(map(named, provisions)) or None,
        "heading": alone.heading if alone is not None else None,
        "paths": list(section.paths) or None,
        "eids": [node.eid for node in nodes if node.eid] if len(nodes) > 1 else None,
        "chapter_heading": above["chapter"].heading if "chapter" in above else None,
        "amended_by": alone.amendments[-1].by if alone is not None and alone.amendments else None,
        "amendment_history": [asdict(item) for item in amendments] or None,
        "overlap_tokens": window.overlap_tokens or None,
        "overlap_boundary": window.overlap_boundary,
    }


def _name(node: Node) -> str:
    return "Text" if node.type == "block" else label(node)


def _line_after(text: str, position: int) -> int:
    """Return where the first line with text after `position` begins."""
    while position < len(text) and text[position].isspace():
        position += 1
    return position


STRATEGY = Strategy("sliding_window", "2", chunk)
