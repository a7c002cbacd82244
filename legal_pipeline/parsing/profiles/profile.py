"""What a profile says, loaded from its TOML file and checked: which elements are provisions, where their numbers and dates stand.

Selectors are CSS, or XPath when they begin with `/`; values are XPath from the element that they describe. Element names have no
prefix; `has-class('c')` and the regular expressions of EXSLT (`re:test`) are there. Not here: the walk over a document
(`profiles.elements`).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.parsing.profiles.paths import WHOLE_DOCUMENT, Path, is_absolute, value_path, xpath
from legal_pipeline.parsing.profiles.selectors import RuleIndex, Selector, css_selector

#: Not read: what only the publisher's pages need. Each such rule says why.
SKIP = "skip"
#: Read as if its children stood in its place.
CHILDREN = "children"
#: Like CHILDREN, and a heading in it is that of the one provision that it holds.
GROUP = "group"
#: Text inside a line.
INLINE = "inline"
#: The end of a line inside a paragraph.
BREAK = "break"

_CONTAINERS = ("xml", "html", "json")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(frozen=True)
class Value:
    """Where a value stands and how it is read.

    Each of `at` gives elements, attributes or a string; the first that is not empty counts, or all of them, joined by spaces, with
    `joined`. Of a `pattern` the first group is the value, or what `form` makes of the groups (`{0}-{1}`). `values` translates; what it
    lacks is `default`, where there is a table.
    """

    at: Sequence[Path]
    joined: bool = False
    pattern: re.Pattern[str] | None = None
    form: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    default: str | None = None
    #: What is read is a date in words, in the document's language.
    is_date: bool = False
    #: Read where this one gives nothing.
    otherwise: Value | None = None
    #: The same for all elements of a document.
    is_absolute: bool = False


@dataclass(frozen=True)
class AmendmentRule:
    """Elements that each name an act which changed the provision they stand in."""

    each: Path
    by: Value
    date: Value | None = None
    action: Value | None = None


@dataclass(frozen=True)
class First:
    """The first provision inside a flat one, whose number `pattern` matches behind the number of the outer."""

    name: str
    pattern: re.Pattern[str]
    rank: float


@dataclass(frozen=True)
class Margin:
    """Notes beside the lines of a text: the groups of `note` are the line and what stands beside it; `begins` matches before each note."""

    note: re.Pattern[str]
    begins: re.Pattern[str]


@dataclass(frozen=True)
class Rule:
    """What the elements of `select` are: `name` is an element of Akoma Ntoso or one of the words above.

    `flat`: the element is only the head; what follows it on its level, up to the next of its rank, belongs to it. An element with a `rank`
    that is not flat ends heads of that rank.
    """

    select: Sequence[Selector]
    name: str
    num: Value | None = None
    heading: Value | None = None
    #: How the number is printed where the source leaves its signs to the page: `({})`.
    printed: str | None = None
    #: The number as it is cited, where what is printed does not say it: `1` for "Erster Teil".
    cited: Value | None = None
    #: Where a paragraph of text that the publisher laid out by line ends begins; line ends that it does not match are spaces.
    lines: re.Pattern[str] | None = None
    flat: bool = False
    rank: Path | None = None
    #: What is left of the text of the head behind its number: `heading`, or None for a line of text.
    rest: str | None = None
    #: A provision that begins in the same paragraph behind the number: `(1)` in "§ 1. (1) Text".
    first: First | None = None
    fields: Mapping[str, Value] = field(default_factory=dict)
    attributes: Mapping[str, Value] = field(default_factory=dict)
    amendments: AmendmentRule | None = None
    why: str = ""


@dataclass(frozen=True)
class Profile:
    """A format. All of `marks` stand in the head of its files.

    `companion` says what files of the format are that are not documents: they are recognised and refused.
    """

    name: str
    title: str
    documentation: str
    jurisdiction: str
    language: str
    marks: Sequence[re.Pattern[str]]
    container: str
    work_uri: str
    values: Mapping[str, Value]
    #: Where the document stands on its page; what stands outside is the publisher's furniture. None: everywhere.
    content: etree.XPath | None = None
    rules: Sequence[Rule] = ()
    inline: frozenset[str] = frozenset()
    metadata: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = "1"
    companion: str | None = None
    #: Of a companion: the ending of its name (`file`), and the endings that stand in its place in the names of its texts (`texts`).
    beside: Mapping[str, Any] = field(default_factory=dict)
    #: Elements whose text is HTML, written as text.
    pages: frozenset[str] = frozenset()
    #: Empty elements that stand for characters.
    characters: Mapping[str, str] = field(default_factory=dict)
    #: Elements whose text has notes beside it, in a column of their own.
    margins: Mapping[str, Margin] = field(default_factory=dict)
    #: Elements of pages whose lines are paragraphs: they become elements `line`.
    broken: etree.XPath | None = None
    #: Elements whose words are struck out and are not law.
    struck: etree.XPath | None = None
    #: Elements around words that an amendment took out and the source retains: those put in beside them are words of their own.
    parted: frozenset[str] = frozenset()
    #: The two marks between which the text of another act stands, across paragraphs.
    quotes: str = ""

    @functools.cached_property
    def index(self) -> RuleIndex:
        """Finds the rules of the elements of a document."""
        return RuleIndex([rule.select for rule in self.rules])


@functools.cache
def profiles() -> tuple[Profile, ...]:
    """All profiles of this package, by name. Raises `ConfigurationError` for a file that is not one."""
    files = [item for item in importlib.resources.files(__package__).iterdir() if item.name.endswith(".toml")]
    return tuple(read_profile(file.name, file.read_text("utf-8")) for file in sorted(files, key=lambda file: file.name))


def read_profile(file: str, text: str) -> Profile:
    """The profile that `text` (TOML) states; `file` names it in errors. Raises `ConfigurationError`."""
    try:
        return _profile(tomllib.loads(text))
    except (
        tomllib.TOMLDecodeError,
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        re.error,
        etree.XPathError,
    ) as error:
        raise ConfigurationError(f"{file}: {error!r} (expected: a profile as in parsing/profiles)") from error


def _profile(data: Mapping[str, Any]) -> Profile:
    is_companion = "companion" in data
    work = dict(data.get("work", {"uri": ""}) if is_companion else data["work"])
    rest = {key: value for key, value in data.items() if key not in ("work", *_SHARED)}
    rest["rules"] = [_with_shared(rule, data) for rule in (() if is_companion else data["rules"])]
    container = data["name"].rpartition("_")[2]
    if container not in _CONTAINERS:
        raise ValueError(f"the name must end in one of {_CONTAINERS}")
    fields = _read(rest, _PROFILE_KEYS, "the profile")
    return Profile(container=container, work_uri=work.pop("uri"), values=_values(work), **fields)


def _read(data: Mapping[str, Any], keys: Mapping[str, Callable[[Any], Any]], where: str) -> dict[str, Any]:
    """The values of `data` as `keys` read them. Raises `ValueError` for keys that are not among these."""
    if unknown := [key for key in data if key not in keys]:
        raise ValueError(f"unknown keys {unknown} in {where}, expected {sorted(keys)}")
    return {key: keys[key](value) for key, value in data.items()}


#: Tables of a profile that hold keys of its rules, by the names of their nodes.
_SHARED = ("num", "heading", "cited", "rank", "fields", "attributes", "amendments")


def _with_shared(rule: Mapping[str, Any], profile: Mapping[str, Any]) -> Mapping[str, Any]:
    """`rule` with what the profile says of nodes of its name in tables of their own: `[fields.section]`, `[num]` with `"part, chapter"`.

    A rule's own key counts.
    """
    shared = {
        key: value
        for key in _SHARED
        for names, value in profile.get(key, {}).items()
        if rule["as"] in names.split(", ")
    }
    return {**shared, **rule}


def _rule(data: Mapping[str, Any]) -> Rule:
    if data["as"] == SKIP and not data.get("why"):
        raise ValueError(f"{data['select']}: what is left out needs a reason (why)")
    read = _read(data, _RULE_KEYS, str(data))
    return Rule(name=read.pop("as"), printed=read.pop("print", None), **read)


def _first(data: Mapping[str, Any]) -> First:
    return First(data["as"], re.compile(data["pattern"]), float(data["rank"]))


def _amendment_rule(data: Mapping[str, Any]) -> AmendmentRule:
    return AmendmentRule(
        value_path(data["each"]), _value(data["by"]), _optional(data.get("date")), _optional(data.get("action"))
    )


def _list(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


@functools.cache
def _selector(text: str) -> Selector:
    if not text.startswith(("/", "(")):
        return css_selector(text)
    code = _STRING.sub("", text)
    for axis in WHOLE_DOCUMENT.finditer(code):
        before = code[: axis.start()]
        if before.count("[") > before.count("]"):
            raise ValueError(
                f"{text}: {axis[0]} in a condition walks the document for each element (expected: a path that begins there)"
            )
    return Selector(text, xpath(text))


def _optional(value: str | Mapping[str, Any] | None) -> Value | None:
    return None if value is None else _value(value)


def _value(value: str | Mapping[str, Any] | Sequence[Any]) -> Value:
    """A list is read in order: the first that gives a text counts."""
    if isinstance(value, list):
        first, *rest = map(_value, value)
        if not rest:
            return first
        otherwise = _value(value[1:])
        return replace(first, otherwise=otherwise, is_absolute=first.is_absolute and otherwise.is_absolute)
    if isinstance(value, str):
        return Value([value_path(value)], is_absolute=is_absolute(value))
    assert isinstance(value, Mapping)
    data = dict(value)
    at, pattern = data.pop("at", "."), data.pop("pattern", None)
    return Value(
        at=[value_path(item) for item in _list(at)],
        pattern=re.compile(pattern) if pattern else None,
        form=data.pop("form", None),
        values=data.pop("values", {}),
        default=data.pop("default", None),
        is_date=data.pop("date", False),
        is_absolute=all(map(is_absolute, _list(at))),
        **data,
    )


def _values(data: Mapping[str, Any]) -> dict[str, Value]:
    return {name: _value(value) for name, value in data.items()}


def _patterns(data: Sequence[str]) -> list[re.Pattern[str]]:
    return [re.compile(pattern) for pattern in data]


def _margins(data: Mapping[str, Any]) -> dict[str, Margin]:
    return {name: Margin(re.compile(row["note"]), re.compile(row["begins"])) for name, row in data.items()}


#: How each key of a profile's file is read, and each of a rule.
_PROFILE_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "name": str, "title": str, "documentation": str, "jurisdiction": str, "language": str, "marks": _patterns, "content": xpath,
    "rules": lambda rules: [_rule(rule) for rule in rules], "inline": frozenset, "metadata": _values, "options": dict, "version": str,
    "companion": str, "beside": dict, "pages": frozenset, "characters": dict, "margins": _margins, "broken": xpath, "quotes": str,
    "struck": xpath, "parted": frozenset,
}  # fmt: skip
_RULE_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "select": lambda select: [_selector(item) for item in _list(select)], "as": str, "num": _value, "heading": _value, "print": str,
    "cited": _value, "lines": re.compile, "first": _first, "flat": bool, "rank": lambda rank: value_path(str(rank)), "rest": str,
    "fields": _values, "attributes": _values, "amendments": _amendment_rule, "why": str,
}  # fmt: skip
