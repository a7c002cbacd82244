"""The README's retrieval figures: `python -m legal_pipeline_tests.readme evaluation`, or as tables on standard output:
`python -m legal_pipeline_tests.benchmarks.retrieval CORPUS [dev|test]`.

What `legal-pipeline evaluate` measures, on the folders of the corpus that are named here: texts in one version each, small enough for an
hour of one core. Other chunkers are measured where the extra `benchmarks` is installed. Not a test.
"""

from __future__ import annotations

import sys
from pathlib import Path

from legal_pipeline.retrieval.evaluation import report
from legal_pipeline.retrieval.evaluation.command import Measurement
from legal_pipeline.retrieval.evaluation.datasets import Choice
from legal_pipeline.retrieval.evaluation.names import DatasetName, Half
from legal_pipeline.retrieval.evaluation.run import Evaluation
from legal_pipeline.settings import load_settings

#: Statutes of four jurisdictions and a constitution; the judgments of AILA ask and are not indexed.
SOURCES = (
    "in/acts_json", "in/indiacode_md", "zw/akn_html", "se/canonical_html", "se/rkrattsbaser_html", "se/agency/*.html",
    "histories/fr_constitution_1958",
)  # fmt: skip
ASKING = "eval/aila2019"
LONGEST = 250_000


def evaluation(corpus: Path, dataset: DatasetName, half: Half | None = None) -> Evaluation:
    """The figures of one dataset over `SOURCES`, or of the published sets."""
    paths = {
        DatasetName.CITATIONS: (*statutes(corpus), corpus / ASKING),
        DatasetName.DEFINITIONS: statutes(corpus),
        DatasetName.AILA_STATUTES: (corpus / ASKING,),
        DatasetName.AILA_CASES: (corpus / ASKING,),
        DatasetName.STATUTORY_INTERPRETATION: (corpus / "eval" / "statutory_interpretation",),
    }[dataset]
    settings = load_settings()
    measurement = Measurement(
        dataset,
        paths,
        Choice(longest=LONGEST),
        half,
        model=settings.embedding_model,
        precision="bfloat16",
        cache=settings.home / "evaluation",
    )
    return measurement.run(lambda line: print(line, file=sys.stderr))


def statutes(corpus: Path) -> tuple[Path, ...]:
    return tuple(path for pattern in SOURCES for path in sorted(corpus.glob(pattern)))


def main(corpus: Path, half: Half | None = None) -> None:
    for dataset in (DatasetName.CITATIONS, DatasetName.DEFINITIONS, DatasetName.AILA_STATUTES):
        print(report.markdown(evaluation(corpus, dataset, half)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Half(sys.argv[2]) if len(sys.argv) > 2 else None)
