"""Metadata in <meta> and the front matter of an Akoma Ntoso document: title, dates, country, court, and validity of its provisions.

The paths for each publisher are in `metadata.toml`. Not here: the elements of the text (`akn.reader`), identity
(`building.work_identity`).
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.building.xml import local_name
from legal_pipeline.languages.language import codes, iso_639_3
from legal_pipeline.model.document import Amendment
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.normalise import one_line

#: Elements before the text of a document.
_FRONT = frozenset({"meta", "preface", "coverPage", "header", "preamble"})
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Dates that publishers use as a placeholder for an unknown date.
_NO_DATE = ("0001-", "1111-", "9999-")
#: Values of the attribute `status` with a legal meaning; its other values describe the text (`edited`, `incomplete`).
_STATUSES = {"removed": "omitted", "repealed": "repealed"}


class Metadata:
    """Reads `document`, the element below <akomaNtoso>; `language` is ISO 639-3."""

    def __init__(self, document: etree._Element, language: str = UNDETERMINED) -> None:
        self._front = _without_namespaces(document)
        self._language = language

    def first(self, name: str) -> str | None:
        """Return the text at the first path of `name` that has a text, as one line."""
        return next(self._texts(_paths()[name]), None)

    def text_at(self, path: str) -> str | None:
        """Return the text at the XPath `path`, as one line."""
        return next(self._texts([path]), None)

    def uris(self, level: str) -> list[str]:
        """Return the URIs of `FRBRWork` or `FRBRExpression`, that of the whole document before that of its main part."""
        paths = (f"meta/identification/{level}/{name}/@value" for name in ("FRBRuri", "FRBRthis"))
        return list(self._texts(paths))

    def language(self) -> str | None:
        """Return the ISO 639-3 code of the expression's language, stated as a code or as a URI that ends with a code."""
        stated = self.text_at("meta/identification/FRBRExpression/FRBRlanguage/@*[name()='language' or name()='value']")
        code = iso_639_3((stated or "").rstrip("/").rpartition("/")[2])
        return code if re.fullmatch(r"[a-z]{3}", code) else None

    def date(self, name: str) -> str | None:
        """Return an ISO date like `first`; a placeholder (`0001-01-01`) counts as missing."""
        texts = (text[:10] for text in self._texts(_paths()[name]))
        return next((text for text in texts if _ISO_DATE.fullmatch(text) and not text.startswith(_NO_DATE)), None)

    def judgment(self) -> dict[str, Any]:
        """Return court, judges, parties, numbers and date of a judgment, as far as they are marked."""
        paths = _paths()["judgment"]
        first = {name: next(self._texts(value), None) for name, value in paths.items() if isinstance(value, list)}
        lists = {name: list(dict.fromkeys(self._texts([path]))) or None for name, path in paths["lists"].items()}
        return {**first, **lists}

    def amendment(self, label: str, rule: Mapping[str, str]) -> Amendment | None:
        """Return the act that `label` names according to `rule`, and the date when it took effect."""
        match = re.match(rule["pattern"], label)
        if match is None:
            return None
        date = next(self._texts([rule["date"].format(**match.groupdict())]), None) if "date" in rule else None
        return Amendment(rule["by"].format(**match.groupdict()), date)

    def intervals(self) -> dict[str, tuple[str | None, str | None]]:
        """Return temporal groups by their eId: the dates of the events that limit the validity of elements with this group."""
        events = {_id(event): event.get("date") for event in self._front.iter("eventRef")}
        found = {}
        for group in self._front.iter("temporalGroup"):
            times = list(group.iter("timeInterval"))
            if times:
                start = events.get((times[0].get("start") or "").lstrip("#"))
                found[_id(group)] = (start, events.get((times[-1].get("end") or "").lstrip("#")))
        return found

    def _texts(self, paths: Iterable[str]) -> Iterator[str]:
        short = next((two for two, three in codes().items() if three == self._language), self._language)
        for path in paths:
            items: Any = _xpath(path)(self._front, lang=short)
            for item in items:
                found = "".join(map(str, item.itertext())) if isinstance(item, etree._Element) else str(item)
                text = one_line(found.replace("\\n", " "))  # some publishers write the line ends of a title like this
                if text:
                    yield text


def state_dates(document: Element, metadata: Metadata) -> None:
    """Set validity and amending acts on the elements of `document`, if their attributes state them."""
    intervals = metadata.intervals()
    rules: Sequence[Mapping[str, str]] = _paths()["amendments"]
    for element in document.walk():
        attributes = element.attributes
        if "period" in attributes:
            start, end = intervals.get(attributes["period"].lstrip("#"), (None, None))
            element.fields.update({key: date for key, date in (("valid_from", start), ("valid_to", end)) if date})
        if (status := _STATUSES.get(attributes.get("status", ""))) is not None:
            element.fields["status"] = status
        for rule in rules:
            if rule["attribute"] in attributes and (
                amendment := metadata.amendment(attributes[rule["attribute"]], rule)
            ):
                element.fields["amendments"] = (*element.fields.get("amendments", ()), amendment)


def standard_name(name: str | None) -> str | None:
    """Return the standard element for a publisher's own container; None if it is not known."""
    found: str | None = _paths()["containers"].get(name)
    return found


def without_version(eid: str) -> str:
    """Return an eId without the version number that some publishers append: a provision keeps its name when it is amended."""
    return re.sub(_paths()["version_in_eid"], "", eid)


def _id(element: etree._Element) -> str:
    return element.get("eId") or element.get("id") or ""


def _without_namespaces(document: etree._Element) -> etree._Element:
    root = etree.Element("document")
    for child in document:
        if local_name(child) in _FRONT:
            root.append(copy.deepcopy(child))
    for element in root.iter(etree.Element):
        element.tag = local_name(element)
        for key, value in list(element.items()):
            element.set(etree.QName(key).localname, value)
    return root


@functools.cache
def _xpath(path: str) -> etree.XPath:
    return etree.XPath(path)


def _paths() -> dict[str, Any]:
    return data_file(__package__, "metadata.toml")
