"""The errors that users see. Each states what failed, where, and what was expected; none carries document text as an instruction.

Not here: errors of other libraries. They are caught where they occur and converted to one of these.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator, Mapping, Sequence

_log = logging.getLogger(__name__)

#: Maximum characters repeated from the message of a foreign error: the message may contain document text.
_MAX_FOREIGN_CHARS = 300

#: Maximum number of Message Batches that an error lists.
_MAX_NAMED = 5

#: Errno values that report a problem of the machine and not of the file: disk full, out of memory, too many open files.
_MACHINE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE})


class LegalPipelineError(Exception):
    """Base of all errors that this package raises deliberately.

    `transient`: whether the same call may succeed later without any change.
    """

    transient = False


class ConfigurationError(LegalPipelineError):
    """An invalid setting, a missing service or an invalid call. Exit code 2.

    It is raised before the call does its work, except `DatabaseUnavailableError`: then what was committed before is kept.
    """


class HomeBusyError(ConfigurationError):
    """Runs or backfills are in progress, and the call needs a home without any. Nothing was changed."""

    transient = True


class QueryError(ConfigurationError):
    """A query that cannot be searched. `position`: offset of the error in characters, None if the whole query is invalid."""

    def __init__(self, message: str, *, position: int | None = None) -> None:
        self.position = position
        super().__init__(message)


class NotFoundError(LegalPipelineError):
    """The requested item is not in the index, or not on that day; the message lists what is available, if that is known."""


class WithheldError(LegalPipelineError):
    """The source of a text forbids its redistribution, and this reader may not have the text either."""


class DatabaseUnavailableError(ConfigurationError):
    """The PostgreSQL server does not answer, or the connection was lost during a transaction. The current document is not at fault."""

    transient = True


class DocumentError(LegalPipelineError):
    """One document cannot be used. The other documents continue, and its last good version stays in every store."""

    def __init__(self, message: str, *, document: str = "", position: str = "") -> None:
        self.document = document
        self.position = position
        super().__init__(message)

    @property
    def message(self) -> str:
        """Return the message without the place."""
        return super().__str__()

    def __str__(self) -> str:
        where = ", ".join(dict.fromkeys(part for part in (self.document, self.position) if part))
        return f"{where}: {self.message}" if where else self.message


class DefectError(DocumentError):
    """An error of another type occurred at this document: a defect of the program, not of the document. `kind` is the error's type.

    Transient if the machine is the reason (disk full, out of memory): the same document may be read later.
    """

    def __init__(self, error: Exception, *, document: str = "") -> None:
        self.kind = type(error).__name__
        self.transient = isinstance(error, OSError) and error.errno in _MACHINE_ERRORS
        detail = "".join(
            character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
            for character in str(error)[:_MAX_FOREIGN_CHARS]
        )
        reason = f": {detail}" if detail else ""
        super().__init__(f"a defect of the program, {self.kind}{reason}", document=document)

    @classmethod
    def of(cls, error: Exception, *, document: str = "") -> DefectError:
        """Wrap `error` as a defect; its traceback goes to the log."""
        _log.error("a defect at %s", document, exc_info=error)
        defect = cls(error, document=document)
        defect.__cause__ = error
        return defect


class FutureTextError(DocumentError):
    """A document has no text yet: that of its source is dated in the future. This is not a failure; it is indexed on that day."""


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield `error`, and the errors that it was raised from or that it has replaced."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def raise_interruption(error: Exception) -> None:
    """Raise the interruption that `error` has replaced, if there is one.

    Code that is interrupted can fail while it cleans up, as zipfile does. The document has not failed then: the run has to end.
    """
    import asyncio  # a twentieth of a second, which commands without errors do not need

    for cause in causes(error):
        if not isinstance(cause, (Exception, GeneratorExit, asyncio.CancelledError)):
            raise cause


def typed(error: Exception, *, document: str = "") -> LegalPipelineError:
    """Return `error` unchanged if it is an error of this module, else as a `DefectError`. Raises an interruption that it has replaced."""
    raise_interruption(error)
    return error if isinstance(error, LegalPipelineError) else DefectError.of(error, document=document)


class ParseError(DocumentError):
    """Bytes that do not follow their format: states the format, the position and what was expected.

    A parser states neither its format nor the document: `Format.parse` adds both.
    """

    def __init__(
        self, message: str, *, document: str = "", format: str = "", position: str = "", expected: str = ""
    ) -> None:
        self.format = format
        self.expected = expected
        super().__init__(message, document=document, position=position)

    @property
    def message(self) -> str:
        text = f"[{self.format}] {super().message}" if self.format else super().message
        return f"{text} (expected: {self.expected})" if self.expected else text


class UnknownFormatError(ParseError):
    """No format recognises the bytes; `closest` lists the formats with the best match."""

    def __init__(self, message: str, *, document: str = "", closest: tuple[str, ...] = ()) -> None:
        self.closest = closest
        super().__init__(message, document=document, expected=", ".join(closest))


class EmptyDocumentError(ParseError):
    """There is nothing to read: no bytes, no text, or a page whose text is missing."""


class TruncatedDocumentError(ParseError):
    """The document was cut off: it opens an element that it does not close."""


class IncompleteDocumentError(ParseError):
    """The parser found far fewer sections than the source itself marks: the others would be missing from every search."""


class CompanionFileError(ParseError):
    """A file that accompanies a document (its metadata, its tree of units) and is not a document itself."""


class LimitExceededError(ParseError):
    """A size, line or depth limit of the settings was exceeded."""


class UnsafeNameError(DocumentError):
    """A source item whose name or link leads out of its folder, or is not a valid file name on all systems."""


class ChunkingError(DocumentError):
    """An invariant of the chunk table is violated (coverage, unique paths, source equality): the document is not published."""


class NotATableError(LegalPipelineError):
    """An asset that is not stored as a table was loaded as a table; the message states its kind and what to load or call instead."""


class DiskFullError(LegalPipelineError):
    """The disk is full. The work in progress is not marked as failed: the next run takes it."""

    transient = True


class EmbeddingError(LegalPipelineError):
    """A model returned an unusable vector: not finite, of the wrong shape, or of length zero."""


class EmbeddingUnavailableError(EmbeddingError):
    """The embedding server does not answer, or asks to wait longer than the settings allow; the same call may succeed later."""

    transient = True


class RerankingError(LegalPipelineError):
    """A reranker did not return one finite score for each text."""


class RerankingUnavailableError(RerankingError):
    """The reranker's server does not answer; the same call may succeed later."""

    transient = True


class StoreError(LegalPipelineError):
    """A vector store refused a request or lost data."""


class MissingCollectionError(StoreError):
    """The vector store does not have this collection: nothing was indexed yet, or it was dropped."""


class DamagedCollectionError(StoreError):
    """Files of a collection cannot be read. `legal-pipeline reconcile --repair` rebuilds the collection from the warehouse."""


class StoreUnavailableError(StoreError):
    """The store did not answer; the same call may succeed later."""

    transient = True


class LanguageModelError(LegalPipelineError):
    """A language model's service refused or failed a request, and a retry will not change that."""


class LanguageModelUnavailableError(LanguageModelError):
    """The service does not answer, or asks to wait longer than the settings allow; the same call may succeed later."""

    transient = True


class WaitingForBatchError(LanguageModelError):
    """Answers of Message Batches are still missing: this is not a failure, and a later run continues with them.

    `batches` are their ids, "" for a batch whose id is not known yet.
    """

    transient = True

    def __init__(self, batches: Sequence[str]) -> None:
        self.batches = tuple(sorted(set(batches)))
        named = [batch or "one that is being looked for" for batch in self.batches[:_MAX_NAMED]]
        more = len(self.batches) - len(named)
        super().__init__(f"waiting for Message Batch {', '.join([*named, *([f'and {more} more'] if more else [])])}")


class BudgetExceededError(LanguageModelError):
    """The next request could cost more than the rest of the budget of the run or the day. No request was sent."""


class ServiceError(LegalPipelineError):
    """The HTTP API refused or failed a request of `legal_pipeline.Client`.

    `status` is the HTTP status (None: no answer), `errors` the invalid parameters ({"where": […], "message": …}), `retry_after` the
    seconds to wait that the server states, None if it states none.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        errors: Sequence[Mapping[str, object]] = (),
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.errors = tuple(errors)
        self.retry_after = retry_after
        super().__init__(message)


class InvalidRequestError(ServiceError, ConfigurationError):
    """The HTTP API cannot read a request: `errors` and the message list the parameters."""


class AccessDeniedError(ServiceError):
    """The HTTP API requires a key, or a key with another scope."""


class AnswerNotFoundError(ServiceError, NotFoundError):
    """The index of the HTTP API does not have the requested item; the message lists what it has instead."""


class RateLimitError(ServiceError):
    """The key has sent too many requests; retry after `retry_after` seconds."""

    transient = True


class ServiceUnavailableError(ServiceError):
    """The HTTP API, or its index, does not answer; the same call may succeed later."""

    transient = True
