"""The model of a profile, loaded from its TOML file and checked: the elements of provisions, and the paths of numbers and dates.

Selectors are CSS, or XPath if they begin with `/` or `(`; values are XPath from the element that they describe. Element names have no
prefix; `has-class('c')` and the regular expressions of EXSLT (`re:test`) are available. Not here: the traversal of a document
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

#: The element is not read: it is needed only by the publisher's pages. Each such rule states why.
SKIP = "skip"
#: The element is replaced by its children.
CHILDREN = "children"
#: Like CHILDREN; if the element contains one provision, its heading becomes that of the provision.
GROUP = "group"
#: Text inside a line.
INLINE = "inline"
#: The end of a line inside a paragraph.
BREAK = "break"

_CONTAINERS = ("xml", "html", "json")
#: Keys that every profile has, in addition to its name.
_REQUIRED = ("title", "documentation", "jurisdiction", "language", "marks")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(frozen=True)
class Value:
    """The location of a value and how to read it.

    Each path of `at` selects elements, attributes or a string; the first path with text counts. Its first text is the value, or with
    `joined` all its texts joined by spaces. With a `pattern`, the value is its first group, or `form` filled with the groups
    (`{0}-{1}`). `values` translates the text. `default` is the value if nothing is found or `values` lacks the text.
    """

    at: Sequence[Path]
    joined: bool = False
    pattern: re.Pattern[str] | None = None
    form: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    default: str | None = None
    #: Whether the text is a date in words, in the document's language.
    is_date: bool = False
    #: Whether the date is the last day; the value is the day after it.
    is_last_day: bool = False
    #: The value to read if this one is not found.
    otherwise: Value | None = None
    #: Whether the value is the same for all elements of a document.
    is_absolute: bool = False


@dataclass(frozen=True)
class AmendmentRule:
    """Elements that each name an act which amended the provision that contains them."""

    each: Path
    by: Value
    date: Value | None = None
    action: Value | None = None


@dataclass(frozen=True)
class First:
    """The first provision inside a flat provision; `pattern` matches its number after the number of the outer provision."""

    name: str
    pattern: re.Pattern[str]
    rank: float


@dataclass(frozen=True)
class Margin:
    """Margin notes beside the lines of a text: the groups of `note` are the line and its note; `begins` matches before each note."""

    note: re.Pattern[str]
    begins: re.Pattern[str]


@dataclass(frozen=True)
class Rule:
    """How to convert the elements of `select`: `name` is an element of Akoma Ntoso or one of the words above.

    `flat`: the element is only the head; its following siblings, up to the next head of its rank, belong to it. An element that has a
    `rank` but is not flat ends heads of that rank.
    """

    select: Sequence[Selector]
    name: str
    num: Value | None = None
    heading: Value | None = None
    #: Form of the printed number, if the source contains the number without its signs: `({})`.
    printed: str | None = None
    #: The number as it is cited, if it differs from the printed number: `1` for "Erster Teil".
    cited: Value | None = None
    #: Matches where a paragraph begins in text that the publisher formatted with line ends; other line ends are spaces.
    lines: re.Pattern[str] | None = None
    flat: bool = False
    rank: Path | None = None
    #: Element name for the text of the head after its number: `heading`, or None for a line of text.
    rest: str | None = None
    #: A provision that begins in the same paragraph after the number: `(1)` in "§ 1. (1) Text".
    first: First | None = None
    #: Numbering style of the country in which the paragraphs of the element are numbered, if the source does not nest them.
    drafting: str = ""
    #: Whether the heading is printed at the beginning of the first line of text.
    run_in: bool = False
    fields: Mapping[str, Value] = field(default_factory=dict)
    attributes: Mapping[str, Value] = field(default_factory=dict)
    amendments: AmendmentRule | None = None
    why: str = ""


@dataclass(frozen=True)
class Profile:
    """A format. All of `marks` occur in the head of its files.

    `companion` describes files that are not documents: they are recognised and rejected with this description.
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
    #: Forms of works whose URI alone does not give their id (`id`, `uri`, `number`); the first whose values are in the file counts.
    work_forms: Sequence[Mapping[str, str]] = ()
    #: Elements of the page that contain the document; the rest is page furniture. None: the whole page.
    content: etree.XPath | None = None
    rules: Sequence[Rule] = ()
    inline: frozenset[str] = frozenset()
    metadata: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = "1"
    companion: str | None = None
    #: For a companion: the ending of its name (`file`), and the endings of the names of its texts (`texts`).
    beside: Mapping[str, Any] = field(default_factory=dict)
    #: Elements whose text is HTML source.
    pages: frozenset[str] = frozenset()
    #: Characters that replace empty elements, by element name.
    characters: Mapping[str, str] = field(default_factory=dict)
    #: Elements whose text has notes in a separate column, by element name.
    margins: Mapping[str, Margin] = field(default_factory=dict)
    #: Elements of pages whose lines are paragraphs: each line becomes an element `line`.
    broken: etree.XPath | None = None
    #: Elements whose words are struck out and not in force.
    struck: etree.XPath | None = None
    #: Elements around words that an amendment removed but the source retains. Inserted words next to them are separate words.
    parted: frozenset[str] = frozenset()
    #: Metadata with several values, by name.
    lists: Mapping[str, Path] = field(default_factory=dict)
    #: Whether the levels of quoted law are nodes too, and a mark after a quotation ends its last line.
    quoted_levels: bool = False
    #: Text between the number of a level and that of the level that begins there: nothing in `(1)(a)`.
    between_numbers: str = " "
    #: The two marks that enclose text of another act, possibly over several paragraphs.
    quotes: str = ""

    @functools.cached_property
    def index(self) -> RuleIndex:
        """An index that finds the rules of the elements of a document."""
        return RuleIndex([rule.select for rule in self.rules])


@functools.cache
def profiles() -> tuple[Profile, ...]:
    """Return all profiles of this package, by name. Raises `ConfigurationError` for an invalid file."""
    files = [item for item in importlib.resources.files(__package__).iterdir() if item.name.endswith(".toml")]
    return tuple(read_profile(file.name, file.read_text("utf-8")) for file in sorted(files, key=lambda file: file.name))


def read_profile(file: str, text: str) -> Profile:
    """Return the profile in `text` (TOML); `file` is its name in errors. Raises `ConfigurationError`."""
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
        raise ConfigurationError(
            f"{file}: {_fault(error)} (expected: a profile as in docs/guides/add-format.md, or as the files of parsing/profiles)"
        ) from error


def _fault(error: Exception) -> str:
    """Return what is wrong with a profile, for its author."""
    if isinstance(error, KeyError):
        return f"the key {error} is missing"
    if isinstance(error, (AttributeError, TypeError)):
        return f"a key has a value of another kind than expected: {error}"
    return str(error)


def _profile(data: Mapping[str, Any]) -> Profile:
    is_companion = "companion" in data
    work = dict(data.get("work", {"uri": ""}) if is_companion else data["work"])
    rest = {key: value for key, value in data.items() if key not in ("work", *_SHARED)}
    rest["rules"] = [_with_shared(rule, data) for rule in (() if is_companion else data["rules"])]
    container = data["name"].rpartition("_")[2]
    if container not in _CONTAINERS:
        raise ValueError(f"the name must end in one of {_CONTAINERS}")
    if missing := [key for key in _REQUIRED if key not in data]:
        raise KeyError(missing[0])
    fields = _read(rest, _PROFILE_KEYS, "the profile")
    forms = work.pop("forms", ())
    uri = "" if forms else work.pop("uri")
    return Profile(container=container, work_uri=uri, work_forms=forms, values=_values(work), **fields)


def _read(data: Mapping[str, Any], keys: Mapping[str, Callable[[Any], Any]], where: str) -> dict[str, Any]:
    """Return the values of `data`, each read by the function for its key in `keys`. Raises `ValueError` for an unknown key."""
    if unknown := [key for key in data if key not in keys]:
        raise ValueError(f"unknown keys {unknown} in {where}, expected {sorted(keys)}")
    return {key: keys[key](value) for key, value in data.items()}


#: Keys of rules that a profile may also state in tables, by node names.
_SHARED = ("num", "heading", "cited", "rank", "fields", "attributes", "amendments")


def _with_shared(rule: Mapping[str, Any], profile: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `rule` with the keys that the profile states for nodes of its name in tables: `[fields.section]`, `[num]` `"part, chapter"`.

    A key of the rule itself takes precedence.
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
    values = {name: data[name] for name in ("by", "date", "action") if name in data}
    return AmendmentRule(value_path(data["each"]), **_values(values))


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


def _value(value: str | Mapping[str, Any] | Sequence[Any]) -> Value:
    """Read a value; the first entry of a list that gives a text counts."""
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
        is_last_day=data.pop("last_day", False),
        is_absolute=all(map(is_absolute, _list(at))),
        **data,
    )


def _values(data: Mapping[str, Any]) -> dict[str, Value]:
    return {name: _value(value) for name, value in data.items()}


def _patterns(data: Sequence[str]) -> list[re.Pattern[str]]:
    return [re.compile(pattern) for pattern in data]


def _margins(data: Mapping[str, Any]) -> dict[str, Margin]:
    return {name: Margin(re.compile(row["note"]), re.compile(row["begins"])) for name, row in data.items()}


#: Functions that read each key of a profile's file, and each key of a rule.
_PROFILE_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "name": str, "title": str, "documentation": str, "jurisdiction": str, "language": str, "marks": _patterns, "content": xpath,
    "rules": lambda rules: [_rule(rule) for rule in rules], "inline": frozenset, "metadata": _values, "options": dict, "version": str,
    "companion": str, "beside": dict, "pages": frozenset, "characters": dict, "margins": _margins, "broken": xpath, "quotes": str,
    "struck": xpath, "parted": frozenset, "between_numbers": str,
    "quoted_levels": bool, "lists": lambda lists: {name: value_path(at) for name, at in lists.items()},
}  # fmt: skip
_RULE_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "select": lambda select: [_selector(item) for item in _list(select)], "as": str, "num": _value, "heading": _value, "print": str,
    "cited": _value, "lines": re.compile, "first": _first, "run_in": bool, "drafting": str, "flat": bool, "why": str,
    "rank": lambda rank: value_path(str(rank)), "rest": str, "fields": _values, "attributes": _values, "amendments": _amendment_rule,
}  # fmt: skip
