"""Read the text above a judgment of any court: court, case number, parties, date, judge, neutral citation; make its identity.

Not here: the nodes (`structure`), and cause titles in the form of one country.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity
from legal_pipeline.jurisdictions.countries import country_named, date_order
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNKNOWN_COUNTRY, document_id, path_slug, sha256_hex
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.judgment.languages import (
    ENGLISH,
    court_country,
    names_court,
    own_number,
    read_cover,
)
from legal_pipeline.parsing.judgment.own_citation import (
    cited_court,
    ecli_country,
    ecli_court,
    own_citation,
    own_ecli,
    own_lines,
)
from legal_pipeline.parsing.judgment.parties import AGAINST, case_name, without_roles
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.judgment.structure import Outline
from legal_pipeline.text.dates import NumericOrder, first_date

_COURT = re.compile(
    r"(?:\bIN THE|^THE|^(?!.*\bjudges?\b)(?=[^.;:]{0,90}$))\s*"
    r"(?P<court>(?:[A-Z][A-Za-z’' ,-]*?)?\b(?:COURT|TRIBUNAL)\b[A-Za-z’' ,()-]*)",
    re.IGNORECASE,
)
#: How a court heads its judgments; "Application for contempt of court" is what one of them is about.
_FORMAL = re.compile(r"IN THE\b|THE\b[^,;:]*\Z", re.IGNORECASE)
#: The court of a judicature, in the line below its name.
_COURT_BELOW = re.compile(r"IN THE (?P<court>(?:[A-Z ]*? )?COURT\b[A-Za-z’' ,()-]*)")
_DIVISION = re.compile(
    r"\bDIVISION\b|\bCOSTS OFFICE\b|\bCHAMBER\b|\bHELD AT\b|\ACOURT OF FIRST INSTANCE\b", re.IGNORECASE
)
#: The name of a court that goes on in the next line.
_UNFINISHED = re.compile(r"\b(?:of|for|at|and|the)\Z", re.IGNORECASE)
_CASE_NUMBER = re.compile(
    r"\b(?:CASE|APPEAL|CLAIM|APPLICATION|PETITION|SUIT|CAUSE|REFERENCE|G\. ?R\.)\s+N(?:O|UMBER|R)S?\b\.?\s*:?\s*"
    r"(?P<number>[A-Z]{0,4}[\s/-]?\d[\w/.-]*(?:\s+OF\s+\d{4})?)",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[(?P<year>\d{4})\]\s+(?P<court>[A-Z]{3,8})\s+(?P<number>\d+)")
_NAMED_DAY = r"\d{1,2}(?i:st|nd|rd|th)?(?:\s+day\s+of)?\s+[A-Za-z]+,?\s+\d{4}|[A-Za-z]{3,9}\.?\s+\d{1,2},\s+\d{4}"
#: "12TH DAY OF MAY 2031"
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b(?:\s+day\s+of)?", re.IGNORECASE)
_DAY = rf"(?P<date>\d{{4}}[-/]\d{{2}}[-/]\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{4}}|{_NAMED_DAY})"
#: The number of a case, and the day of the decision behind it: "G.R. No. 245678, March 12, 2031".
_NUMBER_AND_DAY = re.compile(rf"{_CASE_NUMBER.pattern},\s+{_DAY}\.?$", re.IGNORECASE)
_DATE = re.compile(
    r"(?:^\W*DATED|\b(?:DATE(?!\s+OF\s+HEARING)|DELIVERED|HANDED DOWN|DECIDED|GIVEN|RENDERED|PRONOUNCED|JUDGMENT:))(?!\w)"
    rf"(?:[^\d]{{0,40}}?\W)??(?:at \d{{1,2}}[.:]\d\d ?(?:[ap]\.?m\.?)? on )?{_DAY}",
    re.IGNORECASE,
)
#: "(Being an appeal from the judgment of …", "Arising from the ruling of …": the rest of the line, and its further lines, tell of the
#: decision under appeal; at most this many.
_UNDER_APPEAL = re.compile(
    r"\(?(?:being an? )?\b(?:appeals?\b.{0,40}?\b(?:from|against|of)|(?:reference|review|revision)\b.{0,40}?\b(?:from|of)|"
    r"arising (?:from|out of)|(?<=\()from)\b"
    r".{0,60}?\b(?:judge?ments?|rulings?|decisions?|orders?|decrees?|awards?|convictions?|sentences?)\b.*",
    re.IGNORECASE,
)
_APPEAL_LINES = 8
#: The line in which an English cover cites the decision itself by the names of its parties.
_NAMED_CITATION = re.compile(r"(?:neutral )?citation(?: number)?:[\s|]+(?P<cited>.+)", re.IGNORECASE)
#: A line of the cover that begins with a day: that of the decision if "Judgment" follows, or if it is only a day and no other line begins
#: with one. The day on which a judgment of the Court of Human Rights became final is in figures.
_DAY_LINE = re.compile(
    rf"[(\[]?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?P<date>{_NAMED_DAY})"
    r"(?P<alone>[)\]]?\.?(?:\s*\(?\*+\d*\)?)?$)?(?P<judgment>\s+Judgment\b)?"
)
#: The day behind the neutral citation: "[2031] ZASCA 9 (26 July 2031)".
_CITED_DAY = re.compile(rf"{_CITATION.pattern}(?: \([A-Z]+\))? \((?P<date>{_NAMED_DAY})\)")
#: A paragraph of the text tells of other days.
_PARAGRAPH = re.compile(r"\[?\d{1,3}[\].)]?\s")
_JUDGE = re.compile(r"^(?P<name>[A-Z][A-Z’'. -]{2,40}?),?\s+(?P<office>AJA|JA|DJP|JP|AJ|CJ|ACJ|DCJ|J|P)\s*(?::|\(|$)")
_ROLE = re.compile(
    r"(?:\A|[\s.…,]+)(?:(?:first|second|1st|2nd)\s+)?(?:(?:appellant|respondent|applicant|petitioner|plaintiff|claimant|defendant)s?"
    r"(?:\s?[/-]\s?|\W*$))+$",
    re.IGNORECASE,
)
#: "KEEPERS UNION, PETITIONER, VS. HARBOR AUTHORITY, RESPONDENT."
_SIDE = (
    r"(?:appellants?|respondents?|applicants?|petitioners?|plaintiffs?|claimants?|complainants?|defendants?|accused|-)+"
)
_IN_ONE_LINE = re.compile(
    rf"(?P<first>[A-Z].{{2,200}}?),? {_SIDE},? (?:v|vs|versus)\.? (?P<second>[A-Z].{{2,300}}?),? {_SIDE}\.?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"^(?:in the (?:matter|appeal|application)\b.*\b)?b ?e ?t ?w ?e ?e ?n\b\W*", re.IGNORECASE)
#: The cause title is in this many texts at the beginning, and in this many lines of them.
_CAUSE_TEXTS, _CAUSE_LINES = 25, 40
#: The first lines, above the parties.
_COVER_LINES = 10
_DIGIT = re.compile(r"\d")
#: A title says more than a number: it has words besides those of a citation in capitals.
_HAS_WORDS = re.compile(r"[^\W\d_]*[a-zß-öø-ÿ]{3}.*\s")
#: The day and the signatures are in this many texts at the end.
_END_TEXTS = 8
#: A line at the end with the day is at most this long.
_END_CHARS = 120
_AND = AGAINST | {"and"}
#: "AND HARBOUR BOARD", below "BETWEEN ANNA KEEPER"
_AND_NAME = re.compile(r"^AND +(?=[A-Z])")


def country_of(source: SourceFile, texts: Sequence[str]) -> str:
    """Return the code of the court's country: from the hint `jurisdiction`, its citation, its ECLI (also the hint `ecli`) or the first
    lines, else `xx`."""
    if stated := str(source.hints.get("jurisdiction") or ""):
        return stated
    cited = own_citation(texts)
    if cited is not None:
        return cited[1].country
    if ecli := _ecli(source, texts):
        return ecli_country(ecli)
    return court_country(texts) or country_named(" ".join(texts[:15])) or UNKNOWN_COUNTRY


def _ecli(source: SourceFile, texts: Sequence[str]) -> str | None:
    """Return the European Case Law Identifier that `source` states beside the text, else the printed one."""
    return own_ecli([str(source.hints.get("ecli") or "")]) or own_ecli(texts)


def judgment_document(
    builder: DocumentBuilder,
    source: SourceFile,
    outline: Outline,
    texts: Sequence[str],
    *,
    country: str,
    language: str = ENGLISH,
    page_title: tuple[str, str] | None = None,
    **fields: Any,
) -> Document:
    """Return the judgment in `builder`; `fields` are further fields of the document.

    `page_title`: the title of its page, and the part of it that the page prints. The title of the judgment is what `source` states, else
    the parties as the title of the page or the cover names them, or what the court calls the case, else the printed title if it says more
    than a number, else how the court cites its own decision, else court and number.

    Its id is its neutral citation or another number that identifies it, else court, case number and date, else the path of the file.
    """
    header = [line for block in outline.header for line in block.text.split("\n")] or texts[:15]
    order = date_order(country)
    metadata = read_cause_title(header, texts, order) if language == ENGLISH else read_cover(header, texts, language)
    own = own_number(header, country) if court_country(texts) == country else None
    if own is not None:
        metadata["case_number"] = metadata["case_number"] or own[0]
    ecli = _ecli(source, texts)
    for name in ("case_number", "date_decided"):
        metadata[name] = metadata[name] or source.hints.get(name)
    metadata["court"] = _court_named(metadata["court"], metadata["case_number"], ecli)
    citation, parts = _identity(texts, country, own, page_title[0] if page_title else "")
    if not citation:
        parts = ("case", *(_case(metadata, language) or (path_slug(source.path),)))
    work_uri = "/".join(("/akn", country, "judgment", *parts)) if citation else None
    has_several = jurisdiction(country).section("judgments").get("several_decisions", False)
    if own is not None and citation == own[0] and has_several and metadata["date_decided"]:
        parts = (*parts, metadata["date_decided"])
    number = citation or metadata["case_number"]
    printed = ", ".join(part for part in (metadata["court"], number) if part)
    title = (
        source.hints.get("title")
        or (case_name(page_title[0]) if page_title else None)
        or _cited_name(texts)
        or metadata.get("title")
        or (_title_of_page(*page_title, texts) if page_title else None)
        or (_as_cited(header, metadata, number, language) if language != ENGLISH and number else None)
        or (printed if language != ENGLISH else "")
        or (_before_citation(page_title[0], citation) if page_title and citation else None)
        or _printed_title(texts, language)
        or source.name_in_words
    )
    return builder.document(
        source,
        document_id=document_id(country, "judgment", *parts),
        title=str(title),
        jurisdiction=country,
        doc_type="judgment",
        language=str(source.hints.get("language") or language),
        number=number,
        work_uri=work_uri,
        as_of_date=metadata.get("date_decided") or source.hints.get("as_of_date"),
        metadata={key: value for key, value in metadata.items() if key != "title"}
        | {"neutral_citation": citation, "ecli": ecli},
        **fields,
    )


def _court_named(printed: str | None, number: str | None, ecli: str | None) -> str | None:
    """Return the court that the cover prints, without the number of the case; the court of the `ecli` if the data of its country know it
    and the cover prints only a part of its name ("Senat")."""
    court = printed.partition(number)[0].strip(" ,–-") if printed and number else printed
    known = ecli_court(ecli) if ecli else None
    is_named = known is not None and any(form in (court or "") for form in known[1])
    return known[0] if known is not None and not is_named else court or printed


def _case(metadata: Mapping[str, Any], language: str) -> tuple[str, ...] | None:
    """Return the parts of an id that court, case number and day make. Courts of a country share their numbers.

    None without a number; in another language than English also without court or day: such a case may have several decisions.
    """
    court, number, date = (str(metadata[key] or "") for key in ("court", "case_number", "date_decided"))
    named = slug(court) or sha256_hex(court)[:8]  # an id has Latin letters only
    if not number or (language != ENGLISH and not (court and date)):
        return None
    return tuple(part for part in (named if court else "", number, date) if part)


def _before_citation(title: str, citation: str) -> str | None:
    """Return the words of a page's title before the citation of the judgment; None without any."""
    before, found, _ = title.partition(citation)
    before = before.strip(" ,|–-")
    return before if found and " " in before else None


def _printed_title(texts: Sequence[str], language: str) -> str:
    """Return the line "A v B" of the cover, else the first line that is not a label with its value, `Appeal Number: 12`; "" if that line is
    the heading of a part, because the text has no cover."""
    cover = texts[:_COVER_LINES]
    parties = next((text for text in cover if re.search(r"\w\)? v\.? \(?\w", text)), None)
    name = without_roles(parties) if parties else None
    first = next((text for text in cover if ":" not in text), texts[0])
    is_part = load_phrases(UNKNOWN_COUNTRY, language).heading_role(first) is not None
    return (name or ("" if is_part else first))[:200]


def _cited_name(texts: Sequence[str]) -> str | None:
    """Return the name with which the cover itself cites the decision, "Neutral citation: A v B and Another (12/2031) [2031] ZASCA 9"."""
    cited = (match["cited"] for text in own_lines(texts) if (match := _NAMED_CITATION.match(text)))
    return next((name for text in cited if (name := case_name(text))), None)


def _title_of_page(title: str, printed: str, texts: Sequence[str]) -> str | None:
    """Return the part of a page's title that it prints, if it begins the title and says more than a number; None otherwise.

    "Decision details" is the title of each page of its publisher: words alone must be in the text of the judgment.
    """
    if not (title.startswith(printed) and _HAS_WORDS.search(printed)):
        return None
    is_own = _DIGIT.search(printed) or any(printed.casefold() in text.casefold() for text in texts)
    return printed if is_own else None


def _as_cited(header: Sequence[str], metadata: Mapping[str, Any], number: str, language: str) -> str | None:
    """Return what a line of the cover begins with if it cites the decision itself: a court, its day and `number`."""
    for line in header:
        cited, found, _ = line.partition(number)
        day = first_date(cited, language, "day first") if found else None
        if day and day == metadata["date_decided"] and names_court(cited.split(",")[0], language):
            return f"{cited}{number}"
    return None


def _identity(
    texts: Sequence[str], country: str, own: tuple[str, WorkIdentity | None] | None, title: str
) -> tuple[str | None, tuple[str, ...]]:
    """Return the citation that identifies the judgment, on its cover or in the `title` of its page, and the parts of its work's URI; None
    and no parts without one."""
    cited = own_citation(texts)
    if cited is not None and cited[1].country == country:
        return cited[0], cited[1].parts
    if own is not None and own[1] is not None:
        return own[0], own[1].parts
    match = next((match for text in (*own_lines(texts), title) if (match := _CITATION.search(text))), None)
    return (match.group(), (match["court"].lower(), match["year"], match["number"])) if match else (None, ())


def read_cause_title(header: Sequence[str], texts: Sequence[str], order: NumericOrder = "") -> dict[str, Any]:
    """Return court, case number, date, judge and parties, as far as the text before the body contains them.

    `order` is that of dates in numbers in the country of the court.
    """
    start = [line for text in texts[:_CAUSE_TEXTS] for line in text.split("\n")][:_CAUSE_LINES]
    courts = [(index, match) for index, text in enumerate(start) if (match := _COURT.search(text))]
    headed = next((found for found in courts if _FORMAL.match(found[1].group())), None)
    name = None
    if headed is None and (cited := own_citation(texts)) is not None and (name := cited_court(cited[1])) is not None:
        headed = next((found for found in courts if name.casefold() in found[1].group().casefold()), None)
    if headed is not None or (name is None and courts):
        at, match = headed or courts[0]
        # "IN THE SUPERIOR COURT OF JUDICATURE", and the court of it that decides in the next line
        while inner := _COURT_BELOW.match("".join(start[at + 1 : at + 2])):
            at, match = at + 1, inner
        name = match["court"].split(", sitting")[0].strip()
        below = start[at + 1 : at + 3]
        if below and _UNFINISHED.search(name):  # "HIGH COURT OF THE", and the country in the next line
            name = f"{name} {below.pop(0).strip()}"
        following = below[0] if below else ""
        if _DIVISION.search(following) and len(following) < 120:
            name = f"{name}, {following.strip()}"
    date = _date(start, texts[-_END_TEXTS:], order)
    judge = next((match for text in [*start, *texts[-_END_TEXTS:]] if (match := _JUDGE.match(text))), None)
    number = next((match["number"] for text in start if (match := _CASE_NUMBER.search(text))), None)
    parties = _parties(start)
    return {
        "court": name,
        "case_number": number,
        "date_decided": date,
        "judges": [f"{judge['name'].title()} {judge['office']}"] if judge else None,
        "parties": {"applicant": parties[0], "respondent": parties[1]} if parties else None,
        "title": " v ".join(parties) if parties else None,
    }


def _date(start: Sequence[str], end: Sequence[str], order: NumericOrder) -> str | None:
    """Return the day of the decision (ISO), from the first lines or else from the last ones."""
    last = [line for text in end for line in text.split("\n") if len(line) <= _END_CHARS]
    cover = list(_without_decision_under_appeal(start))
    labelled = (text for text in (*cover, *reversed(last)) if not _PARAGRAPH.match(text))
    found = next((match for text in labelled if (match := _DATE.search(text))), None)
    found = found or next((match for text in cover if (match := _NUMBER_AND_DAY.search(text))), None)
    found = found or next((match for text in own_lines(start) if (match := _CITED_DAY.search(text))), None)
    if found is None:
        days = [match for text in start if (match := _DAY_LINE.match(text.lstrip("| ")))]
        alone = days[0] if len(days) == 1 and days[0]["alone"] is not None else None
        found = next((day for day in days if day["judgment"]), alone)
    return None if found is None else first_date(_ORDINAL.sub("", found["date"]).replace("/", "-"), "eng", order)


def _without_decision_under_appeal(lines: Sequence[str]) -> Iterator[str]:
    """Yield `lines` without what they say of the decision under appeal, which may go on up to a closing bracket or in lower case."""
    opened = further = 0
    for line in lines:
        if further and (opened > 0 or line[:1].islower()):
            opened += line.count("(") - line.count(")")
            further -= 1
            continue
        match = _UNDER_APPEAL.search(line)
        further = _APPEAL_LINES if match else 0
        opened = match.group().count("(") - match.group().count(")") if match else 0
        yield line[: match.start()] if match else line


def _parties(lines: Sequence[str]) -> tuple[str, str] | None:
    """Return the first names before and after "and", below or behind "Between", else the names beside a line "versus"; lines that hold only
    a role are not names."""
    if match := next((match for line in lines if (match := _IN_ONE_LINE.match(line))), None):
        return match["first"], match["second"]
    between = next((index for index, line in enumerate(lines) if _BETWEEN.match(line)), None)
    if between is None:
        middle = next((index for index, line in enumerate(lines) if line.strip(" |-–—").lower() in AGAINST), None)
        return None if middle is None else _names(lines[:middle][::-1], lines[middle + 1 :])
    cells = [_AND_NAME.sub("and | ", line) for line in lines[between + 1 :]]
    rest = [_BETWEEN.sub("", lines[between]), *(cell for line in cells for cell in line.split(" | "))]
    middle = next((index for index, line in enumerate(rest[:12]) if line.strip(" |-–—").lower() in _AND), None)
    return None if middle is None else _names(rest[:middle], rest[middle + 1 :])


def _names(before: Sequence[str], after: Sequence[str]) -> tuple[str, str] | None:
    """Return the first name of each list; None without one."""
    first, second = (
        next((name for line in part if (name := _ROLE.sub("", line.strip(" |:,-–—")))), None)
        for part in (before, after)
    )
    return (first, _with_further(second, after)) if first and second else None


def _with_further(name: str, lines: Sequence[str]) -> str:
    """Return `name` and the names below it: lines that hold nothing but a name and a comma, "TB," above "UK,"."""
    own = [*itertools.takewhile(_is_name_and_comma, lines)]
    further = [line.strip(" |,") for line in own]
    return f"{', '.join(further[:-1])} and {further[-1]}" if len(further) > 1 and further[0] == name else name


def _is_name_and_comma(line: str) -> bool:
    name = line.strip(" |")
    is_alone = name.endswith(",") and "," not in name[:-1] and name[:1].isupper()
    return is_alone and _ROLE.search(name) is None and _COURT.search(name) is None
