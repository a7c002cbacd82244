"""Two small laws of our own whose provisions cite each other across some distance. Not here: any test."""

from __future__ import annotations

_FILLER = (
    "Tillsynsmyndigheten ska föra ett register över de fyrar som hör till distriktet och varje år redovisa hur registret har använts, "
    "vilka fyrar som har tillkommit och vilka som har släckts för alltid."
)

#: Long enough that no chunk of any chunker holds both ends.
_BETWEEN = 20


def lighthouses() -> str:
    """§ 22 and § 23 cite § 1 and § 2, which are far away; § 3 cites its neighbour."""
    texts = [
        "En fyrvaktare ska kontrollera linsens renhet före varje skymning och anteckna resultatet i fyrens dagbok.",
        "Den som släcker en fyr utan tillstånd döms för olovlig släckning till böter eller fängelse i högst sex månader.",
        "Vad som sägs i 2 § om olovlig släckning av en fyr gäller även en fyrvaktare som lämnar fyren obevakad.",
        *[f"{_FILLER} Det gäller distrikt {number}." for number in range(_BETWEEN)],
        "En anteckning om linsens renhet som avses i 1 § ska bevaras av fyrvaktaren i tio år efter den skymning som den gäller.",
        "Ett åtal för olovlig släckning enligt 2 § får väckas bara om tillsynsmyndigheten har anmält att fyren släcktes.",
    ]
    return _law("2099:10", "om fyrar", texts)


def harbours() -> str:
    """§ 2 cites the law on lighthouses by its number."""
    texts = [
        "I denna lag avses med hamnlots: en person som leder fartyg in i en hamn.",
        "En hamnlots ska varje kväll rapportera om linsens renhet så som den har kontrollerats enligt 1 § lagen (2099:10) om fyrar.",
        "Hamnavgiften ska betalas innan fartyget lämnar kajen.",
    ]
    return _law("2099:11", "om hamnar", texts)


def _law(number: str, title: str, texts: list[str]) -> str:
    sections = "\n\n".join(f"{index} § {text}" for index, text in enumerate(texts, start=1))
    return f"Lag ({number}) {title}\n\n{sections}\n"
