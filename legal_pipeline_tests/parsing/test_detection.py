"""Which format a file is read as, and how many rules are asked to find that out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from legal_pipeline.building.format import CERTAIN, LIKELY, NO
from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing import registry


def test_no_rule_is_asked_behind_the_first_that_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def of(name: str, score: float) -> registry.Format:
        def sniff(_: SourceFile) -> float:
            asked.append(name)
            return score

        return replace(registry.FORMATS[0], name=name, sniff=sniff)

    formats = (of("likely", LIKELY), of("no", NO), of("certain", CERTAIN), of("also_certain", CERTAIN))
    monkeypatch.setattr(registry, "FORMATS", formats)
    assert registry.detect(SourceFile("law.txt", b"1 The lamp is lit.")).name == "certain"
    assert asked == ["likely", "no", "certain"]


def test_of_equal_scores_the_first_format_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    formats = [replace(registry.FORMATS[0], name=name, sniff=lambda _: LIKELY) for name in ("first", "second")]
    monkeypatch.setattr(registry, "FORMATS", formats)
    assert registry.detect(SourceFile("law.txt", b"1 The lamp is lit.")).name == "first"
