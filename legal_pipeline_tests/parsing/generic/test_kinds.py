"""The type of a law is the one that its title names; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.generic.kinds import type_of_title
from legal_pipeline.parsing.registry import parse


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Harbour Lamps (Fees) Regulations 2031", "regulation"),
        ("Harbour Lamps Regulation, SOR/2031-12", "regulation"),
        ("Rules of the Harbour Court 2031", "regulation"),
        ("Regulations of the Harbour Republic on Lamps", "regulation"),
        ("Harbour Lamps Order 2031", "regulation"),
        ("Lamp Bylaw No. 12, 2031", "regulation"),
        ("GUIDELINES ON THE CARE OF LAMPS", "guidance"),
        ("THE CONSTITUTION OF THE HARBOUR REPUBLIC", "constitution"),
        ("Règlement sur les lampes", "regulation"),
        ("Real Decreto 9/2031, de 3 de abril, por el que se regulan las luces", "regulation"),
        ("VYHLÁŠKA ze dne 4. dubna 2031 o svítilnách", "regulation"),
        ("Zweite Verordnung über Leuchten", "regulation"),
        ("Leuchtenverordnung vom 3. Mai 2031", "regulation"),
        ("Lampförordning (2031:5)", "regulation"),
        ("Hamnverkets föreskrifter om lampor", "agency_regulation"),
        ("LİMAN LAMBALARI YÖNETMELİĞİ", "regulation"),
        ("12/2031. (III. 4.) Korm. rendelet a lámpákról", "regulation"),
        ("Постановление о фонарях", "regulation"),
        ("Конституція Гавані", "constitution"),
        ("港口灯具管理办法", "regulation"),
        ("항구 등화법 시행령", "regulation"),
    ],
)
def test_a_title_names_its_type(title: str, kind: str) -> None:
    assert type_of_title(title) == kind


@pytest.mark.parametrize(
    "title",
    [
        "Lamps (Regulation) Act, 2031",
        "Regulation of Lamps Act 2031",
        "Regulation of Lamps",
        "Constitution (Amendment) Act 2031",
        "Rules Publication Act, No. 5 of 2031",
        "Harbour Lamps Ordinance",
        "Law and Order",
        "Code of the Harbour",
        "Real Decreto-ley 9/2031, de 3 de abril",
        "Decreto-Lei n.º 33/2031",
        "Decreto Legislativo 11 marzo 2031, n. 45",
        "Gesetz über die Verordnung von Leuchten",
        "Leuchtengesetz",
        "Lag om ändring i lampförordningen",
        "LİMAN KANUNU",
        "渡輪碼頭條例",
        "Harbour lamps",
    ],
)
def test_a_title_of_an_act_names_no_other_type(title: str) -> None:
    assert type_of_title(title) in ("act", None)


_SECTIONS = "\n\n".join(
    f"{number}. (1) Lamp {number} is lit.\n\n(2) It is lit under section 1." for number in range(2, 9)
)


@pytest.mark.parametrize(("hints", "kind"), [({}, "regulation"), ({"doc_type": "act"}, "act")])
def test_a_law_has_the_type_of_its_title_unless_another_is_stated(hints: dict[str, str], kind: str) -> None:
    text = f"1. These Regulations may be cited as the Lamps Regulations 2031.\n\n{_SECTIONS}"
    document = parse(SourceFile("a.txt", text.encode(), hints=hints))
    assert (document.title, document.doc_type, document.document_id) == ("Lamps Regulations 2031", kind, "doc-a")
