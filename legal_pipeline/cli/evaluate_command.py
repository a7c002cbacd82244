"""`legal-pipeline evaluate`: its options, and the call of the measurement.

Not here: the measurement (`evaluation`) and its output (`presentation`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from legal_pipeline.cli.options import Json
from legal_pipeline.evaluation.names import DatasetName, Half
from legal_pipeline.system.terminal import say


def evaluate(
    dataset: Annotated[DatasetName, typer.Argument(help="The dataset: its queries and their known answers.")],
    paths: Annotated[list[Path], typer.Argument(help="Files and folders that the dataset is made of.")],
    half: Annotated[
        Half | None, typer.Option(help="dev: the half that choices are made on; test: the other. Default: both.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides which queries are drawn, the halves and the intervals.")] = 7,
    queries: Annotated[int, typer.Option(min=1, help="Queries of one language, at most.")] = 400,
    per_document: Annotated[int, typer.Option(min=1, help="Queries from one document, at most.")] = 40,
    longest: Annotated[int | None, typer.Option(min=1, help="Leave out documents with more characters.")] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(help="Measure every document cut by this strategy too (repeatable).")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(help="Measure only the system with this name, as in the first column of the tables (repeatable)."),
    ] = None,
    bfloat16: Annotated[
        bool, typer.Option("--bfloat16", help="Embed in half precision: twice as fast where the processor can.")
    ] = False,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that keeps the vectors. Default: `evaluation` in the home.")
    ] = None,
    queries_out: Annotated[Path | None, typer.Option(help="Write the queries and their answers as JSON lines.")] = None,
    judged_out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for corpus, queries, relevance judgments (BEIR, TREC qrels) and TREC runs of each system."
        ),
    ] = None,
    fit: Annotated[
        Path | None,
        typer.Option(
            help="Fit the weights of vector ranks on these queries and write them to this JSON file, instead of measuring."
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a plot of the results to this PNG file.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="The tables in markdown.")] = False,
    as_json: Json = False,
) -> None:
    """Measure retrieval: our chunks, with one layer after another, and other chunkers, with the same model, store and queries.

    Touches no store of the pipeline. Other chunkers need the extra `benchmarks`; without it the rest is measured.
    """
    from dataclasses import replace

    from legal_pipeline.cli.presentation import print_evaluation, print_fitted
    from legal_pipeline.embedding.registry import options_of
    from legal_pipeline.evaluation.command import Measurement
    from legal_pipeline.evaluation.datasets import Choice
    from legal_pipeline.jurisdictions.jurisdiction import add_configured
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.raw_documents import limits

    settings = load_settings()
    add_configured(settings)
    measurement = Measurement(
        dataset=dataset,
        paths=tuple(paths),
        choice=Choice(seed, per_document, queries, longest),
        half=half,
        strategies=tuple(strategy or ()),
        systems=tuple(system or ()),
        model=settings.embedding_model,
        options=replace(options_of(settings), precision="bfloat16") if bfloat16 else options_of(settings),
        cache=cache or settings.home / "evaluation",
        limits=limits(settings),
        judged_files=judged_out,
    )
    if fit is not None:
        print_fitted(measurement.fit(fit, report=lambda line: say(line, error=True)), as_json=as_json)
        return
    found = measurement.run(report=lambda line: say(line, error=True))
    print_evaluation(found, as_json=as_json, markdown=markdown, plot=plot, queries=queries_out)
