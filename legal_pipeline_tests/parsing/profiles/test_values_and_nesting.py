"""How a profile reads values, and puts elements that a publisher writes beside each other into one another."""

from __future__ import annotations

import re
from typing import Any

import pytest
from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.parsing.profiles.elements import (
    parted,
    with_characters,
    with_lines,
    with_margins,
    with_pages,
    with_superscripts,
)
from legal_pipeline.parsing.profiles.nesting import CLOSES, RANK, grouped, nested, quoted
from legal_pipeline.parsing.profiles.paths import is_absolute, value_path, with_descendants, xpath
from legal_pipeline.parsing.profiles.profile import AmendmentRule, Margin, Value, read_profile
from legal_pipeline.parsing.profiles.values import amendments_of, bare, lines_at, value_of, values_of

_ACT = etree.fromstring(
    '<act no="7"><title> Lamps  Act </title><title>Second</title><empty> </empty><day>3 May 2031</day><last>31 December 2031</last>'
    '<note by="Act 1" date="2031-01-01"/><note by=""/><note by="Act 2"/><note by="Act 1" date="2031-01-01"/></act>'
)


def value(*at: str, **fields: Any) -> Value:
    return Value([value_path(path) for path in at], **fields)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (value("title"), "Lamps Act"),
        (value("title", joined=True), "Lamps Act Second"),
        (value("empty", "title"), "Lamps Act"),
        (value("empty", "none"), None),
        (value("none", default="x"), "x"),
        (value("@no"), "7"),
        (value("@none"), None),
        (value("string(title)"), "Lamps Act"),
        (value("title", pattern=re.compile(r"Lamps")), "Lamps"),
        (value("title", pattern=re.compile(r"(\w+) Act")), "Lamps"),
        (value("title", pattern=re.compile(r"(\w+) (Act)"), form="{1}-{0}"), "Act-Lamps"),
        (value("title", pattern=re.compile(r"(Lamps)( Code)?"), form="{0}{1}!"), "Lamps!"),
        (value("title", pattern=re.compile(r"Code")), None),
        (value("title", pattern=re.compile(r"Code"), form="{0}", default="x"), "x"),
        (value("title", pattern=re.compile(r"Code"), otherwise=value("@no")), "7"),
        (value("day", is_date=True), "2031-05-03"),
        (value("last", is_date=True, is_last_day=True), "2032-01-01"),
        (value("title", is_date=True), None),
        (value("string('03/04/2031')", is_date=True), "2031-04-03"),
        (value("none", otherwise=value("@no"), default="x"), "7"),
        (value("@no", values={"7": "seven"}), "seven"),
        (value("@no", values={"8": "eight"}), None),
        (value("@no", values={"8": "eight"}, otherwise=value("title")), "Lamps Act"),
        (value("@no", values={"8": "eight"}, default="x"), "x"),
    ],
)
def test_a_value_is_the_first_text_that_its_rule_finds(rule: Value, expected: str | None) -> None:
    assert value_of(_ACT, rule, "eng") == expected
    assert values_of(_ACT, {"a": rule}, "eng") == ({"a": expected} if expected is not None else {})


def test_texts_without_words_are_no_values_and_acts_are_named_once_in_order() -> None:
    assert lines_at(value_path("*"), _ACT) == ["Lamps Act", "Second", "3 May 2031", "31 December 2031"]
    rule = AmendmentRule(value_path("note"), value("@by"), value("@date"))
    assert [(item.by, item.date) for item in amendments_of(_ACT, rule)] == [("Act 1", "2031-01-01"), ("Act 2", None)]


@pytest.mark.parametrize(
    ("printed", "language", "number"),
    [
        ("Section 12 A", "eng", "12 A"), ("Article 3bis", "eng", "3bis"), ("Part IV", "eng", "IV"), ("Part IV a", "eng", "IV a"),
        ("Chapter one", "eng", "1"), ("(zz)", "eng", "zz"), ("A to B", "eng", "A"), ("Article a 2", "eng", "2"),
        ("Títol", "cat", None), ("Erster Teil", "deu", "1"), ("Der zweite Teil", "deu", "2"),
    ],
)  # fmt: skip
def test_the_number_of_a_printed_label(printed: str, language: str, number: str | None) -> None:
    assert bare(printed, language) == number


def test_a_path_is_the_same_for_all_elements_if_it_begins_at_the_root_alone() -> None:
    assert [is_absolute(text) for text in ("/act/title", "title", "/act/title | title", ".//p")] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("//p", "/descendant::p"),
        ("//p[@a]//b", "/descendant::p[@a]/descendant::b"),
        ("//p[last()]", "//p[last()]"),
        ("//p[@a][2]", "//p[@a][2]"),
        ("//p[@a='2']", "/descendant::p[@a='2']"),
        ("//p[@a='//b']", "/descendant::p[@a='//b']"),
        ("//p[count(b)]", "//p[count(b)]"),
        ("//p[count(b) = 1]", "/descendant::p[count(b) = 1]"),
        ("//p/b[1]", "/descendant::p/b[1]"),
        ("//p[b[1]]", "/descendant::p[b[1]]"),
        ("//x:p", "//x:p"),
    ],
)
def test_a_search_at_any_depth_keeps_its_meaning_where_the_place_counts(path: str, written: str) -> None:
    assert with_descendants(path) == written


def element(name: str, *content: Any, rank: float | None = None, closes: float | None = None) -> Element:
    stated = {RANK: rank, CLOSES: closes}
    return Element(
        name,
        content=list(content),
        attributes={key: str(number) for key, number in stated.items() if number is not None},
    )


def tree(items: list[Element | str]) -> str:
    """Names of elements, with what is inside in brackets; texts as they are."""
    return " ".join(
        item if isinstance(item, str) else item.name + (f"({tree(item.content)})" if item.content else "")
        for item in items
    )


def test_what_follows_a_head_lies_in_it_up_to_the_next_head_of_its_rank() -> None:
    def heads(*items: Element | str) -> str:
        return tree(nested(list(items)))

    chapter, section = (lambda: element("chapter", rank=4)), (lambda: element("section", rank=8))
    assert (
        heads(chapter(), section(), "a", section(), "b", chapter(), "c") == "chapter(section(a) section(b)) chapter(c)"
    )
    assert heads("a", section(), "b") == "a section(b)"
    assert heads(section(), chapter(), "a") == "section chapter(a)"
    assert heads(section(), element("p"), element("chapter"), "a") == "section(p) chapter a"
    assert heads(chapter(), section(), element("mark", closes=8), "a") == "chapter(section mark a)"
    assert heads(chapter(), section(), element("mark", closes=9), "a") == "chapter(section(mark a))"
    inner = element("section", "x", element("subsection", "y", rank=9), rank=8)
    assert heads(inner, "a", element("subsection", rank=9), "b") == "section(x subsection(y a) subsection(b))"
    assert heads("a", element("section"), "b") == "a section b"


def test_paragraphs_between_quotation_marks_are_a_quotation() -> None:
    def marks(*items: Element | str, opens: str = "“", closes: str = "”") -> str:
        return tree(quoted(list(items), opens, closes))

    assert marks("“a", "b", "c”", "d") == "quotedStructure(“a b c”) d"
    assert marks("“a”", "d") == "quotedStructure(“a”) d"
    assert marks("“a” is b", "d") == "“a” is b d"
    assert marks("“a”.", "d") == "quotedStructure(“a”.) d"
    assert marks("it reads “a", "b”", "d") == "it reads “a quotedStructure(b”) d"
    assert marks("“a", "b “c” d", "e”", "f") == "quotedStructure(“a b “c” d e”) f"
    assert marks("“a", "b") == "“a b"
    assert marks("“a", element("section"), "b”") == "“a section b”"
    assert marks("“a", element("item"), "b”") == "quotedStructure(“a item b”)"
    assert marks("“a", element("quotedStructure", "x"), "b”") == "quotedStructure(“a quotedStructure(x) b”)"
    assert marks('"a', 'b"', "c", opens='"', closes='"') == 'quotedStructure("a b") c'


def test_the_heading_of_a_group_becomes_that_of_its_only_provision_if_this_has_none() -> None:
    heading = element("heading", "Lamps")
    assert tree(grouped([heading, element("section", element("num", "1"), "a")])) == "section(num(1) heading(Lamps) a)"
    assert tree(grouped([heading, element("section", "a")])) == "section(heading(Lamps) a)"
    own = element("section", element("heading", "Oil"))
    assert tree(grouped([heading, own])) == "crossHeading(Lamps) section(heading(Oil))"
    assert tree(grouped([element("section"), "a"])) == "section a"
    assert tree(grouped([heading, "a"])) == "crossHeading(Lamps) a"


def xml(text: str) -> etree._Element:
    return etree.fromstring(f"<a>{text}</a>")


def written(root: etree._Element) -> str:
    return etree.tostring(root, encoding="unicode")[3:-4]


def test_raised_digits_alone_are_raised() -> None:
    found = with_superscripts(xml("46<sup>5</sup><sup>th</sup><sup><b>6</b></sup><Superior>7</Superior><sup/>"))
    assert written(found) == "46<sup>⁵</sup><sup>th</sup><sup><b>6</b></sup><Superior>⁷</Superior><sup/>"


def test_words_that_would_join_where_a_removed_word_was_are_apart() -> None:
    names = frozenset({"del"})
    assert written(parted(xml("<i>a</i><del>b</del><i>c</i>"), names)) == "<i>a</i> <del>b</del> <i>c</i>"
    assert written(parted(xml("<i>a,</i><del>b</del><i>.c</i>"), names)) == "<i>a,</i><del>b</del><i>.c</i>"
    assert written(parted(xml("<del>a</del><del>b</del>"), names)) == "<del>a</del><del>b</del>"
    assert written(parted(xml("<i>a</i>-<del>b</del>"), names)) == "<i>a</i>-<del>b</del>"
    assert written(parted(xml("<i>a</i><del>b</del>"), frozenset())) == "<i>a</i><del>b</del>"


def test_elements_for_characters_are_their_characters() -> None:
    characters = {"odq": "“", "uni": "@CODE"}
    text = '<odq/>a<uni CODE="00A7"/> 5<uni CODE="D800"/><uni CODE="xyz"/><uni/>b'
    assert written(with_characters(xml(text), characters)) == "“a§ 5b"


def test_notes_in_the_margin_are_elements_behind_the_text() -> None:
    margin = {"t": Margin(re.compile(r"(.*?)\s{3,}(\S.*)"), re.compile(r"(?=Rev\.)"))}
    found = with_margins(xml("<t>Lamps burn   Rev. 1\nat night   and 2\nall year   Rev. 3</t><t>Oil</t><t/>"), margin)
    assert written(found) == (
        "<t>Lamps burn\nat night\nall year<margin>Rev. 1 and 2</margin><margin>Rev. 3</margin></t><t>Oil</t><t/>"
    )


def test_lines_of_a_box_are_elements_with_the_name_of_their_first_link() -> None:
    root = xml('<b>x<i>y</i><br/><a>z</a> <a name="n">Art.</a> <a name="m">1</a><h2>H</h2>w<br/></b>')
    found = with_lines(root, xpath("//b"))
    assert (
        written(found) == '<b><line>x<i>y</i></line><line name="n">z Art. 1</line><h2>H</h2><line>w</line><line/></b>'
    )
    assert written(with_lines(xml("<b>x<br/>y</b>"), None)) == "<b>x<br/>y</b>"


def test_the_page_in_the_text_of_an_element_is_read_as_a_page() -> None:
    found = with_pages(xml("<t>a &lt;i&gt;b&lt;/i&gt; c</t><t>d &amp; e</t><u>&lt;i&gt;</u>"), frozenset({"t"}))
    assert written(found) == "<t>a <i>b</i> c</t><t>d &amp; e</t><u>&lt;i&gt;</u>"


_PROFILE = """name = "lamps_xml"
title = "Lamps"
documentation = "own"
jurisdiction = "gb"
language = "eng"
marks = ["<lamps"]
[work]
uri = "/akn/gb/act/{year}/{number}"
title = {title}
year = "@year"
number = "@no"
[num]
"section, item" = "n"
[[rules]]
select = "s"
as = "section"
[[rules]]
select = "t"
as = "item"
num = "@n"
"""


def test_a_profile_may_state_a_key_for_several_nodes_and_a_rule_its_own() -> None:
    profile = read_profile("lamps.toml", _PROFILE.replace("{title}", '["/none", "title"]'))
    section, item = profile.rules
    root = etree.fromstring('<lamps><title>Lamps</title><s n="9"><n>1</n></s></lamps>')
    child = root.find("s")
    assert child is not None
    assert section.num is not None
    assert item.num is not None
    assert [value_of(child, rule) for rule in (section.num, item.num)] == ["1", "9"]
    assert value_of(root, profile.values["title"]) == "Lamps"
    assert not profile.values["title"].is_absolute
    whole = read_profile("lamps.toml", _PROFILE.replace("{title}", '["/lamps/none", "/lamps/title"]'))
    assert whole.values["title"].is_absolute
