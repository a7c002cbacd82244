"""The patterns of citations of the common law world: sections, the words around them, and names of Acts with their year or number.

Not here: reading a text with them (`common_law`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from legal_pipeline.citations.patterns import ABBREVIATION
from legal_pipeline.citations.sentences import SentenceRules, abbreviations
from legal_pipeline.text.alternation import alternation

_PIN = r"(?: ?\((?:\d{1,3}(?:-?[A-Z]|[A-Za-z]{0,2})|[a-z]{1,5}|[a-z]{1,3}-[a-z]|[A-Z]{1,4})\))"
#: Not a part of "32:1.7", the number of a rule in a chapter.
NUMBER = rf"\d{{1,4}}(?!\d*:\d)(?:-?[A-Z]{{1,3}}(?![\w]))?{_PIN}*"
_SECTION_WORD = r"(?:[Ss]ections?|SECTIONS?|[Ss]ecs?(?:\.|(?= \d))|[Ss]{1,2}\.|ss?(?= ?\d)|[Uu]/[Ss]{1,2}\.?|U/S)"
_ARTICLE_WORD = r"(?:[Aa]rticles?|[Aa]rts?\.)"
#: Not the end of a title: "harbour regulations 2031".
_RULE_WORD = r"(?:(?:[Rr]ules?|rr?\.?(?= ?\d)|[Rr]egulations?|[Rr]egs?\.)(?! ?(?:1[89]|20)\d\d(?!\d)))"
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
NEXT = re.compile(
    r"(?P<link>, and |, or |, | and | or | & | to |/|[–-]|"
    r"(?P<with>,? ?r\.?/?w\.?(?: ?s\.)? ?(?=[\d(SsAaRr])| read (?:together |along )?with )"
    r"|,? as read with | and also )"
    rf"(?:(?P<word>{_SECTION_WORD}|{_ARTICLE_WORD}|{_RULE_WORD}) ?)?(?P<number>{NUMBER}|{_PIN}+)"
    r"(?!\w|[.,:]\d|/\d{1,2}/|/\d{4}| ?%)"
    r"(?! (?:days?|months?|years?|hours?|weeks?|minutes?|per|persons?|others?|rupees|lakhs?|crores?|acres?"
    r"|members?|[A-Z][a-z]+ \d{4}|of (?:19|20)\d\d)\b)"
)
LIST_JOINS = re.compile(
    r"(?:,|/|&| and| or| &| r/w\.?| read (?:together |along )?with| in the alternative| alternatively){1,3},? ?"
)
#: The name under which "ibid" after "repealed by" finds its Act: the Act that last repealed something.
REPEALING = "the repealing Act"
REPEALED_BY = re.compile(r"\b[Rr]ep(?:\.|ealed) by (?:the )?$")
HEADING_END = re.compile(r"\s*[.:] ?[A-Z\[—–-]| ?[—–] ?[A-Z\[]| - [A-Z\[]|[.:]?\s*$|[.:]? *\n")
#: Words that may be between a section and its Act: "304 Part II IPC", "s. 73 and the Second Schedule, ibid".
PART_OF_SECTION = re.compile(r"(?:,| -)? \(?Part[ -](?:I{1,3}|[12])\)?| and (?:the )?(?:[A-Z][a-z]+ )?Sch(?:edule|\.)")
#: "Rule 11 of Order VII"
OF_ORDER = re.compile(r" of O(?:rder|\.) ?(?P<order>[IVXL]{1,7}|\d{1,2})\b")
#: "section 3, clause (43), of the General Clauses Act": a section narrowed after its number.
NARROWED = re.compile(r", (?:clause|sub-section|subsection|paragraph|sub-clause) ?(?P<pin>\(\w{1,4}\))(?:,(?= of))?")
#: "Gazette, Extraordinary, Part II, sec. 3(ii)" is a place in a newspaper.
GAZETTE = re.compile(r"\bPart [IVX]{1,4},? $")
#: "Art. 4 of the Articles of Association": a provision of something that is named, so not of the default work.
OF_ANOTHER = re.compile(r",? of (?!this )")
PIN_GROUP = re.compile(r"(?:\(\w{1,5}\))+")
#: "the Act of 1996" and "the 1996 Act" are one name.
KIND_OF_YEAR = re.compile(r"^(\w+) of (\d{4})$")
PLURAL = re.compile(r"(?:ons|les|ss|cs\.|ts\.|ss\.|/[Ss]{1,2}\.?|/S)$|^[Uu]/", re.IGNORECASE)
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
    "SECTION", "sec ", "Sec ", "s ", "ss ", "s.", "ss.", "S.", "Ss.", "SS.", "u/s", "U/s", "U/S", "r ", "rr ", "r.", "rr.",
    "this ", "This ", "the present ", "proviso to ",
]  # fmt: skip
_CAPITAL = r"(?:[A-Z][\w’'&.-]*|\([A-Z][^()\n]{1,50}\))"
NAME = (
    rf"{_CAPITAL}(?:,? (?:of|and|for|the|in|to|on|from|&|{_CAPITAL})){{0,14}}? {_KIND_OF_ACT}\b"
    rf"|[A-Z]{{2,6}} Act\b"
)
_YEAR = r"(?:,? ?\(?(?P<year>1[89]\d\d|20\d\d)\)?(?![\d-]))"
#: "(Act No. 7 of 2031)", and without brackets "Harbour Lamps Act 7 of 2031".
_OF_YEAR = (
    r"(?:(?:(?P<of_open>,? ?[\[(])|,? (?=(?:No\. ?)?\d))(?:Act |Act No\. ?|No\. ?)?"
    r"(?P<of_number>\d{1,3}) of (?P<of_year>\d{4})(?(of_open)[\])]|(?!\d)))"
)
_CHAPTER = r"(?:,? (?P<open>[\[(])?(?:Chapter|Chap\.|Cap\.?) ?(?P<chapter>\d{1,2}:\d{2,3})(?(open)[\])]))"
#: "Harbour Lamps Act, 2031 (Act 992)": the year is in the title.
_OF_TITLE = r"(?:,? \(Act (?:No\. ?)?(?P<title_number>\d{1,4})\))"
_TAIL = rf"(?:{_YEAR}|{_OF_YEAR}|{_OF_TITLE}|{_CHAPTER}){{0,3}}"
_NAME_ENDS = r"(?![\w’-])(?! Bench| \([A-Za-z -]*Amendment\)| of [A-Z])"
#: Words that make a known name the end of a longer name: "Bankers' Books Evidence Act", "Uttar Pradesh Industrial Disputes Act".
LONGER_NAME = re.compile(rf"{_CAPITAL},? (?:and |of |for |& )?$")
#: A text gives a short name: (hereinafter "the Act"), (for short, 'the UAP Act'), ("the Code").
SHORT = re.compile(
    r",? \((?:[^()\"“”‘’']{0,60}?)[\"“‘']+(?:the )?(?P<short>(?:[A-Z]|\d{4} )[^\"“”‘’'()]{1,40}?)[\"”’']+[^()]{0,20}\)"
)
#: Words that begin a sentence but never the name of an Act.
NOT_NAME = re.compile(
    r"(?:(?:The|In|Under|Of|By|See|And|Or|For|Section|Sections|Schedule|An|A|To|From|With|Whereas|Since"
    r"|When|As|That|This|Subject|Both|Vide|On|But|If|Where|Thus|So|Then|Now|It|Is|Are|Was|Read|Cf|Part"
    r"|Chapter)\b\.?,? (?:the )?"
    r"|(?:Appendix|Schedule|Chapter|Part|Form|Entry|Item|Clause|Rule) \S+ (?:of|to|in) (?:the )?)+"
)
#: The end of a name that texts repeat as "the 1996 Act".
YEAR_BEHIND = re.compile(rf"(?P<kind>{_KIND_OF_ACT}){_YEAR}(?:{_OF_YEAR}|{_CHAPTER})?$")
#: The rest of an Act's name, matched backwards from its last word.
LAST_NAME = re.compile(
    rf"(?:{_CAPITAL}(?:(?:,? (?:of|and|for|the|in|to|on|from|&|{_CAPITAL})){{0,13}}?,? {_CAPITAL})? )?{_KIND_OF_ACT}$"
)
TAIL = (
    rf"(?P<kind>{_KIND_OF_ACT})(?:(?:,? (?P<year>1[89]\d\d|20\d\d)\b(?!-))?(?:{_OF_YEAR}|{_OF_TITLE})|(?:,? (?:1[89]\d\d"
    rf"|20\d\d)\b)?{_CHAPTER}|, (?:1[89]\d\d|20\d\d)\b)"
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


class Patterns:
    """The patterns for `acts`; `words` and `anchors` (patterns with a named group) begin its reports of cases.

    `anchor` finds in one pass where a citation may begin; the others match from there.
    """

    def __init__(self, acts: NamedActs, *, words: Iterable[str] = (), anchors: Iterable[str] = ()) -> None:
        self.unit, self.relative, self.tail = map(re.compile, (UNIT, RELATIVE, TAIL))
        self.sentences = SentenceRules(abbreviations(("eng",)), OF_ANOTHER, "sec", (), re.compile(NAME), LIST_JOINS)
        named = alternation(sorted(acts.works)) or r"(?!)"
        self.law = re.compile(
            r"(?P<lead>,? (?:of|under|in|to) (?:the )?|,? (?:the )?)"
            rf"(?:(?P<own>{_OWN})|(?P<earlier>{_EARLIER})"
            r"|(?P<numbered>(?:Central )?Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
            rf"|(?:(?P<named>{named}){_NAME_ENDS}|(?P<generic>{NAME})){_TAIL}"
            r"|(?P<only_chapter>(?P<open_only>[\[(])?(?:Chapter"
            r"|Cap\.?) ?(?P<chapter_number>\d{1,2}:\d{2,3})(?(open_only)[\])]))"
            r"|(?P<short>(?:[A-Z]\w+ |(?:1[89]|20)\d\d )?(?:Act|Code|Rules|Ordinance)\b(?: of (?:1[89]|20)\d\d\b)?)"
            rf"|(?P<abbreviated>{ABBREVIATION})(?!\w))"
        )
        self.act = re.compile(
            rf"(?P<own>{_OWN.replace('(?:this|', '(?:[Tt]his|', 1)})"
            r"|(?P<numbered>Act (?:No\. ?)?(?P<act_number>\d{1,3})(?: of |/)(?P<act_year>\d{4})\b)"
            rf"|(?P<named>{named}){_NAME_ENDS}{_TAIL}"
        )
        beginnings = {*_BEGINNINGS, *_KINDS_OF_ACT, *acts.works, *words}
        begins = rf"(?<![\w.'’/-])(?:(?P<said>{_SAID})|(?P<word>{alternation(sorted(beginnings))}))"
        self.anchor = re.compile("|".join((*anchors, begins)))
