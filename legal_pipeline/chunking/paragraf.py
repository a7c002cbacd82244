"""`paragraf` (seed 000, tiers 1 and 2): one § is one chunk, whatever its length; what stands beside the §§ is a chunk of its own.

Tier 1: path `kap2.§3` (`kap0.§5` without chapters), group headings above a § are its first lines, the amendment mark goes to
metadata, a repealed § gives no chunk, the later of two wordings takes `@date` (or `@villkor`). Tier 2: `preamble`,
`overgangsbest` (above the budget one chunk per amending act, `overgangsbest.2022:1109`, then per numbered point) and `bilaga.N`
(above it at headings, then blocks and table rows). Not here: text that stands in neither (`markdown_merge`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.coverage import join_adjacent, subtract, trim
from legal_pipeline.chunking.headers import swedish_header
from legal_pipeline.chunking.outline import excluded_nodes
from legal_pipeline.chunking.packing import budget, fits, pack, split_blocks, split_lines, split_to_fit
from legal_pipeline.corpus.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.text.sentences import sentence_spans

NAME = "paragraf"
VERSION = "1"

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")


def chunk(document: Document, segment: Segment) -> tuple[list[Draft], list[Exclusion]]:
    """Drafts of the segment's provisions and tier 2 nodes, in text order, and headings and repealed §§ that are left out."""
    return _Paragrafer(document, segment).cut()


class _Paragrafer:
    """One pass over one document: headings wait for the § that follows them."""

    def __init__(self, document: Document, segment: Segment) -> None:
        self.document = document
        self.segment = segment
        self.text = document.text
        self.holes = [(item.start, item.end) for item in excluded_nodes(document)]
        self.drafts: list[Draft] = []
        self.exclusions: list[Exclusion] = []
        self.paths: set[str] = set()
        self.waiting: list[Node] = []
        self.division_matters = _chapters_restart(document)

    def cut(self) -> tuple[list[Draft], list[Exclusion]]:
        for node, ancestors in self.segment.nodes:
            if node.type == "heading":
                self._heading(node, ancestors)
            elif node.type in PROVISIONS:
                self._provision(node, ancestors)
            else:
                self._exclude_waiting("heading without text below it")
                self._tier_2(node)
        self._exclude_waiting("heading without text below it")
        return self.drafts, self.exclusions

    # Tier 1

    def _heading(self, node: Node, ancestors: tuple[Node, ...]) -> None:
        parent = ancestors[-1] if ancestors else None
        own = (
            next((child for child in parent.children if child.type == "heading"), None) if parent is not None else None
        )
        if own is node and parent is not None and parent.type in STRUCTURE:
            self.exclusions.append(Exclusion(node.start, node.end, "heading carried in the breadcrumb"))
        else:
            self.waiting.append(node)

    def _exclude_waiting(self, reason: str) -> None:
        self.exclusions.extend(Exclusion(node.start, node.end, reason) for node in self.waiting)
        self.waiting = []

    def _provision(self, node: Node, ancestors: tuple[Node, ...]) -> None:
        if node.status in ("repealed", "omitted"):
            self._exclude_waiting("heading of a repealed provision")
            self.exclusions.append(Exclusion(node.start, node.end, "repealed provision"))
            return
        spans = [
            part
            for above in [*self.waiting, node]
            for part in subtract((above.start, above.end), self._holes_within(above))
        ]
        chapter = next((above for above in reversed(ancestors) if above.type == "chapter"), None)
        valid_from, valid_to = _validity(node, ancestors)
        path = self._unique(self._path(node, ancestors, chapter), valid_from)
        name = f"Artikel {node.num}" if node.type == "article" else f"{node.num} §"
        self.drafts.append(
            Draft(
                spans=join_adjacent(self.text, trim(self.text, spans)),
                chunk_type="statutory_text",
                path=path,
                header=swedish_header(self.document, ancestors, name if node.num else None),
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
                    "division": next((above.num for above in ancestors if above.type == "division"), None),
                    "heading": " / ".join(self.document.text_of(above) for above in self.waiting) or None,
                    "amended_by": node.amendments[-1].by if node.amendments else None,
                },
            )
        )
        self.waiting = []

    def _path(self, node: Node, ancestors: tuple[Node, ...], chapter: Node | None) -> str:
        number = (chapter.num or "0").replace(" ", "") if chapter else "0"
        sign = "art" if node.type == "article" else "§"
        path = f"kap{number}.{sign}{(node.num or '').replace(' ', '')}"
        division = next((above for above in ancestors if above.type == "division"), None)
        return f"avd{division.num}.{path}" if self.division_matters and division and division.num else path

    def _unique(self, path: str, valid_from: str | None) -> str:
        """A later wording takes its date; a number that the source repeats without one counts up like its eid (`-2`)."""
        if valid_from is not None:
            path = f"{path}@{valid_from if _ISO_DATE.match(valid_from) else 'villkor'}"
        found, repeat = path, 1
        while found in self.paths:
            repeat += 1
            found = f"{path}-{repeat}"
        self.paths.add(found)
        return found

    def _holes_within(self, node: Node) -> list[Span]:
        low = bisect.bisect_left(self.holes, (node.start, -1))
        high = bisect.bisect_left(self.holes, (node.end, -1))
        return self.holes[low:high]

    # Tier 2

    def _tier_2(self, node: Node) -> None:
        if node.status in ("repealed", "omitted"):
            self.exclusions.append(Exclusion(node.start, node.end, "repealed provision"))
        elif node.type == "preamble":
            self._whole_or_parts(node, "preamble", "preamble", "Inledning", "STYCKE")
        elif node.type == "schedule":
            taken = sum(draft.path.startswith("bilaga.") and "#" not in draft.path for draft in self.drafts)
            number = (node.num or str(taken + 1)).replace(" ", "")
            label = f"Bilaga {node.num}" if node.num else "Bilaga"
            self._whole_or_parts(node, f"bilaga.{number}", "appendix", label, "STYCKE")
        else:
            acts = [child for child in node.children if child.type == "transitional"]
            header = swedish_header(self.document, (), "Övergångsbestämmelser")
            if not acts or fits(self.document.text_of(node), budget(header)):
                self._whole_or_parts(
                    node, "overgangsbest", "transitional", "Övergångsbestämmelser", "TRANSITION_PROVISION"
                )
                return
            first = acts[0]
            for above in node.children[: node.children.index(first)]:
                self.exclusions.append(Exclusion(above.start, above.end, "heading carried in the breadcrumb"))
            for act in acts:
                path = f"overgangsbest.{act.num}" if act.num else "overgangsbest"
                self._whole_or_parts(act, path, "transitional", "Övergångsbestämmelser", "TRANSITION_PROVISION")

    def _whole_or_parts(self, node: Node, path: str, chunk_type: str, label: str, role: str) -> None:
        header = swedish_header(self.document, (), label)
        limit = budget(header)
        spans = join_adjacent(self.text, trim(self.text, subtract((node.start, node.end), self._holes_within(node))))
        if not spans:
            return
        path = self._unique(path, node.valid_from)
        for number, part in enumerate(self._parts(spans, node, limit), start=1):
            self.drafts.append(
                Draft(
                    spans=part,
                    chunk_type=chunk_type,
                    path=path if number == 1 else f"{path}#{number}",
                    header=header,
                    anchor=node.start,
                    eid=node.eid,
                    content_role=role,
                    level=2,
                    valid_from=node.valid_from,
                    valid_to=node.valid_to,
                    metadata={
                        "schedule": node.num if node.type == "schedule" else None,
                        "amended_by": node.num if node.type == "transitional" else None,
                        "heading": node.heading,
                    },
                )
            )

    def _parts(self, spans: Sequence[Span], node: Node, limit: int) -> Iterator[tuple[Span, ...]]:
        """The spans as one part when they fit; else cut at children (points, headings, tables), blocks, rows and sentences."""
        if fits("\n".join(self.text[start:end] for start, end in spans), limit):
            yield tuple(spans)
            return
        starts = {child.start for child in node.children}
        pieces: list[Span] = []
        for span in spans:
            cuts = sorted({span[0], *(start for start in starts if span[0] < start < span[1])})
            pieces.extend(trim(self.text, zip(cuts, [*cuts[1:], span[1]], strict=True)))
        small = [
            part
            for piece in pieces
            for part in split_to_fit(self.text, piece, limit, (split_blocks, split_lines, self._sentences))
        ]
        for group in pack(self.text, small, limit):
            yield join_adjacent(self.text, group)

    def _sentences(self, text: str, span: Span) -> list[Span]:
        start, end = span
        return [(start + low, start + high) for low, high in sentence_spans(text[start:end], self.document.language)]


def _chapters_restart(document: Document) -> bool:
    """Whether a chapter number stands in two divisions, so that paths need the division to be unique."""
    seen: dict[str | None, Node | None] = {}
    for node, ancestors in document.walk_with_ancestors():
        if node.type == "chapter":
            division = next((above for above in ancestors if above.type == "division"), None)
            if node.num in seen and seen[node.num] is not division:
                return True
            seen[node.num] = division
    return False


def _validity(node: Node, ancestors: tuple[Node, ...]) -> tuple[str | None, str | None]:
    """The provision's own dates, else those of the nearest chapter or division that has any."""
    valid_from, valid_to = node.valid_from, node.valid_to
    for above in reversed(ancestors):
        valid_from, valid_to = valid_from or above.valid_from, valid_to or above.valid_to
    return valid_from, valid_to


def _dominant_role(node: Node) -> str:
    """The role that all parts of the provision share, else STYCKE (seed 000)."""
    roles = {child.role or "STYCKE" for child in node.children if child.type not in ("remark", "heading", "footnote")}
    return roles.pop() if len(roles) == 1 else "STYCKE"
