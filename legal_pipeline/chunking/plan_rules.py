"""Chunk plans without a language model: by the hierarchy of a regulation, by headings, and by who speaks in an appeal decision.

Words and sizes are in `plan_cues.toml`, the criteria in the data of a country. Not here: the validation of plans (`chunking.plan`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.chunking.plan import ChunkPlan, ExcludedLines, PlannedChunk, criteria, source_lines
from legal_pipeline.chunking.statute_boundary import label
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.system.data_files import data_file

_NESTED = frozenset({"subsection", "paragraph", "item", "definition"})
_SEARCH = re.IGNORECASE


@dataclass(frozen=True)
class Cues:
    """`plan_cues.toml`, compiled. Sizes are (least, most) words."""

    sizes: dict[str, tuple[int, int]]
    headings: tuple[tuple[str, re.Pattern[str]], ...]
    heading: re.Pattern[str]
    director: tuple[re.Pattern[str], ...]
    analysis: tuple[re.Pattern[str], ...]
    opens: tuple[re.Pattern[str], ...]
    winning: tuple[re.Pattern[str], ...]
    losing: tuple[re.Pattern[str], ...]
    standards: tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]
    types: dict[str, tuple[re.Pattern[str], str]]


@functools.cache
def load_cues() -> Cues:
    data = data_file(__package__, "plan_cues.toml")
    appeal = data["appeal"]

    def compiled(phrases: Sequence[str]) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(phrase, _SEARCH) for phrase in phrases)

    return Cues(
        sizes={name: (least, most) for name, (least, most) in data["sizes"].items()},
        headings=tuple((name, re.compile(phrase, _SEARCH)) for name, phrase in appeal["headings"].items()),
        heading=re.compile(appeal["heading"]),
        **{name: compiled(appeal[name]) for name in ("director", "analysis", "opens", "winning", "losing")},
        standards=tuple((row["name"], compiled(row["phrases"])) for row in data["standards"]),
        types={name: (re.compile(row["file"], _SEARCH), row["description"]) for name, row in data["types"].items()},
    )


def type_by_name(file_name: str) -> str | None:
    """Return the document type that a file name indicates (`appeal_quintanilla.txt`), None if it indicates none."""
    words = re.sub(r"[\W_]+", " ", file_name)
    return next((name for name, (pattern, _) in load_cues().types.items() if pattern.search(words)), None)


def document_types() -> dict[str, str]:
    """Return the document types among which a model may choose, with a description of each."""
    return {name: description for name, (_, description) in load_cues().types.items()}


def plan_by_rules(document: Document) -> ChunkPlan:
    """Return the plan of a regulation or an appeal decision; any other document is planned as a precedent, cut at headings."""
    blocks = _blocks(document)
    if document.doc_type == "appeal_decision":
        chunks, excluded = _appeal(document, blocks)
        return ChunkPlan("appeal_decision", tuple(chunks), tuple(excluded))
    if document.doc_type == "precedent_case":
        return ChunkPlan("precedent_case", tuple(_precedent(document, blocks)))
    return ChunkPlan("regulation", tuple(_regulation(document, blocks)))


@dataclass(frozen=True)
class _Block:
    """Lines `first` to `last` (from 1) of one paragraph; `nodes` is the path down to the innermost provision or paragraph."""

    first: int
    last: int
    text: str
    is_heading: bool
    nodes: tuple[Node, ...]
    lines: tuple[str, ...]

    @property
    def words(self) -> int:
        return len(self.text.split())


def _blocks(document: Document) -> list[_Block]:
    text = document.text
    headings = {node.start for node in document.walk() if node.type == "heading"}
    starts, ways = _ways(document)
    out: list[_Block] = []
    group: list[tuple[int, Span]] = []

    def close() -> None:
        if group:
            start = group[0][1][0]
            way = ways[bisect.bisect_right(starts, start) - 1] if starts and starts[0] <= start else ()
            out.append(
                _Block(
                    group[0][0], group[-1][0], text[start : group[-1][1][1]], start in headings,
                    tuple(node for node in way if node.start <= start < node.end),
                    tuple(text[low:high] for _, (low, high) in group),
                )
            )  # fmt: skip
            group.clear()

    for number, span in enumerate(source_lines(document), start=1):
        if group and "\n" in text[group[-1][1][1] : span[0]]:
            close()
        group.append((number, span))
    close()
    return out


def _ways(document: Document) -> tuple[list[int], list[tuple[Node, ...]]]:
    """Return the starts of provisions and of nodes nested in them, ascending, and for each the nodes from the provision down to it."""
    found: dict[int, tuple[Node, ...]] = {}
    for node, ancestors in document.walk_with_ancestors():
        if node.type in PROVISIONS or node.type in _NESTED:
            found[node.start] = tuple(
                item for item in (*ancestors, node) if item.type in PROVISIONS or item.type in _NESTED
            )
        elif node.type in STRUCTURE:
            found[node.start] = ()
    return sorted(found), [found[start] for start in sorted(found)]


# -- regulations -------------------------------------------------------------------------------------------------------


def _regulation(document: Document, blocks: Sequence[_Block]) -> Iterator[PlannedChunk]:
    """Yield one rule per chunk: a criterion is a chunk of any size; other rules of one section are joined to 200 to 800 words."""
    least, most = load_cues().sizes["regulation"]
    group: list[_Block] = []
    tag: str | None = None
    rule: Node | None = None
    for block in blocks:
        inside = rule is not None and any(node is rule for node in block.nodes)
        found = tag if inside else _rule_tag(block)
        size = sum(item.words for item in group)
        if group and (
            (found != tag or (found is not None and not inside))
            or _section(group[-1]) not in (None, _section(block))
            or size + block.words > most
            or (size >= least and not inside and len(block.nodes) <= len(group[0].nodes))
        ):
            yield _rule(document, group, tag)
            group = []
        if not inside:
            tag, rule = found, block.nodes[-1] if found is not None and block.nodes else None
        group.append(block)
    if group:
        yield _rule(document, group, tag)


def _rule_tag(block: _Block) -> str | None:
    """Return the criterion that the paragraph defines, None if it defines none or several."""
    found = [tag for tag, row in criteria().items() if re.search(str(row["rule"]), block.text, _SEARCH)]
    return found[0] if len(found) == 1 else None


def _section(block: _Block) -> Node | None:
    return block.nodes[0] if block.nodes else None


def _rule(document: Document, group: Sequence[_Block], tag: str | None) -> PlannedChunk:
    inside = [block for block in group if block.nodes]
    way = inside[0].nodes if inside else ()
    for block in inside[1:]:
        way = tuple(a for a, b in zip(way, block.nodes, strict=False) if a is b)
    if len(group) == 1 or tag is not None:
        way = group[0].nodes
    return PlannedChunk(
        group[0].first, group[-1].last, _citation(document, way), len(way) or None, tag, _standard(" ".join(b.text for b in group))
    )  # fmt: skip


def _citation(document: Document, way: Sequence[Node]) -> str:
    """Return the citation of a provision: after the name of a code with continuous section numbers, else as a heading names it."""
    if not way:
        return document.number or document.title
    nested = "".join(f"({node.num})" for node in way[1:] if node.num)
    code = jurisdiction(document.jurisdiction).section("chunking").get("code_of_sections")
    match = re.match(code, document.number or document.title) if code else None
    head = f"{match[0]} § {way[0].num}" if match and way[0].num else label(way[0])
    return head + nested


# -- precedents --------------------------------------------------------------------------------------------------------


def _precedent(document: Document, blocks: Sequence[_Block]) -> Iterator[PlannedChunk]:
    """Yield chunks that begin at headings, unless the chunk before is under 300 words; at most 1,000 words where paragraphs allow it."""
    least, most = load_cues().sizes["precedent_case"]
    group: list[_Block] = []
    heading: str | None = None
    for block in blocks:
        size = sum(item.words for item in group)
        if group and (size + block.words > most or (block.is_heading and size >= least)):
            yield _test(document, group, heading)
            # Text after a cut inside a part keeps the part's heading.
            heading = heading if not block.is_heading else None
            group = []
        if block.is_heading:
            heading = block.text.strip(" .:") if not group or heading is None else heading
        group.append(block)
    if group:
        yield _test(document, group, heading)


def _test(document: Document, group: Sequence[_Block], heading: str | None) -> PlannedChunk:
    standard = _standard(" ".join(block.text for block in group))
    section = " - ".join(part for part in (document.title, standard or heading) if part)
    return PlannedChunk(group[0].first, group[-1].last, section, 1, None, standard)


def _standard(text: str) -> str | None:
    """Return the legal test that the text mentions most often; on a tie, the first in the list."""
    counts = {name: sum(len(phrase.findall(text)) for phrase in phrases) for name, phrases in load_cues().standards}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else None


# -- appeal decisions --------------------------------------------------------------------------------------------------


@dataclass
class _Argument:
    """The lines under one heading of an appeal decision."""

    section: str
    part: str
    criterion: str | None
    level: int


def _appeal(
    document: Document, blocks: Sequence[_Block], part: str = "background"
) -> tuple[list[PlannedChunk], list[ExcludedLines]]:
    """Return the appellate body's reasoning as runs of lines; the Director's arguments and the background are excluded, line by line."""
    cues = load_cues()
    argument = _Argument("Caption", part, None, 1)
    runs: list[tuple[_Argument, int, int]] = []
    excluded: list[ExcludedLines] = []
    waiting: list[_Block] = []
    for block in blocks:
        if block.is_heading or cues.heading.match(block.text):
            argument = _argument(block, argument)
            waiting.append(block)
            continue
        if argument.section == "Caption" and any(pattern.search(block.text) for pattern in cues.opens):
            argument = _Argument("Analysis", "analysis", None, 1)
        if argument.part == "background":
            excluded.extend(ExcludedLines(item.first, item.last, "background") for item in (*waiting, block))
            waiting = []
            continue
        kept = _kept(block, argument)
        for item in waiting:
            _extend(runs, argument, item.first, item.last)
        waiting = []
        for number, keep in enumerate(kept, start=block.first):
            if keep:
                _extend(runs, argument, number, number)
            else:
                excluded.append(ExcludedLines(number, number, "denied_argument"))
    for item in waiting:
        _extend(runs, argument, item.first, item.last)
    if not runs and part == "background":
        return _appeal(document, blocks, "analysis")  # no cue marks the beginning of the reasoning
    lines = source_lines(document)
    whole: dict[int, list[str]] = {}
    for held, first, last in runs:
        whole.setdefault(id(held), []).extend(
            document.text[slice(*lines[number - 1])] for number in range(first, last + 1)
        )
    chunks = [_planned(document, held, first, last, whole[id(held)]) for held, first, last in runs]
    return chunks, _joined(excluded)


def _argument(block: _Block, before: _Argument) -> _Argument:
    text = block.text.strip(" .:")
    part = next((name for name, pattern in load_cues().headings if pattern.fullmatch(text)), None)
    criterion = next((tag for tag, row in criteria().items() if re.search(str(row["heading"]), text, _SEARCH)), None)
    if part is None:
        part = "analysis" if criterion is not None else before.part
    if part == "background" and before.section == "Caption":
        text = "Caption"  # headings of the cover page
    return _Argument(text, part, criterion if part == "analysis" else None, 1 if re.match(r"[IVX]+\.", text) else 2)


def _kept(block: _Block, argument: _Argument) -> list[bool]:
    """Return for each line whether it is kept. A report of the Director's view lasts until another speaker, or to the paragraph's end."""
    cues = load_cues()
    if argument.part != "analysis":
        return [True] * len(block.lines)
    out: list[bool] = []
    denied = False
    for line in block.lines:
        if any(pattern.search(line) for pattern in cues.analysis):
            denied = False
        elif any(pattern.search(line) for pattern in cues.director):
            denied = True
        out.append(not denied)
    return out


def _extend(runs: list[tuple[_Argument, int, int]], argument: _Argument, first: int, last: int) -> None:
    if runs and runs[-1][0] is argument and runs[-1][2] == first - 1:
        runs[-1] = (argument, runs[-1][1], last)
    else:
        runs.append((argument, first, last))


def _planned(document: Document, argument: _Argument, first: int, last: int, sentences: Sequence[str]) -> PlannedChunk:
    return PlannedChunk(
        first, last, f"{document.title} - {argument.section}", argument.level, argument.criterion,
        _standard(" ".join(sentences)), _wins(argument, sentences),
    )  # fmt: skip


def _wins(argument: _Argument, sentences: Sequence[str]) -> bool:
    if argument.part not in ("analysis", "conclusion"):
        return False
    cues = load_cues()
    for sentence in reversed(sentences):
        if any(pattern.search(sentence) for pattern in cues.losing):
            return False
        if any(pattern.search(sentence) for pattern in cues.winning):
            return True
    return False


def _joined(items: Sequence[ExcludedLines]) -> list[ExcludedLines]:
    out: list[ExcludedLines] = []
    for item in sorted(items, key=lambda item: item.start_line):
        if out and out[-1].reason == item.reason and out[-1].end_line == item.start_line - 1:
            out[-1] = replace(out[-1], end_line=item.end_line)
        else:
            out.append(item)
    return out
