"""Turn the blocks of the plain layout, in which the government's registers print statutes, into structure.

Public: `write_statute` (text into a builder) and `parse_statute_text` (text and header metadata to a document).
Not here: cutting and classifying blocks (`parsing.sweden.layout`), the place of nodes (`parsing.sweden.writer`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden import layout as kinds
from legal_pipeline.parsing.sweden.header import StatuteHeader
from legal_pipeline.parsing.sweden.last_sentences import is_last_sentence, may_be_last_sentence
from legal_pipeline.parsing.sweden.layout import Block, BlockReader, Pairs
from legal_pipeline.parsing.sweden.lists import MARKER, Lists
from legal_pipeline.parsing.sweden.marks import leading_marks, repealed_by, trailing_amendments
from legal_pipeline.parsing.sweden.writer import StatuteWriter
from legal_pipeline.parsing.text_tables import TableColumns

#: Maximum length of a heading; a longer text without a full stop is a stycke.
_HEADING_CHARS = 220
_HEADING_LINES = 5
_ABBREVIATION_END = re.compile(r"(?:\bm\. ?m|\bm\. ?fl|\bo\. ?d|\bd\. ?y|\betc|\bdyl|\bosv|\bp\.g\.a|\bf\.d)\.$")
#: A heading does not end with these words: the sentence continues in a list or a table.
_OPEN_END = re.compile(
    r"\b(?:att|av|den|det|de|dels|eller|enligt|från|för|följande|genom|i|inom|med|mellan|när|om|och|på|samt|som|till|under|vid|är|"
    r"avses|gäller|innebär|följer|anges|omfattar)$"
)
_STRUCTURE_AHEAD = frozenset(
    {kinds.SECTION, kinds.CHAPTER, kinds.DIVISION, kinds.SUBDIVISION, kinds.ARTICLE, kinds.SCHEDULE}
)
_SENTENCE_ENDS = frozenset('.!?)/"”')
#: Number of following blocks that are searched for the next item of a numbered list.
_LONGEST_POINT = 30
_CHAPTER_LINE = re.compile(r"\d+ ?[a-z]? kap\.")
_DIGITS = re.compile(r"\d+")
_FINITE = re.compile(r"\b(?:finns|framgår|gäller|ska|skall|får|kan|upphävs|upphör|träder|anges|har)\b")
#: More short lines than this in a row are a list of names, not headings.
_LONGEST_HEADING_CHAIN = 4


def parse_statute_text(body: str, header: StatuteHeader, source: SourceFile) -> Document:
    """Parse a statute from `body` (plain layout, LF line ends) and its known header.

    Offsets of the map point into `body`. Raises `EmptyDocumentError` for a body without text.
    """
    builder = DocumentBuilder()
    warnings = write_statute(body, builder)
    acts = repealed_by(body.lstrip().partition("\n")[0].rstrip())[1]
    if acts and header.metadata.get("repealed_by") is None:
        # The first line of a statute that was repealed as a whole names the repealing act.
        header = replace(header, metadata={**header.metadata, "repealed_by": acts[0].by})
    return header.document(builder, source, warnings=warnings)


def write_statute(body: str, builder: DocumentBuilder) -> tuple[str, ...]:
    """Write `body` into `builder`; return warnings (numbers that run backwards, uncertain headings)."""
    return _PlainStatute(BlockReader(body).read(), StatuteWriter(builder)).write()


class _PlainStatute:
    def __init__(self, blocks: Sequence[Block], writer: StatuteWriter) -> None:
        #: With a block of no kind behind the last one.
        self.blocks = [*blocks, Block(kinds.END, "", 0)]
        self.writer = writer
        self.lists = Lists()
        self.columns: TableColumns | None = None
        self.warnings: list[str] = []
        #: The part that contains the current block: "body", "schedule" or "transitional".
        self.part = "body"
        self.in_provision = False
        self.in_treaty = False
        self.seen_provision = False
        #: Whether the current chapter has a heading above another heading; a single heading is then an underrubrik.
        self.two_levels = False
        self.has_sections = any(block.kind == kinds.SECTION for block in self._body_blocks())
        #: Whether the last unstructured text ended in the middle of a sentence, so that the next text continues it.
        self.open_end = False
        #: Whether that text introduced a list or was a name in a list.
        self.open_list = False
        self.await_title = False
        self.last_number = 0

    def _body_blocks(self) -> list[Block]:
        for index, block in enumerate(self.blocks):
            if block.kind in (kinds.TRANSITIONAL, kinds.SCHEDULE) and index:
                return self.blocks[:index]
        return self.blocks

    def write(self) -> tuple[str, ...]:
        handlers = {
            kinds.SECTION: self.section,
            kinds.CHAPTER: self.chapter,
            kinds.DIVISION: self.division,
            kinds.SUBDIVISION: self.subdivision,
            kinds.ARTICLE: self.article,
            kinds.SCHEDULE: self.schedule,
            kinds.TRANSITIONAL: self.transitional,
            kinds.ACT_NUMBER: self.act_number,
            kinds.ITEM: self.item,
            kinds.TABLE: self.table,
            kinds.TEXT: self.text,
            kinds.NOTE: self.note,
            kinds.MARK: self.mark,
        }
        index = 0
        while (block := self.blocks[index]).kind != kinds.END:
            if block.kind != kinds.TABLE:
                self.columns = None
            index = handlers[block.kind](index, block) or index + 1
        self.writer.finish()
        return tuple(self.warnings)

    # -- structure ------------------------------------------------------------------------------------------------------

    def _new_structure(self) -> None:
        self.lists.end()
        self.two_levels = False
        self.in_provision = False
        self.open_end = False
        self.await_title = False
        self.last_number = 0

    def section(self, index: int, block: Block) -> int | None:
        self.lists.end()
        self.await_title = False
        self.in_provision = self.seen_provision = True
        digits = _DIGITS.search(block.num or "")
        number = int(digits.group()) if digits else 0
        if number < self.last_number:
            self.warnings.append(f"{block.num} comes after {self.last_number} § (character {block.start})")
        self.last_number = number
        self.writer.section(block.num or "", raw=_first(block.pairs), before=block.text[: block.begin].rstrip())
        rest = block.body
        if rest:
            self._running(rest, block.pairs_from(block.head))
        return None

    def chapter(self, index: int, block: Block) -> int | None:
        self._new_structure()
        title = block.body
        node = self.writer.chapter(block.num, title, block.text, offsets=block.pairs)
        following = self.blocks[index + 1]
        if not title and following.kind == kinds.TEXT and self._is_heading(index + 1, following):
            # "1 Kap." above its title: the title is a heading of its own and also the name of the chapter.
            node.heading = following.text
        if not title and not block.text[:1].isdigit():
            self.await_title = True
        return None

    def division(self, index: int, block: Block) -> int | None:
        title = block.body
        following = self.blocks[index + 1]
        if following.kind == kinds.TEXT and following.text[0].isdigit():
            return self.text(index, block)  # a table of contents within a §
        self._new_structure()
        self.writer.division(block.num, title or block.text, block.text, offsets=block.pairs)
        is_title = not title and following.kind == kinds.TEXT and self._like_heading(following)
        if is_title and (following.text.isupper() or self.blocks[index + 2].kind in (*_STRUCTURE_AHEAD, kinds.TEXT)):
            self.writer.subheading(following.text, offsets=following.pairs)
            return index + 2
        return None

    def subdivision(self, index: int, block: Block) -> int | None:
        if self.part != "body" or self.blocks[index + 1].kind not in (kinds.CHAPTER, kinds.MARK):
            return self.text(index, block)
        self._new_structure()
        self.writer.division(block.num, block.body, block.text, level=2, offsets=block.pairs)
        return None

    def article(self, index: int, block: Block) -> int | None:
        if self.in_provision and self.part == "body" and not self.in_treaty and self.has_sections:
            return self.text(index, block)
        self.lists.end()
        self.in_treaty = True
        self.in_provision = True
        title = block.body
        self.writer.article(block.num, block.text, title or None, offsets=block.pairs)
        following = self.blocks[index + 1]
        is_title = not title and following.kind in (kinds.TEXT, kinds.TRANSITIONAL) and self._like_heading(following)
        text_kinds = (kinds.TEXT, kinds.ITEM, kinds.TABLE)
        if is_title and len(following.text) < 150 and self.blocks[index + 2].kind in text_kinds:
            self.writer.subheading(following.text, offsets=following.pairs)
            return index + 2
        return None

    def schedule(self, index: int, block: Block) -> int | None:
        following = self.blocks[index + 1]
        if (
            self.in_provision
            and self.part == "body"
            and block.body
            and any(b.kind == kinds.SECTION for b in self.blocks[index + 1 : index + 4])
        ):
            return self.text(index, block)  # an enumeration of schedules within a §
        self._new_structure()
        self.part = "schedule"
        self.in_treaty = False
        node = self.writer.schedule(block.num, block.body, block.text, offsets=block.pairs)
        if node.heading is None and following.kind == kinds.TEXT:
            self.in_provision = False
            if self._is_heading(index + 1, following):
                node.heading = following.text
        return None

    def transitional(self, index: int, block: Block) -> int | None:
        following = self.blocks[index + 1]
        provisions = (kinds.SECTION, kinds.ARTICLE)
        is_above_heading = following.kind == kinds.TEXT and self._like_heading(following)
        if (
            following.kind in (*provisions, kinds.CHAPTER)
            or (self.in_treaty and following.kind != kinds.ACT_NUMBER)
            or (is_above_heading and self.blocks[index + 2].kind in provisions)
        ):
            return self.text(index, block, heading=True)
        self._new_structure()
        self.part = "transitional"
        self.writer.transitional(block.text, offsets=block.pairs)
        return None

    def act_number(self, index: int, block: Block) -> int | None:
        is_first = not self.seen_provision and self.part == "body" and index == 0
        if self.part != "transitional" and (is_first or self.blocks[index + 1].kind == kinds.END):
            return self.text(index, block)
        self._new_structure()
        self.part = "transitional"
        self.writer.transitional_act(block.num or "", block.text, offsets=block.pairs)
        return None

    # -- text -----------------------------------------------------------------------------------------------------------

    def item(self, index: int, block: Block) -> int | None:
        assert block.marker is not None
        marker, level = self.lists.level(block.marker)
        before = block.text[: block.begin].rstrip()
        self.writer.item(
            marker.text,
            block.body,
            level=level,
            before=before,
            raw=_first(block.pairs),
            offsets=block.pairs_from(block.head),
        )
        self.open_end = False
        self.await_title = False
        return None

    def table(self, index: int, block: Block) -> int | None:
        """Write all neighbouring rows as one table."""
        columns = TableColumns()
        rows: list[list[str]] = []
        offsets: list[Pairs | None] = []
        end = index
        trailing: tuple[str, Pairs] | None = None
        while trailing is None:
            row_block = self.blocks[end]
            if row_block.kind == kinds.TABLE:
                raw, trailing = self._cut_mark(row_block)
                for cells, pairs in columns.rows(raw, row_block.start):
                    rows.append(cells)
                    offsets.append(pairs)
            elif row_block.kind == kinds.MARK and self.blocks[end + 1].kind == kinds.TABLE:
                rows.append([row_block.text])
                offsets.append(row_block.pairs)
            else:
                break
            end += 1
        self.writer.table(rows, offsets=offsets)
        self.lists.end()
        if trailing is not None:
            self.writer.stycke(trailing[0], offsets=trailing[1])
        self.open_end = False
        return end

    @staticmethod
    def _cut_mark(block: Block) -> tuple[str, tuple[str, Pairs] | None]:
        """Return a table block without the amendment mark on its last line, and that mark."""
        head, _, last = block.raw.rpartition("\n")
        if head and last and not last[0].isspace():
            text, pairs = kinds.canonical(last, block.start + len(head) + 1)
            if trailing_amendments(text)[0] == 0:
                return head, (text, pairs)
        return block.raw, None

    def note(self, index: int, block: Block) -> int | None:
        self.writer.remark(block.text, offsets=block.pairs)
        return None

    def mark(self, index: int, block: Block) -> int | None:
        """Join a temporal mark on its own lines to the block that follows."""
        following = self.blocks[index + 1]
        if following.kind in (kinds.TABLE, kinds.MARK, kinds.NOTE, kinds.END):
            self.writer.remark(block.text, offsets=block.pairs)
            return None
        shift = len(block.text) + 1
        following.text = f"{block.text} {following.text}"
        following.pairs = [*(block.pairs or []), *((at + shift, raw) for at, raw in following.pairs or [])]
        following.head += shift if following.head else 0
        following.begin += shift
        return None

    def text(self, index: int, block: Block, *, heading: bool = False) -> int | None:
        if self.await_title:
            self.await_title = False
            if self._like_heading(block):
                self.writer.subheading(block.text, offsets=block.pairs)
                return None
        if heading or (self._is_heading(index, block) and not self._ends_the_section(index, block)):
            self._heading(index, block)
            return None
        if not self.seen_provision and self.part == "body" and self.has_sections and self.writer.builder.depth == 0:
            self.writer.preamble()
        if self._continues_point(index):
            self.lists.end_inner()
            self.writer.continuation(block.text, level=0, offsets=block.pairs)
            return None
        self._running(block.text, block.pairs or [])
        return None

    def _continues_point(self, index: int) -> bool:
        """Whether a text is a further paragraph of a numbered item. Only outside §§, where the items themselves are cited."""
        point = self.lists.point
        if not point or (self.part == "body" and not self.in_treaty):
            return False
        for ahead, block in enumerate(self.blocks[index + 1 : index + _LONGEST_POINT], index + 1):
            if block.kind == kinds.ITEM and block.marker is not None and block.marker["num"]:
                return int(block.marker["num"]) == point + 1
            if block.kind not in (kinds.ITEM, kinds.TEXT, kinds.TABLE, kinds.NOTE) or (
                block.kind == kinds.TEXT and self._is_heading(ahead, block)
            ):
                return False
        return False

    def _running(self, text: str, pairs: Pairs) -> None:
        """Write a stycke, or the first item of a list at the beginning of a §."""
        _, begin = leading_marks(text)
        marker = MARKER.match(text, begin) if begin == 0 else None
        if marker is not None and marker.end() < len(text):
            found, level = self.lists.level(marker)
            if found.is_first or not self.in_provision:
                at = marker.end()
                block = Block(kinds.ITEM, "", 0, text, pairs)
                self.writer.item(found.text, text[at:], level=level, raw=_first(pairs), offsets=block.pairs_from(at))
                return
        self.lists.end()
        self.writer.stycke(text, offsets=pairs)
        end = text[: trailing_amendments(text)[0]].rstrip()
        self.open_end = bool(end) and end[-1] not in _SENTENCE_ENDS
        if self.open_end:
            self.open_list = (
                _OPEN_END.search(end) is not None or end[-1] in ",:" or (len(end) < 60 and end[0].isupper())
            )

    # -- headings -------------------------------------------------------------------------------------------------------

    def _heading(self, index: int, block: Block) -> None:
        self.lists.end()
        self.in_provision = False
        self.open_end = False
        following = self.blocks[index + 1]
        level = 1
        is_above_heading = following.kind == kinds.TEXT and self._is_heading(index + 1, following, chained=True)
        if is_above_heading and not (block.begin and following.begin):  # else both are wordings of one heading
            self.two_levels = True
        elif self.two_levels:
            level = 2
        if level == 1 and following.kind in (kinds.CHAPTER, kinds.DIVISION):
            self.two_levels = False
        self.writer.heading(block.text, level=level, offsets=block.pairs)

    def _ends_the_section(self, index: int, block: Block) -> bool:
        """Whether a text that looks like the heading of the next § is the last sentence of this §; add a warning if that is uncertain."""
        following = self.blocks[index + 1]
        if not self.in_provision or self.part != "body" or following.kind != kinds.SECTION:
            return False
        before = self.blocks[index - 1].text if index else ""
        if is_last_sentence(block.text, before):
            return True
        if may_be_last_sentence(block.text, before):
            self.warnings.append(
                f"heading before {following.num} may be the last sentence of the § above: {block.text[:80]!r}"
            )
        return False

    def _like_heading(self, block: Block) -> bool:
        """Whether the words of a text block alone allow it to be a heading."""
        text = block.text
        if len(text) - block.begin > _HEADING_CHARS or block.raw.count("\n") > _HEADING_LINES:
            return False
        initial = text[block.begin]
        if not (initial.isupper() or initial in "\"”“'" or (initial.isdigit() and "§" not in text[:12])):
            return False
        if initial.isdigit() and _CHAPTER_LINE.match(text, block.begin):
            return False  # a line in a table of contents
        end = trailing_amendments(text)[0]
        last = text[:end].rstrip()[-1:]
        if last in ",;:-–" or not last or kinds.has_inner_sentence(text):
            return False
        if last != ".":
            return True
        # "… finns i lagen (1974:1065) om visst stöldgods m.m." is a sentence.
        return _ABBREVIATION_END.search(text[:end].rstrip()) is not None and _FINITE.search(text, block.begin) is None

    def _is_heading(self, index: int, block: Block, *, chained: bool = False) -> bool:
        if not self._like_heading(block):
            return False
        if block.begin and leading_marks(block.text)[0][0].scope.startswith("rubrik"):
            return True
        is_open = not chained and self.open_end and self.in_provision
        if is_open and (self.open_list or self.blocks[index + 1].kind not in (kinds.SECTION, kinds.ARTICLE)):
            return False
        chain, ahead = self._heading_chain(index)
        following_kind = self.blocks[ahead].kind
        free = not self.in_provision or self.in_treaty or self.part != "body"
        if following_kind in (kinds.TRANSITIONAL, kinds.ACT_NUMBER, kinds.END):
            return (chain <= _LONGEST_HEADING_CHAIN and len(block.text) < 140) or free
        if following_kind in _STRUCTURE_AHEAD:
            if following_kind == kinds.SCHEDULE and self.in_provision:
                return False
            return chain <= _LONGEST_HEADING_CHAIN or free or ahead - index < 3
        return free and self._heads_text(block, chain, self.blocks[ahead], ahead - index)

    def _heads_text(self, block: Block, chain: int, following: Block, distance: int) -> bool:
        """Whether `block`, first of `chain` possible headings, is the heading of the text, list or table `distance` blocks later."""
        if following.kind == kinds.TEXT:
            return not following.text[following.begin].islower() and _OPEN_END.search(block.text) is None
        if chain > 1 and following.kind != kinds.TABLE:
            return True
        if following.kind not in (kinds.ITEM, kinds.TABLE):
            return False
        if self.part == "body" and not self.seen_provision and following.kind == kinds.TABLE:
            return chain > 1 and distance > 1
        return self.part == "schedule" and _OPEN_END.search(block.text) is None

    def _heading_chain(self, index: int) -> tuple[int, int]:
        """Return the number of possible headings in a row from `index` on, and the index of the block after them; marks do not count."""
        chain, ahead = 1, index + 1
        while True:
            following = self.blocks[ahead]
            if following.kind == kinds.TEXT and self._like_heading(following):
                chain += 1
            elif following.kind != kinds.MARK:
                return chain, ahead
            ahead += 1


def _first(pairs: Pairs | None) -> int | None:
    """Return the offset of a block in the raw text."""
    return pairs[0][1] if pairs else None
