"""A small index of our own for tests that ask it questions: a law with three wordings, one with a pending amendment, a text that cites, a
firm's note, a text that must not be handed on, one full of markup and one written from right to left. Not here: the tests.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource

LAW, ROAD, CITING, NOTE, WITHHELD = "se-sfs-2099-10", "se-sfs-2024-7", "se-sfs-2099-11", "firm-note", "kept-back"
HOSTILE, ARABIC = "hostile", "arabic"

FIRST, SECOND, THIRD = (
    "Vid dimma ska mistluren ljuda.",
    "Vid dimma ska mistluren ljuda tre gånger.",
    "Vid dimma ska mistluren ljuda fyra gånger i minuten.",
)
WORDINGS = (("2001-01-01", FIRST), ("2010-06-01", SECOND), ("2020-06-01", THIRD))

_LAW = "Lag (2099:10) om fyrvakter\n\n1 § En fyrvakt ska vara vaken.\n\n2 § Fyren ska tändas i skymningen.\n\n3 § {third}\n"
_CITING = """Lag (2099:11) om tillsyn över fyrar

1 § Lotsen utövar tillsyn över att 3 § lagen (2099:10) om fyrvakter följs.

2 § Beslut enligt denna lag får överklagas.
"""
_ROAD = """Lag (2024:7) om skötsel av enskild väg

1 § Denna lag gäller skötsel av enskild väg.

2 § Vägföreningen ska hålla vägen framkomlig under hela året.
"""
_AMENDING = (
    "Svensk författningssamling SFS 2025:10 Lag om ändring i lagen (2024:7) om skötsel av enskild väg; Utfärdad den 6 februari 2025 "
    "Enligt riksdagens beslut föreskrivs att 2 § lagen (2024:7) om skötsel av enskild väg ska ha följande lydelse. "
    "2 § Vägföreningen ska hålla vägen framkomlig under hela året. Föreningen får ta ut avgift. "
    "Denna lag träder i kraft den 1 mars 2025. På regeringens vägnar ANNA EK Bo Alm (Landsbygdsdepartementet)"
)
_NOTE = "# Råd om mistlurar\n\nByråns hemliga råd: mistluren enligt 3 § lagen (2099:10) om fyrvakter provas varje måndag före gryningen.\n"
_KEPT_BACK = (
    "# Handbok om mistlurar\n\nHandbokens skyddade text: mistluren smörjs med talg och blåses ren efter varje dimma.\n"
)
_HOSTILE = """# <script>alert('title')</script> "lyktor"

## <img src=x onerror="alert('heading')"> {{ 7 * 7 }}

Lyktan <script>document.title = 'owned'</script> ska brinna. <a href="javascript:alert('link')">Mer</a> & mer.
"""
_ARABIC = """# قانون المنارات

## المادة 1

يجب أن يبقى المصباح مضاء طوال الليل.
"""

#: Ours too: the sample that `legal-pipeline demo` runs.
_SAMPLE = Path(__file__).resolve().parent.parent / "data/sample/in/judgment-keeper-v-lights-board.txt"
_NOTES = {"jurisdiction": "se", "language": "swe"}
_BESIDE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("tillsyn.txt", _CITING, {"source_url": "https://laws.example/2099/11", "licence": "CC0"}),
    ("enskild.txt", _ROAD, {}),
    ("andring.txt", _AMENDING, {}),
    (f"{NOTE}.md", _NOTE, {**_NOTES, "document_id": NOTE, "metadata": {"audience": "firm-a"}}),
    (f"{WITHHELD}.md", _KEPT_BACK, {**_NOTES, "document_id": WITHHELD, "may_export": False}),
    (
        f"{HOSTILE}.md",
        _HOSTILE,
        {**_NOTES, "document_id": HOSTILE, "source_url": "javascript:alert('source')", "licence": "<i>x</i>"},
    ),
    (f"{ARABIC}.md", _ARABIC, {"jurisdiction": "ae", "language": "ara", "document_id": ARABIC}),
)


def write_law(folder: Path, day: str, third: str) -> None:
    """The law as it reads from `day` on."""
    (folder / "fyr.txt").write_text(_LAW.format(third=third), "utf-8")
    (folder / "fyr.txt.meta.json").write_text(json.dumps({"as_of_date": day}), "utf-8")


def run(pipeline: Pipeline, folder: Path) -> None:
    """Look at the folder and run what is new in it."""
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    failures = [event for event in pipeline.run(found.to_run) if isinstance(event, Failed)]
    assert not failures, failures


def make_index(settings: Settings, folder: Path) -> None:
    """Index the texts of this module from `folder`, the law in its wordings one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(_SAMPLE, folder)
    (folder / f"{_SAMPLE.name}.meta.json").write_text(json.dumps({"jurisdiction": "in"}), "utf-8")
    for name, text, sidecar in _BESIDE:
        (folder / name).write_text(text, "utf-8")
        if sidecar:
            (folder / f"{name}.meta.json").write_text(json.dumps(sidecar), "utf-8")
    with Pipeline.open(settings) as pipeline:
        for day, third in WORDINGS:
            write_law(folder, day, third)
            run(pipeline, folder)


@contextlib.contextmanager
def own_database(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    """The URL of a copy of `template`, for longer than one test."""
    name = f"test_{os.getpid()}_{uuid.uuid4().hex}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template} strategy file_copy".encode())
        try:
            yield postgres.url.replace("@/postgres?", f"@/{name}?")
        finally:
            connection.execute(f"drop database if exists {name} with (force)".encode())
