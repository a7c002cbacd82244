"""The regular expressions of Swedish citations: where one may begin, and its parts.

Not here: the reader that uses them (`se.citations`).
"""

from __future__ import annotations

import re

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.sentences import SentenceRules, abbreviations
from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.eu import member_states
from legal_pipeline.languages.language import language
from legal_pipeline.text.alternation import alternation

_LANGUAGE = language("swe")
ORDINALS = _LANGUAGE.ordinals
_ORDINAL = f"(?:{'|'.join(ORDINALS)})"
_ORDINAL_ANY = "|".join([*ORDINALS, *(word.capitalize() for word in ORDINALS)])
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_NUMBER = r"\d{1,3}(?!\d)(?: ?[a-z](?![^\W_]))?"
_RANGE = rf"{_NUMBER}(?: ?(?:--?|–|—) ?{_NUMBER})?"
_LIST = rf"{_RANGE}(?:(?:, (?:och |eller |samt )?| (?:och|eller|samt|respektive|resp\.) ){_RANGE}){{0,40}}"
PIECE = re.compile(rf"(?P<first>{_NUMBER})(?: ?(?:--?|–|—) ?(?P<last>{_NUMBER}))?")

#: Sections, with or without their chapter; or only chapters.
_UNIT = (
    rf"(?<![\w:/.,–-])(?:(?:(?P<chapter>{_NUMBER}) ?kap\.? )?(?P<sections>{_LIST}) ?§{{1,2}}(?!§)"
    rf"|(?P<chapters>{_LIST}) kap\.)"
)
#: A section with its chapter, "4:19 a".
CHAPTER_AND_SECTION = re.compile(rf"(?P<chapter>{_NUMBER}):(?P<section>{_NUMBER})(?![\d:])")
CONNECTOR = re.compile(r"(?:,| (?:och|eller|samt|respektive|resp\.|jämförd med|jämfört med|jfr)) ")
#: The number of a stycke in words, or in digits before "st".
COUNTED = rf"(?:{_ORDINAL}|\d(?=(?:(?:, | och | eller |[–-])\d)* st(?:\b|ycke)))"
_COLON = _NAMED_GROUP.sub("(?:", CHAPTER_AND_SECTION.pattern)
SUBSECTION = re.compile(
    rf" (?P<ordinal>{COUNTED})(?P<more>(?:(?:, | och | eller |[–-])(?:{COUNTED}))*) (?:stycket|styckena|st\b\.?)"
)
NEXT_SUBSECTION = re.compile(rf"(?:,| och| eller| samt)(?={SUBSECTION.pattern})")
#: The moment of a § in old statutes ("29 § 2 mom."); the nodes of provisions do not have this level.
MOMENT = re.compile(r" \d{1,2} mom\b\.?")
#: A bare number after a § is a point of its list, unless it counts something or begins the next citation.
_MONTHS = "|".join(names[0] for names in _LANGUAGE.section("dates")["months"])
_NOT_POINT = (
    r"(?! ?(?:§|kap\b|%)| (?:mom|men|procent|kr|kronor|år|månad(?:er)?|dag(?:ar)?|veckor?|timmar|st"
    rf"|{_MONTHS})\b| [a-z] ?(?:§|kap\b)|[\d:/,]\d|[^\W\d_])"
)
#: A bracket after a point, where the citation goes on: "1 st. 6) varumärkeslagen".
_BRACKET = r"(?:\)(?= (?:(?:och|eller) \d|[\w-]+(?:lagen|balken|förordningen|stadgan)\b)))?"
_POINT = rf"\d{{1,2}}(?!\d)(?: [a-h](?!\w))?(?:[–-]\d{{1,2}}(?!\d))?{_BRACKET}{_NOT_POINT}"
POINTS = re.compile(
    r" (?P<letters>[a-h](?:[–-][a-h])?\)?(?:(?:, | och | eller )[a-h](?:[–-][a-h])?\)?)*)"
    r"(?= [\w-]*(?:lagen|balken|förordningen|formen|stadgan)\b)"
    rf"| (?:punkt(?:en|erna)? |p\. )?(?P<points>{_POINT}(?:(?:, (?:och |eller )?| och | eller )"
    rf"(?:{_POINT}(?! ?[–,]? ?\d* ?(?:och \d+ ?)?[a-z]? ?§)|[b-h](?!\w)))*)(?: p\b\.?)?"
    rf"| (?P<spelled>{_ORDINAL}) punkten\b"
)
POINT_PIECE = re.compile(
    r"(?P<first>\d+)(?: (?P<letter>[a-h])(?!\w))?(?:[–-](?P<last>\d+))?|(?P<bare>(?<!\w)[b-h](?!\w))"
)
#: "bestämmelserna i 24 kap." with its §§ in the next block, after a page break or a wrapped line.
CHAPTER_BEFORE = re.compile(r"(?P<chapter>\d{1,3}(?: ?[a-z])?) kap\.\s+$")
SENTENCE = re.compile(
    rf" (?:{_ORDINAL}(?: (?:och|eller) {_ORDINAL})? (?:meningen|meningarna|ledet|strecksatsen)|\d men(?:ingen\b|\b\.?))"
)
RELATIVE_SUBSECTION = re.compile(
    rf"(?P<ordinal>{_ORDINAL})(?P<more>(?:(?:, | och | eller ){_ORDINAL})*) (?:stycket|styckena)\b", re.IGNORECASE
)
LAW_NAME_BEFORE = re.compile(
    r"(?:[\w-]+- och |[\w-]+- eller )?[\w-]*(?:lag|lagen|lagens|balk|balken|balkens|förordning"
    r"|förordningen|förordningens|kungörelse|kungörelsen|stadga|stadgan|instruktion|instruktionen|ordning"
    r"|ordningen|formen|tillkännagivande|tillkännagivandet|brev|brevet|reglemente|reglementet|cirkulär"
    r"|föreskrifter|föreskrifterna)(?: med \w+)? $",
    re.IGNORECASE,
)
_NUMBERED = r"\((?P<sfs>1[5-9]\d\d|20\d\d):(?P<sfsno>\d{1,4})(?: s\. ?(?P<page>\d+))?\)"
_OWN = r"(?:[Dd]enna|[Dd]en här) (?:lag|förordning|balk)\b"
_SAME = r"(?:samma|nämnda|sistnämnda|ovannämnda|förutnämnda|sagda|angivna)"
_EARLIER = (
    rf"(?:(?:i )?(?:{_SAME}|den) (?:lag(?:en)?|förordning(?:en)?|balk(?:en)?|kungörelse(?:n)?|författning(?:en)?)"
    # the noun alone, if it does not begin a name
    r"|(?:lagen|balken|förordningen|kungörelsen)(?! (?:om|med|angående|för|av|till|rörande|mot|i|den|nr|d\.|\(|\d)))\b"
)
#: The provision cited before.
_SAID = rf"(?:{_SAME}|den) (?:paragraf(?:en)?|lagrum(?:met)?)\b"
_SAID_BEGINNINGS = [
    f"{same} {noun}"
    for word in ("samma", "nämnda", "sistnämnda", "ovannämnda", "förutnämnda", "sagda", "angivna", "den")
    for same in (word, word.capitalize())
    for noun in ("paragraf", "lagrum")
]
#: The name of a work before its number, if it is not only a noun: "brolagen (2031:55)".
NAME_BEFORE = re.compile(r"(?P<name>\w[\w-]+(?:lag|balk|förordning))(?P<definite>en)?s? \($", re.IGNORECASE)
GENITIVE = re.compile("s? ?")
#: The genitive of an Act named before: "lagens 5 §".
LAW_BEFORE = re.compile(r"\b(?:lagens|balkens|förordningens|kungörelsens) $", re.IGNORECASE)
SAID_BEHIND = re.compile(rf" (?:i )?{_SAID}")
#: Words after a § of a text that is not law.
OF_A_TEXT = re.compile(r" i (?:avtalet|stadgarna|bolagsordningen)\b")
#: A work that a text gives a short name: "lagen (1999:678) om filialer m.m. (filiallagen)".
GIVEN = re.compile(
    r"[^.()\n]{0,90}(?:m\. ?m\. ?)?\((?:nedan |kallad |här )*(?P<given>[\w-]+(?:lagen|balken|förordningen))\)"
)
_NO_LONGER = r"den (?:nu |numera )?(?:nya|äldre|upphävda|gamla|tidigare) "
SERIES_BEFORE = re.compile(r"\b(?P<series>[A-ZÅÄÖ]{1,6}-?FS) $")
NUMBER_BEFORE = re.compile(r"\d(?: [a-z])? $")
CASE_BEFORE = re.compile(r"\b[Mm]ål (?:nr )?$")
LIST_ENTRY = re.compile(r"(?:[–—-]|\d{1,2}\.|[a-z]\)) $")
OWN_CHAPTER = re.compile(r" (?:i )?(?:detta|samma) (?:kapitel|kap\.)")
STARTS_PROVISION = re.compile(r" (?:/|\(|[A-ZÅÄÖ]|[Hh]ar upphävts)|\s*$", re.MULTILINE)


_SCHEDULE_NUMBER = r"(?:\d{1,2}(?: ?[a-h](?!\w))?|[A-Z]\d{0,2}|[IVX]{1,5})(?![\w:/])"
_SCHEDULE_RANGE = rf"{_SCHEDULE_NUMBER}(?: ?[–-] ?{_SCHEDULE_NUMBER})?"
_SCHEDULE_LIST = rf"{_SCHEDULE_RANGE}(?:(?:, | och | eller | samt ){_SCHEDULE_RANGE}){{0,20}}"
SCHEDULE_PIECE = re.compile(rf"(?P<first>{_SCHEDULE_NUMBER})(?: ?[–-] ?(?P<last>{_SCHEDULE_NUMBER}))?")
#: "bilaga 1 och 2 till", "bilagan till", and "bilaga 1" directly before the Act, as in queries.
SCHEDULES = re.compile(
    rf"(?<!\w)[Bb]ilag(?:(?:a|an|orna) (?P<numbers>{_SCHEDULE_LIST})(?: till(?: den)?)?|an? till(?: den)?)(?= )"
)
#: "AFS 2023:1 bilaga 1", "semesterlagens bilaga 2".
SCHEDULES_BEHIND = re.compile(rf"s?,? [Bb]ilag(?:a|an|orna) (?P<numbers>{_SCHEDULE_LIST})(?! (?:till|i) )")
#: The rest of a heading: a line without a full stop.
HEADING_ENDS = re.compile(r"[^.\n]*(?:\n|\Z)")
#: The rules of an agency after "bilaga 1 till": a number, or a title with its number in brackets.
AGENCY_BEHIND = re.compile(r"(?: [^().;\n]{1,150} \(| )(?P<series>[A-ZÅÄÖ]{1,6}-?FS) (?P<number>\d{4}:\d{1,4})\b\)?")


class Patterns:
    """`anchor` finds in one pass where a citation may begin; the others match from there."""

    def __init__(self, country: Country) -> None:
        self.sentences = SentenceRules(abbreviations(("swe",)), OF_A_TEXT, "sec")
        self.unit = re.compile(_UNIT)
        cases = country.section("citations")["cases"]
        works, shorts = names(country), names(country, "behind_provision")
        works = {**works, **{f"{name[:1].upper()}{name[1:]}": uri for name, uri in works.items()}}
        #: Name -> work URI: `works` are found anywhere, `abbreviations` only after a §.
        self.works, self.abbreviations = works, shorts
        series = [*cases["page"], *cases["reference"], *cases["number"], *cases["colon"]]
        named = alternation(works)
        documents = ["prop.", "proposition", "propositionen", "bet.", "rskr.", "dir.", "skr."]
        documents = [*documents, *(word.capitalize() for word in documents), "SOU", "Ds"]
        beginnings = [
            *works, *_SAID_BEGINNINGS, *ORDINALS, *(word.capitalize() for word in ORDINALS), "denna ", "Denna ", "den här ", "Den här ",
            *documents, *(f"{name} " for name in series), "C-", "T-", "F-", *member_states.starts("swe"),
        ]  # fmt: skip
        anchor = (
            rf"(?P<unit>{_NAMED_GROUP.sub('(?:', _UNIT)})",
            rf"(?P<bracket>{_NUMBERED})",
            rf"(?P<schedules>{_NAMED_GROUP.sub('(?:', SCHEDULES.pattern)})",
            r"(?P<series>(?<=FS )\d{4}:\d{1,4}\b)",
            rf"\b(?P<word>{alternation(beginnings)})",
            rf"\b(?P<colon>(?P<short>{alternation(shorts)}) (?={_COLON})"
            rf"|(?<![\w:/.,–-])(?={_COLON}(?:(?:,| och| eller) {_COLON}| \d st\b\.?| (?:p\.? )?\d(?: p\b\.?)?){{0,6}}"
            rf" (?:(?:{alternation(shorts)})\b|{_SAME} balk)))",
            rf"\b(?P<named_before>{alternation(shorts)}) (?={_NAMED_GROUP.sub('(?:', _UNIT)})",
        )
        self.anchor = re.compile("|".join(anchor))
        word = (
            rf"(?P<named>{named})(?=s?\b)(?!s? \(\d{{4}}:)",
            rf"(?P<own>{_OWN})",
            rf"(?P<said>(?i:{_SAID}))",
            rf"(?P<stycke>(?:{_ORDINAL_ANY})(?:(?:, | och | eller ){_ORDINAL})* (?:stycket|styckena)\b)",
            rf"(?P<doc>{alternation(documents)}) ?(?P<docno>\d{{4}}(?:/\d{{2,4}})?(?:: ?[A-ZÅÄÖa-z]{{0,4}} ?| nr )\d+)(?:"
            r" s\. \d+(?:[–-]\d+)?(?: ff?\.)?)?",
            rf"(?P<report>{alternation(series)}) (?P<year>\d{{4}})(?: s\. | ref\. | (?P<notice>not)\. | nr |:)(?P<caseno>\d{{1,4}})\b",
            rf"(?P<eucase>{member_states.CASE})",
            rf"(?P<eu>{member_states.pattern('swe')})",
        )
        self.word = re.compile("|".join(word))
        self.law = re.compile(
            # "3 § 7. körkortslagen": the full stop belongs to the number of the point
            r"(?:(?<=\d)\.(?= [a-zåäö-]+(?:lagen|balken|förordningen) \())?(?: i)? (?:"
            rf"(?:{_NO_LONGER})?(?P<law_name>(?:[\w-]+- och )?[\w-]+) {_NUMBERED}"
            rf"|(?P<law_named>{named})s?\b"
            rf"|(?P<law_short>{alternation(shorts)})\b"
            r"|(?:(?:[\w-]+ ){0,6}(?:föreskrifter|råd|\w*regler)\b[^().;\n]{0,80} \()?"
            r"(?P<law_series>[A-ZÅÄÖ]{1,6}-?FS) (?P<law_seriesno>\d{4}:\d{1,4})\b\)?"
            r"|(?P<law_abbreviation>(?=\w*[A-ZÅÄÖ]\w*[A-ZÅÄÖ])[A-ZÅÄÖ][A-ZÅÄÖa-zåäö]{1,6}(?![\w:]| \d))"
            rf"|(?P<law_own>{_OWN})"
            rf"|(?P<law_earlier>{_EARLIER})"
            rf"|(?P<law_vague>{_NO_LONGER}(?:[\w-]+- och )?[\w-]*(?:lagen|förordningen|balken|formen|ordningen)\b)"
            r"|(?P<law_unknown>[\w-]*(?:lagen|balken|förordningen|kungörelsen|stadgan)\b)"
            r")"
        )
