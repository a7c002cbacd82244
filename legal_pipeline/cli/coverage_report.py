"""Report for every document of the files of a folder: sections found and expected, text covered by chunks, warnings, or the typed error.

Reads and chunks; writes nothing. Not here: printing the report (`coverage_presentation`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.chunking.cut import MakeEncoder
from legal_pipeline.errors import CompanionFileError, DocumentError, LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.source_words import count_shown_words, lost_words
from legal_pipeline.parsing.split import split
from legal_pipeline.parsing.stated_sections import found_sections, stated_sections
from legal_pipeline.parsing.text_in_json import file_of_text
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import ListingError
from legal_pipeline.stages.chunks import NEVER_CHUNKED, cut_batch


@dataclass(frozen=True)
class FileReport:
    """The report of one document of a file, or of a file that could not be read. `location`: which of several documents of the file.

    `sections_expected` is the number that the source itself marks or states, None if it does not. `words_shown` and `words_lost` count the
    words of the file, None for a format whose words are not counted. `coverage` is the share of the text that is in a chunk or a listed
    exclusion, 0 to 1; None for an amending act, which is never chunked. `error` is the type of the error; `defect`: it is not one of this
    package's own errors.
    """

    file: str
    location: str = ""
    format: str | None = None
    document_id: str | None = None
    title: str | None = None
    jurisdiction: str | None = None
    language: str | None = None
    characters: int = 0
    sections_found: int | None = None
    sections_expected: int | None = None
    words_shown: int | None = None
    words_lost: int | None = None
    chunks: int | None = None
    strategies: tuple[str, ...] = ()
    coverage: float | None = None
    quality_score: float | None = None
    requires_manual_review: bool = False
    warnings: tuple[str, ...] = ()
    error: str | None = None
    message: str | None = None
    defect: bool = False

    @property
    def name(self) -> str:
        return f"{self.file}#{self.location}" if self.location else self.file

    @property
    def is_failure(self) -> bool:
        """Whether the file could not be read. A file that accompanies a document is not one, and is left out on purpose."""
        return self.error not in (None, CompanionFileError.__name__)


def coverage_report(
    folder: Path,
    encoder: MakeEncoder,
    limits: Limits | None = None,
    *,
    exclude: Iterable[str] = (),
    tell_left_out: Callable[[Sequence[str]], None] = lambda _: None,
) -> Iterator[FileReport]:
    """Yield a report for each document of each file in `folder`, in the order of the files; hints come from sidecars as in an ingest.

    `encoder` is called only if a document is cut by meaning; `tell_left_out` with the files that the patterns `exclude` leave out.
    Raises `ListingError` for a folder that cannot be read.
    """
    source = DirectorySource(folder, limits=limits, exclude=exclude)
    listing = source.list()
    tell_left_out(listing.left_out)
    if not listing.items:
        raise ListingError(f"{folder} has no file that is not hidden, temporary or left out")
    for item in listing.items:
        try:
            parts = split(source.fetch(item))
        except Exception as error:  # the report must include errors of unknown types
            yield _unread(item.name, "", error, None)
        else:
            for location, part in parts.items():
                yield _report(item.name, location, part, encoder)


def _unread(file: str, location: str, error: Exception, document: Document | None) -> FileReport:
    return FileReport(
        file=file,
        location=location,
        format=document.format if document is not None else getattr(error, "format", None) or None,
        document_id=document.document_id if document is not None else None,
        error=type(error).__name__,
        message=error.message if isinstance(error, DocumentError) else str(error),
        defect=not isinstance(error, LegalPipelineError),
    )


def _report(name: str, location: str, file: SourceFile, encoder: MakeEncoder) -> FileReport:
    document: Document | None = None
    try:
        document = parse(file, file.hints.get("format"))
        read = file_of_text(file, document)
        expected = stated_sections(read, document.format)
        lost, shown = lost_words(read, document), count_shown_words(read, document.format)
        (chunked,) = cut_batch([document], None, encoder)
        if isinstance(chunked, Exception):
            raise chunked
    except Exception as error:  # the report must include errors of unknown types
        return _unread(name, location, error, document)
    never = document.doc_type in NEVER_CHUNKED
    return FileReport(
        file=name,
        location=location,
        format=document.format,
        document_id=document.document_id,
        title=document.title,
        jurisdiction=document.jurisdiction,
        language=document.language,
        characters=len(document.text),
        sections_found=found_sections(document),
        sections_expected=expected,
        words_shown=shown or None,
        words_lost=len(lost) if shown else None,
        chunks=None if never else len(chunked.chunks),
        strategies=tuple(dict.fromkeys(chunk.strategy for chunk in chunked.chunks)),
        coverage=None if never else chunked.coverage,
        quality_score=document.metadata.get("quality_score"),
        requires_manual_review=document.requires_manual_review,
        warnings=tuple(dict.fromkeys((*document.warnings, *chunked.warnings))),
    )
