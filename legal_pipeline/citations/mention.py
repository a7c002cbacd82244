"""The output of a scanner: mentions, words that name a provision, an Act, a case or a preparatory work.

A mention holds how the text names its work; `citations.resolve` finds the target in a document. Not here: how mentions are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from legal_pipeline.citations.model import Kind

By = Literal["uri", "short", "own", "earlier", "unsaid", "bare", "section", "chapter", "beside", "again", "provision"]


@dataclass(frozen=True, slots=True)
class Work:
    """How a text names a work.

    | `by` | printed | the resolver gives |
    |---|---|---|
    | uri | a number, or a name in the country's data | `uri`; None for a work that is not known |
    | short | "the Code" | the work to which the text gave the short name `name`, or else `uri` |
    | own | "this Act" | the citing work; in a list that an Act announces (`announced`), that Act |
    | earlier | "the said Act", "ibid" | the work to which the text gave `name`, or else the work last named |
    | unsaid | nothing | the citing work if it has such a provision; without a citing work the work `before`, or else `uri` |
    | bare | nothing, where an Act cites only its own provisions so | as "unsaid", also for a provision that the citing work lacks |
    | section | "this section", "subsection (2) above" | the citing provision, with `eids` below it; without one, as "provision" |
    | provision | "the said section", "clause (b) thereof" | the provision cited last, from `since` on, with `eids` below it |
    | chapter | "of the same chapter" | the chapter last cited, and its work |
    | beside | a number in the citing work's series | its URI up to the end of the pattern `uri`, and `name`; else `before` |
    | again | "Id." | the work and provision cited last; or `eids`, of that work |

    `announced` ("own", "bare") is the span of the line that may announce a list. `name` of "own" is the kind of work that the noun
    names, and `kind` a pattern for URIs of that kind: if the citing work is of another kind, the words mean the last work of that kind that
    was named. "earlier" with a `kind` does not mean a work that is known to be of another kind; "provision" with a `kind` means the
    schedule or Part of that kind that was cited last. `since` is the offset where the paragraph of the words begins: they do not mean a
    provision that is cited before it; None: they mean the citing provision only.
    `supplements` is the URI of the work to which a protocol ("uri") belongs.
    """

    by: By
    uri: str | None = None
    name: str = ""
    announced: tuple[int, int] | None = None
    kind: str = ""
    before: Work | None = None
    since: int | None = None
    supplements: str | None = None

    @property
    def main(self) -> Work:
        """The work of the provisions around it that name none: of a protocol, the work that it supplements."""
        return known(self.supplements) if self.supplements else self

    def near(self, named: Work) -> Work:
        """Return this work of a provision without a named work, with the work `named` in its sentence as the default."""
        return replace(self, uri=named.uri) if named.by == "uri" else replace(self, before=named)


#: The letters of the eid of a schedule.
SCHEDULE = "sched"
UNKNOWN, OWN, EARLIER, UNSAID, SECTION, AGAIN = (
    Work("uri"), Work("own"), Work("earlier"), Work("unsaid"), Work("section"), Work("again"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mention:
    """`text[start:end]`, which is `raw`, names a work, or provisions of it.

    A list ("2, 4–6 och 8 §§") gives a mention per entry. `eids` are the provisions as cited; for a range they are its counted numbers,
    and the resolver adds the lettered provisions of the citing work. A range that continues the entry before ("3 to 5",
    where 3 is an entry) has that provision in `after`.
    """

    start: int
    end: int
    raw: str
    work: Work
    kind: Kind
    eids: tuple[str, ...] = ()
    after: str | None = None
    #: Whether a later "the said Act" may mean the work.
    is_remembered: bool = False
    #: Short names that the text gives the work for the rest of the text.
    names: tuple[str, ...] = ()
    #: Offset where a provision of the citing work may begin; if one does, the words are its own number and not a reference.
    opening: int | None = None
    #: `8 b` may be point 8 b, or letter b of point 8.
    is_lettered: bool = False
    #: A reference only where the citing work has the provision, or where the work is known.
    must_exist: bool = False
    #: Without a work an annex may be an exhibit of a party: it is a reference only where the citing work has it, and in a query.
    may_be_exhibit: bool = False
    #: Provisions that the words cite where the citing provision has no such level: "§ 3" is a paragraph of an article, or a section.
    otherwise: tuple[str, ...] = ()
    #: A parallel citation of the case before it: "Id." means the first citation.
    is_parallel: bool = False
    #: Codes that have a work per book: URI of the whole -> number of a book, in lower case -> URI of the book.
    books: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)


def mention_of(
    text: str, start: int, end: int, work: Work, kind: Kind, eids: Iterable[str] = (), **more: Any
) -> Mention:
    """Return the mention in `text[start:end]`; `more` are further fields of `Mention`."""
    return Mention(start, end, text[start:end], work, kind, tuple(eids), **more)


@dataclass(slots=True)
class Target:
    """An entry of a list of provisions while a scanner reads it; the fields are those of `Mention`."""

    start: int
    end: int
    eids: list[str]
    after: str | None = None
    opening: int | None = None


def mentions_of(text: str, targets: Iterable[Target], work: Work, **more: Any) -> list[Mention]:
    """Return a mention of provisions of `work` for each target; `more` are further fields of `Mention`."""
    return [
        mention_of(
            text, item.start, item.end, work, "provision", item.eids, after=item.after, opening=item.opening, **more
        )
        for item in targets
    ]


def known(uri: str | None) -> Work:
    """Return a work given by its number or by a known name; None for a work that is not known."""
    return Work("uri", uri)
