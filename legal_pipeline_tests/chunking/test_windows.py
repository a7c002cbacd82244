"""Rules of passages: spans of a document as one text, and the way there and back."""

from __future__ import annotations

from legal_pipeline.chunking.windows import Passage, Sizes, windows

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


def cut(text: str, sizes: Sizes) -> list[str]:
    passage = Passage(text, [(0, len(text))])
    return [text[window.start : window.end].strip() for window in windows(passage, "eng", sizes)]


WORDS = "lamp horn rope sail mast keel oar net hook bell"
SIZES = Sizes(target=20, minimum=5, overlap=0.0, band=(2.0, 2.0))


def test_a_sentence_over_the_limit_is_cut_at_its_clauses() -> None:
    found = cut(", ".join([WORDS] * 6), SIZES)
    assert len(found) > 2
    assert all(part.startswith("lamp") and part.endswith(("bell,", "bell")) for part in found)


def test_a_window_ends_with_a_sentence_before_its_middle_if_a_later_end_would_cut_one() -> None:
    first = "The keeper lights the lamp at dusk."
    assert cut(f"{first} The {', '.join([WORDS] * 6)}.", SIZES)[0] == first


def test_a_window_is_not_shorter_than_the_minimum_to_end_with_a_sentence() -> None:
    (first, *_) = cut(f"Go on. The {', '.join([WORDS] * 6)}.", SIZES)
    assert first.startswith("Go on. The lamp")


def test_a_window_ends_a_sentence_above_the_target_but_not_above_the_most_characters() -> None:
    long = (
        "The lighthousekeepers of northernmost archipelagos extinguish lanterns and trim wicks and polish their lenses."
    )
    text = " ".join([long] * 6)
    whole = Sizes(target=20, minimum=5, cap=1_000, overlap=0.0, band=(2.0, 2.0))
    assert set(cut(text, whole)[:4]) == {long}
    short = cut(text, Sizes(target=20, minimum=5, cap=90, overlap=0.0, band=(2.0, 2.0)))
    assert max(map(len, short)) <= 90


def test_no_window_ends_between_a_text_and_the_proviso_that_is_tied_to_it_although_it_may_end_there() -> None:
    sentences = [f"The keeper lights the {word} at dusk." for word in WORDS.split()]
    text = " ".join(sentences)
    free = cut(text, SIZES)
    end = len(free[0])
    tied = (text.index(sentences[1]), end + 1 + len(sentences[2]))
    passage = Passage(text, [(0, len(text))])
    found = windows(passage, "eng", SIZES, whole=[(0, 5)], tied=[tied])
    assert all(not tied[0] < window.end < tied[1] for window in found)
    assert any(tied[0] < window.end < tied[1] for window in windows(passage, "eng", SIZES))
