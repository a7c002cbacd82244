"""Small statutes for the tests of versions, and the real histories. Not here: what is expected of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.diff import Diff
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.real_documents import existing

PATENT_ACT = {"number": "1967:837", "title": "Patentlag (1967:837)"}

#: (chapter, number) of a §, and its text as printed after the sign.
Sections = dict[tuple[int, str], str]

FYRAR: Sections = {
    (1, "1"): "Denna lag gäller fyrar som lyser över svenskt farvatten. Lag (2001:5).",
    (1, "2"): "Med lanternin avses det rum i fyrens topp där ljuset brinner.",
    (2, "1"): "Fyrvaktaren ska tända ljuset senast en timme före solens nedgång.",
    (2, "2"): "Fyrvaktaren får inte lämna fyren medan ljuset brinner, om inte en ersättare har kommit dit.",
    (3, "1"): "Den som med uppsåt släcker en fyr döms till böter eller fängelse i högst två år.",
    (3, "2"): "Böter enligt denna lag tillfaller den myndighet som har hand om fyrarna.",
}


def swedish(sections: Sections, *, gap: str = "\n\n", as_of: str | None = None, intro: str = "") -> Document:
    """A statute about lighthouses; `gap` stands between its blocks."""
    blocks = ["Lag (2099:10) om fyrar", *([intro] if intro else [])]
    chapter = 0
    for (number, section), text in sections.items():
        if number != chapter:
            blocks.append(
                f"{number} kap. {('Lagens område', 'Fyrvaktarens plikter', 'Straff', 'Avgifter', 'Tillsyn')[number - 1]}"
            )
            chapter = number
        blocks.append(f"{section} § {text}")
    source = SourceFile("fyrar.txt", gap.join(blocks).encode())
    return parse(source.with_hints(as_of_date=as_of) if as_of else source, "sfst_text")


def french(body: str, *, as_of: str = "2001-01-01") -> Document:
    """A code about lighthouses with `body` below the front matter, which bears `as_of`."""
    front = f'---\ntitle: "Code des phares"\nidentifier: "PHARES1"\ncountry: "fr"\nrank: "code"\nlast_updated: "{as_of}"\n---\n'
    return parse(SourceFile("phares.md", (front + body).encode()), "legalize_markdown")


def history(corpus: Path, folder: str) -> Iterator[tuple[Path, Document]]:
    """(file, expression) of a history, oldest first."""
    for path in existing(corpus / "histories" / folder, "v[0-9]*"):
        source = SourceFile(path.name, path.read_bytes())
        yield path, parse(source.with_hints(**PATENT_ACT) if path.suffix == ".txt" else source)


def numbers_touched(before: str, after: str, label: re.Pattern[str]) -> set[str]:
    """Numbers that a plain line diff of the raw files touches, without the canonical model: `chapter/number` where `label` has chapters.

    `label` matches a line that opens something; its groups `number` and `chapter` say what. A line without either is a heading above the
    provisions, which counts for none.
    """
    old, new = _lines(before), _lines(after)
    places = _places(old, label), _places(new, label)
    touched: set[str] = set()
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            touched.update(places[0][a:b], places[1][c:d])
    return touched - {""}


def numbers_changed(found: Diff, *, chapters: bool) -> set[str]:
    """The same of a `Diff`: both numbers of what was renumbered; headings and schedules left out."""
    numbers = set()
    for change in found.changes:
        for side in (change.before, change.after):
            if side is not None and (side.is_provision or side.type == "preamble"):
                chapter = next((num for type, num in side.key if type == "chapter"), "") if chapters else ""
                numbers.add(f"{chapter}/{spelled(side.num or '')}".lstrip("/"))
    return numbers


def spelled(number: str) -> str:
    return re.sub(r"[\s*.]", "", number).casefold()


def _lines(text: str) -> list[str]:
    """Lines with text below the front matter, white space collapsed."""
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    return [line for raw in body.split("\n") if (line := " ".join(raw.split()))]


def _places(lines: Sequence[str], label: re.Pattern[str]) -> list[str]:
    places = []
    chapter = number = ""
    for line in lines:
        if match := label.match(line):
            groups = match.groupdict()
            chapter = spelled(groups.get("chapter") or "") or chapter
            number = spelled(groups.get("number") or "")
        places.append(f"{chapter}/{number}".lstrip("/") if number else "")
    return places
