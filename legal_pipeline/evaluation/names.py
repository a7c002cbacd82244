"""Names that an evaluation command accepts; this module imports nothing heavy, so that a command line starts at once.

Not here: the datasets themselves (`datasets`).
"""

from __future__ import annotations

from enum import StrEnum


class DatasetName(StrEnum):
    """The queries: sentences that cite provisions, defined terms or plain questions, whose answers are provisions, or the queries of a
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
    """A half of a dataset's queries: choices are made on `dev`, figures are reported for `test`."""

    DEV = "dev"
    TEST = "test"
