"""Provisions and Acts as the common law world cites them: "Sections 34 and 302 read with Section 149 of the Indian Penal Code, 1860",
"sub-section (2) of section 37", "this Act", "the said Act", and short names that a text gives to an Act.

One scanner serves all countries; `NamedActs` holds what differs between them (names of Acts, chapters).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations.mention import (
    EARLIER,
    OWN,
    SECTION,
    UNKNOWN,
    Mention,
    Target,
    Work,
    known,
    mention_of,
    mentions_of,
)
from legal_pipeline.citations.model import Kind
from legal_pipeline.citations.provisions import bracketed, expand, join, kept_levels, segment
from legal_pipeline.citations.sentences import SentenceRules, abbreviations, paragraph_start, with_unsaid_works
from legal_pipeline.model.slug import slug
from legal_pipeline.text.alternation import alternation

_PIN = r"(?: ?\((?:\d{1,3}(?:-?[A-Z]|[A-Za-z]{0,2})|[a-z]{1,5}|[a-z]{1,3}-[a-z]|[A-Z]{1,4})\))"
NUMBER = rf"\d{{1,4}}(?:-?[A-Z]{{1,3}}(?![\w]))?{_PIN}*"
_SECTION_WORD = r"(?:[Ss]ections?|SECTIONS?|[Ss]ecs?\.|[Ss]{1,2}\.|ss?(?= ?\d)|[Uu]/[Ss]{1,2}\.?|U/S)"
_ARTICLE_WORD = r"(?:[Aa]rticles?|[Aa]rts?\.)"
_RULE_WORD = r"(?:[Rr]ules?|rr?\.?(?= ?\d)|[Rr]egulations?|[Rr]egs?\.)"
_WORD = rf"(?:(?P<section_word>{_SECTION_WORD})|(?P<article_word>{_ARTICLE_WORD})|(?P<rule_word>{_RULE_WORD}))"
_PART_WORD = (
    r"(?:[Ss]ub-?[Ss]ections?|[Ss]ub-?sec\.|[Ss]ub-?ss?\.|[Ss]ub-?[Rr]ules?"
    r"|[Ss]ub-?[Pp]aragraphs?|[Ss]ub-?[Cc]lauses?|[Cc]lauses?|[Pp]aragraphs?|[Pp]aras?\.?|[Ii]tems?)"
)
_PARTS = rf"{_PART_WORD} ?(?:\(\w{{1,4}}\))+(?:(?:, | and | or |, and |, or )(?:\(\w{{1,4}}\))+)*"
#: Words before a section that narrow it: "clauses (a) and (b) of sub-section (1) of".
_BEFORE = rf"(?P<before>{_PARTS}(?:(?: of|,) {_PARTS})* (?:of|to) (?:the )?)"
UNIT = rf"(?:proviso to )?{_BEFORE}?{_WORD} ?(?P<number>{NUMBER})(?!\d|\.\d)"
#: The provision cited before.
_SAID = r"(?:[Tt]he said|[Tt]hat|[Tt]he same|[Tt]he aforesaid) (?:[Ss]ection|[Aa]rticle|[Rr]ule)\b(?! \d)"
#: References to the surrounding provision; they are resolved only inside a document.
RELATIVE = (
    rf"(?:(?:(?P<parts>{_PARTS}(?:(?: of|,) {_PARTS})*)(?: of (?:this|the present) (?:section|article)"
    rf"|(?P<thereof> thereof\b| of {_SAID}))?)|(?:[Tt]his|the present) (?:section|article)\b|(?P<said>{_SAID}))"
    r"(?: above| below)?(?! of (?!this ))"
)
_NEXT = re.compile(
    r"(?P<link>, and |, or |, | and | or | & | to |/|[–-]|"
    r"(?P<with>,? ?r\.?/?w\.?(?: ?s\.)? ?(?=[\d(SsAaRr])| read (?:together |along )?with )"
    r"|,? as read with | and also )"
    rf"(?:(?P<word>{_SECTION_WORD}|{_ARTICLE_WORD}|{_RULE_WORD}) ?)?(?P<number>{NUMBER}|{_PIN}+)"
    r"(?!\w|[.,:]\d|/\d{1,2}/|/\d{4}| ?%)"
    r"(?! (?:days?|months?|years?|hours?|weeks?|minutes?|per|persons?|others?|rupees|lakhs?|crores?|acres?"
    r"|members?|[A-Z][a-z]+ \d{4}|of (?:19|20)\d\d)\b)"
)
_LIST_JOINS = re.compile(
    r"(?:,|/|&| and| or| &| r/w\.?| read (?:together |along )?with| in the alternative| alternatively){1,3},? ?"
)
#: The name under which "ibid" after "repealed by" finds its Act: the Act that last repealed something.
_REPEALING = "the repealing Act"
_REPEALED_BY = re.compile(r"\b[Rr]ep(?:\.|ealed) by (?:the )?$")
_HEADING_END = re.compile(r"\s*[.:] ?[A-Z\[—–-]| ?[—–] ?[A-Z\[]| - [A-Z\[]|[.:]?\s*$|[.:]? *\n")
#: Words that may be between a section and its Act: "304 Part II IPC", "s. 73 and the Second Schedule, ibid".
_PART_OF_SECTION = re.compile(r"(?:,| -)? \(?Part[ -](?:I{1,3}|[12])\)?| and (?:the )?(?:[A-Z][a-z]+ )?Sch(?:edule|\.)")
#: "Rule 11 of Order VII"
_OF_ORDER = re.compile(r" of O(?:rder|\.) ?(?P<order>[IVXL]{1,7}|\d{1,2})\b")
#: "section 3, clause (43), of the General Clauses Act": a section narrowed after its number.
_NARROWED = re.compile(r", (?:clause|sub-section|subsection|paragraph|sub-clause) ?(?P<pin>\(\w{1,4}\))(?:,(?= of))?")
#: "Gazette of India, Extraordinary, Part II, sec. 3(ii)" is a place in a newspaper.
_GAZETTE = re.compile(r"\bPart [IVX]{1,4},? $")
#: "Art. 4 of the Articles of Association": a provision of something that is named, so not of the default work.
_OF_ANOTHER = re.compile(r",? of (?!this )")
_PIN_GROUP = re.compile(r"(?:\(\w{1,5}\))+")
#: "the Act of 1996" and "the 1996 Act" are one name.
_KIND_OF_YEAR = re.compile(r"^(\w+) of (\d{4})$")
_PLURAL = re.compile(r"(?:ons|les|ss|cs\.|ts\.|ss\.|/[Ss]{1,2}\.?|/S)$|^[Uu]/", re.IGNORECASE)
_OWN = r"(?:this|the present) (?:Act|Code|Ordinance|Constitution|Sanhita|Adhiniyam|Part|Chapter)\b"
_EARLIER = (
    r"(?:(?P<short_form>[Ii]bid\b\.?|thereof\b)|(?:that|the same|the said|the aforesaid|the aforementioned|said)"
    r" (?:Act|Code|Ordinance|Constitution|Rules)\b)"
)
_KINDS_OF_ACT = ("Act", "Code", "Ordinance", "Sanhita", "Adhiniyam", "Rules", "Regulations", "Order")
_KIND_OF_ACT = f"(?:{'|'.join(_KINDS_OF_ACT)})"
#: The beginnings of citations, for the scan that finds candidates.
_SECTION_WORDS = (
    "section", "sec.", "secs.", "article", "art.", "arts.", "rule", "regulation", "reg.", "regs.", "clause", "paragraph", "para", "item",
)  # fmt: skip
_SUB_WORDS = ("section", "Section", "sec", "s", "clause", "paragraph", "para", "rule", "Rule")
_BEGINNINGS = [
    *(form for word in _SECTION_WORDS for form in (word, word.capitalize())),
    *(f"{sub}{dash}{word}" for sub in ("sub", "Sub") for dash in ("", "-") for word in _SUB_WORDS),
    "SECTION", "s ", "ss ", "s.", "ss.", "S.", "Ss.", "SS.", "u/s", "U/s", "U/S", "r ", "rr ", "r.", "rr.",
    "this ", "This ", "the present ", "proviso to ",
]  # fmt: skip
_CAPITAL = r"(?:[A-Z][\w’'&.-]*|\([A-Z][^()\n]{1,50}\))"
_NAME = (
    rf"{_CAPITAL}(?:,? (?:of|and|for|the|in|to|on|from|&|{_CAPITAL})){{0,14}}? {_KIND_OF_ACT}\b"
    rf"|[A-Z]{{2,6}} Act\b"
)
_YEAR = r"(?:,? ?\(?(?P<year>1[89]\d\d|20\d\d)\)?(?![\d-]))"
_OF_YEAR = r"(?:[,]? ?[\[(](?:Act |Act No\. ?|No\. ?)?(?P<of_number>\d{1,3}) of (?P<of_year>\d{4})[\])])"
_CHAPTER = r"(?:,? (?P<open>[\[(])?(?:Chapter|Chap\.|Cap\.?) ?(?P<chapter>\d{1,2}:\d{2,3})(?(open)[\])]))"
_TAIL = rf"(?:{_YEAR}|{_OF_YEAR}|{_CHAPTER}){{0,3}}"
_NAME_ENDS = r"(?![\w’-])(?! Bench| \([A-Za-z -]*Amendment\)| of [A-Z])"
#: Words that make a known name the end of a longer name: "Bankers' Books Evidence Act", "Uttar Pradesh Industrial Disputes Act".
_LONGER_NAME = re.compile(rf"{_CAPITAL},? (?:and |of |for |& )?$")
#: A text gives a short name: (hereinafter "the Act"), (for short, 'the UAP Act'), ("the Code").
_SHORT = re.compile(
    r",? \((?:[^()\"“”‘’']{0,60}?)[\"“‘']+(?:the )?(?P<short>(?:[A-Z]|\d{4} )[^\"“”‘’'()]{1,40}?)[\"”’']+[^()]{0,20}\)"
)
#: Words that begin a sentence but never the name of an Act.
_NOT_NAME = re.compile(
    r"(?:(?:The|In|Under|Of|By|See|And|Or|For|Section|Sections|Schedule|An|A|To|From|With|Whereas|Since"
    r"|When|As|That|This|Subject|Both|Vide|On|But|If|Where|Thus|So|Then|Now|It|Is|Are|Was|Read|Cf|Part"
    r"|Chapter)\b\.?,? (?:the )?"
    r"|(?:Appendix|Schedule|Chapter|Part|Form|Entry|Item|Clause|Rule) \S+ (?:of|to|in) (?:the )?)+"
)


@dataclass(frozen=True, slots=True)
class NamedActs:
    """Names of one country: works (name as printed without "the"), chapters, and the country code for URIs of numbered Acts."""

    code: str
    works: Mapping[str, str]
    chapters: Mapping[str, str] = field(default_factory=dict)
    #: Work of an article cited without a work, or None.
    articles_of: str | None = None
    #: Work of an Order and its rules cited without a work, or None.
    orders_of: str | None = None
    #: Words that mark the Act of a State, whose numbers are not those of Parliament.
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Patterns:
    """`anchor` finds in one pass where a citation may begin; the others match from there."""

    anchor: re.Pattern[str]
    unit: re.Pattern[str]
    relative: re.Pattern[str]
    law: re.Pattern[str]
    act: re.Pattern[str]
    tail: re.Pattern[str]


def compile_patterns(acts: NamedActs, *, words: Iterable[str] = (), anchors: Iterable[str] = ()) -> Patterns:
    """Return the patterns for `acts`; `words` and `anchors` (patterns with a named group) begin its reports of cases."""
    named = alternation(sorted(acts.works)) or r"(?!)"
    law = (
        r"(?P<lead>,? (?:of|under|in|to) (?:the )?|,? (?:the )?)"
        rf"(?:(?P<own>{_OWN})|(?P<earlier>{_EARLIER})"
        r"|(?P<numbered>(?:Central )?Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
        rf"|(?:(?P<named>{named}){_NAME_ENDS}|(?P<generic>{_NAME})){_TAIL}"
        r"|(?P<only_chapter>(?P<open_only>[\[(])?(?:Chapter"
        r"|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2,3})(?(open_only)[\])]))"
        r"|(?P<short>(?:[A-Z]\w+ |(?:1[89]|20)\d\d )?(?:Act|Code|Rules|Ordinance)\b(?: of (?:1[89]|20)\d\d\b)?))"
    )
    act = (
        rf"(?P<own>{_OWN.replace('(?:this|', '(?:[Tt]his|', 1)})"
        r"|(?P<numbered>Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
        rf"|(?P<named>{named}){_NAME_ENDS}{_TAIL}"
    )
    beginnings = {*_BEGINNINGS, *_KINDS_OF_ACT, *acts.works, *words}
    anchor = "|".join((*anchors, rf"(?<![\w.'’/-])(?:(?P<said>{_SAID})|(?P<word>{alternation(sorted(beginnings))}))"))
    return Patterns(*map(re.compile, (anchor, UNIT, RELATIVE, law, act, TAIL)))


@functools.cache
def _sentence_rules() -> SentenceRules:
    return SentenceRules(abbreviations(("eng",)), _OF_ANOTHER, "sec", (), re.compile(_NAME), _LIST_JOINS)


#: Reads the country's own forms: returns (mentions, next position), or None where the common forms are to be tried.
Own = Callable[["Reader", re.Match[str]], tuple[list[Mention], int] | None]


def scan(acts: NamedActs, patterns: Patterns, own: Own, text: str) -> Iterator[Mention]:
    """Yield the mentions of `text`, in order."""
    return with_unsaid_works(_mentions(acts, patterns, own, text), text, _sentence_rules())


def _mentions(acts: NamedActs, patterns: Patterns, own: Own, text: str) -> Iterator[Mention]:
    reader = Reader(text, acts, patterns)
    search, position = patterns.anchor.search, 0
    while anchor := search(text, position):
        found, position = own(reader, anchor) or reader.word(anchor)
        yield from found


@dataclass(slots=True)
class Reader:
    """Reads one citation from an anchor: its provisions and the Act directly before or after them."""

    text: str
    acts: NamedActs
    patterns: Patterns
    #: The Act named last, and the end of its name.
    last_act: Work = UNKNOWN
    last_act_end: int = -1

    def mention(
        self, start: int, end: int, work: Work, kind: Kind, eids: Iterable[str] = (), **more: Any
    ) -> tuple[list[Mention], int]:
        """Return a list of one mention, and the mention's end as the next position."""
        return [mention_of(self.text, start, end, work, kind, eids, **more)], end

    def word(self, anchor: re.Match[str]) -> tuple[list[Mention], int]:
        """Return the mentions that begin with a word (provisions, references to the text itself, Acts), and the next position."""
        start, patterns = anchor.start(), self.patterns
        if unit := patterns.unit.match(self.text, start):
            return self.expression(unit)
        if relative := patterns.relative.match(self.text, start):
            return self.relative(relative), relative.end()
        if act := patterns.act.match(self.text, start):
            return self.act(act), act.end()
        if tail := patterns.tail.match(self.text, start):
            return self.tail(tail), tail.end()
        return [], anchor.end()

    # -- provisions -----------------------------------------------------------------------------------------------------

    def expression(self, unit: re.Match[str]) -> tuple[list[Mention], int]:
        """Return all provisions of the expression that `unit` begins, with the Act after or before it, and the end of the expression."""
        start, end = unit.span()
        opening = start if self._may_open(unit) else None
        if opening is not None and _HEADING_END.match(self.text, end):
            return [], end
        if _GAZETTE.search(self.text, max(0, start - 12), start):
            return [], end
        targets, kind, position = self._targets(unit, opening)
        if kind == "rule" and (order := _OF_ORDER.match(self.text, position)):
            kind, position = "order", order.end()
            for target in targets:
                target.eids = [f"{segment('order', order['order'])}__{eid}" for eid in target.eids]
        part = _PART_OF_SECTION.match(self.text, position)
        law = self._law_behind(part.end() if part else position)
        names: tuple[str, ...] = ()
        if law is not None:
            work, position = self._behind(law, start), law.end()
            names = self._names_given(position)
        elif self._follows_act(start):
            work = self.last_act
        else:
            work = self._unsaid(kind, position)
        targets[-1].end = position
        is_named = law is not None and _is_named(law)
        return mentions_of(self.text, targets, work, names=names, is_remembered=is_named), position

    def _may_open(self, unit: re.Match[str]) -> bool:
        """Whether a heading may begin here: `Section 94 - Repealed` at the start of a line may be the section itself."""
        start = unit.start()
        return (not start or self.text[start - 1] == "\n") and self._law_behind(unit.end()) is None

    def _targets(self, unit: re.Match[str], opening: int | None) -> tuple[list[Target], str, int]:
        """Return the provisions of a list, the kind of the last provision, and the end of the list."""
        word = unit["section_word"] or unit["article_word"] or unit["rule_word"]
        kind, position = _kind(word), unit.end()
        eids = [_eid(kind, unit["number"] + pin) for pin in _pins(unit["before"] or "")]
        if not unit["before"] and (narrowed := _NARROWED.match(self.text, position)):
            position, eids = narrowed.end(), [_eid(kind, unit["number"] + narrowed["pin"])]
        targets = [Target(unit.start(), position, eids, opening=opening)]
        plural, last = bool(_PLURAL.search(word)), unit["number"]
        while following := _NEXT.match(self.text, position):
            if following["word"]:
                plural, begin = bool(_PLURAL.search(following["word"])), following.start("word")
                kind, opening = _kind(following["word"]), None
            else:
                begin = following.start("number")
                tight = following["link"] in ("/", "-", "–")
                is_list = plural or following["with"] or "(" in following["number"]
                if not is_list and not (tight and len(following["number"]) > 1) and not self._ends_with_act(following):
                    break
            number = following["number"]
            if number.lstrip().startswith("("):
                # "Articles 19(1)(f) and (g)"
                if "(" not in last or following["word"]:
                    break
                (head, *pins), (_, *added) = (re.split(r" ?(?=\()", each) for each in (last, number))
                before, own = ([pin.strip("()") for pin in each] for each in (pins, added))
                if (kept := kept_levels(before, own)) < 0:
                    break
                number = "".join([head, *pins[:kept]]) + number.strip()
            numbers = [number]
            if following["link"] in (" to ", "-", "–") and "(" not in last + number:
                numbers = expand(last, number)[1:] or [number]
            eids = [_eid(kind, each) for each in numbers]
            position = following.end()
            if following["link"] in ("-", "–"):
                targets[-1].end = position
                targets[-1].eids += eids
            else:
                after = targets[-1].eids[-1] if len(eids) > 1 else None
                targets.append(Target(begin, position, eids, after, opening))
            last = number
        return targets, kind, position

    def _ends_with_act(self, entry: re.Match[str]) -> bool:
        """Whether the list that goes on with `entry` ends with an Act: "Section 420, 467 and 471 of the Penal Code"."""
        while (following := _NEXT.match(self.text, entry.end())) and not following["word"]:
            entry = following
        return self._law_behind(entry.end()) is not None

    def order(self, match: re.Match[str]) -> tuple[list[Mention], int]:
        """Read `Order XXXIX Rules 1 and 2 CPC`: rules of an Order of the Act after them, or of `NamedActs.orders_of`."""
        order, position = segment("order", match["order"]), match.end()
        targets = [Target(match.start(), position, [join(order, _eid("rule", match["rule"] + match["pins"])) or ""])]
        while following := _NEXT.match(self.text, position):
            number, word = following["number"].strip(), following["word"] or ""
            if word and _kind(word) != "rule":
                break
            if not (word or "(" in number or match["rules"] or self._ends_with_act(following)):
                break
            if number.startswith("("):
                number = match["rule"] + number
            begin, position = following.start("word" if word else "number"), following.end()
            targets.append(Target(begin, position, [join(order, _eid("rule", number)) or ""]))
        law = self._law_behind(position)
        work = self._behind(law, match.start()) if law is not None else Work("unsaid", self.acts.orders_of)
        targets[-1].end = position = law.end() if law is not None else position
        return mentions_of(self.text, targets, work, is_remembered=law is not None and _is_named(law)), position

    def relative(self, match: re.Match[str]) -> list[Mention]:
        """Read `sub-section (2) above`, `this section`: references relative to the section that contains the words."""
        parts, begin = match["parts"], match.start()
        work = SECTION
        if match["thereof"] or match["said"]:
            work = Work("provision", since=paragraph_start(self.text, begin))
        elif parts and parts[:3].lower() == "sub":
            work = Work("section", since=paragraph_start(self.text, begin))
        if not parts:
            return self.mention(begin, match.end(), work, "provision")[0]
        pins, targets = _pins(parts), []
        listed = [match.start() + found.end() for found in _PIN_GROUP.finditer(parts)]
        for pin, end in zip(pins, [*listed[: len(pins) - 1], match.end()], strict=True):
            targets.append(Target(begin, end, ["__".join(bracketed(pin))]))
            begin = self.text.find("(", end)
        return mentions_of(self.text, targets, work)

    # -- Acts -----------------------------------------------------------------------------------------------------------

    def act(self, match: re.Match[str]) -> list[Mention]:
        """Return the mention of an Act named without a provision (a match of `Patterns.act`)."""
        start, end = match.span()
        if match["own"]:
            return [] if match["own"].endswith(("Part", "Chapter")) else self._named_alone(start, end, OWN)
        before = _LONGER_NAME.search(self.text, max(0, start - 60), start)
        longer = before is not None and _NOT_NAME.fullmatch(self.text, before.start(), start) is None
        if match["numbered"]:
            of_state = longer and self._of_state(before.group() if before else "")
            return self._named_alone(start, end, UNKNOWN if of_state else known(self._numbered(match)))
        if longer:
            tail = self.patterns.tail.search(self.text, start, end)
            return self.tail(tail) if tail else []
        return self._named_alone(start, end, known(self._named(match)))

    def tail(self, match: re.Match[str]) -> list[Mention]:
        """Read an Act that only its tail identifies: `Foreigners Act, 1946 (31 of 1946)`, `Mines Levies Act [Chapter 21:99]`."""
        name = _LAST_NAME.search(self.text, max(0, match.start() - 120), match.end("kind"))
        if name is None:
            return []
        skipped = _NOT_NAME.match(self.text, name.start(), match.start())
        start = skipped.end() if skipped else name.start()
        if not self.text[start].isupper() or start >= match.start("kind"):
            return []
        uri = None if self._of_state(self.text[start : match.start()]) else self._identified(match)
        return self._named_alone(start, match.end(), known(uri))

    def _named_alone(self, start: int, end: int, work: Work) -> list[Mention]:
        self.last_act, self.last_act_end = work, end
        names = self._names_given(end)
        if _REPEALED_BY.search(self.text, max(0, start - 14), start):
            names = (*names, _REPEALING)
        return self.mention(start, end, work, "act", names=names, is_remembered=True)[0]

    def _follows_act(self, offset: int) -> bool:
        """Whether an Act is named directly before: "Subs. by Act 21 of 2015, s. 16", "Indian Penal Code, section 302"."""
        end = self.last_act_end
        return 0 <= end <= offset <= end + 6 and self.text[end:offset].strip() in ("", ",", ", in", "in", "-", "–")

    def _law_behind(self, position: int) -> re.Match[str] | None:
        law = self.patterns.law.match(self.text, position)
        if law is None:
            return None
        lead = law["lead"].strip(" ,").removesuffix("the").strip()
        # Without "of", only a name may follow: "Section 302 IPC", "s. 420, I.P.C."; after "in" and "to" other words are common.
        if not lead:
            return law if law["named"] or law["numbered"] or law["short_form"] else None
        return law if lead == "of" or law["named"] or law["own"] else None

    def _behind(self, law: re.Match[str], start: int) -> Work:
        """Return how `law` names the Act of the expression that begins at `start`."""
        if law["own"]:
            return OWN
        if law["earlier"]:
            repealed = _REPEALED_BY.search(self.text, max(0, start - 14), start)
            return Work("earlier", name=_REPEALING) if repealed else EARLIER
        if law["only_chapter"]:
            return known(self.acts.chapters.get(law["chapter_number"]))
        if law["short"]:
            return Work("short", name=_KIND_OF_YEAR.sub(r"\2 \1", law["short"]))
        if law["numbered"]:
            return known(self._numbered(law))
        if law["named"]:
            return known(self._named(law))
        uri = None if self._of_state(law["generic"]) else self._identified(law)
        return known(uri) if uri else Work("short", name=law["generic"])

    def _unsaid(self, kind: str, position: int) -> Work:
        if kind == "rule" or _OF_ANOTHER.match(self.text, position):
            return UNKNOWN
        return Work("unsaid", {"art": self.acts.articles_of, "order": self.acts.orders_of}.get(kind))

    def _of_state(self, name: str) -> bool:
        return any(state in name for state in self.acts.states)

    def _numbered(self, match: re.Match[str]) -> str:
        return f"/akn/{self.acts.code}/act/{match['act_year']}/{int(match['act_number'])}"

    def _named(self, match: re.Match[str]) -> str | None:
        """Return the URI of a known name. Of several Acts with one name, the year decides; with an unknown year, return None."""
        works, name = self.acts.works, match["named"]
        identified = self._identified(match)
        if identified is not None:
            return identified
        year = match["year"]
        if year:
            dated = works.get(f"{name}, {year}")
            if dated is not None:
                return dated
            uri = works[name]
            known_year = uri.split("/")[4]
            if known_year != year and known_year not in (str(int(year) + 1), str(int(year) - 1)) and not name.isupper():
                return uri if "onstitution" in name else None
            return uri
        return works[name]

    def _identified(self, match: re.Match[str]) -> str | None:
        if match["chapter"]:
            return self.acts.chapters.get(match["chapter"])
        if match["of_number"]:
            return f"/akn/{self.acts.code}/act/{match['of_year']}/{int(match['of_number'])}"
        return None

    def _names_given(self, position: int) -> tuple[str, ...]:
        """Return the short names that the text gives an Act that ends at `position`, and its year with its kind: "1996 Act"."""
        short, year = _SHORT.match(self.text, position), _YEAR_BEHIND.search(self.text, max(0, position - 40), position)
        dated = (f"{year['year']} {year['kind']}",) if year is not None else ()
        return (short["short"], *dated) if short is not None else dated


def _is_named(law: re.Match[str]) -> bool:
    """Whether a later "the said Act" may mean this Act."""
    return not (law["own"] or law["earlier"] or law["only_chapter"] or law["short"])


#: The end of a name that texts repeat as "the 1996 Act".
_YEAR_BEHIND = re.compile(rf"(?P<kind>{_KIND_OF_ACT}){_YEAR}(?:{_OF_YEAR}|{_CHAPTER})?$")
#: The rest of an Act's name, matched backwards from its last word.
_LAST_NAME = re.compile(
    rf"(?:{_CAPITAL}(?:,? (?:of|and|for|the|in|to|on|from|&|{_CAPITAL})){{0,14}}? )?{_KIND_OF_ACT}$"
)
TAIL = (
    rf"(?P<kind>{_KIND_OF_ACT})(?:(?P<year>,? (?:1[89]\d\d|20\d\d)\b(?!-))?{_OF_YEAR}|(?:,? (?:1[89]\d\d"
    rf"|20\d\d)\b)?{_CHAPTER}|, (?:1[89]\d\d|20\d\d)\b)"
)


def _kind(word: str) -> str:
    lowered = word.lower()
    return "art" if lowered.startswith("art") else "rule" if lowered.startswith("r") else "sec"


def _pins(parts: str) -> list[str]:
    """`clauses (a) and (b) of sub-section (1)` -> `(1)(a)`, `(1)(b)`; an empty string gives one empty pin."""
    inner, *outer = re.split(r"(?: of|,) (?=[A-Za-z])", parts)
    around = "".join(group.group() for part in reversed(outer) if (group := _PIN_GROUP.search(part)))
    return [f"{around}{group}" for group in _PIN_GROUP.findall(inner)] or [around]


def _eid(kind: str, number: str) -> str:
    head, bracket, pins = number.partition("(")
    return join(segment(kind, head.strip()), *bracketed(bracket + pins)) or ""


def report_uri(jurisdiction: str, series: str, *parts: str) -> str:
    """Return the work URI of a reported case. A case in two series has two URIs, which the registry's parallel citations join."""
    return f"/akn/{jurisdiction}/judgment/{'/'.join(slug(part) for part in (series, *parts) if part)}"
