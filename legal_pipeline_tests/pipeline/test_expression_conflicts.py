"""Which text of a document is current: not one of a day to come, and not one that says that it is another law."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.cli.presentation import Report
from legal_pipeline.cli.state_presentation import print_status
from legal_pipeline.errors import DocumentError
from legal_pipeline.model.expression_identity import ExpressionIdentity
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch, Deferred, RunOptions
from legal_pipeline.reconcile import reconcile
from legal_pipeline.registration import register
from legal_pipeline.registry.coming_expressions import later_texts, reached
from legal_pipeline.registry.registry import RegisteredItem
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource
from legal_pipeline.stages.raw_documents import current_items
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.pipeline.test_registration import ID, TEXTS, line, text_of

OTHER = "# Lag (2099:77) om tullkammare\n\n## 1 §\n\nTullkammaren ska hållas öppen.\n"


def fyr(second: str, title: str = "Lag (2099:10) om fyrvakter") -> str:
    return f"# {title}\n\n## 1 §\n\n{TEXTS[0]}\n\n## 2 §\n\n{second}\n"


def write(bench: Bench, name: str, text: str, as_of_date: object = None, **said: object) -> Path:
    path = bench.write(name, text)
    hints = {"document_id": ID, **said} | ({} if as_of_date is None else {"as_of_date": str(as_of_date)})
    bench.write(f"{name}.meta.json", json.dumps(hints))
    return path


def run(bench: Bench, document_id: str) -> None:
    bench.events = list(bench.pipeline.run([document_id]))


def accept(bench: Bench, path: Path) -> None:
    register(DirectorySource(path), bench.pipeline.registry, grace=timedelta(0), accept=True)
    run(bench, ID)


@pytest.fixture
def held(bench: Bench) -> Bench:
    """With a law in two expressions, of which the later is current."""
    write(bench, "2000.md", fyr("Fyren får tändas."), "2000-01-01")
    write(bench, "2001.md", fyr("Fyren ska tändas."), "2001-01-01")
    bench.ingest()
    assert bench.failures == {}
    return bench


def test_another_law_with_a_later_date_does_not_take_the_place_of_a_law(held: Bench) -> None:
    write(held, "annan.md", OTHER, "2002-01-01")
    held.ingest()
    assert "its title is 'Lag (2099:77) om tullkammare', the document's is 'Lag (2099:10) om fyrvakter'" in str(
        held.failures[ID]
    )
    assert "Fyren ska tändas." in text_of(held)


def test_a_conflict_ends_when_a_user_confirms_it_and_only_for_that_content(held: Bench) -> None:
    path = write(held, "annan.md", OTHER, "2002-01-01")
    held.ingest()
    accept(held, path)
    assert held.failures == {}
    assert "Tullkammaren" in text_of(held)
    write(held, "fyr.md", fyr("Fyren bör tändas."), "2003-01-01")
    held.ingest()
    assert "conflict" in str(held.failures[ID])


def test_a_conflict_ends_with_the_file_that_made_it(held: Bench) -> None:
    path = write(held, "annan.md", OTHER, "2002-01-01")
    held.ingest()
    path.unlink()
    (path.parent / f"{path.name}.meta.json").unlink()
    held.ingest()
    held.ingest()
    assert held.failures == {}
    assert "Fyren ska tändas." in text_of(held)


def test_two_laws_that_claim_one_id_at_once_are_a_conflict(bench: Bench) -> None:
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2001-01-01")
    write(bench, "annan.md", OTHER, "2002-01-01")
    bench.ingest()
    assert "conflict" in str(bench.failures[ID])
    assert bench.points_written == 0


def test_another_jurisdiction_is_a_conflict_even_in_the_same_file(held: Bench) -> None:
    write(held, "2001.md", fyr("Fyren måste tändas."), "2001-01-01", jurisdiction="fi")
    held.ingest()
    assert "its jurisdiction is 'fi'" in str(held.failures[ID])


def test_another_format_from_another_file_is_a_conflict(held: Bench, law: Law) -> None:
    write(held, "sfs.txt", law("2099:10", *TEXTS).replace("Rubrik: ", "Rubrik: Lag om fyrvakter "), "2002-01-01")
    held.ingest()
    assert "its format is" in str(held.failures[ID])


def test_a_new_expression_with_the_title_in_other_words_is_no_conflict(held: Bench) -> None:
    write(held, "2002.md", fyr("Fyren måste tändas.", "Lagen (2099:10) om fyrvakter m.m."), "2002-01-01")
    held.ingest()
    assert held.failures == {}
    assert "Fyren måste tändas." in text_of(held)


def test_a_law_that_is_renamed_in_its_own_file_is_no_conflict(held: Bench) -> None:
    write(held, "2001.md", fyr("Fyren ska tändas.", "Lag (2099:10) om kustbevakning"), "2001-01-01")
    held.ingest()
    assert held.failures == {}


def dated(bench: Bench) -> list[tuple[str | None, str]]:
    """The date and the second section of each expression in the history."""
    batch = Batch([ID], bench.pipeline.resources)
    return [
        (held.as_of_date, expressions.load(batch, ID, held.expression).text.rpartition("\n\n")[2])
        for held in expressions.index(batch, ID)
    ]


def test_texts_of_several_dates_in_one_folder_are_the_history_of_one_law(held: Bench) -> None:
    assert dated(held) == [("2000-01-01", "Fyren får tändas."), ("2001-01-01", "Fyren ska tändas.")]


def test_an_older_expression_after_a_newer_one_joins_the_history_and_leaves_the_law_as_it_is(held: Bench) -> None:
    write(held, "1999.md", fyr("Fyren kan tändas."), "1999-01-01")
    found = held.ingest()
    assert (found.new, found.changed) == ((), (ID,))
    assert held.failures == {}
    assert "Fyren ska tändas." in text_of(held)
    assert [day for day, _ in dated(held)] == ["1999-01-01", "2000-01-01", "2001-01-01"]
    write(held, "2000b.md", fyr("Fyren bör tändas."), "2000-06-01")
    held.ingest()
    held.ingest()
    assert [day for day, _ in dated(held)] == ["1999-01-01", "2000-01-01", "2000-06-01", "2001-01-01"]


def test_older_texts_are_before_a_text_without_a_date_which_stays_in_the_history(bench: Bench) -> None:
    write(bench, "fyr.md", fyr("Fyren får tändas."))
    bench.ingest()
    write(bench, "2000.md", fyr("Fyren bör tändas."), "2000-01-01")
    write(bench, "2001.md", fyr("Fyren ska tändas."), "2001-01-01")
    bench.ingest()
    assert dated(bench) == [
        ("2000-01-01", "Fyren bör tändas."),
        (None, "Fyren får tändas."),
        ("2001-01-01", "Fyren ska tändas."),
    ]


def test_an_older_text_that_cannot_be_used_is_named_and_the_others_are_used(held: Bench) -> None:
    write(held, "a.md", fyr("Fyren kan tändas."), "1998-01-01")
    write(held, "b.md", fyr("Fyren bör tändas."), "1998-01-01")
    write(held, "c.md", fyr("Fyren måste tändas."), "1999-01-01")
    held.ingest()
    assert held.failures == {}
    assert [day for day, _ in dated(held)] == ["1999-01-01", "2000-01-01", "2001-01-01"]
    told = held.done("canonical_documents")[ID].metadata
    assert ([Path(name).name for name in told["unused_files"]], told["earlier_expressions"]) == (["a.md", "b.md"], 1)


def test_a_law_in_several_files_counts_once(bench: Bench) -> None:
    for year in (2000, 2001, 2002):
        write(bench, f"{year}.md", fyr(f"Fyren ska tändas {year} gånger."), f"{year}-01-01")
    found = bench.ingest()
    assert (found.new, found.changed) == ((ID,), ())


def test_a_corrected_date_is_the_date_of_the_history(bench: Bench) -> None:
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2013-01-01")
    bench.ingest()
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2003-01-01")
    bench.ingest()
    assert dated(bench) == [("2003-01-01", "Fyren ska tändas.")]
    assert not bench.done("provision_versions")[ID].reused
    # publishers state later dates without a change of the law: a later date needs the user's word
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2015-01-01")
    bench.ingest()
    assert dated(bench)[0][0] == "2003-01-01"
    list(bench.pipeline.run([ID], options=RunOptions(force=True)))
    assert dated(bench) == [("2015-01-01", "Fyren ska tändas.")]


def test_a_text_of_the_same_file_and_stated_date_is_a_correction_and_no_amendment(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    write(bench, "fyr.md", fyr("Fyren ska tönas."), "2013-01-01")
    bench.ingest()
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2013-01-01")
    bench.ingest()
    assert dated(bench) == [("2013-01-01", "Fyren ska tändas.")]
    report = Report(as_json=False)
    report.event(bench.done("canonical_documents")[ID])
    assert report.corrected == {ID: "2013-01-01"}
    assert (
        "a new text with the same date, 2013-01-01. It replaces the old text and is not an amendment: 2 § ändrad"
        in (capsys.readouterr().err)
    )
    # without a stated date, the new text may be a new wording
    (bench.folder / "fyr.md.meta.json").write_text(json.dumps({"document_id": ID}), "utf-8")
    write(bench, "fyr.md", fyr("Fyren måste tändas."))
    bench.ingest()
    assert [text for _, text in dated(bench)] == ["Fyren ska tändas.", "Fyren måste tändas."]
    assert "corrected_text_of" not in bench.done("canonical_documents")[ID].metadata


def test_a_date_that_a_text_states_later_is_that_of_the_history(bench: Bench) -> None:
    write(bench, "fyr.md", fyr("Fyren ska tändas."))
    bench.ingest()
    assert dated(bench)[0][0] is None
    write(bench, "fyr.md", fyr("Fyren ska tändas."), "2013-01-01")
    bench.ingest()
    assert dated(bench) == [("2013-01-01", "Fyren ska tändas.")]


def test_another_file_of_the_same_date_that_takes_the_place_of_the_first_is_no_correction(bench: Bench) -> None:
    path = write(bench, "fyr.md", fyr("Fyren ska tönas."), "2013-01-01")
    bench.ingest()
    for gone in (path, path.with_name("fyr.md.meta.json")):
        gone.unlink()
    write(bench, "ny.md", fyr("Fyren ska tändas."), "2013-01-01")
    bench.register()
    bench.ingest()
    assert bench.failures == {}
    assert [text for _, text in dated(bench)] == ["Fyren ska tönas.", "Fyren ska tändas."]


def test_a_text_of_a_day_to_come_is_current_on_its_day_and_not_before(held: Bench) -> None:
    registry = held.pipeline.registry
    today = datetime.now(UTC).date()
    tomorrow = today + timedelta(days=1)
    write(held, "ny.md", fyr("Fyren måste tändas."), tomorrow)
    held.ingest()
    assert held.failures == {}
    assert "Fyren ska tändas." in text_of(held)
    assert later_texts(registry.database) == {ID: tomorrow}
    assert reached(registry.database, today) == []
    with registry.database.connection() as connection:  # a day later
        connection.execute("update source_items set as_of_date = as_of_date - 1 where item_key like '%ny.md'")
    assert later_texts(registry.database) == {}
    assert reached(registry.database, tomorrow) == [ID]
    assert reached(registry.database, tomorrow) == []
    run(held, ID)
    assert "Fyren måste tändas." in text_of(held)
    assert reached(registry.database, today) == [ID]  # the clock was put back


def test_the_day_of_a_text_to_come_is_the_one_that_the_source_states_now(held: Bench) -> None:
    database = held.pipeline.registry.database
    path = write(held, "ny.md", fyr("Fyren måste tändas."), "2999-01-01")
    write(held, "ännu.md", fyr("Fyren kan tändas."), "2999-06-01")
    held.ingest()
    assert later_texts(database) == {ID: date(2999, 1, 1)}
    assert later_texts(database, ["another"]) == {}
    write(held, "ny.md", fyr("Fyren måste tändas."), "2998-01-01")
    held.ingest()
    assert later_texts(database) == {ID: date(2998, 1, 1)}
    path.unlink()
    (path.parent / f"{path.name}.meta.json").unlink()
    held.ingest()
    assert later_texts(database) == {ID: date(2999, 6, 1)}


def test_ingest_and_status_name_a_text_to_come_once(held: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    registry = held.pipeline.registry
    write(held, "ny.md", fyr("Fyren måste tändas."), "2999-01-01")
    write(held, "annan.md", OTHER, "2999-02-01", document_id="only-later")
    held.ingest()
    days = later_texts(registry.database)
    line = f"waiting: {ID}: its text of 2999-01-01 is indexed on that day; until then the text before it is the law"
    for as_json in (False, True):
        report = Report(as_json)
        report.later_texts(days)
        for event in held.events:
            report.event(event)
        report.finish()
        print_status(registry.counts(), registry.documents(status="waiting"), [], [], [], as_json, days)
        printed = capsys.readouterr().out
        if as_json:
            told = {ID: "2999-01-01", "only-later": "2999-02-01"}
            assert [json.loads(answer)["later_texts"] for answer in printed.splitlines()] == [told, told]
        else:
            assert (printed.count(line), printed.count("2999-02-01")) == (2, 2)


def test_a_document_with_nothing_but_a_text_to_come_waits_for_its_day(bench: Bench) -> None:
    registry = bench.pipeline.registry
    write(bench, "ny.md", fyr("Fyren måste tändas."), "2999-01-01")
    bench.ingest()
    (event,) = bench.events
    assert isinstance(event, Deferred)
    (document,) = registry.documents(status="waiting")
    assert "its text is dated 2999-01-01, in the future" in (document.last_error or "")
    with registry.database.connection() as connection:  # a week later
        connection.execute("update source_documents set updated_at = updated_at - interval '7 days'")
    found = reconcile(bench.pipeline)
    assert (found.failed, found.forgotten, found.waiting) == ((), (), (ID,))


def test_one_document_through_two_sources_is_one_document_while_both_say_the_same(bench: Bench) -> None:
    first = line(1, "Every lamp shall be lit at dusk.")
    inbox = bench.folder.parent / "docs.jsonl"
    inbox.write_text(first + "\n", "utf-8")
    bench.write("docs.jsonl", first + "\n")
    registry = bench.pipeline.registry
    bench.ingest()
    register(DocsJsonlSource(inbox), registry, grace=timedelta(0))
    run(bench, "zw-act-2099-1")
    assert bench.failures == {}
    inbox.write_text(line(1, "Every lamp shall be lit at dawn.") + "\n", "utf-8")
    register(DocsJsonlSource(inbox), registry, grace=timedelta(0))
    run(bench, "zw-act-2099-1")
    assert "several texts of the same date" in str(bench.failures["zw-act-2099-1"])
    assert "at dusk" in text_of(bench, "zw-act-2099-1")
    inbox.write_text(line(2, "No lamp shall be put out.") + "\n", "utf-8")  # it gives the document up
    found = register(DocsJsonlSource(inbox), registry, grace=timedelta(0))
    register(DocsJsonlSource(inbox), registry, grace=timedelta(0))
    assert "zw-act-2099-1" not in found.tombstoned
    run(bench, "zw-act-2099-1")
    assert bench.failures == {}


def test_of_two_texts_of_one_date_the_confirmed_one_is_indexed(bench: Bench) -> None:
    write(bench, "a.md", fyr("Fyren får tändas."), "2001-01-01")
    right = write(bench, "b.md", fyr("Fyren ska tändas."), "2001-01-01")
    bench.ingest()
    assert "confirm one (legal-pipeline ingest --accept FILE)" in str(bench.failures[ID])
    accept(bench, right)
    assert bench.failures == {}
    assert "Fyren ska tändas." in text_of(bench)
    accept(bench, right.with_name("a.md"))
    assert "several texts of the same date" in str(bench.failures[ID]), "both are confirmed now"


def test_of_two_texts_the_one_with_the_later_amending_act_is_current() -> None:
    items = [
        RegisteredItem("files", f"/{act}", ID, sha256=act, hints={"consolidated_through": f"SFS 2010:{act}"})
        for act in ("10", "9")
    ]
    assert [item.sha256 for item in current_items(ID, items)] == ["10"]


def test_a_part_may_have_a_title_of_its_own_but_no_number_of_another_work() -> None:
    def part(number: int, title: str, of: str = "SFS 2099:1") -> RegisteredItem:
        said = ExpressionIdentity(title, of, "se", "plain_text").dump()
        return RegisteredItem("directory", f"part{number}.txt", ID, sha256=str(number), part=number, parts=2, said=said)

    first, second = part(1, "Lag om fyrar"), part(2, "Bilaga till signaler på båtar")
    held = ExpressionIdentity("Lag om fyrar", "SFS 2099:1", "se", "plain_text", "directory:part1.txt")
    assert current_items(ID, [first, second], held) == [first, second]
    with pytest.raises(DocumentError, match="its number is 'SFS 2098:7'"):
        current_items(ID, [first, part(2, "Lag om fyrar", "SFS 2098:7")], held)


def text_on(day: date | None, digest: str, **fields: Any) -> RegisteredItem:
    return RegisteredItem("files", f"{digest}.txt", ID, sha256=digest, as_of_date=day, **fields)


def test_of_several_texts_the_latest_that_has_begun_is_current() -> None:
    today = datetime.now(UTC).date()
    undated, past, present = text_on(None, "a"), text_on(date(2001, 1, 1), "b"), text_on(today, "c")
    coming = text_on(today + timedelta(days=3), "d")
    assert current_items(ID, [coming, past, present, undated]) == [present]
    assert current_items(ID, [coming, undated, past]) == [past]
    assert current_items(ID, [coming, undated]) == [undated]
    with pytest.raises(DocumentError, match=f"its text is dated {coming.as_of_date}, in the future"):
        current_items(ID, [text_on(today + timedelta(days=9), "e"), coming])


def test_the_parts_of_a_text_are_read_in_their_order_and_none_may_be_missing() -> None:
    parts = [text_on(None, f"part{number}", part=number, parts=3) for number in (3, 1, 2)]
    assert [item.part for item in current_items(ID, parts)] == [1, 2, 3]
    with pytest.raises(DocumentError, match="part 1, 2 of 3 is missing"):
        current_items(ID, parts[:1])
    with pytest.raises(DocumentError, match="part 3 of 3 is missing"):
        current_items(ID, parts[1:])


def test_of_two_texts_of_one_date_only_equal_ones_or_the_confirmed_one_are_current() -> None:
    day = date(2001, 1, 1)
    one, same, other = text_on(day, "a"), text_on(day, "a", location="2"), text_on(day, "b")
    assert current_items(ID, [one, same]) == [one]
    with pytest.raises(DocumentError, match=r"several texts of the same date: a\.txt, b\.txt"):
        current_items(ID, [one, other])
    confirmed = text_on(day, "b", accepted="b")
    assert current_items(ID, [one, confirmed]) == [confirmed]
    with pytest.raises(DocumentError, match="several texts"):
        current_items(ID, [one, text_on(day, "b", accepted="c")])
    with pytest.raises(DocumentError, match="several texts"):
        current_items(ID, [text_on(day, "a", accepted="a"), confirmed])


def test_each_part_and_each_other_text_is_compared_with_what_the_document_is() -> None:
    def text(digest: str, number: str, day: int, **fields: Any) -> RegisteredItem:
        said = ExpressionIdentity("Lag om fyrar", number, "se", "plain_text").dump() if number else None
        return text_on(date(day, 1, 1), digest, said=said, **fields)

    of_law, other = "SFS 2099:1", "SFS 2098:7"
    confirmed = text("a", other, 2001, part=1, parts=2, accepted="a")
    with pytest.raises(DocumentError, match=r"b\.txt claims to be this document, but its number is 'SFS 2098:7'"):
        current_items(
            ID, [confirmed, text("b", other, 2001, part=2, parts=2)], ExpressionIdentity("", of_law, "se", "plain_text")
        )
    unrecorded, earlier, latest = text("a", "", 1999), text("b", of_law, 2000), text("c", other, 2001)
    with pytest.raises(DocumentError, match="its number is 'SFS 2098:7', the document's is 'SFS 2099:1'"):
        current_items(ID, [unrecorded, earlier, latest])
    assert current_items(ID, [unrecorded, latest]) == [latest]
