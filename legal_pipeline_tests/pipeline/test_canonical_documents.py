"""The text that a document is made from: what a sidecar adds to it, and which shorter text takes its place."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import TruncatedDocumentError
from legal_pipeline.pipeline import ASSETS
from legal_pipeline.stages import canonical_documents
from legal_pipeline.stages.canonical_documents import read_document
from legal_pipeline_tests.pipeline.conftest import Bench

UP_TO_TEXT = ASSETS[: ASSETS.index(canonical_documents.KEY) + 1]

HEAD = """SFS nr: 2099:10
Departement/myndighet: Fyrdepartementet
Utfärdad: 2099-03-07
Ändrad: t.o.m. SFS 2099:44
Rubrik: Lag (2099:10) om fyrvakter

1 § En fyrvakt ska vara vaken.
"""

SECTION = "2 § Fyren ska tändas i skymningen och vaktas hela natten"
REST = (
    "\n\n3 § Vid dimma ska mistluren ljuda var femte minut, och vakten ska föra bok över hur länge som den har ljudit."
)


def test_what_a_text_states_wins_over_its_sidecar_which_adds_the_rest() -> None:
    said = {"quality_score": 0.1, "shelf": "12"}
    hints = {"metadata": said, "strategy": "semantic", "profile": "rightline"}
    document = read_document([SourceFile("fyr.txt", HEAD.encode(), hints=hints)])
    assert (document.metadata["quality_score"], document.metadata["shelf"]) == (1.0, "12")
    assert (document.metadata["forced_strategy"], document.metadata["profile"]) == ("semantic", "rightline")
    plain = read_document([SourceFile("fyr.txt", HEAD.encode())])
    assert not {"shelf", "forced_strategy", "profile"} & plain.metadata.keys()


@pytest.mark.parametrize(
    ("before", "now", "is_refused"),
    [
        (f"{SECTION} med den lampa som hör till den.{REST}", SECTION, True),
        (f"{SECTION} med den lampa som hör till den.", SECTION, False),
        (f"{SECTION}. Den får släckas när det är ljust.{REST}", f"{SECTION}.", False),
        (f"{SECTION}{REST}", SECTION, False),
        (f"{SECTION} med den lampa som hör till den.{REST}", SECTION.replace("natten", "dygnet"), False),
    ],
    ids=["inside a paragraph", "a few words less", "at the end of a sentence", "between paragraphs", "another text"],
)
def test_a_text_is_cut_off_only_where_much_is_missing_inside_a_paragraph(
    bench: Bench, before: str, now: str, is_refused: bool
) -> None:
    for text in (before, now):
        bench.write("fyr.txt", f"{HEAD}\n{text}\n")
        bench.events = list(bench.pipeline.run(bench.register().to_run, UP_TO_TEXT))
    assert [type(error) for error in bench.failures.values()] == ([TruncatedDocumentError] if is_refused else [])
