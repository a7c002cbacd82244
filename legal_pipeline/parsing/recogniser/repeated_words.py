"""Finds where the words of a block are repeated at the beginning of other blocks, as those of an entry of a table of contents are.

Not here: which blocks are entries (`recogniser.contents`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

#: The words of a block in small letters.
Tokens = tuple[str, ...]

#: Number of words that are compared.
PREFIX = 14
#: Number of words in a label on a separate line.
LABEL_WORDS = range(1, 4)
#: In the place of the word before a number; number of words in a number and a heading.
_ANY_WORD, _NUMBER_AND_HEADING = "", 2
#: Of many blocks with the same first words, so many first and last ones are compared as a whole.
_NEAREST = 3


def places_of(words: Sequence[Tokens]) -> dict[Tokens, list[int]]:
    """Return {first words: indices of blocks that begin with them}.

    A short block also counts with the words of the next block, and one that begins with a word and a number with `_ANY_WORD` in the place
    of the word.
    """
    places: dict[Tokens, list[int]] = defaultdict(list)
    for index, found in enumerate(words):
        joined = found
        if len(found) < PREFIX and index + 1 < len(words):
            joined = (*found, *words[index + 1])
        for length in range(1, min(len(joined), PREFIX) + 1):
            places[joined[:length]].append(index)
        if has_label(found):
            places[(_ANY_WORD, *found[1:])[:PREFIX]].append(index)
    return places


def repeated_at(index: int, words: Sequence[Tokens], places: dict[Tokens, list[int]]) -> list[int]:
    """Return the first and the last block that begin with the words of this block; empty if no other block does.

    If there is none, the words are searched after those of a short block before it ("PART 1", "General"), and then without their
    number, because some headings are in the margin.
    """
    own = words[index]
    if len(own) > 1 and len(found := places[own[:PREFIX]]) > 1:
        return [found[0], found[-1]]
    if index and own and len(words[index - 1]) in LABEL_WORDS:
        joined = (*words[index - 1], *own)[:PREFIX]
        if len(found := places[joined]) > 1:
            return [found[0], found[-1]]
    if len(own) > 1 and own[0].isdigit() and (found := places.get(own[1 : PREFIX + 1], [])):
        whole = [place for place in (found[0], found[-1]) if words[place] == own[1:]]
        return [found[0], found[-1]] if len(own) > 2 else whole
    return _with_other_word(index, words, places)


def _with_other_word(index: int, words: Sequence[Tokens], places: dict[Tokens, list[int]]) -> list[int]:
    """Return the first and the last block whose words are those of this block, except for the word before the number: "Section 2
    Interpretation" for "2. Interpretation", "SECTION 1. SHORT TITLE" for "Sec. 1. Short title"."""
    own = words[index]
    rest = own[1:] if has_label(own) else own
    if len(rest) < _NUMBER_AND_HEADING or not rest[0][0].isdigit():
        return []
    alike = (places.get(key, []) for key in (rest[:PREFIX], (_ANY_WORD, *rest[: PREFIX - 1])))
    known = {place for found in alike for place in (*found[:_NEAREST], *found[-_NEAREST:])}
    found = sorted(place for place in known if place != index and rest in (words[place], words[place][1:]))
    return [found[0], found[-1]] if found else []


def has_label(words: Tokens) -> bool:
    """Whether `words` begin with a word and a number."""
    return len(words) > _NUMBER_AND_HEADING and words[0].isalpha() and words[1][0].isdigit()
