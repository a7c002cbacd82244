"""Files and functions stay short. Complexity is ruff's (`C901` in pyproject.toml)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

MAX_FILE_LINES = 500
#: Without the docstring, which may be long where there is much to promise.
MAX_FUNCTION_LINES = 80


@pytest.fixture(scope="module")
def modules(repository: Path) -> dict[Path, str]:
    folders = ("legal_pipeline", "legal_pipeline_tests")
    found = {
        path: path.read_text("utf-8") for folder in folders for path in sorted((repository / folder).rglob("*.py"))
    }
    assert len(found) > 500
    return found


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            has_docstring = ast.get_docstring(node, clean=False) is not None
            docstring = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_no_file_is_over_500_lines(modules: dict[Path, str]) -> None:
    assert not [str(path) for path, source in modules.items() if source.count("\n") > MAX_FILE_LINES]


def test_no_function_is_over_80_lines(modules: dict[Path, str]) -> None:
    long = [
        f"{path}: {name} has {lines} lines"
        for path, source in modules.items()
        for name, lines in functions(source)
        if lines > MAX_FUNCTION_LINES
    ]
    assert not long


def test_the_lines_of_a_function_are_counted_without_its_docstring() -> None:
    body = "    value = 1\n" * 3
    assert list(functions(f'def shown():\n    """One\n    two."""\n{body}')) == [("shown", 4)]
    assert list(functions(f"def bare():\n{body}")) == [("bare", 4)]
