"""Hits of different documents that say the same, folded under the first of them: near-duplicates, and one provision in other languages.

What is near is `chunking.near_duplicates`' to say. Not here: which hits there are and in which order (`retrieval.search`).
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
    """The first `limit` of `items` (best first) that nearly repeat none before them, each with the items that repeat it.

    Of one document nothing is folded: two of its provisions, or the wording now and the one to come, are two answers. Neither is what
    is `apart` (the provision that was asked for), nor generated text, which says again what its source says.
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
    """`items` (best first), each provision of a work in the language of its best item; what it says in other languages stands under that.

    A provision is the same by the URI of its work and its eid. Two wordings of it, with different dates, are two provisions here.
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
    """Whether the share of shingles in common is at least the threshold. It cannot be above the ratio of the sizes."""
    if not left or not right or min(len(left), len(right)) < THRESHOLD * max(len(left), len(right)):
        return False
    common = len(left & right)
    return common / (len(left) + len(right) - common) >= THRESHOLD
