"""Generated documents of every family: whatever stands in whatever order, spans nest, parsing is repeatable, and chunks cover the text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.errors import ConfigurationError, EmptyDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.parsing.invariants import check_invariants
from legal_pipeline_tests.parsing.samples import SAMPLES

#: For each family: the sample whose running text is replaced, the words at which it is replaced, and lines that its parser gives a meaning.
FAMILIES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "se": ("swedish_page", "1 § Denna lag gäller den som vaktar en fyr.", (
        "2 kap. Vakten", "3 §  En fyr ska lysa.", "3 a § Vakten ska\n1. vaka, och\n2. sova.", "4 § Har upphävts genom lag (2099:7).",
        "/Upphör att gälla U:2101-01-01/", "Om oljan", "a) i mörker", "- i dimma", "AVD. II OM OLJA", "Bilaga 1", "Lag (2099:8).",
        "Övergångsbestämmelser", "2099:9", "5 §§ samt 9 kap. 3 §.")),
    "in": ("indian_markdown", "This Act may be called the Lighthouse Act, 2099.", (
        "## Section 3 - Oil.", "(1) The keeper shall—", "(a) fill the lamp;", "(i) at dusk;", "Provided that no oil is spilt.",
        "Explanation.—Oil includes fat.", "Illustrations", "^2[substituted] words", "### Footnotes", "2. Ins. by Act 4 of 2101.",
        "* * * * *", "“oil” means oil;", "THE SCHEDULE")),
    "fr": ("french_markdown", "Le gardien allume la lampe à la tombée de la nuit.", (
        "##### Article 2", "Article L3-1", "## Titre II - De l'huile", "### Chapitre Ier", "1° L'huile ;", "a) La mèche ;", "I. - Le feu.",
        "(Abrogé)", "| a | b |", "ANNEXE")),
    "us": ("ecfr_xml", "(a) The lamp is lit—", (
        "(b) Oil.", "(1) Fat.", "(i) Wick.", "(A) Glass.", "(aa) Brass.", "Definition. Oil means fat.", "[Reserved]",
            "See § 7.2 of this part.")),
    "tagged": ("tagged_text", "The keeper must light the lamp at dusk.", (
        "■ A new block.", "[Para 4]", "[Paras 5 to 7]", "[para 8 ]", "- an item", "SUMMARY", "No tag at all.")),
    "judgment": ("judgment_text", "1. Leave granted.", (
        "2.", "3. The board appeals.", "(i) first ground", "FACTS", "ISSUES", "Held:", "ORDER", "Page 2 of 7", "[4] Numbered.",
            "B. Lamp, J. (dissenting)",
        "“A quotation from another case.”", "The appeal is dismissed.")),
}  # fmt: skip


@st.composite
def document(draw: st.DrawFn, family: str) -> bytes:
    sample, place, lines = FAMILIES[family]
    drawn = draw(
        st.lists(
            st.sampled_from((*lines, "The lamp is lit at dusk, and the keeper is awake.")), min_size=1, max_size=25
        )
    )
    glue = "</P><P>" if sample.endswith("_xml") else draw(st.sampled_from(("\n\n", "\n")))
    text = SAMPLES[sample].decode("utf-8")
    assert place in text
    return text.replace(place, glue.join((place, *drawn))).encode("utf-8")


def check(data: bytes, name: str) -> None:
    try:
        found = parse(SourceFile(name, data))
    except EmptyDocumentError:
        return
    check_invariants(found)
    assert parse(SourceFile(name, data)).dumps() == found.dumps()
    check_chunks(found)


def check_chunks(found: Document) -> None:
    (chunked,) = chunk_batch([found], RouterOptions())
    if isinstance(chunked, ConfigurationError):
        return  # no structure is left: cut by meaning
    assert not isinstance(chunked, Exception), repr(chunked)
    assert not gaps(found.text, [span for row in chunked.chunks for span in row.spans], chunked.exclusions)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_generated_documents_keep_every_promise(family: str) -> None:
    @examples(60)
    @given(document(family))
    def run(data: bytes) -> None:
        check(data, f"generated {family}")

    run()


_PIECES = (
    "(1)",
    "(2)",
    "(a)",
    "(i)",
    "Provided that",
    "“lamp” means fire;",
    "[paragraph repealed by Act 2 of 2101 ]",
    "The lamp is lit.",
    "and",
)


@examples(60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["1", "2", "2A", "3"]), st.lists(st.sampled_from(_PIECES), max_size=30)),
        min_size=1,
        max_size=5,
    )
)
def test_generated_zimbabwean_json_keeps_every_promise(sections: list[tuple[str, list[str]]]) -> None:
    data = json.loads(SAMPLES["zimbabwean_json"])
    # the first one stands whatever is repealed: a document without any chunk is an error, and rightly so
    data["provisions"] = data["provisions"][:1] + [
        {"provision_ref": f"s{num}", "section": num, "title": "Lamps", "content": f"{num}. Lamps {' '.join(words)}"}
        for num, words in sections
    ]
    check(json.dumps(data).encode("utf-8"), "generated zw")
