"""Ids and URIs of Swedish works. Not here: reading numbers in texts (`parsing.sweden.identity`)."""

from __future__ import annotations

from legal_pipeline.model.identity import series_identity


def sfs_identity(number: str) -> tuple[str, str]:
    """Return (document id, work URI) of a Swedish statute: `1977:1160` -> `se-sfs-1977-1160`, `/akn/se/act/sfs/1977/1160`."""
    return swedish_identity("SFS", number)


def swedish_identity(series: str, number: str) -> tuple[str, str]:
    """Return (document id, work URI) in any Swedish series: (`AFS`, `2023:1`) -> `se-afs-2023-1`, `/akn/se/act/afs/2023/1`."""
    return series_identity("se", series, number)
