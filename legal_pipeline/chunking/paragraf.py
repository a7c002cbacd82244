"""`paragraf`: one § is one chunk; preambles, transitional provisions and schedules are separate chunks.

A § is split only above 20,000 tokens, which no real statute reaches: at its stycken, then at sentences.

Tier 1: path `kap2.§3` (`kap0.§5` without chapters), group headings above a § are its first lines, the amendment mark goes to
metadata, a repealed § gives no chunk, the later of two wordings takes `@date` (or `@villkor`). Tier 2: `preamble`,
`overgangsbest` (above the budget one chunk per amending act, `overgangsbest.2022:1109`, then per numbered point) and `bilaga.N`
(above it at headings, then blocks and table rows). A schedule that is law in articles (a convention) is tier 1: `bilaga.1.art5`.
Not here: text outside provisions and schedules (`markdown_merge`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, paragraf_header
from legal_pipeline.chunking.outline import outermost
from legal_pipeline.chunking.packing import budget, fits
from legal_pipeline.chunking.provisions import UniquePaths, Unit, read_units, text_spans
from legal_pipeline.chunking.splitting import node_drafts, split_under
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.jurisdictions.series import default_series
from legal_pipeline.model.document import PROVISIONS, TEXT_ROLE, Document, Node

#: A § with more tokens is split: no model reads so much, and in a damaged file one § can contain a whole book.
MAX_SECTION_TOKENS = 20_000


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts of the segment's provisions and tier 2 nodes, in text order, and the exclusions: headings and repealed §§."""
    holes = tools.holes(document)
    units, exclusions = read_units(document, segment, holes)
    paths = UniquePaths(document.as_of_date)
    with_division = _chapters_restart(document)
    drafts: list[Draft] = []
    for unit in units:
        node, spans = unit.node, unit.spans
        if node.type in PROVISIONS:
            drafts.extend(_section(document, unit, with_division, paths))
        elif node.type == "transitional":
            drafts.extend(_transitional(document, unit, holes, exclusions, paths))
        elif node.type == "schedule":
            number = node.num or str(
                1 + len({draft.path.split("#")[0] for draft in drafts if draft.chunk_type == "appendix"})
            )
            label = f"Bilaga {node.num}" if node.num else "Bilaga"
            drafts.extend(_beside(document, node, spans, paths, f"bilaga.{_compact(number)}", "appendix", label))
        else:
            drafts.extend(_beside(document, node, spans, paths, "preamble", "preamble", "Inledning"))
    return drafts, exclusions


def _section(document: Document, unit: Unit, with_division: bool, paths: UniquePaths) -> Iterator[Draft]:
    """Tier 1: the § with its headings as one draft; above `MAX_SECTION_TOKENS` its parts, each flagged `oversized`."""
    node = unit.node
    chapter, division, schedule = (unit.ancestor(type) for type in ("chapter", "division", "schedule"))
    place = f"kap{_compact(chapter.num or '0') if chapter else '0'}."
    if schedule is not None:
        place = (
            f"bilaga.{_compact(schedule.num or str(_schedule_number(document, schedule)))}.{place if chapter else ''}"
        )
    if with_division and division is not None and division.num:
        place = f"avd{_compact(division.num)}.{place}"
    sign, name = ("art", f"Artikel {node.num}") if node.type == "article" else ("§", f"{node.num} §")
    above = paragraf_header(document, unit.ancestors, None)
    header = SEPARATOR.join(part for part in (above, name if node.num else None) if part)
    path = paths.name(f"{place}{sign}{_compact(node.num or '')}", unit.validity[0])
    is_split = not fits(document.text, unit.spans, MAX_SECTION_TOKENS)
    metadata = {
        "section": name if node.num else None,
        "chapter": chapter.num if chapter else None,
        "chapter_heading": chapter.heading if chapter else None,
        "division": division.num if division else None,
        "schedule": schedule.num if schedule else None,
        "heading": " / ".join([document.text_of(heading) for heading in unit.headings]) if unit.headings else None,
        "amended_by": node.amendments[-1].by if node.amendments else None,
        "oversized": is_split or None,
    }
    yield from node_drafts(
        node, split_under(header, document, node, unit.spans) if is_split else [unit.spans], "statutory_text", path, header,
        unit.validity, content_role=_dominant_role(node), may_be_oversized=True, metadata=metadata,
    )  # fmt: skip


def _transitional(
    document: Document, unit: Unit, holes: Sequence[Span], exclusions: list[Exclusion], paths: UniquePaths
) -> Iterator[Draft]:
    """Yield one chunk for all transitional provisions if they fit, else one per amending act; add its headings to `exclusions`."""
    label, chunk_type = "Övergångsbestämmelser", "transitional"
    has_acts = any(child.type == "transitional" for child in unit.node.children)
    if not has_acts or fits(document.text, unit.spans, budget(paragraf_header(document, (), label))):
        yield from _beside(document, unit.node, unit.spans, paths, "overgangsbest", chunk_type, label)
        return
    for child in unit.node.children:
        spans = text_spans(document, [child], holes)
        if child.type == "heading":
            exclusions.extend(Exclusion(*span, "heading carried in the breadcrumb") for span in spans)
        else:
            path = f"overgangsbest.{child.num}" if child.type == "transitional" and child.num else "overgangsbest"
            yield from _beside(document, child, spans, paths, path, chunk_type, label)


def _beside(
    document: Document, node: Node, spans: tuple[Span, ...], paths: UniquePaths, path: str, chunk_type: str, label: str
) -> Iterator[Draft]:
    """Tier 2: one chunk, or parts of it when it is over the budget."""
    if not spans:
        return
    header = paragraf_header(document, (), label)
    series = default_series(jurisdiction(document.jurisdiction))
    is_transitional = chunk_type == "transitional"
    metadata = {
        "schedule": node.num if chunk_type == "appendix" else None,
        "amended_by": f"{series} {node.num}".strip() if is_transitional and node.num else None,
        "heading": node.heading,
    }
    yield from node_drafts(
        node, split_under(header, document, node, spans), chunk_type, paths.name(path, node.valid_from), header,
        (node.valid_from, node.valid_to), content_role="TRANSITION_PROVISION" if is_transitional else TEXT_ROLE, metadata=metadata,
    )  # fmt: skip


def _compact(number: str) -> str:
    return number.replace(" ", "")


def _schedule_number(document: Document, schedule: Node) -> int:
    """Return the position (from 1) of a schedule without a number among the schedules of the document."""
    return 1 + [node for node, _ in outermost(document, ("schedule",))].index(schedule)


def _chapters_restart(document: Document) -> bool:
    """Whether two divisions have a chapter with the same number, so that paths need the division to be unique."""
    division_of: dict[str | None, Node | None] = {}
    for node, ancestors in document.walk_with_ancestors():
        if node.type == "chapter":
            division = next((above for above in reversed(ancestors) if above.type == "division"), None)
            if division_of.setdefault(node.num, division) is not division:
                return True
    return False


def _dominant_role(node: Node) -> str:
    """Return the role that all parts of the provision share, else STYCKE."""
    roles = {child.role or TEXT_ROLE for child in node.children if child.type not in ("remark", "heading", "footnote")}
    return roles.pop() if len(roles) == 1 else TEXT_ROLE


STRATEGY = Strategy("paragraf", "3", chunk)
