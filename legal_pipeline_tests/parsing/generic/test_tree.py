"""XML of unknown elements and JSON of unknown fields, read as pages; own samples, and the world's files read without their profiles."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, UnknownFormatError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth

_LAMPS = "The keeper of the pier lights the lamp at dusk and watches it until dawn"


def read(body: str, root: str = "enactment") -> Document:
    return parse(SourceFile("lamps.xml", f"<?xml version='1.0' encoding='utf-8'?>\n<{root}>{body}</{root}>".encode()))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type in ("section", "article")]


def clause(number: str, heading: str, text: str) -> str:
    return f"<clause><no>{number}</no><caption>{heading}</caption><text>{text}</text></clause>"


def clauses(most: int) -> str:
    return "".join(
        clause(f"§ {number}", f"Lights of pier {number}", f"{_LAMPS} {number}.") for number in range(1, most + 1)
    )


def test_a_number_and_a_heading_in_elements_of_their_own_make_a_provision() -> None:
    document = read(f"<name>Lamps Act</name>{clauses(4)}")
    assert (document.format, document.title, document.doc_type) == ("generic_xml", "Lamps Act", "act")
    assert numbers(document) == ["1", "2", "3", "4"]
    second = next(node for node in document.walk() if node.num == "2")
    assert second.heading == "Lights of pier 2"
    assert document.text[second.start : second.end].endswith(f"{_LAMPS} 2.")


def test_the_word_the_number_and_the_heading_of_an_article_are_one_line() -> None:
    articles = "".join(
        f"<art><kop><label>Artikel</label><nr>{n}</nr><titel>Lamp {n}</titel></kop>"
        f"<al>De wachter ontsteekt de lamp van de pier {n}.</al></art>"
        for n in range(1, 5)
    )
    document = read(f"<opschrift>Wet op de lampen</opschrift>{articles}")
    assert numbers(document) == ["1", "2", "3", "4"]
    assert [node.heading for node in document.walk() if node.type == "article"] == [f"Lamp {n}" for n in range(1, 5)]


def test_what_is_numbered_inside_the_provisions_has_brackets() -> None:
    rules = "".join(
        f"<p1><n>{n}</n><body><p2><n>1</n><t>{_LAMPS} {n}.</t></p2>"
        f"<p2><n>2</n><t>No keeper may leave the lamp of the pier {n} at night.</t></p2>"
        "</body></p1>"
        for n in range(1, 6)
    )
    document = read(f"<name>Lamps Act 2031</name>{rules}")
    assert numbers(document) == ["1", "2", "3", "4", "5"]
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["1", "2"] * 5


def test_a_chapter_above_a_provision_is_a_line_of_its_own() -> None:
    document = read(f"<chap><no>Chapter 1</no><caption>LIGHTS</caption>{clauses(2)}</chap><chap><no>Chapter 2</no><caption>Fees</caption>"
                    + clause("§ 3", "Lamp 3", f"{_LAMPS} 3.") + "</chap>")  # fmt: skip
    assert numbers(document) == ["1", "2", "3"]
    assert [(node.num, node.heading) for node in document.walk() if node.type == "chapter"] == [
        ("1", "LIGHTS"),
        ("2", "Fees"),
    ]


def test_a_number_that_is_printed_again_and_facts_are_left_out_and_listed() -> None:
    body = "".join(
        f"<par><id>{n}</id><no>§ {n}.</no><text>{_LAMPS} {n}.</text><since>2031-01-0{n}</since></par>"
        for n in range(1, 5)
    )
    document = read(f"<metadata><key>7 of<b/> 9</key></metadata><name>Lamps Act</name>{body}")
    assert numbers(document) == ["1", "2", "3", "4"]
    assert "2031" not in document.text
    assert document.metadata["left_out"][:4] == ["7 of", "9", "1", "2031-01-01"]
    assert document.warnings[0] == (
        "XML of unknown elements was read as a page; 11 words of facts beside the text were left out"
    )


def test_words_in_a_line_stay_in_it_and_lists_in_a_line_are_paragraphs() -> None:
    body = (
        f"{clauses(3)}<clause><no>§ 4</no><text>The <term>keeper</term> lights the <term>lamp</term> of<ref>section 1</ref>:"
        "<item><no>(a)</no><text>at dusk;</text></item><item><no>(b)</no><text>in fog.</text></item></text></clause>"
    )
    document = read(f"<name>Lamps Act</name>{body}")
    last = next(node for node in document.walk() if node.num == "4")
    assert "The keeper lights the lamp of" in document.text[last.start : last.end]
    assert [node.num for node in last.walk() if node.type == "paragraph"] == ["a", "b"]


def test_a_number_beside_its_text_is_not_a_part_of_its_first_word() -> None:
    body = "".join(
        f"<clause><no>§ {n}</no>Every keeper of lamp {n} lights it at dusk and watches it.</clause>"
        for n in range(1, 6)
    )
    document = read(f"<name>Lamps Act</name>{body}")
    assert numbers(document) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("text", ["&lt;p&gt;{0}&lt;/p&gt;&lt;p&gt;{1}&lt;/p&gt;", "[[p]]{0}[[/p]][[p]]{1}[[/p]]"])
def test_a_page_inside_an_element_is_read_as_one(text: str) -> None:
    clause_of = text.format("§ {0} " + _LAMPS + " {0}.", "No keeper may leave the lamp {0} at night.")
    document = read("<name>Lamps Act</name>" + "".join(f"<c>{clause_of.format(n)}</c>" for n in range(1, 5)))
    assert numbers(document) == ["1", "2", "3", "4"]
    assert "[" not in document.text
    assert "No keeper may leave the lamp 2 at night." in document.text


def test_paragraphs_that_are_set_by_spaces_and_empty_lines_are_paragraphs() -> None:
    text = "\n".join(f"   § {n} {_LAMPS}\nof the pier {n}." for n in range(1, 4)) + f"\n\n§ 4 {_LAMPS} 4."
    assert numbers(read(f"<name>Lamps Act</name><text>{text}</text>")) == ["1", "2", "3", "4"]


def test_tables_and_footnotes_are_what_they_are() -> None:
    document = read(
        f"<name>Lamps Act</name>{clauses(4)}<l:table xmlns:l='urn:l'><l:tr><l:td>Lamp</l:td><l:td>Fee</l:td></l:tr>"
        "<l:tr><l:td>Green</l:td><l:td>9</l:td></l:tr></l:table><footnote><no>1</no><text>Amended by Act 5.</text></footnote>"
    )
    types = {node.type: document.text[node.start : node.end] for node in document.walk()}
    assert types["table"] == "Lamp | Fee\nGreen | 9"
    assert types["footnote"] == "1 Amended by Act 5."


def test_the_language_that_the_root_states_is_that_of_the_document() -> None:
    assert read(f"<name>Lamps</name>{clauses(4)}", root="law xml:lang='en'".partition(" ")[0]).language == "eng"
    source = SourceFile(
        "l.xml", f"<?xml version='1.0'?><law xml:lang='sv'><name>Lag om lyktor</name>{clauses(4)}</law>".encode()
    )
    assert parse(source).language == "swe"


def test_prose_without_provisions_is_a_text_and_data_is_refused() -> None:
    prose = "".join(f"<para>{_LAMPS}, said keeper {n}.</para>" for n in range(4))
    assert read(f"<name>On lamps</name>{prose}").doc_type == "other"
    rows = "".join(f"<row><name>Lamp {n}</name><place>Pier</place></row>" for n in range(40))
    with pytest.raises(UnknownFormatError, match="XML of unknown elements; describe them in a profile") as error:
        read(rows)
    assert error.value.closest


@pytest.mark.parametrize("root", ["rss", "feed", "urlset", "svg"])
def test_lists_of_new_files_and_drawings_are_refused(root: str) -> None:
    with pytest.raises(UnknownFormatError, match="XML of unknown elements"):
        read(f"<name>Lamps</name>{clauses(4)}", root)


def test_json_whose_provisions_are_values_is_a_law() -> None:
    articles = [
        {"nroClausula": n, "rotulo": f"Article {n}", "cuerpo": [f"{_LAMPS} {n}."], "enlace": f"/lamps/{n}/text"}
        for n in range(1, 8)
    ]
    document = parse(SourceFile("law.json", json.dumps({"nombre": "Lamps Act", "clausulas": articles}).encode()))
    assert (document.format, numbers(document)) == ("generic_json", [str(n) for n in range(1, 8)])
    assert "/lamps/3/text" in document.metadata["left_out"]


def test_json_in_nested_lists_is_a_law() -> None:
    value = [
        ["CHAPTER ONE—LAMPS", [[f"Article {n}. {_LAMPS} {n}.", "(a) at dusk;", "(b) in fog."] for n in range(1, 8)]]
    ]
    document = parse(SourceFile("law.json", json.dumps(value).encode()))
    assert numbers(document) == [str(n) for n in range(1, 8)]


def test_json_about_laws_and_lists_of_laws_are_refused() -> None:
    about = {
        "title": "Lamps Act",
        "rows": [{"number": f"{n}.", "heading": f"Lamp {n}", "in": "Part 1"} for n in range(1, 30)],
    }
    laws = [{"name": "Lamps Act", "parts": [f"§ {n} {_LAMPS} {n}." for n in range(1, 6)]}] * 2
    for value in (about, laws):
        with pytest.raises(UnknownFormatError, match=r"JSON of unknown fields.*docs\.jsonl"):
            parse(SourceFile("laws.json", json.dumps(value).encode()))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("file", "provisions"),
    [
        ("ch/sample-constitution.xml", 232),
        ("dk/2024-1709.xml", 30),
        ("ee/constitution_115052015002.xml", 168),
        ("fi/sample-constitution.xml", 131),
        ("lu/sample-constitution.xml", 121),
        ("lu/sample-ordinary-law.xml", 27),
        ("nl/sample-rijkswet.xml", 14),
        ("no/sample-recent-act.xml", 6),
    ],
)
def test_the_provisions_of_the_worlds_files_are_found_without_their_profiles(
    corpus: Path, file: str, provisions: int
) -> None:
    """The numbers are those that `FORMAT.md` counts."""
    path = corpus / "world" / file
    document = parse(SourceFile(path.name, path.read_bytes()), "generic_xml")
    assert len(numbers(document)) == provisions
    assert not [warning for warning in document.warnings if "missing" in warning]


@pytest.mark.parametrize("piece", ["<no>1</no>", "<c><no>1</no><t>Lamp.</t></c>", "<e/>", "<d>t</d>x"])
def test_the_time_grows_with_the_size(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        data = f"<?xml version='1.0'?><law>{clauses(3)}{piece * times}</law>".encode()
        return lambda: _attempt(data)

    assert growth(work, 1_000) < NEARLY_LINEAR


def _attempt(data: bytes) -> None:
    with contextlib.suppress(ParseError):
        parse(SourceFile("law.xml", data), "generic_xml")


def test_numbers_and_headings_in_attributes_are_printed_and_not_twice() -> None:
    articles = "".join(
        f"<article name='Article {roman}' description='Lamps of pier {roman}'>"
        f"<section number='1'><p>{_LAMPS} {roman}.</p></section></article>"
        for roman in ("I", "II", "III", "IV")
    )
    document = read(f"<name>Charter of Lamps</name>{articles}", "charter")
    assert [(node.num, node.heading) for node in document.walk() if node.type == "article"] == [
        (roman, f"Lamps of pier {roman}") for roman in ("I", "II", "III", "IV")
    ]
    printed = "".join(
        f"<article num='{n}' title='Lamps'><no>Artikel {n}</no><head>Lamps</head>"
        f"<al>De wachter ontsteekt de lamp van pier {n}.</al></article>"
        for n in range(1, 5)
    )
    document = read(f"<name>Wet op de lampen</name>{printed}")
    assert numbers(document) == ["1", "2", "3", "4"]
    assert document.text.count("Lamps") == 4


def test_the_marks_of_items_in_attributes_are_those_of_paragraphs() -> None:
    items = "<item marker='(a)'>at dusk on every day of the year; and</item><item marker='(b)'>in fog.</item>"
    body = "".join(
        f"<clause><no>§ {n}</no><text>The keeper of the pier lights the lamp {n}:</text>{items}</clause>"
        for n in range(1, 5)
    )
    document = read(f"<name>Lamps Act</name>{body}")
    assert [node.num for node in document.walk() if node.type == "paragraph"] == ["a", "b"] * 4


def test_a_number_that_is_the_last_part_of_a_printed_number_is_left_out() -> None:
    body = "".join(
        f"<sec label='{7}-{n}'><secNum>{n}</secNum><subject>§ 7.{n} Lamps.</subject><text>{_LAMPS} {n}.</text></sec>"
        for n in range(1, 7)
    )
    assert numbers(read(f"<name>Lamp Rules</name>{body}")) == [f"7.{n}" for n in range(1, 7)]


@pytest.mark.parametrize("root", ["Lag", "法規", "law type='act'"])
def test_xml_without_a_declaration_is_xml(root: str) -> None:
    data = f"<{root}>\n<name>Lamps Act</name>{clauses(4)}</{root.partition(' ')[0]}>\n".encode()
    document = parse(SourceFile("law.xml", data))
    assert (document.format, numbers(document)) == ("generic_xml", ["1", "2", "3", "4"])


def test_a_page_whose_first_element_is_unknown_to_html_is_a_page_unless_it_ends_with_it() -> None:
    page = f"<banner>Port</banner><div>{''.join(f'<p>§ {n} {_LAMPS} {n}.</p>' for n in range(1, 5))}</div>"
    assert parse(SourceFile("law.html", page.encode())).format == "generic_html"


def test_an_element_with_the_number_and_the_history_of_a_section_is_this_section() -> None:
    document = read(
        f"<section_number>7-12</section_number><catch_line>Lamps</catch_line><text>{_LAMPS}.</text><history>2031, c. 5.</history>",
        "law",
    )
    assert [(node.type, node.num, node.heading) for node in document.provisions()] == [("section", "7-12", "Lamps")]


def test_the_header_of_tei_is_facts_and_an_empty_element_parts_words() -> None:
    document = read(f"<teiHeader><editor>E. Moor</editor></teiHeader><name>Lamps Act</name>{clauses(3)}"
                    "<clause><no>§ 4</no><text>The lamps<pb/>of the <hi>pier</hi> are green.</text></clause>", "TEI")  # fmt: skip
    assert "E. Moor" in document.metadata["left_out"]
    assert "The lamps of the pier are green." in document.text


def test_descriptions_of_programs_are_refused() -> None:
    value = {"openapi": "3.0", "paths": [f"Article {n}. {_LAMPS} {n}." for n in range(1, 8)]}
    with pytest.raises(UnknownFormatError, match="neither a law nor a judgment nor prose was recognised"):
        parse(SourceFile("api.json", json.dumps(value).encode()))


def test_a_text_without_spaces_between_its_words_is_prose() -> None:
    articles = "".join(
        f"<條文><條號>第 {n} 條</條號><條文內容>港口之燈塔管理員應於每日日落時點燈並守望至天明。</條文內容></條文>"
        for n in range(1, 5)
    )
    assert numbers(read(f"<法規名稱>燈塔法</法規名稱><法規內容>{articles}</法規內容>", "法規")) == ["1", "2", "3", "4"]


def test_a_sign_that_the_text_repeats_and_the_yes_and_no_of_databases_are_left_out() -> None:
    body = "".join(
        f"<조문><번호>{n}</번호><변경>N</변경><내용>제{n}조(등대) 등대지기는 항구의 등대에 매일 해질녘 불을 켠다.</내용>"
        f"<항><항번호>①</항번호><항내용>① 등대지기는 매일 밤 등대를 지키고 새벽까지 불을 살핀다.</항내용></항></조문>"
        for n in range(1, 6)
    )
    document = read(f"<법령명>등대법</법령명>{body}", "법령")
    assert numbers(document) == ["1", "2", "3", "4", "5"]
    assert document.text.count("①") == 5
    assert not any(line in ("N", "①") for line in document.text.split("\n"))


def test_a_heading_in_an_attribute_that_is_a_label_numbers_the_element() -> None:
    body = "".join(
        f"<section heading='Article {n}'><paragraph>{_LAMPS} {n}.</paragraph></section>" for n in range(1, 6)
    )
    assert numbers(read(f"<name>Charter of Lamps</name>{body}")) == ["1", "2", "3", "4", "5"]


def test_json_that_is_a_list_is_a_law_if_its_numbers_count_once() -> None:
    parts = [{"parte": f"TÍTULO {roman}", "todos": [f"Art. {n}. La linterna {n} del puerto se enciende al anochecer de cada día." for n in
              range(3 * at + 1, 3 * at + 4)]} for at, roman in enumerate(("I", "II", "III"))]  # fmt: skip
    document = parse(SourceFile("law.json", json.dumps(parts).encode()))
    assert numbers(document) == [str(n) for n in range(1, 10)]
    with pytest.raises(UnknownFormatError):
        parse(SourceFile("law.json", json.dumps([*parts, *parts]).encode()))


def test_parts_that_count_again_in_each_chapter_make_no_second_law() -> None:
    chapters = [
        [
            f"CHAPTER {at}",
            [
                ["Part 1", [f"Article {n}. {_LAMPS} {n}."]],
                ["Part 2"],
            ],
        ]
        for at, n in enumerate(range(1, 13), 1)
    ]
    document = parse(SourceFile("law.json", json.dumps(["Lamps Act 2031", *chapters]).encode()))
    assert numbers(document) == [str(n) for n in range(1, 13)]


def test_an_item_n_keeps_its_letter() -> None:
    items = "".join(
        f"<item><no>{letter}</no><text>on the {letter} pier of the harbour at night;</text></item>" for letter in "lmno"
    )
    document = read(f"<name>Lamps Act</name>{clauses(3)}<clause><no>§ 4</no><text>Lamps burn</text>{items}</clause>")
    assert "n on the n pier" in document.text


@pytest.mark.parametrize(("count", "is_law"), [(5, True), (4, False)])
def test_a_list_of_json_that_is_a_law_has_five_provisions(count: int, is_law: bool) -> None:
    parts = [
        [f"Artículo {n}. La linterna {n} del puerto se enciende al anochecer de cada día."] for n in range(1, count + 1)
    ]
    source = SourceFile("law.json", json.dumps(parts).encode())
    if is_law:
        assert numbers(parse(source)) == [str(n) for n in range(1, count + 1)]
    else:
        with pytest.raises(UnknownFormatError):
            parse(source)
