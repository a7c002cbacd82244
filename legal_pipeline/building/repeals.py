"""Provisions whose whole text says that they were repealed: "§ 4 (aufgehoben)", "12 § on kumottu L:lla 21.4.2023/752".

The words are in the data of the languages (`[repealed]`): `words` are patterns of what says so, `by` the words with which the sentence
goes on to name the act or the day. Not here: notes about single acts (`building.amendment_notes`), and what mark-up states (the readers).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from legal_pipeline.building.amendment_notes import own_provisions
from legal_pipeline.languages.language import ProvisionKind, known_languages, language
from legal_pipeline.model.document import Document, Node
from legal_pipeline.text.alternation import alternation

#: Maximum number of characters of a provision that only says that it was repealed.
_LONGEST = 400
#: A further sentence would be law: "Repealed by Act 5 of 2031. Fees that are due remain payable."
_ONE_SENTENCE = r"(?:(?!\.\s+[^\W\d_a-z]\w*[a-z]{3}).){1,300}"


def state_repeals(document: Document) -> None:
    """Set the status of the provisions of `document` that contain only words of repeal."""
    form = _form(document.language)
    if form is None:
        return
    for node in own_provisions(document.nodes):
        if node.status == "in_force" and node.end - node.start <= _LONGEST and form.fullmatch(_said(document, node)):
            node.status = "repealed"


def is_repeal(note: str, codes: Sequence[str] | None = None) -> bool:
    """Whether `note` says that something was repealed, and nothing else: "(Repealed by Act 5 of 2031)", in one of the languages `codes`
    (ISO 639-3), in any language without them."""
    forms = map(_form, known_languages() if codes is None else codes)
    return any(form is not None and form.fullmatch(note) for form in forms)


def _said(document: Document, node: Node) -> str:
    """Return the text of `node` behind its number and its heading; the heading where no text follows."""
    text = document.text_of(node)
    if node.num:
        # "Art. 4º", "Art. 4º-A": the number has no mark of an ordinal
        printed = re.sub(r"\d(?!\d)", r"\g<0>[ºª°]?", re.escape(node.num))
        number = re.match(rf"\W*(?:\w+\W{{1,3}})?{printed}(?!\w)", text)
        text = text[number.end() :] if number else text
        if number and (word := _word_of_provision(document.language).match(text)):  # "3 straipsnis. Neteko galios"
            text = text[word.end() :]
    at = text.find(node.heading) if node.heading else -1
    behind = text[at + len(node.heading or "") :] if at >= 0 else text
    return behind if re.search(r"\w", behind) else text


@functools.cache
def _word_of_provision(code: str) -> re.Pattern[str]:
    kinds: tuple[ProvisionKind, ...] = ("article", "section")
    words = [word for kind in kinds for word in language(code).provision_words(kind)]
    return re.compile(rf"\s?(?i:{alternation(words) or '(?!)'})(?!\w)")


@functools.cache
def _form(code: str) -> re.Pattern[str] | None:
    data = language(code).section("repealed")
    if not data:
        return None
    words, by = "|".join(data["words"]), alternation(data["by"])
    return re.compile(rf"\W*(?i:{words})(?:\W*|\W{{1,4}}(?i:{by})(?!\w){_ONE_SENTENCE})", re.DOTALL)
