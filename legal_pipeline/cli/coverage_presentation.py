"""Output of the command `coverage`: a line per document when it is finished, and tables of all documents.

Not here: reading the files (`cli.coverage_report`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from rich.text import Text

from legal_pipeline.cli.coverage_report import FileReport
from legal_pipeline.cli.presentation import counted
from legal_pipeline.system.terminal import Terminal, print_json, say

_TITLE_LENGTH = 80


def print_coverage(reports: Iterable[FileReport], as_json: bool) -> list[FileReport]:
    """Print each report when it is finished (with `as_json` as a JSON line) and return all reports."""
    shown = []
    console = Terminal()
    for report in reports:
        shown.append(report)
        if as_json:
            print_json(asdict(report))
            continue
        line = Text(report.name)
        if report.error is not None:
            line.append(f"  {report.error}: {report.message}", style="bold red" if report.defect else "yellow")
        else:
            line.append(f"  {_shortened(report.title or '')} ({report.jurisdiction})")
            line.append(f"  {report.format} {report.document_id}", style="dim")
            line.append(
                f"  {_sections(report)} sections, words lost {_words(report) or 'not counted'}, {report.chunks or 0} chunks, "
                f"coverage {_share(report.coverage)}"
            )
            if report.requires_manual_review:
                line.append("  to be looked at by a person", style="red")
        console.print(line, soft_wrap=True)
        for warning in report.warnings:
            say(f"  warning: {warning}", style="yellow")
    if not as_json:
        failed = Counter(report.error for report in shown if report.error is not None)
        errors = ", ".join(f"{name} {number}" for name, number in failed.most_common())
        say(
            f"{counted(_files(shown), 'file')}, {counted(len(shown) - failed.total(), 'document')}"
            + (f", {errors}" if errors else "")
        )
    return shown


def coverage_tables(reports: Sequence[FileReport]) -> str:
    """Return markdown tables: a line per folder, a line per document, and a line per warning."""
    rows = [
        (
            report.name,
            report.format or "",
            report.document_id or "",
            _shortened(report.title or ""),
            report.jurisdiction or "",
            _sections(report) if report.error is None else "",
            _words(report),
            _share(report.coverage),
            str(len(report.warnings) or ""),
            report.error or "",
        )
        for report in reports
    ]
    files = _markdown(
        ("file", "format", "document", "title", "country", "sections", "words lost", "coverage", "warnings", "error"),
        rows,
    )
    warnings = [(report.name, warning) for report in reports for warning in report.warnings]
    told = f"\n\n{_markdown(('file', 'warning'), warnings)}" if warnings else ""
    return f"{coverage_summary(reports)}\n\n{files}{told}"


def coverage_summary(reports: Iterable[FileReport]) -> str:
    """Return a markdown table with a line per folder; sections are found / expected, of documents whose source states their number."""
    by_folder: dict[str, list[FileReport]] = {}
    for report in reports:
        by_folder.setdefault("/".join(report.file.split("/")[:-1][:2]) or ".", []).append(report)
    head = ("folder", "files", "documents", "sections found / expected", "sections, number not stated", "words lost / shown",
            "least coverage", "warnings", "to be reviewed", "typed errors")  # fmt: skip
    return _markdown(head, [_folder_row(folder, found) for folder, found in by_folder.items()])


def _folder_row(folder: str, reports: Sequence[FileReport]) -> tuple[str, ...]:
    read = [report for report in reports if report.error is None]
    known = [report for report in read if report.sections_expected is not None]
    found = _sum(report.sections_found for report in known)
    expected = _sum(report.sections_expected for report in known)
    unknown = _sum(report.sections_found for report in read) - found
    covered = [report.coverage for report in read if report.coverage is not None]
    errors = Counter(report.error for report in reports if report.error is not None)
    return (
        folder,
        str(_files(reports)),
        str(len(read)),
        f"{found:,} / {expected:,}" if known else "",
        f"{unknown:,}" if unknown else "",
        _lost(_sum(report.words_lost for report in read), _sum(report.words_shown for report in read)),
        _share(min(covered, default=None)),
        str(sum(len(report.warnings) for report in read) or ""),
        str(sum(report.requires_manual_review for report in read) or ""),
        ", ".join(f"{number} {name}" for name, number in errors.most_common()),
    )


def _files(reports: Iterable[FileReport]) -> int:
    return len({report.file for report in reports})


def _shortened(title: str) -> str:
    return title if len(title) <= _TITLE_LENGTH else f"{title[: _TITLE_LENGTH - 1]}…"


def _sum(counts: Iterable[int | None]) -> int:
    return sum(count or 0 for count in counts)


def _sections(report: FileReport) -> str:
    expected = "" if report.sections_expected is None else f" / {report.sections_expected:,}"
    return f"{report.sections_found or 0:,}{expected}"


def _words(report: FileReport) -> str:
    return _lost(report.words_lost or 0, report.words_shown or 0)


def _lost(lost: int, shown: int) -> str:
    return f"{lost:,} / {shown:,}" if shown else ""


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split("\n")) for cell in line) + " |" for line in lines
    )
