"""The rooms of the library (its packages and top modules) with the imports between them, as a table and a picture for the documentation.

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


def rooms() -> list[str]:
    """From the command line down, as the layers of `lint-imports` have them."""
    configuration = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [room.strip().removeprefix(f"{LIBRARY}.") for layer in layers for room in layer.split("|")]


def imports_between_rooms() -> Imports:
    """Room -> the other rooms that a module of it imports, at the top of a module or inside a function."""
    graph = grimp.build_graph(LIBRARY, cache_dir=None)
    for room in graph.find_children(LIBRARY):
        graph.squash_module(room)
    return {
        room.removeprefix(f"{LIBRARY}."): frozenset(
            imported.removeprefix(f"{LIBRARY}.") for imported in graph.find_modules_directly_imported_by(room) - {room}
        )
        for room in graph.find_children(LIBRARY)
    }


def described(room: str) -> str:
    """The first sentence of the room's docstring."""
    path = REPOSITORY / LIBRARY / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return docstring.partition("\n\n")[0].partition(". ")[0].replace("\n", " ").rstrip(".")


def needed(imports: Imports) -> Imports:
    """`imports` without those that others imply: a picture of all of them could not be read."""
    below: dict[str, frozenset[str]] = {}

    def all_below(room: str) -> frozenset[str]:
        if room not in below:
            below[room] = imports[room].union(*map(all_below, imports[room]))
        return below[room]

    return {room: imported.difference(*map(all_below, imported)) for room, imported in imports.items()}


def picture(imports: Imports) -> str:
    """A Mermaid flow chart; an arrow leads to what is imported, and one that two others make up is left out."""
    order = rooms()
    arrows = needed(imports)
    lines = [f"  {room} --> {' & '.join(sorted(arrows[room], key=order.index))}" for room in order if arrows[room]]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def table() -> str:
    """One row per room, from the command line down."""
    names = [f"`{room}`" if (REPOSITORY / LIBRARY / room).is_dir() else f"`{room}.py`" for room in rooms()]
    rows = [f"| {name} | {described(room)} |" for name, room in zip(names, rooms(), strict=True)]
    return "\n".join(["| room | holds |", "|---|---|", *rows])


def markdown() -> str:
    """What stands on the page: the table, then the picture."""
    return f"{table()}\n\n{picture(imports_between_rooms())}"
