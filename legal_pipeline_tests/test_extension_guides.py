"""The examples in the guides to a format, a source and a strategy do what the guides say.

Not here: the example of a country (`jurisdictions/test_made_up_country.py`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing.profiles import documents as profile_documents
from legal_pipeline.parsing.profiles.profile import read_profile
from legal_pipeline.sources.http import HttpClient, RequestPolicy
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.sources.api_server import ApiServer, Request, Response, as_json

GUIDES = Path(__file__).resolve().parent.parent / "docs/guides"
_BLOCK = r"^```{}\n(.+?)^```$"


def example(guide: str, language: str) -> str:
    """The only block of `language` in a guide."""
    page = (GUIDES / f"{guide}.md").read_text("utf-8")
    (block,) = re.findall(_BLOCK.format(language), page, re.MULTILINE | re.DOTALL)
    return str(block)


def run(guide: str) -> dict[str, Any]:
    """The names that the Python of a guide defines."""
    names: dict[str, Any] = {}
    exec(compile(example(guide, "python"), f"{guide}.md", "exec"), names)
    return names


def outline(read: Document) -> list[tuple[str, str | None]]:
    return [(node.type, node.num) for node in read.walk() if node.num is not None]


def test_the_profile_of_the_guide_reads_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = read_profile("lantern.toml", example("add-format", "toml"))
    monkeypatch.setattr(profile_documents, "profiles", lambda: (profile,))
    (format,) = profile_documents.formats()
    source = SourceFile("lantern.xml", example("add-format", "xml").encode())
    assert format.sniff(source) == 1.0
    read = format.parse(source)
    check_tree(read)
    assert (read.title, read.doc_type, read.jurisdiction) == ("Lantern Act", "act", "xl")
    assert outline(read) == [
        ("chapter", "1"), ("article", "1"), ("subsection", "1"), ("subsection", "2"), ("article", "2"),
    ]  # fmt: skip
    assert [node.valid_from for node in read.provisions()] == ["2031-02-01", None]
    assert "Harbour Road" not in read.text


def test_the_parser_of_the_guide_reads_its_format() -> None:
    format = run("add-format")["FORMAT"]
    source = SourceFile("a.txt", b"LANTERN 1\nTrim the lantern every evening.\nRecord the oil.\n")
    assert format.sniff(source) == 1.0
    assert format.sniff(SourceFile("a.txt", b"LANTERN")) == 0.0
    read = format.parse(source)
    check_tree(read)
    assert outline(read) == [("section", "1"), ("section", "2")]
    assert (read.format, read.text) == ("lantern_text", "Trim the lantern every evening.\n\nRecord the oil.")


def test_the_source_of_the_guide_lists_and_fetches() -> None:
    acts = {"2031-7": "2031-02-01", "2032-1": "2032-03-01"}

    def gazette(request: Request) -> Response:
        if request.path == "/acts.json":
            return as_json({"acts": [{"id": name, "changed": day} for name, day in acts.items()]})
        return Response(200, f"<akomaNtoso>{request.path}</akomaNtoso>".encode())

    names = run("add-source")
    with ApiServer(gazette) as server:
        client = HttpClient(server.url, policy=RequestPolicy(requests_per_second=2_000, timeout_seconds=2))
        source = names["opened"](None, lambda url: client, Limits())
        listing = source.list()
        assert [(item.key, item.stamp) for item in listing.items] == sorted(acts.items())
        assert listing.covers("2033-1")
        assert list(source.slices("all")) == []
        changed = source.changes("2032-01-01")
        assert [item.key for item in changed.items] == ["2032-1"]
        assert not changed.covers("2031-7")
        file = source.fetch(source.item("2031-7"))
        assert (file.name, file.data) == ("2031-7.xml", b"<akomaNtoso>/acts/2031-7.xml</akomaNtoso>")
        assert file.hints["may_export"] is True
        client.close()


def test_the_strategy_of_the_guide_cuts_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRATEGIES, "by_paragraph", run("add-strategy")["STRATEGY"])
    law = document(
        Part("section", "1. Trim the lantern every evening.\n\nRecord the oil that was used.", "1"),
        "Signed at the harbour office.",
    )
    cut = chunk(law, RouterOptions(strategy="by_paragraph"))
    assert [(item.path, item.chunk_text) for item in cut.chunks] == [
        ("paragraph", "1. Trim the lantern every evening."),
        ("paragraph-2", "Record the oil that was used."),
        ("paragraph-3", "Signed at the harbour office."),
    ]
    assert cut.coverage == 1.0
