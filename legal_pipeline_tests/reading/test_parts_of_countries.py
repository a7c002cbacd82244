"""Law of a part of a country is found by the code of the country and by the code of the part."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.sources.directory import DirectorySource

_FEDERAL = """# Public Lights Act

## 1. Short title

This Act may be cited as the Public Lights Act.

## 2. Counties

A county shall keep the lights of its roads.
"""


def test_a_country_has_the_law_of_its_parts_and_a_part_only_its_own(
    pipeline: Pipeline, corpus: Path, folder: Path
) -> None:
    shutil.copy(corpus / "us" / "dc_xml" / "9-204.01.xml", folder)
    (folder / "lights.md").write_text(_FEDERAL, "utf-8")
    (folder / "lights.md.meta.json").write_text(
        '{"jurisdiction": "us", "language": "eng", "document_id": "us-lights"}', "utf-8"
    )
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    assert not [event for event in pipeline.run(found.to_run) if isinstance(event, Failed)]
    reader = LawReader(pipeline)
    district = next(name for name in found.to_run if name != "us-lights")
    for chosen, expected in (
        (("us",), {district, "us-lights"}),
        (("us-dc",), {district}),
        (("us-ny",), set()),
        (("us-dc", "se"), {district}),
    ):
        hits = reader.search("the county shall", filters=SearchFilters(jurisdictions=chosen), limit=50).hits
        assert {hit.origin.document_id for hit in hits} == expected
        listed = reader.documents(jurisdictions=chosen).documents
        assert {document.document_id for document in listed} == expected
