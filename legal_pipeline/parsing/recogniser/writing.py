"""Writes the tree of an outline: divisions, provisions with their headings and text, schedules, tables of contents.

Not here: finding the outline (`recogniser.outline`), and lists inside a provision (`building.provision_body`).
"""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.provision_body import BEFORE_TEXT, SIGNED_NUMBER, Aside, Heading, write_body
from legal_pipeline.building.repeals import is_repeal
from legal_pipeline.numbering.styles import SIGN, Style
from legal_pipeline.parsing.blocks import ASIDE_TYPES, Block, Blocks
from legal_pipeline.parsing.recogniser.divisions import NODE_TYPES, ranks
from legal_pipeline.parsing.recogniser.heading_marks import CHANGED, SMALL_HEADING, SOURCE, are_bracketed, without_mark
from legal_pipeline.parsing.recogniser.headings import ITEM, is_heading_like, may_be_above, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import (
    IN_CODE,
    Label,
    bracketed_heading,
    labels_of,
    repeats_section,
    run_in_heading,
)
from legal_pipeline.parsing.recogniser.outline import Outline
from legal_pipeline.parsing.recogniser.words import Words

_MARKER = re.compile(rf"\((?:\d{{1,3}}|[a-z]{{1,4}}|[A-Z])\)\s|\d{{1,3}}[.)]?\s|{SIGNED_NUMBER}{BEFORE_TEXT}")
#: Kinds of blocks that may be between the end of a sentence and a heading.
_BETWEEN = frozenset({"running", "footnote"})
_ENDED = re.compile(r"(?:[.!?:;—–。！？：；؟؛।৷]|[\s:]-)[”“\"’»«)\]]*$")
_LISTS = re.compile(r"(?:\S+\s){3}\S+:\s[a-zà-öø-ÿ]")  # "In this decree means: lamp"
#: The raised number of the next paragraph behind a sentence, as a print leaves it: "The Board meets. 2".
_NEXT_NUMBER = re.compile(r"(?<=[.;])\s\d{1,2}\Z")
_SMALL_ITEM = re.compile(r"1[.)]\s[a-zà-öø-ÿ]")
#: "[Amendments]": a remark that is the whole text of a provision.
_REMARK = re.compile(r"\[[^\[\]]{3,200}\]")
#: If at least this share of the labels alone on their line is followed by a short line, that line is a heading.
_HEADED = 0.5
#: Minimum share of the provisions whose headings are above their numbers or in brackets behind them, and minimum number of these; the
#: share above the numbers if the headings are in brackets or the numbers alone on their line.
_ABOVE, _FEWEST, _SURELY_ABOVE = 0.75, 3, 0.6
#: Maximum number of characters of a heading behind a number that has no style of its own, and of words if it ends as a sentence.
_PLAIN_HEADING, _HEADING_WORDS = 120, 7
_SOURCE_CHARS = 400  # maximum of the source of a provision


def write_outline(
    builder: DocumentBuilder, blocks: Blocks, outline: Outline, numbering: Style, words: Words, notes: int
) -> None:
    """Add `blocks` to `builder` by `outline`; every block is written once and in order.

    `numbering` is the drafting style of lists, `words` are those of the language. The blocks from the index `notes` on are notes and are
    not part of a provision.
    """
    _Writer(builder, blocks, outline, numbering, words).write(notes)


class _Writer:
    """`_open` holds the ranks of the open divisions, `_PROVISION` for a provision and `_INNER` for a section inside an article; `_body` the
    blocks of the open provision so far, `_number` its number."""

    _PROVISION, _INNER = 100, 101

    def __init__(
        self, builder: DocumentBuilder, blocks: Blocks, outline: Outline, numbering: Style, words: Words
    ) -> None:
        #: The style of an article, whose paragraphs may have the sign "§", and that of a provision which has the sign itself.
        self._numberings = numbering, numbering.without("sign")
        self._numbering, self._words = numbering, words
        self.builder = builder
        self.blocks = [
            dataclasses.replace(block, kind="quotation") if index in outline.quoted else block
            for index, block in enumerate(blocks)
        ]
        provisions = sorted(label.index for region in outline.regions for label in region.run.labels)
        self._ranks = ranks(outline.divisions, blocks, provisions)
        self._open: list[int] = []
        #: The last division of each kind in the body; the rank of the open schedule, and the index at which the body continues after
        #: it, both -1 without a schedule.
        self._last: dict[str, Label] = {}
        self._schedule_rank = self._goes_on = -1
        #: The block directly below the heading of a division.
        self._below_head = -1
        self._body: list[str | Aside | Heading] = []
        self._number, self._notes = "", len(blocks)
        #: (label, node type, rank) of each provision, by the index of its first block.
        self._provisions: dict[int, tuple[Label, str, int]] = {
            label.index: (label, region.kind or "section", self._PROVISION)
            for region in outline.regions
            for label in region.run.labels
        } | {label.index: (label, "section", self._INNER) for region in outline.regions for label in region.inner}
        self._beside = {label.index for region in outline.regions for label in region.beside}
        self._provisions |= {
            label.index: (label, "article", self._PROVISION) for region in outline.regions for label in region.beside
        }
        self._divisions = {label.index: (label, kind) for label, kind in outline.divisions}
        self._schedules = {
            region.schedule.index: region.schedule for region in outline.regions if region.schedule is not None
        }
        self._contents = dict(outline.contents)
        self._signature = dict([outline.signature] if outline.signature else ())
        self._recitals = {start: (number, end) for number, start, end in outline.recitals}
        #: Blocks that say that a provision was repealed, or are another remark in brackets, and have its whole text.
        self._remarks = {
            label.index + label.alone
            for label, _, _ in self._provisions.values()
            if is_repeal(said := self._said_by(label), (words.language,)) or _REMARK.fullmatch(said)
        }
        self._headed = self._share_headed()
        sections = [index for index, (_, kind, _) in self._provisions.items() if kind != "paragraph"]
        with_text = [index for index in sections if index + self._provisions[index][0].alone not in self._remarks]
        behind = [rest for index in with_text if (rest := self._said_by(self._provisions[index][0]))]
        self._only_brackets = are_bracketed(behind, _ABOVE)
        #: Index of a heading -> index of the provision directly below it, where the law has its headings above the numbers. That of the
        #: first provision may follow any text, so it is known by the others.
        self._above: dict[int, int] = {}
        self._opening = -1
        self._above = self._headings_above(with_text[1:])
        if self._above:
            # not the enacting words: "as follows:-"
            opening = with_text[0] - 1
            self._opening = opening if not _ENDED.search(self.blocks[opening].text.rstrip("- ")) else -1
            others = {*with_text[:1], *sections} - {*with_text[1:]}
            self._above |= {index - 1: index for index in others if self._is_headed_above(index)}
        #: Whether the law has its headings in brackets behind the numbers.
        bracketed = [index for index in with_text if self._bracketed(index) is not None]
        self._in_brackets = len(with_text) >= _FEWEST and len(bracketed) >= _ABOVE * len(with_text)
        self._headed_by_sentences = self._are_headed_by_sentences()

    def write(self, notes: int) -> None:
        index, self._notes = 0, notes
        while index < len(self.blocks):
            if index == notes:
                self._close(0)
            index = self._write_from(index)
        self._flush()
        self.builder.close_to(0)

    def _write_from(self, index: int) -> int:
        """Write the block at `index` and those that belong to it; return the index of the next block."""
        if index in self._contents:
            return self._write_lines("toc", index, self._contents[index], self._PROVISION)
        if index in self._signature:
            return self._write_lines("signature", index, self._signature[index], 0)
        if index in self._schedules:
            return self._write_schedule(index)
        if index in self._divisions:
            return self._write_division(index)
        if index in self._provisions:
            return self._write_provision(index)
        if index in self._recitals:
            return self._write_recital(index)
        self._write_text(index)
        return index + 1

    def _is_label(self, index: int) -> bool:
        return (
            index in self._provisions or index in self._divisions or index in self._schedules or index in self._contents
        )

    def _write_recital(self, index: int) -> int:
        self._close(0)
        number, end = self._recitals[index]
        with self.builder.node("recital", number):
            for block in self.blocks[index:end]:
                if block.kind in ASIDE_TYPES:
                    self.builder.block(block.text, ASIDE_TYPES[block.kind])
                else:
                    self.builder.add(block.text)
        return end

    def _share_headed(self) -> float:
        """Return the share of labels alone on their line that are followed by a possible heading."""
        alone = [label for label, _, _ in self._provisions.values() if label.alone]
        if not alone:
            return 0.0
        return sum(self._may_head(label.index + 1) for label in alone) / len(alone)

    def _said_by(self, label: Label) -> str:
        """Return the text behind the number of a provision, or the block below a number alone on its line."""
        index = label.index + label.alone
        if index >= len(self.blocks) or (label.alone and self._is_label(index)):
            return ""
        return self.blocks[index].text[0 if label.alone else label.end :]

    def _headings_above(self, sections: Sequence[int]) -> dict[int, int]:
        """Return the headings above `sections` if nearly all have one, as index of the heading -> index of the provision."""
        above = {index - 1: index for index in sections if self._is_headed_above(index)}
        # directly below the label of a division it may be the heading of this division
        unsure = {index for place, index in above.items() if self._is_below_label(place)}
        only_above = [index for index in above.values() if index not in unsure and not self._is_headed_behind(index)]
        is_sure = all(
            self._provisions[index][0].alone or text.startswith(("(", "（")) or text.endswith(":")
            for index, text in ((index, self.blocks[place].text) for place, index in above.items())
        )
        # transitional articles between the others, and the paragraphs of schedules, may have no headings
        body = min(self._schedules, default=len(self.blocks))
        for border in {body, len(self.blocks)}:
            inside = (index for index in sections if index < border and index not in unsure)
            usual = sum(not self._provisions[index][0].is_set_apart for index in inside)
            least = max(_FEWEST - 1, (_SURELY_ABOVE if is_sure else _ABOVE) * usual)
            if sum(index < border for index in only_above) >= least:
                return above
        return {}

    def _is_below_label(self, index: int) -> bool:
        label, _ = self._divisions.get(index - 1, (None, ""))
        return label is not None and label.alone

    def _without_label(self, heading: str) -> str:
        """Return `heading` without the words that the publisher prints before each one: "Marginal note:Fees"."""
        label = self._words.heading_label.match(heading)
        return heading[label.end() :] if label else heading

    def _is_headed_above(self, index: int) -> bool:
        """Whether the block before the provision at `index` may be its heading: it has none in its own block or below its number."""
        label, _, rank = self._provisions[index]
        before = index - 1
        if rank != self._PROVISION or before < 0 or self._is_label(before):
            return False
        block = self.blocks[index]
        is_headed = is_heading_like(block) and not CHANGED.fullmatch(block.text[label.end :])
        if self._headed >= _HEADED or self._may_head(index + 1) if label.alone else is_headed:
            return False
        is_below_head = any(place in self._divisions or place in self._schedules for place in (before - 1, before - 2))
        return self._headed_by(before) == index or (is_below_head and reads_as_heading(self.blocks[before]))

    def _is_headed_behind(self, index: int) -> bool:
        label, *_ = self._provisions[index]
        block = self.blocks[index]
        return not label.alone and self._is_heading(block, block.text[label.end :], index + 1)

    def _bracketed(self, index: int) -> tuple[str, int] | None:
        return bracketed_heading(self._provisions[index][0], self.blocks[index])

    def _may_head(self, index: int) -> bool:
        """Whether the block could be the heading of the provision whose number is directly before it."""
        if index >= len(self.blocks) or self._is_label(index):
            return False
        block = self.blocks[index]
        is_small = SMALL_HEADING.fullmatch(block.text) and index not in self._remarks
        return bool(is_small) or is_heading_like(block) or reads_as_heading(block)

    def _close(self, rank: int) -> None:
        """Close the open provision and every division at `rank` or deeper."""
        self._flush()
        while self._open and self._open[-1] >= rank:
            self._open.pop()
            self.builder.close()

    def _flush(self) -> None:
        if self._body:
            write_body(self.builder, self._body, numbering=self._numbering, number=self._number)
            self._body.clear()

    def _write_lines(self, node_type: str, index: int, end: int, rank: int) -> int:
        """Write a table of contents or a signature, which closes what is open at `rank` or deeper."""
        self._close(rank)
        with self.builder.node(node_type):
            for block in self.blocks[index:end]:
                self.builder.add(block.text)
        return end

    def _write_schedule(self, index: int) -> int:
        label = self._schedules[index]
        kind = "transitional" if "transitional" in label.kinds else "schedule"
        self._goes_on = self._next_of_the_body(index)
        self._schedule_rank = self._rank(self._divisions[self._goes_on][1]) if self._goes_on else 0
        return self._write_head(index, label, kind, self._schedule_rank)

    def _next_of_the_body(self, index: int) -> int:
        """Return the index at which the body continues after the schedule at `index`, which then belongs to a provision; 0 if it ends.

        There a division has the next number of its kind.
        """
        borders, places = list(self._schedules), list(self._divisions)
        behind = bisect.bisect_right(borders, index)
        end = borders[behind] if behind < len(borders) else len(self.blocks)
        first: dict[str, int] = {}
        for place in places[bisect.bisect_right(places, index) : bisect.bisect_left(places, end)]:
            first.setdefault(self._divisions[place][1], place)
        for kind, place in first.items():
            before, label = self._last.get(kind), self._divisions[place][0]
            if before is not None and label.number.follows(before.number) == 0:
                return place
        return 0

    def _write_division(self, index: int) -> int:
        label, kind = self._divisions[index]
        if index == self._goes_on:
            self._goes_on = self._schedule_rank = -1
        rank = self._rank(kind)
        if self._schedule_rank < 0:
            self._last[kind] = label
        return self._write_head(index, label, NODE_TYPES.get(kind, "division"), max(rank, self._schedule_rank + 1))

    def _rank(self, kind: str) -> int:
        return self._ranks.get(kind, 0) + 1

    def _write_head(self, index: int, label: Label, node_type: str, rank: int) -> int:
        """Open a division or schedule with its heading, which may be the next block; return the index of the block after it."""
        self._close(rank)
        block = self.blocks[index]
        heading = block.text[label.end :]
        following = index + 1
        if node_type == "schedule" and (
            self._words.is_reference(heading)
            or (self._may_head(following) and self._words.says_where_annexed(block.text, label.end))
        ):
            heading = ""
        node = self.builder.open(node_type, label.number.text or None, without_mark(heading) or None)
        self._open.append(rank)
        self.builder.heading(block.text)
        if node_type == "schedule" and self._is_reference(following):
            self.builder.heading(self.blocks[following].text)
            following += 1
        if not heading and following not in self._above and self._may_head(following):
            node.heading = without_mark(self.blocks[following].text)
            self.builder.heading(self.blocks[following].text)
            following += 1
        self._below_head = following
        return following

    def _is_reference(self, index: int) -> bool:
        """Whether the block only names the provisions to which the schedule above it belongs."""
        return (
            index < len(self.blocks) and not self._is_label(index) and self._words.is_reference(self.blocks[index].text)
        )

    def _write_provision(self, index: int) -> int:
        label, node_type, rank = self._provisions[index]
        self._close(self._closed_by(index))
        block = self.blocks[index]
        rest = block.text[label.end :]
        node = self.builder.open(node_type, label.number.text)
        self._number = label.number.text
        self._numbering = self._numberings[SIGN in block.text[: label.end]]
        self._open.append(rank)
        following = index + 1
        if index - 1 in self._above:
            node.heading = self._without_label(without_mark(self.blocks[index - 1].text)).rstrip(" :")
        is_changed = is_heading_like(block) and CHANGED.fullmatch(rest) is not None
        is_above_head = self._headed >= _HEADED and self._may_head(following) and not self._is_label(following + 1)
        if label.alone or (is_changed and is_above_head):
            self.builder.heading(block.text)
            if is_above_head:
                node.heading = without_mark(self.blocks[following].text)
                self.builder.heading(self.blocks[following].text)
                following += 1
        elif (label.style.startswith("around") or self._in_brackets) and (bracketed := self._bracketed(index)):
            node.heading, end = bracketed
            self.builder.heading(block.text[:end].rstrip())
            if text := block.text[end:].lstrip():
                self._body.append(text)
        elif index - 1 not in self._above and self._is_heading(block, rest, following):
            node.heading = without_mark(rest)
            self.builder.heading(block.text)
        elif self._headed_by_sentences and self._is_sentence_above_text(label):
            node.heading = rest.rstrip(" .–—-")
            self.builder.heading(block.text)
        elif run_in := run_in_heading(block, label.end):
            node.heading, end = run_in
            self.builder.heading(block.text[:end].rstrip())
            if text := block.text[end:].lstrip():
                self._body.append(text)
        elif not label.kinds or _MARKER.match(rest):
            self.builder.heading(block.text[: label.end].rstrip())
            self._body.append(rest)
        else:
            self._body.append(block.text)
        if following < len(self.blocks) and (again := self._end_of_repeated(label, following)):
            self.builder.heading(self.blocks[following].text[:again].rstrip())
            self._body += filter(None, [self.blocks[following].text[again:]])
            following += 1
        return following

    def _end_of_repeated(self, label: Label, following: int) -> int | None:
        """Return where the text begins behind a number that repeats that of the section of a code, None without one."""
        if not label.style.startswith(IN_CODE):
            return None
        labels = labels_of(following, self.blocks[following], self._words)
        return next((again.end for again in labels if repeats_section(again, label)), None)

    def _closed_by(self, index: int) -> int:
        """Return the rank from which on the label at `index` closes what is open; an article without sections closes one with sections."""
        if index in self._beside:
            return self._rank("article")
        return self._provisions[index][2] if index in self._provisions else self._PROVISION

    def _is_heading(self, block: Block, rest: str, following: int) -> bool:
        if (CHANGED.fullmatch(rest) and not self._only_brackets) or not any(map(str.isalpha, rest)):
            return False  # the raised number of the first paragraph is not a heading
        if is_heading_like(block):
            return True
        if following - 1 in self._remarks or following in self._above:
            return False
        has_body = following < len(self.blocks) and not self._is_label(following)
        if has_body and _SMALL_ITEM.match(self.blocks[following].text):
            return False  # "§ 2 In this decree", "1. bee: an insect;"
        said = _NEXT_NUMBER.sub("", rest)
        is_short = has_body and len(rest) <= _PLAIN_HEADING and not rest.endswith(",")
        return is_short and not (_ENDED.search(said) or _LISTS.search(said))

    def _are_headed_by_sentences(self) -> bool:
        """Whether most provisions have a heading that ends as a sentence ("22-16-4. Murder of lamps.", "§ 1. Purpose."), and their text
        below it. Outside codes the headings must have few words, because a provision may begin with a short sentence."""
        labels = [label for label, _, _ in self._provisions.values()]
        in_code = [label for label in labels if label.style.startswith(IN_CODE)]
        if in_code:
            return sum(map(self._is_sentence_above_text, in_code)) >= _ABOVE * len(in_code)
        rests = [(label, self.blocks[label.index].text[label.end :]) for label in labels]
        few = [label for label, rest in rests if len(rest.split()) <= _HEADING_WORDS and not _MARKER.match(rest)]
        least = max(_ABOVE * len(few), len(labels) / 2)
        is_usual = len(labels) >= _FEWEST and sum(map(self._is_sentence_above_text, few)) >= least
        return is_usual and not self._in_brackets and len(self._above) <= (1 - _ABOVE) * len(labels)

    def _is_sentence_above_text(self, label: Label) -> bool:
        rest, following = self.blocks[label.index].text[label.end :], label.index + 1
        if not rest or following >= len(self.blocks) or self._is_label(following):
            return False
        said = rest.rstrip(" –—-")
        is_short = len(rest) <= _PLAIN_HEADING and said.endswith(".") and not re.search(r"[.;:]\s", said)
        below = self.blocks[following].text
        return is_short and (len(below) > _SOURCE_CHARS or not SOURCE.search(below))

    def _write_text(self, index: int) -> None:
        block = self.blocks[index]
        if block.kind in ASIDE_TYPES:
            aside = ASIDE_TYPES[block.kind]
            if self._in_provision:
                self._body.append(Aside(block.text, aside))
            else:
                self.builder.block(block.text, aside)
        elif following := self._headed_by(index):
            self._close(self._closed_by(following))
            self.builder.heading(block.text)
        elif self._in_provision:
            self._write_inside(index)
        elif is_heading_like(block):
            self.builder.heading(block.text)
        else:
            self.builder.block(block.text, "block" if self._open or index >= self._notes else "preamble")

    def _write_inside(self, index: int) -> None:
        """Write a block of the open provision. A heading before a text block belongs to it; any other heading is a separate node."""
        block = self.blocks[index]
        if not block.level:
            self._body.append(block.text)
            return
        after = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        if after is not None and after.kind == "text" and not after.level and not self._is_label(index + 1):
            self._body.append(Heading(block.text))
        else:
            self._flush()
            self.builder.heading(block.text)

    @property
    def _in_provision(self) -> bool:
        return bool(self._open) and self._open[-1] >= self._PROVISION

    def _headed_by(self, index: int) -> int:
        """Return the index of the label that follows if the block is a heading above its provision or division, else 0.

        A block without the look of a heading must follow a full stop, because text without a stop may still be law; not the heading of
        the first provision, and not behind a provision that was repealed.
        """
        following = index + 1
        while following < len(self.blocks) and not self._is_label(following) and self._is_above(self.blocks[following]):
            following += 1
        if following >= len(self.blocks) or not self._is_label(following):
            return 0
        block = self.blocks[index]
        if index in self._remarks or (not block.level and self._is_all_below(index)):
            return 0
        if self._is_above(block):
            return following
        if not reads_as_heading(block) or ITEM.match(block.text) or SOURCE.search(block.text):
            return 0
        last = next((place for place in range(index - 1, -1, -1) if self.blocks[place].kind not in _BETWEEN), -1)
        before = self.blocks[last] if last >= 0 else None
        is_apart = (
            before is None
            or index in (self._below_head, self._opening)
            or last in self._remarks
            or bool(re.search(r"[.!?。！？؟।৷][”“\"’»«)\]]*$", before.text))
        )
        return following if is_apart else 0

    def _is_above(self, block: Block) -> bool:
        return may_be_above(block) or self._without_label(block.text) != block.text

    def _is_all_below(self, index: int) -> bool:
        """Whether the block is the whole text below a number alone on its line: "Art. 4", "((ARTICOLO ABROGATO))", "Art. 5"."""
        label, *_ = self._provisions.get(index - 1, (None,))
        return label is not None and label.alone and self._is_label(index + 1)
