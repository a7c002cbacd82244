"""Laws in the print of publishers: numbers in elements of their own, contents with other words, notes between label and heading."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_BODY = "A keeper lights the lamp of each harbour at dusk and puts it out at dawn."


def read(text: str, name: str = "law.txt") -> Document:
    return parse(SourceFile(name, text.encode()))


def headed(document: Document) -> list[tuple[str | None, str | None]]:
    return [(node.num, node.heading) for node in document.provisions()]


def above(document: Document) -> dict[str, list[str | None]]:
    """The number of each provision, and those of the divisions around it."""
    return {
        node.num or "": [parent.num for parent in parents]
        for node, parents in document.walk_with_ancestors()
        if node.type in ("article", "section")
    }


def of_type(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


_NUMBERED_APART = """<html><head><title>Lamps Regulation</title></head><body>
<ul><li>Part 1 Lamps</li><li>Section 1 Meaning of lamp</li><li>Section 2 Duties of keepers</li><li>Part 2 Fees</li>
<li>Section 3 Fees to be paid</li><li>Section 3A Refunds</li><li>Section 4 Offences</li></ul>
<div>Lamps Regulation</div>
<div><div>Part 1</div><div>Lamps</div>
<div><span>1.</span><span>Meaning of lamp</span><div>In this Regulation lamp means a light of a harbour.</div></div>
<div><span>2.</span><span>Duties of keepers</span><div><span>(1)</span><span>A keeper lights the lamp.</span></div>
<div><span>(2)</span><span>A keeper—</span><div><span>(a)</span><span>trims the wick; and</span></div></div></div></div>
<div><div>Part 2</div><div>Fees</div>
<div><span>3.</span><span>Fees to be paid</span><div>A keeper pays the fee that section 2 sets.</div></div>
<div><span>3A.</span><span>Refunds</span><div>The Board may refund a fee that was paid under section 3.</div></div>
<div><span>4.</span><span>Offences</span><div>A keeper who does not light a lamp commits an offence.</div></div></div>
</body></html>"""


def test_a_number_in_an_element_of_its_own_is_apart_from_its_heading_and_the_contents_are_not_the_law() -> None:
    document = read(_NUMBERED_APART, "lamps.html")
    assert headed(document) == [
        ("1", "Meaning of lamp"), ("2", "Duties of keepers"), ("3", "Fees to be paid"), ("3A", "Refunds"), ("4", "Offences"),
    ]  # fmt: skip
    (second,) = [node for node in document.provisions() if node.num == "2"]
    assert [child.num for child in second.children if child.type == "subsection"] == ["1", "2"]
    assert above(document)["3A"] == ["2"]


@pytest.mark.parametrize(
    "line", ["<b>1</b>st of May is a day of rest", "<b>Art. 8</b>bis applies", "<i>a.</i>5 metres"]
)
def test_a_number_that_belongs_to_the_word_behind_it_stays_with_it(line: str) -> None:
    document = read(f"<html><body><p>{line}.</p><p>{_BODY}</p></body></html>", "note.html")
    assert line.replace("<b>", "").replace("</b>", "").replace("<i>", "").replace("</i>", "") in document.text


@pytest.mark.parametrize("name", ["sr-only", "visually-hidden", "onlyScreenreader", "screen-reader-text"])
def test_words_for_programs_that_read_aloud_are_left_out(name: str) -> None:
    hidden = f'<span class="{name}">Paragraph eins,</span>'
    sections = "".join(
        f'<h5>{hidden}<span aria-hidden="true">§ {number}</span></h5><h5>{heading}</h5><ol><li><span>(1)</span><div>Die '
        f"Laterne brennt bis zum Morgen, und wer sie löscht, zahlt eine Buße nach § {number}.</div></li></ol>"
        for number, heading in enumerate(("Anwendungsbereich", "Laternen", "Strafen"), 1)
    )
    document = read(f"<html><body><h1>Laternengesetz</h1>{sections}</body></html>", "gesetz.html")
    assert headed(document) == [("1", "Anwendungsbereich"), ("2", "Laternen"), ("3", "Strafen")]
    assert "eins" not in document.text
    assert "(1) Die Laterne" in document.text
    assert not document.warnings


def test_markdown_that_begins_with_a_table_in_html_is_markdown() -> None:
    table = "<table>\n<tr><td><b>BỘ GIAO THÔNG</b><br>-----</td><td><b>CỘNG HÒA</b></td></tr>\n</table>"
    articles = "\n\n".join(
        f"**Điều {number}. Đèn hiệu {number}**\n\nĐèn được thắp vào ban đêm và tắt vào buổi sáng."
        for number in range(1, 5)
    )
    document = read(f"{table}\n\n**THÔNG TƯ**\n\n{articles}\n", "thong_tu.md")
    assert document.format == "markdown"
    assert [num for num, _ in headed(document)] == ["1", "2", "3", "4"]
    assert document.text.startswith("BỘ GIAO THÔNG ----- | CỘNG HÒA")
    assert not document.warnings


def test_the_name_of_a_heading_in_markdown_is_not_part_of_it() -> None:
    articles = "\n\n".join(f"## Article {number} Lamps {{#_Toc{number}}}\n\n{_BODY}" for number in range(1, 4))
    document = read(f"# Statutes {{.unnumbered}}\n\n{articles}\n", "statutes.md")
    assert headed(document) == [("1", "Lamps"), ("2", "Lamps"), ("3", "Lamps")]
    assert "_Toc" not in document.text


def test_numbers_alone_below_articles_are_the_sections_of_a_code() -> None:
    def article(number: int, sections: list[str]) -> str:
        below = "".join(
            f"<h6><b>{section}.</b></h6><p>{_BODY}</p><i>(Added by Stats. 1971, Ch. 1204.)</i>" for section in sections
        )
        return f"<h5><b>ARTICLE {number}. Lamps of kind {number}</b></h5><i>(Article {number} added.)</i>{below}"

    page = "<h4>Lamps Code</h4><h4>CHAPTER 3. Harbor Lamps</h4>" + "".join(
        [
            article(1, ["4300", "4301", "4301.5", "4302"]),
            article(2, ["4310", "4310", "4311"]),
            article(3, ["4320", "4323"]),
        ]
    )
    document = read(f"<html><body>{page}</body></html>", "code.html")
    assert [node.num for node in document.provisions()] == [
        "4300", "4301", "4301.5", "4302", "4310", "4310", "4311", "4320", "4323",
    ]  # fmt: skip
    assert above(document)["4310"] == ["3", "2"]
    assert not [warning for warning in document.warnings if "first provision" in warning]


_TURKISH = """**FENERLER KANUNU**

**BİRİNCİ BÖLÜM**

**Amaç ve Kapsam**

**Amaç:**

**Madde 1 –** Bu Kanunun amacı, iskelelerde bulunan fenerlerin yakılmasını düzenlemektir.

**Kapsam:**

**Madde 2 – (Değişik: 14/7/2004-5217/9 md.)**

Bu Kanun, ücret karşılığı yolcu taşınan bütün iskeleleri kapsar.

**Kovanlar:**

**Madde 3 –** İskelelere elli metreden yakın yerlere arı kovanı konulamaz.

**Ek Madde 1 – (Ek: 25/6/2009-5917/24 md.)**

Fenercilere her yıl bir takım kışlık giyecek verilir.

**Geçici Madde 1 –** Fenerci olarak çalışmakta olanlar görevlerine devam ederler.

**Yürürlük:**

**Madde 4 –** Bu Kanun yayımı tarihinde yürürlüğe girer.
"""


def test_a_heading_with_a_colon_is_above_its_article_and_a_remark_in_bold_is_no_heading() -> None:
    document = read(_TURKISH, "kanun.md")
    assert headed(document) == [
        ("1", "Amaç"), ("2", "Kapsam"), ("3", "Kovanlar"), ("Ek 1", None), ("Geçici 1", None), ("4", "Yürürlük"),
    ]  # fmt: skip
    assert not of_type(document, "schedule")
    assert above(document)["Ek 1"] == ["1"]


@pytest.mark.parametrize("heading", ["T R A N S I T O R I O S", "TRANSITORIOS"])
def test_transitional_articles_are_found_below_spaced_letters_and_before_those_of_other_decrees(heading: str) -> None:
    articles = "\n\n".join(
        f"Artículo {number}. El farol se enciende al anochecer de cada día." for number in range(1, 5)
    )
    document = read(
        f"LEY DE FAROLES\n\n{articles}\n\n{heading}\n\nPrimero. La presente Ley entrará en vigor mañana.\n\n"
        "Segundo. Se derogan las disposiciones que se opongan.\n\nG.O. 4 DE JULIO DE 2013.\n\n"
        "Artículo único. El presente Decreto entrará en vigor al día siguiente.\n"
    )
    (transitional,) = of_type(document, "transitional")
    assert [node.num for node in transitional.children if node.type == "article"] == ["1", "2"]


def test_a_repealed_article_in_brackets_is_an_article() -> None:
    articles = [f"**ARTÍCULO {number}º.-** El farol se enciende al anochecer de cada día." for number in (1, 2, 4, 5)]
    articles.insert(2, "*(Artículo 3º.- Derogado por la Ley 5 de 1988.)*")
    document = read("# LEY DE FAROLES\n\n" + "\n\n".join(articles), "ley.md")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert not document.warnings


def test_an_article_that_is_only_mentioned_in_brackets_is_none() -> None:
    articles = [f"**ARTÍCULO {number}º.-** El farol se enciende al anochecer de cada día." for number in (1, 2, 3)]
    articles.insert(2, "*(Artículo 3º.- Véase la Ley 5 de 1988.)*")
    document = read("# LEY DE FAROLES\n\n" + "\n\n".join(articles), "ley.md")
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]


def test_an_appendix_with_a_dash_and_a_heading_ends_the_body() -> None:
    articles = "\n\n".join(f"Article {number} – Lamps\n\n{_BODY}" for number in range(1, 5))
    annexed = "\n\n".join(f"Article {number}\n\n{_BODY}" for number in range(1, 3))
    document = read(f"Convention on Lamps\n\nChapter I – Lamps\n\n{articles}\n\nAppendix – Arbitration\n\n{annexed}\n")
    (schedule,) = of_type(document, "schedule")
    assert schedule.heading == "Arbitration"
    assert [node.num for node in schedule.children if node.type == "article"] == ["1", "2"]


def test_headings_with_figures_alone_contain_the_articles_below_them() -> None:
    def articles(first: int, last: int) -> str:
        return "".join(
            f"<p><b>Art. {number}</b> But</p><p>Le fanal brûle la nuit.</p>" for number in range(first, last + 1)
        )

    document = read(
        "<html><body><h1>Règlement sur les fanaux</h1><h2>1 Dispositions générales</h2>"
        f"{articles(1, 2)}<h2>2 Exploitation</h2><h2>2.1 Bacs</h2>{articles(3, 4)}<h2>2.2 Fanaux</h2>{articles(5, 6)}"
        f"<h2>3 Dispositions finales</h2>{articles(7, 8)}</body></html>",
        "reglement.html",
    )
    assert [node.num for node in document.provisions()] == list("12345678")
    found = above(document)
    assert [found[number] for number in "1357"] == [["1"], ["2", "2.1"], ["2", "2.2"], ["3"]]


_NOTED = """Public Law 131-91

                                 An Act

 To improve the lamps of harbors. <<NOTE: Oct. 1, 2031 -
                             [H.R. 5512]>>

    Be it enacted by the Senate and House of Representatives, <<NOTE: Lamps
Act of 2031.>>
SECTION 1. <<NOTE: 46 USC 101 note.>> SHORT TITLE; TABLE OF CONTENTS.

    (a) Short Title.--This Act may be cited as the Lamps Act of 2031.
    (b) Table of Contents.--The table of contents for this Act is as
follows:

Sec. 1. Short title; table of contents.
Sec. 2. Findings of the Congress.
Sec. 3. Grants for lamps.
Sec. 4. Duties of keepers.
Sec. 5. Effective date of this Act.

SEC. 2. FINDINGS OF THE CONGRESS.

    Congress finds that lamps go out.

SEC. 3. <<NOTE: 46 USC 70950.>> GRANTS FOR LAMPS.

    (a) <<NOTE: Deadline.>> In General.--The Secretary shall establish
a program to award grants for lamps.

SEC. 4. DUTIES OF KEEPERS.

    A keeper shall light the lamp of the harbor at dusk.

SEC. 5. EFFECTIVE DATE OF THIS ACT.

    This Act shall take effect on the first day of May.
"""


def test_marginal_notes_in_the_line_of_a_heading_are_notes_and_the_contents_inside_a_section_are_not_the_law() -> None:
    document = read(_NOTED)
    assert headed(document) == [
        ("1", "SHORT TITLE; TABLE OF CONTENTS."), ("2", "FINDINGS OF THE CONGRESS."), ("3", "GRANTS FOR LAMPS."),
        ("4", "DUTIES OF KEEPERS."), ("5", "EFFECTIVE DATE OF THIS ACT."),
    ]  # fmt: skip
    assert "<<NOTE: 46 USC 70950.>>" in [document.text_of(node) for node in of_type(document, "footnote")]
    for words in ("<<NOTE: 46 USC 70950.>>", "GRANTS FOR", "In General.--The", "a program to", "[H.R. 5512]"):
        assert document.raw_offset(document.text.index(words)) == _NOTED.index(words)


def test_the_label_of_a_part_at_the_top_of_each_page_is_not_a_header() -> None:
    def page(part: int, first: int) -> str:
        sections = "\n\n".join(
            f"{number}     Lamps of kind {'ABCDEF'[number - 1]}[{number}]\n      {_BODY} This Law may be cited as the Lamps Law."
            for number in (first, first + 1)
        )
        return f"PART {part}\n\n                LAMPS {part}\n\n{sections}\n\n\n        Revised Edition 2031\n          Page - {part}\n"

    document = read(
        "LAMPS (HARBOUR) LAW 2031\n\nA LAW to light harbours.\n\n" + "\f".join(map(page, (1, 2, 3), (1, 3, 5)))
    )
    found = above(document)
    assert {number: parents for number, parents in found.items() if parents} == {
        "1": ["1"], "2": ["1"], "3": ["2"], "4": ["2"], "5": ["3"], "6": ["3"],
    }  # fmt: skip
    assert [heading for _, heading in headed(document)] == [f"Lamps of kind {letter}" for letter in "ABCDEF"]


_RIGHT = """      1.     The title of these regulations is the Quay Lamps                Citation.
 Regulations, 2031.

      2.     In these regulations, unless the context otherwise              Interpretation.
 requires -                                                                  Amended by:
                                                                             L.N. 4 of 2032.
              "keeper" means a person who lights a lamp.

      3.     These regulations shall not apply to private lamps.             Applicability.
"""
_LEFT = """2        [S.L.9.171             QUAY LAMPS


Duties of           4.      (1) A keeper shall light every lamp at sunset.
keepers.
                            (2) A keeper shall wear a badge.

Remote              4A. The Board may exempt a quay from the provisions of
lamps.         regulation 4(1) where its lamps are switched from the
Added by:
L.N. 4 of 2032.
               town hall.


                                PART II
                                PENALTIES

Penalties.          5.      A keeper who does not light a lamp commits an offence.
"""
_BOTH_SIDES = (
    "                 QUAY LAMPS                                             [S.L.9.171     1\n\n\n"
    "                     QUAY LAMPS REGULATIONS\n\n                                PART I\n                                GENERAL\n\n"
    f"{_RIGHT}\f{_LEFT}\f                 QUAY LAMPS                                             [S.L.9.171     3\n\n\n"
    "                              SCHEDULE\n\n                  FORM OF BADGE\n\n              A badge is of brass.\n"
)


def test_notes_that_change_sides_from_page_to_page_are_the_headings() -> None:
    document = read(_BOTH_SIDES)
    assert headed(document) == [
        ("1", "Citation"), ("2", "Interpretation"), ("3", "Applicability"), ("4", "Duties of keepers"), ("4A", "Remote lamps"),
        ("5", "Penalties"),
    ]  # fmt: skip
    assert above(document)["4A"] == ["I"]
    assert above(document)["5"] == ["II"]
    (inserted,) = (node for node in document.provisions() if node.num == "4A")
    assert "Added by:" in document.text_of(inserted)
    assert "where its lamps are switched from the town hall." in document.text
    assert [document.text_of(node) for node in of_type(document, "running_header")][1] == "2 [S.L.9.171 QUAY LAMPS"
    for words in ("L.N. 4 of", "Duties of", "regulation 4(1) where", "town hall"):
        assert document.raw_offset(document.text.index(words)) == _BOTH_SIDES.index(words)


@pytest.mark.parametrize(("tag", "stop"), [("h4", ""), ("h4", "."), ("p", ".")])
def test_a_heading_of_a_number_alone_is_a_repealed_section_between_the_others(tag: str, stop: str) -> None:
    sections = "".join(
        f"<h4>{number}{stop} Lamps of kind {letter}</h4><p>{_BODY}</p>" for number, letter in ((1, "A"), (2, "B"))
    )
    page = f"<h1>Lamps Act 2031</h1>{sections}<{tag}>3{stop}</{tag}><p>(Repealed)</p><h4>4{stop} End</h4><p>This Act may be cited as X.</p>"
    document = read(f"<html><body>{page}</body></html>", "act.html")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]


def test_headings_above_the_sections_count_without_the_paragraphs_of_the_schedule() -> None:
    sections = "".join(
        f"<h3>Lamps of kind {letter}</h3><p><span>{number}.</span>A keeper lights lamp {letter} at dusk, as section 1 says.</p>"
        for number, letter in ((1, "A"), (2, "B"), (3, "C"))
    )
    paragraphs = "".join(f"<p><span>{number}.</span>The lamp on pier {number}.</p>" for number in range(1, 6))
    document = read(
        f"<html><body><h1>The Lamps Regulations 2031</h1><p>The Ministers make the following Regulations.</p>{sections}"
        f"<h2><span>SCHEDULE</span><span>Lamps to be lit</span></h2><p>Regulation 3</p>{paragraphs}</body></html>",
        "lamps.html",
    )
    body = [node for node, parents in document.walk_with_ancestors() if node.type == "section" and not parents]
    assert [(node.num, node.heading) for node in body] == [
        ("1", "Lamps of kind A"), ("2", "Lamps of kind B"), ("3", "Lamps of kind C"),
    ]  # fmt: skip
    assert [node.heading for node in of_type(document, "schedule")] == ["Lamps to be lit"]


def test_an_article_that_begins_with_a_reference_behind_a_space_is_an_article_and_supplementary_provisions_may_be_extracts() -> (
    None
):
    text = "\n\n".join([
        "灯台守法", "（目的）", "第一条　この法律は、灯台守の資格を定めることを目的とする。", "（資格）",
        "第二条　灯台守になろうとする者は、試験に合格しなければならない。", "（罰則）",
        "第三条　第二条の規定に違反した者は、十万円以下の罰金に処する。", "附　則　抄", "（施行期日）",
        "第一条　この法律は、公布の日から施行する。", "附　則　（平成三〇年六月一日法律第三三号）", "この法律は、公布の日から施行する。",
    ])  # fmt: skip
    document = read(text)
    body = [node for node, parents in document.walk_with_ancestors() if node.type == "article" and not parents]
    assert [node.num for node in body] == ["1", "2", "3"]
    assert of_type(document, "transitional")


def test_the_mark_of_a_note_beside_a_heading_in_brackets_is_not_part_of_it() -> None:
    articles = "\n\n".join(
        f"**Art. {label}**\n**{heading}**\n\n1. La Regione accende i fanali ogni sera."
        for label, heading in (("1", "(Finalità)"), ("2 bis (1)", "(Fanali)"), ("3", "(Vigilanza) (2)"))
    )
    document = read(f"**LEGGE REGIONALE 12 maggio 2031, n. 15**\n\n{articles}\n", "legge.md")
    assert [heading for _, heading in headed(document)] == ["(Finalità)", "(Fanali)", "(Vigilanza)"]


_INDONESIAN = "\n\n".join([
    "PERATURAN PEMERINTAH TENTANG LAMPU", "BAB I", "KETENTUAN UMUM", "Pasal 1", "Lampu adalah cahaya yang menyala.",
    "BAB II", "PENYELENGGARAAN", "Pasal 2", "Setiap dermaga wajib memiliki lampu.", "Pasal 3", "Penjaga wajib menyalakan lampu.",
    "BAB III", "PENUTUP", "Pasal 4", "Peraturan Pemerintah ini mulai berlaku pada tanggal diundangkan.", "PENJELASAN", "ATAS",
    "PERATURAN PEMERINTAH TENTANG LAMPU", "Pasal 1", "Cukup jelas.", "Pasal 2", "Cukup jelas.", "Pasal 3", "Cukup jelas.",
])  # fmt: skip


def test_the_explanation_of_a_law_has_no_provisions_and_headings_of_divisions_are_theirs() -> None:
    document = read(_INDONESIAN)
    assert [(node.num, node.heading) for node in of_type(document, "article")] == [(number, None) for number in "1234"]
    assert [node.heading for node in of_type(document, "chapter")] == ["KETENTUAN UMUM", "PENYELENGGARAAN", "PENUTUP"]
    assert len(of_type(document, "schedule")) == 1


def test_the_heading_of_an_explanation_may_be_inside_the_last_paragraph() -> None:
    ended = "Disahkan di Jakarta pada tanggal 1 Mei 2031 ttd. A. MOOR PENJELASAN ATAS PERATURAN PEMERINTAH TENTANG LAMPU UMUM Lampu"
    document = read(
        _INDONESIAN.replace("PENJELASAN\n\nATAS\n\nPERATURAN PEMERINTAH TENTANG LAMPU", f"{ended} itu penting.")
    )
    assert [node.num for node in of_type(document, "article")] == ["1", "2", "3", "4"]
    (explained,) = of_type(document, "schedule")
    assert document.text[explained.start : explained.end].startswith("PENJELASAN ATAS PERATURAN")


def test_a_list_of_contents_whose_entries_end_with_a_stop_is_not_the_law() -> None:
    parts = (("SEHEMU YA KWANZA", "UTANGULIZI", (1, 2)), ("SEHEMU YA PILI", "TAA", (3, 4, 5)))
    contents = "\n\n".join(
        f"{label}\n{heading}\n\n" + "\n".join(f"{number}. Wajibu wa mlinzi {number}." for number in numbers)
        for label, heading, numbers in parts
    )
    body = "\n\n".join(
        f"{label}\n{heading}\n\n"
        + "\n\n".join(
            f"{number}.-(1) Kila mlinzi wa bandari atawasha taa namba {number} wakati wa machweo ya kila siku. Sheria hii "
            "itajulikana kama Sheria ya Taa ya Mwaka 2031." for number in numbers
        )
        for label, heading, numbers in parts
    )  # fmt: skip
    document = read(f"SHERIA YA TAA\n\nYALIYOMO\n\n{contents}\n\nSheria ya kuweka masharti kuhusu taa.\n\n{body}\n")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert len(of_type(document, "toc")) == 1


def test_the_headings_of_divisions_in_a_list_of_contents_may_end_with_a_stop_too() -> None:
    parts = (("PART I.", "Preliminary and General.", (1, 2)), ("PART II.", "Lamps of the Harbour.", (3, 4, 5)))
    contents = "\n\n".join(
        f"{label}\n\n{head}\n\n" + "\n\n".join(f"{number}. Duties of keeper {number}." for number in numbers)
        for label, head, numbers in parts
    )
    body = "\n\n".join(
        f"{label}\n\n{head}\n\n" + "\n\n".join(f"{number}.—(1) {_BODY} This Act may be cited as the Lamps Act." for number in numbers)
        for label, head, numbers in parts
    )  # fmt: skip
    document = read(f"LAMPS ACT, 2031.\n\nARRANGEMENT OF SECTIONS.\n\n{contents}\n\nAn Act to light lamps.\n\n{body}\n")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]


def test_words_that_announce_a_list_are_no_heading() -> None:
    document = read(
        "Kikötő Község rendelete\n\nI. Fejezet\nÁltalános rendelkezések\n\n1. § (1) A rendelet hatálya a község területére terjed ki.\n\n"
        "2. § E rendelet alkalmazásában\n1. méh: a háziméh;\n2. kaptár: a méhek lakása.\n\n3. § A kaptár helye a kikötőn kívül van.\n\n"
        "4. § Ez a rendelet 2031. június 1-jén lép hatályba.\n"
    )
    assert headed(document) == [("1", None), ("2", None), ("3", None), ("4", None)]


def test_words_that_a_list_in_columns_follows_are_no_heading() -> None:
    document = read(
        "Föreskrifter om fyrar\n\n1 § Föreskrifterna gäller fyrar i hamnar.\n\n2 § I dessa föreskrifter avses med: fyr fyrvaktare\n\n"
        "ett ljus vid kajen en person som tänder ljuset\n\n3 § Fyrvaktaren tänder fyren i skymningen.\n"
    )
    assert headed(document) == [("1", None), ("2", None), ("3", None)]


def test_a_by_law_that_says_what_it_is_called_and_subchapters_are_read() -> None:
    chapter = "\n\n".join(
        f"## Subchapter {part}: KEEPERS {part}\n\n**§50{part}. Lamps**\n\n{_BODY} This by-law is called the Lamps By-law, 2031."
        for part in (1, 2, 3)
    )
    document = read(f"# Chapter 5: LAMPS\n\n{chapter}\n", "lamps.md")
    assert [node.num for node in of_type(document, "subchapter")] == ["1", "2", "3"]
    assert above(document)["502"] == ["5", "2"]


def test_closing_provisions_of_the_laws_that_amended_a_law_are_not_its_own() -> None:
    sections = "\n\n".join(
        f"§ {number}. Færgen tænder lanternen ved mørkets frembrud hver aften." for number in range(1, 6)
    )
    document = read(
        f"Lov om småfærger\n\n{sections}\n\nLov nr. 154 af 19. december 2031 (Lanterner), hvis § 1 ændrer § 3, indeholder følgende "
        "ikrafttrædelsesbestemmelse:\n\n§ 7\n\nStk. 1. Loven træder i kraft den 1. februar 2032.\n"
    )
    assert [node.num for node in of_type(document, "section")] == ["1", "2", "3", "4", "5"]
    assert len(of_type(document, "transitional")) == 1
    assert not document.warnings
