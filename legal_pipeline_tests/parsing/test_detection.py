"""Which format a file is read as, and how many rules are asked to find that out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from legal_pipeline.building.format import CERTAIN, LIKELY, NO
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, UnknownFormatError
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


MAIL = (
    b"From: A <a@firm.example>\nSubject: =?utf-8?q?Act?=\n folded\nMIME-Version: 1.0\nContent-Type: multipart/mixed\n\n"
)


@pytest.mark.parametrize("head", [MAIL, b"From a Mon Jan 1\n" + MAIL, MAIL.replace(b"\n", b"\r\n")])
def test_an_email_or_web_archive_is_refused_with_what_to_save(head: bytes) -> None:
    for body in (b"1. The keeper lights =\nthe lamp.\n", b"<html><body><p>1. The lamp.</p></body></html>"):
        with pytest.raises(ParseError, match=r"an e-mail or a web archive .*each attachment, as a file of its own"):
            registry.parse(SourceFile("saved.mhtml", head + body))


def test_a_plain_text_with_a_list_of_dashes_is_not_markdown_unless_its_name_says_so() -> None:
    articles = "".join(
        f"Article {n}\nThe keeper lights lamp {n} at dusk\n\tand watches it until dawn.\n" for n in range(1, 6)
    )
    text = f"This Act has two titles.\n- title I: Lamps\n- title II: Fees\n{articles}".encode()
    document = registry.parse(SourceFile("law.txt", text))
    assert document.format == "plain_text"
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert registry.detect(SourceFile("law.md", text)).name == "markdown"


def test_a_text_on_mime_is_not_an_email() -> None:
    text = b"Note: on mails\n\nA mail has a line MIME-Version: 1.0.\nMIME-Version: 1.0\n"
    assert registry.parse(SourceFile("note.txt", text)).format == "plain_text"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("cases.csv", "id,title,text\n1,A v B,Dismissed.\n", "table"),
        ("cases.json", '[{"id": 1, "judgment_text": "Dismissed."}]', "JSON"),
        ("cases.jsonl", '{"id": 1, "text": "Dismissed."}\n{"id": 2, "text": "Allowed."}\n', "JSON"),
    ],
)
def test_a_data_set_is_refused_with_the_form_that_is_read(name: str, text: str, kind: str) -> None:
    with pytest.raises(UnknownFormatError, match=rf"no known format: {kind} of unknown fields; write .* docs\.jsonl"):
        registry.parse(SourceFile(name, text.encode()))
    if kind == "table":
        assert registry.parse(SourceFile(name, text.encode()), "plain_text").text.startswith("id,title")


def test_xml_of_unknown_elements_is_refused_with_what_can_be_done() -> None:
    source = SourceFile(
        "lamps.xml", b"<?xml version='1.0'?><enactment><clause><no>1</no>Lamps burn at night.</clause></enactment>"
    )
    with pytest.raises(
        UnknownFormatError, match=r"XML of unknown elements; describe them in a profile \(docs/guides/add-format.md\)"
    ):
        registry.parse(source)


def test_an_archive_that_holds_a_pdf_as_it_is_is_not_a_pdf() -> None:
    with pytest.raises(ParseError, match=r"a ZIP archive.*unpack it"):
        registry.parse(SourceFile("acts.zip", b"PK\x03\x04" + b"\x00" * 26 + b"act.pdf%PDF-1.4\n"))
