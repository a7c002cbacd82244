"""The examples in docstrings give what they show. Not here: the examples of the documentation (`test_documentation`)."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import legal_pipeline

_PACKAGE = Path(legal_pipeline.__file__).parent
_WITH_EXAMPLES = [
    path for path in sorted(_PACKAGE.rglob("*.py")) if re.search(r"^\s+>>> ", path.read_text("utf-8"), re.M)
]
assert _WITH_EXAMPLES


@pytest.mark.parametrize("path", _WITH_EXAMPLES, ids=lambda path: str(path.relative_to(_PACKAGE)))
def test_an_example_gives_what_it_shows(path: Path) -> None:
    name = ".".join(("legal_pipeline", *path.relative_to(_PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
