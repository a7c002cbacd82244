"""Judgments in other languages than English, and judgments as pages, markdown and Word files: parts, numbered paragraphs, identity.

Not here: roles of paragraphs without headings (`test_agreement`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_SAMPLES = tomllib.loads((Path(__file__).parent / "by_language.toml").read_text("utf-8"))


def read(text: str, name: str = "decision.txt", **hints: str) -> Document:
    return parse(SourceFile(name, text.encode(), hints=hints))


def parts(document: Document) -> list[tuple[str, list[str | None]]]:
    """Return the type of each part with the numbers of its paragraphs."""
    return [
        (node.type, [below.num for below in node.walk() if below.type == "numbered_paragraph"])
        for node in document.nodes
    ]


@pytest.mark.parametrize("code", _SAMPLES)
def test_the_parts_and_paragraphs_of_a_judgment_are_marked_in_its_language(code: str) -> None:
    document = read(_SAMPLES[code]["text"])
    assert (document.doc_type, document.as_of_date) == ("judgment", "2019-03-12")
    assert language(document.language).name in (language(code).name, "Norwegian Bokmål")
    assert document.document_id == _SAMPLES[code]["id"]
    found = parts(document)
    assert found[0] == ("header", [])
    assert ("background", ["1", "2"]) in found
    assert ("motivation", ["3", "4"]) in found
    if code != "pol":
        assert "decision" in [type for type, _ in found]


def test_each_language_with_words_of_judgments_has_a_sample() -> None:
    assert {code for code in known_languages() if language(code).section("judgments")} == set(_SAMPLES)


_PAGE = """<html><head><title>Harbour Board v Keeper [2019] EWCA Civ 1234 (12 March 2019)</title></head><body>
<h1>Harbour Board v Keeper</h1><p>Neutral Citation Number: [2019] EWCA Civ 1234</p><p>Case No: B2/2018/0345</p>
<p>IN THE COURT OF APPEAL (CIVIL DIVISION)</p><p>Date: 12 March 2019</p><p>Before :</p><p>LORD JUSTICE TOWER</p>
<p>Between :</p><p>Harbour Board</p><p>Appellant</p><p>- and -</p><p>Anna Keeper</p><p>Respondent</p><h2>JUDGMENT</h2>
<h3>The facts</h3><ol><li value="1">The respondent was appointed keeper in 2014.</li><li>The Board refused to pay for oil.</li></ol>
<h3>Discussion</h3><ol><li value="3">In my judgment dusk is the hour of sunset.</li><li>It follows that the respondent was late.</li></ol>
<h3>Conclusion</h3><ol><li value="5">I would allow the appeal.</li></ol></body></html>"""


def test_a_page_is_a_judgment_with_the_numbers_that_the_page_states() -> None:
    document = read(_PAGE, "decision.html")
    assert (document.document_id, document.doc_type) == ("gb-judgment-ewca-civ-2019-1234", "judgment")
    assert parts(document) == [
        ("header", []), ("background", ["1", "2"]), ("motivation", ["3", "4"]), ("decision", ["5"]),
    ]  # fmt: skip


def test_markdown_is_a_judgment_unless_it_states_a_law() -> None:
    text = "# Harbour Board v Keeper\n\n" + "\n\n".join(
        ["[2019] EWCA Civ 1234", "IN THE COURT OF APPEAL (CIVIL DIVISION)", "Between :", "Harbour Board", "Appellant", "- and -",
         "Anna Keeper", "Respondent", "## JUDGMENT", "### The facts", "1. The respondent was appointed keeper in 2014.",
         "2. The Board refused to pay for oil.", "### Conclusion", "3. I would allow the appeal."]
    )  # fmt: skip
    assert read(text, "decision.md").document_id == "gb-judgment-ewca-civ-2019-1234"
    assert read(f"---\ndocument_type: act\n---\n{text}", "decision.md").doc_type == "act"


_POINTS = {
    "fra": ["ARRÊT DE LA COUR (troisième chambre)", "Dans l’affaire C‑345/17,", "Arrêt",
            "Le litige au principal et la question préjudicielle", "Sur la question préjudicielle",
            "Sur les dépens", "Par ces motifs, la Cour (troisième chambre) dit pour droit :"],
    "deu": ["URTEIL DES GERICHTSHOFS (Dritte Kammer)", "In der Rechtssache C‑345/17", "Urteil", "Ausgangsverfahren und Vorlagefragen",
            "Zu den Vorlagefragen", "Kosten", "Aus diesen Gründen hat der Gerichtshof (Dritte Kammer) für Recht erkannt:"],
    "eng": ["JUDGMENT OF THE COURT (Third Chamber)", "In Case C‑345/17,", "Judgment",
            "The dispute in the main proceedings and the question referred for a preliminary ruling",
            "Consideration of the question referred", "Costs", "On those grounds, the Court (Third Chamber) hereby rules:"],
}  # fmt: skip
#: Sentences of each language, so that its language is seen.
_SENTENCES = {
    "fra": ("La gardienne du phare a allumé la lampe à minuit, et l’autorité du port a refusé de payer l’huile.",
            "Le crépuscule est l’heure du coucher du soleil.", "Il appartient à la juridiction de statuer sur les dépens."),
    "deu": ("Die Wärterin des Leuchtturms zündete die Lampe um Mitternacht an, und das Hafenamt verweigerte die Zahlung.",
            "Die Dämmerung ist die Stunde des Sonnenuntergangs.", "Die Kostenentscheidung ist Sache dieses Gerichts."),
    "eng": ("The keeper of the lighthouse lit the lamp at midnight, and the Board refused to pay for the oil.",
            "Dusk is the hour of sunset.", "The decision on costs is a matter for that court."),
}  # fmt: skip


def court_page(code: str) -> str:
    """A judgment of the Court of Justice as EUR-Lex publishes it: each paragraph is a table of its number and its text."""
    cover, case, title, background, reasons, costs, rules = _POINTS[code]
    facts, reason, cost = _SENTENCES[code]

    def point(number: int, text: str) -> str:
        return (
            f'<table><tbody><tr><td valign="top"><p class="coj-count" id="point{number}">{number}</p></td>'
            f'<td valign="top"><p class="coj-normal">{text}</p></td></tr></tbody></table>'
        )

    quoted = f"{facts}<table><tbody><tr><td><p>1.</p></td><td><p>{reason}</p></td></tr></tbody></table>"
    return (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>CURIA</title></head><body><p class="coj-sum-title-1">{cover}</p>'
        f'<p class="coj-normal">{case}</p><p class="coj-normal">v</p><p class="coj-sum-title-1">{title}</p>'
        f'<p class="coj-sum-title-1">{background}</p>{point(1, facts)}{point(2, quoted)}'
        f'<p class="coj-sum-title-1">{reasons}</p>{point(3, reason)}{point(4, reason)}'
        f'<p class="coj-sum-title-1">{costs}</p>{point(5, cost)}'
        f"<table><tbody><tr><td> </td><td><p>{rules}</p></td></tr></tbody></table>"
        f"<table><tbody><tr><td> </td><td><p>{reason}</p></td></tr></tbody></table></body></html>"
    )


@pytest.mark.parametrize("code", _POINTS)
def test_a_judgment_of_the_court_of_justice_is_one_work_in_every_language(code: str) -> None:
    document = read(court_page(code), "judgment.html")
    assert document.work_uri == "/akn/eu/judgment/cjeu/c-345-17"
    assert document.document_id == "eu-judgment-cjeu-c-345-17" + ("" if code == "eng" else f"-{code}")
    found = parts(document)
    assert [num for type, numbers in found if type == "background" for num in numbers] == ["1", "2"]
    assert [num for type, numbers in found if type == "motivation" for num in numbers][:1] == ["3"]
    assert found[-1][0] == "decision"
    assert "|" not in document.text.replace("1. |", "")


def test_two_decisions_under_one_docket_number_are_two_documents_of_one_work() -> None:
    text = _SAMPLES["deu"]["text"]
    judgment, order = read(text), read(text.replace("12. März 2019", "3. Mai 2018").replace("URTEIL", "BESCHLUSS"))
    assert judgment.work_uri == order.work_uri == "/akn/de/judgment/bgh/2017/ix-zr-123"
    assert judgment.document_id == "de-judgment-bgh-2017-ix-zr-123-2019-03-12"
    assert order.document_id == "de-judgment-bgh-2017-ix-zr-123-2018-05-03"


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("eng", "OPINION OF ADVOCATE GENERAL TOWER"),
        ("fra", "CONCLUSIONS DE L’AVOCAT GÉNÉRAL M. TOUR"),
        ("deu", "BESCHLUSS DES GERICHTSHOFS"),
    ],
)  # fmt: skip
def test_an_opinion_or_order_in_a_case_is_not_its_judgment(code: str, title: str) -> None:
    document = read(court_page(code).replace(_POINTS[code][0], title), "opinion.html")
    assert document.work_uri is None
    assert document.document_id != read(court_page(code), "judgment.html").document_id


def test_a_number_that_two_courts_may_give_is_no_identity_without_court_and_date() -> None:
    text = _SAMPLES["pol"]["text"].replace("Dnia 12 marca 2019 r.\n", "")
    assert read(text, "port.txt").document_id != read(text, "rafa.txt").document_id
    assert read(text).document_id == read(text.replace("o północy", "o świcie")).document_id  # the corrected file


def test_the_number_of_another_judgment_is_not_that_of_this_one() -> None:
    text = _SAMPLES["deu"]["text"].replace("BUNDESGERICHTSHOF", "OLG Seestadt").replace("IX ZR 123/17", "4 U 64/18")
    document = read(text.replace("Tatbestand:", "Anschluss an BGH, IX ZR 12/15\n\nTatbestand:"))
    assert document.document_id == "de-judgment-case-olg-seestadt-4-u-64-18-2019-03-12"
    assert document.work_uri is None


@pytest.mark.parametrize(
    ("code", "cover", "instead"),
    [
        ("fra", "COUR DE CASSATION\n\nAudience", "COUR D'APPEL DE PORT-NORD\n\nAudience"),
        ("ces", "23 Cdo 1234/2018-345\n\nČESKÁ REPUBLIKA", "ČESKÁ REPUBLIKA\n\n23 Cdo 1234/2018"),
    ],
)
def test_the_number_of_a_higher_court_is_not_that_of_a_lower_court_s_judgment(
    code: str, cover: str, instead: str
) -> None:
    text = _SAMPLES[code]["text"]
    assert cover in text
    document = read(text.replace(cover, instead).replace("Nejvyšší soud rozhodl", "Krajský soud v Brně rozhodl"))
    assert (document.doc_type, document.work_uri) == ("judgment", None)


@pytest.mark.parametrize(
    "text",
    [
        "# Die Lampe des Leuchtturms\n\nBGH, Urteil vom 12. März 2019 – IX ZR 123/17\n\nWann beginnt die Dämmerung? Der Bundesgerichtshof "
        "hatte darüber zu entscheiden.\n\n## Sachverhalt\n\nDie Klägerin ist Wärterin eines Leuchtturms.\n\n## Gründe\n\nDer "
        "Senat hält die Revision der Klägerin für unbegründet.\n\n## Was heißt das?\n\n1. Die Lampe brennt früher.\n\n2. Das Öl "
        "kostet mehr.\n\n3. Der Hafen zahlt es.\n\nWir berichten weiter über die Folgen des Urteils für die Häfen des Landes.\n",
        "# Harbour Board v Keeper\n\n[2019] EWCA Civ 1234\n\nCourt of Appeal (Civil Division)\n\n## Facts\n\nThe Board, the appellant, "
        "did not pay for the oil of the keeper, the respondent.\n\n## Holding\n\nDusk is the hour of sunset, so the keeper was late.\n\n## "
        "Why it matters\n\nKeepers have to light their lamps earlier than many of them thought.\n",
    ],
    ids=["deu", "eng"],
)  # fmt: skip
def test_a_note_on_a_judgment_is_not_the_judgment(text: str) -> None:
    document = read(text, "note.md")
    assert document.doc_type == "other"
    assert document.work_uri is None


def test_a_company_is_not_a_court() -> None:
    text = (
        _SAMPLES["deu"]["text"]
        .replace("BUNDESGERICHTSHOF", "Seeland AG")
        .replace("Zivilsenat des Bundesgerichtshofs", "Rat der Seeland AG")
    )
    assert read(text).doc_type == "other"


def test_front_matter_states_the_id_or_the_number_of_a_judgment() -> None:
    text = _SAMPLES["fra"]["text"]
    by_id = read(f"---\ndocument_id: fr-cass-345\nreporter: Bulletin\n---\n\n{text}", "decision.md")
    assert (by_id.document_id, by_id.doc_type, by_id.metadata["court"]) == (
        "fr-cass-345",
        "judgment",
        "COUR DE CASSATION",
    )
    by_number = read(f"---\nnumber: B345\njurisdiction: pl\n---\n\n{_SAMPLES['pol']['text']}", "decision.md")
    assert (by_number.document_id, by_number.number) == ("pl-b345", "B345")
    german = read(f"---\nnumber: B345\njurisdiction: de\n---\n\n{_SAMPLES['deu']['text']}", "decision.md")
    assert german.document_id == _SAMPLES["deu"]["id"]


def test_numbers_beside_the_text_of_a_page_are_paragraphs() -> None:
    rows = (("Gericht:", "BGH 9. Zivilsenat"), ("Entscheidungsdatum:", "12.03.2019"), ("Aktenzeichen:", "IX ZR 123/17"))
    cover = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in rows)

    def paragraph(number: str, text: str) -> str:
        return f'<dl><dt><a name="rd_{number}">{number}</a></dt><dd><p>{text}</p></dd></dl>'

    page = (
        f"<html><body><table>{cover}<tr><td>Dokumenttyp:</td><td>Urteil</td></tr></table>"
        f"<h4>Tenor</h4>{paragraph('', 'Die Revision der Klägerin wird zurückgewiesen.')}"
        f"<h4>Tatbestand</h4>{paragraph('1', 'Die Klägerin ist Wärterin eines Leuchtturms.')}"
        f"<h4>Entscheidungsgründe</h4>{paragraph('2', 'Die zulässige Revision ist unbegründet.')}"
        f"{paragraph('3', 'Die Lampe ist in der Dämmerung anzuzünden.')}</body></html>"
    )
    document = read(page, "decision.html")
    assert document.document_id == "de-judgment-bgh-2017-ix-zr-123-2019-03-12"
    assert parts(document) == [("header", []), ("decision", []), ("background", ["1"]), ("motivation", ["2", "3"])]


def test_paragraphs_are_numbered_under_numbered_headings() -> None:
    text = """ECLI:NL:RBAMS:2019:1234

RECHTBANK AMSTERDAM

Vonnis van 12 maart 2019

in de zaak van [eiseres], eiseres, tegen het havenbestuur, gedaagde.

1 De procedure

1.1. Het verloop van de procedure blijkt uit de dagvaarding.

2 De feiten

2.1. De wachter heeft de lamp om middernacht ontstoken.

4 De beoordeling

4.1. De lamp wordt ontstoken in de schemering.

4.2. De schemering begint bij zonsondergang.
"""
    document = read(text)
    assert document.document_id == "nl-judgment-rbams-2019-1234"
    assert parts(document) == [
        ("header", []), ("background", ["1.1"]), ("background", ["2.1"]), ("motivation", ["4.1", "4.2"]),
    ]  # fmt: skip


def test_a_list_is_not_the_numbering_of_paragraphs_under_headings_and_the_first_heading_needs_no_known_words() -> None:
    text = """ECLI:NL:RBAMS:2019:1234

RECHTBANK AMSTERDAM

Uitspraak van 12 maart 2019

in de zaak van [eiseres], eiseres, tegen het havenbestuur, verweerder.

1 Wat vooraf is gegaan

1.1. De wachter heeft de lamp om middernacht ontstoken.

1.2. Het bestuur heeft de volgende vragen gesteld:

1. Wanneer is de lamp ontstoken door de wachter van de haven?

2. Wie heeft de lamp voor het laatst van olie voorzien en wanneer?

3. Waarom is de lamp niet in de schemering ontstoken door de wachter?

1.3.1. De wachter heeft de vragen beantwoord.

1.3.2. Het bestuur heeft de antwoorden gelezen.

2 De beoordeling

2.1. De lamp wordt ontstoken in de schemering.

2.2.1. De schemering begint bij zonsondergang.

2.3. Het beroep is ongegrond.
"""
    document = read(text)
    assert [numbers for _, numbers in parts(document)] == [
        [],
        ["1.1", "1.2", "1.3.1", "1.3.2"],
        ["2.1", "2.2.1", "2.3"],
    ]


@pytest.mark.parametrize(
    ("cover", "court"),
    [
        (
            "College van Beroep voor het bedrijfsleven\n\nUitspraak in de zaak van:\n\nA, appellante,\n\ntegen\n\nhet bestuur, verweerder,",
            "college",
        ),
        (
            "Procureur-Generaal bij de Hoge Raad\n\nConclusie van 12 maart 2019 inzake:\n\n[X]\n\ntegen\n\nde Staat, verweerder",
            "hoge raad",
        ),
    ],
)
def test_a_board_of_appeal_and_an_advocate_general_write_judgments(cover: str, court: str) -> None:
    body = (
        "1. De feiten\n\nDe wachter heeft de lamp ontstoken.\n\n2. De beoordeling\n\nDe lamp brandt in de schemering."
    )
    assert read(f"{cover}\n\n{body}\n").doc_type == "judgment"


def test_letters_with_spaces_and_without_accents_announce_a_part_and_the_day_is_that_of_the_decision() -> None:
    lines = ["CONSEIL D'ETAT", "N° 423456", "Séance du 25 février 2019", "Lecture du 12 mars 2019", "Vu la procédure suivante :",
             "La gardienne du phare a demandé l'annulation de la décision du port.", "Considérant ce qui suit :",
             "1. La gardienne a allumé la lampe à minuit.", "2. La lampe est allumée au crépuscule.", "3. Le pourvoi doit être rejeté.",
             "D E C I D E :", "Article 1er : Le pourvoi est rejeté."]  # fmt: skip
    document = read("\n\n".join(lines))
    assert (document.jurisdiction, document.as_of_date) == ("fr", "2019-03-12")
    assert parts(document) == [("header", []), ("background", []), ("motivation", ["1", "2", "3"]), ("decision", [])]


def test_a_word_file_in_another_language_is_a_judgment(tmp_path: Path) -> None:
    text, file = tmp_path / "text.md", tmp_path / "decision.docx"
    text.write_text(_SAMPLES["fra"]["text"], "utf-8")
    if shutil.which("pandoc") is None:
        pytest.skip("needs the Debian package pandoc")
    subprocess.run(["pandoc", str(text), "-o", str(file)], check=True, timeout=60)
    document = parse(SourceFile(file.name, file.read_bytes()))
    assert (document.format, document.document_id) == ("docx", _SAMPLES["fra"]["id"])


def test_a_statute_that_has_sections_on_courts_is_not_a_judgment() -> None:
    text = "\n\n".join(
        ["Gesetz über das Hafengericht", "Erster Abschnitt", "Hafengericht", "§ 1 Das Hafengericht entscheidet über Klagen der Wärter.",
         "Urteil", "§ 2 Das Urteil ergeht im Namen des Volkes. Der Kläger trägt die Kosten.", "Kosten", "§ 3 Die Kosten trägt der Hafen.",
         "Entscheidungsgründe", "§ 4 Das Urteil enthält die Entscheidungsgründe."]
        + [f"§ {number} Der Wärter zündet die Lampe an." for number in range(5, 50)]
    )  # fmt: skip
    assert read(text).doc_type == "act"


@pytest.mark.parametrize(
    "day", ["Audience publique du 12 mars 2019", "Arrêt du 12 mars 2019", "12 mars 2019", "Arrêt rendu le 12 mars 2019"]
)
def test_the_day_of_the_decision_that_was_appealed_is_not_that_of_the_judgment(day: str) -> None:
    text = _SAMPLES["fra"]["text"].replace("Audience publique du 12 mars 2019", day).replace(", DU 12 MARS 2019", "")
    text = text.replace("l'arrêt rendu par la cour d'appel", "l'arrêt rendu le 3 février 2018 par la cour d'appel")
    ended = text.replace(
        "REJETTE le pourvoi.", "CASSE ET ANNULE l'arrêt rendu le 3 février 2018 par la cour d'appel de Port-Nord."
    )
    assert [read(each).as_of_date for each in (text, ended)] == ["2019-03-12"] * 2


_DETAILS = """<html><head><title>Decision details | Court</title></head><body><h1>1 AZR 62/31</h1><p>Lampenzulage</p>
<dl><dt>Aktenzeichen</dt><dd>1 AZR 62/31</dd><dt>ECLI</dt><dd>ECLI:DE:BAG:2031:300131.U.1AZR62.31.0</dd><dt>Art</dt><dd>Urteil</dd>
<dt>Datum</dt><dd>30.01.2031</dd><dt>Senat</dt><dd>1. Senat</dd></dl><h3>Tenor</h3><p>Die Revision der Beklagten wird zurückgewiesen.</p>
<h3>Tatbestand</h3><dl><dt>1</dt><dd><p>Der Kläger ist Wärter eines Leuchtturms.</p></dd></dl>
<dl><dt>2</dt><dd><p>Er verlangt eine Zulage für das Anzünden der Lampe und beantragt,</p></dd></dl>
<dl><dt>3</dt><dd><p>die Beklagte zur Zahlung zu verurteilen.</p></dd></dl>
<h3>Entscheidungsgründe</h3><dl><dt>4</dt><dd><p>Die Revision ist unbegründet. Der Anspruch besteht.</p></dd></dl>
<dl><dt>5</dt><dd><p>Die Zulage steht dem Kläger nach dem Tarifvertrag zu.</p></dd></dl></body></html>"""


def test_the_details_above_a_judgment_are_no_paragraphs_of_it() -> None:
    document = parse(SourceFile("decision.html", _DETAILS.encode()))
    numbers = [node.num for node in document.walk() if node.type == "numbered_paragraph"]
    assert (document.number, document.as_of_date, numbers) == ("1 AZR 62/31", "2031-01-30", ["1", "2", "3", "4", "5"])


def test_the_court_of_an_ecli_is_named_where_the_cover_prints_a_part_of_its_name() -> None:
    document = parse(SourceFile("decision.html", _DETAILS.encode()))
    assert (document.metadata["court"], document.title) == ("Bundesarbeitsgericht", "Bundesarbeitsgericht, 1 AZR 62/31")


def test_the_number_of_the_case_is_no_part_of_the_name_of_the_court() -> None:
    page = _DETAILS.replace("<h1>1 AZR 62/31</h1>", "<h1>BVerwG 6 C 3.31</h1>").replace(
        "BAG:2031:300131.U.1AZR62.31", "BVERWG:2031:6C3.31"
    )
    document = parse(SourceFile("decision.html", page.replace("1 AZR 62/31", "6 C 3.31").encode()))
    assert (document.metadata["court"], document.number) == ("BVerwG", "6 C 3.31")


@pytest.mark.parametrize("number", ["11 CS 31.1292", "M 23 K 31.3422"])
def test_the_administrative_courts_of_a_state_number_their_cases_by_year(number: str) -> None:
    head = f"VG München, Urteil v. 31.01.2031 – {number}"
    page = (
        _DETAILS.replace("<h1>1 AZR 62/31</h1>", f"<h1>{head}</h1>")
        .replace("1 AZR 62/31", number)
        .replace("DE:BAG", "no")
    )
    document = parse(SourceFile("decision.html", page.encode()))
    assert (document.jurisdiction, document.number, document.metadata["court"]) == ("de", number, "VG München")


def test_a_line_with_the_ecli_alone_is_the_sign_of_a_judgment_and_the_number_of_an_act_is_not_its_number() -> None:
    lines = ["ECLI:FR:CEORD:2031:449513.20310610", "Ordonnance", "Vu la loi n° 91-647 du 10 juillet 1991 ;", "Considérant ce qui suit :",
             "1. La gardienne du phare demande que la lampe soit allumée à la tombée de la nuit.",
             "2. Le juge des référés ne peut connaître de cette demande.", "La lampe est celle du port.",
             "Le port est celui de la ville.", "La gardienne est celle du phare.", "3. La demande doit être rejetée.",
             "ORDONNE :", "Article 1er : La demande est rejetée."]  # fmt: skip
    document = read("\n\n".join(lines))
    assert (document.doc_type, document.number, document.as_of_date) == ("judgment", None, None)
    assert [numbers for _, numbers in parts(document)] == [[], [], ["1", "2", "3"]]


_OFFICIAL = "".join(
    f"<dl><dt>{number}</dt><dd><p>{text}</p></dd></dl>"
    for number, text in enumerate(
        (
            "Umstritten ist, wer das Öl der Lampe bezahlt.",
            "Die Klägerin wurde 2029 zur Wärterin bestellt.",
            "Die Revision ist begründet, denn die Wärterin schuldet kein Öl.",
            "Das Öl ist nach § 4 des Lampengesetzes vom Hafenamt zu liefern.",
        ),
        1,
    )
)


def test_a_german_judgment_without_its_cover_is_one_by_its_parts_and_numbered_paragraphs() -> None:
    first, second = _OFFICIAL[: _OFFICIAL.index("<dl><dt>3")], _OFFICIAL[_OFFICIAL.index("<dl><dt>3") :]
    page = (
        "<html><body><h2>Tenor</h2><p>Auf die Revision der Klägerin wird das Urteil geändert.</p>"
        f"<h2>Tatbestand</h2>{first}<h2>Entscheidungsgründe</h2>{second}</body></html>"
    )
    document = read(page, "hafenfall-2031.html")
    assert (document.doc_type, document.title) == ("judgment", "Hafenfall 2031")
    assert parts(document) == [("header", []), ("background", ["1", "2"]), ("motivation", ["3", "4"])]
    note = page.replace("<dt>", "<dt>zu ")
    assert read(note, "hafenfall-2031.html").doc_type != "judgment"


def test_numbered_paragraphs_below_its_own_citation_make_a_judgment_although_most_paragraphs_are_quotations() -> None:
    quoted = "".join(f'<p>"the keeper shall light lamp {number} in the harbour"</p>' for number in range(12))
    paragraphs = "".join(f"<p>[{number}] The petitioners keep lamp {number}.</p>{quoted}" for number in range(1, 4))
    page = (
        "<html><head><title>PETITION OF THE LAMP COMMISSION [2031] ScotHC 62 (25th July, 2031)</title></head><body>"
        "<p>Scottish Decisions of the High Court</p><p>Cite as: [2031] ScotHC 62</p><p>HIGH COURT OF JUSTICIARY</p>"
        f"<p>Petitioners: Allan</p><p>Respondent: Turnbull</p><p>25 July 2031</p>{paragraphs}</body></html>"
    )
    document = read(page, "62.html")
    assert (document.doc_type, document.document_id) == ("judgment", "gb-judgment-scothc-2031-62")
    assert document.title == "PETITION OF THE LAMP COMMISSION"
    assert [node.num for node in document.walk() if node.type == "numbered_paragraph"] == ["1", "2", "3"]
    assert read(page.replace("[2031] ScotHC 62", "the case"), "62.html").doc_type != "judgment"


def test_a_paragraph_that_its_page_sets_as_a_table_with_one_cell_in_each_row_keeps_its_number() -> None:
    page = _PAGE.replace(
        '<li value="1">The respondent was appointed keeper in 2014.</li><li>The Board refused to pay for oil.</li>',
        '<li value="1"><table><tr><td>The respondent asks</td></tr><tr><td>that the Board pay for oil.</td></tr></table></li>'
        "<li>The Board refused to pay for oil.</li>",
    )
    numbers = [node.num for node in read(page, "page.html").walk() if node.type == "numbered_paragraph"]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_the_facts_that_are_stated_beside_a_judgment_identify_it() -> None:
    page = (
        "<h2>Tenor</h2><p>Auf die Revision der Klägerin wird das Urteil geändert.</p>"
        f"<h2>Tatbestand</h2>{_OFFICIAL}<h2>Entscheidungsgründe</h2><dl><dt>5</dt><dd><p>Die Revision ist begründet.</p></dd></dl>"
    )
    facts = {"file_number": "B 6 KA 38/17 R", "date": "2031-06-27", "ecli": "ECLI:DE:BSG:2031:270631UB6KA3817R0"}
    document = read(json.dumps({**facts, "slug": "bsg-2031", "content": page}), "case.json")
    assert (document.doc_type, document.jurisdiction, document.as_of_date) == ("judgment", "de", "2031-06-27")
    assert document.document_id == "de-judgment-case-bundessozialgericht-b-6-ka-38-17-r-2031-06-27"
    assert (document.title, document.metadata["ecli"]) == ("Bundessozialgericht, B 6 KA 38/17 R", facts["ecli"])
