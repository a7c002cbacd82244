"""The act that an amending act changes and the provisions that its enacting words name.

Not here: the wording of the provisions (the parsers), joining amendments to base laws (`registry.registry`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any

from legal_pipeline.parsing.sweden.identity import base_law

_NUM = r"\d{1,3}(?:\s?[a-zåäö](?![a-zåäö]))?"
_ONE = rf"{_NUM}(?:\s?[–-]\s?{_NUM})?"
#: "2 kap. 19 och 24 §§", "3 kap. 7–7 h §§", "16 §"; a named chapter applies to the lists after it until another chapter is named.
_PROVISIONS = re.compile(
    rf"(?:(?P<chapter>{_NUM})\s+kap\.\s*)?(?P<list>{_ONE}(?:(?:,|\s+(?:och|samt|eller))\s+{_ONE})*)\s*§§?"
)
_WHOLE_CHAPTER = re.compile(rf"(?P<chapter>{_NUM})\s+kap\.(?!\s*\d)")
_SPAN = re.compile(rf"(?P<first>{_NUM})(?:\s?[–-]\s?(?P<last>{_NUM}))?")
_CLAUSE = re.compile(
    r"(?:,\s*)?\bdels\b\s+(?:att\b)?|\bföreskrivs\b[^,]*?\batt\b|\bföreskriver\b[^,]*?\batt\b|\bföreskrivs\s+att\b"
)
_ACTIONS = (
    ("renumbered", re.compile(r"ska(?:ll)?\s+(?:i stället\s+)?betecknas")),
    ("repealed", re.compile(r"ska(?:ll)?\s+upphöra\s+att\s+gälla|upphävs|ska(?:ll)?\s+utgå")),
    ("inserted", re.compile(r"(?:ska(?:ll)?\s+)?införas|ny(?:a)?\s+(?:paragraf|kapitel|bestämmels)")),
    ("substituted", re.compile(r"\bord(?:et|en)\b.*\b(?:by(?:tas|ts)|ersättas)\b")),
    ("amended", re.compile(r"ha\s+följande\s+lydelse|ändras|följande\s+lydelse")),
)
_INTERNAL_NOTE = re.compile(r"(?<=§)\d{1,2}\b|(?<=\))\d{1,2}\b")


def amending_metadata(title: str, enacting: str) -> dict[str, Any]:
    """Return `base_law` (`SFS 1977:1160`) and `provisions`, a list of {chapter, section, action}; keys without a value are left out."""
    found = {"base_law": base_law(title), "provisions": named_provisions(enacting)}
    return {key: value for key, value in found.items() if value}


def announced_sections(amending: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (chapter, §) of each § that the metadata of an amending act announces with a wording."""
    provisions = amending.get("provisions", ())
    return [
        (provision.get("chapter", ""), provision["section"])
        for provision in provisions
        if provision["action"] in ("amended", "inserted") and "section" in provision
    ]


def warnings_of_missing(announced: Iterable[tuple[str, str]], found: Container[tuple[str, str]]) -> list[str]:
    missing = (key for key in announced if key not in found)
    names = (f"{chapter} kap. {section} §" if chapter else f"{section} §" for chapter, section in missing)
    return [f"{name} is announced and not found in the print" for name in names]


def named_provisions(enacting: str) -> list[dict[str, str]]:
    """Return the provisions that the enacting words name, in their order; ranges of whole numbers are expanded.

    >>> named_provisions("Riksdagen föreskriver att 7 kap. 5 och 6 a §§ ska ha följande lydelse.")
    [{'chapter': '7', 'section': '5', 'action': 'amended'}, {'chapter': '7', 'section': '6 a', 'action': 'amended'}]
    """
    text = _INTERNAL_NOTE.sub("", enacting)
    found: list[dict[str, str]] = []
    for clause in _clauses(text):
        action = next((name for name, pattern in _ACTIONS if pattern.search(clause)), "amended")
        chapter = ""
        matches = sorted(
            [*_PROVISIONS.finditer(clause), *_WHOLE_CHAPTER.finditer(clause)], key=lambda match: match.start()
        )
        for match in matches:
            chapter = " ".join((match["chapter"] or chapter).split())
            # "i 3 kap. införas nya bestämmelser" names the chapter; "3 och 5 kap." within a sentence does not change it.
            whole = [""] if "kapitel" in clause else []
            for section in whole if match.re is _WHOLE_CHAPTER else _expand(match["list"]):
                named = {"chapter": chapter, "section": section, "action": action}
                entry = {key: value for key, value in named.items() if value}
                if entry not in found:
                    found.append(entry)
    return found


def _clauses(text: str) -> Iterator[str]:
    """Yield the parts of the enacting words; each part announces one kind of change."""
    starts = [match.end() for match in _CLAUSE.finditer(text)]
    if not starts:
        yield text
        return
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end]


def _expand(listed: str) -> Iterator[str]:
    """Expand a list of sections: `9, 11 a och 15–17` -> 9, 11 a, 15, 16, 17; `7–7 c` -> 7, 7 a, 7 b, 7 c."""
    for span in _SPAN.finditer(listed):
        first, last = " ".join(span["first"].split()), span["last"]
        if last is None:
            yield _spaced(first)
            continue
        last = " ".join(last.split())
        low, high = re.match(r"(\d+)\s?([a-zåäö]?)", first), re.match(r"(\d+)\s?([a-zåäö]?)", last)
        assert low is not None
        assert high is not None
        if low[1] == high[1]:
            begin = ord(low[2]) if low[2] else ord("a") - 1
            for letter in range(begin, ord(high[2] or "a") + 1):
                yield f"{low[1]} {chr(letter)}" if letter >= ord("a") else low[1]
        elif not (low[2] and high[2]) and int(low[1]) < int(high[1]):
            # "1–2 a" is 1, 2 and 2 a; "6 a–8" is 6 a, 7 and 8.
            yield _spaced(first)
            yield from (str(number) for number in range(int(low[1]) + 1, int(high[1]) + 1))
            if high[2]:
                yield from (f"{high[1]} {chr(letter)}" for letter in range(ord("a"), ord(high[2]) + 1))
        else:
            # Between "6 a" and "8 c" the list does not show which lettered provisions exist, so the range is not expanded.
            yield f"{_spaced(first)}–{_spaced(last)}"


def _spaced(number: str) -> str:
    return re.sub(r"(\d)([a-zåäö])", r"\1 \2", number)
