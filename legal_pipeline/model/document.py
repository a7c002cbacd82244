"""The canonical model: one text, and a tree of nodes that are spans of it.

No node copies text; data derived later (a chunk, a citation, a diff) is again a span of `Document.text`.
Not here: building the tree from bytes (`building.builder`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.errors import DocumentError

MODEL_VERSION = 1

#: The content role of running text in every country: filters use this name.
TEXT_ROLE = "STYCKE"

#: Node types after Akoma Ntoso. `subsection` is also an unnumbered paragraph of a section, `item` every entry of a list.
STRUCTURE = ("division", "part", "chapter", "subchapter", "title", "book", "subpart")
PROVISIONS = ("section", "article", "recital", "numbered_paragraph")
#: Values of `status` of what was law: the node remains, its text is in no chunk.
GONE = frozenset({"repealed", "omitted"})
NODE_TYPES = frozenset(
    STRUCTURE
    + PROVISIONS
    + (
        # inside a provision
        "subsection", "paragraph", "proviso", "explanation", "illustration", "definition", "item", "table", "quotation",
        # beside the provisions
        "preamble", "transitional", "schedule", "heading", "longtitle", "toc",
        # judgments
        "header", "headnote", "background", "arguments", "issue", "motivation", "decision", "dissent", "signature",
        # layout and editorial matter
        "page", "running_header", "running_footer", "page_number", "footnote", "remark",
        # tagged notes and text without structure
        "block",
    )
)  # fmt: skip


@dataclass(slots=True, frozen=True)
class Amendment:
    """One change of a provision: by which act, when (ISO date), and which action (amended, inserted, substituted, omitted, repealed)."""

    by: str
    date: str | None = None
    action: str | None = None


@dataclass(slots=True)
class Node:
    """A span of the canonical text with a legal meaning; `start` and `end` are character offsets.

    `num` is the number as cited (`2 a`, `12A`, `iv`), without its sign or brackets. `status` is the status in the source: in_force,
    repealed, omitted or not_yet_in_force; whether a node is in force *today* is derived from it and the dates. `valid_from` and `valid_to`
    are ISO dates or, if the law names no date, the condition in its words. The class has slots and is not frozen: a large Act has 50,000
    nodes and freezing triples the time to make them; a node is not changed after its parser has returned.
    """

    type: str
    start: int
    end: int
    num: str | None = None
    heading: str | None = None
    eid: str | None = None
    status: str = "in_force"
    valid_from: str | None = None
    valid_to: str | None = None
    role: str | None = None
    amendments: tuple[Amendment, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.children:
                stack.extend(reversed(node.children))

    def to_json(self) -> dict[str, Any]:
        """Return the fields that have a value; `children` last."""
        out: dict[str, Any] = {"type": self.type}
        for name in ("num", "heading", "eid"):
            if (value := getattr(self, name)) is not None:
                out[name] = value
        out["start"], out["end"] = self.start, self.end
        if self.status != "in_force":
            out["status"] = self.status
        for name in ("valid_from", "valid_to", "role"):
            if (value := getattr(self, name)) is not None:
                out[name] = value
        if self.amendments:
            out["amendments"] = [
                {k: v for k, v in dataclasses.asdict(amendment).items() if v is not None}
                for amendment in self.amendments
            ]
        if self.attributes:
            out["attributes"] = self.attributes
        if self.children:
            out["children"] = [child.to_json() for child in self.children]
        return out

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Node:
        return cls(
            **{
                **data,
                "amendments": tuple(Amendment(**amendment) for amendment in data.get("amendments", ())),
                "children": [cls.from_json(child) for child in data.get("children", ())],
            }
        )


@dataclass(slots=True, frozen=True)
class Document:
    """An expression of a work: canonical text, node tree and the source's metadata.

    `offset_map` has pairs (canonical offset, raw offset) in ascending order if the parser recorded them: between two pairs both texts are
    parallel. Missing metadata stays missing, it is never guessed.
    """

    document_id: str
    text: str
    nodes: tuple[Node, ...]
    title: str
    jurisdiction: str
    doc_type: str
    language: str
    format: str
    parser_version: str
    number: str | None = None
    work_uri: str | None = None
    as_of_date: str | None = None
    source_file: str = ""
    source_url: str | None = None
    source_sha256: str = ""
    fetched_at: str | None = None
    requires_manual_review: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    offset_map: tuple[tuple[int, int], ...] = ()

    def text_of(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def walk(self) -> Iterator[Node]:
        """Yield all nodes in document order."""
        for node in self.nodes:
            yield from node.walk()

    def walk_with_ancestors(self) -> Iterator[tuple[Node, tuple[Node, ...]]]:
        """Yield all nodes in document order, each with its ancestors from the outermost inwards."""
        stack: list[tuple[Node, tuple[Node, ...]]] = [(node, ()) for node in reversed(self.nodes)]
        while stack:
            node, ancestors = stack.pop()
            yield node, ancestors
            if node.children:
                below = (*ancestors, node)
                stack.extend((child, below) for child in reversed(node.children))

    def provisions(self) -> Iterator[Node]:
        """Yield the nodes that are cited by themselves (§, section, article, numbered judgment paragraph), also repealed ones."""
        return (node for node in self.walk() if node.type in PROVISIONS)

    def raw_offset(self, offset: int) -> int | None:
        """Return the raw offset of canonical `offset`, or None without a map."""
        import bisect

        if not self.offset_map:
            return None
        index = bisect.bisect_right(self.offset_map, (offset, 1 << 62)) - 1
        canonical, raw = self.offset_map[max(index, 0)]
        return raw + (offset - canonical)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"model_version": MODEL_VERSION}
        for item in dataclasses.fields(self):
            if item.name in ("text", "nodes"):
                continue
            value = getattr(self, item.name)
            out[item.name] = list(value) if isinstance(value, tuple) else value
        out["text"] = self.text
        out["nodes"] = [node.to_json() for node in self.nodes]
        return out

    def dumps(self) -> str:
        """Return the canonical JSON: equal documents give equal bytes."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Document:
        if data.get("model_version") != MODEL_VERSION:
            raise DocumentError(
                f"the stored text has the model version {data.get('model_version')!r}, expected {MODEL_VERSION}: "
                "call `legal-pipeline reconcile --repair`, which parses the source again",
                document=str(data.get("document_id", "")),
            )
        values = {item.name: data[item.name] for item in dataclasses.fields(cls) if item.name in data}
        values["nodes"] = tuple(Node.from_json(node) for node in data["nodes"])
        values["warnings"] = tuple(data.get("warnings", ()))
        values["offset_map"] = tuple((a, b) for a, b in data.get("offset_map", ()))
        return cls(**values)

    @classmethod
    def loads(cls, text: str | bytes) -> Document:
        return cls.from_json(json.loads(text))


def check_tree(document: Document) -> None:
    """Raise `DocumentError` unless every span nests in its parent's, siblings do not overlap and eids are unique."""
    seen: set[str] = set()

    def check(nodes: tuple[Node, ...] | list[Node], low: int, high: int, where: str) -> None:
        position = low
        for node in nodes:
            name = node.eid or f"{where}/{node.type} {node.num or ''}".rstrip()
            if node.type not in NODE_TYPES:
                raise DocumentError(
                    f"node type {node.type!r} is not in the vocabulary", document=document.document_id, position=name
                )
            if not (position <= node.start <= node.end <= high):
                raise DocumentError(
                    f"span {node.start}..{node.end} of {node.type} is not within {position}..{high}",
                    document=document.document_id,
                    position=name,
                )
            if node.eid is not None:
                if node.eid in seen:
                    raise DocumentError(f"eid {node.eid!r} occurs twice", document=document.document_id, position=name)
                seen.add(node.eid)
            check(node.children, node.start, node.end, name)
            position = node.end

    check(document.nodes, 0, len(document.text), "")
