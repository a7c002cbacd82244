"""The two protocols of embedding servers: OpenAI's `/v1/embeddings` and `/embed` of Hugging Face's text-embeddings-inference (TEI).

Each builds the request body and reads the response: `vectors` returns (texts, dimension), in the order in which the texts were sent, and
raises BadAnswerError unless there is one vector per text. `url` is the address for texts; `most_texts` the maximum number of texts per
request, None if the server does not report it. Not here: sending (`http_backend`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Indices that an error names.
_NAMED = 5


class BadAnswerError(Exception):
    """An answer that is not embeddings of the texts that were sent."""


class OpenAi:
    """OpenAI's protocol: each vector has the index of its text; the order is free."""

    label = "openai"
    most_texts: int | None = None

    def __init__(self, url: str, model: str) -> None:
        self.url = url
        self._model = model

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"model": self._model, "input": list(texts), "encoding_format": "float"}

    def vectors(self, answer: Any, texts: int) -> NDArray[np.float32]:
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            raise BadAnswerError("it holds no list `data`")
        given = Counter(str(item.get("index")) for item in data)
        if given != (expected := Counter(map(str, range(texts)))):
            missing, further = (
                ", ".join([*difference][:_NAMED]) for difference in (expected - given, given - expected)
            )
            raise BadAnswerError(
                f"it has {len(data)} vectors for {texts} texts"
                + (f"; no vector has the index {missing}" if missing else "")
                + (f"; the index {further} is repeated or not expected" if further else "")
            )
        return _matrix([item.get("embedding") for item in sorted(data, key=lambda item: int(item["index"]))])


class Tei:
    """TEI's protocol: vectors are in the order of their texts. A text that is too long is refused, not cut."""

    label = "tei"

    def __init__(self, url: str, most_texts: int | None) -> None:
        self.url = url
        self.most_texts = most_texts

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"inputs": list(texts), "normalize": True, "truncate": False}

    def vectors(self, answer: Any, texts: int) -> NDArray[np.float32]:
        if not isinstance(answer, list) or len(answer) != texts:
            raise BadAnswerError(
                f"it has {len(answer) if isinstance(answer, list) else 'no'} vectors for {texts} texts"
            )
        return _matrix(answer)


def _matrix(rows: Sequence[Any]) -> NDArray[np.float32]:
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise BadAnswerError("its vectors are not lists of one length")
    try:
        matrix = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise BadAnswerError("its vectors are not all numbers") from error
    if not np.isfinite(matrix).all():
        raise BadAnswerError("its vectors are not all finite")
    return matrix
