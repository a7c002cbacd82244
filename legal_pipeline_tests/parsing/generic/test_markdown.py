"""Rules of generic markdown: structure from headings, blocks from the rest, nothing invented."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing.front_matter import read_front_matter
from legal_pipeline.parsing.generic import markdown
from legal_pipeline.parsing.markdown_blocks import markdown_blocks, plain
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline_tests.growth import at_most

GUIDE = """---
title: Harbour guide
number: HG 4
jurisdiction: xx
language: en
date: 2031-02-03
---

# Harbour guide

Boats keep to the *right* of the [main channel](https://example.org/a_(b)).
Wrapped lines are one sen-
tence.

## Part II Mooring

1. use two lines
2. check them
   - at night
   - in storms

### Fees

| Length | Fee |
|---|---:|
| up to 6 m | 10 |
| over 6 m | 2\\|0 |

#### Winter

> Quoted rule.

[^1]: A note.
"""


def source(text: str, name: str = "Harbour guide.md", **hints: str) -> SourceFile:
    return SourceFile(name, text.encode(), hints=hints)


def test_headings_are_structure_and_the_rest_blocks() -> None:
    document = parse(source(GUIDE))
    assert document.format == "markdown"
    kinds = [(node.type, node.num) for node in document.nodes]
    assert kinds == [("heading", None), ("block", None), ("part", "II")]
    part = document.nodes[2]
    assert part.heading == "Mooring"
    fees = part.children[-1]
    assert (fees.type, fees.heading) == ("subchapter", "Fees")
    assert [child.type for child in fees.children] == ["heading", "table", "heading", "quotation", "footnote"]
    assert not list(document.provisions())


def test_links_emphasis_and_wrapped_words_become_plain_text() -> None:
    document = parse(source(GUIDE))
    assert "Boats keep to the right of the main channel. Wrapped lines are one sentence." in document.text


def test_items_nest_and_keep_their_marks() -> None:
    document = parse(source(GUIDE))
    block = document.nodes[2].children[1]
    outer = block.children
    assert [item.num for item in outer] == ["1", "2"]
    assert [document.text_of(item) for item in outer[1].children] == ["- at night", "- in storms"]
    assert document.text_of(block) == "1. use two lines\n2. check them\n- at night\n- in storms"


def test_table_rows_are_lines_and_an_escaped_bar_is_no_cell() -> None:
    document = parse(source(GUIDE))
    table = next(node for node in document.walk() if node.type == "table")
    assert document.text_of(table) == "Length | Fee\nup to 6 m | 10\nover 6 m | 2|0"


def test_front_matter_fills_the_metadata_and_the_id() -> None:
    document = parse(source(GUIDE))
    assert (document.title, document.number, document.jurisdiction, document.language) == (
        "Harbour guide",
        "HG 4",
        "xx",
        "eng",
    )
    assert document.document_id == "xx-hg-4"
    assert document.metadata == {"date": "2031-02-03", "quality_score": 1.0}


STATED = """---
Title: "Zákon o majácích"
identifier: "SB-2031-7"
country: "{country}"
rank: "{rank}"
publication-date: "2031-02-03"
last_updated: "{updated}"
status: "repealed"
effective_to: "2040-12-31"
source: "{source}"
---
# Zákon o majácích

##### § 1

Maják svítí v noci.

##### § 2

Maják spravuje obec.
"""


def stated(**values: str) -> Document:
    usual = {
        "country": "cz",
        "rank": "law",
        "updated": "2033-01-01",
        "source": "https://e-sbirka.gov.cz/eli/cz/sb/2031/7/2033-01-01",
    }
    return parse(source(STATED.format(**{**usual, **values})))


def test_front_matter_names_the_work_by_its_address() -> None:
    document = stated()
    assert (document.document_id, document.work_uri) == ("cz-act-2031-7", "/akn/cz/act/2031/7")
    assert (document.title, document.number, document.doc_type) == ("Zákon o majácích", "7/2031 Sb.", "act")
    assert (document.jurisdiction, document.as_of_date) == ("cz", "2033-01-01")
    assert document.source_url == "https://e-sbirka.gov.cz/eli/cz/sb/2031/7/2033-01-01"


def test_front_matter_without_a_known_address_names_the_document_by_identifier() -> None:
    document = stated(source="https://example.org/7", country="gr", rank="proedriko diatagma")
    assert (document.document_id, document.work_uri, document.number) == ("gr-sb-2031-7", None, "SB-2031-7")
    assert (document.jurisdiction, document.doc_type) == ("gr", "regulation")


def test_an_address_of_another_country_is_not_the_work() -> None:
    assert stated(country="sk").work_uri is None


def named(title: str, country: str, rank: str, identifier: str) -> str | None:
    text = STATED.format(country=country, rank=rank, updated="2033-01-01", source="https://example.org/7")
    return parse(source(text.replace("SB-2031-7", identifier).replace('"Zákon o majácích"', f'"{title}"'))).work_uri


def test_a_title_that_begins_with_the_citation_of_an_act_names_the_work() -> None:
    assert named("Llei 5/2031, de modificació de la Llei 3/2030", "ad", "llei", "X-5") == "/akn/ad/act/llei/2031/5"
    assert named("Comentari de la Llei 3/2030", "ad", "llei", "X-5") is None
    assert named("LEGE nr. 5 din 3 mai 2031", "ro", "lege", "RO-77") == "/akn/ro/act/lege/2031/5"


def test_an_identifier_of_rank_and_number_names_the_work() -> None:
    assert named("FAROS", "ar", "ley", "LEY-29901") == "/akn/ar/act/ley/29901"
    assert named("FAROS", "ar", "decreto", "DEC-5-2031") is None


def test_an_act_of_one_article_in_few_words_is_an_act() -> None:
    head = "---\ncountry: uy\nidentifier: UY-ley-29901\nrank: ley\n---\n# Ley Nº 29901\n\n"
    sole = parse(source(head + "##### Artículo Unico\n\nComuníquese, etc.\n"))
    assert [(node.type, node.num) for node in sole.provisions()] == [("article", "Unico")]
    two = parse(source(head + "##### Artículo 1\n\n(*)\n\n##### Artículo 2\n\nComuníquese, etc.\n"))
    assert [node.num for node in two.provisions()] == ["1", "2"]
    assert two.document_id == "uy-act-ley-29901"


def test_a_numbered_line_that_is_marked_as_a_heading_stays_in_its_article() -> None:
    document = parse(
        source(
            "# Loi du phare\n\n#### Art. 1er.\n\nLe phare brille la nuit.\n\n#### Art. 2.\n\nLa loi est modifiée comme suit :\n\n"
            "#### 1. À l’alinéa 1er, le terme « jour » est supprimé ;\n2. À l’alinéa 3, le terme « nuit » est ajouté.\n\n"
            "#### Art. 3.\n\nLa présente loi entre en vigueur le 3 mai 2031.\n"
        )
    )
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    second = document.text_of(list(document.provisions())[1])
    assert "le terme « jour » est supprimé" in second
    assert "le terme « nuit » est ajouté" in second


def test_a_link_is_apart_from_the_words_beside_it() -> None:
    assert (
        plain("*(por art. 3 de la*[*Ley 5*](https://example.org/5)*B.O. 2031)*") == "(por art. 3 de la Ley 5 B.O. 2031)"
    )
    assert plain("un[related](x) *[link](x)*, word[s](x)") == "unrelated link, words"


def test_a_word_beside_a_linked_number_is_not_its_letter() -> None:
    assert plain("podľa[§ 3](#3)a [ods. 1](#1)sa, olej[2](#2)") == "podľa § 3 a ods. 1 sa, olej2"


def test_strong_words_are_apart_from_the_words_beside_them() -> None:
    assert plain("(Artículo**derogado**por art. 3)") == "(Artículo derogado por art. 3)"
    assert (
        plain("**Art. 3**El barco, **Art. 4º**Él paga, **Art. 5**A, **15**a")
        == "Art. 3 El barco, Art. 4º Él paga, Art. 5A, 15a"
    )
    assert plain("**A**rticle, c**on**, **artículo**s, **Lampen**gesetz") == "Article, con, artículos, Lampengesetz"


@pytest.mark.parametrize(
    "text",
    [
        "**Art. 8 ** Lamps",
        "**Art. 8 **Lamps",
        "**Art. ****8** Lamps",
        "**Art.**** 8** Lamps",
        "**Art**.** 8** Lamps",
        "**Art****.**** 8** Lamps",
    ],
)
def test_strong_words_may_begin_or_end_with_a_space(text: str) -> None:
    assert plain(text) == "Art. 8 Lamps"


def test_the_signs_of_strong_words_stay_where_they_have_no_pair() -> None:
    assert plain("**Art. 13 **").strip() == "Art. 13"
    assert plain("**Art. 29 **and** 30**") == "Art. 29 and 30"
    assert plain("2 ** 3 ** 4, **a** b **c**") == "2 ** 3 ** 4, a b c"


def test_letters_in_italics_behind_a_number_are_part_of_it_and_a_product_is_none() -> None:
    assert plain("**Art. 15***a*, § 3*bis*; 2*3*4, 5*a*b*") == "Art. 15a, § 3bis; 2*3*4, 5*a*b*"


def test_a_raised_ending_is_part_of_its_word() -> None:
    document = parse(
        source("# Loi du phare\n\n### Art. I<sup>er</sup>.\n\nLe phare brille.\n\n### Art. II.\n\nLa nuit dure.\n")
    )
    assert "Art. Ier." in document.text
    assert not document.warnings


def test_the_words_of_a_country_for_its_regulations_are_known() -> None:
    document = stated(country="lu", rank="reglement_grand_ducal")
    assert document.doc_type == "regulation"


def test_a_date_before_the_publication_is_a_placeholder() -> None:
    assert stated(updated="1900-01-01").as_of_date == "2031-02-03"


def test_status_and_last_day_are_the_day_of_repeal() -> None:
    metadata = stated().metadata
    assert (metadata["repealed"], metadata["date_published"]) == ("2040-12-31", "2031-02-03")
    assert "repealed" not in parse(source(STATED.replace('"repealed"', '"in_force"'))).metadata


def test_control_characters_in_front_matter_are_the_signs_that_they_were() -> None:
    document = parse(source("---\ntitle: Canals \x96 notes \x01\n---\n# Canals\n\nBoats \x93keep\x94 right.\n"))
    assert document.title == "Canals – notes"
    assert "Boats “keep” right." in document.text


def test_without_front_matter_the_path_names_the_document() -> None:
    document = parse(source("# Ett\n\nText under rubriken.\n", name="notes/Ett brev (2).md"))
    assert document.document_id == "doc-notes-ett-brev-2"
    assert (document.jurisdiction, document.language, document.doc_type) == ("xx", "und", "other")


def test_a_named_id_that_is_a_path_becomes_a_slug() -> None:
    document = parse(source("---\ndocument_id: ../../etc/passwd\n---\n\n# A\n\ntext\n"))
    assert document.document_id == "etc-passwd"


def test_yaml_numbers_with_a_colon_stay_text() -> None:
    assert read_front_matter("---\nnumber: 2012:21\n---\n").values == {"number": "2012:21"}


def test_a_broken_front_matter_names_its_line() -> None:
    with pytest.raises(ParseError, match="line 3"):
        read_front_matter("---\na: 1\nb: [1\n---\ntext")


def test_an_open_front_matter_is_truncated() -> None:
    with pytest.raises(TruncatedDocumentError, match="not closed"):
        read_front_matter("---\ntitle: A\nnumber: 3\n")


def test_aliases_in_front_matter_are_refused() -> None:
    with pytest.raises(ParseError, match="alias"):
        read_front_matter("---\na: &x [1]\nb: [*x, *x]\n---\n")


def test_front_matter_alone_is_an_empty_document() -> None:
    with pytest.raises(EmptyDocumentError, match="below the front matter"):
        parse(source("---\ntitle: A\n---\n"))


def test_a_row_whose_cell_wraps_is_one_row() -> None:
    text = "# Fees\n\n| Vessel | Fee |\n| --- | --- |\n| Barge, laden\nor empty | 2 dollars |\n| Raft | 1 dollar |\n\nNo more.\n"
    document = parse(SourceFile("fees.md", text.encode()))
    (node,) = [node for node in document.walk() if node.type == "table"]
    assert document.text_of(node) == "Vessel | Fee\nBarge, laden or empty | 2 dollars\nRaft | 1 dollar"
    assert document.text.endswith("No more.")


def test_a_list_of_internal_links_is_a_table_of_contents() -> None:
    document = parse(source("# A\n\n- [One](#one)\n- [Two](#two)\n\n## One\n\nx\n\n## Two\n\ny\n"))
    assert [node.type for node in document.nodes] == ["heading", "toc", "chapter", "chapter"]


def test_code_keeps_its_lines_and_comments_leave_nothing() -> None:
    blocks = list(markdown_blocks("<!-- hidden\n\n# not a heading -->\n```\na  b\n c\n```\n"))
    assert [(block.kind, block.text) for block in blocks] == [("code", "a  b\n c")]


def test_links_inside_links_are_unwrapped() -> None:
    assert plain("se [2 och [3 §](#kap1.3)§](#x) i lagen ([2020:1](http://a))") == "se 2 och 3 §§ i lagen (2020:1)"


def test_every_tree_is_sound() -> None:
    check_tree(parse(source(GUIDE)))


def test_markdown_is_only_possible_never_likely() -> None:
    assert markdown.sniff(source(GUIDE)) == 0.5
    assert detect(source(GUIDE)).name == "markdown"


def test_a_mark_that_word_leaves_in_pages_does_not_make_a_page_of_markdown() -> None:
    text = GUIDE + "\n\n| Oil | <?xml:namespace prefix = st1 />5 |\n| --- | --- |\n| Wax | 6 |\n"
    assert detect(source(text)).name == "markdown"
    assert markdown.sniff(source(text.replace("<?xml:namespace prefix = st1 />", '<?xml version="1.0"?>'))) == 0


def test_a_number_of_which_a_part_is_strong_is_whole_and_no_word_is_lost() -> None:
    document = parse(
        source("# Fines\n\nThe fines are: **T 006****01** for smoke, **T 006****02** for fire and *Art. 8.**Oil*.\n")
    )
    assert "T 00601 for smoke, T 00602 for fire and Art. 8. Oil." in document.text


def test_single_html_elements_in_markdown_leave_their_words() -> None:
    document = parse(source('# A\n\n<div align="center">Words <b>here</b></div>\n'))
    assert document.text == "A\n\nWords here"


@pytest.mark.parametrize("sign", ["[", "[a", "**a ", "`a ``b ", "<!-- x\n", "_a ", "[a](b", "![a]("])
def test_signs_without_a_partner_cost_no_more_than_text(sign: str) -> None:
    """200,000 of them took minutes when each one searched the rest of the document."""
    with at_most(5):
        parse(source("# A\n\n" + sign * 200_000), "markdown")


def test_definitions_without_quotation_marks_or_full_stops_stay_paragraphs_of_their_own() -> None:
    text = (
        "### 3 Interpretation\n\n**ferry** means a vessel within a harbour\n\n**master** means the person in command\n\n"
        "### 5 Fog signals\n\nSound the horn.\n\n### 6 Offence\n\nA master who contravenes section 4 or 5 commits an offence.\n"
    )
    document = parse(SourceFile("ferries.md", text.encode()))
    assert "ferry means a vessel within a harbour\n\nmaster means the person in command" in document.text


def test_a_heading_that_is_only_a_label_is_its_own_name() -> None:
    document = parse(
        SourceFile("x.md", b"# Notes\n\n## Chapter 2\n\nLamps.\n\n## Chapter 3: Horns\n\nFog.\n"), "markdown"
    )
    chapters = [(node.num, node.heading) for node in document.walk() if node.type == "chapter"]
    assert chapters == [("2", "Chapter 2"), ("3", "Horns")]


def test_a_numbered_list_inside_an_item_stays_in_its_list() -> None:
    guide = "# Harbour guide\n\nLamps of the harbour.\n\n- North\n    1. red\n    2. green\n- South\n"
    document = parse(source(guide))
    (block,) = [node for node in document.walk() if node.type == "block" and node.children]
    assert [(node.num, [child.num for child in node.children]) for node in block.children] == [
        (None, ["1", "2"]),
        (None, []),
    ]


def test_a_single_link_is_no_table_of_contents() -> None:
    document = parse(source("# Harbour guide\n\nLamps of the harbour.\n\n- [Lamps](lamps.md)\n\nShips pass by.\n"))
    assert "toc" not in {node.type for node in document.walk()}


def test_a_text_that_is_a_quotation_as_a_whole_is_read_without_its_marks() -> None:
    lines = ["**<u>Constitución de la Atlántida</u>**", "", "<u>Primera Parte</u>", ""]
    for number in range(1, 5):
        lines += [f"ARTÍCULO {number}.- El farero enciende la lámpara {number} al", "anochecer de cada día.", ""]
    text = "\n".join(f"> {line}".rstrip() for line in lines)
    document = parse(SourceFile("constitution.md", text.encode()))
    assert document.format == "markdown"
    assert [(node.type, node.num) for node in document.provisions()] == [("article", str(n)) for n in range(1, 5)]
    assert document.title == "Constitución de la Atlántida"


def test_labels_that_a_page_sets_as_quotations_are_those_of_the_law() -> None:
    articles = "\n\n".join(
        f"> *{number}. cikk*\n\n(1) Az őr a {number}. lámpát este meggyújtja.\n(2) Reggel eloltja."
        for number in range(1, 5)
    )
    document = parse(SourceFile("law.md", f"# A lámpák törvénye\n\n{articles}\n".encode()))
    assert [(node.type, node.num) for node in document.provisions()] == [("article", str(n)) for n in range(1, 5)]
    quoted = "\n\n".join(
        f"### {number}. cikk\n\nAz őr a {number}. lámpát meggyújtja:\n\n> {number + 7}. cikk" for number in range(1, 5)
    )
    document = parse(SourceFile("law.md", f"# A lámpák törvénye\n\n{quoted}\n".encode()))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]


def test_character_references_are_characters() -> None:
    text = (
        "# Lamps &amp; Piers Act\n\n## Section 1. Scope\n\n&nbsp;&nbsp;See &sect;&nbsp;2, &#8220;lamp&#8221; and **R&D** "
        "at http://x.example/?a=1&section=2&copy=3.\n\n## Section 2. Lamps\n\nA lamp."
    )
    document = parse(SourceFile("lamps.md", text.encode()))
    assert document.title == "Lamps & Piers Act"
    assert "See § 2, “lamp” and R&D at http://x.example/?a=1&section=2&copy=3." in document.text
    assert not document.warnings


def test_a_term_of_the_body_does_not_replace_a_key_of_the_front_matter() -> None:
    text = "---\ntitle: Lamps Act\n---\n\n# Act\n\ntitle\n: Piers Act\n\nminister\n: Anna Keeper\n\n## Section 1. Lamps\n\nA lamp burns.\n"
    document = parse(SourceFile("lamps.md", text.encode()))
    assert (document.title, document.metadata["minister"]) == ("Lamps Act", "Anna Keeper")


def test_a_file_whose_marks_are_all_escaped_is_read_without_the_backslashes() -> None:
    articles = "\n\n".join(
        f"\\*\\*Article {number}\\.\\*\\*\n\nThe keeper lights lamp {number}\\." for number in range(1, 5)
    )
    document = parse(SourceFile("lamps.md", f"\\#\\# Lamps Act\n\n{articles}\n".encode()))
    assert document.format == "markdown"
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]
    assert document.text.startswith("Lamps Act\n\n")
    assert "\\" not in document.text


def test_an_escaped_mark_in_a_file_with_others_is_text() -> None:
    document = parse(SourceFile("lamps.md", b"# Lamps\n\nSee \\*note\\*.\n\n\\# one\n\n\\# two\n\n\\# three\n"))
    assert [node.heading for node in document.nodes if node.heading] == []
    assert "# one" in document.text


def test_a_title_block_of_pandoc_states_the_title_and_facts() -> None:
    law = "\n\n".join(f"# § {number}\n\nDer Wärter zündet Leuchte {number} an." for number in range(1, 4))
    document = parse(
        SourceFile("leuchten.md", f"% Leuchtengesetz\n% Ausfertigungsdatum: 21.03.2031\n\n{law}\n".encode())
    )
    assert (document.title, document.metadata["Ausfertigungsdatum"]) == ("Leuchtengesetz", "21.03.2031")
    assert document.text.startswith("§ 1")
    assert not document.warnings
    assert read_front_matter("% Lamps\n% Keeper\n% 2031\n\n1").values == {
        "title": "Lamps",
        "author": "Keeper",
        "date": "2031",
    }
    assert read_front_matter("%lamp\n").values == {}


def test_a_code_whose_headings_begin_with_chapter_and_section_is_markdown() -> None:
    sections = "\n\n".join(
        f"# 12-{number}. Lamp {number}\n\nThe keeper lights lamp {number}." for number in range(101, 105)
    )
    document = parse(SourceFile("code.txt", sections.encode()))
    assert document.format == "markdown"
