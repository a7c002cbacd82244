"""`retrieval_evaluation`: how well the present index finds provisions, compared with other ways to chunk the same documents.

Made only on request: it embeds the corpus once per way of chunking. Not here: datasets, figures and plots (`evaluation`).
"""

# no `from __future__ import annotations`: Dagster compares the type of `context` with its own classes
from typing import Any

from dagster import AssetExecutionContext, AssetKey, Config, MaterializeResult, MetadataValue, asset
from pydantic import Field

from legal_pipeline.defs.corpus_assets import GROUP
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation import report
from legal_pipeline.evaluation.command import Measurement
from legal_pipeline.evaluation.datasets import Choice, made_of
from legal_pipeline.evaluation.documents import choose
from legal_pipeline.evaluation.metrics import METRICS, Ranked
from legal_pipeline.evaluation.names import DatasetName
from legal_pipeline.evaluation.run import Evaluation, Live, Mode
from legal_pipeline.model.document import Document
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.listing import document_ids
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.stages import canonical_documents, chunks, qdrant_chunks

#: Name of the index among the systems that are built for the comparison.
AS_INDEXED = "as indexed"


class EvaluationConfig(Config):
    """The size of the evaluation; the defaults take minutes for a hundred documents, and hours for ten thousand."""

    seed: int = Field(7, description="Decides which queries are drawn, and the intervals.")
    queries: int = Field(200, ge=1, description="Queries of one language, at most.")
    per_document: int = Field(20, ge=1, description="Queries from one document, at most.")
    longest: int = Field(250_000, ge=1, description="Documents with more characters are left out.")


@asset(
    deps=[AssetKey(qdrant_chunks.KEY)],
    group_name=GROUP,
    required_resource_keys={"pipeline"},
    description="Recall, MRR, nDCG and document mismatch of the index and of other chunkers, on queries made of the corpus itself.",
)
def retrieval_evaluation(context: AssetExecutionContext, config: EvaluationConfig) -> MaterializeResult[None]:
    choice = Choice(config.seed, config.per_document, config.queries, config.longest)
    with context.resources.pipeline.open() as pipeline:
        found = evaluations(pipeline, choice, context.log.info)
    return MaterializeResult(
        metadata={key: value for evaluation in found for key, value in _metadata(evaluation).items()}
    )


def evaluations(pipeline: Pipeline, choice: Choice, log: Any = lambda _: None) -> list[Evaluation]:
    """Return evaluations on citations and on definitions, as far as the documents have them.

    Raises `ConfigurationError` if they have neither.
    """
    settings = pipeline.resources.settings
    documents, live = _indexed(pipeline, choice)
    found = []
    for name in (DatasetName.CITATIONS, DatasetName.DEFINITIONS):
        dataset = made_of(name, documents, choice)
        if dataset.queries:
            measurement = Measurement(
                name, (), choice, model=settings.embedding_model, cache=settings.home / "evaluation"
            )
            found.append(measurement.of(dataset, log, [live]))
    if not found:
        raise ConfigurationError(
            "the indexed documents neither cite each other's provisions nor define terms: no queries"
        )
    return found


def _indexed(pipeline: Pipeline, choice: Choice) -> tuple[tuple[Document, ...], Live]:
    """Return the documents that have chunks, and the search over them as users have it."""
    ids = document_ids(pipeline.registry.database)
    batch = Batch(ids, pipeline.resources)
    chunked = [document_id for document_id in ids if batch.table_stamp(chunks.KEY, document_id) is not None]
    documents = choose(
        (canonical_documents.load(batch, document_id) for document_id in chunked), longest=choice.longest
    ).documents
    hits: dict[str, Ranked] = {}
    for document in documents:
        for row in chunks.load(batch, document.document_id):
            spans = tuple((start, end) for start, end in row["spans"])
            hits[row["chunk_id"]] = Ranked(document.document_id, spans, row["num_tokens"])

    def search(query: str, limit: int) -> list[Ranked]:
        return [ranked(hit) for hit in pipeline.search(query, limit=limit)]

    def ranked(hit: Hit) -> Ranked:
        # a hit that is not a chunk is a summary: it belongs to a document and to no provision
        if hit.chunk_id not in hits:
            return Ranked(hit.document_id, (), 0, verbatim=False)
        found = [
            hits[chunk_id]
            for chunk_id in (hit.chunk_id, *(beside.chunk_id for beside in hit.neighbours))
            if chunk_id in hits
        ]
        return Ranked(
            hit.document_id, tuple(span for row in found for span in row.spans), sum(row.tokens for row in found)
        )

    mode: Mode = "passages" if pipeline.resources.settings.passage_tokens else "dense + BM25"
    return documents, Live(AS_INDEXED, search, [hit.tokens for hit in hits.values()], mode)


def _metadata(found: Evaluation) -> dict[str, Any]:
    """Return tables and plot, and the figures of the index as numbers, which Dagster plots over time."""
    name = found.dataset
    shown: dict[str, Any] = {
        f"{name}": MetadataValue.md(report.markdown(found)),
        f"{name} plot": MetadataValue.md(report.plot_markdown(found)),
        f"{name} queries": len(found.queries),
    }
    for score in found.scores:
        if score.system == AS_INDEXED:
            shown |= {f"{name} {score.group} {metric}": score.figures[metric].mean for metric in METRICS}
    return shown
