"""The numbers of struck provisions whose note of repeal is not struck: without its number, the note would belong to the provision before.

Not here: leaving out struck words (`parsing.html5`, `parsing.markdown_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.building.repeals import is_repeal
from legal_pipeline.parsing.recogniser.numbers import folded
from legal_pipeline.parsing.recogniser.words import provision_alone

#: "§ 2º", "§ 2º-A.", "III -", "b)", "(4)", "2.": the number of a part of a provision, which in some languages is that of a provision.
_PART = re.compile(
    r"\s*(?:§\s*\d{1,4}[ºª°]?(?:\s?-\s?[A-Z]{1,2}\b)?[.)]?|[IVXLC]{1,7}\s?[-–—)]|\(?(?:\d{1,3}|[a-z]{1,2})\)|\d{1,3}\.)(?!\w)"
)
#: A note in brackets.
_NOTE = re.compile(r"[(\[][^()\[\]]{3,300}[)\]]")


def kept_numbers(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Return the number to keep of each of `lines`, as it is printed, or an empty text.

    A line is the struck words at its beginning and its words that are not struck. A number is kept if only notes are left of its line,
    one of them of a repeal, and no other line has the number: no provision of the document, no part of the same provision.
    """
    found: list[tuple[str, tuple[int, str]]] = []
    provision = 0
    for place, (struck, words) in enumerate(lines):
        text = struck or words
        label = provision_alone().match(text)
        number = (label or _PART.match(text) or [""])[0].strip()
        provision = place if label else provision
        found.append((number, (-1 if label else provision, re.sub(r"\W", "", folded(number)))))
    taken = {known for (struck, _), (_, known) in zip(lines, found, strict=True) if not struck}
    kept = []
    for (struck, words), (number, known) in zip(lines, found, strict=True):
        is_kept = bool(struck and number) and known not in taken and _is_note_of_repeal(words)
        taken |= {known} if is_kept else set()
        kept.append(number if is_kept else "")
    return kept


def _is_note_of_repeal(words: str) -> bool:
    notes = _NOTE.findall(words)
    return not re.search(r"\w", _NOTE.sub("", words)) and any(map(is_repeal, notes))
