"""Writes the generated parts of the README (`make readme`). Not here: the check that they are right (`test_readme`)."""

from __future__ import annotations

import re
from pathlib import Path

from legal_pipeline.settings import configuration_table

README = Path(__file__).resolve().parent.parent / "README.md"


def main() -> None:
    text = README.read_text("utf-8")
    pattern = re.compile(r"(checked by the tests -->\n).*?(<!-- end of configuration table -->)", re.DOTALL)
    README.write_text(pattern.sub(lambda found: f"{found[1]}{configuration_table()}\n{found[2]}", text), "utf-8")


if __name__ == "__main__":
    main()
