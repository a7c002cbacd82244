"""Contextual headers: the deterministic breadcrumb that stands before a chunk when it is embedded (seed 000).

Not here: the context prefix, which a language model may write (`enrichment`).
"""

from __future__ import annotations

import functools

from legal_pipeline.model.document import Document, Node

SEPARATOR = " > "


@functools.lru_cache(maxsize=256)
def _title(title: str, number: str | None, doc_type: str) -> str:
    if not number:
        return title
    plain = title
    for mention in (f"({number})", f"({number.split()[-1]})"):
        plain = plain.replace(f" {mention}", "").replace(mention, "")
    plain = plain.strip()
    if plain.startswith(number):
        plain = plain[len(number) :].strip(" –-:")
    if doc_type == "agency_regulation":
        return f"{number} {plain}".strip()
    return f"{plain} ({number})"


def document_header(document: Document) -> str:
    """`Arbetsmiljölag (1977:1160)`; an agency regulation is known by its number first: `AFS 2023:1 Arbetsplatsens utformning`."""
    return _title(document.title, document.number, document.doc_type)


def _paragraf_ancestor(node: Node) -> str | None:
    """`Avd I: Rubrik`, `Kap 2: Rubrik`; None for nodes that the breadcrumb leaves out."""
    label = {"division": "Avd", "chapter": "Kap"}.get(node.type)
    if label is None:
        return None
    name = f"{label} {node.num}" if node.num else label
    return f"{name}: {node.heading}" if node.heading else name


def paragraf_header(document: Document, ancestors: tuple[Node, ...], suffix: str | None) -> str:
    """What the strategy `paragraf` puts before a chunk, in the words of seed 000:
    `Arbetsmiljölag (1977:1160) > Kap 2: Arbetsmiljöns beskaffenhet > 3 §`."""
    middle = (_paragraf_ancestor(node) for node in ancestors)
    return SEPARATOR.join(part for part in (document_header(document), *middle, suffix) if part)
