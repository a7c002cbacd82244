"""Changes of the law as an Atom feed (RFC 4287). Not here: finding them (`reading.changes`)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from legal_pipeline.reading.answers import LawChange, LawChanges
from legal_pipeline.text.markup import with_xml_characters

MEDIA_TYPE = "application/atom+xml"

_ATOM = "http://www.w3.org/2005/Atom"
_WORDS = {"added": "new in the index", "removed": "removed by its source"}


def atom(changes: LawChanges, *, address: str) -> bytes:
    """Return the feed of one page of changes; `address` is the address of the request. Document text is included as text, not markup."""
    feed = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})  # type: ignore[dict-item]
    latest = max((change.seen_on for change in changes.changes), default=changes.since)
    _add(feed, "id", address)
    _add(feed, "title", "Changes of the law")
    _add(feed, "updated", _time(latest))
    _link(feed, address, "self")
    for change in changes.changes:
        entry = etree.SubElement(feed, f"{{{_ATOM}}}entry")
        for name, text in _entry(change):
            _add(entry, name, text)
        author = etree.SubElement(entry, f"{{{_ATOM}}}author")
        _add(author, "name", change.jurisdiction or "unknown")
        if change.source_url:
            _link(entry, change.source_url, "alternate")
    return bytes(etree.tostring(feed, xml_declaration=True, encoding="utf-8"))


def _entry(change: LawChange) -> Iterator[tuple[str, str]]:
    text = change.expression or change.kind if change.correction is None else f"correction-{change.correction}"
    yield "id", f"urn:legal-pipeline:change:{change.document_id}:{text}:{change.seen_on}"
    words = _words(change)
    yield "title", f"{change.title or change.document_id}: {words}"
    yield "updated", _time(change.seen_on)
    holds = f"In force from {change.holds_from}. " if change.holds_from else ""
    yield "summary", f"{holds}{words}"
    if change.licence:
        yield "rights", change.licence


def _words(change: LawChange) -> str:
    if change.kind == "corrected":
        return f"text corrected: {change.summary}" if change.summary else "text corrected"
    return change.summary or _WORDS.get(change.kind, change.kind)


def _add(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{_ATOM}}}{name}").text = with_xml_characters(text)


def _link(parent: etree._Element, address: str, relation: str) -> None:
    etree.SubElement(parent, f"{{{_ATOM}}}link", href=with_xml_characters(address), rel=relation)


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"
