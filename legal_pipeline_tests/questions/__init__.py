"""Questions in plain words, each with the provisions that answer it: what a citizen, an employer or a clerk asks.

There are five kinds. `everyday` questions use the ordinary word for a thing, which is often also the word of the law. `reworded` questions
avoid the words of the law, as somebody asks who does not know what the thing is called. `fresh` questions are everyday ones that were
written after search was tuned: in Swedish and English about Acts that no other question is about, in German and French about other
provisions of the same Acts. `blind` questions are about provisions of these Acts that no other question is about, by somebody who knew
nothing of the search, before the question adapters were tried on them. `later` questions were written as the blind ones were, after the
adapters were made, about these Acts and others (up to 13 questions on each of the few German and French Acts). These three kinds are asked
beside the Acts of the everyday ones. No question cites the law or copies a phrase of it.

`file` is below the corpus, `provisions` are eids in its document; where several are named each of them answers. `half`: `tuning`
questions chose what search weighs, `held` ones are for figures; all questions of a kind about one Act are in one half. The questions were
written from what the law does. Another person read each reworded question beside its provision, in both halves and without results: in
German that reader reworded 11 of 66 (10 did not say that they are about tax) and named further provisions that answer for 3; in French
7 of 64 and 6; in Swedish, read a third time, 2 of 107.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

#: Sets of questions: by language, `eng_over_swe` are English questions about Swedish law.
SETS = ("swe", "eng", "eng_over_swe", "deu", "fra")
KINDS = ("everyday", "reworded", "fresh", "blind", "later")
#: Kind -> another kind whose documents are in the same index.
ASKED_BESIDE = {"fresh": "everyday", "blind": "everyday", "later": "everyday"}


@dataclass(frozen=True)
class Question:
    """`language` is that of the question (ISO 639-3)."""

    text: str
    language: str
    file: str
    document: str
    provisions: tuple[str, ...]
    why: str
    half: str


def sets(kind: str) -> tuple[str, ...]:
    """The sets that the kind has."""
    return tuple(name for name in SETS if _file(kind, name).exists())


def questions(kind: str, name: str) -> list[Question]:
    """The questions of the set `name` of a kind, in the order of its file."""
    data = tomllib.loads(_file(kind, name).read_text("utf-8"))
    return [Question(**{**asked, "provisions": tuple(asked["provisions"])}) for asked in data["question"]]


def _file(kind: str, name: str) -> Path:
    return Path(__file__).parent / kind / f"{name}.toml"
