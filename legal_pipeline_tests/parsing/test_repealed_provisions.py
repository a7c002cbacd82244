"""Provisions that only say that they were repealed, in several languages and readers. Own texts."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline.parsing.registry import parse

_ENGLISH = """THE LANTERN ACT, 2031

An Act about lanterns.

1. Short title

This Act may be cited as the Lantern Act, 2031.

2. [Repealed by Act 5 of 2040]

3. Duties of keepers

A keeper shall light the lantern at dusk.

4. Repealed

5. Repeals

Repealed by this section are the Torch Acts. Torches remain the property of keepers.

6. Fees

[Omitted by section 3 of Act 2 of 2035]

7. Offences

Who puts out a lantern commits an offence.
"""
_GERMAN = """# Laternengesetz

## § 1 Zweck

Dieses Gesetz regelt die Laternen der Häfen und ihre Pflege.

## § 2 (aufgehoben)

## § 3 Wärter

(aufgehoben durch Gesetz vom 3. Mai 2031)

## § 4 Aufgehobene Vorschriften

Aufgehoben werden die Vorschriften über Fackeln.
"""
_SWEDISH = """# Lyktlag (2031:7)

## 1 §

Lyktan ska tändas i skymningen av den som vaktar hamnen.

## 2 §

Har upphävts genom lag (2040:5).

## 3 §

Lyktor som har upphävts genom lag får inte tändas.
"""
_FINNISH = """# Lyhtylaki

## 1 §

Lyhty on sytytettävä hämärässä satamassa, ja vartija huolehtii siitä.

## 2 §

2 § on kumottu L:lla 3.5.2031/7.

## 3 §

Tällä lailla kumottuja säännöksiä sovelletaan lyhtyihin.
"""


def repealed(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type in PROVISIONS and node.status == "repealed"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lantern.txt", _ENGLISH, ["2", "4", "6"]),
        ("laternen.md", _GERMAN, ["2", "3"]),
        ("lyktor.md", _SWEDISH, ["2"]),
        ("lyhdyt.md", _FINNISH, ["2"]),
    ],
)
def test_a_provision_that_only_says_so_is_repealed(name: str, text: str, expected: list[str]) -> None:
    assert repealed(parse(SourceFile(name, text.encode()))) == expected


def test_a_remark_with_law_behind_it_is_law() -> None:
    text = _ENGLISH.replace(
        "[Repealed by Act 5 of 2040]", "Repealed by Act 5 of 2040. Fees that are due remain payable."
    )
    assert repealed(parse(SourceFile("lantern.txt", text.encode()))) == ["4", "6"]


def test_the_words_are_data_of_most_languages_of_the_union() -> None:
    stated = [code for code in known_languages() if language(code).section("repealed")]
    assert len(stated) >= 25
    for code in stated:
        assert set(language(code).section("repealed")) == {"words", "by"}
