"""What a corpus of a size takes: chunks, bytes, hours and dollars, computed from the measured rates in `rates.toml`.

`python -m legal_pipeline_tests.benchmarks.cost_model 250000` prints the table of docs/operations/scale.md for other sizes. Not here: the
measurements (each rate names its command).
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

SIZES = (11_000, 100_000, 1_000_000)

#: (name, machines, cores of each). A core is one of the machine that the rates were measured on.
MACHINES = (("one machine, 2 cores", 1, 2), ("one machine, 16 cores", 1, 16), ("four machines, 16 cores each", 4, 16))

_GB, _HOUR = 1e9, 3600
_DIMENSIONS = 384
#: Memory of a vector with its links in the graph, beside the vector's own bytes (Qdrant's rule of thumb).
_GRAPH = 1.5


@dataclass(frozen=True)
class Rates:
    """`rows`: name -> value, unit, figure and command, as `rates.toml` has them."""

    rows: dict[str, dict[str, Any]]
    measured: dict[str, str]

    @classmethod
    def load(cls) -> Rates:
        found = tomllib.loads(Path(__file__).with_name("rates.toml").read_text("utf-8"))
        return cls(found["rates"], found["measured"])

    def __getitem__(self, name: str) -> float:
        return float(self.rows[name]["value"])

    @cached_property
    def processor_ms(self) -> float:
        """Of one document from its first poll to the stores, without vectors: ours and PostgreSQL's."""
        return sum(self[name] for name in ("registration", "registration_postgres", "run", "run_postgres"))

    @cached_property
    def embedding_ms(self) -> float:
        """Of one document's vectors."""
        return self["chunks"] * self["embedding"]


def rows_of(rates: Rates, documents: int) -> dict[str, str]:
    """The figures of one size, as text by name."""
    chunks = documents * rates["chunks"]
    found = {
        "chunks, each with one vector": f"{chunks:,.0f}",
        "warehouse": _gigabytes(documents * rates["warehouse"]),
        "files of the warehouse": f"{documents * rates['files']:,.0f}",
        "PostgreSQL: registry, pgvector and Dagster": _gigabytes(documents * rates["database"]),
        "of this, Dagster's event log of first runs": _gigabytes(documents * rates["events"]),
        "Qdrant, on the disk": _gigabytes(documents * rates["qdrant"]),
        "Qdrant, vectors in memory": _gigabytes(chunks * _DIMENSIONS * 4 * _GRAPH / 1024),
        "Qdrant, the same with `int8` and vectors on the disk": _gigabytes(chunks * _DIMENSIONS * _GRAPH / 1024),
    }
    for name, machines, cores in MACHINES:
        hours = documents * (rates.processor_ms + rates.embedding_ms) / 1000 / (machines * cores) / _HOUR
        found[f"first load, hours at best: {name}"] = _hours(hours)
    found["of this load, vectors: hours of one core"] = _hours(documents * rates.embedding_ms / 1000 / _HOUR)
    found["Claude, every enrichment, in batches"] = f"${documents * rates['dollars_batch']:,.0f}"
    found["Claude, every enrichment, single requests"] = f"${documents * rates['dollars_plain']:,.0f}"
    return found


def _gigabytes(kilobytes: float) -> str:
    return f"{kilobytes * 1024 / _GB:,.1f} GB"


def _hours(hours: float) -> str:
    return "< 0.1" if hours < 0.1 else f"{hours:,.1f}" if hours < 100 else f"{hours:,.0f}"


def _rounded(number: float) -> int:
    """Return the number with two significant digits: the rates are no more precise."""
    return int(float(f"{number:.2g}"))


def table(rates: Rates, sizes: Sequence[int] = SIZES) -> str:
    """The cost model as Markdown: a column per size."""
    columns = [rows_of(rates, size) for size in sizes]
    lines = [f"| documents | {' | '.join(f'{size:,}' for size in sizes)} |", f"|---|{'---:|' * len(sizes)}"]
    lines += [f"| {name} | {' | '.join(column[name] for column in columns)} |" for name in columns[0]]
    return "\n".join(lines)


def rate_table(rates: Rates) -> str:
    """The rates as Markdown, each with the command that measures it."""
    lines = ["| rate | value | measured by |", "|---|---|---|"]
    for row in rates.rows.values():
        value = f"{row['value']:,g} {row['unit']}".strip()
        lines.append(f"| {row['figure']} | {value} | `{row['command']}` |")
    return "\n".join(lines)


def page_part() -> str:
    """The generated part of docs/operations/scale.md."""
    rates = Rates.load()
    per_core = [3_600_000 / each for each in (rates.processor_ms + rates.embedding_ms, rates.processor_ms)]
    workers = (
        f"One core processes about {_rounded(per_core[0]):,} documents an hour, or about {_rounded(per_core[1]):,} if an embedding server "
        "computes the vectors."
    )
    where = f"Measured {rates.measured['when']} on {rates.measured['where']}."
    return f"{table(rates)}\n\n{workers}\n\n### Rates\n\n{where}\n\n{rate_table(rates)}"


if __name__ == "__main__":
    print(table(Rates.load(), [int(size) for size in sys.argv[1:]] or SIZES))
