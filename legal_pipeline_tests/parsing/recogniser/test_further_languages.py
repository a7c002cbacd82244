"""Laws in languages whose provisions are named before or behind their number; own sentences, each about the keeper of a lamp."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse


def _digits(number: int, zero: str) -> str:
    return "".join(chr(ord(zero) + int(digit)) for digit in str(number))


#: By language: the chapter, and a provision with its number. A second sentence says more, so that the language is sure.
LAWS = {
    "bos": (
        "GLAVA I",
        "Član {n}.\n\nČuvar svake večeri pali svjetiljku {n} u luci i čuva je do jutra. Općina mu daje ulje, a lice koje "
        "ugasi svjetiljku plaća kaznu.",
    ),
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


_EGYPTIAN = """قانون رقم ٧ لسنة ٢٠٣١

بإصدار قانون تنظيم مصابيح الميناء

(المادة الأولى)

يعمل بأحكام القانون المرافق فى شأن تنظيم مصابيح الميناء.

(المادة الثانية)

ينشر هذا القانون فى الجريدة الرسمية، ويعمل به من اليوم التالى لتاريخ نشره.

الباب الأول

أحكام عامة

مادة (١):

فى تطبيق أحكام هذا القانون يقصد بالحارس من يضىء المصباح.

مادة (٢):

يضىء الحارس المصباح عند الغروب وفقا لحكم المادة (١) من هذا القانون.

الباب الثانى

الرسوم

الفصل الأول

رسم المصباح

مادة (٣):

يؤدى مالك المصباح الرسم المبين بالجدول المرفق.

مادة (٣ مكررًا)(١):

يجوز أداء الرسم إلكترونيا فى أول مايو من كل سنة.

الفصل الثانى

رسم الزيت

مادة (٤):

(ملغاة)(٢)

مادة (٥):

يلغى كل حكم يخالف أحكام هذا القانون."""
_THAI = """พระราชบัญญัติ

ตะเกียงท่าเรือ

พ.ศ. ๒๕๗๔

มาตรา ๑ พระราชบัญญัตินี้เรียกว่า “พระราชบัญญัติตะเกียงท่าเรือ พ.ศ. ๒๕๗๔”

มาตรา ๒ พระราชบัญญัตินี้ให้ใช้บังคับตั้งแต่วันถัดจากวันประกาศเป็นต้นไป

หมวด ๑

ตะเกียง

ส่วนที่ ๑

การจุดตะเกียง

มาตรา ๓ ผู้รักษาตะเกียงต้องจุดตะเกียงเมื่อพระอาทิตย์ตก

มาตรา ๓ ทวิ ผู้รักษาตะเกียงต้องดับตะเกียงเมื่อพระอาทิตย์ขึ้น

ส่วนที่ ๒

น้ำมัน

มาตรา ๔ ให้คณะกรรมการจัดหาน้ำมันสำหรับตะเกียง

หมวด ๒

บทกำหนดโทษ

มาตรา ๕ ผู้ใดดับตะเกียงโดยไม่มีเหตุ ต้องระวางโทษปรับไม่เกินห้าร้อยบาท

บทเฉพาะกาล

มาตรา ๖ ใบอนุญาตที่ออกให้ก่อนวันที่พระราชบัญญัตินี้ใช้บังคับ ให้ใช้ได้ต่อไปจนสิ้นอายุ"""
_TAIWANESE = """港口燈火條例

第 一 章 總則

第 1 條

為管理港口之燈火，特制定本條例。

第 2 條

守燈人於日沒時點燈，於日出時熄燈。

第 2-1 條

遇有濃霧，守燈人應鳴鐘示警。

第 3-1 條

（刪除）

第 4 條

本條例自公布日施行。"""


@pytest.mark.parametrize(
    ("text", "title", "places"),
    [
        (
            _EGYPTIAN,
            "قانون رقم ٧ لسنة ٢٠٣١ بإصدار قانون تنظيم مصابيح الميناء",
            [("1", ""), ("2", ""), ("1", "title 1"), ("2", "title 1"), ("3", "chapter 1"), ("3 مكررًا", "chapter 1"), ("4", "chapter 2"),
             ("5", "chapter 2")],
        ),
        (
            _THAI,
            "พระราชบัญญัติตะเกียงท่าเรือ พ.ศ. ๒๕๗๔",
            [("1", ""), ("2", ""), ("3", "subchapter 1"), ("3 ทวิ", "subchapter 1"), ("4", "subchapter 2"), ("5", "chapter 2"),
             ("6", "chapter บทเฉพาะกาล")],
        ),
        (
            _TAIWANESE,
            "港口燈火條例",
            [("1", "chapter 1"), ("2", "chapter 1"), ("2-1", "chapter 1"), ("3-1", "chapter 1"), ("4", "chapter 1")],
        ),
    ],
)  # fmt: skip
def test_a_law_with_the_numbers_and_divisions_of_its_country(
    text: str, title: str, places: list[tuple[str, str]]
) -> None:
    document = parse(SourceFile("law.txt", text.encode()))
    found = [
        (node.num, f"{parents[-1].type} {parents[-1].num or parents[-1].heading}" if parents else "")
        for node, parents in document.walk_with_ancestors()
        if node.type == "article"
    ]
    assert (document.title, found) == (title, places)
    gone = {_EGYPTIAN: ["4"], _TAIWANESE: ["3-1"]}
    assert [node.num for node in document.provisions() if node.status == "repealed"] == gone.get(text, [])


_BENGALI = """বাতি আইন, ২০৩১

( ২০৩১ সনের ৭ নং আইন )

যেহেতু বন্দরের বাতি জ্বালানো সমীচীন ও প্রয়োজনীয়;

সেহেতু এতদ্দ্বারা নিম্নরূপ আইন করা হইল:-

প্রথম অধ্যায়
প্রারম্ভিক

সংক্ষিপ্ত শিরোনাম
১{stop} (১) এই আইন বাতি আইন, ২০৩১ নামে অভিহিত হইবে{stop}

সংজ্ঞা
২{stop}এই আইনে “প্রহরী” অর্থ যিনি বন্দরের বাতি জ্বালান{stop}

প্রহরীর দায়িত্ব
3[২ক{stop} প্রহরী প্রতিদিন সন্ধ্যায় ঘাটের বাতি জ্বালাইবেন{stop}]

দ্বিতীয় অধ্যায়
তেল

তেলের মূল্য
৩{stop} ঘাটের মালিক তেলের মূল্য পরিশোধ করিবেন, যথা:-

(ক) প্রদীপের জন্য; এবং

(খ) সলিতার জন্য{stop}
"""


@pytest.mark.parametrize("stop", ["।", "৷"])
def test_sections_in_bengali_with_either_stop(stop: str) -> None:
    document = parse(SourceFile("act.txt", _BENGALI.replace("{stop}", stop).encode()))
    sections = [(node.num, node.heading) for node in document.walk() if node.type == "section"]
    assert (document.language, document.title) == ("ben", "বাতি আইন, ২০৩১")
    assert sections == [("1", "সংক্ষিপ্ত শিরোনাম"), ("2", "সংজ্ঞা"), ("2ক", "প্রহরীর দায়িত্ব"), ("3", "তেলের মূল্য")]
    assert [node.num for node in document.walk() if node.type == "chapter"] == ["1", "2"]


def test_sections_that_a_print_has_in_another_order_are_all_found() -> None:
    texts = {
        number: f"{number}. The keeper of the harbour lights lamp {number} at dusk and watches it."
        for number in ("1", "2", "3", "4", "5", "5A", "6", "7", "9", "8", "10")
    }
    order = ("1", "2", "3", "4", "5A", "5", "6", "7", "9", "8", "10")
    text = "The Lamp Act, 2031\n\nBe it enacted as follows:-\n\n" + "\n\n".join(texts[number] for number in order)
    document = parse(SourceFile("act.txt", text.encode()))
    assert [node.num for node in document.walk() if node.type == "section"] == list(order)
