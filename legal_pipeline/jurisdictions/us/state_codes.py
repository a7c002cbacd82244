"""The pattern of citations of the codes and court rules of the states: by their names ("Iowa Code § 714.16", "Revised Code of Washington
9A.32.030", "Cal. Bus. & Prof. Code § 17200", "Tex. R. Civ. P. 166a(c)"), or by initials ("ORS 838.010", "CPLR 3212").

Not here: the names of the states and the initials, which are data, and the provision that a match cites (`citations`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from legal_pipeline.citations.country import Country
from legal_pipeline.text.alternation import alternation

_WORD = r"(?:[A-Z][\w’'-]*\.?|&|and|of)"
_CODE = r"(?:Code|Stats?\.|Statutes|Laws?)(?: Ann(?:\.|otated))?"
#: "Pen. Code", "Code Civ. Proc.": the codes of California in the style of its courts.
_ABBREVIATED = r"(?:(?:[A-Z][a-z]+\. (?:& )?){1,3}Code|Code Civ\. Proc\.)"
_TITLE = r",? (?:[Tt]it(?:le|\.)|[Cc]h(?:apter|\.)|c\.) \d{1,3}[\w-]{0,3},?"
#: Behind the name: a subject (", Crim. Law"), an edition in brackets, a title or chapter.
_BEHIND = rf"(?:,? {_WORD}){{0,5}}(?: \([^()\n]{{4,20}}\))?(?:{_TITLE}|,)?"
_SIGN = r"(?:§{1,2} ?|[Ss]ec(?:tions?|s?\.) )"
#: Behind a sign a number may be plain: "187", "2C:11-3", "630:1-a".
NUMBER = r"\d{1,5}[A-Za-z]{0,3}(?:[-.:]\d{1,5}[A-Za-z]{0,2}){0,3}(?:-[A-Za-z])?(?![\w-]|[.:]\d)"
#: Without a sign, only a number that begins with that of its chapter counts, and not a pair of years ("1995-96").
HAS_CHAPTER = r"(?!\d{4}-\d\d\b)(?=\d{1,4}[A-Z]{0,3}[-.:]\d)"
_SUBDIVISION = re.compile(r",? subd(?:ivision|s?\.) (?:(\d{1,3}[a-z]?)\b|\((\w{1,3})\))")
#: The words of a name that says no subject: the name of a state's only code.
_OF_ALL_SUBJECTS = re.compile(
    r"(?:(?:Rev|Gen|Comp|Cons|Cent|Stats?|Ann)\.|Revised|General|Compiled|Consolidated|Century|Codified|Code|Statutes|Laws?|Annotated"
    r"|Official|of|the|[\s,])+"
)


def pattern(country: Country, pins: str) -> str:
    """Return the pattern of a citation, with the states and initials in the data of `country`; `pins` is that of paragraphs.

    Groups: `state` is the whole, `state_number` and `state_pins` are the provision. `state_name` is behind the state in the name of a
    code (`is_of_a_subject`), and `state_rule` or `state_article` in a citation of a rule or of an article.
    """
    data = country.section("citations")
    state = rf"(?:{_with_or_without_stops(data['abbreviations']['states'])}|{alternation(country.section('places')['names'])})"
    name = (
        rf"(?:{state}(?:['’]s)?(?P<state_name>(?:,? {_WORD}){{0,7}}? {_CODE}(?!\w)(?:{_BEHIND})?)"
        rf"|(?:{_WORD} ){{0,2}}(?:Code|Statutes|Laws) of {state})"
    )
    initials = f"(?:{_with_or_without_stops(data['state_codes'])})"
    return (
        rf"(?P<state>(?<![\w.])(?=[A-Z])(?:{name} (?:{_SIGN}|(?P<state_article>[Aa]rt(?:icle|\.) )|{HAS_CHAPTER})"
        rf"|(?P<state_rule>{state} R(?:\.|ules? of) ?(?:Civ|Crim|Evid|App)[\w.]* ?(?:P(?:\.|rocedure),? ?)?(?:Rule )?)(?=\d)"
        # behind the number of a title, or before that of a chapter, the number is plain: "13 V.S.A. § 2301", "M.G.L. c. 93A, § 2"
        rf"|{initials} ?{_SIGN}?{HAS_CHAPTER}|(?:(?<=\d )|(?<=\d-[A-Z] )){initials} {_SIGN}|{initials}{_TITLE} {_SIGN}|ILCS \d{{1,4}}/"
        rf"|(?P<state_subject>(?:{_with_or_without_stops(data['state_codes_of_a_subject'])}) ?{_SIGN}?|{_ABBREVIATED}, {_SIGN}))"
        rf"(?P<state_number>{NUMBER})(?P<state_pins>(?:{_SUBDIVISION.pattern})?{pins}))"
    )


def brackets(pins: str) -> str:
    """Return the paragraphs `pins` of a match all in brackets: ", subd. 1(a)" as "(1)(a)"."""
    return _SUBDIVISION.sub(lambda match: f"({match[1] or match[2]})", pins)


def is_of_a_subject(match: re.Match[str]) -> bool:
    """Whether the code has a name of its own: the sections of several codes of its state have the same numbers."""
    name = match["state_name"]
    return bool(match["state_subject"] or match["state_rule"]) or (
        name is not None and not _OF_ALL_SUBJECTS.fullmatch(name)
    )


def _with_or_without_stops(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\.", r"\.?").replace(r"\ ", " ?") for name in names)
