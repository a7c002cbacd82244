"""The README says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from legal_pipeline.settings import configuration_table


def test_the_configuration_table_is_that_of_the_settings(repository: Path) -> None:
    readme = (repository / "README.md").read_text("utf-8")
    found = re.search(r"checked by the tests -->\n(.*?)\n<!-- end of configuration table -->", readme, re.DOTALL)
    assert found is not None
    assert found[1] == configuration_table(), "run `make readme`"
