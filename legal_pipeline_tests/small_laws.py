"""Small Swedish laws of our own, and a file that is none."""

from __future__ import annotations

from pathlib import Path

_LAW = """SFS nr: 2024:{number}
Departement/myndighet: Landsbygdsdepartementet
Utfärdad: 2024-03-07
Rubrik: Lag (2024:{number}) om skötsel av enskild väg {number}

1 § Denna lag gäller skötsel av enskild väg {number}. Lagen gäller inte
broar.

2 § Vägföreningen ska hålla vägen framkomlig under hela året.
{addition}
3 § Regeringen får meddela föreskrifter om snöröjning.

Övergångsbestämmelser

2024:{number}

Denna lag träder i kraft den 1 juli 2024.
"""


def write_law(folder: Path, number: int, addition: str = "") -> Path:
    """A law with three §§, whose id is `se-sfs-2024-<number>`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"lag-{number:03}.txt"
    path.write_text(_LAW.format(number=number, addition=addition), encoding="utf-8")
    return path


def write_bad(folder: Path, name: str = "trasig.html") -> Path:
    """A picture that calls itself a page."""
    path = folder / name
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    return path
