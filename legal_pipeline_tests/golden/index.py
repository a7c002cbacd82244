"""An index of real texts in their wordings one after the other, and what is asked of it: what publication and search make of texts.

Its vectors are counts of words, so that no model and no processor matters; every wording has a date of its own, so that the day
of the run does not matter. Not here: the comparison.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.reading.answers import OutlineNode
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages import (
    chunks,
    context_prefixes,
    cross_references,
    provision_versions,
    quim_questions,
    superseded_chunks,
)
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.golden.documents import Entry, TextEncoder, digest, without
from legal_pipeline_tests.golden.hits import cited_queries, questions, shown

#: Place in the source -> (day, file of the corpus) of its wordings, oldest first.
_TEXTS: dict[str, tuple[tuple[str, str], ...]] = {
    "se/patentlag.txt": (
        ("2020-01-01", "histories/se_pairs/1967-837_patentlag/v001.txt"),
        ("2023-01-01", "histories/se_pairs/1967-837_patentlag/v002.txt"),
    ),
    "us/51-101.xml": (
        ("2016-09-04", "histories/us_dc_code_51-101/v001.xml"),
        ("2017-03-29", "histories/us_dc_code_51-101/v002.xml"),
        ("2020-03-29", "histories/us_dc_code_51-101/v013.xml"),
    ),
    "eu/sfdr.xhtml": (
        ("2020-07-12", "world/eu/versions/32019R2088_before.xhtml"),
        ("2024-01-09", "world/eu/versions/32019R2088_after.xhtml"),
    ),
    "ee/ps.xml": (
        ("2003-10-11", "world/ee/constitution_OLDEST_12846827.xml"),
        ("2011-07-22", "world/ee/constitution_PREV_127042011002.xml"),
        ("2015-08-13", "world/ee/constitution_115052015002.xml"),
    ),
    "se/arbetsmiljolag.html": (("2023-07-01", "se/rkrattsbaser_html/sfs-1977-1160.tom-2023-349.html"),),
    "se/semesterlag.html": (("2015-01-01", "se/rkrattsbaser_html/sfs-1977-480.tom-2014-424.html"),),
    "se/SFS2023-349.txt": (("2023-06-01", "se/amendment_pdfs/SFS2023-349.pdftext.txt"),),
    "se/SFS2025-1458.txt": (("2025-12-01", "se/amendment_pdfs/SFS2025-1458.pdftext.txt"),),
    "in/nia.json": (("2020-01-01", "in/acts_json/nia.json"),),
    "in/insc2024_10.txt": (("2024-01-10", "in/judgments_pdf/insc2024_10.pypdf.txt"),),
    "zw/zw-1998-12.json": (("2017-01-01", "zw/zimlii_json/zw-1998-12.json"),),
    "us/8cfr.txt": (("2020-01-01", "us/excerpts/8cfr_204.5_h_EXCERPT.txt"),),
    "us/COMPS-1649.xml": (("2020-01-01", "us/uslm/COMPS-1649.xml"),),
    "notes/headnote.txt": (("2024-12-01", "tagged/scr_headnote_subrata_choudhury_2024-12-SCR-1.txt"),),
    "fr/constitution.md": (("2024-03-09", "histories/fr_constitution_1958/v026.md"),),
    "uk/hra.xml": (("2020-01-01", "world/uk/sample-human-rights-1998.xml"),),
    "nl/regeling.xml": (("2023-01-01", "world/nl/sample-rijkswet.xml"),),
    "ch/verordnung.xml": (("2023-01-01", "world/ch/sample-regulation.xml"),),
}  # fmt: skip

_TABLES = (
    chunks.KEY, context_prefixes.KEY, quim_questions.KEY, cross_references.KEY, provision_versions.KEY, superseded_chunks.KEY,
)  # fmt: skip

#: Fields of the fetch and of the run.
_OF_A_RUN = frozenset({"fetched_at", "first_seen", "processed_at", "source_file", "source_url"})

#: Beside the queries of the command: provisions that these texts have, in several forms and languages.
_CITED = (
    "Article 20 of Regulation (EU) 2019/2088", "recital 10 SFDR", "art. 2(1) SFDR", "põhiseaduse § 127", "s. 6 Human Rights Act 1998",
    "section 6(1) HRA 1998", "Sch. 1 Human Rights Act 1998", "1 kap. 1 § patentlagen", "2 § patentlagen (1967:837)", "12 § semesterlagen",
    "section 138 Negotiable Instruments Act", "article 16 de la Constitution", "8 CFR 204.5(h)", "D.C. Code § 51-101",
)  # fmt: skip

#: Two of its hits are so near to each other that rounding decides.
_TIED = frozenset({"what did the court hold on bail"})

_FILTERED: tuple[tuple[str, SearchFilters], ...] = (
    ("employer", SearchFilters(jurisdictions=("us",))),
    ("employer", SearchFilters(jurisdictions=("us-dc",), as_of=date(2017, 6, 1))),
    ("patent", SearchFilters(as_of=date(2021, 1, 1))),
    ("Article 20 of Regulation (EU) 2019/2088", SearchFilters(as_of=date(2021, 1, 1))),
    ("Article 18a of Regulation (EU) 2019/2088", SearchFilters(as_of=date(2021, 1, 1))),
    ("põhiseaduse § 127", SearchFilters(as_of=date(2012, 1, 1))),
    ("bail", SearchFilters(doc_types=("judgment",))),
    ("rights", SearchFilters(languages=("eng",), chunk_types=("statutory_text",))),
    ("skyddsombud", SearchFilters(in_force=date(2024, 1, 1))),
    ("court", SearchFilters(decided_since=date(2024, 1, 1))),
)


class _Distinct(ByWords):
    """Vectors by the words of a text and, a little, by the text itself: no two texts are equally near to a third, or the last digit of a
    processor's arithmetic would decide which is before the other."""

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        found = super().embed_passages(texts)
        return replace(found, vectors=found.vectors + TextEncoder(self.dimension).encode(texts) / 50)

    embed_queries = embed_passages


def read_index(corpus: Path, settings: Settings) -> Iterator[tuple[str, Entry]]:
    """(name, entry) of every document and of every query. `settings`: of an empty home and database."""
    settings = settings.model_copy(
        update={"history": True, "enrich": "prefixes,questions", "stores": "qdrant,pgvector"}
    )
    with Pipeline.open(settings) as plain, Database.open(settings) as database:
        pipeline = Pipeline(replace(plain.resources, make_embedder=lambda _: _Distinct()), database)
        with tempfile.TemporaryDirectory() as folder:
            for wording in range(max(map(len, _TEXTS.values()))):
                _publish(pipeline, Path(folder), corpus, wording)
        reader = LawReader(pipeline)
        for listed in reader.documents(limit=len(_TEXTS)).documents:
            yield f"index: {listed.document_id}", _document(pipeline, reader, listed.document_id)
        for query in [*_CITED, *cited_queries(), *(query for query in questions() if query not in _TIED)]:
            yield f"index query: {query}", shown(pipeline.search(query, context="section", amendments=True), _OF_A_RUN)
        for query, filters in _FILTERED:
            name = ", ".join(f"{key}={value}" for key, value in asdict(filters).items() if value)
            yield f"index query: {query} [{name}]", shown(pipeline.search(query, filters=filters), _OF_A_RUN)


def _publish(pipeline: Pipeline, folder: Path, corpus: Path, wording: int) -> None:
    for place, wordings in _TEXTS.items():
        if wording < len(wordings):
            day, file = wordings[wording]
            path = folder / place
            path.parent.mkdir(exist_ok=True)
            shutil.copyfile(corpus / file, path)
            path.with_name(f"{path.name}.meta.json").write_text(json.dumps({"as_of_date": day}), "utf-8")
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    failures = [event for event in pipeline.run(found.to_run) if isinstance(event, Failed)]
    assert not failures, failures


def _document(pipeline: Pipeline, reader: LawReader, document_id: str) -> Entry:
    entry: Entry = {}
    for key in _TABLES:
        if pipeline.warehouse.exists(key, document_id):
            rows = pipeline.warehouse.read_table(key, document_id).to_pylist()
            entry["/".join(key)] = digest(without(_OF_A_RUN, rows))
    for name, store in (("qdrant", pipeline.resources.store), ("pgvector", pipeline.resources.pgvector)):
        entry[name] = digest(store.point_hashes("legal_chunks", document_id))
    for name, answer in _answers(reader, document_id):
        entry[name] = answer
    return entry


def _answers(reader: LawReader, document_id: str) -> Iterator[tuple[str, str]]:
    """Yield (question, hash of the answer, or the error) for the questions that a reader asks about the document."""
    outline = reader.outline(document_id)
    yield "outline", digest(without(_OF_A_RUN, outline.model_dump()))
    ids = list(_provisions(outline.nodes))[:3]
    asked: dict[str, Callable[[], Any]] = {
        "details": lambda: reader.document(document_id),
        "compared": lambda: reader.document_diff(document_id, date(2021, 1, 1), date(2024, 6, 1)),
        "amendments": lambda: reader.amendments_of(document_id),
        "cited_by": lambda: reader.cited_by(document_id),
        "cites": lambda: reader.cites(document_id),
        **{f"versions {id}": partial(reader.versions, id) for id in ids},
    }
    for name, ask in asked.items():
        try:
            answer = ask()
        except LegalPipelineError as error:
            yield name, f"{type(error).__name__}: {error}"[:160]
        else:
            said = [item.model_dump() for item in answer] if isinstance(answer, list) else answer.model_dump()
            yield name, digest(without(_OF_A_RUN, said))


def _provisions(nodes: Sequence[OutlineNode]) -> Iterator[str]:
    for node in nodes:
        if node.id is not None and not node.children:
            yield node.id
        yield from _provisions(node.children)
