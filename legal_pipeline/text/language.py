"""Detects the language of a text, offline, with the model in `py3langid` and words that tell close languages apart.

Not here: whether the text is readable at all (broken fonts, noise), which parsers measure and flag.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from legal_pipeline.languages.language import close_languages, codes, letters_of

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: Minimum number of letters for an answer: "Bilaga 2" is not a sample.
MINIMUM_LETTERS = 20
#: Minimum probability of an answer.
MINIMUM_CONFIDENCE = 0.6
#: 97 of 100 samples of 40 characters and all of 300 were right for swe, eng, fra, deu, swa; more text only takes more time.
_SAMPLE = 400
#: Number of samples of a long text, spread evenly, and the length in characters from which on a text has several.
_SAMPLES, _LONG = 9, 3000
#: Minimum number of samples in the language of the beginning, and in another language that a text also has.
_OWN, _ALSO = 2, 3
#: Share of the letters that are capitals in a text of capitals: the model knows few words in capitals.
_CAPITALS = 0.6
#: A text with fewer letters per word has its letters apart ("C O D E"), which the model takes for Welsh or Albanian.
_WORD_LETTERS = 2.0
#: Minimum number of words that tell a language from a close one, and how many times as many as the other language has.
_TELLING, _TIMES = 2, 2
#: From this probability on, the answer of the model is sure; number of words of another language that tell against it.
_SURE, _MANY = 0.9, 4
#: Number of characters in which the letters of a script are counted, minimum number of letters, and minimum share of those of a script.
_COUNTED, _FEWEST_LETTERS, _OF_SCRIPT = 50_000, 100, 0.1
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: Languages not in Latin script: the detector returns one of them for a form of capitals and field names.
_OTHER_SCRIPTS = frozenset(
    (
        "am", "ar", "as", "be", "bg", "bn", "el", "fa", "gu", "he", "hi", "hy", "ja", "ka", "kk", "km", "kn", "ko",
        "lo", "mk", "ml", "mn", "mr", "my", "ne", "or", "pa", "ru", "si", "ta", "te", "tg", "th", "uk", "ur", "zh",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """`code` is ISO 639-3 or None if the text gives no basis for an answer; `confidence` is a probability, 0 to 1.

    `others` are the languages of large parts of a long text in addition to its own, the most frequent first.
    """

    code: str | None
    confidence: float
    others: tuple[str, ...] = ()


def detect_language(text: str) -> DetectedLanguage:
    """Return the language of `text`; of a long text, nine samples of 400 characters are read (about 2 ms in all).

    A law may quote more of other languages than it has in its own, which is that of its beginning, if two samples have it; three
    samples make another language a large part. Below `MINIMUM_CONFIDENCE` and with fewer than 20 letters the code is None: a wrong
    language is worse than none.
    """
    samples = _samples(text)
    if len(samples) == 1:
        return _detect(samples[0])
    found = [detected for sample in samples if (detected := _detect(sample)).code is not None]
    # in the order of the text, which decides between equal numbers
    votes = Counter(detected.code for detected in found)
    if not votes:
        return _detect("\n".join(samples))
    first = found[0].code
    code = first if votes[first] >= _OWN else votes.most_common(1)[0][0]
    others = tuple(other for other, count in votes.most_common() if other and other != code and count >= _ALSO)
    confidence = sum(detected.confidence for detected in found if detected.code == code) / votes[code]
    return DetectedLanguage(code, confidence, others)


def may_be_in(text: str, code: str) -> bool:
    """Whether `text` may be in the language `code` (ISO 639-3) by its letters: a tenth of them belong to a script of the language. True for
    a short text, and for a language whose script is not known."""
    own, sample = letters_of(code), text[:_COUNTED]
    total = len(_LETTER.findall(sample))
    if own is None or total < _FEWEST_LETTERS:
        return True
    return len(re.findall(rf"(?=[^\W\d_])[{own}]", sample)) >= _OF_SCRIPT * total


def _detect(text: str) -> DetectedLanguage:
    letters = [character for character in text if character.isalpha()]
    words = _WORD.findall(text)
    if len(letters) < MINIMUM_LETTERS or (_is_latin(letters) and len(letters) < _WORD_LETTERS * len(words)):
        return DetectedLanguage(None, 0.0)
    if sum(map(str.isupper, letters)) > _CAPITALS * len(letters):
        text, words = text.lower(), [word.lower() for word in words]
    identifier, answers = _identifier()
    ranked = [(answers[code], float(probability)) for code, probability in identifier.rank(text)]
    code, confidence = ranked[0]
    if told := _told_apart(code, words, confidence):
        code, confidence = told, sum(probability for other, probability in ranked if other in (code, *_group(code)))
    if confidence < MINIMUM_CONFIDENCE or (_is_other_script(code) and _is_latin(letters)):
        return DetectedLanguage(None, confidence)
    return DetectedLanguage(code, confidence)


def _group(code: str) -> Mapping[str, frozenset[str]]:
    """Return the telling words of the languages that are close to `code`, by their codes; empty if there are none."""
    return next((group for group in close_languages() if code in group), {})


def _told_apart(code: str, words: list[str], confidence: float) -> str | None:
    """Return the language of the group of `code` that the words tell, None if they do not; against a sure answer, only all of many words
    tell it."""
    group = _group(code)
    if not group:
        return None
    counts = Counter(word.lower() for word in words)
    best = max(group, key=lambda other: sum(counts[word] for word in group[other]))
    if confidence >= _SURE and (best == code or any(counts[word] for word in group[code])):
        return None
    least = _TELLING if confidence < _SURE else _MANY
    is_told = all(
        sum(counts[word] for word in group[best] - telling)
        >= max(least, _TIMES * sum(counts[word] for word in telling - group[best]))
        for other, telling in group.items()
        if other != best
    )
    return best if is_told else None


def _is_latin(letters: list[str]) -> bool:
    return sum(character < "\u0250" for character in letters) * 2 > len(letters)


@functools.cache
def _is_other_script(code: str) -> bool:
    return any(codes().get(short) == code for short in _OTHER_SCRIPTS)


def _samples(text: str) -> list[str]:
    if len(text) <= _LONG:
        return [text]
    step = (len(text) - _SAMPLE) / (_SAMPLES - 1)
    return [text[int(number * step) : int(number * step) + _SAMPLE] for number in range(_SAMPLES)]


@functools.cache
def _identifier() -> tuple[LanguageIdentifier, dict[str, str]]:
    """Return the model (0.6 s, once per process), restricted to the languages in which laws are published."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    known = set(identifier.nb_classes)
    answers = {short: long for short, long in codes().items() if short in known}
    identifier.set_languages(sorted(answers))
    return identifier, answers
