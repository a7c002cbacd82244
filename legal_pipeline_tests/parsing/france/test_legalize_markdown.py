"""Statutes of France and Germany in legalize markdown: a country is a vocabulary file."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.legalize.vocabulary import countries, vocabulary
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.parsing.invariants import checked
from legal_pipeline_tests.real_documents import existing

FRONT = (
    '---\ntitle: "Code des horloges"\nidentifier: "LEGITEXT01"\ncountry: "{}"\nrank: "code"\n'
    'publication_date: "2019-09-14"\nlast_updated: "2023-01-26"\n---\n'
)
CODE = """# Code des horloges

Partie législative

LIVRE Ier : DES CLOCHES

Chapitre unique

Article L11-1

Toute horloge sonne.
Elle indique :
1° L'heure ;
a) En chiffres ;
2° La date.
La sonnerie est réglée par décret.

Article L11-1

Toute horloge sonne deux fois.

Article L11-1-2

« Art. L. 9.-Texte cité d'un autre code. »

Chapitre II : Des montres

Article L12-1 bis

Le chapitre Ier s'applique aux montres.
"""


def parse(text: str, name: str = "x.md") -> Document:
    return checked(SourceFile(name, text.encode()))


def test_plain_lines_open_divisions_and_articles() -> None:
    document = parse(FRONT.format("fr") + CODE)
    assert [(node.type, node.num, node.heading) for node in document.walk() if node.type in ("division", "book", "chapter")] == [
        ("division", "législative", None), ("book", "Ier", "DES CLOCHES"), ("chapter", "unique", None), ("chapter", "II", "Des montres"),
    ]  # fmt: skip
    assert [node.num for node in document.provisions()] == ["L11-1", "L11-1", "L11-1-2", "L12-1 bis"]
    assert (document.document_id, document.as_of_date, document.language) == ("fr-legitext01", "2023-01-26", "fra")
    assert document.work_uri == "/akn/fr/act/code/2019-09-14/legitext01"


@pytest.mark.parametrize(
    "number",
    [
        "2 octodecies A",
        "38 sexdecies RB bis",
        "46 quater-0 YN",
        "46 AZA septdecies",
        "10 G-0 bis",
        "R39-1-A",
        "143 A 1",
        "56 j terdecies A",
    ],
)
def test_numbers_of_inserted_articles_are_whole(number: str) -> None:
    text = (
        FRONT.format("fr")
        + f"# Code des horloges\n\nArticle 1\n\nToute horloge sonne.\n\nArticle {number}\n\nElle indique l'heure.\n"
    )
    document = registry.parse(SourceFile("code.md", text.encode()))
    assert [node.num for node in document.provisions()] == ["1", number]


def test_the_second_wording_cannot_be_taken_for_another_number() -> None:
    document = parse(FRONT.format("fr") + CODE)
    eids = [(node.eid or "").rpartition("__")[2] for node in document.provisions()]
    assert eids == ["art_l11-1", "art_l11-1.2", "art_l11-1-2", "art_l12-1bis"]
    assert [node.attributes.get("wording") for node in document.provisions()] == [1, 2, None, None]
    assert any("more than one wording" in warning for warning in document.warnings)


def test_two_wordings_of_an_annex_have_eids_of_their_own() -> None:
    annexes = "\n\n".join(
        f"Annexe {number}\n\n{text}" for number, text in (("2", "Cloches."), ("2", "Gongs."), ("3", "Fin."))
    )
    document = parse(FRONT.format("fr") + f"# Code des horloges\n\nArticle 1\n\nToute horloge sonne.\n\n{annexes}\n")
    found = [node for node in document.nodes if node.type == "schedule"]
    assert [node.eid for node in found] == ["sched_annexe2", "sched_annexe2.2", "sched_annexe3"]
    assert [node.num for node in found] == ["Annexe 2", "Annexe 2", "Annexe 3"]


def test_items_nest_and_a_quoted_article_is_a_quotation() -> None:
    document = parse(FRONT.format("fr") + CODE)
    first = next(document.provisions())
    assert [(node.type, node.num) for node in first.walk() if node.type in ("subsection", "item")] == [
        ("subsection", "1"), ("subsection", "2"), ("item", "1"), ("item", "a"), ("item", "2"), ("subsection", "3"),
    ]  # fmt: skip
    assert sum(node.type == "quotation" for node in document.walk()) == 1


def test_a_line_of_text_that_begins_like_a_heading_is_none() -> None:
    text = (
        FRONT.format("fr")
        + "Article 1\n\nTitre Ier du livre II est abrogé par la présente loi.\n\nSection 2 du code.\n"
    )
    assert [node.type for node in parse(text).walk() if node.type in ("title", "subchapter")] == []


def test_the_number_of_an_inserted_division_is_whole() -> None:
    """Each but the last was not read, or its number ended at the first sign."""
    heads = ("Livre 1er", "Titre 0I", "Chapitre Ier A", "Section 3-1", "Sous-section III bis-0", "Sous-section III BIS")
    body = "\n\n".join(f"{head} : Des cloches\n\nArticle L{n}\n\nElle sonne." for n, head in enumerate(heads, 1))
    document = parse(f"{FRONT.format('fr')}# Code des horloges\n\n{body}\n")
    divisions = [node for node in document.walk() if node.type in ("book", "title", "chapter", "subchapter", "subpart")]
    assert [(node.num, node.heading) for node in divisions] == [
        (number, "Des cloches") for number in ("1er", "0I", "Ier A", "3-1", "III bis-0", "III BIS")
    ]
    assert [sum(child.type == "article" for child in node.children) for node in divisions] == [1] * len(heads)


def test_a_german_division_above_the_tenth_is_read() -> None:
    heads = ("Zehnter Abschnitt", "Elfter Abschnitt", "Einundzwanzigster Abschnitt")
    body = "\n\n".join(f"### {head}: Glocken\n\n##### § {n}\n\nGlocken läuten." for n, head in enumerate(heads, 1))
    document = parse(FRONT.format("de").replace('"code"', '"gesetz"') + f"# Uhrengesetz\n\n{body}\n")
    assert [node.num for node in document.walk() if node.type == "subchapter"] == [head.split()[0] for head in heads]


def test_germany_is_one_data_file() -> None:
    text = FRONT.format("de").replace('"code"', '"gesetz"') + (
        "# Uhrengesetz\n\n## Buch 1 Allgemeines\n\n### Abschnitt 2 Türme\n\n##### § 1 Zweck\n\n(1) Uhren zeigen die Zeit:\n\n"
        "1. in Stunden,\n\na) ganzen,\n\n2. in Minuten.\n\n(2) Näheres regelt § 2a Absatz 1.\n\n##### § 2a Glocken\n\nGlocken läuten.\n"
    )
    document = parse(text)
    assert [(node.num, node.heading) for node in document.provisions()] == [("1", "Zweck"), ("2a", "Glocken")]
    section = next(document.provisions())
    assert [(node.type, node.num) for node in section.walk() if node.type in ("subsection", "item")] == [
        ("subsection", "1"), ("item", "1"), ("item", "a"), ("item", "2"), ("subsection", "2"),
    ]  # fmt: skip
    assert (document.language, document.doc_type) == ("deu", "act")
    assert {"de", "fr"} <= set(countries())


def test_front_matter_alone_and_an_unknown_country_are_errors() -> None:
    with pytest.raises(EmptyDocumentError):
        parse(FRONT.format("fr"))
    with pytest.raises(ParseError, match="countries"):
        registry.parse(SourceFile("x.md", (FRONT.format("xx") + CODE).encode()), "legalize_markdown")


@pytest.mark.corpus
def test_every_version_of_the_code_has_the_articles_of_its_file(corpus: Path) -> None:
    for path in existing(corpus / "histories" / "fr_code_justice_penale_mineurs", "v*.md"):
        text = path.read_text()
        document = parse(text, path.name)
        expected = len(re.findall(r"^Article \S.*$", text, re.MULTILINE))
        annexes = sum(node.type == "schedule" for node in document.walk())
        assert len(list(document.provisions())) + annexes == expected
        assert document.document_id == "fr-legitext000039086952"
        squeezed = "".join(document.text.split())
        for line in text.split("\n---\n", 1)[1].split("\n"):
            if not line.startswith(("|", "**", "#")):
                assert "".join(line.split()) in squeezed, line


@pytest.mark.corpus
def test_every_version_of_the_constitution_has_the_headings_of_its_file(corpus: Path) -> None:
    dates = []
    for path in existing(corpus / "histories" / "fr_constitution_1958", "v*.md"):
        text = path.read_text()
        document = parse(text, path.name)
        assert (document.doc_type, document.document_id) == ("constitution", "fr-legitext000006071194")
        articles = [node for node in document.walk() if node.type in ("article", "preamble")]
        assert len(articles) == len(re.findall(r"^##### Article", text, re.MULTILINE))
        titles = [node for node in document.walk() if node.type == "title"]
        assert len(titles) == len(re.findall(r"^## Titre", text, re.MULTILINE))
        dates.append(document.as_of_date)
    assert dates == sorted(dates)
    assert dates[-1] == "2024-03-10"


LINES = st.sampled_from(
    [
        "Article 1",
        "Article L2-1",
        "Chapitre Ier : A",
        "1° x ;",
        "a) y",
        "« z »",
        "",
        "| a | b |",
        "Texte.",
        "**B**",
        "Titre II",
    ]
)


@examples(60)
@given(st.lists(LINES, min_size=1, max_size=30))
def test_spans_nest_whatever_the_order_of_lines(lines: list[str]) -> None:
    if not any(lines):
        return
    text = FRONT.format("fr") + "\n".join(lines)
    first, second = parse(text), parse(text)
    assert first == second
    assert vocabulary("fr") is not None


def code(body: str, front: str = FRONT) -> Document:
    return parse(front.format("fr") + body)


def test_a_division_ends_those_of_its_rank_and_below_and_a_title_ends_the_article() -> None:
    document = code(
        "Chapitre Ier : Des cloches\n\nArticle 1\n\nElles sonnent.\n\n# Annexes\n\nTexte.\n\nLIVRE II : DES MONTRES\n\n"
        "Chapitre Ier : Des ressorts\n\nArticle 2\n\nIls tournent.\n"
    )
    assert [(node.type, node.num) for node in document.nodes] == [("chapter", "Ier"), ("book", "II")]
    assert [(node.type, node.num) for node in document.nodes[1].children if node.num] == [("chapter", "Ier")]
    article = next(document.provisions())
    assert "Texte." not in document.text_of(article)


def test_a_sub_heading_in_an_article_ends_its_items_and_a_table_is_one() -> None:
    document = code(
        "Article 1\n\nIl indique :\n1° L'heure ;\n\n**De la date**\n\nIl sonne.\n\n| Cloche | Heure |\n| --- | --- |\n| Bourdon | Midi |\n"
    )
    article = next(document.provisions())
    assert [(node.type, node.num) for node in article.children] == [
        ("heading", None), ("subsection", "1"), ("heading", None), ("subsection", "2"), ("table", None),
    ]  # fmt: skip
    (table,) = [node for node in article.walk() if node.type == "table"]
    assert document.text_of(table) == "Cloche | Heure\nBourdon | Midi"


@pytest.mark.parametrize(
    ("line", "is_quotation"),
    [
        ("« Art. 2.-Texte. »", True),
        ("« Art. 2.-Texte. » ;", True),
        ("« Art. 2 » est abrogé.", False),
        ("« Art. 2.-Texte.", True),
    ],
)
def test_a_line_is_a_quotation_if_it_is_wholly_in_marks(line: str, is_quotation: bool) -> None:
    document = code(f"Article 1\n\nIl est inséré :\n{line}\n")
    assert any(node.type == "quotation" for node in document.walk()) is is_quotation


def test_text_above_the_first_article_is_a_block_and_what_the_front_matter_lacks_is_not_stated() -> None:
    front = FRONT.replace('rank: "code"', 'rank: "loi inconnue"').replace("2019-09-14", "bientôt")
    document = code("Visas.\n\nArticle 1\n\nIl sonne.\n", front)
    assert (document.nodes[0].type, document.text_of(document.nodes[0])) == ("block", "Visas.")
    assert (document.doc_type, document.work_uri) == ("act", "/akn/fr/act/loi-inconnue/legitext01")
    assert document.title == "Code des horloges"


def test_divisions_and_items_of_one_level_lie_beside_each_other() -> None:
    document = code(
        "LIVRE Ier : A\n\nTitre Ier : B\n\nChapitre Ier : C\n\nArticle 1\n\nElle indique :\n1° L'heure ;\na) En chiffres ;\n"
        "b) En lettres ;\n2° La date.\n\nChapitre II : D\n\nArticle 2\n\nElle sonne.\n\nLIVRE II : E\n\nArticle 3\n\nElle dort.\n"
    )
    assert [(node.type, node.num) for node in document.nodes] == [("book", "Ier"), ("book", "II")]
    (title,) = [node for node in document.walk() if node.type == "title"]
    assert [(node.type, node.num) for node in title.children if node.num] == [("chapter", "Ier"), ("chapter", "II")]
    (listed,) = [node for node in next(document.provisions()).children if node.type == "subsection"]
    assert [item.num for item in listed.children] == ["1", "2"]
    assert [item.num for item in listed.children[0].children] == ["a", "b"]


def test_a_text_without_a_day_or_a_title_has_the_day_of_the_hints_and_the_title_of_its_identifier() -> None:
    front = FRONT.replace('last_updated: "2023-01-26"\n', "").replace('title: "Code des horloges"\n', "title:\n")
    source = SourceFile(
        "x.md", (front.format("fr") + "Article 1\n\nIl sonne.\n").encode(), hints={"as_of_date": "2031-02-03"}
    )
    document = registry.parse(source, "legalize_markdown")
    assert (document.as_of_date, document.title) == ("2031-02-03", "LEGITEXT01")
    named = front.replace('rank: "code"', 'rank: ""')
    assert parse_named(named).work_uri == "/akn/fr/act/act/2019-09-14/legitext01"


def parse_named(front: str) -> Document:
    return registry.parse(
        SourceFile("x.md", (front.format("fr") + "Article 1\n\nIl sonne.\n").encode()), "legalize_markdown"
    )
