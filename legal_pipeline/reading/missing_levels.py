"""The level below a provision that a citation names and the provision does not have: Article 6(9) of an article with four paragraphs.

Reported only if it is certain: the provision has at least two levels of the kind, and the cited number is after the last of them. Levels
without a printed number (unnumbered paragraphs) are counted by the parser, which may differ by one from the official count. So there the
number must be at least two after the last. Not here: provisions that are missing altogether (`unresolved`).
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.model.document import Node
from legal_pipeline.reading.texts import Text

#: Levels that a letter may name.
_LETTERED = frozenset({"subsec", "para", "item"})
#: Letters that may also be Roman numerals.
_ROMAN = frozenset("ivx")
_FEWEST = 2


def missing_level(text: Text, eid: str, below: Sequence[str]) -> str | None:
    """Return the reason why `text` does not have the levels `below` its provision `eid`: "no level 9 below it; it has 1 to 4".

    None if the text has all levels, or if it is not certain that it lacks one.
    """
    nodes = text.nodes
    if eid not in nodes or text.eids.resolve("__".join((eid, *below))) in nodes:
        return None
    at = eid
    for segment in below:
        if f"{at}__{segment}" in nodes:
            at = f"{at}__{segment}"
            continue
        kind, _, number = segment.partition("_")
        children = nodes[at][0].children
        numbers = _figures(children, kind) if number.isdigit() else _letters(children)
        is_printed = all(_prints_its_number(child, text.document.text) for child in children)
        if len(numbers) < _FEWEST or not _is_after(number, numbers[-1], is_printed=is_printed):
            return None
        return f"no level {number} below it; it has {numbers[0]} to {numbers[-1]}"
    return None


def _figures(children: Sequence[Node], kind: str) -> list[str]:
    found = [number for child in children if (number := _number(child, {kind})).isdigit()]
    return sorted(found, key=int)


def _letters(children: Sequence[Node]) -> list[str]:
    """Return the letters of a list that begins with a, in their order."""
    found = sorted(number for child in children if len(number := _number(child, _LETTERED)) == 1 and number.isalpha())
    return found if found[:1] == ["a"] else []


def _is_after(number: str, last: str, *, is_printed: bool) -> bool:
    """Whether `number` is certainly after the last one."""
    if not number.isdigit():
        return len(number) == 1 and number not in _ROMAN and number > last
    return int(number) > int(last) + (0 if is_printed else 1)


def _prints_its_number(child: Node, text: str) -> bool:
    number = _number(child, _LETTERED)
    return text[child.start : child.start + len(number) + 1].lstrip("(").startswith(number)


def _number(child: Node, kinds: set[str] | frozenset[str]) -> str:
    kind, _, number = (child.eid or "").rpartition("__")[2].partition("_")
    return number if kind in kinds else ""
