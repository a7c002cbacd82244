"""Reads a JSON file of unknown fields, such as the answer of an API: one of its values is the text of a law, the others are facts about it.

Not here: JSON with known fields, which has formats of its own, and the format of the text (`parsing.registry` detects it).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from itertools import takewhile
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import BESIDE_TEXT, FrontMatter
from legal_pipeline.parsing.generic.stated import STATED_DATA, stated_facts, stated_metadata
from legal_pipeline.parsing.json_source import begins_as_json, parse_json

#: Minimum number of characters of a text; a shorter value is a fact about it.
_LONG = 400
#: Maximum characters of all facts, as a share of those of the text: in a file with more, the text is only a remark about its data. More
#: where its key says that it is the text: a collection repeats its own facts in each file, however short the law is.
_MOST_FACTS, _MOST_BESIDE_TEXT = 0.5, 5
#: Maximum share of the words of a second text that the first one lacks, if it is the same text without its mark-up.
_MOST_LOST = 0.1
#: Maximum share of the words of the text in a long value that is a fact about it, as a passage that a scraper has quoted.
_EXCERPT = 0.1
_TEXT_KEYS = frozenset(STATED_DATA["text"]["keys"])
#: The place of a file that is a string.
_WHOLE = "$"
#: The beginning of the key of a page's number: "page", "page_number".
_PAGE = "page"
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class HeldText:
    """`source`: the text as a file of its own, with hints from the facts beside it; `path`: its keys; `metadata`: the other facts;
    `warnings`: how many words of a second copy the text lacks."""

    source: SourceFile
    path: str
    metadata: dict[str, Any]
    warnings: tuple[str, ...]


def file_of_text(source: SourceFile, document: Document) -> SourceFile:
    """Return the file that `document` was read from: `source`, or the text that it holds."""
    held = text_in_json(source) if "text_at" in document.metadata else None
    return source if held is None else held.source


def text_in_json(source: SourceFile) -> HeldText | None:
    """Return the text of a JSON file; None if the file is not JSON, has no long text or several, or is mostly other data.

    Two values of one object with the same words, with mark-up and without, are one text.
    """
    if not begins_as_json(source.head):
        return None
    try:
        value = parse_json(source)
    except ParseError:
        return None  # JSON lines, or cut off: what the formats say of it stands
    if isinstance(value, list) and len(value) == 1:
        (value,) = value  # a list of one record, as databases export it
    values = dict(_values(value, "")) if isinstance(value, dict) else {_WHOLE: value} if isinstance(value, str) else {}
    texts = {path: words for path, value in values.items() if len(value) >= _LONG and (words := _words(value))}
    if not texts:
        return None
    chosen = max(texts, key=lambda path: (texts[path].total(), len(values[path])))
    if _names_text(chosen):
        least = _EXCERPT * texts[chosen].total()
        texts = {path: words for path, words in texts.items() if words.total() > least}
    facts = {path: value for path, value in values.items() if path not in texts}
    most = _MOST_BESIDE_TEXT if _names_text(chosen) else _MOST_FACTS
    if sum(map(len, facts.values())) > most * len(values[chosen]):
        return None
    beside = chosen.rpartition(".")[0]
    warnings = []
    for path, words in texts.items():
        lost = (words - texts[chosen]).total()
        if path.rpartition(".")[0] != beside or lost > _MOST_LOST * words.total():
            return None  # another law, or the same at another time
        if lost:
            warnings.append(f"{lost:,} words of {path} are not in {chosen}, which was read")
    front = FrontMatter(_by_last_key(facts, chosen), 0)
    stated = {name: value for name, value in stated_facts(source, front).items() if value}
    text = replace(source, data=values[chosen].encode(), hints={**stated, **source.hints})
    text.memo[BESIDE_TEXT] = front
    return HeldText(text, chosen, stated_metadata(front), tuple(warnings))


def _names_text(path: str) -> bool:
    """Whether the last key of `path` is one of a text: "content", "content_raw"."""
    key = path.rpartition(".")[2].casefold().replace("-", "_")
    return not {key, key.rpartition("_")[0]}.isdisjoint(_TEXT_KEYS)


def _by_last_key(facts: Mapping[str, str], chosen: str) -> dict[str, str]:
    """Return the facts by their last key; of facts with the same key, the nearest to the text has it, and the others have their path."""

    def distance(path: str) -> int:
        pairs = zip(path.split("."), chosen.split("."), strict=False)
        return path.count(".") - 2 * sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    named: dict[str, str] = {}
    for path in sorted(facts, key=distance):
        key = path.rpartition(".")[2]
        named[f"$.{path}" if key in named else key] = facts[path]
    return named


def _values(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (keys joined by full stops, value) of each string and number."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _values(below, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and (pages := _pages(path, value)) is not None:
        yield path, pages
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _values(below, f"{path}[{index}]")
    elif value is not None and not isinstance(value, bool):
        yield path, str(value)


def _pages(path: str, values: list[Any]) -> str | None:
    """Return the text of a list of pages, each of which a form feed ends: strings under a key for pages, or objects with a text and the
    number of its page; None for other lists."""
    named = path.rpartition(".")[2].casefold().startswith(_PAGE)
    texts = [value if named and isinstance(value, str) else _text_of_page(value) for value in values]
    pages = [text for text in texts if text is not None]
    return "\f".join(pages) if len(pages) == len(texts) and sum(map(len, pages)) >= _LONG else None


def _text_of_page(value: Any) -> str | None:
    """Return the text of an object with one text, the number of its page, and no lists or objects; None for other values."""
    if not isinstance(value, dict) or not any(key.casefold().startswith(_PAGE) for key in value):
        return None
    texts = [text for key, text in value.items() if isinstance(text, str) and _names_text(key)]
    return texts[0] if len(texts) == 1 and not any(isinstance(item, dict | list) for item in value.values()) else None


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unescape(_TAG.sub(" ", text)).casefold()))
