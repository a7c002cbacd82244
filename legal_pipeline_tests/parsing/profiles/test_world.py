"""The official files of other countries: as many provisions as their publisher marks, each with a number, and no word lost.

`counts.toml` states the counts; they come from the FORMAT.md beside the files, not from the profiles.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words

_COUNTS = tomllib.loads(Path(__file__).with_name("counts.toml").read_text("utf-8"))


def read(corpus: Path, name: str) -> tuple[SourceFile, Document]:
    path = corpus / "world" / name
    source = SourceFile(path.name, path.read_bytes())
    return source, parse(source)


@pytest.mark.parametrize("name", sorted(_COUNTS))
def test_every_marked_provision_is_read(corpus: Path, name: str) -> None:
    source, document = read(corpus, name)
    found = Counter(node.type for node in document.walk())
    assert {kind: found[kind] for kind in _COUNTS[name]} == _COUNTS[name]
    assert not lost_words(source, document)
    provisions = [node for node in document.walk() if node.type in PROVISIONS]
    assert len({node.eid for node in provisions}) == len(provisions)
