"""Write one section of an Indian Act: heading, body, footnotes, and the amendments that the footnotes record.

Not here: finding the sections of a format, the content of a body (`section_body`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.model.document import Amendment, Node
from legal_pipeline.parsing.india.amendment_notes import read_note
from legal_pipeline.parsing.india.blocks import Paragraph
from legal_pipeline.parsing.india.section_body import is_definitions_section, write_body
from legal_pipeline.text.normalise import collapse_spaces, unwrap

_GONE_HEADING = re.compile(r"\W*(?P<word>repealed|omitted|rep)\W*$", re.I)
#: A body that only records that the section is repealed or omitted: `[Sale defined.] Rep. by s. 65, ibid.`
_GONE_BODY = re.compile(r"(?:\[(?P<heading>[^\]]*)\]\.?\s*)?\W*(?P<word>Rep(?:ealed|\.)|Omitted)(?=\W)", re.I)
_STATUS = {"r": "repealed", "o": "omitted"}
_FOOTNOTE = re.compile(r"(?P<num>\*|\d{1,3})(?:,\s*\d{1,3})?\.\s+(?=\S)")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Footnote:
    num: str
    text: str
    offsets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class SectionText:
    """A section as read from a format. `title_line` is its heading line as printed (`Section 2 - Definitions.`)."""

    num: str
    heading: str | None
    title_line: str
    body: Sequence[Paragraph]
    title_offset: int | None = None
    footnotes: Sequence[Footnote] = ()
    attributes: dict[str, object] = field(default_factory=dict)


@dataclass
class NoteReader:
    """Read the notes of a document in order: "ibid." refers to the Act named in the note before.

    Footnotes and the bodies of repealed sections ("Rep. by s. 65, ibid.") are two separate series.
    """

    footnote_act: str | None = None
    body_act: str | None = None

    def footnote(self, text: str) -> Amendment | None:
        amendment, self.footnote_act = read_note(text, self.footnote_act)
        return amendment

    def body(self, text: str) -> Amendment | None:
        amendment, self.body_act = read_note(text, self.body_act)
        return amendment


def read_footnotes(raw: str, start: int) -> list[Footnote]:
    """Return the notes of a `### Footnotes` list that begins at offset `start` of the raw document.

    A note begins at a line with the next number; paragraphs without a number continue the note before.
    """
    notes: list[tuple[str, list[tuple[str, int]]]] = []
    position = start
    expected = 1
    fresh = True
    for line in raw.split("\n"):
        match = _FOOTNOTE.match(line)
        if match and (not notes or match["num"] in ("*", str(expected)) or (fresh and match["num"].isdigit())):
            notes.append((match["num"], []))
            expected = int(match["num"]) + 1 if match["num"].isdigit() else expected
        elif not notes and line.strip():
            notes.append(("*", []))
        if notes and line.strip():
            notes[-1][1].append((line, position))
        fresh = not line.strip()
        position += len(line) + 1
    read = ((num, unwrap([line for line, _ in lines], [at for _, at in lines])) for num, lines in notes)
    return [Footnote(num, text, tuple(pairs)) for num, (text, pairs) in read]


def write_section(builder: DocumentBuilder, section: SectionText, notes: NoteReader) -> Node:
    """Add the section as one `section` node and return it."""
    body = list(section.body)
    definitions = is_definitions_section(section.heading, body)
    attributes = {"definitions": True, **section.attributes} if definitions else dict(section.attributes)
    heading = collapse_spaces(section.heading or _heading_of_gone(body)).rstrip(". ")
    with builder.node("section", section.num, heading or None, attributes=attributes) as node:
        title, offsets = unwrap([section.title_line], [section.title_offset or 0])
        builder.heading(title, offsets=offsets if section.title_offset is not None else None)
        if body:
            body[0] = _without_run_in_heading(section, body[0])
            body = [paragraph for paragraph in body if paragraph.text]
        marked = write_body(builder, body, definitions=definitions)
        amendments = {note.num: amendment for note in section.footnotes if (amendment := notes.footnote(note.text))}
        _set_status(node, section, body, notes)
        for marks, marked_node in marked:
            found = tuple(amendments[mark] for mark in marks if mark in amendments)
            if marked_node is not node:
                marked_node.amendments = _union(marked_node.amendments, found)
        node.amendments = _union(node.amendments, tuple(amendments.values()))
        for note in section.footnotes:
            leaf = builder.block(note.text, "footnote", note.num, offsets=list(note.offsets) or None)
            leaf.amendments = (amendments[note.num],) if note.num in amendments else ()
    return node


def section_warnings(num: str, body: Sequence[Paragraph], problems: Sequence[str]) -> list[str]:
    """Return the warnings about a section: the `problems` of its paragraphs, or that it has none."""
    return [f"section {num}: {problem}" for problem in (*problems, *(() if body else ("no text",)))]


def _heading_of_gone(body: Sequence[Paragraph]) -> str:
    """Return the heading in brackets of a repealed section without another one: "[Light dues.] Rep. by s. 9, ibid."."""
    gone = _GONE_BODY.match(body[0].text) if body else None
    return (gone["heading"] or "") if gone else ""


def _union(*groups: tuple[Amendment, ...]) -> tuple[Amendment, ...]:
    return tuple(dict.fromkeys(amendment for group in groups for amendment in group))


def _without_run_in_heading(section: SectionText, first: Paragraph) -> Paragraph:
    """Remove the number and heading that a substituted section repeats in its body (`^1[172. Penalty.-- If …`)."""
    start = re.match(rf"\[?{re.escape(section.num)}\.\s*", first.text)
    if start is None or not section.heading:
        return first
    end = re.compile(r"\.\s*(?:--|—|–|-)\s*").search(first.text, start.end())
    if end is None:
        return first
    printed = {word.lower() for word in _WORD.findall(first.text[start.end() : end.start()])}
    known = {word.lower() for word in _WORD.findall(section.heading)}
    # The two headings may differ in a plural or a comma; half of the words must be the same.
    if len(printed & known) * 2 < max(len(printed), len(known)):
        return first
    return first.without(end.end())


def _set_status(node: Node, section: SectionText, body: Sequence[Paragraph], notes: NoteReader) -> None:
    text = " ".join(paragraph.text for paragraph in body)
    in_heading = _GONE_HEADING.match(section.heading or "")
    in_body = _GONE_BODY.match(text) if len(text) < 600 else None
    found = in_heading or in_body
    if found is None:
        return
    node.status = _STATUS[found["word"][0].lower()]
    amendment = notes.body(text)
    if amendment:
        node.amendments = (amendment,)
        node.valid_to = amendment.date
