"""Documents built by hand node by node, and an encoder that needs no model. Not here: Swedish statutes (the conftest writes those)."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.model.document import Document, Node, check_tree
from legal_pipeline.model.identity import assign_eids


@dataclasses.dataclass
class Part:
    """A node to be: its own text, then its children, each in a block of its own."""

    type: str
    text: str = ""
    num: str | None = None
    heading: str | None = None
    children: Sequence[Part] = ()
    attributes: dict[str, Any] = dataclasses.field(default_factory=dict)


def document(*parts: Part | str, **fields: Any) -> Document:
    """A document of these parts; a bare string is text that no node holds."""
    text = ""

    def add(piece: str) -> tuple[int, int]:
        nonlocal text
        text += ("\n\n" if text else "") + piece
        return len(text) - len(piece), len(text)

    def node(part: Part) -> Node:
        start = add(part.text)[0] if part.text else len(text) + (2 if text else 0)
        children = [node(child) for child in part.children]
        return Node(
            part.type, start, len(text), part.num, part.heading, attributes=dict(part.attributes), children=children
        )

    nodes = []
    for part in parts:
        if isinstance(part, str):
            add(part)
        else:
            nodes.append(node(part))
    assign_eids(nodes)
    values: dict[str, Any] = {
        "document_id": "zw-act-2099-4", "title": "Lighthouses Act", "jurisdiction": "zw", "doc_type": "act", "language": "eng",
        "format": "test", "parser_version": "1", "number": "Act 4 of 2099",
    }  # fmt: skip
    made = Document(text=text, nodes=tuple(nodes), **{**values, **fields})
    check_tree(made)
    return made


class HashEncoder:
    """Vectors made of each text's hash and its first word: equal for equal texts on every machine; counts what it was asked."""

    name = "hash"

    def __init__(self, language: str = "") -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        vectors = np.empty((len(texts), 32), dtype=np.float32)
        for row, text in enumerate(texts):
            digest = hashlib.sha256(text.encode()).digest()
            vectors[row] = np.frombuffer(digest, dtype=np.uint8).astype(np.float32) - 96.0
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
