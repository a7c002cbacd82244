"""The errors that users see. Each says what, where and what was expected; none carries document text as an instruction.

Not here: errors of other libraries. They are caught where they arise and turned into one of these.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping, Sequence

_log = logging.getLogger(__name__)

#: Characters of a foreign error's message that are repeated: it may hold the text of a document.
_MAX_FOREIGN_CHARS = 300

#: Message Batches that an error names.
_MAX_NAMED = 5

#: Numbers of system errors that say something about the machine and nothing about the file: no room, no memory, too many open files.
_MACHINE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE})


class LegalPipelineError(Exception):
    """Base of every error this package raises on purpose.

    `transient` tells a caller whether the same call may succeed later without any change.
    """

    transient = False


class ConfigurationError(LegalPipelineError):
    """A setting, a missing service or a wrong call: nothing was read or written. Exit code 2."""


class QueryError(ConfigurationError):
    """A query that cannot be searched. `position`: characters before what is wrong, None where all of it is."""

    def __init__(self, message: str, *, position: int | None = None) -> None:
        self.position = position
        super().__init__(message)


class NotFoundError(LegalPipelineError):
    """What was asked for is not in the index, or not on that day; says what there is instead, where that is known."""


class WithheldError(LegalPipelineError):
    """The source of a text forbids that it is handed on, and the reader may not have it all the same."""


class DatabaseUnavailableError(ConfigurationError):
    """The PostgreSQL server does not answer, or went away amid a transaction. It says nothing about the document at hand."""

    transient = True


class DocumentError(LegalPipelineError):
    """One document cannot be used. Its neighbours go on and its last good version stays in every store."""

    def __init__(self, message: str, *, document: str = "", position: str = "") -> None:
        self.document = document
        self.position = position
        self.message = message
        where = ", ".join(part for part in (document, position) if part)
        super().__init__(f"{where}: {message}" if where else message)


class DefectError(DocumentError):
    """An error of another type than these met this document: a defect of the program, not of the document. `kind` is its type.

    Transient where the machine is in trouble: the same document may be read later.
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
        """`error` as a defect; its trace goes to the log."""
        _log.error("a defect at %s", document, exc_info=error)
        defect = cls(error, document=document)
        defect.__cause__ = error
        return defect


def typed(error: Exception, *, document: str = "") -> LegalPipelineError:
    """`error` itself where it is one of this module's, else as a `DefectError`."""
    return error if isinstance(error, LegalPipelineError) else DefectError.of(error, document=document)


class ParseError(DocumentError):
    """Bytes that are not what their format promises: names format, position and what was expected."""

    def __init__(
        self, message: str, *, document: str = "", format: str = "", position: str = "", expected: str = ""
    ) -> None:
        self.format = format
        self.expected = expected
        text = f"[{format}] {message}" if format else message
        super().__init__(f"{text} (expected: {expected})" if expected else text, document=document, position=position)


class UnknownFormatError(ParseError):
    """No format recognises the bytes; `closest` names the formats that came nearest."""

    def __init__(self, message: str, *, document: str = "", closest: tuple[str, ...] = ()) -> None:
        self.closest = closest
        super().__init__(message, document=document, expected=", ".join(closest))


class EmptyDocumentError(ParseError):
    """Nothing to read: no bytes, no text, or a page whose text is missing."""


class TruncatedDocumentError(ParseError):
    """The document was cut off: it opens something that it does not close."""


class IncompleteDocumentError(ParseError):
    """Far fewer sections were found than the source itself marks: the rest would be missing from every search."""


class CompanionFileError(ParseError):
    """A file that stands beside a document (its metadata, its tree of units) and is not one itself."""


class LimitExceededError(ParseError):
    """A size, line or depth limit of the settings was exceeded."""


class UnsafeNameError(DocumentError):
    """A source item whose name or link leads out of its folder, or could not be a file name everywhere."""


class ChunkingError(DocumentError):
    """A promise of the chunk table does not hold (coverage, unique paths, source equality): the document is not published."""


class NotATableError(LegalPipelineError):
    """An asset that is not kept as a table was loaded as one; says what it is and what to load or call instead."""


class DiskFullError(LegalPipelineError):
    """There is no room for what would be written. What was under way is not failed: the next run takes it."""

    transient = True


class EmbeddingError(LegalPipelineError):
    """A model gave something that is not a usable vector: not finite, of the wrong shape, without direction."""


class EmbeddingUnavailableError(EmbeddingError):
    """The embedding server does not answer, or asks to wait longer than the settings allow; the same call may succeed later."""

    transient = True


class RerankingError(LegalPipelineError):
    """A reranker gave something that is not one finite score for each text."""


class RerankingUnavailableError(RerankingError):
    """The reranker's server does not answer; the same call may succeed later."""

    transient = True


class StoreError(LegalPipelineError):
    """A vector store refused or lost something."""


class MissingCollectionError(StoreError):
    """The vector store has no such collection: nothing was indexed yet, or it was dropped."""


class DamagedCollectionError(StoreError):
    """Files of a collection cannot be read any more. `legal-pipeline reconcile --repair` builds it anew from the warehouse."""


class StoreUnavailableError(StoreError):
    """The store did not answer; the same call may succeed later."""

    transient = True


class LanguageModelError(LegalPipelineError):
    """A language model's service refused or failed a request in a way that asking again will not change."""


class LanguageModelUnavailableError(LanguageModelError):
    """The service does not answer, or asks to wait longer than the settings allow; the same call may succeed later."""

    transient = True


class WaitingForBatchError(LanguageModelError):
    """Answers are still to come out of Message Batches: nothing is wrong, and a later run goes on with them. `batches` are their ids, ""
    for one whose id is not known yet."""

    transient = True

    def __init__(self, batches: Sequence[str]) -> None:
        self.batches = tuple(sorted(set(batches)))
        named = [batch or "one that is being looked for" for batch in self.batches[:_MAX_NAMED]]
        more = len(self.batches) - len(named)
        super().__init__(f"waiting for Message Batch {', '.join([*named, *([f'and {more} more'] if more else [])])}")


class BudgetExceededError(LanguageModelError):
    """The next request could cost more than what is left of the budget of the run or the day. Nothing was asked."""


class ServiceError(LegalPipelineError):
    """The HTTP API refused or failed a request of `legal_pipeline.Client`.

    `status` is the HTTP status (None: no answer came), `errors` the wrong parameters ({"where": […], "message": …}), `retry_after` the
    seconds that the server asks to wait, None where it does not say.
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
    """The HTTP API cannot read a request: `errors` and the message name the parameters."""


class AccessDeniedError(ServiceError):
    """The HTTP API needs a key, or a key with another scope."""


class AnswerNotFoundError(ServiceError, NotFoundError):
    """The index of the HTTP API does not have what was asked for; the message says what it has instead."""


class RateLimitError(ServiceError):
    """The key has asked too often; ask again after `retry_after` seconds."""

    transient = True


class ServiceUnavailableError(ServiceError):
    """The HTTP API, or its index, does not answer; the same call may succeed later."""

    transient = True
