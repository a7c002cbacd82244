"""Characters per second of `sentence_spans` on one core: `python legal_pipeline_tests/benchmarks/sentences.py FILE…`.

Not a test: figures depend on the machine. JSON lines are read for their `text`, anything else as plain text.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from legal_pipeline.text.sentences import sentence_spans


def read(path: Path) -> str:
    content = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return "\n".join(json.loads(line)["text"] for line in content.splitlines())
    return content


def main(paths: list[str]) -> None:
    for name in paths:
        text = read(Path(name))
        text *= max(1, 5_000_000 // len(text))
        for language in ("eng", "swe"):
            sentence_spans(text[:1000], language)
            started = time.process_time()
            count = len(sentence_spans(text, language))
            seconds = time.process_time() - started
            print(f"{name} as {language}: {len(text) / seconds / 1e6:.1f} M characters/s, {count} sentences")


if __name__ == "__main__":
    main(sys.argv[1:])
