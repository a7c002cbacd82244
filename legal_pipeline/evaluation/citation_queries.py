"""Queries from citations: a sentence that cites a provision, with its citations removed; the answer is the cited provision.

Not here: the grammars that find citations (`citations`).
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from legal_pipeline.chunking.annotate import read_annotations
from legal_pipeline.chunking.outline import outermost
from legal_pipeline.citations import EidIndex, Reference
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query, numbered, sample, shuffled
from legal_pipeline.model.document import GONE, PROVISIONS, Document, Node
from legal_pipeline.model.identity import collapse
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.spans import span_at, within

#: Replaces a removed citation.
BLANK = "…"

#: Minimum and maximum words of a sentence without its citations: a shorter sentence asks nothing, a longer sentence is a list.
LEAST_WORDS, MOST_WORDS = 10, 120
#: Maximum provisions that one sentence may cite: "sections 3 to 40" asks for none of them.
MOST_ANSWERS = 3
#: Minimum characters between the citing provision and a cited provision of the same document. If they were nearer, a chunk of 512 tokens
#: could hold both: it would be removed from the hits as the citing provision, and the answer with it.
LEAST_DISTANCE = 2_500
#: Maximum queries that ask for one provision.
PER_ANSWER = 8
#: Minimum characters of an answer: a repealed or empty provision answers nothing.
LEAST_ANSWER = 60
#: Maximum share of its document that a provision may be.
LARGEST_SHARE = 0.5

#: Kinds of citation that are removed; cited cases stay in the sentence.
_BLANKED = frozenset({"provision", "act", "amendment"})
_WORD = re.compile(r"[^\W\d_]{2,}")
#: Transitional provisions cite superseded wordings; the other types are not sentences of the law.
_ASIDE = ("transitional", "heading", "toc", "footnote", "remark", "running_header", "running_footer")
#: A number after the blank: a grammar read half of a citation, and took the rest for another provision.
_HALF_READ = re.compile(rf"{BLANK} ?\(?\d")


def citation_dataset(
    documents: Sequence[Document], citing: Sequence[Document] = (), *, per_document: int, per_group: int, seed: int
) -> Dataset:
    """Return sentences of judgments and laws that cite a provision of `documents`, with blanks for their citations.

    `citing` are documents that only give queries: they are not indexed. At most `per_document` queries of one citing document, `PER_ANSWER`
    of one provision and `per_group` of one language.
    """
    works = {document.work_uri: _Work(document) for document in documents if document.work_uri}
    by_language: dict[str, list[Query]] = defaultdict(list)
    for document in (*documents, *citing):
        found = sample(_queries(document, works), document.document_id, per_document, seed)
        by_language[document.language].extend(found)
    kept = [
        query
        for group, found in sorted(by_language.items())
        for query in sample(_varied(_distinct(found), seed), group, per_group, seed)
    ]
    notes = (
        f"sentences with {LEAST_WORDS}-{MOST_WORDS} words and at most {MOST_ANSWERS} cited provisions; every citation of a provision, an "
        f"Act or an amendment is blanked; a provision of the same document is asked for from at least {LEAST_DISTANCE:,} characters away",
        f"at most {per_document} queries of one citing document, {PER_ANSWER} of one cited provision and {per_group} of one language, "
        f"seed {seed}; {len(citing)} documents ask and are not indexed",
    )
    return Dataset("citations", tuple(documents), tuple(numbered(kept)), notes=notes)


class _Work:
    """A document in which provisions are found by the eids that citations give."""

    def __init__(self, document: Document) -> None:
        self.document = document
        # The provision that each node is, or is in. A document that is one provision leaves nothing to search for, so it is left out.
        self._provisions: dict[str, Node] = {}
        for node, ancestors in document.walk_with_ancestors():
            if node.eid is not None:
                provision = next((level for level in (node, *reversed(ancestors)) if level.type in PROVISIONS), None)
                if provision is not None and provision.end - provision.start <= LARGEST_SHARE * len(document.text):
                    self._provisions[node.eid] = provision
        self._index = EidIndex(self._provisions)

    def answer(self, eid: str) -> Answer | None:
        """Return the provision that contains `eid`; None if there is none, or if it is repealed or too short."""
        name = self._index.resolve(eid)
        while name and name not in self._provisions:
            name = name.rpartition("__")[0]
        node = self._provisions.get(name)
        if node is None or node.status in GONE or node.end - node.start < LEAST_ANSWER:
            return None
        return Answer(self.document.document_id, node.start, node.end)


def _queries(document: Document, works: Mapping[str, _Work]) -> Iterator[Query]:
    citations = read_annotations(document).references
    starts = [citation.start for citation in citations]
    aside, provisions = (
        sorted((node.start, node.end) for node, _ in outermost(document, types)) for types in (_ASIDE, PROVISIONS)
    )
    for start, end in sentence_spans(document.text, document.language):
        inside = citations[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, end)]
        if not inside or within(aside, start):
            continue
        # the whole citing provision: its other chunks are about the same matter and are not answers either
        origin = Answer(document.document_id, *(span_at(provisions, start) or (start, end)))
        answers = _answers(inside, works, origin)
        if not 0 < len(answers) <= MOST_ANSWERS:
            continue
        text = _blanked(document.text, start, end, inside)
        if LEAST_WORDS <= len(_WORD.findall(text)) <= MOST_WORDS and not _HALF_READ.search(text):
            yield Query("", text, document.language, document.document_id, answers, origin)


def _answers(citations: Sequence[Reference], works: Mapping[str, _Work], origin: Answer) -> tuple[Answer, ...]:
    """Return the cited provisions except the citing provision; none at all if one of them is too near to it."""
    found: dict[Answer, None] = {}
    for citation in citations:
        work = works.get(citation.work_uri or "")
        if citation.kind != "provision" or citation.eid is None or work is None:
            continue
        answer = work.answer(citation.eid)
        if answer is None or (answer.document_id == origin.document_id and origin.start <= answer.start < origin.end):
            continue
        if answer.document_id == origin.document_id and _distance(answer, origin) < LEAST_DISTANCE:
            return ()
        found.setdefault(answer)
    return tuple(found)


def _distance(first: Answer, second: Answer) -> int:
    return max(first.start - second.end, second.start - first.end)


def _blanked(text: str, start: int, end: int, citations: Sequence[Reference]) -> str:
    out, position = "", start
    for citation in sorted(
        (citation for citation in citations if citation.kind in _BLANKED), key=lambda citation: citation.start
    ):
        if citation.end <= position:
            continue
        out += text[position : max(position, citation.start)] + f" {BLANK} "
        position = min(citation.end, end)
    return collapse(out + text[position:end])


def _distinct(queries: Sequence[Query]) -> list[Query]:
    """Return the first of the sentences with the same text."""
    seen: dict[str, Query] = {}
    for query in queries:
        seen.setdefault(query.text.casefold(), query)
    return list(seen.values())


def _varied(queries: Sequence[Query], seed: int) -> list[Query]:
    """Drop queries with an answer that `PER_ANSWER` others ask for: half of all judgments cite the section on murder."""
    asked: Counter[Answer] = Counter()
    kept: set[int] = set()
    for number in shuffled(range(len(queries)), seed):
        answers = queries[number].answers
        if all(asked[answer] < PER_ANSWER for answer in answers):
            kept.add(number)
            asked.update(answers)
    return [query for number, query in enumerate(queries) if number in kept]
