"""Lays out the text of one provision: sub-sections, paragraphs, items, definitions, provisos and editorial remarks as nodes.

For sources that mark no structure of their own (paragraphs of a word processor, a section in one line). Not here: which level a
number belongs to (`numbering.search`) and where a provision begins (each format).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.editorial import REMARK, Remark, read_remark
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.search import Event, Placed, resolve
from legal_pipeline.numbering.styles import Style, style

#: A number at the start of a text: `(1)`, `(2a)`, `(b)`, `(iv)`, `A.`, `12.`.
MARKER = re.compile(
    r"(?:\((\d{1,3}[A-Za-z]{0,2}|[a-z]{1,5}\d?|[A-Z]{1,5})\)|([A-Z])\.(?=\s)|(\d{1,3}[A-Z]{0,2})\.(?=\s))\s*"
)
_QUOTED_TERM = r"[“\"‘]\s?(?P<term>[^“”\"‘’;]{1,90}?)\s?[”\"’]"
_DEFINES = (
    r"(?=[^;.“]{0,240}?\b(?:means?|includes?|denotes?|has the (?:same )?meaning|have the (?:same )?meanings?|"
    r"shall (?:be construed|have the)|refers? to|extends? to|has the definition|–|—)|\s*\[definition)"
)
#: `“court” means—`, `"act" when used with reference to …`, `" certified " [definition repealed by …]`.
DEFINITION = re.compile(r"(?:the |a |an )?" + _QUOTED_TERM + r",?" + _DEFINES)
PROVISO = re.compile(r"Provided\s+(?:that|further|always|also|,|however)", re.IGNORECASE)

_INLINE_MARKER = re.compile(r"(?<!\S)(?:\((\d{1,3}[A-Za-z]{0,2}|[a-z]{1,4}\d?|[A-Z]{1,3})\)|([A-Z])\.)(?=\s)")
_INLINE_DEFINITION = re.compile(r"(?:(?<=[—:;\].–-]\s)|(?<=[—:])|\A)" + _QUOTED_TERM + r",?" + _DEFINES)
_INLINE_PROVISO = re.compile(r"(?<=[:;.—,]\s)Provided\s+(?:that|further|always|also)")
#: Inside a list item a semicolon ends the item: what follows in lower case, and is no "or" before the next one, belongs to all.
_INLINE_FLUSH = re.compile(
    r"(?<=;\s)(?!(?:or|and|but|nor)\b)(?=[a-z])|(?<=,\s)(?=(?:shall be|is) guilty of an offence\b)|(?<=;\s)(?=(?:and|but) any such\b)"
)
_CLOSED = re.compile(r"(?:[.;:—–―,\]”\"’*-]|[;,]\s*(?:and/or|and|or|but)|\A(?:and/or|and|or|but))\Z", re.IGNORECASE)
_ANNOUNCED = re.compile(r"[:—–―-][”\"’]?\Z")
_REFERENCE = re.compile(
    r"(?:\b(?:sub-?sections?|sections?|sub-?paragraphs?|paragraphs?|provisos?|clauses?|sub-?clauses?|articles?|regulations?|rules?|items?"
    r"|subsection|par|parts?|of|in|to|under|by|from|with|either|both)|\)\s*(?:,|,?\s*and|,?\s*or|to)|[a-z0-9]\)?\s(?:and|or|to))\Z"
)
#: "paragraphs (a), (b) and": the next number is one more of those referred to.
_IN_A_LIST_OF_NUMBERS = re.compile(
    r"(?<=\S)\s\((?:[a-z]{1,4}|\d{1,3}[a-zA-Z]?|[A-Z])\)(?:\([a-z0-9]+\))*\s*(?:,|,?\s*(?:and|or|to|and/or))?\Z",
    re.DOTALL,
)
_CONTINUES = re.compile(r"[a-z(,;]")

#: Which open node an editorial remark speaks of, by its first word.
_REMARK_TARGETS = {
    "subsection": ("subsection",),
    "paragraph": ("paragraph", "item"),
    "paragraphs": ("subsection", "section"),
    "subparagraph": ("item", "paragraph"),
    "definition": ("definition",),
    "proviso": ("proviso", "subsection", "section"),
    "section": ("section", "article"),
    "schedule": ("schedule",),
    "part": ("part",),
}


@dataclass(frozen=True, slots=True)
class Aside:
    """A block that stands in the flow without being part of it: a table, a footnote, a running header."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over the numbered block that follows."""

    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text that may begin a node; `separator` stands before it when it does, `glue` when it does not."""

    text: str
    kind: str
    separator: str
    glue: str
    num: str = ""
    bracket: str = "()"
    term: str = ""
    skip: int = 0
    heading: str = ""


def write_body(
    builder: DocumentBuilder,
    blocks: Sequence[str | Aside | Heading],
    *,
    inline: bool = False,
    numbering: Style | None = None,
) -> None:
    """Add `blocks` (canonical text) under the open node of `builder` and close what was opened.

    `inline`: a block may hold many numbers one after the other ("… by— (a) giving effect to …; (b) providing …").
    `numbering`: how its drafters number; as in the common law where nothing else is said.
    """
    numbering = numbering or style("common_law")
    pieces: list[_Piece] = []
    asides: dict[int, list[Aside]] = {}
    for block in blocks:
        if isinstance(block, Aside):
            asides.setdefault(len(pieces), []).append(block)
        elif isinstance(block, Heading):
            pieces.append(_Piece(block.text, "heading", BLOCK_SEPARATOR, BLOCK_SEPARATOR))
        elif inline:
            pieces.extend(_inline_pieces(block, numbering))
        elif pieces and len(pieces) not in asides and _continues(pieces[-1], block):
            pieces[-1] = replace(pieces[-1], text=f"{pieces[-1].text} {block}")
        else:
            pieces.extend(_leading_pieces(block, numbering))
    pieces, asides = _with_headings(pieces, asides)
    placed = resolve(_events(pieces, inline), numbering)
    base = builder.depth
    inherited = {node.type for node in builder.open_nodes}
    for index, (piece, place) in enumerate(zip(pieces, placed, strict=True)):
        following = placed[index + 1] if index + 1 < len(placed) else None
        keep = base + following.level if following is not None and following.level >= 0 else base
        if following is not None and following.level < 0:
            keep = len(builder.open_nodes)
        _write_asides(builder, asides.get(index, ()))
        _write(builder, piece, place, base, keep, inherited)
    _write_asides(builder, asides.get(len(pieces), ()))
    builder.close_to(base)


def _write_asides(builder: DocumentBuilder, asides: Sequence[Aside]) -> None:
    for aside in asides:
        builder.block(aside.text, aside.type)


def _with_headings(pieces: list[_Piece], asides: dict[int, list[Aside]]) -> tuple[list[_Piece], dict[int, list[Aside]]]:
    """Headings handed to the piece that follows; one over no number stands for itself, as an aside."""
    result: list[_Piece] = []
    moved: dict[int, list[Aside]] = {}
    heading = ""
    for index, piece in enumerate(pieces):
        moved.setdefault(len(result), []).extend(asides.get(index, ()))
        if piece.kind == "heading":
            heading = f"{heading} {piece.text}".strip()
            continue
        if heading and piece.kind == "number":
            piece = replace(piece, heading=heading)
        elif heading:
            moved[len(result)].append(Aside(heading, "heading"))
        heading = ""
        result.append(piece)
    moved.setdefault(len(result), []).extend(asides.get(len(pieces), ()))
    if heading:
        moved[len(result)].append(Aside(heading, "heading"))
    return result, moved


def _continues(before: _Piece, block: str) -> bool:
    """Whether `block` is the rest of a paragraph that the page broke in the middle of a sentence."""
    if before.kind == "heading" or not _CONTINUES.match(block) or MARKER.match(block):
        return False
    return before.text[-1:].isalnum() and not _CLOSED.search(before.text)


def _write(builder: DocumentBuilder, piece: _Piece, place: Placed, base: int, keep: int, inherited: set[str]) -> None:
    text, trailing = _without_trailing_remarks(piece.text)
    if place.level < 0:
        builder.add(text, separator=piece.glue)
    else:
        builder.close_to(base + place.level)
        node = _open(builder, piece, place, base, inherited)
        whole = text or (trailing.pop(0) if trailing else "")
        if piece.heading and node is not None:
            node.heading = piece.heading
            builder.heading(piece.heading)
            builder.add(whole)
        else:
            start, end = builder.add(whole, separator=piece.separator)
            if node is not None:
                node.start = start
        if node is not None and _is_repealed(whole[piece.skip :].lstrip(' ”"’')):
            node.status = "repealed"
        text = whole
    end = builder.position
    for match in REMARK.finditer(text):
        remark = read_remark(match.group())
        if remark is not None:
            at = end - len(text) + match.start()
            builder.remark(at, at + len(match.group()), remark.amendments)
            credit(builder, remark)
    for raw in trailing:
        remark = read_remark(raw)
        depth = _target_depth(builder, remark, base) if remark is not None else builder.depth
        builder.close_to(max(depth, min(keep, builder.depth)))
        start, end = builder.add(raw)
        builder.remark(start, end, remark.amendments if remark is not None else ())
        if remark is not None:
            credit(builder, remark)


def _open(builder: DocumentBuilder, piece: _Piece, place: Placed, base: int, inherited: set[str]) -> Node | None:
    if place.kind == "text":
        return None
    if place.kind == "definition":
        return builder.open("definition", attributes={"term": piece.term} if piece.term else {})
    if place.kind == "proviso":
        return builder.open("proviso")
    around = inherited | {node.type for node in builder.open_nodes[base:]}
    if around & {"paragraph", "item"}:
        kind = "item"
    elif place.kind == "digit" and "subsection" not in around and ("section" in around or "schedule" not in around):
        kind = "subsection"
    else:
        kind = "paragraph"
    return builder.open(kind, piece.num)


def _target_depth(builder: DocumentBuilder, remark: Remark, base: int) -> int:
    """How many nodes stay open for a remark that stands in a block of its own."""
    types = _REMARK_TARGETS.get(remark.subject)
    if types is None:
        return base
    opened = builder.open_nodes
    for index in range(len(opened) - 1, -1, -1):
        if opened[index].type in types:
            return max(index + 1, base)
    return base


def credit(builder: DocumentBuilder, remark: Remark) -> None:
    """Note the amendments of `remark` on the open node that it speaks of."""
    types = _REMARK_TARGETS.get(remark.subject, ("section", "article"))
    for node in reversed(builder.open_nodes):
        if node.type in types:
            node.amendments += remark.amendments
            return
    if builder.current is not None:
        builder.current.amendments += remark.amendments


def _is_repealed(text: str) -> bool:
    remark = read_remark(text.strip())
    return remark is not None and any(item.action in ("repealed", "omitted") for item in remark.amendments[-1:])


def _without_trailing_remarks(text: str) -> tuple[str, list[str]]:
    """(`text` without the editorial remarks at its end, those remarks in order)."""
    remarks: list[str] = []
    while text.endswith("]"):
        match = None
        for match in REMARK.finditer(text):  # noqa: B007 - the last one is wanted
            pass
        if match is None or match.end() != len(text) or read_remark(match.group()) is None:
            break
        rest = text[: match.start()].rstrip()
        if not rest or MARKER.fullmatch(rest) or (rest[-1:] in '”"' and len(rest) < 100):
            break
        remarks.insert(0, match.group())
        text = rest
    return text, remarks


def _leading_pieces(block: str, numbering: Style) -> list[_Piece]:
    """A block of its own: the numbers it begins with, one within the other, and a definition that begins inside it."""
    found: list[re.Match[str]] = []
    position = 0
    while (match := MARKER.match(block, position)) and (not found or _is_first(match)):
        if not numbering.readings(_number(match), _bracket(match)):
            break
        found.append(match)
        position = match.end()
    ends = [*(match.start() for match in found[1:]), len(block)]
    pieces = [
        _Piece(
            block[match.start() : end].rstrip(),
            "number",
            " " if index else BLOCK_SEPARATOR,
            " ",
            _number(match),
            _bracket(match),
            skip=match.end() - match.start(),
        )
        for index, (match, end) in enumerate(zip(found, ends, strict=False))
    ]
    separator = BLOCK_SEPARATOR
    if not pieces:
        if term := DEFINITION.match(block):
            pieces.append(_definition(block, term, separator))
        elif PROVISO.match(block):
            pieces.append(_Piece(block, "proviso", separator, separator))
        else:
            pieces.append(_Piece(block, "text", separator, separator))
    return pieces[:-1] + _split_definitions(pieces[-1])


def _number(match: re.Match[str]) -> str:
    return match.group(1) or match.group(2) or match.group(3)


def _bracket(match: re.Match[str]) -> str:
    return "." if match.group(1) is None else "()"


def _definition(text: str, match: re.Match[str], glue: str) -> _Piece:
    skip = match.end("term") - match.start()
    return _Piece(text, "definition", BLOCK_SEPARATOR, glue, term=match.group("term"), skip=skip)


def _is_first(match: re.Match[str]) -> bool:
    """Only the first number of a list stands behind another number: `2. (1)`, `(1) (a)`."""
    return (match.group(1) or "") in ("1", "a", "i", "A")


def _split_definitions(piece: _Piece) -> list[_Piece]:
    """`(e) gas; “hazard” means …`: two definitions that the page set in one paragraph."""
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


def _inline_pieces(block: str, numbering: Style) -> list[_Piece]:
    """A block cut at everything that may be a number, a definition, a proviso or the words after a list."""
    cuts: dict[int, _Piece] = {0: _Piece("", "text", BLOCK_SEPARATOR, BLOCK_SEPARATOR)}
    remarks = [match.span() for match in REMARK.finditer(block)]
    for match in _INLINE_PROVISO.finditer(block):
        cuts[match.start()] = _Piece("", "proviso", BLOCK_SEPARATOR, " ")
    for match in _INLINE_DEFINITION.finditer(block):
        cuts[match.start()] = _definition("", match, " ")
    for match in _INLINE_MARKER.finditer(block):
        num = match.group(1) or match.group(2)
        if any(start < match.start() < end for start, end in remarks) or not numbering.readings(num, _bracket(match)):
            continue
        if (
            match.group(1) is None
            and not _ANNOUNCED.search(block[: match.start()].rstrip())
            and not re.search(r"[;,]\s*(?:or|and)?\s*\Z", block[: match.start()])
        ):
            continue
        skip = match.end() - match.start() + 1
        cuts[match.start()] = _Piece("", "number", BLOCK_SEPARATOR, " ", num, _bracket(match), skip=skip)
    positions = sorted(cuts)
    pieces: list[_Piece] = []
    for start, end in zip(positions, [*positions[1:], len(block)], strict=True):
        text = block[start:end].strip()
        if not text:
            continue
        piece = replace(cuts[start], text=text)
        is_item = piece.kind == "number" and not piece.num[0].isdigit()
        flush = _INLINE_FLUSH.search(text) if is_item else None
        if flush is not None:
            pieces.append(replace(piece, text=text[: flush.start()].rstrip()))
            pieces.append(_Piece(text[flush.start() :], "text", BLOCK_SEPARATOR, " "))
        else:
            pieces.append(piece)
    return pieces


def _events(pieces: Sequence[_Piece], inline: bool) -> list[Event]:
    events: list[Event] = []
    before = ""
    alone = False
    for piece in pieces:
        kind = piece.kind
        if kind == "number":
            if alone:
                closed, announced, reference = True, True, False
            elif before and not piece.heading:
                closed, announced, reference = _ending(before)
            else:
                closed, announced, reference = True, False, False
            if inline and not closed and not announced:
                reference = True
            events.append(Event("number", piece.num, piece.bracket, closed, announced, reference))
            # A number that begins a provision and has no text of its own is followed by the first of the level below.
            alone = closed and bool(MARKER.fullmatch(piece.text))
        else:
            alone = False
            if kind == "definition":
                events.append(Event("definition"))
            elif kind == "proviso":
                events.append(Event("proviso"))
            else:
                events.append(Event("text", closed=_ending(before)[0] if before else True))
        before = f"{before} {piece.text}"[-300:] if inline else piece.text
    return events


def _ending(text: str) -> tuple[bool, bool, bool]:
    """(ends as a clause ends, announces a list, ends as a reference begins)"""
    stripped = text.rstrip()
    while stripped.endswith("]"):
        match = None
        for match in REMARK.finditer(stripped):  # noqa: B007 - the last one is wanted
            pass
        if match is None or match.end() != len(stripped) or read_remark(match.group()) is None:
            break
        return True, False, False
    announced = bool(_ANNOUNCED.search(stripped[-4:]))
    closed = announced or bool(_CLOSED.search(stripped if len(stripped) < 20 else stripped[-20:]))
    # What counts stands at the very end; a search through the whole text would make long sections slow.
    if _IN_A_LIST_OF_NUMBERS.search(stripped[-60:]):
        return False, False, True
    return closed, announced, not closed and bool(_REFERENCE.search(stripped[-40:]))
