"""From mentions to references: the only place that resolves "this Act", "ibid", "this section", short names and ranges.

Reads mentions in text order, with the works named before in the text and the citing document. Not here: finding mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from legal_pipeline.citations.mention import SCHEDULE, UNKNOWN, UNSAID, Mention, Work
from legal_pipeline.citations.model import CitingDocument, Kind, Reference, beneath
from legal_pipeline.model.document import STRUCTURE
from legal_pipeline.model.identity import EID_PREFIXES

#: A provision with the number of its book: `art_3-40` is article 40 of book 3; in `art_5.69` the whole number is repeated there.
_IN_BOOK = re.compile(r"(?P<kind>[a-z]+_)(?P<book>\d+[a-z]?)(?:-(?=\d)|(?=\.\d))")
#: Levels that have no paragraphs of their own.
_DIVISIONS = frozenset(EID_PREFIXES[kind] for kind in STRUCTURE)
#: Divisions whose paragraphs are cited as those "of that Schedule".
_CONTAINERS = (SCHEDULE, "part")
_LETTERED_POINT = re.compile(r"__item_(\d+)__item_([a-z])$")


def resolve(
    mentions: Iterable[Mention], document: CitingDocument | None = None, *, in_query: bool = False
) -> list[Reference]:
    """Return the references of `mentions`, which are in text order and from the text of `document`.

    Left out: "this Act" and "this section" without a document that they can mean, the numbers of the document's own provisions, and an
    annex without an Act that the document lacks, unless the text is a query (`in_query`).
    """
    resolver = _Resolver(document or CitingDocument(None), in_query)
    return [reference for mention in mentions for reference in resolver.references(mention)]


def _in_book(
    books: Mapping[str, Mapping[str, str]], work: str | None, eids: tuple[str, ...]
) -> tuple[str | None, tuple[str, ...]]:
    """Return the book of a code that has a work per book, and the provisions as the book numbers them: article 3:40 is its article 40."""
    head = _IN_BOOK.match(eids[0]) if books and work and eids else None
    for code, parts in books.items():
        if head is not None and (part := parts.get(head["book"])) is not None and work in (code, part):
            return part, tuple(_IN_BOOK.sub(r"\g<kind>", eid, count=1) if "-" in eid else eid for eid in eids)
    return work, eids


def _main(eids: Sequence[str]) -> str:
    """Return the article or section of the first of `eids`, without the levels below it."""
    return beneath(eids[0], "") if eids else ""


class _Resolver:
    """Resolves mentions in order and keeps the works that the text has named so far."""

    def __init__(self, document: CitingDocument, in_query: bool) -> None:
        self.document = document
        self.in_query = in_query
        self.own = None if document.is_judgment else document.work_uri
        self.last: Reference | None = None
        #: The provision or work cited last, not a case.
        self.last_cited: Reference | None = None
        #: The provision cited last in a schedule or Part.
        self.last_of: dict[str, Reference] = {}
        #: The work named last, and where.
        self.last_work: str | None = None
        self.last_named_at = -1
        self.last_names: tuple[str, ...] = ()
        self.by_name: dict[str, str | None] = {}
        #: Citing provisions that have cited a provision of another work.
        self.citing_others: set[str] = set()
        #: Main provision -> the works, known or not, that the text has named it with.
        self.named_with: dict[str, set[str | None]] = {}
        #: The chapter cited last, and its work.
        self.last_chapter: tuple[str, str | None] | None = None

    def references(self, mention: Mention) -> Iterator[Reference]:
        if mention.opening is not None and self.document.opens(mention.opening):
            return
        found = self._again(mention) if mention.work.by == "again" else self._first(mention)
        for reference in found:
            # If a case is cited by two reports, "Id." means the first.
            is_same = mention.is_parallel and self.last is not None and self.last.kind == reference.kind == "case"
            self.last = self.last if is_same else reference
            self.last_cited = self.last_cited if reference.kind == "case" else reference
            self.last_of |= {kind: reference for kind in _CONTAINERS if f"{kind}_" in (reference.eid or "")}
            if reference.within and reference.eid and reference.work_uri != self.document.work_uri:
                self.citing_others.add(reference.within)
            yield reference

    def _again(self, mention: Mention) -> Iterator[Reference]:
        """Yield the previous reference, or other provisions of its work."""
        last = self.last
        if last is None:
            return
        if not mention.eids or not last.eid or not last.work_uri:
            yield self._reference(mention, last.work_uri, last.eid, last.kind)
            return
        for eid in mention.eids:
            is_same = last.eid.split("__")[0] == eid.split("__")[0]
            yield self._reference(mention, last.work_uri if is_same else None, eid)

    def _first(self, mention: Mention) -> Iterator[Reference]:
        if mention.work.by in ("section", "provision"):
            found = [*(self._in_citing_section(mention) if self._is_in_section(mention) else self._in_last(mention))]
            yield from found
            if not found and mention.otherwise and self._is_of_document((_main(mention.otherwise),)):
                yield from self._first(replace(mention, work=UNSAID, eids=mention.otherwise, must_exist=False))
            return
        if mention.work.by == "beside" and mention.work.before is not None and self._series(mention.work) is None:
            mention = replace(mention, work=mention.work.before)
        work, eids = self._work(mention), mention.eids
        if mention.work.by == "chapter" and self.last_chapter is not None:
            chapter, work = self.last_chapter
            eids = tuple(f"{chapter}__{eid}" for eid in eids)
        needs_work = mention.must_exist or mention.work.by == "beside" or (mention.work.by == "own" and not eids)
        if (work is None and needs_work) or (mention.may_be_exhibit and not self._is_of_document(eids)):
            return
        if mention.work.by in ("unsaid", "bare") and work != self.document.work_uri:
            eids = self._in_last_chapter(work, eids)
        self._remember(mention, work, eids)
        work, eids = _in_book(mention.books, work, eids)
        if eids and work is not None and work == self.document.work_uri:
            yield from self._own_provisions(mention, eids)
        else:
            for eid in eids or (None,):
                yield self._reference(mention, work, eid, mention.kind)

    def _in_last_chapter(self, work: str | None, eids: tuple[str, ...]) -> tuple[str, ...]:
        """Return bare sections of a work that counts them by chapters as those of the chapter cited last: "12 kap. 42 § … 44 §"."""
        last = self.last_cited
        if last is None or work is None or last.work_uri != work or not all(eid.startswith("sec_") for eid in eids):
            return eids
        chapter, _, section = (last.eid or "").partition("__")
        return tuple(f"{chapter}__{eid}" for eid in eids) if chapter.startswith("chp_") and section else eids

    def _is_of_document(self, eids: Sequence[str]) -> bool:
        """Whether what is cited without an Act is of the citing work, or is looked for: an annex may be an exhibit of a party."""
        return self.in_query or any(self.document.holds(self.document.resolve(eid)) for eid in eids)

    def _work(self, mention: Mention) -> str | None:
        """Return the URI of the work that the mention names; None where it is not known."""
        named, own = mention.work, self.own
        if named.by in ("own", "chapter"):
            if named.name and not (own and re.search(named.kind, own)):
                return self.by_name.get(named.name) if mention.eids else None
            return self.last_work if self._is_announced(named) else own
        if named.by == "short":
            return self.by_name.get(named.name, named.uri)
        if named.by == "earlier":
            # A noun refers to the work named last, unless that is known to be of another kind.
            if named.kind and not self.last_names:
                return self.last_work
            is_of_another_kind = bool(named.kind) and named.name not in self.last_names
            return self.by_name.get(named.name, None if is_of_another_kind else self.last_work)
        if named.by in ("unsaid", "bare"):
            return self.last_work if self._is_announced(named) else own or self._unsaid(mention)
        uri = named.uri
        if named.by == "beside":
            series = self._series(named)
            uri = f"{series}{named.name}" if series is not None else None
        # The citing work may be the part that contains the cited section.
        return own if own and uri and mention.eids and uri.startswith(f"{own}/") else uri

    def _series(self, work: Work) -> str | None:
        """Return the series of works in which the citing work and `work`, named by its number in the series, are; None without one."""
        found = re.match(work.uri or "", self.own or "")
        return found[0] if found is not None else None

    def _is_announced(self, named: Work) -> bool:
        """Whether a list's first line names the work."""
        return named.announced is not None and named.announced[0] < self.last_named_at <= named.announced[1]

    def _unsaid(self, mention: Mention) -> str | None:
        """Return the work that the sentence names, unless the text has named the provision with another work only: then that work."""
        named = mention.work
        work = self._work(replace(mention, work=named.before)) if named.before else named.uri
        before = self.named_with.get(_main(mention.eids), set())
        if not before or work in before or named.before == UNKNOWN or not self._names_works():
            return work
        return next(iter(before)) if len(before) == 1 else None

    def _names_works(self) -> bool:
        """Whether the document names works with provisions, as judgments do; the bare provisions of an Act are its own."""
        return self.document.is_judgment or not self.document.provisions

    def _remember(self, mention: Mention, work: str | None, eids: tuple[str, ...]) -> None:
        if mention.is_remembered:
            self.last_work, self.last_named_at, self.last_names = work, mention.end, mention.names
        for name in mention.names:
            self.by_name[name] = work
        if mention.work.by not in ("unsaid", "bare"):
            for eid in eids:
                self.named_with.setdefault(_main((eid,)), set()).add(work)
        chapter, _, below = eids[-1].partition("__") if eids else ("", "", "")
        if below and chapter.startswith("chp_"):
            self.last_chapter = chapter, work

    def _own_provisions(self, mention: Mention, eids: tuple[str, ...]) -> Iterator[Reference]:
        """Yield provisions of the citing work, by its own names; a number without an Act that the work lacks belongs to another work."""
        document = self.document
        near = document.provision_at(mention.start)
        for eid in self._range(mention, eids, near):
            named = self._own_name(eid, near, mention.is_lettered)
            if mention.work.by == "unsaid" and document.lacks(named):
                yield self._reference(mention, None, eid)
            else:
                yield self._reference(mention, document.work_uri, named)

    def _range(self, mention: Mention, eids: tuple[str, ...], near: str | None) -> Sequence[str]:
        """Return `eids` with all provisions of the citing work between first and last: 2 a of "1–3", but no number that it lacks."""
        if len(eids) < 2:
            return eids
        first = self.document.resolve(mention.after or eids[0], near)
        inside = self.document.between(first, self.document.resolve(eids[-1], near))
        return (inside[1:] if mention.after else inside) or eids

    def _own_name(self, eid: str, near: str | None, is_lettered: bool) -> str:
        found = self.document.resolve(eid, near)
        if is_lettered and not self.document.holds(found) and (letter := _LETTERED_POINT.search(eid)):
            inserted = self.document.resolve(f"{eid[: letter.start()]}__item_{letter[1]}{letter[2]}", near)
            return inserted if self.document.holds(inserted) else found
        return found

    def _is_in_section(self, mention: Mention) -> bool:
        return mention.work.by == "section" and self.document.provision_at(mention.start) is not None

    def _in_last(self, mention: Mention) -> Iterator[Reference]:
        """Yield the provision cited last in the paragraph, or levels below it; nothing where a work was named after it."""
        last, since, kind = self.last_cited, mention.work.since, mention.work.kind
        if kind in _CONTAINERS:
            yield from self._in_last_container(mention, kind)
            return
        if last is None or not last.eid or since is None or last.start < since:
            return
        if mention.eids and last.eid.rpartition("__")[2].partition("_")[0] in _DIVISIONS:
            return  # "first paragraph" after a citation of a chapter is that of an unknown provision
        for below in mention.eids or ("",):
            yield self._reference(mention, last.work_uri, beneath(last.eid, below))

    def _in_last_container(self, mention: Mention, kind: str) -> Iterator[Reference]:
        """Yield levels below the schedule or Part cited last in the paragraph: "paragraph 4(1) of that Schedule". Words that do not say
        what they belong to (`must_exist`) are below that of the provision cited last, in a text that is not itself law."""
        last, since = self.last_of.get(kind), mention.work.since
        if last is None or since is None or last.start < since:
            return
        if mention.must_exist and not (last is self.last and self._names_works()):
            return
        above, _, below = (last.eid or "").partition(f"{kind}_")
        container = f"{above}{kind}_{below.partition('__')[0]}"
        for level in mention.eids:
            yield self._reference(mention, last.work_uri, f"{container}__{level}")

    def _in_citing_section(self, mention: Mention) -> Iterator[Reference]:
        """Yield the section that contains the words, or levels below it."""
        document = self.document
        section = document.provision_at(mention.start) or ""
        # "Section 20 of the Sale Act is amended in subsection (1)": the level may be of the other work
        if mention.must_exist and mention.work.since is not None and section in self.citing_others:
            return
        near = document.node_at(mention.start)
        for below in mention.eids:
            found = document.resolve(f"{section}__{below}", near)
            if document.holds(found) or not mention.must_exist:
                yield self._reference(mention, document.work_uri, found)
        if not mention.eids:
            yield self._reference(mention, document.work_uri, section)

    def _reference(self, mention: Mention, work: str | None, eid: str | None, kind: Kind = "provision") -> Reference:
        within = self.document.provision_at(mention.start)
        return Reference(mention.start, mention.end, mention.raw, work, eid, kind, within)
