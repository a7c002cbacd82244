"""Every provision of a law is found once, with its own text, in the drafting styles of many languages."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.recogniser.drafting import DRAFTINGS, Drafting, Printed, printed, with_quotes

#: Blank lines between the blocks, and none.
_LAYOUTS = ("\n\n", "\n")


def _read(text: str) -> Document:
    return parse(SourceFile("law.txt", text.encode()), "plain_text")


def _assert_found_once(law: Printed, layout: str) -> Document:
    document = _read(law.text.replace("\n\n", layout))
    found = [
        (node, parents)
        for node, parents in document.walk_with_ancestors()
        if node.type in ("article", "section") and node.num
    ]
    assert [node.num for node, _ in found] == [number for number, _ in law.provisions]
    names = {name for _, name in law.provisions}
    for (node, _), (_, own) in zip(found, law.provisions, strict=True):
        assert {name for name in names if name in document.text_of(node)} == {own}
    inside = [any(parent.type == "schedule" for parent in parents) for _, parents in found]
    body = len(found) - law.annexed
    assert inside == [False] * body + [True] * law.annexed
    assert all(parents for _, parents in found[:body])
    return document


@pytest.mark.parametrize("layout", _LAYOUTS, ids=("blank lines", "no blank lines"))
@pytest.mark.parametrize("drafting", DRAFTINGS.values(), ids=DRAFTINGS)
def test_an_inserted_provision_is_a_provision_of_its_own(drafting: Drafting, layout: str) -> None:
    _assert_found_once(printed(drafting, inserted=True), layout)


@pytest.mark.parametrize("layout", _LAYOUTS, ids=("blank lines", "no blank lines"))
@pytest.mark.parametrize("drafting", DRAFTINGS.values(), ids=DRAFTINGS)
def test_provisions_of_annexes_stay_in_their_annex(drafting: Drafting, layout: str) -> None:
    _assert_found_once(printed(drafting, annexes=True), layout)


@pytest.mark.parametrize("drafting", DRAFTINGS.values(), ids=DRAFTINGS)
def test_a_list_of_the_provisions_before_the_law_is_not_the_law(drafting: Drafting) -> None:
    document = _assert_found_once(printed(drafting, contents=True), "\n\n")
    assert sum(node.type in ("chapter", "division", "title") for node in document.walk()) == 3


@pytest.mark.parametrize("layout", _LAYOUTS, ids=("blank lines", "no blank lines"))
@pytest.mark.parametrize("drafting", DRAFTINGS.values(), ids=DRAFTINGS)
def test_quoted_provisions_stay_in_the_provision_that_quotes_them(drafting: Drafting, layout: str) -> None:
    law = printed(drafting, quoted=True)
    document = _assert_found_once(law, layout)
    host = next(node for node in document.provisions() if node.num == "7")
    assert [name for name in law.quoted if name in document.text_of(host)] == list(law.quoted)


@pytest.mark.parametrize("quotes", ['""', "””", "“”", "„“", "„”", "«»", "»«"])
def test_any_pair_of_quotation_marks_encloses_a_quoted_law(quotes: str) -> None:
    _assert_found_once(printed(with_quotes(DRAFTINGS["eng"], quotes), quoted=True), "\n\n")


def test_items_with_a_numeral_and_a_dash_have_their_letters_inside_them() -> None:
    items = "I - acender a lâmpada;\n\nII - vigiar a lâmpada:\n\na) durante a noite; e\n\nb) no nevoeiro.\n\nIII - dormir de dia."
    law = "\n\n".join(f"Art. {number}º O faroleiro deve:\n\n{items}" for number in range(1, 5))
    document = _read(f"LEI Nº 9.777, DE 1º DE MAIO DE 2031\n\n{law}")
    eids = [node.eid for node in document.walk() if (node.eid or "").startswith("art_2__")]
    assert eids == ["art_2__para_i", "art_2__para_ii", "art_2__para_ii__item_a", "art_2__para_ii__item_b", "art_2__para_iii"]  # fmt: skip


def test_an_item_begins_behind_a_dash_and_behind_and_where_lines_are_wrapped() -> None:
    rules = """(1) A keeper of a lighthouse on the coast must light the lamp at dusk
and must not sleep at any time of the night in that lighthouse unless—
(a) the lamp of the lighthouse is lit and burns with a clear flame; and
(b) another keeper of the same lighthouse watches it until the dawn.
(2) Paragraphs of subsection (1), that is paragraph (a), or paragraph
(b) of it, apply to the islands of the harbour and to its piers too."""
    law = "\n\n".join(f"Section {number}\n\n{rules}" for number in range(1, 6))
    document = _read(f"Lamps Act 2031\n\n{law}")
    eids = [node.eid for node in document.walk() if (node.eid or "").startswith("sec_3__") and node.num]
    assert eids == ["sec_3__subsec_1", "sec_3__subsec_1__para_a", "sec_3__subsec_1__para_b", "sec_3__subsec_2"]
