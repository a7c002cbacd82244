"""Parse the paragraphs of official prints of Swedish statutes (SFS, AFS, NFS …): amending acts and agency regulations.

The number is not in the text but in a box or a page header, so the caller passes the text printed there.
Not here: pages and paragraphs (`parsing.pdf`), prints that were flattened to one line (`sweden.amendment_text`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.amending_act import amending_metadata, announced_sections, warnings_of_missing
from legal_pipeline.parsing.sweden.identity import base_law, document_type
from legal_pipeline.parsing.sweden.work_identity import swedish_document
from legal_pipeline.parsing.sweden.writer import ALLMANT_RAD, StatuteWriter, section_sign
from legal_pipeline.text.dates import commencement, first_date
from legal_pipeline.text.normalise import one_line

NAME = "swedish_print"
VERSION = "4"

_NUMBER = re.compile(r"\b(?P<series>[A-ZÅÄÖ]{1,8}FS)\s+(?P<number>\d{4}:\d{1,4})\b")
_TITLE = re.compile(
    r"(?P<title>(?:Lag|Förordning|Kungörelse|Tillkännagivande|"
    r"[A-ZÅÄÖ][\w-]*(?: [\w-]+){0,4}? (?:föreskrifter|allmänna råd|kungörelse))\b.{5,600}?)[;,.]?"
)
_ISSUED = re.compile(r"(?:utfärdad|beslutade?|utfärdade)\s+(?:den\s+)?(?P<date>\d{1,2} \w+ \d{4})", re.IGNORECASE)
_ENACTING = re.compile(r"\bföreskriv(?:s|er)\b|\bbeslutar\b|\bförordnas\b")
_CHAPTER = re.compile(r"(?P<num>\d{1,3}(?: ?[a-z])?) kap\.(?:\s+(?P<heading>\S.{0,150}))?")
_SECTION = re.compile(r"(?P<sign>\d{1,3}(?: ?[a-z])? ?§)\s+(?=[A-ZÅÄÖ”\"–(/]|\d{1,2}\. |har upphävts)")
_ITEM = re.compile(r"(?P<marker>\d{1,2}\.|[a-z]\)|[–—•-])\s+(?=\S)")
#: "–H334": a dash that lost its space is a marker only in a list with such dashes.
_GLUED_ITEM = re.compile(r"(?P<marker>[–—•-])(?=[^\W\d])")
_SCHEDULE = re.compile(r"Bilaga(?: (?P<num>\d{1,2}[A-Z]?|[A-Z]))?(?:[.:]?\s+(?P<heading>\S.{0,200}))?")
_CLOSING = re.compile(
    r"(?:\d{1,2}\. )?(?:Denna|Dessa) (?:lag|förordning|kungörelse|författning|föreskrifter|allmänna råd|ändring)\b.{0,120}?"
    r"(?:träder i kraft|upphör att gälla)", re.DOTALL
)  # fmt: skip
_ACT_NUMBER = re.compile(r"[A-ZÅÄÖ]{1,8}FS (?P<number>\d{4}:\d{1,4})")
_SIGNATURE = re.compile(r"På (?:regeringens|myndighetens) vägnar\b")
_ADVICE = re.compile(r"Allmänna råd(?: till .{1,80})?")
_TOC_ENTRY = re.compile(r"\.{4,}\s*\d{0,3}$|\S\s\d{1,3}$")
_HEADING_CHARS = 160


def parse_swedish_print(
    source: SourceFile, paragraphs: Sequence[str], headings: Sequence[bool], beside: Sequence[str]
) -> Document | None:
    """Parse `paragraphs` in reading order; `headings` marks paragraphs in larger type, `beside` is the text of boxes and headers.

    Returns None for other documents: no number in `beside`, no title with its date, or neither enacting words nor a § after the title.
    """
    number = _NUMBER.search(one_line(" ".join(beside))) or _NUMBER.search(one_line(" ".join(paragraphs[:12])))
    place = _issued_at(paragraphs)
    if number is None or place is None:
        return None
    first, title, date = place
    following = paragraphs[first : first + 6]
    if not any(_ENACTING.search(text) or _SECTION.match(text) for text in following):
        return None
    series = number["series"]
    builder = DocumentBuilder()
    writer = _Print(builder, paragraphs, headings)
    writer.write(first)
    amending = amending_metadata(title, writer.enacting) if base_law(title) else {}
    return swedish_document(
        builder,
        source,
        series,
        number["number"],
        title=title,
        doc_type=document_type(title, series, number["number"]),
        format=NAME,
        parser_version=VERSION,
        warnings=warnings_of_missing(announced_sections(amending), _sections(builder)),
        metadata={
            "issued": first_date(date, "swe"),
            "in_force": commencement(" ".join(writer.closing), "swe"),
            **amending,
        },
    )


def _sections(builder: DocumentBuilder) -> set[tuple[str, str]]:
    """Return (chapter, §) of the sections of the print."""
    found: set[tuple[str, str]] = set()
    for node in builder.nodes:
        inside = [node] if node.type == "section" else [child for child in node.children if child.type == "section"]
        chapter = node.num or "" if node.type == "chapter" else ""
        found.update((chapter, section.num or "") for section in inside)
    return found


def _issued_at(paragraphs: Sequence[str]) -> tuple[int, str, str] | None:
    """Return (index of the paragraph with the date of issue, title, date in words), or None without a dated title."""
    for index, text in enumerate(paragraphs):
        issued = _ISSUED.search(text)
        if issued is None or issued.start() > 600:
            continue
        lead = text[: issued.start()].strip()
        start = index
        while not _TITLE.match(lead) and start > 0 and index - start < 6:
            start -= 1
            lead = f"{paragraphs[start]} {lead}"
        if match := _TITLE.match(one_line(lead)):
            title = one_line(lead).rstrip(" ;,.")
            return index, title if len(title) < 700 else match["title"], issued["date"]
    return None


class _Print:
    """Read the paragraphs in order: cover and title, enacting words, provisions, commencement, signature, schedules."""

    def __init__(self, builder: DocumentBuilder, paragraphs: Sequence[str], headings: Sequence[bool]) -> None:
        self._builder = builder
        self._writer = StatuteWriter(builder)
        self._paragraphs = paragraphs
        self._headings = headings
        self._advice = self._is_closing = False
        self._items: list[str] = []
        self.enacting = ""
        self.closing: list[str] = []

    def write(self, issued: int) -> None:
        cover = [text for text in self._paragraphs[: issued + 1] if text]
        toc = [bool(_TOC_ENTRY.search(text)) for text in cover]
        self._write_cover(cover, toc)
        body = issued + 1
        first = next((i for i in range(body, len(self._paragraphs)) if self._opens_provision(i)), len(self._paragraphs))
        enacting: list[str] = []
        index = body
        while index < first and not self._is_heading(index):
            if not enacting:
                self._writer.preamble()
            enacting.append(self._paragraphs[index])
            self._stycke(self._paragraphs[index])
            index += 1
        self._writer.close_preamble()
        self.enacting = " ".join(enacting)
        for at in range(index, len(self._paragraphs)):
            self._paragraph(at)
        self._writer.finish()

    def _write_cover(self, cover: Sequence[str], toc: Sequence[bool]) -> None:
        entries = sum(toc)
        index = 0
        while index < len(cover):
            end = index
            inside = entries >= 3 and toc[index]
            while end < len(cover) and (entries >= 3 and toc[end]) == inside:
                end += 1
            with self._builder.node("toc" if inside else "header"):
                for text in cover[index:end]:
                    self._builder.add(text)
            index = end

    def _opens_provision(self, index: int) -> bool:
        text = self._paragraphs[index]
        return bool(_SECTION.match(text) or _CHAPTER.fullmatch(text))

    def _paragraph(self, index: int) -> None:
        text, is_large = self._paragraphs[index], self._headings[index]
        schedule, chapter = _SCHEDULE.fullmatch(text), _CHAPTER.fullmatch(text)
        if schedule is not None and (is_large or (len(text) < 60 and self._is_closing)):
            self._advice = self._is_closing = False
            self._writer.schedule(schedule["num"], schedule["heading"], text)
        elif act := _ACT_NUMBER.fullmatch(text):
            self._begin_closing()
            self._advice = False
            self._writer.transitional_act(act["number"], text)
        elif self._is_closing and (_SIGNATURE.match(text) or self._ends_print(text)):
            self._writer.aside("signature", text)
        elif self._is_closing or _CLOSING.match(text):
            self._begin_closing()
            self.closing.append(text)
            self._stycke(text)
        elif chapter is not None and (is_large or len(text) < _HEADING_CHARS) and text[-1] not in ";,":
            self._advice = False
            self._writer.chapter(chapter["num"], chapter["heading"], text)
        elif section := _SECTION.match(text):
            self._advice, self._items = False, []
            self._writer.section(section_sign(section["sign"].replace("§", " §")))
            self._stycke(text[section.end() :])
        elif _ADVICE.fullmatch(text):
            self._advice, self._items = True, []
            self._writer.stycke(text, role=ALLMANT_RAD)
        elif self._is_heading(index):
            self._advice, self._items = False, []
            self._writer.heading(text)
        else:
            self._stycke(text)

    def _begin_closing(self) -> None:
        """Open the commencement, if it is not open."""
        if not self._is_closing:
            self._advice, self._is_closing = False, True
            self._writer.transitional()

    def _stycke(self, text: str) -> None:
        item = _ITEM.match(text)
        if item is None and (glued := _GLUED_ITEM.match(text)) and glued["marker"] in self._items:
            item = glued
        if item is None:
            self._items = []
            self._writer.stycke(text, role=ALLMANT_RAD if self._advice else None)
            return
        kind = re.sub(r"\d+", "1", re.sub(r"[a-z]", "a", item["marker"]))
        if kind in self._items:
            del self._items[self._items.index(kind) + 1 :]
        else:
            self._items.append(kind)
        self._writer.item(item["marker"], text[item.end() :], level=len(self._items) - 1)

    def _is_heading(self, index: int) -> bool:
        """Whether a paragraph is in larger type, or is a short line without a full stop directly above a provision."""
        text = self._paragraphs[index]
        if len(text) > _HEADING_CHARS or text[-1] in ".;,:" or _ITEM.match(text):
            return False
        if self._headings[index]:
            return True
        following = index + 1
        return following < len(self._paragraphs) and self._opens_provision(following) and text[:1].isupper()

    def _ends_print(self, text: str) -> bool:
        """Whether a paragraph after the commencement is a name or an office: short, without a full stop."""
        return len(text) < 80 and text[-1] not in ".;:" and bool(self.closing) and not _ITEM.match(text)
