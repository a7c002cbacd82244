"""What keys and values of data state about a provision or a division: its kind, its number and its heading.

The keys are data (`stated.toml`); words that name provisions are those of the language of the text. Not here: objects and their texts
(`generic.provisions_in_data`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, first_stated
from legal_pipeline.parsing.generic.stated_provision import Division, labelled_number
from legal_pipeline.parsing.recogniser.divisions import NODE_TYPES
from legal_pipeline.parsing.recogniser.labels import Label, labels_of
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words

DATA: Mapping[str, Any] = STATED_DATA["data"]
_NUMBER, _HEADING = frozenset(DATA["number"]), frozenset(DATA["heading"])
#: Minimum number of letters of a word in a key, and maximum number of letters of its ending: "madde", "maddeler".
_LEAST_STEM, _MOST_ENDING = 4, 4
#: Maximum number of characters of a value that is a label.
_LABEL_CHARS = 40
#: A heading that is the word and the number of a provision, in any language: "Andininy 12".
LABEL = re.compile(r"[^\W\d]+\.?\s(?P<num>\d{1,4}\s?[A-Za-z]{0,3})\.?")


class DataLabels:
    """Reads what is stated, with the `words` of a language."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def kind_in_language(self, name: str) -> str | None:
        """Return the kind of provisions that a key names in the language of the text, alone or with the ending of a plural: "pasal",
        "maddeler"."""
        stems = (
            name[: len(name) - ending]
            for ending in range(_MOST_ENDING + 1)
            if not ending or len(name) - ending >= _LEAST_STEM
        )
        return next((kind for stem in stems for kind in self._words.kinds_of(stem) if kind in PROVISION_KINDS), None)

    def number_in_language(self, facts: FrontMatter) -> tuple[str, str] | None:
        """Return (kind, number) under a key of which the first word, or the one beside a word for numbers, names provisions in the language
        of the text: "madde_numarasi", "numero_articulo"."""
        for key, value in facts.values.items():
            first, *others = fact_key(key).split("_")
            named = [first, *others] if not _NUMBER.isdisjoint((first, *others)) else [first]
            kinds = (
                kind for word in named for kind in self._words.kinds_of(word) if others and kind in PROVISION_KINDS
            )
            kind = next(kinds, None)
            if kind is not None and (labelled := labelled_number(str(value), self._words)):
                return labelled
            if kind is not None and read_number(str(value)) is not None:
                return kind, str(value)
        return None

    def heading(self, facts: FrontMatter) -> str | None:
        """Return the heading of a provision: also under a key with a word that names provisions, "titulo_articulo"."""
        if (stated := first_stated(facts, DATA["heading"])) is not None:
            return stated
        for key, value in facts.values.items():
            words = fact_key(key).split("_")
            kinds = {kind for word in words for kind in self._words.kinds_of(word)}
            if not kinds.isdisjoint(PROVISION_KINDS) and not _HEADING.isdisjoint(words):
                return str(value)
        return None

    def label_among(self, values: Iterable[str], kind: str | None) -> tuple[tuple[str, str], str] | None:
        """Return the kind and the number, and the value, of the first that is the label of a provision and nothing else: "§ 1". `kind` is
        the stated kind."""
        labels = ((labelled_number(value, self._words, kind), value) for value in values if len(value) <= _LABEL_CHARS)
        return next(((found, value) for found, value in labels if found is not None), None)

    def label_of_division(self, heading: str) -> Label | None:
        labels = labels_of(0, Block(heading), self._words)
        return next((label for label in labels if any(kind in NODE_TYPES for kind in label.kinds)), None)

    def number_in_heading(self, facts: FrontMatter) -> str | None:
        """Return the number in a heading that is a label ("Andininy 12") or begins with one ("Article 1. Scope")."""
        heading = first_stated(facts, DATA["heading"]) or ""
        if found := LABEL.fullmatch(heading):
            return found["num"]
        label = self.label_of_provision(heading)
        return label.number.text if label is not None else None

    def label_of_provision(self, heading: str) -> Label | None:
        labels = labels_of(0, Block(heading), self._words) if heading else []
        return next((label for label in labels if label.is_provision and label.kinds), None)

    def division_of_heading(self, heading: str) -> Division:
        label = self.label_of_division(heading)
        if label is None:
            return "division", None, heading, heading
        kind = next(NODE_TYPES[kind] for kind in label.kinds if kind in NODE_TYPES)
        return kind, label.number.text, heading[label.end :].strip(" .:–—-") or None, heading
