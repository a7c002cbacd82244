"""Nothing that a source shows is lost in silence: sections are counted, words are looked for, and bare text is text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from legal_pipeline.building.format import MAX_TITLE_CHARS
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import IncompleteDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.html5 import flow, leaf_lines
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import lost_words
from legal_pipeline.parsing.stated_sections import found_sections
from legal_pipeline_tests.parsing.invariants import check_invariants
from legal_pipeline_tests.parsing.samples import SAMPLES
from legal_pipeline_tests.real_documents import existing

PAGE = SAMPLES["canonical_page"].decode("utf-8")
LIST_END = '<li><p class="text">i dimma.</p></li></ol>\n'


def section(num: int, text: str = "Fyren ska lysa.") -> str:
    sign = f'<a class="paragraf" id="SFS2099-10_K1_P{num}">{num} §</a>'
    return f'<h3 class="paragraph">{sign}</h3><p class="text">{text}</p>'


def page(change: str, place: str = "</ol>\n") -> SourceFile:
    """The canonical sample with `change` behind `place`."""
    assert place in PAGE
    return SourceFile("page.html", PAGE.replace(place, place + change, 1).encode())


def read(source: SourceFile) -> Document:
    document = parse(source)
    check_invariants(document)
    return document


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        ("Text utan taggar.", ["Text utan taggar."]),
        ("före <b>fet</b> och <a href='#'>länk</a>, efter", ["före fet och länk, efter"]),
        ("<div>ett<div>två</div>tre</div>", ["ett", "två", "tre"]),
        ("<center>mitt<p>i</p></center>", ["mitt", "i"]),
        ("<x-note>egen <em>tagg</em></x-note>", ["egen tagg"]),
        ('<div class="allmanna-rad">löst råd<p>råd</p></div>', ["löst råd", "råd"]),
        ("<ol>löst<li>ett</li>mellan<li>två</li></ol>", ["löst", "1. ett", "mellan", "2. två"]),
        (
            "<ul><li><p>först</p>sedan <b>fet</b><div>Ett <p>Två</p></div></li></ul>",
            ["- först", "sedan fet", "Ett", "Två"],
        ),
        (
            "<dl>lös<dt>fyr</dt><dd>torn med ljus</dd><div><dt>vakt</dt></div></dl>",
            ["lös", "fyr torn med ljus", "vakt"],
        ),
        ("<nav>Innehåll<ul><li>ett</li></ul></nav>", ["Innehåll", "ett"]),
    ],
)
def test_text_in_no_paragraph_of_its_own_is_text(change: str, lines: list[str]) -> None:
    document = read(page(change + section(2)))
    assert [node.num for node in document.provisions()] == ["1", "2"]
    between = document.text.partition("i dimma.")[2].partition("2 §")[0]
    assert [line for line in between.split("\n") if line] == lines
    assert document.warnings == ()


def test_text_beside_the_sign_of_a_section_is_its_text() -> None:
    document = read(SourceFile("page.html", PAGE.replace("1 §</a>", "1 §</a> Om ljuset", 1).encode()))
    assert "1 § Om ljuset\n\nFyren ska lysa." in document.text


def test_a_list_that_is_not_closed_ends_where_the_next_section_begins() -> None:
    """Browsers put all that follows into its last item."""
    for end in ("", "</li>"):
        unclosed = f'<ol class="list"><li><p class="text">i mörker.</p>{end}'
        document = read(page(unclosed + "".join(section(num) for num in range(2, 21))))
        assert [node.num for node in document.provisions()] == [str(num) for num in range(1, 21)]
        assert document.warnings == ()


def test_a_page_that_holds_two_acts_fails_with_both_numbers() -> None:
    second = f'<article class="legal-document" id="SFS2099-11">{section(1)}{section(2)}</article>'
    with pytest.raises(IncompleteDocumentError, match="1 of the 3 sections that the source marks") as caught:
        parse(SourceFile("page.html", (PAGE + second).encode()))
    assert (caught.value.format, caught.value.document) == ("canonical_html", "page.html")


def test_a_few_lost_sections_are_a_warning_with_both_numbers_and_call_for_review() -> None:
    many = page("".join(section(num) for num in range(2, 21)))
    second = f'<article class="legal-document" id="SFS2099-11">{section(1)}</article>'
    document = read(SourceFile("page.html", many.data + second.encode()))
    assert found_sections(document) == 20
    assert document.warnings[0] == "20 of the 21 sections that the source marks were found"
    assert document.requires_manual_review


def test_words_behind_the_article_are_a_warning_and_call_for_review() -> None:
    document = read(SourceFile("page.html", (PAGE + "<p>Lagen upphör ej.</p>").encode()))
    assert document.requires_manual_review
    assert document.warnings == ("the text lacks 3 of the words that the source shows: 'Lagen', 'upphör', 'ej'",)


def test_a_canonical_page_without_any_marked_section_is_still_read() -> None:
    body = "<h1>Lag (2099:10) om fyrar</h1><p>Fyren ska lysa.</p>Den ska lysa klart."
    document = read(
        SourceFile("page.html", f'<article class="legal-document" id="SFS2099-10">{body}</article>'.encode())
    )
    assert (document.format, document.document_id) == ("canonical_html", "se-sfs-2099-10")
    assert document.text.endswith("Fyren ska lysa.\n\nDen ska lysa klart.")
    assert not document.requires_manual_review


@pytest.mark.parametrize(
    "sample",
    ["canonical_page", "riksdagen_page", "swedish_page", "akn_page", "akn_xml", "uslm_xml", "dc_xml", "ecfr_xml"],
)
def test_every_reader_of_marked_structure_accounts_for_the_words_of_its_source(sample: str) -> None:
    source = SourceFile(sample, SAMPLES[sample])
    document = read(source)
    assert lost_words(source, document) == []
    cut = Document.from_json({**document.to_json(), "text": document.text.split(" ", 1)[0], "nodes": []})
    lost = lost_words(source, cut)
    assert lost
    assert set(lost) <= set(re.findall(r"[^\W\d_]+|\d+", document.text))


def test_a_division_inside_the_text_of_a_swedish_page_does_not_cut_it_in_silence() -> None:
    text = (
        SAMPLES["swedish_page"].decode("utf-8").replace("2 § En fyrvakt ska", "<div>Ny rad</div>\n\n2 § En fyrvakt ska")
    )
    with pytest.raises(IncompleteDocumentError, match="words that the source shows"):
        parse(SourceFile("page.html", text.encode()))


def test_a_table_inside_a_table_of_a_word_processor_page_stands_once() -> None:
    paragraphs = '<p style="margin:0"><b>PART I</b></p><p style="margin:0">An Act</p>' + "".join(
        f'<p style="margin:0"><b>{num}. Oil</b></p>' for num in (1, 2)
    )
    inner = "<table><tr><td>by day</td><td>by night</td></tr></table>"
    table = f"<table><caption>Tolls</caption><tbody><tr><td>Barge</td><td>{inner}</td></tr></tbody></table>"
    document = read(SourceFile("act.html", f"<html><body>{paragraphs}{table}</body></html>".encode()))
    (node,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(node) == "by day | by night"
    assert document.text.endswith("2. Oil\n\nTolls\n\nBarge\n\nby day | by night")


def test_the_parts_of_a_page_are_runs_of_text_and_elements_in_order() -> None:
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser("<body>a <b>b<i>c</i></b><p>d</p><b>e<p>f</p></b><!-- g -->h<script>i</script>").body
    assert body is not None
    assert [part if isinstance(part, list) else part.tag for part in flow(body)] == [["a bc"], "p", "b", ["h"]]
    assert list(leaf_lines(body)) == ["a bc", "d", "e", "f", "h"]


@pytest.mark.corpus
def test_no_real_page_loses_a_word(corpus: Path) -> None:
    """Swedish, Zimbabwean and American pages: mark-up that they share with the samples, and much that they do not."""
    files = [
        path
        for folder in ("se/canonical_html", "se/agency", "se/rkrattsbaser_html", "zw/importer_html", "zw/akn_xml", "us")
        for path in existing(corpus / folder, "**/*")
        if path.suffix.lower() in (".html", ".xml") and "index" not in path.name
    ]
    documents = [parse(SourceFile(path.name, path.read_bytes())) for path in files]
    assert len(documents) > 30
    assert [
        (document.source_file, warning)
        for document in documents
        for warning in document.warnings
        if "words that the source shows" in warning or "sections that the source marks" in warning
    ] == []


def test_a_document_that_lacks_more_than_one_in_a_hundred_words_is_refused() -> None:
    """What is in a row and in no cell of it belongs to no table that a reader can walk."""
    text = " ".join(f"word{number}" for number in range(40))
    xml = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><body><section eId="sec_1">
    <num>1.</num><content><table><caption>Tolls</caption><tr><td>Barge</td><orphan>{}</orphan></tr></table></content></section></body></act></akomaNtoso>"""
    source = SourceFile("canal.xml", xml.format(text).encode())
    with pytest.raises(IncompleteDocumentError, match="words that the source shows"):
        parse(source)
    few = parse(SourceFile("canal.xml", xml.format("lost").encode()))
    assert few.requires_manual_review


def test_a_title_without_end_is_cut_since_every_chunk_carries_it() -> None:
    title = " ".join(f"fyrtorn{number}" for number in range(1000))
    document = parse(SourceFile("fyr.md", f"---\ntitle: {title}\n---\n\n# § 1\n\nFyren tänds i skymningen.\n".encode()))
    assert document.title == f"{title[:MAX_TITLE_CHARS].rpartition(' ')[0]}…"


def test_the_sample_law_is_read_without_a_warning() -> None:
    files = existing(Path(__file__).parents[2] / "data" / "sample" / "in", "*")
    assert [(file.name, parse(SourceFile(file.name, file.read_bytes())).warnings) for file in files] == [
        (file.name, ()) for file in files
    ]


def test_the_words_of_two_images_stay_apart() -> None:
    text = "# Lampengesetz\n\nVor der Lampe:\n\n![plan_1.jpg](a.jpg)![plan_2.jpg](b.jpg)Der Wärter.\n"
    source = SourceFile("lampen.md", text.encode())
    document = read(source)
    assert "plan_1.jpg plan_2.jpg Der Wärter." in document.text
    assert lost_words(source, document) == []


@pytest.mark.parametrize(
    "line",
    [
        "```bash\nlight --lamp 1\n```",
        "    ```python\n    light(1)\n    ```",
        "~~~json\n{}\n~~~",
        "See [the log](../logs/(harbour)/lamp.md) and [the rule](https://harbour.example/Lamp_(sea)).",
    ],
)
def test_the_language_of_code_and_the_address_of_a_link_are_no_words_of_a_text(line: str) -> None:
    text = "# Notes on lamps\n\n" + "\n\n".join(f"The keeper lights the lamp.\n\n{line}" for _ in range(9))
    document = parse(SourceFile("notes.md", text.encode()))
    assert document.text.count("lights the lamp") == 9
    assert not any("lacks" in warning for warning in document.warnings)
