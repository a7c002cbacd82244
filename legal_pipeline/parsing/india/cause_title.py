"""Metadata printed around the text of an Indian judgment: court, case, parties, judges, date, citations.

A value that is not found is left out; nothing is guessed from the body. Not here: the nodes (`judgment.structure`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

from legal_pipeline.parsing.india.identity import neutral_citation
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.normalise import one_line

_COURTS = (
    ("supreme", re.compile(r"\bSUPREME COURT OF INDIA\b", re.I)),
    ("high", re.compile(r"\bHIGH COURT (?:OF|FOR|AT)\b[\w ,.&()-]{2,80}", re.I)),
    (
        "tribunal",
        re.compile(
            r"\b[\w ,&-]*\b(?:APPELLATE|ADMINISTRATIVE|COMPANY LAW|GREEN|INCOME TAX|DEBT RECOVERY)\b[\w ,&-]*\bTRIBUNAL\b",
            re.I,
        ),
    ),
    ("commission", re.compile(r"\b[\w ,&-]*\bCONSUMER DISPUTES REDRESSAL COMMISSION\b", re.I)),
    (
        "district",
        re.compile(r"\bCOURT OF (?:THE )?[\w ,.&()-]*\b(?:SESSIONS|DISTRICT|MAGISTRATE|CIVIL)\b[\w ,.&()-]*", re.I),
    ),
)
_CASE_KIND = (
    r"(?:(?:CIVIL|CRIMINAL|CRL\.?|WRIT|SPECIAL LEAVE|REVIEW|TRANSFER|CONTEMPT|COMPANY|FIRST|SECOND|LETTERS PATENT"
    r"|ARBITRATION|REGULAR|TAX)\s+)*(?:APPEAL|PETITION|APPLICATION|REVISION|REFERENCE|SUIT|W\.?P\.?|S\.?L\.?P\.?)s?"
)
_CASE = re.compile(
    rf"\b(?P<type>{_CASE_KIND})\s*(?:\((?P<kind>[\w. ]+)\)\s*)?N[O0]S?\.?\(?S?\)?\.?"
    r"\s*(?P<num>[\d_ ,/&-]+(?:\s*(?:OF|/)\s*\d{4})?)",
    re.I,
)
_VERSUS = re.compile(r"^\W*(?:versus|vs?\.?)\W*$", re.I)
_ROLE_NAMES = (
    r"Appellant|Petitioner|Respondent|Applicant|Plaintiff|Defendant|Complainant|Accused|Opposite Part(?:y|ies)"
)
_ROLE = re.compile(
    rf"[\s.…_–—-]*\b(?P<role>{_ROLE_NAMES})s?\b\W*(?:\(?s\)?)?\W*(?:Nos?\W*[\d ,&-]+)?\W*$",
    re.I,
)
_JUDGE = re.compile(
    r"^(?:Per\s*[:.]?\s*)?(?P<name>(?:(?:Justice|Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Hon'ble)\s+)*[A-Z][\w.'’ -]{2,60}?)"
    r",?\s*(?P<rank>C\.?\s?J\.?(?:I\.?)?|JJ?\.|J)\s*[:–—-]*$"
)
_SIGNED = re.compile(r"[\[(](?P<name>(?:Dr\.?\s*)?[A-Z][A-Za-z.'’ -]{3,60})[\])]")
_CORAM = re.compile(r"^(?:CORAM|BENCH|BEFORE)\s*:?\s*(?P<names>.+)$", re.I)
_CORAM_NAME = re.compile(
    r"(?:Hon'?ble\s+)?(?:(?:Mr\.?|Mrs\.?|Ms\.?|Dr\.?|The|Shri)\s+)*(?:Justice\s+)?"
    r"(?P<name>[A-Z][\w.'’]*(?:\s+[A-Z][\w.'’]*){0,4}),?\s*"
    r"(?:Presiding Officer|(?:Judicial |Technical |Administrative )?Member|Chairperson|President|C\.?J\.?|J\.)",
)
_DECIDED = re.compile(
    r"\b(?:date of (?:decision|judgment|order)|decided on|delivered on|pronounced on|dated?)\b\s*[:.-]*\s*(?P<rest>.{4,40})",
    re.I,
)
_PARALLEL = re.compile(
    r"\(\d{4}\)\s*\d+\s+(?:SCC|SCR|SCALE)\s+\d+"
    r"|\[\d{4}\]\s*(?:\d+|Supp\.?\s*\(?\d*\)?)\s+S\.?C\.?R\.?\s+\d+|\bAIR\s+\d{4}\s+[A-Z]{2,4}\s+\d+|\b\d{4}\s+\(\d+\)\s+(?:SCC|SCR)\s+\d+"
)


def read_cause_title(header: Sequence[str], signature: Sequence[str]) -> dict[str, Any]:
    """Return the metadata from the blocks before and after the body; only keys that were found."""
    lines = [one_line(line) for line in header]
    text = "\n".join(lines)
    ending = [one_line(line) for line in signature]
    found: dict[str, Any] = {}
    for level, pattern in _COURTS:
        if match := pattern.search(text.replace("\n", " ") if level == "supreme" else text):
            found["court"] = _court_name(match.group())
            found["court_level"] = level
            break
    if match := _CASE.search(text):
        found["case_type"] = one_line(match["type"]).title()
        found["case_number"] = one_line(match.group())
    if parties := _parties(lines):
        found["parties"] = parties
    if judges := _judges(lines, ending):
        found["judges"] = judges
        found["bench"] = {"strength": len(judges)}
    if decided := _date_decided(lines, ending):
        found["date_decided"] = decided
    if citation := neutral_citation(text):
        found["citation"] = citation
    if parallel := [one_line(item) for item in _PARALLEL.findall(text)]:
        found["parallel_citations"] = list(dict.fromkeys(parallel))
    if re.search(r"\bNON-?\s?REPORTABLE\b", text):
        found["reportable"] = False
    elif re.search(r"\bREPORTABLE\b", text):
        found["reportable"] = True
    return found


def title_of(metadata: dict[str, Any]) -> str | None:
    """Return `A v. B` from the parties, or None."""
    parties = metadata.get("parties")
    if not parties:
        return None
    return " v. ".join(_short(side) for side in (parties["first"], parties["second"]))


def _court_name(text: str) -> str:
    name = one_line(text).strip(" ,.-")
    name = re.sub(r"^(?:in|before) the\s+|^(?:in|before)\s+", "", name, flags=re.I)
    words = [
        word.lower() if word.lower() in ("of", "and", "at", "for", "the") else word.capitalize()
        for word in name.split()
    ]
    return " ".join(words) if name.isupper() else name


def _parties(lines: Sequence[str]) -> dict[str, Any] | None:
    at = next((index for index, line in enumerate(lines) if _VERSUS.match(line)), None)
    if at is None:
        return None
    first, first_role = _side(list(reversed(lines[:at])), before=True)
    second, second_role = _side(lines[at + 1 :], before=False)
    if not first or not second:
        return None
    roles = {"first_role": first_role, "second_role": second_role}
    return {"first": first, "second": second, **{key: value for key, value in roles.items() if value}}


def _side(lines: Sequence[str], *, before: bool) -> tuple[str, str | None]:
    """Return (name of one party, its role); `lines` are the lines next to "versus", nearest first.

    The name ends at the case number above it or at the role below it.
    """
    picked: list[str] = []
    role = None
    for line in lines[:8]:
        if not line:
            continue
        if _CASE.search(line) or re.search(
            r"\b(?:jurisdiction|arising out of|reportable|court of|tribunal)\b|^\W*[@(\[]", line, re.I
        ):
            break
        match = _ROLE.search(line)
        if match:
            role = match["role"].capitalize()
            line = line[: match.start()]
        line = line.strip(" .…_-–—,;")
        if line:
            picked.append(line)
        if match and not before:
            break
    if before:
        picked.reverse()
    # The address is below the name: the name ends before the first line with a digit or a word of an address.
    name: list[str] = []
    for line in picked:
        if name and re.search(r"\d|\b(?:Floor|Road|Street|Nagar|Block|Complex|Bhavan|Plot)\b", line):
            break
        name.append(line)
    return one_line(" ".join(name)), role


def _short(party: str) -> str:
    return party.title() if party.isupper() else party


def _judges(lines: Sequence[str], ending: Sequence[str]) -> list[str]:
    benches = [match["names"] for line in lines if (match := _CORAM.match(line))]
    names = (
        [match["name"].strip(" .") for line in ending for match in _SIGNED.finditer(line)]
        or [match["name"] for bench in benches for match in _CORAM_NAME.finditer(bench)]
        or [match["name"].strip() for line in lines if (match := _JUDGE.match(line))]
    )
    return list(dict.fromkeys(name.title() if name.isupper() else name for name in names))


def _date_decided(lines: Sequence[str], ending: Sequence[str]) -> str | None:
    labelled = (match["rest"] for line in lines if (match := _DECIDED.search(line)))
    return next(filter(None, map(_date, itertools.chain(labelled, reversed(ending)))), None)


def _date(text: str) -> str | None:
    """Return the first date in `text`; the cause titles print a space before a comma, or none after it."""
    return first_date(re.sub(r"\s*,\s*", ", ", one_line(text)), "eng", "day first")
