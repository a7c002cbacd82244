"""The formats that each country brings: a package of this one with a module `formats` is found by itself.

Not here: any country, and formats that many countries use (`parsing.registry`).
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

#: Reads a PDF's paragraphs in reading order, which of them are headings by their type, and what is printed beside the running text; None
#: where it is not a print of the country. The number of an official print may stand beside the text, where no parser of text could see it.
PrintReader = Callable[[SourceFile, Sequence[str], Sequence[bool], Sequence[str]], Document | None]


@dataclass(frozen=True)
class CountryFormats:
    """`formats`: of equal scores the first wins, and the country with the lower `order`; `read_print`: how official prints are read."""

    code: str
    order: int
    formats: tuple[Format, ...]
    read_print: PrintReader | None = None


@functools.cache
def country_formats() -> tuple[CountryFormats, ...]:
    """What the packages of countries say, in their order."""
    packages = [item.name for item in importlib.resources.files(__package__).iterdir() if item.is_dir()]
    modules = [
        importlib.import_module(f"{__package__}.{name}.formats")
        for name in packages
        if importlib.resources.files(__package__).joinpath(name, "formats.py").is_file()
    ]
    return tuple(sorted((module.COUNTRY for module in modules), key=lambda country: (country.order, country.code)))
