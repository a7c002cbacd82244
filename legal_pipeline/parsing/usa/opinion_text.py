"""Plain text of American court opinions, precedent decisions and decisions of the Administrative Appeals Office.

Page headers and numbers are separate nodes after the running text, so that they do not interrupt sentences.
Not here: courts and headings (`usa.opinion_vocabulary`).
"""

from __future__ import annotations

import re
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph
from legal_pipeline.building.format import LIKELY, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.generic.identity import generic_document_id
from legal_pipeline.parsing.generic.plain_text import is_plain_text
from legal_pipeline.parsing.usa.opinion_vocabulary import Court, OpinionVocabulary, opinion_vocabulary
from legal_pipeline.parsing.usa.paragraph_text import PlainPages, read_paragraphs
from legal_pipeline.text.dates import first_date

NAME = "us_opinion_text"
VERSION = "2"

_HEAD_CHARS = 3_000
#: The number of the case may be in the column beside the parties.
_DOCKET = re.compile(
    r"(?:^\s*|[ \t]{3,})(?:No\.|Nos\.|Case No\.|Docket No\.)\s+(?P<number>\d[\w:.\-]{2,30})", re.MULTILINE
)
_RECEIPT = re.compile(r"\b(?P<number>(?:SRC|LIN|EAC|WAC|MSC|IOE)[ -]?(?:\d[ -]?){8,13})\b")
_REPORTER = re.compile(r"\b(?P<number>\d{1,3} I\s?&\s?N Dec\. \d{1,4})")
_FILED = re.compile(r"\b(?:Filed:?|Decided:?|Date:|DATE:|Dated:?)\s+(?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})")
#: The day of the decision on a line of its own, `[June 14, 2023]`.
_DAY_LINE = re.compile(r"^\s*\[?(?P<date>[A-Z][a-z]{2,8} \d{1,2}, \d{4})\]?\s*$", re.MULTILINE)
_BENCH = re.compile(
    r"\bBefore:\s+(?P<judges>[^.]{3,200}?(?:\b[A-Z]\.[^.]{1,80})*?),\s+(?:Chief |Senior |Circuit |District )*Judges?\b"
)
#: Courts of some states number the paragraphs, and say how the opinion is cited: "[Cite as State v. Keeper, 2031-Ohio-9.]".
_PARAGRAPH = re.compile(r"[{\[(]?¶\s?(?P<number>\d{1,3})[}\])]?")
_CITE_AS = re.compile(
    r"\bCite as:?\s+(?P<title>[^\]]{3,150}?),\s+(?:Slip\s+Opinion\s+No\.\s+)?(?P<number>\d{4}[- ][A-Z][\w. -]{1,25}\d)"
)
_VERSUS = re.compile(r"^\s*v(?:s)?\.\s*$|\bv\. ", re.MULTILINE)
_PARTY = re.compile(r"^[A-Z][A-Z .,'&-]{3,60}?(?=,|$)")
_STARTS = re.compile(
    r"(?:vs?\.\s*$|Before:|Filed |Argued |Appeal from|No\. \d|FILE:|PETITION:|ON BEHALF|INSTRUCTIONS|IN RE|"
    r"(?:Opinion|Concurrence|Dissent) by)"
)
_CAPTION_END = re.compile(r"Before:|Filed |Argued |Decided |Opinion by|Concurrence by|Dissent by")
#: OCR leaves letters of scripts that American decisions do not use, and words that contain punctuation marks.
_FOREIGN = re.compile(r"[\u0370-\u1fff\u3040-\ud7ff]")
_BROKEN_WORD = re.compile(r"[A-Za-z]+[,:;?!\]\[{}|\\]+[A-Za-z?]+[,:;?!]*|[A-Za-z]+\d+[,:;?!]\S*|[A-Z]+'[A-Z]{2,}")
_NOISE = 0.01


def sniff(source: SourceFile) -> float:
    """Likely if the beginning names an American court or office and has a caption, a docket or a receipt number."""
    if not is_plain_text(source.head):
        return NO
    head = source.head[:_HEAD_CHARS]
    court = opinion_vocabulary().court(head)
    if court is None:
        return NO
    signs = (_DOCKET, _RECEIPT, _REPORTER, _VERSUS, _FILED, re.compile("FOR PUBLICATION|PETITION|OFFICE"))
    return LIKELY if any(sign.search(head) for sign in signs) else NO


def parse(source: SourceFile) -> Document:
    """Parse header (caption up to the first heading) and a part per heading. OCR noise sets `requires_manual_review`."""
    text = source.text
    words = opinion_vocabulary()
    court = words.court(text[:_HEAD_CHARS])
    pages = read_paragraphs(text, _STARTS)
    builder = DocumentBuilder()
    _write(builder, pages.paragraphs, words)
    for kind, line, number in pages.beside:
        builder.block(line, kind, number)
    noise = noise_share(text)
    metadata = _metadata(text, court)
    number = metadata.get("docket") or metadata.get("citation")
    kind, code = "judgment" if court and court.code != "aao" else "decision", court.code if court else "court"
    year = (metadata["date_decided"] or "")[:4] or "undated"
    return builder.document(
        source,
        document_id=document_id("us", kind, code, number)
        if number
        else generic_document_id(source.path, source.hints, "us", None),
        work_uri=f"/akn/us/judgment/{code}/{year}/{slug(number)}" if court and number else None,
        title=str(source.hints.get("title") or _title(text, pages, court)),
        number=number,
        jurisdiction="us",
        doc_type=str(source.hints.get("doc_type") or (court.doc_type if court else "precedent_case")),
        language="eng",
        requires_manual_review=noise > _NOISE,
        warnings=(f"{noise:.1%} of the words look like OCR noise",) if noise > _NOISE else (),
        metadata={
            **metadata,
            "court": court.name if court else None,
            "ocr_noise": round(noise, 4) if noise > _NOISE else None,
        },
    )


def _write(builder: DocumentBuilder, paragraphs: list[Paragraph], words: OpinionVocabulary) -> None:
    builder.open("header")
    caption = max((index for index, item in enumerate(paragraphs[:80]) if _CAPTION_END.match(item.text)), default=-1)
    for index, item in enumerate(paragraphs):
        # Words of the caption ("ORDER AND OPINION") are not headings of the text after it.
        node_type = words.heading(item.text) if index > caption else None
        opening = words.opening(item.text) if index > caption else None
        below = paragraphs[index + 1].text if index + 1 < len(paragraphs) else ""
        if node_type is None and index > caption and _PARAGRAPH.match(below):
            node_type = words.heading(item.text.upper())  # a heading above a numbered paragraph need not be in capitals
        in_header = builder.current is not None and builder.current.type == "header"
        if opening == "dissent" or in_header:
            node_type = node_type or opening
        if node_type is not None and not (node_type == "header" and in_header):
            builder.close_to(0)
            builder.open(node_type, None, item.text.rstrip(" :"))
        if node_type is not None or (index > caption and words.is_marked(item.text)):
            builder.heading(item.text, offsets=item.offsets)
        elif numbered := _PARAGRAPH.match(item.text):
            builder.block(item.text, "numbered_paragraph", numbered["number"], offsets=item.offsets)
        else:
            builder.block(item.text, "block", offsets=item.offsets)
    builder.close_to(0)


def _metadata(text: str, court: Court | None) -> dict[str, Any]:
    head = text[:_HEAD_CHARS]
    docket = _DOCKET.search(head) or _RECEIPT.search(head)
    reporter = _REPORTER.search(head[:400]) or _CITE_AS.search(head)
    filed = _FILED.search(head) or _DAY_LINE.search(head)
    bench = _BENCH.search(" ".join(head.split()))
    judges = re.split(r",\s*(?:and\s+)?|\s+and\s+", bench["judges"]) if bench else None
    return {
        "docket": " ".join(docket["number"].split()) if docket else None,
        "citation": reporter["number"] if reporter else None,
        "date_decided": first_date(filed["date"], "eng", "month first") if filed else None,
        "judges": [judge.strip() for judge in judges if judge.strip()] if judges else None,
        "bench_strength": len(judges) if judges else None,
        "court_code": court.code if court else None,
    }


def _title(text: str, pages: PlainPages, court: Court | None) -> str:
    """Return the title by which the opinion is cited, or that in the page headers ("KAZARIAN v. USCIS"), else the parties of the caption,
    else the court."""
    if cited := _CITE_AS.search(text[:_HEAD_CHARS]):
        return " ".join(cited["title"].split())
    for kind, line, _ in pages.beside:
        if kind == "running_header" and " v. " in line.lower():
            return re.sub(r"^\d+\s+|\s+\d+$", "", line)
    paragraphs = pages.paragraphs
    for index, item in enumerate(paragraphs[:40]):
        if len(parties := [_PARTY.match(part) for part in item.text.split(" v. ")]) == 2 and all(parties):
            return " v. ".join(party.group().strip() for party in parties if party)
        if re.fullmatch(r"vs?\.", item.text.strip()) or item.text.strip().startswith("v. "):
            before = next((p for other in reversed(paragraphs[:index]) if (p := _PARTY.match(other.text))), None)
            after = next((p for other in paragraphs[index + 1 : index + 6] if (p := _PARTY.match(other.text))), None)
            if before and after:
                return f"{before.group().strip()} v. {after.group().strip()}"
    return court.name if court else "Decision"


def noise_share(text: str) -> float:
    """Return the share of words that OCR damaged: punctuation inside a word, or letters of another script."""
    tokens = text.split()
    bad = sum(bool(_FOREIGN.search(token) or _BROKEN_WORD.fullmatch(token)) for token in tokens)
    return bad / max(len(tokens), 1)


FORMAT = Format(NAME, "American opinion or appeal decision as text", sniff, parse, VERSION)
