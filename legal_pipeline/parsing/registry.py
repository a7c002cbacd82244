"""The list of formats, and `parse`: bytes in, one canonical document out.

A new format is one module and one line in `FORMATS`. Not here: anything about a single format.
"""

from __future__ import annotations

from legal_pipeline.corpus.document import Document, check_tree
from legal_pipeline.errors import LimitExceededError, ParseError, UnknownFormatError
from legal_pipeline.parsing import docs_jsonl, docx
from legal_pipeline.parsing.akn import html as akn_html
from legal_pipeline.parsing.akn import xml as akn_xml
from legal_pipeline.parsing.format import POSSIBLE, Format
from legal_pipeline.parsing.generic import markdown, plain_text
from legal_pipeline.parsing.india import (
    act_text,
    acts_json,
    india_code_lino,
    india_code_markdown,
    judgment_rr,
    judgment_spans,
    judgment_text,
)
from legal_pipeline.parsing.legalize import markdown as legalize_markdown
from legal_pipeline.parsing.pdf import document as pdf
from legal_pipeline.parsing.source import SourceFile
from legal_pipeline.parsing.sweden import (
    amendment_text,
    canonical_html,
    riksdagen_html,
    rkrattsbaser_html,
    rkrattsbaser_json,
    selex_markdown,
    sfst_html,
    sfst_text,
)
from legal_pipeline.parsing.tagged import notes as tagged_notes
from legal_pipeline.parsing.usa import (
    cfr_text,
    dc_code_xml,
    ecfr_xml,
    opinion_text,
    usc_markdown,
    uslm_xml,
)
from legal_pipeline.parsing.zimbabwe import importer_html, zimlii_json

#: Order matters only between equal scores: the more special format stands first.
FORMATS: tuple[Format, ...] = (
    rkrattsbaser_html.FORMAT,
    rkrattsbaser_json.FORMAT,
    sfst_html.FORMAT,
    sfst_text.FORMAT,
    riksdagen_html.FORMAT,
    canonical_html.FORMAT,
    selex_markdown.FORMAT,
    amendment_text.FORMAT,
    india_code_markdown.FORMAT,
    india_code_lino.FORMAT,
    acts_json.FORMAT,
    judgment_rr.FORMAT,
    judgment_spans.FORMAT,
    judgment_text.FORMAT,
    act_text.FORMAT,
    akn_xml.FORMAT,
    akn_html.FORMAT,
    zimlii_json.FORMAT,
    importer_html.FORMAT,
    docx.FORMAT,
    docs_jsonl.FORMAT,
    pdf.FORMAT,
    ecfr_xml.FORMAT,
    uslm_xml.FORMAT,
    dc_code_xml.FORMAT,
    usc_markdown.FORMAT,
    legalize_markdown.FORMAT,
    tagged_notes.FORMAT,
    cfr_text.FORMAT,
    opinion_text.FORMAT,
    # What remains when nothing special fits.
    markdown.FORMAT,
    plain_text.FORMAT,
)


def formats() -> dict[str, Format]:
    return {format.name: format for format in FORMATS}


def detect(source: SourceFile) -> Format:
    """The format whose rule recognises the content best; raises `UnknownFormatError` naming the closest ones."""
    source.check_size()
    scores = sorted(
        ((format.sniff(source), -index, format) for index, format in enumerate(FORMATS)),
        key=lambda row: row[:2],
        reverse=True,
    )
    if scores and scores[0][0] >= POSSIBLE:
        return scores[0][2]
    _ = source.text  # an empty, binary or undecodable file says so itself
    closest = tuple(format.name for score, _, format in scores[:3] if score > 0)
    raise UnknownFormatError("no known format", document=source.name, closest=closest or tuple(formats()))


def parse(source: SourceFile, format: str | None = None) -> Document:
    """Parse `source` as `format`, or as what its content says.

    Raises `ParseError` (or one of its kinds) naming document, format, position and what was expected; never returns an empty document.
    """
    if format is None:
        chosen = detect(source)
    else:
        try:
            chosen = formats()[format]
        except KeyError:
            raise UnknownFormatError(
                f"format {format!r} is not known", document=source.name, closest=tuple(formats())
            ) from None
        source.check_size()
    try:
        document = chosen.parse(source)
    except ParseError as error:
        error.format = error.format or chosen.name
        raise
    except RecursionError as error:
        raise LimitExceededError(
            "nested too deeply",
            document=source.name,
            format=chosen.name,
            expected=f"at most {source.limits.max_depth} levels",
        ) from error
    check_tree(document)
    return document
