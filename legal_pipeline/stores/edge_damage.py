"""Errors of Qdrant Edge: which errors are its own, and which report damaged files.

Not here: the handling of damage (`stores.qdrant_edge`, `reconcile`).
"""

from __future__ import annotations

import re
from pathlib import Path

from legal_pipeline.errors import DamagedCollectionError

#: No permission, no space, no memory, too many files: system errors that are not about the files' content (`EACCES`, `ENOSPC`, …).
_REFUSED = re.compile(r"os error (?:1|12|13|23|24|28|30)\b")


def is_of_the_extension(error: BaseException) -> bool:
    """Return whether Qdrant Edge raised the error: it raises bare `Exception`s, and panics, which are not `Exception`s."""
    return type(error) is Exception or type(error).__name__ == "PanicException"


def is_damage(error: BaseException) -> bool:
    """Return whether files are invalid or missing; False if the system refuses to open or write them."""
    return not _REFUSED.search(str(error)) and (
        type(error).__name__ == "PanicException" or str(error).startswith("Service runtime error")
    )


def damaged(folder: Path, error: BaseException | str) -> DamagedCollectionError:
    return DamagedCollectionError(
        f"the collection {folder.name} in {folder.parent} cannot be opened or read: its files are damaged ({str(error)[:200]}). "
        "`legal-pipeline reconcile --repair` builds it anew from the warehouse"
    )
