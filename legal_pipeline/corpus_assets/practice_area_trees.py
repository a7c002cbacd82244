"""`practice_area_trees`: a tree of summaries per practice area, whose leaves are judgments (RAPTOR, Sarthi et al., ICLR 2024).

Judgments are only added. Within an area they are grouped by jurisdiction and language (a summary of two countries' law would be valid
nowhere), twenty under a node of level 1, in the order of arrival. A new judgment is added to the last node or opens the next node: only
one leaf and one node of level 1 change their hash. The root of a jurisdiction is not changed by it: roots are made, and made again, only if
the caller asks for it, which the nightly run does. A root made from a judgment that was removed or has changed is withdrawn at once.

A tree is published as a separate document, `practice-area-<area>`. Not here: the filing of judgments (`practice_areas`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from legal_pipeline.enrichment import raptor
from legal_pipeline.enrichment.enricher import Generator, SummaryRequest, Task, Unanswered, Usage
from legal_pipeline.enrichment.practice_areas import Leaf, leaf_of
from legal_pipeline.errors import DocumentError
from legal_pipeline.model import identity, tables
from legal_pipeline.processing.enrichment import Answered, Row, current, generator_of, previous_rows, reported, stamp_of
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch, Failed, Resources, StageEvent, Stamp, failed
from legal_pipeline.processing.vectors import Text, VectorTable
from legal_pipeline.registry.practice_area_leaves import NO_LEAVES, AreaState, Filed, PracticeAreaLeaves
from legal_pipeline.stages import chunks, pgvector_chunks, qdrant_chunks, raptor_summaries
from legal_pipeline.stores.store import Point

KEY: AssetKey = ("practice_area_trees",)
EMBEDDINGS_KEY: AssetKey = ("practice_area_embeddings",)

#: Incremented when judgments are grouped differently, or their state is a different text.
VERSION = "2"

#: `leaf_hashes`: hashes of all judgments that the summary was made from.
SCHEMA = pa.schema([*raptor_summaries.SCHEMA, *tables.required("leaf_hashes", type=pa.list_(pa.string()))])

_PREFIX = "practice-area-"
#: The fact with the number of roots that are missing or older than the nodes below them.
ROOTS_DUE = "roots_due"


def tree_id(area: str) -> str:
    """Return the document id under which the tree of `area` is published."""
    return identity.document_id(_PREFIX + area)


def area_of(document_id: str) -> str:
    """Return the area of the tree that is published as `document_id`."""
    return document_id.removeprefix(_PREFIX)


def is_tree(batch: Batch, document_id: str) -> bool:
    """Return whether `document_id` is a published tree, not a document."""
    return document_id.startswith(_PREFIX) and batch.table_stamp(KEY, document_id) is not None


@dataclass
class _Node:
    """A node of level 1: its leaves in the order of their ids."""

    number: int
    leaves: list[Filed]
    hash: str = ""


@dataclass
class _Branch:
    """The part of a tree for one jurisdiction and language."""

    area: str
    jurisdiction: str
    language: str
    nodes: list[_Node] = field(default_factory=list)

    @property
    def title(self) -> str:
        return f"Practice area {self.area} ({self.jurisdiction.upper()})"

    @property
    def path(self) -> str:
        return f"Summary > {self.jurisdiction} {self.language}"

    @property
    def leaf_hashes(self) -> list[str]:
        return [leaf.leaf_hash for node in self.nodes for leaf in node.leaves]

    def request(self, node: str, level: int, texts: Sequence[str]) -> SummaryRequest:
        return SummaryRequest(
            tree_id(self.area), node, level, self.title, self.language, tuple(texts), raptor.BUDGET_TOKENS[level]
        )


@dataclass
class _Tree:
    """An area whose tree is made. `kept` are rows of the previous table by hash, `made` the rows of this run."""

    area: str
    expected: str
    branches: list[_Branch]
    generator: Generator | None
    kept: dict[str, Row]
    made: dict[str, Row] = field(default_factory=dict)
    judgments: dict[str, Leaf] = field(default_factory=dict)
    left_out: list[Unanswered] = field(default_factory=list)
    asked: int = 0

    def row(self, node: str) -> Row | None:
        return self.made.get(node) or self.kept.get(node)

    def below(self, branch: _Branch) -> list[str]:
        """Return the nodes of level 1 that have a row."""
        return [node.hash for node in branch.nodes if self.row(node.hash)]

    def hash(self, branch: _Branch, level: int, children: Sequence[str]) -> str:
        assert self.generator is not None
        return raptor.node_hash(self.generator, branch.title, branch.language, level, children)


def make_trees(
    resources: Resources, areas: Sequence[str], *, refresh_roots: bool = False, ask: bool = True, force: bool = False
) -> Iterator[StageEvent]:
    """Make the trees of `areas` and publish them; each finished (asset, tree) is reported at once, trees by their document ids.

    `refresh_roots` also makes missing or old roots. Without `ask` no enricher is called: new summaries are left out until the next run.
    """
    batch = Batch([tree_id(area) for area in areas], resources)
    for event in _summarise(batch, areas, refresh_roots=refresh_roots, ask=ask, force=force):
        yield from _left(batch, event)
    for stage in (EMBEDDINGS, *PUBLICATIONS):
        for event in stage.run(batch):
            yield from _left(batch, event)


def withdraw(resources: Resources, document_ids: Sequence[str]) -> Iterator[StageEvent]:
    """Remove judgments from their trees, and every summary made from them from the stores; no enricher is called."""
    areas = PracticeAreaLeaves(resources.registry.database).forget(document_ids)
    if areas:
        yield from make_trees(resources, areas, ask=False)


def stale(resources: Resources, *, roots: bool = False) -> dict[str, str]:
    """Return area -> expected input hash of its tree, for every tree that is outdated (`roots`: or has a root to be made)."""
    batch = Batch([], resources)
    generator = generator_of(batch, "summaries", Task.SUMMARISE)
    states = PracticeAreaLeaves(resources.registry.database).states()
    made = {area_of(document_id): NO_LEAVES for document_id in batch.warehouse.documents(KEY)}
    found = {}
    for area, state in sorted((made | states).items()):
        expected = _expected(area, state, generator)
        try:
            stamp = current(batch, KEY, tree_id(area), expected)
        except DocumentError:
            stamp = None  # its file is damaged
        if stamp is None or (roots and stamp.facts[ROOTS_DUE]):
            found[area] = expected
    return found


def load(batch: Batch, document_id: str) -> list[Row]:
    """Return the rows of a tree: for each jurisdiction the root first, then the nodes of level 1."""
    return batch.read_rows(KEY, document_id)


def is_made_from_present_texts(batch: Batch, row: Row) -> bool:
    """Return whether every judgment that a summary was made from is still in its tree with the same text."""
    area = area_of(str(row["document_id"]))
    made_from = set(row["leaf_hashes"])
    filed = PracticeAreaLeaves(batch.resources.registry.database).filed(areas=[area])
    found = {leaf_of(chunks.load(batch, leaf.document_id)).hash for leaf in filed if leaf.leaf_hash in made_from}
    return found == made_from


# -- summaries --------------------------------------------------------------------------------------------------------


def _summarise(
    batch: Batch, areas: Sequence[str], *, refresh_roots: bool, ask: bool, force: bool
) -> Iterator[StageEvent]:
    due: dict[str, _Tree] = {}
    yield from _plan(batch, areas, due, refresh_roots=refresh_roots, force=force)
    asked = Answered()
    for level in (1, 0):
        requests: list[SummaryRequest] = []
        for document_id, tree in list(due.items()):
            try:
                found = _level_1(batch, tree) if level == 1 else _roots(tree) if refresh_roots else []
                requests += found if ask else []
                tree.asked += len(found) if ask else 0
                tree.left_out += [] if ask else [Unanswered(document_id, node.node_id, "not asked") for node in found]
            except Exception as error:
                del due[document_id]
                yield failed(KEY, document_id, error)
        try:
            if asked.stopped is None:
                answered = Answered.of(lambda wanted: batch.resources.enricher.summarise(wanted), requests)
                _take(due, answered)
                asked.merge(answered)
            else:
                for request in requests:
                    due[request.document_id].left_out.append(
                        Unanswered(request.document_id, request.node_id, str(asked.stopped))
                    )
        except Exception as error:
            yield from (failed(KEY, document_id, error) for document_id in due)
            return
    for document_id, tree in due.items():
        try:
            yield _written(batch, document_id, tree, asked)
        except Exception as error:
            yield failed(KEY, document_id, error)


def _plan(
    batch: Batch, areas: Sequence[str], due: dict[str, _Tree], *, refresh_roots: bool, force: bool
) -> Iterator[StageEvent]:
    """Add the outdated trees of `areas` to `due`; yield the others."""
    generator = generator_of(batch, "summaries", Task.SUMMARISE)
    leaves = PracticeAreaLeaves(batch.resources.registry.database)
    # before the leaves: a leaf that is filed meanwhile makes the tree outdated again
    for area, state in leaves.states(areas).items():
        document_id = tree_id(area)
        try:
            expected = _expected(area, state, generator)
            stamp = current(batch, KEY, document_id, expected)
            if stamp is not None and not force and not (refresh_roots and stamp.facts[ROOTS_DUE]):
                yield reported(KEY, document_id, {}, stamp)
                continue
            known = (
                {} if force else {row["input_hash"]: row for row in map(_read, previous_rows(batch, KEY, document_id))}
            )
            branches = _branches(area, leaves.filed(areas=[area])) if generator is not None else []
            due[document_id] = _Tree(area, expected, branches, generator, known)
        except Exception as error:
            yield failed(KEY, document_id, error)


def _written(batch: Batch, document_id: str, tree: _Tree, asked: Answered) -> StageEvent:
    """Write the rows of a tree. Raises the error that stopped the requests, after the answers received are written."""
    rows = _rows(tree)
    left_out = [*tree.left_out, *asked.unanswered.get(document_id, ())]
    stamp = stamp_of(tree.expected, rows, tree.generator, left_out)
    judgments = sum(len(node.leaves) for branch in tree.branches for node in branch.nodes)
    facts = {**stamp.facts, "judgments": judgments, ROOTS_DUE: len(_roots(tree))}
    stamp = Stamp(stamp.input_hash, stamp.data_version, facts)
    batch.write_table(KEY, document_id, tables.table(rows, SCHEMA), stamp)
    asked.raise_if_stopped(document_id)
    return reported(KEY, document_id, {}, stamp, tree.asked, asked.usage.get(document_id, Usage()))


def _expected(area: str, state: AreaState, generator: Generator | None) -> str:
    return identity.input_hash(KEY, VERSION, raptor.VERSION, str(generator), area, state.leaves, state.state)


def _branches(area: str, leaves: Sequence[Filed]) -> list[_Branch]:
    """Group `leaves`, which are sorted by jurisdiction, language, node and id."""
    branches: list[_Branch] = []
    for leaf in leaves:
        if not branches or (branches[-1].jurisdiction, branches[-1].language) != (leaf.jurisdiction, leaf.language):
            branches.append(_Branch(area, leaf.jurisdiction, leaf.language))
        nodes = branches[-1].nodes
        if not nodes or nodes[-1].number != leaf.node:
            nodes.append(_Node(leaf.node, []))
        nodes[-1].leaves.append(leaf)
    return branches


def _level_1(batch: Batch, tree: _Tree) -> list[SummaryRequest]:
    """Return requests for the nodes with a new hash; only their judgments are read."""
    requests = []
    for branch in tree.branches:
        for node in branch.nodes:
            node.hash = tree.hash(branch, 1, [leaf.leaf_hash for leaf in node.leaves])
            if node.hash in tree.kept:
                continue
            for leaf in node.leaves:
                tree.judgments[leaf.document_id] = _judgment(batch, leaf)
            texts = [tree.judgments[leaf.document_id].text for leaf in node.leaves]
            requests.append(branch.request(node.hash, 1, texts))
    return requests


def _roots(tree: _Tree) -> list[SummaryRequest]:
    """Return requests for the roots that are missing, or older than the nodes below them."""
    requests = []
    for branch in tree.branches:
        below = tree.below(branch)
        # the summary of a single node would repeat the node's summary
        if len(below) > 1 and tree.row(root := tree.hash(branch, 0, below)) is None:
            requests.append(branch.request(root, 0, [_known(tree, node)["chunk_text"] for node in below]))
    return requests


def _take(due: Mapping[str, _Tree], answered: Answered) -> None:
    """Add the rows of the answered summaries to the trees."""
    for document_id, summaries in answered.answers.items():
        tree = due[document_id]
        texts = {summary.node_id: summary.text for summary in summaries}
        for branch in tree.branches:
            for node in branch.nodes:
                if node.hash in texts:
                    tree.made[node.hash] = _node_row(tree, branch, node, texts[node.hash])
            below = tree.below(branch)
            if below and (root := tree.hash(branch, 0, below)) in texts:
                tree.made[root] = _root_row(tree, branch, root, below, texts[root])


def _rows(tree: _Tree) -> list[Row]:
    """Return the existing rows: for each branch the root, then its nodes; parents and children are set again."""
    out: list[Row] = []
    for branch in tree.branches:
        below = [row for node in branch.nodes if (row := tree.row(node.hash))]
        root = _usable_root(tree, branch)
        if root is not None:
            out.append({**root, "child_ids": [row["chunk_id"] for row in below]})
        above = {} if root is None else {"parent_chunk_id": root["chunk_id"]}
        out += [{**_orphaned(row), **above} for row in below]
    return [{**row, "seq": seq} for seq, row in enumerate(out)]


def _orphaned(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "parent_chunk_id"}


def _usable_root(tree: _Tree, branch: _Branch) -> Row | None:
    """Return the root of the present nodes, else an older root if every judgment that it was made from is still there, unchanged."""
    below = tree.below(branch)
    if len(below) < 2:
        return None
    present = tree.row(tree.hash(branch, 0, below))
    if present is not None:
        return present
    assert tree.generator is not None
    made_by = (tree.generator.name, tree.generator.version)
    for row in tree.kept.values():
        same = row["level"] == 0 and row["path"] == branch.path and (row["generator"], row["prompt_version"]) == made_by
        if same and set(row["leaf_hashes"]) <= set(branch.leaf_hashes):
            return row
    return None


def _judgment(batch: Batch, filed: Filed) -> Leaf:
    rows = chunks.load(batch, filed.document_id)
    leaf = leaf_of(rows) if rows else None
    if leaf is None or leaf.hash != filed.leaf_hash:
        raise DocumentError("reads otherwise than when it was filed; file it again first", document=filed.document_id)
    return leaf


def _known(tree: _Tree, node: str) -> Row:
    row = tree.row(node)
    assert row is not None
    return row


def _read(row: Row) -> Row:
    """Return a row of the previous table without nulls, as before writing: Parquet returns every column, with null for missing values."""
    metadata = {name: value for name, value in row["metadata"].items() if value is not None}
    return {name: value for name, value in row.items() if value is not None} | {"metadata": metadata, "entities": {}}


# -- rows -------------------------------------------------------------------------------------------------------------


def _node_row(tree: _Tree, branch: _Branch, node: _Node, text: str) -> Row:
    leaves = [tree.judgments[leaf.document_id] for leaf in node.leaves]
    label = _label(leaves)
    return _row(
        tree, branch, node.hash, 1, text,
        path=f"{branch.path} > Judgments {node.number}", header=f"{branch.title} > {label}", label=label,
        source="\n".join(leaf.text for leaf in leaves), source_sha256=[leaf.source_sha256 for leaf in leaves],
        review=any(leaf.requires_manual_review for leaf in leaves),
        child_ids=[chunk_id for leaf in leaves for chunk_id in leaf.chunk_ids],
        leaf_hashes=[leaf.leaf_hash for leaf in node.leaves],
    )  # fmt: skip


def _root_row(tree: _Tree, branch: _Branch, root: str, below: Sequence[str], text: str) -> Row:
    rows = [_known(tree, node) for node in below]
    return _row(
        tree, branch, root, 0, text,
        path=branch.path, header=branch.title, label=None,
        source="\n".join(row["chunk_text"] for row in rows), source_sha256=[row["source_sha256"] for row in rows],
        review=any(row["requires_manual_review"] for row in rows),
        child_ids=[row["chunk_id"] for row in rows], leaf_hashes=branch.leaf_hashes,
    )  # fmt: skip


def _label(leaves: Sequence[Leaf]) -> str:
    """Return courts and years, `Supreme Court, 2019–2024`; without courts and dates the number of judgments."""
    courts = list(dict.fromkeys(leaf.court for leaf in leaves if leaf.court))
    years = sorted({leaf.year for leaf in leaves if leaf.year})
    span = [] if not years else [years[0] if len(years) == 1 else f"{years[0]}–{years[-1]}"]
    named = [*courts[:3], *(["other courts"] if len(courts) > 3 else []), *span]
    return ", ".join(named) or f"{len(leaves)} judgments"


def _row(
    tree: _Tree, branch: _Branch, node: str, level: int, text: str, *, path: str, header: str, label: str | None, source: str,
    source_sha256: Sequence[str], review: bool, child_ids: list[str], leaf_hashes: list[str],
) -> Row:  # fmt: skip
    """Return a summary as a chunk. It has no offsets: its source is text of many documents, which `child_ids` refers to."""
    assert tree.generator is not None
    document_id = tree_id(branch.area)
    metadata: dict[str, Any] = {"title": branch.title, "raptor_level": level}
    if label is not None:
        metadata["heading"] = label
    return {
        "document_id": document_id,
        "language": branch.language,
        "jurisdiction": branch.jurisdiction,
        "doc_type": "judgment",
        "source_sha256": identity.sha256_hex(",".join(source_sha256)),
        "requires_manual_review": review,
        **raptor_summaries.summary_columns(document_id, tree.generator, node, level, text, path, header, source),
        "child_ids": child_ids,
        "leaf_hashes": leaf_hashes,
        "metadata": metadata,
    }


# -- vectors and points -----------------------------------------------------------------------------------------------


def _left(batch: Batch, event: StageEvent) -> Iterator[StageEvent]:
    """Yield the event; remove a tree that failed from the batch, so that the others continue."""
    if isinstance(event, Failed) and event.document_id in batch.document_ids:
        batch.document_ids.remove(event.document_id)
    yield event


def _texts(batch: Batch, document_id: str) -> list[Text]:
    return [
        Text(row["chunk_id"], chunks.embedding_text(row, None), row["language"]) for row in load(batch, document_id)
    ]


def _points(batch: Batch, document_id: str) -> list[Point]:
    rows = load(batch, document_id)
    texts = _texts(batch, document_id)
    vectors = EMBEDDINGS.load(batch, document_id, texts)
    return [
        qdrant_chunks.point({**row, "context_prefix": None}, text.text, vector)
        for row, text, vector in zip(rows, texts, vectors, strict=True)
    ]


EMBEDDINGS = VectorTable(EMBEDDINGS_KEY, (KEY,), "chunk_id", _texts)

PUBLICATIONS = (
    Publication(("practice_area_trees", "qdrant"), (KEY, EMBEDDINGS_KEY), qdrant_chunks.COLLECTION, "chunk_id", _points),
    Publication(
        ("practice_area_trees", "pgvector"), (KEY, EMBEDDINGS_KEY), pgvector_chunks.COLLECTION, "chunk_id", _points,
        store_name="pgvector",
    ),
)  # fmt: skip
