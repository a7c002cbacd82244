"""Citations of EU law: provisions by the words of `jurisdiction.toml`, acts by number ("Regulation (EU) 2016/679", CELEX) and cases.

The code decides which of the two numbers of an act is its year; everything else is data. Not here: the older grammar of articles of
numbered acts that some member states' grammars include as a branch (`member_states`).
"""

from __future__ import annotations

from collections.abc import Mapping

from legal_pipeline.citations.acts_in_data import NumberedWork
from legal_pipeline.citations.country import Country, Scanner
from legal_pipeline.citations.from_data import scanner as scanner_from_data
from legal_pipeline.jurisdictions.eu.member_states import CASE, act_uri, case_uri

#: Abbreviations of the Communities and the Union, and of fields of policy, in their languages.
UNION = (
    "EU|EG|EEG|EF|EØF|CE|CEE|UE|EC|EEC|EWG|EGKS|ECSC|EAG|ES|EHS|EK|EY|ETY|EL|EÜ|EB|EZ|EGK|WE|AE|КЕ|ЕС|ЕО|ЕИО|ΕΕ|ΕΚ|ΕΟΚ"
)
_POLICY = "RIF|JHA|JAI|JI|GASP|CFSP|PESC|GUSP|WSiSW|SVV|SZBP|GBVB|FUSP|RIA|GAI|JBZ"
#: What may be in brackets before a number, or behind it.
OF_UNION = rf"{UNION}|Euratom|{_POLICY}"
_COMMUNITY = rf"(?:\(?(?:{OF_UNION})(?:, ?[Ee]uratom)?\)? )?"
SIGN = r"(?P<sign>(?:nr\.?|n[°ºo]\.?|No\.?|Nr\.?|n\.º|n\.|núm\.|č\.|št\.|br\.|αριθ\.|№) ?)?"
NUMBERS = (
    r"(?P<one>\d{1,4})/(?P<two>\d{1,4})"
    rf"(?:/(?:{UNION}|EURATOM|Euratom|{_POLICY})\b)?(?![\d/])"
)
#: The institution after the number, in languages that write it there; in the others it is before the word for the act.
_INSTITUTION = (
    r"(?: der Kommission| des Europäischen Parlaments und des Rates| des Rates"
    r"| de la Commission| du Parlement européen et du Conseil| du Conseil"
    r"| della Commissione| del Parlamento europeo e del Consiglio| del Consiglio"
    r"| van de Commissie| van het Europees Parlement en de Raad| van de Raad)?"
)
#: "Richtlinie des Rates 93/13/EWG".
_BEFORE_NUMBER = r"(?:(?:des Rates|der Kommission|du Conseil|de la Commission|del Consiglio|van de Raad|Rady|Rådets) )?"
#: Languages that write the word for the act after its number.
NUMBER_FIRST = (
    rf"(?:[Aa]z? )?\((?:{UNION})\) (?P<sign>){NUMBERS} (?:európai parlamenti és tanácsi |tanácsi |bizottsági )?"
    r"(?:(?P<regulation>rendelet)|(?P<directive>irányelv)|(?P<decision>határozat))[a-zé]{0,4}"
)
_CELEX = r"\b[03](?P<celex_year>(?:19|20)\d\d)(?P<celex_kind>[RLDEFH])0*(?P<celex_number>\d{1,4})(?:-\d{8})?\b"
_CELEX_KINDS = {"R": "regulation", "L": "directive", "H": "recommendation"}
_KINDS = ("regulation", "directive", "decision", "recommendation")
_CASE_WORD = r"(?:[Cc]ases?|Rechtssachen?|Rs\.|[Mm]ål(?:en)?|[Aa]ffaires?|[Ss]ag(?:erne)?|[Zz]a(?:ak|ken)|[Cc]aus[ae])"
#: "Joined Cases", "affaires jointes"
_JOINED = r"(?:(?:[Jj]oined|[Vv]erbundenen?|[Ff]örenade|[Vv]erenigde|[Gg]evoegde|[Ff]orenede) )?"
_JOINED_BEHIND = r"(?: (?:jointes|riunite))?"
_ECLI = r"\bECLI:EU:[CTF]:\d{4}:\d{1,4}\b"


def scanner(country: Country) -> Scanner:
    """Return the scanner for citations of EU law, in any of the languages of the data."""
    # All prefixes are optional, so they are one atomic group: a position without a prefix must not be tried again for each of them.
    act = (
        rf"(?>{institutions(country)}(?:(?:Delegierten?|Durchführungs|Del\.|Durchf\.) ?-?)?){kinds_of_acts(country)}"
        rf" {_BEFORE_NUMBER}{_COMMUNITY}{SIGN}{NUMBERS}{_INSTITUTION}"
    )
    word = f"{_JOINED}{_CASE_WORD}{_JOINED_BEHIND} "
    case = rf"(?:{word})?(?P<case>{CASE})|{word}(?P<old>\d{{1,3}}/[5-8]\d)(?![\d/])"
    return scanner_from_data(
        country,
        (
            NumberedWork(act, act_uri),
            NumberedWork(NUMBER_FIRST, act_uri),
            NumberedWork(_CELEX, _celex_uri),
            NumberedWork(case, lambda groups: case_uri(groups["case"] or f"C-{groups['old']}"), "case"),
            NumberedWork(_ECLI, lambda _: None, "case"),
        ),
    )


def institutions(country: Country) -> str:
    """Return the pattern of the institutions that the languages write before the word for an act, each optional."""
    return "".join(sorted({words["institutions"] for words in _languages(country)}))


def kinds_of_acts(country: Country) -> str:
    """Return the pattern of the words for acts in all languages, with a group for each kind of act."""
    kinds = (
        rf"(?P<{kind}>{'|'.join(words[kind] for words in _languages(country) if kind in words)})" for kind in _KINDS
    )
    return f"(?:{'|'.join(kinds)})"


def _languages(country: Country) -> list[Mapping[str, str]]:
    return [
        words
        for words in country.section("citations").values()
        if isinstance(words, Mapping) and isinstance(words.get("regulation"), str)
    ]


def _celex_uri(groups: Mapping[str, str | None]) -> str:
    kind = _CELEX_KINDS.get(groups["celex_kind"] or "", "decision")
    return f"/akn/eu/act/{kind}/{groups['celex_year']}/{groups['celex_number']}"
