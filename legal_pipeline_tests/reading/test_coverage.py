"""The content of the index by jurisdiction, from counts. Not here: counting (`registry`)."""

from __future__ import annotations

from datetime import UTC, datetime

from legal_pipeline.reading.coverage import coverage_of
from legal_pipeline.registry.listing import Counted

EARLY, LATE = datetime(2031, 1, 1, tzinfo=UTC), datetime(2031, 2, 1, tzinfo=UTC)


def test_each_jurisdiction_has_its_counts_its_latest_times_and_the_latest_act_by_its_number() -> None:
    found = coverage_of(
        [
            Counted("se", "act", 3, EARLY, LATE, ["SFS 2030:9", "SFS 2030:10"]),
            Counted("fi", "act", 1, None, None, []),
            Counted("se", "regulation", 2, LATE, None, ["SFS 2029:1400"]),
        ]
    )
    assert found.documents == 6
    assert [each.jurisdiction for each in found.jurisdictions] == ["fi", "se"]
    finnish, swedish = found.jurisdictions
    assert swedish.documents == {"act": 3, "regulation": 2}
    assert (swedish.last_look, swedish.last_change) == (LATE.isoformat(), LATE.isoformat())
    assert swedish.consolidated_through == "SFS 2030:10"
    assert (finnish.last_look, finnish.last_change, finnish.consolidated_through) == (None, None, None)
