"""Automatic numbers of a Word file, counted paragraph by paragraph, and the styles that define them.

Not here: the text of the paragraphs (`parsing.docx_text`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from legal_pipeline.errors import LimitExceededError
from legal_pipeline.numbering.numerals import repeated_letters, roman
from legal_pipeline.parsing.docx_archive import WORD as _W
from legal_pipeline.text.normalise import one_line

_DECIMAL = "decimal"
#: Number of levels and largest number that Word itself allows.
_LEVELS = 9
_MAX_NUMBER = 32_767
#: Maximum length of a printed number; letters repeat ("aaa"), so the text of a long list grows with its square.
_MAX_CHARS = 255


class Styles:
    """Names of paragraph styles and the numbering that each has or inherits; the numbering of each style is found once."""

    def __init__(self, document: Any) -> None:
        self._by_id: dict[str | None, Any] = {}
        self._default: Any = None
        self._numbering: dict[Any, Any] = {}
        for style in document.styles.element.iterchildren(f"{_W}style"):
            self._by_id.setdefault(style.get(f"{_W}styleId"), style)
            if _is_paragraph_style(style) and style.get(f"{_W}default") in ("1", "true", "on"):
                self._default = style

    def name(self, paragraph: Any) -> str:
        """Return the name of the paragraph's style as Word shows it ("Heading 1"), "" without a style."""
        from docx.styles import BabelFish

        style = self._of(paragraph)
        name = style.find(f"{_W}name") if style is not None else None
        return str(BabelFish.internal2ui(name.get(f"{_W}val") or "")) if name is not None else ""

    def numbering(self, paragraph: Any) -> Any:
        """Return the `numPr` of the paragraph's style or of the nearest style on which it is based; None without a `numPr`."""
        style = self._of(paragraph)
        chain: dict[Any, None] = {}
        found = None
        # Styles may be based on each other in a circle; the search ends where the circle closes.
        while style is not None and style not in chain:
            if style in self._numbering:
                found = self._numbering[style]
                break
            chain[style] = None
            if (found := style.find(f"{_W}pPr/{_W}numPr")) is not None:
                break
            base = style.find(f"{_W}basedOn")
            style = self._by_id.get(base.get(f"{_W}val")) if base is not None else None
        self._numbering.update(dict.fromkeys(chain, found))
        return found

    def _of(self, paragraph: Any) -> Any:
        named = paragraph.find(f"{_W}pPr/{_W}pStyle")
        style = self._by_id.get(named.get(f"{_W}val")) if named is not None else None
        return style if style is not None and _is_paragraph_style(style) else self._default


def _is_paragraph_style(style: Any) -> bool:
    return str(style.get(f"{_W}type", "paragraph")) == "paragraph"


@dataclass(frozen=True, slots=True)
class _Level:
    """`form`: the number format; `text`: the printed number, with `%1` for the count of the first level. The level begins again at `start`
    behind a paragraph of one of the first `restarts_behind` levels, if that is a higher level."""

    form: str = _DECIMAL
    text: str = ""
    start: str = "1"
    restarts_behind: int = _LEVELS


_NO_LEVEL = _Level()


class Numbers:
    """Count the paragraphs of every list. `document` is a python-docx document.

    Lists of one definition share its counters. A list that restarts (`startOverride`) sets them at its first paragraph: those of the other
    lists behind it count on from there, as Word prints them.
    """

    def __init__(self, document: Any, styles: Styles) -> None:
        self._styles = styles
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._lists: dict[str, str] = {}
        self._own_levels: dict[str, dict[int, _Level]] = {}
        self._restarts: dict[tuple[str, int], str] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        for abstract in root.iter(f"{_W}abstractNum"):
            self._levels.setdefault(str(abstract.get(f"{_W}abstractNumId")), {}).update(_levels(abstract))
        for number in root.iter(f"{_W}num"):
            target = number.find(f"{_W}abstractNumId")
            if target is None:
                continue
            name = number.get(f"{_W}numId")
            self._lists[name] = target.get(f"{_W}val")
            if own := _levels(number):
                self._own_levels[name] = self._levels.get(self._lists[name], {}) | own
            for override in number.iter(f"{_W}lvlOverride"):
                depth, start = _depth(override.get(f"{_W}ilvl")), override.find(f"{_W}startOverride")
                if depth is not None and start is not None:
                    self._restarts[name, depth] = start.get(f"{_W}val") or "1"

    def of(self, paragraph: Any) -> str:
        """Return the number before `paragraph`, "" without a number or for a bullet.

        Raises `LimitExceededError` for a number larger than Word itself can print.
        """
        properties = paragraph.find(f"{_W}pPr/{_W}numPr")
        if properties is None:
            properties = self._styles.numbering(paragraph)
        if properties is None:
            return ""
        ids = [properties.find(f"{_W}{name}") for name in ("numId", "ilvl")]
        name = ids[0].get(f"{_W}val") if ids[0] is not None else "0"
        list_id = self._lists.get(name, "")
        here = _depth(ids[1].get(f"{_W}val") if ids[1] is not None else "0")
        levels = self._own_levels.get(name) or self._levels.get(list_id, {})
        if here not in levels or levels[here].form in ("bullet", "none"):
            return ""
        counts = self._counts.setdefault(list_id, {})
        restart = self._restarts.pop((name, here), None)
        is_first = restart is not None or here not in counts
        counts[here] = _start(restart or levels[here].start) if is_first else counts[here] + 1
        for deeper in range(here + 1, _LEVELS):
            if here < levels.get(deeper, _NO_LEVEL).restarts_behind:
                counts.pop(deeper, None)
        text = _within(levels[here].text)
        for depth in range(here + 1):
            if (sign := f"%{depth + 1}") in text:
                level = levels.get(depth, _NO_LEVEL)
                value = counts[depth] if depth in counts else _start(level.start)
                text = _within(text.replace(sign, number_text(value, level.form)))
        return one_line(text)


def _within(text: str) -> str:
    if len(text) > _MAX_CHARS:
        raise _refusal(f"a number of {len(text):,} characters", f"at most {_MAX_CHARS}")
    return text


def _start(text: str) -> int:
    # int() does not get a long row of digits: its time grows with the square of their number.
    value = int(text) if len(text) <= 10 else _MAX_NUMBER + 1
    if not 0 <= value <= _MAX_NUMBER:
        raise _refusal(f"a list that begins at {text[:30]}", f"at most {_MAX_NUMBER:,}, as in Word")
    return value


def _refusal(what: str, expected: str) -> LimitExceededError:
    return LimitExceededError(what, position="word/numbering.xml", expected=expected)


def _levels(numbering: Any) -> dict[int, _Level]:
    """Return the levels that a `num` or `abstractNum` defines, by depth."""
    found = {}
    for level in numbering.iter(f"{_W}lvl"):
        if (depth := _depth(level.get(f"{_W}ilvl"))) is not None:
            form, text, start, restart = (
                item.get(f"{_W}val") or "" if item is not None else ""
                for item in (level.find(f"{_W}{name}") for name in ("numFmt", "lvlText", "start", "lvlRestart"))
            )
            behind = _depth(restart)
            found[depth] = _Level(form or _DECIMAL, text, start or "1", _LEVELS if behind is None else behind)
    return found


def _depth(text: str | None) -> int | None:
    """Return a list level from 0 to 8; None for other text."""
    return int(text) if text is not None and len(text) == 1 and text in "012345678" else None


def number_text(value: int, form: str) -> str:
    """Return `value` as Word prints it in the number format `form`; formats other than letters and Roman numerals are decimal."""
    if value <= 0 or form not in ("lowerLetter", "upperLetter", "lowerRoman", "upperRoman"):
        return str(value)
    number = repeated_letters(value) if form.endswith("Letter") else roman(value, _MAX_NUMBER)
    return number.upper() if form.startswith("upper") else number
