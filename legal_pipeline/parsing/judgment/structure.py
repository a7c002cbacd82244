"""Write the blocks of a judgment as nodes: header, headnote, background, arguments, issue, motivation, decision, dissent, signature.

`write_judgment(builder, blocks, jurisdiction)` is the only entry point for all formats (text, PDF, Word, HTML).
Not here: reading files, and metadata of a court's cause title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.frame import Frame, Opinion, find_frame, is_heading, split_opinions
from legal_pipeline.parsing.judgment.glued_headings import part_glued_headings
from legal_pipeline.parsing.judgment.paragraph_numbers import lettered_paragraphs, number_paragraphs, titles_above
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases, mark_alone
from legal_pipeline.parsing.judgment.segments import Segment, assign, evidence_of, segments_of
from legal_pipeline.parsing.judgment.units import Evidence, Unit

__all__ = ["Block", "Outline", "write_judgment"]

#: The role of a paragraph is read from this many characters at its beginning.
_EVIDENCE_CHARS = 4000
_QUOTATION = re.compile(r"[“\"‘«]")


@dataclass(frozen=True)
class Outline:
    """Results besides the nodes: blocks of header and signature, separate opinions as (judge, kind).

    In languages without cues the header is all that precedes the body: a headnote may be above the cover, or inside it.
    """

    header: tuple[Block, ...]
    signature: tuple[Block, ...]
    opinions: tuple[tuple[str | None, str], ...]


@dataclass
class _Unit(Unit):
    """A heading, or a paragraph with the unnumbered blocks that continue it."""

    blocks: list[Block] = field(default_factory=list)
    num: str | None = None
    sub: list[tuple[int, str]] = field(default_factory=list)


def write_judgment(
    builder: DocumentBuilder, blocks: Sequence[Block], jurisdiction: str, language: str = "eng"
) -> Outline:
    """Add a whole judgment to `builder`; blocks without text are left out.

    Numbered paragraphs become `numbered_paragraph` nodes inside their segment. A separate opinion is one `dissent` node with its
    segments inside and `attributes` {"judge", "kind": "dissenting" | "separate"}.
    """
    phrases = load_phrases(jurisdiction, language)
    blocks, frame = _framed(blocks, phrases)
    _write_frame_part(builder, "header", blocks[: frame.headnote], phrases)
    _write_frame_part(builder, "headnote", blocks[frame.headnote : frame.body], phrases)
    opinions = split_opinions(blocks, frame.body, frame.signature, phrases)
    for opinion, units in zip(opinions, _units_of(opinions, blocks, frame, phrases), strict=True):
        _write_opinion(builder, units, opinion, phrases)
    _write_frame_part(builder, "signature", blocks[frame.signature : frame.appendix], phrases)
    _write_frame_part(builder, "block", blocks[frame.appendix :], phrases)
    return Outline(
        tuple(blocks[: frame.headnote if phrases.has_cues else frame.body]),
        tuple(blocks[frame.signature : frame.appendix]),
        tuple((opinion.judge, opinion.kind) for opinion in opinions if opinion.kind),
    )


def read_evidence(blocks: Sequence[Block], jurisdiction: str) -> list[list[tuple[Block, Evidence]]]:
    """Return the evidence of `write_judgment`: per opinion, the first block of every unit with its evidence. Used to fit the model."""
    phrases = load_phrases(jurisdiction)
    blocks, frame = _framed(blocks, phrases)
    opinions = split_opinions(blocks, frame.body, frame.signature, phrases)
    found = [evidence_of(units) for units in _units_of(opinions, blocks, frame, phrases)]
    return [[(unit.blocks[0], evidence) for unit, evidence in part] for part in found]


def _framed(blocks: Sequence[Block], phrases: Phrases) -> tuple[list[Block], Frame]:
    parted = part_glued_headings([block for block in blocks if block.text], phrases)
    return parted, find_frame(parted, phrases)


def _write_frame_part(builder: DocumentBuilder, type: str, blocks: Sequence[Block], phrases: Phrases) -> None:
    if not blocks:
        return
    with builder.node(type):
        for block in blocks:
            is_title = block.style in (None, "heading") and phrases.is_cover_title(block.text)
            _write_block(builder, block, heading=is_title)


def _write_opinion(builder: DocumentBuilder, units: Sequence[_Unit], opinion: Opinion, phrases: Phrases) -> None:
    assign(units, phrases)
    depth = builder.depth
    if opinion.kind is not None:
        attributes = {key: value for key, value in (("judge", opinion.judge), ("kind", opinion.kind)) if value}
        builder.open("dissent", None, opinion.judge, attributes=attributes)
    for segment in segments_of(units):
        _write_segment(builder, segment)
    builder.close_to(depth)


def _units_of(
    opinions: Sequence[Opinion], blocks: Sequence[Block], frame: Frame, phrases: Phrases
) -> Iterator[list[_Unit]]:
    """Yield the units of each opinion. Its paragraphs go on from those of the opinion before it, or have numbers of their own."""
    if len(opinions) == 1:
        part = blocks[opinions[0].start : opinions[0].end]
        yield _units(part, _numbers(part, phrases), phrases)
        return
    running = {
        frame.body + index: num for index, num in _numbers(blocks[frame.body : frame.signature], phrases).items()
    }
    for opinion in opinions:
        part = blocks[opinion.start : opinion.end]
        own = _numbers(part, phrases)
        on = {index: running[opinion.start + index] for index in range(len(part)) if opinion.start + index in running}
        yield _units(part, own if len(own) >= len(on) else on, phrases)


def _units(blocks: Sequence[Block], numbers: Mapping[int, str], phrases: Phrases) -> list[_Unit]:
    # "2.1" is a paragraph of its own where its part is announced or shown by its first words; a model reads "2" as a whole.
    are_apart = not phrases.has_cues or all("." in num for num in numbers.values())
    if not phrases.has_cues:
        numbers = {**lettered_paragraphs(blocks, phrases.heading_role), **numbers}
    out: list[_Unit] = []
    main: str | None = None
    titles = titles_above(blocks, numbers)
    for index, block in enumerate(blocks):
        num = numbers.get(index)
        if not block.in_flow:
            if out:
                out[-1].blocks.append(block)
            else:
                out.append(_Unit("", blocks=[block]))
        elif num is not None and (are_apart or "." not in num):
            out.append(_Unit("", blocks=[block], num=num))
        elif num is not None:
            out[-1].sub.append((len(out[-1].blocks), num))
            out[-1].blocks.append(block)
        elif _is_heading(block, phrases) or index in titles or (block.is_plain and phrases.is_cover_title(block.text)):
            role = phrases.heading_role(block.text)
            if phrases.division.match(block.text):
                role = role or main  # "SEGUNDO.- …" is a part of what the heading above all of them announces
            else:
                main = role or main
            out.append(_Unit("", heading=True, announces=role, blocks=[block]))
        elif out and out[-1].num is not None:
            out[-1].blocks.append(block)
        else:
            out.append(_Unit("", blocks=[block]))
    for unit in out:
        unit.text = "\n".join(block.text for block in unit.blocks if block.in_flow)[:_EVIDENCE_CHARS]
    return out


def _numbers(blocks: Sequence[Block], phrases: Phrases) -> dict[int, str]:
    """Return `number_paragraphs`; an order above the reasons has numbers of its own, which are not those of paragraphs."""
    found = number_paragraphs(blocks, phrases.heading_role)
    reasons = next((index for index, block in enumerate(blocks) if _begins_reasons(block, phrases)), 0)
    if not reasons:
        return found
    below = {
        reasons + index: number for index, number in number_paragraphs(blocks[reasons:], phrases.heading_role).items()
    }
    return below if len(below) >= len(found) and next(iter(below.values()), "") == "1" else found


def _begins_reasons(block: Block, phrases: Phrases) -> bool:
    return _is_heading(block, phrases) and phrases.heading_role(block.text) not in (None, "decision")


def _is_heading(block: Block, phrases: Phrases) -> bool:
    """Whether a block looks like a heading, or is one by its words, such as "FOR THESE REASONS, THE COURT,"."""
    is_sure = not phrases.has_cues or block.text.isupper()
    is_mark = block.is_plain and mark_alone(block.text) is not None
    return is_heading(block) or (is_sure and (phrases.heading_role(block.text) is not None or is_mark))


def _write_segment(builder: DocumentBuilder, segment: Segment[_Unit]) -> None:
    with builder.node(segment.type, segment.num, segment.heading):
        for member in segment.members:
            if isinstance(member, Segment):
                _write_segment(builder, member)
            else:
                _write_unit(builder, member)


def _write_unit(builder: DocumentBuilder, unit: _Unit) -> None:
    if unit.num is None:
        for index, block in enumerate(unit.blocks):
            _write_block(builder, block, heading=unit.heading and not index, continued=index > 0)
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


def _write_block(builder: DocumentBuilder, block: Block, *, heading: bool = False, continued: bool = False) -> None:
    # A blank line separates the first block of a segment from the segment before it, even if the format joins the two blocks.
    fresh = builder.current is not None and builder.current.start < 0
    start, end = builder.add(
        block.text, separator="\n" if block.joined and not fresh else "\n\n", offsets=list(block.offsets) or None
    )
    if not block.in_flow:
        number = re.match(r"\[?(\d{1,3}|\*)", block.text) if block.style == "footnote" else None
        builder.leaf(block.style or "", start, end, number[1] if number else None)
    elif heading or block.style in ("quotation", "table"):
        builder.leaf("heading" if heading else block.style or "", start, end)
    elif continued and block.style is None and _QUOTATION.match(block.text):
        builder.leaf("quotation", start, end)
