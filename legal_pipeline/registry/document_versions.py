"""The data versions of the assets that runs made of each document: the table `document_versions`.

Partitions of many documents derive their data version from these (`registry.buckets`). Not here: the versions of files, which are in the
files (`processing.stage.Stamp`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

#: The beginning of a version that stands for all assets made before versions were recorded.
_UNKNOWN = "revision:"


def record_versions(database: Database, versions: Mapping[str, Mapping[str, str | None]]) -> None:
    """Record document id -> asset -> data version, in one statement; None: the asset is not there any more.

    Documents that are not in the registry are skipped.
    """
    if not versions:
        return
    database.execute(
        """insert into document_versions (document_id, versions)
           select d.document_id, new.versions::jsonb
           from unnest(%s::text[], %s::text[]) as new (document_id, versions) join source_documents d using (document_id)
           order by d.document_id
           on conflict (document_id) do update set versions = document_versions.versions || excluded.versions""",
        (list(versions), [json.dumps(found) for found in versions.values()]),
    )


def read_versions(database: Database, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return document id -> asset -> data version; assets made before versions were recorded are left out."""
    rows = database.rows(
        "select document_id, versions from document_versions where document_id = any(%s)", (list(document_ids),)
    )
    return {
        row["document_id"]: {
            asset: version for asset, version in row["versions"].items() if version and not version.startswith(_UNKNOWN)
        }
        for row in rows
    }
