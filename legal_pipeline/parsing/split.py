"""Split files with several documents into one source file for each.

Not here: the boundaries between documents of a format (the module of the format).
"""

from __future__ import annotations

from legal_pipeline.building.format import LIKELY
from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing import docs_jsonl
from legal_pipeline.parsing.generic import law_as_data


def split(source: SourceFile) -> dict[str, SourceFile]:
    """Return the documents of `source` by their location in it; `{"": source}` for a file with one document.

    A location does not change when other documents are added to the file or removed. Raises `ParseError` for a file that cannot be
    split: the part before the damage must not be taken for the whole.
    """
    named = source.hints.get("format")
    if named in (None, law_as_data.NAME) and (laws := law_as_data.split(source)):
        return laws
    if named not in (None, docs_jsonl.NAME) or docs_jsonl.sniff(source) < LIKELY or not docs_jsonl.is_lines(source):
        return {"": source}
    return {part.name.removeprefix(f"{source.name}#"): part for part in docs_jsonl.split(source)}
