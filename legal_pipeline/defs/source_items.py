"""Events of a poll for Dagster: partitions with changed items, so that their `raw_documents` is out of sync until a run has read them.

A new partition has no event here: its `raw_documents` is missing, which has the same effect. Not here: the poll (`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Iterable

from dagster import AssetObservation

from legal_pipeline.defs import tags
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.event_metadata import shown
from legal_pipeline.defs.partitioning import ChangedItems
from legal_pipeline.pipeline import SOURCE


def observations(changed: Iterable[ChangedItems], keys: AssetKeys = PLAIN) -> list[AssetObservation]:
    """Return one observation for each partition with changed items."""
    return [
        AssetObservation(
            keys.of(SOURCE),
            partition=items.key,
            tags={tags.DATA_VERSION: items.version},
            metadata=shown(items.facts),
        )
        for items in changed
    ]
