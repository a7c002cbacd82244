"""`raw_documents`: the unchanged bytes of the current expression of a document.

One table per document with a row per source item, so that an Act in three files is one document. Not here: the content of the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import DocumentError, FutureTextError
from legal_pipeline.model import identity
from legal_pipeline.model.expression_identity import ExpressionIdentity
from legal_pipeline.model.tables import optional, required
from legal_pipeline.parsing.split import split
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document
from legal_pipeline.registry.coming_expressions import today
from legal_pipeline.registry.item_hints import act_order
from legal_pipeline.registry.registry import RegisteredItem, SourceDocument
from legal_pipeline.registry.source_hashes import correct_hashes
from legal_pipeline.settings import Settings
from legal_pipeline.sources.registry import Sources

KEY: AssetKey = ("raw_documents",)

SCHEMA = pa.schema(
    [
        *required("item_key", "name", "sha256"),
        *optional("url", "fetched_at"),
        *required("hints"),
        *required("data", type=pa.large_binary()),
    ]
)


class RawDocuments:
    asset_keys = (KEY,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        settings = batch.resources.settings
        with Sources(settings, limits=limits(settings)) as origins:
            yield from self._run(batch, origins)

    def _run(self, batch: Batch, origins: Sources) -> Iterator[StageEvent]:
        registry = batch.resources.registry
        batch.items = registry.items_of_documents(batch.document_ids)
        documents = {
            document.document_id: document for document in registry.documents(ids=batch.document_ids, tombstoned=None)
        }
        # the items of the last file read: the documents of a run are often in the same file, which is read and split once
        opened: dict[str, dict[str, SourceFile]] = {}

        def open_item(item: RegisteredItem) -> SourceFile:
            if item.item_key not in opened:
                opened.clear()
                opened[item.item_key] = fetch(item, origins)
            try:
                return opened[item.item_key][item.location]
            except KeyError:
                raise DocumentError(
                    "is not in its file any more", document=item.item_key, position=item.location
                ) from None

        def work(document_id: str) -> Materialized:
            items = current_items(document_id, batch.items[document_id], held_by(documents.get(document_id)))
            sources = [open_item(item) for item in items]
            for source in sources:
                source.check_size()  # an empty file fails here, and the bytes of the last good version are kept
            rows = [
                {
                    "item_key": item.item_key,
                    "name": source.name,
                    "sha256": source.sha256,
                    "url": source.url or item.url,
                    "fetched_at": source.fetched_at,
                    "hints": json.dumps(
                        {**source.hints, **item.hints}, ensure_ascii=False, sort_keys=True, default=str
                    ),
                    "data": source.data,
                }
                for item, source in zip(items, sources, strict=True)
            ]
            read = {
                (item.source, item.item_key, item.location): source.sha256
                for item, source in zip(items, sources, strict=True)
            }
            if any(item.sha256 != source.sha256 for item, source in zip(items, sources, strict=True)):
                # the item changed since it was registered, or the registry is wrong: the document is made from the bytes that were read
                correct_hashes(registry.database, document_id, read)
            version = identity.input_hash([(row["name"], row["sha256"], row["hints"]) for row in rows])
            stamp = batch.table_stamp(KEY, document_id)
            reused = stamp is not None and stamp.data_version == version and not batch.options.force
            if stamp is None or not reused:
                stamp = Stamp(version, version, {"bytes": sum(len(source.data) for source in sources)})
                batch.write_table(KEY, document_id, pa.Table.from_pylist(rows, schema=SCHEMA), stamp)
            links = [row["url"] for row in rows if row["url"]]
            files = [{name: row[name] for name in ("name", "url", "sha256", "fetched_at") if row[name]} for row in rows]
            metadata = {"source": links[0] if links else None, "files": files, **stamp.facts}
            return Materialized(KEY, document_id, version, {"source_items": version}, metadata, reused)

        yield from per_document(batch.document_ids, KEY, work)


def limits(settings: Settings) -> Limits:
    return Limits(
        settings.max_document_bytes, settings.max_line_chars, settings.max_depth, settings.max_pdf_memory_bytes
    )


def fetch(item: RegisteredItem, origins: Sources) -> dict[str, SourceFile]:
    """Return the present content of a registered item, by location, from the source that it was registered under."""
    return split(origins.fetch(item.source, item.item_key).with_hints(**item.given))


def read_sources(batch: Batch, document_id: str) -> list[SourceFile]:
    """Return the source files in `raw_documents` for a document."""
    table = batch.read_table(KEY, document_id)
    return [
        SourceFile(
            name=row["name"],
            data=row["data"],
            url=row["url"],
            fetched_at=row["fetched_at"],
            hints=json.loads(row["hints"]),
            limits=limits(batch.resources.settings),
        )
        for row in table.to_pylist()
    ]


def current_items(
    document_id: str, items: list[RegisteredItem], holds: ExpressionIdentity | None = None
) -> list[RegisteredItem]:
    """Return the items of the latest expression without a future date: one item, or all its parts in order.

    `holds`: the identity of the text that the document was last made from. Raises `FutureTextError` if all texts have a future date, and
    `DocumentError` if there are no items, if parts are missing, if two items with different content have the same date and the user has not
    confirmed one of them, and if the expression identifies itself as another work than the document's.
    """
    if not items:
        raise DocumentError("no source item holds this document any more", document=document_id)
    day = today()
    begun = [item for item in items if item.as_of_date is None or item.as_of_date <= day]
    if not begun:
        first = min(item.as_of_date for item in items if item.as_of_date is not None)
        raise FutureTextError(
            f"its text is dated {first}, in the future: it is indexed on that day", document=document_id
        )
    latest = max(begun, key=_expression)
    current = [item for item in begun if _expression(item) == _expression(latest)]
    _refuse_another_work(document_id, current, begun, holds)
    parts = latest.parts
    if parts is not None:
        by_part = {item.part: item for item in current}
        missing = [str(number) for number in range(1, parts + 1) if number not in by_part]
        if missing:
            raise DocumentError(f"part {', '.join(missing)} of {parts} is missing", document=document_id)
        return [by_part[number] for number in range(1, parts + 1)]
    if len({item.sha256 for item in current}) > 1:
        confirmed = [item for item in current if item.accepted == item.sha256]
        if len({item.sha256 for item in confirmed}) == 1:
            return confirmed[:1]
        names = ", ".join(item.item_key for item in current)
        raise DocumentError(
            f"conflict: several texts of the same date: {names}. Remove all but one, confirm one (legal-pipeline ingest --accept FILE), or "
            "state in a sidecar file another as_of_date or document_id, if the file itself states none",
            document=document_id,
        )
    return current[:1]


def waits_for_its_day(document: SourceDocument) -> bool:
    """Return whether a document waits because its text has a future date: nothing else makes a document wait at its source."""
    return document.status == "waiting" and (document.last_error or "").startswith(f"{'/'.join(KEY)}: ")


def _refuse_another_work(
    document_id: str, current: list[RegisteredItem], items: list[RegisteredItem], holds: ExpressionIdentity | None
) -> None:
    """Raise `DocumentError` if the current expression identifies itself as another work than the text that the document was made from or,
    before it was made, than its other expressions; unless a user confirmed it."""
    others = [identity_of(item) for item in items if item not in current] if holds is None else [holds]
    for item in current:
        said = identity_of(item)
        if said is None or item.accepted == item.sha256:
            continue
        for held in others:
            if held is None:
                continue
            if item.parts is not None:  # a part may have a title of its own
                held = replace(held, item=said.item)
            if differences := said.differences(held):
                raise DocumentError(
                    f"conflict: {item.item_key} claims to be this document, but {'; '.join(differences)}; the document stays as it is. "
                    f"If it is right, confirm it: legal-pipeline ingest --accept {item.item_key}",
                    document=document_id,
                )


def held_by(document: SourceDocument | None) -> ExpressionIdentity | None:
    """Return the identity of the text that a document was last made from; None if it was not made yet."""
    if document is None or document.text_hash is None:
        return None
    held = ExpressionIdentity.load(document.holds)
    return held or ExpressionIdentity(document.title or "", "", document.jurisdiction or "")


def identity_of(item: RegisteredItem) -> ExpressionIdentity | None:
    """Return the identity that the item states; None if it was registered by a release that did not record it."""
    said = ExpressionIdentity.load(item.said)
    return None if said is None else replace(said, item=name_of(item))


def name_of(item: RegisteredItem) -> str:
    """Return a name of the item that is unique among all sources."""
    return f"{item.source}:{item.item_key}"


def _expression(item: RegisteredItem) -> tuple[str, tuple[int, ...]]:
    """Return a sort key of expressions: the date if the source gives one, then the last consolidated amending act."""
    through = str(item.hints.get("consolidated_through") or "")
    return (str(item.as_of_date or ""), act_order(through))
