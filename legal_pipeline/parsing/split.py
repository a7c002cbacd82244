"""Files that hold several documents, taken apart into one source file for each.

Not here: how a format separates its documents (its module does).
"""

from __future__ import annotations

from legal_pipeline.building.format import LIKELY
from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing import docs_jsonl


def split(source: SourceFile) -> dict[str, SourceFile]:
    """The documents of `source` by their location in it; `{"": source}` for a file that is one document.

    A location does not move when other documents of the file come or go. Raises `ParseError` for a file that cannot be taken apart:
    what stands before the damage must not pass for the whole.
    """
    named = source.hints.get("format")
    if named not in (None, docs_jsonl.NAME) or docs_jsonl.sniff(source) < LIKELY or not docs_jsonl.is_lines(source):
        return {"": source}
    return {part.name.removeprefix(f"{source.name}#"): part for part in docs_jsonl.split(source)}
