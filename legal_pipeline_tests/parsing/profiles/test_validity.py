"""What publishers state about the end of a law, and signs of consolidation that are no law: it reaches the nodes and the chunks."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.model.document import PROVISIONS, Document, Node
from legal_pipeline.parsing.registry import parse
from legal_pipeline.stages.chunks import options_for

pytestmark = pytest.mark.corpus


def read(corpus: Path, name: str) -> Document:
    path = corpus / "world" / name
    return parse(SourceFile(path.name, path.read_bytes()))


def by_eid(document: Document) -> dict[str | None, Node]:
    return {node.eid: node for node in document.walk()}


def chunks(document: Document) -> tuple[Chunk, ...]:
    (cut,) = chunk_batch([document], [options_for(document, None)], lambda _: None)  # type: ignore[arg-type, return-value]
    assert not isinstance(cut, Exception)
    return cut.chunks


def test_law_of_the_past_that_a_british_act_retains_is_repealed(corpus: Path) -> None:
    document = read(corpus, "uk/sample-human-rights-1998.xml")
    nodes = by_eid(document)
    for eid in ("sched_1__part_iii", "sched_1__part_iii__art_1", "sched_1__part_iii__art_2"):
        assert (nodes[eid].status, nodes[eid].valid_from, nodes[eid].valid_to) == (
            "repealed",
            "2000-10-02",
            "2004-06-22",
        )
    repealed = {node.eid for node in document.walk() if node.type in PROVISIONS and node.status == "repealed"}
    assert repealed == {"sched_1__part_iii__art_1", "sched_1__part_iii__art_2"}
    assert nodes["sched_1__part_i__art_8"].status == "in_force"
    texts = "\n".join(chunk.chunk_text for chunk in chunks(document))
    assert "time of war" not in texts
    assert "Public emergency in the United Kingdom" not in texts  # the derogation of Schedule 3, which has no numbers


def test_a_part_that_holds_text_and_no_provisions_is_a_chunk_with_its_number(corpus: Path) -> None:
    found = {chunk.path: chunk for chunk in chunks(read(corpus, "uk/sample-human-rights-1998.xml"))}
    part = found["Schedule 1 > Part 3"]
    assert (part.eid, part.chunk_type, part.valid_from) == ("sched_1__part_3", "statutory_text", "2004-06-22")
    assert part.chunk_text.endswith("No one shall be condemned to such penalty or executed.")


@pytest.mark.parametrize(
    ("name", "in_force", "repealed"),
    [
        ("dk/2024-1709.xml", "2024-12-30", "2025-06-21"),
        ("lv/likumi-310000-with-table.html", "2020-07-01", "2024-07-01"),
        ("lv/likumi-57980-satversme.html", "1922-11-07", None),
        ("be/sample-ordinary-law.html", "2024-01-27", None),
    ],
)
def test_the_end_of_an_act_is_in_its_chunks(corpus: Path, name: str, in_force: str, repealed: str | None) -> None:
    found = chunks(read(corpus, name))
    assert found
    for chunk in found:
        assert chunk.temporal_status == ("repealed" if repealed else "in_force")
        assert (chunk.metadata.get("in_force"), chunk.metadata.get("repealed")) == (in_force, repealed)


def test_the_last_day_of_an_austrian_provision_is_before_its_end(corpus: Path) -> None:
    section = by_eid(read(corpus, "at/ris-nor-NOR12030057.xml"))["sec_1"]
    assert (section.valid_from, section.valid_to) == ("1975-01-17", "1994-10-15")


def test_a_latvian_remark_states_since_when_an_article_is_valid(corpus: Path) -> None:
    nodes = by_eid(read(corpus, "lv/likumi-57980-satversme.html"))
    assert (nodes["chp_i__art_4"].valid_from, nodes["chp_i__art_3"].valid_from) == ("1998-11-06", None)
    assert nodes["chp_v__art_81"].status == "repealed"


def test_the_memorandum_behind_a_latvian_act_is_none_of_its_schedules(corpus: Path) -> None:
    document = read(corpus, "lv/likumi-310000-with-table.html")
    assert not [node for node in document.walk() if node.type == "schedule"]


@pytest.mark.parametrize(
    "name",
    [
        "32014R0596_cons.xhtml",
        "32016R0679.xhtml",
        "versions/32014R0910_before.xhtml",
        "versions/32014R0910_after.xhtml",
    ],
)
def test_arrows_of_a_consolidated_act_are_no_words_of_it(corpus: Path, name: str) -> None:
    document = read(corpus, f"eu/{name}")
    assert not set(document.text) & set("►◄▼")
    assert not document.warnings


def test_an_arrow_inside_an_article_names_the_act_that_amended_it(corpus: Path) -> None:
    document = read(corpus, "eu/32014R0596_cons.xhtml")
    article = next(node for node in document.walk() if node.type == "article" and node.num == "39")
    assert "until 3 January 2018." in document.text_of(article)
    assert "32016R1033" in {amendment.by for amendment in article.amendments}
    assert document.title.endswith("2004/72/EC")  # without the remark on the European Economic Area


def test_the_binding_formula_of_a_flat_page_is_not_in_its_last_article(corpus: Path) -> None:
    document = read(corpus, "eu/31958R0001_old.html")
    last = [node for node in document.walk() if node.type == "article"][-1]
    assert document.text_of(last).endswith("general rules of its law.")


def test_the_articles_of_an_approved_resolution_are_not_those_of_the_decree(corpus: Path) -> None:
    document = read(corpus, "co/sample-decreto.html")
    articles = [node for node in document.walk() if node.type == "article"]
    assert [(node.eid, document.text_of(node)[:29]) for node in articles] == [
        ("art_1", "Artículo 1º Apruébase la Reso"),
        ("art_2", "Artículo 2º El presente Decre"),
    ]
