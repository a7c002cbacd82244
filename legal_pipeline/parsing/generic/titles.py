"""The title of a law that the recogniser finds: the short title that the law gives itself, else its first heading that is a title. If the
file has only one chapter of a law, it is the heading of the chapter.

The words are data (`[act]` of a language). Not here: titles that hints, front matter or the page state.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.languages.language import language, lower_without_accents
from legal_pipeline.model.document import Node
from legal_pipeline.parsing.blocks import ASIDE_TYPES
from legal_pipeline.parsing.generic.kinds import begins_with_article, names_no_subject, type_of_title
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, patterns
from legal_pipeline.text.alternation import NEVER, alternation
from legal_pipeline.text.markup import RAISED

#: Number of first and of last provisions in which a law names itself, and the number of characters of each that are searched.
_FIRST, _LAST, _CHARS = 4, 3, 1_500
#: Nodes that contain provisions of another law, or of this law a second time.
_APART = frozenset({"schedule", "transitional", "toc", "quotation"})
#: Nodes beside the text in which the title is.
_BESIDE = frozenset({"toc", *ASIDE_TYPES.values()})
#: Maximum length of a title in characters; a longer text that ends as a sentence, or a text of this length, is not a title.
_TITLE_CHARS, _SENTENCE_CHARS = 350, 60
_SENTENCE_END = re.compile(r"[.;:,。；：，।]\Z")
#: Minimum share of the provisions of a chapter of a code whose numbers begin with the chapter's.
_OF_CHAPTER = 0.9
#: Number of divisions inside one another of which each has all provisions: those of a code above one of its chapters.
_INMOST = 3
#: "(3) The keeper", "B. Residence", "12) Lamps": a paragraph, the heading of a division;
#: "[In force from 2031]"; an address; a line of signs; an item of a list; a line that begins with a day;
#: "Act 350"; a place and a day; "COM(2031) 206 final", "2031/0106(COD)",
#: "02031R0106 — EN".
_NOT_A_TITLE = re.compile(
    r"[^\W\d_]+,? (?:[^\W\d_]{1,3} )?\d{1,2}[./]\d{1,2}[./]\d{4}\Z|[A-Z]{3,5}\(\d{4}\) \d+ \w+\Z|.*\d{4}/\d{4} ?\([A-Z]{3}\)\Z|"
    r"\(\+\+\+|.*。|[03]?\d{4}[A-Z]{1,2}\d{4}\b|[-–—•*·]\s|\d{1,2}[./]\d{1,2}[./]\d{4}\b|"
    r".*(?:\s[»›>|<]\s|>>|<<)|\(\w{1,4}\)\s|(?:\d{1,4}|[A-Za-z]|[IVXLC]{1,6})[.)]\s|[\[(（［].*[\])）］]\Z|.*(?:www\.|https?://|@\w)|\w?[\W\d_]*\Z|.*\d-\d{3,4}-?\d*\Z|[^\W\d_]+\s(?:[A-Z]{0,2}\d+|[IVXLC]+)\Z"
)
#: "►B", "▼M3": the act from which a wording is, in consolidated texts of the Union; "2[* * *]": repealed words, with the mark of a note.
_OF_AMENDMENT = re.compile(r"\A(?:[►▼][A-Z]\d{0,3}\s*|\d{0,3}\[(?:\s?\*){3}\s?\]\s*)")
#: "Decret 2/2031, del 8 de gener, …", "Real Decreto 9/2031, de 3 de abril, …"
_DESIGNATED = re.compile(r"(?:[^\W\d_]+[ -]){1,3}(?:n[.º°ro]{1,3} ?)?\d+/\d{2,4}\b", re.IGNORECASE)
#: "L E Y", "U S T A W A"; "(Leuchtengesetz – LeuG)".
_SPACED = re.compile(r"(?<!\w)(?:[^\W\d_] ){2,}[^\W\d_](?!\w)")
_BRACKETED = re.compile(r"\([^()]{4,120}\)")
#: "Amended by: Act 5 of 2031": a fact about the law with its name.
_FACT = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}:\s")
#: The mark of a note at the end of a title: "Lamps Act*", "… a lámpákról1", "… ustaw1)".
_NOTE_MARK = re.compile(rf"(?:(?<=[^\W\d_]{{4}})[\d{RAISED}]{{1,2}}\)?|(?<=\w)\*{{1,3}}|\[\d{{1,2}}\])\Z")
#: Maximum number of lines that a title has behind its first, and the sign that stands for a full stop that ends no sentence.
_MORE_LINES, _NO_STOP = 2, "\u2024"
#: "Lamps Act, No.    of 2031": the number of a bill is empty.
_WITHOUT_NUMBER = re.compile(r",? No\Z")
_ARTICLE = re.compile(r"\A(?:the|die|das|der) (?=[A-Z])", re.IGNORECASE)


class _Words:
    """`short_title`: the sentence in which a law names itself, with the group `title`; `series`: names of gazettes and collections, and
    other lines of a cover, and bodies that issue laws; `kind`: the first lines of a title that are not one alone; `kind_behind`: its
    last line ("ĮSTATYMAS"); `announced`: the line above a title ("ENTITLED"); `long_title`: a first line that is the title, also if it
    ends as a sentence; `preamble`: headings of a preamble, below the title; `abbreviation`: one before a number ("No. 5"); `joins`: words
    with which no title ends; `and_words`: those of them with which a further line of it begins; `code_name`: names of codes, which are the
    titles of their chapters only where these have none; `code`: of the language (ISO 639-3)."""

    def __init__(self, code: str) -> None:
        table, provisions = language(code).section("act"), language(code).section("provisions")
        joins, continues = (
            frozenset(map(lower_without_accents, provisions.get(key, ()))) for key in ("joins", "continues")
        )
        abbreviations = language(code).section("abbreviations").get("general", ())
        series = "|".join(rf"\A\W*(?:{pattern})" for pattern in table.get("series", ()))
        self.code = code
        self.short_title = patterns(code, "act", "short_title")
        self.series = re.compile(series or NEVER, re.IGNORECASE)
        self.kind, self.kind_behind, self.announced = (
            re.compile("|".join(map(lower_without_accents, table.get(key, ()))) or NEVER)
            for key in ("kinds", "kinds_behind", "announced")
        )
        self.long_title, self.code_name = (
            re.compile(table.get(key, NEVER), re.IGNORECASE) for key in ("long_title", "code_name")
        )
        self.preamble = frozenset(map(lower_without_accents, language(code).provision_words("preamble")))
        self.joins, self.and_words = joins | continues, joins
        self.abbreviation = re.compile(
            rf"\b({alternation(abbreviations)})\.(?=\s?\d)" if abbreviations else rf"{NEVER}()", re.IGNORECASE
        )

    def names_no_subject(self, line: str) -> bool:
        """Whether the line is a word for law with number and date, and no subject: "LEGGE 7 agosto 2031, n. 21"."""
        return names_no_subject(line, self.code)

    def goes_on(self, line: str) -> bool:
        """Whether a title does not end with the line: "Act respecting the Lamps and"."""
        return lower_without_accents(line).rpartition(" ")[2] in self.joins

    def begins_inside(self, line: str) -> bool:
        """Whether no title begins with the line: "and their Piers"."""
        return line[:1].islower() and lower_without_accents(line).partition(" ")[0] in self.and_words


def printed_title(builder: DocumentBuilder, code: str | None) -> str | None:
    """Return the title of the law in `builder`, whose language is `code` (ISO 639-3); None if no text is a title."""
    words = _words(code or "eng")
    text = builder.text
    title = _short_title(builder, text, words) or _heading(builder, text, words)
    if title is None or words.code_name.fullmatch(title):
        title = _chapter_of_code(builder, text) or title or _division_alone(builder, text)
    return title and _NOTE_MARK.sub("", title)


def lacks_subject(title: str, code: str) -> bool:
    """Whether `title` is only a word for law, perhaps with a number and a day; `code` is its language (ISO 639-3)."""
    return names_no_subject(title, code) or _words(code).kind.fullmatch(lower_without_accents(title)) is not None


def without_gazette(title: str, code: str) -> str:
    """Return `title` without the gazette that a publisher names behind a dash ("Act 5 of 2031 - Gazette No. 7"); `code` is its language
    (ISO 639-3)."""
    law, sign, place = title.partition(" - ")
    return law if sign and _words(code).series.match(place) else title


def _short_title(builder: DocumentBuilder, text: str, words: _Words) -> str | None:
    provisions = list(_provisions(builder.nodes))
    for node in [*provisions[:_FIRST], *provisions[_FIRST:][-_LAST:]]:
        said = " ".join(text[node.start : min(node.end, node.start + _CHARS)].split())
        said = words.abbreviation.sub(rf"\1{_NO_STOP}", said)
        if match := words.short_title.search(said):
            title = next(found for found in match.groups() if found).strip(" ,;:*\"“”„»«'‘’").replace(_NO_STOP, ".")
            if len(title) <= _TITLE_CHARS:
                return _WITHOUT_NUMBER.sub("", _OF_AMENDMENT.sub("", _ARTICLE.sub("", title)))
    return None


def _provisions(nodes: list[Node]) -> Iterator[Node]:
    """Yield the provisions of the body, in order."""
    for node in nodes:
        if node.type in PROVISION_KINDS:
            yield node
        elif node.type not in _APART:
            yield from _provisions(node.children)


def _heading(builder: DocumentBuilder, text: str, words: _Words) -> str | None:
    """Return the first heading or line of the preamble that is a title."""
    lines = list(_cover_lines(builder, text, words))
    if "" in lines:  # above the first mark of a wording, "▼B", a publisher tells of the file and of amendments
        lines = lines[lines.index("") + 1 :]
    for above, line in itertools.pairwise(lines):
        if words.announced.fullmatch(lower_without_accents(above)) and _is_title(line, words):
            return line
    first = None
    for place, line in enumerate(lines):
        is_first = all(words.series.search(before) for before in lines[:place])
        is_kind = words.kind.fullmatch(lower_without_accents(line)) is not None
        if is_first and words.long_title.match(line) and not is_kind:
            return line
        is_fact = _FACT.match(line) is not None
        # ends as a sentence in some countries; behind an article, it is one
        is_named_first = _DESIGNATED.match(line) is not None and not begins_with_article(line)
        is_designated = is_named_first and (is_first or type_of_title(line) is not None)
        if not is_kind and not _is_title(line.rstrip(".") if is_designated else line, words):
            continue
        title = _with_more_lines(line, lines[place + 1 :], words)
        is_whole = is_designated or words.names_no_subject(line) or title[-1] != "."
        is_named = is_whole and not is_fact and type_of_title(title) is not None
        if is_named or is_kind:
            return title
        first = first or title
    return first


def _cover_lines(builder: DocumentBuilder, text: str, words: _Words) -> Iterator[str]:
    """Yield the first line of each heading and paragraph before the first provision or division, up to the heading of a preamble."""
    for node in builder.nodes:
        if node.type in _BESIDE:
            continue
        if node.type not in ("heading", "preamble"):
            return
        line = _OF_AMENDMENT.sub("", text[node.start : node.end].split("\n", 1)[0].strip())
        line = _SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), line)
        if lower_without_accents(line).strip(" .:–—-") in words.preamble:
            return
        yield line


def _with_more_lines(title: str, following: Sequence[str], words: _Words) -> str:
    """Return `title` with the lines that belong to it: those behind a word for law ("ZAKON"), a number ("LEGGE 7 agosto 2031, n. 21") or
    a word that a title never ends with ("Act on"), those up to a word for law ("ĮSTATYMAS"), and the short title in brackets."""
    more: list[str] = []
    for line in following[: _MORE_LINES + 1]:
        is_day = words.names_no_subject(title) and words.names_no_subject(f"{title} {line}")
        if len(more) == _MORE_LINES or not (is_day or _is_title(line.rstrip("."), words)):
            break
        more.append(line)
    is_complete = words.kind_behind.fullmatch(lower_without_accents(title)) is not None
    for count, line in enumerate(more if not is_complete else (), 1):
        if words.kind_behind.fullmatch(lower_without_accents(line)):
            return " ".join([title, *more[:count]])
    used = 0
    for line in more:  # some titles end as a sentence does
        is_open = words.goes_on(title) or words.begins_inside(line)
        if not (is_open or words.kind.fullmatch(lower_without_accents(title)) or words.names_no_subject(title)):
            break
        if words.names_no_subject(title) and type_of_title(line) and not words.names_no_subject(line):
            return line  # the number of the law is a line above its title
        title, used = f"{title} {line}", used + 1
    short = following[used] if used < len(following) else ""
    return f"{title} {short}" if _BRACKETED.fullmatch(short) and type_of_title(short[1:-1]) else title


def _chapter_of_code(builder: DocumentBuilder, text: str) -> str | None:
    """Return the heading of the division that has all provisions, if their numbers begin with its own ("Chapter 812 - Lamps"), or if it is
    the third inside one another: "Title 12", "Part 14", "Chapter 915"."""
    heading, nodes, depth = None, builder.nodes, 0
    while len(holding := [node for node in nodes if next(_provisions([node]), None)]) == 1 and holding[0].children:
        (division,) = holding
        nodes = division.children
        # "714.16" and "630:1" in chapters 714 and 630, "2C:11-3" in chapter 11
        of_chapter = re.compile(rf"(?:\w+:)?{re.escape(division.num or '')}[.:-]")
        numbers = [provision.num or "" for provision in _provisions(nodes)]
        depth += 1
        is_inmost = depth >= _INMOST and division.type not in PROVISION_KINDS
        if (
            is_inmost
            or sum(of_chapter.match(number) is not None for number in numbers) >= _OF_CHAPTER * len(numbers) > 0
        ):
            heading = _line_of(division, text)
    return heading


def _division_alone(builder: DocumentBuilder, text: str) -> str | None:
    """Return the heading of the division that has all provisions of a file with a part of a law: "Chapter II Harbours"; None without it."""
    holding = [node for node in builder.nodes if next(_provisions([node]), None)]
    return _line_of(holding[0], text) if len(holding) == 1 and holding[0].type not in PROVISION_KINDS else None


def _line_of(division: Node, text: str) -> str:
    line = text[division.start : division.end].split("\n", 1)[0].strip()
    return line if division.heading is None or division.heading in line else f"{line} {division.heading}"


def _is_title(line: str, words: _Words) -> bool:
    if len(line) > _TITLE_CHARS or (len(line) > _SENTENCE_CHARS and _SENTENCE_END.search(line)) or line[-1:] in ",;:":
        return False
    return not _NOT_A_TITLE.match(line) and not words.series.search(line)


_words = functools.cache(_Words)
