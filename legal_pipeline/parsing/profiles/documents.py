"""Parses a document of a profile's format: its work, metadata and text.

Not here: the rules (the TOML files in this folder).
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.reader import Reader
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.building.xml import parse_html, parse_xml, struck_in_html, take_struck
from legal_pipeline.errors import CompanionFileError, ParseError
from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.profiles.elements import (
    Converter,
    local_tree,
    parted,
    with_characters,
    with_lines,
    with_margins,
    with_pages,
    with_superscripts,
)
from legal_pipeline.parsing.profiles.json_tree import json_tree
from legal_pipeline.parsing.profiles.profile import Profile, Value, profiles
from legal_pipeline.parsing.profiles.values import Known, found, lines_at, value_of, values_of

#: Soft hyphens, and joiners between characters that nothing joins ("23.", joiner, "1"): the printed text does not show them.
_INVISIBLE = re.compile("\u00ad|(?<![^\\x00-\\x7f])[\u200b\u200d](?![^\\x00-\\x7f])")
#: The characters of `_INVISIBLE`: most files have none, and finding that out is far faster than a search for the pattern.
_MARKS = "\u00ad\u200b\u200d"
#: Attribute of the root of an XML file: its URL and name, which may state a date or a number that the file does not.
_ADDRESS = "address"
#: What a URI states about its work.
_FACTS = ("document_id", "work_uri", "number", "doc_type", "date", "locality")


def formats() -> tuple[Format, ...]:
    """Return one format per profile."""
    return tuple(
        Format(profile.name, profile.title, partial(_sniff, profile), partial(read, profile=profile), profile.version)
        for profile in profiles()
    )


def _sniff(profile: Profile, source: SourceFile) -> float:
    return CERTAIN if all(mark.search(source.head) for mark in profile.marks) else NO


def read(source: SourceFile, profile: Profile) -> Document:
    """Return the document that `profile` reads from `source`.

    Raises `ParseError` if the title or the values that identify the work are missing, and its subclass `CompanionFileError` for a
    companion file, which is not a document.
    """
    if profile.companion is not None:
        raise CompanionFileError(
            f"this file is {profile.companion}, not a document", expected="the file of the text that it belongs to"
        )
    root = tree_of(source, profile)
    known: Known = {}
    stated = value_of(root, profile.values["language"], known=known) if "language" in profile.values else None
    language = iso_639_3(stated) if stated else profile.language
    values = values_of(root, profile.values, language, known)
    work = _work(profile, values, source)
    title = values.get("title") or str(source.hints.get("title") or "") or work.get("canonical_citation")
    if not title:
        raise ParseError("no title", expected="the element that `title` names")
    metadata = {
        "locality": work.get("locality"),
        "canonical_citation": values.get("canonical_citation") or work.get("canonical_citation"),
        **values_of(root, profile.metadata, language, known),
        **{name: lines_at(at, root) or None for name, at in profile.lists.items()},
    }
    fragment = values.get("fragment")
    builder = DocumentBuilder()
    reader = Reader(builder, between_numbers=profile.between_numbers, quoted_levels=profile.quoted_levels)
    converter = Converter(profile, root, language)
    # before the converter removes numbers and headings from the tree
    source.memo[_shown_name(profile)] = converter.shown_text()
    reader.read(Element("body", content=converter.elements()))
    return builder.document(
        source,
        # A fragment is a document of its own: it must not replace the whole text of the work.
        document_id=document_id(work["document_id"], slug(fragment)) if fragment else work["document_id"],
        work_uri=work["work_uri"],
        title=title,
        number=values.get("number")
        or source.hints.get("number")
        or values.get("canonical_citation")
        or work.get("number"),
        jurisdiction=profile.jurisdiction,
        doc_type=values.get("doc_type") or work.get("doc_type", "act"),
        language=language,
        as_of_date=values.get("as_of_date") or work.get("date") or source.hints.get("as_of_date"),
        metadata=metadata,
        warnings=(*reader.warnings, *([f"the file holds only {fragment} of its work"] if fragment else ())),
    )


def shown_text(source: SourceFile, profile: Profile) -> str:
    """Return all text that the file shows, words separated as printed, without elements that a rule skips."""
    shown = source.memo.get(_shown_name(profile))
    if shown is None:
        root = tree_of(source, profile)
        shown = Converter(profile, root, profile.language).shown_text()
    return str(shown)


def _shown_name(profile: Profile) -> str:
    return f"shown as {profile.name}"


def tree_of(source: SourceFile, profile: Profile) -> etree._Element:
    """Return the elements of `source` without namespaces and struck words, raised digits as superscript characters."""
    if profile.container == "xml":
        root = with_characters(local_tree(parse_xml(source)), profile.characters)
        root.set(_ADDRESS, f"{source.url or ''} {source.name}")
        root = with_margins(with_pages(root, profile.pages), profile.margins)
    elif profile.container == "html":
        root = with_lines(parse_html(source), profile.broken)
    else:
        root = json_tree(source, profile)
    _remove_invisible(root, source)
    take_struck(_struck(root, profile), source)
    return with_superscripts(parted(root, profile.parted))


def _remove_invisible(root: etree._Element, source: SourceFile) -> None:
    """Remove the marks of places where a word may or must not be broken, which the printed text does not show."""
    if not any(mark in source.text for mark in _MARKS):
        return
    for element in root.iter(etree.Element):
        element.text = _INVISIBLE.sub("", element.text or "")
        element.tail = _INVISIBLE.sub("", element.tail or "")


def _struck(root: etree._Element, profile: Profile) -> list[etree._Element]:
    """Return the elements with struck words: those that the profile names, else those of HTML."""
    if profile.struck is not None:
        return found(profile.struck, root)
    return struck_in_html(root) if profile.container != "xml" else []


def _work(profile: Profile, values: dict[str, str], source: SourceFile) -> Mapping[str, Any]:
    """Return the id and URI of the work, and what the URI states: number, date, locality, document type. Raises `ParseError`.

    The URI is that of the hint `work_uri`, else the URL of the file, else made from values in the file. A profile with forms of its own
    has neither: the first form counts whose values are in the file or in the hints.
    """
    if profile.work_forms:
        return _formed(profile, {**source.hints, **values})
    uri = source.hints.get("work_uri")
    address = read_work_uri(source.url) if source.url else None
    if not uri and address is not None and address.country == profile.jurisdiction:
        return _facts(address)
    if not uri:
        try:
            uri = _filled(profile.work_uri, values)
        except KeyError as error:
            raise _missing([error.args[0]], profile.work_uri, profile) from error
    work = read_work_uri(str(uri))
    if work is None:
        raise ParseError(
            f"{uri!r} does not name a work", expected="/akn/<country>/…, or a URI that the data of a country knows"
        )
    return _facts(work)


def _facts(work: WorkIdentity) -> Mapping[str, Any]:
    return {name: getattr(work, name) for name in _FACTS}


def _formed(profile: Profile, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the work by the first form whose values are known. Raises `ParseError`, which names what the nearest form lacks."""
    lacks = [sorted(placeholders("".join(form.values())).difference(values)) for form in profile.work_forms]
    lacking, form = min(zip(lacks, profile.work_forms, strict=True), key=lambda row: len(row[0]))
    if lacking:
        raise _missing(lacking, form["uri"], profile)
    number = form["number"].format(**values)
    return {
        "document_id": document_id(form["id"].format(**values)),
        "work_uri": _filled(form["uri"], values),
        "number": number,
        "canonical_citation": number,
        "date": values.get("as_of_date") or values.get("date"),
    }


def placeholders(form: str) -> set[str]:
    """Return the names in braces in `form`."""
    return {name for _, name, _, _ in string.Formatter().parse(form) if name}


def _filled(form: str, values: Mapping[str, Any]) -> str:
    """Return a URI with `values`: unchanged in the URI of a publisher, as slugs in an `/akn/` URI, as in all our URIs."""
    ours = form.startswith("/akn/")
    return form.format(**{name: slug(str(value)) if ours else value for name, value in values.items()})


def _missing(names: Sequence[str], form: str, profile: Profile) -> ParseError:
    """Return the error of a work without the values `names`; it states where else the profile takes them from."""
    if not profile.work_forms:
        elsewhere = ", or `work_uri` in a sidecar file"
    elif any(f"@{_ADDRESS}" in path for name in names for path in _paths(profile.values.get(name))):
        elsewhere = ", in its name, or in `source_url` of a sidecar file"
    else:
        elsewhere = ""
    return ParseError(
        f"the {', '.join(names)} of the work is not in the document", expected=f"what `{form}` needs{elsewhere}"
    )


def _paths(value: Value | None) -> Iterator[str]:
    """Yield the XPath texts of `value` and of those that are read in its place."""
    while value is not None:
        yield from (getattr(path, "path", "") for path in value.at)
        value = value.otherwise
