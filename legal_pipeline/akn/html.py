"""Akoma Ntoso rendered as HTML by Indigo and Peachjam: identity from the cover page, text from the `akn-` classes.

Not here: the elements of the text (`akn.reader`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from lxml import etree

from legal_pipeline.akn.element import DROPPED, Element, from_html
from legal_pipeline.akn.reader import Reader
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.building.xml import furniture_warning, parse_html, struck_in_html, take_struck
from legal_pipeline.errors import ParseError
from legal_pipeline.jurisdictions.countries import country_codes
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED, UNKNOWN_COUNTRY, document_id, path_slug
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.normalise import one_line

NAME = "akn_html"
VERSION = "6"

_ROOT = re.compile(r"class=\"[^\"]*\bakn-(?:akomaNtoso|act|doc|judgment|statement|body|mainBody)\b")
#: The element in which sites set a law into pages of their own.
_SET_IN = "la-akoma-ntoso"
_DOCUMENTS = ("act", "bill", "doc", "statement", "judgment", "debate", "debateReport")
_NUMBER = re.compile(r"\bAct (?:No\. )?(?P<number>\d+[A-Z]?) of (?P<year>\d{4})")
_VERSION_DATE = re.compile(r"version of this document (?:from|as it was from) (\d{1,2} [A-Z][a-z]+ \d{4})")
_DATES = {
    "date_assented": re.compile(r"Assented to on (\d{1,2} [A-Z][a-z]+ \d{4})"),
    "date_commenced": re.compile(r"Commenced on (\d{1,2} [A-Z][a-z]+ \d{4})"),
    "date_published": re.compile(r"Published in .{0,120}? on (\d{1,2} [A-Z][a-z]+ \d{4})"),
}
_LANGUAGE_IN_NAME = re.compile(r"[_/]([a-z]{3})@")


def sniff(source: SourceFile) -> float:
    head = source.head
    if _ROOT.search(head):
        return CERTAIN
    return NEAR if "akn-" in head else NO


def parse(source: SourceFile) -> Document:
    """Return the document of the page, with what a site has around the law in `metadata["left_out"]`.

    Raises `ParseError` if no element is marked as Akoma Ntoso.
    """
    page = parse_html(source)
    take_struck([*struck_in_html(page), *page.iterfind(".//*[@class='akn-del']")], source)
    left_out = list(_around_the_law(page))
    tree = from_html(page)
    main = next((item for item in tree.walk() if item.name in _DOCUMENTS), None)
    if main is None:
        raise ParseError("no element is marked as a document", expected="class akn-act")
    wanted = [item for item in tree.walk() if item.name in ("coverPage", "akomaNtoso")]
    if not any(item.name == "akomaNtoso" for item in wanted):
        wanted.append(main)
    cover = next((item for item in wanted if item.name == "coverPage"), None)
    builder = DocumentBuilder()
    reader = Reader(builder, judgment=main.name == "judgment")
    for item in wanted:
        reader.read(item)
    front = one_line(_spaced(cover)) if cover else ""
    work = _identity(front, source, _stated_uri(page))
    title = _title(cover, source)
    country = _country(front) or str(source.hints.get("jurisdiction") or UNKNOWN_COUNTRY)
    year = work.year if work else None
    act = work.doc_type if work else "act"
    return builder.document(
        source,
        document_id=work.document_id if work else document_id(country, main.name, path_slug(source.path)),
        jurisdiction=work.country if work else country,
        number=work.number if work else None,
        work_uri=work.work_uri if work else None,
        title=title,
        doc_type={"act": act, "doc": act if work else "other", "judgment": "judgment"}.get(main.name, "other"),
        language=_language(work, source),
        as_of_date=_date(_VERSION_DATE, front) or (work.date if work else None) or source.hints.get("as_of_date"),
        warnings=(
            *reader.warnings,
            *(() if work else ("the source does not say which work it is",)),
            *_furniture_warning(left_out, builder.text),
        ),
        metadata={
            "year_enacted": int(year[:4]) if year else None,
            **{name: _date(pattern, front) for name, pattern in _DATES.items()},
            "left_out": left_out or None,
        },
    )


def _around_the_law(page: etree._Element) -> Iterator[str]:
    """Yield the texts of the site's own frame around the element of the law: its menus, its list of contents, its notes.

    What is marked as Akoma Ntoso is law wherever it is. Without such an element nothing is furniture: the page may lack law.
    """
    marked = {element for element in page.iter(etree.Element) if element.tag == _SET_IN or _is_marked(element)}
    if not any(element.tag == _SET_IN for element in marked):
        return
    holding = {above for element in marked for above in element.iterancestors()}
    yield from filter(None, map(one_line, _texts_beside(page, marked, holding)))


def _is_marked(element: etree._Element) -> bool:
    names = (element.get("class") or "").split()
    return any(name == "coverpage" or name.startswith("akn-") for name in names)


def _texts_beside(element: etree._Element, marked: Set[etree._Element], holding: Set[etree._Element]) -> Iterator[str]:
    """Yield the text of each element that holds none of `marked`, and the texts directly in those that do, `holding`."""
    if element in marked or element.tag in DROPPED:
        return
    texts = [element.text or ""]
    for child in element:
        texts += (*_texts_beside(child, marked, holding), child.tail or "")
    yield from texts if element in holding else [" ".join(texts)]


def _furniture_warning(left_out: list[str], text: str) -> tuple[str, ...]:
    if not left_out:
        return ()
    words = sum(len(item.split()) for item in left_out)
    return (furniture_warning(left_out, words / (words + len(text.split()))),)


def _country(front: str) -> str | None:
    return next((code for name, code in country_codes().items() if front.startswith(name)), None)


def _stated_uri(page: etree._Element) -> str:
    """Return the URI of the wording, which the element of the law has; "" without one."""
    return next((element.get("frbr-expression-uri") or "" for element in page.iter(_SET_IN)), "")


def _identity(front: str, source: SourceFile, stated_uri: str) -> WorkIdentity | None:
    """Return the identity on the cover page; for works without a number, from `stated_uri` or the URI under which the page is published."""
    stated = [
        stated_uri,
        str(source.hints.get("work_uri") or ""),
        source.url or "",
        source.name.rpartition(".")[0].replace("_", "/"),
    ]
    found = next(
        (frbr for uri in stated if (frbr := read_work_uri(uri if uri.startswith(("/", "http")) else f"/{uri}"))), None
    )
    country = _country(front)
    number = _NUMBER.search(front)
    if not country or number is None:
        return found
    language, date = (found.language, found.date) if found else (None, None)
    return WorkIdentity(country, None, "act", (number["year"], number["number"]), language, date)


def _title(cover: Element | None, source: SourceFile) -> str:
    heading = next((item for item in cover.walk() if item.name == "pageHeading"), None) if cover else None
    return one_line(heading.text()) if heading else str(source.hints.get("title") or source.name_in_words)


def _language(work: WorkIdentity | None, source: SourceFile) -> str:
    if work is not None and work.language:
        return work.language
    match = _LANGUAGE_IN_NAME.search(source.url or source.name)
    return match[1] if match else str(source.hints.get("language") or UNDETERMINED)


def _spaced(element: Element) -> str:
    return "".join(item if isinstance(item, str) else f" {_spaced(item)} " for item in element.content)


def _date(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return first_date(match[1], "eng") if match else None


FORMAT = Format(NAME, "Akoma Ntoso rendered as HTML (classes akn-…)", sniff, parse, VERSION)
