"""Provisions and Acts as the common law world cites them: "Sections 34 and 302 read with Section 149 of the Indian Penal Code, 1860",
"sub-section (2) of section 37", "this Act", "the said Act", and short names that a text gives to an Act.

One reader for all countries; what differs (names of Acts, chapters, reports) comes with `NamedActs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from legal_pipeline.citations.model import Citation, CitingDocument, Kind
from legal_pipeline.citations.provisions import bracketed, expand, join, segment
from legal_pipeline.citations.works import alternation
from legal_pipeline.model.slug import slug

_PIN = r"(?: ?\((?:\d{1,3}[A-Za-z]{0,2}|[a-z]{1,5}|[A-Z]{1,4})\))"
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
#: What stands before a section and narrows it: "clauses (a) and (b) of sub-section (1) of".
_BEFORE = rf"(?P<before>{_PARTS}(?:(?: of|,) {_PARTS})* (?:of|to) (?:the )?)"
UNIT = rf"(?:proviso to )?{_BEFORE}?{_WORD} ?(?P<number>{NUMBER})(?!\d|\.\d)"
#: References to what surrounds the text: only read inside a document.
RELATIVE = (
    rf"(?:(?P<parts>{_PARTS}(?:(?: of|,) {_PARTS})*)(?: of (?:this|the present) (?:section|article))?"
    r"|(?:[Tt]his|the present) (?:section|article)\b)"
    r"(?: above| below)?(?! of (?!this ))"
)
_NEXT = re.compile(
    r"(?P<link>, and |, or |, | and | or | & | to |/|[–-]| ?r/w\.? | read (?:together |along )?with "
    r"|,? as read with | and also )"
    rf"(?:(?P<word>{_SECTION_WORD}|{_ARTICLE_WORD}|{_RULE_WORD}) ?)?(?P<number>{NUMBER}|{_PIN}+)(?![\w]|[.,:/]\d| ?%)"
    r"(?! (?:days?|months?|years?|hours?|weeks?|minutes?|per|persons?|others?|rupees|lakhs?|crores?|acres?"
    r"|members?|[A-Z][a-z]+ \d{4}|of (?:19|20)\d\d)\b)"
)
_REPEALED_BY = re.compile(r"\b[Rr]ep(?:\.|ealed) by (?:the )?$")
_HEADING_END = re.compile(r"\s*[.:] ?[A-Z\[—–-]| ?[—–] ?[A-Z\[]| - [A-Z\[]|[.:]?\s*$|[.:]? *\n")
#: What may stand between a section and its Act: "304 Part II IPC", "s. 73 and the Second Schedule, ibid".
_PART_OF_SECTION = re.compile(r"(?:,| -)? \(?Part[ -](?:I{1,3}|[12])\)?| and (?:the )?(?:[A-Z][a-z]+ )?Sch(?:edule|\.)")
#: "section 3, clause (43), of the General Clauses Act": narrowed behind its number.
_NARROWED = re.compile(r", (?:clause|sub-section|subsection|paragraph|sub-clause) ?(?P<pin>\(\w{1,4}\))(?:,(?= of))?")
#: "Gazette of India, Extraordinary, Part II, sec. 3(ii)" is a place in a newspaper.
_GAZETTE = re.compile(r"\bPart [IVX]{1,4},? $")
#: "Art. 4 of the Articles of Association": of something, and not of what is taken for granted.
_OF_ANOTHER = re.compile(r",? of (?!this )")
_PIN_GROUP = re.compile(r"(?:\(\w{1,5}\))+")
_BRACKETS = re.compile(r"\((\w{1,5})\)")
_PLURAL = re.compile(r"(?:ons|les|ss|cs\.|ts\.|ss\.|/[Ss]{1,2}\.?|/S)$|^[Uu]/", re.IGNORECASE)
_OWN = r"(?:this|the present) (?:Act|Code|Ordinance|Constitution|Sanhita|Adhiniyam|Part|Chapter)\b"
_EARLIER = (
    r"(?:[Ii]bid\b\.?|(?:that|the same|the said|the aforesaid|the aforementioned|said)"
    r" (?:Act|Code|Ordinance|Constitution|Rules)\b)"
)
_KINDS_OF_ACT = ("Act", "Code", "Ordinance", "Sanhita", "Adhiniyam", "Rules", "Regulations", "Order")
_KIND_OF_ACT = f"(?:{'|'.join(_KINDS_OF_ACT)})"
#: What a citation begins with, for the scan that finds candidates.
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
#: What makes a known name the end of a longer one: "Bankers' Books Evidence Act", "Uttar Pradesh Industrial Disputes Act".
_LONGER_NAME = re.compile(rf"{_CAPITAL},? (?:and |of |for |& )?$")
#: A text gives a short name: (hereinafter "the Act"), (for short, 'the UAP Act'), ("the Code").
_SHORT = re.compile(
    r",? \((?:[^()\"“”‘’']{0,60}?)[\"“‘']+(?:the )?(?P<short>[A-Z][^\"“”‘’'()]{1,40}?)[\"”’']+[^()]{0,20}\)"
)
#: Words with which a sentence begins and no Act does.
_NOT_NAME = re.compile(
    r"(?:(?:The|In|Under|Of|By|See|And|Or|For|Section|Sections|Schedule|An|A|To|From|With|Whereas|Since"
    r"|When|As|That|This|Subject|Both|Vide|On|But|If|Where|Thus|So|Then|Now|It|Is|Are|Was|Read|Cf|Part"
    r"|Chapter)\b\.?,? (?:the )?"
    r"|(?:Appendix|Schedule|Chapter|Part|Form|Entry|Item|Clause|Rule) \S+ (?:of|to|in) (?:the )?)+"
)


@dataclass(frozen=True, slots=True)
class NamedActs:
    """What the reader must know: named works (name as printed without "the"), chapters, and how a numbered Act becomes a URI."""

    code: str
    works: Mapping[str, str]
    chapters: Mapping[str, str] = field(default_factory=dict)
    #: Work of a bare article, or None.
    articles_of: str | None = None
    #: Words that mark the Act of a State, whose numbers are not those of Parliament.
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Patterns:
    """`anchor` finds in one pass where a citation may begin; the others read on from there."""

    anchor: re.Pattern[str]
    unit: re.Pattern[str]
    relative: re.Pattern[str]
    law: re.Pattern[str]
    act: re.Pattern[str]
    tail: re.Pattern[str]


def compile_patterns(acts: NamedActs, *, words: Iterable[str] = (), anchors: Iterable[str] = ()) -> Patterns:
    """Patterns for `acts`; `words` and `anchors` (patterns with a named group) begin its reports of cases."""
    named = alternation(sorted(acts.works)) or r"(?!)"
    law = (
        r"(?P<lead>,? (?:of|under|in|to) (?:the )?|,? (?:the )?)"
        rf"(?:(?P<own>{_OWN})|(?P<earlier>{_EARLIER})"
        r"|(?P<numbered>(?:Central )?Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
        rf"|(?:(?P<named>{named}){_NAME_ENDS}|(?P<generic>{_NAME})){_TAIL}"
        r"|(?P<only_chapter>(?P<open_only>[\[(])?(?:Chapter"
        r"|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2,3})(?(open_only)[\])]))"
        r"|(?P<short>(?:[A-Z]\w+ )?(?:Act|Code|Rules|Ordinance)\b))"
    )
    act = (
        rf"(?P<own>{_OWN.replace('(?:this|', '(?:[Tt]his|', 1)})"
        r"|(?P<numbered>Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
        rf"|(?P<named>{named}){_NAME_ENDS}{_TAIL}"
    )
    beginnings = {*_BEGINNINGS, *_KINDS_OF_ACT, *acts.works, *words}
    anchor = "|".join((*anchors, rf"(?<![\w.'’/-])(?P<word>{alternation(sorted(beginnings))})"))
    return Patterns(*map(re.compile, (anchor, UNIT, RELATIVE, law, act, TAIL)))


@dataclass(slots=True)
class _Target:
    start: int
    end: int
    eids: list[str]
    #: What a range that this target ends begins with.
    after: str | None = None


@dataclass(slots=True)
class Reader:
    """Reads on from where a citation begins; remembers the Act last named and the short names given so far."""

    text: str
    document: CitingDocument | None
    acts: NamedActs
    patterns: Patterns
    last_work: str | None = None
    #: Where the Act last named by itself ends.
    last_act_end: int = -1
    #: The Act of the last "Rep. by": an "ibid." behind the next one means it, whatever other notes cited in between.
    last_repealing: str | None = None
    shorts: dict[str, str] = field(default_factory=dict)

    def cite(self, start: int, end: int, work: str | None, eid: str | None, kind: Kind) -> Citation:
        return Citation(start, end, self.text[start:end], work, eid, kind)

    def word(self, anchor: re.Match[str]) -> tuple[list[Citation], int]:
        """What begins with a word: provisions, references to the text itself, Acts; and where to read on."""
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

    def expression(self, unit: re.Match[str]) -> tuple[list[Citation], int]:
        """All provisions of the expression that `unit` begins, with the Act behind it, and where it ends."""
        kind = "art" if unit["article_word"] else "rule" if unit["rule_word"] else "sec"
        word = unit["section_word"] or unit["article_word"] or unit["rule_word"]
        if self._heading(unit):
            return [], unit.end()
        if _GAZETTE.search(self.text, max(0, unit.start() - 12), unit.start()):
            return [], unit.end()
        governed = self._act_before(unit.start())
        pins = _pins(unit["before"] or "")
        targets = [_Target(unit.start(), unit.end(), [_eid(kind, unit["number"] + pin) for pin in pins])]
        position = unit.end()
        if not unit["before"] and (narrowed := _NARROWED.match(self.text, position)):
            position = targets[0].end = narrowed.end()
            targets[0].eids = [_eid(kind, unit["number"] + narrowed["pin"])]
        plural, last = bool(_PLURAL.search(word)), unit["number"]
        while following := _NEXT.match(self.text, position):
            if following["word"]:
                plural, begin = bool(_PLURAL.search(following["word"])), following.start("word")
                kind = _kind(following["word"])
            else:
                begin = following.start("number")
                tight = following["link"] in ("/", "-", "–")
                if not plural and not (tight and len(following["number"]) > 1) and "(" not in following["number"]:
                    break
            number = following["number"]
            if number.lstrip().startswith("("):
                # "Articles 19(1)(f) and (g)"
                if "(" not in last or following["word"]:
                    break
                kept = len(_BRACKETS.findall(last)) - len(_BRACKETS.findall(number))
                if kept < 0:
                    break
                head, *pins = re.split(r" ?(?=\()", last)
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
                targets.append(_Target(begin, position, eids, targets[-1].eids[-1] if len(eids) > 1 else None))
            last = number
        part = _PART_OF_SECTION.match(self.text, position)
        law = self._law_behind(part.end() if part else position)
        if (
            law is not None
            and law["earlier"]
            and _REPEALED_BY.search(self.text, max(0, unit.start() - 14), unit.start())
        ):
            work = self.last_repealing or self.last_work
        else:
            work = self.last_work if governed and law is None else self._work(law, kind, position)
        if law is not None:
            position = law.end()
            self._name_given(position, work)
        targets[-1].end = position
        document = self.document
        out: list[Citation] = []
        for target in targets:
            if document is None or work is None or work != document.work_uri:
                out += [self.cite(target.start, target.end, work, eid, "provision") for eid in target.eids]
                continue
            for eid in self._between(target):
                named = self._own(eid, unit.start())
                foreign = law is None and not governed and document.lacks(named)
                out.append(
                    self.cite(
                        target.start, target.end, None if foreign else work, eid if foreign else named, "provision"
                    )
                )
        return out, position

    def _heading(self, unit: re.Match[str]) -> bool:
        """`Section 94 - Repealed` at the start of a line is the section itself."""
        start = unit.start()
        if (start and self.text[start - 1] != "\n") or self._law_behind(unit.end()) is not None:
            return False
        if self.document is not None and self.document.opens(start):
            return True
        return _HEADING_END.match(self.text, unit.end()) is not None

    def order(self, match: re.Match[str]) -> tuple[list[Citation], int]:
        """`Order VII Rule 11 CPC`: a rule of an Order of the Code of Civil Procedure, or of the Act behind it."""
        law = self._law_behind(match.end())
        work = self._work(law, "rule", match.end())
        end = law.end() if law is not None else match.end()
        eid = join(f"order_{match['order'].lower()}", f"rule_{match['rule'].lower()}", *bracketed(match["pins"]))
        return [self.cite(match.start(), end, work, eid, "provision")], end

    def relative(self, match: re.Match[str]) -> list[Citation]:
        """`sub-section (2) above`, `this section`: of the section that the words stand in."""
        document = self.document
        section = document.provision_at(match.start()) if document is not None else None
        if document is None or section is None:
            return []
        near = document.node_at(match.start())
        parts = match["parts"]
        if not parts:
            return [self.cite(match.start(), match.end(), document.work_uri, section, "provision")]
        listed = [match.start() + found.end() for found in _PIN_GROUP.finditer(parts)]
        pins = _pins(parts)
        out = []
        begin = match.start()
        for index, pin in enumerate(pins):
            end = match.end() if index == len(pins) - 1 else listed[index]
            eid = join(section, *bracketed(pin))
            assert eid is not None
            out.append(self.cite(begin, end, document.work_uri, document.resolve(eid, near), "provision"))
            if index < len(pins) - 1:
                begin = self.text.index("(", end)
        return out

    # -- Acts -----------------------------------------------------------------------------------------------------------

    def act(self, match: re.Match[str]) -> list[Citation]:
        """An Act named without a provision (a match of `Patterns.act`)."""
        start, end = match.span()
        if match["own"]:
            own = self.document.work_uri if self.document is not None and not self.document.is_judgment else None
            if own is None or match["own"].endswith(("Part", "Chapter")):
                return []
            self.last_work, self.last_act_end = own, end
            return [self.cite(start, end, own, None, "act")]
        before = _LONGER_NAME.search(self.text, max(0, start - 60), start)
        longer = before is not None and _NOT_NAME.fullmatch(self.text, before.start(), start) is None
        if match["numbered"]:
            work: str | None = (
                None if longer and self._of_state(before.group() if before else "") else self._numbered(match)
            )
        elif longer:
            tail = self.patterns.tail.search(self.text, start, end)
            return self.tail(tail) if tail else []
        else:
            work = self._named(match)
        self._remember(work, start, end)
        self._name_given(end, work)
        return [self.cite(start, end, work, None, "act")]

    def _of_state(self, name: str) -> bool:
        return any(state in name for state in self.acts.states)

    def tail(self, match: re.Match[str]) -> list[Citation]:
        """An Act that only its tail gives away: `Foreigners Act, 1946 (31 of 1946)`, `Mines Levies Act [Chapter 21:99]`."""
        name = _LAST_NAME.search(self.text, max(0, match.start() - 120), match.end("kind"))
        if name is None:
            return []
        skipped = _NOT_NAME.match(self.text, name.start(), match.start())
        start = skipped.end() if skipped else name.start()
        if not self.text[start].isupper() or start >= match.start("kind"):
            return []
        work = None if self._of_state(self.text[start : match.start()]) else self._identified(match)
        self._remember(work, start, match.end())
        self._name_given(match.end(), work)
        return [self.cite(start, match.end(), work, None, "act")]

    def _remember(self, work: str | None, start: int, end: int) -> None:
        self.last_work, self.last_act_end = work, end
        if _REPEALED_BY.search(self.text, max(0, start - 14), start):
            self.last_repealing = work

    def _act_before(self, offset: int) -> bool:
        """Whether an Act stands directly before: "Subs. by Act 21 of 2015, s. 16", "Indian Penal Code, section 302"."""
        between = (
            self.text[self.last_act_end : offset] if 0 <= self.last_act_end <= offset <= self.last_act_end + 6 else None
        )
        return between is not None and between.strip() in ("", ",", ", in", "in", "-", "–")

    def _law_behind(self, position: int) -> re.Match[str] | None:
        law = self.patterns.law.match(self.text, position)
        if law is None:
            return None
        lead = law["lead"].strip(" ,").removesuffix("the").strip()
        # Without "of", only a name may follow: "Section 302 IPC", "s. 420, I.P.C."; "in" and "to" may mean much else.
        if not lead:
            ibid = law["earlier"] and law["earlier"].lower().startswith("ibid")
            return law if law["named"] or law["numbered"] or ibid else None
        return law if lead == "of" or law["named"] or law["own"] else None

    def _work(self, law: re.Match[str] | None, kind: str, position: int) -> str | None:
        document = self.document
        own = document.work_uri if document is not None and not document.is_judgment else None
        if law is None:
            if _OF_ANOTHER.match(self.text, position):
                return None
            if kind == "art" and own is None:
                return self.acts.articles_of
            return own if kind != "rule" else None
        if law["own"]:
            return own
        if law["earlier"]:
            return self.last_work
        if law["only_chapter"]:
            return self.acts.chapters.get(law["chapter_number"])
        if law["short"]:
            return self.shorts.get(law["short"])
        if law["numbered"]:
            work: str | None = self._numbered(law)
        elif law["named"]:
            work = self._named(law)
        else:
            known = None if self._of_state(law["generic"]) else self._identified(law)
            work = known or self.shorts.get(law["generic"])
        self.last_work = work
        return work

    def _numbered(self, match: re.Match[str]) -> str:
        return f"/akn/{self.acts.code}/act/{match['act_year']}/{int(match['act_number'])}"

    def _named(self, match: re.Match[str]) -> str | None:
        """Of several Acts of one name, the year decides; a name with an unknown year is an unknown Act."""
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

    def _name_given(self, position: int, work: str | None) -> None:
        short = _SHORT.match(self.text, position)
        if short is not None and work is not None:
            self.shorts[short["short"]] = work

    def _own(self, eid: str, offset: int) -> str:
        assert self.document is not None
        return self.document.resolve(eid, self.document.provision_at(offset))

    def _between(self, target: _Target) -> list[str]:
        """The target's eids, with the lettered sections that the document has among them."""
        document = self.document
        if document is None or len(target.eids) < 2:
            return target.eids
        first = document.resolve(target.after or target.eids[0])
        inside = document.between(first, document.resolve(target.eids[-1]))
        return inside[1:] if target.after and inside else inside or target.eids


#: The rest of an Act's name, read backwards from its last word.
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
    """`clauses (a) and (b) of sub-section (1)` -> `(1)(a)`, `(1)(b)`; nothing gives one empty pin."""
    inner, *outer = re.split(r"(?: of|,) (?=[A-Za-z])", parts)
    around = "".join(group.group() for part in reversed(outer) if (group := _PIN_GROUP.search(part)))
    return [f"{around}{group}" for group in _PIN_GROUP.findall(inner)] or [around]


def _eid(kind: str, number: str) -> str:
    head, bracket, pins = number.partition("(")
    return join(segment(kind, head.strip()), *bracketed(bracket + pins)) or ""


def report_uri(jurisdiction: str, series: str, *parts: str) -> str:
    """Work URI of a reported case: a case that stands in two series has two; the registry's parallel citations join them."""
    return f"/akn/{jurisdiction}/judgment/{'/'.join(slug(part) for part in (series, *parts) if part)}"
