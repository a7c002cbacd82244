"""Finds the headings of what follows the body of a law: schedules and annexes, also without a number, transitional provisions, an index.

Not here: the provisions below them (`recogniser.outline`), and the texts annexed under other headings (`recogniser.annexed`).
"""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from legal_pipeline.parsing.blocks import Block, Blocks, split_block
from legal_pipeline.parsing.recogniser.annexed import annexed_texts, appended_texts, protocols
from legal_pipeline.parsing.recogniser.divisions import division_kind, division_labels
from legal_pipeline.parsing.recogniser.headings import HEADING_CHARS, is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import FAIR, STRONG, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import UNNUMBERED
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, DIVISION_KINDS, Words
from legal_pipeline.text.alternation import NEVER

#: "Supplementary Provisions [Extract]", "ADDENDA <Act No. 5, Jun. 30, 2031>": a remark of the publisher, or the law, behind a heading.
_EXTRACT = re.compile(r"\s*(?:\[[^\]]{1,80}\]|<[^<>]{1,80}>|（[^（）]{1,80}）)\Z")

#: What follows the word of a schedule in its heading, and not in a sentence: "Schedule [s. 2]", "Appendix – Arbitration".
_BEHIND_HEADING = ("(", "[", "–", "—")
#: "Ek-1", "ANEXO - II. Lamps": a dash between the word of a schedule and its number; the number ends the heading, or a further one follows.
_DASHED_NUMBER = re.compile(
    r"\s?[-–—]\s?(?P<num>\d{1,3}|[IVX]{1,6}|[A-Z])(?:(?P<alone>\s*[.:]?\Z)|(?=\s*[.:(–—-]|\s[^\W\d_a-z]))"
)
#: "T R A N S I T O R I O S": a word whose letters are set apart.
_SPACED = re.compile(r"(?:[^\W\d_]\s){4,}[^\W\d_]")

#: Words in capitals inside a text, of which the first may begin a heading: "… Moor PENJELASAN ATAS UNDANG-UNDANG …".
_CAPITALS = re.compile(r"(?<=\s)(?=[A-Z]{4,} [A-Z]{2,} [A-Z]{2,})")

#: Style of the label of an explanation of the law, and of closing provisions of other acts: what is below has no provisions of this law.
OF_OTHERS = "of others"


def closing_labels(labels: Labels, blocks: Blocks, words: Words, listed: set[int]) -> list[Label]:
    """Return labels of schedules and annexes, also without a number, and of transitional provisions and an index after the body."""
    divisions = division_labels(labels, blocks, None)
    found = {label.index: label for label in divisions if division_kind(label, None) in CLOSING_KINDS}
    heads = [label.index for label in divisions if set(label.kinds) & set(DIVISION_KINDS)]
    named = [label for label in labels if label.strength >= FAIR and label.is_provision and not label.is_set_apart]
    usual = max(Counter(label.kinds for label in named).items(), key=lambda item: item[1], default=((), 0))[0]
    last_named = max((label.index for label in named), default=0)
    alone = {label.index for label in named if label.alone}
    apart = {label.index for label in labels if label.is_set_apart}
    weak = {label.index: label for label in labels if division_kind(label, None) in CLOSING_KINDS}
    ended = False
    for index, block in enumerate(blocks):
        if index in found or index in listed or index in apart:
            continue
        text = _without_spacing(block.text)
        transitional = _transitional(text, words)
        closing = words.closing.match(text)
        is_heading = _is_closing_heading(block, transitional, closing)
        if is_heading and (index - 1 in found or index - 1 in alone):
            continue  # the heading of a schedule or of an article: "Schedule 1", "Transitional provisions"
        annex = None if is_heading else _annexed(index, weak, found, closing, block, words)
        if annex is not None and not _goes_on(index, named, usual):
            found[index] = annex
        elif is_heading and transitional and _ends_the_body(index, named, heads, usual, ended):
            ended = True
            found[index] = _transitional_label(index, text, transitional, words)
        elif is_heading and closing:
            found[index] = _closing_label(index, text, closing, words)
        elif (kinds := _of_others(text, words)) and not _goes_on(index, named, usual):
            found[index] = Label(index, kinds, UNNUMBERED, 0, STRONG, OF_OTHERS, False)
        elif index > last_named and words.index.fullmatch(block.text):
            found[index] = Label(index, ("schedule",), UNNUMBERED, 0, STRONG, "index", False)
    further = protocols([label for label in named if label.index not in listed], blocks, words)
    further |= dict.fromkeys(annexed_texts(named, {label.index for label in labels}, blocks))
    further |= dict.fromkeys(appended_texts(labels, usual, blocks) if not found else ())
    for index, number in further.items():
        found.setdefault(index, Label(index, ("schedule",), number or UNNUMBERED, 0, STRONG, "schedule", False))
    return [found[index] for index in sorted(found)]


def _closing_label(index: int, text: str, closing: re.Match[str], words: Words) -> Label:
    dashed = _DASHED_NUMBER.match(text, closing.end())
    number = words.number(dashed["num"]) if dashed else None
    start = dashed.end() if dashed and number else closing.end()
    end = len(text) - len(text[start:].lstrip(" .:–—-"))
    return Label(index, ("schedule",), number or UNNUMBERED, end, STRONG, "schedule", end == len(text))


def _of_others(text: str, words: Words) -> tuple[str, ...]:
    """Return the kind of label of a heading below which what looks like provisions is an explanation, or belongs to other acts."""
    if words.explanation.fullmatch(text):
        return ("schedule",)
    return ("transitional",) if words.amending.search(text) else ()


def with_explanation_apart(blocks: Blocks, words: Words) -> Blocks:
    """Return `blocks` with the heading of an explanation, if it is printed in capitals inside a paragraph, at the beginning of a block."""
    if words.explanation.pattern == NEVER:
        return blocks
    split: list[Block] = []
    for block in blocks:
        places = (match.start() for match in _CAPITALS.finditer(block.text)) if block.kind == "text" else ()
        at = next((place for place in places if words.explanation.match(block.text, place)), None)
        split += [block] if at is None else split_block(block, at - 1)
    return split


def _without_spacing(text: str) -> str:
    """Return a word whose letters are set apart as one word; any other text as it is."""
    return re.sub(r"\s", "", text) if _SPACED.fullmatch(text) else text


def _ends_the_body(index: int, named: Labels, heads: Sequence[int], usual: tuple[str, ...], ended: bool) -> bool:
    """Whether the provisions after the heading at `index` do not belong to the body.

    There are none, or their numbers are of another series (articles I to V after 142), or they do not continue those of the body
    (articles 2 to 4 of the law that publishes this one; sections from 1 on without the heading of another chapter), or they have another
    word (§ 1 after article 9). `usual`: the kinds of most provisions; `heads`: the indices of the headings of divisions; `ended`: another
    such heading is above.
    """
    place = bisect.bisect_left(named, index, key=lambda label: label.index)
    if place in (0, len(named)):
        return place == len(named)
    before, after = named[place - 1], named[place]
    if after.number.series != before.number.series:
        return True
    if after.kinds != usual:
        # Paragraphs of an article that are named "§" are not provisions: another article follows them.
        begins = before.kinds == usual and after.number.is_first
        return not _goes_on(index, named, usual) and (begins or ended)
    goes_on = after.number.follows(before.number) is not None or (
        after.number.is_first and bisect.bisect(heads, after.index) > bisect.bisect(heads, index)
    )
    return not goes_on and before.kinds == usual


def _goes_on(index: int, named: Labels, usual: tuple[str, ...]) -> bool:
    """Whether the provisions above the block `index` are continued below it, or there are none."""
    own = [label for label in named if label.kinds == usual]
    place = bisect.bisect_left(own, index, key=lambda label: label.index)
    return place == 0 or any(label.number.follows(own[place - 1].number) == 0 for label in own[place:])


def _annexed(
    index: int,
    weak: Mapping[int, Label],
    found: Mapping[int, Label],
    closing: re.Match[str] | None,
    block: Block,
    words: Words,
) -> Label | None:
    """Return the label of a block without the look of a heading that is one by its words: "Příloha č. 1 k vyhlášce č. 212/2031 Sb."

    It is the first annex, or has the next number. `weak` are the labels of schedules by their blocks, `found` the headings so far.
    """
    label = weak.get(index)
    if label is None:
        if closing is None:
            return None
        end = len(block.text) - len(block.text[closing.end() :].lstrip(" .:"))
        label = Label(index, ("schedule",), UNNUMBERED, end, STRONG, "schedule", False)
    above = [other for other in found.values() if other.index < index and "transitional" not in other.kinds]
    is_next = label.number.follows(above[-1].number) == 0 if above else label.number.value <= 1
    if not is_next or not words.says_where_annexed(block.text, label.end):
        return None
    return dataclasses.replace(label, strength=STRONG)


def _is_closing_heading(block: Block, transitional: re.Match[str] | None, closing: re.Match[str] | None) -> bool:
    """Whether a block whose words may begin what follows the body is a heading, by its style or by its form."""
    if transitional is None and closing is None:
        return False
    if is_heading_like(block) or (transitional and transitional["num"]):
        return True
    # "SCHEDULE (Sections 2 and 29)" and "Schedule [s. 2]" are headings where the text has no styles.
    return (transitional is not None or _is_named(closing, block.text)) and reads_as_heading(block)


def _is_named(closing: re.Match[str] | None, text: str) -> bool:
    """Whether the word of a schedule is in capitals, or what follows it is a sign or a number behind a dash, as in a heading."""
    if closing is None:
        return False
    dashed = _DASHED_NUMBER.match(text, closing.end())
    if closing["word"].isupper() or (dashed is not None and dashed["alone"] is not None):
        return True
    return text[closing.end() :].lstrip().startswith(_BEHIND_HEADING)


def _transitional_label(index: int, text: str, match: re.Match[str], words: Words) -> Label:
    number = words.number(match["num"] or "") or UNNUMBERED
    end = match.end() % len(_EXTRACT.sub("", text))  # without further text, its words are the heading
    return Label(index, ("transitional",), number, end, STRONG, "transitional", False)


def _transitional(text: str, words: Words) -> re.Match[str] | None:
    """Return the match of a heading of transitional provisions: its words alone, or with a number, a sign and further text."""
    text = _EXTRACT.sub("", text)
    if len(text) > HEADING_CHARS or not words.begins_transitional.match(text):
        return None
    match = words.transitional.match(text)
    if match is None or match.end() == len(text):
        return match
    return match if match["num"] and match["sign"].strip() else None
