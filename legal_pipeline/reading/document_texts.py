"""The text of a document in parts, and the differences of its texts of two days. Not here: a single provision (`provisions`)."""

from __future__ import annotations

from datetime import date

from legal_pipeline.model.describe import describe
from legal_pipeline.model.diff import Change, diff
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import ChangedProvision, DocumentDiff, DocumentText
from legal_pipeline.text.dates import iso

#: Maximum number of changed provisions in a difference of two days; `more_changes` counts the others.
_MOST_CHANGES = 200


def document_diff(access: Access, document_id: str, first: date, second: date) -> DocumentDiff:
    """See `LawReader.document_diff`."""
    work, listed = access.work(document_id)
    old, new = (work.text_on(day.isoformat()).document for day in (first, second))
    found = diff(old, new, same_work=True)
    is_withheld = access.is_withheld(work.document_id)
    return DocumentDiff(
        first_day=first.isoformat(),
        second_day=second.isoformat(),
        summary=describe(found, limit=_MOST_CHANGES),
        changes=[_changed(change, is_withheld) for change in found.changes[:_MOST_CHANGES]],
        more_changes=max(0, len(found.changes) - _MOST_CHANGES),
        texts_withheld=is_withheld,
        pending_amendments=access.pending_of_work(work),
        origin=access.origin(new, listed),
    )


def text_from(access: Access, document_id: str, as_of: date | None, start: int, limit: int) -> DocumentText:
    """See `LawReader.text`."""
    work, listed = access.work(document_id)
    text = work.text_on(iso(as_of))
    whole = text.document.text
    start = min(max(0, start), len(whole))
    end = min(start + limit, len(whole))
    if end < len(whole) and (line := whole.rfind("\n", start, end)) > start:
        end = line + 1
    is_withheld = access.is_withheld(work.document_id)
    return DocumentText(
        as_of=iso(as_of),
        text=None if is_withheld else whole[start:end],
        text_withheld=is_withheld,
        start=start,
        end=end,
        characters=len(whole),
        expression=text.expression,
        pending_amendments=access.pending_of_work(work),
        origin=access.origin(text.document, listed),
    )


def _changed(change: Change, is_withheld: bool) -> ChangedProvision:
    before, after = change.before, change.after
    return ChangedProvision(
        kind=change.kind,
        eid=change.subject.eid,
        prior_eids=list(change.prior_eids),
        type=change.subject.type,
        num=change.subject.num,
        before=before.text if before is not None and not is_withheld else None,
        after=after.text if after is not None and not is_withheld else None,
    )
