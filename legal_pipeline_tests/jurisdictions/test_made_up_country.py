"""A country that is a folder with a data file, and no code: its Acts are cited, routed and found by citation."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.annotate import annotate, read_annotations
from legal_pipeline.chunking.router import route
from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.cli.diagnosis import diagnose
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions import jurisdiction as countries
from legal_pipeline.jurisdictions.countries import countries_asked_about, unions_of
from legal_pipeline.jurisdictions.jurisdiction import add_configured, add_folder, jurisdiction
from legal_pipeline.jurisdictions.shape import verify_shape
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.citation_query import read_citations
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.stages.chunks import cut_batch, embedding_text
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import DENSE
from legal_pipeline.system.data_files import data_file

WATER, PONDS = "/akn/qz/act/2031/7", "/akn/qz/act/2019/12"

DATA = """
[citations]
joins = [" de la ", " de ", " "]
lists = [", ", " kaj "]
ranges = [" ĝis ", "–"]
own = ["ĉi tiu leĝo"]
same = ["la sama leĝo"]
joined = "{provision} de la {act}"

[[citations.forms]]
act = "{title}"

[[citations.numbers]]
pattern = 'Leĝo (?P<number>\\d+)/(?P<year>\\d{4})'
work = "/akn/qz/act/{year}/{number}"

[provisions]
art = { before = ["artikolo", "artikoloj", "art."], cite = "art. {number}" }
chp = { after = ["ĉapitro"], cite = "{number} ĉapitro" }

[works]
"/akn/qz/act/2031/7" = { names = ["Leĝo pri Akvo"], behind_provision = ["LA"], in_queries = ["akvoleĝo"] }
"""

ARTICLES = {
    "1": "Ĉi tiu leĝo validas por ĉiu rivero kaj lago de la lando.",
    "2": "Kiu prenas akvon laŭ artikoloj 3 kaj 4 pagas kotizon, se artikolo 9 de Leĝo 12/2019 ne diras alion.",
    "3": "La ministro fiksas la kotizon ĉiujare antaŭ la unua de marto.",
    "4": "Akvo por trinkado estas senpaga.",
}


def act(uri: str, title: str, articles: dict[str, str]) -> Document:
    body = "".join(
        f'<article eId="art_{number}"><num>{number}.</num><content><p>{text}</p></content></article>'
        for number, text in articles.items()
    )
    xml = f"""<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><meta><identification source="#x">
    <FRBRWork><FRBRuri value="{uri}"/><FRBRalias value="{title}" name="title"/><FRBRdate date="{uri.split("/")[-2]}-01-01" name="G"/>
    <FRBRauthor href=""/><FRBRcountry value="qz"/></FRBRWork></identification></meta><body>{body}</body></act></akomaNtoso>"""
    return parse(SourceFile("act.xml", xml.encode()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "qz").mkdir()
    (tmp_path / "qz" / "jurisdiction.toml").write_text(DATA, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(countries, "_FOLDERS", list(countries._FOLDERS))
        yield tmp_path
    countries.forget()


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Laŭ artikolo 3 de la Leĝo pri Akvo", [("artikolo 3 de la Leĝo pri Akvo", WATER, "art_3")]),
        ("vidu art. 4(2) LA.", [("art. 4(2) LA", WATER, "art_4__subsec_2")]),
        ("artikoloj 2, 5 ĝis 6 de Leĝo 12/2019", [
            ("artikoloj 2", PONDS, "art_2"), ("5 ĝis 6 de Leĝo 12/2019", PONDS, "art_5"), ("5 ĝis 6 de Leĝo 12/2019", PONDS, "art_6"),
        ]),
        ("Leĝo pri Akvo, artikolo 1; art. 2 de la sama leĝo", [
            ("Leĝo pri Akvo, artikolo 1", WATER, "art_1"), ("art. 2 de la sama leĝo", WATER, "art_2"),
        ]),
        ("kaj 2 ĉapitro de Leĝo 12/2019", [("2 ĉapitro de Leĝo 12/2019", PONDS, "chp_2")]),
        ("Leĝo 12/2019 validas.", [("Leĝo 12/2019", PONDS, None)]),
        ("artikolo 8 restas", [("artikolo 8", None, "art_8")]),
        ("la LA de 1999, 3 jaroj, paĝo 12", []),
    ],
)  # fmt: skip
def test_a_made_up_country_is_cited(folder: Path, text: str, cited: list[tuple[str, str, str]]) -> None:
    add_folder(folder)
    found = find(f" {text}", jurisdiction("qz"))
    assert [(item.raw, item.work_uri, item.eid) for item in found] == cited


def test_a_bare_provision_is_the_acts_own_and_the_number_of_a_provision_is_no_citation(folder: Path) -> None:
    add_folder(folder)
    text = "art. 1 Enkonduko\n\nart. 2 Validas artikolo 1 de ĉi tiu leĝo, artikolo 1 kaj artikolo 77."
    own = CitingDocument(WATER, "act", (("chp_1__art_1", 0, 16), ("chp_1__art_2", 18, len(text))))
    found = [(item.raw, item.work_uri, item.eid) for item in find(text, jurisdiction("qz"), own)]
    assert found == [
        ("artikolo 1 de ĉi tiu leĝo", WATER, "chp_1__art_1"),
        ("artikolo 1", WATER, "chp_1__art_1"),
        ("artikolo 77", None, "art_77"),
    ]


def test_a_folder_completes_what_is_known_of_a_country_without_one(folder: Path) -> None:
    (folder / "es").mkdir()
    (folder / "es" / "jurisdiction.toml").write_text('languages = ["spa"]\nmember_of = ["qz"]', encoding="utf-8")
    assert unions_of(("es",)) == ("eu",)
    add_folder(folder)
    assert countries_asked_about("Is it allowed in Spain?") == [("es",)]
    assert (jurisdiction("es").data["languages"], unions_of(("es",))) == (["spa"], ("qz",))


def test_a_folder_comes_before_ours_and_of_two_the_one_that_was_added_last(folder: Path, tmp_path: Path) -> None:
    for name, languages in (("one", '["swe", "fin"]'), ("two", '["epo"]')):
        (folder / name / "se").mkdir(parents=True)
        (folder / name / "se" / "jurisdiction.toml").write_text(f"languages = {languages}", encoding="utf-8")
        assert jurisdiction("se").languages[0] == "swe"
        add_folder(folder / name)
    assert jurisdiction("se").languages == ("epo",)
    assert jurisdiction("se-x").languages == ("epo",)


def test_known_works_may_be_in_a_file_beside_the_data(folder: Path) -> None:
    more = '[works]\n"/akn/qz/act/2040/1" = { names = ["Leĝo pri Boatoj"] }\n'
    (folder / "qz" / "works.toml").write_text(more, encoding="utf-8")
    add_folder(folder)
    for text, work in (
        ("artikolo 3 de la Leĝo pri Boatoj", "/akn/qz/act/2040/1"),
        ("artikolo 3 de la Leĝo pri Akvo", WATER),
    ):
        assert [item.work_uri for item in find(f" {text}", jurisdiction("qz"))] == [work]


def test_a_made_up_country_is_routed_as_its_data_says(folder: Path) -> None:
    document = act(WATER, "Leĝo pri Akvo", ARTICLES)
    assert {segment.strategy for segment in route(document)[0]} == {"statute_boundary"}
    (folder / "qz" / "jurisdiction.toml").write_text(
        f'{DATA}\n[chunking]\nstatutes = "sliding_window"', encoding="utf-8"
    )
    add_folder(folder)
    assert {segment.strategy for segment in route(document)[0]} == {"sliding_window"}


def test_a_made_up_country_is_searched_by_citation(folder: Path, tmp_path: Path) -> None:
    add_configured(Settings(jurisdictions=folder))
    documents = [act(WATER, "Leĝo pri Akvo", ARTICLES), act(PONDS, "Leĝo pri Lagetoj", ARTICLES)]
    rows = []
    for document in documents:
        (chunked,) = cut_batch([document], None, no_model)
        assert not isinstance(chunked, Exception)
        annotate(chunked.chunks, read_annotations(document))
        rows += [{**chunk.to_row(), "context_prefix": None} for chunk in chunked.chunks]
    references = [item for row in rows for item in row["cross_references"]]
    assert {(item["work_uri"], item["eid"]) for item in references} >= {
        (WATER, "art_3"),
        (WATER, "art_4"),
        (PONDS, "art_9"),
    }

    vectors = np.random.default_rng(0).normal(size=(len(rows), 8)).astype(np.float32)
    with contextlib.closing(QdrantEdgeStore(tmp_path / "store")) as store:
        store.ensure_collection("chunks", 8)
        for document in documents:
            points = [
                point(row, embedding_text(row, None), StoredVector(vector, DENSE, ""))
                for row, vector in zip(rows, vectors, strict=True)
                if row["document_id"] == document.document_id
            ]
            store.replace_document("chunks", document.document_id, points)
        for query, document, article in (
            ("artikolo 3 de la Leĝo pri Akvo", documents[0], "3"),
            ("art. 2 LA", documents[0], "2"),
            ("akvoleĝo 4", documents[0], "4"),
            ("Leĝo 12/2019, artikolo 4", documents[1], "4"),
        ):
            assert read_citations(query).is_bare
            hit = search(query, View(store, no_model, "chunks"), limit=1)[0]
            assert (hit.document_id, hit.path) == (document.document_id, f"Article {article}"), query
            assert hit.citation == f"art. {article} de la {document.title}"


def test_a_country_of_the_common_law_needs_the_names_of_its_acts_alone(folder: Path) -> None:
    data = '[citations]\nfamily = "common law"\n[works]\n"/akn/qz/act/1999/3" = { names = ["Canal Tolls Act"] }'
    (folder / "qz" / "jurisdiction.toml").write_text(data, encoding="utf-8")
    add_folder(folder)
    (found,) = find("Under section 5(2) of the Canal Tolls Act, a barge pays.", jurisdiction("qz"))
    assert (found.work_uri, found.eid) == ("/akn/qz/act/1999/3", "sec_5__subsec_2")
    assert read_citations("canal tolls act 5").places[0].works == ("/akn/qz/act/1999/3",)


def examples_of_the_guide() -> list[str]:
    page = (Path(__file__).parents[2] / "docs/guides/add-country.md").read_text("utf-8")
    return re.findall(r"^```toml\n(.+?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("example", "text", "cited"),
    [
        (0, "See articles 3 and 4 of the Lantern Act.", [("lantern", "art_3"), ("lantern", "art_4")]),
        (0, "See art. 3 LA, and article 4 of the said Act.", [("lantern", "art_3"), ("lantern", "art_4")]),
        (0, "See articles 9 to 10 of Act 12/2019.", [("ponds", "art_9"), ("ponds", "art_10")]),
        (1, "Under section 5 of the Canal Tolls Act, a barge pays.", [("canal", "sec_5")]),
    ],
)
def test_the_examples_of_the_guide_are_read(
    folder: Path, example: int, text: str, cited: list[tuple[str, str]]
) -> None:
    work = {"lantern": "/akn/xl/act/2031/7", "ponds": "/akn/xl/act/2019/12", "canal": "/akn/xc/act/1999/3"}
    (folder / "qz" / "jurisdiction.toml").write_text(examples_of_the_guide()[example], encoding="utf-8")
    add_folder(folder)
    found = find(text, jurisdiction("qz"))
    assert [(item.work_uri, item.eid) for item in found] == [(work[name], eid) for name, eid in cited]


@pytest.mark.parametrize("protocol", ["Protocol No. 1", "the First Protocol"])
def test_the_row_of_the_guide_for_a_protocol_belongs_to_its_treaty(folder: Path, protocol: str) -> None:
    examples = examples_of_the_guide()
    (folder / "qz" / "jurisdiction.toml").write_text(f"{examples[0]}\n{examples[2]}", encoding="utf-8")
    add_folder(folder)
    found = find(f"See article 8 and article 1 of {protocol} to the Lantern Treaty.", jurisdiction("qz"))
    treaty = "/akn/xl/act/treaty"
    assert [(item.work_uri, item.eid) for item in found] == [(treaty, "art_8"), (f"{treaty}/protocol-1", "art_1")]


@pytest.mark.parametrize(
    "data",
    [
        "[[citations.numbers]]\npattern = '('\nwork = 'x'",
        "[[citations.numbers]]\npattern = 'Leĝo'\nwork = '{year}'",
        "[[citations.numbers]]\npattern = 'Leĝo'",
        "[provisions]\nart = 'artikolo'",
    ],
)
def test_data_that_make_no_grammar_are_said_with_what_is_expected(folder: Path, data: str) -> None:
    (folder / "qz" / "jurisdiction.toml").write_text(data, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"qz.*expected"):
        add_folder(folder)


def test_a_folder_that_is_missing_and_a_file_that_is_no_toml_are_said_with_their_paths(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        add_folder(folder / "nowhere")
    (folder / "qz" / "jurisdiction.toml").write_text("[works", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"qz/jurisdiction\.toml.*TOML"):
        add_folder(folder)


def no_model() -> object:
    pytest.fail("a bare citation needs no model")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            '[works]\n"/akn/qz/act/2031/7" = ["Harbour Act", "HA"]',
            'works."/akn/qz/act/2031/7" is a list (expected: a table of keys with names, behind_provision, in_queries,',
        ),
        ('works = "Harbour Act"', "works is 'Harbour Act' (expected: a table of keys)"),
        (
            '[works]\n"/akn/qz/act/2031/7" = { names = "Harbour Act" }',
            """works."/akn/qz/act/2031/7".names is 'Harbour Act' (expected: a list of texts, such as ["…", "…"])""",
        ),
        (
            '[works]\n"/akn/qz/act/2031/7" = { names = ["Harbour Act", 7] }',
            """works."/akn/qz/act/2031/7".names is a list whose item 2 is 7 (expected: a list of texts, such as ["…", "…"])""",
        ),
        ('languages = "epo"', """languages is 'epo' (expected: a list of texts, such as ["…", "…"])"""),
        ('[provisions]\nart = { before = ["art."] }', "provisions.art has no `cite` (expected: a text)"),
        ('[provisions]\nart = "art. {number}"', "provisions.art is 'art. {number}' (expected: a table of keys with before,"),
        (
            '[provisions]\nart = { cite = "art. {nummer}" }',
            "provisions.art.cite is 'art. {nummer}': {nummer} is not known (expected: {number}, {pins})",
        ),
        ('citations = ["of"]', "citations is a list (expected: a table of keys with family,"),
        ('[citations]\njoins = " of "', """citations.joins is ' of ' (expected: a list of texts, such as ["…", "…"])"""),
        ('[citations]\ncompact = "yes"', "citations.compact is 'yes' (expected: true or false)"),
        ('[citations.numbers]\npattern = "x"', "citations.numbers is a table (expected: a list of tables ([[…]]))"),
        (
            '[[citations.numbers]]\npattern = "Act (?P<number>[0-9]"\nwork = "/akn/qz/act/{number}"',
            "citations.numbers, row 1: pattern is 'Act (?P<number>[0-9]': missing ), unterminated subpattern",
        ),
        (
            '[[citations.numbers]]\npattern = "Act (?P<number>[0-9])"\nwork = "/akn/qz/act/{year}/{number}"',
            "citations.numbers, row 1: work is '/akn/qz/act/{year}/{number}': {year} is not known (expected: {number}:",
        ),
        ('[courts]\nnames = ["Supreme Court"]', "courts.names is a list (expected: a table of keys)"),
    ],
)  # fmt: skip
def test_data_of_another_shape_are_refused_with_file_key_and_what_is_expected(
    folder: Path, settings: Settings, data: str, said: str
) -> None:
    file = folder / "qz" / "jurisdiction.toml"
    file.write_text(data, encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        add_folder(folder)
    assert str(refused.value).startswith(f"{file}: {said}")
    (found,) = [each for each in diagnose(load_settings(jurisdictions=folder)) if each.part == "jurisdictions"]
    assert (found.ok, str(refused.value) in found.detail) == (False, True)


def test_the_packaged_countries_have_the_shape_that_is_checked() -> None:
    packaged = Path(countries.__file__).parent
    paths = sorted(packaged.glob("*/jurisdiction.toml"))
    assert len(paths) > 40
    for path in paths:
        verify_shape(path, jurisdiction(path.parent.name).data)


def test_every_key_of_the_shapes_is_one_that_a_packaged_country_or_the_guide_has() -> None:
    packaged = Path(countries.__file__).parent
    written = "".join(path.read_text("utf-8") for path in packaged.rglob("*.toml") if path.name != "shapes.toml")
    keys = {
        part.strip("[]")
        for shape in data_file(countries.__package__, "shapes.toml")["shapes"]
        for part in shape.split(".")
    }
    assert [key for key in sorted(keys - {"*"}) if not re.search(rf"\b{key}\b", written)] == []


def test_doctor_lists_the_countries_of_the_setting(folder: Path, settings: Settings) -> None:
    (found,) = [each for each in diagnose(load_settings(jurisdictions=folder)) if each.part == "jurisdictions"]
    assert (found.ok, found.detail) == (True, f"{folder}, qz")
