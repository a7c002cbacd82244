"""The entry to the recogniser: converts blocks to a builder with the tree of a law, or reports why they are not a law.

Not here: the identity of the document (`parsing.generic.identity`).
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.languages.language import known_languages
from legal_pipeline.numbering.styles import SIGN, style
from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.closing import with_explanation_apart
from legal_pipeline.parsing.recogniser.doubts import doubts
from legal_pipeline.parsing.recogniser.glued_marks import with_raised_marks
from legal_pipeline.parsing.recogniser.labels import labels_of
from legal_pipeline.parsing.recogniser.notes import with_notes
from legal_pipeline.parsing.recogniser.numbered_by_part import sections_by_part
from legal_pipeline.parsing.recogniser.numbers import folded, read_number
from legal_pipeline.parsing.recogniser.one_provision import (
    OneProvision,
    begins_as_note,
    find_one_provision,
    has_others,
    outline_of,
    without_beside,
)
from legal_pipeline.parsing.recogniser.outline import BOUND, Outline, find_outline
from legal_pipeline.parsing.recogniser.page_headers import without_banners, without_page_headers
from legal_pipeline.parsing.recogniser.signs import Stated
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words, provision_names, words_of
from legal_pipeline.parsing.recogniser.writing import write_outline
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.normalise import european_signs

#: Minimum number of numbers for a warning that the document is not read as a law.
_NOTED_NUMBERS = 3
_PROVISIONS = tuple((kind,) for kind in PROVISION_KINDS)
_SENTENCE_END = re.compile(r"[.:;)]\s+(?=[^\W_]|§)")
#: "NRS 432B.010", "165.002 Definitions", "1-101. Title", "76-5-203. Murder", "630:1-a Murder": the number of a section of a code, which
#: begins with that of its chapter, perhaps behind an abbreviation, and a heading; behind an abbreviation the heading may be the next block.
_IN_CODE = re.compile(
    r"(?:(?P<name>[A-Z]{2,6}|Sec\.)\s+)?(?P<chapter>(?P<value>\d{1,4})(?:-?[A-Z]{1,2}|[a-z])?(?:[.:-]\d{1,3}[A-Z]?(?=[.:-])){0,2})"
    r"(?P<sign>[.:-])(?P<section>\d{1,5})(?:[A-Z]|-?[a-z])?(?:[.\s–—-]+[^\W\d_a-z]|(?(name)\Z|(?!)))"
)
#: "CHAPTER 714", "Chapter 9A.32 RCW"
_CHAPTER = re.compile(r"CHAPTER (\d[\w.:-]*)(?<![.:])\b", re.IGNORECASE)
#: Minimum number of such blocks, and below the heading of their chapter; minimum share of them that are in order, and maximum number of
#: the first section of a chapter.
_CODE_SECTIONS, _OF_CHAPTER, _IN_ORDER, _FIRST_IN_CHAPTER = 5, 2, 0.9, 101
#: Minimum number of figures of a section in a number of two parts, and number from which on a printed chapter makes shorter ones sure.
_FIGURES, _SURE_CHAPTER = 3, 100
#: Number of characters of a block, and of blocks, that are searched for a label in every language.
_LABEL_CHARS, _LABELLED_BLOCKS = 60, 2000
#: Increase it when the tree of any document changes: formats that use the recogniser add it to their version.
VERSION = "53"


@dataclass(frozen=True)
class Recognition:
    """What was found in the blocks of a document. `warnings` and `metadata` belong to the document, whether it is a law or not.

    `builder`: the tree, None if the document is not a law. `outline`: divisions and provisions with the score. `language`: ISO 639-3, as
    given, detected or usual, None if unknown. `one`: the provision, if the page shows a single one.
    """

    builder: DocumentBuilder | None
    outline: Outline
    language: str | None
    warnings: tuple[str, ...]
    metadata: dict[str, Any]
    one: OneProvision | None = None


def recognise(
    blocks: Blocks,
    *,
    language: str | None = None,
    usual_language: str | None = None,
    stated: Stated = Stated.NOTHING,
    page_title: str = "",
) -> Recognition:
    """Look for a law in `blocks`; the result has no builder if there is none.

    `language` is ISO 639-3, or None to detect it; `usual_language` is used if the text is too short for this. `stated` is what the
    publisher or the user states about the type of the document. `page_title` is the title of a web page: if the page shows one provision,
    the title may name its law.
    """
    detected = None if language else detect_language("\n".join(block.text for block in blocks))
    code = language or (detected and detected.code) or usual_language
    known = words_of(code) if code else _words_by_labels(blocks)
    blocks = with_explanation_apart(without_page_headers(without_banners(blocks, known), known), known)
    blocks, notes = with_notes(_with_quoted_labels(with_raised_marks(blocks, known), known))
    judged = _with_european_signs(blocks)
    in_code = _sections_of_code(judged)

    def outline_in(words: Words) -> tuple[Words, Outline]:
        words = copy.copy(words)
        words.in_code = in_code or sections_by_part(judged, words, stated)
        return words, find_outline(judged, words, stated)

    words, outline = outline_in(known)
    if not outline.is_law and detected is not None:
        # a bill with its explanation in another language
        for other in detected.others:
            found = outline_in(words_of(other))
            if found[1].is_law:
                code, (words, outline) = other, found
                break
    one = find_one_provision(judged, words, page_title)
    if one is not None and has_others(outline, one):
        one = None
    if one is not None:
        outline, blocks, notes = outline_of(one, judged), without_beside(blocks, one), min(notes, one.below)
    score = outline.score
    metadata: dict[str, Any] = {"recognition": score.to_json()}
    if not outline.is_law or (one is None and stated is Stated.NOTHING and begins_as_note(outline, words)):
        noted = _below(outline) or _inside(blocks, words)
        return Recognition(None, outline, code, noted, metadata if noted else {})
    builder = DocumentBuilder()
    write_outline(builder, blocks, outline, style(words.numbering), words, notes)
    if not _holds_all(builder, blocks):
        reason = "the tree of its provisions lacks words of the document: read as notes under headings"
        return Recognition(None, outline, code, (reason,), metadata)
    if outline.gaps:
        metadata["number_gaps"] = [list(gap) for gap in outline.gaps]
    _add_offsets(builder, blocks)
    return Recognition(builder, outline, code, () if one else doubts(outline, blocks), metadata, one)


def _sections_of_code(blocks: Blocks) -> re.Pattern[str] | None:
    """Return the pattern of the labels of the sections if the text is a code or a chapter of one, else None.

    Blocks begin with a number of two to four parts, and the same abbreviation before it if they have one. Either most have the same first
    part ("165.002 Definitions", "165.005"), or the first parts are the numbers of chapters in order ("1-101", "1-102", "2-101").
    """
    printed = {
        folded(match[1])
        for block in blocks
        if block.kind == "text" and (match := _CHAPTER.match(block.text)) is not None
    }
    found = [
        match
        for block in blocks
        if block.kind == "text" and (match := _IN_CODE.match(block.text)) and _is_of_code(match, printed)
    ]
    starts = Counter((match["name"] or "", match["chapter"]) for match in found)
    (name, chapter), count = max(starts.items(), key=lambda item: item[1], default=(("", ""), 0))
    # in a code whose sections have three parts ("1.04.010"), a number of two is that of a chapter
    alike = [match for match in found if (match["name"] or "") == name and _depth(match["chapter"]) == _depth(chapter)]
    chapters = {match["chapter"] for match in alike}
    fewest = _OF_CHAPTER if folded(chapter) in printed else _CODE_SECTIONS
    if len(alike) < _CODE_SECTIONS or count < _OF_CHAPTER or not _are_in_order(alike):
        chapters = {chapter}
        if count < fewest or 2 * count <= len(found):
            return None
    return re.compile(
        rf"{re.escape(name)}\s*(?P<num>(?:{alternation(chapters)})[.:-]\d{{1,5}}(?:[A-Z]{{1,2}}|-?[a-z])?(?:[.-]\d{{1,3}})?)(?![^\W_])"
    )


def _depth(chapter: str) -> int:
    return len(re.findall(r"\d+", chapter))


def _is_of_code(match: re.Match[str], printed: Set[str]) -> bool:
    """Whether a number is probably that of a section of a code, not a time ("9:30 Welcome"), a numbered heading ("1.2.3 Aims") or a price:
    three parts with hyphens, or a section of three figures or with a zero; shorter ones below the heading of chapter 630 (`printed`)."""
    chapter, section = match["chapter"], match["section"]
    if match["name"] == "Sec.":
        return chapter[-1].islower()  # elsewhere "53a" is a number, and "Sec. 53-1" has its word
    if _depth(chapter) > 1 and match["sign"] == "-":
        return True
    if folded(chapter) in printed and int(match["value"]) >= _SURE_CHAPTER:
        return True
    if len(match["value"]) > _FIGURES:
        return False  # a year
    return match["sign"] != ":" and (len(section) >= _FIGURES or (section.startswith("0") and len(section) > 1))


def _are_in_order(sections: Sequence[re.Match[str]]) -> bool:
    """Whether the chapters of `sections` rise, and each begins with a low number: prices and measures do not."""

    def goes_on(before: re.Match[str], after: re.Match[str]) -> bool:
        chapter, following = read_number(before["chapter"]), read_number(after["chapter"])
        if chapter is None or following is None or following.key < chapter.key:
            return False
        return following.key == chapter.key or int(after["section"]) <= _FIRST_IN_CHAPTER

    pairs = list(itertools.pairwise(sections))
    return sum(goes_on(before, after) for before, after in pairs) >= _IN_ORDER * len(pairs)


def _with_quoted_labels(blocks: Blocks, words: Words) -> Blocks:
    """Return `blocks`; the labels of provisions that a page marks as quotations, each alone, are text if most labels are marked so."""
    if not any(block.kind == "quotation" for block in blocks):
        return blocks
    own = [_is_label_alone(block, words) for block in blocks]
    quoted = {index for index, block in enumerate(blocks) if own[index] and block.kind == "quotation"}
    if len(quoted) < _NOTED_NUMBERS or 2 * len(quoted) < sum(own):
        return blocks
    return [dataclasses.replace(block, kind="text") if index in quoted else block for index, block in enumerate(blocks)]


def _is_label_alone(block: Block, words: Words) -> bool:
    if block.kind not in ("text", "quotation") or len(block.text) > _LABEL_CHARS:
        return False
    labels = labels_of(0, dataclasses.replace(block, kind="text"), words)
    return any(label.is_provision and label.alone for label in labels)


def _with_european_signs(blocks: Blocks) -> list[Block]:
    """Return the blocks to judge: what ends, is quoted or in brackets is seen in one set of signs. Offsets are the same."""
    seen = [(block, european_signs(block.text)) for block in blocks]
    return [block if text is block.text else dataclasses.replace(block, text=text) for block, text in seen]


def _words_by_labels(blocks: Blocks) -> Words:
    """Return the words of the language in which most blocks begin with the label of a provision; those of English if there are few.

    Close languages (Croatian and Bosnian) cannot be told apart by their letters, but print other words before their numbers.
    """
    texts = itertools.islice((block.text for block in blocks if block.kind == "text"), _LABELLED_BLOCKS)
    starts = Counter(text[:_LABEL_CHARS] for text in texts).items()
    together = " ".join(folded(" ".join(text for text, _ in starts)).split())
    counted = {
        code: sum(number for text, number in starts if _begins_provision(text, words_of(code)))
        for code in known_languages()
        # the patterns of a language take 50 ms to compile; lines with only a sign count in every language
        if code == "eng" or any(name in together for name in provision_names(code) if name != SIGN)
    }
    best = max(counted, key=lambda code: (counted[code], code == "eng"))
    return words_of(best if counted[best] >= _NOTED_NUMBERS else "eng")


def _begins_provision(text: str, words: Words) -> bool:
    match = words.before.match(text) or words.behind.match(text)
    return match is not None and bool(set(words.kinds_of(match["word"])) & set(PROVISION_KINDS))


def _below(outline: Outline) -> tuple[str, ...]:
    if outline.numbers < _NOTED_NUMBERS:
        return ()
    return (
        f"{outline.numbers} numbers of possible provisions were seen, but no sure sequence "
        f"(score {outline.score.total:.2f}, a law needs {BOUND}): read as notes under headings",
    )


def _inside(blocks: Blocks, words: Words) -> tuple[str, ...]:
    """Return the warning of a law whose lines a print has joined: labels that follow each other begin sentences and not blocks."""
    labels = before = 0
    for block in blocks:
        for start in (0, *(match.end() for match in _SENTENCE_END.finditer(block.text))):
            label = words.before.match(block.text, start) or words.behind.match(block.text, start)
            if label is None or not label["num"].isdecimal() or words.kinds_of(label["word"])[:1] not in _PROVISIONS:
                continue
            number = int(label["num"])
            labels += number == before + 1
            before = number
    if labels < _NOTED_NUMBERS:
        return ()
    return (
        f"{labels} labels of provisions are inside paragraphs, so that no provision can be cited: give the law in another format",
    )


def _holds_all(builder: DocumentBuilder, blocks: Blocks) -> bool:
    """Whether the text of `builder` is the text of the blocks in order, except for white space."""
    return "".join(builder.text.split()) == "".join("".join(block.text.split()) for block in blocks)


def _add_offsets(builder: DocumentBuilder, blocks: Blocks) -> None:
    """Add the offset map to `builder` if all blocks have offsets: its text differs from the blocks only in white space."""
    if not all(block.offsets for block in blocks):
        return
    text = builder.text
    position = 0
    for block in blocks:
        pairs = iter(block.offsets)
        pair = next(pairs, None)
        for index, character in enumerate(block.text):
            if character.isspace():
                continue
            while text[position].isspace():
                position += 1
            while pair is not None and pair[0] <= index:
                builder.offset_map.append((position - (index - pair[0]), pair[1]))
                pair = next(pairs, None)
            position += 1
