"""Names of works in queries: short names and abbreviations (`aliases/*.toml` and the grammars' own tables), and titles in any inflection.

Not here: citations that spell a work out ("SFS 2010:110", "Act 5 of 2019"), which the grammars read.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from typing import Any

from legal_pipeline.citations.works import jurisdiction_data, names

#: Jurisdictions that have aliases.
KNOWN = ("se", "in", "zw", "us", "fr", "de")

#: Tables of the grammars that name works.
_TABLES = ("works", "abbreviations")
#: An abbreviation this short is a word of some language when it is not written as one.
_TOO_SHORT = 2

_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_YEAR = re.compile(r"(?<![\d:/.-])(?:1[6-9]|20)\d\d(?![\d:/-])")
_YEAR_BEHIND = re.compile(r",? \(?((?:1[6-9]|20)\d\d)\b(?!:)")
_ARTICLES = frozenset({"the"})


@dataclass(frozen=True, slots=True)
class NamedWork:
    """A name of the work `uri` in `text[start:end]`."""

    start: int
    end: int
    uri: str


def named_works(text: str, jurisdiction: str) -> tuple[NamedWork, ...]:
    """The works that `text` names by a name known in `jurisdiction`, in text order; of two names in one place the longer counts."""
    if jurisdiction not in KNOWN:
        return ()
    pattern, works = _known(jurisdiction)
    found = []
    for match in pattern.finditer(text):
        name = match["name"]
        year = _YEAR_BEHIND.match(text, match.end())
        dated = works.get(f"{name}, {year[1]}".casefold(), ()) if year else ()
        for written, uri in dated or works.get(name.casefold(), ()):
            if (name == written or len(written) > _TOO_SHORT) and (dated or not year or year[1] in uri):
                found.append(NamedWork(match.start(), year.end() if year else match.end(), uri))
    return tuple(found)


def same_works(uri: str) -> tuple[str, ...]:
    """`uri` and the other URIs that the same work may have in the index."""
    others = next((aliases(code).get("same", {}).get(uri) for code in KNOWN if f"/{code}/" in uri), None)
    return (uri, *(others or ()))


def names_an_act(text: str, jurisdiction: str) -> bool:
    """Whether some words of `text` are what acts are called in `jurisdiction`: then an act is meant, known here or not."""
    data = aliases(jurisdiction if jurisdiction in KNOWN else "in")["names"]
    words = data.get("words")
    if words is not None:
        either = "|".join(words)
        # "a duty to act" names none
        return bool(
            re.search(rf"\b(?:{'|'.join(word.capitalize() for word in words)})\b", text)
            or re.search(rf"\b(?:the|la|le|du|de) (?:\S+ ){{0,8}}(?:{either})\b", text)
        )
    endings, others = tuple(data["endings"]), tuple(data.get("not_names", ()))
    found = (word.lower() for word in _WORD.findall(text))
    return any(word.endswith(endings) and not f" {word}".endswith(others) for word in found)


def title_length(query_words: tuple[str, ...], query_years: frozenset[str], title: str) -> int:
    """How many words of the query are the title, in whatever inflection; 0 where they do not name it, or with another year."""
    wanted, years = _title(title)
    if not wanted or (years and query_years and not years & query_years):
        return 0
    length = len(wanted)
    if not any(query_words[at : at + length] == wanted for at in range(len(query_words) - length + 1)):
        return 0
    return length


def words_and_years(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of `text` as titles have them, and the years in it."""
    plain = unicodedata.normalize("NFC", text)
    return tuple(_indefinite(word.lower()) for word in _WORD.findall(plain)), frozenset(_YEAR.findall(plain))


@functools.lru_cache(maxsize=4096)
def _title(title: str) -> tuple[tuple[str, ...], frozenset[str]]:
    bare = _BRACKETED.sub(" ", title)
    words, _ = words_and_years(bare)
    _, years = words_and_years(title)
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return words, years


@functools.cache
def aliases(jurisdiction: str) -> dict[str, Any]:
    """The file `aliases/<jurisdiction>.toml`."""
    folder = importlib.resources.files(__package__).joinpath("aliases")
    return tomllib.loads(folder.joinpath(f"{jurisdiction}.toml").read_text("utf-8"))


@functools.cache
def _known(jurisdiction: str) -> tuple[re.Pattern[str], dict[str, list[tuple[str, str]]]]:
    """A pattern for any known name, and name in lower case -> [(name, URI)]."""
    works: dict[str, list[tuple[str, str]]] = {}
    tables = [names(jurisdiction, table) for table in _TABLES if table in jurisdiction_data(jurisdiction)]
    for uri, written in aliases(jurisdiction).get("works", {}).items():
        tables.append(dict.fromkeys(written, uri))
    for table in tables:
        for name, uri in table.items():
            works.setdefault(name.casefold(), []).append((name, uri))
    longest_first = "|".join(re.escape(name) for name in sorted(works, key=lambda name: (-len(name), name)))
    # the genitive of Swedish and German
    return re.compile(rf"(?<![\w-])(?P<name>{longest_first})(?:s|es)?(?![\w-])", re.IGNORECASE), works


@functools.cache
def _definite() -> tuple[tuple[str, str], ...]:
    """(definite, indefinite) words, longest first."""
    pairs = ((str(definite), str(indefinite)) for indefinite, definite in aliases("se")["definite"].items())
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _indefinite(word: str) -> str:
    """`arbetsmiljölagens` -> `arbetsmiljölag`; other words as they are."""
    for definite, indefinite in _definite():
        for ending in (f"{definite}s", definite, f"{indefinite}s"):
            if word.endswith(ending):
                return word[: -len(ending)] + indefinite
    return word
