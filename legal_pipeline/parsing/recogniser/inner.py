"""Finds three uses of articles in a law that has sections too.

- Sections inside articles: "Art. 229 § 5".
- Articles without sections, in a law whose sections are in another article: "Art. I § 1 … § 40, Art. II".
- The articles of an agreement that a section of a code quotes in full.

Not here: laws whose articles only group sections with continuous numbers (`recogniser.divisions`), and paragraphs of an article that
have the sign "§" at the beginning of its text.
"""

from __future__ import annotations

import bisect
import itertools

from legal_pipeline.numbering.styles import SIGN
from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels

#: Minimum number of articles of an agreement.
_AGREED = 3


def sections_of_articles(
    articles: Labels, heads: Labels, blocks: Blocks, end: int
) -> tuple[tuple[Label, ...], frozenset[int]]:
    """Return the sections inside `articles`, and the indices of the headings in an article that head no division.

    `heads` are the other headings with a number, in order; the last article ends before the block `end`. Labels with "§" in an article are
    its sections if their numbers begin with 1, or continue those of an earlier article, or if their headings have a lower level than that
    of the article. Most of them must have text, because "§" directly above an article is the heading of a group of articles.
    """
    sections: list[Label] = []
    headings: set[int] = set()
    places = [label.index for label in heads]
    for start, stop in itertools.pairwise([*(label.index for label in articles), end]):
        level = blocks[start].level
        inside = heads[bisect.bisect_right(places, start) : bisect.bisect_left(places, stop)]
        own = [label for label in inside if label.is_provision and blocks[label.index].text.startswith(SIGN)]
        is_below = level and all(blocks[label.index].level > level for label in own)
        goes_on = bool(own and sections) and own[0].number.follows(sections[-1].number) == 0
        if not own or not (own[0].number.is_first or goes_on or is_below):
            # "§ 13 (repealed)" heads no division
            headings |= {label.index for label in own if not _is_alone(label, blocks[label.index])}
            continue
        begins = {label.index for label in inside} | {stop}
        empty = sum(label.index + 1 in begins and _is_alone(label, blocks[label.index]) for label in own)
        if 2 * empty >= len(own):
            continue
        sections += own
        headings |= {label.index for label in inside if label.index < own[-1].index} - {label.index for label in own}
    return tuple(sections), frozenset(headings)


def articles_beside(articles: Labels, sections: Labels, blocks: Blocks, end: int) -> tuple[Label, ...]:
    """Return the `articles` with text and without sections, in a law whose other articles contain all `sections`.

    The last article ends before the block `end`. All articles and sections must be headings by their mark-up. An article with sections is
    a division of the law, so it is not returned.
    """
    starts, places = [label.index for label in articles], [label.index for label in sections]
    if (
        not starts
        or not places
        or places[0] < starts[0]
        or not all(blocks[index].level for index in (*starts, *places))
    ):
        return ()
    heads = {end, *starts}
    return tuple(
        label
        for label, stop in zip(articles, [*starts[1:], end], strict=True)
        if bisect.bisect(places, label.index) == bisect.bisect(places, stop - 1) and label.index + 1 not in heads
    )


def _is_alone(label: Label, block: Block) -> bool:
    """Whether the block has only a label and a heading. Text in brackets is not a heading but a note: "§ 4 (repealed)"."""
    return not block.text[label.end :].lstrip().startswith(("(", "["))


def without_agreements(labels: Labels) -> list[Label]:
    """Return `labels` without the articles of an agreement that a section of a code quotes: "§834-1 … Article I … Article IX … §834-2".

    At least three articles, the first one included, are between two sections of a chapter or behind its last section."""
    sections = [label for label in labels if "section" in label.kinds and label.strength >= FAIR]
    if not all(len(section.number.key) > 1 for section in sections):
        return list(labels)
    articles = [label for label in labels if "article" in label.kinds]
    starts = [label.index for label in sections]
    apart: set[int] = set()
    for place, group in itertools.groupby(articles, lambda label: bisect.bisect(starts, label.index)):
        agreed = list(group)
        chapters = {section.number.key[:-1] for section in sections[max(place - 1, 0) : place + 1]}
        if place and len(chapters) == 1 and len(agreed) >= _AGREED and agreed[0].number.is_first:
            apart |= {label.index for label in agreed}
    return [label for label in labels if label.index not in apart]
