"""One statute read from different publishers: the text of a § is the same, or the difference is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

Sections = dict[tuple[str | None, ...], str]


def read(corpus: Path, folder: str, pattern: str) -> Document:
    path = next((corpus / "se" / folder).glob(pattern))
    return parse(SourceFile(path.name, path.read_bytes()))


def sections(document: Document) -> Sections:
    """Text of each §, on one line, by chapter, number and dates; publishers differ in the dash of a range."""
    out = {}
    for node, ancestors in document.walk_with_ancestors():
        if node.type == "section":
            chapter = next((parent.num for parent in ancestors if parent.type == "chapter"), None)
            out[chapter, node.num, node.valid_from, node.valid_to] = " ".join(document.text_of(node).split()).replace(
                "–", "-"
            )
    return out


@pytest.mark.corpus
def test_arbetsmiljolagen_is_the_same_in_the_riksdags_html_and_in_legal_document_html(corpus: Path) -> None:
    riksdagen = sections(read(corpus, "riksdagen_html", "sfs-1977-1160*"))
    canonical = sections(read(corpus, "canonical_html", "sfs-1977-1160*"))
    assert len(riksdagen) == len(canonical) == 119
    assert riksdagen == canonical


@pytest.mark.corpus
def test_between_two_states_of_arbetsmiljolagen_only_amended_sections_differ(corpus: Path) -> None:
    """SFS 2023:349 against SFS 2025:732; three §§ have no anchor in the newer page and are read as §§ all the same."""
    old = sections(read(corpus, "rkrattsbaser_html", "sfs-1977-1160*"))
    new = sections(read(corpus, "riksdagen_html", "sfs-1977-1160*"))
    amended = {key[:2] for key, text in new.items() if any(f"({year}:" in text for year in (2024, 2025))}
    both = old.keys() & new.keys()
    different = {key[:2] for key in both if old[key] != new[key]}
    assert different == {("1", "4"), ("8", "4")}
    assert different <= amended
    assert sum(old[key] == new[key] for key in both) == 115
    assert {key[:2] for key in old.keys() - new.keys()} == {("6", "17")}


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "equal"), [("sfs-1915-218", 39), ("sfs-1972-207", 36)])
def test_where_publishers_differ_the_derived_html_has_lost_a_citation(corpus: Path, name: str, equal: int) -> None:
    official = sections(read(corpus, "rkrattsbaser_html", f"{name}*"))
    derived = sections(read(corpus, "canonical_html", f"{name}*"))
    assert official.keys() == derived.keys()
    different = [key for key in official if official[key] != derived[key]]
    assert len(official) - len(different) == equal
    for key in different:
        words = iter(official[key].split())
        assert all(word in words for word in derived[key].split()), key
