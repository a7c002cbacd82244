"""What remains of the corpus' Acts in Akoma Ntoso: each is exported and read back, as we wrote it and with the standard's words alone.

    python -m legal_pipeline_tests.akn.round_trip ../shared/corpus

Prints the share of provisions that have their eid, number, heading and words again, and the documents that lose some. Not here: single
rules of the writer (`test_writer`).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from lxml import etree

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.akn.writer import NAMESPACE, STATUTES, export_akn
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_FOLDERS = ("histories", "in", "se", "tagged", "us", "world", "zw")
_NAMED = 25

#: By measure: provisions that come back equal, and all of them.
Shares = Counter[str]
#: Eid -> (number, heading, words).
Provisions = dict[str | None, tuple[str | None, str | None, tuple[str, ...]]]


def provisions(document: Document) -> Provisions:
    return {node.eid: (node.num, node.heading, tuple(document.text_of(node).split())) for node in document.provisions()}


def standard_alone(data: bytes) -> bytes:
    """The export without the attributes of our own namespace."""
    root = etree.fromstring(data, etree.XMLParser(huge_tree=True))
    for element in root.iter():
        for name in [str(name) for name in element.attrib if str(name).startswith(f"{{{NAMESPACE}}}")]:
            del element.attrib[name]
    return etree.tostring(root)


def compare(document: Document, back: Document) -> Shares:
    before, after = provisions(document), provisions(back)
    found = Shares({"provisions": len(before), "too many": len(after.keys() - before.keys())})
    for eid, (num, heading, words) in before.items():
        if eid in after:
            there = after[eid]
            found.update(
                {"eid": 1, "number": there[0] == num, "heading": there[1] == heading, "words": there[2] == words}
            )
    found["text"] = int(document.text.split() == back.text.split())
    return found


def measure(path: Path) -> tuple[str, str, Shares, Shares] | None:
    """(path, problem, shares of our reading, shares of the standard alone); None for what is not an Act."""
    try:
        document = parse(SourceFile(path.name, path.read_bytes()))
    except LegalPipelineError:
        return None
    if document.doc_type not in STATUTES:
        return None
    try:
        data = export_akn(document)
        own = compare(document, parse(SourceFile("export.xml", data), "akn_xml"))
        plain = compare(document, akn_xml.FORMAT.parse(SourceFile("plain.xml", standard_alone(data))))
    except LegalPipelineError as error:
        return str(path), str(error)[:200], Shares(), Shares()
    return str(path), "", own, plain


def results(corpus: Path) -> Iterator[tuple[str, str, Shares, Shares]]:
    paths = [path for folder in _FOLDERS for path in sorted((corpus / folder).rglob("*")) if path.is_file()]
    with ProcessPoolExecutor() as pool:
        yield from (found for found in pool.map(measure, paths, chunksize=8) if found is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    found = list(results(parser.parse_args().corpus))
    for title, index in (("with our attributes", 2), ("the standard alone", 3)):
        total = sum((one[index] for one in found), Shares())
        shares = ", ".join(
            f"{name} {total[name] / max(1, total['provisions']):.2%}" for name in ("eid", "number", "heading", "words")
        )
        print(
            f"{title}: {len(found)} Acts, {total['text']} with the same text, {total['provisions']} provisions: {shares}"
        )
        print(f"  provisions that were none before: {total['too many']}")
        losing = [(one[index]["words"] - one[index]["provisions"], one[0]) for one in found]
        for lost, path in sorted(losing)[:_NAMED]:
            if lost:
                print(f"  {lost} {path}")
    for path, problem, _, _ in found:
        if problem:
            print(f"refused: {path}: {problem}")


if __name__ == "__main__":
    main()
