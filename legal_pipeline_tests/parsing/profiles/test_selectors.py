"""Selectors and paths of profiles give what CSS and XPath give, and none may walk the document for each element."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.reader import Reader
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ConfigurationError, ParseError
from legal_pipeline.parsing.profiles.documents import tree_of
from legal_pipeline.parsing.profiles.paths import value_path, with_descendants, xpath
from legal_pipeline.parsing.profiles.profile import Value, profiles, read_profile
from legal_pipeline.parsing.profiles.selectors import RuleIndex, Selector, css_selector
from legal_pipeline.parsing.profiles.values import value_of, values_of
from legal_pipeline.parsing.registry import detect
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth
from legal_pipeline_tests.real_documents import existing

_SAMPLE = etree.fromstring(
    """<act id="a" class="law old"><head><num>1</num><title kind="long"/></head>
    <div class="unit  unit_arti" id="u1"><num value="3">3</num><p>Keepers.</p><div class="unit"><p class="gloss">Lamps.</p></div></div>
    <div class="unit"><num/><p><span class="old gloss" href="#fn2">Dusk.</span></p></div></act>"""
)
_PROFILE = """
name = "lamps_xml"
title = "Lamps"
documentation = "https://lamps.example"
jurisdiction = "xx"
language = "eng"
marks = ["<act"]
rules = [{ select = "SELECT", as = "section", num = "NUM" }]
[work]
uri = "/akn/xx/act/{year}/{number}"
title = "//title"
"""


@pytest.mark.parametrize(
    "text",
    ["num", ".gloss", "div.unit", ".unit.unit_arti", "#u1", "act", "div > num", "div p", "act .gloss, span", "head > num, div > p > span",
     "num:first-child", "div > num:first-child", "title[kind=long]", "[href^='#fn']", "span[href^='#fn'].old", "act > p", "p:last-child",
     "div div > p", "div[class^='unit']", "[href*='n2']", "div[id*='u']:not([id*='2'])", "div:not([id=u1]) p", "p:first-of-type",
     "div > p:first-of-type",
     "div:not([id='u1']):not([class^=law]), :not([kind=long])[class]", "num[value='']", "div[class*='']"],
)  # fmt: skip
def test_an_index_selects_what_css_selects(text: str) -> None:
    selector = css_selector(text)
    assert _selected(selector, _SAMPLE) == set(selector.xpath(_SAMPLE))


def _selected(selector: Selector, root: etree._Element) -> set[etree._Element]:
    return set(RuleIndex([[selector]]).first_rules(root))


def test_an_element_has_the_first_rule_that_selects_it_whatever_the_kinds_of_the_selectors() -> None:
    def numbers(*texts: str) -> list[int | None]:
        index = RuleIndex([[Selector(text, xpath(text)) if text[0] == "/" else css_selector(text)] for text in texts])
        rules = index.first_rules(_SAMPLE)
        return [rules.get(element) for element in _SAMPLE.iter("p")]

    assert numbers("//p[@class]", "p", "//p") == [1, 0, 1]
    assert numbers("p.gloss", "//p[not(@class)]", "div p") == [1, 0, 1]
    assert numbers("span", "div.unit > .gloss") == [None, 1, None]


@pytest.mark.corpus
def test_an_index_selects_what_css_selects_in_files_of_the_world(corpus: Path) -> None:
    by_name = {profile.name: profile for profile in profiles() if profile.companion is None}
    compared = 0
    for path in existing(corpus / "world", "**/*"):
        source = SourceFile(path.name, path.read_bytes()) if path.is_file() else None
        try:
            profile = by_name.get(detect(source).name) if source is not None else None
        except ParseError:
            continue
        if source is None or profile is None:
            continue
        root = tree_of(source, profile)
        for selector in (selector for rule in profile.rules for selector in rule.select if selector.compounds):
            found = _selected(selector, root)
            assert found == set(selector.xpath(root)), (path.name, selector.text)
            compared += len(found)
    assert compared > 10_000


def test_a_value_that_walks_the_document_for_each_element_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="preceding:: walks the document for each element"):
        read_profile("lamps.toml", _PROFILE.replace("SELECT", "section").replace("NUM", "preceding::num[1]"))


def test_a_condition_that_walks_the_document_for_each_element_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="following:: in a condition"):
        read_profile("lamps.toml", _PROFILE.replace("SELECT", "//table[following::a]").replace("NUM", "num"))


def test_a_selector_may_begin_at_one_element_and_take_what_follows_it() -> None:
    text = _PROFILE.replace("SELECT", "(//a[@name='following::'])[1]/following::table").replace("NUM", "num")
    assert read_profile("lamps.toml", text).rules[0].name == "section"


def test_an_eid_that_stands_often_is_made_unique_in_linear_time() -> None:
    def reading(n: int) -> object:
        body = Element(
            "body",
            content=[Element("section", eid="sec_1", content=[Element("p", content=["Lamps."])]) for _ in range(n)],
        )
        return lambda: Reader(DocumentBuilder()).read(body)

    assert growth(reading, 500) < NEARLY_LINEAR


def test_tables_say_what_rules_of_several_names_share_and_a_rule_may_say_otherwise() -> None:
    rules = """rules = [
      { select = "sec", as = "section" }, { select = "art", as = "article", num = "@no" }, { select = "chp", as = "chapter" } ]"""
    text = "\n".join(rules if line.startswith("rules") else line for line in _PROFILE.split("\n"))
    section, article, chapter = read_profile("lamps.toml", text + '[num]\n"section, article" = "no"').rules
    item = etree.fromstring('<sec no="2"><no>1</no></sec>')
    found = [value_of(item, rule.num) for rule in (section, article) if rule.num is not None]
    assert (found, chapter.num) == (["1", "2"], None)


def test_a_profile_without_a_work_is_refused_with_the_key_that_is_missing() -> None:
    with pytest.raises(ConfigurationError, match=r"lamps\.toml: the key 'work' is missing"):
        read_profile("lamps.toml", 'name = "lamps_xml"')


@pytest.mark.parametrize("line", ['colour = "red"', 'num = "no"'])
def test_a_key_that_profiles_do_not_have_is_refused(line: str) -> None:
    with pytest.raises(ConfigurationError, match="lamps"):
        read_profile("lamps.toml", line + _PROFILE)


@pytest.mark.parametrize(
    "text",
    ["//p", "//div//p", "//div[@class]//p[1]", "//p[position() = 1]", "//num[count(//p)]", "//div[div//p]/num", "(//p)[2]",
     "//*[@value = 3]",     "//div[p[1]]//p/@class", "//*[@id = 'u//1']//p", "//p[last()]", "//num[2 - 1]",
     "//text()", "//@id", ".//p[1] | .//div[1]/num"],
)  # fmt: skip
def test_a_path_at_any_depth_selects_what_it_says(text: str) -> None:
    assert xpath(text)(_SAMPLE) == etree.XPath(text)(_SAMPLE)


@pytest.mark.parametrize("text", ["div", "@id", "missing", "@missing", ".", "div/num"])
def test_a_path_of_a_value_selects_what_xpath_selects(text: str) -> None:
    for element in _SAMPLE.iter(etree.Element):
        assert value_path(text)(element) == etree.XPath(text)(element)


def test_only_conditions_on_a_place_keep_a_path_from_being_walked_once() -> None:
    assert with_descendants("//div[@id = 'a']//p[b[2]]") == "/descendant::div[@id = 'a']/descendant::p[b[2]]"
    for kept in ("//p[1]", "//p[@id][2]", "//p[position() < 3]", "//p[last()]", "//p[count(b)]"):
        assert with_descendants(kept) == kept


def test_a_path_through_many_elements_takes_no_square() -> None:
    path = xpath("//div[@class='page']//p[@class='text']")

    def make(number: int) -> Callable[[], object]:
        page = "<div class='page'>" + "<p>The <i>lamp</i> is lit.</p>" * 20 + "<p class='text'/>" + "</div>"
        root = etree.fromstring(f"<body>{page * number}</body>")
        return lambda: path(root)

    # a tree four times as large as one of 1,000 pages is not in the processor's cache, and walking it takes 13 times as long
    assert growth(make, 400) < NEARLY_LINEAR


def test_a_path_that_values_share_is_walked_once() -> None:
    asked: list[etree._Element] = []

    def path(element: etree._Element) -> list[str]:
        asked.append(element)
        return ["Lamps Act", "1999"]

    found = values_of(_SAMPLE, {"title": Value([path]), "citation": Value([path], joined=True), "year": Value([path])})
    assert found == {"title": "Lamps Act", "citation": "Lamps Act 1999", "year": "Lamps Act"}
    assert asked == [_SAMPLE]
