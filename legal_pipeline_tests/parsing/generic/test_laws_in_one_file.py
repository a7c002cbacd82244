"""Files of data with several laws, and with rows that are not those of a law."""

from __future__ import annotations

import json

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import UnknownFormatError
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.split import split

SCOPE = "This Act applies to all lamps of the harbour."
DUSK = "The keeper shall light the lamp at dusk."
FEE = "The fee is ten crowns."
NUMBERED = ((1, SCOPE), (2, DUSK), (3, FEE))


def test_laws_without_a_name_are_laws_of_their_own() -> None:
    laws = [{"articles": [{"number": str(number), "text": text} for number, text in NUMBERED]} for _ in range(2)]
    parts = split(SourceFile("acts.json", json.dumps(laws).encode(), hints={"jurisdiction": "zm"}))
    assert list(parts) == ["law-1", "law-2"]
    assert [part.hints["jurisdiction"] for part in parts.values()] == ["zm", "zm"]
    assert [len(list(parse(part).provisions())) for part in parts.values()] == [3, 3]


def test_two_short_laws_whose_numbers_go_on_are_not_the_chapters_of_one() -> None:
    texts = [SCOPE, DUSK, FEE, "Oil is bought."]
    articles = [{"number": str(number), "text": text} for number, text in enumerate(texts, 1)]
    laws = [{"title": "Lamps Act", "articles": articles[:2]}, {"title": "Boats Act", "articles": articles[2:]}]
    assert list(split(SourceFile("acts.json", json.dumps(laws).encode()))) == ["lamps-act", "boats-act"]


def test_rows_that_count_from_a_later_number_on_are_no_law() -> None:
    def rows(first: int) -> bytes:
        return json.dumps(
            [{"no": number, "text": f"{DUSK} It is lamp {number}."} for number in range(first, first + 6)]
        ).encode()

    assert [node.num for node in parse(SourceFile("lamps.json", rows(1))).provisions()] == list("123456")
    with pytest.raises(UnknownFormatError):
        parse(SourceFile("lamps.json", rows(60)))
