"""`canonical_documents`: raw bytes parsed into the canonical model, as JSON that contains text and nodes once.

Not here: parsing (`parsing`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.jurisdictions.series import numbered_identity
from legal_pipeline.model import identity
from legal_pipeline.model.describe import describe
from legal_pipeline.model.diff import Diff, diff
from legal_pipeline.model.document import MODEL_VERSION, Document
from legal_pipeline.model.expression_identity import ExpressionIdentity
from legal_pipeline.parsing.parts import join_parts
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document
from legal_pipeline.registry.registry import RegisteredItem
from legal_pipeline.registry.warehouse import json_content
from legal_pipeline.stages import raw_documents
from legal_pipeline.stages.earlier_expressions import earlier_texts
from legal_pipeline.text.sentences import ENDED

KEY: AssetKey = ("canonical_documents",)

#: Fields that may differ between two fetches of the same law: stored, but not part of the data version. Publishers change the date of
#: their last poll (`as_of_date`) of thousands of laws without a change of the text.
_VOLATILE = ("as_of_date",)
PROVENANCE = ("source_file", "source_url", "source_sha256", "fetched_at", "offset_map", "parser_version")
#: Maximum number of changes in the description; it states how many more there are.
_TOLD_CHANGES = 50
#: Minimum number of characters that are missing in a text that was cut off.
_LOST_CHARS = 100


class CanonicalDocuments:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`."""
        found = batch.table_stamp(KEY, document_id)
        raw = batch.input_stamp(raw_documents.KEY, document_id)
        return found is not None and found.input_hash == _input_hash(raw.data_version, found.facts["format"])

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return _input_hash("", format)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        if not batch.items:  # `raw_documents` is not in this run
            batch.items = batch.resources.registry.items_of_documents(batch.document_ids)

        def work(document_id: str) -> Materialized:
            raw = batch.input_stamp(raw_documents.KEY, document_id)
            inputs = {"raw_documents": raw.data_version}
            earlier = _record_earlier(batch, document_id, batch.items.get(document_id, []))
            old = batch.table_stamp(KEY, document_id)
            if old is not None and not batch.options.force and self.is_current(batch, document_id):
                return Materialized(KEY, document_id, old.data_version, inputs, {**old.facts, **earlier}, True)
            sources = raw_documents.read_sources(batch, document_id)
            document = read_document(sources)
            if document.document_id != document_id:
                raise ParseError(
                    f"the source now holds {document.document_id} ({document.title}); if it is the same document under another id, "
                    "`legal-pipeline reconcile --repair` renames it",
                    document=document_id,
                    format=document.format,
                    expected=document_id,
                )
            data = document.to_json()
            facts = _facts(document)
            stamp = Stamp(_input_hash(raw.data_version, document.format), _data_version(data), facts)
            found = _changes(batch, document, old, stamp)
            changed = _change_facts(batch, document.jurisdiction, found) if found is not None else {}
            items = [(source.name, source.sha256) for source in sources]
            for former_id in batch.former_ids.get(document_id, ()):
                _take_over_expressions(batch, former_id, document)
            text = json_content(KEY, _dumps(data), stamp.dumps())
            corrects = expressions.record(
                batch,
                document,
                stamp.data_version,
                text,
                items,
                str(changed.get("changes", "")),
                changed_eids=found.changed_eids if found is not None else (),
                is_dated_by_user="as_of_date" in sources[0].hints,
            )
            if corrects:
                changed["corrected_text_of"] = document.as_of_date
            batch.documents[document_id] = document
            batch.stamps[KEY, document_id] = stamp
            batch.resources.registry.describe(
                document_id,
                work_uri=document.work_uri,
                title=document.title,
                jurisdiction=document.jurisdiction,
                doc_type=document.doc_type,
                text_hash=stamp.data_version,
                holds=_holds(batch, document),
            )
            return Materialized(KEY, document_id, stamp.data_version, inputs, {**facts, **changed, **earlier}, False)

        yield from per_document(batch.document_ids, KEY, work)


def _record_earlier(batch: Batch, document_id: str, items: Sequence[RegisteredItem]) -> dict[str, Any]:
    """Record texts of earlier dates in the index of expressions; return their number, and the files that could not be used."""
    recorded, unused = 0, []
    for document, files in earlier_texts(batch, document_id, items, read_document):
        if document is None:
            unused += [name for name, _ in files]
            continue
        data = document.to_json()
        expressions.record_earlier(batch, document, _data_version(data), _dumps(data), files)
        recorded += 1
    found = {"earlier_expressions": recorded or None, "unused_files": unused or None}
    return {name: value for name, value in found.items() if value}


def _holds(batch: Batch, document: Document) -> dict[str, str]:
    """Return the identity of the document's content, with the item that it came from, its language and its court."""
    document_id = document.document_id
    table = batch.read_table(raw_documents.KEY, document_id, ["item_key"])
    read = set(table["item_key"].to_pylist())
    items = [raw_documents.name_of(item) for item in batch.items.get(document_id, []) if item.item_key in read]
    identity_of = ExpressionIdentity.of(document, min(items, default=""))
    court = str(document.metadata.get("court") or "")
    return {**identity_of.dump(), "language": document.language, **({"court": court} if court else {})}


def read_document(sources: list[SourceFile]) -> Document:
    """Parse the files of one document; several files are joined as the parts of one work."""
    from legal_pipeline.parsing.registry import parse

    documents = [parse(source, source.hints.get("format")) for source in sources]
    document = join_parts(documents) if len(documents) > 1 else documents[0]
    hints = sources[0].hints
    routing = {"forced_strategy": hints.get("strategy"), "profile": hints.get("profile")}
    extra = {**hints.get("metadata", {}), **{name: value for name, value in routing.items() if value}}
    return dataclasses.replace(document, metadata={**extra, **document.metadata}) if extra else document


def load(batch: Batch, document_id: str) -> Document:
    """Return the canonical document from this run's memory, else from the warehouse."""
    document = batch.documents.get(document_id)
    if document is None:
        document = Document.loads(batch.warehouse.read_json(KEY, document_id))
        batch.documents[document_id] = document
    return document


def _take_over_expressions(batch: Batch, former_id: str, document: Document) -> None:
    """Copy the expressions under the former id of `document` to its present id; do nothing if that already has expressions."""
    known = expressions.index(batch, former_id)
    if not known or expressions.index(batch, document.document_id):
        return
    moved, contents = [], []
    for expression in known:
        data = json.loads(expressions.read_text(batch, former_id, expression.expression))
        data |= {"document_id": document.document_id, "work_uri": document.work_uri}
        version = _data_version(data)
        # its chunks have the old id: they are cut again, but keep their paid prefixes
        contents += expressions.archive(batch, former_id, expression.expression, _dumps(data), version)
        moved.append(dataclasses.replace(expression, expression=version))
    batch.warehouse.write(document.document_id, *contents)
    batch.warehouse.write(document.document_id, expressions.index_content(document.document_id, moved))


def _changes(batch: Batch, document: Document, old: Stamp | None, new: Stamp) -> Diff | None:
    """Return the differences of `document` from its predecessor; None if there is none, or if another document model wrote it.

    Raises `TruncatedDocumentError` if its text is only the beginning of the predecessor's, unless the run is forced.
    """
    if old is None:
        return None
    try:
        before = Document.loads(batch.warehouse.read_json(KEY, document.document_id))
    except DocumentError:
        return None
    if not batch.options.force:
        _refuse_beginning(document, before)
    found = diff(before, document)
    batch.changes[old.data_version, new.data_version] = found
    return found


def _refuse_beginning(document: Document, before: Document) -> None:
    """Raise `TruncatedDocumentError` if the text breaks off inside a paragraph of `before`, as that of a broken download does.

    Plain text has no mark of its end. Whoever repeals the last provisions of a law ends the text with a whole paragraph.
    """
    text = document.text.rstrip()
    lost = len(before.text) - len(text)
    if lost < _LOST_CHARS or ENDED.search(text) or not before.text.startswith(text) or before.text[len(text)] == "\n":
        return
    raise TruncatedDocumentError(
        f"the text ends inside a paragraph of the text it would replace ({text[-60:]!r}), and {lost:,} characters are missing",
        document=document.document_id,
        format=document.format,
        expected="the whole text; a forced run takes it as it is",
    )


def _change_facts(batch: Batch, jurisdiction: str, found: Diff) -> dict[str, Any]:
    """Return the changes in lawyers' words, and the amending acts behind them with links to their texts."""
    changed: dict[str, Any] = {
        "changes": describe(found, limit=_TOLD_CHANGES),
        "provisions_changed": len({change.subject.key for change in found.provisions}),
    }
    if acts := [_act(batch, jurisdiction, act) for act in found.acts]:
        changed["amending_acts"] = acts
    return changed


def _act(batch: Batch, jurisdiction: str, act: str) -> dict[str, str]:
    found = numbered_identity(act, jurisdiction)
    if found is None:
        return {"act": act}
    document_id, work_uri = found
    known = batch.resources.registry.document(document_id)
    link = {"document_id": document_id, "url": known.file_path} if known is not None else {}
    return {"act": act, "work_uri": work_uri, **{name: value for name, value in link.items() if value}}


def _input_hash(raw_version: str, format: str) -> str:
    from legal_pipeline.parsing import registry as parsing  # a second of imports, which `status` does not need

    known = parsing.formats().get(format)
    return identity.input_hash(
        "canonical_documents", MODEL_VERSION, parsing.VERSION, raw_version, format, known.version if known else None
    )


def _dumps(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _data_version(data: dict[str, Any]) -> str:
    return identity.input_hash({key: value for key, value in data.items() if key not in (*PROVENANCE, *_VOLATILE)})


def _facts(document: Document) -> dict[str, Any]:
    provisions = list(document.provisions())
    return {
        "title": document.title,
        "number": document.number,
        "doc_type": document.doc_type,
        "format": document.format,
        "characters": len(document.text),
        "provisions": len(provisions),
        "repealed": sum(node.status != "in_force" for node in provisions),
        "warnings": len(document.warnings),
        "first_warnings": [warning[:200] for warning in document.warnings[:5]],
    }
