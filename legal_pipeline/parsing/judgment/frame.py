"""Find the text around the body of a judgment (header, headnote, signatures), and where the opinion of another judge begins.

Not here: the parts of the body (`roles`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.phrases import Phrases

#: The header ends within this many blocks; otherwise there is no header.
_HEADER_BLOCKS = 80
_SIGNATURE_BLOCKS = 16
_SHORT = 160

_HEADER_SIGNS = re.compile(
    r"\b(?:versus|vs?\.?|between|in the matter of|coram|before|bench"
    r"|appellants?|respondents?|petitioners?|applicants?|plaintiffs?|court of|"
    r"court|tribunal|case no|appeal no|jurisdiction|reportable|judgment no|date of|heard|delivered|advocate)\b",
    re.I,
)
_NAME = r"(?:[A-Z][A-Za-z.'’-]*\s*){1,6}"
_DAY = r"(?:Dated?\s*[:.-]?\s*)?(?:\w{0,4}\s*\d{1,2}(?:st|nd|rd|th)?[\s./-]+\w+[,\s./-]+\d{4}|[A-Za-z]{3,9}\s+\d{1,2},?\s*\d{4})\.?"
_SIGNATURE = re.compile(
    # "……J.", a rank alone
    r"^(?:[.…_,\s–—-]*(?:C\.?\s?J\.?(?:I\.?)?|J\.?A?\.?|JJ\.?|Member|MEMBER|Judge|JUDGE|President)\s*\.?"
    # "(NAME)" with text after it, a dotted line for a signature
    rf"|[\[(]\s*{_NAME}[\])].{{0,60}}|[.…_]{{3,}}.{{0,60}}"
    # place and date
    rf"|(?:New Delhi|NEW DELHI|[A-Z]{{4,}}(?:\s[A-Z]{{4,}})?)\s*[;,.]?\s*(?:{_DAY})?|{_DAY}"
    # "MAKARAU JP: I agree"
    rf"|{_NAME},?\s+(?:CJ|DCJ|JP|JA|AJA|AJ|J)\.?\s*:?\s*(?:I agree\.?)?.{{0,30}}|I (?:agree|concur)\.?.{{0,40}}|Sd/-?.{{0,60}})$"
)
#: A judgment of a continental court may have its paragraph numbers in the margin, without a sign.
_FIRST_NUMBER = re.compile(r"\[?1(?:\]|[.)](?!\d)|\.1\.?)?\s+\S")
#: The numbered heading above paragraph 1.1.
_FIRST_HEADING = re.compile(r"1[.)]?\s+\D{3,80}")
#: A shorter text with a number that does not end as a sentence is not a paragraph: "1. Senat", "1 AZR 62/31".
_PARAGRAPH_CHARS = 40
_SIGNED_FIRST = re.compile(r"\[?1[\].)]\s")
#: "1 This is", "2 The": numbers of an English judgment without signs; number of blocks in which the second one is.
_UNSIGNED, _NEAR = re.compile(r"[12]\s[A-Z]"), 20
_FIRST_PARAGRAPH = re.compile(r"\[?1(?:\]|[.)](?!\d))\s*\S")
_ORDER = re.compile(r"\W*ORDERS?\W*")
#: An order above the opinions and the beginning of the first opinion are within so many blocks.
_ORDER_BLOCKS = 40
_QUOTED_HEADING = re.compile(r"^[“\"‘]")


@dataclass(frozen=True)
class Frame:
    """Indices of blocks: header `[0, headnote)`, headnote `[headnote, body)`, body, signature `[signature, appendix)`.

    From `appendix` on, the blocks are what the registry added after the signature.
    """

    headnote: int
    body: int
    signature: int
    appendix: int


def find_frame(blocks: Sequence[Block], phrases: Phrases) -> Frame:
    body = _body_begins(blocks, phrases)
    above = enumerate(blocks[:body])
    headnotes = (at for at, block in above if block.style == "headnote" or phrases.headnote_begins.match(block.text))
    added = (at for at in range(body + 1, len(blocks)) if phrases.appendix_begins.match(blocks[at].text))
    appendix = next(added, len(blocks))
    return Frame(next(headnotes, body), body, _signature_begins(blocks[:appendix], body), appendix)


def _body_begins(blocks: Sequence[Block], phrases: Phrases) -> int:
    limit = min(len(blocks), _HEADER_BLOCKS)
    styled = [index for index in range(limit) if blocks[index].style in ("header", "headnote")]
    if styled:
        return styled[-1] + 1
    if not phrases.has_cues:
        return _body_by_headings(blocks[:limit], phrases)
    for index in range(limit):
        if phrases.body_begins.match(blocks[index].text):
            if _is_order_above(blocks, index, phrases):
                return index
            after = _last_title(blocks, index, limit, phrases) + 1
            while after < len(blocks) and (not blocks[after].in_flow or phrases.judge_line.match(blocks[after].text)):
                after += 1
            # The last block is never part of the header: a judgment has a body.
            return min(after, len(blocks) - 1)
    for index in range(1, limit):
        if not blocks[index].joined and (_SIGNED_FIRST.match(blocks[index].text) or _begins_unsigned(blocks, index)):
            signs = sum(_HEADER_SIGNS.search(block.text) is not None for block in blocks[:index])
            return _with_headings(blocks, index, phrases) if signs >= 2 or signs * 2 >= index else 0
    return 0


def _begins_unsigned(blocks: Sequence[Block], index: int) -> bool:
    """Whether a block is paragraph 1 of a judgment whose numbers have no sign: paragraph 2 is near, and no signed number before it."""
    if not (_UNSIGNED.match(blocks[index].text) and blocks[index].text[0] == "1" and is_paragraph(blocks[index].text)):
        return False
    near = (block.text for block in blocks[index + 1 : index + 1 + _NEAR])
    number = next((text for text in near if _UNSIGNED.match(text) or _SIGNED_FIRST.match(text)), "")
    return number.startswith("2 ") and is_paragraph(number)


def _with_headings(blocks: Sequence[Block], body: int, phrases: Phrases) -> int:
    """Return the first of the headings directly above paragraph 1 that announce a part, `body` without one."""
    while body > 1 and phrases.heading_role(blocks[body - 1].text) is not None:
        body -= 1
    return body


def _is_order_above(blocks: Sequence[Block], index: int, phrases: Phrases) -> bool:
    """Whether the title `index` is that of the court's order, which is printed above the opinions and has numbers of its own."""
    if not _ORDER.fullmatch(blocks[index].text):
        return False
    below = blocks[index + 1 : index + 1 + _ORDER_BLOCKS]
    opinion = next((place for place, block in enumerate(below) if phrases.opinion_begins.match(block.text)), None)
    if opinion is None or not any(_FIRST_PARAGRAPH.match(block.text) for block in below[:opinion]):
        return False
    return any(_FIRST_NUMBER.match(block.text) for block in below[opinion:])


def _body_by_headings(blocks: Sequence[Block], phrases: Phrases) -> int:
    """Return the first block that announces or opens a part, or is paragraph 1; numbers of the headnote are not those of paragraphs."""
    numbered = 0
    is_headnote = False
    for index, block in enumerate(blocks):
        is_headnote = is_headnote or phrases.headnote_begins.match(block.text) is not None
        if index and _opens_body(block.text, phrases):
            return index
        if index and _FIRST_NUMBER.match(block.text) and is_paragraph(block.text):
            if not is_headnote:
                is_below = _FIRST_HEADING.fullmatch(blocks[index - 1].text) is not None
                return max(index - is_below, 1)
            numbered = numbered or index
    return numbered


def is_paragraph(text: str) -> bool:
    """Whether a text that begins with a number is long enough for a paragraph, or ends as a sentence."""
    return len(text) >= _PARAGRAPH_CHARS or text.endswith((".", ":", ";", "?", "!"))


def _opens_body(text: str, phrases: Phrases) -> bool:
    opens = phrases.heading_role(text) or phrases.opening_role(text)
    return opens is not None or phrases.begins(phrases.disposes, text)


def _last_title(blocks: Sequence[Block], first: int, limit: int, phrases: Phrases) -> int:
    """Return the last block like `first` ("JUDGMENT") before paragraph 1, because a cover page may have such a block too."""
    last = first
    for index in range(first + 1, limit):
        if _FIRST_PARAGRAPH.match(blocks[index].text):
            return last
        if phrases.body_begins.match(blocks[index].text):
            last = index
    return first


def _signature_begins(blocks: Sequence[Block], body: int) -> int:
    first = len(blocks)
    for index in range(len(blocks) - 1, max(body, len(blocks) - _SIGNATURE_BLOCKS - 1), -1):
        block = blocks[index]
        if block.style == "signature" or (block.in_flow and len(block.text) < _SHORT and _SIGNATURE.match(block.text)):
            first = index
        elif block.in_flow:
            break
    return first


def is_heading(block: Block) -> bool:
    """Whether a block is a heading: set as a heading by the format, or short and either in capitals or ending in a colon."""
    if block.style == "heading":
        return True
    text = block.text
    if (
        block.style is not None
        or len(text) > 120
        or _QUOTED_HEADING.match(text)
        or (block.joined and not text.isupper())
    ):
        return False
    letters = [char for char in text if char.isalpha()]
    if len(letters) < 4 or text.endswith((";", ",")) or re.search(r"\b(?:xxx|Rs|SCC|AIR)\b", text):
        return False
    if text.isupper():
        return not text.endswith(".") or len(text) < 60
    return text.endswith(":") and len(text) < 80 and len(text.split()) <= 8 and text[0].isupper()


@dataclass(frozen=True)
class Opinion:
    """Blocks `[start, end)` written by one judge; `kind` is None for the judgment of the court."""

    start: int
    end: int
    judge: str | None = None
    kind: str | None = None


def split_opinions(blocks: Sequence[Block], start: int, end: int, phrases: Phrases) -> list[Opinion]:
    """Return the judgment of the court and every separate opinion after it.

    An order of the court after the opinions belongs to the court again. Below an order, or lines without a sentence, the first
    opinion is the judgment of the court.
    """
    cuts: list[tuple[int, str | None]] = [(start, None)]
    for index in range(start + 1, end):
        block = blocks[index]
        if not block.in_flow or block.style == "quotation":
            continue
        if match := phrases.opinion_begins.match(block.text):
            cuts.append((index, _judge(match.group())))
        elif len(block.text) < _SHORT and is_heading(block) and phrases.dissent.search(block.text):
            cuts.append((index, None))
        elif len(cuts) > 1 and _order_of_court(block, phrases):
            cuts.append((index, ""))
    out = []
    is_below = len(cuts) > 1 and (
        _is_order_above(blocks, start, phrases) or not any(map(_is_sentence, blocks[start : cuts[1][0]]))
    )
    for position, (first, judge) in enumerate(cuts):
        last = cuts[position + 1][0] if position + 1 < len(cuts) else end
        kind = None
        if position > is_below and judge != "":
            opening = " ".join(block.text for block in blocks[first : min(first + 8, last)])
            kind = "dissenting" if phrases.dissent.search(opening) else "separate"
        out.append(Opinion(first, last, judge or None, kind))
    return out


def _is_sentence(block: Block) -> bool:
    return len(block.text) > _SHORT or block.text.endswith((".", ";"))


def _order_of_court(block: Block, phrases: Phrases) -> bool:
    return bool(re.match(r"(?:the )?(?:order|judgment) of the court\b", block.text, re.I)) or bool(
        len(block.text) < 40 and phrases.body_begins.match(block.text)
    )


def _judge(text: str) -> str:
    """Return the name without `PER` before it and without the rank after it."""
    name = re.sub(r"^(?:Per|PER)[\s:–—-]+", "", text).strip(" :–—-")
    return re.sub(r",?\s*(?:C\.?\s?J\.?|J\.?\s?A\.?|J\.?P\.?|JJ\.?|J\.?|Member|MEMBER)?[\s:.,–—-]*$", "", name).strip(
        " ,"
    )
