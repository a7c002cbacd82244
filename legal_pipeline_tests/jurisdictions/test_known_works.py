"""The work URI of a real document is the one that citations of it by name give."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.parsing.registry import parse
from legal_pipeline.retrieval.act_names import named_works, same_works

#: File below `world/` -> jurisdiction that knows the Act, and one of the names under which it does.
KNOWN = {
    "be/sample-constitution.html": ("be", "Constitution"),
    "ch/sample-constitution.xml": ("ch", "Bundesverfassung"),
    "cl/bcn-constitucion-242302.xml": ("cl", "Constitución Política de la República"),
    "cz/sample-constitution-fragments.json": ("cz", "Ústava České republiky"),
    "de/gii-gg.xml": ("de", "GG"),
    "ee/constitution_115052015002.xml": ("ee", "Eesti Vabariigi põhiseadus"),
    "ee/constitution_PREV_127042011002.xml": ("ee", "Eesti Vabariigi põhiseadus"),
    "ee/constitution_OLDEST_12846827.xml": ("ee", "Eesti Vabariigi põhiseadus"),
    "eu/32014R0596_oj.xhtml": ("eu", "Market Abuse Regulation"),
    "eu/32014R0596_cons.xhtml": ("eu", "Market Abuse Regulation"),
    "eu/32014R0910_oj.xhtml": ("eu", "eIDAS Regulation"),
    "eu/versions/32014R0910_before.xhtml": ("eu", "eIDAS Regulation"),
    "eu/versions/32014R0910_after.xhtml": ("eu", "eIDAS Regulation"),
    "eu/32016R0679.xhtml": ("eu", "GDPR"),
    "eu/versions/32019R2088_before.xhtml": ("eu", "SFDR"),
    "eu/versions/32019R2088_after.xhtml": ("eu", "SFDR"),
    "fi/sample-constitution.xml": ("fi", "perustuslaki"),
    "li/constitution-content.html": ("li", "Landesverfassung"),
    "lu/sample-constitution.xml": ("lu", "Constitution du Grand-Duché de Luxembourg"),
    "lv/likumi-57980-satversme.html": ("lv", "Satversme"),
    "nl/sample-constitution.xml": ("nl", "Grondwet"),
    "no/sample-penal-code.xml": ("no", "straffeloven"),
    "ro/sample-constitution.html": ("ro", "Constituția României"),
    "sk/sample-constitution.html": ("sk", "Ústava Slovenskej republiky"),
    "uk/sample-human-rights-1998.xml": ("gb", "Human Rights Act 1998"),
}


@pytest.mark.corpus
@pytest.mark.parametrize("file", sorted(KNOWN))
def test_a_document_has_the_work_uri_under_which_its_act_is_known(file: str, corpus: Path) -> None:
    code, name = KNOWN[file]
    known = [uri for uri, work in jurisdiction(code).section("works").items() if name in work.get("names", ())]
    path = corpus / "world" / file
    assert [parse(SourceFile(path.name, path.read_bytes())).work_uri] == known


@pytest.mark.parametrize(
    ("filed_as", "called"),
    [("AO 1977", "AO"), ("SGB 5", "SGB V"), ("BGBEG", "EGBGB"), ("KredWG", "KWG"), ("BBauG", "BauGB"), ("GG", "GG")],
)
def test_an_act_that_the_gazette_files_under_another_abbreviation_is_the_act_that_people_cite(
    filed_as: str, called: str
) -> None:
    text = (
        f"---\nTitle: Gesetz\njurabk: {filed_as}\n---\n\n# Gesetz\n\n## § 1 Lampen\n\nDer Wärter zündet die Lampe an.\n"
    )
    document = parse(SourceFile("gesetz.md", text.encode(), hints={"jurisdiction": "de"}))
    cited = [work.uri for work in named_works(f"§ 1 {called}", jurisdiction("de"))]
    assert [document.work_uri in same_works(uri) for uri in cited] == [True]
