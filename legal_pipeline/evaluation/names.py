"""What can be named when an evaluation is asked for; imports nothing, so that a command line starts at once.

Not here: what the names stand for (`datasets`).
"""

from __future__ import annotations

from enum import StrEnum


class DatasetName(StrEnum):
    """What is asked: provisions by sentences that cite them, by the terms they define or by plain questions, or the queries of a
    published set."""

    CITATIONS = "citations"
    DEFINITIONS = "definitions"
    QUESTIONS = "questions"
    AILA_STATUTES = "aila-statutes"
    AILA_CASES = "aila-cases"
    STATUTORY_INTERPRETATION = "statutory-interpretation"
    BEIR = "beir"
    MUPLER = "mupler"
    SWEFAQ = "swefaq"
    LEGALQUAD = "legalquad"
    MLEB = "mleb"
    BSARD = "bsard"
    STARD = "stard"


class Half(StrEnum):
    """A half of a dataset's queries: `dev` is what choices are made on, `test` what is reported of them."""

    DEV = "dev"
    TEST = "test"
