"""Divides the text of one provision into nodes: sub-sections, paragraphs, items, definitions, provisos and editorial remarks.

For sources without structural mark-up (paragraphs of a word processor, a section in one line). Not here: finding the level of a number
(`numbering.search`) and the start of a provision (each format).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from legal_pipeline.building.body_writer import NodeType, Piece, trailing_remark, write_pieces
from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.editorial import REMARK
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.search import NUMBER, TEXT, Event, Placed
from legal_pipeline.numbering.styles import OWN, SIGN, Style, style

#: A number at the start of a text: `(1)`, `(2a)`, `(b)`, `(iv)`, `A.`, `12.`.
_MARKER = re.compile(
    r"(?:\((?P<pair>\d{1,3}[A-Za-z]{0,2}|[a-z]{1,5}\d?|[A-Z]{1,5})\)|(?P<dot>[A-Za-z]|\d{1,3}[A-Z]{0,2})\.(?=\s))\s*"
)
#: A number behind the sign, with an ordinal, a full stop or a colon: `§ 1º`, `§ 1er`, `§ 1.`, `§ 1a.`. Without, it is a reference: "§ 5
#: applies".
SIGNED_NUMBER = rf"{SIGN}\s?(?P<sign>\d{{1,3}}(?:(?!er|o)[a-z]{{1,2}}(?=[.:]))?)(?:\.?[°ºo]|er|[.:])\.?"
#: Some prints leave no space behind a number: `1)the lamp`.
BEFORE_TEXT = r"(?=\s|[^\W\d_](?![).]))"
#: The same for numberings in which brackets distinguish lists: also `a)`, `2 bis.`, `1°`, `(aa)`, `IV -`, `§ 1º`.
_NUMERAL = r"\d{1,3}(?:[ \xa0]?(?:[a-z]|bis|ter|quater|quinquies))?"
_BRACKET_MARKER = re.compile(
    rf"(?:\((?P<pair>{_NUMERAL}|[^\W\d_]{{1,2}}|[ivxlc]{{1,6}}|[IVXLC]{{1,6}})\){BEFORE_TEXT}"
    rf"|(?P<half>{_NUMERAL}|[^\W\d_]{{1,2}}|[ivxlc]{{1,6}}|[IVXLC]{{1,6}})\){BEFORE_TEXT}"
    rf"|(?P<dot>{_NUMERAL}|[^\W\d_]|[IVX]{{1,5}})[.°º](?=\s)|(?P<dash>[IVXLC]{{1,7}})(?=\s[-–—]\s)(?:\s[-–—])?"
    rf"|{SIGNED_NUMBER}{BEFORE_TEXT})\s*"
)
_BRACKETS = {"pair": "()", "half": ")", "dot": ".", "dash": "-", "sign": SIGN}
_QUOTED_TERM = r"[“\"‘]\s?(?P<term>[^“”\"‘’;]{1,90}?)\s?[”\"’]"
_DEFINES = (
    r"(?=[^;.“]{0,240}?\b(?:means?|includes?|denotes?|has the (?:same )?meaning|have the (?:same )?meanings?|"
    r"shall (?:be construed|have the)|refers? to|extends? to|has the definition|–|—)|\s*\[definition)"
)
#: `“court” means—`, `"act" when used with reference to …`, `" certified " [definition repealed by …]`.
DEFINITION = re.compile(r"(?:the |a |an )?" + _QUOTED_TERM + r",?" + _DEFINES)
PROVISO = re.compile(r"Provided\s+(?:that|further|always|also|,|however)", re.IGNORECASE)

_INLINE_MARKER = re.compile(
    r"(?<!\S)(?:\((?P<pair>\d{1,3}[A-Za-z]{0,2}|[a-z]{1,4}\d?|[A-Z]{1,3})\)|(?P<dot>[A-Z])\.)(?=\s)"
)
_INLINE_DEFINITION = re.compile(r"(?:(?<=[—:;\].–-]\s)|(?<=[—:])|\A)" + _QUOTED_TERM + r",?" + _DEFINES)
_INLINE_PROVISO = re.compile(r"(?<=[:;.—,]\s)Provided\s+(?:that|further|always|also)")
#: In a list item a semicolon ends the item: following text in lower case, except an "or" before the next item, belongs to all items.
_INLINE_FLUSH = re.compile(
    r"(?<=;\s)(?!(?:or|and|but|nor)\b)(?=[a-z])|(?<=,\s)(?=(?:shall be|is) guilty of an offence\b)|(?<=;\s)(?=(?:and|but) any such\b)"
)
_CLOSED = re.compile(r"(?:[.;:—–―,\]”\"’*-]|[;,]\s*(?:and/or|and|or|but)|\A(?:and/or|and|or|but))\Z", re.IGNORECASE)
_ANNOUNCED = re.compile(r"[:—–―-][”\"’]?\Z")
_REFERENCE = re.compile(
    r"(?:\b(?:sub-?sections?|sections?|sub-?paragraphs?|paragraphs?|provisos?|clauses?|sub-?clauses?|articles?|regulations?|rules?|items?"
    r"|subsection|par|parts?|of|in|to|under|by|from|with|either|both)|\)\s*(?:,|,?\s*and|,?\s*or|to)|[a-z0-9]\)?\s(?:and|or|to))\Z"
)
#: "paragraphs (a), (b) and": the next number belongs to the reference too.
_IN_A_LIST_OF_NUMBERS = re.compile(
    r"(?<=\S)\s\((?:[a-z]{1,4}|\d{1,3}[a-zA-Z]?|[A-Z])\)(?:\([a-z0-9]+\))*\s*(?:,|,?\s*(?:and|or|to|and/or))?\Z",
    re.DOTALL,
)
_CONTINUES = re.compile(r"[a-z(,;]")
#: A term without quotation marks, as Acts define it whose terms are in bold: "master means the person who …".
_BARE_DEFINITION = re.compile(
    r"(?!(?:which|that|and|or|it|this)\b)[a-z][\w’'-]*(?: [\w’'-]+){0,5},? (?:means|includes|has the (?:same )?meaning)\b"
)


@dataclass(frozen=True, slots=True)
class Aside:
    """A block that is not part of the provision's text: a table, a footnote, a running header."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over the numbered block that follows."""

    text: str


def write_body(
    builder: DocumentBuilder,
    blocks: Sequence[str | Aside | Heading],
    *,
    inline: bool = False,
    numbering: Style | None = None,
    number: str = "",
) -> None:
    """Add `blocks` (canonical text) under the open node of `builder` and close the opened nodes.

    `inline`: a block may contain many numbers one after the other ("… by— (a) giving effect to …; (b) providing …").
    `numbering`: the numbering style of the drafters; None: that of the common law. `number`: the provision's own, which may be printed
    before those of its paragraphs: "45.2(1)" in rule 45.2.
    """
    numbering = numbering or style("common_law")
    pieces: list[Piece] = []
    heading = ""
    for block in blocks:
        if isinstance(block, Aside):
            pieces.append(Piece(block.text, None, node=block.type))
        elif isinstance(block, Heading):
            heading = f"{heading} {block.text}".strip()
        elif not inline and not heading and pieces and _continues(pieces[-1], block, numbering):
            pieces[-1] = replace(pieces[-1], text=f"{pieces[-1].text} {block}")
        else:
            found = _inline_pieces(block, numbering) if inline else _leading_pieces(block, numbering, number)
            if heading and found and _kind(found[0]) == NUMBER:
                found[0] = replace(found[0], heading=heading, print_heading=True)
            elif heading:  # a heading that is not over a number is a separate piece
                pieces.append(Piece(heading, None, node="heading"))
            heading = ""
            pieces.extend(found)
    if heading:
        pieces.append(Piece(heading, None, node="heading"))
    write_pieces(builder, _with_endings(pieces, inline, numbering), numbering, _node_type(numbering), remarks=True)


def _node_type(numbering: Style) -> NodeType:
    def node_type(place: Placed, opened: Sequence[Node]) -> tuple[str, Mapping[str, object]]:
        around = {node.type for node in opened}
        in_provision = bool(around & {"section", "article"}) or "schedule" not in around
        if around & {"paragraph", "item"}:
            return "item", {}
        if place.kind in numbering.subsections and "subsection" not in around and in_provision:
            return "subsection", {}
        return "paragraph", {}

    return node_type


def _kind(piece: Piece) -> str:
    return piece.event.kind if piece.event is not None else ""


def _continues(before: Piece, block: str, numbering: Style) -> bool:
    """Return whether `block` is the rest of a paragraph that a page break divided in the middle of a sentence."""
    if before.event is None or not _CONTINUES.match(block) or _marker(numbering).match(block):
        return False
    if _BARE_DEFINITION.match(block):
        return False
    return before.text[-1:].isalnum() and not _CLOSED.search(before.text)


def _leading_pieces(block: str, numbering: Style, number: str) -> list[Piece]:
    """Return the pieces of a separate block: the numbers at its start, one within the other, and a definition that begins inside it."""
    found: list[re.Match[str]] = []
    position = len(number) if number and block.startswith(f"{number}(") else 0
    marker = _marker(numbering)
    while (match := marker.match(block, position)) and (not found or _is_first(match, numbering)):
        if not numbering.readings(_number(match), _bracket(match)):
            break
        found.append(match)
        position = match.end()
    starts = [0, *(match.start() for match in found[1:])]
    pieces = [
        Piece(
            block[start:end].rstrip(),
            Event(NUMBER, _number(match), OWN if match.start() > start else _bracket(match)),
            " " if index else BLOCK_SEPARATOR,
            " ",
            num=_number(match),
            skip=match.end() - start,
        )
        for index, (match, start, end) in enumerate(zip(found, starts, [*starts[1:], len(block)], strict=False))
    ]
    if not pieces:
        if term := DEFINITION.match(block):
            pieces.append(_definition(block, term, BLOCK_SEPARATOR))
        elif PROVISO.match(block):
            pieces.append(Piece(block, Event("proviso"), node="proviso"))
        else:
            pieces.append(Piece(block, Event(TEXT)))
    return pieces[:-1] + _split_definitions(pieces[-1])


def _marker(numbering: Style) -> re.Pattern[str]:
    return _BRACKET_MARKER if numbering.brackets_tell else _MARKER


def _number(match: re.Match[str]) -> str:
    return match[match.lastgroup or 0]


def _bracket(match: re.Match[str]) -> str:
    return _BRACKETS[match.lastgroup or ""]


def _definition(text: str, match: re.Match[str], glue: str) -> Piece:
    skip = match.end("term") - match.start()
    attributes = {"term": match.group("term")}
    return Piece(text, Event("definition"), glue=glue, node="definition", attributes=attributes, skip=skip)


def _is_first(match: re.Match[str], numbering: Style) -> bool:
    """Return whether it is the first number of a list: only such a number follows directly after another: `2. (1)`, `(1) (a)`, `2. a.`."""
    number = _number(match)
    is_sure = match.lastgroup != "dot" or numbering.brackets_tell or number == "a"  # "1. A. Smith"
    return is_sure and number in ("1", "a", "i", "A")


def _split_definitions(piece: Piece) -> list[Piece]:
    """Split `(e) gas; “hazard” means …`: two definitions that the page prints in one paragraph."""
    cuts = [match for match in _INLINE_DEFINITION.finditer(piece.text) if match.start() > piece.skip + 1]
    cuts = [cut for cut in cuts if piece.text[: cut.start()].rstrip().endswith(";")]
    if not cuts:
        return [piece]
    ends = [*(cut.start() for cut in cuts[1:]), len(piece.text)]
    first = replace(piece, text=piece.text[: cuts[0].start()].rstrip())
    return [
        first,
        *(_definition(piece.text[cut.start() : end].rstrip(), cut, " ") for cut, end in zip(cuts, ends, strict=True)),
    ]


def _inline_pieces(block: str, numbering: Style) -> list[Piece]:
    """Cut a block at everything that may be a number, a definition, a proviso or the words after a list."""
    cuts: dict[int, Piece] = {0: Piece("", Event(TEXT))}
    remarks = [match.span() for match in REMARK.finditer(block)]
    for match in _INLINE_PROVISO.finditer(block):
        cuts[match.start()] = Piece("", Event("proviso"), glue=" ", node="proviso")
    for match in _INLINE_DEFINITION.finditer(block):
        cuts[match.start()] = _definition("", match, " ")
    for match in _INLINE_MARKER.finditer(block):
        num = _number(match)
        if any(start < match.start() < end for start, end in remarks) or not numbering.readings(num, _bracket(match)):
            continue
        if (
            match["pair"] is None
            and not _ANNOUNCED.search(block[: match.start()].rstrip())
            and not re.search(r"[;,]\s*(?:or|and)?\s*\Z", block[: match.start()])
        ):
            continue
        skip = match.end() - match.start() + 1
        cuts[match.start()] = Piece("", Event(NUMBER, num, _bracket(match)), glue=" ", num=num, skip=skip)
    positions = sorted(cuts)
    pieces: list[Piece] = []
    for start, end in zip(positions, [*positions[1:], len(block)], strict=True):
        text = block[start:end].strip()
        if not text:
            continue
        piece = replace(cuts[start], text=text)
        is_item = piece.num is not None and not piece.num[0].isdigit()
        flush = _INLINE_FLUSH.search(text) if is_item else None
        if flush is not None:
            pieces.append(replace(piece, text=text[: flush.start()].rstrip()))
            pieces.append(Piece(text[flush.start() :], Event(TEXT), glue=" "))
        else:
            pieces.append(piece)
    return pieces


def _with_endings(pieces: Sequence[Piece], inline: bool, numbering: Style) -> list[Piece]:
    """Return `pieces` with facts from the text before each: whether a clause ended, a list was announced, or a reference begun."""
    out: list[Piece] = []
    before = ""
    alone = False
    for piece in pieces:
        event = piece.event
        if event is None:
            out.append(piece)
            continue
        closed, announced, reference = True, alone, False
        if before and not alone and not piece.heading:
            closed, announced, reference = _ending(before)
        if event.kind == NUMBER:
            reference = reference or (inline and not closed and not announced)
            event = replace(event, closed=closed, announced=announced, reference=reference)
        elif event.kind == TEXT:
            event = replace(event, closed=_ending(before)[0] if before else True)
        out.append(replace(piece, event=event))
        # A number that begins a provision and has no text is followed by the first number of the level below.
        alone = event.kind == NUMBER and closed and bool(_marker(numbering).fullmatch(piece.text))
        before = f"{before} {piece.text}"[-300:] if inline else piece.text
    return out


def _ending(text: str) -> tuple[bool, bool, bool]:
    """Return (ends like a clause, announces a list, ends like the start of a reference)."""
    stripped = text.rstrip()
    if trailing_remark(stripped) is not None:
        return True, False, False
    announced = bool(_ANNOUNCED.search(stripped[-4:]))
    closed = announced or bool(_CLOSED.search(stripped if len(stripped) < 20 else stripped[-20:]))
    # The deciding characters are at the very end; a search through the whole text would make long sections slow.
    if _IN_A_LIST_OF_NUMBERS.search(stripped[-60:]):
        return False, False, True
    return closed, announced, not closed and bool(_REFERENCE.search(stripped[-40:]))
