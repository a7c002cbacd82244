"""Some hundred hostile requests; `python -m legal_pipeline_tests.service.hostile` makes as many as are wanted."""

from __future__ import annotations

from legal_pipeline_tests.service.conftest import Server
from legal_pipeline_tests.service.hostile import ask, defects_in


def test_no_request_is_answered_with_a_defect(server: Server) -> None:
    made = ask(server.address, {"Authorization": f"Bearer {server.keys['hostile']}"}, 400)
    assert made.requests == 400
    assert made.defects == []
    assert defects_in(server.log) == []
    assert made.statuses["200"] > 50
    assert made.statuses["422"] > 20
