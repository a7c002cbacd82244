"""A law as data: JSON, JSON lines or a table in which each provision is an object or a row with number, heading and text.

The keys are data (`stated.toml`). Not here: JSON with one text (`parsing.text_in_json`), and collections whose keys are known (formats of
their own).
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.data_labels import DATA
from legal_pipeline.parsing.generic.identity import doc_type, language_code, language_warning
from legal_pipeline.parsing.generic.kinds import type_of_title
from legal_pipeline.parsing.generic.law import identity_of_title, shown_country, text_document
from legal_pipeline.parsing.generic.provisions_in_data import (
    DIVISIONS,
    ID,
    KINDS,
    TEXT_KEYS,
    DataLaw,
    ProvisionReader,
    data_facts,
    folded_words,
    is_text_key,
    strings,
)
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, first_stated, stated_facts, stated_metadata
from legal_pipeline.parsing.generic.stated_provision import open_divisions, own_number, write_provision
from legal_pipeline.parsing.json_source import begins_as_json, parse_json
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, words_of
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.markup import without_bracketed_tags

NAME = "law_as_data"
VERSION = "6"

_LAW: list[str] = STATED_DATA["provision"]["law"]
_TITLES: list[str] = [*STATED_DATA["keys"]["title"], *_LAW, *DATA["title"]]
_TABLES = {".csv": ",", ".tsv": "\t"}
#: Name in `SourceFile.memo` of the value of a file of data.
_VALUE = "value of data"
#: Minimum number of provisions of an object whose keys are their numbers alone, and minimum share of numbers that follow each other.
_FEWEST_OF_MAP, _IN_ORDER = 5, 0.9
#: Maximum number of characters of a title; it has several words, or signs of a script without spaces.
_TITLE_CHARS = 300
_MORE_THAN_A_TYPE = re.compile(r"\w\s+\w|[\u3040-\u9fff]{5}")
#: Number of characters from which the language is detected.
_SAMPLE = 20_000
_TAG = re.compile(r"<[^<>]*>")
_WORDS = re.compile(r"\w+")
#: Maximum number of words before a heading that its text repeats: a label.
_BEFORE_HEADING = 2
#: A key with the code of a language: "title_ua".
_WITH_LANGUAGE = re.compile(r"(?P<name>\w+)_(?P<language>[a-z]{2})")


def split(source: SourceFile) -> dict[str, SourceFile]:
    """Return the laws of a list or table of several: name of the law -> a file with this law alone. Empty for other files.

    Rows of one law belong together wherever they are; an entry with a list of provisions is a law.
    """
    rows = _rows(source)
    if rows is None or not rows:
        return {}
    laws: dict[str, list[Any]] = {}
    if all(_has_provisions(row) for row in rows):
        if _goes_on(source, rows):
            return {}  # the chapters of one law
        for number, row in enumerate(rows, 1):
            named = first_stated(data_facts(row), _TITLES)
            laws.setdefault(slug(named or "") or f"law-{number}", []).append(row)
    elif all(_is_provision(row) for row in rows):
        for row in rows:
            laws.setdefault(slug(_law_of(row)) or "law", []).append(row)
    if len(laws) < 2:
        return {}
    return {
        name: replace(
            source,
            name=f"{source.name}#{name}",
            data=json.dumps(found[0] if _has_provisions(found[0]) else found).encode(),
            hints={**source.hints, "format": NAME},
        )
        for name, found in laws.items()
    }


def sniff(source: SourceFile) -> float:
    """Return `POSSIBLE` for data with at least two provisions of one law."""
    return POSSIBLE if (law := _read(source)) is not None and law.is_law else NO


def parse(source: SourceFile) -> Document:
    """Return the law. Raises `ParseError` for data without provisions, or with those of several laws."""
    law = _read(source)
    if law is None or all(part.provision is None for part in law.parts):
        raise ParseError("no provisions of one law", expected="objects or rows with number and text of a provision")
    if named := source.name.partition("#")[2]:  # one of several laws, as `split` names them: their ids differ
        source = source.with_hints(path=f"{source.path.rpartition('.')[0] or source.path}/{named}")
    front = FrontMatter(dict(law.facts), 0)
    said: dict[str, Any] = {key: value for key, value in stated_facts(source, front).items() if value}
    written = "\n".join(block.text for part in law.parts for block in part.blocks)
    stated = language_code(said.get("language")) if said.get("language") else detect_language(written).code
    code = stated or str(said.get("usual_language") or "eng")
    given = said.get("title") or first_stated(front, _TITLES) or _title_in(code, front) or _title_by_its_words(front)
    title = str(given or source.name_in_words)
    builder = DocumentBuilder()
    for part in law.parts:
        if part.provision is None:
            open_divisions(builder, part.divisions)
            for block in part.blocks:
                builder.block(block.text, "block")
        else:
            write_provision(builder, part.provision, part.blocks, code)
    builder.close_to(0)
    stated_type = doc_type(said.get("doc_type"))
    kind = stated_type if stated_type != "other" else type_of_title(title, said.get("jurisdiction")) or "act"
    said = {**said, "title": title, "language": code, "doc_type": kind}
    said |= identity_of_title(said, title)
    lost = law.left_out.total()
    keys = ", ".join(dict.fromkeys(key for key, _ in law.left_out.most_common(5)))
    warnings = [f"{lost:,} characters of values that are not text were left out: {keys}"] if lost else []
    warnings += language_warning(said, builder.text)
    country = shown_country(said, builder.text, code)
    return text_document(source, builder, said, None, None, stated_metadata(front), warnings, country=country)


def _title_in(code: str, front: FrontMatter) -> str | None:
    """Return the title in the language `code` (ISO 639-3) of facts that state it in several: "title_th"."""
    for key, text in front.values.items():
        match = _WITH_LANGUAGE.fullmatch(fact_key(key))
        if match and match["name"] in _TITLES and language_code(match["language"]) == code:
            return str(text)
    return None


def _title_by_its_words(front: FrontMatter) -> str | None:
    """Return the first fact that names a type of law as titles do: "Regulation Governing the Lamps of Foundations"."""
    facts = (str(value) for value in front.values.values())
    titles = (fact for fact in facts if _MORE_THAN_A_TYPE.search(fact) and len(fact) <= _TITLE_CHARS)
    return next((title for title in titles if type_of_title(title)), None)


def _read(source: SourceFile) -> DataLaw | None:
    """Return the provisions and facts of a file of data; None for other files, and for rows of several laws."""
    if NAME not in source.memo:
        try:
            source.memo[NAME] = _read_value(source)
        except (ParseError, RecursionError):  # a text that is not HTML, objects nested too deeply
            source.memo[NAME] = None
    found: DataLaw | None = source.memo[NAME]
    return found


def _read_value(source: SourceFile) -> DataLaw | None:
    value = _value(source)
    if not isinstance(value, dict | list):
        return None
    facts: dict[str, str] = {}
    if isinstance(value, list):
        rows = [row for row in value if isinstance(row, dict)]
        laws = {"" if _has_provisions(row) else _law_of(row) for row in rows}
        if len(laws) != 1 or (any(map(_has_provisions, rows)) and not _goes_on(source, rows)):
            return None  # several laws
        facts[_LAW[0]] = laws.pop()
        if (counting := _counting_key(rows)) is not None:
            value = {str(row[counting]): row for row in rows}
    elif (
        len(value) == 1
        and isinstance(inner := next(iter(value.values())), dict)
        and fact_key(key := next(iter(value))) not in KINDS
    ):
        value, facts[_LAW[0]] = inner, "" if key.islower() else key  # {"Lamps Act": {"Section 1": …}}, {"data": {…}}
    stated = first_stated(data_facts(value), STATED_DATA["keys"]["language"]) if isinstance(value, dict) else None
    texts = "\n".join(strings(value, is_text_key)) or "\n".join(strings(value))
    detected = detect_language(texts[:_SAMPLE]).code
    code = language_code(stated) if stated else detected or "eng"
    reader = ProvisionReader(source, words_of(code))
    reader.law.facts.update({key: text for key, text in facts.items() if text})
    is_map = isinstance(value, dict) and len(value) >= _FEWEST_OF_MAP and all(map(read_number, value))
    reader.read(value, ("section" if code == "eng" else "article") if is_map else None)
    return reader.law


def _goes_on(source: SourceFile, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the numbers of the provisions go on from row to row: then the rows are divisions of one law."""
    numbers: list[str] = []
    for row in rows:
        reader = ProvisionReader(source, words_of("eng"))
        reader.read(dict(row))
        numbers += [part.provision.num for part in reader.law.parts if part.provision is not None]
    return len(set(numbers)) == len(numbers) >= _FEWEST_OF_MAP


def _counting_key(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the key under which rows with a text count from 1 on, None without one."""
    if len(rows) < _FEWEST_OF_MAP or not all(any(fact_key(key) in TEXT_KEYS for key in row) for row in rows):
        return None
    # data sets count their rows too: an id counts only in rows that name their chapter
    has_division = all(any(fact_key(key) in KINDS or fact_key(key) in DIVISIONS for key in row) for row in rows)
    counting = {*DATA["number"], ID} if has_division else set(DATA["number"])
    for key in (key for key in rows[0] if fact_key(key) in counting):
        numbers = [number for row in rows if (number := read_number(str(row.get(key, "")))) is not None]
        steps = [after.follows(before) == 0 for before, after in itertools.pairwise(numbers)]
        if len(numbers) == len(rows) and numbers[0].is_first and sum(steps) >= _IN_ORDER * len(steps):
            return key
    return None


def _rows(source: SourceFile) -> list[dict[str, Any]] | None:
    """Return the entries of a list or the rows of a table; None for a file that is or has something else."""
    begin = source.head.lstrip()
    is_lines = begin.startswith("{") and begin.partition("\n")[2].lstrip().startswith("{")
    value = _value(source) if begin.startswith("[") or is_lines or source.name[-4:].lower() in _TABLES else None
    return value if isinstance(value, list) and all(isinstance(row, dict) for row in value) else None


def _law_of(row: Mapping[str, Any]) -> str:
    """Return the law that a row names, "" if it names none."""
    return first_stated(data_facts(row), _LAW) or ""


def _is_provision(row: Mapping[str, Any]) -> bool:
    facts = data_facts(row)
    has_text = any(text.strip() and fact_key(key) in TEXT_KEYS for key, text in facts.values.items())
    return has_text and own_number(facts, words_of("eng")) is not None


def _value(source: SourceFile) -> Any:
    """Return the value of JSON, or the rows of JSON lines or a table; None for other files. It is parsed once per file."""
    if _VALUE not in source.memo:
        source.memo[_VALUE] = _parsed(source)
    return source.memo[_VALUE]


def _parsed(source: SourceFile) -> Any:
    delimiter = _TABLES.get(source.name[-4:].lower())
    if delimiter is not None:
        try:
            return list(csv.DictReader(io.StringIO(source.text), delimiter=delimiter, restkey="more"))
        except csv.Error:
            return None
    if not begins_as_json(source.head):
        return None
    try:
        return _stated_once(_without_languages(parse_json(source)))
    except ParseError:
        try:
            lines = [parse_json(replace(source, data=line)) for line in source.data.splitlines() if line.strip()]
        except ParseError:
            return None
        return _stated_once(_without_languages(lines))


def _without_languages(value: Any) -> Any:
    """Return `value` with "title" and "text" in place of "titleUa" and "text_en", where an object has the text in one language only."""
    if isinstance(value, list):
        return [_without_languages(item) for item in value]
    if not isinstance(value, dict):
        return value
    named = {key: match["name"] for key in value if (match := _WITH_LANGUAGE.fullmatch(fact_key(key)))}
    once = Counter([*named.values(), *map(fact_key, value)])
    plain = {key: name for key, name in named.items() if once[name] == 1 and is_text_key(name)}
    return {plain.get(key, key): _without_languages(item) for key, item in value.items()}


def _stated_once(value: Any) -> Any:
    """Return `value` without texts that a list beside them has in parts: {"text": "A. B.", "items": [{"text": "A."}, {"text": "B."}]}."""
    if isinstance(value, list):
        return [_stated_once(item) for item in value]
    if not isinstance(value, dict):
        return value
    texts = {key: folded_words([item]) for key, item in value.items() if isinstance(item, str) and is_text_key(key)}
    lists = (item for item in value.values() if isinstance(item, list)) if any(texts.values()) else ()
    in_parts = [folded_words(strings(item, is_text_key)) for item in lists]
    return {key: _stated_once(item) for key, item in value.items() if not texts.get(key) or texts[key] not in in_parts}


def _has_provisions(row: Mapping[str, Any]) -> bool:
    """Whether an entry of a list is a law of its own: it has a list of articles or sections."""
    return any(KINDS.get(fact_key(key)) in PROVISION_KINDS and isinstance(value, list) for key, value in row.items())


def shown_text(source: SourceFile) -> str:
    """Return the numbers, headings, texts and notes of a file of this format, without mark-up."""
    law = _read(source)
    keys = law.text_keys if law is not None else frozenset[str]()
    texts = strings(_headed_once(_value(source)), lambda key: is_text_key(key) or fact_key(key) in keys)
    return "\n".join(_TAG.sub(" ", unescape(without_bracketed_tags(text))) for text in texts)


def _headed_once(value: Any) -> Any:
    """Return `value` without headings that the text below them begins with, perhaps behind its number; a provision has them once:
    {"title": "Short title", "content": "1. Short title. This Act …"}."""
    if isinstance(value, list):
        return [_headed_once(item) for item in value]
    if not isinstance(value, dict):
        return value
    headings = [key for key, item in value.items() if fact_key(key) in DATA["heading"] and isinstance(item, str)]
    below = {key: item for key, item in value.items() if key not in headings}
    text = _WORDS.findall(next(strings(below, is_text_key), ""))
    for key in headings:
        words = _WORDS.findall(value[key])
        if words and any(text[start : start + len(words)] == words for start in range(_BEFORE_HEADING + 1)):
            value = {name: item for name, item in value.items() if name != key}
    return {key: _headed_once(item) for key, item in value.items()}


FORMAT = Format(
    NAME, "A law as data: JSON, JSON lines or a table with one object or row per provision", sniff, parse, VERSION
)
