"""Compare a quote with each wording of a provision. Not here: the comparison of two texts (`comparison`)."""

from __future__ import annotations

from collections.abc import Iterator

from legal_pipeline.reading import provisions
from legal_pipeline.reading.answers import Interval, QuoteVersion
from legal_pipeline.reading.comparison import Found, look_for
from legal_pipeline.reading.texts import Work


def checked(work: Work, eid: str, quote: str) -> Iterator[tuple[QuoteVersion, Found]]:
    """Yield the comparison of the quote with each readable wording."""
    for version in provisions.all_versions(work, eid):
        if version.wording is not None:
            found = look_for(quote, version.wording.verbatim)
            yield _quoted(found, version.interval, is_current=version.is_current), found


def _quoted(found: Found, interval: Interval, *, is_current: bool) -> QuoteVersion:
    return QuoteVersion(
        interval=interval,
        is_current=is_current,
        verbatim=found.verbatim,
        start=found.start if found.verbatim else None,
        end=found.end if found.verbatim else None,
        differences=list(found.differences),
    )
