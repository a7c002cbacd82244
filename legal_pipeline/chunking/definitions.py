"""Definitions in an Act: which provisions define terms, and where each definition begins and ends.

Reads the patterns of the language (section `definitions` of its data) and the patterns common to all (`definitions.toml`).
Not here: what is made from a definition (`chunking.proposition`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.model.document import GONE, STRUCTURE, Document, Node
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.spans import trim

#: Minimum number of defining sentences in a definitions section, whatever its heading.
SENTENCES = 3
#: The reason of a segment whose heading announces definitions.
HEADED = "heading of definitions"

_ENTRIES = frozenset({"subsection", "paragraph", "item", "definition", "explanation", "proviso"})
_ASIDE = frozenset({"heading", "footnote", "remark", "running_header", "running_footer", "page_number", "illustration"})
_BLOCK = re.compile(r"\S[^\n]*")
_NO_TERM = re.compile(r"explanation|illustration|proviso", re.IGNORECASE)
_MARKER = re.compile(r"(?:\(?[\divxlcA-Za-z]{1,5}[.)]\s+|[•*–-]\s+)+")
_LEADS_IN = ":,;—–-"
#: A run of fewer words than this is too short to be a definition that the rules missed.
_WORDS = 8


#: The end of a block that announces a list.
_ANNOUNCES = (":", "—", "–", "-", ":—", ":-")
_NUMBER = re.compile(r"(?P<open>\(?)(?P<number>\d{1,3}[A-Z]{0,2}|[A-Za-z]{1,2}|[ivxlc]{1,6})(?P<close>[.)])\s")


@dataclass(frozen=True, slots=True)
class Definition:
    """`terms` as printed; `owner` is the innermost numbered node that holds the definition, `numbers` the path from the section to it."""

    terms: tuple[str, ...]
    start: int
    end: int
    node: Node
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Patterns:
    """The compiled patterns of one language."""

    quoted: re.Pattern[str]
    headings: tuple[re.Pattern[str], ...]
    lead: tuple[re.Pattern[str], ...]
    begins: tuple[re.Pattern[str], ...]
    begins_unquoted: tuple[re.Pattern[str], ...]
    within: tuple[re.Pattern[str], ...]
    inline: re.Pattern[str]
    also: tuple[re.Pattern[str], ...]
    gone: tuple[re.Pattern[str], ...]
    elsewhere: tuple[re.Pattern[str], ...]
    texts: dict[str, str]
    #: The form in which a provision is cited: `{num} §`.
    cite: dict[str, str]
    truncated: re.Pattern[str]

    def announces(self, heading: str) -> bool:
        """Whether a heading announces definitions."""
        return any(pattern.fullmatch(heading.strip()) for pattern in self.headings)

    def leads(self, text: str) -> bool:
        """Whether `text` contains words that begin a list of definitions."""
        return any(pattern.search(text) for pattern in self.lead)

    def may_define(self, text: str) -> bool:
        """A cheap test before every entry is read: enough quoted terms, or words that begin a list of definitions."""
        found = self.quoted.finditer(text)
        return all(next(found, None) is not None for _ in range(SENTENCES)) or self.leads(text)


@functools.cache
def load_patterns(language: str) -> Patterns | None:
    """Return the patterns for a language (ISO 639-3 or a tag), None for a language without patterns."""
    data = data_file(__package__, "definitions.toml")
    own = language_data(language).section("definitions")
    if not own:
        return None
    quoted = data["quoted"]

    def compiled(name: str, flags: int = 0) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(item.replace("QUOTED", quoted), flags) for item in own[name])

    return Patterns(
        quoted=re.compile(quoted),
        lead=compiled("lead", re.IGNORECASE | re.MULTILINE),
        begins_unquoted=compiled("begins_unquoted"),
        inline=re.compile(own["inline"].replace("QUOTED", quoted)),
        **{
            name: compiled(name, re.IGNORECASE)
            for name in ("headings", "begins", "within", "also", "gone", "elsewhere")
        },
        texts={name: own[name] for name in ("proposition", "named")},
        cite=language_data(language).section("changes").get("cite", {}),
        truncated=re.compile(data["truncated"]),
    )


def defining(document: Document, nodes: Sequence[tuple[Node, tuple[Node, ...]]]) -> Iterator[tuple[Node, str]]:
    """Yield (provision or schedule, reason) for each that defines terms: by its heading, its chapter's, or three defining sentences."""
    patterns = load_patterns(document.language)
    if patterns is None:
        return
    group: str | None = None
    for node, ancestors in nodes:
        if node.type == "heading":
            group = document.text_of(node)
            continue
        if node.status in GONE:
            continue
        headings = (node.heading, group, *(item.heading for item in ancestors if item.type in STRUCTURE))
        if any(patterns.announces(heading) for heading in headings if heading):
            yield node, HEADED
        elif patterns.may_define(document.text_of(node)) and len(find_definitions(document, node, False)) >= SENTENCES:
            yield node, f"at least {SENTENCES} definitional sentences"


def find_definitions(document: Document, section: Node, headed: bool) -> list[Definition]:
    """Return every definition of a provision in text order; a definition inside another's explanation follows it.

    `headed`: the provision's heading announces definitions.
    """
    patterns = load_patterns(document.language)
    if patterns is None:
        return []
    return _Finder(document, patterns, headed, patterns.leads(document.text_of(section))).find(section)


def unresolved_lines(document: Document, section: Node, found: Sequence[Definition]) -> list[Span]:
    """Return the lines of a provision headed as definitions that none of the definitions `found` covers, in text order.

    They may define (`A person is said to cheat when …`) or not: rules cannot decide it. Left out are headings, footnotes and similar nodes,
    introductory words, repealed definitions, terms defined by reference to other laws, and runs of a few words.
    """
    patterns = load_patterns(document.language)
    if patterns is None:
        return []
    text = document.text
    held = [(item.start, item.end) for item in found]
    aside = [(node.start, node.end) for node in section.walk() if node.type in _ASIDE and node is not section]
    starts = {start for start, _ in held}
    runs: list[list[Span]] = [[]]
    for block in _BLOCK.finditer(text, section.start, section.end):
        (span,) = trim(text, [block.span()])
        if any(start < span[1] and span[0] < end for start, end in held):
            runs.append([])
            continue
        line = text[span[0] : span[1]]
        following = _BLOCK.search(text, span[1], section.end)
        leads = line[-1] in _LEADS_IN and following is not None and following.start() in starts
        is_aside = any(start <= span[0] < end for start, end in aside)
        if not leads and not is_aside and _may_define(line, patterns):
            runs[-1].append(span)
    return [span for run in runs if sum(len(text[a:b].split()) for a, b in run) >= _WORDS for span in run]


def _may_define(line: str, patterns: Patterns) -> bool:
    """Whether a line is neither a repealed definition nor one by reference to another law."""
    said = line[match.end() :] if (match := _MARKER.match(line)) else line
    is_elsewhere = any(pattern.search(line) for pattern in patterns.elsewhere)
    return not is_elsewhere and not any(pattern.match(said) for pattern in patterns.gone)


def _numbered(block: str) -> tuple[str, str] | None:
    """Return (marks, number) at the beginning of a block of text: `()`, `3` of "(3) The Minister …"."""
    match = _NUMBER.match(block)
    return (match["open"] + match["close"], match["number"]) if match else None


def _follows(before: tuple[str, str], number: tuple[str, str]) -> bool:
    """Whether `number` can be the next in the list of `before`: marks and kind are the same, and it is not the first of a list."""
    kinds = [item.isdigit() or item[0].isdigit() for item in (before[1], number[1])]
    cases = [item.isupper() for item in (before[1], number[1])]
    return before[0] == number[0] and kinds[0] == kinds[1] and (kinds[0] or cases[0] == cases[1])


class _Finder:
    def __init__(self, document: Document, patterns: Patterns, headed: bool, led: bool) -> None:
        self._text = document.text
        self._patterns = patterns
        self._headed = headed
        self._led = led

    def find(self, section: Node) -> list[Definition]:
        found = [part for item in self._entries(section, ()) for part in self._parted(item)]
        found.sort(key=lambda item: (item.start, -item.end))
        return [item for item in found if not self._is_gone(item)]

    def _parted(self, item: Definition) -> Iterator[Definition]:
        """Yield a definition, and the definitions whose numbers are in the same line: `section 408; (91) "turnover" means …`."""
        cuts: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
        for match in self._patterns.inline.finditer(self._text, item.start, item.end) if item.numbers else ():
            if terms := self._begins(match.end(), item.end):
                cuts.append((match.start() + 1, terms, (*item.numbers[:-1], match["num"])))
        if item.node.type == "definition":
            cuts += self._blocks_of_others(item)
        yield replace(item, end=cuts[0][0]) if cuts else item
        for index, (start, terms, numbers) in enumerate(cuts):
            end = cuts[index + 1][0] if index + 1 < len(cuts) else item.end
            yield Definition(terms, start, end, item.node, numbers)

    def _blocks_of_others(self, item: Definition) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
        """Yield where other definitions begin in blocks of a definition's own text, for sources that join several definitions."""
        inner = [(child.start, child.end) for child in item.node.children]
        for block in _BLOCK.finditer(self._text, item.start, item.end):
            is_own = block.start() > item.start and not any(start <= block.start() < end for start, end in inner)
            if is_own and (terms := self._begins(*block.span())):
                yield block.start(), terms, item.numbers

    def _entries(self, node: Node, numbers: tuple[str, ...]) -> Iterator[Definition]:
        """Yield the definitions of the node's own text, then those of its entries."""
        children = [child for child in node.children if child.type in _ENTRIES and child.end > child.start]
        first = children[0].start if children else node.end
        if node.type in _ENTRIES:
            head = self._without_marker(node.start, first)
            # "(2) “animal” means": the definition is the whole sub-section.
            if head >= first and children and children[0].type == "definition":
                terms = self._begins(children[0].start, children[0].end) or self._term_of(children[0])
                if terms:
                    yield Definition(terms, node.start, node.end, node, numbers)
                    below = [child for child in children[0].children if child.type in _ENTRIES]
                    yield from self._children(below, numbers)
                    yield from self._children(children[1:], numbers)
                    return
            terms = self._term_of(node) or self._begins(
                head, first, self._led and node.type in ("item", "paragraph", "definition")
            )
            if not terms and self._headed and len(numbers) == 1 and node.type != "definition":
                terms = self._within(node, first)
            if terms:
                yield Definition(terms, node.start, node.end, node, numbers)
        else:
            yield from self._blocks(node, numbers)
        yield from self._children(children, numbers)

    def _children(self, children: Sequence[Node], numbers: tuple[str, ...]) -> Iterator[Definition]:
        for child in children:
            label = f"Explanation {child.num or ''}".strip() if child.type == "explanation" else child.num
            yield from self._entries(child, (*numbers, label) if label else numbers)

    def _blocks(self, section: Node, numbers: tuple[str, ...]) -> Iterator[Definition]:
        """Yield the definitions in blocks of a section's text that belong to no entry; each ends where the next begins."""
        taken = [child for child in section.children if child.type in _ENTRIES or child.type in _ASIDE]
        starts: list[tuple[int, tuple[str, ...]]] = []
        position = section.start
        for low, high in [*((child.start, child.end) for child in taken), (section.end, section.end)]:
            for block in _BLOCK.finditer(self._text, position, low):
                terms = self._begins(self._without_marker(block.start(), block.end()), block.end(), self._led)
                if terms:
                    starts.append((block.start(), terms))
            position = max(position, high)
        for index, (start, terms) in enumerate(starts):
            edge = starts[index + 1][0] if index + 1 < len(starts) else section.end
            entry = next(
                (c.start for c in taken if c.type in ("definition", "heading") and start < c.start < edge), edge
            )
            quoted = (c.end for c in section.children if c.type == "quotation" and c.start <= start < c.end)
            yield Definition(terms, start, self._last(terms, start, min([entry, *quoted])), section, numbers)
        if not starts and self._headed and not any(child.type in _ENTRIES for child in section.children):
            begin = next((child.end for child in section.children if child.type == "heading"), section.start)
            if terms := self._within(section, section.end, begin):
                yield Definition(terms, begin, section.end, section, numbers)

    def _last(self, terms: tuple[str, ...], start: int, edge: int) -> int:
        """Return the end of the definition at `start`: the end of its last block before `edge`.

        A numbered block belongs to it in a list that a block of the definition announces; an unnumbered block belongs to it where it
        continues a sentence or names the term.
        """
        blocks = _BLOCK.finditer(self._text, start, edge)
        first = next(blocks)
        own = _numbered(first.group())
        lists: list[tuple[str, str]] = []
        before, end = first.group().rstrip(), first.end()
        for block in blocks:
            text = block.group().rstrip()
            number = _numbered(text)
            is_announced = before.endswith(_ANNOUNCES)
            if number is None:
                belongs = is_announced or not text[0].isupper() or before[-1] not in ".!?"
                belongs = belongs or any(term in text for term in terms)
            elif is_announced and number[1].lower() in ("1", "a", "i"):
                belongs = True
                lists.append(number)
            else:
                open_list = next((item for item in reversed(lists) if _follows(item, number)), None)
                belongs = open_list is not None and not (own is not None and _follows(own, number) and own not in lists)
                if open_list is not None:
                    del lists[lists.index(open_list) :]
                    lists.append(number)
            if not belongs:
                return end
            before, end = text, block.end()
        return edge

    def _without_marker(self, start: int, end: int) -> int:
        match = _MARKER.match(self._text, start, end)
        position = match.end() if match else start
        while position < end and self._text[position].isspace():
            position += 1
        return position

    def _term_of(self, node: Node) -> tuple[str, ...]:
        term = node.attributes.get("term")
        if node.type != "definition" or not term or term not in self._text[node.start : node.end]:
            return ()
        # The term that the parser guessed is used only where the text neither quotes nor sets off a term.
        return self._begins(node.start, node.end) or (() if _NO_TERM.match(term) else (str(term),))

    def _begins(self, start: int, end: int, unquoted: bool = False) -> tuple[str, ...]:
        for pattern in self._patterns.begins:
            if match := pattern.match(self._text, start, end):
                more = [
                    self._terms(item)
                    for also in self._patterns.also
                    for item in also.finditer(self._text, match.end(), end)
                ]
                return tuple(dict.fromkeys((*self._terms(match), *(term for terms in more for term in terms))))
        if unquoted or (self._headed and self._led):
            for pattern in self._patterns.begins_unquoted:
                if match := pattern.match(self._text, start, end):
                    return (match["term"].strip(),)
        return ()

    def _within(self, node: Node, end: int, start: int | None = None) -> tuple[str, ...]:
        head = self._text[node.start if start is None else start : end]
        terms = [
            (match.start(), term)
            for pattern in self._patterns.within
            for match in pattern.finditer(head)
            for term in self._terms(match)
        ]
        return tuple(dict.fromkeys(term for _, term in sorted(terms)))

    def _terms(self, match: re.Match[str]) -> tuple[str, ...]:
        if "term" in match.re.groupindex:
            return (match["term"].strip(),)
        return tuple(
            dict.fromkeys(item.group()[1:-1].strip(" ,") for item in self._patterns.quoted.finditer(match.group()))
        )

    def _is_gone(self, item: Definition) -> bool:
        start = self._without_marker(item.start, item.end)
        return any(pattern.match(self._text[start : item.end]) for pattern in self._patterns.gone)
