"""What the recogniser takes for a provision, a division or a heading, and what it does not."""

from __future__ import annotations

import time

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_BODY = "Die Behörde entscheidet auf Antrag. Sie hört die Beteiligten vor der Entscheidung an."


def read(text: str, name: str = "law.md", **hints: str) -> Document:
    return parse(SourceFile(name, text.encode(), hints=hints))


def numbers(document: Document) -> list[tuple[str, str | None]]:
    return [(node.type, node.num) for node in document.provisions()]


def provision(document: Document, num: str) -> Node:
    return next(node for node in document.provisions() if node.num == num)


def places(document: Document) -> dict[str, list[tuple[str, str | None]]]:
    """The divisions around each provision, outermost first, by its eid."""
    return {
        node.eid or "": [(parent.type, parent.num) for parent in parents]
        for node, parents in document.walk_with_ancestors()
        if node.type in ("section", "article")
    }


def german(count: int = 12) -> str:
    sections = "\n\n".join(f"### § {number} Regelung {number}\n\n{_BODY}" for number in range(1, count + 1))
    return f"# Gesetz über Musterfragen\n\n## Abschnitt 1 Allgemeines\n\n{sections}\n"


def test_sections_of_a_german_statute_in_markdown_are_sections_with_their_headings() -> None:
    document = read(german())
    assert numbers(document) == [("section", str(number)) for number in range(1, 13)]
    assert provision(document, "3").heading == "Regelung 3"
    assert document.doc_type == "act"
    assert document.language == "deu"
    assert set(map(tuple, places(document).values())) == {(("division", "1"),)}


def test_articles_whose_heading_stands_behind_the_number_are_articles() -> None:
    articles = "\n\n".join(
        f"# Article {number}. Name of the matter {number}\n\nThe Council shall decide on matter {number}. It shall publish its decision."
        for number in range(1, 9)
    )
    document = read(articles)
    assert numbers(document) == [("article", str(number)) for number in range(1, 9)]
    assert provision(document, "2").heading == "Name of the matter 2"


def test_a_reference_at_a_line_start_is_not_a_provision() -> None:
    text = "\n\n".join(
        f"Artikel {number}\n\nArtikel {number + 3} gilt entsprechend.\n\nArtikel 2 Absatz 1 bleibt unberührt. {_BODY}"
        for number in range(1, 7)
    )
    assert [num for _, num in numbers(read(text, "law.txt"))] == ["1", "2", "3", "4", "5", "6"]


def test_a_table_of_contents_is_not_the_text() -> None:
    entries = "\n\n".join(f"{number}. Name of section {number}" for number in range(1, 9))
    sections = "\n\n".join(
        f"{number}. Name of section {number}\n\n(1) A person may apply under this section.\n\n(2) The Board decides."
        for number in range(1, 9)
    )
    document = read(
        f"AN ACT ON SAMPLES\n\nPART I GENERAL\n\n{entries}\n\nPART I GENERAL\n\n{sections}\n", "act.txt", doc_type="act"
    )
    assert [num for _, num in numbers(document)] == [str(number) for number in range(1, 9)]
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert "8. Name of section 8" in document.text_of(contents)
    assert "Board decides" in document.text_of(provision(document, "8"))


def test_numbers_that_begin_anew_in_every_chapter_keep_their_chapters() -> None:
    chapters = "\n\n".join(
        f"Kapitel {chapter} Von der Sache {chapter}\n\n" + "\n\n".join(f"§ {number} {_BODY}" for number in range(1, 5))
        for chapter in range(1, 5)
    )
    document = read(f"Gesetz über Muster\n\n{chapters}\n", "gesetz.txt")
    assert len(numbers(document)) == 16
    assert [parents[-1] for parents in places(document).values()] == [
        ("chapter", str(chapter)) for chapter in range(1, 5) for _ in range(4)
    ]


def test_gaps_are_allowed_and_reported() -> None:
    text = "\n\n".join(
        f"Article {number}\n\nThe Minister may make regulations on this matter. They are published."
        for number in (1, 2, 3, "3bis", 4, 9, 10, "12A", 13)
    )
    document = read(text, "law.txt")
    assert [num for _, num in numbers(document)] == ["1", "2", "3", "3bis", "4", "9", "10", "12A", "13"]
    assert document.metadata["number_gaps"] == [["4", "9"], ["10", "12A"]]
    assert any("4 and 9" in warning for warning in document.warnings)


def test_parts_titles_and_chapters_lie_within_each_other() -> None:
    text = ""
    article = 0
    for title in ("I", "II"):
        text += f"TÍTULO {title}\n\nDe la materia\n\n"
        for chapter in ("I", "II"):
            text += f"CAPÍTULO {chapter}\n\nDel asunto\n\n"
            for _ in range(3):
                article += 1
                text += f"Artículo {article}.- La autoridad resuelve la solicitud. La resolución se notifica a las partes.\n\n"
    document = read(text, "ley.txt")
    assert len(numbers(document)) == 12
    assert places(document)["title_ii__chp_i__art_7"] == [("title", "II"), ("chapter", "I")]


def test_sections_of_an_annexed_convention_stand_in_its_schedule() -> None:
    act = "\n\n".join(
        f"Article {number}\n\nThe convention has the force of law. It is published." for number in (1, 2, 3)
    )
    convention = "\n\n".join(
        f"Article {number}\n\nThe Parties shall cooperate. They shall meet." for number in range(1, 8)
    )
    document = read(f"{act}\n\nANNEX I\n\nConvention on samples\n\n{convention}\n", "law.txt")
    assert len(numbers(document)) == 10
    assert places(document)["sched_i__art_7"] == [("schedule", "I")]


def test_a_note_whose_number_stands_before_a_reference_is_not_a_provision() -> None:
    articles = "\n\n".join(f"Art. {number}\n\n{_BODY}" for number in range(1, 9))
    notes = "\n\n".join(f"{number} Art. {number} geändert durch Gesetz Nr. {number + 40}." for number in range(1, 6))
    more = "\n\n".join(f"{number}) Art. {number + 2} Abs. 1 gilt seit dem 1. Mai 2020." for number in range(6, 9))
    document = read(f"{articles}\n\n{notes}\n\n{more}\n", "gesetz.txt")
    assert numbers(document) == [("article", str(number)) for number in range(1, 9)]


def test_a_division_whose_heading_begins_with_the_first_division_in_it_is_a_division() -> None:
    articles = "\n\n".join(f"Čl. {number}\n\nŠtátne orgány môžu konať iba na základe ústavy." for number in range(1, 4))
    document = read(f"PRVÁ HLAVA Prvý oddiel ZÁKLADNÉ USTANOVENIA\n\n{articles}\n", "ustava.txt", language="slk")
    assert [parents[0][1] for parents in places(document).values()] == ["1", "1", "1"]


def test_transitional_provisions_counted_in_words_are_provisions() -> None:
    articles = "\n\n".join(f"Artículo {number}.- La autoridad resuelve. Primero. Se publica." for number in range(1, 6))
    words = ("PRIMERA.-", "SEGUNDA.-", "Tercera.", "DECIMA.-", "VIGÉSIMO SEGUNDA.-", "QUINCUAGÉSIMA TERCERA.")
    rest = "\n\n".join(f"{word} La ley rige desde su publicación." for word in words)
    document = read(f"{articles}\n\nDISPOSICIONES TRANSITORIAS\n\n{rest}\n", "ley.txt")
    assert numbers(document) == [("article", num) for num in ("1", "2", "3", "4", "5", "1", "2", "3", "10", "22", "53")]
    assert list(places(document).values())[5:] == [[("transitional", None)]] * 6


def test_sections_of_a_chapter_lie_in_it_where_the_document_says_so() -> None:
    """ "Secțiunea" (usually over titles) stands right under a chapter here; only the first title has none."""
    text = "Titlul I Principii\n\nArticolul 1\n\nStatul este suveran.\n\nTitlul II Autorități\n\n"
    article = 1
    for chapter in ("I", "II"):
        text += f"Capitolul {chapter} Organe\n\n"
        for section in ("Secțiunea 1", "Secțiunea a 2-a"):
            article += 1
            text += f"{section} Organizare\n\nArticolul {article}\n\nOrganul decide asupra cererii.\n\n"
    document = read(text, "lege.txt")
    found = {parents[-1][1]: [kind for kind, _ in parents] for parents in places(document).values()}
    assert found == {"I": ["title"], "1": ["title", "chapter", "division"], "2-a": ["title", "chapter", "division"]}


def test_a_kind_of_division_that_begins_behind_another_lies_in_it() -> None:
    text = "Chapitre Ier. Du territoire\n\nArt. 1er. L’État est libre.\n\nChapitre II. De la puissance\n\nArt. 2. La loi règle tout.\n\n"
    text += "§ 1er. Du Roi\n\nArt. 3. Le Roi nomme.\n\n§ 2. De la loi\n\nArt. 4. La loi est votée.\n\n"
    text += "Chapitre III. Des juges\n\nArt. 5. Ils jugent."
    found = places(read(text, "loi.txt"))
    assert [found[eid] for eid in found] == [
        [("chapter", "I")], [("chapter", "II")], [("chapter", "II"), ("division", "1")], [("chapter", "II"), ("division", "2")],
        [("chapter", "III")],
    ]  # fmt: skip


def test_the_next_division_may_have_a_long_heading() -> None:
    long = "Von der Berechnung der Leistungen für Personen, die eine Ausbildung unterbrechen, und " * 3
    text = "\n\n".join(
        f"Kapitel {chapter} {long if chapter == 2 else 'Von der Sache'}\n\n§ {2 * chapter - 1} {_BODY}\n\n§ {2 * chapter} {_BODY}"
        for chapter in (1, 2, 3)
    )
    document = read(text, "gesetz.txt")
    assert [parents[-1][1] for parents in places(document).values()] == ["1", "1", "2", "2", "3", "3"]


def test_a_numbered_list_in_a_note_is_not_a_law() -> None:
    note = "# Meeting notes\n\nWe spoke about three things:\n\n1. The budget of the year\n2. The office\n3. The next meeting\n\nAll agreed."
    document = read(note, "note.md")
    assert numbers(document) == []
    assert document.doc_type == "other"


def test_numbers_that_make_no_sure_sequence_give_a_warning_that_says_how_many() -> None:
    text = "\n\n".join(f"{number}. Some remark on the matter, which ends here." for number in (4, 9, 2, 11, 3, 20))
    document = read(text, "remarks.txt")
    assert numbers(document) == []
    assert any("6 numbers" in warning and "notes under headings" in warning for warning in document.warnings)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("1 § En lykta är en lampa. 2 § Den ska tändas. 3 § Den ska släckas. 4 § Lag (2099:1).", 4),
        (
            "1 kap. Inledning 1 § En lykta. 2 § En fyr. 3 § En boj. 4 § Ett ljus. 2 kap. Ljus 1 § Tänd. 2 § Släck. 3 § Tvätta. Lag.",
            3,
        ),
        ("Enligt 1 § ska lyktan tändas. 5 § säger när. 2 § gäller bojar, och 3 § dem som sköter dem.", 0),
    ],
)
def test_a_law_whose_lines_a_print_joined_has_a_warning(text: str, labels: int) -> None:
    document = read(f"# Fyrar\n\nEn sida om fyrar.\n\n{text}\n")
    assert list(document.provisions()) == []
    warned = [warning for warning in document.warnings if "labels of provisions are inside paragraphs" in warning]
    assert [warning.split()[0] for warning in warned] == ([str(labels)] if labels else [])


def test_a_judgment_in_plain_text_is_not_an_act_with_sections() -> None:
    paragraphs = "\n\n".join(
        f"{number}. The applicant relied on section {number} of the Act. The court considered the argument and the evidence."
        for number in range(1, 15)
    )
    parties = "BETWEEN\n\nAnna Example\n\nApplicant\n\nand\n\nBoard of Samples\n\nRespondent"
    text = f"IN THE HIGH COURT OF SAMPLELAND\n\n{parties}\n\nJUDGMENT\n\n{paragraphs}\n"
    document = read(text, "case.txt")
    assert document.doc_type == "judgment"
    assert {kind for kind, _ in numbers(document)} == {"numbered_paragraph"}


def test_an_offset_of_a_section_leads_back_to_the_raw_text() -> None:
    first = "Article 1\n\nThe first rule is\nwrapped over two lines.\n\n"
    raw = f"{first}Article 2\n\nThe second   rule has wide gaps.\n\nArticle 3\n\nThe third rule.\n"
    document = read(raw, "law.txt")
    at = document.text.index("wide gaps")
    place = document.raw_offset(at)
    assert place is not None
    assert raw[place:].startswith("wide gaps")


@pytest.mark.parametrize("name", ["law.txt", "law.md", "law.html"])
def test_the_time_grows_with_the_length(name: str) -> None:
    def seconds(count: int) -> float:
        text = german(count)
        if name.endswith("html"):
            text = "<html><body>" + "".join(f"<p>{line}</p>" for line in text.split("\n") if line) + "</body></html>"
        started = time.process_time()
        read(text, name, language="deu")
        return time.process_time() - started

    seconds(50)
    once, twice, four_times = (min(seconds(count) for _ in range(2)) for count in (400, 800, 1600))
    assert twice < 3.2 * once + 0.05
    assert four_times < 3.2 * twice + 0.05


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A. Allgemeine Bestimmungen", "B. Die ordentlichen Gerichte"),
        ("I GENERAL", "II COURTS"),
        ("I. Allgemeines", "II. Verfahren"),
    ],
)
def test_numbers_without_a_word_head_divisions_where_they_stand_over_provisions(first: str, second: str) -> None:
    def articles(start: int) -> str:
        return "\n\n".join(f"Art. {number}\n\n{_BODY}\n\nC. Kosten\n\n{_BODY}" for number in range(start, start + 3))

    text = f"1. Hauptstück Vom Lande\n\n{articles(1)}\n\n2. Hauptstück Gerichte\n\n{first}\n\n{articles(4)}\n\n{second}\n\n{articles(7)}\n"
    found = list(places(read(text, "gesetz.txt")).values())
    second_title = ("title", "2")
    inner = [("division", heading.split()[0].rstrip(".")) for heading in (first, second)]
    assert found == [[("title", "1")]] * 3 + [[second_title, inner[0]]] * 3 + [[second_title, inner[1]]] * 3


def test_a_letter_alone_inside_an_article_is_not_a_division() -> None:
    text = "\n\n".join(f"Art. {number}\n\n{_BODY}\n\nA. Gebühren\n\nB. Kosten\n\n{_BODY}" for number in range(1, 7))
    assert all(not parents for parents in places(read(text, "gesetz.txt")).values())


def test_articles_that_a_schedule_sets_out_from_a_later_one_on_are_provisions() -> None:
    sections = "".join(f"{number} Keeping of lamp {number}\n\n(1) The lamp is kept.\n\n" for number in range(1, 9))
    articles = "".join(
        f"Article {number} Right to light {number}\n\nEvery pier has the right to light in the night.\n\n"
        for number in (2, 3, 4, 6, 7)
    )
    notice = "Article 5(1)(f) of the Treaty\n\nThe piers of the river have no light.\n"
    text = f"Lamp Act 2031\n\nBe it enacted as follows:\n\n{sections}SCHEDULE 1 The Treaty\n\n{articles}SCHEDULE 2 Notices\n\n{notice}"
    document = read(text, "law.txt")
    schedules = [node for node in document.nodes if node.type == "schedule"]
    found = [[child.num for child in node.walk() if child.type == "article"] for node in schedules]
    assert found == [["2", "3", "4", "6", "7"], []]


def test_notes_on_the_articles_of_another_law_in_a_schedule_are_not_provisions() -> None:
    sections = "".join(f"{number} Keeping of lamp {number}\n\n(1) The lamp is kept.\n\n" for number in range(1, 9))
    notes = "".join(
        f"Article {number} is repealed and its lamps are put out for ever.\n\n" for number in (2, 3, 4, 6, 7)
    )
    text = f"Lamp Act 2031\n\nBe it enacted as follows:\n\n{sections}SCHEDULE 1 Repeals\n\n{notes}"
    assert not [node for node in read(text, "law.txt").provisions() if node.type == "article"]


def test_a_law_goes_on_behind_the_one_that_it_publishes() -> None:
    inner = "".join(f"Artículo {number}° Fíjanse las tasas del faro {number}.\n\n" for number in range(1, 6))
    text = (
        "Decreto 7 de 2031\n\nDECRETA:\n\nArtículo 1° Apruébase la Resolución 2, cuyo texto es el siguiente:\n\n"
        f"Resolución 2\n\nRESUELVE:\n\n{inner}Dada en la costa.\n\nArtículo 2° El presente Decreto rige desde hoy.\n"
    )
    document = read(text, "ley.txt", language="es")
    assert [node.num for node in document.provisions()] == ["1", "1", "2", "3", "4", "5", "2"]
    assert "presente Decreto" not in document.text_of(provision(document, "5"))


def test_a_reference_to_a_later_article_does_not_go_on_with_the_law_outside() -> None:
    """Only a law that words of enactment interrupted goes on."""
    articles = "".join(f"Artículo {number}° El faro número {number} arde.\n\n" for number in range(1, 5))
    text = f"Ley de faros\n\n{articles}Artículo 1° Los faros viejos no arden.\n\nFirmado.\n"
    document = read(text, "ley.txt", language="es")
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]


def test_a_law_of_a_sole_article_is_a_law() -> None:
    text = (
        "Acto 1 de 2031\n\nPor el cual se interpreta la ley de los faros de la costa y de los ríos del país\n\nLa Asamblea\n\ndecreta:\n\n"
        "Artículo único. La Asamblea cuida de los faros mientras no haya otro que lo haga.\n\nDado en la costa.\n\nEl Presidente\n"
    )
    document = read(text, "ley.txt", language="es")
    assert [(node.type, node.num) for node in document.provisions()] == [("article", "único")]


@pytest.mark.parametrize("rank", ["maarus", None])
def test_the_only_section_of_what_is_published_as_a_regulation_is_a_section(rank: str | None) -> None:
    """Its annex may be longer. Without a rank it may be a note on § 1."""
    front = f'---\ntitle: "Tuletornide kava"\ncountry: "ee"\nrank: "{rank}"\n---\n' if rank else ""
    annex = "# Lisa: Kava\n\n" + "".join(f"Tuletorn {number} vajab uut laternat.\n\n" for number in range(20))
    text = f"{front}# Tuletornide kava\n\nMäärus kehtestatakse seaduse alusel.\n\n##### § 1. Kava\n\nKinnitada kava.\n\n{annex}"
    assert numbers(read(text)) == ([("section", "1")] if rank else [])


@pytest.mark.parametrize("rank", ["regulation", None])
def test_the_last_sections_in_force_of_what_is_published_as_a_regulation_are_sections(rank: str | None) -> None:
    """Without a rank they may be notes on two sections."""
    front = f'---\ntitle: "Verordnung über Lampen"\nlanguage: deu\nrank: "{rank}"\n---\n' if rank else ""
    annex = "## Anhang Gebühren\n\n" + "".join(f"Die Gebühr für Lampe {number} ist fest.\n\n" for number in range(60))
    text = (
        f"{front}# Verordnung über Lampen\n\n## § 6\n\nDer Wärter zahlt.\n\n## § 11\n\nSie tritt in Kraft.\n\n{annex}"
    )
    assert numbers(read(text)) == ([("section", "6"), ("section", "11")] if rank else [])


def test_a_long_annex_of_numbers_does_not_hide_the_sections_of_the_body() -> None:
    sections = "".join(
        f"## § {number} Lampen\n\nDer Wärter zündet die Lampe {number} an.\n\n" for number in range(1, 6)
    )
    rows = "".join(f"**{number}.** **Lampen der Klasse {number}**\n\nSie leuchten.\n\n" for number in range(1, 24))
    fees = "".join(f"Die Gebühr für die Lampe {number} bestimmt der Wärter nach Tarif.\n\n" for number in range(300))
    document = read(f"# Verordnung über Lampen\n\n{sections}## Anlage 1 Plan\n\n{rows}## Anlage 2 Gebühren\n\n{fees}")
    assert [node.eid for node in document.provisions() if not (node.eid or "").startswith("sched")] == [
        f"sec_{number}" for number in range(1, 6)
    ]


def test_an_annex_to_an_article_does_not_hold_the_next_books_of_a_code() -> None:
    def book(number: int) -> str:
        articles = "".join(f"Article {number}{place}\n\nThe lamp {number}{place} is kept.\n\n" for place in (1, 2, 3))
        return f"BOOK {number} Lamps of kind {number}\n\n{articles}"

    annex = "ANNEX\n\nList of lamps that are kept by the town\n\n"
    document = read(f"Code of Lamps\n\n{book(1)}{annex}{book(2)}{book(3)}", "code.txt", doc_type="act")
    assert [(node.type, node.num) for node in document.nodes if node.type in ("book", "schedule")] == [
        ("book", "1"),
        ("schedule", None),
        ("book", "2"),
        ("book", "3"),
    ]
    assert [node.num for node in document.provisions()] == ["11", "12", "13", "21", "22", "23", "31", "32", "33"]


def test_the_parts_of_a_schedule_stay_in_it() -> None:
    part = "PART {0} Lamps of kind {0}\n\nArticle {0}1\n\nThe lamp is kept.\n\nArticle {0}2\n\nThe lamp burns.\n\n"
    forms = (
        "SCHEDULE 1 Forms\n\nPART 1 First form\n\nName:\n\nPART 2 Second form\n\nName:\n\nPART 3 Third form\n\nName:\n"
    )
    text = f"Law of Lamps\n\n{part.format(1)}{part.format(2)}{forms}"
    document = read(text, "law.txt", doc_type="act")
    assert [(node.type, node.num) for node in document.nodes if node.type in ("part", "schedule")] == [
        ("part", "1"),
        ("part", "2"),
        ("schedule", "1"),
    ]


@pytest.mark.parametrize(("head", "num"), [("Chapter 10 a. (Repealed)", "10 a"), ("Chapter 11 A. Agents", "11 A")])
def test_a_letter_apart_belongs_to_the_number_of_a_chapter(head: str, num: str) -> None:
    chapters = [f"Chapter {number}. Rules" for number in (9, 10)] + [head]
    text = "# Harbour Act\n\n" + "\n\n".join(
        f"## {chapter}\n\n### § {number}. Fee {number}\n\nA boat pays." for number, chapter in enumerate(chapters, 1)
    )
    assert [node.num for node in read(text).walk() if node.type == "chapter"] == ["9", "10", num]


def test_a_letter_apart_belongs_to_the_number_of_a_section_with_two_parts() -> None:
    numbers_printed = ["4-1", "4-2", "4-2 a", "4-2 b", "4-3", "8", "8 A", "8 A-1", "8 A-2", "9"]
    text = "# Lov om havner\n\n" + "\n\n".join(
        f"##### § {number}. Regel om avgift\n\nEieren av båten skal betale avgiften til havnen."
        for number in numbers_printed
    )
    assert [num for _, num in numbers(read(text))] == numbers_printed


def test_a_letter_apart_belongs_to_the_number_of_a_section_in_a_chapter_with_a_letter() -> None:
    printed = [
        "1-1",
        "1-2",
        "1A-1",
        "1A-2",
        "1A-2 a",
        "1A-3",
        "2-1",
        "2 A-1",
        "2 A-1 a",
        "2 A-2",
        "3-1",
        "3 a-1",
        "3 a-2",
        "4-1",
    ]
    remarks = ("Formål", "(Opphevet)")
    text = "# Lov om havner\n\n" + "\n\n".join(
        f"##### § {number}. {remarks[place % 2]}\n\nEieren betaler avgiften." for place, number in enumerate(printed)
    )
    document = read(text)
    assert [num for _, num in numbers(document)] == printed
    assert "number_gaps" not in document.metadata


def test_a_letter_apart_belongs_to_the_roman_number_of_a_chapter() -> None:
    chapters = ["Kapittel I. Skip", "Kapittel II. Brygger", "Kapittel II a. Straff", "Kapittel III. Unntak"]
    text = "# Lov om havner\n\n" + "\n\n".join(
        f"### {chapter}\n\n##### § {number}. Regel\n\nEieren av båten betaler."
        for number, chapter in enumerate(chapters, 1)
    )
    assert [node.num for node in read(text).walk() if node.type == "chapter"] == ["I", "II", "II a", "III"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("**Art. 2** a Umfang", "**Art. 2** b"),
        ("**Art. 2***a*<sup>[^1]</sup>", "**Art. 2***b* Umfang"),
        ("Art 2 a.", "Art. 2 b. (1)"),
    ],
)
def test_a_letter_apart_or_in_italics_belongs_to_the_number_of_an_article(a: str, b: str) -> None:
    heads = ["**Art. 1** Zweck", "**Art. 2**", a, b, "**Art. 3**"]
    text = "# Hafengesetz\n\n" + "\n\n".join(f"##### {head}\n\nDas Schiff zahlt die Gebühr." for head in heads)
    found = [num.replace(" ", "") for _, num in numbers(read(text)) if num]
    assert found == ["1", "2", "2a", "2b", "3"]


def test_a_small_letter_behind_an_article_is_a_word_where_the_language_has_such_words() -> None:
    text = "# Ley de puertos\n\n" + "\n\n".join(f"Artículo {number} a Los barcos pagan." for number in (1, 2, 3))
    assert [num for _, num in numbers(read(text, doc_type="act"))] == ["1", "2", "3"]


def test_the_numbered_paragraphs_of_a_sole_article_are_no_provisions() -> None:
    recitals = "\n\n".join(f"{number}. Την απόφαση {number} του Υπουργού για τα λιμάνια." for number in (1, 2, 3))
    rules = "\n\n".join(f"{number}. Ο Υπουργός ορίζει με απόφασή του το τέλος {number}." for number in range(1, 8))
    law = f"# Διάταγμα 31/2031\n\nΈχοντας υπόψη:\n\n{recitals}\n\n##### Άρθρο 1\n\n{rules}\n"
    front = "---\ntitle: Διάταγμα 31/2031\ncountry: gr\nidentifier: D-31-2031\nrank: diatagma\n---\n"
    assert numbers(read(front + law)) == [("article", "1")]
