"""An Act of our own, of sixty sections or fewer, for tests of what an amendment rebuilds. Not here: fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

CHAPTERS = ("Inledande bestämmelser", "Tillstånd", "Bemanning", "Underhåll", "Tillsyn", "Avgifter")
DUTIES = (
    "Fyrmästaren ska föra dagbok över {topic} och lämna den till Fyrnämnden inom trettio dagar.",
    "Den som äger fyren får inte släcka lyktan utan medgivande av Fyrnämnden i frågor om {topic}.",
    "Fyrnämnden får meddela beslut om {topic} efter ansökan av den som äger fyren.",
    "Ett beslut om {topic} ska vara skriftligt och innehålla de skäl som har bestämt utgången.",
    "Med {topic} avses i denna lag de åtgärder som behövs för fyrens säkra drift.",
    "Den som med uppsåt bryter mot bestämmelserna om {topic} döms till böter.",
    "Länsstyrelsen ska varje år granska hur reglerna om {topic} följs på fyrplatserna.",
    "Om {topic} kräver det, ska fyrplatsen stängas för besökare under högst två veckor.",
    "Fyrnämndens beslut om {topic} får överklagas hos allmän förvaltningsdomstol.",
    "Regeringen får meddela föreskrifter om undantag från bestämmelserna om {topic}.",
)


def act(changes: Mapping[tuple[int, int], str] = {}, *, number: str = "2099:20", chapters: int = 6) -> str:
    """Chapters of ten §§; `changes` replace the text of single ones by (chapter, §). Acts of different numbers differ in every §."""
    own = "" if number == "2099:20" else f" enligt lag {number}"

    def lines() -> Iterator[str]:
        yield f"Lag ({number}) om fyrplatser{own}"
        for chapter, heading in enumerate(CHAPTERS[:chapters], start=1):
            yield f"{chapter} kap. {heading}"
            for section, text in enumerate(DUTIES, start=1):
                topic = f"{heading.lower()} på plats {section}{own}"
                yield f"{section} § {changes.get((chapter, section), text.format(topic=topic))}"

    return "\n\n".join(lines()) + "\n"
