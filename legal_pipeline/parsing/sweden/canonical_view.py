"""A Swedish document in the shape that seed 000 names: `chapters -> paragrafer -> stycken`, roles, `amendedBy`, `transitionProvisions`.

A view for readers of that shape; nothing in this package reads it back. Not here: the model itself (`model.document`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.model.document import TEXT_ROLE, Document, Node

SCHEMA_VERSION = "1.0"

LIST_ITEM, TABLE, HEADING = "LIST_ITEM", "TABLE", "HEADING"
TRANSITION_PROVISION = "TRANSITION_PROVISION"

_TYPES = {"agency_regulation": "AGENCY_REGULATION", "amendment": "SFS_AMENDMENT"}
#: Nodes that are read through: what stands in them belongs to the chapter, or the document, around them.
_TRANSPARENT = ("division", "part", "subchapter")


def canonical_view(document: Document) -> dict[str, Any]:
    """JSON values: `{schemaVersion, documentType, title, documentNumber, divisions, chapters, preamble, transitionProvisions,
    appendices, metadata}`.

    A document without chapters has one chapter whose number and title are None. `heading` of a paragraf is the group heading right
    above it, and the first line of its `content`; amendment marks are in `amendedBy`, never in a text. Parts that a document
    does not have are None, as in the seed's own files. Texts are spans of `document.text`.
    """
    view = _View(document)
    view.read(list(document.nodes))
    chapters = view.chapters or [{"number": None, "title": None, "paragrafer": []}]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "documentType": _TYPES.get(document.doc_type, "SFS_LAW"),
        "title": document.title,
        "documentNumber": document.number,
        "divisions": view.divisions or None,
        "chapters": chapters,
        "preamble": view.preamble,
        "transitionProvisions": view.transitional or None,
        "appendices": view.appendices or None,
        "metadata": {
            "sfsNumber": document.number,
            "baseLawSfs": document.metadata.get("base_law"),
            "effectiveDate": document.metadata.get("in_force"),
        },
    }


class _View:
    """Walks the top of the tree once; everything below a paragraf is made by `_stycken`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.divisions: list[dict[str, Any]] = []
        self.chapters: list[dict[str, Any]] = []
        self.transitional: list[dict[str, Any]] = []
        self.appendices: list[dict[str, Any]] = []
        self.preamble: dict[str, Any] | None = None
        self._headings: list[str] = []

    def read(self, nodes: list[Node]) -> None:
        for node in nodes:
            if node.type == "chapter":
                self._headings.clear()
                self.chapters.append({"number": node.num, "title": node.heading, "paragrafer": []})
                self.read(_without_own_heading(node))
                self._headings.clear()
            elif node.type in _TRANSPARENT:
                first = len(self.chapters)
                self.read(_without_own_heading(node))
                self.divisions.append(
                    {
                        "number": node.num,
                        "title": node.heading,
                        "chapters": [c["number"] for c in self.chapters[first:]],
                    }
                )
            elif node.type in ("section", "article"):
                self._open_chapter()["paragrafer"].append(self._paragraf(node))
            elif node.type == "heading":
                self._headings.append(self.document.text_of(node))
            elif node.type == "preamble":
                stycken = _stycken(self.document, node)
                self.preamble = {"content": _content(stycken), "stycken": stycken}
            elif node.type == "transitional":
                self._transitional(node, node.num)
            elif node.type == "schedule":
                stycken = _stycken(self.document, node)
                self.appendices.append(
                    {"number": node.num, "title": node.heading, "content": _content(stycken), "stycken": stycken}
                )

    def _open_chapter(self) -> dict[str, Any]:
        if not self.chapters:
            self.chapters.append({"number": None, "title": None, "paragrafer": []})
        return self.chapters[-1]

    def _paragraf(self, node: Node) -> dict[str, Any]:
        heading = "\n".join(self._headings) or node.heading
        self._headings.clear()
        stycken = _stycken(self.document, node)
        out: dict[str, Any] = {
            "number": node.num,
            "heading": heading,
            "content": _content(stycken, heading),
            "amendedBy": node.amendments[-1].by if node.amendments else None,
            "stycken": stycken,
        }
        for key, value in (("validFrom", node.valid_from), ("validTo", node.valid_to)):
            if value is not None:
                out[key] = value
        if node.status != "in_force":
            out["status"] = node.status
        return out

    def _transitional(self, node: Node, act: str | None) -> None:
        for child in node.children:
            if child.type == "transitional":
                self._transitional(child, child.num)
            elif child.type not in ("heading", "remark", "signature"):
                text = self.document.text_of(child).replace("\n\n", "\n")
                self.transitional.append({"number": act, "text": text, "role": TRANSITION_PROVISION})


def _without_own_heading(node: Node) -> list[Node]:
    """Children of a chapter or division without the heading line that its `title` already holds."""
    children = node.children
    return children[1:] if children and children[0].type == "heading" else children


def _stycken(document: Document, node: Node) -> list[dict[str, Any]]:
    """Stycken and list items of a node in reading order, items numbered within their list."""
    out: list[dict[str, Any]] = []
    count = 0
    for child in node.children:
        if child.type in ("remark", "footnote", "signature"):
            continue
        if child.type == "heading":
            out.append({"number": None, "text": document.text_of(child), "role": HEADING})
        elif child.type == "table":
            out.append({"number": None, "text": document.text_of(child), "role": TABLE})
        elif child.type == "item":
            out.extend(_items(document, [child], start=sum(1 for entry in out if entry["role"] == LIST_ITEM)))
        elif child.type in ("section", "article", "chapter", "division"):
            out.extend(_stycken(document, child))
        else:
            count += 1
            role = child.role if child.role not in (None, TRANSITION_PROVISION) else TEXT_ROLE
            out.append({"number": count, "text": _own_text(document, child), "role": role})
            out.extend(_inner(document, child))
    return [entry for entry in out if entry["text"]]


def _inner(document: Document, node: Node) -> list[dict[str, Any]]:
    """What stands inside a stycke or an item: lists, tables, further paragraphs."""
    out = _items(document, [child for child in node.children if child.type == "item"])
    out.extend(
        {"number": None, "text": document.text_of(child), "role": TABLE if child.type == "table" else TEXT_ROLE}
        for child in node.children
        if child.type in ("table", "paragraph")
    )
    return out


def _items(document: Document, items: list[Node], start: int = 0) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for number, item in enumerate(items, start=start + 1):
        out.append({"number": number, "text": _own_text(document, item), "role": LIST_ITEM})
        out.extend(_inner(document, item))
    return out


def _own_text(document: Document, node: Node) -> str:
    """The text of a node up to the first node inside it."""
    end = min((child.start for child in node.children), default=node.end)
    return document.text[node.start : end].rstrip()


def _content(stycken: list[dict[str, Any]], heading: str | None = None) -> str:
    return "\n".join([*([heading] if heading else []), *(entry["text"] for entry in stycken)])
