"""Which chunks belong to which summary, and which summaries an amendment reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.enrichment import raptor
from legal_pipeline.enrichment.enricher import Generator
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking.plain import Part
from legal_pipeline_tests.chunking.plain import document as plain_document

ENGINE = Generator("engine", "1")


def read(name: str, text: str) -> tuple[Document, list[dict[str, Any]]]:
    """A document and its chunk rows."""
    return cut(parse(SourceFile(name, text.encode())))


def cut(document: Document) -> tuple[Document, list[dict[str, Any]]]:
    (chunked,) = chunk_batch([document], [RouterOptions()], no_model)  # type: ignore[arg-type]
    assert not isinstance(chunked, Exception)
    return document, [chunk.to_row() for chunk in chunked.chunks]


def no_model() -> None:
    raise AssertionError("structured texts need no model")


def flat(sections: list[str], headings: dict[int, str] | None = None) -> str:
    """A Swedish law without chapters; `headings` stand above the § of that place."""
    blocks = ["Lag (2099:30) om fyrljus"]
    for place, section in enumerate(sections):
        if heading := (headings or {}).get(place):
            blocks.append(heading)
        blocks.append(f"{section} § Ljuset i torn {section} ska lysa med fast sken under natten.")
    return "\n\n".join(blocks) + "\n"


def hashes(document: Document, rows: list[dict[str, Any]]) -> dict[str, str]:
    """Group key -> node hash."""
    return {
        group.key: raptor.node_hash(
            ENGINE, group.header, document.language, 1, [raptor.leaf_hash(row) for row in group.chunks]
        )
        for group in raptor.groups(document, rows)
    }


def test_without_chapters_and_headings_runs_of_twenty_are_made_by_number() -> None:
    found = raptor.groups(*read("lag.txt", flat([str(number) for number in range(1, 46)])))
    assert [(group.label, len(group.chunks)) for group in found] == [("1–20", 20), ("21–40", 20), ("41–60", 5)]
    assert found[0].header == "Lag om fyrljus (SFS 2099:30) > 1–20"


def test_an_inserted_section_changes_its_own_run_alone() -> None:
    numbers = [str(number) for number in range(1, 46)]
    before = hashes(*read("lag.txt", flat(numbers)))
    after = hashes(*read("lag.txt", flat([*numbers[:3], "3 a", *numbers[3:]])))
    assert {key for key in after if before.get(key) != after[key]} == {"run 1"}


def test_headings_over_groups_make_the_groups_where_they_stand_over_several_sections() -> None:
    numbers = [str(number) for number in range(1, 9)]
    found = raptor.groups(*read("lag.txt", flat(numbers, {0: "Ljusets styrka", 4: "Ljusets färg"})))
    assert [(group.label, len(group.chunks)) for group in found] == [("Ljusets styrka", 4), ("Ljusets färg", 4)]
    # a heading over every section is not a group
    headings = {place: f"Torn nummer {place}" for place in range(8)}
    found = raptor.groups(*read("lag.txt", flat(numbers, headings)))
    assert [group.label for group in found] == ["1–20"]


def test_chapters_make_the_groups_and_what_stands_beside_them_is_apart() -> None:
    text = (
        "Lag (2099:31) om fyrar\n\n1 kap. Ljus\n\n1 § Ljuset ska lysa.\n\n2 § Ljuset är vitt.\n\n"
        "2 kap. Ljud\n\n1 § Mistluren ska ljuda.\n\n"
        "Övergångsbestämmelser\n\n2099:31\n\nDenna lag träder i kraft den 1 juli 2099.\n"
    )
    document, rows = read("lag.txt", text)
    found = raptor.groups(document, rows)
    assert [(group.label, len(group.chunks)) for group in found] == [
        ("Kap 1: Ljus", 2),
        ("Kap 2: Ljud", 1),
        ("Transitional provisions", 1),
    ]
    assert (found[1].chapter, found[1].chapter_heading) == ("2", "Ljud")
    assert [row["chunk_id"] for group in found for row in group.chunks] == [row["chunk_id"] for row in rows]


def test_a_node_is_known_by_its_children_in_order_its_title_and_its_generator() -> None:
    base = raptor.node_hash(ENGINE, "t", "swe", 1, ["a", "b"])
    assert raptor.node_hash(ENGINE, "t", "swe", 1, ["a", "b"]) == base
    others = [
        raptor.node_hash(ENGINE, "t", "swe", 1, ["b", "a"]),
        raptor.node_hash(ENGINE, "t", "swe", 0, ["a", "b"]),
        raptor.node_hash(ENGINE, "u", "swe", 1, ["a", "b"]),
        raptor.node_hash(Generator("engine", "2"), "t", "swe", 1, ["a", "b"]),
        raptor.node_hash(Generator("other", "1"), "t", "swe", 1, ["a", "b"]),
    ]
    assert len({base, *others}) == 6


def test_a_leaf_is_the_same_wherever_it_stands() -> None:
    _, before = read("lag.txt", flat(["1", "2"]))
    _, after = read("lag.txt", flat(["1", "1 a", "2"]))
    assert before[1]["start_char"] != after[2]["start_char"]
    assert raptor.leaf_hash(before[1]) == raptor.leaf_hash(after[2])


def test_an_insertion_among_unnumbered_chunks_moves_one_boundary_only() -> None:
    document, (row, *_) = read("lag.txt", flat(["1", "2"]))
    texts = [f"Stycke {number} om fyrens skötsel och ljus." for number in range(200)]

    def keys(texts: list[str]) -> list[frozenset[str]]:
        rows = [{**row, "start_char": 0, "eid": None, "chunk_text": text, "chunk_id": text} for text in texts]
        loose = Document("d", document.text, (), "T", "se", "guidance", "swe", "f", "1")
        return [frozenset(one["chunk_text"] for one in group.chunks) for group in raptor.groups(loose, rows)]

    before = keys(texts)
    after = keys([*texts[:70], "Ett nytt stycke.", *texts[70:]])
    assert len(before) > 5
    assert all(raptor.RUN // 2 <= len(group) <= 2 * raptor.RUN for group in before[:-1])
    assert len(set(after) - set(before)) <= 3


@pytest.mark.corpus
@pytest.mark.parametrize(
    "path",
    [
        "se/riksdagen_html/sfs-1977-1160.tom-2025-732.riksdagen.html",
        "zw/zimlii_json/zw-1985-16.json",
        "in/acts_json/ipc.json",
    ],
)
def test_every_chunk_of_a_real_act_is_in_one_group_in_text_order(corpus: Path, path: str) -> None:
    file = corpus / path
    document, rows = cut(parse(SourceFile(file.name, file.read_bytes())))
    found = raptor.groups(document, rows)
    members = [row["chunk_id"] for group in found for row in group.chunks]
    assert sorted(members) == sorted(row["chunk_id"] for row in rows if row["parent_chunk_id"] is None)
    assert len({group.key for group in found}) == len(found)
    for group in found:
        starts = [row["start_char"] for row in group.chunks]
        assert starts == sorted(starts)
        assert group.header.startswith(rows[0]["contextual_header"].split(" > ")[0])
    chapters = {node.eid for node in document.walk() if node.type == "chapter" and any(node.walk())}
    assert not chapters or len([group for group in found if group.chapter]) > 1


def lamp(number: str) -> Part:
    return Part("section", f"{number}. The keeper lights lamp {number}.", number)


def grouped(*parts: Part) -> list[tuple[str, str, int]]:
    """Key, label and number of chunks of each group."""
    found = raptor.groups(*cut(plain_document(*parts)))
    assert all(group.header == f"Lighthouses Act (Act 4 of 2099) > {group.label}" for group in found)
    return [(group.key, group.label, len(group.chunks)) for group in found]


def test_the_groups_of_an_act_are_its_chapters_or_the_innermost_levels_where_it_has_none() -> None:
    oil = Part("subchapter", num="A", heading="Oil", children=(lamp("1"), lamp("2")))
    chapters = [
        Part("chapter", num="1", heading="Lamps", children=(oil, Part("subchapter", num="B", children=(lamp("3"),)))),
        Part("chapter", num="2", heading="Horns", children=(lamp("4"),)),
    ]
    fog = Part("subpart", num="B", heading="Fog", children=(lamp("5"),))
    parts = [
        Part("part", num="I", heading="Rights", children=chapters),
        Part("part", num="II", heading="Duties", children=(fog, lamp("6"))),
    ]
    forms = [
        Part("schedule", f"The form of a record of {things}.", num) for things, num in (("lamps", "1"), ("horns", None))
    ]
    assert grouped(*parts, *forms) == [
        ("part_i__chp_1", "Part I: Rights > Chapter 1: Lamps", 3),
        ("part_i__chp_2", "Part I: Rights > Chapter 2: Horns", 1),
        ("part_ii__subpart_b", "Part II: Duties > Subpart B: Fog", 1),
        ("part_ii", "Part II: Duties", 1),
        ("sched_1", "Schedule 1", 1),
        ("sched_2", "Schedule", 1),
    ]
    first = raptor.groups(*cut(plain_document(*parts)))[0]
    assert (first.chapter, first.chapter_heading) == ("1", "Lamps")


def test_headings_make_groups_if_each_stands_over_two_sections_on_the_average() -> None:
    headings = [Part("heading", "Lamps of brass"), Part("heading", "Horns of brass")]
    old = Part("transitional", "Old lamps stay until the year 2040.")
    assert grouped(headings[0], lamp("1"), lamp("2"), headings[1], lamp("3"), lamp("4"), old) == [
        ("group Lamps of brass", "Lamps of brass", 2),
        ("group Horns of brass", "Horns of brass", 2),
        ("Transitional provisions", "Transitional provisions", 1),
    ]
    assert grouped(headings[0], lamp("1"), lamp("2"), headings[1], lamp("3"), old) == [
        ("run 1", "1–20", 3),
        ("Transitional provisions", "Transitional provisions", 1),
    ]
    assert grouped(headings[0], *map(lamp, ("1", "2", "3", "4"))) == [("run 1", "1–20", 4)]


def test_a_section_is_in_the_run_of_its_number_without_its_letter() -> None:
    assert grouped(*map(lamp, ("1", "20", "20A", "21", "40", "41"))) == [
        ("run 1", "1–20", 3),
        ("run 21", "21–40", 2),
        ("run 41", "41–60", 1),
    ]
