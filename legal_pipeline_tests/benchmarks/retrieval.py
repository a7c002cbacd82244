"""The retrieval figures of docs/evaluation/results.md, which `python -m legal_pipeline_tests.documentation evaluation` writes.

What `legal-pipeline evaluate` measures, on the folders of the corpus that are named here: texts in one version each, small enough for an
hour of one core. Other chunkers are measured where the extra `benchmarks` is installed. Not a test.
"""

from __future__ import annotations

import sys
from pathlib import Path

from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.evaluation.command import Measurement
from legal_pipeline.evaluation.datasets import Choice
from legal_pipeline.evaluation.names import DatasetName
from legal_pipeline.evaluation.run import Evaluation
from legal_pipeline.settings import load_settings

#: Statutes of four jurisdictions and a constitution; the judgments of AILA ask and are not indexed.
SOURCES = (
    "in/acts_json", "in/indiacode_md", "zw/akn_html", "se/canonical_html", "se/rkrattsbaser_html", "se/agency/*.html",
    "histories/fr_constitution_1958",
)  # fmt: skip
ASKING = "eval/aila2019"
LONGEST = 250_000


def evaluation(corpus: Path) -> Evaluation:
    """The figures of the citation queries, with both halves."""
    settings = load_settings()
    measurement = Measurement(
        DatasetName.CITATIONS,
        (*statutes(corpus), corpus / ASKING),
        Choice(longest=LONGEST),
        model=settings.embedding_model,
        options=BackendOptions(precision="bfloat16"),
        cache=settings.home / "evaluation",
    )
    return measurement.run(lambda line: print(line, file=sys.stderr))


def statutes(corpus: Path) -> tuple[Path, ...]:
    return tuple(path for pattern in SOURCES for path in sorted(corpus.glob(pattern)))
