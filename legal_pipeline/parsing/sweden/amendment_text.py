"""Text extracted from the official prints of amending acts (SFS): one line that also contains page headers, margin numbers and footnotes.

This form does not separate stycken, so each § is one stycke.
Not here: amending acts in HTML (`parsing.sweden.canonical_html`), PDF pages (`parsing.pdf`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.amending_act import amending_metadata, announced_sections, warnings_of_missing
from legal_pipeline.parsing.sweden.header import statute_type
from legal_pipeline.parsing.sweden.work_identity import swedish_document
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline.text.dates import commencement, first_date
from legal_pipeline.text.normalise import joins_without_space, one_line

NAME = "amendment_text"
VERSION = "2"

_SERIES = "Svensk författningssamling"
_NUMBER = re.compile(r"\bSFS (\d{4}:\d+)")
_TITLE = re.compile(
    r"(?P<title>(?:Lag|Förordning|Kungörelse|Tillkännagivande)\b.{5,400}?)[;,]?\s+[Uu]tfärdad\s+den\s+(?P<date>\d{1,2} \w+ \d{4})\.?\s*"
)
_IMPRINT = re.compile(
    r"\s*(?:Utkom från trycket|Publicerad)(?:\s+den \d{1,2} \w+ \d{4})?"
    r"|\s*(?:Fakta Info Direkt|Thomson Reuters Professional AB|Norstedts Juridik(?: AB)?|Fritzes)[^.]{0,40}?tel\. [\d\s-]+"
    r"|\s*(?:Elanders|Edita|Norstedts Tryckeri|Stockholm)[^.]{0,60}?\b(?:19|20)\d\d\b"
)
_PRINTER = re.compile(
    r"\s+(?:Thomson|Fakta|Norstedts|Fritzes|Elanders|Edita)\b[^.]{0,60}(?:\btel\.|\b(?:19|20)\d\d$).*$"
)
_NOTE_START = (
    r"(?:Prop\.|Bet\.|Rskr\.|Jfr\b|Senaste lydelse|Tidigare|Lagen omtryckt|Förordningen omtryckt|Kungörelsen omtryckt|Ändringen innebär|"
    r"Anmäl|Se\s(?:Europa|råd)|Europaparlamentets och rådets direktiv)"
)
_NOTE = re.compile(rf"(?:(?<=\s)|^)(?P<num>\d{{1,2}}) (?={_NOTE_START})")
_SIGN = re.compile(
    r"(?:(?P<chapter>\d{1,3}(?: [a-zåäö])?) kap\. )?(?P<num>\d{1,3}(?: [a-zåäö])?) §(?:\s?(?P<note>\d{1,2}))? (?=[A-ZÅÄÖ”\"]|\d{1,2}\. )"
)
_BROKEN_WORD = re.compile(r"(\w+)- (?=(\w+))")
_TAIL = re.compile(
    r"(?:\d{1,2}\. )?(?:Denna (?:lag|förordning|kungörelse)|Denna författning)\s+träder i kraft|\bPå regeringens vägnar\b"
)
_SIGNATURE = re.compile(r"\bPå regeringens vägnar\b")
#: Footnote digits in the enacting words; "2 kap." and "3 §" are not footnotes.
_NOTE_MARK = re.compile(
    r"(?<=\))\d{1,2}(?=[\s,]|$)|(?:(?<=\))|(?<=beslut)|(?<=föreskrivs))"
    r" \d{1,2}(?= ?,| dels| ska| i fråga| föreskrivs)"
)


def sniff(source: SourceFile) -> float:
    """Recognise one long line whose beginning contains the name of the series, an SFS number and "Utfärdad"."""
    head = source.head[:4_000]
    if _SERIES not in head[:600] or head.lstrip()[:1] in "<{":
        return NO
    return CERTAIN if _TITLE.search(head) and head.count("\n") < 20 else NEAR


def parse(source: SourceFile) -> Document:
    """Parse a print. Raises `ParseError` without a title or number, `TruncatedDocumentError` without a "träder i kraft" at the end."""
    raw = one_line(source.text)
    number = _NUMBER.search(raw)
    head = _TITLE.search(raw, max(raw.find(_SERIES), 0))
    if number is None or head is None:
        raise ParseError(
            "no title of an amending act",
            position="character 0",
            expected="'Lag om ändring i …' with 'utfärdad den …' and an SFS number",
        )
    title = head["title"].strip()
    printed, notes = _without_pages(raw[head.end() :], number[1])
    tail = _TAIL.search(printed)
    if tail is None:
        raise TruncatedDocumentError(
            "the print ends before its commencement",
            position=f"character {len(raw):,}",
            expected="'Denna lag träder i kraft …'",
        )
    body, closing = printed[: tail.start()].strip(), printed[tail.start() :].strip()
    first = _SIGN.search(body)
    enacting = _NOTE_MARK.sub("", body[: first.start()] if first else body).strip()
    metadata = amending_metadata(title, enacting)
    signature = _SIGNATURE.search(closing)
    coming_into_force = closing[: signature.start()].strip() if signature else closing

    builder = DocumentBuilder()
    writer = StatuteWriter(builder)
    writer.preamble()
    writer.stycke(f"Utfärdad den {head['date']}")
    if enacting:
        writer.stycke(enacting)
    warnings = _write_provisions(writer, body[first.start() :] if first else "", announced_sections(metadata))
    if coming_into_force:
        writer.transitional()
        writer.stycke(coming_into_force)
    if signature:
        writer.aside("signature", closing[signature.start() :].strip())
    writer.finish()
    for num, text in notes:
        builder.block(f"{num}) {text}", "footnote", num)
    return swedish_document(
        builder,
        source,
        "SFS",
        number[1],
        title=title,
        doc_type=statute_type(title, number[1]),
        warnings=warnings,
        metadata={
            "issued": first_date(head["date"], "swe"),
            "in_force": commencement(coming_into_force, "swe"),
            **metadata,
        },
    )


def _without_pages(text: str, number: str) -> tuple[str, list[tuple[str, str]]]:
    """Return (the running text without page headers and imprints, the footnotes as (number, text)).

    All of them are at the head or the foot of a page and interrupt sentences.
    """
    out: list[str] = []
    notes: list[tuple[str, str]] = []
    position, page = 0, 1
    mark = f"SFS {number}"
    at = text.find(mark)
    while at >= 0:
        before = text[position:at]
        after = at + len(mark)
        # The page number is before or after the header; the next page may begin with a digit of the text ("2 kap.").
        if numbered := re.search(rf"(?:^|\s){page}\s?$", before):
            before = before[: numbered.start()]
        elif numbered := re.match(rf"\s{page}(?=\s|$)", text[after:]):
            after += numbered.end()
        out.append(_cut_notes(before, notes))
        position, page = after, page + 1
        while imprint := _IMPRINT.match(text, position):
            position = imprint.end()
        at = text.find(mark, position)
    out.append(_cut_notes(text[position:], notes))
    return _join_words(one_line(" ".join(out))), [(num, _join_words(note)) for num, note in notes]


def _cut_notes(page: str, notes: list[tuple[str, str]]) -> str:
    """Return the page without the footnotes at its end, which are appended to `notes`."""
    starts = list(_NOTE.finditer(page))
    if not starts:
        return page
    for match, end in zip(starts, [*(m.start() for m in starts[1:]), len(page)], strict=True):
        if words := _PRINTER.sub("", page[match.end() : end]).strip():
            notes.append((match["num"], words))
    return page[: starts[0].start()]


def _join_words(text: str) -> str:
    """Join words that the print hyphenated at the end of a line."""

    def join(match: re.Match[str]) -> str:
        joined = joins_without_space(f"{match.group(1)}-", match.group(2))
        return match.group() if joined is None else joined

    return _BROKEN_WORD.sub(join, text)


def _write_provisions(writer: StatuteWriter, body: str, announced: Sequence[tuple[str, str]]) -> list[str]:
    """Write the §§ that the enacting words announce, in the order of the text; a sign that is not announced is a reference.

    Returns a warning for each announced § that was not found, and for text before the first announced §.
    """
    found = _announced_signs(body, announced)
    open_chapter = ""
    ends = [*(sign.start() for sign in [*found.values()][1:]), len(body)]
    for ((chapter, section), sign), end in zip(found.items(), ends, strict=False):  # an end too many if none was found
        if chapter and chapter != open_chapter:
            writer.chapter(chapter, None, f"{chapter} kap.")
            open_chapter = chapter
        writer.section(f"{section} §")
        writer.stycke(body[sign.end() : end].strip())
    lead = body[: next(iter(found.values())).start()].strip() if found else body
    warnings = warnings_of_missing(announced, found)
    if lead and lead != body:
        warnings.append(f"text before the first announced provision: {lead[:60]!r}")
    if not found and body:
        writer.stycke(body)
    return warnings


def _announced_signs(body: str, announced: Sequence[tuple[str, str]]) -> dict[tuple[str, str], re.Match[str]]:
    """Return the first sign at the beginning of a sentence of each announced (chapter, §), in the order of the text."""
    wanted, chapter = set(announced), ""
    found: dict[tuple[str, str], re.Match[str]] = {}
    for match in _SIGN.finditer(body):
        key = (match["chapter"] or chapter, match["num"])
        begins_sentence = (
            match["chapter"] or body[: match.start()].rstrip().endswith((".", ":", ")")) or not match.start()
        )
        if key in wanted and key not in found and begins_sentence:
            found[key] = match
            chapter = key[0]
    return found


FORMAT = Format(NAME, "Text of an official SFS print of an amending act", sniff, parse, VERSION)
