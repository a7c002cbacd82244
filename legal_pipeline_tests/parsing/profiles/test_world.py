"""The official files of other countries: as many provisions as their publisher marks, each with a number, and no word lost.

`counts.toml` states the counts; they come from the FORMAT.md beside the files, not from the profiles.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import PROVISIONS, Amendment, Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import count_shown_words, lost_words

_COUNTS = tomllib.loads(Path(__file__).with_name("counts.toml").read_text("utf-8"))


def read(corpus: Path, name: str) -> tuple[SourceFile, Document]:
    path = corpus / "world" / name
    source = SourceFile(path.name, path.read_bytes())
    return source, parse(source)


@pytest.mark.parametrize("name", sorted(_COUNTS))
def test_every_marked_provision_is_read(corpus: Path, name: str) -> None:
    source, document = read(corpus, name)
    found = Counter(node.type for node in document.walk())
    assert {kind: found[kind] for kind in _COUNTS[name]} == _COUNTS[name]
    assert not lost_words(source, document)
    # without words of the source none would be lost
    assert count_shown_words(source, document.format) > 0.85 * len(document.text.split())
    provisions = [node for node in document.walk() if node.type in PROVISIONS]
    assert len({node.eid for node in provisions}) == len(provisions)


def test_an_amendment_has_its_act_its_date_of_force_and_what_it_did(corpus: Path) -> None:
    _, document = read(corpus, "no/sample-penal-code.xml")
    sections = {node.num: node for node in document.walk() if node.type == "section"}
    assert sections["3"].amendments[0] == Amendment("lov 2005-06-17 nr. 90", "2008-01-01", "amended")
    assert [amendment.action for amendment in sections["207"].amendments] == ["inserted", "repealed"]
    assert sections["207"].status == "repealed"


def test_a_schedule_that_was_inserted_before_the_first_is_cited_by_its_number(corpus: Path) -> None:
    _, document = read(corpus, "uk/sample-welsh-anaw-2014-4.xml")
    schedules = [node.eid for node in document.walk() if node.type == "schedule"]
    assert schedules == ["sched_a1", "sched_1", "sched_2", "sched_3"]
    assert "sched_a1__para_2" in {node.eid for node in document.walk()}


def test_the_versions_of_one_act_are_one_work_with_dates_of_their_own(corpus: Path) -> None:
    names = ("OLDEST_12846827", "PREV_127042011002", "115052015002")
    versions = [read(corpus, f"ee/constitution_{name}.xml")[1] for name in names]
    assert {version.work_uri for version in versions} == {"/akn/ee/act/pohiseadus"}
    assert [version.as_of_date for version in versions] == ["2007-07-21", "2011-07-22", "2015-08-13"]
    assert [version.metadata["valid_to"] for version in versions] == ["2011-07-21", "2015-08-12", "2025-07-08"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("pl/sample-ustawa-odra-2023-1963.html", "Ustawa z dnia 13 lipca 2023 r. o rewitalizacji rzeki Odry"),
        ("ro/sample-constitution.html", "CONSTITUȚIE din 21 noiembrie 1991"),
    ],
)
def test_a_note_on_the_title_is_not_part_of_it(corpus: Path, name: str, title: str) -> None:
    assert read(corpus, name)[1].title == title


def test_a_number_that_the_user_states_is_that_of_a_page_without_one(corpus: Path) -> None:
    path = corpus / "world/lv/likumi-57980-satversme.html"
    document = parse(SourceFile(path.name, path.read_bytes(), hints={"number": "77:1"}))
    assert document.number == "77:1"
