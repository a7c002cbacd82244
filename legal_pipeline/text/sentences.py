"""Sentences of legal text: nupunkt line by line, with the abbreviations of the language and two rules of legal print.

Not here: grouping sentences (`chunking`), and the language of a text (`text.language`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from legal_pipeline.languages.language import codes, iso_639_3
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.text.alternation import alternation

if TYPE_CHECKING:
    import spacy
    from nupunkt import PunktSentenceTokenizer
    from spacy.tokens import Doc

#: The name under which the sentence component is registered with spaCy.
SPACY_FACTORY = "legal_sentences"

_LINE = re.compile(r"[^\n\r]+")
#: A footnote call follows the full stop of its sentence: `jurisdiction.[2] Argument was heard`.
_FOOTNOTE_CALL = re.compile(r"[.!?][\"'”’)]{0,2}\[(?:\d{1,3}|\*)\](?=\s+[\"“(]?[^\W\d_a-zà-ÿ]|\s*$)")
#: Full stops of other scripts, which nupunkt does not support: Devanagari and Arabic before a space, Chinese and Japanese anywhere.
_OTHER_STOP = re.compile(r"[।॥৷۔؟](?=\s)|[。！？]+[”’」』）]*")
#: The end of a line or text that ends as a sentence or as an item of a list does, in any script.
ENDED = re.compile(r"[.;:!?。；：！？؛؟।॥৷۔][”“\"'’»«)\]]*\s*\Z")
_STOP = re.compile(r"[.!?…।॥৷۔؟。！？]")
_GERMAN_DATE = re.compile(
    r"\D?\d{1,2}\.\s+(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Kapitel|Abschnitt|Senat|Kammer|Strafsenat|Zivilsenat)"
)


def sentence_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Return the sentences of `text` as (start, end) offsets, ascending, without surrounding white space.

    A line end always ends a sentence: canonical text has one block per line. `language` is ISO 639-3 (`swe`), or a BCP 47 tag
    (`sv`, `en-IN`); a language without its own abbreviations is read with nupunkt's English model.
    """
    rules = _rules(iso_639_3(language))
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        offset, content = line.start(), line.group()
        start = 0
        for end in _ends(content, rules):
            piece = content[start:end]
            lead = len(piece) - len(piece.lstrip())
            if lead < len(piece):
                spans.append((offset + start + lead, offset + start + len(piece.rstrip())))
            start = end
    return spans


def spacy_pipeline(language: str) -> spacy.language.Language:
    """Return a blank spaCy pipeline whose `doc.sents` are `sentence_spans`, for users who work with spaCy (extra `spacy`).

    A sentence begins at the first token that begins in its span; a boundary inside a token moves to that token's end.
    """
    import spacy
    from spacy.language import Language

    if not Language.has_factory(SPACY_FACTORY):
        Language.factory(
            SPACY_FACTORY,
            default_config={"language": "eng"},
            assigns=["token.is_sent_start", "doc.sents"],
            func=_spacy_component,
        )
    code = iso_639_3(language)
    two_letters = {long: short for short, long in codes().items()}
    short = two_letters[code] if language_data(code).is_known else "xx"
    try:
        nlp = spacy.blank(short)
    except ImportError:  # spaCy has no tokenizer for it (Maltese, Welsh)
        nlp = spacy.blank("xx")
    nlp.add_pipe(SPACY_FACTORY, config={"language": code})
    return nlp


class SentenceComponent:
    """The spaCy pipe: sets `token.is_sent_start` from `sentence_spans`."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, doc: Doc) -> Doc:
        starts = iter([start for start, _ in sentence_spans(doc.text, self.language)])
        upcoming = next(starts, None)
        for token in doc:
            begins = False
            while upcoming is not None and token.idx >= upcoming:
                begins = True
                upcoming = next(starts, None)
            token.is_sent_start = begins or token.i == 0
        return doc


def _spacy_component(nlp: spacy.language.Language, name: str, language: str) -> SentenceComponent:
    return SentenceComponent(language)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of one language: nupunkt with its abbreviations, then the exceptions that are certain in legal print."""

    tokenizer: PunktSentenceTokenizer
    binding: re.Pattern[str] | None
    final: re.Pattern[str] | None
    capitalised: bool


@functools.cache
def _rules(language: str) -> _Rules:
    """Build the rules (30 ms). nupunkt is loaded for each language: its shared tokenizer would give abbreviations to every caller."""
    from nupunkt.models import load_default_model

    known = language_data(language)
    groups = known.section("abbreviations")
    capitalised = bool(known.data.get("sentences_capitalised"))
    own = {item.lower() for items in groups.values() for item in items}
    tokenizer = load_default_model()
    if capitalised:
        # "det", "sig", "maj", "code" are words here, and in an English model abbreviations.
        for item in tokenizer.abbreviations:
            if len(item) > 1 and "." not in item and item not in own:
                tokenizer.remove_abbreviation(item)
    tokenizer.add_abbreviations(sorted(own))
    binding, final = groups.get("binding", []), groups.get("final", [])
    return _Rules(
        tokenizer=tokenizer,
        binding=re.compile(rf"(?<![^\W_])(?:{alternation(binding)})\.\s*$", re.IGNORECASE) if binding else None,
        final=re.compile(rf"(?<![^\W_])(?:{alternation(final)})\.(?=\s+[^\W\d_a-zà-ÿ])") if final else None,
        capitalised=capitalised,
    )


def _ends(line: str, rules: _Rules) -> list[int]:
    """Return the ends of the sentences of one line; the last end is the line's length."""
    length = len(line)
    if not _STOP.search(line):
        return [length]
    ends = [end for _, end in rules.tokenizer.span_tokenize(line)]
    if len(ends) > 1 and (rules.binding is not None or rules.capitalised):
        ends = [end for end in ends if end >= length or not _bound(line, end, rules)]
    if rules.final is not None:
        # "2 kap. Allmänna krav" and "12 a kap. Avgifter" at a line start are headings.
        added = [match.end() for match in rules.final.finditer(line) if match.start() > 5]
        if added:
            ends = sorted({*ends, *added})
    if "[" in line:
        calls = [match.span() for match in _FOOTNOTE_CALL.finditer(line)]
        if calls:
            kept = [end for end in ends if not any(low < end < high for low, high in calls)]
            ends = sorted({*kept, *(high for _, high in calls)})
    if not line.isascii():
        ends = sorted({*ends, *(match.end() for match in _OTHER_STOP.finditer(line))})
    if not ends or ends[-1] != length:
        ends.append(length)
    return ends


def _bound(line: str, end: int, rules: _Rules) -> bool:
    """Return whether the text after `end` still belongs to the sentence before it."""
    following = line[end : end + 12].lstrip()
    if rules.capitalised and following[:1].islower() and line[end - 1] not in "!?":
        return True
    if rules.binding is not None and rules.binding.search(line, max(0, end - 12), end):
        return True
    return _GERMAN_DATE.match(line, max(0, end - 3)) is not None
