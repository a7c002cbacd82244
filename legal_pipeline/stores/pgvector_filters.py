"""Conditions on points as SQL over the columns of a pgvector table.

Not here: the query around them (`stores.pgvector`).
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from psycopg import sql
from psycopg.sql import Composed
from psycopg.types.json import Jsonb

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.stores.pgvector_rows import DATE_FIELDS, PAYLOAD_DATE_FIELDS, TEXT_FIELDS, day
from legal_pipeline.stores.store import AnyOf, Condition, DateRange, Either, Not

#: doc_type is the column source_type; a point without a doc_type has `other` there, so for that word the payload decides.
_SOURCE_TYPE = "doc_type"
_ISO_DATE = r"^\d{4}-\d{2}-\d{2}$"


def where(conditions: Sequence[Condition], ids: Sequence[str] | None = None) -> tuple[Composed, dict[str, Any]]:
    """Return `true and …` with named parameters; with `ids` only of these points.

    Raises ConfigurationError for a date range over a field that has no column.
    """
    parameters: dict[str, Any] = {}
    found = _all_of(conditions, parameters)
    if ids is not None:
        found += sql.SQL(" and id = any({}::uuid[])").format(_bound(parameters, list(ids)))
    return found, parameters


def _all_of(conditions: Sequence[Condition], parameters: dict[str, Any]) -> Composed:
    parts: list[sql.Composable] = [sql.SQL("true")]
    for condition in conditions:
        if isinstance(condition, Either):
            either = [sql.SQL("({})").format(_all_of(each, parameters)) for each in condition.alternatives]
            parts.append(sql.SQL("({})").format(sql.SQL(" or ").join([sql.SQL("false"), *either])))
            continue
        inner = condition.condition if isinstance(condition, Not) else condition
        part = _any_of(inner, parameters) if isinstance(inner, AnyOf) else _date_range(inner, parameters)
        # `is not true`, because an absent field makes a comparison null and does not meet the condition
        negated = isinstance(condition, Not)
        parts.append(sql.SQL("({}) is not true").format(part) if negated else sql.SQL("({})").format(part))
    return sql.SQL(" and ").join(parts)


def _any_of(condition: AnyOf, parameters: dict[str, Any]) -> Composed:
    words = [value for value in condition.values if isinstance(value, str)]
    is_source_type = condition.field == _SOURCE_TYPE and "other" not in condition.values
    if len(words) == len(condition.values) and (condition.field in TEXT_FIELDS or is_source_type):
        column = TEXT_FIELDS.get(condition.field, "source_type")
        return sql.SQL("{} = any({})").format(sql.Identifier(column), _bound(parameters, words))
    # a JSON array contains each of its elements, so a field with several values has any of them. The name is not a parameter: the planner
    # recognises the index of citations by it
    return sql.SQL("payload -> {} @> any({}::jsonb[])").format(
        sql.Literal(condition.field), _bound(parameters, [Jsonb(value) for value in condition.values])
    )


def _date_range(condition: DateRange, parameters: dict[str, Any]) -> Composed:
    column: sql.Composable
    if condition.field in DATE_FIELDS:
        column = sql.Identifier(condition.field)
    elif condition.field in PAYLOAD_DATE_FIELDS:
        stored = sql.SQL("payload ->> {}").format(_bound(parameters, condition.field))
        # a condition in words is not a date: it must not reach the cast
        column = sql.SQL("(case when {0} ~ {1} then ({0})::date end)").format(stored, _bound(parameters, _ISO_DATE))
    else:
        raise ConfigurationError(
            f"pgvector tables have no date column {condition.field}; there are {', '.join(sorted(DATE_FIELDS))}"
        )
    bounds = {">=": condition.since, ">": condition.after, "<=": condition.until, "<": condition.before}
    parts = [sql.SQL("{} is not null").format(column)]
    for operator, bound in bounds.items():
        if bound is not None:
            parts.append(sql.SQL(f"{{}} {operator} {{}}").format(column, _bound(parameters, _date(bound))))
    within: Composed = sql.SQL(" and ").join(parts)
    if not condition.or_absent:
        return within
    # the column is null for a condition in words too, which is not absent
    absent = sql.SQL("payload ->> {} is null").format(_bound(parameters, condition.field))
    return sql.SQL("({}) or ({} is null and {})").format(within, column, absent)


def _date(text: str) -> datetime.date:
    found = day(text)
    if found is None:
        raise ConfigurationError(f"{text!r} is not a date, expected YYYY-MM-DD")
    return found


def _bound(parameters: dict[str, Any], value: object) -> Any:
    name = f"condition_{len(parameters)}"
    parameters[name] = value
    return sql.Placeholder(name)
