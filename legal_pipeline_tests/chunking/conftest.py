"""Statutes written by hand for the chunkers. Not here: real texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.writer import StatuteWriter

Write = Callable[[StatuteWriter], None]


def statute(
    write: Write, title: str = "Lag (2099:10) om fyrvakter", number: str = "SFS 2099:10", doc_type: str = "act"
) -> Document:
    """A Swedish statute as a parser would hand it over; `write` says what stands in it."""
    builder = DocumentBuilder()
    writer = StatuteWriter(builder)
    write(writer)
    writer.finish()
    return builder.document(
        SourceFile("fyrvakter.html", b"not read by a chunker"),
        document_id="se-sfs-2099-10",
        title=title,
        number=number,
        jurisdiction="se",
        doc_type=doc_type,
        language="swe",
    )


@pytest.fixture
def lighthouse_act() -> Document:
    """Two chapters, a group heading, marks, a repealed §, two wordings of one §, a bilaga and övergångsbestämmelser."""

    def write(writer: StatuteWriter) -> None:
        writer.chapter("1", "Inledande bestämmelser", "1 kap. Inledande bestämmelser")
        writer.heading("Lagens syfte")
        writer.section("1 §")
        writer.stycke("Denna lag gäller den som vaktar en fyr.")
        writer.section("2 §")
        writer.stycke("En fyrvakt ska")
        writer.item("1.", "tända fyren i skymningen, och")
        writer.item("2.", "släcka den i gryningen. Lag (2099:55).")
        writer.section("2 a §")
        writer.stycke("Har upphävts genom lag (2099:56).")
        writer.chapter("2", "Bemanning", "2 kap. Bemanning")
        writer.heading("Antalet fyrvakter")
        writer.section("1 §")
        writer.stycke("/Upphör att gälla U:2101-01-01/ Varje fyr ska ha två fyrvakter.")
        writer.section("1 §")
        writer.stycke("/Träder i kraft I:2101-01-01/ Varje fyr ska ha tre fyrvakter.")
        writer.section("2 §")
        writer.stycke("Fyrmästaren leder arbetet.")
        writer.transitional("Övergångsbestämmelser")
        writer.transitional_act("2099:10")
        writer.item("1.", "Denna lag träder i kraft den 1 juli 2099.")
        writer.item("2.", "Äldre vakter får stanna kvar till årets slut.")
        writer.schedule("1", None, "Bilaga 1")
        writer.table([["Fyr", "Höjd"], ["Gråskär", "31 m"]])

    return statute(write)
