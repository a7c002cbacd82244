"""LILEX pages of Liechtenstein and Slov-Lex pages of Slovakia: acts in our own words, in the publishers' mark-up."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse

_CONTENTS = '<div class="tit1">Inhaltsverzeichnis</div><div class="inheintrag">1. Abschnitt: Laternen §§ <a href="#par:1">1</a>-2</div>'
_LILEX = (
    '<html><head><link href="../../css/lgbl-2-html.css" rel="stylesheet">'
    '<meta name="description" content="Laternengesetz (LatG) vom 4. Mai 2031">'
    '</head><body>{contents}<div align="center"><table><tr><td>311.9</td></tr><tr><td>Liechtensteinisches Landesgesetzblatt</td></tr>'
    "<tr><td>Jahrgang 2031</td><td>Nr. 9</td><td>ausgegeben am 8. Mai 2031</td></tr></table></div>"
    '<div class="htit1">Laternengesetz (LatG)</div><div class="vom">vom 4. Mai 2031</div>'
    '<div class="art">§ 1<div class="abs">1) Der Wärter zündet die Laterne an.</div></div>'
    '<div class="art">§ 2<div class="abs">1) Er löscht sie am Morgen.</div></div></body></html>'
)
_SLOVLEX = (
    '<div class="predpisFullWidth"><div id="predpis-header-column"><h1>9/2031 Z. z.</h1>'
    '<div class="ucinnost_header" data-from="2032-01-01"></div></div>'
    '{iri}<div id="predpis"><div class="predpisTyp">ZÁKON</div><div class="predpisNadpis">o lampách prístavov</div>'
    '<div class="paragraf Skupina"><div class="paragrafOznacenie">§ 1</div><div class="text">Strážca zapáli lampu.</div></div>'
    '<div class="paragraf Skupina"><div class="paragrafOznacenie">§ 2</div><div class="text">Ráno ju zhasne.</div></div></div></div>'
)


def test_the_gazette_of_a_lilex_page_may_stand_below_its_contents() -> None:
    above, below = (
        parse(SourceFile("latg.html", _LILEX.format(contents=contents).encode())) for contents in ("", _CONTENTS)
    )
    assert above.document_id == below.document_id == "li-act-lgbl-2031-9"
    assert [node.num for node in below.walk() if node.type == "article"] == ["1", "2"]
    assert [below.text[node.start : node.end] for node in below.walk() if node.type == "toc"] == [
        "Inhaltsverzeichnis",
        "1. Abschnitt: Laternen §§ 1-2",
    ]


def test_a_slovlex_page_without_its_address_is_known_by_its_number() -> None:
    pages = (_SLOVLEX.format(iri=iri) for iri in ('<div id="iri" data-iri="/SK/ZZ/2031/9/20320101"></div>', ""))
    with_address, without = (parse(SourceFile("zakon.html", page.encode())) for page in pages)
    assert with_address.work_uri == without.work_uri
    assert (without.document_id, without.number, without.as_of_date) == ("sk-act-2031-9", "9/2031 Z. z.", "2032-01-01")
