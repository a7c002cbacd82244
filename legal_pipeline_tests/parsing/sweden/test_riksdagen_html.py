"""The Riksdag's HTML: anchors, breaks and bare text nodes become chapters, §§, stycken and lists."""

# ruff: noqa: E501 (the page is written as its publisher writes it)

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import check_tree
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.growth import best_of_three, check_seconds

PAGE = """<h2>Bryggförordning (2099:77)</h2>
<b>SFS nr</b>: 2099:77<br>
<b>Departement/myndighet</b>: Sjödepartementet <br>
<b>Utfärdad</b>: 2099-02-03 <br>
<b>Ändrad</b>: t.o.m. SFS 2100:5<br>
<hr>
<div class="sfstoc"><h3>Innehåll:</h3><ul><li>1 kap. Bryggor
</li><li>Övergångsbestämmelser</li></ul></div>
<div><p><a name="S1"></a></p><br><h3 name="K1"><a name="K1">1 kap. Bryggor
</a></h3><h4 name="A"><a name="A">Ägare</a></h4><a class="paragraf" name="K1P1"><b>1 §</b></a> &nbsp;&nbsp;Den som äger en  brygga ska sköta den.<br>
Det gäller också gångbro-
ar. <i>Förordning (2100:5)</i>.<p><a name="K1P1S2"></a></p>

I fråga om utlands-  ägda bryggor ska<br>
&nbsp;&nbsp;&nbsp;1. ägaren, och<br>
&nbsp;&nbsp;&nbsp;2. hamnen<br>
&nbsp;&nbsp;&nbsp;a) sommartid, och<br>
&nbsp;&nbsp;&nbsp;b) vintertid<br>
svara för tillsyn enligt
14 § hamnlagen.<p><a name="K1P1S3"></a></p><a class="paragraf" name="K1P2a"><b>2 a §</b></a> &nbsp;&nbsp;/Upphör att gälla U:2101-01-01/<br>
Avgiften är 10 kronor.<br><i><a href="/x" class="legal-ref">Förordning (2100:5)</a></i>.<p><a name="K1P2aS2"></a></p><br><h3 name="overgang"><a name="overgang">Övergångsbestämmelser</a></h3>
2099:77<p><a name="K1P2aS2"></a></p>

Denna förordning träder i kraft den 1 mars 2099.<p><a name="K1P2aS3"></a></p>

2100:5<br>
&nbsp;&nbsp;&nbsp;1. Denna förordning träder i kraft den 1 mars 2100.<br>
&nbsp;&nbsp;&nbsp;2. Äldre avgifter gäller året ut.</div>"""


def source(text: str) -> SourceFile:
    return SourceFile("page.html", text.encode())


def document():  # type: ignore[no-untyped-def]
    return parse(source(PAGE))


def test_a_section_has_its_stycken_items_and_marks() -> None:
    statute = document()
    section = next(statute.provisions())
    assert statute.text_of(section).startswith(
        "1 § Den som äger en brygga ska sköta den. Det gäller också gångbroar. Förordning (2100:5)."
    )
    kinds = [(node.type, node.num) for node in section.children]
    assert kinds == [("subsection", "1"), ("remark", None), ("subsection", "2")]
    items = section.children[2].children
    assert [(item.num, [inner.num for inner in item.children]) for item in items] == [("1", []), ("2", ["a", "b"])]


def test_lines_broken_inside_a_stycke_are_joined_and_a_reference_stays_text() -> None:
    statute = document()
    assert "b) vintertid svara för tillsyn enligt 14 § hamnlagen." in statute.text
    assert [section.num for section in statute.provisions()] == ["1", "2 a"]


def test_temporal_marks_and_amendments_are_on_the_section() -> None:
    section = list(document().provisions())[1]
    assert section.valid_to == "2101-01-01"
    assert [amendment.by for amendment in section.amendments] == ["SFS 2100:5"]


def test_the_contents_are_a_toc_and_the_header_is_metadata() -> None:
    statute = document()
    assert statute.nodes[0].type == "toc"
    assert (statute.document_id, statute.doc_type) == ("se-sfs-2099-77", "regulation")
    assert statute.metadata == {
        "department": "Sjödepartementet",
        "issued": "2099-02-03",
        "consolidated_through": "SFS 2100:5",
        "quality_score": 1.0,
    }


def test_each_amending_act_has_its_transitional_provisions() -> None:
    statute = document()
    container = statute.nodes[-1]
    assert [(act.num, len(act.children)) for act in container.children if act.type == "transitional"] == [
        ("2099:77", 2),
        ("2100:5", 3),
    ]


_ANCHOR = '<a class="paragraf" name="K1P2a"><b>2 a §</b></a> &nbsp;&nbsp;/Upphör att gälla U:2101-01-01/<br>'


@pytest.mark.parametrize(("before", "num"), [("2", "2 a"), ("2 a", "2 b"), ("1", "2")])
def test_a_section_without_an_anchor_is_one_where_its_number_is_the_next(before: str, num: str) -> None:
    page = PAGE.replace("<b>1 §</b>", f"<b>{before} §</b>")
    statute = parse(source(page.replace(_ANCHOR, f"<p></p>{num.replace(' ', chr(0xA0))} § ")))
    assert [section.num for section in statute.provisions()] == [before, num]
    assert statute.warnings == ()


@pytest.mark.parametrize("num", ["2 a", "3", "9"])
def test_a_section_without_an_anchor_that_is_not_the_next_stays_where_it_is_and_is_named_in_a_warning(num: str) -> None:
    statute = parse(source(PAGE.replace(_ANCHOR, f"<p></p>{num} § ")))
    assert [section.num for section in statute.provisions()] == ["1"]
    assert statute.warnings == (f"1 kap. {num} § has no mark-up and is inside 1 kap. 1 §",)
    assert statute.requires_manual_review


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (PAGE[: PAGE.index("Äldre avgifter")], TruncatedDocumentError),
        (PAGE.replace("2099:77", ""), ParseError),
        (PAGE[: PAGE.index("<div><p>")], EmptyDocumentError),
    ],
)
def test_damaged_pages_raise_their_kind_of_error(page: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse(source(page), "riksdagen_html")


@pytest.mark.corpus
def test_arbetsmiljolagen_has_118_sections_one_of_them_in_two_wordings(corpus: Path) -> None:
    path = next((corpus / "se/riksdagen_html").glob("sfs-1977-1160*"))
    statute = parse(SourceFile(path.name, path.read_bytes()))
    check_tree(statute)
    sections = [node for node in statute.walk() if node.type == "section"]
    assert len(sections) == 119
    assert sum(node.type == "chapter" for node in statute.walk()) == 9
    double = [node for node in sections if node.num == "17" and (node.valid_from or node.valid_to)]
    assert [(node.valid_to, node.valid_from) for node in double] == [("2028-07-01", None), (None, "2028-07-01")]
    assert [node.num for node in sections if node.status == "repealed"] == ["14", "9", "4", "9", "1"]
    assert "  " not in statute.text


@pytest.mark.corpus
def test_the_three_sections_that_the_riksdag_left_without_an_anchor_are_sections(corpus: Path) -> None:
    path = next((corpus / "se/riksdagen_html").glob("sfs-1977-1160*"))
    statute = parse(SourceFile(path.name, path.read_bytes()))
    found = {node.eid: statute.text[node.start : node.end] for node in statute.walk() if node.type == "section"}
    assert found["chp_3__sec_3a"].startswith("3 a § En arbetsgivare ska utan dröjsmål underrätta")
    assert found["chp_3__sec_3"].endswith("Lag (2002:585).")
    assert {"chp_8__sec_5a", "chp_8__sec_6a"} <= found.keys()
    assert statute.warnings == ()


@pytest.mark.corpus
def test_two_megabytes_of_pages_are_parsed_in_a_second(corpus: Path) -> None:
    path = next((corpus / "se/riksdagen_html").glob("sfs-1977-1160*"))
    data = path.read_bytes()
    limit = len(data) / 2_000_000
    check_seconds(best_of_three(lambda: parse(SourceFile("aml.html", data), "riksdagen_html"), enough=limit), limit)
