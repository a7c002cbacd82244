"""Builds a canonical text and its node tree together, so that every span is correct by construction.

Parsers open and close nodes and add blocks of text; they never compute offsets. Not here: the meaning of a block (the parser's task).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.model.document import Amendment, Document, Node
from legal_pipeline.model.identity import assign_eids

BLOCK_SEPARATOR = "\n\n"
#: With more struck words than this share of the text the source perhaps does not mark their end.
_STRUCK_SHARE = 1 / 3


class DocumentBuilder:
    """Blocks are separated by one blank line; table rows are lines of one block.

    >>> builder = DocumentBuilder()
    >>> with builder.node("section", num="1") as section:
    ...     _ = builder.block("1 § Lagen gäller.", "subsection", num="1", skip=4)
    >>> builder.text, (section.start, section.end)
    ('1 § Lagen gäller.', (0, 17))
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.offset_map: list[tuple[int, int]] = []
        self._parts: list[str] = []
        self._length = 0
        self._open: list[Node] = []
        self._children = self.nodes

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def position(self) -> int:
        """Return the end of the text so far."""
        return self._length

    @property
    def depth(self) -> int:
        return len(self._open)

    @property
    def current(self) -> Node | None:
        """Return the innermost open node."""
        return self._open[-1] if self._open else None

    @property
    def open_nodes(self) -> list[Node]:
        """Return the open nodes from the outermost inwards; must not be changed."""
        return self._open

    def open(self, type: str, num: str | None = None, heading: str | None = None, **fields: Any) -> Node:
        """Open a node; its span begins with the next text added."""
        node = Node(type, -1, -1, num, heading, **fields)
        self._children.append(node)
        self._open.append(node)
        self._children = node.children
        return node

    def close(self) -> Node:
        """Close the innermost open node; a node without text is an empty span at the present end."""
        node = self._open.pop()
        if node.start < 0:
            node.start = self._length
        node.end = max(self._length, node.start)
        self._children = self._open[-1].children if self._open else self.nodes
        return node

    def close_to(self, depth: int) -> None:
        while len(self._open) > depth:
            self.close()

    def close_through(self, *types: str) -> None:
        """Close open nodes up to and including the outermost node of these types, if any is open."""
        for index, node in enumerate(self._open):
            if node.type in types:
                self.close_to(index)
                return

    @contextmanager
    def node(self, type: str, num: str | None = None, heading: str | None = None, **fields: Any) -> Iterator[Node]:
        node = self.open(type, num, heading, **fields)
        depth = len(self._open)
        yield node
        self.close_to(depth - 1)

    def add(
        self, text: str, *, separator: str = BLOCK_SEPARATOR, offsets: list[tuple[int, int]] | None = None
    ) -> tuple[int, int]:
        """Add `text`, in which white space and signs are already normalised, and return its span. Empty text adds nothing.

        `offsets`: pairs (offset in `text`, offset in the text as it was read from the file) for `Document.offset_map`.
        """
        if not text:
            return self._length, self._length
        if self._length:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        for node in reversed(self._open):
            if node.start >= 0:
                break
            node.start = start
            # Nodes that were closed without text before the first text begin where that text begins.
            for child in node.children:
                for empty in child.walk():
                    if empty.end >= 0:
                        empty.start = empty.end = start
        if offsets:
            self.offset_map.extend((start + offset, raw) for offset, raw in offsets)
        return start, self._length

    def leaf(
        self, type: str, start: int, end: int, num: str | None = None, heading: str | None = None, **fields: Any
    ) -> Node:
        """Add a child of the open node over text that was already added."""
        node = Node(type, start, end, num, heading, **fields)
        self._children.append(node)
        return node

    def block(
        self,
        text: str,
        type: str,
        num: str | None = None,
        *,
        skip: int = 0,
        offsets: list[tuple[int, int]] | None = None,
        **fields: Any,
    ) -> Node:
        """Add a block and a leaf over it; the leaf begins after `skip` characters (a number), which belong to the parent alone."""
        start, end = self.add(text, offsets=offsets)
        return self.leaf(type, start + skip, end, num, **fields)

    def heading(self, text: str, *, offsets: list[tuple[int, int]] | None = None, **fields: Any) -> Node:
        """Add a heading block: a `heading` leaf whose text is `text`."""
        return self.block(text, "heading", offsets=offsets, **fields)

    def remark(self, start: int, end: int, amendments: tuple[Amendment, ...] = ()) -> Node:
        """Add an editorial mark (an amendment mark) over text that was already added."""
        return self.leaf("remark", start, end, amendments=amendments)

    def document(
        self,
        source: SourceFile,
        *,
        document_id: str,
        title: str,
        jurisdiction: str,
        doc_type: str,
        language: str,
        format: str = "",
        parser_version: str = "",
        metadata: dict[str, Any] | None = None,
        warnings: Sequence[str] = (),
        requires_manual_review: bool = False,
        **fields: Any,
    ) -> Document:
        """Close all nodes, assign eids and return the document with the metadata of `source`.

        Metadata that is None is left out. Struck-out words that the reader noted in `source` are in `metadata["struck"]`; a document with
        more than a third of such words requires manual review. Raises `EmptyDocumentError` if no text was added.
        """
        self.close_to(0)
        if not self._length:
            raise EmptyDocumentError("no text was found in the document", expected="at least one block of text")
        assign_eids(self.nodes)
        fields.setdefault("as_of_date", source.hints.get("as_of_date"))
        text = self.text
        struck = list(source.memo.get(STRUCK_WORDS, ()))
        if struck:
            number = sum(len(item.split()) for item in struck)
            warnings = (
                *warnings,
                f"{number:,} words that the source shows struck out are left out: {struck[0][:60]!r}, …",
            )
            requires_manual_review = requires_manual_review or number > _STRUCK_SHARE * len(text.split())
        return Document(
            document_id=document_id,
            text=text,
            nodes=tuple(self.nodes),
            title=title,
            jurisdiction=jurisdiction,
            doc_type=doc_type,
            language=language,
            format=format,
            parser_version=parser_version,
            source_file=source.name,
            source_url=source.url or source.hints.get("source_url") or (metadata or {}).get("source_url"),
            source_sha256=source.sha256,
            fetched_at=source.fetched_at,
            metadata={
                key: value for key, value in {**(metadata or {}), "struck": struck or None}.items() if value is not None
            },
            offset_map=tuple(self.offset_map),
            warnings=tuple(warnings),
            requires_manual_review=requires_manual_review,
            **fields,
        )
