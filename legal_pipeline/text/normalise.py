"""The rules of canonical text: NFC, wrapped lines joined, words hyphenated at a line end rejoined, runs of spaces as one space, Greek and
Cyrillic words without letters of other alphabets.

No other change is made. Not here: blocks and nodes (`building.builder`), encodings (`text.encoding`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from legal_pipeline.text.hyphens import keeps_hyphen
from legal_pipeline.text.look_alikes import in_one_alphabet

#: Every Unicode space that is not a line break, and the zero-width characters that only affect layout.
_SPACES = re.compile(r"[ \t\f\v\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]+")
_RUN = re.compile(r"[\t\f\v\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]| {2}")
#: Zero-width characters that count as white space here but not for `str.split`.
_ZERO_WIDTH = "\u200b\u2060\ufeff"
#: Characters stripped from a line: all of these, with line breaks.
_ENDS = (
    " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b"
    "\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
#: Word processors write it in numbers ("453‑1").
NON_BREAKING_HYPHEN = "\u2011"
#: Signs that end sentences or open and close quotations and brackets in other scripts, and their European equivalents.
_SIGNS = str.maketrans(f"。｡।॥৷۔；؛：，、،！？؟「」『』（）［］{NON_BREAKING_HYPHEN}", "......;;:,,,!??“”“”()[]-")
#: A decimal digit of another script.
_OTHER_FIGURE = re.compile(r"[^\D0-9]")
_OTHER_SIGN = re.compile(rf"[。｡।॥৷۔；؛：，、،！？؟「」『』（）［］{NON_BREAKING_HYPHEN}]")
#: Single quotation marks that are typed twice for a double one.
_TYPED_TWICE = (("‘‘", "“ "), ("’’", "” "))
#: Hyphens at a line end: Greek gazettes print a minus sign.
_HYPHENS = ("-", "\u2010", "\u2212")
#: `\b` tries each word once; without it a search would begin at every letter of a long word.
_HYPHEN_END = re.compile(rf"\b(\w+)[{''.join(_HYPHENS)}]$")
#: After a hyphen at a line end these words continue an ellipsis ("in- och utförsel"), not a broken word.
_ELLIPSIS_WORDS = frozenset({"och", "eller", "samt", "respektive", "and", "or", "et", "ou", "und", "oder", "bzw."})


def prepare(text: str) -> str:
    """Return raw text in NFC with LF line ends, and each word in one alphabet: the text that offset maps refer to."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return in_one_alphabet(text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text))


def one_line(text: str) -> str:
    """Return `text` with every run of white space, line breaks included, as one space and none at the ends."""
    if not text.isascii():
        for character in _ZERO_WIDTH:
            text = text.replace(character, " ")
    return " ".join(text.split())


def collapse_spaces(text: str) -> str:
    """Return a single line with runs of spaces as one and none at the ends; line breaks are kept."""
    return _SPACES.sub(" ", text).strip() if _RUN.search(text) else text.strip()


def joins_without_space(before: str, after: str) -> str | None:
    """Return `before` for joining it with `after` without a space, None if the lines are separate words.

    The line-end hyphen of `before` is removed if `after` continues its last word. It stays if it is part of the word (`EG-` + `fördraget`,
    `e-` + `postadress`; `text.hyphens` knows more).

    >>> joins_without_space("för mål-", "nings arbete"), joins_without_space("EG-", "fördraget"), joins_without_space("in-", "och")
    ('för mål', 'EG-', None)
    """
    match = _HYPHEN_END.search(before)
    if match is None or not after or not after[0].isalpha():
        return None
    if after.split(None, 1)[0].rstrip(",") in _ELLIPSIS_WORDS:
        return None
    stem = match.group(1)
    if stem.isupper() or stem[-1].isdigit() or after[0].isupper() or keeps_hyphen(stem, after):
        return before
    return before[:-1]


def unwrap(lines: Sequence[str], raw_offsets: Sequence[int] = ()) -> tuple[str, list[tuple[int, int]]]:
    """Join wrapped lines to one line of canonical text.

    `raw_offsets` are the offsets of the lines in the raw text. Returns (text, pairs of offset in text and offset in raw text);
    the pairs are empty without `raw_offsets`.
    """
    out = ""
    parts: list[str] = []
    length = 0
    pairs: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        text = line.strip(_ENDS)
        if not text:
            continue
        glue = " " if length else ""
        if length and out.endswith(_HYPHENS):
            joined = joins_without_space(out, text)
            if joined is not None:
                glue = ""
                if joined != out:
                    parts[-1] = joined
                    length -= 1
        if raw_offsets:
            start = length + len(glue)
            raw = raw_offsets[index] + (len(line) - len(line.lstrip(_ENDS)))
            if _RUN.search(text):
                position = 0
                pieces = []
                for run in _SPACES.finditer(text):
                    pairs.append((start, raw + position))
                    pieces.append(text[position : run.start()])
                    start += run.start() - position + 1
                    position = run.end()
                pairs.append((start, raw + position))
                pieces.append(text[position:])
                text = " ".join(pieces)
            else:
                pairs.append((start, raw))
        elif _RUN.search(text):
            text = _SPACES.sub(" ", text)
        if glue:
            parts.append(glue)
        parts.append(text)
        length += len(glue) + len(text)
        out = text
    return "".join(parts), pairs


def offsets_from(pairs: Sequence[tuple[int, int]], cut: int) -> list[tuple[int, int]]:
    """Return the pairs of `unwrap` for its text without the first `cut` characters."""
    above = [pair for pair in pairs if pair[0] <= cut][-1:]
    return [*((0, raw + cut - at) for at, raw in above), *((at - cut, raw) for at, raw in pairs if at > cut)]


def european_signs(text: str) -> str:
    """Return `text`, in the same length, with the punctuation of every script as full stops, commas, quotation marks and brackets, and with
    plain hyphens; single quotation marks typed twice are a double one and a space.

    >>> european_signs("（目的）この法律は、「港」をいう。")
    '(目的)この法律は,“港”をいう.'
    """
    if text.isascii():
        return text
    for typed, sign in _TYPED_TWICE:
        text = text.replace(typed, sign)
    return text.translate(_SIGNS) if _OTHER_SIGN.search(text) else text


def ascii_figures(text: str) -> str:
    """Return `text` with the digits of every script as 0 to 9: `๑๒` and `١٢` are 12."""
    return text if text.isascii() else _OTHER_FIGURE.sub(lambda figure: str(unicodedata.decimal(figure[0])), text)
