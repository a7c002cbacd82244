"""Legal-document HTML, new and old markup: statutes, agency regulations and amending acts."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing.registry import parse

HEAD = (
    '<article class="legal-document" id="SFS2099-8"><div class="lovhead"><h1>'
    '<p class="text">SFS 2099:8</p><p class="text">{}</p></h1></div>'
)
SECTION = '<h3 class="paragraph"><a class="paragraf" id="SFS2099-8_{0}" name="x">{1}</a></h3>'


def page(body: str, title: str = "Brygglag (2099:8)") -> SourceFile:
    return SourceFile("law.html", f'{HEAD.format(title)}<div class="body">{body}</div></article>'.encode())


def sample(repository: Path, name: str) -> Document:
    path = repository / "data/sample/se" / name
    return parse(SourceFile(name, path.read_bytes()))


def test_an_amendment_mark_in_a_paragraph_of_its_own_joins_the_text_before_it() -> None:
    statute = parse(
        page(
            SECTION.format("P2a", "2a §")
            + '<p class="text">Bryggor målas.</p><p class="text"><em>Lag (2100:4)</em></p>'
        )
    )
    assert statute.text == "2 a § Bryggor målas. Lag (2100:4)."
    section = next(statute.provisions())
    assert [amendment.by for amendment in section.amendments] == ["SFS 2100:4"]
    assert [child.type for child in section.children] == ["subsection", "remark"]


def test_a_repealed_section_is_repealed_though_its_act_stands_apart() -> None:
    statute = parse(
        page(
            SECTION.format("P5", "5 §")
            + '<p class="text">Har upphävts genom</p><p class="text"><em>lag (2100:4)</em></p>'
        )
    )
    section = next(statute.provisions())
    assert (section.status, section.amendments[0].action) == ("repealed", "repealed")


def test_temporal_marks_stand_before_their_text_even_without_their_first_slash() -> None:
    statute = parse(
        page(
            SECTION.format("P1", "1 §")
            + '<p class="text"><em>Upphör att gälla U:2101-12-31/</em> Bryggan är öppen.</p>'
        )
    )
    assert next(statute.provisions()).valid_to == "2101-12-31"
    apart = parse(
        page(
            SECTION.format("P1", "1 §")
            + '<p class="text">/Träder i kraft I:2101-12-31/</p><p class="text">Bryggan är öppen.</p>'
        )
    )
    assert apart.text == "1 § /Träder i kraft I:2101-12-31/ Bryggan är öppen."
    assert next(apart.provisions()).valid_from == "2101-12-31"


def test_words_lost_between_two_paragraphs_are_reported() -> None:
    statute = parse(
        page(
            SECTION.format("P1", "1 §")
            + '<p class="text">Ärenden prövas enligt</p><p class="text">om rättegång i hamnmål.</p>'
        )
    )
    assert statute.requires_manual_review
    assert "words are missing" in statute.warnings[0]


def test_a_list_after_enligt_is_no_loss() -> None:
    body = (
        SECTION.format("P1", "1 §")
        + '<p class="text">Tillsyn utövas enligt</p><ol class="list" type="1"><li>hamnlagen, och</li><li>fyrlagen.</li></ol>'
    )
    assert not parse(page(body)).warnings


def test_a_list_counts_on_from_the_number_that_the_page_states() -> None:
    body = (
        SECTION.format("P1", "1 §")
        + '<p class="text">Tillsyn utövas enligt</p><ol class="list" type="1" start="3"><li>hamnlagen, och</li><li>fyrlagen.</li></ol>'
    )
    items = [node.num for node in parse(page(body)).walk() if node.type == "item"]
    assert items == ["3", "4"]


def test_divisions_chapters_and_group_headings_nest() -> None:
    body = (
        '<section class="avdelning"><h2>AVD. I BRYGGOR</h2><section class="kapitel" id="SFS2099-8_K1"><h3 class="kapitel-rubrik">'
        "1 kap. Skötsel</h3><h4>Ägare</h4>"
        + SECTION.format("K1_P1", "1 §")
        + '<p class="text">Bryggor ska skötas.</p></section></section>'
    )
    statute = parse(page(body))
    division = statute.nodes[0]
    assert (division.type, division.num, division.heading) == ("division", "I", "BRYGGOR")
    chapter = division.children[1]
    assert (chapter.num, chapter.heading, [child.type for child in chapter.children]) == (
        "1",
        "Skötsel",
        ["heading", "heading", "section"],
    )


@pytest.mark.parametrize(
    "chapters",
    [
        '<h3 class="paragraph"><span class="kapitel">{0} kap.</span> 1 §</h3>',
        '<h3>{0} kap.</h3><h3 class="paragraph"><a class="paragraf" name="P1">1 §</a></h3>',
    ],
    ids=["in the heading of the section", "in a heading of its own"],
)
def test_chapters_of_an_amending_act_that_only_its_headings_name_are_chapters(chapters: str) -> None:
    body = "".join(f'{chapters.format(number)}<p class="text">Bryggan är öppen.</p>' for number in ("2", "3 a"))
    statute = parse(page(body))
    assert [node.eid for node in statute.provisions()] == ["chp_2__sec_1", "chp_3a__sec_1"]


def test_transition_text_in_the_body_is_found_by_its_heading() -> None:
    body = (
        SECTION.format("P1", "1 §")
        + '<p class="text">Bryggor ska skötas.</p><h3>Övergångsbestämmelser</h3><p class="text">2099:8</p>'
        + '<p class="text">Denna lag träder i kraft den 1 mars 2099.</p>'
    )
    statute = parse(page(body))
    assert [node.type for node in statute.nodes] == ["section", "transitional"]
    assert statute.nodes[1].children[1].num == "2099:8"
    assert statute.metadata["in_force"] == "2099-03-01"


def test_a_contents_list_is_a_toc() -> None:
    statute = parse(
        page(
            '<div class="chapter-toc"><ul><li>1 kap. Skötsel</li></ul></div>'
            + SECTION.format("P1", "1 §")
            + "<p>Text.</p>"
        )
    )
    assert statute.nodes[0].type == "toc"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (page("<p>x</p>").data[:-10], TruncatedDocumentError),
        (
            b'<article class="legal-document"><div class="lovhead"><h1><p class="text">Utan nummer</p></h1></div></article>',
            ParseError,
        ),
        (page("").data, EmptyDocumentError),
    ],
)
def test_damaged_files_raise_their_kind_of_error(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse(SourceFile("x.html", data), "canonical_html")


def test_agency_regulations_keep_guidance_tables_and_appendices_apart(repository: Path) -> None:
    regulation = sample(repository, "ofs-2099-4.html")
    check_tree(regulation)
    assert (regulation.document_id, regulation.doc_type) == ("se-ofs-2099-4", "agency_regulation")
    assert (regulation.metadata["issued"], regulation.metadata["in_force"]) == ("2099-06-03", "2099-09-01")
    guidance = [regulation.text_of(node) for node in regulation.walk() if node.role == "ALLMANT_RAD"]
    assert guidance[0] == "Allmänna råd"
    assert guidance[1].startswith("Ledstången bör löpa")
    tables = [regulation.text_of(node) for node in regulation.walk() if node.type == "table"]
    assert tables[1].split("\n")[2:] == ["högst 2 meter | sammanlagt 4", "över 2 meter | 4 | 6"]
    kinds = [node.type for node in regulation.nodes]
    assert kinds == ["preamble", "chapter", "chapter", "schedule", "transitional", "footnote"]
    assert regulation.nodes[4].children[-1].type == "signature"


def test_an_amending_act_names_what_it_changes(repository: Path) -> None:
    act = sample(repository, "sfs-2101-612.amendment.html")
    assert (act.doc_type, act.metadata["base_law"], act.metadata["in_force"]) == (
        "amendment",
        "SFS 2099:101",
        "2102-01-01",
    )
    assert act.metadata["provisions"] == [
        {"chapter": "3", "section": "2", "action": "amended"},
        {"chapter": "4", "section": "3", "action": "inserted"},
    ]
    assert [node.num for node in act.provisions()] == ["2", "3"]
    assert act.nodes[-1].type == "footnote"


@pytest.mark.corpus
def test_old_and_new_markup_of_one_act_give_the_same_document(corpus: Path) -> None:
    before, after = (
        parse(SourceFile("act.html", (corpus / f"se/canonical_html/SFS-2025-991-{state}.amendment.html").read_bytes()))
        for state in ("before", "after")
    )
    assert before.text == after.text
    assert [node.to_json() for node in before.nodes] == [node.to_json() for node in after.nodes]
    assert before.metadata["base_law"] == "SFS 2011:1244"
    assert [(p["chapter"], p["section"]) for p in before.metadata["provisions"]] == [
        ("2", "2"), ("12", "3"), ("29", "1"), ("46", "3"), ("56", "6"),
    ]  # fmt: skip


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "sections"),
    [
        ("canonical_html/sfs-1915-218.canonical.html", 41),
        ("canonical_html/sfs-1972-207.canonical.html", 38),
        ("canonical_html/sfs-1977-1160.canonical.html", 119),
        ("canonical_html/sfs-1982-80.canonical.html", 70),
        ("canonical_html/sfs-2003-460.canonical.html", 47),
        ("canonical_html/sfs-2014-799.canonical.html", 19),
        ("canonical_html/sfs-2018-218.canonical.html", 45),
        ("agency/AFS-2023-1.canonical.html", 16),
        ("agency/AFS-2023-2.canonical.html", 95),
        ("agency/AFS-2023-8.canonical.html", 3),
        ("agency/NFS-2015-2.canonical.html", 21),
        ("agency/NFS-2021-6.canonical.html", 7),
        ("agency/SRVFS-1993-6.canonical.html", 3),
    ],
)
def test_every_file_gives_its_sections_and_loses_no_word(corpus: Path, name: str, sections: int) -> None:
    """The markup's own `a.paragraf` were counted by hand; the words are compared with those of the body."""
    path = corpus / "se" / name
    document = parse(SourceFile(path.name, path.read_bytes()))
    check_tree(document)
    assert document.format == "canonical_html"
    assert sum(node.type == "section" for node in document.walk()) == sections
    assert "  " not in document.text
    assert not _lost_words(path.read_text(encoding="utf-8"), document)


def _lost_words(html: str, document: Document) -> set[str]:
    """Words of the page's paragraphs, headings and cells that the document does not have; marks and numbers of notes apart."""
    from selectolax.lexbor import LexborHTMLParser

    parsed = LexborHTMLParser(html)
    for node in parsed.css("sup, style, div.lovhead h1"):
        node.decompose()
    have = set(document.text.replace("|", " ").split())
    have |= {word.rstrip(".") for word in have}
    page_words = " ".join(parsed.css_first("article").text(separator=" ").split()).split()
    return {
        word
        for word in page_words
        if word not in have and not word.endswith("-") and "§" not in word and any(map(str.isalnum, word))
    } - _joined(html)


def _joined(html: str) -> set[str]:
    """Ends of words that the source broke at a hyphen, numbers written tight (`2a`), and temporal marks without their slash."""
    import re

    broken = set(re.findall(r"-\s+(\S+)", html)) | set(re.findall(r"\d+[a-z]", html)) | {"Upphör"}
    return broken | {match.rstrip(".,") for match in broken}


@pytest.mark.corpus
def test_pictures_in_a_table_keep_what_they_mean(corpus: Path) -> None:
    path = corpus / "se/agency/AFS-2023-2.canonical.html"
    document = parse(SourceFile(path.name, path.read_bytes()))
    rows = [line for node in document.walk() if node.type == "table" for line in document.text_of(node).split("\n")]
    assert sum(cell in ("Tillåtet", "Förbjudet") for row in rows for cell in row.split(" | ")) == 105


def test_enacting_words_outside_a_paragraph_name_the_provisions_that_change() -> None:
    enacting = "Riksdagen föreskriver att 2 och 5 a §§ brygglagen (2031:7) ska ha följande lydelse.<br>"
    body = enacting + SECTION.format("P2", "2 §") + '<p class="text">Bryggor målas.</p>'
    act = parse(page(body, "Lag (2099:8) om ändring i brygglagen (2031:7)"))
    assert act.metadata["base_law"] == "SFS 2031:7"
    assert [row["section"] for row in act.metadata["provisions"]] == ["2", "5 a"]


def test_a_sign_inside_running_text_begins_a_section() -> None:
    sign = '<a class="paragraf" id="SFS2099-8_P{0}" name="x"><b>{0} §</b></a>'
    act = parse(page(f"<div>{sign.format(1)} Bryggor målas.<br>{sign.format(2)} Bojar målas.</div>"))
    assert [act.text_of(node) for node in act.provisions()] == ["1 § Bryggor målas.", "2 § Bojar målas."]
