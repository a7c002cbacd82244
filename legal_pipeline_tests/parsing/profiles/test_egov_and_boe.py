"""Standard law XML of Japan and BOE XML of Spain: acts in our own words, in the publishers' mark-up."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words

_EGOV = """<?xml version="1.0" encoding="UTF-8"?>
<Law Era="Reiwa" Lang="ja" LawType="Act" Num="7" Year="09"><LawNum>令和九年法律第七号</LawNum><LawBody>
<LawTitle>灯台法</LawTitle>
<TOC><TOCLabel>目次</TOCLabel><TOCChapter Num="1"><ChapterTitle>第一章　総則</ChapterTitle>
<ArticleRange>（第一条・第一条の二）</ArticleRange></TOCChapter></TOC>
<MainProvision><Chapter Num="1"><ChapterTitle>第一章　総則</ChapterTitle>
<Article Num="1"><ArticleCaption>（目的）</ArticleCaption><ArticleTitle>第一条</ArticleTitle>
<Paragraph Num="1"><ParagraphNum/><ParagraphSentence>
<Sentence>この法律は、<Ruby>灯<Rt>とう</Rt></Ruby>台を定める。</Sentence></ParagraphSentence>
</Paragraph><Paragraph Num="2"><ParagraphNum>２</ParagraphNum><ParagraphSentence>
<Sentence>灯台は次のとおりとする。</Sentence>
</ParagraphSentence>
<Item Num="1"><ItemTitle>一</ItemTitle><ItemSentence><Sentence>赤い灯台</Sentence></ItemSentence></Item>
</Paragraph></Article><Article Num="1_2"><ArticleTitle>第一条の二</ArticleTitle><Paragraph Num="1"><ParagraphNum/><ParagraphSentence>
<Sentence>灯台守は灯をともす。</Sentence></ParagraphSentence></Paragraph></Article></Chapter></MainProvision>
<SupplProvision><SupplProvisionLabel>附　則</SupplProvisionLabel><Article Num="1"><ArticleTitle>第一条</ArticleTitle><Paragraph Num="1">
<ParagraphNum/><ParagraphSentence><Sentence>公布の日から施行する。</Sentence></ParagraphSentence></Paragraph></Article></SupplProvision>
<AppdxTable><AppdxTableTitle>別表</AppdxTableTitle><TableStruct><Table><TableRow><TableColumn><Sentence>岬</Sentence></TableColumn>
<TableColumn><Sentence>白</Sentence></TableColumn></TableRow></Table></TableStruct></AppdxTable></LawBody></Law>"""

_METADATA = """<metadatos><identificador>BOE-A-2031-100</identificador><rango codigo="1300">Ley</rango>
<titulo>Ley 3/2031, de 4 de mayo, de Puertos.</titulo><fecha_publicacion>20310505</fecha_publicacion></metadatos>"""
_LINES = (
    '<p class="titulo_num">TÍTULO I</p><p class="titulo_tit">De los puertos</p>',
    '<p class="articulo">Artículo 1. Objeto.</p><p class="parrafo">1. El guarda enciende la lámpara.</p>',
    '<p class="articulo">Art. 2.º</p><p class="parrafo">El guarda limpia la lámpara.</p>',
    '<p class="articulo">Artículo 2 bis.</p><p class="parrafo">El guarda apaga la lámpara.</p>',
    '<p class="articulo">Disposición transitoria primera. Lámparas viejas.</p><p class="parrafo">Se quitan.</p>',
    '<p class="anexo_num">ANEXO I</p><p class="anexo_tit">Lámparas</p><p class="parrafo">Una lámpara roja.</p>',
)
_OLD = '<version fecha_vigencia="20310601"><p class="articulo">Artículo 1. Objeto.</p><p class="parrafo">1. No hay lámpara.</p></version>'


def _consolidated() -> str:
    blocks = (
        f'<bloque id="b{index}">{_OLD if "Artículo 1." in lines else ""}<version fecha_vigencia="20320601">{lines}</version></bloque>'
        for index, lines in enumerate(_LINES)
    )
    return f"<response><data><documento>{_METADATA}<texto>{''.join(blocks)}</texto></documento></data></response>"


def read(text: str) -> tuple[SourceFile, Document]:
    source = SourceFile("law.xml", text.encode())
    return source, parse(source)


def test_a_japanese_law_has_its_articles_and_those_of_its_supplementary_provisions() -> None:
    source, document = read(_EGOV)
    assert (document.format, document.jurisdiction, document.title) == ("egov_xml", "jp", "灯台法")
    assert (document.number, document.work_uri) == ("令和九年法律第七号", "/akn/jp/act/law/reiwa-09/7")
    articles = [(node.num, node.heading) for node in document.provisions()]
    assert articles == [("1", "（目的）"), ("1-2", None), ("1", None)]
    assert [node.num for node in document.walk() if node.type in ("chapter", "subsection", "item")] == [
        "1", "1", "2", "1", "1", "1",
    ]  # fmt: skip
    assert [node.type for node in document.nodes][-3:] == ["chapter", "transitional", "schedule"]
    assert "とう" not in document.text
    assert "灯台を定める" in document.text
    assert not lost_words(source, document)
    assert document.warnings == ()


@pytest.mark.parametrize(
    "text",
    [f"<documento>{_METADATA}<texto>{''.join(_LINES)}</texto></documento>", _consolidated()],
    ids=["as published", "consolidated"],
)
def test_a_spanish_law_has_its_articles_in_their_last_wording(text: str) -> None:
    source, document = read(text)
    assert (document.format, document.work_uri) == ("boe_xml", "/akn/es/act/boe-a-2031-100")
    found = [(node.type, node.num, node.heading) for node in document.walk() if node.num]
    assert found == [
        ("title", "I", "De los puertos"),
        ("article", "1", "Objeto."),
        ("article", "2", None),
        ("article", "2 bis", None),
        ("section", "transitoria primera", "Lámparas viejas."),
        ("schedule", "I", "Lámparas"),
    ]
    assert "No hay lámpara" not in document.text
    assert not lost_words(source, document)
