"""A law as data: JSON, JSON lines or a table in which each provision is an object or a row with number, heading and text.

The keys are data (`stated.toml`). Not here: JSON with one text (`parsing.text_in_json`), and collections whose keys are known (formats of
their own).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import pairwise
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.identity import language_code, language_warning
from legal_pipeline.parsing.generic.kinds import type_of_title
from legal_pipeline.parsing.generic.law import identity_of_title, text_document
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, stated_facts, stated_keys, stated_metadata
from legal_pipeline.parsing.generic.stated_provision import (
    Division,
    StatedProvision,
    is_ended,
    labelled_number,
    open_divisions,
    own_number,
    stated_divisions,
    write_provision,
)
from legal_pipeline.parsing.json_source import begins_as_json, parse_json
from legal_pipeline.parsing.readers.html import page_blocks
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words, words_of
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.markup import tags
from legal_pipeline.text.normalise import one_line, prepare

NAME = "law_as_data"
VERSION = "1"

_DATA: Mapping[str, Any] = STATED_DATA["data"]
_TEXT, _NOTES, _TYPE = (frozenset(_DATA[name]) for name in ("text", "notes", "type"))
#: Keys of what `_facts` is asked for.
_STATED_KEYS = frozenset(
    [key for name in ("number", "type", "heading", "title") for key in _DATA[name]]
    + [key for keys in STATED_DATA["provision"]["kinds"].values() for key in keys]
    + [*STATED_DATA["provision"]["law"], *STATED_DATA["provision"]["heading"], "status"]
)
_KIND: Mapping[str, str] = {key: kind for kind, keys in _DATA["kinds"].items() for key in keys}
_LAW: list[str] = STATED_DATA["provision"]["law"]
_TITLES: list[str] = [*STATED_DATA["keys"]["title"], *_LAW, *_DATA["title"]]
_TABLES = {".csv": ",", ".tsv": "\t"}
#: Minimum number of provisions, and their minimum share of all characters; a file with less is data of another kind.
_FEWEST, _LEAST_TEXT = 2, 0.5
#: Minimum share of neighbours whose second number is higher.
_LEAST_RISING = 0.6
#: Minimum number of characters of a value beside the provisions that is text, and not a fact.
_LONG = 400
#: A shorter value under an unknown key is a name, an address or a day.
_SHORT = 100
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class _Provision:
    """`number` is None for text between provisions; `aside`: notes of the publisher."""

    divisions: tuple[Division, ...]
    kind: str
    num: str | None
    heading: str | None
    blocks: list[Block]
    is_repealed: bool = False


@dataclass
class _Law:
    """What is read of a file. `left_out`: words of values that are neither text nor facts, by their key."""

    provisions: list[_Provision] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def is_law(self) -> bool:
        numbered = [(found.divisions, found.num) for found in self.provisions if found.num is not None]
        numbers = [(divisions, number) for divisions, num in numbered if (number := read_number(num)) is not None]
        steps = [
            second.follows(first) is not None for (here, first), (there, second) in pairwise(numbers) if here == there
        ]
        written = sum(len(block.text) for found in self.provisions for block in found.blocks)
        beside = sum(map(len, self.facts.values())) + self.left_out.total()
        return (
            len(numbered) >= _FEWEST
            and sum(steps) >= _LEAST_RISING * len(steps)
            and written >= _LEAST_TEXT * (written + beside)
        )


def split(source: SourceFile) -> dict[str, SourceFile]:
    """Return the laws of a list or table of several, each as a file of its own by its name; empty for other files.

    Rows of one law belong together wherever they are; an entry with a list of provisions is a law.
    """
    rows = _rows(source)
    if rows is None or not rows:
        return {}
    laws: dict[str, list[Any]] = {}
    if all(_has_provisions(row) for row in rows):
        for number, row in enumerate(rows, 1):
            named = next(iter(stated_keys(_facts(row), _TITLES)), "")
            laws.setdefault(slug(named) or f"law-{number}", []).append(row)
    elif all(_is_provision(row) for row in rows):
        for row in rows:
            laws.setdefault(slug(_law_of(row)) or "law", []).append(row)
    if len(laws) < _FEWEST:
        return {}
    return {
        name: replace(
            source,
            name=f"{source.name}#{name}",
            data=json.dumps(found[0] if _has_provisions(found[0]) else found).encode(),
            hints={**source.hints, "format": NAME, "path": f"{source.path.rpartition('.')[0] or source.path}/{name}"},
        )
        for name, found in laws.items()
    }


def sniff(source: SourceFile) -> float:
    """Return `POSSIBLE` for data with at least two provisions of one law."""
    return POSSIBLE if (law := _read(source)) is not None and law.is_law else NO


def parse(source: SourceFile) -> Document:
    """Return the law. Raises `ParseError` for data without provisions, or with those of several laws."""
    law = _read(source)
    if law is None or all(found.num is None for found in law.provisions):
        raise ParseError("no provisions of one law", expected="objects or rows with number and text of a provision")
    front = FrontMatter(dict(law.facts), 0)
    said: dict[str, Any] = {key: value for key, value in stated_facts(source, front).items() if value}
    title = str(said.get("title") or next(iter(stated_keys(front, _TITLES)), "") or source.name_in_words)
    code = _language(law, said)
    builder = DocumentBuilder()
    for found in law.provisions:
        if found.num is None:
            open_divisions(builder, found.divisions)
            for block in found.blocks:
                builder.block(block.text, "block")
        else:
            stated = StatedProvision(found.kind, found.num, found.heading, found.divisions, found.is_repealed, False)
            write_provision(builder, stated, found.blocks, code)
    builder.close_to(0)
    kind = said.get("doc_type") or type_of_title(title, said.get("jurisdiction")) or "act"
    said = {**said, "title": title, "language": code, "doc_type": kind}
    said |= identity_of_title(said, title)
    lost = law.left_out.total()
    keys = ", ".join(dict.fromkeys(key for key, _ in law.left_out.most_common(5)))
    warnings = [f"{lost:,} characters of values that are not text were left out: {keys}"] if lost else []
    return text_document(
        source, builder, said, None, None, stated_metadata(front), [*warnings, *language_warning(said, builder.text)]
    )


def _language(law: _Law, said: Mapping[str, Any]) -> str:
    stated = language_code(said.get("language")) if said.get("language") else None
    text = "\n".join(block.text for found in law.provisions for block in found.blocks)
    return stated or detect_language(text).code or str(said.get("usual_language") or "eng")


def _read(source: SourceFile) -> _Law | None:
    """Return the provisions and facts of a file of data; None for other files, and for rows of several laws."""
    if NAME not in source.memo:
        source.memo[NAME] = _read_value(source)
    found: _Law | None = source.memo[NAME]
    return found


def _read_value(source: SourceFile) -> _Law | None:
    value = _value(source)
    if not isinstance(value, dict | list):
        return None
    facts: dict[str, str] = {}
    if isinstance(value, list):
        laws = {_law_of(row) for row in value if isinstance(row, dict)}
        if len(laws) != 1 or any(isinstance(row, dict) and _has_provisions(row) for row in value):
            return None  # several laws
        facts = {_LAW[0]: laws.pop()}
    elif (
        len(value) == 1
        and isinstance(inner := next(iter(value.values())), dict)
        and fact_key(key := next(iter(value))) not in _KIND
    ):
        value, facts = inner, {_LAW[0]: key}  # {"Lamps Act": {"Section 1": …}}
    language = value.get("language") or value.get("lang") if isinstance(value, dict) else None
    reader = _Reader(source, words_of(language_code(str(language)) if language else "eng"))
    reader.law.facts.update({key: text for key, text in facts.items() if text})
    reader.read(value)
    return reader.law


def _rows(source: SourceFile) -> list[dict[str, Any]] | None:
    """Return the entries of a list or the rows of a table; None for a file that is or has something else."""
    begin = source.head.lstrip()
    is_lines = begin.startswith("{") and begin.partition("\n")[2].lstrip().startswith("{")
    value = _value(source) if begin.startswith("[") or is_lines or source.path[-4:].lower() in _TABLES else None
    return value if isinstance(value, list) and all(isinstance(row, dict) for row in value) else None


def _law_of(row: Mapping[str, Any]) -> str:
    """Return the law that a row names, "" if it names none."""
    return next(iter(stated_keys(_facts(row), _LAW)), "")


def _is_provision(row: Mapping[str, Any]) -> bool:
    facts = _facts(row)
    return own_number(facts, words_of("eng")) is not None and bool(stated_keys(facts, sorted(_TEXT)))


def _value(source: SourceFile) -> Any:
    """Return the value of JSON, or the rows of JSON lines or a table; None for other files."""
    delimiter = _TABLES.get(source.path[-4:].lower())
    if delimiter is not None:
        try:
            return list(csv.DictReader(io.StringIO(source.text), delimiter=delimiter))
        except csv.Error:
            return None
    if not begins_as_json(source.head):
        return None
    try:
        return parse_json(source)
    except ParseError:
        try:
            return [json.loads(line) for line in source.text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None


def _has_provisions(row: Mapping[str, Any]) -> bool:
    """Whether an entry of a list is a law of its own: it has a list of articles or sections."""
    return any(_KIND.get(fact_key(key)) in PROVISION_KINDS and isinstance(value, list) for key, value in row.items())


def _facts(value: Mapping[str, Any]) -> FrontMatter:
    """Return the strings and numbers of an object."""
    return FrontMatter({key: str(item) for key, item in value.items() if _is_scalar(item)}, 0)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


class _Reader:
    """Reads the provisions of a value in their order."""

    def __init__(self, source: SourceFile, words: Words) -> None:
        self.law = _Law()
        self._source = source
        self._words = words

    def read(self, value: Any) -> None:
        self._read(value, None, ())

    def _read(self, value: Any, kind: str | None, divisions: tuple[Division, ...]) -> None:
        """Read a list or an object of provisions and divisions; `kind` is that of the key of `value`."""
        if isinstance(value, list):
            for item in value:
                self._read_item(item, kind, divisions)
        elif isinstance(value, dict):
            numbered = {key: self._number_of_key(key, kind) for key in value}
            if len(value) > 1 and None not in numbered.values():
                for key, (own, num) in ((key, found) for key, found in numbered.items() if found is not None):
                    self._read_item(value[key], own, divisions, num)
            else:
                self._read_item(value, kind, divisions)

    def _number_of_key(self, key: str, kind: str | None) -> tuple[str, str] | None:
        """Return (kind, number) of a key that numbers its value: "12" in a list of sections, "Section 12"."""
        if (labelled := labelled_number(key, self._words)) is not None:
            return labelled
        return (kind, key) if kind is not None and read_number(key) is not None else None

    def _read_item(self, item: Any, kind: str | None, divisions: tuple[Division, ...], num: str | None = None) -> None:
        if not isinstance(item, dict):
            blocks = self._blocks(item)
            if kind in PROVISION_KINDS and num is not None:
                self.law.provisions.append(_Provision(divisions, kind, num, None, blocks))
            elif blocks:
                self.law.provisions.append(_Provision(divisions, "block", None, None, blocks))
            return
        facts = _facts(item)
        stated = next(
            (_KIND[slugged] for value in stated_keys(facts, list(_TYPE)) if (slugged := fact_key(value)) in _KIND), None
        )
        kind = stated or kind
        number = num or next((value for value in stated_keys(facts, _DATA["number"])), None)
        own = own_number(facts, self._words) if kind is None or kind in PROVISION_KINDS else None
        if own is None and kind in PROVISION_KINDS and number is not None:
            labelled = labelled_number(number, self._words)
            own = labelled or ((str(kind), number) if read_number(number) is not None else None)
        if own is not None:
            self._read_provision(item, facts, own, divisions)
        else:
            self._read_division(item, facts, kind, number, divisions)

    def _read_provision(
        self, item: Mapping[str, Any], facts: FrontMatter, own: tuple[str, str], divisions: tuple[Division, ...]
    ) -> None:
        context = tuple(stated_divisions(facts, self._words)) if not divisions else ()
        heading = next(iter(stated_keys(facts, _DATA["heading"])), None)
        blocks: list[Block] = []
        for key, value in item.items():
            name = fact_key(key)
            if name in _NOTES:
                blocks += [replace(block, kind="footnote") for block in self._blocks(value)]
            elif name in _TEXT or (_KIND.get(name) is not None and not _is_scalar(value)):
                blocks += self._blocks(value)
            elif name not in _STATED_KEYS:
                self._leave_out(name, value)
        kind, num = own
        ended = is_ended(facts)
        self.law.provisions.append(_Provision((*divisions, *context), kind, num, heading, blocks, ended))

    def _read_division(
        self,
        item: Mapping[str, Any],
        facts: FrontMatter,
        kind: str | None,
        number: str | None,
        divisions: tuple[Division, ...],
    ) -> None:
        """Read an object that is not a provision: a division, or what stands around the law, whose values are facts of the law."""
        heading = next(iter(stated_keys(facts, _DATA["heading"])), None)
        if kind is not None and kind not in PROVISION_KINDS:
            printed = " ".join(filter(None, (number, heading)))
            divisions = (*divisions, (kind, number, heading, printed or kind.capitalize()))
        is_division = bool(divisions)
        for key, value in item.items():
            name = fact_key(key)
            if not _is_scalar(value):
                if isinstance(value, dict | list):
                    self._read(value, _KIND.get(name), divisions)
            elif name in _TEXT or (not is_division and isinstance(value, str) and len(value) >= _LONG):
                self.law.provisions.append(_Provision(divisions, "block", None, None, self._blocks(value)))
            elif not is_division:
                self.law.facts.setdefault(key, str(value))
            elif name not in _STATED_KEYS:
                self._leave_out(name, value)

    def _blocks(self, value: Any) -> list[Block]:
        """Return the lines of a text, and of what is below it in lists and objects, with their numbers in brackets."""
        return [block for text in self._texts(value, "") for block in self._lines(text)]

    def _texts(self, value: Any, number: str) -> Iterator[str]:
        if isinstance(value, str):
            text = value.strip()
            if text:
                yield f"{_bracketed(number)} {text}" if number and not _begins_with(text, number) else text
        elif isinstance(value, list):
            for item in value:
                yield from self._texts(item, "")
        elif isinstance(value, dict):
            facts = _facts(value)
            own = next(iter(stated_keys(facts, _DATA["number"])), number)
            heading = next(iter(stated_keys(facts, _DATA["heading"])), "")
            if heading:
                yield heading
            is_order = all(key.isdigit() for key in value)  # "0", "1": places, and not numbers
            for key, item in value.items():
                if is_order:
                    yield from self._texts(item, "")
                elif fact_key(key) in _TEXT or not _is_scalar(item):
                    yield from self._texts(item, own)
                    own = ""
                elif len(key) <= 3 and read_number(key) is not None:
                    yield from self._texts(item, key)

    def _lines(self, text: str) -> list[Block]:
        if tags(text):
            page = replace(self._source, data=f"<html><body>{text}</body></html>".encode())
            return [found.block for found in page_blocks(page)]
        return [Block(line) for raw in prepare(text).split("\n") if (line := one_line(raw))]

    def _leave_out(self, key: str, value: Any) -> None:
        """Count a value that is not text; not a name, an address or a day."""
        size = sum(map(len, _strings(value)))
        if size >= _SHORT:
            self.law.left_out[key] += size


def shown_text(source: SourceFile) -> str:
    """Return the numbers, headings, texts and notes of a file of this format, without mark-up."""
    return "\n".join(_TAG.sub(" ", unescape(text)) for text in _strings(_value(source), _is_text_key))


def _is_text_key(key: str) -> bool:
    name = fact_key(key)
    return name in _TEXT or name in _NOTES or name in _DATA["heading"] or name in _KIND or read_number(key) is not None


def _strings(value: Any, is_text: Callable[[str], bool] = lambda key: True, below: bool = True) -> Iterator[str]:
    """Yield the strings below keys of which `is_text` holds."""
    if isinstance(value, str):
        if below:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, is_text, below)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, is_text, is_text(key))


def _bracketed(number: str) -> str:
    return f"({number})" if number.isalnum() else number


def _begins_with(text: str, number: str) -> bool:
    """Whether `text` prints its number: "(a) in fog", "2. Lamps"."""
    return re.match(rf"[(\[]?{re.escape(number.strip('().'))}\s?[)\].:]", text) is not None


FORMAT = Format(
    NAME, "A law as data: JSON, JSON lines or a table with one object or row per provision", sniff, parse, VERSION
)
