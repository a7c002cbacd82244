"""The YAML front matter of a markdown file, or its title block as pandoc writes it; every value stays the text that the file contains.

Not here: the meaning of a key (the parsers), the markdown below it (`parsing.markdown_blocks`).
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

import yaml

from legal_pipeline.errors import ParseError, TruncatedDocumentError

FENCE = "---"
#: Name in `SourceFile.memo` of the `FrontMatter` of a text in a file of data: the values beside it.
BESIDE_TEXT = "facts beside the text"
#: Maximum number of characters; a longer block is a data file that begins with `---`.
MAX_CHARS = 1_000_000
#: Characters that YAML does not allow: exports leave them in titles.
_CONTROL = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: A term and its definition: "Date of making", and below it ":   2031-04-01" with indented lines that continue it.
_DEFINITION = re.compile(r"^(?P<term>[^\W\d][^:\n]{1,60})\n:[ \t]+(?P<value>\S.*(?:\n[ \t]+\S.*)*)$", re.MULTILINE)
#: The title, and below it author and date, or facts: "% Lamps Act", "% Date of making: 2031-04-01".
_TITLE_BLOCK = re.compile(r"%[ \t]+(?P<title>\S[^\n]*)\n(?P<more>(?:%[ \t]+\S[^\n]*\n)*)")
_AUTHOR_AND_DATE = ("author", "date")
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)


@dataclass(frozen=True)
class FrontMatter:
    """`values` contains strings, lists and dictionaries only; `end` is the offset of the body in the raw text."""

    values: dict[str, Any]
    end: int

    def text(self, *keys: str) -> str | None:
        """Return the value of the first of `keys` with a non-empty string, or None; HTML entities, which exports leave, as characters."""
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str) and value.strip():
                return " ".join(html.unescape(value).split())
        return None


def with_definitions(front: FrontMatter, text: str) -> FrontMatter:
    """Return `front` with the definition list of the body of `text` above its second heading; these terms do not replace keys."""
    headings = [match.start() for _, match in zip(range(2), _HEADING.finditer(text, front.end), strict=False)]
    head = text[front.end : headings[1] if len(headings) == 2 else front.end]
    stated = {match["term"].strip(): " ".join(match["value"].split()) for match in _DEFINITION.finditer(head)}
    return FrontMatter({**stated, **front.values}, front.end)


def has_front_matter(text: str) -> bool:
    return text.startswith(FENCE + "\n") and f"\n{FENCE}" in text[len(FENCE) :]


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of `text`, empty if there is none.

    YAML's own scalar types are not used: in YAML 1.1 `2012:21` is the number 120741. Raises `TruncatedDocumentError` when the
    fence is not closed although keys follow it, and `ParseError` naming the line for anything that is not a YAML mapping.
    """
    if not text.startswith(FENCE + "\n"):
        return _title_block(text)
    start = len(FENCE) + 1
    # A closing fence may be followed by text on its line ("------"): upstream exports have this when the body is missing.
    close = text.find("\n" + FENCE, start - 1)
    if close < 0:
        first_line = text[start : text.find("\n", start) if "\n" in text[start:] else len(text)]
        if ":" in first_line and not first_line.startswith("#"):
            raise TruncatedDocumentError(
                "the front matter is not closed", position="line 1", expected=f"a line {FENCE!r}"
            )
        return FrontMatter({}, 0)
    end = close + 1 + len(FENCE)
    raw = _CONTROL.sub(" ", text[start:close])
    if len(raw) > MAX_CHARS:
        raise ParseError(
            f"front matter of {len(raw):,} characters", position="line 1", expected=f"at most {MAX_CHARS:,}"
        )
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(raw)):
            raise ParseError("an alias in the front matter", position="line 1", expected="plain YAML")
        loader = yaml.BaseLoader(raw)
        values = loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise ParseError(
            f"the front matter is not YAML: {getattr(error, 'problem', None) or error}",
            position=f"line {mark.line + 2}" if mark else "line 1",
            expected="key: value",
        ) from error
    if values is None or values == "":
        return FrontMatter({}, end)
    if not isinstance(values, dict):
        return FrontMatter({}, 0)
    return FrontMatter({str(key): value for key, value in values.items()}, end)


def _title_block(text: str) -> FrontMatter:
    match = _TITLE_BLOCK.match(text)
    if match is None:
        return FrontMatter({}, 0)
    values = {"title": match["title"].strip()}
    for place, line in enumerate(match["more"].splitlines()):
        key, sign, value = line.strip("% \t").partition(": ")
        if sign:
            values[key] = value.strip()
        elif place < len(_AUTHOR_AND_DATE):
            values[_AUTHOR_AND_DATE[place]] = key
    return FrontMatter(values, match.end())
