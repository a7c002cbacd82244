"""Finds the place, the date and the names at the end of a law: they are printed below its last provision and are not its text.

Not here: writing them (`recogniser.writing`).
"""

from __future__ import annotations

import re

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.text.dates import dates

#: Maximum number of blocks of a signature, and of characters of each block.
_BLOCKS, _CHARS = 10, 120
#: Maximum number of words before the date if no comma precedes it ("Dated this 3rd day of March 2031"), and of characters after it.
_WORDS, _AFTER = 2, 60
#: "Amalienborg, den", "Approved:": what precedes the date of a signature.
_PLACE_END = re.compile(r"(?:,(?:\s[^\W\d_]{1,3})?|:)\Z")
_INITIAL = re.compile(r"\s[^\W\d_]\.\Z")
_ENDED = re.compile(r"[.!?][”“\"’»«)\]]*$")
_SENTENCE_END = re.compile(r"[.;:,!?][”“\"’»«)\]]*$")


def signature_start(blocks: Blocks, first: int, end: int, language: str) -> int | None:
    """Return the index at which the signature below the last provision begins, None without one.

    `first` is the block of the last provision's label, `end` the block after its text. The signature is the run of short blocks
    before `end` that are not sentences, with at least one line of a place and a date, below a block that ends as a sentence.
    """
    start = end
    dated: list[int] = []
    while start - 1 > first and end - start <= _BLOCKS:
        block = blocks[start - 1]
        if block.kind != "text" or block.depth or len(block.text) > _CHARS:
            break
        if _is_dated(block.text, language, alone=start == end):
            dated.append(start - 1)
        elif not _is_name(block.text):
            break
        start -= 1
    if not dated or end - start > _BLOCKS or not _ENDED.search(blocks[start - 1].text):
        return None
    return start


def _is_name(text: str) -> bool:
    """Whether `text` could be a name or an office: its first and last words have capitals, and it is not a sentence."""
    words = text.removeprefix("/").split()
    if not words or (_SENTENCE_END.search(text) and not _INITIAL.search(text)):
        return False
    return words[0][0].isupper() and words[-1][0].isupper()


def _is_dated(text: str, language: str, *, alone: bool) -> bool:
    """Whether `text` is a place and a date; `alone`: the last block, where "Amended 3 March 2031" would be a remark on the provision."""
    mention = next(iter(dates(text, language)), None)
    if mention is None or len(text) - mention.end > _AFTER or text[:1].islower():
        return False
    before = text[: mention.start].strip()
    if not before or _PLACE_END.search(before):
        return len(before.split()) <= _WORDS + 2
    return not alone and not _SENTENCE_END.search(text) and len(before.split()) <= _WORDS
