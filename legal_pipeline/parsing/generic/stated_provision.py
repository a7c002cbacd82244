"""One provision per file, as scrapers save a law: front matter, or the values beside a text in a file of data, state its number, its
heading and the divisions above it.

The keys are data (`stated.toml`). Not here: pages that print these as headings (`recogniser.one_provision`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.provision_body import Aside, Heading, write_body
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.model.document import Document
from legal_pipeline.model.slug import slug
from legal_pipeline.numbering.styles import style
from legal_pipeline.parsing.blocks import ASIDE_TYPES, Block, Blocks
from legal_pipeline.parsing.front_matter import FrontMatter
from legal_pipeline.parsing.generic.identity import language_warning
from legal_pipeline.parsing.generic.law import text_document
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, first_stated, stated_keys
from legal_pipeline.parsing.recogniser.divisions import NODE_TYPES
from legal_pipeline.parsing.recogniser.labels import labels_of
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.recogniser.recognise import Recognition
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS, Words, words_of

_DATA: Mapping[str, Any] = STATED_DATA["provision"]
_ENDED = frozenset(STATED_DATA["ended"]["words"])
#: "VII — Penalties", "3: Fees", "2A".
_DIVISION = re.compile(r"(?P<num>[\w.]{1,8})(?:\s*[.:–—-]+\s*|\s+|\Z)(?P<heading>.*)", re.DOTALL)
_WORD = re.compile(r"\w+")
#: Signs between a number and a heading.
_SEPARATORS = " .:–—-"
#: Maximum number of words of a label before a heading: "Sec. 5-101. Lamps".
_LABEL_WORDS = 4

#: Node type, number, heading, text of the line with both.
Division = tuple[str, str | None, str | None, str]


@dataclass(frozen=True)
class StatedProvision:
    """`kind`: the type of its node. `divisions`: (node type, number, heading, text) of those above it, outermost first.

    `is_number`: `num` is the value of a key such as `number`, so this value is not the number of the law. `printed`: the first line of the
    text, if it has the number of the provision, which is then not written again. `label`: the words to write above the text; None: the
    number and a full stop ("4.").
    """

    kind: str
    num: str
    heading: str | None
    divisions: tuple[Division, ...]
    is_repealed: bool = False
    is_number: bool = False
    printed: str | None = None
    label: str | None = None


def provision_document(
    source: SourceFile,
    front: FrontMatter | None,
    blocks: Blocks,
    recognition: Recognition,
    said: Mapping[str, Any],
    metadata: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Document | None:
    """Return the document of a file with one provision of a law, None if `front` states none; `said`, `metadata` and `fields` are as for
    `text_document`. Its number is not that of the law, and its type is `act` unless another is stated."""
    found = stated_provision(front, recognition, blocks) if front is not None else None
    if found is None:
        return None
    code = recognition.language or str(said.get("usual_language") or "eng")
    builder = DocumentBuilder()
    write_provision(builder, found, blocks, code)
    builder.close_to(0)
    known = str(said.get("doc_type") or "")
    title = said.get("title") or found.heading or found.printed
    stated = {**said, "language": code, "doc_type": known or "act", "title": title}
    if found.is_number:
        stated["number"] = None
    warnings = (*fields.pop("warnings", ()), *language_warning(said, builder.text))
    document = text_document(source, builder, stated, None, found.num, metadata, warnings, **fields)
    work = read_work_uri(document.work_uri) if document.work_uri else None
    if work is not None and document.document_id == work.document_id:  # the other provisions are in other files
        own = slug(f"{found.kind} {found.num}")
        document = dataclasses.replace(document, document_id=f"{work.document_id}-{own}")
    return document


def stated_provision(front: FrontMatter, recognition: Recognition, blocks: Blocks) -> StatedProvision | None:
    """Return the provision that the front matter of a file states; None if it states none, or the text is a law with labels of its own.

    A number under a key such as `section` is that of a provision only if the file also names the law or the day of the wording, or if its
    first line prints the number: blogs and lectures have sections too. The key `number` may have the number of the law. It counts only if
    the file names both, the law and the day of the wording, or if the value is the label of a provision ("§ 4").
    """
    words = words_of(recognition.language or "eng")
    laws = stated_keys(front, _DATA["law"])
    has_law, is_dated = bool(laws), bool(stated_keys(front, _DATA["dated"]))
    own = own_number(front, words)
    found = own or _number_of_law_or_provision(front, words, may_be_bare=has_law and is_dated)
    if found is None or _has_labels(recognition):
        return None
    kind, num = found
    label = next((label for label in labels_of(0, blocks[0], words) if label.is_provision), None)
    is_printed = label is not None and label.number.text == num
    if not (has_law or is_dated or is_printed):
        return None
    heading = next((value for value in stated_keys(front, _DATA["heading"]) if value not in laws), None)
    if label is not None and is_printed:
        heading = heading or blocks[0].text[label.end :].strip(_SEPARATORS) or None
    is_repealed = is_ended(front)
    divisions = tuple(stated_divisions(front, words))
    printed = blocks[0].text if is_printed else None
    return StatedProvision(kind, num, heading, divisions, is_repealed, own is None, printed)


def own_number(front: FrontMatter, words: Words) -> tuple[str, str] | None:
    """Return the first of `own_numbers`, None without one."""
    return next(own_numbers(front, words), None)


def own_numbers(front: FrontMatter, words: Words) -> Iterator[tuple[str, str]]:
    """Yield (kind, number) under keys that name provisions, alone or with its label ("Art. 5"), at most one for each kind."""
    for kind, keys in _DATA["kinds"].items():
        numbers = (number for value in stated_keys(front, keys) if (number := _number(value, words)) is not None)
        if (number := next(numbers, None)) is not None:
            yield kind, number


def _number(value: str, words: Words) -> str | None:
    labelled = labelled_number(value, words)
    return labelled[1] if labelled is not None else value if read_number(value) is not None else None


def _number_of_law_or_provision(front: FrontMatter, words: Words, *, may_be_bare: bool) -> tuple[str, str] | None:
    values = stated_keys(front, _DATA["number"])
    labelled = next((found for value in values if (found := labelled_number(value, words)) is not None), None)
    bare = next((value for value in values if read_number(value) is not None), None) if may_be_bare else None
    return labelled or (("section", bare) if bare is not None else None)


def is_ended(front: FrontMatter) -> bool:
    """Whether the stated status of a provision says that it has no force."""
    return any(slug(value) in _ENDED for value in stated_keys(front, ["status"]))


def labelled_number(value: str, words: Words, kind: str | None = None) -> tuple[str, str] | None:
    """Return (kind, number) of a value that is the label of a provision, "§ 4", and nothing else; None otherwise. A word that may name
    several kinds names `kind` if that is one of them."""
    label = next((label for label in labels_of(0, Block(value), words) if label.is_provision), None)
    if label is None or label.end < len(value.rstrip(_SEPARATORS)):
        return None
    named = [known for known in PROVISION_KINDS if known in label.kinds]
    return kind if kind in named else named[0], label.number.text


def write_provision(builder: DocumentBuilder, found: StatedProvision, blocks: Blocks, code: str) -> None:
    """Add the divisions, the heading and the `blocks` of a stated provision; `code` is the language (ISO 639-3)."""
    open_divisions(builder, found.divisions)
    node = builder.open(found.kind, found.num, found.heading)
    node.status = "repealed" if found.is_repealed else node.status
    if found.printed is not None and blocks and blocks[0].level:
        builder.heading(found.printed)
        blocks = blocks[1:]
    else:
        _write_label(builder, found, blocks[0].text if blocks else "")
    write_body(builder, [*map(_part, blocks)], numbering=style(words_of(code).numbering), number=found.num)
    builder.close_to(len(found.divisions))


def open_divisions(builder: DocumentBuilder, divisions: Sequence[Division]) -> None:
    """Open `divisions` with their headings, and close those that are open and not among them."""
    opened = [(node.type, node.num, node.heading) for node in builder.open_nodes]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1][:3], zip(opened, divisions, strict=False)))
    builder.close_to(same)
    for kind, num, heading, text in divisions[same:]:
        builder.open(kind, num, heading)
        builder.heading(text)


def _write_label(builder: DocumentBuilder, found: StatedProvision, text: str) -> None:
    """Add the number and the heading that are not printed in the first `text`."""
    first = _WORD.findall(text.casefold())
    is_printed = _WORD.findall(found.num.casefold())[:1] == first[:1] or found.num.casefold() in first[1:2]
    is_printed &= not text.startswith("(")  # the number of its first paragraph
    lines = [] if is_printed else [f"{found.num}."]
    if found.heading and not _begins_with(text, found.num, found.heading):
        lines.append(found.heading)
    builder.heading(found.label or " ".join(lines))


def _begins_with(text: str, num: str, heading: str) -> bool:
    """Whether `text` begins with `heading`, or with a label and `heading`."""
    before, found, _ = text.casefold().partition(heading.casefold())
    label = _WORD.findall(before)
    is_label = len(label) <= _LABEL_WORDS and not {*_WORD.findall(num.casefold())}.isdisjoint(label)
    return bool(found) and (not label or is_label)


def _part(block: Block) -> str | Aside | Heading:
    if block.kind in ASIDE_TYPES:
        return Aside(block.text, ASIDE_TYPES[block.kind])
    return Heading(block.text) if block.level else block.text


def _has_labels(recognition: Recognition) -> bool:
    """Whether the text is a law with several provisions that have a word before their numbers."""
    return recognition.builder is not None and sum(bool(label.kinds) for label in recognition.outline.labels) > 1


def stated_divisions(front: FrontMatter, words: Words) -> list[Division]:
    """Return the divisions that the keys of a provision state, outermost first: also a "section" around articles, "2. Keepers", which is
    the outermost if its key is before those of the others."""
    found: list[Division] = []
    places: list[int] = []
    order = [fact_key(key) for key in front.values]
    for kind, keys in _DATA["divisions"].items():
        if (value := first_stated(front, keys)) is not None:
            named = first_stated(front, [f"{key}_{name}" for key in keys for name in _DATA["named"]]) or ""
            found.append(_division(kind, f"{value} {named}".strip(), words))
            places += [order.index(key) for key in keys if key in order]
    for keys in _DATA["kinds"].values():
        value = first_stated(front, keys)
        if value is not None and _number(value, words) is None:
            division = _division("division", value, words)
            is_first = all(order.index(key) < place for key in keys if key in order for place in places)
            if division[1] is not None:
                found.insert(0 if is_first else len(found), division)
    return found


def _division(kind: str, text: str, words: Words) -> Division:
    label = next((label for label in labels_of(0, Block(text), words) if kind in label.kinds), None)
    if label is not None:
        num, heading = label.number.text, text[label.end :]
    elif (match := _DIVISION.fullmatch(text)) and read_number(match["num"]) is not None:
        num, heading = match["num"].rstrip("."), match["heading"]
    else:
        num, heading = None, text
    return NODE_TYPES[kind], num, heading or None, text
