"""The paragraph numbers of a judgment: `[12]`, `12.`, `12)`, `¶ 12`, `12.-` or a number from the margin, `12 The`, at the start of blocks,
in rising order, which may begin again under each heading.

Not here: the role of the paragraphs (`roles`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.frame import is_heading

RoleOf: TypeAlias = Callable[[str], str | None]

_STYLES = {
    "bracket": re.compile(r"\[\s?(?P<num>\d{1,3})\s?\]\s*"),
    "stop": re.compile(r"(?P<num>\d{1,3})\.(?:\s+|(?=[A-Z“\"‘])|$)"),
    "parenthesis": re.compile(r"\(?(?P<num>\d{1,3})\)\s+"),
    "pilcrow": re.compile(r"[{\[(]?¶\s?(?P<num>\d{1,3})[.)}\]]{0,2}\s+"),
    "dash": re.compile(r"(?P<num>\d{1,3})\s?[.º°]{1,2}\s?[-–—]\s*(?=[^\W\d_])"),
}
#: A number from the margin has no sign; a capital letter, a quotation, a section or the mark of a point of the reasons follows it:
#: "11 1. Die Vorschrift …", "14 a) Das Gesetz …", "10 § 7 Abs. 1 …".
_MARGIN = re.compile(
    r"(?P<num>\d{1,3})\s+(?=[„“‘«\"(\[]?[^\W\d_a-zß-öø-ÿ]|\d{1,2}(?:\.\d{1,2})*[.)]\s|[a-z]{1,3}\)\s|\([a-z\d]{1,3}\)\s|§{1,2} ?\d)"
)
#: A number of two or three parts under a numbered heading, `4.1`, `4.3.1`.
_UNDER_HEADING = re.compile(r"(?P<num>\d{1,2}(?:\.\d{1,3}){1,2})\.?\s+\S")
_TITLE_WORDS = 8
_SUB = re.compile(r"\[?(?P<num>\d{1,3}(?:\.\d{1,2}){1,3})\.?\]?\s+")
#: A heading that its place shows has at most this many words and characters, begins with a capital and does not end as a sentence.
_HEADING_WORDS, _HEADING_CHARS = 12, 100
_TITLE = re.compile(r"(?:[A-Z]\.\s|[IVX]{1,5}[.)]\s|\(?[a-z\d]{1,3}[.)]\s)?[^\W\d_a-z][^|\n]*[\w)]")
_ENDED = re.compile(r"[.;:!?][”\"’»“\])\d]*\Z|[”\"»]\Z")
#: A text that announces a list: "on three grounds:-".
_ANNOUNCES = re.compile(r":[\s–—-]*\Z")
#: A paragraph of the facts with a letter, "A.", or "B.b" behind "B.a", alone or before its text.
_LETTER = re.compile(r"(?P<num>(?P<main>[A-Z])(?:\.(?P<sub>[a-z]))?)(?:\.(?:\s+(?=\S)|\Z)|\Z)")
#: Minimum number of paragraphs with letters.
_MIN_LETTERS = 2
#: "I certify that the preceding thirty-three (33) numbered paragraphs are a true copy …"
_CERTIFIED = re.compile(r"\bpreceding\s[\w\s-]{3,40}\((?P<num>\d{1,3})\)\s+numbered\s+paragraphs\b")
_QUOTE_START = ("“", '"', "‘", "«")
#: Minimum number of numbered blocks; fewer may be a list.
MINIMUM = 3
#: Minimum share of the paragraphs with a number from the margin: fewer are footnotes.
_MARGIN_SHARE = 1 / 3
#: Minimum number of headings below which the paragraphs count from 1: one may be the heading of a list. Two are enough if they announce
#: parts of the judgment.
_MIN_COUNTS = 3
#: Minimum number of paragraphs of each of several judgments in one report; a shorter count may be a list.
_LONG_COUNT = 15
#: Maximum step between numbers: a page break or a bad scan may hide numbers.
_MAX_GAP = 3
#: Maximum number of numbers that are searched for the end of a list.
_MAX_LIST = 40


def number_paragraphs(blocks: Sequence[Block], role_of: RoleOf = lambda _: None) -> dict[int, str]:
    """Return block index -> paragraph number for the blocks that begin a numbered paragraph; empty without numbered paragraphs.

    Numbers given by the format have priority. Else the style of number with the longest run is used; a number inside a quotation
    belongs to the quoted judgment. `3.1` after paragraph 3 is a number too. `role_of` returns the role that a heading announces.
    """
    given = {index: block.number for index, block in enumerate(blocks) if block.number}
    if len(given) >= MINIMUM:
        return given
    runs = [_run(blocks, pattern) for pattern in _STYLES.values()]
    best = max(runs, key=len)
    margin = _run(blocks, _MARGIN)
    is_certified = margin and _certified(blocks) == list(margin.values())[-1]
    is_dense = len(margin) >= _MARGIN_SHARE * sum(block.in_flow for block in blocks)
    if len(margin) > 2 * len(best) and (is_dense or is_certified):
        best = _without_gaps(blocks, margin)
    again = max((_run(blocks, pattern, role_of) for pattern in _STYLES.values()), key=len)
    counts = [index for index, number in again.items() if number == "1"]
    is_announced = len(counts) > 1 and all(role_of(_above(blocks, index)) for index in counts)
    if len(again) > len(best) and (is_announced or len(counts) >= _MIN_COUNTS):
        return _with_subnumbers(blocks, again)
    if len(best) >= _LONG_COUNT and (reported := _of_reported(blocks, role_of, len(best))):
        return _with_subnumbers(blocks, reported)
    under_headings = _under_headings(blocks)
    are_titles = all(_reads_as_title(blocks[index].text) for index in best)
    if len(under_headings) >= MINIMUM and (are_titles or len(under_headings) > 2 * len(best)):
        return under_headings
    if len(best) < MINIMUM:
        return {}
    return _with_subnumbers(blocks, best)


def _certified(blocks: Sequence[Block]) -> str | None:
    """Return the number of paragraphs that the associate of the judge has certified below an Australian judgment, None without one."""
    found = (_CERTIFIED.search(block.text) for block in reversed(blocks))
    return next((match["num"] for match in found if match), None)


def _of_reported(blocks: Sequence[Block], role_of: RoleOf, least: int) -> dict[int, str]:
    """Return the paragraphs of several judgments in one report, which count from 1 each; empty for fewer than two, or for no more than
    `least` paragraphs in all."""
    found = max((_run(blocks, pattern, role_of, _may_be_title) for pattern in _STYLES.values()), key=len)
    starts = [place for place, number in enumerate(found.values()) if number == "1"]
    lengths = [end - start for start, end in itertools.pairwise([*starts, len(found)])]
    return found if len(found) > least and min(lengths, default=0) >= _LONG_COUNT else {}


def _without_gaps(blocks: Sequence[Block], numbers: Mapping[int, str]) -> dict[int, str]:
    """Return `numbers` with the blocks between two of them that begin with the numbers missing there: "14 die Klage abzuweisen"."""
    out = dict(numbers)
    for before, after in itertools.pairwise(numbers):
        missing = iter(range(int(numbers[before]) + 1, int(numbers[after])))
        number = next(missing, None)
        for index in range(before + 1, after):
            if number is not None and blocks[index].in_flow and blocks[index].text.startswith(f"{number} "):
                out[index] = str(number)
                number = next(missing, None)
    return dict(sorted(out.items()))


def lettered_paragraphs(blocks: Sequence[Block], role_of: RoleOf) -> dict[int, str]:
    """Return block index -> letter of the paragraphs of the facts, A, B, B.a, B.b, C, below the heading that announces facts.

    Empty if fewer than two have letters, or if one has no text of its own: a letter above a heading is the number of that heading.
    """
    first = next((at for at, block in enumerate(blocks) if role_of(block.text) == "background"), len(blocks)) + 1
    out: dict[int, str] = {}
    main, sub = "", ""
    for index in range(first, len(blocks)):
        block = blocks[index]
        if role_of(block.text) is not None:
            break
        match = _LETTER.match(block.text) if block.in_flow and not block.joined else None
        if match is None:
            continue
        follows = match["main"] == (chr(ord(main) + 1) if main else "A") and match["sub"] in (None, "a")
        goes_on = match["main"] == main and match["sub"] == (chr(ord(sub) + 1) if sub else "a")
        if follows or goes_on:
            out[index] = match["num"]
            main, sub = match["main"], match["sub"] or ""
    return out if len(out) >= _MIN_LETTERS and all(_has_text(blocks, index, out) for index in out) else {}


def _has_text(blocks: Sequence[Block], index: int, letters: Mapping[int, str]) -> bool:
    """Whether a lettered block has text behind its letter or below it; "B." may stand above "B.a."."""
    if not is_heading(blocks[index]) and _LETTER.sub("", blocks[index].text, count=1):
        return True
    is_alone = _LETTER.fullmatch(blocks[index].text) is not None
    below = index + 1
    return is_alone and below < len(blocks) and (below in letters or not is_heading(blocks[below]))


def titles_above(blocks: Sequence[Block], numbers: Mapping[int, str]) -> frozenset[int]:
    """Return the indices of the blocks that are headings by their place: behind the end of a sentence and directly above a numbered
    paragraph, or above another heading, and without the end of a sentence."""
    out: set[int] = set()
    flow = [index for index, block in enumerate(blocks) if block.in_flow]
    below = -1
    for index, before in zip(reversed(flow), [*reversed(flow[:-1]), -1], strict=True):
        if index not in numbers and (below in numbers or below in out):
            is_parted = (
                before < 0 or blocks[before].style == "heading" or _ENDED.search(blocks[before].text) is not None
            )
            if _may_be_title(blocks[index]) and (is_parted or _may_be_title(blocks[before])):
                out.add(index)
        below = index
    return frozenset(out)


def _may_be_title(block: Block) -> bool:
    text = block.text
    words = text.split()
    is_short = len(words) <= _HEADING_WORDS and len(text) <= _HEADING_CHARS
    return block.is_plain and is_short and _TITLE.fullmatch(text) is not None


def listed_numbers(texts: Sequence[str]) -> frozenset[int]:
    """Return the indices of the `texts` whose number belongs to a list inside a paragraph, which counts from 1: the grounds 1., 2. and 3.
    below paragraph 2. A number that the next paragraph could have too is one of the list if it comes back behind it."""
    matches = ((index, _STYLES["stop"].match(text)) for index, text in enumerate(texts))
    numbers = [(index, int(match["num"])) for index, match in matches if match]
    out: set[int] = set()
    last = listed = 0
    for place, (index, number) in enumerate(numbers):
        begins = number == 1 and last > 0 and _ANNOUNCES.search(texts[index - 1]) is not None
        goes_on = listed > 0 and number == listed + 1
        later = [following for _, following in numbers[place + 1 : place + 1 + _MAX_LIST]]
        if begins or (goes_on and (number <= last or _comes_back(last + 1, number, later))):
            listed = number
            out.add(index)
        elif last < number <= last + _MAX_GAP:
            last, listed = number, 0
    return frozenset(out)


def _comes_back(paragraph: int, number: int, later: Sequence[int]) -> bool:
    """Whether a list at `number` goes on in the `later` numbers and ends before one that is `paragraph`, with which the text goes on."""
    for place, following in enumerate(later[:-1]):
        if following != number + 1:
            return following == paragraph and later[place + 1] in (1, paragraph + 1)
        number = following
    return False


def _run(
    blocks: Sequence[Block],
    pattern: re.Pattern[str],
    role_of: RoleOf | None = None,
    is_title: Callable[[Block], bool] = is_heading,
) -> dict[int, str]:
    """Return block index -> number of the paragraphs whose numbers have the form `pattern`.

    With `role_of`, the role that a heading announces, they may count from 1 again below each block that `is_title`, but not in an order:
    its points are not paragraphs.
    """
    out: dict[int, str] = {}
    last = 0
    quoted = False
    begins = [block.style in (None, "heading") and not block.joined for block in blocks]
    listed = listed_numbers([block.text if is_first else "" for block, is_first in zip(blocks, begins, strict=True)])
    order = _order(blocks, role_of)
    for index, block in enumerate(blocks):
        if not begins[index] or (index in listed and pattern is _STYLES["stop"]):
            continue  # a sentence or a list inside a paragraph does not begin a paragraph
        text = block.text
        if text.startswith(_QUOTE_START):
            quoted = not _closes(text)
            continue
        match = pattern.match(text)
        number = int(match["num"]) if match else 0
        if number == 1 and last and index < order and _above(blocks, index, is_title):
            last, quoted = 0, False
        if match and last < number <= last + _MAX_GAP and not (quoted and number != last + 1):
            out[index] = match["num"]
            last = number
            quoted = False
        if quoted and _closes(text):
            quoted = False
    return out


def _order(blocks: Sequence[Block], role_of: RoleOf | None) -> int:
    """Return the index of the heading of the order, the last one that announces the decision; costs may be announced above it.

    0 without `role_of`: no paragraphs count again above it.
    """
    if role_of is None:
        return 0
    headings = (index for index, block in enumerate(blocks) if is_heading(block) and role_of(block.text) == "decision")
    return max(headings, default=len(blocks))


def _above(blocks: Sequence[Block], index: int, is_title: Callable[[Block], bool] = is_heading) -> str:
    """Return the heading directly above a block; "" without one."""
    above = next((blocks[place] for place in range(index - 1, -1, -1) if blocks[place].in_flow), None)
    return above.text if above is not None and is_title(above) else ""


def _under_headings(blocks: Sequence[Block]) -> dict[int, str]:
    """Return block index -> number of the paragraphs that are numbered under headings: `2.1` and `2.2` after `1.1`, `2.3.1` after `2.2`."""
    out: dict[int, str] = {}
    last: tuple[int, ...] = (0, 0)
    for index, block in enumerate(blocks):
        match = _UNDER_HEADING.match(block.text) if block.is_plain else None
        number = tuple(map(int, match["num"].split("."))) if match else last
        if match and _follows_under_heading(last, number):
            out[index] = match["num"]
            last = number
    return out


def _follows_under_heading(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether `number` is the next one behind `last` or begins the level below it; a part may have no paragraphs."""
    same = next((at for at, (old, new) in enumerate(zip(last, number, strict=False)) if old != new), len(last))
    if same == len(last):  # 2.3.1 behind 2.3
        return number[same:] == (1,)
    step = number[same] - last[same] if same < len(number) else 0
    begins = all(part == 1 for part in number[same + 1 :])
    return begins and (step == 1 or (same == 0 and step == 2)) and (same > 0 or len(number) > 1)


def _reads_as_title(text: str) -> bool:
    return len(text.split()) <= _TITLE_WORDS and not text.endswith((".", ";", ":"))


def _closes(text: str) -> bool:
    """Whether an open quotation ends in `text`: as many closing quotes as opening quotes, or a closing quote at its end."""
    tail = text.rstrip(" .,;:)]0123456789")
    return tail.endswith(("”", '"', "’", "»")) or text.count("”") >= max(text.count("“"), 1)


def _with_subnumbers(blocks: Sequence[Block], main: dict[int, str]) -> dict[int, str]:
    out: dict[int, str] = {}
    last: tuple[int, ...] = ()
    for index, block in enumerate(blocks):
        if index in main:
            last = (int(main[index]),)
            out[index] = main[index]
            continue
        match = _SUB.match(block.text) if block.style is None else None
        number = tuple(map(int, match["num"].split("."))) if match else ()
        if match and _goes_on(last, number):
            last = number
            out[index] = match["num"]
    return out


def _goes_on(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether `number` is the next one behind `last`, on its level, a level above or the level below: 3.2 or 3.1.1 behind 3.1."""
    above, place = number[:-1], number[-1]
    before = last[len(above)] if len(last) > len(above) else 0
    return bool(above) and last[: len(above)] == above and place == before + 1
