"""Output of the command line: tables for people, JSON for machines. Text of documents is printed as text, never as markup.

Not here: computing the content (`cli` and the library).
"""

from __future__ import annotations

import difflib
import itertools
import json
import textwrap
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from legal_pipeline.cli.progress import StageProgress
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.errors import WaitingForBatchError
from legal_pipeline.model.describe import Citer, describe
from legal_pipeline.processing.enrichment import paid
from legal_pipeline.processing.publication import OFF
from legal_pipeline.processing.stage import Deferred, Failed, Materialized, StageEvent
from legal_pipeline.registration import Registration
from legal_pipeline.system.terminal import Terminal, print_json, say

if TYPE_CHECKING:
    from legal_pipeline.chunking.chunk import ChunkedDocument
    from legal_pipeline.cli.diagnosis import Finding
    from legal_pipeline.cli.dry_run import DryRun
    from legal_pipeline.evaluation.run import Evaluation
    from legal_pipeline.evaluation.weight_fitting import FittedWeight
    from legal_pipeline.model.diff import Change, Diff
    from legal_pipeline.model.document import Document, Node
    from legal_pipeline.views.explanation import Explanation


#: Maximum number of documents that a line names.
_MAX_NAMED = 5
#: Maximum number of characters in which a line describes the changes of a document.
_MAX_CHANGES = 200


def counted(number: int, noun: str) -> str:
    """Return the number and the noun in its number: `1 document`, `2 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def first_names(names: Iterable[str]) -> str:
    """Return the first names of a list."""
    first = list(itertools.islice(names, _MAX_NAMED + 1))
    return ", ".join([*first[:_MAX_NAMED], *(["…"] if len(first) > _MAX_NAMED else [])])


def print_document(document: Document) -> None:
    """Print the node tree with numbers, headings and the beginning of each text."""
    tree = Tree(Text(f"{document.title} [{document.document_id}] {document.format}, {len(document.text):,} characters"))

    def grow(branch: Tree, node: Node) -> None:
        name = " ".join(part for part in (node.type, node.num, node.heading) if part)
        start = document.text[node.start : min(node.end, node.start + 60)].replace("\n", " ")
        label = Text(name, style="bold")
        label.append(f"  {node.start}..{node.end}  ", style="dim")
        label.append("" if node.children else start)
        if node.status != "in_force":
            label.append(f"  {node.status}", style="red")
        below = branch.add(label)
        for child in node.children:
            grow(below, child)

    for node in document.nodes:
        grow(tree, node)
    Terminal().print(tree)
    for warning in document.warnings:
        say(f"warning: {warning}", style="yellow")


def print_chunks(document: Document, chunked: ChunkedDocument) -> None:
    """Print a line per chunk, with as much of its text as the terminal is wide; then the number of chunks of each strategy."""
    table = simple_table("path", "type", "tokens", "span")
    table.add_column("text", no_wrap=True, ratio=1)
    table.expand = True
    for chunk in chunked.chunks:
        table.add_row(
            Text(chunk.path),
            chunk.chunk_type,
            str(chunk.num_tokens),
            f"{chunk.start_char}..{chunk.end_char}",
            Text(chunk.chunk_text[:80].replace("\n", " ")),
        )
    Terminal().print(table)
    strategies = Counter(chunk.strategy for chunk in chunked.chunks)
    cut_by = ", ".join(f"{strategy} {number:,}" for strategy, number in strategies.most_common())
    excluded: Counter[str] = Counter()
    for item in chunked.exclusions:
        excluded[item.reason] += item.end - item.start
    left_out = ", ".join(f"{reason} {number:,}" for reason, number in excluded.most_common())
    say(
        f"{document.document_id}: {counted(len(chunked.chunks), 'chunk')} ({cut_by}), coverage {chunked.coverage:.4f}"
        + (f"; characters left out: {left_out}" if left_out else "")
    )


def print_diff(before: Document, after: Document, found: Diff, as_json: bool) -> None:
    """Print the changed provisions in two columns, deleted text struck out and new text in bold, and the summary for lawyers."""
    sides = [_expression(document) for document in (before, after)]
    if as_json:
        print_json({**found.to_json(), "before": sides[0], "after": sides[1], "description": describe(found)})
        return
    cite = Citer(found)
    names = [side["as_of_date"] or side["consolidated_through"] or side["source_file"] for side in sides]
    table = Table(header_style="bold", show_lines=True, expand=True)
    table.add_column("provision", ratio=1)
    for name in names:
        table.add_column(Text(str(name)), ratio=3)
    for change in found.changes:
        label = Text(cite(change.subject), style="bold")
        label.append(f"\n{change.kind}{' (typography only)' if change.typographic else ''}", style="cyan")
        label.append("".join(f"\nbefore: {eid}" for eid in change.prior_eids), style="dim")
        table.add_row(label, *_marked(change))
    if found.changes:
        Terminal().print(table)
    say(f"{after.title} [{after.document_id}]: {describe(found)}")


def _expression(document: Document) -> dict[str, str | None]:
    return {
        "source_file": document.source_file,
        "format": document.format,
        "as_of_date": document.as_of_date,
        "consolidated_through": document.metadata.get("consolidated_through"),
    }


def _marked(change: Change) -> tuple[Text, Text]:
    """Return both texts of a change, with the differences by word marked."""
    sides = Text(), Text()
    old, new = ((side.text if side is not None else "").split() for side in (change.before, change.after))
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        sides[0].append(" ".join(old[a:b]) + " " * (b > a), style="" if tag == "equal" else "red strike")
        sides[1].append(" ".join(new[c:d]) + " " * (d > c), style="" if tag == "equal" else "bold green")
    for text, side in zip(sides, (change.before, change.after), strict=True):
        if side is not None and (side.valid_from or side.valid_to):
            text.append(f"\n[{side.valid_from or ''} .. {side.valid_to or ''}]", style="dim")
    return sides


def print_evaluation(
    found: Evaluation, *, as_json: bool, markdown: bool, plot: Path | None = None, queries: Path | None = None
) -> None:
    """Print a table per group of queries, without `markdown` a narrow one; write the picture and the queries to files."""
    from legal_pipeline.evaluation import report as evaluation_report

    if plot is not None:
        plot.write_bytes(evaluation_report.plot_png(found))
    if queries is not None:
        with queries.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(query), ensure_ascii=False) + "\n" for query in found.queries)
    if as_json:
        print_json(evaluation_report.to_json(found))
        return
    if markdown:
        say(evaluation_report.markdown(found))
        return
    for group in evaluation_report.groups(found):
        say(f"\n{evaluation_report.title(found, group)}", style="bold")
        table = simple_table(*evaluation_report.NARROW_HEAD)
        for row in evaluation_report.narrow_rows(evaluation_report.of_group(found, group)):
            table.add_row(*row)
        Terminal().print(table)
    for note in ("all figures, with intervals and comparisons: --markdown or --json", *found.notes):
        Terminal().print(Text(note, style="dim"))


def print_fitted(fitted: Sequence[FittedWeight], *, as_json: bool) -> None:
    """Print a line per weight, with its score on documents that were not used to choose it."""
    from legal_pipeline.evaluation.weight_fitting import METRIC

    if as_json:
        print_json([asdict(weights) for weights in fitted])
        return
    table = simple_table(
        "model", "kind", "language", "queries", "weight", f"{METRIC} as it is", "fitted, unseen documents"
    )
    for weights in fitted:
        table.add_row(
            weights.model,
            weights.kind,
            weights.language,
            str(weights.queries),
            f"{weights.weight:g}",
            f"{weights.present:.3f}",
            f"{weights.unseen:.3f}",
        )
    Terminal().print(table)


def print_dry_run(found: DryRun, as_json: bool) -> None:
    """Print a line per task; dollars one by one without and with the cache, and in Message Batches."""
    estimate = found.estimate
    if as_json:
        print_json(asdict(found))
        return
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
    for name in ("", "docs", "requests", "tokens in", "out", "plain $", "cached $", "batched $"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for name, cost in (*estimate.tasks.items(), ("total", estimate.total)):
        counts = (cost.documents, cost.requests, cost.input_tokens, cost.output_tokens)
        dollars = (cost.plain_usd, cost.cached_usd, cost.batched_usd)
        table.add_row(str(name), *(f"{number:,}" for number in counts), *(f"{number:,.4f}" for number in dollars))
    Terminal().print(table)
    models = ", ".join(sorted(set(estimate.models.values())))
    say(
        f"{counted(found.documents, 'document')}, {counted(found.chunks, 'chunk')}, {models}, as if nothing had been asked before. "
        "An estimate: tokens are our tokenizer's times a factor of the model, answers have their usual length, and none is refused and "
        "asked for again."
    )
    for style, reasons in (("red", found.unreadable), ("yellow", found.waiting)):
        for name, reason in sorted(reasons.items()):
            say(_about(name, reason), style=style)


def _about(name: str, reason: str) -> str:
    """Return the reason after the name that it is about; the message of an error has the name already."""
    return reason if reason.startswith((f"{name}: ", f"{name}, ")) else f"{name}: {reason}"


def print_left_out(keys: Sequence[str]) -> None:
    """Print how many files patterns leave out, and the first of them."""
    if keys:
        say(f"left out: {counted(len(keys), 'file')} by patterns: {first_names(keys)}", error=True)


def print_explanation(explanation: Explanation, as_json: bool) -> None:
    if as_json:
        print_json(asdict(explanation))
        return
    console = Terminal()
    for name, value in asdict(explanation).items():
        console.print(Text(f"{name}: ", style="bold") + Text(str(value)))


def print_diagnosis(findings: Iterable[Finding], as_json: bool) -> None:
    if as_json:
        print_json([asdict(finding) for finding in findings])
        return
    table = simple_table("part", "state", "detail")
    for finding in findings:
        state = Text("ok", style="green") if finding.ok else Text("missing", style="red")
        if finding.warning:
            state = Text("warning", style="yellow")
        table.add_row(finding.part, state, Text("; ".join(filter(None, (finding.detail, finding.warning)))))
    Terminal().print(table)


@dataclass
class Report:
    """Follows an ingest: counts registered documents, results of stages, and failures."""

    as_json: bool
    found: Registration = field(default_factory=Registration)
    made: Counter[str] = field(default_factory=Counter)
    reused: Counter[str] = field(default_factory=Counter)
    embedded: int = 0
    #: Points by the asset that wrote or deleted them: each store counts separately.
    written: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)
    spent: Usage = field(default_factory=Usage)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Document id -> what a document waits for that is not finished.
    waiting: dict[str, str] = field(default_factory=dict)
    #: Those of `waiting` that wait for answers of the language model.
    batched: set[str] = field(default_factory=set)
    #: Documents whose parser has warnings.
    warned: set[str] = field(default_factory=set)
    unused: list[str] = field(default_factory=list)
    #: Document id -> the date of its text, which another text of the same file and date replaced.
    corrected: dict[str, str] = field(default_factory=dict)
    #: Document id -> the first day after today of which its source has a text.
    later: Mapping[str, date] = field(default_factory=dict)
    progress: StageProgress | None = None

    @property
    def failed(self) -> bool:
        return bool(self.failures)

    @property
    def registered(self) -> int:
        return len(self.found.new) + len(self.found.changed) + len(self.found.listed)

    def _tell(self, text: str) -> None:
        if not self.as_json:
            say(text, error=True)

    def registration(self, found: Registration) -> None:
        self.found = found
        self._tell(
            f"{len(found.new)} new, {len(found.changed)} changed, {len(found.listed)} known, {len(found.tombstoned)} removed"
        )
        if not self.as_json:
            print_left_out(found.left_out)
        for key in found.erased:
            self._tell(f"not taken: {key} is of an erased document (`legal-pipeline erase --lift` ends an erasure)")

    def later_texts(self, days: Mapping[str, date]) -> None:
        self.later = days

    def event(self, event: StageEvent) -> None:
        asset = "/".join(event.asset_key)
        if not self.as_json:
            if self.progress is None:
                self.progress = StageProgress(self.registered)
            self.progress.event(event)
        self.spent += paid(event)
        if isinstance(event, Deferred):
            self.waiting[event.document_id] = str(event.error)
            if isinstance(event.error, WaitingForBatchError):
                self.batched.add(event.document_id)
            return
        if isinstance(event, Failed):
            self.failures[event.document_id] = (asset, f"{type(event.error).__name__}: {event.error}")
            reason = str(event.error).removeprefix(f"{event.document_id}: ")
            self._tell(f"failed: {event.document_id} in {asset}: {reason}")
            return
        (self.reused if event.reused else self.made)[asset] += 1
        self.embedded += int(event.metadata.get("embedded", 0))
        if event.metadata.get("warnings"):
            self.warned.add(event.document_id)
        self._files(event)
        if "points_written" in event.metadata and event.metadata.get("store") != OFF:
            self.written[asset] += int(event.metadata["points_written"])
            self.deleted[asset] += int(event.metadata["points_deleted"])

    def _files(self, event: Materialized) -> None:
        """Take up which files were not used, and which text a file with the same date has replaced."""
        for name in event.metadata.get("unused_files", ()):
            self.unused.append(name)
            self._tell(
                f"not used: {name}: another file has a text of the same date, or it belongs to another document, or it is not readable"
            )
        if day := event.metadata.get("corrected_text_of"):
            self.corrected[event.document_id] = day
            changes = textwrap.shorten(str(event.metadata.get("changes", "")), _MAX_CHANGES, placeholder=" …")
            self._tell(
                f"corrected: {event.document_id}: its file has a new text with the same date, {day}. It replaces the old text and is "
                f"not an amendment: {changes or 'no provision changed'}"
            )

    def close(self) -> None:
        """End the progress display, also if the ingest was interrupted."""
        if self.progress is not None:
            self.progress.close()
            self.progress = None

    def finish(self) -> None:
        self.close()
        if self.as_json:
            print_json(
                {
                    "documents": self.registered,
                    "tombstoned": list(self.found.tombstoned),
                    "erased": list(self.found.erased),
                    "left_out": list(self.found.left_out),
                    "computed": dict(self.made),
                    "reused": dict(self.reused),
                    "texts_embedded": self.embedded,
                    "with_warnings": sorted(self.warned),
                    "unused_files": self.unused,
                    "corrected": self.corrected,
                    "points_written": dict(self.written),
                    "points_deleted": dict(self.deleted),
                    "language_model": asdict(self.spent),
                    "waiting": dict(sorted(self.waiting.items())),
                    "later_texts": {document_id: str(day) for document_id, day in self.later.items()},
                    "failed": [
                        {"document_id": document_id, "asset": asset, "error": error}
                        for document_id, (asset, error) in sorted(self.failures.items())
                    ],
                }
            )
            return
        table = simple_table("asset", "computed", "up to date", "points written", "points deleted")
        for asset in dict.fromkeys([*self.made, *self.reused]):
            points = [str(count[asset]) if asset in count else "" for count in (self.written, self.deleted)]
            table.add_row(asset, str(self.made[asset]), str(self.reused[asset]), *points)
        Terminal().print(table)
        say(
            f"{counted(self.registered, 'document')}, {counted(self.embedded, 'text')} embedded, "
            f"{counted(len(self.failures), 'document')} failed"
        )
        if self.warned:
            has = f"{counted(len(self.warned), 'document')} {'has' if len(self.warned) == 1 else 'have'} warnings"
            say(f"{has}: {first_names(sorted(self.warned))}; `legal-pipeline coverage` of the files shows them")
        if self.failures:
            say("`legal-pipeline status` shows the reasons again")
        if self.batched:
            say(
                f"waiting for Message Batches, up to 24 hours: {counted(len(self.batched), 'document')}; Dagster's daemon "
                "(`legal-pipeline dev`) has them go on, or the next ingest"
            )
        for document_id in sorted(self.waiting.keys() - self.batched):
            say(f"waiting: {self.waiting[document_id]}", style="yellow")
        print_later_texts(self.later, except_of=self.waiting.keys() - self.batched)
        if self.spent.requests:
            say(f"the language model was paid for {self.spent}")


def print_later_texts(days: Mapping[str, date], *, except_of: Container[str]) -> None:
    """Print a line for each document with a text of a later day. `except_of`: documents of which another line says so, since they have no
    other text."""
    for document_id, day in days.items():
        if document_id not in except_of:
            text = f"waiting: {document_id}: its text of {day} is indexed on that day; until then the text before it is the law"
            say(text, style="yellow")


def simple_table(*columns: str) -> Table:
    """Return a table that loses no character in a narrow terminal: a word longer than its column goes on in the next line."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
