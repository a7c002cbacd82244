"""Titles of Akoma Ntoso documents whose metadata has none."""

from __future__ import annotations

import pytest

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.building.source import SourceFile

_AKN3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"


def title(content: str) -> str:
    xml = f'<akomaNtoso xmlns="{_AKN3}">{content}</akomaNtoso>'
    return akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode())).title


def test_the_title_of_an_act_is_the_first_that_is_printed() -> None:
    front = "<preface><p><docTitle> </docTitle></p><p><docTitle>Canals Act</docTitle></p></preface>"
    act = f'<act name="act">{front}<body><section eId="sec_1"><num>1</num><content><p>A.</p></content></section></body></act>'
    assert title(act) == "Canals Act"
    assert title(act.replace("Canals Act", "")) == "Canal"


@pytest.mark.parametrize(
    ("language", "parties", "printed", "expected"),
    [
        ("eng", ("Barge Ltd", "Canal Board"), "Approved Judgment", "Barge Ltd v Canal Board"),
        ("eng", ("Barge Ltd", "Canal Board"), "Barge v Board (7/31)", "Barge v Board (7/31)"),
        ("eng", ("Barge Ltd",), "Approved Judgment", "Approved Judgment"),
        ("fra", ("Barge Ltd", "Canal Board"), "Approved Judgment", "Approved Judgment"),
    ],
)
def test_an_english_judgment_is_called_by_its_two_parties_if_its_title_names_none(
    language: str, parties: tuple[str, ...], printed: str, expected: str
) -> None:
    named = "".join(f"<p><party>{name}</party></p>" for name in parties)
    judgment = (
        f'<judgment><meta><identification><FRBRExpression><FRBRlanguage language="{language}"/></FRBRExpression></identification>'
        f"</meta><header>{named}<p><docTitle>{printed}</docTitle></p></header>"
        "<judgmentBody><decision><p>The toll is due.</p></decision></judgmentBody></judgment>"
    )
    assert title(judgment) == expected
