"""The version of the code that makes each asset, combined from version numbers that are raised by hand when results change.

Not here: models and settings. They are in the input hash of a table, and the nightly reconciliation requests runs for stale tables.
"""

from __future__ import annotations

from legal_pipeline.chunking import cited_places
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import ROUTER_VERSION
from legal_pipeline.enrichment import raptor
from legal_pipeline.model import identity
from legal_pipeline.model.document import MODEL_VERSION
from legal_pipeline.parsing import registry as parsing
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.stages import (
    canonical_documents,
    chunks,
    cross_references,
    provision_versions,
    raptor_summaries,
    superseded_chunks,
)

#: The version of an asset whose code has no version number: it only passes on its inputs.
FIRST = "1"


def code_versions() -> dict[AssetKey, str]:
    """Return the versions by asset; assets that are not listed have `FIRST`.

    Computed on each call, because a parser's version may be raised.
    """
    parsers = {name: format.version for name, format in parsing.formats().items()}
    strategies = {name: strategy.version for name, strategy in STRATEGIES.items()}
    return {
        canonical_documents.KEY: _digest(MODEL_VERSION, parsing.VERSION, parsers),
        chunks.KEY: _digest(ROUTER_VERSION, strategies, cross_references.VERSION, cited_places.VERSION),
        cross_references.KEY: cross_references.VERSION,
        provision_versions.KEY: provision_versions.VERSION,
        raptor_summaries.KEY: raptor.VERSION,
        superseded_chunks.KEY: superseded_chunks.VERSION,
    }


def _digest(*versions: object) -> str:
    return identity.input_hash(*versions)[:12]
