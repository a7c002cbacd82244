"""Plain statute text as blocks; the first words of each block give its kind: §, chapter, item, table row, text …

Not here: the meaning of a block in its context (`parsing.sweden.plain_text`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.blocks import Block as PrintedBlock
from legal_pipeline.parsing.recogniser.quotations import quoted_blocks
from legal_pipeline.parsing.sweden.lists import MARKER
from legal_pipeline.parsing.sweden.marks import leading_marks, repealed_by
from legal_pipeline.parsing.text_lines import PARAGRAPH, unwrap_at
from legal_pipeline.parsing.text_tables import GAP, is_table_block

SECTION, CHAPTER, DIVISION, SUBDIVISION, ARTICLE = "section", "chapter", "division", "subdivision", "article"
SCHEDULE, TRANSITIONAL, ACT_NUMBER = "schedule", "transitional", "act number"
ITEM, TABLE, TEXT, NOTE, MARK, END = "item", "table", "text", "note", "mark", "end"

Pairs = list[tuple[int, int]]

#: White space other than plain spaces and line breaks.
_EXOTIC = re.compile(r"[^\S \n]|[\u200b\u2060\ufeff]")

#: Spaces between a § sign and its text: Riksdagen's plain text has two or three, a table of contents more.
_WIDEST_SIGN_GAP = 3

_SECTION = re.compile(
    r"(?P<sign>(?P<num>\d{1,3})[ \xa0]?(?P<letter>[a-zåäö]{1,2})?[ \xa0]?§(?P<dot>\.?)"
    r"|(?P<many>\d{1,3}[ \xa0]?[a-zåäö]?(?:(?:[ \xa0]?[-–,][ \xa0]?|[ \xa0]och[ \xa0])\d{1,3}[ \xa0]?[a-zåäö]?)+[ \xa0]?§§)"
    r"|§[ \xa0](?P<old>\d{1,3})[ \xa0]?(?P<oldletter>[a-z])?\.)(?P<gap>[\s\xa0]+|$|(?=[A-ZÅÄÖ/]))"
)
_CHAPTER = re.compile(r"(?P<num>\d{1,3})[ \xa0]?(?P<letter>[a-z])?[ \xa0]?[Kk]ap\.?(?P<gap>[\s\xa0]+|$)")
_CHAPTER_WORD = re.compile(
    r"(?:KAPITEL|Kapitel|CHAPTER|Chapter)[ \xa0](?P<num>\d{1,3}|[IVXLC]+)[.:]?(?P<gap>[\s\xa0]+|$)"
)
_ORDINALS = (
    "första", "andra", "tredje", "fjärde", "femte", "sjätte", "sjunde", "åttonde", "nionde", "tionde",
    "elfte", "tolfte", "trettonde", "fjortonde", "femtonde",
)  # fmt: skip
_DIVISION = re.compile(
    r"(?:(?:AVD\.|AVDELNING|Avdelning|AVDELNINGEN)[ \xa0]+(?P<num>[IVXLC]+|[A-ZÅÄÖ]|\d{1,2})(?![\w])[.:]?"
    r"|(?P<group>[A-Z])[ \xa0]AVD\."
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)})[ \xa0]avdelningen\.?)(?P<gap>[\s\xa0]+|$)",
    re.IGNORECASE,
)
#: A cheap test for the first words of structural blocks, before the patterns below.
_NAMED = re.compile(
    rf"avd|bilag|arti[ck]|art\.|kapitel|chapter|ikraft|[öo]verg|[IVX]+[ \xa0]|[A-Z][ \xa0]avd|(?:{'|'.join(_ORDINALS)})[ \xa0]avd",
    re.IGNORECASE,
)
_SUBDIVISION = re.compile(r"(?P<num>[IVX]+)(?P<gap>[ \xa0]{1,4})(?=[A-ZÅÄÖ][a-zåäö])")
_ARTICLE = re.compile(
    r"(?:ARTIKEL|Artikel|ARTICLE|Article|Art\.)[ \xa0](?P<num>\d{1,3}[ \xa0]?[a-z]?|[IVXLC]+)(?P<dot>[.:]?)(?P<gap>[\s\xa0]+|$)"
)
_SCHEDULE = re.compile(
    r"(?:BILAGA|Bilaga)(?:[ \xa0](?P<num>\d{1,3}(?:[ \xa0]?[a-z](?!\w))?(?:\.[ \xa0]?\d{1,2})?(?!\w)"
    r"|[A-Z](?!\w)|[IVX]+(?!\w)))?[.:]?(?P<gap>[\s\xa0]+|$)"
)
_SCHEDULE_GONE = re.compile(r"Bilagan (?=har upphävts|har upphört|upphävd)")
_TRANSITIONAL = re.compile(
    r"(?:ikraftträdande-?\s*(?:och|samt)\s*)?[öo]verg[åa]ngs-?\s?bes(?:t|tt)[äa]?[a-zäåö]{2,9}\.?(?:\s*m\.?\s?m\.?)?",
    re.IGNORECASE,
)
_ACT_NUMBER = re.compile(r"/?(?:SFS[ \xa0])?(?P<num>\d{4}:\d{1,4}(?:[ \xa0]s\.?[ \xa0]?\d+)?)[.:]?/?")
_MOMENT = re.compile(r"\d{1,2}[ \xa0]mom\.")
_ABBREVIATION = re.compile(
    r"(?:\bm\. ?m|\bm\. ?fl|\bo\. ?d|\bd\. ?y|\betc|\bdyl|\bosv|\bp\.g\.a|\bkap|\bnr|\b[A-ZÅÄÖ])\.$"
)
_PROVISION_AHEAD = re.compile(r"\s*(?:/[^/\n]+/\s*)?\d{1,3}[ \xa0]?[a-z]?[ \xa0]?(?:§|kap\.)")
_INNER_SENTENCE_END = re.compile(r"(?:[a-zåäö)]|\d\d)\. [A-ZÅÄÖ]")
#: Lines inside a block that begin something new where the source has no blank line.
_INNER = re.compile(
    r"\n[ \t]*(?:(?P<section>\d{1,3}[ \xa0]?[a-zåäö]{0,2}[ \xa0]?§[ \xa0]?(?=[A-ZÅÄÖ/]))"
    r"|(?P<chapter>\d{1,3}[ \xa0]?[a-z]?[ \xa0][Kk]ap\.(?:[ \xa0]+(?=[A-ZÅÄÖ])|\s*\Z))"
    r"|(?P<mark>/(?:Upphör|Träder|Rubriken|Kapitlet))"
    r"|(?P<item>(?:\d{1,3}[ \xa0]?[a-z]?\.|[a-zåäö]\)|[-–•])[ \xa0]+(?=[^\s\d])))"
)
_SENTENCE_END = (".", ":", ")", "!", "?", "/")
_NUMBER = re.compile(r"(\d+)\s?([a-zåäö]*)")
_QUOTATION_MARKS = ('"', "“", "”", "„", "»")
#: Largest step between § numbers; after a larger step the block is an enumeration of provisions.
_LARGEST_STEP = 3


@dataclass(slots=True)
class Block:
    """A block whose source text `raw` begins at offset `start`; `text` is its canonical form, `pairs` the offset map of `text`.

    `begin` is the offset in `text` of the first word after temporal marks, `head` that of the first word after the sign or number.
    """

    kind: str
    raw: str
    start: int
    text: str = ""
    pairs: Pairs | None = None
    num: str | None = None
    head: int = 0
    marker: re.Match[str] | None = None
    begin: int = 0

    @property
    def body(self) -> str:
        """The text after the sign or number."""
        return self.text[self.head :]

    def pairs_from(self, at: int) -> Pairs:
        """Return the offset map of `text[at:]`."""
        if not self.pairs or at == 0:
            return self.pairs or []
        kept = [(offset - at, raw) for offset, raw in self.pairs if offset > at]
        last = next((pair for pair in reversed(self.pairs) if pair[0] <= at), self.pairs[0])
        return [(0, last[1] + at - last[0]), *kept]


def canonical(raw: str, start: int) -> tuple[str, Pairs]:
    """Return the canonical text of a block and its offset map."""
    # `in` tests are faster than one pattern: this runs over every character of every act.
    if not (
        " \n" in raw
        or "\n " in raw
        or "  " in raw
        or "-\n" in raw
        or raw[0] == " "
        or raw[-1] == " "
        or (not raw.isascii() and _EXOTIC.search(raw))
        or "\t" in raw
    ):
        return raw.replace("\n", " "), [(0, start)]
    return unwrap_at(start, raw)


def is_title(text: str) -> bool:
    """Whether `text` reads as a title: a capital first, no sentence end."""
    if not text or not (text[0].isupper() or text[0] in "\"”“'" or text[0].isdigit()):
        return False
    if text[-1] in ",;:":
        return False
    return text[-1] != "." or _ABBREVIATION.search(text) is not None


class BlockReader:
    """Read blocks in order; keep the numbers that distinguish a § from a reference to a §."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._section: tuple[int, str] | None = None
        self._after_table = False
        self._last_end = ""

    def read(self) -> list[Block]:
        blocks: list[Block] = []
        for match in PARAGRAPH.finditer(self._text):
            for raw, start in self._split_rows(match.group(), match.start()):
                block = self._classify(raw, start)
                self._after_table = block.kind == TABLE or (self._after_table and block.kind == MARK)
                if block.text:
                    self._last_end = block.text[-1]
                blocks.append(block)
        _unmark_quoted(blocks)
        return blocks

    # -- missing blank lines --------------------------------------------------------------------------------------------

    def _split_rows(self, raw: str, start: int) -> Iterator[tuple[str, int]]:
        """Yield a temporal mark above a table row as its own block; cut the rest with `_split`."""
        if raw[0] == "/" and self._after_table:
            line_end = raw.find("\n")
            if line_end > 0 and leading_marks(raw[:line_end])[1] == line_end and self._is_table(raw[line_end + 1 :]):
                yield raw[:line_end], start
                yield raw[line_end + 1 :], start + line_end + 1
                return
        at = None
        if "\n" in raw and _PROVISION_AHEAD.match(self._text, start + len(raw)):
            at = _last_heading(raw)
        if at is None:
            yield from self._split(raw, start)
        else:
            yield from self._split(raw[:at].rstrip(), start)
            yield raw[at:], start + at

    def _split(self, raw: str, start: int) -> Iterator[tuple[str, int]]:
        """Cut a block at each line that begins something new without a blank line before it."""
        if "\n" not in raw or _INNER.search(raw) is None:
            yield raw, start
            return
        cut = 0
        section = self._section
        if (match := _SECTION.match(raw.lstrip())) and match["num"]:
            section = (int(match["num"]), match["letter"] or "")
        for match in _INNER.finditer(raw):
            before = raw[cut : match.start()].rstrip()
            line_before = before[before.rfind("\n") + 1 :]
            if match["section"]:
                number = _SECTION.match(raw, match.start("section"))
                if number is None or not number["num"]:
                    continue
                candidate = (int(number["num"]), number["letter"] or "")
                if not _succeeds(candidate, section):
                    continue
                if not (line_before.endswith(_SENTENCE_END) or _is_short_heading(before)):
                    at = _last_heading(before)
                    if at is None:
                        continue
                    yield raw[cut : cut + at].rstrip(), start + cut
                    cut += at
                section = candidate
            elif match["chapter"]:
                if not line_before.endswith(_SENTENCE_END):
                    continue
                section = None
            elif match["mark"]:
                # After a § sign the mark belongs to the sign; after the end of a sentence a new block begins.
                if not line_before.endswith((".", ":", ",")) or line_before.endswith("kap."):
                    continue
            elif not _begins_item(match["item"], before, line_before):
                continue
            yield raw[cut : match.start()], start + cut
            cut = match.start() + 1
        yield raw[cut:], start + cut

    # -- kinds ----------------------------------------------------------------------------------------------------------

    def _classify(self, raw: str, start: int) -> Block:
        if ("   " in raw or "\t" in raw) and self._is_table(raw):
            return Block(TABLE, raw, start)
        text, pairs = canonical(raw, start)
        block = Block(TEXT, raw, start, text, pairs)
        begin = 0
        if text[0] == "/":
            begin = leading_marks(text)[1]
            if begin >= len(text):
                block.kind = MARK
                return block
            if begin == 0 and text[-1] == "/" and len(text) > 2:
                if not self._act_number(block):
                    block.kind = NOTE
                return block
            block.begin = begin
        initial = text[begin]
        if "0" <= initial <= "9":
            _ = (
                self._section_block(block, begin)
                or self._chapter(block, begin)
                or self._act_number(block)
                or self._item(block, begin)
            )
        elif initial == "§":
            self._section_block(block, begin)
        elif _NAMED.match(text, begin):
            self._named(block, begin)
        elif not initial.isupper():
            self._item(block, begin)
        return block

    def _is_table(self, raw: str) -> bool:
        if not is_table_block(raw, MARKER, after_table=self._after_table):
            return False
        stripped = raw.lstrip()
        first_line = stripped.partition("\n")[0]
        for pattern in (_SECTION, _CHAPTER):
            if (
                (match := pattern.match(first_line))
                and len(match["gap"]) <= _WIDEST_SIGN_GAP
                and not GAP.search(first_line, match.end())
            ):
                return False
        return _SUBDIVISION.match(stripped) is None or self._after_table or "\t" in raw

    def _section_block(self, block: Block, begin: int) -> bool:
        match = _SECTION.match(block.text, begin)
        if match is None:
            return False
        rest = block.text[match.end() :]
        if match["many"]:
            if not repealed_by(rest)[0]:
                return False
        else:
            candidate = (int(match["num"] or match["old"]), match["letter"] or match["oldletter"] or "")
            follows = _succeeds(candidate, self._section)
            if match["num"] and _gap_after_sign(block.raw) > _WIDEST_SIGN_GAP:
                return False  # a table of contents
            if rest and rest[0].islower() and not repealed_by(rest)[0]:
                return False
            if match["dot"] and not (follows and (rest[:1].isupper() or _MOMENT.match(rest))):
                return False
            if not follows and self._last_end in (":", ","):
                return False  # an enumeration of provisions of another Act
            self._section = candidate
        block.kind, block.num, block.head = SECTION, match["sign"], match.end()
        return True

    def _chapter(self, block: Block, begin: int) -> bool:
        match = _CHAPTER.match(block.text, begin)
        if match is None:
            return False
        rest = block.text[match.end() :]
        if rest:
            if not (rest[0].isupper() or rest[0] in "/(" or repealed_by(rest)[0]):
                return False
            if len(rest) > 300 or rest[-1] in ",;:" or block.raw.count("\n") > 5:
                return False
            if rest[-1] == "." and len(rest) > 60 and not (_ABBREVIATION.search(rest) or ")" in rest[-3:]):
                return False
        block.kind, block.head = CHAPTER, match.end()
        block.num = f"{match['num']} {match['letter']}" if match["letter"] else match["num"]
        self._section = None
        return True

    def _act_number(self, block: Block) -> bool:
        if len(block.text) > 24:
            return False
        match = _ACT_NUMBER.fullmatch(block.text)
        if match is None:
            return False
        block.kind, block.num = ACT_NUMBER, match["num"]
        self._section = None
        return True

    @staticmethod
    def _item(block: Block, begin: int) -> bool:
        match = MARKER.match(block.text, begin)
        if match is None or match.end() >= len(block.text):
            return False
        block.kind, block.marker, block.head = ITEM, match, match.end()
        return True

    def _named(self, block: Block, begin: int) -> None:
        """Classify a block that begins with a structural word: Bilaga, Övergångsbestämmelser, AVD., Artikel, Kapitel."""
        text = block.text
        if len(text) > 400:
            return
        if begin == 0 and len(text) < 70 and _TRANSITIONAL.fullmatch(text):
            block.kind = TRANSITIONAL
        elif (match := _SCHEDULE.match(text, begin)) is not None:
            rest = text[match.end() :]
            if not rest or rest[0] in "/(" or repealed_by(rest)[0] or is_title(rest):
                number = match["num"].replace(". ", ".") if match["num"] else None
                block.kind, block.num, block.head = SCHEDULE, number, match.end()
                self._section = None
        elif (match := _SCHEDULE_GONE.match(text, begin)) is not None:
            block.kind, block.head = SCHEDULE, match.end()
        elif (match := _DIVISION.match(text, begin)) is not None:
            self._division(block, match)
        elif (match := _ARTICLE.match(text, begin)) is not None:
            rest = text[match.end() :]
            if not rest or (rest[0].isupper() and is_title(rest) and len(rest) < 160):
                block.kind, block.num, block.head = ARTICLE, match["num"], match.end()
        elif (match := _CHAPTER_WORD.match(text, begin)) is not None:
            rest = text[match.end() :]
            if not rest or is_title(rest):
                block.kind, block.num, block.head = CHAPTER, match["num"], match.end()
                self._section = None
        elif (match := _SUBDIVISION.match(block.raw.lstrip())) is not None and is_title(text):
            block.kind, block.num, block.head = SUBDIVISION, match["num"], len(match["num"]) + 1

    @staticmethod
    def _division(block: Block, match: re.Match[str]) -> None:
        rest = block.text[match.end() :]
        sign = match.group()
        if match["num"]:
            if not (match["num"].isupper() or match["num"].isdigit()):
                return
            if rest and not (rest.isupper() or (sign.startswith(("AVD", "Avd.")) and is_title(rest))):
                return
            block.num = match["num"]
        elif match["group"]:
            if not sign.startswith(match["group"].upper() + " AVD"):
                return
            block.num = match["group"]
        else:
            if rest and not is_title(rest):
                return
            block.num = str(_ORDINALS.index(match["ordinal"].lower()) + 1)
        block.kind, block.head = DIVISION, match.end()


def _unmark_quoted(blocks: Sequence[Block]) -> None:
    """Make text of the §§ inside quotation marks: they are law that this statute inserts into another one.

    A mark may be missing, so the first § after the quotation must follow the last one before it.
    """
    if not any(block.text[:1] in _QUOTATION_MARKS for block in blocks if block.text):
        return
    quoted = quoted_blocks([PrintedBlock(block.text) for block in blocks])
    structure = [index for index, block in enumerate(blocks) if block.kind in (SECTION, CHAPTER)]
    for inside, group in itertools.groupby(structure, key=quoted.__contains__):
        indices = list(group)
        if not inside:
            continue
        own = [index for index in structure if index not in quoted]
        before = next((blocks[index] for index in reversed(own) if index < indices[0]), None)
        after = next((blocks[index] for index in own if index > indices[-1]), None)
        if after is not None and not _follows_directly(before, after):
            continue
        for index in indices:
            blocks[index].kind, blocks[index].num, blocks[index].head = TEXT, None, 0


def _follows_directly(before: Block | None, after: Block) -> bool:
    if before is None or before.kind != SECTION or after.kind != SECTION:
        return after.kind == CHAPTER
    first, second = (_NUMBER.match(block.num or "") for block in (before, after))
    if first is None or second is None:
        return False
    return second[1] == first[1] if second[2] else int(second[1]) == int(first[1]) + 1


def _gap_after_sign(raw: str) -> int:
    """Return the number of spaces after the first § sign, as printed."""
    after = raw.find("§") + 1
    return len(raw[after : after + 20]) - len(raw[after : after + 20].lstrip(" "))


def _succeeds(candidate: tuple[int, str], last: tuple[int, str] | None) -> bool:
    """Whether § `candidate` can come after § `last`: a later number, a later letter, or the same number again (two wordings)."""
    if last is None:
        return candidate[0] <= 2
    number, letter = candidate
    if number == last[0]:
        return letter >= last[1]
    return last[0] < number <= last[0] + _LARGEST_STEP


def _is_short_heading(text: str) -> bool:
    """Whether the text before a line in a block is a heading of one or two lines."""
    return len(text) < 140 and text.count("\n") < 2 and is_title(text.strip())


def _last_heading(block: str) -> int | None:
    """Return the offset of a heading of one or two lines directly under the last sentence of a stycke; None without such a heading."""
    lines = block.split("\n")
    for count in (1, 2):
        if len(lines) <= count:
            return None
        heading = " ".join(line.strip() for line in lines[-count:])
        above = lines[-count - 1].rstrip()
        if above.endswith(".") and not above.endswith((" nr.", " art.", " st.")):
            plain = heading[:1].isupper() and is_title(heading) and heading[-1] not in ".)" and len(heading) < 120
            if (
                not plain
                or has_inner_sentence(heading)
                or MARKER.match(heading)
                or heading.startswith(("Lag", "Förordning"))
            ):
                return None
            return sum(len(line) + 1 for line in lines[:-count])
    return None


def has_inner_sentence(text: str) -> bool:
    """Whether a sentence ends and another begins inside `text`; abbreviations such as `m.m.` do not count."""
    return any(_ABBREVIATION.search(text[: match.end() - 2]) is None for match in _INNER_SENTENCE_END.finditer(text))


def _begins_item(marker: str, before: str, line_before: str) -> bool:
    """Whether a line that looks like an item is an item, not a wrapped reference or year."""
    marker = marker.strip()
    if line_before.endswith((",", ";", ":", " och", " eller", " samt")) or line_before in ("och", "eller", "samt"):
        separated = True
    else:
        separated = line_before.endswith(".") and not line_before.endswith(("art.", "nr.", "kap.", "st."))
    if marker in "-–•":
        return separated or "\n" not in before
    if marker in ("1.", "a)"):
        return line_before.endswith(":")
    first = MARKER.match(before.lstrip()) if separated else None
    if first is None:
        return False
    if first["num"] and marker[-1] == ".":
        return marker == f"{int(first['num']) + 1}."
    return bool(first["in"]) and marker[-1] == ")" and ord(marker[0]) == ord(first["in"][-1]) + 1
