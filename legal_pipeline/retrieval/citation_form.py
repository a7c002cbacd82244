"""How lawyers cite what a chunk holds: `2 kap. 3 § arbetsmiljölagen (1977:1160)`, `Labour Act [Chapter 28:01], s. 12A`,
`8 C.F.R. § 204.5(h)(3)`, `A v. B, 2024 INSC 640, paras 12–14`.

One form per jurisdiction in `_STATUTES`. Not here: reading citations (`citations`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.stores.store import Payload

_CASES = frozenset({"judgment", "precedent_case", "appeal_decision"})
_LABEL = re.compile(
    r"^(?:.* > )?(?:Section|Article|Artikel|Para)\.? (?P<number>\d[\w.-]*(?: [a-zåäö])?|[LRDA]\.? ?[\d-]+|\w+)"
)
_SWEDISH = re.compile(r"^(?P<number>.+?) §|^(?P<article>Artikel .+)")
_CFR = re.compile(r"us/cfr/t(?P<title>\d+)/p(?P<part>\d+)")
_USC = re.compile(r"/akn/us/act/usc/t(?P<title>\w+)")
_PUBLIC_LAW = re.compile(r"Public Law (?P<number>[\d–-]+)")
_RANGE = re.compile(r"(?<=\d)-(?=\d)")
_LETTER_CODE = re.compile(r"^([LRDA])\.? ?(?=\d)")
_ROUND = re.compile(r"\(\d{4}:\d+\)")
#: Where the noun of a Swedish title ends: `Lag (1982:80) om anställningsskydd`.
_NOUN_END = re.compile(r" (?:om|med|för|angående|till|i|på|mot|av)\b| \(|$")


def citation_of(payload: Payload) -> str:
    """The citation of a point's text; without a provision the act and the path within it."""
    if payload.get("doc_type") in _CASES:
        return _case(payload)
    return _STATUTES.get(str(payload.get("jurisdiction", "")), _common_law)(payload)


def act_of(payload: Payload) -> str:
    """The citation of the whole work that a point's text is of."""
    whole = {name: value for name, value in payload.items() if name not in _OF_A_PROVISION}
    return citation_of({**whole, "path": ""})


_OF_A_PROVISION = frozenset({"section", "chapter", "path", "provisions", "subdivisions", "eid", "para_id", "paras"})


def _case(payload: Payload) -> str:
    """Parties, the citation (neutral before reported before the court's own number), paragraphs."""
    title = str(payload.get("title") or "")
    numbers = (payload.get(name) for name in ("neutral_citation", "citation", "canonical_citation", "number"))
    number = next((str(each) for each in numbers if each), "")
    paragraphs = re.sub(r"[\[\]]|\b[Pp]aras?\b\.? ?", "", str(payload.get("para_id") or "")).strip()
    several = len(re.findall(r"\d+", paragraphs)) > 1
    place = f"para{'s' if several else ''} {_RANGE.sub('–', paragraphs)}" if re.match(r"\d", paragraphs) else ""
    if not place:
        place = str(payload.get("path") or "")
    return ", ".join(part for part in (title, "" if number in title else number, place) if part)


def _swedish(payload: Payload) -> str:
    act = _swedish_act(payload)
    path = str(payload.get("path") or "")
    chapter = f"{payload['chapter']} kap." if payload.get("chapter") else ""
    found = _SWEDISH.match(_plain(payload.get("section")))
    if found is not None:
        provision = found["article"].lower() if found["article"] else f"{found['number']} §"
        return " ".join(part for part in (chapter, provision, act) if part)
    head, _, rest = path.partition(".")
    if head == "overgangsbest":
        return f"övergångsbestämmelserna{f' ({rest})' if rest else ''} till {act}"
    if head == "bilaga":
        return f"bilaga {rest} till {act}" if payload.get("schedule") else f"bilagan till {act}"
    return f"{act}, {path}" if act and path else act or path


def _swedish_act(payload: Payload) -> str:
    """The title as a text refers to it, with its number; the short name where the title is that of the decree that enacted it."""
    title, number = str(payload.get("title") or ""), str(payload.get("number") or "").removeprefix("SFS ")
    work = str(payload.get("work_uri") or "")
    noun_end = _NOUN_END.search(title)
    assert noun_end is not None
    noun, rest = title[: noun_end.start()], title[noun_end.start() :]
    definite = _definite(noun)
    if noun.startswith("Kungörelse") and work in _short_names("se"):
        return f"{_short_names('se')[work]} ({number})"
    if definite is not None:
        title = definite[:1].lower() + definite[1:] + rest
    if not number or number in title:
        return title
    if definite is not None and rest:
        return f"{title.removesuffix(rest)} ({number}){rest}"
    return f"{title} ({number})" if title else number


def _definite(noun: str) -> str | None:
    """`Arbetsmiljölag` -> `Arbetsmiljölagen`; None for a title that is no word for an act."""
    forms: dict[str, str] = jurisdiction("se").section("citations")["definite"]
    for indefinite in sorted(forms, key=len, reverse=True):
        if noun.lower().endswith(indefinite):
            return noun[: len(noun) - len(indefinite)] + forms[indefinite]
    return None


def _common_law(payload: Payload) -> str:
    """`The Companies Act, 2013 (Act 18 of 2013), s. 2`."""
    return _with_section(_numbered_act(payload), payload)


def _zimbabwean(payload: Payload) -> str:
    chapter = _short_names("zw", "chapter").get(str(payload.get("work_uri") or ""))
    title = str(payload.get("title") or "")
    return _with_section(f"{title} [Chapter {chapter}]" if chapter and title else _numbered_act(payload), payload)


def _with_section(act: str, payload: Payload) -> str:
    number, path = _number(payload), str(payload.get("path") or "")
    if number is None:
        return ", ".join(part for part in (act, path) if part)
    word = "art." if _is_article(payload) else "s."
    return ", ".join(part for part in (act, f"{word} {number}{_pins(payload)}") if part)


def _american(payload: Payload) -> str:
    work, number = str(payload.get("work_uri") or ""), _number(payload)
    path = str(payload.get("path") or "")
    title = str(payload.get("title") or "")
    if match := _CFR.match(work):
        code = f"{match['title']} C.F.R."
        if number is None:
            return ", ".join(part for part in (f"{code} pt. {match['part']}", path) if part)
        return f"{code} § {number}{_pins(payload)}"
    if (match := _USC.match(work)) and number is not None:
        return f"{match['title']} U.S.C. § {number}{_pins(payload)}"
    if work.startswith("/akn/us-dc/act/code/") and number is not None:
        return f"D.C. Code § {number}{_pins(payload)}"
    law = _PUBLIC_LAW.search(str(payload.get("number") or ""))
    act = f"{title}, Pub. L. {law['number']}" if law else _numbered_act(payload)
    if number is None:
        return ", ".join(part for part in (act, path) if part)
    return f"{act}, § {number}{_pins(payload)}"


def _french(payload: Payload) -> str:
    title, number = str(payload.get("title") or ""), _number(payload)
    if number is None:
        return ", ".join(part for part in (title, str(payload.get("path") or "")) if part)
    first = title[:1].lower() + title[1:] if title[:12] != "Constitution" else title
    of = "du " if re.match(r"(?:code|décret|règlement)\b", first) else "de l'" if first[:1] in "aeioué" else "de la "
    number = _LETTER_CODE.sub(r"\g<1>. ", number)
    return f"article {number} {of}{first}" if title else f"article {number}"


def _german(payload: Payload) -> str:
    number = _number(payload)
    act = _short_names("de").get(str(payload.get("work_uri") or "")) or str(payload.get("title") or "")
    if number is None:
        return ", ".join(part for part in (act, str(payload.get("path") or "")) if part)
    return " ".join(part for part in ("Art." if _is_article(payload) else "§", number, act) if part)


_STATUTES: Mapping[str, Callable[[Payload], str]] = {
    "se": _swedish,
    "zw": _zimbabwean,
    "us": _american,
    "us-dc": _american,
    "fr": _french,
    "de": _german,
}


def _numbered_act(payload: Payload) -> str:
    """Title with its number in brackets, unless the title names it already."""
    title, number = str(payload.get("title") or ""), str(payload.get("number") or "")
    if not number or number in title:
        return title
    return f"{title} ({number})" if title else number


def _number(payload: Payload) -> str | None:
    found = _LABEL.match(_plain(payload.get("section")))
    return found["number"].rstrip(".") if found else None


def _plain(section: Any) -> str:
    """`Section 12A — Retrenchment` -> `Section 12A`."""
    return str(section or "").partition(" — ")[0].strip()


def _is_article(payload: Payload) -> bool:
    return "Article" in _plain(payload.get("section")) or "Artikel" in _plain(payload.get("section"))


def _pins(payload: Payload) -> str:
    """`(h)(3)`: what all that a part of a provision holds is below; empty for a whole provision."""
    held = [str(eid).split("__") for eid in payload.get("subdivisions") or ()]
    own = str(payload.get("eid") or "").split("__")
    below = [segments[len(own) :] for segments in held if segments[: len(own)] == own]
    if not below:
        return ""
    shared: list[str] = []
    for level in zip(*below, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "".join(f"({segment.partition('_')[2]})" for segment in shared)


@functools.cache
def _short_names(code: str, use: str = "names") -> dict[str, str]:
    """Work URI -> the name that stands first in the table."""
    found: dict[str, str] = {}
    for each in dict.fromkeys((use, "in_queries")) if use == "names" else (use,):
        for name, uri in names(jurisdiction(code), each).items():
            found.setdefault(uri, name)
    return found
