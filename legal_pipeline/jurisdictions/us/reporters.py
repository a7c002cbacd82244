"""Case citations of American reporters, found by eyecite in short windows of the text.

eyecite reads 0.14 MB/s, so a pattern first finds text of the form `volume reporter page`, and eyecite reads only those windows.
Not here: the targets of short forms (`citations.resolve`), and citations that are not of reporters (`citations`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.citations.common_law import report_uri
from legal_pipeline.citations.mention import Mention, Work, known, mention_of
from legal_pipeline.model.slug import slug

#: `596 F.3d 1115`, `303 U. S. 552`, `92 F. (2d) 510`, `144 S. Ct. at 2250`, `2010 WL 12345`; reporters have at most seven words.
_CANDIDATE = re.compile(
    r"(?<![\w.,$-])\d{1,4} (?=[A-Z])(?:[A-Z][A-Za-z.'’&]*|\(?[23]d\)?|[234]th|\d(?:d|th"
    r"|st))(?: ?(?:[A-Z][A-Za-z.'’&]*|&|\(?[23]d\)?|[234]th|of|\d(?:d|th|st))){0,6},? (?:at )?(?:p\. )?\d{1,5}\b"
)
_SEPARATOR = " .\n\n"


def case_mention(text: str, start: int, end: int, reporter: str, volume: str, page: str, *, is_short: bool) -> Mention:
    """Return a case by its report. Short forms (`596 F.3d at 1121`) have the cited page, full citations the first page of the case."""
    name = f"{volume} {reporter}"
    if is_short:
        return mention_of(text, start, end, Work("short", name=name), "case")
    return mention_of(text, start, end, known(report_uri("us", reporter, volume, page)), "case", names=(name,))


def case_mentions(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """Yield cases by their reports outside the spans `taken` (ascending), in text order."""
    windows = [match.span() for match in _CANDIDATE.finditer(text)]
    if not windows:
        return
    from eyecite import get_citations
    from eyecite.models import FullCaseCitation, ShortCaseCitation

    pieces, offsets, length = [], [], 0
    for start, end in windows:
        offsets.append(length)
        pieces.append(text[start:end] + _SEPARATOR)
        length += end - start + len(_SEPARATOR)
    starts = [start for start, _ in taken]
    for found in get_citations("".join(pieces)):
        if not isinstance(found, (FullCaseCitation, ShortCaseCitation)):
            continue
        low, high = found.span()  # type: ignore[no-untyped-call]
        index = bisect.bisect_right(offsets, low) - 1
        start = windows[index][0] + low - offsets[index]
        short = isinstance(found, ShortCaseCitation)
        # The end of a short form depends on the text around it: eyecite ends it at "at" or after its page range.
        end = windows[index][1] if short else start + high - low
        volume, page = found.groups.get("volume"), found.groups.get("page")
        if end > windows[index][1] or not volume or not page:
            continue
        before = bisect.bisect_right(starts, start) - 1
        if before >= 0 and taken[before][1] > start:
            continue
        name = slug(str(found.corrected_reporter()).replace(".", " "))  # type: ignore[no-untyped-call]
        yield case_mention(text, start, end, name, volume, page, is_short=short)
