"""Judgments as plain text of courts without a format of their own: told from Acts, numbered paragraphs, headings that lost their line."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.glued_headings import part_glued_headings
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.registry import detect, parse

COVER = """THE SUPREME COURT OF APPEAL OF SOUTH AFRICA
JUDGMENT
Reportable
Case No: 123/2031
In the matter between:
PERIWINKLE MINING (PTY) LTD APPELLANT
and
MINISTER OF LIGHTHOUSES RESPONDENT
Neutral citation: Periwinkle Mining v Minister [2031] ZASCA 55 (29 May 2031)
Coram: MAYFLOWER P and WREN JA
Delivered: 29 May 2031
__________________
JUDGMENT
__________________
"""
BODY = """[1] This appeal concerns the Lighthouse Act 28 of 2002
and the Access to Lamps Act 17 of 1999. The appellant applied for a lamp.
[2] On 3 May 2030 the Minister refused the application. The appellant was
aggrieved by the decision.
Background facts[3] The appellant was formed in 1999. Section 3 of the Act says this.
[4] It was contended on behalf of the appellant that the Minister erred.
Discussion
[5] It is well settled that a person must be heard. As was held in paragraph
[3] of that judgment, two things count:
1. The first thing.
2. The second thing.
[6]In our view the section must be construed so.
[7] In the result the appeal is dismissed with costs.
"""


def read(text: str, **hints: str) -> Document:
    return parse(SourceFile("case.txt", text.encode(), hints=dict(hints)))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type == "numbered_paragraph"]


def test_a_judgment_of_a_court_without_a_format_of_its_own_is_a_judgment() -> None:
    document = read(COVER + BODY)
    assert (document.doc_type, document.document_id, document.jurisdiction) == (
        "judgment",
        "za-judgment-zasca-2031-55",
        "za",
    )
    assert document.title == "Periwinkle Mining v Minister"
    assert document.metadata["parties"]["applicant"] == "PERIWINKLE MINING (PTY) LTD"
    assert document.metadata["court"] == "SUPREME COURT OF APPEAL OF SOUTH AFRICA"
    assert document.metadata["date_decided"] == "2031-05-29"


def test_the_cover_page_is_part_of_the_header() -> None:
    document = read(COVER + BODY)
    header = next(node for node in document.walk() if node.type == "header")
    assert document.text[header.start : header.end].rstrip(" _\n").endswith("JUDGMENT")
    assert "MINISTER OF LIGHTHOUSES" in document.text[header.start : header.end]


def test_bracketed_paragraphs_are_numbered_through_glued_headings_lists_and_references() -> None:
    document = read(COVER + BODY)
    assert numbers(document) == ["1", "2", "3", "4", "5", "6", "7"]
    headings = [document.text[node.start : node.end] for node in document.walk() if node.type == "heading"]
    assert {"Background facts", "Discussion"} <= set(headings)
    assert [node.heading for node in document.walk() if node.type == "motivation"] == ["Discussion"]


@pytest.mark.parametrize(
    "hints", [{}, {"jurisdiction": "in"}, {"jurisdiction": "za"}], ids=["nothing said", "india", "south africa"]
)
def test_a_judgment_that_names_acts_and_quotes_sections_is_not_an_act(hints: dict[str, str]) -> None:
    text = (
        (COVER + BODY)
        .replace("[", "")
        .replace("]", ".")
        .replace("the Minister refused", "in India the Minister refused")
    )
    text = text.replace(
        "A person", "3. Short title.— This Act may be called the Lamps Act, 1999 (Act No. 17 of 1999).\nA person"
    )
    assert read(text, **hints).doc_type == "judgment"


def test_a_wrapped_sentence_that_begins_like_a_heading_is_not_one() -> None:
    body = BODY.replace(
        "Section 3 of the Act says this.", "It asked.\nThe question which arose there was what would\nbe the rule."
    )
    document = read(COVER + body)
    assert "The question which arose there was what would be the rule." in " ".join(document.text.split())
    assert all(node.heading is None or "question" not in node.heading for node in document.walk())
    assert "issue" not in {node.type for node in document.walk()}


def test_an_english_cover_page_without_the_word_judgment_is_a_judgments() -> None:
    cover = "Neutral Citation Number: [2031] EWHC 64 (Admin)\n\nIN THE HIGH COURT OF JUSTICE\n\nBefore:\n\nMRS JUSTICE WREN\n\n"
    parties = (
        "Between:\n\nTHE QUEEN on the application of LAMP\n\nClaimant\n\n- and -\n\nLIGHTHOUSE BOARD\n\nDefendant\n\n"
    )
    paragraphs = "\n\n".join(f"{number}. The lamp was lit on night {number}." for number in range(1, 9))
    document = read(cover + parties + paragraphs)
    assert document.doc_type == "judgment"
    assert numbers(document) == [str(number) for number in range(1, 9)]


def test_an_act_that_names_a_court_is_not_a_judgment() -> None:
    act = (
        "THE SUPREME COURT ACT\nAn Act to establish a court for appellants and respondents\nBE IT ENACTED by Parliament:\n"
        "1. Short title. This Act may be cited as the Supreme Court Act.\n2. Court. There is a court.\n3. Judges. It has judges.\n"
    )
    assert detect(SourceFile("act.txt", act.encode())).name != "judgment_text"


def glued(*texts: str) -> list[str]:
    return [block.text for block in part_glued_headings([Block(text) for text in texts], load_phrases("xx"))]


def test_a_heading_glued_to_the_next_number_is_parted_from_it() -> None:
    assert glued("11. We agree.", "The merits12. Nothing turns on it.") == [
        "11. We agree.",
        "The merits",
        "12. Nothing turns on it.",
    ]
    assert glued("[11] We agree.", "ORDER [12] We dismiss.") == ["[11] We agree.", "ORDER", "[12] We dismiss."]


@pytest.mark.parametrize(
    "text",
    [
        "Section 12. The Act says so.",
        "The court in Wren [12] held so.",
        "The merits14. Nothing.",
        "It was so. And12. then",
    ],
)
def test_a_number_that_is_not_the_next_paragraphs_stays_in_its_sentence(text: str) -> None:
    assert glued("11. We agree.", text) == ["11. We agree.", text]


def test_offsets_follow_the_text_that_is_parted() -> None:
    block = Block("The merits12. Nothing.", offsets=((0, 100), (11, 120)))
    first, second = part_glued_headings([Block("11. We agree."), block], load_phrases("xx"))[1:]
    assert (first.offsets, second.offsets) == (((0, 100),), ((0, 110), (1, 120)))


_AUSTRALIAN = """HIGH COURT OF AUSTRALIA

KEEPER APPELLANT
AND
HARBOUR BOARD RESPONDENT

Keeper v Harbour Board [2031] HCA 7
Date of Judgment: 3 March 2031

ORDER

1. Appeal allowed.

2. The Board is to pay for the oil.

TOWER CJ AND LAMP J.

Introduction

1 The appellant lit the lamp at midnight and asked to be paid for the oil.

2 The primary judge found for the appellant. The Court of Appeal reversed the judgment.

3 The Lighthouse Act says that the lamp is lit at dusk.

WICK J.

4 I agree with the order. I would add one observation about dusk.
"""


def test_an_order_above_the_opinions_is_the_decision_and_the_first_opinion_is_no_separate_one() -> None:
    document = read(_AUSTRALIAN)
    assert (document.jurisdiction, document.number) == ("au", "[2031] HCA 7")
    order, *opinions = [node for node in document.nodes if node.type != "header"]
    assert (order.type, order.heading) == ("decision", "ORDER")
    assert document.text_of(order).endswith("2. The Board is to pay for the oil.")
    assert [node.heading for node in opinions if node.type == "dissent"] == ["WICK"]
    own = [below.num for node in opinions if node.type != "dissent" for below in node.walk()]
    assert [number for number in own if number] == ["1", "2", "3"]


_CANADIAN = """SUPREME COURT OF CANADA

Citation: R. v. Keeper, 2031 SCC 7

Appeal Heard: January 12, 2031
Judgment Rendered: May 6, 2031
Docket: 49123

Between:
His Majesty The King
Appellant
and
Anna Keeper
Respondent

Coram: Tower C.J. and Lamp J.

The judgment of the Court was delivered by

Lamp J. —

I. Facts

[1] On July 4, 2030, the respondent lit the lamp at midnight.

II. Analysis

[2] The statute says that the lamp is lit at dusk.

III. Disposition

[3] I would dismiss the appeal.
"""


def test_a_canadian_judgment_has_its_neutral_citation_without_brackets_and_the_day_on_which_it_was_rendered() -> None:
    document = read(_CANADIAN)
    assert (document.document_id, document.number) == ("ca-judgment-scc-2031-7", "2031 SCC 7")
    assert document.as_of_date == "2031-05-06"
    assert numbers(document) == ["1", "2", "3"]


_STRASBOURG = """FIRST SECTION

CASE OF KEEPER v. RURITANIA

(Application no. 12345/28)

JUDGMENT

STRASBOURG

4 May 2031

FINAL
04/08/2031

In the case of Keeper v. Ruritania,
The European Court of Human Rights (First Section), sitting as a Chamber composed of three judges,
Delivers the following judgment, which was adopted on that date:

THE FACTS

1. The applicant keeps a lighthouse.

2. On 3 May 2027 the police searched the lighthouse without a warrant.

THE LAW

3. The applicant complained that the search had breached Article 8 of the Convention.

4. The Court finds that no reason was given why a warrant could not be obtained.

FOR THESE REASONS, THE COURT, UNANIMOUSLY,

1. Declares the application admissible;

2. Holds that there has been a violation of Article 8 of the Convention.
"""


def test_a_judgment_of_the_court_of_human_rights_has_its_number_day_and_operative_part() -> None:
    document = read(_STRASBOURG)
    assert document.document_id == "coe-judgment-echr-12345-28-2031-05-04"
    assert (document.jurisdiction, document.metadata["case_number"]) == ("coe", "12345/28")
    assert document.metadata["court"] == "European Court of Human Rights (First Section)"
    decision = next(node for node in document.nodes if node.type == "decision" and node.heading)
    assert "1. Declares the application admissible" in document.text_of(decision)
    last = [node for node in document.walk() if node.type == "numbered_paragraph"][-1]
    assert document.text_of(last).endswith("could not be obtained.")


def test_a_cover_with_two_days_and_no_word_for_either_has_no_day() -> None:
    assert read(_STRASBOURG.replace("4 May 2031\n", "6 April 2031\n\n4 May 2031\n")).as_of_date is None


_KENYAN = """REPUBLIC OF KENYA
IN THE HIGH COURT OF KENYA AT NAIROBI
PETITION NO. 12 OF 2030

ANNA KEEPER....................................PETITIONER
VERSUS
HARBOUR BOARD.................................RESPONDENT

JUDGMENT

1. The petitioner is a keeper of a lighthouse.

2. On 3 May 2029 the Board refused to pay for oil delivered on 4 May 2029.

3. Section 4 of the Lighthouse Act requires the Board to pay. The petition succeeds.

DATED, SIGNED AND DELIVERED AT NAIROBI THIS 12TH DAY OF MAY 2031.

A. TOWER
JUDGE
"""


def test_parties_beside_versus_and_a_day_at_the_end_are_read() -> None:
    document = read(_KENYAN)
    assert document.title == "ANNA KEEPER v HARBOUR BOARD"
    assert (document.metadata["case_number"], document.as_of_date) == ("12 OF 2030", "2031-05-12")


def test_courts_of_a_country_that_share_a_number_have_two_documents() -> None:
    nairobi, mombasa = (read(text) for text in (_KENYAN, _KENYAN.replace("AT NAIROBI\n", "AT MOMBASA\n")))
    assert nairobi.document_id == "ke-judgment-case-high-court-of-kenya-at-nairobi-12-of-2030-2031-05-12"
    assert mombasa.document_id == nairobi.document_id.replace("nairobi", "mombasa")
    assert read(_KENYAN.replace("12 OF 2030", "12 OF 2029")).document_id != nairobi.document_id


def test_a_judgment_without_a_day_keeps_its_id_when_its_text_changes() -> None:
    text = _KENYAN[: _KENYAN.index("DATED")]
    first, second = read(text), read(text.replace("succeeds", "is allowed"))
    assert first.document_id == second.document_id == "ke-judgment-case-high-court-of-kenya-at-nairobi-12-of-2030"


@pytest.mark.parametrize(
    ("cover", "day"),
    [
        ("Hearing: 3 February 2031\n\nJudgment: 12 May 2031 at 10.30 am\n", "2031-05-12"),
        ("12 January 2031\n\n12 May 2031 Judgment reserved.\n", "2031-05-12"),
        ("12 January 2031\n\n12 May 2031\n", None),
        ("12 May 2031 (*)\n", "2031-05-12"),
        ("12 May 2031 (*1)\n", "2031-05-12"),
        ("Neutral citation: Mining v Minister [2031] ZASCA 55 (12 May 2031)\n\nHeard: 3 May 2031\n", "2031-05-12"),
        ("On appeal from [2030] ZAGPJHC 55 (12 May 2030)\n", None),
    ],
)
def test_the_day_of_a_judgment_is_not_that_of_its_hearing(cover: str, day: str | None) -> None:
    text = COVER.replace("Delivered: 29 May 2031\n", cover).replace(" (29 May 2031)", "") + BODY
    assert read(text).as_of_date == day


def test_names_on_the_lines_of_between_and_and_are_parties() -> None:
    text = "IN THE COURT OF APPEAL OF NEW ZEALAND\n\n[2031] NZCA 55\n\nBETWEEN ANNA KEEPER\nAppellant\n\nAND HARBOUR BOARD\nRespondent\n\n"
    assert read(f"{text}JUDGMENT\n\n{BODY}").title == "ANNA KEEPER v HARBOUR BOARD"


_SERIATIM = """[2031] UKSC 21

JUDGMENT

Keeper (Appellant) v Harbour Board (Respondent)

before

Lord Tower, President

LORD WICK (with whom Lord Tower agrees):

1. This appeal concerns the lighting of lamps.

2. The appellant lit the lamp at midnight.

3. I would dismiss the appeal.

LADY LAMP (concurring):

4. I agree with Lord Wick.
"""


def test_the_first_of_named_opinions_is_the_judgment_and_the_second_goes_on_with_its_numbers() -> None:
    document = read(_SERIATIM)
    assert [node.heading for node in document.nodes if node.type == "dissent"] == ["LADY LAMP (concurring)"]
    assert numbers(document) == ["1", "2", "3", "4"]
    last = next(node for node in document.walk() if node.num == "4")
    assert document.text_of(last) == "4. I agree with Lord Wick."


@pytest.mark.parametrize(
    "appeal",
    [
        "(Being an appeal from the judgment of Hon. B. Moon (PM) delivered on 3rd March 2030 in Civil Case No. 7 of 2029)",
        "(Being an appeal from the judgment of Hon. B. Moon (PM)\ndelivered on 3rd March 2030\nin Civil Case No. 7 of 2029)",
        "(Arising from the ruling dated 3 March 2030 of the Lamp Court)",
        "(From original conviction and sentence in Criminal Case No. 7 of 2029 delivered on 3 March 2030)",
        "On appeal from the order of the Lamp Court\ngiven on 3 March 2030",
    ],
)
def test_the_day_of_the_decision_under_appeal_is_not_that_of_the_judgment(appeal: str) -> None:
    document = read(_KENYAN.replace("\nJUDGMENT\n", f"\n{appeal}\n\nJUDGMENT\n"))
    assert document.as_of_date == "2031-05-12"


def test_the_name_of_a_court_goes_on_in_the_next_line() -> None:
    text = _KENYAN.replace(
        "IN THE HIGH COURT OF KENYA AT NAIROBI",
        "IN THE HIGH COURT OF THE\nHARBOUR REPUBLIC OF KENYA\nCOURT OF FIRST INSTANCE",
    )
    assert read(text).metadata["court"] == "HIGH COURT OF THE HARBOUR REPUBLIC OF KENYA, COURT OF FIRST INSTANCE"


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("grounds", [2, 3, 5])
def test_the_grounds_that_a_paragraph_lists_are_not_paragraphs(gap: str, grounds: int) -> None:
    listed = gap.join(f"{number}. That the oil was of kind {number}." for number in range(1, grounds + 1))
    paragraphs = [
        "1. The petitioner keeps a lamp.",
        f"2. The petition has these grounds:-{gap}{listed}",
        "3. The first ground fails.",
        "4. Ground 2 succeeds.",
        "5. The petition is allowed.",
    ]
    start, end = _KENYAN.index("1. The petitioner"), _KENYAN.index("DATED")
    document = read(_KENYAN[:start] + "\n\n".join(paragraphs) + "\n\n" + _KENYAN[end:])
    found = {node.num: document.text_of(node) for node in document.walk() if node.type == "numbered_paragraph"}
    assert list(found) == ["1", "2", "3", "4", "5"]
    assert found["3"].startswith("3. The first ground fails.")
    assert "kind 2" in found["2"]


@pytest.mark.parametrize(("hidden", "numbered"), [(1, True), (2, True), (3, False)])
def test_paragraphs_go_on_behind_at_most_two_numbers_that_the_text_lacks(hidden: int, numbered: bool) -> None:
    shown = [*range(1, 6), *range(6 + hidden, 10 + hidden)]
    paragraphs = "\n\n".join(f"{number}. The petitioner keeps lamp {number}." for number in shown)
    start, end = _KENYAN.index("1. The petitioner"), _KENYAN.index("DATED")
    document = read(f"{_KENYAN[:start]}{paragraphs}\n\n{_KENYAN[end:]}")
    assert numbers(document) == [str(number) for number in (shown if numbered else shown[:5])]


@pytest.mark.parametrize("heading", ["(b) The second lamp", "Ships that pass"])
def test_a_short_line_between_two_paragraphs_is_a_heading(heading: str) -> None:
    paragraphs = [
        f"{number}. The petitioner keeps lamp {number} of the harbour, and it burns." for number in (1, 2, 3, 4)
    ]
    start, end = _KENYAN.index("1. The petitioner"), _KENYAN.index("DATED")
    lines = "\n".join([*paragraphs[:2], heading, *paragraphs[2:]])
    document = read(f"{_KENYAN[:start]}{lines}\n\n{_KENYAN[end:]}")
    assert numbers(document) == ["1", "2", "3", "4"]
    assert f"burns.\n\n{heading}\n\n3." in document.text


def test_a_wrapped_line_that_begins_with_a_number_goes_on() -> None:
    paragraphs = [f"{number}. The petitioner keeps lamp {number} of the harbour, and it burns." for number in (1, 2, 4)]
    wrapped = "3. The keeper relies on what this court said about lamps in section\n4. The lamp there was a red one."
    start, end = _KENYAN.index("1. The petitioner"), _KENYAN.index("DATED")
    document = read(_KENYAN[:start] + "\n".join([*paragraphs[:2], wrapped, paragraphs[2]]) + "\n\n" + _KENYAN[end:])
    assert "about lamps in section 4. The lamp there" in document.text


_WITHOUT_COVER = "\n\n".join(
    [
        "Lamps",
        *(f"{number}. Section {number} of the Indian Lamps Act, 1931 was said to apply." for number in range(1, 5)),
        "The appeal fails.",
        *(
            "The lamp stays lit, and the keeper stays on the rock for as long as the harbour is open."
            for _ in range(12)
        ),
    ]
)


@pytest.mark.parametrize("hints", [{}, {"jurisdiction": "in"}], ids=["country unknown", "India"])
def test_a_text_that_its_sidecar_calls_a_judgment_has_numbered_paragraphs_without_a_cover(
    hints: dict[str, str],
) -> None:
    document = read(_WITHOUT_COVER, doc_type="judgment", **hints)
    assert (document.doc_type, numbers(document)) == ("judgment", ["1", "2", "3", "4"])
