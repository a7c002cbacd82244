"""Names of nodes: unique, and made in time linear in their number; texts as hashes take them."""

from __future__ import annotations

from legal_pipeline.jurisdictions.series import numbered_identity
from legal_pipeline.model.document import Node
from legal_pipeline.model.identity import assign_eids, country_and_part, path_slug
from legal_pipeline_tests.growth import at_most


def test_a_number_that_stands_twice_gets_the_first_free_suffix() -> None:
    nodes = [
        Node("section", 0, 0, num, eid=eid) for num, eid in (("3", None), ("3", None), ("9", "sec_3-3"), ("3", None))
    ]
    assign_eids(nodes)
    assert [node.eid for node in nodes] == ["sec_3", "sec_3-2", "sec_3-3", "sec_3-4"]


def test_a_provision_without_a_number_is_not_number_one() -> None:
    nodes = [Node("article", 0, 0), Node("article", 0, 0), Node("article", 0, 0, "1"), Node("chapter", 0, 0)]
    assign_eids(nodes)
    assert [node.eid for node in nodes] == ["art_unnumbered", "art_unnumbered-2", "art_1", "chp_1"]


def test_twenty_thousand_sections_of_one_number_are_named_in_less_than_two_seconds() -> None:
    nodes = [Node("section", 0, 0, "1") for _ in range(20_000)]
    with at_most(2):
        assign_eids(nodes)
    assert len({node.eid for node in nodes}) == len(nodes)


def test_a_swedish_number_names_its_act_with_or_without_its_series() -> None:
    assert numbered_identity("SFS 1977:1160") == numbered_identity("1977:1160") == numbered_identity("1977:1160", "se")
    assert numbered_identity("AFS 2023:1") == ("se-afs-2023-1", "/akn/se/act/afs/2023/1")
    assert numbered_identity("1977:1160", "in") is numbered_identity("Act 17 of 2002") is None


def test_paths_that_a_slug_cannot_tell_apart_have_a_hash_and_folders_are_part_of_it() -> None:
    assert path_slug("laws/lamps.html") == "laws-lamps"
    assert path_slug("acts/lamps.html") != path_slug("laws/lamps.html")
    assert path_slug("法律.txt") != path_slug("条例.txt")
    long = "lamps/" * 40
    assert path_slug(f"{long}a.txt") != path_slug(f"{long}b.txt")


def test_the_part_of_a_country_is_the_one_that_the_file_states_before_that_of_the_work() -> None:
    assert country_and_part("xx-no", "/akn/xx-so/act/2099/1") == {"jurisdiction": "xx", "subdivision": "xx-no"}
