"""Finds labels at the beginning of blocks, a word and a number or a number alone, and rates their strength.

Not here: which labels are provisions of this document (`recogniser.sequence`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.building.repeals import is_repeal
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.headings import HEADING_CHARS, SENTENCE_END, begins_upper
from legal_pipeline.parsing.recogniser.numbers import (
    HAN_OR_FIGURES,
    Number,
    folded,
    inserted_number,
    range_number,
    read_number,
)
from legal_pipeline.parsing.recogniser.repealed_ranges import hyphened_range, repealed_range
from legal_pipeline.parsing.recogniser.words import CLOSING_KINDS, PROVISION_KINDS, Words
from legal_pipeline.text.markup import RAISED

#: Strength of a label: certain, possible, or more probably a reference in running text.
STRONG, FAIR, WEAK = 1.0, 0.7, 0.15
#: End of the style of a number in a heading.
STYLED = "styled"
#: Beginning of the style of a label in a chapter of a code.
IN_CODE = "code"
#: Beginning of the style of a label behind the mark of a list's item.
IN_LIST = "item:"
#: Beginning of the style of a label whose word has numbers of its own.
SET_APART = "apart"
#: Strength of a number without a word: with a heading, with a full stop, or with neither.
_BARE_HEADED, _BARE_STOPPED, _BARE = 0.8, 0.5, 0.3
#: Strength of "5. [Repealed]". It counts between its neighbours; a list of such remarks alone is the history of the law.
_BARE_REMARK = 0.075
#: The text of a provision begins with its first subsection.
_BEGINS_TEXT = re.compile(r"\((?:1|a)\)\s")
#: More words before a dash at the end announce a list: "3. The principal Act is amended in section 4—".
_HEADING_WORDS = 5
#: Maximum length of a heading in bold before its text, in characters.
_LEAD_CHARS = 200
#: "2(1) The Board": no space behind the number of a section, or behind its stop before a letter without capitals.
_BEHIND_NUMBER = (
    r"(?:(?P<dot>\.[–—-]?|\))(?=\s|$|[A-Z“\"(\[]|(?!\d)[\u0590-\u10ff]|\.\s\.)|(?=\s|\(1\)\s))\s*(?P<rest>.*)"
)
_BARE_NUMBER = re.compile(rf"(?P<num>\d{{1,4}}(?:-?[A-Zא-תক-হ]{{1,3}}|[a-z](?=[.) ]))?){_BEHIND_NUMBER}", re.DOTALL)
#: "5A": the heading of a provision that was repealed.
_HEADING_OF_NUMBER = re.compile(r"(?P<num>\d{1,4}[A-Z]{0,3})(?P<dot>)(?P<rest>)")
_PARTED_NUMBER = re.compile(rf"(?P<num>\d{{1,4}}(?:\.\d{{1,3}}){{1,3}}){_BEHIND_NUMBER}", re.DOTALL)
#: "PRIMERA.-", "Vigésimo segunda:", "Vint-i-unena.": an ordinal of one or a few words alone, or with the sign before the text.
_SPELLED = re.compile(r"(?P<num>[^\W\d_]{3,}(?:[\s-][^\W\d_]+){0,3})(?:\s?(?:\.\s?[-–—]|[.:])\s*(?=\S|\Z)|\Z)")
#: "2. 3. 4A.": a print in columns has the numbers of a table of contents in one line.
_NUMBERS = re.compile(r"(?:\d{1,4}[A-Z]{0,2}[.)]?\s*)+")
_LETTER_APART = re.compile(r" (?:[a-z](?=[.:]?\s+[^\W\d_a-zäöåæøéèà]|[.:]?\s*\Z|[.:]?\s+\()|[A-Z](?=[.:]\s))")
#: "5. gr. a.": the letter of an inserted provision after its word.
_LETTER_BEHIND = re.compile(r"(?<=\.)\s(?P<letter>[a-z])(?:\.(?=\s|\Z)|\Z)")
#: A remark of the publisher on a wording: "/Enters into force 2031-05-01/ Chapter 7".
_REMARK = re.compile(r"(?:/(?=[^\W\d])[^/]{3,120}/\s*)+(?=\S)")
#: The mark of a note and a bracket before an inserted provision, or a raised mark before a label alone: "3[4A. The Board", "⁵ Art. 3 a".
_INSERTED = re.compile(
    rf"[{RAISED}]{{1,3}}\s(?=[^\W\d_]{{1,8}}\.?\s\d{{1,4}}\s?[a-z]?\Z)|[\d{RAISED}]{{1,3}}\[(?=\d)"
    r"|\[(?=\d{1,4}[A-Z]{0,2}\.\s|§\s?\d[\w.:-]*\](?:\s|\Z))"
)
#: "*6", in bold: the mark of a note before the number of a section.
_STARRED = re.compile(r"\*\d{1,4}(?:\.\d{1,3})?\Z")
#: "GG Art 1", "BGB § 433": some publishers print the abbreviation of the law, with two capitals, before a label alone on its line.
_OF_LAW = re.compile(
    r"[^\W\d_a-zäöü][a-zäöü]{0,5}[^\W\d_a-zäöü][^\W\d_]{0,10}\s(?=(?:[^\W\d_]{1,8}\.?\s|§\s?)\d{1,4}\s?[a-z]?\Z)"
)
_BULLET = re.compile(r"[-–—*+•·]\s+")
_SEPARATOR = re.compile(r"[\s.:;,)\]*–—―-]*")
#: The parts of a number between a sign and a word.
_FIGURES = re.compile(HAN_OR_FIGURES)
_BRACKETS = "(（[［【"
_OPENING = "«“„\"'‘‚([*"
#: "Short title.—", "Short title: (1)", "Short title : This": a run-in heading, with the text on the same line.
_RUN_IN = re.compile(
    r"(?P<heading>[^.:;]{2,150}?(?:\[[^\]]{0,80}\][^.:;]{0,80})?)\s?(?:\.\s?[-–—―]+|[–—―]{1,2}(?=\s?[A-Z(])|\.(?=\s*\(\d|\s\(a\)\s[A-Z])|:(?=\s*\(1\)\s)|(?<=\s):(?=\s+[A-Z]))\s*"
)
#: "SHORT TITLE. This Act may be cited as": a run-in heading in capitals.
_IN_CAPITALS = re.compile(
    r"(?P<heading>[A-ZÀ-ÖØ-Þ“\"][A-ZÀ-ÖØ-Þ0-9 ,;:'’“”\"()&/–-]{3,200})\.\s+(?=\((?:1|a)\)|[“\"'‘]?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]|A\s[a-z])"
)
#: What ends a heading in bold before its text: signs in bold or behind it; before a first number it needs none.
_LEAD_ENDS = re.compile(r"\s*(?:(?:(?<=[.:;–—-])|[.:–—-])[\s.:–—-]*|(?=\(?(?:1|a)[.)]))")
#: "（定義）　": a run-in heading in brackets behind a number between a sign and a word ("第二条（定義）　この法律").
BRACKETED = re.compile(
    r"(?:（(?P<wide>[^（）]{1,80}(?:（[^（）]*）[^（）]*)?)）|\((?P<heading>[^()]{1,80}(?:\([^()]*\)[^()]*)?)\))\s*"
)
#: "Article 5(1)(f)" refers to a paragraph of article 5; in a label, only its first paragraph could follow the number.
_PART_OF_PROVISION = re.compile(r"\(\w{1,3}\)\s?\((?![1aiA]\))\w{1,3}\)")


@dataclass(frozen=True, slots=True)
class Label:
    """A label at the beginning of the block `index`.

    `kinds`: the possible kinds of the word, empty for a number alone. `end`: offset in the block's text after label and separator.
    `strength`: 0 to 1. `style`: equal for labels that look alike. `alone`: no text follows the label. `refers`: it is weak, and the word
    behind it shows that it is probably a reference ("Section 9 of").
    """

    index: int
    kinds: tuple[str, ...]
    number: Number
    end: int
    strength: float
    style: str
    alone: bool
    refers: bool = False

    @property
    def is_provision(self) -> bool:
        """Whether the word may be that of an article or a section."""
        return any(kind in PROVISION_KINDS for kind in self.kinds)

    @property
    def is_set_apart(self) -> bool:
        """Whether its word has numbers of its own ("GEÇİCİ MADDE 1" between articles 7 and 8)."""
        return self.style.startswith(SET_APART)


Labels = Sequence[Label]
#: Headings of divisions with their kinds, in order.
Divisions = Sequence[tuple[Label, str]]


def labels_of(index: int, block: Block, words: Words) -> list[Label]:
    """Return the possible labels of `block`, at most one with a word and one without. A remark between slashes may precede the label,
    or the bracket of an insertion; in a list, the mark of an item may precede the label of a provision."""
    text = block.text
    if block.kind != "text":
        return []
    if remark := _REMARK.match(text) or _INSERTED.match(text):
        return _labels_behind(remark.end(), index, block, words)
    if _STARRED.match(block.lead) and text.startswith(block.lead):
        return _labels_behind(1, index, dataclasses.replace(block, lead=block.lead[1:]), words)
    if block.depth and (mark := _BULLET.match(text)):
        behind = _labels_behind(mark.end(), index, block, words)
        return [dataclasses.replace(label, style=IN_LIST + label.style) for label in behind if label.is_provision]
    if text.startswith("(") and text.endswith(")"):
        return _in_brackets(index, block, words)
    found: list[Label] = []
    if law := _OF_LAW.match(text):
        found = [label for label in _labels_behind(law.end(), index, block, words) if label.is_provision]
    if not found and words.lead and text.startswith(words.lead):
        behind = _labels_behind(len(words.lead), index, block, words)
        found = [label for label in behind if not set(CLOSING_KINDS).isdisjoint(label.kinds)]
    return found or _labels_of(index, block, words)


def _labels_behind(start: int, index: int, block: Block, words: Words) -> list[Label]:
    """Return the labels of the text from `start` on; their ends are places in the whole text."""
    behind = _labels_of(index, dataclasses.replace(block, text=block.text[start:]), words)
    return [dataclasses.replace(label, end=label.end + start) for label in behind]


def _in_brackets(index: int, block: Block, words: Words) -> list[Label]:
    """Return the label of a provision that is printed in brackets: because it was repealed, "(Article 7.- Repealed in 2031.)", or with its
    number as a word, "(First Article)"; with figures, such a line is a reference."""
    inner = dataclasses.replace(block, text=block.text[1:-1])
    found = [label for label in _labels_of(index, inner, words) if label.is_provision]
    return [
        dataclasses.replace(label, end=len(block.text) if label.alone else label.end + 1)
        for label in found
        if is_repeal(inner.text[label.end :], (words.language,))
        or (
            label.alone
            and label.style.startswith("before")
            and not re.search(r"\d", inner.text)
            and not label.number.series
        )
    ]


def _labels_of(index: int, block: Block, words: Words) -> list[Label]:
    if not block.text or block.text[0] in '“„«"‘':
        return []
    text = block.text[:400]
    if words.history.match(text):
        return []
    if several := repealed_range(text, words.language):
        return [
            dataclasses.replace(label, number=several.number, end=several.end, alone=several.end == len(block.text))
            for single in several.as_single
            for label in _labels_of(index, dataclasses.replace(block, text=single), words)
        ]
    found: list[Label] = []
    if words.around and (match := words.around.match(text)) and (label := _around(index, block, match, words)):
        return [label]
    if words.in_code and (match := words.in_code.match(text)) and (number := read_number(match["num"])):
        return [_worded(index, block, text, match.end(), ("section",), number, IN_CODE, words)]
    if (match := words.before.match(text)) and (number := words.number(match["num"])):
        kinds = words.kinds_of(re.sub(r"\s+", " ", match["word"]))
        if kinds and not _is_other_text(text, match, kinds):
            number, end = _joined(text, match, kinds, number, words)
            place = "before"
            if shown := words.set_apart.get(folded(match["word"])):
                number, place = dataclasses.replace(number, text=f"{shown} {number.text}", series=shown), SET_APART
            label = _worded(index, block, text, end, kinds, number, place, words)
            # Notes explain each rule of a law: "Rule 2 provides that".
            if label.strength > WEAK or folded(match["word"]) not in words.also:
                found.append(label)
    elif (match := words.behind.match(text)) and (number := _number_behind(match, words)):
        kinds = words.kinds_of(re.sub(r"\s+", " ", match["word"]))
        rest = text[match.end() :].lstrip(f"{RAISED} ")
        # "23. Sections to be construed" is section 23, and "5 Part payment" is not part 5.
        is_sign = "§" in match["word"]
        if (
            kinds
            and folded(match["word"]) not in words.also
            and (
                _is_annexed(kinds, text, rest, words)
                or not (_names_another(text, match, kinds, words) or (rest[:1].islower() and not is_sign))
            )
        ):
            end = match.end() + (text[match.end() : match.end() + 1] == ".")
            end += len(text[end:]) - len(text[end:].lstrip(RAISED))  # "5. §⁴": the mark of a note
            if letter := _LETTER_BEHIND.match(text, end):
                number = read_number(match["num"] + letter["letter"]) or number
                end = letter.end()
            found.append(_worded(index, block, text, end, kinds, number, "behind", words))
    if (
        (not found or found[0].style.startswith("behind"))
        and (match := _BARE_NUMBER.match(text) or (_HEADING_OF_NUMBER.fullmatch(text) if block.level else None))
        and (number := read_number(match["num"]))
        and not (match["dot"] and _NUMBERS.fullmatch(match["rest"]))
    ):
        found.append(_bare_range(index, block, match, number, words) or _bare(index, block, match, number))
    elif not found and (between := hyphened_range(text, words.language)):
        found.append(Label(index, (), between[0], between[1], _BARE_REMARK, "bare::", False))
    return found


def _is_annexed(kinds: tuple[str, ...], text: str, rest: str, words: Words) -> bool:
    """Whether a number and a word are those of an annex whose heading names what it belongs to."""
    return not set(CLOSING_KINDS).isdisjoint(kinds) and words.says_where_annexed(text, len(text) - len(rest))


def _bare_range(index: int, block: Block, match: re.Match[str], number: Number, words: Words) -> Label | None:
    """Return the label of "7 to 9 [Repealed]", "11 and 12 [Amendments]": two numbers with a remark in brackets and no other text."""
    other = words.joins.match(block.text, match.end("num"))
    rest = block.text[other.end() :].lstrip() if other else ""
    if other is None or not (rest.startswith("[") and rest.endswith("]")):
        return None
    both = range_number(block.text[match.start("num") : other.end()], number, read_number(other["num"]))
    return Label(index, (), both, len(block.text) - len(rest), _BARE_REMARK, "bare::", False) if both else None


def _names_another(text: str, match: re.Match[str], kinds: tuple[str, ...], words: Words) -> bool:
    """Whether the word behind a number has a number of its own: "1 Art. 5 amended by" is the note 1, "2. § 26 applies" the item 2.

    Where the language prints the number first ("2. § 18 year-olds"), the sign belongs to the number before it.
    """
    start, end = match.span("word")
    joined = text[start:end] + re.sub(r"\A[-–]", " ", text[end:])  # "Ek-2"
    another = words.before.match(joined)
    if another is None or not match["num"][0].isdigit():
        return False
    if not words.number_first.isdisjoint(kinds):
        return "§" not in match["word"] and another["num"][0].isdigit()
    return another["num"][0].isdigit() or another["num"].isupper()


def _around(index: int, block: Block, match: re.Match[str], words: Words) -> Label | None:
    """Return the label whose number is between a sign and a word; weak where a sentence goes on ("第十条的规定")."""
    number = inserted_number(_FIGURES.findall(match["num"] + match["more"]))
    last = inserted_number(_FIGURES.findall(match["last"] or ""))
    kinds = words.kinds_of(match["word"])
    if number is None or not kinds:
        return None
    number = (last and range_number(f"{number.text}–{last.text}", number, last)) or number
    rest = _SEPARATOR.sub("", block.text[match.end() :], count=1)
    end = len(block.text) - len(rest)
    is_apart = end > match.end() or not rest or rest[0] in _BRACKETS or block.is_styled
    refers = match["continued"] is not None
    strength = WEAK if refers else STRONG if is_apart else FAIR
    return Label(index, kinds, number, end, strength, f"around:{kinds[0]}", not rest, refers)


def repeats_section(label: Label, of_code: Label) -> bool:
    """Whether `label` repeats the last part of the number of a section directly below it: "Sec. 316." below "750.316 Murder."."""
    return (
        label.index == of_code.index + 1
        and of_code.style.startswith(IN_CODE)
        and label.is_provision
        and label.number.key == of_code.number.key[-1:]
    )


def parted_label(index: int, block: Block) -> Label | None:
    """Return the label of `block` if it begins with a number of several parts ("2.1."), else None."""
    match = _PARTED_NUMBER.match(block.text) if block.kind == "text" else None
    number = read_number(match["num"]) if match else None
    return _bare(index, block, match, number) if match and number else None


def spelled_label(index: int, block: Block, words: Words) -> Label | None:
    """Return the label of `block` if it begins with an ordinal in words, else None.

    Only transitional provisions are numbered in this way: elsewhere such words begin the points of an argument.
    """
    match = _SPELLED.match(block.text) if block.kind == "text" else None
    value = words.ordinal(match["num"]) if match else None
    if match is None or not value:
        return None
    number = Number(str(value), "", ((value, ()),))
    return Label(index, (), number, match.end(), STRONG, "spelled", match.end() == len(block.text))


def _number_behind(match: re.Match[str], words: Words) -> Number | None:
    """Return the number before the word of a label; "5 och 6 §§" is one number with the keys of both."""
    first, last = read_number(match["first"] or ""), read_number(match["last"] or "")
    return range_number(match["num"], first, last) or words.number(match["num"])


def _joined(
    text: str, match: re.Match[str], kinds: tuple[str, ...], number: Number, words: Words
) -> tuple[Number, int]:
    """Return the number of a label and the offset of its end.

    "Art. 86 and 87", which were repealed together, is one number, and so is "Articles 6 and 7 Deleted". "Chapter 8 a. Boats"
    includes the letter. "Article 8 a. Boats" does so where the language writes letters apart; elsewhere the letter begins a list.
    """
    other = words.joined.match(text, match.end())
    if other is None and (pair := words.joins.match(text, match.end())):
        other = pair if is_repeal(text[pair.end() :], (words.language,)) else None
    printed = text[match.start("num") : other.end()] if other else ""
    if other and (both := range_number(printed, number, read_number(other["num"]))):
        return both, other.end()
    may_begin_list = not words.letters_apart and not {*PROVISION_KINDS, "paragraph"}.isdisjoint(kinds)
    letter = None if may_begin_list else _LETTER_APART.match(text, match.end())
    is_plain = match["num"].isdigit() or (words.letters_apart and number.series == "roman")
    lettered = read_number(text[match.start("num") : letter.end()]) if letter and is_plain else None
    return (lettered, letter.end()) if letter and lettered else (number, match.end())


def _is_other_text(text: str, match: re.Match[str], kinds: tuple[str, ...]) -> bool:
    """Whether more letters or digits directly follow the number, `Article 5/2019`, or an ending, "Ek 4’te"; or brackets are around that of
    an inner level, "Subsection (2)"."""
    sign, following = text[match.end() : match.end() + 1], text[match.end() + 1 : match.end() + 2]
    is_inner = kinds == ("subdivision",) and text[match.start("num") - 1] == "("
    return is_inner or sign.isalnum() or (sign == "/" and following.isdigit()) or (sign in "’'" and following.islower())


def _worded(
    index: int, block: Block, text: str, end: int, kinds: tuple[str, ...], number: Number, place: str, words: Words
) -> Label:
    rest = _SEPARATOR.sub("", text[end:], count=1)
    sign = text[end : len(text) - len(rest)]
    strength = _strength(block, sign, rest)
    refers = strength == WEAK and words.continues.match(rest) is not None
    return Label(index, kinds, number, end + len(sign), strength, f"{place}:{kinds[0]}", not rest, refers)


def _strength(block: Block, sign: str, rest: str) -> float:
    if not rest:
        return STRONG if len(sign.strip()) < 3 else FAIR
    stopped = bool(sign.strip(" ,;)"))
    if _REMARK.match(rest):
        return STRONG
    if not sign and _PART_OF_PROVISION.match(rest):
        return WEAK
    first = rest[0]
    if first.islower():
        shown = block.is_styled or block.text.split(None, 1)[0].isupper()  # "SECTION 1 general rules"
        if shown and len(block.text) <= HEADING_CHARS and not SENTENCE_END.search(block.text):
            return FAIR
        if block.level and len(block.text) <= HEADING_CHARS:
            return FAIR
        # "artículo 3o. de esta Ley, y" at the beginning of a wrapped line
        refers = (block.text[0].islower() and "." in sign) or block.text.endswith((",", ";"))
        return FAIR if stopped and not refers else WEAK
    if sign.strip().startswith((",", ";", ")")):
        return WEAK
    if first == "(" and not re.match(r"\((?:1|a|i|A)[A-Za-z]?\)|\([^\W\d]{3,}", rest):
        return WEAK if re.match(r"\(\d", rest) else FAIR
    if begins_upper(first) or first in _OPENING or first.isdigit():
        if block.text.endswith((";", ",", "·")):
            return FAIR  # "Članak 5. Uredbe 2031/77;" is an item of a list
        return STRONG if stopped or block.is_styled or first in _OPENING else FAIR
    return FAIR


def _bare(index: int, block: Block, match: re.Match[str], number: Number) -> Label:
    rest, dot = match["rest"], match["dot"] or ""
    end = match.start("rest")
    headed = block.is_styled and len(block.text) <= HEADING_CHARS and (bool(rest) or block.level > 0)
    # a short provision in bold, "1. (1) This Act may be cited as …", looks like the provisions that are too long for a heading
    look = f"bare:{dot[:1]}:{STYLED if headed and not _is_text(rest) else ''}"
    if rest.startswith("[") and rest.endswith("]"):
        strength = _BARE_REMARK
    elif (headed and not rest[:1].islower()) or (
        dot != ")" and rest and (run_in_heading(block, end) or _BEGINS_TEXT.match(rest))
    ):
        strength = _BARE_HEADED
    elif dot.startswith(".") and (not rest or not rest[0].islower()):
        strength = _BARE_STOPPED
    elif rest and not rest[0].islower() and not dot:
        strength = _BARE
    else:
        strength = _BARE_REMARK
    return Label(index, (), number, end, strength, look, not rest)


def run_in_heading(block: Block, end: int) -> tuple[str, int] | None:
    """Return the heading behind the label that ends at `end`, and where the text after it begins in the same block; None without a heading.
    The heading is in bold (with or without the label, but not the whole block), or has the signs of a heading ("Short title.—"), or is in
    capitals ("SHORT TITLE.")."""
    text = block.text
    if _BEGINS_TEXT.match(text, end):
        return None
    for start in (0, end):
        stop = start + len(block.lead)
        heading = text[end:stop].rstrip(" .:;–—-")
        if len(heading) < 2 or len(heading) > _LEAD_CHARS or not text.startswith(block.lead, start):
            continue
        ended = _LEAD_ENDS.match(text, stop)
        if not _may_begin(heading):
            continue
        if stop == len(text):
            return heading, stop
        if ended is not None and _may_begin(text[ended.end() :]):
            return heading, ended.end()
    match = _IN_CAPITALS.match(text, end) or _RUN_IN.match(text, end)
    # "(Amended. – Gazette 5 of 2031)": a remark in brackets is not a heading and is not cut
    if match is None or match["heading"].count("(") != match["heading"].count(")"):
        return None
    return match["heading"].strip(), match.end()


def bracketed_heading(label: Label, block: Block) -> tuple[str, int] | None:
    """Return the heading in brackets directly behind `label`, and where the text behind it begins; None without one. If the label begins
    with a word ("Article 2 (Registration) A person"), it has no figures and no full stop: remarks on an amendment have these."""
    match = BRACKETED.match(block.text, label.end)
    if match is None:
        return None
    heading = match["wide"] or match["heading"]
    if label.style.startswith("around"):
        return heading, match.end()
    behind = block.text[match.end() :]
    is_heading = len(heading) > 2 and begins_upper(heading) and not re.search(r"\d|\.", heading)
    return (heading, match.end()) if is_heading and _may_begin(behind) else None


def _may_begin(text: str) -> bool:
    """Whether a heading or a sentence may begin so."""
    return begins_upper(text) or text[:1].isdigit() or text[:1] in {*_OPENING, *_BRACKETS}


def _is_text(rest: str) -> bool:
    """Whether the words behind a number are text and not a heading: they begin with a first subsection, or announce a list."""
    return bool(_BEGINS_TEXT.match(rest)) or (rest.endswith(("—", "–")) and len(rest.split()) > _HEADING_WORDS)
