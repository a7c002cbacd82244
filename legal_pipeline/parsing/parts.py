"""Join the documents of one work that was published in several files.

Not here: finding the source items of a work (the registry), parsing a part (its format).
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence

from legal_pipeline.building.builder import BLOCK_SEPARATOR
from legal_pipeline.errors import DocumentError, TruncatedDocumentError
from legal_pipeline.model.document import Document, Node, check_tree
from legal_pipeline.model.identity import sha256_hex

#: Fields that are the same in all parts of one expression of one work.
_COMMON = ("document_id", "work_uri", "number", "title", "jurisdiction", "doc_type", "language", "as_of_date")


def join_parts(documents: Sequence[Document]) -> Document:
    """Return the parts, given in any order, as one document with the spans and eids of the whole.

    The metadata of each part states its place (`part`, `parts`). If a number occurs in two parts, both nodes are kept, the later with a
    suffix. The result has no offset map, because its raw text is not a single file. Raises `TruncatedDocumentError`, which names the
    missing parts, and `DocumentError` for parts of different works or a duplicate part.
    """
    if not documents:
        raise DocumentError("no parts to join")
    numbered = sorted(((_part(document), document) for document in documents), key=lambda pair: pair[0])
    first = numbered[0][1]
    total = max(int(document.metadata["parts"]) for _, document in numbered)
    _check(first, numbered, total)
    pieces: list[str] = []
    nodes: list[Node] = []
    taken: set[str] = set()
    length = 0
    for _, document in numbered:
        shift = length + (len(BLOCK_SEPARATOR) if pieces else 0)
        for node in copy.deepcopy(document.nodes):
            for each in node.walk():
                each.start += shift
                each.end += shift
            _rename(node, taken)
            nodes.append(node)
        pieces.append(document.text)
        length = shift + len(document.text)
    metadata = {key: value for key, value in first.metadata.items() if key not in ("part", "range")}
    ranges = [document.metadata["range"] for _, document in numbered if document.metadata.get("range")]
    if len(ranges) == total:
        metadata["range"] = [ranges[0][0], ranges[-1][1]]
    metadata["part_files"] = [document.source_file for _, document in numbered]
    joined = dataclasses.replace(
        first,
        text=BLOCK_SEPARATOR.join(pieces),
        nodes=tuple(nodes),
        source_sha256=sha256_hex("\n".join(document.source_sha256 for _, document in numbered)),
        fetched_at=max((document.fetched_at for _, document in numbered if document.fetched_at), default=None),
        requires_manual_review=any(document.requires_manual_review for _, document in numbered),
        metadata=metadata,
        warnings=tuple(warning for _, document in numbered for warning in document.warnings),
        offset_map=(),
    )
    check_tree(joined)
    return joined


def _part(document: Document) -> int:
    part, parts = document.metadata.get("part"), document.metadata.get("parts")
    if not isinstance(part, int) or not isinstance(parts, int) or not 1 <= part <= parts:
        raise DocumentError(
            "the file does not state which part of the work it is (expected: the metadata `part` and `parts`, such as 1 and 3; "
            f"it has {part!r} and {parts!r})",
            document=document.document_id,
            position=document.source_file,
        )
    return part


def _check(first: Document, numbered: Sequence[tuple[int, Document]], total: int) -> None:
    for _, document in numbered:
        for name in _COMMON:
            if getattr(document, name) != getattr(first, name):
                raise DocumentError(
                    f"{name} {getattr(document, name)!r} is not {getattr(first, name)!r}: parts of different works or expressions",
                    document=document.document_id,
                    position=document.source_file,
                )
    present = [part for part, _ in numbered]
    twice = sorted({part for part in present if present.count(part) > 1})
    if twice:
        files = sorted(document.source_file for part, document in numbered if part == twice[0])
        raise DocumentError(
            f"duplicate part {twice[0]} of {total}: {', '.join(files)}; remove one, or correct its `part`",
            document=first.document_id,
        )
    missing = [str(part) for part in range(1, total + 1) if part not in present]
    if missing:
        raise TruncatedDocumentError(
            f"part {', '.join(missing)} of {total} is missing",
            document=first.document_id,
            position=f"parts {', '.join(map(str, present))} are there",
            expected=f"all {total} parts",
        )


def _rename(node: Node, taken: set[str]) -> None:
    """Add a suffix to an eid that an earlier part has, and use the new prefix for all eids below it."""
    if node.eid is None:
        for child in node.children:
            _rename(child, taken)
        return
    old, new, repeat = node.eid, node.eid, 1
    while new in taken:
        repeat += 1
        new = f"{old}-{repeat}"
    for each in node.walk():
        if each.eid is not None and (each is node or each.eid.startswith(old)):
            each.eid = new + each.eid[len(old) :]
            taken.add(each.eid)
