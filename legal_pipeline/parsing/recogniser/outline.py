"""Finds the outline of a document (contents, schedules, divisions, provisions), with a score of how certain it is.

Not here: writing the tree (`recogniser.writing`).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.amending_items import inserted_wordings, mostly_cite
from legal_pipeline.parsing.recogniser.annexed import without_references_of
from legal_pipeline.parsing.recogniser.bare_divisions import bare_divisions, unnumbered_divisions
from legal_pipeline.parsing.recogniser.closing import OF_OTHERS, closing_labels
from legal_pipeline.parsing.recogniser.contents import find_contents
from legal_pipeline.parsing.recogniser.decimal_sections import with_decimals
from legal_pipeline.parsing.recogniser.divisions import (
    ABBREVIATED,
    division_kind,
    division_labels,
    without_counted,
    without_other_kinds,
    without_repeated,
)
from legal_pipeline.parsing.recogniser.headings import is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.inner import articles_beside, sections_of_articles, without_agreements
from legal_pipeline.parsing.recogniser.inserted import with_inserted
from legal_pipeline.parsing.recogniser.issuing_decree import without_decree
from legal_pipeline.parsing.recogniser.labels import (
    FAIR,
    IN_LIST,
    Divisions,
    Label,
    Labels,
    labels_of,
    spelled_label,
)
from legal_pipeline.parsing.recogniser.listed import (
    STATES,
    empty_provisions,
    listed_divisions,
    listed_provisions,
    listed_schedules,
    with_schedules,
)
from legal_pipeline.parsing.recogniser.misread_signs import with_misread_signs
from legal_pipeline.parsing.recogniser.numbers import UNNUMBERED
from legal_pipeline.parsing.recogniser.other_languages import with_other_languages
from legal_pipeline.parsing.recogniser.provisions import NOTHING, provisions_of
from legal_pipeline.parsing.recogniser.quotations import quotations_of_pages, quoted_blocks, unmarked_wordings
from legal_pipeline.parsing.recogniser.raised import (
    with_letters,
    with_letters_apart,
    with_letters_in_order,
    with_lost,
    with_parts_apart,
    without_marks,
)
from legal_pipeline.parsing.recogniser.recitals import find_recitals
from legal_pipeline.parsing.recogniser.sequence import Run, best_run
from legal_pipeline.parsing.recogniser.signatures import signature_start
from legal_pipeline.parsing.recogniser.signs import Stated, signs_of_law
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, Words

#: Minimum score of a law; a document with a lower score is read as notes under headings.
BOUND = 0.65
#: Weights of the terms of the score (their sum is 1): a word before or after the numbers or other signs of a law, the mean strength of
#: the labels, the regularity of the numbers, and the share of the text in the body from the first provision on.
_WORD, _LOOK, _REGULAR, _SHARE = 0.35, 0.25, 0.25, 0.15
#: Minimum strength of a label that is counted as a number in `Outline.numbers`; items of lists are not counted.
_SEEN = 0.5
#: Minimum strength of the strongest number if the numbers have no word: "1) in section 5 the words are replaced" is a point of a list.
_LEAST = 0.3
#: Factor of the score of a law with one or two provisions.
_FEW = {1: 0.7, 2: 0.9}
#: Minimum share of the text before the first number in a text that is not a law: the number is not the first of a law, or the provisions
#: have fewer characters than this on average, as those in a list do.
_CITED_BELOW, _CITED_CHARS = 0.9, 80
#: Maximum number of lists of numbers without text that stand above a law: of its chapters, and of its articles.
_LISTS = 2
#: Minimum number of rows of a table of references, and the maximum median length of a row in characters; provisions are longer.
_ROWS, _ROW_CHARS = 2, 60
#: Maximum number of missing numbers between the body and a schedule that continues its numbers.
_GAP_BEFORE_SCHEDULE = 20
#: For a text in a schedule that begins with a later article: minimum number of provisions and maximum first number (both the first
#: value), and minimum regularity of the numbers.
_SET_OUT, _SET_OUT_REGULARITY = 4, 0.6
#: Minimum number of inserted provisions, each the first behind its number, of a law that counts these from 2 on: 6-2, 21-2, 26-2.
_COUNTED_FROM_TWO = 3
#: Quotation marks that may open a law that is quoted as a whole.
_OPENING_MARKS = ('"', "“", "”", "„", "«", "»")


@dataclass(frozen=True)
class Score:
    """The certainty that the document is a law, `total`, and its terms, each 0 to 1; `numbers` counts the provisions."""

    total: float
    words: float
    look: float
    regularity: float
    share: float
    numbers: int

    def to_json(self) -> dict[str, float | int]:
        return {term: round(value, 3) for term, value in dataclasses.asdict(self).items()}


@dataclass(frozen=True)
class Region:
    """Blocks `[start, end)`: the body of the document, or the schedule headed by `schedule`. `kind` is the kind of its provisions, None
    for numbers without a word or without provisions. `unsure`: numbers that may be provisions, and were left in the text of the provision
    before them. `inner`: the sections inside its articles; `beside`: the articles of a law whose sections are in other articles."""

    start: int
    end: int
    schedule: Label | None
    kind: str | None
    run: Run
    unsure: tuple[str, ...] = ()
    inner: tuple[Label, ...] = ()
    beside: tuple[Label, ...] = ()


@dataclass(frozen=True)
class Outline:
    """`contents`: ranges of tables of contents; `divisions`: (label, kind) in order; `numbers`: labels at least as strong as `_SEEN`;
    `gaps`: pairs of numbers between which some are missing; `signature`: the blocks `[start, end)` of place, date and names below the
    last provision of the body; `recitals`: number, first block and end of each recital; `quoted`: blocks
    with wordings of other laws."""

    regions: tuple[Region, ...]
    divisions: tuple[tuple[Label, str], ...]
    contents: tuple[tuple[int, int], ...]
    score: Score
    numbers: int
    gaps: tuple[tuple[str, str], ...] = field(default=())
    signature: tuple[int, int] | None = None
    recitals: tuple[tuple[str, int, int], ...] = ()
    quoted: frozenset[int] = frozenset()

    @property
    def labels(self) -> list[Label]:
        """The labels of all provisions, in order."""
        return [label for region in self.regions for label in region.run.labels]

    @property
    def is_law(self) -> bool:
        return self.score.total >= BOUND


def find_outline(blocks: Blocks, words: Words, stated: Stated = Stated.NOTHING) -> Outline:
    """Return the outline of `blocks`."""
    contents = find_contents(blocks)
    outline = _outline_without(contents, blocks, words, stated)
    for _ in range(_LISTS):
        listed = _listed(outline, blocks)
        if listed is None:
            break
        contents = sorted([*contents, listed])
        outline = _outline_without(contents, blocks, words, stated)
    body = outline.regions[0]
    if empty := empty_provisions(body.run.labels, body.end, blocks):
        other = _outline_without(sorted([*contents, empty]), blocks, words, stated)
        if other.is_law and 2 * len(other.regions[0].run.labels) > len(body.run.labels):
            return other
        # The text of the provisions has no numbers.
        return dataclasses.replace(outline, score=dataclasses.replace(outline.score, total=0.0))
    return outline


def _listed(outline: Outline, blocks: Blocks) -> tuple[int, int] | None:
    divisions = frozenset(label.index for label, _ in outline.divisions)
    return listed_provisions(outline.labels, divisions, blocks) or listed_divisions(
        outline.divisions, outline.labels, blocks
    )


def _without_items(labels: Labels) -> list[Label]:
    """Return `labels` without those behind the mark of a list's item, unless most provisions are items: others list references."""
    items = sum(label.style.startswith(IN_LIST) for label in labels)
    provisions = sum(label.is_provision for label in labels)
    return (
        list(labels) if 2 * items > provisions else [label for label in labels if not label.style.startswith(IN_LIST)]
    )


def _outline_without(contents: Sequence[tuple[int, int]], blocks: Blocks, words: Words, stated: Stated) -> Outline:
    """Return the outline of `blocks`; those in the ranges `contents` are tables of contents."""
    found = _without_items([label for index, block in enumerate(blocks) for label in labels_of(index, block, words)])
    found = with_decimals(without_other_kinds(found))
    contents = with_schedules(contents, found, blocks, words.closing)
    listed = {index for start, end in contents for index in range(start, end)}
    found = [label for label in found if label.index not in listed]
    found = with_misread_signs(found, blocks, listed, words)
    quoted = quoted_blocks(blocks, found) | unmarked_wordings(blocks, found, words.announces)
    quoted |= quotations_of_pages(blocks, found)
    labels = [label for label in found if label.index not in quoted]
    if not any(label.strength >= _SEEN for label in labels):
        quoted, labels = frozenset(), found  # the law itself is in quotation marks
    quoted |= inserted_wordings(blocks, labels, words)
    labels = [label for label in labels if label.index not in quoted]
    labels = with_letters(without_marks([*_opening_label(labels, blocks, words), *labels]), blocks)
    labels = with_letters_in_order(with_parts_apart(with_letters_apart(labels, blocks), blocks))
    if words.raised_sign is not None:
        labels = with_lost(labels, words.raised_sign)
    labels = without_counted(without_agreements(labels), words)
    schedules = closing_labels(labels, blocks, words, listed)
    entries = listed_schedules(schedules, labels, blocks)
    schedules = [label for label in schedules if label.index not in entries]
    labels = with_other_languages(labels, schedules, listed | quoted, blocks, words)
    labels = without_references_of(schedules, labels, blocks, words)
    labels, schedules = without_decree(labels, schedules, blocks)
    regions = _regions(labels, schedules, blocks, words)
    divisions: list[tuple[Label, str]] = []
    for place, region in enumerate(regions):
        inside = [label for label in labels if region.start <= label.index < region.end]
        taken = {label.index for label in (region.schedule, *region.run.labels) if label is not None}
        others = [label for label in division_labels(inside, blocks, region.kind) if label.index not in taken]
        if region.kind == "article":
            inner, below = sections_of_articles(region.run.labels, others, blocks, region.end)
            regions[place] = dataclasses.replace(region, inner=inner)
            taken |= {label.index for label in inner} | below
        elif region.kind == "section":
            articles = [label for label in others if "article" in label.kinds]
            beside = articles_beside(articles, region.run.labels, blocks, region.end)
            regions[place] = dataclasses.replace(region, beside=beside)
            taken |= {label.index for label in beside}
        for label in others:
            kind = division_kind(label, region.kind)
            if label.index not in taken and kind is not None and kind not in CLOSING_KINDS:
                divisions.append((label, kind))
    # The numbers of an annex may be more than those of the body.
    candidates = (regions[0], max(regions, key=lambda region: region.run.score))
    scores = (_score(region, regions, divisions, blocks, words, listed, stated) for region in candidates)
    score = max(scores, key=lambda score: score.total)
    provisions = [label for region in regions for label in region.run.labels]
    gaps = _without_first_inserted([gap for region in regions for gap in region.run.gaps], provisions)
    heads = {label.index for label in provisions} | {label.index for label, _ in divisions}
    apart = {label.index for label in schedules} | listed | quoted
    divisions += bare_divisions(blocks, heads, apart, provisions)
    divisions += unnumbered_divisions(blocks, divisions, provisions, apart, words)
    divisions.sort(key=lambda item: item[0].index)
    divisions = without_repeated(divisions, contents, sorted(label.index for label in provisions))
    numbers = sum(label.strength >= _SEEN and not blocks[label.index].depth for label in labels)
    signature = _signature(regions, [label.index for label, _ in divisions], blocks, words)
    recitals = find_recitals(blocks, min([*apart - quoted - listed, *heads], default=0), listed)
    return Outline(tuple(regions), tuple(divisions), tuple(contents), score, numbers, gaps, signature, recitals, quoted)


def _without_first_inserted(gaps: Sequence[tuple[str, str]], provisions: Labels) -> tuple[tuple[str, str], ...]:
    """Return `gaps` without those between 6 and 6-2 if the law counts inserted provisions from 2 on: it has several, and never 6-1."""
    from_two = [gap for gap in gaps if re.fullmatch(rf"{re.escape(gap[0])}[-–.]2", gap[1])]
    has_first = any(re.fullmatch(r"\d+[-–.]1", label.number.text) for label in provisions)
    return tuple(
        gaps if has_first or len(from_two) < _COUNTED_FROM_TWO else [gap for gap in gaps if gap not in from_two]
    )


def _signature(
    regions: Sequence[Region], divisions: Sequence[int], blocks: Blocks, words: Words
) -> tuple[int, int] | None:
    """Return the blocks `[start, end)` of the signature below the body and its transitional provisions, None without one."""
    own = itertools.takewhile(
        lambda region: region.schedule is None or "transitional" in region.schedule.kinds, regions
    )
    *_, last = own
    above = [index for index in divisions if index < last.end]
    first = max([last.start, *(label.index for label in last.run.labels[-1:]), *above[-1:]])
    start = signature_start(blocks, first, last.end, words.language) if first < last.end else None
    return (start, last.end) if start is not None and regions[0].run.labels else None


def _opening_label(labels: Labels, blocks: Blocks, words: Words) -> list[Label]:
    """Return the label of the first provision if the whole law is in quotation marks: it follows the mark, and the second is unquoted."""
    named = [label for label in labels if label.strength >= FAIR and label.is_provision]
    if not named or any(label.index < named[0].index for label in labels if label.strength >= FAIR and label.kinds):
        return []
    for index, block in enumerate(blocks[: named[0].index]):
        if not block.text.startswith(_OPENING_MARKS):
            continue
        for label in labels_of(index, dataclasses.replace(block, text=block.text[1:].lstrip()), words):
            if named[0].style == label.style and label.number.is_first and named[0].number.follows(label.number) == 0:
                return [dataclasses.replace(label, end=label.end + len(block.text) - len(block.text[1:].lstrip()))]
    return []


def _regions(labels: Labels, schedules: Labels, blocks: Blocks, words: Words) -> list[Region]:
    """Return the body and each schedule after it, with the provisions found in them."""
    borders = [label for label in schedules if any(other.index < label.index for other in labels)]
    starts = [0, *(label.index for label in borders)]
    ends = [*starts[1:], len(blocks)]
    regions: list[Region] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        inside = [label for label in labels if start <= label.index < end]
        schedule = borders[number - 1] if number else None
        together = [label for label in inside if not label.is_set_apart]
        kind, run = provisions_of(together, blocks)
        if schedule is not None and schedule.style == OF_OTHERS:
            kind, run = None, NOTHING
        are_items = mostly_cite(run.labels, blocks, words)
        if kind is None and are_items and schedule is None:
            kind, run = _amending_articles(together, blocks, run)
        if schedule is not None and kind is None and (are_items or not _is_law_of_its_own(run, end, regions, blocks)):
            if words.schedule_paragraphs and "transitional" not in schedule.kinds and _are_paragraphs(run, end, blocks):
                kind = "paragraph"
            else:
                kind, run = _spelled(range(start, end), blocks, words, regions, schedule)
        elif schedule is not None and "transitional" in schedule.kinds and schedule.style != OF_OTHERS:
            # The transitional articles of the decrees that amended the law may follow its own.
            spelled = _spelled(range(start, end), blocks, words, regions, schedule)
            kind, run = max((kind, run), spelled, key=lambda found: len(found[1].labels))
        elif (
            schedule is not None
            and not _is_headed_throughout(run, blocks)
            and _is_not_of_this_law(run, end, blocks, regions)
        ):
            kind, run = None, NOTHING
        run, unsure = with_inserted(run, blocks, end) if kind is None else (run, ())
        kind, run = _with_set_apart(kind, run, inside)
        regions.append(Region(start, end, schedule, kind, run, unsure))
    return regions


def _amending_articles(labels: Labels, blocks: Blocks, items: Run) -> tuple[str | None, Run]:
    """Return kind and run of the few articles of an amending law above its many `items`, which amend a provision each; else the items."""
    kind, run = provisions_of([label for label in labels if label.kinds], blocks)
    begins = run.labels and run.labels[0].number.is_first and run.labels[0].index < items.labels[0].index
    return (kind, run) if begins else (None, items)


def _with_set_apart(kind: str | None, run: Run, labels: Labels) -> tuple[str | None, Run]:
    """Return kind and run with those of `labels` whose word has numbers of its own: they interrupt no numbers."""
    apart = [label for label in labels if label.is_set_apart and label.strength >= FAIR]
    if not apart or (run.labels and kind not in apart[0].kinds):
        return kind, run
    merged = sorted([*run.labels, *apart], key=lambda label: label.index)
    return "article", dataclasses.replace(run, labels=tuple(merged), steps=run.steps + len(apart))


def _spelled(
    inside: range, blocks: Blocks, words: Words, before: Sequence[Region], schedule: Label
) -> tuple[str | None, Run]:
    """Return kind and run of transitional provisions numbered in words ("PRIMERA.-"); their kind is that of the body's provisions.

    Below a provision that has a number itself ("Disposición final primera"), they are its paragraphs ("Uno.", "Dos.").
    """
    if "transitional" not in schedule.kinds:
        return None, NOTHING
    labels = [label for index in inside if (label := spelled_label(index, blocks[index], words)) is not None]
    run = best_run(labels, [])
    kind = before[0].kind if schedule.number is UNNUMBERED else "paragraph"
    return (kind, run) if len(run.labels) > 1 else (None, NOTHING)


def _is_not_of_this_law(run: Run, end: int, blocks: Blocks, before: Sequence[Region]) -> bool:
    """Whether the numbers in a schedule are not provisions of this law: they are rows of a table, or they neither begin with the first
    number nor continue those of the body (notes on sections, quoted sections)."""
    if not run.labels or run.labels[0].number.is_first:
        return _lists_references(run, end, blocks)
    # The sections that a schedule contains are not those of the body.
    own = [region for region in before if region.run.labels and (region.schedule is None or region.kind is not None)]
    last = own[-1].run.labels[-1] if own else None
    gap = run.labels[0].number.follows(last.number) if last is not None else None
    most = _GAP_BEFORE_SCHEDULE if len(run.labels) > 1 else 0
    return gap is None or gap > most or _lists_references(run, end, blocks)


def _is_headed_throughout(run: Run, blocks: Blocks) -> bool:
    """Whether a schedule contains a text from a later article on (2 to 18 of a convention): each number is in a heading and has text."""
    labels = run.labels
    if len(labels) < _SET_OUT or labels[0].number.value > _SET_OUT or run.regularity < _SET_OUT_REGULARITY:
        return False
    follows = {label.index - 1 for label in labels}
    return all(label.index not in follows and _is_heading(label, blocks[label.index]) for label in labels)


def _is_heading(label: Label, block: Block) -> bool:
    text = ABBREVIATED.sub("", block.text[label.end :] or block.text)
    return is_heading_like(block) or reads_as_heading(dataclasses.replace(block, text=text))


def _texts(run: Run, end: int, blocks: Blocks) -> list[list[str]]:
    """Return the texts of the blocks of each provision of `run`, the last of which ends before the block `end`."""
    borders = [*(label.index for label in run.labels), end]
    return [[block.text for block in blocks[first:last]] for first, last in itertools.pairwise(borders)]


def _lists_references(run: Run, end: int, blocks: Blocks) -> bool:
    """Whether the provisions in a schedule are short and mostly not sentences: rows of a table of the provisions of another law. Rows
    are not headings."""
    if len(run.labels) < _ROWS or all(blocks[label.index].level for label in run.labels):
        return False
    texts = _texts(run, end, blocks)
    said = sum(any(text.endswith((".", ";", ":")) for text in row) for row in texts)
    return 2 * said < len(texts) and statistics.median(sum(map(len, row)) for row in texts) <= _ROW_CHARS


def _are_paragraphs(run: Run, end: int, blocks: Blocks) -> bool:
    """Whether the numbers in a schedule are its paragraphs: they begin with the first, none is missing, and most have sentences."""
    if len(run.labels) < _ROWS or not run.labels[0].number.is_first or run.gaps or _lists_references(run, end, blocks):
        return False
    texts = _texts(run, end, blocks)
    return 2 * sum(any(STATES.search(text) for text in row) for row in texts) > len(texts)


def _is_law_of_its_own(run: Run, end: int, before: Sequence[Region], blocks: Blocks) -> bool:
    """Whether the numbers in a schedule are sections, not its paragraphs or the rows of a list: of another law (a constitution that an
    Act publishes), or of statutes, each with a heading on a separate line and sentences below it. Below articles, such numbers are
    points of an annex."""
    headed = sum(label.style.endswith("styled") for label in run.labels)
    most = max((len(region.run.labels) for region in before), default=0)
    if len(run.labels) >= 20 and headed >= 0.5 * len(run.labels) and len(run.labels) > most:
        return True
    if before[0].kind == "article":
        return False
    return _is_headed_throughout(run, blocks) and all(
        len(row) > 1 and not row[1][:1].islower() and any(STATES.search(text) for text in row)
        for row in _texts(run, end, blocks)
    )


def _score(
    body: Region,
    regions: Sequence[Region],
    divisions: Divisions,
    blocks: Blocks,
    words: Words,
    listed: set[int],
    stated: Stated,
) -> Score:
    run = body.run
    if not run.labels or (body.kind is None and max(label.strength for label in run.labels) < _LEAST):
        return Score(0.0, 0.0, 0.0, 0.0, 0.0, 0)
    worded = 1.0 if body.kind is not None or stated is Stated.TYPE else signs_of_law(run, divisions, blocks, words)
    look = sum(label.strength for label in run.labels) / len(run.labels)
    if body.kind is None:
        look *= 0.5 + 0.5 * worded
    first = run.labels[0].index
    sizes = [0 if index in listed else len(block.text) for index, block in enumerate(blocks)]
    total = sum(sizes) or 1
    share = sum(size for index, size in enumerate(sizes) if index >= first and body.start <= index < body.end) / total
    number = sum(len(region.run.labels) for region in regions)
    score = _WORD * worded + _LOOK * look + _REGULAR * run.regularity + _SHARE * share
    # One provision is complete if it is a "sole article" (value 0), or the first of what is published as a law.
    opening = run.labels[0].number
    is_complete = opening.value == 0 or (opening.is_first and stated is not Stated.NOTHING)
    score *= 1.0 if is_complete else _FEW.get(len(run.labels), 1.0)
    is_cited = not opening.is_first or share * total < _CITED_CHARS * len(run.labels)
    if stated is Stated.NOTHING and is_cited and sum(sizes[:first]) >= _CITED_BELOW * total:
        score = 0.0  # notes with a list of the provisions that they are about
    if (
        stated is not Stated.NOTHING
        and body.kind is not None
        and all(blocks[label.index].level for label in run.labels)
    ):
        score = max(score, BOUND)  # headings "§ 6" and "§ 11" of what is published as a law, the last that are in force
    return Score(score, worded, look, run.regularity, share, number)
