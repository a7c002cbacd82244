"""se-lex markdown: links unwrapped, damage recovered where sure and said where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing.registry import parse

FRONT = """---
beteckning: 2099:21
rubrik: Brygglag
departement: Sjödepartementet
utfardad_datum: 2099-02-03
ikraft_datum: 2099-03-01
andringsforfattningar:
  - beteckning: "2100:4"
    rubrik: "Lag (2100:4) om ändring i brygglagen (2099:21)"
    ikraft_datum: 2100-07-01
    anteckningar: "ändr. 2 §"
---
"""

BODY = """
# Brygglag

### AVD. A  BRYGGOR

### I  Skötsel

## 1 kap. Ägare

#### 1 §

Ägaren sköter bryggan enligt 2 och [3 §](#kap1.3)§ samt hamnlagen ([2090:1](https://example.org/2090/1)).

- sommartid, och
- vintertid. Lag ([2100:4](https://example.org/2100/4)).

#### 2 §

Avgiften är 10 kronor.

Avgift m.m.

#### 3 §

Avgiften betalas i förskott.

### Övergångsbestämmelser

[2100:4](https://example.org/2100/4)

1. Denna lag träder i kraft den 1 juli 2100.
"""


def statute(body: str = BODY) -> Document:
    return parse(SourceFile("sfs-2099-21.md", (FRONT + body).encode()))


def test_structure_links_and_front_matter() -> None:
    document = statute()
    check_tree(document)
    assert document.format == "selex_markdown"
    assert "enligt 2 och 3 §§ samt hamnlagen (2090:1)." in document.text
    assert [(node.type, node.num) for node in document.nodes] == [("division", "A"), ("transitional", None)]
    inner = document.nodes[0].children[1]
    assert (inner.type, inner.num, inner.children[1].num) == ("division", "I", "1")
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    assert next(document.provisions()).amendments[0].by == "SFS 2100:4"
    assert document.metadata["amending_acts"][0]["number"] == "SFS 2100:4"
    assert (document.metadata["in_force"], document.metadata["department"]) == ("2099-03-01", "Sjödepartementet")
    assert not document.warnings


def test_an_unmarked_group_heading_stands_between_the_sections() -> None:
    document = statute()
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert "Avgift m.m." in headings
    second = list(document.provisions())[1]
    assert document.text_of(second) == "2 § Avgiften är 10 kronor."


def test_a_heading_that_swallowed_other_words_keeps_its_number_and_is_reported() -> None:
    document = statute(
        BODY.replace("#### 2 §", "#### /2006 av den 18 december 2006 om bryggor, 93/ /EEG och 2000/ 2 §")
    )
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    assert document.requires_manual_review
    assert "the number is recovered" in document.warnings[0]
    second = list(document.provisions())[1]
    assert document.text_of(second) == "2 § Avgiften är 10 kronor."


def test_a_swallowed_number_that_does_not_fit_is_called_uncertain() -> None:
    document = statute(BODY.replace("#### 2 §", "#### /2006 av den 18 december 2006 45 §"))
    assert any("uncertain" in warning for warning in document.warnings)
    assert [node.num for node in document.provisions()] == ["1", "45", "3"]


def test_a_section_that_is_missing_from_the_series_is_reported() -> None:
    document = statute(BODY.replace("#### 2 §\n\nAvgiften är 10 kronor.\n\nAvgift m.m.\n\n", ""))
    assert any("2 § missing before 3 §" in warning for warning in document.warnings)


def test_front_matter_without_a_body_is_empty_and_names_the_statute() -> None:
    with pytest.raises(EmptyDocumentError, match=r"SFS 2099:21 \(Brygglag\)"):
        statute("")


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["sfs-2012-210.md", "sfs-1982-80.md"])
def test_exports_that_lost_their_body_are_empty(corpus: Path, name: str) -> None:
    with pytest.raises(EmptyDocumentError, match="front matter and no text"):
        parse(SourceFile(name, (corpus / "se/selex_md" / name).read_bytes()))


@pytest.mark.corpus
def test_the_damaged_export_of_arbetsmiljolagen_loses_no_section_silently(corpus: Path) -> None:
    """Against the Riksdag's text: what the export lacks is a repealed § or reported."""
    export = parse(SourceFile("aml.md", (corpus / "se/selex_md/sfs-1977-1160.md").read_bytes()))
    path = next((corpus / "se/riksdagen_html").glob("sfs-1977-1160*"))
    original = parse(SourceFile(path.name, path.read_bytes()))
    assert export.requires_manual_review
    assert {"2 b", "2 c", "8 a"} <= {node.num for node in export.provisions()}
    have, repealed, wanted = _sections(export), _sections(original, "repealed"), _sections(original)
    silent = {
        key
        for key in wanted - have - repealed
        if not any(f"{key[1]} § missing" in warning for warning in export.warnings)
    }
    assert not silent


def _sections(document: Document, status: str | None = None) -> set[tuple[str, str]]:
    return {
        (ancestors[-1].num or "", node.num or "")
        for node, ancestors in document.walk_with_ancestors()
        if node.type == "section" and (status is None or node.status == status)
    }


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "sections"), [("sfs-2010-110.md", 1926), ("sfs-2010-900.md", 502)])
def test_every_section_heading_of_an_export_is_a_section(corpus: Path, name: str, sections: int) -> None:
    path = corpus / "se/selex_md" / name
    document = parse(SourceFile(name, path.read_bytes()))
    check_tree(document)
    assert sum(line.startswith("#### ") for line in path.read_text(encoding="utf-8").split("\n")) == sections
    assert sum(1 for _ in document.provisions()) == sections
    assert "](" not in document.text
