"""Orders sections that a code has inserted by adding figures: between 151.155 and 151.156 it inserts 151.1551, 151.1552, and so on.

Not here: sections that begin with a zero ("0.0302"), which `recogniser.numbers` reads so in any text.
"""

from __future__ import annotations

import dataclasses

from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import Number, decimal_number

#: A section with more figures than others has at least this number; minimum share of them that lie between their neighbours as decimals.
_FOUR_FIGURES, _SHARE = 1000, 0.8


def with_decimals(labels: Labels) -> list[Label]:
    """Return `labels` with the last part of long section numbers read as a decimal: 151.1551 is 151.155 and one tenth.

    This is done only if nearly all numbers of four or more figures that are printed between two shorter numbers of their chapter have their
    right place in this way. Otherwise the labels are unchanged: sections 1000 and 1001 follow 999.
    """
    numbered = [label.number for label in labels if len(label.number.key) > 1 and label.strength >= FAIR]
    asked = fits = 0
    for place, number in enumerate(numbered):
        if not _is_long(number):
            continue
        before = next((other for other in reversed(numbered[:place]) if not _is_long(other)), None)
        after = next((other for other in numbered[place + 1 :] if not _is_long(other)), None)
        if before is None or after is None or before.key[:-1] != after.key[:-1] or after.key <= before.key:
            continue
        asked += 1
        fits += before.key <= decimal_number(number).key < after.key
    if not asked or fits < _SHARE * asked:
        return list(labels)
    return [
        dataclasses.replace(label, number=decimal_number(label.number)) if _is_long(label.number) else label
        for label in labels
    ]


def _is_long(number: Number) -> bool:
    return len(number.key) > 1 and number.key[-1][0] >= _FOUR_FIGURES
