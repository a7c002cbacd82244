"""One language's knowledge, loaded from `<iso639-3>.toml`, and the codes of languages (`codes.toml`).

Not here: finding out which language a text is in (`text.language`), and what countries that share a language do differently.
"""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
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
        """In English; the code for a language that has no data file."""
        return str(self.data.get("name", self.code))

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of the data file; empty where the language has none."""
        found: Mapping[str, Any] = self.data.get(name, {})
        return found


@functools.cache
def language(code: str) -> Language:
    """`code` is ISO 639-3, as documents carry it, or a tag (`sv`, `en-IN`). Read once."""
    three_letters = iso_639_3(code)
    path = importlib.resources.files(__package__).joinpath(f"{three_letters}.toml")
    if not (three_letters.isalpha() and len(three_letters) == 3 and path.is_file()):
        return Language(three_letters)
    return Language(three_letters, tomllib.loads(path.read_text("utf-8")))


def iso_639_3(code: str) -> str:
    """`sv`, `sv-SE` and `swe` are all `swe`; a code that `codes.toml` lacks stands as it is, without its region."""
    primary = code.replace("_", "-").split("-", 1)[0].lower()
    return codes().get(primary, primary)


@functools.cache
def codes() -> Mapping[str, str]:
    """Two-letter codes (what detectors and web sites write) to ISO 639-3."""
    text = importlib.resources.files(__package__).joinpath("codes.toml").read_text("utf-8")
    found: dict[str, str] = tomllib.loads(text)["iso_639_3"]
    return found
