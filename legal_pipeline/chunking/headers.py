"""Contextual headers: the deterministic breadcrumb that is put before a chunk when it is embedded.

Not here: the context prefix, which a language model may write (`enrichment`).
"""

from __future__ import annotations

from legal_pipeline.languages.language import ProvisionKind, language
from legal_pipeline.model.document import Document, Node

SEPARATOR = " > "
#: Node types above a provision that the breadcrumb of `paragraf` names.
_LEVELS: tuple[ProvisionKind, ...] = ("schedule", "division", "chapter")

#: Maximum characters of a header. A heading of a thousand characters, repeated before each chunk, would outweigh the chunk's own text.
MAX_HEADER_CHARS = 300
#: The lengths to which title, headings of divisions and the provision's heading are cut, in turn, until the header fits.
_CUTS = ((100, 300, 300), (100, 300, 150), (100, 80, 150), (100, 40, 120), (80, 0, 120))
#: A division's heading longer than this is also text of the provision under it: the header may not hold all of it.
MAX_HEADING_CHARS = 200


def document_header(document: Document) -> str:
    """`Arbetsmiljölag (1977:1160)`; an agency regulation begins with its number: `AFS 2023:1 Arbetsplatsens utformning`."""
    number, plain = document.number, document.title
    if not number:
        return plain
    for mention in (f"({number})", f"({number.split()[-1]})"):
        plain = plain.replace(f" {mention}", "").replace(mention, "")
    plain = plain.strip()
    if plain.startswith(number):
        plain = plain[len(number) :].strip(" –-:")
    if document.doc_type == "agency_regulation":
        return f"{number} {plain}".strip()
    return f"{plain} ({number})"


def shorten(header: str) -> str:
    """Shorten `header` to at most `MAX_HEADER_CHARS`: labels stay (`Part II`, `Section 12A`), title and headings are cut at a word."""
    if len(header) <= MAX_HEADER_CHARS:
        return header
    title, *middle, last = header.split(SEPARATOR) if SEPARATOR in header else ("", header)
    for title_chars, heading_chars, last_chars in _CUTS:
        above = [_cut(part, heading_chars) if heading_chars else part.split(": ")[0] for part in middle]
        parts = (_cut(title, title_chars), *above, _cut(last, last_chars))
        shorter = SEPARATOR.join(part for part in parts if part)
        if len(shorter) <= MAX_HEADER_CHARS:
            return shorter
    return _cut(SEPARATOR.join((_cut(title, 80), _cut(last, 120))), MAX_HEADER_CHARS)


def _cut(part: str, length: int) -> str:
    if len(part) <= length:
        return part
    words = part[: length - 1].rpartition(" ")[0] or part[: length - 1]
    return words.rstrip(" ,;:–—-") + "…"


def _paragraf_ancestor(node: Node, language_code: str) -> str | None:
    """`Avd I: Rubrik`, `Kap 2: Rubrik`, with the language's abbreviation; None for nodes that the breadcrumb omits."""
    kind = next((level for level in _LEVELS if level == node.type), None)
    if kind is None:
        return None
    words = language(language_code).provision_words(kind) or (kind,)
    label = next((word for word in words if word.endswith(".")), words[0]).rstrip(".").capitalize()
    name = f"{label} {node.num}" if node.num else label
    return f"{name}: {node.heading}" if node.heading else name


def paragraf_header(document: Document, ancestors: tuple[Node, ...], suffix: str | None) -> str:
    """Return the header that the strategy `paragraf` puts before a chunk:
    `Arbetsmiljölag (1977:1160) > Kap 2: Arbetsmiljöns beskaffenhet > 3 §`."""
    middle = (_paragraf_ancestor(node, document.language) for node in ancestors)
    return shorten(SEPARATOR.join(part for part in (document_header(document), *middle, suffix) if part))
