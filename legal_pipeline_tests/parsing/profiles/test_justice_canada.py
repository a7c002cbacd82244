"""Justice Laws XML of Canada: an Act, a regulation and an annual statute in our own words, in the publisher's mark-up."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cited_places import work_uris
from legal_pipeline.model.document import Amendment, Document, Node
from legal_pipeline.parsing.registry import parse

_ACT = """<?xml version="1.0" encoding="utf-8"?>
<Statute lims:pit-date="2021-05-01" lims:current-date="2024-02-06" in-force="yes" xml:lang="{language}" xmlns:lims="http://justice.gc.ca/lims">
<Identification><LongTitle>An Act respecting lighthouses</LongTitle><ShortTitle status="official">{title}</ShortTitle>
<RunningHead>Lighthouse</RunningHead><BillHistory><Stages stage="assented-to"><Date><YYYY>2019</YYYY><MM>6</MM><DD>3</DD></Date>
</Stages></BillHistory>
<Chapter><ConsolidatedNumber official="{official}">L-99.5</ConsolidatedNumber>
<AnnualStatuteId revised-statute="no"><AnnualStatuteNumber>7, s. 12</AnnualStatuteNumber><YYYY>2019</YYYY></AnnualStatuteId></Chapter>
</Identification>
<Introduction><Enacts><Provision><Text>Her Majesty enacts as follows:</Text></Provision></Enacts></Introduction>
<Body><Heading level="1"><Label>PART I.1</Label><TitleText>Keepers</TitleText></Heading>
<Heading level="2"><TitleText>Interpretation</TitleText></Heading>
<Section lims:inforce-start-date="2019-06-03" lims:lastAmendedDate="2021-05-01"><MarginalNote>Definitions</MarginalNote><Label>2.1</Label>
<Subsection><Label>(1)</Label><Text>The following definition applies.</Text><Definition><MarginalNote>
<DefinedTermEn>keeper</DefinedTermEn></MarginalNote>
<Text><DefinedTermEn>keeper</DefinedTermEn> means a person who keeps a light. (<DefinedTermFr>gardien</DefinedTermFr>)</Text>
</Definition></Subsection>
<Subsection><MarginalNote>Lamps</MarginalNote><Label>(2)</Label><Text>A lamp costs</Text><Paragraph><Label>(a)</Label>
<Text>the amount of the formula</Text>
<FormulaGroup><Formula><FormulaText>A × B</FormulaText></Formula><FormulaConnector>where</FormulaConnector>
<FormulaDefinition><FormulaTerm>A</FormulaTerm><Text>is the oil; and</Text></FormulaDefinition></FormulaGroup></Paragraph></Subsection>
<HistoricalNote><HistoricalNoteSubItem type="original" lims:inforce-start-date="2002-12-31">1990, c. 3, s. 2</HistoricalNoteSubItem>
<HistoricalNoteSubItem lims:inforce-start-date="2021-05-01">2020, c. 4, s. 1; 2021, c. 8, s. 30</HistoricalNoteSubItem>
</HistoricalNote></Section>
<Heading level="2"><TitleText>Fees</TitleText></Heading>
<Section lims:inforce-start-date="2002-12-31"><Label>3 to 5</Label><Text><Repealed>[Repealed, 2020, c. 4, s. 9]</Repealed></Text>
</Section>
<Heading level="1"><TitleText>Amendment of the Oil Act</TitleText></Heading>
<Section in-force="no"><Label>6</Label><Text>The Oil Act is amended by adding:</Text><AmendedText><Heading level="1">
<Label>PART 9</Label><TitleText>Oil lamps</TitleText></Heading>
<Section><Label>44</Label><Text>Oil is for lamps.</Text></Section></AmendedText></Section></Body>
<Schedule><ScheduleFormHeading><Label>SCHEDULE II.1</Label><TitleText>Lights</TitleText><OriginatingRef>(Section 2.1)</OriginatingRef>
</ScheduleFormHeading>
<TableGroup><table><title>Table of lights</title><tgroup cols="2"><tbody><row><entry>Cape</entry><entry>white</entry></row></tbody>
</tgroup></table></TableGroup></Schedule>
<Schedule id="NifProvs"><ScheduleFormHeading type="amending"><TitleText>AMENDMENTS NOT IN FORCE</TitleText></ScheduleFormHeading>
<BillPiece>
<RelatedOrNotInForce><Heading level="5"><TitleText>— 2023, c. 1, s. 77</TitleText></Heading><Section><Label>77</Label>
<Text>Section 2.1 is replaced.</Text></Section></RelatedOrNotInForce></BillPiece></Schedule>
<RecentAmendments><Amendment><AmendmentCitation>2021, c. 8</AmendmentCitation><AmendmentDate>2021-05-01</AmendmentDate></Amendment>
</RecentAmendments></Statute>"""

_REGULATION = """<Regulation lims:pit-date="2012-03-02" xml:lang="fr" xmlns:lims="http://justice.gc.ca/lims"><Identification>
<InstrumentNumber>{number}</InstrumentNumber><LongTitle>Règlement sur les phares</LongTitle></Identification>
<Body><Group1-Part><Heading><Label>PARTIE 1</Label><TitleText>Phares</TitleText></Heading><Section><MarginalNote>Huile</MarginalNote>
<Label>B.01.001</Label><Text>Le phare brûle de l’huile.</Text></Section></Group1-Part></Body>
<Schedule><ScheduleFormHeading><Label>ANNEXE</Label></ScheduleFormHeading><RegulationPiece><Body><Section><Label>1</Label>
<Text>La lampe est blanche.</Text></Section></Body></RegulationPiece></Schedule></Regulation>"""


def act(language: str = "en", official: str = "no", title: str = "Lighthouse Act") -> Document:
    text = _ACT.format(language=language, official=official, title=title)
    return parse(SourceFile("L-99.5.xml", text.encode()))


def nodes(document: Document, kind: str) -> dict[str | None, Node]:
    return {node.num: node for node in document.walk() if node.type == kind}


def test_the_sections_of_an_act_are_its_own_and_stand_in_their_parts() -> None:
    document = act()
    assert list(nodes(document, "section")) == ["2.1", "3-5", "6"]  # 44 and 77 are provisions of other Acts
    part = nodes(document, "part")["I.1"]
    assert [node.heading for node in part.children if node.type == "division"] == ["Interpretation", "Fees"]
    assert nodes(document, "section")["2.1"].heading == "Definitions"
    assert nodes(document, "subsection")["2"].heading == "Lamps"
    assert list(nodes(document, "item")) == ["A"]
    assert [node.attributes["term"] for node in document.walk() if node.type == "definition"] == ["keeper"]
    assert list(nodes(document, "schedule")) == ["II.1", None]
    assert not document.warnings


def test_the_dates_and_the_status_of_a_section_are_those_of_the_mark_up() -> None:
    sections = nodes(act(), "section")
    assert (sections["2.1"].valid_from, sections["2.1"].status) == ("2021-05-01", "in_force")
    # the first day of the publisher's database is not a date in force
    assert (sections["3-5"].valid_from, sections["3-5"].status) == (None, "repealed")
    assert sections["6"].status == "not_yet_in_force"
    assert sections["2.1"].amendments == (Amendment("2021, c. 8, s. 30", "2021-05-01"),)


def test_both_languages_of_an_act_are_one_work_with_the_citation_of_each() -> None:
    english, french = act(), act("fr", title="Loi sur les phares")
    assert english.work_uri == french.work_uri == "/akn/ca/act/l-99.5"
    assert (english.document_id, english.number) == ("ca-act-l-99.5", "S.C. 2019, c. 7, s. 12")
    assert (french.document_id, french.number) == ("ca-act-l-99.5-fra", "L.C. 2019, ch. 7, s. 12")
    assert act(official="yes").number == "R.S.C. 1985, c. L-99.5"
    assert (english.as_of_date, english.metadata["date_enacted"]) == ("2021-05-01", "2019-06-03")


def test_joiners_that_keep_a_number_on_one_line_are_not_part_of_it() -> None:
    text = _ACT.format(language="en", official="no", title="Lighthouse Act").replace("<Label>2.1<", "<Label>2.\u200d1<")
    assert list(nodes(parse(SourceFile("L-99.5.xml", text.encode())), "section")) == ["2.1", "3-5", "6"]


def test_an_act_is_found_by_its_chapter_and_by_its_number_in_the_consolidation() -> None:
    assert work_uris(act(official="yes")) == ["/akn/ca/act/l-99.5"]
    # a chapter of a section only is not the Act
    assert work_uris(act()) == ["/akn/ca/act/l-99.5"]
    text = _ACT.format(language="en", official="no", title="Lighthouse Act").replace(", s. 12", "")
    assert work_uris(parse(SourceFile("L-99.5.xml", text.encode()))) == ["/akn/ca/act/l-99.5", "/akn/ca/act/2019/7"]


def test_a_regulation_has_one_work_under_its_english_and_french_number() -> None:
    for number, other, work in (
        ("DORS/2012-34", "SOR/2012-34", "/akn/ca/act/sor/2012-34"),
        ("TR/95-35", "SI/95-35", "/akn/ca/act/si/95-35"),
        ("2010, ch. 12, art. 91", "2010, c. 12, s. 91", "/akn/ca/act/regulation/2010-12-91"),
        ("C.P. 1945-7421", "P.C. 1945-7421", "/akn/ca/act/regulation/pc-1945-7421"),
        ("C.R.C. 1955, p. 25", "C.R.C. 1955, p. 25", "/akn/ca/act/regulation/crc-1955-25"),
        ("C.R.C., ch. 870", "C.R.C., c. 870", "/akn/ca/act/crc/870"),
    ):
        for text in (number, other):
            document = parse(SourceFile("r.xml", _REGULATION.format(number=text).encode()))
            assert (document.work_uri, document.number, document.doc_type) == (work, text, "regulation")
    assert list(nodes(document, "part")) == ["1"]
    assert [(node.num, node.heading) for node in document.walk() if node.type == "section"] == [("B.01.001", "Huile")]
    assert [child.num for child in nodes(document, "schedule")[None].children if child.type == "paragraph"] == ["1"]
