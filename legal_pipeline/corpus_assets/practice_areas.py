"""`practice_areas`: every judgment filed under one practice area and given its place there (RAPTOR, Sarthi et al., ICLR 2024).

There is one request per judgment: its answer is stored with the hash of the request, and only another text, taxonomy or enricher causes a
new request. Not here: the taxonomy and the text of a judgment (`enrichment.practice_areas`), the trees
(`corpus_assets.practice_area_trees`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from legal_pipeline.enrichment.enricher import PracticeAreaRequest, Task, Unanswered, Usage
from legal_pipeline.enrichment.practice_areas import Leaf, leaf_of, practice_areas
from legal_pipeline.errors import LanguageModelError, LegalPipelineError
from legal_pipeline.model import identity
from legal_pipeline.processing.enrichment import Answered, Row, generator_of
from legal_pipeline.processing.stage import AssetKey, Batch, Resources
from legal_pipeline.registry.practice_area_leaves import Due, PracticeAreaLeaves
from legal_pipeline.stages import chunks

KEY: AssetKey = ("practice_areas",)


@dataclass
class Filing:
    """The result. `areas` are those in which a leaf was added, changed or removed; `failed` maps judgments without chunks to the reason;
    `stopped` is the error that ended the requests early, after all answered judgments were filed."""

    looked_at: int = 0
    asked: int = 0
    areas: set[str] = field(default_factory=set)
    removed: tuple[str, ...] = ()
    unanswered: tuple[Unanswered, ...] = ()
    failed: dict[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    stopped: LanguageModelError | None = None


def file_judgments(resources: Resources, *, everything: bool = False) -> Filing:
    """File the judgments that were processed since the last call (`everything`: all judgments), and remove those that no longer exist.

    Does nothing if the settings leave summaries out: without them there are no trees.
    """
    filing = Filing()
    batch = Batch([], resources)
    generator = generator_of(batch, "summaries", Task.CLASSIFY_PRACTICE_AREA)
    if generator is None:
        return filing
    leaves = PracticeAreaLeaves(resources.registry.database)
    filing.removed = tuple(leaves.gone())
    filing.areas.update(leaves.forget(filing.removed))
    areas = practice_areas()
    due = leaves.due(everything=everything)
    filing.looked_at = len(due)
    before = {known.document_id: known for known in leaves.filed(ids=[leaf.document_id for leaf in due])}

    def file(judgment: Due, leaf: Leaf, row: Row, input_hash: str, area: str) -> None:
        known = before.get(judgment.document_id)
        now = leaves.file(
            judgment, area=area, jurisdiction=row["jurisdiction"], language=row["language"], leaf_hash=leaf.hash, input_hash=input_hash,
            generator=generator.name, prompt_version=generator.version,
        )  # fmt: skip
        if known is None or (known.area, known.node, known.leaf_hash) != (now.area, now.node, now.leaf_hash):
            filing.areas |= {now.area} | ({known.area} if known is not None else set())

    waiting: dict[str, tuple[Due, Leaf, Row, str]] = {}
    requests = []
    for judgment in due:
        try:
            rows = chunks.load(batch, judgment.document_id)
            if not rows:
                raise LegalPipelineError("it has no chunks")
        except LegalPipelineError as error:
            filing.failed[judgment.document_id] = str(error)
            continue
        leaf, first = leaf_of(rows), rows[0]
        input_hash = identity.input_hash(KEY, str(generator), areas, leaf.title, first["language"], leaf.text)
        known = before.get(judgment.document_id)
        if known is not None and known.input_hash == input_hash:
            file(judgment, leaf, first, input_hash, known.area)
        else:
            waiting[judgment.document_id] = judgment, leaf, first, input_hash
            requests.append(
                PracticeAreaRequest(judgment.document_id, leaf.title, first["language"], leaf.text, areas)
            )  # fmt: skip
    asked = Answered.of(lambda wanted: resources.enricher.classify_practice_area(wanted), requests)
    for document_id, answers in asked.answers.items():
        file(*waiting[document_id], answers[-1].label)
    filing.asked = len(requests)
    filing.unanswered = tuple(request for found in asked.unanswered.values() for request in found)
    filing.usage = sum(asked.usage.values(), Usage())
    filing.stopped = asked.stopped
    return filing
