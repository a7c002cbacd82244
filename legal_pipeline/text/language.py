"""Detects the language of a text, offline, with the model in `py3langid`.

Not here: whether the text is readable at all (broken fonts, noise), which parsers measure and flag.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from legal_pipeline.languages.language import codes

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: Minimum number of letters for an answer: "Bilaga 2" is not a sample.
MINIMUM_LETTERS = 20
#: Minimum probability of an answer.
MINIMUM_CONFIDENCE = 0.6
#: 97 of 100 samples of 40 characters and all of 300 were right for swe, eng, fra, deu, swa; more text only takes more time.
_SAMPLE = 1000
_SAMPLES = 3
#: Languages not in Latin script: the detector returns one of them for a form of capitals and field names.
_OTHER_SCRIPTS = frozenset(
    (
        "am", "ar", "as", "be", "bg", "bn", "el", "fa", "gu", "he", "hi", "hy", "ja", "ka", "kk", "km", "kn", "ko",
        "lo", "mk", "ml", "mn", "mr", "my", "ne", "or", "pa", "ru", "si", "ta", "te", "tg", "th", "uk", "ur", "zh",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """`code` is ISO 639-3 or None if the text gives no basis for an answer; `confidence` is a probability, 0 to 1."""

    code: str | None
    confidence: float


def detect_language(text: str) -> DetectedLanguage:
    """Return the language of most of `text`: samples of 1,000 characters at its beginning, middle and end are read (about 1 ms in all).

    Below `MINIMUM_CONFIDENCE` and with fewer than 20 letters the code is None: a wrong language is worse than none.
    """
    sample = _sample(text)
    if sum(character.isalpha() for character in sample) < MINIMUM_LETTERS:
        return DetectedLanguage(None, 0.0)
    identifier, answers = _identifier()
    code, confidence = identifier.classify(sample)
    confidence = float(confidence)
    if confidence < MINIMUM_CONFIDENCE or (code in _OTHER_SCRIPTS and _is_latin(sample)):
        return DetectedLanguage(None, confidence)
    return DetectedLanguage(answers[code], confidence)


def _is_latin(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return sum(character < "\u0250" for character in letters) * 2 > len(letters)


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE * _SAMPLES:
        return text
    middle = (len(text) - _SAMPLE) // 2
    return "\n".join((text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:]))


@functools.cache
def _identifier() -> tuple[LanguageIdentifier, dict[str, str]]:
    """Return the model (0.6 s, once per process), restricted to the languages in which laws are published."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    known = set(identifier.nb_classes)
    answers = {short: long for short, long in codes().items() if short in known}
    identifier.set_languages(sorted(answers))
    return identifier, answers
