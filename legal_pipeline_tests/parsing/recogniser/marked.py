"""Laws of our own writing in the manner of many publishers, with marks that say which text belongs to which provision.

`@5A@` stands before the first character of provision 5A, `@@` behind the last one where no other provision follows at once; `~`
stands at the end of a line that the next one continues.
Not here: what is asserted about them.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

from docx import Document as WordDocument

_MARK = re.compile(r"@([^@\n]*)@")
_FOLDER = Path(__file__).with_name("samples")


@dataclass(frozen=True)
class Marked:
    """`text` without marks, `lines` of it without breaks inside a paragraph, and (number, words) of its provisions in order."""

    name: str
    text: str
    lines: tuple[str, ...]
    provisions: tuple[tuple[str, str], ...]


def marked_laws() -> list[Marked]:
    return [_marked(path.name, path.read_text("utf-8")) for path in sorted(_FOLDER.iterdir())]


def as_word(law: Marked) -> bytes:
    """`law` as a Word file with a paragraph for each line, without styles."""
    document = WordDocument()
    for line in law.lines:
        document.add_paragraph(line)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _marked(name: str, source: str) -> Marked:
    pieces = _MARK.split(source)
    provisions = [(number, words_of(text)) for number, text in zip(pieces[1::2], pieces[2::2], strict=True) if number]
    text = "".join(pieces[::2])
    lines = tuple(line for line in text.replace("~\n", " ").split("\n") if line)
    return Marked(name, text.replace("~\n", "\n"), lines, tuple(provisions))


def words_of(text: str) -> str:
    return "".join(re.sub(r"<[^>]*>|#{2,} |\*|~", "", text).split())
