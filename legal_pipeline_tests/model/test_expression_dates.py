"""The days from which the expressions of a document are law."""

from __future__ import annotations

from legal_pipeline.processing.expressions import Expression
from legal_pipeline.stages.provision_versions import dates


def expression(name: str, as_of_date: str | None, first_seen: str) -> Expression:
    return Expression(name, as_of_date, None, first_seen, (), "")


def test_an_expression_is_never_law_before_the_one_before_it() -> None:
    known = [
        expression("a", "2030-01-01", "2029-06-01"),
        expression("b", None, "2029-07-01"),
        expression("c", "2029-12-01", "2031-02-03"),
        expression("d", "a year", "2031-02-04"),
    ]
    assert [(dated.date, dated.stated) for dated in dates(known, {})] == [
        ("2030-01-01", "2030-01-01"),
        ("2030-01-01", None),
        ("2031-02-03", None),
        ("2031-02-04", None),
    ]
