"""Counts the files of the library that name a given country outside its own folders: `python -m legal_pipeline_tests.country_names [PATH]`.

What names a country: its code as a string by itself, its name, its adjective, its official series. Not here: names of
languages (in the data of a language, and in a line that compares one with English), which many countries share.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from legal_pipeline_tests.real_documents import existing

#: Code -> what names the country beside its code, as whole words of text or of identifiers.
NAMES = {
    "se": r"Sweden|Swedish|SFS|SFST|Riksdagen|rkrattsbaser|selex",
    "in": r"India|Indian|India[ _]?Code",
    "zw": r"Zimbabwe|Zimbabwean|ZimLII",
    "us": r"USA|United States|American|U\.S\.C?\.?|USC|CFR|eCFR|USLM|dc_code",
    "fr": r"France|French|Légifrance|JORF",
    "de": r"Germany|German|BGBl",
}

#: A country's own places. Its sources' modules are its own too: they speak one publisher's interface.
OWN = {
    "se": ("jurisdictions/se/", "parsing/sweden/", "sources/riksdagen.py"),
    "in": ("jurisdictions/in/", "parsing/india/"),
    "zw": ("jurisdictions/zw/", "parsing/zimbabwe/"),
    "us": ("jurisdictions/us/", "parsing/usa/", "sources/ecfr.py"),
    "fr": ("jurisdictions/fr/", "parsing/france/"),
    "de": ("jurisdictions/de/", "parsing/germany/"),
}
#: Places of other countries that use the same word: Austria's gazette has the name of Germany's, Canada has an Indian Act.
_SAME_WORD = {"de": ("jurisdictions/at/",), "in": ("jurisdictions/ca/",)}
_LANGUAGES = "languages/"
#: A standard's list of all countries names none of them in particular.
_LISTS = "jurisdictions/codes.toml"
#: The data of one publisher's format, which is that of its country.
_PROFILE = re.compile(r"parsing/profiles/\w+\.toml")
#: A line that names English speaks of languages, and so do endings of words: `genitive = ["ssa", "in"]`.
_ENGLISH = re.compile(r"\benglish\b|^genitive = ", re.IGNORECASE | re.MULTILINE)


def files_naming(code: str, root: Path) -> list[tuple[str, list[str]]]:
    """(file, its lines that name the country) for each such file of the package at `root`, by path."""
    found = []
    for path in sorted([*existing(root, "**/*.py"), *existing(root, "**/*.toml")]):
        name = path.relative_to(root).as_posix()
        is_data = name.startswith((*OWN[code], *_SAME_WORD.get(code, ()), _LANGUAGES, _LISTS)) or _PROFILE.fullmatch(
            name
        )
        if not is_data and (lines := list(_naming(code, path.read_text("utf-8")))):
            found.append((name, lines))
    return found


def _naming(code: str, text: str) -> Iterator[str]:
    # a group of a pattern may have any name: `match["in"]`
    literal = rf"(?<!\w\[)([\"']){code}(?:-\w\w)?\1"
    words = rf"(?<![^\W_])(?:{NAMES[code]})(?![^\W_])"
    pattern = re.compile(f"{literal}|(?i:{words})")
    return (line.strip() for line in text.splitlines() if pattern.search(line) and not _ENGLISH.search(line))


def main() -> None:
    """Print the count for each country; with `-v` the files and the first line of each."""
    arguments = [item for item in sys.argv[1:] if item != "-v"]
    root = Path(arguments[0] if arguments else __file__).resolve()
    root = root if arguments else root.parents[1] / "legal_pipeline"
    for code in NAMES:
        found = files_naming(code, root)
        print(f"{code}: {len(found)} files")
        if "-v" in sys.argv:
            for name, lines in found:
                print(f"  {name} ({len(lines)}): {lines[0][:120]}")


if __name__ == "__main__":
    main()
