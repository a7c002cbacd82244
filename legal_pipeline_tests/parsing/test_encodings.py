"""One document in any encoding is one document; garbled text is told, whatever the format."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import UnknownFormatError
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.samples import SAMPLES

#: Formats with text outside ASCII, one in each kind of container; the JSON is written with its letters as they are.
DOCUMENTS = (
    "swedish_page",
    "swedish_json",
    "canonical_page",
    "swedish_markdown",
    "french_markdown",
    "ecfr_xml",
    "tagged_text",
)
ENCODINGS = {
    "UTF-8 with a byte order mark": lambda text: codecs.BOM_UTF8 + text.encode("utf-8"),
    "UTF-16, little end first": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16, big end first": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode("utf-8"),
    "CR": lambda text: text.replace("\n", "\r").encode("utf-8"),
    "Windows-1252": lambda text: text.encode("cp1252"),
    "CRLF in Windows-1252": lambda text: text.replace("\n", "\r\n").encode("cp1252"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_encoding_changes_nothing_of_text_and_tree(name: str, encoding: str) -> None:
    text = SAMPLES[name].decode("utf-8")
    if "1252" in encoding:
        text = text.replace("■", "•") if name != "tagged_text" else text
        try:
            text.encode("cp1252")
        except UnicodeEncodeError:
            pytest.skip("a sign that Windows-1252 does not have")
    plain = parse(SourceFile("document", text.encode("utf-8")))
    encoded = parse(SourceFile("document", ENCODINGS[encoding](text)))
    assert encoded.format == plain.format
    assert encoded.text == plain.text
    assert [node.to_json() for node in encoded.nodes] == [node.to_json() for node in plain.nodes]
    assert (encoded.document_id, encoded.title, encoded.language) == (plain.document_id, plain.title, plain.language)


@pytest.mark.parametrize(
    ("name", "words"),
    [("swedish_page", "får"), ("zimbabwean_json", "“lamp”"), ("ecfr_xml", "§"), ("judgment_text", "—é")],
)
def test_stored_mojibake_is_flagged_in_every_format(name: str, words: str) -> None:
    """UTF-8 that somebody read as Windows-1252 and stored as UTF-8."""
    before, mark, after = _split_at_text(SAMPLES[name].decode("utf-8"))
    garbled = (f" {words}" * 4).encode("utf-8").decode("cp1252", "replace")
    clean = parse(SourceFile("clean", f"{before}{mark}{f' {words}' * 4}{after}".encode()))
    document = parse(SourceFile("garbled", f"{before}{mark}{garbled}{after}".encode()))
    assert clean.metadata["quality_score"] == 1
    assert not clean.requires_manual_review
    assert document.requires_manual_review
    assert document.metadata["quality_score"] < 1
    assert any("garbled" in warning for warning in document.warnings)


def _split_at_text(text: str) -> tuple[str, str, str]:
    """Before, at and after a word of the running text of these samples."""
    return text.partition(next(word for word in ("skymningen", "dusk", "watch", "not lit") if word in text))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_page_of_line_breaks_is_no_plain_text(encoding: str) -> None:
    page = "Constitució del Principat d'Andorra<br>\nPreàmbul<br>\nEl Poble Andorrà, amb plena llibertat<br>\n"
    with pytest.raises(UnknownFormatError) as caught:
        parse(SourceFile("constitucio.html", page.encode(encoding)))
    assert all(name.endswith("_html") for name in caught.value.closest)


def test_the_closest_formats_of_unknown_xml_are_xml() -> None:
    with pytest.raises(UnknownFormatError) as caught:
        parse(
            SourceFile(
                "law.xml", b'<?xml version="1.0"?><lamps><body><section><p>A lamp is lit.</p></section></body></lamps>'
            )
        )
    assert all(name.endswith("_xml") for name in caught.value.closest)


def test_a_tag_that_a_writer_quotes_is_flagged_and_read() -> None:
    document = parse(SourceFile("note.txt", b"The mark <br> ends a line of the gazette on the web."))
    assert document.format == "plain_text"
    assert document.requires_manual_review
    assert document.warnings == ("mark-up in the text: 1 tags or character references, the first '<br>'",)


@pytest.mark.corpus
def test_the_constitution_of_andorra_in_utf_16_is_read_as_a_page(corpus: Path) -> None:
    path = corpus / "world" / "ad" / "constitucio_1993_legacy_7586.html"
    document = parse(SourceFile(path.name, path.read_bytes()))
    assert document.format == "generic_html"
    assert "<br" not in document.text
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 108)]
