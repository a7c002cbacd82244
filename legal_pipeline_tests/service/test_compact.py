"""Answers for language models: what is left out, and how they are shortened. Not here: the tools that give them (`test_mcp`)."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from legal_pipeline.service.compact import compact
from legal_pipeline.text.tokens import count_tokens


class _Lamp(BaseModel):
    text: str | None = None
    heights: list[int] = []
    resolved: bool = False
    is_rewritten: bool = False
    path: str = "Section 3"
    count: int = 0
    inner: dict[str, Any] = {}


class _Lamps(BaseModel):
    lamps: list[_Lamp]


def compacted(answer: BaseModel, most_tokens: int = 10_000) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(compact(answer, most_tokens))
    assert found.pop("notice")
    return found


def test_empty_fields_and_usual_flags_are_left_out_and_other_falsehoods_stay() -> None:
    assert compacted(_Lamp()) == {"resolved": False, "count": 0}
    assert compacted(_Lamp(text="lit", is_rewritten=True, inner={"path": "x", "eid": None})) == {
        "text": "lit",
        "resolved": False,
        "is_rewritten": True,
        "count": 0,
    }


def test_a_list_that_is_shortened_several_times_says_how_many_items_are_left_out() -> None:
    short = compacted(_Lamp(heights=list(range(1000, 2000))), 200)
    kept = short["heights"]
    assert kept == list(range(1000, 1000 + len(kept)))
    assert 1 < len(kept) < 250
    assert short["left_out"] == {"heights": 1000 - len(kept)}


def test_the_longest_list_is_shortened_first_and_texts_only_when_no_list_can_be() -> None:
    lamp_of_lists = _Lamp(heights=[1, 2, 3], inner={"words": ["lit"] * 500})
    short = compacted(lamp_of_lists, 200)
    assert (short["heights"], "left_out" in short) == ([1, 2, 3], False)
    assert short["inner"]["left_out"]["words"] == 500 - len(short["inner"]["words"])
    lamps = [_Lamp(text=f"{number}. " + "The lamp burns. " * 60) for number in range(4)]
    short = compacted(_Lamps(lamps=lamps), 400)
    assert short["left_out"] == {"lamps": 3}
    (lamp,) = short["lamps"]
    assert lamp["text"] == lamps[0].text
    shorter = compact(_Lamps(lamps=lamps), 150)
    assert count_tokens(shorter) <= 150
    text = json.loads(shorter)["lamps"][0]["text"]
    assert text.endswith(" [cut]")
    assert text.count("[cut]") == 1
    assert str(lamps[0].text).startswith(text.removesuffix(" [cut]"))


def test_the_list_with_most_text_is_shortened_and_not_the_one_with_most_items() -> None:
    few_long = ["The lamp burns at night. " * 40] * 4
    short = compacted(_Lamp(heights=list(range(50)), inner={"words": few_long}), 700)
    assert short["heights"] == list(range(50))
    assert short["inner"]["left_out"] == {"words": 2}


def test_of_several_texts_the_longest_is_cut_and_one_of_a_few_lines_never() -> None:
    note = "The horn sounds in fog. " * 8
    short = compacted(_Lamp(text="The lamp burns. " * 200, inner={"note": note}), 300)
    assert short["inner"] == {"note": note}
    assert short["text"].endswith(" [cut]")
    assert compacted(_Lamp(inner={"note": note[:200]}), 10)["inner"] == {"note": note[:200]}
