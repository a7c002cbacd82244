"""Separates the running text of a page from running headers and footers, page numbers, footnotes and margin text.

The criteria are position, size and repetition; the only words of a language used here are those of page numbers and structural labels.
Not here: paragraphs (`pdf.paragraphs`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.parsing.pdf.columns import find_gutter, in_reading_order
from legal_pipeline.parsing.pdf.glyphs import Line, Page, merge
from legal_pipeline.parsing.pdf.marginal_notes import with_notes_above
from legal_pipeline.parsing.readers.plain_text import opens_block
from legal_pipeline.parsing.recogniser.words import provision_alone

#: A page number alone on its line: "7", "- 7 -", "7 (12)", "Page 7 of 12", "Sida 7 av 12", "S. 7/12", "iv".
_PAGE_NUMBER = re.compile(
    r"[-–—\[(\s]*(?:(?:page|sida|sid\.?|seite|s\.|p\.|pg\.?)\s*)?(?P<number>\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|av|von|sur|/|\|)\s*\d{1,4}|\s*\(\d{1,4}\))?[-–—\])\s]*",
    re.IGNORECASE,
)
#: A number, letter or bullet in the left margin that belongs to the paragraph beside it.
_HANGING_NUMBER = re.compile(
    r"[(\[]?(?:\d{1,4}(?:\.\d{1,3})*|[a-zA-Z]{1,2}|[ivxlcIVXLC]{1,6})[.)\]:]*(?:\s?[a-z])?\s?§?§?|[•–—*-]"
)
#: A label in the left margin, "Rule 45.1", and the minimum number of those with one word on a page: a single one is a margin note.
_HANGING_LABEL, _FEWEST_LABELS = re.compile(r"([^\W\d_]{1,12}\.?|§{1,2})\s?\d{1,4}(?:[.:-]\d{1,4})*[a-zA-Z]?\.?"), 3
#: A number with a stop that stands alone in the left margin above its text is the number of a provision; a page number has no stop.
_NUMBER_ABOVE = re.compile(r"\d{1,4}[A-Z]{0,2}\.")
_DIGITS = re.compile(r"\d+")
#: The number of the page at the end of a header: "Ch 45, p.ii".
_PAGE_AT_END = re.compile(r"\b(?:p|pp|pg|page|seite|sida)\.?\s?(?:\d{1,4}|[ivxlc]{1,7})\Z")
#: A structural heading at the top of a page is not a running header, even if it is repeated on many pages.
_STRUCTURE_LABEL = re.compile(
    r"\d{1,3}\s?[a-z]?\s+kap\b|\d{1,3}\s?[a-z]?\s?§|(?:chapter|part|section|article|artikel|schedule|chapitre|titre|kapitel|avdelning|bilaga)\s+\w+\s*$",
    re.IGNORECASE,
)
#: Minimum number of words of a line that is a part of a sentence and not a running header.
_SENTENCE_WORDS = 4
#: Minimum length of a line with a label that is a provision and not a running header.
_PROVISION_CHARS = 60
_LONG_LINE = 30
#: Minimum share of the characters of a document in a type size of running text; headings have much less.
_TEXT_SHARE = 0.25
#: Repeated lines above the first or below the second share of the page height are headers and footers.
_TOP_ZONE, _BOTTOM_ZONE = 0.86, 0.14
#: Maximum number of pages that may begin with the label of an article with the same number.
_SAME_LABEL = 2
#: Usual and maximum number of lines of a header or footer.
_USUAL_LINES, _MOST_LINES = 3, 6
_FOOTNOTE_SIZE = 0.93
_FOOTNOTE_START = re.compile(r"(?:[\U000F0000-\U000FFFEF]|\d{1,3}[\s.)]|[*†‡]\s?)\s*\S")


@dataclass
class Matter:
    """A text outside the flow; `kind` is its node type, `num` the number of a page or the mark of a footnote."""

    kind: str
    text: str
    page: int
    num: str | None = None


@dataclass
class PageLayout:
    """The flow lines of a page or column from top to bottom, the edges of the column in points, and text outside the flow."""

    number: int
    left: float
    right: float
    lines: list[Line] = field(default_factory=list)
    matter: list[Matter] = field(default_factory=list)
    label: str | None = None


def body_size(pages: Sequence[Page]) -> float:
    """Return the type size of most characters of the document, in points."""
    sizes = _characters_by_size(pages)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def text_size(pages: Sequence[Page]) -> float:
    """Return the largest type size in which much of the document is printed, in points: only larger type is a heading.

    It is above `body_size` if most characters are notes or illustrations in small type.
    """
    sizes = _characters_by_size(pages)
    total = sum(sizes.values())
    return max((size for size, count in sizes.items() if count >= _TEXT_SHARE * total), default=body_size(pages))


def _characters_by_size(pages: Sequence[Page]) -> Counter[float]:
    sizes: Counter[float] = Counter()
    for page in pages:
        for segment in page.segments:
            if not segment.rotated:
                sizes[round(segment.size * 4) / 4] += len(segment.text.strip())
    return sizes


def lay_out(pages: Sequence[Page]) -> list[PageLayout]:
    """Return the layouts of `pages` in reading order: one for a page, and one for each part of a page in two columns."""
    size = body_size(pages)
    pages = with_notes_above(pages, size)
    edges = _edges(pages, size)
    layouts: list[PageLayout] = []
    gutters: list[float] = []
    for page in pages:
        left, right = edges[page.number]
        flow: list[Line] = []
        rotated = [segment for segment in page.segments if segment.rotated]
        margin = _box(page.segments, left, right)
        for segment in page.segments:
            if segment.rotated or any(segment is item for item in margin):
                continue
            (margin if _beside(segment, left, right, page.segments) else flow).append(segment)
        gutter = find_gutter(flow, left, right, size, gutters[-2:])
        gutters += [gutter] if gutter is not None else []
        parts = [
            PageLayout(page.number, part_left, part_right, _top_down(merge(lines)))
            for lines, part_left, part_right in in_reading_order(flow, left, right, gutter)
        ]
        layout = parts[0]
        layout.matter.extend(Matter("running_footer", segment.text.strip(), page.number) for segment in rotated)
        beside = _top_down(merge(margin))
        if not layouts and layout.lines:
            stamps = [
                line for line in beside if line.baseline > layout.lines[0].baseline and not _repeats(line, pages[1:])
            ]
            layout.lines = [*stamps, *layout.lines]
            beside = [line for line in beside if not any(line is stamp for stamp in stamps)]
        layout.matter.extend(Matter("running_header", line.text, page.number) for line in beside)
        layouts.extend(parts)
    _take_headers(layouts, pages)
    for layout in layouts:
        _take_page_number_beside(layout)
        _take_footnotes(layout, size)
    return layouts


def _repeats(line: Line, pages: Sequence[Page]) -> bool:
    """Whether one of `pages` contains a line with the same words. A citation stamped only on the first page belongs to the text."""
    words = line.text.split()
    return any(words == line_of.text.split() for page in pages for line_of in merge(page.segments))


def _edges(pages: Sequence[Page], size: float) -> dict[int, tuple[float, float]]:
    """Return the left and right edge of the text column per page: from its long lines, else from all its lines."""
    level = {page.number: [item for item in page.segments if not item.rotated] for page in pages}
    own: dict[int, tuple[float, float]] = {}
    for page in pages:
        long = [
            item for item in level[page.number]
            if len(item.text.strip()) >= _LONG_LINE and 0.85 * size <= item.size <= 1.25 * size
        ]  # fmt: skip
        if len(long) >= 4:
            own[page.number] = (_with_labels(min(item.x0 for item in long), page), max(item.x1 for item in long))
    widest = max((right for _, right in own.values()), default=0.0)
    # Without long lines the margin of the page is unknown: none of its lines counts as margin text. Its lines are short, not wrapped.
    short = {
        page.number: (
            min((item.x0 for item in level[page.number]), default=0.0),
            max(widest, max((item.x1 for item in level[page.number]), default=page.width)),
        )
        for page in pages
    }
    return short | own


def _with_labels(left: float, page: Page) -> float:
    """Return the left edge of the column that begins at `left`, with the labels to its left: those of a table of contents."""
    words: dict[str, list[float]] = defaultdict(list)
    for item in page.segments:
        if item.x1 <= left and (label := _HANGING_LABEL.fullmatch(item.text.strip())):
            words[label[1]].append(item.x0)
    return min([left, *(x0 for places in words.values() if len(places) >= _FEWEST_LABELS for x0 in places)])


def _beside(segment: Line, left: float, right: float, segments: Sequence[Line]) -> bool:
    """Whether the segment is outside the column. A number in the left margin belongs to the text on its baseline, or below it."""
    if segment.x0 >= right + 2:
        return True
    if segment.x1 > left - 2 or _NUMBER_ABOVE.fullmatch(segment.text.strip()):
        return False
    hanging = _HANGING_NUMBER.fullmatch(segment.text.strip()) is not None
    return not hanging or not any(
        item.x0 > segment.x1 and abs(item.baseline - segment.baseline) < 0.75 * item.size for item in segments
    )


def _box(segments: Sequence[Line], left: float, right: float) -> list[Line]:
    """Return the lines of a box in the right part of the column (number and date of publication): short lines below each other with a
    common left edge, on other baselines than the text to their left. Columns of a table share baselines and are not boxes."""
    wide = right - left
    candidates = [
        item for item in segments
        if not item.rotated and item.x0 > left + 0.55 * wide and item.x1 - item.x0 < 0.4 * wide and len(item.text.strip()) < _LONG_LINE
    ]  # fmt: skip
    stacks: dict[int, list[Line]] = defaultdict(list)
    for item in sorted(candidates, key=lambda item: -item.baseline):
        stacks[round(item.x0 / 2)].append(item)
    found: list[Line] = []
    for stack in stacks.values():
        steps = [above.baseline - below.baseline for above, below in itertools.pairwise(stack)]
        if len(stack) < 2 or any(step > 3 * stack[0].size for step in steps):
            continue
        low, high = stack[-1].baseline - stack[-1].size, stack[0].baseline + stack[0].size
        others = [item for item in segments if item.x1 < stack[0].x0 - stack[0].size and low < item.baseline < high]
        level = sum(any(abs(item.baseline - other.baseline) < 0.15 * item.size for other in others) for item in stack)
        if others and level * 2 < len(stack) and all(other.size > 1.1 * stack[0].size for other in others):
            found.extend(stack)
    return found


def _top_down(lines: list[Line]) -> list[Line]:
    """Sort lines from top to bottom. PDFium returns them in the order of the file, in which page numbers and boxes are often first."""
    return sorted(lines, key=lambda line: (-round(line.baseline, 1), line.x0))


def _patterns(text: str, page: int) -> list[str]:
    """Return the patterns that a line may share with lines of other pages: its text, its text with each number relative to `page`, and its
    text without the number of a page at its end."""
    words = " ".join(text.split()).casefold()
    counted = (
        f"{words[: match.start()]}<{int(match.group()) - page}>{words[match.end() :]}"
        for match in _DIGITS.finditer(words)
    )
    return [words, *counted, *([_PAGE_AT_END.sub("", words)] if _PAGE_AT_END.search(words) else [])]


def _take_headers(layouts: list[PageLayout], pages: Sequence[Page]) -> None:
    """Move running headers, running footers and page numbers out of the flow.

    A header or footer is a line in the top or bottom zone whose pattern is in the zones of several pages, from the fourth line on in those
    of most pages.
    """
    heights = {page.number: page.height for page in pages}
    seen: dict[str, set[int]] = defaultdict(set)
    for layout in layouts:
        zone = [line.text for line in _zone(layout, heights[layout.number])]
        for text in (*zone, *(matter.text for matter in layout.matter)):
            for pattern in _patterns(text, layout.number):
                seen[pattern].add(layout.number)
    enough = max(2, min(4, len(layouts) // 3))
    for layout in layouts:
        height = heights[layout.number]
        for line in [item for item in layout.lines[-4:] if item.baseline < _BOTTOM_ZONE * height]:
            if line.text.strip() == str(layout.number) and not line.marks:
                layout.lines.remove(line)  # an imprint may be printed below the page number
                _move(layout, line, "page_number")
        for top, edge in ((True, 0), (False, -1)):
            for place in range(_MOST_LINES):
                least = enough if place < _USUAL_LINES else max(enough, len(layouts) // 2 + 1)
                if not layout.lines or not (
                    kind := _edge_kind(layout, layout.lines[edge], height, seen, least, top=top)
                ):
                    break
                _move(layout, layout.lines.pop(edge), kind)


def _zone(layout: PageLayout, height: float) -> list[Line]:
    """Return the outermost lines within the zones."""
    top = [line for line in layout.lines[:_MOST_LINES] if line.baseline > _TOP_ZONE * height]
    bottom = [line for line in layout.lines[-_MOST_LINES:] if line.baseline < _BOTTOM_ZONE * height]
    return [*top, *bottom]


def _edge_kind(
    layout: PageLayout, line: Line, height: float, seen: dict[str, set[int]], enough: int, *, top: bool
) -> str | None:
    if line.marks:
        return None
    in_zone = line.baseline > _TOP_ZONE * height if top else line.baseline < _BOTTOM_ZONE * height
    if not in_zone:
        return None
    match = _PAGE_NUMBER.fullmatch(line.text.strip())
    repeats = max(len(seen[pattern]) for pattern in _patterns(line.text, layout.number))
    if provision_alone().fullmatch(line.text):
        # two articles may be as far from each other as their pages, and a law and its annex may have the same numbers
        same = len(seen[" ".join(line.text.split()).casefold()])
        repeats = same if same > _SAME_LABEL else 0
    if match is not None and (match.group("number").isdigit() or repeats >= 2):
        return "page_number"
    if _STRUCTURE_LABEL.match(line.text) or _continues_sentence(line.text):
        return None
    if repeats >= enough and len(line.text) < 150 and re.search(r"\w", line.text):
        return "running_header" if top else "running_footer"
    return None


def _continues_sentence(text: str) -> bool:
    """Whether the line is a part of a sentence or a provision, although other pages begin or end with the same words."""
    is_provision = len(text) >= _PROVISION_CHARS and opens_block(text)
    return is_provision or (text[:1].islower() and len(text.split()) >= _SENTENCE_WORDS and not _DIGITS.search(text))


def _move(layout: PageLayout, line: Line, kind: str) -> None:
    num = None
    if kind == "page_number" and (match := _PAGE_NUMBER.fullmatch(line.text.strip())):
        num = match.group("number")
        layout.label = num
    layout.matter.append(Matter(kind, line.text, layout.number, num))


def _take_page_number_beside(layout: PageLayout) -> None:
    """Make a number in the margin the page number, if the page has none."""
    for matter in layout.matter:
        if matter.kind == "running_header" and matter.text.isdigit() and layout.label is None:
            matter.kind, matter.num, layout.label = "page_number", matter.text, matter.text


def _take_footnotes(layout: PageLayout, size: float) -> None:
    """Move the small lines at the foot of the page out of the flow, from the first with a mark; each mark begins a footnote."""
    first = len(layout.lines)
    while first > 0 and layout.lines[first - 1].size < _FOOTNOTE_SIZE * size:
        first -= 1
    start = next((i for i in range(first, len(layout.lines)) if _FOOTNOTE_START.match(layout.lines[i].text)), None)
    if start is None or first == 0:
        return
    notes: list[Matter] = []
    above: Line | None = None
    for line in layout.lines[start:]:
        text, mark = line.text, None
        if text and ord(text[0]) >= 0xF0000 and line.marks:
            mark, text = line.marks[0], text[1:].lstrip()
        elif match := re.match(r"(\d{1,3}|[*†‡])[\s.)]\s*(?=\S)", text):
            expected = int(notes[-1].num) + 1 if notes and notes[-1].num and notes[-1].num.isdigit() else None
            if not match.group(1).isdigit() or expected is None or int(match.group(1)) == expected:
                mark, text = match.group(1), text[match.end() :]
        for index, inner in enumerate(line.marks):
            text = text.replace(chr(0xF0000 + index), inner)
        apart = above is not None and above.baseline - line.baseline > 2.2 * line.size
        above = line
        if mark is not None or not notes:
            notes.append(Matter("footnote", text, layout.number, mark))
        elif apart or notes[-1].kind == "running_footer":
            notes.append(Matter("running_footer", text, layout.number))
        else:
            notes[-1].text += "\n" + text
    del layout.lines[start:]
    layout.matter.extend(notes)
