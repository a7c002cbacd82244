"""Rules of passages: spans of a document as one text, and the way there and back."""

from __future__ import annotations

from legal_pipeline.chunking.windows import Passage

SOURCE = "The keeper lights the lamp. [page 7] The keeper sleeps by day."
FIRST, SECOND = (0, 27), (37, 62)


def test_offsets_of_a_passage_lead_to_the_same_words() -> None:
    passage = Passage(SOURCE, [FIRST, SECOND])
    assert passage.text == "The keeper lights the lamp.\nThe keeper sleeps by day."
    for span in (FIRST, SECOND):
        start, end = passage.range(*span)
        assert passage.text[start:end] == SOURCE[slice(*span)]
        assert passage.spans(start, end) == (span,)


def test_what_was_left_out_counts_as_the_beginning_of_what_follows() -> None:
    passage = Passage(SOURCE, [FIRST, SECOND])
    assert passage.offset(30) == passage.offset(SECOND[0]) == len("The keeper lights the lamp.\n")
    assert Passage(SOURCE, [FIRST]).offset(40) == len("The keeper lights the lamp.")
