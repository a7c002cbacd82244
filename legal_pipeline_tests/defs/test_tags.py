"""The tags that we write are those that the installed Dagster reads."""

from __future__ import annotations

from dagster import AssetKey
from dagster._core.definitions import data_version
from dagster._core.storage import tags as storage_tags

from legal_pipeline.defs import tags


def test_tags_are_called_as_dagster_calls_them() -> None:
    asset = AssetKey(["law", "chunks"])
    assert tags.PARTITION == storage_tags.PARTITION_NAME_TAG
    assert tags.PARTITION_RANGE_START == storage_tags.ASSET_PARTITION_RANGE_START_TAG
    assert tags.PARTITION_RANGE_END == storage_tags.ASSET_PARTITION_RANGE_END_TAG
    assert tags.BACKFILL == storage_tags.BACKFILL_ID_TAG
    assert tags.DATA_VERSION == data_version.DATA_VERSION_TAG
    assert tags.CODE_VERSION == data_version.CODE_VERSION_TAG
    assert data_version.DEFAULT_DATA_VERSION.value == tags.NO_DATA_VERSION
    assert tags.input_version(asset) == data_version.get_input_data_version_tag(asset)
    assert tags.input_event(asset) == data_version.get_input_event_pointer_tag(asset)
    assert tags.is_input_event(tags.input_event(asset))
    assert not tags.is_input_event(tags.input_version(asset))
