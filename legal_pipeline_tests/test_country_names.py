"""The library outside a country's own folders does not name it; what is left is bounded, and only ever goes down."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline_tests.country_names import files_naming

#: Files that may still name the country.
MOST = {"se": 1, "in": 2, "zw": 2, "us": 2, "fr": 0, "de": 1}


@pytest.mark.parametrize("code", MOST)
def test_no_more_files_than_these_name_a_country_outside_its_folders(code: str, repository: Path) -> None:
    found = files_naming(code, repository / "legal_pipeline")
    assert len(found) <= MOST[code], "\n".join(f"{name}: {lines[0]}" for name, lines in found)
