"""Laws in languages whose provisions are named before or behind their number; own sentences, each about the keeper of a lamp."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse


def _digits(number: int, zero: str) -> str:
    return "".join(chr(ord(zero) + int(digit)) for digit in str(number))


#: By language: the chapter, and a provision with its number. A second sentence says more, so that the language is sure.
LAWS = {
    "sqi": ("KREU I", "Neni {n}\n\nRojtari e ndez fenerin {n} çdo mbrëmje në port dhe e ruan deri në mëngjes."),
    "glg": ("CAPÍTULO I", "Artigo {n}. O garda acende a lámpada {n} cada noite no porto e cóidaa ata a mañá."),
    "hye": ("ԳԼՈՒԽ 1", "Հոդված {n}.\n\nՊահակը ամեն երեկո վառում է {n} լապտերը նավահանգստում և հսկում է մինչև առավոտ։"),
    "aze": ("I FƏSİL", "Maddə {n}. Gözətçi hər axşam limanda {n} nömrəli fənəri yandırır və səhərə qədər qoruyur."),
    "kaz": ("1-тарау", "{n}-бап. Күзетші күн сайын кешке айлақта {n} шамды жағады және таңға дейін қарауылдайды."),
    "uzb": ("1-bob", "{n}-modda. Qorovul har oqshom portda {n}-fonarni yoqadi va ertalabgacha qo‘riqlaydi."),
    "mon": ("1 дүгээр бүлэг", "{n} дүгээр зүйл. Манаач орой бүр боомтод {n} дэнлүүг асааж, өглөө болтол сахина."),
    "eus": (
        "I. kapitulua",
        "{n}. artikulua. Zaindariak {n} argia pizten du arratsero portuan, eta goizera arte zaintzen du.",
    ),
    "urd": ("باب 1", "دفعہ {n}۔ نگہبان ہر شام بندرگاہ کا چراغ نمبر {n} روشن کرے گا اور صبح تک اس کی نگرانی کرے گا۔"),
    "khm": ("ជំពូកទី ១", "មាត្រា {k}.- អ្នកយាមត្រូវបំភ្លឺចង្កៀងទី {k} រៀងរាល់យប់នៅកំពង់ផែ និងថែទាំរហូតដល់ព្រឹក។"),
    "amh": ("ምዕራፍ 1", "አንቀጽ {n}\n\nጠባቂው በየምሽቱ በወደቡ {n} ፋኖስ ያበራል እስከ ጠዋትም ይጠብቀዋል።"),
    "swa": (
        "SURA YA KWANZA",
        "Kifungu cha {n}. Mlinzi atawasha taa {n} kila jioni bandarini na kuilinda hadi asubuhi.",
    ),
}


@pytest.mark.parametrize("code", LAWS)
def test_the_provisions_of_a_law_are_found(code: str) -> None:
    chapter, provision = LAWS[code]
    provisions = [provision.format(n=number, k=_digits(number, "០")) for number in range(1, 13)]
    document = parse(SourceFile("law.txt", "\n\n".join([chapter, *provisions]).encode()))
    assert document.language == code
    found = [node.num for node in document.walk() if node.type in ("article", "section")]
    assert found == [str(number) for number in range(1, 13)]
    assert [node.type for node in document.nodes if node.type == "chapter"] == ["chapter"]
