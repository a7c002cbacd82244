"""One `docs.jsonl` as a source: what is not a listing, and what became of a document. Not here: the content of a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.errors import DocumentError
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource, file_of
from legal_pipeline.sources.source import ListingError

_LAMPS = '{"doc_id": "lamps", "text": "Lit."}\n'


@pytest.mark.parametrize("text", [None, "", "{"])
def test_a_file_that_cannot_be_read_is_no_empty_listing_and_its_documents_fail(
    tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(_LAMPS, "utf-8")
    source = DocsJsonlSource(path)
    (item,) = source.list().items
    path.unlink() if text is None else path.write_text(text, "utf-8")
    with pytest.raises(ListingError, match=r"docs\.jsonl cannot be listed"):
        source.list()
    with pytest.raises(DocumentError):
        source.fetch(item)


def test_a_line_that_is_gone_says_so_and_the_others_are_fetched(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(_LAMPS + _LAMPS.replace("lamps", "horns"), "utf-8")
    source = DocsJsonlSource(path)
    horns, lamps = source.list().items
    path.write_text(_LAMPS, "utf-8")
    assert b"Lit." in source.fetch(lamps).data
    with pytest.raises(DocumentError, match="is not in its file any more"):
        source.item(horns.key)


def test_a_key_is_that_of_its_file_alone_whatever_signs_its_path_has(tmp_path: Path) -> None:
    for name in ("docs.jsonl", "docs.jsonl.2", "no#1/docs.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(_LAMPS, "utf-8")
    listing = DocsJsonlSource(tmp_path / "docs.jsonl").list()
    (item,) = DocsJsonlSource(tmp_path / "no#1" / "docs.jsonl").list().items
    assert file_of(item.key) == tmp_path / "no#1" / "docs.jsonl"
    covered = [listing.covers(f"{tmp_path}/{key}") for key in ("docs.jsonl#a", "docs.jsonl.2#a", "no#1/docs.jsonl#a")]
    assert covered == [True, False, False]
