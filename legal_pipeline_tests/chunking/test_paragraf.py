"""The rules of `paragraf`."""

from __future__ import annotations

import re

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline_tests.chunking.conftest import statute
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.chunking.promises import check_promises


def by_path(document: Document) -> dict[str, Chunk]:
    return {row.path: row for row in chunk(document).chunks}


def test_one_section_is_one_chunk_and_a_repealed_one_is_none(lighthouse_act: Document) -> None:
    assert list(by_path(lighthouse_act)) == [
        "kap1.§1", "kap1.§2", "kap2.§1", "kap2.§1@2101-01-01", "kap2.§2", "overgangsbest", "bilaga.1",
    ]  # fmt: skip


def test_a_heading_over_a_section_is_its_first_line(lighthouse_act: Document) -> None:
    assert (
        by_path(lighthouse_act)["kap1.§1"].chunk_text == "Lagens syfte\n\n1 § Denna lag gäller den som vaktar en fyr."
    )


def test_the_amendment_mark_goes_to_metadata_and_not_into_the_text(lighthouse_act: Document) -> None:
    row = by_path(lighthouse_act)["kap1.§2"]
    assert row.chunk_text.endswith("släcka den i gryningen.")
    assert row.metadata["amended_by"] == "SFS 2099:55"


def test_of_two_wordings_the_later_takes_its_date(lighthouse_act: Document) -> None:
    rows = by_path(lighthouse_act)
    assert (rows["kap2.§1"].valid_from, rows["kap2.§1"].valid_to) == (None, "2101-01-01")
    later = rows["kap2.§1@2101-01-01"]
    assert (later.valid_from, later.valid_to) == ("2101-01-01", None)
    assert "tre fyrvakter" in later.chunk_text
    assert "/Träder" not in later.chunk_text


def test_a_condition_in_place_of_a_date_gives_villkor() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("/Upphör att gälla U:den dag regeringen bestämmer/ Fyren lyser vit.")
        writer.section("1 §")
        writer.stycke("/Träder i kraft I:den dag regeringen bestämmer/ Fyren lyser röd.")

    assert list(by_path(statute(write))) == ["kap0.§1", "kap0.§1@villkor"]


def test_headers_of_chaptered_flat_and_agency_documents(lighthouse_act: Document) -> None:
    assert (
        by_path(lighthouse_act)["kap2.§2"].contextual_header
        == "Lag om fyrvakter (SFS 2099:10) > Kap 2: Bemanning > 2 §"
    )

    def flat(writer: StatuteWriter) -> None:
        writer.section("5 §")
        writer.stycke("Fyren ska vara målad.")

    assert by_path(statute(flat))["kap0.§5"].contextual_header == "Lag om fyrvakter (SFS 2099:10) > 5 §"
    agency = statute(flat, title="Fyrars färg", number="ÖFS 2099:1", doc_type="agency_regulation")
    assert by_path(agency)["kap0.§5"].contextual_header == "ÖFS 2099:1 Fyrars färg > 5 §"


def test_tier_2_headers_and_roles(lighthouse_act: Document) -> None:
    rows = by_path(lighthouse_act)
    transitional, appendix = rows["overgangsbest"], rows["bilaga.1"]
    assert transitional.contextual_header == "Lag om fyrvakter (SFS 2099:10) > Övergångsbestämmelser"
    assert (transitional.content_role, transitional.chunk_type) == ("TRANSITION_PROVISION", "transitional")
    assert appendix.contextual_header.endswith("> Bilaga 1")
    assert appendix.chunk_text == "Bilaga 1\n\nFyr | Höjd\nGråskär | 31 m"


def test_a_long_section_is_kept_whole_and_flagged() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        for _ in range(200):
            writer.stycke("En fyrvakt som lämnar sin post ska genast underrätta fyrmästaren och den närmaste lotsen.")

    (row,) = chunk(statute(write)).chunks
    assert row.metadata["oversized"] is True
    assert row.num_tokens > 1500


def test_a_section_of_more_than_twenty_thousand_tokens_is_split_at_its_stycken() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        for _ in range(1_500):
            writer.stycke("En fyrvakt som lämnar sin post ska genast underrätta fyrmästaren och den närmaste lotsen.")
        writer.section("2 §")
        writer.stycke("Fyren ska lysa.")

    act = statute(write)
    result = chunk(act)
    check_promises(act, result)
    *parts, last = result.chunks
    assert [row.path for row in parts] == ["kap0.§1", *(f"kap0.§1#{number}" for number in range(2, len(parts) + 1))]
    assert all(row.metadata["oversized"] and row.num_tokens <= 1500 for row in parts)
    assert all(row.chunk_text.endswith("lotsen.") for row in parts)
    assert last.path == "kap0.§2"
    assert last.metadata.get("oversized") is None


def test_long_transitional_provisions_split_per_amending_act_and_then_per_point() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("Fyren ska lysa.")
        writer.transitional("Övergångsbestämmelser")
        for act, points in (("2099:10", 1), ("2100:7", 120)):
            writer.transitional_act(act)
            for point in range(1, points + 1):
                writer.item(
                    f"{point}.", "Äldre föreskrifter gäller fortfarande för fyrar som har tänts före ikraftträdandet."
                )

    rows = by_path(statute(write))
    parts = [path for path in rows if path.startswith("overgangsbest.2100:7")]
    assert "overgangsbest.2099:10" in rows
    assert parts[:2] == ["overgangsbest.2100:7", "overgangsbest.2100:7#2"]
    assert all(row.num_tokens <= 1400 for row in rows.values())
    assert all(re.match(r"(2100:7\n\n)?\d+\. Äldre", rows[path].chunk_text) for path in parts)


def test_chapters_that_restart_in_each_division_keep_their_paths_apart() -> None:
    def write(writer: StatuteWriter) -> None:
        for division in ("I", "II"):
            writer.division(division, "Fyrar", f"AVD. {division} FYRAR")
            writer.chapter("1", "Allmänt", "1 kap. Allmänt")
            writer.section("1 §")
            writer.stycke("Fyren ska lysa.")

    assert list(by_path(statute(write))) == ["avdI.kap1.§1", "avdII.kap1.§1"]


def test_a_number_that_the_source_repeats_is_kept_twice() -> None:
    def write(writer: StatuteWriter) -> None:
        for text in ("Fyren ska lysa vit.", "Fyren ska lysa röd."):
            writer.section("1 §")
            writer.stycke(text)

    assert list(by_path(statute(write))) == ["kap0.§1", "kap0.§1-2"]


def convention(writer: StatuteWriter, num: str | None) -> None:
    writer.schedule(num, None, f"Bilaga {num}" if num else "Bilaga")
    writer.article("1", "Artikel 1")
    writer.stycke("Staterna ska hålla sina fyrar tända från skymning till gryning.")
    writer.chapter("II", "Vakthållning", "Kapitel II Vakthållning")
    writer.article("2", "Artikel 2")
    writer.stycke("Varje fyr ska ha en fyrvakt, som svarar för att den lyser.")


def test_a_convention_in_a_schedule_is_cut_article_by_article() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("Konventionen i bilagan gäller som svensk lag.")
        convention(writer, "1")
        convention(writer, "2")

    document = statute(write)
    result = chunk(document)
    check_promises(document, result)
    rows = by_path(document)
    assert list(rows) == [
        "kap0.§1", "bilaga.1.art1", "bilaga.1.kapII.art2", "bilaga.2.art1", "bilaga.2.kapII.art2",
    ]  # fmt: skip
    assert rows["bilaga.2.kapII.art2"].chunk_type == "statutory_text"
    assert rows["bilaga.2.kapII.art2"].contextual_header.endswith("Bilaga 2 > Kap II: Vakthållning > Artikel 2")
    assert rows["bilaga.1.art1"].metadata["schedule"] == "1"


def test_schedules_without_a_number_are_told_apart_by_their_place() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("Konventionen i bilagan gäller som svensk lag.")
        convention(writer, None)
        convention(writer, None)

    assert list(by_path(statute(write)))[1:] == [
        "bilaga.1.art1", "bilaga.1.kapII.art2", "bilaga.2.art1", "bilaga.2.kapII.art2",
    ]  # fmt: skip


def test_a_form_that_quotes_one_article_stays_whole() -> None:
    def write(writer: StatuteWriter) -> None:
        writer.section("1 §")
        writer.stycke("Blanketten i bilagan ska användas.")
        writer.schedule(None, "Blankett", "Bilaga")
        writer.stycke("Jag ansöker om tillstånd att släcka fyren under de nätter som anges här nedan.")
        writer.article("5", "Artikel 5")
        writer.stycke("Fyren får släckas.")

    assert list(by_path(statute(write))) == ["kap0.§1", "bilaga.1"]


def test_chapters_that_restart_in_divisions_under_a_part_keep_their_paths_apart() -> None:
    chapter = Part("chapter", "", "1", "Fyrar", children=(Part("section", "1 § Fyren är röd.", "1"),))
    divisions = [Part("division", "", number, "Avdelning", children=(chapter,)) for number in ("I", "II")]
    made = document(Part("part", "", "A", "Del", children=tuple(divisions)), jurisdiction="se", language="swe")
    paths = [row.path for row in chunk(made, RouterOptions("paragraf")).chunks]
    assert paths == ["avdI.kap1.§1", "avdII.kap1.§1"]


def test_a_chapter_that_is_twice_in_one_division_needs_no_division_in_its_path() -> None:
    wordings = [
        Part("chapter", "", "1", "Fyrar", children=(Part("section", f"{number} § Fyren är röd.", str(number)),))
        for number in (1, 2)
    ]
    parts = [Part("division", "", "I", "Avdelning", children=tuple(wordings))]
    paths = [
        row.path for row in chunk(document(*parts, jurisdiction="se", language="swe"), RouterOptions("paragraf")).chunks
    ]
    assert paths == ["kap1.§1", "kap1.§2"]


def swedish(*parts: Part | str) -> Document:
    return document(*parts, jurisdiction="se", language="swe")


def test_a_heading_over_a_repealed_section_is_not_the_heading_of_the_next_one() -> None:
    made = swedish(
        Part("heading", "Äldre fyrar"), Part("section", "1 § …", "1"), Part("section", "2 § Fyren lyser.", "2")
    )
    made.nodes[1].status = "repealed"
    result = chunk(made)
    assert [row.chunk_text for row in result.chunks] == ["2 § Fyren lyser."]
    assert [(item.start, item.reason) for item in result.exclusions] == [
        (0, "heading of a repealed provision"),
        (13, "repealed provision"),
    ]


def test_a_heading_over_a_schedule_is_left_out_with_its_reason() -> None:
    made = swedish(
        Part("section", "1 § Fyren lyser.", "1"),
        Part("heading", "Tillägg"),
        Part("schedule", "Fyrar och deras höjd i meter."),
    )
    result = chunk(made)
    assert [row.path for row in result.chunks] == ["kap0.§1", "bilaga.1"]
    assert [item.reason for item in result.exclusions] == ["heading without text below it"]


def test_the_parts_of_a_long_schedule_are_one_schedule_when_schedules_without_a_number_are_counted() -> None:
    blocks = [Part("block", f"Fyr {number} lyser från skymning till gryning varje natt.") for number in range(150)]
    made = swedish(
        Part("section", "1 § Fyren lyser.", "1"),
        Part("schedule", "Fyrar", children=blocks),
        Part("schedule", "Fyrarnas höjd i meter."),
    )
    paths = [row.path for row in chunk(made).chunks]
    assert paths[1:3] == ["bilaga.1", "bilaga.1#2"]
    assert paths[-1] == "bilaga.2"


def test_the_last_amendment_is_that_of_the_wording_and_a_footnote_has_no_part_in_its_role() -> None:
    rule, note = Part("subsection", "Den som släcker en fyr döms till böter."), Part("footnote", "Jfr KFS 2098:4.")
    made = swedish(Part("section", "1 §", "1", children=(rule, note)))
    made.nodes[0].amendments = (Amendment("SFS 2098:4"), Amendment("SFS 2099:5"))
    made.nodes[0].children[0].role = "SANCTION"
    (row,) = chunk(made).chunks
    assert (row.metadata["amended_by"], row.content_role) == ("SFS 2099:5", "SANCTION")


def fyrlag(*parts: Part) -> Document:
    return document(
        *parts, jurisdiction="se", language="swe", document_id="se-sfs-2099-4", title="Fyrlag", number="2099:4"
    )


def lamp(num: str | None) -> Part:
    return Part("section", f"{num} § Lampan lyser." if num else "Lampan lyser.", num)


def test_a_chunk_names_its_chapter_and_schedule_in_its_metadata() -> None:
    chapter = Part("chapter", "2 kap. Lampor", "2", "Lampor", children=[lamp("1")])
    rows = by_path(fyrlag(chapter, Part("schedule", "Formulär för lampor.", "1"), Part("schedule", "Formulär.")))
    names = ("section", "chapter", "chapter_heading", "schedule")
    assert [[row.metadata.get(name) for name in names] for row in rows.values()] == [
        ["1 §", "2", "Lampor", None],
        [None, None, None, "1"],
        [None, None, None, None],
    ]
    assert [row.contextual_header for row in rows.values()] == [
        "Fyrlag (2099:4) > Kap 2: Lampor > 1 §",
        "Fyrlag (2099:4) > Bilaga 1",
        "Fyrlag (2099:4) > Bilaga",
    ]


def test_a_chapter_and_a_section_without_a_number_have_none_in_path_and_header() -> None:
    rows = by_path(fyrlag(Part("chapter", "Inledning", children=[lamp("1"), lamp(None)])))
    assert list(rows) == ["kap0.§1", "kap0.§"]
    assert "None" not in "".join(row.contextual_header for row in rows.values())
    assert rows["kap0.§"].metadata.get("section") is None


def test_a_section_before_the_divisions_has_no_division_in_its_path() -> None:
    divisions = [
        Part("division", f"Avd. {num}", num, children=[Part("chapter", "1 kap.", "1", children=[lamp("1")])])
        for num in "12"
    ]
    rows = by_path(fyrlag(lamp("1"), *divisions))
    assert list(rows) == ["kap0.§1", "avd1.kap1.§1", "avd2.kap1.§1"]
    assert [row.metadata.get("division") for row in rows.values()] == [None, "1", "2"]
