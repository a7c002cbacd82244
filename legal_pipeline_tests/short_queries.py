"""How many short queries of `retrieval/short_queries.toml` name the provision that they mean.

`python -m legal_pipeline_tests.short_queries [--wrong]` prints a table per country: queries, those with the provision of a known act among
their places, and those with its levels too. Not here: the test that holds what was reached.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.retrieval.citation_query import CitedPlace, read_citations

_QUERIES = Path(__file__).parent / "retrieval" / "short_queries.toml"


@dataclass(frozen=True)
class Score:
    queries: int
    provisions: int
    levels: int
    wrong: tuple[str, ...]


def scores() -> dict[str, Score]:
    """Return country -> score."""
    return {code: _score(rows) for code, rows in tomllib.loads(_QUERIES.read_text("utf-8")).items()}


def _score(rows: list[dict[str, Any]]) -> Score:
    provisions = levels = 0
    wrong: list[str] = []
    for row in rows:
        found = [place for place in read_citations(row["query"]).places if place.works and _is_provision(place, row)]
        has_levels = any([level.partition("_")[2] for level in place.below] == row["below"] for place in found)
        provisions += bool(found)
        levels += has_levels
        wrong += [] if has_levels else [row["query"]]
    return Score(len(rows), provisions, levels, tuple(wrong))


def _is_provision(place: CitedPlace, row: Mapping[str, Any]) -> bool:
    number = (place.provision or "").partition("_")[2]
    # an article of a book of the Dutch civil code is counted in its book, and other numbers have a hyphen for the colon
    meant = {row["provision"], row["provision"].replace(":", "-"), row["provision"].rpartition(":")[2]}
    in_chapter = "chapter" not in row or place.containers[:1] == (f"chp_{row['chapter']}",)
    return number in meant and in_chapter


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wrong", action="store_true", help="print the queries that are not read whole")
    chosen = options.parse_args()
    found = scores()
    print(f"{'country':8} {'queries':>7} {'provision':>9} {'and levels':>10}")
    for code, score in found.items():
        print(f"{code:8} {score.queries:7} {score.provisions:9} {score.levels:10}")
        if chosen.wrong:
            print(*(f"  not read whole: {query}" for query in score.wrong), sep="\n")
    every = found.values()
    print(
        f"{'all':8} {sum(s.queries for s in every):7} {sum(s.provisions for s in every):9} {sum(s.levels for s in every):10}"
    )


if __name__ == "__main__":
    main()
