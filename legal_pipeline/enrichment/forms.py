"""Describe a provision without a language model: the cues in its sentences, and the words of its prefix and questions.

The words come from the language's data (section `forms`) and `forms.toml`.
Not here: the enricher (`enrichment.extractive`), and the choice of central sentences (`enrichment.centroid`).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.enrichment.centroid import first_words
from legal_pipeline.enrichment.enricher import Passage
from legal_pipeline.enrichment.validation import PREFIX_TOKENS, QUESTIONS_PER_CHUNK
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.sentences import sentence_spans
from legal_pipeline.text.tokens import count_tokens

#: Sentences of a passage that are searched for cues: the later sentences of a long passage are rarely its topic.
_SENTENCES = 40
#: Maximum characters of a pattern's group; a longer group is cut between words.
_GROUP_CHARS = 100
_SEPARATOR = " > "


@dataclass(frozen=True)
class Cue:
    """A function of provisions (for example a definition). A sentence matches by any of `patterns`; its groups fill the `questions`."""

    kind: str
    patterns: tuple[re.Pattern[str], ...]
    questions: tuple[str, ...]


@dataclass(frozen=True)
class Forms:
    """The forms and cues of one language."""

    place: str
    place_flat: str
    says: str
    joint: str
    lead: str
    questions: tuple[str, ...]
    states: str
    cues: tuple[Cue, ...]
    enumerator: re.Pattern[str]


@functools.cache
def forms_for(language: str) -> Forms:
    """Return the forms of `language` (ISO 639-3 or a tag); for a language without forms, the forms that need no words."""
    data = data_file(__package__, "forms.toml")
    own = language_data(language).section("forms") or data["without_words"]
    return Forms(
        place=own["place"],
        place_flat=own["place_flat"],
        says=own["says"],
        joint=own.get("and", ", "),
        lead=own["lead"],
        questions=tuple(own["questions"]),
        states=own["states"],
        cues=tuple(
            Cue(
                cue["kind"],
                tuple(re.compile(item.replace("{subject}", own.get("subject", ""))) for item in cue["patterns"]),
                tuple(cue["questions"]),
            )
            for cue in own["cues"]
        ),
        enumerator=re.compile(data["enumerator"]),
    )


def prefix(passage: Passage, title: str, language: str) -> str:
    """Return the provision's place, its functions and its beginning, in at most 100 tokens; fewer than 50 only if it has no more words.

    Made only from the passage and its ancestors' headings: an edit elsewhere in the document does not change it.
    """
    forms = forms_for(language)
    low, high = PREFIX_TOKENS
    sentences = _sentences(passage.text, language, forms.enumerator)
    kinds = list(dict.fromkeys(cue.kind for cue, _ in _found(sentences, forms)))[:3]
    provision, own = _provision(passage, title)
    headings = ", ".join(dict.fromkeys(heading for heading in (*passage.headings[-2:], own) if heading))
    place = forms.place if headings else forms.place_flat
    parts = [place.format(provision=provision, title=title, headings=headings)]
    sentences = [sentence for sentence in sentences if sentence not in (own, *passage.headings)]
    if kinds:
        parts.append(forms.says.format(kinds=_listed(kinds, forms.joint)))
    said = _capped(" ".join(parts), high)
    room = high - count_tokens(said) - count_tokens(forms.lead)
    if room <= 5 or not sentences:
        return said
    return _capped(f"{said} {forms.lead.format(lead=_lead(sentences, min(room, low)))}".strip(), high)


def questions(passage: Passage, title: str, language: str) -> tuple[str, ...]:
    """Return three to five different questions that the passage answers: first those of its cues, then those of its headings."""
    forms = forms_for(language)
    low, high = QUESTIONS_PER_CHUNK
    sentences = _sentences(passage.text, language, forms.enumerator)
    provision, own = _provision(passage, title)
    values = {"title": title, "provision": provision}
    if topic := _topic(own or (passage.headings[-1] if passage.headings else "")):
        values["topic"] = topic
    by_cue: list[list[str]] = []
    for cue, groups in _found(sentences, forms):
        filled = [_filled(form, {**values, **groups}) for form in cue.questions]
        by_cue.append([question for question in filled if question])
    # one question of every cue before the second question of any cue
    asked = [row[depth] for depth in range(max(map(len, by_cue), default=0)) for row in by_cue if depth < len(row)]
    general = [question for form in forms.questions if (question := _filled(form, values))]
    chosen = list(dict.fromkeys(asked))[: high - 1]
    said = [sentence for sentence in sentences if sentence not in (own, *passage.headings)][:low]
    stated = [forms.states.format(sentence=_spoken(sentence.rstrip(".;:"), "sentence")) for sentence in said]
    # a question with the passage's own words comes before a question with its number
    further = [*general[: 1 if topic else 0], *stated[:1], *general[1 if topic else 0 :], *stated[1:]]
    for question in dict.fromkeys(further):
        if len(chosen) >= max(low, min(high, len(asked) + 1)):
            break
        if question not in chosen:
            chosen.append(question)
    return tuple(chosen)


def _found(sentences: Sequence[str], forms: Forms) -> list[tuple[Cue, dict[str, str]]]:
    """Return (cue, groups of its pattern) for every sentence that matches, in order of the cues; at most two sentences per cue."""
    out = []
    for cue in forms.cues:
        matches = (next(filter(None, (form.search(sentence) for form in cue.patterns)), None) for sentence in sentences)
        for match in itertools.islice(filter(None, matches), 2):
            said = {name: value for name, value in match.groupdict().items() if value and value.strip()}
            out.append((cue, {name: _spoken(value, name) for name, value in said.items()}))
    return out


def _sentences(text: str, language: str, enumerator: re.Pattern[str]) -> list[str]:
    """Return the first sentences without the numbers before them; lines of one or two words and rows of a table are left out."""
    found = (enumerator.sub("", text[start:end]).strip() for start, end in sentence_spans(text[:20_000], language))
    said = (sentence for sentence in found if len(sentence.split()) > 2 and " | " not in sentence)
    return list(itertools.islice(said, _SENTENCES))


def _provision(passage: Passage, title: str) -> tuple[str, str]:
    """Return (`Section 12A`, `Dismissal`): the last step of the header and its heading; the path of a chunk whose header has no steps."""
    steps = passage.header.split(_SEPARATOR)
    name, _, heading = (steps[-1] if len(steps) > 1 else passage.path or title).partition(": ")
    return name, heading


def _topic(heading: str) -> str:
    """Return a heading as it is written within a sentence; empty if there is none."""
    topic = _shortened(" ".join(heading.split()).rstrip(" .:–—-"), _GROUP_CHARS)
    # a heading in capitals is printed so for emphasis; the words are not spelled in capitals
    return topic.lower() if topic.isupper() else _decapitalised(topic) if topic else ""


def _spoken(value: str, name: str) -> str:
    value = " ".join(value.split()).strip(" ,.")
    return _shortened(value if name == "term" else _decapitalised(value), _GROUP_CHARS)


def _decapitalised(text: str) -> str:
    """Return `text` with a small first letter, unless the first word appears to be a name or an abbreviation."""
    first, _, rest = text.partition(" ")
    following = rest.split(" ", 1)[0] if rest else ""
    if not first[1:].islower() and len(first) > 1:
        return text
    return text if following[:1].isupper() else first[:1].lower() + text[1:]


def _filled(form: str, values: Mapping[str, str]) -> str:
    try:
        return form.format(**values)
    except KeyError:
        return ""


def _lead(sentences: Sequence[str], tokens: int) -> str:
    """Return the first sentences, at most `tokens` tokens; a longer first sentence is cut between words."""
    taken = ""
    for sentence in sentences:
        # a heading has no full stop, and a list item continues the sentence before it
        joint = ". " if taken and taken[-1] not in ".,;:!?" and sentence[:1].isupper() else " "
        joined = f"{taken}{joint}{sentence}".strip()
        if count_tokens(joined) > tokens:
            return taken or _capped(sentence, tokens)
        taken = joined
    return taken


def _capped(text: str, tokens: int) -> str:
    if len(text.encode()) <= tokens or count_tokens(text) <= tokens:
        return text
    return first_words(text, tokens, " …", least=1).rstrip(" ,;:–—-") + " …"


def _shortened(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    return text[:characters].rsplit(" ", 1)[0].rstrip(" ,;:–—-") + " …"


def _listed(kinds: Sequence[str], joint: str) -> str:
    return joint.join([", ".join(kinds[:-1]), kinds[-1]]) if len(kinds) > 1 else kinds[0]
