"""Names of nodes: unique, and made in time linear in their number."""

from __future__ import annotations

import time

from legal_pipeline.corpus.document import Node
from legal_pipeline.corpus.identity import assign_eids


def test_a_number_that_stands_twice_gets_the_first_free_suffix() -> None:
    nodes = [
        Node("section", 0, 0, num, eid=eid) for num, eid in (("3", None), ("3", None), ("9", "sec_3-3"), ("3", None))
    ]
    assign_eids(nodes)
    assert [node.eid for node in nodes] == ["sec_3", "sec_3-2", "sec_3-3", "sec_3-4"]


def test_twenty_thousand_sections_of_one_number_are_named_in_less_than_two_seconds() -> None:
    nodes = [Node("section", 0, 0, "1") for _ in range(20_000)]
    started = time.perf_counter()
    assign_eids(nodes)
    assert time.perf_counter() - started < 2
    assert len({node.eid for node in nodes}) == len(nodes)
