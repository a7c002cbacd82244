"""Chooses the kind of the provisions of a text: the labels whose numbers make the best sequence.

Not here: the sequence of the labels of one kind (`recogniser.sequence`).
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Sequence

from legal_pipeline.numbering.styles import SIGN
from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.bare_divisions import restarting_divisions
from legal_pipeline.parsing.recogniser.divisions import division_labels
from legal_pipeline.parsing.recogniser.inner import articles_beside
from legal_pipeline.parsing.recogniser.labels import STRONG, STYLED, Label, Labels, repeats_section
from legal_pipeline.parsing.recogniser.sequence import Run, best_run
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS

#: Minimum regularity of articles whose paragraphs are counted with "§".
_PARAGRAPHED = 0.9
#: "§ 1." behind the label of an article; the second section; minimum share of the articles with sections that begin so.
_FIRST_BEHIND, _SECOND, _BEHIND_LABELS = re.compile(r"\W*§\s?1\b"), 2, 0.8
#: Minimum ratio of the scores of numbers without a word and of labels with one where the numbers are the provisions.
_BARE_WINS = 1.5
#: Maximum number of provisions between the place of a provision and that of its number, and maximum share of labels out of order.
_DISPLACED, _DISPLACED_SHARE = 10, 0.1
#: Minimum share of the labels of a chapter of a code whose numbers begin with its own.
_OF_CHAPTER = 0.75
#: Maximum number of words in a block that enacts what follows.
_ENACTING_WORDS = 3

#: Maximum number of remarks of the publisher between the heading of a division and its first provision.
_REMARKS_BELOW_HEAD = 1

#: Minimum number of provisions for each heading of a division, maximum number of blocks from such a heading to its first provision, and
#: minimum share of the headings that are so near.
_NUMBERS_OF_HEAD, _HEAD_BLOCKS, _HEADS = 3, 4, 0.8

#: Minimum share of the articles with numbered paragraphs whose first number is 1.
_ANEW = 0.9

NOTHING = Run((), 0.0, (), 0, 0)


def provisions_of(labels: Labels, blocks: Blocks) -> tuple[str | None, Run]:
    """Return the kind of the provisions and their run: the kind with the best run; None for numbers without a word."""
    labels = [
        label
        for before, label in zip([None, *labels], labels, strict=False)
        if before is None or not repeats_section(label, before)
    ]
    best: tuple[str | None, Run] = (None, NOTHING)
    runs: dict[str, Run] = {}
    enacted = {label.index for label in labels if label.index and _enacts(blocks[label.index - 1])}
    for kind in PROVISION_KINDS:
        named = [label for label in labels if kind in label.kinds]
        if not named:
            continue
        named = _of_the_chapter(named)
        headings = [label.index for label in division_labels(labels, blocks, kind)]
        others = sorted({*headings, *restarting_divisions(named, blocks)})
        run = best_run(named, others, enacted)
        headed = [label for label in named if blocks[label.index].level]
        if 1 < len(headed) < len(named) and _passes_over(run, headed):
            own = best_run(headed, others, enacted)
            run = own if own.labels == tuple(headed) and not own.gaps and headed[0].number.is_first else run
        run = _with_displaced(_with_swapped(run, headed, blocks), named)
        if run.score > best[1].score and not any(_counts_paragraphs(run, outer, blocks) for outer in runs.values()):
            best = (kind, run)
        runs[kind] = run
    articles = runs.get("article", NOTHING)
    if best[0] == "section" and (_are_of_another(best[1], articles, blocks) or _lie_inside(best[1], articles, blocks)):
        return "article", articles
    bare = [label for label in labels if not label.kinds]
    if below := _numbers_below(best[1], bare, blocks):
        return None, best_run(below, [label.index for label in best[1].labels])
    if not bare or (best[1].score >= 1.5 and best[1].score * 4 > len(bare) ** 0.5 and not _are_heads(best[1], bare)):
        return best
    heads = [label.index for label in division_labels(labels, blocks, None)]
    divisions = sorted({*heads, *restarting_divisions(bare, blocks)})
    alike = _of_one_look(bare, divisions)
    run = _with_swapped(best_run(alike, divisions), alike, blocks)
    wins = run.score > _BARE_WINS * best[1].score or _are_heads(best[1], run.labels)
    is_better = wins and not _hold_lists(best[1], run, blocks)
    return (None, run) if is_better else best


def _of_the_chapter(labels: Labels) -> list[Label]:
    """Return the labels of a chapter of a code without references to sections of other chapters at line starts ("§712-1230 covers" in a
    comment on section 701-119): chapters of which no first section is seen."""
    chapters = Counter(label.number.key[:-1] for label in labels if len(label.number.key) > 1)
    if not chapters or max(chapters.values()) < _OF_CHAPTER * len(labels):
        return list(labels)
    begun = {label.number.key[:-1] for label in labels if label.number.is_first or label.number.begins_hundred}
    (chapter, _), *_ = chapters.most_common(1)
    return [label for label in labels if (key := label.number.key)[: len(chapter)] == chapter or key[:-1] in begun]


def _with_swapped(run: Run, headed: Labels, blocks: Blocks) -> Run:
    """Return `run` with the labels `headed` that a publisher printed directly before the provision that they follow ("§ 139, § 141, § 140")
    or directly behind the one that follows them; numbers without a word have text below them."""
    labels = list(run.labels)
    taken, numbers = {label.index for label in labels}, {label.number.key for label in labels}
    for label in headed:
        place = bisect.bisect(labels, label.index, key=lambda other: other.index)
        if label.index in taken or label.number.key in numbers or not 0 < place < len(labels):
            continue
        before, after = labels[place - 1], labels[place]
        is_alike = label.style == after.style and blocks[label.index].level == blocks[after.index].level
        orders = (
            [before, after, label, *labels[place + 1 : place + 2]],
            [*labels[max(place - 2, 0) : place - 1], label, before, after],
        )
        if is_alike and any(_are_successive(order) for order in orders):
            labels.insert(place, label)
    return dataclasses.replace(run, labels=tuple(labels))


def _with_displaced(run: Run, named: Labels) -> Run:
    """Return `run` with the sure labels among `named` that a publisher printed a few provisions away from their place ("14, 16 … 19, 15,
    20"): each has a number that no other label has, and that is missing nearby."""
    times = Counter(label.number.place for label in named)
    taken = {label.index for label in run.labels}
    free = [label for label in named if label.index not in taken and label.strength >= STRONG]
    if len(free) > _DISPLACED_SHARE * len(run.labels):
        return run  # an act that amends others has many labels of theirs
    labels, gaps = list(run.labels), list(run.gaps)
    for label in free:
        if times[label.number.place] > 1 or label.number.series:
            continue
        place = bisect.bisect(labels, label.index, key=lambda other: other.index)
        near = labels[max(place - _DISPLACED, 0) : place + _DISPLACED]
        fitting = (
            (before, after)
            for before, after in itertools.pairwise(near)
            if label.style == before.style == after.style and before.number.key < label.number.key < after.number.key
        )
        if found := next(fitting, None):
            labels.insert(place, label)
            gaps = [gap for gap in gaps if gap != (found[0].number.text, found[1].number.text)]
    return dataclasses.replace(run, labels=tuple(labels), gaps=tuple(gaps))


def _are_successive(labels: Labels) -> bool:
    return all(after.number.follows(before.number) == 0 for before, after in itertools.pairwise(labels))


def _passes_over(run: Run, headed: Labels) -> bool:
    """Whether `run` has no label before the headings `headed`, and leaves one of them out or goes back to one: labels that are not headings
    are then articles of another law, set out in an article of this one ("Art. 1 … Art. 13 Art. 14 … Art. 2")."""
    if not run.labels or run.labels[0].index < headed[0].index:
        return False
    taken = {label.index: place for place, label in enumerate(run.labels)}
    if headed[0].index not in taken:
        return True
    for before, after in itertools.pairwise(headed):
        place = taken.get(after.index)
        if place is None:
            return True
        last = run.labels[place - 1]
        is_next = after.number.follows(before.number) == 0
        if is_next and last.index != before.index and not before.number.key < last.number.key < after.number.key:
            return True
    return False


def _numbers_below(named: Run, bare: Labels, blocks: Blocks) -> list[Label]:
    """Return the numbers without a word that are the provisions in the divisions `named`: headings without further words, of a deeper level
    than the headings of these, each of which is above such a number without text of its own ("ARTICLE 1. Lamps", "4300.", text)."""
    heads = named.labels
    if not heads or not all(blocks[label.index].level for label in heads):
        return []
    deepest = max(blocks[label.index].level for label in heads)
    below = [label for label in bare if label.alone and blocks[label.index].level > deepest]
    starts = {label.index for label in below}
    near = range(1, 1 + _REMARKS_BELOW_HEAD + 1)
    is_above = all(any(label.index + step in starts for step in near) for label in heads)
    return below if is_above and len(below) > len(heads) and below[0].index > heads[0].index else []


def _are_heads(named: Run, bare: Labels) -> bool:
    """Whether the labels of `named` are headings of divisions of the numbers `bare`: directly below them is such a number, and the numbers
    go on where the labels begin anew ("SECTION ONE", "Wages", "12. General" … "SECTION ONE", "Fees", "31. General")."""
    places = [number.index for number in bare]
    below = [bisect.bisect(places, label.index) for label in named.labels]
    pairs = [(label, bare[place]) for label, place in zip(named.labels, below, strict=True) if place < len(bare)]
    near = [number for label, number in pairs if number.index - label.index <= _HEAD_BLOCKS]
    first = [number.number.is_first for label, number in pairs if label.number.is_first]
    return (
        len(first) > 1 >= sum(first)
        and len(near) >= _HEADS * len(named.labels)
        and len(bare) >= _NUMBERS_OF_HEAD * len(named.labels)
    )


def _hold_lists(named: Run, bare: Run, blocks: Blocks) -> bool:
    """Whether `bare` numbers paragraphs, points and recitals of `named`: only the articles are headings by their mark-up, at least half of
    the numbers are below the first of them, and the numbers begin anew in almost each article that has some (a decree with one article, an
    amending act whose article I has 174 points, a code whose articles in bold have 1,100 paragraphs)."""
    heads = named.labels
    if not heads or not all(blocks[label.index].is_styled for label in heads):
        return False
    below = tuple(label for label in bare.labels if label.index > heads[0].index)
    first_in = _first_sections(dataclasses.replace(bare, labels=below), named) or {}
    anew = sum(label.number.is_first for label in first_in.values())
    return (
        2 * len(below) >= len(bare.labels) > 0
        and anew >= _ANEW * len(first_in)
        and not any(blocks[label.index].is_styled for label in bare.labels)
    )


def _counts_paragraphs(run: Run, articles: Run, blocks: Blocks) -> bool:
    """Whether the sections of `run` are paragraphs of `articles`: they are named "§" and begin anew only in the next article, whose label
    its text follows."""
    starts = [label.index for label in articles.labels]
    if articles.regularity < _PARAGRAPHED or 2 * sum(label.alone for label in articles.labels) > len(starts):
        return False
    firsts = [
        label.index
        for before, label in zip([None, *run.labels], run.labels, strict=False)
        # "§ 1a" behind "§ 1" is inserted and begins nothing
        if label.number.is_first
        and (before is None or not before.number.is_first or before.number.key >= label.number.key)
    ]
    inside = [bisect.bisect(starts, index) for index in firsts]
    return (
        len(set(inside)) == len(inside) > 1
        and inside[0] > 0
        and all(blocks[index].text.startswith(SIGN) for index in firsts)
    ) or _go_on_behind_labels(run, articles, blocks)


def _go_on_behind_labels(run: Run, articles: Run, blocks: Blocks) -> bool:
    """Whether the sections of `run` go on with the first one of their article, which is behind its label: "Art. 4. § 1. The", "§ 2. A"."""
    first_in = _first_sections(run, articles) if len(articles.labels) > 1 else None
    if not first_in:
        return False
    labels = {label.index: label for label in articles.labels}
    behind = sum(
        _FIRST_BEHIND.match(blocks[index].text, labels[index].end) is not None and section.number.value == _SECOND
        for index, section in first_in.items()
    )
    return behind >= _BEHIND_LABELS * len(first_in)


def _are_of_another(run: Run, articles: Run, blocks: Blocks) -> bool:
    """Whether the sections of `run` are those of a law that the articles change: none is a first one, and each article that has some, the
    first article too, has text above them."""
    if not articles.labels or not articles.labels[0].number.is_first:
        return False
    if any(label.number.is_first or label.number.begins_hundred for label in run.labels):
        return False
    first_in = _first_sections(run, articles)
    return first_in is not None and all(
        any(not block.level for block in blocks[article + 1 : section.index]) for article, section in first_in.items()
    )


def _lie_inside(run: Run, articles: Run, blocks: Blocks) -> bool:
    """Whether the sections of `run` are inside `articles`, all of them headings: two articles have a first section, others only sections
    that are headings below the article's level, and another article has text of its own ("Art. 97 § 1 … § 36, Art. 98 § 1 … § 5, Art. 99").
    """
    if not all(blocks[label.index].level for label in (*run.labels, *articles.labels)):
        return False
    first_in = _first_sections(run, articles)
    if first_in is None or sum(section.number.is_first for section in first_in.values()) < 2:
        return False
    for article, section in first_in.items():
        if not section.number.is_first and blocks[section.index].level <= blocks[article].level:
            return False
    return bool(articles_beside(articles.labels, run.labels, blocks, len(blocks)))


def _first_sections(run: Run, articles: Run) -> dict[int, Label] | None:
    """Return the block of each article that has sections -> its first section; None if a section is above the first article."""
    starts = [label.index for label in articles.labels]
    places = {bisect.bisect(starts, label.index): label for label in reversed(run.labels)}
    return None if 0 in places else {starts[place - 1]: label for place, label in places.items()}


def _enacts(block: Block) -> bool:
    """Whether the block is an enacting formula: "DECREES:" """
    return block.text.endswith(":") and len(block.text.split()) <= _ENACTING_WORDS and not block.depth


def _of_one_look(bare: Labels, divisions: Sequence[int]) -> list[Label]:
    """Return the numbers without a word whose style has the best run: a list inside a section is numbered in another style."""
    by_style: dict[str, list[Label]] = {}
    for label in bare:
        by_style.setdefault(label.style, []).append(label)
    runs = {style: best_run(labels, divisions) for style, labels in by_style.items()}
    best = max(runs, key=lambda style: runs[style].score)
    both = [label for label in bare if label.style.removesuffix(STYLED) == best.removesuffix(STYLED)]
    if len(both) > len(by_style[best]):
        # A print may have the short sections in bold, and the others not.
        joined = best_run(both, divisions)
        if joined.score > runs[best].score and len(joined.gaps) < len(runs[best].gaps):
            return list(joined.labels)
    return by_style[best]
