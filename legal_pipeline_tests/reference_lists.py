"""The lists of what the library reads, as Markdown: formats, countries, and chunking strategies with the rules of the router.

Not here: the pages that they are written to (`documentation`) and the other generated parts of the reference (`reference_pages`).
"""

from __future__ import annotations

import re
import sys

from legal_pipeline.chunking import page_level, router
from legal_pipeline.chunking.chunk import CHUNK_TYPES
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.jurisdictions.countries import country_codes
from legal_pipeline.jurisdictions.grammar import COMMON_LAW
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, described
from legal_pipeline.languages.language import language
from legal_pipeline.parsing.countries import country_formats
from legal_pipeline.parsing.profiles.profile import profiles
from legal_pipeline.parsing.registry import FORMATS
from legal_pipeline_tests.reference_pages import markdown_table

_FILE_TYPES = {"xml": "XML", "html": "HTML", "json": "JSON", "pdf": "PDF", "docx": "Word (.docx)", "text": "text"}

#: Names that no text is searched for: Georgia is also a state of the United States.
_OWN_NAMES = {"ge": "Georgia"}

#: After the description of a companion file: with a text beside it, and without.
_NOTE_BESIDE = "; not a document: read with the text beside it"
_NOTE = "; not a document: recognised and refused"


def _named_by(key: str) -> str:
    """The countries whose data name a strategy for such texts."""
    return ", ".join(f"`{country.code}`" for country in countries() if country.section("chunking").get(key))


#: The rules of the router (`chunking.router.decide`), in its order, by the strategy that each chooses for a document.
_RULES = {
    "sliding_window": "documents whose sidecar file states the profile `rightline`",
    "llm_plan": "documents whose sidecar file states the profile `immigration`, with one of the types "
    + ", ".join(f"`{name}`" for name in sorted(router.IMMIGRATION_TYPES)),
    "tagged_paragraph": "notes with paragraph tags",
    "judgment_structural": f"judgments in which the parser found parts, or {router.LEAST_PROVISIONS} or more numbered paragraphs",
    "paragraf": f"statutes of {_named_by('statutes')}",
    "statute_boundary": "documents, other than judgments, with provisions",
    "markdown_merge": f"Markdown files, and texts of {_named_by('without_provisions')}, to which no rule above applies",
    "recursive_semantic": f"documents with {router.PARTIAL_HEADINGS} or more headings",
    "page_level": f"scans with an OCR confidence below {page_level.DEGRADED_BELOW}",
    "semantic": "all other documents",
    "proposition": "no document",
}

#: Parts that a strategy cuts of documents whose strategy is another one (`chunking.router.route`).
_PARTS = {
    "paragraf": f"preambles, transitional provisions and schedules of texts of {_named_by('statutes')} without provisions",
    "statute_boundary": "preambles and transitional provisions of Markdown files without provisions",
    "markdown_merge": "the text outside the nodes along which `judgment_structural`, `paragraf`, `statute_boundary` or `page_level` cuts "
    "a document",
    "page_level": "schedules and tables of documents that `statute_boundary` cuts",
    "proposition": "definitions in documents that `paragraf` or `statute_boundary` cuts, in addition to the chunks of their text",
}


_CHUNK_TYPES = {
    "statutory_text": "text of a provision",
    "definition": "a definition as a [rewritten sentence](../concepts/text-and-spans.md#rewritten-definitions)",
    "schedule_entry": "a schedule or a table of an Act",
    "transitional": "transitional provisions",
    "preamble": "text before the first provision: preamble, enacting words",
    "appendix": "an appendix of a Swedish statute",
    "header": "the cover of a judgment: court, parties, number",
    "headnote": "a summary of a judgment that precedes its text",
    "facts": "the facts of a judgment",
    "issue": "arguments of the parties, or a question that the judgment decides",
    "reasoning": "reasoning of a judgment, and text of an immigration decision",
    "holding": "what the court decided",
    "order": "the order of the court, and signatures",
    "dissent": "a dissenting or separate opinion",
    "page": "a page of a scan",
    "markdown": "text without provisions",
    "raptor_summary": "a summary of a chapter, a document or a practice area",
    "proviso": "not made by a strategy of the package",
    "explanation": "not made by a strategy of the package",
    "obiter": "not made by a strategy of the package",
}


def formats() -> str:
    """The formats with the country of those that belong to one."""
    by_country = {item.name: country.code for country in country_formats() for item in country.formats}
    by_country |= {profile.name: profile.jurisdiction for profile in profiles()}
    notes = {profile.name: _NOTE_BESIDE if profile.beside else _NOTE for profile in profiles() if profile.companion}
    rows = [
        (
            f"`{item.name}`",
            "Markdown" if "markdown" in item.name else _FILE_TYPES[item.container],
            item.description + notes.get(item.name, ""),
            f"`{by_country[item.name]}`" if item.name in by_country else "",
        )
        for item in sorted(FORMATS, key=lambda item: (item.name not in by_country, by_country.get(item.name, "")))
    ]
    return "\n".join(markdown_table(("format", "file type", "reads", "country"), rows))


def strategies() -> str:
    """The strategies in the order of the router's rules: how each cuts, by its docstring, and when the router chooses it."""
    assert _RULES.keys() == STRATEGIES.keys() >= _PARTS.keys()
    rows = [(f"`{name}`", _how(name), rule, _PARTS.get(name, "")) for name, rule in _RULES.items()]
    return "\n".join(markdown_table(("strategy", "how it cuts", "chosen for", "cuts in other documents"), rows))


def chunk_types() -> str:
    """The types of chunks that a search can be limited to."""
    assert _CHUNK_TYPES.keys() == set(CHUNK_TYPES)
    return "\n".join(markdown_table(("type", "is"), [(f"`{name}`", what) for name, what in _CHUNK_TYPES.items()]))


def known_countries() -> str:
    """The countries that have a folder, and what their data hold; the countries that have formats only."""
    own: dict[str, list[str]] = {}
    for country in country_formats():
        own.setdefault(country.code, []).extend(item.name for item in country.formats)
    for profile in profiles():
        if profile.companion is None:
            own.setdefault(profile.jurisdiction, []).append(profile.name)
    rows = [
        (
            f"`{country.code}`",
            _name(country),
            ", ".join(dict.fromkeys(language(code).name for code in country.data.get("languages", ()))),
            _citations(country),
            "yes" if country.section("courts") else "",
            ", ".join(f"`{name}`" for name in own.pop(country.code, ())),
        )
        for country in countries()
    ]
    names = {code: name for name, code in reversed(country_codes().items())}
    spoken = {profile.jurisdiction: language(profile.language).name for profile in profiles()}
    rows += [
        (f"`{code}`", names[code], spoken[code], "", "", ", ".join(f"`{name}`" for name in found))
        for code, found in own.items()
    ]
    rows.sort()
    return "\n".join(markdown_table(("code", "country", "languages", "citations", "courts", "own formats"), rows))


def named_countries() -> str:
    """The countries without a folder of which `named.toml` has data, and what it has."""
    names = {code: name for name, code in reversed(country_codes().items())}
    rows = [
        (
            f"`{country.code}`",
            names.get(country.code) or _OWN_NAMES[country.code],
            "yes" if country.data.get("hosts") else "",
            "yes" if country.section("judgments").get("courts") else "",
            "yes" if country.data.get("asked_as") else "",
            "yes" if country.data.get("member_of") else "",
        )
        for country in described()
        if country.folder is None
    ]
    columns = (
        "code",
        "country",
        "hosts of publishers",
        "courts on covers",
        "names in questions",
        "member of the European Union",
    )
    return "\n".join(markdown_table(columns, rows))


def _how(strategy: str) -> str:
    """The first paragraph of the docstring of the strategy's module, without its name."""
    docstring = sys.modules[STRATEGIES[strategy].chunk.__module__].__doc__ or ""
    words = re.sub(rf"^`{strategy}`(?: \([^)]*\))?: ", "", docstring.partition("\n\n")[0])
    return words.removesuffix(".")


def _name(country: Jurisdiction) -> str:
    """The name in the first line of the country's file."""
    assert country.folder is not None
    first = (country.folder / "jurisdiction.toml").read_text("utf-8").partition("\n")[0]
    found = re.search(r"the law of (?:the )?(.+)\.$", first)
    assert found is not None, f"{country.code}: no name in {first!r}"
    return found[1]


def _citations(country: Jurisdiction) -> str:
    if country.scanner is None:
        return ""
    return COMMON_LAW if country.section("citations").get("family") == COMMON_LAW else "its own"
