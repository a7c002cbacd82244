"""The work of a provision that names none, by the mentions around it in its sentence. Not here: finding mentions, and documents."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.citations.mention import OWN, SECTION, UNKNOWN, UNSAID, Mention, Work, known, mention_of
from legal_pipeline.citations.sentences import SentenceRules, with_unsaid_works

RULES = SentenceRules(
    frozenset({"no"}),
    re.compile(r" of (?!this)(?:the )?"),
    "sec",
    ("rec",),
    re.compile(r"the Sail Act"),
    re.compile(r" (?:and|or) "),
)
WORKS = {"Lamp Act": "/lamp", "Land Act": "/land"}
_CITED = re.compile(
    r"(?P<kind>section|article|chapter|recital|subsection|Case) (?P<number>[\d:]+)"
    r"(?: of this Act| (?:of the )?(?P<work>L\w+ Act))?|Lamp Act",
    re.IGNORECASE,
)


def mention(text: str, match: re.Match[str]) -> Mention:
    kind = (match["kind"] or "act").lower()[:3].replace("cha", "chp")
    work = known(WORKS[match["work"] or "Lamp Act"]) if match["work"] or kind == "act" else UNSAID
    work = OWN if match[0].endswith("this Act") else known("/case") if kind == "cas" else work
    eid = f"{kind}_{match['number']}".replace(":", "-")
    if kind == "sub":
        work, eid = SECTION, f"subsec_{match['number']}"
    is_whole = kind in ("act", "cas")
    return mention_of(text, *match.span(), work, "case" if kind == "cas" else "provision", () if is_whole else (eid,))


def works(text: str) -> list[str | None]:
    """Return the work of each mention in `text`: its URI, "?" where the sentence names a work that is not known, None without one."""
    found = with_unsaid_works((mention(text, match) for match in _CITED.finditer(text)), text, RULES)
    return ["?" if each.work.before == UNKNOWN else each.work.uri for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section 3 and section 5 Lamp Act", ["/lamp", "/lamp"]),
        ("Section 3 (Case 7) and section 5 Lamp Act", ["/lamp", "/case", "/lamp"]),
        ("Section 3, subsection 2, and section 5 Lamp Act", ["/lamp", None, "/lamp"]),
        # a work has one kind of provision, whatever is cited between
        ("Article 3 and section 5 Lamp Act", [None, "/lamp"]),
        ("Article 3 (Case 7) and section 5 Lamp Act", [None, "/case", "/lamp"]),
        ("Section 3 is old. See section 5 Lamp Act", [None, "/lamp"]),
        # what it belongs to is behind it
        ("Section 3 of the lease and section 5 Lamp Act", [None, "/lamp"]),
        # this Act has been named: its provisions go on
        ("Section 2 of this Act, section 3, section 5 Lamp Act", [None, None, "/lamp"]),
        ("Section 2 of this Act is old. See section 3, section 5 Lamp Act", [None, "/lamp", "/lamp"]),
        ("Article 2 of this Act, section 3, section 5 Lamp Act", [None, "/lamp", "/lamp"]),
        ("Section 3, section 4", [None, None]),
    ],
)  # fmt: skip
def test_a_provision_may_be_of_the_work_that_the_next_one_names(text: str, expected: list[str | None]) -> None:
    assert works(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("section 3 Lamp Act, section 5", ["/lamp", "/lamp"]),
        # neither a case nor a level of the citing provision is a work that provisions are of
        ("section 3 Lamp Act, Case 7, section 5", ["/lamp", "/case", "/lamp"]),
        ("section 3 Lamp Act, subsection 2, section 5", ["/lamp", None, "/lamp"]),
        ("section 3 Lamp Act is old. See section 5", ["/lamp", None]),
        ("section 3 Lamp Act, No. Seven, section 5", ["/lamp", "/lamp"]),
        ("section 3 Lamp Act, article 5", ["/lamp", None]),
        ("article 3 Lamp Act, section 5", ["/lamp", None]),
        # a work that is named alone or by a chapter has provisions of the usual kind
        ("the Lamp Act, section 5", ["/lamp", "/lamp"]),
        ("the Lamp Act, article 5", ["/lamp", None]),
        ("chapter 2 Lamp Act, section 5", ["/lamp", "/lamp"]),
        # sections without a chapter are those of a work that has none
        ("section 3 Lamp Act, chapter 4", ["/lamp", None]),
        ("chapter 2 Lamp Act, chapter 4", ["/lamp", "/lamp"]),
        # the words behind a provision name another thing, or a work that is not known
        ("section 3 Lamp Act, section 5 of the lease", ["/lamp", None]),
        ("section 3 Lamp Act, section 5 of Protocol Seven", ["/lamp", "?"]),
        ("section 5 of Protocol Seven", [None]),
        # a work that is not known is named between
        ("section 3 Lamp Act, the Sail Act, section 5", ["/lamp", "?"]),
        ("the Sail Act, section 3 Lamp Act, section 5", ["/lamp", "/lamp"]),
        ("The Sail Act is old. See section 5", [None]),
        # the last of the works that are named
        ("section 3 Lamp Act, section 4 Land Act, section 5", ["/lamp", "/land", "/land"]),
    ],
)  # fmt: skip
def test_a_provision_is_of_the_work_named_before_in_its_sentence(text: str, expected: list[str | None]) -> None:
    assert works(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("section 4 of the Land Act and section 3 or section 2 of the Lamp Act", ["/land", "/lamp", "/lamp"]),
        ("section 4 of the Land Act, section 3, section 2 of the Lamp Act", ["/land", "/land", "/lamp"]),
        ("section 4 of the Land Act and section 3 or section 8:2 of the Lamp Act", ["/land", "/land", "/lamp"]),
        (
            "section 4 of the Land Act and section 3, and section 1 or section 2 of the Lamp Act",
            ["/land", "/land", "/lamp", "/lamp"],
        ),
    ],
)
def test_the_entries_of_a_list_are_of_the_work_behind_it(text: str, expected: list[str]) -> None:
    assert works(text) == expected


def test_a_recital_is_of_the_work_named_before_also_in_a_document_that_has_recitals() -> None:
    text = "section 3 Lamp Act, recital 5"
    found = list(with_unsaid_works((mention(text, match) for match in _CITED.finditer(text)), text, RULES))
    assert [each.work.by for each in found] == ["uri", "uri"]


@pytest.mark.parametrize("taken", [Work("unsaid", "/taken"), Work("unsaid", before=known("/taken"))])
def test_a_provision_with_a_default_work_keeps_it(taken: Work) -> None:
    text = "Section 3 and section 5 Lamp Act"
    first, last = (match.span() for match in _CITED.finditer(text))
    given = [
        mention_of(text, *first, taken, "provision", ("sec_3",)),
        mention_of(text, *last, known("/lamp"), "provision", ("sec_5",)),
    ]
    assert list(with_unsaid_works(given, text, RULES)) == given


def test_beside_a_protocol_a_provision_is_of_the_work_that_it_supplements() -> None:
    text = "Section 3 and section 5"
    first, last = (match.span() for match in _CITED.finditer(text))
    protocol = Work("uri", "/protocol", supplements="/convention")
    for named, bare in ((first, last), (last, first)):
        given = [
            mention_of(text, *named, protocol, "provision", ("sec_3",)),
            mention_of(text, *bare, UNSAID, "provision", ("sec_5",)),
        ]
        found = with_unsaid_works(sorted(given, key=lambda each: each.start), text, RULES)
        assert {each.work.uri for each in found} == {"/protocol", "/convention"}
