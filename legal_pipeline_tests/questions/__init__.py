"""Questions in plain words, each with the provisions that answer it: what a citizen, an employer or a clerk asks.

There are two kinds. `everyday` questions use the ordinary word for a thing, which is often also the word of the law. `reworded` questions
avoid the words of the law, as somebody asks who does not know what the thing is called. None cites the law or copies a phrase of it.

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
KINDS = ("everyday", "reworded")


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


def questions(kind: str, name: str) -> list[Question]:
    """The questions of the set `name` of a kind, in the order of its file."""
    data = tomllib.loads((Path(__file__).parent / kind / f"{name}.toml").read_text("utf-8"))
    return [Question(**{**asked, "provisions": tuple(asked["provisions"])}) for asked in data["question"]]
