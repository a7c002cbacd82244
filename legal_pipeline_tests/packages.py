"""The packages and top modules of the library with the imports between them, as a table and a picture for the documentation.

Not here: which imports are allowed (the layers in `pyproject.toml`, held by `lint-imports`) and the page (`documentation`).
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from pathlib import Path

import grimp

LIBRARY = "legal_pipeline"
REPOSITORY = Path(__file__).resolve().parent.parent

Imports = Mapping[str, frozenset[str]]


def packages() -> list[str]:
    """From the command line down, as the layers of `lint-imports` have them."""
    configuration = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [package.strip().removeprefix(f"{LIBRARY}.") for layer in layers for package in layer.split("|")]


def imports_between_packages() -> Imports:
    """Package -> the other packages that a module of it imports, at the top of a module or inside a function."""
    graph = grimp.build_graph(LIBRARY, cache_dir=None)
    for package in graph.find_children(LIBRARY):
        graph.squash_module(package)
    return {
        package.removeprefix(f"{LIBRARY}."): frozenset(
            imported.removeprefix(f"{LIBRARY}.")
            for imported in graph.find_modules_directly_imported_by(package) - {package}
        )
        for package in graph.find_children(LIBRARY)
    }


def described(package: str) -> str:
    """The first sentence of the package's docstring."""
    path = REPOSITORY / LIBRARY / package
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return docstring.partition("\n\n")[0].partition(". ")[0].replace("\n", " ").rstrip(".")


def needed(imports: Imports) -> Imports:
    """`imports` without those that others imply: a picture of all of them could not be read."""
    below: dict[str, frozenset[str]] = {}

    def all_below(package: str) -> frozenset[str]:
        if package not in below:
            below[package] = imports[package].union(*map(all_below, imports[package]))
        return below[package]

    return {package: imported.difference(*map(all_below, imported)) for package, imported in imports.items()}


def picture(imports: Imports) -> str:
    """A Mermaid flow chart; an arrow leads to what is imported, and one that two others make up is left out."""
    order = packages()
    arrows = needed(imports)
    lines = [
        f"  {package} --> {' & '.join(sorted(arrows[package], key=order.index))}"
        for package in order
        if arrows[package]
    ]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def table() -> str:
    """One row per package, from the command line down."""
    names = [
        f"`{package}`" if (REPOSITORY / LIBRARY / package).is_dir() else f"`{package}.py`" for package in packages()
    ]
    rows = [f"| {name} | {described(package)} |" for name, package in zip(names, packages(), strict=True)]
    return "\n".join(["| package | holds |", "|---|---|", *rows])


def markdown() -> str:
    """What stands on the page: the table, then the picture."""
    return f"{table()}\n\n{picture(imports_between_packages())}"
