"""How a run reports its results to Dagster: an event for each asset and document, with the versions that show whether it is up to date.

A result that is unchanged and known to Dagster is not written again. Not here: the displayed metadata (`defs.event_metadata`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dagster import AssetMaterialization, DagsterInstance

from legal_pipeline.defs import tags as names
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.code_versions import FIRST, code_versions
from legal_pipeline.defs.latest_events import LatestEvents
from legal_pipeline.pipeline import DEPENDENCIES, Materialized


class Materializations:
    """Writes the materializations of partitions."""

    def __init__(
        self,
        instance: DagsterInstance,
        partitions: Sequence[str],
        write: Callable[[AssetMaterialization], None],
        keys: AssetKeys = PLAIN,
        *,
        complete: bool,
    ) -> None:
        """`write` logs an event; `complete`: also events that Dagster knows, because someone counts them."""
        self._write = write
        self._keys = keys
        self._latest = LatestEvents(instance, partitions, keys)
        self._code_versions = code_versions()
        self._complete = complete

    def log(self, event: Materialized, metadata: Mapping[str, Any], *, partial: bool = False) -> None:
        """Log an event, whose `document_id` is the key of its partition.

        `partial`: only some documents of the partition were processed, so the version of the code is the earlier one, if there is one.
        """
        tags = self._tags(event)
        known = self._latest.materialization(event.asset_key, event.document_id) if event.reused else None
        if partial and known is not None:
            tags[names.CODE_VERSION] = (known.tags or {}).get(names.CODE_VERSION, FIRST)
        if known is not None and _versions(known.tags or {}) == _versions(tags):
            if not self._complete:
                return
            # the event of the earlier run has more facts, such as the changes in the law, and they are still true
            metadata = {**known.metadata, "reused": True}
        self._write(
            AssetMaterialization(
                self._keys.of(event.asset_key),
                # the text that logs show for the event; Dagster's own does not name the partition
                description=f"{event.document_id}: {'/'.join(event.asset_key)}",
                partition=event.document_id,
                tags=tags,
                metadata=metadata,
            )
        )
        self._latest.written(event.asset_key)

    def _tags(self, event: Materialized) -> dict[str, str]:
        """Return the versions of the document, of the code, and of every input that the asset declares.

        Dagster reports an asset as out of sync if an input's version is missing, and compares the input's events before and after the event
        in the tag.
        """
        key = event.asset_key
        tags = {names.DATA_VERSION: event.data_version, names.CODE_VERSION: self._code_versions.get(key, FIRST)}
        for above in DEPENDENCIES.get(key, ()):
            asset = self._keys.of(above)
            version = event.input_versions.get("/".join(above), names.NO_DATA_VERSION)
            tags[names.input_version(asset)] = version
            tags[names.input_event(asset)] = str(self._latest.of_input(above, event.document_id))
        return tags


def _versions(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in tags.items() if not names.is_input_event(name)}
