"""Labels of several provisions that were repealed together: "§§ 10 bis 12 (weggefallen)", "8, 9 (Repealed)", "Sections 5 to 7 repealed".

The label has one number, from the first to the last. Not here: labels of one provision (`recogniser.labels`), and what the note says
(`building.repeals`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from itertools import pairwise

from legal_pipeline.building.repeal_notes import note_form
from legal_pipeline.building.repeals import is_repeal
from legal_pipeline.languages.language import language
from legal_pipeline.parsing.recogniser.numbers import Number, range_number, read_number
from legal_pipeline.parsing.recogniser.words import provision_names
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.markup import RAISED

_NUMBER = r"\d{1,4}[A-Za-z]{0,2}(?!\w)"
_HYPHENED = re.compile(r"(?P<first>\d{1,4}[A-Z]{0,2})-(?P<last>\d{1,4}[A-Z]{0,2})\s+(?=[(\[])")
#: "Omitted (amends or repeals other Acts).": a participle with the reason behind it.
_WITH_REASON = re.compile(r"([^\W\d_]+) \([^()]+\)\.")
#: Two signs name more than one section, also where the note is in the next line.
_SIGNS = "§§"


@dataclass(frozen=True, slots=True)
class RepealedRange:
    """`number`: the range as printed if it has a word ("10 bis 12"), else "10–12"; `end`: offset of the note; `as_single`: the text as it
    would be for the first number alone ("§ 10 (weggefallen)"), and, if it has a word for the provision, the same without it ("10. …")."""

    number: Number
    end: int
    as_single: tuple[str, ...]


def repealed_range(text: str, code: str) -> RepealedRange | None:
    """Return the numbers at the beginning of `text`, a block in the language `code`, if nothing follows but words of repeal, or the mark of
    a note that may contain them ("12–14. §⁵")."""
    match = _form(code).match(text)
    if match is None:
        return None
    word, behind = (match["word"] or "").strip(), match["behind"] or ""
    has_signs = _SIGNS in (word, behind.strip())
    rest = text[match.end() :]
    is_noted = rest != "" and not rest.strip(RAISED) and (word != "" or behind != "")
    if not (is_noted or (_is_repeal(rest, code) if rest else has_signs)):
        return None
    numbers = [number for each in re.findall(_NUMBER, match["numbers"]) if (number := read_number(each))]
    between = re.sub(_NUMBER, "", match["numbers"])
    steps = [after.value - before.value for before, after in pairwise(numbers)]
    # "§ 5-7" may be section 7 of chapter 5
    if len(numbers) < 2 or ("-" in between and not has_signs) or ("," in between and max(steps) > 1):
        return None
    first, last = numbers[0], numbers[-1]
    shown = f"{first.text}–{last.text}" if re.search("[-–—,]", between) else match["numbers"].strip(" .")
    if (both := range_number(shown, first, last)) is None:
        return None
    tail = text[match.end("numbers") + len(behind) :]
    single = f"{word} {first.text}{behind}".replace(_SIGNS, "§").strip() + tail
    return RepealedRange(both, match.end(), (single, f"{first.text}. {rest}") if word else (single,))


def _is_repeal(rest: str, code: str) -> bool:
    """Whether `rest` says that provisions were repealed or left out, perhaps with the reason: "Omitted (amends other Acts)."."""
    form = note_form(code)
    note = _WITH_REASON.match(rest)
    has_reason = note is not None and form is not None and form.status_begun(note[1]) is not None
    return has_reason or is_repeal(rest, (code,))


def hyphened_range(text: str, code: str) -> tuple[Number, int] | None:
    """Return the number at the beginning of "11-12 (Repealed)", a block in the language `code`, and the offset of the note; None for other
    texts. "11-12" may also be one section with a number of two parts: the sequence of the labels decides."""
    match = _HYPHENED.match(text)
    if match is None or not is_repeal(text[match.end() :], (code,)):
        return None
    both = range_number(f"{match['first']}-{match['last']}", read_number(match["first"]), read_number(match["last"]))
    return (both, match.end()) if both else None


@functools.cache
def _form(code: str) -> re.Pattern[str]:
    known = language(code)
    listed = [*known.section("provisions").get("joins", ()), *known.section("repealed").get("ranges", ())]
    joins = alternation(listed) or "(?!)"
    name = rf"(?:§§?|(?i:{alternation(provision_names(code)) or '(?!)'})(?!\w)\.?)"
    between = rf"\.?\s?(?:[,–—-]|(?:,\s)?(?i:{joins})(?!\w))\s?(?:{name}\s?)?"
    numbers = rf"(?P<numbers>{_NUMBER}(?:\s?§)?(?:{between}{_NUMBER})+)"
    return re.compile(rf"[(\[]?(?P<word>{name}\s?)?{numbers}(?P<behind>\s?{name})?[.:)]{{0,2}}(?:\s*[–—-])?\s*")
