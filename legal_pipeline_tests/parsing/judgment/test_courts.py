"""Judgments of courts without a format of their own: country, title, number, day, and the parts with their paragraphs.

Not here: one judgment per language (`test_by_language`), the parts of English judgments (`test_structure`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.jurisdictions.countries import date_order
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.cause_title import read_cause_title
from legal_pipeline.parsing.judgment.own_citation import ecli_country, own_citation, own_ecli
from legal_pipeline.parsing.judgment.paragraph_numbers import number_paragraphs
from legal_pipeline.parsing.judgment.parties import case_name, read_parties
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.registry import parse

_COURTS = tomllib.loads((Path(__file__).parent / "courts.toml").read_text("utf-8"))


def read(text: str, name: str = "decision.txt") -> Document:
    return parse(SourceFile(name, text.encode()))


def parts(document: Document) -> list[str]:
    """Return the type of each part behind the cover with the numbers of its paragraphs."""
    found = []
    for node in document.nodes:
        numbers = [str(below.num) for below in node.walk() if below.type == "numbered_paragraph"]
        found.append(" ".join([node.type, *numbers]))
    return [part for part in found if part != "header"]


@pytest.mark.parametrize("court", _COURTS)
def test_the_judgment_of_a_court_has_its_country_title_number_day_and_parts(court: str) -> None:
    document = read(_COURTS[court]["text"])
    assert document.doc_type in ("judgment", "precedent_case")
    day = document.as_of_date or document.metadata.get("date_decided") or ""
    assert [document.jurisdiction, document.title, document.number or "", day] == _COURTS[court]["about"]
    assert parts(document) == _COURTS[court]["parts"]


_COUNCIL = """<html><head><title>Conseil d'État, 3ème chambre, 12/03/2031, 512345 - Portail</title></head><body>
<h1>Conseil d'État, 3ème chambre, 12/03/2031, 512345</h1><ul><li>N° 512345</li><li>ECLI:FR:CECHS:2031:512345.20310312</li></ul>
<p>Lecture du mercredi 12 mars 2031</p><div>REPUBLIQUE FRANCAISE<br>AU NOM DU PEUPLE FRANCAIS<br><br>Vu la procédure suivante :<br>
La gardienne du phare a demandé au tribunal administratif d'annuler l'arrêté du 3 juin 2029.<br>Considérant ce qui suit :<br>
1. Il ressort des pièces du dossier que la gardienne a allumé la lampe à minuit.<br>Sur le pourvoi :<br>
2. La commune soutient que le crépuscule n'est pas la nuit.<br>3. Ce moyen doit être écarté.<br>D E C I D E :<br>
Article 1er : Le pourvoi est rejeté.<br>Article 2 : La commune versera 500 euros.<br>
Article 3 : La présente décision sera notifiée à la commune.<br></div></body></html>"""


def test_the_articles_of_an_order_do_not_make_a_decision_an_act() -> None:
    document = read(_COUNCIL, "decision.html")
    assert (document.doc_type, document.jurisdiction, document.as_of_date) == ("judgment", "fr", "2031-03-12")
    assert document.title == "Conseil d'État, 3ème chambre, 12/03/2031, 512345"
    assert document.metadata["ecli"] == "ECLI:FR:CECHS:2031:512345.20310312"
    assert parts(document) == ["background", "background 1", "arguments 2", "motivation 3", "decision"]


def test_the_articles_that_a_minister_orders_are_an_act() -> None:
    text = "\n\n".join(
        ["Arrêté du 12 mars 2031 relatif aux phares", "Le ministre de la mer,", "Vu le code des ports ;",
         "Le Conseil d'État (section des travaux publics) entendu,", "Arrête :", "Article 1er", "La lampe est allumée au crépuscule.",
         "Article 2", "La lampe est éteinte à l'aube.", "Article 3", "Le présent arrêté sera publié.", "Fait le 12 mars 2031."]
    )  # fmt: skip
    assert read(text).doc_type not in ("judgment", "precedent_case")


def test_a_page_of_a_legal_information_institute_is_the_judgment_that_it_shows() -> None:
    page = """<html><head><title>2031 BCCA 9 (CanLII) | Harbour Board v. Keeper | CanLII</title></head><body>
<h1>Harbour Board v. Keeper, 2031 BCCA 9 (CanLII)</h1><p>COURT OF APPEAL FOR BRITISH COLUMBIA</p>
<table><tr><td>Citation:</td><td>Harbour Board v. Keeper,<br>2031 BCCA 9</td></tr></table><p>Date: 20310312</p><p>Between:</p>
<p>Harbour Board</p><p>Appellant</p><p>And</p><p>Anna Keeper</p><p>Respondent</p>
<table><tr><td>Place and Date of Judgment:</td><td>Vancouver<br>March 12, 2031</td></tr></table><p><b>Introduction</b></p>
<p>[1] This appeal is about oil.</p><p>[2] The respondent was the keeper.</p><p><b>Analysis</b></p><p>[3] In my view dusk is sunset.</p>
<p><b>Disposition</b></p><p>[4] I would allow the appeal.</p></body></html>"""
    document = read(page, "decision.html")
    assert (document.document_id, document.title) == ("ca-judgment-bcca-2031-9", "Harbour Board v. Keeper")
    assert document.as_of_date == "2031-03-12"
    assert parts(document) == ["background 1 2", "motivation 3", "decision 4"]


def test_the_day_of_a_judgment_may_be_in_a_cell_or_behind_an_hour() -> None:
    cover = [
        "IN THE HIGH COURT OF JUSTICE",
        "Neutral Citation Number: [2031] EWHC 9 (Ch)",
        "Before:",
        "Between:",
        "Board",
        "- and -",
        "Keeper",
    ]
    body = ["JUDGMENT", "1. The lamp was lit.", "2. It was dusk.", "3. The claim fails."]
    handed = "This judgment was handed down remotely at 10.30am on 12 March 2031 by circulation to the parties."
    assert read("\n\n".join([*cover, "Hearing dates: 8 and 9 February 2031", handed, *body])).as_of_date == "2031-03-12"
    page = (
        "".join(f"<p>{line}</p>" for line in cover)
        + "<table><tr><td></td><td>12 March 2031</td></tr><tr><td>Room</td><td>9</td></tr></table>"
    )
    assert (
        read(f"<html><body>{page}{''.join(f'<p>{line}</p>' for line in body)}</body></html>", "a.html").as_of_date
        == "2031-03-12"
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Keeper v Harbour Board [2031] EWCA Civ 9 (7 May 2031)", "Keeper v Harbour Board"),
        ("2031 BCCA 9 (CanLII) | Keeper v. Board | CanLII", "Keeper v. Board"),
        ("Hafenamt gegen Turm - Gericht", "Hafenamt gegen Turm"),
        ("ECLI:NL:RBROT:2031:9, Rechtbank Rotterdam", None),
        (
            "Keeper v Board & another (Civil Appeal E061 of 2030) [2031] KEHC 9 (KLR) (10 May 2031) (Judgment)",
            "Keeper v Board & another",
        ),
        ("Keeper (Appellant) v Harbour Board (First Respondent) [2031] UKSC 9", "Keeper v Harbour Board"),
        ("CASE OF KEEPER v. HARBOUR", "KEEPER v. HARBOUR"),
    ],
)
def test_the_title_of_a_page_names_the_case_beside_its_citation_and_site(title: str, name: str | None) -> None:
    assert case_name(title) == name


@pytest.mark.parametrize(
    ("code", "header", "title"),
    [
        ("nld", ["in de zaak van", "de besloten vennootschap", "[eiseres] B.V.,", "gevestigd te Edam,", "tegen", "[gedaagde],"],
         "[eiseres] B.V. tegen [gedaagde]"),
        ("swe", ["PARTER", "Klagande", "Hamnstyrelsen AB, 556000-0001", "Box 1", "Motpart", "EB", "Ombud: T"],
         "Hamnstyrelsen AB mot EB"),
        ("deu", ["in der Rechtssache der klagenden Partei T* GmbH, *, vertreten durch L, gegen die beklagte Partei W* e.U., *, wegen Öl"],
         "T* GmbH gegen W* e.U."),
        ("fra", ["La société Phare, dont le siège est [Adresse 2], a formé le pourvoi n° R 22-18.447 contre l'arrêt rendu le 10 mai "
                 "2022 par la cour d'appel, dans le litige l'opposant à M. [Y] [L], domicilié [Adresse 1], défendeur."],
         "Société Phare contre M. [Y] [L]"),
        ("pol", ["po rozpoznaniu sprawy z powództwa R. W. przeciwko Portowi w M. o zapłatę, na skutek skargi"],
         "R. W. przeciwko Portowi w M."),
        ("deu", ["In dem Verfahren über die Verfassungsbeschwerde", "der Imkerei H GmbH,", "- Bevollmächtigte: Rechtsanwälte T -", "gegen",
                 "1. das Urteil", "2. das Urteil", "3. das Gesetz", "hat das Gericht", "Präsident Turm"], None),
    ],
)  # fmt: skip
def test_the_cover_names_the_parties(code: str, header: list[str], title: str | None) -> None:
    parties = read_parties(header, code)
    assert (parties.title if parties else None) == title


def test_a_table_may_hold_the_parties_and_their_counsel() -> None:
    table = "Havnestyret AS | (advokat Per Lampe)\nmot |\nAnna Vokter | (advokat Eva Olje)"
    parties = read_parties(["NORGES HØYESTERETT", table], "nor", lambda line: "HØYESTERETT" in line)
    assert parties is not None
    assert parties.title == "Havnestyret AS mot Anna Vokter"


_LUXEMBOURG = [
    "JUDGMENT OF THE COURT (Eighth Chamber)",
    "13 February 2031 (*1)",
    "In Case C-417/29,",
    "in the proceedings",
    "Ferry GmbH",
    "v",
]


@pytest.mark.parametrize(
    ("below", "title"),
    [
        (["TB,", "UK,", "THE COURT (Eighth Chamber),"], "Ferry GmbH v TB and UK"),
        (["TB,", "UK,", "VW,", "composed of A. Lamp, President,"], "Ferry GmbH v TB, UK and VW"),
        (
            ["European Commission, represented by A. Wick,", "defendant,"],
            "Ferry GmbH v European Commission, represented by A. Wick",
        ),
        (["Harbour Board,", "Respondent,"], "Ferry GmbH v Harbour Board"),
    ],
)
def test_the_second_side_of_a_case_may_be_several_names(below: list[str], title: str) -> None:
    lines = [*_LUXEMBOURG, *below]
    assert read_cause_title(lines, lines)["title"] == title


def test_a_neutral_citation_names_its_country() -> None:
    cited = own_citation(["Neutral citation: [2031] KEHC 49 (KLR)"])
    assert cited is not None
    assert (cited[0], cited[1].country) == ("[2031] KEHC 49 (KLR)", "ke")


def numbers(*texts: str) -> list[str]:
    return list(number_paragraphs([Block(text) for text in texts], load_phrases("xx", "deu").heading_role).values())


def test_a_number_from_the_margin_may_precede_the_mark_of_a_point() -> None:
    assert numbers(
        "1 Die Lampe brennt.", "2 1. Der Wärter schläft.", "3 a) Das Öl fehlt.", "4 § 7 gilt.", "5 bb) Es dämmert."
    ) == list("12345")


def test_paragraphs_may_be_numbered_by_a_pilcrow_or_before_a_dash() -> None:
    assert numbers("{¶ 1} The lamp.", "{¶ 2} The oil.", "{¶ 3} The dusk.") == ["1", "2", "3"]
    assert numbers("1.- La lámpara.", "2.- El aceite.", "3.- El ocaso.") == ["1", "2", "3"]


def test_sub_numbers_have_levels() -> None:
    texts = ["1. A.", "2. B.", "2.1. C.", "2.1.1. D.", "2.1.2. E.", "2.2. F.", "2.2.2. G.", "3. H.", "2.3. I."]
    assert numbers(*texts) == ["1", "2", "2.1", "2.1.1", "2.1.2", "2.2", "3"]


def test_paragraphs_count_again_below_headings_that_announce_parts_but_points_of_an_order_are_none() -> None:
    facts = ["TATBESTAND", "1. Der Wärter schlief.", "2. Das Öl fehlte."]
    reasons = [
        "ENTSCHEIDUNGSGRÜNDE",
        "1. Die Klage ist zulässig.",
        "2. Sie ist unbegründet.",
        "3. Die Lampe brannte nicht.",
    ]
    assert numbers(
        *facts, *reasons, "TENOR", "1. Die Klage wird abgewiesen.", "2. Die Kosten trägt der Wärter."
    ) == list("12123")
    assert numbers("GRÜNDE", *reasons[1:], "TENOR", "1. Die Klage wird abgewiesen.", "2. Kosten trägt er.") == [
        "1",
        "2",
        "3",
    ]


def test_a_spanish_judgment_counts_its_paragraphs_below_each_ordinal() -> None:
    text = """TRIBUNAL SUPREMO
Sala de lo Civil
Sentencia núm. 45/2031
ECLI:ES:TS:2031:45

En Madrid, a 12 de marzo de 2031.

ANTECEDENTES DE HECHO

PRIMERO.- Tramitación en primera instancia
1.- La farera interpuso demanda contra la autoridad del puerto en reclamación del precio del aceite que había
comprado para la lámpara.
2.- El juzgado desestimó la demanda por sentencia que la farera recurrió en apelación ante la audiencia provincial.
SEGUNDO.- Interposición del recurso
1.- La farera interpuso recurso de casación contra la sentencia de la audiencia, que fue admitido a trámite.

FUNDAMENTOS DE DERECHO

PRIMERO.- Motivo único. Planteamiento
1.- La recurrente alega que el anochecer comienza cuando se pone el sol.
SEGUNDO.- Decisión de la Sala
1.- El motivo debe ser desestimado por las razones siguientes, que la sala ha expuesto en otras sentencias sobre faros.
2.- La lámpara se enciende al anochecer.

FALLO

1.º- Desestimar el recurso de casación interpuesto contra la sentencia.
2.º- Imponer las costas a la recurrente."""
    document = read(text)
    assert document.number == "45/2031" or document.metadata["ecli"] == "ECLI:ES:TS:2031:45"
    assert parts(document) == ["background 1 2", "background 1", "arguments 1", "motivation 1 2", "decision"]


def test_reasons_without_a_heading_for_the_facts_begin_at_their_second_part() -> None:
    text = "\n\n".join(
        ["BUNDESGERICHTSHOF", "BESCHLUSS", "IX ZB 12/30", "vom 12. März 2031", "beschlossen:", "Die Beschwerde wird verworfen.",
         "Gründe:", "I.", "1 Der Wärter zündete die Lampe um Mitternacht an.", "2 Der Beklagte macht geltend, das Öl sei verdorben.", "II.",
         "3 Die Beschwerde ist unbegründet.", "4 1. Nach § 4 LampenG ist die Lampe in der Dämmerung anzuzünden."]
    )  # fmt: skip
    assert parts(read(text)) == ["decision", "background 1", "arguments 2", "motivation 3 4"]


def test_a_short_line_above_a_numbered_paragraph_is_a_heading() -> None:
    text = "\n\n".join(
        ["HÖGSTA DOMSTOLENS DOM", "Mål nr T 12-30", "meddelad i Stockholm den 12 mars 2031", "DOMSKÄL", "Vad målet gäller",
         "1. Målet gäller olja.", "Lampan vid udden", "2. Lampan ska tändas i skymningen.", "3. Skymningen börjar när solen går ned."]
    )  # fmt: skip
    document = read(text)
    headings = [document.text[node.start : node.end] for node in document.walk() if node.type == "heading"]
    assert headings == ["DOMSKÄL", "Vad målet gäller", "Lampan vid udden"]
    assert document.number == "T 12-30"


def test_the_identifier_of_a_court_is_in_a_line_of_the_cover_or_alone_at_the_end() -> None:
    assert own_ecli(["Roj: STS 9/2031 - ECLI:ES:TS:2031:9"]) == "ECLI:ES:TS:2031:9"
    assert (
        own_ecli(["Gericht", *["Text"] * 40, "ECLI:AT:OGH0002:2031:0040OB00091.24K.0625.000"])
        == "ECLI:AT:OGH0002:2031:0040OB00091.24K.0625.000"
    )
    assert own_ecli(["im Anschluss an EuGH, Urteil vom 3. Juni 2030, ECLI:EU:C:2030:9"]) is None
    assert [ecli_country(ecli) for ecli in ("ECLI:FR:CCASS:2031:C1", "ECLI:CE:ECHR:2031:0312JUD1")] == ["fr", "coe"]


def test_a_citation_is_that_of_the_judgment_behind_its_label_and_before_a_collection() -> None:
    cited = own_citation(["Citation: | Harbour Board v. Keeper, 2031 BCCA 9 (CanLII), retrieved on 2032-02-03"])
    assert cited is not None
    assert (cited[0], cited[1].country) == ("2031 BCCA 9", "ca")


def test_of_the_citations_of_one_judgment_the_neutral_one_is_its_own() -> None:
    cited = own_citation(["[2031] 12 S.C.R. 505 : 2031 INSC 14"])
    assert cited is not None
    assert (cited[0], cited[1].country, cited[1].parts) == ("2031 INSC 14", "in", ("insc", "2031", "14"))


def test_a_report_of_the_indian_supreme_court_is_a_judgment_and_no_act() -> None:
    paragraphs = [
        f"{number}. The appellant keeps lamp {number}, as section {number} of the Act requires."
        for number in range(1, 9)
    ]
    cover = [
        "[2031] 12 S.C.R. 505 : 2031 INSC 14",
        "Asha Rao",
        "v.",
        "Union of India & Anr.",
        "(Civil Appeal No. 404 of 2030)",
    ]
    parts = ["10 December 2031", "[A. Mehta* and B. Nair, JJ.]", "Issue for Consideration", "Whether the appellant may keep the lamp.",
             "List of Acts", "Lamps Act, 2013; Constitution of India.", "Appearances for Parties", "Adv. for the Appellant: C. Das.",
             "Adv. for the Respondents: D. Bose.", "Judgment / Order of the Supreme Court"]  # fmt: skip
    document = read("\n\n".join([*cover, *parts, *paragraphs]))
    assert (document.document_id, document.doc_type) == ("in-judgment-insc-2031-14", "judgment")
    assert [node.num for node in document.walk() if node.type == "numbered_paragraph"] == [str(n) for n in range(1, 9)]


def test_a_note_on_a_judgment_is_none() -> None:
    text = """# Client alert

Court of Appeal, 12 March 2031

Before: the decision, keepers were paid late. The appellant argued that dusk is sunset; the respondent disagreed.

## Background

The keeper lit the lamp.

## Analysis

Dusk is sunset.

## Conclusion

Employers should review their contracts."""
    assert read(text, "alert.md").doc_type == "other"


def test_the_citation_may_be_in_the_title_of_the_page_alone() -> None:
    page = """<html><head><title>Keeper v Harbour Board [2031] HBHC 9 (12 March 2031)</title></head><body>
<p>IN THE HIGH COURT AT PORT NORTH</p>
<p>CASE NO. 12 OF 2030</p>
<p>BETWEEN</p><p>ANNA KEEPER</p><p>AND</p><p>HARBOUR BOARD</p><p>JUDGMENT</p><p>1. The lamp was lit.</p>
<p>2. It was dusk.</p><p>3. The claim fails.</p></body></html>"""
    document = read(page, "decision.html")
    assert (document.title, document.number) == ("Keeper v Harbour Board", "[2031] HBHC 9")


@pytest.mark.parametrize(
    ("code", "heading"),
    [("fra", "Considérant en droit:"), ("ita", "Considerando in diritto:"), ("nor", "STEMMEGIVNING")],
)
def test_a_heading_announces_the_reasons(code: str, heading: str) -> None:
    assert load_phrases("xx", code).heading_role(heading) == "motivation"


def test_a_day_with_the_day_of_the_week_alone_on_a_line_is_that_of_the_decision() -> None:
    cover = ["IN THE COURT OF APPEAL (CIVIL DIVISION)", "Case No: CA-2031-1", "Monday, 13 June 2031", "Between:"]
    assert read_cause_title(cover, cover)["date_decided"] == "2031-06-13"


def test_a_neutral_citation_may_name_the_level_of_the_judge() -> None:
    cited = own_citation(["Neutral Citation Number: [2031] EWFC 147 (B)"])
    assert cited is not None
    assert (cited[0], cited[1].country) == ("[2031] EWFC 147 (B)", "gb")


@pytest.mark.parametrize(("country", "day"), [("gb", "2031-06-03"), ("us", "2031-03-06"), ("xx", None)])
def test_a_day_in_numbers_has_the_order_of_the_country_of_the_court(country: str, day: str | None) -> None:
    cover = ["IN THE COURT OF APPEAL (CIVIL DIVISION)", "Case No: CA-2031-1", "Date: 03/06/2031", "Between:"]
    assert read_cause_title(cover, cover, date_order(country))["date_decided"] == day


@pytest.mark.parametrize(
    ("cover", "court"),
    [
        (["Application for contempt of court", "IN THE FAMILY COURT AT DOVER"], "FAMILY COURT AT DOVER"),
        (["Application for contempt of court", "[2031] EWFC 147 (B)"], "Family Court"),
        (["High Court of Ireland Decisions", "THE HIGH COURT", "[2031] IEHC 9"], "HIGH COURT"),
        (["JUDGMENT OF THE COURT", "THE COURT, composed of A. Lamp, President,"], "JUDGMENT OF THE COURT"),
        (["[2031] UKSC 50", "JUDGMENT", "Keeper v Harbour Board"], "Supreme Court of the United Kingdom"),
        (["[2031] UKFTT 7 (GRC)", "First-Tier Tribunal (Lamps Chamber)"], "First-Tier Tribunal (Lamps Chamber)"),
        (["[2031] EWCA Civ 9", "JUDGMENT"], "Court of Appeal of England and Wales"),
        (
            ["[2031] EWHC 148 (SCCO)", "IN THE HIGH COURT OF JUSTICE", "SENIOR COURTS COSTS OFFICE"],
            "HIGH COURT OF JUSTICE, SENIOR COURTS COSTS OFFICE",
        ),
    ],
)
def test_the_court_is_the_one_that_the_cover_heads_or_else_that_of_the_neutral_citation(
    cover: list[str], court: str
) -> None:
    assert read_cause_title(cover, cover)["court"] == court


def test_the_court_of_a_judicature_is_the_last_of_the_courts_named_below_each_other() -> None:
    cover = ["IN THE SUPERIOR COURT OF JUDICATURE", "IN THE SUPREME COURT", "IN THE COURT OF LAMPS", "Keeper v Board"]
    assert read_cause_title(cover, cover)["court"] == "COURT OF LAMPS"


def test_the_last_of_the_days_below_a_judgment_is_that_of_the_decision() -> None:
    texts = ["IN THE HIGH COURT", *["Lamps burn."] * 40, "DATED 3 May 2031", "DELIVERED 13 June 2031"]
    assert read_cause_title(texts[:1], texts)["date_decided"] == "2031-06-13"


def test_lines_in_brackets_on_the_judgment_under_appeal_have_not_the_day_of_the_decision() -> None:
    cover = [
        "IN THE COURT OF APPEAL",
        "(Appeal from the judgment of",
        "Justice Lamp DATED 3 May 2031)",
        "DATED 13 June 2031",
    ]
    assert read_cause_title(cover, cover)["date_decided"] == "2031-06-13"


def test_a_sentence_below_the_court_is_not_its_division_and_the_judge_may_sign_at_the_end() -> None:
    texts = ["IN THE HIGH COURT", f"The chamber of the lamp {'and of the horn ' * 8}is shut.", *["Lamps burn."] * 40]
    found = read_cause_title(texts[:1], [*texts, "A. KEEPER J"])
    assert (found["court"], found["judges"]) == ("HIGH COURT", ["A. Keeper J"])


def test_a_number_inside_a_quotation_of_another_judgment_is_no_paragraph() -> None:
    texts = ["1. The keeper appeals.", "2. The court below said:", "“The keeper is bound by the Act.", "4. The board pays the keeper.”",
             "3. We agree with it.", "4. The appeal is dismissed."]  # fmt: skip
    assert numbers(*texts) == ["1", "2", "3", "4"]
    assert list(number_paragraphs([Block(text) for text in texts])) == [0, 1, 4, 5]
