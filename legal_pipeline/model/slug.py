"""Text as a name in `[a-z0-9.-]`: a segment of a document id or of a work URI.

Not here: composing ids and URIs (`model.identity`, `citations`).
"""

from __future__ import annotations

import re
import unicodedata

_NOT_SLUG = re.compile(r"[^a-z0-9.]+")
#: Letters that NFKD does not decompose.
_FOLD = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"})


def slug(text: str) -> str:
    """Return `text` in lower case with accents folded and all other characters as a hyphen.

    >>> slug("Þjóð"), slug("2 kap. 3 §")
    ('thjod', '2-kap.-3')
    """
    if text.isascii() and text.isalnum():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.lower().translate(_FOLD)).encode("ascii", "ignore").decode("ascii")
    return _NOT_SLUG.sub("-", folded).strip("-.")
