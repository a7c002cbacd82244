"""Finds the labels in schedules that are in another language than the law: a convention in its authentic text.

Not here: the language of a whole document (`recogniser.recognise`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Set

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.labels import Label, Labels, labels_of
from legal_pipeline.parsing.recogniser.words import Words, words_of
from legal_pipeline.text.language import detect_language

#: Minimum number of headings with a word and a number that the language of the law does not know.
_LEAST = 2
_WORD_AND_NUMBER = re.compile(r"[^\W\d_]{3,}\.?\s(?:\d{1,4}|[IVXLC]+)(?![^\W_])")


def with_other_languages(
    labels: Labels, schedules: Labels, apart: Set[int], blocks: Blocks, words: Words
) -> list[Label]:
    """Return `labels` in order; those in a schedule in another language are found again with the words of that language. `words` are those
    of the law's language, and the blocks `apart` have no labels."""
    labelled = {label.index for label in labels}
    replaced: set[int] = set()
    found: list[Label] = []
    for start, end in itertools.pairwise([*(label.index for label in schedules), len(blocks)]):
        inside = range(start + 1, end)
        unknown = sum(
            index not in labelled and blocks[index].is_styled and _WORD_AND_NUMBER.match(blocks[index].text) is not None
            for index in inside
        )
        code = detect_language("\n".join(blocks[index].text for index in inside)).code if unknown >= _LEAST else None
        if code is not None and code != words.language:
            replaced.update(inside)
            other = words_of(code)
            found += [
                label for index in inside if index not in apart for label in labels_of(index, blocks[index], other)
            ]
    kept = [label for label in labels if label.index not in replaced]
    return sorted([*kept, *found], key=lambda label: label.index)
