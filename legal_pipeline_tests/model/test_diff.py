"""What a comparison of two expressions finds, and the sentence that tells it."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.describe import describe
from legal_pipeline.model.diff import Diff, diff
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.model.wording import repeated_numbers, wordings
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.growth import best_of_three, check_seconds
from legal_pipeline_tests.model.expressions import (
    FYRAR,
    Sections,
    french,
    history,
    numbers_changed,
    numbers_touched,
    swedish,
)

NEW = "Fyrvaktaren ska föra dagbok över varje fartyg som passerar fyren under natten."


def told(found: Diff) -> list[tuple[str, str]]:
    return [(change.kind, change.subject.eid) for change in found.changes]


def edited(changes: Sections, *, without: tuple[tuple[int, str], ...] = ()) -> Sections:
    """The lighthouse Act with these sections set and those left out, in order of number."""
    merged = {key: text for key, text in {**FYRAR, **changes}.items() if key not in without}
    return dict(sorted(merged.items(), key=lambda item: (item[0][0], _order(item[0][1]))))


def _order(number: str) -> tuple[int, str]:
    digits = re.match(r"\d+", number)
    assert digits is not None
    return int(digits.group()), number[digits.end() :].strip()


# -- rules ---------------------------------------------------------------------------------------------------------------


def test_a_changed_a_new_and_a_missing_provision() -> None:
    after = edited({(2, "2"): FYRAR[2, "2"].replace("kommit dit", "tagit över"), (2, "2 a"): NEW}, without=((1, "2"),))
    found = diff(swedish(FYRAR), swedish(after))
    assert told(found) == [("removed", "chp_1__sec_2"), ("changed", "chp_2__sec_2"), ("added", "chp_2__sec_2a")]
    assert describe(found) == "1 kap. 2 § upphävd, 2 kap. 2 § ändrad, 2 kap. 2 a § ny"


def test_white_space_is_no_change() -> None:
    assert not diff(
        swedish(FYRAR), swedish({key: text.replace(" ", "  ") for key, text in FYRAR.items()}, gap="\n\n\n")
    )


def test_an_amendment_mark_is_no_text() -> None:
    before, after = swedish(FYRAR), swedish(edited({(1, "1"): FYRAR[1, "1"].replace("2001:5", "2009:77")}))
    assert before.text != after.text
    assert not diff(before, after)


def test_the_number_sign_is_no_text() -> None:
    (pair,) = [
        pair for pair in diff(swedish(FYRAR), swedish(FYRAR)).pairs if pair.after and pair.after.eid == "chp_2__sec_2"
    ]
    assert pair.after is not None
    assert pair.after.text == FYRAR[2, "2"]


def test_a_mark_before_the_number_sign_is_no_text_and_its_date_is_told() -> None:
    """A § that is in force later: the mark goes when its day has come, and the words stay."""
    blocks = [f"{number} § {text}" for number, text in (("1", FYRAR[1, "1"]), ("2", FYRAR[1, "2"]))]
    before, after = (
        parse(
            SourceFile("fyrar.txt", "\n\n".join(("Lag (2099:10) om fyrar", blocks[0], mark + blocks[1])).encode()),
            "sfst_text",
        )
        for mark in ("/Träder i kraft I:2031-01-01/ ", "")
    )
    found = diff(before, after)
    assert [(change.kind, change.subject.num) for change in found.changes] == [("validity", "2")]
    assert (found.changes[0].before.valid_from, found.changes[0].subject.valid_from) == ("2031-01-01", None)  # type: ignore[union-attr]


def test_the_spans_of_a_wording_are_its_text() -> None:
    document = swedish(FYRAR)
    for pair in diff(document, document).pairs:
        assert pair.after is not None
        shown = "\n".join(document.text[start:end] for start, end in pair.after.spans)
        assert " ".join(shown.split()) == pair.after.text


def test_front_matter_alone_is_no_change() -> None:
    body = "# Code des phares\n\n##### Article 1\n\nLe phare est allumé chaque soir.\n"
    assert not diff(french(body, as_of="2001-01-01"), french(body, as_of="2011-01-01"))


def test_the_same_text_under_another_number_is_renumbered_and_makes_room_for_a_new_one() -> None:
    """As the registers write: "nuvarande 2 § betecknas 2 a §; ny 2 §"."""
    found = diff(swedish(FYRAR), swedish(edited({(2, "2"): NEW, (2, "2 a"): FYRAR[2, "2"]})))
    assert told(found) == [("added", "chp_2__sec_2"), ("renumbered", "chp_2__sec_2a")]
    assert found.changes[1].prior_eids == ("chp_2__sec_2",)
    assert describe(found) == "2 kap. 2 § ny, 2 kap. 2 § betecknas 2 kap. 2 a §"


def test_a_text_that_says_little_is_not_taken_for_a_renumbered_one() -> None:
    before, after = edited({(2, "3"): "Gäller ej."}), edited({(3, "3"): "Gäller ej."})
    assert told(diff(swedish(before), swedish(after))) == [("removed", "chp_2__sec_3"), ("added", "chp_3__sec_3")]


def test_the_same_number_and_text_under_another_parent_is_moved() -> None:
    article = "##### Article 7\n\nLe gardien du phare tient un registre des navires qui passent."
    first = "## Titre I : Du phare\n\n##### Article 1\n\nLe phare est allumé."
    second, eighth = "## Titre II : Du gardien", "##### Article 8\n\nIl dort le jour.\n"
    before = french("\n\n".join((first, article, second, eighth)))
    after = french("\n\n".join((first, second, article, eighth)))
    found = diff(before, after)
    assert [(change.kind, change.subject.num) for change in found.changes] == [("moved", "7")]
    assert describe(found) == "article 7 déplacé"


def test_a_repealed_number_that_keeps_its_place_is_removed_and_can_come_back() -> None:
    before, after = swedish(FYRAR), swedish(edited({(2, "2"): "Har upphävts genom lag (2010:4)."}))
    found = diff(before, after)
    assert told(found) == [("removed", "chp_2__sec_2")]
    assert found.changes[0].after is not None
    assert found.changes[0].after.repealed
    assert told(diff(after, before)) == [("added", "chp_2__sec_2")]
    assert describe(diff(after, before)) == "2 kap. 2 § ny"


def test_a_chapter_that_goes_as_a_whole_is_told_in_one_word() -> None:
    after = {key: text for key, text in FYRAR.items() if key[0] != 3}
    found = diff(swedish(FYRAR), swedish(after))
    assert told(found) == [("removed", "chp_3"), ("removed", "chp_3__sec_1"), ("removed", "chp_3__sec_2")]
    assert describe(found) == "3 kap. upphävt"
    assert describe(diff(swedish(after), swedish(FYRAR))) == "3 kap. nytt"


def test_a_second_wording_of_a_number_is_no_new_provision() -> None:
    coming = {
        **FYRAR,
        (3, "2"): f"/Upphör att gälla U:2031-01-01/ {FYRAR[3, '2']}\n\n2 § /Träder i kraft I:2031-01-01/ {NEW}",
    }
    before, between, after = swedish(FYRAR), swedish(coming), swedish({**FYRAR, (3, "2"): NEW})
    found = diff(before, between)
    assert [(change.kind, change.wording) for change in found.changes] == [("validity", False), ("added", True)]
    assert "3 kap. 2 § i ny lydelse från 2031-01-01" in describe(found)
    found = diff(between, after)
    assert sorted((change.kind, change.wording) for change in found.changes) == [("removed", True), ("validity", False)]
    assert "äldre lydelse av 3 kap. 2 § utgår" in describe(found)


def test_numbers_that_stand_twice_are_compared_with_what_is_like_them() -> None:
    old = "Le phare est allumé chaque soir par le gardien."
    now = "Le feu est entretenu par une société agréée par le ministre."
    before = french(f"##### Article 1\n\n{old}\n\n##### Article 1\n\n{now}\n")
    after = french(f"##### Article 1\n\n{now.replace('ministre', 'préfet')}\n")
    found = diff(before, after)
    assert {(change.kind, change.wording) for change in found.changes} == {("changed", False), ("removed", True)}
    assert next(change.before for change in found.changes if change.kind == "removed").text.endswith(old)  # type: ignore[union-attr]


@pytest.mark.parametrize("printed", ["1–3 §§", "1 – 3 §§", "1-3\u00ad §§"])
def test_dashes_and_spaces_alone_are_said_to_be_typography(printed: str) -> None:
    before, after = (
        edited({(3, "2"): "Böter enligt 1-3 §§ tillfaller staten."}),
        edited({(3, "2"): f"Böter enligt {printed} tillfaller staten."}),
    )
    found = diff(swedish(before), swedish(after))
    assert [(change.kind, change.typographic) for change in found.changes] == [("changed", True)]
    assert describe(found) == "3 kap. 2 § ändrad endast i typografi"


def test_only_its_number_and_marks_are_left_out_of_a_wording() -> None:
    (first,) = [item for item in wordings(swedish(FYRAR)) if item.eid == "chp_1__sec_1"]
    assert first.text == "Denna lag gäller fyrar som lyser över svenskt farvatten."
    (inserted,) = wordings(document(Part("section", "2A. A keeper lights the lamp.", "2A")))
    assert inserted.text == "A keeper lights the lamp."


def test_an_article_with_the_text_of_another_number_is_renumbered() -> None:
    text = "Le gardien du phare tient un registre des navires qui passent."
    found = diff(french(f"##### Article 7\n\n{text}\n"), french(f"##### Article 8\n\n{text}\n"))
    assert [(change.kind, change.subject.num) for change in found.changes] == [("renumbered", "8")]
    assert set(found.changed_eids) == {"art_7", "art_8"}


def test_a_text_that_several_provisions_have_is_no_sign_of_where_one_went() -> None:
    text = "Fyrvaktaren ska följa de föreskrifter som regeringen har meddelat."
    before, after = edited({(2, "3"): text, (3, "3"): text}), edited({(2, "5"): text, (3, "5"): text})
    assert {kind for kind, _ in told(diff(swedish(before), swedish(after)))} == {"removed", "added"}


def test_a_repeal_of_a_part_changes_the_validity_of_its_provision() -> None:
    before, after = (document(Part("section", "1. Lamps.", "1", children=[Part("item", "(a) red;")])) for _ in range(2))
    after.nodes[0].children[0].status = "repealed"
    assert [change.kind for change in diff(before, after).changes] == ["validity"]


def test_a_number_that_appears_as_repealed_is_told_as_removed() -> None:
    found = diff(swedish(FYRAR), swedish(edited({(2, "3"): "Har upphävts genom lag (2010:4)."})))
    assert told(found) == [("removed", "chp_2__sec_3")]


def test_wordings_with_their_own_dates_are_compared_date_by_date() -> None:
    def act(present: str, coming: str) -> Document:
        marked = f"/Upphör att gälla U:2031-01-01/ {present}\n\n2 § /Träder i kraft I:2031-01-01/ {coming}"
        return swedish({**FYRAR, (3, "2"): marked})

    found = diff(act(FYRAR[3, "2"], NEW), act(f"{NEW} Detsamma gäller fyrskepp.", "Böter tillfaller ingen."))
    assert [
        (change.kind, change.before.valid_to, change.subject.valid_to) for change in found.changes if change.before
    ] == [
        ("changed", "2031-01-01", "2031-01-01"),
        ("changed", None, None),
    ]
    assert "3 kap. 2 § ändrad från 2031-01-01" in describe(found)


def test_the_acts_of_a_change_are_the_last_ones_that_were_not_named_before() -> None:
    before = swedish(FYRAR)
    assert diff(before, swedish(edited({(1, "1"): f"Fyrar lyser. {FYRAR[1, '1']}"}))).acts == ()
    after = swedish(edited({(1, "2"): NEW}))
    (node,) = [node for node in after.walk() if node.eid == "chp_1__sec_2"]
    node.amendments = (Amendment("SFS 2008:1"), Amendment("SFS 2010:4"))
    assert diff(before, after).acts == ("SFS 2010:4",)


def test_one_number_that_is_repeated_does_not_make_all_be_cited_with_their_chapters() -> None:
    act: Sections = {(1, str(number)): f"Fyr {number} ska vara målad i vitt och rött." for number in range(1, 12)}
    act |= {(2, "3"): "Fyrskepp ska vara målade i svart."}
    found = diff(swedish(act), swedish({**act, (1, "5"): NEW, (1, "3"): f"{NEW} Så är det."}))
    assert describe(found) == "1 kap. 3 § ändrad, 5 § ändrad"


def test_text_outside_all_provisions_is_compared_too() -> None:
    found = diff(swedish(FYRAR), swedish(FYRAR, intro="Regeringen föreskriver följande om fyrar."))
    assert found.changes
    assert not found.provisions


def test_sections_that_are_counted_through_are_cited_without_their_chapter() -> None:
    act: Sections = {(1, "1"): FYRAR[1, "1"], (1, "2"): FYRAR[1, "2"], (2, "3"): FYRAR[2, "1"], (2, "4"): FYRAR[2, "2"]}
    assert describe(diff(swedish(act), swedish({**act, (2, "4"): NEW}))) == "4 § ändrad"


def test_a_language_without_words_is_told_in_english() -> None:
    before, after = (dataclasses.replace(swedish(act), language="fin") for act in (FYRAR, edited({(2, "3"): NEW})))
    assert describe(diff(before, after)) == "section 3 of chapter 2 inserted"


def test_a_long_list_says_how_many_more_there_are() -> None:
    found = diff(swedish(FYRAR), swedish({key: f"{text} Detsamma gäller fyrskepp." for key, text in FYRAR.items()}))
    assert describe(found, limit=2) == "1 kap. 1 § ändrad, 1 kap. 2 § ändrad, och 4 till"
    assert describe(found, limit=5).endswith("3 kap. 1 § ändrad, och 1 till")


def test_different_works_are_not_compared() -> None:
    with pytest.raises(ConfigurationError, match="different works"):
        diff(swedish(FYRAR), french("##### Article 1\n\nLe phare est allumé.\n"))
    assert diff(swedish(FYRAR), french("##### Article 1\n\nLe phare est allumé.\n"), same_work=True)
    nameless = document(Part("section", "1. A keeper lights the lamp.", "1"), number=None, document_id="doc-lamps")
    assert diff(swedish(FYRAR), nameless)
    assert diff(nameless, swedish(FYRAR))


def test_a_diff_is_json() -> None:
    found = diff(swedish(FYRAR), swedish(edited({(2, "2"): NEW})))
    (change,) = json.loads(json.dumps(found.to_json()))["changes"]
    assert (change["kind"], change["before"]["text"], change["after"]["text"]) == ("changed", FYRAR[2, "2"], NEW)


# -- invariants ----------------------------------------------------------------------------------------------------------

#: Sentences that have no word in common with each other: no number takes the text of another by accident.
_sentences = st.lists(st.integers(0, 10**9), min_size=6, max_size=12).map(
    lambda numbers: "Fyren " + " ".join(f"lyser{number}" for number in numbers) + "."
)
_statutes = st.dictionaries(
    st.tuples(st.integers(1, 3), st.integers(1, 12).map(str)), _sentences, min_size=1, max_size=20
).map(lambda sections: dict(sorted(sections.items(), key=lambda item: (item[0][0], _order(item[0][1])))))


@given(_statutes)
@examples(40)
def test_nothing_differs_between_an_expression_and_itself(sections: Sections) -> None:
    found = diff(swedish(sections), swedish(sections))
    assert not found
    assert describe(found) == "ingen ändring"


@given(_statutes, st.data())
@examples(60)
def test_exactly_the_edited_provisions_are_found(sections: Sections, data: st.DataObject) -> None:
    keys = list(sections)
    fates = data.draw(
        st.lists(st.sampled_from(("kept", "changed", "removed", "added")), min_size=len(keys), max_size=len(keys))
    )
    after: Sections = {}
    expected = set()
    for (chapter, number), fate in zip(keys, fates, strict=True):
        text = sections[chapter, number]
        if fate != "removed":
            after[chapter, number] = f"{text} Ändrat{chapter}x{number}." if fate == "changed" else text
        if fate == "added":
            after[chapter, f"{number} a"] = f"Nytt {chapter} och {number} om fyrar som ingen har sett förut."
            expected.add(("added", f"chp_{chapter}__sec_{number}a"))
        elif fate != "kept":
            expected.add((fate, f"chp_{chapter}__sec_{number}"))
    if not after:
        return
    found = diff(swedish(sections), swedish(after))
    assert {(change.kind, change.subject.eid) for change in found.provisions} == expected
    back = diff(swedish(after), swedish(sections))
    assert len(back.provisions) == len(found.provisions)
    opposite = {"added": "removed", "removed": "added"}
    assert {(change.kind, change.subject.eid) for change in back.provisions} == {
        (opposite.get(kind, kind), eid) for kind, eid in expected
    }


# -- real histories ------------------------------------------------------------------------------------------------------

CONSTITUTION = re.compile(r"#{1,6} (?:Article (?P<number>\S+))?")
CODE = re.compile(
    r"Article (?P<number>(?!Annexe)\S+)$|Article Annexe|Annexes?$|(?i:partie|livre|titre|chapitre|section|sous-section|paragraphe)\s.*$"
)
#: A heading whose only sections are not there yet ends the § before it: the line stays when they come and stands over them then.
HEADINGS_OF_ABSENT = {("se_2010-110_sfb_selex", "v003"): {"74a/6"}}
SFB = re.compile(r"#### (?P<number>\d+(?: [a-z])?) §|## (?P<chapter>\d+(?: [a-z])?) kap\.|#{1,6} ")


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "label", "steps"),
    [
        ("fr_constitution_1958", CONSTITUTION, 25),
        ("fr_code_justice_penale_mineurs", CODE, 11),
        ("se_2010-110_sfb_selex", SFB, 2),
    ],
)
def test_what_changed_is_what_an_independent_line_diff_touches(
    corpus: Path, folder: str, label: re.Pattern[str], steps: int
) -> None:
    """Moved articles aside: their lines are the same, and only the titles around them say that they moved."""
    versions = list(history(corpus, folder))
    assert len(versions) == steps + 1
    for (old_path, old), (path, new) in itertools.pairwise(versions):
        found = diff(old, new)
        touched = numbers_touched(old_path.read_text("utf-8"), path.read_text("utf-8"), label)
        stayed = dataclasses.replace(found, changes=tuple(change for change in found.changes if change.kind != "moved"))
        changed = numbers_changed(stayed, chapters=folder.startswith("se_"))
        moved = numbers_changed(found, chapters=folder.startswith("se_")) - changed
        assert changed - HEADINGS_OF_ABSENT.get((folder, path.stem), set()) == touched - moved, path.name


@pytest.mark.corpus
def test_a_step_of_the_constitution_that_changed_its_front_matter_only_is_empty(corpus: Path) -> None:
    versions = {path.stem: document for path, document in history(corpus, "fr_constitution_1958")}
    assert versions["v020"].as_of_date != versions["v021"].as_of_date
    assert not diff(versions["v020"], versions["v021"])


@pytest.mark.corpus
def test_two_states_of_the_patent_act_differ_as_the_register_says(corpus: Path) -> None:
    (_, before), (_, after) = history(corpus, "se_pairs/1967-837_patentlag")
    register = json.loads((corpus / "histories/se_pairs/1967-837_patentlag/amendment_register.json").read_text("utf-8"))
    note = next(entry["anteckningar"] for entry in register if entry["beteckning"] == "2024:796")
    words = {"upph.": "removed", "ändr.": "changed", "ny": "added"}
    expected = [
        (words[part.split()[0]], number)
        for part in note.split("; ")
        for number in re.findall(r"\d+(?: [a-z])?(?=,| §)", part)
    ]
    found = diff(before, after)
    assert [(change.kind, change.subject.num) for change in found.provisions] == expected
    assert describe(found).endswith("57 a § upphävd, 59 § ändrad, 60 § ändrad, 61 § ändrad")
    # the one other change: a first line says that the whole Act was repealed
    assert [change.kind for change in found.changes if not change.subject.is_provision] == ["added"]


@pytest.mark.corpus
def test_a_section_of_the_code_changes_when_its_law_does_and_not_when_its_markup_does(corpus: Path) -> None:
    """13 files of § 51-101: two of them have other words in `<text>`, all others other tags, namespaces and annotations."""
    versions = list(history(corpus, "us_dc_code_51-101"))
    for (old_path, old), (path, new) in itertools.pairwise(versions):
        assert bool(diff(old, new)) == (_characters(old_path) != _characters(path)), path.name


def _characters(path: Path) -> str:
    """The characters of a section's own text, without tags, annotations and white space."""
    raw = re.sub(
        r"<annotations>.*?</annotations>|<annotation .*?</annotation>", "", path.read_text("utf-8"), flags=re.DOTALL
    )
    return re.sub(r"<[^>]+>|\s", "", raw)


@pytest.mark.corpus
def test_three_formats_of_one_act_compare(corpus: Path) -> None:
    """AML to 2023:349, 2025:406 and 2025:732: what is said to have changed between formats stays small and is named."""
    files = (
        "rkrattsbaser_html/sfs-1977-1160.tom-2023-349.html",
        "selex_md/sfs-1977-1160.md",
        "riksdagen_html/sfs-1977-1160.tom-2025-732.riksdagen.html",
    )
    states = [parse(SourceFile(Path(name).name, (corpus / "se" / name).read_bytes())) for name in files]

    def equal(before: Document, after: Document) -> tuple[int, int]:
        pairs = [pair for pair in diff(before, after).pairs if pair.before and pair.after and pair.after.is_provision]
        return sum(pair.before.folded == pair.after.folded for pair in pairs if pair.before and pair.after), len(pairs)

    for before, after, at_least in ((0, 1, 106), (1, 2, 101), (0, 2, 110)):
        same, all_pairs = equal(states[before], states[after])
        assert same >= at_least, (files[before], files[after], same, all_pairs)


@pytest.mark.corpus
def test_a_code_of_400_kilobytes_is_compared_in_well_under_a_second(corpus: Path) -> None:
    (_, before), (_, after), *_ = history(corpus, "fr_code_justice_penale_mineurs")
    assert len(before.text) > 350_000
    check_seconds(best_of_three(lambda: diff(before, after), enough=0.5), 0.5)


@pytest.mark.parametrize(
    ("day", "sentence"), [("2031-01-01", "2 § ny från 2031-01-01"), ("den dag regeringen bestämmer", "2 § ny")]
)
def test_the_day_of_a_new_provision_is_told_and_a_condition_is_not(day: str, sentence: str) -> None:
    head = f"Lag (2099:10) om fyrar\n\n1 § {FYRAR[1, '1']}"
    texts = (head, f"{head}\n\n/Träder i kraft I:{day}/ 2 § {FYRAR[1, '2']}")
    assert describe(diff(*(parse(SourceFile("fyrar.txt", text.encode()), "sfst_text") for text in texts))) == sentence


@pytest.mark.parametrize(("count", "restarting"), [(10, {"section"}), (11, set())])
def test_numbers_restart_in_each_chapter_if_a_tenth_of_them_is_repeated(count: int, restarting: set[str]) -> None:
    second = {(2, str(number)): f"Fyren har lampa {number} i tornet." for number in range(1, count + 1)}
    found = repeated_numbers(wordings(swedish({(1, "1"): FYRAR[1, "1"], **second})))
    assert found == ({("section", "1")}, restarting)
