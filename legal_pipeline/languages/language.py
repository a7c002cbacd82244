"""One language's knowledge, loaded from `<iso639-3>.toml`, the codes of languages (`codes.toml`) and their letters (`scripts.toml`).

`[provisions]` of a file has the words that headings print, all in lower case (compare `str.lower()`, not `casefold`, which changes a final
sigma). One word can stand under two kinds (the English "section" is a provision of an Act and a division of a regulation): the sequence of
the numbers decides.

- a kind of `PROVISION_KINDS`: its words, the nominative first, then other forms and abbreviations (`["artikel", "art."]`); empty if the
  language has none
- `also_section`: words for the sections of rules and regulations, only for reading a text: elsewhere "rule 5" cites no section
- `sign`: the sign of a section, "§"
- `number_first`: kinds whose number is printed before the word, "1 kap."; all others have it behind
- `number_words`: words for "number" between word and number, without their full stop ("Załącznik nr 1")
- `number_prefix`: the sign before a number, in languages with the word behind it ("第十条")
- `inserted`: words before the further number of an inserted provision
- `letters_apart`: a small letter apart from the number of an article belongs to it ("Art. 15 a")
- `joins`: words between two numbers of one heading ("Art. 86 und 87", "Sections 12 to 15"); `range_ends`: words after a range
- `continues`: words, or beginnings of text in European signs, with which a reference goes on ("Section 9 of")
- `index`: headings of an index of subjects
- `set_apart`: words of articles that have numbers of their own between the others, by what is cited before these numbers ("Geçici 1")
- `annexed`: patterns of words behind the number of an annex that name what it belongs to
- `named`: words in the place of a number ("Titre préliminaire")
- `numbering`: the style in which its Acts number lists (`common_law`, else `civil_law`)
- `cardinals`: the words for one, two, … behind a word ("Chapter Two")
- `ordinals`: first to twentieth, each in every gender that headings use: "Erster Teil", "Část první"

Ordinals above twenty are made of these keys:

- `ordinal_tens`: tenth, twentieth and so on, with the unit behind them ("dvacátá první"); `ordinal_joins`: signs between, else a space
- `ordinal_stems`: instead, what stands before the unit for each ten ("twenty-")
- `ordinal_units_first`: instead, what stands before the ten for each unit ("einund")
- `ordinal_units`: first to ninth, if these compounds have other forms

`[titles]` says how citations change the title of an Act (the other keys are rules of comparison, `retrieval.titles_by_language`):

- `dropped`: patterns of what they leave out (number and date, if words follow)
- `forms`: inflected forms of nouns for acts

`[repealed]` says what publishers print in the place of a provision that is no longer law, as patterns without case. Words in the present
that also order a repeal ("se deroga") must not go on with an object.

- `words`: it was repealed; `omitted`: it is not law for another reason (vetoed, annulled, reserved)
- `by`: words with which such a note goes on; `law`: verbs that it does not contain; `notes`: what stands before it ("Anm")
- `subjects`: more names of the provision; `ranges`: words between two numbers beside `joins`
- `history`: beginnings of other notes on amendments

Not here: finding out which language a text is in (`text.language`), and what countries that share a language do differently.
"""

from __future__ import annotations

import functools
import importlib.resources
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from legal_pipeline.system.data_files import data_file

ProvisionKind = Literal[
    "article",
    "section",
    "paragraph",
    "part",
    "book",
    "title",
    "chapter",
    "division",
    "subdivision",
    "schedule",
    "annex",
    "recital",
    "preamble",
    "transitional",
]
PROVISION_KINDS: tuple[ProvisionKind, ...] = get_args(ProvisionKind)


#: Data files that are not of one language.
_SHARED_FILES = ("codes", "close", "scripts")


@dataclass(frozen=True, eq=False)
class Language:
    """What is known of `code` (ISO 639-3). `data` is the data file; empty for a language that has none."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether the language has a data file."""
        return bool(self.data)

    @property
    def name(self) -> str:
        """Return the English name of the language; its code if it has no data file."""
        return str(self.data.get("name", self.code))

    @property
    def stemmer(self) -> str | None:
        """Return the name of its Snowball stemmer in Qdrant's BM25 and in PostgreSQL; None if one of them has no stemmer for it."""
        found: str | None = self.data.get("stemmer")
        return found

    @property
    def asking_words(self) -> tuple[str, ...]:
        """Return the words that a question begins with, in lower case; empty if none are known."""
        return tuple(self.data.get("asking", ()))

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a table of the data file; empty if the file has no such table."""
        found: Mapping[str, Any] = self.data.get(name, {})
        return found

    def provision_words(self, kind: ProvisionKind) -> tuple[str, ...]:
        """Return the words of headings for provisions of `kind`, in lower case, the nominative first; empty if none is known."""
        return tuple(self.section("provisions").get(kind, ()))

    @property
    def section_sign(self) -> str:
        """Return the sign before or after the number of a section, "§"; "" if the statutes of the language use none."""
        return str(self.section("provisions").get("sign", ""))

    @functools.cached_property
    def ordinals(self) -> Mapping[str, int]:
        """Return every known form of first to twentieth, in lower case -> its number: `{"erster": 1, "erste": 1, …}`."""
        forms = self.section("provisions").get("ordinals", ())
        return {word: number for number, words in enumerate(forms, 1) for word in words}

    @functools.cached_property
    def cardinals(self) -> Mapping[str, int]:
        """Return the words for the numbers from one on in headings ("Chapter Two"), in lower case: `{"one": 1, "two": 2, …}`."""
        return {word: number for number, word in enumerate(self.section("provisions").get("cardinals", ()), 1)}

    @functools.cached_property
    def all_ordinals(self) -> Mapping[str, int]:
        """Return `ordinals` and, if the file has the tens, every known form up to ninety-ninth: `{…, "einundzwanzigster": 21, …}`."""
        words = self.section("provisions")
        ordinals = dict(self.ordinals)
        units = words.get("ordinal_units") or words.get("ordinals", ())[:9]
        stems = words.get("ordinal_stems", ())
        for place, forms in enumerate(words.get("ordinal_tens", ())):
            ten = 10 * (place + 1)
            ordinals |= {form: ten for form in forms if form not in ordinals}
            pairs: list[tuple[Sequence[str], Sequence[str], int]] = []
            if units_first := words.get("ordinal_units_first"):  # "einund" + "zwanzigster"
                pairs = [(before, forms, number) for number, before in enumerate(units_first, 1)]
            elif not stems or place < len(stems):  # "vigésimo segundo", "vigesimosegundo"; "twenty-" + "first"
                joined = [f"{form}{sign}" for form in forms for sign in words.get("ordinal_joins", (" ",))]
                pairs = [(stems[place] if stems else joined, unit, number) for number, unit in enumerate(units, 1)]
            for before, after, number in pairs:
                for word in (f"{first}{last}" for first in before for last in after):
                    ordinals.setdefault(word, ten + number)
        return ordinals

    @functools.cached_property
    def spelled_numbers(self) -> Mapping[str, int]:
        """Return `all_ordinals` and `cardinals` without accents, because capitals often have none."""
        return {lower_without_accents(word): number for word, number in {**self.cardinals, **self.all_ordinals}.items()}


def lower_without_accents(text: str) -> str:
    """Return `text` in lower case and without accents: "Část" gives "cast"."""
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


@functools.cache
def language(code: str) -> Language:
    """Return the language of `code`, ISO 639-3 or a tag (`sv`, `en-IN`); a `Language` with empty `data` for a code without a data file.

    Each file is read once.
    """
    three_letters = iso_639_3(code)
    name = data_file(__package__, "codes.toml")["knowledge_of"].get(three_letters, three_letters)
    path = importlib.resources.files(__package__).joinpath(f"{name}.toml")
    if not (three_letters.isalpha() and len(three_letters) == 3 and path.is_file()):
        return Language(three_letters)
    return Language(three_letters, data_file(__package__, path.name))


@functools.cache
def known_languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a data file, sorted."""
    files = importlib.resources.files(__package__).iterdir()
    names = (path.name.removesuffix(".toml") for path in files if path.name.endswith(".toml"))
    return tuple(sorted(name for name in names if name not in _SHARED_FILES))


@functools.cache
def close_languages() -> tuple[Mapping[str, frozenset[str]], ...]:
    """Return groups of languages that a detector confuses: code -> words that distinguish it from the others of its group."""
    groups = data_file(__package__, "close.toml")["groups"]
    return tuple({code: frozenset(words) for code, words in group.items()} for group in groups)


@functools.cache
def letters_of(code: str) -> str | None:
    """Return the letters of the scripts of a language (ISO 639-3), as a class of a regular expression; None for an unknown language."""
    scripts = data_file(__package__, "scripts.toml")
    own = [script["letters"] for script in scripts.values() if code in script["languages"]]
    if not own and code in codes().values():
        own = [scripts["latin"]["letters"]]
    return "".join(own) or None


def iso_639_3(code: str) -> str:
    """Return the ISO 639-3 code of a tag: `swe` for `sv`, `sv-SE` and `swe`, `deu` for `ger`.

    A code that is not in `codes.toml` is returned in lower case without its region.
    """
    primary = code.replace("_", "-").split("-", 1)[0].lower()
    other: Mapping[str, str] = data_file(__package__, "codes.toml")["other_codes"]
    return codes().get(primary) or other.get(primary, primary)


@functools.cache
def codes() -> Mapping[str, str]:
    """Return two-letter codes, as detectors and web sites write them -> ISO 639-3."""
    found: Mapping[str, str] = data_file(__package__, "codes.toml")["iso_639_3"]
    return found
