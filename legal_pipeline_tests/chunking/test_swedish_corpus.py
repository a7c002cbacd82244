"""Real Swedish law through parser and router: every promise on every document, and the §§ counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.header import StatuteHeader, clean_title
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline_tests.chunking.promises import check_promises, live_provisions

pytestmark = pytest.mark.corpus

FOLDERS = ("rkrattsbaser_html", "rkrattsbaser_json", "riksdagen_html", "canonical_html", "agency", "selex_md")


def read(path: Path) -> Document:
    return parse(SourceFile(path.name, path.read_bytes()))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_promise_holds_on_every_document(corpus: Path, folder: str) -> None:
    checked = 0
    for path in sorted((corpus / "se" / folder).iterdir()):
        if path.suffix == ".pdf" or path.name in ("sfs-1982-80.md", "sfs-2012-210.md"):  # two hold front matter only
            continue
        document = read(path)
        if document.doc_type == "amendment" or document.jurisdiction != "se":
            continue  # amending acts are not chunked; two texts of prints are read as plain text of no country
        result = chunk(document)
        check_promises(document, result)
        if document.number and any(True for _ in document.provisions()):
            sections = [row for row in result.chunks if row.chunk_type == "statutory_text"]
            assert len(sections) == len(live_provisions(document)), path.name
        checked += 1
    assert checked


def test_aml_from_riksdagen_html_has_116_sections(corpus: Path) -> None:
    (path,) = (corpus / "se" / "riksdagen_html").iterdir()
    assert sum(node.type == "section" for node in read(path).provisions()) == 119


@pytest.mark.parametrize(("pattern", "false_number"), [("sfs-1977-1160*", "14"), ("sfs-1982-80*", "6")])
def test_references_wrapped_at_a_line_start_are_not_sections(corpus: Path, pattern: str, false_number: str) -> None:
    (path,) = (corpus / "se" / "rkrattsbaser_html").glob(pattern)
    document = read(path)
    assert not any("samt 9 kap." in document.text_of(node)[:40] for node in document.provisions())
    numbers = [
        (above[-1].eid if above else "", node.num)
        for node, above in document.walk_with_ancestors()
        if node.type == "section"
    ]
    assert len(numbers) == len(set(numbers)), "a number twice in one chapter"
    assert {"sfs-1982-80*": 70, "sfs-1977-1160*": 118}[pattern] == len(numbers)


@pytest.mark.parametrize("each", [5, pytest.param(1, marks=pytest.mark.heavy)])
def test_the_500_acts_of_the_bulk_sample_keep_every_promise(corpus: Path, each: int) -> None:
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as rows:
        acts = [json.loads(row) for row in rows]
    assert len(acts) == 500
    for act in acts[::each]:
        header = StatuteHeader(number=act["sfs"].removeprefix("SFS "), title=clean_title(act["title"]))
        source = SourceFile(act["source_file"], act["body"].encode())
        document = parse_statute_text(act["body"], header, source)
        check_promises(document, chunk(document))
