"""Acts exported to HTML by word processors: paragraphs without classes; styling and order give the hierarchy.

Not here: reading the page (`readers.html`) or the Word file (`readers.word`), the layout of a section's text (`building.provision_body`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import LIKELY, NEAR, NO, POSSIBLE, Format
from legal_pipeline.building.provision_body import Aside, Heading, write_body
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.jurisdictions.countries import country_named
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import DOC_TYPES, STATUTES, UNKNOWN_COUNTRY, document_id
from legal_pipeline.numbering.numerals import roman_value
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.generic.identity import doc_type
from legal_pipeline.parsing.readers.html import page_blocks
from legal_pipeline.parsing.recogniser.signs import reads_as_agreement

NAME = "importer_html"
VERSION = "9"

_STRUCTURE = re.compile(
    r"(?P<kind>PART|CHAPTER|DIVISION|SUB-?\s?PART)\s*:?\s*(?P<num>[IVXLC]+|\d+[A-Z]?|[A-Za-z])\b\s*[:.–—-]*\s*(?P<heading>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
#: In capitals and alone on its line, a division needs no styling of a heading: some programs lose the centring.
_STRUCTURE_ALONE = re.compile(r"(?:PART|CHAPTER)\s+(?:[IVXLC]+|\d{1,3}[A-Z]?|[A-Z])")
_SECTION = re.compile(r"(?P<num>\d{1,3}[A-Z]{0,2})\s*\.?\s+(?P<heading>\S.*)\Z", re.DOTALL)
_SCHEDULE = re.compile(
    r"(?P<name>(?:(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|SEVENTH|EIGHTH|NINTH|TENTH|ELEVENTH|TWELFTH)\s+)?SCHEDULE"
    r"(?:\s+(?P<num>\d+[A-Z]?|[IVXLC]+))?)\b\s*(?P<rest>.*)\Z",
    re.DOTALL,
)
_ENTRY = re.compile(r"\d{1,3}[A-Z]{0,2}\s*\.\s*\S")
_ARRANGEMENT = re.compile(
    r"(?:arrangement of (?:sections|paragraphs|regulations|rules)|table of contents|contents)\Z", re.IGNORECASE
)
_LIST_TITLE = re.compile(r"(?:sections?|paragraphs?|regulations?|titles?|rules?)\Z", re.IGNORECASE)
_LONG_TITLE = re.compile(r"(?:An Act to\b|AN ACT to\b|To (?=[a-z]))")
_ENACTING = re.compile(r"(?:be it (?:therefore )?enacted|enacted by the)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_PRINTER = re.compile(r"printed by (?:the )?government printer", re.IGNORECASE)
_CITED_AS = re.compile(r"(?:cited|known) as the (?P<title>.{3,150}?\bAct)\b(?:\s*[,[]|\.|$| and)")
_CHAPTER = re.compile(r"\bCap(?:\.|ter)?\s*(\d+:\d+)|\[\s*Chapter:?\s*(\d+:\d+)\s*\]")
#: A revised edition of all laws gives each Act a chapter number: this line is a title, not a chapter of the Act.
_VOLUME = re.compile(r"^CHAPTER (\d+[A-Z]?)()\s.{3,150}\bACT$", re.MULTILINE)
#: The number of a notice that published an Act or brought it into force is not the number of the Act.
_NOTICE = re.compile(
    r"\b(?:G\.?\s?N\.?|L\.?\s?N\.?|S\.?\s?I\.?|(?:Government|Legal|General) Notices?|Gazette)\s*Nos?\.?[^\n]{0,30}",
    re.IGNORECASE,
)
_ACT_NUMBER = re.compile(r"\bNos?\.\s*(?P<num>\d+[A-Z]?)\s*(?:/|\s+of\s+)\s*(?P<year>\d{4})")
_TYPES = {"part": "part", "chapter": "chapter", "division": "division", "subpart": "subpart"}
_LEVELS = {"schedule": 0, "chapter": 0, "part": 1, "subpart": 2, "division": 2, "section": 3}
#: Kinds of paragraphs that are not text of the provision above them.
_OUTSIDE_BODY = frozenset({"structure", "section", "schedule", "front", "toc"})


@dataclass(frozen=True, slots=True)
class _Mark:
    """The kind of a paragraph: front, toc, structure, section, schedule, heading, body, footnote, table, running."""

    kind: str
    block: Block
    type: str = ""
    num: str = ""
    heading: str = ""


@dataclass(slots=True)
class _Reader:
    """State of one pass over the paragraphs."""

    marks: list[_Mark] = field(default_factory=list)
    section: int = 0
    in_schedule: bool = False


def sniff(source: SourceFile) -> float:
    """Recognise paragraphs with inline styles and the words of an Act. A page with more cells of tables than paragraphs is another format:
    only its notes are such paragraphs."""
    head = source.head
    if _is_stated_as_no_law(source) or head.count("<td") > head.count("<p"):
        return NO
    if "<p" not in head[:8000] or "akn-" in head or "<akomaNtoso" in head:
        return NO
    if not re.search(r"<p\b[^>]*\bstyle=\"[^\"]*(?:margin|text-indent|line-height)", head):
        return NO
    act = re.search(r">\s*(?:PART|CHAPTER)\s+[IVX\d]", head) and re.search(r"\b(?:Act|ACT)\b", head)
    if act and _is_contract([Block(" ".join(_TAG.sub(" ", part).split())) for part in head.split("</p>")]):
        return NO
    known = country_named(head) is not None
    return LIKELY if act and known else POSSIBLE if act else NEAR


def parse(source: SourceFile) -> Document:
    """Parse one Act. Raises `EmptyDocumentError` when no section is found, `LimitExceededError` for too deep nesting."""
    return act_document([item.block for item in page_blocks(source)], source)


def _is_stated_as_no_law(source: SourceFile) -> bool:
    """Whether the hints of `source` state a known document type that is not one of a law."""
    return source.hints.get("doc_type") in DOC_TYPES - STATUTES


def may_be_act(found: Sequence[Block], source: SourceFile) -> bool:
    """Whether at least two sections with headings in bold are found, in a text that is not a contract and is not stated to be
    something other than a law."""
    if _is_stated_as_no_law(source) or sum(mark.kind == "section" for mark in _mark(found)) < 2:
        return False
    return not _is_contract(found)


def _is_contract(found: Sequence[Block]) -> bool:
    return reads_as_agreement(found, "eng") and not any(_LONG_TITLE.match(block.text) for block in found)


def act_document(found: Sequence[Block], source: SourceFile) -> Document:
    """Return the Act in `found`. Raises `EmptyDocumentError` when no section is found."""
    marks = _mark(found)
    if not any(mark.kind == "section" for mark in marks):
        raise EmptyDocumentError(
            "no section was recognised", expected="paragraphs that begin with a number and a heading in bold"
        )
    builder = DocumentBuilder()
    warnings = _write(builder, marks)
    text = builder.text
    title = _title(text, found, source)
    # The text after the first section names other Acts, and other countries more often than its own country.
    front = "\n".join(mark.block.text for mark in marks if mark.kind in ("front", "running"))
    country = (
        str(source.hints.get("jurisdiction") or "") or country_named(front) or country_named(text) or UNKNOWN_COUNTRY
    )
    number = _ACT_NUMBER.search(_NOTICE.sub("", front))
    chapter = _CHAPTER.search(front) or _VOLUME.search(front)
    frbr = WorkIdentity(country, None, "act", (number["year"], number["num"])) if number else None
    return builder.document(
        source,
        document_id=frbr.document_id if frbr else document_id(country, "act", title),
        title=title,
        jurisdiction=country,
        doc_type=doc_type(source.hints.get("doc_type") or "act"),
        language="eng",
        number=frbr.number if frbr else None,
        work_uri=frbr.work_uri if frbr else None,
        warnings=tuple(warnings),
        metadata={
            "year_enacted": int(number["year"]) if number else None,
            "chapter": f"Chapter {chapter.group(1) or chapter.group(2)}" if chapter else None,
        },
    )


def _title(text: str, found: Sequence[Block], source: SourceFile) -> str:
    cited = _CITED_AS.search(text)
    if cited:
        return cited["title"]
    if source.hints.get("title"):
        return str(source.hints["title"])
    return next((item.text for item in found if item.bold and item.centred), found[0].text)[:200]


def _mark(found: Sequence[Block]) -> list[_Mark]:
    running = _running(found)
    toc = _tables_of_contents(found)
    reader = _Reader()
    index = 0
    while index < len(found):
        item = found[index]
        if index in toc:
            reader.marks.append(_Mark("toc", item))
        elif index in running:
            reader.marks.append(_Mark("running", item))
        elif item.kind in ("table", "footnote", "running"):
            reader.marks.append(_Mark(item.kind, item))
        else:
            index = _mark_one(reader, found, index, running)
        index += 1
    return reader.marks


def _mark_one(reader: _Reader, found: Sequence[Block], index: int, running: frozenset[int]) -> int:
    """Mark the paragraph at `index` and the paragraphs of its heading; return the last index used."""
    item = found[index]
    apart = item.centred or item.level > 0 or item.bold
    schedule = _SCHEDULE.match(item.text)
    if schedule and apart and reader.section:
        heading, index = _schedule_heading(found, index, schedule, running)
        ordinal = schedule["num"] or (schedule["name"].split()[0] if " " in schedule["name"] else "")
        reader.in_schedule = True
        reader.marks.append(_Mark("schedule", item, num=ordinal, heading="\n".join(heading)))
        return index
    if not reader.in_schedule:
        structure = _STRUCTURE.match(item.text) if apart or _STRUCTURE_ALONE.fullmatch(item.text) else None
        volume = not reader.section and _VOLUME.match("\n".join(block.text for block in found[index : index + 2]))
        if structure and not volume and _is_structure(structure, item):
            heading, index = _structure_heading(found, index, structure, apart)
            kind = structure["kind"].lower().replace("-", "").replace(" ", "")
            reader.marks.append(_Mark("structure", item, _TYPES[kind], structure["num"], " ".join(heading)))
            return index
        section = _SECTION.match(item.text)
        if section and item.bold and _follows(reader.section, section["num"]):
            reader.section = int(re.match(r"\d+", section["num"])[0])  # type: ignore[index]
            reader.marks.append(_Mark("section", item, num=section["num"], heading=section["heading"].strip()))
            return index
    is_heading = item.italic or item.centred or (item.bold and len(item.text) < 150)
    reader.marks.append(_Mark(("heading" if is_heading else "body") if reader.section else "front", item))
    return index


def _schedule_heading(
    found: Sequence[Block], index: int, schedule: re.Match[str], running: frozenset[int]
) -> tuple[list[str], int]:
    """Return the lines of the heading of a schedule, and the index of the last one."""
    heading = [schedule["rest"]] if schedule["rest"] else []
    while index + 1 < len(found) and _is_heading_line(found[index + 1]) and index + 1 not in running:
        index += 1
        heading.append(found[index].text)
    return heading, index


def _structure_heading(
    found: Sequence[Block], index: int, structure: re.Match[str], apart: bool
) -> tuple[list[str], int]:
    """Return the heading of a division, on its own line or on the next, and the index of its last line."""
    if heading := structure["heading"].strip():
        return [heading], index
    following = index + 1
    if following < len(found) and (
        _is_heading_line(found[following]) or (not apart and _stands_over_a_section(found, following))
    ):
        return [found[following].text], following
    return [], index


def _is_structure(match: re.Match[str], item: Block) -> bool:
    """Whether a match such as `PART IV` is a division, not "Part of the land" or a sentence about a part."""
    num = match["num"]
    lettered = len(num) == 1 and num.islower()
    is_number = not lettered and (num.isdigit() or roman_value(num.lower()) is not None or num.isupper())
    return len(item.text) <= 250 and (is_number or match["kind"].lower().startswith("sub"))


def _follows(last: int, num: str) -> bool:
    """Whether section `num` can follow section `last`; a bold line with a much larger number is not a section."""
    value = int(re.match(r"\d+", num)[0])  # type: ignore[index]
    return last <= value <= last + 10


def _is_heading_line(item: Block) -> bool:
    if item.kind in ("table", "footnote") or _STRUCTURE.match(item.text) or _SCHEDULE.match(item.text):
        return False
    if _LIST_TITLE.match(item.text) or _SECTION.match(item.text):
        return False
    return item.centred and len(item.text) < 250


def _stands_over_a_section(found: Sequence[Block], index: int) -> bool:
    """Whether a short line without styling is directly above the heading of a section or of another division."""
    item = found[index]
    if item.kind != "text" or len(item.text) > 150 or item.text.endswith((".", ";", ":")) or index + 1 >= len(found):
        return False
    after = found[index + 1]
    return not _SECTION.match(item.text) and bool(
        (_SECTION.match(after.text) and after.bold) or _STRUCTURE.match(after.text)
    )


def _running(found: Sequence[Block]) -> frozenset[int]:
    """Return the indices of text that the printer repeated on pages: imprints, page numbers, and repeated Act or chapter numbers."""
    counts = Counter(item.text for item in found if len(item.text) < 80)
    result: set[int] = set()
    for index, item in enumerate(found):
        text = item.text
        page = text.isdigit() and index in (0, len(found) - 1)
        numbered = _CHAPTER.search(text) or re.fullmatch(r"No\.\s*\d+/\d{4}", text)
        if _PRINTER.match(text) or page or (numbered and counts[text] > 1 and index > 10):
            result.add(index)
    # A repeated title may be next to the repeated number and the repeated chapter.
    for index in sorted(result):
        for near in (index - 1, index + 1):
            beside = found[near] if 10 < near < len(found) else None
            if beside and counts[beside.text] > 1 and len(beside.text) < 60 and not beside.bold:
                result.add(near)
    return frozenset(result)


def _tables_of_contents(found: Sequence[Block]) -> frozenset[int]:
    """Return the indices of arrangements of sections: from the title to the place where the numbers begin again."""
    result: set[int] = set()
    first = {item.text: position for position, item in reversed([*enumerate(found)])}
    index = 0
    while index < len(found):
        item = found[index]
        is_above_entry = index + 1 < len(found) and _ENTRY.match(found[index + 1].text)
        if not (_ARRANGEMENT.match(item.text) or (_LIST_TITLE.match(item.text) and is_above_entry)):
            index += 1
            continue
        end = index
        highest = 0
        seen: set[str] = set()
        for position in range(index + 1, len(found)):
            other = found[position]
            entry = _ENTRY.match(other.text)
            structure = _STRUCTURE.match(other.text)
            is_repeated = first[other.text] < index
            if structure and not is_repeated:
                key = f"{structure['kind']} {structure['num']}".lower()
                if key in seen:
                    break
                seen.add(key)
                end = position
            elif entry:
                number = int(re.match(r"\d+", other.text)[0])  # type: ignore[index]
                if number <= highest and (number == 1 or other.bold):
                    break
                highest = max(highest, number)
                end = position
            elif _LIST_TITLE.match(other.text) or (_SCHEDULE.match(other.text) and len(other.text) < 120):
                end = position
            elif is_repeated or _LONG_TITLE.match(other.text) or other.italic or len(other.text) > 200:
                break
        result.update(range(index, end + 1) if highest else ())
        index = end + 1
    return frozenset(result)


def _write(builder: DocumentBuilder, marks: Sequence[_Mark]) -> list[str]:
    warnings: list[str] = []
    seen: set[str] = set()
    body: list[str | Aside | Heading] = []
    levels: list[int] = []
    for mark in marks:
        if mark.kind not in _OUTSIDE_BODY:
            body.append(_body_item(mark))
            continue
        write_body(builder, body)
        body = []
        if mark.kind in ("front", "toc"):
            _front(builder, mark)
            continue
        if mark.kind == "section":
            if mark.num in seen:
                warnings.append(f"section {mark.num} occurs twice")
            seen.add(mark.num)
        _open(builder, levels, mark)
    write_body(builder, body)
    builder.close_to(0)
    return warnings


def _open(builder: DocumentBuilder, levels: list[int], mark: _Mark) -> None:
    """Open the division, section or schedule of `mark`, and write its heading."""
    text = mark.block.text
    type = mark.type or mark.kind
    while levels and levels[-1] >= _LEVELS[type]:
        builder.close()
        levels.pop()
    levels.append(_LEVELS[type])
    builder.open(type, mark.num or None, mark.heading.replace("\n", " ") or None)
    builder.heading(text)
    for line in mark.heading.split("\n"):
        if line not in text:
            builder.heading(line)


def _body_item(mark: _Mark) -> str | Aside | Heading:
    text = mark.block.text
    if mark.kind == "heading":
        return Heading(text)
    if mark.kind in ("table", "footnote"):
        return Aside(text, mark.kind)
    if mark.kind == "running":
        kind = "page_number" if text.isdigit() else "running_footer" if _PRINTER.match(text) else "running_header"
        return Aside(text, kind)
    return text


def _front(builder: DocumentBuilder, mark: _Mark) -> None:
    text = mark.block.text
    if mark.kind == "toc":
        current = builder.current
        last = (current.children if current is not None else builder.nodes)[-1:]
        start, end = builder.add(text)
        if last and last[0].type == "toc":
            last[0].end = end
        else:
            builder.leaf("toc", start, end)
        return
    kind = "longtitle" if _LONG_TITLE.match(text) else "preamble" if _ENACTING.match(text) else "header"
    builder.block(text, kind)


FORMAT = Format(NAME, "Act as HTML from a word processor (paragraphs with inline styles)", sniff, parse, VERSION)
