"""Whether a block looks like a heading, or reads as one. Not here: the label at its beginning (`recogniser.labels`), and marks of notes and
remarks in headings (`recogniser.heading_marks`)."""

from __future__ import annotations

import re

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.heading_marks import OPENING_MARK

#: Maximum length of a heading in characters: any, one that the format marks, and one that ends as a sentence.
HEADING_CHARS, _MARKED_CHARS, _BOLD_SENTENCE = 220, 800, 100
ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z]{1,4}|[A-Z])[.)]\s|[-–—•*]\s")
#: "III - (VETADO).", "§ 2º (REVOGADO)": an item that is only a remark in brackets, not a heading in capitals.
_REMARKED_ITEM = re.compile(r"§?\s?(?:\d{1,3}[ºª°]?|[IVXLC]{1,7}|[A-Za-z])[.)]?\s?[-–—.]?\s?[(\[][^()\[\]]+[)\]]\W*")
#: The end of a sentence, perhaps before the source of the provision: "… the harbour. (Ord. 12 § 1, 2031)".
SENTENCE_END = re.compile(
    r"[.;:,。；：，、؛،][”“\"’»«)\]]*(?:(?<=\w{2}\.)\s*[(\[][^()\[\]]{0,80}\b\d{4}[^()\[\]]{0,80}[)\]])?$"
)
#: "(Purpose)": a heading that the publisher prints in brackets.
_IN_BRACKETS = re.compile(r"\([^\W\d_][^()]{2,}\)|（[^\W\d_][^（）]+）")


def is_heading_like(block: Block) -> bool:
    """Whether the block has words and looks like a heading: marked as one by the format, or short and styled or in capitals."""
    text, most = block.text, _MARKED_CHARS if block.level else HEADING_CHARS
    if block.kind != "text" or not any(map(str.isalnum, text)) or len(text) > most:
        return False
    if block.level:
        return True
    if block.is_styled:
        return not SENTENCE_END.search(text) or block.bold or block.centred
    return len(text) <= 120 and text.isupper() and sum(letter.isalpha() for letter in text) >= 4


def may_be_above(block: Block) -> bool:
    """Whether the block may be a heading above a provision: it looks like one, and is not an item or a long sentence of a text in bold."""
    if not is_heading_like(block) or (not block.level and _REMARKED_ITEM.fullmatch(block.text)):
        return False
    is_sentence = not block.level and SENTENCE_END.search(block.text) is not None
    return not is_sentence or (len(block.text) <= _BOLD_SENTENCE and not ITEM.match(block.text))


def reads_as_heading(block: Block) -> bool:
    """Whether the block could be a heading by its words: it is short, begins with a capital and does not end as a sentence."""
    text = block.text
    if block.kind != "text" or not text or len(text) > 120 or block.depth:
        return False
    mark = OPENING_MARK.match(text)
    first = text[mark.end()] if mark else text[1] if _IN_BRACKETS.fullmatch(text) else text[0]
    return begins_upper(first) and not SENTENCE_END.search(text)


def begins_upper(text: str) -> bool:
    """Whether `text` begins with a capital, or with a letter of a script that has none."""
    return text[:1].isupper() or (text[:1].isalpha() and text[0].lower() == text[0].upper())
