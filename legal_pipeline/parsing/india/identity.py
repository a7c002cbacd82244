"""Names of Indian works: `in-act-1872-9`, `/akn/in/act/1872/9`, `in-judgment-insc-2024-640`.

Not here: the rules of ids (`model.identity`) and citations in running text (`citations`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

from legal_pipeline.jurisdictions.countries import country_named
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.normalise import one_line

_YEAR_AT_END = re.compile(r",?\s*\(?(1[78]\d\d|19\d\d|20\d\d)\)?\s*\.?$")
_ACT_NUMBER = re.compile(r"\bA\s?CT\s+N[O0]\.?\s*(\d{1,3})\s+OF\s+(\d{4})", re.I)
#: India Code names its PDFs with year and number: `A187209.pdf`, `a1962-42.pdf`, `H1960-64.pdf`.
_PDF_NAME = re.compile(r"/[aAhH]?(1[78]\d\d|19\d\d|20\d\d)[-_]*(\d{1,3})\.pdf\b")
_SHORT_TITLE = re.compile(
    r"\bThis\s+(?:Act|Code|Sanhita|Adhiniyam)\s+(?:may|shall)\s+be\s+(?:called|cited\s+as)\s+(?:the\s+)?(?P<title>[A-Z][^.;]*?(?:,\s*(?P<year>\d{4})|(?=[.;,]|\s+and\s+shall)))"
)
_NEUTRAL = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)\s*:?\s*(?P<court>INSC|[A-Z]{2,4}HC(?:-[A-Z]+)?)\s*:?\s*(?P<num>\d+)\b"
)
#: Words that only Indian law prints of itself: where it extends to, who enacted it, its legislatures, gazette, courts and reports.
_INDIAN = re.compile(
    r"\b(?:(?:whole|territor(?:y|ies)|provinces) of India|Republic of India|Gazette of India|Constitution of India|Indian Legislature"
    r"|Governor[- ]General of India in Council|Lok Sabha|Rajya Sabha|Vidhan Sabha|Sanhita|Adhiniyam|Supreme Court of India"
    r"|High Court of (?:Judicature at|Delhi|Kerala|Karnataka|Punjab|Gujarat|Rajasthan|Madras|Bombay|Calcutta|Chhattisgarh|Orissa)"
    r"|INSC|Indlaw)\b",
    re.I,
)
#: Words of India and of its neighbours, which count only where no other country is named more often.
_NEIGHBOURLY = re.compile(r"\bIndia\b|\b(?:lakh|crore)s?\b|\bSCC\b|\bI\.?P\.?C\b|\bCr\.?P\.?C\b", re.I)
#: Minimum number of such words.
_NAMED = 2
#: Number of characters at the beginning, in which only the law's own country has such words.
_FRONT = 3_000


@dataclass(frozen=True)
class ActIdentity:
    document_id: str
    work_uri: str | None
    year: int | None = None
    number: int | None = None
    replaced_by: str | None = None

    @property
    def citation(self) -> str | None:
        return f"Act {self.number} of {self.year}" if self.number and self.year else None


def is_indian(head: str) -> bool:
    """Whether a text is Indian law: it has words that only Indian law prints of itself, or names India and no other country more often.

    Laws of other countries name India too, and some of them were enacted for it.
    """
    if _INDIAN.search(head[:_FRONT]):
        return True
    if country_named(head) not in (None, "in"):
        return False
    return _INDIAN.search(head) is not None or len(_NEIGHBOURLY.findall(head)) >= _NAMED


def title_year(title: str) -> int | None:
    match = _YEAR_AT_END.search(title)
    return int(match[1]) if match else None


def short_title(text: str) -> str | None:
    """Return the title from the words "This Act may be called the Indian Contract Act, 1872.", or None."""
    match = _SHORT_TITLE.search(one_line(text))
    return match["title"].strip(" ,") if match else None


def act_identity(title: str, *, text: str = "", links: str = "", number: str | None = None) -> ActIdentity:
    """Return the identity of the Act called `title`.

    Year and number come from `number` (a field of the source), from "ACT NO. 31 OF 2019" in `text`, from the names of PDFs in `links`
    of the same year as the title, or from the list of well-known Acts; otherwise the id is made from the title.
    """
    year = title_year(title)
    bare = _bare(title)
    known = _known_acts().get(bare)
    if known and year and known["year"] != year:
        known = None
    replaced_by = known.get("replaced_by") if known else None
    found: tuple[int, int] | None = None
    if number and number.strip().isdigit() and year:
        found = (year, int(number))
    elif (match := _ACT_NUMBER.search(one_line(text))) and year in (None, int(match[2])):
        found = (int(match[2]), int(match[1]))
    elif year and (match := _PDF_NAME.search(links)) and int(match[1]) == year:
        found = (year, int(match[2]))
    elif known:
        found = (known["year"], known["number"])
    if found and found[1]:
        year, num = found
        return ActIdentity(
            document_id("in", "act", str(year), str(num)), f"/akn/in/act/{year}/{num}", year, num, replaced_by
        )
    return ActIdentity(document_id("in", "act", bare or title, str(year or "")), None, year, None, replaced_by)


def neutral_citation(text: str) -> str | None:
    """Return the neutral citation in `text` in its usual form (`2024 INSC 640`), or None."""
    match = _NEUTRAL.search(text)
    return f"{match['year']} {match['court']} {match['num']}" if match else None


def judgment_identity(citation: str | None, fallback: str) -> tuple[str, str | None]:
    """Return (document id, work URI) from the neutral citation, else from `fallback` (parties and number, or the file's name)."""
    match = _NEUTRAL.search(citation or "")
    if match:
        court, year, num = slug(match["court"]), match["year"], match["num"]
        return document_id("in", "judgment", court, year, num), f"/akn/in/judgment/{court}/{year}/{num}"
    return document_id("in", "judgment", fallback), None


def _bare(title: str) -> str:
    return slug(re.sub(r"^the\s+", "", _YEAR_AT_END.sub("", one_line(title)), flags=re.I))


@functools.cache
def _known_acts() -> dict[str, dict[str, Any]]:
    data = data_file(__package__, "known_acts.toml")
    return {slug(act["title"]): act for act in data["act"]}
