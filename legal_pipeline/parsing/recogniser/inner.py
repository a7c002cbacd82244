"""Finds the sections inside articles: "Art. 229 § 5" is a section of its article, and neither a heading nor a section of the law.

Not here: laws whose articles only group sections that are numbered through (`recogniser.divisions`), and paragraphs of articles that
are named "§" and begin its text.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import Label
from legal_pipeline.parsing.recogniser.words import SIGN


def sections_of_articles(
    articles: Sequence[Label], heads: Sequence[Label], blocks: Sequence[Block], end: int
) -> tuple[tuple[Label, ...], frozenset[int]]:
    """Return the sections inside `articles`, and the indices of the headings among the sections of one article.

    `heads` are the other headings with a number, in order; the last article ends before the block `end`. The sections of an article are
    numbered from 1, and most have text below them: a section directly above an article is the heading of a group of articles.
    """
    sections: list[Label] = []
    headings: set[int] = set()
    places = [label.index for label in heads]
    for start, stop in itertools.pairwise([*(label.index for label in articles), end]):
        inside = heads[bisect.bisect_right(places, start) : bisect.bisect_left(places, stop)]
        own = [label for label in inside if label.is_provision and blocks[label.index].text.startswith(SIGN)]
        if not own or not own[0].number.is_first:
            continue
        begins = {label.index for label in inside} | {stop}
        if 2 * sum(label.index + 1 not in begins for label in own) <= len(own):
            continue
        sections += own
        headings |= {label.index for label in inside if label.index < own[-1].index} - {label.index for label in own}
    return tuple(sections), frozenset(headings)
