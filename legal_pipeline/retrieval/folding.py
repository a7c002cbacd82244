"""Folds hits of different documents with the same content under the first: near-duplicates, and one provision in several languages.

`chunking.near_duplicates` defines when texts are near. Not here: which hits there are and their order (`retrieval.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from legal_pipeline.chunking.near_duplicates import THRESHOLD, shingles
from legal_pipeline.stores.store import DOCUMENT_ID, Payload

Item = TypeVar("Item")


def fold(
    items: Sequence[Item], payload: Callable[[Item], Payload], limit: int, *, apart: Callable[[Item], bool]
) -> list[tuple[Item, list[Item]]]:
    """Return the first `limit` of `items` (best first) that nearly repeat no earlier item, each with the items that repeat it.

    Items of one document are never folded: two of its provisions, or a present and a future wording, are two results. Items for which
    `apart` is true (the provision that was asked for) and generated text, which repeats its source, are not folded either.
    """
    shown: list[tuple[Item, list[Item]]] = []
    compared: list[tuple[int, str, set[tuple[str, ...]]]] = []
    for item in items:
        values = payload(item)
        if apart(item) or values.get("generator"):
            if len(shown) < limit:
                shown.append((item, []))
            continue
        document_id = str(values.get(DOCUMENT_ID, ""))
        own = shingles(str(values.get("chunk_text", "")))
        first = next((at for at, other, seen in compared if other != document_id and _near(own, seen)), None)
        if first is not None:
            shown[first][1].append(item)
        elif len(shown) < limit:
            compared.append((len(shown), document_id, own))
            shown.append((item, []))
    return shown


def group_languages(items: Sequence[Item], payload: Callable[[Item], Payload]) -> list[tuple[Item, list[Item]]]:
    """Return `items` (best first) with each provision once, in the language of its best item, and its items in other languages.

    Provisions are the same if the URI of their work and their eid are. Two wordings with different dates are two provisions here.
    """
    shown: list[tuple[Item, list[Item]]] = []
    firsts: dict[tuple[str, str], list[int]] = {}
    for item in items:
        values = payload(item)
        work, eid = values.get("work_uri"), values.get("eid")
        if not work or not eid:
            shown.append((item, []))
            continue
        heads = firsts.setdefault((str(work), str(eid)), [])
        head = next((at for at in heads if _says_the_same(payload(shown[at][0]), values)), None)
        if head is not None:
            shown[head][1].append(item)
        else:
            heads.append(len(shown))
            shown.append((item, []))
    return shown


def _says_the_same(shown: Payload, other: Payload) -> bool:
    """Whether both are one wording of a provision in two languages."""
    if shown.get("language") == other.get("language"):
        return False
    dates = {str(date) for date in (shown.get("valid_from"), other.get("valid_from")) if date}
    return len(dates) < 2


def _near(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> bool:
    """Whether the share of common shingles is at least the threshold; it is at most the ratio of the sizes, which is tested first."""
    if not left or not right or min(len(left), len(right)) < THRESHOLD * max(len(left), len(right)):
        return False
    common = len(left & right)
    return common / (len(left) + len(right) - common) >= THRESHOLD
