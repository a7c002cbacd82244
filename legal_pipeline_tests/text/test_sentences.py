"""Rules of the sentence interface: legal abbreviations bind, lines end sentences, spaCy sees the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.text.sentences import sentence_spans, spacy_pipeline


def sentences(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("zho", "看守人点灯。看守人在黎明熄灯！“灯亮了。”他说。", 4),
        ("jpn", "番人は灯をともす。夜明けに消す。", 2),
        ("ara", "هل يشعل الحارس النور؟ نعم يشعله.", 2),
    ],
)
def test_full_stops_of_other_scripts_end_sentences(language: str, text: str, count: int) -> None:
    assert len(sentences(text, language)) == count


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("swe", ["Enligt 2 kap. 3 § gäller bl.a. detta.", "Se prop. 2009/10:170 s. 12 och t.ex. 4 kap. 5 §."]),
        ("sv", ["Tiden räknas fr.o.m. den 1 juli t.o.m. den 3 maj.", "Bestämmelser finns i 1 §.", "Talan ska väckas."]),
        ("swe", ["Nämnden prövar avgifter, bidrag m.m.", "Domstolen får pröva frågan enligt lagen (1977:1160) m.fl. lagar."]),
        ("swe", ["Ansökan ska göras inom den tid som anges i 5 § första stycket 1.", "Den som inte söker i tid går miste om rätten."]),
        ("swe", ["Det får inte avse dem.", "Var och en bestämmer över sig.", "Ärendet gäller ett barn.", "Det prövas av nämnden."]),
        ("eng", ["Under s. 12A(1) no employer shall act.", "See paras. 4 and 5 of the judgment, cf. S.I. 15 of 2006."]),
        ("en-IN", ["He relied on A.I.R. 1973 S.C. 1461.", "Under sub-s. (2) of s. 34 M/s. Anand Traders filed W.P. No. 12 of 2019."]),
        ("en-IN", ["The Hon'ble Court heard Smt. Devi.", "Reliance was placed on Ram v. Shyam and Ors. (2001) 4 SCC 12."]),
        ("eng", ["The motion was denied by the court.[2]", "The importance of the question led us to grant it."]),
        ("fra", ["Selon l'art. L. 11-1 du code, l'âge compte.", "Voir aussi Cass. civ. 1re, 3 mai 2010, n° 09-12.345."]),
        ("deu", ["Gemäß § 433 Abs. 1 Satz 1 BGB i.V.m. Art. 3 GG gilt dies.", "Vgl. das Urteil vom 3. Mai 2019, S. 12 ff."]),
        ("hin", ["यह अधिनियम लागू होगा।", "इसका विस्तार भारत पर है।"]),
    ],
)  # fmt: skip
def test_abbreviations_of_the_language_do_not_end_sentences(language: str, expected: list[str]) -> None:
    assert sentences(" ".join(expected), language) == expected


def test_a_small_letter_continues_a_sentence_but_not_behind_a_question() -> None:
    assert sentences("Fyren i Gråsk. lyser vit. Är den släckt? så undrar lotsen.", "swe") == [
        "Fyren i Gråsk. lyser vit.",
        "Är den släckt?",
        "så undrar lotsen.",
    ]


def test_a_line_end_always_ends_a_sentence() -> None:
    assert sentences("2 kap. Arbetsmiljöns beskaffenhet\n\n1 § Arbetsmiljön skall vara god", "swe") == [
        "2 kap. Arbetsmiljöns beskaffenhet",
        "1 § Arbetsmiljön skall vara god",
    ]


def test_one_language_does_not_learn_the_abbreviations_of_another() -> None:
    text = "Var god sök i 4 kap. Detta gäller."
    before = sentences(text, "eng")
    sentences(text, "swe")
    assert sentences(text, "eng") == before


@given(st.text(alphabet="aB1 .!?§[]2\n\r\t।”\"'(ö", max_size=80), st.sampled_from(["swe", "eng", "deu", "hin", "xxx"]))
def test_spans_ascend_and_hold_every_visible_character(text: str, language: str) -> None:
    spans = sentence_spans(text, language)
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


def test_spacy_users_see_the_same_sentences() -> None:
    text = "Enligt 2 kap. 3 § gäller bl.a. detta. Se prop. 2009/10:170 s. 12.\nNy rad utan punkt"
    doc = spacy_pipeline("swe")(text)
    assert [sentence.text.strip() for sentence in doc.sents] == sentences(text, "swe")


def test_spacy_reads_a_language_that_it_has_no_tokenizer_for() -> None:
    text = "Ara l-art. 5 tal-Kap. 12. L-uffiċċju jista' jaġixxi."
    assert [sentence.text.strip() for sentence in spacy_pipeline("mlt")(text).sents] == sentences(text, "mlt")


@pytest.mark.corpus
def test_boundaries_of_english_legal_text_reach_an_f1_of_0_92_in_each_gold_file(corpus: Path) -> None:
    for name in ("CD_bva_test.jsonl", "CD_scotus_test.jsonl"):
        found = missed = false = 0
        for line in (corpus / "eval" / "sbd_en" / name).read_text("utf-8").splitlines():
            document = json.loads(line)
            gold = {span["end"] for span in document["spans"]}
            ends = {end for _, end in sentence_spans(document["text"], "eng")}
            found += len(gold & ends)
            missed += len(gold - ends)
            false += len(ends - gold)
        assert 2 * found / (2 * found + missed + false) >= 0.92, name


@pytest.mark.parametrize(
    ("text", "count"),
    [("2 kap. Allmänna krav", 1), ("12 a kap. Avgifter", 1), ("Detta följer av 2 kap. Avgiften betalas i maj.", 2)],
)
def test_the_heading_of_a_chapter_is_one_sentence_and_a_chapter_may_end_a_sentence(text: str, count: int) -> None:
    assert len(sentences(text, "swe")) == count
