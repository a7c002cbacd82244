"""What of a hit is shown to a reader who may not read some texts. Not here: searches (`test_law_reader`)."""

from __future__ import annotations

from typing import Any

from legal_pipeline.reading.hits import search_hits
from legal_pipeline.retrieval.hit import make_hit


def payload(document_id: str, text: str, **more: Any) -> dict[str, Any]:
    return {"document_id": document_id, "chunk_id": f"{document_id}/1", "chunk_text": text, "eid": "sec_1", **more}


def test_no_text_of_a_withheld_document_is_shown_anywhere_and_those_of_others_are() -> None:
    hit = make_hit(
        payload("open", "Tända lyktan.", language="swe"),
        1.0,
        {"citation": 1.0},
        frozenset(),
        duplicates=[payload("copy", "Tända lyktan!")],
        neighbours=[payload("open", "Putsa lyktan.")],
        other_languages=[payload("finnish", "Sytytä lyhty.", language="fin")],
    )
    for withheld, shown in (
        ((), ["Tända lyktan.", "Tända lyktan.", "Putsa lyktan.", "Sytytä lyhty."]),
        (("finnish",), ["Tända lyktan.", "Tända lyktan.", "Putsa lyktan.", None]),
        (("open",), [None, None, None, "Sytytä lyhty."]),
    ):
        (found,) = search_hits([hit], withheld)
        assert [found.text, found.snippet, found.neighbours[0].text, found.other_languages[0].text] == shown
        assert found.text_withheld == ("open" in withheld)
        assert found.duplicates[0].text is None
        assert (found.is_cited, found.provision_id) == (True, "open~sec_1")


def test_what_the_registry_knows_of_a_source_completes_the_chunk() -> None:
    stated = payload("open", "Text.", licence="CC0", consolidated_through="SFS 2031:1", requires_manual_review=True)
    (found,) = search_hits([make_hit(stated, 1.0, {}, frozenset())], ())
    assert (found.origin.licence, found.origin.consolidated_through) == ("CC0", "SFS 2031:1")
    assert (found.origin.requires_manual_review, found.is_cited) == (True, False)
