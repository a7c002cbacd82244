"""An amending act whose consolidated text has not come yet: its marks on the provisions that it names, and nothing rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from legal_pipeline.erasure import erase
from legal_pipeline.errors import DocumentError
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.stages import canonical_documents
from legal_pipeline_tests.pipeline.conftest import Bench, Law

_LAW = """SFS nr: 2024:7
Departement/myndighet: Landsbygdsdepartementet
Utfärdad: 2024-03-07
{through}Rubrik: Lag (2024:7) om skötsel av enskild väg

1 § Denna lag gäller skötsel av enskild väg.

2 § Vägföreningen ska hålla vägen framkomlig under hela året.{addition}

3 § Regeringen får meddela föreskrifter om snöröjning.
"""
_TITLE = "Lag om ändring i lagen (2024:7) om skötsel av enskild väg"
_ACT = (
    f"Svensk författningssamling SFS 2025:10 {_TITLE}; Utfärdad den 6 februari 2025 "
    "Enligt riksdagens beslut föreskrivs att 2 § lagen (2024:7) om skötsel av enskild väg ska ha följande lydelse. "
    "2 § Vägföreningen ska hålla vägen framkomlig under hela året. Föreningen får ta ut avgift. "
    "Denna lag träder i kraft den 1 mars 2025. På regeringens vägnar ANNA EK Bo Alm (Landsbygdsdepartementet)"
)
BASE, ACT = "se-sfs-2024-7", "se-sfs-2025-10"


def law(through: str = "", addition: str = "") -> str:
    return _LAW.format(through=f"Ändrad: t.o.m. SFS {through}\n" if through else "", addition=addition)


def of_base(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """What is marked of the law, wherever it is shown: as a hit or beside one."""
    shown = [one for hit in hits if hit.document_id == BASE for one in (hit, *hit.neighbours)]
    return {one.path: [act.number for act in one.pending_amendments] for one in shown}


def test_an_act_marks_the_provisions_that_it_names_until_its_text_has_come(bench: Bench) -> None:
    bench.write("lag.txt", law())
    bench.ingest()
    assert set(of_base(bench.pipeline.search("vägföreningen enskild väg snöröjning"))) >= {
        "kap0.§1",
        "kap0.§2",
        "kap0.§3",
    }
    bench.write("andring.txt", _ACT)
    bench.ingest()
    # the act itself is read; nothing of the law is cut, embedded or written again
    assert all(event.reused for event in bench.events if event.document_id == BASE)  # type: ignore[union-attr]
    assert (bench.embedder.texts, bench.points_written) == ([], 0)
    marked = of_base(bench.pipeline.search("vägföreningen enskild väg snöröjning"))
    assert {path: numbers for path, numbers in marked.items() if numbers} == {"kap0.§2": ["SFS 2025:10"]}
    (mark,) = next(
        hit.pending_amendments for hit in bench.pipeline.search("2 § lagen (2024:7)") if hit.path == "kap0.§2"
    )
    assert (mark.in_force_date, mark.action, mark.provisions) == ("2025-03-01", "amended", ("2 §",))

    bench.write("lag.txt", law("2025:10", " Föreningen får ta ut avgift. Lag (2025:10)."))
    bench.ingest()
    worked_in = bench.pipeline.search("vägföreningen avgift")
    assert "ta ut avgift" in next(hit.snippet for hit in worked_in if hit.path == "kap0.§2")
    assert set(of_base(worked_in)) >= {"kap0.§1", "kap0.§2", "kap0.§3"}
    assert not any(of_base(worked_in).values())


def test_an_act_whose_provisions_are_not_known_marks_all_of_its_law(bench: Bench) -> None:
    plain = (
        "Lag (2025:10) om ändring i lagen (2024:7) om skötsel av enskild väg\n\nUtfärdad den 6 februari 2025\n\n"
        "Härigenom föreskrivs att 2 § lagen (2024:7) om skötsel av enskild väg ska ha följande lydelse.\n\n"
        "2 § Föreningen får ta ut avgift.\n\nDenna lag träder i kraft den 1 mars 2025.\n"
    )
    bench.write("lag.txt", law())
    bench.write("andring.txt", plain)
    bench.ingest()
    marked = of_base(bench.pipeline.search("vägföreningen enskild väg snöröjning"))
    assert marked
    assert {number for numbers in marked.values() for number in numbers} == {"SFS 2025:10"}
    assert all(marked.values())


@pytest.mark.parametrize("leaves", ["purged", "erased"])
def test_an_act_that_leaves_the_index_marks_nothing_any_more(bench: Bench, leaves: str) -> None:
    bench.write("lag.txt", law())
    act = bench.write("andring.txt", _ACT)
    bench.ingest()
    assert any(of_base(bench.pipeline.search("vägföreningen enskild väg snöröjning")).values())
    if leaves == "purged":
        act.unlink()
        bench.register()
        bench.register()
        assert list(bench.pipeline.purge()) == [ACT]
    else:
        erase(bench.pipeline, ACT, "a request")
    marked = of_base(bench.pipeline.search("vägföreningen enskild väg snöröjning"))
    assert marked
    assert not any(marked.values())


def test_a_document_that_cannot_be_purged_is_named_and_the_others_are_purged(bench: Bench, law: Law) -> None:
    removed = [
        bench.write("andring.txt", _ACT),
        bench.write("fyr.txt", law("2099:10", "Fyren ska tändas.")),
    ]
    bench.write("boj.txt", law("2099:11", "Bojen ska målas."))
    bench.ingest()
    for path in removed:
        path.unlink()
    bench.register()
    bench.register()
    bench.pipeline.warehouse.delete(canonical_documents.KEY, ACT, "json")
    with pytest.raises(DocumentError, match=ACT):
        bench.pipeline.purge()
    assert {document.document_id for document in bench.pipeline.registry.removed(grace=timedelta(0))} == {ACT}
    assert bench.pipeline.resources.store.count("legal_chunks", "se-sfs-2099-10") == 0
