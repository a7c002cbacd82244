"""What stands beside and above the text of a page: labels in the margin are text, headers are not."""

from __future__ import annotations

from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.pdf.layout import PageLayout, body_size, lay_out
from legal_pipeline.parsing.pdf.paragraphs import text_blocks

_SIZE, _STEP = 10.0, 24.0
_ENTRIES = [f"Duties of the keeper of lamp {name}" for name in ("one", "two", "three", "four", "five")]


def _page(number: int, header: str, rows: list[tuple[str, str]], *, at: float = 150.0) -> Page:
    """A page with a header, and rows of a label at the left edge and words beside it, which begin at `at`."""
    lines = [Line(header, 200, 420, 770, _SIZE, number)]
    for place, (label, words) in enumerate(rows):
        baseline = 640 - place * _STEP
        lines += [Line(label, 60, 60 + 5 * len(label), baseline, _SIZE, number)] if label else []
        lines.append(Line(words, at, at + 220, baseline, _SIZE, number))
    return Page(number, 600, 800, lines)


def _text(layouts: list[PageLayout], pages: list[Page]) -> list[str]:
    return [block.text for block in text_blocks(layouts, body_size(pages))]


def test_labels_left_of_the_entries_of_a_table_of_contents_are_text() -> None:
    pages = [_page(1, "Rules of the harbour", [(f"Rule 45.{n}", entry) for n, entry in enumerate(_ENTRIES, 1)])]
    layouts = lay_out(pages)
    assert [matter.kind for layout in layouts for matter in layout.matter] == []
    text = " ".join(_text(layouts, pages))
    assert all(f"Rule 45.{number} {entry}" in text for number, entry in enumerate(_ENTRIES, 1))


def test_a_single_label_in_the_margin_is_a_note() -> None:
    rows = [("SFS 2031", _ENTRIES[0]), *(("", entry) for entry in _ENTRIES[1:])]
    (layout,) = lay_out([_page(1, "Rules of the harbour", rows)])
    assert [matter.text for matter in layout.matter] == ["SFS 2031"]


def test_a_header_with_the_number_of_its_page_in_another_form_is_a_header() -> None:
    rows = [("", entry) for entry in _ENTRIES]
    pages = [_page(n, f"LAMP RULES Ch 45, p.{page}", rows) for n, page in enumerate(("i", "1", "3", "5"), 1)]
    layouts = lay_out(pages)
    assert [[matter.kind for matter in layout.matter] for layout in layouts] == [["running_header"]] * 4
    assert "LAMP RULES" not in " ".join(_text(layouts, pages))


def test_the_labels_of_two_articles_as_far_from_each_other_as_their_pages_are_no_headers() -> None:
    rows = [("", entry) for entry in _ENTRIES]
    labels = ("Article 4", "Article 5", "Article 4")  # the last is that of an annex
    layouts = lay_out([_page(n, label, rows) for n, label in enumerate(labels, 1)])
    assert [matter.text for layout in layouts for matter in layout.matter] == []


def _noted(notes: dict[int, tuple[str, ...]]) -> list[Page]:
    """Four sections on two pages, with the `notes` by their number in small type to the left."""
    pages = []
    for number, sections in ((1, (1, 2)), (2, (3, 4))):
        lines = []
        for place, section in enumerate(sections):
            at = 700 - place * 120
            lines += [
                Line(note, 57, 57 + 4 * len(note), at + 5 - 10 * row, 8.0, number)
                for row, note in enumerate(notes.get(section, ()))
            ]
            lines.append(
                Line(f"{section}.—(1) The keeper of the harbour lights lamp {section} at", 178, 538, at, _SIZE, number)
            )
            lines.append(Line("dusk.", 162, 190, at - 14, _SIZE, number))
            lines.append(
                Line("(2) A keeper who does not light it is guilty of an offence.", 178, 500, at - 30, _SIZE, number)
            )
        pages.append(Page(number, 600, 800, lines))
    return pages


def test_small_notes_beside_most_sections_are_their_headings() -> None:
    pages = _noted({1: ("Lamps at", "dusk."), 2: ("Bees.",), 3: ("Duties of the keeper.",)})
    text = _text(lay_out(pages), pages)
    assert [text[text.index(line) + 1][:2] for line in ("Lamps at dusk", "Bees", "Duties of the keeper")] == [
        "1.",
        "2.",
        "3.",
    ]
    pages = _noted({1: ("Lamps.",), 3: ("L.N. 5",)})
    assert [matter.text for layout in lay_out(pages) for matter in layout.matter] == ["L.N. 5"]
