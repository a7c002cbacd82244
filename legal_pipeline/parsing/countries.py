"""The formats of each country: every sub-package with a module `formats` is registered automatically.

Not here: the formats themselves, and formats that many countries use (`parsing.registry`).
"""

from __future__ import annotations

import functools
import importlib
import importlib.resources
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.building.format import Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document

#: A function from a PDF's paragraphs in reading order, heading flags by type size, and text outside the running text to a document.
#: It returns None if the PDF is not a print of the country. The number of an official print may be outside the running text.
PrintReader = Callable[[SourceFile, Sequence[str], Sequence[bool], Sequence[str]], Document | None]


@dataclass(frozen=True)
class CountryFormats:
    """Of equal scores the lower `order`, then the earlier format wins; `read_print` reads official prints."""

    code: str
    order: int
    formats: tuple[Format, ...]
    read_print: PrintReader | None = None


@functools.cache
def country_formats() -> tuple[CountryFormats, ...]:
    """Return the formats of all countries, sorted by `order` and code."""
    packages = [item.name for item in importlib.resources.files(__package__).iterdir() if item.is_dir()]
    modules = [
        importlib.import_module(f"{__package__}.{name}.formats")
        for name in packages
        if importlib.resources.files(__package__).joinpath(name, "formats.py").is_file()
    ]
    return tuple(sorted((module.COUNTRY for module in modules), key=lambda country: (country.order, country.code)))
