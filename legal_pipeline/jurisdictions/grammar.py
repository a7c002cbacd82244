"""The grammar of a country: its own module `citations.py` where its folder has one, else one that its data chooses.

Not here: the grammars that serve many countries (`citations`).
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from legal_pipeline.citations import sections_and_acts
from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.errors import ConfigurationError

_FILE = "citations.py"
COMMON_LAW = "common law"


def grammar_of(country: Country, folder: Path | None) -> Grammar | None:
    """How citations of `country` are found; None where nothing is known of them.

    Raises `ConfigurationError` for a module without `grammar`.
    """
    if folder is not None and (folder / _FILE).is_file():
        return _own(folder / _FILE)(country)
    if country.section("citations").get("family") == COMMON_LAW:
        return sections_and_acts.grammar(country)
    return None


def _own(path: Path) -> Callable[[Country], Grammar]:
    """The function `grammar` of a module, loaded by its path: `in` is no name that a statement can import."""
    spec = importlib.util.spec_from_file_location(f"legal_pipeline_citations_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    try:
        found: Callable[[Country], Grammar] = module.grammar
    except AttributeError:
        raise ConfigurationError(f"{path}: no function `grammar` (expected: one that takes the country)") from None
    return found
