"""Summarise a text without a language model: select the sentences nearest to its centroid.

Words are weighted by frequency and by rarity among the sentences; the centroid is the sum of the sentence vectors. Sentences are chosen by
their cosine to it, reduced for what the chosen sentences repeat (Radev et al. 2004, "Centroid-based summarization"; Carbonell and Goldstein
1998 for the repetition). Deterministic: the earlier sentence wins a tie. Not here: the choice of texts to summarise (`enrichment.raptor`).
"""

from __future__ import annotations

import bisect
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.tokens import count_tokens

_WORD = re.compile(r"[^\W\d_]{3,}")
#: Weight of a sentence's highest similarity to a chosen sentence, subtracted from its score.
_REPETITION = 0.5
#: Number of best sentences that are tried for the budget; the sentences after them are far from the centroid.
_TRIED = 60
#: Sentences of fewer words are headings and list fragments.
_MIN_WORDS = 5
_STOPS = frozenset(".!?।॥৷۔")

_Weights = dict[str, float]


def central_sentences(texts: Sequence[str], language: str, budget_tokens: int, enumerator: re.Pattern[str]) -> str:
    """Return the most central sentences of `texts`, in text order, joined by a space; at most `budget_tokens` tokens.

    Matches of `enumerator` are removed: "1 §" has no meaning without its chapter. Rows of tables are not sentences. If no sentence has
    five words, the result is the beginning of the texts.
    """
    found = (text[start:end] for text in texts for start, end in sentence_spans(text, language))
    plain = (enumerator.sub("", sentence) for sentence in found)
    long = [sentence for sentence in plain if " | " not in sentence and len(sentence.split()) >= _MIN_WORDS]
    # list items and text after a line break within a sentence mean little without the words before them
    sentences = [
        sentence for sentence in long if sentence.rstrip('"”’»)]')[-1:] in _STOPS and not sentence[:1].islower()
    ] or long
    if not sentences:
        return first_words(" ".join(" ".join(texts).split()), budget_tokens)
    vectors = _vectors(sentences)
    centroid: _Weights = {}
    for vector in vectors:
        for word, weight in vector.items():
            centroid[word] = centroid.get(word, 0.0) + weight
    length = math.sqrt(math.fsum(weight * weight for weight in centroid.values())) or 1.0
    centroid = {word: weight / length for word, weight in centroid.items()}
    near = [_cosine(vector, centroid) for vector in vectors]
    order = sorted(range(len(sentences)), key=lambda index: (-near[index], index))[:_TRIED]
    chosen = _choose(order, near, vectors, sentences, budget_tokens)
    if not chosen:
        return first_words(sentences[order[0]], budget_tokens)
    return " ".join(sentences[index] for index in sorted(chosen))


def _choose(
    order: Sequence[int], near: Sequence[float], vectors: Sequence[_Weights], sentences: Sequence[str], budget: int
) -> list[int]:
    left = dict.fromkeys(order)
    overlap = dict.fromkeys(order, 0.0)
    chosen: list[int] = []
    while left:
        best = max(left, key=lambda index: (near[index] - _REPETITION * overlap[index], -index))
        del left[best]
        tokens = count_tokens(sentences[best]) + 1
        if tokens > budget:
            continue
        budget -= tokens
        chosen.append(best)
        for index in left:
            overlap[index] = max(overlap[index], _cosine(vectors[index], vectors[best]))
    return chosen


def _vectors(sentences: Sequence[str]) -> list[_Weights]:
    """Return the TF-IDF vector of every sentence, unit length; `{}` for a sentence without words."""
    counts = [Counter(word.lower() for word in _WORD.findall(sentence)) for sentence in sentences]
    frequency: Counter[str] = Counter()
    for row in counts:
        frequency.update(row.keys())
    total = len(sentences)
    vectors = []
    for row in counts:
        vector = {word: (1 + math.log(number)) * math.log(1 + total / frequency[word]) for word, number in row.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in vector.values()))
        vectors.append({word: weight / length for word, weight in vector.items()} if length else {})
    return vectors


def _cosine(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return the cosine of two vectors of unit length."""
    if len(first) > len(second):
        first, second = second, first
    return math.fsum(weight * second[word] for word, weight in first.items() if word in second)


def first_words(text: str, budget: int, ending: str = "", *, least: int = 0) -> str:
    """Return as many words from the beginning of `text` as have, with `ending`, at most `budget` tokens; `least` words in any case."""
    words = text.split(" ")
    numbers = range(1, len(words) + 1)
    fitting = bisect.bisect(numbers, budget, key=lambda number: count_tokens(" ".join(words[:number]) + ending))
    return " ".join(words[: max(fitting, least)])
