"""One line of `docs.jsonl`: a document whose content is a tree, in the schema `docs_schema.json`.

A file contains many documents: `split` makes one source file per line, `parse` parses one of them. Not here: locating the file
(`sources`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, Format
from legal_pipeline.building.provision_body import write_body
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError
from legal_pipeline.languages.language import codes
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED, UNKNOWN_COUNTRY, UniqueNames, document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.normalise import one_line

NAME = "docs_jsonl"
VERSION = "3"

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CITATION = re.compile(r"\[(?P<year>\d{4})\]\s*(?P<court>[A-Za-z]{2,8})\s+(?P<number>\d+)")
_BRACKETED = re.compile(r"^\s*[(\[]?(?P<num>[0-9A-Za-z]{1,5})[)\].]")
#: Node types whose number is in brackets in the text.
_IN_BRACKETS = frozenset({"subsection", "paragraph", "item"})
_METADATA = (
    "court",
    "neutral_citation",
    "canonical_citation",
    "date_decided",
    "date_context",
    "judges",
    "parties",
    "case_number",
)


def sniff(source: SourceFile) -> float:
    """Recognise a JSON object with `doc_id` and `content`; a file with several objects, each on its own line, must be split first."""
    head = source.head.lstrip()
    if not head.startswith("{"):
        return NO
    line = head.split("\n", 1)[0]
    if '"doc_id"' in line and '"content"' in head and '"doc_type"' in head:
        return CERTAIN
    is_named = source.name.partition("#")[0].endswith("docs.jsonl")  # then the error names the key that is missing
    if '"doc_id"' in head and ('"content"' in head or is_named):
        return LIKELY
    return NEAR if '"doc_id"' in head else NO


def split(source: SourceFile) -> Iterator[SourceFile]:
    """Yield a source file for each line that is not blank, named `file#doc_id`, with the bytes of that line.

    Raises `ParseError` for a line that is not a JSON object: an invalid line must not look like a shorter file.
    """
    names = UniqueNames()
    for number, line in enumerate(source.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            problem: Exception | None = None
        except (json.JSONDecodeError, RecursionError) as error:
            data, problem = None, error
        if not isinstance(data, dict):
            raise ParseError(
                f"no valid JSON: {problem}" if problem else "not a JSON object",
                document=source.name,
                format=NAME,
                position=f"line {number}",
                expected="one object per line",
            ) from problem
        name = slug(str(data.get("doc_id") or "")) or f"line-{number}"
        yield SourceFile(
            f"{source.name}#{names.take(name)}",
            line.encode("utf-8", "surrogatepass"),
            url=url if isinstance(url := data.get("source_url"), str) and url.isprintable() else source.url,
            fetched_at=source.fetched_at,
            hints=source.hints,
            limits=source.limits,
        )


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    return data_file(__package__, "docs_schema.json")


def parse(source: SourceFile) -> Document:
    """Parse one line. Raises `ParseError` for content that the schema does not allow, `EmptyDocumentError` without text."""
    data = _checked(source)
    builder = DocumentBuilder()
    _Content(builder, source, judgment=data["doc_type"] == "judgment").write(data.get("content"))
    more: Any = data.get("metadata")
    more = more if isinstance(more, dict) else {}
    found = {key: data.get(key, more.get(key)) for key in _METADATA}
    url = data.get("source_url") if isinstance(data.get("source_url"), str) else None
    frbr = read_work_uri(url) if url else None
    country = str(
        data.get("jurisdiction")
        or (frbr.country if frbr else "")
        or source.hints.get("jurisdiction")
        or UNKNOWN_COUNTRY
    ).lower()
    identity, uri = _identity(data, frbr, found, country)
    language = str(data.get("language") or (frbr.language if frbr else "") or UNDETERMINED)
    if not builder.position:
        raise EmptyDocumentError("`content` has no text", position="content", expected="text")
    stated = _date(data.get("version_effective_date")) or (frbr.date if frbr else None) or _date(found["date_decided"])
    return builder.document(
        source,
        document_id=identity,
        title=one_line(data["title"]),
        jurisdiction=country,
        doc_type=data["doc_type"],
        language=codes().get(language, language),
        number=found["neutral_citation"] or (frbr.number if frbr else None),
        work_uri=uri,
        as_of_date=stated or source.hints.get("as_of_date"),
        metadata={**found, "doc_id": data["doc_id"]},
    )


def _checked(source: SourceFile) -> dict[str, Any]:
    """Return the object in the only line of `source`, with a name, a title and a known type."""
    if sum(1 for line in source.text.split("\n") if line.strip().startswith("{")) > 1 and is_lines(source):
        raise ParseError("several documents in one file", expected="one line, as `split` gives them")
    data = parse_json(source)
    if not isinstance(data, dict):
        raise ParseError("not a JSON object", expected="an object with doc_id and content")
    for key in ("doc_id", "doc_type", "title"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise ParseError(f"`{key}` is missing", position=key, expected="a string")
    types = schema()["properties"]["doc_type"]["enum"]
    if data["doc_type"] not in types:
        raise ParseError(f"doc_type {data['doc_type']!r}", position="doc_type", expected=", ".join(types))
    return data


def is_lines(source: SourceFile) -> bool:
    """Whether the first line is a complete JSON object: such a file is for `split`, even with only one line."""
    first = source.text.lstrip().split("\n", 1)[0]
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _date(value: Any) -> str | None:
    return value if isinstance(value, str) and _ISO_DATE.fullmatch(value) else None


def _identity(
    data: dict[str, Any], frbr: WorkIdentity | None, found: dict[str, Any], country: str
) -> tuple[str, str | None]:
    if frbr is not None:
        return frbr.document_id, frbr.work_uri
    citation = _CITATION.search(str(found.get("neutral_citation") or found.get("canonical_citation") or ""))
    if data["doc_type"] == "judgment" and citation:
        work = WorkIdentity(
            country, None, "judgment", (citation["court"].lower(), citation["year"], citation["number"])
        )
        return work.document_id, work.work_uri
    return document_id(country, data["doc_type"], data["doc_id"]), None


class _Content:
    """Write a content tree; every error contains the place in the tree."""

    def __init__(self, builder: DocumentBuilder, source: SourceFile, *, judgment: bool) -> None:
        self._builder = builder
        self._source = source
        self._judgment = judgment
        self._eids = UniqueNames()
        self._types = frozenset(schema()["$defs"]["node"]["anyOf"][1]["properties"]["type"]["enum"])

    def write(self, content: Any) -> None:
        if isinstance(content, str):
            self._text(content)
        elif isinstance(content, list):
            self._all(content, "content", 1)
        elif isinstance(content, dict) and "body" in content:
            if headnote := content.get("headnote"):
                with self._builder.node("headnote"):
                    self._all(headnote if isinstance(headnote, list) else [headnote], "content.headnote", 1)
            if not isinstance(content["body"], list):
                raise self._error("`body` is not a list", "content.body")
            self._all(content["body"], "content.body", 1)
        elif isinstance(content, dict):
            self._node(content, "content", 1)
        else:
            raise self._error("no content", "content")

    def _error(self, message: str, where: str) -> ParseError:
        return ParseError(message, position=where, expected="docs_schema.json")

    def _node(self, item: Any, where: str, depth: int) -> None:
        if depth > self._source.limits.max_depth:
            raise LimitExceededError(
                "content nested too deeply",
                position=where[:80],
                expected=f"at most {self._source.limits.max_depth} levels",
            )
        if isinstance(item, str):
            self._text(item)
            return
        if not isinstance(item, dict) or item.get("type") not in self._types:
            kind = item.get("type") if isinstance(item, dict) else type(item).__name__
            raise self._error(f"a node of type {kind!r}", where)
        kind, text = item["type"], item.get("text") or ""
        num = None if item.get("num") is None else one_line(str(item["num"])).strip("()[].") or None
        heading = one_line(str(item["heading"])) if item.get("heading") else None
        children = item.get("children") or []
        if not isinstance(text, str) or not isinstance(children, list):
            raise self._error("`text` must be a string and `children` a list", where)
        if kind == "table":
            self._table(item, text, where)
        elif kind == "heading":
            if line := one_line(text or heading or ""):
                self._builder.heading(line)
        elif kind == "text":
            self._text(text)
            self._all(children, f"{where}.children", depth + 1)
        else:
            around = (node.type for node in self._builder.open_nodes)
            if kind == "paragraph" and self._judgment and num and "numbered_paragraph" not in around:
                kind = "numbered_paragraph"
            eid = self._eids.take(str(item["eid"])) if item.get("eid") else None
            with self._builder.node(kind, num, heading, eid=eid):
                written = self._head(kind, num, heading, text)
                if kind in ("section", "article") and not children:
                    write_body(
                        self._builder, [one_line(part) for part in text.split("\n") if part.strip()], inline=True
                    )
                elif written:
                    self._builder.add(one_line(text), separator=" ")
                else:
                    self._text(text)
                self._all(children, f"{where}.children", depth + 1)

    def _head(self, kind: str, num: str | None, heading: str | None, text: str) -> bool:
        """Write number and heading; return True if the text follows on the line of the number."""
        if heading:
            if num and kind in ("section", "article"):
                heading = f"{num}. {heading}"
            elif num:
                heading = f"{num} {heading}" if kind in _IN_BRACKETS else f"{kind.capitalize()} {num} – {heading}"
            self._builder.heading(heading)
            return False
        shown = _BRACKETED.match(text)
        if num is None or (shown is not None and shown["num"] == num):
            return False
        label = f"[{num}]" if kind == "numbered_paragraph" else f"({num})" if kind in _IN_BRACKETS else f"{num}."
        if kind in ("part", "chapter", "division", "subpart", "schedule"):
            self._builder.heading(f"{kind.capitalize()} {num}")
            return False
        self._builder.add(label)
        return bool(one_line(text))

    def _all(self, items: list[Any], where: str, depth: int) -> None:
        for index, item in enumerate(items):
            self._node(item, f"{where}[{index}]", depth)

    def _text(self, text: str) -> None:
        for block in re.split(r"\n\s*\n", text):
            if line := one_line(block):
                self._builder.add(line)

    def _table(self, item: dict[str, Any], text: str, where: str) -> None:
        rows = item.get("rows") or []
        if not all(isinstance(row, list) for row in rows):
            raise self._error("`rows` must be lists of cells", where)
        lines = [one_line(" | ".join(map(str, row))) for row in rows] or [one_line(text)]
        if any(line.strip(" |") for line in lines):
            self._builder.block("\n".join(lines), "table")


FORMAT = Format(NAME, "one document of docs.jsonl (content tree)", sniff, parse, VERSION)
