"""Read an Indian footnote about a change to the law: `Subs. by Act 3 of 1951, s. 3 (w.e.f. 1-4-1951)` becomes an `Amendment`.

Not here: the place of the footnote's mark in the section (`blocks`).
"""

from __future__ import annotations

import re

from legal_pipeline.model.document import Amendment

#: Verbs and their actions. The first verb in a note decides: in "Omitted by … as substituted by" it is "omitted".
_ACTIONS = (
    (re.compile(r"\bsubs(?:\.|tituted)", re.I), "substituted"),
    (re.compile(r"\b(?:ins|added)\b\.?|\binserted\b", re.I), "inserted"),
    (re.compile(r"\bomitted\b|\bomit\.", re.I), "omitted"),
    (re.compile(r"\brep(?:\.|ealed)", re.I), "repealed"),
    (re.compile(r"\bamended\b", re.I), "amended"),
)
_ACT = re.compile(
    r"\b(?P<kind>(?:[A-Z][a-z]+ )?Act|Ord(?:inance|\.)|Reg(?:ulation|\.))\s+(?:No\.\s*)?(?P<num>[0-9]+|[IVXLC]+)\s+of\s+(?P<year>\d{4})"
)
#: Words before "Act" that are not the name of a State: "Bombay Act 5 of 1950" differs from "Act 5 of 1950", "Amending Act …" does not.
_NO_STATE = frozenset(
    {
        "See",
        "Vide",
        "By",
        "In",
        "Under",
        "For",
        "Amending",
        "Repealing",
        "Central",
        "Principal",
        "The",
        "This",
        "Finance",
        "Amendment",
    }
)
_NUMBER_IN_BRACKETS = re.compile(r"\((?P<num>\d+)\s+of\s+(?P<year>\d{4})\)")
_ORDER = re.compile(r"\bA\.\s?O\.\s*(?P<year>\d{4})")
_IBID = re.compile(r"\bi+bid\b", re.I)
_DATE = re.compile(r"w\.?\s?e\.?\s?f\.?\s*(\d{1,2})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{4})", re.I)


def read_note(text: str, previous_act: str | None = None) -> tuple[Amendment | None, str | None]:
    """Return (the amendment, or None for another kind of note; the Act to which "ibid." in the next note refers).

    `by` is the amending Act as lawyers cite it (`Act 34 of 2019`), `date` the ISO date of "w.e.f.".
    """
    found = min(
        ((match.start(), action) for pattern, action in _ACTIONS if (match := pattern.search(text))), default=None
    )
    by = _named_act(text)
    if by is None and _IBID.search(text):
        by = previous_act
    if found is None or by is None:
        return None, by or previous_act
    return Amendment(by=by, date=_effective_date(text), action=found[1]), by


def _named_act(text: str) -> str | None:
    """Return the first Act named in the note: in "for s. 5 of Act 9 of 1872" another Act comes after the amending Act."""
    if match := _ACT.search(text):
        kind = {"Ord.": "Ordinance", "Reg.": "Regulation"}.get(match["kind"], match["kind"])
        words = [word for word in kind.split() if word not in _NO_STATE]
        return f"{' '.join(words)} {match['num']} of {match['year']}"
    if match := _NUMBER_IN_BRACKETS.search(text):
        return f"Act {match['num']} of {match['year']}"
    if match := _ORDER.search(text):
        return f"A.O. {match['year']}"
    return None


def _effective_date(text: str) -> str | None:
    match = _DATE.search(text)
    if match is None:
        return None
    day, month, year = (int(part) for part in match.groups())
    return f"{year:04d}-{month:02d}-{day:02d}" if 1 <= month <= 12 and 1 <= day <= 31 else None
