"""The answers of `LawReader`, as models for Python, the HTTP API and MCP.

Texts of documents are data: they are in separate fields and are never instructions. Not here: finding the answers.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

#: Shown to a reader without access to a text whose source forbids redistribution.
WITHHELD_NOTE = "the source forbids that this text is handed on; read it at source_url"


class Answer(BaseModel):
    """An immutable value."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Amendment(Answer):
    """An amending act that is not consolidated into the text yet."""

    number: str = Field(description="Number of the amending act.", examples=["2099:12"])
    title: str | None = None
    in_force_date: str | None = Field(
        default=None, description="ISO date on which the act takes effect, where it is known."
    )
    provisions: list[str] = Field(description="Provisions of the amended act that it names; empty: not known.")
    action: str | None = Field(default=None, description="amended, inserted, repealed, …")


class Sourced(Answer):
    """The source of a text."""

    source_url: str | None = None
    licence: str | None = Field(
        default=None, description="Licence under which the source publishes the text, where it states one."
    )
    consolidated_through: str | None = Field(default=None, description="Last amending act that the text includes.")


class Origin(Sourced):
    """The document of an answer and its source."""

    document_id: str = Field(examples=["xx-act-2099-10"])
    title: str
    number: str | None = Field(default=None, description="Number of the work in its series.", examples=["2099:10"])
    work_uri: str | None = Field(default=None, description="URI of the work (Akoma Ntoso FRBR).")
    jurisdiction: str = Field(examples=["xx"])
    doc_type: str = Field(examples=["act"])
    language: str = Field(description="ISO 639-3.", examples=["eng"])
    fetched_at: str | None = None
    as_of_date: str | None = Field(default=None, description="ISO date of the text as its source states it.")
    removed_on: str | None = Field(
        default=None, description="ISO date on which the source was seen to have removed the document."
    )
    later_text_from: str | None = Field(
        default=None,
        description="First ISO date after today of which the source has a text of the document; null: it has none. That text is not law "
        "and not indexed yet, so that answers, also of later days, are of the text before it.",
    )
    requires_manual_review: bool = Field(
        default=False,
        description="True if parts of the source were lost, garbled or not read with certainty: verify against the original.",
    )


class Interval(Answer):
    """The interval in which a wording is in force. Half open: `valid_to` is the first day on which it no longer applies,
    null while it applies.

    For a date that the source does not state, the basis field says how it was found: `attested` (date of the oldest text with the wording;
    the true date may be earlier), `year_of_act` (1 January of the year of the act that introduced it; the true date may be later), `seen`
    (day on which the pipeline first saw the change; the true date may be earlier). A date may also be a condition in the words of the law.
    """

    valid_from: str | None = None
    valid_from_basis: str | None = None
    valid_to: str | None = None
    valid_to_basis: str | None = None
    introduced_by: str | None = Field(default=None, description="Amending act that introduced the wording.")
    superseded_by: str | None = Field(default=None, description="Amending act that ended it.")


class ProvisionPlace(Answer):
    """A provision by its name in the index and its citation by lawyers."""

    id: str = Field(description="Document id, `~`, eid.", examples=["xx-act-2099-10~chp_2__sec_3"])
    eid: str
    citation: str = Field(examples=["Lighthouse Act, s. 3"])


class Provision(ProvisionPlace):
    """The wording of a provision on a day. `start_char` and `end_char` are offsets in characters of the canonical text of `expression`."""

    type: str = Field(description="Type of node in Akoma Ntoso's words.", examples=["section"])
    num: str | None = None
    heading: str | None = None
    status: str = Field(description="in_force, repealed, omitted or not_yet_in_force, as the source says it.")
    as_of: str | None = Field(default=None, description="The day that was asked for; null: the latest text.")
    text: str | None = Field(default=None, description="Verbatim text; null where it is withheld.")
    text_withheld: bool = False
    start_char: int
    end_char: int
    expression: str = Field(description="Content hash of the expression that the text was read from.")
    interval: Interval
    pending_amendments: list[Amendment]
    origin: Origin


class Version(Answer):
    """One wording over one interval. A wording that was in force twice is listed twice."""

    eid: str = Field(description="The eid under which it stood then.")
    interval: Interval
    text: str | None = None
    text_withheld: bool = False
    expression: str | None = Field(
        default=None, description="Expression that it is read from; null where that cannot be read any more."
    )


class Versions(ProvisionPlace):
    """All known wordings of a provision, oldest first."""

    versions: list[Version]
    pending_amendments: list[Amendment]
    origin: Origin


class Span(Answer):
    """A span of two texts. `equal`: the same words; `delete`: only in the first; `insert`: only in the second; `replace`: different words.
    Offsets are in characters of each text."""

    kind: Literal["equal", "delete", "insert", "replace"]
    first_start: int
    first_end: int
    second_start: int
    second_end: int
    first: str
    second: str


class ProvisionDiff(ProvisionPlace):
    """The wordings of two days and their differences; `spans` is null if a text is withheld or does not exist on that day."""

    changed: bool
    before: Provision | None = Field(default=None, description="Null: it was not law on the first day.")
    after: Provision | None = Field(default=None, description="Null: it was not law on the second day.")
    spans: list[Span] | None = None


class ChangedProvision(Answer):
    """The change of one provision between two expressions."""

    kind: Literal["added", "removed", "changed", "renumbered", "moved", "validity"]
    eid: str
    prior_eids: list[str]
    type: str
    num: str | None = None
    before: str | None = None
    after: str | None = None


class DocumentDiff(Answer):
    """The differences of a document between two days."""

    first_day: str
    second_day: str
    summary: str = Field(description="The changes in one sentence, in the language of the work.")
    changes: list[ChangedProvision]
    more_changes: int = Field(default=0, description="Changes beyond those listed.")
    texts_withheld: bool = False
    pending_amendments: list[Amendment]
    origin: Origin


class OutlineNode(Answer):
    """A division or provision. The outline has no `text`: request the provision by its `id`."""

    id: str | None = Field(default=None, description="Name to ask for it by; null for a node without an eid.")
    type: str
    num: str | None = None
    heading: str | None = None
    status: str
    children: list[OutlineNode]


class Outline(Answer):
    """The divisions and provisions of a document in the order of its text."""

    as_of: str | None = None
    nodes: list[OutlineNode]
    pending_amendments: list[Amendment]
    origin: Origin


class DocumentSummary(Sourced):
    """A row of the list of documents."""

    document_id: str
    title: str | None
    jurisdiction: str | None
    doc_type: str
    work_uri: str | None
    processed_at: str | None = Field(default=None, description="When it was last processed, ISO time.")


class DocumentPage(Answer):
    documents: list[DocumentSummary]
    next_cursor: str | None = Field(
        default=None, description="Give it as `cursor` for the next page; null on the last one."
    )


class ExpressionSummary(Answer):
    """One text of a document that was current at some time. `changes` describes the differences from the text before."""

    expression: str
    holds_from: str | None = Field(default=None, description="Day from which it is taken to hold.")
    first_seen: str = Field(description="Day on which it came into the index.")
    consolidated_through: str | None = None
    changes: str


class DocumentDetails(Answer):
    origin: Origin
    provisions: int = Field(description="Number of provisions in the latest text.")
    characters: int
    expressions: list[ExpressionSummary]
    pending_amendments: list[Amendment]


class Beside(Sourced):
    """A provision next to a hit, or the same provision elsewhere."""

    id: str | None = None
    citation: str
    document_id: str
    text: str | None = None
    language: str | None = None


class SearchHit(Answer):
    """A chunk that answers the query. `highlights` are spans of `snippet`, [start, end)."""

    provision_id: str | None = Field(default=None, description="Name of its provision, where it has one.")
    chunk_id: str
    citation: str
    path: str
    text: str | None = None
    text_withheld: bool = False
    snippet: str | None = None
    highlights: list[tuple[int, int]]
    score: float
    is_cited: bool = Field(description="The query cites this provision.")
    is_rewritten: bool = Field(
        default=False,
        description="The text is a definition rewritten as a sentence, or a summary, and not the words of the document.",
    )
    interval: Interval
    neighbours: list[Beside]
    duplicates: list[Beside]
    other_languages: list[Beside]
    pending_amendments: list[Amendment]
    origin: Origin


Reason = Literal["not_indexed", "no_such_provision", "repealed", "left_out"]


class UnresolvedCitation(Answer):
    """A citation of the query that none of the hits answers."""

    citation: str = Field(description="The words of the query.", examples=["s. 99 Lighthouse Act"])
    kind: Reason = Field(
        description="not_indexed: the index does not hold the work; no_such_provision: the latest text of the work does not have it, or "
        "the provision does not have the level below it (then hits are of the provision); "
        "repealed: the latest text has it as repealed; left_out: the filters of the search leave it out."
    )
    reason: str = Field(
        description="A sentence for the reader.",
        examples=["Lighthouse Act has no section 99; it has 40 sections, 1 to 40"],
    )
    document_id: str | None = Field(default=None, description="The document of the work, if it is indexed.")


class SearchAnswer(Answer):
    query: str
    as_of: str | None = None
    unresolved: list[UnresolvedCitation] = Field(
        default=[], description="Citations of the query that the hits do not answer; hits below are the nearest others."
    )
    hits: list[SearchHit]


class ResolvedCitation(Sourced):
    """A citation in a text. `start` and `end` are offsets in characters of the given text.

    If `resolved`, `provision` is the cited provision (or `document_id` the cited work); otherwise `reason` explains why there is none.
    """

    start: int
    end: int
    raw: str
    kind: str = Field(description="provision, act, case, preparatory or amendment.")
    jurisdiction: str = Field(description="The country as whose lawyers write it was read.")
    work_uri: str | None = None
    cited_eid: str | None = Field(default=None, description="The provision as it is cited.")
    resolved: bool
    document_id: str | None = None
    provision: ProvisionPlace | None = None
    reason: str | None = None


class ResolvedCitations(Answer):
    citations: list[ResolvedCitation]


class QuoteVersion(Answer):
    """The agreement and differences of a wording and the quote. Offsets of `first` are in the quote, of `second` in `text`."""

    interval: Interval
    is_current: bool
    verbatim: bool = Field(description="This wording contains the quote, word for word.")
    start: int | None = Field(default=None, description="Its offset in the provision's text, if verbatim.")
    end: int | None = None
    differences: list[Span] = Field(description="Where the nearest passage differs from the quote; empty if verbatim.")


class QuoteCheck(Answer):
    """Whether a provision contains a quote. Differences in spaces, quotation marks and dashes are ignored."""

    verdict: Literal["current", "superseded", "differs", "text_withheld"] = Field(
        description="current: the wording in force says it; superseded: only an earlier wording; differs: no wording does."
    )
    provision: ProvisionPlace
    versions: list[QuoteVersion] = Field(description="Wordings that say it; if none does, the nearest one.")
    pending_amendments: list[Amendment]
    origin: Origin


class CitingPlace(Sourced):
    """A citation in another provision."""

    document_id: str
    title: str | None
    provision_id: str | None = None
    eid: str | None = Field(default=None, description="The citing provision; null outside provisions.")
    raw: str = Field(description="The citation as it is written.")
    kind: str
    target: str | None = Field(default=None, description="What is cited: id of a provision or of a document.")
    target_work_uri: str | None = None
    start_char: int
    end_char: int


class CitingPlaces(Answer):
    places: list[CitingPlace]
    more: int = Field(default=0, description="Places beyond those listed.")
    origin: Origin


class LawChange(Sourced):
    """A document that was added, changed or removed, or whose text was replaced by another of its date (`corrected`): not an amendment."""

    kind: Literal["added", "changed", "corrected", "removed"]
    document_id: str
    title: str | None
    jurisdiction: str | None
    doc_type: str
    seen_on: str = Field(description="Day on which the pipeline saw it.")
    holds_from: str | None = Field(default=None, description="Day from which the new text is taken to hold.")
    summary: str = Field(description="The changes in words, in the language of the work.")
    provisions: list[str] = Field(
        description="Ids of the provisions that changed; empty for a document that came or went."
    )
    expression: str | None = None
    correction: int | None = Field(default=None, description="Which correction of the document it is, from 1.")


class LawChanges(Answer):
    since: str
    changes: list[LawChange] = Field(description="The latest first.")
    next_cursor: str | None = None


class WebhookMessage(Answer):
    """A message to a subscriber: the body of a request that is signed by the Standard Webhooks specification."""

    type: Literal["law.added", "law.changed", "law.corrected", "law.removed"]
    timestamp: str = Field(description="ISO time at which the index saw the change.")
    data: LawChange


class Subscription(Answer):
    """A receiver of changes and the changes that it receives. An empty list of jurisdictions means all."""

    subscription_id: str = Field(examples=["sub_0123456789abcdef"])
    key_id: str | None = Field(default=None, description="The key that made it; null: the owner of the index.")
    address: str
    jurisdictions: list[str]
    document_id: str | None = None
    provision_id: str | None = None
    since: str = Field(description="Changes seen before this ISO time are not sent.")
    state: Literal["active", "failing", "disabled"] = Field(
        description="failing: the next message could not be delivered yet; disabled: it was given up."
    )
    failing_since: str | None = None
    attempts: int = Field(default=0, description="Attempts in vain to deliver the next message.")
    next_attempt_at: str | None = None
    last_error: str | None = None
    delivered_at: str | None = Field(default=None, description="When it last received a message.")
    disabled_at: str | None = None


class NewSubscription(Subscription):
    """A subscription with the secret that its messages are signed with, which is shown only once."""

    secret: str = Field(description="`whsec_` and 32 bytes in base64.")


class Subscriptions(Answer):
    subscriptions: list[Subscription]


class JurisdictionCoverage(Answer):
    jurisdiction: str
    documents: dict[str, int] = Field(description="Number of documents by type.")
    last_look: str | None = Field(
        default=None, description="ISO time at which a source was last looked at and still had a document."
    )
    last_change: str | None = Field(default=None, description="ISO time at which a text last changed.")
    consolidated_through: str | None = Field(
        default=None, description="Latest amending act that a text says it includes."
    )


class Coverage(Answer):
    """The content of the index."""

    documents: int
    jurisdictions: list[JurisdictionCoverage]


class DocumentText(Answer):
    """A part of the text of a document: characters from `start` to `end` of `characters`."""

    as_of: str | None = None
    text: str | None = Field(default=None, description="Verbatim text; null where it is withheld.")
    text_withheld: bool = False
    start: int
    end: int
    characters: int
    expression: str
    pending_amendments: list[Amendment]
    origin: Origin


class ChunkBeside(Answer):
    """Another chunk: next to a chunk in its document, or near to it by vector (`similarity`: cosine)."""

    chunk_id: str
    document_id: str
    provision_id: str | None = None
    citation: str
    path: str
    language: str
    text: str | None = None
    similarity: float | None = None


class ChunkExplanation(Answer):
    """How and why a chunk was cut, the text embedded with it, its neighbours and the nearest chunks by vector."""

    chunk_id: str
    document_id: str
    provision_id: str | None = None
    citation: str
    title: str
    path: str
    language: str
    strategy: str
    reason: str = Field(description="Why the router took this strategy.")
    route: list[tuple[str, str]] = Field(description="(strategy, reason) of each segment of the document.")
    parser: str
    source_file: str
    spans: list[tuple[int, int]] = Field(description="Characters of the canonical text that the chunk is made of.")
    tokens: int
    text: str | None = None
    text_withheld: bool = False
    prefix: str | None = Field(default=None, description="Context that a model wrote, embedded before the text.")
    source_text_matches: bool = Field(description="The canonical text still reads so at these spans.")
    before: ChunkBeside | None = None
    after: ChunkBeside | None = None
    nearest: list[ChunkBeside] = Field(description="By vector, the nearest first; empty while vectors are being made.")
    origin: Origin | None = Field(default=None, description="Null for a summary of several documents.")
