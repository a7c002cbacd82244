"""The tags of runs and events for partitions, backfills and versions, with the names of Dagster's documentation.

Not here: our own tags (`defs.jobs`, `defs.asset_specs`).
"""

from __future__ import annotations

from dagster import AssetKey

PARTITION = "dagster/partition"
PARTITION_RANGE_START = "dagster/asset_partition_range_start"
PARTITION_RANGE_END = "dagster/asset_partition_range_end"
BACKFILL = "dagster/backfill"
DATA_VERSION = "dagster/data_version"
CODE_VERSION = "dagster/code_version"

#: The version of an input that was never made.
NO_DATA_VERSION = "INITIAL"

_INPUT_EVENT = "dagster/input_event_pointer/"


def input_version(asset: AssetKey) -> str:
    """Return the tag of an event that has the version of its input `asset`."""
    return f"dagster/input_data_version/{asset.to_user_string()}"


def input_event(asset: AssetKey) -> str:
    """Return the tag of an event that has the number of the event of its input `asset`."""
    return f"{_INPUT_EVENT}{asset.to_user_string()}"


def is_input_event(tag: str) -> bool:
    return tag.startswith(_INPUT_EVENT)
