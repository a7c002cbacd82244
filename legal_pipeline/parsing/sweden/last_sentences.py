"""Lines before a § that look like its heading and are the last words of the § before: a sentence without a full stop, one ending in "m.m.".

Law that moves into the heading of another § is lost where it applies. Not here: what looks like a heading (`plain_text`, markup).
"""

from __future__ import annotations

import re

from legal_pipeline.parsing.sweden.marks import leading_marks, trailing_amendments

_FINITE = re.compile(
    r"\b(?:finns|framgår|gäller|ska|skall|får|kan|upphävs|upphör|träder|anges|har|är|avses|tillämpas|anses|omfattar|omfattas|innebär|räknas|"
    r"meddelas|meddelar|lämnas|beslutar|prövar|bestämmer|prövas|måste|bör|blir|utgör|betalas|sker|krävs|fattas|överklagas|beslutas|behöver|"
    r"likställs|undantas|avser|regleras|ansvarar|utses|svarar)\b"
)
_ENDS_WITH_ITS_VERB = re.compile(rf"{_FINITE.pattern}\W*$")
#: Behind these a verb is not the sentence's own: "Uppgifter som ska lämnas", "När avgiften ska betalas".
_SUBORDINATE = re.compile(
    r"\b(?:som|om|när|att|hur|vad|vilka|vilken|vilket|vem|vilkas|där|då|innan|sedan|eftersom|vars)\b", re.IGNORECASE
)
_REFERS = re.compile(
    r"\b(?:första|andra|tredje|fjärde|femte) (?:och \w+ )?(?:stycket|styckena|punkten|meningen)\b|\d §|\bdetta kapitel\b|\(\d{4}:\d+\)"
    r"|\bdenna (?:lag|förordning|paragraf|balk)\b"
)
_BEGINS_A_SENTENCE = re.compile(
    r"(?:Lagen|Förordningen|Balken|Detta|Dessa|Detsamma|Denna \w+|Paragrafen|Kapitlet|Bestämmelsen|Bestämmelserna|Regeringen|Den|Det|De|"
    r"Han|Hon|I fråga om)\b"
)


def is_last_sentence(text: str, before: str) -> bool:
    """Whether `text`, the last block of a § whose text before it ends with `before`, belongs to the § and is not a heading of the next §.

    It does where it ends with an amendment mark, which stands at the end of a §. Where `before` ends with one, the § is over. Else it
    does where it is a main clause that says what only a provision says: it refers, begins as a sentence, or ends in "m.m.".
    """
    if trailing_amendments(text)[0] < len(text):
        return True
    return _is_main_clause(text, before) and (
        _REFERS.search(text) is not None or _BEGINS_A_SENTENCE.match(_bare(text)) is not None or text.endswith("m.m.")
    )


def may_be_last_sentence(text: str, before: str) -> bool:
    """Whether a heading reads as a main clause and nothing says that the § before it is over: it requires manual review."""
    return _is_main_clause(text, before) and not _ENDS_WITH_ITS_VERB.search(text)


def _is_main_clause(text: str, before: str) -> bool:
    if text.endswith("?") or trailing_amendments(before)[0] < len(before):
        return False
    bare = _bare(text)
    verb = _FINITE.search(bare)
    return verb is not None and _SUBORDINATE.search(bare, 0, verb.start()) is None


def _bare(text: str) -> str:
    return text[leading_marks(text)[1] :]
