"""Notes in small type beside provisions, in the left or the right margin, are the headings of these."""

from __future__ import annotations

import pytest

from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.pdf.marginal_notes import with_notes_above

_SIZE, _NOTE = 11.0, 8.0


def page(left: float) -> Page:
    """Four provisions with a note of two lines each, whose left edge is at `left` points."""
    lines: list[Line] = []
    for number in range(1, 5):
        top = 760.0 - 100 * number
        lines.append(Line(f"{number}. The keeper shall light the lamp of pier {number}", 120.0, 440.0, top, _SIZE, 1))
        lines.append(Line("before dusk and put it out after dawn.", 120.0, 320.0, top - 14, _SIZE, 1))
        lines.append(Line("Duties of", left, left + 40, top, _NOTE, 1))
        lines.append(Line(f"keeper {number}.", left, left + 40, top - 9, _NOTE, 1))
    return Page(1, 595, 842, lines)


@pytest.mark.parametrize("left", [60.0, 460.0], ids=["left margin", "right margin"])
def test_a_note_in_either_margin_is_a_heading_above_its_provision(left: float) -> None:
    (found,) = with_notes_above([page(left)], _SIZE)
    texts = [line.text for line in found.segments]
    for number in range(1, 5):
        place = texts.index(f"Duties of keeper {number}")
        assert texts[place + 1].startswith(f"{number}. The keeper")
        assert found.segments[place].bold == (True, True)
