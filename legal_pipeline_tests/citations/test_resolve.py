"""Rules of the resolver: what mentions mean in a document, whatever the country, and that scanners need no document."""

from __future__ import annotations

import inspect

import pytest

from legal_pipeline.citations import CitingDocument, mentions
from legal_pipeline.citations.mention import AGAIN, EARLIER, OWN, SECTION, UNKNOWN, UNSAID, Mention, Work, known
from legal_pipeline.citations.model import EidIndex
from legal_pipeline.citations.resolve import resolve
from legal_pipeline.jurisdictions.jurisdiction import countries

HERE, OTHER = "/akn/xx/act/2030/1", "/akn/xx/act/1999/7"
ACT = CitingDocument(
    HERE,
    "act",
    (
        ("chp_1__sec_1", 0, 100),
        ("chp_1__sec_1__subsec_2", 50, 100),
        ("chp_1__sec_2", 100, 200),
        ("chp_1__sec_2a", 200, 300),
        ("chp_1__sec_3", 300, 400),
        ("chp_2__sec_8", 400, 500),
        ("chp_2__sec_8__item_8b", 450, 500),
    ),
)
JUDGMENT = CitingDocument("/akn/xx/judgment/2031/4", "judgment")


def mention(at: int, work: Work, *eids: str, **more: object) -> Mention:
    kind = "provision" if eids else "act"
    return Mention(at, at + 4, "text", work, more.pop("kind", kind), eids, **more)  # type: ignore[arg-type]


def targets(found: list[Mention], document: CitingDocument | None = ACT) -> list[tuple[str | None, str | None]]:
    return [(reference.work_uri, reference.eid) for reference in resolve(found, document)]


def test_this_act_is_the_citing_one_and_never_a_judgment() -> None:
    assert targets([mention(10, OWN)]) == [(HERE, None)]
    assert targets([mention(10, OWN)], JUDGMENT) == targets([mention(10, OWN)], None) == []
    assert targets([mention(10, OWN, "sec_2")], JUDGMENT) == [(None, "sec_2")]


def test_a_provision_of_the_citing_work_has_the_name_that_it_has_there() -> None:
    assert targets([mention(10, known(HERE), "sec_8")]) == [(HERE, "chp_2__sec_8")]
    assert targets([mention(10, known(OTHER), "sec_8")]) == [(OTHER, "sec_8")]


def test_a_bare_number_that_the_citing_work_lacks_is_another_works() -> None:
    assert targets([mention(10, UNSAID, "sec_8"), mention(20, UNSAID, "sec_77")]) == [
        (HERE, "chp_2__sec_8"),
        (None, "sec_77"),
    ]
    assert targets([mention(10, OWN, "sec_77")]) == [(HERE, "sec_77")]


def test_without_a_citing_work_a_bare_number_is_of_the_work_that_is_taken_for_granted() -> None:
    bare = mention(10, Work("unsaid", OTHER), "art_5")
    assert targets([bare], JUDGMENT) == [(OTHER, "art_5")]
    assert targets([bare]) == [(None, "art_5")]


def test_the_said_act_is_the_one_remembered_last() -> None:
    found = [mention(5, known(OTHER), is_remembered=True), mention(10, known("/x")), mention(15, EARLIER, "sec_4")]
    assert targets(found)[-1] == (OTHER, "sec_4")
    unknown = [
        mention(5, known(OTHER), is_remembered=True),
        mention(10, UNKNOWN, is_remembered=True),
        mention(15, EARLIER, "sec_4"),
    ]
    assert targets(unknown)[-1] == (None, "sec_4")


def test_a_short_name_means_nothing_before_the_text_gives_it_and_nothing_for_an_unknown_act() -> None:
    code = Work("short", name="the Code")
    found = [mention(5, code, "sec_4"), mention(10, known(OTHER), names=("the Code",)), mention(15, code, "sec_5")]
    found += [mention(20, UNKNOWN, names=("the Code",)), mention(25, code, "sec_6")]
    assert targets(found) == [(None, "sec_4"), (OTHER, None), (OTHER, "sec_5"), (None, None), (None, "sec_6")]


def test_a_range_has_what_stands_between_its_ends_in_the_citing_work() -> None:
    assert targets([mention(10, OWN, "sec_1", "sec_2", "sec_3")]) == [
        (HERE, f"chp_1__{name}") for name in ("sec_1", "sec_2", "sec_2a", "sec_3")
    ]
    assert targets([mention(10, known(OTHER), "sec_1", "sec_2")]) == [(OTHER, "sec_1"), (OTHER, "sec_2")]


def test_a_range_behind_a_list_begins_after_the_entry_before() -> None:
    found = [mention(10, OWN, "sec_1"), mention(16, OWN, "sec_2", "sec_3", after="sec_1")]
    assert [eid for _, eid in targets(found)] == ["chp_1__sec_1", "chp_1__sec_2", "chp_1__sec_2a", "chp_1__sec_3"]


def test_this_section_is_the_one_that_the_words_stand_in() -> None:
    assert targets([mention(60, SECTION), mention(60, SECTION, "subsec_2"), mention(600, SECTION)]) == [
        (HERE, "chp_1__sec_1"),
        (HERE, "chp_1__sec_1__subsec_2"),
    ]
    assert targets([mention(60, SECTION, "subsec_9", must_exist=True)]) == []


def test_the_same_chapter_is_the_one_cited_last_with_its_act() -> None:
    found = [mention(10, known(OTHER), "chp_3__sec_1"), mention(16, Work("chapter"), "sec_2")]
    assert targets(found) == [(OTHER, "chp_3__sec_1"), (OTHER, "chp_3__sec_2")]
    assert targets(found[1:]) == [(HERE, "chp_1__sec_2")]


def test_id_is_the_reference_before_but_not_a_parallel_report() -> None:
    first, second = mention(5, known("/case"), kind="case"), mention(10, known("/same"), kind="case", is_parallel=True)
    assert targets([first, second, mention(15, AGAIN)])[-1] == ("/case", None)
    assert targets([mention(15, AGAIN)]) == []
    section = mention(5, known(OTHER), "sec_4")
    assert targets([section, mention(15, AGAIN, "sec_4__subsec_1")])[-1] == (OTHER, "sec_4__subsec_1")
    assert targets([section, mention(15, AGAIN, "sec_5")])[-1] == (None, "sec_5")


def test_the_entries_of_a_list_are_of_the_act_that_announces_it() -> None:
    act, entry = mention(5, known(OTHER), is_remembered=True), Work("own", announced=(0, 12))
    assert targets([act, mention(20, entry, "sec_2")])[-1] == (OTHER, "sec_2")
    assert targets([mention(20, entry, "sec_2")]) == [(HERE, "chp_1__sec_2")]


def test_the_number_of_a_provision_is_not_a_reference_to_it() -> None:
    assert targets([mention(100, UNSAID, "sec_2", opening=100), mention(110, UNSAID, "sec_1", opening=110)]) == [
        (HERE, "chp_1__sec_1")
    ]


def test_a_letter_behind_a_number_is_part_of_it_where_the_work_has_such_a_point() -> None:
    assert targets([mention(410, OWN, "sec_8__item_8__item_b", is_lettered=True)]) == [(HERE, "chp_2__sec_8__item_8b")]
    assert targets([mention(410, OWN, "sec_8__item_8__item_b")]) == [(HERE, "chp_2__sec_8__item_8__item_b")]


def test_a_number_in_the_series_of_the_citing_work_is_of_that_series() -> None:
    part = CitingDocument("/x/t8/p204", "regulation", (("sec_204.6", 0, 50),))
    found = [
        mention(10, Work("beside", r"/x/t\d+", f"/p{number[:3]}/s{number}"), f"sec_{number}")
        for number in ("204.6", "103.2")
    ]
    assert targets(found, part) == [("/x/t8/p204", "sec_204.6"), ("/x/t8/p103/s103.2", "sec_103.2")]
    assert targets(found, ACT) == []


def test_every_reference_says_which_provision_it_stands_in() -> None:
    assert [item.within for item in resolve([mention(210, OWN), mention(700, OWN)], ACT)] == ["chp_1__sec_2a", None]


def test_a_reference_keeps_the_columns_of_the_table_and_of_chunks() -> None:
    (reference,) = resolve([mention(210, OWN, "sec_3")], ACT)
    assert list(reference.row("xx-1").items()) == [
        ("document_id", "xx-1"), ("eid", "chp_1__sec_2a"), ("start", 210), ("end", 214), ("raw", "text"), ("target_work_uri", HERE),
        ("target_eid", "chp_1__sec_3"), ("kind", "provision"),
    ]  # fmt: skip
    assert list(reference.to_json()) == ["start", "end", "raw", "work_uri", "eid", "kind"]


def test_a_scanner_takes_a_text_and_nothing_else() -> None:
    """One test for all countries: their grammars, compiled for its parameters, would cost each process that collects tests seconds."""
    scanners = {country: scanner for country in countries() if (scanner := country.scanner) is not None}
    assert len(scanners) > 20
    for country, scanner in scanners.items():
        assert len(inspect.signature(scanner).parameters) == 1
        assert list(mentions("", country)) == []


def test_words_that_always_mean_the_citing_provision_mean_it_also_after_another_work() -> None:
    other = mention(10, known(OTHER), "sec_4")
    own = mention(20, SECTION, "subsec_2", must_exist=True)
    assert targets([other, own]) == [(OTHER, "sec_4"), (HERE, "chp_1__sec_1__subsec_2")]
    # "subsection (2)" alone may be of the work that was named
    assert targets([other, mention(20, Work("section", since=0), "subsec_2", must_exist=True)]) == [(OTHER, "sec_4")]


def test_there_are_no_provisions_from_a_later_one_to_an_earlier_one() -> None:
    assert ACT.between("chp_1__sec_1", "chp_1__sec_3") == [
        "chp_1__sec_1",
        "chp_1__sec_2",
        "chp_1__sec_2a",
        "chp_1__sec_3",
    ]
    assert ACT.between("chp_1__sec_3", "chp_1__sec_1") == ACT.between("chp_1__sec_3", "chp_1__sec_9") == []


@pytest.mark.parametrize("own", ["art_12-bis", "chp_2__art_12-bis", "art_12bis"])
def test_a_publisher_may_name_a_node_with_a_hyphen_before_its_letters(own: str) -> None:
    assert EidIndex([own, "art_12"]).resolve("art_12bis") == own


LAST = Work("provision", since=0)


def test_the_provision_cited_last_is_not_a_case_and_not_one_of_an_earlier_paragraph() -> None:
    section, case = mention(10, known(OTHER), "sec_4"), mention(20, known("/case"), kind="case")
    below = mention(30, LAST, "subsec_2")
    assert targets([section, case, below])[-1] == (OTHER, "sec_4__subsec_2")
    assert targets([section, mention(30, Work("provision", since=25), "subsec_2")]) == [(OTHER, "sec_4")]
    assert targets([section, mention(20, known(OTHER)), below]) == [(OTHER, "sec_4"), (OTHER, None)]


def test_a_paragraph_behind_a_chapter_is_that_of_an_unknown_provision() -> None:
    chapter = mention(10, known(OTHER), "chp_4")
    assert targets([chapter, mention(20, LAST, "subsec_2")]) == [(OTHER, "chp_4")]


def test_levels_of_a_schedule_are_below_the_schedule_cited_last_in_the_paragraph() -> None:
    schedule, section = mention(10, known(OTHER), "sched_2__para_1"), mention(20, known(OTHER), "sec_4")
    that = Work("provision", since=0, kind="sched")
    assert targets([schedule, section, mention(30, that, "para_4")])[-1] == (OTHER, "sched_2__para_4")
    later = Work("provision", since=15, kind="sched")
    assert targets([schedule, section, mention(30, later, "para_4")]) == targets([schedule, section])
    # words that do not say what they belong to are below the schedule only where nothing was cited after it
    unsaid = mention(30, that, "para_4", must_exist=True)
    assert targets([schedule, unsaid], JUDGMENT)[-1] == (OTHER, "sched_2__para_4")
    assert targets([schedule, section, unsaid], JUDGMENT) == targets([schedule, section], JUDGMENT)
    assert targets([schedule, unsaid], ACT) == targets([schedule], ACT)


def test_a_whole_act_named_in_a_section_leaves_its_subsections_to_the_section() -> None:
    found = [mention(10, known(OTHER)), mention(20, Work("section", since=0), "subsec_2", must_exist=True)]
    assert targets(found) == [(OTHER, None), (HERE, "chp_1__sec_1__subsec_2")]


def test_what_is_no_level_of_the_citing_provision_is_a_section_only_if_the_document_has_it() -> None:
    for number, expected in (("8", [(HERE, "chp_2__sec_8")]), ("77", [])):
        level = Work("section", since=0)
        cited = mention(60, level, f"subsec_{number}", must_exist=True, otherwise=(f"sec_{number}",))
        assert targets([cited]) == expected


def test_a_bare_section_is_of_the_chapter_cited_last_in_a_work_that_counts_by_chapters() -> None:
    taken = Work("unsaid", OTHER)
    chaptered = mention(10, known(OTHER), "chp_12__sec_42")
    assert targets([chaptered, mention(20, taken, "sec_44")], JUDGMENT)[-1] == (OTHER, "chp_12__sec_44")
    of_another = mention(10, known("/x"), "chp_12__sec_42")
    assert targets([of_another, mention(20, taken, "sec_44")], JUDGMENT)[-1] == (OTHER, "sec_44")
    chapter = mention(10, known(OTHER), "chp_12")
    assert targets([chapter, mention(20, taken, "sec_44")], JUDGMENT)[-1] == (OTHER, "sec_44")


def test_only_sections_are_of_the_chapter_cited_last() -> None:
    chaptered = mention(10, known(OTHER), "chp_12__sec_42")
    mixed = mention(20, Work("unsaid", OTHER), "sec_44", "sched_1")
    assert targets([chaptered, mixed], JUDGMENT)[1:] == [(OTHER, "sec_44"), (OTHER, "sched_1")]


def test_the_same_chapter_is_that_of_the_last_provision_of_a_list() -> None:
    listed = mention(5, known(OTHER), "chp_3__sec_1", "chp_4__sec_2")
    assert targets([listed, mention(16, Work("chapter"), "sec_5")])[-1] == (OTHER, "chp_4__sec_5")


def test_a_level_that_the_words_say_is_of_this_provision_is_so_also_behind_one_of_another_act() -> None:
    other = mention(10, known(OTHER), "sec_4")
    assert targets([other, mention(20, Work("section", since=0), "subsec_2")])[-1] == (HERE, "chp_1__sec_1__subsec_2")


def test_a_provision_at_the_beginning_of_the_paragraph_is_the_one_cited_last_in_it() -> None:
    for since, expected in ((30, [(OTHER, "sec_4__para_a")]), (31, [])):
        found = [mention(30, known(OTHER), "sec_4"), mention(40, Work("provision", since=since), "para_a")]
        assert targets(found, JUDGMENT)[1:] == expected


def test_a_bare_provision_does_not_name_it_with_a_work() -> None:
    for by in ("bare", "unsaid"):
        bare = mention(5, Work(by, "/x"), "sec_4")  # type: ignore[arg-type]
        assert targets([bare, mention(20, Work("unsaid", OTHER), "sec_4")], JUDGMENT)[-1] == (OTHER, "sec_4")


def test_a_noun_means_the_work_named_last_unless_that_is_of_another_kind() -> None:
    directive = Work("earlier", name="directive", kind="directive")
    unnamed = mention(5, known(OTHER), is_remembered=True)
    assert targets([unnamed, mention(15, directive, "art_4")])[-1] == (OTHER, "art_4")
    regulation = mention(5, known(OTHER), is_remembered=True, names=("regulation",))
    assert targets([regulation, mention(15, directive, "art_4")])[-1] == (None, "art_4")
    older = mention(2, known("/d"), is_remembered=True, names=("directive",))
    assert targets([older, regulation, mention(15, directive, "art_4")])[-1] == ("/d", "art_4")


def test_a_judgment_means_a_bare_provision_of_the_one_work_that_it_named_it_with() -> None:
    named = mention(5, known("/x"), "sec_4")
    bare = mention(20, Work("unsaid", OTHER), "sec_4")
    assert targets([named, bare], JUDGMENT)[-1] == ("/x", "sec_4")
    several = [named, mention(10, known("/y"), "sec_4__subsec_1"), bare]
    assert targets(several, JUDGMENT)[-1] == (None, "sec_4")
    assert targets([named, mention(10, known(OTHER), "sec_4"), bare], JUDGMENT)[-1] == (OTHER, "sec_4")
    assert targets([named, mention(20, Work("unsaid", OTHER), "sec_5")], JUDGMENT)[-1] == (OTHER, "sec_5")
    # the sentence names a work that is not known
    assert targets([named, mention(20, UNSAID.near(UNKNOWN), "sec_4")], JUDGMENT)[-1] == ("/x", "sec_4")
    of_unknown = mention(20, Work("unsaid", before=UNKNOWN), "sec_4")
    assert targets([named, of_unknown], JUDGMENT)[-1] == (None, "sec_4")


def test_a_chapter_without_a_section_is_not_the_same_chapter() -> None:
    found = [
        mention(5, known(OTHER), "chp_3__sec_1"),
        mention(10, known(OTHER), "chp_9"),
        mention(16, Work("chapter"), "sec_2"),
    ]
    assert targets(found)[-1] == (OTHER, "chp_3__sec_2")


def test_the_list_of_an_act_is_not_announced_by_a_work_that_is_named_behind_its_first_line() -> None:
    entry = mention(20, Work("own", announced=(0, 12)), "sec_2")
    assert targets([mention(13, known(OTHER), is_remembered=True), entry])[-1] == (HERE, "chp_1__sec_2")


def test_a_parallel_citation_behind_a_provision_is_what_id_means() -> None:
    section, case = mention(5, known(OTHER), "sec_4"), mention(10, known("/case"), kind="case", is_parallel=True)
    assert targets([section, case, mention(15, AGAIN)])[-1] == ("/case", None)


def test_an_article_of_a_code_with_a_work_for_each_book_is_of_its_book() -> None:
    books = {"/code": {"3": "/code/3"}}
    for work in ("/code", "/code/3"):
        assert targets([mention(5, known(work), "art_3-40__subsec_2", books=books)]) == [
            ("/code/3", "art_40__subsec_2")
        ]
    assert targets([mention(5, known(OTHER), "art_3-40", books=books)]) == [(OTHER, "art_3-40")]
    assert targets([mention(5, known("/code"), "art_9-40", books=books)]) == [("/code", "art_9-40")]


def test_a_section_of_a_part_is_of_the_citing_work_if_that_is_the_part_and_the_whole_part_is_named_itself() -> None:
    assert targets([mention(10, known(f"{HERE}/s8"), "sec_8")]) == [(HERE, "chp_2__sec_8")]
    assert targets([mention(10, known(f"{HERE}/s8"))]) == [(f"{HERE}/s8", None)]


def test_a_work_lacks_a_section_and_not_a_level_that_it_does_not_count() -> None:
    assert not ACT.lacks("chp_1__sec_2__subsec_9")
    assert ACT.lacks("sec_77")
    assert not CitingDocument(HERE).lacks("sec_77")


def test_a_range_has_the_provisions_of_its_level_alone() -> None:
    order = ("sec_1", "sec_1__subsec_1", "chp_2__sec_2", "sec_3")
    made = CitingDocument(HERE, "act", tuple((eid, at, at + 1) for at, eid in enumerate(order)))
    assert made.between("sec_1", "sec_3") == ["sec_1", "sec_3"]


@pytest.mark.parametrize(
    ("own", "cited", "near", "expected"),
    [
        # provisions that have one number together
        (("art_8a10",), "art_10", None, "art_8a10"),
        (("art_8a10",), "art_11", None, "art_11"),
        # numbered paragraphs by the name that the publisher has for them
        (("art_62", "art_62__para_4"), "art_62__subsec_4", None, "art_62__para_4"),
        (("art_62", "art_62__para_4", "art_62__subsec_1"), "art_62__subsec_4", None, "art_62__subsec_4"),
        # of several sections with one number the nearest, then the one with fewest levels above it
        (("chp_1__sec_1", "chp_2__sec_1"), "sec_1", "chp_2__sec_9", "chp_2__sec_1"),
        (("chp_1__sec_1", "chp_2__sec_1"), "sec_1", None, "sec_1"),
        (("sec_1", "chp_2__dvs_1__sec_1"), "sec_1", None, "sec_1"),
        (("chp_2__sec_1", "chp_2__dvs_1__sec_1"), "sec_1", None, "chp_2__sec_1"),
        # levels that the citation leaves out
        (("sec_5", "sec_5__subsec_1__item_2"), "sec_5__item_2", None, "sec_5__subsec_1__item_2"),
        (("sec_5", "sec_5__subsec_1__para_i"), "sec_5__item_i", None, "sec_5__subsec_1__para_i"),
        (("sec_5", "sec_5__subsec_1__para_1"), "sec_5__item_1", None, "sec_5__item_1"),
    ],
)
def test_a_cited_provision_is_found_under_the_name_that_the_work_has_for_it(
    own: tuple[str, ...], cited: str, near: str | None, expected: str
) -> None:
    assert EidIndex(own).resolve(cited, near) == expected


def test_a_regulation_is_a_section_where_the_work_is_named_and_has_no_regulations() -> None:
    assert EidIndex(["sec_3"], is_named=True).resolve("reg_3") == "sec_3"
    assert EidIndex(["sec_3", "reg_3"], is_named=True).resolve("reg_3") == "reg_3"
    assert EidIndex(["sec_3"]).resolve("reg_3") == "reg_3"
