"""Signs that a plain text is a judgment: parties, a court, a heading, numbered paragraphs. No country's own words.

Not here: reading it (`judgment.text_blocks`, `judgment.structure`).
"""

from __future__ import annotations

import re

#: Each says "a judgment"; three say it together.
_SIGNS = (
    re.compile(r"^[^\w\n]*(?:versus|vs?\.|v|and)[^\w\n]*$", re.I | re.M),
    re.compile(
        r"\b(?:appellants?|petitioners?|applicants?|plaintiffs?|claimants?)\b.{0,400}?\b(?:respondents?|defendants?)\b",
        re.I | re.S,
    ),
    re.compile(r"^[^\w\n]*(?:J ?U ?D ?G ?E? ?M ?E ?N ?T|R ?U ?L ?I ?N ?G|Judgment|Ruling)[^\w\n]*$", re.M),
    re.compile(r"^[^\w\n]*(?:IN|BEFORE) THE\b.{0,60}\b(?:COURT|TRIBUNAL|COMMISSION)\b", re.I | re.M),
    re.compile(r"^[ \t]*(?:CORAM|BEFORE)\b\s*:?", re.M),
    re.compile(
        r"^[ \t]*(?:NEUTRAL CITATION|Neutral citation number|CASE N(?:O|UMBER))\b|^\[\d{4}\] [A-Z]{2,8}\b", re.I | re.M
    ),
    re.compile(r"^[ \t]*\[?1[.)\]][ \t]+\S.*(?:\n.*){0,200}?^[ \t]*\[?2[.)\]][ \t]+\S", re.M),
)
_REQUIRED = 3
_HEAD_CHARS = 6_000
#: What a law says of itself; no judgment begins with it.
_ENACTED = re.compile(
    r"\bBe it (?:therefore )?enacted\b|\benacted by (?:the )?(?:Parliament|President|King|Queen|Legislature)\b|^An Act to\b",
    re.I | re.M,
)


def reads_as_judgment(head: str) -> bool:
    """Whether `head`, the beginning of a text, has three signs of a judgment, two of them of parties, court or heading."""
    start = head[:_HEAD_CHARS]
    if _ENACTED.search(start):
        return False
    found = [pattern.search(start) is not None for pattern in _SIGNS]
    return sum(found) >= _REQUIRED and (found[1] or found[2]) and (found[0] or found[3] or found[5])
