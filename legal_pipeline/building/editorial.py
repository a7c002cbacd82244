"""Editorial remarks of consolidated African statutes: "[subsection amended by section 37 of Act 7 of 2005 ]".

Not here: the amendment marks of other countries' registers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from legal_pipeline.model.document import Amendment
from legal_pipeline.text.normalise import one_line

#: Any text in square brackets, with at most one pair of brackets inside it ("… of the Labour Act [Chapter 28:01] …").
REMARK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]")

_ACTIONS = {
    "amended": "amended",
    "inserted": "inserted",
    "reinserted": "inserted",
    "added": "inserted",
    "substituted": "substituted",
    "replaced": "substituted",
    "repealed": "repealed",
    "deleted": "omitted",
    "omitted": "omitted",
}
_ACTION = re.compile(r"\b(" + "|".join(_ACTIONS) + r")\b", re.IGNORECASE | re.ASCII)
#: `Act 17 of 2002`, `Act No. 7 of 2005`, `Chapter 12:07`, `Act 41/1994`; "At" is a misprint of one register.
_ACT = re.compile(r"\b(?:Act?t?\s+(?:No\.?\s*)?(\d+[A-Z]?)\s*(?:of|/)\s*(\d{4})|Chapter\s+(\d+:\d+))", re.IGNORECASE)
_NOTE = re.compile(r"\[\s*(?:please\s+)?note\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\[\s*([A-Za-z]+)\.?")
_SUBJECTS = {
    "s": "section",
    "sec": "section",
    "sub": "subsection",
    "subs": "subsection",
    "para": "paragraph",
    "par": "paragraph",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """`subject`: the kind of node that it is about, in lower case ("subsection"); `amendments`: in the order of the text."""

    subject: str
    amendments: tuple[Amendment, ...]


def is_repeal_remark(text: str) -> bool:
    """Whether `text` is only a remark whose last amendment is a repeal."""
    remark = read_remark(text.strip())
    return remark is not None and any(item.action in ("repealed", "omitted") for item in remark.amendments[-1:])


def read_remark(text: str) -> Remark | None:
    """Parse the bracket `text`; return None if it is not an editorial remark (`[Chapter 28:01]`).

    >>> read_remark("[section substituted by section 4 of Act 7 of 2005 ]")
    Remark(subject='section', amendments=(Amendment(by='Act 7 of 2005', date=None, action='substituted'),))
    """
    if not text.startswith("[") or not text.endswith("]"):
        return None
    line = one_line(text)
    subject = first[1].lower() if (first := _SUBJECT.match(line)) else ""
    subject = _SUBJECTS.get(subject, subject)
    if _NOTE.match(line):
        return Remark("note", ())
    actions = list(_ACTION.finditer(line))
    amendments: list[Amendment] = []
    for act in _ACT.finditer(line) if subject != "chapter" else ():
        action = next((item for item in reversed(actions) if item.start() < act.start()), None)
        if action is None:
            continue
        by = f"Chapter {act.group(3)}" if act.group(3) else f"Act {act.group(1)} of {act.group(2)}"
        amendments.append(Amendment(by, action=_ACTIONS[action.group(1).lower()]))
    return Remark(subject, tuple(amendments)) if amendments else None
