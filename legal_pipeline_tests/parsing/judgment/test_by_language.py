"""Judgments in other languages than English, and judgments as pages, markdown and Word files: parts, numbered paragraphs, identity."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

#: Language -> country, document id, and the text; a part is announced by the line above its paragraphs.
_TEXTS: dict[str, tuple[str, str]] = {
    "deu": (
        "de-judgment-bgh-2017-ix-zr-123",
        """BUNDESGERICHTSHOF

IM NAMEN DES VOLKES

URTEIL

IX ZR 123/17

Verkündet am:
12. März 2019

Der IX. Zivilsenat des Bundesgerichtshofs hat durch die Richter Turm und Licht für Recht erkannt:

Die Revision der Klägerin wird zurückgewiesen.

Tatbestand:

1
Die Klägerin ist Wärterin eines Leuchtturms. Sie verlangt vom Hafenamt Ersatz für Öl.

2
Am 3. Juni 2016 zündete sie die Lampe erst um Mitternacht an.

Entscheidungsgründe:

3
Die zulässige Revision ist unbegründet.

4
Nach § 4 Abs. 1 LampenG ist die Lampe in der Dämmerung anzuzünden.
""",
    ),
    "fra": (
        "fr-judgment-case-cour-de-cassation-t-17-12.345-2019-03-12",
        """COUR DE CASSATION

Audience publique du 12 mars 2019

Pourvoi n° T 17-12.345

ARRÊT DE LA COUR DE CASSATION, DEUXIÈME CHAMBRE CIVILE, DU 12 MARS 2019

La gardienne du phare a formé un pourvoi contre l'arrêt rendu par la cour d'appel de Port-Nord.

Faits et procédure

1. Selon l'arrêt attaqué, la gardienne a allumé la lampe à minuit.

2. Elle a assigné l'autorité du port en paiement de l'huile.

Réponse de la Cour

3. Aux termes de l'article L. 12-4 du code des phares, la lampe est allumée au crépuscule.

4. La cour d'appel a légalement justifié sa décision.

PAR CES MOTIFS, la Cour :

REJETTE le pourvoi.
""",
    ),
    "swe": (
        "se-judgment-case-hogsta-domstolens-dom-t-123-17-2019-03-12",
        """HÖGSTA DOMSTOLENS DOM

Mål nr T 123-17

meddelad i Stockholm den 12 mars 2019

KLAGANDE
Fyrvaktaren på Norra udden

MOTPART
Hamnstyrelsen

DOMSLUT

Högsta domstolen fastställer hovrättens domslut.

DOMSKÄL

Bakgrund

1. Fyrvaktaren tände lampan först vid midnatt.

2. Hamnstyrelsen vägrade att betala oljan.

Högsta domstolens bedömning

3. Lampan ska tändas i skymningen.

4. Skymningen börjar när solen går ned.
""",
    ),
    "nld": (
        "nl-judgment-hr-2019-123",
        """HOGE RAAD DER NEDERLANDEN

ECLI:NL:HR:2019:123

Nummer 17/01234

Datum 12 maart 2019

ARREST

In de zaak van de vuurtorenwachter, eiseres tot cassatie, tegen het havenbestuur, verweerder.

Het geding in cassatie

1. De wachter heeft de lamp om middernacht ontstoken.

2. Het havenbestuur heeft geweigerd de olie te betalen.

Beoordeling van het middel

3. De lamp wordt ontstoken in de schemering.

4. De schemering begint bij zonsondergang.

Beslissing

De Hoge Raad verwerpt het beroep.
""",
    ),
    "spa": (
        "xx-judgment-case-tribunal-supremo-45-2019-2019-03-12",
        """TRIBUNAL SUPREMO

SALA DE LO CIVIL

Sentencia núm. 45/2019

RECURSO núm.: 123/2017

Fecha de sentencia: 12 de marzo de 2019

SENTENCIA

La farera, recurrente, contra la autoridad del puerto, recurrida.

ANTECEDENTES DE HECHO

1. La farera encendió la lámpara a medianoche.

2. La autoridad se negó a pagar el aceite.

FUNDAMENTOS DE DERECHO

3. La lámpara se enciende al anochecer.

4. El anochecer comienza cuando se pone el sol.

FALLO

Se desestima el recurso.
""",
    ),
    "ita": (
        "xx-judgment-case-corte-suprema-di-cassazione-123-2017-2019-03-12",
        """REPUBBLICA ITALIANA

CORTE SUPREMA DI CASSAZIONE

SENTENZA

sul ricorso n. 123/2017 proposto dalla guardiana del faro, ricorrente, contro l'autorità del porto, controricorrente

12 marzo 2019

FATTI DI CAUSA

1. La guardiana ha acceso la lampada a mezzanotte.

2. L'autorità ha rifiutato di pagare l'olio.

RAGIONI DELLA DECISIONE

3. La lampada si accende al crepuscolo.

4. Il crepuscolo comincia quando il sole tramonta.

P.Q.M.

La Corte rigetta il ricorso.
""",
    ),
    "por": (
        "xx-judgment-case-supremo-tribunal-de-justica-123-17.0yxlsb-2019-03-12",
        """SUPREMO TRIBUNAL DE JUSTIÇA

ACÓRDÃO

Processo n.º 123/17.0YXLSB

12 de março de 2019

A faroleira, recorrente, e a autoridade do porto, recorrida.

Relatório

1. A faroleira acendeu a lâmpada à meia-noite.

2. A autoridade recusou-se a pagar o óleo.

Fundamentação

3. A lâmpada acende-se ao anoitecer.

4. O anoitecer começa quando o sol se põe.

Decisão

Nega-se provimento ao recurso.
""",
    ),
    "pol": (
        "pl-judgment-case-sad-najwyzszy-ii-csk-123-17-2019-03-12",
        """Sygn. akt II CSK 123/17

WYROK

W IMIENIU RZECZYPOSPOLITEJ POLSKIEJ

Dnia 12 marca 2019 r.

Sąd Najwyższy

po rozpoznaniu sprawy z powództwa latarniczki przeciwko zarządowi portu

Stan faktyczny

1. Latarniczka zapaliła lampę o północy.

2. Zarząd odmówił zapłaty za olej.

Uzasadnienie

3. Lampę zapala się o zmierzchu.

4. Zmierzch zaczyna się, gdy zachodzi słońce.
""",
    ),
    "dan": (
        "dk-judgment-case-hojesterets-dom-123-2017-2019-03-12",
        """HØJESTERETS DOM

afsagt den 12. marts 2019

Sag 123/2017

Fyrpasseren, appellant, mod Havnestyrelsen, indstævnte

Sagens baggrund

1. Fyrpasseren tændte lampen ved midnat.

2. Havnestyrelsen ville ikke betale olien.

Højesterets begrundelse og resultat

3. Lampen tændes ved skumring.

4. Skumringen begynder, når solen går ned.

Thi kendes for ret

Landsrettens dom stadfæstes.
""",
    ),
    "nor": (
        "no-judgment-hr-2019-123",
        """NORGES HØYESTERETT

HR-2019-123-A

Avsagt 12. mars 2019

DOM

Fyrvokteren, ankende part, mot Havnestyret, ankemotpart

Sakens spørsmål og bakgrunn

1. Fyrvokteren tente lampen ved midnatt.

2. Havnestyret ville ikke betale oljen.

Mitt syn på saken

3. Lampen skal tennes i skumringen.

4. Skumringen begynner når sola går ned.

Slutning

Anken forkastes.
""",
    ),
    "fin": (
        "fi-judgment-case-korkein-oikeus-s2017-123-2019-03-12",
        """KORKEIN OIKEUS

TUOMIO

Diaarinumero: S2017/123

Antopäivä: 12.3.2019

Majakanvartija, valittaja, ja satamahallitus, vastapuoli

Asian tausta

1. Majakanvartija sytytti lampun vasta keskiyöllä.

2. Satamahallitus kieltäytyi maksamasta öljyä.

Korkeimman oikeuden ratkaisun perustelut

3. Lamppu sytytetään hämärän tullessa.

4. Hämärä alkaa, kun aurinko laskee.

Tuomiolauselma

Valitus hylätään.
""",
    ),
}


def read(text: str, name: str = "decision.txt", **hints: str) -> Document:
    return parse(SourceFile(name, text.encode(), hints=hints))


def parts(document: Document) -> list[tuple[str, list[str | None]]]:
    """Return the type of each part with the numbers of its paragraphs."""
    return [
        (node.type, [below.num for below in node.walk() if below.type == "numbered_paragraph"])
        for node in document.nodes
    ]


@pytest.mark.parametrize("code", _TEXTS)
def test_the_parts_and_paragraphs_of_a_judgment_are_marked_in_its_language(code: str) -> None:
    document_id, text = _TEXTS[code]
    document = read(text)
    assert (document.doc_type, document.as_of_date) == ("judgment", "2019-03-12")
    assert language(document.language).name in (language(code).name, "Norwegian Bokmål")
    assert document.document_id == document_id
    found = parts(document)
    assert found[0] == ("header", [])
    assert ("background", ["1", "2"]) in found
    assert ("motivation", ["3", "4"]) in found
    if code != "pol":
        assert "decision" in [type for type, _ in found]


def test_each_language_with_words_of_judgments_has_a_sample() -> None:
    assert {code for code in known_languages() if language(code).section("judgments")} == set(_TEXTS)
