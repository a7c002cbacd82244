"""Megabytes per second of the citation grammars and of entities on one core: `python legal_pipeline_tests/benchmarks/citations.py CORPUS`.

Not a test: figures depend on the machine. CORPUS is the folder of real texts.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from legal_pipeline.chunking.entities import find_entities
from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_BLANK = re.compile(r"\n\s*\n")


def unwrapped(text: str) -> str:
    """Blocks on one line each, as canonical text has them."""
    return "\n\n".join(" ".join(block.split()) for block in _BLANK.split(text))


def swedish(corpus: Path) -> Iterator[str]:
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (unwrapped(json.loads(line)["body"]) for line in lines)


def indian(corpus: Path) -> Iterator[str]:
    with gzip.open(next((corpus / "eval" / "aila2019").glob("casedocs*.gz")), "rt", encoding="utf-8") as lines:
        yield from (unwrapped(json.loads(line)["text"]) for line in lines)


def zimbabwean(corpus: Path) -> Iterator[str]:
    for path in sorted((corpus / "zw" / "zimlii_json").glob("*.json")):
        yield "\n\n".join(item["content"] for item in json.loads(path.read_text("utf-8"))["provisions"])


def american(corpus: Path) -> Iterator[str]:
    for path in sorted((corpus / "eval" / "sbd_en").glob("*.jsonl")):
        yield from (unwrapped(json.loads(line)["text"]) for line in path.read_text("utf-8").splitlines())


def french(corpus: Path) -> Iterator[str]:
    yield sorted((corpus / "histories" / "fr_code_justice_penale_mineurs").glob("v*"))[-1].read_text("utf-8")


TEXTS: dict[str, tuple[Callable[[Path], Iterator[str]], str]] = {
    "se": (swedish, "swe"), "in": (indian, "eng"), "zw": (zimbabwean, "eng"), "us": (american, "eng"), "fr": (french, "fra"),
}  # fmt: skip


def main(corpus: Path) -> None:
    for code, (read, language) in TEXTS.items():
        country = jurisdiction(code)
        texts = list(read(corpus))
        size = sum(len(text.encode()) for text in texts) / 1e6
        find_entities(
            texts[0], country, language, find(texts[0], country)
        )  # loads data and, for the United States, eyecite
        started = time.process_time()
        count = sum(len(find(text, country)) for text in texts)
        middle = time.process_time()
        named = sum(len(find_entities(text, country, language, ())) for text in texts)
        ended = time.process_time()
        print(
            f"{code}: {size:.1f} MB; citations {size / (middle - started):.1f} MB/s ({count}); "
            f"other entities {size / (ended - middle):.1f} MB/s ({named})"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
