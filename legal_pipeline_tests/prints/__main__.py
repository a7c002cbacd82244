"""See the package. `--write` records what differs now."""

from __future__ import annotations

import argparse

from legal_pipeline_tests.prints.comparison import Comparison, names
from legal_pipeline_tests.prints.record import compared, write


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    chosen = options.parse_args()
    if chosen.write:
        write()
    totals: dict[str, Comparison] = {}
    for kind, name in names():
        result = compared(kind, name)
        totals.setdefault(kind, Comparison()).add(result)
        if result.differences:
            print(name, *result.differences, sep="\n    ")
    for kind, total in totals.items():
        number = sum(1 for each, _ in names() if each == kind)
        counts = (f"{measure} {total.right[measure]}/{asked}" for measure, asked in total.asked.items())
        print(f"{number} {kind}: {', '.join(counts)}")


if __name__ == "__main__":
    main()
