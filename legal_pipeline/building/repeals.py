"""Provisions whose whole text says that they were repealed: "§ 4 (aufgehoben)", "12 § on kumottu L:lla 21.4.2023/752".

The words are in the data of the languages (`[repealed]`, see `languages.language`). Not here: the forms of such notes
(`building.repeal_notes`), notes about single acts (`building.amendment_notes`), and what mark-up states (the readers).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.building.amendment_notes import own_provisions
from legal_pipeline.building.repeal_notes import NoteForm, note_form
from legal_pipeline.languages.language import ProvisionKind, known_languages, language
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.numbering.numerals import HAN_SIGNS
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.markup import LOWERED, RAISED, raised_figure
from legal_pipeline.text.normalise import ascii_figures

#: Maximum number of characters of a provision that only says that it was repealed: the note, and notes on its earlier amendments.
_LONGEST = 800
#: Maximum number of characters of a line that says of another place that a provision was repealed.
_LONGEST_NOTE = 2_000
_NOTES = frozenset({"footnote", "remark"})
_ASIDES = _NOTES | {"running_header", "running_footer", "page_number"}
_DIVISIONS = frozenset({*STRUCTURE, "schedule"})
#: The number of a part of a provision at the beginning of a line: "(3)", "§ 1º", "II -", "b)".
_PART = re.compile(r"\A\W{0,4}§?\s?(?:\d{1,3}[ºª°]?\w?|[a-z]{1,2}|[IVXLC]{1,5})\s?[.)\]ºª°–—-]+\s*")
#: A note in brackets at the end of a line.
_LAST_NOTE = re.compile(r"[(\[{][^()\[\]{}]{3,300}[)\]}]\W*\Z")
#: "(repealed)" behind the number.
_CLOSING = frozenset(")]）")
_REMARK = re.compile(r"\W*?[(\[（][^()\[\]（）]{3,100}[)\]）]\W*")
#: "F12 S. 5 repealed by", "F12S. 5 repealed by", "⁴ Repealed by": the mark of a note.
_MARK_OF_NOTE = re.compile(
    rf"\A\W{{0,2}}(?:(?:[A-Z]{{0,2}}\d{{1,3}}|[{RAISED}]{{1,3}})\W{{0,2}}\s|[A-Z]\d{{1,4}})(?=[^\W\d])"
)
#: The number of a footnote before its text.
_NOTE_NUMBER = re.compile(rf"\A\W{{0,2}}[\d{RAISED}]{{1,3}}\W{{1,3}}(?=[^\W\d])")
#: The mark of a note, of which a publisher leaves nothing else: "Art. 6 * …", "5 [3]", "5. §1", "5. §⁴".
_MARK = re.compile(rf"\[\d{{1,3}}\]|\(\d{{1,3}}\)|(?<!\d)\d{{1,3}}\)|\A\W{{0,4}}\d{{1,3}}\Z|[{RAISED}]{{1,3}}")


def state_repeals(document: Document) -> None:
    """Set the status of the provisions and divisions of `document` that contain only words of repeal."""
    form = note_form(document.language)
    if form is None:
        return
    bare = []
    for node in own_provisions(document.nodes):
        if node.status == "in_force":
            node.status = _status_beside_number(document, node, form) or "in_force"
        if node.status == "in_force" and node.end - node.start <= _LONGEST:
            lines = _lines(document, node, form)
            node.status = _status(form, lines, node.num) or "in_force"
            said = "".join(lines)
            if node.status == "in_force" and node.num and not re.search(r"\w", _MARK.sub("", said)):
                bare.append((node, "".join(re.findall(r"\d", "".join(_MARK.findall(said)[:1]).translate(LOWERED)))))
    if bare:
        _state_noted(document, bare, form)
    for node in _divisions(document.nodes):
        if node.status == "in_force" and node.end - node.start <= _LONGEST and not _has_provision(node):
            node.status = _status(form, _lines(document, node, form), None) or "in_force"


def is_repeal(note: str, codes: Sequence[str] | None = None) -> bool:
    """Whether `note` says that something was repealed, and nothing else: "(Repealed by Act 5 of 2031)". `codes` are the languages to try
    (ISO 639-3); None means all."""
    forms = map(note_form, known_languages() if codes is None else codes)
    return any(form is not None and form.status_in(note) is not None for form in forms)


def _status(form: NoteForm, lines: Sequence[str], number: str | None) -> str | None:
    """Return the status that `lines` state, None if one of them is law.

    In addition to the statement, the text may have statements about the parts of the provision, and notes on its amendments.
    """
    if len(lines) > 1 and (whole := form.status_in(" ".join(lines), number)):
        return whole
    stated: str | None = None
    for line in lines:
        spellings = (line, _PART.sub("", line), _MARK_OF_NOTE.sub("", line))
        found = next(filter(None, (form.status_in(each, number) for each in spellings)), None)
        if found is None and not form.is_history(line):
            return None
        stated = stated or found
    return stated


def _status_beside_number(document: Document, node: Node, form: NoteForm) -> str | None:
    """Return the status that a remark in brackets, alone beside the number, states: a publisher may print the old text below it."""
    line = document.text[node.start : min(node.end, node.start + _LONGEST)].partition("\n")[0]
    remark = _behind_number(line, node.num, document.language) if line.rstrip(" .")[-1:] in _CLOSING else ""
    return form.status_in(remark) if _REMARK.fullmatch(remark) else None


def _lines(document: Document, node: Node, form: NoteForm) -> list[str]:
    """Return the lines of `node` behind its number and its heading; the heading where no text follows.

    Page headers are left out, and so are notes that state no repeal.
    """
    text = document.text_of(node)
    for aside in reversed([each for each in node.walk() if each.type in _ASIDES]):
        said = document.text_of(aside)
        if aside.type not in _NOTES or form.status_in(_NOTE_NUMBER.sub("", said), node.num) is None:
            text = text[: aside.start - node.start] + text[aside.end - node.start :]
    text = _behind_number(text, node.num, document.language)
    if node.heading and form.status_in(node.heading, node.num):  # "Repealed. - Act 5 of 2031", read as heading and text
        return [line.strip() for line in text.split("\n") if re.search(r"\w", line)]
    at = text.find(node.heading) if node.heading else -1
    behind = text[at + len(node.heading or "") :] if at >= 0 else text
    if node.heading and not re.search(r"\w", behind) and (note := _LAST_NOTE.search(text)):
        behind = note.group()  # "§ 5 Fares (repealed)"
    said = behind if re.search(r"\w", behind) else text
    return [line.strip() for line in said.split("\n") if re.search(r"\w", line)]


def _behind_number(text: str, num: str | None, code: str) -> str:
    if not num:
        return text
    if between := _between_sign_and_word(code):
        label = between.match(text)
        return text[label.end() :] if label else text
    number = _printed(num).match(ascii_figures(text))
    text = text[number.end() :] if number else text
    word = _word_of_provision(code).match(text) if number else None  # "3 straipsnis. Neteko galios"
    return text[word.end() :] if word else text


@functools.lru_cache(maxsize=2_048)  # the provisions of most laws have the same numbers
def _printed(num: str) -> re.Pattern[str]:
    """Return the pattern of the label with the number `num`, as publishers print it."""
    # "Art. 4º", "Art. 6o", "Art. 4º-A": the number has no mark of an ordinal
    printed = re.sub(r"\d(?!\d)", r"\g<0>(?:\\.?[ºª°]|[^\\W\\d_]{1,2}(?!\\w))?", re.escape(num))
    printed = re.sub(r"(?<=.)–(?=\d)", r"\\b.{1,60}?\\b", printed)  # "10–12" is printed "10 bis 12", "10, 11, 12"
    return re.compile(rf"\W*(?:\w+\W{{1,3}}|[^\s\d]+\s){{0,2}}?{printed}(?![^\W{RAISED}])")


def _state_noted(document: Document, bare: Sequence[tuple[Node, str]], form: NoteForm) -> None:
    """Set the status of provisions without text of which a note elsewhere says so: "Art. 6 abrogé 01.07.2016" in a table of amendments, or
    the note with the mark of the provision: "[3] Repealed by Act 5 of 2031"."""
    lines = [line for line in document.text.split("\n") if len(line) <= _LONGEST_NOTE]
    for node, mark in bare:
        stated = (form.status_noted(line, node.num or "") for line in lines)
        node.status = next(filter(None, stated), None) or _marked(document, node, mark, form) or "in_force"


def _marked(document: Document, node: Node, mark: str, form: NoteForm) -> str | None:
    """Return the status that the note with `mark` states, in or below the last provision; None if there is no such note."""
    if not mark:
        return None
    *_, last = own_provisions(document.nodes)
    note = re.compile(rf"^\W{{0,2}}(?:{mark}|{raised_figure(mark)})[\])\s]{{1,3}}(?=[^\W\d])(.*)$", re.MULTILINE)
    notes = [match[1] for match in note.finditer(document.text, last.start)]
    return next(filter(None, (form.status_begun(said) or form.status_ended(said) for said in notes)), None)


def _divisions(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.type in _DIVISIONS:
            yield node
            yield from _divisions(node.children)


def _has_provision(node: Node) -> bool:
    return any(each.type in PROVISIONS for each in node.walk())


@functools.cache
def _between_sign_and_word(code: str) -> re.Pattern[str] | None:
    """Return the pattern of a label in the languages that print the number between a sign and a word ("第十条の二"), None for others."""
    table = language(code).section("provisions")
    if "number_prefix" not in table:
        return None
    number = rf"\s?[{HAN_SIGNS}\d]{{1,9}}"
    word, inserted = (alternation(table.get(key, ())) or "(?!)" for key in ("article", "inserted"))
    one = rf"{re.escape(table['number_prefix'])}{number}(?:[-－]\d{{1,3}})?\s?(?:{word})(?:\s?(?:{inserted}){number})*"
    joins, ends = (alternation(table.get(key, ())) or "(?!)" for key in ("joins", "range_ends"))
    return re.compile(rf"\W*{one}(?:\s?(?:{joins})\s?{one})?(?:{ends})?")


@functools.cache
def _word_of_provision(code: str) -> re.Pattern[str]:
    kinds: tuple[ProvisionKind, ...] = ("article", "section")
    words = [word for kind in kinds for word in language(code).provision_words(kind)]
    return re.compile(rf"\s?(?i:{alternation(words) or '(?!)'})(?!\w|\s?\d)")
