"""Finds blocks inside quotation marks: text that an amending act inserts into another act. Its numbers are not provisions of this act.

Not here: quotations that a format marks (`Block.kind`).
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Mapping, Sequence, Set

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.labels import FAIR, WEAK, Label, Labels

#: Marks that open a quotation, at the beginning of a block or at the end of the block before, and the marks that close it.
_PAIRS = {"„": '”“"', "“": "”", "«": "»", "»": "«", "”": "”", '"': '"'}
#: Marks that open and close in the same form, so that only their number says which they do.
_ALIKE = '”"'
_OPENS_AT_END = re.compile(r"(?:[:–—]\s*|\A\s*)([„“«])\s*\Z")
#: A mark that closes a quotation, also before the mark of an amended wording, `" (NR)`.
_CLOSES_AT_END = re.compile(r"([”“\"»«])\s*(?:\([A-Z]{2,3}\))?\s*[.;,)]*\s*\Z")
#: A note with a raised mark. The notes of a quotation may be printed below later articles, the last one with the mark that closes it.
_NOTE = re.compile(r"\^\d{1,3}[a-z]?\)")
#: Maximum length in characters of the words that a definition has in marks.
_DEFINED_CHARS = 80
#: Marks that open and close in different forms, as if typed by two hands, and the maximum number of blocks of a quotation between them.
_MIXED, _MOST_MIXED = ('"”', '“"'), 30
#: The beginning of the word of a label: "SECTION 1." and "SEC. 2." have the same.
_WORD = re.compile(r"[^\W\d_]{3}")
#: Minimum number of provisions of a law that is quoted as a whole, and their minimum ratio to those above the quotation.
_WHOLE, _RATIO = 10, 5
#: A quotation that does not end within this many blocks has no closing mark.
_MOST_BLOCKS = 400


def quoted_blocks(blocks: Blocks, labels: Labels = ()) -> frozenset[int]:
    """Return indices of the blocks inside quotations of several blocks, the first one included. Linear time if all marks are closed.

    `labels` are those of the blocks, in order. With a wrong or missing mark a quotation would include articles of the act itself. So it
    ends before the next article of the act if its closing mark is in a note, if another quotation opens in that article, or if the
    numbers of the act would have a gap without the articles in the quotation.
    """
    quoted: set[int] = set()
    provisions = [label for label in labels if label.is_provision]
    heads = [label for label in provisions if blocks[label.index].level]
    closing = [_closing(block) for block in blocks]
    odd = {mark: [block.text.count(mark) % 2 == 1 for block in blocks] for mark in _ALIKE}
    unclosed: set[str] = set()
    index = 0
    while index < len(blocks):
        mark = _opening(blocks[index])
        if mark is None or mark in unclosed or _repeats_heading(index, blocks):
            index += 1
            continue
        start = index if blocks[index].text.lstrip()[:1] == mark else index + 1
        end = _end(closing, index, mark, odd, blocks)
        if end is None:
            end = _before_numbers_return(start, provisions)
        if end is None:
            # The search reached the last block: no later mark of this kind is closed either.
            if index + _MOST_BLOCKS >= len(blocks) and mark not in _ALIKE:
                unclosed.add(mark)
            index += 1
            continue
        is_of_another = mark not in _ALIKE and _is_of_another(start, end, mark, blocks)
        if is_of_another or _is_whole_law(start, end, provisions):
            index += 1
            continue
        article = _before_next_article(start, end, blocks, heads)
        if article < end and (
            _NOTE.match(blocks[end].text)
            or any(map(_opening, blocks[article + 1 : end + 1]))
            or _fills_a_gap(article, end, heads, quoted)
        ):
            end = article
        quoted.update(range(start, end + 1))
        index = end + 1
    return frozenset(quoted)


def quotations_of_pages(blocks: Blocks, labels: Labels) -> frozenset[int]:
    """Return indices of the blocks of quoted provisions of another law that a page marks as quotations.

    Such a quotation begins with a label, directly below a block that ends with a colon. Nothing is returned if half of all provisions or
    more are marked so. `labels` are those of the blocks, in order.
    """
    provisions = {label.index for label in labels if label.is_provision and label.strength >= FAIR}
    quoted = {index for index in provisions if blocks[index].is_quoted}
    if not quoted or 2 * len(quoted) >= len(provisions):
        return frozenset()
    found: set[int] = set()
    for index in sorted(quoted):
        if blocks[index - 1].text.endswith(":") and not blocks[index - 1].is_quoted and index > min(provisions):
            found.update(itertools.takewhile(lambda place: blocks[place].is_quoted, range(index, len(blocks))))
    return frozenset(found)


def unmarked_wordings(blocks: Blocks, labels: Labels, announces: re.Pattern[str]) -> frozenset[int]:
    """Return indices of the blocks of new wordings without quotation marks.

    `announces` matches the end of the block above a new wording, which ends before the next provision of the act itself. The act's own
    provisions begin with the same word and are numbered from 1: "Sec. 1" and "Sec. 2", with "§ 42" between them."""
    own: list[Label] = []
    for label in labels:
        if not label.is_provision or label.strength <= WEAK or not (word := _word_of(label, blocks)):
            continue
        if not own:
            own = [label] if label.number.is_first else []
        elif label.number.follows(own[-1].number) == 0 and word == _word_of(own[0], blocks):
            own.append(label)
    found: set[int] = set()
    for before, after in itertools.pairwise(own):
        inside = range(before.index, after.index)
        first = next((index for index in inside if announces.search(blocks[index].text)), after.index)
        found.update(range(first + 1, after.index))
    return frozenset(found)


def _word_of(label: Label, blocks: Blocks) -> str:
    word = _WORD.match(blocks[label.index].text)
    return word.group().casefold() if word is not None else ""


def _before_next_article(start: int, end: int, blocks: Blocks, heads: Labels) -> int:
    """Return the last block before the article that is the next one behind that at the quotation `[start, end]`, and before the headings
    above it; `end` if there is none. `heads` are the labels of articles that are headings."""
    place = bisect.bisect_left(heads, start, key=lambda label: label.index)
    own = heads[place - 1] if place else None
    while own is not None and place < len(heads) and heads[place].index <= end:
        label = heads[place]
        is_alike = label.kinds == own.kinds and blocks[label.index].level == blocks[own.index].level
        if label.index > start and is_alike and label.number.follows(own.number) == 0:
            last = label.index - 1
            while last > start and blocks[last].level:
                last -= 1
            return last
        place += 1
    return end


def _before_numbers_return(start: int, provisions: Labels) -> int | None:
    """Return the last block of a quotation at `start` without a closing mark: its provisions begin with 1 again, and it ends where the
    numbers of the act itself continue. None if either is not so."""
    first = bisect.bisect_left(provisions, start, key=lambda label: label.index)
    if not 0 < first < len(provisions) or not provisions[first].number.is_first:
        return None
    own = provisions[first - 1]
    for before, after in itertools.pairwise(provisions[first:]):
        if after.number.follows(before.number) != 0:
            is_next = after.kinds == own.kinds and after.number.follows(own.number) == 0
            return after.index - 1 if is_next else None
    return None


def _is_whole_law(start: int, end: int, provisions: Labels) -> bool:
    """Whether a decree issues a law in the quotation `[start, end]`: it has the provisions from 1 on, the decree hardly any above it."""
    named = [label for label in provisions if label.kinds and label.strength >= FAIR]
    first, last = (bisect.bisect_left(named, place, key=lambda label: label.index) for place in (start, end + 1))
    inside = named[first:last]
    if not inside or not inside[0].number.is_first or (first and named[first - 1].kinds != inside[0].kinds):
        return False
    steps = itertools.takewhile(lambda pair: pair[1].number.follows(pair[0].number) == 0, itertools.pairwise(inside))
    return 1 + sum(1 for _ in steps) >= max(_WHOLE, _RATIO * first)


def _fills_a_gap(article: int, end: int, heads: Labels, quoted: Set[int]) -> bool:
    """Whether the articles behind the block `article`, up to the block `end`, lead from the one before them, which is not in `quoted`, to
    the next one, number by number: nobody closed the mark, so they are not quoted."""
    first = bisect.bisect_right(heads, article, key=lambda label: label.index)
    last = bisect.bisect_right(heads, end, key=lambda label: label.index)
    if not 0 < first < last < len(heads) or heads[first - 1].index in quoted:
        return False
    return all(
        after.number.follows(before.number) == 0 for before, after in itertools.pairwise(heads[first - 1 : last + 1])
    )


def _repeats_heading(index: int, blocks: Blocks) -> bool:
    """Whether the quoted text begins with the words of the heading above it: a publisher has divided a law that another law quotes as a
    whole, so that the headings are those of its provisions."""
    above = blocks[index - 1] if index else None
    return above is not None and above.level > 0 and blocks[index].text[1:].lstrip().startswith(above.text)


def _opening(block: Block) -> str | None:
    text = block.text
    if block.kind != "text" or not text:
        return None
    if text[0] in _PAIRS and _begins_with(text[0], text) and not _is_closed(text, text[0]):
        return text[0]
    match = _OPENS_AT_END.search(text[-40:])
    return match[1] if match else None


def _begins_with(mark: str, text: str) -> bool:
    """Whether `text` begins with the mark and quoted words; a sign after it shows that it closes a quotation (`" ;`)."""
    return text.startswith(mark) and text[1:].lstrip()[:1] not in ("", *";.,:)")


def _is_closed(text: str, mark: str) -> bool:
    """Whether the quotation that opens `text` ends inside it."""
    if mark in _ALIKE:
        return text.count(mark) % 2 == 0 or (mark == '"' and text.count("”") > text.count("“"))
    closers = _PAIRS[mark].replace('"', "")
    return sum(text.count(closer) for closer in set(closers)) >= text.count(mark)


def _closing(block: Block) -> str:
    match = _CLOSES_AT_END.search(block.text[-12:]) if block.kind == "text" else None
    return match[1] if match else ""


def _end(
    closing: Sequence[str], start: int, mark: str, odd: Mapping[str, Sequence[bool]], blocks: Blocks
) -> int | None:
    """Return the block that closes the quotation. If both marks are alike, it ends with the one mark that no other mark of its block
    belongs to; each block of the quotation may begin with a mark. What a straight mark opens may end with a curly one, and reversed."""
    opened = 0  # marks of the other form inside the quotation
    for index in range(start + 1, min(start + _MOST_BLOCKS, len(blocks))):
        text, closer = blocks[index].text, closing[index]
        is_near = index - start <= _MOST_MIXED
        if mark == '"':
            opened += text.count("“") - text.count("”")
        elif mark == "“":
            opened += odd['"'][index] * (1 if _begins_with('"', text) else -1)
        if closer and mark + closer in _MIXED:
            if opened < 0 and is_near:
                return index
        elif mark in odd:
            if odd[mark][index] and not _begins_with(mark, text):
                return index if closer == mark else None
        elif closer and closer in _PAIRS[mark] and not _is_whole(text):
            return index
    return None


def _is_of_another(start: int, end: int, mark: str, blocks: Blocks) -> bool:
    """Whether the mark at `end` closes a quotation that opens behind `start`, so that the one at `start` has no closing mark.

    A quotation with a mark at each paragraph has one at all of them, and the words that it defines are in marks of their own.
    """
    found = False
    for index in range(start + 1, end + 1):
        text = blocks[index].text
        if not _begins_with(mark, text):
            found = True
        elif found and not _is_defined(text, mark):
            return True
    return False


def _is_defined(text: str, mark: str) -> bool:
    """Whether only the first words of `text` are in marks: “lamp” means any lamp."""
    closers = [text.find(closer) for closer in _PAIRS[mark].replace('"', "") if closer in text]
    return bool(closers) and min(closers) < min(_DEFINED_CHARS, len(text) - 1)


def _is_whole(text: str) -> bool:
    """Whether `text` contains closing marks, and at least as many opening marks."""
    opened = sum(text.count(mark) for mark in "„«") + (text.count("“") if "„" not in text else 0)
    closed = text.count("”") + text.count("»") + (text.count("“") if "„" in text else 0)
    return opened >= closed > 0
