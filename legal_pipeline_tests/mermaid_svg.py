"""Mermaid diagrams of the documentation as SVG, so that the site needs no script from elsewhere (`mkdocs.yml` names `fence`).

Not here: what the diagrams show.
"""

from __future__ import annotations

import hashlib
import re

import mmdr


def fence(source: str, *_: object, **__: object) -> str:
    """A `mermaid` block of a page as an SVG element. Its id is of its content: two diagrams of a page share no styles."""
    name = f"diagram-{hashlib.sha256(source.encode()).hexdigest()[:12]}"
    svg = re.sub(r"\bmerman\b", name, mmdr.render(source).svg())
    return f"<p>{svg}</p>"
