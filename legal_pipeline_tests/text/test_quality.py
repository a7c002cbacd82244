"""What is garbled is counted, what is only foreign is not."""

from __future__ import annotations

import pytest

from legal_pipeline.text.quality import measure

HINDI = (
    "इस अधिनियम का संक्षिप्त नाम पत्तन शुल्क अधिनियम, 1928 है। केन्द्रीय सरकार, राजपत्र में अधिसूचना द्वारा, शुल्क की दरें नियत कर सकेगी। "
    "(क) पोत का स्वामी तथा उसका अभिकर्ता शुल्क देने के लिए उत्तरदायी होंगे, अर्थात् वे न देने पर दण्डित किए जाएंगे।"
)
BROKEN = "विलयन द्व ारा प्र वत ग् या रहिें िर्ि में संसि् अविवनयम अन्य था प्र योजन ब न क र प चा त् वर् कार् ेस ाम " * 3


def test_hindi_in_unicode_is_clean() -> None:
    quality = measure(HINDI)
    assert quality.score == 0
    assert not quality.requires_review


def test_devanagari_of_a_broken_font_map_is_measured() -> None:
    quality = measure(BROKEN)
    assert quality.broken_devanagari > 0.2
    assert quality.requires_review


def test_mojibake_and_replacement_characters_are_told_apart() -> None:
    quality = measure("fÃ¶rordning om â€œfartygâ€ � och lots " * 5)
    assert quality.mojibake > 0
    assert quality.replacement > 0
    assert quality.requires_review


def test_swedish_french_and_signs_of_law_are_clean() -> None:
    assert measure("Âme, château, förordning, Århus, § 3 — “citat” … ½ Ärende naïve").score == 0


def test_a_few_words_are_no_sample() -> None:
    assert not measure("� �").requires_review


def test_three_words_of_mojibake_call_for_a_look_however_long_the_text() -> None:
    long = "The Minister may prescribe the form of a notice. " * 500
    assert not measure(long).requires_review
    assert measure(long + "the â€œownerâ€\x9d, the â€œcharterâ€\x9d and the â€œlighthouseâ€\x9d").requires_review


@pytest.mark.parametrize(
    "text", ["1 kap. 3 § Ägaren får å fartyget förbjuda ”fyrar”", "Le préfet, à défaut, décide où «l’île» est située"]
)
def test_utf_8_read_as_windows_1252_is_mojibake_in_every_accented_word(text: str) -> None:
    garbled = text.encode("utf-8").decode("cp1252", "replace").replace("\xa0", " ")
    accented = sum(not word.isascii() for word in text.split())
    assert measure(garbled).mojibake_words >= accented - 1


def test_capitals_before_quotation_marks_are_no_mojibake() -> None:
    assert measure("AMANHÃ, MANHÃ” „daß“ ”BILAGA Å” ”SÖ” SOCIÉTÉ” ESPAÑ” à«mer»").score == 0


@pytest.mark.parametrize(
    "tag", ["<br>", "<BR/>", "</p>", '<td class="x">', "<!-- note", "<!DOCTYPE html>", '<font color="red">']
)
def test_mark_up_left_in_a_text_calls_for_a_look(tag: str) -> None:
    found = measure(f"Article 1{tag} Andorra és un Estat.")
    assert found.markup == (tag if tag != "<!-- note" else "<!--",)
    assert found.requires_review
    assert not found.is_garbled


@pytest.mark.parametrize("reference", ["&nbsp;", "&sect;", "&#167;", "&#xA7;"])
def test_a_character_reference_left_in_a_text_calls_for_a_look(reference: str) -> None:
    assert measure(f"Article{reference}1").markup == (reference,)


@pytest.mark.parametrize(
    "text", ["x < 3 and y > 4", "<name> of the keeper", "Smith &Co; R&D;", "a <- b", "<2024:1>", "AT&T;"]
)
def test_signs_of_a_writer_are_no_mark_up(text: str) -> None:
    assert measure(text).markup == ()
