"""What is installed without a word of configuration: English with one model, every other language with another."""

from __future__ import annotations

from pathlib import Path

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.indexed_laws import LAW, make_index


def test_the_default_finds_by_meaning_in_english_and_in_another_language(settings: Settings, tmp_path: Path) -> None:
    configured = load_settings(
        home=settings.home,
        database_url=settings.database_url_text,
        embedding_model=Settings.model_fields["embedding_model"].default,
        stores="qdrant",
        enrich="none",
        qdrant_url=None,
    )
    make_index(configured, tmp_path / "laws")
    with Pipeline.open(configured) as pipeline:
        assert "all-MiniLM-L6-v2" in pipeline.resources.embedders.name
        assert "multilingual-e5-small" in pipeline.resources.embedders.name
        # no word of the questions stands in the provisions
        swedish = pipeline.search("Hur många gånger tutar man när sikten är dålig?", limit=3)
        assert LAW in {hit.document_id for hit in swedish}
        english = pipeline.search(
            "Must a man pay a penalty when he ran out of fuel through no fault of his own?", limit=3
        )
        assert any(hit.document_id.startswith("in-") for hit in english)
