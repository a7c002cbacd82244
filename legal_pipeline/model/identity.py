"""Stable names: document ids, work URIs, eids, chunk ids and the hashes they are made of.

Not here: the content of the named objects.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import PROVISIONS, Node
from legal_pipeline.model.slug import number_slug, slug

#: Namespace of every point id; must never change, or all points would be written again.
POINT_NAMESPACE = uuid.UUID("6f1c1d2a-7f0e-5d2b-9a55-0f6d3c1b7e42")

#: The code of an unknown language (ISO 639-3) and of an unknown country (a code that ISO 3166 leaves to its users). They are values, not
#: None, so that a filter can name them.
UNDETERMINED, UNKNOWN_COUNTRY = "und", "xx"

#: Document types of the decisions of courts and other bodies, those of laws, and all document types.
JUDGMENTS = frozenset({"judgment", "precedent_case", "appeal_decision"})
STATUTES = frozenset({"act", "regulation", "agency_regulation", "amendment", "constitution"})
DOC_TYPES = JUDGMENTS | STATUTES | {"guidance", "other"}

#: Ids are also names of files and of partitions.
MAX_ID_CHARS = 200
DOCUMENT_ID = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")

#: Extensions that say in which format a text is, and not which text it is.
_EXTENSIONS = frozenset({
    "akn", "csv", "doc", "docx", "gz", "htm", "html", "json", "jsonl", "markdown", "md", "ndjson", "odt", "pdf", "rtf", "text", "tsv",
    "txt", "xhtml", "xml", "yaml", "yml", "zip",
})  # fmt: skip
#: Maximum length of a path in an id; the slug of a longer path is cut and ends with a hash.
_MAX_PATH_CHARS = 120

#: The beginning of the URI of a document whose work has none.
DOCUMENT_URI = "/doc/"
#: The URI of a work of a part of a country (a state, a municipality).
_OF_A_PART = re.compile(r"/akn/([a-z]{2,3}-[a-z0-9]{1,3})/")

#: Akoma Ntoso's abbreviations in eIds (naming convention 1.0, section 5.4).
EID_PREFIXES = {
    "division": "dvs", "part": "part", "chapter": "chp", "subchapter": "subchp", "title": "title", "book": "book", "subpart": "subpart",
    "section": "sec", "article": "art", "recital": "rec", "numbered_paragraph": "para", "subsection": "subsec", "paragraph": "para",
    "proviso": "proviso", "explanation": "explanation", "illustration": "illustration", "definition": "def", "item": "item",
    "table": "table", "quotation": "quote", "preamble": "preamble", "transitional": "transitional", "schedule": "sched",
    "heading": "hdg", "longtitle": "longtitle", "toc": "toc", "header": "header", "headnote": "headnote",
    "background": "background", "arguments": "arguments", "issue": "issue", "motivation": "motivation", "decision": "decision",
    "dissent": "dissent", "signature": "signature", "page": "page", "footnote": "fn", "block": "block",
}  # fmt: skip


def known_doc_type(name: str) -> str:
    """Return `name`. Raises `ValueError` if it is not a document type."""
    if name not in DOC_TYPES:
        raise ValueError(f"{name!r} is none of {', '.join(sorted(DOC_TYPES))}")
    return name


def country_and_part(jurisdiction: str, work_uri: str | None) -> dict[str, str]:
    """Return the fields by which a search finds the law of a country and of a part of it: the part is that of the URI, or the jurisdiction
    that the file states.

    >>> country_and_part("xx-no", None), country_and_part("xx", "/akn/xx-no/act/2099/1"), country_and_part("xx", None)
    ({'jurisdiction': 'xx', 'subdivision': 'xx-no'}, {'jurisdiction': 'xx', 'subdivision': 'xx-no'}, {'jurisdiction': 'xx'})
    """
    match = _OF_A_PART.match(work_uri or "")
    country, _, rest = jurisdiction.partition("-")
    part = jurisdiction if rest else match and match[1]
    return {"jurisdiction": country, **({"subdivision": part} if part else {})}


def document_id(*parts: str) -> str:
    """Return the slug of a work, which is also its Dagster partition key: country, series and number, `xx-afs-2023-1`."""
    result = re.sub(r"[.-]*-[.-]*", "-", "-".join(piece for piece in map(slug, parts) if piece))
    result = re.sub(r"\.{2,}", ".", result)
    if not DOCUMENT_ID.fullmatch(result):
        raise DocumentError(f"no document id can be made of {parts!r}: letters or digits are needed")
    return result[:MAX_ID_CHARS].rstrip("-.")


def path_slug(path: str, endings: Sequence[str] = ()) -> str:
    """Return the slug of the path below the source's root: `laws/index.md` -> `laws-index`.

    The folder is included because files of the same name in two folders are two documents. `endings` are the file extensions to
    remove; if empty, that of a file format is removed. Any other last part of a name is kept: "LAW.CMA" and "LAW.ETP" are two
    documents. A slug that cannot distinguish paths (a long path, a name without a Latin letter) gets a hash of the whole path.
    """
    plain = path.replace("\\", "/").strip("/")
    folder, _, name = plain.rpartition("/")
    if not endings:
        stem, _, ending = name.rpartition(".")
        bare = stem if stem.strip(".") and ending.casefold() in _EXTENSIONS else name
    else:
        bare = next((name.removesuffix(ending) for ending in endings if name.endswith(ending)), name)
    stem = f"{folder}/{bare}"
    found = slug(stem)
    if not found or len(found) > _MAX_PATH_CHARS:
        return "-".join(part for part in (found[:_MAX_PATH_CHARS].rstrip("-."), sha256_hex(plain)[:8]) if part)
    return found


def citable_uri(work_uri: str | None, document: str) -> str:
    """Return the URI by which a document cites itself: its work's, or `/doc/<document id>` where its work has none."""
    return work_uri or f"{DOCUMENT_URI}{document}"


def series_identity(code: str, series: str, number: str) -> tuple[str, str]:
    """Return (document id, work URI) of an Act in a series whose numbers restart each year.

    `2023:1` in `AFS` gives `xx-afs-2023-1`, `/akn/xx/act/afs/2023/1`.
    """
    year, _, rest = number.strip().partition(":")
    return document_id(code, series, number), f"/akn/{code}/act/{slug(series)}/{slug(year)}/{slug(rest)}"


def sha256_hex(data: str | bytes) -> str:
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def collapse(text: str) -> str:
    """Return the text with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())


#: The number in the eid of a provision without a number.
UNNUMBERED = "unnumbered"


def text_hash(text: str) -> str:
    """Return the first 8 hex digits of the SHA-256 of the white-space-collapsed text."""
    return sha256_hex(collapse(text))[:8]


def chunk_id(document: str, strategy: str, path: str, start: int, end: int, text: str) -> str:
    """Return `sha256_16(document_id|strategy|path|start|end|text_hash)`.

    `start` and `end` are relative to the provision that `path` names.
    """
    return sha256_hex(f"{document}|{strategy}|{path}|{start}|{end}|{text_hash(text)}")[:16]


def point_id(key: str) -> str:
    """Return the id of a point in the stores: `uuid5` of the chunk id."""
    return str(uuid.uuid5(POINT_NAMESPACE, key))


def input_hash(*parts: Any) -> str:
    """Return the hash of all inputs of a row; `parts` must be JSON values. 32 hex digits."""
    canonical = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return sha256_hex(canonical)[:32]


class UniqueNames:
    """Names of which none is given twice: a repeated name gets `-2`, `-3`. `taken` are names that must not be given."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        # Where the last search for a free number ended: for ten thousand equal names the search must not restart.
        self._repeats: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return `name`, with a number if it is taken, and take it."""
        repeat = self._repeats.get(name, 1)
        found = name if repeat == 1 else f"{name}-{repeat}"
        while found in self.taken:
            repeat += 1
            found = f"{name}-{repeat}"
        self._repeats[name] = repeat
        self.taken.add(found)
        return found


def assign_eids(nodes: Iterable[Node]) -> None:
    """Give every node of the vocabulary without an eid an eid in AKN form (`chp_2__sec_3a`), unique in the tree.

    A number that occurs twice under one parent gets a suffix (`sec_3-2`); the nodes are never merged. Unnumbered nodes count from 1; a
    provision without a number is `art_unnumbered`.
    If section numbers do not restart in each chapter, the eids still contain the chapter: an eid gives the node's place.
    """
    nodes = list(nodes)
    # Names from the source are reserved first: a generated name must not equal a later one.
    names = UniqueNames(node.eid for root in nodes for node in root.walk() if node.eid is not None)

    def name(siblings: Iterable[Node], prefix: str) -> None:
        counts: Counter[str] = Counter()
        for node in siblings:
            abbreviation = EID_PREFIXES.get(node.type)
            if abbreviation is not None and node.eid is None:
                counts[node.type] += 1
                number = number_slug(node.num) if node.num else ""
                # The first unnumbered provision is not number 1: a search for "article 1" must not find it.
                place = UNNUMBERED if node.type in PROVISIONS else str(counts[node.type])
                node.eid = names.take(f"{prefix}{abbreviation}_{number or place}")
            if node.children:
                name(node.children, f"{node.eid}__" if node.eid else prefix)

    name(nodes, "")
