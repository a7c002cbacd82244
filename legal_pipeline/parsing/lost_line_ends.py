"""Restores line ends in a plain text that has lost them: a page or a database column whose text is one line.

A line then begins where a provision, a division, a numbered paragraph or an item of a list does. Not here: what these are
(`parsing.recogniser`), and which characters are white space.
"""

from __future__ import annotations

import dataclasses
import re

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.judgment.plain_text import names_a_judgment
from legal_pipeline.parsing.readers.plain_text import BLOCK_START
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, labels_of
from legal_pipeline.parsing.recogniser.sequence import best_run
from legal_pipeline.parsing.recogniser.words import Words, words_of
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.sentences import ENDED

#: The warning of a text that was parsed with restored line ends.
LINE_ENDS_LOST = "the text has lost its line ends, restored here before numbers: a heading may be at the end of the provision above it"
#: A line with at least this many characters and this share of the text is not a paragraph.
_LINE_CHARS, _LINE_SHARE = 3_000, 0.5
#: What may be a label: white space before a word or a sign, and a number.
_START = re.compile(
    r"\s(?=(?:[^\W\d_]{1,16}\.?|§+)?[\s-]?\[?\(?(?:\d|[IVXLC]{1,6}\b)|\(?[^\W\d_]{1,4}\)\s|[-–•*]\s|[^\W\d_a-z]{4,14}\s[^\W\d_a-z]{3,12}[\s—–:.-])"
)
#: A label and the beginning of its text have at most this many characters; the end of a sentence is in as many before it.
_LABEL_CHARS, _BEFORE_CHARS = 120, 8
#: The number of a paragraph: "12. The", "[12] The", "12 The".
_NUMBERED = re.compile(r"\[?(?P<num>\d{1,3})(?P<sign>[\].।৷]?)\s(?=[^\sa-z])")
#: A heading without the end of a sentence, between that of the text above and the number of the text below.
_HEADING = re.compile(r"(?:\A|[.;:!?।৷][”\"’)\]–—-]*)\s(?P<heading>[^\W\d_a-z][^.;:!?]{1,90})\Z")
_HEADING_CHARS = 96
#: Minimum number of labels, and of labels of one kind, and the minimum share of them whose numbers follow
#: each other: others are references.
_LEAST, _REGULAR = 5, 0.6
#: The scripts from here on have no capitals.
_WITHOUT_CAPITALS = "\u0590"
#: Maximum step between the numbers of paragraphs, and number of lists that are open at once: each is inside the one before.
_MAX_GAP, _MAX_OPEN = 3, 8


def with_line_ends(source: SourceFile) -> SourceFile | None:
    """Return the plain text `source` with a line end in place of the white space before each label; None if it has its line ends, or if
    too few labels are found.

    The text has the same length, so that offsets stay. A judgment is stated to be one, because no line of its cover is left.
    """
    text = source.text
    if max(map(len, text.split("\n"))) < max(_LINE_CHARS, _LINE_SHARE * len(text)):
        return None
    language = detect_language(text).code
    places = _line_ends(text, words_of(language)) if language else ()
    if not places:
        return None
    characters = list(text)
    for place in places:
        characters[place] = "\n"
    restored = dataclasses.replace(source, data="".join(characters).encode())
    is_judgment = "doc_type" not in source.hints and names_a_judgment(text)
    return restored.with_hints(doc_type="judgment") if is_judgment else restored


def _line_ends(text: str, words: Words) -> set[int]:
    """Return the offsets of the white space before labels; none if too few have numbers that follow each other, or if most of these begin
    a line already."""
    worded: list[Label] = []  # `Label.index` is the offset of the white space before the label
    numbered: set[int] = set()
    others: set[int] = set()
    numbers: list[int] = []
    after = -1  # the white space behind the last number: its first paragraph begins in the same line
    for match in _START.finditer(text):
        place = match.start()
        labels = labels_of(place, Block(text[place + 1 : place + 1 + _LABEL_CHARS]), words)
        label = next((label for label in labels if label.kinds and label.strength >= FAIR), None)
        ended = ENDED.search(text, max(0, place - _BEFORE_CHARS), place) is not None
        if label is not None:
            first = text[place + 1]
            if ended or not (first.islower() and first < _WITHOUT_CAPITALS):  # "see section 12" is a reference
                worded.append(label)
        elif number := _NUMBERED.match(text, place + 1):
            found = int(number["num"])
            heading = None if ended else _HEADING.search(text[max(0, place - _HEADING_CHARS) : place])
            is_next = found == 1 or found - 1 in numbers
            if ((is_next and (ended or heading)) or (ended and number["sign"])) and _goes_on(numbers, found):
                numbered.add(place)
                after = number.end() - 1
                if heading:
                    others.add(place - len(heading["heading"]) - 1)
        elif ended and place != after and BLOCK_START.match(text, place + 1):
            others.add(place)
    for kind in {label.kinds[0] for label in worded}:
        run = best_run([label for label in worded if label.kinds[0] == kind], ())
        if len(run.labels) >= _LEAST and run.regularity >= _REGULAR:
            numbered.update(label.index for label in run.labels)
    lost = sum(text[place] != "\n" for place in numbered)
    return numbered | others if lost >= max(_LEAST, len(numbered) / 2) else set()


def _goes_on(numbers: list[int], number: int) -> bool:
    """Whether `number` begins a list or follows a number of `numbers`, the last ones of the lists that are open; updates these."""
    if number == 1:
        numbers.append(1)
        del numbers[:-_MAX_OPEN]
        return True
    for index in range(len(numbers) - 1, -1, -1):
        if numbers[index] < number <= numbers[index] + _MAX_GAP:
            numbers[index:] = [number]
            return True
    return False
