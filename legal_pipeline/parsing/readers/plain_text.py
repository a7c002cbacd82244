"""Reads a plain text into blocks, divided at blank lines, after short lines and before numbers.

Not here: the meaning of headings and numbers (`parsing.recogniser`), and layouts that a publisher defines.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.readers.marginal_notes import with_notes_above, with_notes_behind
from legal_pipeline.parsing.readers.page_margins import with_notes_of_pages_above
from legal_pipeline.parsing.readers.unstopped_numbers import is_indented, numbered_lines
from legal_pipeline.parsing.recogniser.numbers import DIGITS
from legal_pipeline.parsing.recogniser.words import (
    begins_with_number_and_word,
    begins_with_spelled_label,
    division_alone,
    heads_annex,
    label_between,
    provision_alone,
)
from legal_pipeline.parsing.text_lines import TextLine, text_lines
from legal_pipeline.parsing.text_tables import is_rule, read_ruled_table, read_table
from legal_pipeline.text.deferred_pattern import DeferredPattern
from legal_pipeline.text.markup import RAISED
from legal_pipeline.text.normalise import european_signs, unwrap
from legal_pipeline.text.sentences import ENDED

#: The small letters of the Latin, Greek and Cyrillic alphabets, for a character class.
_SMALL = "".join(letter for letter in map(chr, range(0x61, 0x530)) if letter.islower())
#: A word and a number, followed by something that does not follow a reference: a sign, a capital, the number of a paragraph, or a remark
#: on an amendment before a sign ("Article 5 (modifié par la loi n° 9 de 2031).-").
LABEL_START = DeferredPattern(
    rf"\s*[^\W\d_]{{2,14}}(?:\.?\s|\s?[-–—]\s?)(?:(?:n[or]?[.º°]|[^\W\d_]{{1,2}}\.|nr|№)\s?)?(?:{DIGITS}|\d{{5}}|[IVXLC]{{1,6}}[A-Za-z]?)(?![^\W_])"
    rf"(?:\s?\(\d{{1,2}}\))?[^a-z]{{0,4}}(?:$|[.:–—-](?!\d)|[^\W\d_{_SMALL}]|(?<=\()[^()]*\d{{4}}\)\s?[.:–—-])"
)
#: "Madde 31 – Kişiler", "MADDE 13 –(1) Bir", "Art. 26. 1. Prezes", "4. Lamps: (1) The": a dash and a capital, or a first paragraph, follow
#: no reference, so that such a line begins a block wherever the line before it ends.
SURE_START = DeferredPattern(
    rf"\s*[^\W\d_{_SMALL}][^\W\d_]{{1,13}}\.?\s{DIGITS}(?:\s?[–—]\s?(?:[^\W\d_{_SMALL}]|\(1\)\s)|\.\s(?:1\.|\(1\)|§ 1\.)\s[^\W\d_{_SMALL}])"
    rf"|\s*\d{{1,3}}[A-Z]?\.\s+[^\W\d_{_SMALL}][^.:;]{{2,100}}(?:\s?:|\.)\s?[–—-]?\s*\(1\)\s[^\W\d_{_SMALL}]"
)
#: "45.2(1) Records": a subsection with the number of its rule, before a capital.
WHOLE_NUMBER = DeferredPattern(rf"(?:\d{{1,3}}[.:]){{1,2}}\d{{1,4}}\(\d{{1,3}}\)\s[^\W\d_{_SMALL}]")
#: A line that begins a new block if the line before it has ended.
BLOCK_START = DeferredPattern(
    rf"\s*(?:§+\s*\d|\d{{1,4}}(?:\s?[a-z])?\s*§|(?:[\d{RAISED}]{{0,3}}\[)?\d{{1,4}}(?:-?[A-Z]{{1,2}}|(?:\.\d{{1,3}}){{1,3}})?[.)]"
    r"(?:\s|$|(?<=\))[^\W\d_])|\(\w{1,4}\)\s|[a-zåäö]\)\s|[-–—•*]\s|\[\d{1,4}\])"
    rf"|\s*\d{{1,3}}\.[º°ª]?\s?[-–—]\s?(?=\D)|\s*[^\W\d_{_SMALL}]{{4,14}}\.\s?[-–—]\s|{LABEL_START.pattern}|{WHOLE_NUMBER.pattern}"
)
#: After a remark in brackets ("(2031:7)", "<L 2031-05-07>") such a line begins a section and does not continue a reference.
_SECTION_START = DeferredPattern(
    rf"\s*(?:§+\s*\d+|\d{{1,4}}(?:\s?[a-z])?\s*§)\s+[^\W\d_a-zåäöæøé]|{LABEL_START.pattern}"
)
#: A section number alone on its line. It is not the end of a reference: a sentence that ends with a reference has a full stop.
_SECTION_ALONE = re.compile(r"\s*(?:§+\s*\d+|\d{1,4}(?:\s?[a-z])?\s*§)\s*")
_NUMBER_ALONE = re.compile(r"\s*\d{1,3}\s*")
#: "unless—", "; and": what may precede an item of a list.
_ANNOUNCED = re.compile(r"(?:[—–][”\"']?|;\s[^\W\d_]{1,4})\s*$")
#: Dots and the number of a page: the end of an entry in a table of contents.
_ENTRY_END = re.compile(r"(?:[.…·_]\s?){4,}\d{1,4}\s*$")
#: A text with longer lines than this (characters) is not wrapped: each line is a block.
_WRAPPED_CHARS = 160
#: Minimum number of lines, and the maximum share of them that continue a sentence in a small letter, of a text that is not wrapped.
_LINES, _CONTINUED = 20, 0.06
#: A line shorter than this share of a long line may end a paragraph.
_SHORT = 0.72
#: A heading that is as long as this share of a long line may go on in the next.
_FULL = 0.9
#: A quotation mark and white space before the first line of a quoted provision.
OPENING = ' \t„“”«»"'
#: Maximum number of lines of a header and of characters of each; minimum number and share of the pages with its third line and those below.
_HEADER_LINES, _HEADER_CHARS, _HEADER_PAGES, _HEADER_SHARE = 7, 120, 3, 2 / 3
_PAGE_NUMBER = re.compile(
    r"\s*(?:[^\W\d_]{0,8}\s*)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:/|\(|of|av|von|de|sur)\s*\d{1,4}\)?)?\s*"
)


def text_blocks(text: str) -> list[Block]:
    """Return the blocks of `text` with complete offsets into it; repeated headers and footers of pages have the kind `running`."""
    pages, further = with_notes_above(with_notes_of_pages_above(list(text_lines(text))))
    running = _running(pages)
    width, numbered = _width(pages), numbered_lines(pages)
    blocks: list[Block] = []
    group: list[TextLine] = []
    waiting: list[Block] = []
    tables, in_table = _tables(pages), -1
    for index, line in enumerate(pages):
        if index <= in_table:
            continue
        if index in tables:
            if group:
                blocks.append(_block(group))
                group = []
            table, in_table = tables[index]
            blocks.append(table)
            continue
        if index in running:
            waiting.append(_block([line], "running"))
            continue
        if not line.text.strip():
            # A page may end inside a paragraph: headers and footers do not divide it.
            if group and not (waiting and not ENDED.search(group[-1].text)):
                blocks.append(_block(group))
                group = []
            if not group:
                blocks.extend(waiting)
                waiting.clear()
            continue
        # behind the header of a page and a blank line, a label continues no reference
        is_on_new_page = (
            bool(waiting) and not pages[index - 1].text.strip() and LABEL_START.match(line.text) is not None
        )
        if (
            group
            and index not in further
            and (
                is_on_new_page
                or _begins_section(index, pages, numbered)
                or _begins_block(group[-1].text, index, pages, width)
            )
        ):
            blocks.append(_block(group))
            group = []
        group.append(line)
    if group:
        blocks.append(_block(group))
    return [part for block in (*blocks, *waiting) for part in with_notes_behind(block)]


def _begins_section(index: int, lines: Sequence[TextLine], numbered: Set[int]) -> bool:
    """Whether the line is in `numbered`, the lines that begin with the number of a section, or is the first of the text that is indented
    below one, or is the heading above one."""
    first, line = lines[index].text.lstrip()[:1], lines[index].text
    if index in numbered or first.islower():
        return index in numbered
    if index - 1 in numbered and is_indented(line):
        return True
    return index + 1 in numbered and ENDED.search(lines[index - 1].text) is not None and not ENDED.search(line)


def _begins_block(before: str, index: int, lines: Sequence[TextLine], width: int) -> bool:
    """Whether a block begins with the line, behind the line `before`."""
    line, following = lines[index].text, lines[index + 1].text if index + 1 < len(lines) else ""
    return (
        _parts(before, line, width)
        or _heads_a_label(before, line, following, width)
        or _is_raised(before, line, following)
    )


def _is_raised(before: str, line: str, following: str) -> bool:
    """Whether `line` is the raised number of the paragraph or note whose text is indented in the next line."""
    return (
        _NUMBER_ALONE.fullmatch(line) is not None
        and ENDED.search(before) is not None
        and _indent(following) > _indent(line)
        and following.lstrip()[:1].isupper()
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _tables(lines: list[TextLine]) -> dict[int, tuple[Block, int]]:
    """Return {index of the first line: (table, index of the last line)} of tables with drawn columns and tables between blank lines."""
    found = _ruled_tables(lines)
    inside = {index for first, (_, last) in found.items() for index in range(first, last + 1)}
    first = 0
    for index, line in enumerate([*lines, TextLine("", 0, 0)]):
        if index not in inside and line.text.strip() and line.page == lines[first].page:
            continue
        run = lines[first:index]
        if len(run) > 1 and (table := read_table([item.text for item in run], run[0].offset)) is not None:
            found[first] = Block(table[0], "table", page=run[0].page, offsets=tuple(table[1])), index - 1
        first = index + 1 if index in inside or not line.text.strip() else index
    return found


def _ruled_tables(lines: list[TextLine]) -> dict[int, tuple[Block, int]]:
    found: dict[int, tuple[Block, int]] = {}
    texts = [line.text for line in lines]
    offsets = [line.offset for line in lines]
    behind = 0
    for index, text in enumerate(texts):
        if index < behind or not is_rule(text) or (table := read_ruled_table(texts, index, offsets)) is None:
            continue
        rows, pairs, first, last = table
        if first >= behind:
            found[first] = Block(rows, "table", page=lines[first].page, offsets=tuple(pairs)), last
            behind = last + 1
    return found


def _width(lines: list[TextLine]) -> int:
    """Return the length of long lines (the 90th percentile) in characters; 0 for a text whose lines are not wrapped."""
    lengths = sorted(len(line.text.rstrip()) for line in lines if line.text.strip())
    if not lengths or lengths[-1 - len(lengths) // 20] > _WRAPPED_CHARS or not _is_wrapped(lines):
        return 0
    return lengths[-1 - len(lengths) // 10]


def _is_wrapped(lines: list[TextLine]) -> bool:
    """Whether lines end inside sentences, so that the next lines begin with small letters. A text with few cased letters may be wrapped."""
    begin = [after.stripped[:1] for after in lines]
    cased = sum(letter.lower() != letter.upper() for letter in begin)
    continued = sum(
        letter.islower() and bool(before.stripped) and not ENDED.search(before.text)
        for before, letter in zip(lines, begin[1:], strict=False)
    )
    written = sum(map(bool, begin))
    return written < _LINES or 2 * cased < written or continued > _CONTINUED * written


def opens_block(line: str) -> bool:
    """Whether `line` begins with the number of a list item or the label of a provision, perhaps after a quotation mark."""
    start = line.lstrip(OPENING)
    return (
        BLOCK_START.match(start) is not None
        or begins_with_number_and_word(line)
        or begins_with_spelled_label(start)
        or label_between().match(european_signs(start)) is not None
    )


def _parts(before: str, after: str, width: int) -> bool:
    """Whether a block ends between two adjacent lines."""
    if (
        not width
        or _SECTION_ALONE.fullmatch(after)
        or provision_alone().fullmatch(after)
        or label_between().fullmatch(after)
        or SURE_START.match(after)
        or _ENTRY_END.search(before)
    ):
        return True
    ended = ENDED.search(before) is not None or (
        before.rstrip().endswith((")", "]", ">")) and _SECTION_START.match(after) is not None
    )
    opens = opens_block(after) or heads_annex(after)
    short = len(before.rstrip()) < _SHORT * width
    first = after.lstrip()[:1]
    if not first.islower() and len(before.rstrip()) < _FULL * width and heads_annex(before):
        return True
    # "DUTIES OF THE BOARD" is above "1. Meetings"; a heading in capitals may go on: "UNDER\nSECTION 5 OF THE ACT".
    headed = _is_capitals(before) and not after.isupper()
    if (opens and (ended or short or headed or _ANNOUNCED.search(before))) or (ended and _is_capitals(after)):
        return True
    # "Article 1. Aims of the law of lamps" is a heading, and the text begins in the next line
    headed_label = first.isupper() and LABEL_START.match(before) is not None
    return short and not first.islower() and (ended or opens or headed_label or len(before.strip()) < 0.5 * width)


def _heads_a_label(before: str, line: str, following: str, width: int) -> bool:
    """Whether `line`, between the end of a sentence and the label of a provision, is the heading of this provision."""
    return (
        ENDED.search(before) is not None
        and len(line.rstrip()) < _SHORT * width
        and line.lstrip()[:1].isupper()
        and not ENDED.search(line)
        and LABEL_START.match(following) is not None
    )


def _is_capitals(line: str) -> bool:
    return line.isupper() and sum(map(str.isalpha, line)) > 3


def _block(lines: list[TextLine], kind: str = "text") -> Block:
    joined, pairs = unwrap([line.text for line in lines], [line.offset for line in lines])
    return Block(joined, kind, page=lines[0].page, offsets=tuple(pairs))


def _running(lines: list[TextLine]) -> set[int]:
    """Return the indices of headers, footers and page numbers. Headers are on at least three pages; their numbers may differ."""
    by_page: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        if line.text.strip():
            by_page.setdefault(line.page, []).append(index)
    if len(by_page) < 3:
        return set()
    edges = [index for found in by_page.values() for index in {*found[:2], *found[-2:]}]
    forms = {index: _form(lines[index].text.strip()) for index in edges}
    counts = Counter(forms.values())
    found = {
        index
        for index in edges
        if len(lines[index].text.strip()) < _HEADER_CHARS
        and (counts[forms[index]] >= 3 or ("#" in forms[index] and _PAGE_NUMBER.fullmatch(lines[index].text)))
    }
    return found | _below_headers(list(by_page.values()), found, lines)


def _below_headers(pages: Sequence[Sequence[int]], found: Set[int], lines: Sequence[TextLine]) -> set[int]:
    """Return the further lines of the headers that `found` begins: those repeated on most pages, and lines between two of them, which name
    what is on the page ("PART 3 – Lamps"). `pages` are the indices of the lines of each page with text."""
    tops = [page[:_HEADER_LINES] for page in pages]
    forms = {index: _form(lines[index].text.strip()) for top in tops for index in top}
    counts = Counter(form for top in tops for form in {forms[index] for index in top})
    further: set[int] = set()
    for top in tops:
        if top[0] not in found:
            continue
        repeated = [
            place
            for place, index in enumerate(top)
            if index in found or counts[forms[index]] >= max(_HEADER_SHARE * len(pages), _HEADER_PAGES)
        ]
        for before, place in itertools.pairwise(repeated):
            between = [lines[index].text for index in top[before + 1 : place]]
            if not all(map(_may_name_division, between)):
                break
            further.update(top[before + 1 : place + 1])
    return further


def _may_name_division(line: str) -> bool:
    """Whether a line of a header may name the division that is on the page, with its heading: a label alone begins the division."""
    words = line.strip()
    is_short = len(words) < _HEADER_CHARS and words[:1].isupper() and not ENDED.search(words)
    return is_short and division_alone().fullmatch(words) is None


def _form(line: str) -> str:
    """Return the words of `line` in one order and without figures: headers differ in the number of the page, and left and right pages have
    it on other sides. "PART 2" and "Article 9" at the top of pages are neither headers nor page numbers."""
    is_label = division_alone().fullmatch(line) or provision_alone().fullmatch(line)
    return line if is_label else " ".join(sorted(re.sub(r"\d+", "#", line).split()))
