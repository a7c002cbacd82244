"""The neutral citation that a judgment prints above its text, and the work that it names.

Not here: citations of other judgments (`citations`), and forms that name no court (`cause_title`).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.citations.acts_in_data import numbered_works
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, jurisdiction

#: A judgment prints its own citation in one of this many lines, alone or after a label; later ones cite other judgments.
_LINES = 20
#: "Neutral Citation Number: ", and in Canada also the names of the parties, "Citation: R. v. Lavoie, 2022 SCC 9".
_LABEL = re.compile(
    r"\A[^\[\]]{0,40}?(?=\[)|\A(?:neutral )?citation(?: number)?:[\s|]+(?:[^\[\]]{1,150}, )?(?=\d{4} )", re.IGNORECASE
)
#: The citation of the decision under appeal follows.
_APPEAL = re.compile(r"\b(?:on )?appeals? from\b.*", re.IGNORECASE | re.DOTALL)
_YEAR = re.compile(r"\[?\d{4}")
#: Between the citations of one judgment: "[2031] 2 S.C.R. 91 : 2031 INSC 4".
_PARALLEL = re.compile(r"\s+[:=]\s+(?=[\[(]?\d{4}\b)")
#: The collection of a legal information institute behind a citation, and what follows it: "2031 BCCA 9 (CanLII), retrieved on …".
_COLLECTION = re.compile(r" \((?:[A-Z][A-Za-z]*)?LII\).*")
#: An ECLI; before it, a label or the number of the publisher: "Roj: STS 9/2031 - ECLI:ES:TS:2031:9".
_ECLI = re.compile(r"(?:[^,;()]{0,40}[\s|:–-])?(?P<ecli>ECLI:[A-Z]{2}:\w{1,10}:\d{4}:\w(?:[\w.]*\w)?)\b")
#: Courts of no country, whose part of an ECLI is another code.
_ECLI_COURTS = {"ce": "coe"}
_ZEROS = re.compile(r"(?<=\s)0+(?=\d)")


def own_citation(texts: Sequence[str]) -> tuple[str, WorkIdentity] | None:
    """Return the neutral citation on a line of its own, without zeros before its number, and its work; None if there is none."""
    for text in itertools.chain.from_iterable(map(_PARALLEL.split, own_lines(texts))):
        line = _ZEROS.sub("", _COLLECTION.sub("", _LABEL.sub("", text, count=1)).rstrip(" ."))
        if not _YEAR.match(line):
            continue
        for country in countries():
            for pattern, uri in _forms(country):
                match = pattern.fullmatch(line)
                work = read_work_uri(uri(match.groupdict()) or "") if match else None
                if work is not None:
                    return line, work
    return None


def own_ecli(texts: Sequence[str]) -> str | None:
    """Return the European Case Law Identifier of the judgment: in one of its first lines at the beginning of the line or behind a label,
    else in a line of its own at the end; None without one."""
    first, last = (
        [line.strip() for text in part for line in text.split("\n")] for part in (texts[:_LINES], texts[-_LINES:])
    )
    found = next((match for line in first if (match := _ECLI.match(line))), None)
    found = found or next((match for line in last if (match := _ECLI.fullmatch(line))), None)
    return found["ecli"] if found else None


def ecli_country(ecli: str) -> str:
    """Return the code of the country whose court gave the identifier; `eu` or `coe` for a European court."""
    named = ecli.split(":")[1].lower()
    return _ECLI_COURTS.get(named, named)


def ecli_court(ecli: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the name and the forms of the court that gave the identifier, of which its code is one; None if no data have it."""
    return _court(ecli_country(ecli), ecli.split(":")[2])


def cited_court(work: WorkIdentity) -> str | None:
    """Return the name of the court of a neutral citation, by its code alone or with that of the division; None if no data have it."""
    code = work.parts[0]
    court = _court(work.country, code.replace("-", " ")) or _court(work.country, code.partition("-")[0])
    return court[0] if court else None


def _court(country: str, code: str) -> tuple[str, tuple[str, ...]] | None:
    names = jurisdiction(country).section("courts").get("names", {})
    known = code.casefold()
    return next(((name, tuple(forms)) for name, forms in names.items() if known in map(str.casefold, forms)), None)


def own_lines(texts: Sequence[str]) -> Iterator[str]:
    """Yield the first lines of a judgment without the name of the decision under appeal; below that name, only labelled citations."""
    below = False
    for text in texts[:_LINES]:
        if not below or "neutral citation" in text.lower():
            yield _APPEAL.sub("", text).strip()
        below = below or _APPEAL.search(text) is not None


@functools.cache
def _forms(
    country: Jurisdiction,
) -> tuple[tuple[re.Pattern[str], Callable[[Mapping[str, str | None]], str | None]], ...]:
    return tuple((re.compile(form.pattern), form.uri) for form in numbered_works(country) if form.kind == "case")
