"""Lines before a § that look like its heading but are the last sentence of the § before it (no full stop, or ending in "m.m.").

Moved into the heading of another §, such a sentence is lost from the § to which it belongs.
Not here: recognising headings (`plain_text`, markup).
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
#: After these words a verb belongs to a subordinate clause: "Uppgifter som ska lämnas", "När avgiften ska betalas".
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
    """Whether `text`, which looks like the heading of the next §, is the last sentence of the § whose text before it ends with `before`.

    An amendment mark is at the end of a §: if `text` ends with a mark, it belongs to the §; if `before` ends with a mark, it does not.
    Else it belongs to the § if it is a main clause that refers to provisions, begins like a sentence, or ends in "m.m.".
    """
    if trailing_amendments(text)[0] < len(text):
        return True
    return _is_main_clause(text, before) and (
        _REFERS.search(text) is not None or _BEGINS_A_SENTENCE.match(_bare(text)) is not None or text.endswith("m.m.")
    )


def may_be_last_sentence(text: str, before: str) -> bool:
    """Whether a heading reads as a main clause and may belong to the § before it; the document then requires manual review."""
    return _is_main_clause(text, before) and not _ENDS_WITH_ITS_VERB.search(text)


def _is_main_clause(text: str, before: str) -> bool:
    if text.endswith("?") or trailing_amendments(before)[0] < len(before):
        return False
    bare = _bare(text)
    verb = _FINITE.search(bare)
    return verb is not None and _SUBORDINATE.search(bare, 0, verb.start()) is None


def _bare(text: str) -> str:
    return text[leading_marks(text)[1] :]
