"""What a printed citation is made of: the fields of a chunk. Not here: the forms of citations (`retrieval/test_citation_form`)."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.citations.printed import numbered_act, pins, provision_kind, provision_number, with_path


@pytest.mark.parametrize(
    ("section", "number", "kind"),
    [
        ("Section 12A — Retrenchment", "12A", "sec"),
        ("Chapter 2 > Section 3", "3", "sec"),
        ("Section 5.", "5", "sec"),
        ("Article L. 3-1", "L. 3-1", "art"),
        ("Artikel 6", "6", "art"),
        ("Article 1 bis", "1 bis", "art"),
        ("3 §", None, "sec"),
        (None, None, "sec"),
    ],
)
def test_a_label_has_the_number_and_the_kind_of_its_provision(
    section: str | None, number: str | None, kind: str
) -> None:
    payload = {"section": section}
    assert (provision_number(payload), provision_kind(payload)) == (number, kind)


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (["sec_3__subsec_2__para_a", "sec_3__subsec_2__para_b"], "(2)"),
        (["sec_3__subsec_2__para_a"], "(2)(a)"),
        (["sec_3__subsec_2", "sec_3__subsec_2__para_a"], "(2)"),
        (["sec_3__subsec_2__para_a", "sec_3__subsec_4__para_a"], ""),
        # what is below another provision does not count
        (["sec_3__subsec_2", "sec_4__subsec_5"], "(2)"),
        ([], ""),
    ],
)
def test_a_part_is_cited_by_the_levels_that_all_of_it_is_below(held: list[str], expected: str) -> None:
    assert pins({"eid": "sec_3", "subdivisions": held}) == expected


@pytest.mark.parametrize(
    ("payload", "act"),
    [
        ({"title": "Lamps Act", "number": "Act 7 of 2031"}, "Lamps Act (Act 7 of 2031)"),
        ({"title": "Lamps Act (Act 7 of 2031)", "number": "Act 7 of 2031"}, "Lamps Act (Act 7 of 2031)"),
        ({"title": "Lamps Act"}, "Lamps Act"),
        ({"number": "Act 7 of 2031"}, "Act 7 of 2031"),
        ({}, ""),
    ],
)
def test_an_act_is_named_with_its_number_once(payload: dict[str, Any], act: str) -> None:
    assert numbered_act(payload) == act
    assert with_path(act, {"path": "Table 2"}) == (f"{act}, Table 2" if act else "Table 2")
