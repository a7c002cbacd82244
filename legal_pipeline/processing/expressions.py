"""All expressions of a document that were ever current: their index, and the canonical JSON of the earlier ones by content hash.

Not here: assets made from them (`stages.provision_versions`, `stages.superseded_chunks`) and the current expression
(`stages.canonical_documents`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.model.tables import optional, required
from legal_pipeline.processing.advice import TASKS
from legal_pipeline.processing.stage import AssetKey, Batch, Stamp
from legal_pipeline.registry.warehouse import Content, json_content, table_content, table_of

#: The index. It is written together with the canonical JSON of its last expression, which is stored there and not here.
KEY: AssetKey = ("expression_index",)
#: Beginning of the keys of earlier expressions.
ARCHIVE: AssetKey = ("expressions",)
_CANONICAL: AssetKey = ("canonical_documents",)
#: Tables made of a text, from which its superseded chunks are derived later: the prefixes are paid.
_ARCHIVED_TABLES: tuple[AssetKey, ...] = (("chunks",), ("context_prefixes",))

#: An index of release 0.1 has no such column.
_CORRECTIONS = pa.list_(pa.struct([*optional("seen_on", "changes"), *optional("eids", type=pa.list_(pa.string()))]))
SCHEMA = pa.schema(
    [
        *required("document_id"),
        *required("position", type=pa.int64()),
        *required("expression"),
        *optional("as_of_date", "consolidated_through"),
        *required("first_seen"),
        *required("source_items", type=pa.list_(pa.struct(optional("name", "sha256")))),
        *required("changes"),
        *optional("corrections", type=_CORRECTIONS),
    ]
)


@dataclass(frozen=True)
class Correction:
    """A text that replaced another text of the same stated date on the day `seen_on`.

    `changes` describes the differences of the two texts, for lawyers; `eids` are the provisions that differ, also under their earlier eids.
    """

    seen_on: str
    changes: str
    eids: tuple[str, ...]


@dataclass(frozen=True)
class Expression:
    """One row of the index. `expression` is the content hash: the data version of the canonical document.

    `first_seen` is the date on which it became current here; `changes` describes the differences from the expression before, for lawyers.
    `corrections` are the replacements of its text since, the first one first; the replaced texts are not kept.
    """

    expression: str
    as_of_date: str | None
    consolidated_through: str | None
    first_seen: str
    source_items: tuple[tuple[str, str], ...]
    changes: str
    corrections: tuple[Correction, ...] = ()

    def to_row(self, document_id: str, position: int) -> dict[str, Any]:
        items = [{"name": name, "sha256": sha256} for name, sha256 in self.source_items]
        return {**asdict(self), "document_id": document_id, "position": position, "source_items": items}

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Expression:
        items = tuple((item["name"], item["sha256"]) for item in row["source_items"])
        corrections = tuple(
            Correction(found["seen_on"], found["changes"], tuple(found["eids"]))
            for found in row.get("corrections") or ()
        )
        plain = cls.__dataclass_fields__.keys() - {"source_items", "corrections"}
        return cls(**{name: row[name] for name in plain}, source_items=items, corrections=corrections)


def archived(version: str, *asset: str) -> AssetKey:
    """Return the key of an earlier expression's text or, if `asset` is given, of the table that was made of it."""
    return (*ARCHIVE, version, *asset)


def index(batch: Batch, document_id: str) -> list[Expression]:
    """Return the expressions of a document in the order in which they were current; a text that became current again is listed twice."""
    found = batch.warehouse.find(KEY, document_id, "table")
    return [] if found is None else [Expression.from_row(row) for row in table_of(found).to_pylist()]


def record(
    batch: Batch,
    document: Document,
    version: str,
    text: Content,
    items: Sequence[tuple[str, str]],
    changes: str,
    *,
    changed_eids: Sequence[str] = (),
    is_dated_by_user: bool = False,
) -> bool:
    """Write `text`, the canonical JSON with the content hash `version`, together with the index, in which it is the latest expression.

    Returns whether it corrects the text before it, which is not kept then. `changes` and `changed_eids`, the differences from that text,
    are then a correction of the expression.

    The text before it is archived first. The new text replaces the last expression where the law did not change: if the source is the same
    and only its parsing changed (a later parser version), and if the user states the date for another text of the same file that was
    stated before (`is_dated_by_user`), which is a correction. The same text has the earlier of two dates, as publishers state later ones
    without a change of the law; the later one only if the run is forced.
    """
    document_id = document.document_id
    known = index(batch, document_id)
    latest = _seen_today(document, version, items, changes)
    last = known[-1] if known else None
    corrects = False
    if last is not None and last.expression == version:
        latest = replace(known.pop(), as_of_date=_date_of(last, latest, batch.options.force))
    elif last is not None and (
        last.source_items == latest.source_items or (corrects := is_dated_by_user and _is_correction(latest, last))
    ):
        made = (Correction(latest.first_seen, changes, tuple(changed_eids)),) if corrects else ()
        corrections = (*last.corrections, *made)
        latest = replace(latest, first_seen=last.first_seen, changes=last.changes, corrections=corrections)
        known.pop()
    elif known and _is_current(batch, document_id, known[-1].expression):
        batch.warehouse.write(document_id, *archive(batch, document_id, known[-1].expression))
    batch.warehouse.write(document_id, text, index_content(document_id, [*known, latest]))
    return corrects


def through_of(document: Document) -> str | None:
    """Return the last act that the text states it contains."""
    through = document.metadata.get("consolidated_through")
    return str(through) if through else None


def _seen_today(document: Document, version: str, items: Sequence[tuple[str, str]], changes: str) -> Expression:
    return Expression(
        expression=version,
        as_of_date=document.as_of_date,
        consolidated_through=through_of(document),
        first_seen=datetime.now(UTC).date().isoformat(),
        source_items=tuple(items),
        changes=changes,
    )


def _date_of(last: Expression, latest: Expression, is_forced: bool) -> str | None:
    stated, date = last.as_of_date, latest.as_of_date
    return date if date is not None and (stated is None or date < stated or is_forced) else stated


def _is_correction(latest: Expression, last: Expression) -> bool:
    names = [[name for name, _ in expression.source_items] for expression in (latest, last)]
    return latest.as_of_date is not None and latest.as_of_date == last.as_of_date and names[0] == names[1]


def record_earlier(batch: Batch, document: Document, version: str, text: str, items: Sequence[tuple[str, str]]) -> None:
    """Keep `text`, the canonical JSON of an expression that was never current, in the index before the first one of a later date."""
    document_id = document.document_id
    known = index(batch, document_id)
    earlier = _seen_today(document, version, items, changes="")
    later = (place for place, other in enumerate(known) if (other.as_of_date or "9999") > (document.as_of_date or ""))
    at = next(later, len(known))
    if all(other.expression != version for other in known):
        batch.warehouse.write(document_id, *archive(batch, document_id, version, text))
    batch.warehouse.write(document_id, index_content(document_id, [*known[:at], earlier, *known[at:]]))


def archive(batch: Batch, document_id: str, version: str, text: str | None = None, name: str = "") -> list[Content]:
    """Return the contents that keep an expression when another becomes current: its text, chunks and prefixes.

    The tables of the current expression are kept if the settings keep history. `text` and `name` replace its text and version.
    """
    name, current = name or version, _is_current(batch, document_id, version)
    found = [json_content(archived(name), text or read_text(batch, document_id, version))]
    for asset in _ARCHIVED_TABLES if batch.resources.settings.history or not current else ():
        key = asset if current else archived(version, *asset)
        with contextlib.suppress(DocumentError):  # not made, or damaged: the chunks are cut again when they are needed
            table = batch.warehouse.read(key, document_id, "table")
            stamp = Stamp.loads(table.stamp or "")
            facts = {fact: stamp.facts[fact] for fact in (TASKS,) if fact in stamp.facts}
            kept = Stamp(stamp.input_hash, "", facts).dumps()
            found.append(Content(archived(name, *asset), "table", table.data, kept))
    return found


def index_content(document_id: str, known: Sequence[Expression]) -> Content:
    """Return the index. `known` are all expressions of the document, whose texts must be stored."""
    rows = [expression.to_row(document_id, position) for position, expression in enumerate(known)]
    return table_content(KEY, pa.Table.from_pylist(rows, schema=SCHEMA))


def read_text(batch: Batch, document_id: str, version: str) -> str:
    """Return the canonical JSON of an expression. Raises `DocumentError` if it is not stored."""
    if _is_current(batch, document_id, version):
        content = batch.warehouse.read(_CANONICAL, document_id, "json")
        if content.stamp is not None and Stamp.loads(content.stamp).data_version == version:
            return content.data.decode(
                "utf-8"
            )  # else another text has become current meanwhile, and this one was archived before
    return batch.warehouse.read_json(archived(version), document_id)


def load(batch: Batch, document_id: str, version: str) -> Document:
    """Return an expression. Raises `DocumentError` if it is not stored or was written with another version of the document model."""
    return Document.loads(read_text(batch, document_id, version))


def _is_current(batch: Batch, document_id: str, version: str) -> bool:
    stamp = batch.warehouse.read_stamp(_CANONICAL, document_id, "json")
    return stamp is not None and Stamp.loads(stamp).data_version == version
