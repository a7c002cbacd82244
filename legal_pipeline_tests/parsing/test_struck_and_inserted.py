"""Struck and inserted words that stand side by side without a space stay words of their own."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words

_MARKED = "The fee is <del>ten crowns</del><ins>twenty crowns</ins> a day."
_META = (
    '<meta><identification source="#x"><FRBRWork><FRBRthis value="/akn/zw/act/2099/4/!main"/><FRBRuri value="/akn/zw/act/2099/4"/>'
    '<FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/><FRBRcountry value="zw"/></FRBRWork><FRBRExpression>'
    '<FRBRthis value="/akn/zw/act/2099/4/eng@2099-01-01/!main"/><FRBRuri value="/akn/zw/act/2099/4/eng@2099-01-01"/>'
    '<FRBRdate date="2099-01-01" name="g"/><FRBRauthor href="#x"/><FRBRlanguage language="eng"/></FRBRExpression></identification></meta>'
)


def _akn(words: str) -> SourceFile:
    return SourceFile(
        "fees.xml",
        f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act">{_META}<body><section eId="sec_1">'
        f"<num>1.</num><heading>Fee</heading><content><p>{words}</p></content></section></body></act></akomaNtoso>".encode(),
    )


def _page(words: str) -> SourceFile:
    return SourceFile("fees.html", f"<html><body><h1>Fees</h1><p>{words}</p></body></html>".encode())


@pytest.mark.parametrize("source", [_page(_MARKED), _akn(_MARKED)], ids=["html", "akn"])
def test_words_of_struck_text_do_not_glue_to_inserted_ones(source: SourceFile) -> None:
    document = parse(source)
    assert "The fee is ten crowns twenty crowns a day." in document.text
    assert lost_words(source, document) == []


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("The <ins>new</ins><del>old</del> fee.", "The new old fee."),
        ("The <s>old</s><u>new</u> fee.", "The old new fee."),
        ("The <del>old</del> and<ins>new</ins> fee.", "The old andnew fee."),
        ("The light<ins>house</ins>s.", "The lighthouses."),
        ("The fee<del>.</del><ins>, if any.</ins>", "The fee., if any."),
    ],
)
def test_a_space_comes_only_between_words_that_were_struck_and_inserted_side_by_side(words: str, read: str) -> None:
    assert read in parse(_page(words)).text
    if "<s>" not in words:
        assert read in parse(_akn(words)).text
