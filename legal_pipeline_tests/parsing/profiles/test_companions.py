"""Companion files of publishers, trees of JSON, and what a wrong profile says. Not here: folders with companions (`sources`)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ConfigurationError, ParseError
from legal_pipeline.parsing.profiles.companions import companion_hints, companion_names, companions_among
from legal_pipeline.parsing.profiles.documents import read
from legal_pipeline.parsing.profiles.json_tree import json_tree, plain_tree
from legal_pipeline.parsing.profiles.profile import Profile, profiles, read_profile

_LAMPS = {
    "ELI": "DU/2031/7", "title": "Ustawa o lampach", "displayAddress": "Dz.U. 2031 poz. 7", "announcementDate": "2031-02-03",
}  # fmt: skip


def hints(name: str, value: Any) -> dict[str, Any]:
    return companion_hints(name, json.dumps(value).encode())


def test_a_companion_names_the_work_of_its_text_and_its_dates() -> None:
    found = hints("lampy.meta.json", _LAMPS)
    assert found == {
        "title": "Ustawa o lampach",
        "number": "Dz.U. 2031 poz. 7",
        "work_uri": "/akn/pl/act/du/2031/7",
        "jurisdiction": "pl",
        "metadata": {"date_enacted": "2031-02-03"},
    }
    assert hints("lampy.meta.json", {"title": "Ustawa"}) == {"title": "Ustawa"}
    czech = {"eli": "/eli/cz/sb/2031/7", "nazev": "Zákon o lampách", "datumUcinnostiZneniOd": "2031-07-01"}
    assert hints("7-meta.json", czech)["as_of_date"] == "2031-07-01"
    with pytest.raises(ParseError):
        companion_hints("lampy.meta.json", b"{")


def test_a_text_has_the_companion_of_its_own_name_and_the_longest_ending_counts_first() -> None:
    assert companion_names("a_cons.xhtml")[0] == "a_metadata.json"
    names = ["a_cons.xhtml", "a_metadata.json", "b.html", "b.meta.json", "b.struct.json", "c.html", "d.meta.json"]
    assert companions_among(names) == {
        "a_cons.xhtml": {"a_metadata.json"},
        "b.html": {"b.meta.json", "b.struct.json"},
    }
    assert companions_among(["a.html", "b.txt"]) == {}


def test_a_tree_of_json_has_an_element_for_each_key_and_entry() -> None:
    value = {"a": [1, None, {"b": True}], "no key": "x", "ö": "\x07y", "empty": {}}
    assert etree.tostring(plain_tree("document", value), encoding="unicode") == (
        "<document><a><item>1</item><item/><item><b>True</b></item></a>"
        '<item key="no key">x</item><item key="ö">\ufffdy</item><empty/></document>'
    )


def test_fragments_lie_in_the_one_above_them_that_is_less_deep() -> None:
    profile = next(found for found in profiles() if found.options)
    names = profile.options
    rows = [(0, "a", "<i>x</i>"), (1, "b", ""), (2, "c", ""), (1, "d", "y"), (0, "f", ""), (-1, "e", "")]
    items = [{names["depth"]: depth, names["kind"]: kind, names["html"]: html} for depth, kind, html in rows]
    tree = json_tree(SourceFile("f.json", json.dumps({names["items"]: items}).encode()), profile)
    nested = [
        (element.tag, parent.tag)
        for element in tree.iter("a", "b", "c", "d", "e", "f")
        if (parent := element.getparent()) is not None
    ]
    assert nested == [("a", "document"), ("b", "a"), ("c", "b"), ("d", "a"), ("f", "document"), ("e", "document")]
    assert not any(names["html"] in element.attrib for element in tree.iter())
    assert tree.findtext("a/text/i") == "x"
    for wrong in ({}, [], {names["items"]: [{names["depth"]: "x"}]}, {names["items"]: 3}):
        with pytest.raises(ParseError, match="not the JSON of this format"):
            json_tree(SourceFile("f.json", json.dumps(wrong).encode()), profile)


_PROFILE = """name = "lamps_xml"
title = "Lamps"
documentation = "own"
jurisdiction = "gb"
language = "eng"
marks = ["<lamps"]
[work]
uri = "/akn/gb/act/{year}/{number}"
title = "title"
year = "@year"
number = ["/lamps/none", "@no"]
as_of_date = "day"
[lists]
keepers = "keeper"
lights = "light"
[num]
"section, item" = "n"
[[rules]]
select = "sections"
as = "section"
[[rules]]
select = "t"
as = "skip"
why = "a menu"
"""
_TEXT = '<lamps year="2031" no="7"><title>Lamps</title><keeper>A</keeper><keeper>B</keeper><light>C</light>{}</lamps>'


def profile(old: str = "", new: str = "") -> Profile:
    assert old in _PROFILE
    return read_profile("lamps.toml", _PROFILE.replace(old, new) if old else _PROFILE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('why = "a menu"\n', "", "what is left out needs a reason"),
        ('name = "lamps_xml"', 'name = "lamps_pdf"', "the name must end in one of"),
        ('title = "Lamps"\n', 'title = "Lamps"\ntitel = "x"\n', r"unknown keys \['titel'\] in the profile"),
        ('as = "section"', 'as = "section"\nselekt = "x"', r"unknown keys \['selekt'\]"),
        ('jurisdiction = "gb"\n', "", "the key 'jurisdiction' is missing"),
        ('marks = ["<lamps"]', "marks = 3", "a value of another kind"),
        ('select = "t"', 'select = "//a[preceding::b]"', "walks the document"),
    ],
)
def test_a_wrong_profile_says_what_is_wrong_with_it(old: str, new: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"^lamps\.toml: .*{message}"):
        profile(old, new)


def test_an_axis_in_a_text_is_no_search_and_a_key_is_for_whole_names() -> None:
    assert profile('select = "t"', "select = \"//a[@b='preceding::c']\"").rules[1].name == "skip"
    assert profile().rules[0].num is not None
    assert profile('"section, item"', '"subsection, item"').rules[0].num is None
    assert not profile().values["number"].is_absolute


def document(content: str = "", rule: Profile | None = None, **hints: Any) -> Any:
    return read(
        SourceFile("lamps.xml", _TEXT.format(content or "<p>Lit.</p>").encode(), hints=hints), rule or profile()
    )


def test_a_document_has_every_list_and_what_its_file_states_before_the_hints() -> None:
    found = document("<day>2031-05-06</day><p>Lit.</p>", title="Horns", as_of_date="2033-01-01", number="9")
    assert (found.metadata["keepers"], found.metadata["lights"]) == (["A", "B"], ["C"])
    assert (found.title, found.number, found.as_of_date) == ("Lamps", "7", "2031-05-06")
    assert (found.document_id, found.work_uri) == ("gb-act-2031-7", "/akn/gb/act/2031/7")
    without = document(as_of_date="2033-01-01", work_uri="/akn/gb/act/2032/8")
    assert (without.document_id, without.as_of_date) == ("gb-act-2032-8", "2033-01-01")


def test_a_work_without_a_value_of_its_address_says_which() -> None:
    with pytest.raises(ParseError, match="the year of the work is not in the document") as caught:
        document(rule=profile('year = "@year"', 'year = "@jahr"'))
    assert "or `work_uri` in a sidecar file" in str(caught.value)
