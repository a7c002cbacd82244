"""Write the paragraphs of a statute in any marked-up Swedish format as stycken and list items.

Not here: nodes (`parsing.sweden.writer`); plain text, whose layout must be read first (`parsing.sweden.layout`).
"""

from __future__ import annotations

import re

from legal_pipeline.parsing.sweden.last_sentences import is_last_sentence
from legal_pipeline.parsing.sweden.lists import MARKER, Lists
from legal_pipeline.parsing.sweden.marks import leading_marks
from legal_pipeline.parsing.sweden.writer import StatuteWriter

#: "1994:579", "SFS 2025:991", "NFS 2019:2 och NFS 2019:3" alone on a line: the act whose transitional provisions follow.
ACT_NUMBER = re.compile(
    r"(?:[A-ZÅÄÖ]{2,8}[- ]?(?:FS|[A-Z])?\s)?\d{4}:\d+(?:(?:,| och)\s(?:[A-ZÅÄÖ]{2,8}\s)?\d{4}:\d+)*\.?"
)
CHAPTER = re.compile(r"(?P<num>\d+(?:\s?[a-zåäö])?)\s+kap\.\s*(?P<heading>.*)", re.IGNORECASE | re.DOTALL)
SCHEDULE = re.compile(
    r"Bilaga(?:\s+(?P<num>\d+(?:\s?[a-z])?|[A-Z]|[IVX]+)(?![\w§]))?[\s.:–-]*(?P<heading>.*)", re.DOTALL
)
TRANSITIONAL = re.compile(
    r"(?:ikraftträdande(?:\s*-?\s*och\s+övergångsbestämmelser)?|övergångsbestämmelser)\.?", re.IGNORECASE
)
DIVISION = re.compile(
    r"(?:AVD(?:ELNING)?\.?\s+(?P<num>[IVXLC]+|[A-Z]|\d+)|(?P<ordinal>\w+\s+AVDELNINGEN))[\s.:–-]*(?P<heading>.*)",
    re.DOTALL,
)
#: An amendment mark in a paragraph of its own: the HTML of one publisher separates it from the text that it belongs to.
_BARE_MARK = re.compile(r"(?:lag|förordning|kungörelse|tillkännagivande)\s?\(\s?\d{4}:\d+\)", re.IGNORECASE)
_LOST_SLASH = re.compile(r"(?=(?:Upphör att gälla\s+U|Träder i kraft\s+I):[^/]{3,60}/)")
#: A text with this ending is unfinished. If the next text begins with a lower-case letter, words between them were lost.
_UNFINISHED = re.compile(r"(?:\b(?:enligt|av|till|i)|[^,]\soch|\d-)$")
#: A § without markup: the Riksdag's own pages have no anchor where "3 a" is set with a hard space.
_UNMARKED_SECTION = re.compile(r"(?P<num>\d+(?: [a-zåäö])?) § (?=[A-ZÅÄÖ])")
_SIGN = re.compile(r"(?P<num>\d+) ?(?P<letter>[a-zåäö])?")
_ENDS = frozenset('.)/?!”"')


class Blocks:
    """Feed a `StatuteWriter` with paragraphs in order: recognise items and their level, and attach marks to their text.

    A paragraph is held until the next paragraph is known, because an amendment mark may follow in its own paragraph.
    `finish` and every change of structure (`flush`) write the held paragraph.
    """

    def __init__(self, writer: StatuteWriter) -> None:
        self.writer = writer
        self.warnings: list[str] = []
        self._lists = Lists()
        self._held: str | None = None
        self._role: str | None = None
        self._prefix = ""
        self._item: tuple[str, int] | None = None
        self._continues = False

    def paragraph(
        self, text: str, *, role: str | None = None, marker: str | None = None, continues: bool = False
    ) -> None:
        """Take a paragraph of canonical text; `marker` is given where the markup numbers the item, else it is read from the text.

        `continues`: the paragraph is a further paragraph of the item before it.
        """
        if not text:
            return
        if self._held is not None and _BARE_MARK.fullmatch(text.rstrip(".")):
            # In the print the mark is at the end of the text before it and ends with a full stop.
            self._held = f"{self._held} {text if text.endswith('.') else text + '.'}"
            return
        if (
            self._held is not None
            and marker is None
            and _UNFINISHED.search(self._held)
            and text[0].islower()
            and not MARKER.match(text)
        ):
            self.warnings.append(f"words are missing between {self._held[-40:]!r} and {text[:40]!r}")
        if (provision := self.writer.provision) and (found_sign := _UNMARKED_SECTION.match(text)):
            if self._is_next(found_sign["num"], provision.num or ""):
                self.section(found_sign.group().rstrip())
                text = text[found_sign.end() :]
            else:
                self._unmarked_section(found_sign["num"], provision.num or "")
        self.flush(keep_list=True)
        text = _LOST_SLASH.sub("/", text, count=1) if text[:1] in "UT" and _LOST_SLASH.match(text) else text
        if self._prefix:
            text, self._prefix = f"{self._prefix} {text}", ""
        marks, begin = leading_marks(text)
        if marks and begin >= len(text):
            self._prefix = text
            return
        self._role, self._continues = role, continues
        found = MARKER.match(text + " ") if marker is None else MARKER.match(marker + " ")
        if found is not None and (marker is not None or text[found.end() :].strip()):
            mark, level = self._lists.level(found)
            self._item = (mark.text, level)
            self._held = text if marker is not None else text[found.end() :].strip()
        else:
            if not continues:
                self._lists.end()
            self._item, self._held = None, text

    def _is_next(self, num: str, before: str) -> bool:
        """Whether text that begins like a § without markup is a §: its number follows the § before it, whose text has ended."""
        here, last = _SIGN.fullmatch(num), _SIGN.fullmatch(before)
        if here is None or last is None or (self._held is not None and self._held[-1] not in _ENDS):
            return False
        number, letter = int(last["num"]), last["letter"] or ""
        following = (str(number), chr(ord(letter) + 1) if letter else "a")
        return (here["num"], here["letter"] or "") in ((str(number + 1), ""), following)

    def _unmarked_section(self, num: str, before: str) -> None:
        """Add a warning for a § that has no markup and is out of sequence; its text stays in the § before it."""
        nodes = self.writer.builder.open_nodes
        chapter = next((f"{node.num} kap. " for node in nodes if node.type == "chapter" and node.num), "")
        self.warnings.append(f"{chapter}{num} § has no mark-up and is inside {chapter}{before} §")

    def flush(self, *, keep_list: bool = False) -> StatuteWriter:
        """Write the held paragraph; without `keep_list` the list ends too. Return the writer for what follows."""
        held, self._held = self._held, None
        if held is not None:
            if self._item is not None:
                self.writer.item(self._item[0], held, level=self._item[1])
            elif self._continues:
                self.writer.continuation(held)
            else:
                self.writer.stycke(held, role=self._role)
        if not keep_list:
            if self._prefix:
                self.writer.stycke(self._prefix, role=self._role)
                self._prefix = ""
            self._lists.end()
        return self.writer

    def section(self, sign: str) -> None:
        self.flush().section(sign)

    def heading(self, text: str, level: int = 1) -> None:
        """Write a heading; its words decide its kind: transitional provisions, chapter, division, schedule or group heading."""
        is_structure = any(pattern.fullmatch(text) for pattern in (TRANSITIONAL, CHAPTER, DIVISION, SCHEDULE))
        if self._held is not None and self.writer.provision and not is_structure and is_last_sentence(text, self._held):
            self.paragraph(text)  # the markup is sometimes wrong
            return
        writer = self.flush()
        if TRANSITIONAL.fullmatch(text):
            writer.transitional(text)
        elif match := CHAPTER.fullmatch(text):
            writer.chapter(" ".join(match["num"].split()), match["heading"].strip(), text)
        elif match := DIVISION.fullmatch(text):
            writer.division(match["num"] or match["ordinal"], match["heading"].strip(), text)
        elif match := SCHEDULE.fullmatch(text):
            writer.schedule(match["num"], match["heading"].strip(), text)
        else:
            writer.heading(text, level=level)

    def act(self, text: str) -> None:
        """Write the number of the act whose transitional provisions follow."""
        number = text.rstrip(".").removeprefix("SFS ").strip()
        self.flush().transitional_act(number, text)

    def table(self, rows: list[list[str]]) -> None:
        writer = self.flush()
        if rows:
            caption = rows[0][0] if len(rows[0]) == 1 and len(rows) > 1 else None
            writer.table(rows, caption=caption)

    def finish(self) -> None:
        self.flush().finish()
