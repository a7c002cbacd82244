"""Judgments that a publisher marks as one decision get the parts that their headings announce."""

from __future__ import annotations

import itertools

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

AKN3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"


def judgment(*items: str) -> Document:
    body = "".join(items)
    xml = f"""<akomaNtoso xmlns="{AKN3}"><judgment name="judgment"><meta><identification source="#x"><FRBRWork>
    <FRBRuri value="https://caselaw.nationalarchives.gov.uk/id/ewhc/ch/2031/9"/><FRBRdate date="2031-04-05" name="judgment"/>
    <FRBRname value="A v B"/></FRBRWork></identification></meta><header><p>A v B</p></header>
    <judgmentBody><decision>{body}</decision></judgmentBody></judgment></akomaNtoso>"""
    return parse(SourceFile("ewhc_ch_2031_9.xml", xml.encode()))


def heading(text: str) -> str:
    return f"<level><content><p>{text}</p></content></level>"


def paragraph(number: int, text: str) -> str:
    return f'<paragraph eId="para_{number}"><num>{number}.</num><content><p>{text}</p></content></paragraph>'


def parts(document: Document) -> list[tuple[str, str | None, list[str | None]]]:
    """(type, heading, numbers of the paragraphs in it) of each part behind the header."""
    return [(node.type, node.heading, _numbers(node)) for node in document.nodes if node.type != "header"]


def _numbers(node: Node) -> list[str | None]:
    return [item.num for item in node.walk() if item.type == "numbered_paragraph"]


def test_headings_of_a_decision_become_its_parts() -> None:
    document = judgment(
        heading("The Factual Background"),
        paragraph(1, "The claimant bought a lighthouse on 3 May 2029. It was sold to him by the defendant."),
        heading("The Parties’ Submissions"),
        paragraph(2, "Mr Reed submits that the sale was void. He contends that no deed was signed."),
        heading("Discussion"),
        paragraph(
            3, "In my view section 2 of the Act requires a deed. I do not accept the submission that it was waived."
        ),
        heading("Conclusion"),
        paragraph(4, "For these reasons the claim is dismissed."),
    )
    assert parts(document) == [
        ("background", "The Factual Background", ["1"]),
        ("arguments", "The Parties’ Submissions", ["2"]),
        ("motivation", "Discussion", ["3"]),
        ("decision", "Conclusion", ["4"]),
    ]
    assert [node.eid for node in document.walk() if node.type == "numbered_paragraph"] == [
        f"para_{number}" for number in (1, 2, 3, 4)
    ]


def test_an_issue_with_its_number_holds_what_is_said_of_it() -> None:
    document = judgment(
        heading("Background"),
        paragraph(1, "The claimant bought a lighthouse on 3 May 2029."),
        heading("Issue 1: The deed"),
        paragraph(2, "In my view section 2 of the Act requires a deed."),
        heading("Issue 2: Costs"),
        paragraph(3, "I have considered the authorities. It is settled that costs follow the event."),
    )
    assert [(node.type, node.num) for node in document.nodes if node.type != "header"] == [
        ("background", None),
        ("issue", "1"),
        ("issue", "2"),
    ]


def test_a_decision_whose_headings_name_one_part_stays_one() -> None:
    document = judgment(heading("Background"), paragraph(1, "A bought a lighthouse."), paragraph(2, "The claim fails."))
    assert [node.type for node in document.nodes] == ["header", "decision"]


def test_a_decision_without_headings_of_parts_stays_one() -> None:
    document = judgment(paragraph(1, "The claim fails."), heading("Hilltop House"), paragraph(2, "It is dismissed."))
    assert [node.type for node in document.nodes] == ["header", "decision"]


def test_the_parts_hold_all_text_of_the_decision() -> None:
    items = (
        heading("Background"),
        paragraph(1, "The claimant bought a lighthouse."),
        "<p>A line without a number.</p>",
        heading("Conclusion"),
        paragraph(2, "The claim is dismissed."),
    )
    document = judgment(*items)
    body = [node for node in document.nodes if node.type != "header"]
    gaps = [document.text[before.end : after.start].strip() for before, after in itertools.pairwise(body)]
    assert gaps == [""] * (len(body) - 1)
    assert document.text[body[0].start : body[-1].end].startswith("Background")
    assert "A line without a number." in document.text_of(body[0])
