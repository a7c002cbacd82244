"""What a text is called that does not say what it is: its path below its source's root."""

from __future__ import annotations

from collections import Counter

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.jurisdictions.jurisdiction import described
from legal_pipeline.model.identity import path_slug
from legal_pipeline.parsing.generic.identity import generic_document_id
from legal_pipeline.parsing.registry import parse


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("index.md", "index"),
        ("canals/index.md", "canals-index"),
        ("canals.old/index", "canals.old-index"),
        (".hidden", "hidden"),
        ("LAW.TOL.HTML", "law.tol"),
        ("LAW.TOL", "law.tol"),
        ("LAW.TAX", "law.tax"),
        ("a\\b\\index.md", "a-b-index"),
    ],
)
def test_a_path_is_a_name(path: str, name: str) -> None:
    assert path_slug(path) == name


def test_paths_that_a_slug_cannot_keep_apart_have_a_hash() -> None:
    long = "x" * 200
    names = [path_slug(path) for path in ("運河.md", "港.md", f"{long}/a.md", f"{long}/b.md")]
    assert len(set(names)) == 4
    assert all(len(name) < 140 for name in names)


def test_only_its_own_endings_are_taken_from_a_name_that_may_have_a_point() -> None:
    assert path_slug("courts/1.2", (".txt",)) == "courts-1.2"
    assert path_slug("courts/1.2.txt", (".txt",)) == "courts-1.2"


def test_a_number_goes_before_the_path() -> None:
    assert generic_document_id("a/index.md", {}, "se", "2099:1") == "se-2099-1"
    assert generic_document_id("a/index.md", {"document_id": "my-note"}, "und", None) == "my-note"


def test_two_files_of_one_name_are_two_documents() -> None:
    text = b"# Canals\n\nA barge pays the keeper of the lock.\n"
    one, other = (parse(SourceFile("index.md", text, hints={"path": f"{folder}/index.md"})) for folder in "ab")
    assert (one.document_id, other.document_id) == ("doc-a-index", "doc-b-index")


def test_a_text_in_the_first_written_form_of_its_country_has_the_id_of_the_work() -> None:
    law = "---\nsource: https://lovdata.no/dokument/NL/lov/2099-05-20-28\n---\n# Lov om havner\n\n" + "\n\n".join(
        f"## § {number}. Avgift\n\nEieren av båten skal betale avgift {number} til havnen." for number in range(1, 5)
    )
    document = parse(SourceFile("havn.md", law.encode()))
    assert (document.language, document.document_id) == ("nob", "no-act-lov-2099-05-20-28")


_GERMAN = """---
Title: Verordnung über Häfen
jurabk: HafV 2099
---

# Verordnung über Häfen (HafV 2099)

Ausfertigungsdatum
:   2099-12-05

Zuletzt geändert durch
:   Art. 8 G v. 3.6.2100 I 1309,
    Art. 9

## § 1 Gebühr

Der Eigner des Bootes zahlt dem Hafenamt eine Gebühr.

## § 2 Begriffe

Boot
:   2100-01-01
"""


def test_the_abbreviation_under_a_key_of_its_country_names_the_act() -> None:
    document = parse(SourceFile("index.md", _GERMAN.encode()))
    assert (document.document_id, document.work_uri) == ("de-act-hafv-2099", "/akn/de/act/hafv-2099")
    assert (document.jurisdiction, document.number, document.doc_type) == ("de", "HafV 2099", "regulation")


def test_a_definition_list_below_the_title_states_facts_and_stays_text() -> None:
    document = parse(SourceFile("index.md", _GERMAN.encode()))
    assert document.metadata["date_enacted"] == "2099-12-05"
    assert document.metadata["Zuletzt geändert durch"] == "Art. 8 G v. 3.6.2100 I 1309, Art. 9"
    assert "Boot" not in document.metadata
    assert "2099-12-05" in document.text


def test_a_definition_in_the_text_does_not_replace_a_key_of_the_front_matter() -> None:
    changed = "Zuletzt geändert durch: Art. 1 G v. 1.1.2101\n"
    document = parse(SourceFile("index.md", _GERMAN.replace("---\n", f"---\n{changed}", 1).encode()))
    assert document.metadata["Zuletzt geändert durch"] == "Art. 1 G v. 1.1.2101"


def test_a_number_that_a_country_cites_in_a_form_of_its_own_has_this_form() -> None:
    text = "---\ncountry: ch\nidentifier: cc-2099-1\nsr_number: 999.1\n---\n# Hafenordnung\n\n" + "\n\n".join(
        f"## Art. {number}\n\nDas Boot zahlt eine Gebühr." for number in (1, 2, 3)
    )
    assert parse(SourceFile("index.md", text.encode())).number == "SR 999.1"


_ARTICLES = "".join(
    f"<p>Article {number}</p><p>La lampe {number} est allumée la nuit au port.</p>" for number in range(1, 8)
)


@pytest.mark.parametrize(
    ("name", "text", "country"),
    [
        ("a.html", f"<link rel='canonical' href='https://www.legifrance.gouv.fr/x'></head><body>{_ARTICLES}", "fr"),
        ("a.html", f"<meta property='og:url' content='https://law.moj.gov.tw/x'></head><body>{_ARTICLES}", "tw"),
        ("a.html", f"<!-- saved from url=(0029)https://njt.hu/jogszabaly/x --></head><body>{_ARTICLES}", "hu"),
        (
            "a.md",
            "---\nsource_url: https://zakon.rada.gov.ua/laws/x\n---\n\n# Закон\n\nЛампи порту горять уночі.",
            "ua",
        ),
        ("a.md", "---\nfonte: https://diariodarepublica.pt/x\n---\n\n# Lei\n\nO farol é aceso de noite.", "pt"),
        # a stated country counts, and neither another host nor a link in the text says anything
        ("a.md", "---\ncountry: ch\nsource_url: https://njt.hu/x\n---\n\n# Loi\n\nLes lampes brûlent.", "ch"),
        ("a.html", f"<link rel='canonical' href='https://notes.legifrance.gouv.fr/x'></head><body>{_ARTICLES}", "xx"),
        (
            "a.html",
            f"<link rel='canonical' href='https://legifrance.gouv.fr.example.org'></head><body>{_ARTICLES}",
            "xx",
        ),
        ("a.html", f"</head><body><a href='https://www.legifrance.gouv.fr/x'>Loi</a>{_ARTICLES}", "xx"),
    ],
)
def test_the_host_that_publishes_the_law_of_one_country_alone_states_the_country(
    name: str, text: str, country: str
) -> None:
    page = f"<html><head>{text}</body></html>" if name.endswith(".html") else text
    assert parse(SourceFile(name, page.encode())).jurisdiction == country


def test_a_host_publishes_the_law_of_one_country_and_is_written_without_www() -> None:
    hosts = Counter(host for country in described() for host in country.data.get("hosts", ()))
    assert set(hosts.values()) == {1}
    assert [host for host in hosts if host.startswith("www.") or "/" in host or host != host.lower()] == []


def test_a_law_that_names_its_country_is_of_that_country_and_has_the_id_of_its_path() -> None:
    provisions = "\n\n".join(
        f"## § {number} Licht\n\nWer in Österreich einen österreichischen Leuchtturm betreibt, hält das Licht {number} rein."
        for number in range(1, 5)
    )
    text = f"# Leuchtturmgesetz\n\n{provisions}\n"
    document = parse(SourceFile("leuchtturm.md", text.encode()))
    assert (document.jurisdiction, document.document_id) == ("at", "doc-leuchtturm")
    stated = parse(SourceFile("leuchtturm.md", text.encode(), hints={"jurisdiction": "li"}))
    assert stated.jurisdiction == "li"
