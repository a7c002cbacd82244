"""The history of provisions: intervals, identity under new numbers, and the acts that made and ended a wording."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from legal_pipeline.model import tables
from legal_pipeline.model.diff import diff
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.model.versions import History, ProvisionVersion
from legal_pipeline_tests.model.expressions import FYRAR, Sections, history, swedish

NEW = "Fyrvaktaren ska föra dagbok över varje fartyg som passerar fyren under natten."


def of(rows: list[ProvisionVersion], provision_id: str) -> list[ProvisionVersion]:
    return [row for row in rows if row.provision_id == provision_id]


def provision_versions(expressions: list[Document], in_force: dict[str, str] | None = None) -> list[ProvisionVersion]:
    """Rows of the provisions of `expressions`, in the order of their dates; the history is stored and read between them."""
    first, *others = sorted(expressions, key=lambda expression: expression.as_of_date or "")
    known = History(first.document_id)
    known.begin(first, stated=first.as_of_date, in_force=in_force)
    for before, after in itertools.pairwise([first, *others]):
        known = History.from_json(first.document_id, json.loads(json.dumps(known.to_json())))
        known.follow(diff(before, after), date=after.as_of_date, stated=after.as_of_date, in_force=in_force)
    return known.rows()


def intervals(rows: list[ProvisionVersion], provision_id: str) -> dict[str, list[tuple[str | None, str | None]]]:
    """Intervals of each wording of a provision by its hash; where only the number changes, none ends."""
    found: dict[str, list[tuple[str | None, str | None]]] = {}
    for row in of(rows, provision_id):
        held = found.setdefault(row.text_hash, [])
        begin = held.pop()[0] if held and held[-1][1] is not None and held[-1][1] == row.valid_from else row.valid_from
        held.append((begin, row.valid_to))
    return found


def dated(sections: Sections, date: str) -> Document:
    return swedish(sections, as_of=date)


def test_one_expression_is_one_open_row_for_every_provision() -> None:
    rows = provision_versions([dated(FYRAR, "2001-01-01")])
    assert [row.eid for row in rows] == [f"chp_{chapter}__sec_{number}" for chapter, number in FYRAR]
    assert {(row.valid_from, row.valid_to) for row in rows} == {(None, None)}
    assert rows[0].introduced_by == "SFS 2001:5"


def test_a_changed_wording_ends_where_the_next_begins_and_names_the_act() -> None:
    changed = {**FYRAR, (2, "2"): f"{NEW} Lag (2010:4)."}
    rows = of(provision_versions([dated(FYRAR, "2001-01-01"), dated(changed, "2010-06-01")]), "chp_2__sec_2")
    assert [(row.valid_from, row.valid_to) for row in rows] == [(None, "2010-06-01"), ("2010-06-01", None)]
    assert (rows[0].superseded_by, rows[1].introduced_by) == ("SFS 2010:4", "SFS 2010:4")
    assert (rows[0].prior_eids, rows[1].prior_eids) == ((), ())


def test_wordings_of_the_first_expression_are_valid_since_their_last_amendment_else_since_the_work() -> None:
    without = {**FYRAR, (2, "2"): "Har upphävts genom lag (2002:4)."}
    first = dated(without, "2005-01-01")
    sections = {node.eid: node for node in first.walk() if node.type == "section"}
    sections["chp_1__sec_2"].amendments = (
        Amendment("SFS 2000:1", "2000-02-01"),
        Amendment("SFS 2001:9", "2001-09-01"),
    )
    known = History(first.document_id)
    known.begin(first, original_since="1999-01-01", in_force={"SFS 2001:5": "2001-05-01"})
    since = {row.eid: row.valid_from for row in known.rows()}
    assert since["chp_1__sec_1"] == "2001-05-01"
    assert since["chp_1__sec_2"] == "2001-09-01"
    assert since["chp_2__sec_1"] == "1999-01-01"
    assert "chp_2__sec_2" not in since


def test_a_wording_ends_on_the_day_that_its_own_mark_states() -> None:
    marked = {**FYRAR, (3, "2"): f"/Upphör att gälla U:2031-01-01/ {FYRAR[3, '2']}"}
    rows = provision_versions([dated(marked, "2030-01-01"), dated({**FYRAR, (3, "2"): NEW}, "2031-03-01")])
    assert [(row.valid_from, row.valid_to) for row in of(rows, "chp_3__sec_2")] == [
        (None, "2031-01-01"),
        ("2031-03-01", None),
    ]


def test_a_condition_that_is_no_longer_printed_was_fulfilled_and_a_date_stays() -> None:
    def rows(mark: str) -> list[ProvisionVersion]:
        marked = {**FYRAR, (3, "2"): f"/Träder i kraft I:{mark}/ {FYRAR[3, '2']}"}
        return of(provision_versions([dated(marked, "2030-01-01"), dated(FYRAR, "2031-03-01")]), "chp_3__sec_2")

    assert [row.valid_from for row in rows("den dag regeringen bestämmer")] == ["2031-03-01"]
    assert [row.valid_from for row in rows("2030-06-01")] == ["2030-06-01"]


def test_a_wording_whose_end_is_printed_later_or_no_longer_has_the_end_that_is_printed_now() -> None:
    marked = {**FYRAR, (3, "2"): f"/Upphör att gälla U:2031-01-01/ {FYRAR[3, '2']}"}
    texts = [dated(FYRAR, "2029-01-01"), dated(marked, "2030-01-01"), dated(FYRAR, "2030-06-01")]
    assert [row.valid_to for row in of(provision_versions(texts[:2]), "chp_3__sec_2")] == ["2031-01-01"]
    assert [row.valid_to for row in of(provision_versions(texts), "chp_3__sec_2")] == [None]


@pytest.mark.parametrize("known_from", ["stated", "through"])
def test_an_expression_that_states_nothing_leaves_what_the_one_before_it_stated(known_from: str) -> None:
    changed = {**FYRAR, (2, "2"): f"{NEW} Lag (2010:4)."}
    first, second, third = dated(FYRAR, "2010-02-01"), dated(FYRAR, "2012-01-01"), dated(changed, "2013-01-01")
    known = History(first.document_id)
    if known_from == "stated":
        known.begin(first, stated="2010-02-01")
    else:
        known.begin(first, through="SFS 2010:4")
    known.follow(diff(first, second), date="2012-01-01")
    known.follow(diff(second, third), date="2013-01-01", in_force={"SFS 2010:4": "2010-02-01"})
    before, after = of(known.rows(), "chp_2__sec_2")
    assert (before.superseded_by, after.introduced_by, after.valid_from) == (None, None, "2013-01-01")


def test_a_line_counts_the_expressions_that_hold_its_wording() -> None:
    texts = [dated(FYRAR, "2001-01-01"), dated(FYRAR, "2002-01-01"), dated({**FYRAR, (2, "2"): NEW}, "2003-01-01")]
    known = History(texts[0].document_id)
    known.begin(texts[0])
    for before, after in itertools.pairwise(texts):
        known.follow(diff(before, after), date=after.as_of_date)
    lines = [line for line in known.lines if line.eid == "chp_2__sec_2"]
    assert [(line.first, line.last) for line in lines] == [(0, 1), (2, None)]


def test_the_date_of_the_amending_act_is_taken_before_that_of_the_expression() -> None:
    changed = {**FYRAR, (2, "2"): f"{NEW} Lag (2010:4)."}
    expressions = [dated(FYRAR, "2001-01-01"), dated(changed, "2010-06-01")]
    rows = of(provision_versions(expressions, in_force={"SFS 2010:4": "2010-02-01"}), "chp_2__sec_2")
    assert [(row.valid_from, row.valid_to) for row in rows] == [(None, "2010-02-01"), ("2010-02-01", None)]


@pytest.mark.parametrize(("through", "act"), [("2010:3", "SFS 2010:4"), ("2010:4", None), ("2010:5", None)])
def test_an_act_that_the_text_before_included_changed_nothing_since(through: str, act: str | None) -> None:
    before, after = (
        dated(sections, date)
        for sections, date in ((FYRAR, "2001-01-01"), ({**FYRAR, (2, "2"): f"{NEW} Lag (2010:4)."}, "2011-06-01"))
    )
    known = History(before.document_id)
    known.begin(before, stated=before.as_of_date, through=f"SFS {through}")
    known.follow(
        diff(before, after), date=after.as_of_date, stated=after.as_of_date, in_force={"SFS 2010:4": "2010-02-01"}
    )
    first, second = of(known.rows(), "chp_2__sec_2")
    assert (first.superseded_by, second.introduced_by) == (act, act)
    assert second.valid_from == ("2010-02-01" if act else "2011-06-01")


def test_a_reverted_wording_has_two_intervals() -> None:
    changed = {**FYRAR, (2, "2"): NEW}
    rows = provision_versions([dated(FYRAR, "2001-01-01"), dated(changed, "2002-01-01"), dated(FYRAR, "2003-01-01")])
    held = intervals(rows, "chp_2__sec_2")
    assert list(held.values()) == [[(None, "2002-01-01"), ("2003-01-01", None)], [("2002-01-01", "2003-01-01")]]


def test_a_provision_that_is_removed_and_comes_back_is_the_same() -> None:
    without = {key: text for key, text in FYRAR.items() if key != (2, "2")}
    for gone in (without, {**FYRAR, (2, "2"): "Har upphävts genom lag (2002:4)."}):
        rows = provision_versions([dated(FYRAR, "2001-01-01"), dated(gone, "2002-01-01"), dated(FYRAR, "2003-01-01")])
        (held,) = intervals(rows, "chp_2__sec_2").values()
        assert held == [(None, "2002-01-01"), ("2003-01-01", None)]
    assert of(rows, "chp_2__sec_2")[0].superseded_by == "SFS 2002:4"


def test_a_renumbered_provision_keeps_its_id_and_its_old_number_gets_a_new_one() -> None:
    renumbered = {**FYRAR, (2, "2"): NEW, (2, "2 a"): FYRAR[2, "2"]}
    ordered = dict(sorted(renumbered.items()))
    rows = provision_versions([dated(FYRAR, "2001-01-01"), dated(ordered, "2005-07-01")])
    before, after = of(rows, "chp_2__sec_2")
    assert (before.eid, after.eid, after.prior_eids) == ("chp_2__sec_2", "chp_2__sec_2a", ("chp_2__sec_2",))
    assert intervals(rows, "chp_2__sec_2") == {before.text_hash: [(None, None)]}
    (new,) = of(rows, "chp_2__sec_2@2005-07-01")
    assert (new.eid, new.valid_from, new.prior_eids) == ("chp_2__sec_2", "2005-07-01", ())


def test_a_wording_that_is_to_come_follows_the_marks_and_not_the_expression() -> None:
    marked = f"/Upphör att gälla U:2031-01-01/ {FYRAR[3, '2']}\n\n2 § /Träder i kraft I:2031-01-01/ {NEW}"
    coming, after = {**FYRAR, (3, "2"): marked}, {**FYRAR, (3, "2"): NEW}
    rows = provision_versions([dated(FYRAR, "2029-01-01"), dated(coming, "2030-06-01"), dated(after, "2031-03-01")])
    held = intervals(rows, "chp_3__sec_2")
    assert list(held.values()) == [[(None, "2031-01-01")], [("2031-01-01", None)]]


def test_an_expression_without_a_change_adds_no_row() -> None:
    once = provision_versions([dated(FYRAR, "2001-01-01")])
    assert provision_versions([dated(FYRAR, date) for date in ("2001-01-01", "2002-01-01", "2003-01-01")]) == once


def test_rows_fit_the_table() -> None:
    rows = provision_versions([dated(FYRAR, "2001-01-01"), dated({**FYRAR, (2, "2"): NEW}, "2002-01-01")])
    table = tables.table([row.to_row() for row in rows], tables.PROVISION_VERSIONS)
    assert table.num_rows == len(FYRAR) + 1
    # pyarrow leaves out what the schema lacks and fills what a row lacks, without an error
    assert table.to_pylist() == [row.to_row() for row in rows]


@pytest.mark.corpus
def test_the_open_rows_of_a_history_are_the_last_expression(corpus: Path) -> None:
    """26 expressions of a constitution: what holds now, and what held on the day of each of them, is what they say."""
    expressions = [document for _, document in history(corpus, "fr_constitution_1958")][1:]
    rows = provision_versions(expressions)
    for expression in expressions:
        day = expression.as_of_date or ""
        held = {
            (row.eid, row.text_hash)
            for row in rows
            if (row.valid_from is None or row.valid_from <= day) and (row.valid_to is None or row.valid_to > day)
        }
        stands = {
            (pair.after.eid, pair.after.text_hash)
            for pair in diff(expression, expression).pairs
            if pair.after is not None and pair.after.is_provision
        }
        assert held == stands, day


@pytest.mark.corpus
def test_the_election_of_the_president_was_rewritten_in_1962_and_2000(corpus: Path) -> None:
    """Article 6: five years in place of seven since 2000, no more than two terms since 2008."""
    rows = provision_versions([document for _, document in history(corpus, "fr_constitution_1958")][1:])
    provision_id = next(row.provision_id for row in rows if row.eid.endswith("art_6"))
    starts = [(row.valid_from or "")[:4] for row in rows if row.provision_id == provision_id]
    assert starts == ["", "1962", "2000", "2008"]


@pytest.mark.corpus
def test_a_repeal_is_dated_by_the_register(corpus: Path) -> None:
    expressions = [document for _, document in history(corpus, "se_pairs/1967-837_patentlag")]
    rows = provision_versions(expressions, in_force={"SFS 2024:796": "2024-11-08"})
    (repealed,) = [row for row in rows if row.eid.endswith("sec_57a")]
    assert (repealed.introduced_by, repealed.superseded_by, repealed.valid_to) == (
        "SFS 2005:289",
        "SFS 2024:796",
        "2024-11-08",
    )
