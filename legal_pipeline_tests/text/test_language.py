"""Rules of language detection: the language of the law, ISO 639-3, or no answer."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from legal_pipeline.text.language import detect_language, may_be_in


def told(text: str) -> tuple[str | None, tuple[str, ...]]:
    """The language of a text, and those of its large parts beside it."""
    detected = detect_language(text)
    return detected.code, detected.others


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("swe", "Arbetsgivaren ska se till att arbetstagaren får god kännedom om de förhållanden som råder i arbetet."),
        (
            "eng",
            "No employer shall terminate a contract of employment on notice unless the employee agrees in writing.",
        ),
        ("fra", "Le juge des enfants peut, par décision motivée, ordonner une mesure éducative judiciaire provisoire."),
        ("deu", "Der Käufer ist verpflichtet, dem Verkäufer den vereinbarten Kaufpreis zu zahlen."),
        ("spa", "La presente ordenanza regional entrará en vigencia al día siguiente de su publicación oficial."),
        ("swa", "Kila mtu anayo haki ya kuishi na kupata kutoka katika jamii hifadhi ya maisha yake."),
        ("hin", "यह अधिनियम संपूर्ण भारत पर लागू होगा और केंद्रीय सरकार नियम बना सकेगी।"),
    ],
)
def test_a_sentence_of_law_tells_its_language(code: str, text: str) -> None:
    assert detect_language(text).code == code


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (
            "spa",
            "Artículo 4. El guarda del puerto podrá encender la lámpara y apagarla según las horas que la ley fija.",
        ),
        (
            "cat",
            "Article 4. El guarda del port pot encendre el llum i apagar-lo segons les hores que fixa aquesta llei.",
        ),
        (
            "por",
            "ARTIGO 4.º O GUARDA DO PORTO PODERÁ ACENDER A LÂMPADA E APAGÁ-LA NAS HORAS QUE A LEI FIXA, PELO DIREITO DAS PESSOAS.",
        ),
        (
            "glg",
            "Artigo 4. O garda do porto poderá acender a lámpada e apagala nas horas que a lei fixa para unha persoa.",
        ),
        (
            "nob",
            "Havnevakten skal tenne lykten om kvelden og slukke den om morgenen etter forskrift gitt av departementet.",
        ),
        (
            "dan",
            "Havnevagten tænder lygten om aftenen og slukker den om morgenen efter regler, som ministeren fastsætter.",
        ),
        (
            "swe",
            "Hamnvakten ska tända lyktan på kvällen och släcka den på morgonen enligt föreskrifter som regeringen meddelar.",
        ),
        ("ces", "Strážce přístavu rozsvítí svítilnu večer a zhasne ji ráno podle předpisu, který vydá ministerstvo."),
        ("slk", "Strážca prístavu rozsvieti svietidlo večer a zhasne ho ráno podľa predpisu, ktorý vydá ministerstvo."),
        ("hrv", "Članak 4. Osoba koja čuva luku pali svjetiljku navečer sukladno stavku 2. ovoga članka i točki 3."),
        (
            "srp",
            "Član 4. Lice koje čuva luku pali svetiljku uveče u vreme koje odredi opština, u skladu sa stavom 2. ovog člana.",
        ),
        (
            "slv",
            "Varuh pristanišča prižge svetilko zvečer in jo ugasne zjutraj v skladu s predpisom, ki ga izda minister.",
        ),
        (
            "nld",
            "De havenmeester ontsteekt de lamp in de avond en dooft haar in de ochtend volgens regels van de minister.",
        ),
        (
            "afr",
            "Die hawemeester steek die lamp in die aand aan en blus dit in die oggend volgens die Minister se regulasies.",
        ),
        (
            "msa",
            "Penjaga pelabuhan hendaklah menyalakan lampu pada waktu malam mengikut peruntukan subseksyen (2) akta ini.",
        ),
        (
            "ind",
            "Penjaga pelabuhan harus menyalakan lampu pada malam hari sebagaimana dimaksud dalam Pasal 2 ayat (1).",
        ),
        ("est", "Sadamavaht süütab laterna õhtul ja kustutab selle hommikul vastavalt ministri määrusele."),
        ("fin", "Satamavartija sytyttää lyhdyn illalla ja sammuttaa sen aamulla asetuksen mukaisesti."),
    ],
)
def test_close_languages_are_told_apart(code: str, text: str) -> None:
    found = detect_language(text).code
    assert found == code or (code == "nob" and found == "nor")


def test_letters_apart_are_no_basis_for_an_answer() -> None:
    assert detect_language(" ".join("La ley entra en vigor al día siguiente de su publicación oficial.")).code is None


def test_a_text_in_two_languages_has_that_of_its_first_and_names_the_other() -> None:
    spanish = "Artículo 4. El guarda del puerto enciende la lámpara y la apaga según las horas que la ley fija. " * 60
    catalan = "Article 4. El guarda del port encén el llum i l'apaga segons les hores que fixa aquesta llei. " * 60
    assert told(spanish) == ("spa", ())
    assert told(spanish + catalan) == ("spa", ("cat",))


def test_a_law_that_quotes_more_of_another_language_has_its_own() -> None:
    own = "Penjaga pelabuhan hendaklah menyalakan lampu mengikut peruntukan subseksyen (2) Akta ini. " * 30
    quoted = "The keeper of the harbour shall light the lamp according to subsection (2) of this Act. " * 60
    assert told(own + quoted) == ("msa", ("eng",))


def test_two_of_nine_samples_are_enough_for_the_language_of_the_beginning() -> None:
    own = "Penjaga pelabuhan hendaklah menyalakan lampu mengikut peruntukan subseksyen (2) Akta ini. " * 12
    quoted = "The keeper of the harbour shall light the lamp according to subsection (2) of this Act. " * 48
    assert told(own + quoted) == ("msa", ("eng",))


@pytest.mark.parametrize("text", ["", "   \n", "1 § 2 § 3 §", "Bilaga 2", "12 | 14,5 | 16"])
def test_too_few_letters_give_no_answer(text: str) -> None:
    assert detect_language(text).code is None


@pytest.mark.corpus
def test_real_texts_of_seven_jurisdictions_tell_their_language(corpus: Path) -> None:
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as lines:
        swedish = [json.loads(line)["body"] for line in lines]
    wrong = [text[:60] for text in swedish if len(text) > 2000 and detect_language(text).code != "swe"]
    # A few Acts reprint treaties in English and French; their language is not Swedish.
    assert len(wrong) <= len(swedish) // 50, wrong
    tags = re.compile("<[^>]+>")
    for path, code in (
        ("in/indiacode_md/the-right-to-information-act-2005.en.part-001.md", "eng"),
        ("zw/zimlii_json/zw-1985-16.json", "eng"),
        ("zw/akn_xml/tz-swahili-act.akn3.xml", "swa"),
        ("tagged/pe_005-2022-GRL-GOB.md", "spa"),
    ):
        assert detect_language(tags.sub(" ", (corpus / path).read_text("utf-8"))).code == code, path


@pytest.mark.parametrize(
    ("code", "text", "answer"),
    [
        ("ben", "The keeper of a pier lights its lamps at dusk. " * 5, False),
        ("eng", "The keeper of a pier lights its lamps at dusk. " * 5, True),
        ("eng", "Смотритель зажигает фонари на закате. " * 5, False),
        ("srp", "Čuvar pali svetiljke u sumrak na svakom molu. " * 5, True),
        ("srp", "Чувар пали светиљке у сумрак на сваком молу. " * 5, True),
        ("jpn", "管理者は、日没に灯火を点じなければならない。" * 10, True),
        ("ben", "The keeper lights lamps.", True),
        ("xyz", "The keeper of a pier lights its lamps at dusk. " * 5, True),
    ],
)
def test_a_text_may_be_in_a_language_in_whose_script_it_is(code: str, text: str, answer: bool) -> None:
    assert may_be_in(text, code) is answer
