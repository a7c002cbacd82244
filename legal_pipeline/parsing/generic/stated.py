"""What the front matter of a text states about it: identity, type and dates, by keys that many publishers use (`stated.toml`).

Not here: reading the front matter (`parsing.front_matter`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, languages, read_work_uri
from legal_pipeline.jurisdictions.countries import country_of_address
from legal_pipeline.jurisdictions.jurisdiction import countries, jurisdiction
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.identity import iso_date
from legal_pipeline.system.data_files import data_file

#: A country's code, perhaps with that of a part of it.
_COUNTRY = re.compile(r"[A-Za-z]{2}(?:[-_]\w{1,6})?")
STATED_DATA: Mapping[str, Any] = data_file(__package__, "stated.toml")
_KEYS: Mapping[str, list[str]] = STATED_DATA["keys"]
#: Facts that are fields of the document, and facts that are its metadata.
_FIELDS = ("document_id", "title", "number", "identifier", "jurisdiction", "language", "doc_type", "as_of_date")
#: Facts of a judgment, which are in the metadata of other documents under the publisher's keys.
_OF_JUDGMENT = ("ecli", "case_number", "date_decided")
_METADATA = ("date_published", "date_enacted", "in_force", "repealed", "source_url", "status")


def stated_facts(source: SourceFile, front: FrontMatter) -> dict[str, str | None]:
    """Return the fields of the document that its front matter states, else its hints: id, work URI, title, number, jurisdiction,
    language, document type, and the date of the text (ISO). `usual_language` is the first language of the country. Of a judgment also its
    ECLI, case number and day, if they are stated."""
    facts = _facts(front)
    if not _COUNTRY.fullmatch(facts.get("jurisdiction", "")):
        facts.pop("jurisdiction", None)  # "Cour d'appel" is the jurisdiction of a judgment
    said: dict[str, str | None] = {name: facts.get(name) or source.hints.get(name) for name in _FIELDS}
    work = _by_own_key(front, said["jurisdiction"]) or _work(front, said)
    published = next(filter(None, map(country_of_address, _values(front, _KEYS["source_url"]))), "")
    country = (said["jurisdiction"] or (work.country if work else published)).lower()
    identifier, date = said.pop("identifier"), said["as_of_date"] or (work.date if work else None)
    named = work.document_id if work is not None else None
    if named is None and country and identifier:
        named = document_id(country, slug(identifier).removeprefix(f"{country}-"))
    return {
        **said,
        **{name: facts[name] for name in _OF_JUDGMENT if name in facts},
        "document_id": said["document_id"] or named,
        "work_uri": work.work_uri if work else source.hints.get("work_uri"),
        "number": said["number"]
        or _own_number(front, country)
        or (work.stated_number if work else "")
        or identifier
        or (work.number if work else None),
        "jurisdiction": country or None,
        "usual_language": next(iter(languages(country)), None) if country else None,
        "doc_type": _doc_type(said, work, country),
        # No text is older than its publication: an earlier date is a placeholder.
        "as_of_date": max(date, facts.get("date_published", "")) if date else None,
    }


def stated_metadata(front: FrontMatter) -> dict[str, Any]:
    """Return the dates, status and address of the document, and the values of all keys that are not its fields."""
    facts = _facts(front)
    if slug(facts.get("status", "")) in STATED_DATA["ended"]["words"]:
        facts.setdefault("repealed", facts.get("last_day", ""))
    fields = {key for name in _FIELDS for key in _KEYS[name]}
    rest = {
        key: value for key, value in front.values.items() if fact_key(key) not in fields and value not in ("", None)
    }
    return {**rest, **{name: facts[name] for name in _METADATA if facts.get(name)}}


def stated_keys(front: FrontMatter, keys: list[str]) -> list[str]:
    """Return the values of the front matter under `keys`, in their order: first the texts, then lists and tables, each as one text."""
    other = {fact_key(key): str(value) for key, value in front.values.items() if value and not isinstance(value, str)}
    return [*_values(front, keys), *(other[key] for key in keys if key in other)]


def first_stated(front: FrontMatter, keys: list[str]) -> str | None:
    """Return the first value of `stated_keys`."""
    return next(iter(stated_keys(front, keys)), None)


def _facts(front: FrontMatter) -> dict[str, str]:
    """Return the first value of each fact; a fact that is a day is left out if no value is an ISO date."""
    read = {name: _values(front, keys) for name, keys in _KEYS.items()}
    for name in STATED_DATA["days"]["facts"]:
        read[name] = [day for value in read[name] if (day := iso_date(value))]
    return {name: values[0] for name, values in read.items() if values}


def _values(front: FrontMatter, keys: list[str]) -> list[str]:
    """Return the values of `keys`, in their order."""
    values = {fact_key(key): " ".join(value.split()) for key, value in front.values.items() if isinstance(value, str)}
    return [values[key] for key in keys if values.get(key)]


def fact_key(key: str) -> str:
    """Return `key` in lower case with "_" between its words: "section-number", "sectionNumber"."""
    return re.sub(r"[\s_-]+|(?<=[a-z])(?=[A-Z])", "_", key.strip()).lower()


def _by_own_key(front: FrontMatter, country: str | None) -> WorkIdentity | None:
    """Return the work whose name stands under a key that only one country's publishers use (`front_matter.work` of its data)."""
    for known in [jurisdiction(country.lower())] if country else countries():
        for key, kind in known.section("front_matter").get("work", {}).items():
            for value in _values(front, [key]):
                return WorkIdentity(known.code, None, kind, (slug(value),), stated_number=value)
    return None


def _own_number(front: FrontMatter, country: str) -> str | None:
    """Return the number under a key of the country's publishers, in the form in which it is cited (`front_matter.number`)."""
    forms = jurisdiction(country).section("front_matter").get("number", {}) if country else {}
    return next((form.format(value) for key, form in forms.items() for value in _values(front, [key])), None)


def _work(front: FrontMatter, said: Mapping[str, str | None]) -> WorkIdentity | None:
    """Return the work of the first address that the data of a country knows; an address of another country is a reference.

    Without such an address, the work of a text with an identifier is the one that its title begins with as a citation ("Llei 5/2031"),
    or its rank and number ("ley" and "LEY-5").
    """
    country, identifier = said["jurisdiction"], slug(said["identifier"] or "")
    works = map(read_work_uri, _values(front, _KEYS["address"]))
    found = next((work for work in works if work and country in (None, work.country, work.place)), None)
    if found is not None or not country or not identifier:
        return found
    country, rank, title = country.lower(), slug(said["doc_type"] or ""), said["title"] or ""
    scanner = jurisdiction(country).scanner
    for mention in scanner(title) if scanner is not None else ():
        is_numbered = any(character.isdigit() for character in mention.raw)
        if mention.start == 0 and mention.work.uri and not mention.eids and (is_numbered or mention.end == len(title)):
            return read_work_uri(mention.work.uri)
    kind, _, number = identifier.removeprefix(f"{country}-").rpartition("-")
    return WorkIdentity(country, None, "act", (rank, number)) if rank and kind == rank and number.isdigit() else None


def _doc_type(said: Mapping[str, str | None], work: WorkIdentity | None, country: str) -> str | None:
    """Return the document type named by the rank, or by the first word of a work's title, in the data of the country or here; else that
    of the work."""
    word = said["doc_type"] or ((said["title"] or "").partition(" ")[0] if work else None)
    named = slug(word or "")
    own: Mapping[str, str] = jurisdiction(country).section("work_types") if country else {}
    stated = own.get(named) or next((kind for kind, words in STATED_DATA["doc_types"].items() if named in words), None)
    return stated or (work.doc_type if work else word)
