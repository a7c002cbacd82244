"""Finds headings of divisions whose number has no word (`I PRELIMINARY`, `A. Allgemeine Bestimmungen`, `2.1 Bacs`), or a word that the
language does not list (`ORDER I`).

Such a number counts only if it is directly above provisions and its sequence is complete. Not here: headings with a word
(`recogniser.divisions`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

from legal_pipeline.parsing.blocks import Block, Blocks
from legal_pipeline.parsing.recogniser.headings import is_heading_like, reads_as_heading
from legal_pipeline.parsing.recogniser.labels import STRONG, Divisions, Label, Labels
from legal_pipeline.parsing.recogniser.numbers import LETTER, ROMAN, UNNUMBERED, read_letter, read_number
from legal_pipeline.parsing.recogniser.words import DIVISION_KINDS, Words

#: A Roman numeral or a capital letter, an optional sign, and the words of the heading.
_HEADING = re.compile(rf"(?P<num>{ROMAN}|{LETTER})(?P<sign>[.)]|\s[-–—])?\s+(?P<rest>(?=[^\W\d_]).*)")
#: A word, a number, and a heading that may be on the next line.
_NAMED = re.compile(
    rf"(?P<word>[^\W\d_]{{3,}})\s(?P<num>{ROMAN}|{LETTER}|\d{{1,3}})(?P<sign>[.:]|\s?[-–—])?(?:\Z|\s+(?P<rest>(?=[^\W\d_]).*))"
)
#: A number in figures above articles: "2 Exploitation", "2.1 Bacs".
_IN_FIGURES = re.compile(r"(?P<num>\d{1,2}(?:\.\d{1,2}){0,3})(?P<sign>\.)?\s+(?P<rest>(?=[^\W\d_]).*)")
_CHARS = 120
#: Minimum length of a sequence of numbers; maximum number of kinds of divisions.
_LEAST, _MOST_KINDS = 2, 2


def bare_divisions(blocks: Blocks, heads: Set[int], left_out: Set[int], provisions: Labels) -> list[tuple[Label, str]]:
    """Return (label, kind) of such headings, in order.

    `heads` are the blocks that begin provisions and other divisions; blocks of `left_out` are ignored. An unknown word heads a division
    only if the numbers of `provisions` begin anew below it: "Footnote 2" is not a division. A number in figures heads one only if all
    provisions have a word and the heading has a style. The kind is the typographic form of the heading: letter, figures or Roman numeral,
    sign, capitals, heading level.
    """
    found: dict[int, re.Match[str]] = {}
    restarting = set(restarting_divisions(provisions, blocks))
    may_have_figures = bool(provisions) and all(label.kinds for label in provisions)
    for index in range(len(blocks) - 1, -1, -1):
        if index in heads or index in left_out:
            continue
        match = _heading(blocks[index]) or (_in_figures(blocks[index]) if may_have_figures else None)
        if match is None:
            continue
        if match.re is _NAMED and index not in restarting:
            continue
        if index + 1 in heads or index + 1 in found or (index + 2 in heads and reads_as_heading(blocks[index + 1])):
            found[index] = match
    kinds = sorted(_sequences(found, blocks), key=len, reverse=True)
    in_figures = [kind for kind in kinds if found[kind[0][0].index].re is _IN_FIGURES]
    most = [kind for kind in kinds if kind not in in_figures][:_MOST_KINDS]
    # "2.1" is inside "2"
    most += in_figures if any(len(label.number.key) == 1 for kind in in_figures for label, _ in kind) else []
    return sorted((item for kind in most for item in kind), key=lambda item: item[0].index)


def unnumbered_divisions(
    blocks: Blocks, divisions: Divisions, provisions: Labels, left_out: Set[int], words: Words
) -> list[tuple[Label, str]]:
    """Return (label, kind) of headings without a number that the language lists ("บทเฉพาะกาล"), directly above a provision or a division.

    The kind is that of the outermost of `divisions`, or `chapter` if there are none; blocks of `left_out` are ignored.
    """
    heads = {label.index for label, _ in divisions} | {label.index for label in provisions}
    headed = {label.index + 1 for label, _ in divisions if label.alone}
    kind = min((kind for _, kind in divisions if kind in DIVISION_KINDS), key=DIVISION_KINDS.index, default="chapter")
    return [
        (Label(head - 1, (), UNNUMBERED, 0, STRONG, "unnumbered", False), kind)
        for head in sorted(heads)
        if head and head - 1 not in heads | headed | left_out and words.unnumbered.fullmatch(blocks[head - 1].text)
    ]


def _in_figures(block: Block) -> re.Match[str] | None:
    is_heading = block.kind == "text" and block.is_styled and len(block.text) <= _CHARS and is_heading_like(block)
    match = _IN_FIGURES.match(block.text) if is_heading else None
    is_sentence = block.text.endswith((".", ";", ":", ","))
    return match if match is not None and match["rest"][0].isupper() and not is_sentence else None


def restarting_divisions(labels: Labels, blocks: Blocks) -> list[int]:
    """Return the indices of such headings above a label with the first number: the provisions begin anew in each of these divisions."""
    found: dict[int, re.Match[str]] = {}
    for label in labels:
        if not label.number.is_first:
            continue
        for index in (label.index - 1, label.index - 2):
            if index >= 0 and (match := _heading(blocks[index])) is not None:
                found[index] = match
            if index < 0 or match is not None or not reads_as_heading(blocks[index]):
                break
    return sorted(label.index for kind in _sequences(found, blocks) for label, _ in kind)


def _sequences(found: Mapping[int, re.Match[str]], blocks: Blocks) -> list[list[tuple[Label, str]]]:
    """Return (label, kind) of each kind of heading in `found` whose numbers are complete."""
    by_look: dict[str, list[int]] = defaultdict(list)
    for index in sorted(found):
        by_look[_look(found[index], blocks[index])].append(index)
    kinds: list[list[tuple[Label, str]]] = []
    for look, indices in by_look.items():
        letters = _whole([_label(index, found[index], "letter") for index in indices])
        taken = {label.index for label in letters}
        romans = _whole([_label(index, found[index], "roman") for index in indices if index not in taken])
        kinds.append([(label, f"letter:{look}") for label in letters])
        kinds.append([(label, f"roman:{look}") for label in romans])
        kinds.append(
            [(label, f"digits:{look}") for label in _whole([_label(index, found[index], "") for index in indices])]
        )
    return [kind for kind in kinds if kind]


def _heading(block: Block) -> re.Match[str] | None:
    text = block.text
    if block.kind != "text" or block.depth or len(text) > _CHARS:
        return None
    match = _HEADING.match(text) or _NAMED.match(text)
    if match is None or not text[0].isupper() or not (match["rest"] or "A")[0].isupper():
        return None
    if is_heading_like(block):
        return match
    # "Page 2" is not a heading of a division, "ORDER 2" is.
    return match if not match["num"].isdigit() and not text.endswith((".", ";", ":", ",")) else None


def _look(match: re.Match[str], block: Block) -> str:
    word = match.groupdict().get("word") or (
        "figures" + "." * match["num"].count(".") if match.re is _IN_FIGURES else ""
    )
    return f"{word.casefold()}:{(match['sign'] or '').strip()}:{(match['rest'] or '').isupper()}:{block.level}"


def _label(index: int, match: re.Match[str], series: str) -> Label | None:
    number = read_letter(match["num"]) if series == "letter" else read_number(match["num"])
    if number is None or number.series != series:
        return None
    end = match.end() if match["rest"] is None else match.start("rest")
    return Label(index, (), number, end, STRONG, f"bare:{series}", match["rest"] is None)


def _whole(labels: Sequence[Label | None]) -> list[Label]:
    """Return the labels of sequences that begin with the first number and have no gaps."""
    sequences: list[list[Label]] = []
    for label in filter(None, labels):
        if sequences and label.number.follows(sequences[-1][-1].number) == 0:
            sequences[-1].append(label)
        elif label.number.is_first:
            sequences.append([label])
    return [label for sequence in sequences if len(sequence) >= _LEAST for label in sequence]
