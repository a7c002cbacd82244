"""Rates whether a document whose provisions are numbers without a word is a law: by its own words and its references.

The words are data (`[act]` of a language): `enacting` are words that only an Act contains, `agreement` only a contract; `numbered` and
`named_first` an Act or notes on it. Not here: the total score (`recogniser.outline`).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator

from legal_pipeline.parsing.blocks import Blocks
from legal_pipeline.parsing.recogniser.labels import Divisions
from legal_pipeline.parsing.recogniser.sequence import Run
from legal_pipeline.parsing.recogniser.words import Words, patterns

#: References per number, and number of numbered divisions, from which a document counts fully as a law; the factor where there
#: are no divisions.
_REFERENCES, _DIVISIONS, _WITHOUT_DIVISIONS = 0.3, 4, 0.8
#: Minimum strength of a label that has a heading.
_HEADED = 0.8
#: Weights of weaker signs of an Act. One of them alone is not enough: a note on an Act contains its title too.
_NUMBERED, _NAMED_FIRST, _DIVIDED = 0.35, 0.6, 0.2
#: Number of first and of last provisions that are searched for the words of an Act, together with the text before the first.
_PROVISIONS = 3
#: Number of blocks of a provision that are searched, and the number of characters of each.
_BLOCKS, _CHARS = 4, 600


class Stated(enum.Enum):
    """What the publisher or the user states about a document. With `RANK`, a word for a kind of law ("decree"), it may be a law with a
    single provision. With `TYPE`, the document type of a law, numbers without a word may be its provisions too."""

    NOTHING = enum.auto()
    RANK = enum.auto()
    TYPE = enum.auto()


def signs_of_law(run: Run, divisions: Divisions, blocks: Blocks, words: Words) -> float:
    """Return how probable a law is if the numbers of `run` have no word, 0 to 1.

    Signs are words that only an Act contains; or references to provisions by number, in a document whose numbers have headings or are in
    numbered divisions. A note with a numbered list has none of these.
    """
    code = words.language
    said = list(_says_of_itself(run, blocks))
    if _any_has(code, "enacting", said):
        return 1.0
    if _any_has(code, "agreement", said):
        return 0.0
    parts = len({label.number.text for label, _ in divisions})
    first = run.labels[0]
    shown = (
        _NUMBERED * _any_has(code, "numbered", (block.text for block in blocks[: first.index]))
        + _NAMED_FIRST * _any_has(code, "named_first", [blocks[first.index].text[first.end :]])
        + _DIVIDED * bool(parts)
    )
    cited = sum(1 for block in blocks for _ in words.references.finditer(block.text))
    refers = min(cited / (_REFERENCES * len(run.labels)), 1.0)
    headed = sum(label.strength >= _HEADED for label in run.labels) / len(run.labels)
    divided = max(min(parts / _DIVISIONS, 1.0), _WITHOUT_DIVISIONS * headed)
    return min(max(shown, refers * divided), 1.0)


def reads_as_agreement(blocks: Blocks, code: str) -> bool:
    """Whether the text in the language `code` has the words of a contract, and neither words that only an Act contains nor its number."""
    said = [block.text[:_CHARS] for block in blocks if block.kind == "text"]
    return _any_has(code, "agreement", said) and not any(_any_has(code, key, said) for key in ("enacting", "numbered"))


def says_it_is_a_law(blocks: Blocks, code: str) -> bool:
    """Whether the text in the language `code` has words that only an Act contains."""
    return _any_has(code, "enacting", (block.text[:_CHARS] for block in blocks if block.kind == "text"))


def _says_of_itself(run: Run, blocks: Blocks) -> Iterator[str]:
    """Yield the texts in which an Act names itself: those before its first provision, and the beginnings of its first and last ones."""
    yield from (block.text[:_CHARS] for block in blocks[: run.labels[0].index])
    for label in {*run.labels[:_PROVISIONS], *run.labels[-_PROVISIONS:]}:
        yield from (block.text[:_CHARS] for block in blocks[label.index : label.index + _BLOCKS])


def _any_has(code: str, key: str, texts: Iterable[str]) -> bool:
    return any(map(patterns(code, "act", key).search, texts))
