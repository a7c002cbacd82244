"""Prints precision and recall of numbers and the share of right parents, per jurisdiction and rendering. See the package."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.recogniser.acts import Act, acts
from legal_pipeline_tests.recogniser.bespoke import rows
from legal_pipeline_tests.recogniser.measure import Counts, compare, provisions
from legal_pipeline_tests.recogniser.renderings import missing_programs, renderings

#: How a rendering is read: a format of a country must not claim it.
_FORMATS = {
    "html": "generic_html",
    "paragraphs": "generic_html",
    "markdown": "markdown",
    "text": "plain_text",
    "docx": "docx",
    "pdf": "pdf",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m legal_pipeline_tests.recogniser", description=__doc__)
    parser.add_argument("corpus", type=Path)
    halves = parser.add_mutually_exclusive_group()
    halves.add_argument("--held-back", dest="half", action="store_const", const="held back", help="the second half")
    for name in ("fresh", "fourth", "fifth"):
        halves.add_argument(f"--{name}", dest="half", action="store_const", const=name, help="twelve Acts chosen later")
    parser.set_defaults(half="development")
    parser.add_argument("--only", default="", help="renderings, parted by commas")
    parser.add_argument("--verbose", action="store_true", help="every Act with what was missed")
    parser.add_argument("--bespoke", action="store_true", help="the parsers of text formats beside the recogniser")
    options = parser.parse_args()
    if options.bespoke:
        say_bespoke(options.corpus)
        return
    only = set(options.only.split(",")) if options.only else set(_FORMATS)
    totals: dict[tuple[str, str], Counts] = defaultdict(Counts)
    chosen = acts(options.corpus, options.half)
    for act in chosen:
        for rendering, counts, missed in measured(act, only):
            totals[act.document.jurisdiction, rendering] += counts
            totals["all", rendering] += counts
            if options.verbose:
                say(f"{act.path} {rendering}: {_row(counts)} {missed}")
    say(f"{len(chosen)} Acts, the {options.half} half")
    for (country, rendering), counts in sorted(totals.items()):
        say(f"{country:4} {rendering:11} {_row(counts)}")
    for sentence in missing_programs():
        say(sentence)


def say_bespoke(corpus: Path) -> None:
    """One line per text format and kind of truth: its own parser and the recogniser on the same files."""
    files: dict[tuple[str, str], int] = defaultdict(int)
    own: dict[tuple[str, str], Counts] = defaultdict(Counts)
    generic: dict[tuple[str, str], Counts] = defaultdict(Counts)
    for row in rows(corpus):
        key = (row.format, row.truth)
        files[key] += 1
        own[key] += row.own
        generic[key] += row.generic
    for (format, truth), count in sorted(files.items()):
        label = f"{format:20} {count:2} files, truth: {truth:10}"
        for reader, counts in (("own", own[format, truth]), ("recogniser", generic[format, truth])):
            figures = _row(counts).partition(" parents")[0] if truth == "stated" or not counts.hits else _row(counts)
            say(f"{label} {reader:10} {figures}")


def measured(act: Act, only: set[str]) -> list[tuple[str, Counts, str]]:
    """(rendering, counts, what was missed) of one Act; a rendering that is refused counts as nothing found."""
    rows = []
    for rendering, name, data in renderings(act.document):
        if rendering not in only:
            continue
        try:
            found = parse(SourceFile(name, data, hints={"doc_type": "act"}), _FORMATS[rendering])
        except LegalPipelineError as error:
            rows.append((rendering, Counts(len(provisions(act.document.nodes))), f"refused: {error}"))
            continue
        rows.append((rendering, compare(act.document, found), _missed(act, found)))
    return rows


def _missed(act: Act, found: object) -> str:
    right, ours = provisions(act.document.nodes), provisions(getattr(found, "nodes", ()))
    missing = [num for num, _ in right if num not in {each for each, _ in ours}]
    extra = [num for num, _ in ours if num not in {each for each, _ in right}]
    wrong = [row for row in right if row not in set(ours)]
    return f"missing {missing[:8]} extra {extra[:8]} parents {wrong[:4]}"


def _row(counts: Counts) -> str:
    return (
        f"expected {counts.expected:6,} found {counts.found:6,} precision {counts.precision:.3f} recall {counts.recall:.3f} "
        f"parents {counts.parents:.3f}"
    )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
