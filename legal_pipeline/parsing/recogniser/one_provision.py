"""Finds the provision of a page that shows a single one: the label of the provision is a heading, and the headings above it are divisions.

The words are data (`[one_provision]` of a language): `named` are types of laws with the names of their collections; `beside` a line that
says how to cite the provision; `below` headings of what a publisher adds below a provision; `about` words of a text about a law; `inside`
words with which laws command and speak of themselves. Not here: the provisions of a whole law (`recogniser.outline`), and a provision whose
number stands beside the text (`generic.stated_provision`).
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from legal_pipeline.languages.language import language
from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.divisions import division_kind
from legal_pipeline.parsing.recogniser.headings import is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import FAIR, Label, Labels, labels_of
from legal_pipeline.parsing.recogniser.outline import Outline, Region, Score
from legal_pipeline.parsing.recogniser.sequence import Run
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, PROVISION_KINDS, Words, patterns

#: Maximum number of words of a heading, and of the name of a code, above the provision.
_HEADING_WORDS, _NAME_WORDS = 25, 10
#: Signs between the heading of a page and the name of the site or of the law in its title.
_BETWEEN = re.compile(r"\s[-–—:]\s|\s?(?:[|»›>]|::)\s?")
#: Signs behind the number of a provision.
_SEPARATORS = (".", ":", "-", "–", "—")


@dataclass(frozen=True)
class OneProvision:
    """`label` and `kind` of the provision; `divisions` that hold it, outermost first; `below`: the first block behind its text, where the
    notes begin; `beside`: blocks that say how to cite it; `doc_type`: the type of the law that the page names."""

    label: Label
    kind: str
    divisions: tuple[tuple[Label, str], ...]
    below: int
    beside: frozenset[int]
    doc_type: str


def find_one_provision(blocks: Blocks, words: Words, page_title: str = "") -> OneProvision | None:
    """Return the provision that `blocks` consist of; None if they are something else.

    Further provisions must not follow. The lines above it or `page_title` must name a law, or the text must have the words of one."""
    if not (types := _named(words.language)):
        return None
    cited = _pattern(words, "beside")
    beside = {index for index, block in enumerate(blocks) if block.kind == "text" and cited.match(block.text)}
    head = _head(blocks, words, beside)
    above = [label for label in head if label is not None]
    if not above or not above[-1].is_provision:
        return None
    label = above.pop()
    kind = next(kind for kind in PROVISION_KINDS if kind in label.kinds)
    if any(kind in other.kinds and other.number != label.number for other in above):
        return None  # a list of provisions
    divisions = _divisions(above, kind)
    names = [blocks[index].text for index, found in enumerate(head[: label.index]) if found is None]
    names = [name for name in (*names, *_BETWEEN.split(page_title)) if len(name.split()) <= _NAME_WORDS]
    if divisions is None or any(map(_pattern(words, "about").search, names)):
        return None
    below = _below(blocks, label.index + 1, words)
    further = [index for index in range(label.index + 1, min(below, len(head))) if is_heading_like(blocks[index])]
    is_empty = label.index + 1 == len(blocks)
    if is_empty or len(further) > label.alone or _goes_on(blocks, range(label.index + 1, below), words):
        return None
    doc_type = next((type_ for type_, pattern in types.items() if any(map(pattern.search, names))), None)
    if doc_type is None and _reads_as_law(label, blocks[label.index : below], words):
        doc_type = "act"
    return OneProvision(label, kind, divisions, below, frozenset(beside), doc_type) if doc_type else None


def has_others(outline: Outline, found: OneProvision) -> bool:
    """Whether `outline` is that of a law with several provisions.

    Provisions that are numbers without a word count only if the page begins with the first article or section; below a later one, such
    numbers are items of its text."""
    is_several = outline.is_law and len(outline.labels) > 1
    return is_several and (found.label.number.is_first or all(label.kinds for label in outline.labels))


def begins_as_note(outline: Outline, words: Words) -> bool:
    """Whether a text with a single provision, not the first, is a note that begins with the number of the provision that it is about.

    To be asked if `find_one_provision` has found no law. False in a language whose data has no names of laws."""
    return bool(_named(words.language)) and len(outline.labels) == 1 and not outline.labels[0].number.is_first


def outline_of(found: OneProvision, blocks: Blocks) -> Outline:
    """Return the outline of a page with one provision; its score is that of a certain law."""
    region = Region(0, len(blocks), None, found.kind, Run((found.label,), found.label.strength, (), 0, 0))
    return Outline((region,), found.divisions, (), Score(1.0, 1.0, found.label.strength, 1.0, 1.0, 1), 1)


def without_beside(blocks: Blocks, found: OneProvision) -> list[Block]:
    """Return `blocks`, in which those that say how to cite the provision are marked as no text of the law (`running`)."""
    return [
        dataclasses.replace(block, kind="running") if index in found.beside else block
        for index, block in enumerate(blocks)
    ]


def _head(blocks: Blocks, words: Words, beside: set[int]) -> list[Label | None]:
    """Return the label of each of the first blocks up to the text, None for one without a label."""
    found: list[Label | None] = []
    for index, block in enumerate(blocks):
        if index in beside or block.kind == "running":
            found.append(None)
            continue
        labels = _sure_labels(index, block, words)
        may_head = block.kind == "text" and len(block.text.split()) <= _HEADING_WORDS
        if not may_head or not (labels or is_heading_like(block) or reads_as_heading(block)):
            break
        found.append(labels[0] if labels else None)
        if labels and labels[0].is_provision and not is_heading_like(block):
            break  # what is below a label in the style of the text is text
    return found


def _sure_labels(index: int, block: Block, words: Words) -> list[Label]:
    return [label for label in labels_of(index, block, words) if label.kinds and label.strength >= FAIR]


def _divisions(labels: Labels, kind: str) -> tuple[tuple[Label, str], ...] | None:
    """Return (label, kind) of the divisions among `labels`, each kind once: the site may print the outermost a second time; None if two of
    one kind have different numbers, as in a list."""
    found: dict[str, Label] = {}
    for label in labels:
        named = division_kind(label, kind)
        if named is None:
            continue
        if named in CLOSING_KINDS or (named in found and found[named].number != label.number):
            return None
        found[named] = label
    return tuple(sorted(((label, named) for named, label in found.items()), key=lambda item: item[0].index))


def _reads_as_law(label: Label, blocks: Blocks, words: Words) -> bool:
    """Whether a text under the heading `label` is the provision itself and no note on it: the number is apart from the words of the
    heading, and the text commands as laws do and does not cite the provision by its number."""
    head, *text = blocks
    is_apart = label.alone or head.text[: label.end].rstrip().endswith(_SEPARATORS)
    if not head.is_styled or not is_apart or not any(_pattern(words, "inside").search(block.text) for block in text):
        return False
    own = re.compile(rf"{re.escape(label.number.text)}(?![\w-]|\.\d)")
    # a reference is matched up to the first sign of its number
    return not any(
        own.match(block.text, match.end() - 1) for block in text for match in words.references.finditer(block.text)
    )


def _below(blocks: Blocks, start: int, words: Words) -> int:
    """Return the index from `start` on of the heading of what the publisher adds, `len(blocks)` if there is none."""
    places = range(start, len(blocks))
    headings = (index for index in places if is_heading_like(blocks[index]))
    return next((index for index in headings if _pattern(words, "below").match(blocks[index].text)), len(blocks))


def _goes_on(blocks: Blocks, places: range, words: Words) -> bool:
    """Whether further provisions or divisions follow: headings with their labels."""
    return any(is_heading_like(blocks[index]) and _sure_labels(index, blocks[index], words) for index in places)


@functools.cache
def _named(code: str) -> Mapping[str, re.Pattern[str]]:
    """Return the names of collections of laws in the language `code` by the type of law."""
    named = language(code).section("one_provision").get("named", {})
    return {kind: re.compile("|".join(names), re.IGNORECASE) for kind, names in named.items()}


def _pattern(words: Words, key: str) -> re.Pattern[str]:
    return patterns(words.language, "one_provision", key)
