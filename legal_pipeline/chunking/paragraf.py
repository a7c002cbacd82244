"""`paragraf`: one § is one chunk; preambles, transitional provisions and schedules are separate chunks.

A § is split only above 20,000 tokens, which no real statute reaches: at its stycken, then at sentences.

Tier 1: path `kap2.§3` (`kap0.§5` without chapters), group headings above a § are its first lines, the amendment mark goes to
metadata, a repealed § gives no chunk, the later of two wordings takes `@date` (or `@villkor`). Tier 2: `preamble`,
`overgangsbest` (above the budget one chunk per amending act, `overgangsbest.2022:1109`, then per numbered point) and `bilaga.N`
(above it at headings, then blocks and table rows). A schedule that is law in articles (a convention) is tier 1: `bilaga.1.art5`.
Not here: text outside provisions and schedules (`markdown_merge`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, paragraf_header
from legal_pipeline.chunking.outline import excluded_spans, outermost
from legal_pipeline.chunking.packing import budget, fits
from legal_pipeline.chunking.provisions import Provisions, UniquePaths, Unit
from legal_pipeline.chunking.splitting import split_under
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.jurisdictions.series import default_series
from legal_pipeline.model.document import PROVISIONS, TEXT_ROLE, Document, Node

NAME = "paragraf"
VERSION = "3"

#: A § with more tokens is split: no model reads so much, and in a damaged file one § can contain a whole book.
MAX_SECTION_TOKENS = 20_000


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts of the segment's provisions and tier 2 nodes, in text order, and the exclusions: headings and repealed §§."""
    provisions = Provisions(document, segment, excluded_spans(document))
    paths = UniquePaths(document.as_of_date)
    with_division = _chapters_restart(document)
    drafts: list[Draft] = []
    for unit in provisions.units:
        if unit.node.type in PROVISIONS:
            drafts.extend(_section(document, unit, _place(document, unit, with_division), paths))
        elif unit.node.type == "transitional":
            drafts.extend(_transitional(document, unit, provisions, paths))
        elif unit.node.type == "schedule":
            number = unit.node.num or str(
                1 + len({draft.path.split("#")[0] for draft in drafts if draft.chunk_type == "appendix"})
            )
            label = f"Bilaga {unit.node.num}" if unit.node.num else "Bilaga"
            drafts.extend(
                _beside(document, unit.node, unit.spans, paths, f"bilaga.{_compact(number)}", "appendix", label)
            )
        else:
            drafts.extend(_beside(document, unit.node, unit.spans, paths, "preamble", "preamble", "Inledning"))
    return drafts, provisions.exclusions


@dataclass(frozen=True, slots=True)
class _Place:
    """Values that the §§ under the same ancestors share: the beginning of paths and headers, and metadata."""

    path: str
    header: str
    chapter: Node | None
    division: str | None = None


def _place(document: Document, unit: Unit, with_division: bool) -> _Place:
    chapter, division = unit.ancestor("chapter"), unit.ancestor("division")
    path = f"kap{_compact(chapter.num or '0') if chapter else '0'}."
    if (schedule := unit.ancestor("schedule")) is not None:
        path = f"bilaga.{_compact(schedule.num or str(_schedule_number(document, schedule)))}.{path if chapter else ''}"
    if with_division and division is not None and division.num:
        path = f"avd{_compact(division.num)}.{path}"
    header = paragraf_header(document, unit.ancestors, None)
    return _Place(path, header, chapter, division.num if division else None)


def _section(document: Document, unit: Unit, place: _Place, paths: UniquePaths) -> Iterator[Draft]:
    """Tier 1: the § with its headings as one draft; above `MAX_SECTION_TOKENS` its parts, each flagged `oversized`."""
    node, chapter = unit.node, place.chapter
    sign, name = ("art", f"Artikel {node.num}") if node.type == "article" else ("§", f"{node.num} §")
    header = place.header if not node.num else f"{place.header}{SEPARATOR}{name}" if place.header else name
    valid_from, valid_to = unit.validity
    path = paths.name(f"{place.path}{sign}{_compact(node.num or '')}", valid_from)
    is_split = not fits(document.text, unit.spans, MAX_SECTION_TOKENS)
    parts = split_under(header, document, node, unit.spans) if is_split else [unit.spans]
    for number, spans in enumerate(parts, start=1):
        yield Draft(
            spans=spans,
            chunk_type="statutory_text",
            path=path if number == 1 else f"{path}#{number}",
            header=header,
            anchor=node.start,
            eid=node.eid,
            content_role=_dominant_role(node),
            level=2,
            valid_from=valid_from,
            valid_to=valid_to,
            may_be_oversized=True,
            metadata={
                "section": name if node.num else None,
                "chapter": chapter.num if chapter else None,
                "chapter_heading": chapter.heading if chapter else None,
                "division": place.division,
                "schedule": schedule.num if (schedule := unit.ancestor("schedule")) is not None else None,
                "heading": (
                    " / ".join([document.text_of(heading) for heading in unit.headings]) if unit.headings else None
                ),
                "amended_by": node.amendments[-1].by if node.amendments else None,
                "oversized": is_split or None,
            },
        )


def _transitional(document: Document, unit: Unit, provisions: Provisions, paths: UniquePaths) -> Iterator[Draft]:
    """Yield one chunk for all transitional provisions if they fit, else one per amending act."""
    label, chunk_type = "Övergångsbestämmelser", "transitional"
    acts = [child for child in unit.node.children if child.type == "transitional"]
    if not acts or fits(document.text, unit.spans, budget(paragraf_header(document, (), label))):
        yield from _beside(document, unit.node, unit.spans, paths, "overgangsbest", chunk_type, label)
        return
    for child in unit.node.children:
        if child.type == "transitional":
            path = f"overgangsbest.{child.num}" if child.num else "overgangsbest"
            yield from _beside(document, child, provisions.text_spans([child]), paths, path, chunk_type, label)
        elif child.type == "heading":
            spans = provisions.text_spans([child])
            provisions.exclusions.extend(Exclusion(*span, "heading carried in the breadcrumb") for span in spans)
        else:
            yield from _beside(
                document, child, provisions.text_spans([child]), paths, "overgangsbest", chunk_type, label
            )


def _beside(
    document: Document, node: Node, spans: tuple[Span, ...], paths: UniquePaths, path: str, chunk_type: str, label: str
) -> Iterator[Draft]:
    """Tier 2: one chunk, or parts of it when it is over the budget."""
    if not spans:
        return
    header = paragraf_header(document, (), label)
    path = paths.name(path, node.valid_from)
    series = default_series(jurisdiction(document.jurisdiction))
    for number, part in enumerate(split_under(header, document, node, spans), start=1):
        yield Draft(
            spans=part,
            chunk_type=chunk_type,
            path=path if number == 1 else f"{path}#{number}",
            header=header,
            anchor=node.start,
            eid=node.eid,
            content_role="TRANSITION_PROVISION" if chunk_type == "transitional" else TEXT_ROLE,
            level=2,
            valid_from=node.valid_from,
            valid_to=node.valid_to,
            metadata={
                "schedule": node.num if chunk_type == "appendix" else None,
                "amended_by": f"{series} {node.num}".strip() if chunk_type == "transitional" and node.num else None,
                "heading": node.heading,
            },
        )


def _compact(number: str) -> str:
    return number.replace(" ", "")


def _schedule_number(document: Document, schedule: Node) -> int:
    """Return the position (from 1) of a schedule without a number among the schedules of the document."""
    return 1 + [node for node, _ in outermost(document, ("schedule",))].index(schedule)


def _chapters_restart(document: Document) -> bool:
    """Whether two divisions have a chapter with the same number, so that paths need the division to be unique."""
    if not _has_divisions(document):
        return False
    seen: dict[str | None, Node | None] = {}
    stack: list[tuple[Node, Node | None]] = [(node, None) for node in reversed(document.nodes)]
    while stack:
        node, division = stack.pop()
        if node.type == "chapter":
            if node.num in seen and seen[node.num] is not division:
                return True
            seen[node.num] = division
        elif node.type == "division":
            division = node
        stack.extend(
            [(child, division) for child in reversed(node.children) if child.children or child.type == "chapter"]
        )
    return False


def _has_divisions(document: Document) -> bool:
    level: list[Node] = [node for node in document.nodes if node.children]
    while level:
        if any(node.type == "division" for node in level):
            return True
        level = [child for node in level for child in node.children if child.children]
    return False


def _dominant_role(node: Node) -> str:
    """Return the role that all parts of the provision share, else STYCKE."""
    roles = {child.role or TEXT_ROLE for child in node.children if child.type not in ("remark", "heading", "footnote")}
    return roles.pop() if len(roles) == 1 else TEXT_ROLE


STRATEGY = Strategy(NAME, VERSION, chunk)
