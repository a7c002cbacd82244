"""Sections whose numbers begin with that of their part ("2.1" and "2.4A" in Part 2, "2.1.4" in 2.1), as in by-laws and rules of court.

Not here: the sections of a code, whose numbers are larger (`recogniser.recognise`).
"""

from __future__ import annotations

import re

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.signs import Stated, says_it_is_a_law
from legal_pipeline.parsing.recogniser.words import Words
from legal_pipeline.text.alternation import alternation

_NUMBER = re.compile(r"(?P<part>\d{1,2})\.(?P<section>\d{1,3})(?P<letter>[A-Z]{0,2})\.?\s+\S")
_DEEP_NUMBER = re.compile(r"(?P<part>\d{1,3}\.\d{1,3})\.(?P<section>\d{1,3})\.?\s+[^\W\d_]")
#: Minimum number of sections and of parts that have some, minimum share of the numbers that are in order, and largest step in a part.
_SECTIONS, _PARTS, _IN_ORDER, _STEP = 5, 2, 0.9, 2
_DIVISIONS = frozenset({"part", "chapter"})


def sections_by_part(blocks: Blocks, words: Words, stated: Stated) -> re.Pattern[str] | None:
    """Return the pattern of the labels of such sections; None unless the text says or its publisher states that it is a law.

    Contracts and manuals have the same numbers, so that the numbers alone are not enough.
    """
    parts: dict[str, None] = {}
    numbers = in_order = 0
    part, last = "", 0
    for block in blocks:
        if block.kind != "text":
            continue
        if (printed := _part(block, words)) is not None:
            part, last = printed, 0
        elif (match := _NUMBER.match(block.text)) is not None:
            numbers += 1
            section = int(match["section"])
            follows = section == last if match["letter"] else last < section <= last + _STEP
            if match["part"] == part and (last or section == 1) and follows:
                in_order += 1
                parts[part] = None
                last = section
    is_by_part = _are_sections(numbers, in_order, len(parts))
    deep = None if is_by_part else _by_second_part(blocks)
    if not is_by_part and deep is None:
        return None
    if stated is not Stated.TYPE and not says_it_is_a_law(blocks, words.language):
        return None
    return deep or re.compile(rf"(?P<num>(?:{alternation(parts)})\.\d{{1,3}}[A-Z]{{0,2}})(?![^\W_]|\.\d)")


def _by_second_part(blocks: Blocks) -> re.Pattern[str] | None:
    """Return the pattern of the labels of sections with three numbers ("2.1.4"), None if there are no such sections in order."""
    found = [match for block in blocks if block.kind == "text" and (match := _DEEP_NUMBER.match(block.text))]
    in_order = 0
    parts: dict[str, None] = {}
    part, last = "", 0
    for match in found:
        section = int(match["section"])
        if (match["part"] == part and last < section <= last + _STEP) or (match["part"] not in parts and section == 1):
            in_order += 1
            part, last = match["part"], section
            parts[part] = None
    if not _are_sections(len(found), in_order, len(parts)):
        return None
    return re.compile(rf"(?P<num>(?:{alternation(parts)})\.\d{{1,3}})(?=\.?\s+[^\W\d_])")


def _are_sections(numbers: int, in_order: int, parts: int) -> bool:
    return numbers >= _SECTIONS and parts >= _PARTS and in_order >= _IN_ORDER * numbers


def _part(block: Block, words: Words) -> str | None:
    """Return the number of the part or chapter that `block` heads."""
    match = words.before.match(block.text)
    if match is None or not match["num"].isdecimal() or not _DIVISIONS & set(words.kinds_of(match["word"])):
        return None
    return str(match["num"])
