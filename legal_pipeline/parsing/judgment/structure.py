"""Blocks of a judgment as nodes: header, headnote, background, arguments, issue, motivation, decision, dissent, signature.

The one entry for every reader of judgments (text, PDF, Word, HTML): `write_judgment(builder, blocks, jurisdiction)`. Not here: reading
files, and metadata of a court's cause title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.parsing.judgment.blocks import OUT_OF_FLOW, Block
from legal_pipeline.parsing.judgment.frame import Opinion, find_frame, is_heading, split_opinions
from legal_pipeline.parsing.judgment.glued_headings import part_glued_headings
from legal_pipeline.parsing.judgment.paragraph_numbers import number_paragraphs
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases
from legal_pipeline.parsing.judgment.roles import Evidence, assign_roles

__all__ = ["Block", "Outline", "write_judgment"]

#: A paragraph's role is read from its first so many characters.
_EVIDENCE_CHARS = 4000
_ISSUE_NUMBER = re.compile(
    r"(?:issue|point|question)s?(?:\s+no\.?)?\s*[:.-]?\s*\(?(?P<num>\d+|[ivx]+|[a-z])\)?(?=\W|$)", re.I
)
_QUOTATION = re.compile(r"[“\"‘«]")


@dataclass(frozen=True)
class Outline:
    """What was found beside the nodes: the blocks of header and signature, the separate opinions as (judge, kind), how many paragraphs
    are numbered."""

    header: tuple[Block, ...]
    signature: tuple[Block, ...]
    opinions: tuple[tuple[str | None, str], ...]
    numbered_paragraphs: int


@dataclass
class _Unit:
    """What has one role: a heading, or a paragraph with the unnumbered blocks that continue it."""

    blocks: list[Block]
    num: str | None = None
    heading: bool = False
    announces: str | None = None
    role: str = "motivation"
    sub: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks if block.in_flow)[:_EVIDENCE_CHARS]


def write_judgment(builder: DocumentBuilder, blocks: Sequence[Block], jurisdiction: str) -> Outline:
    """Add a whole judgment to `builder`; blocks without text are left out.

    Paragraphs become `numbered_paragraph` nodes inside the segment they belong to. A separate opinion is one `dissent` node with its
    segments inside and `attributes` {"judge", "kind": "dissenting" | "separate"}.
    """
    phrases = load_phrases(jurisdiction)
    blocks = part_glued_headings([block for block in blocks if block.text], phrases)
    frame = find_frame(blocks, phrases)
    _write_frame_part(builder, "header", blocks[: frame.headnote])
    _write_frame_part(builder, "headnote", blocks[frame.headnote : frame.body])
    opinions = split_opinions(blocks, frame.body, frame.signature, phrases)
    numbered = 0
    for opinion in opinions:
        part = blocks[opinion.start : opinion.end]
        numbered += _write_opinion(builder, part, opinion, phrases)
    _write_frame_part(builder, "signature", blocks[frame.signature : frame.appendix])
    _write_frame_part(builder, "block", blocks[frame.appendix :])
    return Outline(
        tuple(blocks[: frame.headnote]),
        tuple(blocks[frame.signature : frame.appendix]),
        tuple((opinion.judge, opinion.kind) for opinion in opinions if opinion.kind),
        numbered,
    )


def _write_frame_part(builder: DocumentBuilder, type: str, blocks: Sequence[Block]) -> None:
    if not blocks:
        return
    with builder.node(type):
        for block in blocks:
            _write_block(builder, block)


def _write_opinion(builder: DocumentBuilder, blocks: Sequence[Block], opinion: Opinion, phrases: Phrases) -> int:
    units = _units(blocks, phrases)
    _assign(units, phrases)
    depth = builder.depth
    if opinion.kind is not None:
        attributes = {key: value for key, value in (("judge", opinion.judge), ("kind", opinion.kind)) if value}
        builder.open("dissent", None, opinion.judge, attributes=attributes)
    _write_units(builder, units)
    builder.close_to(depth)
    return sum(unit.num is not None for unit in units)


def _units(blocks: Sequence[Block], phrases: Phrases) -> list[_Unit]:
    numbers = number_paragraphs(blocks)
    out: list[_Unit] = []
    for index, block in enumerate(blocks):
        num = numbers.get(index)
        if not block.in_flow:
            if out:
                out[-1].blocks.append(block)
            else:
                out.append(_Unit([block]))
        elif num is not None and "." not in num:
            out.append(_Unit([block], num))
        elif num is not None:
            out[-1].sub.append((len(out[-1].blocks), num))
            out[-1].blocks.append(block)
        elif is_heading(block):
            out.append(_Unit([block], heading=True, announces=phrases.heading_role(block.text)))
        elif out and out[-1].num is not None:
            out[-1].blocks.append(block)
        else:
            out.append(_Unit([block]))
    return out


def _assign(units: list[_Unit], phrases: Phrases) -> None:
    """Give every unit its role; a heading that announces nothing goes with what follows it."""
    announced: str | None = None
    distance = 0
    evidence: list[Evidence] = []
    bodies: list[_Unit] = []
    for unit in units:
        if unit.heading:
            if unit.announces is None:
                continue
            # "Issue No. 1" is followed by what is said of it; "ISSUES" by the issues themselves.
            announced = "motivation" if _issue_number(unit) else unit.announces
            distance = 0
        bodies.append(unit)
        evidence.append(Evidence(unit.text, announced, distance, unit.announces if unit.heading else None))
        distance += len(unit.text)
    for unit, role in zip(bodies, assign_roles(evidence, phrases), strict=True):
        unit.role = role
    following = bodies[-1].role if bodies else "motivation"
    for unit in reversed(units):
        if unit.heading and unit.announces is None:
            unit.role = following
        following = unit.role


def _write_units(builder: DocumentBuilder, units: Sequence[_Unit]) -> None:
    base = builder.depth
    issue_depth: int | None = None
    segment: str | None = None
    for unit in units:
        number = _issue_number(unit)
        if number is not None:
            builder.close_to(base)
            builder.open("issue", number, _heading_text(unit))
            issue_depth, segment = builder.depth, None
            _write_block(builder, unit.blocks[0], heading=True)
            _write_rest(builder, unit)
            continue
        if issue_depth is not None and (
            unit.role == "decision" or (unit.heading and unit.announces not in (None, "motivation", "arguments"))
        ):
            issue_depth, segment = None, None
        floor = issue_depth if issue_depth is not None else base
        starts = unit.heading and unit.announces is not None
        if unit.role != segment or starts:
            builder.close_to(floor)
            # Inside an issue what is said of the issue itself needs no second node.
            if not (issue_depth is not None and unit.role == "issue"):
                builder.open(unit.role, None, _heading_text(unit) if starts else None)
            segment = unit.role
        _write_unit(builder, unit)
    builder.close_to(base)


def _issue_number(unit: _Unit) -> str | None:
    match = _ISSUE_NUMBER.match(unit.blocks[0].text) if unit.heading and unit.announces == "issue" else None
    return match["num"] if match else None


def _heading_text(unit: _Unit) -> str:
    return unit.blocks[0].text.strip(" :")


def _write_unit(builder: DocumentBuilder, unit: _Unit) -> None:
    if unit.num is None:
        _write_block(builder, unit.blocks[0], heading=unit.heading)
        _write_rest(builder, unit)
        return
    subs = dict(unit.sub)
    with builder.node("numbered_paragraph", unit.num):
        depth = builder.depth
        for index, block in enumerate(unit.blocks):
            if index in subs:
                builder.close_to(depth)
                builder.open("paragraph", subs[index])
            _write_block(builder, block, continued=index > 0)
        builder.close_to(depth)


def _write_rest(builder: DocumentBuilder, unit: _Unit) -> None:
    for block in unit.blocks[1:]:
        _write_block(builder, block, continued=True)


def _write_block(builder: DocumentBuilder, block: Block, *, heading: bool = False, continued: bool = False) -> None:
    # A segment's first block stands apart from the segment before it, whatever its format says.
    fresh = builder.current is not None and builder.current.start < 0
    start, end = builder.add(
        block.text, separator="\n" if block.joined and not fresh else "\n\n", offsets=list(block.offsets) or None
    )
    if not block.in_flow:
        number = re.match(r"\[?(\d{1,3}|\*)", block.text) if block.style == "footnote" else None
        builder.leaf(OUT_OF_FLOW[block.style or ""], start, end, number[1] if number else None)
    elif heading:
        builder.leaf("heading", start, end)
    elif block.style in ("quotation", "table"):
        builder.leaf(block.style, start, end)
    elif continued and block.style is None and _QUOTATION.match(block.text):
        builder.leaf("quotation", start, end)
