"""A document without its structure: bare HTML, and what Pandoc and LibreOffice make of it.

Not here: which documents are rendered.
"""

from __future__ import annotations

import html
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from legal_pipeline.model.document import Document, Node

#: Name of a rendering to the ending of its files and the writer of Pandoc that makes it.
_PANDOC: Mapping[str, tuple[str, str]] = {
    "markdown": (".md", "gfm-raw_html"),
    "text": (".txt", "plain"),
    "docx": (".docx", "docx"),
}


def renderings(document: Document) -> Iterator[tuple[str, str, bytes]]:
    """(name of the rendering, file name, bytes); those whose program is missing are left out."""
    page = bare_html(document)
    yield "html", "act.html", page.encode()
    yield "paragraphs", "act.html", bare_html(document, headings=False).encode()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.html"
        source.write_text(page, "utf-8")
        if shutil.which("pandoc"):
            for name, (suffix, writer) in _PANDOC.items():
                made = Path(folder) / f"act{suffix}"
                subprocess.run(["pandoc", "-f", "html", "-t", writer, "-o", made, source], check=True, timeout=120)
                yield name, made.name, made.read_bytes()
        if shutil.which("soffice") and (Path(folder) / "act.docx").exists():
            command = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", folder, f"{folder}/act.docx"]
            subprocess.run(command, check=True, timeout=240, capture_output=True)
            yield "pdf", "act.pdf", (Path(folder) / "act.pdf").read_bytes()


def missing_programs() -> list[str]:
    """Sentences about renderings that this machine cannot make."""
    missing = []
    if not shutil.which("pandoc"):
        missing.append("pandoc is not installed: markdown, text and docx are left out")
    if not shutil.which("soffice"):
        missing.append("LibreOffice is not installed: pdf is left out")
    return missing


def bare_html(document: Document, *, headings: bool = True) -> str:
    """One element per block, without attributes: `h2` for headings of divisions, `h3` for the others (or `p` with `b`), `table`, `p`."""
    levels = _heading_levels(document)
    tables = {node.start: node.end for node in document.walk() if node.type == "table"}
    parts = []
    position = 0
    for block in document.text.split("\n\n"):
        end = position + len(block)
        level, heading_end = levels.get(position, (0, 0))
        text = html.escape(block)
        if tables.get(position, -1) >= end and "\n" in block:
            rows = "".join(
                "<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split(" | ")) + "</tr>" for row in text.split("\n")
            )
            parts.append(f"<table>{rows}</table>")
        elif level and heading_end >= end:
            parts.append(f"<h{level}>{text}</h{level}>" if headings else f"<p><b>{text}</b></p>")
        else:
            parts.append("".join(f"<p>{line}</p>" for line in text.split("\n")))
        position = end + 2
    return f"<!DOCTYPE html><html><head><title>Act</title></head><body>{chr(10).join(parts)}</body></html>"


def _heading_levels(document: Document) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}

    def visit(nodes: list[Node], inside: bool) -> None:
        for node in nodes:
            if node.type == "heading":
                found[node.start] = (3 if inside else 2, node.end)
            visit(node.children, inside or node.type in ("section", "article"))

    visit(list(document.nodes), False)
    return found
