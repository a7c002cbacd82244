"""Reads the provisions of a value of JSON or of rows of a table, in their order, with the divisions around them.

The keys are data (`stated.toml`). Not here: files of data, and the document (`generic.law_as_data`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.slug import plain_letters
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.data_labels import DATA, LABEL, DataLabels
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, first_stated, stated_keys
from legal_pipeline.parsing.generic.stated_provision import (
    Division,
    StatedProvision,
    is_ended,
    labelled_number,
    own_numbers,
    stated_divisions,
)
from legal_pipeline.parsing.readers.html import page_blocks
from legal_pipeline.parsing.recogniser.divisions import NODE_TYPES
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words
from legal_pipeline.text.markup import tags, without_bracketed_tags
from legal_pipeline.text.normalise import one_line, prepare

TEXT_KEYS, _NOTES, _TYPE, _PATHS = (frozenset(DATA[name]) for name in ("text", "notes", "type", "path"))
#: The key of a database, which is also the number in some lists of articles.
ID = "id"
#: Further keys of texts: "textlines".
_TEXTS = re.compile(r"text[a-z]+")
#: Keys of what an object states about itself.
_STATED_KEYS = frozenset(
    [key for name in ("number", "type", "heading", "title") for key in DATA[name]]
    + [key for keys in STATED_DATA["provision"]["kinds"].values() for key in keys]
    + [*STATED_DATA["provision"]["law"], *STATED_DATA["provision"]["heading"], "status"]
)
KINDS: Mapping[str, str] = {key: kind for kind, keys in DATA["kinds"].items() for key in keys}
DIVISIONS = frozenset(key for keys in STATED_DATA["provision"]["divisions"].values() for key in keys)
#: Minimum number of provisions, and their minimum share of all characters; a file with less is data of another kind.
_FEWEST, _LEAST_TEXT = 2, 0.5
#: Minimum share of neighbours whose second number is higher.
_LEAST_RISING = 0.6
#: Minimum number of characters of a value beside the provisions that is text, and not a fact.
_LONG = 400
#: A shorter value under an unknown key is a name, an address or a day.
_SHORT = 100
#: Minimum share of the words of a value that are those of the text, if it is the same text once more, without accents or in
#: another order. Its other words are counted as left out.
_COPIED = 0.6
#: Of a list of provisions whose texts have an unusual key: minimum number of entries, minimum share of them with a label and with one that
#: is higher than that before it, and minimum number of characters of a text on average.
_FEWEST_OF_LIST, _LABELLED, _LEAST_CHARS = 3, 0.8, 20


@dataclass(frozen=True)
class DataPart:
    """A provision and its text, or, without one, text between provisions. `divisions`: those around it, outermost first."""

    divisions: tuple[Division, ...]
    blocks: list[Block]
    provision: StatedProvision | None = None


@dataclass
class DataLaw:
    """What is read of a file. `left_out`: number of characters of values that are neither text nor facts, by their key. `is_ambiguous`:
    an object or row states a section and an article, and only one of them is its number. `text_keys`: keys of texts that are not the
    usual ones."""

    parts: list[DataPart] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    is_ambiguous: bool = False
    text_keys: set[str] = field(default_factory=set)

    @property
    def is_law(self) -> bool:
        numbered = [(part.divisions, part.provision.num) for part in self.parts if part.provision is not None]
        numbers = [(divisions, number) for divisions, num in numbered if (number := read_number(num)) is not None]
        steps = [
            second.follows(first) is not None for (here, first), (there, second) in pairwise(numbers) if here == there
        ]
        with_text = sum(bool(part.blocks) for part in self.parts if part.provision is not None)
        written = sum(len(block.text) for part in self.parts for block in part.blocks)
        beside = sum(map(len, self.facts.values())) + self.left_out.total()
        return (
            len(numbered) >= _FEWEST
            and not self.is_ambiguous
            and 2 * with_text >= len(numbered)
            and sum(steps) >= _LEAST_RISING * len(steps)
            and written >= _LEAST_TEXT * (written + beside)
        )


def data_facts(value: Mapping[str, Any]) -> FrontMatter:
    """Return the strings and numbers of an object."""
    return FrontMatter({key: str(item) for key, item in value.items() if _is_scalar(item)}, 0)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _is_list_of_words(value: Any) -> bool:
    """Whether a value is a list of names or words: keywords, and no text."""
    return isinstance(value, list) and all(isinstance(item, str) and len(item) < _SHORT for item in value)


def _is_structure(value: Any) -> bool:
    return isinstance(value, dict | list)


class ProvisionReader:
    """Reads the provisions of a value in their order."""

    def __init__(self, source: SourceFile, words: Words) -> None:
        self.law = DataLaw()
        self._source = source
        self._words = words
        self._labels = DataLabels(words)

    def read(self, value: Any, kind: str | None = None, divisions: tuple[Division, ...] = ()) -> None:
        """Read a list or an object of provisions and divisions; `kind` is that of the key of `value`."""
        if isinstance(value, list):
            self._add_text_key(value)
            headed = divisions
            for item in value:
                if (heading := self._heading_alone(item)) is not None:
                    headed = (*divisions, *_with_division(headed[len(divisions) :], heading))
                    self.law.parts.append(DataPart(headed, []))
                else:
                    self._read_item(item, kind or self._kind_of_division(item), headed, is_listed=True)
        elif isinstance(value, dict):
            numbered = {key: self._number_of_key(key, kind) for key in value}
            if (len(value) > 1 or kind in PROVISION_KINDS) and value and None not in numbered.values():
                for key, (own, num) in ((key, found) for key, found in numbered.items() if found is not None):
                    self._read_item(value[key], own, divisions, num)
            else:
                self._read_item(value, kind, divisions)

    def _label_in(self, facts: FrontMatter, kind: str | None = None) -> tuple[tuple[str, str], str] | None:
        """Return kind and number, and the label, under any key: {"provision_ref": "§ 1"}. `kind` is the stated kind."""
        values = (str(value) for key, value in facts.values.items() if not self._is_text_key(key))
        return self._labels.label_among(values, kind)

    def _names_texts(self, key: str) -> bool:
        """Whether a key is one of texts, provisions or divisions, in the language of the text too."""
        name = fact_key(key)
        return self._is_text_key(key) or name in KINDS or self._labels.kind_in_language(name) is not None

    def _is_text_key(self, key: str) -> bool:
        name = fact_key(key)
        return name in TEXT_KEYS or name in self.law.text_keys or _TEXTS.fullmatch(name) is not None

    def _add_text_key(self, items: list[Any]) -> None:
        """Note the key of the texts in a list of provisions that has none of the usual keys: the one with the longest values beside that of
        the labels ("條號": "Article 1", "條文內容": "…")."""
        entries = (item for item in items if isinstance(item, dict) and self._heading_alone(item) is None)
        rows = [data_facts(item) for item in entries if not _names_kinds(item)]
        if len(rows) < _FEWEST_OF_LIST or any(self._is_text_key(key) for row in rows for key in row.values):
            return
        labels = [found for row in rows if (found := self._label_in(row)) is not None]
        numbers = [number for (_, num), _ in labels if (number := read_number(num)) is not None]
        rising = sum(after.follows(before) is not None for before, after in pairwise(numbers))
        if len(numbers) < _LABELLED * len(rows) or rising < _LABELLED * (len(numbers) - 1):
            return
        sizes = Counter[str]()
        for row in rows:
            for key, value in row.values.items():
                sizes[fact_key(key)] += len(str(value)) if labelled_number(str(value), self._words) is None else 0
        key, size = max(sizes.items(), key=lambda found: found[1])
        if size >= _LEAST_CHARS * len(rows):
            self.law.text_keys.add(key)

    def _number_of_key(self, key: str, kind: str | None) -> tuple[str, str] | None:
        """Return (kind, number) of a key that numbers its value: "12" in a list of sections, "Section 12"."""
        if (labelled := labelled_number(key, self._words)) is not None:
            return labelled
        return (kind, key) if kind is not None and read_number(key) is not None else None

    def _read_item(
        self,
        item: Any,
        kind: str | None,
        divisions: tuple[Division, ...],
        num: str | None = None,
        *,
        is_listed: bool = False,
    ) -> None:
        if not isinstance(item, dict):
            blocks = self._blocks(item)
            if kind in PROVISION_KINDS and num is not None:
                self.law.parts.append(DataPart(divisions, blocks, StatedProvision(kind, num, None, divisions)))
            elif blocks:
                self.law.parts.append(DataPart(divisions, blocks))
            return
        facts = data_facts(item)
        stated = next(
            (KINDS[slugged] for value in stated_keys(facts, list(_TYPE)) if (slugged := fact_key(value)) in KINDS), None
        )
        kind = stated or kind
        if kind in PROVISION_KINDS and any(
            KINDS.get(fact_key(key)) in PROVISION_KINDS and KINDS[fact_key(key)] != kind and _is_structure(item[key])
            for key in item
        ):
            kind = self._kind_of_division(item) or kind  # a section with articles
        own: tuple[str, str] | None = None
        printed: str | None = None
        number = num or first_stated(facts, DATA["number"])
        may_be_provision = kind is None or kind in PROVISION_KINDS
        numbers = list(own_numbers(facts, self._words)) if may_be_provision else []
        is_unnumbered = may_be_provision and number is None and not numbers
        if is_unnumbered and any(map(self._is_text_key, item)) and not _holds_kinds(item):
            own, printed = self._label_in(facts, kind) or (None, None)
        number = number or self._labels.number_in_heading(facts)
        if (
            number is None
            and kind in PROVISION_KINDS
            and read_number(key := first_stated(facts, [ID]) or "") is not None
        ):
            number = key
        if own is None and kind in PROVISION_KINDS and number is not None:
            labelled = labelled_number(number, self._words)
            own = labelled or ((str(kind), number) if read_number(number) is not None else None)
        if own is None and may_be_provision:
            self.law.is_ambiguous |= len(numbers) > 1
            own = numbers[0] if numbers else None if _names_kinds(item) else self._labels.number_in_language(facts)
        if own is not None:
            self._read_provision(item, facts, own, divisions, printed)
        elif is_listed and kind is None and _is_text(item):
            self.law.parts.append(DataPart(divisions, self._blocks(item)))
        else:
            self._read_division(item, facts, kind, number, divisions)

    def _heading_alone(self, item: Any) -> Division | None:
        """Return the division of an entry that is nothing but its heading, between provisions: {"part": "Chapter 2 Keepers"},
        {"type": "heading", "name": "Chapter 2", "title": "Keepers"}."""
        if not isinstance(item, dict) or any(isinstance(value, list) and value for value in item.values()):
            return None
        facts = data_facts(item)
        if any(map(self._is_text_key, facts.values)) or any(_has_text(value) for value in item.values()):
            return None
        headings = list(dict.fromkeys(stated_keys(facts, DATA["heading"])))
        if any(len(value) >= _LONG for value in map(str, facts.values.values()) if value not in headings):
            return None  # a text under a key of the publisher's own
        if len(item) == 1 and not headings:
            headings = [str(value) for value in facts.values.values()]
        label = next((heading for heading in headings if self._labels.label_of_division(heading) is not None), None)
        if label is None:
            return None
        return self._labels.division_of_heading(" ".join([label, *(other for other in headings if other != label)]))

    def _kind_of_division(self, item: Any) -> str | None:
        """Return the node type of an entry of a list with a heading and lists of provisions or divisions; None for others."""
        if not isinstance(item, dict) or not any(fact_key(key) in KINDS and _is_structure(item[key]) for key in item):
            return None
        facts = data_facts(item)
        labels = (str(value) for value in facts.values.values())
        heading = first_stated(facts, DATA["heading"]) or next(filter(self._labels.label_of_division, labels), None)
        if heading is None:
            return None
        label = self._labels.label_of_division(heading)
        return "division" if label is None else next(NODE_TYPES[kind] for kind in label.kinds if kind in NODE_TYPES)

    def _read_provision(
        self,
        item: Mapping[str, Any],
        facts: FrontMatter,
        own: tuple[str, str],
        divisions: tuple[Division, ...],
        printed: str | None,
    ) -> None:
        context = tuple(self._divisions_beside(item, facts)) if not divisions else ()
        heading = stated = self._labels.heading(facts)
        label = None
        if heading is not None and printed is None and LABEL.fullmatch(heading):
            label, heading = heading, None
        elif (
            heading is not None and (begun := self._labels.label_of_provision(heading)) and begun.number.text == own[1]
        ):
            label, heading = heading, heading[begun.end :].strip(" .:–—-") or None
        blocks: list[Block] = []
        others: list[tuple[str, Any]] = []
        for key, value in item.items():
            name = fact_key(key)
            if name in _NOTES:
                blocks += [replace(block, kind="footnote") for block in self._blocks(value)]
            elif (name in DIVISIONS and isinstance(value, dict)) or (name in _PATHS and context):
                continue
            elif self._is_text_key(key) or (name in KINDS and _is_structure(value)):
                blocks += self._blocks(value)
            elif name not in _STATED_KEYS and value != stated:
                others.append((name, value))
        if not blocks:  # the text is a list under a key of the publisher's own
            blocks = [block for _, value in others if _is_structure(value) for block in self._blocks(value)]
            others = [(name, value) for name, value in others if not _is_structure(value)]
        text = set(folded_words(block.text for block in blocks))
        for name, value in others:
            words = folded_words(strings(value))
            further = [word for word in words if word not in text]
            # the text once more, as programs read it
            is_copy = bool(words) and len(further) <= (1 - _COPIED) * len(words)
            self._leave_out(name, " ".join(further) if is_copy else value)
        if label is None and printed is not None and not any(block.text.startswith(printed) for block in blocks[:1]):
            label = " ".join(filter(None, (printed, heading)))
        kind, num = own
        divisions = (*divisions, *context)
        self.law.parts.append(
            DataPart(divisions, blocks, StatedProvision(kind, num, heading, divisions, is_ended(facts), label=label))
        )

    def _divisions_beside(self, item: Mapping[str, Any], facts: FrontMatter) -> list[Division]:
        """Return the divisions that a provision states: {"chapter": "2"}, {"chapter": {"number": "2", "title": "Keepers"}}, and
        {"path": ["Chapter 2. Keepers"]}."""
        stated = {}
        for key, value in item.items():
            if fact_key(key) in DIVISIONS and isinstance(value, dict):
                named = data_facts(value)
                parts = [first_stated(named, DATA[name]) for name in ("number", "heading")]
                stated[key] = " ".join(filter(None, parts))
        found = stated_divisions(FrontMatter({**facts.values, **stated}, 0), self._words)
        paths = [value for key, value in item.items() if fact_key(key) in _PATHS and isinstance(value, list)]
        if found or not paths or not all(isinstance(heading, str) for heading in paths[0]):
            return found
        return [self._labels.division_of_heading(heading) for heading in paths[0]]

    def _read_division(
        self,
        item: Mapping[str, Any],
        facts: FrontMatter,
        kind: str | None,
        number: str | None,
        divisions: tuple[Division, ...],
    ) -> None:
        """Read a division, or an object around the law, whose values are facts about it."""
        if kind is not None and kind not in PROVISION_KINDS:
            # {"name": "Chapter 1", "title": "Keepers"}
            labels = filter(self._labels.label_of_division, map(str, facts.values.values()))
            headings = list(dict.fromkeys(stated_keys(facts, DATA["heading"]))) or list(islice(labels, 1))
            headings.sort(key=lambda text: self._labels.label_of_division(text) is None)
            printed = " ".join(filter(None, (number, *headings)))
            if number is None and headings and (label := self._labels.label_of_division(headings[0])) is not None:
                number, headings[0] = label.number.text, headings[0][label.end :].strip(" .:–—-")
            heading = " ".join(filter(None, headings)) or None
            divisions = (*divisions, (kind, number, heading, printed)) if printed else divisions
        elif kind is not None and (heading := first_stated(facts, DATA["heading"])) is not None:
            self.law.parts.append(DataPart(divisions, self._blocks(heading)))  # a provision without a number
        is_division = bool(divisions)
        for key, value in item.items():
            name = fact_key(key)
            if isinstance(value, dict) and name not in KINDS and _is_text(value):
                self.law.parts.append(DataPart(divisions, self._blocks(value)))
            elif not is_division and _is_list_of_words(value) and not self._names_texts(key):
                self.law.facts.setdefault(key, "; ".join(value))
            elif not _is_scalar(value):
                self.read(value, KINDS.get(name) or self._labels.kind_in_language(name), divisions)
            elif name in TEXT_KEYS or (not is_division and isinstance(value, str) and len(value) >= _LONG):
                self.law.parts.append(DataPart(divisions, self._blocks(value)))
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
            for place, item in enumerate(value):
                yield from self._texts(item, number if place == 0 else "")
        elif isinstance(value, dict):
            facts = data_facts(value)
            of_type = [f"{fact_key(kind)}_number" for kind in stated_keys(facts, list(_TYPE))]
            own = first_stated(facts, [*DATA["number"], *of_type]) or number
            heading = first_stated(facts, DATA["heading"]) or ""
            if heading:
                yield heading
            is_order = all(key.isdigit() for key in value)  # "0", "1": places, and not numbers
            for key, item in value.items():
                if is_order:
                    yield from self._texts(item, "")
                elif fact_key(key) in TEXT_KEYS or not _is_scalar(item):
                    yield from self._texts(item, own)
                    own = ""
                elif len(key) <= 3 and read_number(key) is not None:
                    yield from self._texts(item, key)
                elif fact_key(key) not in _STATED_KEYS and fact_key(key) not in of_type:
                    self._leave_out(fact_key(key), item)

    def _lines(self, text: str) -> list[Block]:
        text = without_bracketed_tags(text)
        if tags(text):
            page = replace(self._source, data=f"<html><body>{text}</body></html>".encode())
            return [found.block for found in page_blocks(page)]
        return [Block(line) for raw in prepare(text).split("\n") if (line := one_line(raw))]

    def _leave_out(self, key: str, value: Any) -> None:
        """Count a value that is not text; not a name, an address or a day."""
        size = sum(map(len, strings(value)))
        if size >= _SHORT:
            self.law.left_out[key] += size


def folded_words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in plain_letters(text).casefold().split()]


def is_text_key(key: str) -> bool:
    name = fact_key(key)
    return (
        name in TEXT_KEYS or name in _NOTES or name in DATA["heading"] or name in KINDS or read_number(key) is not None
    )


def strings(value: Any, is_text: Callable[[str], bool] = lambda key: True, below: bool = True) -> Iterator[str]:
    """Yield the strings below the keys for which `is_text` is true, without those of keys that name a provision or the divisions above it,
    which are printed once."""
    if isinstance(value, str):
        if below:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, is_text, below)
    elif isinstance(value, dict):
        for key, item in value.items():
            name = fact_key(key)
            if name not in DIVISIONS and not (name in KINDS and isinstance(item, str)):
                yield from strings(item, is_text, is_text(key))


def _has_text(value: Any) -> bool:
    """Whether a value is an object with a text."""
    return isinstance(value, dict) and any(map(is_text_key, (key for key, item in value.items() if item)))


def _is_text(item: Mapping[str, Any]) -> bool:
    """Whether an object is a text, with a number and a heading at most: no provision or division is below it."""
    return any(fact_key(key) in TEXT_KEYS for key in item) and not _names_kinds(item)


def _names_kinds(value: Any) -> bool:
    """Whether a key or a stated type, at any depth, is one of provisions or divisions."""
    if isinstance(value, list):
        return any(map(_names_kinds, value))
    return isinstance(value, dict) and any(
        (fact_key(key) in KINDS and _is_structure(item))
        or (fact_key(key) in _TYPE and fact_key(str(item)) in KINDS)
        or _names_kinds(item)
        for key, item in value.items()
    )


def _with_division(around: tuple[Division, ...], division: Division) -> tuple[Division, ...]:
    """Return the divisions `around` a heading with its own: in place of that of the same kind and of those inside it, else inside all."""
    kinds = [kind for kind, *_ in around]
    return (*around[: kinds.index(division[0]) if division[0] in kinds else None], division)


def _holds_kinds(item: Mapping[str, Any]) -> bool:
    """Whether provisions or divisions are in an object, whatever it is itself."""
    return any(_is_structure(value) and (fact_key(key) in KINDS or _names_kinds(value)) for key, value in item.items())


def _bracketed(number: str) -> str:
    return f"({number})" if number.isalnum() else number


def _begins_with(text: str, number: str) -> bool:
    """Whether `text` prints its number: "(a) in fog", "2. Lamps"."""
    return re.match(rf"[(\[]?{re.escape(number.strip('().'))}\s?[)\].:]", text) is not None
