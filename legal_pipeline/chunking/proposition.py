"""`proposition` (Dense X, Chen et al., EMNLP 2024): one self-contained sentence per definition, which names its Act and
provision: a rewritten text, in addition to the verbatim chunk of the provision.

Text: `Under section 2(9) of the Code of Civil Procedure, 1908, "judgment" means …`: Act, section with the definition's number, term and
full meaning. It is generated text (`generator="rules"`); its span is the definition, and each defined term must occur in both. A
proposition is added to the chunk that holds its text (its parent) and does not count for coverage. No parameters; above the budget of
1,500 tokens a definition gives several propositions that repeat the first words. A definition that the source probably cut off is flagged
`suspected_truncation`. A language model may be asked about the lines of a section headed as definitions in which rules found none; its
propositions name it as their generator. Not here: finding definitions (`chunking.definitions`), asking the model (`enrichment`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.chunking.chunk import Draft, Segment, Span
from legal_pipeline.chunking.definitions import (
    HEADED,
    Definition,
    Patterns,
    find_definitions,
    load_patterns,
    unresolved_lines,
)
from legal_pipeline.chunking.headers import SEPARATOR, document_header, paragraf_header
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS, budget
from legal_pipeline.chunking.provisions import UniquePaths, text_spans
from legal_pipeline.chunking.splitting import split
from legal_pipeline.chunking.statute_boundary import label
from legal_pipeline.chunking.strategy import Cut, Proposed, Strategy, Tools, Unresolved
from legal_pipeline.errors import ChunkingError
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import STRUCTURE, Document, Node
from legal_pipeline.model.identity import collapse
from legal_pipeline.text.spans import join_adjacent
from legal_pipeline.text.tokens import count_tokens

#: Nodes that a proposition cites in the words of the language; other nodes are cited by their label.
_CITED_IN_WORDS = frozenset({"section", "article", "schedule"})
_MARKER = re.compile(r"\A(?:\(?[\divxlcA-Za-z]{1,5}[.)]\s+|[•*–-]\s+)+")
#: Words in Markdown's bold marks, which also occur in texts of other formats.
_EMPHASIS = re.compile(r"(?P<sign>\*\*\*?|__)(?=\S)(?P<words>[^*_\n]+?)(?<=\S)(?P=sign)")
#: Tokens reserved for the words that join the parts of a proposition.
_JOINTS = 40
#: Number of characters at the end of a definition in which its closing marks are searched for.
_LONGEST_TAIL = 64
_TAIL = re.compile(r"(?:[;,]\s*(?:and|or|och|eller|samt))?[;,]?\s*\Z")


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return a draft `in_addition` for every definition of the segment's nodes, and no exclusions."""
    patterns = load_patterns(document.language)
    if patterns is None:
        return [], []
    footnotes = [node for section, _ in segment.nodes for node in section.walk() if node.type == "footnote"]
    holes = sorted([*tools.holes(document), *((node.start, node.end) for node in footnotes if node.end > node.start)])
    truncated = {match["num"] for warning in document.warnings for match in patterns.truncated.finditer(warning)}
    paths = UniquePaths()
    headed = segment.reason.startswith(HEADED)
    drafts: list[Draft] = []
    for node, ancestors in segment.nodes:
        found = find_definitions(document, node, headed)
        is_cut = node.num in truncated
        last = max((item.end for item in found), default=0)
        for item in found:
            flags: dict[str, bool | None] = {
                "section_suspected_truncation": is_cut or None,
                "suspected_truncation": (is_cut and item.end == last) or None,
            }
            drafts.extend(_drafts(document, node, ancestors, item, patterns, holes, paths, flags))
    if tools.proposed:
        for (node, ancestors, asked), proposed in zip(_asked(document, segment), tools.proposed, strict=True):
            drafts.extend(_proposed_drafts(document, node, ancestors, asked, proposed, patterns, paths))
    return drafts, []


def unresolved(document: Document, segment: Segment, tools: Tools = Tools()) -> list[Unresolved]:
    """Return the questions for a language model about the segment: an item for each section headed as definitions with lines in which
    rules found no definition."""
    return [asked for _, _, asked in _asked(document, segment)]


def _asked(document: Document, segment: Segment) -> Iterator[tuple[Node, tuple[Node, ...], Unresolved]]:
    patterns = load_patterns(document.language)
    if patterns is None or not segment.reason.startswith(HEADED):
        return
    for node, ancestors in segment.nodes:
        lines = unresolved_lines(document, node, find_definitions(document, node, True))
        if lines:
            _, _, citation = _place(document, node, ancestors, "", patterns)
            yield node, ancestors, Unresolved(document, citation, tuple(lines))


def _proposed_drafts(
    document: Document, section: Node, ancestors: tuple[Node, ...], asked: Unresolved, proposed: Sequence[Proposed],
    patterns: Patterns, paths: UniquePaths,
) -> Iterator[Draft]:  # fmt: skip
    for item in proposed:
        number = f"({item.number})" if item.number else ""
        base, header, _ = _place(document, section, ancestors, number, patterns)
        path = paths.name(f"{base}: {item.term}")
        spans = join_adjacent(document.text, asked.lines[item.first - 1 : item.last])
        source = "\n".join(document.text[start:end] for start, end in spans)
        _check_terms(document, (item.term,), path, source, item.text)
        metadata = {"section": base, "terms": [item.term], "source_act": document.title}
        yield _draft(section, spans, path, header, section.eid, item.text, item.generator, metadata)


def _drafts(
    document: Document, section: Node, ancestors: tuple[Node, ...], item: Definition, patterns: Patterns, holes: list[Span],
    paths: UniquePaths, flags: dict[str, bool | None],
) -> Iterator[Draft]:  # fmt: skip
    entry = Node(
        "definition",
        item.start,
        item.end,
        children=[c for c in item.node.children if item.start <= c.start and c.end <= item.end],
    )
    spans = text_spans(document, [entry], holes)
    if not spans:
        return
    number = _number(item)
    base, header, citation = _place(document, section, ancestors, number, patterns)
    path = paths.name(f"{base}: {item.terms[0]}")
    beside = (header, patterns.texts["named"], citation + document.title)
    for index, part in enumerate(_parts(document, entry, spans, beside), start=1):
        source = "\n".join(document.text[start:end] for start, end in part)
        text = _proposition(document, item, source, citation, patterns, first=index == 1)
        _check_terms(document, item.terms, path, "\n".join(document.text[start:end] for start, end in spans), text)
        metadata = {"section": base, "terms": list(item.terms), "source_act": document.title, **flags}
        numbered = path if index == 1 else f"{path}#{index}"
        yield _draft(section, spans, numbered, header, item.node.eid, text, "rules", metadata)


def _draft(
    section: Node, spans: tuple[Span, ...], path: str, header: str, eid: str | None, text: str, generator: str,
    metadata: dict[str, Any],
) -> Draft:  # fmt: skip
    return Draft(
        spans, "definition", path, header, section.start, eid, "DEFINITION", level=3, valid_from=section.valid_from,
        valid_to=section.valid_to, in_addition=True, generated=text, generator=generator, metadata=metadata,
    )  # fmt: skip


def _parts(document: Document, entry: Node, spans: tuple[Span, ...], beside: Sequence[str]) -> list[tuple[Span, ...]]:
    """Divide `spans` into parts that fit with the texts `beside` them; text with few bytes is not tokenised."""
    texts = [*beside, *(document.text[start:end] for start, end in spans)]
    if sum([len(text.encode()) + 1 for text in texts]) + _JOINTS <= MAX_TOKENS - PREFIX_TOKENS:
        return [spans]
    room = budget(beside[0]) - sum([count_tokens(text) for text in beside[1:]]) - _JOINTS
    return split(document, entry, spans, room)


def _proposition(
    document: Document, item: Definition, source: str, citation: str, patterns: Patterns, *, first: bool
) -> str:
    """Return the proposition of one definition: its source without number and closing semicolon, after the names of its Act and section."""
    meaning = without_emphasis(source.strip())
    if marker := _MARKER.match(meaning):
        meaning = meaning[marker.end() :]
    if tail := _TAIL.search(meaning, max(0, len(meaning) - _LONGEST_TAIL)):
        meaning = meaning[: tail.start()].strip()
    if meaning and meaning[-1] not in ".!?":
        meaning += "."
    # A source that begins with its term is used directly; for any other source the term is named first.
    term = without_emphasis(item.terms[0])
    names = first and collapse(term).casefold() in collapse(meaning[: len(term) + 60]).casefold()
    form = patterns.texts["proposition" if names else "named"]
    return form.format(citation=citation, act=without_emphasis(document_header(document)), term=term, meaning=meaning)


def without_emphasis(text: str) -> str:
    """Return `text` without Markdown's bold and italic marks, where they are in pairs around words."""
    return _EMPHASIS.sub(lambda match: match["words"], text)


def _check_terms(document: Document, terms: Sequence[str], path: str, source: str, text: str) -> None:
    for where, content in (("its source", without_emphasis(source)), ("the proposition", text)):
        term = without_emphasis(terms[0])
        if term not in content and collapse(term).casefold() not in collapse(content).casefold():
            raise ChunkingError(
                f"the defined term {term!r} is not in {where}", document=document.document_id, position=path
            )


def _number(item: Definition) -> str:
    """`(1)(a)`, `(6) Explanation (a)`."""
    out = ""
    for number in item.numbers:
        out += f", {number} " if number.startswith("Explanation") else f"({number})"
    return out.rstrip()


def _place(
    document: Document, section: Node, ancestors: tuple[Node, ...], number: str, patterns: Patterns
) -> tuple[str, str, str]:
    """Return (path, header, citation) of a definition: as the structural strategy of the jurisdiction names the provision."""
    form = patterns.cite.get(section.type, "") if section.type in _CITED_IN_WORDS else ""
    name = form.format(num=section.num or "").strip()
    if jurisdiction(document.jurisdiction).section("chunking").get("statutes") == "paragraf":
        # There the defined term identifies a definition: subsections and points are cited in words.
        name = name or section.num or ""
        chapter = next((above.num for above in reversed(ancestors) if above.type == "chapter"), None)
        path = f"kap{chapter or '0'}.{form.format(num='').strip()}{section.num or ''}".replace(" ", "")
        cited = f"{patterns.cite.get('chapter', '{num}').format(num=chapter)} {name}" if chapter else name
        return path, paragraf_header(document, ancestors, name), cited
    above = [label(ancestor) for ancestor in ancestors if ancestor.type in STRUCTURE]
    base = f"{label(section)}{number}"
    header = SEPARATOR.join([document_header(document), *above, base])
    return SEPARATOR.join([*above, base]), header, (name or label(section)) + number


STRATEGY = Strategy("proposition", "3", chunk, unresolved=unresolved)
