"""Rules of language detection: the language of the law, ISO 639-3, or no answer."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from legal_pipeline.text.language import detect_language


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
