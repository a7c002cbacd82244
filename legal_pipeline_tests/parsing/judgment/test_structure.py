"""The parts of a judgment, on invented judgments."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.jurisdiction import countries
from legal_pipeline.model.document import Node
from legal_pipeline.parsing.judgment.paragraph_numbers import lettered_paragraphs, number_paragraphs, titles_above
from legal_pipeline.parsing.judgment.phrases import close_letters, cue_pattern, load_phrases
from legal_pipeline.parsing.judgment.role_features import feature_names, role_features
from legal_pipeline.parsing.judgment.roles import WEIGHED, load_model
from legal_pipeline.parsing.judgment.structure import Block, write_judgment
from legal_pipeline.parsing.judgment.text_blocks import text_blocks

SHIP = [
    Block("IN THE SUPREME COURT OF INDIA"),
    Block("Ravi Menon … Appellant"),
    Block("VERSUS"),
    Block("Port Trust … Respondent"),
    Block("J U D G M E N T"),
    Block("A. B. RAO, J."),
    Block(
        "1. Leave granted. This appeal is directed against the order dated 4.5.1999 by which the High Court dismissed the suit."
    ),
    Block(
        "2. On 3.2.1998 the plaintiff was appointed as pilot. Thereafter he was suspended by an order dated 9.3.1998."
    ),
    Block(
        "3. Learned counsel for the appellant submitted that no notice was served. He contended that the order was void."
    ),
    Block(
        "4. It is well settled that a person must be heard. In our opinion section 5 of the Act cannot be construed otherwise."
    ),
    Block("“No man shall be condemned unheard.”"),
    Block("5. For the foregoing reasons the appeal is allowed. There shall be no order as to costs."),
    Block("……………J."),
    Block("(A. B. RAO)"),
    Block("NEW DELHI; MAY 4, 2001."),
]


def build(blocks: list[Block], jurisdiction: str = "in") -> tuple[DocumentBuilder, list[Node]]:
    builder = DocumentBuilder()
    write_judgment(builder, blocks, jurisdiction)
    return builder, builder.nodes


def types(nodes: list[Node]) -> list[str]:
    return [node.type for node in nodes]


def test_a_judgment_has_header_facts_arguments_reasons_order_and_signature() -> None:
    _, nodes = build(SHIP)
    assert types(nodes) == ["header", "background", "arguments", "motivation", "decision", "signature"]
    assert [child.num for node in nodes for child in node.children if child.type == "numbered_paragraph"] == [
        "1",
        "2",
        "3",
        "4",
        "5",
    ]


def test_what_follows_a_numbered_paragraph_without_a_number_is_part_of_it() -> None:
    builder, nodes = build(SHIP)
    paragraph = nodes[3].children[0]
    assert (paragraph.num, [child.type for child in paragraph.children]) == ("4", ["quotation"])
    assert builder.text[paragraph.start : paragraph.end].endswith("unheard.”")


def test_a_numbered_quotation_is_no_paragraph_of_this_judgment() -> None:
    blocks = [Block(f"[{number}] Text of the paragraph.") for number in (1, 2, 3)]
    blocks[2:2] = [Block("“14. The rule is old."), Block("15. It is good.”")]
    assert number_paragraphs(blocks) == {0: "1", 1: "2", 4: "3"}


def test_a_number_that_comes_again_begins_no_second_paragraph() -> None:
    texts = ["1. The deed has three covenants.", "2. The tenant broke one:", "2. Repairs.", "3. The appeal fails."]
    assert number_paragraphs([Block(text) for text in texts]) == {0: "1", 1: "2", 3: "3"}


def test_numbers_that_word_gave_are_used_as_they_are() -> None:
    blocks = [Block("Text.", number=str(number)) for number in (1, 2, 3)]
    _, nodes = build(blocks)
    assert [node.num for top in nodes for node in top.walk() if node.type == "numbered_paragraph"] == ["1", "2", "3"]


def test_a_heading_decides_what_stands_under_it() -> None:
    _, nodes = build(
        [
            Block("BRIEF FACTS:"),
            Block("1. The law is old."),
            Block("SUBMISSIONS"),
            Block("2. The law is new."),
            Block("ANALYSIS"),
            Block("3. The law is the law."),
        ]
    )
    assert [(node.type, node.heading) for node in nodes] == [
        ("background", "BRIEF FACTS"),
        ("arguments", "SUBMISSIONS"),
        ("motivation", "ANALYSIS"),
    ]


def test_an_issue_holds_its_reasoning() -> None:
    _, nodes = build(
        [
            Block("FACTS"),
            Block("1. The ship sank on 3.4.1990."),
            Block("ISSUE NO. 1: WHETHER THE PILOT WAS HEARD", style="heading"),
            Block("2. In our opinion he was not. It is well settled that he must be."),
            Block("ISSUE NO. 2: COSTS OF THE SUIT", style="heading"),
            Block("3. We find that none are due."),
            Block("CONCLUSION"),
            Block("4. The appeal is allowed."),
        ]
    )
    assert [(node.type, node.num) for node in nodes] == [
        ("background", None),
        ("issue", "1"),
        ("issue", "2"),
        ("decision", None),
    ]
    assert [child.type for child in nodes[1].children] == ["heading", "motivation"]


def test_a_heading_stands_in_the_part_that_follows_it() -> None:
    builder, nodes = build(
        [
            Block("FACTS"),
            Block("1. The suit was filed on 3.4.1990 and dismissed by the trial court on 4.5.1991."),
            Block("SUBMISSIONS"),
            Block("2. For the foregoing reasons the appeal is allowed. There shall be no order as to costs."),
        ]
    )
    for node in nodes:
        assert all(item.end < node.end for item in node.children if item.type == "heading"), builder.text


def test_what_counsel_says_goes_on_until_the_court_speaks() -> None:
    said = [
        "Leave granted.",
        "The plaintiff was appointed as pilot on 3.2.1998 and was suspended by an order dated 9.3.1998.",
        "The High Court dismissed the suit.",
        "Mr. Rao, learned counsel for the appellant, submitted that no notice was served on the pilot.",
        "The pilot had sailed for thirty years.",
        "The port never doubted his skill.",
        "He further contended that the order was void.",
        "We have heard learned counsel and in our opinion the order cannot be sustained.",
        "It is well settled that a person must be heard.",
        "Section 5 of the Act does not exclude the rule.",
        "In the result the appeal is allowed.",
        "There shall be no order as to costs.",
    ]
    builder, nodes = build([Block(text, joined=index > 0) for index, text in enumerate(said)])
    arguments = next(node for node in nodes if node.type == "arguments")
    text = builder.text[arguments.start : arguments.end]
    assert text.startswith("Mr. Rao")
    assert text.endswith("void.")


def test_every_list_of_phrases_of_every_country_has_a_weight() -> None:
    for country in countries():
        names = feature_names(load_phrases(country.code))
        assert load_model(names).emissions.shape == (len(names), len(WEIGHED))


def test_a_dissent_is_one_node_with_its_judge() -> None:
    _, nodes = build(
        [
            *SHIP[:12],
            Block("K. SEN, J."),
            Block("I am unable to agree with my learned brother."),
            Block("In my view the appeal must fail."),
        ]
    )
    dissent = nodes[-1]
    assert (dissent.type, dissent.attributes) == ("dissent", {"judge": "K. SEN", "kind": "dissenting"})


def test_a_bare_per_is_a_judge_only_at_a_line_start_before_a_name() -> None:
    phrases = load_phrases("in")
    assert phrases.opinion_begins.match("Per Justice K. Sen: I have read the judgment")
    assert not phrases.opinion_begins.match("per annum interest at 9 per cent was claimed")
    assert not phrases.opinion_begins.match("as the majority said (per K. Sen, J.)")


def test_phrases_in_capitals_are_found() -> None:
    phrases = load_phrases("in")
    printed = ["The Appeal is dismissed.", "LEARNED COUNSEL SUBMITTED THAT THE ORDER IS VOID."]
    small = [text.lower() for text in printed]
    assert (role_features(printed, phrases) == role_features(small, phrases)).all()
    assert role_features(printed, phrases)[1, feature_names(phrases).index("counsel_argued")] == 1


def test_a_phrase_of_a_country_with_a_capital_letter_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'Leave granted' has a capital letter"):
        cue_pattern(["no order", "Leave granted"])


def test_the_lists_of_seed_001_are_in_the_data() -> None:
    phrases = load_phrases("in")

    def roles(text: str) -> set[str]:
        return {cue.role for cue in phrases.cues if cue.pattern.search(text)}

    for text in ("facts of the case", "brief facts", "factual matrix", "the case of the prosecution"):
        assert "background" in roles(text)
    for text in ("issues for consideration", "questions of law", "points for determination"):
        assert "issue" in roles(text)
    for text in ("in view of the above", "for the foregoing reasons", "we hold that", "the appeal is"):
        assert "decision" in roles(text)
    for text in ("dissenting", "i am unable to agree"):
        assert phrases.dissent.search(text)


def test_footnotes_and_page_numbers_stay_in_the_tree_but_out_of_the_flow() -> None:
    blocks = [*SHIP[:8], Block("2", style="page_number"), Block("1 See (1999) 2 SCC 4.", style="footnote"), *SHIP[8:]]
    _, nodes = build(blocks)
    assert types(nodes) == ["header", "background", "arguments", "motivation", "decision", "signature"]
    assert [node.type for node in nodes[1].walk() if node.type in ("page_number", "footnote")] == [
        "page_number",
        "footnote",
    ]


def test_sentences_of_one_paragraph_stand_one_line_apart() -> None:
    builder, _ = build([Block("The suit was filed."), Block("It was dismissed by the trial court.", joined=True)])
    assert builder.text == "The suit was filed.\nIt was dismissed by the trial court."


def test_a_page_number_in_the_middle_of_a_paragraph_does_not_break_it() -> None:
    text = "JUDGMENT\n1. The pilot was\n1\nsuspended in May.\n2. The port paid\n2\nhim.\n3. He sued.\n"
    blocks = text_blocks(text, load_phrases("in"))
    assert [block.text for block in blocks if block.in_flow][1:] == [
        "1. The pilot was suspended in May.",
        "2. The port paid him.",
        "3. He sued.",
    ]
    assert [block.text for block in blocks if block.style == "page_number"] == ["1", "2"]


def test_zimbabwean_judges_and_bracketed_paragraphs() -> None:
    _, nodes = build(
        [
            Block("Tariro Moyo versus The State"),
            Block("HIGH COURT OF ZIMBABWE"),
            Block("MAKONI J"),
            Block("JUDGMENT"),
            Block("[1] The applicant was arrested on 3 May 2019. It is common cause that he was employed."),
            Block("[2] Mr Dube argued that the onus was not met."),
            Block("[3] It is trite that the onus lies on the State. The requirements for bail are settled."),
            Block("[4] Accordingly, the application is hereby dismissed with costs."),
        ],
        "zw",
    )
    assert types(nodes) == ["header", "background", "arguments", "motivation", "decision"]


@pytest.mark.parametrize("title", ["JUDGMENT", "O R D E R", "J U D G M E N T :", "Summary"])
def test_a_title_above_the_body_is_a_heading_and_a_court_is_not(title: str) -> None:
    phrases = load_phrases("xx")
    assert phrases.is_cover_title(title)
    assert not phrases.is_cover_title("THE HIGH COURT")
    assert not phrases.is_cover_title("The judgment of the court was delivered by Lamp J")


def test_letters_set_apart_announce_what_their_word_announces() -> None:
    assert load_phrases("br", "por").heading_role("R E L A T Ó R I O") == "background"
    assert close_letters("A. B C") == "A. B C"


def _announced(text: str) -> str | None:
    return {"Facts": "background", "Reasons": "motivation"}.get(text)


@pytest.mark.parametrize(
    ("texts", "letters"),
    [
        (["Facts", "A.", "He lit it.", "B.", "B.a.", "She saw.", "B.b. It rained.", "Reasons", "C."], "A B B.a B.b"),
        (["Facts", "A. He lit it.", "B. She saw it.", "Reasons"], "A B"),
        (["Facts", "A. He lit it.", "B.a. She saw it.", "B.c. It rained.", "B.b. It blew."], "A B.a B.b"),
        (
            ["Facts", "A. He lit.", "B.a. She saw.", "B.b. It rained.", "C. All left.", "C.a. He too."],
            "A B.a B.b C C.a",
        ),
        (["Reasons", "A.", "He lit it.", "B.", "She saw it."], ""),
        (["Facts", "A.", "He lit it.", "Reasons"], ""),
    ],
)
def test_paragraphs_of_the_facts_may_have_letters(texts: list[str], letters: str) -> None:
    assert " ".join(lettered_paragraphs([Block(text) for text in texts], _announced).values()) == letters


def test_a_letter_above_a_heading_is_no_paragraph() -> None:
    blocks = [
        Block("Facts"),
        Block("A."),
        Block("The lamp", "heading"),
        Block("It burns."),
        Block("B."),
        Block("It went out."),
    ]
    assert lettered_paragraphs(blocks, _announced) == {}


def test_the_first_block_and_a_heading_above_a_heading_may_be_headings_by_their_place() -> None:
    first = "1. He lit the lamp of the tower by the sea and she saw it from the boat and"
    assert titles_above([Block("Facts"), Block(first)], {1: "1"}) == {0}
    blocks = [Block("The court finds as follows."), Block("Reasons"), Block("On lamps"), Block(first)]
    assert titles_above(blocks, {3: "1"}) == {1, 2}


_OPINIONS = [
    *SHIP[:12],
    Block("Kelly, J."),
    Block("6. I respectfully dissent: the notice was served on the pilot."),
    Block("Moor, J.", style="quotation"),
    Block("7. I would dismiss the appeal, because section 5 requires no more."),
    Block("Reed, J."),
    Block("8. I agree that the appeal is allowed, for another reason than that of the court."),
]


def test_each_separate_opinion_is_that_of_its_judge_and_says_whether_it_dissents() -> None:
    builder = DocumentBuilder()
    outline = write_judgment(builder, _OPINIONS, "in")
    assert outline.opinions == (("Kelly", "dissenting"), ("Reed", "separate"))
    numbers = [
        [child.num for child in node.walk() if child.type == "numbered_paragraph"]
        for node in builder.nodes
        if node.type == "dissent"
    ]
    assert numbers == [["6", "7"], ["8"]]


def test_an_order_of_the_court_behind_the_opinions_is_in_none_of_them() -> None:
    order = [Block("ORDER OF THE COURT"), Block("9. The appeal is allowed. There shall be no order as to costs.")]
    builder = DocumentBuilder()
    outline = write_judgment(builder, [*_OPINIONS, *order], "in")
    assert [kind for _, kind in outline.opinions] == ["dissenting", "separate"]
    held = [child.num for node in builder.nodes if node.type != "dissent" for child in node.walk() if child.num]
    assert held == ["1", "2", "3", "4", "5", "9"]


def test_a_judgment_has_a_body_although_all_of_it_may_be_a_cover() -> None:
    _, nodes = build([Block("IN THE SUPREME COURT OF INDIA"), Block("J U D G M E N T"), Block("A. B. RAO, J.")])
    assert types(nodes)[0] == "header"
    assert len(nodes) == 2


def test_all_blocks_that_a_format_gives_as_cover_are_the_header() -> None:
    cover = [Block("HARBOUR COURT", style="header"), Block("Keeper v Board", style="header")]
    builder, nodes = build([*cover, *(Block(f"[{number}] The lamp is lit.") for number in (1, 2, 3))])
    assert builder.text[nodes[0].start : nodes[0].end] == "HARBOUR COURT\n\nKeeper v Board"


def test_a_second_title_without_numbered_paragraphs_below_it_does_not_end_the_cover() -> None:
    texts = ["IN THE SUPREME COURT OF INDIA", "JUDGMENT", "The appeal is about a ship.", "JUDGMENT", "It is dismissed."]
    builder, nodes = build([Block(text) for text in texts])
    assert builder.text[nodes[0].start : nodes[0].end] == "IN THE SUPREME COURT OF INDIA\n\nJUDGMENT"


def test_all_numbers_that_are_missing_between_two_of_the_margin_are_found() -> None:
    texts = [
        "1 Die Klage ist neu.",
        "2 Das Gericht hört",
        "3 die Parteien und",
        "4 die Zeugen an.",
        "5 Die Klage fällt.",
    ]
    assert list(number_paragraphs([Block(text) for text in texts]).values()) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(("second", "found"), [(15, 35), (14, 20)])
def test_two_judgments_in_one_report_count_from_one_each(second: int, found: int) -> None:
    blocks = [
        Block("What happened"),
        *(Block(f"{number}. The lamp of pier {number} was dark.") for number in range(1, 21)),
    ]
    blocks += [Block("The court was unanimous."), Block("What happened later")]
    blocks += [Block(f"{number}. The lamp of pier {number} was lit.") for number in range(1, second + 1)]
    assert len(number_paragraphs(blocks, lambda _: None)) == found
