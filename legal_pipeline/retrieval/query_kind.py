"""Whether a query is a question in plain words, or words from the law.

A question describes a case and shares few words with the provision that answers it, so ranks by vector weigh more
(`retrieval.vector_weights`). Not here: what a query cites (`retrieval.citation_query`).
"""

from __future__ import annotations

import functools

from legal_pipeline.languages.language import known_languages, language

#: Minimum words of a question without a question mark: "May 2019" and "must carry" are not questions.
_LEAST_WORDS = 4


def is_question(query: str) -> bool:
    """Whether `query` has a question mark, or enough words and the beginning of a question in any known language."""
    if "?" in query:
        return True
    words = query.split()
    return len(words) >= _LEAST_WORDS and words[0].lower() in _asking_words()


@functools.cache
def _asking_words() -> frozenset[str]:
    return frozenset(word for code in known_languages() for word in language(code).asking_words)
